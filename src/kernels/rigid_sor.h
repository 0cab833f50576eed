// SPDX-License-Identifier: MIT
// rigid_sor.h — rows of the projected SOR solver.   compiles as: host, lanes, cuda
//
// After M. A. Peres (2008) and K. Erleben (2004): a mixed complementarity problem over impulses x, posed at velocity level,
//     w = (J M^-1 J^T + cfm/dt) x - rhs,   x = low => w >= 0,   x = high => w <= 0,   low < x < high => w = 0.
// Its matrix is never formed: V' = M^-1 J^T x, the change of velocity by constraints, is kept for each body, and a visit to a
// row reads and changes V' of its two bodies only. cfm/dt is what the ODE library calls cfm: the inverse of a spring's
// stiffness times dt, so that cfm = 1/(dt k_p + k_d).
//
// Contacts and joints share one record of a row. An item (one contact or one joint) is a head and its rows: of a contact
// normal, first and second tangent for each point; of a joint the shared point along x, y, z and then the joint's axes.
// Impulses push the second body, their opposites the first. Each function handles one block: as many items as there are
// lanes, no two of them with the same moving body.

// fields of an item's head
#define SOR_BODY_A 0
#define SOR_BODY_B 1
#define SOR_SLOT 2      // in the list of contacts or joints; -1 in a lane without one
#define SOR_INERTIA_A 3 // inverse, world
#define SOR_INERTIA_B 9
#define SOR_MASS_A 15 // inverse
#define SOR_MASS_B 16
#define SOR_FRICTION 17 // of a contact
#define SOR_ROWS 17     // of a joint: rigid_rows.h
#define SOR_LOCKS 18    // bits of the pair (rigid_locks.h)
#define SOR_HEAD 19

// fields of a row
#define ROW_LINEAR_A 0 // J, twelve numbers
#define ROW_ANGULAR_A 3
#define ROW_LINEAR_B 6
#define ROW_ANGULAR_B 9
#define ROW_RHS 12 // first the velocity that is wanted, then less the one that forces alone would give
#define ROW_CFM 13 // divided by dt
#define ROW_LOW 14
#define ROW_HIGH 15
#define ROW_IMPULSE 16 // x
#define ROW_SCALE 17   // omega / A_ii; 0 of a row that holds nothing
#define ROW_BOUNCE 17  // of a normal row, before its scale is known: the speed that restitution wants
#define ROW_FIELDS 18

// fields of a joint's bounded row, behind its rows
#define LIMIT_LOW 0 // speeds that keep it in its range, less the one that forces alone would give
#define LIMIT_HIGH 1
#define LIMIT_SCALE 2
#define LIMIT_CFM 3
#define LIMIT_FIELDS 4
#define SOR_LIMITS (SOR_HEAD + ROWS_OF_JOINT * ROW_FIELDS)
#define SOR_TURNS                                                                                            \
    (SOR_LIMITS + ROWS_OF_JOINT * LIMIT_FIELDS) // of couplings: angles and sum (rigid_coupling.h)
#define SOR_JOINT_FIELDS (SOR_TURNS + 4)
/// fields of an item with these rows
#define SOR_FIELDS(rows, contact) ((contact) ? SOR_HEAD + (rows) * ROW_FIELDS : SOR_JOINT_FIELDS)

/// a run of items of one colour and one number of rows
struct SorView {
    const f32* position;
    const f32* rotation;
    const f32* motion; // at first of the step's beginning, then with forces applied
    f32*
        change; // V': two quads for each body; the fourth word is 1 while the body is awake. Zero between steps
    const f32* inverse_mass;
    f32* record;       // of contacts or joints
    const f32* limits; // of joints' bounded rows; null where no joint has any
    const u32* slots;  // padded with 0xffffffff to whole blocks
    f32* rows;         // of the run
    const f32* split;  // overflow: how many pieces each body is split into; null elsewhere
    f32* push;         // overflow: changes of V', four quads for each item; null elsewhere
    // groups (rigid_groups.h): the pushes of all items, and in which of them an item's group keeps what it did to body a and b;
    // null elsewhere
    f32* pool;
    const u32 *piece_a, *piece_b;
    f32*
        asked; // of an item: the largest change of velocity that its rows asked for; null: nobody wants to know
    u32 apart; // as in SorStep
};

/// masses as rows need them
struct SorMasses_t {
    real mass_a, mass_b;
    sym3 inertia_a, inertia_b;
};
typedef struct SorMasses_t SorMasses;

KERNEL_FN SorMasses sor_masses(const f32* b) {
    SorMasses m;
    m.mass_a = field(b, SOR_MASS_A);
    m.mass_b = field(b, SOR_MASS_B);
    m.inertia_a = field_sym3(b, SOR_INERTIA_A);
    m.inertia_b = field_sym3(b, SOR_INERTIA_B);
    return m;
}

