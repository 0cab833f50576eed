// SPDX-License-Identifier: MIT
// recorded.cpp — see recorded.h.
#include "scene/recorded.h"

#include "scene/json.h"
#include "scree/error.h"
#include "scree/version.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace scree {
namespace {

std::optional<std::uint64_t> whole(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

} // namespace

double time_step(const Scene& scene) {
    return static_cast<double>(scene.rigid ? scene.rigid->time_step : scene.settings.time_step);
}

std::string settings_text(const Scene& scene, const SceneOptions& options) {
    std::string text;
    if (options.bodies) text += "bodies = " + std::to_string(*options.bodies) + "\n";
    if (options.seed) text += "seed = " + std::to_string(*options.seed) + "\n";
    for (const std::string& name : setting_names(scene.kind()))
        text += name + " = " + setting_value(scene, name) + "\n";
    return text;
}

SceneOptions settings_from_text(const std::string& text, const std::string& where) {
    SceneOptions options;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = line.find(" = ");
        if (equals == std::string::npos)
            throw Error(json::quoted(line) + " is not allowed; KEY = VALUE was expected",
                        where + ": settings");
        const std::string key = line.substr(0, equals), value = line.substr(equals + 3);
        if (key != "bodies" && key != "seed") {
            options.settings.push_back({key, value, where + ": settings: " + key});
            continue;
        }
        const std::optional<std::uint64_t> count = whole(value);
        if (!count) throw Error(json::quoted(value) + " is no whole number", where + ": settings: " + key);
        (key == "bodies" ? options.bodies : options.seed) = count;
    }
    return options;
}

std::vector<GranularShape> recorded_shapes(const Scene& scene) {
    if (!scene.rigid) return scene.shapes;
    std::vector<GranularShape> shapes;
    for (const RigidShape& shape : scene.rigid->shapes) {
        GranularShape summary;
        summary.name = shape.name;
        summary.half_size = {(shape.high.x - shape.low.x) / 2, (shape.high.y - shape.low.y) / 2,
                             (shape.high.z - shape.low.z) / 2};
        shapes.push_back(std::move(summary));
    }
    return shapes;
}

RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame) {
    RecordingHeader header;
    header.scene = name;
    header.title = scene.title;
    header.scree_version = SCREE_VERSION;
    header.device = device;
    header.settings = settings_text(scene, options);
    header.time_step = static_cast<float>(time_step(scene));
    header.steps_per_frame = steps_per_frame;
    header.shapes = recorded_shapes(scene);
    header.obstacles = scene.obstacles;
    return header;
}

void record_frame(RecordingWriter& recording, const World& world, std::span<const std::uint32_t> shapes) {
    std::vector<GranularBodyState> frame;
    frame.reserve(world.body_count());
    for (const BodyId id : world.bodies()) {
        const BodyState body = world.state(id);
        GranularBodyState& state = frame.emplace_back();
        state.position = body.centre;
        state.rotation = body.rotation;
        state.shape = shapes[frame.size() - 1];
        state.asleep = body.asleep;
        state.frozen = body.frozen;
    }
    recording.add_frame(world.steps_done(), world.time(), frame, world.hash());
}

void record_frame(RecordingWriter& recording, const GranularWorld& world) {
    const std::vector<Obstacle> obstacles = world.obstacles();
    recording.add_frame(world.steps_done(), world.time(), world.bodies(), world.hash(), obstacles);
}

} // namespace scree
