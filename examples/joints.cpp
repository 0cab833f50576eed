// SPDX-License-Identifier: MIT
// joints.cpp — a pendulum on a ball joint, and a door that opens about its hinge alone.
#include <scree/world.h>

#include <cmath>
#include <cstdio>

int main() {
    using namespace scree;
    World world;

    // anchors are points of the world at the time the joint is made; without a second body it holds to the world
    const BodyId bob = world.create_body({.position = {2, 5, 0}});
    world.attach(bob, Sphere{0.2f});
    world.create_joint({.type = JointType::ball, .first = bob, .anchor = {0, 5, 0}});

    const BodyId door = world.create_body({.position = {10.5f, 1, 0}, .angular_velocity = {0, 1, 0}});
    world.attach(door, Box{0.5f, 1, 0.05f});
    world.create_joint({.type = JointType::hinge, .first = door, .anchor = {10, 1, 0}, .axis = {0, 1, 0}});

    float lowest = 5;
    for (int step = 0; step < 120; ++step) {
        world.step(1 / 60.0f);
        lowest = std::fmin(lowest, world.state(bob).position.y);
    }
    const double rope = static_cast<double>(length(world.state(bob).position - Vec3{0, 5, 0})),
                 sagged = std::abs(world.state(door).position.y - 1);
    std::printf("the bob swung down to %.2f m on a rope of %.3f m\n", static_cast<double>(lowest), rope);
    std::printf("the door sagged by %.1f mm; joints are open by at most %.2f mm\n", 1e3 * sagged,
                1e3 * world.measure().joint_error);
    return std::abs(rope - 2) < 0.02 && std::abs(lowest - 3) < 0.1f && sagged < 0.01 ? 0 : 1;
}
