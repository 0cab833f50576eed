// SPDX-License-Identifier: MIT
// fabric_shape.h — contacts of a vertex of a cloth with any shape, and the table of shapes.   compiles as: host, cuda
//
// Points are in the shape's frame. `before` is the vertex at the beginning of the step in the frame that the shape had then, so
// that the way from there is the relative motion.
//
// Include it after fabric_words.h and fabric_mesh.h.

#define FABRIC_SAME_WAY 0.5f // cosine: normals that push to one side

KERNEL_FN real fabric_number(GLOBAL const u32* table, u32 at) { return as_real((i32)table[at]); }

KERNEL_FN ConvexShape fabric_table_shape(GLOBAL const u32* table, GLOBAL const u32* words, u32 i) {
    GLOBAL const u32* t = table + FABRIC_SHAPE_WORDS * i;
    ConvexShape shape;
    shape.type = t[0];
    shape.size = make_real3(fabric_number(t, 8), fabric_number(t, 9), fabric_number(t, 10));
    shape.radius = fabric_number(t, 11);
    shape.hull = words + t[3];
    return shape;
}
/// from the body's centre of mass, and the reach
KERNEL_FN real4 fabric_table_offset(GLOBAL const u32* table, u32 i) {
    GLOBAL const u32* t = table + FABRIC_SHAPE_WORDS * i;
    return make_real4(fabric_number(t, 12), fabric_number(t, 13), fabric_number(t, 14), fabric_number(t, 15));
}
KERNEL_FN quat fabric_table_turn(GLOBAL const u32* table, u32 i) {
    GLOBAL const u32* t = table + FABRIC_SHAPE_WORDS * i;
    return make_quat(fabric_number(t, 19), fabric_number(t, 16), fabric_number(t, 17), fabric_number(t, 18));
}

/// a point beyond FABRIC_FAR is taken to be there
KERNEL_FN real3 fabric_near(real3 p) {
    return fabric_within(p, make_real3(FABRIC_FAR, FABRIC_FAR, FABRIC_FAR));
}

/// Of a shape that is no mesh: the shortest way out, unless the point came in, or through, from another side.
KERNEL_FN u32 fabric_convex_hit(const ConvexShape shape, real3 point, real3 before, real margin,
                                PRIVATE FabricHit* out) {
    FabricHit hit;
    if (shape.type == CONVEX_HULL) {
        u32 top = fabric_hull_face(shape.hull, point);
        hit = fabric_face_hit(hull_plane(shape.hull, top), point);
        // the plane parts them, and the way
        if (hit.distance > margin && dot3(hit.normal, before - hit.point) > 0.0f) return 0;
        hit = fabric_hull(shape.hull, top, point);
    } else {
        hit = fabric_convex(shape, point, before);
    }
    *out = hit;
    u32 count = hit.distance <= margin ? 1u : 0u;
    // in front of a plane that all of the shape is behind: the way to here does not meet the shape elsewhere
    if (shape.type == CONVEX_PLANE || dot3(hit.normal, before - hit.point) >= 0.0f) return count;
    FabricHit entry = fabric_convex(shape, before, point);
    if (entry.distance > 0.0f) {
        if (!fabric_segment(shape, before, point, &entry)) return count;
    } else {
        // hardly inside: it stays on the side where it was
        if (!(entry.distance >= -margin)) return count;
        entry.distance = dot3(entry.normal, point - entry.point);
    }
    if (!(entry.distance < 0.0f) || dot3(entry.normal, hit.normal) > FABRIC_SAME_WAY) return count;
    *out = entry;
    return 1;
}

/// The contacts of a vertex with a shape: surfaces within the margin, and those that it passed since the beginning of the step.
/// `hits` has room for two; the second is for valleys of meshes.
KERNEL_FN u32 fabric_shape_hit(const ConvexShape shape, real3 point, real3 before, real margin,
                               PRIVATE FabricHit* hits) {
    real3 now = fabric_near(point), then = fabric_near(before);
    if (shape.type == CONVEX_MESH) return fabric_mesh_hits(shape, now, then, least(margin, FABRIC_FAR), hits);
    return fabric_convex_hit(shape, now, then, margin, hits);
}
