// SPDX-License-Identifier: MIT
// level_rest_test.cpp — bodies of a level that are far from the player rest until the player comes.
#include "level/map_texts.h"
#include "scene/live_scene.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace scree {
namespace {

using namespace testing;

constexpr double room = 4.5; // m, from one to the next along x

/// Eight rooms in a row with doors between them, the player in the first and in each a ball that falls, spins and moves.
Scene rooms(float reach, bool around = false) {
    SceneOptions options;
    const std::string start = "{ \"classname\" \"info_player_start\" \"origin\" \"40 64 24\" }\n";
    // around: the way from the first room to the last of its row leads through all others of both rows
    std::string solids = room_grid(8, 1);
    if (around)
        solids =
            room_grid(8, 2) + box({128, 48, 0}, {144, 80, 96}); // the first door of the first row is shut
    options.files = {{"hall.map", world(solids) + start}};
    std::string balls;
    for (int i = 0; i < 8; ++i)
        balls += std::string(i > 0 ? ", " : "") + R"({"shape": "ball", "position": [)" +
                 number(2.5 + room * i) +
                 R"(, 3, -1], "velocity": [0.1, 0.5, 0.2], "angular_velocity": [0, 2, 1]})";
    return parse_scene(R"({"scree": 1, "kind": "rigid", "title": "rooms", "steps": 1,
"world": {"time_step": 0.015625, "level_reach": )" +
                           number(reach) +
                           R"(}, "levels": [{"name": "hall", "level": {"file": "hall.map"}}],
"shapes": [{"name": "ball", "sphere": {"radius": 0.2}}], "bodies": [)" +
                           balls + "]}",
                       "scene.json", options);
}

struct Rooms {
    explicit Rooms(const Scene& made, const Place& place = {})
        : scene(rigid_scene(made)), world(build_rigid_world(scene, place)), state(begin_scene(scene)) {
        const std::vector<BodyId> all = world.bodies();
        balls.assign(all.begin() + 1, all.end());
        add_player(scene, world, state);
    }
    void run(int steps) { step_scene(scene, world, state, steps); }
    bool rests(std::size_t ball) const { return world.state(balls[ball]).asleep; }

