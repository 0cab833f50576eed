// SPDX-License-Identifier: MIT
// rigid_joint.h — ball, hinge and fixed joints of the soft-step solver.   compiles as: host, lanes, cuda
//
// One formula for the three: a point that both bodies share (three rows, solved as a block), and of three angular rows,
// along the joint's axes in the first body, those that the type holds: none, x and y, or all. Arms and axes turn with the
// bodies in every substep, and the impulses of the substep before turn with them.

#define JOINT_BODY_A 0
#define JOINT_BODY_B 1
#define JOINT_SLOT 2
#define JOINT_ARM_A 3
#define JOINT_ARM_B 6
#define JOINT_BETWEEN 9 // b's centre from a's
#define JOINT_FRAME_A 12
#define JOINT_FRAME_B 16
#define JOINT_INERTIA_A 20
#define JOINT_INERTIA_B 26
#define JOINT_MASS_A 32
#define JOINT_MASS_B 33
#define JOINT_HOLDS 34   // 0 ball, 1 hinge, 2 fixed
#define JOINT_IMPULSE 35 // world
#define JOINT_ANGULAR 38 // along the joint's axes
#define JOINT_TORQUE_A                                                                                       \
    41 // what the impulses have turned a and b by so far: lever arms and axes turn, impulses add up
#define JOINT_TORQUE_B 44
#define JOINT_LOCKS 47 // bits of the pair (rigid_locks.h)
#define JOINT_FIELDS 48

// quads of a joint as the world gives it to the kernels
#define JOINT_RECORD 7
#define JOINT_RECORD_ENDS 0     // bodies, type, 0
#define JOINT_RECORD_ANCHOR_A 1 // body frame
#define JOINT_RECORD_ANCHOR_B 2
#define JOINT_RECORD_FRAME_A 3 // x y z s
#define JOINT_RECORD_FRAME_B 4
#define JOINT_RECORD_IMPULSE 5
#define JOINT_RECORD_ANGULAR 6

struct JointView {
    f32* position;
    f32* rotation;
    f32* motion;
    f32* inverse_mass;
    f32* joint; // records
    const u32* slots;
    f32* block;
    const f32* split;
    f32* push;
};

/// the inverse of a symmetric positive matrix, times v; zero where it has none
KERNEL_FN real3 sym3_solved(sym3 m, real3 v) {
    real cxx = m.yy * m.zz - m.yz * m.yz, cxy = m.xz * m.yz - m.xy * m.zz, cxz = m.xy * m.yz - m.xz * m.yy;
    real det = (m.xx * cxx + m.xy * cxy) + m.xz * cxz;
    real scale = inverse_or_zero(det);
    sym3 c;
    c.xx = cxx;
    c.xy = cxy;
    c.xz = cxz;
    c.yy = m.xx * m.zz - m.xz * m.xz;
    c.yz = m.xy * m.xz - m.xx * m.yz;
    c.zz = m.xx * m.yy - m.xy * m.xy;
    return sym3_times(c, v) * scale;
}

KERNEL_FN real3 quat_rotated(quat q, real3 v) { return mat3_times(quat_matrix(q), v); }

/// Where a body is locked, a joint to something fixed may meet directions in which nothing answers. With a little on the
/// diagonal the rest can be solved, and an impulse in those moves nothing.
KERNEL_FN sym3 made_solvable(sym3 k, mask locked) {
    real more = pick(locked, 1e-5f * ((k.xx + k.yy) + k.zz), to_real(0.0f));
    k.xx = k.xx + more;
    k.yy = k.yy + more;
    k.zz = k.zz + more;
    return k;
}

/// how the velocity of a shared point answers to an impulse there; `mass`: along each axis
KERNEL_FN sym3 point_response(real3 mass, sym3 ia, real3 ra, sym3 ib, real3 rb) {
    // columns of I r x e, for each axis e
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 ex = make_real3(one, zero, zero), ey = make_real3(zero, one, zero),
          ez = make_real3(zero, zero, one);
    real3 ax = cross3(ra, ex), ay = cross3(ra, ey), az = cross3(ra, ez);
    real3 bx = cross3(rb, ex), by = cross3(rb, ey), bz = cross3(rb, ez);
    real3 iax = sym3_times(ia, ax), iay = sym3_times(ia, ay), iaz = sym3_times(ia, az);
    real3 ibx = sym3_times(ib, bx), iby = sym3_times(ib, by), ibz = sym3_times(ib, bz);
    sym3 k;
    k.xx = mass.x + (dot3(ax, iax) + dot3(bx, ibx));
    k.yy = mass.y + (dot3(ay, iay) + dot3(by, iby));
    k.zz = mass.z + (dot3(az, iaz) + dot3(bz, ibz));
    k.xy = dot3(ay, iax) + dot3(by, ibx);
    k.xz = dot3(az, iax) + dot3(bz, ibx);
    k.yz = dot3(az, iay) + dot3(bz, iby);
    return k;
}

