// SPDX-License-Identifier: MIT
// fabric_parts.h — contacts of a cloth's triangles and lines with bodies, between their vertices.   compiles as: host, cuda
//
// Found once a step. A part (a triangle, or a line) moves towards a shape as its vertices do; where it first comes as near as the
// cloth is thick (conservative advancement, Mirtich 1996), the nearest points are a contact: a place on the body, a normal that turns with
// the body, and weights of the part's vertices. Corners of the shape's face that lie over the part are more of them. Where a vertex is as
// near as any point of the part, its own contact does (fabric_contact.h). The side that pushes is where the middle of the shape is.
//
// In a substep each contact sees its share of the mass of its vertices and of the body: the number of contacts that push them now (Tonge
// et al. 2012). Sums have the order of (part, slot).
//
// Of meshes it touches the edges that turn outwards (fabric_ridges.h); their faces touch vertices.
//
// Include it after fabric_ridges.h.

#define FABRIC_PART_LOOKS 8u // steps of an advancement
#define FABRIC_PART_BETTER                                                                                   \
    0.1f // of the thickness: so much nearer than its vertices is a part that has a contact
#define FABRIC_PART_NEAR 0.02f // of the thickness: it has come near
#define FABRIC_PART_STEEP 0.3f // cosine: a face that leans more against the part lends no corners
#define FABRIC_PART_ROUNDS 4u  // over the contacts of a body with held cloth
#define FABRIC_PART_PATCHES 8u // of vertices that parts of a patch are in, at most, for a first look
#define FABRIC_PART_POINTS 4u  // contacts of a part with one convex shape
#define FABRIC_PART_CORNERS 8u // of a mesh: those of one part that are told apart

/// the shape goes through the part: out along the part's normal, to the side of the shape's middle
KERNEL_FN FabricPartHit fabric_part_through(const ConvexShape shape, PRIVATE const real3* corner,
                                            real3 middle) {
    FabricPartHit hit;
    hit.weight = fabric_part_weights(corner, middle);
    real3 nearest = fabric_part_point(corner, hit.weight);
    real3 ab = corner[1] - corner[0], ac = corner[2] - corner[0], across = cross3(ab, ac);
    real3 otherwise = fabric_unit(nearest - middle, make_real3(0.0f, -1.0f, 0.0f));
    const bool flat =
        dot3(across, across) > FABRIC_THIN * greatest(dot3(ab, ab), dot3(ac, ac)) * dot3(ab, ab);
    real3 n = flat ? fabric_unit(across, otherwise) : otherwise;
    if (dot3(n, nearest - middle) < 0.0f) n = -n;
    hit.normal = n;
    hit.point = convex_support(shape, n, 0.0f) + n * convex_round(shape);
    hit.weight = fabric_part_weights(corner, hit.point);
    hit.distance = dot3(n, fabric_part_point(corner, hit.weight) - hit.point);
    hit.found = true;
    return hit;
}

/// The nearest points of a part and a convex shape, all in the shape's frame. A line has its second vertex twice.
KERNEL_FN FabricPartHit fabric_part_near(const ConvexShape shape, PRIVATE const real3* corner, real3 middle,
                                         real limit) {
    FabricPartHit hit;
    if (shape.type == CONVEX_SPHERE) {
        hit.weight = fabric_part_weights(corner, make_real3(0.0f, 0.0f, 0.0f));
        real3 q = fabric_part_point(corner, hit.weight);
        const real far = length3(q);
        if (!(far > FABRIC_NOTHING)) return fabric_part_through(shape, corner, middle);
        hit.normal = q * (1.0f / far);
        hit.point = hit.normal * shape.radius;
        hit.distance = far - shape.radius;
        hit.found = hit.distance <= limit;
        return hit;
    }
    u32 words[TRIANGLE_WORDS];
    triangle_words(corner, make_real3(0.0f, 1.0f, 0.0f), words);
    mat3 same;
    same.x = make_real3(1.0f, 0.0f, 0.0f);
    same.y = make_real3(0.0f, 1.0f, 0.0f);
    same.z = make_real3(0.0f, 0.0f, 1.0f);
    const ConvexPair pair = triangle_pair(words, shape, same);
    const real around = convex_round(shape);
    ConvexGap gap;
    convex_gjk(&pair, 0.0f, 0.0f,
               fabric_unit(middle - (corner[0] + corner[1] + corner[2]) * (1.0f / 3.0f),
                           make_real3(0.0f, 1.0f, 0.0f)),
               limit + around, &gap);
    hit.found = gap.state != GAP_BEYOND;
    if (gap.state == GAP_OVERLAP) return fabric_part_through(shape, corner, middle);
    hit.normal = -gap.normal;
    hit.distance = gap.separation - around;
    hit.weight = fabric_part_weights(corner, gap.on_a);
    hit.point = gap.on_a - hit.normal * hit.distance;
    return hit;
}

