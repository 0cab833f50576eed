// SPDX-License-Identifier: MIT
// rigid_contact.h — contacts of the soft-step solver.   compiles as: host, lanes, cuda
//
// Soft contacts after E. Catto, "Solver2D" (2024): in each substep a pass with a soft bias that pushes penetration out, then
// one without it that takes the push out of the velocities again. Each function handles one block: as many contacts as
// there are lanes, no two of them with the same moving body. `points` is how many points the contacts of the run have room
// for (1, 2 or 4); a contact with fewer has points of zero mass.

struct BodyMotion_t {
    real3 v, w;
};
typedef struct BodyMotion_t BodyMotion;

KERNEL_FN sym3 field_sym3(const f32* block, u32 f) {
    sym3 m;
    m.xx = field(block, f);
    m.yy = field(block, f + 1);
    m.zz = field(block, f + 2);
    m.xy = field(block, f + 3);
    m.xz = field(block, f + 4);
    m.yz = field(block, f + 5);
    return m;
}
KERNEL_FN void set_field_sym3(f32* block, u32 f, sym3 m) {
    set_field(block, f, m.xx);
    set_field(block, f + 1, m.yy);
    set_field(block, f + 2, m.zz);
    set_field(block, f + 3, m.xy);
    set_field(block, f + 4, m.xz);
    set_field(block, f + 5, m.yz);
}

/// a unit vector across n, the same for the same n on every device
KERNEL_FN real3 tangent_of(real3 n) {
    mask steep = magnitude(n.x) > 0.57735f;
    real3 across = pick3(steep, make_real3(n.y, -n.x, to_real(0.0f)), make_real3(to_real(0.0f), n.z, -n.y));
    return across * (to_real(1.0f) / root(dot3(across, across)));
}

/// quads 0 and 1 of records of `quads` quads
KERNEL_FN BodyMotion motion_of(const f32* from, lane_indices body, u32 quads) {
    BodyMotion m;
    m.v = xyz(gather_quad(from, body, quads, 0));
    m.w = xyz(gather_quad(from, body, quads, 1));
    return m;
}

/// the frame and the arms of a block, as all passes need them
struct ContactFrame_t {
    real3 n, t1, t2, arm_a, arm_b;
    sym3 inertia_a, inertia_b;
    real mass_a, mass_b;
};
typedef struct ContactFrame_t ContactFrame;

KERNEL_FN ContactFrame contact_frame(const f32* b) {
    ContactFrame f;
    f.n = field3(b, CONTACT_NORMAL);
    f.t1 = field3(b, CONTACT_TANGENT);
    f.t2 = cross3(f.n, f.t1);
    f.arm_a = field3(b, CONTACT_ARM_A);
    f.arm_b = field3(b, CONTACT_ARM_B);
    f.inertia_a = field_sym3(b, CONTACT_INERTIA_A);
    f.inertia_b = field_sym3(b, CONTACT_INERTIA_B);
    f.mass_a = field(b, CONTACT_MASS_A);
    f.mass_b = field(b, CONTACT_MASS_B);
    return f;
}

/// of b against a, at the contact's origin
KERNEL_FN real3 relative_velocity(ContactFrame f, BodyMotion a, BodyMotion b) {
    return (b.v + cross3(b.w, f.arm_b)) - (a.v + cross3(a.w, f.arm_a));
}

/// an impulse at the contact's origin and a torque impulse on b, their opposites on a
KERNEL_FN void push_apart(ContactFrame f, real3 impulse, real3 torque, PRIVATE BodyMotion* a,
                          PRIVATE BodyMotion* b) {
    a->v = a->v - f.mass_a * impulse;
    a->w = a->w - sym3_times(f.inertia_a, cross3(f.arm_a, impulse) + torque);
    b->v = b->v + f.mass_b * impulse;
    b->w = b->w + sym3_times(f.inertia_b, cross3(f.arm_b, impulse) + torque);
}

/// impulses do not move a body along its locked axes
KERNEL_FN void keep_locked(whole locks, BodyMotion a0, BodyMotion b0, PRIVATE BodyMotion* a,
                           PRIVATE BodyMotion* b) {
    if (!any(locks > 0)) return;
    a->v = kept_where_locked(locks, LOCK_A, a0.v, a->v);
    b->v = kept_where_locked(locks, LOCK_B, b0.v, b->v);
}

