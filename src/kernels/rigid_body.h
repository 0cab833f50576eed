// SPDX-License-Identifier: MIT
// rigid_body.h — bodies of the soft-step solver: forces, velocities, positions.   compiles as: host, lanes, cuda
//
// Each function handles as many awake bodies as there are lanes. A substep warm-starts without looking at contacts: their
// impulses of the substep before are the change of velocity that remains when forces are taken away, and that is known
// for each body (`free` holds the velocity as forces alone would have made it).

// quads of a body's constants
#define BODY_CONSTANTS 5
#define BODY_INERTIA 0      // body frame: xx yy zz xy
#define BODY_INERTIA_REST 1 // xz yz, gravity scale, locks (rigid_locks.h)
#define BODY_LIMITS 2       // linear damping, angular damping, largest speed, largest angular speed
#define BODY_INVERSE 3      // inverse inertia, body frame: xx yy zz xy
#define BODY_INVERSE_REST 4 // xz yz, inverse mass, radius

struct BodyView {
    f32* position;
    f32* rotation;
    f32* motion;
    f32* inverse_mass;
    const f32* constants;
    const f32* force; // two quads: force and torque for this step
    f32* kick;        // two quads: acceleration and 1/(1 + h damping), linear and angular
    f32* free;        // two quads: velocity without constraints
    f32* rest;        // how fast the farthest point moves; -1: a number is not finite
    f32* change;      // two quads: V' of the projected SOR (rigid_sor.h); not used by others
    const u32* awake; // padded with 0xffffffff
    f32 gravity_x, gravity_y, gravity_z;
};

/// I v for a body-frame inertia
KERNEL_FN sym3 constants_inertia(const BodyView w, lane_indices i, u32 first) {
    return gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, first),
                          gather_quad(w.constants, i, BODY_CONSTANTS, first + 1));
}

/// The spin after dt without torque, in the body's frame: one Newton step of the implicit midpoint rule, whose solution
/// keeps energy and momentum. (Catto, GDC 2015, takes implicit Euler, which loses a fifth of the energy in ten seconds at
/// 5 rad/s.)
KERNEL_FN real3 gyroscopic_spin(sym3 inertia, real3 spin, f32 dt) {
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
    real scale = to_real(1.0f) / pick(solvable, det, to_real(1.0f));
    real3 change =
        make_real3(dot3(error, yz), dot3(jx, cross3(error, jz)), dot3(jx, cross3(jy, error))) * scale;
    return pick3(solvable, spin - change, spin);
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
    real3 force = xyz(gather_quad(w.force, i, 2, 0)), torque = xyz(gather_quad(w.force, i, 2, 1));
    real3 gravity = make_real3(to_real(w.gravity_x), to_real(w.gravity_y), to_real(w.gravity_z));
    real3 linear = unlocked3(locks, 0, rest.z * gravity + inverse1.z * force);

    sym3 inertia = gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA), rest);
    mat3 turn = quat_matrix(quat_of(gather_quad(w.rotation, i, 1, 0)));
    real3 spin = xyz(gather_quad(w.motion, i, 4, 1));
    real3 local = mat3_transposed_times(turn, spin);
    real3 after = mat3_times(turn, gyroscopic_spin(inertia, local, p.dt));
    // that is along the body's axes, which turn meanwhile by the mean spin: it grows in equal parts before each substep
    real3 way = (0.5f * p.dt) * (spin + (0.5f + 0.5f * p.h / p.dt) * (after - spin));
    real3 across = cross3(way, after);
    after = after + (2.0f / (1.0f + dot3(way, way))) * (across + cross3(way, across));
    mask moves = inverse1.z > 0.0f;
    real3 zero3 = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    real3 gyroscopic = pick3(moves, (after - spin) * (to_real(1.0f) / to_real(p.dt)), zero3);
    real3 angular = unlocked3(locks, LOCK_TURN, sym3_times(inverse, torque) + gyroscopic);
    scatter_quad(w.kick, i, 2, 0,
                 with_w(pick3(moves, linear, zero3), to_real(1.0f) / (1.0f + p.h * limits.x)), lanes);
    scatter_quad(w.kick, i, 2, 1, with_w(angular, to_real(1.0f) / (1.0f + p.h * limits.y)), lanes);
}

