// SPDX-License-Identifier: MIT
// expect.h — reads what a scene promises of its last step.
#pragma once

#include "scene/kind.h"

namespace scree {

/// The value of "expect"; `format` has the keys of the kind's measures and "hash".
void read_expectations(const Field& object, const Kind& kind, Scene& scene);

} // namespace scree
