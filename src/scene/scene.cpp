// SPDX-License-Identifier: MIT
// scene.cpp — scene files from text to Scene.
#include "scree/scene.h"

#include "granular/checks.h"
#include "scene/generators.h"
#include "scene/parts.h"
#include "scene/rigid_scene.h"
#include "scene/settings.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace scree {
namespace {

std::string stem(const std::string& file) {
    std::size_t slash = file.find_last_of("/\\");
    std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
    constexpr std::string_view ending = ".json";
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
        name.resize(name.size() - ending.size());
    return name;
}

void read_heading(const Fields& document, Scene& scene) {
    if (auto schema = document.find("$schema")) schema->text();
    document.at("scree").integer(1, 1);
    Field title = document.at("title");
    scene.title = title.text();
    auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; };
    auto length = std::count_if(scene.title.begin(), scene.title.end(), begins_character);
    if (length > 120 || scene.title.find_first_of("\r\n") != std::string::npos)
        title.refuse("one line of at most 120 characters");
    if (auto notes = document.find("notes"))
        for (std::size_t i = 0; i < notes->list(); ++i) (*notes)[i].text();
    scene.steps = static_cast<int>(document.at("steps").integer(1, 1'000'000'000));
}

/// Returns whether the walls are to fit the bodies, which are not known yet.
bool read_world(const Fields& document, Scene& scene, const SceneOptions& options) {
    bool fit = false;
    if (auto world = document.find("world")) {
        Fields fields(*world, format::world);
        for (const Setting& setting : settings_table()) {
            auto field = fields.find(setting.name);
            if (!field) continue;
            bool says_fit = field->value().kind == json::Kind::string && field->value().text == "fit";
            if (setting.name == "world_size" && says_fit) fit = true;
            else read_setting(scene.settings, setting, *field);
        }
    }
    for (const SettingChange& change : options.settings) {
        if (change.key == "world_size") {
            fit = change.value == "fit";
            if (fit) continue;
        }
        apply_setting(scene, change.key, change.value, change.where);
    }
    return fit;
}

void read_shapes(const Fields& document, Scene& scene, const SceneOptions& options) {
    auto shapes = document.find("shapes");
    if (!shapes) return;
    for (std::size_t i = 0; i < shapes->list(); ++i) {
        Field entry = (*shapes)[i];
        GranularShape shape = read_shape(entry, scene.settings, options);
        for (const GranularShape& other : scene.shapes)
            if (other.name == shape.name)
                Fields(entry, format::shape).at("name").refuse("a name that no other shape has");
        scene.shapes.push_back(std::move(shape));
    }
}

void read_bodies(const Fields& document, Scene& scene, const SceneOptions& options) {
    BodyList list(scene, options);
    auto bodies = document.find("bodies");
    if (bodies)
        for (std::size_t i = 0; i < bodies->list(); ++i) list.read((*bodies)[i]);
    list.finish(bodies ? *bodies : document.field());
}

/// What decides which keys the rest of the document may have.
SceneKind read_kind(const Field& document) {
    constexpr std::string_view kinds[] = {"granular", "rigid"};
    const json::Value* kind = document.value().find("kind");
    return kind ? static_cast<SceneKind>(Field(*kind, document.file(), "kind").choice(kinds))
                : SceneKind::granular;
}

void read_granular_scene(const Fields& document, Scene& scene, const SceneOptions& options) {
    bool fit = read_world(document, scene, options);
    read_shapes(document, scene, options);
    read_bodies(document, scene, options);
    if (auto obstacles = document.find("obstacles"))
        for (std::size_t i = 0; i < obstacles->list(); ++i)
            scene.obstacles.push_back(read_obstacle((*obstacles)[i]));
    if (fit) {
        if (!(scene.fitted_size > 0))
            document.field().fail(
                "\"world_size\": \"fit\" is not allowed without bodies; a number was expected");
        scene.settings.world_size = scene.fitted_size;
    }
    try {
        check(scene.settings); // what single values do not show, such as substeps in reference mode
    } catch (const Error& error) {
        document.field().fail("world." + std::string(error.what()));
    }
}

} // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options) {
    json::Value root = json::parse(text, file_name);
    Field whole(root, file_name, "");
    SceneKind kind = read_kind(whole);
    Fields document(whole, kind == SceneKind::rigid ? format::rigid_scene : format::scene);
    Scene scene;
    scene.name = stem(file_name);
    scene.file = file_name;
    read_heading(document, scene);
    kind == SceneKind::rigid ? read_rigid_scene(document, scene, options)
                             : read_granular_scene(document, scene, options);
    if (auto expect = document.find("expect")) read_expectations(*expect, scene);
    scene.altered = options.bodies || options.seed || !options.settings.empty();
    return scene;
}

Scene load_scene(const std::string& file, const SceneOptions& options) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (!stream) throw Error("this file cannot be opened", file);
    std::string text;
    char chunk[1 << 16];
    while (std::size_t got = std::fread(chunk, 1, sizeof chunk, stream.get())) {
        text.append(chunk, got);
        if (text.size() > json::max_bytes) break; // parse_scene says why
    }
    if (std::ferror(stream.get())) throw Error("this file cannot be read", file);
    return parse_scene(text, file, options);
}

} // namespace scree
