// SPDX-License-Identifier: MIT
// wake_test.cpp — every call that changes a world, and who wakes by it: what it may set in motion, and nobody else.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace scree::test {
namespace {

/// Four groups at rest and asleep: a tower of two cubes and a cube apart from it on one slab, a cube on a lift, and a ball
/// that hangs from a post and is held by it alone.
struct Rest {
    World world{default_settings()};
    BodyId slab = add_slab(world, 20);
    BodyId below = cube({0, 0.5f, 0}), above = cube({0, 1.5f, 0}), apart = cube({6, 0.5f, 0});
    BodyId lift = add(world, Box{1, 0.5f, 1}, {30, -0.5f, 0}, {}, {.type = BodyType::kinematic});
    BodyId rider = cube({30, 0.5f, 0});
    BodyId post = add(world, Box{0.2f, 0.2f, 0.2f}, {40, 0, 0}, {}, {.type = BodyType::kinematic});
    BodyId ball = add(world, Sphere{0.5f}, {40, -2, 0});
    JointId rope = world.create_joint({.first = ball, .second = post, .anchor = {40, 0, 0}});

    Rest() {
        EXPECT_GT(steps_until_asleep(world, 3), 0);
        EXPECT_EQ(awake(), "");
    }
    BodyId cube(Vec3 at) { return add(world, Box{0.5f, 0.5f, 0.5f}, at); }
    ShapeId shape(BodyId body) const { return world.shapes(body)[0]; }

