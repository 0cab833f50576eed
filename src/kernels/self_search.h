// SPDX-License-Identifier: MIT
// self_search.h — which vertices and triangles, and which edges, may meet before the next search.   compiles as: host, cuda
//
// A tree of boxes. A triangle or edge has a box: its bounds, wider by its reach, the largest of its vertices. Triangles and edges are
// numbered so that neighbours in the shape without stress follow each other (SelfContact::set_mesh), and cloth is not
// stretched much: four in a row stay together, and so do four such groups. The tree is never built, only its boxes are.
// Nodes are in the order of a depth-first walk; each knows the node that follows its group, so a query needs no stack.
// Pairs of edges are found from the first of both, which looks at what follows it.
//
// The order of the list of pairs is free: what is computed from it are whole-number sums and least values.

KERNEL_FN real self_thickness(u32 v, const SelfView w) { return load4(w.cloth, w.vertex_cloth[v]).x; }

KERNEL_FN bool self_collides(u32 v, const SelfView w) { return load4(w.cloth, w.vertex_cloth[v]).z > 0.0f; }

KERNEL_FN real3 self_point(const f32* a, u32 v) {
    const real4 x = load4(a, v);
    return make_real3(x.x, x.y, x.z);
}

/// The list is made from `start`, for a search of near pairs. How far a vertex may go before the next list: what its speed suggests, and
/// a floor, and at least as far as it may go until the next search; of a list for a single search (list_time 0) no farther.
KERNEL_FN void self_reach(u32 v, const SelfView w, const SelfParams p) {
    const real4 x = load4(w.start, v), u = load4(w.velocity, v);
    const real3 way = make_real3(u.x - p.mean_x, u.y - p.mean_y, u.z - p.mean_z) * p.list_time;
    const real length = length3(way), thickness = self_thickness(v, w);
    // no more than twice what most go: the list is added to for single vertices
    const real foreseen = least(is_finite(length) ? length : 0.0f, 4.0f * p.list_floor);
    real reach = 1.25f * foreseen + greatest(p.list_floor, 0.25f * thickness);
    const real limit = load4(w.based, v).w;
    reach =
        p.list_time == 0.0f ? 1.05f * limit : greatest(reach, 1.05f * limit + least(limit, 0.5f * thickness));
    store4(w.listed, v, make_real4(x.x, x.y, x.z, reach));
}

/// Of a list that is added to: a vertex that may go farther than it reaches gets a larger reach.
KERNEL_FN void self_grow(u32 v, const SelfView w, const SelfParams) {
    const real4 x = load4(w.listed, v);
    const real gone = as_real(static_cast<i32>(w.fraction[v]));
    const bool is_short = finite3(self_point(w.start, v)) && !(gone <= 0.999f * x.w);
    const real reach = is_short ? 1.1f * gone + least(gone, 0.5f * self_thickness(v, w)) : x.w;
    const real4 at = load4(w.current, v);
    store4(w.current, v, make_real4(at.x, at.y, at.z, x.w));
    store4(w.listed, v, make_real4(x.x, x.y, x.z, reach));
}

/// the reach of a vertex, now or before the list was added to
KERNEL_FN real self_reach_of_vertex(u32 v, bool before, const SelfView w) {
    return load4(before ? w.current : w.listed, v).w;
}

KERNEL_FN bool self_has_grown(const u32* vertex, u32 count, const SelfView w) {
    for (u32 k = 0; k < count; ++k)
        if (self_reach_of_vertex(vertex[k], false, w) != self_reach_of_vertex(vertex[k], true, w))
            return true;
    return false;
}

// boxes -----------------------------------------------------------------------------------------------------------------------

// A vertex and a triangle keep the thickness between them, two edges half of it: where sheets lie on each other the vertices hold
// them apart, and of the many edges that cross none needs to push.
#define SELF_SHARE 0.5f
#define SELF_EDGE_SHARE 0.25f

struct SelfBox {
    real3 low, high;
    bool there; // all its vertices are finite and collide
};

