// SPDX-License-Identifier: MIT
// bench_command.cpp — `scree bench`: runs the cases chosen and writes what they found.
#include "bench_options.h"
#include "cases.h"
#include "churn.h"
#include "commands.h"
#include "kernels_bench.h"
#include "output_file.h"
#include "plot_bench.h"
#include "render_bench.h"
#include "rigid_options.h"
#include "seed4.h"
#include "targets.h"
#include "text.h"
#include "worlds_bench.h"

#include <cstdio>
#include <memory>

namespace scree {

namespace bench {

std::span<const BenchCase> bench_cases() {
    static constexpr BenchCase cases[] = {
        {"grains", "a settled pile beside LAMMPS and LIGGGHTS, equal physics", grains_runs, grains_case},
        {"perf", "the thesis' 100 to 3000 cubes beside its figures and Bullet", perf_runs, perf_case},
        {"realtime", "the most cubes at 100 steps a second", realtime_runs, realtime_case},
        {"scaling", "cost against 1e3 to 1e7 particles, stage by stage", scaling_runs, scaling_case},
        {"crossover", "the grid against testing every pair", crossover_runs, crossover_case},
        {"decomposition", "items for particles against items for bodies", decomposition_runs,
         decomposition_case},
        {"models", "contact models on tower, interlock and wedge", models_runs, models_case}};
    return cases;
}

} // namespace bench

int bench_command(std::span<const std::string> arguments) {
    using namespace bench;
    if (!arguments.empty() && arguments.front() == "rigid") {
        const RigidOptions rigid = parse_rigid_options(arguments);
        return rigid.help ? exit_ok : rigid_bench(rigid);
    }
    if (!arguments.empty() && arguments.front() == "worlds") return worlds_bench(arguments);
    if (!arguments.empty() && arguments.front() == "churn") {
        const ChurnOptions churn = parse_churn_options(arguments);
        return churn.help ? exit_ok : churn_bench(churn);
    }
    if (!arguments.empty() && arguments.front() == "seed4") {
        const Seed4Options seed4 = parse_seed4_options(arguments);
        return seed4.help ? exit_ok : seed4_bench(seed4);
    }
    if (!arguments.empty() && arguments.front() == "kernels") return kernels_bench(arguments);
    if (!arguments.empty() && arguments.front() == "plot") return plot_bench(arguments);
    if (!arguments.empty() && arguments.front() == "render") return render_bench(arguments.subspan(1));
    const BenchOptions options = parse_options(arguments, bench_cases());
    if (options.cases.empty()) return exit_ok;

    // what cannot be opened is said now, not after an hour
    targets(options);
    std::unique_ptr<OutputFile> csv, svg;
    if (!options.csv.empty()) csv = std::make_unique<OutputFile>("--csv", options.csv);
    if (!options.svg.empty()) svg = std::make_unique<OutputFile>("--svg", options.svg);

    int runs = 0;
    for (const std::string& name : options.cases)
        for (const BenchCase& known : bench_cases())
            if (known.name == name) runs += known.runs(options);
    RunProgress progress(runs);
    BenchRun run{options, progress, {}, {}};
    bool interrupted = false;
    try {
        for (const std::string& name : options.cases)
            for (const BenchCase& known : bench_cases())
                if (known.name == name) {
                    known.run(run);
                    std::fflush(stdout);
                }
    } catch (const Interrupted&) {
        interrupted = true;
        progress.note("interrupted");
    }
    progress.clear();

    if (csv) {
        csv->write(csv_text(run.rows));
        csv->finish();
        std::printf("\n%s in %s\n", count_of(run.rows.size(), "result", "results").c_str(),
                    options.csv.c_str());
    }
    if (svg) {
        svg->write(svg_text(run.plot));
        svg->finish();
        std::printf("plot in %s\n", options.svg.c_str());
    }
    return interrupted ? exit_interrupted : exit_ok;
}

} // namespace scree
