// SPDX-License-Identifier: MIT
// level_characters.cpp — see level_characters.h. One thread.
#include "level_characters.h"

#include "scree/error.h"
#include "scree/model_file.h"
#include "scree/walking_figure.h"
#include "stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

namespace scree::bench {
namespace {

constexpr int samples = 400; ///< of a clip, for errors

/// A clip as files of MD5 have it: a pose for each frame, and for vertices between frames all vertices of each.
struct Frames {
    Frames(const SkinnedModel& of, const ModelClip& clip, double frames_a_second)
        : model(of), rate(frames_a_second) {
        // to the last whole frame, without the way back to the first
        const auto count =
            std::max<std::size_t>(2, static_cast<std::size_t>(clip.duration * rate + 1e-4) + 1);
        span = static_cast<double>(count - 1) / rate;
        for (std::size_t k = 0; k < count; ++k) {
            ModelPose pose = rest_pose(model);
            sample(clip, static_cast<double>(k) / rate, pose, ClipEnd::hold);
            skin(model, pose, meshes.emplace_back(), 1);
            poses.push_back(std::move(pose));
        }
    }
    std::pair<std::size_t, float> at(double time) const {
        const double frame = time * rate;
        const std::size_t k = std::min(static_cast<std::size_t>(frame), poses.size() - 2);
        return {k, static_cast<float>(frame - static_cast<double>(k))};
    }
    void by_vertices(double time, SkinnedMesh& out) const {
        const auto [k, share] = at(time);
        const SkinnedMesh &a = meshes[k], &b = meshes[k + 1];
        out.vertices.resize(a.vertices.size()), out.normals.resize(a.normals.size());
        for (std::size_t v = 0; v < a.vertices.size(); ++v) {
            out.vertices[v] = a.vertices[v] + share * (b.vertices[v] - a.vertices[v]);
            out.normals[v] = normalized(a.normals[v] + share * (b.normals[v] - a.normals[v]));
        }
    }
    void by_joints(double time, ModelPose& pose, SkinnedMesh& out) const {
        const auto [k, share] = at(time);
        blend(poses[k], poses[k + 1], share, pose);
        skin(model, pose, out, 1);
    }
    double megabytes(bool vertices) const {
        const auto frames = static_cast<double>(poses.size());
        const std::size_t bytes = vertices ? 2 * sizeof(Vec3) * model.mesh.vertices.size()
                                           : sizeof(JointPlace) * model.joints.size();
        return frames * static_cast<double>(bytes) / 1e6;
    }

    const SkinnedModel& model;
    double rate, span = 0; ///< frames a second; s
    std::vector<ModelPose> poses;
    std::vector<SkinnedMesh> meshes;
};

/// Distances of vertices from where the clip has them, in thousandths of the model's height.
struct Error1000 {
    double most = 0, mean_square = 0;
};

std::array<Error1000, 2> errors_of(const Frames& frames, const ModelClip& clip, double height) {
    std::array<Error1000, 2> out;
    ModelPose pose = rest_pose(frames.model), between = pose;
    SkinnedMesh truth, mesh;
    for (int i = 0; i < samples; ++i) {
        const double time = frames.span * (i + 0.5) / samples;
        sample(clip, time, pose, ClipEnd::hold);
        skin(frames.model, pose, truth, 1);
        for (std::size_t way = 0; way < 2; ++way) {
            if (way == 0) frames.by_vertices(time, mesh);
            else frames.by_joints(time, between, mesh);
            double squares = 0;
            for (std::size_t v = 0; v < truth.vertices.size(); ++v) {
                const double off = 1000 * length(wide(mesh.vertices[v]) - wide(truth.vertices[v])) / height;
                out[way].most = std::max(out[way].most, off);
                squares += off * off;
            }
            out[way].mean_square += squares / static_cast<double>(truth.vertices.size()) / samples;
        }
    }
    return out;
}

/// Keys a second, of the part that has the most.
double rate_of(const ModelClip& clip) {
    std::size_t keys = 2;
    for (const ModelTrack& track : clip.tracks) keys = std::max(keys, track.times.size());
    if (!(clip.duration > 0)) throw Error("the clip has no duration", "--clip");
    return static_cast<double>(keys - 1) / double{clip.duration};
}

double median_ms(std::uint64_t pictures, const std::function<void(std::uint64_t)>& draw) {
    std::vector<double> times;
    for (std::uint64_t p = 0; p < pictures; ++p) {
        const Stopwatch clock;
        draw(p);
        times.push_back(1000 * clock.seconds());
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
}

ModelClip clip_of(const SkinnedModel& model, const std::string& clip) {
    if (!clip.empty() && std::filesystem::path(clip).extension() == ".md5anim") return read_clip(clip, model);
    const ModelClip* found = !clip.empty()         ? model.find_clip(clip)
                             : model.clips.empty() ? nullptr
                                                   : &model.clips[0];
    if (!found)
        throw Error(clip.empty() ? "the model has no clip: expected one by --clip"
                                 : "the model has no clip \"" + clip + "\"",
                    "--clip");
    return *found;
}

} // namespace

std::vector<std::string> character_columns() {
    return {"model",        "clip",      "frames/s", "characters", "joints",
            "vertices",     "lerp MB",   "slerp MB", "lerp ms",    "slerp ms",
            "slerp / lerp", "lerp most", "lerp rms", "slerp most", "slerp rms"};
}

TextTable character_lines(const std::string& file, const std::string& clip_name,
                          const std::vector<std::uint64_t>& counts, std::uint64_t pictures) {
    const SkinnedModel model = file.empty() ? walking_figure() : read_model(file);
    const ModelClip clip = clip_of(model, clip_name);
    Vec3 low = model.mesh.vertices.at(0), high = low;
    for (const Vec3& at : model.mesh.vertices) low = min(low, at), high = max(high, at);
    const Vec3 size = high - low;
    const double height = double{std::max({size.x, size.y, size.z})};
    TextTable out;
    for (const double share : {1.0, 0.5, 0.25}) {
        const double rate = share * rate_of(clip);
        const Frames frames(model, clip, rate);
        const std::array<Error1000, 2> errors = errors_of(frames, clip, height);
        for (const std::uint64_t count : counts) {
            std::vector<SkinnedMesh> meshes(count);
            ModelPose pose = rest_pose(model);
            // each in another place of the clip, as in a crowd
            const auto time = [&](std::uint64_t picture, std::uint64_t who) {
                return std::fmod(static_cast<double>(picture) / 60 + 0.37 * static_cast<double>(who),
                                 frames.span);
            };
            const double lerp = median_ms(pictures, [&](std::uint64_t p) {
                for (std::uint64_t i = 0; i < count; ++i) frames.by_vertices(time(p, i), meshes[i]);
            });
            const double slerp = median_ms(pictures, [&](std::uint64_t p) {
                for (std::uint64_t i = 0; i < count; ++i) frames.by_joints(time(p, i), pose, meshes[i]);
            });
            out.push_back({model.name.empty() ? std::string("figure") : model.name, clip.name,
                           number_text(rate, 3), std::to_string(count), std::to_string(model.joints.size()),
                           std::to_string(model.mesh.vertices.size()), number_text(frames.megabytes(true), 2),
                           number_text(frames.megabytes(false), 2), number_text(lerp, 3),
                           number_text(slerp, 3), number_text(slerp / lerp, 2),
                           number_text(errors[0].most, 2), number_text(std::sqrt(errors[0].mean_square), 2),
                           number_text(errors[1].most, 2), number_text(std::sqrt(errors[1].mean_square), 2)});
        }
    }
    return out;
}

} // namespace scree::bench
