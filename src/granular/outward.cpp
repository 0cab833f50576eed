// SPDX-License-Identifier: MIT
// outward.cpp — the gradient of the occupancy, from unit vectors to the neighbours found in a sorted grid.
#include "outward.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace scree {
namespace {

// neighbours are nearer than this many radii (of equal particles): touching ones, but not the diagonal of a
// lattice
constexpr double reach = 2.5;
// a sum of unit vectors shorter than this is uneven spacing, not a surface
constexpr double least_sum = 0.5;

// 21 bits an axis; beyond that cells are shared, which costs time but loses nobody
constexpr std::int64_t last_cell = (std::int64_t(1) << 21) - 1;

using Cell = std::array<std::int64_t, 3>;

std::uint64_t key(const Cell& c) {
    return std::uint64_t(c[0]) << 42 | std::uint64_t(c[1]) << 21 | std::uint64_t(c[2]);
}

} // namespace

void estimate_outward(std::vector<ShapeParticle>& particles) {
    Vec3 least = particles.empty() ? Vec3{} : particles[0].offset;
    float largest = 0;
    for (const ShapeParticle& p : particles) {
        least = min(least, p.offset);
        largest = std::max(largest, p.radius);
    }
    const double side = reach * double(largest);
    const auto index = [side](float v, float from) {
        const double i = std::floor((double(v) - double(from)) / side);
        return i < double(last_cell) ? std::int64_t(i) : last_cell;
    };
    const auto cell_of = [&](const Vec3& v) {
        return Cell{index(v.x, least.x), index(v.y, least.y), index(v.z, least.z)};
    };

    // (cell, particle) in order, so that sums do not depend on how the cells were found
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        sorted[i] = {key(cell_of(particles[i].offset)), std::uint32_t(i)};
    std::sort(sorted.begin(), sorted.end());

    for (ShapeParticle& p : particles) {
        const Cell home = cell_of(p.offset);
        DVec3 sum;
        for (std::int64_t a = std::max<std::int64_t>(home[0] - 1, 0); a <= std::min(home[0] + 1, last_cell);
             ++a)
            for (std::int64_t b = std::max<std::int64_t>(home[1] - 1, 0);
                 b <= std::min(home[1] + 1, last_cell); ++b) {
                // the three cells along z are neighbours in the order of keys too
                const Cell low{a, b, std::max<std::int64_t>(home[2] - 1, 0)};
                const Cell high{a, b, std::min(home[2] + 1, last_cell)};
                auto it =
                    std::lower_bound(sorted.begin(), sorted.end(), std::pair(key(low), std::uint32_t(0)));
                for (; it != sorted.end() && it->first <= key(high); ++it) {
                    const ShapeParticle& q = particles[it->second];
                    const DVec3 away = wide(p.offset) - wide(q.offset);
                    const double d = length(away);
                    if (d == 0 || d > reach / 2 * (double(p.radius) + double(q.radius))) continue;
                    sum += away / d;
                }
            }
        const double size = length(sum);
        p.outward = size < least_sum ? Vec3{} : narrow(sum / size);
    }
}

} // namespace scree
