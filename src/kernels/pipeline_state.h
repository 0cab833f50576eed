// SPDX-License-Identifier: MIT
// pipeline_state.h — bodies, shapes and contacts of a world on a device, and changes by the host.
// compiles as: host, cuda

KERNEL_FN bool is_movable(u32 flags) {
    return (flags & (BODY_DYNAMIC | BODY_ASLEEP | BODY_FROZEN)) == BODY_DYNAMIC;
}
KERNEL_FN bool is_lively(u32 flags) {
    return (flags & (BODY_DYNAMIC | BODY_KINEMATIC)) != 0 && (flags & (BODY_ASLEEP | BODY_FROZEN)) == 0;
}
KERNEL_FN u32 state_byte(u32 state, u32 which) { return state >> which & 255u; }
KERNEL_FN u32 with_byte(u32 state, u32 which, u32 value) {
    return (state & ~(255u << which)) | value << which;
}

/// a place at the end of a list that is counted in `counts`
KERNEL_FN u32 next_place(const WorldView w, u32 count) { return atomic_add(w.counts + count, 1u); }

KERNEL_FN u64* table_keys(const WorldView w) { return reinterpret_cast<u64*>(w.table_keys); }

/// the contact of a pair, or NOTHING; a key whose contact ended stays with that as its value
KERNEL_FN u32 pair_find(u64 key, const WorldView w, const WorldParams p) {
    for (u32 k = pair_home(key, p.table_mask);; k = (k + 1) & p.table_mask) {
        const u64 seen = table_keys(w)[k];
        if (seen == key) return w.table_values[k];
        if (seen == 0) return NOTHING;
    }
}
KERNEL_FN void pair_insert(u64 key, u32 contact, const WorldView w, const WorldParams p) {
    for (u32 k = pair_home(key, p.table_mask);; k = (k + 1) & p.table_mask) {
        u64 seen = atomic_load64(table_keys(w) + k);
        if (seen == 0) seen = atomic_replace64(table_keys(w) + k, 0, key);
        if (seen != 0 && seen != key) continue;
        if (seen == 0) next_place(w, COUNT_KEYS);
        w.table_values[k] = contact;
        return;
    }
}
KERNEL_FN void pair_forget(u64 key, const WorldView w, const WorldParams p) {
    for (u32 k = pair_home(key, p.table_mask);; k = (k + 1) & p.table_mask) {
        const u64 seen = table_keys(w)[k];
        if (seen == key) w.table_values[k] = NOTHING;
        if (seen == key || seen == 0) return;
    }
}

KERNEL_FN u32 state_kind(u32 state) { return state >> STATE_KIND & 15u; }
KERNEL_FN u32 state_marks(u32 state) { return state >> STATE_MARKS & 15u; }

/// among the contacts of its pair
KERNEL_FN u32 contact_slot(u32 c, const WorldView w) { return slot_of_kind(state_kind(w.state[c])); }
KERNEL_FN u64 contact_key(u32 c, const WorldView w) {
    return pair_key(w.ends[4 * c], w.ends[4 * c + 1], contact_slot(c, w));
}

/// the contact leaves; its slot can be taken again
KERNEL_FN void contact_end(u32 c, const WorldView w, const WorldParams p) {
    const u32 state = w.state[c];
    if (state_marks(state) & MARK_TOLD) {
        u32* lost = w.lost + LOST_WORDS * atomic_add(w.event_counts + EVENT_LOST, 1u);
        lost[0] = w.ends[4 * c];
        lost[1] = w.ends[4 * c + 1];
        lost[2] = state_kind(state);
    }
    pair_forget(contact_key(c, w), w, p);
    w.ends[4 * c] = NOTHING;
    w.state[c] = with_byte(0u, STATE_COLOUR, COLOUR_NONE);
    w.contact[64 * static_cast<std::size_t>(c)] = as_real(static_cast<i32>(NOTHING));
    w.free_contacts[next_place(w, COUNT_FREE)] = c;
}

