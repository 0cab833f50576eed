// SPDX-License-Identifier: MIT
// sky.cpp — see sky.h.
#include "render/sky.h"

#include <cmath>
#include <numbers>

namespace scree::render {

namespace {

float smooth(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
Vec3 blend(Vec3 a, Vec3 b, float t) { return a * (1 - t) + b * t; }

} // namespace

Vec3 Sky::radiance(Vec3 d) const {
    // paler towards the horizon, a glow around the sun, the ground below
    const float up = std::max(d.y, 0.0f);
    Vec3 colour = blend(horizon, zenith, 1 - std::pow(1 - up, 3.0f));
    const float near_sun = std::max(dot(d, normalized(sun_direction)), 0.0f);
    colour = colour + sun_colour * (0.10f * std::pow(near_sun, 8.0f) + 0.16f * std::pow(near_sun, 64.0f));
    return blend(ground, colour, smooth(-0.06f, 0.0f, d.y)) * strength;
}

std::array<Vec3, 9> Sky::irradiance() const {
    // the integral over a grid of directions; the basis and cosine factors of the paper
    constexpr int rows = 64, columns = 128;
    constexpr float pi = std::numbers::pi_v<float>;
    std::array<Vec3, 9> sums{};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            const float theta = pi * (static_cast<float>(r) + 0.5f) / rows;
            const float phi = 2 * pi * (static_cast<float>(c) + 0.5f) / columns;
            const Vec3 d{std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
            const Vec3 light = radiance(d) * (std::sin(theta) * (pi / rows) * (2 * pi / columns));
            const float basis[9] = {0.282095f,
                                    0.488603f * d.y,
                                    0.488603f * d.z,
                                    0.488603f * d.x,
                                    1.092548f * d.x * d.y,
                                    1.092548f * d.y * d.z,
                                    0.315392f * (3 * d.z * d.z - 1),
                                    1.092548f * d.x * d.z,
                                    0.546274f * (d.x * d.x - d.y * d.y)};
            for (std::size_t i = 0; i < 9; ++i) sums[i] = sums[i] + light * basis[i];
        }
    constexpr float factors[9] = {1, 2 / 3.0f, 2 / 3.0f, 2 / 3.0f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f};
    for (std::size_t i = 0; i < 9; ++i) sums[i] = sums[i] * factors[i];
    return sums;
}

} // namespace scree::render
