// SPDX-License-Identifier: MIT
// format.cpp — encoding and decoding of everything in format.h but compression.

#include "record/format.h"

#include "record/checksum.h"

#include <bit>

namespace scree::record {

// chunks ----------------------------------------------------------------------------------------------------

Bytes encode(const ChunkHeader& chunk) {
    Bytes bytes;
    bytes.reserve(chunk_header_bytes);
    ByteSink out(bytes);
    out.u32(static_cast<std::uint32_t>(chunk.type));
    out.u32(static_cast<std::uint32_t>(chunk.compression));
    out.u64(chunk.stored_bytes);
    out.u64(chunk.raw_bytes);
    out.u64(chunk.step);
    out.f64(chunk.time);
    out.u64(chunk.state_hash);
    out.u64(chunk.payload_checksum);
    out.u64(checksum(bytes));
    return bytes;
}

ChunkHeader decode_chunk_header(std::span<const std::uint8_t> bytes, const std::string& where) {
    ByteSource in(bytes, where);
    ChunkHeader chunk;
    chunk.type = static_cast<ChunkType>(in.u32());
    chunk.compression = static_cast<Compression>(in.u32());
    chunk.stored_bytes = in.u64();
    chunk.raw_bytes = in.u64();
    chunk.step = in.u64();
    chunk.time = in.f64();
    chunk.state_hash = in.u64();
    chunk.payload_checksum = in.u64();
    if (in.u64() != checksum(bytes.first(chunk_header_bytes - 8)))
        throw Error("the chunk's header does not match its checksum", where);
    switch (chunk.type) {
    case ChunkType::header:
    case ChunkType::key_frame:
    case ChunkType::difference:
    case ChunkType::index:
        break;
    default:
        throw Error("chunk type " + std::to_string(static_cast<std::uint32_t>(chunk.type)) + " is not known",
                    where);
    }
    if (chunk.compression != Compression::none && chunk.compression != Compression::zstd)
        throw Error("compression " + std::to_string(static_cast<std::uint32_t>(chunk.compression)) +
                        " is not known; 0 (none) or 1 (zstd) was expected",
                    where);
    return chunk;
}

// the header ------------------------------------------------------------------------------------------------

Bytes encode(const RecordingHeader& header) {
    Bytes bytes;
    ByteSink out(bytes);
    for (const auto* text :
         {&header.scene, &header.title, &header.scree_version, &header.device, &header.settings})
        out.text(*text);
    out.f32(header.time_step);
    out.u32(header.steps_per_frame);
    out.u32(static_cast<std::uint32_t>(header.shapes.size()));
    for (const GranularShape& shape : header.shapes) {
        out.text(shape.name);
        out.vec3(shape.unit_inertia);
        out.vec3(shape.half_size);
        out.u32(static_cast<std::uint32_t>(shape.particles.size()));
        for (const ShapeParticle& particle : shape.particles) {
            out.vec3(particle.offset);
            out.f32(particle.radius);
            out.vec3(particle.outward);
        }
    }
    out.u32(static_cast<std::uint32_t>(header.obstacles.size()));
    for (const Obstacle& obstacle : header.obstacles) {
        out.u32(static_cast<std::uint32_t>(obstacle.kind));
        out.vec3(obstacle.position);
        out.quat(obstacle.rotation);
        out.vec3(obstacle.size);
        out.vec3(obstacle.velocity);
        out.vec3(obstacle.angular_velocity);
        out.f32(obstacle.mass);
    }
    return bytes;
}

RecordingHeader decode_header(std::span<const std::uint8_t> bytes, const std::string& where) {
    constexpr std::size_t particle_bytes = 28, least_shape_bytes = 32, obstacle_bytes = 72;
    ByteSource in(bytes, where);
    RecordingHeader header;
    for (auto* text : {&header.scene, &header.title, &header.scree_version, &header.device, &header.settings})
        *text = in.text();
    header.time_step = in.f32();
    header.steps_per_frame = in.u32();

    header.shapes.resize(in.count(least_shape_bytes, "shapes"));
    for (GranularShape& shape : header.shapes) {
        shape.name = in.text();
        shape.unit_inertia = in.vec3();
        shape.half_size = in.vec3();
        shape.particles.resize(in.count(particle_bytes, "particles"));
        for (ShapeParticle& particle : shape.particles) {
            particle.offset = in.vec3();
            particle.radius = in.f32();
            particle.outward = in.vec3();
        }
    }
    header.obstacles.resize(in.count(obstacle_bytes, "obstacles"));
    for (Obstacle& obstacle : header.obstacles) {
        const std::uint32_t kind = in.u32();
        if (kind > static_cast<std::uint32_t>(Obstacle::Kind::sphere))
            throw Error("obstacle kind " + std::to_string(kind) + " is not known", where);
        obstacle.kind = static_cast<Obstacle::Kind>(kind);
        obstacle.position = in.vec3();
        obstacle.rotation = in.quat();
        obstacle.size = in.vec3();
        obstacle.velocity = in.vec3();
        obstacle.angular_velocity = in.vec3();
        obstacle.mass = in.f32();
    }
    if (in.left() != 0)
        throw Error(std::to_string(in.left()) + " bytes are left after the header's last field", where);
    return header;
}

// frames ----------------------------------------------------------------------------------------------------

namespace {

void store_pose(FrameWords& frame, std::size_t item, const Vec3& position, const Quat& rotation,
                std::uint32_t last) {
    const std::size_t stride = frame.items();
    const std::array<float, 7> values{position.x, position.y, position.z, rotation.s,
                                      rotation.x, rotation.y, rotation.z};
    for (std::size_t word = 0; word < values.size(); ++word)
        frame.words[word * stride + item] = bits_as<std::uint32_t>(values[word]);
    frame.words[7 * stride + item] = last;
}

RecordedPose load_pose(const FrameWords& frame, std::size_t item) {
    std::array<float, 7> values;
    for (std::size_t word = 0; word < values.size(); ++word)
        values[word] = bits_as<float>(frame.words[word * frame.items() + item]);
    return {{values[0], values[1], values[2]},
            {.x = values[4], .y = values[5], .z = values[6], .s = values[3]}};
}

// small differences of either sign become small numbers: 0, -1, 1, -2 … -> 0, 1, 2, 3 …
std::uint32_t fold_sign(std::uint32_t difference) { return (difference << 1) ^ (0u - (difference >> 31)); }
std::uint32_t unfold_sign(std::uint32_t folded) { return (folded >> 1) ^ (0u - (folded & 1)); }

constexpr std::size_t plane_count = FrameWords::words_each * 4;
constexpr std::uint32_t all_planes = 0xffffffffu;

} // namespace

FrameWords to_words(std::span<const GranularBodyState> bodies, std::span<const Obstacle> obstacles) {
    FrameWords frame;
    frame.bodies = static_cast<std::uint32_t>(bodies.size());
    frame.obstacles = static_cast<std::uint32_t>(obstacles.size());
    frame.words.resize(FrameWords::words_each * frame.items());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const GranularBodyState& body = bodies[i];
        store_pose(frame, i, body.position, body.rotation,
                   body.shape | (body.asleep ? asleep_bit : 0) | (body.frozen ? frozen_bit : 0));
    }
    for (std::size_t i = 0; i < obstacles.size(); ++i)
        store_pose(frame, bodies.size() + i, obstacles[i].position, obstacles[i].rotation, 0);
    return frame;
}