/// `share` of the thickness belongs to the box; less than 0: the bounds alone
KERNEL_FN SelfBox self_box_around(const u32* vertex, u32 count, real share, bool before, const SelfView w) {
    SelfBox box;
    box.there = true;
    real reach = 0.0f;
    for (u32 k = 0; k < count; ++k) {
        const real4 x = load4(w.listed, vertex[k]);
        const real3 at = make_real3(x.x, x.y, x.z);
        const real far = greatest(magnitude(at.x), greatest(magnitude(at.y), magnitude(at.z)));
        if (!finite3(at) || far > 1e8f || !self_collides(vertex[k], w)) box.there = false;
        if (k == 0) box.low = box.high = at;
        box.low = make_real3(least(box.low.x, at.x), least(box.low.y, at.y), least(box.low.z, at.z));
        box.high =
            make_real3(greatest(box.high.x, at.x), greatest(box.high.y, at.y), greatest(box.high.z, at.z));
        reach = greatest(reach,
                         self_reach_of_vertex(vertex[k], before, w) + share * self_thickness(vertex[k], w));
    }
    if (share < 0.0f) reach = 0.0f;
    // what rounding takes away
    reach =
        1.0001f * reach + 1e-6f * greatest(greatest(magnitude(box.low.x), magnitude(box.high.x)),
                                           greatest(greatest(magnitude(box.low.y), magnitude(box.high.y)),
                                                    greatest(magnitude(box.low.z), magnitude(box.high.z))));
    const real3 wide = make_real3(reach, reach, reach);
    box.low = box.low - wide;
    box.high = box.high + wide;
    return box;
}

KERNEL_FN SelfBox self_box_of(u32 i, const SelfView w, const SelfParams p) {
    const u32 count = p.of_edges ? 2u : 3u;
    const u32* vertex = p.of_edges ? w.edge + 2 * i : w.triangle + 3 * i;
    const real share = p.of_edges ? SELF_EDGE_SHARE : SELF_SHARE;
    SelfBox box = self_box_around(vertex, count, p.bare ? -1.0f : share, false, w);
    if (p.adding == SELF_ADD_TO_GROWN && !self_has_grown(vertex, count, w)) box.there = false;
    return box;
}

/// levels of groups above n boxes
KERNEL_FN u32 self_levels(u32 n) {
    u32 levels = 0;
    while (((n - 1) >> (SELF_TREE_BITS * levels)) != 0) ++levels;
    return levels;
}

/// The node of box i: groups that begin at it or before it come first.
KERNEL_FN u32 self_node(u32 i, u32 levels) {
    u32 at = i + levels;
    for (u32 l = 1; l <= levels; ++l) at += i >> (SELF_TREE_BITS * l);
    return at;
}

/// the node after all of those that hold boxes below `end`
KERNEL_FN u32 self_node_after(u32 end, u32 n) {
    const u32 levels = self_levels(n);
    if (end >= n) return self_node(n - 1, levels) + 1;
    u32 at = self_node(end, levels);
    for (u32 l = 1; l <= levels && (end & ((1u << (SELF_TREE_BITS * l)) - 1)) == 0; ++l) --at;
    return at;
}

KERNEL_FN void self_store_node(u32 at, real3 low, real3 high, u32 next, u32 item, const SelfView w) {
    store4(w.box, 2 * at, make_real4(low.x, low.y, low.z, as_real(static_cast<i32>(next))));
    store4(w.box, 2 * at + 1, make_real4(high.x, high.y, high.z, as_real(static_cast<i32>(item))));
}

#define SELF_EMPTY 1e30f

/// the node of triangle or edge i; one that is not there overlaps nothing
KERNEL_FN void self_boxes(u32 i, const SelfView w, const SelfParams p) {
    SelfBox box = self_box_of(i, w, p);
    if (!box.there) {
        box.low = make_real3(SELF_EMPTY, SELF_EMPTY, SELF_EMPTY);
        box.high = make_real3(-SELF_EMPTY, -SELF_EMPTY, -SELF_EMPTY);
    }
    const u32 at = self_node(i, self_levels(p.boxes));
    self_store_node(at, box.low, box.high, self_node_after(i + 1, p.boxes), i, w);
}

