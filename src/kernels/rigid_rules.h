// SPDX-License-Identifier: MIT
// rigid_rules.h — rules shared by the CPU and devices: filters, mixing of materials, choice of colours, sums of split bodies,
// islands and rest.   compiles as: host, cuda
//
// The CPU and a device store pairs, lists and joints in different structures; these functions make them compute the same.

// pairs ----------------------------------------------------------------------------------------------------------------

// A pair with a mesh has a contact in each of several slots. Shapes take 29 bits: the slot goes above those of b, and slot 0 is
// the pair without one.
#define PAIR_SLOT 29

/// a < b are shapes
KERNEL_FN u64 pair_key(u32 a, u32 b, u32 slot) { return static_cast<u64>(b | slot << PAIR_SLOT) << 32 | a; }
KERNEL_FN u64 pair_hash(u64 key) { return (key ^ (key >> 32)) * 0x9e3779b97f4a7c15ull; }
/// where the search for a key begins in a table of last + 1 places
KERNEL_FN u32 pair_home(u64 key, u32 last) { return static_cast<u32>(pair_hash(key) >> 24) & last; }

KERNEL_FN u32 pair_kind(u32 type_a, u32 type_b) {
    const bool round_a = type_a == CONVEX_SPHERE || type_a == CONVEX_CAPSULE;
    const bool round_b = type_b == CONVEX_SPHERE || type_b == CONVEX_CAPSULE;
    if (type_a == CONVEX_MESH || type_b == CONVEX_MESH) return KIND_MESH;
    if (type_a == CONVEX_BOX && type_b == CONVEX_BOX) return KIND_BOXES;
    if (round_a && round_b) return KIND_ROUNDS;
    if (type_a == CONVEX_SPHERE && type_b == CONVEX_BOX) return KIND_BALL_BOX;
    if (type_a == CONVEX_BOX && type_b == CONVEX_SPHERE) return KIND_BOX_BALL;
    return KIND_CONVEX;
}
/// `traits`: SHAPE_RULES of the shapes
KERNEL_FN u32 touch_kind(u32 type_a, u32 traits_a, u32 type_b, u32 traits_b) {
    if (traits_a & SHAPE_SENSOR) return KIND_SENSOR;
    if (traits_b & SHAPE_SENSOR) return KIND_SENSED;
    return pair_kind(type_a, type_b);
}
KERNEL_FN bool is_sensing(u32 kind) { return kind >= KIND_SENSOR; }
/// in which list of work a contact is
KERNEL_FN u32 work_of_kind(u32 kind) {
    if (is_sensing(kind)) return WORK_SENSORS;
    return kind < KIND_MESH ? kind : KIND_MESH;
}
/// contacts of a pair
KERNEL_FN u32 kind_slots(u32 kind) { return kind == KIND_MESH ? MESH_SLOTS : 1u; }
/// the slot of a contact, by its kind
KERNEL_FN u32 slot_of_kind(u32 kind) { return kind > KIND_MESH && !is_sensing(kind) ? kind - KIND_MESH : 0u; }

struct PairSide_t {
    u32 body, category, mask, group;
    bool pushed; // contacts push the body: it is dynamic and not frozen
    bool sensor; // the shape is one
    bool moves;  // the body is not fixed
};
typedef struct PairSide_t PairSide;

/// Whether two shapes may touch, joints aside: one of their bodies is pushed, and their filters agree. A sensor sees shapes
/// that are none where one of the bodies moves.
KERNEL_FN bool pair_allowed(PairSide a, PairSide b) {
    if (a.body == b.body) return false;
    if (a.sensor || b.sensor) {
        if ((a.sensor && b.sensor) || (!a.moves && !b.moves)) return false;
    } else if (!a.pushed && !b.pushed) {
        return false;
    }
    return filters_agree(a.category, a.mask, a.group, b.category, b.mask, b.group);
}
/// whether a joint of a body forbids contacts with `other`
KERNEL_FN bool joint_parts(u32 collides, u32 first, u32 second, u32 other) {
    return !collides && (first == other || second == other);
}

