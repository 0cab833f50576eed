// SPDX-License-Identifier: MIT
// format.h — the bytes of a recording: chunks, the header, frames as byte planes; docs/internals/recording-format.md.
#pragma once

#include "record/byte_order.h"
#include "scree/recording.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::record {

constexpr std::string_view file_magic = "SCREEREC", footer_magic = "SCREEEND";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t preamble_bytes = 16; ///< magic, version, reserved
constexpr std::size_t chunk_header_bytes = 64;
constexpr std::size_t footer_bytes = 32;
constexpr std::size_t index_entry_bytes = 40;

constexpr std::uint32_t four_letters(const char (&letters)[5]) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(letters[i])) << (8 * i);
    return value;
}

enum class ChunkType : std::uint32_t {
    header = four_letters("HEAD"),
    key_frame = four_letters("KEYF"),
    difference = four_letters("DIFF"),
    index = four_letters("INDX")
};

enum class Compression : std::uint32_t { none = 0, zstd = 1 };

struct ChunkHeader {
    ChunkType type = ChunkType::header;
    Compression compression = Compression::none;
    std::uint64_t stored_bytes = 0, raw_bytes = 0;
    std::uint64_t step = 0;
    double time = 0;
    std::uint64_t state_hash = 0;
    std::uint64_t payload_checksum = 0; ///< over the stored bytes
};

/// A frame as 32-bit words, word-major: all first words, then all second words … of bodies, then obstacles.
/// words 0-2 position, 3-6 rotation (s x y z), 7 the shape with asleep in bit 31 and frozen in bit 30
struct FrameWords {
    static constexpr std::size_t words_each = 8;
    std::uint32_t bodies = 0, obstacles = 0;
    std::vector<std::uint32_t> words;
    std::size_t items() const { return std::size_t{bodies} + obstacles; }
};
constexpr std::uint32_t asleep_bit = 1u << 31, frozen_bit = 1u << 30, most_shapes = frozen_bit;

struct IndexEntry {
    std::uint64_t offset = 0;
    RecordingFrameInfo info;
    std::uint64_t key_frame = 0; ///< the frame to start decoding at
};

Bytes encode(const ChunkHeader& chunk);
/// Throws Error when its own checksum or a field is wrong.
ChunkHeader decode_chunk_header(std::span<const std::uint8_t> bytes, const std::string& where);

Bytes encode(const RecordingHeader& header);
RecordingHeader decode_header(std::span<const std::uint8_t> bytes, const std::string& where);

FrameWords to_words(std::span<const GranularBodyState> bodies, std::span<const Obstacle> obstacles);
RecordingFrame from_words(const FrameWords& words, const RecordingFrameInfo& info);

/// `before` is empty for a key frame, and of equal counts otherwise.
Bytes encode_frame(const FrameWords& now, const FrameWords* before);
FrameWords decode_frame(std::span<const std::uint8_t> bytes, const FrameWords* before,
                        const std::string& where);

Bytes encode_index(std::span<const IndexEntry> entries);
/// `end` is where the index chunk begins: all frames lie before it.
std::vector<IndexEntry> decode_index(std::span<const std::uint8_t> bytes, std::uint64_t end,
                                     const std::string& where);

// compression.cpp -------------------------------------------------------------------------------------------
bool has_zstd();
/// Packs when that makes it smaller; says in `used` what was done.
Bytes pack(Bytes raw, int level, Compression& used);
/// `chunk.stored_bytes` are in `stored`; `limit` bounds what is allocated.
Bytes unpack(Bytes stored, const ChunkHeader& chunk, std::uint64_t limit, const std::string& where);

} // namespace scree::record
