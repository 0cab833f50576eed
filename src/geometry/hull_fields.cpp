// SPDX-License-Identifier: MIT
// hull_fields.cpp — see hull_fields.h.
#include "geometry/hull_fields.h"

#include "geometry/hull.h"

#include <array>
#include <set>

namespace scree::bytes {
namespace {

template <class Io, class Geometry>
void hull_fields(Io& io, Geometry& hull) {
    io.list(hull.vertices, "vertices");
    io.list(hull.planes, "planes");
    io.list(hull.face_start, "faces");
    io.list(hull.face_vertices, "vertices of faces");
    io.list(hull.edges, "edges");
    io(hull.centroid, hull.volume, hull.radius);
    for (auto& moment : hull.inertia) io(moment);
}

/// Whether every face is a polygon of its plane with the others behind it, and every edge is between two faces.
bool is_convex(const HullGeometry& hull) {
    const double near = 4 * hull_tolerance(hull.vertices);
    std::set<std::array<std::uint32_t, 3>> sides; // from, to, face
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const float* plane = &hull.planes[4 * std::size_t{f}];
        const auto above = [&](const Vec3& v) {
            return double{plane[0]} * v.x + double{plane[1]} * v.y + double{plane[2]} * v.z - plane[3];
        };
        if (!(std::abs(above({plane[0], plane[1], plane[2]}) + plane[3] - 1) < 1e-3)) return false;
        for (const Vec3& v : hull.vertices)
            if (!(above(v) <= near)) return false;
        const auto face = hull.face(f);
        for (std::size_t k = 0; k < face.size(); ++k) {
            if (!(above(hull.vertices[face[k]]) >= -near)) return false;
            sides.insert({face[k], face[k + 1 < face.size() ? k + 1 : 0], f});
        }
    }
    for (std::size_t e = 0; e < hull.edges.size(); e += 4)
        if (!sides.erase({hull.edges[e], hull.edges[e + 1], hull.edges[e + 2]}) ||
            !sides.erase({hull.edges[e + 1], hull.edges[e], hull.edges[e + 3]}))
            return false;
    return sides.empty();
}

} // namespace

void write_hull(FieldWriter& out, const HullGeometry& hull) { hull_fields(out, hull); }

std::shared_ptr<const HullGeometry> read_hull(FieldReader& in) {
    auto hull = std::make_shared<HullGeometry>();
    hull_fields(in, *hull);
    const std::size_t vertices = hull->vertices.size(), faces = hull->planes.size() / 4,
                      edges = hull->edges.size() / 4, corners = hull->face_vertices.size();
    const auto demand = [&](bool holds) {
        if (!holds) in.fail("a hull of " + std::to_string(vertices) + " vertices does not fit together");
    };
    demand(vertices >= 4 && vertices <= max_hull_vertices && faces >= 4 && faces <= max_hull_faces);
    demand(hull->planes.size() == 4 * faces && hull->edges.size() == 4 * edges);
    demand(vertices + faces == edges + 2 && corners == 2 * edges); // Euler
    demand(hull->face_start.size() == faces + 1 && hull->face_start[0] == 0 &&
           hull->face_start[faces] == corners);
    for (std::size_t f = 0; f < faces; ++f)
        demand(hull->face_start[f] <= corners && hull->face_start[f + 1] >= hull->face_start[f] + 3);
    for (const std::uint32_t v : hull->face_vertices) demand(v < vertices);
    for (std::size_t k = 0; k < hull->edges.size(); ++k)
        demand(hull->edges[k] < (k % 4 < 2 ? vertices : faces));
    demand(hull->volume > 0 && hull->radius > 0 && is_convex(*hull));
    return hull;
}

} // namespace scree::bytes
