// SPDX-License-Identifier: MIT
// parts.h — the entries of "materials", "shapes", "fields", "explosions", "motions", "characters", "actions" and "script" of a rigid
// scene.
#pragma once

#include "scene/fields.h"
#include "scene/rigid/format.h"
#include "scree/error.h"
#include "scree/level.h"
#include "scree/rigid_scene.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// The named materials of a scene.
class MaterialList {
public:
    void read(const Field& entry);
    /// The material named in `field`; throws Error for an unknown name.
    const Material& named(const Field& field) const;

private:
    std::vector<std::string> names_;
    std::vector<Material> materials_;
};

/// A level with the keys of its entities.
struct LevelContent {
    Level level;
    std::vector<MapEntity> entities; ///< without brushes and patches; a compiled level has no places
    float scale = level_scale;
};

/// What shapes of a scene refer to, and the files that were read for them.
struct ShapeSources {
    const MaterialList& materials;
    const SceneOptions& options;
    std::vector<SceneFile>& files;
    LevelContent* level = nullptr; ///< gets the level that a shape is read from
};

/// Runs `make`; what the library refuses is told at the field.
auto blamed(const Field& field, const auto& make) {
    try {
        return make();
    } catch (const Error& error) {
        if (error.where().rfind(field.file() + ":", 0) == 0) throw;
        field.fail(error.what());
    }
}

Filter read_filter(const Fields& fields);
RigidShape read_rigid_shape(const Field& entry, const ShapeSources& sources);
/// Sets low and high from the parts.
void measure_bounds(RigidShape& shape);
bool has_plane(const RigidShape& shape);
/// The shape `factor` times as large about the origin of its frame. Not for planes and meshes.
RigidShape scaled(RigidShape shape, float factor);
bool has_mesh(const RigidShape& shape);
Mesh read_mesh(const Field& one, const ShapeSources& sources);
Hull read_hull(const Field& one, const ShapeSources& sources);
std::vector<Hull> read_convex_parts(const Field& one, const ShapeSources& sources); ///< of a mesh file
/// Adds the solids of a map file. Those that `paint` gives no colour look as their texture is called.
void read_level(const Field& one, const ShapeDef& definition, const Paint& paint, const ShapeSources& sources,
                RigidShape& shape);
/// What a texture's name says of its look; `given` overrides.
Paint paint_of_texture(const std::string& material, const Paint& given);
/// Refuses what cannot be a folder beside the scene or below it.
void check_texture_folder(const Field& folder);
/// For each material the pictures in the folder that the field names, which is beside the scene or below it; warns of materials that have
/// none.
std::vector<AppearanceTexture> find_textures(const Field& folder, const std::vector<std::string>& materials,
                                             const ShapeSources& sources, std::vector<std::string>& warnings);
/// Gives the materials of a model that have none the pictures in the folder, as find_textures does. Names may have an ending and, where
/// no folders of theirs are there, lie beside one another.
void find_model_textures(const Field& folder, SkinnedModel& model, const ShapeSources& sources,
                         std::vector<std::string>& warnings);
/// kg/m3 of the liquid that a texture stands for; nothing for others.
std::optional<float> liquid_density(const std::string& material);
Mesh read_height_field(const Field& one); ///< its heights, or terrain
TriangleMesh file_triangles(const Field& file,
                            const ShapeSources& sources); ///< of the file that the field names
ForceField read_force_field(const Field& entry);
TimedExplosion read_explosion(const Field& entry);
class RigidBodyList;
RigidClothDef read_cloth(const Field& entry, const RigidBodyList& bodies, const ShapeSources& sources);
/// `before`: those read before it
SceneAction read_action(const Field& entry, const RigidBodyList& bodies,
                        const std::vector<SceneAction>& before);
TimedAction read_script_line(const Field& entry, const std::vector<SceneAction>& actions);
/// `before`: the scene with its bodies and the motions read before
BodyMotion read_motion(const Field& entry, const RigidBodyList& bodies, const RigidScene& before);
/// Gives bodies the velocities that take them where their motions are at the end of the next step.
void follow_motions(const RigidScene& scene, World& world);
/// Models that characters share, by what they are read from.
using ModelList = std::map<std::string, std::shared_ptr<const SkinnedModel>>;
/// Adds its bodies to `bodies`, and their joints to `scene`.
SceneCharacter read_character(const Field& entry, RigidBodyList& bodies, RigidScene& scene,
                              const ShapeSources& sources, ModelList& models);
/// Adds its capsules to `bodies` and their joints to `scene`.
void add_character_bodies(const Field& entry, SceneCharacter& character, RigidBodyList& bodies,
                          RigidScene& scene, std::optional<float> density = {});
/// Gives the bodies of characters the velocities of their clips, and lets those fall and rise whose time it is.
void follow_characters(const RigidScene& scene, World& world);
/// An entry of "levels": a fixed body with the solids of a map, and what the map's entities ask for.
void read_placed_level(const Field& entry, RigidBodyList& bodies, RigidScene& scene,
                       const ShapeSources& sources, ModelList& models);
/// Before a step: what is far from the player rests, and what is near goes on.
void rest_far(const RigidScene& scene, World& world, SceneState& state);
/// Before a step: movers go on, and pushes and teleports act on what is in them.
void move_level(const RigidScene& scene, World& world, SceneState& state);
/// After it: sensors fire.
void sense_level(const RigidScene& scene, World& world, SceneState& state);
void carry_out(const SceneAction& action, World& world);

} // namespace scree
