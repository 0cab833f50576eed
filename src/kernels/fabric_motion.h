// SPDX-License-Identifier: MIT
// fabric_motion.h — cloth in a rigid world: free motion, air, stretch, bending and tethers.   compiles as: host, lanes, cuda
//
// Extended position-based dynamics with small steps (Macklin et al. 2016, 2019): each substep visits every constraint once, colour
// by colour, so that impulses start at zero and need no memory. Bending is the isometric model of Bergou et al. (2006): the weighted
// sum of a hinge's four vertices, zero when flat, is a constraint without angles. Tethers bound the distance to held vertices (Kim
// et al. 2012): stretch cannot add up over many edges.

KERNEL_FN real3 fabric_xyz(real4 v) { return make_real3(v.x, v.y, v.z); }
KERNEL_FN real4 fabric_quad(real3 v, real w) { return make_real4(v.x, v.y, v.z, w); }
KERNEL_FN real3 fabric_gravity(FabricParams p) {
    return make_real3(to_real(p.gravity_x), to_real(p.gravity_y), to_real(p.gravity_z));
}

/// v no longer than the limit
KERNEL_FN real3 fabric_limited(real3 v, real limit) {
    real square = dot3(v, v);
    mask over = square > limit * limit;
    return v * pick(over, limit / root(pick(over, square, to_real(1.0f))), to_real(1.0f));
}

/// the air at one triangle, once a step
KERNEL_FN void fabric_gust(u32 i, FabricView w, FabricParams p) {
    real4 t = load4(w.triangle, i);
    whole ia = as_whole(t.x), ib = as_whole(t.y), ic = as_whole(t.z);
    real3 a = fabric_xyz(gather4(w.position, ia));
    real3 b = fabric_xyz(gather4(w.position, ib)), c = fabric_xyz(gather4(w.position, ic));
    real3 across = 0.5f * cross3(b - a, c - a); // area times normal
    real area = length3(across);
    mask flat = area > 0.0f;
    real3 n = across * (to_real(1.0f) / pick(flat, area, to_real(1.0f)));
    real4 va = gather4(w.velocity, ia);
    real3 v = ((fabric_xyz(va) + fabric_xyz(gather4(w.velocity, ib))) + fabric_xyz(gather4(w.velocity, ic))) *
              (1.0f / 3.0f);
    real4 air = gather4(w.cloth, as_whole(va.w) * 3 + static_cast<i32>(FABRIC_CLOTH_AIR));
    store4(w.gust, i, fabric_quad(n, dot3(fabric_xyz(air) - v, n)));
    store_whole(w.gust_area, i, as_whole(pick(flat, area, to_real(0.0f))));
    (void)p;
}

/// the acceleration of a vertex by wind, drag and pressure on its triangles, once a step
KERNEL_FN void fabric_air(u32 i, FabricView w, FabricParams p) {
    real4 here = load4(w.position, i);
    whole cloth = as_whole(load4(w.velocity, i).w) * 3;
    real pressure = gather4(w.cloth, cloth + static_cast<i32>(FABRIC_CLOTH_AIR)).w;
    real drag = gather4(w.cloth, cloth + static_cast<i32>(FABRIC_CLOTH_LIMITS)).w;
    whole none = whole_from(0u), first = load_whole(w.incident, i);
    mask feels = both(here.w > 0.0f, either(drag > 0.0f, pressure != 0.0f));
    whole count = pick_whole(feels, load_whole(w.incident, i + 1u) - first, none);
    real3 sum = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    i32 most = largest_lane(count);
    for (i32 k = 0; k < most; ++k) {
        mask has = count > k;
        whole number = pick_whole(has, gather_whole(w.incident, pick_whole(has, first + k, none)), none);
        real4 gust = gather4(w.gust, number);
        real area = as_real(gather_whole(w.gust_area, number)), against = gust.w;
        // a third for each vertex; implicit in the speed, so that light cloth never turns back
        real push = drag * magnitude(against) * area * (1.0f / 3.0f) * here.w;
        real speedup = push * against / (1.0f + push * p.dt) + pressure * area * (1.0f / 3.0f) * here.w;
        sum = pick3(both(has, area > 0.0f), sum + fabric_xyz(gust) * speedup, sum);
    }
    store4(w.air, i, fabric_quad(sum, to_real(0.0f)));
}

/// a substep begins: to where velocity, gravity and air would take a vertex
KERNEL_FN void fabric_predict(u32 i, FabricView w, FabricParams p) {
    real4 here = load4(w.position, i);
    real4 v4 = load4(w.velocity, i);
    real4 skin = gather4(w.cloth, as_whole(v4.w) * 3 + static_cast<i32>(FABRIC_CLOTH_SKIN));
    real3 acceleration = fabric_gravity(p);
    if (p.airy != 0u) acceleration = acceleration + fabric_xyz(load4(w.air, i));
    real3 v = (fabric_xyz(v4) + p.h * acceleration) * (to_real(1.0f) / (1.0f + p.h * skin.z));
    v = fabric_limited(v, skin.w);
    real3 to = fabric_xyz(here) + p.h * v;
    store4(w.start, i, here);
    store4(w.position, i, fabric_quad(pick3(here.w > 0.0f, to, fabric_xyz(here)), here.w));
}