KERNEL_FN void body_velocity(u32 item, u32 first, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    const u32 lanes = lane_bits(there);
    real3 v = xyz(gather_quad(w.motion, i, 4, 0)), spin = xyz(gather_quad(w.motion, i, 4, 1));
    real4 linear = gather_quad(w.kick, i, 2, 0), angular = gather_quad(w.kick, i, 2, 1);
    real3 free_v = (v + p.h * xyz(linear)) * linear.w, free_spin = (spin + p.h * xyz(angular)) * angular.w;
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

/// the step's end: new pose, inertia in it, and what sleeping and the quarantine want to know. A body with a number that is
/// not finite stays where it was.
KERNEL_FN void body_finish(u32 item, const BodyView w, const RigidStep p) {
    whole body = load_whole(w.awake, item);
    mask there = body >= 0;
    const lane_indices i = indices_of(pick_whole(there, body, whole_from(0u)));
    real4 position = gather_quad(w.position, i, 1, 0), old_turn = gather_quad(w.rotation, i, 1, 0);
    real3 v = xyz(gather_quad(w.motion, i, 4, 0)), spin = xyz(gather_quad(w.motion, i, 4, 1));
    real3 moved = xyz(gather_quad(w.motion, i, 4, 2));
    quat turned = quat_of(gather_quad(w.motion, i, 4, 3));
    real3 at = xyz(position) + moved;
    quat turn = quat_product(turned, quat_of(old_turn));
    real scale = to_real(1.0f) / root(quat_square(turn));
    turn = make_quat(turn.s * scale, turn.x * scale, turn.y * scale, turn.z * scale);
    mask fine = both(both(finite3(v), finite3(spin)),
                     both(finite3(at), both(is_finite(turn.s), finite3(make_real3(turn.x, turn.y, turn.z)))));
    real4 rest = gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE_REST);
    whole locks = as_whole(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INERTIA_REST).w);
    sym3 inverse = sym3_rotated(
        quat_matrix(turn), gather_inertia(gather_quad(w.constants, i, BODY_CONSTANTS, BODY_INVERSE), rest));
    real tx = unlocked(locks, LOCK_TURN), ty = unlocked(locks, LOCK_TURN + 1),
         tz = unlocked(locks, LOCK_TURN + 2);
    real zero = to_real(0.0f), one = to_real(1.0f);
    const u32 lanes = lane_bits(both(there, fine)), all = lane_bits(there);
    scatter_quad(w.position, i, 1, 0, with_w(at, position.w), lanes);
    scatter_quad(w.rotation, i, 1, 0, make_real4(turn.x, turn.y, turn.z, turn.s), lanes);
    scatter_quad(w.inverse_mass, i, 2, 0,
                 make_real4(inverse.xx * tx, inverse.yy * ty, inverse.zz * tz, inverse.xy * (tx * ty)),
                 lanes);
    scatter_quad(w.inverse_mass, i, 2, 1,
                 make_real4(inverse.xz * (tx * tz), inverse.yz * (ty * tz), rest.z, as_real(locks)), lanes);
    scatter_quad(w.motion, i, 4, 2, make_real4(zero, zero, zero, zero), all);
    scatter_quad(w.motion, i, 4, 3, make_real4(zero, zero, zero, one), all);
    real fastest = length3(v) + rest.w * length3(spin);
    alignas(4 * SCREE_LANES) f32 speeds[SCREE_LANES];
    store(speeds, pick(fine, fastest, to_real(-1.0f)));
    for (u32 l = 0; l < SCREE_LANES; ++l)
        if (all >> l & 1) w.rest[i.at[l]] = speeds[l];
    (void)p;
}