/// group i of a level, from those of the level below
KERNEL_FN void self_groups(u32 i, const SelfView w, const SelfParams p) {
    const u32 levels = self_levels(p.boxes), bits = SELF_TREE_BITS * p.level;
    const u32 at = self_node(i << bits, levels) - p.level;
    const u32 end = self_node_after((i + 1) << bits, p.boxes);
    real3 low = make_real3(SELF_EMPTY, SELF_EMPTY, SELF_EMPTY), high = low * -1.0f;
    for (u32 k = at + 1; k < end;) {
        const real4 a = load4(w.box, 2 * k), b = load4(w.box, 2 * k + 1);
        low = make_real3(least(low.x, a.x), least(low.y, a.y), least(low.z, a.z));
        high = make_real3(greatest(high.x, b.x), greatest(high.y, b.y), greatest(high.z, b.z));
        k = static_cast<u32>(as_whole(a.w));
    }
    self_store_node(at, low, high, end, SELF_NONE, w);
}

// queries ----------------------------------------------------------------------------------------------------------------------

/// Walks over the boxes that overlap one, from node `at` on.
struct SelfWalk {
    real3 low, high; // of the query
    u32 at, end;
};

KERNEL_FN SelfWalk self_walk(const SelfBox& box, u32 first, const SelfParams p) {
    SelfWalk walk;
    walk.low = box.low;
    walk.high = box.high;
    walk.end = p.boxes == 0 ? 0u : self_node_after(p.boxes, p.boxes);
    walk.at = first >= p.boxes ? walk.end : self_node_after(first, p.boxes);
    return walk;
}

KERNEL_FN bool self_overlap(real3 low, real3 high, real3 other_low, real3 other_high) {
    return low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y && other_low.y <= high.y &&
           low.z <= other_high.z && other_low.z <= high.z;
}

/// the number of the next box, or SELF_NONE
KERNEL_FN u32 self_walk_next(SelfWalk& walk, const SelfView w) {
    while (walk.at < walk.end) {
        const real4 low = load4(w.box, 2 * walk.at), high = load4(w.box, 2 * walk.at + 1);
        const bool overlap = self_overlap(make_real3(low.x, low.y, low.z), make_real3(high.x, high.y, high.z),
                                          walk.low, walk.high);
        const u32 item = static_cast<u32>(as_whole(high.w));
        walk.at = overlap ? walk.at + 1 : static_cast<u32>(as_whole(low.w));
        if (overlap && item != SELF_NONE) return item;
    }
    return SELF_NONE;
}

// pairs ------------------------------------------------------------------------------------------------------------------------

struct SelfPair {
    u32 vertex[4]; // vertex and triangle; or the edges' ends
    u32 edges;     // 1: two edges
};

KERNEL_FN SelfPair self_pair_of(u32 a, u32 b, const SelfView w) {
    SelfPair pair;
    pair.edges = a >> 31;
    if (pair.edges) {
        const u32 e = 2 * (a & ~SELF_EDGES);
        // whichever was found first
        const bool swap =
            w.edge[2 * b] < w.edge[e] || (w.edge[2 * b] == w.edge[e] && w.edge[2 * b + 1] < w.edge[e + 1]);
        const u32 first = swap ? 2 * b : e, second = swap ? e : 2 * b;
        pair.vertex[0] = w.edge[first];
        pair.vertex[1] = w.edge[first + 1];
        pair.vertex[2] = w.edge[second];
        pair.vertex[3] = w.edge[second + 1];
    } else {
        pair.vertex[0] = a;
        pair.vertex[1] = w.triangle[3 * b];
        pair.vertex[2] = w.triangle[3 * b + 1];
        pair.vertex[3] = w.triangle[3 * b + 2];
    }
    return pair;
}

/// pairs of neighbours share a vertex: they touch there and need no plane
KERNEL_FN bool self_share_vertex(const SelfPair& pair) {
    const u32* v = pair.vertex;
    if (pair.edges) return v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3];
    return v[0] == v[1] || v[0] == v[2] || v[0] == v[3];
}

