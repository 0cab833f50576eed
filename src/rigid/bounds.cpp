// SPDX-License-Identifier: MIT
// bounds.cpp — bounds of shapes for a step: their poses at the start, plus their possible motion.

#include "rigid/parts.h"
#include "rigid/quads.h"
#include "rigid/shape_facts.h"

#include <array>
#include <bit>

namespace scree {

namespace {

/// Not the same as zero: -0 becomes 0.
bool has_bits(const Vec3& v) {
    const auto bits = std::bit_cast<std::array<std::uint32_t, 3>>(v);
    return (bits[0] | bits[1] | bits[2]) != 0;
}

} // namespace

bool CpuSimulation::Parts::place_bounds(std::uint32_t s, float dt, float* ahead) {
    Shapes& shapes = world.shapes;
    const std::uint32_t b = shapes.record[s].body;
    const rigid::ShapeFacts facts = shape_facts(shapes.record[s], hulls[s] ? hulls[s]->data() : nullptr);
    const std::size_t at = b;
    const rigid::BodyPose body{rigid::xyz(rigid::load4(world.bodies.position.data(), b)),
                               rigid::quat_of(rigid::load4(world.bodies.rotation.data(), b)),
                               rigid::xyz(rigid::load4(&world.bodies.motion[16 * at], 0)),
                               rigid::xyz(rigid::load4(&world.bodies.motion[16 * at], 1)),
                               world.bodies.record[b].radius};
    float* bounds = &shapes.bounds[8 * std::size_t{s}];
    const rigid::ShapePlace place = rigid::shape_place(facts, body, world.settings.speculative_distance, dt);
    rigid::shape_place_store(facts, place, &shapes.pose[8 * std::size_t{s}], bounds);
    if (ahead) *ahead = place.ahead;
    return rigid::bounds_left(bounds, &shapes.fat[8 * std::size_t{s}], place.ahead, body.v, dt);
}

void CpuSimulation::Parts::fatten(std::uint32_t s, float dt, float ahead) {
    Shapes& shapes = world.shapes;
    const std::uint32_t b = shapes.record[s].body;
    rigid::bounds_fatten(s, &shapes.bounds[8 * std::size_t{s}], &shapes.fat[8 * std::size_t{s}],
                         world.bodies.record[b].type != BodyType::fixed,
                         rigid::xyz(rigid::load4(&world.bodies.motion[16 * std::size_t{b}], 0)), dt, ahead);
}

bool CpuSimulation::Parts::tighten(std::uint32_t s, float dt, float ahead) {
    Shapes& shapes = world.shapes;
    const std::uint32_t b = shapes.record[s].body;
    return rigid::bounds_tighten(s, &shapes.bounds[8 * std::size_t{s}], &shapes.fat[8 * std::size_t{s}],
                                 rigid::xyz(rigid::load4(&world.bodies.motion[16 * std::size_t{b}], 0)), dt,
                                 ahead);
}

/// As they are in a world that is restored from a snapshot: at the pose that the last step led to, without a margin for
/// velocity.
void CpuSimulation::Parts::settle_bounds(std::uint32_t b) {
    for (std::uint32_t s = world.bodies.record[b].first_shape; s != none; s = world.shapes.record[s].next) {
        if (!tree.holds(s) || !place_bounds(s, 0)) continue;
        fatten(s, 0);
        tree.set(s, &world.shapes.fat[8 * std::size_t{s}]);
        look_again(s, looks);
    }
}

void CpuSimulation::Parts::update_bounds(float dt) {
    constexpr std::uint32_t grain = 256;
    const std::uint32_t count = Crew::chunks(awake_count, grain);
    if (left.size() < count) left.resize(count);
    std::uint32_t forced = 0; // chunks with bodies that had forces
    crew.each(awake_count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::vector<std::uint32_t>& out = left[static_cast<std::size_t>(chunk)];
        out.clear();
        bool any_force = false;
        for (std::uint32_t k = begin; k < end; ++k) {
            const BodyRecord& body = world.bodies.record[awake[k]];
            float* acting = &force[8 * std::size_t{awake[k]}];
            acting[0] = body.force.x, acting[1] = body.force.y, acting[2] = body.force.z, acting[3] = 0;
            acting[4] = body.torque.x, acting[5] = body.torque.y, acting[6] = body.torque.z;
            if (dt > 0 && (has_bits(body.force) || has_bits(body.torque))) {
                BodyRecord& own = world.bodies.record.edit_silently(awake[k]);
                own.force = own.torque = {};
                any_force = true;
            }
            if (dt > 0 && !world.fields.quads.empty()) add_fields(awake[k], dt);
            for (std::uint32_t s = body.first_shape; s != none; s = world.shapes.record[s].next) {
                float ahead;
                if (place_bounds(s, dt, &ahead)) {
                    fatten(s, dt, ahead);
                    tree.set(s, &world.shapes.fat[8 * std::size_t{s}]);
                    if (!is_moved[s]) is_moved[s] = looks, out.push_back(s);
                } else if (tighten(s, dt, ahead)) {
                    tree.set(s, &world.shapes.fat[8 * std::size_t{s}]);
                }
            }
        }
        if (any_force) __atomic_fetch_add(&forced, 1u, __ATOMIC_RELAXED);
    });
    if (forced) world.bodies.record.changed();
    for (std::uint32_t c = 0; c < count; ++c) moved.insert(moved.end(), left[c].begin(), left[c].end());
}

} // namespace scree
