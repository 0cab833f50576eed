// SPDX-License-Identifier: MIT
// many_worlds.cpp — 64 worlds stepped by one call, each with the bits it would have alone.
#include <scree/worlds.h>

#include <cstdio>
#include <vector>

namespace {

constexpr float dt = 1 / 60.0f;

/// a ball thrown at its own speed
scree::BodyId build(scree::World& world, std::uint32_t number) {
    const scree::BodyId ground = world.create_body({.type = scree::BodyType::fixed});
    world.attach(ground, scree::Plane{});
    const float speed = 1 + 0.1f * static_cast<float>(number);
    const scree::BodyId ball = world.create_body({.position = {0, 1, 0}, .velocity = {speed, 0, 0}});
    world.attach(ball, scree::Sphere{0.25f}, {.material = {.rolling_resistance = 0.01f}});
    return ball;
}

} // namespace

int main() {
    scree::Worlds worlds(64);
    std::vector<scree::BodyId> balls; // an id is of its own world
    for (std::uint32_t n = 0; n < worlds.size(); ++n) balls.push_back(build(worlds[n], n));
    for (int step = 0; step < 120; ++step) worlds.step(dt);
    for (std::uint32_t n = 0; n < worlds.size(); n += 21)
        std::printf("world %2u: the ball is at x = %.3f m\n", n,
                    static_cast<double>(worlds[n].state(balls[n]).position.x));

    scree::World alone;
    build(alone, 42);
    for (int step = 0; step < 120; ++step) alone.step(dt);
    std::printf("world 42 alone: %s\n",
                alone.hash() == worlds[42].hash() ? "the same bits" : "DIFFERENT BITS");
    return alone.hash() == worlds[42].hash() ? 0 : 1;
}
