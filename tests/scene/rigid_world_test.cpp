// SPDX-License-Identifier: MIT
// rigid_world_test.cpp — rigid scenes become worlds, are pushed by their forces and keep what they promise.
// compiled alone
#include "rigid_text.h"
#include "scene/kind.h"
#include "scene/run.h"
#include "scree/granular_scene.h"
#include "scree/model_file.h"
#include "scree/walking_figure.h"
#include "scree/warning.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace {

using namespace scree;
using scree::testing::rigid_with;

Scene parsed(const std::string& lines) { return parse_scene(rigid_with(lines), "a.json"); }

TEST(BuildRigidWorld, TakesEverythingOfTheScene) {
    Scene scene = parsed(R"("world": {"gravity": [0, -5, 0], "slop": 0.01},
        "shapes": [{"name": "s", "box": {"half_size": [0.5, 0.5, 0.5]}, "density": 2}, {"name": "g", "plane": {}}],
        "bodies": [{"shape": "g", "type": "fixed", "position": [0, 0, 0]},
                   {"shape": "s", "position": [1, 2, 3], "velocity": [4, 5, 6]}, {"shape": "s", "position": [4, 2, 3]}],
        "joints": [{"type": "ball", "first": 1, "second": 2, "anchor": [2, 2, 3]}])");
    World world = build_rigid_world(scene);
    EXPECT_EQ(world.body_count(), 3u);
    EXPECT_EQ(world.shape_count(), 3u);
    EXPECT_EQ(world.joint_count(), 1u);
    EXPECT_EQ(world.settings().gravity, (Vec3{0, -5, 0}));
    EXPECT_EQ(world.settings().slop, 0.01f);
    const std::vector<BodyId> bodies = world.bodies();
    EXPECT_EQ(world.type(bodies[0]), BodyType::fixed);
    EXPECT_EQ(world.state(bodies[1]).position, (Vec3{1, 2, 3}));
    EXPECT_EQ(world.state(bodies[1]).velocity, (Vec3{4, 5, 6}));
    EXPECT_NEAR(world.mass(bodies[1]).mass, 2, 1e-5);
}

TEST(BuildRigidWorld, AMassScalesWhatTheDensitiesGive) {
    Scene scene = parsed(R"("shapes": [{"name": "s", "box": {"half_size": [0.5, 0.5, 0.5]}},
        {"name": "weightless", "box": {"half_size": [0.5, 0.5, 0.5]}, "density": 0}],
        "bodies": [{"shape": "s", "position": [0, 0, 0], "mass": 6}, {"shape": "weightless", "position": [5, 0, 0], "mass": 6},
                   {"shape": "s", "position": [10, 0, 0], "density": 6}])");
    World world = build_rigid_world(scene);
    for (BodyId body : world.bodies()) {
        const MassProperties mass = world.mass(body);
        EXPECT_NEAR(mass.mass, 6, 1e-5);
        EXPECT_NEAR(mass.inertia.x, 1, 1e-5);
    }
}

TEST(BuildRigidWorld, SaysWhichEntryTheWorldRefuses) {
    auto message = [](const Scene& scene) { return test::error_message([&] { build_rigid_world(scene); }); };
    Scene scene = find_scene("pyramid-10");
    rigid_scene(scene).bodies[3].body.linear_damping = -1;
    EXPECT_EQ(message(scene).rfind("pyramid-10: bodies[3]: linear_damping: ", 0), 0u) << message(scene);
    scene = find_scene("pyramid-10");
    rigid_scene(scene).settings.substeps = 0;
    EXPECT_EQ(message(scene).rfind("pyramid-10: world: substeps: ", 0), 0u) << message(scene);
}

TEST(BuildRigidWorld, RefusesTheOtherKind) {
    EXPECT_THROW(build_rigid_world(find_scene("die")), Error);
    EXPECT_THROW(build_world(find_scene("pyramid-10")), Error);
}

