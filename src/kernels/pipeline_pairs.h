// SPDX-License-Identifier: MIT
// pipeline_pairs.h — which shapes are near each other: bounds, a tree of them, new contacts.   compiles as: host, cuda

KERNEL_FN void world_bounds(u32 s, const WorldView w, const WorldParams p) {
    u32* info = w.shape_info + SHAPE_INFO * s;
    const u32 b = info[SHAPE_BODY];
    if (b == NOTHING) return;
    if (p.which == BOUNDS_OF_RESTORED) { // placed already
        if ((info[SHAPE_FLAGS] & SHAPE_WAITS) == SHAPE_MOVED) w.moved[next_place(w, COUNT_MOVED)] = s;
        return;
    }
    if (is_lively(w.body_flags[b])) {
        const ShapeUpdate now = shape_update(s, b, p.dt, w, p);
        if (now.left) {
            shape_fatten(s, b, p.dt, now.ahead, w);
            info[SHAPE_FLAGS] |= SHAPE_MOVED;
        } else {
            shape_tighten(s, b, p.dt, now.ahead, w);
        }
    }
    if (info[SHAPE_FLAGS] & SHAPE_MOVED) w.moved[next_place(w, COUNT_MOVED)] = s;
}

// the tree -----------------------------------------------------------------------------------------------------------
//
// Leaves in the order of the Morton codes of their centres; inner node i of the n-1 covers a run of them that begins or
// ends with leaf i (T. Karras, "Maximizing parallelism in the construction of BVHs, octrees and k-d trees", 2012).

