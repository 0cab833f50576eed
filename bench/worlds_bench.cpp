// SPDX-License-Identifier: MIT
// worlds_bench.cpp — many small piles stepped together (scree/worlds.h): world-steps a second, and each with the bits it has
// alone.
#include "bench_options.h"
#include "benchmarks.h"
#include "entry.h"
#include "run_progress.h"
#include "scree/worlds.h"
#include "text.h"

#include <chrono>
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
    std::string csv;
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

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Result {
    double build_seconds = 0, first_seconds = 0, falling = 0, settled = 0; ///< world-steps a second
    std::uint64_t memory = 0;
    bool equal = true;
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
    double start = now();
    Worlds worlds(options.worlds, {.sleeping = options.sleeping}, place);
    for (std::uint32_t n = 0; n < worlds.size(); ++n) {
        build(worlds[n], n, options.bodies);
        progress.part(0.1 * n / options.worlds);
    }
    result.build_seconds = now() - start;
    start = now();
    worlds.step(dt);
    result.first_seconds = now() - start;
    int done = 1;
    const auto rate = [&](int until) {
        const int before = done;
        const double begin = now();
        for (; done < until; ++done) {
            worlds.step(dt);
            progress.part(0.1 + 0.8 * done / options.steps);
        }
        (void)worlds[0].hash(); // what was queued is done
        return static_cast<double>(done - before) * options.worlds / (now() - begin);
    };
    result.falling = rate(options.steps / 2);
    result.settled = rate(options.steps);
    result.memory = worlds[0].memory().total();
    result.equal = as_alone(options, worlds, progress);
    return result;
}

Options options_of(const Arguments& given) {
    Options options;
    options.worlds =
        static_cast<std::uint32_t>(given.whole("--worlds", 1, 1'000'000).value_or(options.worlds));
    options.bodies = static_cast<std::uint32_t>(given.whole("--bodies", 1, 100'000).value_or(options.bodies));
    options.steps = int_option(given, "--steps", 4, 1'000'000, options.steps);
    options.sleeping = given.has("--sleeping");
    options.devices = option_list(given, "--device");
    options.csv = output_name(given, "--csv");
    options.threads = given.has("--threads") ? thread_list(given) : std::vector{0}; // all cores
    if (options.devices.empty()) {
        options.devices = {"cpu"};
        const Place best({.device = "auto", .expected_items = std::size_t{options.worlds} * options.bodies});
        if (const std::string name = best.decided(World::gpu_from).device(); name != "cpu")
            options.devices.push_back(name);
    }
    return options;
}

/// One run for each device, for the CPU one for each number of threads.
std::vector<Place> runs_of(const Options& options) {
    std::vector<Place> runs;
    for (const std::string& device : options.devices)
        for (const int threads : options.threads) {
            // a GPU's steps take none: the host's only prepare new bodies
            if (!device.starts_with("cpu") && threads != options.threads.front()) continue;
            runs.push_back({{.device = device, .threads = threads}});
        }
    return runs;
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

CommandSpec spec() {
    return {.name = "bench worlds",
            .summary = "Steps many small piles of boxes together and compares some of them with lone worlds.",
            .options = {{"--worlds", "N", "how many; default: 8192"},
                        {"--bodies", "N", "boxes in each; default: 10"},
                        {"--steps", "N", "of 1/60 s; the first half counts as falling; default: 200"},
                        {"--device", "LIST", "default: cpu, and the GPU if there is one", true},
                        {"--threads", "LIST", "of the CPU; default: all cores", true},
                        {"--sleeping", "", "bodies at rest may sleep"},
                        {"--csv", "FILE", "write every result"}}};
}

} // namespace

int worlds_bench(std::span<const std::string> arguments) {
    const CommandSpec command = spec();
    const Arguments given(command, arguments);
    if (given.help()) return print_help(command);
    const Options options = options_of(given);
    const auto csv = open_output("--csv", options.csv);
    std::string rows = "device,threads,worlds,bodies,steps,build_s,first_step_s,falling_world_steps_per_s,"
                       "settled_world_steps_per_s,memory_bytes,equal\n";
    bool all_equal = true, interrupted = false;
    std::printf("%-14s %7s %10s %10s %14s %14s  %s\n", "device", "threads", "build s", "first s",
                "falling 1/s", "settled 1/s", "as alone");
    const std::vector<Place> runs = runs_of(options);
    RunProgress progress(static_cast<int>(runs.size()));
    try {
        for (const Place& place : runs) {
            progress.begin(count_of(options.worlds, "world", "worlds") + ", " + place.device());
            const Result result = measure(options, place, progress);
            progress.clear();
            all_equal = all_equal && result.equal;
            rows += report(options, place, result);
        }
    } catch (const Interrupted&) {
        interrupted = true;
        progress.note("interrupted");
    }
    if (csv) csv->finish(rows);
    return interrupted ? exit_interrupted : all_equal ? exit_ok : exit_failed;
}

} // namespace scree::bench
