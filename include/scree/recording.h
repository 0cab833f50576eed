// SPDX-License-Identifier: MIT
// recording.h — a simulation on disk: appearance, exact poses of each frame, and commands; any frame can be read.
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

/// The recorded scene, with all that is needed to run it again.
struct RecordingHeader {
    std::string scene;         ///< the built-in scene's name, or the file's
    std::string title;         ///< one line
    std::string kind;          ///< of the scene: "rigid", "granular" …
    std::string scree_version; ///< of the program that recorded
    std::string device;        ///< name and description
    std::string settings;      ///< one `key = value` a line
    float time_step = 0.01f;   ///< s
    std::uint32_t steps_per_frame = 1;
    std::string scene_text;       ///< the scene's JSON; empty in format version 1
    std::vector<SceneFile> files; ///< files named in scene_text
};

struct RecordingOptions {
    /// Frames from one key frame to the next. A key frame is complete; other frames store differences to the frame before.
    int key_frame_interval = 32;
    /// of zstd, 1 … 19; 0: no compression. Builds without zstd never compress.
    int compression_level = 3;
    /// m; vertices of deforming meshes and lines are rounded to multiples of the largest power of two that is not above it, so to half
    /// of it or better, and take less space. 0: every bit is kept. Poses and bones are always exact.
    float vertex_precision = 0;
};

/// Facts of a frame that need no decoding.
struct RecordingFrameInfo {
    std::uint64_t step = 0;
    double time = 0; ///< s
    std::uint64_t state_hash = 0;
    bool key = false;
};

/// Writes frames to `file.partial`, which finish() renames. If writing ends before that (an Error, a full disk, a crash), the
/// frames written so far stay readable in `file.partial`. An unfinished writer without frames leaves no file.
class RecordingWriter {
public:
    /// Throws Error when the file cannot be written or an option is out of range.
    RecordingWriter(const std::string& file, const RecordingHeader& header,
                    const RecordingOptions& options = {});
    ~RecordingWriter();
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;

    /// Writes poses, flags and vertices, and the appearance if it changed. Step numbers must increase. Throws Error when the
    /// frame does not match its appearance or cannot be written.
    void add_frame(const Frame& frame, std::uint64_t state_hash);
    /// Adds lines to the log of commands, e.g. `120 shoot 0 5 9 …`.
    void add_commands(std::string_view lines);
    std::uint64_t frame_count() const;
    std::uint64_t bytes_written() const;
    /// Writes the index and renames the file, replacing an older one. Last call on the writer.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

struct RecordingLimits {
    /// Most bytes of an unpacked chunk, and of all commands together. A file that claims more is refused before memory is
    /// allocated.
    std::uint64_t chunk_bytes = std::uint64_t{4} << 30;
};

/// A range of unreadable frames, with the reason.
struct RecordingDamage {
    std::size_t first = 0, last = 0; ///< frames; first > last: the commands are damaged
    std::uint64_t offset = 0;        ///< of the damaged chunk in the file
    std::string what;                ///< the reason, such as "checksum error"
    /// "frames 400 to 415 cannot be read: checksum error at byte 81920"
    std::string message() const;
};

/// Reads frames in any order. A truncated file is readable up to the cut.
class RecordingReader {
public:
    /// Throws Error when the file is not a recording, has another version or a damaged header.
    explicit RecordingReader(const std::string& file, const RecordingLimits& limits = {});
    /// The same from a seekable stream; `name` is used in messages.
    RecordingReader(std::unique_ptr<std::istream> stream, std::string name,
                    const RecordingLimits& limits = {});
    ~RecordingReader();
    RecordingReader(RecordingReader&&) noexcept;
    RecordingReader& operator=(RecordingReader&&) noexcept;

    const RecordingHeader& header() const;
    /// Version of the format, 1 or 2. Version 1 has no appearance: bodies are drawn as boxes of their size, or as particles.
    std::uint32_t version() const;
    std::size_t frame_count() const;
    /// Whether the end of the file is missing or damaged; the frames before it are readable. message() tells where.
    bool truncated() const;
    const std::string& message() const;

    /// Throws Error when there is no such frame.
    const RecordingFrameInfo& info(std::size_t frame) const;
    /// Frames of equal appearance share it. Throws Error with the offset when a chunk that the frame needs is damaged.
    Frame read(std::size_t frame);
    std::shared_ptr<const Appearance> appearance(std::size_t frame);
    /// The log of commands, may be empty. Throws Error when it is damaged.
    std::string commands();
    /// The last frame at or before `step`, or the first frame. Throws Error when there are no frames.
    std::size_t frame_at_step(std::uint64_t step) const;
    /// Reads the whole file and lists the damage. A damaged frame makes the frames up to the next key frame unreadable.
    std::vector<RecordingDamage> check();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
