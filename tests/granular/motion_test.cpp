// SPDX-License-Identifier: MIT
// motion_test.cpp — bodies that touch nothing: flight, spin, the clamp, and where their particles are.
#include "support/expect_near.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <array>

namespace scree::test {
namespace {

constexpr double pi = 3.14159265358979323846;

GranularShape brick() { return shapes::cuboid(0.2f, 3, 2, 1); }

GranularBodyDef spinning_flyer() {
    GranularBodyDef body = at({0.1f, 0.2f, -0.3f}, {0.5f, -0.25f, 0.125f});
    body.angular_velocity = {1.0f, 2.0f, 0.5f};
    body.mass = 2;
    return body;
}

DVec3 principal(const GranularWorld& world, const GranularBodyState& body) {
    return static_cast<double>(body.mass) * wide(world.shape(body.shape).unit_inertia);
}

DVec3 inverse(DVec3 d) { return {1 / d.x, 1 / d.y, 1 / d.z}; }

// R2.3
TEST(GranularMotion, FreeSpinningCubeKeepsItsMomenta) {
    GranularWorld world =
        world_of(in_empty_space(improved_settings()), shapes::cube(0.2f), {spinning_flyer()});
    const GranularBodyState before = world.bodies()[0];
    world.step(1000);
    const GranularBodyState after = world.bodies()[0];
    expect_near(wide(after.momentum), wide(before.momentum), 1e-6 * length(wide(before.momentum)));
    expect_near(wide(after.angular_momentum), wide(before.angular_momentum),
                1e-6 * length(wide(before.angular_momentum)));
}

// R2.3
TEST(GranularMotion, FreeTumblingBrickKeepsItsAngularMomentum) {
    GranularWorld world = world_of(in_empty_space(improved_settings()), brick(), {spinning_flyer()});
    const GranularBodyState before = world.bodies()[0];
    world.step(1000);
    expect_near(wide(world.bodies()[0].angular_momentum), wide(before.angular_momentum),
                1e-6 * length(wide(before.angular_momentum)));
}

// R2.3
TEST(GranularMotion, FreeFlightIsAStraightLine) {
    GranularWorld world =
        world_of(in_empty_space(seed_settings()), shapes::grain(0.2f), {at({0, 5, 0}, {1, 0.5f, -2})});
    world.step(100);
    expect_near(wide(world.bodies()[0].position), {1, 5.5, -2}, 1e-4);
}

// R2.4
TEST(GranularMotion, FallingBodyGainsSpeedInProportionToTime) {
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularWorld world = world_of(settings, shapes::cube(0.2f), {at({0, 25, 0})});
        for (int step = 1; step <= 150; ++step) {
            world.step();
            ASSERT_NEAR(world.bodies()[0].velocity().y, -9.81 * 0.01 * step, 1e-4 * 9.81 * 0.01 * step);
        }
    }
}

// R2.4
TEST(GranularMotion, FallIsSemiImplicitEulerInTheSeed) {
    // positions use the new velocity: after n steps the way is g dt^2 n (n + 1) / 2
    GranularWorld world = world_of(seed_settings(), shapes::cube(0.2f), {at({0, 25, 0})});
    world.step(100);
    EXPECT_NEAR(world.bodies()[0].position.y, 25 - 9.81e-4 * 100 * 101 / 2, 1e-4);
}

// R2.4
TEST(GranularMotion, FallNeverExceedsTheTerminalVelocity) {
    for (GranularSettings settings : {seed_settings(), improved_settings()}) {
        settings.ground = false;
        GranularWorld world = world_of(settings, shapes::cube(0.2f), {at({0, 25, 0})});
        for (int i = 0; i < 30; ++i) {
            world.step(10);
            ASSERT_GE(world.bodies()[0].velocity().y, -20.0f * 1.000001f);
        }
        EXPECT_NEAR(world.bodies()[0].velocity().y, -20, 1e-4);
    }
}

// R2.5
TEST(GranularMotion, MomentumClampActsOnEachAxisAlone) {
    GranularSettings settings = in_empty_space(seed_settings());
    settings.terminal_velocity = 3;
    GranularBodyDef body = at({0, 5, 0}, {10, -2, -10});
    body.mass = 2;
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {body});
    world.step();
    expect_near(wide(world.bodies()[0].momentum), {6, -4, -6}, 1e-5);
}

