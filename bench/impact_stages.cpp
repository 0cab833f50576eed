// SPDX-License-Identifier: MIT
// impact_stages.cpp — see impact_stages.h. The comparisons of Á. del Monte Freitas, 2007: each stage of circles and of polygons, and their
// totals, on the CPU against GPUs.
//
// Two runs of each world: one waits after every stage and times them, one waits only for the first impact and times the whole. The work
// itself timed the submission of passes, so that most of them hardly seemed to depend on the number of bodies.
#include "impact_stages.h"

#include "bench_options.h"
#include "impact2d/scenes.h"
#include "impact2d/world.h"
#include "scree/error.h"
#include "stopwatch.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace scree::bench {
namespace {

constexpr std::size_t stage_count = static_cast<std::size_t>(StagedStage::count);
constexpr const char* stage_names[stage_count] = {"boxes",    "candidates", "bisection", "minimum",
                                                  "impulses", "advance",    "drawing"};

/// A stage of one of the two worlds, as the work's figures 5.1 to 5.13 compare it.
struct Comparison {
    const char* figure;
    bool polygons;
    int stage; ///< -1: the total
    const char* finding;
};
constexpr Comparison comparisons[] = {
    {"5.1", false, static_cast<int>(StagedStage::bisection), "GPU better"},
    {"5.2", false, static_cast<int>(StagedStage::minimum), "GPU worse"},
    {"5.3", false, static_cast<int>(StagedStage::advance), "GPU better"},
    {"5.4", false, static_cast<int>(StagedStage::drawing), "GPU worse"},
    {"5.5", false, -1, "GPU better for many"},
    {"5.6", true, static_cast<int>(StagedStage::boxes), "GPU better for many"},
    {"5.7", true, static_cast<int>(StagedStage::candidates), "GPU better"},
    {"5.8", true, static_cast<int>(StagedStage::bisection), "GPU better"},
    {"5.9", true, static_cast<int>(StagedStage::minimum), "GPU worse"},
    {"5.10", true, static_cast<int>(StagedStage::impulses), "GPU better"},
    {"5.11", true, static_cast<int>(StagedStage::advance), "GPU better"},
    {"5.12", true, static_cast<int>(StagedStage::drawing), "GPU worse"},
    {"5.13", true, -1, "GPU worse"},
};

struct Result {
    bool polygons = false;
    std::string device;
    int threads = 0; ///< of the CPU; 0: a GPU
    std::uint64_t bodies = 0;
    StagedTimes stages{}, submitted{}; ///< s of an iteration
    double total = 0;                  ///< s of an iteration without waiting
    double simulated = 0;              ///< time reached
    std::uint64_t impacts = 0;
    double energy_drift = 0; ///< relative
    std::uint64_t hash = 0;  ///< at the end
};

StagedImpactWorld start(bool polygons, std::uint64_t bodies, const Place& place) {
    StagedImpactSettings settings;
    const auto count = static_cast<std::uint32_t>(bodies);
    if (polygons) return StagedImpactWorld(impact2d::polygon_scene(count), settings, place);
    const impact2d::CircleScene scene = impact2d::circle_scene(count);
    settings.limit = scene.limit;
    return StagedImpactWorld(scene.circles, settings, place);
}

constexpr int image_side = 512;

float room(std::uint64_t bodies) { return std::ceil(std::sqrt(static_cast<float>(bodies))) + 2; }

/// Once through everything, so that it is compiled.
void warm(StagedImpactWorld& world, std::uint64_t bodies) {
    while (world.impacts() == 0 || world.steps_done() < 2) world.step();
    world.draw(image_side, room(bodies));
}

Result measure(bool polygons, std::uint64_t bodies, const Place& place, std::uint64_t iterations) {
    Result result;
    result.polygons = polygons;
    result.device = place.device();
    result.threads = place.device() == "cpu" ? place.threads() : 0;
    result.bodies = bodies;
    {
        StagedImpactWorld world = start(polygons, bodies, place);
        warm(world, bodies);
        world.time_stages(true);
        for (std::uint64_t k = 0; k < iterations; ++k) {
            world.step();
            world.draw(image_side, room(bodies));
        }
        result.stages = world.stage_seconds();
        result.submitted = world.submission_seconds();
        for (std::size_t k = 0; k < stage_count; ++k) {
            result.stages[k] /= static_cast<double>(iterations);
            result.submitted[k] /= static_cast<double>(iterations);
        }
    }
    StagedImpactWorld world = start(polygons, bodies, place);
    const StagedMeasure before = world.measure();
    warm(world, bodies);
    const Stopwatch clock;
    for (std::uint64_t k = 0; k < iterations; ++k) {
        world.step();
        world.draw(image_side, room(bodies));
    }
    world.state().stages->finish();
    result.total = clock.seconds() / static_cast<double>(iterations);
    const StagedMeasure after = world.measure();
    result.simulated = world.time();
    result.impacts = world.impacts();
    result.hash = world.hash();
    result.energy_drift = after.kinetic_energy / before.kinetic_energy - 1;
    return result;
}

std::string rows_of(const Result& r, std::uint64_t iterations) {
    std::string text;
    const auto row = [&](const char* stage, double seconds, double submitted) {
        char line[256];
        std::snprintf(line, sizeof line, "%s,%s,%d,%llu,%llu,%s,%.4g,%.4g,%.5g,%llu,%.3g,%016llx\n",
                      r.polygons ? "polygons" : "circles", r.device.c_str(), r.threads,
                      static_cast<unsigned long long>(r.bodies), static_cast<unsigned long long>(iterations),
                      stage, 1e6 * seconds, 1e6 * submitted, r.simulated,
                      static_cast<unsigned long long>(r.impacts), r.energy_drift,
                      static_cast<unsigned long long>(r.hash));
        text += line;
    };
    for (std::size_t k = 0; k < stage_count; ++k)
        if (r.stages[k] > 0) row(stage_names[k], r.stages[k], r.submitted[k]);
    row("total", r.total, r.total);
    return text;
}

void print(const Result& r) {
    const std::string on = r.threads > 0 ? r.device + " " + std::to_string(r.threads) : r.device;
    std::printf("%-9s %-10s %6llu", r.polygons ? "polygons" : "circles", on.c_str(),
                static_cast<unsigned long long>(r.bodies));
    for (const double seconds : r.stages) std::printf(" %10.1f", 1e6 * seconds);
    std::printf(" %10.1f %9.3g %8llu %9.1e %016llx\n", 1e6 * r.total, r.simulated,
                static_cast<unsigned long long>(r.impacts), r.energy_drift,
                static_cast<unsigned long long>(r.hash));
    std::fflush(stdout);
}

double seconds_of(const Result& r, int stage) {
    return stage < 0 ? r.total : r.stages[static_cast<std::size_t>(stage)];
}

/// For each figure the least number of bodies from which the GPU is faster than one thread, whatever comes after.
void print_comparisons(const std::vector<Result>& results, const std::string& gpu) {
    std::printf("\nfigure  world     stage       in the work          here: %s is faster\n", gpu.c_str());
    for (const Comparison& c : comparisons) {
        std::uint64_t from = 0;
        bool always = true, faster = false;
        for (const Result& cpu : results) {
            if (cpu.threads != 1 || cpu.polygons != c.polygons) continue;
            for (const Result& there : results)
                if (there.device == gpu && there.polygons == c.polygons && there.bodies == cpu.bodies) {
                    const bool now = seconds_of(there, c.stage) < seconds_of(cpu, c.stage);
                    if (now && !faster) from = cpu.bodies;
                    faster = now;
                    always = always && now;
                }
        }
        std::printf("%-7s %-9s %-11s %-20s ", c.figure, c.polygons ? "polygons" : "circles",
                    c.stage < 0 ? "total" : stage_names[c.stage], c.finding);
        if (always) std::printf("for all numbers of bodies\n");
        else if (faster) std::printf("from %llu bodies on\n", static_cast<unsigned long long>(from));
        else std::printf("not with these numbers of bodies\n");
    }
}

/// Those asked for; else all that are there.
std::vector<Place> places(const Arguments& given) {
    std::vector<std::string> devices = choose_from(given, "--device", {"cpu", "cuda", "opencl", "gles"});
    if (!devices.empty()) return places_of(devices, thread_list(given));
    devices = {"cpu"};
    for (const char* name : {"cuda", "opencl", "gles"}) try {
            start(false, 1, name);
            devices.emplace_back(name);
        } catch (const Error& error) {
            std::printf("without %s: %s\n", name, error.what());
        }
    return places_of(devices, thread_list(given));
}

} // namespace

