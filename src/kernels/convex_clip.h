// SPDX-License-Identifier: MIT
// convex_clip.h — contact points from the features that two shapes turn to each other.   compiles as: host, cuda, opencl
//
// A feature is the point, segment or polygon of a shape's core that lies farthest in a direction, or nearly so: it always
// contains the support point. Of two polygons one is the reference, whose sides, extruded along the contact normal, clip the
// other (Sutherland and Hodgman 1974). Each corner of the result is named by the two edges that meet there.

#define FEATURE_POINTS 16
#define CLIP_POINTS 32
#define CLIP_SIDE 128u // label of the reference polygon's first side; incident labels lie below

struct ConvexFeature_t {
    i32 count;
    u32 number;                  // face of a box or hull, end of a cylinder …
    real3 normal;                // of a polygon, unit, outward
    real3 point[FEATURE_POINTS]; // counter-clockwise from outside
    u32 label[FEATURE_POINTS];
};
typedef struct ConvexFeature_t ConvexFeature;

KERNEL_FN void feature_add(PRIVATE ConvexFeature* f, real3 point, u32 label) {
    f->point[f->count] = point;
    f->label[f->count] = label;
    f->count = f->count + 1;
}

/// The disc at height y as an octagon. One corner is where the rim is touched when the disc leans noticeably; below that the
/// octagon is fixed to the shape, or it would spin at rest.
KERNEL_FN void feature_disc(PRIVATE ConvexFeature* f, real3 d, real y, real radius, bool up) {
    real across = root(d.x * d.x + d.z * d.z);
    bool leans = across > 0.03f;
    real x = leans ? d.x / across * radius : radius;
    real z = leans ? d.z / across * radius : 0.0f;
    real sine45 = up ? 0.70710678f : -0.70710678f;
    for (u32 k = 0; k < 8; ++k) {
        feature_add(f, make_real3(x, y, z), (leans ? 8u : 0u) + k);
        real next_x = x * 0.70710678f + z * sine45;
        z = z * 0.70710678f - x * sine45;
        x = next_x;
    }
    f->normal = make_real3(0.0f, up ? 1.0f : -1.0f, 0.0f);
    f->number = up ? 0u : 1u;
}

KERNEL_FN void feature_box(PRIVATE ConvexFeature* f, real3 d, real3 h) {
    real x = magnitude(d.x), y = magnitude(d.y), z = magnitude(d.z);
    u32 axis = x >= y && x >= z ? 0u : (y >= z ? 1u : 2u);
    u32 side = along_axis(d, axis) < 0.0f ? 0u : 1u;
    u32 u = next_axis(axis), v = next_axis(u);
    // counter-clockwise about +axis: --, +-, ++, -+ ; the other way round for the other side
    for (u32 k = 0; k < 4; ++k) {
        u32 turn = side ? k : 3u - k;
        u32 bit_u = turn == 1 || turn == 2 ? 1u : 0u, bit_v = turn >= 2 ? 1u : 0u;
        u32 vertex = (side << axis) | (bit_u << u) | (bit_v << v);
        feature_add(f, box_vertex(h, vertex), vertex);
    }
    f->normal = unit_axis(axis) * (side ? 1.0f : -1.0f);
    f->number = 2 * axis + side;
}

