// SPDX-License-Identifier: MIT
// untangle.cpp — see untangle.h.
#include "fabric/untangle.h"

#include "fabric/intersections.h"
#include "scree/math.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree {
namespace {

struct Crossing {
    std::uint32_t edge, triangle;
};

/// Sets of vertices; the first vertex of a set names it.
class Regions {
public:
    explicit Regions(std::size_t vertices) : parent_(vertices), size_(vertices, 1) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    std::uint32_t of(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = of(a);
        b = of(b);
        if (a == b) return;
        parent_[std::max(a, b)] = std::min(a, b);
        size_[std::min(a, b)] += size_[std::max(a, b)];
    }
    /// Whether a's region is the smaller one; of equal ones that with the higher first vertex.
    bool smaller(std::uint32_t a, std::uint32_t b) {
        a = of(a);
        b = of(b);
        return size_[a] != size_[b] ? size_[a] < size_[b] : a > b;
    }

private:
    std::vector<std::uint32_t> parent_, size_;
};

/// The vertices opposite to an edge, of the triangles that have it.
std::vector<std::uint32_t> opposite(std::span<const std::uint32_t> triangles, std::uint32_t a,
                                    std::uint32_t b, std::span<const std::uint32_t> around) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t t : around) {
        const std::uint32_t* v = &triangles[3 * std::size_t{t}];
        if (std::find(v, v + 3, b) == v + 3) continue;
        for (int k = 0; k < 3; ++k)
            if (v[k] != a && v[k] != b) found.push_back(v[k]);
    }
    return found;
}

DVec3 unit(DVec3 v) {
    const double size = length(v);
    return size > 0 ? v * (1 / size) : DVec3{};
}

/// How the contour becomes shorter if the edge moves so, against the triangle.
DVec3 shorter(const DVec3& along, const DVec3& across, const std::vector<DVec3>& into) {
    DVec3 sum{};
    const double lean = dot(along, across);
    const double divisor = std::abs(lean) > 0.2 ? lean : std::copysign(0.2, lean);
    for (const DVec3& to : into) {
        DVec3 line = unit(cross(across, cross(along, to)));
        if (dot(line, to - along * dot(along, to)) < 0) line = line * -1.0;
        sum = sum + line - across * (2 * dot(along, line) / divisor);
    }
    return sum;
}

} // namespace

Untangling untangle(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> edges,
                    std::span<const float> position, float speed) {
    const std::size_t n = position.size() / 4;
    const auto at = [&](std::uint32_t v) {
        const float* x = &position[4 * std::size_t{v}];
        return DVec3{x[0], x[1], x[2]};
    };
    const auto inverse_mass = [&](std::uint32_t v) { return double{position[4 * std::size_t{v} + 3]}; };
    Untangling result{.intersections = 0, .tangled = std::vector<std::uint32_t>(n), .motion = {}};
    result.motion.resize(4 * n);
    std::vector<Crossing> crossings;
    std::vector<bool> cut(edges.size() / 2);
    result.intersections =
        count_intersections(triangles, edges, position, 4, [&](std::uint32_t edge, std::uint32_t triangle) {
            crossings.push_back({edge, triangle});
            cut[edge] = true;
        });
    if (crossings.empty()) return result;
    Regions regions(n);
    for (std::uint32_t e = 0; e < cut.size(); ++e)
        if (!cut[e]) regions.join(edges[2 * std::size_t{e}], edges[2 * std::size_t{e} + 1]);
    std::vector<std::vector<std::uint32_t>> around(n);
    for (std::uint32_t t = 0; t < triangles.size() / 3; ++t)
        for (std::size_t k = 0; k < 3; ++k) around[triangles[3 * std::size_t{t} + k]].push_back(t);

    std::vector<std::uint32_t>& tangled = result.tangled;
    std::vector<DVec3> sum(n);
    std::vector<std::uint32_t> count(n);
    for (const Crossing& each : crossings) {
        const std::uint32_t* ends = &edges[2 * std::size_t{each.edge}];
        const std::uint32_t* face = &triangles[3 * std::size_t{each.triangle}];
        const DVec3 a = at(ends[0]), b = at(ends[1]), along = unit(b - a);
        DVec3 across = unit(cross(at(face[1]) - at(face[0]), at(face[2]) - at(face[0])));
        DVec3 way{};
        if (regions.of(ends[0]) != regions.of(ends[1])) {
            // from the smaller region to the larger one
            const DVec3 back = regions.smaller(ends[0], ends[1]) ? along : along * -1.0;
            way = dot(across, back) < 0 ? across * -1.0 : across;
        } else {
            std::vector<DVec3> into;
            for (const std::uint32_t o : opposite(triangles, ends[0], ends[1], around[ends[0]]))
                into.push_back(at(o) - a);
            way = shorter(along, across, into);
            // short where nothing is to be gained
            way = way * (1 / std::sqrt(dot(way, way) + 0.01));
        }
        // in the triangle's plane there is no side to go to
        const bool flat = std::abs(dot(along, across)) < 0.01;
        // the lighter side goes farther, so that momentum stays; what is held does not go
        const double of_edge = (inverse_mass(ends[0]) + inverse_mass(ends[1])) / 2;
        const double of_face = (inverse_mass(face[0]) + inverse_mass(face[1]) + inverse_mass(face[2])) / 3;
        const double both = of_edge + of_face;
        for (int k = 0; k < 5; ++k) {
            const std::uint32_t v = k < 2 ? ends[k] : face[k - 2];
            tangled[v] = 1;
            if (flat || !(both > 0)) continue;
            sum[v] = sum[v] + way * (k < 2 ? 2 * of_edge / both : -2 * of_face / both);
            ++count[v];
        }
    }
    // what moves may meet the neighbours of what it passes through
    for (int ring = 0; ring < 2; ++ring) {
        const std::vector<std::uint32_t> before = tangled;
        for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
            if (before[triangles[t]] || before[triangles[t + 1]] || before[triangles[t + 2]])
                for (std::size_t k = 0; k < 3; ++k) tangled[triangles[t + k]] = 1;
    }
    for (std::size_t v = 0; v < n; ++v) {
        if (count[v] == 0 || !(position[4 * v + 3] > 0)) continue;
        const DVec3 mean = sum[v] * (double{speed} / count[v]);
        result.motion[4 * v] = static_cast<float>(mean.x);
        result.motion[4 * v + 1] = static_cast<float>(mean.y);
        result.motion[4 * v + 2] = static_cast<float>(mean.z);
    }
    return result;
}

} // namespace scree
