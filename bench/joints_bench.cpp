// SPDX-License-Identifier: MIT
// joints_bench.cpp — every type of joint: how far a load pulls it, how far a blow carries it past a limit, and what force a motor
// applies.
#include "bench_options.h"
#include "benchmarks.h"
#include "run_progress.h"
#include "scree/world.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree::bench {

namespace {

constexpr float dt = 1 / 60.0f;
constexpr std::array<const char*, 11> names{"ball",     "hinge", "fixed", "slider", "distance", "wheel",
                                            "six_axes", "pose",  "gear",  "rack",   "pulley"};

bool is_coupling(JointType type) {
    return type == JointType::gear || type == JointType::rack || type == JointType::pulley;
}

/// A body at the end of a joint to the world.
struct Rig {
    World world;
    BodyId body;
    JointId joint;
    float mass = 0, inertia = 0; ///< about the joint's axis
};

/// What moves is limited to half a metre or radian either way, or driven.
JointDef joint_of(JointType type, bool limited, const JointDrive& drive) {
    JointDef def{.type = type, .first = {}};
    const JointLimit limit{-0.5f, 0.5f};
    switch (type) {
    case JointType::ball:
        def.axis = {1, 0, 0};
        if (limited) def.swing = 0.5f;
        def.drive = drive;
        break;
    case JointType::hinge:
        def.axis = {0, 0, 1};
        if (limited) def.limit = limit;
        def.drive = drive;
        break;
    case JointType::fixed:
        break;
    case JointType::slider:
        if (limited) def.limit = limit;
        def.drive = drive;
        break;
    case JointType::distance:
        def.second_anchor = DVec3{0, 1, 0};
        if (limited) def.limit = JointLimit{0, 1.5f};
        def.drive = drive;
        break;
    case JointType::wheel:
        def.axis = {0, 0, 1};
        def.suspension = {.limit = limit};
        def.drive = limited ? JointDrive(JointMotor{}) : drive;
        break;
    case JointType::six_axes:
        def.axes.fill(locked_axis);
        def.axes[1] = {};
        if (limited) def.axes[1].limit = limit;
        def.axes[1].drive = drive;
        break;
    case JointType::pose:
        def.pose = {.hertz = 30};
        break;
    case JointType::gear:
    case JointType::rack:
    case JointType::pulley:
        break; // below
    }
    return def;
}

/// A bar of 10 kg from the joint to the side, or a ball of the same mass at the joint; 90 kg more at its end.
Rig build(JointType type, const Place& place, bool loaded, bool bar, const JointDef& def) {
    WorldSettings settings;
    settings.sleeping = false;
    if (!loaded) settings.gravity = {};
    Rig rig{World(settings, place), {}, {}};
    rig.body = rig.world.create_body({});
    const Vec3 middle = bar ? Vec3{0.5f, 0, 0} : Vec3{};
    rig.world.attach(rig.body, Box{bar ? 0.5f : 0.1f, bar ? 0.05f : 0.1f, bar ? 0.05f : 0.25f},
                     {.position = middle, .density = 1000});
    if (loaded)
        rig.world.attach(rig.body, Sphere{0.1f}, {.position = 2 * middle, .density = 90 / 0.0041888f});
    JointDef joint = def;
    joint.first = rig.body;
    rig.joint = rig.world.create_joint(joint);
    const MassProperties mass = rig.world.mass(rig.body);
    rig.mass = mass.mass;
    rig.inertia = type == JointType::ball ? mass.inertia.x : mass.inertia.z;
    return rig;
}

struct Result {
    double error_mm = 0, error_mrad = 0; ///< under load, at the end
    double drift_mm = 0;                 ///< from the second second to the end
    std::optional<double> overshoot;     ///< mm or mrad
    std::optional<double> motor;         ///< % of the force that is missing or too much
};

void under_load(JointType type, const Place& place, double seconds, Result& result) {
    JointDef def = joint_of(type, true, {});
    Rig rig = build(type, place, true, type != JointType::distance, def);
    // a long time to come to rest, then none of drift
    rig.world.set_damping(rig.body, 2, 2);
    const auto steps = static_cast<int>(seconds / double{dt});
    DVec3 early{};
    for (int k = 0; k < steps; ++k) {
        rig.world.step(dt);
        if (k == steps / 3) early = rig.world.position(rig.body);
    }
    const World::JointError error = rig.world.error(rig.joint);
    result.error_mm = 1e3 * double{error.distance};
    result.error_mrad = 1e3 * double{error.angle};
    result.drift_mm = 1e3 * length(rig.world.position(rig.body) - early);
}

/// Whole turns of a hinge that is read in every step.
struct TurnCount {
    double total = 0, last = 0;
    void see(double now) {
        total += std::remainder(now - last, 2 * std::numbers::pi);
        last = now;
    }
};

/// A wheel about z of 0.2 m on a hinge to the world.
Rig wheel_at(World world, DVec3 at, const JointDrive& drive) {
    Rig rig{std::move(world), {}, {}};
    BodyDef def;
    def.position = at;
    def.rotation = {.x = 0.70710678f, .y = 0, .z = 0, .s = 0.70710678f};
    rig.body = rig.world.create_body(def);
    rig.world.attach(rig.body, Cylinder{0.05f, 0.2f});
    rig.joint = rig.world.create_joint(
        {.type = JointType::hinge, .first = rig.body, .anchor = at, .axis = {0, 0, 1}, .drive = drive});
    return rig;
}

/// Gears at 20 rad/s against a brake of 100 N m; a pinion that lifts 100 kg by a rack at 0.4 m/s; 100 kg on a pulley, held by 50
/// on a block and tackle. Drift: what the bodies have turned or moved by, against the ratio.
void coupled_under_load(JointType type, const Place& place, double seconds, Result& result) {
    WorldSettings settings;
    settings.sleeping = false;
    const auto steps = static_cast<int>(seconds / double{dt});
    Rig rig{World(settings, place), {}, {}};
    BodyId other;
    JointId hinges[2];
    constexpr float ratio = 2.7182818f, radius = 0.2f;
    if (type == JointType::gear) {
        rig = wheel_at(std::move(rig.world), {1, 0, 0}, JointFriction{100});
        other = rig.body, hinges[1] = rig.joint;
        rig = wheel_at(std::move(rig.world), {}, JointMotor{.speed = 20});
        hinges[0] = rig.joint;
        rig.joint = rig.world.create_joint({.type = type,
                                            .first = rig.body,
                                            .second = other,
                                            .axis = {0, 0, 1},
                                            .second_anchor = DVec3{1, 0, 0},
                                            .ratio = ratio});
    } else if (type == JointType::rack) {
        rig = wheel_at(std::move(rig.world), {}, JointMotor{.speed = 2});
        hinges[0] = rig.joint;
        other = rig.world.create_body({.position = {0.25f, 0, 0}});
        rig.world.attach(other, Box{0.05f, 0.5f, 0.05f}, {.density = 10000});
        rig.world.create_joint({.type = JointType::slider, .first = other, .axis = {0, 1, 0}});
        rig.joint = rig.world.create_joint({.type = type,
                                            .first = rig.body,
                                            .second = other,
                                            .axis = {0, 0, 1},
                                            .second_axis = Vec3{0, 1, 0},
                                            .ratio = -1 / radius});
    } else {
        const float volume = 0.0041888f;
        rig.body = rig.world.create_body({.position = {-1, 0, 0}});
        rig.world.attach(rig.body, Sphere{0.1f}, {.density = 50 / volume});
        other = rig.world.create_body({.position = {1, 0, 0}});
        rig.world.attach(other, Sphere{0.1f}, {.density = 100 / volume});
        for (const BodyId body : {rig.body, other}) rig.world.set_damping(body, 2, 2);
        rig.joint = rig.world.create_joint({.type = type,
                                            .first = rig.body,
                                            .second = other,
                                            .anchor = {-1, 0, 0},
                                            .second_anchor = DVec3{1, 0, 0},
                                            .ratio = 2,
                                            .ground = {DVec3{-1, 5, 0}, DVec3{1, 5, 0}}});
    }
    TurnCount turns[2];
    const auto slip = [&] {
        if (type == JointType::gear) return turns[0].total + double{ratio} * turns[1].total;
        if (type == JointType::rack) return turns[0].total - rig.world.position(other).y / double{radius};
        return rig.world.position(rig.body).y;
    };
    double early = 0;
    for (int k = 0; k < steps; ++k) {
        rig.world.step(dt);
        for (const std::size_t n : {0u, 1u})
            if (hinges[n] != JointId{}) turns[n].see(double{rig.world.state(hinges[n]).coordinate});
        if (k == steps / 3) early = slip();
    }
    const World::JointError error = rig.world.error(rig.joint);
    result.error_mm = 1e3 * double{error.distance};
    result.error_mrad = 1e3 * double{error.angle};
    result.drift_mm = 1e3 * std::abs(slip() - early) * (type == JointType::pulley ? 1.0 : double{radius});
}

void at_a_limit(JointType type, const Place& place, Result& result) {
    if (type == JointType::fixed || type == JointType::pose || is_coupling(type)) return;
    const bool turns = type == JointType::ball || type == JointType::hinge;
    Rig rig = build(type, place, false, turns, joint_of(type, true, {}));
    // 5 m/s, or 10 rad/s about the joint
    if (turns) rig.world.set_velocity(rig.body, {0, -5, 0}, {0, 0, -10});
    else rig.world.set_velocity(rig.body, {0, -5, 0});
    double most = 0;
    for (int k = 0; k < 60; ++k) {
        rig.world.step(dt);
        const World::JointError error = rig.world.error(rig.joint);
        most = std::max(most, double{turns ? error.angle : error.distance});
    }
    result.overshoot = 1e3 * most;
}

void with_a_motor(JointType type, const Place& place, Result& result) {
    if (type == JointType::fixed || is_coupling(type)) return;
    const bool turns = type == JointType::ball || type == JointType::hinge || type == JointType::wheel;
    constexpr float force = 20;
    JointDef def = joint_of(type, false, JointMotor{.speed = 1000, .max_force = force});
    if (type == JointType::pose) def.pose = {.position = {0, 1000, 0}, .hertz = 1, .max_force = force};
    if (type == JointType::wheel) def.suspension = locked_axis;
    Rig rig = build(type, place, false, false, def);
    constexpr int steps = 12; // before it is fast
    for (int k = 0; k < steps; ++k) rig.world.step(dt);
    const BodyState state = rig.world.state(rig.body);
    const float speed = turns ? length(state.angular_velocity) : length(state.velocity);
    const float expected = force / (turns ? rig.inertia : rig.mass) * static_cast<float>(steps) * dt;
    result.motor = 100 * std::abs(double{speed} / double{expected} - 1);
}

struct Options {
    double seconds = 60;
    std::vector<std::string> devices;
};

std::string cell(const std::optional<double>& value, const char* format) {
    if (!value) return "-";
    char text[32];
    std::snprintf(text, sizeof text, format, *value);
    return text;
}

struct Table {
    std::array<Result, names.size()> rows;
    bool all_equal() const { return true; }
};

std::string report(const Place& place, const Table& table) {
    std::string csv;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Result& r = table.rows[k];
        const std::string overshoot = cell(r.overshoot, "%.2f"), motor = cell(r.motor, "%.3f");
        std::printf("%-12s %-9s %10.3f %10.3f %10.4f %14s %13s\n", place.device().c_str(), names[k],
                    r.error_mm, r.error_mrad, r.drift_mm, overshoot.c_str(), motor.c_str());
        char row[256];
        std::snprintf(row, sizeof row, "%s,%s,%.6f,%.6f,%.6f,%s,%s\n", place.device().c_str(), names[k],
                      r.error_mm, r.error_mrad, r.drift_mm, overshoot.c_str(), motor.c_str());
        csv += row;
    }
    std::fflush(stdout);
    return csv;
}

