// SPDX-License-Identifier: MIT
// self_load.h — what the truncation of cloth takes from vertices, handed on from layer to layer.   compiles as: host, cuda
//
// A vertex that a pair stops hands what it loses to the other side of that pair: so momentum stays, and what lies below feels what lies
// above. In a pile the other side is stopped too, by the next layer: it does not move by what it is handed, but hands it on, a layer a
// pass. What a vertex cannot hand on becomes velocity, or goes to the body below it (fabric_load).

#define SELF_LOAD 72057594037927936.0 // 2^56 units of kg m

#if defined(__CUDACC__)
#define SELF_UNROLL _Pragma("unroll") // so that arrays are registers
#else
#define SELF_UNROLL
#endif

/// what a pair gives to one of its vertices, together
struct SelfGift {
    u64 x, y, z;
};
KERNEL_FN u64 self_load_units(real a) {
    return static_cast<u64>(static_cast<long long>(static_cast<double>(clamped(a, -1.0f, 1.0f)) * SELF_LOAD));
}
KERNEL_FN void self_add_gift(SelfGift& to, real3 a) {
    to.x += self_load_units(a.x);
    to.y += self_load_units(a.y);
    to.z += self_load_units(a.z);
}
KERNEL_FN void self_give(u32 v, const SelfGift& gift, const SelfView w) {
    u64* sum = reinterpret_cast<u64*>(w.handed) + 4 * static_cast<u64>(v);
    if (gift.x) atomic_add64(sum, gift.x);
    if (gift.y) atomic_add64(sum + 1, gift.y);
    if (gift.z) atomic_add64(sum + 2, gift.z);
}

/// What a vertex has that its pairs stop, along `towards` and beside it no more than along: in the first pass what the round takes from
/// it, then what it was handed.
KERNEL_FN real3 self_stopped_load(u32 v, real3 towards, real stop, const SelfView w, const SelfParams p) {
    if (p.first) {
        const real3 way = self_point(w.position, v) - self_point(w.current, v);
        const real excess = stop * ((magnitude(way.x) + magnitude(way.y)) + magnitude(way.z));
        return towards * (excess / load4(w.start, v).w);
    }
    const real3 load = self_point(w.load, v);
    const real pressed = dot3(load, towards);
    if (!(pressed > 0.0f)) return make_real3(0.0f, 0.0f, 0.0f);
    const real3 along = load - towards * pressed;
    const real slides = length3(along);
    return towards * pressed + along * (slides > pressed ? pressed / slides : 1.0f);
}

/// Whether vertex v takes all that it is handed along `towards`: it is held, or stopped too and hands it on.
KERNEL_FN bool self_takes_all(u32 v, real3 towards, const SelfView w, const SelfParams p) {
    if (!(load4(w.start, v).w > 0.0f) || dot3(self_sum3(self_sum(v, w)), towards) < 0.0f) return true;
    return p.supported && dot3(self_point(w.support, v), towards) < 0.0f;
}

/// How much of its load goes over to a vertex that does not take all: both go on together.
KERNEL_FN real self_goes_over(u32 from, u32 v, real3 towards, const SelfView w, const SelfParams p) {
    // the inverse mass is in both
    const real4 mine = load4(p.first ? w.start : w.load, from), its = load4(p.first ? w.start : w.load, v);
    const real own = mine.w, other = its.w, share = own / (own + other);
    if (p.first) return share;
    const real has = dot3(make_real3(mine.x, mine.y, mine.z), towards) * own;
    const real there = dot3(make_real3(its.x, its.y, its.z), towards) * other;
    return has > there ? share * least(1.0f - there / has, 1.0f) : 0.0f;
}

