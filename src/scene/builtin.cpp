// SPDX-License-Identifier: MIT
// builtin.cpp — built-in scenes, and finding a scene by name or file.
#include "scene/embedded.h"
#include "scene/format.h"
#include "scree/scene.h"
#include "text/json.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

namespace scree {
namespace {

const EmbeddedScene* find_embedded(const std::string& name) {
    for (int i = 0; i < embedded_scene_count; ++i)
        if (name == embedded_scenes[i].name) return &embedded_scenes[i];
    return nullptr;
}

std::vector<std::string> embedded_names() {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(embedded_scene_count));
    for (int i = 0; i < embedded_scene_count; ++i) names.emplace_back(embedded_scenes[i].name);
    return names;
}

const EmbeddedScene& known_scene(const std::string& name) {
    if (const EmbeddedScene* found = find_embedded(name)) return *found;
    std::string advice = format::suggestion(name, embedded_names());
    throw Error("there is no built-in scene and no file of this name" +
                    (advice.empty() ? "; \"scree scenes\" lists the built-in ones" : advice),
                json::quoted(name));
}

bool ends_in_json(const std::string& name) {
    return name.size() >= 5 && name.compare(name.size() - 5, 5, ".json") == 0;
}

bool readable(const std::string& file) {
    std::FILE* stream = std::fopen(file.c_str(), "rb");
    if (stream) std::fclose(stream);
    return stream != nullptr;
}

} // namespace

std::vector<SceneInfo> builtin_scenes() {
    std::vector<SceneInfo> scenes;
    for (int i = 0; i < embedded_scene_count; ++i) {
        // the title is read without building ten thousand bodies
        json::Value document = json::parse(embedded_scenes[i].text, embedded_scenes[i].name);
        const auto text = [&](const char* key, const std::string& otherwise) {
            const json::Value* value = document.find(key);
            return value ? value->text : otherwise;
        };
        scenes.push_back({embedded_scenes[i].name, text("title", ""), text("kind", scene_kinds().front()),
                          text("group", "")});
    }
    return scenes;
}

std::vector<SceneInfo> builtin_scenes_by_group() {
    // what one wants to see first comes first; others follow
    static constexpr std::string_view order[] = {
        "Joints and machines", "Stacks",       "Piles", "Friction, rolling, sleep",
        "Streams and towers",  "Interlocking", "Timing"};
    const auto rank = [](const SceneInfo& scene) {
        return std::find(std::begin(order), std::end(order), scene.group) - std::begin(order);
    };
    std::vector<SceneInfo> scenes = builtin_scenes();
    std::stable_sort(scenes.begin(), scenes.end(), [&](const SceneInfo& a, const SceneInfo& b) {
        return std::pair(rank(a), std::string_view(a.group)) < std::pair(rank(b), std::string_view(b.group));
    });
    return scenes;
}

std::string_view builtin_scene_text(const std::string& name) { return known_scene(name).text; }

Scene find_scene(const std::string& name_or_file, const SceneOptions& options) {
    if (ends_in_json(name_or_file)) return load_scene(name_or_file, options);
    // a built-in name wins over a folder or a stray file of that name; write ./name to mean the file
    if (!find_embedded(name_or_file) && readable(name_or_file)) return load_scene(name_or_file, options);
    const std::string_view text = builtin_scene_text(name_or_file);
    SceneOptions with_files = options;
    for (int i = 0; i < embedded_file_count; ++i)
        with_files.files.push_back({embedded_files[i].name, embedded_files[i].text});
    return parse_scene(text, name_or_file, with_files);
}

} // namespace scree
