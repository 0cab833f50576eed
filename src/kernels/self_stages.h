// SPDX-License-Identifier: MIT
// self_stages.h — near pairs, push and truncation of cloth that touches cloth.   compiles as: host, cuda
//
// Why nothing passes through. A substep begins free of intersections. First all vertices go the common way (shift). No vertex goes
// farther from where it was when near pairs were looked for than `based` says, and the candidates reach as far. Pairs that are not
// candidates, or were farther apart then than both sides may go, cannot meet. Of the others each has a
// plane across a fixed direction between its sides. In a round every vertex goes straight on as far as none of its planes is
// reached, so each side stays on its side; then the planes are put in the middle of what is left and a second round begins. An edge that
// enters a triangle must first touch its border or with its end its face, which are the pairs of two edges and of vertex and
// triangle (Chen et al. 2025, Offset Geometric Contact, bounds displacements alike in all directions).
//
// Sums are of whole numbers and limits are least values: the order of pairs has no effect.

#define SELF_FIXED 1099511627776.0f // 2^40 units a metre
#define SELF_NO_LIMIT 0x3f800000u   // 1, as bits
#define SELF_CORE 0.8f              // of its distance a pair above a face is not pressed together
#define SELF_ROOM                                                                                            \
    0.3f // of its thickness a vertex may go beyond what is foreseen before near pairs are looked for anew

/// the pairs of an item: k … end in steps
struct SelfRange {
    u32 k, end, step;
};
KERNEL_FN SelfRange self_range(u32 i, u32 count, const SelfParams p) {
    SelfRange r;
    r.k = p.stride ? i : i * SELF_RUN;
    r.end = p.stride || count < r.k + SELF_RUN ? count : r.k + SELF_RUN;
    r.step = p.stride ? p.stride : 1u;
    return r;
}

KERNEL_FN u64 self_fixed(real a) {
    return static_cast<u64>(static_cast<long long>(clamped(a, -1000.0f, 1000.0f) * SELF_FIXED));
}
KERNEL_FN real self_unfixed(u64 a) {
    return static_cast<real>(static_cast<double>(static_cast<long long>(a)) * (1.0 / 1099511627776.0));
}
KERNEL_FN u64* self_sum(u32 v, const SelfView w) {
    return reinterpret_cast<u64*>(w.sum) + 4 * static_cast<u64>(v);
}
KERNEL_FN void self_clear_sum(u32 v, const SelfView w) {
    u64* sum = self_sum(v, w);
    for (u32 k = 0; k < 4; ++k) sum[k] = 0;
}
KERNEL_FN void self_add(u32 v, real3 a, const SelfView w) {
    u64* sum = self_sum(v, w);
    atomic_add64(sum, self_fixed(a.x));
    atomic_add64(sum + 1, self_fixed(a.y));
    atomic_add64(sum + 2, self_fixed(a.z));
}
KERNEL_FN real3 self_sum3(const u64* sum) {
    return make_real3(self_unfixed(sum[0]), self_unfixed(sum[1]), self_unfixed(sum[2]));
}

/// the largest coordinate
KERNEL_FN real self_far(real3 x) {
    return greatest(magnitude(x.x), greatest(magnitude(x.y), magnitude(x.z)));
}

// survey of a step ------------------------------------------------------------------------------------------------------------

/// of share i: sum of velocities, sum of their squares, how many, largest coordinate
KERNEL_FN void self_survey(u32 i, const SelfView w, const SelfParams p) {
    real3 sum = make_real3(0.0f, 0.0f, 0.0f);
    real count = 0.0f, far = 0.0f;
    for (u32 v = i; v < p.vertices; v += SELF_SHARES) {
        const real3 x = self_point(w.start, v), u = self_point(w.velocity, v);
        if (!finite3(x) || !finite3(u)) continue;
        sum = sum + u;
        count += 1.0f;
        far = greatest(far, self_far(x));
    }
    f32* out = w.partial + i * SELF_PARTIAL;
    out[0] = sum.x;
    out[1] = sum.y;
    out[2] = sum.z;
    out[3] = count;
    out[4] = far;
}

/// the same of group i of the shares
KERNEL_FN void self_survey_groups(u32 i, const SelfView w, const SelfParams) {
    const u32 each = SELF_SHARES / SELF_GROUPS;
    f32 sum[4] = {0.0f, 0.0f, 0.0f, 0.0f}, far = 0.0f;
    for (u32 k = i * each; k < (i + 1) * each; ++k) {
        const f32* part = w.partial + k * SELF_PARTIAL;
        for (u32 c = 0; c < 4; ++c) sum[c] += part[c];
        far = greatest(far, part[4]);
    }
    f32* out = w.partial + (SELF_SHARES + i) * SELF_PARTIAL;
    for (u32 c = 0; c < 4; ++c) out[c] = sum[c];
    out[4] = far;
}

