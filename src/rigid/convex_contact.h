// SPDX-License-Identifier: MIT
// convex_contact.h — manifolds of pairs that have no kernel of their own in lanes.
#pragma once

#include "world/state.h"

#include <memory>
#include <span>
#include <vector>

namespace scree {

using HullWords = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Makes the contact's manifold anew from the poses of its shapes. `hulls` by shape; empty for what is no hull.
void make_convex_contact(const World::State& world, std::span<const HullWords> hulls, Contact& contact,
                         float dt);

} // namespace scree
