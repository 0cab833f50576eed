// SPDX-License-Identifier: MIT
// tear.cpp — see tear.h. Computed on the host, so that every device tears alike.

#include "fabric/tear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree {
namespace {

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
    std::vector<Incident> incident(cloth.vertices.size());
    for (std::uint32_t t = 0; t < cloth.triangles.size(); ++t)
        for (const std::uint32_t v : cloth.triangles[t]) incident[v].triangles.push_back(t);
    for (std::uint32_t k = 0; k < cloth.lines.size(); ++k)
        for (const std::uint32_t v : cloth.lines[k]) incident[v].lines.push_back(k);

    std::vector<FabricTear> tears;
    std::vector<bool> done(cloth.vertices.size()); // in this step: its neighbours have just changed
    for (const auto& [stretch, e] : torn) {
        const auto [first, second] = plan.edges[e].vertex;
        if (done[first] || done[second]) continue;
        // where more of the cloth ends, a tear goes on
        const auto spread = [&](std::uint32_t v) {
            return incident[v].triangles.size() + incident[v].lines.size();
        };
        const bool turned = spread(second) < spread(first);
        for (const auto& [vertex, other] : {std::pair{turned ? second : first, turned ? first : second},
                                            std::pair{turned ? first : second, turned ? second : first}}) {
            const DVec3 way = at(position, other) - at(position, vertex);
            const Incident& of = incident[vertex];
            const auto triangles = towards(cloth.triangles, of.triangles, vertex, way, position);
            const auto lines = towards(cloth.lines, of.lines, vertex, way, position);
            const std::size_t moved = triangles.size() + lines.size();
            if (moved == 0 || moved == spread(vertex)) continue;
            const auto copy = static_cast<std::uint32_t>(cloth.vertices.size());
            for (const std::uint32_t t : triangles)
                std::replace(cloth.triangles[t].begin(), cloth.triangles[t].end(), vertex, copy);
            for (const std::uint32_t k : lines)
                std::replace(cloth.lines[k].begin(), cloth.lines[k].end(), vertex, copy);
            cloth.vertices.push_back(cloth.vertices[vertex]);
            tears.push_back({vertex, copy});
            done[first] = done[second] = true;
            for (const std::uint32_t t : of.triangles)
                for (const std::uint32_t v : cloth.triangles[t])
                    if (v < done.size()) done[v] = true;
            break;
        }
    }
    return tears;
}

} // namespace scree