int run(const Arguments& given) {
    Options options;
    options.seconds = whole_option(given, "--seconds", 3, 3600, 60);
    options.devices = option_list(given, "--device");
    if (options.devices.empty()) options.devices = {"cpu"};
    std::printf("%-12s %-9s %10s %10s %10s %14s %13s\n", "device", "joint", "error mm", "error mrad",
                "drift mm", "overshoot", "motor error %");
    return measure_at(
        places_of(options.devices, {1}), given,
        "device,joint,error_mm,error_mrad,drift_mm,overshoot,motor_error\n", "11 types",
        [&](const Place& place, RunProgress& progress) {
            Table table;
            for (std::size_t k = 0; k < names.size(); ++k) {
                const auto type = static_cast<JointType>(k);
                (is_coupling(type) ? coupled_under_load : under_load)(type, place, options.seconds,
                                                                      table.rows[k]);
                at_a_limit(type, place, table.rows[k]);
                with_a_motor(type, place, table.rows[k]);
                progress.part(static_cast<double>(k + 1) / names.size());
            }
            return table;
        },
        report);
}

} // namespace

CommandSpec joints_bench() {
    return {"joints",
            "drift, overshoot and motor force of every type of joint",
            "Hangs 100 kg, 90 of them 1 m to the side, on a joint of each type: its error and drift at the "
            "end. Gears turn against a brake, a pinion lifts 100 kg, a pulley carries them. Throws a "
            "body against a limit at 5 m/s or 10 rad/s: how far it goes beyond, in mm or mrad. Lets a motor "
            "push: how "
            "far its force is from the one asked for.",
            {R"(
--seconds N         under load; default: 60
--device LIST       default: cpu
)",
             csv_option},
            run};
}

} // namespace scree::bench
