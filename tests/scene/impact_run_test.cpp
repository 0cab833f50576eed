// SPDX-License-Identifier: MIT
// impact_run_test.cpp — scenes of impacts: generators, running, saving, settings, drawing and mistakes.
#include "scene/run.h"
#include "scene_text.h"
#include "scree/error.h"
#include "scree/impact_scene.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace scree {
namespace {

Scene gas(const std::string& world = R"("borders": "periodic")") {
    return parse_scene(R"({"scree": 1, "kind": "impact", "title": "t", "steps": 60, "world": {)" + world +
                           R"(}, "particles": [{"position": [0.5, 0.5, 0.5], "radius": 0.1, "mass": 7}],
                           "gases": [{"counts": [3, 4, 5], "radius": 0.03, "temperature": 2, "mass": 3,
                                      "upper": [1, 1, 0.3], "seed": 4}]})",
                       "a.json");
}

TEST(ImpactRun, AGasHasItsCountsItsMassAndNoMomentum) {
    const Scene scene = gas();
    const ImpactScene& content = impact_scene(scene);
    ASSERT_EQ(content.particles.size(), 61u);
    EXPECT_EQ(content.particles[0].mass, 7);
    DVec3 momentum{};
    double energy = 0;
    for (const ImpactParticle& p : content.particles) {
        momentum += p.velocity * p.mass;
        energy += 0.5 * p.mass * dot(p.velocity, p.velocity);
    }
    EXPECT_LT(length(momentum), 1e-12);
    EXPECT_NEAR(energy / 60, 1.5 * 2, 0.6);
    EXPECT_EQ(kind_of(scene).mode(scene), "spheres");
}

TEST(ImpactRun, WhatOverlapsIsAnErrorOrMovedApart) {
    const auto heap = [](const std::string& world) {
        return parse_scene(
            R"({"scree": 1, "kind": "impact", "title": "t", "steps": 60, "world": {"upper": [3, 3, 3])" +
                world +
                R"(}, "particles": [{"position": [1, 1, 1], "radius": 0.5},
                                                   {"position": [1.2, 1, 1], "radius": 0.5}]})",
            "a.json");
    };
    EXPECT_THROW((void)build_impact(heap("")), Error);
    const ImpactWorld world = build_impact(heap(R"(, "separate": true)"));
    EXPECT_NEAR(world.particle(1).position.x - world.particle(0).position.x, 1, 1e-3);
}

TEST(ImpactRun, RunsSavesMovesAndDraws) {
    const Scene scene = gas();
    const auto run = start_scene(scene, PlaceOptions{.device = "cpu"});
    run->step(30);
    const auto saved = run->save();
    run->step(30);
    const auto other = start_scene(scene, PlaceOptions{.device = "cpu", .threads = 2});
    other->restore(saved);
    other->step(30);
    EXPECT_EQ(other->hash(), run->hash());
    EXPECT_EQ(run->steps_done(), 60u);
    EXPECT_NEAR(run->time(), 1, 1e-6);
    EXPECT_GT(value_of(run->measure(), "impacts"), 20);
    EXPECT_LT(value_of(run->measure(), "max_overlap"), 1e-12);

    Frame frame;
    run->show(frame, true);
    EXPECT_EQ(frame.size(), 61u);
    EXPECT_EQ(frame.appearance->shapes.size(), 2u); // one for each radius
    EXPECT_EQ(frame.appearance->lines[0].ends.size(), 24u);
    EXPECT_EQ(frame.vertices.size(), 8u);

    // a pull of one kilogram metre per second
    const Vec3 before = run->grip(0, {}).velocity;
    run->pull(0, {}, {60, 0, 0});
    EXPECT_NEAR(run->grip(0, {}).velocity.x - before.x, 1 / 7.0f, 1e-6f);

    run->change_setting("restitution", "0.5");
    const double hot = value_of(run->measure(), "kinetic_energy");
    run->step(30);
    EXPECT_LT(value_of(run->measure(), "kinetic_energy"), 0.95 * hot);
    EXPECT_THROW(run->change_setting("restitution", "2"), Error);
    EXPECT_THROW(run->shoot({}), Error);
}

