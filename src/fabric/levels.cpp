// SPDX-License-Identifier: MIT
// levels.cpp — see levels.h.

#include "fabric/levels.h"

#include "fabric/colour.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr std::size_t coarsest = 64;  // vertices; a level below that brings less than its launches cost
constexpr std::size_t most_links = 8; // of a vertex, and those that others have with it
constexpr double far = std::numeric_limits<double>::infinity();

DVec3 at(const ClothDef& cloth, std::uint32_t v) { return wide(cloth.vertices[v]); }

struct Near {
    std::uint32_t vertex;
    double length;
    /// by length, then number: the same everywhere
    friend bool operator<(const Near& a, const Near& b) {
        return a.length != b.length ? a.length < b.length : a.vertex < b.vertex;
    }
};
using Graph = std::vector<std::vector<Near>>;

Graph graph_of(std::size_t vertices, const std::vector<FabricWay>& ways) {
    Graph graph(vertices);
    for (const FabricWay& way : ways) {
        graph[way.vertex[0]].push_back({way.vertex[1], way.length});
        graph[way.vertex[1]].push_back({way.vertex[0], way.length});
    }
    for (auto& list : graph) std::sort(list.begin(), list.end());
    return graph;
}

constexpr std::uint32_t not_chosen = 0xffffffffu;

/// A largest set without neighbours, by number, the held ones first: numbers of the chosen in the coarser level.
std::vector<std::uint32_t> choose(const Graph& graph, const std::vector<bool>& held) {
    std::vector<bool> taken(graph.size()), chosen(graph.size());
    for (const bool first : {true, false})
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            if (taken[v] || held[v] != first) continue;
            chosen[v] = taken[v] = true;
            for (const Near& near : graph[v]) taken[near.vertex] = true;
        }
    std::vector<std::uint32_t> number(graph.size(), not_chosen);
    std::uint32_t count = 0;
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        if (chosen[v]) number[v] = count++;
    return number;
}

/// The chosen vertices near each one, by distance.
Graph chosen_near(const Graph& graph, const std::vector<std::uint32_t>& number) {
    Graph near(graph.size());
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        if (number[v] != not_chosen) near[v].push_back({number[v], 0});
        else
            for (const Near& each : graph[v])
                if (number[each.vertex] != not_chosen) near[v].push_back({number[each.vertex], each.length});
    }
    return near;
}

FabricBlend blend_of(const std::vector<Near>& near) {
    FabricBlend blend{};
    const std::size_t count = std::min<std::size_t>(near.size(), blend.vertex.size());
    blend.vertex.fill(near[0].vertex);
    if (near[0].length == 0) {
        blend.weight[0] = 1;
        return blend;
    }
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += 1 / near[k].length;
    for (std::size_t k = 0; k < count; ++k) {
        blend.vertex[k] = near[k].vertex;
        blend.weight[k] = static_cast<float>(1 / (near[k].length * sum));
    }
    return blend;
}

double length_to(const std::vector<Near>& near, std::uint32_t vertex) {
    for (const Near& each : near)
        if (each.vertex == vertex) return each.length;
    return far;
}

/// Ways between chosen vertices: over one vertex that is near both, straight across a way between two such, or, where there is
/// neither, over two vertices.
std::vector<FabricWay> coarser_ways(const Graph& graph, const Graph& near, std::size_t chosen) {
    std::vector<FabricWay> ways;
    const auto offer = [&](std::uint32_t a, std::uint32_t b, double length) {
        if (a != b && length < far) ways.push_back({{std::min(a, b), std::max(a, b)}, length});
    };
    const auto keep_shortest = [&] {
        std::sort(ways.begin(), ways.end(), [](const FabricWay& a, const FabricWay& b) {
            return a.vertex != b.vertex ? a.vertex < b.vertex : a.length < b.length;
        });
        ways.erase(std::unique(ways.begin(), ways.end(),
                               [](const FabricWay& a, const FabricWay& b) { return a.vertex == b.vertex; }),
                   ways.end());
    };
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        for (std::size_t i = 0; i < near[v].size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                offer(near[v][i].vertex, near[v][j].vertex, near[v][i].length + near[v][j].length);
        for (const Near& other : graph[v]) {
            if (other.vertex <= v) continue;
            for (const Near& a : near[v])
                for (const Near& b : near[v]) {
                    const double da = length_to(near[other.vertex], a.vertex);
                    const double db = length_to(near[other.vertex], b.vertex);
                    if (a.vertex < b.vertex && da < far && db < far)
                        offer(a.vertex, b.vertex, unfolded(a.length, da, b.length, db, other.length));
                }
        }
    }
    keep_shortest();
    std::vector<FabricWay> direct = std::move(ways);
    ways.clear();
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        for (const Near& other : graph[v]) {
            const Near &a = near[v][0], &b = near[other.vertex][0];
            if (other.vertex <= v || a.vertex == b.vertex) continue;
            const std::array<std::uint32_t, 2> ends{std::min(a.vertex, b.vertex),
                                                    std::max(a.vertex, b.vertex)};
            const auto at = std::lower_bound(
                direct.begin(), direct.end(), ends,
                [](const FabricWay& way, const std::array<std::uint32_t, 2>& e) { return way.vertex < e; });
            if (at == direct.end() || at->vertex != ends)
                offer(a.vertex, b.vertex, a.length + other.length + b.length);
        }
    ways.insert(ways.end(), direct.begin(), direct.end());
    keep_shortest();
    // the shortest of each vertex
    const Graph all = graph_of(chosen, ways);
    std::erase_if(ways, [&](const FabricWay& way) {
        const auto among = [&](std::uint32_t from, std::uint32_t to) {
            const auto& list = all[from];
            return list.size() <= most_links || !(list[most_links - 1] < Near{to, way.length});
        };
        return !among(way.vertex[0], way.vertex[1]) && !among(way.vertex[1], way.vertex[0]);
    });
    return ways;
}

