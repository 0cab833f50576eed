// SPDX-License-Identifier: MIT
// mesh_scene_test.cpp — mesh files in rigid scenes: surfaces, hulls, convex parts and what is only drawn.
#include "record/recorded_scene.h"
#include "rigid_text.h"
#include "scene/kind.h"
#include "scene/run.h"
#include "scene_text.h"
#include "scree/mesh_file.h"
#include "scree/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace scree;
using scree::testing::refusal;
using scree::testing::rigid_with;
namespace fs = std::filesystem;

/// A folder of its own with a scene's files.
class MeshScenes : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) /
                  ("scree_mesh_scenes_" +
                   std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "inner" / "meshes");
        // a cube of 2 m about the origin, and an L of two bars
        write("inner/cube.obj", cube(-1, -1, -1, 1, 1, 1));
        write("inner/meshes/corner.obj", corner);
        write("outside.obj", cube(0, 0, 0, 1, 1, 1));
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    std::string file() const { return (folder_ / "inner" / "scene.json").string(); }
    Scene read(const std::string& lines) const { return parse_scene(rigid_with(lines), file()); }
    /// What is said of a shape, without the folder.
    std::string said_of(const std::string& geometry) const {
        try {
            (void)read("\"shapes\": [{\"name\": \"s\", " + geometry + "}]");
        } catch (const Error& error) {
            std::string text = error.what();
            for (std::size_t at; (at = text.find(folder_.string())) != text.npos;)
                text.erase(at, folder_.string().size() + 1);
            return text;
        }
        return "no error";
    }

    static std::string cube(int x, int y, int z, int to_x, int to_y, int to_z) {
        std::string text;
        for (int k = 0; k < 8; ++k)
            text += "v " + std::to_string(k & 1 ? to_x : x) + " " + std::to_string(k & 2 ? to_y : y) + " " +
                    std::to_string(k & 4 ? to_z : z) + "\n";
        return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    }
    static constexpr const char* corner =
        "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 3 1\n"
        "v 0 3 1\nf 7 8 9 10\nf 7 10 11 12\nf 4 3 2 1\nf 6 5 4 1\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
        "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

    fs::path folder_;
};

const std::string scene_of_files = R"("shapes": [
    {"name": "ground", "mesh": {"file": "cube.obj", "scale": [10, 1, 10], "two_sided": true}},
    {"name": "stone", "hull": {"file": "cube.obj", "scale": [0.5, 0.25, 0.5]}},
    {"name": "corner", "convex_parts": {"file": "meshes/corner.obj", "scale": [0.5, 0.5, 0.5]},
     "draw": [{"mesh": {"file": "meshes/corner.obj", "scale": [0.5, 0.5, 0.5]}, "paint": {"texture": "wood"}}]},
    {"name": "pair", "compound": [{"sphere": {"radius": 0.2}},
     {"convex_parts": {"file": "meshes/corner.obj", "max_parts": 2}, "position": [0, 1, 0]}]}],
    "bodies": [{"shape": "ground", "type": "fixed", "position": [0, 0, 0]},
     {"shape": "stone", "position": [3, 2, 0]}, {"shape": "corner", "position": [0, 2, 0]},
     {"shape": "pair", "position": [-3, 2, 0]}])";

TEST_F(MeshScenes, AreSurfacesHullsAndConvexParts) {
    const Scene scene = read(scene_of_files);
    const RigidScene& rigid = rigid_scene(scene);
    const Mesh& ground = std::get<Mesh>(rigid.shapes[0].parts[0].geometry);
    EXPECT_EQ(ground.triangles(), 12u);
    EXPECT_EQ(ground.scale(), (Vec3{10, 1, 10}));
    EXPECT_TRUE(ground.options().two_sided);
    EXPECT_EQ(rigid.shapes[1].high, (Vec3{0.5f, 0.25f, 0.5f}));
    EXPECT_EQ(rigid.shapes[2].parts.size(), 2u) << "two bars";
    EXPECT_EQ(rigid.shapes[2].drawn.size(), 1u);
    EXPECT_EQ(rigid.shapes[3].parts.size(), 3u);
    EXPECT_EQ(rigid.shapes[3].parts[2].definition.position, (Vec3{0, 1, 0}));
    EXPECT_EQ(scene.files.size(), 2u) << "each file once";

    World world = build_rigid_world(scene);
    step_scene(scene, world, 240);
    const std::vector<BodyId> bodies = world.bodies();
    EXPECT_NEAR(world.state(bodies[1]).position.y, 1.25, 0.01);
    // an L of bars 0.5 m thick and wide and 1.5 m long
    EXPECT_NEAR(world.mass(bodies[2]).mass, 1000 * (5 * 0.125), 0.02 * 625);
    for (const BodyId body : bodies) EXPECT_GT(world.state(body).position.y, -0.1);
}