/// of share i, with all velocities and with those less the mean: sum of squares
KERNEL_FN void self_plan(u32 i, const SelfView w, const SelfParams p) {
    real3 mean = make_real3(0.0f, 0.0f, 0.0f);
    real count = 0.0f;
    for (u32 k = 0; k < SELF_GROUPS; ++k) {
        const f32* part = w.partial + (SELF_SHARES + k) * SELF_PARTIAL;
        mean = mean + make_real3(part[0], part[1], part[2]);
        count += part[3];
    }
    mean = mean * (1.0f / greatest(count, 1.0f));
    real squares = 0.0f, squares_all = 0.0f;
    for (u32 v = i; v < p.vertices; v += SELF_SHARES) {
        const real3 x = self_point(w.start, v), u = self_point(w.velocity, v);
        if (!finite3(x) || !finite3(u)) continue;
        const real all = length3(u), apart = length3(u - mean);
        squares_all += all * all;
        squares += apart * apart;
    }
    f32* out = w.partial + i * SELF_PARTIAL + 5;
    out[0] = squares;
    out[1] = squares_all;
}

/// the same of group i; and behind the groups the counters, which begin anew
KERNEL_FN void self_plan_groups(u32 i, const SelfView w, const SelfParams) {
    const u32 each = SELF_SHARES / SELF_GROUPS;
    f32 sum[2] = {0.0f, 0.0f};
    for (u32 k = i * each; k < (i + 1) * each; ++k) {
        const f32* part = w.partial + k * SELF_PARTIAL + 5;
        for (u32 c = 0; c < 2; ++c) sum[c] += part[c];
    }
    f32* out = w.partial + (SELF_SHARES + i) * SELF_PARTIAL + 5;
    for (u32 c = 0; c < 2; ++c) out[c] = sum[c];
    if (i != 0) return;
    u32* facts = reinterpret_cast<u32*>(w.partial + (SELF_SHARES + SELF_GROUPS) * SELF_PARTIAL);
    for (u32 c = 0; c < SELF_PARTIAL; ++c) facts[c] = w.facts[c];
    for (u32 c = SELF_FACT_TRUNCATED; c <= SELF_FACT_BROKEN; ++c) w.facts[c] = 0;
    w.facts[SELF_FACT_TOUCHING] = w.facts[SELF_FACT_RETURNED] = 0;
}

// a substep --------------------------------------------------------------------------------------------------------------------

KERNEL_FN real3 self_listed(u32 v, const SelfView w, const SelfParams p) {
    return self_point(w.listed, v) + make_real3(p.drift_x, p.drift_y, p.drift_z);
}
KERNEL_FN real3 self_based(u32 v, const SelfView w, const SelfParams p) {
    return self_point(w.based, v) + make_real3(p.near_x, p.near_y, p.near_z);
}

/// A goal towards which a tangled vertex comes apart as fast as it is to (untangle.h): behind those of load.
KERNEL_FN real3 self_apart(real3 base, real3 goal, u32 v, const SelfView w, const SelfParams p) {
    const real3 motion = self_point(w.load, p.vertices + v) * p.step;
    const real square = dot3(motion, motion);
    if (!(square > 0.0f)) return goal;
    const real missing = 1.0f - dot3(goal - base, motion) / square;
    return missing > 0.0f ? goal + motion * missing : goal;
}

/// The common way. A vertex that has no finite place to go stays with the others. Says whether a vertex wants to go farther than near
/// pairs were looked for: with what a push may add self_within would stop it.
KERNEL_FN void self_begin(u32 v, const SelfView w, const SelfParams p) {
    const real4 x = load4(w.start, v), to = load4(w.position, v);
    const real3 from = make_real3(x.x, x.y, x.z);
    real3 base = from + make_real3(p.shift_x, p.shift_y, p.shift_z), goal = make_real3(to.x, to.y, to.z);
    if (!finite3(from)) base = from;
    if (!finite3(goal) || !finite3(from)) {
        atomic_add(w.facts + SELF_FACT_BROKEN, 1u);
        goal = base;
        store4(w.position, v, make_real4(base.x, base.y, base.z, to.w));
    }
    store4(w.current, v, make_real4(base.x, base.y, base.z, 0.0f));
    if (p.check_tangles) {
        goal = self_apart(base, goal, v, w, p);
        store4(w.position, v, make_real4(goal.x, goal.y, goal.z, to.w));
    }
    w.contacts[v] = 0;
    self_clear_sum(v, w);
    if (!(length3(goal - self_based(v, w, p)) + 0.06f * self_thickness(v, w) <= load4(w.based, v).w))
        raise_flag(w.facts, SELF_FACT_STALE);
}

