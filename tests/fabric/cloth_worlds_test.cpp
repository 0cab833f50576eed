// SPDX-License-Identifier: MIT
// cloth_worlds_test.cpp — cloth in worlds that are stepped together has the bits that it has alone.
// compiled alone
#include "fabric/places.h"
#include "scree/error.h"
#include "scree/rollback.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <vector>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

/// A table with a cloth and boxes on it: `k` makes a difference. Some of them have no cloth.
std::vector<BodyId> furnish(World& world, int k) {
    std::vector<BodyId> bodies;
    const BodyId table = world.create_body({.type = BodyType::fixed});
    world.attach(table, Box{1, 0.5f, 1});
    if (k % 3 != 2) {
        ClothDef def = make_cloth(1, 1, 9, 9);
        def.position = {0.02f * static_cast<float>(k), 0.53f, 0};
        def.material.thickness = 0.01f;
        def.material.friction = 0.8f;
        def.self_collision = k == 1;
        world.create_cloth(def);
    }
    for (int i = 0; i <= k; ++i) {
        bodies.push_back(
            world.create_body({.position = {0.3f * static_cast<float>(i) - 0.3f, 0.66f, 0.03f}}));
        world.attach(bodies.back(), Box{0.1f, 0.1f, 0.1f}, {.density = 30});
    }
    return bodies;
}

TEST(ClothInWorlds, HasTheBitsThatItHasAlone) {
    for (const Place& place : testing::places_to_compare()) {
        constexpr std::uint32_t count = 4;
        Worlds worlds(count, {}, place);
        std::vector<World> alone;
        for (std::uint32_t n = 0; n < count; ++n) {
            furnish(worlds[n], static_cast<int>(n));
            alone.emplace_back(WorldSettings{}, place);
            furnish(alone[n], static_cast<int>(n));
        }
        bool slept = false;
        for (int i = 0; i < 200; ++i) {
            worlds.step(dt);
            for (std::uint32_t n = 0; n < count; ++n) alone[n].step(dt);
            if (i == 20) // more bodies than there was room for
                for (World* world : {&worlds[1], &alone[1]})
                    for (int b = 0; b < 80; ++b)
                        world->attach(world->create_body({.position = {5, 0.1f + static_cast<float>(b), 0}}),
                                      Sphere{0.1f});
            if (i == 150) // wakes the cloth under it
                for (World* world : {&worlds[0], &alone[0]})
                    world->attach(world->create_body({.position = {0.1f, 0.75f, 0.1f}}), Sphere{0.05f});
            for (std::uint32_t n = 0; n < count; ++n) {
                ASSERT_EQ(worlds[n].hash(), alone[n].hash())
                    << place.device() << ", world " << n << ", step " << i;
                EXPECT_EQ(worlds[n].events().cloths_fell_asleep.size(),
                          alone[n].events().cloths_fell_asleep.size());
                EXPECT_EQ(worlds[n].cloth_contacts().touching, alone[n].cloth_contacts().touching);
                slept = slept || !alone[n].events().cloths_fell_asleep.empty();
            }
        }
        EXPECT_TRUE(slept);
    }
}

TEST(ClothInWorlds, IsRestoredAndRolledBackInEach) {
    for (const Place& place : testing::places_to_compare()) {
        Worlds worlds(2, {}, place);
        furnish(worlds[0], 0), furnish(worlds[1], 1);
        Rollback ring(worlds, 4);
        for (int i = 0; i < 20; ++i) worlds.step(dt);
        ring.save();
        const auto saved = worlds[1].save();
        for (int i = 0; i < 20; ++i) worlds.step(dt);
        const std::uint64_t first = worlds[0].hash(), second = worlds[1].hash();
        ring.restore();
        for (int i = 0; i < 20; ++i) worlds.step(dt);
        EXPECT_EQ(worlds[0].hash(), first) << place.device();
        EXPECT_EQ(worlds[1].hash(), second) << place.device();

        // into the other one's place, whose cloth is gone then
        worlds.restore(0, saved);
        EXPECT_EQ(worlds[0].save(), saved);
        for (int i = 0; i < 20; ++i) worlds.step(dt);
        EXPECT_EQ(worlds[0].vertices(worlds[0].cloths()[0]).size(), 81u);
        World alone = World::restore(saved, place);
        for (int i = 0; i < 20; ++i) alone.step(dt);
        const auto a = worlds[0].vertices(worlds[0].cloths()[0]), b = alone.vertices(alone.cloths()[0]);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << place.device();
    }
}

TEST(ClothInWorlds, TheSolverThatHasNoClothIsRefusedForAll) {
    Worlds worlds(2);
    furnish(worlds[1], 0);
    EXPECT_THROW(worlds.change_settings({.solver = Solver::sor}), Error);
    EXPECT_EQ(worlds.settings().solver, Solver::soft_step);
    EXPECT_EQ(worlds[0].settings().solver, Solver::soft_step);
    worlds.step(dt);
}

} // namespace
} // namespace scree