KERNEL_FN quat field_quat(const f32* b, u32 f) {
    return make_quat(field(b, f + 3), field(b, f), field(b, f + 1), field(b, f + 2));
}
KERNEL_FN void set_field_quat(f32* b, u32 f, quat q) {
    set_field3(b, f, make_real3(q.x, q.y, q.z));
    set_field(b, f + 3, q.s);
}

KERNEL_FN void joint_prepare(u32 item, const JointView w, const RigidStep p) {
    f32* b = block_of(w.block, item, JOINT_FIELDS);
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    const lane_indices record = indices_of(pick_whole(there, slot, whole_from(0u)));
    const u32 q = JOINT_RECORD;
    real4 ends = gather_quad(w.joint, record, q, JOINT_RECORD_ENDS);
    whole body_a = pick_whole(there, as_whole(ends.x), whole_from(0u));
    whole body_b = pick_whole(there, as_whole(ends.y), whole_from(0u));
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    quat qa = quat_of(gather_quad(w.rotation, ia, 1, 0)), qb = quat_of(gather_quad(w.rotation, ib, 1, 0));
    set_field_whole(b, JOINT_BODY_A, body_a);
    set_field_whole(b, JOINT_BODY_B, body_b);
    set_field_whole(b, JOINT_SLOT, slot);
    set_field3(b, JOINT_ARM_A, quat_rotated(qa, xyz(gather_quad(w.joint, record, q, JOINT_RECORD_ANCHOR_A))));
    set_field3(b, JOINT_ARM_B, quat_rotated(qb, xyz(gather_quad(w.joint, record, q, JOINT_RECORD_ANCHOR_B))));
    set_field3(b, JOINT_BETWEEN,
               xyz(gather_quad(w.position, ib, 1, 0)) - xyz(gather_quad(w.position, ia, 1, 0)));
    set_field_quat(b, JOINT_FRAME_A,
                   quat_product(qa, quat_of(gather_quad(w.joint, record, q, JOINT_RECORD_FRAME_A))));
    set_field_quat(b, JOINT_FRAME_B,
                   quat_product(qb, quat_of(gather_quad(w.joint, record, q, JOINT_RECORD_FRAME_B))));
    real4 a0 = gather_quad(w.inverse_mass, ia, 2, 0), a1 = gather_quad(w.inverse_mass, ia, 2, 1);
    real4 b0 = gather_quad(w.inverse_mass, ib, 2, 0), b1 = gather_quad(w.inverse_mass, ib, 2, 1);
    set_field_sym3(b, JOINT_INERTIA_A, gather_inertia(a0, a1));
    set_field_sym3(b, JOINT_INERTIA_B, gather_inertia(b0, b1));
    set_field(b, JOINT_MASS_A, a1.z);
    set_field(b, JOINT_MASS_B, b1.z);
    whole locks_a = as_whole(a1.w), locks_b = as_whole(b1.w);
    set_field_whole(b, JOINT_LOCKS,
                    pair_locks(locks_a, locks_b) +
                        pick_whole((locks_a | locks_b) > 7, whole_from(1u << LOCK_SPIN), whole_from(0u)));
    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero);
    set_field_whole(b, JOINT_HOLDS, pick_whole(there, as_whole(ends.z), whole_from(0u)));
    real3 linear = xyz(gather_quad(w.joint, record, q, JOINT_RECORD_IMPULSE));
    real3 angular = xyz(gather_quad(w.joint, record, q, JOINT_RECORD_ANGULAR));
    linear = pick3(there, linear * p.warm_scale, none3);
    angular = pick3(there, angular * p.warm_scale, none3);
    set_field3(b, JOINT_IMPULSE, linear);
    set_field3(b, JOINT_ANGULAR, angular);
    real3 torque = quat_rotated(field_quat(b, JOINT_FRAME_A), angular);
    set_field3(b, JOINT_TORQUE_A, cross3(field3(b, JOINT_ARM_A), linear) + torque);
    set_field3(b, JOINT_TORQUE_B, cross3(field3(b, JOINT_ARM_B), linear) + torque);
}