/// The corners of the shape's face that lie over the part, and where none is, the nearest points. Returns how many.
KERNEL_FN u32 fabric_part_points(const ConvexShape shape, PRIVATE const real3* corner,
                                 const FabricPartHit nearest, real limit, PRIVATE FabricPartHit* out) {
    u32 count = 0;
    bool covered = false;
    real3 across = cross3(corner[1] - corner[0], corner[2] - corner[0]);
    const real area = dot3(across, across), lean = dot3(across, nearest.normal);
    if (shape.type != CONVEX_SPHERE && lean * lean > FABRIC_PART_STEEP * FABRIC_PART_STEEP * area) {
        ConvexFeature face;
        convex_feature(shape, nearest.normal, &face);
        const real around = convex_round(shape);
        // of many, a few that are far from each other
        const u32 all = static_cast<u32>(face.count),
                  step = (all + FABRIC_PART_POINTS - 1) / FABRIC_PART_POINTS;
        for (u32 k = 0; k < all && all > 1 && count < FABRIC_PART_POINTS - 1; k += step) {
            real3 f = face.point[k];
            const real along = dot3(across, corner[0] - f) / lean;
            real3 q = f + nearest.normal * along;
            real3 weight = make_real3(dot3(across, cross3(corner[1] - q, corner[2] - q)) / area,
                                      dot3(across, cross3(corner[2] - q, corner[0] - q)) / area, 0.0f);
            weight.z = (1.0f - weight.x) - weight.y;
            if (!(weight.x >= 0.0f && weight.y >= 0.0f && weight.z >= 0.0f)) continue;
            if (!(along - around <= limit)) continue;
            out[count].point = f + nearest.normal * around;
            out[count].normal = nearest.normal;
            out[count].distance = along - around;
            out[count].weight = weight;
            out[count].found = true;
            real3 off = out[count].point - nearest.point;
            covered = covered || dot3(off, off) < 1e-6f * dot3(f, f);
            ++count;
        }
    }
    if (!covered) out[count++] = nearest;
    return count;
}

// finding ----------------------------------------------------------------------------------------------------------------

struct FabricCorners_t {
    u32 vertex[3]; // a line has its second twice
};
typedef struct FabricCorners_t FabricCorners;

KERNEL_FN FabricCorners fabric_corners(u32 part, const FabricView w) {
    real4 t = load4(w.triangle, part);
    FabricCorners corners;
    corners.vertex[0] = static_cast<u32>(as_whole(t.x));
    corners.vertex[1] = static_cast<u32>(as_whole(t.y));
    corners.vertex[2] = static_cast<u32>(as_whole(t.z));
    return corners;
}

struct FabricPart_t {
    u32 vertex[3]; // a line has its second twice
    real3 at[3], speed[3];
    real thickness, friction;
    u32 cloth, category, mask, group;
};
typedef struct FabricPart_t FabricPart;

KERNEL_FN FabricPart fabric_part(u32 i, const FabricView w) {
    FabricPart part;
    const FabricCorners corners = fabric_corners(i, w);
    for (u32 j = 0; j < 3; ++j) part.vertex[j] = corners.vertex[j];
    for (u32 j = 0; j < 3; ++j) {
        part.at[j] = xyz(load4(w.position, part.vertex[j]));
        part.speed[j] = xyz(load4(w.velocity, part.vertex[j]));
    }
    const u32 cloth = static_cast<u32>(as_whole(load4(w.velocity, part.vertex[0]).w));
    part.cloth = cloth;
    real4 skin = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN);
    real4 limits = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_LIMITS);
    part.thickness = skin.x;
    part.friction = skin.y;
    part.category = static_cast<u32>(as_whole(limits.x));
    part.mask = static_cast<u32>(as_whole(limits.y));
    part.group = static_cast<u32>(as_whole(limits.z));
    return part;
}

