// SPDX-License-Identifier: MIT
// validation_test.cpp — what is not acceptable is refused by name before anything changes.
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace scree::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

using BadSetting = Bad<GranularSettings>;
using BadBody = Bad<GranularBodyDef>;
using BadObstacle = Bad<Obstacle>;

std::vector<BadSetting> bad_settings() {
    using S = GranularSettings;
    std::vector<BadSetting> list;
    add_bad(list, "mode", &S::mode, {static_cast<GranularMode>(99)});
    add_bad(list, "contact", &S::contact, {static_cast<ContactModel>(99)});
    add_bad(list, "decomposition", &S::decomposition, {static_cast<Decomposition>(99)});
    add_bad(list, "time_step", &S::time_step, {0.0f, -0.01f, nan, inf});
    add_bad(list, "substeps", &S::substeps, {-1});
    add_bad(list, "gravity", &S::gravity, {Vec3{nan, 0, 0}, Vec3{0, -inf, 0}, Vec3{0, 0, nan}});
    add_bad(list, "stiffness", &S::stiffness, {-1.0f, nan, inf});
    add_bad(list, "damping", &S::damping, {-1.0f, nan, inf});
    add_bad(list, "tangent_damping", &S::tangent_damping, {-1.0f, nan, inf});
    add_bad(list, "tangent_stiffness", &S::tangent_stiffness, {-1.0f, nan, inf});
    add_bad(list, "friction", &S::friction, {-0.1f, nan, inf});
    add_bad(list, "particle_radius", &S::particle_radius, {0.0f, -0.2f, nan, inf});
    add_bad(list, "terminal_velocity", &S::terminal_velocity, {-1.0f, nan});
    add_bad(list, "contact_epsilon", &S::contact_epsilon, {-1.0f, nan, inf});
    add_bad(list, "world_size", &S::world_size, {0.0f, -15.0f, nan});
    add_bad(list, "grid_cells", &S::grid_cells, {-1, 0, 2});
    add_bad(list, "grid_min", &S::grid_min, {Vec3{nan, 0, 0}, Vec3{0, inf, 0}});
    add_bad(list, "sleep_speed", &S::sleep_speed, {-1.0f, nan});
    add_bad(list, "sleep_delay", &S::sleep_delay, {-1.0f, nan});
    add_bad(list, "wake_speed", &S::wake_speed, {-1.0f, nan});
    add_bad(list, "contact_memory", &S::contact_memory, {-1, 1000000});
    return list;
}

TEST(GranularValidation, EachBadSettingIsRefusedByItsName) {
    for (const BadSetting& bad : bad_settings()) {
        for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
            // the seed's grid is the reference mode's alone
            if (mode == GranularMode::improved && bad.where.rfind("grid", 0) == 0) continue;
            GranularSettings settings;
            settings.mode = mode;
            bad.spoil(settings);
            const std::string place = error_place([&] { GranularWorld(settings, cpu()); });
            EXPECT_TRUE(contains(place, bad.where)) << bad.where << " against " << place;
        }
    }
}

TEST(GranularValidation, MessageNamesTheValueAndWhatWasExpected) {
    GranularSettings settings;
    settings.time_step = -2;
    const std::string message = error_message([&] { GranularWorld(settings, cpu()); });
    EXPECT_TRUE(contains(message, "-2")) << message;
    EXPECT_TRUE(contains(message, "expected")) << message;
}

TEST(GranularValidation, GridBeyondMemoryIsAnErrorAndNotACrash) {
    GranularSettings settings = seed_settings();
    settings.grid_cells = 1000000;
    EXPECT_NE(error_place([&] {
                  GranularWorld world = world_of(settings, shapes::grain(0.2f), {at({0, 1, 0})});
                  world.step();
              }),
              "no error");
}

// R2.47
TEST(GranularValidation, DefaultsAreTheSeedsParameters) {
    const GranularSettings settings;
    EXPECT_EQ(settings.world_size, 15.0f);
    EXPECT_EQ(settings.stiffness, 100.0f);
    EXPECT_EQ(settings.damping, 0.5f);
    EXPECT_EQ(settings.time_step, 0.01f);
    EXPECT_EQ(settings.particle_radius, 0.2f);
    EXPECT_EQ(settings.terminal_velocity, 20.0f);
    EXPECT_EQ(settings.gravity, (Vec3{0, -9.81f, 0}));
    EXPECT_EQ(settings.contact_epsilon, 1e-6f);
    EXPECT_EQ(settings.grid_cells, 77);
    EXPECT_EQ(settings.grid_min, (Vec3{-15.4f, -0.4f, -15.4f}));
    EXPECT_EQ(GranularBodyDef{}.mass, 1.0f);
}

