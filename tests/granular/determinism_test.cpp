// SPDX-License-Identifier: MIT
// determinism_test.cpp — the same bits on every run, thread count, lane width and device; and no traffic.
#include "device/cpu/cpu_device.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace scree::test {
namespace {

using Scene = std::function<GranularWorld(const Place&)>;

GranularWorld mixed_pile(const GranularSettings& settings, const Place& place) {
    GranularWorld world(settings, place);
    const std::uint32_t cube = world.add_shape(shapes::cube(0.2f)),
                        brick = world.add_shape(shapes::cuboid(0.2f, 4, 2, 1)),
                        grain = world.add_shape(shapes::grain(0.2f));
    std::uint32_t i = 0;
    for (GranularBodyDef body : tumbling_cubes(2.3f, 21)) {
        body.shape = i % 3 == 0 ? cube : i % 3 == 1 ? brick : grain;
        body.mass = 0.5f + 0.25f * static_cast<float>(i % 5);
        world.create_body(body);
        ++i;
    }
    return world;
}

Scene pile(GranularMode mode, ContactModel contact, Decomposition decomposition = Decomposition::mixed) {
    GranularSettings settings = seed_settings_in_room(2.3f);
    settings.mode = mode;
    settings.contact = contact;
    settings.decomposition = decomposition;
    return [settings](const Place& place) { return mixed_pile(settings, place); };
}

Scene pile_with_obstacles() {
    return [](const Place& place) {
        GranularSettings settings = improved_settings();
        settings.world_size = 2.3f;
        GranularWorld world = mixed_pile(settings, place);
        Obstacle box, ball, ramp;
        box.position = {0.5f, 0.2f, 0};
        box.rotation = narrow(turn({0, 1, 0.2}, 0.4));
        box.size = {0.4f, 0.2f, 0.6f};
        ball.kind = Obstacle::Kind::sphere;
        ball.position = {-0.5f, 4.5f, 0.1f};
        ball.size = {0.5f, 0, 0};
        ball.mass = 3;
        ramp.kind = Obstacle::Kind::plane;
        ramp.position = {-2, 0, 0};
        ramp.rotation = narrow(turn({0, 0, 1}, -0.5));
        world.add_obstacle(box);
        world.add_obstacle(ball);
        world.add_obstacle(ramp);
        return world;
    };
}

struct NamedScene {
    std::string name;
    Scene make;
};

std::vector<NamedScene> scenes() {
    return {{"reference", pile(GranularMode::reference, ContactModel::linear)},
            {"linear", pile(GranularMode::improved, ContactModel::linear)},
            {"split", pile(GranularMode::improved, ContactModel::split)},
            {"history", pile(GranularMode::improved, ContactModel::history)},
            {"hertz", pile(GranularMode::improved, ContactModel::hertz)},
            {"brute", pile(GranularMode::brute, ContactModel::history)},
            {"obstacles", pile_with_obstacles()}};
}

std::vector<std::uint64_t> way_of(const Scene& scene, const Place& place, int steps = 40) {
    GranularWorld world = scene(place);
    return hashes(world, steps, 10);
}

void expect_same_way(const Place& place, int steps = 40) {
    for (const NamedScene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        EXPECT_EQ(way_of(scene.make, place, steps), way_of(scene.make, cpu(1, 1), steps));
    }
}

/// Lists kept over several steps, lists made anew and every pair tested: who found the neighbours does not show.
TEST(GranularDeterminism, KeptNeighbourListsChangeNoBit) {
    for (ContactModel contact :
         {ContactModel::linear, ContactModel::split, ContactModel::history, ContactModel::hertz}) {
        const auto hash_with_skin = [&](float skin, GranularMode mode) {
            GranularSettings settings = seed_settings_in_room(2.3f);
            settings.mode = mode;
            settings.contact = contact;
            settings.neighbour_skin = skin;
            GranularWorld world = mixed_pile(settings, cpu(2));
            world.step(60);
            world.measure(); // sorts anew; the lists must notice
            world.step(20);
            return world.hash();
        };
        const std::uint64_t searched = hash_with_skin(0, GranularMode::improved);
        EXPECT_EQ(hash_with_skin(0.2f, GranularMode::improved), searched);
        EXPECT_EQ(hash_with_skin(1.5f, GranularMode::improved), searched);
        EXPECT_EQ(hash_with_skin(0, GranularMode::brute), searched);
    }
}

/// Grains that lean on walls whose place no float holds exactly: the walls' tests round this way and that.
TEST(GranularDeterminism, GrainsAtTheWallsGiveTheSameBitsInAnyNumberOfLanes) {
    const auto hash_in_lanes = [](int lanes) {
        GranularSettings settings = improved_settings();
        settings.contact = ContactModel::split;
        settings.stiffness = 5000;
        settings.time_step = 1e-4f;
        settings.world_size = 0.0102f * 9 / 2;
        settings.particle_radius = 0.005f;
        GranularWorld world(settings, cpu(1, lanes));
        const std::uint32_t grain = world.add_shape(shapes::grain(0.005f));
        for (int i = 0; i < 9 * 9 * 20; ++i) {
            GranularBodyDef body;
            body.shape = grain;
            body.position = {(static_cast<float>(i % 9) - 4) * 0.0102f,
                             0.006f + static_cast<float>(i / 81) * 0.0102f,
                             (static_cast<float>(i / 9 % 9) - 4) * 0.0102f};
            body.velocity = {0.1f * static_cast<float>(i % 7 - 3), 0, 0.1f * static_cast<float>(i % 5 - 2)};
            body.mass = 1.3e-3f;
            world.create_body(body);
        }
        world.step(1500);
        return world.hash();
    };
    const std::uint64_t one_lane = hash_in_lanes(1);
    for (int lanes : {4, 8, 16}) {
        if (!lanes_missing(lanes).empty()) continue;
        EXPECT_EQ(hash_in_lanes(lanes), one_lane) << lanes << " lanes";
    }
}

// R2.27
TEST(GranularDeterminism, TwoRunsGiveTheSameBits) {
    for (const NamedScene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        EXPECT_EQ(way_of(scene.make, cpu()), way_of(scene.make, cpu()));
    }
}

// R2.27
TEST(GranularDeterminism, HashChangesWithEveryBodyThatMoves) {
    const auto hash = [](float x, float spin) {
        GranularBodyDef body = at({x, 1, 0});
        body.angular_velocity = {0, spin, 0};
        return world_of(seed_settings(), shapes::cube(0.2f), {at({3, 1, 0}), body}).hash();
    };
    EXPECT_EQ(hash(0, 0), hash(0, 0));
    EXPECT_NE(hash(0, 0), hash(1e-30f, 0));
    EXPECT_NE(hash(0, 0), hash(0, 1));
}

// R2.27
TEST(GranularDeterminism, StepsInOneCallEqualStepsInMany) {
    for (const NamedScene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        GranularWorld one = scene.make(cpu()), many = scene.make(cpu());
        one.step(40);
        for (int i = 0; i < 40; ++i) many.step();
        EXPECT_EQ(one.hash(), many.hash());
    }
}

// R2.27
TEST(GranularDeterminism, LookingAtAWorldDoesNotChangeIt) {
    for (const NamedScene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        GranularWorld watched = scene.make(cpu()), alone = scene.make(cpu());
        for (int i = 0; i < 30; ++i) {
            watched.step();
            watched.measure();
            watched.particles();
            watched.particle_forces();
            watched.interlocked();
            watched.obstacles();
        }
        alone.step(30);
        EXPECT_EQ(watched.hash(), alone.hash());
    }
}

// R2.27, R2.33
TEST(GranularDeterminism, ThreadCountDoesNotShow) {
    expect_same_way(cpu(2));
    expect_same_way(cpu(4));
}

// R2.27, R2.33
TEST(GranularDeterminism, LaneWidthDoesNotShow) {
    for (const int lanes : {4, 8, 16})
        if (lanes_missing(lanes).empty()) expect_same_way(cpu(1, lanes));
}

// R2.27, R2.33
TEST(GranularDeterminism, ThreadsAndLanesTogetherDoNotShow) {
    expect_same_way(cpu(4, std::min(8, widest_lanes())));
}

// R2.33
TEST(GranularDeterminism, OpenClGivesTheBitsOfTheCpu) {
    const FoundDevice found = find_device("opencl");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    expect_same_way(found.name, 20);
}

// R2.33
TEST(GranularDeterminism, CudaGivesTheBitsOfTheCpu) {
    const FoundDevice found = find_device("cuda");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    expect_same_way(found.name, 20);
}

// R2.34
TEST(GranularDeterminism, DecompositionDoesNotShow) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved, GranularMode::brute}) {
        EXPECT_EQ(way_of(pile(mode, ContactModel::history, Decomposition::mixed), cpu()),
                  way_of(pile(mode, ContactModel::history, Decomposition::per_body), cpu()));
    }
}

