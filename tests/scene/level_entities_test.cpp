// SPDX-License-Identifier: MIT
// level_entities_test.cpp — entities of maps as doors, platforms, triggers, water, bodies and figures of a scene.
#include "bytes/seal.h"
#include "level/map_texts.h"
#include "scene/live_scene.h"
#include "scene/rigid/state_bytes.h"
#include "scene/run.h"
#include "scree/level_file.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "scree/warning.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace scree {
namespace {

using namespace testing;

std::string entity(const std::string& keys, const std::string& brushes = "") {
    return "{\n" + keys + "\n" + brushes + "}\n";
}
std::string point(const std::string& keys, DVec3 at) {
    return entity(keys + " \"origin\" \"" + number(at.x) + " " + number(at.y) + " " + number(at.z) + "\"");
}
std::string ball(DVec3 at) { // in metres
    return R"({"shape": "ball", "position": [)" + number(at.x) + ", " + number(at.y) + ", " + number(at.z) +
           "]}";
}
const std::string ground = world(box({-512, -512, -32}, {512, 512, 0}));
/// Fires `target` in the first steps, when the ball at 8 0.5 0 is found in it.
std::string fuse(const std::string& target) {
    return entity(R"("classname" "trigger_once" "target" ")" + target + "\"",
                  box({240, -16, 0}, {272, 16, 64}));
}

/// A scene of 1/64 s steps with a map on which balls of 0.25 m lie.
struct Entities : ::testing::Test {
    std::vector<std::string> warnings;
    Entities() {
        set_warning_handler([this](const std::string& text) { warnings.push_back(text); });
    }
    ~Entities() override { set_warning_handler({}); }

    static Scene read(const std::string& map, const std::string& bodies = ball({8, 0.5, 0})) {
        SceneOptions options;
        options.files = {{"hall.map", map}};
        return parse_scene(R"({"scree": 1, "kind": "rigid", "title": "a level", "steps": 1,
"world": {"time_step": 0.015625}, "levels": [{"name": "hall", "level": {"file": "hall.map"}}],
"shapes": [{"name": "ball", "sphere": {"radius": 0.25}}], "bodies": [)" +
                               bodies + "]}",
                           "scene.json", options);
    }
    struct Run {
        Scene scene;
        World world;
        SceneState state;
        explicit Run(Scene read)
            : scene(std::move(read)),
              world(build_rigid_world(scene)),
              state(begin_scene(rigid_scene(scene))) {}
        void steps(int count) { step_scene(rigid_scene(scene), world, state, count); }
        void seconds(double time) { steps(static_cast<int>(std::lround(64 * time))); }
        DVec3 mover(std::size_t m = 0) const {
            return world.position(world.bodies()[rigid_scene(scene).movers[m].body]);
        }
        DVec3 moved(std::size_t m = 0) const {
            return mover(m) - rigid_scene(scene).bodies[rigid_scene(scene).movers[m].body].body.position;
        }
    };
};

TEST_F(Entities, ADoorOpensAtItsSpeedWaitsAndCloses) {
    // 128 units high with a lip of 32: 96 units at 64 a second
    Run run(read(
        ground + fuse("gate") +
        entity(
            R"("classname" "func_door" "targetname" "gate" "angle" "-1" "speed" "64" "wait" "2" "lip" "32")",
            box({0, -16, 0}, {32, 16, 128}))));
    run.seconds(0.75);
    EXPECT_NEAR(run.moved().y, 1.5, 0.1); // it was fired in one of the first steps
    run.seconds(1.5);
    EXPECT_NEAR(run.moved().y, 3, 1e-4);
    run.seconds(1.15);
    EXPECT_NEAR(run.moved().y, 3, 1e-4);
    run.seconds(2.35);
    EXPECT_NEAR(run.moved().y, 0, 1e-4);
    EXPECT_NEAR(run.moved().x, 0, 1e-6);
    EXPECT_TRUE(warnings.empty()) << warnings[0];
}

