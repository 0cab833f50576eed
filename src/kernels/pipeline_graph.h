// SPDX-License-Identifier: MIT
// pipeline_graph.h — colours on a device, and constraints listed by colour and room.   compiles as: host, cuda
//
// A constraint takes the lowest colour free at its bodies once every one before it in the order of priorities that shares a
// body has taken its own (M. Jones and P. Plassmann, "A parallel graph coloring heuristic", 1993): exactly what going
// through them one after the other gives.

#define NO_BID 0xffffffffffffffffull

KERNEL_FN u64* bids_of(const WorldView w) { return reinterpret_cast<u64*>(w.bids); }

/// bodies and colour of a constraint: of a contact's slot, or of a joint
struct Constraint_t {
    u32 body_a, body_b;
    bool moves_a, moves_b;
    u64 priority;
};
typedef struct Constraint_t Constraint;

/// Numbers within its own world count, so that no world shows in the colours of another.
KERNEL_FN Constraint constraint_of(u32 which, u32 slot, const WorldView w, const WorldParams p) {
    Constraint k;
    if (which) {
        k.body_a = w.joint_info[JOINT_INFO * slot + JOINT_FIRST];
        k.body_b = w.joint_info[JOINT_INFO * slot + JOINT_SECOND];
        k.priority = joint_priority(slot % p.joint_stride);
    } else {
        k.body_a = w.ends[4 * slot + 2];
        k.body_b = w.ends[4 * slot + 3];
        k.priority = pair_priority(w.ends[4 * slot] % p.shape_stride, w.ends[4 * slot + 1] % p.shape_stride,
                                   contact_slot(slot, w));
    }
    k.moves_a = is_movable(w.body_flags[k.body_a]);
    k.moves_b = is_movable(w.body_flags[k.body_b]);
    return k;
}
KERNEL_FN void mark_colour(Constraint k, u32 colour, const WorldView w) {
    if (k.moves_a) atomic_or(w.colours + k.body_a, 1u << colour);
    if (k.moves_b) atomic_or(w.colours + k.body_b, 1u << colour);
}

/// taken colours, and constraints that need one; `colours` is zero before
KERNEL_FN void world_colours(u32 c, const WorldView w, const WorldParams p) {
    const u32 state = w.state[c];
    if (w.ends[4 * c] == NOTHING || !state_byte(state, STATE_POINTS)) return;
    Constraint k = constraint_of(0, c, w, p);
    const u32 colour = state_byte(state, STATE_COLOUR);
    if (colour < COLOUR_OVERFLOW) {
        mark_colour(k, colour, w);
        return;
    }
    // a constraint without a colour may find one now
    w.state[c] = with_byte(state, STATE_COLOUR, COLOUR_NONE);
    if (k.moves_a || k.moves_b) w.fresh[next_place(w, COUNT_FRESH)] = c;
}
KERNEL_FN void world_joint_colours(u32 j, const WorldView w, const WorldParams p) {
    const u32 colour = w.joint_info[JOINT_INFO * j + JOINT_COLOUR];
    if (colour == NOTHING) return;
    Constraint k = constraint_of(1, j, w, p);
    if (colour < COLOUR_OVERFLOW) {
        mark_colour(k, colour, w);
        return;
    }
    w.joint_info[JOINT_INFO * j + JOINT_COLOUR] = COLOUR_NONE;
    // behind the contacts' list
    if (k.moves_a || k.moves_b) w.fresh[p.room + next_place(w, COUNT_FRESH_JOINTS)] = j;
}

KERNEL_FN u32 colour_of(u32 which, u32 slot, const WorldView w) {
    return which ? w.joint_info[JOINT_INFO * slot + JOINT_COLOUR] : state_byte(w.state[slot], STATE_COLOUR);
}

