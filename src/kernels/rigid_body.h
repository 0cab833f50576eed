// SPDX-License-Identifier: MIT
// rigid_body.h — bodies of the soft-step solver: forces, velocities, positions.   compiles as: host, lanes, cuda
//
// Each function handles as many awake bodies as there are lanes. A substep warm-starts without looking at contacts: their
// impulses of the substep before are the change of velocity that remains when forces are taken away, and that is known
// for each body (`free` holds the velocity as forces alone would have made it).
//
// Within a step velocities are floats, and poses are relative to the step's beginning. body_finish adds both to what there
// was, and keeps what floats drop of the sums (exact.h): so many small steps have the error of the method alone.

// quads of a body's constants
#define BODY_CONSTANTS 6
#define BODY_INERTIA 0      // body frame: xx yy zz xy
#define BODY_INERTIA_REST 1 // xz yz, gravity scale, locks (rigid_locks.h)
#define BODY_LIMITS 2       // linear damping, angular damping, largest speed, largest angular speed
#define BODY_INVERSE 3      // inverse inertia, body frame: xx yy zz xy
#define BODY_INVERSE_REST 4 // xz yz, inverse mass, radius
#define BODY_SWEEP                                                                                           \
    5 // m it may go in a step without being swept, -1 where that is kept always; 1 for a bullet; 0; 0

// quads of what a step does to a body
#define KICK_QUADS 4
#define KICK_LINEAR 0 // acceleration and 1/(1 + h damping)
#define KICK_ANGULAR 1
#define KICK_BEGIN 2 // two: velocity, and whether fields act on the body; spin: when the step began

// the first w of `free` after a step: the two quads hold how far the body was moved, and by which rotation
#define SWEPT 1.0f // and it is to be swept
#define MOVED 2.0f

struct BodyView {
    f32* position;
    f32* rotation;
    f32* motion;
    f32* inverse_mass;
    const f32* constants;
    const f32* force; // two quads: force for this step, and whether fields are in it; torque
    f32* carry;       // CARRY_QUADS quads
    f32* kick;        // KICK_QUADS quads
    f32* free;        // two quads: velocity without constraints; after a step the way of those to sweep
    f32* rest;        // how fast the farthest point moves; -1: a number is not finite
    f32* change;      // two quads: V' of the projected SOR (rigid_sor.h); not used by others
    u32* swept;       // raised if a body is to be swept
    const u32* awake; // padded with 0xffffffff
    f32 gravity_x, gravity_y, gravity_z;
};

/// the speed that decides about rest, of a body that a cloth touches: the cloth may move it at any time
KERNEL_FN f32 rest_among_cloth(f32 rest) { return rest >= 0.0f && rest < 1e6f ? 1e6f : rest; }

/// I v for a body-frame inertia
KERNEL_FN sym3 constants_inertia(const BodyView w, lane_indices i, u32 first) {
    return gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, first),
                          gather_quad(w.constants, i, BODY_CONSTANTS, first + 1));
}

KERNEL_FN real3 gravity_of(const BodyView w) {
    return make_real3(to_real(w.gravity_x), to_real(w.gravity_y), to_real(w.gravity_z));
}

