// SPDX-License-Identifier: MIT
// query_rays.h — rays through the shapes of a world.   compiles as: host, cuda, in double precision (dialect_double.h)
//
// Floats with room for their rounding choose the shapes, which are met in double precision, so the answers do not depend on the
// tree or on the order in which it is walked. World's queries on the host (world/queries.cpp) call the same functions.

/// a ray's length and direction
struct QueryRay_t {
    real3 origin, direction;
    real length;
    bool hit_inside;
};
typedef struct QueryRay_t QueryRay;

/// a shape's frame in the world
struct QueryPose_t {
    real3 position;
    real3 turn; // vector and scalar of a unit quaternion
    real turn_s;
};
typedef struct QueryPose_t QueryPose;

struct QueryFound_t {
    real3 point, normal;
    f32 fraction, distance;
    u32 shape, part;
};
typedef struct QueryFound_t QueryFound;

KERNEL_FN QueryRay query_ray(real3 origin, f32 x, f32 y, f32 z, bool hit_inside) {
    QueryRay ray;
    real3 way = make_real3(x, y, z);
    ray.origin = origin;
    ray.length = length3(way);
    ray.direction = make_real3(way.x / ray.length, way.y / ray.length, way.z / ray.length);
    ray.hit_inside = hit_inside;
    return ray;
}

KERNEL_FN real3 query_turned(real3 turn, real s, real3 v) {
    real3 t = cross3(turn, v) * 2;
    return (v + t * s) + cross3(turn, t);
}
/// The ray in the frame of a shape.
KERNEL_FN RayLine query_line(PRIVATE const QueryRay* ray, PRIVATE const QueryPose* pose) {
    RayLine line;
    line.origin = query_turned(-pose->turn, pose->turn_s, ray->origin - pose->position);
    line.direction = query_turned(-pose->turn, pose->turn_s, ray->direction);
    return line;
}
/// Where a ray enters a shape that is no mesh. `outside`: it is known to begin there.
KERNEL_FN RayEntry query_entry(ConvexShape shape, RayLine line, bool outside, bool hit_inside) {
    if (!outside && convex_contains(shape, line.origin)) {
        RayEntry inside = no_entry();
        inside.found = hit_inside;
        inside.normal = -line.direction;
        return inside;
    }
    return ray_convex(shape, line);
}
KERNEL_FN QueryFound query_found(PRIVATE const QueryRay* ray, PRIVATE const QueryPose* pose, u32 shape,
                                 RayEntry entry) {
    QueryFound hit;
    hit.shape = shape;
    hit.part = entry.part;
    hit.point = ray->origin + ray->direction * entry.distance;
    hit.normal = query_turned(pose->turn, pose->turn_s, entry.normal);
    hit.fraction = (f32)(entry.distance / ray->length);
    hit.distance = (f32)entry.distance;
    return hit;
}
KERNEL_FN bool query_nearer(PRIVATE const QueryFound* a, PRIVATE const QueryFound* b) {
    if (a->fraction != b->fraction) return a->fraction < b->fraction;
    return a->shape != b->shape ? a->shape < b->shape : a->part < b->part;
}

// meshes ---------------------------------------------------------------------------------------------------------------

/// The way that a ray goes through a mesh, not scaled: no farther than the mesh reaches, and than `most`, which is lowered.
KERNEL_FN LineWay query_mesh_way(RayLine line, real3 scale, real3 low, real3 high, PRIVATE real* most) {
    real3 from = make_real3(low.x * scale.x, low.y * scale.y, low.z * scale.z),
          to = make_real3(high.x * scale.x, high.y * scale.y, high.z * scale.z);
    *most = least(*most, length3((from + to) * 0.5 - line.origin) + length3(to - from));
    real3 inverse = make_real3(1 / scale.x, 1 / scale.y, 1 / scale.z);
    real3 way = line.direction * *most;
    real3 origin =
        make_real3(line.origin.x * inverse.x, line.origin.y * inverse.y, line.origin.z * inverse.z);
    return line_way(origin, origin, (f32)(way.x * inverse.x), (f32)(way.y * inverse.y),
                    (f32)(way.z * inverse.z));
}

