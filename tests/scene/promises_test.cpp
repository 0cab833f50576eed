// SPDX-License-Identifier: MIT
// promises_test.cpp — every built-in scene runs to its end and keeps what it promises.
#include "scene/run.h"
#include "scree/scene.h"
#include "support/param_name.h"

#include <gtest/gtest.h>

#include <map>

namespace scree {
namespace {

/// Scenes that take too long as they are: with fewer bodies, and steps in which these come to rest. What the scenes promise
/// does not depend on the number. Of cloth the first steps.
struct Shorter {
    std::uint64_t bodies = 0; ///< 0: those of the scene
    int steps = 0;            ///< 0: those of the scene
};
const std::map<std::string, Shorter> shorter = {
    {"block-4x4x20", {96}},
    {"grains", {2000}},
    {"grains-10k", {2000}},
    {"obstacles", {0, 1500}},
    {"boxes-4096", {0, 300}},
    {"stream-300", {60, 1500}},
    {"stream-2000", {60, 1500}},
    {"video-cpu-300", {60, 1500}},
    {"video-gpu-3000", {60, 1500}},
    {"perf-100", {60, 1500}},
    {"perf-500", {60, 1500}},
    {"perf-1000", {60, 1500}},
    {"perf-3000", {60, 1500}},
    {"stream-300-improved", {60}},
    {"towers-2x2", {32}},
    {"towers-4x4", {64}},
    {"towers-6x6", {144}},
    {"towers-8x8", {256}},
    {"cloth-towel", {0, 60}},
    {"cloth-skirt", {0, 60}},
    {"cloth-poncho", {0, 90}},
    {"cloth-fifty", {0, 30}},
    {"million", {300}},
};
/// Scenes that are not run here, and why.
const std::map<std::string, const char*> left_out = {
    {"pile", "takes over a minute of one thread, and 900 of its 1,000 cubes have to sleep"},
    {"truck-gravel", "20,000 pebbles, whose number is fixed; truck-gravel-1000 is run"},
};

class BuiltInScene : public ::testing::TestWithParam<std::string> {};

TEST_P(BuiltInScene, KeepsItsPromises) {
    if (const auto found = left_out.find(GetParam()); found != left_out.end()) GTEST_SKIP() << found->second;
    SceneOptions options;
    const auto found = shorter.find(GetParam());
    if (found != shorter.end() && found->second.bodies) options.bodies = found->second.bodies;
    const Scene scene = find_scene(GetParam(), options);
    const auto run = start_scene(scene, PlaceOptions{.device = "cpu", .threads = 1});
    const bool fewer_steps = found != shorter.end() && found->second.steps;
    run->step(static_cast<std::uint64_t>(fewer_steps ? found->second.steps : scene.steps));
    for (const Failure& failure : run->failures()) ADD_FAILURE() << failure.message;
}

INSTANTIATE_TEST_SUITE_P(Scenes, BuiltInScene, ::testing::ValuesIn(test::builtin_names()), test::ParamName());

} // namespace
} // namespace scree
