// SPDX-License-Identifier: MIT
// rigid_sweep.h — no tunnelling: fast bodies stop where they first touch.   compiles as: host, cuda
//
// After the solver a body that went farther than half its thickness is swept from its pose at the step's beginning to the one
// it has reached, on a straight line and along the shorter arc, against the shapes it has pairs with. Where it would enter
// one it is put back to the time of the first touch; its velocity stays, and the contact of the next step answers it. On a
// body that moves it rides along for the rest of the step. Bodies that joints hold to it are put back on their own ways, less and
// less from joint to joint: they would tear the joints.
//
// A shape may be entered by a little (SWEEP_DEPTH), so that what slides over a floor is not stopped by the edges in it. A shape
// that is deeper already is left to the solver, as long as a sphere within it does not enter.
//
// Fat bounds contain all that a fast shape can reach with the velocity it has at the step's beginning (rigid_bounds.h). An
// impulse within the step may send it elsewhere: then all shapes that are not pushed are looked at again. Dynamic ones, which
// only bullets stop at, are not: what is beyond depends on the history of the fat bounds, which is in no snapshot.

#define SWEEP_DEPTH 0.005f     // m
#define SWEEP_DEPTH_SHARE 0.1f // of the largest sphere inside, at most
#define SWEEP_CORE 0.5f        // of that sphere
#define SWEEP_TOLERANCE 0.05f  // of the depth: so far before the touch a body stops
#define SWEEP_NEVER 2.0f       // time
#define SWEEP_LOSS 1e-6f       // of lengths: what rounding may lose
#define SWEEP_BEND                                                                                           \
    0.18f // of spin^2 times a radius: so far is a point off the line between the ends of its way
#define SWEEP_LAG                                                                                            \
    0.8f // of what a stopped body misses of the step, so much do those miss that joints hold to it
#define SWEEP_LAG_LEAST 0.15f // of the step; less is none
#define SWEEP_LAG_DEPTH 10    // joints after which it is
#define STOP_NONE (~0ull)

/// arrays of bodies and shapes
struct SweepView {
    BodyView body;
    const f32* pose;
    const f32* bounds;
    f32 dt;
};

/// a shape of a pair
struct SweepSide_t {
    u32 body, shape;
    bool moves; // `free` holds its motion; otherwise it stands still
    ConvexShape geometry;
    real radius;   // no point of the shape is farther from its origin
    real3 one_way; // in the world; zero where it is not
};
typedef struct SweepSide_t SweepSide;

/// Whether a shape that is one-way along `way` lets pass what moves by `shift` against it.
KERNEL_FN bool one_way_lets(real3 way, real3 shift) {
    return dot3(way, way) > 0.0f && !(dot3(way, shift) < 0.0f);
}

/// a sphere inside the shape, and its farthest point from that sphere's centre
struct ShapeCore_t {
    real3 centre;
    real radius, reach;
};
typedef struct ShapeCore_t ShapeCore;

KERNEL_FN ShapeCore shape_core(ConvexShape s, real radius) {
    ShapeCore c;
    c.centre = make_real3(0.0f, 0.0f, 0.0f);
    c.radius = s.radius;
    c.reach = radius;
    if (s.type == CONVEX_BOX) c.radius = least(least(s.size.x, s.size.y), s.size.z);
    if (s.type == CONVEX_CYLINDER) c.radius = least(s.size.y, s.radius);
    if (s.type == CONVEX_CONE) {
        real height = 2.0f * s.size.y;
        c.radius = s.radius * height / (s.radius + root(height * height + s.radius * s.radius));
        c.centre.y = c.radius - s.size.y;
    }
    if (s.type == CONVEX_HULL) {
        const u32 count = s.hull[0];
        for (u32 i = 0; i < count; ++i) c.centre = c.centre + hull_vertex(s.hull, i);
        c.centre = c.centre * (to_real(1.0f) / to_real(static_cast<f32>(count)));
        c.radius = 3e38f;
        c.reach = 0.0f;
        for (u32 i = 0; i < s.hull[1]; ++i) {
            real4 plane = hull_plane(s.hull, i);
            c.radius = least(plane.w - dot3(xyz(plane), c.centre), c.radius);
        }
        c.radius = greatest(c.radius, 0.0f);
        for (u32 i = 0; i < count; ++i) {
            real3 off = hull_vertex(s.hull, i) - c.centre;
            c.reach = greatest(length3(off), c.reach);
        }
    }
    return c;
}

