// SPDX-License-Identifier: MIT
// case_scaling.cpp — cost against size for settled piles, stage by stage, with bytes moved against the bandwidth.
#include "cases.h"
#include "device/opened.h"
#include "pile.h"
#include "scree/error.h"
#include "scree/granular_scene.h"
#include "targets.h"
#include "text.h"
#include "traffic.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace scree::bench {

namespace {

/// bodies of one particle, and of 27
struct Family {
    const char *name, *scene;
    std::uint64_t particles_of_body, most_in_tile;
};
constexpr Family families[] = {{"grains", "grains", 1, 30000}, {"cubes", "pile", 27, 1000}};

std::vector<std::uint64_t> sizes(const BenchOptions& options) {
    if (!options.bodies.empty()) return options.bodies;
    return {1000, 10000, 100000, 1000000, 10000000};
}

// about as much work at every size, but enough steps for a mean
int steps_for(const BenchOptions& options, std::uint64_t particles) {
    if (options.steps > 0) return options.steps;
    return static_cast<int>(std::clamp<std::uint64_t>(20000000 / particles, 10, 500));
}

struct StageTimes {
    std::array<double, granular_stage_names.size()> seconds{}; ///< a step
    std::array<double, granular_stage_names.size()> bytes{};
};

StageTimes time_stages(GranularWorld& world, int steps) {
    StageTimes times;
    world.time_stages(true);
    world.step(steps);
    world.device().finish();
    times.seconds = world.stage_seconds();
    world.time_stages(false);
    for (double& seconds : times.seconds) seconds /= steps;
    times.bytes = step_bytes(world);
    return times;
}

void print_stages(const std::string& title, const StageTimes& times, double bandwidth) {
    std::vector<std::vector<std::string>> lines{
        {"stage", "ms/step", "share", "least MB moved", "GB/s reached", "of the measured bandwidth"}};
    double total = 0, bytes = 0;
    for (std::size_t i = 0; i < times.seconds.size(); ++i) {
        total += times.seconds[i];
        bytes += times.bytes[i];
    }
    const auto line = [&](std::string name, double seconds, double moved) {
        const double rate = seconds > 0 ? moved / seconds : 0;
        lines.push_back({std::move(name), number_text(seconds * 1e3),
                         number_text(100 * seconds / total, 3) + " %", number_text(moved / 1e6),
                         number_text(rate / 1e9),
                         bandwidth > 0 ? number_text(100 * rate / bandwidth, 3) + " %" : "-"});
    };
    for (std::size_t i = 0; i < times.seconds.size(); ++i)
        line(std::string(granular_stage_names[i]), times.seconds[i], times.bytes[i]);
    line("all", total, bytes);
    std::printf("\nstages, %s; streaming bandwidth %s GB/s\n%s", title.c_str(),
                number_text(bandwidth / 1e9).c_str(), table_text(lines).c_str());
}

/// one pile on one target
struct Point {
    std::string label, family;
    Target target;
    Row row;
    double memory = 0; ///< bytes a particle
    StageTimes stages;
};

Point measure_point(BenchRun& bench, const Family& family, const Scene& scene, const Target& target) {
    Point point;
    point.family = family.name;
    point.label = point.family + ", " + target.text();
    point.target = target;
    GranularWorld world = build_world(scene, target.place);
    const std::uint64_t particles = world.particle_count();
    const int steps = steps_for(bench.options, particles), block = std::max(steps / 10, 1);
    world.step(block);
    // the largest take long enough to be steady
    std::vector<std::vector<double>> repeats;
    for (int i = 0; i < (particles > 2000000 ? 1 : bench.options.repeat); ++i)
        repeats.push_back(time_steps(world, steps, block, bench.progress));
    const StepTime time = summarise_repeats(repeats);
    point.row = scree_row("granular-scaling-1", scene.name, target, world);
    point.row.mean_ms = time.mean_ms;
    point.row.p99_ms = time.p99_ms;
    point.row.steps = static_cast<std::uint64_t>(steps) * repeats.size();
    point.row.quality = world_quality(world);
    point.memory = static_cast<double>(world.memory()) / static_cast<double>(particles);
    point.stages = time_stages(world, block);
    return point;
}

std::vector<Point> measure_points(BenchRun& bench) {
    const std::vector<Target> list = targets(bench.options);
    std::vector<Point> points;
    for (const Family& family : families)
        for (std::uint64_t size : sizes(bench.options)) {
            const std::string what = count_text(size) + " particles of " + family.name;
            // too large for a device is a result, not a reason to lose the others
            try {
                bench.progress.begin("scaling: settling " + what);
                const std::uint64_t bodies = std::max<std::uint64_t>(size / family.particles_of_body, 1);
                const Scene scene = settled_pile(family.scene, bodies, family.most_in_tile,
                                                 preparing_place(bench.options), bench.progress);
                for (const Target& target : list) {
                    bench.progress.begin("scaling: " + what + ", " + target.text());
                    points.push_back(measure_point(bench, family, scene, target));
                    bench.rows.push_back(points.back().row);
                }
            } catch (const Error& error) {
                bench.progress.note("scaling: " + what + " are left out: " + error.what());
            }
        }
    return points;
}

} // namespace

int scaling_runs(const BenchOptions& options) {
    return 2 * static_cast<int>(sizes(options).size()) * (1 + target_count(options));
}

void scaling_case(BenchRun& bench) {
    const std::vector<Point> points = measure_points(bench);
    bench.progress.clear();

    std::vector<std::vector<std::string>> lines{
        {"pile", "device", "particles", "ms/step", "p99", "Mparticle-steps/s", "bytes/particle"}};
    std::map<std::string, Series> series;
    std::uint64_t largest = 0;
    for (const Point& point : points) {
        const Row& row = point.row;
        lines.push_back({point.family, point.target.text(), count_text(row.particles),
                         number_text(row.mean_ms), number_text(row.p99_ms),
                         number_text(particle_steps_per_second(row) / 1e6), number_text(point.memory)});
        series[point.label].name = point.label;
        series[point.label].points.emplace_back(static_cast<double>(row.particles), row.mean_ms);
        largest = std::max(largest, row.particles);
    }
    std::printf("\nscaling: settled piles\n%s", table_text(lines).c_str());

    bench.plot = {"Cost of a step of settled piles", "particles", "ms a step", {}, {}};
    std::printf("\nlog-log slope of ms a step against particles (1 is linear)\n");
    for (const auto& [label, curve] : series) {
        bench.plot.series.push_back(curve);
        std::printf("  %s  %s\n", padded(label, 28).c_str(),
                    number_text(log_log_slope(curve.points), 3).c_str());
    }
    std::map<std::string, double> bandwidth; // of each target
    for (const Point& point : points) {
        // small piles live in caches, which this table is not about
        if (point.row.particles < std::min<std::uint64_t>(100000, largest / 2)) continue;
        const std::string target = point.target.text();
        if (bandwidth.find(target) == bandwidth.end())
            bandwidth[target] = measured_bandwidth(*point.target.place.opened().queue());
        print_stages(point.label + ", " + count_text(point.row.particles) + " particles", point.stages,
                     bandwidth[target]);
    }
}

} // namespace scree::bench
