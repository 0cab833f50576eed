// SPDX-License-Identifier: MIT
// timeline.cpp — see timeline.h.
#include "view/timeline.h"

#include "scene/recorded.h"
#include "scree/error.h"
#include "view/looks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace scree::view {
namespace {

/// What is recorded of shapes alone: boxes of their size, or particles.
ShapeLook recorded_look(const GranularShape& shape) {
    ShapeLook look;
    look.name = shape.name;
    look.particles = shape.particles;
    const Vec3 h = shape.half_size;
    if (shape.particles.size() == 1) {
        look.parts.push_back({Sphere{shape.particles[0].radius}, {}});
        look.reach = double{shape.particles[0].radius};
    } else if (h.x > 0 && h.y > 0 && h.z > 0) {
        look.parts.push_back({Box{h.x, h.y, h.z}, {}});
        look.reach = length(wide(h));
    } else {
        look.parts.push_back({Plane{}, {}});
        look.reach = std::numeric_limits<double>::infinity();
    }
    return look;
}

/// The scene that was recorded, if it can still be had and has the bodies that the first frame has.
std::shared_ptr<Looks> looks_of_scene(const RecordingHeader& header, const RecordingFrame& first,
                                      const std::string& file) {
    try {
        const Scene scene = find_scene(header.scene, settings_from_text(header.settings, file));
        const LiveScene live(scene, {{.threads = 1}});
        if (live.body_count() > first.bodies.size()) return nullptr;
        return std::make_shared<Looks>(*live.looks());
    } catch (const Error&) {
        return nullptr;
    }
}

} // namespace

Timeline::Timeline(const std::string& file) : file_(file), reader_(file) {
    if (reader_.frame_count() == 0) throw Error("there are no frames in this recording", file);
    const RecordingHeader& header = reader_.header();
    const RecordingFrame first = reader_.read(0);
    std::shared_ptr<Looks> looks = looks_of_scene(header, first, file);
    const bool known = looks != nullptr;
    if (!known) {
        looks = std::make_shared<Looks>();
        looks->kind = SceneKind::granular;
        looks->scene = header.scene;
        looks->title = header.title;
        for (const GranularShape& shape : header.shapes) looks->shapes.push_back(recorded_look(shape));
        DVec3 low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
        for (const RecordedBody& body : first.bodies) {
            const double r = std::min(looks->shapes[body.shape].reach, 1.0);
            const DVec3 p = wide(body.position);
            low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r), std::min(low.z, p.z - r)};
            high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r), std::max(high.z, p.z + r)};
        }
        if (low.x <= high.x) looks->low = narrow(low), looks->high = narrow(high);
        looks->ground = true;
        looks->obstacles = header.obstacles;
    }
    // what is shot later has the recording's last shape
    const auto count = static_cast<std::uint32_t>(header.shapes.size());
    while (looks->shapes.size() < count)
        looks->shapes.push_back(recorded_look(header.shapes[looks->shapes.size()]));
    // bodies of later frames come behind those of the first
    const RecordingFrame last = reader_.read(reader_.frame_count() - 1);
    for (std::size_t b = looks->bodies.size(); b < std::max(first.bodies.size(), last.bodies.size()); ++b) {
        const RecordedBody& body = b < last.bodies.size() ? last.bodies[b] : first.bodies[b];
        looks->bodies.push_back({body.shape, BodyType::dynamic, 0, {}});
    }
    // recordings hold centres of mass, looks are about origins
    centres_.resize(looks->bodies.size());
    if (known && looks->kind == SceneKind::rigid) {
        const LiveScene live(find_scene(header.scene, settings_from_text(header.settings, file)),
                             {{.threads = 1}});
        Frame start;
        live.show(start, {});
        for (std::size_t b = 0; b < start.bodies.size(); ++b)
            centres_[b] = narrow(apply_inverse(wide(start.bodies[b].pose), wide(start.bodies[b].centre)));
    }
    looks_ = std::move(looks);
    go(0);
}