KERNEL_FN void sor_head(f32* b, whole slot, whole body_a, whole body_b, const SorView w) {
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    real4 a0 = gather_quad(w.inverse_mass, ia, 2, 0), a1 = gather_quad(w.inverse_mass, ia, 2, 1);
    real4 b0 = gather_quad(w.inverse_mass, ib, 2, 0), b1 = gather_quad(w.inverse_mass, ib, 2, 1);
    // sleeping bodies are fixed, so several items of a colour may share one
    real awake_a = gather_quad(w.change, ia, 2, 0).w, awake_b = gather_quad(w.change, ib, 2, 0).w;
    set_field_whole(b, SOR_BODY_A, body_a);
    set_field_whole(b, SOR_BODY_B, body_b);
    set_field_whole(b, SOR_SLOT, slot);
    set_field_sym3(b, SOR_INERTIA_A, sym3_scaled(gather_inertia(a0, a1), awake_a));
    set_field_sym3(b, SOR_INERTIA_B, sym3_scaled(gather_inertia(b0, b1), awake_b));
    set_field(b, SOR_MASS_A, a1.z * awake_a);
    set_field(b, SOR_MASS_B, b1.z * awake_b);
    set_field_whole(b, SOR_LOCKS, pair_locks(as_whole(a1.w), as_whole(b1.w)));
}

/// a row along l at the ends of two arms; `linear` 0 makes it one of rotation about l
KERNEL_FN void sor_row(f32* row, u32 linear, real3 l, real3 arm_a, real3 arm_b, real wanted, real low,
                       real high, f32 cfm) {
    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero);
    set_field3(row, ROW_LINEAR_A, linear ? -l : none3);
    set_field3(row, ROW_ANGULAR_A, linear ? -cross3(arm_a, l) : -l);
    set_field3(row, ROW_LINEAR_B, linear ? l : none3);
    set_field3(row, ROW_ANGULAR_B, linear ? cross3(arm_b, l) : l);
    set_field(row, ROW_RHS, wanted);
    set_field(row, ROW_CFM, to_real(cfm));
    set_field(row, ROW_LOW, low);
    set_field(row, ROW_HIGH, high);
    set_field(row, ROW_IMPULSE, zero);
    set_field(row, ROW_SCALE, zero);
}

/// J v
KERNEL_FN real row_speed(const f32* row, BodyMotion a, BodyMotion b) {
    return (dot3(field3(row, ROW_LINEAR_A), a.v) + dot3(field3(row, ROW_ANGULAR_A), a.w)) +
           (dot3(field3(row, ROW_LINEAR_B), b.v) + dot3(field3(row, ROW_ANGULAR_B), b.w));
}

/// from the record of each contact and the poses of its bodies to rows; velocities are those of the step's beginning
KERNEL_FN void sor_contact_assemble(u32 item, u32 points, const SorView w, const SorStep p) {
    f32* b = block_of(w.rows, item, SOR_HEAD + 3 * points * ROW_FIELDS);
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    real zero = to_real(0.0f), one = to_real(1.0f);
    const lane_indices record = indices_of(pick_whole(there, slot, whole_from(0u)));
    const u32 q = RECORD_QUADS;
    real4 pair = gather_quad(w.record, record, q, RECORD_PAIR);
    // an empty lane refers to body 0, the world, which nothing moves
    whole body_a = pick_whole(there, as_whole(pair.z), whole_from(0u));
    whole body_b = pick_whole(there, as_whole(pair.w), whole_from(0u));
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    whole state = as_whole(gather_quad(w.record, record, q, RECORD_STATE).x);
    whole count = pick_whole(there, state & RECORD_COUNT, whole_from(0u));
    sor_head(b, slot, body_a, body_b, w);

    mat3 ra = quat_matrix(quat_of(gather_quad(w.rotation, ia, 1, 0)));
    mat3 rb = quat_matrix(quat_of(gather_quad(w.rotation, ib, 1, 0)));
    real3 between = position_between(gather_quad(w.position, ia, 1, 0), gather_quad(w.position, ib, 1, 0));
    real4 normal4 = gather_quad(w.record, record, q, RECORD_NORMAL);
    real3 n = pick3(there, xyz(normal4), make_real3(zero, one, zero));
    real3 t1 = tangent_of(n), t2 = cross3(n, t1);
    set_field(b, SOR_FRICTION, normal4.w);
    real4 surface4 = gather_quad(w.record, record, q, RECORD_SURFACE);
    real restitution = surface4.w;
    real3 surface = xyz(surface4);
    BodyMotion a = motion_of(w.motion, ia, 4), c = motion_of(w.motion, ib, 4);

    for (u32 k = 0; k < points; ++k) {
        f32* row = b + (SOR_HEAD + 3 * k * ROW_FIELDS) * BLOCK;
        mask used = count > static_cast<i32>(k);
        real3 at_a = mat3_times(ra, xyz(gather_quad(w.record, record, q, RECORD_POINT + 2 * k)));
        real3 at_b = mat3_times(rb, xyz(gather_quad(w.record, record, q, RECORD_POINT + 2 * k + 1)));
        real3 gap = (between + at_b) - at_a;
        real separation = dot3(gap, n);
        real3 arm_a = at_a + 0.5f * gap, arm_b = arm_a - between;

        // a gap may close within the step; of a penetration beyond the slop a share is pushed out
        real push = least((p.erp * p.inv_dt) * greatest(-separation - p.slop, zero), to_real(p.push_speed));
        real wanted = pick(separation > 0.0f, -(separation * p.inv_dt), push);
        // a row without a direction holds nothing
        real3 none3 = make_real3(zero, zero, zero);
        real high = as_real(whole_from(0x7f800000u)); // infinite
        sor_row(row, 1, pick3(used, n, none3), arm_a, arm_b, wanted, zero, high, p.cfm);
        real approach = row_speed(row, a, c);
        mask bounces = both(restitution > 0.0f, approach < -p.restitution_threshold);
        set_field(row, ROW_BOUNCE, pick(bounces, -(restitution * approach), to_real(-1e30f)));
        sor_row(row + ROW_FIELDS * BLOCK, 1, pick3(used, t1, none3), arm_a, arm_b, -dot3(surface, t1), zero,
                zero, p.cfm);
        sor_row(row + 2 * ROW_FIELDS * BLOCK, 1, pick3(used, t2, none3), arm_a, arm_b, -dot3(surface, t2),
                zero, zero, p.cfm);
    }
}

