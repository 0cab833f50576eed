// SPDX-License-Identifier: MIT
// layout_test.cpp — the viewer's panels at every size of the window.
#include "view/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace scree::view {
namespace {

struct WindowSize {
    float width, height, unit;
};
constexpr WindowSize sizes[] = {{800, 600, 1},   {1024, 768, 1},  {1280, 720, 1},      {1280, 800, 1},
                                {1920, 1080, 1}, {1920, 1080, 2}, {2560, 1440, 1.25f}, {3840, 2160, 1},
                                {3840, 2160, 2}, {480, 320, 1},   {1600, 1200, 2},     {3440, 1440, 1}};

TEST(Layout, PanelsCoverNeitherEachOtherNorTheBar) {
    for (const WindowSize& size : sizes)
        for (unsigned set = 0; set < 32; ++set) {
            const ShownPanels shown{(set & 1) != 0, (set & 2) != 0, (set & 4) != 0, (set & 8) != 0,
                                    (set & 16) != 0};
            const Layout layout = lay_out(size.width, size.height, size.unit, shown);
            std::vector<Area> areas{layout.bar, layout.free};
            for (const auto& [is_shown, area] :
                 {std::pair{shown.scenes, layout.scenes}, std::pair{shown.drawing, layout.drawing},
                  std::pair{shown.parameters, layout.parameters}, std::pair{shown.metrics, layout.metrics},
                  std::pair{shown.timeline, layout.timeline}})
                if (is_shown) areas.push_back(area);
            for (std::size_t a = 0; a < areas.size(); ++a) {
                EXPECT_GE(areas[a].x, 0);
                EXPECT_LE(areas[a].right(), size.width);
                EXPECT_LE(areas[a].bottom(), size.height);
                EXPECT_GT(areas[a].width, 0);
                EXPECT_GT(areas[a].height, 0);
                for (std::size_t b = 0; b < a; ++b)
                    EXPECT_FALSE(areas[a].overlaps(areas[b]))
                        << size.width << "x" << size.height << ", set " << set << ": " << a << " and " << b;
            }
        }
}

TEST(Layout, TheSceneKeepsMostOfTheWindow) {
    // with everything open that opens by itself, and the parameters
    const Layout layout = lay_out(1280, 720, 1, {true, true, true, true, false});
    EXPECT_GT(layout.free.width * layout.free.height, 0.45f * 1280 * 720);
    // the middle is wide enough for a timeline, or the timeline takes all of the width
    EXPECT_GE(lay_out(800, 600, 1, {true, true, true, true, true}).timeline.width, 420);
}

} // namespace
} // namespace scree::view
