// SPDX-License-Identifier: MIT
// shadow_maps.h — where the sun's cascades and the lights' cube faces look from.
#pragma once

#include "render/camera.h"
#include "render/level_view.h"
#include "render/linear.h"

#include <array>

namespace scree::render {

struct Cascade {
    Mat4 matrix;     ///< world to clip space
    float texel = 0; ///< m
};

struct Cascades {
    std::array<Cascade, 4> list;
    int count = 0;
};

/// Spheres around slices of the view, snapped to texels so that shadows do not crawl when the camera moves; none larger than
/// what casts: at most `count` of them, and at most 4, fewer when one already takes in everything. `casters` are the bounds
/// of what can throw a shadow.
Cascades sun_cascades(const Camera& camera, float aspect, Vec3 to_sun, const Bounds& casters, int count,
                      float distance, int size);
/// Distance of the farthest shadow: the far side of the casters.
float shadow_reach(const Camera& camera, const Bounds& casters);

constexpr int light_tile = 512; ///< texels of a cube face's side

/// Face 0 … 5 of the cube around a light: +x -x +y -y +z -z; the twin is point_light_shadow() in shadows.glsl.
Mat4 cube_face(Vec3 light, float radius, int face);

/// The same face for LevelView.
Sight cube_sight(Vec3 light, float radius, int face);

/// Clip space to 0 … 1.
Mat4 texture_matrix(const Mat4& clip);

} // namespace scree::render
