// SPDX-License-Identifier: MIT
// validation_test.cpp — what a World does not accept is refused by the field's name and value, and changes nothing.
#include "scree/world.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace scree::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

std::vector<Bad<WorldSettings>> bad_settings() {
    using S = WorldSettings;
    std::vector<Bad<S>> list;
    add_bad(list, "gravity.x", &S::gravity, {Vec3{nan, 0, 0}});
    add_bad(list, "gravity.z", &S::gravity, {Vec3{0, 0, -inf}});
    add_bad(list, "solver", &S::solver, {static_cast<Solver>(9), static_cast<Solver>(-1)});
    add_bad(list, "broad_phase", &S::broad_phase, {static_cast<BroadPhase>(3)});
    add_bad(list, "substeps", &S::substeps, {0, -4, 100000});
    add_bad(list, "contact_hertz", &S::contact_hertz, {-30.0f, nan, inf});
    add_bad(list, "contact_damping", &S::contact_damping, {-1.0f, nan, inf});
    add_bad(list, "push_speed", &S::push_speed, {-1.0f, nan, inf});
    add_bad(list, "joint_hertz", &S::joint_hertz, {-1.0f, nan, inf});
    add_bad(list, "joint_damping", &S::joint_damping, {-1.0f, nan, inf});
    add_bad(list, "slop", &S::slop, {-0.1f, nan, inf});
    add_bad(list, "speculative_distance", &S::speculative_distance, {-0.1f, nan, inf});
    add_bad(list, "restitution_threshold", &S::restitution_threshold, {-0.1f, nan, inf});
    add_bad(list, "sleep_speed", &S::sleep_speed, {-0.1f, nan, inf});
    add_bad(list, "sleep_delay", &S::sleep_delay, {-0.1f, nan, inf});
    add_bad(list, "sor_iterations", &S::sor_iterations, {0, -1});
    add_bad(list, "sor_omega", &S::sor_omega, {0.0f, 2.0f, -1.0f, nan});
    add_bad(list, "sor_cfm", &S::sor_cfm, {-1.0f, nan, inf});
    add_bad(list, "sor_erp", &S::sor_erp, {-0.1f, 1.1f, nan});
    add_bad(list, "sor_schedule", &S::sor_schedule, {static_cast<SorSchedule>(3)});
    add_bad(list, "sor_groups", &S::sor_groups, {0, -1, 65537});
    add_bad(list, "sor_tolerance", &S::sor_tolerance, {-0.1f, nan, inf});
    add_bad(list, "integrator", &S::integrator, {static_cast<Integrator>(2), static_cast<Integrator>(-1)});
    add_bad(list, "grid_cell", &S::grid_cell, {-1.0f, nan, inf});
    add_bad(list, "grid_origin.y", &S::grid_origin, {Vec3{0, nan, 0}});
    add_bad(list, "grid_bits", &S::grid_bits,
            {std::array{0, 11, 11}, std::array{16, 16, 16}, std::array{10, 10, 40}});
    return list;
}

TEST(WorldValidation, EachBadSettingIsRefusedByItsName) {
    for (const auto& bad : bad_settings()) {
        WorldSettings settings;
        bad.spoil(settings);
        const Refusal refused = refusal([&] { World world(settings); });
        EXPECT_EQ(refused.where, bad.where);
        EXPECT_TRUE(contains(refused.what, "expected")) << refused.what;
    }
}

TEST(WorldValidation, SettingsThatAreRefusedLaterLeaveTheOldOnes) {
    World world({.substeps = 7});
    for (const auto& bad : bad_settings()) {
        WorldSettings settings = world.settings();
        bad.spoil(settings);
        EXPECT_EQ(refusal([&] { world.change_settings(settings); }).where, bad.where);
    }
    EXPECT_EQ(world.settings().substeps, 7);
}

TEST(WorldValidation, GoodSettingsAreTakenLater) {
    World world;
    WorldSettings settings = world.settings();
    settings.gravity = {0, -1, 0};
    world.change_settings(settings);
    EXPECT_EQ(world.settings().gravity, (Vec3{0, -1, 0}));
}

