// SPDX-License-Identifier: MIT
// impact_circle.h — circles in a square room, impacts in stages.   compiles as: host, cuda, opencl, glsl

/// -1: interpenetrating, 0: contact, 1: separate; of the square of the distance, without a root
KERNEL_FN i32 circle_relation(real distance_square, real radii, f32 tolerance) {
    real inner = greatest(radii - tolerance, to_real(0.0f));
    real outer = radii + tolerance;
    if (distance_square < inner * inner) return -1;
    if (distance_square > outer * outer) return 1;
    return 0;
}

/// from b to a after a time
KERNEL_FN Flat circle_apart(real4 a, real4 va, real4 b, real4 vb, real time) {
    return flat2((a.x + va.x * time) - (b.x + vb.x * time), (a.y + va.y * time) - (b.y + vb.y * time));
}

KERNEL_FN i32 circles_at(real4 a, real4 va, real4 b, real4 vb, real time, f32 tolerance) {
    Flat d = circle_apart(a, va, b, vb, time);
    return circle_relation(flat_dot(d, d), a.w + b.w, tolerance);
}

/// normal and time of the impact of a pair; all halvings in one pass
KERNEL_FN void circle_bisect(u32 item, ImpactView w, ImpactParams p) {
    i32 s = (i32)item % p.bodies;
    i32 t = (i32)item / p.bodies;
    real4 none = make_real4(to_real(0.0f), to_real(0.0f), to_real(0.0f), to_real(IMPACT_NEVER));
    if (s <= t) {
        store4(w.pair_out, item, none);
        return;
    }
    real4 a = load4(w.place, word_of(s)), va = load4(w.motion, word_of(s));
    real4 b = load4(w.place, word_of(t)), vb = load4(w.motion, word_of(t));
    if (circles_at(a, va, b, vb, to_real(1.0f), p.tolerance) >= 0 ||
        circles_at(a, va, b, vb, to_real(0.0f), p.tolerance) < 0) {
        store4(w.pair_out, item, none);
        return;
    }
    real begin = to_real(0.0f), end = to_real(1.0f);
    while (end - begin > p.tolerance) {
        real middle = (begin + end) * 0.5f;
        if (circles_at(a, va, b, vb, middle, p.tolerance) < 0) end = middle;
        else begin = middle;
    }
    Flat d = circle_apart(a, va, b, vb, pick(p.normal_at_start != 0, to_real(0.0f), begin));
    real far = root(flat_dot(d, d));
    Flat n = flat2(d.x / far, d.y / far);
    // on straight ways only rounding lets those meet that do not approach; without an impulse they would meet at 0 for ever
    mask approach = flat_dot(n, flat2(va.x - vb.x, va.y - vb.y)) < 0.0f;
    if (any(approach)) store4(w.pair_out, item, make_real4(n.x, n.y, to_real(0.0f), begin));
    else store4(w.pair_out, item, none);
}

/// x and v of one axis after the room's walls
KERNEL_FN Flat circle_walls(real x, real v, real radius, ImpactParams p) {
    if (p.centre_walls != 0) { // as printed: the centre is what hits, and whatever is at the wall turns round
        if (x >= p.limit) return flat2(to_real(p.limit), -v);
        if (x <= -p.limit) return flat2(to_real(-p.limit), -v);
        return flat2(x, v);
    }
    real wall = p.limit - radius;
    if (x >= wall) return flat2(wall, pick(v > 0.0f, -v, v));
    if (x <= -wall) return flat2(-wall, pick(v < 0.0f, -v, v));
    return flat2(x, v);
}

/// position with the old velocity, then the change of velocity, then walls
KERNEL_FN void circle_move(u32 item, real4 a, real4 va, Flat change, real time, ImpactView w,
                           ImpactParams p) {
    Flat x = flat2(a.x + va.x * time, va.x + change.x);
    Flat y = flat2(a.y + va.y * time, va.y + change.y);
    if (va.w > 0.0f) { // what has infinite mass stays where it is
        x = circle_walls(x.x, x.y, a.w, p);
        y = circle_walls(y.x, y.y, a.w, p);
    }
    store4(w.place_out, item, make_real4(x.x, y.x, to_real(0.0f), a.w));
    store4(w.motion_out, item, make_real4(x.y, y.y, to_real(0.0f), va.w));
}

