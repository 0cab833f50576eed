// SPDX-License-Identifier: MIT
// rigid_coupling.h — the one row of gears, racks and pulleys.   compiles as: host, lanes, cuda
//
// A coupling keeps first + ratio second in a range:
//     gear      angles of the first and the second body about their axes, from the line between their anchors
//     rack      the angle of the first, a pinion, about its axis, from the slide axis of the second, a rack; how far the
//               rack's anchor is along that axis from the pinion's
//     pulley    lengths of the rope from the first anchor to its ground, and from the second to its own
// Angles are measured from what the two bodies have between them, not from the world. So gears work on a carrier that moves
// and turns, a pinion climbs a rack that drives away, and impulses of gears and racks sum up to none.
//
// Turns are counted: the row is angle + ratio angle + an exact sum (exact.h), which changes by a whole turn where an angle
// passes half a turn. It stays as small as the angles are, so no number of turns costs precision. An angle must change by
// less than half a turn from one visit to the next.
//
// Row 0 of the joint (rigid_rows.h) is bounded and is the coupling; its axes differ by body, so common code leaves it alone.
// What a coupling keeps from step to step lies in the record's quads of impulses: the row's impulse and both angles, the sum
// and COUPLING_COUNTS. Without that last word the coupling is new, and the bodies are where they should be.

#define ROWS_GEAR 262144
#define ROWS_RACK 524288
#define ROWS_PULLEY 1048576
#define ROWS_COUPLED (ROWS_GEAR | ROWS_RACK | ROWS_PULLEY)

// quads of the joint's limits that other joints have for rows 1 and 2
#define COUPLING_RATIO 2  // first word
#define COUPLING_GROUND 4 // of the first anchor and of the second, as positions
#define COUPLING_COUNTS 1.0f

struct Coupling_t {
    real3 linear_a, angular_a, linear_b, angular_b; // the row's gradient
    real angle_a, angle_b;                          // of gears and pinions; otherwise 0
    real rest;                                      // what the row has besides angles
};
typedef struct Coupling_t Coupling;

struct CouplingTurns_t {
    real angle_a, angle_b; // when they were counted last
    exact sum;
};
typedef struct CouplingTurns_t CouplingTurns;

KERNEL_FN real3 axis_x(mat3 m) { return make_real3(m.x.x, m.y.x, m.z.x); }
KERNEL_FN real3 axis_z(mat3 m) { return make_real3(m.x.z, m.y.z, m.z.z); }

/// how the angle from `line` about z answers to a motion of the line's end
KERNEL_FN real3 line_turn(real3 z, real3 line) {
    real3 across = cross3(z, line);
    // the line must not come near the axis
    return across * inverse_or_zero(greatest(dot3(across, across), 1e-4f * dot3(line, line)));
}

/// `apart`: the second anchor from the first; `rope_a`, `rope_b`: the anchors from their grounds; arms from the centres of mass
KERNEL_RARE void coupling_reach(PRIVATE Coupling* c, whole rows, real ratio, quat fa, quat fb, real3 apart,
                                real3 rope_a, real3 rope_b, real3 arm_a, real3 arm_b) {
    const mat3 ra = quat_matrix(fa), rb = quat_matrix(fb);
    const real3 xa = axis_x(ra), za = axis_z(ra), xb = axis_x(rb), zb = axis_z(rb);
    real zero = to_real(0.0f);
    real3 none3 = make_real3(zero, zero, zero);
    const mask gear = (rows & ROWS_GEAR) != 0, rack = (rows & ROWS_RACK) != 0,
               pulley = (rows & ROWS_PULLEY) != 0;

    // gears and racks: the second body is pushed along `push`, the first the other way
    const real3 line = pick3(rack, zb, apart);
    const real3 turn_a = line_turn(za, line), turn_b = line_turn(zb, apart);
    const real3 push = pick3(rack, ratio * zb, -(turn_a + ratio * turn_b));
    const real3 own_b = pick3(rack, -cross3(zb, turn_a), ratio * zb);
    // a rack is pushed where the pinion is
    const real3 at_b = pick3(rack, arm_b - apart, arm_b);
    c->angle_a = arctangent2(dot3(za, cross3(line, xa)), dot3(line, xa));
    c->angle_b = pick(gear, arctangent2(dot3(zb, cross3(apart, xb)), dot3(apart, xb)), zero);

    const real3 pull_a = unit3(rope_a, none3), pull_b = ratio * unit3(rope_b, none3);
    c->angle_a = pick(pulley, zero, c->angle_a);
    c->linear_a = pick3(pulley, pull_a, -push);
    c->linear_b = pick3(pulley, pull_b, push);
    c->angular_a = pick3(pulley, none3, za) + cross3(arm_a, c->linear_a);
    c->angular_b = pick3(pulley, none3, own_b) + cross3(pick3(pulley, arm_b, at_b), c->linear_b);
    c->rest =
        pick(pulley, length3(rope_a) + ratio * length3(rope_b), pick(rack, ratio * dot3(apart, zb), zero));
}

/// whole turns by which an angle has jumped, times the other way
KERNEL_FN real turns_back(real now, real before) {
    const real half_turn = to_real(3.14159265f), one = to_real(1.0f);
    return pick(now - before > half_turn, -one, pick(before - now > half_turn, one, to_real(0.0f)));
}

#define TURN_HIGH 6.28318548f // 2 pi, and what a float drops of it
#define TURN_LOW -1.74845553e-7f

/// Counts the turns since the last visit, and returns where the row is. `known`: there was one; otherwise the row is 0 here.
KERNEL_FN real coupling_at(whole rows, PRIVATE const Coupling* c, real ratio, mask known,
                           PRIVATE CouplingTurns* t) {
    real zero = to_real(0.0f), second = ratio * c->angle_b + c->rest;
    const real back_a = turns_back(c->angle_a, t->angle_a), back_b = turns_back(c->angle_b, t->angle_b);
    exact turn_b = exact_product(ratio, to_real(TURN_HIGH));
    exact sum = exact_plus(exact_plus(t->sum, back_a * TURN_HIGH), back_a * TURN_LOW);
    sum = exact_plus(exact_plus(sum, back_b * turn_b.high), back_b * (turn_b.low + ratio * TURN_LOW));
    const exact fresh = exact_plus(make_exact(-c->angle_a, zero), -second);
    const mask pulley = (rows & ROWS_PULLEY) != 0;
    t->sum.high = pick(pulley, zero, pick(known, sum.high, fresh.high));
    t->sum.low = pick(pulley, zero, pick(known, sum.low, fresh.low));
    t->angle_a = c->angle_a;
    t->angle_b = c->angle_b;
    const exact at = exact_plus(exact_plus(t->sum, c->angle_a), second);
    return at.high + at.low;
}
