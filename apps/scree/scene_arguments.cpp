// SPDX-License-Identifier: MIT
// scene_arguments.cpp — see scene_arguments.h.

#include "scene_arguments.h"

#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace scree {

std::vector<OptionSpec> device_options() {
    return {{"--device", "NAME", "auto, cpu, cuda, opencl … (see scree devices)"},
            {"--threads", "N", "CPU threads; default: all cores"},
            {"--lanes", "N", "SIMD lanes: 1, 4, 8 or 16; default: the widest of the machine"}};
}

std::vector<OptionSpec> scene_options() {
    return {{"--steps", "N", "steps to simulate; default: the scene's own number"},
            {"--dt", "SECONDS", "time step"},
            {"--bodies", "N", "number of bodies, for scenes with one generator"},
            {"--seed", "N", "seed of the scene's random numbers"},
            {"--set", "KEY=VALUE", "change a setting of the world, e.g. gravity=0,-1.6,0; may repeat", true}};
}

Place read_place(const Arguments& given) {
    constexpr std::array<std::uint64_t, 4> lane_counts{1, 4, 8, 16};
    PlaceOptions options;
    options.device = given.text("--device").value_or("auto");
    options.threads = static_cast<int>(given.whole("--threads", 1, 1024).value_or(0));
    options.lanes = static_cast<int>(given.one_of("--lanes", lane_counts).value_or(0));
    try {
        return options;
    } catch (const Error& error) {
        const std::string& where = error.where();
        for (const std::string option : {"device", "threads", "lanes"})
            if (where.compare(0, option.size(), option) == 0) throw Error(std::string("--") + error.what());
        throw Error(error.what(), "--device " + printable(options.device));
    }
}

SceneOptions read_scene_options(const Arguments& given) {
    SceneOptions options;
    options.bodies = given.whole("--bodies", 1, options.max_bodies);
    options.seed = given.whole("--seed", 0, std::numeric_limits<std::uint64_t>::max());
    if (const auto step = given.text("--dt")) options.settings.push_back({"time_step", *step, "--dt"});
    for (const std::string& change : given.all("--set")) {
        const std::size_t equals = change.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error("invalid value \"" + printable(change) + "\": expected KEY=VALUE", "--set");
        options.settings.push_back(
            {change.substr(0, equals), change.substr(equals + 1), "--set " + printable(change)});
    }
    return options;
}

namespace {

/// find_scene whose error names --bodies when the scene is fine but for its number of bodies.
Scene find_resized(const std::string& name, const SceneOptions& options) {
    try {
        return find_scene(name, options);
    } catch (const Error&) {
        if (!options.bodies) throw;
        SceneOptions without = options;
        without.bodies.reset();
        if (find_scene(name, without).resizable) throw;
        throw Error("invalid value \"" + std::to_string(*options.bodies) +
                        "\": expected a scene with one generator; " + printable(name) +
                        " has none or several",
                    "--bodies");
    }
}

} // namespace

Scene read_scene(const Arguments& given, const std::string& name) {
    Scene scene = find_resized(name, read_scene_options(given));
    if (const auto steps = given.whole("--steps", 1, 1'000'000'000)) {
        // as many as the scene asks for anyway is no change: its expectations hold
        if (*steps != static_cast<std::uint64_t>(scene.steps)) scene.altered = true;
        scene.steps = static_cast<int>(*steps);
    }
    return scene;
}

} // namespace scree
