// SPDX-License-Identifier: MIT
// rigid_joint.h — joints of the soft-step solver.   compiles as: host, lanes, cuda
//
// One formula for all: bounded rows one by one, then the angular rows that are held as a block, then the linear ones
// (rigid_rows.h). Arms and axes turn with the bodies in every substep, and the impulses of the substep before turn with them.

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
#define JOINT_ROWS 34    // rigid_rows.h
#define JOINT_IMPULSE 35 // world
#define JOINT_ANGULAR 38 // along the axes of the first frame
#define JOINT_TORQUE_A                                                                                       \
    41 // what the impulses have turned a and b by so far: lever arms and axes turn, impulses add up
#define JOINT_TORQUE_B 44
#define JOINT_LOCKS 47 // bits of the pair (rigid_locks.h)
#define JOINT_PEAK 48  // squares of the largest impulses so far, linear and angular; of special joints
// of couplings only (rigid_coupling.h)
#define JOINT_COUPLED 50   // the row's impulse
#define JOINT_COUPLED_B 51 // how much more of it b gets than the opposite of a's
#define JOINT_COUPLED_TURNS                                                                                  \
    54 // angles and sum; of a pulley b's centre from its ground, and `between` is a's from its own
#define JOINT_FIELDS 58

// quads of a joint as the world gives it to the kernels
#define JOINT_RECORD 7
#define JOINT_RECORD_ENDS                                                                                    \
    0 // bodies, rows, which of them is the world itself: 0 none, 1 the second, 2 the first
#define JOINT_RECORD_ANCHOR_A 1 // body frame, as a position (exact.h)
#define JOINT_RECORD_ANCHOR_B 2
#define JOINT_RECORD_FRAME_A 3 // x y z s
#define JOINT_RECORD_FRAME_B 4
#define JOINT_RECORD_IMPULSE 5 // fourth word: the largest in a substep, of special joints
#define JOINT_RECORD_ANGULAR 6

