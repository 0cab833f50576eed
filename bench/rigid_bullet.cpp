// SPDX-License-Identifier: MIT
// rigid_bullet.cpp — the scene in Bullet with its default settings.
#include "bullet_boxes.h"
#include "rigid_engine.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <memory>

#ifdef SCREE_HAS_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace scree::bench {

#ifdef SCREE_HAS_BULLET

namespace {

btVector3 vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }
btQuaternion quaternion_of(const Quat& q) { return {q.x, q.y, q.z, q.s}; }
Vec3 vector_from(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// the order of the members is the order of creation: the world refers to all that is above it
struct Built {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

    ~Built() {
        for (auto& joint : joints) world.removeConstraint(joint.get());
        for (auto& body : bodies) world.removeRigidBody(body.get());
    }
    template <class Shape>
    Shape* keep(std::unique_ptr<Shape> shape) {
        Shape* pointer = shape.get();
        shapes.push_back(std::move(shape));
        return pointer;
    }
};

btCollisionShape* shape_of(Built& built, const RigidScene& scene, const RigidPart& part) {
    switch (part.form) {
    case RigidForm::box:
        return built.keep(std::make_unique<btBoxShape>(vector_of(part.size)));
    case RigidForm::sphere:
        return built.keep(std::make_unique<btSphereShape>(part.size.x));
    case RigidForm::capsule:
        return built.keep(std::make_unique<btCapsuleShape>(part.size.x, 2 * part.size.y));
    case RigidForm::hull:
        break;
    }
    auto* hull = built.keep(std::make_unique<btConvexHullShape>());
    for (const Vec3& point : scene.hulls[part.hull]) hull->addPoint(vector_of(point), false);
    hull->recalcLocalAabb();
    return hull;
}

btCollisionShape* shape_of(Built& built, const RigidScene& scene, const RigidBody& body) {
    if (body.parts.size() == 1 && body.parts[0].position == Vec3{} && body.parts[0].rotation == Quat{})
        return shape_of(built, scene, body.parts[0]);
    auto* compound = built.keep(std::make_unique<btCompoundShape>());
    for (const RigidPart& part : body.parts)
        compound->addChildShape(btTransform(quaternion_of(part.rotation), vector_of(part.position)),
                                shape_of(built, scene, part));
    return compound;
}

void add_body(Built& built, const RigidScene& scene, const RigidBody& body, std::span<const Solid> solids,
              bool sleeping) {
    RigidMass mass;
    if (!body.fixed) mass = mass_of(body, solids);
    btRigidBody::btRigidBodyConstructionInfo info(
        static_cast<float>(mass.mass), nullptr, shape_of(built, scene, body),
        btVector3(static_cast<float>(mass.inertia.x), static_cast<float>(mass.inertia.y),
                  static_cast<float>(mass.inertia.z)));
    info.m_startWorldTransform = btTransform(quaternion_of(body.rotation), vector_of(body.position));
    info.m_friction = std::sqrt(scene.friction); // of a pair: the product
    info.m_restitution = 0;
    built.bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& made = *built.bodies.back();
    made.setLinearVelocity(vector_of(body.velocity));
    made.setAngularVelocity(vector_of(body.angular_velocity));
    if (!body.fixed && !sleeping) made.setActivationState(DISABLE_DEACTIVATION);
    built.world.addRigidBody(&made);
}

void add_joint(Built& built, const RigidJoint& joint) {
    btRigidBody &first = *built.bodies[joint.first], &second = *built.bodies[joint.second];
    const btVector3 anchor = vector_of(joint.anchor);
    if (joint.ball) {
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

RigidRun build_bullet(const RigidScene& scene, int, bool sleeping) {
    auto built = std::make_shared<Built>();
    built->world.setGravity(vector_of(scene.gravity));
    const std::vector<Solid> solids = solids_of(scene);
    for (const RigidBody& body : scene.bodies) add_body(*built, scene, body, solids, sleeping);
    for (const RigidJoint& joint : scene.joints) add_joint(*built, joint);

    RigidRun run;
    run.step = [built, dt = scene.dt] { built->world.stepSimulation(dt, 0); };
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
RigidRun build_bullet(const RigidScene&, int, bool) {
    throw Error("this program was built without it", "bullet");
}

#endif

} // namespace scree::bench
