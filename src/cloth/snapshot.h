// SPDX-License-Identifier: MIT
// snapshot.h — a whole ClothWorld as bytes: the header of bytes/seal.h under "SCREECLO", then settings, sheets, colliders, vertices, time.
#pragma once

#include "cloth/arrays.h"

namespace scree {

/// The state that steps read and change.
struct ClothSnapshot {
    ClothSettings settings;
    std::vector<ClothSheetDef> sheets;
    std::vector<ClothCollider> colliders;
    std::vector<ClothVertices> vertices;
    std::optional<ClothTouch> touch;
    std::uint64_t steps = 0, steps_before = 0;
    double time_before = 0;
};

std::vector<std::byte> encode_cloth(const ClothSnapshot& snapshot);
/// Throws Error for anything that encode_cloth did not make; memory grows with what the bytes hold, not with what they claim.
ClothSnapshot decode_cloth(std::span<const std::byte> bytes);

} // namespace scree
