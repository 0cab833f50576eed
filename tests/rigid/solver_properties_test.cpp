// SPDX-License-Identifier: MIT
// solver_properties_test.cpp — what holds for every scene: momentum, energy, symmetry, and bodies gone wrong that stay alone.
#include "scree/error.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::test {
namespace {

double momentum_scale(const World& world) {
    double sum = 0;
    for (const BodyId body : world.bodies())
        if (world.type(body) == BodyType::dynamic)
            sum += static_cast<double>(world.mass(body).mass) * speed(world, body);
    return sum;
}

// momentum -----------------------------------------------------------------------------------------------------------

class Conservation : public testing::TestWithParam<Kind> {};

/// A cloud of bodies that flies together and collides, in empty space.
std::vector<BodyId> add_collapse(World& world, Kind kind, const Material& material = {}) {
    std::vector<BodyId> bodies = add_pile(world, kind, 64, 4, -1.2f, 7, material);
    Dice dice(9);
    for (const BodyId body : bodies) {
        const DVec3 p = position(world, body);
        world.set_velocity(body, narrow(-1.0 * p), dice.in_box({-2, -2, -2}, {2, 2, 2}));
    }
    return bodies;
}

TEST_P(Conservation, CollisionsKeepTheMomentum) {
    World world(in_space());
    add_collapse(world, GetParam());
    const Vec3 before = world.measure().momentum;
    const double scale = momentum_scale(world);
    std::uint64_t contacts = 0;
    for (int k = 0; k < 200; ++k) {
        world.step(frame);
        contacts = std::max(contacts, world.measure().contacts);
    }
    ASSERT_GT(contacts, 10u);
    EXPECT_LT(length(wide(world.measure().momentum) - wide(before)), 1e-4 * scale);
}

TEST_P(Conservation, CollisionsKeepTheAngularMomentum) {
    World world(in_space());
    add_collapse(world, GetParam());
    const WorldMeasure before = world.measure();
    // of the magnitudes, about the origin
    double scale = 0;
    for (const BodyId body : world.bodies())
        scale += static_cast<double>(world.mass(body).mass) *
                 (length(position(world, body)) * speed(world, body) + 0.1);
    run_steps(world, 200);
    EXPECT_LT(length(wide(world.measure().angular_momentum) - wide(before.angular_momentum)), 0.02 * scale);
}

TEST_P(Conservation, EnergyNeverGrowsWithoutRestitution) {
    World world(in_space());
    add_collapse(world, GetParam());
    const double start = world.measure().kinetic_energy;
    double before = start, worst = 0;
    for (int k = 0; k < 200; ++k) {
        world.step(frame);
        const double now = world.measure().kinetic_energy;
        worst = std::max(worst, now - before);
        before = now;
    }
    report("largest_gain_percent", 100 * worst / start);
    report("energy_left_percent", 100 * before / start);
    EXPECT_LT(worst, 0.002 * start);
    EXPECT_LT(before, 0.9 * start);
}

TEST_P(Conservation, EnergyOfAFallingPileNeverGrows) {
    World world(without_sleep());
    add_container(world, 2, 8);
    add_pile(world, GetParam(), 64);
    const double start = energy(world);
    double lowest = start, worst = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        const double now = energy(world);
        worst = std::max(worst, now - lowest);
        lowest = std::min(lowest, now);
    }
    report("largest_gain_percent", 100 * worst / start);
    EXPECT_LT(worst, 0.005 * start);
}

TEST_P(Conservation, APileComesToRestWithLittleOverlap) {
    World world(without_sleep());
    add_container(world, 2, 8);
    const std::vector<BodyId> bodies =
        add_pile(world, GetParam(), 64, 4, 1, 1, {.rolling_resistance = 0.02f});
    run_for(world, 15);
    expect_at_rest(world, 0.02, 0.0025);
    for (const BodyId body : bodies) EXPECT_GT(height(world, body), 0.02);
}

std::string kind_name(const testing::TestParamInfo<Kind>& info) {
    const char* names[] = {"boxes", "spheres", "capsules", "hulls", "mixed", "compounds"};
    return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Kinds, Conservation,
                         testing::Values(Kind::boxes, Kind::spheres, Kind::capsules, Kind::hulls, Kind::mixed,
                                         Kind::compounds),
                         kind_name);

