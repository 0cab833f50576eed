// SPDX-License-Identifier: MIT
// snapshot_test.cpp — granular worlds come back to a moment, and settings change between steps.
#include "support/granular_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

GranularWorld pile(GranularSettings settings, const Place& place) {
    GranularWorld world(settings, place);
    world.add_shape(shapes::cube(0.2f));
    world.add_shape(shapes::grain(0.2f));
    for (int i = 0; i < 24; ++i) {
        GranularBodyDef body =
            at({0.3f * static_cast<float>(i % 3), 1 + 1.1f * static_cast<float>(i), 0.05f});
        body.shape = i % 2 == 0 ? 0 : 1;
        world.create_body(body);
    }
    Obstacle plank;
    plank.position = {0.5f, 0.6f, 0};
    plank.size = {1, 0.1f, 1};
    plank.mass = 3;
    world.add_obstacle(plank);
    return world;
}

class SnapshotModel : public ::testing::TestWithParam<ContactModel> {};
INSTANTIATE_TEST_SUITE_P(Models, SnapshotModel,
                         ::testing::Values(ContactModel::split, ContactModel::history, ContactModel::hertz));

TEST_P(SnapshotModel, GoesOnFromThereWithTheSameBitsHereAndElsewhere) {
    GranularSettings settings = improved_settings();
    settings.contact = GetParam();
    GranularWorld world = pile(settings, cpu());
    world.step(150); // deep in contact: springs are stretched, some sleep soon
    const GranularSnapshot then = world.snapshot();
    EXPECT_GT(then.bytes(), 0u);
    const std::uint64_t hash_then = world.hash();
    world.step(100);
    const std::uint64_t end = world.hash();

    world.restore(then);
    EXPECT_EQ(world.hash(), hash_then);
    EXPECT_EQ(world.steps_done(), 150u);
    world.step(100);
    EXPECT_EQ(world.hash(), end);

    GranularWorld other(improved_settings(), cpu(2, 1));
    other.restore(then);
    other.step(100);
    EXPECT_EQ(other.hash(), end);
}

TEST(GranularSnapshots, ForgetWhatCameAfterThem) {
    GranularWorld world = pile(improved_settings(), cpu()), same = pile(improved_settings(), cpu());
    world.step(40);
    same.step(40);
    const GranularSnapshot then = world.snapshot();
    GranularShape large = shapes::grain(0.7f); // a larger shape counts in when others sleep
    GranularBodyDef body = at({5, 3, 0});
    body.shape = world.add_shape(large);
    world.create_body(body);
    world.step(30);
    world.restore(then);
    EXPECT_EQ(world.body_count(), same.body_count());
    world.step(200);
    same.step(200);
    EXPECT_EQ(world.hash(), same.hash());
    EXPECT_THROW(world.restore({}), Error);
}

TEST(GranularSettingsChange, TakesEffectInTheNextStep) {
    GranularWorld world(in_empty_space(improved_settings()), cpu());
    world.add_shape(shapes::grain(0.2f));
    world.create_body(at({0, 5, 0}));
    world.step(10);
    EXPECT_EQ(world.bodies()[0].velocity().y, 0);
    GranularSettings settings = world.settings();
    settings.gravity = {0, -2, 0};
    settings.time_step = 0.02f;
    world.change_settings(settings);
    world.step(10);
    EXPECT_NEAR(world.bodies()[0].velocity().y, -0.4, 1e-5);
    EXPECT_NEAR(world.time(), 10 * 0.01 + 10 * 0.02, 1e-7);
    EXPECT_EQ(world.steps_done(), 20u);
}

TEST(GranularSettingsChange, WakesAndIsRefusedWhole) {
    GranularWorld world(improved_settings(), cpu());
    world.add_shape(shapes::grain(0.2f));
    for (int i = 0; i < 4; ++i) world.create_body(at({static_cast<float>(i), 0.2f, 0}));
    world.step(4000); // until the little damping has taken the bounce out
    ASSERT_GT(world.measure().asleep, 0u);
    GranularSettings settings = world.settings();
    settings.stiffness = -1;
    EXPECT_THROW(world.change_settings(settings), Error);
    settings = world.settings();
    settings.mode = GranularMode::reference; // which knows one radius
    settings.particle_radius = 0.3f;
    settings.substeps = 0;
    EXPECT_THROW(world.change_settings(settings), Error);
    EXPECT_EQ(world.settings().mode, GranularMode::improved);
    EXPECT_GT(world.measure().asleep, 0u);
    settings = world.settings();
    settings.gravity = {0, 9.81f, 0};
    world.change_settings(settings);
    world.step(20);
    EXPECT_EQ(world.measure().asleep, 0u);
    for (const GranularBodyState& body : world.bodies()) EXPECT_GT(body.velocity().y, 0);
}

} // namespace
} // namespace scree::test
