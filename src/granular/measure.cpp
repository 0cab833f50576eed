// SPDX-License-Identifier: MIT
// measure.cpp — see measure.h.

#include "granular/measure.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace scree {

namespace {

DVec3 into_body_frame(const Quat& q, const DVec3& v) {
    // R^T v, R from the quaternion
    const double s = q.s, x = q.x, y = q.y, z = q.z;
    return {(1 - 2 * (y * y + z * z)) * v.x + 2 * (x * y + s * z) * v.y + 2 * (x * z - s * y) * v.z,
            2 * (x * y - s * z) * v.x + (1 - 2 * (x * x + z * z)) * v.y + 2 * (y * z + s * x) * v.z,
            2 * (x * z + s * y) * v.x + 2 * (y * z - s * x) * v.y + (1 - 2 * (x * x + y * y)) * v.z};
}

double kinetic_energy(const GranularBodyState& body, const Vec3& unit_inertia) {
    const DVec3 p = wide(body.momentum), l = into_body_frame(body.rotation, wide(body.angular_momentum));
    return 0.5 / body.mass *
           (dot(p, p) + l.x * l.x / unit_inertia.x + l.y * l.y / unit_inertia.y + l.z * l.z / unit_inertia.z);
}

} // namespace

GranularMeasure measure_world(GranularArrays& arrays, const std::vector<GranularShape>& shapes,
                              const GranularBodies& bodies, const GranularSettings& settings) {
    GranularMeasure m;
    if (bodies.state.empty()) return m;
    m.top = -1e300;
    m.bottom = 1e300;
    for (const GranularBodyState& body : bodies.state) {
        m.kinetic_energy += kinetic_energy(body, shapes[body.shape].unit_inertia);
        m.potential_energy -= double{body.mass} * dot(wide(settings.gravity), wide(body.position));
        const Vec3 v = body.velocity();
        m.max_speed = std::max(m.max_speed, std::hypot(double{v.x}, double{v.y}, double{v.z}));
        m.top = std::max(m.top, double{body.position.y});
        m.bottom = std::min(m.bottom, double{body.position.y});
        m.asleep += body.asleep;
        m.frozen += body.frozen;
    }

    // contacts, on the device
    m.memory_overflows = arrays.memory_overflows();
    const auto [particles, cells] = arrays.measure();
    double overlaps = 0;
    for (const auto& [most, total, contacts, own] : particles) {
        m.max_overlap = std::max(m.max_overlap, double{most});
        overlaps += total;
        m.contacts += static_cast<std::uint64_t>(contacts);
        m.own_contacts += static_cast<std::uint64_t>(own);
    }
    if (m.contacts != 0) m.mean_overlap = overlaps / static_cast<double>(m.contacts);

    // how full the cells are
    const bool reference = settings.mode == GranularMode::reference;
    if (settings.mode == GranularMode::brute) return m;
    for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
        while (end < cells.size() && cells[end] == cells[begin]) ++end;
        const auto load = static_cast<std::uint32_t>(end - begin);
        if (reference && cells[begin] == arrays.params().cells) {
            m.unregistered = load;
            continue;
        }
        m.largest_cell = std::max(m.largest_cell, load);
        if (reference && load > 4) m.dropped += load - 4;
    }
    return m;
}

std::vector<std::array<std::uint32_t, 2>> interlocked_bodies(const std::vector<ParticleState>& particles,
                                                             const std::vector<GranularShape>& shapes,
                                                             const GranularBodies& bodies) {
    // bodies by cell of the size of the largest: a particle inside a box is at most one cell from its centre
    double reach = 1e-9;
    for (const GranularShape& shape : shapes)
        reach = std::max(reach, std::hypot(double{shape.half_size.x}, double{shape.half_size.y},
                                           double{shape.half_size.z}));
    const auto cell = [&](double x, double y, double z) {
        const auto c = [&](double a) { return static_cast<std::int64_t>(std::floor(a / reach)); };
        return std::array{c(x), c(y), c(z)};
    };
    const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull ^
               static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4full ^
               static_cast<std::uint64_t>(z) * 0x165667b19e3779f9ull;
    };
    std::unordered_multimap<std::uint64_t, std::uint32_t> grid;
    for (std::uint32_t b = 0; b < bodies.state.size(); ++b) {
        const Vec3& x = bodies.state[b].position;
        const auto c = cell(x.x, x.y, x.z);
        grid.emplace(key(c[0], c[1], c[2]), b);
    }
    std::set<std::array<std::uint32_t, 2>> pairs;
    for (const ParticleState& particle : particles) {
        const auto c = cell(particle.position.x, particle.position.y, particle.position.z);
        for (int k = 0; k < 27; ++k) {
            const auto [from, to] =
                grid.equal_range(key(c[0] + k / 9 - 1, c[1] + k / 3 % 3 - 1, c[2] + k % 3 - 1));
            for (auto it = from; it != to; ++it) {
                if (it->second == particle.body) continue;
                const GranularBodyState& other = bodies.state[it->second];
                const Vec3& half = shapes[other.shape].half_size;
                const DVec3 local =
                    into_body_frame(other.rotation, wide(particle.position) - wide(other.position));
                if (std::abs(local.x) < half.x && std::abs(local.y) < half.y && std::abs(local.z) < half.z)
                    pairs.insert({std::min(particle.body, it->second), std::max(particle.body, it->second)});
            }
        }
    }
    return {pairs.begin(), pairs.end()};
}

} // namespace scree
