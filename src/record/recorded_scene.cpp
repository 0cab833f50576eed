// SPDX-License-Identifier: MIT
// recorded_scene.cpp — see recorded_scene.h.
#include "record/recorded_scene.h"

#include "scree/error.h"
#include "scree/version.h"
#include "text/json.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
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

std::string settings_text(const Scene& scene, const SceneOptions& options) {
    std::string text;
    if (options.bodies) text += "bodies = " + std::to_string(*options.bodies) + "\n";
    if (options.seed) text += "seed = " + std::to_string(*options.seed) + "\n";
    for (const std::string& name : setting_names(scene.kind))
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
            throw Error("invalid line " + json::quoted(line) + ": expected KEY = VALUE",
                        where + ": settings");
        const std::string key = line.substr(0, equals), value = line.substr(equals + 3);
        if (key != "bodies" && key != "seed") {
            options.settings.push_back({key, value, where + ": settings: " + key});
            continue;
        }
        const std::optional<std::uint64_t> count = whole(value);
        if (!count)
            throw Error("invalid value " + json::quoted(value) + ": expected an integer",
                        where + ": settings: " + key);
        (key == "bodies" ? options.bodies : options.seed) = count;
    }
    return options;
}

RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame) {
    RecordingHeader header;
    header.scene = name;
    header.title = scene.title;
    header.kind = scene.kind;
    header.scree_version = SCREE_VERSION;
    header.device = device;
    header.settings = settings_text(scene, options);
    header.time_step = static_cast<float>(time_step(scene));
    header.steps_per_frame = steps_per_frame;
    header.scene_text = scene.text;
    header.files = scene.files;
    return header;
}

Scene recorded_scene(const RecordingHeader& header, const std::string& where) {
    SceneOptions options = settings_from_text(header.settings, where);
    if (header.scene_text.empty()) return find_scene(header.scene, options);
    options.files = header.files;
    options.read_files = false; // the recording holds all that it needs
    return parse_scene(header.scene_text, header.scene, options);
}

std::string recorded_commands(RecordingReader& reader, const std::string& file) {
    if (reader.version() > 1) return reader.commands();
    std::ostringstream text;
    text << std::ifstream(file + ".commands", std::ios::binary).rdbuf();
    return text.str();
}

} // namespace scree
