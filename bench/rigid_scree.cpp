// SPDX-License-Identifier: MIT
// rigid_scree.cpp — the scene in a World with default settings.
#include "rigid_engine.h"
#include "scree/version.h"
#include "scree/world.h"

#include <algorithm>
#include <memory>

namespace scree::bench {

namespace {

struct Built {
    World world;
    std::vector<BodyId> bodies;
};

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

RigidRun build(const RigidScene& scene, const WorldSettings& settings) {
    auto built = std::make_shared<Built>(Built{World(settings), {}});
    World& world = built->world;
    std::vector<Hull> hulls;
    for (const std::vector<Vec3>& points : scene.hulls) hulls.push_back(Hull::from_points(points));
    for (const RigidBody& body : scene.bodies) {
        BodyDef def;
        def.type = body.fixed ? BodyType::fixed : BodyType::dynamic;
        def.position = body.position;
        def.rotation = body.rotation;
        def.velocity = body.velocity;
        def.angular_velocity = body.angular_velocity;
        built->bodies.push_back(world.create_body(def));
        for (const RigidPart& part : body.parts) {
            ShapeDef shape;
            shape.position = part.position;
            shape.rotation = part.rotation;
            shape.density = body.density;
            shape.material.friction = scene.friction;
            world.attach(built->bodies.back(), geometry_of(part, hulls), shape);
        }
    }
    for (const RigidJoint& joint : scene.joints) {
        JointDef def;
        def.type = joint.ball ? JointType::ball : JointType::fixed;
        def.first = built->bodies[joint.first];
        def.second = built->bodies[joint.second];
        def.anchor = joint.anchor;
        world.create_joint(def);
    }

    RigidRun run;
    run.step = [built, dt = scene.dt] { built->world.step(dt); };
    run.poses = [built] {
        std::vector<RigidPose> poses;
        for (BodyId body : built->bodies) {
            const BodyState state = built->world.state(body);
            poses.push_back({state.position, state.rotation, state.velocity, state.angular_velocity});
        }
        return poses;
    };
    run.asleep = [built] {
        const World& now = built->world;
        return std::all_of(built->bodies.begin(), built->bodies.end(), [&](BodyId body) {
            return now.type(body) == BodyType::fixed || now.state(body).asleep;
        });
    };
    run.stages = [built] {
        std::vector<std::pair<std::string, double>> stages;
        const auto seconds = built->world.stage_seconds();
        for (std::size_t i = 0; i < seconds.size(); ++i)
            stages.emplace_back(world_stage_names[i], seconds[i]);
        built->world.time_stages(true);
        return stages;
    };
    return run;
}

WorldSettings contract_settings(const RigidScene& scene, int threads, bool sleeping) {
    WorldSettings settings;
    settings.gravity = scene.gravity;
    settings.threads = threads;
    settings.sleeping = sleeping;
    return settings;
}

} // namespace

std::string scree_version() { return SCREE_VERSION; }

RigidRun build_scree(const RigidScene& scene, int threads, bool sleeping) {
    return build(scene, contract_settings(scene, threads, sleeping));
}

RigidRun build_scree_cuda(const RigidScene& scene, int threads, bool sleeping) {
    WorldSettings settings = contract_settings(scene, threads, sleeping);
    settings.device = "cuda";
    return build(scene, settings);
}

std::optional<std::string> scree_cuda_missing(int threads) {
    if (threads != 1) return "scree-cuda runs once, as 1 thread";
    std::string reason = "no GPU";
    for (const DeviceReport& report : list_devices()) {
        if (!report.name.starts_with("cuda")) continue;
        if (report.available) return std::nullopt;
        reason = report.reason;
    }
    return "scree-cuda is left out: " + reason;
}

RigidRun build_scree_sor(const RigidScene& scene, int threads, bool sleeping) {
    WorldSettings settings = contract_settings(scene, threads, sleeping);
    settings.solver = Solver::sor;
    return build(scene, settings);
}

} // namespace scree::bench
