// SPDX-License-Identifier: MIT
// cloth_pick_test.cpp — cloth of a rigid scene is picked by a ray into the frame and pulled by commands.
#include "scene/live_scene.h"
#include "view/pick.h"

#include <gtest/gtest.h>

#include <memory>

namespace scree {
namespace {

Scene hung_cloth() {
    return parse_scene(R"({
        "scree": 1, "kind": "rigid", "title": "a hung cloth", "steps": 1,
        "shapes": [{"name": "ground", "plane": {}}],
        "bodies": [{"shape": "ground", "type": "fixed", "position": [0, 0, 0]}],
        "cloths": [{"rope": {"from": [3, 3, 0], "to": [3, 2, 0], "segments": 4}},
                   {"grid": {"size": [1, 1], "vertices": [9, 9]}, "position": [0, 2, 0], "pins": [0, 8],
                    "rotation": {"axis": [1, 0, 0], "degrees": 90}}]})",
                       "test");
}

view::Frame frame_of(const LiveScene& live) {
    view::Frame frame;
    frame.appearance = live.run().appearance();
    live.run().show(frame);
    return frame;
}

TEST(ClothPick, ARayPicksTheSheetAndCommandsPullItToTheHand) {
    LiveScene live(hung_cloth(), Place());
    const view::Frame frame = frame_of(live);
    const auto picked = view::pick(frame, {{0.49, 1.51, 5}, {0, 0, -1}}, false);
    ASSERT_TRUE(picked);
    // after the ground and the rope
    EXPECT_EQ(picked->body, 2u);
    EXPECT_EQ(frame.appearance->bodies[picked->body].type, BodyType::dynamic);
    EXPECT_NE(view::probe_text(frame, *picked).find("surface"), std::string::npos);
    const Vec3 hand{0.3f, 1.7f, 0.6f};
    live.apply(Grab{picked->body, picked->local});
    live.apply(DragTo{hand});
    LiveScene::State middle;
    for (int i = 0; i < 60; ++i) {
        if (i == 30) middle = live.save();
        // a shot adds a body, and the hand keeps what it holds
        if (i == 10) live.apply(Shoot{{5, 5, 5}, {}, 0.1f, 1});
        live.step();
    }
    const auto hold = live.hold();
    ASSERT_TRUE(hold);
    EXPECT_LT(length(hold->point - hand), 0.1f);
    const std::uint64_t hash = live.run().hash();
    live.restore(middle);
    for (int i = 30; i < 60; ++i) live.step();
    EXPECT_EQ(live.run().hash(), hash);
    // let go, it swings back
    live.apply(Release{});
    for (int i = 0; i < 120; ++i) live.step();
    bool any = false;
    for (const Vec3& vertex : frame_of(live).vertices) any = any || length(vertex - hand) < 0.05f;
    EXPECT_FALSE(any);
}

TEST(ClothPick, ARayNearARopePicksItAndCommandsPullIt) {
    LiveScene live(hung_cloth(), Place());
    const view::Frame frame = frame_of(live);
    // the rope hangs from 3 m to 2 m, 5 m away
    EXPECT_FALSE(view::pick(frame, {{3.1, 2.4, 5}, {0, 0, -1}}, false));
    EXPECT_FALSE(view::pick(frame, {{3, 1.9, 5}, {0, 0, -1}}, false)) << "below its end";
    EXPECT_FALSE(view::pick(frame, {{3.02, 2.4, -5}, {0, 0, -1}}, false)) << "behind the eye";
    const auto picked = view::pick(frame, {{3.02, 2.4, 5}, {0, 0, -1}}, false);
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->body, 1u); // after the ground
    EXPECT_NEAR(picked->distance, 5, 1e-6);
    EXPECT_NEAR(picked->local.x, 3, 1e-6);
    EXPECT_NEAR(picked->local.y, 2.4, 1e-6);
    // it does not hide a contact
    EXPECT_TRUE(view::is_seen(frame, {3, 2.4, 5}, {3, 2.4, -5}, std::nullopt, false));
    live.apply(Grab{picked->body, picked->local});
    const Vec3 hand{2.6f, 2.7f, 0.4f};
    live.apply(DragTo{hand});
    for (int i = 0; i < 60; ++i) live.step();
    const auto hold = live.hold();
    ASSERT_TRUE(hold);
    EXPECT_LT(length(hold->point - hand), 0.1f);
}

} // namespace
} // namespace scree
