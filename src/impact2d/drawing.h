// SPDX-License-Identifier: MIT
// drawing.h — bodies of a StagedImpactWorld as filled shapes in a square image: the drawing stage of the CPU, and what both have in common.
#pragma once

#include "impact2d/kernels.h"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::impact2d {

constexpr int circle_corners = 32; ///< of the outline of a circle

/// The square from -half to half, rows from below, RGBA.
struct Picture {
    int side = 0;
    float half = 1;
    std::vector<std::uint8_t> pixels;
};

/// Of a body; the shader computes the same.
inline std::array<std::uint8_t, 4> colour_of(std::uint32_t body) {
    const auto tone = [&](std::uint32_t by) { return static_cast<std::uint8_t>(64 + body * by % 192); };
    return {tone(37), tone(91), tone(151), 255};
}

void draw_on_host(const kernels::ImpactView& w, bool polygons, std::uint32_t bodies, Picture& picture);

} // namespace scree::impact2d
