// SPDX-License-Identifier: MIT
// scene.cpp — scene files from text to Scene.
#include "scree/scene.h"

#include "scene/expect.h"
#include "scene/kind.h"
#include "scene/look.h"
#include "text/file_text.h"

#include <algorithm>

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

/// The kind, which decides the keys of the document.
const Kind& read_kind(const Field& document) {
    const json::Value* kind = document.value().find("kind");
    if (!kind) return *kinds().front();
    std::vector<std::string_view> names;
    for (const Kind* each : kinds()) names.push_back(each->name());
    return *kinds()[Field(*kind, document.file(), "kind").choice(names)];
}

/// A scene that forgot to say its kind is told which kind would know its key.
void check_keys(const Field& document, const Kind& kind) {
    if (document.value().kind != json::Kind::object || document.value().find("kind")) return;
    for (std::size_t i = 0; i < document.value().keys.size(); ++i) {
        const std::string& key = document.value().keys[i];
        if (kind.document().knows(key)) continue;
        for (const Kind* other : kinds())
            if (other->document().knows(key))
                Field(document.value().items[i], document.file(), key)
                    .fail("a scene of kind " + json::quoted(kind.name()) +
                          " has no such key; did you forget \"kind\": " + json::quoted(other->name()) + "?");
    }
}

} // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options) {
    const json::Value root = json::parse(text, file_name);
    const Field whole(root, file_name, "");
    const Kind& kind = read_kind(whole);
    check_keys(whole, kind);
    const Fields document(whole, kind.document());
    Scene scene;
    scene.name = stem(file_name);
    scene.file = file_name;
    scene.kind = kind.name();
    scene.text = text;
    read_heading(document, scene);
    scene.look = read_look(document);
    kind.read(document, scene, options);
    if (const auto expect = document.find("expect")) read_expectations(*expect, kind, scene);
    scene.altered = options.bodies || options.seed || !options.settings.empty();
    return scene;
}

Scene load_scene(const std::string& file, const SceneOptions& options) {
    return parse_scene(file_text(file, json::max_bytes), file, options); // refuses a text that is too long
}

} // namespace scree
