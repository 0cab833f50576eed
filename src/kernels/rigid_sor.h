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
#define SOR_FRICTION 17
#define SOR_LOCKS 18 // bits of the pair (rigid_locks.h)
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
#define ROWS_OF_JOINT 6

/// a run of items of one colour and one number of rows
struct SorView {
    const f32* position;
    const f32* rotation;
    const f32* motion; // at first of the step's beginning, then with forces applied
    f32* change;       // V': two quads for each body; the fourth word is 1 while the body is awake. Zero between steps
    const f32* inverse_mass;
    f32* record;      // of contacts or joints
    const u32* slots; // padded with 0xffffffff to whole blocks
    f32* rows;        // of the run
    const f32* split; // overflow: how many pieces each body is split into; null elsewhere
    f32* push;        // overflow: changes of V', four quads for each item; null elsewhere
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
    // what sleeps is held fast: several items of a colour may share it
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
    real3 between = xyz(gather_quad(w.position, ib, 1, 0)) - xyz(gather_quad(w.position, ia, 1, 0));
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

/// Ball, hinge and fixed joints hold 3, 5 and 6 of the rows.
KERNEL_FN void sor_joint_assemble(u32 item, const SorView w, const SorStep p) {
    f32* b = block_of(w.rows, item, SOR_HEAD + ROWS_OF_JOINT * ROW_FIELDS);
    whole slot = load_whole(w.slots, item);
    mask there = slot >= 0;
    real zero = to_real(0.0f), one = to_real(1.0f);
    const lane_indices record = indices_of(pick_whole(there, slot, whole_from(0u)));
    const u32 q = JOINT_RECORD;
    real4 ends = gather_quad(w.record, record, q, JOINT_RECORD_ENDS);
    whole body_a = pick_whole(there, as_whole(ends.x), whole_from(0u));
    whole body_b = pick_whole(there, as_whole(ends.y), whole_from(0u));
    const lane_indices ia = indices_of(body_a), ib = indices_of(body_b);
    whole holds = pick_whole(there, as_whole(ends.z), whole_from(0u));
    sor_head(b, slot, body_a, body_b, w);
    set_field(b, SOR_FRICTION, zero);

    quat qa = quat_of(gather_quad(w.rotation, ia, 1, 0)), qb = quat_of(gather_quad(w.rotation, ib, 1, 0));
    real3 arm_a = quat_rotated(qa, xyz(gather_quad(w.record, record, q, JOINT_RECORD_ANCHOR_A)));
    real3 arm_b = quat_rotated(qb, xyz(gather_quad(w.record, record, q, JOINT_RECORD_ANCHOR_B)));
    real3 between = xyz(gather_quad(w.position, ib, 1, 0)) - xyz(gather_quad(w.position, ia, 1, 0));
    f32 rate = p.erp * p.inv_dt;
    real3 apart = ((between + arm_b) - arm_a) * -rate;
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
    mat3 ra = quat_matrix(fa), rb = quat_matrix(fb); // columns are the joint's axes
    mask turns = holds > 0, fixed = holds > 1;
    // fixed: the rotation from a's frame to b's; hinge: what turns a's axis to b's
    quat off = quat_product(make_quat(fa.s, -fa.x, -fa.y, -fa.z), fb);
    real side = pick(off.s < 0.0f, to_real(-2.0f), to_real(2.0f));
    real3 axis_a = make_real3(ra.x.z, ra.y.z, ra.z.z), axis_b = make_real3(rb.x.z, rb.y.z, rb.z.z);
    real3 tilt = mat3_transposed_times(ra, cross3(axis_a, axis_b));
    real3 error =
        pick3(fixed, make_real3(off.x, off.y, off.z) * side, make_real3(tilt.x, tilt.y, zero)) * -rate;
    real3 none3 = make_real3(zero, zero, zero);
    real3 axis_x = make_real3(ra.x.x, ra.y.x, ra.z.x), axis_y = make_real3(ra.x.y, ra.y.y, ra.z.y);
    sor_row(row + 3 * next, 0, pick3(turns, axis_x, none3), none3, none3, error.x, low, high, p.cfm);
    sor_row(row + 4 * next, 0, pick3(turns, axis_y, none3), none3, none3, error.y, low, high, p.cfm);
    sor_row(row + 5 * next, 0, pick3(fixed, axis_a, none3), none3, none3, error.z, low, high, p.cfm);
}

/// A_ii and the right-hand sides, when forces have changed the velocities. `contact`: every third row is a normal.
KERNEL_FN void sor_init(u32 item, u32 rows, u32 contact, const SorView w, const SorStep p) {
    f32* b = block_of(w.rows, item, SOR_HEAD + rows * ROW_FIELDS);
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
            // what reaches the surface within the step leaves it as restitution says (Newton)
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
    }
}

