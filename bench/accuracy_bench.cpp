// SPDX-License-Identifier: MIT
// accuracy_bench.cpp — `scree bench accuracy`: motions with a known answer at ever smaller steps, and piles far from the origin.
#include "bench_options.h"
#include "benchmarks.h"
#include "row.h"
#include "scree/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace scree::bench {
namespace {

using std::numbers::pi;

/// The largest error of a quantity in a run.
struct Error64 {
    const char* quantity;
    double value = 0;
    void take(double error) { value = std::max(value, std::abs(error)); }
};
struct Step {
    double dt = 0;
    int substeps = 1;
    int steps(double seconds) const { return static_cast<int>(seconds / dt + 0.5); }
};

World empty_world(const Step& step, Vec3 gravity) {
    return World({.gravity = gravity, .substeps = step.substeps, .sleeping = false}, {{.threads = 1}});
}

double energy_of(const World& world) {
    const WorldMeasure m = world.measure();
    return m.kinetic_energy + m.potential_energy;
}

/// Of a body about its centre of mass.
DVec3 momentum_of(const World& world, BodyId body, const MassProperties& mass) {
    const BodyState state = world.state(body);
    const DQuat turn = wide(state.rotation);
    const DVec3 spin = rotate(conjugate(turn), wide(state.angular_velocity));
    return rotate(turn, DVec3{mass.inertia.x * spin.x, mass.inertia.y * spin.y, mass.inertia.z * spin.z});
}

/// The box of S. Peters' benchmark (Gazebo, 2014) in free flight. Energy and angular momentum are relative there too.
std::vector<Error64> free_box(const Step& step, Vec3 gravity, Vec3 velocity, Vec3 spin) {
    World world = empty_world(step, gravity);
    const MassProperties mass{10, {}, {0.80833333f, 0.68333333f, 0.14166667f}, {}};
    const BodyId body = world.create_body({.velocity = velocity, .angular_velocity = spin, .mass = mass});
    const double energy = energy_of(world);
    const DVec3 momentum = momentum_of(world, body, mass);
    Error64 of_energy{"energy J"}, of_momentum{"relative angular momentum"}, of_position{"position m"};
    const int steps = step.steps(10);
    for (int k = 1; k <= steps; ++k) {
        world.step(static_cast<float>(step.dt));
        if (k % std::max(steps / 100, 1) != 0) continue;
        const double time = k * double{static_cast<float>(step.dt)};
        of_energy.take(energy_of(world) - energy);
        of_momentum.take(length(momentum_of(world, body, mass) - momentum) / length(momentum));
        of_position.take(
            length(world.position(body) - (time * DVec3(velocity) + 0.5 * time * time * DVec3(gravity))));
    }
    return {of_energy, of_momentum, of_position};
}

std::vector<Error64> boxes_simple(const Step& step) {
    return free_box(step, {}, {-0.9f, 0.4f, 0.1f}, {0.5f, 0, 0});
}
std::vector<Error64> boxes_complex(const Step& step) {
    return free_box(step, {0, 0, -9.8f}, {-2, 2, 8}, {0.1f, 5, 0.1f});
}
/// About its middle axis, which turns over again and again.
std::vector<Error64> dzhanibekov(const Step& step) { return free_box(step, {}, {}, {1e-3f, 8, 0}); }

/// A ball on a ball joint, let go at 60 degrees: the period is an elliptic integral, computed by the arithmetic-geometric mean.
std::vector<Error64> pendulum(const Step& step) {
    World world = empty_world(step, {0, -9.81f, 0});
    const double angle = pi / 3, inertia = 0.4 * 0.1 * 0.1;
    const auto moment = static_cast<float>(inertia);
    const BodyId ball = world.create_body({.position = {std::sin(angle), -std::cos(angle), 0},
                                           .mass = MassProperties{1, {}, {moment, moment, moment}, {}}});
    world.create_joint({.type = JointType::ball, .first = ball});
    double a = 1, b = std::cos(angle / 2);
    for (int k = 0; k < 6; ++k) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    const double period = 2 * pi / a * std::sqrt((1 + inertia) / 9.81);
    const double energy = energy_of(world);
    Error64 of_energy{"energy J"}, of_period{"relative period"};
    double before = world.position(ball).x, first = 0, last = 0;
    int passes = 0;
    for (int k = 1; k <= step.steps(10); ++k) {
        world.step(static_cast<float>(step.dt));
        of_energy.take(energy_of(world) - energy);
        const double x = world.position(ball).x;
        if (before > 0 && x <= 0) {
            last = (k - x / (x - before)) * step.dt;
            if (passes++ == 0) first = last;
        }
        before = x;
    }
    if (passes > 1) of_period.take((last - first) / (passes - 1) / period - 1);
    return {of_energy, of_period};
}

/// A fast top in steady precession about the vertical: A W^2 cos t - C s W + m g l = 0 (Goldstein, Classical Mechanics, 5.7).
std::vector<Error64> top(const Step& step) {
    World world = empty_world(step, {0, -9.81f, 0});
    const double tilt = 0.5, length_of = 0.5, spin = 100, own = 0.05, across = 0.03, mass = 1;
    const double about = across + mass * length_of * length_of;
    const double b = own * spin, q = b * b - 4 * about * std::cos(tilt) * mass * 9.81 * length_of;
    const double precession = (b - std::sqrt(q)) / (2 * about * std::cos(tilt));
    const DVec3 axis{std::sin(tilt), std::cos(tilt), 0};
    const DVec3 turning = DVec3{0, precession, 0} + (spin - precession * std::cos(tilt)) * axis;
    const auto moment = static_cast<float>(own), other = static_cast<float>(across);
    const BodyId body =
        world.create_body({.position = length_of * axis,
                           .rotation = rotation_about(Vec3{0, 0, 1}, static_cast<float>(-tilt)),
                           .velocity = narrow(cross(turning, length_of * axis)),
                           .angular_velocity = narrow(turning),
                           .mass = MassProperties{1, {}, {other, moment, other}, {}}});
    world.create_joint({.type = JointType::ball, .first = body});
    Error64 of_angle{"angle of precession rad"}, of_tilt{"tilt rad"};
    const int steps = step.steps(2);
    for (int k = 1; k <= steps; ++k) {
        world.step(static_cast<float>(step.dt));
        const DVec3 at = world.position(body);
        const double turned = precession * k * step.dt, now = std::atan2(-at.z, at.x);
        of_angle.take(std::remainder(now - turned, 2 * pi));
        of_tilt.take(std::atan2(std::hypot(at.x, at.z), at.y) - tilt);
    }
    return {of_angle, of_tilt};
}

/// A ball that slides on a plane until it rolls with 5/7 of its speed.
std::vector<Error64> rolling(const Step& step) {
    World world = empty_world(step, {0, -9.81f, 0});
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{}, {.material = {.friction = 0.3f}});
    const BodyId ball = world.create_body({.position = {0, 0.5, 0}, .velocity = {7, 0, 0}});
    world.attach(ball, Sphere{0.5f}, {.material = {.friction = 0.3f}});
    for (int k = 0; k < step.steps(3); ++k) world.step(static_cast<float>(step.dt));
    Error64 of_speed{"speed m/s"}, of_slip{"slip m/s"};
    const BodyState state = world.state(ball);
    of_speed.take(double{state.velocity.x} - 5);
    of_slip.take(double{state.velocity.x} + 0.5 * double{state.angular_velocity.z});
    return {of_speed, of_slip};
}

