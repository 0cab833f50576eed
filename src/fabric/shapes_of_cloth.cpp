// SPDX-License-Identifier: MIT
// shapes_of_cloth.cpp — definitions of cloths and ropes of simple shapes.

#include "scree/cloth_def.h"
#include "scree/error.h"
#include "text/checks.h"
#include "text/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>

namespace scree {

namespace {

/// The vertices of a rectangle.
ClothDef rectangle(float width, float length, std::uint32_t columns, std::uint32_t rows, const char* where) {
    if (columns < 2 || rows < 2 || std::uint64_t{columns} * rows > 1u << 24)
        throw Error("invalid size " + std::to_string(columns) + " x " + std::to_string(rows) +
                        ": expected two or more vertices each way, 16777216 together at most",
                    where);
    if (!(width > 0) || !(length > 0) || !std::isfinite(width) || !std::isfinite(length))
        throw Error("the sides must be finite and greater than 0", where);
    ClothDef cloth;
    const auto share = [](std::uint32_t k, std::uint32_t of) {
        return static_cast<float>(k) / static_cast<float>(of - 1) - 0.5f;
    };
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i)
            cloth.vertices.push_back({width * share(i, columns), 0, length * share(j, rows)});
    return cloth;
}

} // namespace

ClothDef make_cloth(float width, float length, std::uint32_t columns, std::uint32_t rows) {
    ClothDef cloth = rectangle(width, length, columns, rows, "make_cloth");
    for (std::uint32_t j = 0; j + 1 < rows; ++j)
        for (std::uint32_t i = 0; i + 1 < columns; ++i) {
            const std::uint32_t a = i + columns * j, b = a + 1, c = a + columns, d = c + 1;
            // diagonals in turns: neither direction of shear is stiffer
            if ((i + j) % 2 == 0) {
                cloth.triangles.push_back({a, c, b});
                cloth.triangles.push_back({b, c, d});
            } else {
                cloth.triangles.push_back({a, c, d});
                cloth.triangles.push_back({a, d, b});
            }
        }
    return cloth;
}

ClothDef make_cloth(const TriangleMesh& mesh, float weld) {
    check_not_negative(weld, "weld");
    TriangleMesh joined = mesh;
    repair(joined, weld);
    // the other side of a surface that is drawn from both: cloth has no sides
    std::set<std::array<std::uint32_t, 3>> known;
    std::erase_if(joined.triangles, [&](std::array<std::uint32_t, 3> corners) {
        std::sort(corners.begin(), corners.end());
        return !known.insert(corners).second;
    });
    if (joined.triangles.empty())
        throw Error("none of " + std::to_string(mesh.triangles.size()) +
                        " triangles has an area where vertices at most " + number_text(double{weld}) +
                        " m apart are one",
                    "weld");
    ClothDef cloth;
    cloth.vertices = std::move(joined.vertices);
    cloth.triangles = std::move(joined.triangles);
    return cloth;
}

ClothDef make_net(float width, float length, std::uint32_t columns, std::uint32_t rows) {
    ClothDef net = rectangle(width, length, columns, rows, "make_net");
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t v = i + columns * j;
            if (i + 1 < columns) net.lines.push_back({v, v + 1});
            if (j + 1 < rows) net.lines.push_back({v, v + columns});
        }
    net.material.density = 0.05f;
    net.material.thickness = 0.01f;
    net.material.drag = 0;
    net.surface_collision = true;
    return net;
}

ClothDef make_balloon(float radius, std::uint32_t segments) {
    if (segments < 1 || segments > 1024)
        throw Error("invalid value " + std::to_string(segments) + ": expected 1 to 1024 segments",
                    "make_balloon");
    if (!(radius > 0) || !std::isfinite(radius))
        throw Error("the radius must be finite and greater than 0", "make_balloon");
    // a cube whose vertices lie on a sphere; those of its edges belong to several faces
    ClothDef cloth;
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> known;
    const auto vertex = [&](const std::array<std::uint32_t, 3>& place) {
        const auto [entry, fresh] =
            known.try_emplace(place, static_cast<std::uint32_t>(cloth.vertices.size()));
        if (fresh) {
            double x[3], square = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                // equal angles
                const double share = 2 * static_cast<double>(place[k]) / segments - 1;
                x[k] = std::tan(share * std::numbers::pi / 4);
                square += x[k] * x[k];
            }
            const double scale = double{radius} / std::sqrt(square);
            cloth.vertices.push_back(narrow(DVec3{x[0], x[1], x[2]} * scale));
        }
        return entry->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool far : {false, true})
            for (std::uint32_t j = 0; j < segments; ++j)
                for (std::uint32_t i = 0; i < segments; ++i) {
                    const auto corner = [&](std::uint32_t u, std::uint32_t v) {
                        std::array<std::uint32_t, 3> place{};
                        place[axis] = far ? segments : 0;
                        place[(axis + 1) % 3] = i + (far ? u : v);
                        place[(axis + 2) % 3] = j + (far ? v : u);
                        return vertex(place);
                    };
                    const std::uint32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1),
                                        d = corner(0, 1);
                    if ((i + j) % 2 == 0)
                        cloth.triangles.insert(cloth.triangles.end(), {{a, b, c}, {a, c, d}});
                    else cloth.triangles.insert(cloth.triangles.end(), {{a, b, d}, {b, c, d}});
                }
    return cloth;
}

ClothDef make_rope(const Vec3& from, const Vec3& to, std::uint32_t segments, float radius) {
    if (segments < 1 || segments > 1u << 20)
        throw Error("invalid value " + std::to_string(segments) + ": expected 1 to 1048576 segments",
                    "make_rope");
    ClothDef rope;
    rope.material.density = 0.1f;
    rope.material.thickness = radius;
    rope.material.drag = 0;
    for (std::uint32_t k = 0; k <= segments; ++k) {
        const float share = static_cast<float>(k) / static_cast<float>(segments);
        rope.vertices.push_back(from + (to - from) * share);
        if (k) rope.lines.push_back({k - 1, k});
    }
    return rope;
}

} // namespace scree
