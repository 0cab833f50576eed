// SPDX-License-Identifier: MIT
// mass_update.cpp — see mass_update.h.

#include "world/mass_update.h"

#include "geometry/hull.h"
#include "geometry/mass.h"
#include "geometry/shapes.h"
#include "rigid/crew.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "world/slots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {

namespace {

/// Mass of a dynamic body whose shapes have none: 1 kg, as a ball of radius 0.5 m.
MassProperties massless_body() { return {1, {}, {0.1f, 0.1f, 0.1f}, {}}; }

/// A thin rod along no axis has moments whose differences are below what a float resolves; its matrix may come out
/// singular. A part in a million of its trace on the diagonal makes it definite again. What is wrong even so, or nothing.
std::string make_definite(MassProperties& mass) {
    std::string fault = mass_fault(mass);
    for (float share = 1e-6f; share < 1e-4f && !fault.empty(); share *= 4) {
        const float more = share * (mass.inertia.x + mass.inertia.y + mass.inertia.z);
        mass.inertia = {mass.inertia.x + more, mass.inertia.y + more, mass.inertia.z + more};
        fault = mass_fault(mass);
    }
    return fault;
}

/// Of a sphere within the shape, roughly.
float inner_radius(const ShapeRecord& shape) {
    if (shape.type != ShapeType::hull) return shape.thickness;
    using namespace kernels;
    const HullGeometry& hull = shape.hull.geometry();
    float radius = shape.thickness;
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const float* plane = &hull.planes[4 * std::size_t{f}];
        radius = least(plane[3] - dot3({plane[0], plane[1], plane[2]}, lane(hull.centroid)), radius);
    }
    return greatest(radius, 0);
}

/// How far the body reaches, and may go in a step without a sweep: half the radius of a sphere in its thinnest shape.
void update_radius(World::State& world, std::uint32_t body) {
    using namespace kernels;
    float radius = 0, unswept = std::numeric_limits<float>::max();
    for (std::uint32_t s = world.bodies.record[body].first_shape; s != none;
         s = world.shapes.record[s].next) {
        const ShapeRecord& shape = world.shapes.record[s];
        if (shape.type == ShapeType::plane || shape.definition.sensor) continue;
        radius = greatest(length3(lane(shape.offset)) + world.shapes.size[4 * std::size_t{s} + 3], radius);
        unswept = least(0.5f * inner_radius(shape), unswept);
    }
    world.bodies.record.edit(body).unswept = unswept;
    // a snapshot takes finite numbers only
    world.bodies.record.edit(body).radius = least(radius, std::numeric_limits<float>::max());
}

/// Like total_mass; returns what is wrong, or an empty string.
std::string weigh(const World::State& world, std::uint32_t body, MassProperties& mass) {
    const BodyRecord& record = world.bodies.record[body];
    mass = record.mass_given ? record.mass : MassProperties{};
    if (record.mass_given || record.type != BodyType::dynamic) return {};
    static thread_local std::vector<MassProperties> parts;
    parts.clear();
    for (std::uint32_t s = record.first_shape; s != none; s = world.shapes.record[s].next) {
        const ShapeRecord& shape = world.shapes.record[s];
        if (shape.definition.density > 0 && !shape.definition.sensor)
            parts.push_back(placed(mass_of(geometry_of(shape), shape.definition.density),
                                   shape.definition.position, shape.definition.rotation));
    }
    mass = parts.empty() ? massless_body() : sum(parts);
    return parts.empty() ? std::string() : make_definite(mass);
}

/// a body placed since the last step needs no fetch
void fetch_pose(World::State& world, std::uint32_t body) {
    if (world.bodies.record[body].origin_at != world.steps) world.simulation->fetch_body(body);
}

/// Like put_mass on a fetched body, without notifying; writes no data of other bodies. Returns whether the centre moved.
bool put_own_mass(World::State& world, std::uint32_t body, const MassProperties& mass) {
    using namespace kernels;
    BodyRecord& record = world.bodies.record.edit(body);
    const DVec3 origin = origin_of(world, body);
    const bool moved = mass.centre != record.mass.centre;
    record.mass_stale = false;
    record.mass = mass;
    refresh_inverse_inertia(record);
    if (moved) {
        for (std::uint32_t s = record.first_shape; s != none; s = world.shapes.record[s].next) {
            ShapeRecord& shape = world.shapes.record.edit(s);
            shape.offset = vec3(lane(shape.definition.position) - lane(mass.centre));
        }
        for (std::uint32_t j = record.first_joint; j != none;) {
            JointRecord& joint = world.joints.record[j];
            const int side = joint.body[0] == body ? 0 : 1;
            joint.anchor[side] = joint.place[side] - wide(mass.centre);
            j = joint.next[side];
        }
        put_pose(world, body, origin, rotation_of(world.bodies, body));
    }
    update_radius(world, body);
    refresh_inverse_mass(world, body);
    return moved;
}

