// SPDX-License-Identifier: MIT
// rigid_pair.h — from a list of pairs to their manifolds in the contacts' records.   compiles as: host, lanes, cuda
//
// Each function handles as many pairs as there are lanes.

#define LOAD_ALIKE 0.9f // cosine between normals up to which a new manifold carries what the old one did

/// results of a pair of shapes
struct PairManifold_t {
    real3 normal;  // world, from a to b
    real3 on_a[4]; // world, from a's centre
    real3 on_b[4]; // world, from a's centre
    whole feature[4];
    whole count;
};
typedef struct PairManifold_t PairManifold;

struct PairView {
    const f32* position; // of bodies
    const f32* rotation;
    const f32* motion;
    const f32* pose; // of shapes: two quads, from the centre of mass of the body
    const f32* size;
    const f32* bounds;
    const f32* ends; // of contacts: shapes and bodies
    f32* contact;
    const u32* slots; // padded with 0xffffffff
    f32 distance;     // points are made when shapes are this close, or will be by the step's end
    f32 dt;
    f32 recycle_distance; // squared
    f32 recycle_cosine;   // of half the angle that the bodies may turn against each other,
    f32 recycle_turn;     // and of half that which each may turn in the world
};

struct PairEnds_t {
    lane_indices record, shape_a, shape_b, body_a, body_b;
    u32 there;
};
typedef struct PairEnds_t PairEnds;

KERNEL_FN PairEnds pair_ends(u32 item, const PairView w) {
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    PairEnds e;
    e.there = lane_bits(there);
    // an empty lane reads the record of the first, which no other thread writes
    e.record = indices_of(pick_whole(there, slot, whole_from(w.slots[item])));
    real4 pair = gather_quad(w.ends, e.record, 1, 0);
    e.shape_a = indices_of(pick_whole(there, as_whole(pair.x), whole_from(0u)));
    e.shape_b = indices_of(pick_whole(there, as_whole(pair.y), whole_from(0u)));
    e.body_a = indices_of(pick_whole(there, as_whole(pair.z), whole_from(0u)));
    e.body_b = indices_of(pick_whole(there, as_whole(pair.w), whole_from(0u)));
    return e;
}

KERNEL_FN real quat_dot(quat a, quat b) { return (a.s * b.s + a.x * b.x) + (a.y * b.y + a.z * b.z); }
KERNEL_FN quat quat_reversed(quat q) { return make_quat(q.s, -q.x, -q.y, -q.z); }

/// from the centre of mass of body a to that of b
KERNEL_FN real3 pair_between(const PairView w, PairEnds e) {
    return position_between(gather_quad(w.position, e.body_a, 1, 0), gather_quad(w.position, e.body_b, 1, 0));
}

/// Bit l: the bodies of pair l have hardly moved against each other since its manifold was made, nor turned in the world.
/// Such a contact goes on with the same normal and lever arms, only its separations change (E. Catto's contact recycling in
/// Box3D, 2026): nothing in a resting pile changes, so nothing stirs it.
KERNEL_FN u32 pair_unmoved(u32 item, const PairView w) {
    PairEnds e = pair_ends(item, w);
    const u32 q = RECORD_QUADS;
    quat qa = quat_of(gather_quad(w.rotation, e.body_a, 1, 0)),
         qb = quat_of(gather_quad(w.rotation, e.body_b, 1, 0));
    quat made_a = quat_of(gather_quad(w.contact, e.record, q, RECORD_ROTATION_A));
    quat made_b = quat_of(gather_quad(w.contact, e.record, q, RECORD_ROTATION_B));
    real4 state = gather_quad(w.contact, e.record, q, RECORD_STATE);
    real3 between = pair_between(w, e);
    real3 moved = mat3_transposed_times(quat_matrix(qa), between) -
                  mat3_transposed_times(quat_matrix(made_a), make_real3(state.y, state.z, state.w));
    real cosine = quat_dot(quat_product(quat_reversed(qa), qb), quat_product(quat_reversed(made_a), made_b));
    mask still = both(dot3(moved, moved) < w.recycle_distance, magnitude(cosine) > w.recycle_cosine);
    mask upright = both(magnitude(quat_dot(qa, made_a)) > w.recycle_turn,
                        magnitude(quat_dot(qb, made_b)) > w.recycle_turn);
    return lane_bits(both(still, upright)) & e.there;
}

/// the largest distance at which the pair makes points: no farther than the bounds reach
KERNEL_FN real pair_margin(const PairView w, PairEnds e) {
    real bounds = gather_quad(w.bounds, e.shape_a, 2, 0).w + gather_quad(w.bounds, e.shape_b, 2, 0).w;
    real3 closing = xyz(gather_quad(w.motion, e.body_b, 4, 0)) - xyz(gather_quad(w.motion, e.body_a, 4, 0));
    return least(bounds, w.distance + w.dt * length3(closing));
}

