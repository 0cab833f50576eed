// SPDX-License-Identifier: MIT
// sphere_ruler.cpp — pairs by a sorted grid, in double precision.
#include "sphere_ruler.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace scree::bench {

namespace {

struct Overlaps {
    double sum = 0, most = 0;
    std::uint64_t count = 0;

    void add(double overlap) {
        if (overlap <= 0) return;
        sum += overlap;
        most = std::max(most, overlap);
        ++count;
    }
};

double square(const Vec3& a) { return dot(wide(a), wide(a)); }

// cells of one diameter, kept as counting-sorted lists
struct CellLists {
    std::int64_t nx, ny, nz;
    Vec3 low;
    double size;
    std::vector<std::uint32_t> start, members;

    CellLists(const std::vector<Vec3>& points, double cell) : size(cell) {
        Vec3 high = low = points.front();
        for (const Vec3& p : points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        nx = axis(high.x, low.x) + 1;
        ny = axis(high.y, low.y) + 1;
        nz = axis(high.z, low.z) + 1;
        start.assign(static_cast<std::size_t>(nx * ny * nz) + 1, 0);
        for (const Vec3& p : points) ++start[cell_of(p) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
        members.resize(points.size());
        for (std::uint32_t i = 0; i < points.size(); ++i) members[next[cell_of(points[i])]++] = i;
    }

    std::int64_t axis(float value, float from) const {
        return static_cast<std::int64_t>((double{value} - double{from}) / size);
    }
    std::size_t cell_of(const Vec3& p) const {
        return static_cast<std::size_t>((axis(p.x, low.x) * ny + axis(p.y, low.y)) * nz + axis(p.z, low.z));
    }
};

} // namespace

SpherePile sphere_pile(const GranularWorld& world) {
    SpherePile pile;
    for (const GranularBodyState& body : world.bodies()) {
        pile.positions.push_back(body.position);
        pile.velocities.push_back(body.velocity());
        pile.spins.push_back(body.angular_velocity);
        pile.mass = body.mass;
    }
    pile.radius = world.shape(0).particles.front().radius;
    pile.half_width = world.settings().world_size;
    return pile;
}

Quality measure(const SpherePile& pile) {
    Quality quality;
    if (pile.positions.empty()) return quality;
    const double reach = 2 * pile.radius;
    const CellLists cells(pile.positions, reach);
    Overlaps pairs, walls;
    for (std::uint32_t i = 0; i < pile.positions.size(); ++i) {
        const Vec3& p = pile.positions[i];
        const std::int64_t x = cells.axis(p.x, cells.low.x), y = cells.axis(p.y, cells.low.y);
        const std::int64_t z = cells.axis(p.z, cells.low.z);
        for (std::int64_t cx = std::max<std::int64_t>(x - 1, 0); cx <= std::min(x + 1, cells.nx - 1); ++cx)
            for (std::int64_t cy = std::max<std::int64_t>(y - 1, 0); cy <= std::min(y + 1, cells.ny - 1);
                 ++cy) {
                // cells along z lie side by side
                const std::int64_t row = (cx * cells.ny + cy) * cells.nz;
                const auto first = static_cast<std::size_t>(row + std::max<std::int64_t>(z - 1, 0));
                const auto last = static_cast<std::size_t>(row + std::min(z + 1, cells.nz - 1));
                for (std::uint32_t m = cells.start[first]; m < cells.start[last + 1]; ++m) {
                    const std::uint32_t j = cells.members[m];
                    if (j <= i) continue;
                    const Vec3& q = pile.positions[j];
                    const double dx = double{q.x} - p.x, dy = double{q.y} - p.y, dz = double{q.z} - p.z;
                    const double square = dx * dx + dy * dy + dz * dz;
                    if (square < reach * reach) pairs.add(reach - std::sqrt(square));
                }
            }
        walls.add(pile.radius - p.y);
        walls.add(std::abs(double{p.x}) + pile.radius - pile.half_width);
        walls.add(std::abs(double{p.z}) + pile.radius - pile.half_width);
        quality.mean_height_m += p.y;
        const double inertia = 0.4 * pile.mass * pile.radius * pile.radius;
        quality.kinetic_j += 0.5 * pile.mass * square(pile.velocities[i]) + 0.5 * inertia * square(pile.spins[i]);
    }
    const double count = static_cast<double>(pile.positions.size());
    const double contacts = static_cast<double>(pairs.count + walls.count);
    quality.mean_height_m /= count;
    quality.max_overlap_mm = std::max(pairs.most, walls.most) * 1e3;
    quality.mean_overlap_mm = contacts > 0 ? (pairs.sum + walls.sum) / contacts * 1e3 : 0;
    quality.coordination = 2 * static_cast<double>(pairs.count) / count;
    return quality;
}

} // namespace scree::bench
