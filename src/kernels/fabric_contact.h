// SPDX-License-Identifier: MIT
// fabric_contact.h — cloth in a rigid world: pins, contacts with shapes, and what bodies feel of them.   compiles as: host, cuda
//
// Contacts are found once a step, from the poses at its beginning, as planes that move with their bodies. A substep of the cloth lies
// within a substep of the rigid world, whose bodies have their new velocities and will move by them: `since` says how far into it the
// cloth's substep ends. An impulse between a vertex and a body changes the velocity of both at once, so nothing lags behind. Where
// several contacts push one body, each sees its share of the body's mass (Tonge et al. 2012), and the sums have a fixed order.

#define FABRIC_RECOVERY 0.2f  // m/s, at which a body that is too deep in held cloth comes out
#define FABRIC_RECOVERED 0.1f // of the depth, in a substep at most
#define FABRIC_BEARS 0.2f   // of the thickness: a vertex that is no farther from a body than that lies on it
#define FABRIC_TAUT 0.9999f // of its length: a tether that holds
#define FABRIC_TAUT_LEAN 0.02f // cosine: a tether that is more across holds nothing

struct FabricBody_t {
    real3 at;                 // centre of mass
    quat turn;                // from the body's frame
    real3 v, w;               // velocity, spin
    real4 inverse0, inverse1; // inverse inertia in the world's axes, inverse mass, locks
};
typedef struct FabricBody_t FabricBody;

/// as the rigid world's substep finds it: where it is, and the velocities that it will move by
KERNEL_FN FabricBody fabric_body(u32 b, const FabricView w) {
    FabricBody body;
    body.at = xyz(load4(w.body_position, b)) + xyz(load4(w.body_motion, 4 * b + 2));
    body.turn = quat_product(quat_of(load4(w.body_motion, 4 * b + 3)), quat_of(load4(w.body_rotation, b)));
    body.v = xyz(load4(w.body_motion, 4 * b));
    body.w = xyz(load4(w.body_motion, 4 * b + 1));
    body.inverse0 = load4(w.body_inverse, 2 * b);
    body.inverse1 = load4(w.body_inverse, 2 * b + 1);
    return body;
}
/// the bit of a cloth; the last is that of all beyond
KERNEL_FN u32 fabric_class(u32 cloth) { return 1u << (cloth < 31u ? cloth : 31u); }
KERNEL_FN real3 fabric_turned(quat q, real3 v) { return mat3_times(quat_matrix(q), v); }
KERNEL_FN real3 fabric_turned_back(quat q, real3 v) { return mat3_transposed_times(quat_matrix(q), v); }

/// how a point of the body at this arm answers an impulse along n: its velocity along n, for a unit impulse
KERNEL_FN real fabric_response(const FabricBody body, real3 arm, real3 n) {
    const i32 locks = as_whole(body.inverse1.w);
    real3 turn = cross3(arm, n);
    real3 free = unlocked3(locks, 0, n);
    return body.inverse1.z * dot3(free, n) +
           dot3(turn, sym3_times(gather_inertia(body.inverse0, body.inverse1), turn));
}

// pins -----------------------------------------------------------------------------------------------------------------

/// p.first 0: pins to the world and to bodies that impulses do not move; 1: pins to bodies that they do
KERNEL_FN void fabric_hold(u32 k, const FabricView w, const FabricParams p) {
    real4 ends = load4(w.pin, FABRIC_PIN * k);
    const u32 v = static_cast<u32>(as_whole(ends.x)), b = static_cast<u32>(as_whole(ends.y));
    const FabricBody body = fabric_body(b, w);
    const u32 entry = FABRIC_SLOTS * p.vertices + k;
    const bool yields = body.inverse1.z > 0.0f;
    if (yields != (p.first != 0u)) return;
    real3 arm = fabric_turned(body.turn, xyz(load4(w.pin, FABRIC_PIN * k + 1)));
    real3 speed = body.v + cross3(body.w, arm);
    real3 at = (body.at + arm) + p.since * speed;
    real4 here = load4(w.position, v);
    if (!yields) {
        store4(w.position, v, with_w(at, here.w));
        return;
    }
    real3 away = xyz(here) - at;
    const real size = length3(away);
    real3 impulse = make_real3(0.0f, 0.0f, 0.0f);
    if (size > 0.0f) {
        real3 n = away * (1.0f / size);
        const real share = p.since * w.share[b] * fabric_response(body, arm, n);
        const real answer = p.h * here.w + share;
        if (answer > 0.0f) impulse = n * (size / answer);
        store4(w.position, v, with_w(xyz(here) - (p.h * here.w) * impulse, here.w));
    }
    // tethers of the vertex hold the body: through light vertices it would yield
    real4 t = load4(w.tether, v);
    for (u32 m = 0; m < 2; ++m) {
        const u32 held = static_cast<u32>(as_whole(m ? t.z : t.x));
        const real length = m ? t.w : t.y;
        if (held == v) continue;
        real3 off = at - xyz(load4(w.position, held));
        const real far = length3(off);
        if (!(far > length)) continue;
        real3 n = off * (1.0f / far);
        const real answer = p.since * w.share[b] * fabric_response(body, arm, n);
        // 0 where the body's locks hold it
        if (answer > 0.0f) impulse = impulse - n * ((far - length) / answer);
    }
    store4(w.push, 2 * entry, with_w(impulse, 0.0f));
    store4(w.push, 2 * entry + 1, with_w(arm, 0.0f));
}

