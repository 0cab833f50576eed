// SPDX-License-Identifier: MIT
// instance_fill.h — poses and colours of bodies for a renderer, written where they are simulated.   compiles as: host, cuda

/// body i of those that are drawn; the same bits as show() gives the host
KERNEL_FN void instance_fill(u32 i, InstanceView w, InstanceParams p) {
    GLOBAL const u32* entry = w.table + INSTANCE_WORDS * i;
    const u32 slot = entry[INSTANCE_SLOT];
    real4 x = load4(w.position, slot), q = load4(w.rotation, slot);
    mask asleep = false;
    if (p.granular) {
        real rest = load4(w.rest, slot).w;
        q = make_real4(q.y, q.z, q.w, q.x);
        asleep = p.sleeping != 0 && rest >= p.sleep_delay;
        x.w = 0.0f;
    } else {
        real4 low = load4(w.rest, p.carry_quads * slot + p.carry_position);
        real3 centre =
            make_real3(as_real((whole)entry[INSTANCE_CENTRE]), as_real((whole)entry[INSTANCE_CENTRE + 1]),
                       as_real((whole)entry[INSTANCE_CENTRE + 2]));
        real3 arm = mat3_times(quat_matrix(make_quat(q.w, q.x, q.y, q.z)), centre);
        // a sum of three floats is rounded once
        x.x = (f32)(((double)x.x + (double)low.x) - (double)arm.x);
        x.y = (f32)(((double)x.y + (double)low.y) - (double)arm.y);
        x.z = (f32)(((double)x.z + (double)low.z) - (double)arm.z);
        x.w = 0.0f;
        asleep = (w.flags[slot] & p.asleep) != 0;
    }
    store4(w.drawn, i, x);
    store4(w.drawn, p.room + i, q);
    w.colours[8 * p.room + i] = entry[asleep ? INSTANCE_ASLEEP : INSTANCE_AWAKE];
}
