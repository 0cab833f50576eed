// SPDX-License-Identifier: MIT
// pipeline_events.h — lists of what began, ended and hit in a step on a device.   compiles as: host, cuda
//
// A contact is marked with what was told of it last; the difference to what it is when the step ends is told now. The host
// sorts the lists, and names shapes and bodies.

KERNEL_FN u32 traits_of_pair(u32 c, const WorldView w) {
    return w.shape_info[SHAPE_INFO * w.ends[4 * c] + SHAPE_RULES] |
           w.shape_info[SHAPE_INFO * w.ends[4 * c + 1] + SHAPE_RULES];
}

/// Before the solver: how fast the bodies of a contact approach each other. Nothing of those that are not told.
KERNEL_FN void world_approach(u32 c, const WorldView w, const WorldParams p) {
    const u32 state = w.state[c];
    f32* to = w.approach + 2 * static_cast<std::size_t>(c);
    to[0] = 0.0f;
    if (w.ends[4 * c] == NOTHING || !state_byte(state, STATE_POINTS) ||
        state_byte(state, STATE_COLOUR) > COLOUR_OVERFLOW || !(traits_of_pair(c, w) & SHAPE_TELLS_HITS))
        return;
    const Approach a = contact_approach(c, w.ends[4 * c + 2], w.ends[4 * c + 3], touch_view_of(w));
    to[0] = a.speed;
    to[1] = as_real(static_cast<i32>(a.point));
    (void)p;
}

/// After the solver.
KERNEL_FN void world_hits(u32 c, const WorldView w, const WorldParams p) {
    const u32 state = w.state[c], a = w.ends[4 * c];
    if (a == NOTHING) return;
    Approach before;
    before.speed = w.approach[2 * static_cast<std::size_t>(c)];
    before.point = static_cast<u32>(as_whole(w.approach[2 * static_cast<std::size_t>(c) + 1]));
    w.state[c] = state & ~(MARK_HIT << STATE_MARKS);
    if (!(before.speed > p.hit_speed)) return;
    const Hit h = contact_hit(c, w.ends[4 * c + 2], w.ends[4 * c + 3], before, touch_view_of(w));
    if (!h.hits) return;
    w.state[c] = state | MARK_HIT << STATE_MARKS;
    if (state_marks(state) & MARK_HIT) return;
    f32* to = w.hits + 4 * HIT_QUADS * static_cast<std::size_t>(atomic_add(w.event_counts + EVENT_HITS, 1u));
    store4(to, 0,
           make_real4(as_real(static_cast<i32>(a)), as_real(static_cast<i32>(w.ends[4 * c + 1])),
                      before.speed, h.impulse));
    store4(to, 1, with_w(h.normal, 0.0f));
    store4(to, 2, with_w(h.point, 0.0f));
}

/// At the end of the step: contacts that touch and did not, or the other way round.
KERNEL_FN void world_tell(u32 c, const WorldView w, const WorldParams p) {
    if (w.ends[4 * c] == NOTHING) return;
    const u32 state = w.state[c], kind = state_kind(state), marks = state_marks(state);
    if (slot_of_kind(kind)) return; // slot 0 is told of for the pair
    bool touches = state_byte(state, STATE_POINTS) != 0;
    if (is_sensing(kind)) {
        touches = (marks & MARK_INSIDE) != 0;
    } else {
        for (u32 slot = 1; slot < kind_slots(kind); ++slot)
            touches = touches ||
                      state_byte(w.state[pair_find(pair_key(w.ends[4 * c], w.ends[4 * c + 1], slot), w, p)],
                                 STATE_POINTS);
        touches = touches && (traits_of_pair(c, w) & SHAPE_TELLS_CONTACTS) != 0;
    }
    if (touches == ((marks & MARK_TOLD) != 0)) return;
    w.state[c] = state ^ (MARK_TOLD << STATE_MARKS);
    u32* to =
        w.touches + TOUCH_WORDS * static_cast<std::size_t>(atomic_add(w.event_counts + EVENT_TOUCHES, 1u));
    to[0] = w.ends[4 * c];
    to[1] = w.ends[4 * c + 1];
    to[2] = kind;
    to[TOUCH_BEGAN] = touches ? 1u : 0u;
}

KERNEL_FN void body_stirs(u32 b, u32 what, const WorldView w) {
    u32* to = w.stirred + 2 * static_cast<std::size_t>(atomic_add(w.event_counts + EVENT_STIRRED, 1u));
    to[0] = b;
    to[1] = what;
}

/// Bodies that fell asleep, woke, or left the region of their world.
KERNEL_FN void world_tell_bodies(u32 b, const WorldView w, const WorldParams p) {
    const u32 flags = w.body_flags[b];
    if (!(flags & BODY_ALIVE)) return;
    const bool asleep = (flags & BODY_ASLEEP) != 0;
    u32 now = flags & ~(BODY_TOLD_ASLEEP | BODY_TOLD_OUT);
    if (flags & BODY_TELLS) {
        if (asleep) now |= BODY_TOLD_ASLEEP;
        if (asleep != ((flags & BODY_TOLD_ASLEEP) != 0))
            body_stirs(b, asleep ? STIRRED_SLEPT : STIRRED_WOKE, w);
    }
    if ((flags & (BODY_DYNAMIC | BODY_KINEMATIC)) != 0 &&
        beyond_region(load4(w.position, b), w.regions + REGION_WORDS * (b / p.body_stride))) {
        now |= BODY_TOLD_OUT;
        if (!(flags & BODY_TOLD_OUT)) body_stirs(b, STIRRED_LEFT, w);
    }
    w.body_flags[b] = now;
}