int run_impact_stages(const Arguments& given) {
    std::vector<std::uint64_t> counts = count_list(given, "--bodies", 16'000);
    if (counts.empty()) counts = {16, 32, 64, 128, 256, 512, 1024};
    const auto iterations = whole_option<std::uint64_t>(given, "--iterations", 1, 1'000'000, 1000);
    const std::vector<Place> all = places(given);
    const auto csv = open_output(given, "--csv");
    std::string text =
        "world,device,threads,bodies,iterations,stage,microseconds,submitted,simulated,impacts,energy_drift,"
        "hash\n";
    std::printf("microseconds of an iteration, mean of %llu; total: without waiting after stages\n",
                static_cast<unsigned long long>(iterations));
    std::printf("%-9s %-10s %6s", "world", "on", "bodies");
    for (const char* name : stage_names) std::printf(" %10s", name);
    std::printf(" %10s %9s %8s %9s %s\n", "total", "simulated", "impacts", "energy", "hash");
    std::vector<Result> results;
    for (const bool polygons : {false, true})
        for (const std::uint64_t count : counts)
            for (const Place& place : all) {
                results.push_back(measure(polygons, count, place, iterations));
                print(results.back());
                text += rows_of(results.back(), iterations);
            }
    for (const Place& place : all)
        if (place.device() != "cpu") print_comparisons(results, place.device());
    finish_csv(csv, text);
    return 0;
}

} // namespace scree::bench
