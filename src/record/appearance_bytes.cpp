// SPDX-License-Identifier: MIT
// appearance_bytes.cpp — an Appearance as the bytes of a chunk: each list of fields serves both ways (fields.h).
#include "geometry/hull_fields.h"
#include "geometry/mesh_fields.h"
#include "geometry/shapes.h"
#include "record/format.h"
#include "scree/level_file.h"
#include "scree/level_visibility.h"

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>

namespace scree::record {
namespace {

/// Hulls stand before what uses them; parts that share one share its number.
struct HullTable {
    std::vector<Hull> hulls;
    std::map<const HullGeometry*, std::uint32_t> numbers;

    bytes::MeshTable meshes;
    KnownLevels* levels = nullptr;

    void add(const Hull& hull) {
        if (!hull) throw Error("a hull without geometry cannot be recorded");
        if (numbers.try_emplace(&hull.geometry(), static_cast<std::uint32_t>(hulls.size())).second)
            hulls.push_back(hull);
    }
};

template <class Io>
void hull_number(Io& io, std::conditional_t<Io::reads, Hull&, const Hull&> hull, HullTable& table) {
    if constexpr (Io::reads) {
        std::uint32_t number;
        io(number);
        if (number >= table.hulls.size()) io.fail("hull " + std::to_string(number) + " does not exist");
        hull = table.hulls[number];
    } else {
        io(table.numbers.at(&hull.geometry()));
    }
}

template <class Io, class AnyGeometry>
void geometry_fields(Io& io, AnyGeometry& geometry, HullTable& hulls) {
    auto type = static_cast<std::uint32_t>(geometry.index());
    io(type);
    if constexpr (Io::reads) {
        const std::optional<Geometry> chosen = geometry_of_index(type);
        if (!chosen) io.fail("geometry " + std::to_string(type) + " is not known");
        geometry = *chosen;
    }
    each_size(geometry, [&](const char*, SizePlace, auto& size) {
        io(size);
        if constexpr (Io::reads)
            if (size < 0) io.fail("a size is negative");
    });
    if (auto* hull = std::get_if<Hull>(&geometry)) hull_number(io, *hull, hulls);
    if (auto* mesh = std::get_if<Mesh>(&geometry)) {
        if constexpr (Io::reads) {
            Vec3 scale;
            io(scale);
            const Mesh read = hulls.meshes.read(io);
            if (!(std::min({scale.x, scale.y, scale.z}) >= 0.001f &&
                  std::max({scale.x, scale.y, scale.z}) <= 1000))
                io.fail("the scale of a mesh is out of range");
            *mesh = read.scaled(scale);
        } else {
            if (!*mesh) throw Error("a mesh without triangles cannot be recorded");
            io(mesh->scale());
            hulls.meshes.write(io, *mesh);
        }
    }
}

template <class Io, class AnyPaint>
void paint_fields(Io& io, AnyPaint& paint) {
    bool colour = paint.colour.has_value(), roughness = paint.roughness.has_value(),
         metallic = paint.metallic.has_value(), opacity = paint.opacity.has_value(),
         texture = !paint.texture.empty(), size = paint.texture_size.has_value();
    io.flags(colour, roughness, metallic, opacity, texture, size);
    io.optional(colour, paint.colour);
    io.optional(roughness, paint.roughness);
    io.optional(metallic, paint.metallic);
    io.optional(opacity, paint.opacity);
    if (texture) io(paint.texture);
    io.optional(size, paint.texture_size);
}

template <class Io, class Parts>
void part_fields(Io& io, Parts& parts, HullTable& hulls) {
    io.items(parts, 36, "parts", [&](auto& part) {
        geometry_fields(io, part.geometry, hulls);
        io(part.pose);
        paint_fields(io, part.paint);
    });
}

template <class Io, class Shape>
void shape_fields(Io& io, Shape& shape, HullTable& hulls) {
    io(shape.name);
    // the reach of planes is infinite
    if constexpr (Io::reads) {
        std::uint64_t bits;
        io(bits);
        shape.reach = bits_as<double>(bits);
        if (!(shape.reach >= 0)) io.fail("the reach of a shape is not 0 or more");
    } else {
        io(bits_as<std::uint64_t>(shape.reach));
    }
    part_fields(io, shape.parts, hulls);
    io.items(shape.particles, 28, "particles",
             [&](auto& particle) { io(particle.offset, particle.radius, particle.outward); });
}

template <class Io, class Joint>
void joint_fields(Io& io, Joint& joint) {
    bool second = joint.second.has_value(), axis = joint.axis.has_value();
    io.flags(second, axis);
    io(joint.type, joint.first, joint.first_anchor, joint.second_anchor);
    io.optional(second, joint.second);
    io.optional(axis, joint.axis);
}

template <class Io, class Light>
void light_fields(Io& io, Light& light) {
    bool position = light.position.has_value(), body = light.body.has_value();
    io.flags(position, body);
    io(light.direction, light.colour, light.intensity, light.range);
    io.optional(position, light.position);
    io.optional(body, light.body);
}

template <class Io>
void picture_fields(Io& io, std::conditional_t<Io::reads, std::shared_ptr<const std::string>&,
                                               const std::shared_ptr<const std::string>&>
                                picture) {
    bool there = picture != nullptr;
    io.flags(there);
    if (!there) return;
    if constexpr (Io::reads) {
        std::string bytes;
        io(bytes);
        picture = std::make_shared<const std::string>(std::move(bytes));
    } else {
        io(*picture);
    }
}

/// A table of what meshes share, each once, and its number for each mesh: 0 is none. `fields` reads or writes one.
template <class Io, class Meshes, class Shared, class Fields>
void shared_by_meshes(Io& io, Meshes& meshes, const char* what, const Shared& shared, const Fields& fields) {
    std::vector<std::remove_cvref_t<decltype(shared(meshes[0]))>> all;
    if constexpr (!Io::reads)
        for (auto& mesh : meshes)
            if (const auto& one = shared(mesh); one && std::find(all.begin(), all.end(), one) == all.end())
                all.push_back(one);
    io.items(all, 4, what, fields);
    for (auto& mesh : meshes) {
        auto& one = shared(mesh);
        if constexpr (Io::reads) {
            std::uint32_t number;
            io(number);
            if (number > all.size()) io.fail(what + (" " + std::to_string(number)) + " does not exist");
            if (number > 0) one = all[number - 1];
        } else {
            const auto at = std::find(all.begin(), all.end(), one);
            io(one ? static_cast<std::uint32_t>(at - all.begin()) + 1 : 0u);
        }
    }
}

template <class Io, class Meshes>
void mesh_pictures(Io& io, Meshes& meshes) {
    shared_by_meshes(
        io, meshes, "pictures", [](auto& mesh) -> auto& { return mesh.texture.colours; },
        [&](auto& picture) { picture_fields(io, picture); });
    for (auto& mesh : meshes) {
        io(mesh.texture.name);
        io.items(mesh.texture_places, 8, "texture coordinates", [&](auto& place) { io(place[0], place[1]); });
    }
}

template <class Io, class AnySkin>
void skin_fields(Io& io, AnySkin& skin) {
    io.list(skin.vertices, "vertices of a skin");
    io.list(skin.normals, "normals of a skin");
    io.items(skin.bones, 16, "bones of a skin", [&](auto& four) { io(four[0], four[1], four[2], four[3]); });
    io.items(skin.weights, 16, "weights of a skin",
             [&](auto& four) { io(four[0], four[1], four[2], four[3]); });
}

template <class Io, class Meshes>
void mesh_skins(Io& io, Meshes& meshes) {
    shared_by_meshes(
        io, meshes, "skins", [](auto& mesh) -> auto& { return mesh.skin; },
        [&](auto& skin) {
            if constexpr (Io::reads) {
                auto read = std::make_shared<AppearanceSkin>();
                skin_fields(io, *read);
                skin = std::move(read);
            } else {
                skin_fields(io, *skin);
            }
        });
}

std::uint64_t sum_of(const std::string& bytes) {
    return checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

template <class Io, class AnyLevel>
void level_fields(Io& io, AnyLevel& level, HullTable& hulls) {
    io(level.body, level.scale);
    io.items(level.paints, 4, "paints", [&](auto& paint) { paint_fields(io, paint); });
    part_fields(io, level.liquids, hulls);
    if constexpr (Io::reads) {
        std::string bytes;
        io(bytes);
        if (!(level.scale > 0)) io.fail("the scale of a level is not positive");
        std::weak_ptr<const CompiledLevel> unknown;
        auto& known = hulls.levels ? (*hulls.levels)[sum_of(bytes)] : unknown;
        level.level = known.lock();
        if (level.level) return;
        level.level = std::make_shared<const CompiledLevel>(
            decode_level(std::as_bytes(std::span(bytes)), "the recorded level"));
        const LevelVisibility indices_fit(*level.level);
        known = level.level;
    } else {
        const std::vector<std::byte> bytes = encode_level(*level.level);
        io(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
}

template <class Io, class AnyAppearance>
void appearance_fields(Io& io, AnyAppearance& look, HullTable& hulls) {
    io(look.scene, look.title, look.up, look.low, look.high);
    io.items(look.shapes, 20, "shapes", [&](auto& shape) { shape_fields(io, shape, hulls); });
    io.items(look.bodies, 32, "bodies", [&](auto& body) {
        io(body.shape, body.type, body.mass, body.centre, body.name);
        paint_fields(io, body.paint);
    });
    io(look.body_count);
    io.items(look.joints, 36, "joints", [&](auto& joint) { joint_fields(io, joint); });
    io.items(look.meshes, 20, "meshes", [&](auto& mesh) {
        io(mesh.name, mesh.first_vertex, mesh.vertex_count);
        io.list(mesh.triangles, "corners of triangles");
        paint_fields(io, mesh.paint);
    });
    io.items(look.lines, 28, "lines", [&](auto& lines) {
        io(lines.name, lines.first_vertex, lines.vertex_count);
        io.list(lines.ends, "ends of lines");
        io(lines.colour);
    });
    io.items(look.lights, 36, "lights", [&](auto& light) { light_fields(io, light); });
    bool camera = look.camera.has_value(), shown = look.ground.shown.has_value(),
         zenith = look.sky.zenith.has_value(), horizon = look.sky.horizon.has_value(),
         strength = look.sky.strength != 1,
         drawn = std::any_of(look.shapes.begin(), look.shapes.end(),
                             [](const AppearanceShape& shape) { return !shape.drawn.empty(); }),
         levels = !look.levels.empty(), cameras = !look.cameras.empty(),
         shading = look.shading != Shading::physical,
         textures = std::any_of(look.levels.begin(), look.levels.end(),
                                [](const AppearanceLevel& level) { return !level.textures.empty(); }),
         fog = look.sky.fog != 0, fog_colour = look.sky.fog_colour.has_value(),
         pictures = std::any_of(look.meshes.begin(), look.meshes.end(),
                                [](const AppearanceMesh& mesh) { return !mesh.texture_places.empty(); });
    bool skins = std::any_of(look.meshes.begin(), look.meshes.end(),
                             [](const AppearanceMesh& mesh) { return mesh.skin != nullptr; });
    io.flags(camera, shown, zenith, horizon, strength, drawn, levels, cameras, shading, textures, fog,
             fog_colour, pictures, skins);
    if constexpr (Io::reads)
        if (camera) look.camera.emplace();
    const auto camera_fields = [&](auto& c) { io(c.eye, c.target, c.fov); };
    if (camera) camera_fields(*look.camera);
    io.optional(shown, look.ground.shown);
    paint_fields(io, look.ground.paint);
    io.optional(zenith, look.sky.zenith);
    io.optional(horizon, look.sky.horizon);
    if (strength) io(look.sky.strength);
    if (drawn)
        for (auto& shape : look.shapes) part_fields(io, shape.drawn, hulls);
    if (levels) io.items(look.levels, 16, "levels", [&](auto& level) { level_fields(io, level, hulls); });
    if (cameras)
        io.items(look.cameras, 32, "cameras", [&](auto& each) {
            camera_fields(each);
            io(each.name);
        });
    if (shading) io(look.shading);
    if (fog) io(look.sky.fog);
    io.optional(fog_colour, look.sky.fog_colour);
    if (textures)
        for (auto& level : look.levels)
            io.items(level.textures, 12, "textures", [&](auto& texture) {
                io(texture.name);
                picture_fields(io, texture.colours);
                picture_fields(io, texture.normals);
            });
    if (pictures) mesh_pictures(io, look.meshes);
    if (skins) mesh_skins(io, look.meshes);
}

void check_references(const Appearance& look, const FieldReader& in) {
    const auto demand = [&](bool holds, const char* what, std::size_t which, const char* problem) {
        if (!holds) in.fail(what + (" " + std::to_string(which)) + " " + problem);
    };
    for (std::size_t i = 0; i < look.bodies.size(); ++i) {
        demand(look.bodies[i].shape < look.shapes.size(), "body", i, "has a shape that does not exist");
        demand(static_cast<std::uint32_t>(look.bodies[i].type) <=
                   static_cast<std::uint32_t>(BodyType::dynamic),
               "body", i, "is of no known type");
    }
    if (look.shading > Shading::blinn_phong) in.fail("the shading is of no known kind");
    if (look.body_count > look.bodies.size())
        in.fail(std::to_string(look.body_count) + " bodies of the world are more than there are bodies");
    for (std::size_t i = 0; i < look.joints.size(); ++i)
        demand(look.joints[i].first < look.body_count && look.joints[i].second.value_or(0) < look.body_count,
               "joint", i, "has a body that does not exist");
    const auto within = [](const std::vector<std::uint32_t>& all, std::size_t each, std::uint32_t count) {
        return all.size() % each == 0 &&
               std::all_of(all.begin(), all.end(), [&](std::uint32_t vertex) { return vertex < count; });
    };
    for (std::size_t i = 0; i < look.meshes.size(); ++i)
        demand(within(look.meshes[i].triangles, 3,
                      look.meshes[i].skin ? static_cast<std::uint32_t>(look.meshes[i].skin->vertices.size())
                                          : look.meshes[i].vertex_count),
               "mesh", i, "has triangles that its vertices do not make");
    for (const AppearanceMesh& mesh : look.meshes)
        if (mesh.skin) try {
                check_skin(mesh);
            } catch (const Error& error) {
                in.fail(error.what());
            }
    for (std::size_t i = 0; i < look.meshes.size(); ++i)
        demand(look.meshes[i].texture_places.empty() ||
                   look.meshes[i].texture_places.size() == look.meshes[i].triangles.size(),
               "mesh", i, "has texture coordinates for other triangles");
    for (std::size_t i = 0; i < look.lights.size(); ++i)
        demand(!look.lights[i].body || *look.lights[i].body < look.bodies.size(), "light", i,
               "has a body that does not exist");
    for (std::size_t i = 0; i < look.levels.size(); ++i)
        demand(look.levels[i].body < look.bodies.size(), "level", i, "has a body that does not exist");
    for (std::size_t i = 0; i < look.lines.size(); ++i)
        demand(within(look.lines[i].ends, 2, look.lines[i].vertex_count), "line set", i,
               "has lines that its vertices do not make");
}

} // namespace

std::uint64_t vertex_count(const Appearance& appearance) {
    std::uint64_t count = 0;
    const auto widen = [&](const auto& all) {
        for (const auto& one : all)
            count = std::max(count, std::uint64_t{one.first_vertex} + one.vertex_count);
    };
    widen(appearance.meshes);
    widen(appearance.lines);
    return count;
}

Bytes encode(const Appearance& appearance) {
    Bytes bytes;
    FieldWriter out(bytes);
    HullTable hulls;
    const auto add = [&](const std::vector<AppearancePart>& parts) {
        for (const AppearancePart& part : parts)
            if (const Hull* hull = std::get_if<Hull>(&part.geometry)) hulls.add(*hull);
    };
    for (const AppearanceShape& shape : appearance.shapes) add(shape.parts), add(shape.drawn);
    for (const AppearanceLevel& level : appearance.levels) add(level.liquids);
    out(static_cast<std::uint32_t>(hulls.hulls.size()));
    for (const Hull& hull : hulls.hulls) write_hull(out, hull.geometry());
    appearance_fields(out, appearance, hulls);
    return bytes;
}

Appearance decode_appearance(std::span<const std::uint8_t> bytes, const std::string& where,
                             KnownLevels* known) {
    FieldReader in(bytes, where);
    HullTable table;
    table.levels = known;
    table.hulls.resize(in.count(bytes::least_hull_bytes, "hulls"));
    for (Hull& hull : table.hulls) hull = Hull(read_hull(in));
    Appearance appearance;
    appearance_fields(in, appearance, table);
    if (in.left() != 0)
        in.fail(std::to_string(in.left()) + " bytes are left after the appearance's last field");
    check_references(appearance, in);
    return appearance;
}

} // namespace scree::record
