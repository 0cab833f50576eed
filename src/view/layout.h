// SPDX-License-Identifier: MIT
// layout.h — where the panels of the viewer are, in a window of any size.
#pragma once

namespace scree::view {

/// A rectangle in pixels from the top left.
struct Area {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    bool overlaps(const Area& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
    friend bool operator==(const Area&, const Area&) = default;
};

struct ShownPanels {
    bool scenes = false, drawing = false, parameters = false, metrics = false, timeline = false;
};

struct Layout {
    bool two_rows = false; ///< of the bar: one is too long for a narrow window
    Area bar, scenes, drawing, parameters, metrics, timeline;
    Area free; ///< the scene between the panels: messages and the probe's tooltip stay in it
};

/// `unit`: pixels of one fifteenth of the font's size. Panels that are not shown have no place.
Layout lay_out(float width, float height, float unit, const ShownPanels& shown);

} // namespace scree::view
