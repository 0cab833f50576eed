// SPDX-License-Identifier: MIT
// expect.h — reads the expectations of a scene.
#pragma once

#include "scene/kind.h"

namespace scree {

/// The value of "expect"; `format` has the keys of the kind's measures and "hash".
void read_expectations(const Field& object, const Kind& kind, Scene& scene);

} // namespace scree
