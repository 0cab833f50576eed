// SPDX-License-Identifier: MIT
// device_wake_test.cpp — what a moving kinematic body touches or carries does not sleep for long, on any device, and sleeps with it.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

/// Slower than `sleep_speed`: without their carrier they would fall asleep.
struct Carrier {
    explicit Carrier(const Place& place = {}) : world({}, place) {
        body = add(world, Box{1, 0.25f, 1}, {0, 5, 0}, {},
                   {.type = BodyType::kinematic, .velocity = {0.01f, 0, 0}});
        rider = add(world, Box{0.3f, 0.3f, 0.3f}, {0, 5.55f, 0});
        hanging = add(world, Sphere{0.2f}, {0, 4, 0}, {}, {.angular_damping = 5});
        world.create_joint(
            {.type = JointType::fixed, .first = body, .second = hanging, .anchor = {0, 4.7f, 0}});
    }
    World world;
    BodyId body, rider, hanging;
};

class DeviceWake : public testing::TestWithParam<std::string> {};

TEST_P(DeviceWake, WhatAMovingKinematicBodyCarriesSleepsWithItAsOnTheCpu) {
    Carrier cpu, other(on_device(GetParam()));
    int nodding = 0; // steps
    for (int k = 1; k <= 160; ++k) {
        for (Carrier* each : {&cpu, &other}) {
            if (k == 80) each->world.set_velocity(each->body, {});
            each->world.step(frame);
        }
        ASSERT_EQ(cpu.world.hash(), other.world.hash()) << "step " << k;
        ASSERT_EQ(cpu.world.measure().asleep, other.world.measure().asleep) << "step " << k;
        // they may nod off and are woken in the next step
        nodding = other.world.measure().asleep ? nodding + 1 : 0;
        if (k < 80) {
            ASSERT_LE(nodding, 1) << "step " << k;
        }
    }
    EXPECT_TRUE(other.world.state(other.rider).asleep);
    EXPECT_TRUE(other.world.state(other.hanging).asleep);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceWake, testing::ValuesIn(kernel_devices()), ParamName());

} // namespace
} // namespace scree::test