/// Near pairs are looked for from where the vertex is now. How far it may go until they are again: as far as it wants in this substep,
/// on from there at its velocity, and some room. What a pile presses wants to go far in every substep and is stopped in each: its
/// velocity tells better how far it comes than what it wants. Says whether the candidates reach less far: all near pairs must be among
/// them, so that results do not depend on when they were listed.
KERNEL_FN void self_base(u32 v, const SelfView w, const SelfParams p) {
    const real4 x = load4(w.start, v);
    const real3 base = self_point(w.current, v), from = make_real3(x.x, x.y, x.z);
    const real3 flies = (self_point(w.velocity, v) - make_real3(p.mean_x, p.mean_y, p.mean_z)) * p.step;
    real way = length3(self_point(w.position, v) - base), later = finite3(flies) ? length3(flies) : 0.0f;
    if (x.w > 0.0f) {
        way = least(way, p.most_way);
        later = least(later, p.most_way);
    } else {
        later = way; // a pin leads it on, and it may have no velocity
    }
    const real limit = (1.0001f * (way + p.near_ways * later) + SELF_ROOM * self_thickness(v, w)) + p.room;
    store4(w.based, v, make_real4(base.x, base.y, base.z, limit));
    // how far from where it was listed, against the common way, it can be until then; NaN counts as far
    const real3 before = self_listed(v, w, p) - make_real3(p.shift_x, p.shift_y, p.shift_z);
    const real gone = 1.0001f * length3(from - before) + (2e-6f * self_far(from) + limit);
    w.fraction[v] = static_cast<u32>(as_whole(gone < 1e8f ? gone : 1e8f));
    if (finite3(from) && !(gone <= 0.999f * load4(w.listed, v).w)) atomic_add(w.facts + SELF_FACT_SHORT, 1u);
}

/// the larger of what two vertices keep in `fraction`
KERNEL_FN real self_gone(u32 a, u32 b, const SelfView w) {
    const u32 x = w.fraction[a], y = w.fraction[b];
    return as_real(static_cast<i32>(x > y ? x : y));
}

/// a pair's shares of its vertices, for the nearest point of each side
KERNEL_FN void self_weights(u32 edges, real s, real t, real* weight) {
    weight[0] = edges ? 1.0f - s : 1.0f;
    weight[1] = edges ? s : (1.0f - s) - t;
    weight[2] = edges ? 1.0f - t : s;
    weight[3] = t;
}

/// how the nearest points of the two sides have moved against each other
KERNEL_FN real3 self_relative(const real3* move, const real* weight, u32 edges) {
    const real3 second = move[1] * weight[1];
    const real3 rest = move[2] * weight[2] + move[3] * weight[3];
    return edges ? (move[0] * weight[0] + second) - rest : move[0] * weight[0] - (second + rest);
}

/// What the pair keeps free of its distance: half of what is missing is made up for in a substep, and not faster than `recovery`.
KERNEL_FN real self_aim(real kept, real full, real gap, const SelfParams p) {
    return least(kept, gap + least(0.2f * greatest(full - gap, 0.0f), p.recovery));
}

#define SELF_LIMITS 1u
#define SELF_TOUCHES 2u

/// a near pair, as near_vertex, near_plane and near_weight keep it
struct SelfFound {
    u32 vertex[4], is; // SELF_LIMITS, SELF_TOUCHES; 0: not near
    real4 plane, weight;
};

/// Whether a vertex is above the face of a triangle, or nearly so. One beside it is above another triangle, or beyond the border of
/// the cloth, and keeps half the distance: it would be pushed sideways.
KERNEL_FN bool self_is_above(const SelfSides& x, const SelfPlane& plane) {
    if (plane.s > 0.0f && plane.t > 0.0f && plane.s + plane.t < 1.0f) return true;
    const real3 across = cross3(x.b[1], x.b[2]);
    const real height = dot3(across, plane.normal);
    return height * height > 0.9f * dot3(across, across);
}

KERNEL_FN SelfPair self_candidate(const u32* entry) {
    SelfPair pair;
    pair.edges = entry[0] >> 31;
    pair.vertex[0] = entry[0] & ~SELF_EDGES;
    for (u32 c = 1; c < 4; ++c) pair.vertex[c] = entry[c];
    return pair;
}

