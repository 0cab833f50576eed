// SPDX-License-Identifier: MIT
// impacts.h — an input as calls of ImpactWorld or StagedImpactWorld, with wrong arguments among them.
#pragma once

#include <cstdint>
#include <span>

namespace scree::fuzz {

/// What an input did.
struct ImpactCalls {
    int calls = 0, refused = 0; ///< refused: with an Error
    std::uint64_t impacts = 0;
    std::uint64_t batches = 0; ///< of events computed ahead of their turn
};

/// Plays it. Aborts with a message where a world breaks its word: a number that is not finite, an elastic world that gains energy, a
/// refused call that changed something, a snapshot that does not go on like its world, events that
/// threads change.
ImpactCalls play_impacts(std::span<const std::uint8_t> input);

} // namespace scree::fuzz
