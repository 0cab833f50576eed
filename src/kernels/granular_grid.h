// SPDX-License-Identifier: MIT
// granular_grid.h — which cell a particle is in.   compiles as: host, lanes, cuda, opencl
//
// Flat cell = (ix * grid_y + iy) * grid_z + iz: cells along z are neighbours in the sorted arrays.
//
// reference: a bounded grid; cell coordinates are trunc((x - min) / d); outside 1 … m-2 a particle is not registered.
// improved:  a grid without bounds. Cell coordinates are taken modulo the size of the table, so that far cells share an
//            entry (as in any hash) while near cells stay neighbours in memory. What shares an entry is told apart by
//            distance; the order in which a particle meets its neighbours follows the unwrapped cells, so the size of
//            the table does not show in the result.

struct GranularCell_t {
    whole x, y, z;
};
typedef struct GranularCell_t GranularCell;

/// t modulo m in 0 … m-1, for whole numbers held in floats
KERNEL_FN real granular_wrapped(real t, f32 m) {
    real w = t - m * round_down(t * (1.0f / m));
    // the product rounds: the quotient may be off by one
    w = pick(w < 0.0f, w + m, w);
    return pick(w >= m, w - m, w);
}

/// whole cell coordinate of a position, limited to what a float counts exactly
KERNEL_FN real granular_cell_coordinate(real x, f32 inv_cell) {
    return round_down(clamped(x * inv_cell, to_real(-8388608.0f), to_real(8388607.0f)));
}

KERNEL_FN GranularCell granular_wrapped_cell(real3 x, GranularParams p) {
    GranularCell c;
    c.x = to_whole(granular_wrapped(granular_cell_coordinate(x.x, p.inv_cell_size), (f32)p.grid_x));
    c.y = to_whole(granular_wrapped(granular_cell_coordinate(x.y, p.inv_cell_size), (f32)p.grid_y));
    c.z = to_whole(granular_wrapped(granular_cell_coordinate(x.z, p.inv_cell_size), (f32)p.grid_z));
    return c;
}

KERNEL_FN whole granular_reference_coordinate(real x, f32 low, f32 cell) {
    return to_whole(clamped((x - low) / cell, to_real(-8388608.0f), to_real(8388607.0f)));
}

KERNEL_FN GranularCell granular_reference_cell(real3 x, GranularParams p) {
    GranularCell c;
    c.x = granular_reference_coordinate(x.x, p.grid_min_x, p.cell_size);
    c.y = granular_reference_coordinate(x.y, p.grid_min_y, p.cell_size);
    c.z = granular_reference_coordinate(x.z, p.grid_min_z, p.cell_size);
    return c;
}

KERNEL_FN mask granular_inside(whole c, u32 m) { return both(c >= 1, c <= (i32)m - 2); }

/// the key to sort by; particles outside the reference grid go to the end, into no cell
KERNEL_FN whole granular_key(real3 x, GranularParams p) {
    if (p.reference == 0u) {
        GranularCell near = granular_wrapped_cell(x, p);
        return (near.x * (i32)p.grid_y + near.y) * (i32)p.grid_z + near.z;
    }
    GranularCell c = granular_reference_cell(x, p);
    mask inside = both(both(granular_inside(c.x, p.grid_x), granular_inside(c.y, p.grid_y)),
                       granular_inside(c.z, p.grid_z));
    // far outside the product would not fit
    whole none = whole_from(0u);
    whole cx = pick_whole(inside, c.x, none), cy = pick_whole(inside, c.y, none),
          cz = pick_whole(inside, c.z, none);
    whole key = (cx * (i32)p.grid_y + cy) * (i32)p.grid_z + cz;
    return pick_whole(inside, key, whole_from(p.cells));
}
