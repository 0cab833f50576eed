// SPDX-License-Identifier: MIT
// contacts.cpp — see granular_contacts.h.
#include "scene/granular/contacts.h"

#include "scree/math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace scree {
namespace {

/// Particles sorted by cell; a cell is as wide as the largest reaches, so touching particles lie in the same or adjacent cells.
class CellLists {
public:
    explicit CellLists(const std::vector<ParticleState>& particles) : particles_(particles) {
        for (const ParticleState& p : particles) width_ = std::max(width_, 2 * double{p.radius});
        for (std::uint32_t k = 0; k < particles.size(); ++k)
            if (is_finite(wide(particles[k].position)))
                order_.emplace_back(key(cell(wide(particles[k].position))), k);
        std::sort(order_.begin(), order_.end());
    }
    /// Every particle with a higher number that may touch this one.
    template <class F>
    void for_each_beside(std::uint32_t particle, F&& f) const {
        const std::array<std::int64_t, 3> at = cell(wide(particles_[particle].position));
        std::array<std::uint64_t, 27> keys;
        for (int k = 0; k < 27; ++k)
            keys[static_cast<std::size_t>(k)] =
                key({at[0] + k / 9 - 1, at[1] + k / 3 % 3 - 1, at[2] + k % 3 - 1});
        std::sort(keys.begin(), keys.end());
        const auto last = std::unique(keys.begin(), keys.end()); // far cells may share a key
        for (auto k = keys.begin(); k != last; ++k) {
            auto entry = std::lower_bound(order_.begin(), order_.end(), std::pair{*k, particle + 1});
            for (; entry != order_.end() && entry->first == *k; ++entry) f(entry->second);
        }
    }

private:
    std::array<std::int64_t, 3> cell(DVec3 x) const {
        constexpr double far = 1e15; // what flew that far touches nothing
        const auto c = [&](double a) {
            return static_cast<std::int64_t>(std::floor(std::clamp(a / width_, -far, far)));
        };
        return {c(x.x), c(x.y), c(x.z)};
    }
    static std::uint64_t key(const std::array<std::int64_t, 3>& c) {
        return static_cast<std::uint64_t>(c[0]) * 0x9e3779b97f4a7c15ull ^
               static_cast<std::uint64_t>(c[1]) * 0xc2b2ae3d27d4eb4full ^
               static_cast<std::uint64_t>(c[2]) * 0x165667b19e3779f9ull;
    }
    const std::vector<ParticleState>& particles_;
    double width_ = 1e-9;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;
};

/// A surface as a particle sees it: which way is out of it, and how far its centre is from it.
struct Surface {
    DVec3 normal;
    double gap = 0;
};

Surface surface_of(const Obstacle& obstacle, DVec3 x) {
    const DPose pose = wide(Pose{obstacle.position, obstacle.rotation});
    const DVec3 local = apply_inverse(pose, x);
    if (obstacle.kind == Obstacle::Kind::plane) return {rotate(pose.rotation, DVec3{0, 1, 0}), local.y};
    if (obstacle.kind == Obstacle::Kind::sphere)
        return {normalized(x - wide(obstacle.position)), length(local) - double{obstacle.size.x}};
    const DVec3 half = wide(obstacle.size);
    const DVec3 away{local.x - std::clamp(local.x, -half.x, half.x),
                     local.y - std::clamp(local.y, -half.y, half.y),
                     local.z - std::clamp(local.z, -half.z, half.z)};
    if (const double distance = length(away); distance > 0)
        return {rotate(pose.rotation, normalized(away)), distance};
    // inside: the nearest face
    const DVec3 depth{half.x - std::abs(local.x), half.y - std::abs(local.y), half.z - std::abs(local.z)};
    DVec3 face{0, 0, std::copysign(1.0, local.z)};
    double least = depth.z;
    if (depth.y <= least) face = {0, std::copysign(1.0, local.y), 0}, least = depth.y;
    if (depth.x <= least) face = {std::copysign(1.0, local.x), 0, 0}, least = depth.x;
    return {rotate(pose.rotation, face), -least};
}

} // namespace

std::vector<ContactInfo> granular_contacts(const GranularWorld& world) {
    const GranularSettings& settings = world.settings();
    const std::vector<ParticleState> particles = world.particles();
    const std::vector<Obstacle> obstacles = world.obstacles();
    double largest = 0;
    for (const ParticleState& p : particles) largest = std::max(largest, double{p.radius});
    const bool hertz = settings.mode != GranularMode::reference && settings.contact == ContactModel::hertz;

    std::vector<ContactInfo> contacts;
    const auto add = [&](std::uint32_t first, std::uint32_t second, DVec3 at, DVec3 normal, double overlap) {
        // Hertz's force equals the spring's at a hundredth of the largest particle's diameter
        const double harder = hertz ? std::sqrt(overlap / (0.02 * largest)) : 1;
        ContactInfo& contact = contacts.emplace_back();
        contact.first_body.index = first;
        contact.second_body.index = second;
        contact.normal = narrow(normal);
        contact.count = 1;
        contact.points[0].position = narrow(at);
        contact.points[0].separation = static_cast<float>(-overlap);
        contact.points[0].normal_impulse =
            static_cast<float>(double{settings.stiffness} * harder * overlap * double{settings.time_step});
    };

    const CellLists lists(particles);
    for (std::uint32_t i = 0; i < particles.size(); ++i) {
        const ParticleState& one = particles[i];
        const DVec3 x = wide(one.position);
        if (!is_finite(x)) continue;
        const double r = one.radius;
        lists.for_each_beside(i, [&](std::uint32_t k) {
            const ParticleState& other = particles[k];
            const DVec3 between = wide(other.position) - x;
            const double distance = length(between), reach = r + double{other.radius};
            if (other.body == one.body || !(distance + double{settings.contact_epsilon} < reach)) return;
            const DVec3 normal = distance > 0 ? (1 / distance) * between : DVec3{0, 1, 0};
            add(one.body, other.body, x + (r - 0.5 * (reach - distance)) * normal, normal, reach - distance);
        });
        const auto meet = [&](const Surface& surface) {
            if (r - surface.gap > 0)
                add(no_body, one.body, x - surface.gap * surface.normal, surface.normal, r - surface.gap);
        };
        if (settings.ground) meet({{0, 1, 0}, x.y});
        if (settings.walls) {
            const double w = settings.world_size;
            meet({{1, 0, 0}, x.x + w});
            meet({{-1, 0, 0}, w - x.x});
            meet({{0, 0, 1}, x.z + w});
            meet({{0, 0, -1}, w - x.z});
        }
        for (const Obstacle& obstacle : obstacles) meet(surface_of(obstacle, x));
    }
    return contacts;
}

} // namespace scree