// R2.34
TEST(GranularDeterminism, MixedDecompositionIsTheDefault) {
    EXPECT_EQ(GranularSettings{}.decomposition, Decomposition::mixed);
}

void expect_odd_counts_work(const Place& place) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        for (int n : {1, 2, 3, 5, 7, 15, 17, 31, 33, 63, 65, 127, 129, 255, 257}) {
            GranularSettings settings = in_empty_space(with_small_grid(seed_settings(), 8));
            settings.mode = mode;
            std::vector<GranularBodyDef> bodies;
            for (int i = 0; i < n; ++i) bodies.push_back(at({2.0f * static_cast<float>(i), 0, 0}, {0, 1, 0}));
            GranularWorld world = world_of(settings, shapes::cube(0.2f, 2), bodies, place);
            world.step(2);
            ASSERT_EQ(world.bodies().size(), static_cast<std::size_t>(n));
            for (const GranularBodyState& body : world.bodies()) ASSERT_FLOAT_EQ(body.position.y, 0.02f) << n;
        }
    }
}

// R2.35
TEST(GranularDeterminism, AnyNumberOfBodiesWorksOnTheCpu) {
    expect_odd_counts_work(cpu(1));
    expect_odd_counts_work(cpu(3));
}

// R2.35
TEST(GranularDeterminism, AnyNumberOfBodiesWorksOnOpenCl) {
    const FoundDevice found = find_device("opencl");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    expect_odd_counts_work(found.name);
}

