// SPDX-License-Identifier: MIT
// obstacle_test.cpp — particle bodies and bodies of exact geometry in one world: planes, boxes, spheres.
// compiled alone
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double grain_sink = 9.81 / 100; // of a grain of 1 kg on one spring
constexpr double cube_sink = 9.81 / 900;

GranularSettings without_planes() {
    GranularSettings settings = improved_settings();
    settings.ground = false;
    settings.walls = false;
    settings.sleeping = false;
    return settings;
}

Obstacle box_at(Vec3 position, Vec3 half_sides) { return {.position = position, .size = half_sides}; }

Obstacle sphere_at(Vec3 position, float radius) {
    Obstacle sphere;
    sphere.kind = Obstacle::Kind::sphere;
    sphere.position = position;
    sphere.size = {radius, 0, 0};
    return sphere;
}

Obstacle plane_at(Vec3 position, Quat rotation = {}) {
    Obstacle plane;
    plane.kind = Obstacle::Kind::plane;
    plane.position = position;
    plane.rotation = rotation;
    return plane;
}

GranularWorld world_on(const Obstacle& obstacle, const GranularSettings& settings, const GranularShape& shape,
                       const GranularBodyDef& body) {
    GranularWorld world = world_of(settings, shape, {body});
    world.add_obstacle(obstacle);
    return world;
}

// R2.66, R2.16
TEST(GranularObstacles, CubeRestsOnAPlaneAsOnTheGround) {
    GranularWorld world =
        world_on(plane_at({3, 2, -7}), without_planes(), shapes::cube(0.2f), at({0, 2.6f, 0}));
    run(world, 8);
    EXPECT_NEAR(2.6 - world.bodies()[0].position.y, cube_sink, 0.01 * cube_sink);
}

// R2.66
TEST(GranularObstacles, CubeRestsOnABox) {
    GranularWorld world = world_on(box_at({0, 1, 0}, {2, 0.5f, 2}), without_planes(), shapes::cube(0.2f),
                                   at({0.3f, 2.1f, 0.2f}));
    run(world, 8);
    EXPECT_NEAR(2.1 - world.bodies()[0].position.y, cube_sink, 0.01 * cube_sink);
}

// R2.66
TEST(GranularObstacles, CubeRestsOnATurnedBox) {
    // a quarter turn about z: the box's x side is up now
    Obstacle box = box_at({0, 1, 0}, {0.5f, 2, 2});
    box.rotation = narrow(turn({0, 0, 1}, pi / 2));
    GranularWorld world = world_on(box, without_planes(), shapes::cube(0.2f), at({0.3f, 2.1f, 0.2f}));
    run(world, 8);
    EXPECT_NEAR(2.1 - world.bodies()[0].position.y, cube_sink, 0.01 * cube_sink);
}

// R2.66
TEST(GranularObstacles, GrainRestsOnTopOfASphere) {
    GranularWorld world =
        world_on(sphere_at({0, 2, 0}, 1.5f), without_planes(), shapes::grain(0.2f), at({0, 3.7f, 0}));
    run(world, 8);
    EXPECT_NEAR(world.bodies()[0].position.y, 3.7 - grain_sink, 0.01 * grain_sink);
}

// R2.66
TEST(GranularObstacles, TiltedPlanePushesAlongItsNormal) {
    GranularSettings settings = in_empty_space(without_planes());
    settings.contact = ContactModel::linear;
    settings.substeps = 1;
    const double angle = 0.6;
    const DVec3 normal{-std::sin(angle), std::cos(angle), 0};
    GranularWorld world = world_on(plane_at({1, 1, 1}, narrow(turn({0, 0, 1}, angle))), settings,
                                   shapes::grain(0.2f), at(narrow(DVec3{1, 1, 1} + 0.15 * normal)));
    world.step();
    EXPECT_LT(length(wide(world.particle_forces()[0]) - 100 * 0.05 * normal), 1e-3);
}

struct Push {
    std::string what;
    Obstacle obstacle;
    DVec3 grain, normal;
    double overlap;
};