/// back to the bodies, or for split bodies to a separate entry
KERNEL_FN void store_motion(u32 item, const RigidView w, ContactFrame f, lane_indices ia, lane_indices ib,
                            BodyMotion a, BodyMotion b, BodyMotion a0, BodyMotion b0) {
    real zero = to_real(0.0f);
    if (w.push) {
        const lane_indices at = indices_of(lane_index(item));
        const u32 all = lane_bits(truth(true));
        scatter_quad(w.push, at, 4, 0, with_w(a.v - a0.v, zero), all);
        scatter_quad(w.push, at, 4, 1, with_w(a.w - a0.w, zero), all);
        scatter_quad(w.push, at, 4, 2, with_w(b.v - b0.v, zero), all);
        scatter_quad(w.push, at, 4, 3, with_w(b.w - b0.w, zero), all);
        return;
    }
    const u32 moves_a = lane_bits(f.mass_a > 0.0f), moves_b = lane_bits(f.mass_b > 0.0f);
    scatter_quad(w.motion, ia, 4, 0, with_w(a.v, zero), moves_a);
    scatter_quad(w.motion, ia, 4, 1, with_w(a.w, zero), moves_a);
    scatter_quad(w.motion, ib, 4, 0, with_w(b.v, zero), moves_b);
    scatter_quad(w.motion, ib, 4, 1, with_w(b.w, zero), moves_b);
}

KERNEL_FN sym3 gather_inertia(real4 first, real4 second) {
    sym3 m;
    m.xx = first.x;
    m.yy = first.y;
    m.zz = first.z;
    m.xy = first.w;
    m.xz = second.x;
    m.yz = second.y;
    return m;
}
KERNEL_FN sym3 sym3_scaled(sym3 m, real s) {
    m.xx = m.xx * s;
    m.yy = m.yy * s;
    m.zz = m.zz * s;
    m.xy = m.xy * s;
    m.xz = m.xz * s;
    m.yz = m.yz * s;
    return m;
}
KERNEL_FN sym3 sym3_sum(sym3 a, sym3 b) {
    a.xx = a.xx + b.xx;
    a.yy = a.yy + b.yy;
    a.zz = a.zz + b.zz;
    a.xy = a.xy + b.xy;
    a.xz = a.xz + b.xz;
    a.yz = a.yz + b.yz;
    return a;
}

/// 1/x, or 0 where x is not positive
KERNEL_FN real inverse_or_zero(real x) {
    mask fine = x > 0.0f;
    return pick(fine, to_real(1.0f) / pick(fine, x, to_real(1.0f)), to_real(0.0f));
}

/// the inverse 11 12 22 of a symmetric matrix; of one that answers in a single direction, its inverse in that direction
KERNEL_FN real3 tangent_mass(real k11, real k12, real k22) {
    real det = k11 * k22 - k12 * k12, trace = k11 + k22;
    real scale = inverse_or_zero(det), along = inverse_or_zero(trace * trace);
    return pick3(det > 1e-7f * (trace * trace), make_real3(k22 * scale, -k12 * scale, k11 * scale),
                 make_real3(k11 * along, k12 * along, k22 * along));
}

/// The block of optional data of contacts: restitution, rolling, locks. Only valid with `extras`: without them
/// there is no array, and an offset to nothing is undefined.
KERNEL_FN f32* extra_of(u32 item, const RigidView w) { return block_of(w.extra, item, EXTRA_FIELDS); }

