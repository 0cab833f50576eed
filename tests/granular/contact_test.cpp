// SPDX-License-Identifier: MIT
// contact_test.cpp — the forces between particles and on the ground and the walls, in every contact model.
#include "support/expect_near.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

// k times the rounding of a distance between floats near these positions, with some to spare
constexpr double force_tolerance = 2e-4;

GranularSettings alone_in_space(GranularMode mode, ContactModel contact) {
    GranularSettings settings = with_plain_steps(in_empty_space(seed_settings()));
    settings.mode = mode;
    settings.contact = contact;
    return settings;
}

/// The forces on two grains in one step.
std::vector<Vec3> forces_between(const GranularSettings& settings, GranularBodyDef a, GranularBodyDef b) {
    GranularWorld world = world_of(settings, shapes::grain(settings.particle_radius), {a, b});
    world.step();
    return world.particle_forces();
}

/// The force on one grain near the planes in one step of the seed.
DVec3 force_on_grain(const GranularSettings& settings, GranularBodyDef grain) {
    GranularWorld world = world_of(settings, shapes::grain(settings.particle_radius), {grain});
    world.step();
    return wide(world.particle_forces()[0]);
}

constexpr std::array all_models{ContactModel::linear, ContactModel::split, ContactModel::history,
                                ContactModel::hertz};

// R2.12
TEST(GranularContact, OverlappingParticlesRepelWithEqualAndOppositeForce) {
    const GranularBodyDef a = at({1, 2, 3}, {0.5f, 0, 0}), b = at({1.2f, 2.2f, 3.1f}, {0, -1, 0.25f});
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved, GranularMode::brute}) {
        const auto forces = forces_between(alone_in_space(mode, ContactModel::linear), a, b);
        const DVec3 to = wide(b.position) - wide(a.position);
        const DVec3 expected =
            -((100 * (0.4 - length(to)) / length(to)) * to) + 0.5 * (wide(b.velocity) - wide(a.velocity));
        expect_near(wide(forces[0]), expected, force_tolerance);
        EXPECT_EQ(wide(forces[0]).x, -wide(forces[1]).x);
        EXPECT_EQ(wide(forces[0]).y, -wide(forces[1]).y);
        EXPECT_EQ(wide(forces[0]).z, -wide(forces[1]).z);
    }
}

// R2.12
TEST(GranularContact, ParticlesThatOnlyTouchExertNoForce) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved, GranularMode::brute}) {
        for (ContactModel model : all_models) {
            const auto forces =
                forces_between(alone_in_space(mode, model), at({0, 0, 0}, {1, 0, 0}), at({0.4f, 0, 0}));
            EXPECT_EQ(forces[0], (Vec3{0, 0, 0}));
            EXPECT_EQ(forces[1], (Vec3{0, 0, 0}));
        }
    }
}

// R2.12
TEST(GranularContact, EpsilonDecidesWhenAContactBegins) {
    GranularSettings settings = alone_in_space(GranularMode::reference, ContactModel::linear);
    settings.contact_epsilon = 0.01f;
    EXPECT_EQ(forces_between(settings, at({0, 0, 0}), at({0.395f, 0, 0}))[0], (Vec3{0, 0, 0}));
    EXPECT_NEAR(forces_between(settings, at({0, 0, 0}), at({0.385f, 0, 0}))[0].x, -1.5, force_tolerance);
}

// R2.12
TEST(GranularContact, StiffnessAndDampingScaleTheForce) {
    GranularSettings settings = alone_in_space(GranularMode::reference, ContactModel::linear);
    settings.stiffness = 250;
    settings.damping = 2;
    const auto forces = forces_between(settings, at({0, 0, 0}), at({0.3f, 0, 0}, {-1, 0, 0}));
    EXPECT_NEAR(forces[0].x, -250 * 0.1 - 2, force_tolerance);
}

// R2.12, R2.64
TEST(GranularContact, GrainsOfDifferentSizeTouchAtTheSumOfTheirRadii) {
    for (GranularMode mode : {GranularMode::improved, GranularMode::brute}) {
        GranularWorld world(alone_in_space(mode, ContactModel::linear), cpu());
        GranularBodyDef small = at({0, 0, 0}), large = at({0.9f, 0, 0}), apart = at({0, 1.05f, 0});
        small.shape = world.add_shape(shapes::grain(0.1f));
        large.shape = world.add_shape(shapes::grain(0.9f));
        apart.shape = small.shape;
        world.create_body(small);
        world.create_body(large);
        apart.position = {-0.21f, 0, 0};
        world.create_body(apart);
        world.step();
        const auto forces = world.particle_forces();
        EXPECT_NEAR(forces[0].x, -100 * 0.1, force_tolerance);
        EXPECT_NEAR(forces[1].x, 100 * 0.1, force_tolerance);
        EXPECT_EQ(forces[2], (Vec3{0, 0, 0}));
    }
}

