// SPDX-License-Identifier: MIT
// rigid_world.cpp — see rigid_world.h.
#include "rigid_world.h"

namespace scree::bench {

namespace {

Geometry geometry_of(const RigidPart& part, const std::vector<Hull>& hulls) {
    switch (part.form) {
    case RigidForm::box:
        return Box{part.size.x, part.size.y, part.size.z};
    case RigidForm::sphere:
        return Sphere{part.size.x};
    case RigidForm::capsule:
        return Capsule{part.size.y, part.size.x};
    case RigidForm::hull:
        break;
    }
    return hulls[part.hull];
}

} // namespace

RigidWorld make_world(const RigidScene& scene, WorldSettings settings, const Place& place) {
    settings.gravity = scene.gravity;
    RigidWorld built{World(settings, place), {}};
    World& world = built.world;
    std::vector<Hull> hulls;
    for (const std::vector<Vec3>& points : scene.hulls) hulls.push_back(Hull::from_points(points));
    for (const RigidBody& body : scene.bodies) {
        BodyDef def;
        def.type = body.fixed ? BodyType::fixed : BodyType::dynamic;
        def.position = body.position;
        def.rotation = body.rotation;
        def.velocity = body.velocity;
        def.angular_velocity = body.angular_velocity;
        built.bodies.push_back(world.create_body(def));
        for (const RigidPart& part : body.parts) {
            ShapeDef shape;
            shape.position = part.position;
            shape.rotation = part.rotation;
            shape.density = body.density;
            shape.material.friction = scene.friction;
            world.attach(built.bodies.back(), geometry_of(part, hulls), shape);
        }
    }
    for (const RigidJoint& joint : scene.joints) {
        JointDef def;
        def.type = joint.ball ? JointType::ball : JointType::fixed;
        def.first = built.bodies[joint.first];
        def.second = built.bodies[joint.second];
        def.anchor = joint.anchor;
        world.create_joint(def);
    }
    return built;
}

} // namespace scree::bench