KERNEL_FN void circle_advance_free(u32 item, ImpactView w, ImpactParams p) {
    circle_move(item, load4(w.place, item), load4(w.motion, item), flat2(to_real(0.0f), to_real(0.0f)),
                to_real(p.time), w, p);
}

/// advance with collision as printed: each body sums the impulses of its pairs, from the velocities before
KERNEL_FN void circle_advance_summed(u32 item, ImpactView w, ImpactParams p) {
    i32 s = (i32)item;
    real4 va = load4(w.motion, item);
    real inverse = impact_inverse(va.w);
    Flat sum = flat2(to_real(0.0f), to_real(0.0f));
    for (i32 t = 0; t < p.bodies; ++t) {
        if (t == s) continue;
        real4 hit = load4(w.pair, impact_pair_item(s, t, p.bodies));
        if (hit.w != p.time) continue;
        // column s for t < s, row s for t > s, where the stored normal points to the other
        real sign = pick(t < s, to_real(1.0f), to_real(-1.0f));
        Flat n = flat2(hit.x * sign, hit.y * sign);
        real4 vb = load4(w.motion, word_of(t));
        real speed = flat_dot(n, flat2(va.x - vb.x, va.y - vb.y));
        if (!(speed < 0.0f)) continue;
        real j = impact_size(speed, speed, inverse + impact_inverse(vb.w), p.restitution);
        sum = flat2(sum.x + n.x * j, sum.y + n.y * j);
    }
    circle_move(item, load4(w.place, item), va, flat2(sum.x * inverse, sum.y * inverse), to_real(p.time), w,
                p);
}

KERNEL_FN void circle_change(u32 item, ImpactView w, ImpactParams p) {
    store4(w.change, item, impact_change((i32)item, impact_inverse(load4(w.motion, item).w), w, p));
}

/// one pass of the impacts of an instant together: the impulse that this pair needs with those of the others
KERNEL_FN void circle_impulse(u32 item, ImpactView w, ImpactParams p) {
    i32 s = (i32)item % p.bodies;
    i32 t = (i32)item / p.bodies;
    real4 result = impact_nothing();
    real4 error = impact_nothing();
    if (s > t) {
        real4 hit = load4(w.pair, item);
        real4 va = load4(w.motion, word_of(s)), vb = load4(w.motion, word_of(t));
        Flat n = flat2(hit.x, hit.y);
        real before = flat_dot(n, flat2(va.x - vb.x, va.y - vb.y));
        if (hit.w == p.time && before < 0.0f) {
            real4 so_far = impact_nothing();
            if (p.first == 0) so_far = load4(w.impulse, item);
            real4 ca = load4(w.change, word_of(s)), cb = load4(w.change, word_of(t));
            real ma = impact_inverse(va.w), mb = impact_inverse(vb.w);
            real own = flat_dot(n, flat2(so_far.x, so_far.y));
            real now = (before + flat_dot(n, flat2(ca.x - cb.x, ca.y - cb.y))) - own * (ma + mb);
            real j = greatest(impact_size(before, now, ma + mb, p.restitution), to_real(0.0f));
            real share = impact_share(ca, cb);
            real next = own + (j - own) * share;
            result = make_real4(n.x * next, n.y * next, to_real(0.0f), to_real(0.0f));
            // by the speed of the impact
            error.w = -((magnitude(j - next) * (ma + mb)) / -before);
        }
    }
    store4(w.impulse_out, item, result);
    store4(w.error_out, item, error);
}

/// advance with the impulses of the passes above
KERNEL_FN void circle_advance_together(u32 item, ImpactView w, ImpactParams p) {
    real4 va = load4(w.motion, item);
    real4 change = impact_change((i32)item, impact_inverse(va.w), w, p);
    circle_move(item, load4(w.place, item), va, flat2(change.x, change.y), to_real(p.time), w, p);
}
