// SPDX-License-Identifier: MIT
// worlds_bench.cpp — many small piles stepped together (scree/worlds.h): world-steps a second, and each with the bits it has
// alone.
#include "worlds_bench.h"

#include "bench_options.h"
#include "commands.h"
#include "options.h"
#include "output_file.h"
#include "scree/worlds.h"
#include "text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
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

Result measure(const Options& options, const Place& place) {
    Result result;
    double start = now();
    const WorldSettings settings{.sleeping = options.sleeping};
    Worlds worlds(options.worlds, settings, place);
    for (std::uint32_t n = 0; n < worlds.size(); ++n) build(worlds[n], n, options.bodies);
    result.build_seconds = now() - start;
    start = now();
    worlds.step(dt);
    result.first_seconds = now() - start;
    const int half = options.steps / 2;
    const auto rate = [&](int steps) {
        const double begin = now();
        for (int k = 0; k < steps; ++k) worlds.step(dt);
        (void)worlds[0].hash(); // what was queued is done
        return static_cast<double>(steps) * options.worlds / (now() - begin);
    };
    result.falling = rate(half - 1);
    result.settled = rate(options.steps - half);
    result.memory = worlds[0].memory().total();
    // a few of them alone, on the CPU
    for (std::uint32_t k = 0; k < 16; ++k) {
        const std::uint32_t n = static_cast<std::uint32_t>(std::uint64_t{k} * options.worlds / 16);
        World world(settings, {{.threads = 1}});
        build(world, n, options.bodies);
        for (int s = 0; s < options.steps; ++s) world.step(dt);
        result.equal = result.equal && world.hash() == worlds[n].hash();
    }
    return result;
}

Options parse(const Arguments& given) {
    Options options;
    options.worlds =
        static_cast<std::uint32_t>(given.whole("--worlds", 1, 1'000'000).value_or(options.worlds));
    options.bodies = static_cast<std::uint32_t>(given.whole("--bodies", 1, 100'000).value_or(options.bodies));
    options.steps = static_cast<int>(given.whole("--steps", 4, 1'000'000).value_or(200));
    options.sleeping = given.has("--sleeping");
    options.devices = option_list(given, "--devices");
    options.csv = output_name(given, "--csv");
    for (const std::string& text : option_list(given, "--threads")) {
        const auto threads = parse_whole(text);
        if (!threads || *threads < 1 || *threads > 1024)
            refuse_option("--threads", text, "a whole number from 1 to 1,024");
        options.threads.push_back(static_cast<int>(*threads));
    }
    if (options.threads.empty()) options.threads = {0}; // all cores
    if (options.devices.empty()) {
        options.devices = {"cpu"};
        const Place best({.device = "auto", .expected_items = std::size_t{options.worlds} * options.bodies});
        if (const std::string name = best.decided(World::gpu_from).device(); name != "cpu")
            options.devices.push_back(name);
    }
    return options;
}

} // namespace

int worlds_bench(std::span<const std::string> arguments) {
    const CommandSpec command{
        .name = "bench",
        .positional = "worlds",
        .least = 1,
        .most = 1,
        .summary = "Steps many small piles of boxes together and compares some of them with lone worlds.",
        .details = "",
        .options = {{"--worlds", "N", "how many (8192)"},
                    {"--bodies", "N", "boxes in each (10)"},
                    {"--steps", "N", "of 1/60 s; the first half counts as falling (200)"},
                    {"--devices", "LIST", "cpu, cuda; both when left out and there", true},
                    {"--threads", "LIST", "of the CPU; all cores when left out", true},
                    {"--sleeping", "", "bodies at rest may sleep"},
                    {"--csv", "FILE", "write every result"}}};
    const Arguments given(command, arguments);
    if (given.help()) {
        std::fputs(help_text(command).c_str(), stdout);
        return exit_ok;
    }
    const Options options = parse(given);
    std::unique_ptr<OutputFile> csv;
    if (!options.csv.empty()) csv = std::make_unique<OutputFile>("--csv", options.csv);
    std::string rows = "device,threads,worlds,bodies,steps,build_s,first_step_s,falling_world_steps_per_s,"
                       "settled_world_steps_per_s,memory_bytes,equal\n";
    bool all_equal = true;
    std::printf("%-14s %7s %10s %10s %14s %14s  %s\n", "device", "threads", "build s", "first s",
                "falling 1/s", "settled 1/s", "as alone");
    for (const std::string& device : options.devices)
        for (const int threads : options.threads) {
            // a GPU has none
            if (!device.starts_with("cpu") && threads != options.threads.front()) continue;
            const Result r = measure(options, {{.device = device, .threads = threads}});
            all_equal = all_equal && r.equal;
            std::printf("%-14s %7d %10.3f %10.3f %14.0f %14.0f  %s\n", device.c_str(), threads,
                        r.build_seconds, r.first_seconds, r.falling, r.settled, r.equal ? "yes" : "NO");
            std::fflush(stdout);
            char row[256];
            std::snprintf(row, sizeof row, "%s,%d,%u,%u,%d,%.4f,%.4f,%.0f,%.0f,%llu,%d\n", device.c_str(),
                          threads, options.worlds, options.bodies, options.steps, r.build_seconds,
                          r.first_seconds, r.falling, r.settled, static_cast<unsigned long long>(r.memory),
                          r.equal);
            rows += row;
        }
    if (csv) {
        csv->write(rows);
        csv->finish();
    }
    return all_equal ? exit_ok : exit_failed;
}

} // namespace scree::bench
