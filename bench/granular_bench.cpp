// SPDX-License-Identifier: MIT
// granular_bench.cpp — `scree bench granular`: runs the cases chosen and writes what they found.
#include "bench_options.h"
#include "benchmarks.h"
#include "cases.h"
#include "targets.h"
#include "text.h"

#include <algorithm>
#include <cstdio>

namespace scree::bench {

namespace {

constexpr BenchCase bench_cases[] = {
    {"grains", "a settled pile beside LAMMPS and LIGGGHTS, equal physics", grains_runs, grains_case},
    {"perf", "the thesis' 100 to 3000 cubes beside its figures and Bullet", perf_runs, perf_case},
    {"realtime", "the most cubes at 100 steps a second", realtime_runs, realtime_case},
    {"scaling", "cost against 1e3 to 1e7 particles, stage by stage", scaling_runs, scaling_case},
    {"crossover", "the grid against testing every pair", crossover_runs, crossover_case},
    {"decomposition", "items for particles against items for bodies", decomposition_runs, decomposition_case},
    {"models", "contact models on tower, interlock and wedge", models_runs, models_case}};

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const BenchCase& known : bench_cases) names.emplace_back(known.name);
    return names;
}

BenchOptions parse(const Arguments& given) {
    BenchOptions options;
    options.cases = choose_from(given, "--scene", case_names());
    if (options.cases.empty()) options.cases = case_names();
    if (const auto peers = choose_from(given, "--peers", {"none", "lammps", "liggghts", "bullet"});
        !peers.empty()) {
        const auto wanted = [&](const char* peer) {
            return std::find(peers.begin(), peers.end(), peer) != peers.end();
        };
        options.lammps = wanted("lammps");
        options.liggghts = wanted("liggghts");
        options.bullet = wanted("bullet");
    }
    options.bodies = count_list(given, "--bodies", 1000000000);
    options.threads = thread_list(given);
    options.devices = option_list(given, "--device");
    if (options.devices.empty()) options.devices = {"cpu"};
    options.repeat = whole_option(given, "--repeat", 1, 1000, 3);
    options.steps = whole_option(given, "--steps", 1, 100000000, 0);
    return options;
}

/// Calls `use` with each case that was chosen.
template <class Use>
void each_case(const BenchOptions& options, Use use) {
    for (const std::string& name : options.cases)
        for (const BenchCase& known : bench_cases)
            if (known.name == name) use(known);
}

int run(const Arguments& given) {
    const BenchOptions options = parse(given);
    // what cannot be opened is said now, not after an hour
    targets(options);
    const auto csv = open_output(given, "--csv"), svg = open_output(given, "--svg");

    int runs = 0;
    each_case(options, [&](const BenchCase& each) { runs += each.runs(options); });
    RunProgress progress(runs);
    BenchRun bench{options, progress, {}, {}};
    const bool complete = progress.completes([&] {
        each_case(options, [&](const BenchCase& each) {
            each.run(bench);
            std::fflush(stdout);
        });
    });
    finish_csv(csv, csv_text(bench.rows));
    if (svg) {
        svg->finish(svg_text(bench.plot));
        std::printf("plot in %s\n", svg->name().c_str());
    }
    return complete ? exit_ok : exit_interrupted;
}

} // namespace

CommandSpec granular_bench() {
    std::string text = "Measures the granular world beside other engines on the same scene.\n\nscenes:\n";
    for (const BenchCase& known : bench_cases)
        text += "  " + padded(known.name, 15) + std::string(known.summary) + "\n";
    text += "\nThe CSV's columns and the contracts behind its first one are explained in "
            "docs/manual/bench-granular.md.";
    return {"granular",
            "the granular world beside LAMMPS, LIGGGHTS and Bullet",
            text,
            {R"(
--scene LIST        from the list above; default: all
--bodies LIST       sizes in place of the scene's own, e.g. 1e3,50k; of realtime about the most cubes to try
--threads LIST      CPU threads, and MPI ranks of the peers; default: 1 and all cores
--device LIST       devices to measure; default: cpu
--peers LIST        none, all, lammps, liggghts, bullet; default: all
--repeat N          runs of each, engines taking turns; the median counts; default: 3
--steps N           timed steps in place of the scene's own
--svg FILE          draw cost against size (scaling)
)",
             csv_option},
            run};
}

} // namespace scree::bench
