// SPDX-License-Identifier: MIT
// cloth_scenes_test.cpp — the nine scenes of the thesis' cloth, drawn.
#include "render/stage.h"

#include "scene/run.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

#include <string>

namespace scree::render::testing {
namespace {

TEST(ClothScenes, TheNineOfTheThesisShowASheetThatMoves) {
    Stage stage(160, 90);
    for (const char* name :
         {"v-ms-1", "v-ms-2", "v-ms-3", "v-ms-4", "v-pb-1", "v-pb-2", "v-pb-3", "v-pb-4", "v-pb-5"}) {
        SCOPED_TRACE(name);
        const auto run = start_scene(find_scene(name), Place());
        WorldModel model(stage.renderer);
        Frame frame;
        run->show(frame);
        model.update(frame);
        model.light(stage.settings.sky);
        Camera camera = looking({8, 9, 16}, {0, 6, 0});
        fit_planes(camera, stage.renderer.measure_bounds());
        const Image before = stage.picture(camera);
        run->step(40);
        run->show(frame);
        model.update(frame);
        const Image after = stage.picture(camera);
        // a sheet of 10 m x 10 m, 18 m away, has swung or fallen
        EXPECT_GT(difference(before, after, 24).share_above, 0.02);
        ASSERT_FALSE(frame.vertices.empty());
        const auto [x, y] = place_of(camera, after, frame.vertices[frame.vertices.size() / 2]);
        ASSERT_TRUE(x >= 0 && x < after.width && y >= 0 && y < after.height) << x << " " << y;
    }
}

} // namespace
} // namespace scree::render::testing