KERNEL_FN f32* sor_limit(f32* b, u32 k) { return b + (SOR_LIMITS + k * LIMIT_FIELDS) * BLOCK; }
KERNEL_FN void set_own(f32* row, u32 f, mask own, real v) { set_field(row, f, pick(own, v, field(row, f))); }
KERNEL_FN void set_own3(f32* row, u32 f, mask own, real3 v) {
    set_field3(row, f, pick3(own, v, field3(row, f)));
}

/// Drive and range of a bounded row that is at `at`.
KERNEL_FN void sor_bounded_row(f32* b, u32 k, mask bounded, real at, RowBounds d, const SorStep p) {
    f32* row = b + (SOR_HEAD + k * ROW_FIELDS) * BLOCK;
    f32* limit = sor_limit(b, k);
    const f32 rate = p.erp * p.inv_dt;
    const mask range = d.low < d.high;
    set_own(row, ROW_RHS, bounded, d.speed + d.rate * (d.target - at));
    set_own(row, ROW_CFM, bounded, d.impulse_scale / d.mass_scale);
    set_own(row, ROW_LOW, bounded, -d.most);
    set_own(row, ROW_HIGH, bounded, d.most);
    set_own(limit, LIMIT_LOW, bounded, end_speed(at - d.low, both(range, at > d.low), p.inv_dt, rate));
    set_own(limit, LIMIT_HIGH, bounded, end_speed(at - d.high, both(range, at < d.high), p.inv_dt, rate));
}

/// The rows of special joints, in place of those of common ones. The right-hand side of a bounded row is its drive's; the
/// cfm of a spring is here relative to the row's response.
KERNEL_RARE void sor_special_rows(f32* b, const PRIVATE JointReach* r, real3 arm_a, real3 arm_b,
                                  const f32* limits, const SorStep p) {
    const whole rows = field_whole(b, SOR_ROWS), slot = field_whole(b, SOR_SLOT);
    const lane_indices joint = indices_of(pick_whole(slot >= 0, slot, whole_from(0u)));
    const mask own = rows >= ROWS_SPECIAL, slides = (rows & ROWS_POINT) != ROWS_POINT;
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 none3 = make_real3(zero, zero, zero);
    const real at[ROWS_OF_JOINT] = {r->apart.x, r->apart.y, r->apart.z, r->angle.x, r->angle.y, r->angle.z};
    const real3 axis[ROWS_OF_JOINT] = {r->linear.x,  r->linear.y,  r->linear.z,
                                       r->angular.x, r->angular.y, r->angular.z};
    const f32 rate = p.erp * p.inv_dt;
    for (u32 k = 0; k < ROWS_OF_JOINT; ++k) {
        f32* row = b + (SOR_HEAD + k * ROW_FIELDS) * BLOCK;
        const bool linear = k < 3;
        const mask bounded = row_bounded(rows, k), changes = linear ? slides : own;
        real3 l = pick3(either(row_held(rows, k), bounded), axis[k], none3);
        set_own3(row, ROW_LINEAR_A, changes, linear ? -l : none3);
        set_own3(row, ROW_ANGULAR_A, changes, linear ? -cross3(arm_a, l) : -l);
        set_own3(row, ROW_LINEAR_B, changes, linear ? l : none3);
        set_own3(row, ROW_ANGULAR_B, changes, linear ? cross3(arm_b, l) : l);
        set_own(row, ROW_RHS, changes, -(at[k] * rate));
        if (!any(bounded)) continue;
        sor_bounded_row(b, k, bounded, at[k], row_bounds(limits, joint, k, k == 5 ? r->stretch : one, p.dt),
                        p);
    }
}

