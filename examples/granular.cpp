// SPDX-License-Identifier: MIT
// granular.cpp — a rain of bodies made of particles, and how they lie at the end.
#include <scree/granular.h>

#include <cstdio>

int main() {
    scree::GranularSettings settings;
    settings.world_size = 1.2f; // m: walls at x, z = -1.2 and 1.2
    settings.stiffness = 20000; // N/m; as many substeps are taken as it needs
    settings.friction = 0.6f;
    scree::GranularWorld world(settings);
    const std::uint32_t shapes[] = {world.add_shape(scree::shapes::cube(0.1f)),
                                    world.add_shape(scree::shapes::capsule(0.1f, 5, 1))};
    for (int i = 0; i < 60; ++i)
        world.create_body(
            {.shape = shapes[i % 2],
             .position = {0.75f * static_cast<float>(i % 3 - 1), 0.5f + 1.1f * static_cast<float>(i / 9),
                          0.75f * static_cast<float>(i / 3 % 3 - 1)}});
    for (int second = 1; second <= 5; ++second) {
        world.step(100);
        const scree::GranularMeasure measure = world.measure();
        std::printf("%.0f s: %.2f J, %llu contacts, largest overlap %.1f mm\n", world.time(),
                    measure.kinetic_energy, static_cast<unsigned long long>(measure.contacts),
                    1e3 * measure.max_overlap);
    }
    float top = 0;
    for (const scree::GranularBodyState& body : world.bodies())
        top = body.position.y > top ? body.position.y : top;
    std::printf("the pile is %.2f m high\n", static_cast<double>(top));
    return world.body_count() == 60 && world.measure().contacts > 0 && top < 5 ? 0 : 1;
}