/// which shapes are near FABRIC_PATCH parts that follow each other
KERNEL_FN void fabric_part_patches(u32 k, const FabricView w, const FabricParams p) {
    const u32 first = FABRIC_PATCH * k;
    u32 last = first + FABRIC_PATCH;
    if (last > p.parts) last = p.parts;
    u32* list = w.part_patch + FABRIC_PATCH_WORDS * k;
    // first all vertices of the patches that theirs are in: mostly nothing is near
    u32 lowest = p.vertices, highest = 0;
    for (u32 i = first; i < last; ++i) {
        const FabricCorners v = fabric_corners(i, w);
        for (u32 j = 0; j < 3; ++j) {
            lowest = v.vertex[j] < lowest ? v.vertex[j] : lowest;
            highest = v.vertex[j] > highest ? v.vertex[j] : highest;
        }
    }
    FabricCrowd crowd = fabric_crowd();
    if (highest / FABRIC_PATCH - lowest / FABRIC_PATCH < FABRIC_PART_PATCHES) {
        for (u32 m = lowest / FABRIC_PATCH; m <= highest / FABRIC_PATCH; ++m) fabric_crowd_join(&crowd, m, w);
        fabric_list_near(crowd, true, list, w, p);
        if (list[0] == 0u) return;
        crowd = fabric_crowd();
    }
    for (u32 i = first; i < last; ++i) {
        const FabricCorners v = fabric_corners(i, w);
        for (u32 j = 0; j < 3; ++j) fabric_crowd_add(&crowd, v.vertex[j], w);
    }
    fabric_list_near(crowd, true, list, w, p);
}

/// what a part comes near to: a convex shape, or an edge of a mesh
struct FabricTarget_t {
    ConvexShape shape;
    real3 middle; // of the shape
    bool is_ridge;
    FabricRidge ridge;
};
typedef struct FabricTarget_t FabricTarget;

/// how far a part goes in the step, and what counts as near
struct FabricWay_t {
    real3 way[3]; // of its vertices, as the body sees them
    real longest; // of these
    real slack;   // beyond the thickness: near at once
    real limit;   // farther it cannot come near
};
typedef struct FabricWay_t FabricWay;

KERNEL_FN FabricWay fabric_part_way(const FabricPart* part, const FabricBody body, const FabricParams p) {
    FabricWay w;
    w.longest = 0.0f;
    for (u32 j = 0; j < 3; ++j) {
        w.way[j] = (part->speed[j] - (body.v + cross3(body.w, part->at[j] - body.at))) * p.dt;
        w.longest = greatest(w.longest, dot3(w.way[j], w.way[j]));
    }
    w.longest = root(w.longest);
    const real falls = 0.5f * p.dt * p.dt *
                       length3(make_real3(p.gravity_x, p.gravity_y, p.gravity_z)); // from rest in a step
    w.slack = 0.25f * part->thickness + falls;
    w.limit = part->thickness + w.slack + w.longest;
    return w;
}

/// Where a part comes near a shape within the step. `corner`: in the shape's frame, left as they are then; `way` too.
KERNEL_FN FabricPartHit fabric_part_advance(PRIVATE const FabricTarget* target, PRIVATE real3* corner,
                                            PRIVATE const real3* way, real thickness, real slack,
                                            real limit) {
    FabricPartHit hit;
    real time = 0.0f;
    for (u32 look = 0; look < FABRIC_PART_LOOKS; ++look) {
        hit = target->is_ridge ? fabric_ridge_near(&target->ridge, corner, limit)
                               : fabric_part_near(target->shape, corner, target->middle, limit);
        if (!hit.found) return hit;
        const real gap = hit.distance - thickness;
        // what is near at once has room to fall; on the way it must come as near as it may, or it passes by
        if (gap <= (look ? FABRIC_PART_NEAR * thickness : slack)) return hit;
        const real closing =
            -least(dot3(hit.normal, way[0]), least(dot3(hit.normal, way[1]), dot3(hit.normal, way[2])));
        hit.found = false;
        if (!(closing > 0.0f)) return hit;
        const real step = gap / closing;
        time = time + step;
        if (!(time <= 1.0f)) return hit;
        for (u32 j = 0; j < 3; ++j) corner[j] = corner[j] + way[j] * step;
        hit.found = true;
    }
    return hit;
}

