// SPDX-License-Identifier: MIT
// snapshot.h — a whole GranularWorld as bytes.
//
//     offset  bytes
//     0       8     "SCREEGRN"
//     8       4     version of the format
//     12      4     0
//     16      8     length of the rest
//     24      8     checksum of the rest
//     32            settings, shapes, obstacles, bodies, springs, time
//
// Numbers are little-endian.
#pragma once

#include "granular/arrays.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scree {

/// The state that steps read and change.
struct GranularSnapshot {
    GranularSettings settings;
    std::vector<GranularShape> shapes; // the largest of them counts in when bodies sleep
    std::vector<Obstacle> obstacles;
    GranularBodies bodies;
    std::vector<float> springs;
    std::uint64_t steps = 0, steps_before = 0;
    double time_before = 0;
};

std::vector<std::byte> encode_granular(const GranularSnapshot& snapshot);
/// Throws Error for anything that encode_granular did not make; memory grows with what the bytes hold, not with what they
/// claim.
GranularSnapshot decode_granular(std::span<const std::byte> bytes);

} // namespace scree