struct JointView {
    f32* position;
    f32* rotation;
    f32* motion;
    f32* inverse_mass;
    f32* joint;        // records
    const f32* limits; // of bounded rows; null where no joint has any
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

struct JointPlace_t {
    real3 arm_a, arm_b; // from the centres of mass
    real3 between;      // b's centre from a's
};
typedef struct JointPlace_t JointPlace;

KERNEL_FN real4 pick4(mask m, real4 a, real4 b) {
    return make_real4(pick(m, a.x, b.x), pick(m, a.y, b.y), pick(m, a.z, b.z), pick(m, a.w, b.w));
}

/// Where the anchors of joints are. One in the world itself (`world`, as in the record) counts as that body's centre: far from the origin
/// the arm would round.
KERNEL_FN JointPlace joint_place(const f32* joints, lane_indices record, const f32* positions,
                                 lane_indices ia, lane_indices ib, whole world, quat qa, quat qb) {
    const mask world_a = world == 2, world_b = world == 1;
    real4 anchor_a = gather_quad(joints, record, JOINT_RECORD, JOINT_RECORD_ANCHOR_A);
    real4 anchor_b = gather_quad(joints, record, JOINT_RECORD, JOINT_RECORD_ANCHOR_B);
    real4 at_a = pick4(world_a, anchor_a, gather_quad(positions, ia, 1, 0));
    real4 at_b = pick4(world_b, anchor_b, gather_quad(positions, ib, 1, 0));
    real zero = to_real(0.0f);
    JointPlace place;
    real3 none3 = make_real3(zero, zero, zero);
    place.arm_a = pick3(world_a, none3, quat_rotated(qa, xyz(anchor_a)));
    place.arm_b = pick3(world_b, none3, quat_rotated(qb, xyz(anchor_b)));
    place.between = position_between(at_a, at_b);
    return place;
}

/// joints of the block, to read their records and limits
KERNEL_FN lane_indices block_joints(const f32* b) {
    const whole slot = field_whole(b, JOINT_SLOT);
    return indices_of(pick_whole(slot >= 0, slot, whole_from(0u)));
}
KERNEL_FN real coupling_ratio(const f32* limits, lane_indices joint) {
    return gather_quad(limits, joint, JOINT_LIMITS, COUPLING_RATIO).x;
}

/// a body's centre from the ground of its end of a pulley's rope; that of the world itself is the anchor
KERNEL_FN real3 from_ground(const f32* joints, const f32* limits, const f32* positions, lane_indices joint,
                            u32 side, whole body) {
    const whole world = as_whole(gather_quad(joints, joint, JOINT_RECORD, JOINT_RECORD_ENDS).w);
    real4 ground = gather_quad(limits, joint, JOINT_LIMITS, COUPLING_GROUND + side);
    real4 anchor = gather_quad(joints, joint, JOINT_RECORD, JOINT_RECORD_ANCHOR_A + side);
    real4 at = gather_quad(positions, indices_of(body), 1, 0);
    return position_between(ground, pick4(world == (side ? 1 : 2), anchor, at));
}

/// where couplings of the block are, from their poses at the step's beginning moved and turned by this
KERNEL_FN real coupling_in_block(const f32* b, const f32* limits, mask known, real3 moved_a, quat turned_a,
                                 real3 moved_b, quat turned_b, PRIVATE Coupling* c,
                                 PRIVATE CouplingTurns* t) {
    const whole rows = field_whole(b, JOINT_ROWS);
    const real ratio = coupling_ratio(limits, block_joints(b));
    const real3 arm_a = quat_rotated(turned_a, field3(b, JOINT_ARM_A)),
                arm_b = quat_rotated(turned_b, field3(b, JOINT_ARM_B)), between = field3(b, JOINT_BETWEEN);
    coupling_reach(c, rows, ratio, quat_product(turned_a, field_quat(b, JOINT_FRAME_A)),
                   quat_product(turned_b, field_quat(b, JOINT_FRAME_B)),
                   ((between + (moved_b - moved_a)) + arm_b) - arm_a, (between + moved_a) + arm_a,
                   (field3(b, JOINT_COUPLED_TURNS) + moved_b) + arm_b, arm_a, arm_b);
    // the centres answer along free axes only
    const whole locks = field_whole(b, JOINT_LOCKS);
    c->linear_a = unlocked3(locks, LOCK_A, c->linear_a);
    c->linear_b = unlocked3(locks, LOCK_B, c->linear_b);
    t->angle_a = field(b, JOINT_COUPLED_TURNS);
    t->angle_b = field(b, JOINT_COUPLED_TURNS + 1);
    t->sum = make_exact(field(b, JOINT_COUPLED_TURNS + 2), field(b, JOINT_COUPLED_TURNS + 3));
    return coupling_at(rows, c, ratio, known, t);
}

/// The row's impulse, for the next substep to begin with.
KERNEL_FN void set_coupled(f32* b, mask coupled, PRIVATE const Coupling* c, PRIVATE const CouplingTurns* t,
                           real impulse) {
    const mask turns = both(coupled, (field_whole(b, JOINT_ROWS) & ROWS_PULLEY) == 0);
    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero), on_a = c->linear_a * -impulse;
    set_field(b, JOINT_COUPLED, impulse);
    set_field3(b, JOINT_IMPULSE, pick3(coupled, on_a, field3(b, JOINT_IMPULSE)));
    set_field3(b, JOINT_COUPLED_B, pick3(turns, none3, c->linear_b * impulse - on_a));
    set_field3(b, JOINT_ANGULAR,
               pick3(coupled, make_real3(pick(turns, impulse, zero), zero, zero), field3(b, JOINT_ANGULAR)));
    if (!any(turns)) return;
    set_field(b, JOINT_COUPLED_TURNS, pick(turns, t->angle_a, field(b, JOINT_COUPLED_TURNS)));
    set_field(b, JOINT_COUPLED_TURNS + 1, pick(turns, t->angle_b, field(b, JOINT_COUPLED_TURNS + 1)));
    set_field(b, JOINT_COUPLED_TURNS + 2, pick(turns, t->sum.high, field(b, JOINT_COUPLED_TURNS + 2)));
    set_field(b, JOINT_COUPLED_TURNS + 3, t->sum.low);
}

