// SPDX-License-Identifier: MIT
// model_test.cpp — animated models: files of both formats, clips, poses and skinning, and what broken files are told.
#include "scree/error.h"
#include "scree/model_file.h"
#include "scree/walking_figure.h"
#include "support/refused.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

namespace scree {
namespace {

using test::contains;
using test::refusal;

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, double{length(a[i] - b[i])});
    return worst;
}

double angle(Quat a, Quat b) {
    const Quat q = conjugate(a) * b;
    return 2 * std::atan2(std::sqrt(double{q.x * q.x + q.y * q.y + q.z * q.z}), std::fabs(double{q.s}));
}

std::vector<Vec3> vertices_at(const SkinnedModel& model, const ModelClip& clip, double time) {
    ModelPose pose = rest_pose(model);
    sample(clip, time, pose);
    SkinnedMesh mesh;
    skin(model, pose, mesh);
    return mesh.vertices;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Two joints along y, a square on each; the second's second weight is shared.
const std::string bar_text = R"(MD5Version 10
commandline ""

numJoints 2
numMeshes 1

joints {
	"low" -1 ( 0 0 0 ) ( 0 0 0 )	// the root
	"high" 0 ( 0 1 0 ) ( 0 0 0 )
}

mesh {
	shader "wood"

	numverts 4
	vert 0 ( 0 0 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 1 1 ) 2 2
	vert 3 ( 0 1 ) 4 1

	numtris 2
	tri 0 0 2 1
	tri 1 0 3 2

	numweights 5
	weight 0 0 1 ( 0 0 0 )
	weight 1 0 1 ( 1 0 0 )
	weight 2 0 0.5 ( 1 2 0 )
	weight 3 1 0.5 ( 1 1 0 )
	weight 4 1 1 ( 0 1 0 )
}
)";

/// The root goes along x by a metre a frame; the second joint turns about z by 90 degrees in two frames.
const std::string bar_clip = R"(MD5Version 10
commandline ""

numFrames 3
numJoints 2
frameRate 10
numAnimatedComponents 2

hierarchy {
	"low" -1 1 0
	"high" 0 32 1
}

bounds {
	( 0 0 0 ) ( 1 2 0 )
	( 0 0 0 ) ( 1 2 0 )
	( 0 0 0 ) ( 1 2 0 )
}

baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 0 1 0 ) ( 0 0 0 )
}

frame 0 {
	0 0
}
frame 1 {
	1 -0.382683432
}
frame 2 {
	2 -0.707106781
}
)";

SkinnedModel bar() { return parse_model(bar_text, "bar.md5mesh"); }

void expect_told(const std::string& text, const std::string& where, const std::string& what,
                 const ModelFileOptions& options = {}) {
    const test::Refusal found = refusal([&] {
        if (where.find("md5anim") != std::string::npos) parse_clip(text, "bar.md5anim", bar(), options);
        else parse_model(text, "bar.md5mesh", options);
    });
    EXPECT_EQ(found.where, where) << found.what;
    EXPECT_TRUE(contains(found.what, what)) << found.what;
}

TEST(Md5, AModelAndItsClipComeBackFromTheirText) {
    const SkinnedModel figure = walking_figure();
    const SkinnedModel again = parse_model(md5mesh_text(figure), "figure.md5mesh");
    ASSERT_EQ(again.joints.size(), figure.joints.size());
    EXPECT_EQ(again.joints[5].name, figure.joints[5].name);
    EXPECT_EQ(again.mesh.materials, figure.mesh.materials);
    EXPECT_EQ(again.mesh.triangles.size(), figure.mesh.triangles.size());
    EXPECT_TRUE(again.warnings.empty());
    EXPECT_NEAR(inspect(again.mesh).volume, inspect(figure.mesh).volume, 1e-6);
    EXPECT_GT(inspect(figure.mesh).volume, 0.05);
    const ModelClip walk =
        parse_clip(md5anim_text(figure, figure.clips[0], 48 / 1.1f), "walk.md5anim", again);
    EXPECT_EQ(walk.name, "walk");
    EXPECT_FLOAT_EQ(walk.duration, 1.1f);
    EXPECT_EQ(walk.closing, 0);
    for (const double time : {0.0, 0.2, 0.7, 1.05}) {
        // vertices come in the order of the triangles
        const std::vector<Vec3> a = vertices_at(figure, figure.clips[0], time),
                                b = vertices_at(again, walk, time);
        std::vector<Vec3> by_corner_a, by_corner_b;
        for (std::size_t t = 0; t < figure.mesh.triangles.size(); t += 7) {
            std::size_t other = 0; // grouped by material
            for (std::size_t s = 0; s < figure.mesh.triangles.size(); ++s)
                other +=
                    figure.mesh.triangle_materials[s] < figure.mesh.triangle_materials[t] ||
                            (s < t && figure.mesh.triangle_materials[s] == figure.mesh.triangle_materials[t])
                        ? 1
                        : 0;
            by_corner_a.push_back(a[figure.mesh.triangles[t][0]]);
            by_corner_b.push_back(b[again.mesh.triangles[other][0]]);
        }
        EXPECT_LT(distance(by_corner_a, by_corner_b), 2e-5) << time;
    }
}