/// once a step: pins among those that push bodies
KERNEL_FN void fabric_pin_keys(u32 k, const FabricView w, const FabricParams p) {
    const u32 b = static_cast<u32>(as_whole(load4(w.pin, FABRIC_PIN * k).y)),
              entry = FABRIC_SLOTS * p.vertices + k;
    const bool yields = load4(w.body_inverse, 2 * b + 1).z > 0.0f;
    w.keys[entry] = yields ? b : FABRIC_NONE;
    w.values[entry] = entry;
    store4(w.push, 2 * entry, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
    const u32 v = static_cast<u32>(as_whole(load4(w.pin, FABRIC_PIN * k).x));
    atomic_or(w.touched + b, fabric_class(static_cast<u32>(as_whole(load4(w.velocity, v).w))));
    if (yields) count_one(w.counts, FABRIC_COUNT_PUSHES);
}

// finding contacts -----------------------------------------------------------------------------------------------------

struct FabricShape_t {
    u32 body;
    ConvexShape shape;
    real3 offset; // of the shape's origin from the centre of mass, world axes
    quat turn;    // from the shape's frame to the world's axes
    real reach;
};
typedef struct FabricShape_t FabricShape;

KERNEL_FN FabricShape fabric_shape(u32 s, const FabricView w, const FabricBody body) {
    FabricShape f;
    f.body = w.shapes[FABRIC_SHAPE_WORDS * s + 1];
    f.shape = fabric_table_shape(w.shapes, w.shape_words, s);
    real4 offset = fabric_table_offset(w.shapes, s);
    f.offset = fabric_turned(body.turn, xyz(offset));
    f.reach = offset.w;
    f.turn = quat_product(body.turn, fabric_table_turn(w.shapes, s));
    return f;
}

/// vertices that are looked at together: their bounds, and how far they may come within a step
struct FabricCrowd_t {
    real3 low, high;
    real fastest, thickest; // square of m/s; m
};
typedef struct FabricCrowd_t FabricCrowd;

KERNEL_FN FabricCrowd fabric_crowd() {
    FabricCrowd c;
    c.low = make_real3(3e38f, 3e38f, 3e38f);
    c.high = -c.low;
    c.fastest = c.thickest = 0.0f;
    return c;
}
KERNEL_FN void fabric_crowd_add(PRIVATE FabricCrowd* c, u32 i, const FabricView w) {
    real3 x = xyz(load4(w.position, i));
    real4 v = load4(w.velocity, i);
    c->low = make_real3(least(x.x, c->low.x), least(x.y, c->low.y), least(x.z, c->low.z));
    c->high = make_real3(greatest(x.x, c->high.x), greatest(x.y, c->high.y), greatest(x.z, c->high.z));
    c->fastest = greatest(dot3(xyz(v), xyz(v)), c->fastest);
    c->thickest = greatest(
        load4(w.cloth, FABRIC_CLOTH * static_cast<u32>(as_whole(v.w)) + FABRIC_CLOTH_SKIN).x, c->thickest);
}

/// once a step: where a shape may be
KERNEL_FN void fabric_shape_near(u32 s, const FabricView w, const FabricParams p) {
    const FabricBody body = fabric_body(w.shapes[FABRIC_SHAPE_WORDS * s + 1], w);
    real4 offset = fabric_table_offset(w.shapes, s);
    real3 at = body.at + fabric_turned(body.turn, xyz(offset));
    const real moves = (length3(body.v) + length3(body.w) * (length3(xyz(offset)) + offset.w)) * p.dt;
    store4(w.shape_near, s, with_w(at, offset.w + moves));
}

/// Whether a ball, such as one around vertices, is farther than its radius from a convex shape; near enough for lists.
KERNEL_FN bool fabric_ball_apart(u32 s, real3 centre, real radius, const FabricView w) {
    const FabricBody body = fabric_body(w.shapes[FABRIC_SHAPE_WORDS * s + 1], w);
    const FabricShape f = fabric_shape(s, w, body);
    real3 own = fabric_turned_back(f.turn, (centre - body.at) - f.offset);
    return !(fabric_convex(f.shape, own, own).distance <= radius);
}

/// The shapes that they may meet in the step: FABRIC_PATCH_WORDS. `parts`: of triangles and lines, which do not look at planes
KERNEL_FN void fabric_list_near(const FabricCrowd c, bool parts, u32* list, const FabricView w,
                                const FabricParams p) {
    const real own = root(c.fastest) * p.dt + 2.0f * c.thickest;
    u32 count = 0;
    for (u32 s = 0; s < p.shapes; ++s) {
        real4 shape = load4(w.shape_near, s);
        real3 at = xyz(shape);
        const real reach = shape.w + own;
        real3 to = make_real3(clamped(at.x, c.low.x, c.high.x), clamped(at.y, c.low.y, c.high.y),
                              clamped(at.z, c.low.z, c.high.z));
        // written so that infinite reach is near
        if (dot3(to - at, to - at) > reach * reach) continue;
        if (parts) {
            const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
            if (row[0] == CONVEX_PLANE) continue;
            const real moves = shape.w - fabric_number(row, 15);
            if (row[0] != CONVEX_MESH && fabric_ball_apart(s, (c.low + c.high) * 0.5f,
                                                           0.5f * length3(c.high - c.low) + own + moves, w))
                continue;
        }
        if (count == FABRIC_NEAR) {
            list[0] = FABRIC_ALL;
            return;
        }
        list[1 + count++] = s;
    }
    list[0] = count;
}

/// the vertices of a patch too, as fabric_patches left their bounds
KERNEL_FN void fabric_crowd_join(PRIVATE FabricCrowd* c, u32 patch, const FabricView w) {
    const u32* b = w.patch + FABRIC_PATCH_WORDS * patch + FABRIC_PATCH_CROWD;
    c->low = make_real3(least(fabric_number(b, 0), c->low.x), least(fabric_number(b, 1), c->low.y),
                        least(fabric_number(b, 2), c->low.z));
    c->high = make_real3(greatest(fabric_number(b, 3), c->high.x), greatest(fabric_number(b, 4), c->high.y),
                         greatest(fabric_number(b, 5), c->high.z));
    c->fastest = greatest(fabric_number(b, 6), c->fastest);
    c->thickest = greatest(fabric_number(b, 7), c->thickest);
}

/// which shapes are near FABRIC_PATCH vertices that follow each other
KERNEL_FN void fabric_patches(u32 k, const FabricView w, const FabricParams p) {
    const u32 first = FABRIC_PATCH * k;
    u32 last = first + FABRIC_PATCH;
    if (last > p.vertices) last = p.vertices;
    FabricCrowd crowd = fabric_crowd();
    for (u32 i = first; i < last; ++i) fabric_crowd_add(&crowd, i, w);
    u32* list = w.patch + FABRIC_PATCH_WORDS * k;
    const real words[8] = {crowd.low.x,  crowd.low.y,  crowd.low.z,   crowd.high.x,
                           crowd.high.y, crowd.high.z, crowd.fastest, crowd.thickest};
    for (u32 m = 0; m < 8; ++m) list[FABRIC_PATCH_CROWD + m] = static_cast<u32>(as_whole(words[m]));
    fabric_list_near(crowd, false, list, w, p);
}

/// the contacts of a vertex for this step, nearest first
KERNEL_FN void fabric_find(u32 i, const FabricView w, const FabricParams p) {
    const u32* near = w.patch + FABRIC_PATCH_WORDS * (i / FABRIC_PATCH);
    const u32 listed = near[0], looks = listed == FABRIC_ALL ? p.shapes : listed;
    real4 here = load4(w.position, i), v4 = load4(w.velocity, i);
    const u32 cloth = static_cast<u32>(as_whole(v4.w));
    real4 skin = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN);
    real4 limits = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_LIMITS);
    const u32 category = static_cast<u32>(as_whole(limits.x)),
              mask_bits_of = static_cast<u32>(as_whole(limits.y)),
              group = static_cast<u32>(as_whole(limits.z));
    store4(w.support, i, make_real4(0.0f, 0.0f, 0.0f, 0.0f));
    real distance[FABRIC_SLOTS];
    u32 body_of[FABRIC_SLOTS];
    u32 count = 0;
    for (u32 k = 0; k < looks && here.w > 0.0f; ++k) {
        const u32 s = listed == FABRIC_ALL ? k : near[1 + k];
        const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
        if (!filters_agree(row[4], row[5], row[6], category, mask_bits_of, group)) continue;
        const FabricBody body = fabric_body(row[1], w);
        const FabricShape f = fabric_shape(s, w, body);
        real3 arm = xyz(here) - body.at;
        real3 from = arm - f.offset; // the shape's origin
        const real approach = length3(xyz(v4) - (body.v + cross3(body.w, arm))) * p.dt;
        const real margin = 1.25f * skin.x + approach;
        if (dot3(from, from) > (f.reach + margin) * (f.reach + margin)) continue;
        real3 own = fabric_turned_back(f.turn, from);
        FabricHit hits[2];
        const u32 found = fabric_shape_hit(f.shape, own, own, margin, hits);
        for (u32 h = 0; h < found; ++h) {
            if ((row[2] & FABRIC_ONE_WAY) &&
                !(dot3(hits[h].normal, make_real3(fabric_number(row, 28), fabric_number(row, 29),
                                                  fabric_number(row, 30))) > 0.5f))
                continue;
            if (hits[h].distance < 1.5f * skin.x) atomic_or(w.touched + row[1], fabric_class(cloth));
            // in order of distance; what comes first stays first
            u32 at = count;
            while (at > 0 && hits[h].distance < distance[at - 1]) --at;
            if (at == FABRIC_SLOTS) continue;
            const u32 end = count < FABRIC_SLOTS ? count : FABRIC_SLOTS - 1;
            for (u32 m = end; m > at; --m) {
                distance[m] = distance[m - 1];
                body_of[m] = body_of[m - 1];
                for (u32 q = 0; q < 2; ++q)
                    store4(w.contact, 2 * (FABRIC_SLOTS * i + m) + q,
                           load4(w.contact, 2 * (FABRIC_SLOTS * i + m - 1) + q));
            }
            distance[at] = hits[h].distance;
            body_of[at] = body.inverse1.z > 0.0f ? row[1] : FABRIC_NONE;
            if (count < FABRIC_SLOTS) ++count;
            real3 point = fabric_turned_back(body.turn, f.offset + fabric_turned(f.turn, hits[h].point));
            real3 normal = fabric_turned_back(body.turn, fabric_turned(f.turn, hits[h].normal));
            real friction = fabric_number(row, 20);
            if (row[2] & FABRIC_MATERIALS)
                friction = as_real(static_cast<i32>(mesh_material(f.shape.hull, hits[h].part)[0]));
            const u32 place = 2 * (FABRIC_SLOTS * i + at);
            store4(w.contact, place, with_w(point, as_real(static_cast<i32>(row[1]))));
            store4(w.contact, place + 1, with_w(normal, root(skin.y * friction)));
        }
    }
    for (u32 m = 0; m < FABRIC_SLOTS; ++m) {
        const u32 entry = FABRIC_SLOTS * i + m;
        if (m >= count)
            store4(w.contact, 2 * entry,
                   make_real4(0.0f, 0.0f, 0.0f, as_real(static_cast<i32>(FABRIC_NONE))));
        const bool pushes = m < count && body_of[m] != FABRIC_NONE;
        w.keys[entry] = pushes ? body_of[m] : FABRIC_NONE;
        w.values[entry] = entry;
        if (pushes) count_one(w.counts, FABRIC_COUNT_PUSHES);
    }
}

