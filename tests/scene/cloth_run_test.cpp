// SPDX-License-Identifier: MIT
// cloth_run_test.cpp — what a user does with a scene of the thesis' cloth while it runs.
#include "scene/run.h"
#include "scree/cloth.h"
#include "scree/cloth_scene.h"
#include "scree/error.h"
#include "scree/scene.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace scree::test {
namespace {

Vec3 place_of_object(const SceneRun& run) {
    Frame frame;
    run.show(frame);
    return {frame.positions[0], frame.positions[1], frame.positions[2]};
}

TEST(ClothRun, ActionsMoveTheObjectOnThreeAxes) {
    const auto run = start_scene(find_scene("v-pb-5"), Place());
    const std::map<std::string, Vec3> ways{{"object left", {-0.25f, 0, 0}}, {"object right", {0.25f, 0, 0}},
                                           {"object down", {0, -0.25f, 0}}, {"object up", {0, 0.25f, 0}},
                                           {"object away", {0, 0, -0.25f}}, {"object near", {0, 0, 0.25f}}};
    std::set<char> keys;
    for (const SceneRun::Action& action : run->actions()) keys.insert(action.key);
    EXPECT_EQ(keys.size(), run->actions().size()) << "a key has one action";
    for (const auto& [name, way] : ways) {
        const Vec3 before = place_of_object(*run);
        run->act(name);
        EXPECT_EQ(place_of_object(*run), before + way) << name;
    }
    EXPECT_THROW(run->act("object sideways"), Error);
}

TEST(ClothRun, ObjectsDoNotEnterEachOther) {
    // to the right of the object stands a box or a sphere with 0.6 m between them: two moves of 0.25 m
    for (const bool box : {false, true})
        for (const bool other_box : {false, true}) {
            Scene scene = find_scene("v-pb-5");
            std::vector<ClothCollider>& all = cloth_scene(scene).colliders;
            all[0] = {box ? ClothCollider::Kind::box : ClothCollider::Kind::sphere, {}, {1, 1, 1}, {}};
            all.push_back({other_box ? ClothCollider::Kind::box : ClothCollider::Kind::sphere,
                           {2.6f, 0, 0},
                           {1, 1, 1},
                           {}});
            const auto run = start_scene(scene, Place());
            for (int k = 0; k < 5; ++k) run->act("object right");
            EXPECT_EQ(place_of_object(*run), (Vec3{0.5f, 0, 0})) << box << other_box;
            for (int k = 0; k < 8; ++k) run->act("object up");
            for (int k = 0; k < 8; ++k) run->act("object right");
            EXPECT_EQ(place_of_object(*run), (Vec3{2.5f, 2, 0})) << box << other_box; // above it
            run->act("object down");
            EXPECT_EQ(place_of_object(*run), (Vec3{2.5f, 2, 0})) << box << other_box;
            run->pull(0, {}, {0, -3600, 0}); // by a metre
            EXPECT_EQ(place_of_object(*run), (Vec3{2.5f, 2, 0})) << box << other_box;
            run->pull(0, {}, {0, 3600, 0});
            EXPECT_GT(place_of_object(*run).y, 2.9f) << box << other_box;
        }
}

TEST(ClothRun, TheObjectIsASphereOrABoxAndTheClothFeelsIt) {
    const auto lowest = [](bool box) {
        const auto run = start_scene(find_scene("v-pb-5"), Place());
        if (box) run->act("sphere or box");
        run->step(240);
        return value_of(run->measure(), "bottom");
    };
    const auto run = start_scene(find_scene("v-pb-5"), Place());
    const auto before = run->appearance();
    run->act("sphere or box");
    EXPECT_NE(run->appearance(), before);
    EXPECT_NE(lowest(false), lowest(true));
}

TEST(ClothRun, ModelsAndProcessorsChangeWhileItRuns) {
    const auto run = start_scene(find_scene("v-pb-5"), Place());
    run->step(10);
    for (const char* model : {"mass_spring", "position_based"})
        for (const PlaceOptions& options :
             {PlaceOptions{.device = "cpu", .threads = 1}, PlaceOptions{.device = "cpu", .threads = 4}}) {
            run->change_setting("model", model);
            run->move_to(Place(options));
            const std::uint64_t before = run->hash(), steps = run->steps_done();
            run->step(10);
            EXPECT_NE(run->hash(), before) << model << " " << options.threads;
            EXPECT_EQ(run->steps_done(), steps + 10);
        }
}

} // namespace
} // namespace scree::test