KERNEL_RARE void joint_prepare_coupled(f32* b, const JointView w, const RigidStep p) {
    const lane_indices joint = block_joints(b);
    const whole rows = field_whole(b, JOINT_ROWS);
    const mask coupled = (rows & ROWS_COUPLED) != 0, pulley = (rows & ROWS_PULLEY) != 0;
    real4 linear = gather_quad(w.joint, joint, JOINT_RECORD, JOINT_RECORD_IMPULSE);
    real4 angular = gather_quad(w.joint, joint, JOINT_RECORD, JOINT_RECORD_ANGULAR);
    const real3 rope_a = from_ground(w.joint, w.limits, w.position, joint, 0, field_whole(b, JOINT_BODY_A)),
                rope_b = from_ground(w.joint, w.limits, w.position, joint, 1, field_whole(b, JOINT_BODY_B));
    set_field3(b, JOINT_BETWEEN, pick3(pulley, rope_a, field3(b, JOINT_BETWEEN)));
    set_field3(b, JOINT_COUPLED_TURNS, pick3(pulley, rope_b, make_real3(linear.y, linear.z, angular.x)));
    set_field(b, JOINT_COUPLED_TURNS + 3, angular.y);
    set_field_whole(b, JOINT_LOCKS,
                    field_whole(b, JOINT_LOCKS) +
                        pick_whole(pulley, whole_from(1u << LOCK_ROPE), whole_from(0u)));

    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero);
    const quat level = make_quat(to_real(1.0f), zero, zero, zero);
    Coupling c;
    CouplingTurns t;
    coupling_in_block(b, w.limits, angular.z != 0.0f, none3, level, none3, level, &c, &t);
    const real impulse = pick(coupled, linear.x * p.warm_scale, zero);
    set_coupled(b, coupled, &c, &t, impulse);
    set_field3(b, JOINT_TORQUE_A, pick3(coupled, c.angular_a * -impulse, field3(b, JOINT_TORQUE_A)));
    set_field3(b, JOINT_TORQUE_B, pick3(coupled, c.angular_b * impulse, field3(b, JOINT_TORQUE_B)));
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
    const JointPlace place = joint_place(w.joint, record, w.position, ia, ib, as_whole(ends.w), qa, qb);
    set_field3(b, JOINT_ARM_A, place.arm_a);
    set_field3(b, JOINT_ARM_B, place.arm_b);
    set_field3(b, JOINT_BETWEEN, place.between);
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
    set_field_whole(b, JOINT_ROWS, pick_whole(there, as_whole(ends.z), whole_from(ROWS_POINT)));
    real3 linear = xyz(gather_quad(w.joint, record, q, JOINT_RECORD_IMPULSE));
    real3 angular = xyz(gather_quad(w.joint, record, q, JOINT_RECORD_ANGULAR));
    linear = pick3(there, linear * p.warm_scale, none3);
    angular = pick3(there, angular * p.warm_scale, none3);
    set_field3(b, JOINT_IMPULSE, linear);
    set_field3(b, JOINT_ANGULAR, angular);
    set_field(b, JOINT_PEAK, none3.x);
    set_field(b, JOINT_PEAK + 1, none3.x);
    real3 torque = quat_rotated(field_quat(b, JOINT_FRAME_A), angular);
    set_field3(b, JOINT_TORQUE_A, cross3(field3(b, JOINT_ARM_A), linear) + torque);
    set_field3(b, JOINT_TORQUE_B, cross3(field3(b, JOINT_ARM_B), linear) + torque);
    if (any((field_whole(b, JOINT_ROWS) & ROWS_COUPLED) != 0)) joint_prepare_coupled(b, w, p);
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
    const whole locks = field_whole(b, JOINT_LOCKS);
    if (any(locks > 0)) {
        c.v = pick3((locks & (1 << LOCK_ROPE)) != 0, c.v + mass_b * field3(b, JOINT_COUPLED_B), c.v);
        keep_locked(locks, a0, c0, &a, &c);
    }
    joint_store_motion(item, w, mass_a, mass_b, ia, ib, a, c, a0, c0);
    (void)p;
}