/// each body is promised to the first of its constraints that has no colour yet
KERNEL_FN void world_bid(u32 i, const WorldView w, const WorldParams p) {
    const u32 count = w.counts[p.which ? COUNT_FRESH_JOINTS : COUNT_FRESH];
    if (w.counts[p.which ? COUNT_COLOURED_JOINTS : COUNT_COLOURED] == count) return;
    const u32* list = w.fresh + (p.which ? p.room : 0u);
    for (u32 k = i; k < count; k += p.items) {
        const u32 slot = list[k];
        if (colour_of(p.which, slot, w) != COLOUR_NONE) continue;
        Constraint own = constraint_of(p.which, slot, w, p);
        if (own.moves_a) atomic_least64(bids_of(w) + own.body_a, own.priority);
        if (own.moves_b) atomic_least64(bids_of(w) + own.body_b, own.priority);
    }
}

/// a constraint that won both bodies takes its colour
KERNEL_FN void world_take(u32 i, const WorldView w, const WorldParams p) {
    const u32 count = w.counts[p.which ? COUNT_FRESH_JOINTS : COUNT_FRESH];
    u32* coloured = w.counts + (p.which ? COUNT_COLOURED_JOINTS : COUNT_COLOURED);
    const u32* list = w.fresh + (p.which ? p.room : 0u);
    u32 taken_here = 0;
    for (u32 k = i; k < count; k += p.items) {
        const u32 slot = list[k];
        if (colour_of(p.which, slot, w) != COLOUR_NONE) continue;
        Constraint own = constraint_of(p.which, slot, w, p);
        u64 *bid_a = bids_of(w) + own.body_a, *bid_b = bids_of(w) + own.body_b;
        const bool won_a = own.moves_a && atomic_load64(bid_a) == own.priority,
                   won_b = own.moves_b && atomic_load64(bid_b) == own.priority;
        const u32 taken = (own.moves_a ? atomic_load(w.colours + own.body_a) : 0u) |
                          (own.moves_b ? atomic_load(w.colours + own.body_b) : 0u);
        const u32 colour = free_colour(taken, own.moves_a && own.moves_b);
        // Colours are never given back here, so a constraint without a free colour now will find none later and need not wait
        // for it. Thousands that touch one body would else take a round each.
        if (colour != COLOUR_OVERFLOW) {
            // nobody else takes a colour at these bodies in this round: those who see the bid gone see one that is not
            // theirs, too
            if (won_a != own.moves_a || won_b != own.moves_b) continue;
            mark_colour(own, colour, w);
        }
        if (p.which) w.joint_info[JOINT_INFO * slot + JOINT_COLOUR] = colour;
        else w.state[slot] = with_byte(w.state[slot], STATE_COLOUR, colour);
        if (won_a) atomic_store64(bid_a, NO_BID);
        if (won_b) atomic_store64(bid_b, NO_BID);
        ++taken_here;
    }
    if (taken_here) {
        atomic_add(coloured, taken_here);
        atomic_greatest(w.counts + COUNT_ROUNDS, p.first + 1u);
    }
}

// buckets ----------------------------------------------------------------------------------------------------------------

/// Constraints keep their colours where the solver takes none.
KERNEL_FN u32 bucket_colour(u32 colour, const WorldParams p) {
    return p.gathered && colour < COLOUR_OVERFLOW ? COLOUR_OVERFLOW : colour;
}

/// (colour, kind)
KERNEL_FN void world_bucket_keys(u32 c, const WorldView w, const WorldParams p) {
    const u32 state = w.state[c], points = state_byte(state, STATE_POINTS),
              colour = bucket_colour(state_byte(state, STATE_COLOUR), p);
    const bool solved = w.ends[4 * c] != NOTHING && points && colour <= COLOUR_OVERFLOW;
    w.bucket_keys[c] = solved ? 4 * colour + kind_of_points(points) : BUCKETS - 1;
    w.bucket_values[c] = c;
}

KERNEL_FN u32* bucket(const WorldView w, u32 key) { return w.counts + COUNT_BUCKETS + BUCKET_WORDS * key; }

/// keys are sorted: where each begins and ends
KERNEL_FN void world_bucket_runs(u32 i, const WorldView w, const WorldParams p) {
    const u32 key = w.bucket_keys[i];
    if (i == 0 || w.bucket_keys[i - 1] != key) bucket(w, key)[BUCKET_START] = i;
    if (i + 1 == p.items || w.bucket_keys[i + 1] != key) bucket(w, key)[BUCKET_END] = i + 1;
}