/// the contacts of a part with one convex shape, in the body's frame; returns how many
KERNEL_FN u32 fabric_part_shape(const FabricPart* part, u32 s, const FabricView w, const FabricParams p,
                                PRIVATE FabricPartHit* hits) {
    const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
    const FabricBody body = fabric_body(row[1], w);
    FabricWay to = fabric_part_way(part, body, p);
    real3 about = (part->at[0] + part->at[1] + part->at[2]) * (1.0f / 3.0f);
    real size = 0.0f;
    for (u32 j = 0; j < 3; ++j) size = greatest(size, dot3(part->at[j] - about, part->at[j] - about));
    // a point of the part is nearer to the core than its vertices by size^2 / (2 radius) at most
    if (row[0] <= CONVEX_CAPSULE &&
        size < (2.0f * FABRIC_PART_BETTER) * part->thickness * fabric_number(row, 11))
        return 0;
    const real wide = to.limit + root(size);
    real4 near = load4(w.shape_near, s);
    real3 off = about - xyz(near);
    if (!(dot3(off, off) <= (near.w + wide) * (near.w + wide))) return 0;
    const FabricShape f = fabric_shape(s, w, body);
    about = fabric_turned_back(f.turn, (about - body.at) - f.offset);
    if (!(fabric_convex(f.shape, about, about).distance <= wide)) return 0;
    real3 corner[3];
    for (u32 j = 0; j < 3; ++j) {
        corner[j] = fabric_turned_back(f.turn, (part->at[j] - body.at) - f.offset);
        to.way[j] = fabric_turned_back(f.turn, to.way[j]);
    }
    FabricTarget target;
    target.shape = f.shape;
    target.middle = f.shape.type == CONVEX_HULL ? solid_middle(f.shape) : make_real3(0.0f, 0.0f, 0.0f);
    target.is_ridge = false;
    const FabricPartHit nearest =
        fabric_part_advance(&target, corner, to.way, part->thickness, to.slack, to.limit);
    if (!nearest.found) return 0;
    real vertices = 3e38f;
    for (u32 j = 0; j < 3; ++j)
        vertices = least(vertices, fabric_convex(f.shape, corner[j], corner[j]).distance);
    if (nearest.distance > vertices - FABRIC_PART_BETTER * part->thickness || vertices < 0.0f) return 0;
    if ((row[2] & FABRIC_ONE_WAY) &&
        !(dot3(nearest.normal,
               make_real3(fabric_number(row, 28), fabric_number(row, 29), fabric_number(row, 30))) > 0.5f))
        return 0;
    atomic_or(w.touched + row[1], fabric_class(part->cloth));
    const u32 count = fabric_part_points(f.shape, corner, nearest, part->thickness + to.slack, hits);
    for (u32 k = 0; k < count; ++k) {
        hits[k].point = fabric_turned_back(body.turn, f.offset + fabric_turned(f.turn, hits[k].point));
        hits[k].normal = fabric_turned_back(body.turn, fabric_turned(f.turn, hits[k].normal));
    }
    return count;
}

/// one contact, in the body's frame, into the list
KERNEL_FN void fabric_part_store(u32 i, const FabricPart* part, const FabricPartHit hit, u32 body,
                                 real friction, PRIVATE u32* slot, const FabricView w, const FabricParams p) {
    const u32 at = atomic_add(w.counts + FABRIC_COUNT_PRESSES, 1u);
    const u32 order = FABRIC_PART_SLOTS * i + (*slot)++;
    if (at >= p.room) return;
    store4(w.press, FABRIC_PRESS * at, with_w(hit.point, as_real(static_cast<i32>(body))));
    store4(w.press, FABRIC_PRESS * at + 1, with_w(hit.normal, root(part->friction * friction)));
    store4(w.press, FABRIC_PRESS * at + 2, with_w(hit.weight, as_real(static_cast<i32>(i))));
    const bool yields = load4(w.body_inverse, 2 * body + 1).z > 0.0f;
    w.press_bodies[2 * at] = order;
    w.press_bodies[2 * at + 1] = yields ? body : FABRIC_NONE;
    w.press_body_of[at] = at;
    const real share[3] = {hit.weight.x, hit.weight.y, hit.weight.z};
    for (u32 j = 0; j < 3; ++j) {
        const bool moves = share[j] > 0.0f && load4(w.position, part->vertex[j]).w > 0.0f;
        w.press_vertices[2 * (3 * at + j)] = order;
        w.press_vertices[2 * (3 * at + j) + 1] = moves ? part->vertex[j] : FABRIC_NONE;
        w.press_vertex_of[3 * at + j] = 3 * at + j;
    }
}

