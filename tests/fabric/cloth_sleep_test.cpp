// SPDX-License-Identifier: MIT
// cloth_sleep_test.cpp — cloth at rest sleeps with the bodies it touches, and wakes.
#include "scree/error.h"
#include "scree/rollback.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

/// A table, and a cloth that falls on it. With `load` a box on the cloth.
struct Laid {
    World world;
    BodyId table, load;
    ClothId cloth;

    explicit Laid(const Place& place = {}, bool loaded = false, bool self = false) : world({}, place) {
        table = world.create_body({.type = BodyType::fixed, .position = {0, 0, 0}});
        world.attach(table, Box{1, 0.5f, 1});
        ClothDef def = make_cloth(1, 1, 11, 11);
        def.position = {0, 0.52f, 0};
        def.material.thickness = 0.01f;
        def.material.friction = 0.8f;
        def.self_collision = self;
        cloth = world.create_cloth(def);
        if (!loaded) return;
        load = world.create_body({.position = {0.05f, 0.62f, 0.03f}});
        world.attach(load, Box{0.1f, 0.1f, 0.1f}, {.density = 20});
    }
    bool sleeps_within(int steps) {
        for (int i = 0; i < steps && !world.asleep(cloth); ++i) world.step(dt);
        return world.asleep(cloth);
    }
};

TEST(ClothSleep, ASheetOnATableFallsAsleepAndStaysWhereItIs) {
    Laid laid;
    ASSERT_TRUE(laid.sleeps_within(300));
    ASSERT_EQ(laid.world.events().cloths_fell_asleep, std::vector{laid.cloth});
    const std::uint64_t hash = laid.world.hash();
    EXPECT_EQ(laid.world.measure(laid.cloth).max_speed, 0);
    for (int i = 0; i < 100; ++i) {
        laid.world.step(dt);
        EXPECT_TRUE(laid.world.events().cloths_fell_asleep.empty());
        EXPECT_TRUE(laid.world.events().cloths_woke.empty());
    }
    EXPECT_EQ(laid.world.hash(), hash);
    // and near the table's surface
    EXPECT_NEAR(laid.world.measure(laid.cloth).high.y, 0.51f, 0.01f);
}

TEST(ClothSleep, ABoxAndTheClothUnderItSleepTogether) {
    Laid laid({}, true);
    ASSERT_TRUE(laid.sleeps_within(400));
    EXPECT_TRUE(laid.world.state(laid.load).asleep);
    // none of them alone
    for (int i = 0; i < 60; ++i) {
        laid.world.step(dt);
        ASSERT_TRUE(laid.world.asleep(laid.cloth));
        ASSERT_TRUE(laid.world.state(laid.load).asleep);
    }
    // one wakes the other
    laid.world.wake(laid.load);
    laid.world.step(dt);
    EXPECT_FALSE(laid.world.asleep(laid.cloth));
    ASSERT_TRUE(laid.sleeps_within(400));
    laid.world.wake(laid.cloth);
    laid.world.step(dt);
    EXPECT_FALSE(laid.world.state(laid.load).asleep);
}

TEST(ClothSleep, AMovingClothKeepsWhatItTouchesAwake) {
    Laid laid({}, true);
    laid.world.set_wind(laid.cloth, {0, 0, 0});
    ASSERT_TRUE(laid.sleeps_within(400));
    // a gust lifts an edge
    laid.world.set_wind(laid.cloth, {0, 12, 0});
    for (int i = 0; i < 90; ++i) laid.world.step(dt);
    EXPECT_FALSE(laid.world.asleep(laid.cloth));
    EXPECT_FALSE(laid.world.state(laid.load).asleep);
}

TEST(ClothSleep, ABoxFallsWhenTheClothUnderItGoes) {
    for (const bool destroyed : {true, false}) {
        Laid laid({}, true);
        ASSERT_TRUE(laid.sleeps_within(400));
        const float before = laid.world.state(laid.load).position.y;
        if (destroyed) {
            laid.world.destroy(laid.cloth);
        } else {
            const std::span<const Vec3> now = laid.world.vertices(laid.cloth);
            std::vector<Vec3> moved(now.begin(), now.end());
            for (Vec3& v : moved) v.x += 10;
            laid.world.set_vertices(laid.cloth, moved, std::vector<Vec3>(moved.size()));
        }
        for (int i = 0; i < 30; ++i) laid.world.step(dt);
        EXPECT_LT(laid.world.state(laid.load).position.y, before - 0.005f);
    }
}

TEST(ClothSleep, PinsThatAreRefusedDoNotWakeIt) {
    Laid laid;
    const BodyId gone = laid.world.create_body({});
    laid.world.destroy(gone);
    ASSERT_TRUE(laid.sleeps_within(300));
    const std::vector<ClothPin> pins{{.vertex = 0, .body = gone}};
    EXPECT_THROW(laid.world.set_pins(laid.cloth, pins), Error);
    EXPECT_TRUE(laid.world.asleep(laid.cloth));
}