/// the manifold is made anew at the next look: no pose is near this one
KERNEL_FN void contact_forget(u32 c, const WorldView w) {
    w.contact[64 * static_cast<std::size_t>(c) + 4 * RECORD_STATE + 1] = as_real(0x7f800000);
    w.state[c] = with_byte(w.state[c], STATE_MADE, 0u) & ~(MARKS_OF_MANIFOLD << STATE_MARKS);
}

/// impulses that act between the surfaces; those of the points go with the points
KERNEL_FN void contact_drop_friction(u32 c, const WorldView w) {
    f32* record = w.contact + 64 * static_cast<std::size_t>(c);
    store4(record, RECORD_FRICTION_IMPULSE, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
    for (u32 k = 0; k < 3; ++k) record[4 * RECORD_ROLLING + k] = 0.0f;
}

/// with the island it fell asleep with
KERNEL_FN void wake_later(u32 body, const WorldView w) {
    if (!(w.body_flags[body] & BODY_ASLEEP)) return;
    atomic_store(w.wake + w.island[body], 1u);
    atomic_store(w.counts + COUNT_WAKE, 1u);
}

KERNEL_FN PairSide pair_side(u32 s, const WorldView w) {
    const u32* info = w.shape_info + SHAPE_INFO * s;
    PairSide side;
    side.body = info[SHAPE_BODY];
    side.category = info[SHAPE_CATEGORY];
    side.mask = info[SHAPE_MASK];
    side.group = info[SHAPE_GROUP];
    const u32 flags = w.body_flags[side.body];
    side.pushed = (flags & (BODY_DYNAMIC | BODY_FROZEN)) == BODY_DYNAMIC;
    side.sensor = (info[SHAPE_RULES] & SHAPE_SENSOR) != 0;
    side.moves = (flags & (BODY_DYNAMIC | BODY_KINEMATIC)) != 0;
    return side;
}
KERNEL_FN bool pair_wanted(u32 a, u32 b, const WorldView w) {
    const PairSide first = pair_side(a, w), second = pair_side(b, w);
    if (!pair_allowed(first, second)) return false;
    if (first.sensor || second.sensor) return true;
    for (u32 j = w.first_joint[first.body]; j != NOTHING;) {
        const u32* joint = w.joint_info + JOINT_INFO * j;
        if (joint_parts(joint[JOINT_COLLIDES], joint[JOINT_FIRST], joint[JOINT_SECOND], second.body))
            return false;
        j = joint[JOINT_NEXT + (joint[JOINT_FIRST] == first.body ? 0 : 1)];
    }
    return true;
}

KERNEL_FN Surface surface_of(u32 s, u32 part, const WorldView w) {
    const u32 rules = w.shape_info[SHAPE_INFO * s + SHAPE_RULES];
    real4 material = load4(w.shape_local, LOCAL_QUADS * s + LOCAL_MATERIAL);
    Surface m;
    m.friction = material.x;
    m.restitution = material.y;
    m.rolling = material.z;
    m.friction_rule = rules & 255u;
    m.restitution_rule = rules >> 8 & 255u;
    m.velocity = xyz(load4(w.shape_local, LOCAL_QUADS * s + LOCAL_SURFACE));
    m.turn = quat_of(load4(w.pose, 2 * s + 1));
    if (w.shape_info[SHAPE_INFO * s + SHAPE_TYPE] != CONVEX_MESH) return m;
    const u32* mesh = w.hulls + w.shape_info[SHAPE_INFO * s + SHAPE_HULL];
    if (!mesh[3]) return m;
    const u32* own = mesh_material(mesh, part);
    m.friction = as_real(static_cast<i32>(own[0]));
    m.restitution = as_real(static_cast<i32>(own[1]));
    m.rolling = as_real(static_cast<i32>(own[2]));
    m.friction_rule = own[3] & 255u;
    m.restitution_rule = own[3] >> 8;
    m.velocity = make_real3(as_real(static_cast<i32>(own[4])), as_real(static_cast<i32>(own[5])),
                            as_real(static_cast<i32>(own[6])));
    return m;
}
KERNEL_FN void contact_mix(u32 c, const WorldView w) {
    // the triangle of a mesh, whose material may be its own
    const u32 part =
        static_cast<u32>(as_whole(w.contact[64 * static_cast<std::size_t>(c) + 4 * RECORD_STATE])) >>
        RECORD_SUB;
    const SurfacePair m =
        surfaces_mixed(surface_of(w.ends[4 * c], part, w), surface_of(w.ends[4 * c + 1], part, w));
    f32* record = w.contact + 64 * static_cast<std::size_t>(c);
    record[4 * RECORD_NORMAL + 3] = m.friction;
    record[4 * RECORD_ROLLING + 3] = m.rolling;
    store4(record, RECORD_SURFACE, with_w(m.velocity, m.restitution));
    if (surfaces_have_extras(m.restitution, m.rolling, m.velocity)) atomic_store(w.counts + COUNT_EXTRAS, 1u);
}

// shapes ---------------------------------------------------------------------------------------------------------------

KERNEL_FN ShapeFacts shape_facts(u32 s, const WorldView w) {
    const u32* info = w.shape_info + SHAPE_INFO * s;
    ShapeFacts f;
    real4 size = load4(w.size, s), offset = load4(w.shape_local, LOCAL_QUADS * s + LOCAL_OFFSET);
    f.type = info[SHAPE_TYPE];
    f.size = xyz(size);
    f.radius = offset.w;
    f.thickness = load4(w.shape_local, LOCAL_QUADS * s + LOCAL_MATERIAL).w;
    f.offset = xyz(offset);
    f.turn = quat_of(load4(w.shape_local, LOCAL_QUADS * s + LOCAL_TURN));
    f.hull = w.hulls + info[SHAPE_HULL];
    return f;
}

struct ShapeUpdate_t {
    bool left;  // it needs new fat bounds
    real ahead; // ShapePlace::ahead
};
typedef struct ShapeUpdate_t ShapeUpdate;

/// places the shape
KERNEL_FN ShapeUpdate shape_update(u32 s, u32 b, f32 dt, const WorldView w, const WorldParams p) {
    ShapeFacts f = shape_facts(s, w);
    BodyPose body;
    body.at = xyz(load4(w.position, b));
    body.turn = quat_of(load4(w.rotation, b));
    body.v = xyz(load4(w.motion, 4 * b));
    body.w = xyz(load4(w.motion, 4 * b + 1));
    body.radius = load4(w.constants, BODY_CONSTANTS * b + BODY_INVERSE_REST).w;
    f32 *bounds = w.bounds + 8 * static_cast<std::size_t>(s), *fat = w.fat + 8 * static_cast<std::size_t>(s);
    const ShapePlace place = shape_place(f, body, p.distance, dt);
    shape_place_store(f, place, w.pose + 8 * static_cast<std::size_t>(s), bounds);
    ShapeUpdate out;
    out.left = bounds_left(bounds, fat, place.ahead, body.v, dt);
    out.ahead = place.ahead;
    return out;
}
KERNEL_FN void shape_fatten(u32 s, u32 b, f32 dt, real ahead, const WorldView w) {
    bounds_fatten(s, w.bounds + 8 * static_cast<std::size_t>(s), w.fat + 8 * static_cast<std::size_t>(s),
                  (w.body_flags[b] & (BODY_DYNAMIC | BODY_KINEMATIC)) != 0, xyz(load4(w.motion, 4 * b)), dt,
                  ahead);
}
KERNEL_FN void shape_tighten(u32 s, u32 b, f32 dt, real ahead, const WorldView w) {
    bounds_tighten(s, w.bounds + 8 * static_cast<std::size_t>(s), w.fat + 8 * static_cast<std::size_t>(s),
                   xyz(load4(w.motion, 4 * b)), dt, ahead);
}

// changes by the host ----------------------------------------------------------------------------------------------------

KERNEL_FN void copy_words(u32* to, const u32* from, u32 count) {
    for (u32 k = 0; k < count; ++k) to[k] = from[k];
}
KERNEL_FN void copy_floats(f32* to, const f32* from, u32 count) {
    for (u32 k = 0; k < count; ++k) to[k] = from[k];
}
/// entry `index` of an array of `width` floats each
KERNEL_FN void copy_entry(f32* array, u32 index, u32 width, const f32* from) {
    copy_floats(array + static_cast<std::size_t>(index) * width, from, width);
}

KERNEL_FN void body_weightless(u32 b, const WorldView w) {
    real4 zero = make_real4(0.0f, 0.0f, 0.0f, 0.0f);
    store4(w.inverse_mass, 2 * b, zero);
    store4(w.inverse_mass, 2 * b + 1, zero);
}

KERNEL_FN void body_still(u32 b, const WorldView w) {
    real4 zero = make_real4(0.0f, 0.0f, 0.0f, 0.0f);
    store4(w.motion, 4 * b, zero);
    store4(w.motion, 4 * b + 1, zero);
    store4(w.carry, CARRY_QUADS * b + CARRY_VELOCITY, zero);
    store4(w.carry, CARRY_QUADS * b + CARRY_SPIN, zero);
    body_weightless(b, w);
}

/// the inverse mass in the world's axes
KERNEL_FN void body_weigh(u32 b, const WorldView w) {
    real4 rest = load4(w.constants, BODY_CONSTANTS * b + BODY_INVERSE_REST);
    sym3 own = gather_inertia(load4(w.constants, BODY_CONSTANTS * b + BODY_INVERSE), rest);
    const i32 locks = as_whole(load4(w.constants, BODY_CONSTANTS * b + BODY_INERTIA_REST).w);
    sym3 now = inverse_inertia_at(own, quat_of(load4(w.rotation, b)), locks);
    store4(w.inverse_mass, 2 * b, make_real4(now.xx, now.yy, now.zz, now.xy));
    store4(w.inverse_mass, 2 * b + 1, make_real4(now.xz, now.yz, rest.z, as_real(locks)));
}

KERNEL_FN void world_put_bodies(u32 i, const WorldView w, const WorldParams p) {
    const StagedBody* from = reinterpret_cast<const StagedBody*>(w.staged) + i;
    const u32 b = from->body, parts = from->parts, before = w.body_flags[b];
    const u32 own = BODY_ASLEEP | BODY_FROZEN; // the step knows them better than the host, which may say so
    const u32 told = BODY_TOLD_ASLEEP | BODY_TOLD_OUT;
    u32 flags = before | (from->flags & ~BODY_LASTING);
    if (parts & STAGED_FLAGS) flags = (from->flags & ~(own | told)) | (before & (own | told));
    if (parts & STAGED_SLEEP) flags = (flags & ~own) | (from->flags & own);
    if (parts & STAGED_TOLD) flags = (flags & ~told) | (from->flags & told);
    w.body_flags[b] = flags;
    if (parts & STAGED_JOINTS) w.first_joint[b] = from->first_joint;
    if (parts & STAGED_SLEEP) {
        w.island[b] = from->island;
        w.sleep_time[b] = from->sleep_time;
    }
    if (parts & STAGED_POSE) {
        copy_entry(w.position, b, 4, from->position);
        copy_entry(w.rotation, b, 4, from->rotation);
        copy_floats(w.carry + 4 * CARRY_QUADS * static_cast<std::size_t>(b), from->carry, 8);
        store4(w.motion, 4 * b + 2, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
        store4(w.motion, 4 * b + 3, make_real4(0.0f, 0.0f, 0.0f, 1.0f));
    }
    if (parts & STAGED_VELOCITY) {
        copy_floats(w.motion + 16 * static_cast<std::size_t>(b), from->motion, 8);
        copy_floats(w.carry + 4 * (CARRY_QUADS * static_cast<std::size_t>(b) + CARRY_VELOCITY),
                    from->carry + 4 * CARRY_VELOCITY, 8);
    }
    if (parts & STAGED_CONSTANTS) copy_entry(w.constants, b, 4 * BODY_CONSTANTS, from->constants);
    if (parts & STAGED_MASS) {
        copy_entry(w.inverse_mass, b, 8, from->inverse_mass);
        // the host may not know that the body sleeps, or that it woke
        if (flags & own) body_weightless(b, w);
        else if (is_movable(flags) && from->inverse_mass[6] == 0.0f) body_weigh(b, w);
    }
    if (parts & STAGED_FORCE) copy_entry(w.force, b, 8, from->force);
    (void)p;
}

KERNEL_FN void world_put_shapes(u32 i, const WorldView w, const WorldParams p) {
    const StagedShape* from = reinterpret_cast<const StagedShape*>(w.staged) + i;
    const u32 s = from->shape;
    copy_entry(w.size, s, 4, from->size);
    // of the shape that it is, not of one before it in its slot
    const bool same =
        w.shape_info[SHAPE_INFO * s + SHAPE_BODY] != NOTHING && !(from->info[SHAPE_FLAGS] & SHAPE_GONE);
    const u32 kept = same ? w.shape_info[SHAPE_INFO * s + SHAPE_FLAGS] & SHAPE_WAITS : 0u;
    copy_words(w.shape_info + SHAPE_INFO * s, from->info, SHAPE_INFO);
    w.shape_info[SHAPE_INFO * s + SHAPE_FLAGS] |= kept;
    copy_entry(w.shape_local, s, 4 * LOCAL_QUADS, from->local);
    (void)p;
}

KERNEL_FN void world_put_joints(u32 i, const WorldView w, const WorldParams p) {
    const StagedJoint* from = reinterpret_cast<const StagedJoint*>(w.staged) + i;
    const u32 j = from->joint;
    const u32 colour = w.joint_info[JOINT_INFO * j + JOINT_COLOUR];
    copy_words(w.joint_info + JOINT_INFO * j, from->info, JOINT_INFO);
    if (from->parts & STAGED_LINKS) w.joint_info[JOINT_INFO * j + JOINT_COLOUR] = colour;
    // impulses are the record's last quads
    const u32 words = 4 * (from->parts & STAGED_IMPULSE ? JOINT_RECORD : JOINT_RECORD_IMPULSE);
    copy_floats(w.joint + 4 * JOINT_RECORD * static_cast<std::size_t>(j), from->record, words);
    (void)p;
}

KERNEL_FN void world_put_joint_limits(u32 i, const WorldView w, const WorldParams p) {
    const StagedLimits* from = reinterpret_cast<const StagedLimits*>(w.staged) + i;
    copy_entry(w.joint_limits, from->joint, 4 * JOINT_LIMITS, from->limits);
    (void)p;
}

KERNEL_FN void world_place_shapes(u32 s, const WorldView w, const WorldParams p) {
    u32* info = w.shape_info + SHAPE_INFO * s;
    const u32 flags = info[SHAPE_FLAGS], b = info[SHAPE_BODY];
    if (b == NOTHING) return;
    const u32 body = w.body_flags[b];
    u32 now = flags;
    if ((flags & SHAPE_PLACE) || (body & (BODY_MOVED | BODY_RESET))) {
        shape_update(s, b, 0.0f, w, p);
        shape_fatten(s, b, 0.0f, -1.0f, w);
        now |= SHAPE_MOVED;
    }
    if (flags & SHAPE_MIX) now |= SHAPE_MOVED;
    if (body & (BODY_MOVED | BODY_RESET)) now |= SHAPE_CAME;
    if (body & BODY_MOVED) now |= SHAPE_PUT;
    info[SHAPE_FLAGS] = now;
}

KERNEL_FN void world_contact_events(u32 c, const WorldView w, const WorldParams p) {
    const u32 a = w.ends[4 * c];
    if (a == NOTHING) return;
    const u32 b = w.ends[4 * c + 1], body_a = w.ends[4 * c + 2], body_b = w.ends[4 * c + 3];
    if (p.which) { // what filters and joints say now
        if (!pair_wanted(a, b, w)) contact_end(c, w, p);
        return;
    }
    if (w.worlds[WORLD_WORDS * (body_a / p.body_stride) + WORLD_RESET]) {
        w.state[c] &= ~(MARK_TOLD << STATE_MARKS); // nobody is told of a world that was replaced
        contact_end(c, w, p);
        return;
    }
    const u32 flags_a = w.body_flags[body_a], flags_b = w.body_flags[body_b];
    const u32 shape_a = w.shape_info[SHAPE_INFO * a + SHAPE_FLAGS],
              shape_b = w.shape_info[SHAPE_INFO * b + SHAPE_FLAGS];
    const u32 bodies = flags_a | flags_b, shapes = shape_a | shape_b;
    const bool touched = state_byte(w.state[c], STATE_POINTS) != 0;
    if (!(bodies & (BODY_MOVED | BODY_RESET)) && !(shapes & (SHAPE_GONE | SHAPE_MIX))) return;
    // wakes bodies that touched a changed one; those near one that moved wake in the step, which finds all pairs
    const bool changed_a = (shape_a & (SHAPE_GONE | SHAPE_MIX)) || (flags_a & (BODY_MOVED | BODY_RESET));
    const bool changed_b = (shape_b & (SHAPE_GONE | SHAPE_MIX)) || (flags_b & (BODY_MOVED | BODY_RESET));
    if (touched && changed_a) wake_later(body_b, w);
    if (touched && changed_b) wake_later(body_a, w);
    if ((bodies & BODY_RESET) || (shapes & SHAPE_GONE)) {
        contact_end(c, w, p);
        return;
    }
    if (shapes & SHAPE_MIX) contact_mix(c, w);
    if (bodies & BODY_MOVED) contact_forget(c, w);
}

/// the bodies that the host wakes are staged
KERNEL_FN void world_wake_listed(u32 i, const WorldView w, const WorldParams p) {
    wake_later(w.staged[i], w);
    (void)p;
}

KERNEL_FN void body_sleeps(u32 b, u32 flags, const WorldView w) {
    w.body_flags[b] = flags | BODY_ASLEEP | BODY_CHANGED;
    atomic_store(w.counts + COUNT_CHANGED, 1u);
    body_still(b, w);
}

/// wakes the bodies of every touched island
KERNEL_FN void world_wake(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_WAKE]) return;
    const u32 flags = w.body_flags[b];
    if (!(flags & BODY_ASLEEP) || !w.wake[w.island[b]]) return;
    w.body_flags[b] = (flags & ~BODY_ASLEEP) | BODY_CHANGED;
    atomic_store(w.counts + COUNT_CHANGED, 1u);
    w.sleep_time[b] = 0.0f;
    if (is_movable(flags & ~BODY_ASLEEP)) body_weigh(b, w);
    (void)p;
}