TEST_F(Entities, DoorsThatTouchOpenTogetherForWhatComesNear) {
    Run run(read(ground + entity(R"("classname" "func_door" "angle" "180")", box({0, -16, 0}, {64, 16, 96})) +
                     entity(R"("classname" "func_door" "angle" "0")", box({64, -16, 0}, {128, 16, 96})),
                 ball({2, 0.5, 1.5}))); // only in the field, not between them
    run.seconds(2);
    EXPECT_NEAR(run.moved(0).x, -56 / 32.0, 1e-4);
    EXPECT_NEAR(run.moved(1).x, 56 / 32.0, 1e-4);
    run.seconds(3); // the ball is still there
    EXPECT_NEAR(run.moved(1).x, 56 / 32.0, 1e-4);
}

TEST_F(Entities, ADoorThatMeetsABodyOpensAgain) {
    // comes down onto the ball, which it could press into the ground; of one brush, and of two that both meet it
    for (const std::string& brushes :
         {box({240, -32, 0}, {272, 32, 96}),
          box({240, -32, 0}, {256, 32, 96}) + box({256, -32, 0}, {272, 32, 96})}) {
        Run run(read(
            ground +
            entity(R"("classname" "func_door" "angle" "-1" "spawnflags" "33" "targetname" "gate")", brushes) +
            fuse("gate")));
        float most = 0;
        for (int k = 0; k < 200; ++k) {
            run.steps(1);
            for (const ContactInfo& contact : run.world.contacts())
                for (int p = 0; p < contact.count; ++p)
                    most = std::min(most, contact.points[static_cast<std::size_t>(p)].separation);
        }
        EXPECT_GT(most, -0.12f);
        EXPECT_GT(run.world.state(run.world.bodies().back()).position.y, 0.2f);
    }
}

TEST_F(Entities, ARotatingDoorStopsAtItsAngle) {
    Run run(
        read(ground + fuse("d") +
             entity(R"("classname" "func_door_rotating" "targetname" "d")",
                    box({0, -4, 0}, {64, 4, 96}) + box({-4, -4, 8}, {4, 4, 16}, "common/origin 0 0 0 1 1"))));
    run.seconds(2.5);
    const BodyState door = run.world.state(run.world.bodies()[rigid_scene(run.scene).movers[0].body]);
    EXPECT_NEAR(std::fabs(door.rotation.y), std::sqrt(0.5), 1e-3);
    EXPECT_NEAR(length(door.angular_velocity), 0, 1e-6);
}

TEST_F(Entities, ATriggerOfTwoBrushesKnowsWhoIsInTheSecond) {
    Run run(read(ground + entity(R"("classname" "trigger_multiple")",
                                 box({0, -32, 0}, {32, 32, 64}) + box({32, -32, 0}, {96, 32, 64})),
                 R"({"shape": "ball", "position": [0.5, 0.25, 0], "velocity": [2, 0, 0]})"));
    run.seconds(0.75);
    EXPECT_FALSE(run.state.level.triggers[0].inside.empty());
}

TEST_F(Entities, APlatformLiftsWhatComesOnItAndGoesDownAgain) {
    const std::string lift = entity(R"("classname" "func_plat" "height" "96" "speed" "96" "wait" "0.5")",
                                    box({-64, -64, 80}, {64, 64, 96}));
    Run run(read(ground + lift, ball({0, 0.8, 0})));
    EXPECT_NEAR(run.mover().y, -0.25, 1e-6); // drawn at the top, begins at the bottom
    run.seconds(2);
    EXPECT_NEAR(run.moved().y, 3, 1e-3);
    const BodyId on_it = run.world.bodies().back();
    EXPECT_NEAR(run.world.state(on_it).position.y, 3.25, 0.02);
    run.seconds(2);
    EXPECT_NEAR(run.moved().y, 3, 1e-3); // waits for it to leave
    run.world.set_pose(on_it, {8, 1, 8}, {});
    run.seconds(3);
    EXPECT_NEAR(run.moved().y, 0, 1e-3);
}