/// The row of gears, racks and pulleys, in place of the first.
KERNEL_RARE void sor_coupled_row(f32* b, lane_indices joint, const SorView w, quat fa, quat fb,
                                 const PRIVATE JointPlace* place, const SorStep p) {
    const whole rows = field_whole(b, SOR_ROWS);
    const mask coupled = (rows & ROWS_COUPLED) != 0;
    real4 linear = gather_quad(w.record, joint, JOINT_RECORD, JOINT_RECORD_IMPULSE);
    real4 angular = gather_quad(w.record, joint, JOINT_RECORD, JOINT_RECORD_ANGULAR);
    const real3 rope_a =
        from_ground(w.record, w.limits, w.position, joint, 0, field_whole(b, SOR_BODY_A)) + place->arm_a;
    const real3 rope_b =
        from_ground(w.record, w.limits, w.position, joint, 1, field_whole(b, SOR_BODY_B)) + place->arm_b;
    const real ratio = coupling_ratio(w.limits, joint);
    Coupling c;
    coupling_reach(&c, rows, ratio, fa, fb, (place->between + place->arm_b) - place->arm_a, rope_a, rope_b,
                   place->arm_a, place->arm_b);
    CouplingTurns t;
    t.angle_a = linear.y;
    t.angle_b = linear.z;
    t.sum = make_exact(angular.x, angular.y);
    const real at = coupling_at(rows, &c, ratio, angular.z != 0.0f, &t);
    set_field(b, SOR_TURNS, t.angle_a);
    set_field(b, SOR_TURNS + 1, t.angle_b);
    set_field(b, SOR_TURNS + 2, t.sum.high);
    set_field(b, SOR_TURNS + 3, t.sum.low);

    f32* row = b + SOR_HEAD * BLOCK;
    set_own3(row, ROW_LINEAR_A, coupled, c.linear_a);
    set_own3(row, ROW_ANGULAR_A, coupled, c.angular_a);
    set_own3(row, ROW_LINEAR_B, coupled, c.linear_b);
    set_own3(row, ROW_ANGULAR_B, coupled, c.angular_b);
    sor_bounded_row(b, 0, coupled, at, row_bounds(w.limits, joint, 0, to_real(1.0f), p.dt), p);
}

KERNEL_FN void sor_joint_assemble(u32 item, const SorView w, const SorStep p) {
    f32* b = block_of(w.rows, item, SOR_JOINT_FIELDS);
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    real zero = to_real(0.0f), one = to_real(1.0f);
    const lane_indices record = indices_of(pick_whole(there, slot, whole_from(0u)));
    const u32 q = JOINT_RECORD;
    real4 ends = gather_quad(w.record, record, q, JOINT_RECORD_ENDS);
    whole body_a = pick_whole(there, as_whole(ends.x), whole_from(0u));
    whole body_b = pick_whole(there, as_whole(ends.y), whole_from(0u));
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    whole rows = pick_whole(there, as_whole(ends.z), whole_from(ROWS_POINT));
    sor_head(b, slot, body_a, body_b, w);
    set_field_whole(b, SOR_ROWS, rows);

    quat qa = quat_of(gather_quad(w.rotation, ia, 1, 0)), qb = quat_of(gather_quad(w.rotation, ib, 1, 0));
    const JointPlace place = joint_place(w.record, record, w.position, ia, ib, as_whole(ends.w), qa, qb);
    real3 arm_a = place.arm_a, arm_b = place.arm_b;
    f32 rate = p.erp * p.inv_dt;
    real3 gap = (place.between + arm_b) - arm_a, apart = gap * -rate;
    real high = as_real(whole_from(0x7f800000u)), low = -high; // infinite
    f32* row = b + SOR_HEAD * BLOCK;
    const u32 next = ROW_FIELDS * BLOCK;
    sor_row(row, 1, make_real3(pick(there, one, zero), zero, zero), arm_a, arm_b, apart.x, low, high, p.cfm);
    sor_row(row + next, 1, make_real3(zero, pick(there, one, zero), zero), arm_a, arm_b, apart.y, low, high,
            p.cfm);
    sor_row(row + 2 * next, 1, make_real3(zero, zero, pick(there, one, zero)), arm_a, arm_b, apart.z, low,
            high, p.cfm);

    quat fa = quat_product(qa, quat_of(gather_quad(w.record, record, q, JOINT_RECORD_FRAME_A)));
    quat fb = quat_product(qb, quat_of(gather_quad(w.record, record, q, JOINT_RECORD_FRAME_B)));
    JointTurns t = joint_turns(fa, fb, rows);
    real3 error = t.error * -rate, none3 = make_real3(zero, zero, zero);
    sor_row(row + 3 * next, 0, pick3(row_held(rows, 3), t.axes.x, none3), none3, none3, error.x, low, high,
            p.cfm);
    sor_row(row + 4 * next, 0, pick3(row_held(rows, 4), t.axes.y, none3), none3, none3, error.y, low, high,
            p.cfm);
    sor_row(row + 5 * next, 0, pick3(row_held(rows, 5), t.axes.z, none3), none3, none3, error.z, low, high,
            p.cfm);
    if (any(rows >= ROWS_SPECIAL)) {
        JointReach reach;
        joint_reach(&reach, rows, fa, fb, gap);
        // what slides pulls the first body where the second one's anchor is
        sor_special_rows(b, &reach, arm_a + gap, arm_b, w.limits, p);
        if (any((rows & ROWS_COUPLED) != 0)) sor_coupled_row(b, record, w, fa, fb, &place, p);
    }
}

