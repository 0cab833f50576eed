// SPDX-License-Identifier: MIT
// pipeline_sweep.h — fast bodies stop where they first touch, on a device.   compiles as: host, cuda

// colouring leaves the bids of all bodies empty, and so do sweeps
KERNEL_FN u64* stops_of(const WorldView w) { return reinterpret_cast<u64*>(w.bids); }

KERNEL_FN SweepView sweep_view_of(const WorldView w, const WorldParams p) {
    SweepView v;
    v.body = body_view_of(w, p);
    v.pose = w.pose;
    v.bounds = w.bounds;
    v.dt = p.dt;
    return v;
}

KERNEL_FN bool body_swept(u32 b, const WorldView w) {
    return is_movable(w.body_flags[b]) && load4(w.free, 2 * b).w == SWEPT;
}
KERNEL_FN bool body_went(u32 b, const WorldView w) {
    return is_lively(w.body_flags[b]) && load4(w.free, 2 * b).w != 0.0f;
}
KERNEL_FN bool body_bullet(u32 b, const WorldView w) {
    return load4(w.constants, BODY_CONSTANTS * b + BODY_SWEEP).y != 0.0f;
}

KERNEL_FN SweepSide sweep_side(u32 b, u32 s, const WorldView w) {
    SweepSide side;
    side.body = b;
    side.shape = s;
    side.moves = body_went(b, w);
    side.geometry = convex_shape_of(s, w);
    side.radius = load4(w.size, s).w;
    return side;
}

KERNEL_FN void stop_offer(real time, u32 b, u32 other, const WorldView w) {
    if (time < 1.0f) atomic_least64(stops_of(w) + b, stop_word(time, other));
}

/// of a contact, and in the first pass of a shape; `which`: the pass
KERNEL_FN void world_sweep(u32 i, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_SWEPT]) return;
    const SweepView v = sweep_view_of(w, p);
    if (p.which == 0 && i < p.shapes) {
        const u32 b = w.shape_info[SHAPE_INFO * i + SHAPE_BODY];
        if (b != NOTHING && body_swept(b, w))
            stop_offer(sweep_cover(v, shape_facts(i, w), b, i), b, STOP_COVER, w);
    }
    if (i >= p.contacts || w.ends[4 * i] == NOTHING) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 b = w.ends[4 * i + 2 + side], other = w.ends[4 * i + 3 - side];
        if (!body_swept(b, w)) continue;
        const bool pushed = (w.body_flags[other] & (BODY_DYNAMIC | BODY_FROZEN)) == BODY_DYNAMIC;
        if (!sweeps_against(p.which, body_bullet(b, w), pushed)) continue;
        const SweepSide theirs = sweep_side(other, w.ends[4 * i + 1 - side], w);
        const real time = sweep_pair(v, sweep_side(b, w.ends[4 * i + side], w), theirs);
        if (!(time < 1.0f)) continue;
        if (p.which == 0 || !theirs.moves ||
            time <= sweep_cover(v, shape_facts(theirs.shape, w), other, theirs.shape))
            stop_offer(time, b, other, w);
    }
}

KERNEL_FN void world_stop(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_SWEPT]) return;
    const u64 stop = stops_of(w)[b];
    if (stop == STOP_NONE) return;
    stops_of(w)[b] = STOP_NONE;
    const u32 other = static_cast<u32>(stop & 0xffffffffu);
    body_stop(sweep_view_of(w, p), b, stop,
              other != STOP_COVER && body_went(other, w) && !body_bullet(other, w));
}
