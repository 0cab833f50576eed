// SPDX-License-Identifier: MIT
// events.h — the events of a step, as the CPU and devices find them and as the world tells them.
#pragma once

#include "rigid/storage.h"

#include <cstdint>
#include <vector>

namespace scree {

/// A contact, or a sensor and another shape, by the names that they had then.
struct TouchPair {
    ShapeId first, second;
    BodyId first_body, second_body;
    std::uint32_t kind = 0; ///< a PairKind
};

TouchPair touch_pair(const RigidStorage& world, std::uint32_t a, std::uint32_t b, std::uint32_t kind);

void sort_pairs(std::vector<TouchPair>& pairs); ///< by shapes
void clear_events(Events& events);
/// Tells pairs that began and ended. A pair in both lists has not changed: its contact was made anew. Both are empty then.
void tell_touches(std::vector<TouchPair>& began, std::vector<TouchPair>& ended, Events& to);
void sort_hits(std::vector<HitEvent>& hits);

} // namespace scree
