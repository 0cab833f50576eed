// SPDX-License-Identifier: MIT
// case_perf.cpp — the thesis' own measurements: 100 to 3000 cubes as a stream, and the most cubes in real time.
#include "bullet_boxes.h"
#include "cases.h"
#include "pile.h"
#include "scree/granular_scene.h"
#include "targets.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace scree::bench {

namespace {

// Fossum 2011, tables 7.1 to 7.3: frames a second, drawing included
struct ThesisFigures {
    std::uint64_t cubes;
    double sequential, accelerated, bullet_moving, bullet_resting;
};
constexpr std::array<ThesisFigures, 4> thesis{{{100, 153.2, 571.4, 417.2, 796.7},
                                               {500, 56.0, 377.8, 132.1, 381.3},
                                               {1000, 29.1, 253.3, 44.8, 136.4},
                                               {3000, 9.2, 110.5, 11.0, 55.2}}};

constexpr int block = 50, blocks = 10; // as in the thesis

std::vector<std::uint64_t> sizes(const BenchOptions& options) {
    if (!options.bodies.empty()) return options.bodies;
    std::vector<std::uint64_t> list;
    for (const ThesisFigures& figures : thesis) list.push_back(figures.cubes);
    return list;
}

double thesis_fps(std::uint64_t cubes, double ThesisFigures::* column) {
    for (const ThesisFigures& figures : thesis)
        if (figures.cubes == cubes) return figures.*column;
    return 0;
}

Scene perf_scene(std::uint64_t cubes) {
    SceneOptions options;
    options.bodies = cubes;
    Scene scene = find_scene("perf-100", options);
    scene.name = "perf-" + std::to_string(cubes);
    return scene;
}

/// The stream when its last cube has come into the grid.
Scene inside_the_grid(std::uint64_t cubes, const Place& place, RunProgress& progress) {
    Scene scene = perf_scene(cubes);
    const GranularSettings& s = granular_scene(scene).settings;
    const float cell = 2 * s.particle_radius;
    const float grid_top = s.grid_min.y + cell * static_cast<float>(s.grid_cells - 1);
    const float body_reach = 3 * std::sqrt(3.0f) * s.particle_radius;
    GranularWorld world = build_world(scene, place);
    const float start = granular_scene(scene).bodies.back().position.y;
    for (;;) {
        float top = 0;
        for (const GranularBodyState& body : world.bodies()) top = std::max(top, body.position.y);
        if (top + body_reach < grid_top) break;
        // a cube that was thrown out of the top comes down again; what never does would be a fault of the scene
        if (world.time() > 60 + start / s.terminal_velocity * 2) break;
        progress.part(1 - top / start);
        world.step(block);
    }
    granular_scene(scene).bodies = bodies_of(world);
    return scene;
}

struct Measured {
    std::string label;
    double thesis = 0; ///< fps
    Row row;
    std::vector<std::vector<double>> repeats;
    std::function<std::vector<double>(Measured&)> run;
};

int steps_of(const BenchOptions& options) { return options.steps > 0 ? options.steps : block * blocks; }

Measured scree_moving(BenchRun& bench, const Scene& scene, const Target& target, std::string label,
                      double thesis_figure) {
    return {std::move(label), thesis_figure, {}, {}, [&bench, scene, target](Measured& self) {
                GranularWorld world = build_world(scene, target.place);
                auto times = time_steps(world, steps_of(bench.options), block, bench.progress);
                self.row = scree_row("granular-perf-1", scene.name, target, world);
                self.row.quality = world_quality(world);
                return times;
            }};
}

/// the same cubes in improved mode, left alone until nearly all of them sleep
Measured scree_resting(BenchRun& bench, const Scene& scene, const Target& target) {
    return {"improved, at rest, " + target.text(), 0, {}, {}, [&bench, scene, target](Measured& self) {
                GranularWorld world = build_world(scene, target.place);
                for (int done = 0; done < 6000 && world.measure().asleep < 0.99 * world.body_count();
                     done += 100)
                    world.step(100);
                auto times = time_steps(world, steps_of(bench.options), block, bench.progress);
                self.row = scree_row("granular-perf-1", scene.name + " at rest", target, world);
                self.row.quality = world_quality(world);
                return times;
            }};
}

Measured bullet(BenchRun& bench, const Scene& scene, bool resting, double thesis_figure) {
    Measured measured{std::string("Bullet, ") + (resting ? "at rest" : "moving"), thesis_figure, {}, {}, {}};
    Row& row = measured.row;
    row.contract = "granular-perf-1";
    row.engine = "bullet";
    row.version = bullet_version();
    row.device = "cpu";
    row.scene = scene.name + (resting ? " at rest" : "");
    row.bodies = row.particles = granular_scene(scene).bodies.size();
    measured.run = [&bench, scene, resting](Measured& self) {
        BulletBoxes boxes(scene);
        for (int done = 0; resting && done < 6000 &&
                           boxes.asleep() < 0.99 * static_cast<double>(granular_scene(scene).bodies.size());
             done += 100)
            boxes.step(100);
        auto times = boxes.time_steps(steps_of(bench.options), block);
        self.row.quality = boxes.quality();
        return times;
    };
    return measured;
}

std::vector<Measured> contenders(BenchRun& bench, const Scene& scene) {
    const std::uint64_t cubes = granular_scene(scene).bodies.size();
    std::vector<Measured> list;
    list.push_back(scree_moving(bench, scene, scalar_target(), "sequential (1 thread, scalar)",
                                thesis_fps(cubes, &ThesisFigures::sequential)));
    const std::vector<Target> devices = targets(bench.options);
    for (const Target& target : devices)
        list.push_back(scree_moving(bench, scene, target, "accelerated, " + target.text(),
                                    thesis_fps(cubes, &ThesisFigures::accelerated)));
    Scene improved = scene;
    improved.name += " improved";
    granular_scene(improved).settings.mode = GranularMode::improved;
    granular_scene(improved).settings.contact = ContactModel::history;
    list.push_back(
        scree_moving(bench, improved, devices.back(), "improved, moving, " + devices.back().text(), 0));
    list.push_back(scree_resting(bench, improved, devices.back()));
    if (!bench.options.bullet) return list;
    if (const auto reason = bullet_missing()) {
        bench.progress.note(*reason);
        return list;
    }
    list.push_back(bullet(bench, scene, false, thesis_fps(cubes, &ThesisFigures::bullet_moving)));
    list.push_back(bullet(bench, scene, true, thesis_fps(cubes, &ThesisFigures::bullet_resting)));
    return list;
}

void print_table(const std::vector<Measured>& list, std::uint64_t cubes) {
    std::vector<std::vector<std::string>> lines{{"engine", "fps", "ms/step", "p99", "Mparticle-steps/s",
                                                 "against sequential", "thesis fps", "against thesis"}};
    for (const Measured& measured : list) {
        const double fps = 1000 / measured.row.mean_ms;
        // Bullet's boxes have no particles
        const bool particles = measured.row.particles != measured.row.bodies;
        lines.push_back({measured.label, number_text(fps), number_text(measured.row.mean_ms),
                         number_text(measured.row.p99_ms),
                         particles ? number_text(particle_steps_per_second(measured.row) / 1e6) : "-",
                         number_text(list.front().row.mean_ms / measured.row.mean_ms, 3),
                         measured.thesis > 0 ? number_text(measured.thesis) : "-",
                         measured.thesis > 0 ? number_text(fps / measured.thesis, 3) : "-"});
    }
    std::printf("\nperf-%llu: %s cubes, %s particles\n%s", static_cast<unsigned long long>(cubes),
                count_text(cubes).c_str(), count_text(27 * cubes).c_str(), table_text(lines).c_str());
}

} // namespace

