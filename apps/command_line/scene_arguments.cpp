// SPDX-License-Identifier: MIT
// scene_arguments.cpp — see scene_arguments.h.

#include "scene_arguments.h"

#include "record/format.h"
#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <utility>

namespace scree {

Place read_place(const Arguments& given, bool share_graphics) {
    constexpr std::array<std::uint64_t, 4> lane_counts{1, 4, 8, 16};
    PlaceOptions options;
    options.device = given.text("--device").value_or("auto");
    options.threads = static_cast<int>(given.whole("--threads", 1, 1024).value_or(0));
    options.lanes = static_cast<int>(given.one_of("--lanes", lane_counts).value_or(0));
    options.share_graphics = share_graphics;
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
        if (equals == std::string::npos || equals == 0) refuse_option("--set", change, "KEY=VALUE");
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
        refuse_option("--bodies", std::to_string(*options.bodies),
                      "a scene with one generator; " + printable(name) + " has none or several");
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

bool is_recording(const std::string& file) {
    std::string start(record::file_magic.size(), 0);
    return std::ifstream(file, std::ios::binary)
               .read(start.data(), static_cast<std::streamsize>(start.size())) &&
           start == record::file_magic;
}

PictureSize read_size(const Arguments& given, PictureSize otherwise, std::uint64_t least) {
    const auto text = given.text("--size");
    if (!text) return otherwise;
    constexpr std::uint64_t most = 16384;
    const std::size_t times = std::min(text->find('x'), text->size() - 1);
    const auto width = parse_whole(text->substr(0, times)), height = parse_whole(text->substr(times + 1));
    if (!width || !height || std::min(*width, *height) < least || std::max(*width, *height) > most) {
        const auto square = [](std::uint64_t side) {
            return std::to_string(side) + "x" + std::to_string(side);
        };
        refuse_option("--size", *text, "WIDTHxHEIGHT from " + square(least) + " to " + square(most));
    }
    return {static_cast<int>(*width), static_cast<int>(*height)};
}

std::string summary(const SceneRun& run) {
    const std::vector<Measured> measures = run.measure();
    std::string text;
    for (const MeasureInfo& measure : run.kind().measures()) {
        if (!measure.summary) continue;
        const double value = value_of(measures, measure.name);
        text += (text.empty() ? "" : ", ") + std::string(measure.words) + " " +
                (measure.unit.empty() ? count_text(static_cast<std::uint64_t>(value))
                                      : short_number(value) + " " + std::string(measure.unit));
    }
    return text;
}

} // namespace scree
