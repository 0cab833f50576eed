// SPDX-License-Identifier: MIT
// first_world.cpp — a box falls onto the ground and comes to rest.
#include <scree/world.h>

#include <cmath>
#include <cstdio>

int main() {
    scree::World world({.gravity = {0, -9.81f, 0}});

    // a body without a type is dynamic; shapes give it form and, by their density, mass
    const scree::BodyId ground = world.create_body({.type = scree::BodyType::fixed});
    world.attach(ground, scree::Box{10, 0.5f, 10}, {.position = {0, -0.5f, 0}});
    const scree::BodyId box = world.create_body({.position = {0, 3, 0}});
    world.attach(box, scree::Box{0.5f, 0.5f, 0.5f}, {.density = 700, .material = {.friction = 0.5f}});

    for (int step = 1; step <= 180; ++step) {
        world.step(1 / 60.0f);
        if (step % 30 == 0)
            std::printf("%.1f s: height %.3f m%s\n", step / 60.0,
                        static_cast<double>(world.state(box).position.y),
                        world.state(box).asleep ? ", asleep" : "");
    }
    // half its side above the ground
    return std::abs(world.state(box).position.y - 0.5f) < 0.01f ? 0 : 1;
}