int perf_runs(const BenchOptions& options) {
    const bool bullets = options.bullet && !bullet_missing();
    const int each = 1 + (3 + target_count(options) + (bullets ? 2 : 0)) * options.repeat;
    return static_cast<int>(sizes(options).size()) * each;
}

void perf_case(BenchRun& bench) {
    for (std::uint64_t cubes : sizes(bench.options)) {
        bench.progress.begin("perf: " + count_text(cubes) + " cubes fall into the grid");
        const Scene scene = inside_the_grid(cubes, preparing_place(bench.options), bench.progress);
        std::vector<Measured> list = contenders(bench, scene);
        for (int turn = 0; turn < bench.options.repeat; ++turn)
            for (Measured& measured : list) {
                bench.progress.begin("perf: " + count_text(cubes) + " cubes, " + measured.label);
                measured.repeats.push_back(measured.run(measured));
            }
        for (Measured& measured : list) {
            const StepTime time = summarise_repeats(measured.repeats);
            measured.row.mean_ms = time.mean_ms;
            measured.row.p99_ms = time.p99_ms;
            measured.row.steps = static_cast<std::uint64_t>(steps_of(bench.options) * bench.options.repeat);
            bench.rows.push_back(measured.row);
        }
        bench.progress.clear();
        print_table(list, cubes);
    }
}

