// SPDX-License-Identifier: MIT
// device_wake_test.cpp — bodies wake on every device as on the CPU: carried by a moving kinematic body, or by a call.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <functional>

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

/// Falling boxes, one upon the other, and a call that wakes the upper one after it was put to sleep, before the next step.
void expect_the_same_after(const std::string& device,
                           const std::function<void(World&, BodyId, BodyId)>& wake) {
    World worlds[] = {World({.substeps = 2}, on(1)), World({.substeps = 2}, on_device(device))};
    for (World& world : worlds) {
        add_floor(world);
        const BodyId lower = add(world, Box{}, {0, 0.51f, 0}), upper = add(world, Box{}, {0, 1.52f, 0});
        run_steps(world, 3);
        world.put_to_sleep(upper);
        wake(world, lower, upper);
        EXPECT_FALSE(world.state(upper).asleep);
        EXPECT_EQ(world.state(upper).velocity, Vec3{}) << "it had gone to sleep";
    }
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(worlds[0].hash(), worlds[1].hash()) << "step " << k;
        for (World& world : worlds) world.step(frame);
    }
}

TEST_P(DeviceWake, ABodyPutToSleepAndWokenBeforeTheNextStepHasStopped) {
    expect_the_same_after(GetParam(), [](World& world, BodyId, BodyId upper) { world.wake(upper); });
}
TEST_P(DeviceWake, AnotherGravityWakesABodyPutToSleepJustBefore) {
    expect_the_same_after(GetParam(), [](World& world, BodyId, BodyId) {
        world.change_settings({.gravity = {0, -3, 0}, .substeps = 2});
    });
}
TEST_P(DeviceWake, ABodyPutToSleepWakesWhenTheOneBelowGoes) {
    expect_the_same_after(GetParam(), [](World& world, BodyId lower, BodyId) { world.destroy(lower); });
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceWake, testing::ValuesIn(kernel_devices()), ParamName());

} // namespace
} // namespace scree::test
