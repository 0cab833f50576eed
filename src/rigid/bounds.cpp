// SPDX-License-Identifier: MIT
// bounds.cpp — where shapes are at the step's beginning, and how far they may get within it.

#include "collision/hull.h"
#include "rigid/parts.h"
#include "world/quads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {

namespace {

constexpr float unbounded = 1e18f; // far beyond everything, and its square still finite in double

// the broad phase's bounds are this much wider than needed, so that a body at rest or slow never troubles it
constexpr float fat_share = 0.1f, most_fat = 0.05f;
// and reach this many steps ahead
constexpr float steps_ahead = 3;

/// half the extent along the world's axes, about the shape's origin; hulls and planes are not symmetric
void extent(const ShapeRecord& shape, const kernels::mat3& r, float low[3], float high[3]) {
    const kernels::real3 rows[3] = {r.x, r.y, r.z};
    if (shape.type == ShapeType::hull) {
        for (int k = 0; k < 3; ++k) low[k] = std::numeric_limits<float>::max(), high[k] = -low[k];
        for (const Vec3& v : shape.hull.vertices())
            for (int k = 0; k < 3; ++k) {
                const float at = kernels::dot3(rows[k], lane(v));
                low[k] = std::min(low[k], at);
                high[k] = std::max(high[k], at);
            }
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const kernels::real3 row = rows[k];
        float reach = 0;
        switch (shape.type) {
        case ShapeType::sphere:
            reach = shape.radius;
            break;
        case ShapeType::capsule:
            reach = std::abs(row.y) * shape.size.y + shape.radius;
            break;
        case ShapeType::box:
            reach = (std::abs(row.x) * shape.size.x + std::abs(row.y) * shape.size.y) +
                    std::abs(row.z) * shape.size.z;
            break;
        case ShapeType::cylinder:
        case ShapeType::cone:
            reach =
                std::abs(row.y) * shape.size.y + shape.radius * std::sqrt(std::max(0.0f, 1 - row.y * row.y));
            break;
        default:
            reach = unbounded;
        }
        low[k] = -reach;
        high[k] = reach;
        // a level plane is open downwards only
        if (shape.type == ShapeType::plane && std::abs(row.y) > 0.999999f) (row.y > 0 ? high : low)[k] = 0;
    }
}

/// how thick the shape is at its thinnest, roughly: what moves less in a step cannot pass through another
float thickness(const ShapeRecord& shape) {
    switch (shape.type) {
    case ShapeType::box:
        return std::min({shape.size.x, shape.size.y, shape.size.z});
    case ShapeType::cylinder:
    case ShapeType::cone:
        return std::min(shape.radius, shape.size.y);
    case ShapeType::hull:
        return shape.hull.geometry().radius;
    default:
        return shape.radius;
    }
}

} // namespace

bool CpuSimulation::Parts::place_bounds(std::uint32_t s, float dt) {
    Shapes& shapes = world.shapes;
    const ShapeRecord& shape = shapes.record[s];
    const std::uint32_t b = shape.body;
    const kernels::quat body_turn = lane(rotation_of(world.bodies, b));
    const kernels::quat turn = kernels::quat_product(body_turn, lane(shape.definition.rotation));
    const kernels::real3 at = lane(centre_of(world.bodies, b)) +
                              kernels::mat3_times(kernels::quat_matrix(body_turn), lane(shape.offset));
    float* pose = &shapes.pose[8 * std::size_t{s}];
    pose[0] = at.x, pose[1] = at.y, pose[2] = at.z, pose[3] = shape.radius;
    pose[4] = turn.x, pose[5] = turn.y, pose[6] = turn.z, pose[7] = turn.s;

    // half the speculative distance, and what the body moves in a step if it keeps its velocity
    const kernels::real3 v = lane(velocity_of(world.bodies, b)), spin = lane(spin_of(world.bodies, b));
    const float motion = kernels::length3(v) * dt;
    const float turning = kernels::length3(spin) * world.bodies.record[b].radius * dt;
    const float margin =
        0.5f * world.settings.speculative_distance + std::min(motion + turning, 0.5f * thickness(shape));

    float low[3], high[3];
    extent(shape, kernels::quat_matrix(turn), low, high);
    float* bounds = &shapes.bounds[8 * std::size_t{s}];
    const float centre[3] = {at.x, at.y, at.z};
    for (int k = 0; k < 3; ++k) {
        bounds[k] = centre[k] + low[k] - margin;
        bounds[4 + k] = centre[k] + high[k] + margin;
    }
    bounds[3] = margin;
    bounds[7] = unbounded; // not below any margin
    const float* fat = &shapes.fat[8 * std::size_t{s}];
    return !(fat[0] <= bounds[0] && fat[1] <= bounds[1] && fat[2] <= bounds[2] && fat[4] >= bounds[4] &&
             fat[5] >= bounds[5] && fat[6] >= bounds[6]);
}

void CpuSimulation::Parts::fatten(std::uint32_t s, float dt) {
    Shapes& shapes = world.shapes;
    const ShapeRecord& shape = shapes.record[s];
    const float* bounds = &shapes.bounds[8 * std::size_t{s}];
    float* fat = &shapes.fat[8 * std::size_t{s}];
    const bool moves = world.bodies.record[shape.body].type != BodyType::fixed;
    const Vec3 velocity = velocity_of(world.bodies, shape.body);
    const float v[3] = {velocity.x, velocity.y, velocity.z};
    for (int k = 0; k < 3; ++k) {
        const float fatness = moves ? std::min(most_fat, fat_share * (bounds[4 + k] - bounds[k])) : 0.0f;
        const float ahead = moves ? v[k] * dt * steps_ahead : 0.0f;
        fat[k] = bounds[k] - fatness + std::min(ahead, 0.0f);
        fat[4 + k] = bounds[4 + k] + fatness + std::max(ahead, 0.0f);
    }
    fat[3] = fat[7] = 0;
}

void CpuSimulation::Parts::update_bounds(float dt) {
    constexpr std::uint32_t grain = 256;
    const std::uint32_t count = Crew::chunks(awake_count, grain);
    if (left.size() < count) left.resize(count);
    crew.each(awake_count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::vector<std::uint32_t>& out = left[static_cast<std::size_t>(chunk)];
        out.clear();
        for (std::uint32_t k = begin; k < end; ++k) {
            BodyRecord& body = world.bodies.record[awake[k]];
            float* acting = &force[8 * std::size_t{awake[k]}];
            acting[0] = body.force.x, acting[1] = body.force.y, acting[2] = body.force.z;
            acting[4] = body.torque.x, acting[5] = body.torque.y, acting[6] = body.torque.z;
            if (dt > 0) body.force = body.torque = {};
            for (std::uint32_t s = body.first_shape; s != none; s = world.shapes.record[s].next)
                if (place_bounds(s, dt)) {
                    fatten(s, dt);
                    tree.set(s, &world.shapes.fat[8 * std::size_t{s}]);
                    out.push_back(s);
                }
        }
    });
    for (std::uint32_t c = 0; c < count; ++c)
        for (const std::uint32_t s : left[c])
            if (!is_moved[s]) {
                is_moved[s] = 1;
                moved.push_back(s);
            }
}

} // namespace scree