KERNEL_FN void world_joint_counts(u32 j, const WorldView w, const WorldParams p) {
    const u32 colour = bucket_colour(w.joint_info[JOINT_INFO * j + JOINT_COLOUR], p);
    if (colour <= COLOUR_OVERFLOW) atomic_add(bucket(w, 4 * colour) + BUCKET_END, 1u);
}

/// From counts to places, in whole blocks, an item for each bucket; `which`: of the SOR solver. Nothing is written in the loop: reads
/// need not wait for each other.
KERNEL_FN void world_bucket_table(u32 i, const WorldView w, const WorldParams p) {
    u32 items = 0, words = 0, contacts = 0, touching = 0;
    u32 first = 0, block = 0, extra = 0, count = 0;
    for (u32 key = 0; key <= i; ++key) {
        const u32* of = bucket(w, key);
        const u32 kind = key % 4;
        first = items, block = words, extra = contacts, count = of[BUCKET_END] - of[BUCKET_START];
        const u32 padded = (count + BLOCK - 1) / BLOCK * BLOCK;
        items += padded;
        words += padded * words_of_kind(kind, p.which != 0);
        if (kind) contacts += padded, touching += count;
    }
    u32* of = bucket(w, i);
    of[BUCKET_FIRST] = first;
    of[BUCKET_COUNT] = count;
    of[BUCKET_BLOCK] = block;
    of[BUCKET_EXTRA] = extra;
    if (i + 2 < BUCKETS) return;
    w.counts[COUNT_ITEMS] = items;
    w.counts[COUNT_BLOCK_WORDS] = words;
    w.counts[COUNT_TOUCHING] = touching;
}

KERNEL_FN void world_bucket_place(u32 i, const WorldView w, const WorldParams p) {
    (void)p;
    const u32 key = w.bucket_keys[i];
    if (key >= BUCKETS - 1) return;
    const u32* of = bucket(w, key);
    w.slots[of[BUCKET_FIRST] + (i - of[BUCKET_START])] = w.bucket_values[i];
}
/// the start of a joints' bucket counts those that have their place
KERNEL_FN void world_joint_place(u32 j, const WorldView w, const WorldParams p) {
    const u32 colour = bucket_colour(w.joint_info[JOINT_INFO * j + JOINT_COLOUR], p);
    if (colour > COLOUR_OVERFLOW) return;
    u32* of = bucket(w, 4 * colour);
    w.slots[of[BUCKET_FIRST] + atomic_add(of + BUCKET_START, 1u)] = j;
}

// the overflow -------------------------------------------------------------------------------------------------------------

/// Sort keys of the overflow's constraints of one kind: the pair for contacts, the number for joints.
KERNEL_FN void world_overflow_keys(u32 i, const WorldView w, const WorldParams p) {
    const u32 slot = w.slots[p.first + i];
    const u64 key = p.which ? pair_key(w.ends[4 * slot], w.ends[4 * slot + 1], contact_slot(slot, w)) : slot;
    reinterpret_cast<u64*>(w.split_keys)[i] = key;
    w.split_parts[i] = slot;
}
KERNEL_FN void world_overflow_slots(u32 i, const WorldView w, const WorldParams p) {
    w.slots[p.first + i] = w.split_parts[i];
}

