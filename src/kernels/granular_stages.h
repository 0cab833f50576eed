// SPDX-License-Identifier: MIT
// granular_stages.h — the stages of a granular step that run alike in one lane and in many.   compiles as: host, lanes, cuda, opencl
//
// Item i of a stage stands for the items i … i + lanes - 1. Arrays are padded, so the last lanes need no care.

KERNEL_FN mask granular_asleep(real rest, GranularParams p) {
    return either(rest < 0.0f, both(truth(p.sleeping != 0), rest >= p.sleep_delay));
}

/// insert: the cell of particle i
KERNEL_FN void granular_place(u32 i, GranularView w, GranularParams p) {
    whole number = lane_index(i);
    whole body = load_whole(w.particle_body, i);
    whole shape = as_whole(gather4(w.body_spin, body).w);
    whole first = as_whole(gather4(w.body_omega, body).w);
    // the lanes behind the last particle look at the first entry
    whole entry = pick_whole(number < (i32)p.particles, gather_whole(w.shape_first, shape) + (number - first),
                             whole_from(0u));
    real4 offset = gather4(w.shape_offset, entry);
    real4 x = gather4(w.body_position, body);
    real4 q = gather4(w.body_rotation, body);
    real3 at = granular_particle_position(make_real3(x.x, x.y, x.z), make_quat(q.x, q.y, q.z, q.w),
                                          make_real3(offset.x, offset.y, offset.z));
    store_whole(w.cell_key, i, granular_key(at, p));
    store_whole(w.order, i, number);
}

/// gather: position and velocity of the particle at place i of the sorted order
KERNEL_FN void granular_gather(u32 i, GranularView w, GranularParams p) {
    whole number = load_whole(w.order, i);
    whole body = gather_whole(w.particle_body, number);
    real4 spin = gather4(w.body_spin, body);
    real4 omega = gather4(w.body_omega, body);
    whole entry = gather_whole(w.shape_first, as_whole(spin.w)) + (number - as_whole(omega.w));
    entry = pick_whole(number < (i32)p.particles, entry, whole_from(0u));
    real4 offset = gather4(w.shape_offset, entry);
    real4 x = gather4(w.body_position, body);
    real4 q = gather4(w.body_rotation, body);
    real4 m = gather4(w.body_momentum, body);
    GranularParticle a = granular_particle(
        make_real3(x.x, x.y, x.z), make_quat(q.x, q.y, q.z, q.w), make_real3(m.x, m.y, m.z) * x.w,
        make_real3(omega.x, omega.y, omega.z), make_real3(offset.x, offset.y, offset.z));
    whole bits = pick_whole(granular_asleep(m.w, p), body | (i32)GRANULAR_ASLEEP, body);
    store4(w.sorted_position, i, make_real4(a.position.x, a.position.y, a.position.z, offset.w));
    store4(w.sorted_velocity, i, make_real4(a.velocity.x, a.velocity.y, a.velocity.z, as_real(bits)));
}