/// data of the two bodies in a visit; `light` masses are those of split bodies
struct JointPair_t {
    BodyMotion a, c;
    real3 arm_a, arm_b, apart, torque_a, torque_b;
    real mass_a, mass_b, light_mass_a, light_mass_b;
    sym3 inertia_a, inertia_b, light_a, light_b;
    real3 light; // along the axes of the world
    whole rows;
    mask own, slides, locked; // special; with linear rows of its own; not free to move along some axis
};
typedef struct JointPair_t JointPair;

/// Impulses so far act along the rows as they are now.
KERNEL_RARE void joint_turn_impulses(PRIVATE JointPair* j, f32* b, const PRIVATE JointReach* r) {
    real3 linear = field3(b, JOINT_IMPULSE), angular = field3(b, JOINT_ANGULAR);
    real3 kept = pick3(j->slides, kept_by_rows(j->rows, 0, r->linear, linear), linear);
    j->a.v = pick3(j->own, j->a.v - j->mass_a * (kept - linear), j->a.v);
    j->c.v = pick3(j->own, j->c.v + j->mass_b * (kept - linear), j->c.v);
    set_field3(b, JOINT_IMPULSE, kept);
    set_field3(b, JOINT_ANGULAR, pick3(j->own, kept_by_rows(j->rows, 3, r->local, angular), angular));
}

/// The impulse of a bounded row: that of its drive, and as much more or less as keeps it in its range. `inverse`: of the
/// row's response; `soft`: how the row comes back into its range.
KERNEL_FN real bounded_impulse(RowBounds r, real at, real speed, real old, real inverse, RigidSoftness soft,
                               f32 inv_h) {
    real driven = old - (r.mass_scale * (inverse * ((speed - r.speed) + r.rate * (at - r.target))) +
                         r.impulse_scale * old);
    driven = clamped(driven, -r.most, r.most);
    const mask range = r.low < r.high;
    const mask above = both(range, at > r.low), below = both(range, at < r.high);
    real one = to_real(1.0f), zero = to_real(0.0f);
    real to_low = inverse * (speed - end_speed(at - r.low, above, inv_h, soft.rate));
    real to_high = inverse * (speed - end_speed(at - r.high, below, inv_h, soft.rate));
    real least_impulse = old - (pick(above, one, to_real(soft.mass_scale)) * to_low +
                                pick(above, zero, to_real(soft.impulse_scale)) * old);
    real most_impulse = old - (pick(below, one, to_real(soft.mass_scale)) * to_high +
                               pick(below, zero, to_real(soft.impulse_scale)) * old);
    return clamped(driven, least_impulse, most_impulse);
}

KERNEL_RARE void joint_bounded_rows(PRIVATE JointPair* j, f32* b, const PRIVATE JointReach* r,
                                    const f32* limits, RigidSoftness soft, const RigidStep p) {
    const whole slot = field_whole(b, JOINT_SLOT);
    const lane_indices joint = indices_of(pick_whole(slot >= 0, slot, whole_from(0u)));
    real one = to_real(1.0f);
    const real at[ROWS_OF_JOINT] = {r->apart.x, r->apart.y, r->apart.z, r->angle.x, r->angle.y, r->angle.z};
    const real3 axis[ROWS_OF_JOINT] = {r->linear.x,  r->linear.y,  r->linear.z,
                                       r->angular.x, r->angular.y, r->angular.z};
    const real3 local[3] = {r->local.x, r->local.y, r->local.z};
    for (u32 k = 0; k < ROWS_OF_JOINT; ++k) {
        const mask bounded = row_bounded(j->rows, k);
        if (!any(bounded)) continue;
        const bool linear = k < 3;
        real3 l = axis[k], turn_a = l, turn_b = l;
        if (linear) {
            turn_a = cross3(j->arm_a, l);
            turn_b = cross3(j->arm_b, l);
        }
        real speed = dot3(turn_b, j->c.w) - dot3(turn_a, j->a.w);
        real response =
            dot3(turn_a, sym3_times(j->light_a, turn_a)) + dot3(turn_b, sym3_times(j->light_b, turn_b));
        const u32 place = linear ? JOINT_IMPULSE : JOINT_ANGULAR;
        real3 held = field3(b, place), along = linear ? l : local[k - 3];
        if (linear) {
            speed = dot3(l, j->c.v - j->a.v) + speed;
            response = dot3(l, scaled3(j->light, l)) + response;
        }
        real old = dot3(along, held);
        const RowBounds bounds = row_bounds(limits, joint, k, k == 5 ? r->stretch : one, p.h);
        real change =
            bounded_impulse(bounds, at[k], speed, old, inverse_or_zero(response), soft, p.inv_h) - old;
        // adding 0 would make 0 of the -0 of a joint whose row is not bounded
        set_field3(b, place, pick3(bounded, held + along * change, held));
        turn_a = turn_a * change;
        turn_b = turn_b * change;
        if (linear) {
            j->a.v = pick3(bounded, j->a.v - (j->mass_a * change) * l, j->a.v);
            j->c.v = pick3(bounded, j->c.v + (j->mass_b * change) * l, j->c.v);
        }
        j->a.w = pick3(bounded, j->a.w - sym3_times(j->inertia_a, turn_a), j->a.w);
        j->c.w = pick3(bounded, j->c.w + sym3_times(j->inertia_b, turn_b), j->c.w);
        j->torque_a = pick3(bounded, j->torque_a + turn_a, j->torque_a);
        j->torque_b = pick3(bounded, j->torque_b + turn_b, j->torque_b);
    }
}

