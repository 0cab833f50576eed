// SPDX-License-Identifier: MIT
// format.h — the bytes of a recording: chunks, the header, appearances, frames as byte planes; docs/internals/recording-format.md.
#pragma once

#include "bytes/byte_order.h"
#include "bytes/checksum.h"
#include "bytes/fields.h"
#include "scree/recording.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::record {

using bytes::bits_as, bytes::Bytes, bytes::ByteSink, bytes::ByteSource, bytes::checksum, bytes::FieldReader,
    bytes::FieldWriter;

constexpr std::string_view file_magic = "SCREEREC", footer_magic = "SCREEEND";
constexpr std::uint32_t format_version = 2; ///< of new files; version 1 can be read too
constexpr std::size_t preamble_bytes = 16;  ///< magic, version, reserved
constexpr std::size_t chunk_header_bytes = 64;
constexpr std::size_t footer_bytes = 32;

constexpr std::uint32_t four_letters(const char (&letters)[5]) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(letters[i])) << (8 * i);
    return value;
}

enum class ChunkType : std::uint32_t {
    header = four_letters("HEAD"),
    appearance = four_letters("LOOK"),
    key_frame = four_letters("KEYF"),
    difference = four_letters("DIFF"),
    commands = four_letters("CMND"),
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

/// 32-bit words of equal items, word-major: all first words, then all second words …
struct WordTable {
    std::size_t each = 0, items = 0;
    std::vector<std::uint32_t> words;

    void resize(std::size_t count) {
        items = count;
        words.resize(each * count);
    }
    std::uint32_t& at(std::size_t word, std::size_t item) { return words[word * items + item]; }
    std::uint32_t at(std::size_t word, std::size_t item) const { return words[word * items + item]; }
};

struct FrameWords {
    /// words 0-2 position, 3-6 rotation (s x y z), 7 Frame::flags; in version 1 the shape with asleep in bit 31 and
    /// frozen in bit 30
    WordTable bodies{.each = 8, .items = 0, .words = {}};
    WordTable vertices{.each = 3, .items = 0, .words = {}};
    std::uint32_t obstacles = 0; ///< version 1: the last of `bodies`
};

struct IndexEntry {
    std::uint64_t offset = 0;
    RecordingFrameInfo info;
    std::uint64_t key_frame = 0; ///< the frame to start decoding at
    std::uint64_t look = 0;      ///< into Index::looks
};

struct Index {
    std::vector<IndexEntry> frames;
    std::vector<std::uint64_t> looks, commands; ///< offsets of their chunks
};

Bytes encode(const ChunkHeader& chunk);
/// Throws Error when its own checksum or a field is wrong.
ChunkHeader decode_chunk_header(std::span<const std::uint8_t> bytes, const std::string& where);

Bytes encode(const RecordingHeader& header);
RecordingHeader decode_header(std::span<const std::uint8_t> bytes, const std::string& where);

FrameWords to_words(const Frame& frame);
/// Poses, flags and vertices.
Frame from_words(const FrameWords& words);

/// `before` is empty for a key frame, and of equal counts otherwise.
Bytes encode_frame(const FrameWords& now, const FrameWords* before);
FrameWords decode_frame(std::span<const std::uint8_t> bytes, const FrameWords* before, std::uint32_t version,
                        const std::string& where);

Bytes encode(const Index& index);
/// `end` is where the index chunk begins: all other chunks lie before it. `frames` is the footer's count.
Index decode_index(std::span<const std::uint8_t> bytes, std::uint64_t frames, std::uint64_t end,
                   std::uint32_t version, const std::string& where);

// appearance_bytes.cpp --------------------------------------------------------------------------------------
Bytes encode(const Appearance& appearance);
/// Levels that are decoded already, by the checksum of their bytes: appearances of one level share it.
using KnownLevels = std::map<std::uint64_t, std::weak_ptr<const CompiledLevel>>;
/// Throws Error unless all numbers are finite and all references valid.
Appearance decode_appearance(std::span<const std::uint8_t> bytes, const std::string& where,
                             KnownLevels* known = nullptr);
/// Number of Frame::vertices of its meshes and lines.
std::uint64_t vertex_count(const Appearance& appearance);

// compression.cpp -------------------------------------------------------------------------------------------
bool has_zstd();
/// Compresses if that makes it smaller; sets `used`.
Bytes pack(Bytes raw, int level, Compression& used);
/// `stored` has `chunk.stored_bytes` bytes; `limit` bounds the allocation.
Bytes unpack(Bytes stored, const ChunkHeader& chunk, std::uint64_t limit, const std::string& where);

} // namespace scree::record
