// SPDX-License-Identifier: MIT
// kind.h — a kind of scene: the interface between worlds and programs.
//
// A kind reads the content of its scenes, starts their worlds, and lists their settings and measures. The programs (run, view,
// render, replay, verify, bench) use only Kind and SceneRun, and name no kind. To add a kind: derive from Kind and SceneRun in a
// new folder, and add a line to kinds.cpp, or a KindRegistration in your own program.
#pragma once

#include "scene/fields.h"
#include "scene/setting.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

class SceneRun; // scene/run.h

/// Where `scree run --plot` draws a measure.
enum class MeasurePlot {
    by_unit, ///< with the others of its unit
    part,    ///< likewise: the parts have a sum, which is drawn, too
    own      ///< in a plot of its own
};

/// A measured quantity, which a scene can have expectations of.
struct MeasureInfo {
    std::string_view name;
    std::string_view words;                 ///< "largest overlap"
    std::string_view unit = "";             ///< empty: a count
    bool column = false;                    ///< written to the CSV of a run
    bool summary = false;                   ///< printed at the end of a run
    bool on_request = false;                ///< only from SceneRun::quantity: expensive, or needs arguments
    const format::Object* object = nullptr; ///< keys of its expectation, if it has arguments
    MeasurePlot plot = MeasurePlot::by_unit;
};

/// The number of items that determines the cost of a step.
struct SceneSize {
    std::size_t items = 0;
    std::string_view one, many; ///< "body", "bodies"
};

/// What scene files of a kind may say.
struct KindTables {
    std::string_view name; ///< the value of "kind"
    std::string prefix;    ///< of its objects' names in the schema: PREFIXscene, PREFIXworld, PREFIXexpect
    std::vector<format::Key> content;           ///< keys of the document besides those of every scene
    std::span<const Setting> settings;          ///< keys of "world"
    std::span<const MeasureInfo> measures;      ///< keys of "expect"
    std::vector<const format::Object*> objects; ///< within the content
};

class Kind {
public:
    explicit Kind(const KindTables& tables);
    virtual ~Kind() = default;
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;

    std::string_view name() const { return tables_.name; }
    const format::Object& document() const { return document_; }
    const format::Object& world() const { return world_; }
    const format::Object& expect() const { return expect_; }
    /// All objects of its scenes for the schema: the document, "world", "expect" and the others.
    std::span<const format::Object* const> objects() const { return objects_; }
    std::span<const Setting> settings() const { return tables_.settings; }
    std::span<const MeasureInfo> measures() const { return tables_.measures; }

    /// Fills Scene::content and Scene::resizable; the other fields are already read.
    virtual void read(const Fields& document, Scene& scene, const SceneOptions& options) const = 0;
    /// Sets one setting of the content. Throws Error, and changes nothing, when key or value are invalid.
    virtual void apply(Scene& scene, const std::string& key, const std::string& value,
                       const std::string& where) const;
    virtual double time_step(const Scene& scene) const = 0;
    virtual SceneSize size(const Scene& scene) const = 0;
    /// How it is computed, in a word, for messages: "reference".
    virtual std::string mode(const Scene& scene) const = 0;

    /// "auto" takes a GPU from this number of items on.
    virtual std::size_t gpu_from() const = 0;
    virtual bool runs_on(std::string_view device) const = 0;
    /// Some scenes run on fewer devices than their kind does.
    virtual bool scene_runs_on(const Scene&, std::string_view device) const { return runs_on(device); }
    /// Builds the world. Throws Error for an invalid scene or place.
    virtual std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const = 0;

private:
    KindTables tables_;
    std::string document_name_, world_name_, expect_name_;
    std::vector<format::Key> document_keys_, world_keys_, expect_keys_;
    format::Object document_, world_, expect_;
    std::vector<const format::Object*> objects_;
};

/// In the order of registration.
std::span<const Kind* const> kinds();
/// Throws Error for an unknown name.
const Kind& find_kind(const std::string& name);
const Kind& kind_of(const Scene& scene);
/// A static object of this type adds a kind. The kind must outlive main.
struct KindRegistration {
    explicit KindRegistration(const Kind& kind);
};

/// The place with "auto" decided by Kind::gpu_from and the scene's size. Throws Error if the kind cannot run there.
Place place_for(const Scene& scene, const Place& place);
/// Builds the world of a scene at place_for(scene, place).
std::unique_ptr<SceneRun> start_scene(const Scene& scene, const Place& place);

/// Checks across the values of "world"; `check` throws Error with the setting's name.
void check_world(const Fields& document, const std::function<void()>& check);
/// Applies SceneOptions::settings in order.
void apply_changes(const Kind& kind, Scene& scene, const SceneOptions& options);
[[noreturn]] void refuse_kind(const Scene& scene, const char* expected);
/// The content of a scene. Throws Error if the scene has another kind.
template <class Content>
Content& content_of(Scene& scene, const char* kind) {
    if (Content* content = std::any_cast<Content>(&scene.content)) return *content;
    refuse_kind(scene, kind);
}
template <class Content>
const Content& content_of(const Scene& scene, const char* kind) {
    if (const Content* content = std::any_cast<Content>(&scene.content)) return *content;
    refuse_kind(scene, kind);
}

} // namespace scree