void tell_mass(World::State& world, std::uint32_t body, bool moved) {
    if (moved) world.simulation->body_moved(body);
    if (moved) world.queries.body_changed(world, body);
    world.simulation->body_changed(body, true);
}

constexpr std::uint32_t weighed_by_one = 2048; // bodies; more are shared by threads

/// Updates all marked bodies on the threads of the host. Bodies with invalid masses stay marked.
void weigh_together(World::State& world) {
    enum : std::uint8_t { failed, changed, changed_and_moved };
    std::vector<std::uint32_t>& stale = world.stale_masses;
    std::vector<BodyRecord>& records = world.bodies.record.edit();
    for (const std::uint32_t body : stale)
        if (records[body].mass_stale) fetch_pose(world, body);
    // a slot that was emptied and taken again may be listed twice
    std::erase_if(stale, [&](std::uint32_t body) { return !std::exchange(records[body].mass_stale, false); });
    const auto count = static_cast<std::uint32_t>(stale.size());
    std::vector<std::uint8_t> outcome(count);
    world.simulation->crew().each(
        count, weighed_by_one / 2, [&](std::uint32_t begin, std::uint32_t end, int) {
            MassProperties mass;
            for (std::uint32_t k = begin; k < end; ++k) {
                if (!weigh(world, stale[k], mass).empty()) outcome[k] = failed;
                else outcome[k] = put_own_mass(world, stale[k], mass) ? changed_and_moved : changed;
            }
        });
    std::size_t left = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t body = stale[k];
        if (outcome[k] != failed) {
            tell_mass(world, body, outcome[k] == changed_and_moved);
        } else {
            records[body].mass_stale = true;
            stale[left++] = body;
        }
    }
    stale.resize(left);
}

} // namespace

MassProperties total_mass(const World::State& world, std::uint32_t body) {
    MassProperties mass;
    if (const std::string fault = weigh(world, body, mass); !fault.empty())
        throw Error("the shapes of body " + std::to_string(body) + " together: " + fault, "mass");
    return mass;
}

void mark_mass(World::State& world, std::uint32_t body) {
    BodyRecord& record = world.bodies.record.edit(body);
    if (record.mass_stale) return;
    world.stale_masses.push_back(body);
    record.mass_stale = true;
}

void update_mass(World::State& world, std::uint32_t body) {
    if (!world.bodies.record[body].mass_stale) return;
    put_mass(world, body, total_mass(world, body));
}

void update_masses(World::State& world) {
    std::vector<std::uint32_t>& stale = world.stale_masses;
    if (stale.size() > weighed_by_one) weigh_together(world);
    // one that throws, and those before it, stay marked
    while (!stale.empty()) {
        update_mass(world, stale.back());
        stale.pop_back();
    }
}

void put_mass(World::State& world, std::uint32_t body, const MassProperties& mass) {
    fetch_pose(world, body);
    tell_mass(world, body, put_own_mass(world, body, mass));
}

DVec3 origin_of(const World::State& world, std::uint32_t body) {
    using namespace kernels;
    const BodyRecord& record = world.bodies.record[body];
    if (record.origin_at == world.steps && !world.callbacks.moved) return record.origin;
    const mat3 turn = quat_matrix(lane(rotation_of(world.bodies, body)));
    return exact_centre_of(world.bodies, body) - wide(vec3(mat3_times(turn, lane(record.mass.centre))));
}

void put_pose(World::State& world, std::uint32_t body, const DVec3& origin, const Quat& rotation) {
    using namespace kernels;
    BodyRecord& record = world.bodies.record.edit(body);
    record.origin = origin;
    record.origin_at = world.steps;
    const mat3 turn = quat_matrix(lane(rotation));
    write_centre(world.bodies, body, origin + wide(vec3(mat3_times(turn, lane(record.mass.centre)))));
    write_rotation(world.bodies.rotation, body, rotation);
    write_rotation(world.bodies.carry, CARRY_QUADS * std::size_t{body} + CARRY_ROTATION, {0, 0, 0, 0});
    place_shapes(world, body);
}

void place_shapes(World::State& world, std::uint32_t body) {
    for (std::uint32_t s = world.bodies.record[body].first_shape; s != none; s = world.shapes.record[s].next)
        place_shape(world, s);
}

void place_shape(World::State& world, std::uint32_t s) {
    using namespace kernels;
    const ShapeRecord& shape = world.shapes.record[s];
    const kernels::quat turn = lane(rotation_of(world.bodies, shape.body));
    write_vector(world.shapes.pose, 2 * std::size_t{s},
                 vec3(mat3_times(quat_matrix(turn), lane(shape.offset))));
    write_rotation(world.shapes.pose, 2 * std::size_t{s} + 1,
                   scree::quat(quat_product(turn, lane(shape.definition.rotation))));
}

} // namespace scree
