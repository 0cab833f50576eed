// SPDX-License-Identifier: MIT
// pipeline_sleep.h — quarantine, islands and sleep on a device.   compiles as: host, cuda

/// a body with a number that is not finite stays where it was and moves no more
KERNEL_FN void world_quarantine(u32 b, const WorldView w, const WorldParams p) {
    (void)p;
    const u32 flags = w.body_flags[b];
    if (!is_lively(flags)) return;
    if (w.rest[b] < 0.0f) {
        w.body_flags[b] = flags | BODY_FROZEN | BODY_CHANGED;
        atomic_store(w.counts + COUNT_CHANGED, 1u);
        body_still(b, w);
        w.moved[next_place(w, COUNT_FROZEN)] = b; // the list of moved shapes is done with
        return;
    }
    if (flags & BODY_DYNAMIC) count_one(w.counts, COUNT_AWAKE);
}

/// bodies in contact with a moving kinematic body do not sleep
KERNEL_FN void world_stir(u32 c, const WorldView w, const WorldParams p) {
    (void)p;
    if (w.ends[4 * c] == NOTHING || !state_byte(w.state[c], STATE_POINTS)) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 own = w.ends[4 * c + 2 + side], other = w.ends[4 * c + 3 - side];
        const u32 flags = w.body_flags[own];
        if ((flags & BODY_KINEMATIC) && is_lively(flags) && w.rest[own] > 0.0f) wake_later(other, w);
    }
}

KERNEL_FN void world_stir_joined(u32 j, const WorldView w, const WorldParams p) {
    (void)p;
    const u32* joint = w.joint_info + JOINT_INFO * j;
    if (joint[JOINT_COLOUR] == NOTHING) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 own = joint[JOINT_FIRST + side], flags = w.body_flags[own];
        if ((flags & BODY_KINEMATIC) && is_lively(flags) && w.rest[own] > 0.0f)
            wake_later(joint[JOINT_SECOND - side], w);
    }
}

KERNEL_FN void world_tire(u32 b, const WorldView w, const WorldParams p) {
    const u32 flags = w.body_flags[b];
    if (!is_lively(flags)) return;
    const f32 time =
        time_at_rest(w.sleep_time[b], w.rest[b], (flags & BODY_CAN_SLEEP) != 0, p.sleep_speed, p.dt);
    w.sleep_time[b] = time;
    if ((flags & BODY_DYNAMIC) && time >= p.sleep_delay) {
        atomic_store(w.counts + COUNT_TIRED, 1u);
        atomic_store(w.worlds + WORLD_WORDS * (b / p.body_stride) + WORLD_TIRED, p.steps + 1u);
    }
    w.parent[b] = b;
    w.least_rest[b] = NOTHING;
}

/// whether the body's world looks for islands now: a body in it could sleep, and it is the world's turn
KERNEL_FN bool looks_for_islands(u32 b, const WorldView w, const WorldParams p) {
    const u32* world = w.worlds + WORLD_WORDS * (b / p.body_stride);
    return atomic_load(world + WORLD_TIRED) == p.steps + 1u &&
           (world[WORLD_PHASE] + p.steps) % STEPS_BETWEEN == 0;
}

