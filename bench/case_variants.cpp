// SPDX-License-Identifier: MIT
// case_variants.cpp — choices inside Scree against each other: grid or every pair, items for particles or for bodies.
#include "cases.h"
#include "pile.h"
#include "targets.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace scree::bench {

namespace {

std::vector<std::uint64_t> sizes(const BenchOptions& options, std::vector<std::uint64_t> own) {
    return options.bodies.empty() ? own : options.bodies;
}

std::vector<std::uint64_t> crossover_sizes(const BenchOptions& options) {
    return sizes(options, {64, 128, 256, 512, 1024, 2048, 4096});
}

std::vector<std::uint64_t> decomposition_sizes(const BenchOptions& options) {
    return sizes(options, {100, 1000, 3000});
}

/// Two settings of one scene, taking turns; the rows of both.
std::array<Row, 2> compare(BenchRun& bench, const std::string& contract, std::array<Scene, 2> scenes,
                           const Target& target, int steps) {
    std::array<Row, 2> rows;
    std::array<std::vector<std::vector<double>>, 2> repeats;
    const int block = std::max(steps / 10, 1);
    for (int turn = 0; turn < bench.options.repeat; ++turn)
        for (std::size_t i = 0; i < 2; ++i) {
            GranularWorld world = build_world(scenes[i], target.place);
            world.step(block);
            repeats[i].push_back(time_steps(world, steps, block, bench.progress));
            rows[i] = scree_row(contract, scenes[i].name, target, world);
            rows[i].quality = world_quality(world);
        }
    for (std::size_t i = 0; i < 2; ++i) {
        const StepTime time = summarise_repeats(repeats[i]);
        rows[i].mean_ms = time.mean_ms;
        rows[i].p99_ms = time.p99_ms;
        rows[i].steps = static_cast<std::uint64_t>(steps * bench.options.repeat);
        bench.rows.push_back(rows[i]);
    }
    return rows;
}

} // namespace

int crossover_runs(const BenchOptions& options) {
    return static_cast<int>(crossover_sizes(options).size()) * (1 + target_count(options));
}

void crossover_case(BenchRun& bench) {
    struct Point {
        double particles, ratio; ///< time of every pair over time of the grid
    };
    const std::vector<Target> list = targets(bench.options);
    std::vector<std::vector<Point>> curves(list.size());
    std::vector<std::vector<std::string>> lines{
        {"device", "particles", "grid ms", "every pair ms", "pairs / grid"}};
    for (std::uint64_t size : crossover_sizes(bench.options)) {
        bench.progress.begin("crossover: settling " + count_text(size) + " grains");
        Scene grid = settled_pile("grains", size, 30000, preparing_place(bench.options), bench.progress);
        Scene brute = grid;
        grid.name = "grains grid";
        brute.name = "grains every pair";
        brute.settings.mode = GranularMode::brute;
        const int steps =
            bench.options.steps > 0
                ? bench.options.steps
                : static_cast<int>(std::clamp<std::uint64_t>(40000000 / (size * size), 10, 1000));
        for (std::size_t i = 0; i < list.size(); ++i) {
            bench.progress.begin("crossover: " + count_text(size) + " grains, " + list[i].text());
            const auto rows = compare(bench, "granular-crossover-1", {grid, brute}, list[i], steps);
            curves[i].push_back({static_cast<double>(rows[0].particles), rows[1].mean_ms / rows[0].mean_ms});
            lines.push_back({list[i].text(), count_text(rows[0].particles), number_text(rows[0].mean_ms),
                             number_text(rows[1].mean_ms), number_text(curves[i].back().ratio, 3)});
        }
    }
    bench.progress.clear();
    std::printf("\ncrossover: the grid against testing every pair\n%s", table_text(lines).c_str());
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::string where = "the grid wins at every size measured";
        for (std::size_t k = 0; k < curves[i].size(); ++k) {
            if (curves[i][k].ratio >= 1) continue;
            if (k + 1 == curves[i].size()) {
                where = "every pair still wins at the largest size measured";
            } else if (curves[i][k + 1].ratio >= 1) {
                // between the two sizes the ratio is close to a power of the size
                const Point& a = curves[i][k];
                const Point& b = curves[i][k + 1];
                const double share = std::log(1 / a.ratio) / std::log(b.ratio / a.ratio);
                where = "the grid wins from about " +
                        count_text(static_cast<std::uint64_t>(a.particles *
                                                              std::pow(b.particles / a.particles, share))) +
                        " particles";
            }
        }
        std::printf("  %s: %s\n", list[i].text().c_str(), where.c_str());
    }
}

int decomposition_runs(const BenchOptions& options) {
    return static_cast<int>(decomposition_sizes(options).size()) * (1 + target_count(options));
}

void decomposition_case(BenchRun& bench) {
    const std::vector<Target> list = targets(bench.options);
    std::vector<std::vector<std::string>> lines{
        {"device", "cubes", "mixed ms", "per body ms", "per body / mixed"}};
    for (std::uint64_t size : decomposition_sizes(bench.options)) {
        bench.progress.begin("decomposition: settling " + count_text(size) + " cubes");
        Scene mixed = settled_pile("pile", size, 1000, preparing_place(bench.options), bench.progress);
        Scene per_body = mixed;
        mixed.name = "pile mixed";
        mixed.settings.decomposition = Decomposition::mixed;
        per_body.name = "pile per body";
        per_body.settings.decomposition = Decomposition::per_body;
        const int steps = bench.options.steps > 0 ? bench.options.steps : 100;
        for (const Target& target : list) {
            bench.progress.begin("decomposition: " + count_text(size) + " cubes, " + target.text());
            const auto rows = compare(bench, "granular-decomposition-1", {mixed, per_body}, target, steps);
            lines.push_back({target.text(), count_text(rows[0].bodies), number_text(rows[0].mean_ms),
                             number_text(rows[1].mean_ms),
                             number_text(rows[1].mean_ms / rows[0].mean_ms, 3)});
        }
    }
    bench.progress.clear();
    std::printf("\ndecomposition: items for particles and bodies (mixed) against items for bodies alone\n%s",
                table_text(lines).c_str());
}

} // namespace scree::bench
