// SPDX-License-Identifier: MIT
// self_search.h — which vertices and triangles, and which edges, may meet before the next search.   compiles as: host, cuda
//
// A hierarchical grid. A triangle or edge has a box: its bounds, wider by its reach, the largest of its vertices. The box is in one
// cell, that of its centre, of a level with cells a quarter to half as wide as the box; levels are powers of two. Cells are
// numbered without end; a table holds them by a hash of y, z and level to which x is added, so that cells in a row along x are
// neighbours in memory (as in pipeline_grid.h). A query reads, for each level in use, the rows of cells that may hold the centre
// of a box that overlaps it.
//
// The order of the list of pairs is free: what is computed from it are whole-number sums and least values.

#define SELF_LEAST_EXPONENT -20  // of level 0: cells of 2^-20 m
#define SELF_FARTHEST 8388607.0f // whole numbers that a float counts

KERNEL_FN real self_thickness(u32 v, const SelfView w) { return load4(w.cloth, w.vertex_cloth[v]).x; }

KERNEL_FN bool self_collides(u32 v, const SelfView w) { return load4(w.cloth, w.vertex_cloth[v]).z > 0.0f; }

KERNEL_FN real3 self_point(const f32* a, u32 v) {
    const real4 x = load4(a, v);
    return make_real3(x.x, x.y, x.z);
}

/// The list is made from `start`. How far a vertex may go before the next: what its speed suggests, and a floor; in a list for
/// one substep (list_time 0) its limit.
KERNEL_FN void self_reach(u32 v, const SelfView w, const SelfParams p) {
    const real4 x = load4(w.start, v), u = load4(w.velocity, v);
    const real3 way = make_real3(u.x - p.mean_x, u.y - p.mean_y, u.z - p.mean_z) * p.list_time;
    const real length = length3(way), thickness = self_thickness(v, w);
    real reach = 1.25f * (is_finite(length) ? length : 0.0f) + greatest(p.list_floor, 0.25f * thickness);
    if (p.list_time == 0.0f) reach = 1.01f * load4(w.current, v).w;
    store4(w.listed, v, make_real4(x.x, x.y, x.z, reach + 0.5f * thickness));
}

// boxes -----------------------------------------------------------------------------------------------------------------------

KERNEL_FN u32 self_level(real half) {
    const i32 exponent = ((as_whole(half) >> 23) & 0xff) - 127; // 2^exponent <= half
    const i32 level = exponent + 1 - SELF_LEAST_EXPONENT;
    return level < 0 ? 0u : level >= SELF_LEVELS ? SELF_LEVELS - 1u : static_cast<u32>(level);
}
/// cells are a quarter to half as wide as the boxes of their level
KERNEL_FN real self_cells_per_metre(u32 level) {
    return as_real((128 - static_cast<i32>(level) - SELF_LEAST_EXPONENT) * 8388608);
}
KERNEL_FN i32 self_cell(real x, real rate) {
    return static_cast<i32>(round_down(clamped(x * rate, -SELF_FARTHEST, SELF_FARTHEST)));
}
KERNEL_FN u32 self_row(i32 y, i32 z, u32 level) {
    return hash_word(static_cast<u32>(y) * 0x9e3779b1u ^ hash_word(static_cast<u32>(z) * 32u + level));
}
KERNEL_FN real self_middle(real low, real high) { return 0.5f * (low + high); }

struct SelfBox {
    real3 low, high;
    bool there; // all its vertices are finite and collide
};

KERNEL_FN SelfBox self_box_around(const u32* vertex, u32 count, u32 bare, const SelfView w) {
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
        reach = greatest(reach, x.w);
    }
    if (bare) reach = 0.0f;
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
    if (p.of_edges) return self_box_around(w.edge + 2 * i, 2, p.bare, w);
    return self_box_around(w.triangle + 3 * i, 3, p.bare, w);
}

KERNEL_FN void self_note_extent(u32* fact, real extent) {
    const u32 bits = static_cast<u32>(as_whole(extent));
    if (bits > atomic_load(fact)) atomic_greatest(fact, bits);
}

KERNEL_FN void self_boxes(u32 i, const SelfView w, const SelfParams p) {
    const SelfBox box = self_box_of(i, w, p);
    const real3 half = (box.high - box.low) * 0.5f;
    w.cell_item[i] = i;
    w.cell_key[i] = p.cell_mask + 1; // no cell
    if (!box.there) return;
    const u32 level = self_level(greatest(half.x, greatest(half.y, half.z)));
    const real rate = self_cells_per_metre(level);
    const i32 x = self_cell(self_middle(box.low.x, box.high.x), rate),
              y = self_cell(self_middle(box.low.y, box.high.y), rate),
              z = self_cell(self_middle(box.low.z, box.high.z), rate);
    w.cell_key[i] = (static_cast<u32>(x) + self_row(y, z, level)) & p.cell_mask;
    store4(w.box, 2 * i, make_real4(box.low.x, box.low.y, box.low.z, as_real(static_cast<i32>(i))));
    store4(w.box, 2 * i + 1,
           make_real4(box.high.x, box.high.y, box.high.z, as_real(static_cast<i32>(level))));
    if ((atomic_load(w.facts + SELF_FACT_LEVELS) >> level & 1u) == 0)
        atomic_or(w.facts + SELF_FACT_LEVELS, 1u << level);
    u32* extent = w.facts + SELF_FACT_EXTENT + 3 * level;
    self_note_extent(extent, half.x);
    self_note_extent(extent + 1, half.y);
    self_note_extent(extent + 2, half.z);
}