    RigidScene scene;
    World world;
    SceneState state;
    std::vector<BodyId> balls;
};

TEST(LevelRest, WhatIsFarHangsWhereItIsAndGoesOnWhenThePlayerComes) {
    Rooms hall(rooms(8));
    hall.run(40);
    for (std::size_t ball = 0; ball < 8; ++ball) EXPECT_EQ(hall.rests(ball), ball > 1) << ball;
    EXPECT_EQ(hall.world.position(hall.balls[5]), (DVec3{2.5 + room * 5, 3, -1})); // since the first step
    EXPECT_LT(hall.world.position(hall.balls[0]).y, 2);
    ASSERT_EQ(hall.state.level.resting.size(), 6u);
    // until the player is near enough it does not move, then it goes on with the velocity that it had
    hall.state.wish = {3, 0, 0};
    int steps = 0;
    for (; hall.rests(4) && steps < 1000; ++steps) hall.run(1);
    ASSERT_LT(steps, 1000);
    const double way = hall.world.position(hall.balls[4]).x - hall.state.player->state().position.x;
    EXPECT_LT(way, 8);
    EXPECT_GT(way, 6);                                       // the way is not along x alone
    const BodyState woken = hall.world.state(hall.balls[4]); // a step later
    EXPECT_NEAR(woken.velocity.x, 0.1, 1e-6);
    EXPECT_NEAR(woken.velocity.y, 0.5 - 9.81 / 64, 1e-5);
    EXPECT_NEAR(woken.velocity.z, 0.2, 1e-6);
    EXPECT_NEAR(woken.angular_velocity.y, 2, 1e-6);
    EXPECT_TRUE(hall.rests(6));
    // at the other end what was left behind rests, and all have fallen
    hall.run(900);
    EXPECT_GT(hall.state.player->state().position.x, room * 6);
    for (std::size_t ball = 0; ball < 8; ++ball)
        EXPECT_LT(hall.world.position(hall.balls[ball]).y, 0.25) << ball;
}

TEST(LevelRest, WithoutAReachOrAPlayerNothingRests) {
    Rooms off(rooms(0));
    off.run(40);
    for (std::size_t ball = 0; ball < 8; ++ball) EXPECT_FALSE(off.rests(ball)) << ball;
    Rooms alone(rooms(8));
    alone.state.player.reset();
    alone.run(40);
    for (std::size_t ball = 0; ball < 8; ++ball) EXPECT_FALSE(alone.rests(ball)) << ball;
}

TEST(LevelRest, TheWayThroughDoorsCountsAndNotTheStraightOne) {
    Rooms shut(rooms(8, true));
    shut.run(20);
    EXPECT_FALSE(shut.rests(0));
    EXPECT_TRUE(shut.rests(1)); // 5.8 m away, and 9 m or more around through the other row
    Rooms open(rooms(8));
    open.run(20);
    EXPECT_FALSE(open.rests(1));
}

TEST(LevelRest, WhatFliesIntoAFarCellRestsThereWithItsVelocity) {
    Rooms hall(rooms(8));
    hall.run(1);
    // through the doors, in the middle of the row
    hall.world.set_pose(hall.balls[1], {room + 1, 1.5, -2}, {});
    hall.world.set_velocity(hall.balls[1], {20, 2, 0});
    hall.run(30);
    ASSERT_TRUE(hall.rests(1));
    const DVec3 stopped = hall.world.position(hall.balls[1]);
    EXPECT_GT(stopped.x, 9);
    EXPECT_LT(stopped.x, 14); // eight steps beyond the reach at most
    hall.run(50);
    EXPECT_EQ(hall.world.position(hall.balls[1]), stopped);
    hall.scene.level_reach = 0; // everything goes on
    hall.run(1);
    EXPECT_TRUE(hall.state.level.resting.empty());
    EXPECT_FALSE(hall.rests(1));
    EXPECT_NEAR(hall.world.state(hall.balls[1]).velocity.x, 20, 1e-4);
}

TEST(LevelRest, WhatSomethingElseWakesHasItsVelocity) {
    Rooms hall(rooms(8));
    hall.run(9); // looked at in the first step and in the ninth
    ASSERT_TRUE(hall.rests(6));
    hall.world.wake(hall.balls[6]);
    hall.run(2);
    EXPECT_FALSE(hall.rests(6));
    EXPECT_NEAR(hall.world.state(hall.balls[6]).angular_velocity.y, 2, 1e-6);
    EXPECT_NEAR(hall.world.state(hall.balls[6]).velocity.x, 0.1, 1e-6);
    hall.run(8);
    EXPECT_TRUE(hall.rests(6));
    EXPECT_EQ(hall.state.level.resting.size(), 6u); // once each
    hall.world.destroy(hall.balls[7]);
    hall.run(10);
    EXPECT_EQ(hall.state.level.resting.size(), 5u);
}

TEST(LevelRest, HasTheSameBitsOnEveryDeviceAndFromASavedRun) {
    const Scene scene = rooms(8);
    LiveScene whole(scene, Place("cpu"));
    whole.apply(Walk{{3, 0, 0.2f}, false});
    LiveScene::State middle;
    for (int k = 0; k < 260; ++k) {
        if (k == 123) middle = whole.save();
        whole.step();
    }
    for (const Place& place : {Place("cpu:kernels"), Place({.device = "cpu", .threads = 1}),
                               Place({.device = "cpu", .threads = 4})}) {
        LiveScene other(scene, place);
        other.apply(Walk{{3, 0, 0.2f}, false});
        for (int k = 0; k < 260; ++k) other.step();
        EXPECT_EQ(other.hash(), whole.hash());
        other.restore(middle);
        for (int k = 123; k < 260; ++k) other.step();
        EXPECT_EQ(other.hash(), whole.hash());
    }
}

} // namespace
} // namespace scree