/// A level before it is one.
struct Coarsened {
    std::vector<std::uint32_t> vertex; ///< of the cloth
    std::vector<bool> held;
    std::vector<FabricBlend> blend; ///< of the finer one
    std::vector<FabricWay> ways;
};

Coarsened coarsened(const Coarsened& finer, const ClothDef& cloth) {
    const Graph graph = graph_of(finer.vertex.size(), finer.ways);
    const std::vector<std::uint32_t> number = choose(graph, finer.held);
    const Graph near = chosen_near(graph, number);
    Coarsened out;
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        out.blend.push_back(blend_of(near[v]));
        if (number[v] == not_chosen) continue;
        out.vertex.push_back(finer.vertex[v]);
        out.held.push_back(finer.held[v]);
    }
    out.ways = coarser_ways(graph, near, out.vertex.size());
    // longer ways of others may have made one too short
    for (FabricWay& way : out.ways)
        way.length = std::max(
            way.length, length(at(cloth, out.vertex[way.vertex[1]]) - at(cloth, out.vertex[way.vertex[0]])));
    return out;
}

/// The level's vertices as means of the finer one, of which `mass` are masses and `place` where they rest; both become the level's.
std::vector<DVec3> add_means(FabricLevel& level, std::vector<double>& mass, const std::vector<DVec3>& place,
                             const ClothDef& cloth, const std::vector<bool>& held) {
    const std::size_t count = level.vertex.size();
    std::vector<std::vector<FabricShare>> shares(count);
    std::vector<double> sum(count);
    for (std::uint32_t v = 0; v < level.blend.size(); ++v)
        for (std::size_t k = 0; k < 4; ++k) {
            const auto [c, weight] =
                std::pair{level.blend[v].vertex[k], double{level.blend[v].weight[k]} * mass[v]};
            if (!(weight > 0)) continue;
            sum[c] += weight;
            shares[c].push_back({v, static_cast<float>(weight)});
        }
    std::vector<DVec3> means;
    for (std::size_t c = 0; c < count; ++c) {
        DVec3 mean{};
        level.first_share.push_back(static_cast<std::uint32_t>(level.shares.size()));
        for (const FabricShare& share : shares[c]) {
            const double weight = double{share.weight} / sum[c];
            mean = mean + place[share.vertex] * weight;
            level.shares.push_back({share.vertex, static_cast<float>(weight)});
        }
        means.push_back(held[c] ? at(cloth, level.vertex[c]) : mean);
    }
    level.first_share.push_back(static_cast<std::uint32_t>(level.shares.size()));
    mass = std::move(sum);
    level.mass.assign(mass.begin(), mass.end());
    return means;
}

std::vector<DVec3> normals_of(const ClothDef& cloth) {
    std::vector<DVec3> normal(cloth.vertices.size());
    for (const auto& [a, b, c] : cloth.triangles) {
        const DVec3 across = cross(at(cloth, b) - at(cloth, a), at(cloth, c) - at(cloth, a));
        for (const std::uint32_t v : {a, b, c}) normal[v] = normal[v] + across;
    }
    for (DVec3& each : normal)
        if (const double size = length(each); size > 0) each = each * (1 / size);
    return normal;
}