KERNEL_FN real4 sweep_shift(const SweepView w, u32 body) { return load4(w.body.free, 2 * body); }
KERNEL_FN quat sweep_turn(const SweepView w, u32 body) { return quat_of(load4(w.body.free, 2 * body + 1)); }

/// The shape on its way; its body's frame has the world's axes at time 0.
KERNEL_FN SweptShape side_swept(const SweepView w, SweepSide side) {
    SweptShape s;
    s.shape = side.geometry;
    s.shrink = 0.0f;
    s.from = make_real3(0.0f, 0.0f, 0.0f);
    s.shift = make_real3(0.0f, 0.0f, 0.0f);
    s.turn = make_quat(1.0f, 0.0f, 0.0f, 0.0f);
    s.turned = s.turn;
    s.arm = xyz(load4(w.pose, 2 * side.shape));
    s.own = quat_of(load4(w.pose, 2 * side.shape + 1));
    s.spin = 0.0f;
    s.reach = 0.0f;
    if (!side.moves) return s;
    s.shift = xyz(sweep_shift(w, side.body));
    s.turned = sweep_turn(w, side.body);
    s.spin = sweep_spin(s.turn, s.turned);
    return s;
}

/// How far turning moves points, for each radian: what is round about an axis changes only as the axis turns.
KERNEL_FN real turning_reach(PRIVATE const SweptShape* s, real radius) {
    real3 axis = unit3(make_real3(s->turned.x, s->turned.y, s->turned.z), make_real3(0.0f, 0.0f, 0.0f));
    real reach = length3(cross3(axis, s->arm));
    if (s->shape.type == CONVEX_SPHERE) return reach;
    mat3 own = quat_matrix(s->own);
    if (s->shape.type == CONVEX_HULL) {
        // its origin may be far from it
        real most = 0.0f;
        for (u32 i = 0; i < s->shape.hull[0]; ++i) {
            real3 swing = cross3(axis, s->arm + mat3_times(own, hull_vertex(s->shape.hull, i)));
            most = greatest(dot3(swing, swing), most);
        }
        return root(most);
    }
    if (s->shape.type == CONVEX_CAPSULE) radius = s->shape.size.y;
    if (s->shape.type == CONVEX_CAPSULE || s->shape.type == CONVEX_CYLINDER || s->shape.type == CONVEX_CONE) {
        radius = radius * length3(cross3(axis, make_real3(own.x.y, own.y.y, own.z.y)));
    }
    return reach + radius;
}

/// No point of the shape is farther from the axis that its body turns about; of round shapes, no point of the core.
KERNEL_FN real swept_swing(PRIVATE const SweptShape* s, real radius) {
    if (s->shape.type == CONVEX_HULL) return s->reach;
    if (s->shape.type == CONVEX_SPHERE) radius = 0.0f;
    if (s->shape.type == CONVEX_CAPSULE) radius = s->shape.size.y;
    return length3(s->arm) + radius;
}

/// Whether a ball goes farther into the other, which it touches; `normal`: towards that, at time 0.
KERNEL_FN bool sweep_deepens(PRIVATE const SweptShape* ball, PRIVATE const SweptShape* other, real3 normal) {
    ConvexPair p;
    mat3 turn, begin = quat_matrix(other->own);
    real3 at[2]; // of the other's origin from the ball, in the other's frame
    for (u32 k = 0; k < 2; ++k) {
        swept_pair(ball, other, to_real(static_cast<f32>(k)), &p, &turn);
        at[k] = mat3_transposed_times(p.rotation, p.position);
    }
    return dot3(mat3_transposed_times(begin, normal), at[0] - at[1]) > 0.0f;
}