TEST(Md5, TextureCoordinatesComeBackFromTheirText) {
    const SkinnedModel model = parse_model(replaced(bar_text, "( 1 1 )", "( 0.25 -3 )"), "bar.md5mesh");
    const std::vector<std::array<float, 2>> places{{0, 0}, {1, 0}, {0.25f, -3}, {0, 1}};
    EXPECT_EQ(model.texture_places, places);
    const SkinnedModel again = parse_model(md5mesh_text(model), "again.md5mesh");
    ASSERT_EQ(again.texture_places.size(), 4u);
    EXPECT_EQ(again.texture_places, places);
    SkinnedModel bad = model;
    bad.texture_places.pop_back();
    EXPECT_TRUE(
        contains(test::error_message([&] { check(bad, "x"); }), "3 texture coordinates for 4 vertices"));
    bad.texture_places.push_back({std::nanf(""), 0});
    EXPECT_TRUE(contains(test::error_message([&] { check(bad, "x"); }), "vertex 3"));
}

TEST(Md5, ModelsAreReadToTheLastNumber) {
    const SkinnedModel model = bar();
    ASSERT_EQ(model.mesh.vertices.size(), 4u);
    EXPECT_EQ(model.mesh.vertices[2], (Vec3{1, 2, 0}));
    EXPECT_EQ(model.mesh.materials, std::vector<std::string>{"wood"});
    EXPECT_EQ(model.weights[2], (BoneWeight{0, 0.5f}));
    EXPECT_EQ(model.joints[1].rest.position, (Vec3{0, 1, 0}));
    EXPECT_GT(model.normals[0].z, 0.9f); // the file's triangles are clockwise
    EXPECT_EQ(parse_model(bar_text, "bar.md5mesh", {.scale = 0.5f}).mesh.vertices[2], (Vec3{0.5f, 1, 0}));
    // a parent may follow its child
    const std::string turned =
        replaced(replaced(bar_text,
                          "\t\"low\" -1 ( 0 0 0 ) ( 0 0 0 )\t// the root\n\t\"high\" 0 ( 0 1 0 ) ( 0 0 0 )\n",
                          "\t\"high\" 1 ( 0 1 0 ) ( 0 0 0 )\n\t\"low\" -1 ( 0 0 0 ) ( 0 0 0 )\n"),
                 "weight 4 1", "weight 4 0");
    EXPECT_EQ(parse_model(turned, "bar.md5mesh").joints[0].name, "low");
}

TEST(Md5, BrokenFilesAreToldWithLineAndColumn) {
    const auto told = [&](const char* from, const char* to, const char* place, const char* what) {
        expect_told(replaced(bar_text, from, to), std::string("bar.md5mesh:") + place, what);
    };
    told("MD5Version 10", "MD5Version 6", "1:12", "expected a whole number from 10 to 10");
    told("numJoints 2", "numJoints 3", "10:1", "expected the name of a joint");
    told("numJoints 2", "numJoints 1", "9:2", "'high'; expected '}'");
    told("numJoints 2", "numJoints 4000000000", "4:11", "at most 4,096");
    told("\"low\" -1", "\"low\" 1", "8:8", "its own ancestor");
    told("\"high\" 0", "\"high\" 1", "9:9", "its own ancestor");
    told("\"high\" 0", "\"high\" 2", "9:9", "from -1 to 1");
    told("( 0 1 0 ) ( 0 0 0 )", "( 0 nan 0 ) ( 0 0 0 )", "9:15", "finite number");
    told("( 0 1 0 ) ( 0 0 0 )", "( 0 1 0 ) ( 0 0 2 )", "9:21", "at most 1");
    told("\"high\"", "\"high", "9:2", "without an end");
    told("\nmesh {", "numJoints 40\nmesh {", "11:1", "numJoints after the joints; expected it before");
    told("numMeshes 1", "numMeshes 2", "32:1", "numMeshes says 2");
    told("numMeshes 1", "numMeshes 0", "12:1", "a mesh more");
    told("numverts 4", "numverts 5", "21:2", "expected 'vert'");
    told("numverts 4", "numverts 1000000", "15:11", "bytes left");
    told("vert 3 (", "vert 4 (", "19:7", "from 0 to 3");
    told("vert 3 (", "vert 2 (", "19:7", "twice");
    told("( 0 1 ) 4 1", "( 0 1 ) 4 2", "19:17", "weights 4 to 5; the mesh has 5");
    told("( 0 1 ) 4 1", "( 0 1 ) 4 0", "19:19", "from 1");
    told("tri 1 0 3 2", "tri 1 0 3 4", "23:12", "names vertex 4; the mesh has 4");
    told("weight 4 1 1", "weight 4 2 1", "30:11", "from 0 to 1");
    told("weight 4 1 1", "weight 4 1 -1", "30:13", "negative");
    told("weight 4 1 1", "weight 4 1 0", "19:17", "sum to 0");
    told("weight 4 1 1", "weight 4 1 inf", "30:13", "finite");
    told("numtris 2", "numthings 2", "21:2", "unknown");
    expect_told(bar_text.substr(0, 300), "bar.md5mesh:25:2", "'numwei' is unknown");
    told("\nmesh {", "joints {\n}\nmesh {", "11:1", "a second list of joints");
    expect_told(bar_text.substr(0, bar_text.rfind('}')), "bar.md5mesh:31:1", "ends within a mesh");
    expect_told("MD5Version 10\njoints { }\n", "bar.md5mesh:2:1", "no joints; expected \"numJoints\"");
    expect_told("MD5Version 10\nnumMeshes 1\nmesh { }\n", "bar.md5mesh:3:1", "a mesh before the joints");
    // forty weights shared by ten vertices: four hundred, where the file has forty
    std::string shared = bar_text.substr(0, bar_text.find("\tnumverts")) + "numverts 10\n";
    for (int v = 0; v < 10; ++v) shared += "vert " + std::to_string(v) + " ( 0 0 ) 0 40\n";
    shared += "numtris 1\ntri 0 0 1 2\nnumweights 40\n";
    for (int w = 0; w < 40; ++w) shared += "weight " + std::to_string(w) + " 0 0.025 ( 0 0 0 )\n";
    expect_told(shared + "}\n", "bar.md5mesh:21:16", "too many weights; at most 16");
}