/// words of a mesh (geometry/mesh_geometry.h)
KERNEL_FN real3 query_corner(GLOBAL const u32* m, u32 vertex, real3 scale) {
    GLOBAL const u32* at = m + MESH_HEAD + 8 * (size_t)(m[2] + m[1]) + 4 * (size_t)vertex;
    return make_real3(as_real((i32)at[0]) * scale.x, as_real((i32)at[1]) * scale.y,
                      as_real((i32)at[2]) * scale.z);
}
KERNEL_FN f32 query_node_key(PRIVATE const LineWay* way, GLOBAL const u32* node) {
    return line_key(way, as_float(node[0]), as_float(node[1]), as_float(node[2]), as_float(node[4]),
                    as_float(node[5]), as_float(node[6]));
}

/// Where a ray first meets a mesh, not beyond `most`: the nearest triangle, of equal ones the first by number.
KERNEL_FN RayEntry query_mesh(GLOBAL const u32* m, real3 scale, RayLine line, real most) {
    // words 4 … 10: middle and half extents of the bounds
    real3 middle = make_real3(as_real((i32)m[4]), as_real((i32)m[5]), as_real((i32)m[6])),
          half = make_real3(as_real((i32)m[8]), as_real((i32)m[9]), as_real((i32)m[10])) * (1 + 1e-6);
    real end = most;
    const LineWay way = query_mesh_way(line, scale, middle - half, middle + half, &end);
    const RayShear shear = shear_of(line.direction);
    const bool two_sided = m[7] != 0;
    RayEntry best = no_entry();
    u32 best_triangle = 0;
    f32 limit = 1, key[QUERY_MESH_DEPTH];
    u32 stack[QUERY_MESH_DEPTH], depth = 0;
    key[depth] = 0;
    stack[depth++] = 0;
    while (depth) {
        --depth;
        if (!(key[depth] <= limit)) continue;
        const u32 n = stack[depth];
        GLOBAL const u32* node = m + MESH_HEAD + 8 * (size_t)n;
        if (!node[3]) {
            // the farther child first
            u32 near_child = n + 1, far_child = node[7];
            f32 near_key = query_node_key(&way, node + 8),
                far_key = query_node_key(&way, m + MESH_HEAD + 8 * (size_t)far_child);
            if (far_key < near_key) {
                const f32 k = near_key;
                const u32 c = near_child;
                near_key = far_key, far_key = k;
                near_child = far_child, far_child = c;
            }
            if (far_key <= limit) key[depth] = far_key, stack[depth++] = far_child;
            if (near_key <= limit) key[depth] = near_key, stack[depth++] = near_child;
            continue;
        }
        for (u32 t = node[7]; t < node[7] + node[3]; ++t) {
            GLOBAL const u32* triangle = m + MESH_HEAD + 8 * ((size_t)m[2] + t);
            real corner[3][3], distance, behind;
            for (u32 k = 0; k < 3; ++k) {
                const real3 at = query_corner(m, triangle[k], scale) - line.origin;
                corner[k][0] = axis_of(at, shear.x);
                corner[k][1] = axis_of(at, shear.y);
                corner[k][2] = axis_of(at, shear.z);
            }
            shear_meet(shear.sx, shear.sy, shear.along, corner[0], corner[1], corner[2], &distance, &behind);
            if (!(distance >= 0 && distance <= most) || (best.found && distance > best.distance)) continue;
            const u32 number = triangle[3] & MESH_NUMBER;
            if (best.found && distance == best.distance && number > best.part) continue;
            if (behind > 0 && !two_sided) continue;
            best.found = true;
            best.distance = distance;
            best.part = number;
            best.normal.x = behind; // until the triangle is known
            best_triangle = t;
            limit = (f32)(distance / end) * (1 + LINE_ROUNDING);
        }
    }
    if (!best.found) return best;
    GLOBAL const u32* triangle = m + MESH_HEAD + 8 * ((size_t)m[2] + best_triangle);
    const real3 front =
        triangle_front(query_corner(m, triangle[0], scale), query_corner(m, triangle[1], scale),
                       query_corner(m, triangle[2], scale));
    best.normal = best.normal.x > 0 ? -front : front;
    return best;
}

