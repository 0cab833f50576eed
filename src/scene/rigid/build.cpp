// SPDX-License-Identifier: MIT
// build.cpp — from a rigid scene to its world, and on through its steps.
#include "scene/rigid/parts.h"
#include "scree/error.h"
#include "scree/rigid_scene.h"

#include <algorithm>
#include <new>

namespace scree {

BodyId add_scene_body(World& world, const RigidScene& scene, const RigidBodyDef& def) {
    const std::vector<RigidShape::Part>& parts = scene.shapes[def.shape].parts;
    BodyDef named = def.body;
    named.name = def.name;
    BodyId body = world.create_body(named);
    // a mass spreads as the densities do, and evenly where there are none
    bool weightless = std::all_of(parts.begin(), parts.end(), [&](const RigidShape::Part& part) {
        return def.density.value_or(part.definition.density) == 0;
    });
    for (const RigidShape::Part& part : parts) {
        ShapeDef shape = part.definition;
        if (def.density) shape.density = *def.density;
        if (def.mass && weightless) shape.density = 1;
        if (def.material) shape.material = *def.material;
        world.attach(body, part.geometry, shape);
    }
    if (def.mass) {
        MassProperties mass = world.mass(body);
        float scale = *def.mass / mass.mass;
        mass.mass = *def.mass;
        for (Vec3* moments : {&mass.inertia, &mass.products})
            *moments = {moments->x * scale, moments->y * scale, moments->z * scale};
        world.set_mass(body, mass);
    }
    return body;
}

JointId add_scene_joint(World& world, const RigidJointDef& def, std::span<const BodyId> bodies) {
    JointDef joint = def.motion ? *def.motion : JointDef{};
    joint.type = def.type;
    joint.first = bodies[def.first];
    if (def.second) joint.second = bodies[*def.second];
    joint.anchor = def.anchor;
    joint.axis = def.axis;
    joint.collide = def.collide;
    return world.create_joint(joint);
}

namespace {

/// The forces that act in the world's next step.
void apply_forces(const RigidScene& scene, World& world) {
    // the step's own number, so that the last bit of a sum of times decides nothing
    const double now = static_cast<double>(world.steps_done()) * static_cast<double>(scene.time_step);
    std::vector<BodyId> bodies;
    for (const TimedForce& force : scene.forces) {
        if (now < force.from || now >= force.until) continue;
        if (bodies.empty()) bodies = world.bodies();
        world.apply_force(bodies[force.body], force.force);
        world.apply_torque(bodies[force.body], force.torque);
    }
}

/// Whether the next step is the first that starts at this time or later.
bool is_due(double at, const RigidScene& scene, const World& world) {
    const auto time = [&](std::uint64_t steps) {
        return static_cast<double>(steps) * double{scene.time_step};
    };
    const std::uint64_t done = world.steps_done();
    return at <= time(done) && (done == 0 || at > time(done - 1));
}

void follow_script(const RigidScene& scene, World& world) {
    for (const TimedExplosion& each : scene.explosions)
        if (is_due(each.at, scene, world)) world.explode(each.explosion);
    for (const TimedAction& each : scene.script)
        if (is_due(each.at, scene, world)) carry_out(scene.actions[each.action], world);
}

} // namespace

World build_rigid_world(const RigidScene& scene, const Place& place, const std::string& where) {
    // the reader did not see this error: add the path of the entry
    std::string list = "world";
    std::size_t index = 0;
    try {
        World world(scene.settings, place.expecting(scene.bodies.size()));
        std::vector<BodyId> bodies;
        bodies.reserve(scene.bodies.size());
        list = "bodies";
        for (index = 0; index < scene.bodies.size(); ++index)
            bodies.push_back(add_scene_body(world, scene, scene.bodies[index]));
        list = "joints";
        for (index = 0; index < scene.joints.size(); ++index)
            add_scene_joint(world, scene.joints[index], bodies);
        list = "cloths";
        for (index = 0; index < scene.cloths.size(); ++index)
            add_scene_cloth(world, scene.cloths[index], bodies);
        list = "fields";
        for (index = 0; index < scene.fields.size(); ++index) world.add_field(scene.fields[index]);
        return world;
    } catch (const Error& error) {
        const std::string entry = list == "world" ? list : list + "[" + std::to_string(index) + "]";
        throw Error(error.what(), where + ": " + entry);
    } catch (const std::bad_alloc&) {
        throw Error("there is not enough memory for " + std::to_string(scene.bodies.size()) + " bodies",
                    where);
    }
}

World build_rigid_world(const Scene& scene, const Place& place) {
    return build_rigid_world(rigid_scene(scene), place, scene.file);
}

void step_scene(const RigidScene& scene, World& world, SceneState& state, int steps) {
    for (int i = 0; i < steps; ++i) {
        if (scene.level_reach > 0 || !state.level.resting.empty()) rest_far(scene, world, state);
        move_level(scene, world, state);
        follow_motions(scene, world);
        follow_characters(scene, world);
        if (state.player) {
            // refused while there is no room to stand up
            state.player->set_height(world, state.crouches ? 1.0f : state.player->definition().height);
            state.player->move(world, state.wish, scene.time_step);
        }
        if (!scene.forces.empty()) apply_forces(scene, world);
        follow_script(scene, world);
        world.step(scene.time_step);
        sense_level(scene, world, state);
    }
}

void step_scene(const RigidScene& scene, World& world, int steps) {
    if (!scene.movers.empty() || !scene.triggers.empty())
        throw Error("the scene has doors, platforms or triggers: expected a SceneState", "step_scene");
    SceneState none;
    step_scene(scene, world, none, steps);
}

void step_scene(const Scene& scene, World& world, int steps) { step_scene(rigid_scene(scene), world, steps); }

} // namespace scree
