// SPDX-License-Identifier: MIT
// self_restore_test.cpp — cloth that touches cloth goes on alike, whatever lists of near pairs it has.
// compiled alone
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

namespace scree {
namespace {

/// Sheets of random sizes and thickness that fall on each other, on a ball that moves and under a box.
World heap_of_sheets(std::uint32_t seed, const Place& place) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
        return static_cast<float>(low + (high - low) * (random() / 4294967296.0));
    };
    WorldSettings settings;
    settings.substeps = static_cast<int>(1 + random() % 8);
    World world(settings, place);
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    const auto speed = [&] { return between(-1, 1); };
    const float x = speed(), z = speed();
    const BodyId ball =
        world.create_body({.type = BodyType::kinematic, .position = {0, 0.5f, 0}, .velocity = {x, 0, z}});
    world.attach(ball, Sphere{0.3f});
    const float across = between(-3, 3), down = between(-8, 0);
    const BodyId box = world.create_body({.position = {0.1f, 2.5f, 0}, .velocity = {across, down, 0}});
    world.attach(box, Box{0.2f, 0.1f, 0.2f}, {.density = 300});
    const std::uint32_t sheets = 2 + random() % 5;
    for (std::uint32_t k = 0; k < sheets; ++k) {
        // in the order in which they are drawn
        const std::uint32_t rows = 6 + random() % 8, columns = 6 + random() % 8;
        const float length = between(0.5, 1.2), width = between(0.5, 1.2);
        ClothDef sheet = make_cloth(width, length, columns, rows);
        sheet.self_collision = true;
        sheet.surface_collision = random() % 2 != 0;
        sheet.material.thickness = std::pow(10.0f, between(-3, -1.8));
        sheet.material.density = between(0.05, 0.5);
        sheet.material.friction = between(0, 1);
        sheet.position.x = between(-0.1, 0.1);
        sheet.position.y = 1 + 0.1f * static_cast<float>(k);
        sheet.position.z = between(-0.1, 0.1);
        const float turn = between(0, 1.5);
        sheet.rotation = {std::cos(turn / 2), 0, std::sin(turn / 2), 0};
        sheet.velocity.x = between(-3, 3);
        sheet.velocity.y = between(-5, 1);
        sheet.velocity.z = between(-3, 3);
        if (random() % 3 == 0) sheet.pins = {{.vertex = 0}, {.vertex = 3}};
        if (random() % 4 == 0) sheet.pins = {{.vertex = 2, .body = ball}};
        world.create_cloth(sheet);
    }
    return world;
}

TEST(SelfContact, ARestoredHeapWithNewListsGoesOnAlike) {
    const Place place({.threads = 1});
    World world = heap_of_sheets(44, place);
    for (int k = 0; k < 75; ++k) {
        const float dt = k % 17 == 16 ? 1 / 25.0f : 1 / 60.0f;
        std::optional<World> restored;
        if (k >= 70)
            restored =
                World::restore(world.save(), place); // in step 73 a pair is as far as its vertices may go
        world.step(dt);
        if (!restored) continue;
        restored->step(dt);
        ASSERT_EQ(restored->hash(), world.hash()) << "step " << k;
    }
}

} // namespace
} // namespace scree