/// One visit to every row of the items: a relaxed Gauss-Seidel step, clamped at once, and its effect on V'.
KERNEL_FN void sor_sweep(u32 item, u32 rows, u32 contact, const SorView w) {
    f32* b = block_of(w.rows, item, SOR_HEAD + rows * ROW_FIELDS);
    const lane_indices ia = indices_of(field_whole(b, SOR_BODY_A)),
                       ib = indices_of(field_whole(b, SOR_BODY_B));
    BodyMotion a = motion_of(w.change, ia, 2), c = motion_of(w.change, ib, 2);
    BodyMotion a0 = a, c0 = c;
    SorMasses m = sor_masses(b);
    real friction = field(b, SOR_FRICTION), normal = to_real(0.0f);
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
        real old = field(row, ROW_IMPULSE);
        real residual = (field(row, ROW_RHS) - field(row, ROW_CFM) * old) - speed;
        real now = clamped(old + field(row, ROW_SCALE) * residual, low, high);
        real change = now - old;
        set_field(row, ROW_IMPULSE, now);
        a.v = a.v + (m.mass_a * change) * la;
        a.w = a.w + sym3_times(m.inertia_a, aa) * change;
        c.v = c.v + (m.mass_b * change) * lb;
        c.w = c.w + sym3_times(m.inertia_b, ab) * change;
        if (contact && k % 3 == 0) normal = now;
    }
    // back to the bodies, or for what is split among several items to a place of its own
    real zero = to_real(0.0f), one = to_real(1.0f);
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
            // where b is locked J has its direction of a alone
            real3 la = field3(tangent, ROW_LINEAR_A), lb = field3(tangent, ROW_LINEAR_B);
            real3 l = make_real3(pick(lb.x == 0.0f, -la.x, lb.x), pick(lb.y == 0.0f, -la.y, lb.y),
                                 pick(lb.z == 0.0f, -la.z, lb.z));
            friction = friction + l * field(tangent, ROW_IMPULSE);
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
    const f32* b = block_of(w.rows, item, SOR_HEAD + ROWS_OF_JOINT * ROW_FIELDS);
    whole slot = field_whole(b, SOR_SLOT);
    const u32 there = lane_bits(slot >= 0);
    const lane_indices record = indices_of(slot);
    const f32* row = b + SOR_HEAD * BLOCK;
    const u32 next = ROW_FIELDS * BLOCK;
    real3 linear = make_real3(field(row, ROW_IMPULSE), field(row + next, ROW_IMPULSE),
                              field(row + 2 * next, ROW_IMPULSE));
    row = row + 3 * next;
    real3 angular = make_real3(field(row, ROW_IMPULSE), field(row + next, ROW_IMPULSE),
                               field(row + 2 * next, ROW_IMPULSE));
    scatter_quad(w.record, record, JOINT_RECORD, JOINT_RECORD_IMPULSE, with_w(linear, to_real(0.0f)), there);
    scatter_quad(w.record, record, JOINT_RECORD, JOINT_RECORD_ANGULAR, with_w(angular, to_real(0.0f)), there);
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
