// SPDX-License-Identifier: MIT
// convex_support.h — a convex shape: how far it reaches in a direction.   compiles as: host, cuda, opencl
//
// Shapes with round ends are a core (point, segment) and a radius around it; the functions here see the core. The others
// can be shrunk: box, cylinder and cone to the points that lie at least `shrink` below every face, a hull towards the point
// `size` within it by the share `shrink`.
//
// words of a hull: vertices V, faces F, edges E, face vertices L; then V quads (x y z 0), F quads (outward normal, offset),
// F+1 starts, L vertex numbers (counter-clockwise from outside), E quads (vertex, vertex, left face, right face).

#define CONVEX_SPHERE 0u
#define CONVEX_CAPSULE 1u
#define CONVEX_BOX 2u
#define CONVEX_CYLINDER 3u
#define CONVEX_CONE 4u
#define CONVEX_PLANE 5u
#define CONVEX_HULL 6u
#define CONVEX_MESH 7u // not convex: convex_mesh.h

struct ConvexShape_t {
    u32 type;
    real3 size; // box: half sides; capsule, cylinder, cone: y is half the height; mesh: scale
    real radius;
    GLOBAL const u32* hull;
};
typedef struct ConvexShape_t ConvexShape;

/// two shapes; B's frame in A's
struct ConvexPair_t {
    ConvexShape a, b;
    mat3 rotation;
    real3 position;
};
typedef struct ConvexPair_t ConvexPair;

KERNEL_FN real3 hull_vertex(GLOBAL const u32* h, u32 i) {
    u32 at = 4 + 4 * i;
    return make_real3(as_real((i32)h[at]), as_real((i32)h[at + 1]), as_real((i32)h[at + 2]));
}
KERNEL_FN real4 hull_plane(GLOBAL const u32* h, u32 i) {
    u32 at = 4 + 4 * (h[0] + i);
    return make_real4(as_real((i32)h[at]), as_real((i32)h[at + 1]), as_real((i32)h[at + 2]),
                      as_real((i32)h[at + 3]));
}
KERNEL_FN u32 hull_face_starts(GLOBAL const u32* h) { return 4 + 4 * (h[0] + h[1]); }
KERNEL_FN u32 hull_edges(GLOBAL const u32* h) { return 5 + 4 * (h[0] + h[1]) + h[1] + h[3]; }

KERNEL_FN u32 hull_support(GLOBAL const u32* h, real3 d) {
    u32 count = h[0];
    u32 best = 0, i = 1;
    real most = dot3(hull_vertex(h, 0), d);
#if defined(KERNEL_QUADS)
    if (count >= 8 && most == most) {
        quad_real far = quad_real{} + most;
        quad_whole which = {0, 0, 0, 0}, number = {0, 1, 2, 3};
        for (i = 0; i + 4 <= count; i += 4) {
            const quad_columns v = quads_at(h + 4 + 4 * i);
            const quad_real along = (v.x * d.x + v.y * d.y) + v.z * d.z;
            const quad_whole more = along > far;
            far = more ? along : far;
            which = more ? number : which;
            number += 4;
        }
        quad_most(far, which, &best, &most);
    }
#endif
    for (; i < count; ++i) {
        real along = dot3(hull_vertex(h, i), d);
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    return best;
}

/// the radius around the core
KERNEL_FN real convex_round(ConvexShape s) { return s.type <= CONVEX_CAPSULE ? s.radius : 0.0f; }

/// how much GJK shrinks a shape so that shallow overlaps are still apart; nothing for cores and hulls
KERNEL_FN real convex_shrink(ConvexShape s) {
    real shrink = 0.0f;
    if (s.type == CONVEX_BOX) shrink = 0.1f * least(least(s.size.x, s.size.y), s.size.z);
    if (s.type == CONVEX_CYLINDER) shrink = 0.1f * least(s.size.y, s.radius);
    if (s.type == CONVEX_CONE) {
        real height = 2.0f * s.size.y;
        real slant = root(height * height + s.radius * s.radius);
        shrink = 0.1f * (s.radius * height / (s.radius + slant)); // of the largest sphere inside
    }
    return shrink;
}

/// the farthest that a point of the shape can be from the shrunk shape
KERNEL_FN real convex_shrunk_reach(ConvexShape s, real shrink) {
    real reach = 1.74f * shrink;
    if (s.type == CONVEX_CONE) {
        real height = 2.0f * s.size.y;
        real slant = root(height * height + s.radius * s.radius);
        reach = shrink * greatest(slant / s.radius, 2.0f * slant / height);
    }
    return reach;
}

/// the core's farthest point in the direction d, which need not be a unit vector
KERNEL_FN real3 convex_support(ConvexShape s, real3 d, real shrink) {
    real3 p = make_real3(0.0f, 0.0f, 0.0f);
    if (s.type == CONVEX_HULL) {
        p = hull_vertex(s.hull, hull_support(s.hull, d));
        if (shrink > 0.0f) p = p + (s.size - p) * shrink;
    } else if (s.type == CONVEX_BOX) {
        real x = s.size.x - shrink, y = s.size.y - shrink, z = s.size.z - shrink;
        p = make_real3(d.x < 0.0f ? -x : x, d.y < 0.0f ? -y : y, d.z < 0.0f ? -z : z);
    } else if (s.type == CONVEX_CAPSULE) {
        p = make_real3(0.0f, d.y < 0.0f ? -s.size.y : s.size.y, 0.0f);
    } else if (s.type == CONVEX_CYLINDER || s.type == CONVEX_CONE) {
        real across = root(d.x * d.x + d.z * d.z);
        mask axial = no(across > 0.0f);
        real scale = to_real(1.0f) / pick(axial, to_real(1.0f), across);
        real3 rim = make_real3(pick(axial, to_real(1.0f), d.x * scale), 0.0f,
                               pick(axial, to_real(0.0f), d.z * scale));
        if (s.type == CONVEX_CYLINDER) {
            p = rim * (s.radius - shrink);
            p.y = d.y < 0.0f ? shrink - s.size.y : s.size.y - shrink;
        } else {
            // the shrunk cone has the same slope
            real base = shrink - s.size.y, tip = s.size.y, radius = s.radius;
            if (shrink > 0.0f) {
                real height = 2.0f * s.size.y;
                tip = tip - shrink * root(height * height + radius * radius) / radius;
                radius = (tip - base) * radius / height;
            }
            p = rim * radius;
            p.y = base;
            if (tip * d.y > base * d.y + radius * across) p = make_real3(0.0f, tip, 0.0f);
        }
    }
    return p;
}

/// point of B in A's frame
KERNEL_FN real3 pair_support_b(PRIVATE const ConvexPair* p, real3 d, real shrink) {
    return mat3_times(p->rotation, convex_support(p->b, mat3_transposed_times(p->rotation, d), shrink)) +
           p->position;
}

/// how far A's core reaches beyond the beginning of B's along the unit vector n: positive for overlap
KERNEL_FN real pair_overlap(PRIVATE const ConvexPair* p, real3 n) {
    real3 a = convex_support(p->a, n, 0.0f);
    real3 b = pair_support_b(p, -n, 0.0f);
    return dot3(n, a - b);
}