/// The contacts of a part with the edges of a mesh, into the list. Edges that end at one corner touch with it once.
KERNEL_FN void fabric_part_mesh(u32 i, const FabricPart* part, u32 s, PRIVATE u32* slot, const FabricView w,
                                const FabricParams p) {
    const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
    const FabricBody body = fabric_body(row[1], w);
    const FabricShape f = fabric_shape(s, w, body);
    const FabricWay to = fabric_part_way(part, body, p);
    const real reach = part->thickness + to.slack;
    // along the mesh's axes, about the middle of the part
    const real3 about = (part->at[0] + part->at[1] + part->at[2]) * (1.0f / 3.0f);
    const real3 centre = fabric_near(fabric_turned_back(f.turn, (about - body.at) - f.offset));
    real3 corner[3], way[3], low = make_real3(3e38f, 3e38f, 3e38f), high = -low;
    for (u32 j = 0; j < 3; ++j) {
        corner[j] = fabric_turned_back(f.turn, part->at[j] - about);
        way[j] = fabric_turned_back(f.turn, to.way[j]);
        real3 then = corner[j] + way[j];
        low = make_real3(least(low.x, least(corner[j].x, then.x)), least(low.y, least(corner[j].y, then.y)),
                         least(low.z, least(corner[j].z, then.z)));
        high = make_real3(greatest(high.x, greatest(corner[j].x, then.x)),
                          greatest(high.y, greatest(corner[j].y, then.y)),
                          greatest(high.z, greatest(corner[j].z, then.z)));
    }
    GLOBAL const u32* m = f.shape.hull;
    const real3 scale = f.shape.size;
    const real room = reach + FABRIC_LOSS * fabric_extent(centre);
    const real3 around = make_real3(room, room, room);
    const real3 a = mesh_unscaled((low + centre) - around, scale),
                b = mesh_unscaled((high + centre) + around, scale);
    const real3 from = make_real3(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)),
                until = make_real3(greatest(a.x, b.x), greatest(a.y, b.y), greatest(a.z, b.z));
    real3 seen[FABRIC_PART_CORNERS]; // contacts at ends of edges
    u32 ends = 0;
    FabricTarget target;
    target.shape = f.shape;
    target.middle = centre;
    target.is_ridge = true;
    u32 stack[MESH_DEPTH];
    u32 depth = 1;
    stack[0] = 0;
    while (depth) {
        const u32 n = stack[--depth];
        GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
        if (mesh_node_apart(m, n, from, until)) continue;
        if (node[3] == 0) {
            stack[depth++] = node[7];
            stack[depth++] = n + 1;
            continue;
        }
        for (u32 e = 3 * node[7]; e < 3 * (node[7] + node[3]) && *slot < FABRIC_PART_SLOTS; ++e) {
            const u32 which = e / 3u;
            if (!fabric_ridge(m, which, e - 3u * which, scale, centre, &target.ridge)) continue;
            real3 at[3] = {corner[0], corner[1], corner[2]};
            FabricPartHit hit = fabric_part_advance(&target, at, way, part->thickness, to.slack, to.limit);
            if (!hit.found || !fabric_ridge_counts(&target.ridge, hit, part->vertex[1] == part->vertex[2]))
                continue;
            real3 first = hit.point - target.ridge.from, last = hit.point - target.ridge.to;
            if (!(dot3(first, first) > 0.0f && dot3(last, last) > 0.0f)) {
                bool again = false;
                for (u32 k = 0; k < ends; ++k) {
                    real3 off = hit.point - seen[k];
                    again = again || !(dot3(off, off) > 0.0f);
                }
                if (again) continue;
                if (ends < FABRIC_PART_CORNERS) seen[ends++] = hit.point;
            }
            if ((row[2] & FABRIC_ONE_WAY) &&
                !(dot3(hit.normal, make_real3(fabric_number(row, 28), fabric_number(row, 29),
                                              fabric_number(row, 30))) > 0.5f))
                continue;
            real friction = fabric_number(row, 20);
            if (row[2] & FABRIC_MATERIALS)
                friction =
                    as_real(static_cast<i32>(mesh_material(m, mesh_triangle(m, which)[3] & MESH_NUMBER)[0]));
            atomic_or(w.touched + row[1], fabric_class(part->cloth));
            hit.point = fabric_turned_back(body.turn, f.offset + fabric_turned(f.turn, hit.point + centre));
            hit.normal = fabric_turned_back(body.turn, fabric_turned(f.turn, hit.normal));
            fabric_part_store(i, part, hit, row[1], friction, slot, w, p);
        }
    }
}

