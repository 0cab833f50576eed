// SPDX-License-Identifier: MIT
// character_test.cpp — a character walks, climbs, slides, rides, jumps, pushes and crouches.
#include "scree/character.h"

#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

constexpr float dt = 1 / 60.0f;

BodyId add_box(World& world, Vec3 half, DVec3 position, Quat rotation = {}, BodyType type = BodyType::fixed) {
    const BodyId body = world.create_body({.type = type, .position = position, .rotation = rotation});
    world.attach(body, Box{half.x, half.y, half.z});
    return body;
}
Quat about_z(double angle) {
    return {0, 0, static_cast<float>(std::sin(angle / 2)), static_cast<float>(std::cos(angle / 2))};
}
/// Floor with its top at y = 0.
World floor_world() {
    World world({}, on(1));
    add_box(world, {20, 0.5f, 20}, {0, -0.5, 0});
    return world;
}
void go(World& world, Character& who, Vec3 velocity, int steps) {
    for (int k = 0; k < steps; ++k) {
        who.move(world, velocity, dt);
        world.step(dt);
    }
}
void settle(World& world, Character& who) { go(world, who, {}, 10); }

TEST(Character, WalksAtItsSpeedOverLevelGround) {
    World world = floor_world();
    Character who(world, {.position = {0, 0.05, 0}});
    settle(world, who);
    const DVec3 begin = who.state().position;
    EXPECT_EQ(who.state().ground, Ground::firm);
    EXPECT_NEAR(begin.y, 0.01, 1e-3); // its skin above the floor
    go(world, who, {2, 0, 0}, 60);
    EXPECT_NEAR(who.state().position.x - begin.x, 2, 1e-3);
    EXPECT_NEAR(who.state().position.y, begin.y, 1e-3);
    EXPECT_NEAR(who.state().velocity.x, 2, 1e-3);
    EXPECT_NEAR(world.state(who.body()).position.x, who.state().position.x, 1e-4);
}

TEST(Character, ClimbsStairsAndIsStoppedByALedge) {
    World world = floor_world();
    for (int k = 0; k < 6; ++k) add_box(world, {5, 0.125f, 2}, {7.0 + 0.4 * k, 0.125 + 0.25 * k, 0});
    add_box(world, {1, 0.3f, 2}, {-4, 0.3, 0}); // 0.6 m high, from x = -3
    Character who(world, {.position = {0, 0.01, 0}});
    settle(world, who);
    go(world, who, {2, 0, 0}, 180);
    EXPECT_NEAR(who.state().position.y, 1.5 + 0.01, 2e-3);
    EXPECT_GT(who.state().position.x, 5.5);
    // down again, on the ground all the time
    for (int k = 0; k < 180; ++k) {
        go(world, who, {-2, 0, 0}, 1);
        ASSERT_EQ(who.state().ground, Ground::firm) << k;
    }
    EXPECT_NEAR(who.state().position.y, 0.01, 2e-3);
    go(world, who, {-2, 0, 0}, 180);
    EXPECT_NEAR(who.state().position.x, -3 + 0.3 + 0.01, 5e-3);
    EXPECT_NEAR(who.state().position.y, 0.01, 2e-3);
}

TEST(Character, GoesUpGentleSlopesAndSlidesDownSteepOnes) {
    for (const double degrees : {30.0, 45.0, 60.0, 75.0}) {
        SCOPED_TRACE(degrees);
        World world = floor_world();
        const double angle = degrees * std::numbers::pi / 180;
        // its upper face goes through the origin's edge at x = 1
        const DVec3 along{std::cos(angle), std::sin(angle), 0}, out{-std::sin(angle), std::cos(angle), 0};
        add_box(world, {6, 0.5f, 3}, DVec3{1, 0, 0} + along * 5.5 - out * 0.5, about_z(angle));
        Character who(world, {.position = {0, 0.01, 0}});
        settle(world, who);
        go(world, who, {2, 0, 0}, 120);
        const double height = who.state().position.y;
        if (degrees < 50) {
            EXPECT_NEAR(height, (who.state().position.x - 1) * std::tan(angle), 0.5);
            EXPECT_GT(height, 1);
            const double before = who.state().position.x;
            go(world, who, {}, 60); // stands still
            EXPECT_NEAR(who.state().position.x, before, 1e-3);
        } else {
            EXPECT_LT(height, 0.4);
            who.set_position(world, {3, 2 * std::tan(angle) + 1.5, 0});
            go(world, who, {}, 20);
            const double falling = who.state().position.y;
            EXPECT_NE(who.state().ground, Ground::firm);
            go(world, who, {}, 150);
            EXPECT_LT(who.state().position.y, falling - 0.5);
            EXPECT_LT(who.state().position.y, 0.4);
        }
    }
}

