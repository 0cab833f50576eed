// SPDX-License-Identifier: MIT
// appearance_test.cpp — what worlds look like and where they are, for whoever draws or records them.
#include "scree/appearance.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

TEST(WorldAppearance, BodiesOfEqualPartsShareAShapeAndPosesAreOfOrigins) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    for (int i = 0; i < 3; ++i)
        world.attach(world.create_body({.position = {0, 1 + 2 * static_cast<float>(i), 0}}),
                     Box{0.5f, 0.5f, 0.5f}, {.position = {0.25f, 0, 0}});
    const auto look = std::make_shared<Appearance>(appearance_of(world));
    ASSERT_EQ(look->bodies.size(), 4u);
    EXPECT_EQ(look->body_count, 4u);
    EXPECT_EQ(look->shapes.size(), 2u);
    EXPECT_TRUE(std::isinf(look->shapes[look->bodies[0].shape].reach));
    EXPECT_EQ(look->bodies[1].shape, look->bodies[3].shape);
    EXPECT_EQ(look->bodies[1].centre, (Vec3{0.25f, 0, 0}));
    Frame frame{.appearance = look};
    show(world, frame, true);
    ASSERT_EQ(frame.size(), 4u);
    EXPECT_EQ(frame.pose(2).position, (Vec3{0, 3, 0}));
    EXPECT_EQ(frame.centre(2), (Vec3{0.25f, 3, 0}));
    for (int i = 0; i < 20; ++i) world.step(1 / 60.0f);
    show(world, frame, true);
    EXPECT_EQ(frame.step, 20u);
    EXPECT_LT(frame.pose(3).position.y, 5);
    EXPECT_LT(frame.velocity[3].y, -1);
}

TEST(WorldAppearance, JointsAreThereWithTheirAnchorsAndAxes) {
    World world;
    const BodyId a = world.create_body({.position = {1, 2, 3}}),
                 b = world.create_body({.position = {2, 2, 3}});
    world.attach(a, Sphere{0.2f});
    world.attach(b, Sphere{0.2f});
    world.create_joint(
        {.type = JointType::hinge, .first = a, .second = b, .anchor = {1.5f, 2, 3}, .axis = {0, 0, 1}});
    world.create_joint({.first = b, .anchor = {2, 3, 3}});
    const Appearance look = appearance_of(world);
    ASSERT_EQ(look.joints.size(), 2u);
    EXPECT_EQ(look.joints[0].type, "hinge");
    EXPECT_EQ(look.joints[0].second, 1u);
    EXPECT_EQ(look.joints[0].first_anchor, (Vec3{0.5f, 0, 0}));
    EXPECT_EQ(look.joints[0].second_anchor, (Vec3{-0.5f, 0, 0}));
    ASSERT_TRUE(look.joints[0].axis);
    EXPECT_NEAR(std::abs(look.joints[0].axis->z), 1, 1e-6);
    EXPECT_FALSE(look.joints[1].second);
    EXPECT_EQ(look.joints[1].second_anchor, (Vec3{2, 3, 3}));
    EXPECT_FALSE(look.joints[1].axis);
}

TEST(WorldAppearance, AnOldOneIsRefusedOnceBodiesCameOrWent) {
    World world;
    const BodyId first = world.create_body();
    world.attach(first, Sphere{});
    world.attach(world.create_body({.position = {3, 0, 0}}), Box{});
    Frame frame{.appearance = std::make_shared<Appearance>(appearance_of(world))};
    EXPECT_NO_THROW(show(world, frame));
    world.destroy(first);
    EXPECT_THROW(show(world, frame), Error);
    world.attach(world.create_body({.position = {6, 0, 0}}), Sphere{}); // as many as before, not the same
    EXPECT_THROW(show(world, frame), Error);
    frame.appearance = std::make_shared<Appearance>(appearance_of(world));
    EXPECT_NO_THROW(show(world, frame));
    // without an appearance there is nothing to fit
    Frame plain;
    EXPECT_NO_THROW(show(world, plain));
    EXPECT_EQ(plain.size(), 2u);
}

TEST(GranularAppearance, ObstaclesGroundAndWallsComeBehindTheBodies) {
    GranularWorld world({.world_size = 5});
    world.create_body({.shape = world.add_shape(shapes::cube(0.2f)), .position = {0, 1, 0}});
    world.add_obstacle({.kind = Obstacle::Kind::sphere, .position = {3, 1, 0}, .size = {1, 0, 0}});
    const Appearance look = appearance_of(world);
    EXPECT_EQ(look.body_count, 1u);
    ASSERT_EQ(look.bodies.size(), 1u + 1 + 5);
    EXPECT_EQ(look.bodies[1].name, "obstacle");
    EXPECT_EQ(look.bodies[2].name, "ground");
    Frame frame{.appearance = std::make_shared<Appearance>(look)};
    show(world, frame);
    // every wall's solid side is away from the middle
    for (std::size_t b = 3; b < 7; ++b) {
        const Pose wall = frame.pose(b);
        EXPECT_LT(dot(rotate(wall.rotation, Vec3{0, 1, 0}), wall.position), -4.9f) << b;
    }
    world.create_body({.shape = 0, .position = {0, 3, 0}});
    EXPECT_THROW(show(world, frame), Error);
}

} // namespace
} // namespace scree
