// SPDX-License-Identifier: MIT
// scene.h — scenes: what is in a world, how it looks and what is expected of it, from JSON or built in.
//
// A Scene is a heading with content that belongs to its kind: RigidScene (rigid_scene.h), GranularScene
// (granular_scene.h). The format is described in docs/manual/scenes.md and docs/scene.schema.json. Every function throws
// scree::Error for invalid input; the message names file, line, path in the document, the value and what was expected.
#pragma once

#include "scree/appearance.h"
#include "scree/error.h"
#include "scree/scene_file.h"

#include <any>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// What a scene promises of its last step: a measured quantity lies in [least, most].
struct Expectation {
    std::string quantity; ///< a name of expectation_names()
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    double distance = 0;                                     ///< close_pairs: centres nearer than this
    double above = -std::numeric_limits<double>::infinity(); ///< close_pairs: both centres higher than this
    int line = 0;                                            ///< in the scene's text
};

/// Camera, lights and ground, where the scene gives them.
struct SceneLook {
    std::optional<AppearanceCamera> camera;
    std::vector<AppearanceLight> lights;
    AppearanceGround ground;
};

struct Scene {
    std::string name;  ///< of the built-in scene, or of the file without folder and ending
    std::string title; ///< one line
    std::string file;  ///< where it came from; for messages
    std::string kind;  ///< a name of scene_kinds()
    std::any content;  ///< what its kind made of the rest of the text
    int steps = 1000;
    SceneLook look;
    std::vector<Expectation> expect;
    std::optional<std::uint64_t> expected_hash;
    /// a setting, the number of bodies or the seed differs from the text: expectations need not hold
    bool altered = false;
    bool resizable = false;       ///< has exactly one generator, which SceneOptions::bodies resizes
    std::string text;             ///< the JSON it was read from
    std::vector<SceneFile> files; ///< that were read for it
};

/// One setting to change while loading, e.g. {"stiffness", "200", "--set stiffness=200"}.
struct SettingChange {
    std::string key, value, where;
};

/// How to load a scene.
struct SceneOptions {
    /// resize the scene's generator; Error if it has none or several
    std::optional<std::uint64_t> bodies = {};
    std::optional<std::uint64_t> seed = {}; ///< in place of every generator's seed
    /// applied before shapes are made: those without a radius take the new one
    std::vector<SettingChange> settings = {};
    std::uint64_t max_bodies = 100'000'000;
    std::uint64_t max_particles = 268'435'456; ///< of all bodies; also bounds each shape
    bool read_files = true;                    ///< whether shapes may come from mesh files
    std::vector<SceneFile> files = {};         ///< used in place of files on disk
};

/// A file, whatever its name.
Scene load_scene(const std::string& file, const SceneOptions& options = {});
/// JSON text; `file_name` is used in messages, and mesh files are looked for beside it.
Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options = {});

/// One line of `scree scenes`.
struct SceneInfo {
    std::string name, title, kind;
};
/// In order of name.
std::vector<SceneInfo> builtin_scenes();
/// The JSON text of a built-in scene; Error as find_scene.
std::string_view builtin_scene_text(const std::string& name);
/// A file if the name ends in .json, else the built-in scene of that name, else a file. For an unknown name
/// the Error says which names are near.
Scene find_scene(const std::string& name_or_file, const SceneOptions& options = {});

/// The kinds of scenes in the order of registration; the first is what a scene without "kind" is.
std::vector<std::string> scene_kinds();

/// Sets one field of the scene's settings by name, e.g. ("stiffness", "200"), ("solver", "sor"), ("walls",
/// "false"), ("gravity", "0,-9.81,0"); checked as in a file. `where` begins the message. Shapes stay as they
/// are: to change particle_radius, use SceneOptions::settings.
void apply_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& where);
/// Sets Scene::steps by the same rules as a file: 1 … 1,000,000,000.
void apply_steps(Scene& scene, const std::string& value, const std::string& where);

/// The names that apply_setting and "world" know.
std::vector<std::string> setting_names(const std::string& kind);
/// A setting as it is written in JSON, e.g. `200`, `"improved"`, `[0, -9.81, 0]`.
std::string setting_value(const Scene& scene, const std::string& name);
/// The names that "expect" knows, "hash" left out.
std::vector<std::string> expectation_names(const std::string& kind);
/// Seconds of a step.
double time_step(const Scene& scene);

struct Failure {
    std::string quantity;
    std::string message; ///< e.g. `stream-300: kinetic_energy is 0.31; at most 0.03 was expected`
};

} // namespace scree