/// The limits of a bounded row, and its drive's softness, when the response is known.
KERNEL_FN void sor_init_limits(f32* b, u32 k, real response, real speed, mask fine, const SorStep p) {
    f32* row = b + (SOR_HEAD + k * ROW_FIELDS) * BLOCK;
    f32* limit = sor_limit(b, k);
    real zero = to_real(0.0f), answer = pick(fine, response, to_real(1.0f));
    const mask bounded = row_bounded(field_whole(b, SOR_ROWS), k);
    set_own(row, ROW_CFM, bounded, field(row, ROW_CFM) * answer);
    set_own(row, ROW_SCALE, bounded, pick(fine, p.omega / (answer + field(row, ROW_CFM)), zero));
    set_field(limit, LIMIT_LOW, field(limit, LIMIT_LOW) - speed);
    set_field(limit, LIMIT_HIGH, field(limit, LIMIT_HIGH) - speed);
    set_field(limit, LIMIT_SCALE, pick(fine, p.omega / (answer + p.cfm), zero));
    set_field(limit, LIMIT_CFM, to_real(p.cfm));
}

/// `now`, which the drive of a bounded row makes of the impulse, and as much more or less as keeps the row in its range
KERNEL_FN real sor_limited(f32* b, u32 k, real now, real old, real speed) {
    const f32* limit = sor_limit(b, k);
    real scale = field(limit, LIMIT_SCALE), yielding = field(limit, LIMIT_CFM) * old;
    real low = old + scale * ((field(limit, LIMIT_LOW) - yielding) - speed);
    real high = old + scale * ((field(limit, LIMIT_HIGH) - yielding) - speed);
    return pick(row_bounded(field_whole(b, SOR_ROWS), k), clamped(now, low, high), now);
}

