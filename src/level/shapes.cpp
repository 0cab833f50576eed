// SPDX-License-Identifier: MIT
// shapes.cpp — a level in a world: y up, in metres, as fixed shapes.
//
// A shape's frame is in the middle of its brush, so that single precision is spent on the brush and not on where it is.
#include "level/material_name.h"
#include "scree/error.h"
#include "scree/level.h"
#include "scree/mesh.h"
#include "scree/triangle_mesh.h"
#include "text/checks.h"

#include <type_traits>

namespace scree {
namespace {

/// Beyond them Hull::from_points refuses.
constexpr std::size_t most_hull_vertices = 128, most_hull_faces = 128;

struct Middle {
    Vec3 position;
    float scale;
    Vec3 local(DVec3 at) const { return narrow(from_map(at, scale) - DVec3(position)); }
};

Middle middle_of(DVec3 low, DVec3 high, float scale) {
    return {narrow(from_map((low + high) / 2, scale)), scale};
}

Geometry brush_geometry(const LevelBrush& brush, const Middle& frame) {
    TriangleMesh mesh;
    for (const DVec3& vertex : brush.vertices) mesh.vertices.push_back(frame.local(vertex));
    if (brush.vertices.size() <= most_hull_vertices && brush.faces.size() <= most_hull_faces)
        return Hull::from_points(mesh.vertices);
    for (const LevelFace& face : brush.faces)
        for (std::size_t k = 2; k < face.corners.size(); ++k)
            mesh.triangles.push_back({face.corners[0], face.corners[k - 1], face.corners[k]});
    repair(mesh);
    return Mesh::from_triangles(mesh, {.threads = 1});
}

Geometry patch_geometry(const LevelPatch& patch, const Middle& frame) {
    TriangleMesh mesh;
    for (const DVec3& vertex : patch.vertices) mesh.vertices.push_back(frame.local(vertex));
    mesh.triangles = patch.triangles;
    repair(mesh);
    return Mesh::from_triangles(mesh, {.two_sided = true, .threads = 1});
}

/// The material by which a brush is known: the first that is seen.
std::uint32_t material_of(const Level& level, const LevelBrush& brush) {
    for (const LevelFace& face : brush.faces)
        if (!draws_nothing(level.materials[face.material])) return face.material;
    return brush.faces[0].material;
}

/// Those of a level's brushes and patches that `wanted` chooses.
std::vector<LevelShape> shapes_of(const Level& level, float scale, std::vector<std::string>* left_out,
                                  const auto& wanted) {
    check_positive(scale, "level_shapes: scale");
    std::vector<LevelShape> shapes;
    const auto add = [&](const char* what, std::uint32_t entity, std::uint32_t number, const auto& make) {
        try {
            shapes.push_back(make());
        } catch (const Error& error) {
            if (!left_out) return;
            left_out->push_back(level.file + ": " + what + " " + std::to_string(number) + " of entity " +
                                std::to_string(entity) + " left out: " + error.what());
        }
    };
    for (const LevelBrush& brush : level.brushes)
        if (wanted(brush))
            add("brush", brush.entity, brush.brush, [&] {
                const Middle frame = middle_of(brush.low, brush.high, scale);
                return LevelShape{brush_geometry(brush, frame), frame.position, material_of(level, brush)};
            });
    for (const LevelPatch& patch : level.patches)
        if (wanted(patch))
            add("patch", patch.entity, patch.patch, [&] {
                DVec3 low = patch.vertices[0], high = low;
                for (const DVec3& vertex : patch.vertices) low = min(low, vertex), high = max(high, vertex);
                const Middle frame = middle_of(low, high, scale);
                return LevelShape{patch_geometry(patch, frame), frame.position, patch.material};
            });
    return shapes;
}

} // namespace

DVec3 from_map(DVec3 at, float scale) { return {at.x * scale, at.z * scale, 0 - at.y * scale}; }

std::vector<LevelShape> level_shapes(const Level& level, float scale, std::vector<std::string>* left_out) {
    return shapes_of(level, scale, left_out, [](const auto& one) { return one.solid; });
}

std::vector<LevelShape> entity_shapes(const Level& level, std::uint32_t entity, float scale,
                                      std::vector<std::string>* left_out) {
    return shapes_of(level, scale, left_out, [&](const auto& one) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one)>, LevelBrush>)
            if (one.entity == entity && marks_origin(level.materials[one.faces[0].material])) return false;
        return one.entity == entity;
    });
}

} // namespace scree
