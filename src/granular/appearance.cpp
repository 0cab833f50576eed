// SPDX-License-Identifier: MIT
// appearance.cpp — appearance and poses of a GranularWorld; see scree/appearance.h.
#include "granular/appearance_parts.h"

#include "device/device.h"
#include "scree/error.h"
#include "scree/shared_poses.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

Geometry geometry_of(const Obstacle& obstacle) {
    switch (obstacle.kind) {
    case Obstacle::Kind::box:
        return Box{obstacle.size.x, obstacle.size.y, obstacle.size.z};
    case Obstacle::Kind::sphere:
        return Sphere{obstacle.size.x};
    default:
        return Plane{};
    }
}

/// The planes y = 0 and x, z = +-world_size, as far as the settings have them.
std::vector<Pose> border_planes(const GranularSettings& settings) {
    std::vector<Pose> planes;
    if (settings.ground) planes.push_back({});
    if (!settings.walls) return planes;
    const float w = settings.world_size, s = std::sqrt(0.5f);
    // y turned to +x, -x, +z, -z
    for (const float sign : {-1.0f, 1.0f}) {
        Quat turn;
        turn.s = s, turn.z = sign * s;
        planes.push_back({{sign * w, 0, 0}, turn});
    }
    for (const float sign : {-1.0f, 1.0f}) {
        Quat turn;
        turn.s = s, turn.x = -sign * s;
        planes.push_back({{0, 0, sign * w}, turn});
    }
    return planes;
}

void add_fixture(Appearance& look, const Geometry& geometry, BodyType type, float mass, const char* name) {
    look.bodies.push_back({static_cast<std::uint32_t>(look.shapes.size()), type, mass, {}, name});
    look.shapes.push_back(appearance_of(name, {{geometry, {}}}));
}

} // namespace

AppearanceShape shape_look(const GranularShape& shape) {
    const Vec3& half = shape.half_size;
    AppearanceShape look;
    look.name = shape.name;
    look.particles = shape.particles;
    if (shape.particles.size() == 1)
        look.parts.push_back({Sphere{shape.particles[0].radius}, {shape.particles[0].offset, {}}});
    else look.parts.push_back({Box{half.x, half.y, half.z}, {}});
    for (const ShapeParticle& particle : shape.particles)
        look.reach = std::max(look.reach, std::hypot(double{particle.offset.x}, double{particle.offset.y},
                                                     double{particle.offset.z}) +
                                              double{particle.radius});
    return look;
}

void add_obstacle(Appearance& look, const Obstacle& obstacle) {
    const bool driven = obstacle.velocity != Vec3{} || obstacle.angular_velocity != Vec3{};
    add_fixture(look, geometry_of(obstacle),
                obstacle.mass > 0 ? BodyType::dynamic
                : driven          ? BodyType::kinematic
                                  : BodyType::fixed,
                obstacle.mass, "obstacle");
}

Appearance appearance_of(const GranularWorld& world) {
    Appearance look;
    for (const GranularBodyState& body : world.bodies())
        look.bodies.push_back({body.shape, BodyType::dynamic, body.mass});
    for (std::uint32_t k = 0; k < world.shape_count(); ++k) look.shapes.push_back(shape_look(world.shape(k)));
    look.body_count = static_cast<std::uint32_t>(look.bodies.size());
    for (const Obstacle& obstacle : world.obstacles()) add_obstacle(look, obstacle);
    for (const Pose& plane : border_planes(world.settings()))
        add_fixture(look, Plane{}, BodyType::fixed, 0, plane == Pose{} ? "ground" : "wall");
    return look;
}

bool may_share(const GranularWorld& world) { return world.device().report().name.starts_with("cuda"); }

void show_shared(const GranularWorld& world, SharedPoses& to, Frame& frame) {
    world.write_poses(to, border_planes(world.settings()));
    frame.step = world.steps_done();
    frame.time = world.time();
    frame.shared = true;
}

void show(const GranularWorld& world, Frame& frame, bool velocities) {
    frame.shared = false;
    const auto bodies = world.bodies();
    const std::vector<Obstacle> obstacles = world.obstacles();
    const std::vector<Pose> planes = border_planes(world.settings());
    const std::size_t count = bodies.size() + obstacles.size() + planes.size();
    if (frame.appearance && frame.appearance->bodies.size() != count)
        throw Error("bodies came since the appearance was made: expected a new appearance_of(world)",
                    "frame");
    frame.step = world.steps_done();
    frame.time = world.time();
    frame.resize(count);
    frame.velocity.assign(velocities ? count : 0, {});
    frame.angular_velocity.assign(velocities ? count : 0, {});
    std::size_t number = 0;
    const auto add = [&](const Pose& pose, bool asleep, bool frozen, Vec3 velocity, Vec3 spin) {
        frame.set_pose(number, pose);
        frame.flags[number] =
            static_cast<std::uint8_t>((asleep ? Frame::asleep : 0) | (frozen ? Frame::frozen : 0));
        if (velocities) frame.velocity[number] = velocity, frame.angular_velocity[number] = spin;
        ++number;
    };
    for (const GranularBodyState& body : bodies)
        add({body.position, body.rotation}, body.asleep, body.frozen, body.velocity(), body.angular_velocity);
    for (const Obstacle& obstacle : obstacles)
        add({obstacle.position, obstacle.rotation}, false, false, obstacle.velocity,
            obstacle.angular_velocity);
    for (const Pose& plane : planes) add(plane, false, false, {}, {});
    frame.vertices.clear();
    frame.normals.clear();
    frame.vertices_shared = false;
}

} // namespace scree
