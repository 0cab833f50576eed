// SPDX-License-Identifier: MIT
// world_test.cpp — a world's life: empty, growing, moved, large; and bodies that go wrong.
#include "device/opened.h"
#include "granular/arrays.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

constexpr std::array all_modes{GranularMode::reference, GranularMode::improved, GranularMode::brute};

GranularSettings settings_of(GranularMode mode) {
    GranularSettings settings = seed_settings_in_room(4);
    settings.mode = mode;
    settings.contact = ContactModel::history;
    return settings;
}

TEST(GranularWorldLife, EmptyWorldSteps) {
    for (GranularMode mode : all_modes) {
        GranularWorld world(settings_of(mode), cpu());
        world.step(10);
        EXPECT_EQ(world.steps_done(), 10u);
        EXPECT_EQ(world.body_count(), 0u);
        EXPECT_TRUE(world.bodies().empty());
        EXPECT_TRUE(world.particles().empty());
        EXPECT_TRUE(world.particle_forces().empty());
        EXPECT_TRUE(world.interlocked().empty());
        EXPECT_EQ(world.measure().contacts, 0u);
        EXPECT_EQ(world.measure().kinetic_energy, 0);
    }
}

TEST(GranularWorldLife, WorldOfObstaclesAloneSteps) {
    GranularWorld world(improved_settings(), cpu());
    Obstacle ball;
    ball.kind = Obstacle::Kind::sphere;
    ball.velocity = {1, 0, 0};
    world.add_obstacle(ball);
    world.step(100);
    EXPECT_NEAR(world.obstacles()[0].position.x, 1, 1e-4);
}

TEST(GranularWorldLife, WorldWithoutADeviceChoosesOne) {
    GranularWorld world;
    world.add_shape(shapes::grain(0.2f));
    world.create_body(at({0, 5, 0}));
    world.step(10);
    EXPECT_NEAR(world.bodies()[0].velocity().y, -0.981, 1e-4);
}

TEST(GranularWorldLife, FirstBodyOfARunningWorldFalls) {
    for (GranularMode mode : all_modes) {
        GranularWorld world(settings_of(mode), cpu());
        world.step(5);
        world.add_shape(shapes::cube(0.2f));
        EXPECT_EQ(world.create_body(at({0, 3, 0})), 0u);
        world.step(10);
        EXPECT_NEAR(world.bodies()[0].velocity().y, -0.981, 1e-4);
    }
}

TEST(GranularWorldLife, IndicesCountUpAndStayWhileTheWorldGrows) {
    for (GranularMode mode : all_modes) {
        GranularWorld world(settings_of(mode), cpu());
        world.add_shape(shapes::cube(0.2f, 2));
        for (std::uint32_t i = 0; i < 40; ++i) {
            ASSERT_EQ(world.create_body(at({-3.5f + 0.9f * static_cast<float>(i % 8),
                                            2 + 1.5f * static_cast<float>(i / 8), 0})),
                      i);
            world.step();
            ASSERT_EQ(world.body_count(), i + 1);
            ASSERT_EQ(world.particle_count(), 8 * (i + 1));
            ASSERT_NEAR(world.bodies()[0].velocity().y, -9.81 * 0.01 * (i + 1), 1e-3);
        }
        const auto bodies = world.bodies();
        for (std::uint32_t i = 0; i < 40; ++i)
            EXPECT_NEAR(bodies[i].velocity().y, -9.81 * 0.01 * (40 - i), 1e-3);
    }
}

TEST(GranularWorldLife, GrowingDoesNotDisturbWhatIsThere) {
    for (GranularMode mode : all_modes) {
        const auto pair = resting_at({{0, 0.9f, 0}, {0.1f, 2.2f, 0}});
        GranularWorld growing = world_of(settings_of(mode), shapes::cube(0.2f), pair),
                      still = world_of(settings_of(mode), shapes::cube(0.2f), pair);
        growing.step(30);
        for (int i = 0; i < 30; ++i) {
            growing.create_body(at({3, 2 + 1.3f * static_cast<float>(i), 3}));
            growing.step();
        }
        still.step(60);
        for (std::size_t b = 0; b < 2; ++b) {
            EXPECT_EQ(growing.bodies()[b].position, still.bodies()[b].position);
            EXPECT_EQ(growing.bodies()[b].momentum, still.bodies()[b].momentum);
            EXPECT_EQ(growing.bodies()[b].rotation, still.bodies()[b].rotation);
        }
    }
}

TEST(GranularWorldLife, NewBodiesCollideWithOldOnes) {
    GranularWorld world = world_of(in_empty_space(improved_settings()), shapes::grain(0.2f), {at({0, 0, 0})});
    world.step(10);
    world.create_body(at({0.3f, 0, 0}));
    world.step();
    EXPECT_LT(world.bodies()[0].velocity().x, 0);
    EXPECT_GT(world.bodies()[1].velocity().x, 0);
}