/// how deep a shape with this core may enter another
KERNEL_FN real sweep_depth(ShapeCore core, u32 other_type) {
    real depth = least(SWEEP_DEPTH, SWEEP_DEPTH_SHARE * core.radius);
    return other_type == CONVEX_PLANE ? 0.5f * depth : depth; // a plane has no edges
}

/// the shape less that depth
KERNEL_FN SweptShape swept_inner(PRIVATE const SweptShape* moving, ShapeCore core, real depth) {
    const u32 type = moving->shape.type;
    SweptShape inner = *moving;
    if (type <= CONVEX_CAPSULE) inner.shape.radius = moving->shape.radius - depth;
    else inner.shrink = depth;
    if (type == CONVEX_HULL) {
        inner.shape.size = core.centre;
        inner.shrink = core.reach > 0.0f ? depth / core.reach : 0.0f;
    }
    return inner;
}

/// Whether the plane of a face of the second shape, a box or hull, parts them by more than a tolerance all the way: mostly so
/// where the first rides on what turns, which the sweep takes many steps to see. Seen from the second, a point of the first is
/// off the line between the ends of its way by its own arc, by that of what it is seen from, and by a quarter of the second's
/// spin times its way. `radius`: no point of the first is farther from its origin.
KERNEL_FN bool sweep_parted(PRIVATE const SweptShape* moving, real radius, PRIVATE const SweptShape* other,
                            real tolerance) {
    if (!convex_solid(other->shape)) return false;
    ConvexPair at[2];
    mat3 turn;
    for (u32 k = 0; k < 2; ++k) swept_pair(other, moving, to_real(static_cast<f32>(k)), &at[k], &turn);
    const real arm = length3(moving->arm) + radius, far = length3(moving->from - other->from) + arm;
    const real way = length3(moving->shift - other->shift) + moving->spin * arm;
    const real off = SWEEP_BEND * (moving->spin * moving->spin) * swept_swing(moving, radius) +
                     (SWEEP_BEND * (other->spin * other->spin) * far + 0.26f * other->spin * way);
    const real loss = SWEEP_LOSS * ((far + way) + (length3(at[0].position) + length3(other->arm)));
    const real clear = (tolerance + loss) + (off + convex_round(moving->shape));
    for (u32 j = 0; j < solid_faces(other->shape); ++j) {
        const real4 plane = solid_plane(other->shape, j);
        const real3 n = xyz(plane);
        bool parts = true;
        for (u32 k = 0; k < 2 && parts; ++k)
            parts = dot3(n, pair_support_b(&at[k], -n, moving->shrink)) - plane.w > clear;
        if (parts) return true;
    }
    return false;
}

/// When the first shape enters the second: the time of the touch before; or SWEEP_NEVER. `core`: of the first; `radius`: no point
/// of it is farther from its origin.
KERNEL_FN real sweep_shapes(PRIVATE const SweptShape* moving, ShapeCore core, real radius,
                            PRIVATE const SweptShape* other) {
    real depth = sweep_depth(core, other->shape.type);
    real tolerance = SWEEP_TOLERANCE * depth;
    SweptShape inner = swept_inner(moving, core, depth);
    if (sweep_parted(&inner, radius, other, tolerance)) return SWEEP_NEVER;
    SweepHit hit = convex_sweep(&inner, other, 0.0f, tolerance, 1.0f);
    if (!hit.found && !hit.looked) return SWEEP_NEVER;
    real time = SWEEP_NEVER;
    if (hit.found && hit.time > 0.0f && !(hit.separation > tolerance)) {
        // it enters: back to where it touches, unless it touches from the beginning
        SweepHit touch = convex_sweep(moving, other, 0.0f, tolerance, hit.time);
        time = touch.found && touch.time > 0.0f ? touch.time : hit.time;
        if (!hit.looked) return time;
    }
    // inside already, or it turned fast along a surface and was looked at by steps
    SweptShape ball = *moving;
    ball.arm = moving->arm + mat3_times(quat_matrix(moving->own), core.centre);
    ball.shape.type = CONVEX_SPHERE;
    ball.shape.radius = SWEEP_CORE * core.radius;
    ball.reach = turning_reach(&ball, 0.0f);
    if (sweep_parted(&ball, ball.shape.radius, other, tolerance)) return time;
    hit = convex_sweep(&ball, other, 0.0f, tolerance, 1.0f);
    if (!hit.found) return time;
    if (hit.time > 0.0f) return least(hit.time, time);
    return hit.separation > -ball.shape.radius && sweep_deepens(&ball, other, hit.normal) ? 0.0f : time;
}

