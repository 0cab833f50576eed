// SPDX-License-Identifier: MIT
// grid.cpp — see grid.h.
#include "cloth/grid.h"

#include <algorithm>
#include <cmath>

namespace scree {

ClothFacts facts_of(const ClothSettings& s) {
    ClothFacts f;
    f.lines_x = static_cast<std::uint32_t>(s.edges_x) + 2;
    f.lines_z = static_cast<std::uint32_t>(s.edges_z) + 2;
    f.vertices = f.lines_x * f.lines_z;
    const double x = double{s.width} / (f.lines_x - 1), z = double{s.length} / (f.lines_z - 1);
    f.rest_x = static_cast<float>(x);
    f.rest_z = static_cast<float>(z);
    f.rest_across = static_cast<float>(std::sqrt(x * x + z * z));
    f.radius = static_cast<float>(std::min(double{s.radius_share} * std::min(x, z), 0.35));
    // the thesis divides by the root of the smaller of 0.02 and the number of vertices, which is always 0.02
    f.vertex_mass =
        static_cast<float>(s.physical_mass ? double{s.mass} / f.vertices : double{s.mass} / std::sqrt(0.02));
    return f;
}

std::array<ClothNeighbour, 12> neighbours_of(const ClothFacts& f, std::uint32_t vertex) {
    constexpr int steps[12][2] = {{0, 1},   {1, 0},  {0, -1}, {-1, 0}, {1, 1},  {1, -1},
                                  {-1, -1}, {-1, 1}, {0, 2},  {2, 0},  {0, -2}, {-2, 0}};
    const auto x = static_cast<std::int64_t>(vertex / f.lines_z),
               z = static_cast<std::int64_t>(vertex % f.lines_z);
    std::array<ClothNeighbour, 12> all;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::int64_t nx = x + steps[k][0], nz = z + steps[k][1];
        const bool exists = nx >= 0 && nx < f.lines_x && nz >= 0 && nz < f.lines_z;
        all[k] = {exists ? static_cast<std::uint32_t>(nx * f.lines_z + nz) : vertex, exists ? 1.0f : 0.0f};
    }
    return all;
}

std::vector<std::uint32_t> pins_of(const ClothSheetDef& sheet, const ClothFacts& f) {
    return sheet.pins.value_or(std::vector<std::uint32_t>{0, f.vertices - f.lines_z});
}

std::vector<Vec3> start_positions(const ClothSheetDef& sheet, const ClothSettings& settings) {
    const ClothFacts f = facts_of(settings);
    std::vector<Vec3> all;
    all.reserve(f.vertices);
    for (std::uint32_t x = 0; x < f.lines_x; ++x)
        for (std::uint32_t z = 0; z < f.lines_z; ++z) {
            const auto along = [](float size, std::uint32_t line, std::uint32_t lines) {
                return double{size} * (static_cast<double>(line) / (lines - 1) - 0.5);
            };
            const DVec3 flat{along(settings.width, x, f.lines_x), 0, along(settings.length, z, f.lines_z)};
            all.push_back(narrow(wide(sheet.position) + rotate(wide(sheet.rotation), flat)));
        }
    return all;
}

std::vector<std::uint32_t> triangles_of(const ClothFacts& f) {
    std::vector<std::uint32_t> all;
    all.reserve(std::size_t{6} * (f.lines_x - 1) * (f.lines_z - 1));
    for (std::uint32_t x = 0; x + 1 < f.lines_x; ++x)
        for (std::uint32_t z = 0; z + 1 < f.lines_z; ++z) {
            const std::uint32_t a = x * f.lines_z + z, b = a + 1, c = a + f.lines_z, d = c + 1;
            all.insert(all.end(), {a, b, c, c, b, d}); // the normal is +y while the sheet is flat
        }
    return all;
}

} // namespace scree
