// SPDX-License-Identifier: MIT
// shapes.cpp — shapes of a World's bodies.

#include "geometry/shapes.h"
#include "geometry/mass.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/cloth.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/removal.h"
#include "world/slots.h"
#include "world/state.h"
#include "world/stepping.h"
#include "world/waking.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree {

namespace {

std::uint32_t index_of(const World::State& world, ShapeId id) {
    return checked_index(id, world.shapes.record.all(), world.tag, "shape");
}

/// What a patch changes of a height field, with the cells around it, in the world; as far as contacts reach.
Bounds patch_bounds(const World::State& world, std::uint32_t s, const Mesh& before, const Mesh& after,
                    const HeightPatch& patch) {
    const HeightField& field = *before.height_field();
    const std::uint32_t column_end = std::min(patch.column + patch.columns + 1, field.columns),
                        row_end = std::min(patch.row + patch.rows + 1, field.rows);
    Bounds local{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (std::uint32_t row = patch.row - (patch.row > 0); row < row_end; ++row)
        for (std::uint32_t column = patch.column - (patch.column > 0); column < column_end; ++column)
            for (const Mesh* mesh : {&before, &after}) {
                const Vec3& v = mesh->vertices()[std::size_t{row} * field.columns + column];
                const DVec3 at{double{v.x} * mesh->scale().x, double{v.y} * mesh->scale().y,
                               double{v.z} * mesh->scale().z};
                local.low = min(local.low, at);
                local.high = max(local.high, at);
            }
    const DPose pose = exact_pose_of(world, world.shapes.record[s]);
    const double reach = 2 * double{world.settings.speculative_distance};
    Bounds out{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 8; ++k) {
        const DVec3 at = pose.position + rotate(pose.rotation, DVec3{k & 1 ? local.high.x : local.low.x,
                                                                     k & 2 ? local.high.y : local.low.y,
                                                                     k & 4 ? local.high.z : local.low.z});
        out.low = min(out.low, at - DVec3{reach, reach, reach});
        out.high = max(out.high, at + DVec3{reach, reach, reach});
    }
    return out;
}

/// Bodies that a mesh may touch, with a shape within the bounds; sensors of fixed bodies see a mesh that moves.
std::vector<std::uint32_t> bodies_near(const World::State& world, std::uint32_t mesh, const Bounds& within) {
    const std::uint32_t own = world.shapes.record[mesh].body;
    const bool moves = world.bodies.record[own].type != BodyType::fixed;
    std::vector<std::uint32_t> found;
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b) {
        const BodyRecord& body = world.bodies.record[b];
        if (!body.alive || b == own) continue;
        for (std::uint32_t s = body.first_shape; s != none; s = world.shapes.record[s].next) {
            const ShapeRecord& shape = world.shapes.record[s];
            if (body.type == BodyType::fixed && !(shape.definition.sensor && moves)) continue;
            const auto [low, high] = bounds_of(geometry_of(shape), exact_pose_of(world, shape));
            if (low.x > within.high.x || high.x < within.low.x || low.y > within.high.y ||
                high.y < within.low.y || low.z > within.high.z || high.z < within.low.z)
                continue;
            found.push_back(b);
            break;
        }
    }
    return found;
}

} // namespace

void remove_shape(World::State& world, std::uint32_t shape) {
    const std::uint32_t body = world.shapes.record[shape].body;
    wake_body(world, body);
    stir_cloths(world, body);
    world.simulation->shape_removed(shape);
    unlink_shape(world, shape);
    free_slot(world.shapes.record.edit(), world.shapes.free, shape);
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
    const std::uint32_t b = checked_index(body, world.bodies.record.all(), world.tag, "body");
    const BodyRecord& owner = world.bodies.record[b];
    const bool plane = std::holds_alternative<Plane>(geometry);
    if (std::holds_alternative<Mesh>(geometry)) refuse_with_impacts(world.settings, "meshes");
    if (!(shape.one_way == Vec3{})) refuse_with_impacts(world.settings, "one-way shapes");
    if (plane && owner.type != BodyType::fixed)
        throw Error("a plane is for fixed bodies only; body " + std::to_string(b) + " is not fixed",
                    "geometry");
    if (std::holds_alternative<Mesh>(geometry) && owner.type == BodyType::dynamic)
        throw Error("a mesh is for fixed and kinematic bodies; body " + std::to_string(b) +
                        " is dynamic: use hulls, such as those of its convex parts",
                    "geometry");
    if (owner.type == BodyType::dynamic && !owner.mass_given && shape.density > 0 && !shape.sensor)
        if (const std::string fault = mass_fault(mass_of(geometry, shape.density)); !fault.empty())
            throw Error(fault, "geometry");

    world.simulation->before_change();
    const std::uint32_t s = take_slot(world.shapes.record.edit(), world.shapes.free, world.tag, "shapes");
    ShapeRecord& record = world.shapes.record.edit(s);
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
    stir_cloths(world, b);
    world.queries.shape_changed(s);
    return {s, world.shapes.record[s].generation};
}

void World::destroy(ShapeId shape) {
    check_no_query(*state_);
    remove_shape(*state_, index_of(*state_, shape));
}

bool World::alive(ShapeId shape) const { return names_living(shape, state_->shapes.record.all()); }

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
    state_->shapes.record.edit(s).definition.material = material;
    write_material(state_->shapes, s);
    state_->simulation->shape_changed(s);
    stir_cloths(*state_, state_->shapes.record[s].body);
}

void World::set_mesh(ShapeId shape, const Mesh& mesh) {
    check(Geometry(mesh));
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t s = index_of(world, shape);
    ShapeRecord& record = world.shapes.record.edit(s);
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
    stir_cloths(world, record.body);
    world.queries.shape_changed(s);
}

void World::set_heights(ShapeId shape, const HeightPatch& patch) {
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t s = index_of(world, shape);
    ShapeRecord& record = world.shapes.record.edit(s);
    if (!record.mesh.height_field())
        throw Error("shape " + std::to_string(s) + " is a " + geometry_name(geometry_of(record)) +
                        "; expected a height field",
                    "shape");
    const Mesh mesh = record.mesh.with_heights(patch);
    world.simulation->before_change();
    world.simulation->fetch();
    const std::vector<std::uint32_t> near =
        bodies_near(world, s, patch_bounds(world, s, record.mesh, mesh, patch));
    put_geometry(record, mesh);
    write_shape_quads(world.shapes, s);
    world.simulation->mesh_changed(s);
    stir_cloths(world, record.body);
    world.queries.shape_changed(s);
    // as if each were put where it is: its contacts are made anew
    for (const std::uint32_t b : near) {
        update_mass(world, b);
        wake_body(world, b);
        refresh_inverse_mass(world, b);
        world.simulation->body_moved(b);
    }
}

void World::set_filter(ShapeId shape, const Filter& filter) {
    check_not_called(*state_);
    const std::uint32_t s = index_of(*state_, shape);
    if (state_->shapes.record[s].definition.filter == filter) return;
    state_->simulation->before_change();
    state_->shapes.record.edit(s).definition.filter = filter;
    state_->simulation->shape_changed(s);
    stir_cloths(*state_, state_->shapes.record[s].body);
    state_->queries.filter_changed();
}

} // namespace scree
