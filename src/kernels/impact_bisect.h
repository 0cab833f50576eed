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

/// Halves an interval once, or `times`. It is finished when it is short enough. Where not even the first moment is free for long and
/// nothing approaches yet, such as a corner that turns towards an edge, the time is the end of the interval: an impact without impulse
/// at 0 would come again for ever. Then the pair may overlap at the start of a later step, by less than the tolerance: it meets at 0
/// if it approaches, and is left alone while it parts. `from` 2: the pair is free at the start and overlaps at the end; 0: that is
/// looked at first.
KERNEL_FN real4 polygon_halved(real end, real begin, i32 from, i32 times, u32 s, u32 t, ImpactView w,
                               ImpactParams p) {
    real later = end;
    for (i32 k = from; k < times + 2 && end - begin > p.tolerance; ++k) {
        real middle = (begin + end) * 0.5f;
        if (k < 2) middle = to_real(1.0f) - to_real(k);
        mask met = polygons_overlap(s, t, middle, w, p);
        if (k == 1 && any(met) && p.plain_contacts == 0) {
            later = to_real(IMPACT_NEVER);
            end = begin;
        } else if (k < 2) {
            if (any(met) != (k == 0)) return polygon_never();
        } else {
            end = pick(met, middle, end);
            begin = pick(met, begin, middle);
        }
    }
    if (end - begin > p.tolerance) return polygon_interval(end, begin, to_real(0.0f), to_real(IMPACT_NEVER));
    real time = begin;
    if (later < IMPACT_NEVER) later = end;
    if (!(begin > 0.0f) && p.plain_contacts == 0)
        time = pick(polygons_approach(s, t, begin, w, p), begin, later);
    return polygon_interval(end, begin, to_real(1.0f), time);
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

/// A pass. The first one finishes what cannot meet; each halves the rest once, or `halvings` times: 64 finish all.
KERNEL_FN void polygon_bisect(u32 item, ImpactView w, ImpactParams p) {
    real4 state = load4(w.pair, item);
    if (p.first != 0) {
        state = polygon_never();
        if (load1(w.candidate, item) > 0.0f) state.z = to_real(0.0f);
    }
    if (!(state.z > 0.0f)) {
        u32 s = word_of((i32)item % p.bodies);
        u32 t = word_of((i32)item / p.bodies);
        state = polygon_halved(state.x, state.y, pick_whole(p.first != 0, 0, 2), p.halvings, s, t, w, p);
    }
    store4(w.pair_out, item, state);
}

KERNEL_FN void polygon_bisect_wrong(u32 item, ImpactView w, ImpactParams p) {
    u32 s = word_of((i32)item % p.bodies);
    u32 t = word_of((i32)item / p.bodies);
    real4 state = polygon_never();
    if (load1(w.candidate, item) > 0.0f) {
        state = polygon_halved(to_real(1.0f), to_real(0.0f), 0, 1, s, t, w, p);
        if (!(state.w < IMPACT_NEVER) && state.z > 0.0f) state = polygon_never();
        else state = polygon_bisect_printed(s, t, w, p);
    }
    store4(w.pair_out, item, state);
}
