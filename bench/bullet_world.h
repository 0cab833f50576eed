// SPDX-License-Identifier: MIT
// bullet_world.h — a world of Bullet with all that it refers to. Only for files that are compiled with SCREE_HAS_BULLET.
#pragma once

#include "scree/rigid_scene.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <utility>
#include <vector>

namespace scree::bench {

inline btVector3 vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }
inline btQuaternion quaternion_of(const Quat& q) { return {q.x, q.y, q.z, q.s}; }
inline Vec3 vector_from(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// the order of the members is the order of creation: the world refers to all that is above it
struct BulletWorld {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

    ~BulletWorld() {
        for (auto& joint : joints) world.removeConstraint(joint.get());
        for (auto& body : bodies) world.removeRigidBody(body.get());
    }
    template <class Shape>
    Shape* keep(std::unique_ptr<Shape> shape) {
        Shape* pointer = shape.get();
        shapes.push_back(std::move(shape));
        return pointer;
    }
    btRigidBody& add_body(const btRigidBody::btRigidBodyConstructionInfo& info, const Vec3& velocity = {},
                          const Vec3& angular_velocity = {}) {
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setLinearVelocity(vector_of(velocity));
        bodies.back()->setAngularVelocity(vector_of(angular_velocity));
        world.addRigidBody(bodies.back().get());
        return *bodies.back();
    }
};

} // namespace scree::bench
