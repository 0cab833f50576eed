// SPDX-License-Identifier: MIT
// fabric_levels.h — cloth in a rigid world: coarser copies of a cloth, in which stretch is taken back over long distances.   compiles as: host, lanes, cuda
//
// After Müller (2008), "Hierarchical position based dynamics": levels are solved from the coarsest to the finest, and each one's moves
// are spread over the next finer. A vertex of a level is the mean of those that follow its moves, weighted by the masses with which
// they do: so moves keep the momentum, and the shaking of single vertices is not handed to their neighbourhood.
// Links bound distances by ways along the cloth, so they never hinder bending.

/// one vertex of a level: the mean of its part of the next finer one, or where the vertex is held
KERNEL_FN void fabric_mean(u32 i, FabricView w, FabricParams p) {
    real4 m = load4(w.mean, (p.first - p.levels) + i);
    real4 own = gather4(w.position, as_whole(m.x));
    whole first = as_whole(m.z), count = as_whole(m.w);
    real3 sum = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    i32 most = largest_lane(count);
    for (i32 k = 0; k < most; ++k) {
        mask here = count > k;
        real2 part = gather2(w.part, pick_whole(here, first + k, first));
        real4 x = gather4(w.position, as_whole(part.x));
        sum = pick3(here, sum + part.y * fabric_xyz(x), sum);
    }
    mask moves = own.w > 0.0f;
    real4 to = fabric_quad(pick3(moves, sum, fabric_xyz(own)), pick(moves, m.y, to_real(0.0f)));
    store4(w.position, p.first + i, to);
    store4(w.start, p.first + i, to);
}

/// one link: no longer than the way along the cloth
KERNEL_FN void fabric_link(u32 i, FabricView w, FabricParams p) {
    real4 e = load4(w.link, p.first + i);
    whole a = as_whole(e.x), b = as_whole(e.y);
    real4 xa = gather4(w.position, a), xb = gather4(w.position, b);
    real3 apart = fabric_xyz(xa) - fabric_xyz(xb);
    real square = dot3(apart, apart), weight = xa.w + xb.w;
    mask taut = both(square > e.z * e.z, weight > 0.0f);
    if (!any(taut)) return;
    real size = root(square);
    real divisor = pick(taut, size * (weight + e.w * p.inverse_square), to_real(1.0f));
    real3 move = apart * pick(taut, (size - e.z) / divisor, to_real(0.0f));
    scatter4(w.position, a, fabric_quad(fabric_xyz(xa) - xa.w * move, xa.w));
    scatter4(w.position, b, fabric_quad(fabric_xyz(xb) + xb.w * move, xb.w));
}

/// one vertex of a level: how far its links moved it. One that is not finite takes no others along
KERNEL_FN void fabric_moved(u32 i, FabricView w, FabricParams p) {
    real4 here = load4(w.position, p.first + i), from = load4(w.start, p.first + i);
    real3 move = fabric_xyz(here) - fabric_xyz(from);
    real3 zero = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
    store4(w.start, p.first + i, fabric_quad(pick3(finite3(move), move, zero), here.w));
}

/// one vertex of the cloth or a level: moves with the next coarser level
KERNEL_FN void fabric_spread(u32 i, FabricView w, FabricParams p) {
    u32 at = p.first + i;
    real4 here = load4(w.position, at);
    whole entry = lane_index(at) * 2;
    real4 from = gather4(w.blend, entry), c = gather4(w.blend, entry + 1);
    real4 m0 = gather4(w.start, as_whole(from.x)), m1 = gather4(w.start, as_whole(from.y)),
          m2 = gather4(w.start, as_whole(from.z)), m3 = gather4(w.start, as_whole(from.w));
    real3 move =
        (c.x * fabric_xyz(m0) + c.y * fabric_xyz(m1)) + (c.z * fabric_xyz(m2) + c.w * fabric_xyz(m3));
    store4(w.position, at,
           fabric_quad(pick3(here.w > 0.0f, fabric_xyz(here) + move, fabric_xyz(here)), here.w));
}
