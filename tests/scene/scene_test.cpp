// SPDX-License-Identifier: MIT
// scene_test.cpp — what a good scene file becomes, and how options and settings change it.
#include "scene_text.h"
#include "scree/granular_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace {

using namespace scree;
using scree::testing::scene_with;
using scree::testing::scene_with_cube;

Scene parsed(const std::string& text, const SceneOptions& options = {}) {
    return parse_scene(text, "a.json", options);
}

double length(Quat q) {
    double s = static_cast<double>(q.s), x = static_cast<double>(q.x), y = static_cast<double>(q.y),
           z = static_cast<double>(q.z);
    return std::sqrt(s * s + x * x + y * y + z * z);
}

TEST(SceneFile, SmallestSceneHasTheDefaults) {
    Scene scene = parse_scene(R"({"scree": 1, "title": "nothing", "steps": 7})", "some/where/empty.json");
    EXPECT_EQ(scene.name, "empty");
    EXPECT_EQ(scene.file, "some/where/empty.json");
    EXPECT_EQ(scene.title, "nothing");
    EXPECT_EQ(scene.steps, 7);
    EXPECT_TRUE(granular_scene(scene).bodies.empty());
    EXPECT_FALSE(scene.altered);
    Scene defaults;
    defaults.kind = "granular";
    defaults.content = GranularScene{};
    for (const std::string& name : setting_names("granular"))
        EXPECT_EQ(setting_value(scene, name), setting_value(defaults, name)) << name;
}

TEST(SceneFile, ReadsEverySetting) {
    Scene scene =
        parsed(scene_with(R"("world": {"mode": "brute", "contact": "hertz", "decomposition": "per_body",
        "time_step": 0.5, "substeps": 3, "gravity": [1, 2, 3], "stiffness": 4, "damping": 5, "tangent_damping": 6,
        "tangent_stiffness": 7, "friction": 8, "particle_radius": 9, "terminal_velocity": 10, "contact_epsilon": 11,
        "walls": false, "ground": false, "world_size": 12, "grid_cells": 13, "grid_min": [14, 15, 16],
        "sleeping": false, "sleep_speed": 17, "sleep_delay": 18, "wake_speed": 19, "contact_memory": 11, "neighbour_skin": 0.5,
        "unlock": false})"));
    const GranularSettings& s = granular_scene(scene).settings;
    EXPECT_EQ(s.mode, GranularMode::brute);
    EXPECT_EQ(s.contact, ContactModel::hertz);
    EXPECT_EQ(s.decomposition, Decomposition::per_body);
    EXPECT_EQ(s.gravity, (Vec3{1, 2, 3}));
    EXPECT_EQ(s.grid_min, (Vec3{14, 15, 16}));
    const float numbers[] = {s.time_step,         s.stiffness,  s.damping,         s.tangent_damping,
                             s.tangent_stiffness, s.friction,   s.particle_radius, s.terminal_velocity,
                             s.contact_epsilon,   s.world_size, s.sleep_speed,     s.sleep_delay,
                             s.wake_speed};
    const float expected[] = {0.5f, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19};
    for (std::size_t i = 0; i < std::size(numbers); ++i) EXPECT_EQ(numbers[i], expected[i]) << i;
    EXPECT_EQ(s.substeps, 3);
    EXPECT_EQ(s.grid_cells, 13);
    EXPECT_EQ(s.contact_memory, 11);
    EXPECT_EQ(s.neighbour_skin, 0.5f);
    EXPECT_FALSE(s.walls || s.ground || s.sleeping || s.unlock);
}