/// from the record of each contact and the poses of its bodies to a block
KERNEL_FN void contact_prepare(u32 item, u32 points, const RigidView w, const RigidStep p) {
    f32* b = block_of(w.block, item, CONTACT_HEAD + points * POINT_FIELDS);
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    real zero = to_real(0.0f), one = to_real(1.0f);
    const lane_indices record = indices_of(pick_whole(there, slot, whole_from(0u)));
    const u32 q = RECORD_QUADS;
    real4 pair = gather_quad(w.contact, record, q, RECORD_PAIR);
    // an empty lane refers to body 0, the world, which nothing moves
    whole body_a = pick_whole(there, as_whole(pair.z), whole_from(0u));
    whole body_b = pick_whole(there, as_whole(pair.w), whole_from(0u));
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    real4 state = gather_quad(w.contact, record, q, RECORD_STATE);
    whole count = pick_whole(there, as_whole(state.x) & RECORD_COUNT, whole_from(0u));

    quat turn_a = quat_of(gather_quad(w.rotation, ia, 1, 0)),
         turn_b = quat_of(gather_quad(w.rotation, ib, 1, 0));
    mat3 ra = quat_matrix(turn_a), rb = quat_matrix(turn_b);
    real3 between = position_between(gather_quad(w.position, ia, 1, 0), gather_quad(w.position, ib, 1, 0));
    real4 normal4 = gather_quad(w.contact, record, q, RECORD_NORMAL);
    ContactFrame f;
    f.n = pick3(there, xyz(normal4), make_real3(zero, one, zero));
    // lever arms as when the manifold was made
    mat3 made_a = quat_matrix(quat_of(gather_quad(w.contact, record, q, RECORD_ROTATION_A)));
    mat3 made_b = quat_matrix(quat_of(gather_quad(w.contact, record, q, RECORD_ROTATION_B)));
    real3 made_between = make_real3(state.y, state.z, state.w);
    f.t1 = tangent_of(f.n);
    f.t2 = cross3(f.n, f.t1);

    // the middle of the points, from a's centre
    real3 middle[4];
    real separation[4], impulse[4];
    mask used[4];
    real3 sum = make_real3(zero, zero, zero);
    for (u32 k = 0; k < points; ++k) {
        used[k] = count > static_cast<i32>(k);
        real4 on_a = gather_quad(w.contact, record, q, RECORD_POINT + 2 * k);
        real4 on_b = gather_quad(w.contact, record, q, RECORD_POINT + 2 * k + 1);
        real3 gap = (between + mat3_times(rb, xyz(on_b))) - mat3_times(ra, xyz(on_a));
        separation[k] = pick(used[k], dot3(gap, f.n), zero);
        real3 at_a = mat3_times(made_a, xyz(on_a));
        middle[k] = at_a + 0.5f * ((made_between + mat3_times(made_b, xyz(on_b))) - at_a);
        impulse[k] = pick(used[k], on_a.w * p.warm_scale, zero);
        sum = sum + pick3(used[k], middle[k], make_real3(zero, zero, zero));
    }
    real share = one / greatest(to_real(count), one);
    f.arm_a = sum * share;
    f.arm_b = f.arm_a - made_between;

    real4 ia0 = gather_quad(w.inverse_mass, ia, 2, 0), ia1 = gather_quad(w.inverse_mass, ia, 2, 1);
    real4 ib0 = gather_quad(w.inverse_mass, ib, 2, 0), ib1 = gather_quad(w.inverse_mass, ib, 2, 1);
    f.inertia_a = gather_inertia(ia0, ia1);
    f.inertia_b = gather_inertia(ib0, ib1);
    f.mass_a = ia1.z;
    f.mass_b = ib1.z;

    // a body that is split among several contacts is lighter in each of them
    sym3 light_a = f.inertia_a, light_b = f.inertia_b;
    real mass_a = f.mass_a, mass_b = f.mass_b;
    if (w.split) {
        real pieces_a = gather(w.split, body_a), pieces_b = gather(w.split, body_b);
        light_a = sym3_scaled(light_a, pieces_a);
        light_b = sym3_scaled(light_b, pieces_b);
        mass_a = mass_a * pieces_a;
        mass_b = mass_b * pieces_b;
    }
    // how the centres answer to an impulse along n, t1 and t2
    real mass_n = mass_a + mass_b, mass_1 = mass_n, mass_2 = mass_n, mass_12 = zero;
    whole locks = whole_from(0u);
    if (p.extras) locks = pair_locks(as_whole(ia1.w), as_whole(ib1.w));
    mask locked = locks > 0;
    if (p.extras && any(locked)) {
        real share_a = free_share(locks, LOCK_A, f.n), share_b = free_share(locks, LOCK_B, f.n);
        mass_n = mass_a * share_a + mass_b * share_b;
        mass_1 = mass_a * free_share(locks, LOCK_A, f.t1) + mass_b * free_share(locks, LOCK_B, f.t1);
        mass_2 = mass_a * free_share(locks, LOCK_A, f.t2) + mass_b * free_share(locks, LOCK_B, f.t2);
        mass_12 = mass_a * dot3(unlocked3(locks, LOCK_A, f.t1), f.t2) +
                  mass_b * dot3(unlocked3(locks, LOCK_B, f.t1), f.t2);
        mask firm = both(locked, either(share_a == 0.0f, share_b == 0.0f));
        locks = locks + pick_whole(firm, whole_from(1u << LOCK_FIRM), whole_from(0u));
    }

    // response of (n.v, t1.w, t2.w) and of friction
    real3 na = cross3(f.arm_a, f.n), nb = cross3(f.arm_b, f.n);
    sym3 both_turn = sym3_sum(light_a, light_b);
    real3 ia_na = sym3_times(light_a, na), ib_nb = sym3_times(light_b, nb);
    real3 spin = ia_na + ib_nb, turn1 = sym3_times(both_turn, f.t1), turn2 = sym3_times(both_turn, f.t2);
    real r00 = mass_n + (dot3(na, ia_na) + dot3(nb, ib_nb));
    real r01 = dot3(spin, f.t1), r02 = dot3(spin, f.t2);
    real r11 = dot3(turn1, f.t1), r12 = dot3(turn1, f.t2), r22 = dot3(turn2, f.t2);
    real3 a1 = cross3(f.arm_a, f.t1), b1 = cross3(f.arm_b, f.t1);
    real3 a2 = cross3(f.arm_a, f.t2), b2 = cross3(f.arm_b, f.t2);
    real3 ia_a1 = sym3_times(light_a, a1), ib_b1 = sym3_times(light_b, b1);
    real k11 = mass_1 + (dot3(a1, ia_a1) + dot3(b1, ib_b1));
    real k12 = dot3(a2, ia_a1) + dot3(b2, ib_b1);
    real k22 = mass_2 + (dot3(a2, sym3_times(light_a, a2)) + dot3(b2, sym3_times(light_b, b2)));
    real det = inverse_or_zero(k11 * k22 - k12 * k12);
    real3 tangent = make_real3(k22 * det, -k12 * det, k11 * det);
    if (p.extras && any(locked)) tangent = pick3(locked, tangent_mass(k11, k12 + mass_12, k22), tangent);

    set_field_whole(b, CONTACT_BODY_A, body_a);
    set_field_whole(b, CONTACT_BODY_B, body_b);
    set_field_whole(b, CONTACT_SLOT, slot);
    set_field3(b, CONTACT_NORMAL, f.n);
    set_field3(b, CONTACT_TANGENT, f.t1);
    set_field3(b, CONTACT_ARM_A, f.arm_a);
    set_field3(b, CONTACT_ARM_B, f.arm_b);
    set_field_sym3(b, CONTACT_INERTIA_A, f.inertia_a);
    set_field_sym3(b, CONTACT_INERTIA_B, f.inertia_b);
    set_field(b, CONTACT_MASS_A, f.mass_a);
    set_field(b, CONTACT_MASS_B, f.mass_b);
    if (points > 1) {
        set_field(b, CONTACT_RESPONSE, r00);
        set_field(b, CONTACT_RESPONSE + 1, r01);
        set_field(b, CONTACT_RESPONSE + 2, r02);
        set_field(b, CONTACT_RESPONSE + 3, r11);
        set_field(b, CONTACT_RESPONSE + 4, r12);
        set_field(b, CONTACT_RESPONSE + 5, r22);
        set_field(b, CONTACT_TWIST_MASS, inverse_or_zero(dot3(sym3_times(both_turn, f.n), f.n)));
    }
    set_field3(b, CONTACT_TANGENT_MASS, tangent);
    set_field(b, CONTACT_FRICTION, normal4.w);
    real4 friction = gather_quad(w.contact, record, q, RECORD_FRICTION_IMPULSE);
    set_field(b, CONTACT_TANGENT_IMPULSE, pick(there, dot3(xyz(friction), f.t1) * p.warm_scale, zero));
    set_field(b, CONTACT_TANGENT_IMPULSE + 1, pick(there, dot3(xyz(friction), f.t2) * p.warm_scale, zero));
    set_field(b, CONTACT_SHIFT, zero);
    if (points > 1) {
        set_field(b, CONTACT_TWIST_IMPULSE, pick(there, friction.w * p.warm_scale, zero));
        set_field(b, CONTACT_SHIFT_1, zero);
        set_field(b, CONTACT_SHIFT_1 + 1, zero);
    }

    BodyMotion ma, mb;
    real3 approach = make_real3(zero, zero, zero);
    real3 turning = approach;
    if (p.extras) {
        f32* e = extra_of(item, w);
        ma = motion_of(w.motion, ia, 4);
        mb = motion_of(w.motion, ib, 4);
        approach = relative_velocity(f, ma, mb);
        turning = mb.w - ma.w;
        real4 rolling = gather_quad(w.contact, record, q, RECORD_ROLLING);
        real4 surface = gather_quad(w.contact, record, q, RECORD_SURFACE);
        set_field_whole(e, EXTRA_LOCKS, locks);
        set_field(e, EXTRA_RESTITUTION, surface.w);
        set_field(e, EXTRA_ROLLING, rolling.w);
        // rolling is braked in all directions alike, with the largest response
        set_field(e, EXTRA_ROLLING_MASS, inverse_or_zero((both_turn.xx + both_turn.yy) + both_turn.zz));
        set_field3(e, EXTRA_ROLLING_IMPULSE,
                   pick3(there, xyz(rolling) * p.warm_scale, make_real3(zero, zero, zero)));
        set_field(e, EXTRA_SURFACE, dot3(xyz(surface), f.t1));
        set_field(e, EXTRA_SURFACE + 1, dot3(xyz(surface), f.t2));
    }
    real arms = zero;
    for (u32 k = 0; k < points; ++k) {
        f32* point = b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK;
        real3 from_middle = middle[k] - f.arm_a;
        real along1 = points > 1 ? pick(used[k], dot3(from_middle, f.t1), zero) : zero;
        real along2 = points > 1 ? pick(used[k], dot3(from_middle, f.t2), zero) : zero;
        real response = ((r00 + 2.0f * (along2 * r01 - along1 * r02)) + along2 * along2 * r11) +
                        (along1 * along1 * r22 - 2.0f * (along1 * along2) * r12);
        if (points > 1) {
            set_field(point, POINT_A, along1);
            set_field(point, POINT_B, along2);
        }
        set_field(point, POINT_SEPARATION, separation[k]);
        set_field(point, POINT_IMPULSE, impulse[k]);
        set_field(point, POINT_MASS, pick(used[k], inverse_or_zero(response), zero));
        arms = arms + pick(used[k], root(along1 * along1 + along2 * along2), zero);
        if (p.extras) {
            real speed = dot3(approach, f.n) + (along2 * dot3(turning, f.t1) - along1 * dot3(turning, f.t2));
            f32* e = extra_of(item, w);
            set_field(e, EXTRA_POINT + 2 * k, speed);
            set_field(e, EXTRA_POINT + 2 * k + 1, zero);
        }
    }
    if (points > 1) set_field(b, CONTACT_TWIST_ARM, arms * share);
}