/// of the sorted pushes: how many a body has
KERNEL_FN void fabric_shares(u32 k, const FabricView w, const FabricParams p) {
    const u32 body = w.keys[k];
    if (k > 0 && w.keys[k - 1] == body) return;
    u32 count = 1;
    while (k + count < p.pushes && w.keys[k + count] == body) ++count;
    w.share[body] = to_real(static_cast<f32>(count));
}

// the substep ----------------------------------------------------------------------------------------------------------

/// Whether a tether keeps a vertex from going along n. Then a body that pushes it there is held itself: through a light vertex it would
/// yield.
KERNEL_FN bool fabric_taut(u32 i, real3 x, real3 n, const FabricView w) {
    real4 t = load4(w.tether, i);
    for (u32 m = 0; m < 2; ++m) {
        const u32 held = static_cast<u32>(as_whole(m ? t.z : t.x));
        const real length = m ? t.w : t.y;
        if (held == i) continue;
        real3 off = x - xyz(load4(w.start, held));
        if (dot3(off, off) > FABRIC_TAUT * FABRIC_TAUT * length * length &&
            dot3(off, n) > FABRIC_TAUT_LEAN * length)
            return true;
    }
    return false;
}

/// how much of its depth a body that comes at this speed leaves in a substep, where it presses on held cloth
KERNEL_FN real fabric_held_depth(real depth, real speed, const FabricParams p) {
    const real wanted = least(FABRIC_RECOVERED * depth, p.since * FABRIC_RECOVERY);
    return least(depth, greatest(p.since * speed + wanted, 0.0f));
}

