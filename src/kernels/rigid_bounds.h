// SPDX-License-Identifier: MIT
// rigid_bounds.h — bounds of a shape for a step: its pose at the start, plus its possible motion.   compiles as: host, cuda

#define UNBOUNDED 1e18f                // far beyond everything, and its square still finite in double
#define ROUNDING 2.384185791015625e-7f // 2^-22, of a sum of four parts

// the broad phase's bounds are this much wider than needed, so that a body at rest or slow never troubles it
#define FAT_SHARE 0.1f
#define FAT_MOST 0.05f
// times a number that differs from shape to shape, so that bodies which fall together leave them one after the other
#define FAT_LEAST 0.7f
#define FAT_SPREAD 0.6f
// and reach this many steps ahead
#define FAT_STEPS 3.0f
#define FAT_LOOSE 1.1f // extents together, over those they would be made with

/// constants of a shape
struct ShapeFacts_t {
    u32 type; // CONVEX_…
    real3 size;
    real radius;
    real thickness; // at its thinnest, roughly: what moves less in a step cannot pass through another
    real3 offset;   // from the body's centre of mass
    quat turn;      // in the body's frame
    GLOBAL const u32* hull;
};
typedef struct ShapeFacts_t ShapeFacts;

struct ShapePlace_t {
    real3 arm; // from the body's centre of mass
    quat turn;
    real3 low, high; // with the margin
    real margin;
    real ahead; // of turning, beside what the body moves in a step; below 0: the margin covers both
};
typedef struct ShapePlace_t ShapePlace;

struct BodyPose_t {
    real3 at;
    quat turn;
    real3 v, w;
    real radius;
};
typedef struct BodyPose_t BodyPose;

/// from the shape's origin along one of the world's axes, whose row of the rotation is given
KERNEL_FN real2 shape_reach(const ShapeFacts f, real3 row) {
    real2 out;
    if (f.type == CONVEX_HULL) {
        out.x = 3.402823466e38f;
        out.y = -3.402823466e38f;
        u32 i = 0;
#if defined(KERNEL_QUADS)
        quad_real low = quad_real{} + out.x, high = quad_real{} + out.y;
        for (; i + 4 <= f.hull[0]; i += 4) {
            const quad_columns v = quads_at(f.hull + 4 + 4 * i);
            const quad_real at = (row.x * v.x + row.y * v.y) + row.z * v.z;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        for (u32 l = 0; l < 4; ++l) {
            out.x = least(low[l], out.x);
            out.y = greatest(high[l], out.y);
        }
#endif
        for (; i < f.hull[0]; ++i) {
            real at = dot3(row, hull_vertex(f.hull, i));
            out.x = least(at, out.x);
            out.y = greatest(at, out.y);
        }
        return out;
    }
    if (f.type == CONVEX_MESH) {
        GLOBAL const u32* h = f.hull;
        real3 middle = make_real3(as_real((i32)h[4]), as_real((i32)h[5]), as_real((i32)h[6]));
        real3 half = make_real3(as_real((i32)h[8]), as_real((i32)h[9]), as_real((i32)h[10]));
        real at =
            (row.x * (middle.x * f.size.x) + row.y * (middle.y * f.size.y)) + row.z * (middle.z * f.size.z);
        real beside = (magnitude(row.x) * (half.x * f.size.x) + magnitude(row.y) * (half.y * f.size.y)) +
                      magnitude(row.z) * (half.z * f.size.z);
        out.x = at - beside;
        out.y = at + beside;
        return out;
    }
    real reach = UNBOUNDED;
    if (f.type == CONVEX_SPHERE) reach = f.radius;
    else if (f.type == CONVEX_CAPSULE) reach = magnitude(row.y) * f.size.y + f.radius;
    else if (f.type == CONVEX_BOX)
        reach = (magnitude(row.x) * f.size.x + magnitude(row.y) * f.size.y) + magnitude(row.z) * f.size.z;
    else if (f.type != CONVEX_PLANE)
        reach = magnitude(row.y) * f.size.y + f.radius * root(greatest(1.0f - row.y * row.y, 0.0f));
    out.x = -reach;
    out.y = reach;
    // a level plane is open downwards only
    if (f.type == CONVEX_PLANE && magnitude(row.y) > 0.999999f) {
        if (row.y > 0.0f) out.y = 0.0f;
        else out.x = 0.0f;
    }
    return out;
}

/// How far beyond its shift a step's turn may carry a shape, or -1 for one that is slow: its margin covers its motion.
KERNEL_FN real turn_ahead(const ShapeFacts f, BodyPose body, real motion, real turning, f32 dt) {
    if (!(motion + turning > 0.5f * f.thickness)) return -1.0f;
    if (f.type == CONVEX_SPHERE) turning = length3(body.w) * length3(f.offset) * dt;
    return least(turning, body.radius);
}

/// `distance`: of speculative contacts
KERNEL_FN ShapePlace shape_place(const ShapeFacts f, BodyPose body, f32 distance, f32 dt) {
    ShapePlace p;
    p.turn = quat_product(body.turn, f.turn);
    p.arm = mat3_times(quat_matrix(body.turn), f.offset);
    // half the speculative distance, and what the body moves in a step if it keeps its velocity
    real motion = length3(body.v) * dt;
    real turning = length3(body.w) * body.radius * dt;
    p.margin = 0.5f * distance + least(motion + turning, 0.5f * f.thickness);
    p.ahead = turn_ahead(f, body, motion, turning, dt);
    mat3 r = quat_matrix(p.turn);
    real2 x = shape_reach(f, r.x), y = shape_reach(f, r.y), z = shape_reach(f, r.z);
    // far out the sums round by much, and positions are known better than floats have them (exact.h)
    real3 at = body.at + p.arm;
    real3 loss = make_real3(magnitude(at.x), magnitude(at.y), magnitude(at.z)) * ROUNDING;
    p.low = make_real3(at.x + x.x - p.margin - loss.x, at.y + y.x - p.margin - loss.y,
                       at.z + z.x - p.margin - loss.z);
    p.high = make_real3(at.x + x.y + p.margin + loss.x, at.y + y.y + p.margin + loss.y,
                        at.z + z.y + p.margin + loss.z);
    return p;
}

/// two quads each: pose with the radius, bounds with the margin
KERNEL_FN void shape_place_store(const ShapeFacts f, ShapePlace p, f32* pose, f32* bounds) {
    store4(pose, 0, make_real4(p.arm.x, p.arm.y, p.arm.z, f.radius));
    store4(pose, 1, make_real4(p.turn.x, p.turn.y, p.turn.z, p.turn.s));
    store4(bounds, 0, make_real4(p.low.x, p.low.y, p.low.z, p.margin));
    store4(bounds, 1, make_real4(p.high.x, p.high.y, p.high.z, UNBOUNDED)); // not below any margin
}

/// whether the bounds (two quads: low, high) lie within the other ones
KERNEL_FN bool bounds_within(const f32* inner, const f32* outer) {
    return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] <= inner[2] && outer[4] >= inner[4] &&
           outer[5] >= inner[5] && outer[6] >= inner[6];
}