/// Whether a candidate is worth a look: not if it is still far away, wherever its vertices went since it was listed.
KERNEL_FN bool self_may_be_near(u32 k, const SelfView w, const SelfParams p) {
    const u32* entry = w.pair + 6 * k;
    const SelfPair pair = self_candidate(entry);
    const real beyond = as_real(static_cast<i32>(entry[5]));
    const u32* v = pair.vertex;
    const u32 second = pair.edges ? v[1] : v[0], third = pair.edges ? v[2] : v[1];
    const real gone_b = greatest(self_gone(v[2], v[3], w), self_gone(third, third, w));
    if (beyond > self_gone(v[0], second, w) + gone_b) return false;
    return !(p.check_tangles && w.tangled[v[0]] && w.tangled[v[1]] && w.tangled[v[2]] && w.tangled[v[3]]);
}

KERNEL_FN SelfFound self_near_pair(u32 k, const SelfView w) {
    SelfFound found;
    found.is = 0;
    const u32* entry = w.pair + 6 * k;
    const SelfPair pair = self_candidate(entry);
    const real kept = as_real(static_cast<i32>(entry[4]));
    const u32* v = pair.vertex;
    real3 x[4];
    real limit[4];
    for (u32 c = 0; c < 4; ++c) {
        const real4 at = load4(w.based, v[c]);
        x[c] = make_real3(at.x, at.y, at.z);
        limit[c] = at.w;
    }
    const real of_a = pair.edges ? greatest(limit[0], limit[1]) : limit[0];
    const real of_b = greatest(greatest(limit[2], limit[3]), pair.edges ? limit[2] : limit[1]);
    const SelfSides sides = self_sides(pair, x);
    const SelfNearest nearest = self_nearest(sides);
    const real size = self_size(sides), margin = 1e-5f * size, reach = (of_a + of_b) + (kept + margin);
    if (nearest.square > reach * reach) return found;
    const SelfPlane plane = self_plane(sides, nearest);
    if (!(plane.gap > 0.0f)) {
        atomic_add(w.facts + SELF_FACT_TOUCHING, 1u);
        return found;
    }
    // rounding of the common way moves vertices against each other
    const real far = greatest(self_far(x[0]), self_far(x[3]));
    const real ways = 1.001f * (of_a + of_b);
    if (plane.gap <= ways + (margin + 4e-6f * far)) found.is = SELF_LIMITS;
    u32 core = 0;
    // edges that are nearest at an end are a vertex and a triangle as well
    if (!pair.edges || (plane.s > 0.001f && plane.s < 0.999f && plane.t > 0.001f && plane.t < 0.999f)) {
        const bool above = !pair.edges && self_is_above(sides, plane);
        const real keep = pair.edges || above ? kept : 0.5f * kept;
        if (plane.gap <= ways + (keep + margin)) {
            found.is |= SELF_TOUCHES;
            if (above) core = SELF_EDGES;
            if (above && plane.gap <= ways + (SELF_CORE * keep + margin)) found.is |= SELF_LIMITS;
            const real friction =
                root(load4(w.cloth, w.vertex_cloth[v[0]]).y * load4(w.cloth, w.vertex_cloth[v[3]]).y);
            found.weight = make_real4(plane.s, plane.t, keep, friction);
        }
    }
    if (found.is == SELF_LIMITS) found.weight = make_real4(plane.s, plane.t, 0.0f, 0.0f);
    if (found.is == 0) return found;
    found.vertex[0] = v[0] | (pair.edges << 31);
    for (u32 c = 1; c < 4; ++c) found.vertex[c] = v[c];
    found.vertex[2] |= core;
    found.plane = make_real4(plane.normal.x, plane.normal.y, plane.normal.z, plane.gap);
    return found;
}

/// next free places in near_…, limit_list and push_list
struct SelfPlaces {
    u32 near, limit, push;
};

KERNEL_FN void self_keep(const SelfFound& found, SelfPlaces& to, const SelfView w) {
    const u32 at = to.near++;
    for (u32 c = 0; c < 4; ++c) w.near_vertex[4 * at + c] = found.vertex[c];
    store4(w.near_plane, at, found.plane);
    if (found.is & SELF_LIMITS) w.limit_list[to.limit++] = at;
    store4(w.near_weight, at, found.weight);
    if (found.is & SELF_TOUCHES) w.push_list[to.push++] = at;
}

KERNEL_FN SelfPlaces self_take_places(u32 near, u32 limit, u32 push, const SelfView w) {
    SelfPlaces at;
    at.near = atomic_places(w.facts + SELF_FACT_NEAR, near);
    at.limit = atomic_places(w.facts + SELF_FACT_LIMIT, limit);
    at.push = atomic_places(w.facts + SELF_FACT_PUSH, push);
    return at;
}

#if defined(__CUDACC__)
#define SELF_TOGETHER SELF_BATCH
#else
#define SELF_TOGETHER SELF_RUN
#endif

