// SPDX-License-Identifier: MIT
// convex_manifold.h — the contact manifold of any two convex shapes.   compiles as: host, cuda, opencl
//
// First a contact normal and how far the shapes are apart along it, then contact points from the features that face each
// other. Which way the normal is found depends on the pair:
//   spheres, capsules        nearest points of their cores
//   sphere and box           nearest point of the box, or its nearest face
//   boxes, hulls             separating axes (convex_sat.h)
//   planes                   the plane's own
//   the rest                 GJK on shapes shrunk a little, which keeps shallow overlaps apart; its normal is right for the
//                            shapes themselves where a face touches; otherwise GJK and EPA on the shapes themselves

#define WITNESS_FEATURE 0x40000000u

/// input of the manifold
struct ContactAxis_t {
    bool found;
    bool nearest;    // on_a is where they touch
    real3 normal;    // unit, from A to B
    real separation; // of the shapes along it, radii included
    real3 on_a;      // a touching point of A's core
    u32 feature;     // of that point alone
};
typedef struct ContactAxis_t ContactAxis;

/// a unit vector across v
KERNEL_FN real3 unit_across(real3 v) {
    real x = magnitude(v.x), y = magnitude(v.y), z = magnitude(v.z);
    real3 axis = make_real3(0.0f, 0.0f, 1.0f);
    if (y <= x && y <= z) axis = make_real3(0.0f, 1.0f, 0.0f);
    else if (x <= z) axis = make_real3(1.0f, 0.0f, 0.0f);
    return unit3(cross3(v, axis), make_real3(0.0f, 1.0f, 0.0f));
}

/// spheres and capsules: the nearest points of their segments (Ericson 2005, 5.1.9)
KERNEL_FN ContactAxis round_axis(PRIVATE const ConvexPair* p) {
    real half_a = p->a.type == CONVEX_CAPSULE ? p->a.size.y : 0.0f;
    real half_b = p->b.type == CONVEX_CAPSULE ? p->b.size.y : 0.0f;
    real3 da = make_real3(0.0f, 1.0f, 0.0f);
    real3 db = make_real3(p->rotation.x.y, p->rotation.y.y, p->rotation.z.y);
    real3 r = p->position;
    // parameters in metres from the middles
    real c = db.y;
    real ra = r.y, rb = dot3(r, db);
    real square = 1.0f - c * c;
    real s = square > 1e-6f ? clamped((ra - rb * c) / square, -half_a, half_a) : clamped(ra, -half_a, half_a);
    real t = clamped(s * c - rb, -half_b, half_b);
    s = clamped(ra + t * c, -half_a, half_a);
    real3 on_a = da * s;
    real3 v = (r + db * t) - on_a;
    ContactAxis axis;
    real distance = length3(v);
    // crossing cores: across both
    real3 otherwise = half_a > 0.0f || half_b > 0.0f ? cross3(da, db) : make_real3(0.0f, 0.0f, 0.0f);
    if (!(half_a > 0.0f) && half_b > 0.0f) otherwise = unit_across(db);
    if (!(half_b > 0.0f) && half_a > 0.0f) otherwise = make_real3(1.0f, 0.0f, 0.0f);
    if (!(dot3(otherwise, otherwise) > 1e-6f))
        otherwise = half_a > 0.0f ? make_real3(1.0f, 0.0f, 0.0f) : make_real3(0.0f, 1.0f, 0.0f);
    axis.normal = distance > 1e-12f ? v * (to_real(1.0f) / distance) : unit3(otherwise, da);
    axis.found = true;
    axis.nearest = true;
    axis.separation = distance - (p->a.radius + p->b.radius);
    axis.on_a = on_a;
    axis.feature = WITNESS_FEATURE;
    return axis;
}

/// A is a sphere, B a box
KERNEL_FN ContactAxis sphere_box_axis(PRIVATE const ConvexPair* p) {
    real3 h = p->b.size;
    real3 centre = -mat3_transposed_times(p->rotation, p->position);
    real3 near_point =
        make_real3(clamped(centre.x, -h.x, h.x), clamped(centre.y, -h.y, h.y), clamped(centre.z, -h.z, h.z));
    real3 v = near_point - centre;
    real distance = length3(v);
    real3 n;
    if (distance > 0.0f) {
        n = v * (to_real(1.0f) / distance);
    } else {
        // inside: to the nearest face
        real3 depth =
            make_real3(h.x - magnitude(centre.x), h.y - magnitude(centre.y), h.z - magnitude(centre.z));
        u32 axis = depth.x <= depth.y && depth.x <= depth.z ? 0u : (depth.y <= depth.z ? 1u : 2u);
        distance = -along_axis(depth, axis);
        n = unit_axis(axis) * (along_axis(centre, axis) < 0.0f ? 1.0f : -1.0f);
    }
    ContactAxis axis;
    axis.found = true;
    axis.nearest = true;
    axis.normal = mat3_times(p->rotation, n);
    axis.separation = distance - p->a.radius;
    axis.on_a = make_real3(0.0f, 0.0f, 0.0f);
    axis.feature = WITNESS_FEATURE;
    return axis;
}

