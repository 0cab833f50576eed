// SPDX-License-Identifier: MIT
// impact_motion.h — the stages of polygons that need no shapes: candidates by boxes, sums of impulses, motion.   compiles as: host, cuda, opencl, glsl

/// 1 where the boxes of a pair overlap; two bodies of infinite mass never meet
KERNEL_FN void polygon_candidate(u32 item, ImpactView w, ImpactParams p) {
    i32 s = (i32)item % p.bodies;
    i32 t = (i32)item / p.bodies;
    real met = to_real(0.0f);
    if (s > t) {
        real4 a = load4(w.box, word_of(s)), b = load4(w.box, word_of(t));
        mask near = both(both(a.x <= b.z, b.x <= a.z), both(a.y <= b.w, b.y <= a.w));
        mask moves = either(load4(w.index, word_of(s)).z > 0.0f, load4(w.index, word_of(t)).z > 0.0f);
        met = pick(both(near, moves), to_real(1.0f), to_real(0.0f));
    }
    store1(w.candidate, item, met);
}

KERNEL_FN void polygon_change(u32 item, ImpactView w, ImpactParams p) {
    store4(w.change, item, impact_change((i32)item, impact_inverse(load4(w.index, item).z), w, p));
}

/// position and angle with the old velocities, then their change
KERNEL_FN void polygon_move(u32 item, real4 change, real time, ImpactView w) {
    real4 place = load4(w.place, item), motion = load4(w.motion, item);
    real angle = motion.x + motion.y * time;
    // sine and cosine know angles up to 8192
    if (magnitude(angle) > 4096.0f) angle = angle - 6.28318531f * round_down(angle * 0.159154943f);
    store4(w.place_out, item,
           make_real4(place.x + place.z * time, place.y + place.w * time, place.z + change.x,
                      place.w + change.y));
    store4(w.motion_out, item, make_real4(angle, motion.y + change.z, motion.z, to_real(0.0f)));
}

KERNEL_FN void polygon_advance_free(u32 item, ImpactView w, ImpactParams p) {
    polygon_move(item, impact_nothing(), to_real(p.time), w);
}

KERNEL_FN void polygon_advance_hit(u32 item, ImpactView w, ImpactParams p) {
    real inverse_mass = impact_inverse(load4(w.index, item).z);
    polygon_move(item, impact_change((i32)item, inverse_mass, w, p), to_real(p.time), w);
}