// R2.12, R2.15
TEST(GranularContact, EveryContactModelConservesMomentum) {
    for (ContactModel model : all_models) {
        GranularSettings settings = alone_in_space(GranularMode::improved, model);
        settings.gravity = {};
        settings.contact_memory = 12; // room for every spring: one that finds none is lost on its side alone
        std::vector<GranularBodyDef> bodies = tumbling_cubes(1.2f, 3);
        GranularWorld world = world_of(settings, shapes::cube(0.2f), bodies);
        const DVec3 before = total_momentum(world);
        world.step(100);
        EXPECT_GT(world.steps_done(), 0u);
        expect_near(total_momentum(world), before, 2e-4);
    }
}

// R2.13
TEST(GranularContact, GroundPushesUpwards) {
    const GranularSettings settings = seed_settings_in_room(3);
    expect_near(force_on_grain(settings, at({0, 0.15f, 0})), {0, 100 * 0.05, 0}, force_tolerance);
    expect_near(force_on_grain(settings, at({0, -0.1f, 0})), {0, 100 * 0.3, 0}, force_tolerance);
    expect_near(force_on_grain(settings, at({0, 0.21f, 0})), {0, 0, 0}, 0);
}

// R2.13
TEST(GranularContact, EachWallPushesInwards) {
    const GranularSettings settings = seed_settings_in_room(3);
    expect_near(force_on_grain(settings, at({-2.9f, 1, 0})), {100 * 0.1, 0, 0}, force_tolerance);
    expect_near(force_on_grain(settings, at({2.9f, 1, 0})), {-100 * 0.1, 0, 0}, force_tolerance);
    expect_near(force_on_grain(settings, at({0, 1, -2.9f})), {0, 0, 100 * 0.1}, force_tolerance);
    expect_near(force_on_grain(settings, at({0, 1, 2.9f})), {0, 0, -100 * 0.1}, force_tolerance);
    expect_near(force_on_grain(settings, at({2.79f, 1, -2.79f})), {0, 0, 0}, 0);
}

// R2.13
TEST(GranularContact, PlanesActOnParticlesOutsideTheGridToo) {
    const GranularSettings settings = seed_settings_in_room(3);
    expect_near(force_on_grain(settings, at({5, 1, 0})), {-100 * 2.2, 0, 0}, 1e-3);
    expect_near(force_on_grain(settings, at({0, -3, 0})), {0, 100 * 3.2, 0}, 1e-3);
}

// R2.13
TEST(GranularContact, ThereIsNoCeiling) {
    GranularSettings settings = seed_settings_in_room(3);
    settings.gravity = {};
    GranularWorld world = world_of(settings, shapes::grain(0.2f), {at({0, 5, 0}, {0, 10, 0})});
    world.step(300);
    EXPECT_NEAR(world.bodies()[0].position.y, 35, 1e-3);
    EXPECT_NEAR(world.bodies()[0].velocity().y, 10, 1e-5);
}

// R2.13
TEST(GranularContact, PlanesCanBeSwitchedOff) {
    GranularSettings settings = seed_settings_in_room(3);
    settings.walls = false;
    expect_near(force_on_grain(settings, at({3.1f, 0.1f, 0})), {0, 100 * 0.1, 0}, force_tolerance);
    settings.walls = true;
    settings.ground = false;
    expect_near(force_on_grain(settings, at({2.9f, 0.1f, 0})), {-100 * 0.1, 0, 0}, force_tolerance);
}

// R2.14
TEST(GranularContact, BoundaryDampingIsAppliedOnceHoweverManyPlanesTouch) {
    const GranularSettings settings = seed_settings_in_room(3);
    const Vec3 v{0.3f, -0.7f, 1.1f};
    const DVec3 drag = -0.5 * wide(v);
    expect_near(force_on_grain(settings, at({0, 0.1f, 0}, v)), DVec3{0, 10, 0} + drag, force_tolerance);
    expect_near(force_on_grain(settings, at({2.9f, 0.1f, 0}, v)), DVec3{-10, 10, 0} + drag, force_tolerance);
    expect_near(force_on_grain(settings, at({2.9f, 0.1f, -2.9f}, v)), DVec3{-10, 10, 10} + drag,
                force_tolerance);
}

