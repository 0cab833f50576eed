// SPDX-License-Identifier: MIT
// coupling_test.cpp — gears, racks and pulleys: ratios over many turns, forces, moving carriers, play, ropes, copies, bad input.
#include "scree/error.h"
#include "scree/rollback.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace scree::test {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

class Coupling : public testing::TestWithParam<Solver> {
protected:
    static WorldSettings settings(Vec3 gravity = {}) {
        WorldSettings s = without_sleep();
        s.gravity = gravity;
        s.solver = GetParam();
        s.sor_iterations = 60;
        return s;
    }
    static bool is_sor() { return GetParam() == Solver::sor; }
};
INSTANTIATE_TEST_SUITE_P(Solvers, Coupling, testing::Values(Solver::soft_step, Solver::sor),
                         [](const auto& which) {
                             return std::string(which.param == Solver::sor ? "Sor" : "SoftStep");
                         });

const Quat along_z{.x = 0.70710678f, .s = 0.70710678f}; ///< turns y to z

/// A disc about z, on a hinge to another body or the world.
struct Disc {
    BodyId body;
    JointId hinge;
};
Disc add_disc(World& world, float radius, Vec3 at, const JointDrive& drive = {}, BodyId carrier = {}) {
    Disc disc{add(world, Cylinder{0.05f, radius}, at, {}, {.rotation = along_z}), {}};
    disc.hinge = world.create_joint({.type = JointType::hinge,
                                     .first = disc.body,
                                     .second = carrier,
                                     .anchor = at,
                                     .axis = {0, 0, 1},
                                     .drive = drive});
    return disc;
}
JointDef gear_of(const World& world, const Disc& first, const Disc& second, float ratio) {
    return {.type = JointType::gear,
            .first = first.body,
            .second = second.body,
            .anchor = world.position(first.body),
            .axis = {0, 0, 1},
            .second_anchor = world.position(second.body),
            .ratio = ratio};
}
float spin(const World& world, BodyId body) { return world.state(body).angular_velocity.z; }

TEST_P(Coupling, GearsTurnInTheirRatio) {
    World world(settings());
    const Disc small = add_disc(world, 0.2f, {}, JointMotor{.speed = 6}),
               large = add_disc(world, 0.6f, {0.8f, 0, 0});
    const JointId gear = world.create_joint(gear_of(world, small, large, 3));
    run_steps(world, 120);
    EXPECT_NEAR(spin(world, small.body), 6, 0.01f);
    EXPECT_NEAR(spin(world, large.body), -2, 0.01f);
    EXPECT_LT(world.error(gear).angle, 1e-3f);
    EXPECT_NEAR(world.state(gear).speed, 0, 1e-2f);
}

TEST_P(Coupling, ABeltTurnsBothTheSameWayAndBevelGearsTurnACorner) {
    World world(settings());
    const Disc first = add_disc(world, 0.2f, {}, JointMotor{.speed = 4}),
               second = add_disc(world, 0.4f, {2, 0, 0});
    world.create_joint(gear_of(world, first, second, -2));
    const BodyId crown = add(world, Cylinder{0.05f, 0.2f}, {-0.2f, 0, 0.2f}, {},
                             {.rotation = Quat{.z = 0.70710678f, .s = 0.70710678f}});
    world.create_joint(
        {.type = JointType::hinge, .first = crown, .anchor = {-0.2f, 0, 0.2f}, .axis = {1, 0, 0}});
    JointDef bevel = gear_of(world, first, {crown, {}}, 1);
    bevel.second_axis = Vec3{1, 0, 0};
    const JointId corner = world.create_joint(bevel);
    run_steps(world, 180);
    EXPECT_NEAR(spin(world, second.body), 2, 0.01f);
    EXPECT_NEAR(world.state(crown).angular_velocity.x, -4, 0.02f);
    EXPECT_LT(world.error(corner).angle, 2e-3f);
}

