// SPDX-License-Identifier: MIT
// format.cpp — encoding and decoding of everything in format.h but compression.

#include "record/format.h"

#include "bytes/checksum.h"
#include "bytes/fields.h"

#include <algorithm>
#include <array>
#include <bit>

namespace scree::record {

// chunks ----------------------------------------------------------------------------------------------------

namespace {

template <class Io, class Header>
void chunk_fields(Io& io, Header& chunk) {
    io(chunk.type, chunk.compression, chunk.stored_bytes, chunk.raw_bytes, chunk.step, chunk.time,
       chunk.state_hash, chunk.payload_checksum);
}

} // namespace

Bytes encode(const ChunkHeader& chunk) {
    Bytes bytes;
    bytes.reserve(chunk_header_bytes);
    FieldWriter out(bytes);
    chunk_fields(out, chunk);
    out(checksum(bytes));
    return bytes;
}

ChunkHeader decode_chunk_header(std::span<const std::uint8_t> bytes, const std::string& where) {
    constexpr std::size_t fields = chunk_header_bytes - 8;
    if (ByteSource(bytes.subspan(fields), where).u64() != checksum(bytes.first(fields)))
        throw Error("the chunk's header does not match its checksum", where);
    FieldReader in(bytes, where);
    ChunkHeader chunk;
    chunk_fields(in, chunk);
    switch (chunk.type) {
    case ChunkType::header:
    case ChunkType::appearance:
    case ChunkType::key_frame:
    case ChunkType::difference:
    case ChunkType::commands:
    case ChunkType::index:
        break;
    default:
        throw Error("chunk type " + std::to_string(static_cast<std::uint32_t>(chunk.type)) + " is not known",
                    where);
    }
    if (chunk.compression != Compression::none && chunk.compression != Compression::zstd)
        throw Error("compression " + std::to_string(static_cast<std::uint32_t>(chunk.compression)) +
                        " is not known; expected 0 (none) or 1 (zstd)",
                    where);
    return chunk;
}

// the header ------------------------------------------------------------------------------------------------

namespace {

template <class Io, class Header>
void header_fields(Io& io, Header& header) {
    io(header.scene, header.title, header.kind, header.scree_version, header.device, header.settings,
       header.time_step, header.steps_per_frame, header.scene_text);
    io.items(header.files, 8, "files", [&](auto& file) { io(file.name, file.bytes); });
}

} // namespace

Bytes encode(const RecordingHeader& header) {
    Bytes bytes;
    FieldWriter out(bytes);
    header_fields(out, header);
    return bytes;
}

RecordingHeader decode_header(std::span<const std::uint8_t> bytes, const std::string& where) {
    FieldReader in(bytes, where);
    RecordingHeader header;
    header_fields(in, header);
    if (in.left() != 0) in.fail(std::to_string(in.left()) + " bytes are left after the header's last field");
    return header;
}

// frames ----------------------------------------------------------------------------------------------------

namespace {

// small differences of either sign become small numbers: 0, -1, 1, -2 … -> 0, 1, 2, 3 …
std::uint32_t fold_sign(std::uint32_t difference) { return (difference << 1) ^ (0u - (difference >> 31)); }
std::uint32_t unfold_sign(std::uint32_t folded) { return (folded >> 1) ^ (0u - (folded & 1)); }

/// A bit for each byte of an item's words.
std::uint32_t all_planes(const WordTable& table) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << (4 * table.each)) - 1);
}

/// Appends planes: byte b of word w of every item together. Differences leave the upper planes (almost) all zero; those
/// that are entirely zero are left out and named in the mask.
std::uint32_t append_planes(const WordTable& now, const WordTable* before, Bytes& bytes) {
    std::uint32_t mask = before ? 0 : all_planes(now);
    std::vector<std::uint32_t> values(now.items);
    for (std::size_t word = 0; word < now.each; ++word) {
        std::uint32_t any = 0;
        for (std::size_t i = 0; i < now.items; ++i) {
            values[i] = before ? fold_sign(now.at(word, i) - before->at(word, i)) : now.at(word, i);
            any |= values[i];
        }
        for (std::size_t byte = 0; byte < 4; ++byte) {
            const std::uint32_t plane = 1u << (4 * word + byte);
            if ((any >> (8 * byte)) & 0xff) mask |= plane;
            if (!(mask & plane)) continue;
            for (const std::uint32_t value : values)
                bytes.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
        }
    }
    return mask;
}