// R2.15
TEST(GranularContact, BodyIsMovedByItsWeightAndTheSumOfItsParticleForces) {
    GranularBodyDef body = at({0, 0.55f, 0}, {0.2f, 0, 0});
    body.rotation = narrow(turn({1, 0, 0.5}, 0.2));
    body.mass = 2;
    GranularWorld world = world_of(seed_settings_in_room(3), shapes::cube(0.2f), {body});
    const GranularBodyState before = world.bodies()[0];
    const auto particles = world.particles();
    world.step();
    const auto forces = world.particle_forces();
    ASSERT_EQ(forces.size(), 27u);
    DVec3 force{0, -9.81 * 2, 0}, torque;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        force += wide(forces[i]);
        torque += cross(wide(particles[i].position) - wide(before.position), wide(forces[i]));
    }
    const GranularBodyState after = world.bodies()[0];
    expect_near(wide(after.momentum), wide(before.momentum) + 0.01 * force, 1e-5);
    expect_near(wide(after.angular_momentum), wide(before.angular_momentum) + 0.01 * torque, 1e-5);
    EXPECT_GT(length(torque), 0.1);
}

// R2.15
TEST(GranularContact, ForcesOfOneStepDoNotLingerIntoTheNext) {
    GranularSettings settings = alone_in_space(GranularMode::reference, ContactModel::linear);
    GranularWorld world = world_of(settings, shapes::grain(0.2f), resting_at({{0, 0, 0}, {0.39f, 0, 0}}));
    world.step(200);
    for (Vec3 force : world.particle_forces()) EXPECT_EQ(force, (Vec3{0, 0, 0}));
}

// R2.16
TEST(GranularContact, CubeRestingFlatSinksByItsWeightOverNineSprings) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        for (double mass : {1.0, 2.0}) {
            GranularSettings settings = seed_settings_in_room(3);
            settings.mode = mode;
            if (mode == GranularMode::improved) settings.contact = ContactModel::history;
            settings.sleeping = false; // sleep may come before the last half a millimetre
            GranularBodyDef body = at({0, 0.6f, 0});
            body.mass = static_cast<float>(mass);
            GranularWorld world = world_of(settings, shapes::cube(0.2f), {body});
            run(world, 8);
            const double depth = mass * 9.81 / (9 * 100);
            EXPECT_NEAR(0.6 - world.bodies()[0].position.y, depth, 0.01 * depth);
        }
    }
}

// R2.17
TEST(GranularContact, DieTumblesAndComesToRestOnAFace) {
    GranularBodyDef die = at({0, 4, 0});
    die.rotation = narrow(turn({1, 0.3, 0.6}, 0.6));
    GranularWorld world = world_of(seed_settings_in_room(6), shapes::cube(0.2f), {die});
    double spin = 0;
    for (int i = 0; i < 200; ++i) {
        world.step(10);
        spin = std::max(spin, length(wide(world.bodies()[0].angular_velocity)));
    }
    EXPECT_GT(spin, 1);
    EXPECT_LT(world.measure().kinetic_energy, 1e-3);
    EXPECT_LT(tilt(world.bodies()[0]), 1e-4);
    EXPECT_NEAR(world.bodies()[0].position.y, 0.6 - 9.81 / 900, 1e-3);
}

// R2.18
TEST(GranularContact, BouncingCubeLosesEnergyFromBounceToBounce) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved}) {
        GranularSettings settings = seed_settings_in_room(6);
        settings.mode = mode;
        if (mode == GranularMode::improved) settings.contact = ContactModel::history;
        settings.sleeping = false;
        GranularBodyDef body = at({0, 3, 0});
        body.rotation = narrow(turn({1, 0, 1}, 0.2));
        GranularWorld world = world_of(settings, shapes::cube(0.2f), {body});
        std::vector<double> flights; // energy in the middle of each flight
        bool flying = false;
        for (int i = 0; i < 300; ++i) {
            world.step();
            const GranularMeasure now = world.measure();
            const bool free = now.max_overlap <= 0;
            if (free && !flying) flights.push_back(now.kinetic_energy + now.potential_energy);
            flying = free;
        }
        ASSERT_GE(flights.size(), 3u);
        for (std::size_t i = 1; i < flights.size(); ++i) EXPECT_LT(flights[i], flights[i - 1]) << i;
    }
}

// R2.18
TEST(GranularContact, DampedGrainReboundsLowerThanAnUndampedOne) {
    const auto rebound = [](float damping) {
        GranularSettings settings = seed_settings_in_room(3);
        settings.damping = damping;
        GranularWorld world = world_of(settings, shapes::grain(0.2f), {at({0, 1, 0})});
        double top = 0;
        bool hit = false;
        for (int i = 0; i < 200; ++i) {
            world.step();
            const GranularBodyState body = world.bodies()[0];
            hit = hit || body.position.y < 0.2f;
            if (hit && body.velocity().y > 0) top = std::max(top, static_cast<double>(body.position.y));
        }
        return top;
    };
    EXPECT_GT(rebound(0), 0.9);
    EXPECT_LT(rebound(0.5f), 0.9 * rebound(0));
    EXPECT_LT(rebound(2), rebound(0.5f));
}

