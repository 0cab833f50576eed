// SPDX-License-Identifier: MIT
// opencl_sort.h — a stable radix sort and an exclusive scan.   compiles as: opencl
//
// The build options set how an array is cut into tiles: SORT_THREADS work-items share a tile and each owns
// SORT_ITEMS words of it. GPUs take many work-items with few words, CPUs one work-item with many.
//
// One pass of the sort handles SORT_BITS bits: sort_count counts the digits of each tile, a scan of the counts
// (by digit, then by tile) tells where each tile's keys of each digit go, sort_move takes them there. Keys have
// one or two words.

#define SORT_DIGITS (1u << SORT_BITS)
#define SORT_TILE (SORT_THREADS * SORT_ITEMS)

u32 sort_digit(GLOBAL const u32* keys, u32 words, u32 i, u32 shift, u32 digit_mask) {
    return (keys[(size_t)i * words + (shift >> 5)] >> (shift & 31)) & digit_mask;
}

void sort_copy(GLOBAL const u32* keys, GLOBAL const u32* values, GLOBAL u32* to_keys, GLOBAL u32* to_values,
               u32 words, u32 from, u32 to) {
    to_values[to] = values[from];
    if (words == 1) {
        to_keys[to] = keys[from];
    } else {
        ((GLOBAL uint2*)to_keys)[to] = ((GLOBAL const uint2*)keys)[from];
    }
}

