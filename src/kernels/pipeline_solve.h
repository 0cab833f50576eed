// SPDX-License-Identifier: MIT
// pipeline_solve.h — the solver's kernels as a device launches them.   compiles as: host, cuda

/// A view with the arrays of the bodies, which all views of the solver have.
template <class View>
KERNEL_FN View over_bodies(const WorldView w) {
    View v;
    v.position = w.position;
    v.rotation = w.rotation;
    v.motion = w.motion;
    v.inverse_mass = w.inverse_mass;
    return v;
}
/// The same with the items of a bucket.
template <class View>
KERNEL_FN View over_bucket(const WorldView w, const WorldParams p) {
    View v = over_bodies<View>(w);
    v.slots = w.slots + p.first;
    v.split = p.overflow ? w.split : nullptr;
    v.push = p.overflow ? w.push + static_cast<std::size_t>(p.push_first) * 16 : nullptr;
    return v;
}

KERNEL_FN BodyView body_view_of(const WorldView w, const WorldParams p) {
    BodyView v = over_bodies<BodyView>(w);
    v.constants = w.constants;
    v.force = w.force;
    v.carry = w.carry;
    v.kick = w.kick;
    v.free = w.free;
    v.rest = w.rest;
    v.change = w.change;
    v.swept = w.counts + COUNT_SWEPT;
    v.awake = w.awake;
    v.gravity_x = p.gravity_x;
    v.gravity_y = p.gravity_y;
    v.gravity_z = p.gravity_z;
    return v;
}
KERNEL_FN RigidView rigid_view_of(const WorldView w, const WorldParams p) {
    RigidView v = over_bucket<RigidView>(w, p);
    v.contact = w.contact;
    v.block = w.block + p.block;
    v.extra = p.step.extras ? w.extra + static_cast<std::size_t>(p.extra_first) * EXTRA_FIELDS : w.extra;
    return v;
}
KERNEL_FN JointView joint_view_of(const WorldView w, const WorldParams p) {
    JointView v = over_bucket<JointView>(w, p);
    v.joint = w.joint;
    v.limits = w.joint_limits;
    v.block = w.block + p.block;
    return v;
}

#define WORLD_BODY(name, call)                                                                               \
    KERNEL_FN void name(u32 i, const WorldView w, const WorldParams p) {                                     \
        if (w.awake[i] == NOTHING) return;                                                                   \
        call;                                                                                                \
    }
WORLD_BODY(world_body_begin, body_begin(i, body_view_of(w, p), p.step))
WORLD_BODY(world_body_velocity, body_velocity(i, p.which, body_view_of(w, p), p.step))
WORLD_BODY(world_body_position, body_position(i, body_view_of(w, p), p.step))
WORLD_BODY(world_body_finish, body_finish(i, body_view_of(w, p), p.step))

// the number of points is a constant in each, so that loops over them unroll; items in a block behind the last contact are
// prepared as empty ones by whoever is there
#define WORLD_CONTACT(name, points, call)                                                                    \
    KERNEL_FN void name##points(u32 i, const WorldView w, const WorldParams p) {                             \
        const RigidView v = rigid_view_of(w, p);                                                             \
        call;                                                                                                \
    }
#define WORLD_CONTACTS(points)                                                                               \
    WORLD_CONTACT(world_contact_prepare_, points, contact_prepare(i, points, v, p.step))                     \
    WORLD_CONTACT(world_contact_warm_, points, contact_warm_start(i, points, v, p.step))                     \
    WORLD_CONTACT(world_contact_solve_, points, contact_sweep(i, points, 1, v, p.step))                      \
    WORLD_CONTACT(world_contact_relax_, points, contact_sweep(i, points, 0, v, p.step))                      \
    WORLD_CONTACT(world_contact_bounce_, points, contact_restitution(i, points, v, p.step))                  \
    WORLD_CONTACT(world_contact_store_, points, contact_store(i, points, v, p.step))
WORLD_CONTACTS(1)
WORLD_CONTACTS(2)
WORLD_CONTACTS(4)

#define WORLD_JOINT(name, call)                                                                              \
    KERNEL_FN void name(u32 i, const WorldView w, const WorldParams p) {                                     \
        const JointView v = joint_view_of(w, p);                                                             \
        call;                                                                                                \
    }
WORLD_JOINT(world_joint_prepare, joint_prepare(i, v, p.step))
WORLD_JOINT(world_joint_warm, joint_warm_start(i, v, p.step))
WORLD_JOINT(world_joint_solve, joint_sweep(i, 1, v, p.step))
WORLD_JOINT(world_joint_relax, joint_sweep(i, 0, v, p.step))
WORLD_JOINT(world_joint_store, joint_store(i, v))
KERNEL_FN void world_joint_rest(u32, const WorldView, const WorldParams) {} // joints do not bounce