TEST(StepScene, ForcesActWithinTheirTime) {
    // 1 kg; 2 N for the second half of the first second, then nothing
    Scene scene = parsed(R"("world": {"gravity": [0, 0, 0], "time_step": 0.125, "sleeping": false},
        "shapes": [{"name": "s", "sphere": {"radius": 1}}],
        "bodies": [{"shape": "s", "position": [0, 0, 0], "mass": 1, "name": "a"},
                   {"shape": "s", "position": [9, 0, 0], "mass": 1}],
        "forces": [{"body": "a", "force": [2, 0, 0], "from": 0.5, "until": 1}])");
    World world = build_rigid_world(scene);
    const std::vector<BodyId> bodies = world.bodies();
    step_scene(scene, world, 4);
    EXPECT_EQ(world.state(bodies[0]).velocity.x, 0);
    step_scene(scene, world, 2);
    EXPECT_NEAR(world.state(bodies[0]).velocity.x, 0.5, 1e-5);
    step_scene(scene, world, 10);
    EXPECT_NEAR(world.state(bodies[0]).velocity.x, 1, 1e-5);
    EXPECT_EQ(world.state(bodies[1]).velocity.x, 0);
}

TEST(StepScene, TorquesTurn) {
    Scene scene = parsed(R"("world": {"gravity": [0, 0, 0], "time_step": 0.125, "sleeping": false},
        "shapes": [{"name": "s", "box": {"half_size": [0.5, 0.5, 0.5]}}],
        "bodies": [{"shape": "s", "position": [0, 0, 0], "mass": 6}],
        "forces": [{"body": 0, "torque": [0, 1, 0], "until": 1}])");
    World world = build_rigid_world(scene);
    step_scene(scene, world, 16);
    EXPECT_NEAR(world.state(world.bodies()[0]).angular_velocity.y, 1, 1e-4);
}

TEST(StepScene, KinematicBodiesFollowTheirMotions) {
    // an arm that turns by a quarter and moves, and a hand on it that turns by itself
    Scene scene = parsed(R"("world": {"time_step": 0.125},
        "shapes": [{"name": "s", "sphere": {"radius": 0.1}}],
        "bodies": [{"name": "arm", "shape": "s", "type": "kinematic", "position": [1, 2, 0]},
                   {"name": "hand", "shape": "s", "type": "kinematic", "position": [2, 2, 0]}],
        "motions": [{"body": "arm", "axis": [0, 0, 2], "keys": [{"at": 0}, {"at": 1, "turn": 90}, {"at": 2, "turn": 90, "move": [0, 3, 0]}]},
                    {"body": "hand", "on": "arm", "keys": [{"at": 0}, {"at": 1, "turn": 1080}]}])");
    World world = build_rigid_world(scene);
    const BodyId arm = world.bodies()[0], hand = world.bodies()[1];
    const auto expect_near = [](Vec3 a, Vec3 b) {
        EXPECT_NEAR(a.x, b.x, 1e-5);
        EXPECT_NEAR(a.y, b.y, 1e-5);
        EXPECT_NEAR(a.z, b.z, 1e-5);
    };
    step_scene(scene, world, 4); // half of the turn, and of the hand's three
    const Vec3 half = rotate(rotation_about(Vec3{0, 0, 1}, 0.7853982f), {1, 0, 0});
    expect_near(world.state(hand).position, Vec3{1, 2, 0} + half);
    expect_near(rotate(world.state(hand).rotation, {1, 0, 0}), half * -1.0f);
    float highest = 0;
    for (int k = 4; k < 8; ++k) {
        step_scene(scene, world);
        highest = std::max(highest, world.state(hand).position.y);
    }
    expect_near(world.state(hand).position, {1, 3, 0});
    EXPECT_LE(highest, 3.00001f); // not beyond the key
    step_scene(scene, world, 8);
    expect_near(world.state(arm).position, {1, 5, 0});
    expect_near(world.state(hand).position, {1, 6, 0});
    step_scene(scene, world, 8); // at rest
    expect_near(world.state(hand).position, {1, 6, 0});
    expect_near(world.state(hand).velocity, {});
}

