// SPDX-License-Identifier: MIT
// level.h — levels from map editors: .map files of Quake's family, their brushes as polyhedra, and both in a World.
//
//     const Level level = build_level(read_map("hall.map"));
//     const BodyId walls = add_level(world, level);
//
// Maps and levels are in the editor's units, with z up; add_level turns them to y up and scales to metres.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"
#include "scree/shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

class World;

/// How the faces of a map are written. A file holds one format.
enum class MapFormat {
    none,       ///< no brushes
    standard,   ///< Quake, Quake II and Quake III: three points, texture, offset, rotation, scale
    valve,      ///< Valve 220: the texture's axes in brackets
    brush_def,  ///< Quake III's brush primitives: the texture as a matrix
    brush_def3, ///< Doom 3: planes by their coefficients, the texture as a matrix
};
std::string_view name_of(MapFormat format);

/// Where something begins in the file, from 1; columns count characters.
struct MapPlace {
    std::uint32_t line = 0, column = 0;
};

struct MapFace {
    /// Three points x y z, clockwise seen from outside; brush_def3: a b c d, where a x + b y + c z + d is negative inside.
    std::array<double, 9> plane{};
    /// standard: offsets, rotation in degrees, scales. valve: axis and offset, axis and offset, rotation, scales.
    /// brush_def, brush_def3: the matrix by rows.
    std::array<double, 11> texture{};
    std::uint32_t material = 0; ///< index into Map::materials
    std::int64_t contents = 0,
                 flags = 0; ///< the three numbers that end a face of Quake II and later; 0 if not given
    double value = 0;
    MapPlace place{};
};

struct MapBrush {
    std::vector<MapFace> faces;
    MapPlace place{};
};

/// A quadratic Bézier surface: width x height control points, both odd.
struct MapPatch {
    struct Point {
        DVec3 position{};
        double u = 0, v = 0;
    };
    std::uint32_t width = 0, height = 0;
    std::array<std::uint32_t, 2> cuts{}; ///< subdivisions that the file asks for (patchDef3); 0: by the error
    std::vector<Point> points;           ///< by columns: height points each
    std::uint32_t material = 0;
    MapPlace place{};
};

struct MapEntity {
    std::vector<std::pair<std::string, std::string>> keys; ///< in the order of the file
    std::vector<MapBrush> brushes;
    std::vector<MapPatch> patches;
    /// The entity that stands for the group or layer that holds this one (TrenchBroom's "_tb_group", "_tb_layer").
    std::optional<std::uint32_t> group;
    bool omitted = false; ///< in a layer that is left out of exports ("_tb_layer_omit_from_export")
    MapPlace place{};

    /// The first value of the key; null if there is none.
    const std::string* find(std::string_view key) const;
    /// The class; empty if there is none.
    std::string_view classname() const;
    /// The key's value as three numbers; nothing if there is none or it is not three numbers.
    std::optional<DVec3> vector(std::string_view key) const;
};

struct Map {
    std::string file;
    MapFormat format = MapFormat::none;
    std::vector<std::string> materials; ///< in the order of their first face or patch
    std::vector<MapEntity> entities;
    std::vector<std::string> warnings; ///< with their place; after the 1,000th only one that counts the rest
};

struct MapOptions {
    std::size_t max_bytes = std::size_t{1} << 28; ///< a larger file is refused
};

/// Reads a .map file. Throws Error with file:line:column as its place for everything that is not the format: broken or cut off
/// text, formats mixed in one file, numbers that are not finite or beyond ±16,777,216 units, patches of even size.
Map read_map(const std::string& file, const MapOptions& options = {});
/// The same from memory. `file` is the name used in errors.
Map parse_map(std::string_view text, const std::string& file, const MapOptions& options = {});

struct LevelOptions {
    /// How far the triangles of a patch may be from its surface, in units.
    double patch_error = 1;
};