KERNEL_FN void joint_store_motion(u32 item, const JointView w, real mass_a, real mass_b, lane_indices ia,
                                  lane_indices ib, BodyMotion a, BodyMotion b, BodyMotion a0, BodyMotion b0) {
    ContactFrame f;
    f.mass_a = mass_a;
    f.mass_b = mass_b;
    RigidView v;
    v.motion = w.motion;
    v.push = w.push;
    store_motion(item, v, f, ia, ib, a, b, a0, b0);
}

KERNEL_FN void joint_warm_start(u32 item, const JointView w, const RigidStep p) {
    f32* b = block_of(w.block, item, JOINT_FIELDS);
    const lane_indices ia = indices_of(field_whole(b, JOINT_BODY_A)),
                       ib = indices_of(field_whole(b, JOINT_BODY_B));
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);
    BodyMotion a0 = a, c0 = c;
    real mass_a = field(b, JOINT_MASS_A), mass_b = field(b, JOINT_MASS_B);
    real3 impulse = field3(b, JOINT_IMPULSE);
    a.v = a.v - mass_a * impulse;
    a.w = a.w - sym3_times(field_sym3(b, JOINT_INERTIA_A), field3(b, JOINT_TORQUE_A));
    c.v = c.v + mass_b * impulse;
    c.w = c.w + sym3_times(field_sym3(b, JOINT_INERTIA_B), field3(b, JOINT_TORQUE_B));
    keep_locked(field_whole(b, JOINT_LOCKS), a0, c0, &a, &c);
    joint_store_motion(item, w, mass_a, mass_b, ia, ib, a, c, a0, c0);
    (void)p;
}