KERNEL_FN void world_unite(u32 c, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED]) return;
    if (w.ends[4 * c] == NOTHING || !state_byte(w.state[c], STATE_POINTS)) return;
    if (!looks_for_islands(w.ends[4 * c + 2], w, p)) return;
    const u32 bodies[2] = {w.ends[4 * c + 2], w.ends[4 * c + 3]};
    const u32 flags[2] = {w.body_flags[bodies[0]], w.body_flags[bodies[1]]};
    if (is_movable(flags[0]) && is_movable(flags[1])) unite(w.parent, bodies[0], bodies[1]);
    // a body that touches a moving kinematic one or is joined to it does not sleep
    for (u32 side = 0; side < 2; ++side)
        if ((flags[side] & BODY_DYNAMIC) && (flags[1 - side] & BODY_KINEMATIC) &&
            is_lively(flags[1 - side]) && w.sleep_time[bodies[1 - side]] == 0.0f)
            w.sleep_time[bodies[side]] = 0.0f;
}
KERNEL_FN void world_unite_joints(u32 j, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED]) return;
    const u32* joint = w.joint_info + JOINT_INFO * j;
    if (joint[JOINT_COLOUR] == NOTHING || !looks_for_islands(joint[JOINT_FIRST], w, p)) return;
    const u32 flags[2] = {w.body_flags[joint[JOINT_FIRST]], w.body_flags[joint[JOINT_SECOND]]};
    if (is_movable(flags[0]) && is_movable(flags[1]))
        unite(w.parent, joint[JOINT_FIRST], joint[JOINT_SECOND]);
    for (u32 side = 0; side < 2; ++side)
        if ((flags[side] & BODY_DYNAMIC) && (flags[1 - side] & BODY_KINEMATIC) &&
            is_lively(flags[1 - side]) && w.sleep_time[joint[JOINT_SECOND - side]] == 0.0f)
            w.sleep_time[joint[JOINT_FIRST + side]] = 0.0f;
}
KERNEL_FN void world_least_rest(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED] || !is_movable(w.body_flags[b]) || !looks_for_islands(b, w, p)) return;
    const u32 root = root_of(w.parent, b);
    if (root == b) count_one(w.counts, COUNT_ISLANDS);
    // times are not negative: their words are in the same order
    atomic_least(w.least_rest + root, static_cast<u32>(as_whole(w.sleep_time[b])));
}
KERNEL_FN void world_fall_asleep(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED]) return;
    const u32 flags = w.body_flags[b];
    if (!is_movable(flags) || !looks_for_islands(b, w, p)) return;
    const u32 root = root_of(w.parent, b);
    if (as_real(static_cast<i32>(w.least_rest[root])) < p.sleep_delay) return;
    w.island[b] = root;
    body_sleeps(b, flags, w);
}

// bodies that a cloth touches ----------------------------------------------------------------------------------------------

/// of the cloths of the body's world
KERNEL_FN u32 cloth_word(u32 b, u32 which, const WorldParams p) {
    return p.bodies + CLOTH_WORDS * (b / p.body_stride) + which;
}
KERNEL_FN void world_wake_touched(u32 b, const WorldView w, const WorldParams p) {
    if (w.cloth_touch[b]) wake_later(b, w);
    (void)p;
}
KERNEL_FN void world_stir_touched(u32 b, const WorldView w, const WorldParams p) {
    if ((w.cloth_touch[b] & w.cloth_touch[cloth_word(b, CLOTH_RESTLESS, p)]) &&
        (w.body_flags[b] & BODY_DYNAMIC))
        w.rest[b] = rest_among_cloth(w.rest[b]);
}
/// the first body that each cloth touches
KERNEL_FN void world_cloth_first(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED] || !w.cloth_touch[b] || !is_movable(w.body_flags[b])) return;
    for (u32 k = 0; k < CLOTH_BITS; ++k)
        if (w.cloth_touch[b] >> k & 1u) atomic_least(w.cloth_touch + cloth_word(b, k, p), b);
}
/// bodies that one cloth touches are an island
KERNEL_FN void world_unite_touched(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_TIRED] || !w.cloth_touch[b] || !is_movable(w.body_flags[b])) return;
    for (u32 k = 0; k < CLOTH_BITS; ++k)
        if (w.cloth_touch[b] >> k & 1u) unite(w.parent, b, w.cloth_touch[cloth_word(b, k, p)]);
}
/// cloths that touch a body that is awake
KERNEL_FN void world_cloth_awake(u32 b, const WorldView w, const WorldParams p) {
    if (w.cloth_touch[b] && is_movable(w.body_flags[b]))
        atomic_or(w.cloth_touch + cloth_word(b, CLOTH_AWAKE, p), w.cloth_touch[b]);
}
