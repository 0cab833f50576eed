// SPDX-License-Identifier: MIT
// culling.h — records in chunks with a bound each, so that most are decided many at a time: seen, not seen, how fine.
//
// A chunk is up to chunk_size records of one item that follow each other. The loops over a chunk are plain and without
// branches, for the compiler to make vectors of. They read the stores' own arrays where records and poses follow each other
// there, as those of a world's bodies do, and copies elsewhere.
#pragma once

#include "render/frame_constants.h"
#include "render/instances.h"
#include "render/linear.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scree::render {

enum class Side : std::uint8_t { outside, across, inside };
struct Against {
    Side side = Side::inside;
    std::uint8_t across = 0; ///< the planes that go through it, one bit each
};

/// Six planes, inside where a*x + b*y + c*z + d >= 0; unit normals.
struct Frustum {
    std::array<Quad, 6> planes;
    explicit Frustum(const Mat4& view_projection);
    /// Uses the first `count` planes; outside means beyond any of them.
    Against side(const Bounds& bounds, std::size_t count = 6) const;
};

constexpr std::uint32_t chunk_size = 128;

struct Chunk {
    std::uint32_t first = 0, count = 0; ///< in the item's records
    std::uint32_t first_record = 0, first_pose = 0;
    bool straight = false;           ///< record and pose i are the first ones + i, poses of the world
    float smallest = 0, largest = 0; ///< extents, as far as they are known without a pose's scale
    Bounds bounds;                   ///< as of the last measure()
};

/// A chunk's things: four floats of position each, how far they reach from there, their extents.
struct ChunkLanes {
    std::uint32_t count = 0;
    const float* places = nullptr;
    const float* reach = nullptr;
    const float* extent = nullptr;
};

class ChunkReader {
public:
    explicit ChunkReader(const InstanceStore& instances) : instances_(instances) {}
    /// Data that is fixed until records change; `records` are those of the item.
    Chunk describe(std::span<const std::uint32_t> records, std::uint32_t first) const;
    /// Valid until the next call.
    ChunkLanes lanes(const Chunk& chunk, std::span<const std::uint32_t> records);

private:
    const InstanceStore& instances_;
    alignas(64) std::array<float, 4 * chunk_size> places_{};
    alignas(64) std::array<float, chunk_size> reach_{}, extent_{};
};

Bounds bounds_of(const ChunkLanes& lanes);
/// Nearest and farthest that a point inside can be.
struct DistanceRange {
    float nearest = 0, farthest = 0;
};
DistanceRange distance_range(const Bounds& bounds, Vec3 eye);

using ChunkFloats = std::array<float, chunk_size>;
using ChunkKeys = std::array<std::int32_t, chunk_size>;
/// Of those with another key than `left_out`.
Bounds bounds_of(const ChunkLanes& lanes, const ChunkKeys& keys, std::int32_t left_out);

/// Distances from the eye, and where they lie in steps of 1/scale from `least`: 0 … top.
void distance_keys(const ChunkLanes& lanes, Vec3 eye, float least, float scale, float top,
                   ChunkFloats& distance, ChunkKeys& keys);
/// Adds `step` where the square of the distance to the nearest point is over `beyond` for a size of 1.
void add_level(const ChunkLanes& lanes, const ChunkFloats& distance, float beyond, std::int32_t step,
               ChunkKeys& keys);
/// Sets `key` for records outside one of the frustum's planes, which are selected by bits.
void mark_outside(const ChunkLanes& lanes, const Frustum& frustum, std::uint8_t planes, std::int32_t key,
                  ChunkKeys& keys);

// A counting sort. Two tables are used in turn: neighbours often have the same key and would wait for each other.
constexpr std::size_t most_levels = 8, most_bins = 64;
using KeyTables = std::array<std::array<std::uint32_t, most_levels * most_bins + 1>, 2>;
/// Counts keys + more, and stores them.
void count_keys(std::span<const std::int32_t> keys, std::int32_t more, std::uint16_t* stored,
                KeyTables& tables);
/// Writes records where the tables say, which are places by now.
void place_by_key(std::span<const std::uint32_t> records, const std::uint16_t* keys, KeyTables& tables,
                  std::uint32_t* to);

} // namespace scree::render