TEST(SolverProperties, TheWeightOfAStackArrivesAtTheFloor) {
    World world(without_sleep());
    const BodyId floor = add_slab(world, 10);
    double weight = 0;
    for (const BodyId cube : add_stack(world, 5)) weight += 9.81 * static_cast<double>(world.mass(cube).mass);
    run_for(world, 5);
    double pressed = 0;
    for (const ContactInfo& contact : world.contacts()) {
        if (contact.first_body != floor && contact.second_body != floor) continue;
        for (int k = 0; k < contact.count; ++k)
            pressed += static_cast<double>(contact.points[static_cast<std::size_t>(k)].normal_impulse);
    }
    EXPECT_NEAR(pressed * 60 * world.settings().substeps, weight, 0.02 * weight);
}

TEST(SolverProperties, AStepOfNothingFindsContactsAndMovesNothing) {
    World world(without_sleep());
    add_slab(world, 10);
    const BodyId cube = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}, {}, {.velocity = {1, 0, 0}});
    const std::uint64_t before = world.hash();
    world.step(0);
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.contacts().size(), 1u);
    EXPECT_EQ(position(world, cube).x, 0);
}

TEST(SolverProperties, StepsOfAnyLengthKeepABoxOnTheFloor) {
    for (const float dt : {1e-6f, 0.001f, 1 / 240.0f, 1 / 30.0f, 0.1f, 0.5f}) {
        World world(without_sleep());
        add_slab(world, 10);
        const BodyId cube = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
        run_steps(world, 300, dt);
        EXPECT_NEAR(height(world, cube), 0.5, 0.03) << dt;
    }
}

TEST(SolverProperties, ChangingStepsDoNotUnsettleAStack) {
    World world(without_sleep());
    add_slab(world, 10);
    const std::vector<BodyId> cubes = add_stack(world, 6);
    Dice dice(4);
    for (int k = 0; k < 900; ++k) world.step(static_cast<float>(dice.between(0.004, 0.03)));
    for (std::size_t k = 0; k < cubes.size(); ++k)
        EXPECT_NEAR(height(world, cubes[k]), static_cast<double>(k) + 0.5, 0.06);
}

TEST(SolverProperties, OverlapIsPushedOutSlowly) {
    // two cubes half inside each other part no faster than the push speed
    World world(in_space());
    const BodyId a = add(world, Box{0.5f, 0.5f, 0.5f}, {-0.3f, 0, 0}),
                 b = add(world, Box{0.5f, 0.5f, 0.5f}, {0.3f, 0, 0});
    double fastest = 0;
    for (int k = 0; k < 120; ++k) {
        world.step(frame);
        fastest = std::max({fastest, speed(world, a), speed(world, b)});
    }
    EXPECT_GT(position(world, b).x - position(world, a).x, 0.98);
    EXPECT_LT(fastest, 3.1);
    EXPECT_LT(speed(world, a), 0.5) << "what pushed them out is taken from the velocities again";
}

TEST(SolverProperties, AFastBallDoesNotPassAThickWall) {
    // 50 m/s move 0.83 m in a step; the wall is 1 m thick and the ball 0.4 m
    World world(in_space());
    add(world, Box{0.5f, 5, 5}, {5, 0, 0}, {}, {.type = BodyType::fixed});
    const BodyId ball = add(world, Sphere{0.4f}, {}, {}, {.velocity = {50, 0, 0}});
    run_for(world, 1);
    EXPECT_LT(position(world, ball).x, 4.3);
}

TEST(SolverProperties, AMirroredSceneGoesTheMirroredWay) {
    World world(without_sleep());
    add_slab(world, 20);
    const BodyId left = add(world, Sphere{0.5f}, {-5, 2, 0}, {}, {.velocity = {-3, 0, 0}});
    const BodyId right = add(world, Sphere{0.5f}, {5, 2, 0}, {}, {.velocity = {3, 0, 0}});
    run_for(world, 2);
    EXPECT_NEAR(position(world, left).x, -position(world, right).x, 1e-4);
    EXPECT_NEAR(height(world, left), height(world, right), 1e-4);
}

