// SPDX-License-Identifier: MIT
// expect_test.cpp — scenes become worlds, keep what they promise, and broken promises are told.
#include "scene_text.h"
#include "scree/granular_scene.h"

#include <gtest/gtest.h>

namespace {

using namespace scree;
using scree::testing::scene_with;

TEST(BuildWorld, TakesEverythingOfTheScene) {
    Scene scene = find_scene("obstacles");
    GranularWorld world = build_world(scene);
    EXPECT_EQ(world.body_count(), granular_scene(scene).bodies.size());
    EXPECT_EQ(world.particle_count(), 27 * granular_scene(scene).bodies.size());
    EXPECT_EQ(world.obstacles().size(), granular_scene(scene).obstacles.size());
    EXPECT_EQ(world.settings().stiffness, granular_scene(scene).settings.stiffness);
    EXPECT_EQ(world.bodies()[3].position, granular_scene(scene).bodies[3].position);
    EXPECT_EQ(world.bodies()[3].rotation, granular_scene(scene).bodies[3].rotation);
}

TEST(BuildWorld, SaysWhichEntryTheWorldRefuses) {
    auto message = [](const Scene& scene) { return test::error_message([&] { build_world(scene); }); };
    Scene scene = find_scene("wedge");
    EXPECT_EQ(message(scene), "no error");
    granular_scene(scene).bodies[2].mass = -1;
    EXPECT_EQ(message(scene).rfind("wedge: bodies[2]: ", 0), 0u) << message(scene);
    scene = find_scene("wedge");
    granular_scene(scene).settings.stiffness = -1;
    EXPECT_EQ(message(scene).rfind("wedge: world: stiffness: ", 0), 0u) << message(scene);
}

TEST(CheckExpectations, TellsEachBrokenPromise) {
    // two grains hang apart without gravity; one moves by 1 m in 100 steps
    std::string text = scene_with(R"("world": {"gravity": [0, 0, 0], "sleeping": false},
        "shapes": [{"name": "g", "grain": {}}],
        "bodies": [{"shape": "g", "position": [0, 5, 0]},
                   {"shape": "g", "position": [3, 6, 0], "velocity": [-1, 0, 0], "mass": 2}],
        "expect": {"top": {"max": 5.5}, "bottom": {"min": 4, "max": 6}, "kinetic_energy": {"min": 2}, "asleep": 1,
                   "moved": {"max": 0.5}, "interlocked": 0, "close_pairs": {"distance": 2.5, "max": 0},
                   "hash": "0000000000000000"})");
    Scene scene = parse_scene(text, "a.json");
    GranularWorld world = build_world(scene);
    world.step(100);
    std::vector<std::string> messages;
    for (const Failure& failure : check_expectations(scene, world)) {
        EXPECT_EQ(failure.message.rfind("a: " + failure.quantity + " is ", 0), 0u);
        messages.push_back(failure.message);
    }
    ASSERT_EQ(messages.size(), 6u);
    // the energy and the way are sums of a hundred floats: what is said of them is checked, not their last
    // digits
    EXPECT_EQ(messages[0].substr(messages[0].find(';')), "; expected a value of at least 2");
    EXPECT_EQ(messages[1], "a: top is 6; expected a value of at most 5.5");
    EXPECT_EQ(messages[2], "a: asleep is 0; expected 1");
    EXPECT_EQ(messages[3].substr(messages[3].find(';')), "; expected a value of at most 0.5");
    EXPECT_EQ(messages[4], "a: close_pairs is 1; expected a value of at most 0");
    EXPECT_EQ(messages[5].substr(messages[5].find(';')), "; expected 0000000000000000");

    scene.expect.clear();
    scene.expected_hash = world.hash();
    EXPECT_TRUE(check_expectations(scene, world).empty());
    scene.expect.push_back(
        {.quantity = "close_pairs", .least = 0, .most = 0, .distance = 2.5, .above = 5.5, .line = 0});
    EXPECT_TRUE(check_expectations(scene, world).empty()) << "one of the two is too low to count";
}

} // namespace