/// A face of a convex polyhedron.
struct LevelFace {
    std::uint32_t material = 0; ///< index into Level::materials
    std::uint32_t face = 0;     ///< index into MapBrush::faces
    DVec3 normal{};             ///< of length 1, outwards
    std::vector<std::uint32_t>
        corners; ///< indices into LevelBrush::vertices, counter-clockwise seen from outside
    /// Texture coordinates of the corners; Level::texels says in what.
    std::vector<std::array<double, 2>> coordinates;
};

/// A brush as a closed convex polyhedron: each edge belongs to two faces.
struct LevelBrush {
    std::uint32_t entity = 0, brush = 0; ///< indices into Map::entities and MapEntity::brushes
    std::vector<DVec3> vertices;
    std::vector<LevelFace> faces;
    DVec3 low{}, high{};
    double volume = 0;
    bool solid = false; ///< part of the static world
};

struct LevelPatch {
    std::uint32_t entity = 0, patch = 0;
    std::uint32_t material = 0;
    bool solid = false;
    std::vector<DVec3> vertices;
    std::vector<std::array<double, 2>> coordinates;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct LevelLight {
    std::uint32_t entity = 0;
    DVec3 position{};
    double intensity = 300;
    DVec3 colour{1, 1, 1};
};

struct Level {
    std::string file;
    std::vector<std::string> materials;
    /// Whether texture coordinates of faces count texels (standard, valve) or widths and heights of the texture, as those of patches
    /// always do.
    bool texels = true;
    std::vector<LevelBrush> brushes;
    std::vector<LevelPatch> patches;
    std::vector<LevelLight> lights; ///< of entities whose class begins with "light"
    std::vector<std::string>
        warnings; ///< those of the map, and one for each brush, face, patch or light that was dropped
    std::size_t dropped_brushes = 0; ///< without volume, or not closed
    std::size_t dropped_faces = 0;   ///< of kept brushes: without a plane, given twice, or touching nothing
    std::size_t dropped_patches = 0;
    std::size_t omitted_entities = 0; ///< by their layer
};

/// Brushes to polyhedra, patches to triangles, entities to lights. Which vertices a polyhedron has is decided in exact integer
/// arithmetic; nothing depends on a tolerance. The same map gives the same bits everywhere. Throws Error for a patch_error that
/// is not positive.
///
/// Solid are brushes and patches of worldspawn, func_group, func_detail…, func_wall and func_static, except those of
/// func_detail_illusionary and those all of whose faces are liquid or for tools (hint, skip, trigger, origin …).
Level build_level(const Map& map, const LevelOptions& options = {});

constexpr float level_scale = 1 / 32.0f; ///< metres in a unit

/// From the editor's frame to the world's, y up and in metres: x, y, z becomes x, z, -y.
DVec3 from_map(DVec3 at, float scale = level_scale);

/// A solid of a level, in the frame of a body.
struct LevelShape {
    Geometry geometry;
    Vec3 position{}; ///< of the geometry's frame, which is in the middle of the solid
    std::uint32_t material =
        0; ///< index into Level::materials; of a brush that of the first face that is drawn
};
/// A hull for each solid brush, or a mesh beyond a hull's limits; a two-sided mesh for each solid patch. What is too small for
/// that in single precision is left out and named in `left_out`. Throws Error for a scale that is not positive.
std::vector<LevelShape> level_shapes(const Level& level, float scale = level_scale,
                                     std::vector<std::string>* left_out = nullptr);
/// The same for the brushes and patches of one entity, solid or not; without those of the texture "origin".
std::vector<LevelShape> entity_shapes(const Level& level, std::uint32_t entity, float scale = level_scale,
                                      std::vector<std::string>* left_out = nullptr);
/// A fixed body at the world's origin with these shapes. `definition`: their material, filter and the like.
BodyId add_level(World& world, const Level& level, float scale = level_scale,
                 const ShapeDef& definition = {});

} // namespace scree
