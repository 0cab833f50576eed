// SPDX-License-Identifier: MIT
// continuous_test.cpp — fast bodies do not pass through thin ones, and are not held up where nothing is in their way.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::test {
namespace {

WorldSettings discrete(WorldSettings settings = default_settings()) {
    settings.continuous = false;
    return settings;
}

/// Each shape there is, about 2 cm in size, in turn.
Geometry shot(int k) {
    switch (k % 6) {
    case 0:
        return Sphere{0.02f};
    case 1:
        return Box{0.02f, 0.01f, 0.015f};
    case 2:
        return Capsule{0.02f, 0.01f};
    case 3:
        return Cylinder{0.01f, 0.02f};
    case 4:
        return Cone{0.02f, 0.015f};
    default:
        return pebble(static_cast<std::uint32_t>(k), 0.02f);
    }
}

/// 1,000 cubes of 0.1 m, which fall 5 to 45 m on a slab of 0.1 m whose upper side is at y = 0.
struct Rain {
    explicit Rain(const WorldSettings& settings, const Place& place = on(2), int count = 1000)
        : world(settings, place) {
        add(world, Box{20, 0.05f, 20}, {0, -0.05f, 0}, {}, {.type = BodyType::fixed});
        Dice dice(7);
        for (int k = 0; k < count; ++k) {
            const Vec3 at{0.6f * static_cast<float>(k % 32 - 16), static_cast<float>(dice.between(5, 45)),
                          0.6f * static_cast<float>(k / 32 - 16)};
            cubes.push_back(add(world, Box{0.05f, 0.05f, 0.05f}, at, {}, {.rotation = dice.rotation()}));
        }
    }
    int below() const {
        // one that rolls over the edge does not pass
        return static_cast<int>(std::count_if(cubes.begin(), cubes.end(), [&](BodyId cube) {
            const DVec3 at = position(world, cube);
            return at.y < -0.05 && std::abs(at.x) < 20 && std::abs(at.z) < 20;
        }));
    }
    World world;
    std::vector<BodyId> cubes;
};

class ContinuousStep : public testing::TestWithParam<int> {};

TEST_P(ContinuousStep, NoneOfAThousandCubesPassesASlab) {
    Rain rain(default_settings());
    run_for(rain.world, 4, 1.0f / static_cast<float>(GetParam()));
    EXPECT_EQ(rain.below(), 0);
    EXPECT_LT(rain.world.measure().mean_height, 1); // they have arrived
}
INSTANTIATE_TEST_SUITE_P(PerSecond, ContinuousStep, testing::Values(30, 45, 60, 90, 120, 240));

TEST(Continuous, CanBeTurnedOff) {
    Rain rain(discrete());
    run_for(rain.world, 4);
    EXPECT_GT(rain.below(), 100);
}

/// Shots of every shape at a wall of 1 cm, at 500 m/s.
struct Gallery {
    Gallery(const WorldSettings& settings, int count, const Place& place = on(2),
            const Geometry& pane = Box{30, 30, 0.005f})
        : world(settings, place) {
        wall = add(world, pane, {0, 0, 0}, {}, {.type = BodyType::fixed});
        Dice dice(3);
        for (int k = 0; k < count; ++k) {
            const Vec3 at{0.5f * static_cast<float>(k % 100 - 50), 0.5f * static_cast<float>(k / 100 - 50),
                          static_cast<float>(dice.between(1, 20))};
            shots.push_back(add(world, shot(k), at, {},
                                {.rotation = dice.rotation(),
                                 .velocity = {0, 0, -500},
                                 .angular_velocity = dice.in_box({-30, -30, -30}, {30, 30, 30}),
                                 .max_speed = 1000}));
        }
    }
    int behind() const {
        return static_cast<int>(
            std::count_if(shots.begin(), shots.end(), [&](BodyId b) { return position(world, b).z < 0; }));
    }
    World world;
    BodyId wall;
    std::vector<BodyId> shots;
};

TEST(Continuous, NoneOfTenThousandShotsPassesAWallOfACentimetre) {
    Gallery gallery(in_space(), 10000);
    int most = 0;
    for (int k = 0; k < 30; ++k) {
        gallery.world.step(frame);
        most = std::max(most, gallery.behind());
    }
    EXPECT_EQ(most, 0);
    EXPECT_EQ(gallery.world.measure().frozen, 0u);
}

/// The two sides of that wall, in squares of a metre.
Mesh wall_of_triangles() {
    constexpr std::uint32_t squares = 60, row = squares + 1;
    std::vector<Vec3> corners;
    std::vector<std::uint32_t> triangles;
    for (const float z : {0.005f, -0.005f})
        for (std::uint32_t y = 0; y < row; ++y)
            for (std::uint32_t x = 0; x < row; ++x)
                corners.push_back({static_cast<float>(x) - 30, static_cast<float>(y) - 30, z});
    for (const std::uint32_t side : {0u, row * row})
        for (std::uint32_t y = 0; y < squares; ++y)
            for (std::uint32_t x = 0; x < squares; ++x) {
                const std::uint32_t a = side + y * row + x, b = a + 1, c = a + row + 1, d = a + row;
                for (const std::uint32_t corner :
                     side ? std::array{a, c, b, a, d, c} : std::array{a, b, c, a, c, d})
                    triangles.push_back(corner);
            }
    return Mesh::from_triangles(corners, triangles);
}

TEST(Continuous, NoneOfTenThousandShotsPassesAWallOfTriangles) {
    Gallery gallery(in_space(), 10000, on(2), wall_of_triangles());
    int most = 0;
    for (int k = 0; k < 12; ++k) {
        gallery.world.step(frame);
        most = std::max(most, gallery.behind());
    }
    EXPECT_EQ(most, 0);
    EXPECT_EQ(gallery.world.measure().frozen, 0u);
    // all have met it
    const auto coming = std::count_if(gallery.shots.begin(), gallery.shots.end(),
                                      [&](BodyId b) { return velocity(gallery.world, b).z < -400; });
    EXPECT_EQ(coming, 0);
    Gallery through(discrete(in_space()), 1000, on(2), wall_of_triangles());
    for (int k = 0; k < 10; ++k) through.world.step(frame);
    EXPECT_GT(through.behind(), 500);
}

TEST(Continuous, ShotsPassWhatTheirFilterLetsThem) {
    Gallery gallery(in_space(), 60);
    for (const BodyId b : gallery.shots)
        for (const ShapeId s : gallery.world.shapes(b)) gallery.world.set_filter(s, {.mask = 0});
    run_steps(gallery.world, 30);
    EXPECT_EQ(gallery.behind(), 60);
    for (const BodyId b : gallery.shots) EXPECT_NEAR(velocity(gallery.world, b).z, -500, 1e-2);
}

/// Where the body is in the frame of the other.
DVec3 seen_from(const World& world, BodyId body, BodyId other) {
    const BodyState state = world.state(other);
    return rotate(wide(conjugate(state.rotation)), position(world, body) - position(world, other));
}

TEST(Continuous, NoneOfTenThousandShotsPassesARotatingPlate) {
    World world(in_space(), on(2));
    const BodyId plate =
        add(world, Box{4, 4, 0.005f}, {}, {}, {.type = BodyType::kinematic, .angular_velocity = {0, 6, 0}});
    Dice dice(5);
    std::vector<BodyId> shots;
    for (int k = 0; k < 10000; ++k) {
        const float along = static_cast<float>(dice.between(-3, 3));
        const bool from_behind = k % 2;
        const float away = static_cast<float>(dice.between(5, 200));
        const Vec3 at{along, -3.5f + 0.0007f * static_cast<float>(k), from_behind ? -away : away};
        shots.push_back(add(world, shot(k), at, {.filter = {.group = -1}},
                            {.rotation = dice.rotation(),
                             .velocity = {0, 0, from_behind ? 500.0f : -500.0f},
                             .max_speed = 1000}));
    }
    std::vector<DVec3> before(shots.size());
    const auto inside = [](const DVec3& at) { return std::abs(at.x) < 3.9 && std::abs(at.y) < 3.9; };
    int passed = 0, met = 0;
    for (std::size_t b = 0; b < shots.size(); ++b) before[b] = seen_from(world, shots[b], plate);
    for (int k = 0; k < 60; ++k) {
        world.step(frame);
        met += static_cast<int>(world.measure().contacts);
        for (std::size_t b = 0; b < shots.size(); ++b) {
            const DVec3 now = seen_from(world, shots[b], plate);
            // what changes sides far from the plate went around it
            if (std::abs(now.z) < 20 && std::abs(before[b].z) < 20 && inside(now) && inside(before[b]) &&
                (now.z > 0) != (before[b].z > 0))
                ++passed;
            before[b] = now;
        }
    }
    EXPECT_EQ(passed, 0);
    EXPECT_GT(met, 5000);
}

/// The lowest point of a cube.
double lowest(const World& world, BodyId cube, double half) {
    const Quat q = world.state(cube).rotation;
    double reach = 0;
    for (const DVec3 axis : {DVec3{1, 0, 0}, DVec3{0, 1, 0}, DVec3{0, 0, 1}})
        reach += half * std::abs(rotate(wide(q), axis).y);
    return height(world, cube) - reach;
}

/// What 5 cm boxes fall on, tumbling, at 16 m/s: its upper side is at y = 0.
enum class Ground { plane, slab, wide_slab, mesh };

class SmallBoxes : public testing::TestWithParam<Ground> {};

void add_ground(World& world, Ground ground) {
    const BodyId body = world.create_body({.type = BodyType::fixed});
    if (ground == Ground::plane) world.attach(body, Plane{});
    if (ground == Ground::slab) world.attach(body, Box{30, 0.5f, 30}, {.position = {0, -0.5f, 0}});
    // in floats its corners are known to a tenth of a millimetre
    if (ground == Ground::wide_slab) world.attach(body, Box{2000, 0.5f, 2000}, {.position = {0, -0.5f, 0}});
    if (ground == Ground::mesh) {
        HeightField field{.columns = 121, .rows = 121, .spacing = 0.5f};
        field.heights.assign(field.columns * field.rows, 0.0f);
        world.attach(body, Mesh::from_heights(field));
    }
}

TEST_P(SmallBoxes, DoNotShowBelowTheGround) {
    double deepest = 0;
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        for (const int rate : {30, 60, 120}) {
            World world;
            add_ground(world, GetParam());
            Dice dice(seed);
            std::vector<BodyId> boxes;
            for (int k = 0; k < 400; ++k) {
                // the order of a call's arguments is the compiler's
                const BodyDef flying{.rotation = dice.rotation(),
                                     .velocity = {static_cast<float>(dice.between(-5, 5)), -16, 0},
                                     .angular_velocity = dice.in_box({-20, -20, -20}, {20, 20, 20})};
                const Vec3 at{0.3f * static_cast<float>(k % 20), static_cast<float>(dice.between(0.5, 3)),
                              0.3f * static_cast<float>(k / 20)};
                boxes.push_back(add(world, Box{0.025f, 0.025f, 0.025f}, at, {}, flying));
            }
            for (int k = 0; k < 3 * rate / 2; ++k) {
                world.step(1.0f / static_cast<float>(rate));
                for (const BodyId box : boxes) deepest = std::max(deepest, -lowest(world, box, 0.025));
            }
        }
    }
    report("deepest_mm", 1000 * deepest);
    EXPECT_LT(deepest, 0.005);
}
INSTANTIATE_TEST_SUITE_P(On, SmallBoxes,
                         testing::Values(Ground::plane, Ground::slab, Ground::wide_slab, Ground::mesh));