/// How the spin changes in dt without torque, in the body's frame: one Newton step of the implicit midpoint rule, whose
/// solution keeps energy and momentum. (Catto, GDC 2015, takes implicit Euler, which loses a fifth of the energy in ten
/// seconds at 5 rad/s.)
KERNEL_FN real3 gyroscopic_change(sym3 inertia, real3 spin, f32 dt) {
    // only the ratios of the moments count; the determinant of large or small ones would not fit a float
    real trace = (inertia.xx + inertia.yy) + inertia.zz;
    real unit = to_real(1.0f) / pick(trace > 0.0f, trace, to_real(1.0f));
    inertia.xx = inertia.xx * unit;
    inertia.yy = inertia.yy * unit;
    inertia.zz = inertia.zz * unit;
    inertia.xy = inertia.xy * unit;
    inertia.xz = inertia.xz * unit;
    inertia.yz = inertia.yz * unit;
    real3 momentum = sym3_times(inertia, spin);
    real3 error = dt * cross3(spin, momentum);
    // J = I + dt/2 (skew(w) I - skew(I w)), by columns
    f32 half = 0.5f * dt;
    real3 cx = make_real3(inertia.xx, inertia.xy, inertia.xz),
          cy = make_real3(inertia.xy, inertia.yy, inertia.yz);
    real3 cz = make_real3(inertia.xz, inertia.yz, inertia.zz);
    real zero = to_real(0.0f);
    real3 jx = cx + half * (cross3(spin, cx) - make_real3(zero, momentum.z, -momentum.y));
    real3 jy = cy + half * (cross3(spin, cy) - make_real3(-momentum.z, zero, momentum.x));
    real3 jz = cz + half * (cross3(spin, cz) - make_real3(momentum.y, -momentum.x, zero));
    real3 yz = cross3(jy, jz);
    real det = dot3(jx, yz);
    mask solvable = magnitude(det) > 0.0f;
    real scale = to_real(-1.0f) / pick(solvable, det, to_real(1.0f));
    real3 change =
        make_real3(dot3(error, yz), dot3(jx, cross3(error, jz)), dot3(jx, cross3(jy, error))) * scale;
    return pick3(solvable, change, make_real3(zero, zero, zero));
}

KERNEL_FN void body_begin(u32 item, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    const u32 lanes = lane_bits(there);
    real4 rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA_REST);
    real4 limits = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_LIMITS);
    real4 inverse0 = gather_quad(w.inverse_mass, i, 2, 0), inverse1 = gather_quad(w.inverse_mass, i, 2, 1);
    sym3 inverse = gather_inertia(inverse0, inverse1);
    whole locks = as_whole(rest.w);
    real4 force4 = gather_quad(w.force, i, 2, 0);
    real3 force = xyz(force4), torque = xyz(gather_quad(w.force, i, 2, 1));
    real3 linear = unlocked3(locks, 0, rest.z * gravity_of(w) + inverse1.z * force);

    sym3 inertia = gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA), rest);
    mat3 turn = quat_matrix(quat_of(gather_quad(w.rotation, i, 1, 0)));
    real4 v = gather_quad(w.motion, i, 4, 0), spin4 = gather_quad(w.motion, i, 4, 1);
    real3 spin = xyz(spin4);
    real3 change = mat3_times(turn, gyroscopic_change(inertia, mat3_transposed_times(turn, spin), p.dt));
    // that is along the body's axes, which turn meanwhile by the mean spin: it grows in equal parts before each substep
    f32 share = 0.5f + 0.5f * p.h / p.dt;
    real3 way = (0.5f * p.dt) * (spin + share * change);
    real3 across = (0.5f * p.dt * (1.0f - share)) * cross3(spin, change); // way x (spin + change)
    change = change + (2.0f / (1.0f + dot3(way, way))) * (across + cross3(way, across));
    mask moves = inverse1.z > 0.0f;
    real3 zero3 = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    real3 gyroscopic = pick3(moves, change * (to_real(1.0f) / to_real(p.dt)), zero3);
    real3 angular = unlocked3(locks, LOCK_TURN, sym3_times(inverse, torque) + gyroscopic);
    scatter_quad(w.kick, i, KICK_QUADS, KICK_LINEAR,
                 with_w(pick3(moves, linear, zero3), to_real(1.0f) / (1.0f + p.h * limits.x)), lanes);
    scatter_quad(w.kick, i, KICK_QUADS, KICK_ANGULAR,
                 with_w(angular, to_real(1.0f) / (1.0f + p.h * limits.y)), lanes);
    scatter_quad(w.kick, i, KICK_QUADS, KICK_BEGIN, with_w(xyz(v), force4.w), lanes);
    scatter_quad(w.kick, i, KICK_QUADS, KICK_BEGIN + 1, spin4, lanes);
}

