// SPDX-License-Identifier: MIT
// rigid_options.cpp — reads the command line of `scree bench rigid`.
#include "rigid_options.h"

#include "bench_options.h"
#include "bench_scene.h"
#include "rigid_engine.h"
#include "text.h"

namespace scree::bench {

namespace {

std::string help_details() {
    std::string details = "scenes:\n";
    for (const SceneFamily& family : scene_families())
        details += "  " + padded(std::string(family.name) + "-N", 17) + std::string(family.summary) + "\n";
    for (const std::string_view name : builtin_names())
        details += "  " + padded(name, 17) + find_scene(std::string(name)).title + "\n";
    details += "\nengines:\n";
    for (const RigidEngine& engine : rigid_engines())
        details += "  " + padded(engine.name, 17) + std::string(engine.summary) + "\n";
    return details +
           "\nContracts, columns and the formats of the files are explained in docs/manual/bench-rigid.md.";
}

void choose_scenes(RigidOptions& options, const Arguments& given) {
    for (const std::string& name : option_list(given, "--scene")) {
        if (name == "all") options.scenes = bench_scene_names();
        // a scene that cannot be made is refused before anything runs
        else if (find_bench_scene(name, "--scene").rigid.bodies.size() > 0) options.scenes.push_back(name);
    }
    if (options.scenes.empty()) options.scenes = {"pyramid-40", "boxes-4096", "spheres-8192", "ragdolls-200"};
}

} // namespace

CommandSpec rigid_spec() {
    static const std::string details = help_details();
    return {
        .name = "bench rigid",
        .summary = "Measures the rigid world beside other engines: time of a step and quality of the result.",
        .details = details,
        .options = {{"--scene", "LIST", "from the list above, with a size for N, or all", true},
                    {"--engines", "LIST", "from the list above, or all; default: scree, bullet, ode", true},
                    {"--threads", "LIST", "default: 1 and all cores", true},
                    {"--repeat", "N", "runs of each, engines taking turns; the fastest counts; default: 3"},
                    {"--steps", "N", "steps in place of the scene's own"},
                    {"--stages", "", "also what a step of scree spends its time on"},
                    {"--no-sleep", "", "without the run that counts steps until everything sleeps"},
                    {"--csv", "FILE", "write every result"},
                    {"--svg", "FILE", "draw FILE-bodies.svg, FILE-threads.svg and FILE-quality.svg"},
                    {"--dump-scenes", "FOLDER", "write scene files for other programs, run nothing"},
                    {"--dump-results", "FOLDER", "write the final state of each engine's last run"},
                    {"--quality", "FILE", "measure results that other programs wrote, run nothing", true}}};
}

RigidOptions rigid_options(const Arguments& given) {
    RigidOptions options;
    choose_scenes(options, given);
    std::vector<std::string> engines;
    for (const RigidEngine& engine : rigid_engines()) engines.emplace_back(engine.name);
    options.engines = choose_from(given, "--engines", engines);
    if (options.engines.empty()) options.engines = {"scree", "bullet", "ode"};
    options.threads = thread_list(given);
    options.repeats = int_option(given, "--repeat", 1, 1000, 3);
    options.steps = int_option(given, "--steps", 2, 100000000, 0);
    options.stages = given.has("--stages");
    options.sleep = !given.has("--no-sleep");
    options.results = given.all("--quality");
    options.scene_folder = folder_name(given, "--dump-scenes");
    options.result_folder = folder_name(given, "--dump-results");
    options.csv = output_name(given, "--csv");
    options.svg = output_name(given, "--svg");
    return options;
}

} // namespace scree::bench
