// SPDX-License-Identifier: MIT
// measure.cpp — see measure.h.
#include "cloth/measure.h"

#include "cloth/grid.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

DVec3 point(const std::vector<float>& words, std::size_t vertex) {
    return {words[4 * vertex], words[4 * vertex + 1], words[4 * vertex + 2]};
}

/// How deep a sphere of this radius around x is in the collider; negative outside.
double depth(const ClothCollider& c, const DVec3& x, double radius) {
    const DVec3 away = x - wide(c.position);
    if (c.kind == ClothCollider::Kind::sphere) return double{c.size.x} + radius - length(away);
    const double dx = std::abs(away.x) - double{c.size.x}, dy = std::abs(away.y) - double{c.size.y},
                 dz = std::abs(away.z) - double{c.size.z};
    if (dx < 0 && dy < 0 && dz < 0) return radius - std::max({dx, dy, dz});
    return radius - length(DVec3{std::max(dx, 0.0), std::max(dy, 0.0), std::max(dz, 0.0)});
}

} // namespace

ClothMeasure measure_cloth(const ClothSettings& settings, int substeps,
                           const std::vector<ClothVertices>& sheets,
                           const std::vector<ClothCollider>& colliders) {
    ClothMeasure m;
    if (sheets.empty()) return m;
    const ClothFacts f = facts_of(settings);
    const double step = double{settings.time_step};
    m.top = -1e300;
    m.bottom = 1e300;
    double stretch = 0, springs = 0;
    for (const ClothVertices& sheet : sheets) {
        for (std::uint32_t i = 0; i < f.vertices; ++i) {
            const DVec3 x = point(sheet.position, i);
            const double moved = substeps * length(x - point(sheet.last, i)), speed = moved / step;
            m.kinetic_energy += 0.5 * double{f.vertex_mass} * speed * speed;
            m.max_speed = std::max(m.max_speed, speed);
            m.max_jitter = std::max(m.max_jitter, moved);
            m.mean_jitter += moved;
            m.top = std::max(m.top, x.y);
            m.bottom = std::min(m.bottom, x.y);
            m.frozen += sheet.position[std::size_t{4} * i + 3] < 0;
            if (settings.ground) m.max_overlap = std::max(m.max_overlap, double{f.radius} - x.y);
            for (const ClothCollider& c : colliders)
                m.max_overlap = std::max(m.max_overlap, depth(c, x, double{f.radius}));
            // the springs to +z and +x: each once
            const auto near = neighbours_of(f, i);
            for (const std::size_t k : {0u, 1u}) {
                if (near[k].multiplier == 0) continue;
                const double rest = double{k == 0 ? f.rest_z : f.rest_x};
                const double longer =
                    std::max(0.0, length(x - point(sheet.position, near[k].vertex)) / rest - 1);
                m.max_stretch = std::max(m.max_stretch, longer);
                stretch += longer;
                ++springs;
            }
        }
        const std::uint32_t middle = f.lines_x / 2 * f.lines_z + f.lines_z / 2;
        m.centre_jitter = std::max(
            m.centre_jitter, substeps * length(point(sheet.position, middle) - point(sheet.last, middle)));
    }
    m.mean_jitter /= static_cast<double>(f.vertices * sheets.size());
    m.mean_stretch = stretch / springs;
    return m;
}

} // namespace scree
