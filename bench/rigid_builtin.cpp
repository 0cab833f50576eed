// SPDX-License-Identifier: MIT
// rigid_builtin.cpp — scenes of the program for every engine: contract rigid-builtin-1 of docs/manual/bench-rigid.md.
//
// Taken are bodies, densities, velocities and the one friction that all shapes have. Joints, forces and resistance to
// rolling are not: none of the scenes named here needs them but for the balls, which all roll freely.
#include "rigid_piles.h"
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::bench {

namespace {

/// with an edge for every 15 degrees: the same body for engines that have no cone
std::vector<Vec3> corners_of(const Cone& cone) {
    std::vector<Vec3> corners{{0, cone.half_height, 0}};
    for (int degrees = 0; degrees < 360; degrees += 15) {
        const SineCosine at = of_degrees(degrees);
        corners.push_back(narrow(DVec3{cone.radius * at.cosine, -cone.half_height, cone.radius * at.sine}));
    }
    return corners;
}

/// hulls by their corners, so that bodies of one form share one
class Hulls {
public:
    Hull of(std::span<const Vec3> corners, const ShapeDef& shape, const Vec3& centre) {
        std::vector<Vec3> points;
        for (const Vec3& corner : corners)
            points.push_back(
                narrow(wide(shape.position) + rotate(wide(shape.rotation), wide(corner)) - wide(centre)));
        for (const auto& [known, hull] : made_)
            if (known == points) return hull;
        made_.emplace_back(points, Hull::from_points(points));
        return made_.back().second;
    }

private:
    std::vector<std::pair<std::vector<Vec3>, Hull>> made_;
};

/// a part in the frame of the body's centre of mass
RigidShape::Part part_about(const Vec3& centre, const Geometry& geometry, ShapeDef shape, Hulls& hulls) {
    const ShapeDef as_given = shape;
    shape.position = narrow(wide(shape.position) - wide(centre));
    if (std::holds_alternative<Plane>(geometry)) {
        // nothing that moves comes to the end of it within the scene's steps
        shape.position = narrow(wide(shape.position) - rotate(wide(shape.rotation), {0, 1, 0}));
        return {Box{100, 1, 100}, shape};
    }
    const auto* hull = std::get_if<Hull>(&geometry);
    const auto* cone = std::get_if<Cone>(&geometry);
    if (!hull && !cone) return {geometry, shape};
    shape.position = {};
    shape.rotation = {};
    if (hull) return {hulls.of(hull->vertices(), as_given, centre), shape};
    return {hulls.of(corners_of(*cone), as_given, centre), shape};
}

} // namespace

BenchScene builtin_scene(const std::string& name) {
    const Scene source = find_scene(name);
    const World world = build_rigid_world(source, {{.threads = 1}}); // knows every mass
    BenchScene scene;
    scene.name = name;
    scene.contract = "rigid-builtin-1";
    scene.steps = source.steps;
    scene.rigid.time_step = rigid_scene(source).time_step;
    scene.rigid.settings.gravity = world.settings().gravity;
    scene.stands = std::any_of(source.expect.begin(), source.expect.end(),
                               [](const Expectation& e) { return e.quantity == "moved" && e.least <= 0; });
    Hulls hulls;
    for (const BodyId id : world.bodies()) {
        const BodyState state = world.state(id);
        std::vector<RigidShape::Part> parts;
        for (const ShapeId part : world.shapes(id)) {
            ShapeDef shape = world.definition(part);
            // one friction for all, and nothing that brakes or carries
            shape.material = {.friction = shape.material.friction};
            shape.filter = {};
            parts.push_back(part_about(world.mass(id).centre, world.geometry(part), shape, hulls));
        }
        RigidBodyDef body = body_at(add_shape(scene, std::move(parts)), state.centre, state.rotation);
        if (world.type(id) == BodyType::fixed) body.body.type = BodyType::fixed;
        body.body.velocity = state.velocity;
        body.body.angular_velocity = state.angular_velocity;
        scene.rigid.bodies.push_back(body);
    }
    return scene;
}

} // namespace scree::bench