/// Puts a manifold into the records: in the bodies' frames, each point with the impulse that the point of the same feature
/// had before, or else the nearest one within reach that no other point claims: when another face becomes the reference,
/// all features change and no point moves. `between`: pair_between; `to_a`: centre of shape a from that of its body.
KERNEL_FN void pair_store(const PairView w, PairEnds e, PairManifold m, real3 between, real3 to_a) {
    quat qa = quat_of(gather_quad(w.rotation, e.body_a, 1, 0)),
         qb = quat_of(gather_quad(w.rotation, e.body_b, 1, 0));
    mat3 ra = quat_matrix(qa), rb = quat_matrix(qb);
    real3 to_b = to_a - between;
    const u32 q = RECORD_QUADS;
    real zero = to_real(0.0f);

    real4 state = gather_quad(w.contact, e.record, q, RECORD_STATE);
    whole old_count = as_whole(state.x) & RECORD_COUNT;
    real old_impulse[4];
    real3 old_anchor[4];
    whole old_feature[4];
    mask claimed[4];
    for (u32 k = 0; k < 4; ++k) {
        real4 old = gather_quad(w.contact, e.record, q, RECORD_POINT + 2 * k);
        old_impulse[k] = old.w;
        old_anchor[k] = xyz(old);
        claimed[k] = no(old_count > static_cast<i32>(k));
        old_feature[k] = pick_whole(old_count > static_cast<i32>(k),
                                    as_whole(gather_quad(w.contact, e.record, q, RECORD_POINT + 2 * k + 1).w),
                                    whole_from(0xffffffffu));
    }
    real impulse[4];
    mask found[4];
    for (u32 k = 0; k < 4; ++k) {
        impulse[k] = zero;
        found[k] = no(m.count > static_cast<i32>(k));
        for (u32 j = 0; j < 4; ++j) {
            mask same = both(old_feature[j] == m.feature[k], no(found[k]));
            impulse[k] = pick(same, old_impulse[j], impulse[k]);
            found[k] = either(found[k], same);
            claimed[j] = either(claimed[j], same);
        }
    }
    real3 anchor_a[4];
    for (u32 k = 0; k < 4; ++k) {
        anchor_a[k] = mat3_transposed_times(ra, m.on_a[k] + to_a);
        if (!any(no(found[k]))) continue;
        real nearest = to_real(w.distance * w.distance);
        whole which = whole_from(4u);
        for (u32 j = 0; j < 4; ++j) {
            real3 off = anchor_a[k] - old_anchor[j];
            real square = dot3(off, off);
            mask nearer = both(both(no(found[k]), no(claimed[j])), square < nearest);
            nearest = pick(nearer, square, nearest);
            which = pick_whole(nearer, whole_from(j), which);
            impulse[k] = pick(nearer, old_impulse[j], impulse[k]);
        }
        for (u32 j = 0; j < 4; ++j) claimed[j] = either(claimed[j], which == static_cast<i32>(j));
    }
    // What no point has taken over goes to the nearest one: a manifold of other points carries the same load.
    real4 old_normal = gather_quad(w.contact, e.record, q, RECORD_NORMAL);
    const mask alike = both(m.count > 0, dot3(xyz(old_normal), m.normal) > LOAD_ALIKE);
    for (u32 j = 0; j < 4; ++j) {
        const mask left = both(both(alike, no(claimed[j])), old_impulse[j] > 0.0f);
        if (!any(left)) continue;
        real nearest = to_real(1e30f);
        whole which = whole_from(4u);
        for (u32 k = 0; k < 4; ++k) {
            real3 off = anchor_a[k] - old_anchor[j];
            real square = dot3(off, off);
            mask nearer = both(m.count > static_cast<i32>(k), square < nearest);
            nearest = pick(nearer, square, nearest);
            which = pick_whole(nearer, whole_from(k), which);
        }
        for (u32 k = 0; k < 4; ++k)
            impulse[k] = impulse[k] + pick(both(left, which == static_cast<i32>(k)), old_impulse[j], zero);
    }
    for (u32 k = 0; k < 4; ++k) {
        real3 anchor_b = mat3_transposed_times(rb, m.on_b[k] + to_b);
        scatter_quad(w.contact, e.record, q, RECORD_POINT + 2 * k, with_w(anchor_a[k], impulse[k]), e.there);
        scatter_quad(w.contact, e.record, q, RECORD_POINT + 2 * k + 1,
                     with_w(anchor_b, as_real(m.feature[k])), e.there);
    }
    scatter_quad(
        w.contact, e.record, q, RECORD_STATE,
        make_real4(as_real(as_whole(state.x) - old_count + m.count), between.x, between.y, between.z),
        e.there);
    scatter_quad(w.contact, e.record, q, RECORD_NORMAL, with_w(m.normal, old_normal.w), e.there);
    scatter_quad(w.contact, e.record, q, RECORD_ROTATION_A, make_real4(qa.x, qa.y, qa.z, qa.s), e.there);
    scatter_quad(w.contact, e.record, q, RECORD_ROTATION_B, make_real4(qb.x, qb.y, qb.z, qb.s), e.there);
}
