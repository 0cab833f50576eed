// SPDX-License-Identifier: MIT
// shadow_maps.cpp — see shadow_maps.h.
#include "render/shadow_maps.h"

#include <cmath>

namespace scree::render {

float shadow_reach(const Camera& camera, const Bounds& casters) {
    if (casters.empty()) return 1;
    return std::max(length(casters.centre() - camera.eye) + casters.radius(), camera.near_plane * 4);
}

Cascades sun_cascades(const Camera& camera, float aspect, Vec3 to_sun, const Bounds& casters, int count,
                      float distance, int size) {
    Cascades cascades;
    count = std::min(count, static_cast<int>(cascades.list.size()));
    const Vec3 sun = normalized(to_sun);
    const Mat4 turn = look_at(sun, {}, std::abs(sun.y) > 0.99f ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    const auto in_light = [&](Vec3 p) {
        const Vec4 q = turn * Vec4{p.x, p.y, p.z, 0};
        return Vec3{q.x, q.y, q.z};
    };
    // the casters' footprint: outside it nothing is in shadow
    Bounds footprint;
    for (int i = 0; i < 8 && !casters.empty(); ++i)
        footprint.add(
            in_light({i & 1 ? casters.high.x : casters.low.x, i & 2 ? casters.high.y : casters.low.y,
                      i & 4 ? casters.high.z : casters.low.z}));
    if (footprint.empty()) footprint.add({}, 1);
    const float whole =
        std::max(footprint.high.x - footprint.low.x, footprint.high.y - footprint.low.y) * 0.5f * 1.03f +
        1e-3f;

    const Vec3 forward = normalized(camera.target - camera.eye);
    const float near_plane = camera.near_plane, far_plane = std::max(distance, near_plane * 1.01f);
    const float tan_y = std::tan(camera.fov_y / 2), corner = tan_y * std::sqrt(1 + aspect * aspect);
    float begin = near_plane;
    for (int i = 0; i < count; ++i) {
        const float share = static_cast<float>(i + 1) / static_cast<float>(count);
        const float logarithmic = near_plane * std::pow(far_plane / near_plane, share);
        const float end = 0.6f * logarithmic + 0.4f * (near_plane + (far_plane - near_plane) * share);
        // the smallest sphere around the slice: its centre lies on the axis, as far from the near as from the far corners
        const float middle = std::min((begin + end) * 0.5f * (1 + corner * corner), end);
        const float from_far = std::sqrt((end - middle) * (end - middle) + end * end * corner * corner);
        const float from_near =
            std::sqrt((middle - begin) * (middle - begin) + begin * begin * corner * corner);
        float radius = std::max(from_far, from_near);
        Vec3 centre = in_light(camera.eye + forward * middle);
        const bool everything = whole <= radius;
        if (everything) {
            radius = whole;
            centre.x = (footprint.low.x + footprint.high.x) / 2;
            centre.y = (footprint.low.y + footprint.high.y) / 2;
        }
        // room for the filter, and sizes in steps so that they stay equal from frame to frame
        radius = std::exp2(std::ceil(std::log2(radius * 1.02f) * 8) / 8);
        const float texel = 2 * radius / static_cast<float>(size);
        centre.x = std::floor(centre.x / texel) * texel;
        centre.y = std::floor(centre.y / texel) * texel;
        // looking along -z: what is nearest to the sun has the greatest z
        const float slack = 0.05f * (footprint.high.z - footprint.low.z) + 0.1f;
        // `turn` moves the origin to the sun's unit vector; undo it
        Mat4 shift;
        shift.at(0, 3) = sun.x, shift.at(1, 3) = sun.y, shift.at(2, 3) = sun.z;
        const Mat4 clip =
            orthographic(centre.x - radius, centre.x + radius, centre.y - radius, centre.y + radius,
                         -(footprint.high.z + slack), -(footprint.low.z - slack));
        cascades.list[static_cast<std::size_t>(cascades.count++)] = {clip * turn * shift, texel};
        if (everything) break;
        begin = end;
    }
    return cascades;
}

namespace {

// by face of a light's cube: what becomes u, v and the depth
constexpr Vec3 cube_u[6] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {-1, 0, 0}};
constexpr Vec3 cube_v[6] = {{0, 1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {0, 1, 0}};
constexpr Vec3 cube_depth[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
constexpr float near_share = 0.01f; // of the radius: nothing closer casts

} // namespace

Sight cube_sight(Vec3 light, float radius, int face) {
    return {light, cube_depth[face], cube_v[face], 1, 1, radius * near_share, 2.0f / light_tile};
}

Mat4 cube_face(Vec3 light, float radius, int face) {
    const float n = radius * near_share, f = radius;
    Mat4 m;
    const auto row = [&](int r, Vec3 a, float scale, float offset) {
        m.at(r, 0) = a.x * scale, m.at(r, 1) = a.y * scale, m.at(r, 2) = a.z * scale;
        m.at(r, 3) = offset - dot(a, light) * scale;
    };
    row(0, cube_u[face], 1, 0);
    row(1, cube_v[face], 1, 0);
    row(2, cube_depth[face], (f + n) / (f - n), -2 * f * n / (f - n));
    row(3, cube_depth[face], 1, 0);
    return m;
}

Mat4 texture_matrix(const Mat4& clip) {
    Mat4 half;
    for (int i = 0; i < 3; ++i) half.at(i, i) = 0.5f, half.at(i, 3) = 0.5f;
    return half * clip;
}

} // namespace scree::render