/// Where the first shape may come on its way, along the second's axes and from its origin.
struct SweepRegion_t {
    real3 begin, way; // of the first's origin
    real beside;      // how far its points, and turning, may be off that
};
typedef struct SweepRegion_t SweepRegion;

KERNEL_FN SweepRegion sweep_region(PRIVATE const SweptShape* moving, real radius,
                                   PRIVATE const SweptShape* other) {
    const mat3 axes = quat_matrix(other->own);
    real3 begin = (moving->from + moving->arm) - (other->from + other->arm),
          way = moving->shift - other->shift;
    SweepRegion r;
    r.beside = radius + moving->spin * length3(moving->arm) +
               other->spin * ((length3(begin + other->arm) + length3(way)) + radius);
    r.begin = mat3_transposed_times(axes, begin);
    r.way = mat3_transposed_times(axes, way);
    return r;
}

/// The part of a side from -half to half that matters to what stays within low and high: its middle, and half its length in
/// `half`. What lies beyond an end sees that end, with some thickness behind it.
KERNEL_FN real sweep_crop(PRIVATE real* half, real low, real high, real thickness) {
    real size = *half;
    if (!(size > 4.0f * (high - low))) return 0.0f;
    thickness = least(thickness, size);
    low = clamped(low, -size, size - thickness);
    high = clamped(high, low + thickness, size);
    *half = 0.5f * (high - low);
    return 0.5f * (high + low);
}

/// A box that stands still and is much larger than the way is cut down to what is near it: floats know where its faces are.
KERNEL_FN real sweep_crop_box(PRIVATE const SweptShape* moving, real radius, PRIVATE SweptShape* box) {
    const SweepRegion r = sweep_region(moving, radius, box);
    real margin = 1.01f * r.beside;
    real3 middle = make_real3(sweep_crop(&box->shape.size.x, r.begin.x + least(r.way.x, 0.0f) - margin,
                                         r.begin.x + greatest(r.way.x, 0.0f) + margin, margin),
                              sweep_crop(&box->shape.size.y, r.begin.y + least(r.way.y, 0.0f) - margin,
                                         r.begin.y + greatest(r.way.y, 0.0f) + margin, margin),
                              sweep_crop(&box->shape.size.z, r.begin.z + least(r.way.z, 0.0f) - margin,
                                         r.begin.z + greatest(r.way.z, 0.0f) + margin, margin));
    box->arm = box->arm + mat3_times(quat_matrix(box->own), middle);
    return length3(box->shape.size);
}

/// Where a shape is at the way's two ends in the frame of a mesh that does not turn.
struct SweepEnds_t {
    ConvexPair at[2]; // a: nothing; b: the shape less the depth it may enter
    real shrink;
    real slack; // what is farther apart does not touch
    real bend,
        cross; // how far points of the shape, and what it passes as seen from it, may be off between the ends
    real3 centre; // of the body, in the shape's frame
    bool known;
};
typedef struct SweepEnds_t SweepEnds;