// the world on a device ------------------------------------------------------------------------------------------------

KERNEL_FN real query_double(GLOBAL const u32* at) { return as_double(at[0], at[1]); }
KERNEL_FN real3 query_doubles(GLOBAL const u32* at) {
    return make_real3(query_double(at), query_double(at + 2), query_double(at + 4));
}

KERNEL_FN bool query_sees(GLOBAL const u32* shape, PRIVATE const QueryParams* p) {
    if (!shape[QUERY_SHAPE_SEEN] || shape[QUERY_SHAPE_BODY] == p->ignored) return false;
    return filters_agree(p->category, p->mask, p->group, shape[QUERY_SHAPE_CATEGORY], shape[QUERY_SHAPE_MASK],
                         shape[QUERY_SHAPE_GROUP]);
}

/// Whether the ray hits a shape, and where. `limit`: of the fraction.
KERNEL_FN bool query_visit(u32 s, f32 key, f32 limit, PRIVATE const QueryRay* ray, const QueryView w,
                           PRIVATE const QueryParams* p, PRIVATE QueryFound* found) {
    GLOBAL const u32* shape = w.shapes + QUERY_SHAPE * (size_t)s;
    if (!query_sees(shape, p)) return false;
    QueryPose pose;
    pose.position = query_doubles(shape);
    pose.turn = query_doubles(shape + 6);
    pose.turn_s = query_double(shape + 12);
    ConvexShape convex;
    convex.type = shape[QUERY_SHAPE_TYPE];
    convex.size = make_real3(as_float(shape[QUERY_SHAPE_SIZE]), as_float(shape[QUERY_SHAPE_SIZE + 1]),
                             as_float(shape[QUERY_SHAPE_SIZE + 2]));
    convex.radius = as_float(shape[QUERY_SHAPE_RADIUS]);
    convex.hull = w.hulls + shape[QUERY_SHAPE_HULL];
    const RayLine line = query_line(ray, &pose);
    const RayEntry entry = convex.type == CONVEX_MESH
                               ? query_mesh(convex.hull, convex.size, line, ray->length * (real)limit)
                               : query_entry(convex, line, key > 0, ray->hit_inside);
    if (!entry.found || !(entry.distance <= ray->length)) return false;
    *found = query_found(ray, &pose, s, entry);
    return true;
}

/// The nearest hit of a ray, or any; false: there is none.
KERNEL_FN bool query_walk(PRIVATE const QueryRay* ray, f32 x, f32 y, f32 z, bool any, const QueryView w,
                          PRIVATE const QueryParams* p, PRIVATE QueryFound* best) {
    const LineWay way = line_way(ray->origin, ray->origin, x, y, z);
    bool hit = false;
    f32 limit = 1, keys[8 * QUERY_LEVELS];
    u32 stack[8 * QUERY_LEVELS];
    for (u32 t = 0; t < QUERY_TREES; ++t) {
        const QueryTree tree = p->tree[t];
        if (tree.height == 0) continue;
        u32 depth = 0;
        keys[depth] = 0;
        stack[depth++] = (tree.height - 1) << QUERY_LEVEL_BITS;
        while (depth) {
            --depth;
            if (!(keys[depth] <= limit)) continue;
            const u32 level = stack[depth] >> QUERY_LEVEL_BITS,
                      n = stack[depth] & ((1u << QUERY_LEVEL_BITS) - 1);
            if (level == QUERY_LEVELS) {
                QueryFound found;
                if (!query_visit(w.proxies[tree.slots + n], keys[depth], limit, ray, w, p, &found)) continue;
                if (any) return true;
                if (hit && !query_nearer(&found, best)) continue;
                hit = true;
                *best = found;
                limit = found.fraction * (1 + LINE_ROUNDING);
                continue;
            }
            // farthest first; a leaf's children are shapes
            GLOBAL const f32* node = w.nodes + 48 * (size_t)(tree.first[level] + n);
            const u32 first = depth, below = (level ? level - 1 : QUERY_LEVELS) << QUERY_LEVEL_BITS;
            for (u32 c = 0; c < 8; ++c) {
                const f32 key = line_key(&way, node[c], node[8 + c], node[16 + c], node[24 + c], node[32 + c],
                                         node[40 + c]);
                if (!(key <= limit)) continue;
                u32 at = depth++;
                for (; at > first && keys[at - 1] < key; --at)
                    keys[at] = keys[at - 1], stack[at] = stack[at - 1];
                keys[at] = key;
                stack[at] = below | (8 * n + c);
            }
        }
    }
    return hit;
}