/// floats in the order of unsigned words
KERNEL_FN u32 ordered_word(real a) {
    const u32 bits = static_cast<u32>(as_whole(a));
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
KERNEL_FN real from_ordered(u32 word) {
    return as_real(static_cast<i32>(word & 0x80000000u ? word & 0x7fffffffu : ~word));
}
KERNEL_FN bool in_tree(u32 s, const WorldView w) {
    const u32* info = w.shape_info + SHAPE_INFO * s;
    return info[SHAPE_BODY] != NOTHING && !(info[SHAPE_FLAGS] & SHAPE_BIG);
}
KERNEL_FN real3 fat_centre(u32 s, const WorldView w) {
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    return make_real3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
}

/// many shapes by each item, so that few meet at the same words
KERNEL_FN void world_tree_extent(u32 i, const WorldView w, const WorldParams p) {
    u32 low[3] = {NOTHING, NOTHING, NOTHING}, high[3] = {0, 0, 0};
    for (u32 s = i; s < p.shapes; s += p.items) {
        if (!in_tree(s, w)) continue;
        real3 at = fat_centre(s, w);
        const u32 word[3] = {ordered_word(at.x), ordered_word(at.y), ordered_word(at.z)};
        for (u32 k = 0; k < 3; ++k) {
            low[k] = word[k] < low[k] ? word[k] : low[k];
            high[k] = word[k] > high[k] ? word[k] : high[k];
        }
    }
    for (u32 k = 0; k < 3; ++k) {
        atomic_least(w.counts + COUNT_LOW + k, low[k]);
        atomic_greatest(w.counts + COUNT_HIGH + k, high[k]);
    }
}

/// ten bits with two zeros after each
KERNEL_FN u32 spread_bits(u32 a) {
    a = (a | a << 16) & 0x030000ffu;
    a = (a | a << 8) & 0x0300f00fu;
    a = (a | a << 4) & 0x030c30c3u;
    return (a | a << 2) & 0x09249249u;
}
KERNEL_FN u32 morton_part(real at, u32 low, u32 high) {
    real least_at = from_ordered(low), extent = from_ordered(high) - least_at;
    real share = extent > 0.0f ? (at - least_at) / extent : 0.0f;
    return static_cast<u32>(to_whole(clamped(share * 1024.0f, 0.0f, 1023.0f)));
}
KERNEL_FN void world_tree_keys(u32 s, const WorldView w, const WorldParams p) {
    (void)p;
    w.tree_order[s] = s;
    if (!in_tree(s, w)) {
        w.tree_keys[s] = NOTHING; // behind all others
        return;
    }
    real3 at = fat_centre(s, w);
    const u32 *low = w.counts + COUNT_LOW, *high = w.counts + COUNT_HIGH;
    w.tree_keys[s] = spread_bits(morton_part(at.x, low[0], high[0])) |
                     spread_bits(morton_part(at.y, low[1], high[1])) << 1 |
                     spread_bits(morton_part(at.z, low[2], high[2])) << 2;
}

/// how many leading bits two leaves share; those of the same code are told apart by their places
KERNEL_FN i32 shared_bits(const u32* keys, u32 leaves, u32 i, i32 j) {
    if (j < 0 || j >= static_cast<i32>(leaves)) return -1;
    const u32 differ = keys[i] ^ keys[j];
    if (differ) return leading_zeros(differ);
    return 32 + leading_zeros(i ^ static_cast<u32>(j));
}

/// inner node i; leaves are nodes `leaves - 1 …`
KERNEL_FN void world_tree_links(u32 i, const WorldView w, const WorldParams p) {
    const u32* keys = w.tree_keys;
    const u32 n = p.leaves;
    const i32 at = static_cast<i32>(i);
    const i32 step = shared_bits(keys, n, i, at + 1) > shared_bits(keys, n, i, at - 1) ? 1 : -1;
    const i32 fewest = shared_bits(keys, n, i, at - step);
    i32 reach = 2;
    while (shared_bits(keys, n, i, at + reach * step) > fewest) reach *= 2;
    i32 length = 0;
    for (i32 t = reach / 2; t >= 1; t /= 2)
        if (shared_bits(keys, n, i, at + (length + t) * step) > fewest) length += t;
    const i32 end = at + length * step;
    const i32 shared = shared_bits(keys, n, i, end);
    i32 split = 0;
    for (i32 t = length; t > 1;) {
        t = (t + 1) / 2;
        if (shared_bits(keys, n, i, at + (split + t) * step) > shared) split += t;
    }
    const i32 middle = at + split * step + (step < 0 ? -1 : 0);
    const i32 first = step > 0 ? at : end, last = step > 0 ? end : at;
    const u32 inner = n - 1;
    const u32 left = first == middle ? inner + static_cast<u32>(middle) : static_cast<u32>(middle);
    const u32 right =
        last == middle + 1 ? inner + static_cast<u32>(middle + 1) : static_cast<u32>(middle + 1);
    w.nodes[8 * static_cast<std::size_t>(i) + 3] = as_real(static_cast<i32>(left));
    w.nodes[8 * static_cast<std::size_t>(i) + 7] = as_real(static_cast<i32>(right));
    w.node_up[left] = i;
    w.node_up[right] = i;
    if (i == 0) w.node_up[0] = NOTHING;
    w.node_seen[i] = 0;
}

/// bounds of a leaf, and of every node above whose second child this is
KERNEL_FN void world_tree_fit(u32 i, const WorldView w, const WorldParams p) {
    const u32 inner = p.leaves - 1, s = w.tree_order[i];
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    low.w = as_real(static_cast<i32>(LEAF | i));
    high.w = as_real(static_cast<i32>(s));
    store4(w.nodes, 2 * (inner + i), low);
    store4(w.nodes, 2 * (inner + i) + 1, high);
    if (inner == 0) return;
    for (u32 node = w.node_up[inner + i]; node != NOTHING; node = w.node_up[node]) {
        publish();
        if (atomic_add(w.node_seen + node, 1u) % 2 == 0) return; // the other child comes later
        publish();
        const volatile f32* children = w.nodes;
        const std::size_t at = 8 * static_cast<std::size_t>(node);
        const std::size_t left = 8 * static_cast<std::size_t>(static_cast<u32>(as_whole(w.nodes[at + 3])));
        const std::size_t right = 8 * static_cast<std::size_t>(static_cast<u32>(as_whole(w.nodes[at + 7])));
        for (u32 k = 0; k < 3; ++k) {
            w.nodes[at + k] = least(children[left + k], children[right + k]);
            w.nodes[at + 4 + k] = greatest(children[left + 4 + k], children[right + 4 + k]);
        }
    }
}

// new pairs ------------------------------------------------------------------------------------------------------------

KERNEL_FN void pair_offer(u32 s, u32 t, const WorldView w, const WorldParams p) {
    // of two that both moved one reports
    if (t == s || (t < s && (w.shape_info[SHAPE_INFO * t + SHAPE_FLAGS] & SHAPE_MOVED))) return;
    const u32 a = s < t ? s : t, b = s < t ? t : s;
    if (!pair_wanted(a, b, w) || pair_find(pair_key(a, b, 0), w, p) != NOTHING) return;
    const u32* info_a = w.shape_info + SHAPE_INFO * a;
    const u32* info_b = w.shape_info + SHAPE_INFO * b;
    const u32 slots = kind_slots(
        touch_kind(info_a[SHAPE_TYPE], info_a[SHAPE_RULES], info_b[SHAPE_TYPE], info_b[SHAPE_RULES]));
    for (u32 slot = 0; slot < slots; ++slot) {
        const u32 at = next_place(w, COUNT_FOUND);
        if (at >= p.room) continue; // the host makes room and asks again
        w.found[2 * at] = a;
        w.found[2 * at + 1] = b | slot << PAIR_SLOT;
    }
}

/// one that moved against those of a list: from `first` on, every `stride`th
KERNEL_FN void find_listed(u32 s, const u32* list, u32 count, u32 first, u32 stride, const WorldView w,
                           const WorldParams p) {
    const f32* fat = w.fat + 8 * static_cast<std::size_t>(s);
    for (u32 k = first; k < count; k += stride)
        if (bounds_overlap(fat, w.fat + 8 * static_cast<std::size_t>(list[k]))) pair_offer(s, list[k], w, p);
}
/// Any against those from `first` to before `end` of a list that moved. Several at a time: their bounds are on the way together.
KERNEL_FN void find_by_list(u32 t, const u32* list, u32 first, u32 end, const WorldView w,
                            const WorldParams p) {
    if (w.shape_info[SHAPE_INFO * t + SHAPE_BODY] == NOTHING) return;
    const f32* fat = w.fat + 8 * static_cast<std::size_t>(t);
    for (; first < end; first += FIND_TOGETHER) {
        u32 seeker[FIND_TOGETHER];
        bool near[FIND_TOGETHER];
        for (u32 k = 0; k < FIND_TOGETHER; ++k) seeker[k] = list[first + k < end ? first + k : end - 1];
        for (u32 k = 0; k < FIND_TOGETHER; ++k)
            near[k] = bounds_overlap(fat, w.fat + 8 * static_cast<std::size_t>(seeker[k]));
        for (u32 k = 0; k < FIND_TOGETHER; ++k)
            if (near[k] && first + k < end) pair_offer(seeker[k], t, w, p);
    }
}

/// Visits a node in a query: reports a leaf's shape, or returns that the query continues with both children.
KERNEL_FN bool find_below(u32 s, u32 node, real4 low, real4 high, u32* left, u32* right, const WorldView w,
                          const WorldParams p) {
    real4 node_low = load4(w.nodes, 2 * node), node_high = load4(w.nodes, 2 * node + 1);
    const bool apart = node_low.x > high.x || low.x > node_high.x || node_low.y > high.y ||
                       low.y > node_high.y || node_low.z > high.z || low.z > node_high.z;
    if (apart) return false;
    *left = static_cast<u32>(as_whole(node_low.w));
    *right = static_cast<u32>(as_whole(node_high.w));
    if (!(*left & LEAF)) return true;
    pair_offer(s, *right, w, p);
    return false;
}

// a run of n codes is at most as deep as its bits; 62 with those of the places
#define TREE_DEPTH 64

/// one that moved down the tree
KERNEL_FN void world_find(u32 i, const WorldView w, const WorldParams p) {
    const u32 s = w.moved[i];
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    find_listed(s, w.big, p.big_shapes, 0, 1, w, p);
    if (p.leaves == 0) return;
    u32 stack[TREE_DEPTH];
    u32 depth = 0, left = 0, right = 0;
    stack[depth++] = 0;
    while (depth) {
        if (!find_below(s, stack[--depth], low, high, &left, &right, w, p)) continue;
        stack[depth++] = left;
        stack[depth++] = right;
    }
}

/// The same by FIND_LANES items for each that moved: so many nodes at once. One alone waits for memory hundreds of times in a
/// row, and a step with few that moved waits for the longest of them.
KERNEL_FN void world_find_wide(u32 i, const WorldView w, const WorldParams p) {
#if defined(__CUDACC__)
    // Those taken from the top of the stack are its deepest, so at most a warp of them stays of each level.
    __shared__ u32 stacks[4][FIND_LANES * (TREE_DEPTH + 1)];
    const u32 s = w.moved[i / FIND_LANES], lane = i % FIND_LANES;
    u32* stack = stacks[threadIdx.x / FIND_LANES];
    real4 low = load4(w.fat, 2 * s), high = load4(w.fat, 2 * s + 1);
    find_listed(s, w.big, p.big_shapes, lane, FIND_LANES, w, p);
    if (p.leaves == 0) return;
    if (lane == 0) stack[0] = 0;
    __syncwarp();
    for (u32 depth = 1; depth;) {
        const u32 taken = depth < FIND_LANES ? depth : FIND_LANES;
        depth -= taken;
        const u32 node = lane < taken ? stack[depth + lane] : NOTHING;
        __syncwarp();
        u32 left = 0, right = 0;
        const bool on = node != NOTHING && find_below(s, node, low, high, &left, &right, w, p);
        const u32 those = __ballot_sync(NOTHING, on);
        if (on) {
            const u32 at = depth + 2 * static_cast<u32>(__popc(those & ((1u << lane) - 1u)));
            stack[at] = left;
            stack[at + 1] = right;
        }
        depth += 2 * static_cast<u32>(__popc(those));
        __syncwarp();
    }
#else
    if (i % FIND_LANES == 0) world_find(i / FIND_LANES, w, p);
#endif
}

/// all shapes against the few that moved, `block` of them by an item
KERNEL_FN void world_find_few(u32 i, const WorldView w, const WorldParams p) {
    const u32 first = i / p.shapes * p.block, end = p.count - first < p.block ? p.count : first + p.block;
    find_by_list(i % p.shapes, w.moved, first, end, w, p);
}

/// one that moved against all of its own world
KERNEL_FN void world_find_own(u32 i, const WorldView w, const WorldParams p) {
    const u32 s = w.moved[i], first = s - s % p.shape_stride;
    const f32* fat = w.fat + 8 * static_cast<std::size_t>(s);
    for (u32 t = first; t < first + p.shape_stride; ++t)
        if (w.shape_info[SHAPE_INFO * t + SHAPE_BODY] != NOTHING &&
            bounds_overlap(fat, w.fat + 8 * static_cast<std::size_t>(t)))
            pair_offer(s, t, w, p);
}

/// Wakes the sleeper of a contact to which something fixed came close, as `how` says. Fat bounds depend on the past and do not
/// decide it.
KERNEL_FN void wake_by_comer(u32 c, u32 how, const WorldView w) {
    const u32 a = w.ends[4 * c], b = w.ends[4 * c + 1], body_a = w.ends[4 * c + 2],
              body_b = w.ends[4 * c + 3];
    const u32 flags_a = w.shape_info[SHAPE_INFO * a + SHAPE_FLAGS],
              flags_b = w.shape_info[SHAPE_INFO * b + SHAPE_FLAGS];
    const bool came_a = (flags_a & SHAPE_CAME) != 0, came_b = (flags_b & SHAPE_CAME) != 0;
    if (came_a == came_b || !((came_a ? flags_a : flags_b) & how) || is_sensing(state_kind(w.state[c])))
        return;
    if (is_lively(w.body_flags[body_a]) || is_lively(w.body_flags[body_b])) return;
    if (!(w.body_flags[came_a ? body_a : body_b] & BODY_ASLEEP) &&
        bounds_overlap(w.bounds + 8 * static_cast<std::size_t>(a),
                       w.bounds + 8 * static_cast<std::size_t>(b)))
        wake_later(came_a ? body_b : body_a, w);
}
/// those of pairs that were known before
KERNEL_FN void world_wake_beside(u32 c, const WorldView w, const WorldParams p) {
    (void)p;
    if (w.ends[4 * c] != NOTHING) wake_by_comer(c, SHAPE_PUT, w);
}

/// a contact of each pair that was found, in a slot that is free or behind all others
KERNEL_FN void world_add(u32 i, const WorldView w, const WorldParams p) {
    if (i == 0)
        w.counts[COUNT_FREE] = p.free_contacts - (p.items < p.free_contacts ? p.items : p.free_contacts);
    const u32 c =
        i < p.free_contacts ? w.free_contacts[p.free_contacts - 1 - i] : p.contacts + (i - p.free_contacts);
    const u32 a = w.found[2 * i], b = w.found[2 * i + 1] & ((1u << PAIR_SLOT) - 1u);
    const u32 slot = w.found[2 * i + 1] >> PAIR_SLOT;
    const u32 *info_a = w.shape_info + SHAPE_INFO * a, *info_b = w.shape_info + SHAPE_INFO * b;
    const u32 body_a = info_a[SHAPE_BODY], body_b = info_b[SHAPE_BODY];
    f32* record = w.contact + 64 * static_cast<std::size_t>(c);
    real4 zero = make_real4(0.0f, 0.0f, 0.0f, 0.0f);
    for (u32 q = 0; q < RECORD_QUADS; ++q) store4(record, q, zero);
    u32* words = reinterpret_cast<u32*>(record);
    words[0] = w.ends[4 * c] = a;
    words[1] = w.ends[4 * c + 1] = b;
    words[2] = w.ends[4 * c + 2] = body_a;
    words[3] = w.ends[4 * c + 3] = body_b;
    const u32 kind =
        touch_kind(info_a[SHAPE_TYPE], info_a[SHAPE_RULES], info_b[SHAPE_TYPE], info_b[SHAPE_RULES]);
    words[4 * RECORD_STATE] = slot << RECORD_SLOT;
    w.state[c] = COLOUR_NONE << STATE_COLOUR | (kind + slot) << STATE_KIND;
    contact_forget(c, w);
    contact_mix(c, w);
    pair_insert(pair_key(a, b, slot), c, w, p);
    wake_by_comer(c, SHAPE_CAME, w);
}

/// the pairs of the shapes that moved are known now
KERNEL_FN void world_moved_done(u32 i, const WorldView w, const WorldParams p) {
    w.shape_info[SHAPE_INFO * w.moved[i] + SHAPE_FLAGS] &= ~SHAPE_WAITS;
    (void)p;
}

/// Contacts are put in the order of their bodies now and then, without the gaps that ended ones leave: neighbours in a pile
/// are then neighbours in memory. No result depends on it.
KERNEL_FN void world_order_keys(u32 c, const WorldView w, const WorldParams p) {
    (void)p;
    w.bucket_keys[c] = w.ends[4 * c] == NOTHING ? NOTHING : w.ends[4 * c + 3];
    w.bucket_values[c] = c;
}
KERNEL_FN void world_order_move(u32 i, const WorldView w, const WorldParams p) {
    (void)p;
    const u32 from = w.bucket_values[i];
    for (u32 q = 0; q < RECORD_QUADS; ++q)
        store4(w.contact_to, RECORD_QUADS * i + q, load4(w.contact, RECORD_QUADS * from + q));
    for (u32 k = 0; k < 4; ++k) w.ends_to[4 * i + k] = w.ends[4 * from + k];
    w.state_to[i] = w.state[from];
}

/// contacts from `first` on, whose pairs the table does not know
KERNEL_FN void world_table_fill(u32 i, const WorldView w, const WorldParams p) {
    const u32 c = p.first + i;
    if (w.ends[4 * c] == NOTHING) return;
    pair_insert(contact_key(c, w), c, w, p);
}
