// SPDX-License-Identifier: MIT
// far_test.cpp — positions finer than floats: small steps add up, and 100 km from the origin is like the origin.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

constexpr DVec3 far{1e5, 0, -1e5 / 3};

/// A wall of boxes on a slab, and a pendulum on the world itself.
struct FarYard {
    FarYard(const DVec3& origin, const Place& place = on(1), Solver solver = Solver::soft_step)
        : world({.solver = solver}, place) {
        const BodyId slab =
            world.create_body({.type = BodyType::fixed, .position = origin + DVec3{0, -1, 0}});
        world.attach(slab, Box{10, 1, 10});
        for (int k = 0; k < 24; ++k)
            boxes.push_back(add_at(origin + DVec3{0.2003 * (k % 2) + 1.0011 * (k % 4), 0.501 + k / 4, 0}));
        bob = add_at(origin + DVec3{-3, 4, 0.3});
        world.create_joint({.first = bob, .anchor = origin + DVec3{-5.0007, 4.0003, 0.3}});
    }
    BodyId add_at(const DVec3& position) {
        const BodyId body = world.create_body({.position = position});
        world.attach(body, Box{0.5f, 0.5f, 0.5f});
        return body;
    }
    World world;
    std::vector<BodyId> boxes;
    BodyId bob;
};

TEST(Far, APositionIsWhereItWasPut) {
    World world;
    const DVec3 where{1e5 + 1.0 / 3, -2e5 - 1e-7, 77.7777777777};
    const BodyId body = world.create_body({.position = where});
    EXPECT_LT(length(world.position(body) - where), 1e-9);
    world.set_pose(body, -where, {});
    EXPECT_LT(length(world.position(body) + where), 1e-9);
    EXPECT_EQ(world.state(body).position, narrow(-where));
}

TEST(Far, AHundredKilometresOutAWallStandsAndAPendulumSwingsAsAtHome) {
    FarYard home({}), away(far);
    double apart = 0, joint = 0;
    for (int k = 0; k < 240; ++k) {
        for (FarYard* yard : {&home, &away}) yard->world.step(frame);
        joint = std::max(joint, away.world.measure().joint_error);
        for (std::size_t b = 0; b < home.boxes.size(); ++b)
            apart = std::max(
                apart, length(away.world.position(away.boxes[b]) - far - home.world.position(home.boxes[b])));
    }
    EXPECT_LT(apart, 5e-3); // a float there is 8 mm wide
    EXPECT_NEAR(length(away.world.position(away.bob) - far - home.world.position(home.bob)), 0, 2e-3);
    const WorldMeasure here = home.world.measure(), there = away.world.measure();
    EXPECT_EQ(here.asleep, there.asleep);
    EXPECT_NEAR(there.max_overlap, here.max_overlap, 0.05 * here.max_overlap);
    EXPECT_LT(joint, 1.05 * 2e-3);
}

class FarDevices : public testing::TestWithParam<std::string> {};

TEST_P(FarDevices, DevicesDoNotShow) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        FarYard cpu(far, on(1), solver), other(far, on_device(GetParam()), solver);
        for (int k = 0; k < 90; ++k) {
            ASSERT_EQ(cpu.world.hash(), other.world.hash()) << "step " << k;
            if (k == 45) {
                // positions that floats do not hold survive in a snapshot
                cpu.world = World::restore(other.world.save(), on(1));
                ASSERT_EQ(cpu.world.position(cpu.world.bodies().back()), other.world.position(other.bob));
            }
            for (FarYard* yard : {&cpu, &other}) yard->world.step(frame);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Devices, FarDevices, testing::ValuesIn(kernel_devices()), ParamName());

/// S. Peters' tumbling box: the energy error of 10 s falls with the square of the step; floats alone made it grow.
TEST(SmallSteps, TheEnergyOfATumblingBoxComesCloserWithTheStep) {
    const auto error = [](int rate) {
        World world({.gravity = {0, 0, -9.8f}, .substeps = 1, .sleeping = false});
        world.create_body({.velocity = {-2, 2, 8},
                           .angular_velocity = {0.1f, 5, 0.1f},
                           .mass = MassProperties{10, {}, {0.80833333f, 0.68333333f, 0.14166667f}, {}}});
        const auto energy = [&] { return world.measure().kinetic_energy + world.measure().potential_energy; };
        const double first = energy();
        double most = 0;
        for (int k = 0; k < 10 * rate; ++k) {
            world.step(1 / static_cast<float>(rate));
            if (k % 100 == 99) most = std::max(most, std::abs(energy() - first));
        }
        return most;
    };
    EXPECT_LT(error(1000), 1e-4);
    EXPECT_LT(error(10000), 4e-6);
}

} // namespace
} // namespace scree::test
