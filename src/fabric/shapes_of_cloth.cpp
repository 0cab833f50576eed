// SPDX-License-Identifier: MIT
// shapes_of_cloth.cpp — definitions of cloths and ropes of simple shapes.

#include "scree/cloth_def.h"
#include "scree/error.h"

#include <cmath>
#include <string>

namespace scree {

ClothDef make_cloth(float width, float length, std::uint32_t columns, std::uint32_t rows) {
    if (columns < 2 || rows < 2 || std::uint64_t{columns} * rows > 1u << 24)
        throw Error("invalid size " + std::to_string(columns) + " x " + std::to_string(rows) +
                        ": expected two or more vertices each way, 16777216 together at most",
                    "make_cloth");
    if (!(width > 0) || !(length > 0) || !std::isfinite(width) || !std::isfinite(length))
        throw Error("the sides must be finite and greater than 0", "make_cloth");
    ClothDef cloth;
    const auto share = [](std::uint32_t k, std::uint32_t of) {
        return static_cast<float>(k) / static_cast<float>(of - 1) - 0.5f;
    };
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i)
            cloth.vertices.push_back({width * share(i, columns), 0, length * share(j, rows)});
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

ClothDef make_cloth(const TriangleMesh& mesh) {
    ClothDef cloth;
    cloth.vertices = mesh.vertices;
    cloth.triangles = mesh.triangles;
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
