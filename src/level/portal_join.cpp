// SPDX-License-Identifier: MIT
// portal_join.cpp — see portal_join.h. The same rule as for cells (cell_merge.cpp), one dimension lower.
#include "level/portal_join.h"

#include "level/plane_table.h"

#include <algorithm>
#include <optional>

namespace scree {
namespace {

/// Whether all corners are inside of the polygon's edges, that with number `except` aside.
bool inside(const ExactPolygon& polygon, std::size_t except, const std::vector<ExactCorner>& corners) {
    for (std::size_t k = 0; k < polygon.edges.size(); ++k)
        if (k != except && !std::all_of(corners.begin(), corners.end(), [&](const ExactCorner& corner) {
                return side_of(*polygon.edges[k], corner) <= 0;
            }))
            return false;
    return true;
}

/// The union of a and b along a's edge i and b's edge j, which run in opposite directions.
ExactPolygon joined(const ExactPolygon& a, std::size_t i, const ExactPolygon& b, std::size_t j) {
    ExactPolygon out;
    out.plane = a.plane;
    const auto add = [&](const ExactCorner& corner, const ExactPlane* edge) {
        if (!out.edges.empty() && out.edges.back() == edge) return; // goes on straight
        out.corners.push_back(corner);
        out.edges.push_back(edge);
    };
    const std::size_t n = a.corners.size(), m = b.corners.size();
    for (std::size_t k = 1; k < n; ++k) add(a.corners[(i + k) % n], a.edges[(i + k) % n]);
    for (std::size_t k = 1; k < m; ++k) add(b.corners[(j + k) % m], b.edges[(j + k) % m]);
    if (out.edges.size() > 1 && out.edges.front() == out.edges.back()) {
        out.corners.front() = out.corners.back();
        out.corners.pop_back();
        out.edges.pop_back();
    }
    return out;
}

std::optional<ExactPolygon> join(const ExactPolygon& a, const ExactPolygon& b) {
    for (std::size_t i = 0; i < a.edges.size(); ++i)
        for (std::size_t j = 0; j < b.edges.size(); ++j) {
            if (a.edges[i] == b.edges[j] || !PlaneTable::same(a.edges[i], b.edges[j])) continue;
            if (!inside(a, i, b.corners) || !inside(b, j, a.corners)) continue;
            ExactPolygon out = joined(a, i, b, j);
            if (out.corners.size() >= 3) return out;
        }
    return std::nullopt;
}

} // namespace

void join_polygons(std::vector<ExactPolygon>& polygons) {
    for (std::size_t i = 0; i < polygons.size(); ++i)
        for (std::size_t k = 0; k < polygons.size(); ++k) {
            if (k == i) continue;
            const auto both = join(polygons[i], polygons[k]);
            if (!both) continue;
            polygons[i] = *both;
            polygons.erase(polygons.begin() + static_cast<std::ptrdiff_t>(k));
            if (k < i) --i;
            k = static_cast<std::size_t>(-1); // the larger one against all others again
        }
}

} // namespace scree