TEST(Character, SlidesAlongWallsAndStopsInCorners) {
    World world = floor_world();
    add_box(world, {0.5f, 2, 20}, {2.5, 2, 0});  // wall at x = 2
    add_box(world, {20, 2, 0.5f}, {0, 2, 10.5}); // wall at z = 10
    Character who(world, {.position = {1, 0.01, 0}});
    settle(world, who);
    go(world, who, {2, 0, 2}, 120);
    EXPECT_NEAR(who.state().position.x, 2 - 0.31, 2e-3);
    EXPECT_NEAR(who.state().position.z, 4, 0.05);
    go(world, who, {2, 0, 2}, 300);
    const DVec3 corner = who.state().position;
    EXPECT_NEAR(corner.z, 10 - 0.31, 5e-3);
    for (int k = 0; k < 60; ++k) {
        go(world, who, {2, 0, 1}, 1);
        EXPECT_LT(length(who.state().position - corner), 5e-3) << k;
    }
}

TEST(Character, RidesPlatformsThatMoveAndTurn) {
    World world = floor_world();
    const BodyId lift = add_box(world, {2, 0.25f, 2}, {10, 0.25, 0}, {}, BodyType::kinematic);
    Character who(world, {.position = {11, 0.52, 0}});
    settle(world, who);
    ASSERT_EQ(who.state().ground_body, lift);
    const double above = who.state().position.y - world.position(lift).y;
    for (int k = 0; k < 240; ++k) {
        const float phase = static_cast<float>(k) * dt;
        world.set_velocity(lift, {std::cos(phase), std::sin(2 * phase), 0.5f}, {});
        go(world, who, {}, 1);
        ASSERT_NEAR(who.state().position.x - world.position(lift).x, 1, 0.01) << k;
        ASSERT_NEAR(who.state().position.z - world.position(lift).z, 0, 0.01) << k;
        ASSERT_NEAR(who.state().position.y - world.position(lift).y, above, 0.01) << k;
        ASSERT_EQ(who.state().ground, Ground::firm) << k;
    }
    world.set_velocity(lift, {}, {0, 1, 0}); // a turntable: once round
    const DVec3 centre = world.position(lift);
    for (int k = 0; k < 377; ++k) go(world, who, {}, 1);
    const DVec3 arm = who.state().position - centre;
    EXPECT_NEAR(std::hypot(arm.x, arm.z), 1, 5e-3);
    EXPECT_NEAR(std::atan2(arm.z, arm.x), 0, 5e-3);
}

TEST(Character, JumpsAsHighAsItsSpeedTakesItAndLands) {
    World world = floor_world();
    Character who(world, {.position = {0, 0.01, 0}});
    settle(world, who);
    EXPECT_TRUE(who.jump(4));
    double top = 0;
    for (int k = 0; k < 60; ++k) {
        go(world, who, {1, 0, 0}, 1);
        EXPECT_FALSE(k > 1 && k < 40 && who.jump(4)) << "in the air";
        top = std::max(top, who.state().position.y);
    }
    EXPECT_NEAR(top - 0.01, 4 * 4 / (2 * 9.81), 4 * dt); // a step's way
    EXPECT_EQ(who.state().ground, Ground::firm);
    EXPECT_NEAR(who.state().position.x, 1, 1e-3);
    add_box(world, {2, 0.2f, 2}, {who.state().position.x, 2.2, 0}); // a ceiling 2 m up
    who.jump(4);
    top = 0;
    for (int k = 0; k < 60; ++k) {
        go(world, who, {}, 1);
        top = std::max(top, who.state().position.y);
    }
    EXPECT_NEAR(top, 0.2 - 0.01, 0.01); // with a head 1.8 m up
    EXPECT_EQ(who.state().ground, Ground::firm);
}