/// Says that it were many threads, so that a small world uses it.
class Counted final : public TaskSystem {
public:
    int workers() const override { return 4096; }
    void run(int count, const std::function<void(int)>& task) override {
        ++calls;
        for (int k = 0; k < count; ++k) task(k);
    }
    int calls = 0;
};

TEST(ImpactRun, GoesOnWithTheThreadsOfThePlaceItMovesTo) {
    const Scene scene = gas();
    const auto run = start_scene(scene, PlaceOptions{.threads = 1}),
               stays = start_scene(scene, PlaceOptions{.threads = 1});
    Counted tasks;
    run->move_to(PlaceOptions{.tasks = &tasks});
    run->step(60);
    stays->step(60);
    EXPECT_GT(tasks.calls, 0);
    EXPECT_EQ(run->hash(), stays->hash());
}

TEST(ImpactRun, AveragesBeginWhenTheSceneSays) {
    const auto all = start_scene(gas(), PlaceOptions{.device = "cpu"}),
               late = start_scene(gas(R"("borders": "periodic", "average_from": 0.5)"),
                                  PlaceOptions{.device = "cpu"});
    all->step(60);
    late->step(60);
    EXPECT_EQ(all->hash(), late->hash());
    EXPECT_NE(value_of(all->measure(), "pressure"), value_of(late->measure(), "pressure"));
    EXPECT_NEAR(value_of(all->measure(), "pressure") / value_of(late->measure(), "pressure"), 1, 0.3);
}

TEST(ImpactRun, WhatStepsLeaveOverIsAWarning) {
    const auto run =
        start_scene(gas(R"("borders": "periodic", "max_events": 1)"), PlaceOptions{.device = "cpu"});
    EXPECT_TRUE(run->warnings().empty());
    run->step(10);
    ASSERT_EQ(run->warnings().size(), 1u);
    EXPECT_GT(value_of(run->measure(), "time_left"), 0);
}

TEST(ImpactRun, MistakesAreRefusedWithTheirPlace) {
    const auto refusal = [](const std::string& rest) {
        return testing::refusal(R"({"scree": 1, "kind": "impact", "title": "t", "steps": 1, )" + rest + "}");
    };
    EXPECT_NE(refusal(R"("particles": [{"position": [0.5, 0.5, 0.95], "radius": 0.1}])")
                  .find("particles[0]: position.z: invalid value 0.95"),
              std::string::npos);
    EXPECT_NE(
        refusal(R"("particles": [{"position": [0.5, 0.5, 0.5], "radius": 0.1, "mass": 1, "fixed": true}])")
            .find("particles[0].mass: what is fixed has none"),
        std::string::npos);
    EXPECT_NE(refusal(R"("world": {"upper": [0, 1, 1]})").find("world.upper.x"), std::string::npos);
    EXPECT_NE(refusal(R"("world": {"dimensions": 2}, "gases": [{"counts": [2, 2, 2], "radius": 0.1}])")
                  .find("gases[0].counts[2]: invalid value 2: expected 1 in two dimensions"),
              std::string::npos);
    EXPECT_NE(refusal(R"("gases": [{"counts": [2, 2, 2], "radius": 0.1, "speed": 1, "temperature": 1}])")
                  .find("expected either temperature or speed"),
              std::string::npos);
    const Scene overlapping = parse_scene(
        R"({"scree": 1, "kind": "impact", "title": "t", "steps": 1, "gases": [{"counts": [4, 1, 1], "radius": 0.2, "lower": [0.2, 0.2, 0.2], "upper": [0.8, 0.8, 0.8]}]})",
        "a.json");
    EXPECT_THROW(start_scene(overlapping, PlaceOptions{.device = "cpu"}), Error);
}

} // namespace
} // namespace scree
