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

std::string read_line(const Field& field, std::ptrdiff_t most) {
    std::string text = field.text();
    auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; };
    if (std::count_if(text.begin(), text.end(), begins_character) > most ||
        text.find_first_of("\r\n") != std::string::npos)
        field.refuse("one line of at most " + std::to_string(most) + " characters");
    return text;
}

void read_heading(const Fields& document, Scene& scene) {
    if (auto schema = document.find("$schema")) schema->text();
    document.at("scree").integer(1, 1);
    scene.title = read_line(document.at("title"), 120);
    if (auto group = document.find("group")) scene.group = read_line(*group, 40);
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

Scene read_scene(const Field& whole, const Kind& kind, std::string_view text, const SceneOptions& options) {
    const std::string& file_name = whole.file();
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

/// The kind that a scene without "kind" would be read as without an error, with something in it; null if there is none. Adds the
/// key to `root`.
const Kind* forgotten_kind(json::Value& root, std::string_view text, const std::string& file_name,
                           const SceneOptions& options) {
    if (root.kind != json::Kind::object || root.find("kind")) return nullptr;
    root.keys.emplace_back("kind");
    root.items.emplace_back().kind = json::Kind::string;
    for (const Kind* kind : kinds()) {
        root.items.back().text = kind->name();
        try {
            if (kind->size(read_scene(Field(root, file_name, ""), *kind, text, options)).items > 0)
                return kind;
        } catch (const Error&) { // not of this kind either
        }
    }
    return nullptr;
}

} // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options) {
    json::Value root = json::parse(text, file_name);
    const Field whole(root, file_name, "");
    const Kind& kind = read_kind(whole);
    check_keys(whole, kind);
    try {
        return read_scene(whole, kind, text, options);
    } catch (const Error& error) {
        const Kind* forgotten = forgotten_kind(root, text, file_name, options);
        if (!forgotten) throw;
        const std::size_t place = error.where().empty() ? 0 : error.where().size() + 2;
        throw Error(std::string(error.what()).substr(place) +
                        "; did you forget \"kind\": " + json::quoted(forgotten->name()) + "?",
                    error.where());
    }
}

Scene load_scene(const std::string& file, const SceneOptions& options) {
    return parse_scene(file_text(file, json::max_bytes), file, options); // refuses a text that is too long
}

} // namespace scree
