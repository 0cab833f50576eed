// SPDX-License-Identifier: MIT
// reader.cpp — recordings in: by the index, or chunk by chunk up to the damage where there is none.

#include "bytes/checksum.h"
#include "record/format.h"
#include "record/version1.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>

namespace scree {

using namespace record;

namespace {

struct ChecksumError : Error {
    using Error::Error;
};

std::string partial_of(const std::string& file) { return file + ".partial"; }

} // namespace

struct RecordingReader::State {
    std::unique_ptr<std::istream> in;
    std::string name;
    RecordingLimits limits;
    std::uint64_t file_bytes = 0;
    std::uint64_t reading = 0; ///< offset of the chunk that was read last, or failed
    std::uint32_t version = format_version;
    RecordingHeader header;
    std::optional<Version1> version1;
    Index index;
    bool truncated = false;
    std::string message;
    // the frame decoded last: the next difference builds on it
    std::optional<std::size_t> decoded;
    FrameWords words;
    // appearances in use; keeps the last one
    std::vector<std::weak_ptr<const Appearance>> looks;
    std::shared_ptr<const Appearance> last_look;
    KnownLevels levels; ///< of all looks

    std::string at(std::uint64_t offset) const { return name + ": offset " + std::to_string(offset); }
    Bytes read_bytes(std::uint64_t offset, std::uint64_t count);
    ChunkHeader read_chunk_header(std::uint64_t offset);
    Bytes read_payload(std::uint64_t offset, const ChunkHeader& chunk);
    /// Throws Error when there is another chunk.
    Bytes read_chunk(std::uint64_t offset, ChunkType type);
    void open();
    void read_index();
    void scan(std::uint64_t offset);
    std::shared_ptr<const Appearance> look_of(const IndexEntry& entry);
    void decode(std::size_t frame);
    Frame read(std::size_t frame);
    std::string commands();
};

Bytes RecordingReader::State::read_bytes(std::uint64_t offset, std::uint64_t count) {
    if (offset > file_bytes || count > file_bytes - offset)
        throw Error("the file ends at " + std::to_string(file_bytes) + "; expected " + std::to_string(count) +
                        " bytes here",
                    at(offset));
    Bytes bytes(static_cast<std::size_t>(count));
    in->clear();
    in->seekg(static_cast<std::streamoff>(offset));
    in->read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (!*in) throw Error("the file cannot be read", at(offset));
    return bytes;
}

ChunkHeader RecordingReader::State::read_chunk_header(std::uint64_t offset) {
    reading = offset;
    return decode_chunk_header(read_bytes(offset, chunk_header_bytes), at(offset));
}

Bytes RecordingReader::State::read_payload(std::uint64_t offset, const ChunkHeader& chunk) {
    Bytes stored = read_bytes(offset + chunk_header_bytes, chunk.stored_bytes);
    if (checksum(stored) != chunk.payload_checksum)
        throw ChecksumError("the chunk does not match its checksum", at(offset));
    return unpack(std::move(stored), chunk, limits.chunk_bytes, at(offset));
}

Bytes RecordingReader::State::read_chunk(std::uint64_t offset, ChunkType type) {
    const ChunkHeader chunk = read_chunk_header(offset);
    if (chunk.type != type) throw Error("the chunk is not the one that the index names", at(offset));
    return read_payload(offset, chunk);
}

void RecordingReader::State::open() {
    in->seekg(0, std::ios::end);
    const std::streamoff size = in->tellg();
    if (!*in || size < 0) throw Error("the file cannot be read", name);
    file_bytes = static_cast<std::uint64_t>(size);

    if (file_bytes < preamble_bytes)
        throw Error("this is not a recording: " + std::to_string(file_bytes) + " bytes are too few", name);
    const Bytes preamble = read_bytes(0, preamble_bytes);
    if (!std::equal(file_magic.begin(), file_magic.end(), preamble.begin()))
        throw Error("this is not a recording: it does not begin with " + std::string(file_magic), name);
    ByteSource numbers(std::span<const std::uint8_t>(preamble).subspan(file_magic.size()), name);
    version = numbers.u32();
    if (version < 1 || version > format_version)
        throw Error("format version " + std::to_string(version) +
                        " cannot be read; this build of Scree reads versions 1 to " +
                        std::to_string(format_version),
                    name);
    if (numbers.u32() != 0) throw Error("the reserved field is not 0", at(12));

    const ChunkHeader chunk = read_chunk_header(preamble_bytes);
    if (chunk.type != ChunkType::header) throw Error("the first chunk is not the header", at(preamble_bytes));
    const Bytes payload = read_payload(preamble_bytes, chunk);
    if (version == 1) {
        version1 = decode_version1(payload, at(preamble_bytes));
        header = version1->header;
    } else {
        header = decode_header(payload, at(preamble_bytes));
    }

    try {
        read_index();
    } catch (const Error& error) {
        truncated = true;
        message = error.what();
        scan(preamble_bytes + chunk_header_bytes + chunk.stored_bytes);
    }
    looks.resize(index.looks.size());
    if (version1 && !index.frames.empty()) {
        try {
            decode(0);
            bound_bodies(*version1, words);
        } catch (const Error&) {
            // read(0) says so
        }
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
    if (chunk.type != ChunkType::index)
        throw Error("the footer does not point at the index", at(footer_offset));
    index = decode_index(read_payload(index_offset, chunk), frames, index_offset, version, at(index_offset));
}

void RecordingReader::State::scan(std::uint64_t offset) {
    // every payload is checked on the way, since what ended the file may also have spoiled its last chunks; damage
    // before that is left to those who read it
    index = {};
    std::size_t sound = 0;
    try {
        while (offset < file_bytes) {
            const ChunkHeader chunk = read_chunk_header(offset);
            if (chunk.type == ChunkType::index) break;
            const bool matches = checksum(read_bytes(offset + chunk_header_bytes, chunk.stored_bytes)) ==
                                 chunk.payload_checksum;
            auto& frames = index.frames;
            const bool key = chunk.type == ChunkType::key_frame;
            if (version > 1 && chunk.type == ChunkType::appearance) {
                index.looks.push_back(offset);
            } else if (version > 1 && chunk.type == ChunkType::commands) {
                index.commands.push_back(offset);
            } else if ((!key && (chunk.type != ChunkType::difference || frames.empty())) ||
                       (version > 1 && index.looks.empty()) ||
                       (!frames.empty() && chunk.step <= frames.back().info.step)) {
                throw Error("the chunk does not follow from those before it", at(offset));
            } else {
                const std::uint64_t key_frame = key ? frames.size() : frames.back().key_frame;
                frames.push_back({offset,
                                  {chunk.step, chunk.time, chunk.state_hash, key},
                                  key_frame,
                                  std::max<std::uint64_t>(index.looks.size(), 1) - 1});
                if (matches) sound = frames.size();
            }
            offset += chunk_header_bytes + chunk.stored_bytes;
        }
    } catch (const Error& error) {
        message = error.what();
    }
    index.frames.resize(sound);
    message += "; the " + std::to_string(sound) + " frames before that can be read";
}

std::shared_ptr<const Appearance> RecordingReader::State::look_of(const IndexEntry& entry) {
    const auto which = static_cast<std::size_t>(entry.look);
    auto look = looks[which].lock();
    if (!look) {
        const std::uint64_t offset = index.looks[which];
        if (offset >= entry.offset) throw Error("the frame's appearance comes after it", at(entry.offset));
        look = std::make_shared<const Appearance>(
            decode_appearance(read_chunk(offset, ChunkType::appearance), at(offset), &levels));
        looks[which] = look;
    }
    return last_look = look;
}

void RecordingReader::State::decode(std::size_t frame) {
    // from the key frame, or from what is decoded already when that is nearer
    std::size_t next = static_cast<std::size_t>(index.frames[frame].key_frame);
    if (decoded && *decoded >= next && *decoded <= frame) next = *decoded + 1;
    for (; next <= frame; ++next) {
        const IndexEntry& entry = index.frames[next];
        const ChunkHeader chunk = read_chunk_header(entry.offset);
        const ChunkType expected = entry.info.key ? ChunkType::key_frame : ChunkType::difference;
        if (chunk.type != expected || chunk.step != entry.info.step ||
            chunk.state_hash != entry.info.state_hash)
            throw Error("the chunk is not the one that the index names", at(entry.offset));
        FrameWords now = decode_frame(read_payload(entry.offset, chunk), entry.info.key ? nullptr : &words,
                                      version, at(entry.offset));
        if (version1) check_frame(*version1, now, at(entry.offset));
        words = std::move(now);
        decoded = next;
    }
}

Frame RecordingReader::State::read(std::size_t frame) {
    const IndexEntry& entry = index.frames[frame];
    decode(frame);
    Frame result;
    if (version1) {
        result = frame_of(*version1, words, last_look);
        last_look = result.appearance;
    } else {
        result = from_words(words);
        result.appearance = look_of(entry);
        const Appearance& look = *result.appearance;
        reading = entry.offset;
        if (result.size() != look.bodies.size() || result.vertices.size() < vertex_count(look))
            throw Error("the frame has " + std::to_string(result.size()) + " bodies and " +
                            std::to_string(result.vertices.size()) + " vertices, its appearance " +
                            std::to_string(look.bodies.size()) + " and " + std::to_string(vertex_count(look)),
                        at(entry.offset));
    }
    result.step = entry.info.step;
    result.time = entry.info.time;
    return result;
}

std::string RecordingReader::State::commands() {
    std::string text;
    for (const std::uint64_t offset : index.commands) {
        const Bytes lines = read_chunk(offset, ChunkType::commands);
        if (lines.size() > limits.chunk_bytes - text.size())
            throw Error("the commands take more than the " + std::to_string(limits.chunk_bytes) +
                            " bytes that are accepted",
                        at(offset));
        text.append(lines.begin(), lines.end());
    }
    return text;
}

RecordingReader::RecordingReader(const std::string& file, const RecordingLimits& limits)
    : RecordingReader(std::make_unique<std::ifstream>(file, std::ios::binary), file, limits) {}

RecordingReader::RecordingReader(std::unique_ptr<std::istream> stream, std::string name,
                                 const RecordingLimits& limits)
    : state_(std::make_unique<State>()) {
    state_->in = std::move(stream);
    state_->name = std::move(name);
    state_->limits = limits;
    std::error_code ignored;
    if (!state_->in || !*state_->in) {
        const std::string &file = state_->name, partial = partial_of(file);
        if (!std::filesystem::exists(file, ignored) && std::filesystem::exists(partial, ignored))
            throw Error(file + " is not there, but " + partial + " is: it was not finished");
        throw Error(std::filesystem::exists(file, ignored) ? "cannot be opened" : "there is no such file",
                    file);
    }
    if (std::filesystem::is_directory(state_->name, ignored))
        throw Error("cannot be read: this is a folder; expected a file", state_->name);
    state_->open();
}

RecordingReader::~RecordingReader() = default;
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;

const RecordingHeader& RecordingReader::header() const { return state_->header; }
std::uint32_t RecordingReader::version() const { return state_->version; }
std::size_t RecordingReader::frame_count() const { return state_->index.frames.size(); }
bool RecordingReader::truncated() const { return state_->truncated; }
const std::string& RecordingReader::message() const { return state_->message; }

const RecordingFrameInfo& RecordingReader::info(std::size_t frame) const {
    if (frame >= frame_count())
        throw Error("frame " + std::to_string(frame) + " does not exist; there are " +
                        std::to_string(frame_count()) + " frames",
                    state_->name);
    return state_->index.frames[frame].info;
}

Frame RecordingReader::read(std::size_t frame) {
    info(frame);
    return state_->read(frame);
}

std::shared_ptr<const Appearance> RecordingReader::appearance(std::size_t frame) {
    info(frame);
    return state_->version1 ? state_->read(frame).appearance : state_->look_of(state_->index.frames[frame]);
}

std::string RecordingReader::commands() { return state_->commands(); }

std::size_t RecordingReader::frame_at_step(std::uint64_t step) const {
    info(0);
    const auto& entries = state_->index.frames;
    const auto after =
        std::upper_bound(entries.begin(), entries.end(), step,
                         [](std::uint64_t wanted, const auto& entry) { return wanted < entry.info.step; });
    return after == entries.begin() ? 0 : static_cast<std::size_t>(after - entries.begin()) - 1;
}

std::vector<RecordingDamage> RecordingReader::check() {
    std::vector<RecordingDamage> damages;
    const auto note = [&](std::size_t first, std::size_t last, const Error& error) {
        const bool checksum_fails = dynamic_cast<const ChecksumError*>(&error) != nullptr;
        const std::string text = error.what();
        const std::size_t place = error.where().empty() ? 0 : error.where().size() + 2;
        std::string what = checksum_fails ? "checksum error" : text.substr(std::min(place, text.size()));
        RecordingDamage* before = damages.empty() ? nullptr : &damages.back();
        if (before && before->last + 1 == first && before->offset == state_->reading && before->what == what)
            before->last = last;
        else damages.push_back({first, last, state_->reading, std::move(what)});
    };
    for (std::size_t i = 0; i < frame_count(); ++i) {
        try {
            state_->read(i);
        } catch (const Error& error) {
            note(i, i, error);
        }
    }
    try {
        state_->commands();
    } catch (const Error& error) {
        note(1, 0, error);
    }
    return damages;
}

std::string RecordingDamage::message() const {
    const std::string frames = first > last ? "the commands"
                               : first == last
                                   ? "frame " + std::to_string(first)
                                   : "frames " + std::to_string(first) + " to " + std::to_string(last);
    return frames + " cannot be read: " + what + " at byte " + std::to_string(offset);
}

} // namespace scree
