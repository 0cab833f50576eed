// SPDX-License-Identifier: MIT
// shapes.cpp — shapes of a World's bodies.

#include "geometry/shapes.h"
#include "geometry/mass.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/removal.h"
#include "world/slots.h"
#include "world/state.h"
#include "world/waking.h"

namespace scree {

namespace {

std::uint32_t index_of(const World::State& world, ShapeId id) {
    return checked_index(id, world.shapes.record, world.tag, "shape");
}

} // namespace

void remove_shape(World::State& world, std::uint32_t shape) {
    const std::uint32_t body = world.shapes.record[shape].body;
    wake_body(world, body);
    world.simulation->shape_removed(shape);
    unlink_shape(world, shape);
    free_slot(world.shapes.record, world.shapes.free, shape);
    --world.shapes.count;
    mark_mass(world, body);
    world.queries.shape_changed(shape);
}

ShapeId World::attach(BodyId body, const Geometry& geometry, const ShapeDef& shape) {
    check(geometry);
    check(shape);
    State& world = *state_;
    check_no_query(world);
    if (body.index == 0) throw Error("body 0 is the world itself, which has no shapes", "body");
    const std::uint32_t b = checked_index(body, world.bodies.record, world.tag, "body");
    const BodyRecord& owner = world.bodies.record[b];
    const bool plane = std::holds_alternative<Plane>(geometry);
    if (plane && owner.type != BodyType::fixed)
        throw Error("a plane is for fixed bodies only; body " + std::to_string(b) + " is not fixed",
                    "geometry");
    if (std::holds_alternative<Mesh>(geometry) && owner.type == BodyType::dynamic)
        throw Error("a mesh is for fixed and kinematic bodies; body " + std::to_string(b) +
                        " is dynamic: use hulls, such as those of its convex parts",
                    "geometry");
    if (std::holds_alternative<Mesh>(geometry) && shape.sensor)
        throw Error("a mesh cannot be a sensor: use a box or another convex shape", "sensor");
    if (owner.type == BodyType::dynamic && !owner.mass_given && shape.density > 0 && !shape.sensor)
        if (const std::string fault = mass_fault(mass_of(geometry, shape.density)); !fault.empty())
            throw Error(fault, "geometry");

    world.simulation->before_change();
    const std::uint32_t s = take_slot(world.shapes.record, world.shapes.free, world.tag, "shapes");
    ShapeRecord& record = world.shapes.record[s];
    record.body = b;
    record.definition = shape;
    record.definition.rotation = unit_rotation(shape.rotation, "rotation");
    record.offset = vec3(kernels::operator-(lane(shape.position), lane(owner.mass.centre)));
    put_geometry(record, geometry);
    write_shape_quads(world.shapes, s);
    link_shape(world, s);
    place_shape(world, s);
    ++world.shapes.count;
    mark_mass(world, b);
    // a sleeping body placed since the last step is still being built
    if (owner.origin_at != world.steps) wake_body(world, b);
    world.simulation->shape_added(s);
    world.queries.shape_changed(s);
    return {s, world.shapes.record[s].generation};
}

void World::destroy(ShapeId shape) {
    check_no_query(*state_);
    remove_shape(*state_, index_of(*state_, shape));
}

bool World::alive(ShapeId shape) const { return names_living(shape, state_->shapes.record); }

BodyId World::body(ShapeId shape) const {
    const std::uint32_t b = state_->shapes.record[index_of(*state_, shape)].body;
    return {b, state_->bodies.record[b].generation};
}

Geometry World::geometry(ShapeId shape) const {
    return geometry_of(state_->shapes.record[index_of(*state_, shape)]);
}

ShapeDef World::definition(ShapeId shape) const {
    return state_->shapes.record[index_of(*state_, shape)].definition;
}

void World::set_material(ShapeId shape, const Material& material) {
    check_not_called(*state_);
    check(material);
    const std::uint32_t s = index_of(*state_, shape);
    if (state_->shapes.record[s].definition.material == material) return;
    state_->shapes.record[s].definition.material = material;
    write_material(state_->shapes, s);
    state_->simulation->shape_changed(s);
}

void World::set_mesh(ShapeId shape, const Mesh& mesh) {
    check(Geometry(mesh));
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t s = index_of(world, shape);
    ShapeRecord& record = world.shapes.record[s];
    if (record.type != ShapeType::mesh)
        throw Error("shape " + std::to_string(s) + " is a " + geometry_name(geometry_of(record)) +
                        "; expected a mesh",
                    "shape");
    // as if it were destroyed and attached again: contacts begin anew, and what lay on it wakes
    world.simulation->before_change();
    wake_body(world, record.body);
    world.simulation->shape_removed(s);
    put_geometry(record, mesh);
    write_shape_quads(world.shapes, s);
    place_shape(world, s);
    mark_mass(world, record.body);
    world.simulation->shape_added(s);
    world.queries.shape_changed(s);
}

void World::set_filter(ShapeId shape, const Filter& filter) {
    check_not_called(*state_);
    const std::uint32_t s = index_of(*state_, shape);
    if (state_->shapes.record[s].definition.filter == filter) return;
    state_->simulation->before_change();
    state_->shapes.record[s].definition.filter = filter;
    state_->simulation->shape_changed(s);
}

} // namespace scree
