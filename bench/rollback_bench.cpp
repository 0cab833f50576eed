// SPDX-License-Identifier: MIT
// rollback_bench.cpp — what it costs to save a state and to go back (scree/rollback.h), beside a step of the same world.
#include "bench_options.h"
#include "benchmarks.h"
#include "run_progress.h"
#include "scree/rollback.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace scree::bench {

namespace {

constexpr float dt = 1 / 60.0f;

struct Options {
    std::uint32_t bodies = 1000, states = 8;
    int repeat = 100;
    std::vector<std::string> devices;
    std::vector<int> threads;
};

/// Boxes in a block that falls apart a little.
void build(World& world, std::uint32_t bodies) {
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const auto side = static_cast<std::uint32_t>(std::max(1.0, std::ceil(std::cbrt(bodies))));
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const auto at = [](std::uint32_t n) { return 1.1f * static_cast<float>(n); };
        const BodyId body =
            world.create_body({.position = {at(k % side), 0.6f + at(k / side / side), at(k / side % side)},
                               .velocity = {0, -1, 0}});
        world.attach(body, Box{0.5f, 0.5f, 0.5f});
    }
}

struct Result {
    double step = 0, save = 0, restore = 0; ///< us, the median
    bool equal = true;                      ///< a world that went back takes the same way again
    bool all_equal() const { return equal; }
};

double median(std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return 1e6 * values[values.size() / 2];
}

Result measure(const Options& options, const Place& place, RunProgress& progress) {
    World world({.sleeping = false}, place);
    build(world, options.bodies);
    for (int k = 0; k < 60; ++k) world.step(dt);
    Rollback ring(world, options.states);
    std::vector<double> steps, saves, restores;
    Result result;
    const auto timed = [&](std::vector<double>& into, const auto& call) {
        (void)world.device_state(); // sends changes, and is all that a GPU waits for below
        (void)world.counters();
        const Stopwatch clock;
        call();
        (void)world.counters(); // what was queued is done
        into.push_back(clock.seconds());
    };
    for (int k = 0; k < options.repeat; ++k) {
        // as a game does it: all states of the ring, then back to the oldest and forward again
        for (std::uint32_t n = 0; n < options.states; ++n) {
            timed(saves, [&] { ring.save(); });
            timed(steps, [&] { world.step(dt); });
        }
        const std::uint64_t hash = world.hash();
        timed(restores, [&] { ring.restore(options.states - 1); });
        for (std::uint32_t n = 0; n < options.states; ++n) world.step(dt);
        result.equal = result.equal && world.hash() == hash;
        progress.part(static_cast<double>(k + 1) / options.repeat);
    }
    result.step = median(steps), result.save = median(saves), result.restore = median(restores);
    return result;
}

std::string report(const Options& options, const Place& place, const Result& r) {
    const double ring = options.states * r.save + r.restore;
    std::printf("%-14s %7d %10.1f %10.1f %10.1f %14.2f %11.2f  %s\n", place.device().c_str(), place.threads(),
                r.step, r.save, r.restore, r.restore / r.step, ring / r.step, r.equal ? "yes" : "NO");
    std::fflush(stdout);
    char row[256];
    std::snprintf(row, sizeof row, "%s,%d,%u,%u,%.2f,%.2f,%.2f,%d\n", place.device().c_str(), place.threads(),
                  options.bodies, options.states, r.step, r.save, r.restore, r.equal);
    return row;
}

int run(const Arguments& given) {
    Options options;
    options.bodies = whole_option(given, "--bodies", 1, 1'000'000, options.bodies);
    options.states = whole_option(given, "--states", 1, 1000, options.states);
    options.repeat = whole_option(given, "--repeat", 1, 100'000, options.repeat);
    options.devices = option_list(given, "--device");
    if (options.devices.empty()) options.devices = {"cpu"};
    options.threads = given.has("--threads") ? thread_list(given) : std::vector{1};
    std::printf("%-14s %7s %10s %10s %10s %14s %11s  %s\n", "device", "threads", "step us", "save us",
                "restore us", "restore/step", "all/step", "same way");
    return measure_at(
        places_of(options.devices, options.threads), given,
        "device,threads,bodies,states,step_us,save_us,restore_us,equal\n",
        count_of(options.bodies, "body", "bodies"),
        [&](const Place& place, RunProgress& progress) { return measure(options, place, progress); },
        [&](const Place& place, const Result& result) { return report(options, place, result); });
}

} // namespace

CommandSpec rollback_bench() {
    return {"rollback",
            "saving states and going back to them",
            "Saves a state of a world before each step, and goes back over all of them; median times beside "
            "a step.\nall/step: the saves of the whole ring and going back, in steps.",
            {R"(
--bodies N          boxes; default: 1000
--states N          of the ring, and how many steps the world goes back; default: 8
--repeat N          how often; default: 100
--device LIST       default: cpu
--threads LIST      CPU threads; default: 1
)",
             csv_option},
            run};
}

} // namespace scree::bench