/// the contacts of a part for this step, into the list
KERNEL_FN void fabric_part_find(u32 i, const FabricView w, const FabricParams p) {
    const u32* near = w.part_patch + FABRIC_PATCH_WORDS * (i / FABRIC_PATCH);
    const u32 listed = near[0], looks = listed == FABRIC_ALL ? p.shapes : listed;
    if (looks == 0 || as_whole(load4(w.triangle, i).w) == 0) return;
    const FabricPart part = fabric_part(i, w);
    u32 slot = 0;
    for (u32 k = 0; k < looks && slot < FABRIC_PART_SLOTS; ++k) {
        const u32 s = listed == FABRIC_ALL ? k : near[1 + k];
        const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
        if (row[0] == CONVEX_PLANE) continue; // where all shapes are looked at
        if (!filters_agree(row[4], row[5], row[6], part.category, part.mask, part.group)) continue;
        if (row[0] == CONVEX_MESH) {
            fabric_part_mesh(i, &part, s, &slot, w, p);
            continue;
        }
        FabricPartHit hits[FABRIC_PART_POINTS];
        const u32 found = fabric_part_shape(&part, s, w, p, hits);
        for (u32 h = 0; h < found && slot < FABRIC_PART_SLOTS; ++h)
            fabric_part_store(i, &part, hits[h], row[1], fabric_number(row, 20), &slot, w, p);
    }
}

// the substep ----------------------------------------------------------------------------------------------------------

struct FabricPress_t {
    u32 vertex[3], body;
    real3 weight, inverse; // of the vertices: share, inverse mass
    real3 at, from;        // of the part, now and at the substep's beginning
    real3 carried;         // how far held vertices alone have moved it
    real3 arm, n, speed;   // of the body's point: from the centre of mass; out of the shape; velocity
    real friction, depth;  // depth: that is to go in this substep
    real deep;             // all of it
    FabricBody of;
};
typedef struct FabricPress_t FabricPress;

KERNEL_FN FabricPress fabric_press_now(u32 k, const FabricView w, const FabricParams p) {
    FabricPress c;
    real4 place = load4(w.press, FABRIC_PRESS * k), side = load4(w.press, FABRIC_PRESS * k + 1),
          weight = load4(w.press, FABRIC_PRESS * k + 2);
    const FabricCorners corners = fabric_corners(static_cast<u32>(as_whole(weight.w)), w);
    for (u32 j = 0; j < 3; ++j) c.vertex[j] = corners.vertex[j];
    c.weight = xyz(weight);
    real4 xa = load4(w.position, c.vertex[0]), xb = load4(w.position, c.vertex[1]),
          xc = load4(w.position, c.vertex[2]);
    c.inverse = make_real3(xa.w, xb.w, xc.w);
    c.at = (xyz(xa) * weight.x + xyz(xb) * weight.y) + xyz(xc) * weight.z;
    real3 sa = xyz(load4(w.start, c.vertex[0])), sb = xyz(load4(w.start, c.vertex[1])),
          sc = xyz(load4(w.start, c.vertex[2]));
    c.from = (sa * weight.x + sb * weight.y) + sc * weight.z;
    c.carried = ((xyz(xa) - sa) * (xa.w > 0.0f ? 0.0f : weight.x) +
                 (xyz(xb) - sb) * (xb.w > 0.0f ? 0.0f : weight.y)) +
                (xyz(xc) - sc) * (xc.w > 0.0f ? 0.0f : weight.z);
    c.body = static_cast<u32>(as_whole(place.w));
    c.of = fabric_body(c.body, w);
    c.friction = side.w;
    real3 n = fabric_turned(c.of.turn, xyz(side)), place_arm = fabric_turned(c.of.turn, xyz(place));
    const u32 cloth = static_cast<u32>(as_whole(load4(w.velocity, c.vertex[0]).w));
    const real thickness = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN).x;
    real3 point = c.of.at + place_arm;
    // what was too deep before comes out slowly
    const real before = (thickness - dot3(c.from - point, n)) - p.h * FABRIC_RECOVERY;
    n = n + p.since * cross3(c.of.w, n);
    c.n = n * (1.0f / length3(n));
    c.deep = thickness - dot3(c.at - (point + p.since * (c.of.v + cross3(c.of.w, place_arm))), c.n);
    c.depth = c.deep - greatest(before, 0.0f);
    // it pushes where the part is now, which may have slid
    c.arm = c.at - (c.of.at + p.since * c.of.v);
    c.speed = c.of.v + cross3(c.of.w, c.arm);
    return c;
}