TEST_F(Entities, APlatformThatIsFiredDoesNotGoDownForWhoStandsOnIt) {
    const std::string lift = entity(R"("classname" "func_plat" "targetname" "p" "height" "64" "speed" "96")",
                                    box({-64, -64, 80}, {64, 64, 96}));
    Run run(read(ground + lift, ball({0, 3.3, 0})));
    run.seconds(0.5);
    EXPECT_NEAR(run.moved().y, 0, 1e-6);
    Run fired(read(ground + lift + fuse("p"), ball({0, 3.3, 0}) + ", " + ball({8, 0.5, 0})));
    fired.seconds(0.6);
    EXPECT_LT(fired.moved().y, -1.5);
}

TEST_F(Entities, LongChainsAndLargeGroupsOfTriggersEnd) {
    std::string relays;
    for (int k = 0; k < 60'000; ++k)
        relays += R"({"classname" "trigger_relay" "targetname" "r)" + std::to_string(k) + R"(" "target" "r)" +
                  std::to_string(k + 1) + "\"}\n";
    Run run(read(ground + fuse("r0") + relays +
                 entity(R"("classname" "func_door" "targetname" "r60000" "angle" "-1")",
                        box({0, -16, 0}, {32, 16, 128}))));
    run.seconds(0.5);
    EXPECT_GT(run.moved().y, 1);
    EXPECT_TRUE(warnings.empty()) << warnings[0];
    // all of one name that all of them fire
    std::string ring;
    for (int k = 0; k < 1100; ++k)
        ring += R"({"classname" "trigger_relay" "targetname" "all" "target" "all"})"
                "\n";
    Run many(read(ground + fuse("all") + ring));
    many.steps(4);
    std::size_t targets = 0;
    for (const LevelTrigger& trigger : rigid_scene(many.scene).triggers) targets += trigger.targets.size();
    EXPECT_LE(targets, 1'000'000u);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("more than 1,000,000 targets"), std::string::npos) << warnings[0];
}

TEST_F(Entities, AButtonFiresCountersRelaysAndTrains) {
    // two buttons count to two; a relay starts the train half a second later
    const std::string keys = R"("classname" "func_button" "angle" "0" "wait" "-1" "target" "both")";
    Run run(read(
        ground + entity(keys, box({240, 20, 0}, {248, 40, 32})) +
            entity(keys, box({240, -40, 0}, {248, -20, 32})) +
            entity(R"("classname" "trigger_counter" "targetname" "both" "count" "2" "target" "later")") +
            entity(R"("classname" "trigger_relay" "targetname" "later" "delay" "0.5" "target" "train")") +
            entity(R"("classname" "func_train" "targetname" "train" "target" "a" "speed" "64")",
                   box({0, 0, 0}, {32, 32, 32})) +
            point(R"("classname" "path_corner" "targetname" "a" "target" "b")", {0, 256, 64}) +
            point(R"("classname" "path_corner" "targetname" "b" "target" "a" "wait" "1")", {64, 256, 64}),
        ball({7.2, 0.3, -0.9}) + ", " + ball({7.2, 0.3, 0})));
    EXPECT_EQ(run.mover(2),
              (DVec3{0, 2, -8})); // its corner of least coordinates is at the first corner of the way
    run.seconds(1);
    EXPECT_NEAR(run.moved(0).x, 4 / 32.0, 1e-4); // pressed; the other is not
    EXPECT_NEAR(run.moved(2).x, 0, 1e-6);
    run.world.set_pose(run.world.bodies().back(), {7.2, 0.3, 0.9}, {});
    run.seconds(1);
    EXPECT_GT(run.moved(2).x, 0.5);
    run.seconds(1);
    EXPECT_NEAR(run.moved(2).x, 2, 1e-4); // waits there
    run.seconds(1);
    EXPECT_LT(run.moved(2).x, 1.9); // and comes back
}

