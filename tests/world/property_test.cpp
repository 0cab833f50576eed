// SPDX-License-Identifier: MIT
// property_test.cpp — free motion against mechanics: momentum, energy, falling, damping, locks, limits, targets.
// compiled alone
#include "scree/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree::test {
namespace {

constexpr float step = 1 / 60.0f;
const WorldSettings weightless{.gravity = {}, .sleeping = false};

void run(World& world, int steps, float dt = step) {
    for (int k = 0; k < steps; ++k) world.step(dt);
}

double length(const Vec3& v) { return scree::length(wide(v)); }
double distance(const Vec3& a, const Vec3& b) { return length(a - b); }

// conservation -------------------------------------------------------------------------------------------------------

/// Bodies of unlike moments that never meet: those that move past each other are on filters that do not collide.
World tumbling_bodies(const WorldSettings& settings) {
    World world(settings);
    std::mt19937 random(7);
    const auto number = [&](float most) {
        return most * (static_cast<float>(random() % 20001) / 10000.0f - 1);
    };
    for (int k = 0; k < 60; ++k) {
        const BodyId body = world.create_body({.position = {number(20), number(20), number(20)},
                                               .velocity = {number(3), number(3), number(3)},
                                               .angular_velocity = {number(4), number(4), number(4)}});
        const Filter alone{.category = 1, .mask = 0};
        world.attach(body, Box{0.2f, 0.5f, 0.9f}, {.filter = alone});
        world.attach(body, Cone{0.4f, 0.2f}, {.position = {number(0.3f), 0.5f, 0}, .filter = alone});
    }
    return world;
}

TEST(WorldProperties, MomentumIsKeptWithoutContacts) {
    World world = tumbling_bodies(weightless);
    const WorldMeasure before = world.measure();
    run(world, 600);
    const WorldMeasure after = world.measure();
    ASSERT_EQ(after.contacts, 0u);
    double sum = 0; // of the magnitudes: what rounding is relative to
    for (const BodyId body : world.bodies())
        sum += world.mass(body).mass * length(world.state(body).velocity);
    EXPECT_LT(distance(before.momentum, after.momentum), 1e-5 * sum);
}

TEST(WorldProperties, SpinningBodiesKeepTheirEnergyAndAngularMomentum) {
    // each alone at the origin, so that the measure is of its spin
    struct Case {
        Geometry geometry;
        Vec3 spin;
    };
    const Case cases[] = {{Box{0.5f, 0.5f, 0.5f}, {3, -2, 5}},
                          {Box{0.2f, 0.5f, 0.9f}, {2, 2, 2}},
                          {Box{0.2f, 0.5f, 0.9f}, {0.01f, 5, 0}}, // about the middle axis: it tumbles
                          {Cylinder{0.05f, 0.8f}, {1, 10, 0.5f}},
                          {Capsule{0.8f, 0.1f}, {4, 1, -3}}};
    for (const Case& c : cases) {
        World world(weightless);
        world.attach(world.create_body({.angular_velocity = c.spin}), c.geometry);
        const WorldMeasure before = world.measure();
        for (int k = 0; k < 20; ++k) {
            run(world, 30);
            const WorldMeasure now = world.measure();
            // over ten seconds
            EXPECT_NEAR(now.kinetic_energy / before.kinetic_energy, 1, 0.01) << "case " << &c - cases;
            EXPECT_LT(distance(now.angular_momentum, before.angular_momentum),
                      0.02 * length(before.angular_momentum))
                << "case " << &c - cases;
        }
    }
}

TEST(WorldProperties, ABallKeepsItsSpinExactly) {
    World world(weightless);
    const BodyId ball = world.create_body({.angular_velocity = {1, 2, 3}});
    world.attach(ball, Sphere{0.5f});
    run(world, 600);
    EXPECT_LT(distance(world.state(ball).angular_velocity, {1, 2, 3}), 1e-4);
}

TEST(WorldProperties, ABodyAboutItsMiddleAxisTumblesOver) {
    World world(weightless);
    const BodyId body = world.create_body({.angular_velocity = {0.01f, 6, 0.01f}});
    world.attach(body, Box{0.2f, 0.5f, 0.9f});
    float lowest = 6;
    for (int k = 0; k < 600; ++k) {
        world.step(step);
        // along the body's own y, which is the middle axis
        const BodyState s = world.state(body);
        const Quat q = s.rotation;
        const Vec3 y{2 * (q.x * q.y - q.s * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                     2 * (q.y * q.z + q.s * q.x)};
        lowest = std::min(lowest, s.angular_velocity.x * y.x + s.angular_velocity.y * y.y +
                                      s.angular_velocity.z * y.z);
    }
    EXPECT_LT(lowest, -3);
}

TEST(WorldProperties, RotationsStayUnit) {
    World world = tumbling_bodies(weightless);
    run(world, 600);
    for (const BodyId body : world.bodies()) {
        const Quat q = world.state(body).rotation;
        EXPECT_NEAR(q.s * q.s + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-5f);
    }
}

// falling ------------------------------------------------------------------------------------------------------------

TEST(WorldProperties, AProjectileFliesItsParabola) {
    World world({.gravity = {0, -10, 0}});
    const BodyId body = world.create_body({.position = {0, 100, 0}, .velocity = {5, 8, -2}});
    run(world, 120);
    const BodyState state = world.state(body);
    EXPECT_NEAR(state.velocity.x, 5, 1e-4f);
    EXPECT_NEAR(state.velocity.y, 8 - 10 * 2, 1e-3f);
    EXPECT_NEAR(state.position.x, 10, 1e-3f);
    EXPECT_NEAR(state.position.z, -4, 1e-3f);
    EXPECT_NEAR(state.position.y, 100 + 8 * 2 - 5 * 4, 1e-5f);
}

TEST(WorldProperties, HeavyAndLightFallAlike) {
    World world;
    const BodyId light = world.create_body({.mass = MassProperties{0.01f, {}, {1, 1, 1}, {}}});
    const BodyId heavy =
        world.create_body({.position = {50, 0, 0}, .mass = MassProperties{1e6f, {}, {1, 1, 1}, {}}});
    run(world, 60);
    EXPECT_NEAR(world.state(light).position.y, world.state(heavy).position.y, 1e-4f);
}

TEST(WorldProperties, GravityScaleScales) {
    World world({.gravity = {0, -10, 0}});
    const BodyId floats = world.create_body({.position = {0, 0, 0}, .gravity_scale = 0});
    const BodyId rises = world.create_body({.position = {9, 0, 0}, .gravity_scale = -0.5f});
    run(world, 60);
    EXPECT_EQ(world.state(floats).position.y, 0);
    EXPECT_NEAR(world.state(rises).velocity.y, 5, 1e-3f);
    world.set_gravity_scale(rises, 1);
    run(world, 60);
    EXPECT_NEAR(world.state(rises).velocity.y, -5, 1e-3f);
}

TEST(WorldProperties, AForceActsForOneStep) {
    World world(weightless);
    const BodyId body = world.create_body({.mass = MassProperties{2, {}, {3, 2, 4}, {}}});
    world.apply_force(body, {120, 0, 0});
    world.apply_torque(body, {0, 0, 240});
    run(world, 1);
    EXPECT_NEAR(world.state(body).velocity.x, 1, 1e-5f);
    EXPECT_NEAR(world.state(body).angular_velocity.z, 1, 1e-5f);
    run(world, 1);
    EXPECT_NEAR(world.state(body).velocity.x, 1, 1e-5f);
    EXPECT_NEAR(world.state(body).angular_velocity.z, 1, 1e-5f);
}

TEST(WorldProperties, AForceBesideTheCentreTurns) {
    World world(weightless);
    const BodyId body = world.create_body({.mass = MassProperties{1, {}, {1, 1, 1}, {}}});
    world.apply_force(body, {0, 60, 0}, {1, 0, 0});
    run(world, 1);
    EXPECT_NEAR(world.state(body).velocity.y, 1, 1e-5f);
    EXPECT_NEAR(world.state(body).angular_velocity.z, 1, 1e-5f);
}

// damping, locks, limits ---------------------------------------------------------------------------------------------

TEST(WorldProperties, DampingDecaysExponentially) {
    World world(weightless);
    const BodyId body = world.create_body({.velocity = {10, 0, 0},
                                           .angular_velocity = {0, 4, 0},
                                           .linear_damping = 0.5f,
                                           .angular_damping = 1});
    run(world, 120);
    EXPECT_NEAR(world.state(body).velocity.x, 10 * std::exp(-1.0f), 0.05f);
    EXPECT_NEAR(world.state(body).angular_velocity.y, 4 * std::exp(-2.0f), 0.02f);
    world.set_damping(body, 0, 0);
    const Vec3 before = world.state(body).velocity;
    run(world, 60);
    EXPECT_EQ(world.state(body).velocity, before);
}

TEST(WorldProperties, LockedDirectionsDoNotMove) {
    World world;
    const BodyId body =
        world.create_body({.velocity = {1, 0, 0}, .locks = {.y = true, .turn_x = true, .turn_z = true}});
    world.attach(body, Box{0.2f, 0.5f, 0.9f});
    for (int k = 0; k < 60; ++k) {
        world.apply_torque(body, {300, 100, 200});
        world.apply_force(body, {0, 5000, 0});
        world.step(step);
    }
    const BodyState state = world.state(body);
    EXPECT_EQ(state.position.y, 0);
    EXPECT_NEAR(state.position.x, 1, 1e-4f);
    EXPECT_EQ(state.angular_velocity.x, 0);
    EXPECT_EQ(state.angular_velocity.z, 0);
    EXPECT_GT(state.angular_velocity.y, 0.1f);
    EXPECT_NEAR(state.rotation.x, 0, 1e-6f);
    EXPECT_NEAR(state.rotation.z, 0, 1e-6f);
}

TEST(WorldProperties, SpeedsStayBelowTheirLimits) {
    World world({.gravity = {0, -100, 0}});
    const BodyId body = world.create_body({.max_speed = 20, .max_angular_speed = 3});
    for (int k = 0; k < 60; ++k) {
        world.apply_torque(body, {0, 10, 0});
        world.step(step);
    }
    EXPECT_NEAR(world.state(body).velocity.y, -20, 1e-2f);
    EXPECT_NEAR(world.state(body).angular_velocity.y, 3, 1e-3f);
}

// kinematic ----------------------------------------------------------------------------------------------------------

TEST(WorldProperties, AKinematicBodyReachesItsTargetInOneStep) {
    World world;
    const BodyId lift = world.create_body({.type = BodyType::kinematic, .position = {1, 2, 3}});
    world.attach(lift, Box{});
    const struct {
        Vec3 position;
        Quat rotation;
    } targets[] = {
        {{2, 2, 3}, {}},
        {{2, 2.5f, 3.25f}, {.x = 0.70710678f, .s = 0.70710678f}},
        {{0, 0, 0}, {.y = 0.8f, .s = -0.6f}}, // the long name of a rotation; the short way is taken
        {{0, 0, 0}, {.y = -0.8f, .s = 0.6f}}};
    for (const auto& target : targets) {
        world.set_target(lift, target.position, target.rotation, step);
        world.step(step);
        const BodyState state = world.state(lift);
        EXPECT_LT(distance(state.position, target.position), 1e-4);
        const float same = state.rotation.s * target.rotation.s + state.rotation.x * target.rotation.x +
                           state.rotation.y * target.rotation.y + state.rotation.z * target.rotation.z;
        EXPECT_NEAR(std::abs(same), 1, 1e-4f);
    }
    // the last target was where it stood already
    EXPECT_LT(length(world.state(lift).angular_velocity), 1e-2);
}

TEST(WorldProperties, AKinematicBodyMovesWithItsVelocityAndNothingElse) {
    World world;
    const BodyId belt =
        world.create_body({.type = BodyType::kinematic, .velocity = {1, 0, 0}, .linear_damping = 5});
    world.apply_force(belt, {0, 1e6f, 0});
    run(world, 60);
    EXPECT_NEAR(world.state(belt).position.x, 1, 1e-4f);
    EXPECT_EQ(world.state(belt).position.y, 0);
}

// joints ---------------------------------------------------------------------------------------------------------------

TEST(WorldProperties, AJointMadeBeforeTheShapesHoldsWhenTheCentreMoves) {
    World world({.sleeping = false});
    const BodyId pendulum = world.create_body();
    const JointId joint = world.create_joint({.first = pendulum});
    world.step(step);
    world.attach(pendulum, Sphere{0.2f}, {.position = {1, 0, 0}});
    run(world, 30);
    EXPECT_LT(world.error(joint).distance, 0.02f);
    EXPECT_LT(world.state(pendulum).centre.y, -0.3f); // it swings
}

// the step itself ----------------------------------------------------------------------------------------------------

/// A constant force acts on the later velocity of each substep, as a spring made of forces needs it: g t h / 2 too far.
TEST(WorldProperties, MoreSubstepsComeCloserToTheWayOfAConstantForce) {
    const auto error = [](int substeps) {
        World world({.gravity = {}, .substeps = substeps});
        const BodyId body = world.create_body({.mass = MassProperties{2, {}, {1, 1, 1}, {}}});
        for (int k = 0; k < 60; ++k) {
            world.apply_force(body, {0, -20, 0});
            world.step(step);
        }
        return std::abs(world.position(body).y + 5);
    };
    EXPECT_NEAR(error(4), 10 * step / 4 / 2, 1e-5);
    EXPECT_LT(error(8), 0.51 * error(4));
}

TEST(WorldProperties, TimeIsTheSumOfTheSteps) {
    World world;
    run(world, 10, 0.25f);
    EXPECT_EQ(world.time(), 2.5);
    EXPECT_EQ(world.steps_done(), 10u);
}

} // namespace
} // namespace scree::test