/// which contacts push now: how many does each vertex and body have
KERNEL_FN void fabric_press_mark(u32 k, const FabricView w, const FabricParams p) {
    const FabricPress c = fabric_press_now(k, w, p);
    const bool active = c.depth > 0.0f;
    store4(w.press_push, 2 * k, make_real4(0.0f, 0.0f, 0.0f, active ? 1.0f : 0.0f));
    if (!active) return;
    if (c.weight.x > 0.0f && c.inverse.x > 0.0f) count_one(w.loads, c.vertex[0]);
    if (c.weight.y > 0.0f && c.inverse.y > 0.0f) count_one(w.loads, c.vertex[1]);
    if (c.weight.z > 0.0f && c.inverse.z > 0.0f) count_one(w.loads, c.vertex[2]);
    if (c.of.inverse1.z > 0.0f) count_one(w.loads, p.vertices + c.body);
}

/// how far an impulse of 1 moves the part, as this contact sees it
KERNEL_FN real fabric_press_own(const FabricPress c, u32 moves, const FabricView w, const FabricParams p) {
    real sum = 0.0f;
    const real weight[3] = {c.weight.x, c.weight.y, c.weight.z},
               inverse[3] = {c.inverse.x, c.inverse.y, c.inverse.z};
    for (u32 j = 0; j < 3; ++j)
        if (moves >> j & 1u)
            sum =
                sum + (weight[j] * weight[j] * inverse[j]) * to_real(static_cast<f32>(w.loads[c.vertex[j]]));
    return p.h * sum;
}

/// The impulse on the body, of which `normal` is known, with friction. `moved`: how far the part went in the substep.
KERNEL_FN real3 fabric_press_impulse(const FabricPress c, real3 moved, real normal, real own, real count,
                                     const FabricParams p) {
    real3 slip = moved - p.h * c.speed;
    slip = slip - c.n * dot3(slip, c.n);
    const real slid = length3(slip);
    real3 impulse = c.n * -normal;
    if (!(slid > 0.0f)) return impulse;
    real3 along = slip * (1.0f / slid);
    const real easy = own + count * fabric_response(c.of, c.arm, along);
    return impulse + along * (easy > 0.0f ? least(slid / easy, c.friction * normal) : 0.0f);
}

/// the impulse of a contact; where no vertex moves, the body deals with it
KERNEL_FN void fabric_press(u32 k, const FabricView w, const FabricParams p) {
    if (!(load4(w.press_push, 2 * k).w > 0.0f)) return;
    const FabricPress c = fabric_press_now(k, w, p);
    u32 moves = 0;
    const real weight[3] = {c.weight.x, c.weight.y, c.weight.z},
               inverse[3] = {c.inverse.x, c.inverse.y, c.inverse.z};
    const bool yields = c.of.inverse1.z > 0.0f;
    for (u32 j = 0; j < 3; ++j)
        if (weight[j] > 0.0f && inverse[j] > 0.0f &&
            !(yields && fabric_taut(c.vertex[j], xyz(load4(w.position, c.vertex[j])), c.n, w)))
            moves = moves | 1u << j;
    const real own = fabric_press_own(c, moves, w, p);
    const real count = yields ? p.since * to_real(static_cast<f32>(w.loads[p.vertices + c.body])) : 0.0f;
    real3 impulse = make_real3(0.0f, 0.0f, 0.0f), arm = impulse;
    if (moves != 0u) {
        const real normal = c.depth / (own + count * fabric_response(c.of, c.arm, c.n));
        impulse = fabric_press_impulse(c, c.at - c.from, normal, own, count, p);
        arm = c.arm;
    }
    store4(w.press_push, 2 * k, with_w(impulse, 1.0f));
    store4(w.press_push, 2 * k + 1, with_w(arm, as_real(static_cast<i32>(moves))));
}

