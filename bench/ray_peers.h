// SPDX-License-Identifier: MIT
// ray_peers.h — the same rays through Scree, Embree and Bullet, with one thread.
#pragma once

#include "scree/query.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::bench {

/// What rays are cast at: a surface, or boxes of one size.
struct RayTargets {
    std::string name;
    std::vector<Vec3> vertices{};
    std::vector<std::uint32_t> indices{};
    Vec3 half{}; ///< of the boxes
    std::vector<Pose> boxes{};
    std::vector<RayCast> rays{};
};
/// A bumpy ball of 100,000 triangles, and a fallen pile of so many boxes.
RayTargets ball_targets(std::uint32_t rays);
RayTargets pile_targets(std::uint32_t boxes, std::uint32_t rays);

/// An engine that holds the targets.
class RayEngine {
public:
    virtual ~RayEngine() = default;
    virtual std::string name() const = 0;
    /// The fraction of each ray's first hit, 2 where it hits nothing.
    virtual void cast(std::span<const RayCast> rays, std::span<float> fractions) = 0;
};
std::unique_ptr<RayEngine> scree_rays(const RayTargets& targets);
/// Null where this program was built without it.
std::unique_ptr<RayEngine> embree_rays(const RayTargets& targets);
std::unique_ptr<RayEngine> bullet_rays(const RayTargets& targets);

struct PeerRate {
    std::string targets, engine;
    double rays_per_second = 0; ///< the best of three
    std::uint64_t hits = 0;
    std::uint64_t differ = 0; ///< from Scree's by more than 1e-4 of the ray
};
/// All engines there are, alternating.
std::vector<PeerRate> race_rays(const RayTargets& targets);

} // namespace scree::bench
