// SPDX-License-Identifier: MIT
// textures.h — patterns that the shaders draw from the coordinates of a shape, by the names that scenes use.
//
// Header only, so that scenes can be checked without the renderer.
#pragma once

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace scree::render {

/// body.glsl draws them by these numbers.
enum class Pattern { none, grid, checker, stripes, dots, bricks, wood };

/// What Paint::texture may be.
inline std::span<const std::string_view> texture_names() {
    static constexpr std::array<std::string_view, 6> names{"grid", "checker", "stripes",
                                                           "dots", "bricks",  "wood"};
    return names;
}

/// Throws Error for a name that is not known; `where` says where it was given.
inline Pattern pattern_of(std::string_view texture, const std::string& where = "texture") {
    const auto names = texture_names();
    const auto at = std::find(names.begin(), names.end(), texture);
    if (at != names.end()) return static_cast<Pattern>(at - names.begin() + 1);
    std::string known;
    for (const std::string_view name : names)
        known += (known.empty() ? "" : name == names.back() ? " or " : ", ") + std::string(name);
    throw Error("invalid value \"" + std::string(texture) + "\": expected " + known, where);
}

} // namespace scree::render