/// A_ii and the right-hand sides, when forces have changed the velocities. `contact`: every third row is a normal;
/// `special`: some joints of the block are. Both are constant, so that others pay nothing for them.
KERNEL_FN void sor_init_rows(u32 item, u32 rows, u32 contact, bool special, const SorView w,
                             const SorStep p) {
    f32* b = block_of(w.rows, item, SOR_FIELDS(rows, contact));
    whole body_a = field_whole(b, SOR_BODY_A), body_b = field_whole(b, SOR_BODY_B);
    BodyMotion a = motion_of(w.motion, indices_of(body_a), 4), c = motion_of(w.motion, indices_of(body_b), 4);
    SorMasses m = sor_masses(b);
    // a body that is split among several items is lighter in each of them (Tonge et al. 2012)
    if (w.split) {
        real pieces_a = gather(w.split, body_a), pieces_b = gather(w.split, body_b);
        m.mass_a = m.mass_a * pieces_a;
        m.mass_b = m.mass_b * pieces_b;
        m.inertia_a = sym3_scaled(m.inertia_a, pieces_a);
        m.inertia_b = sym3_scaled(m.inertia_b, pieces_b);
    }
    if (w.apart) {
        // each row has its own piece
        const f32 pieces = static_cast<f32>(rows);
        m.mass_a = m.mass_a * pieces;
        m.mass_b = m.mass_b * pieces;
        m.inertia_a = sym3_scaled(m.inertia_a, to_real(pieces));
        m.inertia_b = sym3_scaled(m.inertia_b, to_real(pieces));
    }
    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero);
    const whole locks = field_whole(b, SOR_LOCKS);
    const bool locked = any(locks > 0);
    for (u32 k = 0; k < rows; ++k) {
        f32* row = b + (SOR_HEAD + k * ROW_FIELDS) * BLOCK;
        real3 la = field3(row, ROW_LINEAR_A), aa = field3(row, ROW_ANGULAR_A);
        real3 lb = field3(row, ROW_LINEAR_B), ab = field3(row, ROW_ANGULAR_B);
        if (locked) {
            // J keeps what is free: along locked axes the bodies do not move, nor are they moved
            la = free_part(locks, LOCK_A, la);
            lb = free_part(locks, LOCK_B, lb);
        }
        real response = (m.mass_a * dot3(la, la) + dot3(aa, sym3_times(m.inertia_a, aa))) +
                        (m.mass_b * dot3(lb, lb) + dot3(ab, sym3_times(m.inertia_b, ab)));
        real speed = row_speed(row, a, c);
        real wanted = field(row, ROW_RHS);
        if (contact && k % 3 == 0) {
            // contacts closing within the step get restitution (Newton)
            mask reaches = no(speed > wanted);
            wanted = pick(reaches, greatest(field(row, ROW_BOUNCE), wanted), wanted);
        }
        real rhs = wanted - speed;
        // a body that is not finite is put aside when the step ends; until then it must not pull others along
        mask fine = both(both(response > 0.0f, is_finite(response)), is_finite(rhs));
        real diagonal = pick(fine, response, to_real(1.0f)) + field(row, ROW_CFM);
        set_field3(row, ROW_LINEAR_A, pick3(fine, la, none3));
        set_field3(row, ROW_ANGULAR_A, pick3(fine, aa, none3));
        set_field3(row, ROW_LINEAR_B, pick3(fine, lb, none3));
        set_field3(row, ROW_ANGULAR_B, pick3(fine, ab, none3));
        set_field(row, ROW_RHS, pick(fine, rhs, zero));
        set_field(row, ROW_SCALE, pick(fine, p.omega / diagonal, zero));
        if (special && any(row_bounded(field_whole(b, SOR_ROWS), k)))
            sor_init_limits(b, k, response, speed, fine, p);
    }
}

KERNEL_FN void sor_init(u32 item, u32 points, const SorView w, const SorStep p) {
    sor_init_rows(item, 3 * points, 1, false, w, p);
}
KERNEL_RARE void sor_init_special(u32 item, const SorView w, const SorStep p) {
    sor_init_rows(item, ROWS_OF_JOINT, 0, true, w, p);
}
KERNEL_FN bool sor_special(u32 item, const SorView w) {
    return any(field_whole(block_of(w.rows, item, SOR_JOINT_FIELDS), SOR_ROWS) >= ROWS_SPECIAL);
}
KERNEL_FN void sor_joint_init(u32 item, const SorView w, const SorStep p) {
    if (sor_special(item, w)) sor_init_special(item, w, p);
    else sor_init_rows(item, ROWS_OF_JOINT, 0, false, w, p);
}

