// SPDX-License-Identifier: MIT
// writer.cpp — recordings out: chunks to a temporary file, the index and a rename at the end.

#include "bytes/checksum.h"
#include "record/format.h"

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
    std::size_t shapes = 0, obstacles = 0;
    std::uint64_t offset = 0;
    std::vector<IndexEntry> entries;
    FrameWords last;

    ~State() {
        // not finished: what was written is of no use to anybody
        if (out) std::fclose(out);
        if (!temporary.empty()) std::remove(temporary.c_str());
    }

    void open();
    void write(std::span<const std::uint8_t> bytes);
    void write_chunk(ChunkHeader chunk, Bytes raw);
    [[noreturn]] void fail(const std::string& what) const {
        const int code = errno;
        throw Error(what + (code ? std::string(": ") + std::strerror(code) : std::string()), file);
    }
};

void RecordingWriter::State::open() {
    std::error_code ignored;
    if (file.empty()) throw Error("the name of a recording must not be empty");
    if (std::filesystem::is_directory(file, ignored))
        throw Error("this is a folder; the name of a recording was expected", file);

    // a name that nobody has: two recordings of one name at once must not mix
    constexpr int most_tries = 100;
    for (int attempt = 0; attempt < most_tries && !out; ++attempt) {
        std::string name = file + ".partial" + (attempt ? std::to_string(attempt) : std::string());
        errno = 0;
        out = std::fopen(name.c_str(), "wbx");
        if (out) temporary = std::move(name);
        else if (errno != EEXIST) break;
    }
    if (!out) fail("the recording cannot be written");
}

void RecordingWriter::State::write(std::span<const std::uint8_t> bytes) {
    errno = 0;
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size())
        fail("the recording cannot be written further");
    offset += bytes.size();
}

void RecordingWriter::State::write_chunk(ChunkHeader chunk, Bytes raw) {
    chunk.raw_bytes = raw.size();
    const Bytes stored = pack(std::move(raw), options.compression_level, chunk.compression);
    chunk.stored_bytes = stored.size();
    chunk.payload_checksum = checksum(stored);
    write(encode(chunk));
    write(stored);
    // whole chunks reach the disk, so that a crash costs the chunk in work only
    errno = 0;
    if (std::fflush(out) != 0) fail("the recording cannot be written further");
}

RecordingWriter::RecordingWriter(const std::string& file, const RecordingHeader& header,
                                 const RecordingOptions& options)
    : state_(std::make_unique<State>()) {
    if (options.key_frame_interval < 1)
        throw Error(std::to_string(options.key_frame_interval) + " is not allowed; 1 or more was expected",
                    "key_frame_interval");
    if (options.compression_level < 0 || options.compression_level > 19)
        throw Error(std::to_string(options.compression_level) + " is not allowed; 0 to 19 was expected",
                    "compression_level");
    if (header.shapes.size() >= most_shapes)
        throw Error(std::to_string(header.shapes.size()) + " shapes are too many", "shapes");

    State& state = *state_;
    state.file = file;
    state.options = options;
    state.shapes = header.shapes.size();
    state.obstacles = header.obstacles.size();
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

void RecordingWriter::add_frame(std::uint64_t step, double time, std::span<const GranularBodyState> bodies,
                                std::uint64_t state_hash, std::span<const Obstacle> obstacles) {
    State& state = *state_;
    if (!state.out) throw Error("the recording is finished; no frame can be added", state.file);
    if (!state.entries.empty() && step <= state.entries.back().info.step)
        throw Error("step " + std::to_string(step) + " is not after step " +
                        std::to_string(state.entries.back().info.step),
                    state.file);
    if (!std::isfinite(time))
        throw Error("the time of step " + std::to_string(step) + " is not finite", state.file);
    if (!obstacles.empty() && obstacles.size() != state.obstacles)
        throw Error(std::to_string(obstacles.size()) + " obstacles were given; the header has " +
                        std::to_string(state.obstacles),
                    state.file);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].shape >= state.shapes)
            throw Error("bodies[" + std::to_string(i) + "].shape: " + std::to_string(bodies[i].shape) +
                            " is not allowed; the header has " + std::to_string(state.shapes) + " shapes",
                        state.file);

    FrameWords now = to_words(bodies, obstacles);
    const std::uint64_t index = state.entries.size();
    const std::uint64_t key_before = index ? state.entries.back().key_frame : 0;
    const bool key = index == 0 ||
                     index - key_before >= static_cast<std::uint64_t>(state.options.key_frame_interval) ||
                     now.bodies != state.last.bodies || now.obstacles != state.last.obstacles;
    const IndexEntry entry{state.offset, {step, time, state_hash, key}, key ? index : key_before};
    state.write_chunk({.type = key ? ChunkType::key_frame : ChunkType::difference,
                       .step = step,
                       .time = time,
                       .state_hash = state_hash},
                      encode_frame(now, key ? nullptr : &state.last));
    state.entries.push_back(entry);
    state.last = std::move(now);
}

std::uint64_t RecordingWriter::frame_count() const { return state_->entries.size(); }
std::uint64_t RecordingWriter::bytes_written() const { return state_->offset; }

void RecordingWriter::finish() {
    State& state = *state_;
    if (!state.out) throw Error("the recording is finished already", state.file);
    const std::uint64_t index_offset = state.offset;
    state.write_chunk({.type = ChunkType::index}, encode_index(state.entries));

    Bytes footer;
    ByteSink out(footer);
    out.u64(index_offset);
    out.u64(state.entries.size());
    out.u64(checksum(footer));
    footer.insert(footer.end(), footer_magic.begin(), footer_magic.end());
    state.write(footer);

    errno = 0;
    std::FILE* closing = std::exchange(state.out, nullptr);
    if (std::fclose(closing) != 0) state.fail("the recording cannot be written to its end");
    std::error_code error;
    std::filesystem::rename(state.temporary, state.file, error);
    if (error) throw Error("the recording cannot be moved to its name: " + error.message(), state.file);
    state.temporary.clear();
}

} // namespace scree