TEST_P(Coupling, NoTurnIsLostInAMinuteUnderLoad) {
    World world(settings());
    // a motor drives; a brake on the other side loads the teeth
    const float ratio = 2.7182818f; // no number of turns brings both back at once
    const Disc first = add_disc(world, 0.2f, {}, JointMotor{.speed = 40}),
               second = add_disc(world, 0.5f, {0.7f, 0, 0}, JointFriction{20});
    const JointId gear = world.create_joint(gear_of(world, first, second, ratio));
    double turned[2] = {}, early = 0;
    float before[2] = {};
    for (int k = 0; k < 3600; ++k) {
        world.step(frame);
        const JointId hinges[2] = {first.hinge, second.hinge};
        for (const int n : {0, 1}) {
            const float now = world.state(hinges[n]).coordinate;
            double by = double{now} - double{before[n]};
            if (by > std::numbers::pi) by -= 2 * std::numbers::pi;
            if (by < -std::numbers::pi) by += 2 * std::numbers::pi;
            turned[n] += by, before[n] = now;
        }
        if (k == 600) early = turned[0] + double{ratio} * turned[1];
    }
    EXPECT_GT(turned[0], 2300) << "rad";
    const double slip = turned[0] + double{ratio} * turned[1];
    // what the load bends is there from the beginning
    EXPECT_NEAR(slip, early, 5e-4);
    EXPECT_NEAR(slip, 0, is_sor() ? 0.15 : 0.002);
    EXPECT_NEAR(double{world.state(gear).coordinate}, slip, 2e-4);
    EXPECT_NEAR(std::abs(world.state(gear).torque.z), 20 / ratio, 0.5f);
}

TEST_P(Coupling, GearsOnAMovingCarrierTurnAgainstItAndKeepMomentum) {
    World world(settings());
    const BodyId carrier = add(world, Box{1, 0.1f, 0.1f}, {0, 0, -0.5f});
    const Disc a = add_disc(world, 0.3f, {-0.3f, 0, 0}, {}, carrier),
               b = add_disc(world, 0.3f, {0.3f, 0, 0}, {}, carrier);
    const JointId gear = world.create_joint(gear_of(world, a, b, 1));
    // the carrier turns and flies: relative to it the gears turn as one would expect
    world.set_velocity(carrier, {3, 1, 0}, {0, 0, 2});
    world.set_velocity(a.body, {3, 1, 0}, {0, 0, 7});
    world.set_velocity(b.body, {3, 1, 0}, {0, 0, -3});
    const auto momentum = [&] {
        DVec3 linear{};
        for (const BodyId body : {carrier, a.body, b.body})
            linear = linear + double{world.mass(body).mass} * wide(world.state(body).velocity);
        return linear;
    };
    const DVec3 at_first = momentum();
    run_steps(world, 120);
    const float turn_a = world.state(a.hinge).speed, turn_b = world.state(b.hinge).speed;
    EXPECT_GT(std::abs(turn_a), 1) << "it does turn";
    EXPECT_NEAR(turn_a + turn_b, 0, 0.05f * std::abs(turn_a));
    EXPECT_LT(world.error(gear).angle, 0.01f);
    EXPECT_LT(length(momentum() - at_first), 1e-3 * length(at_first));
}

TEST_P(Coupling, APlanetRollsAroundAFixedSun) {
    World world(settings());
    const BodyId arm = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, -0.2f});
    world.create_joint(
        {.type = JointType::hinge, .first = arm, .axis = {0, 0, 1}, .drive = JointMotor{.speed = 2}});
    const Disc planet = add_disc(world, 0.25f, {1, 0, 0}, {}, arm);
    // the sun is the world: it has three times the teeth, and the planet turns 1 + 3 times as fast as the arm
    world.create_joint({.type = JointType::gear,
                        .first = planet.body,
                        .anchor = {1, 0, 0},
                        .axis = {0, 0, 1},
                        .second_anchor = DVec3{},
                        .ratio = 3});
    run_steps(world, 120);
    EXPECT_NEAR(spin(world, arm), 2, 0.02f);
    EXPECT_NEAR(spin(world, planet.body), 8, 0.1f);
}