/// After the first pass near_stop holds the part of its load that each vertex hands on by this pair, with a negative sign if it takes
/// all that it is handed: neither changes.
KERNEL_FN void self_hand_pair(u32 at, const SelfView w, const SelfParams p) {
    const u32* ids = w.near_vertex + 4 * at;
    const u32 edges = ids[0] >> 31, origin = edges ? 2 : 1;
    const u32 v[4] = {ids[0] & ~SELF_EDGES, ids[1] & ~SELF_EDGES, ids[2] & ~SELF_EDGES, ids[3]};
    const real3 n = self_point(w.near_plane, at);
    const real4 shares = load4(w.near_weight, at), stop4 = load4(w.near_stop, at);
    const real stops[4] = {stop4.x, stop4.y, stop4.z, stop4.w};
    real weight[4], hands[4];
    bool takes_all[4];
    self_weights(edges, shares.x, shares.y, weight);
    SELF_UNROLL for (u32 c = 0; c < 4; ++c) {
        takes_all[c] = as_whole(stops[c]) < 0;
        hands[c] = magnitude(stops[c]);
        if (!p.first) continue;
        const real all = self_unfixed(self_sum(v[c], w)[3]);
        const bool can = stops[c] > 0.0f && load4(w.start, v[c]).w > 0.0f && all > 0.0f;
        hands[c] = can ? least(stops[c] / all, 1.0f) : 0.0f;
        takes_all[c] = self_takes_all(v[c], c < origin ? n : n * -1.0f, w, p);
    }
    if (p.first)
        store4(w.near_stop, at,
               make_real4(takes_all[0] ? -hands[0] : hands[0], takes_all[1] ? -hands[1] : hands[1],
                          takes_all[2] ? -hands[2] : hands[2], takes_all[3] ? -hands[3] : hands[3]));
    SelfGift gift[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    SELF_UNROLL for (u32 c = 0; c < 4; ++c) {
        if (!(hands[c] > 0.0f)) continue;
        const real3 towards = c < origin ? n * -1.0f : n;
        const real3 load = self_stopped_load(v[c], towards, stops[c], w, p) * hands[c];
        if (!(dot3(load, load) > 0.0f)) continue;
        real gone = 0.0f;
        SELF_UNROLL for (u32 k = 0; k < 4; ++k) {
            if ((k < origin) == (c < origin) || !(weight[k] > 0.0f)) continue;
            const real part = weight[k] * (takes_all[k] ? 1.0f : self_goes_over(v[c], v[k], towards, w, p));
            if (part > 0.0f) self_add_gift(gift[k], load * part);
            gone += part;
        }
        self_add_gift(gift[c], load * ((p.first ? 1.0f : 0.0f) - gone));
    }
    // whole numbers: their sum may be taken before it is added
    SELF_UNROLL for (u32 c = 0; c < 4; ++c) self_give(v[c], gift[c], w);
}

KERNEL_FN void self_hand(u32 i, const SelfView w, const SelfParams p) {
    SelfRange r = self_range(i, w.facts[SELF_FACT_STOPS], p);
    for (; r.k < r.end; r.k += r.step) self_hand_pair(w.stop_list[r.k], w, p);
}

KERNEL_FN void self_handed(u32 v, const SelfView w, const SelfParams p) {
    u64* sum = reinterpret_cast<u64*>(w.handed) + 4 * static_cast<u64>(v);
    const bool none = (sum[0] | sum[1] | sum[2]) == 0;
    if (none && !p.first && !p.last) return;
    real3 load = p.first ? make_real3(0.0f, 0.0f, 0.0f) : self_point(w.load, v);
    if (!none) {
        real all[3];
        for (u32 c = 0; c < 3; ++c) {
            all[c] =
                static_cast<real>(static_cast<double>(static_cast<long long>(sum[c])) * (1.0 / SELF_LOAD));
            sum[c] = 0;
        }
        load = load + make_real3(all[0], all[1], all[2]);
    }
    // at the end of a step: as velocity, what more passes would hand on makes a pile at rest look as if it moved
    if (p.last && w.fraction[v] < SELF_NO_LIMIT &&
        !(p.supported && dot3(self_point(w.support, v), load) < 0.0f))
        load = make_real3(0.0f, 0.0f, 0.0f);
    store4(w.load, v, make_real4(load.x, load.y, load.z, load4(w.start, v).w));
}
