// SPDX-License-Identifier: MIT
// character_bodies_test.cpp — the bodies of animated models: they follow, push, fall and get up.
#include "scree/character_bodies.h"
#include "scree/error.h"
#include "scree/walking_figure.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

struct Walk {
    SkinnedModel model = walking_figure();
    ModelClip clip = *model.find_clip("walk");
    RootMotion motion = take_root_motion(model, clip);

    ModelPose pose(double time) const {
        ModelPose out = rest_pose(model);
        sample(clip, time, out);
        return out;
    }
};

double turned(Quat a, Quat b) {
    const Quat q = conjugate(a) * b;
    return 2 * std::sqrt(double{q.x * q.x + q.y * q.y + q.z * q.z});
}

double difference(const ModelPose& a, const ModelPose& b) {
    double worst = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
        worst = std::max(
            {worst, double{length(a[j].position - b[j].position)}, turned(a[j].rotation, b[j].rotation)});
    return worst;
}

TEST(CharacterBodies, CapsulesLieAroundTheLimbs) {
    const SkinnedModel figure = walking_figure();
    const std::vector<BoneCapsule> capsules = fit_capsules(figure);
    EXPECT_EQ(capsules.size(), 13u); // eleven limbs and two feet; the root has no vertices
    std::size_t roots = 0;
    for (const BoneCapsule& capsule : capsules) {
        roots += capsule.parent < 0 ? 1 : 0;
        EXPECT_LT(capsule.capsule.radius, 0.25f);
    }
    EXPECT_EQ(roots, 1u);
    // nearly all vertices are in a capsule or near one
    const std::vector<Pose> joints = joint_poses(figure, rest_pose(figure));
    std::size_t out = 0;
    for (const Vec3& v : figure.mesh.vertices) {
        double nearest = 1e9;
        for (const BoneCapsule& c : capsules) {
            const DVec3 p = apply_inverse(capsule_place(c, joints, {}), wide(v));
            const double y = std::clamp(p.y, -double{c.capsule.half_height}, double{c.capsule.half_height});
            nearest = std::min(nearest, length(p - DVec3{0, y, 0}) - double{c.capsule.radius});
        }
        out += nearest > 0.04 ? 1 : 0;
    }
    EXPECT_LT(out, figure.mesh.vertices.size() / 20);
    EXPECT_EQ(test::error_place([&] { fit_capsules(figure, {.inside = 2}); }), "CapsuleFit::inside");
    EXPECT_EQ(fit_capsules(figure, {.least_size = 0.9f}).size(), 1u); // all limbs in one
}

TEST(CharacterBodies, AWalkingFigurePushesWhatStandsInItsWay) {
    const Walk walk;
    for (const bool walks : {true, false}) {
        World world;
        const BodyId ground = world.create_body({.type = BodyType::fixed});
        world.attach(ground, Plane{});
        const CharacterBodies bodies = make_character_bodies(world, walk.model, walk.pose(0));
        const BodyId crate = world.create_body({.position = {0, 0.31, 0.9}});
        world.attach(crate, Box{0.4f, 0.3f, 0.2f}, {.density = 100});
        for (int i = 1; i <= 120; ++i) {
            const double t = i * double{dt};
            if (walks) follow(world, bodies, walk.model, walk.pose(t), walk.motion.at(t), dt);
            world.step(dt);
            if (walks) {
                // the bodies are where the pose is
                ModelPose read = walk.pose(t);
                read_pose(world, bodies, walk.model, walk.motion.at(t), read);
                EXPECT_LT(difference(read, walk.pose(t)), 1e-3) << i;
            }
        }
        const double way = world.position(crate).z - 0.9;
        EXPECT_GT(way, walks ? 0.6 : -1e-3);
        EXPECT_LT(way, walks ? 5 : 1e-3);
    }
}

TEST(CharacterBodies, ItFallsAsARagdollAndGetsUpAgain) {
    const Walk walk;
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const CharacterBodies bodies = make_character_bodies(world, walk.model, walk.pose(0));
    const auto top = [&] {
        double height = 0;
        for (const BodyId body : bodies.bodies) height = std::max(height, world.position(body).y);
        return height;
    };
    for (int i = 1; i <= 30; ++i) {
        const double t = i * double{dt};
        follow(world, bodies, walk.model, walk.pose(t), walk.motion.at(t), dt);
        world.step(dt);
    }
    EXPECT_GT(top(), 1.5);
    make_dynamic(world, bodies);
    EXPECT_GT(world.state(bodies.bodies[0]).velocity.z, 0.5f); // it keeps the speed of the walk
    ModelPose pose = walk.pose(0.5);
    const ModelPose rest = rest_pose(walk.model);
    for (int i = 0; i < 180; ++i) {
        world.step(dt);
        read_pose(world, bodies, walk.model, walk.motion.at(0.5), pose);
        for (std::size_t j = 2; j < pose.size(); ++j) // bones keep their length
            EXPECT_NEAR(length(pose[j].position), length(rest[j].position), 0.03)
                << walk.model.joints[j].name;
    }
    EXPECT_LT(top(), 0.8);
    EXPECT_LT(world.measure().joint_error, 0.02);
    EXPECT_LT(world.measure().joint_angle, 0.15);
    make_kinematic(world, bodies);
    follow(world, bodies, walk.model, walk.pose(0.5), walk.motion.at(0.5), dt);
    world.step(dt);
    read_pose(world, bodies, walk.model, walk.motion.at(0.5), pose);
    EXPECT_LT(difference(pose, walk.pose(0.5)), 0.01);
    EXPECT_GT(top(), 1.5);
}

TEST(CharacterBodies, BadDefinitionsAddNothing) {
    const SkinnedModel figure = walking_figure();
    World world;
    const auto told = [&](const CharacterBodiesDef& def) {
        return test::error_place([&] { make_character_bodies(world, figure, rest_pose(figure), def); });
    };
    EXPECT_EQ(told({.position = {0, std::nan(""), 0}}), "position.y");
    EXPECT_EQ(told({.swing = -1}), "swing");
    EXPECT_EQ(told({.twist = 4}), "twist");
    EXPECT_EQ(told({.friction = -1}), "friction");
    EXPECT_NE(test::error_place([&] { make_character_bodies(world, figure, {}, {}); }), "no error");
    EXPECT_EQ(world.body_count(), 0u);
}

} // namespace
} // namespace scree