/// where the cells of chunk i begin in the sorted keys
KERNEL_FN void self_cells(u32 i, const SelfView w, const SelfParams p) {
    u32 cell = i * SELF_CELLS_PER_ITEM, last = cell + SELF_CELLS_PER_ITEM;
    if (last > p.cell_mask + 2) last = p.cell_mask + 2;
    u32 low = 0, high = p.boxes;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (w.cell_key[middle] < cell) low = middle + 1;
        else high = middle;
    }
    for (; cell < last; ++cell) {
        while (low < p.boxes && w.cell_key[low] < cell) ++low;
        w.cell_start[cell] = low;
    }
}

KERNEL_FN void self_sort_boxes(u32 i, const SelfView w, const SelfParams p) {
    if (w.cell_key[i] > p.cell_mask) return;
    const u32 from = w.cell_item[i];
    store4(w.sorted_box, 2 * i, load4(w.box, 2 * from));
    store4(w.sorted_box, 2 * i + 1, load4(w.box, 2 * from + 1));
}

// queries ----------------------------------------------------------------------------------------------------------------------

/// Walks over the boxes that overlap one. Each is met once.
struct SelfWalk {
    real3 low, high; // of the query
    u32 levels;      // still to be walked, bits
    u32 level;
    i32 x_first, y_first, z_first;
    u32 cells, rows_y, rows; // of a row; rows along y, all rows
    u32 row, part;     // the next row; 0: not begun, 1: in a row, 2: in the part that begins the table anew
    u32 at, end, rest; // in sorted_box; where the second part ends
    i32 y, z;
};

KERNEL_FN SelfWalk self_walk(real3 low, real3 high, const SelfView w) {
    SelfWalk walk;
    walk.low = low;
    walk.high = high;
    walk.levels = w.facts[SELF_FACT_LEVELS];
    walk.rows = walk.row = 0;
    walk.at = walk.end = walk.rest = 0;
    return walk;
}

KERNEL_FN void self_walk_level(SelfWalk& walk, const SelfView w, const SelfParams p) {
    u32 level = 0;
    while ((walk.levels >> level & 1u) == 0) ++level;
    walk.levels &= ~(1u << level);
    walk.level = level;
    const real rate = self_cells_per_metre(level);
    const u32* extent = w.facts + SELF_FACT_EXTENT + 3 * level;
    // a little wider: the centre was rounded
    const real wide = 1.0001f, x = wide * as_real(static_cast<i32>(extent[0])),
               y = wide * as_real(static_cast<i32>(extent[1])),
               z = wide * as_real(static_cast<i32>(extent[2]));
    walk.x_first = self_cell(walk.low.x - x, rate);
    walk.y_first = self_cell(walk.low.y - y, rate);
    walk.z_first = self_cell(walk.low.z - z, rate);
    const u32 cells_x = static_cast<u32>(self_cell(walk.high.x + x, rate) - walk.x_first) + 1,
              rows_y = static_cast<u32>(self_cell(walk.high.y + y, rate) - walk.y_first) + 1,
              rows_z = static_cast<u32>(self_cell(walk.high.z + z, rate) - walk.z_first) + 1;
    const unsigned long long rows = static_cast<unsigned long long>(rows_y) * rows_z;
    walk.row = 0;
    // more cells than boxes: look at every box instead
    if (rows > p.boxes || cells_x > p.cell_mask) {
        walk.rows = 1;
        walk.cells = 0;
    } else {
        walk.rows = static_cast<u32>(rows);
        walk.rows_y = rows_y;
        walk.cells = cells_x;
    }
}

KERNEL_FN void self_walk_row(SelfWalk& walk, const SelfView w, const SelfParams p) {
    const u32 row = walk.row++, buckets = p.cell_mask + 1;
    walk.rest = 0;
    if (walk.cells == 0) {
        walk.at = 0;
        walk.end = w.cell_start[buckets];
        return;
    }
    walk.y = walk.y_first + static_cast<i32>(row % walk.rows_y);
    walk.z = walk.z_first + static_cast<i32>(row / walk.rows_y);
    const u32 from = (static_cast<u32>(walk.x_first) + self_row(walk.y, walk.z, walk.level)) & p.cell_mask;
    const u32 to = from + walk.cells;
    walk.at = w.cell_start[from];
    walk.end = w.cell_start[to < buckets ? to : buckets];
    if (to > buckets)
        walk.rest =
            w.cell_start[to - buckets]; // a row that crosses the end of the table goes on at its start
}