/// A point's way is a chord and an arc beside it: with a = tan(angle / 4), the arc is off the chord's point of the same time by no
/// more than r (angle^2 / 8 + 0.77 a^3), where r is the distance from the axis and spin = 4 a: SWEEP_BEND spin^2 r. What goes on
/// a straight line is off by no more than a quarter of spin times its way as seen from what turns.
KERNEL_FN SweepEnds sweep_ends(PRIVATE const SweptShape* moving, ShapeCore core, real radius,
                               PRIVATE const SweptShape* mesh) {
    SweepEnds ends;
    const real depth = sweep_depth(core, CONVEX_MESH);
    const SweptShape inner = swept_inner(moving, core, depth);
    mat3 turn;
    for (u32 k = 0; k < 2; ++k) swept_pair(mesh, &inner, to_real(static_cast<f32>(k)), &ends.at[k], &turn);
    ends.shrink = inner.shrink;
    real far = (length3(ends.at[0].position) + length3(ends.at[1].position)) + radius;
    ends.slack = SWEEP_TOLERANCE * depth + SWEEP_LOSS * (far + length3(moving->arm));
    ends.bend = SWEEP_BEND * (moving->spin * moving->spin);
    ends.cross = 0.26f * moving->spin * length3(moving->shift - mesh->shift);
    ends.centre = -mat3_transposed_times(quat_matrix(moving->own), moving->arm);
    ends.known = !(mesh->spin > 0.0f);
    return ends;
}

/// Whether the shape stays above the plane of a triangle, or that beside one of the shape's faces. `off`: as far as points of the
/// shape may be off between the ends
KERNEL_FN bool sweep_clears(PRIVATE const SweepEnds* ends, real off, PRIVATE const Triangle* t) {
    const ConvexShape shape = ends->at[0].b;
    real height = 3e38f;
    for (u32 k = 0; k < 2; ++k)
        height = least(dot3(t->normal, pair_support_b(&ends->at[k], -t->normal, ends->shrink) - t->corner[0]),
                       height);
    if (height > (ends->slack + off) + convex_round(shape)) return true;
    if (!convex_solid(shape)) return false;
    real3 seen[6];
    real far = 0.0f;
    for (u32 k = 0; k < 6; ++k) {
        PRIVATE const ConvexPair* p = &ends->at[k < 3 ? 0 : 1];
        seen[k] = mat3_transposed_times(p->rotation, t->corner[k < 3 ? k : k - 3] - p->position);
        real3 arm = seen[k] - ends->centre;
        far = greatest(dot3(arm, arm), far);
    }
    const real least_gap = ends->slack + (ends->cross + ends->bend * root(far));
    for (u32 j = 0; j < solid_faces(shape); ++j) {
        real4 plane = solid_plane(shape, j);
        real gap = 3e38f;
        for (u32 k = 0; k < 6; ++k) gap = least(dot3(xyz(plane), seen[k]), gap);
        if (gap - plane.w > least_gap) return true;
    }
    return false;
}

/// Whether a part of a compound goes no farther than half the radius of the sphere inside it, as a body that is not swept
/// (body_finish). A part about the body's centre says nothing that the body has not said.
KERNEL_FN bool sweep_part_slow(PRIVATE const SweptShape* moving, ShapeCore core) {
    const real3 centre = moving->arm + mat3_times(quat_matrix(moving->own), core.centre);
    const real far = length3(centre);
    if (!(far > core.reach)) return false;
    const real3 turned = mat3_times(quat_matrix(moving->turned), centre) - centre;
    const real way = length3(moving->shift + turned) + SWEEP_BEND * (moving->spin * moving->spin) * far;
    return !(way + moving->spin * core.reach > 0.5f * core.radius);
}