TEST(SceneFile, ReadsBodiesAndObstacles) {
    Scene scene = parsed(scene_with_cube(R"(
        "bodies": [{"shape": "c", "position": [1, 2, 3], "rotation": {"axis": [0, 0, 2], "degrees": 90},
                    "velocity": [4, 5, 6], "angular_velocity": [7, 8, 9], "mass": 2.5}],
        "obstacles": [{"plane": {"point": [0, 1, 0], "normal": [0, -3, 0]}},
                      {"box": {"half_size": [1, 2, 3], "position": [4, 5, 6], "velocity": [1, 0, 0], "mass": 7}},
                      {"sphere": {"radius": 0.5, "position": [0, 0, 0], "angular_velocity": [0, 1, 0]}}])"));
    ASSERT_EQ(granular_scene(scene).bodies.size(), 1u);
    const GranularBodyDef& body = granular_scene(scene).bodies[0];
    EXPECT_EQ(body.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(body.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(body.angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(body.mass, 2.5f);
    EXPECT_EQ(body.rotation, (Quat{.z = 0.70710678f, .s = 0.70710678f}));
    ASSERT_EQ(granular_scene(scene).obstacles.size(), 3u);
    EXPECT_EQ(granular_scene(scene).obstacles[0].kind, Obstacle::Kind::plane);
    EXPECT_EQ(granular_scene(scene).obstacles[0].rotation, (Quat{.x = 1, .s = 0}))
        << "the y axis turned to point down";
    EXPECT_EQ(granular_scene(scene).obstacles[1].size, (Vec3{1, 2, 3}));
    EXPECT_EQ(granular_scene(scene).obstacles[1].mass, 7.0f);
    EXPECT_EQ(granular_scene(scene).obstacles[2].size.x, 0.5f);
}

TEST(SceneFile, NormalisesQuaternionsThatAreNearlyUnit) {
    Scene scene = parsed(scene_with_cube(
        R"("bodies": [{"shape": "c", "position": [0, 0, 0], "rotation": [0.5003, 0.5003, 0.5003, 0.5003]}])"));
    EXPECT_EQ(granular_scene(scene).bodies[0].rotation, (Quat{.x = 0.5f, .y = 0.5f, .z = 0.5f, .s = 0.5f}));
}

TEST(SceneFile, TurnsAboutAnAxisByAnyAngle) {
    for (double degrees :
         {-720.0, -200.0, -90.0, -33.0, 0.0, 12.5, 45.0, 90.0, 135.0, 180.0, 269.0, 360.0, 1e6 + 7}) {
        Scene scene =
            parsed(scene_with_cube("\"bodies\": [{\"shape\": \"c\", \"position\": [0, 0, 0], \"rotation\": "
                                   "{\"axis\": [3, 0, 4], \"degrees\": " +
                                   std::to_string(degrees) + "}}]"));
        Quat q = granular_scene(scene).bodies[0].rotation;
        double half = std::fmod(degrees / 2, 360) * std::acos(-1.0) / 180;
        EXPECT_NEAR(static_cast<double>(q.s), std::cos(half), 1e-7) << degrees;
        EXPECT_NEAR(static_cast<double>(q.x), 0.6 * std::sin(half), 1e-7) << degrees;
        EXPECT_NEAR(static_cast<double>(q.z), 0.8 * std::sin(half), 1e-7) << degrees;
    }
}

TEST(SceneFile, ReadsEveryShape) {
    Scene scene = parsed(scene_with(R"("world": {"particle_radius": 0.1}, "shapes": [
        {"name": "a", "cube": {}}, {"name": "b", "cube": {"radius": 0.3, "spheres": 2}},
        {"name": "d", "cuboid": {"spheres": [1, 2, 3]}}, {"name": "e", "grain": {}},
        {"name": "f", "ball": {"ball_radius": 0.5}}, {"name": "g", "capsule": {"spheres": 5}},
        {"name": "h", "capsule": {"spheres": 7, "bend_degrees": 120}}, {"name": "i", "desk": {"radius": 0.05}},
        {"name": "j", "particles": [{"offset": [0, 0, 0]}, {"offset": [1, 0, 0], "radius": 0.25}]}])"));
    const std::size_t particles[] = {27, 8, 6, 1, 0, 5, 7, 0, 2};
    ASSERT_EQ(granular_scene(scene).shapes.size(), std::size(particles));
    for (std::size_t i = 0; i < granular_scene(scene).shapes.size(); ++i)
        EXPECT_TRUE(particles[i] == 0 || granular_scene(scene).shapes[i].particles.size() == particles[i])
            << granular_scene(scene).shapes[i].name;
    EXPECT_EQ(granular_scene(scene).shapes[0].name, "a");
    EXPECT_EQ(granular_scene(scene).shapes[0].particles[0].radius, 0.1f)
        << "the world's radius, where a shape gives none";
    EXPECT_EQ(granular_scene(scene).shapes[1].particles[0].radius, 0.3f);
    EXPECT_EQ(granular_scene(scene).shapes[8].particles[1].radius, 0.25f);
}

TEST(SceneFile, ReadsAMeshBesideTheScene) {
    std::string folder = ::testing::TempDir() + "scree_mesh_scene_";
    std::string obj = folder + "box.obj", file = folder + "scene.json";
    std::FILE* stream = std::fopen(obj.c_str(), "wb");
    ASSERT_NE(stream, nullptr);
    std::fputs("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
               stream);
    std::fclose(stream);
    std::string text =
        scene_with("\"shapes\": [{\"name\": \"m\", \"mesh\": {\"file\": \"scree_mesh_scene_box.obj\", "
                   "\"radius\": 0.125}}]");
    Scene scene = parse_scene(text, file);
    EXPECT_EQ(granular_scene(scene).shapes[0].particles.size(), 64u);
    std::remove(obj.c_str());
}

TEST(Generators, StreamCyclesOverFourOverlappingPositions) {
    Scene scene = parsed(scene_with_cube(R"("bodies": [{"stream": {"shape": "c", "count": 9, "mass": 3}}])"));
    ASSERT_EQ(granular_scene(scene).bodies.size(), 9u);
    std::set<std::pair<float, float>> places;
    for (std::size_t i = 0; i < 9; ++i) {
        const GranularBodyDef& body = granular_scene(scene).bodies[i];
        EXPECT_NEAR(static_cast<double>(body.position.y), 1.0 + 1.3 * static_cast<double>(i), 1e-5);
        EXPECT_EQ(std::fabs(body.position.x), 0.5f);
        EXPECT_EQ(std::fabs(body.position.z), 0.5f);
        EXPECT_EQ(body.mass, 3.0f);
        places.insert({body.position.x, body.position.z});
        // consecutive cubes of side 1.2 overlap in plan
        const GranularBodyDef& last = granular_scene(scene).bodies[i > 0 ? i - 1 : 0];
        EXPECT_TRUE(body.position.x == last.position.x || body.position.z == last.position.z);
    }
    EXPECT_EQ(places.size(), 4u);
    EXPECT_EQ(granular_scene(scene).bodies[8].position.x, granular_scene(scene).bodies[0].position.x);
}

TEST(Generators, EveryCubeOfAStreamTurnsWhenItLands) {
    GranularWorld world =
        build_world(parsed(scene_with_cube(R"("bodies": [{"stream": {"shape": "c", "count": 16}}])")));
    std::vector<float> fastest(16);
    for (int i = 0; i < 120; ++i) {
        world.step(5);
        for (std::size_t b = 0; b < fastest.size(); ++b) {
            const Vec3 spin = world.bodies()[b].angular_velocity;
            fastest[b] = std::max(fastest[b], std::hypot(spin.x, spin.y, spin.z));
        }
    }
    for (std::size_t b = 0; b < fastest.size(); ++b) EXPECT_GT(fastest[b], 0.3f) << "cube " << b;
}

TEST(Generators, TowerTouchesAndStandsOnTheGround) {
    Scene scene =
        parsed(scene_with_cube(R"("bodies": [{"tower": {"shape": "c", "count": 13, "footprint": [2, 3]}}])"));
    ASSERT_EQ(granular_scene(scene).bodies.size(), 13u);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[0].position.y, 0.6f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[0].position.x, -0.6f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[0].position.z, -1.2f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[5].position.x, 0.6f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[5].position.z, 1.2f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[12].position.y, 3.0f) << "the third layer has begun";
}

TEST(Generators, JitterIsBoundedSeededAndRepeatable) {
    std::string text = scene_with_cube(
        R"("bodies": [{"lattice": {"shape": "c", "counts": [3, 4, 5], "spacing": 2, "jitter": 0.1, "tumble": true}}])");
    Scene one = parsed(text), again = parsed(text), other = parsed(text, {.seed = 2});
    ASSERT_EQ(granular_scene(one).bodies.size(), 60u);
    bool differs = false;
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(granular_scene(one).bodies[i].position, granular_scene(again).bodies[i].position);
        EXPECT_EQ(granular_scene(one).bodies[i].rotation, granular_scene(again).bodies[i].rotation);
        differs =
            differs || !(granular_scene(one).bodies[i].position == granular_scene(other).bodies[i].position);
        double site = static_cast<double>(i % 15 / 5) * 2 - 2;
        EXPECT_NEAR(static_cast<double>(granular_scene(one).bodies[i].position.x), site, 0.1 + 1e-6);
        EXPECT_NEAR(length(granular_scene(one).bodies[i].rotation), 1, 1e-6);
    }
    EXPECT_TRUE(differs);
    // written down once: random numbers, and so every scene, must never change
    EXPECT_FLOAT_EQ(granular_scene(one).bodies[0].position.x, -1.94257031f);
}

TEST(Generators, LatticeOfAnyCountKeepsItsDepth) {
    std::string text = scene_with_cube(
        R"("world": {"world_size": "fit"}, "bodies": [{"lattice": {"shape": "c", "count": 90, "layers": 10, "spacing": 2}}])");
    for (std::uint64_t count : {1u, 10u, 90u, 1000u, 12345u}) {
        Scene scene = parsed(text, {.bodies = count});
        ASSERT_EQ(granular_scene(scene).bodies.size(), count);
        float top = 0, wide = 0;
        for (const GranularBodyDef& body : granular_scene(scene).bodies) {
            top = std::max(top, body.position.y);
            wide = std::max({wide, std::fabs(body.position.x), std::fabs(body.position.z)});
        }
        EXPECT_LE(top, 19.0f);
        EXPECT_FLOAT_EQ(granular_scene(scene).settings.world_size, wide + 1)
            << "walls half a spacing outside the last centre";
        EXPECT_TRUE(scene.altered);
        EXPECT_TRUE(scene.resizable);
    }
}

TEST(SceneOptionsTest, BodiesResizeTheOneGenerator) {
    std::string fixed = R"({"shape": "c", "position": [0, 0, 0]})",
                stream = R"({"stream": {"shape": "c", "count": 5}})";
    EXPECT_EQ(
        granular_scene(parsed(scene_with_cube("\"bodies\": [" + fixed + "," + stream + "]"), {.bodies = 8}))
            .bodies.size(),
        9u);
    EXPECT_EQ(
        scree::testing::refusal(scene_with_cube("\"bodies\": [" + fixed + "]"), {.bodies = 8}),
        "a.json:3: bodies: the number of bodies cannot be set to 8; expected one generator (stream, tower or "
        "lattice); there are 0");
    EXPECT_NE(scree::testing::refusal(scene_with_cube("\"bodies\": [" + stream + "," + stream + "]"),
                                      {.bodies = 8}),
              "");
    EXPECT_EQ(scree::testing::refusal(scene_with_cube("\"bodies\": [" + stream + "]"), {.bodies = 0}),
              "a.json:3: bodies[0].stream.count: invalid value 0: expected at least 1 body");
}

TEST(SceneOptionsTest, SettingsReachShapesWithoutARadius) {
    Scene scene = parsed(scene_with_cube("\"bodies\": [{\"stream\": {\"shape\": \"c\", \"count\": 5}}]"),
                         {.settings = {{"particle_radius", "0.1", "--set"}, {"mode", "reference", "--set"}}});
    EXPECT_EQ(granular_scene(scene).shapes[0].particles[0].radius, 0.1f);
    EXPECT_FLOAT_EQ(granular_scene(scene).bodies[0].position.x, -0.25f)
        << "and the stream's proportions follow";
    EXPECT_TRUE(scene.altered);
}

TEST(ApplySetting, TakesWhatAFileTakes) {
    Scene scene = parsed(scene_with_cube("\"bodies\": [{\"shape\": \"c\", \"position\": [3, 0, 0]}]"));
    const Scene defaults = parsed(scene_with_cube("\"notes\": []"));
    for (const std::string& name : setting_names("granular")) {
        apply_setting(scene, name, setting_value(scene, name), "--set");
        EXPECT_EQ(setting_value(scene, name), setting_value(defaults, name));
    }
    apply_setting(scene, "gravity", "0,-1.5,0", "--set");
    EXPECT_EQ(granular_scene(scene).settings.gravity, (Vec3{0, -1.5f, 0}));
    apply_setting(scene, "contact", "split", "--set");
    EXPECT_EQ(granular_scene(scene).settings.contact, ContactModel::split);
    apply_setting(scene, "world_size", "fit", "--set");
    EXPECT_NEAR(static_cast<double>(granular_scene(scene).settings.world_size), 3 + 0.6 * std::sqrt(3.0),
                1e-5);
    apply_steps(scene, "12", "--steps");
    EXPECT_EQ(scene.steps, 12);
    EXPECT_TRUE(scene.altered);
}

TEST(ApplySetting, RefusesWhatAFileRefusesAndChangesNothing) {
    // key | value | message
    std::istringstream cases(R"(stiffness|-1|invalid value -1: expected a number greater than 0
stiffness|soft|invalid value "soft": expected a number greater than 0
stiffness|nan|invalid value "nan": expected a number greater than 0
stiffness|1e39|invalid value 1e39: expected a number that fits into single precision
stiffness||invalid value "": expected a number greater than 0
substeps|1.5|invalid value 1.5: expected an integer from 0 to 10000
gravity|1,2|invalid value [1, 2]: expected a list of 3 numbers
gravity|1,2,x|invalid value "1,2,x": expected a list of 3 numbers
gravity|[0,"a",0]|[1]: invalid value "a": expected a number
walls|1|invalid value 1: expected true or false
mode|refrence|invalid value "refrence": expected "reference", "improved" or "brute"; did you mean "reference"?
stifness|1|the setting "stifness" is not known; did you mean "stiffness"?
world_size|fit|invalid value "fit": expected a number, since there are no bodies
)");
    int count = 0;
    for (std::string key, value, message;
         std::getline(cases, key, '|') && std::getline(cases, value, '|') && std::getline(cases, message);
         ++count) {
        Scene scene = parsed(scene_with("\"notes\": []"));
        EXPECT_EQ(test::error_message([&] { apply_setting(scene, key, value, "--set x"); }),
                  "--set x: " + message);
        EXPECT_FALSE(scene.altered);
    }
    EXPECT_EQ(count, 13);
    Scene scene = parsed(scene_with("\"notes\": []"));
    EXPECT_THROW(apply_steps(scene, "0", "--steps"), Error);
    EXPECT_THROW(apply_steps(scene, "ten", "--steps"), Error);
    EXPECT_EQ(scene.steps, 1);
}

TEST(SceneFile, ReadsExpectations) {
    Scene scene =
        parsed(scene_with(R"("expect": {"top": {"min": 1, "max": 2}, "asleep": 5, "hash": "00ff00000000000a",
                                       "close_pairs": {"distance": 0.8, "above": 24, "min": 51}})"));
    ASSERT_EQ(scene.expect.size(), 3u);
    EXPECT_EQ(scene.expect[0].quantity, "top");
    EXPECT_EQ(scene.expect[0].least, 1);
    EXPECT_EQ(scene.expect[0].most, 2);
    EXPECT_EQ(scene.expect[0].line, 2);
    EXPECT_EQ(scene.expect[1].least, 5);
    EXPECT_EQ(scene.expect[1].most, 5);
    EXPECT_EQ(scene.expect[2].distance, 0.8);
    EXPECT_EQ(scene.expect[2].above, 24);
    EXPECT_EQ(scene.expected_hash, 0x00ff00000000000au);
}

TEST(SceneFile, TheExampleOfTheManualLoads) {
    std::stringstream page;
    page << std::ifstream(std::string(SCREE_SOURCE_DIR) + "/docs/manual/scenes.md").rdbuf();
    std::string text = page.str();
    std::size_t begin = text.find("```json\n"), end = text.find("```", begin + 3);
    ASSERT_NE(begin, text.npos);
    EXPECT_EQ(granular_scene(parsed(text.substr(begin + 8, end - begin - 8))).bodies.size(), 10u);
}

TEST(FindScene, KnowsFilesAndBuiltInNames) {
    EXPECT_EQ(granular_scene(find_scene("die")).bodies.size(), 1u);
    Scene from_file = find_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/die.json");
    EXPECT_EQ(from_file.name, "die");
    EXPECT_EQ(granular_scene(from_file).bodies[0].rotation,
              granular_scene(find_scene("die")).bodies[0].rotation);
    auto message = [](const std::string& name) { return test::error_message([&] { find_scene(name); }); };
    EXPECT_EQ(message("strem-300")
                  .find("\"strem-300\": there is no built-in scene and no file of this name; did you mean "
                        "\"stream-300\""),
              0u);
    EXPECT_EQ(message("zzzzzz"),
              "\"zzzzzz\": there is no built-in scene and no file of this name; \"scree scenes\" lists "
              "the built-in ones");
    EXPECT_EQ(message("nowhere/x.json"), "nowhere/x.json: cannot be opened: No such file or directory");
    EXPECT_EQ(message(SCREE_SOURCE_DIR),
              SCREE_SOURCE_DIR ": cannot be read: this is a folder; expected a file");
}

} // namespace
