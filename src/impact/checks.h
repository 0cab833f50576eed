// SPDX-License-Identifier: MIT
// checks.h — what a user may ask of an ImpactWorld. Each throws Error, whose where() names the field.
#pragma once

#include "scree/impact.h"

namespace scree::impact {

void check(const ImpactSettings& settings);
void check(const ImpactParticle& particle, const ImpactSettings& settings);

} // namespace scree::impact
