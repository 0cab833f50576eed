// SPDX-License-Identifier: MIT
// fabric_bullet.cpp — the scenes of fabric_bench.h in Bullet's btSoftBody.
#include "fabric_bench.h"
#include "scree/error.h"
#include "stopwatch.h"

#include <set>

#ifdef SCREE_HAS_BULLET
#include "bullet_world.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#endif

namespace scree::bench {

#ifdef SCREE_HAS_BULLET

FabricResult run_bullet(const FabricScene& scene, int iterations, int steps) {
    const ClothDef cloth = scene.cloth();
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    const btVector3 gravity(0, -9.81f, 0);
    world.setGravity(gravity);
    btSoftBodyWorldInfo& info = world.getWorldInfo();
    info.m_gravity = gravity;
    info.m_sparsesdf.Initialize();

    btSphereShape ball(scene.radius);
    btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &ball));
    if (scene.sphere) world.addRigidBody(&body);

    std::vector<btVector3> places;
    for (const Vec3& v : cloth.vertices) places.push_back(vector_of(v + cloth.position));
    std::vector<btScalar> masses(places.size());
    std::set<std::array<std::uint32_t, 2>> edges;
    for (const auto& corners : cloth.triangles) {
        const Vec3 a = cloth.vertices[corners[0]], b = cloth.vertices[corners[1]],
                   c = cloth.vertices[corners[2]];
        for (std::size_t k = 0; k < 3; ++k) {
            masses[corners[k]] += cloth.material.density * length(cross(b - a, c - a)) / 6;
            const std::uint32_t from = corners[k], to = corners[(k + 1) % 3];
            edges.insert({std::min(from, to), std::max(from, to)});
        }
    }
    btSoftBody soft(&info, static_cast<int>(places.size()), places.data(), masses.data());
    for (const auto& [a, b] : edges) soft.appendLink(static_cast<int>(a), static_cast<int>(b));
    for (const auto& corners : cloth.triangles)
        soft.appendFace(static_cast<int>(corners[0]), static_cast<int>(corners[1]),
                        static_cast<int>(corners[2]));
    for (const ClothPin& pin : cloth.pins) soft.setMass(static_cast<int>(pin.vertex), 0);
    soft.m_materials[0]->m_kLST = 1;
    soft.m_cfg.piterations = iterations;
    soft.m_cfg.kDF = cloth.material.friction;
    soft.m_cfg.kDP = cloth.material.damping * fabric_step;
    soft.m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
    soft.getCollisionShape()->setMargin(cloth.material.thickness);
    world.addSoftBody(&soft);

    FabricResult result{"bullet", std::to_string(iterations) + " iterations", {}, {}, {}, {}, {}};
    for (int k = 0; k < steps; ++k) {
        const Stopwatch clock;
        world.stepSimulation(fabric_step, 0);
        result.step_ms.push_back(clock.ms());
    }
    for (int k = 0; k < soft.m_nodes.size(); ++k) {
        result.vertices.push_back(vector_from(soft.m_nodes[k].m_x));
        result.velocities.push_back(vector_from(soft.m_nodes[k].m_v));
    }
    world.removeSoftBody(&soft);
    if (scene.sphere) world.removeRigidBody(&body);
    return result;
}

#else

FabricResult run_bullet(const FabricScene&, int, int) {
    throw Error("this build has no Bullet (SCREE_BULLET)", "--engine");
}

#endif

} // namespace scree::bench