TEST(Continuous, APuckSlidesOverAPlaneAndAcrossBoxesSideBySide) {
    for (const bool plane : {true, false}) {
        for (const Geometry& shape :
             {Geometry{Box{0.2f, 0.05f, 0.2f}}, Geometry{Cylinder{0.05f, 0.2f}}, Geometry{Sphere{0.05f}}}) {
            World world;
            const ShapeDef smooth{.material = {.friction = 0}};
            if (plane) add_floor(world, smooth.material);
            else
                for (int k = 0; k < 130; ++k)
                    add(world, Box{0.5f, 0.5f, 2}, {static_cast<float>(k), -0.5f, 0}, smooth,
                        {.type = BodyType::fixed});
            const BodyId puck = add(world, shape, {1, 0.05f, 0}, smooth, {.velocity = {100, 0, 0}});
            run_for(world, 1);
            EXPECT_NEAR(position(world, puck).x, 101, 0.5) << plane << " shape " << shape.index();
            EXPECT_NEAR(velocity(world, puck).x, 100, 0.5) << plane << " shape " << shape.index();
            EXPECT_NEAR(height(world, puck), 0.05, 0.005) << plane << " shape " << shape.index();
        }
    }
}

TEST(Continuous, AFastBallBouncesWithItsSpeed) {
    for (const float speed : {20.0f, 100.0f, 390.0f}) {
        World world(in_space());
        const ShapeDef elastic{.material = {.friction = 0, .restitution = 1}};
        add(world, Box{0.05f, 5, 5}, {10, 0, 0}, elastic, {.type = BodyType::fixed});
        const BodyId ball = add(world, Sphere{0.05f}, {}, elastic, {.velocity = {speed, 0, 0}});
        run_for(world, 2 * 10 / speed + 0.1);
        EXPECT_NEAR(velocity(world, ball).x, -speed, 0.03 * speed);
        EXPECT_LT(position(world, ball).x, 9.9);
    }
}

