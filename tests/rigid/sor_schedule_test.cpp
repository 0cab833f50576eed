// SPDX-License-Identifier: MIT
// sor_schedule_test.cpp — orders of the rows of the projected SOR, its stop by residual, and on-chip memory.
#include "rigid/kernels.h"
#include "rigid/sor.h"
#include "scree/error.h"
#include "scree/world.h"
#include "scree/worlds.h"
#include "support/rigid_support.h"
#include "world/mass_update.h"
#include "world/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace scree::test {
namespace {

WorldSettings sor(SorSchedule schedule, int iterations = 20) {
    WorldSettings settings = without_sleep();
    settings.solver = Solver::sor;
    settings.sor_iterations = iterations;
    settings.sor_schedule = schedule;
    return settings;
}

/// Contacts of 1, 2 and 4 points, joints with and without limits, fixed and moving bodies.
void build_mixture(World& world) {
    add_container(world, 2, 4);
    add_pile(world, Kind::mixed, 40, 3);
    add_chain(world, 6, {0, 6, 0});
    const BodyId door = add(world, Box{0.3f, 0.3f, 0.05f}, {1, 5, 1});
    world.create_joint({.type = JointType::hinge,
                        .first = door,
                        .anchor = {1.3f, 5, 1},
                        .axis = {0, 0, 1},
                        .limit = JointLimit{-0.4f, 0.4f}});
}

/// What the solver says about the next step of a copy of the world.
SorReport studied(const World& world, const WorldSettings& settings) {
    const std::unique_ptr<World::State> state = decode_snapshot(world.save(), world.place());
    state->settings = settings;
    state->simulation->study(true);
    update_masses(*state);
    state->simulation->step(frame);
    return *state->simulation->sor_report();
}

World settled_pile(float friction) {
    World world(sor(SorSchedule::colours));
    add_container(world, 1.2f, 4);
    add_pile(world, Kind::spheres, 36, 3, 1, 1, {.friction = friction});
    run_steps(world, 200);
    return world;
}

// groups -----------------------------------------------------------------------------------------------------------------

TEST(SorGroups, SharesAreThoseOfTheDissertation) {
    // 9,376 contacts among 512 threads: 160 take 19, 352 take 18
    constexpr std::uint32_t items = 9376, groups = 512;
    ASSERT_EQ(rigid::group_count(items, groups), groups);
    int large = 0, small = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
        const std::uint32_t begin = rigid::group_first(items, groups, g),
                            end = rigid::group_first(items, groups, g + 1);
        large += end - begin == 19, small += end - begin == 18;
        for (std::uint32_t i = begin; i < end; ++i) ASSERT_EQ(rigid::group_of(items, groups, i), g);
    }
    EXPECT_EQ(large, 160);
    EXPECT_EQ(small, 352);
    EXPECT_EQ(rigid::group_first(items, groups, groups), items);
}

TEST(SorGroups, AGroupHasAtLeastThree) {
    EXPECT_EQ(rigid::group_count(1, 512), 1u);
    EXPECT_EQ(rigid::group_count(5, 512), 1u);
    EXPECT_EQ(rigid::group_count(6, 512), 2u);
    EXPECT_EQ(rigid::group_count(1535, 512), 511u);
    EXPECT_EQ(rigid::group_count(1536, 512), 512u);
}

TEST(SorGroups, VisitsVaryInDirectionAndStartAndMissNothing) {
    std::set<std::vector<std::uint32_t>> orders;
    std::set<std::uint32_t> starts;
    int forward = 0;
    constexpr std::uint32_t size = 7;
    for (std::uint32_t iteration = 0; iteration < 64; ++iteration) {
        std::vector<std::uint32_t> order;
        for (std::uint32_t k = 0; k < size; ++k) order.push_back(rigid::group_visit(k, size, 3, iteration));
        orders.insert(order);
        starts.insert(order[0]);
        forward += (order[0] + 1) % size == order[1];
        std::sort(order.begin(), order.end());
        for (std::uint32_t k = 0; k < size; ++k) ASSERT_EQ(order[k], k);
    }
    EXPECT_EQ(starts.size(), size);
    EXPECT_GT(orders.size(), size); // both directions of some start
    EXPECT_GT(forward, 16);
    EXPECT_LT(forward, 48);
}

TEST(SorGroups, VaryingTheVisitsChangesTheWayButNotTheSolution) {
    const World world = settled_pile(0);
    WorldSettings plain = sor(SorSchedule::groups, 2000), varied = plain;
    plain.sor_groups = varied.sor_groups = 4;
    varied.sor_vary = true;
    const SorReport one = studied(world, plain), other = studied(world, varied);
    EXPECT_NE(one.residual[5], other.residual[5]);
    EXPECT_LT(one.residual.back(), 1e-3f * one.residual[0]);
    EXPECT_LT(other.residual.back(), 1e-3f * other.residual[0]);
}

