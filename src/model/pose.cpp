// SPDX-License-Identifier: MIT
// pose.cpp — places of joints, clips and poses; see scree/skinned_model.h. + - * / and square roots only: bodies follow these poses, with
// the same bits on every machine.
#include "scree/error.h"
#include "scree/skinned_model.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// sin(t a) / sin(a) for cos(a) = 1 + x, x from -1 to 0: the series of Eberly (2011), in which each term is at most half the one before.
double sine_ratio(double t, double x) {
    constexpr int terms = 32; // 2^-32
    double sum = 1;
    for (int i = terms; i > 0; --i)
        sum = 1 + sum * x * (t * t / (i * (2 * i + 1)) - static_cast<double>(i) / (2 * i + 1));
    return t * sum;
}

DQuat mix(DQuat a, DQuat b, double share) {
    double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.s * b.s;
    const double way = cosine < 0 ? -1 : 1;
    cosine = std::min(cosine * way, 1.0);
    const double v = sine_ratio(1 - share, cosine - 1), w = way * sine_ratio(share, cosine - 1);
    return normalized(DQuat{v * a.x + w * b.x, v * a.y + w * b.y, v * a.z + w * b.z, v * a.s + w * b.s});
}

Vec3 mix(Vec3 a, Vec3 b, float share) { return a + share * (b - a); }

std::size_t width(TrackPath path) { return path == TrackPath::rotation ? 4 : 3; }

/// Where a time lies between keys.
struct Between {
    std::size_t from = 0, to = 0;
    double share = 0, gap = 0; ///< s between the keys
};

Between find_keys(const ModelTrack& track, const ModelClip& clip, double time) {
    const std::vector<float>& times = track.times;
    const std::size_t last = times.size() - 1;
    // from the last key back to the first
    if (time > clip.duration && clip.closing > 0)
        return {last, 0, std::min((time - clip.duration) / clip.closing, 1.0), clip.closing};
    if (time <= double{times[0]}) return {0, 0, 0, 0};
    if (time >= double{times[last]}) return {last, last, 0, 0};
    const auto after = std::upper_bound(times.begin(), times.end(), time,
                                        [](double t, float key) { return t < double{key}; });
    const auto to = static_cast<std::size_t>(after - times.begin());
    const double start = times[to - 1], gap = times[to] - start;
    return {to - 1, to, (time - start) / gap, gap};
}

void write(TrackPath path, const double* v, JointPlace& out) {
    const auto number = [&](int k) { return static_cast<float>(v[k]); };
    if (path == TrackPath::position) out.position = {number(0), number(1), number(2)};
    else if (path == TrackPath::scale) out.scale = {number(0), number(1), number(2)};
    else out.rotation = narrow(normalized(DQuat{v[0], v[1], v[2], v[3]}));
}

void sample(const ModelTrack& track, const ModelClip& clip, double time, JointPlace& out) {
    const Between at = find_keys(track, clip, time);
    const std::size_t n = width(track.path);
    double value[4] = {};
    if (track.mode == TrackMode::cubic) {
        const float *a = track.values.data() + at.from * 3 * n, *b = track.values.data() + at.to * 3 * n;
        const double s = at.share, r = 1 - s;
        for (std::size_t k = 0; k < n; ++k)
            value[k] = double{a[n + k]} * (1 + 2 * s) * r * r + double{b[n + k]} * (3 - 2 * s) * s * s +
                       at.gap * (double{a[2 * n + k]} * s * r * r - double{b[k]} * s * s * r);
        return write(track.path, value, out);
    }
    const float *a = track.values.data() + at.from * n, *b = track.values.data() + at.to * n;
    const double share = track.mode == TrackMode::step ? 0 : at.share;
    if (track.path == TrackPath::rotation) {
        out.rotation = narrow(mix(DQuat{a[0], a[1], a[2], a[3]}, DQuat{b[0], b[1], b[2], b[3]}, share));
        return;
    }
    for (std::size_t k = 0; k < n; ++k) value[k] = double{a[k]} + share * (double{b[k]} - double{a[k]});
    write(track.path, value, out);
}

} // namespace

std::optional<Affine> inverse(const Affine& map) {
    const DVec3 x = map.x, y = map.y, z = map.z, yz = cross(y, z);
    const double det = dot(x, yz);
    if (!std::isfinite(1 / det) || det == 0) return std::nullopt;
    const DVec3 a = yz / det, b = cross(z, x) / det, c = cross(x, y) / det; // rows
    const DVec3 p = map.position;
    const Affine out{narrow(DVec3{a.x, b.x, c.x}), narrow(DVec3{a.y, b.y, c.y}), narrow(DVec3{a.z, b.z, c.z}),
                     narrow(DVec3{-dot(a, p), -dot(b, p), -dot(c, p)})};
    if (!is_finite(out.x) || !is_finite(out.y) || !is_finite(out.z) || !is_finite(out.position))
        return std::nullopt;
    return out;
}