TEST_F(Entities, ATrainThatNobodyFiresRunsAtOnceAndARotatingOneTurns) {
    Run run(
        read(ground +
             entity(R"("classname" "func_train" "target" "a" "speed" "32")", box({0, 0, 0}, {32, 32, 32})) +
             point(R"("classname" "path_corner" "targetname" "a" "target" "b")", {0, 256, 64}) +
             point(R"("classname" "path_corner" "targetname" "b" "target" "a")", {0, 384, 64}) +
             entity(R"("classname" "func_rotating" "speed" "45")", box({0, -300, 100}, {64, -200, 120}))));
    run.seconds(2);
    EXPECT_NEAR(run.moved(0).z, -2, 1e-4);
    const Quat turn = run.world.state(run.world.bodies()[rigid_scene(run.scene).movers[1].body]).rotation;
    EXPECT_NEAR(std::fabs(turn.y), std::sqrt(0.5), 1e-3); // a quarter
}

TEST_F(Entities, VolumesPushTeleportAndFloat) {
    Run run(
        read(ground +
                 entity(R"("classname" "trigger_push" "angle" "-1" "speed" "32")",
                        box({-16, -16, 0}, {16, 16, 24})) +
                 entity(R"("classname" "trigger_teleport" "target" "there")",
                        box({-144, -16, 0}, {-112, 16, 24})) +
                 point(R"("classname" "info_teleport_destination" "targetname" "there" "angle" "90")",
                       {0, 320, 64}) +
                 entity(R"("classname" "func_water")", box({64, -64, 0}, {192, 64, 96}, "*water1 0 0 0 1 1")),
             ball({0, 0.4, 0}) + "," + ball({-4, 0.3, 0}) +
                 R"(, {"shape": "ball", "position": [4, 1, 0], "density": 500})"));
    run.seconds(0.25);
    const std::vector<BodyId> all = run.world.bodies();
    const auto state = [&](std::size_t from_last) { return run.world.state(all[all.size() - from_last]); };
    EXPECT_GT(state(3).velocity.y, 7); // 10 m/s up, less what gravity took since
    EXPECT_LT(state(2).position.z, -9.5);
    EXPECT_LT(state(2).velocity.z, -9); // 300 units a second along its angle
    run.seconds(4);
    EXPECT_NEAR(state(1).position.y, 3, 0.1); // half of it in the water, whose top is at 3 m
}