TEST(GranularWorldLife, ShapesCanBeAddedBetweenSteps) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
    world.step();
    GranularBodyDef bar = at({3, 5, 0});
    bar.shape = world.add_shape(shapes::cuboid(0.1f, 1, 1, 9));
    world.create_body(bar);
    EXPECT_EQ(world.particle_count(), 36u);
    EXPECT_EQ(world.shape(bar.shape).particles.size(), 9u);
    world.step();
    EXPECT_EQ(world.particles()[27].body, 1u);
}

TEST(GranularWorldLife, SetBodyPutsTheBodyThere) {
    for (GranularMode mode : all_modes) {
        GranularWorld world =
            world_of(settings_of(mode), shapes::cube(0.2f), resting_at({{0, 3, 0}, {2, 3, 0}}));
        world.step(5);
        const GranularBodyState other = world.bodies()[0];
        GranularBodyDef body = at({-2, 5, 1}, {1, 2, 3});
        body.rotation = narrow(turn({0, 1, 0}, 0.3));
        body.mass = 2;
        world.set_body(1, body);
        const GranularBodyState now = world.bodies()[1];
        EXPECT_EQ(now.position, body.position);
        EXPECT_NEAR(now.rotation.y, body.rotation.y, 1e-6);
        EXPECT_EQ(now.momentum, (Vec3{2, 4, 6}));
        EXPECT_EQ(now.mass, 2.0f);
        EXPECT_EQ(world.bodies()[0].position, other.position);
    }
}

TEST(GranularWorldLife, SetBodyToItsStartRepeatsTheRun) {
    GranularWorld world = world_of(settings_of(GranularMode::reference), shapes::cube(0.2f), stream(4));
    world.step(100);
    const std::uint64_t first = world.hash();
    const auto bodies = stream(4);
    for (std::uint32_t i = 0; i < 4; ++i) world.set_body(i, bodies[i]);
    world.step(100);
    EXPECT_EQ(world.hash(), first);
}

TEST(GranularWorldLife, MovedWorldGoesOn) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), stream(3));
    world.step(10);
    GranularWorld moved = std::move(world);
    moved.step(10);
    GranularWorld target = world_of(improved_settings(), shapes::grain(0.2f), {at({0, 1, 0})});
    target = std::move(moved);
    target.step(10);
    GranularWorld plain = world_of(improved_settings(), shapes::cube(0.2f), stream(3));
    plain.step(30);
    EXPECT_EQ(target.hash(), plain.hash());
}

TEST(GranularWorldLife, TwoWorldsShareADevice) {
    GranularWorld a = world_of(improved_settings(), shapes::cube(0.2f), stream(3)),
                  b = world_of(settings_of(GranularMode::reference), shapes::cube(0.2f), stream(4));
    for (int i = 0; i < 20; ++i) {
        a.step();
        b.step();
    }
    GranularWorld alone = world_of(improved_settings(), shapes::cube(0.2f), stream(3));
    alone.step(20);
    EXPECT_EQ(a.hash(), alone.hash());
}

// R2.41 as far as it needs no window
TEST(GranularWorldLife, DeviceMemoryIsGivenBack) {
    const std::shared_ptr<Device> device = cpu().opened().queue();
    {
        GranularArrays arrays(device, 0, improved_settings());
        arrays.upload({shapes::cube(0.2f)}, {}, {}, 1);
        EXPECT_GT(device->traffic().allocated, 0u);
    }
    EXPECT_EQ(device->traffic().allocated, 0u);
    // nor does a world hold more than it needs when it becomes another
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), stream(30));
    world.step(2);
    const std::uint64_t held = world.device().traffic().allocated;
    for (int i = 0; i < 20; ++i) {
        GranularWorld other = world_of(improved_settings(), shapes::cube(0.2f), stream(10 + i % 3));
        other.step(2);
        EXPECT_GT(other.memory(), 0u);
        world.restore(other.save());
        world.step(2);
    }
    EXPECT_LE(world.device().traffic().allocated, held);
}

// without kept neighbour lists, which cost about 40 bytes more
TEST(GranularWorldLife, ParticleOfACubeNeedsAtMost160Bytes) {
    GranularSettings settings = improved_settings();
    settings.neighbour_skin = 0;
    GranularWorld world =
        world_of(settings, shapes::cube(0.2f), scattered(1000, {-14, 1, -14}, {14, 60, 14}, 31));
    world.step(2);
    EXPECT_LE(world.memory(), 160u * 27000u);
}

