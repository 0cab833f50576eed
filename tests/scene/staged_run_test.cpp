// SPDX-License-Identifier: MIT
// staged_run_test.cpp — scenes of impacts in stages: rooms, running, saving, moving to other devices, settings, drawing and mistakes.
#include "scene/run.h"
#include "scene_text.h"
#include "scree/error.h"
#include "scree/staged_scene.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <string>

namespace scree {
namespace {

using test::error_message;

Scene staged(const std::string& content, const SceneOptions& options = {}) {
    return parse_scene(R"({"scree": 1, "kind": "staged_impact", "title": "t", "steps": 20, )" + content + "}",
                       "a.json", options);
}
const std::string polygons = R"("world": {"restitution": 0.9}, "polygons": [
    {"position": [0, 0], "regular": {"corners": 6, "radius": 0.5}, "velocity": [0.1, 0], "angular_velocity": 0.05},
    {"position": [2, 0.1], "vertices": [[3, 3], [4, 3], [4, 5], [3, 5]], "mass": 2},
    {"position": [6, 0], "box": [0.5, 4], "fixed": true}])";

TEST(StagedRun, RunsSavesMovesAndDraws) {
    const Scene scene = staged(polygons);
    EXPECT_EQ(kind_of(scene).mode(scene), "polygons");
    const auto run = start_scene(scene, PlaceOptions{.threads = 1});
    run->step(12);
    EXPECT_EQ(run->steps_done(), 12u); // units of time, whatever met in them
    EXPECT_NEAR(run->time(), 12.0 / 60, 1e-6);
    const auto saved = run->save();
    run->step(8);
    EXPECT_GT(value_of(run->measure(), "impacts"), 0);
    EXPECT_EQ(value_of(run->measure(), "overlapping_pairs"), 0);
    const auto other = start_scene(scene, PlaceOptions{.threads = 2});
    other->restore(saved);
    EXPECT_EQ(other->steps_done(), 12u);
    other->move_to("cpu:kernels");
    other->step(8);
    EXPECT_EQ(other->hash(), run->hash());
    EXPECT_EQ(other->place().device(), "cpu:kernels");

    Frame frame;
    run->show(frame, true);
    ASSERT_EQ(frame.size(), 3u);
    EXPECT_GT(frame.angular_velocity[0].z * frame.angular_velocity[0].z, 0);
    EXPECT_EQ(frame.pose(0).position.z, 0);
    for (std::size_t k = 0; k < 3; ++k) { // turned in their plane
        EXPECT_EQ(frame.pose(k).rotation.x, 0);
        EXPECT_EQ(frame.pose(k).rotation.y, 0);
    }
    EXPECT_NEAR(frame.appearance->shapes[1].reach, std::sqrt(0.25 + 1 + 0.0625), 1e-5);
    EXPECT_EQ(frame.appearance->bodies[2].type, BodyType::fixed);

    run->pull(1, {2, 0.1f, 0}, {0, 7200, 0}); // for 1/60 s
    const Vec3 after = run->grip(1, {}).velocity;
    EXPECT_NEAR(after.y - frame.velocity[1].y, 60, 0.01);
    run->pull(2, {}, {1, 0, 0}); // what is fixed stays
    EXPECT_EQ(run->grip(2, {}).mass, 0);
    EXPECT_THROW(run->change_setting("tolerance", "0.5"), Error);
    EXPECT_THROW(run->shoot({}), Error);
}

TEST(StagedRun, CirclesThatOverlapAtTheStartAreNamedWithTheirDepth) {
    const Scene scene = staged(R"("circles": [{"position": [4, 4], "radius": 0.5},
        {"position": [0, 0], "radius": 0.5}, {"position": [0.75, 0], "radius": 0.5}])");
    const auto run = start_scene(scene, PlaceOptions{.threads = 1});
    run->step(1);
    ASSERT_EQ(run->warnings().size(), 1u);
    EXPECT_EQ(run->warnings()[0],
              "1 pair overlaps at the start, bodies 1 and 2 by 0.25: ignored until they part");
    EXPECT_TRUE(start_scene(staged(polygons), PlaceOptions{.threads = 1})->warnings().empty());
}

/// Numbers of streams as 1.234,5 while it lives.
class WithDecimalComma {
    struct Comma final : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    std::locale before_ = std::locale::global(std::locale(std::locale(), new Comma));

public:
    WithDecimalComma() = default;
    WithDecimalComma(const WithDecimalComma&) = delete;
    WithDecimalComma& operator=(const WithDecimalComma&) = delete;
    ~WithDecimalComma() { std::locale::global(before_); }
};

