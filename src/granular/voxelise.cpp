// SPDX-License-Identifier: MIT
// voxelise.cpp — filling a closed mesh: signed crossings of its surface along lines of the lattice parallel
// to z.
//
// Whether a line passes through a triangle is summed up from its three edges, seen along z, and each edge is
// always evaluated in the same direction whichever triangle asks. So the two neighbours of an edge answer
// exactly opposite, the crossings of a closed mesh add up to zero on every line, and rounding cannot open a
// crack.
#include "voxelise.h"

#include "text/number_text.h"

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace scree {
namespace {

struct Lattice {
    DVec3 centre;
    double spacing = 0;
    std::array<std::int64_t, 3> count{};

    // index -> coordinate along one axis
    double at(int axis, std::int64_t i) const {
        const double c = axis == 0 ? centre.x : axis == 1 ? centre.y : centre.z;
        return c + spacing * 0.5 * double(2 * i - (count[std::size_t(axis)] - 1));
    }
    // the smallest index whose coordinate is not below v; 0 … count
    std::int64_t from(int axis, double v) const {
        const std::int64_t n = count[std::size_t(axis)];
        const double c = axis == 0 ? centre.x : axis == 1 ? centre.y : centre.z;
        const double guess = std::floor((v - c) / spacing + 0.5 * double(n - 1));
        std::int64_t i = guess < 0 ? 0 : guess > double(n) ? n : std::int64_t(guess);
        while (i > 0 && at(axis, i - 1) >= v) --i;
        while (i < n && at(axis, i) < v) ++i;
        return i;
    }
};

struct Crossing {
    std::int64_t column = 0; // ix * count_y + iy
    double z = 0;
    int sign = 0;
};

std::string name(std::span<const Vec3> vertices, std::uint32_t v) {
    const Vec3 p = vertices[v];
    return std::to_string(v) + " (" + number_text(double(p.x)) + ", " + number_text(double(p.y)) + ", " +
           number_text(double(p.z)) + ")";
}

// the first vertex at the same place, for each vertex: seams of separate vertices do not count as holes
std::vector<std::uint32_t> weld(std::span<const Vec3> vertices) {
    std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::uint32_t(i);
    const auto key = [&](std::uint32_t i) { return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(key(a), a) < std::tuple(key(b), b);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    return first;
}

void check_input(float radius, std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles,
                 const std::string& where) {
    if (!(radius > 0) || !std::isfinite(radius))
        throw Error("invalid particle radius " + number_text(double(radius)) +
                        ": expected a finite number greater than 0",
                    where);
    if (triangles.size() % 3 != 0)
        throw Error("invalid number of indices " + std::to_string(triangles.size()) +
                        ": expected three for each triangle",
                    where);
    if (triangles.empty()) throw Error("the mesh has no triangles", where);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (!is_finite(vertices[i]))
            throw Error("vertex " + name(vertices, std::uint32_t(i)) + " is not finite", where);
    }
    for (std::size_t i = 0; i < triangles.size(); ++i)
        if (triangles[i] >= vertices.size())
            throw Error("triangle " + std::to_string(i / 3) + " names vertex " +
                            std::to_string(triangles[i]) + "; the mesh has " +
                            std::to_string(vertices.size()) + " vertices, numbered from 0",
                        where);
}

// every edge must be passed as often in one direction as in the other
void check_closed(std::span<const Vec3> vertices, const std::vector<std::uint32_t>& triangles,
                  const std::string& where) {
    struct Edge {
        std::uint32_t a, b; // a < b
        int direction;
    };
    std::vector<Edge> edges;
    edges.reserve(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = triangles[t + k], b = triangles[t + (k + 1) % 3];
            if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& l, const Edge& r) { return std::tie(l.a, l.b) < std::tie(r.a, r.b); });
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        int sum = 0;
        for (; end < edges.size() && edges[end].a == edges[i].a && edges[end].b == edges[i].b; ++end)
            sum += edges[end].direction;
        if (sum != 0) {
            const std::string edge = "the edge between vertices " + name(vertices, edges[i].a) + " and " +
                                     name(vertices, edges[i].b);
            if ((end - i) % 2 != 0)
                throw Error("the mesh is open at " + edge + "; expected a closed mesh", where);
            throw Error("the triangles at " + edge + " face opposite ways; all must face outward", where);
        }
        i = end;
    }
}

// does the edge a-b pass the half line from (x, y) towards greater x? +1 upwards in y, -1 downwards
int passes(const DVec3& a, const DVec3& b, double x, double y) {
    const bool up = a.y <= y && y < b.y;
    const bool down = b.y <= y && y < a.y;
    if (!up && !down) return 0;
    const DVec3& lo = up ? a : b;
    const DVec3& hi = up ? b : a;
    const double side = (hi.x - lo.x) * (y - lo.y) - (hi.y - lo.y) * (x - lo.x);
    return side > 0 ? (up ? 1 : -1) : 0;
}

// the height at which the plane of the triangle stands over (x, y)
double height(const std::array<DVec3, 3>& t, double x, double y) {
    const double least = std::min({t[0].z, t[1].z, t[2].z}), most = std::max({t[0].z, t[1].z, t[2].z});
    const DVec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double z = t[0].z - (n.x * (x - t[0].x) + n.y * (y - t[0].y)) / n.z;
    // seen edge-on the quotient means nothing, and any height within the triangle will do
    return z >= least ? std::min(z, most) : least;
}