// the most cubes at 100 steps a second ----------------------------------------------------------------------------

namespace {

constexpr double real_time_ms = 10;
constexpr std::uint64_t most_cubes = 4000000;

/// n cubes fall in ten layers into a box that fits them, under the contact law and grid of Fossum 2011
Scene dropped_cubes(std::uint64_t cubes) {
    SceneOptions options;
    options.bodies = cubes;
    Scene scene = find_scene("pile", options);
    const float half_width = granular_scene(scene).settings.world_size;
    float top = 0;
    for (const GranularBodyDef& body : granular_scene(scene).bodies) top = std::max(top, body.position.y);
    granular_scene(scene).settings = granular_scene(find_scene("perf-100")).settings;
    GranularSettings& s = granular_scene(scene).settings;
    s.world_size = half_width;
    const float cell = 2 * s.particle_radius;
    s.grid_min = {-half_width - cell, -cell, -half_width - cell};
    s.grid_cells = static_cast<int>(std::ceil(std::max(2 * half_width, top + 1) / cell)) + 2;
    scene.name = "pile";
    return scene;
}

Row measure_cubes(BenchRun& bench, std::uint64_t cubes, const Target& target) {
    bench.progress.begin("realtime: " + count_text(cubes) + " cubes, " + target.text());
    const Scene scene = dropped_cubes(cubes);
    GranularWorld world = build_world(scene, target.place);
    world.step(300); // the uppermost need 2.1 s to the ground
    const int steps = bench.options.steps > 0 ? bench.options.steps : 2 * block;
    // the median of short blocks: one hiccup must not turn the search
    std::vector<std::vector<double>> parts;
    for (int i = 0; i < 5; ++i)
        parts.push_back(time_steps(world, std::max(steps / 5, 1), std::max(steps / 5, 1), bench.progress));
    const StepTime time = summarise_repeats(parts);
    Row row = scree_row("granular-realtime-1", scene.name, target, world);
    row.mean_ms = time.mean_ms;
    row.p99_ms = time.p99_ms;
    row.steps = static_cast<std::uint64_t>(steps);
    row.quality = world_quality(world);
    return row;
}

/// doubling, then halving of the interval, to 3 %
Row largest_real_time(BenchRun& bench, const Target& target) {
    const std::vector<std::uint64_t>& told = bench.options.bodies;
    const std::uint64_t most = told.empty() ? most_cubes : *std::max_element(told.begin(), told.end());
    std::uint64_t low = std::min<std::uint64_t>(100, most), high = 0;
    Row best = measure_cubes(bench, low, target);
    if (best.mean_ms > real_time_ms) return best;
    while (high == 0 && low < most) {
        const Row row = measure_cubes(bench, 2 * low, target);
        if (row.mean_ms > real_time_ms) {
            high = 2 * low;
        } else {
            low *= 2;
            best = row;
        }
    }
    while (high > low + low / 32) {
        const std::uint64_t middle = (low + high) / 2;
        const Row row = measure_cubes(bench, middle, target);
        if (row.mean_ms > real_time_ms) {
            high = middle;
        } else {
            low = middle;
            best = row;
        }
    }
    return best;
}

} // namespace

int realtime_runs(const BenchOptions& options) { return 12 * (1 + target_count(options)); }

void realtime_case(BenchRun& bench) {
    std::vector<Target> list{scalar_target()};
    for (const Target& target : targets(bench.options)) list.push_back(target);
    std::vector<std::vector<std::string>> lines{{"device", "cubes", "particles", "ms/step", "thesis"}};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Row row = largest_real_time(bench, list[i]);
        bench.rows.push_back(row);
        lines.push_back({list[i].text(), count_text(row.bodies), count_text(row.particles),
                         number_text(row.mean_ms), i == 0 ? "300" : "3,300"});
    }
    bench.progress.clear();
    std::printf("\nrealtime: the most cubes at 100 steps a second of 0.01 s\n%s", table_text(lines).c_str());
}

} // namespace scree::bench
