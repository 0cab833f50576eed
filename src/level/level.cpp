// SPDX-License-Identifier: MIT
// level.cpp — a map's brushes to polyhedra, its patches to triangles, its entities to lights.
#include "scree/level.h"
#include "geometry/mesh_text.h"
#include "level/brush_planes.h"
#include "level/material_name.h"
#include "level/patch.h"
#include "level/polyhedron.h"
#include "level/texture.h"
#include "scree/error.h"
#include "text/checks.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t most_warnings = 1000;

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// Materials whose brushes are no walls: liquids, and what only tells a compiler something.
bool passable(std::string_view material) {
    const std::string name = plain_name(material);
    if (!name.empty() && (name[0] == '*' || name[0] == '!')) return true; // Quake's and Half-Life's liquids
    return marks_tool(name) || is_one_of(name, {"water", "lava", "slime", "fog"});
}

bool static_class(std::string_view name) {
    return name == "worldspawn" || name == "func_group" || name == "func_wall" || name == "func_static" ||
           (starts_with(name, "func_detail") && name != "func_detail_illusionary");
}

class LevelBuilder {
public:
    LevelBuilder(const Map& map, const LevelOptions& options) : map_(map), options_(options) {
        level_.file = map.file;
        level_.materials = map.materials;
        level_.texels = map.format != MapFormat::brush_def && map.format != MapFormat::brush_def3;
        level_.warnings = map.warnings;
        for (const std::string& material : map.materials) passable_.push_back(passable(material));
    }

    Level build() {
        for (std::uint32_t e = 0; e < map_.entities.size(); ++e) {
            const MapEntity& entity = map_.entities[e];
            if (entity.omitted) {
                ++level_.omitted_entities;
                continue;
            }
            const bool fixed = static_class(entity.classname());
            for (std::uint32_t b = 0; b < entity.brushes.size(); ++b) add_brush(e, b, fixed);
            for (std::uint32_t p = 0; p < entity.patches.size(); ++p) add_patch(e, p, fixed);
            if (starts_with(entity.classname(), "light")) add_light(e);
        }
        if (level_.brushes.empty() && level_.patches.empty())
            level_.warnings.push_back(map_.file + ": no brush and no patch has been made");
        if (more_warnings_ > 0)
            level_.warnings.push_back(map_.file + ": " + count_text(more_warnings_) + " more warnings");
        return std::move(level_);
    }

private:
    void warn(const std::string& what, MapPlace place) {
        if (level_.warnings.size() < map_.warnings.size() + most_warnings)
            level_.warnings.push_back(map_.file + ":" + std::to_string(place.line) + ":" +
                                      std::to_string(place.column) + ": " + what);
        else ++more_warnings_;
    }

    /// "brush 3 of entity 0 (worldspawn)", as editors count
    std::string named(const char* what, std::uint32_t number, std::uint32_t e) const {
        const std::string_view name = map_.entities[e].classname();
        return std::string(what) + " " + std::to_string(number) + " of entity " + std::to_string(e) +
               (name.empty() ? std::string() : " (" + std::string(name) + ")");
    }

    void add_brush(std::uint32_t e, std::uint32_t b, bool fixed) {
        const MapEntity& entity = map_.entities[e];
        const MapBrush& brush = entity.brushes[b];
        planes_.clear();
        sources_.clear();
        for (std::uint32_t f = 0; f < brush.faces.size(); ++f) {
            const MapFace& face = brush.faces[f];
            const auto plane = brush_plane(map_, e, b, f);
            if (!plane) {
                ++level_.dropped_faces;
                warn("a face without a plane, because its " +
                         std::string(map_.format == MapFormat::brush_def3 ? "normal is 0"
                                                                          : "points are on a line") +
                         "; left out of " + named("brush", b, e),
                     face.place);
                continue;
            }
            planes_.push_back(*plane);
            sources_.push_back(f);
        }
        const Polyhedron polyhedron = intersect(planes_);
        if (polyhedron.state != Polyhedron::State::closed) {
            ++level_.dropped_brushes;
            warn(named("brush", b, e) +
                     (polyhedron.state == Polyhedron::State::empty ? " has no volume"
                                                                   : " is not closed by its faces") +
                     "; left out",
                 brush.place);
            return;
        }
        report_idle_faces(polyhedron, e, b);
        keep(polyhedron, e, b, fixed);
    }