TEST(Md5, BrokenClipsAreToldWithLineAndColumn) {
    const auto told = [&](const char* from, const char* to, const char* place, const char* what) {
        expect_told(replaced(bar_clip, from, to), std::string("bar.md5anim:") + place, what);
    };
    told("numJoints 2", "numJoints 3", "5:11", "the model has 2");
    told("numFrames 3", "numFrames 4", "18:1", "expected '('");
    told("numFrames 3", "numFrames 0", "15:2", "expected '}'");
    told("frameRate 10", "frameRate 0", "6:11", "frame rate");
    told("\"high\" 0 32 1", "\"tall\" 0 32 1", "11:2", "no joint 'tall'");
    told("\"high\" 0 32 1", "\"low\" 0 32 1", "11:2", "twice");
    told("\"high\" 0 32 1", "\"high\" -1 32 1", "11:9", "another parent");
    told("\"high\" 0 32 1", "\"high\" 0 64 1", "11:11", "from 0 to 63");
    told("\"high\" 0 32 1", "\"high\" 0 32 2", "11:14", "components 2 to 2");
    told("\nbounds {", "numAnimatedComponents 0\nbounds {", "13:1",
         "numAnimatedComponents after the hierarchy; expected it before");
    told("frame 1 {", "frame 2 {", "28:7", "expected frame 1");
    told("1 -0.38", "1 -1.38", "30:1", "longer than 1");
    told("1 -0.382683432", "1", "30:1", "finite number");
    expect_told(bar_clip.substr(0, bar_clip.find("frame 2")), "bar.md5anim:31:1",
                "after 2 frames; numFrames says 3");
    const auto ends = [](const std::string& text, const char* place, const char* what) {
        expect_told("MD5Version 10\n" + text, std::string("bar.md5anim:") + place, what);
    };
    ends("", "2:1", "expected frameRate");
    ends("frameRate 10\n", "3:1", "expected numFrames, from 1 on");
    ends("numFrames 1\nframeRate 10\n", "4:1", "expected hierarchy and baseframe");
    ends("baseframe { }\n", "2:1", "a baseframe before the hierarchy");
    ends("numFrames 1\nframe 0 { }\n", "3:7", "a frame before the baseframe");
    told("\nbounds {", "hierarchy { }\nbounds {", "13:1", "a second hierarchy");
    // two numbers in each of three frames
    expect_told(bar_clip, "bar.md5anim:31:7", "too many numbers in frames; at most 5", {.max_keys = 5});
}

TEST(Md5, FilesCutShortAreRefusedAtEveryByte) {
    const SkinnedModel model = bar();
    for (std::size_t n = 0; n + 2 < bar_text.size(); ++n)
        EXPECT_NE(test::error_place([&] { parse_model(bar_text.substr(0, n), "bar.md5mesh"); }), "no error")
            << n;
    for (std::size_t n = 0; n + 2 < bar_clip.size(); ++n)
        EXPECT_NE(test::error_place([&] { parse_clip(bar_clip.substr(0, n), "a.md5anim", model); }),
                  "no error")
            << n;
}

