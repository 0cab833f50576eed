// SPDX-License-Identifier: MIT
// rigid_field.h — forces of fields on a body: the air's and the water's by shape, attraction by body.
// compiles as: host, cuda
//
// Drag is taken at the end of the step: all of a body's drag is divided by 1 + dt k / m, so that it stops a body against the
// air but never throws it back, however large k is.

// quads of a field
#define FIELD_QUADS 7
#define FIELD_KIND 0     // kind, density, drag, damping
#define FIELD_VELOCITY 1 // and radius
#define FIELD_CENTRE 2   // of the attractor, or a point of the surface; strength
#define FIELD_LOW 3      // what the centre's floats drop; falloff
#define FIELD_NORMAL 4   // and core
#define FIELD_REGION 5   // two: low, high
#define FIELD_WIND 0u
#define FIELD_WATER 1u
#define FIELD_ATTRACTOR 2u
#define FALLOFF_NONE 0u
#define FALLOFF_LINEAR 1u
#define FALLOFF_SQUARE 2u

#define FIELD_PI 3.14159265f

/// the volume of a shape below a plane, and all of it
struct Volume_t {
    real below, all;
    real3 moment; // of the part below, from the shape's origin
};
typedef struct Volume_t Volume;

struct Plunge_t {
    real3 normal;
    real height;      // of the plane above the shape's origin
    real3 apex;       // of all tetrahedra: on the plane, so that the cut has no volume
    real3 ux, uy, uz; // the shape's axes
};
typedef struct Plunge_t Plunge;

KERNEL_FN real3 plunge_point(const Plunge* k, real x, real y, real z) {
    return (k->ux * x + k->uy * y) + k->uz * z;
}

KERNEL_FN void volume_tetrahedron(Volume* v, const Plunge* k, real3 a, real3 b, real3 c) {
    real part = dot3(a - k->apex, cross3(b - k->apex, c - k->apex)) * (1.0f / 6.0f);
    v->below = v->below + part;
    v->moment = v->moment + ((k->apex + a) + (b + c)) * (0.25f * part);
}

/// where the edge from a (above) to b (below) meets the plane
KERNEL_FN real3 plunge_cut(real3 a, real above, real3 b, real below) {
    return a + (b - a) * (above / (above - below));
}

/// a triangle of the surface, counter-clockwise from outside
KERNEL_FN void volume_triangle(Volume* v, const Plunge* k, real3 a, real3 b, real3 c) {
    v->all = v->all + dot3(a - k->apex, cross3(b - k->apex, c - k->apex)) * (1.0f / 6.0f);
    real ha = dot3(k->normal, a) - k->height, hb = dot3(k->normal, b) - k->height,
         hc = dot3(k->normal, c) - k->height;
    const u32 above = (ha > 0.0f ? 1u : 0u) + (hb > 0.0f ? 1u : 0u) + (hc > 0.0f ? 1u : 0u);
    if (above == 3) return;
    if (above == 0) {
        volume_tetrahedron(v, k, a, b, c);
        return;
    }
    // turned so that a is the one that is alone
    const bool alone_above = above == 1;
    for (u32 turn = 0; turn < 2 && (ha > 0.0f) != alone_above; ++turn) {
        real3 first = a;
        real h = ha;
        a = b, ha = hb;
        b = c, hb = hc;
        c = first, hc = h;
    }
    real3 ab = alone_above ? plunge_cut(a, ha, b, hb) : plunge_cut(b, hb, a, ha);
    real3 ac = alone_above ? plunge_cut(a, ha, c, hc) : plunge_cut(c, hc, a, ha);
    if (alone_above) {
        volume_tetrahedron(v, k, ab, b, c);
        volume_tetrahedron(v, k, ab, c, ac);
    } else {
        volume_tetrahedron(v, k, a, ab, ac);
    }
}

KERNEL_FN void volume_box(Volume* v, const Plunge* k, real3 size) {
    // the corners of each side, counter-clockwise from outside, three bits each: x, y, z
    const u32 sides[6] = {1u | 3u << 3 | 7u << 6 | 5u << 9, 0u | 4u << 3 | 6u << 6 | 2u << 9,
                          2u | 6u << 3 | 7u << 6 | 3u << 9, 0u | 1u << 3 | 5u << 6 | 4u << 9,
                          4u | 5u << 3 | 7u << 6 | 6u << 9, 0u | 2u << 3 | 3u << 6 | 1u << 9};
    for (u32 s = 0; s < 6; ++s) {
        real3 corner[4];
        for (u32 n = 0; n < 4; ++n) {
            const u32 bits = sides[s] >> (3 * n);
            corner[n] = plunge_point(k, bits & 1u ? size.x : -size.x, bits & 2u ? size.y : -size.y,
                                     bits & 4u ? size.z : -size.z);
        }
        volume_triangle(v, k, corner[0], corner[1], corner[2]);
        volume_triangle(v, k, corner[0], corner[2], corner[3]);
    }
}