// materials ------------------------------------------------------------------------------------------------------------

// in the order of Combine (scree/shape.h): of two rules the later one counts
#define RULE_GEOMETRIC_MEAN 0u
#define RULE_AVERAGE 1u
#define RULE_LEAST 2u
#define RULE_PRODUCT 3u
#define RULE_GREATEST 4u

struct Surface_t {
    real friction, restitution, rolling;
    u32 friction_rule, restitution_rule;
    real3 velocity; // of a belt, in the shape's frame: a turning one carries its direction along
    quat turn;      // of the shape
};
typedef struct Surface_t Surface;

struct SurfacePair_t {
    real friction, restitution, rolling;
    real3 velocity; // of b's surface against a's, in the world's axes
};
typedef struct SurfacePair_t SurfacePair;

KERNEL_FN real combined(u32 rule_a, u32 rule_b, real a, real b) {
    const u32 rule = rule_a > rule_b ? rule_a : rule_b;
    if (rule == RULE_GEOMETRIC_MEAN) return root(a * b);
    if (rule == RULE_AVERAGE) return 0.5f * (a + b);
    if (rule == RULE_LEAST) return least(a, b);
    if (rule == RULE_PRODUCT) return a * b;
    return greatest(a, b);
}
KERNEL_FN SurfacePair surfaces_mixed(Surface a, Surface b) {
    SurfacePair m;
    m.friction = combined(a.friction_rule, b.friction_rule, a.friction, b.friction);
    m.restitution = combined(a.restitution_rule, b.restitution_rule, a.restitution, b.restitution);
    m.rolling = greatest(a.rolling, b.rolling);
    m.velocity = mat3_times(quat_matrix(b.turn), b.velocity) - mat3_times(quat_matrix(a.turn), a.velocity);
    return m;
}
/// whether the contact bounces, resists rolling or carries along
KERNEL_FN bool surfaces_have_extras(real restitution, real rolling, real3 v) {
    return restitution > 0.0f || rolling > 0.0f || v.x != 0.0f || v.y != 0.0f || v.z != 0.0f;
}

// colours --------------------------------------------------------------------------------------------------------------

/// The order in which constraints take their colours. Different pairs have different ones: both hashes are one to one.
KERNEL_FN u64 pair_priority(u32 a, u32 b, u32 slot) {
    b |= slot << PAIR_SLOT;
    return static_cast<u64>(hash_word(a * 0x9e3779b9u ^ hash_word(b))) << 32 | hash_word(b);
}
KERNEL_FN u64 joint_priority(u32 joint) { return static_cast<u64>(hash_word(joint)) << 32 | joint; }

KERNEL_FN i32 leading_zeros(u32 a) {
#if defined(__CUDACC__)
    return __clz(static_cast<i32>(a));
#else
    return a ? __builtin_clz(a) : 32;
#endif
}
KERNEL_FN u32 lowest_clear(u32 taken) {
#if defined(__CUDACC__)
    return static_cast<u32>(__ffs(static_cast<i32>(~taken)) - 1);
#else
    return static_cast<u32>(__builtin_ctz(~taken));
#endif
}
/// The colour of a constraint whose bodies have the colours `taken`. Constraints with a fixed body take the highest:
/// solved last, it hands the support up in the next sweep.
KERNEL_FN u32 free_colour(u32 taken, bool both_move) {
    if (taken == NOTHING) return COLOUR_OVERFLOW;
    return both_move ? lowest_clear(taken) : 31u - static_cast<u32>(leading_zeros(~taken));
}

// constraints are solved in lists of a colour and a kind: joints are of kind 0, contacts with room for 1, 2 or 4 points of kind
// 1, 2 and 3

/// of a contact with so many
KERNEL_FN u32 room_for_points(u32 count) { return count > 2 ? 4u : count; }
KERNEL_FN u32 kind_of_points(u32 points) { return points - (points >> 2); }
KERNEL_FN u32 points_of_kind(u32 kind) { return kind == 3 ? 4u : kind; }
KERNEL_FN u32 rows_of_kind(u32 kind) { return kind ? 3 * points_of_kind(kind) : ROWS_OF_JOINT; }
/// words of an item in the blocks that a solver works on
KERNEL_FN u32 words_of_kind(u32 kind, bool sor) {
    if (sor) return SOR_FIELDS(rows_of_kind(kind), kind);
    return kind ? CONTACT_HEAD + points_of_kind(kind) * POINT_FIELDS : JOINT_FIELDS;
}