// R2.31
TEST(GranularDeterminism, InsertionIntoCellsLosesNothingOverTenThousandRepeats) {
    GranularSettings settings = seed_settings_in_room(1);
    std::vector<GranularBodyDef> bodies = scattered(200, {-0.9, 0.1, -0.9}, {0.9, 1.5, 0.9}, 22);
    for (int i = 0; i < 5; ++i) bodies.push_back(at({0, 50.0f + 5 * static_cast<float>(i), 0}));
    settings.gravity = {};
    settings.stiffness = 1e-6f; // nobody moves away
    settings.damping = 0;
    GranularWorld four = world_of(settings, shapes::grain(0.2f), bodies, cpu(4)),
                  one = world_of(settings, shapes::grain(0.2f), bodies, cpu(1));
    const GranularMeasure first = one.measure();
    EXPECT_EQ(first.unregistered, 5u);
    const int repeats = built_with_sanitizer() ? 1000 : 10000;
    for (int i = 0; i < repeats; i += 100) {
        four.step(100);
        one.step(100);
        const GranularMeasure now = four.measure();
        ASSERT_EQ(now.unregistered, 5u);
        ASSERT_EQ(now.dropped, one.measure().dropped);
        ASSERT_EQ(four.hash(), one.hash());
    }
}

// R2.31
TEST(GranularDeterminism, ManyThreadsInsertManyGrainsAsOneDoes) {
    GranularSettings settings = seed_settings_in_room(5);
    const auto grains = scattered(30000, {-5, 0, -5}, {5, 9, 5}, 24);
    GranularWorld four = world_of(settings, shapes::grain(0.2f), grains, cpu(4)),
                  one = world_of(settings, shapes::grain(0.2f), grains, cpu(1));
    EXPECT_GT(one.measure().dropped, 0u);
    const int repeats = built_with_sanitizer() ? 5 : 30;
    for (int i = 0; i < repeats; ++i) {
        four.step();
        one.step();
        ASSERT_EQ(four.hash(), one.hash()) << i;
    }
}