/// Two entries for each of the overflow's items, sides a and b: which body it pushes. `first` is the bucket's first slot,
/// `push_first` its first item among the overflow's, `block` the first entry to write.
KERNEL_FN void world_push_keys(u32 i, const WorldView w, const WorldParams p) {
    const u32 slot = w.slots[p.first + i];
    Constraint k = constraint_of(p.which ? 0u : 1u, slot, w, p);
    u64* keys = reinterpret_cast<u64*>(w.split_keys) + p.block + 2 * i;
    const u32 item = p.push_first + i;
    // entries of immovable bodies go behind all others
    keys[0] = k.moves_a ? static_cast<u64>(k.body_a) << 32 | 2 * item : ~0ull;
    keys[1] = k.moves_b ? static_cast<u64>(k.body_b) << 32 | (2 * item + 1) : ~0ull;
    w.split_parts[p.block + 2 * i] = 2 * item;
    w.split_parts[p.block + 2 * i + 1] = 2 * item + 1;
}
/// one behind the last entry of the body; entries are sorted
KERNEL_FN u32 pieces_end(u32 body, const u64* keys, u32 first, u32 count) {
    const u64 next = (static_cast<u64>(body) + 1) << 32;
    u32 low = first, high = count;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (keys[middle] < next) low = middle + 1;
        else high = middle;
    }
    return low;
}
/// whether the entry is the first of a body
KERNEL_FN bool pieces_begin(const u64* keys, u32 i) {
    return keys[i] != ~0ull && (i == 0 || keys[i - 1] >> 32 != keys[i] >> 32);
}
/// pieces of each body
KERNEL_FN void world_split_count(u32 i, const WorldView w, const WorldParams p) {
    const u64* keys = reinterpret_cast<const u64*>(w.split_keys);
    if (!pieces_begin(keys, i)) return;
    const u32 body = static_cast<u32>(keys[i] >> 32), end = pieces_end(body, keys, i, p.count);
    w.split[body] = to_real(static_cast<i32>(end - i));
}

// groups of the SOR (rigid_groups.h): the overflow's buckets hold what they share

KERNEL_FN SorGroups groups_of(const WorldView w, const WorldParams p) {
    SorGroups s;
    s.vary = p.sor.vary;
    s.first[0] = 0;
    for (u32 kind = 0; kind < 4; ++kind) {
        const u32* of = bucket(w, 4 * COLOUR_OVERFLOW + kind);
        s.first[kind + 1] = s.first[kind] + of[BUCKET_COUNT];
        s.push[kind] = of[BUCKET_FIRST] - bucket(w, 4 * COLOUR_OVERFLOW)[BUCKET_FIRST];
    }
    s.groups = group_count(s.first[4], p.sor.groups);
    return s;
}
/// Pieces of those of body a, then of those of body b; `room` items are in each. At first every part has its own.
KERNEL_FN void world_pieces_begin(u32 i, const WorldView w, const WorldParams p) {
    w.pieces[i] = i < p.block ? 2 * i : 2 * (i - p.block) + 1;
}
/// those of bodies that can move, and how many pieces such a body has
KERNEL_FN void world_group_pieces(u32 i, const WorldView w, const WorldParams p) {
    const u64* keys = reinterpret_cast<const u64*>(w.split_keys);
    if (keys[i] == ~0ull) return;
    const SorGroups s = groups_of(w, p);
    const u64 of_body = keys[i] >> 32 << 32;
    u32 low = 0, high = i; // the body's first entry
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (keys[middle] < of_body) low = middle + 1;
        else high = middle;
    }
    const u32 part = w.split_parts[i];
    w.pieces[(part & 1u) * p.block + part / 2] = piece_of_part(&s, w.split_parts, low, i);
    if (low != i) return;
    const u32 body = static_cast<u32>(keys[i] >> 32);
    w.split[body] =
        to_real(static_cast<i32>(pieces_in_groups(&s, w.split_parts, i, pieces_end(body, keys, i, p.count))));
}

/// The pieces' changes of a body, by PIECE_LANES items for each entry, of which those of a body's first entry have something to
/// do: on a GPU they are one warp.
KERNEL_FN void world_split_apply(u32 i, const WorldView w, const WorldParams p) {
    const u64* keys = reinterpret_cast<const u64*>(w.split_keys);
    const u32 first = i / PIECE_LANES;
    if (!pieces_begin(keys, first)) return;
    const u32 body = static_cast<u32>(keys[first] >> 32), end = pieces_end(body, keys, first, p.count);
    // velocities, or the changes of the SOR solver
    f32* motion = p.which ? w.change + 8 * static_cast<std::size_t>(body)
                          : w.motion + 16 * static_cast<std::size_t>(body);
    pieces_add(i % PIECE_LANES, w.split_parts, first, end, w.push, motion);
}
