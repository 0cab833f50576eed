// SPDX-License-Identifier: MIT
// rigid_scene.h — the content of a scene of kind "rigid".
#pragma once

#include "scree/character.h"
#include "scree/character_bodies.h"
#include "scree/level_movers.h"
#include "scree/scene.h"
#include "scree/skinned_model.h"
#include "scree/world.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// The level that a shape was made of, for drawing.
struct RigidLevel {
    float scale = 1;           ///< metres in a unit
    std::vector<Paint> paints; ///< by material; opacity 0: not drawn
    std::vector<AppearancePart> liquids;
    std::vector<AppearanceTexture> textures; ///< by material
    float fog = 0;                           ///< of the map, as AppearanceSky::fog
    Vec3 fog_colour{};
    /// Cells and portals, found when they are first asked for; null if the level has none. Any thread may call it.
    std::function<std::shared_ptr<const CompiledLevel>()> compiled;
    /// Solver::impact finds its pairs by the level's cells, merged up to so many shapes each (scree/collision_cells.h); none: it does not.
    std::optional<std::uint32_t> collision_cells{};
    /// A way out of the level, in the body's frame; none if it is closed.
    std::function<std::vector<Vec3>()> leak;
};

/// A shape of a rigid scene: one or more geometries in the body's frame.
struct RigidShape {
    struct Part {
        Geometry geometry;
        ShapeDef definition;
        Paint paint{};
    };
    std::string name;
    std::vector<Part> parts;
    std::vector<AppearancePart> drawn{};   ///< drawn in place of the parts, which collide; empty: the parts
    std::vector<AppearanceLight> lights{}; ///< that the body carries, in its frame; those of a level
    std::shared_ptr<const RigidLevel> level{};
    Vec3 low{}, high{}; ///< bounds in the body's frame; 0 for a plane
};

struct RigidBodyDef {
    std::string name; ///< may be empty
    std::uint32_t shape = 0;
    BodyDef body;
    std::optional<float> mass; ///< kg, distributed as by the densities; default: from them
    std::optional<float> density;
    std::optional<Material> material; ///< overrides that of the shape
    Paint paint{};                    ///< overrides that of the shape
};

/// A joint between two bodies, given as indices into RigidScene::bodies.
struct RigidJointDef {
    JointType type = JointType::ball;
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second; ///< default: the world
    Vec3 anchor{};
    Vec3 axis{0, 1, 0};
    bool collide = false;
    /// limits, drives and the like; its type, bodies, anchor and axis are not used; null: none
    std::shared_ptr<const JointDef> motion{};
};

/// A cloth or rope whose pins name bodies by index into RigidScene::bodies.
struct RigidClothDef {
    ClothDef cloth; ///< without pins
    struct Pin {
        std::uint32_t vertex = 0;
        std::optional<std::uint32_t> body; ///< default: the world
        std::optional<Vec3> point{};       ///< in the body's frame; default: where the vertex is
    };
    std::vector<Pin> pins;
    Paint paint{};
};

/// A force that acts in all steps that start at `from` or later and before `until`.
struct TimedForce {
    std::uint32_t body = 0;
    Vec3 force{}, torque{}; ///< N at the centre of mass, N m; world axes
    double from = 0, until = std::numeric_limits<double>::infinity(); ///< s
};

/// Before the first step that starts at this time or later.
struct TimedExplosion {
    Explosion explosion;
    double at = 0; ///< s
};

/// What a user or the scene's script can do by name: a push of a body, an explosion, or both.
struct SceneAction {
    std::string name;
    char key = 0; ///< of the viewer: A to Z or 0 to 9; 0: none
    std::optional<std::uint32_t> body;
    Vec3 impulse{}, angular_impulse{}; ///< N s at the centre of mass, N m s; world axes
    std::optional<Explosion> explosion;
};

/// Before the first step that starts at this time or later.
struct TimedAction {
    std::uint32_t action = 0; ///< index into RigidScene::actions
    double at = 0;            ///< s
};

/// A kinematic body that follows keys: turned about where it begins, then moved. Cubic between keys, never beyond them.
struct BodyMotion {
    struct Key {
        double at = 0;   ///< s
        Vec3 move{};     ///< m, from where the body begins
        double turn = 0; ///< degrees about the axis, as many as you like
    };
    std::uint32_t body = 0;
    std::optional<std::uint32_t>
        on; ///< an earlier motion that carries this one; index into RigidScene::motions
    Vec3 axis{0, 1, 0};
    bool repeat = false; ///< default: it rests after the last key
    std::vector<Key> keys;
};

