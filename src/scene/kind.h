// SPDX-License-Identifier: MIT
// kind.h — a kind of scene: how the programs see a world.
//
// A kind is a folder that reads the content of its scenes, starts their worlds and names their settings and measures.
// Nothing above a kind names one: run, view, render, record, replay, verify and bench speak to Kind and SceneRun alone.
// To add one: derive from Kind and SceneRun in a folder of its own, and add its line to kinds.cpp (or a KindRegistration
// in the program that brings it).
#pragma once

#include "scene/fields.h"
#include "scene/setting.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

class SceneRun; // scene/run.h

/// A quantity that can be measured, and expected by a scene.
struct MeasureInfo {
    std::string_view name;
    std::string_view words;              ///< "largest overlap"
    std::string_view unit = "";          ///< empty: a count
    bool column = false;                 ///< of the CSV of a run
    bool summary = false;                ///< is told at the end of a run
    bool on_request = false;             ///< SceneRun::quantity alone gives it: it costs more, or needs arguments
    const format::Object* object = nullptr; ///< the keys of its expectation, where it takes arguments
};

/// The number of things that a step's cost grows with.
struct SceneSize {
    std::size_t items = 0;
    std::string_view one, many; ///< "body", "bodies"
};

class Kind {
public:
    virtual ~Kind() = default;

    virtual std::string_view name() const = 0; ///< the value of "kind"
    /// The keys of the document; heading_keys() and those of its content.
    virtual const format::Object& document() const = 0;
    /// Every object of its scenes, the document and "world" included: what the schema describes.
    virtual std::span<const format::Object* const> objects() const = 0;
    virtual std::span<const Setting> settings() const = 0;
    virtual std::span<const MeasureInfo> measures() const = 0;

    /// Fills Scene::content and Scene::resizable; the heading is read already.
    virtual void read(const Fields& document, Scene& scene, const SceneOptions& options) const = 0;
    /// Sets one setting of the content. Throws Error, and changes nothing, when key or value are invalid.
    virtual void apply(Scene& scene, const std::string& key, const std::string& value,
                       const std::string& where) const;
    virtual double time_step(const Scene& scene) const = 0;
    virtual SceneSize size(const Scene& scene) const = 0;
    /// How it is computed, in a word or two: "reference", "soft_step".
    virtual std::string mode(const Scene& scene) const = 0;

    /// From how many items on a GPU is faster than the CPU, as measured.
    virtual std::size_t gpu_from() const = 0;
    virtual bool runs_on(std::string_view device) const = 0;
    /// Builds the world. Throws Error when the scene or the place is not acceptable.
    virtual std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const = 0;
};

/// In the order of registration.
std::span<const Kind* const> kinds();
/// Throws Error for a name that no kind has.
const Kind& find_kind(const std::string& name);
const Kind& kind_of(const Scene& scene);
/// A static object of this type adds a kind to those of the library. The kind must outlive main.
struct KindRegistration {
    explicit KindRegistration(const Kind& kind);
};

/// The place with "auto" decided, by Kind::gpu_from and the scene's size. Throws Error when the kind does not run there.
Place place_for(const Scene& scene, const Place& place);
/// Builds the world of a scene at place_for(scene, place).
std::unique_ptr<SceneRun> start_scene(const Scene& scene, const Place& place);

/// Keys of an object's settings, for format::Object.
std::vector<format::Key> keys_of(std::span<const Setting> settings);
/// Keys of "expect": the measures and "hash".
std::vector<format::Key> keys_of(std::span<const MeasureInfo> measures);
/// The keys that every document may have, and the given ones.
std::vector<format::Key> document_keys(std::initializer_list<format::Key> content, bool kind_required = true);

/// Applies SceneOptions::settings one after the other.
void apply_changes(const Kind& kind, Scene& scene, const SceneOptions& options);
/// The content of a scene of the kind that has it; Error naming both kinds otherwise.
template <class Content>
Content& content_of(Scene& scene, const char* kind);
[[noreturn]] void refuse_kind(const Scene& scene, const char* expected);

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
