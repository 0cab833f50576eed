// SPDX-License-Identifier: MIT
// image.h — the state carried from step to step besides bodies, shapes and joints: the part of a snapshot that every
// Simulation can save and restore.
//
//     words
//     1      the last substep in seconds
//     1      whether contacts have restitution, rolling resistance or surface velocity
//     1      number of contacts, then for each, sorted by second and first shape, and slot
//     64+1     its record, and its colour and marks
//     1      for each body: the next of its island
//     1+8    for each joint: its colour and impulses
//     1      number of told pairs that ended, then for each, sorted by its shapes
//     9        kind, and index and generation of shapes and bodies
//
// Data of a single broad phase (fat bounds, pairs without overlap) is left out and computed again.
#pragma once

#include "rigid/events.h"
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
        bool made = true;         ///< false: the manifold must be made anew; such contacts are not saved
        std::uint8_t marks = 0;   ///< MARK_… of kernels/pipeline_params.h
    };
    std::vector<Saved> contacts;            ///< contacts with a manifold, which may be empty; in any order
    std::vector<std::uint32_t> island_next; ///< of a body: a ring through its island
    struct SavedJoint {
        std::uint32_t colour = 0;
        float impulse[8] = {}; ///< two quads of kernels/rigid_joint.h
    };
    std::vector<SavedJoint> joints;
    std::vector<TouchPair> lost; ///< told pairs whose contacts are not among these
};

/// Appends little-endian words to `out`.
void encode_image(const SimulationImage& image, std::vector<std::byte>& out);

/// Call after restoring bodies, shapes and joints. Throws Error for inconsistent bytes: filtered or duplicate pairs, two
/// constraints of a body with one colour, islands that are not rings. Contacts keep the order of the bytes; their bodies
/// follow from the shapes.
SimulationImage decode_image(std::span<const std::byte> in, const RigidStorage& world);

/// Whether the length of the last step matters to the next.
bool carries_impulses(const SimulationImage& image);
/// Throws Error if the world carries impulses of another substep than `last_h`, that of the worlds it is to join; 0: none yet.
void check_joins(const SimulationImage& image, float last_h);

} // namespace scree