TEST(SorGroups, FewerGroupsConvergeFaster) {
    // between groups it is Jacobi, inside of them Gauss-Seidel
    const World world = settled_pile(0);
    std::vector<float> left;
    for (const int groups : {1, 6, 512}) {
        WorldSettings settings = sor(SorSchedule::groups, 60);
        settings.sor_groups = groups;
        left.push_back(studied(world, settings).mean_residual.back());
    }
    EXPECT_LT(left[0], 0.5f * left[1]);
    EXPECT_LT(left[1], left[2]);
}

TEST(SorGroups, NoUpdateIsLost) {
    // V' is what the impulses make, which threads that overwrite each other's V' would not keep
    const World world = settled_pile(0.5f);
    for (const SorSchedule schedule : {SorSchedule::groups, SorSchedule::jacobi})
        EXPECT_LT(studied(world, sor(schedule, 30)).round_off, 1e-5);
}

TEST(SorGroups, TheResidualNeverGrows) {
    const World world = settled_pile(0);
    for (const SorSchedule schedule : {SorSchedule::groups, SorSchedule::jacobi}) {
        const SorReport report = studied(world, sor(schedule, 100));
        EXPECT_LT(report.mean_residual[99], 0.7f * report.mean_residual[0]);
        for (std::size_t k = 10; k < 100; k += 10)
            EXPECT_LT(report.mean_residual[k], 1.001f * report.mean_residual[k - 10]) << k;
    }
}

// rows of an item, Jacobi ------------------------------------------------------------------------------------------------

/// How much of the residual of one box on four points is left after a few iterations.
float left_of_a_box(SorSchedule schedule) {
    World world(sor(schedule));
    add_floor(world);
    add(world, Box{0.5f, 0.3f, 0.4f}, {0, 0.3f, 0}, {}, {.velocity = {0.3f, -1, 0}});
    const SorReport report = studied(world, sor(schedule, 8));
    EXPECT_EQ(report.rows, 12u);
    return report.mean_residual[7] / report.mean_residual[0];
}

TEST(SorGroups, RowsOfAnItemSeeEachOtherBeforeAnythingIsWritten) {
    // the fused update: in a group V' of the bodies is not written until all are done, and still rows are Gauss-Seidel
    const float colours = left_of_a_box(SorSchedule::colours), groups = left_of_a_box(SorSchedule::groups);
    EXPECT_NEAR(groups, colours, 1e-3f);
    EXPECT_GT(left_of_a_box(SorSchedule::jacobi), 3 * colours);
}

TEST(SorJacobi, ReachesTheSolutionOfGaussSeidel) {
    World world(sor(SorSchedule::colours));
    add_floor(world, {.friction = 0});
    // one ball on three: as many contacts as unknowns, so that the impulses are unique
    for (int k = 0; k < 3; ++k) {
        const float angle = 2.0943951f * static_cast<float>(k);
        add(world, Sphere{0.5f}, {0.55f * std::cos(angle), 0.5f, 0.55f * std::sin(angle)},
            {.material = {.friction = 0}});
    }
    const BodyId top =
        add(world, Sphere{0.5f}, {0, 1.33f, 0}, {.material = {.friction = 0}}, {.velocity = {0, -1, 0}});
    const std::vector<std::byte> start = world.save();
    std::vector<float> speeds;
    for (const SorSchedule schedule : {SorSchedule::colours, SorSchedule::groups, SorSchedule::jacobi}) {
        World copy = World::restore(start);
        copy.change_settings(sor(schedule, 2000));
        copy.step(frame);
        ASSERT_GE(copy.measure().contacts, 6u);
        EXPECT_EQ(copy.counters().iterations, 2000u);
        speeds.push_back(copy.state(top).velocity.y);
    }
    EXPECT_GT(speeds[0], -1.0f);
    EXPECT_NEAR(speeds[1], speeds[0], 1e-4);
    EXPECT_NEAR(speeds[2], speeds[0], 1e-4);
}

// the stop -----------------------------------------------------------------------------------------------------------------

TEST(SorTolerance, StopsWhenNoRowChangesByMore) {
    const World world = settled_pile(0);
    for (const SorSchedule schedule : {SorSchedule::colours, SorSchedule::groups, SorSchedule::jacobi}) {
        std::vector<std::uint32_t> needed;
        for (const float tolerance : {0.0f, 0.03f, 0.01f}) {
            World copy = World::restore(world.save());
            WorldSettings settings = sor(schedule, 3000);
            settings.sor_tolerance = tolerance;
            copy.change_settings(settings);
            copy.step(frame);
            needed.push_back(copy.counters().iterations);
            if (tolerance == 0) continue;
            // the residual where it stopped, and one iteration before
            WorldSettings all = settings;
            all.sor_tolerance = 0;
            const SorReport report = studied(world, all);
            EXPECT_LT(report.residual[needed.back()], 4 * tolerance);
        }
        EXPECT_EQ(needed[0], 3000u);
        EXPECT_LT(needed[1], needed[2]);
        EXPECT_LT(needed[2], 3000u);
        EXPECT_GT(needed[1], 1u);
    }
}

// everywhere -----------------------------------------------------------------------------------------------------------------

