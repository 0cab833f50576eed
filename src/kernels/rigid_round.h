// SPDX-License-Identifier: MIT
// rigid_round.h — manifolds of spheres and capsules: segments with a radius; a sphere's segment is a point.
// compiles as: host, lanes, cuda

/// `axis_a`, `axis_b`: half segments; `centres`: of b from a
KERNEL_FN PairManifold round_manifold(real3 axis_a, real3 axis_b, real radius_a, real radius_b, real3 centres,
                                      real margin) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    // nearest points of the two segments, s and t from -1 to 1 (after Ericson 2004, 5.1.9)
    real aa = dot3(axis_a, axis_a), bb = dot3(axis_b, axis_b), ab = dot3(axis_a, axis_b);
    real ca = dot3(centres, axis_a), cb = dot3(centres, axis_b);
    mask long_a = aa > 1e-12f, long_b = bb > 1e-12f;
    real inv_aa = pick(long_a, one / pick(long_a, aa, one), zero),
         inv_bb = pick(long_b, one / pick(long_b, bb, one), zero);
    real det = aa * bb - ab * ab;
    mask crossed = det > 1e-6f * (aa * bb);
    real s = pick(crossed, (ca * bb - cb * ab) / pick(crossed, det, one), zero);
    s = clamped(s, -one, one);
    real t = clamped((s * ab - cb) * inv_bb, -one, one);
    s = clamped((t * ab + ca) * inv_aa, -one, one);

    real3 pa = axis_a * s, pb = centres + axis_b * t;
    real3 gap = pb - pa;
    real distance = length3(gap);
    // concentric: any direction across both
    real3 spare = pick3(long_a, axis_a, axis_b);
    real3 up = make_real3(zero, one, zero);
    real3 across = cross3(spare, pick3(magnitude(spare.x) > magnitude(spare.z), make_real3(zero, zero, one),
                                       make_real3(one, zero, zero)));
    real3 n = unit3(gap, unit3(across, up));
    mask touches = distance - (radius_a + radius_b) <= margin;

    PairManifold m;
    m.normal = n;
    for (u32 k = 0; k < 4; ++k) {
        m.on_a[k] = pa + n * radius_a;
        m.on_b[k] = pb - n * radius_b;
        m.feature[k] = whole_from(k + 1);
    }
    m.count = pick_whole(touches, whole_from(1u), whole_from(0u));

    // side by side: a point at each end of what they share
    mask parallel = both(both(long_a, long_b), det < 2.5e-3f * (aa * bb));
    if (any(both(touches, parallel))) {
        real end0 = (ca - ab) * inv_aa, end1 = (ca + ab) * inv_aa;
        real low = clamped(least(end0, end1), -one, one), high = clamped(greatest(end0, end1), -one, one);
        mask two = both(both(touches, parallel), high - low > 0.1f);
        for (u32 k = 0; k < 2; ++k) {
            real at = k ? high : low;
            real3 qa = axis_a * at;
            real other = clamped((dot3(qa, axis_b) - cb) * inv_bb, -one, one);
            real3 qb = centres + axis_b * other;
            m.on_a[k] = pick3(two, qa + n * radius_a, m.on_a[k]);
            m.on_b[k] = pick3(two, qb - n * radius_b, m.on_b[k]);
            m.feature[k] = pick_whole(two, whole_from(k + 5), m.feature[k]);
        }
        m.count = pick_whole(two, whole_from(2u), m.count);
    }
    return m;
}

/// a sphere b against a box a; `centre`: of the sphere from the box's
KERNEL_FN PairManifold ball_box_manifold(mat3 turn, real3 half, real3 centre, real radius, real margin) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 local = mat3_transposed_times(turn, centre);
    real3 near = make_real3(clamped(local.x, -half.x, half.x), clamped(local.y, -half.y, half.y),
                            clamped(local.z, -half.z, half.z));
    real3 out = local - near;
    real distance = length3(out);
    mask inside = no(distance > 0.0f);
    // inside: out of the nearest face
    real dx = half.x - magnitude(local.x), dy = half.y - magnitude(local.y), dz = half.z - magnitude(local.z);
    mask by_x = both(dx <= dy, dx <= dz), by_y = both(no(by_x), dy <= dz);
    real sx = pick(local.x < 0.0f, -one, one), sy = pick(local.y < 0.0f, -one, one),
         sz = pick(local.z < 0.0f, -one, one);
    real3 face = pick3(by_x, make_real3(sx, zero, zero),
                       pick3(by_y, make_real3(zero, sy, zero), make_real3(zero, zero, sz)));
    real3 n = pick3(inside, face, out * (one / pick(inside, one, distance)));
    real3 surface = pick3(inside,
                          pick3(by_x, make_real3(sx * half.x, local.y, local.z),
                                pick3(by_y, make_real3(local.x, sy * half.y, local.z),
                                      make_real3(local.x, local.y, sz * half.z))),
                          near);
    real gap = pick(inside, -least(dx, least(dy, dz)), distance) - radius;
    PairManifold m;
    m.normal = mat3_times(turn, n);
    for (u32 k = 0; k < 4; ++k) {
        m.on_a[k] = mat3_times(turn, surface);
        m.on_b[k] = mat3_times(turn, local - n * radius);
        m.feature[k] = whole_from(k + 1);
    }
    m.count = pick_whole(gap <= margin, whole_from(1u), whole_from(0u));
    return m;
}

KERNEL_FN PairManifold swapped_manifold(PairManifold m, real3 centres) {
    m.normal = -m.normal;
    for (u32 k = 0; k < 4; ++k) {
        real3 a = m.on_a[k];
        m.on_a[k] = m.on_b[k] + centres;
        m.on_b[k] = a + centres;
    }
    return m;
}