    std::string awake() const {
        std::string names;
        const auto look = [&](BodyId body, const char* name) {
            if (world.alive(body) && !world.state(body).asleep)
                names += names.empty() ? name : std::string(" ") + name;
        };
        look(below, "below"), look(above, "above"), look(apart, "apart"), look(rider, "rider"),
            look(ball, "ball");
        return names;
    }
};

struct Call {
    const char* name;
    const char* wakes; ///< those that are not asleep a moment later
    void (*make)(Rest&);
    friend void PrintTo(const Call& call, std::ostream* out) { *out << call.name; }
};

constexpr const char *tower = "below above", *on_slab = "below above apart",
                     *all = "below above apart rider ball", *nobody = "";
constexpr Vec3 none{};

class Wake : public ::testing::TestWithParam<Call> {};

TEST_P(Wake, TheseAndNobodyElse) {
    Rest rest;
    GetParam().make(rest);
    run_steps(rest.world, 2);
    EXPECT_EQ(rest.awake(), GetParam().wakes);
}

const Call bodies[] = {
    {"create_body", nobody, [](Rest& r) { r.world.create_body(); }},
    {"create_body_beside", nobody, [](Rest& r) { r.cube({0, 20, 0}); }},
    {"create_body_touching", tower, [](Rest& r) { r.cube({0.9f, 0.5f, 0}); }},
    {"destroy_above", "below", [](Rest& r) { r.world.destroy(r.above); }},
    {"destroy_below", "above", [](Rest& r) { r.world.destroy(r.below); }},
    {"destroy_slab", on_slab, [](Rest& r) { r.world.destroy(r.slab); }},
    {"destroy_lift", "rider", [](Rest& r) { r.world.destroy(r.lift); }},
    {"destroy_post", "ball", [](Rest& r) { r.world.destroy(r.post); }},
    {"set_type_fixed", tower, [](Rest& r) { r.world.set_type(r.below, BodyType::fixed); }},
    {"set_type_kinematic", tower, [](Rest& r) { r.world.set_type(r.below, BodyType::kinematic); }},
    {"set_type_same", nobody, [](Rest& r) { r.world.set_type(r.below, BodyType::dynamic); }},
    {"set_type_of_slab", on_slab, [](Rest& r) { r.world.set_type(r.slab, BodyType::kinematic); }},
    {"set_type_of_lift", "rider", [](Rest& r) { r.world.set_type(r.lift, BodyType::dynamic); }},
    {"set_type_of_lift_fixed", "rider", [](Rest& r) { r.world.set_type(r.lift, BodyType::fixed); }},
    {"set_type_of_post", "ball", [](Rest& r) { r.world.set_type(r.post, BodyType::dynamic); }},
    {"set_pose", tower, [](Rest& r) { r.world.set_pose(r.above, {0, 1.6f, 0}, {}); }},
    {"set_pose_of_slab", on_slab, [](Rest& r) { r.world.set_pose(r.slab, {0, -9, 0}, {}); }},
    {"set_pose_of_lift", "rider", [](Rest& r) { r.world.set_pose(r.lift, {30, -9, 0}, {}); }},
    {"set_pose_of_post", "ball", [](Rest& r) { r.world.set_pose(r.post, {40, 0.1f, 0}, {}); }},
    {"set_pose_into_another", on_slab, [](Rest& r) { r.world.set_pose(r.apart, {0.9f, 0.5f, 0}, {}); }},
    {"set_damping", nobody, [](Rest& r) { r.world.set_damping(r.below, 1, 1); }},
    {"set_gravity_scale", tower, [](Rest& r) { r.world.set_gravity_scale(r.below, 2); }},
    {"set_gravity_scale_same", nobody, [](Rest& r) { r.world.set_gravity_scale(r.below, 1); }},
    {"set_gravity_scale_of_slab", nobody, [](Rest& r) { r.world.set_gravity_scale(r.slab, 2); }},
    {"set_locks", tower, [](Rest& r) { r.world.set_locks(r.below, {.x = true}); }},
    {"set_locks_same", nobody, [](Rest& r) { r.world.set_locks(r.below, {}); }},
    {"set_locks_of_slab", nobody, [](Rest& r) { r.world.set_locks(r.slab, {.x = true}); }},
    {"set_mass", tower, [](Rest& r) { r.world.set_mass(r.below, MassProperties{5, {}, {1, 1, 1}, {}}); }},
    {"set_mass_of_slab", nobody,
     [](Rest& r) { r.world.set_mass(r.slab, MassProperties{5, {}, {1, 1, 1}, {}}); }},
    {"wake", tower, [](Rest& r) { r.world.wake(r.above); }},
    {"wake_slab", nobody, [](Rest& r) { r.world.wake(r.slab); }},
    {"put_to_sleep", nobody, [](Rest& r) { r.world.put_to_sleep(r.above); }},
};

const Call motion[] = {
    {"set_velocity", tower, [](Rest& r) { r.world.set_velocity(r.above, {1, 0, 0}); }},
    {"set_velocity_spin", tower, [](Rest& r) { r.world.set_velocity(r.above, none, {0, 1, 0}); }},
    {"set_velocity_zero", nobody, [](Rest& r) { r.world.set_velocity(r.above, none); }},
    {"set_velocity_of_slab", nobody, [](Rest& r) { r.world.set_velocity(r.slab, {1, 0, 0}); }},
    {"set_velocity_of_lift", "rider", [](Rest& r) { r.world.set_velocity(r.lift, {0.1f, 0, 0}); }},
    {"set_velocity_of_post", "ball", [](Rest& r) { r.world.set_velocity(r.post, {0.1f, 0, 0}); }},
    {"set_target", "rider", [](Rest& r) { r.world.set_target(r.lift, {30, -0.4f, 0}, {}, 1); }},
    {"set_target_here", nobody, [](Rest& r) { r.world.set_target(r.lift, {30, -0.5f, 0}, {}, 1); }},
    {"apply_force", tower, [](Rest& r) { r.world.apply_force(r.below, {1, 0, 0}); }},
    {"apply_force_zero", nobody, [](Rest& r) { r.world.apply_force(r.below, none); }},
    {"apply_force_at", tower, [](Rest& r) { r.world.apply_force(r.below, {1, 0, 0}, none); }},
    {"apply_force_to_slab", nobody, [](Rest& r) { r.world.apply_force(r.slab, {1, 0, 0}); }},
    {"apply_torque", tower, [](Rest& r) { r.world.apply_torque(r.below, {1, 0, 0}); }},
    {"apply_torque_zero", nobody, [](Rest& r) { r.world.apply_torque(r.below, none); }},
    {"apply_impulse", tower, [](Rest& r) { r.world.apply_impulse(r.below, {1, 0, 0}); }},
    {"apply_impulse_zero", nobody, [](Rest& r) { r.world.apply_impulse(r.below, none, {3, 0, 0}); }},
    {"apply_impulse_at", tower, [](Rest& r) { r.world.apply_impulse(r.below, {1, 0, 0}, none); }},
    {"apply_angular_impulse", tower, [](Rest& r) { r.world.apply_angular_impulse(r.below, {1, 0, 0}); }},
    {"apply_angular_impulse_zero", nobody, [](Rest& r) { r.world.apply_angular_impulse(r.below, none); }},
};

const Call shapes[] = {
    {"attach", tower, [](Rest& r) { r.world.attach(r.above, Sphere{0.2f}, {.position = {0.4f, 0, 0}}); }},
    {"attach_without_mass", tower,
     [](Rest& r) { r.world.attach(r.above, Sphere{0.2f}, {.position = {0.4f, 0, 0}, .density = 0}); }},
    {"attach_to_slab", nobody, [](Rest& r) { r.world.attach(r.slab, Sphere{1}, {.position = {0, 9, 0}}); }},
    {"attach_to_slab_touching", tower,
     [](Rest& r) { r.world.attach(r.slab, Sphere{1}, {.position = {-1, 0.5f, 0}}); }},
    {"attach_to_lift", nobody, [](Rest& r) { r.world.attach(r.lift, Sphere{1}, {.position = {0, 9, 0}}); }},
    {"attach_to_lift_touching", "rider",
     [](Rest& r) { r.world.attach(r.lift, Sphere{1}, {.position = {1, 1, 0}}); }},
    {"destroy_shape", tower, [](Rest& r) { r.world.destroy(r.shape(r.above)); }},
    {"destroy_shape_of_slab", on_slab, [](Rest& r) { r.world.destroy(r.shape(r.slab)); }},
    {"destroy_shape_of_lift", "rider", [](Rest& r) { r.world.destroy(r.shape(r.lift)); }},
    {"set_material", tower, [](Rest& r) { r.world.set_material(r.shape(r.above), {.friction = 0}); }},
    {"set_material_same", nobody, [](Rest& r) { r.world.set_material(r.shape(r.above), {}); }},
    {"set_material_of_slab", on_slab,
     [](Rest& r) { r.world.set_material(r.shape(r.slab), {.friction = 0}); }},
    {"set_material_of_lift", "rider",
     [](Rest& r) { r.world.set_material(r.shape(r.lift), {.surface_velocity = {1, 0, 0}}); }},
    {"set_filter", tower, [](Rest& r) { r.world.set_filter(r.shape(r.above), {.mask = 0}); }},
    {"set_filter_same", nobody, [](Rest& r) { r.world.set_filter(r.shape(r.above), {}); }},
    {"set_filter_of_slab", on_slab, [](Rest& r) { r.world.set_filter(r.shape(r.slab), {.mask = 0}); }},
    {"set_filter_of_lift", "rider", [](Rest& r) { r.world.set_filter(r.shape(r.lift), {.mask = 0}); }},
};

const Call rest_of_them[] = {
    {"create_joint", tower, [](Rest& r) { r.world.create_joint({.first = r.below}); }},
    {"create_joint_between", on_slab,
     [](Rest& r) { r.world.create_joint({.first = r.above, .second = r.apart}); }},
    {"create_joint_to_slab", "apart",
     [](Rest& r) { r.world.create_joint({.first = r.slab, .second = r.apart}); }},
    {"destroy_joint", "ball", [](Rest& r) { r.world.destroy(r.rope); }},
    {"change_settings_gravity", all,
     [](Rest& r) {
         WorldSettings settings = r.world.settings();
         settings.gravity = {0, -1, 0};
         r.world.change_settings(settings);
     }},
    {"change_settings_sleeping", all,
     [](Rest& r) {
         WorldSettings settings = r.world.settings();
         settings.sleeping = false;
         r.world.change_settings(settings);
     }},
    {"change_settings_other", nobody,
     [](Rest& r) {
         WorldSettings settings = r.world.settings();
         settings.substeps = 4;
         settings.contact_hertz = 20;
         r.world.change_settings(settings);
     }},
    {"step", nobody, [](Rest& r) { run_for(r.world, 1); }},
    {"look", nobody,
     [](Rest& r) {
         (void)r.world.state(r.above), (void)r.world.contacts(), (void)r.world.measure();
         (void)r.world.save(), r.world.time_stages(true);
     }},
};

std::string name_of(const ::testing::TestParamInfo<Call>& call) { return call.param.name; }
INSTANTIATE_TEST_SUITE_P(Bodies, Wake, ::testing::ValuesIn(bodies), name_of);
INSTANTIATE_TEST_SUITE_P(Motion, Wake, ::testing::ValuesIn(motion), name_of);
INSTANTIATE_TEST_SUITE_P(Shapes, Wake, ::testing::ValuesIn(shapes), name_of);
INSTANTIATE_TEST_SUITE_P(World, Wake, ::testing::ValuesIn(rest_of_them), name_of);

// beyond one call ----------------------------------------------------------------------------------------------------

TEST(WakeSleepers, ABodyMadeAsleepMayBeBuiltOfSeveralShapes) {
    World world(default_settings());
    const BodyId body = world.create_body({.position = {0, 5, 0}, .awake = false});
    world.attach(body, Sphere{0.5f});
    world.attach(body, Sphere{0.5f}, {.position = {1, 0, 0}});
    EXPECT_TRUE(world.state(body).asleep);
    run_for(world, 1);
    EXPECT_EQ(height(world, body), 5);
    world.attach(body, Sphere{0.5f}, {.position = {2, 0, 0}});
    EXPECT_FALSE(world.state(body).asleep) << "its building ended with the step";
}

/// Puts a ball of this type beside one that sleeps: their bounds overlap, but they do not touch. Returns whether that one sleeps
/// on. Whether the pair was known before depends on bounds with margins, which differ between devices.
bool sleeps_on(const std::string& device, BodyType type, float before) {
    World world(in_space(default_settings()), on_device(device));
    const BodyId sleeper = add(world, Sphere{0.5f}, {});
    const BodyId other = add(world, Sphere{0.5f}, {before, 0, 0}, {}, {.type = type});
    world.put_to_sleep(sleeper);
    run_steps(world, 2);
    EXPECT_TRUE(world.state(sleeper).asleep);
    world.set_pose(other, {0.8f, 0.8f, 0}, {});
    EXPECT_TRUE(world.state(sleeper).asleep) << "the next step finds who is near";
    world.step(frame);
    return world.state(sleeper).asleep;
}

TEST(WakeSleepers, WhoWakesByANewPoseDoesNotDependOnThePairsKnownBefore) {
    for (const std::string& device : all_devices())
        for (const float before : {1.04f, 9.0f}) {
            EXPECT_FALSE(sleeps_on(device, BodyType::fixed, before)) << device << ", from " << before;
            EXPECT_TRUE(sleeps_on(device, BodyType::kinematic, before)) << device << ", from " << before;
            EXPECT_TRUE(sleeps_on(device, BodyType::dynamic, before)) << device << ", from " << before;
        }
}

TEST(WakeSleepers, WhatFellAsleepOnABodyPutToSleepWakesWithIt) {
    World world(default_settings());
    add_slab(world, 20);
    const BodyId below = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    const BodyId above = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 1.5f, 0});
    run_steps(world, 10);
    world.put_to_sleep(below);
    ASSERT_GT(steps_until_asleep(world, 3), 0);
    world.apply_impulse(below, {0, 0, 8000});
    EXPECT_FALSE(world.state(above).asleep);
    run_for(world, 2);
    EXPECT_LT(height(world, above), 1);
}

} // namespace
} // namespace scree::test