    /// Faces that bound nothing.
    void report_idle_faces(const Polyhedron& polyhedron, std::uint32_t e, std::uint32_t b) {
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < planes_.size(); ++i) {
            if (next < polyhedron.faces.size() && polyhedron.faces[next].plane == i) {
                ++next;
                continue;
            }
            ++level_.dropped_faces;
            bool twice = false;
            for (std::uint32_t k = 0; k < planes_.size() && !twice; ++k)
                twice = k != i && same_plane(planes_[i], planes_[k]);
            warn(std::string(twice ? "a face in the plane of another one"
                                   : "a face that does not touch its brush") +
                     "; left out of " + named("brush", b, e),
                 map_.entities[e].brushes[b].faces[sources_[i]].place);
        }
    }

    void keep(const Polyhedron& polyhedron, std::uint32_t e, std::uint32_t b, bool fixed) {
        LevelBrush& made = level_.brushes.emplace_back();
        made.entity = e;
        made.brush = b;
        made.vertices = polyhedron.vertices;
        made.volume = volume_of(polyhedron);
        made.low = made.high = made.vertices[0];
        for (const DVec3& vertex : made.vertices) {
            made.low = min(made.low, vertex);
            made.high = max(made.high, vertex);
        }
        bool wall = false;
        for (const Polyhedron::Face& face : polyhedron.faces) {
            const MapFace& source = map_.entities[e].brushes[b].faces[sources_[face.plane]];
            LevelFace& out = made.faces.emplace_back();
            out.material = source.material;
            out.face = sources_[face.plane];
            out.normal = normal_of(planes_[face.plane]);
            out.corners = face.corners;
            const TextureProjection projection = texture_projection(map_.format, source, out.normal);
            for (std::uint32_t corner : face.corners)
                out.coordinates.push_back(projection.at(made.vertices[corner]));
            wall = wall || !passable_[source.material];
        }
        made.solid = fixed && wall;
    }

    void add_patch(std::uint32_t e, std::uint32_t p, bool fixed) {
        const MapPatch& patch = map_.entities[e].patches[p];
        LevelPatch made = tessellate(patch, options_.patch_error);
        if (made.triangles.empty()) {
            ++level_.dropped_patches;
            warn(named("patch", p, e) + " has no area; left out", patch.place);
            return;
        }
        made.entity = e;
        made.patch = p;
        made.solid = fixed && !passable_[patch.material];
        level_.patches.push_back(std::move(made));
    }

    void add_light(std::uint32_t e) {
        const MapEntity& entity = map_.entities[e];
        LevelLight light;
        light.entity = e;
        const auto origin = entity.vector("origin");
        if (!origin) {
            if (!entity.brushes.empty() || !entity.patches.empty()) return; // a lamp made of brushes
            warn("a light without an origin of three numbers; left out", entity.place);
            return;
        }
        light.position = *origin;
        light.colour = entity.vector("_color").value_or(light.colour);
        if (const std::string* text = entity.find("light")) {
            // Quake III's "light" is a number, Half-Life's three of a colour and one of the intensity
            const std::size_t space = text->find_last_of(" \t");
            const auto intensity =
                parse_decimal(std::string_view(*text).substr(space == std::string::npos ? 0 : space + 1));
            if (intensity && std::isfinite(*intensity)) light.intensity = *intensity;
            else
                warn("the intensity " + quote(*text) + " of a light is not a number; 300 is used",
                     entity.place);
        }
        level_.lights.push_back(light);
    }

    const Map& map_;
    LevelOptions options_;
    Level level_;
    std::vector<bool> passable_;
    std::vector<ExactPlane> planes_;
    std::vector<std::uint32_t> sources_; ///< for each plane its face
    std::size_t more_warnings_ = 0;
};

} // namespace

std::optional<ExactPlane> brush_plane(const Map& map, std::uint32_t e, std::uint32_t brush,
                                      std::uint32_t face) {
    const MapEntity& entity = map.entities[e];
    const std::array<double, 9>& p = entity.brushes[brush].faces[face].plane;
    if (map.format != MapFormat::brush_def3) return plane_through(p);
    // the planes of Doom 3's entities are about the entity's origin, except those of the world
    const bool about_origin = entity.classname() != "worldspawn";
    return plane_of({p[0], p[1], p[2], p[3]},
                    about_origin ? entity.vector("origin").value_or(DVec3{}) : DVec3{});
}

Level build_level(const Map& map, const LevelOptions& options) {
    if (!(options.patch_error > 0) || !std::isfinite(options.patch_error))
        refuse(options.patch_error, "LevelOptions::patch_error", "a positive number");
    return LevelBuilder(map, options).build();
}

} // namespace scree