TEST(Continuous, EnergyDoesNotGrow) {
    World world(without_sleep());
    const ShapeDef elastic{.material = {.friction = 0, .restitution = 1}};
    add(world, Box{3, 0.02f, 3}, {}, elastic, {.type = BodyType::fixed});
    add(world, Box{3, 0.02f, 3}, {0, 4, 0}, elastic, {.type = BodyType::fixed});
    for (int k = 0; k < 9; ++k)
        add(world, Sphere{0.04f}, {static_cast<float>(k % 3) - 1, 2, static_cast<float>(k / 3) - 1}, elastic,
            {.velocity = {0, 6.0f + 3 * static_cast<float>(k), 0}});
    double before = energy(world);
    const double first = before;
    for (int k = 0; k < 300; ++k) {
        world.step(frame);
        const double now = energy(world);
        EXPECT_LT(now, before * (1 + 2e-3)) << k;
        before = std::min(now, before);
    }
    report("energy_kept_percent", 100 * before / first);
}

TEST(Continuous, WhatOverlapsFromTheStartIsNotHeld) {
    World world(in_space());
    const BodyId block = add(world, Box{1, 1, 1}, {}, {}, {.type = BodyType::fixed});
    (void)block;
    // its upper half is outside, and it leaves
    const BodyId ball = add(world, Sphere{0.2f}, {0, 1, 0}, {}, {.velocity = {0, 60, 0}});
    run_steps(world, 6);
    EXPECT_GT(height(world, ball), 6);
}

