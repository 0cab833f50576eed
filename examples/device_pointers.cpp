// SPDX-License-Identifier: MIT
// device_pointers.cpp — state where the device holds it: no copy to the host for work of one's own.
//
// On "cuda" the pointers are of the GPU's memory and `queue` is the cudaStream_t to launch kernels on; they see the last step.
// Here they are of the host, so that this program runs everywhere.
#include <scree/world.h>

#include <cstdio>

int main(int count, char** words) {
    const std::string device = count > 1 ? words[1] : "cpu";
    scree::World world({}, device);
    for (int i = 0; i < 100; ++i)
        world.attach(world.create_body({.position = {2 * static_cast<float>(i), 10, 0}}),
                     scree::Sphere{0.5f});
    for (int step = 0; step < 30; ++step) world.step(1 / 60.0f);

    const scree::DeviceState state = world.device_state();
    std::printf("on %s: positions at %p, four floats for each index of a body, queue %p\n", device.c_str(),
                static_cast<const void*>(state.positions), state.queue);
    if (state.queue != nullptr) return 0; // a kernel of one's own would read them

    double height = 0;
    for (const scree::BodyId body : world.bodies())
        height += static_cast<double>(state.positions[4 * body.index + 1]) / world.body_count();
    std::printf("mean height %.3f m after half a second of free fall\n", height);
    return height > 8.74 && height < 8.80 ? 0 : 1;
}