/// What moves between host and device in 50 steps of a world that runs already.
DeviceTraffic traffic_of(GranularWorld world) {
    world.step(2);
    const DeviceTraffic before = world.device().traffic();
    world.step(50);
    DeviceTraffic moved = world.device().traffic();
    moved.uploaded -= before.uploaded;
    moved.uploads -= before.uploads;
    moved.downloaded -= before.downloaded;
    moved.downloads -= before.downloads;
    moved.launches -= before.launches;
    return moved;
}

std::vector<Place> places_to_watch() {
    std::vector<Place> places{cpu()};
    const FoundDevice opencl = find_device("opencl");
    if (!opencl.name.empty()) places.emplace_back(opencl.name);
    return places;
}

// R2.32
TEST(GranularDeterminism, NothingTravelsBetweenHostAndDeviceInTheReferenceMode) {
    for (const Place& place : places_to_watch()) {
        SCOPED_TRACE(place.device());
        const DeviceTraffic moved = traffic_of(pile(GranularMode::reference, ContactModel::linear)(place));
        EXPECT_EQ(moved.uploaded, 0u);
        EXPECT_EQ(moved.downloaded, 0u);
        EXPECT_GT(moved.launches, 0u) << "the counter counts";
    }
}

// R2.32
TEST(GranularDeterminism, NoStateTravelsBetweenHostAndDevicePerStep) {
    for (const Place& place : places_to_watch()) {
        for (const NamedScene& scene : scenes()) {
            SCOPED_TRACE(place.device() + " " + scene.name);
            const DeviceTraffic moved = traffic_of(scene.make(place));
            EXPECT_EQ(moved.uploaded, 0u);
            EXPECT_LE(moved.downloads, 5u) << "a look at the whole now and then, but not in every step";
        }
    }
}

// R2.32
TEST(GranularDeterminism, TrafficDoesNotGrowWithTheNumberOfBodies) {
    const auto moved = [](int grains) {
        return traffic_of(world_of(improved_settings(), shapes::grain(0.2f),
                                   scattered(grains, {-5, 0.3, -5}, {5, 5, 5}, 23)))
            .downloaded;
    };
    EXPECT_EQ(moved(20000), moved(20));
}

// R2.32
TEST(GranularDeterminism, ReadingBodiesIsCountedAsTraffic) {
    GranularWorld world = pile(GranularMode::improved, ContactModel::split)(cpu());
    world.step();
    const DeviceTraffic before = world.device().traffic();
    EXPECT_GT(before.uploaded, 0u);
    EXPECT_FALSE(world.bodies().empty());
    EXPECT_GT(world.device().traffic().downloaded, before.downloaded);
}

// R2.30
TEST(GranularDeterminism, EveryStageOfAStepIsTimed) {
    for (const GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        GranularWorld world = pile(mode, ContactModel::linear)(cpu());
        world.time_stages(true);
        world.step(20);
        const auto seconds = world.stage_seconds();
        for (std::size_t i = 0; i < seconds.size(); ++i) EXPECT_GT(seconds[i], 0) << granular_stage_names[i];
        const auto before = seconds;
        world.step(20);
        for (std::size_t i = 0; i < seconds.size(); ++i)
            EXPECT_GT(world.stage_seconds()[i], before[i]) << granular_stage_names[i];
        world.time_stages(false);
        const auto stopped = world.stage_seconds();
        world.step(5);
        EXPECT_EQ(world.stage_seconds(), stopped);
    }
}

// R2.30
TEST(GranularDeterminism, TimingDoesNotChangeTheResult) {
    GranularWorld timed = pile(GranularMode::improved, ContactModel::history)(cpu()),
                  plain = pile(GranularMode::improved, ContactModel::history)(cpu());
    timed.time_stages(true);
    timed.step(20);
    plain.step(20);
    EXPECT_EQ(timed.hash(), plain.hash());
}

} // namespace
} // namespace scree::test