RecordingFrame from_words(const FrameWords& frame, const RecordingFrameInfo& info) {
    RecordingFrame result;
    result.info = info;
    result.bodies.resize(frame.bodies);
    for (std::size_t i = 0; i < frame.bodies; ++i) {
        const RecordedPose pose = load_pose(frame, i);
        const std::uint32_t last = frame.words[7 * frame.items() + i];
        result.bodies[i] = {pose.position, pose.rotation, last & ~(asleep_bit | frozen_bit),
                            (last & asleep_bit) != 0, (last & frozen_bit) != 0};
    }
    result.obstacles.resize(frame.obstacles);
    for (std::size_t i = 0; i < frame.obstacles; ++i)
        result.obstacles[i] = load_pose(frame, frame.bodies + i);
    return result;
}

Bytes encode_frame(const FrameWords& now, const FrameWords* before) {
    // 32 planes: byte b of word w of every item together. Differences leave the upper planes (almost) all
    // zero; those that are entirely zero are left out and named in the mask.
    const std::size_t items = now.items();
    Bytes planes(plane_count * items);
    std::uint32_t mask = before ? 0 : all_planes;
    for (std::size_t word = 0; word < FrameWords::words_each; ++word) {
        const std::uint32_t* values = now.words.data() + word * items;
        std::uint32_t any = 0;
        for (std::size_t i = 0; i < items; ++i) {
            std::uint32_t value = values[i];
            if (before) value = fold_sign(value - before->words[word * items + i]);
            any |= value;
            for (std::size_t byte = 0; byte < 4; ++byte)
                planes[(word * 4 + byte) * items + i] = static_cast<std::uint8_t>(value >> (8 * byte));
        }
        for (std::size_t byte = 0; byte < 4; ++byte)
            if ((any >> (8 * byte)) & 0xff) mask |= 1u << (word * 4 + byte);
    }

    Bytes bytes;
    bytes.reserve(16 + planes.size());
    ByteSink out(bytes);
    out.u32(now.bodies);
    out.u32(now.obstacles);
    out.u32(mask);
    out.u32(0);
    for (std::size_t plane = 0; plane < plane_count; ++plane)
        if (mask >> plane & 1) {
            const auto first = planes.begin() + static_cast<std::ptrdiff_t>(plane * items);
            bytes.insert(bytes.end(), first, first + static_cast<std::ptrdiff_t>(items));
        }
    return bytes;
}

