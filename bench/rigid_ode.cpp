// SPDX-License-Identifier: MIT
// rigid_ode.cpp — the scene in the Open Dynamics Engine: QuickStep with its default of 20 iterations.
#include "rigid_engine.h"
#include "rigid_mass.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>

#ifdef SCREE_HAS_ODE
#include <ode/ode.h>
#include <ode/version.h>
#endif

namespace scree::bench {

#ifdef SCREE_HAS_ODE

namespace {

constexpr int most_contacts = 8; // of a pair; two boxes have no more

/// what dCreateConvex points into
struct ConvexArrays {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

/// the library's own initialisation, for as long as the program runs
void initialise() {
    static const int done = dInitODE2(0);
    if (done == 0) throw Error("the library could not be initialised", "ode");
    dAllocateODEDataForThread(dAllocateMaskAll);
}

struct Built {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0);
    dThreadingImplementationID threading = nullptr;
    dThreadingThreadPoolID pool = nullptr;
    std::deque<ConvexArrays> convexes;
    std::vector<dBodyID> bodies; ///< null for fixed ones
    std::vector<RigidPose> fixed_poses;
    dReal friction = 0, dt = 0;

    Built() = default;
    Built(Built&&) = delete; // nor copied
    ~Built() {
        if (threading != nullptr) {
            dThreadingImplementationShutdownProcessing(threading);
            dThreadingFreeThreadPool(pool);
            dWorldSetStepThreadingImplementation(world, nullptr, nullptr);
            dThreadingFreeImplementation(threading);
        }
        dJointGroupDestroy(contacts);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }
};

void collide(void* context, dGeomID first, dGeomID second) {
    Built& built = *static_cast<Built*>(context);
    const dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
    if (a == b) return; // two fixed ones too
    if (a != nullptr && b != nullptr && dAreConnectedExcluding(a, b, dJointTypeContact)) return;
    dContact contacts[most_contacts] = {};
    const int count = dCollide(first, second, most_contacts, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        // a friction cone as a pyramid; without the flag mu would be a force
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = built.friction;
        dJointAttach(dJointCreateContact(built.world, built.contacts, &contacts[i]), a, b);
    }
}

dGeomID hull_geometry(Built& built, const Solid& solid) {
    ConvexArrays& arrays = built.convexes.emplace_back();
    for (const DVec3& p : solid.vertices) arrays.points.insert(arrays.points.end(), {p.x, p.y, p.z});
    for (const Solid::Face& face : solid.faces) {
        arrays.planes.insert(arrays.planes.end(), {face.normal.x, face.normal.y, face.normal.z, face.offset});
        arrays.polygons.push_back(static_cast<unsigned>(face.corners.size()));
        for (std::size_t corner : face.corners) arrays.polygons.push_back(static_cast<unsigned>(corner));
    }
    return dCreateConvex(built.space, arrays.planes.data(), static_cast<unsigned>(solid.faces.size()),
                         arrays.points.data(), static_cast<unsigned>(solid.vertices.size()),
                         arrays.polygons.data());
}

dGeomID geometry_of(Built& built, const Geometry& geometry, const Solids& solids) {
    if (const auto* box = std::get_if<Box>(&geometry))
        return dCreateBox(built.space, 2 * box->x, 2 * box->y, 2 * box->z);
    if (const auto* sphere = std::get_if<Sphere>(&geometry))
        return dCreateSphere(built.space, sphere->radius);
    if (const auto* capsule = std::get_if<Capsule>(&geometry))
        return dCreateCapsule(built.space, capsule->radius, 2 * capsule->half_height);
    if (const auto* hull = std::get_if<Hull>(&geometry)) return hull_geometry(built, solids[*hull]);
    throw Error("the scene has cylinders or cones: expected spheres, capsules, boxes and hulls", "ode");
}

void add_body(Built& built, const BenchScene& scene, const RigidBodyDef& def, const Solids& solids) {
    const BodyDef& body = def.body;
    dBodyID made = nullptr;
    if (!is_fixed(def)) {
        made = dBodyCreate(built.world);
        const RigidMass mass = mass_of(scene, def, solids);
        dMass dynamics;
        dMassSetParameters(&dynamics, mass.mass, 0, 0, 0, mass.inertia.x, mass.inertia.y, mass.inertia.z, 0,
                           0, 0);
        dBodySetMass(made, &dynamics);
        dBodySetPosition(made, body.position.x, body.position.y, body.position.z);
        const dQuaternion q = {body.rotation.s, body.rotation.x, body.rotation.y, body.rotation.z};
        dBodySetQuaternion(made, q);
        dBodySetLinearVel(made, body.velocity.x, body.velocity.y, body.velocity.z);
        dBodySetAngularVel(made, body.angular_velocity.x, body.angular_velocity.y, body.angular_velocity.z);
    }
    built.bodies.push_back(made);
    built.fixed_poses.push_back({body.position, body.rotation, {}, {}});
    for (const RigidShape::Part& part : scene.parts(def)) {
        const dGeomID geometry = geometry_of(built, part.geometry, solids);
        DQuat turn = wide(part.definition.rotation);
        // a capsule lies along z here
        if (std::holds_alternative<Capsule>(part.geometry))
            turn = turn * DQuat{.x = -std::sqrt(0.5), .s = std::sqrt(0.5)};
        DVec3 at = wide(part.definition.position);
        if (made == nullptr) {
            at = body.position + rotate(wide(body.rotation), at);
            turn = wide(body.rotation) * turn;
        }
        const dQuaternion q = {turn.s, turn.x, turn.y, turn.z};
        if (made == nullptr) {
            dGeomSetPosition(geometry, at.x, at.y, at.z);
            dGeomSetQuaternion(geometry, q);
            continue;
        }
        dGeomSetBody(geometry, made);
        if (length(at) > 0) dGeomSetOffsetPosition(geometry, at.x, at.y, at.z);
        if (length(DVec3{turn.x, turn.y, turn.z}) > 0) dGeomSetOffsetQuaternion(geometry, q);
    }
}

void add_joint(Built& built, const RigidJointDef& joint) {
    const dBodyID first = built.bodies[joint.first], second = built.bodies[*joint.second];
    if (joint.type == JointType::ball) {
        const dJointID ball = dJointCreateBall(built.world, nullptr);
        dJointAttach(ball, first, second);
        dJointSetBallAnchor(ball, joint.anchor.x, joint.anchor.y, joint.anchor.z);
    } else {
        const dJointID fixed = dJointCreateFixed(built.world, nullptr);
        dJointAttach(fixed, first, second);
        dJointSetFixed(fixed);
    }
}

Vec3 vector_from(const dReal* v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

} // namespace

std::optional<std::string> ode_missing(int) { return std::nullopt; }
std::string ode_version() { return dODE_VERSION; }

RigidRun build_ode(const BenchScene& scene, int threads, bool sleeping) {
    initialise();
    dRandSetSeed(0); // it shuffles constraints: alike in every run
    auto built = std::make_shared<Built>();
    built->friction = scene.friction();
    built->dt = scene.rigid.time_step;
    const Vec3 gravity = scene.rigid.settings.gravity;
    dWorldSetGravity(built->world, gravity.x, gravity.y, gravity.z);
    dWorldSetAutoDisableFlag(built->world, sleeping); // bodies made later take it over
    if (threads > 1) {
        built->threading = dThreadingAllocateMultiThreadedImplementation();
        if (built->threading == nullptr) throw Error("it was built without threads", "ode");
        built->pool =
            dThreadingAllocateThreadPool(static_cast<unsigned>(threads), 0, dAllocateFlagBasicData, nullptr);
        dThreadingThreadPoolServeMultiThreadedImplementation(built->pool, built->threading);
        dWorldSetStepThreadingImplementation(
            built->world, dThreadingImplementationGetFunctions(built->threading), built->threading);
    }
    const Solids solids(scene);
    for (const RigidBodyDef& body : scene.rigid.bodies) add_body(*built, scene, body, solids);
    for (const RigidJointDef& joint : scene.rigid.joints) add_joint(*built, joint);

    RigidRun run;
    run.step = [built] {
        dSpaceCollide(built->space, built.get(), collide);
        dWorldQuickStep(built->world, built->dt);
        dJointGroupEmpty(built->contacts);
    };
    run.poses = [built] {
        std::vector<RigidPose> poses = built->fixed_poses;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const dBodyID body = built->bodies[i];
            if (body == nullptr) continue;
            const dReal* q = dBodyGetQuaternion(body);
            poses[i] = {vector_from(dBodyGetPosition(body)),
                        narrow(DQuat{.x = q[1], .y = q[2], .z = q[3], .s = q[0]}),
                        vector_from(dBodyGetLinearVel(body)), vector_from(dBodyGetAngularVel(body))};
        }
        return poses;
    };
    run.asleep = [built] {
        return std::all_of(built->bodies.begin(), built->bodies.end(),
                           [](dBodyID body) { return body == nullptr || dBodyIsEnabled(body) == 0; });
    };
    return run;
}

#else

std::optional<std::string> ode_missing(int) {
    return "ode is left out: this program was built without it (Debian: libode-dev)";
}
std::string ode_version() { return ""; }
RigidRun build_ode(const BenchScene&, int, bool) { throw Error("this program was built without it", "ode"); }

#endif

} // namespace scree::bench
