// SPDX-License-Identifier: MIT
// rigid_bullet.cpp — the scene in Bullet with its default settings.
#include "bullet_boxes.h"
#include "rigid_engine.h"
#include "rigid_mass.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <memory>

#ifdef SCREE_HAS_BULLET
#include "bullet_world.h"
#endif

namespace scree::bench {

#ifdef SCREE_HAS_BULLET

namespace {

btCollisionShape* shape_of(BulletWorld& built, const Geometry& geometry) {
    if (const auto* box = std::get_if<Box>(&geometry))
        return built.keep(std::make_unique<btBoxShape>(btVector3(box->x, box->y, box->z)));
    if (const auto* sphere = std::get_if<Sphere>(&geometry))
        return built.keep(std::make_unique<btSphereShape>(sphere->radius));
    if (const auto* capsule = std::get_if<Capsule>(&geometry))
        return built.keep(std::make_unique<btCapsuleShape>(capsule->radius, 2 * capsule->half_height));
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
        return built.keep(std::make_unique<btCylinderShape>(
            btVector3(cylinder->radius, cylinder->half_height, cylinder->radius)));
    if (const auto* cone = std::get_if<Cone>(&geometry))
        return built.keep(std::make_unique<btConeShape>(cone->radius, 2 * cone->half_height));
    auto* hull = built.keep(std::make_unique<btConvexHullShape>());
    for (const Vec3& point : std::get<Hull>(geometry).vertices()) hull->addPoint(vector_of(point), false);
    hull->recalcLocalAabb();
    return hull;
}

btCollisionShape* shape_of(BulletWorld& built, std::span<const RigidShape::Part> parts) {
    const ShapeDef& first = parts.front().definition;
    if (parts.size() == 1 && first.position == Vec3{} && first.rotation == Quat{})
        return shape_of(built, parts.front().geometry);
    auto* compound = built.keep(std::make_unique<btCompoundShape>());
    for (const RigidShape::Part& part : parts)
        compound->addChildShape(
            btTransform(quaternion_of(part.definition.rotation), vector_of(part.definition.position)),
            shape_of(built, part.geometry));
    return compound;
}

void add_body(BulletWorld& built, const BenchScene& scene, const RigidBodyDef& def, const Solids& solids,
              bool sleeping) {
    const BodyDef& body = def.body;
    RigidMass mass;
    if (!is_fixed(def)) mass = mass_of(scene, def, solids);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<float>(mass.mass), nullptr,
                                                  shape_of(built, scene.parts(def)),
                                                  vector_of(narrow(mass.inertia)));
    info.m_startWorldTransform = btTransform(quaternion_of(body.rotation), vector_of(narrow(body.position)));
    info.m_friction = std::sqrt(scene.friction()); // of a pair: the product
    info.m_restitution = 0;
    btRigidBody& made = built.add_body(info, body.velocity, body.angular_velocity);
    if (!is_fixed(def) && !sleeping) made.setActivationState(DISABLE_DEACTIVATION);
}

void add_joint(BulletWorld& built, const RigidJointDef& joint) {
    btRigidBody &first = *built.bodies[joint.first], &second = *built.bodies[*joint.second];
    const btVector3 anchor = vector_of(joint.anchor);
    if (joint.type == JointType::ball) {
        built.joints.push_back(std::make_unique<btPoint2PointConstraint>(
            first, second, first.getWorldTransform().inverse() * anchor,
            second.getWorldTransform().inverse() * anchor));
    } else {
        const btTransform frame(btQuaternion::getIdentity(), anchor);
        built.joints.push_back(
            std::make_unique<btFixedConstraint>(first, second, first.getWorldTransform().inverse() * frame,
                                                second.getWorldTransform().inverse() * frame));
    }
    built.world.addConstraint(built.joints.back().get(), true);
}

} // namespace

std::optional<std::string> rigid_bullet_missing(int threads) {
    if (threads > 1) return "bullet is left out on several threads: Debian's build has none";
    return std::nullopt;
}

RigidRun build_bullet(const BenchScene& scene, int, bool sleeping) {
    auto built = std::make_shared<BulletWorld>();
    built->world.setGravity(vector_of(scene.rigid.settings.gravity));
    const Solids solids(scene);
    for (const RigidBodyDef& body : scene.rigid.bodies) add_body(*built, scene, body, solids, sleeping);
    for (const RigidJointDef& joint : scene.rigid.joints) add_joint(*built, joint);

    RigidRun run;
    run.step = [built, dt = scene.rigid.time_step] { built->world.stepSimulation(dt, 0); };
    run.poses = [built] {
        std::vector<RigidPose> poses;
        for (const auto& body : built->bodies) {
            const btTransform& at = body->getWorldTransform();
            const btQuaternion q = at.getRotation();
            poses.push_back({vector_from(at.getOrigin()),
                             {.x = q.x(), .y = q.y(), .z = q.z(), .s = q.w()},
                             vector_from(body->getLinearVelocity()),
                             vector_from(body->getAngularVelocity())});
        }
        return poses;
    };
    run.asleep = [built] {
        return std::all_of(built->bodies.begin(), built->bodies.end(),
                           [](const auto& body) { return body->isStaticObject() || !body->isActive(); });
    };
    return run;
}

#else

std::optional<std::string> rigid_bullet_missing(int) { return bullet_missing(); }
RigidRun build_bullet(const BenchScene&, int, bool) {
    throw Error("this program was built without it", "bullet");
}

#endif

} // namespace scree::bench