TEST(SolverProperties, RecyclingHardlyChangesWhereAPileComesToRest) {
    const auto mean_height = [](bool recycling) {
        WorldSettings settings = without_sleep();
        settings.recycling = recycling;
        World world(settings);
        add_container(world, 2, 8);
        add_pile(world, Kind::boxes, 64);
        run_for(world, 10);
        return world.measure().mean_height;
    };
    EXPECT_NEAR(mean_height(true), mean_height(false), 0.08);
}

// quarantine ---------------------------------------------------------------------------------------------------------

/// A pyramid and a body in it that gets a force so great that its velocity does not fit a float.
TEST(Quarantine, ABodyThatIsNoLongerFiniteIsFrozenAndReportedAndItsNeighboursLive) {
    World world(default_settings());
    add_slab(world, 20);
    const std::vector<BodyId> cubes = add_pyramid(world, 5);
    run_steps(world, 30);
    const BodyId victim = cubes[6];
    const DVec3 there = position(world, victim);
    for (int k = 0; k < 3; ++k) world.apply_force(victim, {1e38f, 1e38f, -1e38f});
    world.apply_torque(victim, {3e38f, 3e38f, 3e38f});
    bool reported = false;
    ASSERT_NO_THROW(world.step(frame));
    for (const BodyId body : world.quarantined()) reported = reported || body == victim;
    EXPECT_TRUE(all_are_finite(world));
    if (world.state(victim).frozen) {
        EXPECT_TRUE(reported);
        EXPECT_LT(length(position(world, victim) - there), 0.1);
        EXPECT_EQ(speed(world, victim), 0);
    }
    ASSERT_NO_THROW(run_for(world, 5));
    EXPECT_TRUE(all_are_finite(world));
    for (const BodyId cube : cubes)
        EXPECT_EQ(world.state(cube).frozen && !(cube == victim), false) << "cube " << cube.index;
}

TEST(Quarantine, OnlyTheBodyThatWentWrongIsFrozen) {
    // alone in space a body with the least mass and the greatest force
    World world(in_space());
    const BodyId victim = add(world, Sphere{0.5f}, {}, {},
                              {.mass = MassProperties{.mass = 1e-30f, .inertia = {1e-30f, 1e-30f, 1e-30f}}});
    const BodyId other = add(world, Sphere{0.5f}, {5, 0, 0}, {}, {.velocity = {0, 1, 0}});
    world.apply_force(victim, {1e38f, 0, 0});
    ASSERT_NO_THROW(world.step(frame));
    EXPECT_TRUE(all_are_finite(world));
    EXPECT_TRUE(world.state(victim).frozen);
    ASSERT_EQ(world.quarantined().size(), 1u);
    EXPECT_EQ(world.quarantined()[0], victim);
    EXPECT_EQ(world.state(victim).position, Vec3{});
    EXPECT_EQ(world.measure().frozen, 1u);
    world.step(frame);
    EXPECT_TRUE(world.quarantined().empty()) << "reported once";
    EXPECT_NEAR(height(world, other), 2.0 / 60, 1e-4);
}

TEST(Quarantine, AFrozenBodyIsARestForOthersAndComesBackWithItsType) {
    World world(without_sleep());
    const BodyId victim = add(
        world, Box{2, 0.5f, 2}, {0, -0.5f, 0}, {},
        {.gravity_scale = 0, .mass = MassProperties{.mass = 1e-30f, .inertia = {1e-30f, 1e-30f, 1e-30f}}});
    world.apply_force(victim, {1e38f, 0, 0});
    world.step(frame);
    ASSERT_TRUE(world.state(victim).frozen);
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 1, 0});
    run_for(world, 2);
    EXPECT_NEAR(height(world, box), 0.5, 0.02);
    world.set_mass(victim, std::nullopt);
    world.set_gravity_scale(victim, 1);
    world.set_type(victim, BodyType::dynamic);
    run_for(world, 1);
    EXPECT_FALSE(world.state(victim).frozen);
    EXPECT_LT(height(world, victim), -3);
}

/// So light that its velocity does not fit a float.
void blow_up(World& world, BodyId body) {
    world.set_mass(body, MassProperties{.mass = 1e-30f, .inertia = {1e-30f, 1e-30f, 1e-30f}});
    world.apply_force(body, {1e38f, 0, 0});
}

