// SPDX-License-Identifier: MIT
// snapshot.h — a whole World as bytes.
//
//     offset  bytes
//     0       8     "SCREEWLD"
//     8       4     version of the format
//     12      4     tag of the world's ids (ids.h) in the lowest byte, its complement in the next
//     16      8     length of the rest
//     24      8     checksum of the rest
//     32            settings, time, hulls, bodies, shapes, joints, lists, bytes of Simulation::save
//
// Numbers are little-endian. Worlds in the same state give the same bytes except for the tag, which keeps ids valid in the
// restored world and invalid in others.
#pragma once

#include "world/state.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace scree {

/// Masses must be up to date (mass_update.h), and the world's arrays fetched (rigid/simulation.h).
std::vector<std::byte> encode_snapshot(const World::State& world);
/// Throws Error for bytes that encode_snapshot did not make. Memory is bounded by the length of the bytes, not by counts in
/// them.
/// `among_many`: it is to be one of Worlds.
std::unique_ptr<World::State> decode_snapshot(std::span<const std::byte> snapshot, const Place& place,
                                              const SimulationMaker& make = make_simulation,
                                              bool among_many = false);

} // namespace scree
