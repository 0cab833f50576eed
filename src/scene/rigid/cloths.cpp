// SPDX-License-Identifier: MIT
// cloths.cpp — cloths and ropes of rigid scenes.
#include "scene/fields.h"
#include "scene/look.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scene/rigid/tube.h"
#include "scree/error.h"
#include "text/number_text.h"
#include "world/warnings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

namespace scree {
namespace {

constexpr std::int64_t most_side = 4096, most_segments = 1 << 20;
constexpr std::int64_t most_user_data = std::int64_t{1} << 53; // as exact as numbers of JSON are
constexpr std::size_t most_vertices = 1 << 24, most_parts = 1 << 25;

ClothDef read_grid(const Fields& grid, ClothDef (*make)(float, float, std::uint32_t, std::uint32_t)) {
    const Field size = grid.at("size"), vertices = grid.at("vertices");
    size.list(2, 2), vertices.list(2, 2);
    return make(size[0].number(positive), size[1].number(positive),
                static_cast<std::uint32_t>(vertices[0].integer(2, most_side)),
                static_cast<std::uint32_t>(vertices[1].integer(2, most_side)));
}

ClothDef read_balloon(const Fields& balloon) {
    return make_balloon(balloon.at("radius").number(positive),
                        static_cast<std::uint32_t>(balloon.at("segments").integer(1, 1024)));
}

ClothDef read_tube(const Fields& tube) {
    const Field radii = tube.at("radii"), vertices = tube.at("vertices");
    radii.list(2, 2), vertices.list(2, 2);
    return make_tube(radii[0].number(positive), radii[1].number(positive), tube.at("height").number(positive),
                     static_cast<std::uint32_t>(vertices[0].integer(3, most_side)),
                     static_cast<std::uint32_t>(vertices[1].integer(2, most_side)));
}

ClothDef read_rope(const Fields& rope) {
    return make_rope(rope.at("from").vector(), rope.at("to").vector(),
                     static_cast<std::uint32_t>(rope.at("segments").integer(1, most_segments)),
                     rope.number("radius", 0.01f, positive));
}

/// Vertices that a file meant to be at one place, and that rounding drew apart, do not hang together.
void warn_of_open_seams(const Field& file, const ClothDef& cloth) {
    Vec3 low = cloth.vertices.front(), high = low;
    for (const Vec3& v : cloth.vertices)
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)},
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    const float near = 1e-5f * length(high - low);
    TriangleMesh same;
    same.vertices = cloth.vertices, same.triangles = cloth.triangles;
    if (const std::size_t apart = repair(same, near).merged_vertices)
        warn(file.where() + ": " + std::to_string(apart) + " vertices are within " +
             number_text(double{near}) +
             " m of others and not joined to them: expected \"weld\", a distance");
}

/// The corners of triangles or the ends of lines.
template <std::size_t corners>
void read_numbers(const Field& list, std::size_t vertices,
                  std::vector<std::array<std::uint32_t, corners>>& out) {
    const std::size_t count = list.list(1, most_parts);
    for (std::size_t i = 0; i < count; ++i) {
        const Field one = list[i];
        one.list(corners, corners);
        auto& numbers = out.emplace_back();
        for (std::size_t k = 0; k < corners; ++k)
            numbers[k] =
                static_cast<std::uint32_t>(one[k].integer(0, static_cast<std::int64_t>(vertices) - 1));
    }
}

void read_material(const Fields& fields, ClothMaterial& m) {
    m.density = fields.number("density", m.density, positive);
    m.stretch = fields.number("stretch", m.stretch, positive);
    m.bend = fields.number("bend", m.bend, not_negative);
    m.damping = fields.number("damping", m.damping, not_negative);
    m.thickness = fields.number("thickness", m.thickness, positive);
    m.friction = fields.number("friction", m.friction, not_negative);
    m.drag = fields.number("drag", m.drag, not_negative);
    m.tear = fields.number("tear", m.tear, positive);
}

/// A vertex, or several at equal steps, with a body or the world.
void read_pin(const Field& entry, const RigidBodyList& bodies, std::size_t vertices,
              std::vector<RigidClothDef::Pin>& pins) {
    const auto last = static_cast<std::int64_t>(vertices) - 1;
    if (entry.value().kind == json::Kind::number) {
        pins.push_back({static_cast<std::uint32_t>(entry.integer(0, last)), {}, {}});
        return;
    }
    const Fields fields(entry, format::cloth_pin);
    const std::int64_t first = fields.at("vertex").integer(0, last);
    const std::int64_t count = fields.integer("count", 1, 1, last + 1),
                       step = fields.integer("step", 1, 1, last + 1);
    if (first + (count - 1) * step > last)
        entry.fail("vertex " + std::to_string(first + (count - 1) * step) + " is not among the " +
                   std::to_string(vertices));
    std::optional<std::uint32_t> body;
    if (const auto on = fields.find("body")) body = bodies.body(*on);
    std::optional<Vec3> point;
    if (const auto at = fields.find("point")) {
        if (count != 1) at->fail("a point is of one vertex: expected no \"count\"");
        point = at->vector();
    }
    for (std::int64_t k = 0; k < count; ++k)
        pins.push_back({static_cast<std::uint32_t>(first + k * step), body, point});
}

} // namespace