TEST(Clips, TheFrameFollowsTimeAtTheRateOfTheFile) {
    const SkinnedModel model = bar();
    const ModelClip clip = parse_clip(bar_clip, "walk.md5anim", model);
    EXPECT_FLOAT_EQ(clip.duration, 0.2f);
    EXPECT_FLOAT_EQ(clip.closing, 0.1f); // f = t rate, modulo the frames; the last goes over into the first
    ModelPose pose = rest_pose(model);
    // whatever was asked before: time alone says the frame
    for (const double t : {0.15, 0.0, 0.1, 0.05, 100 * 0.3 + 0.05, -0.25}) {
        sample(clip, t, pose);
        const double frame = std::fmod(t * 10 + 3000, 3);
        EXPECT_NEAR(pose[0].position.x, frame, 1e-4) << t;
    }
    sample(clip, 0.25, pose); // between frame 2 and frame 0
    EXPECT_NEAR(pose[0].position.x, 1, 1e-5);
    sample(clip, 7, pose, ClipEnd::hold);
    EXPECT_EQ(pose[0].position.x, 2);
    sample(clip, -7, pose, ClipEnd::hold);
    EXPECT_EQ(pose[0].position.x, 0);
}

TEST(Clips, RotationsTakeTheShorterWayAtConstantSpeed) {
    const Quat a{}, b = rotation_about(Vec3{0, 0, 1}, 2.5f), far = {-b.x, -b.y, -b.z, -b.s};
    for (const float share : {0.0f, 0.1f, 0.25f, 0.5f, 0.9f, 1.0f}) {
        EXPECT_NEAR(angle(a, between(a, b, share)), 2.5 * double{share}, 1e-6) << share;
        EXPECT_NEAR(angle(between(a, b, share), between(a, far, share)), 0, 1e-6) << share;
    }
    const Quat half_turn = rotation_about(Vec3{1, 0, 0}, 3.14159f);
    EXPECT_NEAR(angle(a, between(a, half_turn, 0.5f)), 1.5708, 1e-4);
    EXPECT_EQ(between(a, a, 0.3f), a);
}

TEST(Clips, MotionIsContinuousThroughKeysAndTheEnd) {
    const SkinnedModel figure = walking_figure();
    ModelClip walk = *figure.find_clip("walk");
    take_root_motion(figure, walk);
    std::vector<Vec3> before = vertices_at(figure, walk, 0);
    double largest = 0;
    for (double t = 0.002; t < 2.3; t += 0.002) { // over two ends of the clip
        const std::vector<Vec3> now = vertices_at(figure, walk, t);
        largest = std::max(largest, distance(now, before));
        before = now;
    }
    EXPECT_LT(largest, 0.012); // no point moves faster than 6 m/s; a frame that jumped would be 30 mm
    EXPECT_GT(largest, 0.001);
}

TEST(Clips, TwoClipsAreBlended) {
    const SkinnedModel figure = walking_figure();
    ModelPose walk = rest_pose(figure), stand = walk, both;
    sample(*figure.find_clip("walk"), 0.3, walk);
    sample(*figure.find_clip("stand"), 0.3, stand);
    blend(walk, stand, 0, both);
    EXPECT_EQ(both[3].position, walk[3].position);
    blend(walk, stand, 0.25f, both);
    const std::uint32_t thigh = *figure.find_joint("left_thigh");
    EXPECT_NEAR(angle(walk[thigh].rotation, both[thigh].rotation),
                0.25 * angle(walk[thigh].rotation, stand[thigh].rotation), 1e-5);
    EXPECT_GT(angle(walk[thigh].rotation, stand[thigh].rotation), 0.1);
    stand.pop_back();
    EXPECT_TRUE(contains(test::error_message([&] { blend(walk, stand, 0.5f, both); }), "joints"));
}

TEST(Clips, RootMotionAddsUpAndTheFeetDoNotSlide) {
    const SkinnedModel figure = walking_figure(1.8f);
    ModelClip walk = *figure.find_clip("walk");
    const RootMotion motion = take_root_motion(figure, walk);
    const double stride = motion.at(walk.duration).position.z;
    EXPECT_GT(stride, 0.8);
    EXPECT_LT(stride, 2);
    EXPECT_NEAR(motion.at(7.5 * double{walk.duration}).position.z -
                    motion.at(0.5 * double{walk.duration}).position.z,
                7 * stride, 1e-4);
    EXPECT_NEAR(motion.at(-double{walk.duration}).position.z, -stride, 1e-5);
    // in place, and together what the clip was
    ModelPose here = rest_pose(figure), there = here;
    for (const double t : {0.1, 0.5, 0.9}) {
        sample(walk, t, here);
        sample(*figure.find_clip("walk"), t, there);
        EXPECT_NEAR(here[0].position.z, 0, 1e-6);
        EXPECT_NEAR(motion.at(t).position.z, there[0].position.z, 1e-5);
    }
    // the lowest point of the model stays where it is from one moment to the next
    for (double t = 0; t < 1.1; t += 0.01) {
        const std::vector<Vec3> a = vertices_at(figure, *figure.find_clip("walk"), t),
                                b = vertices_at(figure, *figure.find_clip("walk"), t + 0.002);
        std::size_t lowest = 0;
        for (std::size_t v = 0; v < a.size(); ++v)
            if (a[v].y < a[lowest].y) lowest = v;
        EXPECT_NEAR(a[lowest].y, 0, 0.02) << t;
        if (t < 1.09) {
            EXPECT_LT(std::fabs(b[lowest].z - a[lowest].z) / 0.002, 0.4) << t; // it walks at 0.95 m/s
        }
    }
}

