// SPDX-License-Identifier: MIT
// rigid_convex.h — manifolds of pairs that have no kernel of their own in lanes: one pair at a time.   compiles as: host, cuda

/// As pair_store: from the point of the same feature, or else the nearest that no other claims. Points are two quads:
/// anchor on a and impulse, anchor on b and feature. `side`: on which of the two nearness is measured.
KERNEL_FN void carry_impulses(PRIVATE const real4* old, u32 old_count, PRIVATE real4* now, u32 count,
                              f32 reach, u32 side) {
    bool claimed[4] = {false, false, false, false}, found[4] = {false, false, false, false};
    for (u32 k = 0; k < count; ++k)
        for (u32 j = 0; j < old_count && !found[k]; ++j)
            if (as_whole(old[2 * j + 1].w) == as_whole(now[2 * k + 1].w)) {
                now[2 * k].w = old[2 * j].w;
                found[k] = claimed[j] = true;
            }
    for (u32 k = 0; k < count; ++k) {
        if (found[k]) continue;
        real nearest = reach * reach;
        u32 which = old_count;
        for (u32 j = 0; j < old_count; ++j) {
            real3 off = xyz(now[2 * k + side]) - xyz(old[2 * j + side]);
            real square = dot3(off, off);
            if (claimed[j] || !(square < nearest)) continue;
            nearest = square;
            which = j;
        }
        if (which == old_count) continue;
        now[2 * k].w = old[2 * which].w;
        claimed[which] = true;
    }
}

/// Whether two shapes overlap, by GJK whatever their types; A is no plane.
KERNEL_FN bool convex_overlap(const ConvexShape a, const ConvexShape b, real3 position, quat rotation) {
    ConvexPair p;
    p.a = a;
    p.b = b;
    p.rotation = quat_matrix(rotation);
    p.position = position;
    if (b.type == CONVEX_PLANE) {
        real3 down = -make_real3(p.rotation.x.y, p.rotation.y.y, p.rotation.z.y);
        return !(dot3(position - convex_support(a, down, 0.0f), down) > convex_round(a));
    }
    return pair_overlaps(&p, position);
}

/// A manifold as narrow_convex and narrow_mesh store it: points as carry_impulses has them, in the bodies' frames.
struct MadePoints_t {
    real3 normal; // world
    u32 side;     // where points are known again: 0 on a, 1 on b
    u32 count;
    real4 point[8];
};
typedef struct MadePoints_t MadePoints;

/// `part`: the sub-shape
KERNEL_FN void made_store(u32 contact, const PairView w, u32 body_a, u32 body_b, real3 between, u32 part,
                          PRIVATE MadePoints* made) {
    const u32 q = RECORD_QUADS;
    real4 old[8];
    const i32 state = as_whole(load4(w.contact, contact * q + RECORD_STATE).x);
    const u32 old_count = static_cast<u32>(state & RECORD_COUNT);
    if (made->count && old_count) {
        for (u32 k = 0; k < 8; ++k) old[k] = load4(w.contact, contact * q + RECORD_POINT + k);
        carry_impulses(old, old_count, made->point, made->count, w.distance, made->side);
    }
    for (u32 k = 0; k < 2 * made->count; ++k)
        store4(w.contact, contact * q + RECORD_POINT + k, made->point[k]);
    const u32 slot = static_cast<u32>(state) >> RECORD_SLOT & 15u;
    const u32 now = made->count | slot << RECORD_SLOT | part << RECORD_SUB;
    store4(w.contact, contact * q + RECORD_STATE,
           make_real4(as_real(static_cast<i32>(now)), between.x, between.y, between.z));
    real friction = load4(w.contact, contact * q + RECORD_NORMAL).w;
    store4(w.contact, contact * q + RECORD_NORMAL, with_w(made->normal, friction));
    store4(w.contact, contact * q + RECORD_ROTATION_A, load4(w.rotation, body_a));
    store4(w.contact, contact * q + RECORD_ROTATION_B, load4(w.rotation, body_b));
}

/// `parting`: of the pair, as in convex_manifold
KERNEL_FN void narrow_convex(u32 item, const ConvexShape a, const ConvexShape b, PRIVATE u32* parting,
                             const PairView w) {
    PairEnds e = pair_ends(item, w);
    const u32 shape_a = static_cast<u32>(e.shape_a.at[0]), shape_b = static_cast<u32>(e.shape_b.at[0]),
              body_a = static_cast<u32>(e.body_a.at[0]), body_b = static_cast<u32>(e.body_b.at[0]);
    real3 at_a = xyz(load4(w.pose, 2 * shape_a)), at_b = xyz(load4(w.pose, 2 * shape_b));
    quat turn_a = quat_of(load4(w.pose, 2 * shape_a + 1)), turn_b = quat_of(load4(w.pose, 2 * shape_b + 1));
    mat3 ra = quat_matrix(turn_a);
    real margin = pair_margin(w, e);
    real3 between = pair_between(w, e);

    Manifold m;
    convex_manifold(a, b, mat3_transposed_times(ra, between + (at_b - at_a)),
                    quat_product(quat_reversed(turn_a), turn_b), margin, parting, &m);

    mat3 frame_a = quat_matrix(quat_of(load4(w.rotation, body_a))),
         frame_b = quat_matrix(quat_of(load4(w.rotation, body_b)));
    MadePoints made;
    made.normal = mat3_times(ra, m.normal);
    made.side = 0;
    made.count = static_cast<u32>(m.count);
    for (u32 k = 0; k < made.count; ++k) {
        real3 on_a = at_a + mat3_times(ra, m.point[k]);
        real3 on_b = on_a + made.normal * m.separation[k];
        made.point[2 * k] = with_w(mat3_transposed_times(frame_a, on_a), 0.0f);
        made.point[2 * k + 1] =
            with_w(mat3_transposed_times(frame_b, on_b - between), as_real(static_cast<i32>(m.feature[k])));
    }
    made_store(w.slots[item], w, body_a, body_b, between, 0, &made);
}