/// The inverse; the size of the planes was checked.
void take_planes(ByteSource& in, std::uint32_t mask, const WordTable* before, WordTable& table) {
    for (std::size_t plane = 0; plane < 4 * table.each; ++plane) {
        if (!(mask >> plane & 1)) continue;
        const auto values = in.take(table.items);
        std::uint32_t* words = table.words.data() + plane / 4 * table.items;
        for (std::size_t i = 0; i < table.items; ++i)
            words[i] |= std::uint32_t{values[i]} << (8 * (plane % 4));
    }
    if (before)
        for (std::size_t i = 0; i < table.words.size(); ++i)
            table.words[i] = before->words[i] + unfold_sign(table.words[i]);
}

} // namespace

FrameWords to_words(const Frame& frame) {
    FrameWords words;
    words.bodies.resize(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const float *p = frame.positions.data() + 4 * i, *q = frame.rotations.data() + 4 * i;
        const std::array<float, 7> values{p[0], p[1], p[2], q[3], q[0], q[1], q[2]};
        for (std::size_t word = 0; word < values.size(); ++word)
            words.bodies.at(word, i) = bits_as<std::uint32_t>(values[word]);
        words.bodies.at(7, i) = frame.flags[i];
    }
    words.vertices.resize(frame.vertices.size());
    for (std::size_t i = 0; i < frame.vertices.size(); ++i) {
        const Vec3& v = frame.vertices[i];
        const std::array<float, 3> values{v.x, v.y, v.z};
        for (std::size_t word = 0; word < values.size(); ++word)
            words.vertices.at(word, i) = bits_as<std::uint32_t>(values[word]);
    }
    return words;
}

Frame from_words(const FrameWords& words) {
    Frame frame;
    frame.resize(words.bodies.items);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        std::array<float, 7> v;
        for (std::size_t word = 0; word < v.size(); ++word)
            v[word] = bits_as<float>(words.bodies.at(word, i));
        const std::array<float, 4> position{v[0], v[1], v[2], 0}, rotation{v[4], v[5], v[6], v[3]};
        std::copy_n(position.begin(), 4, frame.positions.begin() + static_cast<std::ptrdiff_t>(4 * i));
        std::copy_n(rotation.begin(), 4, frame.rotations.begin() + static_cast<std::ptrdiff_t>(4 * i));
        frame.flags[i] = static_cast<std::uint8_t>(words.bodies.at(7, i));
    }
    frame.vertices.resize(words.vertices.items);
    for (std::size_t i = 0; i < frame.vertices.size(); ++i)
        frame.vertices[i] = {bits_as<float>(words.vertices.at(0, i)), bits_as<float>(words.vertices.at(1, i)),
                             bits_as<float>(words.vertices.at(2, i))};
    return frame;
}

Bytes encode_frame(const FrameWords& now, const FrameWords* before) {
    Bytes planes;
    const std::uint32_t mask = append_planes(now.bodies, before ? &before->bodies : nullptr, planes);
    const std::uint32_t vertex_mask =
        append_planes(now.vertices, before ? &before->vertices : nullptr, planes);
    Bytes bytes;
    bytes.reserve(16 + planes.size());
    ByteSink out(bytes);
    out.u32(static_cast<std::uint32_t>(now.bodies.items));
    out.u32(static_cast<std::uint32_t>(now.vertices.items));
    out.u32(mask);
    out.u32(vertex_mask);
    bytes.insert(bytes.end(), planes.begin(), planes.end());
    return bytes;
}