TEST(Clips, RootMotionOfFramesThatDoNotCloseGoesOnAsBefore) {
    const SkinnedModel model = bar();
    ModelClip clip = parse_clip(bar_clip, "walk.md5anim", model);
    const RootMotion motion = take_root_motion(model, clip, {.turns = false});
    for (const double t : {0.0, 0.1, 0.15, 0.25, 0.3, 0.45, 3.0})
        EXPECT_NEAR(motion.at(t).position.x, 10 * t, 1e-5);
    EXPECT_TRUE(contains(test::error_place([&] { take_root_motion(model, clip, {.joint = 9}); }), "joint"));
}

TEST(Skinning, TheBindPoseReproducesTheMesh) {
    for (const SkinnedModel& model : {walking_figure(), bar()}) {
        SkinnedMesh mesh;
        skin(model, rest_pose(model), mesh);
        EXPECT_LT(distance(mesh.vertices, model.mesh.vertices), 2e-6);
        EXPECT_LT(distance(mesh.normals, model.normals), 1e-5);
    }
}

TEST(Skinning, VerticesGoToTheMeanOfTheirBones) {
    const SkinnedModel model = bar();
    ModelPose pose = rest_pose(model);
    pose[1].rotation =
        rotation_about(Vec3{0, 0, 1}, 1.57079633f); // about (0, 1, 0): (x, 1 + y) to (-y, 1 + x)
    SkinnedMesh mesh;
    skin(model, pose, mesh);
    const std::vector<Vec3> expected{{0, 0, 0}, {1, 0, 0}, {0.5f * (1 - 1), 0.5f * (2 + 2), 0}, {-1, 1, 0}};
    EXPECT_LT(distance(mesh.vertices, expected), 1e-6);
    pose[0].scale = {2, 1, 1};
    pose[0].rotation = rotation_about(Vec3{1, 0, 0}, 0.3f);
    skin(model, pose, mesh);
    EXPECT_NEAR(length(mesh.normals[0]), 1, 1e-6);
    EXPECT_NEAR(dot(mesh.normals[0], mesh.vertices[1] - mesh.vertices[0]), 0, 1e-6);
}

TEST(Skinning, ThreadsGiveTheSameBits) {
    SkinnedModel figure = walking_figure();
    // as many vertices as need threads
    const std::size_t once = figure.mesh.vertices.size();
    while (figure.mesh.vertices.size() < 40'000)
        for (std::size_t v = 0; v < once; ++v) {
            figure.mesh.vertices.push_back(figure.mesh.vertices[v]);
            figure.normals.push_back(figure.normals[v]);
            for (std::uint32_t w = figure.first_weight[v]; w < figure.first_weight[v + 1]; ++w)
                figure.weights.push_back(figure.weights[w]);
            figure.first_weight.push_back(static_cast<std::uint32_t>(figure.weights.size()));
        }
    ModelPose pose = rest_pose(figure);
    sample(figure.clips[0], 0.4, pose);
    SkinnedMesh one, many;
    skin(figure, pose, one, 1);
    skin(figure, pose, many, 4);
    EXPECT_TRUE(one.vertices == many.vertices && one.normals == many.normals);
    EXPECT_EQ(one.vertices[once], one.vertices[0]);
}

TEST(Skinning, ModelsThatDoNotHoldAreRefused) {
    const auto told = [](const auto& spoil) {
        SkinnedModel model = bar();
        model.clips.push_back(parse_clip(bar_clip, "walk.md5anim", model));
        check(model, "here");
        spoil(model);
        return test::error_message([&] { check(model, "here"); });
    };
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.joints[0].parent = 1; }), "parent"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.weights[0].bone = 7; }), "bone 7"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.weights[0].weight = 0.5f; }), "sum"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.first_weight[2] = 9; }), "weights"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.bones[1].joint = 2; }), "joint 2"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.clips[0].tracks[0].times[1] = 0; }), "increase"));
    EXPECT_TRUE(contains(told([](SkinnedModel& m) { m.clips[0].tracks[0].values.pop_back(); }), "a key"));
}

// glTF ----------------------------------------------------------------------------------------------------------

/// A triangle that follows two joints, the second turned and moved by three animations; the buffer beside the text.
struct GltfBar {
    std::string text, buffer;