KERNEL_FN void joint_sweep(u32 item, u32 bias, const JointView w, const RigidStep p) {
    f32* b = block_of(w.block, item, JOINT_FIELDS);
    const lane_indices ia = indices_of(field_whole(b, JOINT_BODY_A)),
                       ib = indices_of(field_whole(b, JOINT_BODY_B));
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);
    BodyMotion a0 = a, c0 = c;
    real3 moved_a = xyz(gather_quad(w.motion, ia, 4, 2)), moved_b = xyz(gather_quad(w.motion, ib, 4, 2));
    quat turned_a = quat_of(gather_quad(w.motion, ia, 4, 3)),
         turned_b = quat_of(gather_quad(w.motion, ib, 4, 3));
    real mass_a = field(b, JOINT_MASS_A), mass_b = field(b, JOINT_MASS_B);
    sym3 inertia_a = field_sym3(b, JOINT_INERTIA_A), inertia_b = field_sym3(b, JOINT_INERTIA_B);
    sym3 light_a = inertia_a, light_b = inertia_b;
    real light_mass_a = mass_a, light_mass_b = mass_b;
    if (w.split) {
        real pieces_a = gather(w.split, field_whole(b, JOINT_BODY_A)),
             pieces_b = gather(w.split, field_whole(b, JOINT_BODY_B));
        light_a = sym3_scaled(light_a, pieces_a);
        light_b = sym3_scaled(light_b, pieces_b);
        light_mass_a = mass_a * pieces_a;
        light_mass_b = mass_b * pieces_b;
    }
    // the centres answer along free axes only
    const whole locks = field_whole(b, JOINT_LOCKS);
    const mask locked = locks > 0;
    real both_masses = light_mass_a + light_mass_b;
    real3 light = make_real3(both_masses, both_masses, both_masses);
    if (any(locked))
        light = make_real3(
            light_mass_a * unlocked(locks, LOCK_A) + light_mass_b * unlocked(locks, LOCK_B),
            light_mass_a * unlocked(locks, LOCK_A + 1) + light_mass_b * unlocked(locks, LOCK_B + 1),
            light_mass_a * unlocked(locks, LOCK_A + 2) + light_mass_b * unlocked(locks, LOCK_B + 2));
    f32 rate = bias ? p.joint.rate : 0.0f;
    f32 mass_scale = bias ? p.joint.mass_scale : 1.0f;
    f32 impulse_scale = bias ? p.joint.impulse_scale : 0.0f;
    real zero = to_real(0.0f), one = to_real(1.0f);

    whole holds = field_whole(b, JOINT_HOLDS);
    real3 arm_a = quat_rotated(turned_a, field3(b, JOINT_ARM_A)),
          arm_b = quat_rotated(turned_b, field3(b, JOINT_ARM_B));
    real3 torque_a = field3(b, JOINT_TORQUE_A), torque_b = field3(b, JOINT_TORQUE_B);
    if (bias) {
        // the impulses so far act on the arms and axes as they are now
        real3 impulse = field3(b, JOINT_IMPULSE);
        real3 torque =
            quat_rotated(quat_product(turned_a, field_quat(b, JOINT_FRAME_A)), field3(b, JOINT_ANGULAR));
        real3 now_a = cross3(arm_a, impulse) + torque, now_b = cross3(arm_b, impulse) + torque;
        a.w = a.w - sym3_times(inertia_a, now_a - torque_a);
        c.w = c.w + sym3_times(inertia_b, now_b - torque_b);
        torque_a = now_a;
        torque_b = now_b;
    }
    if (any(holds > 0)) {
        quat fa = quat_product(turned_a, field_quat(b, JOINT_FRAME_A)),
             fb = quat_product(turned_b, field_quat(b, JOINT_FRAME_B));
        mat3 ra = quat_matrix(fa), rb = quat_matrix(fb); // columns are the joint's axes
        mask fixed = holds > 1, turns = holds > 0;
        // fixed: the rotation from a's frame to b's; hinge: what turns a's axis to b's
        quat off = quat_product(make_quat(fa.s, -fa.x, -fa.y, -fa.z), fb);
        real side = pick(off.s < 0.0f, to_real(-2.0f), to_real(2.0f));
        real3 axis_a = make_real3(ra.x.z, ra.y.z, ra.z.z), axis_b = make_real3(rb.x.z, rb.y.z, rb.z.z);
        real3 tilt = mat3_transposed_times(ra, cross3(axis_a, axis_b));
        real3 error = pick3(fixed, make_real3(off.x, off.y, off.z) * side, make_real3(tilt.x, tilt.y, zero));
        // rows of ra^T (Ia + Ib) ra
        mat3 rows;
        rows.x = make_real3(ra.x.x, ra.y.x, ra.z.x);
        rows.y = make_real3(ra.x.y, ra.y.y, ra.z.y);
        rows.z = axis_a;
        sym3 k = sym3_rotated(rows, sym3_sum(light_a, light_b));
        if (any(locked)) k = made_solvable(k, locked);
        k.xz = pick(fixed, k.xz, zero);
        k.yz = pick(fixed, k.yz, zero);
        k.zz = pick(fixed, k.zz, one);
        real3 speed = mat3_times(rows, c.w - a.w);
        speed.z = pick(fixed, speed.z, zero);
        real3 old = field3(b, JOINT_ANGULAR);
        real3 change = -(mass_scale * sym3_solved(k, speed + rate * error)) - impulse_scale * old;
        change = pick3(turns, change, make_real3(zero, zero, zero));
        set_field3(b, JOINT_ANGULAR, old + change);
        real3 torque = mat3_times(ra, change);
        a.w = a.w - sym3_times(inertia_a, torque);
        c.w = c.w + sym3_times(inertia_b, torque);
        torque_a = torque_a + torque;
        torque_b = torque_b + torque;
    }

    real3 apart = ((field3(b, JOINT_BETWEEN) + (moved_b - moved_a)) + arm_b) - arm_a;
    real3 speed = (c.v + cross3(c.w, arm_b)) - (a.v + cross3(a.w, arm_a));
    sym3 k = point_response(light, light_a, arm_a, light_b, arm_b);
    if (any(locked)) k = made_solvable(k, locked);
    real3 old = field3(b, JOINT_IMPULSE);
    real3 change = -(mass_scale * sym3_solved(k, speed + rate * apart)) - impulse_scale * old;
    set_field3(b, JOINT_IMPULSE, old + change);
    real3 turn_a = cross3(arm_a, change), turn_b = cross3(arm_b, change);
    a.v = a.v - mass_a * change;
    a.w = a.w - sym3_times(inertia_a, turn_a);
    c.v = c.v + mass_b * change;
    c.w = c.w + sym3_times(inertia_b, turn_b);
    keep_locked(locks, a0, c0, &a, &c);
    set_field3(b, JOINT_TORQUE_A, torque_a + turn_a);
    set_field3(b, JOINT_TORQUE_B, torque_b + turn_b);
    joint_store_motion(item, w, mass_a, mass_b, ia, ib, a, c, a0, c0);
}

KERNEL_FN void joint_store(u32 item, const JointView w) {
    const f32* b = block_of(w.block, item, JOINT_FIELDS);
    whole slot = field_whole(b, JOINT_SLOT);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    real zero = to_real(0.0f);
    scatter_quad(w.joint, record, JOINT_RECORD, JOINT_RECORD_IMPULSE, with_w(field3(b, JOINT_IMPULSE), zero),
                 there);
    scatter_quad(w.joint, record, JOINT_RECORD, JOINT_RECORD_ANGULAR, with_w(field3(b, JOINT_ANGULAR), zero),
                 there);
}