/// Whether it is a ray: finite, and with a length. Others hit nothing.
KERNEL_FN bool query_read_ray(u32 i, const QueryView w, PRIVATE QueryRay* ray, PRIVATE f32* way) {
    GLOBAL const u32* words = w.rays + QUERY_RAY * (size_t)i;
    const real3 origin = query_doubles(words);
    const f32 x = (f32)origin.x, y = (f32)origin.y, z = (f32)origin.z; // finite as floats, as all positions
    f32 sum = (x - x) + (y - y) + (z - z);
    bool moves = false;
    for (u32 k = 0; k < 3; ++k) {
        way[k] = as_float(words[QUERY_RAY_WAY + k]);
        sum = sum + (way[k] - way[k]);
        moves = moves || way[k] != 0;
    }
    *ray = query_ray(origin, way[0], way[1], way[2], (words[QUERY_RAY_INSIDE] & 255u) != 0);
    return moves && sum == 0;
}

KERNEL_FN void query_rays_closest(u32 i, const QueryView w, const QueryParams p) {
    QueryRay ray;
    QueryFound hit;
    f32 way[3];
    GLOBAL u32* to = w.results + QUERY_HIT * (size_t)i;
    for (u32 k = 0; k < QUERY_HIT; ++k) to[k] = 0;
    to[0] = to[2] = to[QUERY_HIT_CLOTH] = 0xffffffffu;
    if (!query_read_ray(i, w, &ray, way) || !query_walk(&ray, way[0], way[1], way[2], false, w, &p, &hit))
        return;
    GLOBAL const u32* shape = w.shapes + QUERY_SHAPE * (size_t)hit.shape;
    to[0] = hit.shape;
    to[1] = shape[QUERY_SHAPE_GENERATION];
    to[2] = shape[QUERY_SHAPE_BODY];
    to[3] = shape[QUERY_SHAPE_BODY + 1];
    put_double(hit.point.x, to + QUERY_HIT_POINT);
    put_double(hit.point.y, to + QUERY_HIT_POINT + 2);
    put_double(hit.point.z, to + QUERY_HIT_POINT + 4);
    to[QUERY_HIT_NORMAL] = float_bits((f32)hit.normal.x);
    to[QUERY_HIT_NORMAL + 1] = float_bits((f32)hit.normal.y);
    to[QUERY_HIT_NORMAL + 2] = float_bits((f32)hit.normal.z);
    to[QUERY_HIT_FRACTION] = float_bits(hit.fraction);
    to[QUERY_HIT_DISTANCE] = float_bits(hit.distance);
    to[QUERY_HIT_PART] = hit.part;
}

KERNEL_FN void query_rays_any(u32 i, const QueryView w, const QueryParams p) {
    QueryRay ray;
    QueryFound hit;
    f32 way[3];
    const bool found =
        query_read_ray(i, w, &ray, way) && query_walk(&ray, way[0], way[1], way[2], true, w, &p, &hit);
    ((GLOBAL unsigned char*)w.results)[i] = found ? 1 : 0;
}