TEST(Character, PushesWhatItsForceCanMove) {
    World world = floor_world();
    const BodyId light = add_box(world, {0.3f, 0.3f, 0.3f}, {2, 0.3, 0}, {}, BodyType::dynamic);
    const BodyId heavy = add_box(world, {0.5f, 0.5f, 0.5f}, {2, 0.5, 5}, {}, BodyType::dynamic);
    world.set_mass(light, MassProperties{.mass = 20, .inertia = {1.2f, 1.2f, 1.2f}});
    world.set_mass(heavy, MassProperties{.mass = 5000, .inertia = {800, 800, 800}});
    Character who(world, {.position = {0, 0.01, 0}}), other(world, {.position = {0, 0.01, 5}});
    settle(world, who);
    settle(world, other);
    for (int k = 0; k < 180; ++k) {
        who.move(world, {2, 0, 0}, dt);
        other.move(world, {2, 0, 0}, dt);
        world.step(dt);
    }
    EXPECT_GT(world.position(light).x, 3);
    EXPECT_NEAR(world.position(heavy).x, 2, 0.05);
    EXPECT_NEAR(other.state().position.x, 1.5 - 0.3, 0.05);
    Character weak(world, {.position = {0, 0.01, -5}, .push_force = 0});
    const BodyId crate = add_box(world, {0.3f, 0.3f, 0.3f}, {2, 0.3, -5}, {}, BodyType::dynamic);
    settle(world, weak);
    go(world, weak, {2, 0, 0}, 120);
    EXPECT_NEAR(world.position(crate).x, 2, 0.02);
}

TEST(Character, CrouchesUnderACeilingAndCannotStandUpThere) {
    World world = floor_world();
    add_box(world, {2, 0.5f, 2}, {4, 1.3 + 0.5, 0}); // 1.3 m above the floor, from x = 2
    Character who(world, {.position = {0, 0.01, 0}});
    settle(world, who);
    go(world, who, {2, 0, 0}, 120);
    EXPECT_LT(who.state().position.x, 1.75);
    EXPECT_TRUE(who.set_height(world, 1.2f));
    go(world, who, {2, 0, 0}, 60);
    EXPECT_GT(who.state().position.x, 3);
    EXPECT_FALSE(who.set_height(world, 1.8f));
    EXPECT_EQ(who.state().height, 1.2f);
    go(world, who, {2, 0, 0}, 120);
    EXPECT_TRUE(who.set_height(world, 1.8f));
    EXPECT_NEAR(who.state().position.y, 0.01, 2e-3);
}

TEST(Character, IsAValueThatMovesAlikeOnEveryDevice) {
    const auto path = [](const std::string& device, int threads) {
        World world({}, Place({.device = device, .threads = threads}));
        add_box(world, {20, 0.5f, 20}, {0, -0.5, 0});
        for (int k = 0; k < 40; ++k)
            add_box(world, {0.2f, 0.2f, 0.2f}, {1.5 + k % 8 * 0.5, 0.2 + k / 8 * 0.41, k % 3 * 0.3 - 0.3}, {},
                    BodyType::dynamic);
        Character who(world, {.position = {0, 0.01, 0}});
        settle(world, who);
        std::vector<CharacterState> states;
        for (int k = 0; k < 120; ++k) {
            if (k == 30) who.jump(3);
            go(world, who, {2, 0, 0.3f * static_cast<float>(k % 5)}, 1);
            states.push_back(who.state());
            states.back().ground_body.generation = 0; // which tells worlds apart
        }
        EXPECT_GT(who.state().position.x, 1.2);
        return std::pair(states, world.hash());
    };
    const auto expected = path("cpu", 1);
    EXPECT_TRUE(path("cpu", 3) == expected);
    for (const std::string& device : kernel_devices()) EXPECT_TRUE(path(device, 1) == expected) << device;

    World world = floor_world();
    Character who(world, {});
    settle(world, who);
    const Character before = who;
    const World twin_world = world.clone();
    go(world, who, {1, 0, 0}, 30);
    Character again = before;
    World twin = twin_world.clone();
    go(twin, again, {1, 0, 0}, 30);
    EXPECT_TRUE(again.state() == who.state());
}

TEST(Character, IsPushedOutOfWhatItStandsIn) {
    World world = floor_world();
    add_box(world, {1, 1, 1}, {0, 1, 0});
    Character who(world, {.position = {0.9, 0.01, 0}, .solid = false});
    EXPECT_EQ(who.body(), BodyId{});
    go(world, who, {}, 5);
    EXPECT_TRUE(world.overlap({Capsule{0.6f, 0.3f}, who.state().position + DVec3{0, 0.9, 0}}).empty());
}

