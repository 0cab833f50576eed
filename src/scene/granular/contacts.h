// SPDX-License-Identifier: MIT
// contacts.h — where the particles of a granular world touch, found anew from their places when somebody looks.
#pragma once

#include "scree/granular.h"
#include "scree/world.h"

#include <vector>

namespace scree {

/// Of the surface a particle touches when it is no body: ground, wall, obstacle.
constexpr std::uint32_t no_body = 0xffffffffu;

/// One contact of one point for each pair of particles of different bodies, and for each particle with each surface. Bodies
/// by number, the second is never a surface; the normal points to it. The impulse is that of the contact's spring over a
/// step: the whole of it at rest, without the dashpot and the friction of contacts that move. The physics keeps no list of
/// contacts, so none is read from it; of a world in reference mode there are some that its grid loses.
std::vector<ContactInfo> granular_contacts(const GranularWorld& world);

} // namespace scree