FrameWords decode_frame(std::span<const std::uint8_t> bytes, const FrameWords* before, std::uint32_t version,
                        const std::string& where) {
    ByteSource in(bytes, where);
    FrameWords frame;
    const std::uint32_t first_count = in.u32(), second_count = in.u32(), mask = in.u32();
    std::uint32_t vertex_mask = in.u32();
    std::uint64_t items = first_count, vertices = second_count;
    if (version == 1) {
        frame.obstacles = second_count;
        items += second_count;
        vertices = 0;
        vertex_mask = before ? 0 : all_planes(frame.vertices);
    }

    // a key frame has all its planes, so that its counts are backed by bytes before anything is allocated
    if (vertex_mask > all_planes(frame.vertices)) throw Error("planes that are not known are there", where);
    if (!before && (mask != all_planes(frame.bodies) || vertex_mask != all_planes(frame.vertices)))
        throw Error("a key frame lacks planes", where);
    if (before && (items != before->bodies.items || vertices != before->vertices.items ||
                   frame.obstacles != before->obstacles))
        throw Error("a difference is of " + std::to_string(items) + " items and " + std::to_string(vertices) +
                        " vertices, the frame before it of " + std::to_string(before->bodies.items) +
                        " and " + std::to_string(before->vertices.items),
                    where);
    if (items * static_cast<std::uint64_t>(std::popcount(mask)) +
            vertices * static_cast<std::uint64_t>(std::popcount(vertex_mask)) !=
        in.left())
        throw Error("the frame's " + std::to_string(in.left()) + " bytes do not match its " +
                        std::to_string(items) + " items and " + std::to_string(vertices) + " vertices",
                    where);

    frame.bodies.resize(static_cast<std::size_t>(items));
    frame.vertices.resize(static_cast<std::size_t>(vertices));
    take_planes(in, mask, before ? &before->bodies : nullptr, frame.bodies);
    take_planes(in, vertex_mask, before ? &before->vertices : nullptr, frame.vertices);
    return frame;
}

// the index -------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t counts_bytes = 24, entry_bytes = 48, entry_bytes_1 = 40;

template <class Io, class Entry>
void entry_fields(Io& io, Entry& entry, std::uint32_t version) {
    io(entry.offset, entry.info.step, entry.info.time, entry.info.state_hash, entry.key_frame);
    if (version > 1) io(entry.look);
}

std::vector<std::uint64_t> take_offsets(FieldReader& in, std::uint64_t count, std::uint64_t end) {
    std::vector<std::uint64_t> offsets(static_cast<std::size_t>(count));
    std::uint64_t least = preamble_bytes + chunk_header_bytes;
    for (std::uint64_t& offset : offsets) {
        in(offset);
        if (offset < least || offset >= end) in.fail("the index names a chunk that cannot be");
        least = offset + chunk_header_bytes;
    }
    return offsets;
}

} // namespace

Bytes encode(const Index& index) {
    Bytes bytes;
    bytes.reserve(counts_bytes + index.frames.size() * entry_bytes);
    FieldWriter out(bytes);
    out(std::uint64_t{index.frames.size()}, std::uint64_t{index.looks.size()},
        std::uint64_t{index.commands.size()});
    for (const IndexEntry& entry : index.frames) entry_fields(out, entry, format_version);
    for (const auto* offsets : {&index.looks, &index.commands})
        for (const std::uint64_t offset : *offsets) out(offset);
    return bytes;
}

Index decode_index(std::span<const std::uint8_t> bytes, std::uint64_t frames, std::uint64_t end,
                   std::uint32_t version, const std::string& where) {
    FieldReader in(bytes, where);
    std::uint64_t looks = 0, commands = 0, counted = frames;
    if (version > 1) in(counted, looks, commands);
    const std::uint64_t each = version > 1 ? entry_bytes : entry_bytes_1, left = in.left();
    if (counted != frames || frames > left / each || looks > left / 8 || commands > left / 8 ||
        frames * each + (looks + commands) * 8 != left)
        throw Error("the index does not have the " + std::to_string(frames) + " frames of the footer", where);

    Index index;
    index.frames.resize(static_cast<std::size_t>(frames));
    std::uint64_t least_offset = preamble_bytes + chunk_header_bytes, key_frame = 0, look = 0;
    for (std::size_t i = 0; i < index.frames.size(); ++i) {
        IndexEntry& entry = index.frames[i];
        entry_fields(in, entry, version);
        entry.info.key = entry.key_frame == i;
        if (entry.info.key) key_frame = i;
        const bool grows = i == 0 || entry.info.step > index.frames[i - 1].info.step;
        if (entry.offset < least_offset || entry.offset >= end || entry.key_frame != key_frame || !grows ||
            (i == 0 && !entry.info.key) || (version > 1 && (entry.look < look || entry.look >= looks)))
            throw Error("entry " + std::to_string(i) + " of the index contradicts those before it", where);
        least_offset = entry.offset + chunk_header_bytes;
        look = entry.look;
    }
    index.looks = take_offsets(in, looks, end);
    index.commands = take_offsets(in, commands, end);
    return index;
}

} // namespace scree::record