/// One visit to every row of the items: a relaxed Gauss-Seidel step, clamped at once, and its effect on V'. V' of the two bodies
/// is read once and written once: what a row changes is in registers when the next one reads it (the fused loop of Peres 2008).
KERNEL_FN void sor_sweep_rows(u32 item, u32 rows, u32 contact, bool special, const SorView w) {
    f32* b = block_of(w.rows, item, SOR_FIELDS(rows, contact));
    const lane_indices ia = indices_of(field_whole(b, SOR_BODY_A)),
                       ib = indices_of(field_whole(b, SOR_BODY_B));
    BodyMotion a = motion_of(w.change, ia, 2), c = motion_of(w.change, ib, 2);
    BodyMotion a0 = a, c0 = c;
    if (w.pool) {
        // what the item's group did to the bodies in this iteration
        BodyMotion done_a = motion_of(w.pool, indices_of(load_whole(w.piece_a, item)), 2),
                   done_c = motion_of(w.pool, indices_of(load_whole(w.piece_b, item)), 2);
        a.v = a.v + done_a.v;
        a.w = a.w + done_a.w;
        c.v = c.v + done_c.v;
        c.w = c.w + done_c.w;
    }
    SorMasses m = sor_masses(b);
    real friction = field(b, SOR_FRICTION), normal = to_real(0.0f), most = to_real(0.0f);
    for (u32 k = 0; k < rows; ++k) {
        f32* row = b + (SOR_HEAD + k * ROW_FIELDS) * BLOCK;
        real low = field(row, ROW_LOW), high = field(row, ROW_HIGH);
        if (contact && k % 3 != 0) {
            // a pyramid around the point's present normal impulse
            high = friction * normal;
            low = -high;
            set_field(row, ROW_LOW, low);
            set_field(row, ROW_HIGH, high);
        }
        real3 la = field3(row, ROW_LINEAR_A), aa = field3(row, ROW_ANGULAR_A);
        real3 lb = field3(row, ROW_LINEAR_B), ab = field3(row, ROW_ANGULAR_B);
        real speed = (dot3(la, a.v) + dot3(aa, a.w)) + (dot3(lb, c.v) + dot3(ab, c.w));
        if (w.apart) speed = (dot3(la, a0.v) + dot3(aa, a0.w)) + (dot3(lb, c0.v) + dot3(ab, c0.w));
        real old = field(row, ROW_IMPULSE);
        real residual = (field(row, ROW_RHS) - field(row, ROW_CFM) * old) - speed;
        real now = clamped(old + field(row, ROW_SCALE) * residual, low, high);
        if (special && any(row_bounded(field_whole(b, SOR_ROWS), k)))
            now = sor_limited(b, k, now, old, speed);
        real change = now - old;
        set_field(row, ROW_IMPULSE, now);
        if (w.asked) {
            real scale = field(row, ROW_SCALE);
            mask holds = scale > 0.0f;
            most = greatest(
                most, pick(holds, magnitude(change) / pick(holds, scale, to_real(1.0f)), to_real(0.0f)));
        }
        a.v = a.v + (m.mass_a * change) * la;
        a.w = a.w + sym3_times(m.inertia_a, aa) * change;
        c.v = c.v + (m.mass_b * change) * lb;
        c.w = c.w + sym3_times(m.inertia_b, ab) * change;
        if (contact && k % 3 == 0) normal = now;
    }
    if (w.asked) store(w.asked + item, most);
    // back to the bodies, or for split bodies to a separate entry
    real zero = to_real(0.0f), one = to_real(1.0f);
    if (w.pool) {
        const lane_indices pa = indices_of(load_whole(w.piece_a, item)),
                           pb = indices_of(load_whole(w.piece_b, item));
        const u32 all = lane_bits(truth(true));
        scatter_quad(w.pool, pa, 2, 0, with_w(a.v - a0.v, zero), all);
        scatter_quad(w.pool, pa, 2, 1, with_w(a.w - a0.w, zero), all);
        scatter_quad(w.pool, pb, 2, 0, with_w(c.v - c0.v, zero), all);
        scatter_quad(w.pool, pb, 2, 1, with_w(c.w - c0.w, zero), all);
        return;
    }
    if (w.push) {
        const lane_indices at = indices_of(lane_index(item));
        const u32 all = lane_bits(truth(true));
        scatter_quad(w.push, at, 4, 0, with_w(a.v - a0.v, zero), all);
        scatter_quad(w.push, at, 4, 1, with_w(a.w - a0.w, zero), all);
        scatter_quad(w.push, at, 4, 2, with_w(c.v - c0.v, zero), all);
        scatter_quad(w.push, at, 4, 3, with_w(c.w - c0.w, zero), all);
        return;
    }
    const u32 moves_a = lane_bits(m.mass_a > 0.0f), moves_b = lane_bits(m.mass_b > 0.0f);
    scatter_quad(w.change, ia, 2, 0, with_w(a.v, one), moves_a);
    scatter_quad(w.change, ia, 2, 1, with_w(a.w, zero), moves_a);
    scatter_quad(w.change, ib, 2, 0, with_w(c.v, one), moves_b);
    scatter_quad(w.change, ib, 2, 1, with_w(c.w, zero), moves_b);
}

KERNEL_FN void sor_sweep(u32 item, u32 points, const SorView w) {
    sor_sweep_rows(item, 3 * points, 1, false, w);
}
KERNEL_RARE void sor_sweep_special(u32 item, const SorView w) {
    sor_sweep_rows(item, ROWS_OF_JOINT, 0, true, w);
}
KERNEL_FN void sor_joint_sweep(u32 item, const SorView w) {
    if (sor_special(item, w)) sor_sweep_special(item, w);
    else sor_sweep_rows(item, ROWS_OF_JOINT, 0, false, w);
}

/// of a linear row; where b is locked J has its direction of a alone
KERNEL_FN real3 row_direction(const f32* row) {
    real3 la = field3(row, ROW_LINEAR_A), lb = field3(row, ROW_LINEAR_B);
    return make_real3(pick(lb.x == 0.0f, -la.x, lb.x), pick(lb.y == 0.0f, -la.y, lb.y),
                      pick(lb.z == 0.0f, -la.z, lb.z));
}

