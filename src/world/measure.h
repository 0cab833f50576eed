// SPDX-License-Identifier: MIT
// measure.h — energies, momenta, overlaps and the contacts of a whole World, for users and tests.
#pragma once

#include "world/state.h"

#include <vector>

namespace scree {

/// Masses must be up to date (mass_update.h).
WorldMeasure measure_world(const World::State& world);
/// Sorted by the indices of their shapes, at the current poses.
std::vector<ContactInfo> touching_pairs(const World::State& world);

} // namespace scree
