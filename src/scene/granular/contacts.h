// SPDX-License-Identifier: MIT
// contacts.h — the contacts of a granular world, computed from the particles' positions on request.
#pragma once

#include "scree/granular.h"
#include "scree/world.h"

#include <vector>

namespace scree {

/// Number of the other side if it is not a body: ground, wall or obstacle.
constexpr std::uint32_t no_body = 0xffffffffu;

/// One contact of one point for each touching pair of particles of different bodies, and of a particle and a surface. The second
/// body is never a surface; the normal points to it. The impulse is that of the contact's spring over a step, without dashpot
/// and friction, so it is complete only at rest. In reference mode the list includes contacts that the world's grid misses.
std::vector<ContactInfo> granular_contacts(const GranularWorld& world);

} // namespace scree
