// SPDX-License-Identifier: MIT
// patch.cpp — a patch is cut as a grid, as finely as its curvature asks for.
//
// Over a rectangle h x k of parameters, two triangles differ from a surface by at most
//     (h^2 |S_uu| + 2 h k |S_uv| + k^2 |S_vv|) / 8
// with the largest second derivatives there. Those of a biquadratic piece are bounded by differences of its control points.
// The same steps are taken along a whole row or column of pieces, so that a patch has no cracks within itself. Two patches that
// share an edge may take different steps there: the gap is no wider than twice the error.
#include "level/patch.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::uint32_t most_steps = 64;

/// The largest second derivatives of a piece of 3 x 3 control points.
struct Bend {
    double uu = 0, uv = 0, vv = 0;
};

Bend bend_of(const MapPatch& patch, std::uint32_t column, std::uint32_t row) {
    const auto at = [&](std::uint32_t i, std::uint32_t k) {
        return patch.points[(column + i) * patch.height + row + k].position;
    };
    Bend bend;
    for (std::uint32_t i = 0; i < 3; ++i) {
        bend.uu = std::max(bend.uu, 2 * length(at(0, i) - 2 * at(1, i) + at(2, i)));
        bend.vv = std::max(bend.vv, 2 * length(at(i, 0) - 2 * at(i, 1) + at(i, 2)));
    }
    for (std::uint32_t i = 0; i < 2; ++i)
        for (std::uint32_t k = 0; k < 2; ++k)
            bend.uv =
                std::max(bend.uv, 4 * length(at(i + 1, k + 1) - at(i, k + 1) - at(i + 1, k) + at(i, k)));
    return bend;
}

std::array<double, 3> weights(double t) { return {(1 - t) * (1 - t), 2 * t * (1 - t), t * t}; }

} // namespace

LevelPatch tessellate(const MapPatch& patch, double error) {
    const std::uint32_t columns = patch.width / 2, rows = patch.height / 2;
    std::vector<std::uint32_t> across(columns, std::max(1u, patch.cuts[0])),
        along(rows, std::max(1u, patch.cuts[1]));
    if (patch.cuts[0] == 0 || patch.cuts[1] == 0) {
        for (std::uint32_t i = 0; i < columns; ++i)
            for (std::uint32_t k = 0; k < rows; ++k) {
                const Bend bend = bend_of(patch, 2 * i, 2 * k);
                for (;;) {
                    const double h = 1.0 / across[i], v = 1.0 / along[k], u_part = h * h * bend.uu,
                                 v_part = v * v * bend.vv;
                    if (u_part + 2 * h * v * bend.uv + v_part <= 8 * error) break;
                    const bool first = along[k] >= most_steps || (u_part >= v_part && across[i] < most_steps);
                    if (first && across[i] >= most_steps) break;
                    ++(first ? across[i] : along[k]);
                }
            }
    }

    LevelPatch out;
    out.material = patch.material;
    std::uint32_t height = 0; // vertices of a column
    for (std::uint32_t i = 0; i < columns; ++i)
        for (std::uint32_t s = i == 0 ? 0 : 1; s <= across[i]; ++s) {
            const auto u = weights(static_cast<double>(s) / across[i]);
            height = 0;
            for (std::uint32_t k = 0; k < rows; ++k)
                for (std::uint32_t t = k == 0 ? 0 : 1; t <= along[k]; ++t, ++height) {
                    const auto v = weights(static_cast<double>(t) / along[k]);
                    DVec3 position{};
                    std::array<double, 2> coordinates{};
                    for (std::uint32_t a = 0; a < 3; ++a)
                        for (std::uint32_t b = 0; b < 3; ++b) {
                            const MapPatch::Point& point =
                                patch.points[(2 * i + a) * patch.height + 2 * k + b];
                            const double weight = u[a] * v[b];
                            position += weight * point.position;
                            coordinates[0] += weight * point.u;
                            coordinates[1] += weight * point.v;
                        }
                    out.vertices.push_back(position);
                    out.coordinates.push_back(coordinates);
                }
        }
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const DVec3 area = cross(out.vertices[b] - out.vertices[a], out.vertices[c] - out.vertices[a]);
        if (dot(area, area) > 0) out.triangles.push_back({a, b, c});
    };
    const auto width = static_cast<std::uint32_t>(out.vertices.size()) / height;
    for (std::uint32_t i = 0; i + 1 < width; ++i)
        for (std::uint32_t k = 0; k + 1 < height; ++k) {
            const std::uint32_t corner = i * height + k;
            add(corner, corner + 1, corner + height);
            add(corner + 1, corner + height + 1, corner + height);
        }
    return out;
}

} // namespace scree
