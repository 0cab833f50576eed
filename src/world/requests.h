// SPDX-License-Identifier: MIT
// requests.h — what kernels of the user ask for (scree/request.h).
#pragma once

#include "world/state.h"

#include <vector>

namespace scree {

/// Those of a snapshot that wait, and those on the device, in canonical order.
std::vector<BodyRequest> waiting_requests(const World::State& world);
/// When a step begins.
void carry_out_requests(World& world);

} // namespace scree
