// SPDX-License-Identifier: MIT
// pipeline_grid.h — pairs by a uniform grid, for shapes that are about as large as each other.   compiles as: host, cuda
//
// A shape is in one cell, that of the low corner of its fat bounds. Shapes that overlap a query have their low corner between the
// query's own high one and, on each axis, the largest extent before the query's low one. Cells are numbered without end; a
// table of buckets holds them by a hash of y and z to which x is added, so that cells in a row along x are neighbours in
// memory: a query reads one run for each row. Neither how far the world reaches nor a stray body far away matters.
//
// The largest extent is that of the shapes in the grid. Bounds reach ahead of fast shapes, so a few extents may be far beyond
// the others: these stay out of the grid ("wide"), and every query is compared with them.

// of a cell, as shares of the largest extent. Short along x, where it costs nothing: fewer shapes are looked at in vain.
#define GRID_SHARE_X 0.25f
#define GRID_SHARE 1.0f
// whole numbers that a float counts
#define GRID_FARTHEST 8388607.0f

KERNEL_FN real fat_extent(real low, real high) {
    const real extent = high - low;
    return extent < UNBOUNDED ? extent : UNBOUNDED; // NaN counts as unbounded
}

/// Shapes by how their largest extent compares to `grid_base`: up to it, to twice, four times … Of each class how many, and the
/// largest extents. Many shapes by each item, so that few meet at the same words.
KERNEL_FN void world_grid_extent(u32 i, const WorldView w, const WorldParams p) {
    u32 count[GRID_CLASSES] = {0};
    real most[3 * GRID_CLASSES] = {0};
    for (u32 s = i; s < p.shapes; s += p.items) {
        if (!in_tree(s, w)) continue;
        real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
        const real x = fat_extent(low.x, high.x), y = fat_extent(low.y, high.y),
                   z = fat_extent(low.z, high.z);
        const real largest = greatest(greatest(x, y), z);
        u32 k = 0;
        for (real up_to = p.grid_base; k < GRID_CLASSES - 1 && largest > up_to; up_to *= 2.0f) ++k;
        ++count[k];
        most[3 * k] = greatest(most[3 * k], x);
        most[3 * k + 1] = greatest(most[3 * k + 1], y);
        most[3 * k + 2] = greatest(most[3 * k + 2], z);
    }
    for (u32 k = 0; k < GRID_CLASSES; ++k) {
        if (!count[k]) continue;
        atomic_add(w.grid_facts + GRID_COUNTS + k, count[k]);
        for (u32 axis = 3 * k; axis < 3 * k + 3; ++axis)
            atomic_greatest(w.grid_facts + GRID_EXTENTS + axis, ordered_word(most[axis]));
    }
}

/// one item: which classes are wide, and what follows from the others
KERNEL_FN void world_grid_size(u32 i, const WorldView w, const WorldParams p) {
    (void)i;
    u32* facts = w.grid_facts;
    u32 classes = GRID_CLASSES;
    real limit = p.grid_base;
    for (u32 k = 1; k < GRID_CLASSES; ++k) limit *= 2.0f;
    for (u32 wide = 0; classes > 1; limit *= 0.5f) {
        wide += facts[GRID_COUNTS + classes - 1];
        if (wide > GRID_WIDE_MOST) break;
        --classes;
    }
    // the last class has no end
    facts[GRID_LIMIT] = static_cast<u32>(as_whole(classes == GRID_CLASSES ? 2.0f * UNBOUNDED : limit));
    const real share[3] = {GRID_SHARE_X, GRID_SHARE, GRID_SHARE};
    for (u32 axis = 0; axis < 3; ++axis) {
        real reach = 1e-18f; // a cell has a size
        for (u32 k = 0; k < classes; ++k)
            if (facts[GRID_COUNTS + k])
                reach = greatest(reach, from_ordered(facts[GRID_EXTENTS + 3 * k + axis]));
        facts[GRID_REACH + axis] = static_cast<u32>(as_whole(reach));
        // where nothing ends there is one cell
        const real rate = reach < UNBOUNDED ? 1.0f / (share[axis] * reach) : 0.0f;
        facts[GRID_RATE + axis] = static_cast<u32>(as_whole(rate));
    }
}

KERNEL_FN real grid_fact(const WorldView w, u32 which) {
    return as_real(static_cast<i32>(w.grid_facts[which]));
}
/// never less for what is farther; ends where a float no longer tells cells apart
KERNEL_FN i32 grid_cell(real at, real rate) {
    if (rate == 0.0f) return 0;
    return to_whole(round_down(clamped(at * rate, -GRID_FARTHEST, GRID_FARTHEST)));
}
/// of cell 0 of a row along x
KERNEL_FN u32 grid_row(i32 y, i32 z) {
    u32 a = static_cast<u32>(y) * 0x9e3779b1u ^ static_cast<u32>(z) * 0x85ebca6bu;
    a = (a ^ a >> 15) * 0x2c1b3c6du;
    return a ^ a >> 12;
}