MassProperties ball_mass(float mass) { return {mass, {}, {0.1f * mass, 0.1f * mass, 0.1f * mass}, {}}; }

std::vector<Bad<BodyDef>> bad_bodies() {
    using B = BodyDef;
    std::vector<Bad<B>> list;
    add_bad(list, "type", &B::type, {static_cast<BodyType>(3), static_cast<BodyType>(-1)});
    add_bad(list, "position.x", &B::position, {DVec3{nan, 0, 0}});
    add_bad(list, "position.y", &B::position, {DVec3{0, inf, 0}});
    add_bad(list, "rotation", &B::rotation,
            {Quat{.s = 0}, Quat{.s = 2}, Quat{.s = nan}, Quat{.x = inf}, Quat{.s = 1.002f}});
    add_bad(list, "velocity.z", &B::velocity, {Vec3{0, 0, nan}});
    add_bad(list, "angular_velocity.x", &B::angular_velocity, {Vec3{-inf, 0, 0}});
    add_bad(list, "linear_damping", &B::linear_damping, {-1.0f, nan, inf});
    add_bad(list, "angular_damping", &B::angular_damping, {-1.0f, nan, inf});
    add_bad(list, "gravity_scale", &B::gravity_scale, {nan, inf});
    add_bad(list, "max_speed", &B::max_speed, {0.0f, -1.0f, nan});
    add_bad(list, "max_angular_speed", &B::max_angular_speed, {0.0f, -1.0f, nan});
    using M = std::optional<MassProperties>;
    add_bad(list, "mass.mass", &B::mass,
            {M{ball_mass(0)}, M{ball_mass(-1)}, M{ball_mass(nan)}, M{ball_mass(inf)}});
    add_bad(list, "mass.centre.y", &B::mass, {M{{1, {0, nan, 0}, {1, 1, 1}, {}}}});
    add_bad(list, "mass.inertia.x", &B::mass, {M{{1, {}, {0, 1, 1}, {}}}, M{{1, {}, {-1, 1, 1}, {}}}});
    add_bad(list, "mass.inertia.z", &B::mass, {M{{1, {}, {1, 1, nan}, {}}}});
    add_bad(list, "mass.products.x", &B::mass, {M{{1, {}, {1, 1, 1}, {nan, 0, 0}}}});
    // no body has these: not definite; one moment more than the two others together; beyond floats
    add_bad(list, "mass", &B::mass,
            {M{{1, {}, {1, 1, 1}, {2, 0, 0}}}, M{{1, {}, {1, 1, 5}, {}}}, M{{1e-40f, {}, {1, 1, 1}, {}}}});
    return list;
}

TEST(WorldValidation, EachBadBodyIsRefusedByItsField) {
    World world;
    for (const auto& bad : bad_bodies()) {
        BodyDef body;
        bad.spoil(body);
        const Refusal refused = refusal([&] { world.create_body(body); });
        EXPECT_EQ(refused.where, bad.where) << refused.what;
    }
    EXPECT_EQ(world.body_count(), 0u);
    EXPECT_EQ(world.create_body().index, 1u); // no slot was lost
}

TEST(WorldValidation, TheMessageNamesTheValue) {
    World world;
    const Refusal refused = refusal([&] { world.create_body({.linear_damping = -2.5f}); });
    EXPECT_EQ(refused.what, "linear_damping: invalid value -2.5: expected a number of at least 0");
}

TEST(WorldValidation, ARotationThatIsNearlyUnitIsMadeUnit) {
    World world;
    const BodyId body = world.create_body({.rotation = {.s = 1.0005f}});
    EXPECT_EQ(world.state(body).rotation, (Quat{}));
    const ShapeId shape = world.attach(body, Box{}, {.rotation = {.x = 0.9995f, .s = 0}});
    EXPECT_EQ(world.definition(shape).rotation, (Quat{.x = 1, .s = 0}));
}

