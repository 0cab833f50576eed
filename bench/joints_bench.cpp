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
#include <optional>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

constexpr float dt = 1 / 60.0f;
constexpr std::array<const char*, 8> names{"ball",     "hinge", "fixed",    "slider",
                                           "distance", "wheel", "six_axes", "pose"};

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

void at_a_limit(JointType type, const Place& place, Result& result) {
    if (type == JointType::fixed || type == JointType::pose) return;
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
    if (type == JointType::fixed) return;
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
        "device,joint,error_mm,error_mrad,drift_mm,overshoot,motor_error\n", "8 types",
        [&](const Place& place, RunProgress& progress) {
            Table table;
            for (std::size_t k = 0; k < names.size(); ++k) {
                const auto type = static_cast<JointType>(k);
                under_load(type, place, options.seconds, table.rows[k]);
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
            "end. Throws a "
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
