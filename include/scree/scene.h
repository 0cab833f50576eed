// SPDX-License-Identifier: MIT
// scene.h — scenes: a granular or rigid world, what is in it and what is expected of it, from JSON or built in.
//
// The format is described in docs/manual/scenes.md and docs/scene.schema.json. Every function throws scree::Error
// for what is not acceptable; the message names file, line, path in the document, the value and what was
// expected.
#pragma once

#include "scree/error.h"
#include "scree/granular.h"
#include "scree/world.h"

#include <cstdint>
#include <limits>
#include <memory>
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

/// What bodies of a rigid scene are made of: one geometry, or several placed in the body's frame.
struct RigidShape {
    struct Part {
        Geometry geometry;
        ShapeDef definition;
    };
    std::string name;
    std::vector<Part> parts;
    Vec3 low, high; ///< bounds in the body's frame; of a plane: 0
};

struct RigidBodyDef {
    std::string name; ///< may be empty
    std::uint32_t shape = 0;
    BodyDef body;
    std::optional<float> mass; ///< kg; scales what the densities give
    std::optional<float> density;
    std::optional<Material> material; ///< in place of the shape's
};

/// A joint between bodies by their place in RigidScene::bodies.
struct RigidJointDef {
    JointType type = JointType::ball;
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second; ///< left out: the world
    Vec3 anchor{};
    Vec3 axis{0, 1, 0};
    bool collide = false;
};

/// A push that lasts: acts in the steps that begin at `from` or later and before `until`.
struct TimedForce {
    std::uint32_t body = 0;
    Vec3 force{}, torque{}; ///< N at the centre of mass, N m; world axes
    double from = 0, until = std::numeric_limits<double>::infinity(); ///< s
};

struct RigidScene {
    WorldSettings settings;
    float time_step = 1 / 60.0f; ///< s
    std::vector<RigidShape> shapes;
    std::vector<RigidBodyDef> bodies;
    std::vector<RigidJointDef> joints;
    std::vector<TimedForce> forces;
};

enum class SceneKind { granular, rigid };

struct Scene {
    std::string name;  ///< of the built-in scene, or of the file without folder and ending
    std::string title; ///< one line
    std::string file;  ///< where it came from; for messages
    /// There for a rigid scene; settings, shapes, bodies and obstacles below are of granular ones.
    std::optional<RigidScene> rigid;
    GranularSettings settings;
    std::vector<GranularShape> shapes;
    std::vector<GranularBodyDef> bodies;
    std::vector<Obstacle> obstacles;
    int steps = 1000;
    std::vector<Expectation> expect;
    std::optional<std::uint64_t> expected_hash;
    /// a setting, the number of bodies or the seed differs from the text: what it expects need not hold
    bool altered = false;
    bool resizable = false; ///< has exactly one generator, which SceneOptions::bodies resizes
    float fitted_size = 0;  ///< what "world_size": "fit" stands for: walls just around all bodies

    SceneKind kind() const { return rigid ? SceneKind::rigid : SceneKind::granular; }
};

/// One setting to change while loading, e.g. {"stiffness", "200", "--set stiffness=200"}.
struct SettingChange {
    std::string key, value, where;
};

/// How to load a scene.
struct SceneOptions {
    std::optional<std::uint64_t> bodies =
        {};                                 ///< resize the scene's generator; Error if it has none or several
    std::optional<std::uint64_t> seed = {}; ///< in place of every generator's seed
    /// applied before shapes are made: those without a radius take the new one
    std::vector<SettingChange> settings = {};
    std::uint64_t max_bodies = 100'000'000;
    std::uint64_t max_particles = 268'435'456; ///< of all bodies; also bounds each shape
    bool read_files = true;                    ///< whether shapes may come from mesh files
};

/// A file, whatever its name.
Scene load_scene(const std::string& file, const SceneOptions& options = {});
/// JSON text; `file_name` is used in messages, and mesh files are looked for beside it.
Scene parse_scene(std::string_view text, const std::string& file_name, const SceneOptions& options = {});

/// One line of `scree scenes`.
struct SceneInfo {
    std::string name, title;
};
/// In order of name.
std::vector<SceneInfo> builtin_scenes();
/// The JSON text of a built-in scene; Error as find_scene.
std::string_view builtin_scene_text(const std::string& name);
/// A file if the name ends in .json, else the built-in scene of that name, else a file. For an unknown name
/// the Error says which names are near.
Scene find_scene(const std::string& name_or_file, const SceneOptions& options = {});

/// Sets one field of the scene's settings by name, e.g. ("stiffness", "200"), ("mode", "reference"), ("walls",
/// "false"), ("gravity", "0,-9.81,0"); checked as in a file. `where` begins the message. Shapes stay as they
/// are: to change particle_radius, use SceneOptions::settings.
void apply_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& where);
/// Sets Scene::steps by the same rules as a file: 1 … 1,000,000,000.
void apply_steps(Scene& scene, const std::string& value, const std::string& where);

/// The names that apply_setting and "world" know, in the order of GranularSettings or WorldSettings.
std::vector<std::string> setting_names(SceneKind kind = SceneKind::granular);
/// A setting as it is written in JSON, e.g. `200`, `"improved"`, `[0, -9.81, 0]`.
std::string setting_value(const Scene& scene, const std::string& name);
std::string setting_value(const GranularSettings& settings, const std::string& name);
/// The names that "expect" knows, "hash" left out.
std::vector<std::string> expectation_names(SceneKind kind = SceneKind::granular);

std::size_t particle_count(const Scene& scene); ///< of all bodies; 0 for a rigid scene
/// The place with "auto" decided by the kind and size of the scene, as build_world and build_rigid_world do.
Place place_for(const Scene& scene, const Place& place);
/// Throws Error when a setting is out of range, the device has not enough memory or the scene is a rigid one.
GranularWorld build_world(const Scene& scene, const Place& place = {});
/// Bodies are created in the order of the scene. Throws Error when a setting is out of range or the scene is a granular one.
World build_rigid_world(const Scene& scene, const Place& place = {});
/// Takes steps of the scene's time step and applies its forces on the way. The world holds the scene's bodies, and
/// others only after them.
void step_scene(const Scene& scene, World& world, int steps = 1);

struct Failure {
    std::string quantity;
    std::string message; ///< e.g. `stream-300: kinetic_energy is 0.31; at most 0.03 was expected`
};
/// What the world, having done scene.steps steps, does not fulfil; empty when all is well.
std::vector<Failure> check_expectations(const Scene& scene, const GranularWorld& world);
std::vector<Failure> check_expectations(const Scene& scene, const World& world);

} // namespace scree
