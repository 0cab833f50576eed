// SPDX-License-Identifier: MIT
// timeline.cpp — see timeline.h.
#include "view/timeline.h"

#include "scene/recorded.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::view {
namespace {

/// An obstacle of a world of particles: one geometry, at its body's origin.
Obstacle obstacle_of(const AppearanceBody& body, const AppearanceShape& shape) {
    Obstacle obstacle;
    obstacle.mass = body.type == BodyType::dynamic ? body.mass : 0;
    const Geometry geometry = shape.parts.empty() ? Plane{} : shape.parts.front().geometry;
    if (const Box* box = std::get_if<Box>(&geometry)) {
        obstacle.kind = Obstacle::Kind::box;
        obstacle.size = {box->x, box->y, box->z};
    } else if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) {
        obstacle.kind = Obstacle::Kind::sphere;
        obstacle.size = {sphere->radius, sphere->radius, sphere->radius};
    } else {
        obstacle.kind = Obstacle::Kind::plane;
    }
    return obstacle;
}

std::shared_ptr<Looks> looks_of(const Appearance& from, const std::string& kind, std::uint64_t version) {
    auto looks = std::make_shared<Looks>();
    looks->version = looks->drawn = version;
    looks->kind = kind == "rigid" ? SceneKind::rigid : SceneKind::granular;
    looks->scene = from.scene;
    looks->title = from.title;
    looks->low = from.low;
    looks->high = from.high;
    for (const AppearanceShape& shape : from.shapes) {
        ShapeLook& look = looks->shapes.emplace_back();
        look.name = shape.name;
        look.particles = shape.particles;
        look.reach = shape.reach;
        for (const AppearancePart& part : shape.parts)
            look.parts.push_back({part.geometry, part.pose});
    }
    for (std::size_t b = 0; b < from.bodies.size(); ++b) {
        const AppearanceBody& body = from.bodies[b];
        if (b < from.body_count) looks->bodies.push_back({body.shape, body.type, body.mass, body.name});
        else if (body.name == "ground") looks->ground = true;
        else if (body.name == "obstacle")
            looks->obstacles.push_back(obstacle_of(body, from.shapes[body.shape]));
    }
    for (const AppearanceJoint& joint : from.joints) {
        JointLook& look = looks->joints.emplace_back();
        look.type = joint.type == "hinge"   ? JointType::hinge
                    : joint.type == "fixed" ? JointType::fixed
                                            : JointType::ball;
        look.first = joint.first;
        look.second = joint.second;
        look.first_anchor = joint.first_anchor;
        look.second_anchor = joint.second_anchor;
        if (joint.axis) look.axis = *joint.axis;
    }
    return looks;
}

/// Versions of looks that no scene has.
std::uint64_t next_version() {
    static std::atomic<std::uint64_t> versions{std::uint64_t{1} << 63};
    return ++versions;
}

} // namespace

Timeline::Timeline(const std::string& file) : file_(file), reader_(file) {
    if (reader_.frame_count() == 0) throw Error("there are no frames in this recording", file);
    go(0);
}

void Timeline::go(std::size_t frame) {
    frame = std::min(frame, reader_.frame_count() - 1);
    const scree::Frame read = reader_.read(frame);
    const RecordingFrameInfo& info = reader_.info(frame);
    if (read.appearance != appearance_) {
        appearance_ = read.appearance;
        looks_ = looks_of(*appearance_, reader_.header().kind, next_version());
    }
    at_ = frame;
    clock_ = info.time;
    frame_.number++;
    frame_.step = info.step;
    frame_.time = info.time;
    frame_.hash = info.state_hash;
    frame_.looks = looks_;
    frame_.bodies.assign(looks_->bodies.size(), {});
    frame_.obstacles.clear();
    for (std::size_t b = 0; b < read.size(); ++b) {
        if (b >= appearance_->body_count) {
            if (appearance_->bodies[b].name == "obstacle") frame_.obstacles.push_back(read.pose(b));
            continue;
        }
        BodyPose& body = frame_.bodies[b];
        body.pose = read.pose(b);
        body.centre = read.centre(b);
        body.asleep = read.has(b, scree::Frame::asleep);
        body.frozen = read.has(b, scree::Frame::frozen);
        body.absent = read.has(b, scree::Frame::absent);
    }
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
    Session session(recorded_scene(header, file), options, header.scene, place, {0, 1u << 30});
    session.set_future(parse_log(recorded_commands(reader, file), file + ": commands"));
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