TEST_P(Coupling, PlayLetsAGearTurnBeforeItBites) {
    World world(settings());
    const Disc first = add_disc(world, 0.3f, {}), second = add_disc(world, 0.3f, {0.6f, 0, 0});
    JointDef def = gear_of(world, first, second, 1);
    def.limit = JointLimit{-0.1f, 0.1f};
    const JointId gear = world.create_joint(def);
    world.set_velocity(first.body, {}, {0, 0, 1});
    run_steps(world, 4);
    EXPECT_NEAR(spin(world, second.body), 0, 1e-4f);
    run_steps(world, 30);
    EXPECT_LT(spin(world, second.body), -0.4f);
    EXPECT_LT(world.error(gear).angle, 0.01f);
}

TEST_P(Coupling, APinionMovesItsRackAndTheRackTurnsThePinion) {
    World world(settings());
    const Disc pinion = add_disc(world, 0.25f, {}, JointMotor{.speed = 4, .max_force = 500});
    const BodyId rack = add(world, Box{1, 0.05f, 0.05f}, {0, -0.3f, 0});
    const JointId slide = world.create_joint({.type = JointType::slider, .first = rack, .axis = {1, 0, 0}});
    // it rolls on the rack: to the right below it as it turns counter-clockwise
    const JointId joint = world.create_joint({.type = JointType::rack,
                                              .first = pinion.body,
                                              .second = rack,
                                              .axis = {0, 0, 1},
                                              .second_axis = Vec3{1, 0, 0},
                                              .ratio = -1 / 0.25f});
    run_steps(world, 60);
    EXPECT_NEAR(world.state(slide).speed, 1, 0.01f);
    EXPECT_NEAR(world.state(slide).coordinate,
                world.state(pinion.hinge).coordinate < 0
                    ? (world.state(pinion.hinge).coordinate + 2 * pi) * 0.25f
                    : world.state(pinion.hinge).coordinate * 0.25f,
                0.01f);
    world.set_joint(pinion.hinge, {.first = {}});
    world.set_velocity(rack, {-2, 0, 0});
    run_steps(world, 10);
    EXPECT_NEAR(spin(world, pinion.body), 4 * world.state(slide).speed, 0.02f);
    EXPECT_LT(world.state(slide).speed, 0);
    EXPECT_LT(world.error(joint).angle, 0.01f);
}

TEST_P(Coupling, AMassThatARackCarriesIsReadAsTorque) {
    World world(settings({0, -10, 0}));
    const Disc pinion = add_disc(world, 0.2f, {}, JointMotor{.speed = 0});
    const BodyId rack = add(world, Box{0.05f, 1, 0.05f}, {0.25f, 0, 0});
    world.create_joint({.type = JointType::slider, .first = rack, .axis = {0, 1, 0}});
    const JointId joint = world.create_joint({.type = JointType::rack,
                                              .first = pinion.body,
                                              .second = rack,
                                              .axis = {0, 0, 1},
                                              .second_axis = Vec3{0, 1, 0},
                                              .ratio = -5});
    run_steps(world, 120);
    const float weight = 10 * world.mass(rack).mass;
    EXPECT_NEAR(world.state(joint).torque.z, -0.2f * weight, 0.01f * weight);
    EXPECT_NEAR(world.state(joint).force.y, -weight, 0.02f * weight);
    EXPECT_NEAR(world.state(pinion.hinge).torque.z, 0.2f * weight, 0.01f * weight);
}

// two weights on a rope over two points -----------------------------------------------------------------------------------

struct Lift {
    BodyId a, b;
    JointId rope;
};
Lift add_lift(World& world, float mass_a, float mass_b, float ratio) {
    const float volume = 8 * 0.1f * 0.1f * 0.1f;
    Lift lift;
    lift.a = add(world, Box{0.1f, 0.1f, 0.1f}, {-1, 0, 0}, {.density = mass_a / volume});
    lift.b = add(world, Box{0.1f, 0.1f, 0.1f}, {1, 0, 0}, {.density = mass_b / volume});
    lift.rope = world.create_joint({.type = JointType::pulley,
                                    .first = lift.a,
                                    .second = lift.b,
                                    .anchor = {-1, 0.1, 0},
                                    .second_anchor = DVec3{1, 0.1, 0},
                                    .ratio = ratio,
                                    .ground = {DVec3{-1, 4, 0}, DVec3{1, 4, 0}}});
    return lift;
}

