// SPDX-License-Identifier: MIT
// md5_anim.cpp — the .md5anim files of Doom 3, version 10 (id Software 2004).
//
//     MD5Version 10   commandline "…"   numFrames n   numJoints n   frameRate f   numAnimatedComponents n
//     hierarchy { "name" parent flags first … }     flags 1 2 4: position x y z, 8 16 32: rotation x y z are in the frames
//     bounds { ( low ) ( high ) … }   baseframe { ( position ) ( rotation ) … }   in the frame of the parent
//     frame i { numbers … }
#include "model/md5_text.h"
#include "model/model_maker.h"
#include "text/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace scree {
namespace {

struct Md5Track {
    std::uint32_t joint = 0; ///< of the model
    unsigned flags = 0;
    std::size_t first = 0;
    std::array<double, 6> base{};
};

class Md5AnimReader {
public:
    Md5AnimReader(std::string_view bytes, const std::string& file, const SkinnedModel& model,
                  const ModelFileOptions& options)
        : text_(bytes, file), model_(model), options_(options) {}

    ModelClip read() {
        text_.expect("MD5Version");
        text_.whole("the version of the format", 10, 10);
        for (Md5Token token = text_.take(); !token.ends(); token = text_.take()) read(token);
        if (!rate_) text_.fail("the file ends; expected frameRate");
        if (frames_ == 0) text_.fail("the file ends; expected numFrames, from 1 on");
        if (tracks_.empty() || !based_) text_.fail("the file ends; expected hierarchy and baseframe");
        if (values_.size() < frames_)
            text_.fail("the file ends after " + count_of(values_.size(), "frame", "frames") +
                       "; numFrames says " + count_text(frames_));
        // joints may share components
        std::size_t moving = 0;
        for (const Md5Track& track : tracks_) moving += track.flags != 0 ? 1 : 0;
        if (moving > options_.max_keys / frames_)
            text_.fail(count_text(moving) + " joints in " + count_text(frames_) + " frames; at most " +
                       count_text(options_.max_keys) + " keys are read");
        return clip();
    }

private:
    Md5Text text_;
    const SkinnedModel& model_;
    const ModelFileOptions& options_;
    std::size_t frames_ = 0, components_ = 0;
    std::optional<double> rate_;
    bool based_ = false;
    std::vector<Md5Track> tracks_;
    std::vector<std::vector<float>> values_; ///< of each frame

