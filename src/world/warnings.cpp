// SPDX-License-Identifier: MIT
// warnings.cpp — see warnings.h.
#include "world/warnings.h"

#include "fabric/fabrics.h"
#include "rigid/cloths.h"
#include "rigid/cpu_simulation.h"
#include "rigid/impacts.h"
#include "rigid/quads.h"
#include "rigid/simulation.h"
#include "scree/cloth_intersections.h"
#include "scree/warning.h"
#include "text/number_text.h"
#include "text/words.h"

#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>

namespace scree {
namespace {

std::mutex handler_mutex;
std::function<void(const std::string&)> warning_handler;

} // namespace

void warn(const std::string& text) {
    std::function<void(const std::string&)> handler;
    {
        const std::lock_guard lock(handler_mutex);
        handler = warning_handler;
    }
    if (handler) handler(text);
    else std::fprintf(stderr, "scree: warning: %s\n", text.c_str());
}

namespace {

constexpr std::uint64_t look_interval = 256; // steps
constexpr double fall_seconds = 10;

/// A fixed plane: its point and normal.
struct Ground {
    DVec3 point, normal;
};

std::vector<Ground> find_grounds(const World::State& world) {
    std::vector<Ground> grounds;
    for (const ShapeRecord& shape : world.shapes.record) {
        if (!shape.alive || shape.type != ShapeType::plane ||
            world.bodies.record[shape.body].type != BodyType::fixed)
            continue;
        const DQuat turn = wide(rotation_of(world.bodies, shape.body));
        grounds.push_back({wide(centre_of(world.bodies, shape.body)) + rotate(turn, wide(shape.offset)),
                           rotate(turn * wide(shape.definition.rotation), {0, 1, 0})});
    }
    return grounds;
}

/// What is odd about the place or speed of a body; empty if nothing is.
std::string lost(const World::State& world, std::uint32_t body, const std::vector<Ground>& grounds) {
    const BodyRecord& record = world.bodies.record[body];
    if (!record.alive || record.type != BodyType::dynamic || record.asleep || record.frozen) return {};
    const DVec3 centre = wide(centre_of(world.bodies, body)),
                velocity = wide(velocity_of(world.bodies, body)), gravity = wide(world.settings.gravity);
    // whatever touches a plane is pushed out of it: only what began there is as deep as this
    for (const Ground& ground : grounds)
        if (const double height = dot(centre - ground.point, ground.normal);
            height < -2 * double{record.radius} - 1)
            return "is " + number_text(-height) + " m below a fixed plane";
    const double pull = length(gravity), scale = double{record.gravity_scale};
    if (!(pull > 0 && scale > 0)) return {};
    const double speed = dot(velocity, gravity) / pull, depth = dot(centre, gravity) / pull;
    if (speed > fall_seconds * pull * scale && depth > 100)
        return "falls at " + number_text(speed) + " m/s, " + number_text(depth) +
               " m below the origin: is there a ground?";
    return {};
}

/// Warns of pressure that moves vertices by as much as their distance within a substep: edges, which each substep solves once, do not
/// hold it, and the cloth flies apart.
void warn_of_pressure(World::State& world, float dt) {
    constexpr double too_far = 0.5, held = 0.25; // of the distance between vertices
    if (world.warned_of_pressure) return;
    const double substep = double{dt} / world.settings.substeps;
    for (std::uint32_t c = 0; c < world.cloths.record.size(); ++c) {
        const ClothRecord& cloth = world.cloths.record[c];
        if (!cloth.alive || cloth.definition->pressure == 0 || cloth.definition->triangles.empty()) continue;
        double mass = 0;
        for (const float each : cloth.mass) mass += double{each};
        const double pressure = std::abs(double{cloth.definition->pressure}),
                     density = double{cloth.definition->material.density};
        const double apart =
            std::sqrt(2 * mass / (density * static_cast<double>(cloth.definition->triangles.size())));
        const double share = pressure / density * substep * substep / apart;
        if (!(share > too_far)) continue;
        world.warned_of_pressure = true;
        return warn("the pressure of cloth " + std::to_string(c) + ", " + number_text(pressure) +
                    " Pa, moves its vertices by " + number_text(share) +
                    " of their distance in a substep, which its edges do not hold: expected at most 0.5 (" +
                    number_text(std::ceil(world.settings.substeps * std::sqrt(share / held))) +
                    " substeps, heavier cloth, or larger triangles)");
    }
}

} // namespace

void set_warning_handler(std::function<void(const std::string&)> handler) {
    const std::lock_guard lock(handler_mutex);
    warning_handler = std::move(handler);
}

void warn_of_mistakes(World::State& world, float dt) {
    if (dt > 1 && !std::exchange(world.warned_of_step, true))
        warn("a step of " + number_text(double{dt}) + " s: dt is in seconds");
    if (world.steps % look_interval == 0) warn_of_pressure(world, dt);
    if (world.warned_of_body || world.steps % look_interval != 0 || world.place.device() != "cpu") return;
    const std::vector<Ground> grounds = find_grounds(world);
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b)
        if (const std::string what = lost(world, b, grounds); !what.empty()) {
            world.warned_of_body = true;
            return warn("body " + std::to_string(b) + " " + what);
        }
}