TEST_P(Coupling, TwoWeightsOnAPulleyFallAsAtwoodSays) {
    World world(settings({0, -10, 0}));
    const Lift lift = add_lift(world, 3, 1, 1);
    run_steps(world, 30);
    // a = g (3 - 1) / (3 + 1)
    EXPECT_NEAR(world.state(lift.a).velocity.y, -2.5f, 0.02f);
    EXPECT_NEAR(world.state(lift.b).velocity.y, 2.5f, 0.02f);
    EXPECT_NEAR(world.state(lift.rope).force.y, 15, 0.1f) << "tension: 2 m1 m2 g / (m1 + m2)";
    EXPECT_LT(world.error(lift.rope).distance, 1e-3f);
    const JointState state = world.state(lift.rope);
    EXPECT_NEAR(state.coordinate, 7.8f, 2e-3f);
    EXPECT_NEAR(state.translation.x + state.translation.y, state.coordinate, 1e-5f);
}

TEST_P(Coupling, ABlockAndTackleHoldsTwiceTheWeight) {
    World world(settings({0, -10, 0}));
    const Lift lift = add_lift(world, 2, 4, 2);
    run_steps(world, 120);
    EXPECT_NEAR(world.state(lift.a).velocity.y, 0, 0.01f);
    EXPECT_NEAR(world.state(lift.b).position.y, 0, 0.01f);
    EXPECT_NEAR(world.state(lift.rope).force.y, 20, 0.1f);
}

TEST_P(Coupling, ARopeOverPulleysGoesSlackAndDoesNotPush) {
    World world(settings({0, -10, 0}));
    const Lift lift = add_lift(world, 1, 1, 1);
    world.set_velocity(lift.a, {0, 3, 0});
    run_steps(world, 12);
    EXPECT_NEAR(world.state(lift.a).velocity.y, 1, 0.05f) << "in free flight";
    EXPECT_NEAR(world.state(lift.b).velocity.y, -2, 0.05f);
    EXPECT_EQ(world.state(lift.rope).force, (Vec3{}));
}

TEST_P(Coupling, ALockedBodyHoldsTheRope) {
    World world(settings({0, -10, 0}));
    const Lift lift = add_lift(world, 1, 5, 1);
    world.set_locks(lift.a, {.y = true});
    run_steps(world, 60);
    EXPECT_NEAR(world.state(lift.b).position.y, 0, 0.01f);
    EXPECT_NEAR(world.state(lift.rope).force.y, 50, 0.5f);
}

TEST_P(Coupling, ARopeBreaksAndAGearStripsItsTeeth) {
    World world(settings({0, -10, 0}));
    const Lift lift = add_lift(world, 3, 1, 1);
    JointDef def = world.definition(lift.rope);
    def.break_force = 10;
    world.set_joint(lift.rope, def);
    const Disc first = add_disc(world, 0.2f, {0, 0, 9}, JointMotor{.speed = 6, .max_force = 100}),
               second = add_disc(world, 0.2f, {0.4f, 0, 9}, JointFriction{60});
    JointDef teeth = gear_of(world, first, second, 1);
    teeth.break_torque = 30;
    const JointId gear = world.create_joint(teeth);
    run_steps(world, 10);
    EXPECT_FALSE(world.alive(lift.rope));
    EXPECT_FALSE(world.alive(gear));
}

TEST_P(Coupling, ARatioThatChangesCountsFromWhereItIs) {
    World world(settings());
    const Disc first = add_disc(world, 0.2f, {}, JointMotor{.speed = 6}),
               second = add_disc(world, 0.2f, {0.4f, 0, 0});
    JointDef def = gear_of(world, first, second, 1);
    const JointId gear = world.create_joint(def);
    run_steps(world, 200);
    EXPECT_NEAR(spin(world, second.body), -6, 0.05f);
    def.ratio = 4;
    world.set_joint(gear, def);
    run_steps(world, 60);
    EXPECT_NEAR(spin(world, second.body), -1.5f, 0.02f);
    EXPECT_LT(world.error(gear).angle, 2e-3f);
    EXPECT_EQ(world.definition(gear).ratio, 4);
}