/// The row of gears, racks and pulleys. Common code has taken back the impulse so far: axes and arms have turned.
KERNEL_RARE void joint_coupled_row(PRIVATE JointPair* j, f32* b, u32 bias, real3 moved_a, quat turned_a,
                                   real3 moved_b, quat turned_b, const f32* limits, RigidSoftness soft,
                                   const RigidStep p) {
    const mask coupled = (field_whole(b, JOINT_ROWS) & ROWS_COUPLED) != 0;
    Coupling c;
    CouplingTurns t;
    const real at = coupling_in_block(b, limits, coupled, moved_a, turned_a, moved_b, turned_b, &c, &t);
    BodyMotion a = j->a, d = j->c;
    const real old = field(b, JOINT_COUPLED);
    const real3 answer_a = sym3_times(j->inertia_a, c.angular_a),
                answer_b = sym3_times(j->inertia_b, c.angular_b);
    if (bias) {
        a.v = a.v + (j->mass_a * old) * c.linear_a;
        a.w = a.w + answer_a * old;
        d.v = (d.v - j->mass_b * field3(b, JOINT_COUPLED_B)) + (j->mass_b * old) * c.linear_b;
        d.w = d.w + answer_b * old;
    }
    const real speed =
        (dot3(c.linear_a, a.v) + dot3(c.angular_a, a.w)) + (dot3(c.linear_b, d.v) + dot3(c.angular_b, d.w));
    const real response = (j->light_mass_a * dot3(c.linear_a, c.linear_a) +
                           dot3(c.angular_a, sym3_times(j->light_a, c.angular_a))) +
                          (j->light_mass_b * dot3(c.linear_b, c.linear_b) +
                           dot3(c.angular_b, sym3_times(j->light_b, c.angular_b)));
    const RowBounds bounds = row_bounds(limits, block_joints(b), 0, to_real(1.0f), p.h);
    const real now = bounded_impulse(bounds, at, speed, old, inverse_or_zero(response), soft, p.inv_h);
    const real change = now - old, turned = bias ? now : change;
    j->a.v = pick3(coupled, a.v + (j->mass_a * change) * c.linear_a, j->a.v);
    j->a.w = pick3(coupled, a.w + answer_a * change, j->a.w);
    j->c.v = pick3(coupled, d.v + (j->mass_b * change) * c.linear_b, j->c.v);
    j->c.w = pick3(coupled, d.w + answer_b * change, j->c.w);
    j->torque_a = pick3(coupled, j->torque_a - c.angular_a * turned, j->torque_a);
    j->torque_b = pick3(coupled, j->torque_b + c.angular_b * turned, j->torque_b);
    set_coupled(b, coupled, &c, &t, now);
}

