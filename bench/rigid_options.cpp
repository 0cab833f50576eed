// SPDX-License-Identifier: MIT
// rigid_options.cpp — reads the command line of `scree bench rigid`.
#include "rigid_options.h"

#include "bench_options.h"
#include "options.h"
#include "rigid_engine.h"
#include "rigid_scene.h"
#include "scree/scene.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>

namespace scree::bench {

namespace {

std::string help_details() {
    std::string details = "scenes:\n";
    for (const RigidFamily& family : rigid_families())
        details += "  " + padded(std::string(family.name) + "-N", 17) + std::string(family.summary) + "\n";
    for (const std::string_view name : rigid_builtin_names())
        details += "  " + padded(name, 17) + find_scene(std::string(name)).title + "\n";
    details += "\nengines:\n";
    for (const RigidEngine& engine : rigid_engines())
        details += "  " + padded(engine.name, 17) + std::string(engine.summary) + "\n";
    return details +
           "\nContracts, columns and the formats of the files are explained in docs/manual/bench-rigid.md.";
}

void choose_scenes(RigidOptions& options, const Arguments& given) {
    for (const std::string& name : option_list(given, "--scenes")) {
        if (name == "all") options.scenes = rigid_scene_names();
        // a scene that cannot be made is refused before anything runs
        else if (rigid_scene(name, "--scenes").bodies.size() > 0) options.scenes.push_back(name);
    }
    if (options.scenes.empty()) options.scenes = {"pyramid-40", "boxes-4096", "spheres-8192", "ragdolls-200"};
}

void choose_engines(RigidOptions& options, const Arguments& given) {
    std::string names;
    for (const RigidEngine& engine : rigid_engines()) names += std::string(engine.name) + ", ";
    for (const std::string& name : option_list(given, "--engines")) {
        bool found = false;
        for (const RigidEngine& engine : rigid_engines()) {
            if (name != "all" && name != engine.name) continue;
            found = true;
            if (std::find(options.engines.begin(), options.engines.end(), engine.name) ==
                options.engines.end())
                options.engines.emplace_back(engine.name);
        }
        if (!found) refuse_option("--engines", name, names + "or all");
    }
    if (options.engines.empty()) options.engines = {"scree", "bullet", "ode"};
}

std::string folder_name(const Arguments& given, const std::string& option) {
    const std::string folder = given.text(option).value_or("");
    std::error_code ignored;
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
        refuse_option(option, folder, "a folder that exists");
    return folder;
}

} // namespace

RigidOptions parse_rigid_options(std::span<const std::string> arguments) {
    const std::string details = help_details();
    const CommandSpec command{
        .name = "bench",
        .positional = "rigid",
        .least = 1,
        .most = 1,
        .summary = "Measures the rigid world beside other engines: time of a step and quality of the result.",
        .details = details,
        .options = {
            {"--scenes", "LIST", "from the list above, with a size for N, or all", true},
            {"--engines", "LIST", "from the list above, or all; scree, bullet, ode when left out", true},
            {"--threads", "LIST", "1 and all cores when left out", true},
            {"--repeats", "N", "runs of each, engines taking turns; the fastest counts (3)"},
            {"--steps", "N", "steps in place of the scene's own"},
            {"--stages", "", "also what a step of scree spends its time on"},
            {"--no-sleep", "", "without the run that counts steps until everything sleeps"},
            {"--csv", "FILE", "write every result"},
            {"--svg", "FILE", "draw FILE-bodies.svg, FILE-threads.svg and FILE-quality.svg"},
            {"--dump-scenes", "FOLDER", "write the scenes as text for other programs, run nothing"},
            {"--dump-results", "FOLDER", "write the final state of each engine's last run"},
            {"--quality", "FILE", "measure results that other programs wrote, run nothing", true}}};
    const Arguments given(command, arguments);
    RigidOptions options;
    if (given.help()) {
        std::fputs(help_text(command).c_str(), stdout);
        options.help = true;
        return options;
    }
    choose_scenes(options, given);
    choose_engines(options, given);
    for (const std::string& text : option_list(given, "--threads")) {
        const auto threads = parse_whole(text);
        if (!threads || *threads < 1 || *threads > 1024)
            refuse_option("--threads", text, "a whole number from 1 to 1,024");
        options.threads.push_back(static_cast<int>(*threads));
    }
    options.repeats = static_cast<int>(given.whole("--repeats", 1, 1000).value_or(3));
    options.steps = static_cast<int>(given.whole("--steps", 2, 100000000).value_or(0));
    options.stages = given.has("--stages");
    options.sleep = !given.has("--no-sleep");
    options.results = given.all("--quality");
    options.scene_folder = folder_name(given, "--dump-scenes");
    options.result_folder = folder_name(given, "--dump-results");
    options.csv = output_name(given, "--csv");
    options.svg = output_name(given, "--svg");
    if (options.threads.empty()) {
        options.threads = {1};
        if (const unsigned cores = std::thread::hardware_concurrency(); cores > 1)
            options.threads.push_back(static_cast<int>(cores));
    }
    return options;
}

} // namespace scree::bench