// copies and devices ------------------------------------------------------------------------------------------------------

/// A clockwork of all three, beside joints of other types; returns hash and what is read.
std::uint64_t clockwork(const WorldSettings& settings, const Place& place, bool restored) {
    World world(settings, place);

    std::vector<JointId> joints;
    for (int k = 0; k < 12; ++k) {
        const auto z = static_cast<float>(2 * k);
        const Disc first = add_disc(world, 0.2f, {0, 0, z}, JointMotor{.speed = 20.0f + z, .max_force = 400});
        const Disc second = add_disc(world, 0.4f, {0.6f, 0, z});
        const Disc third =
            add_disc(world, 0.3f, {1.3f, 0, z}, k % 2 ? JointDrive(JointFriction{5}) : JointDrive());
        joints.push_back(world.create_joint(gear_of(world, first, second, 2)));
        joints.push_back(world.create_joint(gear_of(world, second, third, k % 3 ? 0.75f : -0.75f)));
        const BodyId rack = add(world, Box{0.5f, 0.05f, 0.05f}, {1.3f, -0.36f, z});
        world.create_joint(
            {.type = JointType::slider, .first = rack, .axis = {1, 0, 0}, .limit = JointLimit{-2, 2}});
        joints.push_back(world.create_joint({.type = JointType::rack,
                                             .first = third.body,
                                             .second = rack,
                                             .anchor = {1.3f, 0, z},
                                             .axis = {0, 0, 1},
                                             .second_axis = Vec3{1, 0, 0},
                                             .ratio = -3}));
        const BodyId weight = add(world, Box{0.1f, 0.1f, 0.1f}, {3, -2, z}, {.density = 3000});
        joints.push_back(world.create_joint({.type = JointType::pulley,
                                             .first = rack,
                                             .second = weight,
                                             .anchor = {1.8f, -0.36f, z},
                                             .second_anchor = DVec3{3, -1.9, z},
                                             .ratio = 0.5f + 0.1f * static_cast<float>(k),
                                             .ground = {DVec3{2.9, -0.36, z}, DVec3{3, 0, z}},
                                             .break_force = k % 4 ? unlimited : 200}));
    }
    std::uint64_t seen = 0;
    for (int k = 0; k < 90; ++k) {
        world.step(frame);
        for (const JointId id : world.broken_joints()) seen = seen * 31 + id.index;
        if (k == 40)
            for (std::size_t j = 0; j < joints.size(); j += 5)
                if (world.alive(joints[j])) {
                    JointDef def = world.definition(joints[j]);
                    def.ratio *= 1.25f;
                    world.set_joint(joints[j], def);
                }
        if (restored && k == 47) world = World::restore(world.save(), place);
        for (std::size_t j = 0; j < joints.size(); j += 3)
            if (world.alive(joints[j])) {
                const JointState state = world.state(joints[j]);
                for (const float value : {state.coordinate, state.speed, state.force.x, state.torque.z})
                    seen = seen * 31 + std::bit_cast<std::uint32_t>(value);
            }
    }
    EXPECT_TRUE(all_are_finite(world));
    return world.hash() ^ seen;
}

TEST_P(Coupling, GivesTheSameBitsOnLanesThreadsAndDevices) {
    const SplitSmallWorlds split_small;
    const WorldSettings s = settings({0, -9.81f, 0});
    const std::uint64_t expected = clockwork(s, on(1), false);
    for (const Place& place : places_of_all_lanes())
        EXPECT_EQ(clockwork(s, place, false), expected) << place.lanes() << " lanes";
    EXPECT_EQ(clockwork(s, on(1), true), expected) << "restored";
    for (const std::string& device : kernel_devices()) {
        EXPECT_EQ(clockwork(s, on_device(device), false), expected) << device;
        EXPECT_EQ(clockwork(s, on_device(device), true), expected) << device << ", restored";
    }
}