// R2.47
TEST(GranularValidation, WorldKeepsTheSettingsItWasGiven) {
    GranularSettings settings = seed_settings_in_room(4);
    settings.stiffness = 321;
    settings.friction = 0.25f;
    const GranularWorld world(settings, cpu());
    EXPECT_EQ(world.settings().stiffness, 321.0f);
    EXPECT_EQ(world.settings().friction, 0.25f);
    EXPECT_EQ(world.settings().mode, GranularMode::reference);
    EXPECT_EQ(world.settings().world_size, 4.0f);
}

std::vector<BadBody> bad_bodies() {
    std::vector<BadBody> list;
    list.push_back({"shape", [](GranularBodyDef& b) { b.shape = 1; }});
    list.push_back({"shape", [](GranularBodyDef& b) { b.shape = 0xffffffffu; }});
    for (float bad : {nan, inf, -inf}) {
        list.push_back({"position", [bad](GranularBodyDef& b) { b.position.x = bad; }});
        list.push_back({"position", [bad](GranularBodyDef& b) { b.position.z = bad; }});
        list.push_back({"velocity", [bad](GranularBodyDef& b) { b.velocity.y = bad; }});
        list.push_back({"angular_velocity", [bad](GranularBodyDef& b) { b.angular_velocity.z = bad; }});
        list.push_back({"rotation", [bad](GranularBodyDef& b) { b.rotation.s = bad; }});
        list.push_back({"rotation", [bad](GranularBodyDef& b) { b.rotation.z = bad; }});
    }
    list.push_back({"rotation", [](GranularBodyDef& b) { b.rotation = {.s = 0}; }});
    for (float bad : {0.0f, -1.0f, nan, inf})
        list.push_back({"mass", [bad](GranularBodyDef& b) { b.mass = bad; }});
    return list;
}

TEST(GranularValidation, EachBadBodyIsRefusedByTheNameOfItsField) {
    for (const BadBody& bad : bad_bodies()) {
        GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
        GranularBodyDef body = at({0, 3, 0});
        bad.spoil(body);
        const std::string created = error_place([&] { world.create_body(body); });
        EXPECT_TRUE(contains(created, bad.where)) << "create: " << bad.where << " against " << created;
        const std::string set = error_place([&] { world.set_body(0, body); });
        EXPECT_TRUE(contains(set, bad.where)) << "set: " << bad.where << " against " << set;
    }
}

TEST(GranularValidation, RefusedBodyLeavesTheWorldAsItWas) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
    world.step(3);
    const std::uint64_t before = world.hash();
    for (const BadBody& bad : bad_bodies()) {
        GranularBodyDef body = at({0, 3, 0});
        bad.spoil(body);
        EXPECT_THROW(world.create_body(body), Error);
        EXPECT_THROW(world.set_body(0, body), Error);
        ASSERT_EQ(world.body_count(), 1u);
        ASSERT_EQ(world.particle_count(), 27u);
        ASSERT_EQ(world.hash(), before);
    }
}

TEST(GranularValidation, BodyInAWorldWithoutShapesIsRefused) {
    GranularWorld world(improved_settings(), cpu());
    EXPECT_TRUE(contains(error_place([&] { world.create_body(at({0, 1, 0})); }), "shape"));
}

// R2.9
TEST(GranularValidation, RotationIsNormalisedWhenItIsNearlyOneAndElseRefused) {
    GranularWorld world(improved_settings(), cpu());
    world.add_shape(shapes::cube(0.2f));
    GranularBodyDef body = at({0, 1, 0});
    for (const float size : {2.0f, 0.5f, 1.01f}) {
        body.rotation = {.z = 0.6f * size, .s = 0.8f * size};
        EXPECT_EQ(error_place([&] { world.create_body(body); }), "rotation") << size;
    }
    body.rotation = {.z = 0.6f * 1.0005f, .s = 0.8f * 1.0005f};
    world.create_body(body);
    EXPECT_NEAR(norm2(wide(world.bodies()[0].rotation)), 1, 2e-7);
}