/// the contacts of a vertex: out of the surface, and friction
KERNEL_FN void fabric_touch(u32 i, const FabricView w, const FabricParams p) {
    real4 here = load4(w.position, i);
    const u32 first = FABRIC_SLOTS * i;
    if (static_cast<u32>(as_whole(load4(w.contact, 2 * first).w)) == FABRIC_NONE) return;
    real3 x = xyz(here), from = xyz(load4(w.start, i)), support = make_real3(0.0f, 0.0f, 0.0f);
    const u32 cloth = static_cast<u32>(as_whole(load4(w.velocity, i).w));
    const real thickness = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN).x;
    const real own = p.h * here.w; // how far an impulse of 1 moves the vertex
    for (u32 m = 0; m < FABRIC_SLOTS; ++m) {
        real4 place = load4(w.contact, 2 * (first + m));
        const u32 b = static_cast<u32>(as_whole(place.w));
        if (b == FABRIC_NONE) break;
        real4 side = load4(w.contact, 2 * (first + m) + 1);
        const FabricBody body = fabric_body(b, w);
        real3 point = fabric_turned(body.turn, xyz(place)), n = fabric_turned(body.turn, xyz(side));
        n = n + p.since * cross3(body.w, n);
        n = n * (1.0f / length3(n));
        const real depth =
            thickness - dot3(x - ((body.at + point) + p.since * (body.v + cross3(body.w, point))), n);
        // it pushes where the vertex is now, which may have slid; so their angular momentum stays
        real3 arm = x - (body.at + p.since * body.v), speed = body.v + cross3(body.w, arm);
        real3 impulse = make_real3(0.0f, 0.0f, 0.0f);
        if (depth > 0.0f && own > 0.0f) {
            const real count = body.inverse1.z > 0.0f ? p.since * w.share[b] : 0.0f,
                       answer = count * fabric_response(body, arm, n);
            const bool taut = answer > 0.0f && fabric_taut(i, x, n, w);
            const real gives = taut ? 0.0f : own;
            // a taut vertex stops the body, and does not throw it by what its tether did
            const real most = fabric_held_depth(depth, dot3(speed, n), p);
            const real normal = (taut ? most : depth) / (gives + answer);
            x = x + n * (gives * normal);
            support = support + n;
            // slides less than it is pressed
            real3 slip = (taut ? make_real3(0.0f, 0.0f, 0.0f) : x - from) - p.h * speed;
            slip = slip - n * dot3(slip, n);
            const real slid = length3(slip);
            real3 along = make_real3(0.0f, 0.0f, 0.0f);
            real rub = 0.0f;
            if (slid > 0.0f) {
                along = slip * (1.0f / slid);
                rub = least(slid / (gives + count * fabric_response(body, arm, along)), side.w * normal);
                x = x - along * (gives * rub);
            }
            impulse = along * rub - n * normal;
        }
        store4(w.push, 2 * (first + m), with_w(impulse, 0.0f));
        store4(w.push, 2 * (first + m) + 1, with_w(arm, 0.0f));
    }
    store4(w.support, i, with_w(support, 0.0f));
    store4(w.position, i, with_w(x, here.w));
}

