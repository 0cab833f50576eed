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

Seed4Options seed4_options(const Arguments& given) {
    Seed4Options options;
    choose_experiments(options, given);
    choose_devices(options, given);
    options.solver = solver_option(given, Solver::sor);
    options.most = given.whole("--most", 1, 1000000).value_or(1000000);
    options.settle = whole_option(given, "--settle", 0, 1000000, options.settle);
    options.steps = whole_option(given, "--steps", 1, 1000000, 0);
    options.repeats = whole_option(given, "--repeat", 1, 1000, 3);
    return options;
}

} // namespace scree::bench