TEST_F(Entities, WindBlowsInItsBoundsAlone) {
    // 8 m/s along the map's y, which is -z, over the first of two balls without weight to speak of
    Run run(read(
        ground + entity(R"("classname" "scree_wind" "velocity" "0 8 0")", box({-64, -64, 0}, {64, 64, 128})),
        R"({"shape": "ball", "position": [0, 2, 0], "density": 1},
{"shape": "ball", "position": [6, 2, 0], "density": 1})"));
    const RigidScene& scene = rigid_scene(run.scene);
    ASSERT_EQ(scene.fields.size(), 1u);
    run.seconds(0.25);
    const std::vector<BodyId> all = run.world.bodies();
    const BodyState inside = run.world.state(all[all.size() - 2]), beside = run.world.state(all.back());
    EXPECT_LT(inside.velocity.z, -0.5);
    EXPECT_NEAR(inside.velocity.x, 0, 1e-3);
    EXPECT_EQ(beside.velocity.z, 0);
    EXPECT_NEAR(beside.velocity.y, -9.81 * 0.25, 0.1);
    EXPECT_TRUE(warnings.empty()); // none of an unknown class
}

TEST_F(Entities, PlaceBodiesJointsChainsClothsHeapsAndFigures) {
    const std::string map =
        ground +
        entity(R"("classname" "scree_body" "targetname" "deck" "mass" "50")",
               box({-32, -32, 100}, {32, 32, 108})) +
        point(R"("classname" "scree_joint" "type" "hinge" "first" "deck" "axis" "0 1 0" "speed" "90")",
              {0, 0, 104}) +
        point(R"("classname" "scree_chain" "target" "hook" "second" "loose")", {200, 0, 160}) +
        point(R"("classname" "info_null" "targetname" "hook")", {200, 0, 100}) +
        point(R"("classname" "scree_rope" "target" "hook" "second" "loose")", {200, 100, 160}) +
        entity(R"("classname" "scree_cloth" "wind" "0 3 0")",
               box({-200, 0, 32}, {-136, 2, 128}, "red 0 0 0 1 1")) +
        entity(R"("classname" "scree_heap" "radius" "6" "shape" "stone")",
               box({-32, -200, 32}, {32, -136, 64})) +
        point(R"("classname" "scree_figure" "clip" "walk" "target" "w1")", {300, 300, 0}) +
        point(R"("classname" "path_corner" "targetname" "w1" "target" "w2")", {300, 300, 0}) +
        point(R"("classname" "path_corner" "targetname" "w2" "target" "w3")", {400, 300, 0}) +
        point(R"("classname" "path_corner" "targetname" "w3" "target" "w1")", {400, 400, 0}) +
        point(R"("classname" "info_player_start" "angle" "90")", {0, 64, 24});
    Run run(read(map));
    const RigidScene& made = rigid_scene(run.scene);
    EXPECT_TRUE(warnings.empty()) << warnings[0];
    EXPECT_EQ(made.cloths.size(), 2u);
    EXPECT_EQ(made.characters.size(), 1u);
    ASSERT_EQ(made.starts.size(), 1u);
    EXPECT_EQ(made.starts[0].feet, (DVec3{0, 0, -2}));
    run.seconds(1);
    const auto deck = run.world.find("deck");
    ASSERT_TRUE(deck);
    EXPECT_NEAR(length(run.world.state(*deck).angular_velocity), 1.5708, 0.05);
    const BodyState figure = run.world.state(run.world.bodies()[made.characters[0].first_body]);
    EXPECT_GT(figure.position.x, 300 / 32.0 + 0.6); // along x, to the second corner
    EXPECT_NEAR(figure.position.z, -300 / 32.0, 0.6);
    run.seconds(2);
    const FabricMeasure banner = run.world.measure(run.world.cloths()[1]);
    EXPECT_GT(banner.low.y, 0.8f); // hangs by its upper edge
    EXPECT_NEAR(banner.high.y, 4, 0.02);
    EXPECT_LT(banner.low.z, -0.1f); // blown along the map's y
    EXPECT_LT(run.world.measure().joint_error, 0.02);
    EXPECT_EQ(run.world.measure().frozen, 0u);
}

/// A scene in which everything moves, and a player who walks onto the platform.
std::string busy_map() {
    return ground + point(R"("classname" "info_player_start" "angle" "0")", {-128, 0, 24}) +
           entity(R"("classname" "func_plat" "height" "64")", box({-64, -64, 64}, {64, 64, 72})) +
           entity(R"("classname" "func_door" "angle" "90" "wait" "0.5")", box({128, -64, 0}, {136, 64, 96})) +
           entity(R"("classname" "trigger_multiple" "target" "late" "wait" "0.3")",
                  box({-120, -64, 0}, {200, 64, 96})) +
           entity(R"("classname" "trigger_relay" "targetname" "late" "delay" "0.4" "target" "t")") +
           entity(R"("classname" "func_train" "targetname" "t" "target" "a")", box({0, 0, 0}, {32, 32, 32})) +
           point(R"("classname" "path_corner" "targetname" "a" "target" "b" "wait" "-1")", {0, 128, 0}) +
           point(R"("classname" "path_corner" "targetname" "b" "target" "a" "wait" "-1")", {128, 128, 0}) +
           entity(R"("classname" "scree_heap" "radius" "6")", box({-32, 100, 80}, {64, 180, 110}));
}

TEST_F(Entities, ARunSavedInTheMiddleContinuesAlikeOnEveryDevice) {
    const Scene scene = read(busy_map());
    LiveScene whole(scene, Place("cpu"));
    whole.apply(Walk{{3, 0, 0.2f}, false});
    LiveScene::State middle;
    std::uint64_t halfway = 0;
    for (int k = 0; k < 160; ++k) {
        if (k == 60) middle = whole.save(), halfway = whole.hash();
        if (k == 80) whole.apply(Walk{{2, 0, 0}, true});
        whole.step();
    }
    for (const char* device : {"cpu", "cpu:kernels"}) {
        LiveScene other(scene, Place(device));
        other.restore(middle);
        EXPECT_EQ(other.hash(), halfway) << device;
        for (int k = 60; k < 160; ++k) {
            if (k == 80) other.apply(Walk{{2, 0, 0}, true});
            other.step();
        }
        EXPECT_EQ(other.hash(), whole.hash()) << device;
    }
    LiveScene::State broken = middle;
    broken.bytes[broken.bytes.size() - whole.run().save().size() + 400] ^= std::byte{1};
    EXPECT_THROW(whole.restore(broken), Error);
}

TEST_F(Entities, ASavedRunOfMoversAloneIsRestored) {
    std::string wheels;
    for (int k = 0; k < 7; ++k)
        wheels += entity(R"("classname" "func_rotating")", box({64.0 * k, 0, 64}, {64.0 * k + 32, 32, 96}));
    LiveScene run(read(ground + wheels), Place("cpu"));
    run.step();
    EXPECT_NO_THROW(run.restore(run.save()));
}

TEST_F(Entities, AStateOfOtherMoversOrOfMoreBytesIsRefused) {
    const auto corner = [](const char* names, double x) {
        return point(R"("classname" "path_corner" )" + std::string(names), {x, 256, 64});
    };
    const std::string train =
        ground +
        entity(R"("classname" "func_train" "target" "a" "speed" "256")", box({0, 0, 0}, {32, 32, 32})) +
        corner(R"("targetname" "a" "target" "b")", 0);
    const Scene three = read(train + corner(R"("targetname" "b" "target" "c")", 64) +
                             corner(R"("targetname" "c" "target" "a")", 128)),
                two = read(train + corner(R"("targetname" "b" "target" "a")", 64) +
                           corner(R"("targetname" "c" "target" "a")", 128));
    LiveScene from(three, Place("cpu")), to(two, Place("cpu"));
    for (int k = 0; k < 40; ++k) from.step(); // on the way from the third corner to the first
    EXPECT_NE(test::error_message([&] {
                  to.restore(from.save());
              }).find("mover 0 is at its stop 2; expected less than 2"),
              std::string::npos);

    SceneState state = begin_scene(rigid_scene(two));
    const std::vector<std::byte> saved = with_state({}, state);
    const bytes::Seal seal{"screesta", 1, "a state"};
    std::uint32_t word = 0;
    const auto content = bytes::unsealed(seal, std::span(saved).subspan(8), word);
    bytes::Bytes longer(content.begin(), content.end()), length;
    longer.push_back(0);
    std::vector<std::byte> again = bytes::sealed(seal, 0, longer);
    bytes::ByteSink(length).u64(again.size());
    const auto head = std::as_bytes(std::span(length));
    again.insert(again.begin(), head.begin(), head.end());
    EXPECT_NO_THROW(without_state(saved, rigid_scene(two), state));
    EXPECT_NE(test::error_message([&] { without_state(again, rigid_scene(two), state); }).find("more bytes"),
              std::string::npos);
}

TEST_F(Entities, WhatLayersLeaveOutStaysOutOfACompiledLevel) {
    const std::string map =
        ground +
        entity(
            R"("classname" "func_group" "_tb_type" "_tb_layer" "_tb_id" "1" "_tb_layer_omit_from_export" "1")") +
        point(R"("classname" "info_player_start" "_tb_layer" "1")", {0, 0, 24});
    const std::vector<std::byte> bytes = encode_level(compile_level(parse_map(map, "hall.map")));
    EXPECT_TRUE(rigid_scene(read(map)).starts.empty());
    EXPECT_TRUE(
        rigid_scene(read({reinterpret_cast<const char*>(bytes.data()), bytes.size()})).starts.empty());
}

TEST_F(Entities, OnlyTheTextureOriginMarksWhereAnEntityTurns) {
    const Scene scene = read(ground + entity(R"("classname" "func_rotating")",
                                             box({0, 0, 64}, {64, 8, 96}) +
                                                 box({64, 0, 64}, {72, 8, 96}, "wall_origin 0 0 0 1 1") +
                                                 box({72, 0, 64}, {80, 8, 96}, "wall_origin 0 0 0 1 1") +
                                                 box({-4, -4, 64}, {4, 4, 72}, "COMMON/ORIGIN 0 0 0 1 1")));
    const RigidScene& made = rigid_scene(scene);
    const RigidBodyDef& body = made.bodies[made.movers[0].body];
    EXPECT_EQ(body.body.position, (DVec3{0, 68 / 32.0, 0}));
    EXPECT_EQ(made.shapes[body.shape].drawn.size(), 3u);
}

TEST_F(Entities, AFigureFindsTheBuffersOfItsModelAmongTheFilesOfTheScene) {
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    SceneOptions options;
    options.read_files = false;
    options.files = {
        {"hall.map",
         ground + point(R"("classname" "scree_figure" "model" "men/guard.gltf" "bodies" "0")", {0, 0, 0})},
        {"men/guard.gltf", R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"buffers": [{"byteLength": 36, "uri": "guard.bin"}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]})"},
        {"men/guard.bin", {reinterpret_cast<const char*>(corners), sizeof corners}}};
    const Scene scene = parse_scene(R"({"scree": 1, "kind": "rigid", "title": "a guard", "steps": 1,
"levels": [{"name": "hall", "level": {"file": "hall.map"}}]})",
                                    "scene.json", options);
    ASSERT_EQ(rigid_scene(scene).characters.size(), 1u);
    EXPECT_EQ(rigid_scene(scene).characters[0].model->mesh.triangles.size(), 1u);
    EXPECT_EQ(scene.files.size(), 3u); // recordings keep all of them
}