/// Faces of more corners than there is room for are thinned out evenly, beginning with the corner that is touched when the
/// face leans noticeably.
KERNEL_FN void feature_hull(PRIVATE ConvexFeature* f, real3 d, GLOBAL const u32* h) {
    u32 faces = h[1], best = 0;
    real most = -3e38f;
    for (u32 i = 0; i < faces; ++i) {
        real4 plane = hull_plane(h, i);
        real along = dot3(make_real3(plane.x, plane.y, plane.z), d);
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    u32 starts = hull_face_starts(h);
    u32 begin = h[starts + best], corners = h[starts + best + 1] - begin;
    u32 list = starts + faces + 1 + begin;
    u32 count = corners < FEATURE_POINTS ? corners : FEATURE_POINTS;
    u32 first = 0;
    if (corners > FEATURE_POINTS && most < 0.9995f) {
        for (u32 k = 1; k < corners; ++k)
            first = dot3(hull_vertex(h, h[list + k]) - hull_vertex(h, h[list + first]), d) > 0.0f ? k : first;
    }
    for (u32 k = 0; k < count; ++k) {
        u32 corner = first + k * corners / count;
        u32 vertex = h[list + (corner < corners ? corner : corner - corners)];
        feature_add(f, hull_vertex(h, vertex), vertex);
    }
    real4 plane = hull_plane(h, best);
    f->normal = make_real3(plane.x, plane.y, plane.z);
    f->number = best;
}

/// in the shape's frame; d is a unit vector
KERNEL_FN void convex_feature(ConvexShape s, real3 d, PRIVATE ConvexFeature* f) {
    f->count = 0;
    f->number = 0;
    f->normal = d;
    real across = root(d.x * d.x + d.z * d.z);
    real scale = across > 0.0f ? s.radius / across : 0.0f;
    real y = s.size.y;
    if (s.type == CONVEX_SPHERE) {
        feature_add(f, make_real3(0.0f, 0.0f, 0.0f), 0u);
    } else if (s.type == CONVEX_CAPSULE) {
        // beyond 45 degrees only the end matters
        if (d.y < 0.7f) feature_add(f, make_real3(0.0f, -y, 0.0f), 0u);
        if (d.y > -0.7f) feature_add(f, make_real3(0.0f, y, 0.0f), 1u);
    } else if (s.type == CONVEX_BOX) {
        feature_box(f, d, s.size);
    } else if (s.type == CONVEX_HULL) {
        feature_hull(f, d, s.hull);
    } else if (s.type == CONVEX_CYLINDER) {
        if (magnitude(d.y) > across) {
            feature_disc(f, d, d.y < 0.0f ? -y : y, s.radius, d.y > 0.0f);
        } else {
            feature_add(f, make_real3(d.x * scale, -y, d.z * scale), 0u);
            feature_add(f, make_real3(d.x * scale, y, d.z * scale), 1u);
            f->number = 2u;
        }
    } else if (s.type == CONVEX_CONE) {
        real slant = root(4.0f * y * y + s.radius * s.radius);
        real with_side = (across * 2.0f * y + d.y * s.radius) / slant; // cosine against the side's normal
        if (-d.y > with_side) {
            feature_disc(f, d, -y, s.radius, false);
        } else {
            // far from the side's normal only the tip or the rim matters
            bool tip = 2.0f * y * d.y > s.radius * across;
            if (with_side > 0.7f || !tip) feature_add(f, make_real3(d.x * scale, -y, d.z * scale), 0u);
            if (with_side > 0.7f || tip) feature_add(f, make_real3(0.0f, y, 0.0f), 1u);
            f->number = 2u;
        }
    }
}

/// both features for the contact normal n, in A's frame
KERNEL_FN void pair_features(PRIVATE const ConvexPair* p, real3 n, PRIVATE ConvexFeature* a,
                             PRIVATE ConvexFeature* b) {
    convex_feature(p->a, n, a);
    convex_feature(p->b, mat3_transposed_times(p->rotation, -n), b);
    for (i32 i = 0; i < b->count; ++i) b->point[i] = mat3_times(p->rotation, b->point[i]) + p->position;
    b->normal = mat3_times(p->rotation, b->normal);
}

/// whether the point lies in the polygon's prism along d; taken for granted where corners may have been left out
KERNEL_FN bool feature_covers(PRIVATE const ConvexFeature* f, real3 d, real3 point) {
    if (f->count == FEATURE_POINTS) return true;
    for (i32 k = 0; k < f->count; ++k) {
        real3 from = f->point[k];
        real3 side = f->point[k + 1 < f->count ? k + 1 : 0] - from;
        if (dot3(cross3(side, d), point - from) > 0.0f) return false;
    }
    return true;
}

struct ClipPolygon_t {
    i32 count;
    real3 point[CLIP_POINTS];
    u32 label[CLIP_POINTS]; // of the edge that begins here
};
typedef struct ClipPolygon_t ClipPolygon;

/// the part of `in` with normal . x <= offset; the cut is labelled
KERNEL_FN void clip_polygon(PRIVATE const ClipPolygon* in, real3 normal, real offset, u32 label,
                            PRIVATE ClipPolygon* out) {
    out->count = 0;
    if (in->count == 0) return;
    i32 last = in->count - 1;
    real3 p = in->point[last];
    u32 edge = in->label[last];
    real height = dot3(normal, p) - offset;
    for (i32 i = 0; i < in->count; ++i) {
        real3 q = in->point[i];
        real next = dot3(normal, q) - offset;
        bool below = next <= 0.0f;
        if (below != (height <= 0.0f) && out->count < CLIP_POINTS) {
            out->point[out->count] = p + (q - p) * (height / (height - next));
            out->label[out->count] = below ? edge : label;
            out->count = out->count + 1;
        }
        if (below && out->count < CLIP_POINTS) {
            out->point[out->count] = q;
            out->label[out->count] = in->label[i];
            out->count = out->count + 1;
        }
        p = q;
        height = next;
        edge = in->label[i];
    }
}

/// What an incident point becomes. No two points of the shapes are nearer along n than `least_gap`; the slack of the
/// clipping may show less, beside a tilted face. `sign` is 1 where the reference is A, -1 where it is B; round_a, round_b
/// are the radii around the cores.
KERNEL_FN void clip_offer(PRIVATE const ConvexFeature* reference, real3 q, real3 n, real sign, real least_gap,
                          real round_a, real round_b, u32 feature, real margin,
                          PRIVATE ManifoldCandidates* out) {
    real3 d = n * sign;
    real gap = dot3(q - reference->point[0], reference->normal) / dot3(d, reference->normal);
    gap = greatest(gap, least_gap);
    real3 core = sign > 0.0f ? q - n * gap : q;
    manifold_offer(out, core + n * round_a, gap - (round_a + round_b), feature, margin);
}

KERNEL_FN real feature_edge(PRIVATE const ConvexFeature* f) { return length3(f->point[1] - f->point[0]); }

/// a polygon against a polygon or a segment
KERNEL_FN void clip_faces(PRIVATE const ConvexFeature* reference, PRIVATE const ConvexFeature* incident,
                          real3 n, real sign, real least_gap, real round_a, real round_b, real margin,
                          PRIVATE ManifoldCandidates* out) {
    ClipPolygon polygon[2];
    i32 now = 0;
    polygon[0].count = incident->count;
    for (i32 i = 0; i < incident->count; ++i) {
        polygon[0].point[i] = incident->point[i];
        polygon[0].label[i] = incident->label[i];
    }
    real shortest = feature_edge(incident);
    // a segment is the range of its parameter that is left, and the sides that cut it
    real low = 0.0f, high = 1.0f;
    u32 low_side = 0, high_side = 0;
    real3 along = incident->point[1] - incident->point[0];
    for (i32 k = 0; k < reference->count; ++k) {
        real3 from = reference->point[k];
        real3 edge = reference->point[k + 1 < reference->count ? k + 1 : 0] - from;
        real3 side = cross3(edge, n * sign);
        // corners that lie on the side but for rounding keep their names
        real size = length3(side);
        real offset = dot3(side, from) + 0.002f * least(size, shortest) * size;
        if (incident->count > 2) {
            clip_polygon(&polygon[now], side, offset, CLIP_SIDE + (u32)k, &polygon[1 - now]);
            now = 1 - now;
        } else {
            real height = dot3(side, incident->point[0]) - offset;
            real slope = dot3(side, along);
            if (height + slope * low > 0.0f && height + slope * high > 0.0f) return;
            real t = -height / slope;
            if (slope > 0.0f && t < high) {
                high = t;
                high_side = (u32)k + 1;
            }
            if (slope < 0.0f && t > low) {
                low = t;
                low_side = (u32)k + 1;
            }
        }
    }
    u32 name = (sign > 0.0f ? 0u : 1u << 16) | (reference->number << 17) | (incident->number << 24);
    if (incident->count == 2) {
        if (!(low <= high)) return;
        real3 p = incident->point[0];
        clip_offer(reference, p + along * low, n, sign, least_gap, round_a, round_b, name | (low_side << 8),
                   margin, out);
        if (high > low)
            clip_offer(reference, p + along * high, n, sign, least_gap, round_a, round_b,
                       name | (high_side << 8) | 1u, margin, out);
        return;
    }
    PRIVATE const ClipPolygon* result = &polygon[now];
    for (i32 i = 0; i < result->count; ++i) {
        u32 before = result->label[i > 0 ? i - 1 : result->count - 1];
        clip_offer(reference, result->point[i], n, sign, least_gap, round_a, round_b,
                   name | before | (result->label[i] << 8), margin, out);
    }
}

/// two segments side by side, within a degree: the ends of their common stretch
KERNEL_FN void clip_segments(PRIVATE const ConvexFeature* a, PRIVATE const ConvexFeature* b, real3 n,
                             real round_a, real round_b, real margin, PRIVATE ManifoldCandidates* out) {
    real3 p = a->point[0], da = a->point[1] - p;
    real3 q = b->point[0], db = b->point[1] - q;
    real aa = dot3(da, da), bb = dot3(db, db);
    real across = dot3(cross3(da, db), n);
    real tilt = dot3(da, n);
    if (!(across * across < 0.0004f * aa * bb && tilt * tilt < 0.01f * aa)) return;
    // B's ends along A, then the stretch of A that both cover
    real t0 = dot3(q - p, da) / aa, t1 = dot3((q + db) - p, da) / aa;
    bool same_way = t1 > t0;
    real low = same_way ? t0 : t1, high = same_way ? t1 : t0;
    u32 low_label = same_way ? 2u : 3u, high_label = same_way ? 3u : 2u;
    if (!(high > low)) return;
    if (low < 0.0f) {
        low = 0.0f;
        low_label = 0u;
    }
    if (high > 1.0f) {
        high = 1.0f;
        high_label = 1u;
    }
    if (!((high - low) * (high - low) * aa > 1e-6f * least(aa, bb))) return;
    u32 name = (a->number << 17) | (b->number << 24);
    for (i32 end = 0; end < 2; ++end) {
        real t = end == 0 ? low : high;
        real3 on_a = p + da * t;
        real3 on_b = q + db * ((t - t0) / (t1 - t0));
        real gap = dot3(on_b - on_a, n) - (round_a + round_b);
        manifold_offer(out, on_a + n * round_a, gap, name | (end == 0 ? low_label : high_label), margin);
    }
}
