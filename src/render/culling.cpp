// SPDX-License-Identifier: MIT
// culling.cpp — see culling.h.
#include "render/culling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace scree::render {

namespace {

typedef float Lanes4 __attribute__((vector_size(16)));

Lanes4 load(const float* from) {
    Lanes4 lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

} // namespace

Frustum::Frustum(const Mat4& m) {
    for (int i = 0; i < 6; ++i) {
        const int row = i / 2;
        const float sign = i % 2 ? -1.0f : 1.0f;
        Quad& p = planes[static_cast<std::size_t>(i)];
        for (int c = 0; c < 4; ++c) p[static_cast<std::size_t>(c)] = m.at(3, c) + sign * m.at(row, c);
        const float size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (size > 0)
            for (float& c : p) c /= size;
    }
}

Against Frustum::side(const Bounds& b, std::size_t count) const {
    Against against;
    for (std::size_t i = 0; i < count; ++i) {
        const Quad& p = planes[i];
        // the corners that are farthest out and farthest in
        const float out = p[0] * (p[0] > 0 ? b.low.x : b.high.x) + p[1] * (p[1] > 0 ? b.low.y : b.high.y) +
                          p[2] * (p[2] > 0 ? b.low.z : b.high.z) + p[3];
        const float in = p[0] * (p[0] > 0 ? b.high.x : b.low.x) + p[1] * (p[1] > 0 ? b.high.y : b.low.y) +
                         p[2] * (p[2] > 0 ? b.high.z : b.low.z) + p[3];
        if (in < 0) return {Side::outside, 0};
        if (!(out >= 0)) against = {Side::across, static_cast<std::uint8_t>(against.across | 1u << i)};
    }
    return against;
}

Chunk ChunkReader::describe(std::span<const std::uint32_t> records, std::uint32_t first) const {
    Chunk chunk;
    chunk.first = first;
    chunk.count = std::min(chunk_size, static_cast<std::uint32_t>(records.size()) - first);
    chunk.first_record = records[first];
    chunk.first_pose = instances_.pose_of(chunk.first_record);
    chunk.straight = true;
    chunk.smallest = std::numeric_limits<float>::infinity();
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        const std::uint32_t record = records[first + i], pose = instances_.pose_of(record);
        const bool own = pose & InstanceStore::own_pose;
        chunk.straight =
            chunk.straight && !own && record == chunk.first_record + i && pose == chunk.first_pose + i;
        chunk.smallest = own ? 0 : std::min(chunk.smallest, instances_.extent(record));
        chunk.largest =
            own ? std::numeric_limits<float>::infinity() : std::max(chunk.largest, instances_.extent(record));
    }
    return chunk;
}

ChunkLanes ChunkReader::lanes(const Chunk& chunk, std::span<const std::uint32_t> records) {
    if (chunk.straight)
        return {chunk.count, instances_.place(chunk.first_pose), instances_.reaches(chunk.first_record),
                instances_.extents(chunk.first_record)};
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        const std::uint32_t record = records[chunk.first + i], pose = instances_.pose_of(record);
        const float* place = instances_.place(pose);
        std::memcpy(places_.data() + 4 * i, place, 4 * sizeof(float));
        // the renderer's own poses may be scaled
        const float scale = pose & InstanceStore::own_pose ? 1 + place[3] : 1;
        reach_[i] = instances_.reach(record) * scale;
        extent_[i] = instances_.extent(record) * scale;
    }
    return {chunk.count, places_.data(), reach_.data(), extent_.data()};
}

Bounds bounds_of(const ChunkLanes& lanes) {
    // two of each, so that one need not wait for the other
    Lanes4 low[2], high[2];
    low[0] = low[1] = Lanes4{1e30f, 1e30f, 1e30f, 1e30f};
    high[0] = high[1] = -low[0];
    const auto add = [&](std::uint32_t i, int to) {
        const Lanes4 place = load(lanes.places + 4 * i), below = place - lanes.reach[i],
                     above = place + lanes.reach[i];
        low[to] = below < low[to] ? below : low[to];
        high[to] = above > high[to] ? above : high[to];
    };
    std::uint32_t i = 0;
    for (; i + 1 < lanes.count; i += 2) add(i, 0), add(i + 1, 1);
    if (i < lanes.count) add(i, 0);
    const Lanes4 l = low[0] < low[1] ? low[0] : low[1], h = high[0] > high[1] ? high[0] : high[1];
    return {{l[0], l[1], l[2]}, {h[0], h[1], h[2]}};
}

