// SPDX-License-Identifier: MIT
// bench_options.cpp — reads the command line of the benchmarks.
#include "bench_options.h"

#include "cases.h"
#include "options.h"
#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

namespace scree::bench {

void refuse_option(const std::string& option, const std::string& value, const std::string& expected) {
    throw Error("\"" + printable(value) + "\" is not allowed; " + expected + " was expected", option);
}

std::vector<std::string> option_list(const Arguments& given, const std::string& option) {
    std::vector<std::string> parts;
    for (const std::string& text : given.all(option))
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            if (end == begin) refuse_option(option, text, "a list such as a,b,c");
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    return parts;
}

std::string output_name(const Arguments& given, const std::string& option) {
    const std::string file = given.text(option).value_or("");
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code ignored;
    // found out now rather than after an hour
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
        refuse_option(option, file, "a file in a folder that exists");
    if (!file.empty() && std::filesystem::is_directory(file, ignored))
        refuse_option(option, file, "the name of a file");
    return file;
}

namespace {

// 12000, 12e3 and 12k are the same count
std::uint64_t count(const std::string& option, const std::string& text, std::uint64_t most) {
    std::uint64_t scale = 1;
    std::string digits = text;
    if (const std::size_t e = text.find_first_of("eE");
        e != std::string::npos && e + 2 == text.size() && text[e + 1] >= '0' && text[e + 1] <= '9') {
        for (char c = '0'; c < text[e + 1]; ++c) scale *= 10;
        digits.resize(e);
    } else if (!text.empty() && (text.back() == 'k' || text.back() == 'M')) {
        scale = text.back() == 'k' ? 1000 : 1000000;
        digits.pop_back();
    }
    const std::optional<std::uint64_t> value = parse_whole(digits);
    if (!value || *value == 0 || *value > most / scale)
        refuse_option(option, text, "a whole number from 1 to " + count_text(most));
    return *value * scale;
}

void choose_cases(BenchOptions& options, const Arguments& given, std::span<const BenchCase> cases) {
    std::string names;
    for (const BenchCase& known : cases) names += std::string(known.name) + ", ";
    for (const std::string& name : option_list(given, "--scene")) {
        bool found = false;
        for (const BenchCase& known : cases) {
            if (name != "all" && name != known.name) continue;
            found = true;
            if (std::find(options.cases.begin(), options.cases.end(), known.name) == options.cases.end())
                options.cases.emplace_back(known.name);
        }
        if (!found) refuse_option("--scene", name, names + "or all");
    }
    if (options.cases.empty())
        for (const BenchCase& known : cases) options.cases.emplace_back(known.name);
}

void choose_peers(BenchOptions& options, const Arguments& given) {
    const std::vector<std::string> names = option_list(given, "--peers");
    if (names.empty()) return;
    options.lammps = options.liggghts = options.bullet = false;
    for (const std::string& name : names) {
        if (name == "lammps" || name == "all") options.lammps = true;
        if (name == "liggghts" || name == "all") options.liggghts = true;
        if (name == "bullet" || name == "all") options.bullet = true;
        if (name != "lammps" && name != "liggghts" && name != "bullet" && name != "all" && name != "none")
            refuse_option("--peers", name, "none, all, lammps, liggghts or bullet");
    }
}

} // namespace

BenchOptions parse_options(std::span<const std::string> arguments, std::span<const BenchCase> cases) {
    std::string details = "scenes of bench granular (the others tell their own: bench rigid --help and so on):\n";
    for (const BenchCase& known : cases)
        details += "  " + padded(known.name, 15) + std::string(known.summary) + "\n";
    details +=
        "\nThe CSV's columns and the contracts behind its first one are explained in docs/manual/bench-granular.md.";
    const CommandSpec command{
        .name = "bench",
        .positional = "granular|rigid|worlds|churn|seed4|kernels|plot|render",
        .least = 1,
        .most = 1,
        .summary =
            "Measures speed together with the quality reached, beside other engines on the same scene.",
        .details = details,
        .options = {{"--scene", "LIST", "what to run, from the list above; all when left out", true},
                    {"--bodies", "LIST", "sizes in place of the scene's own, e.g. 1e3,50k", true},
                    {"--threads", "LIST",
                     "CPU threads, and MPI ranks of the peers; 1 and all cores when left out", true},
                    {"--device", "LIST", "devices to measure; cpu when left out", true},
                    {"--peers", "LIST", "none, all (the default), lammps, liggghts, bullet", true},
                    {"--repeat", "N", "runs of each, engines taking turns; the median counts (3)"},
                    {"--steps", "N", "timed steps in place of the scene's own"},
                    {"--csv", "FILE", "write every result"},
                    {"--svg", "FILE", "draw cost against size (scaling)"}}};
    const Arguments given(command, arguments);
    BenchOptions options;
    if (given.help()) {
        std::fputs(help_text(command).c_str(), stdout);
        return options;
    }
    if (given.positional().front() != "granular")
        refuse_option("bench", given.positional().front(), "granular, rigid, worlds, churn, seed4, kernels, plot or render");
    choose_cases(options, given, cases);
    choose_peers(options, given);
    for (const std::string& text : option_list(given, "--bodies"))
        options.bodies.push_back(count("--bodies", text, 1000000000));
    for (const std::string& text : option_list(given, "--threads"))
        options.threads.push_back(static_cast<int>(count("--threads", text, 1024)));
    options.devices = option_list(given, "--device");
    options.repeat = static_cast<int>(given.whole("--repeat", 1, 1000).value_or(3));
    options.steps = static_cast<int>(given.whole("--steps", 1, 100000000).value_or(0));
    options.csv = output_name(given, "--csv");
    options.svg = output_name(given, "--svg");

    if (options.devices.empty()) options.devices = {"cpu"};
    if (options.threads.empty()) {
        options.threads = {1};
        if (const unsigned cores = std::thread::hardware_concurrency(); cores > 1)
            options.threads.push_back(static_cast<int>(cores));
    }
    return options;
}

} // namespace scree::bench
