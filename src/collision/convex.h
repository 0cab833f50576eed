// SPDX-License-Identifier: MIT
// convex.h — contact manifolds of convex shapes for host code; the formulas are kernels/convex_manifold.h in one lane.
#pragma once

#include "scree/math.h"
#include "world/storage.h"

#include <cstdint>

namespace scree {

/// A shape in its own frame. The hull's words must outlive the calls.
struct ConvexGeometry {
    ShapeType type = ShapeType::sphere;
    Vec3 size{};                         ///< box: half sides; capsule, cylinder, cone: y is half the height
    float radius = 0;                    ///< sphere, capsule, cylinder, cone
    const std::uint32_t* hull = nullptr; ///< as hull_words lays them out
};

/// All in A's frame; the point on B is point + normal * separation.
struct ContactManifold {
    Vec3 normal{}; ///< unit, from A to B
    int count = 0;
    Vec3 point[4];       ///< on A's surface
    float separation[4]; ///< negative: overlap
    std::uint32_t
        feature[4]; ///< names the features that meet: the same from step to step, unique within the manifold
};

/// The contacts of A and B with separation <= margin; B's frame is at (position, rotation) in A's.
void collide(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation, float margin,
             ContactManifold& out);

/// By GJK and EPA whatever the types (planes excepted): the distance of A and B, or minus the least way to part them.
float convex_separation(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation);

} // namespace scree