/// applies the impulses of the last step
KERNEL_FN void contact_warm_start(u32 item, u32 points, const RigidView w, const RigidStep p) {
    f32* b = block_of(w.block, item, CONTACT_HEAD + points * POINT_FIELDS);
    ContactFrame f = contact_frame(b);
    const lane_indices ia = indices_of(field_whole(b, CONTACT_BODY_A)),
                       ib = indices_of(field_whole(b, CONTACT_BODY_B));
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);
    BodyMotion a0 = a, c0 = c;
    real normal = to_real(0.0f), torque1 = normal, torque2 = normal;
    for (u32 k = 0; k < points; ++k) {
        const f32* point = b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK;
        real impulse = field(point, POINT_IMPULSE);
        normal = normal + impulse;
        if (points > 1) {
            torque1 = torque1 + field(point, POINT_B) * impulse;
            torque2 = torque2 - field(point, POINT_A) * impulse;
        }
    }
    real3 impulse = (f.n * normal + f.t1 * field(b, CONTACT_TANGENT_IMPULSE)) +
                    f.t2 * field(b, CONTACT_TANGENT_IMPULSE + 1);
    real3 torque = make_real3(torque1, torque1, torque1);
    if (points > 1) torque = (f.n * field(b, CONTACT_TWIST_IMPULSE) + f.t1 * torque1) + f.t2 * torque2;
    if (p.extras) torque = torque + field3(extra_of(item, w), EXTRA_ROLLING_IMPULSE);
    push_apart(f, impulse, torque, &a, &c);
    if (p.extras) keep_locked(field_whole(extra_of(item, w), EXTRA_LOCKS), a0, c0, &a, &c);
    store_motion(item, w, f, ia, ib, a, c, a0, c0);
}