FrameWords decode_frame(std::span<const std::uint8_t> bytes, const FrameWords* before,
                        const std::string& where) {
    ByteSource in(bytes, where);
    FrameWords frame;
    frame.bodies = in.u32();
    frame.obstacles = in.u32();
    const std::uint32_t mask = in.u32();
    in.u32();

    // a key frame has all its planes, so that its counts are backed by bytes before anything is allocated
    const std::uint64_t items = std::uint64_t{frame.bodies} + frame.obstacles;
    if (!before && mask != all_planes) throw Error("a key frame lacks planes", where);
    if (before && (frame.bodies != before->bodies || frame.obstacles != before->obstacles))
        throw Error("a difference is of " + std::to_string(items) + " items, the frame before it of " +
                        std::to_string(before->items()),
                    where);
    if (items * static_cast<std::uint64_t>(std::popcount(mask)) != in.left())
        throw Error("the frame's " + std::to_string(in.left()) + " bytes do not match its " +
                        std::to_string(items) + " items",
                    where);

    const std::size_t count = static_cast<std::size_t>(items);
    frame.words.resize(FrameWords::words_each * count);
    for (std::size_t plane = 0; plane < plane_count; ++plane) {
        if (!(mask >> plane & 1)) continue;
        const auto values = in.take(count);
        std::uint32_t* words = frame.words.data() + plane / 4 * count;
        for (std::size_t i = 0; i < count; ++i) words[i] |= std::uint32_t{values[i]} << (8 * (plane % 4));
    }
    if (before)
        for (std::size_t i = 0; i < frame.words.size(); ++i)
            frame.words[i] = before->words[i] + unfold_sign(frame.words[i]);
    return frame;
}

// the index -------------------------------------------------------------------------------------------------

Bytes encode_index(std::span<const IndexEntry> entries) {
    Bytes bytes;
    bytes.reserve(entries.size() * index_entry_bytes);
    ByteSink out(bytes);
    for (const IndexEntry& entry : entries) {
        out.u64(entry.offset);
        out.u64(entry.info.step);
        out.f64(entry.info.time);
        out.u64(entry.info.state_hash);
        out.u64(entry.key_frame);
    }
    return bytes;
}

std::vector<IndexEntry> decode_index(std::span<const std::uint8_t> bytes, std::uint64_t end,
                                     const std::string& where) {
    if (bytes.size() % index_entry_bytes != 0)
        throw Error("the index is not a whole number of entries", where);
    ByteSource in(bytes, where);
    std::vector<IndexEntry> entries(bytes.size() / index_entry_bytes);
    std::uint64_t least_offset = preamble_bytes + chunk_header_bytes, key_frame = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        IndexEntry& entry = entries[i];
        entry.offset = in.u64();
        entry.info.step = in.u64();
        entry.info.time = in.f64();
        entry.info.state_hash = in.u64();
        entry.key_frame = in.u64();
        entry.info.key = entry.key_frame == i;
        if (entry.info.key) key_frame = i;
        const bool grows = i == 0 || entry.info.step > entries[i - 1].info.step;
        if (entry.offset < least_offset || entry.offset >= end || entry.key_frame != key_frame || !grows ||
            (i == 0 && !entry.info.key))
            throw Error("entry " + std::to_string(i) + " of the index contradicts those before it", where);
        least_offset = entry.offset + chunk_header_bytes;
    }
    return entries;
}

} // namespace scree::record
