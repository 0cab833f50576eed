// SPDX-License-Identifier: MIT
// texture.h — texture coordinates of a face.
#pragma once

#include "scree/level.h"

#include <array>

namespace scree {

/// u = axes[0] . x + offsets[0] and likewise v; x in units.
struct TextureProjection {
    std::array<DVec3, 2> axes{};
    std::array<double, 2> offsets{};
    std::array<double, 2> at(DVec3 x) const {
        return {dot(axes[0], x) + offsets[0], dot(axes[1], x) + offsets[1]};
    }
};

/// In texels for standard and valve, in sizes of the texture for brush_def and brush_def3.
TextureProjection texture_projection(MapFormat format, const MapFace& face, DVec3 normal);

/// {cosine, sine}: from + - * / alone, so that the bits are the same with every library, and exact for multiples of 90 degrees.
std::array<double, 2> cosine_and_sine(double degrees);

} // namespace scree