/// friction at the middle, and against twisting about the normal and rolling; `total`: of the normal impulses
KERNEL_FN void contact_friction(u32 item, u32 points, const RigidView w, const RigidStep p, f32* b,
                                ContactFrame f, real total, PRIVATE BodyMotion* a, PRIVATE BodyMotion* c) {
    real3 v = relative_velocity(f, *a, *c), turning = c->w - a->w;
    real v1 = dot3(v, f.t1), v2 = dot3(v, f.t2);
    if (p.extras) {
        const f32* e = extra_of(item, w);
        v1 = v1 + field(e, EXTRA_SURFACE);
        v2 = v2 + field(e, EXTRA_SURFACE + 1);
    }
    real m11 = field(b, CONTACT_TANGENT_MASS), m12 = field(b, CONTACT_TANGENT_MASS + 1);
    real m22 = field(b, CONTACT_TANGENT_MASS + 2);
    real old1 = field(b, CONTACT_TANGENT_IMPULSE), old2 = field(b, CONTACT_TANGENT_IMPULSE + 1);
    real new1 = old1 - (m11 * v1 + m12 * v2), new2 = old2 - (m12 * v1 + m22 * v2);
    real limit = field(b, CONTACT_FRICTION) * total;
    real square = new1 * new1 + new2 * new2;
    mask slides = square > limit * limit;
    real scale = pick(slides, limit / root(pick(slides, square, to_real(1.0f))), to_real(1.0f));
    new1 = new1 * scale;
    new2 = new2 * scale;
    set_field(b, CONTACT_TANGENT_IMPULSE, new1);
    set_field(b, CONTACT_TANGENT_IMPULSE + 1, new2);
    real zero = to_real(0.0f);
    real3 torque = make_real3(zero, zero, zero);
    if (points > 1) {
        real old_twist = field(b, CONTACT_TWIST_IMPULSE);
        real twist_limit = limit * field(b, CONTACT_TWIST_ARM);
        real new_twist =
            clamped(old_twist - field(b, CONTACT_TWIST_MASS) * dot3(turning, f.n), -twist_limit, twist_limit);
        set_field(b, CONTACT_TWIST_IMPULSE, new_twist);
        torque = f.n * (new_twist - old_twist);
    }
    if (p.extras) {
        f32* e = extra_of(item, w);
        real3 old = field3(e, EXTRA_ROLLING_IMPULSE);
        real3 wanted = old - field(e, EXTRA_ROLLING_MASS) * turning;
        real rolling_limit = field(e, EXTRA_ROLLING) * total;
        real size = dot3(wanted, wanted);
        mask over = size > rolling_limit * rolling_limit;
        // without resistance nothing is left, also where the square is too small to be more than 0
        real kept = pick(rolling_limit > 0.0f, to_real(1.0f), to_real(0.0f));
        wanted = wanted * pick(over, rolling_limit / root(pick(over, size, to_real(1.0f))), kept);
        set_field3(e, EXTRA_ROLLING_IMPULSE, wanted);
        torque = torque + (wanted - old);
    }
    push_apart(f, f.t1 * (new1 - old1) + f.t2 * (new2 - old2), torque, a, c);
}