/// a body takes an impulse and a torque
KERNEL_FN void fabric_push_body(u32 b, real3 impulse, real3 torque, const FabricView w) {
    real4 inverse0 = load4(w.body_inverse, 2 * b), inverse1 = load4(w.body_inverse, 2 * b + 1);
    real3 v = unlocked3(as_whole(inverse1.w), 0, inverse1.z * impulse);
    real3 spin = sym3_times(gather_inertia(inverse0, inverse1), torque);
    // what forces alone would have done changes likewise: the warm start of the next substep leaves these impulses out
    store4(w.body_motion, 4 * b, with_w(xyz(load4(w.body_motion, 4 * b)) + v, 0.0f));
    store4(w.body_motion, 4 * b + 1, with_w(xyz(load4(w.body_motion, 4 * b + 1)) + spin, 0.0f));
    store4(w.body_free, 2 * b, with_w(xyz(load4(w.body_free, 2 * b)) + v, 0.0f));
    store4(w.body_free, 2 * b + 1, with_w(xyz(load4(w.body_free, 2 * b + 1)) + spin, 0.0f));
}

/// a body takes what pushes it, in the order of the sorted list
KERNEL_FN void fabric_bodies(u32 k, const FabricView w, const FabricParams p) {
    const u32 b = w.keys[k];
    if (k > 0 && w.keys[k - 1] == b) return;
    real3 impulse = make_real3(0.0f, 0.0f, 0.0f), torque = impulse;
    for (u32 m = k; m < p.pushes && w.keys[m] == b; ++m) {
        if (p.first == 2u && w.values[m] >= FABRIC_SLOTS * p.vertices) continue; // pins hand no load on
        real3 push = xyz(load4(w.push, 2 * w.values[m])), arm = xyz(load4(w.push, 2 * w.values[m] + 1));
        impulse = impulse + push;
        torque = torque + cross3(arm, push);
    }
    fabric_push_body(b, impulse, torque, w);
}