/// impulses to the records, where users read them
KERNEL_FN void sor_contact_store(u32 item, u32 points, const SorView w) {
    const f32* b = block_of(w.rows, item, SOR_HEAD + 3 * points * ROW_FIELDS);
    whole slot = field_whole(b, SOR_SLOT);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    real zero = to_real(0.0f);
    real3 friction = make_real3(zero, zero, zero);
    alignas(4 * SCREE_LANES) f32 impulses[SCREE_LANES];
    for (u32 k = 0; k < points; ++k) {
        const f32* row = b + (SOR_HEAD + 3 * k * ROW_FIELDS) * BLOCK;
        for (u32 t = 1; t < 3; ++t) {
            const f32* tangent = row + t * ROW_FIELDS * BLOCK;
            friction = friction + row_direction(tangent) * field(tangent, ROW_IMPULSE);
        }
        // the impulse is the fourth word of a point's first quad
        store(impulses, field(row, ROW_IMPULSE));
        for (u32 l = 0; l < SCREE_LANES; ++l)
            if (there >> l & 1)
                w.record[4 * (static_cast<std::size_t>(static_cast<u32>(record.at[l])) * RECORD_QUADS +
                              RECORD_POINT + 2 * k) +
                         3] = impulses[l];
    }
    scatter_quad(w.record, record, RECORD_QUADS, RECORD_FRICTION_IMPULSE, with_w(friction, zero), there);
}

KERNEL_FN void sor_joint_store(u32 item, const SorView w) {
    const f32* b = block_of(w.rows, item, SOR_JOINT_FIELDS);
    whole slot = field_whole(b, SOR_SLOT), rows = field_whole(b, SOR_ROWS);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    const f32* row = b + SOR_HEAD * BLOCK;
    const u32 next = ROW_FIELDS * BLOCK;
    real3 linear = make_real3(field(row, ROW_IMPULSE), field(row + next, ROW_IMPULSE),
                              field(row + 2 * next, ROW_IMPULSE));
    const f32* turn = row + 3 * next;
    real3 angular = make_real3(field(turn, ROW_IMPULSE), field(turn + next, ROW_IMPULSE),
                               field(turn + 2 * next, ROW_IMPULSE));
    real peak = to_real(0.0f), angular_peak = to_real(0.0f);
    if (any(rows >= ROWS_SPECIAL)) {
        // in the world's axes; what a cone's axes in the first frame were is not known any more
        real zero = to_real(0.0f);
        real3 none3 = make_real3(zero, zero, zero);
        real3 world = (row_direction(row) * linear.x + row_direction(row + next) * linear.y) +
                      row_direction(row + 2 * next) * linear.z;
        linear = pick3((rows & ROWS_POINT) != ROWS_POINT, world, linear);
        const mask special = rows >= ROWS_SPECIAL;
        real most = to_real(1e19f);
        peak = pick(special, least(length3(linear), most), zero);
        angular_peak = pick(special, least(length3(angular), most), zero);
        angular = pick3((rows & ROWS_CONE) != 0, none3, angular);
        const mask coupled = (rows & ROWS_COUPLED) != 0, pulley = (rows & ROWS_PULLEY) != 0;
        if (any(coupled)) {
            const real impulse = field(row, ROW_IMPULSE);
            const real size = least(magnitude(impulse), most);
            peak = pick(pulley, size, peak);
            angular_peak = pick(coupled, pick(pulley, zero, size), angular_peak);
            linear =
                pick3(coupled, make_real3(impulse, field(b, SOR_TURNS), field(b, SOR_TURNS + 1)), linear);
            angular =
                pick3(coupled,
                      make_real3(field(b, SOR_TURNS + 2), field(b, SOR_TURNS + 3), to_real(COUPLING_COUNTS)),
                      angular);
        }
    }
    scatter_quad(w.record, record, JOINT_RECORD, JOINT_RECORD_IMPULSE, with_w(linear, peak), there);
    scatter_quad(w.record, record, JOINT_RECORD, JOINT_RECORD_ANGULAR, with_w(angular, angular_peak), there);
}

// bodies -----------------------------------------------------------------------------------------------------------------

/// marks V' of those that are awake
KERNEL_FN void sor_body_begin(u32 item, const BodyView w) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    real zero = to_real(0.0f);
    scatter_quad(w.change, indices_of(pick_whole(there, body, whole_from(0u))), 2, 0,
                 make_real4(zero, zero, zero, to_real(1.0f)), lane_bits(there));
}

/// u + M^-1 Q dt + V'
KERNEL_FN void sor_body_finish(u32 item, const BodyView w) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    const u32 lanes = lane_bits(there);
    real zero = to_real(0.0f);
    for (u32 k = 0; k < 2; ++k) {
        real4 v = gather_quad(w.motion, i, 4, k);
        scatter_quad(w.motion, i, 4, k, with_w(xyz(v) + xyz(gather_quad(w.change, i, 2, k)), v.w), lanes);
        scatter_quad(w.change, i, 2, k, make_real4(zero, zero, zero, zero), lanes);
    }
}