/// Turns the normal onto a face's where they all but agree and the overlap along it is no larger: a face at rest then
/// has a steady normal. Whether that face, pushed along its normal, meets the other shape's support point: then the
/// overlap is least there, whatever happens elsewhere.
KERNEL_FN bool settle_on_face(PRIVATE const ConvexPair* p, PRIVATE const ConvexFeature* a,
                              PRIVATE const ConvexFeature* b, PRIVATE ContactAxis* axis,
                              PRIVATE real* overlap) {
    for (i32 side = 0; side < 2; ++side) {
        PRIVATE const ConvexFeature* f = side == 0 ? a : b;
        real3 n = side == 0 ? f->normal : -f->normal;
        if (f->count < 3 || !(dot3(n, axis->normal) > 0.9995f)) continue;
        real3 on_a = convex_support(p->a, n, 0.0f), on_b = pair_support_b(p, -n, 0.0f);
        real along = dot3(n, on_a - on_b);
        real scale = (magnitude(on_a.x) + magnitude(on_a.y)) + (magnitude(on_a.z) + magnitude(along));
        if (!(along <= *overlap + 1e-4f * scale)) continue;
        axis->normal = n;
        *overlap = along;
        if (!feature_covers(f, f->normal, side == 0 ? on_b : on_a)) return false;
        axis->on_a = side == 0 ? on_b + n * along : on_a;
        return true;
    }
    return false;
}

/// GJK and EPA; leaves the features for the normal in a and b. `apart`: the shapes are known not to overlap.
KERNEL_FN ContactAxis general_axis(PRIVATE const ConvexPair* p, real margin, bool apart,
                                   PRIVATE ConvexFeature* a, PRIVATE ConvexFeature* b) {
    ContactAxis axis;
    axis.found = false;
    axis.nearest = true;
    axis.feature = WITNESS_FEATURE;
    real rounds = convex_round(p->a) + convex_round(p->b);
    real shrink_a = apart ? 0.0f : convex_shrink(p->a), shrink_b = apart ? 0.0f : convex_shrink(p->b);
    bool shrunk = shrink_a + shrink_b > 0.0f;
    real3 start = unit3(p->position, make_real3(0.0f, 1.0f, 0.0f));
    ConvexGap gap;
    for (i32 stage = shrunk ? 0 : 1; stage < 3; ++stage) {
        if (stage < 2) {
            real sa = stage == 0 ? shrink_a : 0.0f, sb = stage == 0 ? shrink_b : 0.0f;
            real limit = (margin + rounds) + (convex_shrunk_reach(p->a, sa) + convex_shrunk_reach(p->b, sb));
            convex_gjk(p, sa, sb, start, limit, &gap);
            if (gap.state == GAP_BEYOND) {
                axis.found = false;
                return axis;
            }
            if (gap.state == GAP_OVERLAP) {
                // the shrunk shapes overlap: so do the shapes
                if (stage == 0) ++stage;
                continue;
            }
        } else {
            convex_epa(p, start, &gap);
        }
        axis.normal = gap.normal;
        axis.on_a = gap.on_a;
        bool single = p->a.type == CONVEX_SPHERE || p->b.type == CONVEX_SPHERE;
        if (!single) pair_features(p, gap.normal, a, b);
        real overlap = stage == 0 ? pair_overlap(p, gap.normal) : -gap.separation;
        real bound = stage == 0 ? (shrink_a + shrink_b) - gap.separation : overlap;
        if (stage == 0) axis.on_a = axis.on_a + axis.normal * shrink_a;
        bool settled = !single && settle_on_face(p, a, b, &axis, &overlap);
        axis.separation = -overlap - rounds;
        axis.found = true;
        // the shrunk shapes with a rounded rim lie inside the shapes: they bound the overlap from below
        if (stage > 0 || settled ||
            overlap - bound <= 1e-3f * magnitude(bound) + 1e-3f * (shrink_a + shrink_b))
            break;
        start = axis.normal;
        // GJK on the shapes themselves finds nothing where they overlap for certain
        if (bound > 0.0f) ++stage;
    }
    return axis;
}

