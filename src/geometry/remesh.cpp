// SPDX-License-Identifier: MIT
// remesh.cpp — distances on a lattice, a flood from outside, and the surface between (surface nets, Gibson 1998).
//
// All nodes nearer to a triangle than half a cell's diagonal block the flood: a path along the lattice cannot slip between
// them. The surface lies where the distance is just that; its vertices are then drawn back towards the triangles.
// compiled alone
#include "geometry/remesh.h"

#include "geometry/triangle_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scree {
namespace {

constexpr std::uint32_t nobody = 0xffffffffu;
constexpr int margin = 3;           ///< cells between the triangles and the border of the lattice
constexpr double wall = 0.87;       ///< cells: half the diagonal of one, and a bit
constexpr double drawn_back = 0.25; ///< of the distance that is left

struct Lattice {
    DVec3 origin{};
    double cell = 1;
    std::array<int, 3> nodes{};
    std::vector<float> distance;         ///< m
    std::vector<std::uint32_t> triangle; ///< the nearest

    std::size_t at(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * static_cast<std::size_t>(nodes[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(nodes[2]) +
               static_cast<std::size_t>(z);
    }
    DVec3 place(int x, int y, int z) const {
        return origin + cell * DVec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    }
};

std::array<DVec3, 3> corners(const TriangleMesh& mesh, std::size_t t) {
    const auto& c = mesh.triangles[t];
    return {wide(mesh.vertices[c[0]]), wide(mesh.vertices[c[1]]), wide(mesh.vertices[c[2]])};
}

Lattice measure(const TriangleMesh& mesh, int resolution) {
    DVec3 low = corners(mesh, 0)[0], high = low;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const DVec3& p : corners(mesh, t)) low = min(low, p), high = max(high, p);
    Lattice out;
    const DVec3 side = high - low;
    out.cell = std::max({side.x, side.y, side.z}) / resolution;
    out.nodes = {static_cast<int>(side.x / out.cell) + 2 * margin + 2,
                 static_cast<int>(side.y / out.cell) + 2 * margin + 2,
                 static_cast<int>(side.z / out.cell) + 2 * margin + 2};
    const double m = margin * out.cell;
    out.origin = low - DVec3{m, m, m};
    const std::size_t count = static_cast<std::size_t>(out.nodes[0]) *
                              static_cast<std::size_t>(out.nodes[1]) * static_cast<std::size_t>(out.nodes[2]);
    out.distance.assign(count, std::numeric_limits<float>::max());
    out.triangle.assign(count, nobody);
    // two cells around each triangle suffice: the surface is within one
    const double band = 2 * out.cell;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = corners(mesh, t);
        const DVec3 from = min(min(a, b), c) - DVec3{band, band, band} - out.origin,
                    to = max(max(a, b), c) + DVec3{band, band, band} - out.origin;
        const auto first = [&](double x) { return std::max(0, static_cast<int>(std::ceil(x / out.cell))); };
        const auto last = [&](double x, std::size_t k) {
            return std::min(out.nodes[k] - 1, static_cast<int>(std::floor(x / out.cell)));
        };
        const DVec3 normal = normalized(cross(b - a, c - a));
        for (int x = first(from.x); x <= last(to.x, 0); ++x)
            for (int y = first(from.y); y <= last(to.y, 1); ++y) {
                // only where the plane of the triangle is near: a large one has a large box
                double z_from = from.z, z_to = to.z;
                if (std::fabs(normal.z) > 0.01) {
                    const double height = dot(normal, out.place(x, y, 0) - a);
                    const double middle = -height / normal.z, reach = band / std::fabs(normal.z);
                    z_from = std::max(z_from, middle - reach), z_to = std::min(z_to, middle + reach);
                }
                for (int z = first(z_from); z <= last(z_to, 2); ++z) {
                    const DVec3 p = out.place(x, y, z);
                    const std::size_t i = out.at(x, y, z);
                    const double plane = std::fabs(dot(normal, p - a));
                    if (plane > band || plane >= static_cast<double>(out.distance[i])) continue;
                    const double d = distance_to_triangle(p, a, b, c);
                    if (d < static_cast<double>(out.distance[i])) {
                        out.distance[i] = static_cast<float>(d);
                        out.triangle[i] = static_cast<std::uint32_t>(t);
                    }
                }
            }
    }
    return out;
}

/// Nodes that a path from the border reaches without a wall.
std::vector<char> flooded(const Lattice& lattice) {
    std::vector<char> outside(lattice.distance.size(), 0);
    std::vector<std::array<int, 3>> open{{0, 0, 0}};
    outside[0] = 1;
    const double block = wall * lattice.cell;
    while (!open.empty()) {
        const std::array<int, 3> at = open.back();
        open.pop_back();
        for (std::size_t k = 0; k < 3; ++k)
            for (const int step : {-1, 1}) {
                std::array<int, 3> to = at;
                to[k] += step;
                if (to[k] < 0 || to[k] >= lattice.nodes[k]) continue;
                const std::size_t i = lattice.at(to[0], to[1], to[2]);
                if (outside[i] || static_cast<double>(lattice.distance[i]) < block) continue;
                outside[i] = 1;
                open.push_back(to);
            }
    }
    return outside;
}

} // namespace

