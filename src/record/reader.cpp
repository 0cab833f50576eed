// SPDX-License-Identifier: MIT
// reader.cpp — recordings in: by the index, or chunk by chunk up to the damage where there is none.

#include "bytes/checksum.h"
#include "record/format.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <optional>

namespace scree {

using namespace record;

struct RecordingReader::State {
    std::unique_ptr<std::istream> in;
    std::string name;
    RecordingLimits limits;
    std::uint64_t file_bytes = 0;
    RecordingHeader header;
    std::vector<IndexEntry> entries;
    bool truncated = false;
    std::string message;
    // the frame decoded last: the next difference builds on it
    std::optional<std::size_t> decoded;
    FrameWords words;

    std::string at(std::uint64_t offset) const { return name + ": offset " + std::to_string(offset); }
    Bytes read_bytes(std::uint64_t offset, std::uint64_t count);
    ChunkHeader read_chunk_header(std::uint64_t offset);
    Bytes read_payload(std::uint64_t offset, const ChunkHeader& chunk);
    void open();
    void read_index();
    void scan(std::uint64_t offset);
    void check_frame(const FrameWords& frame, const std::string& where) const;
    void decode(std::size_t frame);
};

Bytes RecordingReader::State::read_bytes(std::uint64_t offset, std::uint64_t count) {
    if (offset > file_bytes || count > file_bytes - offset)
        throw Error("the file ends at " + std::to_string(file_bytes) + ", " + std::to_string(count) +
                        " bytes were expected here",
                    at(offset));
    Bytes bytes(static_cast<std::size_t>(count));
    in->clear();
    in->seekg(static_cast<std::streamoff>(offset));
    in->read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (!*in) throw Error("the file cannot be read", at(offset));
    return bytes;
}

ChunkHeader RecordingReader::State::read_chunk_header(std::uint64_t offset) {
    return decode_chunk_header(read_bytes(offset, chunk_header_bytes), at(offset));
}

Bytes RecordingReader::State::read_payload(std::uint64_t offset, const ChunkHeader& chunk) {
    Bytes stored = read_bytes(offset + chunk_header_bytes, chunk.stored_bytes);
    if (checksum(stored) != chunk.payload_checksum)
        throw Error("the chunk does not match its checksum", at(offset));
    return unpack(std::move(stored), chunk, limits.chunk_bytes, at(offset));
}

void RecordingReader::State::open() {
    in->seekg(0, std::ios::end);
    const std::streamoff size = in->tellg();
    if (!*in || size < 0) throw Error("the file cannot be read", name);
    file_bytes = static_cast<std::uint64_t>(size);

    if (file_bytes < preamble_bytes)
        throw Error("this is no recording: " + std::to_string(file_bytes) + " bytes are too few", name);
    const Bytes preamble = read_bytes(0, preamble_bytes);
    if (!std::equal(file_magic.begin(), file_magic.end(), preamble.begin()))
        throw Error("this is no recording: it does not begin with " + std::string(file_magic), name);
    ByteSource numbers(std::span<const std::uint8_t>(preamble).subspan(file_magic.size()), name);
    const std::uint32_t version = numbers.u32();
    if (version != format_version)
        throw Error("format version " + std::to_string(version) +
                        " cannot be read; this build of Scree reads version " +
                        std::to_string(format_version),
                    name);
    if (numbers.u32() != 0) throw Error("the reserved field is not 0", at(12));

    const ChunkHeader chunk = read_chunk_header(preamble_bytes);
    if (chunk.type != ChunkType::header) throw Error("the first chunk is not the header", at(preamble_bytes));
    header = decode_header(read_payload(preamble_bytes, chunk), at(preamble_bytes));

    try {
        read_index();
    } catch (const Error& error) {
        truncated = true;
        message = error.what();
        scan(preamble_bytes + chunk_header_bytes + chunk.stored_bytes);
    }
}

void RecordingReader::State::read_index() {
    if (file_bytes < footer_bytes) throw Error("the file is cut off", name);
    const std::uint64_t footer_offset = file_bytes - footer_bytes;
    const Bytes footer = read_bytes(footer_offset, footer_bytes);
    if (!std::equal(footer_magic.begin(), footer_magic.end(), footer.end() - 8))
        throw Error("the file is cut off", name);
    ByteSource numbers(footer, at(footer_offset));
    const std::uint64_t index_offset = numbers.u64(), frames = numbers.u64();
    if (numbers.u64() != checksum(std::span(footer).first(16)))
        throw Error("the footer does not match its checksum", at(footer_offset));

    const ChunkHeader chunk = read_chunk_header(index_offset);
    if (chunk.type != ChunkType::index || chunk.raw_bytes / index_entry_bytes != frames)
        throw Error("the footer does not point at the index", at(footer_offset));
    entries = decode_index(read_payload(index_offset, chunk), index_offset, at(index_offset));
}

void RecordingReader::State::scan(std::uint64_t offset) {
    // every payload is checked on the way, since what ended the file may also have spoiled its last chunk
    entries.clear();
    try {
        while (offset < file_bytes) {
            const ChunkHeader chunk = read_chunk_header(offset);
            if (chunk.type == ChunkType::index) break;
            if (checksum(read_bytes(offset + chunk_header_bytes, chunk.stored_bytes)) !=
                chunk.payload_checksum)
                throw Error("the chunk does not match its checksum", at(offset));
            const bool key = chunk.type == ChunkType::key_frame;
            const bool difference = chunk.type == ChunkType::difference;
            if ((!key && !difference) || (difference && entries.empty()) ||
                (!entries.empty() && chunk.step <= entries.back().info.step))
                throw Error("the chunk does not follow from those before it", at(offset));
            const std::uint64_t key_frame = key ? entries.size() : entries.back().key_frame;
            entries.push_back({offset, {chunk.step, chunk.time, chunk.state_hash, key}, key_frame});
            offset += chunk_header_bytes + chunk.stored_bytes;
        }
    } catch (const Error& error) {
        message = error.what();
    }
    message += "; the " + std::to_string(entries.size()) + " frames before that can be read";
}

void RecordingReader::State::check_frame(const FrameWords& frame, const std::string& where) const {
    if (frame.obstacles != 0 && frame.obstacles != header.obstacles.size())
        throw Error("the frame has " + std::to_string(frame.obstacles) + " obstacles, the header " +
                        std::to_string(header.obstacles.size()),
                    where);
    const std::uint32_t* last = frame.words.data() + 7 * frame.items();
    for (std::size_t i = 0; i < frame.bodies; ++i)
        if ((last[i] & ~(asleep_bit | frozen_bit)) >= header.shapes.size())
            throw Error("body " + std::to_string(i) + " has shape " +
                            std::to_string(last[i] & ~(asleep_bit | frozen_bit)) + "; the header has " +
                            std::to_string(header.shapes.size()) + " shapes",
                        where);
}

void RecordingReader::State::decode(std::size_t frame) {
    // from the key frame, or from what is decoded already when that is nearer
    std::size_t next = static_cast<std::size_t>(entries[frame].key_frame);
    if (decoded && *decoded >= next && *decoded <= frame) next = *decoded + 1;
    for (; next <= frame; ++next) {
        const IndexEntry& entry = entries[next];
        const ChunkHeader chunk = read_chunk_header(entry.offset);
        const ChunkType expected = entry.info.key ? ChunkType::key_frame : ChunkType::difference;
        if (chunk.type != expected || chunk.step != entry.info.step ||
            chunk.state_hash != entry.info.state_hash)
            throw Error("the chunk is not the one that the index names", at(entry.offset));
        FrameWords now = decode_frame(read_payload(entry.offset, chunk), entry.info.key ? nullptr : &words,
                                      at(entry.offset));
        check_frame(now, at(entry.offset));
        words = std::move(now);
        decoded = next;
    }
}

RecordingReader::RecordingReader(const std::string& file, const RecordingLimits& limits)
    : RecordingReader(std::make_unique<std::ifstream>(file, std::ios::binary), file, limits) {}

RecordingReader::RecordingReader(std::unique_ptr<std::istream> stream, std::string name,
                                 const RecordingLimits& limits)
    : state_(std::make_unique<State>()) {
    state_->in = std::move(stream);
    state_->name = std::move(name);
    state_->limits = limits;
    if (!state_->in || !*state_->in) throw Error("the file cannot be opened", state_->name);
    state_->open();
}

RecordingReader::~RecordingReader() = default;
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;

const RecordingHeader& RecordingReader::header() const { return state_->header; }
std::size_t RecordingReader::frame_count() const { return state_->entries.size(); }
bool RecordingReader::truncated() const { return state_->truncated; }
const std::string& RecordingReader::message() const { return state_->message; }

const RecordingFrameInfo& RecordingReader::info(std::size_t frame) const {
    if (frame >= frame_count())
        throw Error("frame " + std::to_string(frame) + " does not exist; there are " +
                        std::to_string(frame_count()) + " frames",
                    state_->name);
    return state_->entries[frame].info;
}

RecordingFrame RecordingReader::read(std::size_t frame) {
    const RecordingFrameInfo& wanted = info(frame);
    state_->decode(frame);
    return from_words(state_->words, wanted);
}

std::size_t RecordingReader::frame_at_step(std::uint64_t step) const {
    info(0);
    const auto& entries = state_->entries;
    const auto after =
        std::upper_bound(entries.begin(), entries.end(), step,
                         [](std::uint64_t wanted, const auto& entry) { return wanted < entry.info.step; });
    return after == entries.begin() ? 0 : static_cast<std::size_t>(after - entries.begin()) - 1;
}

} // namespace scree