/// momenta: the forces of body i's particles, in their order, change P and L
KERNEL_FN void granular_momenta(u32 i, GranularView w, GranularParams p) {
    real4 x = load4(w.body_position, i);
    real4 m = load4(w.body_momentum, i);
    real4 l = load4(w.body_spin, i);
    real4 q = load4(w.body_rotation, i);
    whole first = as_whole(load4(w.body_omega, i).w);
    whole shape = as_whole(l.w);
    whole count = as_whole(gather4(w.shape_inertia, shape).w);
    whole shape_first = gather_whole(w.shape_first, shape);
    mat3 turn = quat_matrix(make_quat(q.x, q.y, q.z, q.w));
    mask fixed = no(x.w > 0.0f);
    real mass = to_real(1.0f) / pick(fixed, to_real(1.0f), x.w);
    real3 force = make_real3(mass * p.gravity_x, mass * p.gravity_y, mass * p.gravity_z);
    real3 torque = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    i32 most = largest_lane(count);
    for (i32 k = 0; k < most; ++k) {
        mask here = k < count;
        whole step = pick_whole(here, whole_from((u32)k), whole_from(0u));
        whole number = pick_whole(here, first + step, whole_from(0u));
        real4 f = gather4(w.force, number);
        real2 rest_of_torque = gather2(w.torque, number);
        real3 own = make_real3(f.w, rest_of_torque.x, rest_of_torque.y);
        real4 offset = gather4(w.shape_offset, shape_first + step);
        real3 push = make_real3(f.x, f.y, f.z);
        real3 arm = mat3_times(turn, make_real3(offset.x, offset.y, offset.z));
        force = pick3(here, force + push, force);
        torque = pick3(here, torque + (cross3(arm, push) + own), torque);
    }
    GranularMotion kicked =
        granular_kicked(make_real3(m.x, m.y, m.z), make_real3(l.x, l.y, l.z), force, torque, mass, p);
    mask woken = both(truth(p.sleeping != 0), both(load_whole(w.body_wake, i) != 0, m.w >= 0.0f));
    real rest = pick(woken, to_real(0.0f), m.w);
    mask moves = both(no(fixed), no(granular_asleep(m.w, p)));
    real3 P = pick3(moves, kicked.momentum, make_real3(m.x, m.y, m.z));
    real3 L = pick3(moves, kicked.spin, make_real3(l.x, l.y, l.z));
    store4(w.body_momentum, i, make_real4(P.x, P.y, P.z, rest));
    store4(w.body_spin, i, make_real4(L.x, L.y, L.z, l.w));
}

/// body step: position and rotation of body i; sleep; quarantine of what is not finite any more
KERNEL_FN void granular_move(u32 i, GranularView w, GranularParams p) {
    real4 x = load4(w.body_position, i);
    real4 q = load4(w.body_rotation, i);
    real4 m = load4(w.body_momentum, i);
    real4 l = load4(w.body_spin, i);
    real4 old = load4(w.body_omega, i);
    real4 inertia = gather4(w.shape_inertia, as_whole(l.w));
    quat before = make_quat(q.x, q.y, q.z, q.w);
    real3 P = make_real3(m.x, m.y, m.z);
    real3 L = make_real3(l.x, l.y, l.z);
    real3 velocity = P * x.w;
    real3 omega = granular_angular_velocity(before, make_real3(inertia.x, inertia.y, inertia.z), x.w, L);
    real3 centre = make_real3(x.x, x.y, x.z) + velocity * p.time_step;
    quat after = quat_kept_unit(quat_turned(before, omega, p.time_step), 1e-5f);

    mask was_frozen = m.w < 0.0f;
    mask still = granular_asleep(m.w, p);
    mask finite = both(both(finite3(centre), finite3(omega)), both(finite3(P), finite3(L)));
    mask sane = both(finite, both(both(is_finite(after.s), is_finite(after.x)),
                                  both(is_finite(after.y), is_finite(after.z))));
    mask stops = either(still, no(sane));

    // at rest: slow, and slow at the surface of a particle-sized body
    mask slow = both(dot3(velocity, velocity) < p.sleep_speed * p.sleep_speed,
                     dot3(omega, omega) * (p.rest_radius * p.rest_radius) < p.sleep_speed * p.sleep_speed);
    real rest = pick(slow, least(m.w + p.time_step, to_real(p.sleep_delay)), to_real(0.0f));
    rest = pick(still, m.w, rest);
    rest = pick(either(was_frozen, no(sane)), to_real(-1.0f), rest);
    mask sleeps = either(granular_asleep(rest, p), stops);
    real3 zero = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    P = pick3(sleeps, zero, P);
    L = pick3(sleeps, zero, L);
    omega = pick3(sleeps, zero, omega);
    store4(
        w.body_position, i,
        make_real4(pick(stops, x.x, centre.x), pick(stops, x.y, centre.y), pick(stops, x.z, centre.z), x.w));
    store4(w.body_rotation, i,
           make_real4(pick(stops, q.x, after.s), pick(stops, q.y, after.x), pick(stops, q.z, after.y),
                      pick(stops, q.w, after.z)));
    store4(w.body_momentum, i, make_real4(P.x, P.y, P.z, rest));
    store4(w.body_spin, i, make_real4(L.x, L.y, L.z, l.w));
    store4(w.body_omega, i, make_real4(omega.x, omega.y, omega.z, old.w));
    store_whole(w.body_wake, i, whole_from(0u));
}