/// The candidates that are worth a look, to stop_list. Apart from self_near, for few are: threads that run together would wait for the
/// one among them that has found one.
KERNEL_FN void self_sift(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, p.of_edges ? p.crossing : p.candidates, p);
    u32 all[SELF_TOGETHER];
    while (r.k < r.end) {
        u32 count = 0;
        for (u32 k = 0; k < SELF_TOGETHER && r.k < r.end; ++k, r.k += r.step) {
            all[count] = p.of_edges ? p.capacity - 1 - r.k : r.k;
            count += self_may_be_near(all[count], w, p) ? 1u : 0u;
        }
        const u32 at = atomic_places(w.facts + SELF_FACT_STOPS, count);
        for (u32 k = 0; k < count; ++k) w.stop_list[at + k] = all[k];
    }
}

/// The first launches sift, the last one looks. Places are taken for several pairs at once: threads wait for each other at the counters.
KERNEL_FN void self_near(u32 i, const SelfView w, const SelfParams p) {
    if (p.first) {
        self_sift(i, w, p);
        return;
    }
    SelfRange r = self_range(i, w.facts[SELF_FACT_STOPS], p);
    SelfFound all[SELF_TOGETHER];
    while (r.k < r.end) {
        u32 near = 0, limit = 0, push = 0;
        for (u32 k = 0; k < SELF_TOGETHER && r.k < r.end; ++k, r.k += r.step) {
            all[near] = self_near_pair(w.stop_list[r.k], w);
            limit += all[near].is & 1u;
            push += all[near].is >> 1;
            near += all[near].is ? 1u : 0u;
        }
        SelfPlaces at = self_take_places(near, limit, push, w);
        for (u32 k = 0; k < near; ++k) self_keep(all[k], at, w);
    }
}

/// A near pair in this substep.
struct SelfTouch {
    u32 v[4], edges;
    real3 n, slid;         // slid: how its nearest points move against each other
    real weight[4], depth; // depth: by how much they will be nearer than they are to be
};

KERNEL_FN SelfTouch self_touch_of(u32 at, real4 shares, const SelfView w, const SelfParams p) {
    const u32* ids = w.near_vertex + 4 * at;
    SelfTouch touch;
    touch.edges = ids[0] >> 31;
    for (u32 c = 0; c < 4; ++c) touch.v[c] = ids[c] & ~SELF_EDGES;
    const real4 plane = load4(w.near_plane, at);
    touch.n = make_real3(plane.x, plane.y, plane.z);
    self_weights(touch.edges, shares.x, shares.y, touch.weight);
    real3 off[4], move[4];
    const real3 origin = self_point(w.start, touch.v[3]);
    for (u32 c = 0; c < 4; ++c) {
        const real3 x = self_point(w.start, touch.v[c]);
        off[c] = x - origin;
        move[c] = self_point(w.position, touch.v[c]) - x;
    }
    touch.slid = self_relative(move, touch.weight, touch.edges);
    const real gap = dot3(touch.n, self_relative(off, touch.weight, touch.edges));
    const real full = ids[2] & SELF_EDGES ? SELF_CORE * shares.z : shares.z;
    touch.depth = self_aim(shares.z, full, gap, p) - (gap + dot3(touch.n, touch.slid));
    return touch;
}

/// What a pair adds to `contacts` of its vertex c: it takes so much of the vertex' mass. Deep pairs take more; units of 2^-20 m
KERNEL_FN u32 self_share(const SelfTouch& touch, u32 c) {
    const real depth = least(magnitude(touch.depth), 0.1f);
    return static_cast<u32>(to_whole(depth * touch.weight[c] * 1048576.0f)) + 1u;
}

/// which of the near pairs touch; how deep all pairs of a vertex are together
KERNEL_FN void self_touch(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_PUSH], p);
    u32 count = 0;
    for (; r.k < r.end; r.k += r.step) {
        const u32 at = w.push_list[r.k];
        const SelfTouch touch = self_touch_of(at, load4(w.near_weight, at), w, p);
        const bool touches = touch.depth > 0.0f;
        w.near_vertex[4 * at + 1] = touch.v[1] | (touches ? SELF_EDGES : 0u);
        if (!touches) continue;
        ++count;
        for (u32 c = 0; c < 4; ++c)
            if (touch.weight[c] > 0.0f) atomic_add(w.contacts + touch.v[c], self_share(touch, c));
    }
    atomic_places(w.facts + SELF_FACT_TOUCH, count);
}

