// SPDX-License-Identifier: MIT
// pipeline_narrow.h — from pairs to manifolds on a device.   compiles as: host, cuda

KERNEL_FN PairView pair_view_of(const WorldView w, const WorldParams p, const u32* slots) {
    PairView v;
    v.position = w.position;
    v.rotation = w.rotation;
    v.motion = w.motion;
    v.pose = w.pose;
    v.size = w.size;
    v.bounds = w.bounds;
    v.ends = reinterpret_cast<const f32*>(w.ends);
    v.contact = w.contact;
    v.slots = slots;
    v.distance = p.distance;
    v.dt = p.dt;
    v.recycle_distance = p.recycle_distance;
    v.recycle_cosine = p.recycle_cosine;
    v.recycle_turn = p.recycle_turn;
    return v;
}

/// Of contact c: nothing to do, its end, its manifold is kept, or it is listed by kind to have one made.
KERNEL_FN void world_survey(u32 c, const WorldView w, const WorldParams p) {
    const real4 ends = load4(reinterpret_cast<const f32*>(w.ends), c);
    const u32 a = static_cast<u32>(as_whole(ends.x)), b = static_cast<u32>(as_whole(ends.y));
    if (a == NOTHING) return;
    const u32 flags_a = w.body_flags[as_whole(ends.z)], flags_b = w.body_flags[as_whole(ends.w)];
    const u32 state = w.state[c];
    const u32 kind = state_kind(state);
    // a sensor looks once at what sleeps
    const bool looks = is_sensing(kind) && !state_byte(state, STATE_MADE);
    if (!is_lively(flags_a) && !is_lively(flags_b) && !looks) return;
    const std::size_t at_a = 8 * static_cast<std::size_t>(a), at_b = 8 * static_cast<std::size_t>(b);
    if (!bounds_overlap(w.bounds + at_a, w.bounds + at_b)) {
        // nothing of a pair outlives its bounds' overlap
        if (!bounds_overlap(w.fat + at_a, w.fat + at_b)) {
            contact_end(c, w, p);
            return;
        }
        if (state_byte(state, STATE_MADE)) contact_forget(c, w);
        w.state[c] &= ~(MARK_INSIDE << STATE_MARKS);
        if (!state_byte(state, STATE_POINTS)) return;
        f32* count = w.contact + 64 * static_cast<std::size_t>(c) + 4 * RECORD_STATE;
        *count = as_real(as_whole(*count) & ~RECORD_COUNT);
        contact_drop_friction(c, w);
        w.state[c] = with_byte(with_byte(w.state[c], STATE_POINTS, 0u), STATE_COLOUR, COLOUR_NONE);
        return;
    }
    // slot 0 speaks for the others of its pair
    const bool speaks = slot_of_kind(kind) == 0;
    if (speaks) count_one(w.counts, COUNT_PAIRS);
    if (p.step.extras) {
        // belts carry their direction along
        real4 surface = load4(w.contact, RECORD_QUADS * c + RECORD_SURFACE);
        if (surface.x != 0.0f || surface.y != 0.0f || surface.z != 0.0f) contact_mix(c, w);
    }
    if (!speaks) return;
    const u32 itself[1] = {c};
    if (p.recycling && !is_sensing(kind) && pair_unmoved(0, pair_view_of(w, p, itself))) {
        count_one(w.counts, COUNT_RECYCLED);
        return;
    }
    const u32 list = work_of_kind(kind);
    w.work[static_cast<std::size_t>(list) * p.room + next_place(w, COUNT_WORK + list)] = c;
}

KERNEL_FN TouchView touch_view_of(const WorldView w) {
    TouchView v;
    v.position = w.position;
    v.rotation = w.rotation;
    v.motion = w.motion;
    v.inverse_mass = w.inverse_mass;
    v.contact = w.contact;
    return v;
}

/// in the world's axes; zero for shapes that are not one-way
KERNEL_FN real3 one_way_of(u32 s, const WorldView w) {
    if (!(w.shape_info[SHAPE_INFO * s + SHAPE_RULES] & SHAPE_ONE_WAY)) return make_real3(0.0f, 0.0f, 0.0f);
    return mat3_times(quat_matrix(quat_of(load4(w.pose, 2 * s + 1))),
                      xyz(load4(w.shape_local, LOCAL_QUADS * s + LOCAL_ONE_WAY)));
}

/// lets the contact of a one-way shape pass
KERNEL_FN void contact_let_pass(u32 c, const WorldView w, const WorldParams p) {
    const u32 a = w.ends[4 * c], b = w.ends[4 * c + 1];
    const u32 traits =
        w.shape_info[SHAPE_INFO * a + SHAPE_RULES] | w.shape_info[SHAPE_INFO * b + SHAPE_RULES];
    if (!(traits & SHAPE_ONE_WAY)) return;
    const u32 state = w.state[c];
    const bool made = state_byte(state, STATE_MADE) != 0;
    const u32 pass = contact_pass(c, w.ends[4 * c + 2], w.ends[4 * c + 3], one_way_of(a, w), one_way_of(b, w),
                                  made && state_byte(state, STATE_POINTS) != 0,
                                  (state_marks(state) & MARK_PASSING) != 0, p.distance, touch_view_of(w));
    w.state[c] =
        (state & ~(MARK_PASSING << STATE_MARKS)) | (pass == PASS_THROUGH ? MARK_PASSING << STATE_MARKS : 0u);
    if (pass == PASS_SOLID) return;
    f32* count = w.contact + 64 * static_cast<std::size_t>(c) + 4 * RECORD_STATE;
    *count = as_real(as_whole(*count) & ~RECORD_COUNT);
}