/// a vertex takes what pushes it, in the order of the sorted list
KERNEL_FN void fabric_press_yield(u32 k, const FabricView w, const FabricParams p) {
    const u32 v = w.press_vertices[2 * k + 1];
    if (v == FABRIC_NONE || (k > 0 && w.press_vertices[2 * k - 1] == v)) return;
    real3 sum = make_real3(0.0f, 0.0f, 0.0f);
    for (u32 m = k; m < 3 * p.presses && w.press_vertices[2 * m + 1] == v; ++m) {
        const u32 entry = w.press_vertex_of[m], at = entry / 3u, j = entry - 3u * at;
        real4 push = load4(w.press_push, 2 * at);
        if (!(push.w > 0.0f)) continue;
        const u32 moves = static_cast<u32>(as_whole(load4(w.press_push, 2 * at + 1).w));
        if (!(moves >> j & 1u)) continue;
        real4 weight = load4(w.press, FABRIC_PRESS * at + 2);
        sum = sum - xyz(push) * (j == 0 ? weight.x : (j == 1 ? weight.y : weight.z));
    }
    w.loads[v] = 0;
    real4 here = load4(w.position, v);
    store4(w.position, v, with_w(xyz(here) + sum * (p.h * here.w), here.w));
}

struct FabricSum_t {
    real3 impulse, torque;
};
typedef struct FabricSum_t FabricSum;

/// A contact with vertices that do not move stops its share of the body. The body is not thrown by what tethers did to the vertices:
/// only pins carry it along.
KERNEL_FN FabricSum fabric_press_stop(u32 k, u32 held, FabricSum sum, const FabricView w,
                                      const FabricParams p) {
    const FabricPress c = fabric_press_now(k, w, p);
    const real count = p.since * to_real(static_cast<f32>(held));
    const real response = count * fabric_response(c.of, c.arm, c.n);
    if (!(c.deep > 0.0f && response > 0.0f)) return sum;
    const real most = fabric_held_depth(c.deep, dot3(c.speed - c.carried * p.inverse_h, c.n), p);
    const real3 impulse = fabric_press_impulse(c, c.carried, most / response, 0.0f, count, p);
    sum.impulse = sum.impulse + impulse;
    sum.torque = sum.torque + cross3(c.arm, impulse);
    return sum;
}

/// and so does a body
KERNEL_FN void fabric_press_bodies(u32 k, const FabricView w, const FabricParams p) {
    const u32 b = w.press_bodies[2 * k + 1];
    if (b == FABRIC_NONE || (k > 0 && w.press_bodies[2 * k - 1] == b)) return;
    real3 impulse = make_real3(0.0f, 0.0f, 0.0f), torque = impulse;
    u32 end = k, held = 0;
    for (; end < p.presses && w.press_bodies[2 * end + 1] == b; ++end) {
        real4 push = load4(w.press_push, 2 * w.press_body_of[end]);
        if (!(push.w > 0.0f)) continue;
        real4 arm = load4(w.press_push, 2 * w.press_body_of[end] + 1);
        held += as_whole(arm.w) ? 0u : 1u;
        impulse = impulse + xyz(push);
        torque = torque + cross3(xyz(arm), xyz(push));
    }
    w.loads[p.vertices + b] = 0;
    fabric_push_body(b, impulse, torque, w);
    for (u32 round = 0; round < FABRIC_PART_ROUNDS && held; ++round) {
        FabricSum sum;
        sum.impulse = sum.torque = make_real3(0.0f, 0.0f, 0.0f);
        for (u32 m = k; m < end; ++m) {
            const u32 at = w.press_body_of[m];
            if (load4(w.press_push, 2 * at).w > 0.0f && !as_whole(load4(w.press_push, 2 * at + 1).w))
                sum = fabric_press_stop(at, held, sum, w, p);
        }
        fabric_push_body(b, sum.impulse, sum.torque, w);
    }
}