TEST_F(Entities, APlayerWalksJumpsAndIsThrown) {
    Run run(read(
        ground + point(R"("classname" "info_player_start")", {-128, 0, 24}) +
        entity(R"("classname" "trigger_push" "angle" "-1" "speed" "20")", box({64, -32, 0}, {96, 32, 16}))));
    add_player(rigid_scene(run.scene), run.world, run.state);
    run.state.wish = {2, 0, 0};
    run.seconds(1);
    EXPECT_NEAR(run.state.player->state().position.x, -2, 0.05);
    double top = 0;
    for (int k = 0; k < 192; ++k) {
        run.steps(1);
        top = std::max(top, run.state.player->state().position.y);
    }
    EXPECT_NEAR(top, 6.25 * 6.25 / 2 / 9.81 + 0.5, 0.15); // 200 units a second up, until its feet have left
    const Scene none = read(ground);
    EXPECT_NE(test::error_message([&] { LiveScene(none, Place()).apply(Walk{}); }).find("info_player_start"),
              std::string::npos);
}

// a beam from x = 0 to 2 m, 1.125 m above the ground
TEST_F(Entities, APlayerCrouchesUnderABeamAndStandsUpWhereThereIsRoom) {
    const Scene scene = read(ground + point(R"("classname" "info_player_start")", {-96, 0, 24}) +
                             entity(R"("classname" "func_detail")", box({0, -64, 36}, {64, 64, 72})));
    LiveScene live(scene, Place());
    struct Seen {
        double x;
        float height;
    };
    const auto player = [&] {
        const std::shared_ptr<const Appearance> look = live.run().appearance();
        Frame frame;
        live.run().show(frame);
        for (std::size_t b = 0; b < look->bodies.size(); ++b)
            if (look->bodies[b].name == "player") {
                const auto& capsule =
                    std::get<Capsule>(look->shapes[look->bodies[b].shape].parts[0].geometry);
                return Seen{frame.pose(b).position.x, 2 * (capsule.half_height + capsule.radius)};
            }
        return Seen{-99, 0};
    };
    const auto walk = [&](float speed, bool crouch, int steps) {
        live.apply(Walk{{speed, 0, 0}, false, crouch});
        for (int k = 0; k < steps; ++k) live.step();
        return player();
    };
    EXPECT_NEAR(walk(2, false, 180).x, -0.41, 0.02); // it does not fit
    EXPECT_NEAR(walk(2, true, 60).height, 1, 1e-4);
    EXPECT_GT(player().x, 1);
    EXPECT_NEAR(walk(0, false, 10).height, 1, 1e-4); // no room yet
    // a state saved there still wants to stand up
    const LiveScene::State saved = live.save();
    const auto go_on = [&] {
        for (int k = 0; k < 10; ++k) live.step();
        live.apply(Walk{{2, 0, 0}});
        for (int k = 0; k < 60; ++k) live.step();
        return live.hash();
    };
    const std::uint64_t hash = go_on();
    EXPECT_GT(player().x, 2.4);
    EXPECT_NEAR(player().height, 1.75, 1e-4);
    live.restore(saved);
    EXPECT_EQ(go_on(), hash);
    // and one of who crouches goes on crouching
    walk(0, true, 2);
    const LiveScene::State low = live.save();
    walk(0, false, 2);
    EXPECT_NEAR(player().height, 1.75, 1e-4);
    live.restore(low);
    live.step();
    EXPECT_NEAR(player().height, 1, 1e-4);
}