/// An animated model that plays a clip. Its bodies, if it has any, follow the clip, and are a ragdoll from `falls` to `rises`.
struct SceneCharacter {
    std::string name; ///< may be empty
    std::shared_ptr<const SkinnedModel> model;
    ModelClip clip;                 ///< on the spot, if `motion` is not empty
    RootMotion motion;              ///< its way over the ground
    std::optional<ModelClip> other; ///< blended in with `share`
    float share = 0;
    DPose at;                    ///< of the model's origin at first
    double speed = 1, start = 0; ///< s of the clip for a second, and at first
    std::vector<BoneCapsule> capsules;
    std::uint32_t first_body = 0; ///< of the capsules; index into RigidScene::bodies
    std::vector<DVec3> way;       ///< corners of a closed way that it walks along; empty: as its clip leads
    double falls = std::numeric_limits<double>::infinity(),
           rises = std::numeric_limits<double>::infinity(); ///< s
    Paint paint{};                                          ///< default: the model's colours
};

struct RigidScene {
    WorldSettings settings;
    float time_step = 1 / 60.0f; ///< s
    /// m; dynamic bodies farther than this from the player, by the way through the portals of the first level, sleep until the player
    /// comes nearer. 0: none do.
    float level_reach = 0;
    std::vector<RigidShape> shapes;
    std::vector<RigidBodyDef> bodies;
    std::vector<RigidJointDef> joints;
    std::vector<RigidClothDef> cloths;
    std::vector<BodyMotion> motions;
    std::vector<SceneCharacter> characters;
    std::vector<TimedForce> forces;
    std::vector<ForceField> fields;
    std::vector<TimedExplosion> explosions;
    std::vector<SceneAction> actions;
    std::vector<TimedAction> script;
    std::vector<LevelMover> movers;
    std::vector<LevelTrigger> triggers;
    std::vector<LevelStart> starts; ///< of players
};

/// What a scene needs besides its world: where movers are, and who walks. Part of a saved run.
struct SceneState {
    LevelState level;
    std::optional<Character> player;
    Vec3 wish{};           ///< m/s, of the player
    bool crouches = false; ///< likewise: 1 m high; stands up as soon as there is room
};
SceneState begin_scene(const RigidScene& scene);
/// Puts a player on a start of the scene, in place of the one that was there. Throws Error if there is no such start.
void add_player(const RigidScene& scene, World& world, SceneState& state, std::size_t start = 0);

/// Throws Error for a scene of another kind.
RigidScene& rigid_scene(Scene& scene);
const RigidScene& rigid_scene(const Scene& scene);

/// Creates the bodies in the order of the scene. Throws Error when a setting is out of range; `where` starts the message.
World build_rigid_world(const RigidScene& scene, const Place& place = {}, const std::string& where = "scene");
World build_rigid_world(const Scene& scene, const Place& place = {});
/// One body or joint of the scene, for worlds in which they come and go. `bodies`: the world's, by their number in the scene.
BodyId add_scene_body(World& world, const RigidScene& scene, const RigidBodyDef& body);
JointId add_scene_joint(World& world, const RigidJointDef& joint, std::span<const BodyId> bodies);
ClothId add_scene_cloth(World& world, const RigidClothDef& cloth, std::span<const BodyId> bodies);
/// Carries out an action of the scene. The scene's bodies must be the world's first. Throws Error for a name that it does not have.
void act(const RigidScene& scene, World& world, const std::string& action);
/// Steps the world by the scene's time step and applies the scene's motions, characters, forces, explosions and script, and moves its movers
/// and the player. The scene's bodies must be the world's first.
void step_scene(const RigidScene& scene, World& world, SceneState& state, int steps = 1);
/// The same for scenes without movers and triggers; throws Error for others.
void step_scene(const RigidScene& scene, World& world, int steps = 1);
void step_scene(const Scene& scene, World& world, int steps = 1);
/// Failed expectations of a world after scene.steps steps; empty if all hold.
std::vector<Failure> check_expectations(const Scene& scene, const World& world);

} // namespace scree
