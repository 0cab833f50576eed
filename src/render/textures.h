// SPDX-License-Identifier: MIT
// textures.h — patterns that the shaders draw from the coordinates of a shape, by the names that scenes use.
#pragma once

#include "scree/appearance.h"
#include "scree/error.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace scree::render {

/// In the order of texture_names, then those without a name; body.glsl draws them by these numbers.
enum class Pattern {
    none,
    grid,
    checker,
    stripes,
    dots,
    bricks,
    wood,
    stone,
    tiles,
    background, ///< what is behind everything, as if there were a hole
};

/// Throws Error for a name that is not known; `where` says where it was given.
inline Pattern pattern_of(std::string_view texture, const std::string& where = "texture") {
    const auto& names = texture_names;
    const auto at = std::find(names.begin(), names.end(), texture);
    if (at != names.end()) return static_cast<Pattern>(at - names.begin() + 1);
    std::string known;
    for (const std::string_view name : names)
        known += (known.empty() ? "" : name == names.back() ? " or " : ", ") + std::string(name);
    throw Error("invalid value \"" + std::string(texture) + "\": expected " + known, where);
}

} // namespace scree::render