/// After the substep: what other cloth has handed to a vertex goes to the bodies that it lies on, and the rest becomes velocity.
KERNEL_FN void fabric_load(u32 i, const FabricView w, const FabricParams p) {
    real3 load = xyz(load4(w.load, i)) * p.inverse_h; // N s
    const real4 here = load4(w.position, i);
    const u32 first = FABRIC_SLOTS * i;
    const bool loaded = dot3(load, load) > 0.0f && here.w > 0.0f;
    const real4 v4 = load4(w.velocity, i);
    const u32 cloth = static_cast<u32>(as_whole(v4.w));
    const real thickness = load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN).x;
    real3 x = xyz(here);
    for (u32 m = 0; m < FABRIC_SLOTS && p.shapes != 0u; ++m) {
        real4 place = load4(w.contact, 2 * (first + m));
        const u32 b = static_cast<u32>(as_whole(place.w));
        if (b == FABRIC_NONE) break;
        real3 impulse = make_real3(0.0f, 0.0f, 0.0f), arm = impulse;
        if (loaded) {
            real4 side = load4(w.contact, 2 * (first + m) + 1);
            const FabricBody body = fabric_body(b, w);
            real3 point = fabric_turned(body.turn, xyz(place)), n = fabric_turned(body.turn, xyz(side));
            const real depth =
                thickness - dot3(x - ((body.at + point) + p.since * (body.v + cross3(body.w, point))), n);
            arm = x - (body.at + p.since * body.v);
            const real pressed = -dot3(load, n);
            if (depth > -FABRIC_BEARS * thickness && pressed > 0.0f) {
                real3 along = load + n * pressed;
                const real slides = length3(along);
                const real holds = slides > 0.0f ? least(1.0f, side.w * pressed / slides) : 0.0f;
                impulse = along * holds - n * pressed;
                load = load - impulse;
            }
        }
        store4(w.push, 2 * (first + m), with_w(impulse, 0.0f));
        store4(w.push, 2 * (first + m) + 1, with_w(arm, 0.0f));
    }
    if (loaded) store4(w.velocity, i, with_w(xyz(v4) + load * here.w, v4.w));
}
