// SPDX-License-Identifier: MIT
// separate.h — particles that overlap before they fly are moved apart.
#pragma once

#include "impact/gas.h"

#include <vector>

namespace scree::impact {

/// Moves particles that overlap until none does: pairs in the order of their numbers, each by the share of the other's mass, pass by
/// pass; by equal shares after 100. Only places and homes change. Throws Error where no room is found, or where two that overlap have
/// infinite masses; then `flights` is as it was.
ImpactSeparation separate(const ImpactSettings& settings, std::vector<Flight>& flights);

} // namespace scree::impact