// R2.19
TEST(GranularContact, CoincidentCentresGiveFiniteForces) {
    for (GranularMode mode : {GranularMode::reference, GranularMode::improved, GranularMode::brute}) {
        for (ContactModel model : all_models) {
            GranularSettings settings = alone_in_space(mode, model);
            settings.unlock = true;
            GranularWorld grains =
                world_of(settings, shapes::grain(0.2f), resting_at({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}));
            GranularWorld cubes = world_of(settings, shapes::cube(0.2f), resting_at({{1, 1, 1}, {1, 1, 1}}));
            for (GranularWorld* world : {&grains, &cubes}) {
                world->step();
                for (Vec3 force : world->particle_forces()) EXPECT_TRUE(is_finite(wide(force)));
                world->step(50);
                EXPECT_TRUE(all_finite(*world));
                EXPECT_EQ(world->measure().frozen, 0u);
            }
        }
    }
}

// R2.67
TEST(GranularContact, OnlyTheLinearModelPullsPartingParticlesBack) {
    const GranularBodyDef a = at({0, 0, 0}, {-10, 0, 0}), b = at({0.38f, 0, 0}, {10, 0, 0});
    EXPECT_GT(forces_between(alone_in_space(GranularMode::improved, ContactModel::linear), a, b)[0].x, 1);
    for (ContactModel model : {ContactModel::split, ContactModel::history, ContactModel::hertz}) {
        EXPECT_LE(forces_between(alone_in_space(GranularMode::improved, model), a, b)[0].x, 0);
    }
}

// R2.67
TEST(GranularContact, SpringOfTheSplitModelsIsTheSeedsWhenNothingMoves) {
    for (ContactModel model : {ContactModel::split, ContactModel::history}) {
        const auto forces =
            forces_between(alone_in_space(GranularMode::improved, model), at({0, 0, 0}), at({0, 0.36f, 0}));
        expect_near(wide(forces[0]), {0, -4, 0}, force_tolerance);
        expect_near(wide(forces[1]), {0, 4, 0}, force_tolerance);
    }
}

// R2.67
TEST(GranularContact, HertzForceGrowsWithThePowerThreeHalves) {
    const auto force = [](double overlap) {
        const float gap = static_cast<float>(0.4 - overlap);
        return -wide(forces_between(alone_in_space(GranularMode::improved, ContactModel::hertz),
                                    at({0, 0, 0}), at({gap, 0, 0}))[0])
                    .x;
    };
    EXPECT_GT(force(0.01), 0);
    EXPECT_NEAR(force(0.04) / force(0.01), 8, 0.01);
    EXPECT_NEAR(force(0.09) / force(0.01), 27, 0.05);
}

// R2.67
TEST(GranularContact, TangentialForceStaysWithinCoulombsLimit) {
    for (ContactModel model : {ContactModel::split, ContactModel::history, ContactModel::hertz}) {
        GranularSettings settings = alone_in_space(GranularMode::improved, model);
        settings.friction = 0.3f;
        const auto forces = forces_between(settings, at({0, 0, 0}), at({0.36f, 0, 0}, {0, 15, 0}));
        const double normal = -forces[0].x, tangential = std::hypot(forces[0].y, forces[0].z);
        EXPECT_GT(normal, 0);
        EXPECT_NEAR(tangential, 0.3 * normal, 0.01 * normal);
        EXPECT_GT(forces[0].y, 0) << "dragged along by the other";
    }
}

// R2.67
TEST(GranularContact, WithoutFrictionTheSplitModelsPushAlongTheNormalOnly) {
    for (ContactModel model : {ContactModel::split, ContactModel::history, ContactModel::hertz}) {
        GranularSettings settings = alone_in_space(GranularMode::improved, model);
        settings.friction = 0;
        const auto forces = forces_between(settings, at({0, 0, 0}), at({0.36f, 0, 0}, {0, 3, -2}));
        EXPECT_LT(forces[0].x, 0);
        EXPECT_NEAR(forces[0].y, 0, 1e-6);
        EXPECT_NEAR(forces[0].z, 0, 1e-6);
    }
}

// R2.67
TEST(GranularContact, ASpringTooSoftForAnyNumberStaysFinite) {
    for (GranularMode mode : {GranularMode::improved, GranularMode::brute}) {
        GranularSettings settings = alone_in_space(mode, ContactModel::history);
        settings.friction = 0.3f;
        settings.tangent_stiffness = 1e-42f;
        GranularWorld world = world_of(settings, shapes::grain(settings.particle_radius),
                                       {at({0, 0, 0}), at({0.36f, 0, 0}, {0, 15, 0})});
        world.step(3);
        for (const Vec3& force : world.particle_forces())
            EXPECT_TRUE(std::isfinite(force.x) && std::isfinite(force.y) && std::isfinite(force.z));
        EXPECT_EQ(world.measure().frozen, 0u);
    }
}

} // namespace
} // namespace scree::test