/// A rate, or 0 where it adds nothing to the other number within a step of up to 16 s: the sum has the same bits. Products of
/// such rates are often below the least normal float, which some processors compute a hundred times slower.
KERNEL_FN real unless_lost(real small, real large) {
    const mask lost = (as_whole(small) & 0x7fffffff) < (as_whole(large) & 0x7fffffff) - (30 << 23);
    return pick(lost, to_real(0.0f), small);
}
KERNEL_FN real4 kick_unless_lost(real4 kick, real3 v) {
    return make_real4(unless_lost(kick.x, v.x), unless_lost(kick.y, v.y), unless_lost(kick.z, v.z), kick.w);
}

/// a substep of forces and damping
KERNEL_FN real3 kicked(real3 v, real4 kick, f32 h) { return (v + h * xyz(kick)) * kick.w; }

KERNEL_FN void body_velocity(u32 item, u32 first, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    const u32 lanes = lane_bits(there);
    real3 v = xyz(gather_quad(w.motion, i, 4, 0)), spin = xyz(gather_quad(w.motion, i, 4, 1));
    real3 free_v = kicked(v, gather_quad(w.kick, i, KICK_QUADS, KICK_LINEAR), p.h);
    // a body that hardly turns has next to no gyroscopic torque
    real4 kick_spin = kick_unless_lost(gather_quad(w.kick, i, KICK_QUADS, KICK_ANGULAR), spin);
    real3 free_spin = kicked(spin, kick_spin, p.h);
    real zero = to_real(0.0f);
    real3 now_v = free_v, now_spin = free_spin;
    if (!first) {
        now_v = free_v + (v - xyz(gather_quad(w.free, i, 2, 0)));
        now_spin = free_spin + (spin - xyz(gather_quad(w.free, i, 2, 1)));
    }
    scatter_quad(w.free, i, 2, 0, with_w(free_v, zero), lanes);
    scatter_quad(w.free, i, 2, 1, with_w(free_spin, zero), lanes);
    scatter_quad(w.motion, i, 4, 0, with_w(now_v, zero), lanes);
    scatter_quad(w.motion, i, 4, 1, with_w(now_spin, zero), lanes);
}

/// v no longer than the limit
KERNEL_FN real3 limited3(real3 v, real limit) {
    real square = dot3(v, v);
    mask over = square > limit * limit;
    return v * pick(over, limit / root(pick(over, square, to_real(1.0f))), to_real(1.0f));
}

KERNEL_FN void body_position(u32 item, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    const u32 lanes = lane_bits(there);
    whole locks = as_whole(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA_REST).w);
    real4 limits = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_LIMITS);
    real3 v = unlocked3(locks, 0, limited3(xyz(gather_quad(w.motion, i, 4, 0)), limits.z));
    real3 spin = unlocked3(locks, LOCK_TURN, limited3(xyz(gather_quad(w.motion, i, 4, 1)), limits.w));
    real3 moved = xyz(gather_quad(w.motion, i, 4, 2)) + p.h * v;
    quat turned = quat_of(gather_quad(w.motion, i, 4, 3));
    quat change = quat_product(make_quat(to_real(0.0f), spin.x, spin.y, spin.z), turned);
    real half = to_real(0.5f * p.h);
    turned = make_quat(turned.s + half * change.s, turned.x + half * change.x, turned.y + half * change.y,
                       turned.z + half * change.z);
    real scale = to_real(1.0f) / root(quat_square(turned));
    real zero = to_real(0.0f);
    scatter_quad(w.motion, i, 4, 0, with_w(v, zero), lanes);
    scatter_quad(w.motion, i, 4, 1, with_w(spin, zero), lanes);
    scatter_quad(w.motion, i, 4, 2, with_w(moved, zero), lanes);
    scatter_quad(w.motion, i, 4, 3,
                 make_real4(turned.x * scale, turned.y * scale, turned.z * scale, turned.s * scale), lanes);
}

