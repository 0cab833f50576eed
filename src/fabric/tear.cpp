// SPDX-License-Identifier: MIT
// tear.cpp — see tear.h. Computed on the host, so that every device tears alike.

#include "fabric/tear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t edges_a_tear = 512; // in a step: what tears relieves what is beside it

DVec3 at(std::span<const float> position, std::uint32_t v) {
    const float* x = &position[4 * std::size_t{v}];
    return {x[0], x[1], x[2]};
}

double stretch_of(const FabricEdge& edge, std::span<const float> position) {
    return length(at(position, edge.vertex[1]) - at(position, edge.vertex[0])) / double{edge.rest} - 1;
}

/// Triangles and lines of each vertex.
struct Incident {
    std::vector<std::uint32_t> triangles, lines;
};

/// Those of a vertex whose other corners lie towards another one.
template <std::size_t n>
std::vector<std::uint32_t> towards(const std::vector<std::array<std::uint32_t, n>>& all,
                                   const std::vector<std::uint32_t>& of, std::uint32_t vertex,
                                   const DVec3& way, std::span<const float> position) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t k : of) {
        double ahead = 0;
        for (const std::uint32_t v : all[k]) ahead += dot(way, at(position, v) - at(position, vertex));
        if (ahead > 0) found.push_back(k);
    }
    return found;
}

std::vector<Incident> incident_of(const ClothDef& cloth) {
    std::vector<Incident> incident(cloth.vertices.size());
    for (std::uint32_t t = 0; t < cloth.triangles.size(); ++t)
        for (const std::uint32_t v : cloth.triangles[t]) incident[v].triangles.push_back(t);
    for (std::uint32_t k = 0; k < cloth.lines.size(); ++k)
        for (const std::uint32_t v : cloth.lines[k]) incident[v].lines.push_back(k);
    return incident;
}

/// Makes a copy of the vertex for these; returns its number.
std::uint32_t doubled(ClothDef& cloth, std::uint32_t vertex, const std::vector<std::uint32_t>& triangles,
                      const std::vector<std::uint32_t>& lines) {
    const auto copy = static_cast<std::uint32_t>(cloth.vertices.size());
    const auto change = [&](auto& corners) { std::replace(corners.begin(), corners.end(), vertex, copy); };
    for (const std::uint32_t t : triangles) change(cloth.triangles[t]);
    for (const std::uint32_t k : lines) change(cloth.lines[k]);
    cloth.vertices.push_back(cloth.vertices[vertex]);
    return copy;
}

/// Pieces that hang together by one vertex alone are torn there too.
void part_corners(ClothDef& cloth, const std::set<std::uint32_t>& around, std::vector<FabricTear>& tears) {
    const std::vector<Incident> incident = incident_of(cloth);
    for (const std::uint32_t vertex : around) {
        std::vector<std::uint32_t> left = incident[vertex].triangles;
        for (bool first = true; !left.empty(); first = false) {
            // what hangs together with the first of them, by edges
            std::vector<std::uint32_t> piece{left.front()};
            std::set<std::uint32_t> corners(cloth.triangles[left.front()].begin(),
                                            cloth.triangles[left.front()].end());
            left.erase(left.begin());
            for (std::size_t k = 0; k < left.size();) {
                const auto& of = cloth.triangles[left[k]];
                const bool joined = std::any_of(of.begin(), of.end(), [&](std::uint32_t v) {
                    return v != vertex && corners.contains(v);
                });
                if (!joined) {
                    ++k;
                    continue;
                }
                corners.insert(of.begin(), of.end());
                piece.push_back(left[k]);
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
                k = 0;
            }
            if (!first) tears.push_back({vertex, doubled(cloth, vertex, piece, {})});
        }
    }
}

} // namespace

bool tears(const ClothDef& cloth, const FabricPlan& plan, std::span<const float> position) {
    if (std::isinf(cloth.material.tear)) return false;
    return std::any_of(plan.edges.begin(), plan.edges.end(), [&](const FabricEdge& edge) {
        return stretch_of(edge, position) > double{cloth.material.tear};
    });
}

std::vector<FabricTear> tear(ClothDef& cloth, const FabricPlan& plan, std::span<const float> position) {
    std::vector<std::pair<double, std::size_t>> torn; // the most stretched first, then in order
    for (std::size_t e = 0; e < plan.edges.size(); ++e)
        if (const double stretch = stretch_of(plan.edges[e], position); stretch > double{cloth.material.tear})
            torn.emplace_back(-stretch, e);
    std::sort(torn.begin(), torn.end());
    const std::vector<Incident> incident = incident_of(cloth);
    const auto parts = [&](std::uint32_t v) {
        return incident[v].triangles.size() + incident[v].lines.size();
    };

    std::vector<FabricTear> tears;
    std::set<std::uint32_t> around; // vertices whose triangles have come apart
    const std::size_t most = 1 + plan.edges.size() / edges_a_tear;
    for (const auto& [stretch, e] : torn) {
        if (tears.size() == most) break;
        const auto [first, second] = plan.edges[e].vertex;
        if (around.contains(first) || around.contains(second)) continue;
        // a tear goes on where it has begun
        const bool turned = parts(second) < parts(first);
        for (const bool other_end : {turned, !turned}) {
            const std::uint32_t vertex = other_end ? second : first, other = other_end ? first : second;
            const DVec3 way = at(position, other) - at(position, vertex);
            const Incident& of = incident[vertex];
            const auto triangles = towards(cloth.triangles, of.triangles, vertex, way, position);
            const auto lines = towards(cloth.lines, of.lines, vertex, way, position);
            const std::size_t moved = triangles.size() + lines.size();
            if (moved == 0 || moved == parts(vertex)) continue;
            for (const std::uint32_t t : of.triangles)
                around.insert(cloth.triangles[t].begin(), cloth.triangles[t].end());
            around.insert({first, second});
            tears.push_back({vertex, doubled(cloth, vertex, triangles, lines)});
            around.insert(tears.back().copy);
            break;
        }
    }
    if (!tears.empty()) part_corners(cloth, around, tears);
    return tears;
}

} // namespace scree
