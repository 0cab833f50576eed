// SPDX-License-Identifier: MIT
// scene.h — scenes: the content and look of a world, and expectations to check; built in or from JSON.
//
// A Scene has the fields of every kind, and content of its own kind: RigidScene (rigid_scene.h), GranularScene
// (granular_scene.h). The format is described in docs/manual/scenes.md and docs/scene.schema.json. All functions throw
// scree::Error for invalid input; the message gives file, line, path in the document, the value and what was expected.
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

/// An expectation after the last step: a measured quantity lies in [least, most].
struct Expectation {
    std::string quantity; ///< one of expectation_names()
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    double distance = 0; ///< close_pairs: the largest distance of the centres
    double above =
        -std::numeric_limits<double>::infinity(); ///< close_pairs: counts only centres above this height
    int line = 0;                                 ///< in the scene's text
};

/// Camera, lights, ground and sky of a scene.
struct SceneLook {
    std::optional<AppearanceCamera> camera;
    std::vector<AppearanceCamera> cameras; ///< others, by name
    std::vector<AppearanceLight> lights;
    AppearanceGround ground;
    AppearanceSky sky;
    Shading shading = Shading::physical;
};

struct Scene {
    std::string name;  ///< of the built-in scene, or of the file without folder and ending
    std::string title; ///< one line
    std::string group; ///< what it shows, for lists; may be empty
    std::string file;  ///< file name, for messages
    std::string kind;  ///< one of scene_kinds()
    std::any content;  ///< RigidScene or GranularScene
    int steps = 1000;
    SceneLook look;
    std::vector<Expectation> expect;
    std::optional<std::uint64_t> expected_hash;
    /// settings, number of bodies or seed differ from the text, so expectations need not hold
    bool altered = false;
    bool resizable = false;       ///< whether SceneOptions::bodies works: exactly one generator
    std::string text;             ///< the JSON it was read from
    std::vector<SceneFile> files; ///< files read for it, such as meshes
};

/// One setting to change while loading, e.g. {"stiffness", "200", "--set stiffness=200"}.
struct SettingChange {
    std::string key, value, where;
};

/// How to load a scene.
struct SceneOptions {
    /// number of bodies of the scene's generator; Error if it has none or several
    std::optional<std::uint64_t> bodies = {};
    std::optional<std::uint64_t> seed = {}; ///< random seed of all generators
    /// applied before shapes are made, so a changed particle_radius is the default of shapes
    std::vector<SettingChange> settings = {};
    std::uint64_t max_bodies = 100'000'000;
    std::uint64_t max_particles = 268'435'456; ///< of all bodies together, and of each shape
    bool read_files = true;                    ///< whether mesh files may be read
    std::vector<SceneFile> files = {};         ///< used instead of files on disk
};

/// Loads a file of any name.
Scene load_scene(const std::string& file, const SceneOptions& options = {});
/// Reads JSON text; `file_name` is used in messages, and mesh files are searched in its folder.
Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options = {});

/// One line of `scree scenes`.
struct SceneInfo {
    std::string name, title, kind, group;
};
/// Sorted by name.
std::vector<SceneInfo> builtin_scenes();
/// The same, by what they show: group after group, sorted by name within each.
std::vector<SceneInfo> builtin_scenes_by_group();
/// The JSON text of a built-in scene. Throws Error for an unknown name.
std::string_view builtin_scene_text(const std::string& name);
/// Loads a file if the name ends in .json, otherwise the built-in scene of that name, otherwise a file. For an unknown name
/// the Error suggests a similar one.
Scene find_scene(const std::string& name_or_file, const SceneOptions& options = {});

/// All kinds of scenes; the first is the default of scenes without "kind".
std::vector<std::string> scene_kinds();

/// Sets one field of the scene's settings by name, e.g. ("stiffness", "200"), ("solver", "sor"), ("walls",
/// "false"), ("gravity", "0,-9.81,0"), with the checks of a file. `where` starts the message. Shapes do not change: to
/// change particle_radius, use SceneOptions::settings.
void apply_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& where);
/// Sets Scene::steps, 1 … 1,000,000,000.
void apply_steps(Scene& scene, const std::string& value, const std::string& where);

/// Names for apply_setting and for "world" in scene files.
std::vector<std::string> setting_names(const std::string& kind);
/// A setting as JSON, e.g. `200`, `"improved"`, `[0, -9.81, 0]`.
std::string setting_value(const Scene& scene, const std::string& name);
/// Names for "expect" in scene files, without "hash".
std::vector<std::string> expectation_names(const std::string& kind);
/// Length of a step in seconds.
double time_step(const Scene& scene);

struct Failure {
    std::string quantity;
    std::string message; ///< e.g. `stream-300: kinetic_energy is 0.31; expected at most 0.03`
};

} // namespace scree
