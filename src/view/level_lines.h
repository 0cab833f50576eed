// SPDX-License-Identifier: MIT
// level_lines.h — cells and portals of levels over a frame, with those that are seen from the eye in bright colours.
#pragma once

#include "scree/level_visibility.h"
#include "view/camera.h"
#include "view/debug_lines.h"

#include <memory>
#include <vector>

namespace scree::view {

/// Finds what is seen as the renderer does, in its own copy of the walk through portals.
class LevelLines {
public:
    /// Adds what `draw` asks for to what is drawn over the frame. `aspect`: of the picture.
    void add(const Frame& frame, const DebugDraw& draw, const Eye& eye, double aspect, DebugGeometry& out,
             std::size_t most = 200'000);

private:
    struct Known {
        std::shared_ptr<const CompiledLevel> level;
        std::unique_ptr<LevelVisibility> sight;
    };
    LevelVisibility& sight_of(const AppearanceLevel& level, std::size_t place);
    std::vector<Known> known_; ///< as the look's levels
};

} // namespace scree::view