/// The points of the contact along a known normal. False where they fall short of its overlap: the normal was not the best.
KERNEL_FN bool axis_points(PRIVATE const ConvexPair* p, ContactAxis axis, PRIVATE const ConvexFeature* a,
                           PRIVATE const ConvexFeature* b, real margin, PRIVATE ManifoldCandidates* out) {
    real round_a = convex_round(p->a), round_b = convex_round(p->b);
    real3 n = axis.normal;
    real cosine_a = dot3(a->normal, n), cosine_b = -dot3(b->normal, n);
    bool face_a = a->count > 2 && cosine_a > 0.3f, face_b = b->count > 2 && cosine_b > 0.3f;
    real least_gap = axis.separation + (round_a + round_b); // of the cores
    out->count = 0;
    // edges that cross far from any face touch in one point
    bool crossing = a->count > 2 && b->count > 2 && cosine_a < 0.95f && cosine_b < 0.95f;
    if (!crossing && a->count > 1 && b->count > 1) {
        if (face_a && (!face_b || cosine_a >= cosine_b - 0.01f))
            clip_faces(a, b, n, 1.0f, least_gap, round_a, round_b, margin, out);
        else if (face_b) clip_faces(b, a, n, -1.0f, least_gap, round_a, round_b, margin, out);
        else if (a->count == 2 && b->count == 2) clip_segments(a, b, n, round_a, round_b, margin, out);
    }
    real deepest = 3e38f;
    for (i32 i = 0; i < out->count; ++i) deepest = least(deepest, out->separation[i]);
    real scale = (magnitude(axis.on_a.x) + magnitude(axis.on_a.y)) + magnitude(axis.on_a.z);
    if (deepest <= axis.separation + (0.004f * magnitude(axis.separation) + 1e-4f * scale)) return true;
    if (!axis.nearest) return false;
    // one point of A's or B's core pins the place
    real3 core = axis.on_a;
    if (b->count == 1) core = b->point[0] - n * least_gap;
    if (a->count == 1) core = a->point[0];
    manifold_offer(out, core + n * round_a, axis.separation, axis.feature, margin);
    return true;
}

/// A or B is a sphere
KERNEL_FN void sphere_point(PRIVATE const ConvexPair* p, ContactAxis axis, real margin,
                            PRIVATE ManifoldCandidates* out) {
    real3 point = axis.normal * p->a.radius;
    if (p->a.type != CONVEX_SPHERE) point = p->position - axis.normal * (axis.separation + p->b.radius);
    manifold_offer(out, point, axis.separation, axis.feature, margin);
}

/// B is a plane
KERNEL_FN void plane_points(PRIVATE const ConvexPair* p, real margin, PRIVATE real3* normal,
                            PRIVATE ManifoldCandidates* out) {
    real3 up = make_real3(p->rotation.x.y, p->rotation.y.y, p->rotation.z.y);
    real round_a = convex_round(p->a);
    ConvexFeature f;
    convex_feature(p->a, -up, &f);
    *normal = -up;
    out->count = 0;
    for (i32 i = 0; i < f.count; ++i) {
        real height = dot3(f.point[i] - p->position, up) - round_a;
        manifold_offer(out, f.point[i] - up * round_a, height, f.label[i] | (f.number << 8), margin);
    }
    // a face's corners may have been thinned out, or another face's be deeper by rounding
    if (p->a.type == CONVEX_HULL) {
        u32 vertex = hull_support(p->a.hull, -up);
        real3 v = hull_vertex(p->a.hull, vertex);
        real height = dot3(v - p->position, up);
        bool known = false;
        for (i32 i = 0; i < f.count; ++i) known = known || f.label[i] == vertex;
        if (!known) manifold_offer(out, v, height, vertex | (f.number << 8), margin);
    }
}

KERNEL_FN bool convex_solid(ConvexShape s) { return s.type == CONVEX_BOX || s.type == CONVEX_HULL; }

