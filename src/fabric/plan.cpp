// SPDX-License-Identifier: MIT
// plan.cpp — see plan.h.
// compiled alone

#include "fabric/plan.h"

#include "fabric/colour.h"
#include "fabric/levels.h"
#include "scree/error.h"
#include "text/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>

namespace scree {
namespace {

constexpr std::uint32_t none_yet = 0xffffffffu;
constexpr std::size_t most_vertices = 1u << 24;
constexpr double fine_share = 0.5; // of the stiffness; the levels have the rest

DVec3 at(const ClothDef& cloth, std::uint32_t v) { return wide(cloth.vertices[v]); }

/// The triangles of an edge, and the vertex opposite in each.
struct Sides {
    std::array<std::uint32_t, 2> triangle{none_yet, none_yet}, opposite{none_yet, none_yet};
    std::uint32_t count = 0;
};
struct EdgeSides {
    std::array<std::uint32_t, 2> ends;
    Sides sides;
};
using EdgeList = std::vector<EdgeSides>; // sorted by ends: plans are equal everywhere

bool has_edge(const EdgeList& edges, const std::array<std::uint32_t, 2>& ends) {
    const auto at = std::lower_bound(
        edges.begin(), edges.end(), ends,
        [](const EdgeSides& edge, const std::array<std::uint32_t, 2>& e) { return edge.ends < e; });
    return at != edges.end() && at->ends == ends;
}

EdgeList edges_of(const ClothDef& cloth) {
    /// A side of a triangle, or a line.
    struct Entry {
        std::uint64_t ends;
        std::uint32_t triangle, opposite;
        /// numbers of triangles last: an edge has them in their order, and lines after them
        bool operator<(const Entry& other) const {
            return ends != other.ends ? ends < other.ends : triangle < other.triangle;
        }
    };
    const auto ordered = [](std::uint32_t a, std::uint32_t b) {
        return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    };
    std::vector<Entry> entries;
    entries.reserve(3 * cloth.triangles.size() + cloth.lines.size());
    for (std::uint32_t t = 0; t < cloth.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            entries.push_back({ordered(cloth.triangles[t][k], cloth.triangles[t][(k + 1) % 3]), t,
                               cloth.triangles[t][(k + 2) % 3]});
    for (const auto& line : cloth.lines) entries.push_back({ordered(line[0], line[1]), none_yet, none_yet});
    std::sort(entries.begin(), entries.end());
    EdgeList edges;
    edges.reserve(entries.size() / 2 + 1);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const Entry& entry = entries[k];
        if (k == 0 || entries[k - 1].ends != entry.ends)
            edges.push_back(
                {{static_cast<std::uint32_t>(entry.ends >> 32), static_cast<std::uint32_t>(entry.ends)}, {}});
        if (entry.triangle == none_yet) continue;
        Sides& sides = edges.back().sides;
        if (sides.count < 2) {
            sides.triangle[sides.count] = entry.triangle;
            sides.opposite[sides.count] = entry.opposite;
        }
        ++sides.count;
    }
    return edges;
}

double area_of(const ClothDef& cloth, std::uint32_t t) {
    const auto& [a, b, c] = cloth.triangles[t];
    return 0.5 * length(cross(at(cloth, b) - at(cloth, a), at(cloth, c) - at(cloth, a)));
}

/// Cotangent of the angle between two edges from one vertex.
double cotangent(const DVec3& u, const DVec3& v) {
    const double sine = length(cross(u, v));
    return sine > 0 ? dot(u, v) / sine : 0;
}

/// Bergou et al. 2006, "A quadratic bending model for inextensible surfaces".
FabricHinge hinge_of(const ClothDef& cloth, const std::array<std::uint32_t, 2>& ends, const Sides& sides) {
    const std::uint32_t v[4] = {ends[0], ends[1], sides.opposite[0], sides.opposite[1]};
    const DVec3 x[4] = {at(cloth, v[0]), at(cloth, v[1]), at(cloth, v[2]), at(cloth, v[3])};
    const DVec3 e = x[1] - x[0];
    const double c01 = cotangent(e, x[2] - x[0]), c02 = cotangent(e, x[3] - x[0]);
    const double c03 = cotangent(x[0] - x[1], x[2] - x[1]), c04 = cotangent(x[0] - x[1], x[3] - x[1]);
    const double weight[4] = {c03 + c04, c01 + c02, -c01 - c03, -c02 - c04};
    DVec3 curve{};
    double square = 0;
    for (int k = 0; k < 4; ++k) {
        curve = curve + x[k] * weight[k];
        square += weight[k] * weight[k];
    }
    const double area = area_of(cloth, sides.triangle[0]) + area_of(cloth, sides.triangle[1]);
    // weights of length 1: slivers have huge cotangents
    const double scale = 1 / std::sqrt(square);
    const double rest = length(curve) * scale;
    FabricHinge hinge{{v[0], v[1], v[2], v[3]}, {}, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) hinge.weight[k] = static_cast<float>(weight[k] * scale);
    // flat but for rounding
    hinge.rest = rest < 1e-5 * length(e) ? 0 : static_cast<float>(rest);
    hinge.compliance = static_cast<float>(area * scale * scale / (3 * double{cloth.material.bend}));
    return hinge;
}

/// A spring for an edge of an isotropic membrane (Van Gelder 1998): stiffness times the area beside it over its square.
float edge_compliance(const ClothDef& cloth, const Sides& sides, double rest) {
    if (std::isinf(cloth.material.stretch)) return 0;
    double area = 0;
    for (std::uint32_t k = 0; k < std::min(sides.count, 2u); ++k) area += area_of(cloth, sides.triangle[k]);
    const double stiffness = sides.count ? double{cloth.material.stretch} * area / (rest * rest)
                                         : double{cloth.material.stretch} / rest;
    return static_cast<float>(1 / stiffness);
}

/// How far the third corner of a triangle is from a place that is da and db away from the two others, across the triangle
/// (Kimmel and Sethian 1998); infinite if the straight way does not cross the edge between them.
double across(double da, double db, const DVec3& a, const DVec3& b, const DVec3& c) {
    constexpr double far = std::numeric_limits<double>::infinity();
    const double ab = length(b - a);
    if (!(ab > 0) || std::isinf(da) || std::isinf(db)) return far;
    // the source, unfolded to the plane of the triangle: a at 0, b at (ab, 0), c above, the source below
    const double sx = (da * da - db * db + ab * ab) / (2 * ab), under = da * da - sx * sx;
    if (!(under > 0)) return far;
    const double sy = -std::sqrt(under);
    const DVec3 along = (b - a) * (1 / ab);
    const double cx = dot(c - a, along), cy = length((c - a) - along * cx);
    const double crossing = sx + (cx - sx) * (-sy / (cy - sy));
    if (crossing < 0 || crossing > ab) return far;
    return std::sqrt((cx - sx) * (cx - sx) + (cy - sy) * (cy - sy));
}

/// Distances along the cloth from one vertex, as far as two others are not nearer.
std::vector<double> distances_from(const ClothDef& cloth, std::uint32_t source,
                                   const std::vector<std::vector<std::uint32_t>>& triangles_of,
                                   const std::vector<std::vector<std::uint32_t>>& neighbours,
                                   const std::vector<std::array<double, 2>>& nearest) {
    std::vector<double> distance(cloth.vertices.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> done(cloth.vertices.size());
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[source] = 0;
    queue.emplace(0, source);
    const auto offer = [&](std::uint32_t v, double d) {
        if (done[v] || !(d < distance[v])) return;
        distance[v] = d;
        queue.emplace(d, v);
    };
    while (!queue.empty()) {
        const auto [d, v] = queue.top();
        queue.pop();
        if (done[v] || d > nearest[v][1]) continue;
        done[v] = true;
        for (const std::uint32_t n : neighbours[v]) offer(n, d + length(at(cloth, n) - at(cloth, v)));
        for (const std::uint32_t t : triangles_of[v])
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t c = cloth.triangles[t][k], a = cloth.triangles[t][(k + 1) % 3],
                                    b = cloth.triangles[t][(k + 2) % 3];
                if (c == v || !(done[a] && done[b])) continue;
                offer(c, across(distance[a], distance[b], at(cloth, a), at(cloth, b), at(cloth, c)));
            }
    }
    return distance;
}

/// To the two nearest of the held vertices.
std::vector<std::array<FabricTether, 2>>
tethers_of(const ClothDef& cloth, const std::vector<std::uint32_t>& held, const EdgeList& edges) {
    std::vector<std::array<FabricTether, 2>> tethers(cloth.vertices.size());
    for (std::uint32_t v = 0; v < tethers.size(); ++v) tethers[v] = {FabricTether{v, 0}, FabricTether{v, 0}};
    // what may tear is not held together by tethers
    if (held.empty() || std::isinf(cloth.max_stretch) || !std::isinf(cloth.material.tear)) return tethers;
    std::vector<std::vector<std::uint32_t>> triangles_of(cloth.vertices.size()),
        neighbours(cloth.vertices.size());
    for (std::uint32_t t = 0; t < cloth.triangles.size(); ++t)
        for (const std::uint32_t v : cloth.triangles[t]) triangles_of[v].push_back(t);
    for (const auto& [ends, sides] : edges) {
        neighbours[ends[0]].push_back(ends[1]);
        neighbours[ends[1]].push_back(ends[0]);
    }
    std::vector<std::array<double, 2>> nearest(cloth.vertices.size());
    constexpr double far = std::numeric_limits<double>::infinity();
    for (auto& each : nearest) each = {far, far};
    for (const std::uint32_t pin : held) {
        const std::vector<double> distance = distances_from(cloth, pin, triangles_of, neighbours, nearest);
        for (std::uint32_t v = 0; v < distance.size(); ++v) {
            const double d = distance[v];
            if (v == pin || !(d < nearest[v][1])) continue;
            const bool first = d < nearest[v][0];
            if (first) nearest[v][1] = nearest[v][0], tethers[v][1] = tethers[v][0];
            nearest[v][first ? 0 : 1] = d;
            tethers[v][first ? 0 : 1] = {pin, static_cast<float>(d * (1 + double{cloth.max_stretch}))};
        }
    }
    return tethers;
}

/// Edges, and the straight ways between the corners opposite them.
std::vector<FabricWay> ways_of(const ClothDef& cloth, const EdgeList& edges) {
    std::vector<FabricWay> ways;
    const auto apart = [&](std::uint32_t a, std::uint32_t b) { return length(at(cloth, b) - at(cloth, a)); };
    for (const auto& [ends, sides] : edges) {
        const double ab = apart(ends[0], ends[1]);
        ways.push_back({ends, ab});
        const auto [c, d] = sides.opposite;
        if (sides.count != 2 || c == d) continue;
        const double way =
            unfolded(apart(c, ends[0]), apart(c, ends[1]), apart(d, ends[0]), apart(d, ends[1]), ab);
        if (!std::isinf(way) && !has_edge(edges, {std::min(c, d), std::max(c, d)}))
            ways.push_back({{std::min(c, d), std::max(c, d)}, way});
    }
    return ways;
}

std::string named(const char* what, std::size_t number) {
    return std::string(what) + " " + std::to_string(number);
}

void check_range(float value, float low, float high, const char* where) {
    if (!(value >= low && value <= high))
        throw Error("invalid value " + std::to_string(value) + ": expected " + std::to_string(low) + " to " +
                        std::to_string(high),
                    where);
}

/// What acts on triangles has no effect on a rope or a net.
void check_lines_alone(const ClothDef& cloth) {
    const char* const alone = ": the cloth has lines alone";
    if (cloth.self_collision)
        throw Error(std::string("invalid value true: triangles collide with cloth, lines do not") + alone,
                    "self_collision");
    if (const float bend = cloth.material.bend; bend != 0 && bend != ClothMaterial{}.bend)
        throw Error("invalid value " + number_text(double{bend}) +
                        ": bending is resisted between triangles, not between lines" + alone,
                    "material.bend");
    if (cloth.pressure != 0)
        throw Error("invalid value " + number_text(double{cloth.pressure}) + ": pressure acts on triangles" +
                        alone,
                    "pressure");
}

} // namespace

void check(const ClothDef& cloth) {
    const std::size_t n = cloth.vertices.size();
    if (n == 0) throw Error("a cloth needs vertices", "vertices");
    if (n > most_vertices)
        throw Error(std::to_string(n) + " vertices are more than a cloth can have (16777216)", "vertices");
    for (std::size_t v = 0; v < n; ++v)
        if (!is_finite(cloth.vertices[v]) || length(cloth.vertices[v]) > 1e6f)
            throw Error(named("vertex", v) + " is not finite, or farther than 1000 km from the origin",
                        "vertices");
    std::vector<bool> used(n);
    for (std::size_t t = 0; t < cloth.triangles.size(); ++t) {
        const auto& corners = cloth.triangles[t];
        for (const std::uint32_t v : corners) {
            if (v >= n)
                throw Error(named("triangle", t) + " names vertex " + std::to_string(v) + " of " +
                                std::to_string(n),
                            "triangles");
            used[v] = true;
        }
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            throw Error(named("triangle", t) + " names a vertex twice", "triangles");
        if (!(area_of(cloth, static_cast<std::uint32_t>(t)) > 1e-12))
            throw Error(named("triangle", t) + " has no area", "triangles");
    }
    for (std::size_t k = 0; k < cloth.lines.size(); ++k) {
        const auto& [a, b] = cloth.lines[k];
        if (a >= n || b >= n)
            throw Error(named("line", k) + " names vertex " + std::to_string(std::max(a, b)) + " of " +
                            std::to_string(n),
                        "lines");
        if (a == b || !(length(at(cloth, b) - at(cloth, a)) > 1e-6))
            throw Error(named("line", k) + " has no length", "lines");
        used[a] = used[b] = true;
    }
    if (const auto lone = std::find(used.begin(), used.end(), false); lone != used.end())
        throw Error(named("vertex", static_cast<std::size_t>(lone - used.begin())) +
                        " belongs to no triangle and no line",
                    "vertices");
    for (const auto& [ends, sides] : edges_of(cloth)) {
        if (sides.count >= 2 && sides.opposite[0] == sides.opposite[1])
            throw Error(named("triangle", sides.triangle[1]) + " has the vertices of " +
                            named("triangle", sides.triangle[0]),
                        "triangles");
        if (sides.count > 2)
            throw Error("the edge of vertices " + std::to_string(ends[0]) + " and " +
                            std::to_string(ends[1]) + " has " + std::to_string(sides.count) +
                            " triangles: expected one or two",
                        "triangles");
    }
    const auto finite = [](const Vec3& v, const char* where) {
        if (!is_finite(v)) throw Error("a component is not finite", where);
    };
    finite(cloth.position, "position");
    finite(cloth.velocity, "velocity");
    finite(cloth.wind, "wind");
    const Quat& q = cloth.rotation;
    if (!(std::abs(double{q.s} * q.s + double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z - 1) < 1e-3))
        throw Error("the quaternion is not of length 1", "rotation");
    const ClothMaterial& m = cloth.material;
    check_range(m.density, 1e-6f, 1e6f, "material.density");
    if (!std::isinf(m.stretch) || m.stretch < 0) check_range(m.stretch, 1e-3f, 1e12f, "material.stretch");
    check_range(m.bend, 0, 1e6f, "material.bend");
    check_range(m.damping, 0, 1e3f, "material.damping");
    check_range(m.thickness, 1e-5f, 1, "material.thickness");
    check_range(m.friction, 0, 100, "material.friction");
    check_range(m.drag, 0, 100, "material.drag");
    if (!(m.tear > 0)) throw Error("invalid value: expected more than 0, or infinity", "material.tear");
    check_range(cloth.pressure, -1e6f, 1e6f, "pressure");
    if (!(cloth.max_stretch >= 0)) throw Error("invalid value: expected 0 or more", "max_stretch");
    if (cloth.triangles.empty()) check_lines_alone(cloth);
    std::vector<bool> pinned(n);
    for (std::size_t k = 0; k < cloth.pins.size(); ++k) {
        const ClothPin& pin = cloth.pins[k];
        const std::string where = named("pin", k);
        if (pin.vertex >= n)
            throw Error("vertex " + std::to_string(pin.vertex) + " is not among the " + std::to_string(n),
                        where);
        if (pinned[pin.vertex])
            throw Error("vertex " + std::to_string(pin.vertex) + " is pinned twice", where);
        pinned[pin.vertex] = true;
        if (pin.point && !is_finite(*pin.point)) throw Error("the point is not finite", where);
    }
}

std::vector<float> masses_of(const ClothDef& cloth) {
    std::vector<double> mass(cloth.vertices.size());
    const double density = cloth.material.density;
    for (std::uint32_t t = 0; t < cloth.triangles.size(); ++t)
        for (const std::uint32_t v : cloth.triangles[t]) mass[v] += area_of(cloth, t) * density / 3;
    for (const auto& line : cloth.lines)
        for (const std::uint32_t v : line)
            mass[v] += length(at(cloth, line[1]) - at(cloth, line[0])) * density / 2;
    return {mass.begin(), mass.end()};
}

FabricPlan plan_fabric(const ClothDef& cloth, const std::vector<std::uint32_t>& held) {
    FabricPlan plan;
    const EdgeList edges = edges_of(cloth);
    plan.mass = masses_of(cloth);
    for (const auto& [ends, sides] : edges) {
        const double rest = length(at(cloth, ends[1]) - at(cloth, ends[0]));
        plan.edges.push_back({ends, static_cast<float>(rest), edge_compliance(cloth, sides, rest)});
        if (sides.count == 2 && cloth.material.bend > 0) plan.hinges.push_back(hinge_of(cloth, ends, sides));
    }
    plan.edge_colours = colour(plan.edges, plan.mass.size(), plan.edge_colour);
    plan.hinge_colours = colour(plan.hinges, plan.mass.size(), plan.hinge_colour);
    plan.tethers = tethers_of(cloth, held, edges);
    plan.levels = levels_of(plan.mass, ways_of(cloth, edges), held, cloth, 1 - fine_share);
    if (!plan.levels.empty())
        for (FabricEdge& edge : plan.edges) edge.compliance /= static_cast<float>(fine_share);
    return plan;
}

} // namespace scree