/// The same of a mesh: the earliest of the triangles near the way.
KERNEL_FN real sweep_mesh(PRIVATE const SweptShape* moving, ShapeCore core, real radius,
                          PRIVATE const SweptShape* other) {
    GLOBAL const u32* m = other->shape.hull;
    const real3 scale = other->shape.size;
    const SweepRegion region = sweep_region(moving, radius, other);
    real3 middle = region.begin + mat3_transposed_times(quat_matrix(other->own),
                                                        mat3_times(quat_matrix(moving->own), core.centre));
    real low[3] = {least(region.way.x, 0.0f), least(region.way.y, 0.0f), least(region.way.z, 0.0f)};
    real high[3] = {greatest(region.way.x, 0.0f), greatest(region.way.y, 0.0f), greatest(region.way.z, 0.0f)};
    const real begin[3] = {region.begin.x, region.begin.y, region.begin.z};
    for (u32 k = 0; k < 3; ++k) {
        low[k] = begin[k] + low[k] - region.beside;
        high[k] = begin[k] + high[k] + region.beside;
    }
    // a mesh that does not turn sees the shape's bounds at both ends, and as far as it may be off between them
    const SweepEnds ends = sweep_ends(moving, core, radius, other);
    const real off = ends.bend * swept_swing(moving, radius);
    if (ends.known) {
        ShapeFacts facts;
        facts.type = moving->shape.type;
        facts.size = moving->shape.size;
        facts.radius = moving->shape.radius;
        facts.hull = moving->shape.hull;
        for (u32 k = 0; k < 3; ++k) {
            real2 reach[2];
            for (u32 e = 0; e < 2; ++e) {
                const mat3 r = ends.at[e].rotation;
                const real3 p = ends.at[e].position;
                reach[e] = shape_reach(facts, k == 0 ? r.x : (k == 1 ? r.y : r.z));
                reach[e].x = reach[e].x + along_axis(p, k);
                reach[e].y = reach[e].y + along_axis(p, k);
            }
            low[k] = greatest(least(reach[0].x, reach[1].x) - (off + ends.slack), low[k]);
            high[k] = least(greatest(reach[0].y, reach[1].y) + (off + ends.slack), high[k]);
        }
    }
    real3 from = mesh_unscaled(make_real3(low[0], low[1], low[2]), scale);
    real3 to = mesh_unscaled(make_real3(high[0], high[1], high[2]), scale);
    SweptShape face = *other;
    face.shape.type = CONVEX_HULL;
    face.shape.size = make_real3(0.0f, 0.0f, 0.0f);
    face.shape.radius = 0.0f;
    real time = SWEEP_NEVER;
    u32 stack[MESH_DEPTH];
    u32 depth = 1;
    stack[0] = 0;
    while (depth) {
        const u32 n = stack[--depth];
        if (mesh_node_apart(m, n, from, to)) continue;
        GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
        if (node[3] == 0) {
            stack[depth++] = node[7];
            stack[depth++] = n + 1;
            continue;
        }
        for (u32 k = node[7]; k < node[7] + node[3]; ++k) {
            Triangle t;
            if (!triangle_load(m, k, scale, make_real3(0.0f, 0.0f, 0.0f), middle, &t)) continue;
            if (ends.known && sweep_clears(&ends, off, &t)) continue;
            triangle_words(t.corner, t.normal, t.words);
            face.shape.hull = t.words;
            time = least(sweep_shapes(moving, core, radius, &face), time);
        }
    }
    return time;
}

/// When the first shape, of a body that moves, enters the second: the time of the touch before; or SWEEP_NEVER.
KERNEL_FN real sweep_pair(const SweepView w, SweepSide a, SweepSide b) {
    if (a.geometry.type == CONVEX_PLANE || a.geometry.type == CONVEX_MESH) return SWEEP_NEVER;
    SweptShape moving = side_swept(w, a);
    // most parts of compounds are: first of all
    ShapeCore core = shape_core(a.geometry, a.radius);
    if (sweep_part_slow(&moving, core)) return SWEEP_NEVER;
    SweptShape other = side_swept(w, b);
    moving.reach = turning_reach(&moving, a.radius);
    other.from = position_between(load4(w.body.position, a.body), load4(w.body.position, b.body)) +
                 (moving.shift - other.shift);
    // a one-way shape stops what comes against its direction
    real3 way = moving.shift - other.shift;
    if (one_way_lets(b.one_way, way) || one_way_lets(a.one_way, -way)) return SWEEP_NEVER;
    if (b.geometry.type == CONVEX_BOX && !b.moves) b.radius = sweep_crop_box(&moving, a.radius, &other);
    other.reach = turning_reach(&other, b.radius);
    if (b.geometry.type == CONVEX_MESH) return sweep_mesh(&moving, core, a.radius, &other);
    return sweep_shapes(&moving, core, a.radius, &other);
}

