// SPDX-License-Identifier: MIT
// recording.h — a simulation on disk: poses of every body, frame by frame, bit for bit, with seeking.
//
// The format is described in docs/internals/recording-format.md.
#pragma once

#include "scree/granular.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// What a viewer needs to draw the frames without the scene file, and what is needed to run the scene again.
struct RecordingHeader {
    std::string scene;         ///< the built-in scene's name, or the file's
    std::string title;         ///< one line for people
    std::string scree_version; ///< of the program that recorded
    std::string device;        ///< where it ran, in words
    std::string settings;      ///< text, one `key = value` a line
    float time_step = 0.01f;   ///< s
    std::uint32_t steps_per_frame = 1;
    std::vector<GranularShape> shapes;
    std::vector<Obstacle> obstacles; ///< as they are at the start
};

struct RecordingOptions {
    /// A key frame (readable by itself) each so many frames; the rest hold differences to the frame before.
    int key_frame_interval = 32;
    /// zstd's, 1 … 19; 0 stores without compression, which is also what a build without zstd does.
    int compression_level = 3;
};

struct RecordedBody {
    Vec3 position;
    Quat rotation;
    std::uint32_t shape = 0; ///< into RecordingHeader::shapes
    bool asleep = false;
    bool frozen = false;
    friend bool operator==(const RecordedBody&, const RecordedBody&) = default;
};

struct RecordedPose {
    Vec3 position;
    Quat rotation;
    friend bool operator==(const RecordedPose&, const RecordedPose&) = default;
};

/// What is known of a frame without decoding it.
struct RecordingFrameInfo {
    std::uint64_t step = 0;
    double time = 0; ///< s
    std::uint64_t state_hash = 0;
    bool key = false;
};

struct RecordingFrame {
    RecordingFrameInfo info;
    std::vector<RecordedBody> bodies;
    std::vector<RecordedPose> obstacles; ///< none, or one for each of the header's
};

/// Writes to a temporary name beside `file` and renames it in finish(); without finish() nothing is left
/// behind. A process that dies leaves `file.partial`, which can be read up to where it ends.
class RecordingWriter {
public:
    /// Throws Error when the file cannot be written or an option is out of range.
    RecordingWriter(const std::string& file, const RecordingHeader& header,
                    const RecordingOptions& options = {});
    ~RecordingWriter();
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;

    /// Steps must grow from frame to frame. Throws Error when the disk does not take it.
    void add_frame(std::uint64_t step, double time, std::span<const GranularBodyState> bodies,
                   std::uint64_t state_hash, std::span<const Obstacle> obstacles = {});
    std::uint64_t frame_count() const;
    std::uint64_t bytes_written() const;
    /// Writes the index and puts the file in its place, over an older one. The writer is done after this.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

struct RecordingLimits {
    /// The most bytes that one chunk may unpack to; a file that claims more is refused before memory is
    /// taken.
    std::uint64_t chunk_bytes = std::uint64_t{4} << 30;
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
    std::size_t frame_count() const;
    /// The end of the file is missing or damaged; the frames before it are here. message() says where.
    bool truncated() const;
    const std::string& message() const;

    /// Throws Error when there is no such frame.
    const RecordingFrameInfo& info(std::size_t frame) const;
    /// Throws Error naming the offset when a chunk that this frame needs is damaged.
    RecordingFrame read(std::size_t frame);
    /// The last frame not later than `step`; the first when all are later. Throws Error when there are none.
    std::size_t frame_at_step(std::uint64_t step) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
