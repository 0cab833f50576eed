// SPDX-License-Identifier: MIT
// cloth_trials.cpp — see cloth_trials.h.
#include "cloth_trials.h"

#include "cloth_gap.h"
#include "fabric/fabrics.h"
#include "rigid/simulation.h"
#include "scene/rigid/tube.h"
#include "scree/error.h"
#include "scree/mesh_file.h"
#include "world/cloth_triangles.h"
#include "world/state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

namespace scree::bench {
namespace {

constexpr float dt = 1.0f / 60;
constexpr float pi = std::numbers::pi_v<float>;

std::uint32_t lines(double at_one, double detail) {
    return static_cast<std::uint32_t>(std::max(3.0, std::round(at_one * detail)));
}

Quat turned(Vec3 axis, float angle) {
    const float s = std::sin(0.5f * angle);
    return {.x = axis.x * s, .y = axis.y * s, .z = axis.z * s, .s = std::cos(0.5f * angle)};
}

World make_world(const Place& place) { return World({.sleeping = false}, place); }

void add_ground(World& world) { world.attach(world.create_body({.type = BodyType::fixed}), Plane{}); }

BodyId add_moving(World& world, DVec3 position, const Geometry& shape, Quat rotation = {}) {
    const BodyId body =
        world.create_body({.type = BodyType::kinematic, .position = position, .rotation = rotation});
    world.attach(body, shape);
    return body;
}

} // namespace

ClothTrial fifty_layers(const Place& place, double detail, int layers) {
    ClothTrial trial{.world = make_world(place), .cloths = {}, .drive = {}};
    World& world = trial.world;
    add_ground(world);
    const BodyId block = world.create_body({.type = BodyType::fixed, .position = {0, 0.1, 0}});
    world.attach(block, Box{0.12f, 0.1f, 0.12f});
    for (int k = 0; k < layers; ++k) {
        const auto layer = static_cast<float>(k);
        ClothDef sheet = make_cloth(0.5f, 0.5f, lines(20, detail), lines(20, detail));
        sheet.position = {0, 0.22f + 0.012f * layer, 0};
        sheet.rotation = turned({0, 1, 0}, 0.37f * layer);
        sheet.material.thickness = 0.005f;
        sheet.self_collision = true;
        trial.cloths.push_back(world.create_cloth(sheet));
    }
    return trial;
}

ClothTrial twisted_towel(const Place& place, double detail, double turns, double seconds) {
    ClothTrial trial{.world = make_world(place), .cloths = {}, .drive = {}};
    World& world = trial.world;
    const float width = 0.3f, length = 1.2f;
    const std::uint32_t columns = lines(72, detail), rows = lines(18, detail);
    ClothDef towel = make_cloth(length, width, columns, rows);
    towel.position = {0, 1, 0};
    towel.material.thickness = 0.004f;
    towel.self_collision = true;
    const BodyId left = add_moving(world, {-0.5 * length, 1, 0}, Box{0.005f, 0.005f, 0.15f}),
                 right = add_moving(world, {0.5 * length, 1, 0}, Box{0.005f, 0.005f, 0.15f});
    for (std::uint32_t row = 0; row < rows; ++row) {
        towel.pins.push_back({.vertex = columns * row, .body = left, .point = {}});
        towel.pins.push_back({.vertex = columns * row + columns - 1, .body = right, .point = {}});
    }
    towel.filter.mask = 0; // the bars hold it and are not in its way
    trial.cloths.push_back(world.create_cloth(towel));
    trial.drive = [=](World& w, double time, float step) {
        // as far as it is twisted the towel becomes shorter
        const double share = std::clamp(time / (0.75 * seconds), 0.0, 1.0);
        const auto angle = static_cast<float>(pi * turns * share);
        const double half = 0.5 * length * (1 - 0.55 * share * std::min(1.0, turns / 10));
        w.set_target(left, {-half, 1, 0}, turned({1, 0, 0}, angle), step);
        w.set_target(right, {half, 1, 0}, turned({1, 0, 0}, -angle), step);
    };
    return trial;
}

ClothTrial skirt_on_figure(const Place& place, double detail, const std::string& mesh_file) {
    ClothTrial trial{.world = make_world(place), .cloths = {}, .drive = {}};
    World& world = trial.world;
    add_ground(world);
    ClothDef skirt = make_tube(0.16f, 0.42f, 0.55f, lines(80, detail), lines(28, detail));
    if (!mesh_file.empty()) {
        skirt = make_cloth(read_mesh(mesh_file));
        float narrow = INFINITY;
        for (const Vec3& v : skirt.vertices) narrow = std::min(narrow, std::hypot(v.x, v.z));
        for (Vec3& v : skirt.vertices) v = v * (0.16f / narrow);
    }
    const float hip = 1.0f;
    const BodyId pelvis = add_moving(world, {0, hip, 0}, Capsule{.half_height = 0.06f, .radius = 0.1f},
                                     turned({0, 0, 1}, 0.5f * pi));
    const float leg = 0.3f;
    const BodyId legs[2] = {
        add_moving(world, {0.09, hip - leg, 0}, Capsule{.half_height = leg, .radius = 0.07f}),
        add_moving(world, {-0.09, hip - leg, 0}, Capsule{.half_height = leg, .radius = 0.07f})};
    float narrowest = INFINITY;
    for (const Vec3& v : skirt.vertices) narrowest = std::min(narrowest, std::hypot(v.x, v.z));
    for (std::uint32_t v = 0; v < skirt.vertices.size(); ++v)
        if (std::hypot(skirt.vertices[v].x, skirt.vertices[v].z) < 1.02f * narrowest)
            skirt.pins.push_back({.vertex = v, .body = pelvis, .point = {}});
    skirt.position = {0, hip + 0.02f, 0};
    skirt.material.thickness = 0.004f;
    skirt.self_collision = true;
    trial.cloths.push_back(world.create_cloth(skirt));
    trial.drive = [pelvis, first = legs[0], second = legs[1], hip, leg](World& w, double time, float step) {
        // walks on the spot of a circle, turns faster and faster to and fro, and swings its legs
        const auto t = static_cast<float>(time);
        const float ramp = std::min(1.0f, t / 2);
        const Vec3 at{0.5f * ramp * std::sin(0.8f * t), hip + 0.03f * ramp * std::sin(6 * t),
                      0.3f * ramp * std::sin(1.1f * t)};
        const Quat facing = turned({0, 1, 0}, 2.5f * ramp * std::sin(1.3f * t));
        w.set_target(pelvis, wide(at), facing * turned({0, 0, 1}, 0.5f * pi), step);
        for (const float side : {1.0f, -1.0f}) {
            const float swing = 0.9f * ramp * side * std::sin(5 * t);
            const Quat lean = facing * turned({1, 0, 0}, swing);
            const Vec3 joint = at + rotate(facing, {0.09f * side, 0, 0});
            w.set_target(side > 0 ? first : second, wide(joint + rotate(lean, {0, -leg, 0})), lean, step);
        }
    };
    return trial;
}

ClothTrial crumpled_sheet(const Place& place, double detail, std::uint32_t seed) {
    ClothTrial trial{.world = make_world(place), .cloths = {}, .drive = {}};
    World& world = trial.world;
    add_ground(world);
    std::mt19937 random(seed);
    const auto any = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() >> 8) * (1.0f / (1 << 24));
    };
    ClothDef sheet = make_cloth(0.6f, 0.6f, lines(24, detail), lines(24, detail));
    sheet.position = {0, 0.6f, 0};
    const Vec3 axis = normalized(Vec3{any(-1, 1), any(-1, 1), any(-1, 1)});
    sheet.rotation = turned(axis, any(0, 2 * pi));
    sheet.material.thickness = 0.004f;
    sheet.self_collision = true;
    trial.cloths.push_back(world.create_cloth(sheet));
    struct Wall {
        BodyId body;
        Vec3 way;
        float rate, phase, tilt, near;
    };
    std::vector<Wall> walls;
    for (int k = 0; k < 6; ++k) {
        Vec3 way{};
        (k / 2 == 0 ? way.x : k / 2 == 1 ? way.y : way.z) = k % 2 ? 1.0f : -1.0f;
        const BodyId body = add_moving(world, wide(Vec3{0, 0.6f, 0} + way * 0.65f), Box{0.25f, 0.25f, 0.25f});
        walls.push_back({body, way, any(0.8f, 2.0f), any(0, 2 * pi), any(0.1f, 0.6f), any(0.27f, 0.36f)});
    }
    trial.drive = [walls](World& w, double time, float step) {
        const auto t = static_cast<float>(time);
        const float ramp = std::min(1.0f, t / 2);
        for (const Wall& wall : walls) {
            const float in = 0.5f + 0.5f * std::sin(wall.rate * t + wall.phase);
            const float off = 0.65f + ramp * in * (wall.near - 0.65f);
            const Quat tilt = turned(normalized(Vec3{wall.way.y, wall.way.z, wall.way.x} + wall.way * 0.3f),
                                     ramp * wall.tilt * std::sin(0.7f * wall.rate * t));
            w.set_target(wall.body, wide(Vec3{0, 0.6f, 0} + wall.way * off), tilt, step);
        }
    };
    return trial;
}