/// Boxes and hulls: their points along the best separating axis. A preferred face whose deepest corner lies beside it is
/// given up where its points fall short. State as of GJK; no points and GAP_APART where the distance is to other features.
/// `parting`: of the axis, where they are beyond the margin
KERNEL_FN i32 solid_points(PRIVATE const ConvexPair* p, real margin, PRIVATE real3* normal,
                           PRIVATE u32* parting, PRIVATE ManifoldCandidates* out) {
    ConvexFeature feature_a, feature_b;
    for (i32 attempt = 0; attempt < 2; ++attempt) {
        real preference = attempt == 0 ? 1.0f : 0.0f;
        SatAxis sat;
        if (p->a.type == CONVEX_BOX && p->b.type == CONVEX_BOX) sat = box_axis(p, margin, preference);
        else sat = solid_axis(p, margin, preference);
        if (!(sat.separation <= margin)) {
            *parting = sat.parting;
            return GAP_BEYOND;
        }
        bool apart = sat.separation > 0.0f;
        if (apart && sat.face == 2) return GAP_APART;
        ContactAxis axis;
        axis.found = true;
        axis.normal = sat.normal;
        axis.separation = sat.separation;
        axis.on_a = sat.on_a;
        axis.feature = sat.face == 2 ? sat.edges : WITNESS_FEATURE;
        *normal = sat.normal;
        pair_features(p, axis.normal, &feature_a, &feature_b);
        axis.nearest = !apart;
        if (!apart && attempt == 0 && sat.face == 0)
            axis.nearest = feature_covers(&feature_a, feature_a.normal, sat.on_a);
        if (!apart && attempt == 0 && sat.face == 1)
            axis.nearest = feature_covers(&feature_b, feature_b.normal, sat.on_a);
        bool enough = axis_points(p, axis, &feature_a, &feature_b, margin, out);
        if (apart) return GAP_APART;
        if (enough) break;
    }
    return GAP_OVERLAP;
}

/// The contacts of A and B, B's frame given in A's: at most four points with separation <= margin. `parting`: nothing, or
/// what it was for the pair the last time, 0 at first: a face that parted two hulls mostly still does. It makes no difference to
/// the contacts.
KERNEL_FN void convex_manifold(ConvexShape a, ConvexShape b, real3 position_b_in_a, quat rotation_b_in_a,
                               real margin, PRIVATE u32* parting, PRIVATE Manifold* out) {
    ConvexPair p;
    ManifoldCandidates candidates;
    candidates.count = 0;
    real3 normal = make_real3(0.0f, 1.0f, 0.0f);
    p.rotation = quat_matrix(rotation_b_in_a);
    p.position = position_b_in_a;
    out->count = 0;
    out->normal = normal;
    if ((a.type == CONVEX_PLANE && b.type == CONVEX_PLANE) || !finite3(position_b_in_a)) return;
    // planes come second, spheres before boxes
    bool swapped = a.type == CONVEX_PLANE || (a.type == CONVEX_BOX && b.type == CONVEX_SPHERE);
    p.a = swapped ? b : a;
    p.b = swapped ? a : b;
    if (swapped) {
        p.rotation = mat3_transposed(p.rotation);
        p.position = -mat3_times(p.rotation, position_b_in_a);
    }
    bool solids = convex_solid(p.a) && convex_solid(p.b);
    i32 state = GAP_OVERLAP;
    if (parting && solids && sat_parted(&p, *parting, margin)) return;
    u32 parts = 0;
    if (p.b.type == CONVEX_PLANE) plane_points(&p, margin, &normal, &candidates);
    else if (solids) state = solid_points(&p, margin, &normal, &parts, &candidates);
    if (parting) *parting = parts;
    if (state == GAP_BEYOND) return;
    if (candidates.count == 0 && p.b.type != CONVEX_PLANE) {
        ConvexFeature feature_a, feature_b;
        ContactAxis axis;
        if (p.a.type <= CONVEX_CAPSULE && p.b.type <= CONVEX_CAPSULE) axis = round_axis(&p);
        else if (p.a.type == CONVEX_SPHERE && p.b.type == CONVEX_BOX) axis = sphere_box_axis(&p);
        else axis = general_axis(&p, margin, state == GAP_APART, &feature_a, &feature_b);
        if (!axis.found || !(axis.separation <= margin)) return;
        normal = axis.normal;
        if (p.a.type == CONVEX_SPHERE || p.b.type == CONVEX_SPHERE) {
            sphere_point(&p, axis, margin, &candidates);
        } else {
            pair_features(&p, normal, &feature_a, &feature_b);
            axis_points(&p, axis, &feature_a, &feature_b, margin, &candidates);
        }
    }
    manifold_choose(&candidates, normal, out);
    if (swapped) manifold_turn_over(out, p.rotation, p.position);
}
