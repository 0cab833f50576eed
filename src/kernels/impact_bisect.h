// SPDX-License-Identifier: MIT
// impact_bisect.h — when two polygons meet within a step, by halving.   compiles as: host, cuda, opencl, glsl
//
// An item of `pair`: the end of the interval (overlapping), its begin (free), whether it is finished, the time.

KERNEL_FN real4 polygon_interval(real end, real begin, real finished, real time) {
    return make_real4(end, begin, finished, time);
}
KERNEL_FN real4 polygon_never() {
    return polygon_interval(to_real(1.0f), to_real(0.0f), to_real(1.0f), to_real(IMPACT_NEVER));
}

/// Finished, if the interval is short enough. Where not even the first moment is free for long and nothing approaches yet, such as a
/// corner that turns towards an edge, the time is the end of the interval: an impact without impulse at 0 would come again for ever.
KERNEL_FN real4 polygon_narrowed(real end, real begin, u32 s, u32 t, ImpactView w, ImpactParams p) {
    if (end - begin > p.tolerance) return polygon_interval(end, begin, to_real(0.0f), to_real(IMPACT_NEVER));
    real time = begin;
    if (!(begin > 0.0f) && p.plain_contacts == 0)
        time = pick(polygons_approach(s, t, begin, w, p), begin, end);
    return polygon_interval(end, begin, to_real(1.0f), time);
}

KERNEL_FN real4 polygon_halved(real end, real begin, u32 s, u32 t, ImpactView w, ImpactParams p) {
    real middle = (begin + end) * 0.5f;
    mask met = polygons_overlap(s, t, middle, w, p);
    return polygon_narrowed(pick(met, middle, end), pick(met, begin, middle), s, t, w, p);
}

/// free at the start, overlapping at the end
KERNEL_FN mask polygons_meet(u32 s, u32 t, ImpactView w, ImpactParams p) {
    if (!any(polygons_overlap(s, t, to_real(1.0f), w, p))) return truth(false);
    return no(polygons_overlap(s, t, to_real(0.0f), w, p));
}

/// As printed: the middle is half the width, and the two ends change their places. It ends with an interval that is not one.
KERNEL_FN real4 polygon_bisect_printed(u32 s, u32 t, ImpactView w, ImpactParams p) {
    real begin = to_real(0.0f), end = to_real(1.0f);
    for (i32 k = 0; k < 64; ++k) {
        if (!(end - begin > p.tolerance)) break;
        real middle = (end - begin) * 0.5f;
        if (any(polygons_overlap(s, t, middle, w, p))) begin = middle;
        else end = middle;
    }
    return polygon_interval(end, begin, to_real(1.0f), begin);
}

/// first pass: what cannot meet is finished, the rest is halved once
KERNEL_FN void polygon_bisect_first(u32 item, ImpactView w, ImpactParams p) {
    u32 s = word_of((i32)item % p.bodies);
    u32 t = word_of((i32)item / p.bodies);
    real4 result = polygon_never();
    if (load1(w.candidate, item) > 0.0f && any(polygons_meet(s, t, w, p)))
        result = polygon_halved(to_real(1.0f), to_real(0.0f), s, t, w, p);
    store4(w.pair_out, item, result);
}

/// further passes: one halving
KERNEL_FN void polygon_bisect_next(u32 item, ImpactView w, ImpactParams p) {
    real4 state = load4(w.pair, item);
    if (!(state.z > 0.0f)) {
        u32 s = word_of((i32)item % p.bodies);
        u32 t = word_of((i32)item / p.bodies);
        state = polygon_halved(state.x, state.y, s, t, w, p);
    }
    store4(w.pair_out, item, state);
}

/// all passes in one
KERNEL_FN void polygon_bisect_whole(u32 item, ImpactView w, ImpactParams p) {
    u32 s = word_of((i32)item % p.bodies);
    u32 t = word_of((i32)item / p.bodies);
    real4 state = polygon_never();
    if (load1(w.candidate, item) > 0.0f && any(polygons_meet(s, t, w, p))) {
        if (p.printed_bisection != 0) {
            state = polygon_bisect_printed(s, t, w, p);
        } else {
            state = polygon_interval(to_real(1.0f), to_real(0.0f), to_real(0.0f), to_real(IMPACT_NEVER));
            while (!(state.z > 0.0f)) state = polygon_halved(state.x, state.y, s, t, w, p);
        }
    }
    store4(w.pair_out, item, state);
}
