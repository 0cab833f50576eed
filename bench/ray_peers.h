// SPDX-License-Identifier: MIT
// ray_peers.h — the same rays through Scree, Embree and Bullet.
#pragma once

#include "scree/place.h"
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
    /// Whether it shares rays out to threads itself; the others are called by as many threads as there are, with a part each.
    virtual bool shares_out() const { return false; }
    /// The fraction of each ray's first hit, 2 where it hits nothing.
    virtual void cast(std::span<const RayCast> rays, std::span<float> fractions) = 0;
};
std::unique_ptr<RayEngine> scree_rays(const RayTargets& targets, const Place& place);
/// Null where this program was built without it.
std::unique_ptr<RayEngine> embree_rays(const RayTargets& targets);
/// For one thread at a time.
std::unique_ptr<RayEngine> bullet_rays(const RayTargets& targets);

struct PeerRate {
    std::string targets, engine;
    double rays_per_second = 0; ///< the best of three
    std::uint64_t rays = 0, hits = 0;
    std::uint64_t differ = 0; ///< from Scree's by more than 1e-4 of the ray
};
/// All engines there are, alternating, with the threads of `place`, a CPU.
std::vector<PeerRate> race_rays(const RayTargets& targets, const Place& place);

} // namespace scree::bench
