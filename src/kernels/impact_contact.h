// SPDX-License-Identifier: MIT
// impact_contact.h — contact points of two polygons, and the impulses that answer them.   compiles as: host, cuda, opencl, glsl
//
// Normals point from b to a: an impulse acts on a along them, on b against them.

struct FlatContacts_t {
    i32 count;
    real x[IMPACT_CONTACTS], y[IMPACT_CONTACTS], nx[IMPACT_CONTACTS], ny[IMPACT_CONTACTS];
};
typedef struct FlatContacts_t FlatContacts;

/// a point against the nearest edge of a polygon: the one that it is farthest outside of, or least inside
struct FlatEdge_t {
    real distance, beyond; // from the edge, and beyond its ends along it
    Flat normal;           // outward, in the polygon's frame
};
typedef struct FlatEdge_t FlatEdge;

/// a point against an edge
KERNEL_FN FlatEdge polygon_beside(Flat p, Flat q, Flat r) {
    Flat along = flat_difference(r, q);
    real size = root(flat_dot(along, along));
    real place = flat_dot(flat_difference(p, q), along) / size;
    FlatEdge e;
    e.distance = flat_outside(p, q, r) / size;
    e.beyond = greatest(-place, place - size);
    e.normal = flat2(along.y / size, -along.x / size);
    return e;
}

KERNEL_FN FlatEdge polygon_edge(Flat p, FlatBody b, ImpactView w) {
    FlatEdge e;
    e.distance = to_real(-1.0e30f);
    e.beyond = to_real(0.0f);
    e.normal = flat2(to_real(1.0f), to_real(0.0f));
    Flat q = polygon_vertex(b.first, b.count - 1, w);
    for (i32 k = 0; k < b.count; ++k) {
        Flat r = polygon_vertex(b.first, k, w);
        FlatEdge one = polygon_beside(p, q, r);
        if (one.distance > e.distance) e = one;
        q = r;
    }
    return e;
}

/// A point inside against the edge that the whole of `from` is least behind: near a corner the nearest edge may be one that faces
/// another way, through which the body did not come. `seen`: `from` in the frame of b.
KERNEL_FN FlatEdge polygon_entered(Flat p, FlatBody from, FlatBody seen, FlatBody b, ImpactView w) {
    FlatEdge e;
    e.distance = to_real(-1.0e30f);
    e.beyond = to_real(0.0f);
    e.normal = flat2(to_real(1.0f), to_real(0.0f));
    real best = to_real(-1.0e30f);
    Flat q = polygon_vertex(b.first, b.count - 1, w);
    for (i32 k = 0; k < b.count; ++k) {
        Flat r = polygon_vertex(b.first, k, w);
        real behind = to_real(1.0e30f);
        for (i32 v = 0; v < from.count; ++v)
            behind = least(
                behind, polygon_beside(polygon_out(polygon_vertex(from.first, v, w), seen), q, r).distance);
        if (behind > best) {
            best = behind;
            e = polygon_beside(p, q, r);
        }
        q = r;
    }
    return e;
}

/// no two points of the bodies approach faster
KERNEL_FN real polygon_fastest(FlatBody a, FlatBody b) {
    Flat v = flat2(a.vx - b.vx, a.vy - b.vy);
    return root(flat_dot(v, v)) + (magnitude(a.omega) * a.radius + magnitude(b.omega) * b.radius);
}

/// How far points may be from edges to be contacts. The bodies are up to a tolerance before their impact, so the gap grows with their
/// speed; as printed it is the tolerance itself.
KERNEL_FN real polygon_reach(FlatBody a, FlatBody b, ImpactParams p) {
    if (p.plain_contacts != 0) return to_real(p.tolerance);
    return p.tolerance * polygon_fastest(a, b) + 1.0e-5f * (a.radius + b.radius);
}

/// Adds the vertices of `from` that lie on edges of `owner`; `sign` turns the outward normal of the owner to point from b to a. Without
/// any, it leaves the nearest in place `count`, which the caller may take, and its distance in `nearest`.
struct FlatSearch_t {
    FlatContacts found;
    real nearest;
};
typedef struct FlatSearch_t FlatSearch;