KERNEL_FN void volume_hull(Volume* v, const Plunge* k, GLOBAL const u32* h) {
    const u32 starts = hull_face_starts(h), list = starts + h[1] + 1;
    for (u32 f = 0; f < h[1]; ++f) {
        const u32 begin = h[starts + f], end = h[starts + f + 1];
        real3 first = hull_vertex(h, h[list + begin]), last = hull_vertex(h, h[list + begin + 1]);
        real3 a = plunge_point(k, first.x, first.y, first.z), b = plunge_point(k, last.x, last.y, last.z);
        for (u32 n = begin + 2; n < end; ++n) {
            real3 next = hull_vertex(h, h[list + n]);
            real3 c = plunge_point(k, next.x, next.y, next.z);
            volume_triangle(v, k, a, b, c);
            b = c;
        }
    }
}

// round shapes as polyhedra of twelve sides with the same volume
#define ROUND_SIDES 12u
#define ROUND_WIDER 1.02333f // radius: the root of pi / (6 sin(pi/6))
#define ROUND_CAP 3u         // bands of half a ball
#define ROUND_CAP_TALLER 1.071797f
#define ROUND_REACH 1.08f

KERNEL_FN real3 round_point(const Plunge* k, u32 side, real radius, real y) {
    // of quarters and thirds of a turn
    const f32 cosines[ROUND_SIDES] = {1.0f,  0.866025404f,  0.5f,  0.0f, -0.5f, -0.866025404f,
                                      -1.0f, -0.866025404f, -0.5f, 0.0f, 0.5f,  0.866025404f};
    const u32 s = side % ROUND_SIDES;
    return plunge_point(k, radius * cosines[s], y, radius * cosines[(s + 9u) % ROUND_SIDES]);
}

/// between two rings, the lower first; a radius of 0 is a point
KERNEL_FN void volume_band(Volume* v, const Plunge* k, real r0, real y0, real r1, real y1) {
    for (u32 s = 0; s < ROUND_SIDES; ++s) {
        real3 a = round_point(k, s, r0, y0), b = round_point(k, s, r1, y1);
        real3 c = round_point(k, s + 1, r1, y1), d = round_point(k, s + 1, r0, y0);
        // seen from outside with y up, angles grow to the left
        if (r1 > 0.0f) volume_triangle(v, k, a, b, c);
        if (r0 > 0.0f) volume_triangle(v, k, a, c, d);
    }
}

KERNEL_FN void volume_round(Volume* v, const Plunge* k, u32 type, real half, real radius) {
    real wide = radius * ROUND_WIDER;
    if (type == CONVEX_CONE) {
        volume_band(v, k, 0.0f, -half, wide, -half);
        volume_band(v, k, wide, -half, 0.0f, half);
        return;
    }
    if (type == CONVEX_CYLINDER) volume_band(v, k, 0.0f, -half, wide, -half);
    volume_band(v, k, wide, -half, wide, half);
    if (type == CONVEX_CYLINDER) {
        volume_band(v, k, wide, half, 0.0f, half);
        return;
    }
    // at 0, 30, 60 and 90 degrees
    const f32 across[ROUND_CAP + 1] = {1.0f, 0.866025404f, 0.5f, 0.0f};
    const f32 up[ROUND_CAP + 1] = {0.0f, 0.5f, 0.866025404f, 1.0f};
    for (u32 n = 0; n < ROUND_CAP; ++n) {
        real y0 = half + radius * (ROUND_CAP_TALLER * up[n]),
             y1 = half + radius * (ROUND_CAP_TALLER * up[n + 1]);
        volume_band(v, k, wide * across[n], y0, wide * across[n + 1], y1);
        volume_band(v, k, wide * across[n + 1], -y1, wide * across[n], -y0);
    }
}

KERNEL_FN real round_volume(u32 type, real half, real radius) {
    real disc = FIELD_PI * (radius * radius), height = 2.0f * half;
    if (type == CONVEX_CONE) return disc * height * (1.0f / 3.0f);
    return disc * (type == CONVEX_CAPSULE ? height + 4.0f / 3.0f * radius : height);
}

KERNEL_FN Volume no_volume() {
    Volume v;
    v.below = 0.0f;
    v.all = 0.0f;
    v.moment = make_real3(0.0f, 0.0f, 0.0f);
    return v;
}