Affine affine(const JointPlace& place) {
    const Quat& q = place.rotation;
    return {place.scale.x * rotate(q, Vec3{1, 0, 0}), place.scale.y * rotate(q, Vec3{0, 1, 0}),
            place.scale.z * rotate(q, Vec3{0, 0, 1}), place.position};
}

Affine affine(const Pose& pose) { return affine(JointPlace{pose.position, pose.rotation}); }

Quat between(Quat a, Quat b, float share) { return narrow(mix(wide(a), wide(b), double{share})); }

JointPlace between(const JointPlace& a, const JointPlace& b, float share) {
    return {mix(a.position, b.position, share), between(a.rotation, b.rotation, share),
            mix(a.scale, b.scale, share)};
}

std::optional<std::uint32_t> SkinnedModel::find_joint(const std::string& wanted) const {
    for (std::uint32_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == wanted) return j;
    return std::nullopt;
}

const ModelClip* SkinnedModel::find_clip(const std::string& wanted) const {
    const auto found =
        std::find_if(clips.begin(), clips.end(), [&](const ModelClip& clip) { return clip.name == wanted; });
    return found == clips.end() ? nullptr : &*found;
}

ModelPose rest_pose(const SkinnedModel& model) {
    ModelPose pose;
    pose.reserve(model.joints.size());
    for (const ModelJoint& joint : model.joints) pose.push_back(joint.rest);
    return pose;
}

void sample(const ModelClip& clip, double time, ModelPose& pose, ClipEnd end) {
    const double period = clip.period();
    if (!std::isfinite(time) || !(period > 0)) time = 0;
    else if (end == ClipEnd::hold) time = std::clamp(time, 0.0, double{clip.duration});
    else if (time = std::fmod(time, period); time < 0) time += period; // exact
    for (const ModelTrack& track : clip.tracks) {
        if (track.joint >= pose.size() || track.times.empty()) continue;
        sample(track, clip, time, pose[track.joint]);
    }
}

void blend(const ModelPose& a, const ModelPose& b, float share, ModelPose& out) {
    if (a.size() != b.size())
        throw Error("poses of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                        " joints; expected two of one model",
                    "blend");
    out.resize(a.size());
    for (std::size_t j = 0; j < a.size(); ++j) out[j] = between(a[j], b[j], share);
}

std::vector<Affine> joint_frames(const SkinnedModel& model, const ModelPose& pose) {
    if (pose.size() != model.joints.size())
        throw Error("a pose of " + std::to_string(pose.size()) + " joints; the model has " +
                        std::to_string(model.joints.size()),
                    "pose");
    std::vector<Affine> frames(pose.size());
    for (std::size_t j = 0; j < pose.size(); ++j) {
        const std::int32_t parent = model.joints[j].parent;
        frames[j] = parent < 0 ? affine(pose[j]) : frames[static_cast<std::size_t>(parent)] * affine(pose[j]);
    }
    return frames;
}

std::vector<Pose> joint_poses(const SkinnedModel& model, const ModelPose& pose) {
    const std::vector<Affine> frames = joint_frames(model, pose);
    std::vector<Pose> out(pose.size());
    for (std::size_t j = 0; j < pose.size(); ++j) {
        const std::int32_t parent = model.joints[j].parent;
        const Quat carried = parent < 0 ? Quat{} : out[static_cast<std::size_t>(parent)].rotation;
        out[j] = {frames[j].position, normalized(carried * pose[j].rotation)};
    }
    return out;
}

std::vector<Affine> bone_frames(const SkinnedModel& model, std::span<const Affine> joints) {
    std::vector<Affine> frames;
    frames.reserve(model.bones.size());
    for (const ModelBone& bone : model.bones) frames.push_back(joints[bone.joint] * bone.inverse_bind);
    return frames;
}

// the way over the ground ---------------------------------------------------------------------------------------