Bounds bounds_of(const ChunkLanes& lanes, const ChunkKeys& keys, std::int32_t left_out) {
    // what reaches so little changes no bounds
    ChunkFloats reach;
    for (std::size_t i = 0; i < lanes.count; ++i) reach[i] = keys[i] == left_out ? -4e30f : lanes.reach[i];
    return bounds_of({lanes.count, lanes.places, reach.data(), lanes.extent});
}

DistanceRange distance_range(const Bounds& b, Vec3 eye) {
    const Vec3 below = b.low - eye, above = eye - b.high;
    const Vec3 nearest = max(max(below, above), {0, 0, 0});
    // along each axis the farther of the two sides
    const Vec3 farthest = max(-below, -above);
    return {length(nearest), length(farthest)};
}

void distance_keys(const ChunkLanes& lanes, Vec3 eye, float least, float scale, float top,
                   ChunkFloats& distance, ChunkKeys& keys) {
    const float* __restrict places = lanes.places;
    float* __restrict away = distance.data();
    std::int32_t* __restrict key = keys.data();
    const std::size_t count = lanes.count;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = places[4 * i] - eye.x, y = places[4 * i + 1] - eye.y, z = places[4 * i + 2] - eye.z;
        away[i] = std::sqrt(x * x + y * y + z * z);
    }
    for (std::size_t i = 0; i < count; ++i) {
        // compared in this way what is no number becomes 0
        float place = (away[i] - least) * scale;
        place = place > 0 ? place : 0;
        key[i] = static_cast<std::int32_t>(place < top ? place : top);
    }
}

void add_level(const ChunkLanes& lanes, const ChunkFloats& distance, float beyond, std::int32_t step,
               ChunkKeys& keys) {
    const float* __restrict reach = lanes.reach;
    const float* __restrict extent = lanes.extent;
    const float* __restrict away = distance.data();
    std::int32_t* __restrict key = keys.data();
    const std::size_t count = lanes.count;
    for (std::size_t i = 0; i < count; ++i) {
        // from the nearest point of it
        const float gap = away[i] - reach[i], nearest = gap > 0 ? gap : 0;
        key[i] += nearest * nearest > beyond * extent[i] * extent[i] ? step : 0;
    }
}

void mark_outside(const ChunkLanes& lanes, const Frustum& frustum, std::uint8_t planes, std::int32_t mark,
                  ChunkKeys& keys) {
    const float* __restrict places = lanes.places;
    const float* __restrict reach = lanes.reach;
    std::int32_t* __restrict key = keys.data();
    const std::size_t count = lanes.count;
    for (unsigned left = planes; left; left &= left - 1) {
        const Quad p = frustum.planes[static_cast<std::size_t>(std::countr_zero(left))];
        for (std::size_t i = 0; i < count; ++i) {
            const float height =
                p[0] * places[4 * i] + p[1] * places[4 * i + 1] + p[2] * places[4 * i + 2] + p[3];
            key[i] = height < -reach[i] ? mark : key[i];
        }
    }
}

void count_keys(std::span<const std::int32_t> keys, std::int32_t more, std::uint16_t* stored,
                KeyTables& tables) {
    std::uint32_t* even = tables[0].data();
    std::uint32_t* odd = tables[1].data();
    const std::size_t count = keys.size();
    for (std::size_t i = 0; i < count; ++i) stored[i] = static_cast<std::uint16_t>(keys[i] + more);
    std::size_t i = 0;
    for (; i + 1 < count; i += 2) ++even[stored[i]], ++odd[stored[i + 1]];
    if (i < count) ++even[stored[i]];
}

void place_by_key(std::span<const std::uint32_t> records, const std::uint16_t* keys, KeyTables& tables,
                  std::uint32_t* __restrict to) {
    std::uint32_t* even = tables[0].data();
    std::uint32_t* odd = tables[1].data();
    const std::size_t count = records.size();
    std::size_t i = 0;
    for (; i + 1 < count; i += 2) {
        to[even[keys[i]]++] = records[i];
        to[odd[keys[i + 1]]++] = records[i + 1];
    }
    if (i < count) to[even[keys[i]]++] = records[i];
}

} // namespace scree::render