/// R M R^T of a symmetric matrix
KERNEL_FN sym3 sym3_rotated(mat3 r, sym3 m) {
    real3 x = sym3_times(m, r.x), y = sym3_times(m, r.y), z = sym3_times(m, r.z);
    sym3 out;
    out.xx = dot3(r.x, x);
    out.yy = dot3(r.y, y);
    out.zz = dot3(r.z, z);
    out.xy = dot3(r.x, y);
    out.xz = dot3(r.x, z);
    out.yz = dot3(r.y, z);
    return out;
}

/// The inverse inertia of a body at a rotation, in the world's axes; turns that are locked have no row and no column. body_finish
/// rounds otherwise.
KERNEL_FN sym3 inverse_inertia_at(sym3 own, quat rotation, whole locks) {
    mat3 turn = quat_matrix(rotation);
    real3 x = mat3_times(turn, sym3_times(own, turn.x)), y = mat3_times(turn, sym3_times(own, turn.y)),
          z = mat3_times(turn, sym3_times(own, turn.z));
    real tx = unlocked(locks, LOCK_TURN), ty = unlocked(locks, LOCK_TURN + 1),
         tz = unlocked(locks, LOCK_TURN + 2);
    sym3 out;
    out.xx = x.x * tx;
    out.yy = y.y * ty;
    out.zz = z.z * tz;
    out.xy = x.y * tx * ty;
    out.xz = x.z * tx * tz;
    out.yz = y.z * ty * tz;
    return out;
}

struct FreeMotion_t {
    real3 v, moved;
};
typedef struct FreeMotion_t FreeMotion;

/// What forces alone would have made of a velocity, and of the way, rounded as in the substeps.
KERNEL_FN FreeMotion free_motion(real3 begin, real4 kick, const RigidStep p) {
    FreeMotion free;
    free.v = begin;
    free.moved = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    for (u32 k = 0; k < p.substeps; ++k) {
        free.v = kicked(free.v, kick, p.h);
        free.moved = free.moved + p.h * free.v;
    }
    return free;
}

/// of each component the one nearer to 0, without its sign
KERNEL_FN real3 lesser3(real3 a, real3 b) {
    return make_real3(least(magnitude(a.x), magnitude(b.x)), least(magnitude(a.y), magnitude(b.y)),
                      least(magnitude(a.z), magnitude(b.z)));
}

KERNEL_FN mask equal3(real3 a, real3 b) { return both(both(a.x == b.x, a.y == b.y), a.z == b.z); }

/// The velocity at the step's end: begin + dt kick as far as forces made it, and what constraints changed. A damped one is
/// as it was in the step.
KERNEL_FN exact velocity_ended(real v, real free, real begin, real carried, real kick, mask damped, f32 dt) {
    exact gain = exact_product(to_real(dt), kick), sum = exact_sum(begin, gain.high);
    exact all = exact_plus(exact_of(sum.high, sum.low + (gain.low + carried)), v - free);
    return make_exact(pick(damped, v, all.high), pick(damped, to_real(0.0f), all.low));
}
KERNEL_FN exact3 velocity_ended3(real3 v, real3 free, real3 begin, real3 carried, real4 kick, f32 dt) {
    mask damped = kick.w < 1.0f;
    return make_exact3(velocity_ended(v.x, free.x, begin.x, carried.x, kick.x, damped, dt),
                       velocity_ended(v.y, free.y, begin.y, carried.y, kick.y, damped, dt),
                       velocity_ended(v.z, free.z, begin.z, carried.z, kick.z, damped, dt));
}

/// The way of a body in dt: where it flies dt (begin + more), which is exact, or else as far as the substeps moved it.
KERNEL_FN exact way_of(real moved, mask flies, real begin, real begin_low, real more, f32 dt) {
    exact way = exact_product(to_real(dt), begin);
    return make_exact(pick(flies, way.high, moved),
                      pick(flies, way.low + dt * (begin_low + more), to_real(0.0f)));
}
KERNEL_FN exact position_ended(real at, real at_low, exact way) {
    exact sum = exact_sum(at, way.high);
    return exact_of(sum.high, sum.low + (at_low + way.low));
}

