// SPDX-License-Identifier: MIT
// rigid_options.cpp — reads the command line of `scree bench rigid`.
#include "rigid_options.h"

#include "bench_options.h"
#include "bench_scene.h"
#include "rigid_engine.h"
#include "text.h"

namespace scree::bench {

namespace {

void choose_scenes(RigidOptions& options, const Arguments& given) {
    for (const std::string& name : option_list(given, "--scene")) {
        if (name == "all") options.scenes = bench_scene_names();
        // a scene that cannot be made is refused before anything runs
        else if (find_bench_scene(name, "--scene").rigid.bodies.size() > 0) options.scenes.push_back(name);
    }
    if (options.scenes.empty()) options.scenes = {"pyramid-40", "boxes-4096", "spheres-8192", "ragdolls-200"};
}

} // namespace

std::string rigid_choices() {
    std::string details = "scenes:\n";
    for (const SceneFamily& family : scene_families())
        details += "  " + padded(std::string(family.name) + "-N", 17) + std::string(family.summary) + "\n";
    for (const std::string_view name : builtin_names())
        details += "  " + padded(name, 17) + find_scene(std::string(name)).title + "\n";
    details += "\nengines:\n";
    for (const RigidEngine& engine : rigid_engines())
        details += "  " + padded(engine.name, 17) + std::string(engine.summary) + "\n";
    return details;
}

RigidOptions rigid_options(const Arguments& given) {
    RigidOptions options;
    choose_scenes(options, given);
    std::vector<std::string> engines;
    for (const RigidEngine& engine : rigid_engines()) engines.emplace_back(engine.name);
    options.engines = choose_from(given, "--engines", engines);
    if (options.engines.empty()) options.engines = {"scree", "bullet", "ode"};
    options.threads = thread_list(given);
    options.repeats = whole_option(given, "--repeat", 1, 1000, 3);
    options.steps = whole_option(given, "--steps", 2, 100000000, 0);
    options.stages = given.has("--stages");
    options.sleep = !given.has("--no-sleep");
    options.results = given.all("--quality");
    options.scene_folder = folder_name(given, "--dump-scenes");
    options.result_folder = folder_name(given, "--dump-results");
    options.svg = output_name(given, "--svg");
    return options;
}

} // namespace scree::bench
