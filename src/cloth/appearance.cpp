// SPDX-License-Identifier: MIT
// appearance.cpp — appearance and poses of a ClothWorld; see scree/appearance.h.
#include "scree/appearance.h"
#include "device/device.h"
#include "scree/error.h"
#include "scree/shared_poses.h"

#include <string>

namespace scree {

Appearance appearance_of(const ClothWorld& world) {
    Appearance look;
    const auto add = [&](const char* name, std::vector<AppearancePart> parts, BodyType type, float mass) {
        look.bodies.push_back({static_cast<std::uint32_t>(look.shapes.size()), type, mass, {}, name});
        look.shapes.push_back(appearance_of(name, std::move(parts)));
    };
    for (const ClothCollider& c : world.colliders()) {
        const bool box = c.kind == ClothCollider::Kind::box;
        const Geometry geometry =
            box ? Geometry{Box{c.size.x, c.size.y, c.size.z}} : Geometry{Sphere{c.size.x}};
        add("collider", {{geometry, {}}}, BodyType::kinematic, 0);
    }
    const ClothFacts facts = world.facts();
    for (std::uint32_t k = 0; k < world.sheet_count(); ++k) {
        AppearanceMesh& mesh = look.meshes.emplace_back();
        mesh.name = "sheet " + std::to_string(k);
        mesh.first_vertex = k * facts.vertices;
        mesh.vertex_count = facts.vertices;
        mesh.triangles = world.triangles();
        mesh.paint.colour = Vec3{0.72f, 0.16f, 0.14f};
        mesh.body = static_cast<std::uint32_t>(look.bodies.size());
        add("sheet", {}, BodyType::dynamic, world.settings().mass);
    }
    look.body_count = static_cast<std::uint32_t>(look.bodies.size());
    if (world.settings().ground) add("ground", {{Plane{}, {}}}, BodyType::fixed, 0);
    return look;
}

namespace {

/// Everything but the vertices.
void show_bodies(const ClothWorld& world, Frame& frame, bool velocities) {
    const auto colliders = world.colliders();
    const std::size_t count = colliders.size() + world.sheet_count() + (world.settings().ground ? 1 : 0);
    if (frame.appearance && frame.appearance->bodies.size() != count)
        throw Error(
            "colliders or sheets came since the appearance was made: expected a new appearance_of(world)",
            "frame");
    frame.shared = false;
    frame.step = world.steps_done();
    frame.time = world.time();
    frame.resize(count);
    frame.velocity.assign(velocities ? count : 0, {});
    frame.angular_velocity.assign(velocities ? count : 0, {});
    for (std::size_t k = 0; k < count; ++k) {
        frame.set_pose(k, {k < colliders.size() ? colliders[k].position : Vec3{}, {}});
        frame.flags[k] = 0;
        if (velocities && k < colliders.size()) frame.velocity[k] = colliders[k].velocity;
    }
}

} // namespace

void show(const ClothWorld& world, Frame& frame, bool velocities) {
    show_bodies(world, frame, velocities);
    const auto positions = world.positions();
    frame.vertices.assign(positions.begin(), positions.end());
    frame.normals = world.normals();
    frame.vertices_shared = false;
}

bool may_share(const ClothWorld& world) { return world.place().options().share_graphics; }

void show_shared(const ClothWorld& world, SharedVertices& to, Frame& frame) {
    world.write_vertices(to);
    show_bodies(world, frame, false);
    frame.vertex_bounds = world.extents();
    frame.vertices_shared = true;
}

} // namespace scree