KERNEL_FN SelfSides self_sides(const SelfPair& pair, const real3* x) {
    SelfSides sides;
    sides.edges = pair.edges;
    const real3 origin = x[pair.edges ? 2 : 1];
    sides.b[0] = make_real3(0.0f, 0.0f, 0.0f);
    sides.a[0] = x[0] - origin;
    if (pair.edges) {
        sides.a[1] = x[1] - origin;
        sides.b[1] = x[3] - origin;
        sides.b[2] = sides.b[1];
    } else {
        sides.a[1] = sides.a[0];
        sides.b[1] = x[2] - origin;
        sides.b[2] = x[3] - origin;
    }
    return sides;
}

KERNEL_FN SelfSides self_sides_in(const SelfPair& pair, const f32* positions) {
    real3 x[4];
    for (u32 k = 0; k < 4; ++k) x[k] = self_point(positions, pair.vertex[k]);
    return self_sides(pair, x);
}

/// The distance that the pair keeps. Within one cloth not more than in its shape without stress, or it would never rest.
KERNEL_FN real self_kept_distance(const SelfPair& pair, const SelfView w) {
    const u32 ca = w.vertex_cloth[pair.vertex[0]], cb = w.vertex_cloth[pair.vertex[3]];
    const real share = pair.edges ? SELF_EDGE_SHARE : SELF_SHARE;
    const real thickness = share * (load4(w.cloth, ca).x + load4(w.cloth, cb).x);
    if (ca != cb) return thickness;
    const real rest = root(self_nearest(self_sides_in(pair, w.rest)).square);
    return least(0.9f * rest, thickness);
}

KERNEL_FN real self_reach_of(const u32* vertex, u32 count, real share, bool before, const SelfView w) {
    real most = 0.0f;
    for (u32 k = 0; k < count; ++k)
        most =
            greatest(most, self_reach_of_vertex(vertex[k], before, w) + share * self_thickness(vertex[k], w));
    return most;
}

/// Pairs that a query has found and not yet written.
struct SelfFinds {
    u32 other[SELF_FOUND], count;
};

/// whether the pair is within the reach of both sides
KERNEL_FN bool self_in_reach(const SelfPair& pair, bool before, const SelfView w) {
    if (self_share_vertex(pair)) return false;
    const u32 of_a = pair.edges ? 2u : 1u;
    const real share = pair.edges ? SELF_EDGE_SHARE : SELF_SHARE;
    const real reach = self_reach_of(pair.vertex, of_a, share, before, w) +
                       self_reach_of(pair.vertex + of_a, 4 - of_a, share, before, w);
    const SelfSides sides = self_sides_in(pair, w.listed);
    const real distance = root(self_nearest(sides).square);
    return !(distance > 1.0001f * reach + 1e-5f * self_size(sides));
}

/// Whether the pair is in the list that is added to. Exact: the boxes and the distance that decided it are computed again.
KERNEL_FN bool self_was_listed(const SelfPair& pair, const SelfView w) {
    const u32 of_a = pair.edges ? 2u : 1u;
    const real share = pair.edges ? SELF_EDGE_SHARE : SELF_SHARE;
    const SelfBox a = self_box_around(pair.vertex, of_a, share, true, w);
    const SelfBox b = self_box_around(pair.vertex + of_a, 4 - of_a, share, true, w);
    return self_overlap(a.low, a.high, b.low, b.high) && self_in_reach(pair, true, w);
}

/// Whether query `a`, of a list that is added to, is the one that takes its pair with `b`.
KERNEL_FN bool self_takes(u32 a, bool grown, u32 b, const SelfView w, const SelfParams p) {
    if (p.adding == SELF_ADD_OF_GROWN) return !self_has_grown(w.triangle + 3 * b, 3, w);
    return !(a >> 31) || !grown || b > (a & ~SELF_EDGES);
}