struct ExactTurn_t {
    quat high, low;
};
typedef struct ExactTurn_t ExactTurn;

/// A rotation turned by another, mostly a small one, as a unit quaternion of two floats.
KERNEL_FN ExactTurn rotation_ended(quat q, quat q_low, quat turned) {
    // more than half a turn: the same the other way round
    real sign = pick(turned.s < 0.0f, to_real(-1.0f), to_real(1.0f));
    turned = make_quat(turned.s * sign, turned.x * sign, turned.y * sign, turned.z * sign);
    // the scalar part less one: of a small turn that is small too
    real less = -((turned.x * turned.x + turned.y * turned.y) + turned.z * turned.z) / (1.0f + turned.s);
    quat change = quat_product(make_quat(less, turned.x, turned.y, turned.z), q);
    exact s = exact_plus(make_exact(q.s, q_low.s), change.s),
          x = exact_plus(make_exact(q.x, q_low.x), change.x);
    exact y = exact_plus(make_exact(q.y, q_low.y), change.y),
          z = exact_plus(make_exact(q.z, q_low.z), change.z);
    // half of what its square has too much, which one factor takes away
    exact ss = exact_product(s.high, s.high), xx = exact_product(x.high, x.high);
    exact yy = exact_product(y.high, y.high), zz = exact_product(z.high, z.high);
    exact sum = exact_sum(ss.high, xx.high), more = exact_sum(yy.high, zz.high);
    exact all = exact_sum(sum.high, more.high);
    real low = ((s.high * s.low + x.high * x.low) + (y.high * y.low + z.high * z.low)) * 2.0f;
    low = low + (((ss.low + xx.low) + (yy.low + zz.low)) + ((sum.low + more.low) + all.low));
    real excess = -0.5f * ((all.high - 1.0f) + low);
    s = exact_of(s.high, s.low + excess * s.high);
    x = exact_of(x.high, x.low + excess * x.high);
    y = exact_of(y.high, y.low + excess * y.high);
    z = exact_of(z.high, z.low + excess * z.high);
    ExactTurn out;
    out.high = make_quat(s.high, x.high, y.high, z.high);
    out.low = make_quat(s.low, x.low, y.low, z.low);
    return out;
}

/// the step of a body in free flight
KERNEL_FN void body_flight(Flown* out, lane_indices i, real3 begin_v, real3 begin_spin, const BodyView w,
                           const RigidStep p) {
    real4 inertia_rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA_REST);
    real4 inverse_rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE_REST);
    real4 limits = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_LIMITS);
    Flight f;
    f.v = begin_v;
    f.spin = begin_spin;
    f.torque = xyz(gather_quad(w.force, i, 2, 1));
    f.pull = inertia_rest.z * gravity_of(w) + inverse_rest.z * xyz(gather_quad(w.force, i, 2, 0));
    f.rotation = quat_of(gather_quad(w.rotation, i, 1, 0));
    f.inertia = gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA), inertia_rest);
    f.inverse = gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE), inverse_rest);
    f.damping = limits.x;
    f.turn_damping = limits.y;
    runge_kutta(out, &f, p.dt);
}

