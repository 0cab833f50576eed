// SPDX-License-Identifier: MIT
// self_geometry.h — a vertex and a triangle, two edges: nearest points, and a plane between them.   compiles as: host, cuda
//
// Side A is the vertex or the first edge, side B the triangle or the second edge. The plane's normal points from B to A. What
// matters is not that the nearest points are exact but that the gap along the normal is there: it is measured on all four
// vertices. Where floats are too coarse, candidates for the normal are tried in double precision, and the widest gap counts.

/// A pair's vertices relative to the first of side B. An edge's A has two vertices, a vertex's one.
struct SelfSides {
    real3 a[2], b[3];
    u32 edges; // 1: two edges
};

struct SelfNearest {
    real s,
        t; // vertex and triangle: weights of its second and third vertex; edges: places along the first and the second
    real3 apart; // from B to A
    real square; // of the distance
};

KERNEL_FN real self_ratio(real above, real below) {
    return below > 0.0f ? clamped(above / below, 0.0f, 1.0f) : 0.0f;
}

/// Ericson 2005, section 5.1.5, for a triangle whose first vertex is the origin
KERNEL_FN SelfNearest self_vertex_triangle(real3 p, real3 b, real3 c) {
    SelfNearest r;
    r.s = 0.0f;
    r.t = 0.0f;
    const real d1 = dot3(b, p), d2 = dot3(c, p);
    if (!(d1 <= 0.0f && d2 <= 0.0f)) {
        const real3 bp = p - b, cp = p - c;
        const real d3 = dot3(b, bp), d4 = dot3(c, bp), d5 = dot3(b, cp), d6 = dot3(c, cp);
        const real vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
        if (d3 >= 0.0f && d4 <= d3) {
            r.s = 1.0f;
        } else if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
            r.s = self_ratio(d1, d1 - d3);
        } else if (d6 >= 0.0f && d5 <= d6) {
            r.t = 1.0f;
        } else if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
            r.t = self_ratio(d2, d2 - d6);
        } else if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
            r.t = self_ratio(d4 - d3, (d4 - d3) + (d5 - d6));
            r.s = 1.0f - r.t;
        } else {
            const real sum = (va + vb) + vc;
            if (sum > 0.0f) {
                r.s = clamped(vb / sum, 0.0f, 1.0f);
                r.t = clamped(vc / sum, 0.0f, 1.0f - r.s);
            }
        }
    }
    r.apart = (p - b * r.s) - c * r.t;
    r.square = dot3(r.apart, r.apart);
    return r;
}

/// Ericson 2005, section 5.1.9: edges a0 a1 and 0 b1
KERNEL_FN SelfNearest self_edge_edge(real3 a0, real3 a1, real3 b1) {
    const real3 u = a1 - a0;
    const real uu = dot3(u, u), vv = dot3(b1, b1), uv = dot3(u, b1), ur = dot3(u, a0), vr = dot3(b1, a0);
    const real det = uu * vv - uv * uv;
    SelfNearest r;
    // parallel edges: any place is as good as another
    r.s = det > 1e-6f * (uu * vv) ? clamped((uv * vr - ur * vv) / det, 0.0f, 1.0f) : 0.0f;
    r.t = self_ratio(uv * r.s + vr, vv);
    r.s = uu > 0.0f ? clamped((uv * r.t - ur) / uu, 0.0f, 1.0f) : 0.0f;
    r.t = self_ratio(uv * r.s + vr, vv);
    r.apart = (a0 + u * r.s) - b1 * r.t;
    r.square = dot3(r.apart, r.apart);
    return r;
}

KERNEL_FN SelfNearest self_nearest(const SelfSides& x) {
    if (x.edges) return self_edge_edge(x.a[0], x.a[1], x.b[1]);
    return self_vertex_triangle(x.a[0], x.b[1], x.b[2]);
}