TEST(StepScene, AMotionThatRepeatsGoesOnAtTheSamePace) {
    Scene scene = parsed(R"("world": {"time_step": 0.125},
        "shapes": [{"name": "s", "sphere": {"radius": 0.1}}],
        "bodies": [{"shape": "s", "type": "kinematic", "position": [0, 0, 0]}],
        "motions": [{"body": 0, "repeat": true, "keys": [{"at": 0}, {"at": 1, "turn": 180}, {"at": 2, "turn": 360}]}])");
    World world = build_rigid_world(scene);
    const BodyId body = world.bodies()[0];
    for (int k = 0; k < 40; ++k) {
        step_scene(scene, world);
        EXPECT_NEAR(world.state(body).angular_velocity.y, 3.1415927, 1e-3) << "step " << k;
    }
}

TEST(CheckRigidExpectations, TellsEachBrokenPromise) {
    Scene scene = parsed(R"("world": {"gravity": [0, 0, 0], "sleeping": false, "time_step": 0.125},
        "shapes": [{"name": "s", "sphere": {"radius": 1}}],
        "bodies": [{"shape": "s", "position": [0, 5, 0]}, {"shape": "s", "position": [9, 6, 0], "velocity": [0, 1, 0]}],
        "expect": {"top": {"max": 6.5}, "bottom": {"min": 4, "max": 5.5}, "asleep": 1, "moved": {"max": 0.5},
                   "contacts": 0, "joint_error": 0, "hash": "0000000000000000"})");
    World world = build_rigid_world(scene);
    step_scene(scene, world, 8);
    std::vector<std::string> messages;
    for (const Failure& failure : check_expectations(scene, world)) messages.push_back(failure.message);
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(messages[0], "a: top is 7; expected a value of at most 6.5");
    EXPECT_EQ(messages[1], "a: asleep is 0; expected 1");
    EXPECT_EQ(messages[2], "a: moved is 1; expected a value of at most 0.5");
    EXPECT_EQ(messages[3].substr(messages[3].find(';')), "; expected 0000000000000000");
    scene.expect.clear();
    scene.expected_hash = world.hash();
    EXPECT_TRUE(check_expectations(scene, world).empty());
}

