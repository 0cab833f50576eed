// SPDX-License-Identifier: MIT
// builtin_test.cpp — the scenes inside the program: all of them load, and the ones that the experiments need
// are there.
#include "scene/kind.h"
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "support/param_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace scree;

std::set<std::string> names() {
    std::set<std::string> all;
    for (const SceneInfo& info : builtin_scenes()) all.insert(info.name);
    return all;
}

TEST(BuiltinScenes, AllLoadAndHaveATitleOfTheirOwn) {
    std::set<std::string> titles;
    for (const SceneInfo& info : builtin_scenes()) {
        SCOPED_TRACE(info.name);
        Scene scene = find_scene(info.name, test::few_bodies(info.name));
        EXPECT_EQ(scene.name, info.name);
        EXPECT_EQ(scene.title, info.title);
        EXPECT_GT(kind_of(scene).size(scene).items, 0u);
        EXPECT_TRUE(std::any_of(scene.expect.begin(), scene.expect.end(), [](const Expectation& e) {
            return e.quantity != "frozen";
        })) << "every scene is a test of something";
        EXPECT_TRUE(titles.insert(scene.title).second) << scene.title;
    }
}

TEST(BuiltinScenes, AreInOrderOfName) {
    std::vector<SceneInfo> scenes = builtin_scenes();
    EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                               [](const SceneInfo& a, const SceneInfo& b) { return a.name < b.name; }));
}

TEST(BuiltinScenes, HaveAGroupEachAndGroupsStayTogether) {
    const std::vector<SceneInfo> scenes = builtin_scenes_by_group();
    EXPECT_EQ(scenes.size(), builtin_scenes().size());
    std::set<std::string> groups;
    for (std::size_t k = 0; k < scenes.size(); ++k) {
        EXPECT_FALSE(scenes[k].group.empty()) << scenes[k].name;
        EXPECT_EQ(find_scene(scenes[k].name, test::few_bodies(scenes[k].name)).group, scenes[k].group);
        if (k > 0 && scenes[k].group == scenes[k - 1].group) {
            EXPECT_LT(scenes[k - 1].name, scenes[k].name);
        } else {
            EXPECT_TRUE(groups.insert(scenes[k].group).second) << scenes[k].name;
        }
    }
    EXPECT_GE(groups.size(), 4u);
    EXPECT_EQ(scenes.front().group, "Joints and machines");
}

TEST(BuiltinScenes, AreTheFilesOfTheScenesFolder) {
    for (const SceneInfo& info : builtin_scenes()) {
        std::stringstream text;
        text << std::ifstream(std::string(SCREE_SOURCE_DIR) + "/scenes/" + info.name + ".json").rdbuf();
        EXPECT_EQ(text.str(), builtin_scene_text(info.name)) << info.name;
    }
}

TEST(BuiltinScenes, CoverTheExperiments) {
    std::set<std::string> known = names();
    for (const char* name : {"stream-300",
                             "stream-2000",
                             "perf-100",
                             "perf-500",
                             "perf-1000",
                             "perf-3000",
                             "video-cpu-300",
                             "video-gpu-3000",
                             "tower-2",
                             "tower-3",
                             "tower-5",
                             "tower-10",
                             "tower-20",
                             "block-4x4x5",
                             "block-4x4x10",
                             "block-4x4x20",
                             "towers-2x2",
                             "towers-4x4",
                             "towers-6x6",
                             "towers-8x8",
                             "interlock",
                             "interlock-5",
                             "interlock-40",
                             "grid-top",
                             "stack",
                             "wedge",
                             "die",
                             "shapes-zoo",
                             "obstacles",
                             "grains-10k",
                             "grains",
                             "pile",
                             "sleepers",
                             "pyramid-10",
                             "pyramid-40",
                             "stack-10",
                             "stack-heavy-100",
                             "stack-heavy-1000",
                             "card-house",
                             "arch",
                             "ramp-stays",
                             "ramp-slides",
                             "boxes-pile",
                             "boxes-4096",
                             "spheres-pile",
                             "capsules-pile",
                             "hulls-pile",
                             "mixed-shapes",
                             "spheres-box-500",
                             "molecule-6",
                             "funnel-100",
                             "rolling-balls",
                             "spinning-top",
                             "chain",
                             "conveyor",
                             "truck-gravel",
                             "truck-gravel-1000",
                             "wrecking-ball"})
        EXPECT_TRUE(known.count(name)) << name;
}

TEST(BuiltinScenes, ImprovedTwinsStartAsTheirReferences) {
    for (const std::string& name : names()) {
        std::size_t end = name.find("-improved");
        if (end == name.npos) continue;
        SCOPED_TRACE(name);
        Scene improved = find_scene(name), reference = find_scene(name.substr(0, end));
        EXPECT_EQ(granular_scene(improved).settings.mode, GranularMode::improved);
        EXPECT_EQ(granular_scene(reference).settings.mode, GranularMode::reference);
        ASSERT_EQ(granular_scene(improved).bodies.size(), granular_scene(reference).bodies.size());
        for (std::size_t i = 0; i < granular_scene(improved).bodies.size(); ++i) {
            EXPECT_EQ(granular_scene(improved).bodies[i].position,
                      granular_scene(reference).bodies[i].position);
            EXPECT_EQ(granular_scene(improved).bodies[i].rotation,
                      granular_scene(reference).bodies[i].rotation);
            EXPECT_EQ(granular_scene(improved).bodies[i].velocity,
                      granular_scene(reference).bodies[i].velocity);
        }
    }
}

TEST(BuiltinScenes, GrainsStartApartAndInsideTheWallsAtAnySize) {
    for (std::uint64_t count : {1u, 1000u, 20'000u}) {
        Scene scene = find_scene("grains", {.bodies = count});
        ASSERT_EQ(granular_scene(scene).bodies.size(), count);
        float radius = granular_scene(scene).shapes[0].particles[0].radius, least_y = 1e9f;
        for (const GranularBodyDef& body : granular_scene(scene).bodies) {
            EXPECT_LE(std::fabs(body.position.x) + radius, granular_scene(scene).settings.world_size);
            EXPECT_LE(std::fabs(body.position.z) + radius, granular_scene(scene).settings.world_size);
            least_y = std::min(least_y, body.position.y);
        }
        EXPECT_GE(least_y, radius);
    }
    // neighbours are a spacing apart, less a jitter each
    Scene scene = find_scene("grains-10k");
    EXPECT_GE(0.11 - 2 * 0.004, 2 * static_cast<double>(granular_scene(scene).shapes[0].particles[0].radius));
}

} // namespace