/// of the shape with this rotation below the plane that is `height` above its origin along the unit normal
KERNEL_FN Volume volume_below(const ShapeFacts f, quat turn, real3 normal, real height) {
    Volume v = no_volume();
    if (f.type == CONVEX_PLANE) return v;
    if (f.type == CONVEX_SPHERE) {
        real r = f.radius, deep = clamped(height + r, 0.0f, 2.0f * r);
        v.all = (4.0f / 3.0f * FIELD_PI) * ((r * r) * r);
        v.below = (FIELD_PI / 3.0f) * ((deep * deep) * (3.0f * r - deep));
        // the centroid of a cap is 3 (2 r - d)^2 / (4 (3 r - d)) below the centre
        real rest = 2.0f * r - deep;
        v.moment = normal * (-0.25f * FIELD_PI * ((deep * deep) * (rest * rest)));
        return v;
    }
    const mat3 m = quat_matrix(turn);
    Plunge k;
    k.normal = normal;
    k.ux = make_real3(m.x.x, m.y.x, m.z.x);
    k.uy = make_real3(m.x.y, m.y.y, m.z.y);
    k.uz = make_real3(m.x.z, m.y.z, m.z.z);
    // far from the plane nothing is cut
    const real2 reach = shape_reach(f, mat3_transposed_times(m, normal));
    if (height < ROUND_REACH * reach.x) return v;
    const bool whole_below = height > ROUND_REACH * reach.y;
    k.height = whole_below ? to_real(1e30f) : height;
    k.apex = whole_below ? make_real3(0.0f, 0.0f, 0.0f) : normal * height;
    if (f.type == CONVEX_HULL) volume_hull(&v, &k, f.hull);
    else if (f.type == CONVEX_BOX) volume_box(&v, &k, f.size);
    else {
        volume_round(&v, &k, f.type, f.size.y, f.radius);
        // the rest of what the polyhedron's volume is off
        real solid = round_volume(f.type, f.size.y, f.radius), part = solid / v.all;
        v.below = v.below * part;
        v.moment = v.moment * part;
        v.all = solid;
    }
    return v;
}

/// the area that a shape shows in the direction of a unit vector
KERNEL_FN real shape_area(const ShapeFacts f, quat turn, real3 direction) {
    if (f.type == CONVEX_PLANE) return 0.0f;
    real disc = FIELD_PI * (f.radius * f.radius);
    if (f.type == CONVEX_SPHERE) return disc;
    real3 d = mat3_transposed_times(quat_matrix(turn), direction);
    if (f.type == CONVEX_BOX)
        return 4.0f * ((magnitude(d.x) * (f.size.y * f.size.z) + magnitude(d.y) * (f.size.x * f.size.z)) +
                       magnitude(d.z) * (f.size.x * f.size.y));
    if (f.type == CONVEX_HULL) {
        // half of what all faces show
        GLOBAL const u32* h = f.hull;
        const u32 starts = hull_face_starts(h), list = starts + h[1] + 1;
        real area = 0.0f;
        for (u32 k = 0; k < h[1]; ++k) {
            real3 a = hull_vertex(h, h[list + h[starts + k]]);
            real shown = 0.0f;
            for (u32 n = h[starts + k] + 1; n + 1 < h[starts + k + 1]; ++n)
                shown = shown +
                        dot3(d, cross3(hull_vertex(h, h[list + n]) - a, hull_vertex(h, h[list + n + 1]) - a));
            area = area + magnitude(shown);
        }
        return 0.25f * area;
    }
    real across = root(greatest(1.0f - d.y * d.y, 0.0f)), side = 4.0f * (f.radius * f.size.y) * across;
    if (f.type == CONVEX_CAPSULE) return disc + side;
    real end = disc * magnitude(d.y);
    return f.type == CONVEX_CYLINDER ? end + side : greatest(end, 0.5f * side);
}

struct FieldSum_t {
    real3 force, torque;
    real3 drag, drag_torque; // before they are divided
    real k, k_turn;
};
typedef struct FieldSum_t FieldSum;

struct FieldTarget_t {
    real3 at,
        at_low; // centre of mass; what floats drop of it, and the way to where forces are taken (field_lead)
    quat turn;
    real3 v, w;
    real inverse_mass, inverse_inertia; // the latter: the trace
    real3 gravity;
};
typedef struct FieldTarget_t FieldTarget;

/// How far ahead of the step's beginning forces depend on a body's place. In n substeps a constant acceleration a moves a body by
/// v dt + (1/2 + 1/2n) a dt^2: with a taken after (1/2 - 1/2n) dt of flight that is a drift, a kick and a drift, which is
/// symplectic and keeps orbits and what bobs in water. The SOR has one substep.
KERNEL_FN f32 field_lead(f32 dt, u32 substeps) { return 0.5f * (dt - dt / static_cast<f32>(substeps)); }