/// Pushes a pair apart. Each vertex' mass is split among its pairs (Tonge et al. 2012, mass splitting): then all may
/// push at once, and what one side gains the other loses.
KERNEL_FN void self_push_pair(u32 at, const SelfView w, const SelfParams p) {
    if (!(w.near_vertex[4 * at + 1] & SELF_EDGES)) return;
    const real4 shares = load4(w.near_weight, at);
    const SelfTouch touch = self_touch_of(at, shares, w, p);
    real inverse_mass[4], response = 0.0f;
    for (u32 c = 0; c < 4; ++c) {
        inverse_mass[c] = load4(w.start, touch.v[c]).w;
        const real all = to_real(static_cast<i32>(w.contacts[touch.v[c]]));
        const real parts = all / to_real(static_cast<i32>(self_share(touch, c)));
        if (touch.weight[c] > 0.0f)
            response += inverse_mass[c] * greatest(parts, 1.0f) * (touch.weight[c] * touch.weight[c]);
    }
    if (!(touch.depth > 0.0f) || !(response > 0.0f)) return;
    const real push = touch.depth / response;
    const real3 across = touch.slid - touch.n * dot3(touch.n, touch.slid);
    const real length = length3(across);
    const real hold = length > 0.0f ? least(length / response, shares.w * push) / length : 0.0f;
    const real3 impulse = touch.n * push - across * hold;
    for (u32 c = 0; c < 4; ++c) {
        if (!(touch.weight[c] > 0.0f) || !(inverse_mass[c] > 0.0f)) continue;
        const bool side_a = c == 0 || (c == 1 && touch.edges);
        const real share = inverse_mass[c] * touch.weight[c];
        self_add(touch.v[c], impulse * (side_a ? share : -share), w);
    }
}

KERNEL_FN void self_push(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_PUSH], p);
    for (; r.k < r.end; r.k += r.step) self_push_pair(w.push_list[r.k], w, p);
}

KERNEL_FN void self_pushed(u32 v, const SelfView w, const SelfParams) {
    if (w.contacts[v] == 0) return;
    const real3 x = self_point(w.position, v) + self_sum3(self_sum(v, w));
    store4(w.position, v, make_real4(x.x, x.y, x.z, load4(w.position, v).w));
    self_clear_sum(v, w);
    w.contacts[v] = 0;
}

// truncation -------------------------------------------------------------------------------------------------------------------

/// `goal`, or where the way to it ends that near pairs were looked for
KERNEL_FN real3 self_within(real3 goal, u32 v, bool* outrun, const SelfView w, const SelfParams p) {
    const real3 based = self_based(v, w, p);
    const real way = length3(goal - based), limit = load4(w.based, v).w;
    *outrun = way > limit;
    return way > limit ? based + (goal - based) * (limit / way) : goal;
}

/// Counts a vertex that was kept from its goal. A held one comes after when there is room: its pin leads it there in every substep.
KERNEL_FN void self_count_stopped(u32 v, u32 fact, const SelfView w) {
    atomic_add(w.facts + (load4(w.start, v).w > 0.0f ? fact : SELF_FACT_FORCED), 1u);
}

/// where vertex v is to go, within its limits
KERNEL_FN void self_goal(u32 v, const SelfView w, const SelfParams p) {
    w.fraction[v] = SELF_NO_LIMIT;
    if (v == 0) w.facts[SELF_FACT_SHORT] = w.facts[SELF_FACT_STALE] = 0;
    const real3 from = self_point(w.current, v);
    const real4 to = load4(w.position, v);
    const real3 wanted = make_real3(to.x, to.y, to.z);
    bool outrun = false;
    if (!finite3(wanted)) {
        store4(w.position, v, make_real4(from.x, from.y, from.z, to.w));
        if (finite3(from)) atomic_add(w.facts + SELF_FACT_BROKEN, 1u);
        return;
    }
    const real3 goal = self_within(wanted, v, &outrun, w, p);
    if (outrun) self_count_stopped(v, SELF_FACT_OUTRUN, w);
    store4(w.position, v, make_real4(goal.x, goal.y, goal.z, to.w));
}

/// How much of what both sides want to approach each other a pair above a face lets them, if it is nearer than its core: what
/// lies on other cloth does not press it together, however much lies above. A side that is left in motion is followed.
KERNEL_FN real self_core_share(real gap, real kept, const real* approach, const SelfParams p) {
    const real want_a = greatest(approach[0], 0.0f);
    const real most_b = greatest(approach[1], greatest(approach[2], approach[3]));
    const real want = want_a + greatest(most_b, 0.0f);
    const real leaves = greatest(greatest(-approach[0], 0.0f), greatest(-most_b, 0.0f));
    const real room = greatest(gap - SELF_CORE * kept, 0.0f) + greatest(leaves - p.stuck, 0.0f);
    return want > room ? room / want : 1.0f;
}