// R2.66
TEST(GranularObstacles, FacesEdgesAndCornersOfABoxPushAlongTheShortestWay) {
    GranularSettings settings = in_empty_space(without_planes());
    settings.contact = ContactModel::linear;
    settings.substeps = 1;
    const Obstacle box = box_at({1, 0, -1}, {0.5f, 0.4f, 0.3f});
    const double s2 = std::sqrt(0.5), s3 = std::sqrt(1 / 3.0);
    const std::vector<Push> pushes{
        {"face +x", box, {1.6, 0.1, -1.1}, {1, 0, 0}, 0.1},
        {"face -z", box, {0.9, 0.1, -1.45}, {0, 0, -1}, 0.05},
        {"edge", box, DVec3{1.5, 0.4, -1} + 0.15 * DVec3{s2, s2, 0}, {s2, s2, 0}, 0.05},
        {"corner", box, DVec3{0.5, -0.4, -0.7} + 0.15 * DVec3{-s3, -s3, s3}, {-s3, -s3, s3}, 0.05},
        {"just inside", box, {1.45, 0.0, -1.0}, {1, 0, 0}, 0.25},
        {"sphere", sphere_at({1, 2, 3}, 0.7f), DVec3{1, 2, 3} + 0.8 * DVec3{0, s2, -s2}, {0, s2, -s2}, 0.1}};
    for (const Push& push : pushes) {
        SCOPED_TRACE(push.what);
        GranularWorld world = world_on(push.obstacle, settings, shapes::grain(0.2f), at(narrow(push.grain)));
        EXPECT_NEAR(world.measure().max_overlap, push.overlap, 1e-5);
        world.step();
        EXPECT_LT(length(wide(world.particle_forces()[0]) - 100 * push.overlap * push.normal), 1e-3);
    }
}

// R2.66
TEST(GranularObstacles, GrainBesideAnObstacleFeelsNothing) {
    for (const Obstacle& obstacle : {box_at({0, 0, 0}, {0.5f, 0.5f, 0.5f}), sphere_at({0, 0, 0}, 0.5f),
                                     plane_at({0.5f, 0, 0}, narrow(turn({0, 0, 1}, -pi / 2)))}) {
        GranularWorld world =
            world_on(obstacle, in_empty_space(without_planes()), shapes::grain(0.2f), at({0.71f, 0, 0}));
        world.step(10);
        EXPECT_EQ(world.bodies()[0].position, (Vec3{0.71f, 0, 0}));
    }
}

// R2.66, R2.19
TEST(GranularObstacles, GrainAtTheCentreOfAnObstacleGetsAFiniteForce) {
    for (const Obstacle& obstacle : {box_at({1, 1, 1}, {0.5f, 0.5f, 0.5f}), sphere_at({1, 1, 1}, 0.5f)}) {
        GranularWorld world =
            world_on(obstacle, in_empty_space(without_planes()), shapes::grain(0.2f), at({1, 1, 1}));
        world.step(20);
        EXPECT_TRUE(all_finite(world));
        EXPECT_EQ(world.measure().frozen, 0u);
    }
}

// R2.66
TEST(GranularObstacles, DrivenObstacleMovesAtItsVelocityWhateverItHits) {
    Obstacle ram = box_at({-2, 0.6f, 0}, {0.5f, 0.5f, 0.5f});
    ram.velocity = {1, 0, 0};
    GranularSettings settings = improved_settings();
    GranularWorld world = world_on(ram, settings, shapes::cube(0.2f), at({0, 0.59f, 0}));
    run(world, 3);
    EXPECT_NEAR(world.obstacles()[0].position.x, 1, 1e-3);
    EXPECT_NEAR(world.obstacles()[0].position.y, 0.6, 1e-6);
    EXPECT_EQ(world.obstacles()[0].velocity, (Vec3{1, 0, 0}));
}

