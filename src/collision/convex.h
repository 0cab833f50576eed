// SPDX-License-Identifier: MIT
// convex.h — contact manifolds of convex shapes for host code; the formulas are kernels/convex_manifold.h in one lane.
#pragma once

#include "collision/shape_type.h"
#include "scree/math.h"

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

/// Where two shapes are nearest, in A's frame.
struct ConvexNearest {
    DVec3 normal{};        ///< unit, from A to B
    DVec3 on_a{}, on_b{};  ///< on their surfaces
    double separation = 0; ///< the distance, or minus the least way to part them
};
/// By GJK and EPA in double precision, whatever the types; A is no plane.
ConvexNearest convex_nearest(const ConvexGeometry& a, const ConvexGeometry& b, const DVec3& position,
                             const DQuat& rotation);
inline double convex_separation(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position,
                                Quat rotation) {
    return convex_nearest(a, b, wide(position), wide(rotation)).separation;
}

struct ConvexCast {
    bool found = false;
    double fraction = 0;     ///< of the translation
    ConvexNearest nearest{}; ///< then, in the frame that A has at the start
};
/// When A, moving by the translation without turning, first touches B; 0 where they overlap from the start. `tolerance`: they
/// touch when they are this close.
ConvexCast convex_cast(const ConvexGeometry& a, const ConvexGeometry& b, const DVec3& position,
                       const DQuat& rotation, const DVec3& translation, double tolerance, double most);

} // namespace scree
