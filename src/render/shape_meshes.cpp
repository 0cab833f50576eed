// SPDX-License-Identifier: MIT
// shape_meshes.cpp — see shape_meshes.h; and the other small things of renderer.h.
#include "render/shape_meshes.h"

#include "render/linear.h"
#include "render/renderer.h"
#include "scree/error.h"

#include <cmath>
#include <numbers>
#include <string>

namespace scree::render {

float polygon_error(int segments) {
    const float step = 2 * std::numbers::pi_v<float> / static_cast<float>(segments);
    const float corner = std::sqrt(step / std::sin(step));
    return std::max(corner - 1, 1 - corner * std::cos(step / 2));
}

float sphere_error(int level) {
    const MeshData mesh = meshes::sphere(level);
    const auto at = [&](std::uint32_t i) {
        const auto& p = mesh.vertices[i].position;
        return Vec3{p[0], p[1], p[2]};
    };
    float worst = length(at(0)) - 1;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        worst = std::max(
            worst, 1 - length((at(mesh.indices[i]) + at(mesh.indices[i + 1]) + at(mesh.indices[i + 2])) *
                              (1 / 3.0f)));
    return worst;
}

LodMesh make_shape_mesh(MeshStore& store, int shape) {
    LodMesh mesh;
    const auto add = [&](const MeshData& data, float error) {
        mesh.levels.push_back({store.add(data), error});
    };
    constexpr int around[] = {48, 24, 16, 8};
    const auto add_point = [&](Vec3 areas) {
        add(meshes::point(meshes::PointForm::round, areas), point_error);
    };
    constexpr float pi = std::numbers::pi_v<float>;
    switch (shape) {
    case 0:
        for (int level = 4; level >= -1; --level)
            add(meshes::sphere(level), level == 4 ? 0 : sphere_error(level));
        add_point({pi, pi, pi});
        break;
    case 1:
        for (const int segments : around)
            add(meshes::capsule(segments), segments == around[0] ? 0 : polygon_error(segments));
        add_point({pi, pi, pi});
        break;
    case 2:
        // without rounded edges a box is off by the bevel, which is at most 0.04 of its size
        add(meshes::box(true), 0);
        add(meshes::facing_box(), 0.02f);
        add(meshes::point(meshes::PointForm::faces, {4, 4, 4}), point_error);
        break;
    case 3:
        for (const int segments : around)
            add(meshes::cylinder(segments, segments >= 24),
                segments == around[0] ? 0 : std::max(polygon_error(segments), segments >= 24 ? 0.0f : 0.02f));
        add_point({4, pi, 4});
        break;
    case 4:
        for (const int segments : around)
            add(meshes::cone(segments), segments == around[0] ? 0 : polygon_error(segments));
        add_point({2, pi, 2});
        break;
    default:
        add(meshes::plane(), 0);
        break;
    }
    return mesh;
}

// lines ----------------------------------------------------------------------------------------------------------------

void LineList::add(Vec3 from, Vec3 to, std::uint32_t colour, bool over) {
    auto& list = over ? over_ : within_;
    list.push_back({{from.x, from.y, from.z}, colour});
    list.push_back({{to.x, to.y, to.z}, colour});
}

void LineList::box(const Bounds& b, std::uint32_t colour, bool over) {
    const auto corner = [&](int i) {
        return Vec3{i & 1 ? b.high.x : b.low.x, i & 2 ? b.high.y : b.low.y, i & 4 ? b.high.z : b.low.z};
    };
    for (int i = 0; i < 8; ++i)
        for (const int axis : {1, 2, 4})
            if (!(i & axis)) add(corner(i), corner(i | axis), colour, over);
}

void LineList::cross(Vec3 c, float size, std::uint32_t colour, bool over) {
    for (const Vec3 axis : {Vec3{size, 0, 0}, {0, size, 0}, {0, 0, size}})
        add(c - axis, c + axis, colour, over);
}

void LineList::clear() {
    within_.clear();
    over_.clear();
}

// pictures ---------------------------------------------------------------------------------------------------------------

PictureTarget::PictureTarget(Backend& backend, int width, int height)
    : backend_(backend), width_(width), height_(height) {
    const int most = backend.max_texture_size();
    if (width < 1 || height < 1 || width > most || height > most)
        throw Error("invalid value \"" + std::to_string(width) + "x" + std::to_string(height) +
                        "\": expected 1x1 to " + std::to_string(most) + "x" + std::to_string(most),
                    "size");
    const TextureId colour = backend.create_texture({TextureFormat::rgba8, width, height});
    colour_ = {backend, colour};
    target_ = {backend, backend.create_target(std::span(&colour, 1), {})};
}

} // namespace scree::render