/// wakes bodies in contact with or joined to a body that woke
KERNEL_FN void world_wake_neighbours(u32 c, const WorldView w, const WorldParams p) {
    (void)p;
    if (w.ends[4 * c] == NOTHING || !state_byte(w.state[c], STATE_POINTS)) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 flags = w.body_flags[w.ends[4 * c + 2 + side]];
        if ((flags & (BODY_CHANGED | BODY_ASLEEP | BODY_FROZEN)) == BODY_CHANGED)
            wake_later(w.ends[4 * c + 3 - side], w);
    }
}
KERNEL_FN void world_wake_joined(u32 j, const WorldView w, const WorldParams p) {
    (void)p;
    const u32* joint = w.joint_info + JOINT_INFO * j;
    if (joint[JOINT_COLOUR] == NOTHING) return;
    for (u32 side = 0; side < 2; ++side) {
        const u32 flags = w.body_flags[joint[JOINT_FIRST + side]];
        if ((flags & (BODY_CHANGED | BODY_ASLEEP | BODY_FROZEN)) == BODY_CHANGED)
            wake_later(joint[JOINT_SECOND - side], w);
    }
}

/// the host puts single bodies to sleep
KERNEL_FN void world_put_to_sleep(u32 b, const WorldView w, const WorldParams p) {
    const u32 flags = w.body_flags[b];
    if (!(flags & BODY_SLEEP) || !is_movable(flags)) return;
    w.island[b] = b;
    body_sleeps(b, flags, w);
    (void)p;
}