/// A box of these half sides: as a box, a hull and the triangles of a mesh, in squares of half a metre at most above.
std::vector<Geometry> boxes(Vec3 half) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    std::vector<std::uint32_t> sides{0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 2, 3,
                                     0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4};
    std::vector<Vec3> vertices = corners;
    const auto nx = static_cast<std::uint32_t>(std::ceil(4 * half.x)),
               nz = static_cast<std::uint32_t>(std::ceil(4 * half.z));
    for (std::uint32_t z = 0; z <= nz; ++z)
        for (std::uint32_t x = 0; x <= nx; ++x)
            vertices.push_back({half.x * (2.0f * static_cast<float>(x) / static_cast<float>(nx) - 1), half.y,
                                half.z * (2.0f * static_cast<float>(z) / static_cast<float>(nz) - 1)});
    for (std::uint32_t z = 0; z < nz; ++z)
        for (std::uint32_t x = 0; x < nx; ++x) {
            const std::uint32_t a = 8 + z * (nx + 1) + x, b = a + 1, c = a + nx + 1, d = c + 1;
            for (const std::uint32_t corner : {a, c, d, a, d, b}) sides.push_back(corner);
        }
    return {Box{half.x, half.y, half.z}, Hull::from_points(corners), Mesh::from_triangles(vertices, sides)};
}
void add_fixed(World& world, const Geometry& geometry, DVec3 position, Quat rotation = {}) {
    world.attach(world.create_body({.type = BodyType::fixed, .position = position, .rotation = rotation}),
                 geometry);
}

class CharacterGround : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CharacterGround, IsWalkedOverClimbedAndStoodOn) {
    const auto made = [](Vec3 half) { return boxes(half)[GetParam()]; };
    World world({}, on(1));
    add_fixed(world, made({8, 0.5f, 3}), {0, -0.5, 0});
    for (int k = 0; k < 4; ++k) add_fixed(world, made({2, 0.125f, 2}), {5.0 + 0.4 * k, 0.125 + 0.25 * k, 0});
    add_fixed(world, made({0.5f, 0.3f, 3}), {-3.5, 0.3, 0}); // 0.6 m high, from x = -3
    Character who(world, {.position = {0, 0.05, 0}});
    settle(world, who);
    const double begin = who.state().position.x;
    for (int k = 0; k < 60; ++k) {
        go(world, who, {2, 0, 0.1f}, 1);
        ASSERT_EQ(who.state().ground, Ground::firm) << k;
        ASSERT_NEAR(who.state().position.y, 0.01, 1e-3) << k;
    }
    EXPECT_NEAR(who.state().position.x, begin + 2, 2e-3); // no edge between triangles holds it up
    go(world, who, {2, 0, 0}, 90);
    EXPECT_NEAR(who.state().position.y, 1.01, 2e-3); // up four steps
    for (int k = 0; k < 90; ++k) {
        go(world, who, {-2, 0, 0}, 1);
        ASSERT_EQ(who.state().ground, Ground::firm) << k;
    }
    EXPECT_NEAR(who.state().position.y, 0.01, 2e-3);
    go(world, who, {-2, 0, 0}, 150);
    EXPECT_NEAR(who.state().position.x, -3 + 0.3 + 0.01, 5e-3); // and no ledge
    ASSERT_TRUE(who.jump(3));
    go(world, who, {}, 60);
    EXPECT_NEAR(who.state().position.y, 0.01, 2e-3);
}