/// whether it stops a vertex
KERNEL_FN bool self_limit_pair(u32 at, const SelfView w, const SelfParams p) {
    const u32* ids = w.near_vertex + 4 * at;
    const u32 edges = ids[0] >> 31, origin = edges ? 2 : 1;
    const u32 v[4] = {ids[0] & ~SELF_EDGES, ids[1] & ~SELF_EDGES, ids[2] & ~SELF_EDGES, ids[3]};
    const real4 plane = load4(w.near_plane, at);
    const real3 n = make_real3(plane.x, plane.y, plane.z);
    real3 x[4], way[4];
    real place[4], approach[4], length[4], far = 0.0f;
    bool none = true;
    for (u32 c = 0; c < 4; ++c) {
        x[c] = self_point(w.current, v[c]);
        way[c] = self_point(w.position, v[c]) - x[c];
        far = greatest(far, self_far(x[c]));
        const real towards = dot3(n, way[c]);
        length[c] = (magnitude(way[c].x) + magnitude(way[c].y)) + magnitude(way[c].z);
        // what rounding may hide
        approach[c] = (c < origin ? -towards : towards) + 1e-6f * length[c];
    }
    // A position is rounded when it is stored: whatever moves may come so much nearer, also along the plane, when another pair stops it
    // on its way. Else gaps that are as small as they may be would be worn away.
    const real rounding = 1.1e-7f * far;
    for (u32 c = 0; c < 4; ++c)
        if (length[c] > 0.0f && approach[c] + rounding > 0.0f) none = false;
    if (none && !p.last) return false;
    real low = 0.0f, high = 0.0f, size = 0.0f, want_a = 0.0f, want_b = 0.0f, must_a = 0.0f, must_b = 0.0f;
    for (u32 c = 0; c < 4; ++c) {
        const real3 off = x[c] - x[origin];
        place[c] = dot3(n, off);
        size = greatest(size, self_far(off));
        const bool held = !(load4(w.start, v[c]).w > 0.0f);
        if (c < origin) {
            low = c == 0 ? place[c] : least(low, place[c]);
            want_a = greatest(want_a, approach[c]);
            if (held) must_a = greatest(must_a, approach[c]);
        } else {
            high = greatest(high, place[c]);
            want_b = greatest(want_b, approach[c]);
            if (held) must_b = greatest(must_b, approach[c]);
        }
    }
    const real gap = low - high;
    const real smallest = 1e-6f * size + 4.0f * rounding;
    if (p.last && !(gap > 16.0f * smallest)) raise_flag(w.facts, SELF_FACT_TINY);
    if (none) return false;
    const real keep = greatest(smallest, 0.1f * plane.w);
    // side B gets what it wants and half of what is left over; held vertices come first
    const real both_want = want_a + want_b;
    real part = both_want < gap ? want_b + 0.5f * (gap - both_want) : gap * (want_b / both_want);
    part = clamped(part, 0.05f * gap, 0.95f * gap);
    if (must_b > 0.0f) part = greatest(part, least(1.15f * must_b + keep, 0.98f * gap));
    if (must_a > 0.0f) part = least(part, greatest(gap - (1.15f * must_a + keep), 0.02f * gap));
    const real middle = high + part;
    const real core =
        ids[2] & SELF_EDGES ? self_core_share(gap, w.near_weight[4 * at + 2], approach, p) : 1.0f;
    real stops[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (u32 c = 0; c < 4; ++c) {
        if (!(length[c] > 0.0f)) continue;
        const real room = c < origin ? place[c] - middle : middle - place[c];
        real allowed = greatest(least(0.9f * room, room - keep), 0.0f), goes = allowed - rounding;
        // the way of a held vertex ends where it must, at the plane
        const real some = core * (c < origin ? want_a : want_b);
        const bool soft = core < 1.0f && load4(w.start, v[c]).w > 0.0f &&
                          approach[c] > some + (rounding + 2e-6f * length[c]);
        if (!soft && approach[c] <= goes) continue;
        if (soft) {
            allowed = least(allowed, some);
            goes = least(goes, some);
        }
        real share = approach[c] > 0.0f ? greatest(goes / approach[c], 0.0f) : 0.0f;
        if (share < 1e-3f) share = 0.0f;
        atomic_least(w.fraction + v[c], static_cast<u32>(as_whole(share)));
        // the rest of the way is to slide along the plane
        const real excess = greatest(approach[c] - allowed, 0.0f), weight = excess / length[c];
        self_add(v[c], n * (c < origin ? weight * excess : -(weight * excess)), w);
        atomic_add64(self_sum(v[c], w) + 3, self_fixed(weight));
        stops[c] = weight;
    }
    const bool any = stops[0] > 0.0f || stops[1] > 0.0f || stops[2] > 0.0f || stops[3] > 0.0f;
    if (any && p.first) store4(w.near_stop, at, make_real4(stops[0], stops[1], stops[2], stops[3]));
    return any;
}

KERNEL_FN void self_limit(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_LIMIT], p);
    for (; r.k < r.end; r.k += r.step) {
        const u32 at = w.limit_list[r.k];
        const bool stops = self_limit_pair(at, w, p);
        if (!p.first) continue;
        const u32 place = atomic_places(w.facts + SELF_FACT_STOPS, stops ? 1u : 0u);
        if (stops) w.stop_list[place] = at;
    }
}

