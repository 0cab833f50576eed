// SPDX-License-Identifier: MIT
// cloth_motion.h — the first stage of a cloth's step: motion by springs, or by projected positions.   compiles as: host, lanes, cuda, opencl, glsl
//
// After "Using the GPU of mobile devices in cloth dynamics simulation", Łódź University of Technology, 2016. An item is a vertex: it
// gathers from its twelve neighbours and writes itself, so every spring is computed twice and none needs an atomic.

KERNEL_FN real3 cloth_point(real4 a) { return make_real3(a.x, a.y, a.z); }

/// 1 where the neighbour exists
KERNEL_FN real cloth_exists(whole neighbour, whole own) {
    return pick(neighbour != own, to_real(1.0f), to_real(0.0f));
}

KERNEL_FN mask cloth_sane(real3 x, ClothParams p) {
    mask near =
        both(both(magnitude(x.x) < p.farthest, magnitude(x.y) < p.farthest), magnitude(x.z) < p.farthest);
    return both(finite3(x), near);
}

/// `to`, or `from` where the vertex is held or would leave the numbers; the latter stops it for good
KERNEL_FN real4 cloth_settled(real4 from, real3 to, ClothParams p) {
    mask moves = from.w > 0.0f;
    mask sane = cloth_sane(to, p);
    real3 x = pick3(both(moves, sane), to, cloth_point(from));
    return make_real4(x.x, x.y, x.z, pick(both(moves, no(sane)), to_real(-1.0f), from.w));
}

/// Verlet's step from external forces: gravity and drag by speed; `push` is an acceleration besides
KERNEL_FN real3 cloth_predicted(real3 x, real3 before, real3 push, ClothParams p) {
    real3 moved = x - before;
    real3 gravity = make_real3(to_real(p.gravity_x), to_real(p.gravity_y), to_real(p.gravity_z));
    real3 acceleration = (push + gravity) - moved * (p.inverse_step * p.drag);
    return (x + moved) + acceleration * p.step_square;
}

/// the force of one spring on a vertex at x with velocity v: Hooke's, and damping along the spring
KERNEL_FN real3 cloth_spring(ClothView w, ClothParams p, real3 x, real3 v, whole own, whole neighbour,
                             f32 rest, f32 stiffness, f32 damping) {
    real3 other = cloth_point(gather4(w.position, neighbour));
    real3 other_before = cloth_point(gather4(w.last, neighbour));
    real3 apart = x - other;
    real size = length3(apart);
    mask together = no(size > 0.0f);
    real inverse = to_real(1.0f) / pick(together, to_real(1.0f), size);
    real pull = (size - rest) * stiffness;
    real lengthening = dot3(v - (other - other_before) * p.inverse_step, apart) * inverse;
    real damped = lengthening * damping;
    // the seed bounds damping on one side only, and by a force that has nothing to do with it
    real limit = magnitude(lengthening) * p.damping_limit;
    if (p.bounded_damping != 0u) damped = clamped(damped, -limit, limit);
    else damped = least(magnitude(pull), damped);
    return apart * (((damped - pull) * inverse) * cloth_exists(neighbour, own));
}