/// lists the joints that break, where the step listed what it coloured
KERNEL_FN void world_joint_breaks(u32 j, const WorldView w, const WorldParams p) {
    const f32* record = w.joint + 4 * JOINT_RECORD * static_cast<std::size_t>(j);
    if (w.joint_info[JOINT_INFO * j + JOINT_COLOUR] == NOTHING || !(as_whole(record[2]) & ROWS_BREAKS))
        return;
    if (joint_breaks(w.joint_limits + 4 * JOINT_LIMITS * static_cast<std::size_t>(j),
                     record[4 * JOINT_RECORD_IMPULSE + 3], record[4 * JOINT_RECORD_ANGULAR + 3], p.step.h))
        w.fresh[next_place(w, COUNT_BROKEN)] = j;
}

// the projected SOR ------------------------------------------------------------------------------------------------------

KERNEL_FN SorView sor_view_of(const WorldView w, const WorldParams p, f32* record) {
    SorView v = over_bucket<SorView>(w, p);
    v.change = w.change;
    v.record = record;
    v.limits = w.joint_limits;
    v.rows = w.block + p.block;
    v.pool = nullptr;
    v.piece_a = v.piece_b = nullptr;
    v.asked = p.sor.tolerance > 0.0f ? w.asked + p.first : nullptr;
    v.apart = p.sor.apart;
    return v;
}

WORLD_BODY(world_sor_begin, sor_body_begin(i, body_view_of(w, p)))
WORLD_BODY(world_sor_finish, sor_body_finish(i, body_view_of(w, p)))

#define WORLD_SOR(name, points, call)                                                                        \
    KERNEL_FN void name##points(u32 i, const WorldView w, const WorldParams p) {                             \
        const SorView v = sor_view_of(w, p, w.contact);                                                      \
        call;                                                                                                \
    }
#define WORLD_SORS(points)                                                                                   \
    WORLD_SOR(world_sor_assemble_, points, sor_contact_assemble(i, points, v, p.sor))                        \
    WORLD_SOR(world_sor_init_, points, sor_init(i, points, v, p.sor))                                        \
    WORLD_SOR(world_sor_sweep_, points, sor_sweep(i, points, v))                                             \
    WORLD_SOR(world_sor_store_, points, sor_contact_store(i, points, v))
WORLD_SORS(1)
WORLD_SORS(2)
WORLD_SORS(4)

#define WORLD_SOR_JOINT(name, call)                                                                          \
    KERNEL_FN void name(u32 i, const WorldView w, const WorldParams p) {                                     \
        const SorView v = sor_view_of(w, p, w.joint);                                                        \
        call;                                                                                                \
    }
WORLD_SOR_JOINT(world_sor_joint_assemble, sor_joint_assemble(i, v, p.sor))
WORLD_SOR_JOINT(world_sor_joint_init, sor_joint_init(i, v, p.sor))
WORLD_SOR_JOINT(world_sor_joint_sweep, sor_joint_sweep(i, v))
WORLD_SOR_JOINT(world_sor_joint_store, sor_joint_store(i, v))

struct GroupWorld_t {
    const WorldView* w;
    const WorldParams* p;
};
typedef struct GroupWorld_t GroupWorld;

/// the items of a kind as their groups see them
KERNEL_FN SorView group_view(const GroupWorld& world, u32 kind) {
    const WorldView& w = *world.w;
    const u32 *of = bucket(w, 4 * COLOUR_OVERFLOW + kind), *joints = bucket(w, 4 * COLOUR_OVERFLOW);
    WorldParams p = *world.p;
    p.overflow = 1;
    p.first = of[BUCKET_FIRST];
    p.block = of[BUCKET_BLOCK];
    p.push_first = p.first - joints[BUCKET_FIRST];
    SorView v = sor_view_of(w, p, kind ? w.contact : w.joint);
    const u32 items = w.counts[COUNT_ITEMS] - joints[BUCKET_FIRST];
    v.pool = w.push;
    v.piece_a = w.pieces + p.push_first;
    v.piece_b = w.pieces + items + p.push_first;
    return v;
}

/// `which`: the iteration
KERNEL_FN void world_sor_groups(u32 i, const WorldView w, const WorldParams p) {
    const SorGroups s = groups_of(w, p);
    if (i >= s.groups) return;
    GroupWorld world;
    world.w = &w;
    world.p = &p;
    group_sweep(i, p.which, &s, world);
}

/// The largest change of an iteration; its bits are in the order of the numbers, as it is not negative.
KERNEL_FN void world_sor_asked(u32 i, const WorldView w, const WorldParams p) {
    u32 most = 0;
    for (u32 k = i; k < w.counts[COUNT_ITEMS]; k += p.items) {
        const u32 bits = w.slots[k] == NOTHING ? 0u : static_cast<u32>(as_whole(w.asked[k]));
        most = most < bits ? bits : most;
    }
    if (most) atomic_greatest(w.counts + COUNT_ASKED, most);
}
KERNEL_FN void world_sor_check(u32, const WorldView w, const WorldParams p) {
    if (sor_converged(w.counts[COUNT_ASKED], p.sor.tolerance)) w.counts[COUNT_CONVERGED] = 1;
    w.counts[COUNT_ASKED] = 0;
    ++w.counts[COUNT_ITERATIONS];
}