TEST(Continuous, EveryShapeOfACompoundIsStopped) {
    World world(in_space());
    add(world, Box{0.005f, 20, 20}, {}, {}, {.type = BodyType::fixed});
    std::vector<BodyId> bodies;
    Dice dice(2);
    for (int k = 0; k < 100; ++k) {
        const BodyId body =
            world.create_body({.position = {5.0 + 0.1 * k, 1.5 * (k % 10) - 7, 1.5 * (k / 10) - 7},
                               .rotation = dice.rotation(),
                               .velocity = {-200, 0, 0},
                               .angular_velocity = dice.in_box({-9, -9, -9}, {9, 9, 9})});
        world.attach(body, Sphere{0.05f}, {.position = {0.4f, 0, 0}});
        world.attach(body, Box{0.4f, 0.02f, 0.02f});
        world.attach(body, Cone{0.06f, 0.04f}, {.position = {-0.4f, 0, 0}});
        bodies.push_back(body);
    }
    for (int k = 0; k < 30; ++k) {
        world.step(frame);
        for (const BodyId body : bodies) ASSERT_GT(position(world, body).x, 0) << k;
    }
}

TEST(Continuous, BulletsStopAtDynamicBodies) {
    for (const bool bullet : {false, true}) {
        World world(in_space());
        std::vector<BodyId> doors, shots;
        for (int k = 0; k < 60; ++k) {
            const float y = 3 * static_cast<float>(k);
            doors.push_back(add(world, Box{1, 1, 0.01f}, {0, y, 0}, {.density = 8000}));
            shots.push_back(add(world, shot(k), {0.1f, y, 5 + 0.13f * static_cast<float>(k)}, {},
                                {.velocity = {0, 0, -300}, .bullet = bullet}));
            EXPECT_EQ(world.bullet(shots.back()), bullet);
        }
        run_steps(world, 10);
        const auto behind =
            std::count_if(shots.begin(), shots.end(), [&](BodyId b) { return position(world, b).z < -0.5; });
        if (bullet) EXPECT_EQ(behind, 0);
        else EXPECT_GT(behind, 30);
    }
}

TEST(Continuous, ABulletFlagCanChange) {
    World world(in_space());
    add(world, Box{1, 1, 0.01f}, {}, {.density = 8000});
    const BodyId shot = add(world, Sphere{0.02f}, {0, 0, 5}, {}, {.velocity = {0, 0, -300}});
    EXPECT_FALSE(world.bullet(shot));
    world.set_bullet(shot, true);
    run_steps(world, 10);
    EXPECT_GT(position(world, shot).z, -0.5);
}