    void read(const Md5Token& token) {
        if (token.is("commandline")) {
            text_.name("a command line");
        } else if (token.is("numFrames")) {
            frames_ = text_.count("frames", options_.max_keys, 9);
        } else if (token.is("numJoints")) {
            const std::size_t joints = text_.count("joints", options_.max_joints, 10);
            if (joints != model_.joints.size())
                text_.fail(count_of(joints, "joint", "joints") + "; the model has " +
                           count_text(model_.joints.size()));
        } else if (token.is("frameRate")) {
            rate_ = text_.number("a frame rate");
            if (!(*rate_ >= 0.001 && *rate_ <= 100'000))
                text_.fail("is not a frame rate; expected 0.001 to 100,000");
        } else if (token.is("numAnimatedComponents")) {
            if (!tracks_.empty()) text_.fail("numAnimatedComponents after the hierarchy; expected it before");
            components_ = text_.count("animated components", 6 * options_.max_joints, 2);
        } else if (token.is("hierarchy")) {
            read_hierarchy();
        } else if (token.is("bounds")) {
            text_.expect("{");
            for (std::size_t i = 0; i < 2 * frames_; ++i) text_.vector("bounds");
            text_.expect("}");
        } else if (token.is("baseframe")) {
            read_base();
        } else if (token.is("frame")) {
            read_frame();
        } else {
            text_.fail("the word '" + std::string(token.text.substr(0, 40)) +
                       "' is unknown; expected hierarchy, bounds, baseframe or frame");
        }
    }

    void read_hierarchy() {
        if (!tracks_.empty()) text_.fail("a second hierarchy");
        text_.expect("{");
        const std::size_t joints = model_.joints.size();
        std::vector<bool> seen(joints, false);
        for (std::size_t i = 0; i < joints; ++i) {
            Md5Track track;
            const std::string name = text_.name("the name of a joint");
            std::optional<std::uint32_t> joint = static_cast<std::uint32_t>(i);
            if (model_.joints[i].name != name) joint = model_.find_joint(name);
            if (!joint) text_.fail("the model has no joint '" + name + "'");
            if (seen[*joint]) text_.fail("joint '" + name + "' is there twice");
            seen[*joint] = true;
            track.joint = *joint;
            check_parent(model_.joints[*joint],
                         text_.whole("a parent", -1, static_cast<std::int64_t>(joints) - 1));
            track.flags = static_cast<unsigned>(text_.whole("flags", 0, 63));
            track.first = static_cast<std::size_t>(text_.whole("the first component", 0, 1 << 30));
            const auto used = static_cast<std::size_t>(std::popcount(track.flags));
            if (used > 0 && track.first + used > components_)
                text_.fail("components " + std::to_string(track.first) + " to " +
                           std::to_string(track.first + used - 1) + "; numAnimatedComponents says " +
                           std::to_string(components_));
            tracks_.push_back(track);
        }
        text_.expect("}");
    }

    /// `parent`: as the file numbers it, which are the joints read so far or to come.
    void check_parent(const ModelJoint& joint, std::int64_t parent) const {
        const bool root = joint.parent < 0;
        bool same = root == (parent < 0);
        if (!root && parent >= 0 && static_cast<std::size_t>(parent) < tracks_.size())
            same =
                tracks_[static_cast<std::size_t>(parent)].joint == static_cast<std::uint32_t>(joint.parent);
        if (!same) text_.fail("joint '" + joint.name + "' has another parent than in the model");
    }

    void read_base() {
        if (tracks_.empty()) text_.fail("a baseframe before the hierarchy");
        text_.expect("{");
        for (Md5Track& track : tracks_) {
            const Vec3 p = text_.vector("a position");
            const Quat q = text_.rotation("a rotation");
            track.base = {p.x, p.y, p.z, q.x, q.y, q.z};
        }
        text_.expect("}");
        based_ = true;
    }

    void read_frame() {
        const auto number = static_cast<std::size_t>(
            text_.whole("the number of a frame", 0, static_cast<std::int64_t>(frames_) - 1));
        if (number != values_.size())
            text_.fail("frame " + std::to_string(number) + "; expected frame " +
                       std::to_string(values_.size()));
        if (!based_) text_.fail("a frame before the baseframe");
        if ((number + 1) * components_ > options_.max_keys)
            text_.fail("too many numbers in frames; at most " + count_text(options_.max_keys) + " are read");
        text_.expect("{");
        std::vector<float> values;
        values.reserve(components_);
        for (std::size_t k = 0; k < components_; ++k)
            values.push_back(static_cast<float>(text_.number("a number of a frame")));
        text_.expect("}");
        for (const Md5Track& track : tracks_) {
            Quat ignored;
            const std::array<double, 6> v = numbers(track, values);
            if (!md5_rotation(v[3], v[4], v[5], ignored))
                text_.fail("the rotation of joint '" + model_.joints[track.joint].name + "' in frame " +
                           std::to_string(number) + " is longer than 1");
        }
        values_.push_back(std::move(values));
    }

    std::array<double, 6> numbers(const Md5Track& track, const std::vector<float>& frame) const {
        std::array<double, 6> out = track.base;
        std::size_t next = track.first;
        for (unsigned k = 0; k < 6; ++k)
            if (track.flags & 1u << k) out[k] = double{frame[next++]};
        return out;
    }

    /// Whether the last frame is the first again, but for the way of the root.
    bool closes() const {
        if (frames_ < 2) return false;
        for (const Md5Track& track : tracks_) {
            const auto a = numbers(track, values_.front()), b = numbers(track, values_.back());
            for (std::size_t k = model_.joints[track.joint].parent < 0 ? 3 : 0; k < 6; ++k)
                if (std::fabs(a[k] - b[k]) > 1e-4 * (1 + std::fabs(a[k]))) return false;
        }
        return true;
    }

    ModelClip clip() const {
        ModelClip out;
        const std::string& file = text_.file();
        const std::size_t slash = file.find_last_of("/\\") + 1; // npos + 1 is 0
        out.name = file.substr(slash, file.rfind('.') > slash ? file.rfind('.') - slash : std::string::npos);
        out.duration = static_cast<float>(static_cast<double>(frames_ - 1) / *rate_);
        out.closing = closes() ? 0 : static_cast<float>(1 / *rate_);
        for (const Md5Track& track : tracks_) {
            add(out, track, TrackPath::position, track.flags & 7u);
            add(out, track, TrackPath::rotation, track.flags & 56u);
        }
        return out;
    }

    void add(ModelClip& out, const Md5Track& from, TrackPath path, bool moves) const {
        ModelTrack track{from.joint, path, TrackMode::linear, {}, {}};
        const std::size_t keys = moves ? frames_ : 1;
        for (std::size_t k = 0; k < keys; ++k) {
            const std::array<double, 6> v = numbers(from, values_[k]);
            track.times.push_back(
                std::min(out.duration, static_cast<float>(static_cast<double>(k) / *rate_)));
            if (path == TrackPath::rotation) {
                Quat q;
                md5_rotation(v[3], v[4], v[5], q);
                track.values.insert(track.values.end(), {q.x, q.y, q.z, q.s});
            } else {
                for (std::size_t c = 0; c < 3; ++c)
                    track.values.push_back(static_cast<float>(v[c]) * options_.scale);
            }
        }
        out.tracks.push_back(std::move(track));
    }
};

} // namespace

ModelClip parse_clip(std::string_view bytes, const std::string& file, const SkinnedModel& model,
                     const ModelFileOptions& options) {
    return Md5AnimReader(bytes, file, model, options).read();
}

} // namespace scree