/// What wakes a sleeping cloth in the next step or the one after.
TEST(ClothSleep, WakesWhenSomethingChanges) {
    const auto wakes = [](const char* what, const auto& change) {
        Laid laid;
        ASSERT_TRUE(laid.sleeps_within(300)) << what;
        change(laid);
        laid.world.step(dt);
        laid.world.step(dt);
        EXPECT_FALSE(laid.world.asleep(laid.cloth)) << what;
    };
    wakes("wind", [](Laid& l) { l.world.set_wind(l.cloth, {1, 0, 0}); });
    wakes("pressure", [](Laid& l) { l.world.set_pressure(l.cloth, 1); });
    wakes("pins", [](Laid& l) { l.world.set_pins(l.cloth, std::vector<ClothPin>{{.vertex = 3}}); });
    wakes("drag", [](Laid& l) { l.world.drag(l.cloth, 0, {1, 1, 1}); });
    wakes("gravity", [](Laid& l) {
        WorldSettings settings = l.world.settings();
        settings.gravity = {0, -1, 0};
        l.world.change_settings(settings);
    });
    wakes("no sleeping", [](Laid& l) {
        WorldSettings settings = l.world.settings();
        settings.sleeping = false;
        l.world.change_settings(settings);
    });
    wakes("the table goes", [](Laid& l) { l.world.destroy(l.table); });
    wakes("the table's shape goes", [](Laid& l) { l.world.destroy(l.world.shapes(l.table)[0]); });
    wakes("the table is moved", [](Laid& l) { l.world.set_pose(l.table, {0, -1, 0}, {}); });
    wakes("a ball is put on it", [](Laid& l) {
        l.world.attach(l.world.create_body({.position = {0.2f, 0.6f, 0.1f}}), Sphere{0.1f});
    });
    wakes("a kinematic ball comes", [](Laid& l) {
        const BodyId ball = l.world.create_body(
            {.type = BodyType::kinematic, .position = {3, 0.6f, 0}, .velocity = {-80, 0, 0}});
        l.world.attach(ball, Sphere{0.1f});
        l.world.step(dt);
    });
    wakes("it is woken", [](Laid& l) { l.world.wake(l.cloth); });
}

TEST(ClothSleep, ABallThatFallsOnItWakesItBeforeItTouches) {
    Laid laid;
    ASSERT_TRUE(laid.sleeps_within(300));
    const BodyId ball = laid.world.create_body({.position = {0, 4, 0}});
    laid.world.attach(ball, Sphere{0.1f}, {.density = 500});
    laid.world.step(dt);
    EXPECT_TRUE(laid.world.asleep(laid.cloth)); // it is far away
    for (int i = 0; i < 120; ++i) laid.world.step(dt);
    EXPECT_FALSE(laid.world.asleep(laid.cloth) && !laid.world.state(ball).asleep);
    EXPECT_GT(laid.world.state(ball).position.y, 0.6f); // on the table
}

TEST(ClothSleep, AClothThatFallsOnAnotherWakesIt) {
    Laid laid({}, false, true);
    ASSERT_TRUE(laid.sleeps_within(300));
    ClothDef def = make_cloth(0.5f, 0.5f, 6, 6);
    def.position = {0, 1.2f, 0};
    def.material.thickness = 0.01f;
    def.self_collision = true;
    const ClothId second = laid.world.create_cloth(def);
    laid.world.step(dt);
    EXPECT_TRUE(laid.world.asleep(laid.cloth));
    bool woke = false;
    for (int i = 0; i < 400; ++i) {
        laid.world.step(dt);
        woke = woke || !laid.world.asleep(laid.cloth);
    }
    EXPECT_TRUE(woke);
    EXPECT_EQ(laid.world.asleep(laid.cloth), laid.world.asleep(second));
    // it lies on it, not in it
    EXPECT_GT(laid.world.measure(second).low.y, 0.512f);
}

TEST(ClothSleep, NeverSleepsIfToldSo) {
    World world;
    world.attach(world.create_body({.type = BodyType::fixed}), Box{1, 0.5f, 1});
    ClothDef def = make_cloth(1, 1, 5, 5);
    def.position = {0, 0.52f, 0};
    def.can_sleep = false;
    const ClothId cloth = world.create_cloth(def);
    for (int i = 0; i < 200; ++i) {
        world.step(dt);
        ASSERT_FALSE(world.asleep(cloth));
    }
}

TEST(ClothSleep, HasTheSameBitsOnEveryPlaceAndGoesOnFromSnapshots) {
    struct Seen {
        std::uint64_t hash;
        bool asleep, woke;
        bool operator==(const Seen&) const = default;
    };
    constexpr int all = 200;
    const auto run = [](Laid& laid, int steps) {
        std::vector<Seen> seen;
        for (int i = 0; i < steps; ++i) {
            laid.world.step(dt);
            seen.push_back(
                {laid.world.hash(), laid.world.asleep(laid.cloth), !laid.world.events().cloths_woke.empty()});
            // pushed when everything sleeps
            if (laid.world.asleep(laid.cloth) && laid.world.steps_done() % 50 == 0)
                laid.world.set_velocity(laid.load, {0.5f, 2, 0}, {});
        }
        return seen;
    };
    Laid first({}, true, true);
    const std::vector<Seen> expected = run(first, all);
    ASSERT_TRUE(std::any_of(expected.begin(), expected.end(), [](const Seen& seen) { return seen.asleep; }));
    ASSERT_TRUE(std::any_of(expected.begin(), expected.end(), [](const Seen& seen) { return seen.woke; }));
    for (const PlaceOptions& options :
         {PlaceOptions{.device = "cpu:kernels", .threads = 2},
          PlaceOptions{.device = "cpu", .threads = 3, .lanes = 4}, PlaceOptions{.device = "cuda"}}) {
        std::optional<Place> place;
        try {
            place.emplace(options);
        } catch (const Error&) {
            ASSERT_EQ(options.device, "cuda");
            continue;
        }
        Laid other(*place, true, true);
        EXPECT_EQ(run(other, all) == expected, true) << options.device;
    }
    for (const int at : {40, 92, 130}) {
        Laid again({}, true, true);
        std::vector<Seen> seen = run(again, at);
        again.world = World::restore(again.world.save());
        const std::vector<Seen> rest = run(again, all - at);
        seen.insert(seen.end(), rest.begin(), rest.end());
        EXPECT_EQ(seen == expected, true) << "snapshot after " << at;
    }
}

} // namespace
} // namespace scree