TEST(StagedRun, CirclesThatOverlapAreNamedAlikeInEveryLocale) {
    const auto run = start_scene(staged(R"("world": {"limit": 10000}, "circles": [
        {"position": [0, 0], "radius": 2000}, {"position": [2765.5, 0], "radius": 2000}])"),
                                 PlaceOptions{.threads = 1});
    const WithDecimalComma locale;
    ASSERT_EQ(run->warnings().size(), 1u);
    EXPECT_EQ(run->warnings()[0],
              "1 pair overlaps at the start, bodies 0 and 1 by 1234.5: ignored until they part");
}

TEST(StagedRun, ARoomHasItsSeedAndItsNumber) {
    const std::string room = R"("room": {"circles": 20, "seed": 5})";
    const Scene one = staged(room), again = staged(room), other = staged(room, {.seed = 6}),
                larger = staged(room, {.bodies = 50});
    EXPECT_TRUE(one.resizable);
    const auto hash = [](const Scene& scene) { return start_scene(scene, {})->hash(); };
    EXPECT_EQ(hash(one), hash(again));
    EXPECT_NE(hash(one), hash(other));
    EXPECT_EQ(kind_of(larger).size(larger).items, 50u);
    EXPECT_EQ(staged_scene(larger).settings.limit, 8);
    const Scene walls = staged(R"("room": {"polygons": 9})");
    EXPECT_EQ(staged_scene(walls).polygons.size(), 13u);
    Frame frame;
    start_scene(one, {})->show(frame);
    EXPECT_EQ(frame.vertices.size(), 4u);
}

TEST(StagedRun, AStepOfTooManyImpactsIsReported) {
    const auto run = start_scene(staged(R"("world": {"max_impacts": 1}, "room": {"circles": 36})"), {});
    run->step(5);
    EXPECT_GT(value_of(run->measure(), "time_left"), 1);
    ASSERT_EQ(run->warnings().size(), 1u);
    EXPECT_NE(run->warnings()[0].find("max_impacts"), std::string::npos);
}

TEST(StagedRun, MistakesAreNamed) {
    const auto refused = [](const std::string& content, const char* what) {
        const std::string message = error_message([&] { staged(content); });
        EXPECT_NE(message.find(what), std::string::npos) << message;
        EXPECT_NE(message.find("a.json:1"), std::string::npos) << message;
    };
    refused(R"("polygons": [{"position": [0, 0], "box": [1, 1], "regular": {"corners": 3, "radius": 1}}])",
            "polygons[0]");
    refused(R"("polygons": [{"position": [0, 0], "vertices": [[0, 0], [0, 1], [1, 0]]}])",
            "counter-clockwise");
    refused(R"("polygons": [{"position": [0, 0], "vertices": [[0, 0], [1, 1], [2, 2]]}])", "the area is 0");
    refused(R"("polygons": [{"position": [0, 0], "box": [1, 1], "velocity": [1, 0], "fixed": true}])",
            "finite mass");
    refused(R"("polygons": [{"position": [0, 0], "box": [1, 1], "inertia": 1, "fixed": true}])",
            "polygons[0].inertia: what is fixed has none");
    refused(R"("circles": [{"position": [0, 0], "radius": 1, "mass": 2, "fixed": true}])",
            "circles[0].mass: what is fixed has none");
    refused(R"("circles": [{"position": [0, 9.9], "radius": 1}])", "in the room");
    refused(
        R"("circles": [{"position": [0, 0], "radius": 1}], "polygons": [{"position": [0, 0], "box": [1, 1]}])",
        "either circles or polygons");
    refused(R"("room": {"circles": 4}, "circles": [])", "either a room or bodies");
    refused(R"("room": {"circles": 4, "polygons": 4})", "room");
    refused(R"("room": {"circles": 20000})", "16384");
    refused(R"("world": {"limit": 3}, "room": {"circles": 4})", "that of the room");
    EXPECT_NE(error_message([&] { start_scene(staged(R"("circles": [])"), {}); }).find("no body"),
              std::string::npos);
    EXPECT_NE(error_message([&] { staged(polygons, {.bodies = 5}); }).find("expected one generator"),
              std::string::npos);
}

} // namespace
} // namespace scree
