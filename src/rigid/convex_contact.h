// SPDX-License-Identifier: MIT
// convex_contact.h — manifolds of pairs that have no kernel of their own in lanes.
#pragma once

#include "collision/convex.h"

#include <cstdint>

namespace scree {

/// Makes the manifold of a pair anew; `view` is a rigid::PairView (kernels/rigid_pair.h) and `item` a place in its slots.
/// `parting`: what it was the last time; any number is as good, and none changes the manifold (kernels/convex_manifold.h).
void make_convex_contact(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                         std::uint16_t& parting, const void* view);
/// The same of a pair with a mesh, into the contacts of its slots. Whether it has more normals than slots.
bool make_mesh_contacts(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                        const std::uint32_t* contacts, const void* view);

/// Whether the two shapes of such a pair overlap.
bool sensor_overlaps(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b, const void* view);

} // namespace scree