/// How far turning may carry a shape beyond its shift.
KERNEL_FN real turning_beyond(const SweepView w, const ShapeFacts f, u32 body) {
    real radius = load4(w.body.constants, BODY_CONSTANTS * body + BODY_INVERSE_REST).w;
    real turning = sweep_spin(make_quat(1.0f, 0.0f, 0.0f, 0.0f), sweep_turn(w, body));
    return least(turning * (f.type == CONVEX_SPHERE ? length3(f.offset) : radius), radius);
}

/// Until when all that the shape of a moving body may meet is among its pairs; 1: to the end.
KERNEL_FN real sweep_cover(const SweepView w, const ShapeFacts f, u32 body, u32 shape) {
    BodyPose begin;
    begin.v = xyz(load4(w.body.kick, KICK_QUADS * body + KICK_BEGIN));
    begin.w = xyz(load4(w.body.kick, KICK_QUADS * body + KICK_BEGIN + 1));
    begin.radius = load4(w.body.constants, BODY_CONSTANTS * body + BODY_INVERSE_REST).w;
    real ahead = turn_ahead(f, begin, length3(begin.v) * w.dt, length3(begin.w) * begin.radius * w.dt, w.dt);
    real margin = load4(w.bounds, 2 * shape).w + greatest(ahead, 0.0f);
    real3 v = ahead < 0.0f ? make_real3(0.0f, 0.0f, 0.0f) : begin.v * w.dt;

    real3 shift = xyz(sweep_shift(w, body));
    real turning = turning_beyond(w, f, body);
    const real ways[3] = {shift.x, shift.y, shift.z}, along[3] = {v.x, v.y, v.z};
    real time = 1.0f;
    for (u32 k = 0; k < 3; ++k) {
        real up = greatest(ways[k], 0.0f) + turning, down = greatest(-ways[k], 0.0f) + turning;
        real room_up = margin + greatest(along[k], 0.0f), room_down = margin + greatest(-along[k], 0.0f);
        if (up > room_up) time = least(room_up / up, time);
        if (down > room_down) time = least(room_down / down, time);
    }
    return time;
}

/// bounds of the shape on its way (two quads)
KERNEL_FN void sweep_bounds(const SweepView w, const ShapeFacts f, u32 body, u32 shape, PRIVATE f32* out) {
    real3 shift = xyz(sweep_shift(w, body));
    real turning = turning_beyond(w, f, body);
    const real ways[3] = {shift.x, shift.y, shift.z};
    const f32* bounds = w.bounds + 8 * static_cast<std::size_t>(shape);
    for (u32 k = 0; k < 3; ++k) {
        out[k] = bounds[k] - turning + least(ways[k], 0.0f);
        out[4 + k] = bounds[4 + k] + turning + greatest(ways[k], 0.0f);
    }
    out[3] = 0.0f;
    out[7] = 0.0f;
}

/// A stop as a word: the least of several counts, of the same time that of the first body.
KERNEL_FN u64 stop_word(real time, u32 other) {
    return static_cast<u64>(static_cast<u32>(as_whole(time))) << 32 | other;
}

KERNEL_FN real stop_time(u64 stop) { return as_real(static_cast<i32>(static_cast<u32>(stop >> 32))); }

/// When a body stops that a joint holds to one that stops at `time`, so that the joint is not torn: on its own way, which is free.
/// Bodies farther off miss less and less. Whatever the order in which joints are looked at, the least times are the same.
KERNEL_FN u64 lag_word(real time) {
    real lag = (to_real(1.0f) - time) * SWEEP_LAG;
    return lag < SWEEP_LAG_LEAST ? STOP_NONE : stop_word(to_real(1.0f) - lag, NOTHING);
}

/// A rotation from none to `turned` at a time, as in the sweep.
KERNEL_FN quat turn_at(quat turned, real time) {
    SweptShape s;
    s.turn = make_quat(1.0f, 0.0f, 0.0f, 0.0f);
    s.turned = turned;
    s.spin = 1.0f;
    return swept_turn(&s, time);
}