TEST(CheckRigidExpectations, EdgesThroughTrianglesAreCounted) {
    const auto failures = [](const char* height) {
        Scene scene = parsed(R"("world": {"gravity": [0, 0, 0]},
            "cloths": [{"grid": {"size": [1, 1], "vertices": [2, 2]}},
                       {"tube": {"radii": [0.1, 0.1], "height": 0.2, "vertices": [5, 2]}, "position": [0.2, )" +
                             std::string(height) + R"(, 0.3]}],
            "expect": {"cloth_intersections": 0})");
        return check_expectations(scene, build_rigid_world(scene)).size();
    };
    EXPECT_EQ(failures("0.1"), 1u);
    EXPECT_EQ(failures("0.3"), 0u);
}

/// The mean and the highest of the vertices of all characters.
std::pair<Vec3, float> drawn(const SceneRun& run) {
    Frame frame;
    run.show(frame);
    Vec3 sum;
    float top = -1e9f;
    std::size_t given = 0, count = 0;
    std::vector<Vec3> vertices, normals;
    for (const AppearanceMesh& mesh : frame.appearance->meshes) {
        find_vertices(mesh, frame, vertices, normals);
        for (const Vec3& v : vertices) sum += v, top = std::max(top, v.y);
        count += vertices.size();
        given += mesh.vertex_count;
    }
    EXPECT_EQ(given, frame.vertices.size());
    return {sum / static_cast<float>(count), top};
}

TEST(SceneCharacters, AFigureWalksPushesFallsAndRises) {
    const Scene scene = parsed(
        R"("shapes": [{"name": "g", "plane": {}}, {"name": "b", "box": {"half_size": [0.3, 0.3, 0.1]}, "density": 100}],
        "bodies": [{"shape": "g", "type": "fixed", "position": [0, 0, 0]}, {"name": "box", "shape": "b", "position": [1, 0.3, 2.7]}],
        "characters": [{"name": "man", "figure": {}, "clip": "walk", "position": [1, 0, 2], "falls": 2, "rises": 4}])");
    const auto run = start_scene(scene, {});
    const auto [start, height] = drawn(*run);
    EXPECT_NEAR(start.x, 1, 0.01);
    EXPECT_NEAR(start.z, 2, 0.1);
    EXPECT_NEAR(height, 1.72, 0.05);
    run->step(60);
    EXPECT_NEAR(drawn(*run).first.z - start.z, 0.36 / 0.62 * 1.8 / 1.1, 0.06); // its steps a second
    Frame frame;
    run->show(frame);
    EXPECT_GT(frame.pose(1).position.z, 2.9f); // the box was in the way
    EXPECT_TRUE(frame.has(2, Frame::absent));  // capsules are not drawn: the figure is
    run->step(170);
    EXPECT_LT(drawn(*run).second, 0.9f); // it lies
    run->step(60);
    EXPECT_NEAR(drawn(*run).second, height, 0.05);
    // saved, it goes on alike
    const auto other = start_scene(scene, {});
    other->restore(run->save());
    run->step(5), other->step(5);
    EXPECT_EQ(run->hash(), other->hash());
    EXPECT_EQ(drawn(*run).first, drawn(*other).first);
}

TEST(SceneCharacters, ModelsOfFilesPlayTheirClips) {
    const SkinnedModel figure = walking_figure(1);
    const std::vector<SceneFile> files{{"models/man.md5mesh", md5mesh_text(figure)},
                                       {"models/walk.md5anim", md5anim_text(figure, figure.clips[0])}};
    const std::string text = rigid_with(
        R"("characters": [{"file": "models/man.md5mesh", "clips": ["models/walk.md5anim"], "scale": 2, "bodies": false, "speed": 2, "up": "z"}])");
    const Scene scene = parse_scene(text, "a.json", {.files = files});
    EXPECT_EQ(scene.files.size(), 2u); // what a recording keeps
    const auto run = start_scene(scene, {});
    EXPECT_EQ(run->body_count(), 0u);
    const float before = drawn(*run).first.y; // z of the file is y
    run->step(30);
    EXPECT_GT(drawn(*run).first.y, before + 0.8f);
}

TEST(SceneCharacters, FramesHaveTheBonesOfAFigureAndVerticesFollowThem) {
    const Scene scene = parsed(
        R"("characters": [{"figure": {}, "bodies": false, "position": [3, 0, 1], "rotation": {"axis": [0, 1, 0], "degrees": 40}, "root_motion": false}])");
    const auto run = start_scene(scene, {});
    run->step(25);
    Frame frame;
    run->show(frame);
    SkinnedModel model = walking_figure(1.8f);
    ModelPose pose = rest_pose(model);
    sample(model.clips[0], frame.time, pose);
    SkinnedMesh skinned;
    skin(model, pose, skinned);
    const SceneCharacter& character = rigid_scene(scene).characters[0];
    std::vector<Vec3> vertices, normals;
    std::size_t found = 0, all = 0;
    for (const AppearanceMesh& mesh : frame.appearance->meshes) {
        ASSERT_TRUE(mesh.skin);
        find_vertices(mesh, frame, vertices, normals);
        EXPECT_LT(4 * mesh.vertex_count, 4 * vertices.size()); // less to record and to upload
        ASSERT_EQ(normals.size(), vertices.size());
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            EXPECT_NEAR(length(normals[i]), 1, 1e-5f);
            const auto near = [&](Vec3 v) {
                return length(narrow(apply(character.at, wide(v))) - vertices[i]) < 1e-5f;
            };
            found += std::any_of(skinned.vertices.begin(), skinned.vertices.end(), near);
        }
        all += vertices.size();
    }
    EXPECT_EQ(found, all);
    EXPECT_GT(all, 100u);
}

TEST(SceneCharacters, TheirMaterialsShowThePicturesOfAFolder) {
    SkinnedModel figure = walking_figure(1);
    figure.texture_places.assign(figure.mesh.vertices.size(), {0.25f, 0.5f});
    figure.mesh.materials = {"/home/me/Skin.TGA", "textures/cloth/coat", "../secret", "bare"};
    figure.mesh.triangle_materials.resize(figure.mesh.triangles.size());
    for (std::size_t t = 0; t < figure.mesh.triangles.size(); ++t)
        figure.mesh.triangle_materials[t] = static_cast<std::uint32_t>(t % 4);
    figure.colours.clear();
    const std::vector<SceneFile> files{{"man.md5mesh", md5mesh_text(figure)},
                                       {"skins/skin.png", "skin"},
                                       {"skins/cloth/coat.tga", "coat"},
                                       {"secret.png", "secret"}};
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    const Scene scene = parse_scene(
        rigid_with(R"("characters": [{"file": "man.md5mesh", "textures": "skins", "bodies": false}])"),
        "a.json", {.files = files});
    set_warning_handler({});
    EXPECT_EQ(scene.files.size(), 3u); // what a recording keeps
    const auto look = start_scene(scene, {})->appearance();
    ASSERT_EQ(look->meshes.size(), 4u);
    for (const auto& [mesh, name, bytes] :
         {std::tuple(0u, "skins/skin.png", "skin"), {1u, "skins/cloth/coat.tga", "coat"}}) {
        const AppearanceMesh& one = look->meshes[mesh];
        EXPECT_EQ(one.texture.name, name);
        ASSERT_TRUE(one.texture.colours);
        EXPECT_EQ(*one.texture.colours, bytes);
        ASSERT_EQ(one.texture_places.size(), one.triangles.size());
        EXPECT_EQ(one.texture_places[5], (std::array<float, 2>{0.25f, 0.5f}));
    }
    for (const std::size_t mesh : {2u, 3u}) {
        EXPECT_FALSE(look->meshes[mesh].texture.colours);
        EXPECT_TRUE(look->meshes[mesh].texture_places.empty());
    }
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(test::contains(warnings[0], "2 of 4 materials have no .png, .jpg, .jpeg or .tga file in "
                                            "\"skins/\" and have one colour: ../secret, bare"))
        << warnings[0];
}

TEST(SceneCharacters, PicturesOutsideTheScenesFolderAreRefused) {
    const SceneOptions options{.files = {{"man.md5mesh", md5mesh_text(walking_figure(1))}}};
    for (const std::string outside : {"../skins", "skins/../..", "/skins", "C:/skins"}) {
        const std::string told = test::error_message([&] {
            parse_scene(
                rigid_with(R"("characters": [{"file": "man.md5mesh", "textures": ")" + outside + "\"}]"),
                "a.json", options);
        });
        EXPECT_TRUE(test::contains(told, "characters[0].textures: invalid value \"" + outside +
                                             "\": expected a folder beside the scene or below it"))
            << told;
    }
}

