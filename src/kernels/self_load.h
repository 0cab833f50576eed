// SPDX-License-Identifier: MIT
// self_load.h — the momentum that truncation takes from cloth goes to what it lies on.   compiles as: host, cuda
//
// A vertex that is stopped short loses velocity: the rest of its way. What it has lost, and what others have laid on it (its load), it
// hands to the other side of the pairs that are in its way, by the weights of their nearest points, along the plane's normal and as far
// as friction holds. A vertex that gets some and is itself stopped, or lies on a body, keeps it as its load, and hands it on in the next
// substep, or to the body: so a pile weighs what its layers weigh, and loads move nothing. Any other gains velocity from it. A side that
// is not stopped takes only as much as makes both equally fast: a blow without a rebound.
//
// Momentum is what both sides exchange, so its sum stays. Sums are of whole numbers: the order of pairs has no effect.

#define SELF_STILL 1e-7f // m/s: less is dropped

KERNEL_FN u64* self_taken(u32 v, const SelfView w) {
    return reinterpret_cast<u64*>(w.taken) + 3 * static_cast<u64>(v);
}
KERNEL_FN void self_add_to(u64* sum, real3 a) {
    atomic_add64(sum, self_fixed(a.x));
    atomic_add64(sum + 1, self_fixed(a.y));
    atomic_add64(sum + 2, self_fixed(a.z));
}

/// what vertex v has to hand on: the way it did not go, as a velocity, and its load
KERNEL_FN void self_loss(u32 v, const SelfView w, const SelfParams p) {
    const real4 at = load4(w.position, v), load = load4(w.load, v);
    const real3 x = make_real3(at.x, at.y, at.z);
    real3 lost = (self_point(w.goal, v) - x) * (1.0f / p.step) + make_real3(load.x, load.y, load.z);
    const real inverse_mass = load4(w.start, v).w;
    if (!finite3(lost) || !(inverse_mass > 0.0f) || !(self_far(lost) > SELF_STILL))
        lost = make_real3(0.0f, 0.0f, 0.0f);
    store4(w.loss, v, make_real4(lost.x, lost.y, lost.z, inverse_mass));
    self_clear_sum(v, w);
    u64* taken = self_taken(v, w);
    taken[0] = taken[1] = taken[2] = 0;
}

/// A pair that may be in the way of its vertices.
struct SelfBearing {
    u32 v[4], origin;
    real3 n;
    real4 loss[4];
    real weight[4]; // m: by how much vertex c would be too near if it went on; 0: not in its way
    bool any;
};

KERNEL_FN SelfBearing self_bearing(u32 at, const SelfView w, const SelfParams p) {
    const u32* ids = w.near_vertex + 4 * at;
    SelfBearing b;
    b.origin = ids[0] >> 31 ? 2u : 1u;
    const real4 plane = load4(w.near_plane, at);
    b.n = make_real3(plane.x, plane.y, plane.z);
    b.any = false;
    for (u32 c = 0; c < 4; ++c) {
        b.v[c] = c < 3 ? ids[c] & ~SELF_EDGES : ids[c];
        b.loss[c] = load4(w.loss, b.v[c]);
        const real along = dot3(b.n, make_real3(b.loss[c].x, b.loss[c].y, b.loss[c].z));
        b.weight[c] = greatest((c < b.origin ? -along : along) * p.step, 0.0f);
        b.any = b.any || b.weight[c] > 0.0f;
    }
    if (!b.any) return b;
    real low = 0.0f, high = 0.0f;
    const real3 from = self_point(w.position, b.v[b.origin]);
    for (u32 c = 0; c < 4; ++c) {
        const real place = dot3(b.n, self_point(w.position, b.v[c]) - from);
        if (c < b.origin) low = c == 0 ? place : least(low, place);
        else high = greatest(high, place);
    }
    const real floor = ids[2] & SELF_EDGES ? SELF_CORE * w.near_weight[4 * at + 2] : 0.25f * plane.w;
    const real room = greatest((low - high) - floor, 0.0f);
    b.any = false;
    for (u32 c = 0; c < 4; ++c) {
        b.weight[c] = greatest(b.weight[c] - room, 0.0f);
        b.any = b.any || b.weight[c] > 0.0f;
    }
    return b;
}

/// how much all pairs are in the way of a vertex
KERNEL_FN void self_weigh(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_LIMIT], p);
    for (; r.k < r.end; r.k += r.step) {
        const SelfBearing b = self_bearing(w.limit_list[r.k], w, p);
        for (u32 c = 0; c < 4 && b.any; ++c)
            if (b.weight[c] > 0.0f) atomic_add64(self_sum(b.v[c], w) + 3, self_fixed(b.weight[c]));
    }
}