// without kept neighbour lists, and without the history model's springs, 16 bytes for each that is kept
TEST(GranularWorldLife, GrainThatIsABodyOfItsOwnNeedsAtMost160Bytes) {
    GranularSettings settings = improved_settings();
    settings.neighbour_skin = 0;
    settings.contact = ContactModel::split;
    GranularWorld world =
        world_of(settings, shapes::grain(0.2f), scattered(20000, {-14, 1, -14}, {14, 60, 14}, 31));
    world.step(2);
    EXPECT_LE(world.memory(), 160u * 20000u);
}

TEST(GranularWorldLife, HundredThousandGrainsStep) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        GranularSettings settings = seed_settings();
        settings.mode = mode;
        std::vector<GranularBodyDef> bodies;
        for (int i = 0; i < 100000; ++i) {
            bodies.push_back(
                at({-12.25f + 0.5f * static_cast<float>(i % 50), 1 + 0.5f * static_cast<float>(i / 2500),
                    -12.25f + 0.5f * static_cast<float>(i / 50 % 50)}));
        }
        GranularWorld world = world_of(settings, shapes::grain(0.2f), bodies, cpu(2));
        world.step(2);
        EXPECT_EQ(world.particle_count(), 100000u);
        EXPECT_TRUE(all_finite(world));
        EXPECT_NEAR(mean_height(world), 1 + 0.5 * 19.5 - 3 * 9.81e-4, 1e-3);
    }
}

/// A body so large and turning so fast that its particles' velocities overflow where it touches the ground.
GranularBodyDef overflowing(std::uint32_t shape) {
    GranularBodyDef body = at({0, 10, 0});
    body.shape = shape;
    body.angular_velocity = {3e38f, 3e38f, 3e38f};
    return body;
}

GranularWorld world_with_overflowing_body() {
    GranularSettings settings = improved_settings();
    settings.world_size = 100;
    GranularWorld world(settings, cpu());
    const std::uint32_t small = world.add_shape(shapes::cube(0.2f)), large = world.add_shape(shapes::cube(5));
    GranularBodyDef body = at({50, 5, 0});
    body.shape = small;
    world.create_body(body);
    world.create_body(overflowing(large));
    return world;
}

TEST(GranularQuarantine, BodyThatOverflowsIsFrozenAndNotNan) {
    GranularWorld world = world_with_overflowing_body();
    world.step(10);
    EXPECT_TRUE(all_finite(world));
    EXPECT_TRUE(world.bodies()[1].frozen);
    EXPECT_EQ(world.measure().frozen, 1u);
}

TEST(GranularQuarantine, FrozenBodyIsRolledBackAndStopped) {
    GranularWorld world = world_with_overflowing_body();
    world.step(10);
    const GranularBodyState body = world.bodies()[1];
    EXPECT_EQ(body.position, (Vec3{0, 10, 0}));
    EXPECT_EQ(body.momentum, (Vec3{0, 0, 0}));
    EXPECT_EQ(body.angular_momentum, (Vec3{0, 0, 0}));
    world.step(50);
    EXPECT_EQ(world.bodies()[1].position, (Vec3{0, 10, 0}));
}

TEST(GranularQuarantine, OtherBodiesGoOn) {
    GranularWorld world = world_with_overflowing_body();
    world.step(10);
    EXPECT_FALSE(world.bodies()[0].frozen);
    EXPECT_NEAR(world.bodies()[0].velocity().y, -0.981, 1e-4);
}

TEST(GranularQuarantine, BodyTouchedByAnOverflowingOneIsFiniteToo) {
    GranularSettings settings = in_empty_space(improved_settings());
    GranularWorld world(settings, cpu());
    GranularBodyDef calm = at({0, 0, 16}), wild = overflowing(world.add_shape(shapes::cube(5)));
    calm.shape = world.add_shape(shapes::cube(1));
    wild.position = {0, 0, 0};
    world.create_body(wild);
    world.create_body(calm);
    world.step(20);
    EXPECT_TRUE(all_finite(world));
    EXPECT_EQ(world.steps_done(), 20u);
}

TEST(GranularQuarantine, FrozenBodyIsThawedBySettingIt) {
    GranularWorld world = world_with_overflowing_body();
    world.step(10);
    ASSERT_TRUE(world.bodies()[1].frozen);
    GranularBodyDef body = at({0, 40, 0});
    body.shape = 1;
    world.set_body(1, body);
    world.step(10);
    EXPECT_FALSE(world.bodies()[1].frozen);
    EXPECT_NEAR(world.bodies()[1].velocity().y, -0.981, 1e-4);
}

TEST(GranularQuarantine, ReferenceModeFreezesToo) {
    GranularSettings settings = seed_settings();
    settings.stiffness = 1e38f;
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {at({0, -5, 0}), at({5, 5, 0})});
    world.step(10);
    EXPECT_TRUE(all_finite(world));
    EXPECT_TRUE(world.bodies()[0].frozen);
    EXPECT_NEAR(world.bodies()[1].velocity().y, -0.981, 1e-4);
}

} // namespace
} // namespace scree::test
