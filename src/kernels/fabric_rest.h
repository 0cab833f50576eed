// SPDX-License-Identifier: MIT
// fabric_rest.h — cloth in a rigid world: how fast it is, and what comes near one that sleeps or wants to.   compiles as: host, cuda

/// the fastest vertex of each cloth, among FABRIC_PATCH vertices
KERNEL_FN void fabric_paces(u32 k, const FabricView w, const FabricParams p) {
    const u32 first = FABRIC_PATCH * k;
    u32 last = first + FABRIC_PATCH;
    if (last > p.vertices) last = p.vertices;
    u32 cloth = FABRIC_NONE;
    real fastest = 0.0f;
    for (u32 i = first; i < last; ++i) {
        real4 v = load4(w.velocity, i);
        const u32 own = static_cast<u32>(as_whole(v.w));
        if (own != cloth) {
            if (cloth != FABRIC_NONE) atomic_greatest(w.pace + cloth, static_cast<u32>(as_whole(fastest)));
            cloth = own;
            fastest = 0.0f;
        }
        // not negative: the words are in the same order
        fastest = greatest(dot3(xyz(v), xyz(v)), fastest);
    }
    atomic_greatest(w.pace + cloth, static_cast<u32>(as_whole(fastest)));
}

/// whether a body is awake and dynamic, or is taken along
KERNEL_FN bool fabric_moves(u32 b, const FabricView w) {
    real3 v = xyz(load4(w.body_motion, 4 * b)), spin = xyz(load4(w.body_motion, 4 * b + 1));
    return load4(w.body_inverse, 2 * b + 1).z > 0.0f || dot3(v, v) > 0.0f || dot3(spin, spin) > 0.0f;
}

/// whether a box has a point within reach of one of another box; written so that infinite reach is near
KERNEL_FN bool fabric_box_near(u32 box, real3 low, real3 high, real reach, const FabricView w) {
    real4 from = load4(w.bed_box, 2 * box), to = load4(w.bed_box, 2 * box + 1);
    const real near = reach + from.w;
    real3 gap = make_real3(greatest(greatest(from.x - high.x, low.x - to.x), 0.0f),
                           greatest(greatest(from.y - high.y, low.y - to.y), 0.0f),
                           greatest(greatest(from.z - high.z, low.z - to.z), 0.0f));
    return !(dot3(gap, gap) > near * near);
}

/// whether something between low and high, and as far around as it reaches, is near a cloth
KERNEL_FN bool fabric_bed_near(const u32* bed, real3 low, real3 high, real reach, const FabricView w) {
    const u32 first = bed[FABRIC_BED_FIRST];
    if (!fabric_box_near(first, low, high, reach, w)) return false;
    for (u32 k = 1; k <= bed[FABRIC_BED_BOXES]; ++k)
        if (fabric_box_near(first + k, low, high, reach, w)) return true;
    return false;
}

/// a shape whose body moves: which cloths it comes near to in this step
KERNEL_FN void fabric_near(u32 s, const FabricView w, const FabricParams p) {
    const u32* row = w.shapes + FABRIC_SHAPE_WORDS * s;
    const u32 b = row[1];
    if (!fabric_moves(b, w)) return;
    const FabricBody body = fabric_body(b, w);
    real4 offset = fabric_table_offset(w.shapes, s);
    real3 at = body.at + fabric_turned(body.turn, xyz(offset));
    const real speed = length3(body.v) + length3(body.w) * (length3(xyz(offset)) + offset.w);
    const real falls =
        length3(make_real3(to_real(p.gravity_x), to_real(p.gravity_y), to_real(p.gravity_z))) * p.dt;
    const real reach = offset.w + (speed + falls) * p.dt;
    for (u32 k = 0; k < p.beds; ++k) {
        const u32* bed = w.bed + FABRIC_BED * k;
        const u32* filter = bed + FABRIC_BED_CATEGORY;
        if (!filters_agree(row[4], row[5], row[6], filter[0], filter[1], filter[2])) continue;
        // bodies that it touches fall asleep with it
        if (p.settling && body.inverse1.z > 0.0f && (w.touched[b] & bed[FABRIC_BED_BIT])) continue;
        if (fabric_bed_near(bed, at, at, reach, w))
            atomic_or(w.counts + FABRIC_COUNT_NEAR, bed[FABRIC_BED_BIT]);
    }
}

/// FABRIC_PATCH vertices of awake cloth: which sleeping cloths they come near to in this step
KERNEL_FN void fabric_near_cloth(u32 k, const FabricView w, const FabricParams p) {
    const u32 first = FABRIC_PATCH * k;
    u32 last = first + FABRIC_PATCH;
    if (last > p.vertices) last = p.vertices;
    bool any_of_them = false;
    real3 low = make_real3(0.0f, 0.0f, 0.0f), high = low;
    real fastest = 0.0f, thickest = 0.0f;
    for (u32 i = first; i < last; ++i) {
        real4 v = load4(w.velocity, i);
        const u32 cloth = static_cast<u32>(as_whole(v.w));
        if (!w.pace[p.cloths + cloth]) continue;
        real3 x = xyz(load4(w.position, i));
        if (!any_of_them) low = high = x;
        any_of_them = true;
        low = make_real3(least(x.x, low.x), least(x.y, low.y), least(x.z, low.z));
        high = make_real3(greatest(x.x, high.x), greatest(x.y, high.y), greatest(x.z, high.z));
        fastest = greatest(dot3(xyz(v), xyz(v)), fastest);
        thickest = greatest(load4(w.cloth, FABRIC_CLOTH * cloth + FABRIC_CLOTH_SKIN).x, thickest);
    }
    if (!any_of_them) return;
    const real falls =
        length3(make_real3(to_real(p.gravity_x), to_real(p.gravity_y), to_real(p.gravity_z))) * p.dt;
    const real reach = 2.0f * thickest + (root(fastest) + falls) * p.dt;
    for (u32 m = 0; m < p.beds; ++m) {
        const u32* bed = w.bed + FABRIC_BED * m;
        if (bed[FABRIC_BED_SELF] && fabric_bed_near(bed, low, high, reach, w))
            atomic_or(w.counts + FABRIC_COUNT_NEAR, bed[FABRIC_BED_BIT]);
    }
}

/// a body that a sleeping cloth touches or is pinned to, if it moves
KERNEL_FN void fabric_stirred(u32 k, const FabricView w, const FabricParams p) {
    if (fabric_moves(w.bed_body[2 * k + 1], w)) atomic_or(w.counts + FABRIC_COUNT_NEAR, w.bed_body[2 * k]);
    (void)p;
}
