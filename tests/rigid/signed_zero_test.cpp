// SPDX-License-Identifier: MIT
// signed_zero_test.cpp — joints that lanes visit together do nothing to each other, not even to the sign of a zero.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

constexpr float fast =
    1e20f; // its square is beyond floats: what limits speeds makes a zero of it, with its sign

/// Joints of several types between bodies of their own: one colour, so that lanes visit them together. In the only substep
/// speeds become 0 or -0; damping leaves them as they are.
World many_joints(const Place& place, Vec3 first, Vec3 second) {
    World world({.gravity = {}, .substeps = 1, .sleeping = false}, place);
    float x = 0;
    const auto body = [&](float at, Vec3 velocity) {
        return add(world, Sphere{0.5f}, {at, 0, 0}, {},
                   {.velocity = velocity, .linear_damping = 1, .angular_damping = 1});
    };
    const auto joint = [&](JointDef def) {
        def.first = body(x, first);
        def.second = body(x + 2, second);
        def.anchor = {x + 1, 0.5f, 0.25f};
        x += 10;
        world.create_joint(def);
    };
    joint({.first = {}});
    joint({.type = JointType::hinge, .first = {}});
    joint({.type = JointType::fixed, .first = {}});
    joint({.type = JointType::hinge, .first = {}, .limit = JointLimit{-1, 1}});
    joint({.type = JointType::slider, .first = {}});
    joint({.type = JointType::slider, .first = {}, .limit = JointLimit{-1, 1}});
    joint({.first = {}, .limit = JointLimit{-1, 1}, .swing = 1});
    joint({.type = JointType::wheel, .first = {}, .axis = {1, 0, 0}});
    return world;
}

TEST(SignedZeros, JointsOfOneBlockKeepTheirs) {
    for (int n = 0; n < 8; ++n) {
        const auto along = [&](int bits) {
            return Vec3{bits & 1 ? fast : -fast, bits & 2 ? fast : -fast, bits & 4 ? fast : -fast};
        };
        const auto hash = [&](const Place& place) {
            World world = many_joints(place, along(n), along(7 - n));
            world.step(frame);
            return world.hash();
        };
        const std::uint64_t expected = hash(on(1, 1));
        for (const int lanes : available_lanes())
            EXPECT_EQ(hash(on(1, lanes)), expected) << lanes << " lanes, signs " << n;
        for (const std::string& device : kernel_devices())
            EXPECT_EQ(hash(on_device(device)), expected) << device << ", signs " << n;
    }
}

} // namespace
} // namespace scree::test