/// the angular rows that are held, together
KERNEL_FN void joint_held_turns(PRIVATE JointPair* j, f32* b, JointTurns t, bool special,
                                const PRIVATE JointReach* r, RigidSoftness soft) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    const mask turns = (j->rows & ROWS_TURNS) != 0, twists = row_held(j->rows, 5);
    if (special) {
        t.axes = pick_mat3(j->own, r->angular, t.axes);
        t.error = pick3(j->own, r->angle, t.error);
    }
    sym3 k = sym3_rotated(t.axes, sym3_sum(j->light_a, j->light_b));
    if (any(j->locked)) k = made_solvable(k, j->locked);
    k.xz = pick(twists, k.xz, zero);
    k.yz = pick(twists, k.yz, zero);
    k.zz = pick(twists, k.zz, one);
    real3 speed = mat3_times(t.axes, j->c.w - j->a.w);
    speed.z = pick(twists, speed.z, zero);
    real3 old = field3(b, JOINT_ANGULAR), held = old, wanted = speed + soft.rate * t.error;
    if (special) {
        k = held_block(j->rows, 3, k);
        wanted = held3(j->rows, 3, wanted);
        held = pick3(j->own, held3(j->rows, 3, mat3_times(r->local, old)), old);
    }
    real3 change = -(soft.mass_scale * sym3_solved(k, wanted)) - soft.impulse_scale * held;
    real3 along = change; // the axes of the first frame
    if (special) {
        change = pick3(j->own, held3(j->rows, 3, change), change);
        along = pick3(j->own, mat3_transposed_times(r->local, change), change);
    }
    // others of the block, which hold no turns, keep all as it is: also the signs of zeros
    set_field3(b, JOINT_ANGULAR, pick3(turns, old + along, old));
    real3 torque = mat3_transposed_times(t.axes, change);
    j->a.w = pick3(turns, j->a.w - sym3_times(j->inertia_a, torque), j->a.w);
    j->c.w = pick3(turns, j->c.w + sym3_times(j->inertia_b, torque), j->c.w);
    j->torque_a = pick3(turns, j->torque_a + torque, j->torque_a);
    j->torque_b = pick3(turns, j->torque_b + torque, j->torque_b);
}

/// the linear rows that are held, together
KERNEL_FN void joint_held_point(PRIVATE JointPair* j, f32* b, bool special, const PRIVATE JointReach* r,
                                RigidSoftness soft) {
    real3 speed = (j->c.v + cross3(j->c.w, j->arm_b)) - (j->a.v + cross3(j->a.w, j->arm_a));
    sym3 k = point_response(j->light, j->light_a, j->arm_a, j->light_b, j->arm_b);
    if (any(j->locked)) k = made_solvable(k, j->locked);
    real3 old = field3(b, JOINT_IMPULSE), held = old, wanted = speed + soft.rate * j->apart;
    if (special) {
        real3 along = mat3_times(r->linear, speed) + soft.rate * r->apart;
        k = pick_sym3(j->slides, held_block(j->rows, 0, sym3_rotated(r->linear, k)), k);
        wanted = pick3(j->slides, held3(j->rows, 0, along), wanted);
        held = pick3(j->slides, held3(j->rows, 0, mat3_times(r->linear, old)), old);
    }
    real3 change = -(soft.mass_scale * sym3_solved(k, wanted)) - soft.impulse_scale * held;
    if (special)
        change = pick3(j->slides, mat3_transposed_times(r->linear, held3(j->rows, 0, change)), change);
    set_field3(b, JOINT_IMPULSE, old + change);
    real3 turn_a = cross3(j->arm_a, change), turn_b = cross3(j->arm_b, change);
    j->a.v = j->a.v - j->mass_a * change;
    j->a.w = j->a.w - sym3_times(j->inertia_a, turn_a);
    j->c.v = j->c.v + j->mass_b * change;
    j->c.w = j->c.w + sym3_times(j->inertia_b, turn_b);
    j->torque_a = j->torque_a + turn_a;
    j->torque_b = j->torque_b + turn_b;
}

/// Impulses of a substep are known when it has been relaxed.
KERNEL_FN void joint_note_peak(f32* b) {
    real3 linear = field3(b, JOINT_IMPULSE), angular = field3(b, JOINT_ANGULAR);
    real most = to_real(1e38f);
    set_field(b, JOINT_PEAK, least(greatest(field(b, JOINT_PEAK), dot3(linear, linear)), most));
    set_field(b, JOINT_PEAK + 1, least(greatest(field(b, JOINT_PEAK + 1), dot3(angular, angular)), most));
}