TEST(Quarantine, JointsHoldOnToAFrozenBody) {
    // in one substep the trouble does not reach the ends
    WorldSettings settings = without_sleep();
    settings.substeps = 1;
    World world(settings);
    const Chain chain = add_chain(world, 60, {});
    world.step(frame);
    blow_up(world, chain.links[30]);
    world.step(frame);
    ASSERT_TRUE(world.state(chain.links[30]).frozen);
    ASSERT_FALSE(world.state(chain.links[59]).frozen);
    run_for(world, 1);
    EXPECT_LT(world.measure().joint_error, 0.1);
}

TEST(Quarantine, ASleeperBesideAFrozenBodyWakesUnharmed) {
    World world(without_sleep());
    add_slab(world, 20);
    const std::vector<BodyId> cubes = add_stack(world, 2);
    const BodyId below = cubes[0], above = cubes[1];
    run_steps(world, 20);
    blow_up(world, above);
    world.put_to_sleep(below);
    world.step(frame);
    ASSERT_TRUE(world.state(above).frozen);
    world.wake(below);
    run_steps(world, 10);
    EXPECT_FALSE(world.state(below).frozen);
}

TEST(Quarantine, EnormousVelocitiesAreLimited) {
    World world(default_settings());
    add_slab(world, 50);
    const std::vector<BodyId> cubes = add_pyramid(world, 4);
    world.set_velocity(cubes[2], {1e30f, 1e20f, 0}, {1e30f, 0, 1e25f});
    ASSERT_NO_THROW(run_for(world, 3));
    EXPECT_TRUE(all_are_finite(world));
    EXPECT_LE(world.measure().max_speed, 401);
}

TEST(Quarantine, BodiesInOnePlaceAreTakenApart) {
    for (const Geometry& geometry :
         {Geometry{Sphere{0.5f}}, Geometry{Box{0.5f, 0.5f, 0.5f}}, Geometry{Capsule{0.5f, 0.3f}},
          Geometry{Cylinder{0.5f, 0.5f}}, Geometry{pebble(3, 0.5f)}}) {
        World world(in_space());
        const BodyId a = add(world, geometry, {}), b = add(world, geometry, {});
        ASSERT_NO_THROW(run_for(world, 3));
        EXPECT_TRUE(all_are_finite(world)) << geometry.index();
        EXPECT_EQ(world.measure().frozen, 0u) << geometry.index();
        EXPECT_GT(length(position(world, a) - position(world, b)), 0.5) << geometry.index();
    }
}

TEST(Quarantine, FarAwayBodiesStayFinite) {
    World world(default_settings());
    add_floor(world);
    const BodyId near = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    std::vector<BodyId> far;
    for (const float distance : {1e4f, 1e6f, 1e9f, 1e15f})
        far.push_back(add(world, Sphere{0.5f}, {distance, 0.5f, -distance}));
    ASSERT_NO_THROW(run_for(world, 2));
    EXPECT_TRUE(all_are_finite(world));
    EXPECT_NEAR(height(world, near), 0.5, 0.01);
    EXPECT_NEAR(height(world, far[0]), 0.5, 0.02);
}

// turns of more than 180 degrees a step: 200 rad/s for 1/30 s are 6.7 rad
TEST(SolverProperties, RotationsOfFastSpinsStayUnit) {
    for (const float spin : {50.0f, 94.0f, 95.0f, 120.0f, 188.5f, 200.0f}) {
        World world({.gravity = {0, 0, 0}}, on(1));
        const BodyId body = world.create_body({.angular_velocity = {0.6f * spin, 0, 0.8f * spin}});
        world.attach(body, Sphere{0.5f});
        for (int k = 0; k < 100; ++k) {
            world.step(1 / 30.0f);
            const Quat q = world.state(body).rotation;
            ASSERT_NEAR(double{q.s} * q.s + double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z, 1,
                        1e-6)
                << spin << " rad/s, step " << k;
        }
        EXPECT_NO_THROW(World::restore(world.save(), on(1)));
    }
}

} // namespace
} // namespace scree::test