TEST_P(CharacterGround, IsASlopeOrAWallByItsAngle) {
    for (const double degrees : {30.0, 60.0}) {
        World world({}, on(1));
        add_fixed(world, boxes({8, 0.5f, 3})[GetParam()], {0, -0.5, 0});
        const double angle = degrees * std::numbers::pi / 180;
        const DVec3 along{std::cos(angle), std::sin(angle), 0}, out{-std::sin(angle), std::cos(angle), 0};
        add_fixed(world, boxes({3, 0.5f, 3})[GetParam()], DVec3{1, 0, 0} + along * 2.5 - out * 0.5,
                  about_z(angle));
        Character who(world, {.position = {0, 0.01, 0}});
        settle(world, who);
        go(world, who, {2, 0, 0}, 90);
        if (degrees < 50) {
            EXPECT_NEAR(who.state().position.y, (who.state().position.x - 1) * std::tan(angle), 0.1);
            EXPECT_GT(who.state().position.y, 0.8);
        } else {
            EXPECT_LT(who.state().position.y, 0.4);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(BoxHullMesh, CharacterGround, ::testing::Range<std::size_t>(0, 3));

// 12 × 12 m of waves of 0.3 m, in squares of 0.25 m
TEST(Character, WalksOverTheHillsOfAHeightField) {
    HeightField field{.columns = 49, .rows = 49, .spacing = 0.25f};
    for (std::uint32_t z = 0; z < field.rows; ++z)
        for (std::uint32_t x = 0; x < field.columns; ++x)
            field.heights.push_back(0.15f * std::sin(0.4f * static_cast<float>(x)) *
                                    std::cos(0.3f * static_cast<float>(z)));
    World world({}, on(1));
    add_fixed(world, Mesh::from_heights(field), {});
    Character who(world, {.position = {-5, 0.5, -3}});
    go(world, who, {}, 30);
    double low = 1, high = -1;
    for (int k = 0; k < 240; ++k) {
        go(world, who, {2.4f, 0, 1.2f}, 1);
        ASSERT_EQ(who.state().ground, Ground::firm) << k;
        const DVec3 feet = who.state().position;
        const auto below = world.cast_ray({feet + DVec3{0, 1, 0}, {0, -2, 0}}, {.ignore = who.body()});
        ASSERT_TRUE(below) << k;
        // its round end stands on what is beside the feet
        ASSERT_GT(feet.y, below->point.y) << k;
        ASSERT_LT(feet.y, below->point.y + 0.12) << k;
        low = std::min(low, feet.y), high = std::max(high, feet.y);
    }
    EXPECT_GT(who.state().position.x, 3.5);
    EXPECT_GT(high - low, 0.2);
}

// a platform from 2.0 to 2.2 m
TEST(Character, JumpsUpThroughAOneWayPlatformAndStandsOnIt) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_box(world, {20, 0.5f, 20}, {0, -0.5, 0});
        const BodyId platform = world.create_body({.type = BodyType::kinematic, .position = {0, 2.1, 0}});
        world.attach(platform, Box{2, 0.1f, 2}, {.one_way = {0, 3, 0}});
        Character who(world, {.position = {0, 0.01, 0}});
        settle(world, who);
        ASSERT_TRUE(who.jump(4.5f)); // 1 m: the head goes in and comes out again
        double top = 0;
        for (int k = 0; k < 90; ++k) {
            go(world, who, {}, 1);
            top = std::max(top, who.state().position.y);
        }
        EXPECT_NEAR(top, 1.03, 0.06);
        EXPECT_NEAR(who.state().position.y, 0.01, 1e-3);

        ASSERT_TRUE(who.jump(7));
        go(world, who, {}, 90);
        EXPECT_NEAR(who.state().position.y, 2.21, 1e-3);
        EXPECT_EQ(who.state().ground, Ground::firm);
        EXPECT_EQ(who.state().ground_body, platform);
        const double before = who.state().position.x;
        go(world, who, {1, 0, 0}, 60); // walks on it
        EXPECT_NEAR(who.state().position.x, before + 1, 1e-2);
        EXPECT_NEAR(who.state().position.y, 2.21, 1e-3);

        for (const float speed : {1.0f, -1.0f}) { // rides on it
            world.set_velocity(platform, {0, speed, 0});
            go(world, who, {}, 60);
            EXPECT_NEAR(who.state().position.y - world.position(platform).y, 0.11, 5e-3) << speed;
        }
        world.set_velocity(platform, {});
        // let down into it, it falls through
        who.set_position(world, {0, world.position(platform).y, 0});
        go(world, who, {}, 90);
        EXPECT_NEAR(who.state().position.y, 0.01, 1e-3);
    }
}

TEST(Character, RefusesWhatCannotBe) {
    World world({}, on(1));
    EXPECT_EQ(error_place([&] { Character(world, {.height = 0.5f}); }), "height");
    EXPECT_EQ(error_place([&] { Character(world, {.up = {0, 0, 0}}); }), "up");
    EXPECT_EQ(error_place([&] { Character(world, {.radius = 0}); }), "radius");
    EXPECT_EQ(error_place([&] { Character(world, {.skin = 0.5f}); }), "skin");
    EXPECT_EQ(error_place([&] { Character(world, {.position = {std::nan(""), 0, 0}}); }), "position.x");
    EXPECT_EQ(world.body_count(), 0u);
    Character who(world, {});
    EXPECT_EQ(error_place([&] { who.move(world, {std::nanf(""), 0, 0}, dt); }), "velocity.x");
    EXPECT_EQ(error_place([&] { who.move(world, {}, 0); }), "dt");
    EXPECT_EQ(error_place([&] { who.jump(-1); }), "speed");
    EXPECT_EQ(error_place([&] { who.set_height(world, 0.1f); }), "height");
    world.destroy(who.body());
    EXPECT_NO_THROW(go(world, who, {1, 0, 0}, 3)); // goes on without a body
}

} // namespace
} // namespace scree::test
