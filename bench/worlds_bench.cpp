// SPDX-License-Identifier: MIT
// worlds_bench.cpp — many small piles stepped together (scree/worlds.h): world-steps a second, and each with the bits it has
// alone.
#include "bench_options.h"
#include "benchmarks.h"
#include "run_progress.h"
#include "scree/worlds.h"
#include "stopwatch.h"
#include "text.h"

#include <cstdio>
#include <vector>

namespace scree::bench {

namespace {

constexpr float dt = 1 / 60.0f;

struct Options {
    std::uint32_t worlds = 8192, bodies = 10;
    int steps = 200;
    bool sleeping = false;
    std::vector<std::string> devices;
    std::vector<int> threads;
};

/// Boxes above each other in a box without a lid, a little apart in each world.
void build(World& world, std::uint32_t number, std::uint32_t bodies) {
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Box{3, 0.5f, 3}, {.position = {0, -0.5f, 0}});
    for (const float side : {-1.0f, 1.0f}) {
        world.attach(ground, Box{0.25f, 3, 3}, {.position = {side * 2.25f, 3, 0}});
        world.attach(ground, Box{3, 3, 0.25f}, {.position = {0, 3, side * 2.25f}});
    }
    std::uint32_t dice = number * 2654435761u + 1;
    const auto between = [&](float low, float high) {
        dice = dice * 1664525u + 1013904223u;
        return low + (high - low) * static_cast<float>(dice >> 8) / 16777216.0f;
    };
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const BodyId body =
            world.create_body({.position = {between(-1, 1), 1 + 1.2f * static_cast<float>(k), between(-1, 1)},
                               .velocity = {0, -2, 0},
                               .angular_velocity = {between(-1, 1), between(-1, 1), between(-1, 1)}});
        world.attach(body, Box{0.5f, 0.5f, 0.5f});
    }
}

struct Result {
    double build_seconds = 0, first_seconds = 0, falling = 0, settled = 0; ///< world-steps a second
    std::uint64_t memory = 0;
    bool equal = true;
    bool all_equal() const { return equal; }
};

/// Whether some of the worlds are as they would be alone, on the CPU.
bool as_alone(const Options& options, Worlds& worlds, RunProgress& progress) {
    constexpr std::uint32_t samples = 16;
    for (std::uint32_t k = 0; k < samples; ++k) {
        const auto n = static_cast<std::uint32_t>(std::uint64_t{k} * options.worlds / samples);
        World world({.sleeping = options.sleeping}, {{.threads = 1}});
        build(world, n, options.bodies);
        for (int s = 0; s < options.steps; ++s) world.step(dt);
        if (world.hash() != worlds[n].hash()) return false;
        progress.part(0.9 + 0.1 * (k + 1) / samples);
    }
    return true;
}

Result measure(const Options& options, const Place& place, RunProgress& progress) {
    Result result;
    Stopwatch clock;
    Worlds worlds(options.worlds, {.sleeping = options.sleeping}, place);
    for (std::uint32_t n = 0; n < worlds.size(); ++n) {
        build(worlds[n], n, options.bodies);
        progress.part(0.1 * n / options.worlds);
    }
    result.build_seconds = clock.seconds();
    clock = {};
    worlds.step(dt);
    result.first_seconds = clock.seconds();
    int done = 1;
    const auto rate = [&](int until) {
        const int before = done;
        const Stopwatch half;
        for (; done < until; ++done) {
            worlds.step(dt);
            progress.part(0.1 + 0.8 * done / options.steps);
        }
        (void)worlds[0].hash(); // what was queued is done
        return static_cast<double>(done - before) * options.worlds / half.seconds();
    };
    result.falling = rate(options.steps / 2);
    result.settled = rate(options.steps);
    result.memory = worlds[0].memory().total();
    result.equal = as_alone(options, worlds, progress);
    return result;
}

Options options_of(const Arguments& given) {
    Options options;
    options.worlds = whole_option(given, "--worlds", 1, 1'000'000, options.worlds);
    options.bodies = whole_option(given, "--bodies", 1, 100'000, options.bodies);
    options.steps = whole_option(given, "--steps", 4, 1'000'000, options.steps);
    options.sleeping = given.has("--sleeping");
    options.devices = option_list(given, "--device");
    options.threads = given.has("--threads") ? thread_list(given) : std::vector{0}; // all cores
    if (options.devices.empty()) {
        options.devices = {"cpu"};
        const Place best({.device = "auto", .expected_items = std::size_t{options.worlds} * options.bodies});
        if (const std::string name = best.decided(World::gpu_from).device(); name != "cpu")
            options.devices.push_back(name);
    }
    return options;
}

/// Prints a line and returns it as a row of the CSV.
std::string report(const Options& options, const Place& place, const Result& r) {
    std::printf("%-14s %7d %10.3f %10.3f %14.0f %14.0f  %s\n", place.device().c_str(), place.threads(),
                r.build_seconds, r.first_seconds, r.falling, r.settled, r.equal ? "yes" : "NO");
    std::fflush(stdout);
    char row[256];
    std::snprintf(row, sizeof row, "%s,%d,%u,%u,%d,%.4f,%.4f,%.0f,%.0f,%llu,%d\n", place.device().c_str(),
                  place.threads(), options.worlds, options.bodies, options.steps, r.build_seconds,
                  r.first_seconds, r.falling, r.settled, static_cast<unsigned long long>(r.memory), r.equal);
    return row;
}

int run(const Arguments& given) {
    const Options options = options_of(given);
    std::printf("%-14s %7s %10s %10s %14s %14s  %s\n", "device", "threads", "build s", "first s",
                "falling 1/s", "settled 1/s", "as alone");
    return measure_at(
        places_of(options.devices, options.threads), given,
        "device,threads,worlds,bodies,steps,build_s,first_step_s,falling_world_steps_per_s,"
        "settled_world_steps_per_s,memory_bytes,equal\n",
        count_of(options.worlds, "world", "worlds"),
        [&](const Place& place, RunProgress& progress) { return measure(options, place, progress); },
        [&](const Place& place, const Result& result) { return report(options, place, result); });
}

} // namespace

CommandSpec worlds_bench() {
    return {"worlds",
            "thousands of small worlds at once",
            "Steps many small piles of boxes together and compares some of them with lone worlds.",
            {R"(
--worlds N          how many; default: 8192
--bodies N          boxes in each; default: 10
--steps N           of 1/60 s; the first half counts as falling; default: 200
--device LIST       default: cpu, and the GPU if there is one
--threads LIST      CPU threads; default: all cores
--sleeping          bodies at rest may sleep
)",
             csv_option},
            run};
}

} // namespace scree::bench