/// Puts the body back to the time of its stop, and from there on with the other one if that moves. `rides`: `free` holds the
/// other's motion, and no one changes that now.
KERNEL_FN void body_stop(const SweepView w, u32 b, u64 stop, bool rides) {
    const BodyView v = w.body;
    const u32 other = static_cast<u32>(stop & 0xffffffffu);
    real time = stop_time(stop);
    real4 way = sweep_shift(w, b);
    real3 shift = xyz(way);
    quat turned = sweep_turn(w, b);
    real4 rest = load4(v.constants, BODY_CONSTANTS * b + BODY_INVERSE_REST);
    real3 moved = shift * time;
    quat turn = turn_at(turned, time);
    if (rides) {
        real3 their = xyz(sweep_shift(w, other));
        quat their_turn = sweep_turn(w, other);
        real3 between = position_between(load4(v.position, b), load4(v.position, other)) + (shift - their);
        quat rest_turn = quat_product(their_turn, quat_reversed(turn_at(their_turn, time)));
        real3 arm = moved - (between + their * time);
        moved = (between + their) + mat3_times(quat_matrix(rest_turn), arm);
        turn = quat_product(rest_turn, turn);
    }

    real4 position = load4(v.position, b), low = load4(v.carry, CARRY_QUADS * b + CARRY_POSITION);
    real3 back = moved - shift;
    exact3 at = make_exact3(exact_plus(make_exact(position.x, low.x), back.x),
                            exact_plus(make_exact(position.y, low.y), back.y),
                            exact_plus(make_exact(position.z, low.z), back.z));
    ExactTurn now = rotation_ended(quat_of(load4(v.rotation, b)),
                                   quat_of(load4(v.carry, CARRY_QUADS * b + CARRY_ROTATION)),
                                   quat_product(turn, quat_reversed(turned)));
    store4(v.position, b, with_w(high3(at), fine_word(low3(at))));
    store4(v.carry, CARRY_QUADS * b + CARRY_POSITION, with_w(low3(at), 0.0f));
    store4(v.rotation, b, make_real4(now.high.x, now.high.y, now.high.z, now.high.s));
    store4(v.carry, CARRY_QUADS * b + CARRY_ROTATION, make_real4(now.low.x, now.low.y, now.low.z, now.low.s));
    store4(v.free, 2 * b, with_w(moved, way.w));
    store4(v.free, 2 * b + 1, make_real4(turn.x, turn.y, turn.z, turn.s));

    // what forces did on the way that it did not go
    real3 velocity = xyz(load4(v.motion, 4 * b));
    real square = dot3(velocity, velocity);
    real work = 2.0f * dot3(xyz(load4(v.kick, KICK_QUADS * b + KICK_LINEAR)), back);
    if (square > 0.0f && work != 0.0f) {
        real scale = root(greatest((square + work) / square, 0.0f));
        store4(v.motion, 4 * b, with_w(velocity * scale, 0.0f));
        store4(v.carry, CARRY_QUADS * b + CARRY_VELOCITY, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
    }

    // as in body_finish
    whole locks = as_whole(load4(v.constants, BODY_CONSTANTS * b + BODY_INERTIA_REST).w);
    sym3 inverse = sym3_rotated(quat_matrix(now.high),
                                gather_inertia(load4(v.constants, BODY_CONSTANTS * b + BODY_INVERSE), rest));
    real tx = unlocked(locks, LOCK_TURN), ty = unlocked(locks, LOCK_TURN + 1),
         tz = unlocked(locks, LOCK_TURN + 2);
    store4(v.inverse_mass, 2 * b,
           make_real4(inverse.xx * tx, inverse.yy * ty, inverse.zz * tz, inverse.xy * (tx * ty)));
    store4(v.inverse_mass, 2 * b + 1,
           make_real4(inverse.xz * (tx * tz), inverse.yz * (ty * tz), rest.z, as_real(locks)));
}

/// Who stops at what: in the first pass fast bodies at what contacts do not push, in the second bullets at the others.
KERNEL_FN bool sweeps_against(u32 pass, bool bullet, bool other_pushed) {
    return pass == 0 ? !other_pushed : bullet && other_pushed;
}