/// Whether a shape needs new fat bounds. They contain its bounds and, where it is fast, all that it can reach in the step: so
/// its pairs are all that a sweep may meet (rigid_sweep.h).
KERNEL_FN bool bounds_left(const f32* bounds, const f32* fat, real ahead, real3 v, f32 dt) {
    if (!bounds_within(bounds, fat)) return true;
    if (ahead < 0.0f) return false;
    const real along[3] = {v.x * dt, v.y * dt, v.z * dt};
    bool within = true;
    for (u32 k = 0; k < 3; ++k)
        within = within && fat[k] <= bounds[k] - ahead + least(along[k], 0.0f) &&
                 fat[4 + k] >= bounds[4 + k] + ahead + greatest(along[k], 0.0f);
    return !within;
}

KERNEL_FN bool bounds_overlap(const f32* a, const f32* b) {
#if defined(__CUDACC__)
    // all at once: a thread that asked for one number after the other would wait for each
    real4 low_a = load4(a, 0), high_a = load4(a, 1), low_b = load4(b, 0), high_b = load4(b, 1);
    return (low_a.x <= high_b.x) & (low_b.x <= high_a.x) & (low_a.y <= high_b.y) & (low_b.y <= high_a.y) &
           (low_a.z <= high_b.z) & (low_b.z <= high_a.z);
#else
    return a[0] <= b[4] && b[0] <= a[4] && a[1] <= b[5] && b[1] <= a[5] && a[2] <= b[6] && b[2] <= a[6];
#endif
}

/// from 0 to 1, evenly spread over shapes that follow each other
KERNEL_FN real fat_phase(u32 shape) {
    return static_cast<f32>((shape * 0x9e3779b9u) >> 8) * 5.9604644775390625e-8f;
}

/// fat bounds for the broad phase; `v` is zero and `moves` false for fixed bodies; `ahead_by_turning`: ShapePlace::ahead
KERNEL_FN void bounds_fatten(u32 shape, const f32* bounds, f32* fat, bool moves, real3 v, f32 dt,
                             real ahead_by_turning) {
    const real along[3] = {v.x, v.y, v.z};
    const real width = FAT_LEAST + FAT_SPREAD * fat_phase(shape);
    for (u32 k = 0; k < 3; ++k) {
        real fatness = moves ? least(FAT_SHARE * (bounds[4 + k] - bounds[k]), FAT_MOST) * width +
                                   greatest(ahead_by_turning, 0.0f)
                             : 0.0f;
        real ahead = moves ? along[k] * dt * FAT_STEPS : 0.0f;
        fat[k] = bounds[k] - fatness + least(ahead, 0.0f);
        fat[4 + k] = bounds[4 + k] + fatness + greatest(ahead, 0.0f);
    }
    fat[3] = 0.0f;
    fat[7] = 0.0f;
}

/// Shrinks the fat bounds of a moving shape inside them if new ones would be much smaller; returns whether it did. Otherwise a
/// slowed body keeps the pairs of its fast phase. Shrinking adds no overlap, so no query is needed.
KERNEL_FN bool bounds_tighten(u32 shape, const f32* bounds, f32* fat, real3 v, f32 dt,
                              real ahead_by_turning) {
    f32 fresh[8];
    bounds_fatten(shape, bounds, fresh, true, v, dt, ahead_by_turning);
    real now = 0.0f, then = 0.0f;
    for (u32 k = 0; k < 3; ++k) {
        fresh[k] = greatest(fresh[k], fat[k]);
        fresh[4 + k] = least(fresh[4 + k], fat[4 + k]);
        now += fresh[4 + k] - fresh[k];
        then += fat[4 + k] - fat[k];
    }
    if (!(then > FAT_LOOSE * now)) return false;
    for (u32 k = 0; k < 8; ++k) fat[k] = fresh[k];
    return true;
}
