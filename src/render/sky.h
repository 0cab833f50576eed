// SPDX-License-Identifier: MIT
// sky.h — ambient light: a sun, a sky of three colours, and light reflected by the ground.
#pragma once

#include "render/linear.h"

#include <array>
#include <optional>

namespace scree::render {

/// Colours are linear radiance.
struct Sky {
    Vec3 sun_direction{-0.62f, 0.80f, 0.42f}; ///< towards the sun; need not be of unit length
    Vec3 sun_colour{2.95f, 2.56f, 2.05f};
    float sun_angle = 0.02f; ///< rad, half: how large the sun's mirror image is
    Vec3 zenith{0.17f, 0.27f, 0.46f};
    Vec3 horizon{0.47f, 0.53f, 0.60f};
    Vec3 ground{0.26f, 0.25f, 0.24f};
    float strength = 1;
    float fog = 0;                    ///< 1/m: at a distance d a share of exp(-(fog d)²) is left
    std::optional<Vec3> fog_colour{}; ///< default: the horizon's
    friend bool operator==(const Sky&, const Sky&) = default;

    /// Without the sun's disc; the same formula as in sky.glsl.
    Vec3 radiance(Vec3 direction) const;
    /// Irradiance over pi for a normal n: spherical harmonics of degree 2 (Ramamoorthi and Hanrahan 2001), nine
    /// coefficients with the cosine's factors inside.
    std::array<Vec3, 9> irradiance() const;
};

} // namespace scree::render