TEST_F(Entities, UnknownClassesAndBadKeysAreReportedWithTheirLine) {
    read(
        ground + "{ \"classname\" \"monster_ogre\" }\n{ \"classname\" \"monster_ogre\" }\n" +
        entity(R"("classname" "func_mystery")", box({0, 0, 0}, {8, 8, 8})) +
        entity(R"("classname" "func_door" "speed" "fast" "target" "nobody")", box({0, 0, 64}, {64, 8, 128})) +
        entity(R"("classname" "trigger_once")"));
    const std::vector<std::string> expected{
        "hall.map:25:1: func_door: \"speed\": invalid value \"fast\": expected a number; taken as 100",
        "hall.map:36:1: trigger_once: left out: it has no brushes",
        "hall.map:25:1: func_door: \"target\": nothing has the name \"nobody\"",
        "hall.map: 1 class of entities left out: monster_ogre (line 12, 2)",
        "hall.map: 1 class of entities that stand still: func_mystery (line 14, 1)"};
    EXPECT_EQ(warnings, expected);
}

TEST_F(Entities, MoversNeedTheirState) {
    const Scene scene = read(busy_map());
    World made = build_rigid_world(scene);
    EXPECT_NE(test::error_message([&] { step_scene(scene, made); }).find("expected a SceneState"),
              std::string::npos);
    EXPECT_EQ(parse_log("3 walk 1 0 -2 1\n", "log")[0].command, Command(Walk{{1, 0, -2}, true}));
    const std::vector<LoggedCommand> crouching{{3, Walk{{1, 0, -2}, false, true}}};
    EXPECT_EQ(parse_log(log_text(crouching), "log"), crouching);
}

