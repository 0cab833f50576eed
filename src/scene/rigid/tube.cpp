// SPDX-License-Identifier: MIT
// tube.cpp — see tube.h.
#include "scene/rigid/tube.h"

#include "scene/rotation.h"

namespace scree {

ClothDef make_tube(float top_radius, float bottom_radius, float height, std::uint32_t around,
                   std::uint32_t down) {
    ClothDef tube;
    for (std::uint32_t row = 0; row < down; ++row) {
        const double share = static_cast<double>(row) / (down - 1);
        const double radius = double{top_radius} + (double{bottom_radius} - double{top_radius}) * share;
        for (std::uint32_t k = 0; k < around; ++k) {
            // every second row is turned by half a column: triangles have nearly equal sides
            const SineCosine angle = of_degrees(360 * (k + 0.5 * (row % 2)) / around);
            tube.vertices.push_back(
                narrow(DVec3{radius * angle.cosine, -double{height} * share, radius * angle.sine}));
        }
    }
    for (std::uint32_t row = 0; row + 1 < down; ++row)
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t a = row * around + k, b = row * around + (k + 1) % around, c = a + around,
                                d = b + around;
            if (row % 2 == 0) tube.triangles.insert(tube.triangles.end(), {{a, b, c}, {b, d, c}});
            else tube.triangles.insert(tube.triangles.end(), {{a, b, d}, {a, d, c}});
        }
    return tube;
}

} // namespace scree