void Timeline::go(std::size_t frame) {
    frame = std::min(frame, reader_.frame_count() - 1);
    const RecordingFrame read = reader_.read(frame);
    at_ = frame;
    clock_ = read.info.time;
    frame_.number++;
    frame_.step = read.info.step;
    frame_.time = read.info.time;
    frame_.hash = read.info.state_hash;
    frame_.looks = looks_;
    frame_.bodies.assign(looks_->bodies.size(), {});
    for (std::size_t b = 0; b < frame_.bodies.size(); ++b) {
        BodyPose& body = frame_.bodies[b];
        if (b >= read.bodies.size()) {
            body.absent = true;
            continue;
        }
        const RecordedBody& recorded = read.bodies[b];
        body.centre = recorded.position;
        body.pose.rotation = recorded.rotation;
        body.pose.position =
            narrow(wide(recorded.position) - rotate(wide(recorded.rotation), wide(centres_[b])));
        body.asleep = recorded.asleep;
        body.frozen = recorded.frozen;
    }
    frame_.obstacles.clear();
    if (read.obstacles.empty())
        for (const Obstacle& obstacle : looks_->obstacles)
            frame_.obstacles.push_back({obstacle.position, obstacle.rotation});
    for (const RecordedPose& pose : read.obstacles)
        frame_.obstacles.push_back({pose.position, pose.rotation});
    frame_.oldest_step = reader_.info(0).step;
}

void Timeline::advance(double seconds) {
    if (!playing_ || !std::isfinite(seconds)) return;
    const std::size_t last = reader_.frame_count() - 1;
    const double clock = clock_ + seconds;
    std::size_t frame = at_;
    while (frame < last && reader_.info(frame + 1).time <= clock) ++frame;
    while (frame > 0 && reader_.info(frame).time > clock) --frame;
    if (frame != at_) go(frame);
    clock_ = std::clamp(clock, reader_.info(0).time, reader_.info(last).time);
    if ((seconds > 0 && at_ == last) || (seconds < 0 && clock_ <= reader_.info(0).time)) playing_ = false;
}

// running it again ---------------------------------------------------------------------------------------------------

namespace {

std::string whole_file(const std::string& file) {
    std::string text;
    std::FILE* in = std::fopen(file.c_str(), "rb");
    if (!in) return text;
    char chunk[1 << 14];
    while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, in)) text.append(chunk, got);
    std::fclose(in);
    return text;
}

} // namespace

ReplayCheck::ReplayCheck(const std::string& file, const PlaceOptions& place) {
    thread_ = std::thread([this, file, place] {
        std::string message;
        try {
            run(file, place);
        } catch (const std::exception& error) {
            message = error.what();
        }
        const std::lock_guard lock(mutex_);
        progress_.message = message;
        progress_.done = true;
    });
}

ReplayCheck::~ReplayCheck() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
}

void ReplayCheck::wait() {
    if (thread_.joinable()) thread_.join();
}

ReplayCheck::Progress ReplayCheck::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

void ReplayCheck::run(const std::string& file, const PlaceOptions& place) {
    RecordingReader reader(file);
    {
        const std::lock_guard lock(mutex_);
        progress_.frames = reader.frame_count();
    }
    const RecordingHeader& header = reader.header();
    const SceneOptions options = settings_from_text(header.settings, file);
    Session session(find_scene(header.scene, options), options, header.scene, place, {0, 1u << 30});
    session.set_future(parse_log(whole_file(file + ".commands"), file + ".commands"));
    for (std::size_t frame = 0; frame < reader.frame_count() && !stop_; ++frame) {
        const RecordingFrameInfo& info = reader.info(frame);
        while (session.live().steps_done() < info.step && !stop_) session.step();
        const bool equal = session.live().hash() == info.state_hash;
        const std::lock_guard lock(mutex_);
        progress_.compared = frame + 1;
        if (!equal) {
            progress_.diverged = frame;
            return;
        }
    }
}

} // namespace scree::view