/// One sweep. With `bias`: the normal rows alone, soft, pushing penetration out; friction would only resist that push.
/// Without: the relaxing pass over normal rows, then friction; it also takes in how far the bodies have moved.
KERNEL_FN void contact_sweep(u32 item, u32 points, u32 bias, const RigidView w, const RigidStep p) {
    f32* b = block_of(w.block, item, CONTACT_HEAD + points * POINT_FIELDS);
    ContactFrame f = contact_frame(b);
    const lane_indices ia = indices_of(field_whole(b, CONTACT_BODY_A)),
                       ib = indices_of(field_whole(b, CONTACT_BODY_B));
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);
    BodyMotion a0 = a, c0 = c;
    real zero = to_real(0.0f);
    whole locks = whole_from(0u);
    if (p.extras) locks = field_whole(extra_of(item, w), EXTRA_LOCKS);

    // the normal rows, in the contact's own three numbers
    real3 v = relative_velocity(f, a, c), turning = c.w - a.w;
    real u0 = dot3(v, f.n), u1 = zero, u2 = zero;
    real r00 = zero, r01 = zero, r02 = zero, r11 = zero, r12 = zero, r22 = zero;
    if (points > 1) {
        u1 = dot3(turning, f.t1);
        u2 = dot3(turning, f.t2);
        r00 = field(b, CONTACT_RESPONSE);
        r01 = field(b, CONTACT_RESPONSE + 1);
        r02 = field(b, CONTACT_RESPONSE + 2);
        r11 = field(b, CONTACT_RESPONSE + 3);
        r12 = field(b, CONTACT_RESPONSE + 4);
        r22 = field(b, CONTACT_RESPONSE + 5);
    }
    real3 shift = make_real3(zero, zero, zero);
    real rate = zero, mass_scale = to_real(1.0f), impulse_scale = zero;
    if (bias) {
        shift.x = field(b, CONTACT_SHIFT);
        if (points > 1) {
            shift.y = field(b, CONTACT_SHIFT_1);
            shift.z = field(b, CONTACT_SHIFT_1 + 1);
        }
        mask fixed = either(f.mass_a == 0.0f, f.mass_b == 0.0f);
        if (p.extras) fixed = either(fixed, (locks & (1 << LOCK_FIRM)) > 0);
        rate = pick(fixed, to_real(p.static_contact.rate), to_real(p.contact.rate));
        mass_scale = pick(fixed, to_real(p.static_contact.mass_scale), to_real(p.contact.mass_scale));
        impulse_scale =
            pick(fixed, to_real(p.static_contact.impulse_scale), to_real(p.contact.impulse_scale));
    } else {
        real4 moved_a = gather_quad(w.motion, ia, 4, 2), moved_b = gather_quad(w.motion, ib, 4, 2);
        // the vector part of a small rotation is half the angle
        real3 turned_a = 2.0f * xyz(gather_quad(w.motion, ia, 4, 3));
        real3 turned_b = 2.0f * xyz(gather_quad(w.motion, ib, 4, 3));
        real3 moved = (xyz(moved_b) + cross3(turned_b, f.arm_b)) - (xyz(moved_a) + cross3(turned_a, f.arm_a));
        real3 turned = turned_b - turned_a;
        shift.x = dot3(moved, f.n);
        set_field(b, CONTACT_SHIFT, shift.x);
        if (points > 1) {
            shift.y = dot3(turned, f.t1);
            shift.z = dot3(turned, f.t2);
            set_field(b, CONTACT_SHIFT_1, shift.y);
            set_field(b, CONTACT_SHIFT_1 + 1, shift.z);
        }
    }
    // what the rounds read again and again
    real impulse[4], mass[4], apart_by[4], place_a[4], place_b[4];
    real total = zero, sum0 = zero, sum1 = zero, sum2 = zero;
    for (u32 k = 0; k < points; ++k) {
        const f32* point = b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK;
        impulse[k] = field(point, POINT_IMPULSE);
        mass[k] = field(point, POINT_MASS);
        apart_by[k] = field(point, POINT_SEPARATION);
        place_a[k] = points > 1 ? field(point, POINT_A) : zero;
        place_b[k] = points > 1 ? field(point, POINT_B) : zero;
        if (!bias) total = total + impulse[k];
    }
    // All points at once, a few times over: one after the other would favour the first, and push a symmetric pile askew.
    for (u32 round = 0; round < (points > 1 ? CONTACT_ROUNDS : 1u); ++round) {
        real round0 = zero, round1 = zero, round2 = zero;
        for (u32 k = 0; k < points; ++k) {
            real pa = place_a[k], pb = place_b[k];
            real separation = apart_by[k] + shift.x;
            real speed = u0;
            if (points > 1) {
                separation = apart_by[k] + (shift.x + (pb * shift.y - pa * shift.z));
                speed = u0 + (pb * u1 - pa * u2);
            }
            mask apart = separation > 0.0f;
            real wanted, ms, is;
            if (bias) {
                real push = greatest(rate * separation, to_real(-p.push_speed));
                wanted = pick(apart, separation * p.inv_h, push);
                ms = pick(apart, to_real(1.0f), mass_scale);
                is = pick(apart, zero, impulse_scale);
            } else {
                wanted = pick(apart, separation * p.inv_h, zero);
                ms = to_real(1.0f);
                is = zero;
            }
            real old = impulse[k];
            real change = -(mass[k] * ms) * (speed + wanted) - is * old;
            if (points > 1) change = change * CONTACT_SHARE;
            real now = greatest(old + change, zero);
            change = now - old;
            impulse[k] = now;
            round0 = round0 + change;
            if (points > 1) {
                round1 = round1 + pb * change;
                round2 = round2 - pa * change;
            }
            if (p.extras) {
                f32* e = extra_of(item, w);
                u32 most = EXTRA_POINT + 2 * k + 1;
                set_field(e, most, greatest(field(e, most), now));
            }
        }
        sum0 = sum0 + round0;
        if (points > 1) {
            sum1 = sum1 + round1;
            sum2 = sum2 + round2;
            u0 = u0 + ((r00 * round0 + r01 * round1) + r02 * round2);
            u1 = u1 + ((r01 * round0 + r11 * round1) + r12 * round2);
            u2 = u2 + ((r02 * round0 + r12 * round1) + r22 * round2);
        }
    }
    for (u32 k = 0; k < points; ++k)
        set_field(b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK, POINT_IMPULSE, impulse[k]);
    total = total + sum0;
    push_apart(f, f.n * sum0, f.t1 * sum1 + f.t2 * sum2, &a, &c);
    if (p.extras) keep_locked(locks, a0, c0, &a, &c);
    if (!bias) {
        contact_friction(item, points, w, p, b, f, total, &a, &c);
        if (p.extras) keep_locked(locks, a0, c0, &a, &c);
    }
    store_motion(item, w, f, ia, ib, a, c, a0, c0);
}

