// SPDX-License-Identifier: MIT
// writer.cpp — recordings out: chunks to FILE.partial, the index and a rename at the end.

#include "bytes/checksum.h"
#include "record/format.h"
#include "text/number_text.h"
#include "text/partial_file.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace scree {

using namespace record;

struct RecordingWriter::State {
    std::string file, temporary;
    std::FILE* out = nullptr;
    RecordingOptions options;
    std::uint64_t offset = 0; ///< behind the last whole chunk
    Index index;
    FrameWords last;
    std::shared_ptr<const Appearance> look;
    std::uint64_t look_sum = 0; ///< checksum of the last appearance written

    ~State() { close(); }

    void open();
    void close();
    void write(std::span<const std::uint8_t> bytes);
    void write_chunk(ChunkHeader chunk, Bytes raw);
    void check_open() const;
    bool write_look(const Frame& frame);
    /// Keeps the frames written so far.
    [[noreturn]] void fail(const std::string& what);
};

namespace {

/// Low bits of many words become 0, and with them whole planes. Exact: the grid is a power of two.
void round_words(WordTable& vertices, float precision) {
    if (precision == 0) return;
    const float grid = std::ldexp(1.0f, std::ilogb(precision));
    for (std::uint32_t& word : vertices.words) {
        const float value = bits_as<float>(word);
        const float cells = value / grid;
        // beyond that a float is coarser than the grid
        if (std::abs(cells) < 0x1p23f) word = bits_as<std::uint32_t>(std::nearbyint(cells) * grid);
    }
}

} // namespace

void RecordingWriter::State::open() {
    std::error_code ignored;
    if (file.empty()) throw Error("the name of a recording must not be empty");
    if (std::filesystem::is_directory(file, ignored))
        throw Error("this is a folder; expected the name of a recording", file);

    const PartialFile partial = open_partial(file);
    out = partial.out;
    temporary = partial.name;
    if (!out) fail("the recording cannot be written");
    // chunks are written whole and at once: a process that dies loses the one in work only
    std::setvbuf(out, nullptr, _IONBF, 0);
}

/// Without frames nothing is left.
void RecordingWriter::State::close() {
    if (out) std::fclose(std::exchange(out, nullptr));
    if (!temporary.empty() && index.frames.empty()) std::remove(temporary.c_str());
}

void RecordingWriter::State::fail(const std::string& what) {
    std::string text = what + (errno ? std::string(": ") + std::strerror(errno) : std::string());
    close();
    if (const std::size_t frames = index.frames.size(); frames > 0) {
        std::error_code ignored;
        std::filesystem::resize_file(temporary, offset, ignored);
        text += "; " + temporary + " has the first " + std::to_string(frames) +
                (frames == 1 ? " frame" : " frames");
    }
    throw Error(text, file);
}

void RecordingWriter::State::write(std::span<const std::uint8_t> bytes) {
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size())
        fail("the recording cannot be written further");
    offset += bytes.size();
}

void RecordingWriter::State::write_chunk(ChunkHeader chunk, Bytes raw) {
    chunk.raw_bytes = raw.size();
    const Bytes stored = pack(std::move(raw), options.compression_level, chunk.compression);
    chunk.stored_bytes = stored.size();
    chunk.payload_checksum = checksum(stored);
    Bytes bytes = encode(chunk);
    bytes.insert(bytes.end(), stored.begin(), stored.end());
    write(bytes);
}

void RecordingWriter::State::check_open() const {
    if (!out) throw Error("the recording is finished; nothing can be added", file);
}

/// Returns whether the frame looks other than the one before.
bool RecordingWriter::State::write_look(const Frame& frame) {
    if (frame.appearance == look) return false;
    Bytes bytes = encode(*frame.appearance);
    const std::uint64_t sum = checksum(bytes);
    if (look && sum == look_sum) {
        look = frame.appearance;
        return false;
    }
    // do not write frames that the reader would refuse
    decode_appearance(bytes, file + ": the appearance of step " + std::to_string(frame.step));
    const std::uint64_t at = offset;
    write_chunk({.type = ChunkType::appearance}, std::move(bytes));
    index.looks.push_back(at);
    look = frame.appearance;
    look_sum = sum;
    return true;
}

