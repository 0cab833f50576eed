// SPDX-License-Identifier: MIT
// agreement_test.cpp — the reference mode against the sequential double-precision solver in tests/support.
#include "support/granular_support.h"
#include "support/seed_solver.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace scree::test {
namespace {

SeedSolver solver_of(const GranularSettings& settings, const GranularShape& shape,
                     const std::vector<GranularBodyDef>& bodies) {
    SeedSolver solver(settings, Search::seed_grid);
    for (const GranularBodyDef& body : bodies) solver.add(shape, body);
    return solver;
}

/// Largest difference of one quantity over all bodies, relative to its largest value.
double difference(const GranularWorld& world, const SeedSolver& solver, Vec3 GranularBodyState::* of_world,
                  DVec3 SeedBody::* of_solver) {
    double worst = 0, scale = 1e-3;
    for (std::size_t i = 0; i < solver.bodies().size(); ++i) {
        const DVec3 a = wide(world.bodies()[i].*of_world), b = solver.bodies()[i].*of_solver;
        worst = std::max(worst, length(a - b));
        scale = std::max(scale, length(b));
    }
    return worst / scale;
}

void expect_agreement(const GranularWorld& world, const SeedSolver& solver, double tolerance) {
    using W = GranularBodyState;
    using S = SeedBody;
    EXPECT_LT(difference(world, solver, &W::position, &S::position), tolerance);
    EXPECT_LT(difference(world, solver, &W::momentum, &S::momentum), tolerance);
    EXPECT_LT(difference(world, solver, &W::angular_momentum, &S::angular_momentum), tolerance);
    EXPECT_LT(difference(world, solver, &W::angular_velocity, &S::angular_velocity), tolerance);
    for (std::size_t i = 0; i < solver.bodies().size(); ++i) {
        const DQuat a = wide(world.bodies()[i].rotation), b = solver.bodies()[i].rotation;
        EXPECT_LT(std::sqrt(norm2({.x = a.x - b.x, .y = a.y - b.y, .z = a.z - b.z, .s = a.s - b.s})),
                  tolerance);
    }
}

// R2.33, R2.26, R2.30
TEST(GranularAgreement, OneStepOfTumblingCubesEqualsTheSequentialSolver) {
    const GranularSettings settings = seed_settings_in_room(2.3f);
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const auto bodies = tumbling_cubes(2.3f, seed);
        GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
        SeedSolver solver = solver_of(settings, shapes::cube(0.2f), bodies);
        world.step();
        solver.step();
        ASSERT_GT(solver.contacts(), 20);
        expect_agreement(world, solver, 1e-5);
    }
}

// R2.33
TEST(GranularAgreement, OneStepOfTumblingBricksEqualsTheSequentialSolver) {
    // unequal moments of inertia: the general tensor must be right
    const GranularSettings settings = seed_settings_in_room(2.3f);
    const GranularShape brick = shapes::cuboid(0.2f, 4, 2, 1);
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const auto bodies = tumbling_cubes(2.3f, seed);
        GranularWorld world = world_of(settings, brick, bodies);
        SeedSolver solver = solver_of(settings, brick, bodies);
        world.step();
        solver.step();
        ASSERT_GT(solver.contacts(), 5);
        expect_agreement(world, solver, 1e-5);
    }
}

// R2.33, R2.22, R2.23
TEST(GranularAgreement, OneStepWithFullCellsAndGrainsOutsideEqualsTheSequentialSolver) {
    GranularSettings settings = seed_settings_in_room(1.2f);
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const auto bodies = scattered(2000, {-1.9, -0.7, -1.9}, {1.9, 3.9, 1.9}, seed);
        GranularWorld world = world_of(settings, shapes::grain(0.2f), bodies);
        SeedSolver solver = solver_of(settings, shapes::grain(0.2f), bodies);
        const GranularMeasure measure = world.measure();
        world.step();
        solver.step();
        ASSERT_GT(solver.dropped(), 0);
        ASSERT_GT(solver.unregistered(), 0);
        EXPECT_EQ(measure.dropped, static_cast<std::uint64_t>(solver.dropped()));
        EXPECT_EQ(measure.unregistered, static_cast<std::uint64_t>(solver.unregistered()));
        expect_agreement(world, solver, 1e-5);
    }
}

// R2.33, R2.15
TEST(GranularAgreement, ForceOnEachParticleEqualsTheSequentialSolver) {
    const GranularSettings settings = seed_settings_in_room(2.3f);
    const auto bodies = tumbling_cubes(2.3f, 11);
    GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
    SeedSolver solver = solver_of(settings, shapes::cube(0.2f), bodies);
    world.step();
    solver.step();
    const auto forces = world.particle_forces();
    ASSERT_EQ(forces.size(), solver.particle_forces().size());
    double largest = 0;
    for (DVec3 force : solver.particle_forces()) largest = std::max(largest, length(force));
    for (std::size_t i = 0; i < forces.size(); ++i) {
        ASSERT_LT(length(wide(forces[i]) - solver.particle_forces()[i]), 1e-5 * largest) << i;
    }
}

// R2.33
TEST(GranularAgreement, ShortRunsStayCloseToTheSequentialSolver) {
    const GranularSettings settings = seed_settings_in_room(2.3f);
    const auto bodies = tumbling_cubes(2.3f, 12);
    GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
    SeedSolver solver = solver_of(settings, shapes::cube(0.2f), bodies);
    world.step(5);
    solver.step(5);
    expect_agreement(world, solver, 1e-3);
}

// R2.33
TEST(GranularAgreement, LongRunStatisticsAgreeWithTheSequentialSolver) {
    const GranularSettings settings = seed_settings_in_room(3);
    const auto bodies = stream(12);
    GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
    SeedSolver solver = solver_of(settings, shapes::cube(0.2f), bodies);
    world.step(500);
    solver.step(500);
    // averages over the next three seconds; single moments of a tumbling pile differ from run to run
    double height = 0, energy = 0, solver_height = 0, solver_energy = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(10);
        solver.step(10);
        const GranularMeasure measure = world.measure();
        height += mean_height(world);
        energy += measure.kinetic_energy + measure.potential_energy;
        solver_height += solver.mean_height();
        solver_energy += solver.energy();
    }
    EXPECT_NEAR(height / solver_height, 1, 0.05);
    EXPECT_NEAR(energy / solver_energy, 1, 0.05);
}

// R2.33
TEST(GranularAgreement, MeasuredEnergyIsTheSumOverBodies) {
    const GranularSettings settings = seed_settings_in_room(2.3f);
    const auto bodies = tumbling_cubes(2.3f, 13);
    GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
    const SeedSolver solver = solver_of(settings, shapes::cube(0.2f), bodies);
    const GranularMeasure measure = world.measure();
    EXPECT_NEAR(measure.kinetic_energy + measure.potential_energy, solver.energy(), 1e-4 * solver.energy());
}

} // namespace
} // namespace scree::test