// the overflow ---------------------------------------------------------------------------------------------------------

KERNEL_FN real4 sum4(real4 a, real4 b) { return make_real4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
#if defined(__CUDACC__)
KERNEL_FN real4 from_lane_above(real4 a, u32 by) {
    return make_real4(__shfl_down_sync(NOTHING, a.x, by), __shfl_down_sync(NOTHING, a.y, by),
                      __shfl_down_sync(NOTHING, a.z, by), __shfl_down_sync(NOTHING, a.w, by));
}
#endif

/// The sum over the pieces of a split body, entries first … end-1 of `parts`: PIECE_LANES sums side by side in the order of
/// their constraints, then these in pairs. A body in thousands of pieces takes no longer than a few others. On a GPU each lane
/// of a warp has a sum; elsewhere lane 0 does everything. A part is twice its item in the overflow, and one for body b; a push
/// is two quads, as are velocity and spin in `motion`.
KERNEL_FN void pieces_add(u32 lane, const u32* parts, u32 first, u32 end, const f32* push, f32* motion) {
#if defined(__CUDACC__)
    real4 v = make_real4(0.0f, 0.0f, 0.0f, 0.0f), spin = v;
    for (u32 e = first + lane; e < end; e += PIECE_LANES) {
        v = sum4(v, load4(push, 2 * parts[e]));
        spin = sum4(spin, load4(push, 2 * parts[e] + 1));
    }
    for (u32 half = PIECE_LANES / 2; half; half /= 2) {
        v = sum4(v, from_lane_above(v, half));
        spin = sum4(spin, from_lane_above(spin, half));
    }
    if (lane) return;
    store4(motion, 0, sum4(load4(motion, 0), v));
    store4(motion, 1, sum4(load4(motion, 1), spin));
#else
    if (lane) return;
    real4 v[PIECE_LANES], spin[PIECE_LANES];
    for (u32 l = 0; l < PIECE_LANES; ++l) v[l] = spin[l] = make_real4(0.0f, 0.0f, 0.0f, 0.0f);
    for (u32 e = first; e < end; ++e) {
        const u32 l = (e - first) % PIECE_LANES;
        v[l] = sum4(v[l], load4(push, 2 * parts[e]));
        spin[l] = sum4(spin[l], load4(push, 2 * parts[e] + 1));
    }
    for (u32 half = PIECE_LANES / 2; half; half /= 2)
        for (u32 l = 0; l < half; ++l) {
            v[l] = sum4(v[l], v[l + half]);
            spin[l] = sum4(spin[l], spin[l + half]);
        }
    store4(motion, 0, sum4(load4(motion, 0), v[0]));
    store4(motion, 1, sum4(load4(motion, 1), spin[0]));
#endif
}

// islands and rest -----------------------------------------------------------------------------------------------------

/// the smallest body of an island is its root, whichever order its links are found in
KERNEL_FN u32 root_of(u32* parent, u32 body) {
    for (;;) {
        const u32 up = atomic_load(parent + body);
        if (up == body) return body;
        const u32 upper = atomic_load(parent + up);
        // path halving, by the first thread here
        if (upper != up) atomic_store(parent + body, upper);
        body = upper;
    }
}
KERNEL_FN void unite(u32* parent, u32 a, u32 b) {
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        const u32 high = a > b ? a : b, low = a > b ? b : a;
        if (atomic_replace(parent + high, high, low) == high) return;
        a = high;
        b = low;
    }
}

/// seconds at rest after a step; `speed`: the fastest of the body's points
KERNEL_FN real time_at_rest(real before, real speed, bool can_sleep, real sleep_speed, real dt) {
    return speed < sleep_speed && can_sleep ? before + dt : 0.0f;
}