/// which bucket a shape is in, and where in it; lists of those in none: the wide ones, and what of them and the big ones moved
KERNEL_FN void world_grid_keys(u32 s, const WorldView w, const WorldParams p) {
    const u32* info = w.shape_info + SHAPE_INFO * s;
    u32* key = w.grid_keys + 2 * s;
    key[0] = NOTHING;
    if (info[SHAPE_BODY] == NOTHING) return;
    const bool big = (info[SHAPE_FLAGS] & SHAPE_BIG) != 0;
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    const real largest =
        greatest(greatest(fat_extent(low.x, high.x), fat_extent(low.y, high.y)), fat_extent(low.z, high.z));
    const bool wide = largest > grid_fact(w, GRID_LIMIT);
    if (big || wide) {
        if (!big) w.grid_wide[atomic_add(w.grid_facts + GRID_WIDE, 1u)] = s;
        if (info[SHAPE_FLAGS] & SHAPE_MOVED) w.grid_seekers[atomic_add(w.grid_facts + GRID_SEEKERS, 1u)] = s;
        return;
    }
    const i32 x = grid_cell(low.x, grid_fact(w, GRID_RATE)),
              y = grid_cell(low.y, grid_fact(w, GRID_RATE + 1)),
              z = grid_cell(low.z, grid_fact(w, GRID_RATE + 2));
    key[0] = (static_cast<u32>(x) + grid_row(y, z)) & p.grid_mask;
    key[1] = atomic_add(w.grid_start + key[0], 1u);
}

/// bounds in the order of the buckets, which are known by where they start; low.w is the shape
KERNEL_FN void world_grid_place(u32 s, const WorldView w, const WorldParams p) {
    (void)p;
    const u32* key = w.grid_keys + 2 * s;
    if (key[0] == NOTHING) return;
    const u32 at = w.grid_start[key[0]] + key[1];
    real4 low = load4(w.fat, 2 * s);
    low.w = as_real(static_cast<i32>(s));
    store4(w.grid_bounds, 2 * at, low);
    store4(w.grid_bounds, 2 * at + 1, load4(w.fat, 2 * s + 1));
}

/// One that moved and is in the grid, by GRID_LANES items: the rows are shared among them, as each that is near takes one item
/// several waits for memory.
KERNEL_FN void world_find_grid(u32 i, const WorldView w, const WorldParams p) {
    const u32 s = w.moved[i / GRID_LANES], lane = i % GRID_LANES;
    if (w.grid_keys[2 * s] == NOTHING) return; // world_find_out looks for it
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    find_listed(s, w.big, p.big_shapes, lane, GRID_LANES, w, p);
    find_listed(s, w.grid_wide, w.grid_facts[GRID_WIDE], lane, GRID_LANES, w, p);
    // a little more than the largest extent: it was rounded
    const real more = 1.00001f;
    const real rate_x = grid_fact(w, GRID_RATE), rate_y = grid_fact(w, GRID_RATE + 1),
               rate_z = grid_fact(w, GRID_RATE + 2);
    const i32 x_first = grid_cell(low.x - more * grid_fact(w, GRID_REACH), rate_x),
              y_first = grid_cell(low.y - more * grid_fact(w, GRID_REACH + 1), rate_y),
              z_first = grid_cell(low.z - more * grid_fact(w, GRID_REACH + 2), rate_z),
              x_last = grid_cell(high.x, rate_x), y_last = grid_cell(high.y, rate_y),
              z_last = grid_cell(high.z, rate_z);
    const u32 buckets = p.grid_mask + 1, cells = static_cast<u32>(x_last - x_first) + 1;
    const u32 rows_y = static_cast<u32>(y_last - y_first) + 1,
              rows_z = static_cast<u32>(z_last - z_first) + 1;
    for (u32 row = lane; row < rows_y * rows_z; row += GRID_LANES) {
        const i32 y = y_first + static_cast<i32>(row % rows_y), z = z_first + static_cast<i32>(row / rows_y);
        // a row that crosses the end of the table goes on at its start
        const u32 from = (static_cast<u32>(x_first) + grid_row(y, z)) & p.grid_mask;
        const u32 to = from + cells;
        u32 k = w.grid_start[from], end = w.grid_start[to < buckets ? to : buckets];
        for (u32 part = 0; part < 2; ++part) {
            for (; k < end; ++k) {
                real4 other_low = load4(w.grid_bounds, 2 * k), other_high = load4(w.grid_bounds, 2 * k + 1);
                const bool near = other_low.x <= high.x && low.x <= other_high.x && other_low.y <= high.y &&
                                  low.y <= other_high.y && other_low.z <= high.z && low.z <= other_high.z;
                // other rows share these buckets: a shape counts in its own alone
                if (near && grid_cell(other_low.y, rate_y) == y && grid_cell(other_low.z, rate_z) == z)
                    pair_offer(s, static_cast<u32>(as_whole(other_low.w)), w, p);
            }
            if (to <= buckets) break;
            k = 0;
            end = w.grid_start[to - buckets];
        }
    }
}

/// all shapes against those that moved and are not in the grid: large, and few
KERNEL_FN void world_find_out(u32 t, const WorldView w, const WorldParams p) {
    const u32 seekers = w.grid_facts[GRID_SEEKERS];
    if (seekers) find_by_list(t, w.grid_seekers, 0, seekers, w, p);
}
