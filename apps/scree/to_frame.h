// SPDX-License-Identifier: MIT
// to_frame.h — frames for the renderer from what recordings and the viewer hold, until these hold such frames themselves.
#pragma once

#include "scree/appearance.h"
#include "scree/recording.h"
#include "view/frame.h"

namespace scree {

inline void add_obstacles(Appearance& look, std::span<const Obstacle> obstacles) {
    for (const Obstacle& obstacle : obstacles) {
        const Vec3 s = obstacle.size;
        Geometry geometry = Plane{};
        if (obstacle.kind == Obstacle::Kind::box) geometry = Box{s.x, s.y, s.z};
        if (obstacle.kind == Obstacle::Kind::sphere) geometry = Sphere{s.x};
        look.bodies.push_back({static_cast<std::uint32_t>(look.shapes.size()),
                               obstacle.mass > 0 ? BodyType::dynamic : BodyType::fixed});
        look.shapes.push_back(appearance_of("obstacle", {{geometry, {}}}));
    }
}

/// With a new appearance when there are other bodies than before.
inline void to_frame(const RecordingHeader& header, const RecordingFrame& read, Frame& frame) {
    bool same = frame.appearance && frame.appearance->body_count == read.bodies.size();
    for (std::size_t b = 0; same && b < read.bodies.size(); ++b)
        same = frame.appearance->bodies[b].shape == read.bodies[b].shape;
    if (!same) {
        auto look = std::make_shared<Appearance>();
        for (const GranularShape& shape : header.shapes) {
            const Vec3 half = shape.half_size;
            look->shapes.push_back(appearance_of(shape.name, {{Box{half.x, half.y, half.z}, {}}}));
            look->shapes.back().particles = shape.particles;
        }
        for (const RecordedBody& body : read.bodies) look->bodies.push_back({body.shape});
        look->body_count = static_cast<std::uint32_t>(look->bodies.size());
        add_obstacles(*look, header.obstacles);
        frame.appearance = std::move(look);
    }
    frame.step = read.info.step;
    frame.time = read.info.time;
    frame.resize(frame.appearance->bodies.size());
    for (std::size_t b = 0; b < read.bodies.size(); ++b) {
        frame.set_pose(b, {read.bodies[b].position, read.bodies[b].rotation});
        frame.flags[b] = read.bodies[b].asleep ? Frame::asleep : 0;
    }
    for (std::size_t i = 0; i < header.obstacles.size(); ++i) {
        const Obstacle& start = header.obstacles[i];
        frame.set_pose(read.bodies.size() + i, i < read.obstacles.size()
                                                   ? Pose{read.obstacles[i].position, read.obstacles[i].rotation}
                                                   : Pose{start.position, start.rotation});
    }
}

/// `drawn` is Looks::drawn of the frame before.
inline void to_frame(const view::Frame& from, std::uint64_t& drawn, Frame& frame) {
    const view::Looks& looks = *from.looks;
    if (!frame.appearance || drawn != looks.drawn) {
        drawn = looks.drawn;
        auto look = std::make_shared<Appearance>();
        for (const view::ShapeLook& shape : looks.shapes) {
            std::vector<AppearancePart> parts;
            for (const view::Part& part : shape.parts) parts.push_back({part.geometry, part.pose});
            look->shapes.push_back(appearance_of(shape.name, std::move(parts)));
            look->shapes.back().particles = shape.particles;
        }
        for (const view::BodyLook& body : looks.bodies) look->bodies.push_back({body.shape, body.type});
        look->body_count = static_cast<std::uint32_t>(look->bodies.size());
        add_obstacles(*look, looks.obstacles);
        if (looks.ground) {
            look->bodies.push_back({static_cast<std::uint32_t>(look->shapes.size()), BodyType::fixed});
            look->shapes.push_back(appearance_of("ground", {{Plane{}, {}}}));
        }
        frame.appearance = std::move(look);
    }
    frame.step = from.step;
    frame.time = from.time;
    frame.resize(frame.appearance->bodies.size());
    for (std::size_t b = 0; b < frame.size(); ++b) frame.set_pose(b, {});
    for (std::size_t b = 0; b < std::min(looks.bodies.size(), from.bodies.size()); ++b) {
        const view::BodyPose& body = from.bodies[b];
        frame.set_pose(b, body.pose);
        frame.flags[b] =
            static_cast<std::uint8_t>((body.asleep ? Frame::asleep : 0) | (body.absent ? Frame::absent : 0));
    }
    for (std::size_t i = 0; i < std::min(looks.obstacles.size(), from.obstacles.size()); ++i)
        frame.set_pose(looks.bodies.size() + i, from.obstacles[i]);
}

} // namespace scree