RigidClothDef read_cloth(const Field& entry, const RigidBodyList& bodies, const ShapeSources& sources) {
    const Fields fields(entry, format::cloth);
    RigidClothDef cloth;
    const float scale = fields.number("scale", 1, positive), weld = fields.number("weld", 0, not_negative);
    for (const char* of_file : {"scale", "weld"})
        if (const auto key = fields.find(of_file); key && !fields.has("file"))
            key->fail("expected \"file\" with it");
    int given = 0;
    for (const char* shape : {"grid", "net", "tube", "balloon", "rope", "file", "vertices"})
        given += fields.has(shape);
    if (given != 1)
        entry.fail("expected only one of \"grid\", \"net\", \"tube\", \"balloon\", \"rope\", \"file\" and "
                   "\"vertices\"");
    if (const auto triangles = fields.find("triangles"); triangles && !fields.has("vertices")) {
        triangles->list(1, most_parts);
        triangles->fail("expected \"vertices\" with them");
    }
    try {
        if (const auto grid = fields.find("grid"))
            cloth.cloth = read_grid(Fields(*grid, format::cloth_grid), make_cloth);
        if (const auto net = fields.find("net"))
            cloth.cloth = read_grid(Fields(*net, format::cloth_grid), make_net);
        if (const auto tube = fields.find("tube")) cloth.cloth = read_tube(Fields(*tube, format::cloth_tube));
        if (const auto balloon = fields.find("balloon"))
            cloth.cloth = read_balloon(Fields(*balloon, format::cloth_balloon));
        if (const auto rope = fields.find("rope")) cloth.cloth = read_rope(Fields(*rope, format::cloth_rope));
        if (const auto file = fields.find("file")) {
            TriangleMesh mesh = file_triangles(*file, sources);
            for (Vec3& v : mesh.vertices) v = v * scale;
            cloth.cloth = make_cloth(mesh, weld);
            if (!fields.has("weld")) warn_of_open_seams(*file, cloth.cloth);
        }
    } catch (const Error& error) {
        if (error.where().rfind(entry.file() + ":", 0) == 0) throw;
        entry.fail(error.what());
    }
    ClothDef& def = cloth.cloth;
    if (const auto vertices = fields.find("vertices")) {
        const std::size_t count = vertices->list(2, most_vertices);
        for (std::size_t v = 0; v < count; ++v) def.vertices.push_back((*vertices)[v].vector());
        if (const auto triangles = fields.find("triangles")) read_numbers(*triangles, count, def.triangles);
    }
    if (const auto lines = fields.find("lines")) read_numbers(*lines, def.vertices.size(), def.lines);
    def.position = fields.vector("position", {});
    if (const auto rotation = fields.find("rotation")) def.rotation = rotation->rotation();
    def.velocity = fields.vector("velocity", {});
    if (const auto material = fields.find("material"))
        read_material(Fields(*material, format::cloth_material), def.material);
    def.max_stretch = fields.number("max_stretch", def.max_stretch, not_negative);
    if (const auto flag = fields.find("tethers"); flag && !flag->flag())
        def.max_stretch = std::numeric_limits<float>::infinity();
    if (const auto flag = fields.find("surface_collision")) def.surface_collision = flag->flag();
    if (const auto flag = fields.find("self_collision")) def.self_collision = flag->flag();
    if (const auto flag = fields.find("can_sleep")) def.can_sleep = flag->flag();
    def.wind = fields.vector("wind", {});
    def.pressure = fields.number("pressure", 0);
    if (const auto filter = fields.find("filter")) def.filter = read_filter(Fields(*filter, format::filter));
    def.user_data = static_cast<std::uint64_t>(fields.integer("user_data", 0, 0, most_user_data));
    fields.each("pins", [&](const Field& pin) { read_pin(pin, bodies, def.vertices.size(), cloth.pins); });
    if (const auto paint = fields.find("paint")) cloth.paint = read_paint(*paint);
    return cloth;
}

ClothId add_scene_cloth(World& world, const RigidClothDef& cloth, std::span<const BodyId> bodies) {
    ClothDef def = cloth.cloth;
    for (const RigidClothDef::Pin& pin : cloth.pins)
        def.pins.push_back({pin.vertex, pin.body ? bodies[*pin.body] : BodyId{}, pin.point});
    return world.create_cloth(def);
}

} // namespace scree