RecordingWriter::RecordingWriter(const std::string& file, const RecordingHeader& header,
                                 const RecordingOptions& options)
    : state_(std::make_unique<State>()) {
    if (options.key_frame_interval < 1)
        throw Error("invalid value " + std::to_string(options.key_frame_interval) + ": expected 1 or more",
                    "key_frame_interval");
    if (options.compression_level < 0 || options.compression_level > 19)
        throw Error("invalid value " + std::to_string(options.compression_level) + ": expected 0 to 19",
                    "compression_level");
    if (!(options.vertex_precision == 0 ||
          (options.vertex_precision >= 1e-9f && options.vertex_precision <= 1e3f)))
        throw Error("invalid value " + number_text(options.vertex_precision) +
                        ": expected 0 or a length from 1e-9 to 1000 m",
                    "vertex_precision");
    if (!std::isfinite(header.time_step)) throw Error("the time step is not finite", "time_step");

    State& state = *state_;
    state.file = file;
    state.options = options;
    state.open();

    Bytes preamble(file_magic.begin(), file_magic.end());
    ByteSink out(preamble);
    out.u32(format_version);
    out.u32(0);
    state.write(preamble);
    state.write_chunk({.type = ChunkType::header}, encode(header));
}

RecordingWriter::~RecordingWriter() = default;
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

void RecordingWriter::add_frame(const Frame& frame, std::uint64_t state_hash) {
    State& state = *state_;
    state.check_open();
    auto& frames = state.index.frames;
    const std::string step = "step " + std::to_string(frame.step);
    if (!frames.empty() && frame.step <= frames.back().info.step)
        throw Error(step + " is not after step " + std::to_string(frames.back().info.step), state.file);
    if (!std::isfinite(frame.time)) throw Error("the time of " + step + " is not finite", state.file);
    if (!frame.appearance) throw Error("the frame of " + step + " has no appearance", state.file);
    if (frame.shared || frame.vertices_shared)
        throw Error("what the frame of " + step +
                        " shows is in a renderer's memory: expected one that show() filled",
                    state.file);
    const Appearance& look = *frame.appearance;
    const std::size_t bodies = look.bodies.size();
    if (frame.size() != bodies || frame.positions.size() != 4 * bodies ||
        frame.rotations.size() != 4 * bodies)
        throw Error("the frame of " + step + " has " + std::to_string(frame.positions.size() / 4) +
                        " poses; its appearance has " + std::to_string(bodies) + " bodies",
                    state.file);
    if (frame.vertices.size() < vertex_count(look))
        throw Error("the frame of " + step + " has " + std::to_string(frame.vertices.size()) +
                        " vertices; its appearance has " + std::to_string(vertex_count(look)),
                    state.file);

    const bool looks_new = state.write_look(frame);
    FrameWords now = to_words(frame);
    round_words(now.vertices, state.options.vertex_precision);
    const std::uint64_t number = frames.size();
    const std::uint64_t key_before = number ? frames.back().key_frame : 0;
    const bool key = looks_new || number == 0 ||
                     number - key_before >= static_cast<std::uint64_t>(state.options.key_frame_interval) ||
                     now.bodies.items != state.last.bodies.items ||
                     now.vertices.items != state.last.vertices.items;
    const IndexEntry entry{state.offset,
                           {frame.step, frame.time, state_hash, key},
                           key ? number : key_before,
                           state.index.looks.size() - 1};
    state.write_chunk({.type = key ? ChunkType::key_frame : ChunkType::difference,
                       .step = frame.step,
                       .time = frame.time,
                       .state_hash = state_hash},
                      encode_frame(now, key ? nullptr : &state.last));
    frames.push_back(entry);
    state.last = std::move(now);
}

void RecordingWriter::add_commands(std::string_view lines) {
    State& state = *state_;
    state.check_open();
    if (lines.empty()) return;
    Bytes bytes(lines.begin(), lines.end());
    if (bytes.back() != '\n') bytes.push_back('\n');
    const std::uint64_t at = state.offset;
    state.write_chunk({.type = ChunkType::commands}, std::move(bytes));
    state.index.commands.push_back(at);
}

std::uint64_t RecordingWriter::frame_count() const { return state_->index.frames.size(); }
std::uint64_t RecordingWriter::bytes_written() const { return state_->offset; }

void RecordingWriter::finish() {
    State& state = *state_;
    if (!state.out) throw Error("the recording is finished already", state.file);
    const std::uint64_t index_offset = state.offset;
    state.write_chunk({.type = ChunkType::index}, encode(state.index));

    Bytes footer;
    ByteSink out(footer);
    out.u64(index_offset);
    out.u64(state.index.frames.size());
    out.u64(checksum(footer));
    footer.insert(footer.end(), footer_magic.begin(), footer_magic.end());
    state.write(footer);

    errno = 0;
    if (std::fclose(std::exchange(state.out, nullptr)) != 0)
        state.fail("the recording cannot be written to its end");
    std::error_code error;
    std::filesystem::rename(state.temporary, state.file, error);
    if (error)
        throw Error("the recording cannot be moved to its name: " + error.message() + "; it is complete in " +
                        state.temporary,
                    state.file);
    state.temporary.clear();
}

} // namespace scree