/// How far a mean is ahead of its vertex on the way to another: at the border of a cloth. Across the cloth does not count: means
/// of bent cloth are off it, and it may be laid flat.
double ahead(const DVec3& vertex, const DVec3& other, const DVec3& mean, const DVec3& normal) {
    DVec3 along = other - vertex;
    along = along - normal * dot(normal, along);
    const double size = length(along);
    return size > 0 ? dot(mean - vertex, along) / size : 0;
}

/// Springs of an isotropic membrane, as of edges (plan.cpp): three times the area in all, of a rope once the length.
void add_links(FabricLevel& level, const std::vector<FabricWay>& ways, const ClothDef& cloth) {
    std::vector<double> part(level.mass.size());
    for (const FabricWay& way : ways)
        for (const std::uint32_t v : way.vertex) part[v] += 1;
    for (std::size_t v = 0; v < part.size(); ++v)
        part[v] = (cloth.triangles.empty() ? 1 : 3) * double{level.mass[v]} /
                  (double{cloth.material.density} * std::max(part[v], 1.0));
    for (const FabricWay& way : ways) {
        const double area = part[way.vertex[0]] + part[way.vertex[1]];
        const double stiffness = double{cloth.material.stretch} * area / (way.length * way.length);
        level.links.push_back({way.vertex, static_cast<float>(way.length),
                               std::isinf(stiffness) ? 0 : static_cast<float>(1 / stiffness)});
    }
    level.link_colours = colour(level.links, level.vertex.size(), level.link_colour);
}

} // namespace

double unfolded(double da, double db, double ea, double eb, double ab) {
    if (!(ab > 0)) return far;
    // the edge from 0 to (ab, 0), one corner above, the other below
    const double dx = (da * da - db * db + ab * ab) / (2 * ab), ex = (ea * ea - eb * eb + ab * ab) / (2 * ab);
    const double up = da * da - dx * dx, down = ea * ea - ex * ex;
    if (!(up > 0 && down > 0)) return far;
    const double dy = std::sqrt(up), ey = std::sqrt(down);
    const double crossing = dx + (ex - dx) * (dy / (dy + ey));
    if (crossing < 0 || crossing > ab) return far;
    return std::sqrt((ex - dx) * (ex - dx) + (dy + ey) * (dy + ey));
}

std::vector<FabricLevel> levels_of(std::span<const float> mass, std::vector<FabricWay> ways,
                                   std::span<const std::uint32_t> held, const ClothDef& cloth, double share) {
    std::vector<FabricLevel> levels;
    std::vector<double> weight(mass.begin(), mass.end());
    std::vector<DVec3> place(cloth.vertices.size());
    std::transform(cloth.vertices.begin(), cloth.vertices.end(), place.begin(),
                   [](const Vec3& v) { return wide(v); });
    const std::vector<DVec3> normal = normals_of(cloth);
    Coarsened finer{{}, std::vector<bool>(mass.size()), {}, std::move(ways)};
    for (std::uint32_t v = 0; v < mass.size(); ++v) finer.vertex.push_back(v);
    for (const std::uint32_t v : held) finer.held[v] = true;
    while (finer.vertex.size() > coarsest) {
        Coarsened coarser = coarsened(finer, cloth);
        const std::size_t count = coarser.vertex.size();
        if (5 * count > 4 * finer.vertex.size()) break; // of many pieces
        FabricLevel level;
        level.vertex = coarser.vertex;
        level.blend = std::move(coarser.blend);
        place = add_means(level, weight, place, cloth, coarser.held);
        std::vector<FabricWay> between = coarser.ways; // of means
        for (FabricWay& way : between) {
            for (const std::size_t end : {0u, 1u}) {
                const std::uint32_t from = way.vertex[end], to = way.vertex[1 - end];
                way.length -= ahead(at(cloth, level.vertex[from]), at(cloth, level.vertex[to]), place[from],
                                    normal[level.vertex[from]]);
            }
            way.length = std::max(way.length, length(place[way.vertex[1]] - place[way.vertex[0]]));
        }
        std::erase_if(between, [](const FabricWay& way) { return !(way.length > 0); });
        add_links(level, between, cloth);
        levels.push_back(std::move(level));
        finer = std::move(coarser);
    }
    for (FabricLevel& level : levels)
        for (FabricEdge& link : level.links)
            link.compliance *= static_cast<float>(static_cast<double>(levels.size()) / share);
    return levels;
}

} // namespace scree
