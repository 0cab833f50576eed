// SPDX-License-Identifier: MIT
// flight_test.cpp — free flight by Runge and Kutta's method.
#include "scree/world.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::test {
namespace {

WorldSettings flying(Integrator integrator, Solver solver = Solver::soft_step) {
    WorldSettings settings = in_space();
    settings.integrator = integrator;
    settings.solver = solver;
    settings.substeps = 1;
    return settings;
}

/// Turns about its middle axis, so that it tumbles.
BodyId add_tumbler(World& world, float spin = 6) {
    return add(world, Box{0.1f, 0.3f, 0.6f}, {}, {},
               {.velocity = {1, 2, 3}, .angular_velocity = {0.2f, spin, 0.1f}});
}

/// The angle between where a tumbling body points after half a second in so many steps, and in very many.
double error_of(Integrator integrator, int steps, const Quat& exact) {
    World world(flying(integrator));
    const BodyId body = add_tumbler(world);
    for (int k = 0; k < steps; ++k) world.step(0.5f / static_cast<float>(steps));
    // the vector part of the rotation from one to the other, which small angles do not cancel
    const Quat q = world.state(body).rotation;
    const DVec3 a{q.x, q.y, q.z}, b{exact.x, exact.y, exact.z};
    return 2 * length(double{exact.s} * a - double{q.s} * b - cross(a, b));
}

TEST(RungeKutta, TheErrorOfATumblingBodyIsOfTheFourthOrder) {
    World fine(flying(Integrator::runge_kutta));
    const BodyId body = add_tumbler(fine);
    for (int k = 0; k < 512; ++k) fine.step(0.5f / 512);
    const Quat exact = fine.state(body).rotation;
    const double coarse = error_of(Integrator::runge_kutta, 8, exact),
                 half = error_of(Integrator::runge_kutta, 16, exact);
    report("error_of_8_steps", coarse);
    report("error_of_16_steps", half);
    report("error_of_euler", error_of(Integrator::euler, 16, exact));
    EXPECT_GT(coarse / half, 11); // 16 in the limit
    EXPECT_LT(error_of(Integrator::runge_kutta, 30, exact), 0.02 * error_of(Integrator::euler, 30, exact));
}

TEST(RungeKutta, DampingIsExponential) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        World world(flying(Integrator::runge_kutta, solver));
        const BodyId body = add(world, Sphere{0.5f}, {}, {},
                                {.velocity = {10, 0, 0},
                                 .angular_velocity = {0, 4, 0},
                                 .linear_damping = 2,
                                 .angular_damping = 1});
        run_steps(world, 60);
        EXPECT_NEAR(velocity(world, body).x, 10 * std::exp(-2.0), 1e-5);
        EXPECT_NEAR(position(world, body).x, 5 * (1 - std::exp(-2.0)), 1e-5);
        EXPECT_NEAR(world.state(body).angular_velocity.y, 4 * std::exp(-1.0), 1e-5);
    }
}

TEST(RungeKutta, AForceMakesAParabolaWithBothSolvers) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        WorldSettings settings = flying(Integrator::runge_kutta, solver);
        settings.gravity = {0, -9.81f, 0};
        World world(settings);
        const BodyId body = add(world, Sphere{0.5f}, {0, 100, 0});
        const float mass = world.mass(body).mass;
        for (int k = 0; k < 60; ++k) {
            world.apply_force(body, {3 * mass, 0, 0});
            world.step(frame);
        }
        EXPECT_NEAR(position(world, body).x, 1.5, 1e-5);
        EXPECT_NEAR(position(world, body).y, 100 - 4.905, 1e-5);
    }
}

TEST(RungeKutta, KeepsEnergyAndMomentumOfATumblingBody) {
    World world(flying(Integrator::runge_kutta));
    add_tumbler(world);
    world.step(0);
    const double before = energy(world);
    const Vec3 momentum = world.measure().angular_momentum;
    run_for(world, 10);
    EXPECT_NEAR(energy(world) / before, 1, 2e-3);
    const Vec3 after = world.measure().angular_momentum;
    EXPECT_NEAR(after.x / momentum.x, 1, 5e-3);
    EXPECT_NEAR(after.y / momentum.y, 1, 5e-3);
}

TEST(RungeKutta, WhatIsTouchedMovesAsTheSolverSays) {
    World worlds[] = {World(flying(Integrator::euler)), World(flying(Integrator::runge_kutta))};
    for (World& world : worlds) {
        WorldSettings settings = world.settings();
        settings.gravity = {0, -9.81f, 0};
        world.change_settings(settings);
        add_floor(world);
        add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}, {}, {.velocity = {1, 0, 0}});
        run_steps(world, 30);
    }
    EXPECT_EQ(worlds[0].hash(), worlds[1].hash());
}

TEST(RungeKutta, LockedBodiesKeepTheirLocks) {
    World world(flying(Integrator::runge_kutta));
    const BodyId body = add(world, Box{0.1f, 0.3f, 0.6f}, {}, {},
                            {.velocity = {1, 0, 0},
                             .angular_velocity = {0, 5, 0},
                             .locks = {.y = true, .turn_x = true, .turn_z = true}});
    run_steps(world, 60);
    EXPECT_EQ(position(world, body).y, 0);
    EXPECT_EQ(world.state(body).angular_velocity.x, 0);
    EXPECT_NEAR(world.state(body).angular_velocity.y, 5, 1e-3);
}

TEST(RungeKutta, DevicesThreadsAndLanesDoNotShow) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        WorldSettings settings = without_sleep();
        settings.integrator = Integrator::runge_kutta;
        settings.solver = solver;
        const auto build = [](World& world) {
            add_container(world, 2, 4);
            add_pile(world, Kind::mixed, 40, 3);
            for (const BodyId body : world.bodies())
                if (world.type(body) == BodyType::dynamic)
                    world.set_velocity(body, {0.3f, 2, 0.1f}, {1, static_cast<float>(body.index % 5), -2});
            world.set_damping(world.bodies().back(), 0.3f, 0.7f);
        };
        World world(settings, on(1, 1));
        build(world);
        const std::vector<std::uint64_t> expected = hashes_of(world, 90, 5);
        std::vector<Place> places = places_of_all_lanes();
        for (const std::string& device : kernel_devices()) places.push_back(on_device(device));
        for (const Place& place : places) {
            World other(settings, place);
            build(other);
            EXPECT_EQ(hashes_of(other, 90, 5), expected) << place.device();
        }
        World copy = World::restore(world.save());
        EXPECT_EQ(copy.settings().integrator, Integrator::runge_kutta);
    }
}

} // namespace
} // namespace scree::test
