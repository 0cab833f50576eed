// SPDX-License-Identifier: MIT
// measure.h — energies, momenta, overlaps and the contacts of a whole World, for users and tests.
#pragma once

#include "world/state.h"

#include <vector>

namespace scree {

/// Masses must be up to date (mass_update.h).
WorldMeasure measure_world(const World::State& world);
/// Sorted by the indices of their shapes, at the current poses; of one body, or of all.
std::vector<ContactInfo> touching_pairs(const World::State& world, std::uint32_t body = none);
constexpr std::uint8_t no_colour_told = 255;
ContactInfo contact_info(const RigidStorage& world, const Contact& contact,
                         std::uint8_t colour = no_colour_told);
/// One point: of the other shape, the nearest to the middle of the one that it is about to stop.
ContactInfo contact_info(const RigidStorage& world, const SweptTouch& touch);

} // namespace scree