/// `special`: some of the block are; constant, so that common joints pay nothing for others
KERNEL_FN void joint_sweep_rows(u32 item, u32 bias, bool special, const JointView w, const RigidStep p) {
    f32* b = block_of(w.block, item, JOINT_FIELDS);
    const lane_indices ia = indices_of(field_whole(b, JOINT_BODY_A)),
                       ib = indices_of(field_whole(b, JOINT_BODY_B));
    JointPair j;
    j.a = motion_of(w.motion, ia, 4);
    j.c = motion_of(w.motion, ib, 4);
    const BodyMotion a0 = j.a, c0 = j.c;
    real3 moved_a = xyz(gather_quad(w.motion, ia, 4, 2)), moved_b = xyz(gather_quad(w.motion, ib, 4, 2));
    quat turned_a = quat_of(gather_quad(w.motion, ia, 4, 3)),
         turned_b = quat_of(gather_quad(w.motion, ib, 4, 3));
    j.mass_a = field(b, JOINT_MASS_A);
    j.mass_b = field(b, JOINT_MASS_B);
    j.inertia_a = field_sym3(b, JOINT_INERTIA_A);
    j.inertia_b = field_sym3(b, JOINT_INERTIA_B);
    j.light_a = j.inertia_a;
    j.light_b = j.inertia_b;
    j.light_mass_a = j.mass_a;
    j.light_mass_b = j.mass_b;
    if (w.split) {
        real pieces_a = gather(w.split, field_whole(b, JOINT_BODY_A)),
             pieces_b = gather(w.split, field_whole(b, JOINT_BODY_B));
        j.light_a = sym3_scaled(j.light_a, pieces_a);
        j.light_b = sym3_scaled(j.light_b, pieces_b);
        j.light_mass_a = j.mass_a * pieces_a;
        j.light_mass_b = j.mass_b * pieces_b;
    }
    // the centres answer along free axes only
    const whole locks = field_whole(b, JOINT_LOCKS);
    j.locked = locks > 0;
    real both_masses = j.light_mass_a + j.light_mass_b;
    j.light = make_real3(both_masses, both_masses, both_masses);
    if (any(j.locked))
        j.light = make_real3(
            j.light_mass_a * unlocked(locks, LOCK_A) + j.light_mass_b * unlocked(locks, LOCK_B),
            j.light_mass_a * unlocked(locks, LOCK_A + 1) + j.light_mass_b * unlocked(locks, LOCK_B + 1),
            j.light_mass_a * unlocked(locks, LOCK_A + 2) + j.light_mass_b * unlocked(locks, LOCK_B + 2));
    RigidSoftness soft = p.joint;
    if (!bias) soft.rate = 0.0f, soft.mass_scale = 1.0f, soft.impulse_scale = 0.0f;

    j.rows = field_whole(b, JOINT_ROWS);
    // couplings have none of these rows
    const bool coupled = special && any((j.rows & ROWS_COUPLED) != 0);
    if (coupled) j.rows = pick_whole((j.rows & ROWS_COUPLED) != 0, whole_from(ROWS_SPECIAL), j.rows);
    j.own = j.rows >= ROWS_SPECIAL;
    j.slides = (j.rows & ROWS_POINT) != ROWS_POINT;
    j.arm_a = quat_rotated(turned_a, field3(b, JOINT_ARM_A));
    j.arm_b = quat_rotated(turned_b, field3(b, JOINT_ARM_B));
    j.apart = ((field3(b, JOINT_BETWEEN) + (moved_b - moved_a)) + j.arm_b) - j.arm_a;
    j.torque_a = field3(b, JOINT_TORQUE_A);
    j.torque_b = field3(b, JOINT_TORQUE_B);
    const bool turns = any((j.rows & ROWS_TURNS) != 0);
    quat fa = make_quat(to_real(1.0f), to_real(0.0f), to_real(0.0f), to_real(0.0f));
    if (bias || turns || special) fa = quat_product(turned_a, field_quat(b, JOINT_FRAME_A));

    JointReach reach; // of special joints only
    if (special) {
        joint_reach(&reach, j.rows, fa, quat_product(turned_b, field_quat(b, JOINT_FRAME_B)), j.apart);
        // what slides pulls the first body where the second one's anchor is
        j.arm_a = pick3(j.slides, j.arm_a + j.apart, j.arm_a);
        if (bias) joint_turn_impulses(&j, b, &reach);
    }
    if (bias) {
        // the impulses so far act on the arms and axes as they are now
        real3 impulse = field3(b, JOINT_IMPULSE);
        real3 angular = field3(b, JOINT_ANGULAR), torque = quat_rotated(fa, angular);
        if (special)
            torque =
                pick3((j.rows & ROWS_GIMBAL) != 0, mat3_transposed_times(reach.angular, angular), torque);
        real3 now_a = cross3(j.arm_a, impulse) + torque, now_b = cross3(j.arm_b, impulse) + torque;
        j.a.w = j.a.w - sym3_times(j.inertia_a, now_a - j.torque_a);
        j.c.w = j.c.w + sym3_times(j.inertia_b, now_b - j.torque_b);
        j.torque_a = now_a;
        j.torque_b = now_b;
    }
    if (special) joint_bounded_rows(&j, b, &reach, w.limits, soft, p);
    if (coupled) joint_coupled_row(&j, b, bias, moved_a, turned_a, moved_b, turned_b, w.limits, soft, p);
    if (turns) {
        quat fb = quat_product(turned_b, field_quat(b, JOINT_FRAME_B));
        joint_held_turns(&j, b, joint_turns(fa, fb, j.rows), special, &reach, soft);
    }
    joint_held_point(&j, b, special, &reach, soft);
    if (special && !bias) joint_note_peak(b);
    keep_locked(locks, a0, c0, &j.a, &j.c);
    set_field3(b, JOINT_TORQUE_A, j.torque_a);
    set_field3(b, JOINT_TORQUE_B, j.torque_b);
    joint_store_motion(item, w, j.mass_a, j.mass_b, ia, ib, j.a, j.c, a0, c0);
}