// R2.66
TEST(GranularObstacles, DrivenObstaclePushesABodyAhead) {
    Obstacle ram = box_at({-2, 0.6f, 0}, {0.5f, 0.5f, 0.5f});
    ram.velocity = {1, 0, 0};
    GranularWorld world = world_on(ram, improved_settings(), shapes::cube(0.2f), at({0, 0.59f, 0}));
    run(world, 3);
    EXPECT_GT(world.bodies()[0].position.x, world.obstacles()[0].position.x + 1.0);
}

// R2.66
TEST(GranularObstacles, SpinningObstacleTurnsAtItsAngularVelocity) {
    Obstacle paddle = box_at({0, 5, 0}, {0.5f, 0.1f, 0.1f});
    paddle.angular_velocity = {0, 2, 0};
    GranularWorld world = world_on(paddle, improved_settings(), shapes::grain(0.2f), at({9, 1, 0}));
    run(world, 0.5);
    const DQuat expected = turn({0, 1, 0}, 1.0), got = wide(world.obstacles()[0].rotation);
    EXPECT_NEAR(got.s, expected.s, 1e-4);
    EXPECT_NEAR(got.y, expected.y, 1e-4);
}

// R2.66
TEST(GranularObstacles, SpinningObstacleSweepsGrainsAway) {
    Obstacle paddle = box_at({0, 0, 0}, {1.5f, 0.3f, 0.1f});
    paddle.angular_velocity = {0, 2, 0};
    GranularWorld world =
        world_on(paddle, in_empty_space(without_planes()), shapes::grain(0.2f), at({1, 0, -0.6f}));
    run(world, 1.5);
    EXPECT_GT(length(wide(world.bodies()[0].velocity())), 0.5);
}

// R2.66
TEST(GranularObstacles, BodyRidesOnAMovingObstacle) {
    Obstacle belt = box_at({0, 0, 0}, {5, 0.5f, 5});
    belt.velocity = {0.5f, 0, 0};
    GranularWorld world = world_on(belt, without_planes(), shapes::cube(0.2f), at({0, 1.09f, 0}));
    run(world, 12); // it rocks for a while
    EXPECT_NEAR(world.bodies()[0].velocity().x, 0.5, 0.05);
}

// R2.66
TEST(GranularObstacles, FixedObstacleStaysWhereItIs) {
    GranularWorld world = world_on(box_at({0, 1, 0}, {2, 0.5f, 2}), improved_settings(), shapes::cube(0.2f),
                                   at({0, 4, 0}, {0, -10, 0}));
    run(world, 2);
    EXPECT_EQ(world.obstacles()[0].position, (Vec3{0, 1, 0}));
    EXPECT_EQ(world.obstacles()[0].velocity, (Vec3{0, 0, 0}));
}

DVec3 momentum_with_obstacles(const GranularWorld& world) {
    DVec3 sum = total_momentum(world);
    for (const Obstacle& obstacle : world.obstacles()) {
        sum += static_cast<double>(obstacle.mass) * wide(obstacle.velocity);
    }
    return sum;
}

// R2.66
TEST(GranularObstacles, FreeObstacleAndBodiesConserveMomentum) {
    for (Obstacle target : {sphere_at({0, 0, 0}, 0.5f), box_at({0, 0, 0}, {0.5f, 0.4f, 0.3f})}) {
        target.mass = 2;
        GranularWorld world = world_of(in_empty_space(without_planes()), shapes::cube(0.2f),
                                       {at({-1.5f, 0.2f, 0}, {2, 0, 0}), at({2, -0.1f, 0.3f}, {-3, 0, 0})});
        world.add_obstacle(target);
        const DVec3 before = momentum_with_obstacles(world);
        run(world, 2);
        EXPECT_GT(length(wide(world.obstacles()[0].velocity)), 0.05) << "it was hit";
        EXPECT_LT(length(momentum_with_obstacles(world) - before), 1e-4);
    }
}