/// mass-spring model: forces of twelve springs, then Verlet's step
KERNEL_FN void cloth_swing(u32 i, ClothView w, ClothParams p) {
    whole own = lane_index(i);
    real4 here = load4(w.position, i);
    real3 x = cloth_point(here);
    real3 before = cloth_point(load4(w.last, i));
    real3 v = (x - before) * p.inverse_step;
    real4 a = load4(w.axis, i);
    real4 d = load4(w.diagonal, i);
    real4 s = load4(w.second, i);
    real3 f = cloth_spring(w, p, x, v, own, as_whole(a.x), p.rest_z, p.axis_stiffness, p.axis_damping);
    f = f + cloth_spring(w, p, x, v, own, as_whole(a.y), p.rest_x, p.axis_stiffness, p.axis_damping);
    f = f + cloth_spring(w, p, x, v, own, as_whole(a.z), p.rest_z, p.axis_stiffness, p.axis_damping);
    f = f + cloth_spring(w, p, x, v, own, as_whole(a.w), p.rest_x, p.axis_stiffness, p.axis_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(d.x), p.rest_across, p.diagonal_stiffness, p.diagonal_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(d.y), p.rest_across, p.diagonal_stiffness, p.diagonal_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(d.z), p.rest_across, p.diagonal_stiffness, p.diagonal_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(d.w), p.rest_across, p.diagonal_stiffness, p.diagonal_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(s.x), 2.0f * p.rest_z, p.second_stiffness, p.second_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(s.y), 2.0f * p.rest_x, p.second_stiffness, p.second_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(s.z), 2.0f * p.rest_z, p.second_stiffness, p.second_damping);
    f = f +
        cloth_spring(w, p, x, v, own, as_whole(s.w), 2.0f * p.rest_x, p.second_stiffness, p.second_damping);
    store4(w.next, i, cloth_settled(here, cloth_predicted(x, before, f * p.inverse_mass, p), p));
}

/// how far one distance constraint moves a vertex that is at x
KERNEL_FN real3 cloth_constraint(ClothView w, ClothParams p, real3 x, whole own, whole neighbour, f32 rest,
                                 f32 stiffness) {
    real4 other = gather4(w.position, neighbour);
    real3 apart = x - cloth_point(other);
    real size = length3(apart);
    mask together = no(size > 0.0f);
    real inverse = to_real(1.0f) / pick(together, to_real(1.0f), size);
    // the seed moves both ends by twice the error; by inverse masses it is half of it, or all against a held vertex
    real share = to_real(2.0f);
    if (p.weighted_projection != 0u) share = pick(other.w > 0.0f, to_real(0.5f), to_real(1.0f));
    real error = (size - rest) * (share * stiffness);
    return apart * (-(error * inverse) * cloth_exists(neighbour, own));
}

/// both members of a collinear pair act on the same position, the next pair on the result
KERNEL_FN real3 cloth_pair(ClothView w, ClothParams p, real3 x, whole own, real first, real opposite,
                           f32 rest, f32 stiffness) {
    real3 move = cloth_constraint(w, p, x, own, as_whole(first), rest, stiffness);
    return x + (move + cloth_constraint(w, p, x, own, as_whole(opposite), rest, stiffness));
}

/// one sweep over the six pairs against the neighbours in w.position
KERNEL_FN real3 cloth_swept(u32 i, ClothView w, ClothParams p, real3 start) {
    whole own = lane_index(i);
    real4 a = load4(w.axis, i);
    real4 d = load4(w.diagonal, i);
    real4 s = load4(w.second, i);
    real3 x = cloth_pair(w, p, start, own, a.x, a.z, p.rest_z, p.axis_stiffness);
    x = cloth_pair(w, p, x, own, a.y, a.w, p.rest_x, p.axis_stiffness);
    x = cloth_pair(w, p, x, own, d.x, d.z, p.rest_across, p.diagonal_stiffness);
    x = cloth_pair(w, p, x, own, d.y, d.w, p.rest_across, p.diagonal_stiffness);
    x = cloth_pair(w, p, x, own, s.x, s.z, 2.0f * p.rest_z, p.second_stiffness);
    return cloth_pair(w, p, x, own, s.y, s.w, 2.0f * p.rest_x, p.second_stiffness);
}

/// position based model: the prediction, and with p.sweep the seed's sweep against the neighbours of the last step
KERNEL_FN void cloth_predict(u32 i, ClothView w, ClothParams p) {
    real4 here = load4(w.position, i);
    real3 none = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    real3 x = cloth_predicted(cloth_point(here), cloth_point(load4(w.last, i)), none, p);
    if (p.sweep != 0u) x = cloth_swept(i, w, p, x);
    store4(w.next, i, cloth_settled(here, x, p));
}

/// one more sweep, over predicted positions
KERNEL_FN void cloth_project(u32 i, ClothView w, ClothParams p) {
    real4 here = load4(w.position, i);
    store4(w.next, i, cloth_settled(here, cloth_swept(i, w, p, cloth_point(here)), p));
}