std::vector<WorldSettings> modes() {
    std::vector<WorldSettings> list;
    for (const SorSchedule schedule : {SorSchedule::groups, SorSchedule::jacobi})
        list.push_back(sor(schedule, 10));
    WorldSettings varied = sor(SorSchedule::groups, 10);
    varied.sor_groups = 9;
    varied.sor_vary = true;
    varied.sor_tolerance = 0.02f;
    list.push_back(varied);
    WorldSettings stopped = sor(SorSchedule::colours, 60);
    stopped.sor_tolerance = 0.05f;
    list.push_back(stopped);
    return list;
}

TEST(SorModes, DevicesThreadsAndLanesDoNotShow) {
    const SplitSmallWorlds split_small;
    for (const WorldSettings& settings : modes()) {
        World world(settings, on(1, 1));
        build_mixture(world);
        std::vector<std::uint64_t> hashes;
        std::vector<std::uint32_t> iterations;
        for (int k = 0; k < 60; ++k) {
            world.step(frame);
            hashes.push_back(world.hash());
            iterations.push_back(world.counters().iterations);
        }
        std::vector<Place> places = places_of_all_lanes();
        for (const std::string& device : kernel_devices()) places.push_back(on_device(device));
        for (const Place& place : places) {
            World other(settings, place);
            build_mixture(other);
            for (std::size_t k = 0; k < hashes.size(); ++k) {
                other.step(frame);
                ASSERT_EQ(other.hash(), hashes[k]) << place.device() << ", step " << k;
                ASSERT_EQ(other.counters().iterations, iterations[k]) << place.device() << ", step " << k;
            }
            EXPECT_EQ(other.counters().overflow, world.counters().overflow);
        }
    }
}

TEST(SorModes, ARestoredWorldGoesOnWithTheSameBitsAndSettings) {
    for (const WorldSettings& settings : modes()) {
        World world(settings);
        build_mixture(world);
        run_steps(world, 30);
        World copy = World::restore(world.save()), clone = world.clone();
        EXPECT_EQ(copy.settings().sor_schedule, settings.sor_schedule);
        EXPECT_EQ(copy.settings().sor_groups, settings.sor_groups);
        EXPECT_EQ(copy.settings().sor_vary, settings.sor_vary);
        EXPECT_EQ(copy.settings().sor_tolerance, settings.sor_tolerance);
        run_steps(world, 30);
        run_steps(copy, 30);
        run_steps(clone, 30);
        EXPECT_EQ(copy.hash(), world.hash());
        EXPECT_EQ(clone.hash(), world.hash());
    }
}

TEST(SorModes, TheOrderMayChangeBetweenSteps) {
    World world(sor(SorSchedule::colours)), other(sor(SorSchedule::colours), on_device("cpu:kernels"));
    build_mixture(world);
    build_mixture(other);
    for (const SorSchedule schedule :
         {SorSchedule::jacobi, SorSchedule::colours, SorSchedule::groups, SorSchedule::colours}) {
        world.change_settings(sor(schedule));
        other.change_settings(sor(schedule));
        run_steps(world, 15);
        run_steps(other, 15);
        ASSERT_EQ(world.hash(), other.hash());
    }
    EXPECT_EQ(world.measure().frozen, 0u);
}

TEST(SorModes, APileComesToRestInGroups) {
    World world(sor(SorSchedule::groups, 40));
    add_container(world, 1.2f, 4);
    add_pile(world, Kind::spheres, 36, 3);
    run_steps(world, 400);
    expect_at_rest(world, 0.1, 0.05);
}

TEST(SorModes, OnChipMemoryDoesNotShow) {
    for (const std::string& device : all_devices()) {
        WorldSettings settings = sor(SorSchedule::colours, 10), on_chip = settings;
        on_chip.sor_on_chip = true;
        World world(settings, on_device(device)), other(on_chip, on_device(device));
        build_mixture(world);
        build_mixture(other);
        for (int k = 0; k < 60; ++k) {
            world.step(frame);
            other.step(frame);
            ASSERT_EQ(world.hash(), other.hash()) << device << ", step " << k;
        }
    }
}

TEST(SorModes, WorldsTogetherHaveJacobiButNoGroupsAndNoTolerance) {
    WorldSettings settings = sor(SorSchedule::groups);
    EXPECT_THROW(Worlds(2, settings), Error);
    settings = sor(SorSchedule::jacobi);
    settings.sor_tolerance = 0.1f;
    EXPECT_THROW(Worlds(2, settings), Error);
    settings.sor_tolerance = 0;
    World alone(settings);
    build_mixture(alone);
    for (const std::string& device : all_devices()) {
        World copy = alone.clone();
        Worlds worlds(2, settings, on_device(device));
        for (std::uint32_t n = 0; n < 2; ++n) build_mixture(worlds[n]);
        for (int k = 0; k < 20; ++k) copy.step(frame), worlds.step(frame);
        EXPECT_EQ(worlds[1].hash(), copy.hash()) << device;
    }
}

} // namespace
} // namespace scree::test