/// the largest distance of a vertex from the origin of the sides, along an axis
KERNEL_FN real self_size(const SelfSides& x) {
    real most = 0.0f;
    const real3 all[3] = {x.a[0], x.edges ? x.a[1] : x.b[2], x.b[1]};
    for (u32 k = 0; k < 3; ++k)
        most =
            greatest(greatest(magnitude(all[k].x), magnitude(all[k].y)), greatest(magnitude(all[k].z), most));
    return most;
}

/// of A along n, less that of B: positive where a plane across n separates them
KERNEL_FN real self_gap(const SelfSides& x, real3 n) {
    real low = dot3(n, x.a[0]), high = greatest(dot3(n, x.b[1]), 0.0f);
    if (x.edges) low = least(low, dot3(n, x.a[1]));
    else high = greatest(high, dot3(n, x.b[2]));
    return low - high;
}

struct SelfPlane {
    real3 normal;
    real gap;  // > 0, or the pair touches
    real s, t; // as in SelfNearest
};

// double precision ---------------------------------------------------------------------------------------------------------

struct SelfWide {
    double x, y, z;
};
KERNEL_FN SelfWide self_wide(real3 a) { return {a.x, a.y, a.z}; }
KERNEL_FN SelfWide wide_minus(SelfWide a, SelfWide b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
KERNEL_FN SelfWide wide_times(SelfWide a, double s) { return {a.x * s, a.y * s, a.z * s}; }
KERNEL_FN double wide_dot(SelfWide a, SelfWide b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
KERNEL_FN SelfWide wide_cross(SelfWide a, SelfWide b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#if defined(__CUDACC__)
KERNEL_FN double wide_root(double a) { return __dsqrt_rn(a); }
#else
KERNEL_FN double wide_root(double a) { return __builtin_sqrt(a); }
#endif

struct SelfWidePlane {
    SelfWide normal;
    double gap;
};

/// `n` or its opposite as the plane's normal, if the gap is wider than the best so far
KERNEL_RARE void wide_try(SelfWide n, const SelfWide* a, u32 as, const SelfWide* b, u32 bs,
                          SelfWidePlane* best) {
    const double square = wide_dot(n, n);
    if (!(square > 0.0)) return;
    n = wide_times(n, 1.0 / wide_root(square));
    double a_low = 0, a_high = 0, b_low = 0, b_high = 0;
    for (u32 k = 0; k < as; ++k) {
        const double at = wide_dot(n, a[k]);
        a_low = k == 0 || at < a_low ? at : a_low;
        a_high = k == 0 || at > a_high ? at : a_high;
    }
    for (u32 k = 0; k < bs; ++k) {
        const double at = wide_dot(n, b[k]);
        b_low = k == 0 || at < b_low ? at : b_low;
        b_high = k == 0 || at > b_high ? at : b_high;
    }
    if (a_low - b_high > best->gap) *best = {n, a_low - b_high};
    if (b_low - a_high > best->gap) *best = {wide_times(n, -1.0), b_low - a_high};
}

/// from the edge q r to p, at right angles to the edge
KERNEL_FN SelfWide wide_off_edge(SelfWide p, SelfWide q, SelfWide r) {
    const SelfWide along = wide_minus(r, q);
    SelfWide off = wide_minus(p, q);
    const double square = wide_dot(along, along);
    if (!(square > 0.0)) return off;
    // twice: the first remainder is small against what was taken away
    off = wide_minus(off, wide_times(along, wide_dot(off, along) / square));
    return wide_minus(off, wide_times(along, wide_dot(off, along) / square));
}

/// The direction of the nearest points is that of two vertices, of a vertex off an edge, of a face, or across two edges: all
/// are tried.
KERNEL_RARE SelfPlane self_careful_plane(const SelfSides& x, real size) {
    SelfWide a[2] = {self_wide(x.a[0]), self_wide(x.a[1])};
    SelfWide b[3] = {self_wide(x.b[0]), self_wide(x.b[1]), self_wide(x.b[2])};
    const u32 as = x.edges ? 2u : 1u, bs = x.edges ? 2u : 3u;
    SelfWidePlane best = {{0.0, 0.0, 0.0}, 1e-9 * (double)size};
    if (x.edges) {
        wide_try(wide_cross(wide_minus(a[1], a[0]), wide_minus(b[1], b[0])), a, as, b, bs, &best);
        for (u32 k = 0; k < 2; ++k) {
            wide_try(wide_off_edge(a[k], b[0], b[1]), a, as, b, bs, &best);
            wide_try(wide_off_edge(b[k], a[0], a[1]), a, as, b, bs, &best);
        }
    } else {
        wide_try(wide_cross(wide_minus(b[1], b[0]), wide_minus(b[2], b[0])), a, as, b, bs, &best);
        for (u32 k = 0; k < 3; ++k) wide_try(wide_off_edge(a[0], b[k], b[(k + 1) % 3]), a, as, b, bs, &best);
    }
    for (u32 k = 0; k < as; ++k)
        for (u32 l = 0; l < bs; ++l) wide_try(wide_minus(a[k], b[l]), a, as, b, bs, &best);
    SelfPlane plane;
    plane.normal = make_real3((real)best.normal.x, (real)best.normal.y, (real)best.normal.z);
    plane.gap = wide_dot(best.normal, best.normal) > 0.5 ? (real)best.gap : 0.0f;
    plane.s = 0.0f;
    plane.t = 0.0f;
    return plane;
}

/// A plane between the sides. The gap is 0 where there is none.
KERNEL_FN SelfPlane self_plane(const SelfSides& x, SelfNearest near) {
    const real size = self_size(x), distance = root(near.square);
    if (distance > 1e-3f * size) {
        SelfPlane plane;
        plane.normal = near.apart * (1.0f / distance);
        plane.gap = self_gap(x, plane.normal);
        plane.s = near.s;
        plane.t = near.t;
        if (plane.gap > 0.8f * distance) return plane;
    }
    SelfPlane plane = self_careful_plane(x, size);
    plane.s = near.s;
    plane.t = near.t;
    return plane;
}

// an edge through a triangle ---------------------------------------------------------------------------------------------------

/// six times the volume of 0 a b c, and what rounding may have made of it
KERNEL_FN i32 wide_side(SelfWide a, SelfWide b, SelfWide c) {
    const SelfWide n = wide_cross(b, c);
    const double volume = wide_dot(a, n);
    const double scale = (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y) + (a.z < 0 ? -a.z : a.z);
    const double most = wide_root(wide_dot(b, b) * wide_dot(c, c)) * scale * 1e-14;
    return volume > most ? 1 : volume < -most ? -1 : 0;
}

/// Whether edge p q meets triangle 0 b c; also where it only touches, as far as double precision can tell.
KERNEL_RARE bool self_crosses(SelfWide wp, SelfWide wq, SelfWide wb, SelfWide wc) {
    const i32 above = wide_side(wp, wb, wc), below = wide_side(wq, wb, wc);
    if (above * below > 0) return false;
    if (above == 0 && below == 0) {
        // in one plane: separated by a line across an edge of either?
        const SelfWide n = wide_cross(wb, wc), along = wide_minus(wq, wp);
        const SelfWide points[3] = {{0.0, 0.0, 0.0}, wb, wc};
        SelfWidePlane best = {{0.0, 0.0, 0.0}, 0.0};
        const SelfWide ends[2] = {wp, wq};
        wide_try(wide_cross(n, along), ends, 2, points, 3, &best);
        for (u32 k = 0; k < 3; ++k)
            wide_try(wide_cross(n, wide_minus(points[(k + 1) % 3], points[k])), ends, 2, points, 3, &best);
        wide_try(along, ends, 2, points, 3, &best);
        return !(best.gap > 0.0);
    }
    // the line p q passes the three edges on the same side
    const SelfWide d = wide_minus(wq, wp), o = wide_minus({0.0, 0.0, 0.0}, wp);
    const SelfWide pb = wide_minus(wb, wp), pc = wide_minus(wc, wp);
    const i32 s0 = wide_side(d, o, pb), s1 = wide_side(d, pb, pc), s2 = wide_side(d, pc, o);
    return !((s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0));
}