TEST(WorldValidation, SizesOfZeroBelowOrNotANumberAreRefused) {
    World world;
    const BodyId body = world.create_body();
    for (const float size : {0.0f, -1.0f, nan, inf}) {
        const auto where = [&](const Geometry& geometry) {
            return refusal([&] { world.attach(body, geometry); }).where;
        };
        EXPECT_EQ(where(Sphere{size}), "sphere.radius");
        EXPECT_EQ(where(Capsule{size, 1}), "capsule.half_height");
        EXPECT_EQ(where(Capsule{1, size}), "capsule.radius");
        EXPECT_EQ(where(Box{size, 1, 1}), "box.x");
        EXPECT_EQ(where(Box{1, size, 1}), "box.y");
        EXPECT_EQ(where(Box{1, 1, size}), "box.z");
        EXPECT_EQ(where(Cylinder{size, 1}), "cylinder.half_height");
        EXPECT_EQ(where(Cylinder{1, size}), "cylinder.radius");
        EXPECT_EQ(where(Cone{size, 1}), "cone.half_height");
        EXPECT_EQ(where(Cone{1, size}), "cone.radius");
    }
    EXPECT_EQ(refusal([&] { world.attach(body, Hull{}); }).where, "hull");
    EXPECT_EQ(world.shape_count(), 0u);
    EXPECT_EQ(world.attach(body, Sphere{}).index, 0u);
}

TEST(WorldValidation, EachBadShapeDefinitionIsRefusedByItsField) {
    using S = ShapeDef;
    std::vector<Bad<S>> list;
    add_bad(list, "position.x", &S::position, {Vec3{nan, 0, 0}});
    add_bad(list, "rotation", &S::rotation, {Quat{.s = 0}, Quat{.s = 0.5f}});
    add_bad(list, "density", &S::density, {-1.0f, nan, inf});
    const auto material = [&](const char* where, const std::function<void(Material&)>& spoil) {
        list.push_back({where, [=](S& s) { spoil(s.material); }});
    };
    for (const float value : {-0.1f, nan, inf}) {
        material("friction", [=](Material& m) { m.friction = value; });
        material("restitution", [=](Material& m) { m.restitution = value; });
        material("rolling_resistance", [=](Material& m) { m.rolling_resistance = value; });
    }
    material("restitution", [](Material& m) { m.restitution = 1.1f; });
    material("surface_velocity.y", [](Material& m) { m.surface_velocity.y = nan; });
    material("friction_rule", [](Material& m) { m.friction_rule = static_cast<Combine>(5); });
    material("restitution_rule", [](Material& m) { m.restitution_rule = static_cast<Combine>(-1); });

    World world;
    const BodyId body = world.create_body();
    const ShapeId good = world.attach(body, Sphere{});
    for (const auto& bad : list) {
        S shape;
        bad.spoil(shape);
        EXPECT_EQ(refusal([&] { world.attach(body, Sphere{}, shape); }).where, bad.where);
    }
    Material slippery;
    slippery.friction = nan;
    EXPECT_EQ(refusal([&] { world.set_material(good, slippery); }).where, "friction");
    EXPECT_EQ(world.definition(good).material.friction, Material{}.friction);
    EXPECT_EQ(world.shape_count(), 1u);
}

TEST(WorldValidation, PlanesAreForFixedBodies) {
    World world;
    for (const BodyType type : {BodyType::dynamic, BodyType::kinematic}) {
        const BodyId body = world.create_body({.type = type});
        EXPECT_EQ(refusal([&] { world.attach(body, Plane{}); }).where, "geometry");
    }
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    EXPECT_EQ(refusal([&] { world.set_type(ground, BodyType::dynamic); }).where, "type");
    EXPECT_EQ(refusal([&] { world.set_type(ground, BodyType::kinematic); }).where, "type");
    EXPECT_EQ(world.type(ground), BodyType::fixed);
}

