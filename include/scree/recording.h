// SPDX-License-Identifier: MIT
// recording.h — a simulation on disk: what it looks like, poses frame by frame and bit for bit, commands; with seeking.
//
// The format is described in docs/internals/recording-format.md.
#pragma once

#include "scree/appearance.h"
#include "scree/scene_file.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// What was recorded, and what is needed to run it again.
struct RecordingHeader {
    std::string scene;         ///< the built-in scene's name, or the file's
    std::string title;         ///< one line for people
    std::string kind;          ///< of the scene's world, as scene files say it: "rigid", "granular" …
    std::string scree_version; ///< of the program that recorded
    std::string device;        ///< where it ran, in words
    std::string settings;      ///< text, one `key = value` a line
    float time_step = 0.01f;   ///< s
    std::uint32_t steps_per_frame = 1;
    std::string scene_text;          ///< the JSON that the scene was read from; empty in format version 1
    std::vector<SceneFile> files; ///< that the scene's text names
};

struct RecordingOptions {
    /// A key frame (readable by itself) each so many frames; the rest hold differences to the frame before.
    int key_frame_interval = 32;
    /// zstd's, 1 … 19; 0 stores without compression, which is also what a build without zstd does.
    int compression_level = 3;
};

/// What is known of a frame without decoding it.
struct RecordingFrameInfo {
    std::uint64_t step = 0;
    double time = 0; ///< s
    std::uint64_t state_hash = 0;
    bool key = false;
};

/// Writes to `file.partial`, frame by frame, and renames it in finish(). Whatever ends it before (an Error, a full disk,
/// the end of the process), the frames written so far stay in `file.partial` and can be read. A writer that has no
/// frames and is not finished leaves nothing.
class RecordingWriter {
public:
    /// Throws Error when the file cannot be written or an option is out of range.
    RecordingWriter(const std::string& file, const RecordingHeader& header,
                    const RecordingOptions& options = {});
    ~RecordingWriter();
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;

    /// Poses, flags and vertices; the appearance too, when it is another one than that of the frame before. Steps must
    /// grow from frame to frame. Throws Error when the frame does not fit its appearance, or the disk does not take it.
    void add_frame(const Frame& frame, std::uint64_t state_hash);
    /// Lines of the log of commands, as they are given: `120 shoot 0 5 9 …`.
    void add_commands(std::string_view lines);
    std::uint64_t frame_count() const;
    std::uint64_t bytes_written() const;
    /// Writes the index and puts the file in its place, over an older one. The writer is done after this.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

struct RecordingLimits {
    /// The most bytes that one chunk may unpack to, and all commands together; a file that claims more is refused
    /// before memory is taken.
    std::uint64_t chunk_bytes = std::uint64_t{4} << 30;
};

/// Frames that cannot be read, and why.
struct RecordingDamage {
    std::size_t first = 0, last = 0; ///< frames; first > last: what is damaged are the commands
    std::uint64_t offset = 0;        ///< of the damaged chunk in the file
    std::string what;                ///< "checksum error"
    /// "frames 400 to 415 cannot be read: checksum error at byte 81920"
    std::string message() const;
};

/// Reads any frame in any order. A file that was cut off is readable up to the cut.
class RecordingReader {
public:
    /// Throws Error when this is no recording, is of another version, or its header is damaged.
    explicit RecordingReader(const std::string& file, const RecordingLimits& limits = {});
    /// The same from a stream that can seek; `name` is for messages.
    RecordingReader(std::unique_ptr<std::istream> stream, std::string name,
                    const RecordingLimits& limits = {});
    ~RecordingReader();
    RecordingReader(RecordingReader&&) noexcept;
    RecordingReader& operator=(RecordingReader&&) noexcept;

    const RecordingHeader& header() const;
    /// Of the format: 1 or 2. Version 1 knows no appearance: bodies are boxes of their size, or particles.
    std::uint32_t version() const;
    std::size_t frame_count() const;
    /// The end of the file is missing or damaged; the frames before it are here. message() says where.
    bool truncated() const;
    const std::string& message() const;

    /// Throws Error when there is no such frame.
    const RecordingFrameInfo& info(std::size_t frame) const;
    /// Frames that look the same share their appearance. Throws Error naming the offset when a chunk that this frame
    /// needs is damaged.
    Frame read(std::size_t frame);
    std::shared_ptr<const Appearance> appearance(std::size_t frame);
    /// The log of commands; empty when none were given. Throws Error when it is damaged.
    std::string commands();
    /// The last frame not later than `step`; the first when all are later. Throws Error when there are none.
    std::size_t frame_at_step(std::uint64_t step) const;
    /// Reads everything; empty when all is well. Frames behind a damaged one are damaged up to the next key frame.
    std::vector<RecordingDamage> check();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
