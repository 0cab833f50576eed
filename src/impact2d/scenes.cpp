// SPDX-License-Identifier: MIT
// scenes.cpp — see scenes.h. A body has a square cell of its own at the start, of side 2, and may reach nearly to its border.
#include "impact2d/scenes.h"

#include <cmath>
#include <limits>
#include <random>

namespace scree::impact2d {
namespace {

constexpr float pi = 3.14159265f;

class Draw {
public:
    explicit Draw(std::uint32_t seed) : engine_(seed) {}
    /// The distributions of the standard library differ between systems, its engines do not.
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(engine_() >> 8) / 16777216.0f;
    }

private:
    std::mt19937 engine_;
};

std::uint32_t side_of(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count))));
}

Vec2 cell(std::uint32_t number, std::uint32_t side) {
    const std::uint32_t column = number % side, row = number / side;
    const float middle = static_cast<float>(side) - 1;
    return {2 * static_cast<float>(column) - middle, 2 * static_cast<float>(row) - middle};
}

} // namespace

CircleScene circle_scene(std::uint32_t count, std::uint32_t seed) {
    Draw draw(seed);
    const std::uint32_t side = side_of(count);
    CircleScene scene;
    scene.limit = static_cast<float>(side);
    for (std::uint32_t k = 0; k < count; ++k) {
        const float radius = draw.between(0.3f, 0.9f);
        const Vec2 at = cell(k, side);
        const Vec2 velocity{draw.between(-0.2f, 0.2f), draw.between(-0.2f, 0.2f)};
        scene.circles.push_back({at, velocity, radius, pi * radius * radius});
    }
    return scene;
}

std::vector<StagedPolygon> polygon_scene(std::uint32_t count, std::uint32_t seed) {
    constexpr int kinds[] = {3, 4, 5, 6, 8};
    Draw draw(seed);
    const std::uint32_t side = side_of(count);
    std::vector<StagedPolygon> all;
    for (std::uint32_t k = 0; k < count; ++k) {
        StagedPolygon p;
        const int vertices = kinds[k % 5];
        const float radius = draw.between(0.4f, 0.9f);
        p.vertices = regular_polygon(vertices, radius);
        p.position = cell(k, side);
        p.angle = draw.between(-pi, pi);
        const float vx = draw.between(-0.2f, 0.2f);
        p.velocity = {vx, draw.between(-0.2f, 0.2f)};
        p.angular_velocity = draw.between(-0.2f, 0.2f);
        p.mass =
            static_cast<float>(0.5 * vertices * radius * radius * std::sin(6.283185307179586 / vertices));
        all.push_back(p);
    }
    const float half = static_cast<float>(side), thick = 1;
    for (int wall = 0; wall < 4; ++wall) {
        StagedPolygon p;
        const bool upright = wall < 2;
        const float sign = wall % 2 == 0 ? -1.0f : 1.0f;
        const float x = upright ? thick : half + 2 * thick, y = upright ? half : thick;
        p.vertices = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
        p.position = upright ? Vec2{sign * (half + thick), 0} : Vec2{0, sign * (half + thick)};
        p.mass = std::numeric_limits<float>::infinity();
        all.push_back(p);
    }
    return all;
}

} // namespace scree::impact2d