namespace {

DPose mix(const DPose& a, const DPose& b, double share) {
    return {a.position + share * (b.position - a.position), mix(a.rotation, b.rotation, share)};
}

/// The part of a pose that goes over the ground.
DPose on_ground(const DPose& pose, DVec3 up, bool turns) {
    const DQuat q = pose.rotation;
    const double about = dot(DVec3{q.x, q.y, q.z}, up);
    const DQuat heading = normalized(DQuat{about * up.x, about * up.y, about * up.z, q.s});
    return {pose.position - dot(pose.position, up) * up, turns ? heading : DQuat{}};
}

/// All times at which the way of a joint bends: its keys, and 60 a second where a track is not linear.
std::vector<float> times_of(const ModelClip& clip, std::uint32_t joint) {
    std::vector<float> times;
    for (const ModelTrack& track : clip.tracks) {
        if (track.joint != joint || track.path == TrackPath::scale) continue;
        times.insert(times.end(), track.times.begin(), track.times.end());
        if (track.mode == TrackMode::linear) continue;
        for (int k = 0; static_cast<float>(k) / 60 < clip.duration && k < 100'000; ++k)
            times.push_back(static_cast<float>(k) / 60);
    }
    times.push_back(0);
    times.push_back(clip.duration);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

std::optional<std::uint32_t> first_moved(const SkinnedModel& model, const ModelClip& clip) {
    std::optional<std::uint32_t> found;
    for (const ModelTrack& track : clip.tracks)
        if (track.path != TrackPath::scale && track.joint < model.joints.size() &&
            (!found || track.joint < *found))
            found = track.joint;
    return found;
}

void add_key(ModelTrack& track, float time, std::initializer_list<float> values) {
    track.times.push_back(time);
    track.values.insert(track.values.end(), values);
}

} // namespace

RootMotion take_root_motion(const SkinnedModel& model, ModelClip& clip, const RootMotionOptions& options) {
    const double size = length(wide(options.up));
    if (!(size > 0) || !std::isfinite(size)) throw Error("is not a direction", "RootMotionOptions::up");
    if (options.joint && *options.joint >= model.joints.size())
        throw Error("joint " + std::to_string(*options.joint) + "; the model has " +
                        std::to_string(model.joints.size()),
                    "RootMotionOptions::joint");
    const DVec3 up = wide(options.up) / size;
    RootMotion motion;
    const std::optional<std::uint32_t> chosen = options.joint ? options.joint : first_moved(model, clip);
    if (!chosen || !(clip.duration > 0)) return motion;
    const std::uint32_t joint = *chosen;

    // what carries the joint is at rest
    ModelPose pose = rest_pose(model);
    Affine above;
    Quat turned;
    if (const std::int32_t parent = model.joints[joint].parent; parent >= 0) {
        above = joint_frames(model, pose)[static_cast<std::size_t>(parent)];
        turned = joint_poses(model, pose)[static_cast<std::size_t>(parent)].rotation;
    }
    const std::optional<Affine> below = inverse(above);
    if (!below) throw Error("the joint's parents have no size", model.joints[joint].name);

    ModelTrack positions{joint, TrackPath::position, TrackMode::linear, {}, {}},
        rotations{joint, TrackPath::rotation, TrackMode::linear, {}, {}};
    std::optional<DPose> first;
    for (const float time : times_of(clip, joint)) {
        sample(clip, time, pose, ClipEnd::hold);
        const DPose at{apply(above, pose[joint].position), wide(turned * pose[joint].rotation)};
        const DPose ground = on_ground(at, up, options.turns);
        if (!first) first = ground;
        const DPose moved = ground * inverse(*first), stays = inverse(moved) * at;
        motion.keys_.push_back({double{time}, moved});
        const Vec3 p = apply(*below, narrow(stays.position));
        const Quat q = normalized(conjugate(turned) * narrow(stays.rotation));
        add_key(positions, time, {p.x, p.y, p.z});
        add_key(rotations, time, {q.x, q.y, q.z, q.s});
    }
    std::erase_if(clip.tracks, [&](const ModelTrack& track) {
        return track.joint == joint && track.path != TrackPath::scale;
    });
    clip.tracks.push_back(std::move(positions));
    clip.tracks.push_back(std::move(rotations));

    // from the last key back to the first it goes on as between the last two
    motion.once_ = motion.keys_.back().moved;
    motion.period_ = clip.period();
    if (clip.closing > 0) {
        const auto& [before, then] = motion.keys_[motion.keys_.size() - 2];
        const DPose step = inverse(then) * motion.once_;
        const double share = double{clip.closing} / (motion.keys_.back().time - before);
        motion.once_ = motion.once_ * mix(DPose{}, step, share);
        motion.keys_.push_back({motion.period_, motion.once_});
    }
    return motion;
}

DPose RootMotion::within(double time) const {
    const auto after = std::upper_bound(keys_.begin(), keys_.end(), time,
                                        [](double t, const Key& key) { return t < key.time; });
    if (after == keys_.begin()) return keys_.front().moved;
    if (after == keys_.end()) return keys_.back().moved;
    const Key &from = *(after - 1), &to = *after;
    return mix(from.moved, to.moved, (time - from.time) / (to.time - from.time));
}

DPose RootMotion::at(double time) const {
    if (keys_.empty() || !std::isfinite(time)) return {};
    const double rounds = std::floor(time / period_);
    DPose out, power = rounds < 0 ? inverse(once_) : once_;
    for (auto left = static_cast<std::uint64_t>(std::min(std::fabs(rounds), 1e15)); left > 0; left /= 2) {
        if (left % 2 != 0) out = out * power;
        power = power * power;
        power.rotation = normalized(power.rotation);
    }
    out = out * within(std::clamp(time - rounds * period_, 0.0, period_));
    out.rotation = normalized(out.rotation);
    return out;
}

} // namespace scree
