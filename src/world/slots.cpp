// SPDX-License-Identifier: MIT
// slots.cpp — see slots.h.

#include "world/slots.h"

#include "geometry/shapes.h"
#include "rigid/quads.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace scree {

namespace {

static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(ShapeType::hull), Geometry>, Hull>);

/// Where a record keeps a size.
template <class Record>
auto& size_at(Record& shape, SizePlace place) {
    return place == SizePlace::radius ? shape.radius
           : place == SizePlace::x    ? shape.size.x
           : place == SizePlace::y    ? shape.size.y
                                      : shape.size.z;
}

template <class Storage>
void put(Storage& quads, std::size_t at, float x, float y, float z, float w) {
    float* quad = &quads[4 * at];
    quad[0] = x, quad[1] = y, quad[2] = z, quad[3] = w;
}

} // namespace

void add_world_body(Bodies& bodies) {
    bodies.record.edit().emplace_back();
    bodies.record.edit(0).alive = true;
    bodies.record.edit(0).can_sleep = false;
    clear_body_quads(bodies, 0);
}

void clear_body_quads(Bodies& bodies, std::uint32_t body) {
    const std::size_t count = bodies.record.size(), b = body;
    bodies.position.resize(4 * count);
    bodies.rotation.resize(4 * count);
    bodies.motion.resize(16 * count);
    bodies.inverse_mass.resize(8 * count);
    bodies.carry.resize(4 * CARRY_QUADS * count);
    bodies.sleep_time.resize(count);
    bodies.sleep_time[b] = 0;
    put(bodies.position, b, 0, 0, 0, 0);
    put(bodies.rotation, b, 0, 0, 0, 1);
    std::fill_n(&bodies.motion[16 * b], 15, 0.0f);
    bodies.motion[16 * b + 15] = 1;
    std::fill_n(&bodies.inverse_mass[8 * b], 8, 0.0f);
    std::fill_n(&bodies.carry[4 * CARRY_QUADS * b], 4 * CARRY_QUADS, 0.0f);
}

void write_shape_quads(Shapes& shapes, std::uint32_t shape) {
    const std::size_t count = shapes.record.size(), s = shape;
    shapes.pose.resize(8 * count);
    shapes.size.edit().resize(4 * count);
    shapes.bounds.resize(8 * count);
    shapes.fat.resize(8 * count);
    shapes.material.edit().resize(4 * count);
    ShapeRecord& record = shapes.record.edit(s);
    const Geometry geometry = geometry_of(record);
    record.thickness = thickness_of(geometry);
    const Vec3& way = record.definition.one_way;
    record.one_way = {};
    // scaled first: neither huge nor tiny numbers are lost
    if (const float most = std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)}); most > 0) {
        const kernels::real3 scaled = kernels::make_real3(way.x / most, way.y / most, way.z / most);
        record.one_way = vec3(scaled * (1 / kernels::length3(scaled)));
    }
    shapes.pose[8 * s + 3] = record.radius;
    put(shapes.size.edit(), s, record.size.x, record.size.y, record.size.z, radius_of(geometry));
    // a slot that is taken again does not begin with what another shape left
    std::fill_n(&shapes.bounds[8 * s], 8, 0.0f);
    std::fill_n(&shapes.fat[8 * s], 8, 0.0f);
    write_material(shapes, shape);
}

void write_material(Shapes& shapes, std::uint32_t shape) {
    const Material& material = shapes.record[shape].definition.material;
    put(shapes.material.edit(), shape, material.friction, material.restitution, material.rolling_resistance,
        0);
}

void put_geometry(ShapeRecord& shape, const Geometry& geometry) {
    shape.type = static_cast<ShapeType>(geometry.index());
    each_size(geometry, [&](const char*, SizePlace place, float size) { size_at(shape, place) = size; });
    if (const Hull* hull = std::get_if<Hull>(&geometry)) shape.hull = *hull;
    if (const Mesh* mesh = std::get_if<Mesh>(&geometry)) shape.mesh = *mesh, shape.size = mesh->scale();
}

Geometry geometry_of(const ShapeRecord& shape) {
    if (shape.type == ShapeType::hull) return shape.hull;
    if (shape.type == ShapeType::mesh) return shape.mesh;
    Geometry geometry = *geometry_of_index(static_cast<std::size_t>(shape.type));
    each_size(geometry, [&](const char*, SizePlace place, float& size) { size = size_at(shape, place); });
    return geometry;
}

// lists --------------------------------------------------------------------------------------------------------------

void put_name(RigidStorage& world, std::uint32_t body, const std::string& name) {
    if (!world.names && name.empty()) return;
    if (!world.names) world.names = std::make_shared<BodyNames>();
    else if (world.names.use_count() > 1) world.names = std::make_shared<BodyNames>(*world.names);
    BodyNames& names = *world.names;
    if (const auto old = names.of.find(body); old != names.of.end()) {
        names.bodies.erase({old->second, body});
        names.of.erase(old);
    }
    if (name.empty()) return;
    names.of.emplace(body, name);
    names.bodies.emplace(name, body);
}

void link_shape(World::State& world, std::uint32_t shape) {
    ShapeRecord& record = world.shapes.record.edit(shape);
    std::uint32_t& first = world.bodies.record.edit(record.body).first_shape;
    record.next = first;
    record.previous = none;
    if (first != none) world.shapes.record.edit(first).previous = shape;
    first = shape;
}

void unlink_shape(World::State& world, std::uint32_t shape) {
    const ShapeRecord& record = world.shapes.record[shape];
    if (record.previous == none) world.bodies.record.edit(record.body).first_shape = record.next;
    else world.shapes.record.edit(record.previous).next = record.next;
    if (record.next != none) world.shapes.record.edit(record.next).previous = record.previous;
}

void link_joint(World::State& world, std::uint32_t joint, int side) {
    JointRecord& record = world.joints.record[joint];
    const std::uint32_t body = record.body[side];
    std::uint32_t& first = world.bodies.record.edit(body).first_joint;
    record.next[side] = first;
    record.previous[side] = none;
    if (first != none) {
        JointRecord& after = world.joints.record[first];
        after.previous[side_of(after, body)] = joint;
    }
    first = joint;
}

void unlink_joint(World::State& world, std::uint32_t joint, int side) {
    const JointRecord& record = world.joints.record[joint];
    const std::uint32_t body = record.body[side], next = record.next[side], previous = record.previous[side];
    if (previous == none) {
        world.bodies.record.edit(body).first_joint = next;
    } else {
        JointRecord& before = world.joints.record[previous];
        before.next[side_of(before, body)] = next;
    }
    if (next != none) {
        JointRecord& after = world.joints.record[next];
        after.previous[side_of(after, body)] = previous;
    }
}

} // namespace scree