TEST(Castle, APlayerWalksOverTheBridgeThroughTheGateIntoTheHall) {
    const Scene scene = find_scene("castle");
    RigidScene castle = rigid_scene(scene);
    EXPECT_GE(castle.cloths.size(), 9u);
    castle.cloths.clear(); // nobody touches the banners, and most of the time is theirs
    World world = build_rigid_world(castle);
    SceneState state = begin_scene(castle);
    add_player(castle, world, state);
    state.wish = {0, 0, -8};
    double lowest = 0;
    for (int k = 0; k < 480 && state.player->state().position.z > -19; ++k) {
        step_scene(castle, world, state);
        lowest = std::min(lowest, state.player->state().position.y);
    }
    EXPECT_LT(state.player->state().position.z, -19); // past the bars and the door, which had to open
    EXPECT_NEAR(state.player->state().position.y, 0, 0.05);
    EXPECT_GT(lowest, -0.6); // the bridge carried
    EXPECT_EQ(castle.characters.size(), 2u);
    EXPECT_TRUE(std::any_of(scene.files.begin(), scene.files.end(),
                            [](const SceneFile& file) { return file.name.ends_with(".md5mesh"); }));
    EXPECT_GE(castle.movers.size(), 6u);
    EXPECT_GE(castle.shapes[0].lights.size(), 20u);
}

} // namespace
} // namespace scree
