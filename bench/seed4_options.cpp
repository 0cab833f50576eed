// SPDX-License-Identifier: MIT
// seed4_options.cpp — reads the command line of `scree bench seed4`.
#include "bench_options.h"
#include "seed4.h"

#include <algorithm>

namespace scree::bench {

namespace {

void choose_experiments(Seed4Options& options, const Arguments& given) {
    std::vector<std::string> known;
    for (const SeedExperiment& experiment : seed_experiments()) known.emplace_back(experiment.name);
    known.emplace_back("transfer");
    for (const std::string& name : option_list(given, "--experiments")) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            refuse_option("--experiments", name, "B1, B2, B3 or transfer");
        options.experiments.push_back(name);
    }
    if (options.experiments.empty()) options.experiments = known;
}

void choose_devices(Seed4Options& options, const Arguments& given) {
    options.devices = option_list(given, "--device");
    if (options.devices.empty()) options.devices = {"cpu", "cuda"};
    for (const std::string& name : options.devices)
        if (name != "cpu" && name != "cpu:kernels" && !name.starts_with("cuda"))
            refuse_option("--device", name, "cpu, cuda, cuda:N or cpu:kernels");
    options.threads = thread_list(given);
}

} // namespace

CommandSpec seed4_spec() {
    return {.name = "bench seed4",
            .summary =
                "Runs the experiments of Peres 2008 on the CPU and on the GPU, beside the figures of then.",
            .details =
                "experiments:\n"
                "  B1        50 to 16,000 spheres at rest in a box: all stages\n"
                "  B2        cubes of 4 to 18 spheres along an edge, held by fixed joints: the solver\n"
                "  B3        50 to 1,600 actors of three capsules in a funnel: collision, by tree, grid "
                "and brute\n"
                "            force on the CPU\n"
                "  transfer  lists of bodies, shapes and joints to the device and states back\n"
                "\nWhat is measured is explained in docs/manual/bench-rigid.md.",
            .options = {{"--experiments", "LIST", "from the list above; default: all", true},
                        {"--device", "LIST", "cpu, cuda, cpu:kernels; default: cpu and cuda", true},
                        {"--threads", "LIST", "of cpu; default: 1 and all cores", true},
                        {"--solver", "NAME", "sor (the dissertation's) or soft; default: sor"},
                        {"--most", "N", "leaves out scenes of more actors, and longer lists"},
                        {"--settle", "N", "steps before the clock starts, in place of the experiment's own"},
                        {"--steps", "N", "steps timed, in place of the experiment's own"},
                        {"--repeat", "N",
                         "of the timed steps, all from the same state; the fastest counts; default: 3"},
                        {"--csv", "FILE", "write every result; of transfers FILE-transfer.csv"},
                        {"--markdown", "FILE", "write the tables"}}};
}

Seed4Options seed4_options(const Arguments& given) {
    Seed4Options options;
    choose_experiments(options, given);
    choose_devices(options, given);
    options.solver = solver_option(given, Solver::sor);
    options.most = given.whole("--most", 1, 1000000).value_or(1000000);
    options.settle = int_option(given, "--settle", 0, 1000000, options.settle);
    options.steps = int_option(given, "--steps", 1, 1000000, 0);
    options.repeats = int_option(given, "--repeat", 1, 1000, 3);
    options.csv = output_name(given, "--csv");
    options.markdown = output_name(given, "--markdown");
    return options;
}

} // namespace scree::bench