TEST(WorldValidation, BadJointsAreRefusedByTheirField) {
    World world;
    const BodyId a = world.create_body(), b = world.create_body(), gone = world.create_body();
    world.destroy(gone);
    const auto where = [&](const JointDef& joint) {
        return refusal([&] { world.create_joint(joint); }).where;
    };
    EXPECT_EQ(where({.type = static_cast<JointType>(99), .first = a, .second = b}), "type");
    EXPECT_EQ(where({.first = BodyId{}}), "first");
    EXPECT_EQ(where({.first = gone, .second = b}), "first");
    EXPECT_EQ(where({.first = a, .second = gone}), "second");
    EXPECT_EQ(where({.first = a, .second = a}), "second");
    EXPECT_EQ(where({.first = a, .second = b, .anchor = {0, nan, 0}}), "anchor.y");
    EXPECT_EQ(where({.type = JointType::hinge, .first = a, .second = b, .axis = {0, 0, 0}}), "axis");
    EXPECT_EQ(where({.type = JointType::hinge, .first = a, .second = b, .axis = {inf, 0, 0}}), "axis.x");
    EXPECT_EQ(world.joint_count(), 0u);
}

TEST(WorldValidation, CallsOnBodiesRefuseWhatIsNotFinite) {
    World world;
    const BodyId body = world.create_body();
    const BodyId lift = world.create_body({.type = BodyType::kinematic});
    const Vec3 bad{0, nan, 0};
    const std::uint64_t before = world.hash();
    EXPECT_EQ(refusal([&] { world.set_pose(body, bad, {}); }).where, "position.y");
    EXPECT_EQ(refusal([&] { world.set_pose(body, {}, {.z = 0.5f, .s = 0}); }).where, "rotation");
    EXPECT_EQ(refusal([&] { world.set_velocity(body, bad); }).where, "velocity.y");
    EXPECT_EQ(refusal([&] { world.set_velocity(body, {}, bad); }).where, "angular_velocity.y");
    EXPECT_EQ(refusal([&] { world.set_target(lift, bad, {}, 1); }).where, "position.y");
    EXPECT_EQ(refusal([&] { world.set_target(lift, {1, 0, 0}, {}, 0); }).where, "dt");
    EXPECT_EQ(refusal([&] { world.set_target(lift, {1, 0, 0}, {}, nan); }).where, "dt");
    EXPECT_EQ(refusal([&] { world.set_target(body, {}, {}, 1); }).where, "body");
    EXPECT_EQ(refusal([&] { world.set_damping(body, -1, 0); }).where, "linear_damping");
    EXPECT_EQ(refusal([&] { world.set_damping(body, 0, nan); }).where, "angular_damping");
    EXPECT_EQ(refusal([&] { world.set_gravity_scale(body, inf); }).where, "gravity_scale");
    EXPECT_EQ(refusal([&] { world.set_mass(body, ball_mass(-3)); }).where, "mass.mass");
    EXPECT_EQ(refusal([&] { world.apply_force(body, bad); }).where, "force.y");
    EXPECT_EQ(refusal([&] { world.apply_force(body, {}, bad); }).where, "point.y");
    EXPECT_EQ(refusal([&] { world.apply_torque(body, bad); }).where, "torque.y");
    EXPECT_EQ(refusal([&] { world.apply_impulse(body, bad); }).where, "impulse.y");
    EXPECT_EQ(refusal([&] { world.apply_impulse(body, {}, bad); }).where, "point.y");
    EXPECT_EQ(refusal([&] { world.apply_angular_impulse(body, bad); }).where, "impulse.y");
    EXPECT_EQ(refusal([&] { world.set_type(body, static_cast<BodyType>(8)); }).where, "type");
    EXPECT_EQ(world.hash(), before);
}

TEST(WorldValidation, PushesThatAddUpBeyondFloatsAreRefused) {
    World world;
    const BodyId body = world.create_body();
    const float most = std::numeric_limits<float>::max();
    world.apply_impulse(body, {most, 0, 0});
    EXPECT_EQ(refusal([&] { world.apply_impulse(body, {most, 0, 0}); }).where, "velocity.x");
    world.apply_force(body, {0, most, 0});
    EXPECT_EQ(refusal([&] { world.apply_force(body, {0, most, 0}); }).where, "force.y");
    EXPECT_EQ(world.state(body).velocity.x, most);
}

} // namespace
} // namespace scree::test