/// the pairs become candidates
KERNEL_FN void self_offer(u32 a, SelfFinds& finds, const SelfView w, const SelfParams p) {
    const u32 edges = a >> 31;
    const u32 at = atomic_places(w.facts + (edges ? SELF_FACT_EDGES : SELF_FACT_PAIRS), finds.count);
    for (u32 k = 0; k < finds.count; ++k) {
        if (at + k >= p.capacity) break;
        const SelfPair pair = self_pair_of(a, finds.other[k], w);
        const SelfSides sides = self_sides_in(pair, w.listed);
        const real distance = root(self_nearest(sides).square);
        const real kept = self_kept_distance(pair, w);
        // twice what self_near_pair allows for rounding: what a list passes over must not be near by another
        const real margin = 2e-5f * self_size(sides);
        u32* out = w.pair + 6 * (edges ? p.capacity - 1 - (at + k) : at + k);
        out[0] = pair.vertex[0] | (pair.edges << 31);
        for (u32 c = 1; c < 4; ++c) out[c] = pair.vertex[c];
        out[4] = static_cast<u32>(as_whole(kept));
        out[5] = static_cast<u32>(as_whole(0.9999f * distance - (kept + margin)));
    }
    finds.count = 0;
}

/// what is near `a`: a vertex, or an edge, which looks only at those behind it
KERNEL_FN void self_find(u32 a, const SelfBox& box, u32 first, const SelfView w, const SelfParams p) {
    if (!box.there) return;
    const u32 edge = 2 * (a & ~SELF_EDGES);
    const bool grown = p.adding && (a >> 31 ? self_has_grown(w.edge + edge, 2, w) : self_has_grown(&a, 1, w));
    if (p.adding == SELF_ADD_OF_GROWN && !grown) return;
    SelfFinds finds;
    finds.count = 0;
    SelfWalk walk = self_walk(box, p.adding ? 0u : first, p);
    for (u32 b = self_walk_next(walk, w); b != SELF_NONE; b = self_walk_next(walk, w)) {
        if (p.adding && !self_takes(a, grown, b, w, p)) continue;
        const SelfPair pair = self_pair_of(a, b, w);
        if (!self_in_reach(pair, false, w) || (p.adding && self_was_listed(pair, w))) continue;
        finds.other[finds.count++] = b;
        if (finds.count == SELF_FOUND) self_offer(a, finds, w, p);
    }
    self_offer(a, finds, w, p);
}

/// triangles near vertex i
KERNEL_FN void self_find_triangles(u32 i, const SelfView w, const SelfParams p) {
    self_find(i, self_box_around(&i, 1, SELF_SHARE, false, w), 0, w, p);
}

/// edges near edge i, of a higher number
KERNEL_FN void self_find_edges(u32 i, const SelfView w, const SelfParams p) {
    self_find(i | SELF_EDGES, self_box_around(w.edge + 2 * i, 2, SELF_EDGE_SHARE, false, w), i + 1, w, p);
}

// intersections that are there ---------------------------------------------------------------------------------------------------

KERNEL_FN SelfWide self_wide_from(real3 x, real3 origin) {
    return wide_minus(self_wide(x), self_wide(origin));
}

/// triangles that edge i goes through: counts them and marks their vertices and the edge's
KERNEL_FN void self_find_crossings(u32 i, const SelfView w, const SelfParams p) {
    const u32 a = w.edge[2 * i], b = w.edge[2 * i + 1];
    const SelfBox box = self_box_around(w.edge + 2 * i, 2, -1.0f, false, w);
    if (!box.there) return;
    const real3 xa = self_point(w.listed, a), xb = self_point(w.listed, b);
    SelfWalk walk = self_walk(box, 0, p);
    for (u32 t = self_walk_next(walk, w); t != SELF_NONE; t = self_walk_next(walk, w)) {
        const u32* v = w.triangle + 3 * t;
        if (v[0] == a || v[1] == a || v[2] == a || v[0] == b || v[1] == b || v[2] == b) continue;
        const real3 origin = self_point(w.listed, v[0]);
        if (!self_crosses(self_wide_from(xa, origin), self_wide_from(xb, origin),
                          self_wide_from(self_point(w.listed, v[1]), origin),
                          self_wide_from(self_point(w.listed, v[2]), origin)))
            continue;
        atomic_add(w.facts + SELF_FACT_CROSSINGS, 1u);
        raise_flag(w.tangled, a);
        raise_flag(w.tangled, b);
        for (u32 k = 0; k < 3; ++k) raise_flag(w.tangled, v[k]);
    }
}