KERNEL_FN FlatSearch polygon_vertices_on(FlatSearch s, FlatBody from, FlatBody owner, real sign, real reach,
                                         ImpactView w) {
    FlatBody seen = polygon_seen(from, owner);
    for (i32 k = 0; k < from.count; ++k) {
        Flat v = polygon_vertex(from.first, k, w);
        FlatEdge e = polygon_edge(polygon_out(v, seen), owner, w);
        if (e.distance < 0.0f) e = polygon_entered(polygon_out(v, seen), from, seen, owner, w);
        mask on = both(magnitude(e.distance) <= reach, e.beyond <= reach);
        mask nearer = e.distance < s.nearest;
        if (s.found.count >= IMPACT_CONTACTS) continue;
        if (any(on) || (s.found.count == 0 && any(nearer))) {
            Flat at = polygon_out(v, from);
            Flat n = flat_turned(e.normal, owner.c, owner.s);
            i32 place = s.found.count;
            s.found.x[place] = at.x;
            s.found.y[place] = at.y;
            s.found.nx[place] = n.x * sign;
            s.found.ny[place] = n.y * sign;
        }
        if (any(nearer)) s.nearest = e.distance;
        if (any(on)) s.found.count = s.found.count + 1;
    }
    return s;
}

KERNEL_FN FlatContacts polygon_contacts(FlatBody a, FlatBody b, ImpactView w, ImpactParams p) {
    real reach = polygon_reach(a, b, p);
    FlatSearch s;
    s.found.count = 0;
    s.nearest = to_real(1.0e30f);
    FlatBody from = a, owner = b;
    for (i32 side = 0; side < 2; ++side) {
        s = polygon_vertices_on(s, from, owner, to_real(1.0f - 2.0f * to_real(side)), reach, w);
        from = b;
        owner = a;
    }
    // bodies that meet have a contact: the nearest, where none is in reach
    if (s.found.count == 0 && p.plain_contacts == 0) s.found.count = 1;
    return s.found;
}

KERNEL_FN real polygon_speed(FlatBody a, FlatBody b, Flat at, Flat n) {
    Flat va = flat_point_velocity(flat2(a.vx, a.vy), a.omega, flat2(at.x - a.x, at.y - a.y));
    Flat vb = flat_point_velocity(flat2(b.vx, b.vy), b.omega, flat2(at.x - b.x, at.y - b.y));
    return flat_dot(n, flat_difference(va, vb));
}

/// how much an impulse of 1 changes the relative speed
KERNEL_FN real polygon_inertia(FlatBody a, FlatBody b, Flat at, Flat n) {
    real ta = flat_cross(flat2(at.x - a.x, at.y - a.y), n);
    real tb = flat_cross(flat2(at.x - b.x, at.y - b.y), n);
    return (a.inv_mass + b.inv_mass) + (ta * ta * a.inv_inertia + tb * tb * b.inv_inertia);
}

/// whether a pair approaches anywhere at a time, by more than rounding
KERNEL_FN mask polygons_approach(u32 i, u32 j, real time, ImpactView w, ImpactParams p) {
    FlatBody a = polygon_body(i, time, w), b = polygon_body(j, time, w);
    FlatContacts c = polygon_contacts(a, b, w, p);
    real least_speed = -1.0e-4f * polygon_fastest(a, b);
    mask found = truth(false);
    for (i32 k = 0; k < c.count; ++k)
        found =
            either(found, polygon_speed(a, b, flat2(c.x[k], c.y[k]), flat2(c.nx[k], c.ny[k])) < least_speed);
    return found;
}

/// a body with a change of its velocities
KERNEL_FN FlatBody polygon_pushed(FlatBody b, real4 change) {
    b.vx = b.vx + change.x;
    b.vy = b.vy + change.y;
    b.omega = b.omega + change.z;
    return b;
}

struct FlatImpulse_t {
    Flat impulse;
    real turn_a, turn_b; // changes of angular velocities
    real speed;          // of the fastest approach
};
typedef struct FlatImpulse_t FlatImpulse;