/// one edge: keeps its length
KERNEL_FN void fabric_stretch(u32 i, FabricView w, FabricParams p) {
    real4 e = load4(w.edge, p.first + i);
    whole a = as_whole(e.x), b = as_whole(e.y);
    real4 xa = gather4(w.position, a), xb = gather4(w.position, b);
    real3 apart = fabric_xyz(xa) - fabric_xyz(xb);
    real size = length3(apart);
    real weight = xa.w + xb.w;
    mask moves = both(size > 0.0f, weight > 0.0f);
    real divisor = pick(moves, size * (weight + e.w * p.inverse_square), to_real(1.0f));
    real3 move = apart * pick(moves, (size - e.z) / divisor, to_real(0.0f));
    scatter4(w.position, a, fabric_quad(fabric_xyz(xa) - xa.w * move, xa.w));
    scatter4(w.position, b, fabric_quad(fabric_xyz(xb) + xb.w * move, xb.w));
}

/// one hinge: two triangles with a common edge keep their angle
KERNEL_FN void fabric_bend(u32 i, FabricView w, FabricParams p) {
    whole at = lane_index(p.first + i) * 3;
    real4 ends = gather4(w.hinge, at), c = gather4(w.hinge, at + 1), rest = gather4(w.hinge, at + 2);
    whole ia = as_whole(ends.x), ib = as_whole(ends.y), ic = as_whole(ends.z), id = as_whole(ends.w);
    real4 xa = gather4(w.position, ia), xb = gather4(w.position, ib), xc = gather4(w.position, ic),
          xd = gather4(w.position, id);
    real3 curve =
        (c.x * fabric_xyz(xa) + c.y * fabric_xyz(xb)) + (c.z * fabric_xyz(xc) + c.w * fabric_xyz(xd));
    real weight = (xa.w * (c.x * c.x) + xb.w * (c.y * c.y)) + (xc.w * (c.z * c.z) + xd.w * (c.w * c.w));
    real size = length3(curve);
    mask moves = both(size > 0.0f, weight > 0.0f);
    real divisor = pick(moves, size * (weight + rest.y * p.inverse_square), to_real(1.0f));
    real3 move = curve * pick(moves, (size - rest.x) / divisor, to_real(0.0f));
    scatter4(w.position, ia, fabric_quad(fabric_xyz(xa) - (xa.w * c.x) * move, xa.w));
    scatter4(w.position, ib, fabric_quad(fabric_xyz(xb) - (xb.w * c.y) * move, xb.w));
    scatter4(w.position, ic, fabric_quad(fabric_xyz(xc) - (xc.w * c.z) * move, xc.w));
    scatter4(w.position, id, fabric_quad(fabric_xyz(xd) - (xd.w * c.w) * move, xd.w));
}

/// x, no farther from a held vertex than the tether is long
KERNEL_FN real3 fabric_tethered(real3 x, real4 held, real length) {
    real3 away = x - fabric_xyz(held);
    real square = dot3(away, away);
    mask taut = square > length * length;
    real share = length / root(pick(taut, square, to_real(1.0f)));
    return pick3(taut, fabric_xyz(held) + share * away, x);
}

/// one vertex: its two tethers, to where held vertices were when the substep began: nothing is read that others write
KERNEL_FN void fabric_tether(u32 i, FabricView w, FabricParams p) {
    real4 here = load4(w.position, i);
    real4 t = load4(w.tether, i);
    real3 x = fabric_xyz(here);
    x = fabric_tethered(x, gather4(w.start, as_whole(t.x)), t.y);
    x = fabric_tethered(x, gather4(w.start, as_whole(t.z)), t.w);
    store4(w.position, i, fabric_quad(pick3(here.w > 0.0f, x, fabric_xyz(here)), here.w));
    (void)p;
}

/// a substep ends: velocities from positions. A vertex that is not finite goes back and stays there
KERNEL_FN void fabric_finish(u32 i, FabricView w, FabricParams p) {
    real4 here = load4(w.position, i), from = load4(w.start, i), v4 = load4(w.velocity, i);
    real3 x = fabric_xyz(here);
    mask near =
        both(both(magnitude(x.x) < p.farthest, magnitude(x.y) < p.farthest), magnitude(x.z) < p.farthest);
    mask sane = both(finite3(x), near);
    real3 v = (x - fabric_xyz(from)) * p.inverse_h;
    real3 zero = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    store4(w.position, i, fabric_quad(pick3(sane, x, fabric_xyz(from)), pick(sane, here.w, to_real(0.0f))));
    store4(w.velocity, i, fabric_quad(pick3(sane, v, zero), v4.w));
    if (any(no(sane))) raise_flag(w.counts, FABRIC_COUNT_FROZEN);
}