/// the vertex is stopped, or lies on a body
KERNEL_FN bool self_is_borne(u32 v, const SelfView w, const SelfParams p) {
    return self_sum(v, w)[3] != 0 || (p.grounded && load4(w.load, v).w > 0.0f);
}

/// what vertex c of the pair hands to the other side, as a velocity of its own
KERNEL_FN real3 self_handed(const SelfBearing& b, u32 c, real friction, real all) {
    const real3 part = make_real3(b.loss[c].x, b.loss[c].y, b.loss[c].z) * (b.weight[c] / all);
    const real along = dot3(b.n, part);
    const real3 across = part - b.n * along;
    const real size = length3(across), most = friction * magnitude(along);
    return b.n * along + across * (size > most ? most / size : 1.0f);
}

KERNEL_FN void self_hand_pair(u32 at, const SelfView w, const SelfParams p) {
    const SelfBearing b = self_bearing(at, w, p);
    if (!b.any) return;
    const real4 shares = load4(w.near_weight, at);
    real weight[4], borne[2] = {0.0f, 0.0f}, response[2] = {0.0f, 0.0f};
    self_weights(b.origin - 1u, shares.x, shares.y, weight);
    for (u32 c = 0; c < 4; ++c) {
        const u32 side = c < b.origin ? 0u : 1u;
        response[side] += b.loss[c].w * (weight[c] * weight[c]);
        if (!(b.loss[c].w > 0.0f) || self_is_borne(b.v[c], w, p)) borne[side] += weight[c];
    }
    for (u32 c = 0; c < 4; ++c) {
        if (!(b.weight[c] > 0.0f)) continue;
        const u32 other = c < b.origin ? 1u : 0u;
        const real bears = least(borne[other], 1.0f), own = b.loss[c].w;
        const real share = bears + (1.0f - bears) * (own / (own + response[other]));
        const real3 gives = self_handed(b, c, shares.w, self_unfixed(self_sum(b.v[c], w)[3])) * share;
        self_add_to(self_taken(b.v[c], w), gives);
        for (u32 k = 0; k < 4; ++k) {
            if ((k < b.origin ? 0u : 1u) != other) continue;
            if (weight[k] > 0.0f && b.loss[k].w > 0.0f)
                self_add_to(self_sum(b.v[k], w), gives * (weight[k] * (b.loss[k].w / own)));
        }
    }
}

KERNEL_FN void self_hand(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_LIMIT], p);
    for (; r.k < r.end; r.k += r.step) self_hand_pair(w.limit_list[r.k], w, p);
}

/// What vertex v could not hand on it keeps as velocity, or as its load if it is stopped by what it does not quite reach and has hardly
/// lost more than gravity gave it. What it got it keeps as its load if it is stopped itself.
KERNEL_FN void self_settle(u32 v, const SelfView w, const SelfParams p) {
    const real4 load = load4(w.load, v), lost = load4(w.loss, v), speed = load4(w.velocity, v);
    const bool borne = self_is_borne(v, w, p);
    const real3 got = self_sum3(self_sum(v, w));
    real3 gains = make_real3(lost.x, lost.y, lost.z) - self_sum3(self_taken(v, w)), kept = got;
    const real3 short_of = self_point(w.goal, v) - self_point(w.position, v);
    const bool waits = self_far(short_of) > SELF_STILL * p.step && self_far(gains) * p.step < p.stuck;
    if (self_sum(v, w)[3] == 0 && waits) {
        kept = kept + gains;
        gains = make_real3(0.0f, 0.0f, 0.0f);
    } else if (!borne) {
        gains = gains + got;
        kept = make_real3(0.0f, 0.0f, 0.0f);
    }
    self_clear_sum(v, w);
    if (lost.w > 0.0f && self_far(gains) > SELF_STILL)
        store4(w.velocity, v, make_real4(speed.x + gains.x, speed.y + gains.y, speed.z + gains.z, speed.w));
    const bool loaded = lost.w > 0.0f && self_far(kept) > SELF_STILL;
    if (loaded) raise_flag(w.facts, SELF_FACT_LOST);
    else kept = make_real3(0.0f, 0.0f, 0.0f);
    if (loaded || load.x != 0.0f || load.y != 0.0f || load.z != 0.0f || load.w != 0.0f)
        store4(w.load, v, make_real4(kept.x, kept.y, kept.z, 0.0f));
}
