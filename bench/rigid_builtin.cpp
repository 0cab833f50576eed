// SPDX-License-Identifier: MIT
// rigid_builtin.cpp — scenes of the program for every engine: contract rigid-builtin-1 of docs/manual/bench-rigid.md.
//
// Taken are bodies, densities, velocities and the one friction that all shapes have. Joints, forces and resistance to
// rolling are not: none of the scenes named here needs them but for the balls, which all roll freely.
#include "rigid_piles.h"
#include "scene/rotation.h"
#include "scree/error.h"
#include "scree/scene.h"

#include <algorithm>
#include <cmath>

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

/// the number of the hull with these corners in the body's frame, which are measured from its centre of mass
std::uint32_t hull_number(RigidScene& scene, std::span<const Vec3> corners, const ShapeDef& shape,
                          const Vec3& centre) {
    std::vector<Vec3> hull;
    for (const Vec3& corner : corners)
        hull.push_back(
            narrow(wide(shape.position) + rotate(wide(shape.rotation), wide(corner)) - wide(centre)));
    const auto known = std::find(scene.hulls.begin(), scene.hulls.end(), hull);
    const auto number = static_cast<std::uint32_t>(known - scene.hulls.begin());
    if (known == scene.hulls.end()) scene.hulls.push_back(std::move(hull));
    return number;
}

RigidPart part_of(RigidScene& scene, const Geometry& geometry, const ShapeDef& shape, const Vec3& centre) {
    const Vec3 position = narrow(wide(shape.position) - wide(centre));
    if (const auto* box = std::get_if<Box>(&geometry))
        return {RigidForm::box, {box->x, box->y, box->z}, 0, position, shape.rotation};
    if (const auto* sphere = std::get_if<Sphere>(&geometry))
        return {RigidForm::sphere, {sphere->radius, 0, 0}, 0, position, shape.rotation};
    if (const auto* hull = std::get_if<Hull>(&geometry))
        return {RigidForm::hull, {}, hull_number(scene, hull->vertices(), shape, centre), {}, {}};
    if (const auto* cone = std::get_if<Cone>(&geometry))
        return {RigidForm::hull, {}, hull_number(scene, corners_of(*cone), shape, centre), {}, {}};
    if (!std::holds_alternative<Plane>(geometry)) throw Error("a shape has no counterpart", scene.name);
    // nothing that moves comes to the end of it within the scene's steps
    return {RigidForm::box,
            {100, 1, 100},
            0,
            narrow(wide(position) - rotate(wide(shape.rotation), {0, 1, 0})),
            shape.rotation};
}

} // namespace

RigidScene builtin_scene(const std::string& name) {
    const Scene source = find_scene(name);
    const World world = build_rigid_world(source, {{.threads = 1}}); // knows every mass
    RigidScene scene;
    scene.name = name;
    scene.contract = "rigid-builtin-1";
    scene.dt = source.rigid->time_step;
    scene.steps = source.steps;
    scene.gravity = world.settings().gravity;
    scene.stands = std::any_of(source.expect.begin(), source.expect.end(),
                               [](const Expectation& e) { return e.quantity == "moved" && e.least <= 0; });
    for (const BodyId id : world.bodies()) {
        const BodyState state = world.state(id);
        RigidBody body;
        body.fixed = world.type(id) == BodyType::fixed;
        body.position = state.centre;
        body.rotation = state.rotation;
        body.velocity = state.velocity;
        body.angular_velocity = state.angular_velocity;
        for (const ShapeId part : world.shapes(id)) {
            const ShapeDef shape = world.definition(part);
            body.density = shape.density;
            scene.friction = shape.material.friction;
            body.parts.push_back(part_of(scene, world.geometry(part), shape, world.mass(id).centre));
        }
        scene.bodies.push_back(std::move(body));
    }
    return scene;
}

} // namespace scree::bench
