// SPDX-License-Identifier: MIT
// snapshot.h — a whole World as bytes.
//
//     offset  bytes
//     0       8     "SCREEWLD"
//     8       4     version of the format
//     12      4     tag of the world's ids (ids.h) in the lowest byte, its complement in the next
//     16      8     length of the rest
//     24      8     checksum of the rest
//     32            settings, time, hulls, bodies, shapes, joints, lists, what Simulation::save adds
//
// Numbers are little-endian. Worlds in the same state give the same bytes but for the tag: ids that were given out before
// stay valid in the restored world, and are refused by others.
#pragma once

#include "world/state.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace scree {

/// Masses are up to date (mass_update.h), and the world's arrays are fetched (rigid/simulation.h).
std::vector<std::byte> encode_snapshot(const World::State& world);
/// Throws Error for anything that encode_snapshot did not make; memory grows with what the bytes hold, not with what they
/// claim.
std::unique_ptr<World::State> decode_snapshot(std::span<const std::byte> snapshot, const Place& place,
                                              const SimulationMaker& make = make_simulation);

} // namespace scree
