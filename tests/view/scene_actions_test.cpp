// SPDX-License-Identifier: MIT
// scene_actions_test.cpp — actions of rigid scenes: by script, by command, by key.
#include "scene/command.h"
#include "scene/live_scene.h"
#include "scree/error.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "scree/scene_file.h"
#include "view/session.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace scree::test {
namespace {

std::string scene_with(const std::string& more) {
    return R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 10, "world": {"gravity": [0, 0, 0], "time_step": 0.1},
        "shapes": [{"name": "s", "sphere": {"radius": 0.5}, "density": 1000}],
        "bodies": [{"name": "still", "shape": "s", "position": [9, 0, 0]}, {"name": "hero", "shape": "s", "position": [0, 0, 0]}])" +
           more + "}";
}
const std::string push =
    R"(, "actions": [{"name": "push", "key": "P", "body": "hero", "impulse": [100, 0, 0]},
    {"name": "turn", "body": "hero", "angular_impulse": [0, 10, 0]},
    {"name": "bang", "key": "7", "explosion": {"centre": [-1, 0, 0], "radius": 3, "impulse": 50}}])";

Scene parsed(const std::string& more) { return parse_scene(scene_with(more), "a.json"); }

float mass_of_hero(const World& world) { return world.mass(world.bodies()[1]).mass; }
Vec3 velocity_of_hero(const World& world) { return world.state(world.bodies()[1]).velocity; }

TEST(Actions, AreReadWithTheirKeys) {
    const Scene scene = parsed(push);
    const RigidScene& content = rigid_scene(scene);
    ASSERT_EQ(content.actions.size(), 3u);
    EXPECT_EQ(content.actions[0].key, 'P');
    EXPECT_EQ(content.actions[0].body, 1u);
    EXPECT_EQ(content.actions[0].impulse, (Vec3{100, 0, 0}));
    EXPECT_EQ(content.actions[1].key, 0);
    EXPECT_TRUE(content.actions[2].explosion);
}

TEST(Actions, HappenWhenTheyAreCalled) {
    const Scene scene = parsed(push);
    World world = build_rigid_world(scene);
    act(rigid_scene(scene), world, "push");
    EXPECT_FLOAT_EQ(velocity_of_hero(world).x, 100 / mass_of_hero(world));
    act(rigid_scene(scene), world, "turn");
    EXPECT_GT(world.state(world.bodies()[1]).angular_velocity.y, 0);
    const float before = velocity_of_hero(world).x;
    act(rigid_scene(scene), world, "bang");
    EXPECT_GT(velocity_of_hero(world).x, before);
    EXPECT_THROW(act(rigid_scene(scene), world, "fly"), Error);
}

TEST(Actions, TheScriptCarriesThemOutAtTheirTimes) {
    const Scene scene =
        parsed(push + R"(, "script": [{"at": 0.25, "action": "push"}, {"at": 0.5, "action": "push"}])");
    World world = build_rigid_world(scene);
    const float once = 100 / mass_of_hero(world);
    step_scene(scene, world, 3);
    EXPECT_EQ(velocity_of_hero(world).x, 0);
    step_scene(scene, world, 1); // begins at 0.3
    EXPECT_FLOAT_EQ(velocity_of_hero(world).x, once);
    step_scene(scene, world, 4);
    EXPECT_FLOAT_EQ(velocity_of_hero(world).x, 2 * once);
}

TEST(Actions, BadOnesAreRefused) {
    EXPECT_NO_THROW(parsed(push));
    for (
        const char* bad :
        {R"(, "actions": [{"name": "a"}])", R"(, "actions": [{"name": "a", "body": "hero"}])",
         R"(, "actions": [{"name": "a", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a", "body": "nobody", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a b", "body": "hero", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a", "key": "Space", "body": "hero", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a", "body": "hero", "impulse": [1, 0, 0]}, {"name": "a", "body": "hero", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a", "key": "A", "body": "hero", "impulse": [1, 0, 0]}, {"name": "b", "key": "A", "body": "hero", "impulse": [1, 0, 0]}])",
         R"(, "actions": [{"name": "a", "explosion": {"centre": [0, 0, 0], "radius": 1, "impulse": 1, "at": 2}}])",
         R"(, "script": [{"at": 1, "action": "a"}])",
         R"(, "actions": [{"name": "a", "body": "hero", "impulse": [1, 0, 0]}], "script": [{"at": -1, "action": "a"}])"})
        EXPECT_THROW(parsed(bad), Error) << bad;
}

TEST(Actions, ACommandIsLoggedAndRepeatsTheRun) {
    const Scene scene = parsed(push);
    view::Session session(scene, {}, "t", {});
    const std::vector<SceneRun::Action> offered = session.live().run().actions();
    ASSERT_EQ(offered.size(), 3u);
    EXPECT_EQ(offered[2].key, '7');
    for (int k = 0; k < 5; ++k) session.step();
    session.command(Act{"push"});
    for (int k = 0; k < 5; ++k) session.step();
    const std::string text = log_text(session.log());
    EXPECT_EQ(text, "5 act push\n");
    view::Session again(scene, {}, "t", {});
    again.set_future(parse_log(text, "log"));
    for (int k = 0; k < 10; ++k) again.step();
    EXPECT_EQ(again.live().hash(), session.live().hash());
    view::Session without(scene, {}, "t", {});
    for (int k = 0; k < 10; ++k) without.step();
    EXPECT_NE(without.live().hash(), session.live().hash());
    EXPECT_THROW(session.command(Act{"fly"}), Error);
}

TEST(Actions, OtherKindsHaveNone) {
    LiveScene live(find_scene("die"), {});
    EXPECT_TRUE(live.run().actions().empty());
    EXPECT_THROW(live.apply(Act{"push"}), Error);
}

} // namespace
} // namespace scree::test
