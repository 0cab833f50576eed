// SPDX-License-Identifier: MIT
// rigid_shapes.cpp — reads materials and shapes of a rigid scene, and finds how much room a shape takes.
#include "scene/rigid_parts.h"
#include "scene/rotation.h"
#include "scene/settings.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::string_view rules[] = {"geometric_mean", "average", "least", "product", "greatest"};
constexpr std::size_t most_parts = 1'000'000, most_points = 100'000;

Filter read_filter(const Fields& fields) {
    constexpr std::int64_t bits = 0xffffffff;
    Filter filter;
    filter.category = static_cast<std::uint32_t>(fields.integer("category", filter.category, 0, bits));
    filter.mask = static_cast<std::uint32_t>(fields.integer("mask", filter.mask, 0, bits));
    filter.group = static_cast<std::int32_t>(fields.integer("group", 0, -0x7fffffff - 1, 0x7fffffff));
    return filter;
}

Hull read_hull(const Field& points) {
    std::vector<Vec3> vertices(points.list(4, most_points));
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = points[i].vector();
    try {
        return Hull::from_points(vertices);
    } catch (const Error& error) {
        points.fail(error.what());
    }
}

Geometry read_geometry(const Field& one, std::string_view kind) {
    if (kind == "sphere") return Sphere{Fields(one, format::rigid_sphere).at("radius").number(positive)};
    if (kind == "box") {
        Vec3 half = Fields(one, format::rigid_box).at("half_size").vector(positive);
        return Box{half.x, half.y, half.z};
    }
    if (kind == "plane") {
        Fields(one, format::rigid_plane);
        return Plane{};
    }
    if (kind == "hull") return read_hull(Fields(one, format::hull).at("points"));
    Fields fields(one, format::round);
    float half_height = fields.at("half_height").number(positive),
          radius = fields.at("radius").number(positive);
    if (kind == "capsule") return Capsule{half_height, radius};
    if (kind == "cylinder") return Cylinder{half_height, radius};
    return Cone{half_height, radius};
}

/// What a part shares with a shape of one geometry; `definition` holds the defaults.
void read_substance(const Fields& fields, ShapeDef& definition, const MaterialList& materials) {
    definition.density = fields.number("density", definition.density, not_negative);
    if (auto material = fields.find("material")) definition.material = materials.named(*material);
    if (auto filter = fields.find("filter")) definition.filter = read_filter(Fields(*filter, format::filter));
}

RigidShape::Part read_part(const Field& entry, const ShapeDef& defaults, const MaterialList& materials) {
    Fields fields(entry, format::part);
    RigidShape::Part part{{}, defaults};
    part.definition.position = fields.vector("position", {});
    if (auto rotation = fields.find("rotation")) part.definition.rotation = rotation->rotation();
    read_substance(fields, part.definition, materials);
    Field one = fields.only_one({"position", "rotation", "density", "material", "filter"});
    part.geometry = read_geometry(one, fields.key_of(one));
    return part;
}

struct Bounds {
    double low[3], high[3];
};

/// Around the origin, half sides h.
Bounds around(double x, double y, double z) { return {{-x, -y, -z}, {x, y, z}}; }

/// How far a disc of the radius, across the unit axis `a`, reaches along coordinate i.
double rim(double radius, const double (&a)[3], int i) {
    const double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
    return radius * std::sqrt(b * b + c * c);
}

/// Of a geometry that is turned but not moved.
Bounds bounds_of(const Geometry& geometry, Quat rotation) {
    const DQuat turn = scree::wide(rotation);
    DVec3 axis = rotate(turn, {0, 1, 0});
    const double a[3] = {axis.x, axis.y, axis.z};
    auto wide = [](float number) { return static_cast<double>(number); };
    Bounds bounds{};
    std::visit(Overloaded{
                   [&](const Sphere& sphere) {
                       double r = wide(sphere.radius);
                       bounds = around(r, r, r);
                   },
                   [&](const Capsule& capsule) {
                       double h = wide(capsule.half_height), r = wide(capsule.radius);
                       bounds =
                           around(std::fabs(a[0]) * h + r, std::fabs(a[1]) * h + r, std::fabs(a[2]) * h + r);
                   },
                   [&](const Box& box) {
                       double half[3] = {};
                       const DVec3 sides[3] = {rotate(turn, {wide(box.x), 0, 0}),
                                               rotate(turn, {0, wide(box.y), 0}),
                                               rotate(turn, {0, 0, wide(box.z)})};
                       for (const DVec3& side : sides)
                           half[0] += std::fabs(side.x), half[1] += std::fabs(side.y),
                               half[2] += std::fabs(side.z);
                       bounds = around(half[0], half[1], half[2]);
                   },
                   [&](const Cylinder& cylinder) {
                       double h = wide(cylinder.half_height), r = wide(cylinder.radius), half[3];
                       for (int i = 0; i < 3; ++i) half[i] = std::fabs(a[i]) * h + rim(r, a, i);
                       bounds = around(half[0], half[1], half[2]);
                   },
                   [&](const Cone& cone) {
                       double h = wide(cone.half_height), r = wide(cone.radius);
                       for (int i = 0; i < 3; ++i) {
                           bounds.low[i] = std::min(a[i] * h, -a[i] * h - rim(r, a, i));
                           bounds.high[i] = std::max(a[i] * h, -a[i] * h + rim(r, a, i));
                       }
                   },
                   [&](const Plane&) {},
                   [&](const Hull& hull) {
                       bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
                       for (Vec3 vertex : hull.vertices()) {
                           DVec3 v = rotate(turn, scree::wide(vertex));
                           const double at[3] = {v.x, v.y, v.z};
                           for (int i = 0; i < 3; ++i) {
                               bounds.low[i] = std::min(bounds.low[i], at[i]);
                               bounds.high[i] = std::max(bounds.high[i], at[i]);
                           }
                       }
                   },
               },
               geometry);
    return bounds;
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

RigidShape read_rigid_shape(const Field& entry, const MaterialList& materials) {
    Fields fields(entry, format::rigid_shape);
    RigidShape shape;
    shape.name = fields.at("name").text();
    ShapeDef definition;
    read_substance(fields, definition, materials);
    Field one = fields.only_one({"name", "density", "material", "filter"});
    std::string_view kind = fields.key_of(one);
    if (kind == "compound") {
        for (std::size_t i = 0; i < one.list(1, most_parts); ++i)
            shape.parts.push_back(read_part(one[i], definition, materials));
    } else {
        shape.parts.push_back({read_geometry(one, kind), definition});
    }
    measure_bounds(shape);
    return shape;
}

void measure_bounds(RigidShape& shape) {
    Bounds all{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (const RigidShape::Part& part : shape.parts) {
        Bounds one = bounds_of(part.geometry, part.definition.rotation);
        const Vec3& p = part.definition.position;
        const double at[3] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
        for (int i = 0; i < 3; ++i) {
            all.low[i] = std::min(all.low[i], at[i] + one.low[i]);
            all.high[i] = std::max(all.high[i], at[i] + one.high[i]);
        }
    }
    shape.low = {static_cast<float>(all.low[0]), static_cast<float>(all.low[1]),
                 static_cast<float>(all.low[2])};
    shape.high = {static_cast<float>(all.high[0]), static_cast<float>(all.high[1]),
                  static_cast<float>(all.high[2])};
}

bool has_plane(const RigidShape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(), [](const RigidShape::Part& part) {
        return std::holds_alternative<Plane>(part.geometry);
    });
}

} // namespace scree