/// A circle about the origin, held by a force that grows with the distance.
std::vector<Error64> orbit(const Step& step) {
    World world = empty_world(step, {});
    const BodyId ball = world.create_body(
        {.position = {1, 0, 0}, .velocity = {0, 2, 0}, .mass = MassProperties{1, {}, {1, 1, 1}, {}}});
    Error64 of_radius{"radius m"}, of_phase{"phase rad"};
    for (int k = 1; k <= step.steps(10); ++k) {
        world.apply_force(ball, narrow(-4 * world.position(ball)));
        world.step(static_cast<float>(step.dt));
        const DVec3 at = world.position(ball);
        of_radius.take(length(at) - 1);
        of_phase.take(std::remainder(std::atan2(at.y, at.x) - 2 * k * step.dt, 2 * pi));
    }
    return {of_radius, of_phase};
}

struct Case {
    const char* name;
    std::vector<Error64> (*run)(const Step&);
};
constexpr Case cases[] = {{"boxes-simple", boxes_simple},
                          {"boxes-complex", boxes_complex},
                          {"dzhanibekov", dzhanibekov},
                          {"pendulum", pendulum},
                          {"top", top},
                          {"rolling", rolling},
                          {"orbit", orbit}};

struct PileQuality {
    double overlap_mm = 0, p99_mm = 0, height_m = 0, sleep_s = 0;
};

