// SPDX-License-Identifier: MIT
// fields.h — fields of a World besides what kernels do with them.
#pragma once

#include "world/state.h"

namespace scree {

void check(const ForceField& field);
/// The quads that kernels read, and the number of Custom fields, from the records.
void list_fields(ForceFields& fields);
/// Calls Custom fields before a step and adds their forces to the bodies.
void apply_custom_fields(World::State& world, float dt);

} // namespace scree
