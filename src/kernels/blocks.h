// SPDX-License-Identifier: MIT
// blocks.h — records of many fields, stored field by field for as many items as are computed together.
// compiles as: host, lanes, cuda
//
// A block holds `width` fields of BLOCK items each: field f of item i lies at (i / BLOCK * width + f) * BLOCK + i % BLOCK.
// Items that follow each other are solved together, so one load brings a field of all of them: a register on the CPU, the
// 32 threads of a warp on a GPU.

#if defined(__CUDACC__)
#define BLOCK 32
#else
#define BLOCK SCREE_LANES
#endif

/// lane l of the result is the item of lane l of `i`; the indices are needed as memory for the quads' addresses
struct lane_indices {
    alignas(4 * SCREE_LANES) i32 at[SCREE_LANES];
};
KERNEL_FN lane_indices indices_of(whole i) {
    lane_indices n;
#if SCREE_LANES > 1
    __builtin_memcpy(n.at, &i, sizeof n.at);
#else
    n.at[0] = i;
#endif
    return n;
}

/// where the fields of an item begin (of its lanes' first, when there are several)
KERNEL_FN const f32* block_of(const f32* blocks, u32 item, u32 width) {
    return blocks + (static_cast<std::size_t>(item / BLOCK * BLOCK) * width + item % BLOCK);
}
KERNEL_FN f32* block_of(f32* blocks, u32 item, u32 width) {
    return blocks + (static_cast<std::size_t>(item / BLOCK * BLOCK) * width + item % BLOCK);
}

KERNEL_FN real field(const f32* block, u32 f) { return load(block + f * BLOCK); }
KERNEL_FN void set_field(f32* block, u32 f, real v) { store(block + f * BLOCK, v); }
KERNEL_FN whole field_whole(const f32* block, u32 f) { return as_whole(load(block + f * BLOCK)); }
KERNEL_FN void set_field_whole(f32* block, u32 f, whole v) { store(block + f * BLOCK, as_real(v)); }
KERNEL_FN real3 field3(const f32* block, u32 f) {
    return make_real3(field(block, f), field(block, f + 1), field(block, f + 2));
}
KERNEL_FN void set_field3(f32* block, u32 f, real3 v) {
    set_field(block, f, v.x);
    set_field(block, f + 1, v.y);
    set_field(block, f + 2, v.z);
}

/// quad k of each lane's record of `quads` quads
KERNEL_FN real4 gather_quad(const f32* a, lane_indices i, u32 quads, u32 k) {
#if SCREE_LANES > 1
    for (u32 l = 0; l < SCREE_LANES; ++l) i.at[l] = static_cast<i32>(static_cast<u32>(i.at[l]) * quads + k);
    return gather4_at(a, i.at);
#else
    return load4(a, static_cast<u32>(i.at[0]) * quads + k);
#endif
}

#if SCREE_LANES > 1
KERNEL_FN u32 lane_bits(mask m) { return mask_bits(m); }
#else
KERNEL_FN u32 lane_bits(mask m) { return m ? 1u : 0u; }
#endif

/// writes quad k of the records of those lanes whose bit is set; no two of them may be the same
KERNEL_FN void scatter_quad(f32* a, lane_indices i, u32 quads, u32 k, real4 v, u32 lanes) {
#if SCREE_LANES > 1 && defined(__SSE2__)
    const auto to = [&](u32 l) {
        return a + 4 * (static_cast<std::size_t>(static_cast<u32>(i.at[l])) * quads + k);
    };
    // mostly all lanes or none: no tests of their bits then
    if (lanes == ALL_LANES) put_rows(quad_rows(v), ALL_LANES, to);
    else if (lanes) put_rows(quad_rows(v), lanes, to);
#elif SCREE_LANES > 1
    for (u32 l = 0; l < SCREE_LANES; ++l) {
        if (!(lanes >> l & 1)) continue;
        f32* to = a + 4 * (static_cast<std::size_t>(static_cast<u32>(i.at[l])) * quads + k);
        to[0] = v.x[l];
        to[1] = v.y[l];
        to[2] = v.z[l];
        to[3] = v.w[l];
    }
#else
    if (lanes) store4(a, static_cast<u32>(i.at[0]) * quads + k, v);
#endif
}

KERNEL_FN real3 xyz(real4 v) { return make_real3(v.x, v.y, v.z); }
KERNEL_FN real4 with_w(real3 v, real w) { return make_real4(v.x, v.y, v.z, w); }
KERNEL_FN quat quat_of(real4 v) { return make_quat(v.w, v.x, v.y, v.z); }

/// a symmetric matrix
struct sym3 {
    real xx, yy, zz, xy, xz, yz;
};
KERNEL_FN real3 sym3_times(sym3 m, real3 v) {
    return make_real3((m.xx * v.x + m.xy * v.y) + m.xz * v.z, (m.xy * v.x + m.yy * v.y) + m.yz * v.z,
                      (m.xz * v.x + m.yz * v.y) + m.zz * v.z);
}