namespace {

/// Whether the step that ended is one of those after which costly looks are taken; the first one is.
bool looks_after_step(const World::State& world) { return (world.steps - 1) % look_interval == 0; }

void warn_of_overlap(World::State& world) {
    if (world.warned_of_overlap || world.settings.solver != Solver::impact) return;
    auto* simulation = dynamic_cast<CpuSimulation*>(world.simulation.get());
    if (!simulation) return;
    const ImpactOverlap found = simulation->impacts().overlap();
    if (found.pairs == 0) return;
    world.warned_of_overlap = true;
    const std::string more =
        found.pairs > 1 ? " (and " + count_of(found.pairs - 1, "other pair", "other pairs") + ")" : "";
    warn("bodies " + std::to_string(found.a) + " and " + std::to_string(found.b) + " overlap by " +
         number_text(found.depth) + " m" + more + ": Solver::impact parts them at no more than push_speed, " +
         number_text(double{world.settings.push_speed}) + " m/s");
}

/// Once for a world. A GPU is asked now and then.
void warn_of_frozen_cloth(World::State& state, const Fabrics& fabrics) {
    if (state.warned_of_frozen_cloth || state.cloths.count == 0) return;
    if (state.place.device() != "cpu" && !looks_after_step(state)) return;
    if (!fabrics.frozen()) return;
    state.warned_of_frozen_cloth = true;
    state.simulation->fetch_cloths();
    std::string first;
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < state.cloths.record.size(); ++c) {
        const ClothRecord& cloth = state.cloths.record[c];
        if (!cloth.alive) continue;
        std::vector<bool> held(cloth.mass.size());
        for (const std::uint32_t v : held_of(state, cloth)) held[v] = true;
        for (std::size_t v = 0; v < held.size(); ++v) {
            if (held[v] || cloth.position[4 * v + 3] != 0) continue;
            if (count++ == 0) first = "vertex " + std::to_string(v) + " of cloth " + std::to_string(c);
        }
    }
    if (count == 0) return; // they were put elsewhere since
    warn(first + (count > 1 ? " and " + std::to_string(count - 1) + " others" : "") +
         " became non-finite or went beyond 1000 km, and stay where they were: is the cloth too stiff, too "
         "light "
         "or too fast for its step?");
}

void warn_of_cloth(const World& world) {
    World::State& state = WorldInside::of(world);
    const Fabrics* fabrics = state.simulation->fabrics();
    if (fabrics) warn_of_frozen_cloth(state, *fabrics);
    if (!fabrics || state.cloths.count == 0 || fabrics->intersections_found() == 0) {
        state.warned_of_cloth = false;
        return;
    }
    const bool again = state.warned_of_cloth;
    if (again && !looks_after_step(state)) return;
    state.warned_of_cloth = true;
    const std::string edges =
        std::to_string(fabrics->intersections_found()) + " edges through triangles of cloth";
    std::string text = again ? "cloth still has " + edges + ", which have not come apart"
                             : "cloth begins with " + edges + ", which are let come apart";
    const ClothIntersections now = find_cloth_intersections(world, 1);
    if (!now.first.empty()) {
        const ClothIntersection& one = now.first.front();
        text += ": first triangle " + std::to_string(one.triangle) + " of cloth " +
                std::to_string(one.cloth.index) + " with triangle " + std::to_string(one.hit) + " of cloth " +
                std::to_string(one.through.index);
    }
    warn(text);
}

} // namespace

void warn_of_step(const World& world) {
    warn_of_cloth(world);
    warn_of_overlap(WorldInside::of(world));
}

} // namespace scree