/// The impulse of a pair. `other_a`, `other_b`: changes of the velocities by other pairs. Summed, each contact is answered as if it were
/// alone; together, by Gauss and Seidel's sweeps until each approaching contact parts as restitution says, or faster without an impulse.
/// Contacts at one place with nearly opposite normals take thousands of sweeps. Where these end before, the impulse is scaled to the
/// energy that restitution leaves: with j impulses, u and v speeds before and after, sum of j (u + v) = (1 - restitution) sum of j u.
KERNEL_FN FlatImpulse polygon_answer(FlatBody a, FlatBody b, FlatContacts c, real4 other_a, real4 other_b,
                                     ImpactParams p) {
    FlatBody sa = polygon_pushed(a, other_a), sb = polygon_pushed(b, other_b);
    FlatBody na = sa, nb = sb; // with the impulses so far
    FlatImpulse sum;
    sum.impulse = flat2(to_real(0.0f), to_real(0.0f));
    sum.turn_a = to_real(0.0f);
    sum.turn_b = to_real(0.0f);
    sum.speed = to_real(0.0f);
    real size[IMPACT_CONTACTS];
    for (i32 k = 0; k < IMPACT_CONTACTS; ++k) size[k] = to_real(0.0f);
    mask agree = truth(false);
    for (i32 sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        real largest = to_real(0.0f);
        for (i32 k = 0; k < c.count; ++k) {
            Flat at = flat2(c.x[k], c.y[k]), n = flat2(c.nx[k], c.ny[k]);
            real before = polygon_speed(a, b, at, n);
            if (!(before < 0.0f)) continue;
            sum.speed = greatest(sum.speed, -before);
            real inertia = polygon_inertia(a, b, at, n);
            real now = before;
            if (p.summed == 0) now = polygon_speed(na, nb, at, n);
            real next = greatest(size[k] + impact_size(before, now, inertia, p.restitution), to_real(0.0f));
            real j = next - size[k];
            size[k] = next;
            largest = greatest(largest, magnitude(j) * inertia);
            real ta = flat_cross(flat2(at.x - a.x, at.y - a.y), n) * j * a.inv_inertia;
            real tb = -(flat_cross(flat2(at.x - b.x, at.y - b.y), n) * j * b.inv_inertia);
            sum.impulse = flat2(sum.impulse.x + n.x * j, sum.impulse.y + n.y * j);
            sum.turn_a = sum.turn_a + ta;
            sum.turn_b = sum.turn_b + tb;
            na.vx = na.vx + n.x * j * a.inv_mass;
            na.vy = na.vy + n.y * j * a.inv_mass;
            na.omega = na.omega + ta;
            nb.vx = nb.vx - n.x * j * b.inv_mass;
            nb.vy = nb.vy - n.y * j * b.inv_mass;
            nb.omega = nb.omega + tb;
        }
        agree = truth(p.summed != 0 || c.count == 1 || !(largest > 1.0e-6f * sum.speed));
        if (any(agree)) break;
    }
    if (any(agree)) return sum;
    // speeds that the impulses change: how much restitution asks for, and how much they do
    real asked = to_real(0.0f), given = to_real(0.0f);
    for (i32 k = 0; k < c.count; ++k) {
        if (!(size[k] > 0.0f)) continue;
        Flat at = flat2(c.x[k], c.y[k]), n = flat2(c.nx[k], c.ny[k]);
        real start = polygon_speed(sa, sb, at, n);
        asked = asked + size[k] * (-(polygon_speed(a, b, at, n) * p.restitution) - start);
        given = given + size[k] * (polygon_speed(na, nb, at, n) - start);
    }
    if (!(given > 0.0f && asked > 0.0f)) return sum;
    real scale = asked / given;
    sum.impulse = flat2(sum.impulse.x * scale, sum.impulse.y * scale);
    sum.turn_a = sum.turn_a * scale;
    sum.turn_b = sum.turn_b * scale;
    return sum;
}

/// the impulse of a pair that meets now; a pass of the impacts of an instant together
KERNEL_FN void polygon_impulse(u32 item, ImpactView w, ImpactParams p) {
    i32 s = (i32)item % p.bodies;
    i32 t = (i32)item / p.bodies;
    real4 result = impact_nothing();
    real4 error = impact_nothing();
    if (s > t && load4(w.pair, item).w == p.time) {
        FlatBody a = polygon_body(word_of(s), to_real(p.time), w);
        FlatBody b = polygon_body(word_of(t), to_real(p.time), w);
        FlatContacts c = polygon_contacts(a, b, w, p);
        real4 so_far = impact_nothing(), ca = impact_nothing(), cb = impact_nothing();
        real share = to_real(1.0f);
        if (p.summed == 0) {
            if (p.first == 0) so_far = load4(w.impulse, item);
            ca = load4(w.change, word_of(s));
            cb = load4(w.change, word_of(t));
            share = impact_share(ca, cb);
        }
        real4 other_a = make_real4(ca.x - so_far.x * a.inv_mass, ca.y - so_far.y * a.inv_mass,
                                   ca.z - so_far.z, to_real(0.0f));
        real4 other_b = make_real4(cb.x + so_far.x * b.inv_mass, cb.y + so_far.y * b.inv_mass,
                                   cb.z - so_far.w, to_real(0.0f));
        FlatImpulse answer = polygon_answer(a, b, c, other_a, other_b, p);
        real4 d = make_real4(answer.impulse.x - so_far.x, answer.impulse.y - so_far.y,
                             answer.turn_a - so_far.z, answer.turn_b - so_far.w);
        result = make_real4(so_far.x + d.x * share, so_far.y + d.y * share, so_far.z + d.z * share,
                            so_far.w + d.w * share);
        real left = root(d.x * d.x + d.y * d.y) * ((to_real(1.0f) - share) * (a.inv_mass + b.inv_mass));
        error.w = -(left / pick(answer.speed > 0.0f, answer.speed, to_real(1.0f)));
    }
    store4(w.impulse_out, item, result);
    store4(w.error_out, item, error);
}