TEST(SceneCharacters, BadOnesAreToldWhere) {
    const auto told = [](const std::string& keys) {
        return test::error_message([&] { parsed(R"("characters": [{)" + keys + "}]"); });
    };
    EXPECT_TRUE(test::contains(told(""), "expected either \"file\" or \"figure\""));
    EXPECT_TRUE(test::contains(told(R"("figure": {}, "clip": "run")"), R"(one of "walk", "stand")"));
    EXPECT_TRUE(test::contains(told(R"("figure": {}, "scale": 2)"), "expected a \"file\""));
    EXPECT_TRUE(test::contains(told(R"("figure": {}, "falls": 2, "rises": 1)"), "after \"falls\""));
    EXPECT_TRUE(test::contains(told(R"("figure": {}, "falls": 2, "bodies": false)"), "\"bodies\""));
    EXPECT_TRUE(test::contains(told(R"("file": "../a.md5mesh")"), "../a.md5mesh"));
    EXPECT_TRUE(test::contains(told(R"("figure": {}, "blend": {"clip": "walk", "share": 2})"), "share"));
    const SceneOptions broken{.files = {{"a.md5mesh", "MD5Version 10 numJoints 1 joints {"}}};
    EXPECT_TRUE(test::contains(test::error_message([&] {
                                   parse_scene(rigid_with(R"("characters": [{"file": "a.md5mesh"}])"),
                                               "a.json", broken);
                               }),
                               "the file ends; expected the name of a joint"));
}

} // namespace