    template <class T>
    std::string add(std::initializer_list<T> values) {
        while (buffer.size() % 4 != 0) buffer += '\0';
        const std::size_t at = buffer.size();
        for (const T value : values) {
            char bytes[sizeof value];
            std::memcpy(bytes, &value, sizeof value);
            buffer.append(bytes, sizeof value);
        }
        return R"({"buffer": 0, "byteOffset": )" + std::to_string(at) + R"(, "byteLength": )" +
               std::to_string(buffer.size() - at) + "}";
    }

    GltfBar() {
        const float root2 = 0.70710678f;
        std::string views = add<float>({0, 0, 0, 1, 0, 0, 0, 2, 0});                // 0 positions
        views += "," + add<std::uint8_t>({0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});     // 1 joints
        views += "," + add<float>({1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0});      // 2 weights
        views += "," + add<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1, // 3 bind matrices
                                   1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
        views += "," + add<float>({0, 1, 2});                                    // 4 times
        views += "," + add<float>({0, 0, 0, 1, 0, 0, root2, root2, 0, 0, 0, 1}); // 5 rotations
        views += "," + add<float>({0, 1, 0, 0, 3, 0, 0, 7, 0}); // 6 positions, 7 with tangents
        views += "," + add<float>(
                           {0, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0});
        views += "," + add<float>({0, 0, 1, 0, 0.5f, 2});                      // 8 texture
        views += "," + add<std::uint8_t>({'p', 'i', 'c', 't', 'u', 'r', 'e'}); // 9 an image
        text = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
"nodes": [{"name": "body", "mesh": 0, "skin": 0, "children": [1]}, {"name": "low", "children": [2]},
 {"name": "high", "translation": [0, 1, 0]}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "material": 0}]}],
