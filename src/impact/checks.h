// SPDX-License-Identifier: MIT
// checks.h — what a user may ask of an ImpactWorld. Each throws Error, whose where() names the field.
#pragma once

#include "scree/impact.h"

namespace scree::impact {

void check(const ImpactSettings& settings);
void check(const ImpactParticle& particle, const ImpactSettings& settings);
/// A particle that a world of these settings has already: how fast impacts made it needs no check, only along which axes it moves. A fast
/// one may be beyond a wall by the rounding of its time, and counts as at the wall.
ImpactParticle under_way(ImpactParticle particle, const ImpactSettings& settings);

} // namespace scree::impact