// R2.66
TEST(GranularObstacles, HitOffCentreSpinsAFreeObstacle) {
    Obstacle bar = box_at({0, 0, 0}, {1.5f, 0.2f, 0.2f});
    bar.mass = 2;
    GranularWorld world =
        world_on(bar, in_empty_space(without_planes()), shapes::grain(0.2f), at({1.2f, -1, 0}, {0, 3, 0}));
    run(world, 1);
    EXPECT_GT(world.obstacles()[0].angular_velocity.z, 0.2);
}

// R2.66
TEST(GranularObstacles, FreeObstacleFallsLikeABody) {
    Obstacle ball = sphere_at({0, 20, 0}, 0.5f);
    ball.mass = 3;
    GranularWorld world = world_on(ball, improved_settings(), shapes::grain(0.2f), at({9, 1, 0}));
    run(world, 1);
    EXPECT_NEAR(world.obstacles()[0].velocity.y, -9.81, 1e-2);
}

// R2.66
TEST(GranularObstacles, ObstacleThatFliesOffToInfinityHarmsNobody) {
    for (const Obstacle& kind : {sphere_at({0, 9, 0}, 0.5f), box_at({0, 9, 0}, {1, 1, 1})}) {
        Obstacle obstacle = kind;
        obstacle.velocity = {0, 3e38f, 0};
        obstacle.angular_velocity = {3e38f, 0, 3e38f};
        GranularWorld world = world_on(obstacle, improved_settings(), shapes::cube(0.2f), at({0, 7, 0}));
        run(world, 1);
        EXPECT_TRUE(all_finite(world));
        EXPECT_EQ(world.measure().frozen, 0u);
        EXPECT_NEAR(world.bodies()[0].velocity().y, -9.81, 1e-3);
        run(world, 12);
        EXPECT_TRUE(all_finite(world));
        EXPECT_NEAR(world.bodies()[0].position.y, 0.6 - cube_sink, 0.01);
    }
}

// R2.66
TEST(GranularObstacles, ObstacleThatIsNoLongerFiniteStaysWhereItWas) {
    Obstacle flies = box_at({0, 9, 0}, {1, 1, 1}), falls = flies;
    flies.velocity = {0, 3e38f, 0}; // twice that is beyond floats
    falls.mass = 1;
    GranularSettings settings = improved_settings();
    settings.time_step = 1;
    settings.substeps = 1;
    settings.gravity = {0, -3e38f, 0};
    GranularWorld world(settings, cpu());
    for (const Obstacle& obstacle : {flies, falls}) world.add_obstacle(obstacle);
    world.step(2);
    for (const Obstacle& obstacle : world.obstacles()) {
        EXPECT_EQ(std::fabs(obstacle.position.y), 3e38f);
        EXPECT_EQ(obstacle.velocity, Vec3{});
        EXPECT_EQ(obstacle.rotation, Quat{});
    }
    world.step(3);
    for (const Obstacle& obstacle : world.obstacles())
        EXPECT_TRUE(is_finite(obstacle.position) && is_finite(obstacle.velocity));
}

// R2.66
TEST(GranularObstacles, FreeSlabRestsOnFourCubes) {
    GranularSettings settings = improved_settings();
    settings.sleeping = false;
    const float y = 0.58f;
    GranularWorld world =
        world_of(settings, shapes::cube(0.2f), resting_at({{-1, y, -1}, {1, y, -1}, {-1, y, 1}, {1, y, 1}}));
    Obstacle slab = box_at({0, 1.4f, 0}, {1.5f, 0.2f, 1.5f});
    slab.mass = 2;
    world.add_obstacle(slab);
    run(world, 8);
    const Obstacle now = world.obstacles()[0];
    // 36 springs carry the slab; the cubes' 36 springs on the ground carry slab and cubes
    const double expected = 1.4 - 2 * 9.81 / (36 * 100) - (2 + 4) * 9.81 / (36 * 100);
    EXPECT_NEAR(now.position.y, expected, 1e-3);
    EXPECT_LT(length(wide(now.velocity)), 1e-2);
}

} // namespace
} // namespace scree::test
