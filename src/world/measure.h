// SPDX-License-Identifier: MIT
// measure.h — energies, momenta, overlaps and the contacts of a whole World, for users and tests.
#pragma once

#include "world/state.h"

#include <vector>

namespace scree {

// masses are up to date (mass_update.h)
WorldMeasure measure_world(const World::State& world);
/// In the order of their shapes' indices, at the present poses.
std::vector<ContactInfo> touching_pairs(const World::State& world);

} // namespace scree
