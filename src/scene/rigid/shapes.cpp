// SPDX-License-Identifier: MIT
// shapes.cpp — reads materials and shapes of a rigid scene, and finds how much room a shape takes.
#include "geometry/shapes.h"
#include "scene/look.h"
#include "scene/rigid/parts.h"
#include "scene/rotation.h"
#include "scene/setting.h"

#include <algorithm>
#include <cmath>

namespace scree {

Filter read_filter(const Fields& fields) {
    constexpr std::int64_t bits = 0xffffffff;
    Filter filter;
    filter.category = static_cast<std::uint32_t>(fields.integer("category", filter.category, 0, bits));
    filter.mask = static_cast<std::uint32_t>(fields.integer("mask", filter.mask, 0, bits));
    filter.group = static_cast<std::int32_t>(fields.integer("group", 0, -0x7fffffff - 1, 0x7fffffff));
    return filter;
}

namespace {

constexpr std::string_view rules[] = {"geometric_mean", "average", "least", "product", "greatest"};
constexpr std::size_t most_parts = 1'000'000, most_drawn = 1000;

Geometry read_geometry(const Field& one, std::string_view kind, const ShapeSources& sources) {
    if (kind == "sphere") return Sphere{Fields(one, format::rigid_sphere).at("radius").number(positive)};
    if (kind == "box") {
        Vec3 half = Fields(one, format::rigid_box).at("half_size").vector(positive);
        return Box{half.x, half.y, half.z};
    }
    if (kind == "plane") {
        [[maybe_unused]] const Fields without_keys(one, format::rigid_plane);
        return Plane{};
    }
    if (kind == "hull") return read_hull(one, sources);
    if (kind == "mesh") return read_mesh(one, sources);
    if (kind == "height_field") return read_height_field(one);
    Fields fields(one, format::round);
    float half_height = fields.at("half_height").number(positive),
          radius = fields.at("radius").number(positive);
    if (kind == "capsule") return Capsule{half_height, radius};
    if (kind == "cylinder") return Cylinder{half_height, radius};
    return Cone{half_height, radius};
}

/// Keys common to parts and shapes of one geometry; `definition` holds the defaults.
void read_substance(const Fields& fields, ShapeDef& definition, const MaterialList& materials) {
    definition.density = fields.number("density", definition.density, not_negative);
    if (auto material = fields.find("material")) definition.material = materials.named(*material);
    if (auto filter = fields.find("filter")) definition.filter = read_filter(Fields(*filter, format::filter));
    if (auto flag = fields.find("sensor")) definition.sensor = flag->flag();
    if (auto flag = fields.find("contact_events")) definition.contact_events = flag->flag();
    if (auto flag = fields.find("hit_events")) definition.hit_events = flag->flag();
    definition.one_way = fields.vector("one_way", definition.one_way);
}

/// One geometry, or the parts of a mesh.
std::vector<Geometry> read_geometries(const Field& one, std::string_view kind, const ShapeSources& sources) {
    if (kind != "convex_parts") return {read_geometry(one, kind, sources)};
    std::vector<Geometry> all;
    for (const Hull& hull : read_convex_parts(one, sources)) all.emplace_back(hull);
    return all;
}

void read_part(const Field& entry, const ShapeDef& defaults, const Paint& paint, const ShapeSources& sources,
               std::vector<RigidShape::Part>& parts) {
    Fields fields(entry, format::part);
    RigidShape::Part part{{}, defaults, paint};
    if (auto own = fields.find("paint")) part.paint = read_paint(*own);
    part.definition.position = fields.vector("position", {});
    if (auto rotation = fields.find("rotation")) part.definition.rotation = rotation->rotation();
    read_substance(fields, part.definition, sources.materials);
    Field one = fields.only_one({"position", "rotation", "density", "material", "filter", "paint", "sensor",
                                 "contact_events", "hit_events", "one_way"});
    for (Geometry& geometry : read_geometries(one, fields.key_of(one), sources)) {
        part.geometry = std::move(geometry);
        parts.push_back(part);
    }
}

AppearancePart read_drawn(const Field& entry, const Paint& paint, const ShapeSources& sources) {
    Fields fields(entry, format::drawn);
    AppearancePart part{{}, {}, paint};
    if (auto own = fields.find("paint")) part.paint = read_paint(*own);
    part.pose.position = fields.vector("position", {});
    if (auto rotation = fields.find("rotation")) part.pose.rotation = rotation->rotation();
    Field one = fields.only_one({"position", "rotation", "paint"});
    part.geometry = read_geometry(one, fields.key_of(one), sources);
    return part;
}

Geometry scaled(Geometry geometry, float factor) {
    if (auto* ball = std::get_if<Sphere>(&geometry)) ball->radius *= factor;
    else if (auto* box = std::get_if<Box>(&geometry))
        *box = {box->x * factor, box->y * factor, box->z * factor};
    else if (auto* hull = std::get_if<Hull>(&geometry)) {
        std::vector<Vec3> points(hull->vertices().begin(), hull->vertices().end());
        for (Vec3& point : points) point = point * factor;
        *hull = Hull::from_points(points);
    } else if (auto* mesh = std::get_if<Mesh>(&geometry)) *mesh = mesh->scaled({factor, factor, factor});
    const auto round = [factor](auto* one) {
        if (one) one->half_height *= factor, one->radius *= factor;
    };
    round(std::get_if<Capsule>(&geometry));
    round(std::get_if<Cylinder>(&geometry));
    round(std::get_if<Cone>(&geometry));
    return geometry;
}

} // namespace

void MaterialList::read(const Field& entry) {
    Fields fields(entry, format::material);
    Field name = fields.at("name");
    if (std::find(names_.begin(), names_.end(), name.text()) != names_.end())
        name.refuse("a name that no other material has");
    Material material;
    material.friction = fields.number("friction", material.friction, not_negative);
    material.restitution = fields.number("restitution", material.restitution, Range{0, 1});
    material.rolling_resistance = fields.number("rolling_resistance", 0, not_negative);
    material.surface_velocity = fields.vector("surface_velocity", {});
    if (auto rule = fields.find("friction_rule"))
        material.friction_rule = static_cast<Combine>(rule->choice(rules));
    if (auto rule = fields.find("restitution_rule"))
        material.restitution_rule = static_cast<Combine>(rule->choice(rules));
    names_.push_back(name.text());
    materials_.push_back(material);
}

const Material& MaterialList::named(const Field& field) const {
    std::string name = field.text();
    auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
        field.fail("there is no material " + field.value().shown() + " in \"materials\"" +
                   format::suggestion(name, names_));
    return materials_[static_cast<std::size_t>(found - names_.begin())];
}

RigidShape read_rigid_shape(const Field& entry, const ShapeSources& sources) {
    Fields fields(entry, format::rigid_shape);
    RigidShape shape;
    shape.name = fields.at("name").text();
    ShapeDef definition;
    read_substance(fields, definition, sources.materials);
    const auto paint_key = fields.find("paint");
    const Paint paint = paint_key ? read_paint(*paint_key) : Paint{};
    Field one = fields.only_one({"name", "density", "material", "filter", "paint", "sensor", "contact_events",
                                 "hit_events", "one_way", "draw", "lights"});
    std::string_view kind = fields.key_of(one);
    if (kind == "compound") {
        for (std::size_t i = 0; i < one.list(1, most_parts); ++i)
            read_part(one[i], definition, paint, sources, shape.parts);
    } else if (kind == "level") {
        read_level(one, definition, paint, sources, shape);
    } else {
        for (Geometry& geometry : read_geometries(one, kind, sources))
            shape.parts.push_back({std::move(geometry), definition, paint});
    }
    if (auto draw = fields.find("draw")) {
        shape.drawn.clear();
        shape.level.reset();
        for (std::size_t i = 0; i < draw->list(1, most_drawn); ++i)
            shape.drawn.push_back(read_drawn((*draw)[i], paint, sources));
    }
    if (auto lights = fields.find("lights"))
        for (std::size_t i = 0; i < lights->list(1, 8); ++i)
            shape.lights.push_back(read_carried_light((*lights)[i]));
    measure_bounds(shape);
    return shape;
}

void measure_bounds(RigidShape& shape) {
    Bounds all{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (const RigidShape::Part& part : shape.parts) {
        const Pose pose{part.definition.position, part.definition.rotation};
        const Bounds one = is_plane(part.geometry) ? Bounds{wide(pose.position), wide(pose.position)}
                                                   : bounds_of(part.geometry, pose);
        all.low = min(all.low, one.low);
        all.high = max(all.high, one.high);
    }
    shape.low = narrow(all.low);
    shape.high = narrow(all.high);
}

RigidShape scaled(RigidShape shape, float factor) {
    for (RigidShape::Part& part : shape.parts) {
        part.geometry = scaled(part.geometry, factor);
        part.definition.position = part.definition.position * factor;
    }
    for (AppearancePart& part : shape.drawn) {
        part.geometry = scaled(part.geometry, factor);
        part.pose.position = part.pose.position * factor;
    }
    for (AppearanceLight& light : shape.lights) {
        if (light.position) light.position = *light.position * factor;
        light.range *= factor;
    }
    measure_bounds(shape);
    return shape;
}

bool has_plane(const RigidShape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(),
                       [](const RigidShape::Part& part) { return is_plane(part.geometry); });
}

bool has_mesh(const RigidShape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(), [](const RigidShape::Part& part) {
        return std::holds_alternative<Mesh>(part.geometry);
    });
}

} // namespace scree