// R2.5
TEST(GranularMotion, MomentumClampLeavesAngularMomentumAlone) {
    GranularSettings settings = in_empty_space(seed_settings());
    settings.terminal_velocity = 0.1f;
    GranularBodyDef body = at({0, 5, 0}, {10, 0, 0});
    body.angular_velocity = {0, 50, 0};
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {body});
    world.step();
    EXPECT_NEAR(world.bodies()[0].angular_momentum.y, 50 * 1.2 * 1.2 / 6, 1e-4);
}

// R2.7
TEST(GranularMotion, AngularVelocityOfANewBodyIsTheOneAskedFor) {
    GranularBodyDef body = spinning_flyer();
    body.rotation = narrow(turn({1, -2, 3}, 0.8));
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularWorld world = world_of(settings, brick(), {body});
        const GranularBodyState state = world.bodies()[0];
        expect_near(wide(state.angular_velocity), wide(body.angular_velocity), 1e-5);
        const DMatrix r = matrix(wide(body.rotation));
        expect_near(wide(state.angular_momentum),
                    rotated_diagonal(r, principal(world, state), wide(body.angular_velocity)), 1e-5);
    }
}

// R2.7
TEST(GranularMotion, InverseInertiaTurnsWithTheBody) {
    GranularBodyDef body = spinning_flyer();
    body.rotation = narrow(turn({1, -2, 3}, 0.8));
    GranularWorld world = world_of(in_empty_space(seed_settings()), brick(), {body});
    for (int i = 0; i < 50; ++i) {
        // the seed uses the attitude at the beginning of the step
        const DMatrix r = matrix(wide(world.bodies()[0].rotation));
        world.step();
        const GranularBodyState state = world.bodies()[0];
        const DVec3 expected =
            rotated_diagonal(r, inverse(principal(world, state)), wide(state.angular_momentum));
        expect_near(wide(state.angular_velocity), expected, 1e-4);
    }
}

// R2.7
TEST(GranularMotion, InverseInertiaOfACubeNeverChanges) {
    GranularBodyDef body = spinning_flyer();
    GranularWorld world = world_of(in_empty_space(seed_settings()), shapes::cube(0.2f), {body});
    for (int i = 0; i < 50; ++i) {
        world.step();
        const GranularBodyState state = world.bodies()[0];
        const double inertia = 2 * 1.2 * 1.2 / 6;
        expect_near(wide(state.angular_velocity), (1 / inertia) * wide(state.angular_momentum), 3e-5);
    }
}

// R2.8
TEST(GranularMotion, ConstantSpinTurnsByAngleSpeedTimesTime) {
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularBodyDef body = at({0, 1, 0});
        body.angular_velocity = {0.6f, 0, 0.8f};
        GranularWorld world = world_of(in_empty_space(settings), shapes::grain(0.2f), {body});
        world.step(200);
        const DQuat expected = turn({0.6, 0, 0.8}, 2.0), got = wide(world.bodies()[0].rotation);
        EXPECT_NEAR(got.s, expected.s, 1e-5);
        expect_near({got.x, got.y, got.z}, {expected.x, expected.y, expected.z}, 1e-5);
    }
}

// R2.8
TEST(GranularMotion, SpinIsMeasuredInTheWorldFrame) {
    // a quarter turn about x first, then spin about the world's y: left multiplication
    GranularBodyDef body = at({0, 1, 0});
    body.rotation = narrow(turn({1, 0, 0}, pi / 2));
    body.angular_velocity = {0, 1, 0};
    GranularWorld world = world_of(in_empty_space(seed_settings()), shapes::grain(0.2f), {body});
    world.step(100);
    const DQuat expected = turn({0, 1, 0}, 1.0) * turn({1, 0, 0}, pi / 2),
                got = wide(world.bodies()[0].rotation);
    EXPECT_NEAR(got.s, expected.s, 1e-5);
    expect_near({got.x, got.y, got.z}, {expected.x, expected.y, expected.z}, 1e-5);
}