void add_crossings(const std::array<DVec3, 3>& t, const Lattice& lattice, std::vector<Crossing>& out) {
    const double y_least = std::min({t[0].y, t[1].y, t[2].y}), y_most = std::max({t[0].y, t[1].y, t[2].y});
    const std::int64_t y_end = lattice.from(1, y_most);
    for (std::int64_t iy = lattice.from(1, y_least); iy < y_end; ++iy) {
        const double y = lattice.at(1, iy);
        // where the row enters and leaves the triangle, with a cell to spare for rounding
        double enter = HUGE_VAL, leave = -HUGE_VAL;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 &a = t[k], &b = t[(k + 1) % 3];
            if (std::min(a.y, b.y) > y || std::max(a.y, b.y) < y || a.y == b.y) continue;
            const double x = a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
            enter = std::min(enter, x);
            leave = std::max(leave, x);
        }
        if (enter > leave) continue;
        const std::int64_t x_end = lattice.from(0, leave + lattice.spacing);
        for (std::int64_t ix = lattice.from(0, enter - lattice.spacing); ix < x_end; ++ix) {
            const double x = lattice.at(0, ix);
            const int sign = passes(t[0], t[1], x, y) + passes(t[1], t[2], x, y) + passes(t[2], t[0], x, y);
            if (sign != 0) out.push_back({ix * lattice.count[1] + iy, height(t, x, y), sign});
        }
    }
}

Error too_many(float radius, const std::string& where) {
    return Error("particle radius " + number_text(double(radius)) +
                     " is too small for this mesh: more than " + std::to_string(max_shape_particles) +
                     " particles would be needed",
                 where);
}

Lattice lattice_for(float radius, std::span<const Vec3> vertices, const std::vector<std::uint32_t>& triangles,
                    const std::string& where) {
    DVec3 least{HUGE_VAL, HUGE_VAL, HUGE_VAL}, most{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const std::uint32_t v : triangles) {
        least = min(least, wide(vertices[v]));
        most = max(most, wide(vertices[v]));
    }
    Lattice lattice;
    lattice.spacing = 2 * double(radius);
    lattice.centre = (least + most) / 2;
    const DVec3 size = most - least;

    // six times the volume, and the area seen along z, about the centre so that a far away mesh loses no
    // digits
    double volume = 0, shadow = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
        std::array<DVec3, 3> t;
        for (std::size_t k = 0; k < 3; ++k) t[k] = wide(vertices[triangles[i + k]]) - lattice.centre;
        const double nz = (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x);
        volume += dot(t[0], cross(t[1], t[2]));
        shadow += std::fabs(nz) / 2;
    }
    if (std::fabs(volume) / 6 <= 1e-9 * size.x * size.y * size.z)
        throw Error("the mesh encloses no volume", where);

    const double cell = lattice.spacing * lattice.spacing * lattice.spacing;
    const double limit = double(max_shape_particles);
    // the volume may be right and the surface still too large: many thin walls
    if (std::fabs(volume) / 6 / cell > 1.01 * limit ||
        shadow / (lattice.spacing * lattice.spacing) > 4 * limit)
        throw too_many(radius, where);
    const std::array<double, 3> sides{size.x, size.y, size.z};
    for (std::size_t k = 0; k < 3; ++k) {
        const double n = std::floor(sides[k] / lattice.spacing + 0.5);
        if (n > limit) throw too_many(radius, where);
        lattice.count[k] = std::max<std::int64_t>(1, std::int64_t(n));
    }
    return lattice;
}

} // namespace

std::vector<Vec3> fill_mesh(float radius, std::span<const Vec3> vertices,
                            std::span<const std::uint32_t> triangles, const std::string& where) {
    check_input(radius, vertices, triangles, where);
    const std::vector<std::uint32_t> first = weld(vertices);
    std::vector<std::uint32_t> welded(triangles.begin(), triangles.end());
    for (std::uint32_t& v : welded) v = first[v];
    check_closed(vertices, welded, where);
    const Lattice lattice = lattice_for(radius, vertices, welded, where);

    std::vector<Crossing> crossings;
    for (std::size_t i = 0; i < welded.size(); i += 3) {
        std::array<DVec3, 3> t;
        for (std::size_t k = 0; k < 3; ++k) t[k] = wide(vertices[welded[i + k]]);
        add_crossings(t, lattice, crossings);
    }
    std::sort(crossings.begin(), crossings.end(), [](const Crossing& l, const Crossing& r) {
        return std::tie(l.column, l.z, l.sign) < std::tie(r.column, r.z, r.sign);
    });

    // between one crossing and the next the winding number stands still
    std::vector<Vec3> points;
    int winding = 0;
    for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
        const Crossing &here = crossings[i], &next = crossings[i + 1];
        winding += here.sign;
        if (here.column != next.column || winding == 0) continue;
        const std::int64_t ix = here.column / lattice.count[1], iy = here.column % lattice.count[1];
        const std::int64_t end = lattice.from(2, next.z);
        for (std::int64_t iz = lattice.from(2, here.z); iz < end; ++iz) {
            if (std::int64_t(points.size()) == max_shape_particles) throw too_many(radius, where);
            points.push_back({radius * float(2 * ix - (lattice.count[0] - 1)),
                              radius * float(2 * iy - (lattice.count[1] - 1)),
                              radius * float(2 * iz - (lattice.count[2] - 1))});
        }
    }
    if (points.empty())
        throw Error("the mesh is too thin for particle radius " + number_text(double(radius)) +
                        ": no particle centre lies inside it; a smaller radius is needed",
                    where);
    return points;
}

} // namespace scree