TEST_F(MeshScenes, RunAgainFromARecordingWithoutTheirFiles) {
    const Scene scene = read(scene_of_files);
    const RecordingHeader header = recording_header(scene, {}, "meshes", "cpu", 1);
    World world = build_rigid_world(scene);
    step_scene(scene, world, 60);
    fs::remove_all(folder_ / "inner");
    const Scene again = recorded_scene(header, "a.rec");
    World other = build_rigid_world(again);
    step_scene(again, other, 60);
    EXPECT_EQ(other.hash(), world.hash());
}

TEST_F(MeshScenes, FilesOutsideTheFolderOfTheSceneAreRefused) {
    const std::string place = "inner/scene.json:2: shapes[0].mesh.file: the file ";
    const auto mesh = [&](const std::string& name) {
        return said_of("\"mesh\": {\"file\": \"" + name + "\"}");
    };
    EXPECT_EQ(mesh("cube.obj"), "no error");
    EXPECT_EQ(mesh("meshes/corner.obj"), "no error");
    for (const char* name : {"../outside.obj", "meshes/../../outside.obj", "/etc/passwd"})
        EXPECT_EQ(mesh(name), place + "\"" + name + "\" is outside the folder of the file") << name;
    EXPECT_EQ(mesh("C:/x.obj"), place + "\"C:/x.obj\" is outside the folder of the file");
    fs::create_symlink(folder_ / "outside.obj", folder_ / "inner" / "link.obj");
    EXPECT_EQ(mesh("link.obj"), place + "\"link.obj\" is outside the folder of the file");
    EXPECT_EQ(mesh("none.obj"), place + "\"none.obj\" is not a file that can be read");
    EXPECT_EQ(mesh("meshes"), place + "\"meshes\" is not a file that can be read");
    EXPECT_EQ(said_of("\"hull\": {\"file\": \"../outside.obj\"}"),
              "inner/scene.json:2: shapes[0].hull.file: the file \"../outside.obj\" is outside the folder of "
              "the file");
    EXPECT_EQ(said_of("\"convex_parts\": {\"file\": \"../outside.obj\"}"),
              "inner/scene.json:2: shapes[0].convex_parts.file: the file \"../outside.obj\" is outside the "
              "folder of "
              "the file");
    // the other kind's too
    EXPECT_NE(
        refusal(
            R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "m", "mesh": {"file": "../m.obj"}}]})")
            .find("is outside the folder"),
        std::string::npos);
}

TEST_F(MeshScenes, BrokenFilesAreNamed) {
    write("inner/broken.obj", "v 0 0 0\nv 1 x 0\n");
    EXPECT_EQ(said_of("\"mesh\": {\"file\": \"broken.obj\"}"),
              "inner/scene.json:2: shapes[0].mesh: broken.obj:2: 'x' is not a coordinate; expected a finite "
              "number");
    write("inner/flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    EXPECT_NE(said_of("\"mesh\": {\"file\": \"flat.obj\"}").find("has an area"), std::string::npos);
    EXPECT_NE(said_of("\"hull\": {\"file\": \"flat.obj\"}"), "no error");
    EXPECT_NE(said_of("\"convex_parts\": {\"file\": \"flat.obj\"}"), "no error");
    write("inner/buffers.gltf",
          R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "b.bin"}],
        "bufferViews": [{"buffer": 0, "byteLength": 4}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}], "scene": 0})");
    EXPECT_NE(said_of("\"mesh\": {\"file\": \"buffers.gltf\"}"), "no error");
    EXPECT_EQ(said_of("\"mesh\": {\"file\": \"cube.obj\", \"vertices\": []}"),
              "inner/scene.json:2: shapes[0].mesh.vertices: expected a file or this, not both");
    EXPECT_EQ(said_of("\"mesh\": {\"vertices\": [[0,0,0],[1,0,0],[0,0,1]]}"),
              "inner/scene.json:2: shapes[0].mesh: the key \"triangles\" is missing");
    EXPECT_EQ(said_of("\"hull\": {}"), "inner/scene.json:2: shapes[0].hull: the key \"points\" is missing");
}

TEST_F(MeshScenes, WhatIsDrawnIsInTheAppearanceAndItsBytes) {
    const Scene scene = read(scene_of_files);
    const std::unique_ptr<SceneRun> run = kind_of(scene).start(scene, {});
    Frame frame;
    run->show(frame);
    const AppearanceShape& shape = frame.appearance->shapes[frame.appearance->bodies[2].shape];
    EXPECT_EQ(shape.parts.size(), 2u);
    ASSERT_EQ(shape.drawn.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<Mesh>(shape.shown()[0].geometry));
    EXPECT_EQ(shape.drawn[0].paint.texture, "wood");
    EXPECT_GE(shape.reach, 1.5);
}

} // namespace