/// Everything at once: rain, shots, bullets among dynamic boxes, a rotating plate.
std::vector<BodyId> build_storm(World& world) {
    add(world, Box{8, 0.02f, 8}, {0, -0.02f, 0}, {}, {.type = BodyType::fixed});
    add(world, Box{2, 2, 0.01f}, {0, 3, 0}, {}, {.type = BodyType::kinematic, .angular_velocity = {0, 9, 1}});
    Dice dice(23);
    std::vector<BodyId> bodies;
    for (int k = 0; k < 90; ++k)
        bodies.push_back(add(world, shot(k), dice.in_box({-4, 2, -4}, {4, 6, 4}),
                             {.material = {.restitution = k % 3 ? 0.0f : 0.5f}},
                             {.rotation = dice.rotation(),
                              .velocity = dice.in_box({-90, -90, -90}, {90, 20, 90}),
                              .angular_velocity = dice.in_box({-40, -40, -40}, {40, 40, 40}),
                              .bullet = k % 4 == 0}));
    for (int k = 0; k < 25; ++k)
        bodies.push_back(add(world, Box{0.3f, 0.3f, 0.02f},
                             {static_cast<float>(k % 5) - 2, 0.31f, static_cast<float>(k / 5) - 2}));
    return bodies;
}

/// Hills of half a metre, 40 m wide, in triangles of half a metre.
Mesh hills() {
    HeightField field{.columns = 81, .rows = 81, .spacing = 0.5f};
    for (std::uint32_t z = 0; z < field.rows; ++z)
        for (std::uint32_t x = 0; x < field.columns; ++x)
            field.heights.push_back(0.25f * std::sin(0.4f * static_cast<float>(x)) *
                                    std::cos(0.3f * static_cast<float>(z)));
    return Mesh::from_heights(field);
}

TEST(Continuous, NothingFastPassesAMesh) {
    for (const std::string& device : all_devices()) {
        WorldSettings settings = default_settings();
        settings.sleeping = false;
        World world(settings, on_device(device)), off(discrete(settings), on_device(device));
        for (World* to : {&world, &off}) {
            to->attach(to->create_body({.type = BodyType::fixed}), hills());
            Dice dice(11);
            for (int k = 0; k < 600; ++k) {
                const Vec3 at{0.6f * static_cast<float>(k % 30 - 15), 3,
                              0.6f * static_cast<float>(k / 30 - 10)};
                const float speed = k % 2 ? 16.0f : 350.0f;
                add(*to, k % 2 ? Geometry(Box{0.025f, 0.025f, 0.025f}) : shot(k), at, {},
                    {.rotation = dice.rotation(), .velocity = {0.1f * speed, -speed, 0}});
            }
        }
        const auto below = [&](const World& of) {
            // those that fly over the edge do not pass
            const std::vector<BodyId> bodies = of.bodies();
            return std::count_if(bodies.begin(), bodies.end(), [&](BodyId b) {
                const DVec3 at = position(of, b);
                return at.y < -0.4 && std::abs(at.x) < 19 && std::abs(at.z) < 19;
            });
        };
        for (int k = 0; k < 60; ++k) world.step(frame), off.step(frame);
        EXPECT_EQ(below(world), 0) << device;
        EXPECT_GT(below(off), 100) << device;
    }
}

TEST(Continuous, HullsFarFromTheirOriginStopAtAMesh) {
    constexpr float away = 20, half = 0.05f;
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half : -half, away + (k & 2 ? half : -half), k & 4 ? half : -half});
    const Hull far = Hull::from_points(corners);
    std::vector<std::uint64_t> expected;
    for (const std::string& device : all_devices()) {
        WorldSettings settings = default_settings();
        settings.sleeping = false;
        World world(settings, on_device(device));
        world.attach(world.create_body({.type = BodyType::fixed}), hills());
        Dice dice(17);
        std::vector<BodyId> thrown;
        for (int k = 0; k < 200; ++k) {
            const Vec3 at{0.6f * static_cast<float>(k % 20 - 10), 2 - away,
                          0.6f * static_cast<float>(k / 20 - 5)};
            const float speed = k % 2 ? 20.0f : 200.0f;
            thrown.push_back(add(world, far, at, {},
                                 {.velocity = {0.1f * speed, -speed, 0},
                                  .angular_velocity = dice.in_box({-40, -40, -40}, {40, 40, 40})}));
        }
        const std::vector<std::uint64_t> hashes = hashes_of(world, 60, 10);
        if (expected.empty()) expected = hashes;
        EXPECT_EQ(hashes, expected) << device;
        for (const BodyId b : thrown) {
            const DVec3 at = position(world, b) + wide(rotate(world.state(b).rotation, Vec3{0, away, 0}));
            EXPECT_TRUE(at.y > -0.4 || std::abs(at.x) > 19 || std::abs(at.z) > 19) << device << " " << at.y;
        }
    }
}

