// SPDX-License-Identifier: MIT
// convex_contact.cpp — see convex_contact.h.

#include "rigid/convex_contact.h"

#include "collision/convex.h"
#include "world/quads.h"

#include <algorithm>

namespace scree {

namespace {

ConvexGeometry geometry(const ShapeRecord& shape, const HullWords& words) {
    return {shape.type, shape.size, shape.radius, words ? words->data() : nullptr};
}

/// As pair_store of kernels/rigid_pair.h: from the point of the same feature, or else the nearest that no other claims.
void carry_impulses(std::span<const Contact::Point> old, std::span<Contact::Point> now, float reach) {
    bool claimed[4] = {}, found[4] = {};
    for (std::size_t k = 0; k < now.size(); ++k)
        for (std::size_t j = 0; j < old.size() && !found[k]; ++j)
            if (old[j].feature == now[k].feature) {
                now[k].normal_impulse = old[j].normal_impulse;
                found[k] = claimed[j] = true;
            }
    for (std::size_t k = 0; k < now.size(); ++k) {
        if (found[k]) continue;
        float nearest = reach * reach;
        std::size_t which = old.size();
        for (std::size_t j = 0; j < old.size(); ++j) {
            const float x = now[k].anchor_a[0] - old[j].anchor_a[0],
                        y = now[k].anchor_a[1] - old[j].anchor_a[1],
                        z = now[k].anchor_a[2] - old[j].anchor_a[2];
            const float square = (x * x + y * y) + z * z;
            if (claimed[j] || !(square < nearest)) continue;
            nearest = square;
            which = j;
        }
        if (which == old.size()) continue;
        now[k].normal_impulse = old[which].normal_impulse;
        claimed[which] = true;
    }
}

} // namespace

void make_convex_contact(const World::State& world, std::span<const HullWords> hulls, Contact& contact,
                         float dt) {
    using namespace kernels;
    const Shapes& shapes = world.shapes;
    const Bodies& bodies = world.bodies;
    const real3 at_a = lane(read_vector(shapes.pose, 2 * std::size_t{contact.shape_a}));
    const real3 at_b = lane(read_vector(shapes.pose, 2 * std::size_t{contact.shape_b}));
    const kernels::quat turn_a = lane(read_rotation(shapes.pose, 2 * std::size_t{contact.shape_a} + 1));
    const kernels::quat turn_b = lane(read_rotation(shapes.pose, 2 * std::size_t{contact.shape_b} + 1));
    const mat3 ra = quat_matrix(turn_a);
    const kernels::quat back_a = make_quat(turn_a.s, -turn_a.x, -turn_a.y, -turn_a.z);

    // as pair_margin of kernels/rigid_pair.h
    const float reach = shapes.bounds[8 * std::size_t{contact.shape_a} + 3] +
                        shapes.bounds[8 * std::size_t{contact.shape_b} + 3];
    const real3 closing =
        lane(velocity_of(bodies, contact.body_b)) - lane(velocity_of(bodies, contact.body_a));
    const float margin = std::min(reach, world.settings.speculative_distance + dt * length3(closing));

    ContactManifold manifold;
    collide(geometry(shapes.record[contact.shape_a], hulls[contact.shape_a]),
            geometry(shapes.record[contact.shape_b], hulls[contact.shape_b]),
            vec3(mat3_transposed_times(ra, at_b - at_a)), scree::quat(quat_product(back_a, turn_b)), margin,
            manifold);

    const kernels::quat body_turn_a = lane(rotation_of(bodies, contact.body_a)),
                        body_turn_b = lane(rotation_of(bodies, contact.body_b));
    const mat3 body_a = quat_matrix(body_turn_a), body_b = quat_matrix(body_turn_b);
    const real3 centre_a = lane(centre_of(bodies, contact.body_a)),
                centre_b = lane(centre_of(bodies, contact.body_b));
    Contact::Point old[4];
    std::copy(contact.point, contact.point + 4, old);
    const std::uint32_t old_count = contact.count;
    contact.count = static_cast<std::uint32_t>(manifold.count);
    const real3 n = mat3_times(ra, lane(manifold.normal));
    for (int k = 0; k < manifold.count; ++k) {
        const real3 on_a = at_a + mat3_times(ra, lane(manifold.point[k]));
        const real3 on_b = on_a + n * manifold.separation[k];
        const real3 anchor_a = mat3_transposed_times(body_a, on_a - centre_a);
        const real3 anchor_b = mat3_transposed_times(body_b, on_b - centre_b);
        Contact::Point& point = contact.point[k];
        point.anchor_a[0] = anchor_a.x, point.anchor_a[1] = anchor_a.y, point.anchor_a[2] = anchor_a.z;
        point.anchor_b[0] = anchor_b.x, point.anchor_b[1] = anchor_b.y, point.anchor_b[2] = anchor_b.z;
        point.feature = manifold.feature[k];
        point.normal_impulse = 0;
    }
    carry_impulses(std::span(old, old_count), std::span(contact.point, contact.count),
                   world.settings.speculative_distance);
    const real3 between = centre_b - centre_a;
    contact.normal[0] = n.x, contact.normal[1] = n.y, contact.normal[2] = n.z;
    contact.between[0] = between.x, contact.between[1] = between.y, contact.between[2] = between.z;
    const kernels::quat turns[2] = {body_turn_a, body_turn_b};
    for (int side = 0; side < 2; ++side) {
        float* to = side ? contact.rotation_b : contact.rotation_a;
        to[0] = turns[side].x, to[1] = turns[side].y, to[2] = turns[side].z, to[3] = turns[side].s;
    }
}

} // namespace scree
