// SPDX-License-Identifier: MIT
// cloth.h — cloths of a World: their slots, pins and bytes.
#pragma once

#include "bytes/fields.h"
#include "world/state.h"

namespace scree {

/// A body is gone or has another type: pins to it go, hold or yield.
void body_changed_for_cloths(World::State& world, std::uint32_t body, bool gone);
/// A body was moved or changed by the user, or goes: cloths that sleep on it or near it wake.
void stir_cloths(World::State& world, std::uint32_t body);
void wake_cloths(World::State& world); ///< all
/// After a step: which cloths fell asleep and woke since the last one.
void tell_cloths(World::State& world);
void write_cloths(bytes::FieldWriter& out, const World::State& world);
/// Throws Error like every reader of snapshots. Slots were read.
void read_cloths(bytes::FieldReader& in, World::State& world);

} // namespace scree