TriangleMesh remeshed(const TriangleMesh& mesh, int resolution) {
    const Lattice lattice = measure(mesh, resolution);
    const std::vector<char> outside = flooded(lattice);
    const auto [nx, ny, nz] = lattice.nodes;
    TriangleMesh out;

    // a vertex in each cell that the surface passes
    std::vector<std::uint32_t> vertex(outside.size(), nobody);
    for (int x = 0; x + 1 < nx; ++x)
        for (int y = 0; y + 1 < ny; ++y)
            for (int z = 0; z + 1 < nz; ++z) {
                int count = 0;
                std::array<std::size_t, 8> node{};
                for (int k = 0; k < 8; ++k) {
                    node[static_cast<std::size_t>(k)] =
                        lattice.at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
                    count += outside[node[static_cast<std::size_t>(k)]];
                }
                if (count == 0 || count == 8) continue;
                // the mean of the crossings, then most of the way to the nearest of the triangles that the nodes know
                DVec3 sum{};
                int crossings = 0;
                for (int k = 0; k < 8; ++k)
                    for (const int bit : {1, 2, 4}) {
                        if (k & bit) continue;
                        const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>(k | bit);
                        if (outside[node[a]] == outside[node[b]]) continue;
                        const double da = static_cast<double>(lattice.distance[node[a]]),
                                     db = static_cast<double>(lattice.distance[node[b]]);
                        const double t = std::clamp((wall * lattice.cell - da) / (db - da), 0.0, 1.0);
                        const DVec3 p = lattice.place(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)),
                                    q = lattice.place(x + ((k | bit) & 1), y + ((k | bit) >> 1 & 1),
                                                      z + ((k | bit) >> 2));
                        sum += p + (std::isfinite(t) ? t : 0.5) * (q - p);
                        ++crossings;
                    }
                DVec3 at = sum / crossings, goal = at;
                double nearest = std::numeric_limits<double>::max();
                for (const std::size_t n : node) {
                    if (lattice.triangle[n] == nobody) continue;
                    const auto [a, b, c] = corners(mesh, lattice.triangle[n]);
                    const DVec3 q = nearest_on_triangle(at, a, b, c);
                    if (const double d = length(q - at); d < nearest) nearest = d, goal = q;
                }
                at = goal + drawn_back * (at - goal);
                vertex[lattice.at(x, y, z)] = static_cast<std::uint32_t>(out.vertices.size());
                out.vertices.push_back(narrow(at));
            }

    // a quad for each edge of the lattice that leads out, around it as seen from outside
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, bool turn) {
        if (turn) std::swap(b, d);
        out.triangles.push_back({a, b, c});
        out.triangles.push_back({a, c, d});
    };
    for (int x = 1; x + 1 < nx; ++x)
        for (int y = 1; y + 1 < ny; ++y)
            for (int z = 1; z + 1 < nz; ++z) {
                const char here = outside[lattice.at(x, y, z)];
                const auto cell = [&](int dx, int dy, int dz) {
                    return vertex[lattice.at(x - dx, y - dy, z - dz)];
                };
                if (here != outside[lattice.at(x + 1, y, z)])
                    quad(cell(0, 1, 1), cell(0, 0, 1), cell(0, 0, 0), cell(0, 1, 0), here != 0);
                if (here != outside[lattice.at(x, y + 1, z)])
                    quad(cell(1, 0, 1), cell(1, 0, 0), cell(0, 0, 0), cell(0, 0, 1), here != 0);
                if (here != outside[lattice.at(x, y, z + 1)])
                    quad(cell(1, 1, 0), cell(0, 1, 0), cell(0, 0, 0), cell(1, 0, 0), here != 0);
            }
    return out;
}

} // namespace scree
