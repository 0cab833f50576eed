// SPDX-License-Identifier: MIT
// drawing.cpp — see drawing.h.
#include "impact2d/drawing.h"

#include <algorithm>
#include <cmath>

namespace scree::impact2d {
namespace {

using namespace kernels;

/// The corners of a body in the world, counter-clockwise; returns where it is.
FlatBody place_corners(const ImpactView& w, bool polygons, std::uint32_t body, std::vector<Flat>& corners) {
    corners.clear();
    if (polygons) {
        const FlatBody b = polygon_body(body, 0, w);
        for (int k = 0; k < b.count; ++k) corners.push_back(polygon_out(polygon_vertex(b.first, k, w), b));
        return b;
    }
    const real4 at = load4(w.place, body);
    for (int k = 0; k < circle_corners; ++k) {
        const float angle = 6.28318531f * static_cast<float>(k) / circle_corners;
        corners.push_back(flat2(at.x + at.w * std::cos(angle), at.y + at.w * std::sin(angle)));
    }
    FlatBody circle{};
    circle.x = at.x;
    circle.y = at.y;
    circle.c = 1;
    return circle;
}

/// Fills the pixels whose centres are inside, row by row between the edges that cross it. The quarters of the body's frame in which x and
/// y differ in sign are darker.
void fill(const std::vector<Flat>& corners, const FlatBody& body, std::array<std::uint8_t, 4> colour,
          Picture& picture) {
    std::array<std::uint8_t, 4> dark = colour;
    for (std::size_t k = 0; k < 3; ++k) dark[k] = static_cast<std::uint8_t>(colour[k] - 32);
    const auto place = [&](float at) {
        return (at + 0.5f) * 2 * picture.half / static_cast<float>(picture.side) - picture.half;
    };
    const float scale = static_cast<float>(picture.side) / (2 * picture.half);
    const auto pixel = [&](float x) { return (x + picture.half) * scale - 0.5f; };
    const auto most = static_cast<float>(picture.side - 1);
    float low = most, high = 0;
    for (const Flat& c : corners) {
        low = std::min(low, pixel(c.y));
        high = std::max(high, pixel(c.y));
    }
    for (float row = std::max(0.0f, std::ceil(low)); row <= std::min(most, high); ++row) {
        float left = most + 1, right = -1;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Flat a = corners[k], b = corners[(k + 1) % corners.size()];
            const float ya = pixel(a.y), yb = pixel(b.y);
            if ((ya > row) == (yb > row)) continue;
            const float x = pixel(a.x) + (pixel(b.x) - pixel(a.x)) * (row - ya) / (yb - ya);
            left = std::min(left, x);
            right = std::max(right, x);
        }
        for (float x = std::max(0.0f, std::ceil(left)); x <= std::min(most, right); ++x) {
            const Flat local = polygon_in(flat2(place(x), place(row)), body);
            const auto& tone = local.x * local.y < 0 ? dark : colour;
            std::copy(tone.begin(), tone.end(),
                      picture.pixels.begin() + 4 * (static_cast<std::ptrdiff_t>(row) * picture.side +
                                                    static_cast<std::ptrdiff_t>(x)));
        }
    }
}

} // namespace

void draw_on_host(const ImpactView& w, bool polygons, std::uint32_t bodies, Picture& picture) {
    picture.pixels.assign(static_cast<std::size_t>(picture.side) * static_cast<std::size_t>(picture.side) * 4,
                          0);
    std::vector<Flat> corners;
    for (std::uint32_t body = 0; body < bodies; ++body) {
        const FlatBody at = place_corners(w, polygons, body, corners);
        fill(corners, at, colour_of(body), picture);
    }
}

} // namespace scree::impact2d
