// SPDX-License-Identifier: MIT
// image.h — what a step needs from the one before, besides bodies, shapes and joints: the part of a snapshot that every
// Simulation can make and go on from.
//
//     words
//     1      the last substep in seconds
//     1      whether contacts bounce, roll or carry along
//     1      number of contacts, then for each in the order of their shapes (the second's number first)
//     64+1     its record and its colour
//     1      for each body: the next of its island
//     1+8    for each joint: its colour and impulses
//
// What only one way of finding pairs knows (fat bounds, pairs that are near but do not overlap) is left out and found again.
#pragma once

#include "rigid/storage.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct SimulationImage {
    float last_h = 0; ///< s; 0: impulses are not carried over
    bool extras = false;
    struct Saved {
        Contact contact;
        std::uint32_t colour = 0; ///< rigid/records.h
    };
    std::vector<Saved> contacts; ///< those that hold a manifold, perhaps an empty one; in any order
    std::vector<std::uint32_t> island_next; ///< of a body: a ring through its island
    struct SavedJoint {
        std::uint32_t colour = 0;
        float impulse[8] = {}; ///< two quads of kernels/rigid_joint.h
    };
    std::vector<SavedJoint> joints;
};

/// Appended to `out`, little-endian words.
void encode_image(const SimulationImage& image, std::vector<std::byte>& out);

/// Bodies, shapes and joints have been restored. Throws Error for what does not fit them or itself: pairs that are not
/// wanted or there twice, two constraints of a body with one colour, islands that are no rings. Contacts keep the order of
/// the bytes; their bodies follow from the shapes.
SimulationImage decode_image(std::span<const std::byte> in, const RigidStorage& world);

} // namespace scree