KERNEL_FN FieldSum no_field() {
    FieldSum s;
    s.force = make_real3(0.0f, 0.0f, 0.0f);
    s.torque = s.force;
    s.drag = s.force;
    s.drag_torque = s.force;
    s.k = 0.0f;
    s.k_turn = 0.0f;
    return s;
}

KERNEL_FN bool field_reaches(const f32* field, real3 at) {
    real4 low = load4(field, FIELD_REGION), high = load4(field, FIELD_REGION + 1);
    return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y && at.z >= low.z &&
           at.z <= high.z;
}

/// of a fluid with this velocity at a point of the body, and against its turning
KERNEL_FN void field_drag(FieldSum* sum, const FieldTarget* b, real3 arm, real3 u, real k, real k_turn) {
    real3 push = u * -k;
    sum->drag = sum->drag + push;
    sum->drag_torque = sum->drag_torque + (cross3(arm, push) - b->w * k_turn);
    sum->k = sum->k + k;
    sum->k_turn = sum->k_turn + (k * dot3(arm, arm) + k_turn);
}

/// a field that acts on shapes
KERNEL_FN void field_on_shape(FieldSum* sum, const f32* field, const FieldTarget* b, const ShapeFacts f) {
    real3 arm = mat3_times(quat_matrix(b->turn), f.offset);
    quat turn = quat_product(b->turn, f.turn);
    if (!field_reaches(field, b->at + arm)) return;
    real4 facts = load4(field, FIELD_KIND);
    const bool water = static_cast<u32>(as_whole(facts.x)) == FIELD_WATER;
    real share = 1.0f, thick = 0.0f;
    if (water) {
        real3 normal = xyz(load4(field, FIELD_NORMAL));
        real3 to_surface =
            (xyz(load4(field, FIELD_CENTRE)) - b->at) + (xyz(load4(field, FIELD_LOW)) - b->at_low);
        const Volume v = volume_below(f, turn, normal, dot3(normal, to_surface - arm));
        if (!(v.below > 0.0f) || !(v.all > 0.0f)) return;
        arm = arm + v.moment * (1.0f / v.below);
        real3 lift = b->gravity * (-facts.y * v.below);
        sum->force = sum->force + lift;
        sum->torque = sum->torque + cross3(arm, lift);
        share = least(v.below / v.all, 1.0f);
        thick = (facts.w * facts.y) * v.below;
    }
    real3 u = (b->v + cross3(b->w, arm)) - xyz(load4(field, FIELD_VELOCITY));
    real speed = length3(u);
    real area = shape_area(f, turn, speed > 0.0f ? u * (1.0f / speed) : make_real3(0.0f, 1.0f, 0.0f)) * share;
    real rate = 0.5f * (facts.y * facts.z) * area, square = area * (1.0f / FIELD_PI);
    real turning = length3(b->w) * root(square);
    field_drag(sum, b, arm, u, rate * speed + thick, square * (rate * turning + thick));
}

/// a field that acts on bodies
KERNEL_FN void field_on_body(FieldSum* sum, const f32* field, const FieldTarget* b) {
    if (!field_reaches(field, b->at)) return;
    real4 centre = load4(field, FIELD_CENTRE), low = load4(field, FIELD_LOW);
    real3 to = (xyz(centre) - b->at) + (xyz(low) - b->at_low);
    real away = length3(to), radius = load4(field, FIELD_VELOCITY).w, core = load4(field, FIELD_NORMAL).w;
    if (!(away <= radius) || !(away > 0.0f)) return;
    real strength = centre.w, near = greatest(away, core);
    const u32 falloff = static_cast<u32>(as_whole(low.w));
    if (falloff == FALLOFF_LINEAR) strength = strength * (1.0f - away / radius);
    if (falloff == FALLOFF_SQUARE) strength = strength / (near * near);
    // strength * to / away, less near the centre
    sum->force = sum->force + to * (strength / (near * b->inverse_mass));
}

/// adds to the force and the torque of a step, two quads
KERNEL_FN void field_store(const FieldSum* sum, const FieldTarget* b, f32 dt, f32* force) {
    real slower = 1.0f / (1.0f + dt * (b->inverse_mass * sum->k)),
         slower_turn = 1.0f / (1.0f + dt * (b->inverse_inertia * sum->k_turn));
    real3 f = sum->force + sum->drag * slower, t = sum->torque + sum->drag_torque * slower_turn;
    if (!finite3(f) || !finite3(t)) return;
    if (f.x != 0.0f || f.y != 0.0f || f.z != 0.0f) force[3] = 1.0f;
    force[0] = force[0] + f.x;
    force[1] = force[1] + f.y;
    force[2] = force[2] + f.z;
    force[4] = force[4] + t.x;
    force[5] = force[5] + t.y;
    force[6] = force[6] + t.z;
}