TEST(Couplings, SleepTogetherAndWakeEachOther) {
    World world;
    const Disc first = add_disc(world, 0.3f, {}, JointFriction{10}),
               second = add_disc(world, 0.3f, {0.6f, 0, 0});
    world.create_joint(gear_of(world, first, second, 1));
    run_steps(world, 120);
    EXPECT_TRUE(world.state(first.body).asleep);
    EXPECT_TRUE(world.state(second.body).asleep);
    world.apply_torque(second.body, {0, 0, 200});
    run_steps(world, 5);
    EXPECT_FALSE(world.state(first.body).asleep);
    EXPECT_LT(spin(world, first.body), -0.01f);
}

TEST(Couplings, AreExactFarFromTheOrigin) {
    WorldSettings s = without_sleep();
    s.gravity = {0, -10, 0};
    const auto drop = [&](DVec3 far) {
        World world(s);
        BodyDef at_a, at_b;
        at_a.position = far + DVec3{-1, 0, 0}, at_b.position = far + DVec3{1, 0, 0};
        const BodyId a = world.create_body(at_a), b = world.create_body(at_b);
        world.attach(a, Sphere{0.1f}, {.density = 2000}), world.attach(b, Sphere{0.1f});
        const JointId rope = world.create_joint({.type = JointType::pulley,
                                                 .first = a,
                                                 .second = b,
                                                 .anchor = at_a.position,
                                                 .second_anchor = at_b.position,
                                                 .ground = {far + DVec3{-1, 5, 0}, far + DVec3{1, 5, 0}}});
        run_steps(world, 60);
        EXPECT_LT(world.error(rope).distance, 1e-3f);
        return world.position(b).y - far.y;
    };
    EXPECT_NEAR(drop({50000, 20000, -70000}), drop({}), 2e-3);
}

// bad input ---------------------------------------------------------------------------------------------------------------

TEST(CouplingsRefused, BadDefinitionsAreNamed) {
    World world(default_settings());
    const BodyId a = add(world, Sphere{0.2f}, {}), b = add(world, Sphere{0.2f}, {1, 0, 0});
    using T = JointType;
    const auto where = [&](JointDef joint) {
        joint.first = a, joint.second = b;
        const std::uint32_t count = world.joint_count();
        try {
            world.create_joint(joint);
        } catch (const Error& error) {
            EXPECT_EQ(world.joint_count(), count);
            return std::string(error.where());
        }
        return std::string();
    };
    const DVec3 beside{1, 0, 0};
    EXPECT_EQ(where({.type = T::gear, .first = {}}), "second_anchor");
    EXPECT_EQ(where({.type = T::gear, .first = {}, .axis = {1, 0, 0}, .second_anchor = beside}),
              "second_anchor");
    EXPECT_EQ(where({.type = T::gear, .first = {}, .second_anchor = beside, .second_axis = Vec3{}}),
              "second_axis");
    EXPECT_EQ(where({.type = T::gear, .first = {}, .second_anchor = beside, .ratio = 0}), "ratio");
    EXPECT_EQ(where({.type = T::gear, .first = {}, .second_anchor = beside, .ratio = std::nanf("")}),
              "ratio");
    EXPECT_EQ(where({.type = T::gear, .first = {}, .second_anchor = beside, .drive = JointMotor{1}}),
              "drive");
    EXPECT_EQ(where({.type = T::rack, .first = {}}), "second_axis");
    EXPECT_EQ(where({.type = T::rack, .first = {}, .second_axis = Vec3{0, -1, 0}}), "second_axis");
    EXPECT_EQ(where({.type = T::pulley, .first = {}, .ratio = -1}), "ratio");
    EXPECT_EQ(where({.type = T::pulley, .first = {}, .break_torque = 3}), "break_torque");
    EXPECT_EQ(where({.type = T::pulley, .first = {}, .ground = {DVec3{0, std::nan(""), 0}, DVec3{}}}),
              "ground[0].y");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .ratio = 2}), "ratio");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .second_axis = Vec3{1, 0, 0}}), "second_axis");
    const JointId good =
        world.create_joint({.type = T::gear, .first = a, .second = b, .second_anchor = beside});
    EXPECT_THROW(world.set_joint(good, {.first = {}, .ratio = 0}), Error);
    EXPECT_EQ(world.definition(good).ratio, 1);
}

} // namespace
} // namespace scree::test