ClothTrial resting_layers(const Place& place, std::uint32_t vertices, std::uint32_t layers) {
    ClothTrial trial{.world = make_world(place), .cloths = {}, .drive = {}};
    World& world = trial.world;
    add_ground(world);
    const auto side = static_cast<std::uint32_t>(
        std::max(2.0, std::round(std::sqrt(static_cast<double>(vertices) / layers))));
    const float spacing = 0.01f, size = spacing * static_cast<float>(side - 1);
    for (std::uint32_t k = 0; k < layers; ++k) {
        ClothDef sheet = make_cloth(size, size, side, side);
        const auto layer = static_cast<float>(k);
        sheet.material.thickness = 0.004f;
        sheet.position = {0, 0.006f * (layer + 1), 0};
        sheet.rotation = turned({0, 1, 0}, 0.37f * layer);
        sheet.self_collision = true;
        trial.cloths.push_back(world.create_cloth(sheet));
    }
    return trial;
}

std::uint64_t intersections_of(const World& world) { return ClothTriangles(world).intersections(world); }

ClothHold hold(ClothTrial& trial, int steps, const std::function<bool(double)>& goes_on) {
    ClothHold result;
    World& world = trial.world;
    ClothTriangles all(world);
    const double start = world.time();
    double seconds = 0;
    for (const ClothId id : trial.cloths)
        result.thinnest = std::min(result.thinnest, double{world.definition(id).material.thickness});
    for (int k = 0; k < steps; ++k) {
        if (trial.drive) trial.drive(world, start + static_cast<double>(k + 1) * double{dt}, dt);
        const auto begin = std::chrono::steady_clock::now();
        world.step(dt);
        const ClothContacts contacts = world.cloth_contacts();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const std::uint64_t now = all.intersections(world);
        result.intersections += now;
        result.thinnest = thinnest_gap(all.triangles(), all.edges(), all.positions(), result.thinnest);
        result.worst = std::max(result.worst, now);
        if (now != 0 && result.bad_steps++ == 0) result.first_bad = k;
        result.stopped += contacts.stopped;
        result.forced += contacts.forced;
        result.frozen = result.frozen || contacts.frozen;
        for (const ClothId id : trial.cloths)
            result.most_mean_stretch = std::max(result.most_mean_stretch, world.measure(id).mean_stretch);
        ++result.steps;
        if (goes_on && !goes_on(static_cast<double>(k + 1) / steps)) break;
    }
    result.vertices = all.vertices();
    result.ms = 1e3 * seconds / static_cast<double>(result.steps);
    result.hash = world.hash();
    return result;
}

SelfCounters self_counters_of(World& world) {
    Fabrics* fabrics = WorldInside::of(world).simulation->fabrics();
    return fabrics ? fabrics->self_counters() : SelfCounters{};
}

Device& cloth_device(World& world) { return WorldInside::of(world).simulation->fabrics()->device(); }

} // namespace scree::bench