/// after the last substep: applies restitution to fast impacts
KERNEL_FN void contact_restitution(u32 item, u32 points, const RigidView w, const RigidStep p) {
    f32* b = block_of(w.block, item, CONTACT_HEAD + points * POINT_FIELDS);
    const f32* e = extra_of(item, w);
    real restitution = field(e, EXTRA_RESTITUTION);
    if (!any(restitution > 0.0f) && !w.push) return;
    ContactFrame f = contact_frame(b);
    const lane_indices ia = indices_of(field_whole(b, CONTACT_BODY_A)),
                       ib = indices_of(field_whole(b, CONTACT_BODY_B));
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);
    BodyMotion a0 = a, c0 = c;
    for (u32 k = 0; k < points; ++k) {
        f32* point = b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK;
        real before = field(e, EXTRA_POINT + 2 * k);
        mask bounces = both(both(restitution > 0.0f, before < -p.restitution_threshold),
                            field(e, EXTRA_POINT + 2 * k + 1) > 0.0f);
        real pa = points > 1 ? field(point, POINT_A) : to_real(0.0f),
             pb = points > 1 ? field(point, POINT_B) : to_real(0.0f);
        real3 v = relative_velocity(f, a, c), turning = c.w - a.w;
        real speed = dot3(v, f.n) + (pb * dot3(turning, f.t1) - pa * dot3(turning, f.t2));
        real old = field(point, POINT_IMPULSE);
        real now = greatest(old - field(point, POINT_MASS) * (speed + restitution * before), to_real(0.0f));
        now = pick(bounces, now, old);
        set_field(point, POINT_IMPULSE, now);
        real change = now - old;
        push_apart(f, f.n * change, f.t1 * (pb * change) - f.t2 * (pa * change), &a, &c);
        keep_locked(field_whole(e, EXTRA_LOCKS), a0, c0, &a, &c);
    }
    store_motion(item, w, f, ia, ib, a, c, a0, c0);
}