TEST(Continuous, NoPartOfATopplingMastPassesAMesh) {
    // the parts near the foot are slow and left to contacts, those near the tip are not
    constexpr int parts = 8;
    const auto middle = [](int part) { return 0.25f + 0.5f * static_cast<float>(part); };
    std::vector<std::uint64_t> expected;
    for (const std::string& device : all_devices()) {
        WorldSettings settings = default_settings();
        settings.sleeping = false;
        World world(settings, on_device(device)), off(discrete(settings), on_device(device));
        for (World* to : {&world, &off}) {
            to->attach(to->create_body({.type = BodyType::fixed}), hills());
            for (int k = 0; k < 36; ++k) {
                const float turn = k % 2 ? -1.0f : 1.0f, spin = turn * (4 + 0.5f * static_cast<float>(k));
                const BodyId mast = to->create_body({.position = {2.5 * (k % 6) - 6, 0.3, 5.0 * (k / 6) - 12},
                                                     .velocity = {-2 * spin, 0, 0},
                                                     .angular_velocity = {0, 0.1f * spin, spin}});
                for (int part = 0; part < parts; ++part) {
                    const float thin = 0.08f - 0.008f * static_cast<float>(part);
                    to->attach(mast, Box{thin, 0.26f, thin}, {.position = {0, middle(part), 0}});
                }
            }
        }
        const auto below = [&](const World& of) {
            int count = 0;
            for (const BodyId mast : of.bodies())
                for (int part = 0; part < parts && of.type(mast) == BodyType::dynamic; ++part) {
                    const DVec3 at =
                        position(of, mast) + wide(rotate(of.state(mast).rotation, Vec3{0, middle(part), 0}));
                    count += at.y < -0.3 && std::abs(at.x) < 19 && std::abs(at.z) < 19;
                }
            return count;
        };
        std::vector<std::uint64_t> hashes;
        int passed = 0, passed_off = 0;
        for (int k = 0; k < 60; ++k) {
            world.step(frame), off.step(frame);
            passed += below(world), passed_off += below(off);
            hashes.push_back(world.hash());
        }
        EXPECT_EQ(passed, 0) << device;
        EXPECT_GT(passed_off, 5) << device;
        if (expected.empty()) expected = hashes;
        EXPECT_EQ(hashes, expected) << device;
    }
}

TEST(Continuous, SensorsAndOneWayShapesLetFastBodiesPass) {
    for (const std::string& device : all_devices()) {
        World world(in_space(), on_device(device));
        add(world, Box{1, 0.01f, 1}, {0, 0, 0}, {.sensor = true}, {.type = BodyType::fixed});
        add(world, Box{1, 0.01f, 1}, {5, 0, 0}, {.one_way = Vec3{0, 1, 0}}, {.type = BodyType::fixed});
        const BodyId through = add(world, Sphere{0.05f}, {0, 2, 0}, {}, {.velocity = {0, -100, 0}});
        const BodyId up = add(world, Sphere{0.05f}, {5, -2, 0}, {}, {.velocity = {0, 100, 0}});
        const BodyId down = add(world, Sphere{0.05f}, {5.5f, 2, 0}, {}, {.velocity = {0, -100, 0}});
        for (int k = 0; k < 10; ++k) world.step(frame);
        EXPECT_NEAR(velocity(world, through).y, -100, 1e-3) << device;
        EXPECT_NEAR(velocity(world, up).y, 100, 1e-3) << device;
        EXPECT_GT(height(world, down), 0) << device;
    }
}

/// Geometries of 2 × 2 m across z, whose one side faces +z.
std::vector<Geometry> panes() {
    std::vector<Vec3> corners{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const Mesh sheet = Mesh::from_triangles(corners, std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3});
    for (const Vec3 corner : std::vector(corners)) corners.push_back(corner - Vec3{0, 0, 0.01f});
    return {Box{1, 1, 0.005f}, Hull::from_points(corners), sheet};
}

