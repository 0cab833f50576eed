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
    side.one_way = one_way_of(s, w);
    return side;
}

/// Shape s of body b, which is swept, meets shape t of another.
KERNEL_FN void sweep_meets(u32 b, u32 s, u32 other, u32 t, const SweepView v, const WorldView w, u32 pass) {
    const SweepSide theirs = sweep_side(other, t, w);
    const real time = sweep_pair(v, sweep_side(b, s, w), theirs);
    if (!(time < 1.0f)) return;
    if (pass == 1 && (time > sweep_cover(v, shape_facts(s, w), b, s) ||
                      (theirs.moves && time > sweep_cover(v, shape_facts(t, w), other, t))))
        return;
    atomic_least64(stops_of(w) + b, stop_word(time, other));
}
KERNEL_FN bool body_pushed(u32 b, const WorldView w) {
    return (w.body_flags[b] & (BODY_DYNAMIC | BODY_FROZEN)) == BODY_DYNAMIC;
}

/// Of a contact; and in the first pass, of a shape, whether it went beyond where pairs were sought. `which`: the pass
KERNEL_FN void world_sweep(u32 i, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_SWEPT]) return;
    const SweepView v = sweep_view_of(w, p);
    if (p.which == 0 && i < p.shapes) {
        const u32 b = w.shape_info[SHAPE_INFO * i + SHAPE_BODY];
        // the list of moved shapes is done with
        const bool solid = !(w.shape_info[SHAPE_INFO * i + SHAPE_RULES] & SHAPE_SENSOR);
        if (b != NOTHING && solid && body_swept(b, w) && sweep_cover(v, shape_facts(i, w), b, i) < 1.0f)
            w.moved[next_place(w, COUNT_BEYOND)] = i;
    }
    if (i >= p.contacts || w.ends[4 * i] == NOTHING) return;
    // of a pair with a mesh one contact is enough
    const u32 state = w.state[i], kind = state_kind(state);
    if (is_sensing(kind) || slot_of_kind(kind) || (state_marks(state) & MARK_PASSING)) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 b = w.ends[4 * i + 2 + side], other = w.ends[4 * i + 3 - side];
        if (body_swept(b, w) && sweeps_against(p.which, body_bullet(b, w), body_pushed(other, w)))
            sweep_meets(b, w.ends[4 * i + side], other, w.ends[4 * i + 1 - side], v, w, p.which);
    }
}

/// of those that went beyond, against a shape that is not pushed
KERNEL_FN void world_sweep_beyond(u32 t, const WorldView w, const WorldParams p) {
    const u32 count = w.counts[COUNT_BEYOND];
    if (!count) return;
    const u32 other = w.shape_info[SHAPE_INFO * t + SHAPE_BODY];
    if (other == NOTHING || body_pushed(other, w)) return;
    if (w.shape_info[SHAPE_INFO * t + SHAPE_RULES] & SHAPE_SENSOR) return;
    const SweepView v = sweep_view_of(w, p);
    for (u32 k = 0; k < count; ++k) {
        const u32 s = w.moved[k], b = w.shape_info[SHAPE_INFO * s + SHAPE_BODY];
        if (b / p.body_stride != other / p.body_stride) continue; // of another world
        f32 bounds[8];
        sweep_bounds(v, shape_facts(s, w), b, s, bounds);
        const f32* fat = w.fat + 8 * static_cast<std::size_t>(t);
        bool apart = false;
        for (u32 axis = 0; axis < 3; ++axis)
            apart = apart || bounds[axis] > fat[4 + axis] || fat[axis] > bounds[4 + axis];
        if (!apart && pair_wanted(s, t, w)) sweep_meets(b, s, other, t, v, w, 0u);
    }
}

/// What joints hold to a stopped body stops too: depth first, as long as that is earlier than known.
KERNEL_FN void world_sweep_lag(u32 b, const WorldView w, const WorldParams) {
    if (!w.counts[COUNT_SWEPT]) return;
    const u64 stop = atomic_load64(stops_of(w) + b);
    if (stop == STOP_NONE) return;
    u32 body[SWEEP_LAG_DEPTH], joint[SWEEP_LAG_DEPTH], depth = 1;
    u64 word[SWEEP_LAG_DEPTH];
    body[0] = b;
    joint[0] = w.first_joint[b];
    word[0] = lag_word(stop_time(stop));
    while (depth) {
        const u32 own = body[depth - 1], j = joint[depth - 1];
        const u64 next = word[depth - 1];
        if (j == NOTHING || next == STOP_NONE) {
            --depth;
            continue;
        }
        const u32* info = w.joint_info + JOINT_INFO * j;
        const u32 side = info[JOINT_FIRST] == own ? 0u : 1u, other = info[JOINT_SECOND - side];
        joint[depth - 1] = info[JOINT_NEXT + side];
        // of slow ones the motion is not kept, unless there are bullets
        if (!body_swept(other, w) || !(next < atomic_load64(stops_of(w) + other))) continue;
        atomic_least64(stops_of(w) + other, next);
        if (depth == SWEEP_LAG_DEPTH) continue;
        body[depth] = other;
        joint[depth] = w.first_joint[other];
        word[depth] = lag_word(stop_time(next));
        ++depth;
    }
}

KERNEL_FN void world_stop(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_SWEPT]) return;
    const u64 stop = stops_of(w)[b];
    if (stop == STOP_NONE) return;
    stops_of(w)[b] = STOP_NONE;
    const u32 other = static_cast<u32>(stop & 0xffffffffu);
    body_stop(sweep_view_of(w, p), b, stop,
              other != NOTHING && body_went(other, w) && !body_bullet(other, w));
}