/// 512 boxes dropped into a container that stands this far out; another seed is another pile.
PileQuality far_pile(double distance, std::uint32_t seed) {
    World world({}, {{.threads = 1}});
    const DVec3 origin{distance, 0, -distance / 3};
    const auto fixed = [&](Box box, DVec3 at) {
        world.attach(world.create_body({.type = BodyType::fixed, .position = origin + at}), box);
    };
    fixed({8, 1, 8}, {0, -1, 0});
    for (const double side : {-1.0, 1.0}) {
        fixed({1, 8, 8}, {side * 6, 8, 0});
        fixed({8, 8, 1}, {0, 8, side * 6});
    }
    const auto random = [&] {
        seed = seed * 1664525u + 1013904223u;
        return static_cast<double>(seed >> 8) / 16777216 - 0.5;
    };
    for (int k = 0; k < 512; ++k) {
        const DVec3 site{k % 8 - 3.5, k / 64 + 0.0, k / 8 % 8 - 3.5};
        const DVec3 jitter{0.1 * random(), 0, 0.1 * random()};
        world.attach(world.create_body({.position = origin + DVec3{0, 0.6, 0} + 1.1 * site + jitter}),
                     Box{0.5f, 0.5f, 0.5f});
    }
    PileQuality quality;
    for (int k = 0; k < 1200 && world.measure().asleep < 512; ++k) {
        world.step(1.0f / 60);
        quality.sleep_s += 1.0 / 60;
    }
    const WorldMeasure m = world.measure();
    quality.overlap_mm = 1e3 * m.max_overlap;
    quality.p99_mm = 1e3 * m.p99_overlap;
    quality.height_m = m.mean_height;
    return quality;
}

void measure_far(const std::vector<double>& distances, int piles, TextTable& table, std::string& rows) {
    for (const double distance : distances) {
        PileQuality mean;
        for (int seed = 1; seed <= piles; ++seed) {
            const PileQuality one = far_pile(distance, static_cast<std::uint32_t>(seed));
            mean.overlap_mm += one.overlap_mm / piles;
            mean.p99_mm += one.p99_mm / piles;
            mean.height_m += one.height_m / piles;
            mean.sleep_s += one.sleep_s / piles;
        }
        const std::pair<const char*, double> all[] = {{"largest overlap mm", mean.overlap_mm},
                                                      {"p99 overlap mm", mean.p99_mm},
                                                      {"mean height m", mean.height_m},
                                                      {"asleep after s", mean.sleep_s}};
        for (const auto& [quantity, value] : all) {
            const std::string name = "far-" + number_text(distance / 1000) + "km";
            table.push_back({name, "1/60", "4", quantity, number_text(value)});
            rows += name + ",0.0166667,4," + quantity + "," + number_text(value, 9) + "\n";
        }
    }
}

int run(const Arguments& given) {
    std::vector<std::string> known;
    for (const Case& each : cases) known.emplace_back(each.name);
    known.emplace_back("far");
    const std::vector<std::string> chosen = choose_from(given, "--scene", known);
    const int piles = whole_option(given, "--piles", 1, 1000, 4);
    const auto divide = whole_option(given, "--finest", 100, 100'000, 10'000);
    const auto csv = open_output(given, "--csv");
    std::string rows = "scene,dt,substeps,quantity,error\n";
    TextTable table{{"scene", "dt s", "substeps", "quantity", "largest error"}};
    for (const Case& each : cases) {
        if (std::find(chosen.begin(), chosen.end(), each.name) == chosen.end()) continue;
        for (const int rate : {60, 240, 1000, 10'000})
            for (const int substeps : {1, 4}) {
                if (rate > divide) continue;
                std::fprintf(stderr, "bench: %s at %d Hz, %d substeps\n", each.name, rate, substeps);
                const Step step{1.0 / rate, substeps};
                for (const Error64& error : each.run(step)) {
                    table.push_back({each.name, number_text(step.dt), std::to_string(substeps),
                                     error.quantity, number_text(error.value, 3)});
                    rows += std::string(each.name) + "," + number_text(step.dt, 9) + "," +
                            std::to_string(substeps) + "," + error.quantity + "," +
                            number_text(error.value, 9) + "\n";
                }
            }
    }
    if (std::find(chosen.begin(), chosen.end(), "far") != chosen.end())
        measure_far({0, 1e3, 1e4, 1e5, 1e6}, piles, table, rows);
    std::fputs(table_text(table).c_str(), stdout);
    finish_csv(csv, rows);
    return exit_ok;
}

} // namespace

CommandSpec accuracy_bench() {
    return {
        "accuracy",
        "errors of motions with a known answer",
        R"(Measures the error of motions with a known answer at steps of 1/60 to 1/10,000 s with 1 and 4 substeps, and piles
of 512 boxes at distances up to 1,000 km from the origin.

scenes:
  boxes-simple   a box in free flight without gravity, 10 s (S. Peters 2014)
  boxes-complex  the same, thrown and tumbling under gravity
  dzhanibekov    a box that turns about its middle axis
  pendulum       a ball on a ball joint, 60 degrees: energy and period
  top            steady precession of a fast top, 2 s
  rolling        a ball that slides and then rolls
  orbit          a circle held by a force like a spring's
  far            piles at 0, 1, 10, 100 and 1,000 km; means of several

The CSV has the columns scene, dt, substeps, quantity, error.)",
        {"--scene LIST        from the list above; default: all",
         "--piles N           piles at each distance; default: 4",
         "--finest N          no more steps a second than this; default: 10000", csv_option},
        run};
}

} // namespace scree::bench
