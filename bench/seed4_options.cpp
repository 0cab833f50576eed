// SPDX-License-Identifier: MIT
// seed4_options.cpp — reads the command line of `scree bench seed4`.
#include "bench_options.h"
#include "options.h"
#include "rigid_engine.h"
#include "seed4.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <thread>

namespace scree::bench {

std::optional<std::string> missing_gpu() {
    std::string reason = "no GPU";
    for (const DeviceReport& report : list_devices()) {
        if (!report.name.starts_with("cuda")) continue;
        if (report.available) return std::nullopt;
        reason = report.reason;
    }
    return reason;
}

Solver solver_option(const Arguments& given, Solver otherwise) {
    const std::string name = given.text("--solver").value_or(otherwise == Solver::sor ? "sor" : "soft");
    if (name != "sor" && name != "soft") refuse_option("--solver", name, "sor or soft");
    return name == "sor" ? Solver::sor : Solver::soft_step;
}

std::optional<BroadPhase> broad_phase_option(const Arguments& given) {
    const auto name = given.text("--broad-phase");
    if (!name) return std::nullopt;
    const auto* found = std::find(std::begin(broad_phase_names), std::end(broad_phase_names), *name);
    if (found == std::end(broad_phase_names)) refuse_option("--broad-phase", *name, "tree, grid or brute");
    return static_cast<BroadPhase>(found - std::begin(broad_phase_names));
}

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
    options.devices = option_list(given, "--devices");
    if (options.devices.empty()) options.devices = {"cpu", "cuda"};
    for (const std::string& name : options.devices)
        if (name != "cpu" && name != "cpu:kernels" && !name.starts_with("cuda"))
            refuse_option("--devices", name, "cpu, cuda, cuda:N or cpu:kernels");
    for (const std::string& text : option_list(given, "--threads")) {
        const auto threads = parse_whole(text);
        if (!threads || *threads < 1 || *threads > 1024)
            refuse_option("--threads", text, "a whole number from 1 to 1,024");
        options.threads.push_back(static_cast<int>(*threads));
    }
    if (!options.threads.empty()) return;
    options.threads = {1};
    if (const unsigned cores = std::thread::hardware_concurrency(); cores > 1)
        options.threads.push_back(static_cast<int>(cores));
}

} // namespace

Seed4Options parse_seed4_options(std::span<const std::string> arguments) {
    const CommandSpec command{
        .name = "bench",
        .positional = "seed4",
        .least = 1,
        .most = 1,
        .summary =
            "Runs the experiments of Peres 2008 on the CPU and on the GPU, beside the figures of then.",
        .details = "experiments:\n"
                   "  B1        50 to 16,000 spheres at rest in a box: all stages\n"
                   "  B2        cubes of 4 to 18 spheres along an edge, held by fixed joints: the solver\n"
                   "  B3        50 to 1,600 actors of three capsules in a funnel: collision, by tree, grid "
                   "and brute\n"
                   "            force on the CPU\n"
                   "  transfer  lists of bodies, shapes and joints to the device and states back\n"
                   "\nWhat is measured is explained in docs/manual/bench-rigid.md.",
        .options = {{"--experiments", "LIST", "from the list above; all when left out", true},
                    {"--devices", "LIST", "cpu, cuda, cpu:kernels; cpu and cuda when left out", true},
                    {"--threads", "LIST", "of cpu; 1 and all cores when left out", true},
                    {"--solver", "NAME", "sor (the dissertation's, when left out) or soft"},
                    {"--most", "N", "leaves out scenes of more actors, and longer lists"},
                    {"--settle", "N", "steps before the clock starts, in place of the experiment's own"},
                    {"--steps", "N", "steps timed, in place of the experiment's own"},
                    {"--repeats", "N", "of the timed steps, all from the same state; the fastest counts (3)"},
                    {"--csv", "FILE", "write every result; of transfers FILE-transfer.csv"},
                    {"--markdown", "FILE", "write the tables"}}};
    const Arguments given(command, arguments);
    Seed4Options options;
    if (given.help()) {
        std::fputs(help_text(command).c_str(), stdout);
        options.help = true;
        return options;
    }
    choose_experiments(options, given);
    choose_devices(options, given);
    options.solver = solver_option(given, Solver::sor);
    options.most = given.whole("--most", 1, 1000000).value_or(1000000);
    if (const auto settle = given.whole("--settle", 0, 1000000)) options.settle = static_cast<int>(*settle);
    options.steps = static_cast<int>(given.whole("--steps", 1, 1000000).value_or(0));
    options.repeats = static_cast<int>(given.whole("--repeats", 1, 1000).value_or(3));
    options.csv = output_name(given, "--csv");
    options.markdown = output_name(given, "--markdown");
    return options;
}

} // namespace scree::bench