/// the sum of `value` over the work-items before this one; all of the group come here
u32 sum_before(u32 value, __local u32* sums) {
#if SORT_THREADS == 1
    return 0;
#else
    u32 t = (u32)get_local_id(0);
    u32 total = value;
    sums[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 step = 1; step < SORT_THREADS; step *= 2) {
        u32 other = t >= step ? sums[t - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += other;
        sums[t] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return total - value;
#endif
}

/// sums[tile] = the sum of a tile
__kernel void scan_sums(GLOBAL const u32* in, GLOBAL u32* sums, u32 count) {
    __local u32 shares[SORT_THREADS];
    u32 t = (u32)get_local_id(0);
    u32 tile = (u32)get_group_id(0);
    u32 total = 0;
    for (u32 k = 0; k < SORT_ITEMS; ++k) {
        u32 i = tile * SORT_TILE + k * SORT_THREADS + t;
        if (i < count) total += in[i];
    }
    u32 before = sum_before(total, shares);
    if (t == SORT_THREADS - 1) sums[tile] = before + total;
}

/// the exclusive scan of a tile, on top of starts[tile] where there are starts; in and out may be the same
__kernel void scan_tiles(GLOBAL const u32* in, GLOBAL u32* out, GLOBAL const u32* starts, u32 has_starts,
                         u32 count) {
    __local u32 shares[SORT_THREADS];
    u32 tile = (u32)get_group_id(0);
    u32 first = tile * SORT_TILE + (u32)get_local_id(0) * SORT_ITEMS;
    u32 last = first < count ? min(first + SORT_ITEMS, count) : first;
    u32 total = 0;
    if (SORT_THREADS > 1)
        for (u32 i = first; i < last; ++i) total += in[i];
    u32 running = sum_before(total, shares) + (has_starts ? starts[tile] : 0);
    for (u32 i = first; i < last; ++i) {
        u32 word = in[i];
        out[i] = running;
        running += word;
    }
}

#if SORT_THREADS == 1 // --------------------------------------------------------------------------------

__kernel void sort_count(GLOBAL const u32* keys, GLOBAL u32* counts, u32 words, u32 shift, u32 digit_mask,
                         u32 tiles, u32 count) {
    u32 tile = (u32)get_group_id(0);
    u32 last = min((tile + 1) * SORT_TILE, count);
    u32 found[SORT_DIGITS];
    for (u32 d = 0; d < SORT_DIGITS; ++d) found[d] = 0;
    for (u32 i = tile * SORT_TILE; i < last; ++i) found[sort_digit(keys, words, i, shift, digit_mask)] += 1;
    for (u32 d = 0; d < SORT_DIGITS; ++d) counts[d * tiles + tile] = found[d];
}

__kernel void sort_move(GLOBAL const u32* keys, GLOBAL const u32* values, GLOBAL u32* to_keys,
                        GLOBAL u32* to_values, GLOBAL const u32* starts, u32 words, u32 shift, u32 digit_mask,
                        u32 tiles, u32 count) {
    u32 tile = (u32)get_group_id(0);
    u32 last = min((tile + 1) * SORT_TILE, count);
    u32 next[SORT_DIGITS];
    for (u32 d = 0; d < SORT_DIGITS; ++d) next[d] = starts[d * tiles + tile];
    for (u32 i = tile * SORT_TILE; i < last; ++i) {
        u32 d = sort_digit(keys, words, i, shift, digit_mask);
        sort_copy(keys, values, to_keys, to_values, words, i, next[d]);
        next[d] += 1;
    }
}

#else // ------------------------------------------------------------------------------------------------

// Counters form a table of digits by work-items, each work-item counting in a column of its own: no atomics,
// and the scan of the table in reading order is the rank of every key.
#define SORT_COUNTERS (SORT_DIGITS * SORT_THREADS)
// one unused word in 33, so that work-items walking neighbouring stretches of the table meet different banks
#define SORT_SLOT(i) ((i) + ((i) >> 5))

__kernel void sort_count(GLOBAL const u32* keys, GLOBAL u32* counts, u32 words, u32 shift, u32 digit_mask,
                         u32 tiles, u32 count) {
    __local u32 table[SORT_COUNTERS];
    u32 t = (u32)get_local_id(0);
    u32 tile = (u32)get_group_id(0);
    for (u32 d = 0; d < SORT_DIGITS; ++d) table[d * SORT_THREADS + t] = 0;
    for (u32 k = 0; k < SORT_ITEMS; ++k) {
        u32 i = tile * SORT_TILE + k * SORT_THREADS + t;
        if (i < count) table[sort_digit(keys, words, i, shift, digit_mask) * SORT_THREADS + t] += 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // fold the columns in halves
    for (u32 half_width = SORT_THREADS / 2; half_width > 0; half_width /= 2) {
        for (u32 k = t; k < SORT_DIGITS * half_width; k += SORT_THREADS) {
            u32 at = (k / half_width) * SORT_THREADS + k % half_width;
            table[at] += table[at + half_width];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < SORT_DIGITS) counts[t * tiles + tile] = table[t * SORT_THREADS];
}

__kernel void sort_move(GLOBAL const u32* keys, GLOBAL const u32* values, GLOBAL u32* to_keys,
                        GLOBAL u32* to_values, GLOBAL const u32* starts, u32 words, u32 shift, u32 digit_mask,
                        u32 tiles, u32 count) {
    __local u32 table[SORT_SLOT(SORT_COUNTERS)];
    __local u32 shares[SORT_THREADS];
    __local u32 offset[SORT_DIGITS];
    __local u32 order[SORT_TILE];
    __local uchar digit[SORT_TILE];
    u32 t = (u32)get_local_id(0);
    u32 tile = (u32)get_group_id(0);
    u32 first = tile * SORT_TILE;
    u32 held = min((u32)SORT_TILE, count - first);

    // digits, read side by side and used in stretches
    for (u32 k = t; k < held; k += SORT_THREADS)
        digit[k] = (uchar)sort_digit(keys, words, first + k, shift, digit_mask);
    for (u32 d = 0; d < SORT_DIGITS; ++d) table[SORT_SLOT(d * SORT_THREADS + t)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 own = t * SORT_ITEMS;
    u32 own_end = min(own + SORT_ITEMS, held);
    for (u32 k = own; k < own_end; ++k) table[SORT_SLOT(digit[k] * SORT_THREADS + t)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);

    // scan the table, SORT_DIGITS counters a work-item
    u32 total = 0;
    for (u32 k = 0; k < SORT_DIGITS; ++k) total += table[SORT_SLOT(t * SORT_DIGITS + k)];
    u32 running = sum_before(total, shares);
    for (u32 k = 0; k < SORT_DIGITS; ++k) {
        u32 slot = SORT_SLOT(t * SORT_DIGITS + k);
        u32 found = table[slot];
        table[slot] = running;
        running += found;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < SORT_DIGITS) offset[t] = starts[t * tiles + tile] - table[SORT_SLOT(t * SORT_THREADS)];
    barrier(CLK_LOCAL_MEM_FENCE);

    // sort the tile by place first: neighbours in the result are then written by neighbours
    for (u32 k = own; k < own_end; ++k) {
        u32 slot = SORT_SLOT(digit[k] * SORT_THREADS + t);
        order[table[slot]] = k;
        table[slot] += 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = t; k < held; k += SORT_THREADS) {
        u32 from = order[k];
        sort_copy(keys, values, to_keys, to_values, words, first + from, offset[digit[from]] + k);
    }
}

#endif