/// A round's way; what is left of it turns along the planes that were in the way. After the last round the vertex stays where it is.
KERNEL_FN void self_advance(u32 v, const SelfView w, const SelfParams p) {
    const u32 bits = w.fraction[v], contacts = w.contacts[v];
    const real4 at = load4(w.current, v), to = load4(w.position, v);
    real3 x = make_real3(at.x, at.y, at.z), goal = make_real3(to.x, to.y, to.z);
    const bool stopped = bits < SELF_NO_LIMIT;
    if (stopped) {
        const real share = as_real(static_cast<i32>(bits)), weights = self_unfixed(self_sum(v, w)[3]);
        if (share > 0.0f) x = x + (goal - x) * share;
        if (weights > 0.0f) goal = goal + self_sum3(self_sum(v, w)) * (1.0f / weights);
        w.fraction[v] = SELF_NO_LIMIT;
        self_clear_sum(v, w);
        w.contacts[v] = contacts | 0x80000000u;
        bool outrun = false;
        goal = self_within(goal, v, &outrun, w, p);
    } else {
        x = goal;
    }
    if (p.last) {
        goal = x;
        if (stopped || (contacts & 0x80000000u)) self_count_stopped(v, SELF_FACT_TRUNCATED, w);
    } else {
        store4(w.current, v, make_real4(x.x, x.y, x.z, at.w));
        if (!stopped) return;
    }
    store4(w.position, v, make_real4(goal.x, goal.y, goal.z, to.w));
}

// the smallest gaps ------------------------------------------------------------------------------------------------------------
//
// A vertex is rounded when it is stored. Pairs whose gap is hardly more than that are looked at again, where their vertices are now: if
// the plane no longer separates them all four go back to where they were at the beginning, and then their other pairs are looked at.
// At worst all go back, to where none had met. The order has no effect.

/// Whether a plane across n separates the sides. Products of floats are exact in double precision, and what is below 1e-14 of the
/// size may be rounding of their sums.
KERNEL_FN bool self_separated(const u32* v, u32 origin, real3 n, const SelfView w) {
    const real3 from = self_point(w.position, v[origin]);
    const SelfWide across = self_wide(n);
    double low = 0.0, high = 0.0, size = 0.0;
    for (u32 c = 0; c < 4; ++c) {
        const SelfWide off = self_wide_from(self_point(w.position, v[c]), from);
        const double place = wide_dot(across, off), square = wide_dot(off, off);
        size = square > size ? square : size;
        if (c < origin) low = c == 0 || place < low ? place : low;
        else high = place > high ? place : high;
    }
    return low - high > 1e-14 * wide_root(size);
}

/// marks the vertices of pairs that are no longer separated
KERNEL_FN void self_check(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_LIMIT], p);
    for (; r.k < r.end; r.k += r.step) {
        const u32 at = w.limit_list[r.k];
        const u32* ids = w.near_vertex + 4 * at;
        const u32 v[4] = {ids[0] & ~SELF_EDGES, ids[1] & ~SELF_EDGES, ids[2] & ~SELF_EDGES, ids[3]};
        if (self_separated(v, ids[0] >> 31 ? 2u : 1u, self_point(w.near_plane, at), w)) continue;
        for (u32 c = 0; c < 4; ++c) atomic_least(w.fraction + v[c], 0u);
    }
}

/// A marked vertex goes back: to where the common way has taken it, and if it is there to where it began, for that way is rounded too.
KERNEL_FN void self_return(u32 v, const SelfView w, const SelfParams p) {
    if (w.fraction[v] != 0) return;
    w.fraction[v] = SELF_NO_LIMIT;
    const real4 x = load4(w.start, v), at = load4(w.position, v);
    const real3 from = make_real3(x.x, x.y, x.z);
    real3 to = from + make_real3(p.shift_x, p.shift_y, p.shift_z);
    if (at.x == to.x && at.y == to.y && at.z == to.z) to = from;
    if (!finite3(to) || (at.x == from.x && at.y == from.y && at.z == from.z)) return;
    store4(w.position, v, make_real4(to.x, to.y, to.z, at.w));
    raise_flag(w.facts, SELF_FACT_TINY);
    atomic_add(w.facts + SELF_FACT_RETURNED, 1u);
}
