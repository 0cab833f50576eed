// SPDX-License-Identifier: MIT
// version1.cpp — see version1.h.
#include "record/version1.h"

#include "granular/appearance_parts.h"

#include <algorithm>
#include <cmath>

namespace scree::record {
namespace {

constexpr std::uint32_t asleep_bit = 1u << 31, frozen_bit = 1u << 30;

std::uint32_t shape_of(const FrameWords& words, std::size_t body) {
    return words.bodies.at(7, body) & ~(asleep_bit | frozen_bit);
}
std::size_t body_count(const FrameWords& words) { return words.bodies.items - words.obstacles; }

/// Of shapes without particles the size is known alone: a box; of a plane it is 0.
AppearanceShape shape_look_of(const GranularShape& shape) {
    if (!shape.particles.empty()) return shape_look(shape);
    const Vec3& half = shape.half_size;
    const bool box = half.x > 0 && half.y > 0 && half.z > 0;
    return appearance_of(shape.name, {{box ? Geometry(Box{half.x, half.y, half.z}) : Geometry(Plane{}), {}}});
}

bool fits(const Appearance& look, const FrameWords& words) {
    if (look.body_count != body_count(words)) return false;
    for (std::size_t i = 0; i < look.body_count; ++i)
        if (look.bodies[i].shape != shape_of(words, i)) return false;
    return true;
}

std::shared_ptr<const Appearance> appearance_of(const Version1& recording, const FrameWords& words) {
    auto look = std::make_shared<Appearance>();
    look->scene = recording.header.scene;
    look->title = recording.header.title;
    for (const GranularShape& shape : recording.shapes) look->shapes.push_back(shape_look_of(shape));
    look->body_count = static_cast<std::uint32_t>(body_count(words));
    for (std::size_t i = 0; i < look->body_count; ++i) {
        const std::uint32_t shape = shape_of(words, i);
        const bool plane = std::isinf(look->shapes[shape].reach);
        look->bodies.push_back({shape, plane ? BodyType::fixed : BodyType::dynamic, 0});
    }
    for (const Obstacle& obstacle : recording.obstacles) add_obstacle(*look, obstacle);
    look->low = recording.low;
    look->high = recording.high;
    return look;
}

} // namespace

Version1 decode_version1(std::span<const std::uint8_t> bytes, const std::string& where) {
    constexpr std::size_t particle_bytes = 28, least_shape_bytes = 32, obstacle_bytes = 72;
    ByteSource in(bytes, where);
    Version1 recording;
    RecordingHeader& header = recording.header;
    for (auto* text : {&header.scene, &header.title, &header.scree_version, &header.device, &header.settings})
        *text = in.text();
    header.time_step = in.f32();
    header.steps_per_frame = in.u32();

    recording.shapes.resize(in.count(least_shape_bytes, "shapes"));
    for (GranularShape& shape : recording.shapes) {
        shape.name = in.text();
        shape.unit_inertia = in.vec3();
        shape.half_size = in.vec3();
        shape.particles.resize(in.count(particle_bytes, "particles"));
        for (ShapeParticle& particle : shape.particles) {
            particle.offset = in.vec3();
            particle.radius = in.f32();
            particle.outward = in.vec3();
        }
    }
    recording.obstacles.resize(in.count(obstacle_bytes, "obstacles"));
    for (Obstacle& obstacle : recording.obstacles) {
        const std::uint32_t kind = in.u32();
        if (kind > static_cast<std::uint32_t>(Obstacle::Kind::sphere))
            throw Error("obstacle kind " + std::to_string(kind) + " is not known", where);
        obstacle.kind = static_cast<Obstacle::Kind>(kind);
        obstacle.position = in.vec3();
        obstacle.rotation = in.quat();
        obstacle.size = in.vec3();
        obstacle.velocity = in.vec3();
        obstacle.angular_velocity = in.vec3();
        obstacle.mass = in.f32();
    }
    if (in.left() != 0)
        throw Error(std::to_string(in.left()) + " bytes are left after the header's last field", where);
    // rigid shapes were recorded without particles
    if (!recording.shapes.empty())
        header.kind = recording.shapes.front().particles.empty() ? "rigid" : "granular";
    return recording;
}

void check_frame(const Version1& recording, const FrameWords& words, const std::string& where) {
    if (words.obstacles != 0 && words.obstacles != recording.obstacles.size())
        throw Error("the frame has " + std::to_string(words.obstacles) + " obstacles, the header " +
                        std::to_string(recording.obstacles.size()),
                    where);
    for (std::size_t i = 0; i < body_count(words); ++i)
        if (shape_of(words, i) >= recording.shapes.size())
            throw Error("body " + std::to_string(i) + " has shape " + std::to_string(shape_of(words, i)) +
                            "; the header has " + std::to_string(recording.shapes.size()) + " shapes",
                        where);
}

void bound_bodies(Version1& recording, const FrameWords& first) {
    const Frame frame = frame_of(recording, first, nullptr);
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
    for (std::size_t i = 0; i < frame.appearance->body_count; ++i) {
        const AppearanceBody& body = frame.appearance->bodies[i];
        const auto reach = static_cast<float>(std::min(frame.appearance->shapes[body.shape].reach, 1.0));
        const Vec3 at = frame.pose(i).position;
        low = min(low, at - Vec3{reach, reach, reach});
        high = max(high, at + Vec3{reach, reach, reach});
    }
    if (low.x <= high.x) recording.low = low, recording.high = high;
}

Frame frame_of(const Version1& recording, const FrameWords& words,
               const std::shared_ptr<const Appearance>& known) {
    Frame frame = from_words(words);
    for (std::size_t i = 0; i < body_count(words); ++i) {
        const std::uint32_t last = words.bodies.at(7, i);
        frame.flags[i] = static_cast<std::uint8_t>((last & asleep_bit ? Frame::asleep : 0) |
                                                   (last & frozen_bit ? Frame::frozen : 0));
    }
    for (std::size_t i = body_count(words); i < frame.size(); ++i) frame.flags[i] = 0;
    if (words.obstacles == 0) {
        // as they are at the start
        const std::size_t bodies = frame.size();
        frame.resize(bodies + recording.obstacles.size());
        for (std::size_t i = 0; i < recording.obstacles.size(); ++i)
            frame.set_pose(bodies + i, {recording.obstacles[i].position, recording.obstacles[i].rotation});
    }
    frame.appearance = known && fits(*known, words) ? known : appearance_of(recording, words);
    return frame;
}

} // namespace scree::record