/// the room of a contact in the solver, and the bodies woken by it
KERNEL_FN void contact_made(u32 c, const WorldView w, const WorldParams p) {
    if (p.one_way) contact_let_pass(c, w, p);
    const i32 made = as_whole(w.contact[64 * static_cast<std::size_t>(c) + 4 * RECORD_STATE]);
    const u32 count = static_cast<u32>(made & RECORD_COUNT);
    const u32 now = room_for_points(count), state = w.state[c], before = state_byte(state, STATE_POINTS);
    u32 after = with_byte(with_byte(state, STATE_POINTS, now), STATE_MADE, 1u);
    if (!now) {
        after = with_byte(after, STATE_COLOUR, COLOUR_NONE);
        contact_drop_friction(c, w);
    }
    w.state[c] = after;
    if (!now || before) return;
    wake_later(w.ends[4 * c + 2], w);
    wake_later(w.ends[4 * c + 3], w);
}

#define WORLD_NARROW(name, kind, call)                                                                       \
    KERNEL_FN void name(u32 i, const WorldView w, const WorldParams p) {                                     \
        const u32* list = w.work + static_cast<std::size_t>(kind) * p.room;                                  \
        const u32 count = w.counts[COUNT_WORK + (kind)];                                                     \
        const PairView v = pair_view_of(w, p, list);                                                         \
        for (u32 k = i; k < count; k += p.items) {                                                           \
            call;                                                                                            \
            contact_made(list[k], w, p);                                                                     \
        }                                                                                                    \
    }
WORLD_NARROW(world_narrow_boxes, KIND_BOXES, narrow_boxes(k, v))
WORLD_NARROW(world_narrow_rounds, KIND_ROUNDS, narrow_rounds(k, v))
WORLD_NARROW(world_narrow_ball_box, KIND_BALL_BOX, narrow_ball_box(k, 1, v))
WORLD_NARROW(world_narrow_box_ball, KIND_BOX_BALL, narrow_ball_box(k, 0, v))

KERNEL_FN ConvexShape convex_shape_of(u32 s, const WorldView w) {
    ShapeFacts f = shape_facts(s, w);
    ConvexShape shape;
    shape.type = f.type;
    shape.size = f.size;
    shape.radius = f.radius;
    shape.hull = f.hull;
    return shape;
}
WORLD_NARROW(world_narrow_convex, KIND_CONVEX,
             narrow_convex(k, convex_shape_of(w.ends[4 * list[k]], w),
                           convex_shape_of(w.ends[4 * list[k] + 1], w), 0, v))

/// what is inside sensors
KERNEL_FN void world_narrow_sensors(u32 i, const WorldView w, const WorldParams p) {
    const u32* list = w.work + static_cast<std::size_t>(WORK_SENSORS) * p.room;
    const u32 count = w.counts[COUNT_WORK + WORK_SENSORS];
    const PairView v = pair_view_of(w, p, list);
    for (u32 k = i; k < count; k += p.items) {
        const u32 c = list[k];
        const bool inside =
            sensor_overlaps(k, convex_shape_of(w.ends[4 * c], w), convex_shape_of(w.ends[4 * c + 1], w), v);
        w.state[c] = with_byte(w.state[c], STATE_MADE, 1u) & ~(MARK_INSIDE << STATE_MARKS);
        if (inside) w.state[c] |= MARK_INSIDE << STATE_MARKS;
    }
}

/// The manifolds of a pair with a mesh, those of its other slots too.
KERNEL_FN void world_narrow_mesh(u32 i, const WorldView w, const WorldParams p) {
    const u32* list = w.work + static_cast<std::size_t>(KIND_MESH) * p.room;
    const u32 count = w.counts[COUNT_WORK + KIND_MESH];
    const PairView v = pair_view_of(w, p, list);
    for (u32 k = i; k < count; k += p.items) {
        const u32 a = w.ends[4 * list[k]], b = w.ends[4 * list[k] + 1];
        u32 contacts[MESH_SLOTS];
        for (u32 slot = 0; slot < MESH_SLOTS; ++slot) contacts[slot] = pair_find(pair_key(a, b, slot), w, p);
        if (narrow_mesh(k, convex_shape_of(a, w), convex_shape_of(b, w), contacts, v))
            count_one(w.counts, COUNT_CROWDED);
        for (u32 slot = 0; slot < MESH_SLOTS; ++slot) {
            contact_made(contacts[slot], w, p);
            contact_mix(contacts[slot], w);
        }
    }
}