// one ball comes through from afar, another because in the same step a heavy one hits it
TEST(Continuous, FunctionsOfTheUserDecideWhatStopsFastBodies) {
    for (const Geometry& pane : panes())
        for (const bool by_filter : {true, false})
            for (const bool lets : {true, false}) {
                SCOPED_TRACE(testing::Message() << pane.index() << " " << by_filter << lets);
                World world(in_space(), on(2));
                const BodyId wall = add(world, pane, {0, 0, 0}, {}, {.type = BodyType::fixed});
                const BodyId far = add(world, Sphere{0.05f}, {0, 0, 2.5f}, {}, {.velocity = {0, 0, -200}});
                const BodyId pushed = add(world, Sphere{0.05f}, {0.5f, 0, 1.2f},
                                          {.density = 1, .material = {.restitution = 1}});
                const BodyId heavy =
                    add(world, Sphere{0.05f}, {0.5f, 0, 1.31f},
                        {.density = 1000, .material = {.restitution = 1}}, {.velocity = {0, 0, -120}});
                std::vector<BodyId> asked;
                const auto with_wall = [&](BodyId a, BodyId b) {
                    if (a != wall && b != wall) return false;
                    asked.push_back(a == wall ? b : a);
                    return true;
                };
                if (by_filter)
                    world.set_contact_filter([&](ShapeId a, ShapeId b) {
                        return !(with_wall(world.body(a), world.body(b)) && lets);
                    });
                else
                    world.set_pre_solve([&](const ContactInfo& c) {
                        if (!with_wall(c.first_body, c.second_body)) return true;
                        EXPECT_EQ(c.first_body, wall);
                        EXPECT_EQ(c.count, 1);
                        EXPECT_NEAR(c.normal.z, 1, 1e-4);
                        EXPECT_NEAR(c.points[0].position.x, c.second_body == far ? 0 : 0.5, 2e-3);
                        EXPECT_NEAR(c.points[0].position.z, 0, 0.006);
                        return !lets;
                    });
                world.step(frame);
                EXPECT_EQ(std::count(asked.begin(), asked.end(), pushed), 1);
                EXPECT_LT(velocity(world, pushed).z, -150);
                for (const BodyId ball : {far, pushed, heavy})
                    EXPECT_EQ(world.position(ball).z < -0.05, lets) << ball.index;
                for (int k = 0; k < 3; ++k) world.step(frame);
                for (const BodyId ball : {far, pushed, heavy})
                    EXPECT_EQ(world.position(ball).z < -0.05, lets) << ball.index;
            }
}

// the box on its floor is asked about before the solver: by then queries have seen the beginning
TEST(Continuous, FunctionsThatDecideAboutStopsFindBodiesWhereTheyAre) {
    for (const bool by_filter : {true, false})
        for (const bool just_put : {true, false}) {
            SCOPED_TRACE(testing::Message() << by_filter << just_put);
            World world(in_space(), on(2));
            const auto fixed = [&](float x) {
                return add(world, Box{1, 1, 0.005f}, {x, 0, 0}, {}, {.type = BodyType::fixed});
            };
            const BodyId first_wall = fixed(0);
            fixed(5);
            add(world, Box{0.1f, 0.1f, 0.1f}, {10, 0.2f, 0}, {}, {.type = BodyType::fixed});
            const BodyId passes = add(world, Sphere{0.05f}, {0, 0, 2.5f}),
                         stops = add(world, Sphere{0.05f}, {5, 0, 2.5f}),
                         pushed = add(world, Sphere{0.05f}, {0.5f, 0, 1.2f},
                                      {.density = 1, .material = {.restitution = 1}}),
                         heavy = add(world, Sphere{0.05f}, {0.5f, 0, 1.31f},
                                     {.density = 1000, .material = {.restitution = 1}}),
                         plate = add(world, Box{0.2f, 0.2f, 0.005f}, {5, 0, -1}),
                         bullet = add(world, Sphere{0.05f}, {5, 0, -3}, {}, {.bullet = true}),
                         box = add(world, Box{0.1f, 0.1f, 0.1f}, {10, 0.395f, 0});
            if (!just_put) world.step(frame);
            world.set_velocity(passes, {0, 0, -200});
            world.set_velocity(stops, {0, 0, -200});
            world.set_velocity(heavy, {0, 0, -120});
            world.set_velocity(bullet, {0, 0, 200});
            std::vector<double> ways; // of the one that passes, at each question
            bool of_bullet = false;
            const auto decide = [&](BodyId a, BodyId b) {
                for (const BodyId id : {passes, stops, pushed, heavy, plate, bullet, box}) {
                    const std::vector<QueryHit> hits = world.contains(world.position(id));
                    EXPECT_TRUE(std::any_of(hits.begin(), hits.end(), [&](const QueryHit& hit) {
                        return hit.body == id;
                    })) << id.index;
                }
                ways.push_back(world.position(passes).z);
                if (a == plate && b == bullet && ways.back() < 0) {
                    of_bullet = true;
                    EXPECT_NEAR(world.position(stops).z, 0.055, 0.02);
                }
                return a != first_wall;
            };
            if (by_filter)
                world.set_contact_filter(
                    [&](ShapeId a, ShapeId b) { return decide(world.body(a), world.body(b)); });
            else
                world.set_pre_solve(
                    [&](const ContactInfo& c) { return decide(c.first_body, c.second_body); });
            world.step(frame);
            ASSERT_FALSE(ways.empty());
            EXPECT_NEAR(ways.front(), 2.5, 1e-6);
            EXPECT_NEAR(ways.back(), 2.5 - 200 * frame, 1e-4);
            EXPECT_EQ(of_bullet, !by_filter);
            EXPECT_EQ(world.position(passes).z, ways.back());
            EXPECT_GT(world.position(stops).z, 0);
            EXPECT_LT(world.position(bullet).z, -1);
        }
}

