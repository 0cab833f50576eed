// SPDX-License-Identifier: MIT
// probe.h — every function of the dialect behind one kernel, so that one test compares all compilers.   compiles as: host, lanes, cuda, opencl
//
// Two attributes of four words give one. Which function: PROBE_… in params.

#define PROBE_BUFFERS(F, U) F(first) F(second) F(result)

struct ProbeParams_t {
    u32 function;
};
typedef struct ProbeParams_t ProbeParams;
struct ProbeView_t {
    PROBE_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct ProbeView_t ProbeView;

// clang-format off
#define PROBE_FUNCTIONS(F)                                                                                  \
    F(add) F(subtract) F(multiply) F(divide) F(square_root) F(least) F(greatest) F(clamped) F(magnitude)    \
    F(is_finite) F(round_down) F(to_whole) F(dot) F(cross) F(length) F(unit) F(sine) F(cosine)              \
    F(arctangent) F(exponential) F(hash) F(quat_product) F(quat_kept_unit) F(quat_turned) F(quat_matrix)    \
    F(rotated_diagonal) F(wrapped) F(cell_coordinate) F(kicked) F(particle) F(normal) F(unlocked_normal)    \
    F(linear_force) F(split_force) F(history_force) F(hertz_force) F(reference_planes) F(slip)              \
    F(surface_box) F(surface_sphere) F(surface_plane)
// clang-format on

#if !defined(SCREE_GLSL) // which has no enumerations: the device writes these as constants
#define PROBE_ENUM(name) PROBE_##name,
enum Probe_t { PROBE_FUNCTIONS(PROBE_ENUM) PROBE_COUNT };
#undef PROBE_ENUM
#endif

KERNEL_FN GranularParams probe_params(u32 model) {
    GranularParams p;
    p.model = model;
    p.reference = 0u;
    p.ground = 1u;
    p.walls = 1u;
    p.stiffness = 100.0f;
    p.damping = 0.5f;
    p.tangent_damping = 0.3f;
    p.tangent_stiffness = 66.0f;
    p.friction = 0.5f;
    p.time_step = 0.01f;
    p.contact_epsilon = 1e-6f;
    p.hertz_scale = 5.0f;
    p.world_size = 15.0f;
    p.terminal_velocity = 20.0f;
    return p;
}

KERNEL_FN GranularObstacle probe_obstacle(u32 kind) {
    GranularObstacle o;
    o.kind = kind;
    o.px = 0.1f;
    o.py = 0.2f;
    o.pz = -0.3f;
    o.qs = 0.5f;
    o.qx = 0.5f;
    o.qy = -0.5f;
    o.qz = 0.5f;
    o.sx = 1.0f;
    o.sy = 2.0f;
    o.sz = 0.5f;
    o.vx = 1.0f;
    o.vy = 0.0f;
    o.vz = 0.25f;
    o.wx = 0.0f;
    o.wy = 3.0f;
    o.wz = 1.0f;
    o.inverse_mass = 0.0f;
    o.ix = 1.0f;
    o.iy = 1.0f;
    o.iz = 1.0f;
    return o;
}

KERNEL_FN real4 probe_surface(u32 kind, real3 x, real r) {
    GranularSurface s = granular_surface(probe_obstacle(kind), x, r);
    return make_real4(s.normal.x + s.velocity.x, s.normal.y + s.velocity.y, s.normal.z + s.velocity.z,
                      s.overlap);
}

KERNEL_FN real4 probe_split(u32 model, real4 a, real4 b) {
    real3 up = make_real3(to_real(0.0f), to_real(1.0f), to_real(0.0f));
    GranularTouch t =
        granular_split_force(unit3(make_real3(a.x, a.y, a.z), up), magnitude(a.w), make_real3(b.x, b.y, b.z),
                             to_real(0.2f), make_real3(b.w, a.x, a.y), probe_params(model));
    return make_real4(t.force.x + t.torque.x, t.force.y + t.torque.y, t.force.z + t.torque.z,
                      (t.spring.x + t.spring.y) + t.spring.z);
}

KERNEL_FN real4 probe_from3(real3 a) { return make_real4(a.x, a.y, a.z, to_real(0.0f)); }
KERNEL_FN real4 probe_from1(real a) { return make_real4(a, to_real(0.0f), to_real(0.0f), to_real(0.0f)); }
KERNEL_FN real4 probe_from_quat(quat q) { return make_real4(q.s, q.x, q.y, q.z); }

/// the hash of each lane's bits, in two halves that a float holds exactly
KERNEL_FN real4 probe_hash(real a) {
    whole bits = as_whole(a);
#if SCREE_LANES > 1
    whole low = bits, high = bits;
    for (u32 l = 0; l < SCREE_LANES; ++l) {
        u32 h = hash_word((u32)bits[l]);
        low[l] = (i32)(h & 0xffffu);
        high[l] = (i32)(h >> 16);
    }
#else
    u32 h = hash_word(word_of(bits));
    whole low = whole_from(h & 0xffffu), high = whole_from(h >> 16);
#endif
    return make_real4(to_real(low), to_real(high), to_real(0.0f), to_real(0.0f));
}

KERNEL_FN real4 probe_value(u32 function, real4 a, real4 b) {
    real3 u = make_real3(a.x, a.y, a.z);
    real3 v = make_real3(b.x, b.y, b.z);
    real3 up = make_real3(to_real(0.0f), to_real(1.0f), to_real(0.0f));
    quat qa = make_quat(a.x, a.y, a.z, a.w);
    quat qb = make_quat(b.x, b.y, b.z, b.w);
    switch (function) {
    case PROBE_add:
        return probe_from1(a.x + b.x);
    case PROBE_subtract:
        return probe_from1(a.x - b.x);
    case PROBE_multiply:
        return probe_from1(a.x * b.x);
    case PROBE_divide:
        return probe_from1(a.x / b.x);
    case PROBE_square_root:
        return probe_from1(root(a.x));
    case PROBE_least:
        return probe_from1(least(a.x, b.x));
    case PROBE_greatest:
        return probe_from1(greatest(a.x, b.x));
    case PROBE_clamped:
        return probe_from1(clamped(a.x, b.x, b.y));
    case PROBE_magnitude:
        return probe_from1(magnitude(a.x));
    case PROBE_is_finite:
        return probe_from1(pick(is_finite(a.x), to_real(1.0f), to_real(0.0f)));
    case PROBE_round_down:
        return probe_from1(round_down(clamped(a.x, to_real(-1e9f), to_real(1e9f))));
    case PROBE_to_whole:
        return probe_from1(to_real(to_whole(clamped(a.x, to_real(-1e9f), to_real(1e9f)))));
    case PROBE_dot:
        return probe_from1(dot3(u, v));
    case PROBE_cross:
        return probe_from3(cross3(u, v));
    case PROBE_length:
        return probe_from1(length3(u));
    case PROBE_unit:
        return probe_from3(unit3(u, up));
    case PROBE_sine:
        return probe_from1(sine(a.x));
    case PROBE_cosine:
        return probe_from1(cosine(a.x));
    case PROBE_arctangent:
        return probe_from1(arctangent2(a.x, b.x));
    case PROBE_exponential:
        return probe_from1(exponential(a.x));
    case PROBE_hash:
        return probe_hash(a.x);
    case PROBE_quat_product:
        return probe_from_quat(quat_product(qa, qb));
    case PROBE_quat_kept_unit:
        return probe_from_quat(quat_kept_unit(qa, 1e-5f));
    case PROBE_quat_turned:
        return probe_from_quat(quat_turned(qa, v, 0.01f));
    case PROBE_quat_matrix: {
        mat3 m = quat_matrix(qa);
        return make_real4(m.x.x + m.y.y, m.x.y + m.z.x, m.y.z + m.z.y, (m.x.z + m.y.x) + m.z.z);
    }
    case PROBE_rotated_diagonal:
        return probe_from3(rotated_diagonal_times(quat_matrix(qa), make_real3(b.w, b.x, b.y), v));
    case PROBE_wrapped:
        return probe_from1(granular_wrapped(round_down(clamped(a.x, to_real(-8e6f), to_real(8e6f))), 37.0f));
    case PROBE_cell_coordinate:
        return probe_from1(granular_cell_coordinate(a.x, 2.5f));
    case PROBE_kicked: {
        GranularMotion m = granular_kicked(u, v, v, u, to_real(1.0f), probe_params(0u));
        return make_real4(m.momentum.x, m.momentum.y, m.momentum.z, (m.spin.x + m.spin.y) + m.spin.z);
    }
    case PROBE_particle: {
        GranularParticle at = granular_particle(u, qb, v, u, v);
        return make_real4(at.position.x + at.velocity.x, at.position.y + at.velocity.y,
                          at.position.z + at.velocity.z, to_real(0.0f));
    }
    case PROBE_normal:
        return probe_from3(granular_normal(u, length3(u), to_real(1.0f)));
    case PROBE_unlocked_normal:
        return probe_from3(
            granular_unlocked_normal(unit3(u, up), magnitude(a.w), to_real(0.4f), unit3(v, up), up));
    case PROBE_linear_force:
        return probe_from3(granular_linear_force(unit3(u, up), a.w, v, u, probe_params(0u)));
    case PROBE_split_force:
        return probe_split(GRANULAR_SPLIT, a, b);
    case PROBE_history_force:
        return probe_split(GRANULAR_HISTORY, a, b);
    case PROBE_hertz_force:
        return probe_split(GRANULAR_HERTZ, a, b);
    case PROBE_reference_planes:
        return probe_from3(granular_reference_planes(u, v, to_real(0.2f), probe_params(0u)));
    case PROBE_slip:
        return probe_from3(granular_slip(unit3(u, up), u, v, a.w, v, u, b.w));
    case PROBE_surface_box:
        return probe_surface(GRANULAR_BOX, u, b.w);
    case PROBE_surface_sphere:
        return probe_surface(GRANULAR_SPHERE, u, b.w);
    case PROBE_surface_plane:
        return probe_surface(GRANULAR_PLANE, u, b.w);
    default:
        return a;
    }
}

KERNEL_FN void probe_run(u32 i, ProbeView w, ProbeParams p) {
    store4(w.result, i, probe_value(p.function, load4(w.first, i), load4(w.second, i)));
}
