// SPDX-License-Identifier: MIT
// kinds.cpp — the kinds of scenes that there are; see kind.h.
#include "scene/cloth/kind.h"
#include "scene/granular/kind.h"
#include "scene/impact/kind.h"
#include "scene/kind.h"
#include "scene/rigid/kind.h"
#include "scene/run.h"
#include "scene/staged/kind.h"
#include "scree/error.h"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

std::vector<const Kind*>& registered() {
    static std::vector<const Kind*> all{
        &granular_kind(), // the first is the default
        &rigid_kind(),    &cloth_kind(), &impact_kind(), &staged_kind(),
    };
    return all;
}

} // namespace

KindRegistration::KindRegistration(const Kind& kind) { registered().push_back(&kind); }

std::span<const Kind* const> kinds() { return registered(); }

std::vector<std::string> scene_kinds() {
    std::vector<std::string> names;
    for (const Kind* kind : kinds()) names.emplace_back(kind->name());
    return names;
}

const Kind& find_kind(const std::string& name) {
    for (const Kind* kind : kinds())
        if (kind->name() == name) return *kind;
    throw Error("there is no kind of scene of this name" + format::suggestion(name, scene_kinds()),
                json::quoted(name));
}

const Kind& kind_of(const Scene& scene) { return find_kind(scene.kind); }

void refuse_kind(const Scene& scene, const char* expected) {
    throw Error("this is a scene of kind " + json::quoted(scene.kind) + "; expected one of kind " +
                    json::quoted(expected),
                scene.file);
}

// one place decides where a scene runs ---------------------------------------------------------------------------------

Place place_for(const Scene& scene, const Place& place) {
    const Kind& kind = kind_of(scene);
    const std::size_t gpu_from =
        kind.scene_runs_on(scene, "cuda") ? kind.gpu_from() : std::numeric_limits<std::size_t>::max();
    const Place there = place.expecting(kind.size(scene).items).decided(gpu_from);
    if (!kind.runs_on(there.device()))
        throw Error("invalid device " + json::quoted(there.device()) + ": a scene of kind " +
                        json::quoted(kind.name()) + " does not run there",
                    "device");
    if (!kind.scene_runs_on(scene, there.device()))
        throw Error("invalid device " + json::quoted(there.device()) + ": this scene runs on \"cpu\" only",
                    "device");
    return there;
}

std::unique_ptr<SceneRun> start_scene(const Scene& scene, const Place& place) {
    return kind_of(scene).start(scene, place_for(scene, place));
}

// settings, by any kind's table ----------------------------------------------------------------------------------------

void Kind::apply(Scene& scene, const std::string& key, const std::string& value,
                 const std::string& where) const {
    const Setting& setting = known_setting(settings(), key, where);
    const json::Value given = from_command_line(value);
    setting.set(scene.content, read_value(setting, setting.get(scene.content), Field(given, where, "")));
}

void check_world(const Fields& document, const std::function<void()>& check) {
    try {
        check();
    } catch (const Error& error) {
        document.field().fail("world." + std::string(error.what()));
    }
}

void apply_changes(const Kind& kind, Scene& scene, const SceneOptions& options) {
    for (const SettingChange& change : options.settings)
        kind.apply(scene, change.key, change.value, change.where);
}

void apply_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& where) {
    kind_of(scene).apply(scene, key, value, where);
    scene.altered = true;
}

void apply_steps(Scene& scene, const std::string& value, const std::string& where) {
    const json::Value given = from_command_line(value);
    scene.steps = static_cast<int>(Field(given, where, "").integer(1, 1'000'000'000));
    scene.altered = true;
}

std::vector<std::string> setting_names(const std::string& kind) {
    std::vector<std::string> names;
    for (const Setting& setting : find_kind(kind).settings()) names.emplace_back(setting.name);
    return names;
}

std::string setting_value(const Scene& scene, const std::string& name) {
    const Setting& setting = known_setting(kind_of(scene).settings(), name, name);
    return value_text(setting, setting.get(scene.content));
}

std::vector<std::string> expectation_names(const std::string& kind) {
    std::vector<std::string> names;
    for (const MeasureInfo& measure : find_kind(kind).measures()) names.emplace_back(measure.name);
    return names;
}

double time_step(const Scene& scene) { return kind_of(scene).time_step(scene); }

// tables ---------------------------------------------------------------------------------------------------------------

namespace {

/// The keys of every document and those of the content. A scene without "kind" is of the kind without a prefix.
std::vector<format::Key> document_keys(const KindTables& tables) {
    std::vector<format::Key> keys{
        {"$schema"}, {"scree", true}, {"kind", !tables.prefix.empty()}, {"title", true}};
    for (const char* key :
         {"group", "notes", "steps", "world", "camera", "cameras", "lights", "ground", "sky", "shading"})
        keys.push_back({key, key == std::string_view("steps")});
    keys.insert(keys.end(), tables.content.begin(), tables.content.end());
    keys.push_back({"expect"});
    return keys;
}

template <class Row>
std::vector<format::Key> keys_of(std::span<const Row> rows) {
    std::vector<format::Key> keys;
    for (const Row& row : rows) keys.push_back({row.name});
    return keys;
}

} // namespace

Kind::Kind(const KindTables& tables)
    : tables_(tables),
      document_name_(tables.prefix + "scene"),
      world_name_(tables.prefix + "world"),
      expect_name_(tables.prefix + "expect"),
      document_keys_(document_keys(tables)),
      world_keys_(keys_of(tables.settings)),
      expect_keys_(keys_of(tables.measures)),
      objects_{&document_, &world_, &expect_} {
    expect_keys_.push_back({"hash"});
    document_ = {document_name_, document_keys_};
    world_ = {world_name_, world_keys_};
    expect_ = {expect_name_, expect_keys_};
    objects_.insert(objects_.end(), tables.objects.begin(), tables.objects.end());
}

} // namespace scree