// every second shot passes; what a function says is the same on any number of threads, and so are the calls
TEST(Continuous, DecisionsAboutFastBodiesHaveTheSameBitsOnAnyNumberOfThreads) {
    const auto shoot = [&](int threads, bool by_filter) {
        World world(in_space(), on(threads));
        add(world, Box{30, 30, 0.005f}, {0, 0, 0}, {}, {.type = BodyType::fixed});
        std::vector<BodyId> shots;
        for (int k = 0; k < 400; ++k)
            shots.push_back(add(world, shot(k),
                                {0.2f * static_cast<float>(k % 20), 0.2f * static_cast<float>(k / 20),
                                 1 + 0.01f * static_cast<float>(k)},
                                {}, {.velocity = {0, 0, -300}, .bullet = k % 3 == 0}));
        std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;
        const auto decides = [&](ShapeId a, ShapeId b) {
            calls.emplace_back(a.index, b.index);
            return (a.index + b.index) % 2 == 0;
        };
        if (by_filter) world.set_contact_filter(decides);
        else world.set_pre_solve([&](const ContactInfo& c) { return decides(c.first, c.second); });
        const std::vector<std::uint64_t> hashes = hashes_of(world, 8, 1);
        const auto passed = std::count_if(shots.begin(), shots.end(),
                                          [&](BodyId id) { return world.position(id).z < -0.05; });
        EXPECT_EQ(passed, 200);
        return std::pair(hashes, calls);
    };
    const SplitSmallWorlds split;
    for (const bool by_filter : {true, false}) {
        const auto expected = shoot(1, by_filter);
        EXPECT_FALSE(expected.second.empty());
        for (const int threads : {2, 5}) EXPECT_TRUE(shoot(threads, by_filter) == expected) << threads;
    }
}

TEST(Continuous, HasTheSameBitsEverywhere) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        WorldSettings settings;
        settings.solver = solver;
        World reference(settings, on(1));
        build_storm(reference);
        const std::vector<std::uint64_t> expected = hashes_of(reference, 120, 10);
        const SplitSmallWorlds split;
        std::vector<Place> places{on(2), on(4, 1)};
        for (const int lanes : available_lanes()) places.push_back(on(1, lanes));
        for (const std::string& device : kernel_devices()) places.push_back(on_device(device));
        for (const Place& place : places) {
            World world(settings, place);
            build_storm(world);
            EXPECT_EQ(hashes_of(world, 120, 10), expected);
        }
        for (const BroadPhase broad : {BroadPhase::grid, BroadPhase::brute}) {
            settings.broad_phase = broad;
            World world(settings, on(1));
            build_storm(world);
            EXPECT_EQ(hashes_of(world, 120, 10), expected);
        }
        settings.broad_phase = BroadPhase::tree;
    }
}

TEST(Continuous, ARestoredWorldGoesOnBitByBit) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        build_storm(world);
        for (int k = 0; k < 40; ++k) {
            const World restored = World::restore(world.save(), on_device(device));
            World other = world.clone();
            World copy = World::restore(world.save());
            world.step(frame);
            other.step(frame);
            copy.step(frame);
            ASSERT_EQ(other.hash(), world.hash()) << k;
            ASSERT_EQ(copy.hash(), world.hash()) << k;
            EXPECT_EQ(restored.settings().continuous, true);
        }
    }
}

} // namespace
} // namespace scree::test