/// the step's end: new pose, inertia in it, and what sleeping and the quarantine want to know. A body with a number that is
/// not finite stays where it was.
KERNEL_FN void body_finish(u32 item, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    real zero = to_real(0.0f), one = to_real(1.0f);
    real4 begin = gather_quad(w.kick, i, KICK_QUADS, KICK_BEGIN);
    real3 begin_v = xyz(begin);
    real3 begin_spin = xyz(gather_quad(w.kick, i, KICK_QUADS, KICK_BEGIN + 1));
    real3 carried_v = xyz(gather_quad(w.carry, i, CARRY_QUADS, CARRY_VELOCITY));
    real4 kick_v = gather_quad(w.kick, i, KICK_QUADS, KICK_LINEAR);
    real4 kick_spin = gather_quad(w.kick, i, KICK_QUADS, KICK_ANGULAR);
    real3 now_v = xyz(gather_quad(w.motion, i, 4, 0)), now_spin = xyz(gather_quad(w.motion, i, 4, 1));
    FreeMotion free = free_motion(begin_v, kick_v, p);
    // the spin shrinks where it is damped, and a small kick may count then
    real3 zero3 = make_real3(zero, zero, zero);
    real3 free_spin =
        free_motion(begin_spin, kick_unless_lost(kick_spin, pick3(kick_spin.w < 1.0f, zero3, begin_spin)), p)
            .v;
    real4 inertia_rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA_REST);
    whole locks = as_whole(inertia_rest.w);
    real4 rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE_REST);
    real3 moved = xyz(gather_quad(w.motion, i, 4, 2));
    quat turned = quat_of(gather_quad(w.motion, i, 4, 3));
    const mask untouched = both(equal3(now_v, free.v), equal3(moved, free.moved));
    mask flies = both(untouched, no(kick_v.w < 1.0f));
    // Gravity acts on the mean velocity of a step; forces act on the later one, as elsewhere, which keeps springs made of forces
    // stable. Where fields act gravity does too: they may balance each other.
    real3 more = zero3;
    if (p.runge_kutta || any(flies)) {
        real3 later = xyz(kick_v);
        if (p.parabolas)
            later = pick3(both(rest.z > 0.0f, no(begin.w > 0.0f)),
                          later - unlocked3(locks, 0, inertia_rest.z * gravity_of(w)), later);
        more = 0.5f * (p.dt * xyz(kick_v) + p.h * later);
    }
    if (p.runge_kutta) {
        mask free_flight =
            both(both(untouched, equal3(now_spin, free_spin)), both(rest.z > 0.0f, locks == 0));
        Flown flown;
        body_flight(&flown, i, begin_v, begin_spin, w, p);
        kick_v = with_w(pick3(free_flight, flown.pull, xyz(kick_v)), pick(free_flight, one, kick_v.w));
        kick_spin =
            with_w(pick3(free_flight, flown.turn, xyz(kick_spin)), pick(free_flight, one, kick_spin.w));
        more = pick3(free_flight, flown.more, more);
        flies = either(flies, free_flight);
        turned = make_quat(
            pick(free_flight, flown.turned.s, turned.s), pick(free_flight, flown.turned.x, turned.x),
            pick(free_flight, flown.turned.y, turned.y), pick(free_flight, flown.turned.z, turned.z));
    }
    exact3 v_ended = velocity_ended3(now_v, free.v, begin_v, carried_v, kick_v, p.dt);
    real3 carried_spin = xyz(gather_quad(w.carry, i, CARRY_QUADS, CARRY_SPIN));
    kick_spin = kick_unless_lost(kick_spin, lesser3(begin_spin, carried_spin));
    exact3 spin_ended = velocity_ended3(now_spin, free_spin, begin_spin, carried_spin, kick_spin, p.dt);
    real3 v = high3(v_ended), spin = high3(spin_ended);

    // what no constraint touched flies along its parabola (soft step)
    real4 position = gather_quad(w.position, i, 1, 0),
          low = gather_quad(w.carry, i, CARRY_QUADS, CARRY_POSITION);
    exact3 way_gone =
        make_exact3(make_exact(moved.x, zero), make_exact(moved.y, zero), make_exact(moved.z, zero));
    if (any(flies))
        way_gone = make_exact3(way_of(moved.x, flies, begin_v.x, carried_v.x, more.x, p.dt),
                               way_of(moved.y, flies, begin_v.y, carried_v.y, more.y, p.dt),
                               way_of(moved.z, flies, begin_v.z, carried_v.z, more.z, p.dt));
    exact3 at_ended = make_exact3(position_ended(position.x, low.x, way_gone.x),
                                  position_ended(position.y, low.y, way_gone.y),
                                  position_ended(position.z, low.z, way_gone.z));
    real3 at = high3(at_ended), at_low = low3(at_ended);
    ExactTurn turn = rotation_ended(quat_of(gather_quad(w.rotation, i, 1, 0)),
                                    quat_of(gather_quad(w.carry, i, CARRY_QUADS, CARRY_ROTATION)), turned);
    quat q = turn.high;
    mask fine = both(both(finite3(v), finite3(spin)),
                     both(finite3(at), both(is_finite(q.s), finite3(make_real3(q.x, q.y, q.z)))));
    sym3 inverse = sym3_rotated(
        quat_matrix(q), gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE), rest));
    real tx = unlocked(locks, LOCK_TURN), ty = unlocked(locks, LOCK_TURN + 1),
         tz = unlocked(locks, LOCK_TURN + 2);
    const u32 lanes = lane_bits(both(there, fine)), all = lane_bits(there);
    scatter_quad(w.position, i, 1, 0, with_w(at, fine_word(at_low)), lanes);
    scatter_quad(w.rotation, i, 1, 0, make_real4(q.x, q.y, q.z, q.s), lanes);
    scatter_quad(w.carry, i, CARRY_QUADS, CARRY_POSITION, with_w(at_low, zero), lanes);
    scatter_quad(w.carry, i, CARRY_QUADS, CARRY_ROTATION,
                 make_real4(turn.low.x, turn.low.y, turn.low.z, turn.low.s), lanes);
    scatter_quad(w.carry, i, CARRY_QUADS, CARRY_VELOCITY, with_w(low3(v_ended), zero), lanes);
    scatter_quad(w.carry, i, CARRY_QUADS, CARRY_SPIN, with_w(low3(spin_ended), zero), lanes);
    scatter_quad(w.inverse_mass, i, 2, 0,
                 make_real4(inverse.xx * tx, inverse.yy * ty, inverse.zz * tz, inverse.xy * (tx * ty)),
                 lanes);
    scatter_quad(w.inverse_mass, i, 2, 1,
                 make_real4(inverse.xz * (tx * tz), inverse.yz * (ty * tz), rest.z, as_real(locks)), lanes);
    scatter_quad(w.motion, i, 4, 0, with_w(v, zero), lanes);
    scatter_quad(w.motion, i, 4, 1, with_w(spin, zero), lanes);
    if (p.continuous) {
        // Those that went far are swept, from where they were (rigid_sweep.h). `free` is done with; its first w is 0.
        real3 shift = (at - xyz(position)) + (at_low - xyz(low));
        real way = length3(shift) + 2.0f * rest.w * length3(make_real3(turned.x, turned.y, turned.z));
        real most = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_SWEEP).x;
        mask fast = way > most;
        const u32 kept = p.continuous > 1 ? lanes : lanes & lane_bits(fast);
        if (kept) {
            scatter_quad(w.free, i, 2, 0, with_w(shift, pick(fast, to_real(SWEPT), to_real(MOVED))), kept);
            scatter_quad(w.free, i, 2, 1, make_real4(turned.x, turned.y, turned.z, turned.s), kept);
        }
        if (lanes & lane_bits(both(fast, most >= 0.0f))) raise_flag(w.swept, 0);
    }
    scatter_quad(w.motion, i, 4, 2, make_real4(zero, zero, zero, zero), all);
    scatter_quad(w.motion, i, 4, 3, make_real4(zero, zero, zero, one), all);
    real fastest = length3(v) + rest.w * length3(spin);
    alignas(4 * SCREE_LANES) f32 speeds[SCREE_LANES];
    store(speeds, pick(fine, fastest, to_real(-1.0f)));
    for (u32 l = 0; l < SCREE_LANES; ++l)
        if (all >> l & 1) w.rest[i.at[l]] = speeds[l];
}