/// the number of the next box, or -1
KERNEL_FN u32 self_walk_next(SelfWalk& walk, const SelfView w, const SelfParams p) {
    for (;;) {
        while (walk.at < walk.end) {
            const u32 k = walk.at++;
            const real4 low = load4(w.sorted_box, 2 * k), high = load4(w.sorted_box, 2 * k + 1);
            const bool overlap = low.x <= walk.high.x && walk.low.x <= high.x && low.y <= walk.high.y &&
                                 walk.low.y <= high.y && low.z <= walk.high.z && walk.low.z <= high.z;
            if (!overlap || static_cast<u32>(as_whole(high.w)) != walk.level) continue;
            if (walk.cells != 0) {
                // other rows share these cells: a box counts in its own alone
                const real rate = self_cells_per_metre(walk.level);
                if (self_cell(self_middle(low.y, high.y), rate) != walk.y ||
                    self_cell(self_middle(low.z, high.z), rate) != walk.z)
                    continue;
            }
            return static_cast<u32>(as_whole(low.w));
        }
        if (walk.rest != 0) {
            walk.at = 0;
            walk.end = walk.rest;
            walk.rest = 0;
        } else if (walk.row < walk.rows) {
            self_walk_row(walk, w, p);
        } else if (walk.levels != 0) {
            self_walk_level(walk, w, p);
        } else {
            return 0xffffffffu;
        }
    }
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
        pair.vertex[0] = w.edge[e];
        pair.vertex[1] = w.edge[e + 1];
        pair.vertex[2] = w.edge[2 * b];
        pair.vertex[3] = w.edge[2 * b + 1];
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
    const real thickness = 0.5f * (load4(w.cloth, ca).x + load4(w.cloth, cb).x);
    if (ca != cb) return thickness;
    const real rest = root(self_nearest(self_sides_in(pair, w.rest)).square);
    return least(0.9f * rest, thickness);
}

KERNEL_FN real self_reach_of(const u32* vertex, u32 count, const SelfView w) {
    real most = 0.0f;
    for (u32 k = 0; k < count; ++k) most = greatest(most, load4(w.listed, vertex[k]).w);
    return most;
}

/// the pair becomes a candidate if it is within the reach of both sides
KERNEL_FN void self_offer(u32 a, u32 b, const SelfView w, const SelfParams p) {
    const SelfPair pair = self_pair_of(a, b, w);
    if (self_share_vertex(pair)) return;
    const u32 of_a = pair.edges ? 2u : 1u;
    const real reach = self_reach_of(pair.vertex, of_a, w) + self_reach_of(pair.vertex + of_a, 4 - of_a, w);
    const SelfSides sides = self_sides_in(pair, w.listed);
    const real distance = root(self_nearest(sides).square);
    if (distance > 1.0001f * reach + 1e-5f * self_size(sides)) return;
    const u32 at = atomic_add(w.facts + SELF_FACT_PAIRS, 1u);
    if (at >= p.capacity) return;
    const real kept = self_kept_distance(pair, w);
    u32* out = w.pair + 6 * at;
    out[0] = pair.vertex[0] | (pair.edges << 31);
    for (u32 k = 1; k < 4; ++k) out[k] = pair.vertex[k];
    out[4] = static_cast<u32>(as_whole(kept));
    out[5] = static_cast<u32>(as_whole(0.9999f * distance - kept));
}

/// triangles near vertex i
KERNEL_FN void self_find_triangles(u32 i, const SelfView w, const SelfParams p) {
    const SelfBox box = self_box_around(&i, 1, 0, w);
    if (!box.there) return;
    SelfWalk walk = self_walk(box.low, box.high, w);
    for (u32 t = self_walk_next(walk, w, p); t != 0xffffffffu; t = self_walk_next(walk, w, p))
        self_offer(i, t, w, p);
}

/// edges near edge i, of a higher number
KERNEL_FN void self_find_edges(u32 i, const SelfView w, const SelfParams p) {
    const SelfBox box = self_box_around(w.edge + 2 * i, 2, 0, w);
    if (!box.there) return;
    SelfWalk walk = self_walk(box.low, box.high, w);
    for (u32 e = self_walk_next(walk, w, p); e != 0xffffffffu; e = self_walk_next(walk, w, p))
        if (e > i) self_offer(i | SELF_EDGES, e, w, p);
}

// intersections that are there ---------------------------------------------------------------------------------------------------

KERNEL_FN SelfWide self_wide_from(real3 x, real3 origin) {
    return wide_minus(self_wide(x), self_wide(origin));
}

/// triangles that edge i goes through: counts them and marks their vertices and the edge's
KERNEL_FN void self_find_crossings(u32 i, const SelfView w, const SelfParams p) {
    const u32 a = w.edge[2 * i], b = w.edge[2 * i + 1];
    const SelfBox box = self_box_around(w.edge + 2 * i, 2, 1, w);
    if (!box.there) return;
    const real3 xa = self_point(w.listed, a), xb = self_point(w.listed, b);
    SelfWalk walk = self_walk(box.low, box.high, w);
    for (u32 t = self_walk_next(walk, w, p); t != 0xffffffffu; t = self_walk_next(walk, w, p)) {
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