/// impulses back to the records
KERNEL_FN void contact_store(u32 item, u32 points, const RigidView w, const RigidStep p) {
    const f32* b = block_of(w.block, item, CONTACT_HEAD + points * POINT_FIELDS);
    whole slot = field_whole(b, CONTACT_SLOT);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    real3 n = field3(b, CONTACT_NORMAL), t1 = field3(b, CONTACT_TANGENT), t2 = cross3(n, t1);
    real3 impulse = t1 * field(b, CONTACT_TANGENT_IMPULSE) + t2 * field(b, CONTACT_TANGENT_IMPULSE + 1);
    scatter_quad(w.contact, record, RECORD_QUADS, RECORD_FRICTION_IMPULSE,
                 with_w(impulse, points > 1 ? field(b, CONTACT_TWIST_IMPULSE) : to_real(0.0f)), there);
    if (p.extras) {
        const f32* e = extra_of(item, w);
        scatter_quad(w.contact, record, RECORD_QUADS, RECORD_ROLLING,
                     with_w(field3(e, EXTRA_ROLLING_IMPULSE), field(e, EXTRA_ROLLING)), there);
    }
    // the impulse is the fourth word of a point's first quad
    alignas(4 * SCREE_LANES) f32 impulses[SCREE_LANES];
    for (u32 k = 0; k < points; ++k) {
        store(impulses, field(b + (CONTACT_HEAD + k * POINT_FIELDS) * BLOCK, POINT_IMPULSE));
        for (u32 l = 0; l < SCREE_LANES; ++l)
            if (there >> l & 1)
                w.contact[4 * (static_cast<std::size_t>(static_cast<u32>(record.at[l])) * RECORD_QUADS +
                               RECORD_POINT + 2 * k) +
                          3] = impulses[l];
    }
}