// R2.9
TEST(GranularMotion, RotationStaysAUnitQuaternionOverAMillionSteps) {
    const int slice = built_with_sanitizer() ? 1000 : 10000;
    // a corner and the ends of three axes of 1 m, which touch nothing
    const GranularShape axes = shapes::from_particles(
        "axes", {{{}, 0.2f, {}}, {{1, 0, 0}, 0.2f, {}}, {{0, 1, 0}, 0.2f, {}}, {{0, 0, 1}, 0.2f, {}}});
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        GranularSettings settings = with_small_grid(in_empty_space(seed_settings()), 4);
        settings.mode = mode;
        GranularBodyDef body = at({0, 0.1f, 0});
        body.angular_velocity = {17, -29, 11};
        GranularWorld world = world_of(settings, axes, {body});
        const auto expect_unit = [&] {
            ASSERT_LE(std::abs(norm2(wide(world.bodies()[0].rotation)) - 1), 1e-5);
        };
        for (int i = 0; i < 2000; ++i) {
            world.step();
            ASSERT_NO_FATAL_FAILURE(expect_unit()) << "step " << i;
        }
        for (int i = 0; i < (mode == GranularMode::reference ? 100 : 10); ++i) {
            world.step(slice);
            ASSERT_NO_FATAL_FAILURE(expect_unit());
        }
        const DMatrix r = matrix(wide(world.bodies()[0].rotation));
        EXPECT_NEAR(dot(r[0], r[1]), 0, 1e-4);
        EXPECT_NEAR(dot(r[1], r[2]), 0, 1e-4);
        EXPECT_NEAR(dot(r[2], r[0]), 0, 1e-4);
        for (const DVec3& row : r) EXPECT_NEAR(length(row), 1, 1e-4);
        // the world's own matrix puts the particles: their axes are as long and as square as before
        const std::vector<ParticleState> particles = world.particles();
        std::array<DVec3, 3> arm;
        for (std::size_t k = 0; k < 3; ++k)
            arm[k] = wide(particles[k + 1].position) - wide(particles[0].position);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(length(arm[k]), 1, 1e-4);
            EXPECT_NEAR(dot(arm[k], arm[(k + 1) % 3]), 0, 1e-4);
        }
    }
}

// R2.10
TEST(GranularMotion, BodyWithoutSpinKeepsItsRotationToTheBit) {
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularBodyDef body = at({0, 5, 0}, {1, 0, 0});
        body.rotation = narrow(turn({1, 1, 0}, 0.4));
        GranularWorld world = world_of(in_empty_space(settings), brick(), {body});
        const Quat before = world.bodies()[0].rotation;
        world.step(100);
        EXPECT_EQ(world.bodies()[0].rotation, before);
        EXPECT_TRUE(all_finite(world));
    }
}

void expect_particles_follow_bodies(const GranularWorld& world) {
    const auto bodies = world.bodies();
    const auto particles = world.particles();
    ASSERT_EQ(particles.size(), world.particle_count());
    std::size_t p = 0;
    for (std::uint32_t b = 0; b < bodies.size(); ++b) {
        const DVec3 centre = wide(bodies[b].position), omega = wide(bodies[b].angular_velocity);
        const DMatrix r = matrix(wide(bodies[b].rotation));
        for (const ShapeParticle& particle : world.shape(bodies[b].shape).particles) {
            const DVec3 arm = r * wide(particle.offset);
            ASSERT_EQ(particles[p].body, b);
            expect_near(wide(particles[p].position), centre + arm, 2e-6);
            expect_near(wide(particles[p].velocity), wide(bodies[b].velocity()) + cross(omega, arm), 1e-5);
            // the thesis' form leaves out the part of the arm along the axis, which changes nothing
            const DVec3 across = arm - (dot(omega, arm) / dot(omega, omega)) * omega;
            expect_near(wide(particles[p].velocity), wide(bodies[b].velocity()) + cross(omega, across), 1e-5);
            ++p;
        }
    }
}

// R2.11
TEST(GranularMotion, ParticlesAreWhereTheBodyPutsThem) {
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularBodyDef body = spinning_flyer();
        body.rotation = narrow(turn({3, 1, -2}, 1.1));
        GranularWorld world = world_of(in_empty_space(settings), brick(), {body, spinning_flyer()});
        world.set_body(1, at({4, 1, 0}));
        GranularBodyDef other = spinning_flyer();
        other.position = {4, 1, 0};
        world.set_body(1, other);
        expect_particles_follow_bodies(world);
    }
}

// R2.11
TEST(GranularMotion, ParticlesFollowTheirBodyWithoutLag) {
    for (const GranularSettings& settings : {seed_settings(), improved_settings()}) {
        GranularWorld world = world_of(in_empty_space(settings), shapes::cube(0.2f), {spinning_flyer()});
        world.step(7);
        expect_particles_follow_bodies(world);
    }
}

// R2.26
TEST(GranularMotion, WorldCountsItsStepsAndItsTime) {
    GranularWorld world = world_of(seed_settings(), shapes::grain(0.2f), {at({0, 5, 0})});
    world.step(3);
    world.step();
    EXPECT_EQ(world.steps_done(), 4u);
    EXPECT_NEAR(world.time(), 0.04, 1e-9);
}

} // namespace
} // namespace scree::test
