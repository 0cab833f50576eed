// SPDX-License-Identifier: MIT
// decompose_report.cpp — parts against the mesh they stand for, and their surfaces as a mesh.
#include "geometry/hull.h"
#include "geometry/piece.h"
#include "geometry/triangle_distance.h"
#include "scree/decompose.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

/// Below the surface of a hull; negative outside, where it is a lower bound of the distance.
double depth(const HullGeometry& hull, DVec3 p) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const float* plane = &hull.planes[4 * f];
        least = std::min(least, double{plane[3]} - dot(DVec3{plane[0], plane[1], plane[2]}, p));
    }
    return least;
}

double distance_to(const Hull& hull, const TriangleMesh& surface, DVec3 p) {
    if (depth(hull.geometry(), p) >= 0) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& t : surface.triangles)
        least =
            std::min(least, distance_to_triangle(p, wide(surface.vertices[t[0]]),
                                                 wide(surface.vertices[t[1]]), wide(surface.vertices[t[2]])));
    return least;
}

void check_parts(std::span<const Hull> parts, const char* where) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i]) throw Error("part " + std::to_string(i) + " is an empty hull", where);
}

} // namespace

TriangleMesh mesh_of(std::span<const Hull> parts) {
    check_parts(parts, "mesh_of");
    TriangleMesh out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const HullGeometry& hull = parts[i].geometry();
        const auto first = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.insert(out.vertices.end(), hull.vertices.begin(), hull.vertices.end());
        for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
            const auto loop = hull.face(f);
            for (std::size_t k = 2; k < loop.size(); ++k)
                out.triangles.push_back({first + loop[0], first + loop[k - 1], first + loop[k]});
        }
        out.parts.push_back("part_" + std::to_string(i));
        out.triangle_parts.resize(out.triangles.size(), static_cast<std::uint32_t>(i));
    }
    return out;
}

DecomposeReport compare(const TriangleMesh& mesh, std::span<const Hull> parts) {
    check_mesh(mesh, "compare");
    check_parts(parts, "compare");
    DecomposeReport out;
    TriangleMesh welded = mesh;
    repair(welded);
    const MeshReport report = inspect(welded);
    std::vector<TriangleMesh> surfaces;
    for (const Hull& part : parts) {
        out.parts_volume += part.geometry().volume;
        surfaces.push_back(mesh_of(std::span(&part, 1)));
    }
    for (const Vec3& v : welded.vertices) {
        double nearest = parts.empty() ? 0 : std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < parts.size() && nearest > 0; ++i)
            nearest = std::min(nearest, distance_to(parts[i], surfaces[i], wide(v)));
        out.uncovered = std::max(out.uncovered, nearest);
    }
    if (!report.closed || report.flipped_edges > 0) return out;
    out.mesh_volume = std::fabs(report.volume);

    Solid solid;
    for (const Vec3& v : welded.vertices) solid.points.push_back(wide(v));
    solid.triangles = welded.triangles;
    const DVec3 side = report.high - report.low;
    const double spacing = std::max({side.x, side.y, side.z}) / 40;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (const auto& t : surfaces[i].triangles) {
            const DVec3 a = wide(surfaces[i].vertices[t[0]]), b = wide(surfaces[i].vertices[t[1]]),
                        c = wide(surfaces[i].vertices[t[2]]);
            const double longest = std::max({length(b - a), length(c - b), length(a - c)});
            const int n = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, 12);
            for (int u = 0; u <= n; ++u)
                for (int v = 0; u + v <= n; ++v) {
                    const DVec3 p =
                        a + (static_cast<double>(u) / n) * (b - a) + (static_cast<double>(v) / n) * (c - a);
                    double nearest = std::numeric_limits<double>::infinity();
                    for (const auto& s : solid.triangles) {
                        nearest =
                            std::min(nearest, distance_to_triangle(p, solid.points[s[0]], solid.points[s[1]],
                                                                   solid.points[s[2]]));
                        if (nearest <= out.outside) break;
                    }
                    if (nearest > out.outside && solid.winding(p) == 0) out.outside = nearest;
                }
        }
    return out;
}

} // namespace scree