KERNEL_RARE void joint_sweep_special(u32 item, u32 bias, const JointView w, const RigidStep p) {
    joint_sweep_rows(item, bias, true, w, p);
}
KERNEL_FN void joint_sweep(u32 item, u32 bias, const JointView w, const RigidStep p) {
    const whole rows = field_whole(block_of(w.block, item, JOINT_FIELDS), JOINT_ROWS);
    if (any(rows >= ROWS_SPECIAL)) joint_sweep_special(item, bias, w, p);
    else joint_sweep_rows(item, bias, false, w, p);
}

KERNEL_FN void joint_store(u32 item, const JointView w) {
    const f32* b = block_of(w.block, item, JOINT_FIELDS);
    whole slot = field_whole(b, JOINT_SLOT);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    const mask special = field_whole(b, JOINT_ROWS) >= ROWS_SPECIAL;
    real zero = to_real(0.0f);
    real3 linear = field3(b, JOINT_IMPULSE), angular = field3(b, JOINT_ANGULAR);
    const whole coupled = field_whole(b, JOINT_ROWS) & ROWS_COUPLED;
    if (any(coupled != 0)) {
        const mask turns = both(coupled != 0, coupled != ROWS_PULLEY);
        const real3 turned = pick3(turns, field3(b, JOINT_COUPLED_TURNS), make_real3(zero, zero, zero));
        const real rest = pick(turns, field(b, JOINT_COUPLED_TURNS + 3), zero);
        linear = pick3(coupled != 0, make_real3(field(b, JOINT_COUPLED), turned.x, turned.y), linear);
        angular = pick3(coupled != 0, make_real3(turned.z, rest, to_real(COUPLING_COUNTS)), angular);
    }
    scatter_quad(w.joint, record, JOINT_RECORD, JOINT_RECORD_IMPULSE,
                 with_w(linear, pick(special, root(field(b, JOINT_PEAK)), zero)), there);
    scatter_quad(w.joint, record, JOINT_RECORD, JOINT_RECORD_ANGULAR,
                 with_w(angular, pick(special, root(field(b, JOINT_PEAK + 1)), zero)), there);
}
