// SPDX-License-Identifier: MIT
// impact_params.h — shared by the kernels of impacts in stages: constants, arrays, points of the plane.   compiles as: host, cuda, opencl, glsl
//
// After "GPUs: Rigid Body Simulation", Á. del Monte Freitas, Universidad Complutense de Madrid, 2007. A step has length 1: velocities
// are in units a step. n bodies; arrays over pairs are n x n, item = row * n + column, and only column > row is computed.
//
//              circles                          polygons
//   place      n   x, y, 0, radius              n   x, y, vx, vy
//   motion     n   vx, vy, 0, mass              n   angle, angular velocity, largest distance of a vertex, 0
//   index      –                                n   first item of `vertex`, vertices, mass, moment of inertia
//   vertex     –                                two vertices of the body's frame an item: x0, y0, x1, y1; counter-clockwise
//   box        –                                n   xmin, ymin, xmax, ymax at the end of the step
//   candidate  –                                n x n, one word: 1 where the boxes overlap
//   pair       n x n   normal, 0, time          n x n   end and begin of the interval, finished, time
//   impulse    n x n   impulse on the column, change of angular velocity of the column, of the row
//   change     n   change of velocity, of angular velocity, and the number of pairs that meet now
//   level      a level of the reduction to the least time
//
// A mass or moment of inertia of 0 stands for infinity: shaders need not know infinities. The time of a pair that does not meet is 2.

// clang-format off
#define IMPACT_BUFFERS(F, U)                                                                                  \
    F(place) F(motion) F(index) F(vertex) F(box) F(candidate) F(pair) F(impulse) F(change) F(level)           \
    F(place_out) F(motion_out) F(pair_out) F(impulse_out) F(error_out) F(level_out)
#define IMPACT_PARAMS(I, F)                                                                                   \
    I(bodies) I(level_width) I(level_height) I(level_words)                                                   \
    I(normal_at_start) I(centre_walls) I(one_way) I(by_vertices) I(plain_contacts)       \
    I(summed) I(first) I(halvings) F(tolerance) F(restitution) F(limit) F(time)
// clang-format on

#define IMPACT_NEVER 2.0f
#define IMPACT_CONTACTS 8
#define IMPACT_SWEEPS 200
#define IMPACT_I32(name) i32 name;
#define IMPACT_F32(name) f32 name;

struct ImpactParams_t {
    IMPACT_PARAMS(IMPACT_I32, IMPACT_F32)
};
typedef struct ImpactParams_t ImpactParams;

struct ImpactView_t {
    IMPACT_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct ImpactView_t ImpactView;

// arrays of one word
#ifndef SCREE_GLSL
#define load1(a, i) ((a)[i])
#define store1(a, i, v) ((a)[i] = (v))
#endif

struct Flat_t {
    real x, y;
};
typedef struct Flat_t Flat;

KERNEL_FN Flat flat2(real x, real y) {
    Flat f;
    f.x = x;
    f.y = y;
    return f;
}
KERNEL_FN real flat_dot(Flat a, Flat b) { return a.x * b.x + a.y * b.y; }
KERNEL_FN real flat_cross(Flat a, Flat b) { return a.x * b.y - a.y * b.x; }
KERNEL_FN Flat flat_difference(Flat a, Flat b) { return flat2(a.x - b.x, a.y - b.y); }
/// of a point at r from a centre that moves with v and turns with omega
KERNEL_FN Flat flat_point_velocity(Flat v, real omega, Flat r) {
    return flat2(v.x - omega * r.y, v.y + omega * r.x);
}

KERNEL_FN real impact_inverse(real mass) {
    return pick(mass > 0.0f, to_real(1.0f) / pick(mass > 0.0f, mass, to_real(1.0f)), to_real(0.0f));
}

KERNEL_FN real4 impact_nothing() {
    return make_real4(to_real(0.0f), to_real(0.0f), to_real(0.0f), to_real(0.0f));
}

/// The speed of parting that an impact leaves, and what an impulse must add for it; `inertia`: how much an impulse of 1 adds.
KERNEL_FN real impact_size(real before, real now, real inertia, f32 restitution) {
    return (-(before * restitution) - now) / inertia;
}

/// the item of the pair of two bodies: the larger number is the column
KERNEL_FN u32 impact_pair_item(i32 a, i32 b, i32 bodies) {
    i32 column = pick_whole(a > b, a, b);
    i32 row = pick_whole(a > b, b, a);
    return word_of(row * bodies + column);
}

/// where body i stands with the impulses so far: the change of its velocities, and the number of pairs that meet now
KERNEL_FN real4 impact_change(i32 i, real inverse_mass, ImpactView w, ImpactParams p) {
    real vx = to_real(0.0f), vy = to_real(0.0f), turn = to_real(0.0f), meetings = to_real(0.0f);
    for (i32 other = 0; other < p.bodies; ++other) {
        if (other == i) continue;
        u32 item = impact_pair_item(i, other, p.bodies);
        if (load4(w.pair, item).w != p.time) continue;
        real4 j = impact_nothing();
        if (p.first == 0) j = load4(w.impulse, item);
        real sign = pick(i > other, to_real(1.0f), to_real(-1.0f));
        vx = vx + sign * (j.x * inverse_mass);
        vy = vy + sign * (j.y * inverse_mass);
        turn = turn + pick(i > other, j.z, j.w);
        // what does not move does not pass on an impulse
        meetings = meetings + pick(inverse_mass > 0.0f, to_real(1.0f), to_real(0.0f));
    }
    return make_real4(vx, vy, turn, meetings);
}

/// Pairs that share a body each answer the impulses of the others; every one moves a share of its way, so that the sum does not overshoot.
KERNEL_FN real impact_share(real4 change_a, real4 change_b) {
    return to_real(1.0f) / greatest(greatest(change_a.w, change_b.w), to_real(1.0f));
}

/// the least of 2 x 2 items; beyond the border the last item counts again
KERNEL_FN void impact_least(u32 item, ImpactView w, ImpactParams p) {
    i32 width = (p.level_width + 1) / 2;
    i32 column = 2 * ((i32)item % width);
    i32 row = 2 * ((i32)item / width);
    real found = to_real(0.0f);
    for (i32 k = 0; k < 4; ++k) {
        i32 x = column + k % 2;
        i32 y = row + k / 2;
        if (x >= p.level_width) x = p.level_width - 1;
        if (y >= p.level_height) y = p.level_height - 1;
        u32 from = word_of(y * p.level_width + x);
        real value = to_real(0.0f);
        if (p.level_words == 4) value = load4(w.level, from).w;
        else value = load1(w.level, from);
        found = pick(k == 0, value, least(value, found));
    }
    store1(w.level_out, item, found);
}