"materials": [{"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
"skins": [{"joints": [1, 2], "inverseBindMatrices": 3}],
"animations": [{"name": "bend", "samplers": [{"input": 4, "output": 5}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]},
 {"name": "step", "samplers": [{"input": 4, "output": 6, "interpolation": "STEP"}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]},
 {"name": "curve", "samplers": [{"input": 4, "output": 7, "interpolation": "CUBICSPLINE"}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
 {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
 {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4"},
 {"bufferView": 3, "componentType": 5126, "count": 2, "type": "MAT4"},
 {"bufferView": 4, "componentType": 5126, "count": 3, "type": "SCALAR"},
 {"bufferView": 5, "componentType": 5126, "count": 3, "type": "VEC4"},
 {"bufferView": 6, "componentType": 5126, "count": 3, "type": "VEC3"},
 {"bufferView": 7, "componentType": 5126, "count": 9, "type": "VEC3"},
 {"bufferView": 8, "componentType": 5126, "count": 3, "type": "VEC2"}],
"bufferViews": [)" +
               views + R"(], "buffers": [{"uri": "bar.bin", "byteLength": )" + std::to_string(buffer.size()) +
               "}]}";
    }

    SkinnedModel read(const std::string& changed) const {
        return parse_model(changed, "bar.gltf", {.open = [&](const std::string& name) {
                               if (name != "bar.bin") throw Error("is unknown", "");
                               return buffer;
                           }});
    }
    std::string refused(const std::string& from, const std::string& to) const {
        const test::Refusal found = refusal([&] { read(replaced(text, from, to)); });
        return found.where + ": " + found.what;
    }
};

TEST(GltfModels, SkinsAndAnimationsAreRead) {
    const GltfBar file;
    const SkinnedModel model = file.read(file.text);
    ASSERT_EQ(model.joints.size(), 3u);
    EXPECT_EQ(model.joints[2].parent, 1);
    EXPECT_EQ(model.bones[1].inverse_bind.position, (Vec3{0, -1, 0}));
    EXPECT_EQ(model.colours[0], (Vec3{1, 0, 0}));
    SkinnedMesh mesh;
    skin(model, rest_pose(model), mesh);
    EXPECT_LT(distance(mesh.vertices, model.mesh.vertices), 1e-6);
    // half-way to a quarter turn
    ModelPose pose = rest_pose(model);
    sample(model.clips[0], 0.5, pose);
    EXPECT_NEAR(angle(pose[2].rotation, {}), 0.785398, 1e-6);
    skin(model, pose, mesh);
    const float c = 0.70710678f;
    EXPECT_LT(length(mesh.vertices[2] - Vec3{-c, 1 + c, 0}), 1e-6f); // (0, 2) turned about (0, 1)
    // half of it stays: (1, 0), turned about (0, 1)
    EXPECT_LT(length(mesh.vertices[1] - 0.5f * (Vec3{1, 0, 0} + Vec3{c + c, 1, 0})), 1e-6f);
    for (const auto& [time, height] : {std::pair{0.5, 1.0}, {1.0, 3.0}, {1.9, 3.0}}) {
        sample(model.clips[1], time, pose);
        EXPECT_EQ(pose[2].position.y, static_cast<float>(height)) << time;
    }
    sample(model.clips[2], 0.5, pose); // Hermite: (1 + 3) / 2 + 4 / 8
    EXPECT_NEAR(pose[2].position.y, 2.5, 1e-6);
    sample(model.clips[2], 1, pose);
    EXPECT_NEAR(pose[2].position.y, 3, 1e-6);
    EXPECT_EQ(model.clips[2].duration, 2);
    EXPECT_EQ(model.clips[2].closing, 0);
}

TEST(GltfModels, BuffersComeFromTheFolderOnly) {
    const GltfBar file;
    const testing::TemporaryFolder folder;
    std::ofstream(folder.file("bar.bin"), std::ios::binary) << file.buffer;
    std::ofstream(folder.file("bar.gltf"), std::ios::binary) << file.text;
    EXPECT_EQ(read_model(folder.file("bar.gltf")).joints.size(), 3u);
    const auto told = [&](const char* name, const ModelFileOptions& options) {
        return test::error_message(
            [&] { parse_model(replaced(file.text, "bar.bin", name), folder.file("bar.gltf"), options); });
    };
    for (const char* name : {"../bar.bin", "/etc/passwd", "%2e%2e/bar.bin", "none.bin"})
        EXPECT_NE(told(name, {}), "no error") << name;
    EXPECT_TRUE(contains(told("bar.bin", {.external_files = false}), "switched off"));
}

/// The bar with a picture in place of its colour; `image` and `use` are as a file writes them.
std::string textured(const std::string& text, const std::string& image, const std::string& use = "") {
    const std::string with_places =
        replaced(text, R"("WEIGHTS_0": 2})", R"("WEIGHTS_0": 2, "TEXCOORD_0": 8})");
    const std::string with_use = replaced(with_places, R"("baseColorFactor": [1, 0, 0, 1])",
                                          R"("baseColorTexture": {"index": 0)" + use + "}");
    return replaced(with_use, R"("skins":)",
                    R"("textures": [{"source": 0}], "images": [{)" + image + R"(}], "skins":)");
}

TEST(GltfModels, PicturesAndTheirCoordinatesAreRead) {
    const GltfBar file;
    const auto read = [&](const std::string& text) {
        return parse_model(text, "bar.gltf", {.open = [&](const std::string& name) -> std::string {
                               if (name == "bar.bin") return file.buffer;
                               if (name == "my skin.png") return "from a file";
                               throw Error("is unknown", "");
                           }});
    };
    using Places = std::vector<std::array<float, 2>>;
    const std::string embedded = R"("bufferView": 9, "mimeType": "image/png")";
    for (const auto& [image, bytes] : {std::pair(embedded, "picture"),
                                       {R"("uri": "data:image/png;base64,cGljdHVyZQ==")", "picture"},
                                       {R"("uri": "my%20skin.png")", "from a file"}}) {
        const SkinnedModel model = read(textured(file.text, image));
        ASSERT_EQ(model.textures.size(), 1u) << image;
        ASSERT_TRUE(model.textures[0].colours) << image;
        EXPECT_EQ(*model.textures[0].colours, bytes);
        EXPECT_EQ(model.texture_places, (Places{{0, 0}, {1, 0}, {0.5f, 2}})) << image;
        EXPECT_EQ(model.colours[0], (Vec3{1, 1, 1}));
        EXPECT_TRUE(model.warnings.empty()) << model.warnings[0];
    }
    // scaled to a half, turned from right to up, moved
    const SkinnedModel moved = read(textured(
        file.text, embedded,
        R"(, "extensions": {"KHR_texture_transform": {"offset": [10, 20], "rotation": 1.5707963267948966, "scale": [0.5, 1]}})"));
    ASSERT_EQ(moved.texture_places.size(), 3u);
    EXPECT_NEAR(moved.texture_places[1][0], 10, 1e-5);
    EXPECT_NEAR(moved.texture_places[1][1], 19.5, 1e-5);
    EXPECT_NEAR(moved.texture_places[2][0], 12, 1e-5);
    // the same in a container, whose buffer is its second chunk
    const auto number = [](std::size_t value) {
        std::string four;
        for (int k = 0; k < 4; ++k) four += static_cast<char>(value >> (8 * k) & 255);
        return four;
    };
    const std::string text = replaced(textured(file.text, embedded), R"("uri": "bar.bin", )", "");
    const SkinnedModel glb =
        parse_model("glTF" + number(2) + number(28 + text.size() + file.buffer.size()) + number(text.size()) +
                        "JSON" + text + number(file.buffer.size()) + std::string("BIN\0", 4) + file.buffer,
                    "bar.glb");
    EXPECT_EQ(*glb.textures[0].colours, "picture");
}

TEST(GltfModels, PicturesThatAreMissingAreToldAndThoseOutsideRefused) {
    const GltfBar file;
    const SkinnedModel missing = file.read(textured(file.text, R"("uri": "none.png")"));
    EXPECT_FALSE(missing.textures[0].colours);
    EXPECT_FALSE(missing.colours[0]); // not white
    EXPECT_EQ(missing.warnings, std::vector<std::string>{"the picture 'none.png' is not shown: is unknown"});
    for (const char* name : {"../a.png", "/etc/passwd", "%2e%2e/a.png", "C:/a.png", "a/../../a.png"}) {
        const std::string told = test::error_message(
            [&] { file.read(textured(file.text, R"("uri": ")" + std::string(name) + '"')); });
        EXPECT_TRUE(contains(told, "bar.gltf:") && contains(told, "is outside the folder")) << told;
    }
    const testing::TemporaryFolder folder;
    std::ofstream(folder.file("bar.bin"), std::ios::binary) << file.buffer;
    std::ofstream(folder.file("skin.png"), std::ios::binary) << std::string(5000, 'x');
    const std::string text = textured(file.text, R"("uri": "skin.png")");
    EXPECT_EQ(parse_model(text, folder.file("bar.gltf")).textures[0].colours->size(), 5000u);
    EXPECT_TRUE(contains(
        test::error_message([&] { parse_model(text, folder.file("bar.gltf"), {.max_bytes = 4999}); }),
        "4,999 bytes"));
    const auto told = [&](const std::string& from, const std::string& to) {
        return test::error_message([&] { file.read(replaced(text, from, to)); });
    };
    EXPECT_TRUE(contains(told(R"("source": 0)", R"("source": 1)"), "below 1"));
    EXPECT_TRUE(contains(told(R"("TEXCOORD_0": 8)", R"("TEXCOORD_0": 0)"), "not of type VEC2"));
    EXPECT_TRUE(contains(told(R"("count": 3, "type": "VEC2")", R"("count": 2, "type": "VEC2")"),
                         "2 texture coordinates for 3 vertices"));
    EXPECT_TRUE(contains(told(R"("uri": "skin.png")", R"("uri": "data:image/png;base64,?")"), "base64"));
    EXPECT_TRUE(contains(told(R"("uri": "skin.png")", R"("bufferView": 90)"), "below 10"));
}

TEST(GltfModels, BrokenFilesAreToldWhere) {
    const GltfBar file;
    const auto told = [&](const char* from, const char* to, const char* what) {
        const std::string found = file.refused(from, to);
        EXPECT_TRUE(contains(found, what) && contains(found, "bar.gltf:")) << found;
    };
    told(R"("children": [2])", R"("children": [0])",
         "bar.gltf:2:11: the node has two parents, or is its own");
    told(R"("children": [2])", R"("children": [3])", "below 3");
    told(R"("joints": [1, 2])", R"("joints": [1, 5])", "below 3");
    told(R"("joints": [1, 2])", R"("joints": [1])", "follows joint 1");
    told(R"("joints": [1, 2])", R"("joints": [])", "without 'joints'");
    told(R"("joints": [1, 2])", R"("joints": [1, 2, 0])", "2 bind matrices; the skin has 3 joints");
    told(R"("scenes": [{"nodes": [0]}])", R"("scenes": [{"nodes": [1]}])", "holds no triangles");
    told(R"("skin": 0)", R"("skin": 1)", "below 1");
    told(R"("node": 2)", R"("node": 9)", "below 3");
    told(R"("path": "rotation")", R"("path": "spin")", "path 'spin' is unknown");
    told(R"("channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}])",
         R"("channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
 {"sampler": 0, "target": {"node": 2, "path": "rotation"}}])",
         "bar.gltf:8:2: a second channel for the rotation of node 2");
    told("STEP", "JUMP", "interpolation 'JUMP' is unknown");
    told(R"("input": 4, "output": 5)", R"("input": 0, "output": 5)", "not of type SCALAR");
    told(R"("input": 4, "output": 5)", R"("input": 4, "output": 7)", "not of type VEC4");
    told(R"("output": 6)", R"("output": 7)", "9 values for 3 keys");
    told(R"("count": 9)", R"("count": 900000000)", "beyond their buffer view");
    told(R"("count": 9)", R"("count": 4294967297)", "below 2147483648");
    told(R"("bufferView": 4)", R"("bufferView": 0)", "expected finite times from 0 that increase");
    told(R"("WEIGHTS_0": 2)", R"("WEIGHTS_0": 0)", "not of type VEC4");
    told(R"("version": "2.0")", R"("version": "1.0")", "expected 2.0");
    const ModelFileOptions few{.max_joints = 2, .open = [&](const std::string&) { return file.buffer; }};
    EXPECT_TRUE(
        contains(test::error_message([&] { parse_model(file.text, "bar.gltf", few); }), "more than 2"));
    // NaN in the buffer
    GltfBar broken = file;
    const float nan = std::nanf("");
    std::memcpy(broken.buffer.data() + 4, &nan, 4);
    EXPECT_EQ(test::error_message([&] { broken.read(broken.text); }),
              "bar.gltf:4:28: vertex 0 is not finite");
}

} // namespace
} // namespace scree