TEST(GranularValidation, IndexOfABodyThatDoesNotExistIsRefused) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
    EXPECT_THROW(world.set_body(1, at({0, 1, 0})), Error);
    EXPECT_THROW(world.set_obstacle(0, {}), Error);
}

TEST(GranularValidation, BadShapesAreRefusedByTheNameOfTheirField) {
    const auto expect_refused = [](const std::function<void(GranularShape&)>& spoil,
                                   const std::string& field) {
        GranularWorld world(improved_settings(), cpu());
        GranularShape shape = shapes::cube(0.2f);
        spoil(shape);
        const std::string message = error_message([&] { world.add_shape(shape); });
        EXPECT_TRUE(contains(message, field)) << field << " against " << message;
    };
    expect_refused([](GranularShape& s) { s.particles.clear(); }, "particles");
    expect_refused([](GranularShape& s) { s.particles[3].offset.x = nan; }, "offset");
    expect_refused([](GranularShape& s) { s.particles[3].radius = 0; }, "radius");
    expect_refused([](GranularShape& s) { s.particles[3].radius = -1; }, "radius");
    expect_refused([](GranularShape& s) { s.particles[3].radius = inf; }, "radius");
    expect_refused([](GranularShape& s) { s.unit_inertia.y = 0; }, "unit_inertia");
    expect_refused([](GranularShape& s) { s.unit_inertia.y = nan; }, "unit_inertia");
    expect_refused([](GranularShape& s) { s.half_size.z = nan; }, "half_size");
}

std::vector<BadObstacle> bad_obstacles() {
    std::vector<BadObstacle> list;
    list.push_back({"kind", [](Obstacle& o) { o.kind = static_cast<Obstacle::Kind>(7); }});
    for (float bad : {nan, inf}) {
        list.push_back({"position", [bad](Obstacle& o) { o.position.y = bad; }});
        list.push_back({"velocity", [bad](Obstacle& o) { o.velocity.y = bad; }});
        list.push_back({"angular_velocity", [bad](Obstacle& o) { o.angular_velocity.y = bad; }});
        list.push_back({"rotation", [bad](Obstacle& o) { o.rotation.y = bad; }});
    }
    list.push_back({"rotation", [](Obstacle& o) { o.rotation = {.s = 0}; }});
    for (float bad : {0.0f, -1.0f, nan, inf}) {
        list.push_back({"size", [bad](Obstacle& o) { o.size.z = bad; }});
        list.push_back({"size", [bad](Obstacle& o) {
                            o.kind = Obstacle::Kind::sphere;
                            o.size.x = bad;
                        }});
    }
    for (float bad : {-1.0f, nan, inf, 1e-40f})
        list.push_back({"mass", [bad](Obstacle& o) { o.mass = bad; }});
    // free, and turned infinitely fast by any torque
    list.push_back({"size", [](Obstacle& o) { o.mass = 1, o.size = {1e-30f, 1e-30f, 1e-30f}; }});
    list.push_back({"size", [](Obstacle& o) {
                        o.kind = Obstacle::Kind::sphere;
                        o.mass = 1e-30f, o.size.x = 1e-10f;
                    }});
    return list;
}

// R2.66
TEST(GranularValidation, EachBadObstacleIsRefusedByTheNameOfItsField) {
    for (const BadObstacle& bad : bad_obstacles()) {
        GranularWorld world(improved_settings(), cpu());
        world.add_obstacle({});
        Obstacle obstacle;
        bad.spoil(obstacle);
        const std::string added = error_place([&] { world.add_obstacle(obstacle); });
        EXPECT_TRUE(contains(added, bad.where)) << "add: " << bad.where << " against " << added;
        const std::string set = error_place([&] { world.set_obstacle(0, obstacle); });
        EXPECT_TRUE(contains(set, bad.where)) << "set: " << bad.where << " against " << set;
        EXPECT_EQ(world.obstacles().size(), 1u);
    }
}

TEST(GranularValidation, ZeroStepsChangeNothing) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
    const std::uint64_t before = world.hash();
    world.step(0);
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.steps_done(), 0u);
}

TEST(GranularValidation, NegativeStepsChangeNothingWhetherRefusedOrIgnored) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), {at({0, 1, 0})});
    const std::uint64_t before = world.hash();
    error_place([&] { world.step(-1); });
    error_place([&] { world.step(std::numeric_limits<int>::min()); });
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.steps_done(), 0u);
}

} // namespace
} // namespace scree::test
