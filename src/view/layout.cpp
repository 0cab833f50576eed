// SPDX-License-Identifier: MIT
// layout.cpp — see layout.h.
//
//     +--------------------------------------+
//     | bar                                  |
//     +---------+                +-----------+   Parameters have a column of their own
//     | scenes  |                | metrics   |   where the window is wide; the timeline has
//     +---------+      free      +-----------+   all of the width where the middle is narrow.
//     | drawing |  +----------+  | parameters|
//     +---------+  | timeline |  +-----------+
//                  +----------+
#include "view/layout.h"

#include <algorithm>
#include <cmath>

namespace scree::view {

Layout lay_out(float width, float height, float unit, const ShownPanels& shown) {
    const float gap = 8 * unit;
    Layout layout;
    layout.two_rows = width < 1240 * unit;
    layout.bar = {0, 0, width, std::round((layout.two_rows ? 80 : 46) * unit)};

    const bool left = shown.scenes || shown.drawing, right = shown.metrics || shown.parameters;
    const bool both_right = shown.metrics && shown.parameters, beside = both_right && width >= 1700 * unit;
    const float left_width = std::floor(std::min(256 * unit, 0.38f * width)),
                right_width = std::floor(std::min(316 * unit, 0.45f * width));
    Area& free = layout.free;
    free.x = left ? left_width + 2 * gap : gap;
    const float free_right = width - gap - (right ? right_width + gap : 0) - (beside ? right_width + gap : 0);
    free.width = std::max(free_right - free.x, 0.0f);
    free.y = layout.bar.bottom() + gap;
    float column_bottom = height - gap, free_bottom = height - gap;
    if (shown.timeline) {
        const bool fits = free.width >= 420 * unit;
        layout.timeline = {fits ? free.x : gap, height - gap - 84 * unit, fits ? free.width : width - 2 * gap,
                           84 * unit};
        free_bottom = layout.timeline.y - gap;
        if (!fits) column_bottom = free_bottom;
    }
    free.height = std::max(free_bottom - free.y, 0.0f);
    const float top = free.y, tall = std::max(column_bottom - top, 0.0f);

    // what is drawn is a list of known length, the scenes take the rest
    const float drawing = shown.scenes ? std::min(376 * unit, 0.51f * tall) : std::min(376 * unit, tall);
    if (shown.scenes)
        layout.scenes = {gap, top, left_width, shown.drawing ? std::max(tall - drawing - gap, 0.0f) : tall};
    if (shown.drawing)
        layout.drawing = {gap, shown.scenes ? column_bottom - drawing : top, left_width, drawing};

    const float column = width - gap - right_width;
    if (shown.metrics) layout.metrics = {column, top, right_width, tall};
    if (shown.parameters) layout.parameters = {column, top, right_width, tall};
    if (beside) layout.parameters.x -= right_width + gap;
    else if (both_right) {
        layout.metrics.height = std::floor(0.45f * (tall - gap));
        layout.parameters.y = layout.metrics.bottom() + gap;
        layout.parameters.height = std::max(column_bottom - layout.parameters.y, 0.0f);
    }
    return layout;
}

} // namespace scree::view
