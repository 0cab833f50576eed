// SPDX-License-Identifier: MIT
// shared_poses.h — poses and vertices that a world's device writes into a renderer's memory, so that they do not pass the host.
//
//     if (SharedPoses* to = model.share()) show_shared(world, *to, frame); // render/world_model.h
//     else show(world, frame);
//     model.update(frame);
//
// Sheets of a ClothWorld: the same with SharedVertices and model.share_vertices().
#pragma once

#include "scree/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace scree {

class ClothWorld;
class GranularWorld;
class World;
struct Frame;

/// A buffer of OpenGL. The context is current on the thread that calls.
class GraphicsBuffer {
public:
    virtual ~GraphicsBuffer() = default;
    virtual std::uint32_t gl_name() const = 0;
    virtual std::size_t bytes() const = 0;
    /// Its memory, for devices that are the host; null when the driver refuses.
    virtual void* map() = 0;
    virtual void unmap() = 0;

    /// What a device keeps to use it; the owner of the buffer lets it go first.
    std::shared_ptr<void> registration;
};

/// What is drawn of each body of an Appearance: an origin of four floats for each of `room`, then as many rotations, then as many
/// colours of a word (0xAABBGGRR).
struct SharedPoses {
    GraphicsBuffer* memory = nullptr;
    std::uint32_t room = 0;
    std::vector<std::uint32_t> awake, asleep; ///< colours by body
    std::uint64_t revision = 0;               ///< changes with the colours and the appearance
};

/// What is drawn of each vertex of an Appearance's meshes: four floats of a position for each of `room`, then as many of a normal.
struct SharedVertices {
    GraphicsBuffer* memory = nullptr;
    std::uint32_t room = 0;
};

/// Whether the world is on a device that may write them by itself: its poses, and the vertices of a ClothWorld.
bool may_share(const World& world);
bool may_share(const GranularWorld& world);
bool may_share(const ClothWorld& world);
/// Writes the current poses of frame.appearance's bodies there, and marks the frame as shared; its arrays stay as they are. Throws Error,
/// saying why, where that is impossible: then show() copies them.
void show_shared(const World& world, SharedPoses& to, Frame& frame);
void show_shared(const GranularWorld& world, SharedPoses& to, Frame& frame);
/// The same with the vertices of all sheets; poses of colliders go into the frame.
void show_shared(const ClothWorld& world, SharedVertices& to, Frame& frame);

} // namespace scree
