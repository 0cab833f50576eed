// SPDX-License-Identifier: MIT
// case_variants.cpp — choices inside Scree against each other: grid or every pair, items for particles or for bodies.
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

/// Two variants of a settled pile at several sizes.
struct Comparison {
    std::string name, item;           ///< "crossover", "grains"
    std::string contract, scene;      ///< of the built-in scene
    std::uint64_t most_in_tile;       ///< of settled_pile
    std::vector<std::uint64_t> sizes; ///< unless --bodies says others
};

const Comparison crossover{"crossover", "grains", "granular-crossover-1",
                           "grains",    30000,    {64, 128, 256, 512, 1024, 2048, 4096}};
const Comparison decomposition{"decomposition", "cubes", "granular-decomposition-1",
                               "pile",          1000,    {100, 1000, 3000}};

const std::vector<std::uint64_t>& sizes(const BenchOptions& options, const Comparison& comparison) {
    return options.bodies.empty() ? comparison.sizes : options.bodies;
}

int runs(const BenchOptions& options, const Comparison& comparison) {
    return static_cast<int>(sizes(options, comparison).size()) * (1 + target_count(options));
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

/// Calls `variants(scene)` for the two scenes of each size, and `use(target number, rows)` with what each target gave.
template <class Variants, class Use>
void compare_all(BenchRun& bench, const Comparison& comparison, const std::vector<Target>& list,
                 const std::function<int(std::uint64_t)>& steps, Variants variants, Use use) {
    for (const std::uint64_t size : sizes(bench.options, comparison)) {
        const std::string what = count_text(size) + " " + comparison.item;
        bench.progress.begin(comparison.name + ": settling " + what);
        const Scene pile = settled_pile(comparison.scene, size, comparison.most_in_tile,
                                        preparing_place(bench.options), bench.progress);
        for (std::size_t i = 0; i < list.size(); ++i) {
            bench.progress.begin(comparison.name + ": " + what + ", " + list[i].text());
            use(i, compare(bench, comparison.contract, variants(pile), list[i],
                           bench.options.steps > 0 ? bench.options.steps : steps(size)));
        }
    }
    bench.progress.clear();
}

struct Point {
    double particles, ratio; ///< time of every pair over time of the grid
};

std::string where_the_grid_wins(const std::vector<Point>& curve) {
    std::string where = "the grid wins at every size measured";
    for (std::size_t k = 0; k < curve.size(); ++k) {
        if (curve[k].ratio >= 1) continue;
        if (k + 1 == curve.size()) return "every pair still wins at the largest size measured";
        const Point &a = curve[k], &b = curve[k + 1];
        if (b.ratio < 1) continue;
        // between the two sizes the ratio is close to a power of the size
        const double share = std::log(1 / a.ratio) / std::log(b.ratio / a.ratio);
        const double from = a.particles * std::pow(b.particles / a.particles, share);
        where = "the grid wins from about " + count_text(static_cast<std::uint64_t>(from)) + " particles";
    }
    return where;
}

} // namespace

int crossover_runs(const BenchOptions& options) { return runs(options, crossover); }

void crossover_case(BenchRun& bench) {
    const std::vector<Target> list = targets(bench.options);
    std::vector<std::vector<Point>> curves(list.size());
    TextTable lines{{"device", "particles", "grid ms", "every pair ms", "pairs / grid"}};
    compare_all(
        bench, crossover, list,
        [](std::uint64_t size) {
            return static_cast<int>(std::clamp<std::uint64_t>(40000000 / (size * size), 10, 1000));
        },
        [](const Scene& pile) {
            std::array<Scene, 2> two{pile, pile};
            two[0].name = "grains grid";
            two[1].name = "grains every pair";
            granular_scene(two[1]).settings.mode = GranularMode::brute;
            return two;
        },
        [&](std::size_t i, const std::array<Row, 2>& rows) {
            curves[i].push_back({static_cast<double>(rows[0].particles), rows[1].mean_ms / rows[0].mean_ms});
            lines.push_back({list[i].text(), count_text(rows[0].particles), number_text(rows[0].mean_ms),
                             number_text(rows[1].mean_ms), number_text(curves[i].back().ratio, 3)});
        });
    std::printf("\ncrossover: the grid against testing every pair\n%s", table_text(lines).c_str());
    for (std::size_t i = 0; i < list.size(); ++i)
        std::printf("  %s: %s\n", list[i].text().c_str(), where_the_grid_wins(curves[i]).c_str());
}

int decomposition_runs(const BenchOptions& options) { return runs(options, decomposition); }

void decomposition_case(BenchRun& bench) {
    const std::vector<Target> list = targets(bench.options);
    TextTable lines{{"device", "cubes", "mixed ms", "per body ms", "per body / mixed"}};
    compare_all(
        bench, decomposition, list, [](std::uint64_t) { return 100; },
        [](const Scene& pile) {
            std::array<Scene, 2> two{pile, pile};
            two[0].name = "pile mixed";
            granular_scene(two[0]).settings.decomposition = Decomposition::mixed;
            two[1].name = "pile per body";
            granular_scene(two[1]).settings.decomposition = Decomposition::per_body;
            return two;
        },
        [&](std::size_t i, const std::array<Row, 2>& rows) {
            lines.push_back({list[i].text(), count_text(rows[0].bodies), number_text(rows[0].mean_ms),
                             number_text(rows[1].mean_ms),
                             number_text(rows[1].mean_ms / rows[0].mean_ms, 3)});
        });
    std::printf("\ndecomposition: items for particles and bodies (mixed) against items for bodies alone\n%s",
                table_text(lines).c_str());
}

} // namespace scree::bench