/// Bodies that fell asleep or froze keep bounds without a margin for velocity; clears the host's changes of shapes.
KERNEL_FN void world_settle_shapes(u32 s, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_CHANGED] && !p.which) return;
    u32* info = w.shape_info + SHAPE_INFO * s;
    const u32 b = info[SHAPE_BODY];
    if (b == NOTHING) return;
    u32 now = info[SHAPE_FLAGS] & SHAPE_LASTING;
    const u32 body = w.body_flags[b];
    if ((body & BODY_CHANGED) && !is_lively(body) && shape_update(s, b, 0.0f, w, p).left) {
        shape_fatten(s, b, 0.0f, -1.0f, w);
        now |= SHAPE_MOVED;
    }
    info[SHAPE_FLAGS] = now;
}

/// constraints of bodies that fell asleep, woke or froze are coloured again
KERNEL_FN void contact_changed(u32 c, const WorldView w, const WorldParams p) {
    if (w.ends[4 * c] == NOTHING) return;
    const u32 flags_a = w.body_flags[w.ends[4 * c + 2]], flags_b = w.body_flags[w.ends[4 * c + 3]];
    const u32 froze = BODY_CHANGED | BODY_FROZEN;
    if ((flags_a & froze) == froze || (flags_b & froze) == froze) {
        // impulses that may not be finite either are not for the others to start with
        contact_drop_friction(c, w);
        for (u32 k = 0; k < 4; ++k)
            w.contact[64 * static_cast<std::size_t>(c) + 4 * (RECORD_POINT + 2 * k) + 3] = 0.0f;
        if (!pair_wanted(w.ends[4 * c], w.ends[4 * c + 1], w)) {
            contact_end(c, w, p);
            return;
        }
    }
    if ((flags_a | flags_b) & BODY_CHANGED) w.state[c] = with_byte(w.state[c], STATE_COLOUR, COLOUR_NONE);
    if (!is_lively(flags_a) && !is_lively(flags_b)) w.state[c] &= ~(MARK_HIT << STATE_MARKS);
}
/// several contacts by each item, as mostly nothing changed and starting them is all that it costs
KERNEL_FN void world_contact_changed(u32 i, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_CHANGED]) return;
    for (u32 c = i; c < p.contacts; c += p.items) contact_changed(c, w, p);
}
KERNEL_FN void world_joint_changed(u32 j, const WorldView w, const WorldParams p) {
    u32* joint = w.joint_info + JOINT_INFO * j;
    if ((!w.counts[COUNT_CHANGED] && !p.which) || joint[JOINT_COLOUR] == NOTHING) return;
    if ((w.body_flags[joint[JOINT_FIRST]] | w.body_flags[joint[JOINT_SECOND]]) & (BODY_CHANGED | BODY_RESET))
        joint[JOINT_COLOUR] = COLOUR_NONE;
    const u32 froze = BODY_CHANGED | BODY_FROZEN;
    if ((w.body_flags[joint[JOINT_FIRST]] & froze) == froze ||
        (w.body_flags[joint[JOINT_SECOND]] & froze) == froze)
        for (u32 k = 0; k < 8; ++k)
            w.joint[4 * (JOINT_RECORD * static_cast<std::size_t>(j) + JOINT_RECORD_IMPULSE) + k] = 0.0f;
}

/// clears the changes, and lists awake bodies
KERNEL_FN void world_settle(u32 b, const WorldView w, const WorldParams p) {
    if (!w.counts[COUNT_CHANGED] && !w.counts[COUNT_WAKE] && !p.which) return;
    const u32 flags = w.body_flags[b] & BODY_LASTING;
    w.body_flags[b] = flags;
    w.awake[b] = is_lively(flags) ? b : NOTHING;
    w.wake[b] = 0;
}
