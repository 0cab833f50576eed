// SPDX-License-Identifier: MIT
// rigid_box.h — manifolds of two boxes, as many pairs at a time as there are lanes.   compiles as: host, lanes, cuda
//
// Separating axes (three faces of each, nine pairs of edges), then either the nearest points of two edges, or the face that
// separates best against the other box's most opposed face: every corner of one inside the other and every crossing of their
// sides is a candidate with a number of its own, 24 in all, which is also its feature; four are kept, the deepest first.
// Boxes that are apart across an edge or a corner, with no face of one over the other, have no points until they overlap.
// No branches but for skipping what no lane needs.

#define BOX_CANDIDATES 24
// by so much a pair of edges must separate better than the best face
#define EDGE_SHARE 0.1f   // of the overlap, and
#define EDGE_SLACK 5e-3f  // of the least half side, from
#define EDGE_LEAST 2e-4f  // m
#define EDGE_MOST 2.5e-3f // to

KERNEL_FN real pick_of_3(whole k, real a, real b, real c) { return pick(k == 0, a, pick(k == 1, b, c)); }
KERNEL_FN real3 pick3_of_3(whole k, real3 a, real3 b, real3 c) {
    return pick3(k == 0, a, pick3(k == 1, b, c));
}
KERNEL_FN whole next_axis(whole k) { return pick_whole(k == 2, whole_from(0u), k + 1); }
KERNEL_FN real part(real3 v, u32 k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/// ra, rb: rows of the rotations; centres: of b from a
KERNEL_FN PairManifold box_manifold(mat3 ra, mat3 rb, real3 half_a, real3 half_b, real3 centres,
                                    real margin) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    // columns of the rotations are the boxes' axes in the world
    real3 ax[3] = {make_real3(ra.x.x, ra.y.x, ra.z.x), make_real3(ra.x.y, ra.y.y, ra.z.y),
                   make_real3(ra.x.z, ra.y.z, ra.z.z)};
    real3 bx[3] = {make_real3(rb.x.x, rb.y.x, rb.z.x), make_real3(rb.x.y, rb.y.y, rb.z.y),
                   make_real3(rb.x.z, rb.y.z, rb.z.z)};
    real c[3][3], size[3][3], ta[3], tb[3];
    for (u32 i = 0; i < 3; ++i) {
        ta[i] = dot3(centres, ax[i]);
        tb[i] = dot3(centres, bx[i]);
        for (u32 j = 0; j < 3; ++j) {
            c[i][j] = dot3(ax[i], bx[j]);
            size[i][j] = magnitude(c[i][j]);
        }
    }

    // faces
    real best_a = to_real(-1e30f), best_b = to_real(-1e30f);
    whole face_a = whole_from(0u), face_b = whole_from(0u);
    for (u32 i = 0; i < 3; ++i) {
        real reach = (half_b.x * size[i][0] + half_b.y * size[i][1]) + half_b.z * size[i][2];
        real gap = magnitude(ta[i]) - (part(half_a, i) + reach);
        mask better = gap > best_a;
        best_a = pick(better, gap, best_a);
        face_a = pick_whole(better, whole_from(i), face_a);
    }
    for (u32 j = 0; j < 3; ++j) {
        real reach = (half_a.x * size[0][j] + half_a.y * size[1][j]) + half_a.z * size[2][j];
        real gap = magnitude(tb[j]) - (part(half_b, j) + reach);
        mask better = gap > best_b;
        best_b = pick(better, gap, best_b);
        face_b = pick_whole(better, whole_from(j), face_b);
    }

    // pairs of edges
    real best_edge = to_real(-1e30f);
    whole edge = whole_from(0u);
    real3 edge_axis = make_real3(one, zero, zero);
    for (u32 i = 0; i < 3; ++i) {
        const u32 i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (u32 j = 0; j < 3; ++j) {
            const u32 j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // the squared sine; one less the squared cosine would leave nothing but rounding of a small one
            real square = c[i1][j] * c[i1][j] + c[i2][j] * c[i2][j];
            mask usable = square > 1e-4f;
            real length = root(pick(usable, square, one));
            // (ax[i] x bx[j]) . centres, by a's axes
            real distance = ta[i2] * c[i1][j] - ta[i1] * c[i2][j];
            real reach_a = part(half_a, i1) * size[i2][j] + part(half_a, i2) * size[i1][j];
            real reach_b = part(half_b, j1) * size[i][j2] + part(half_b, j2) * size[i][j1];
            real gap = (magnitude(distance) - (reach_a + reach_b)) / length;
            mask better = both(usable, gap > best_edge);
            best_edge = pick(better, gap, best_edge);
            edge = pick_whole(better, whole_from(3 * i + j), edge);
            real sign = pick(distance < 0.0f, -one, one) / length;
            edge_axis = pick3(better, cross3(ax[i], bx[j]) * sign, edge_axis);
        }
    }

    // A face is preferred: it holds more points, and the choice must not flicker. Of faces that lie almost flat on each other a pair
    // of edges is often the better axis by a little; one point in place of four would let a loaded body tip.
    real face_gap = greatest(best_a, best_b);
    mask b_refers = best_b > best_a + (0.01f * magnitude(best_a) + 2e-4f);
    mask edge_better = best_edge > face_gap + (0.01f * magnitude(face_gap) + 2e-4f);
    real thin = least(least(least(half_a.x, half_a.y), half_a.z), least(least(half_b.x, half_b.y), half_b.z));
    real slack = clamped(EDGE_SLACK * thin, to_real(EDGE_LEAST), to_real(EDGE_MOST));
    mask by_edge = best_edge > face_gap + (EDGE_SHARE * magnitude(face_gap) + slack);
    mask touches = both(face_gap <= margin, best_edge <= margin);

    PairManifold m;
    m.count = whole_from(0u);
    m.normal = edge_axis;
    for (u32 k = 0; k < 4; ++k) {
        m.on_a[k] = make_real3(zero, zero, zero);
        m.on_b[k] = m.on_a[k];
        m.feature[k] = whole_from(0u);
    }
    if (!any(touches)) return m;

    if (any(both(touches, no(by_edge)))) {
        // the reference box's axes with its face's last: u, v, n; the other's with its face's last: p, q, r
        whole k = pick_whole(b_refers, face_b, face_a), k1 = next_axis(k), k2 = next_axis(k1);
        real3 rx = pick3(b_refers, bx[0], ax[0]), ry = pick3(b_refers, bx[1], ax[1]),
              rz = pick3(b_refers, bx[2], ax[2]);
        real3 ix = pick3(b_refers, ax[0], bx[0]), iy = pick3(b_refers, ax[1], bx[1]),
              iz = pick3(b_refers, ax[2], bx[2]);
        real3 half_r = pick3(b_refers, half_b, half_a), half_i = pick3(b_refers, half_a, half_b);
        real3 to_other = pick3(b_refers, -centres, centres);
        real3 u = pick3_of_3(k1, rx, ry, rz), v = pick3_of_3(k2, rx, ry, rz), n = pick3_of_3(k, rx, ry, rz);
        real hu = pick_of_3(k1, half_r.x, half_r.y, half_r.z),
             hv = pick_of_3(k2, half_r.x, half_r.y, half_r.z);
        real hn = pick_of_3(k, half_r.x, half_r.y, half_r.z);
        mask down = dot3(n, to_other) < 0.0f;
        n = pick3(down, -n, n);

        real along[3] = {dot3(n, ix), dot3(n, iy), dot3(n, iz)};
        real most = magnitude(along[0]);
        whole r = whole_from(0u);
        for (u32 j = 1; j < 3; ++j) {
            mask better = magnitude(along[j]) > most;
            most = pick(better, magnitude(along[j]), most);
            r = pick_whole(better, whole_from(j), r);
        }
        whole p = next_axis(r), q = next_axis(p);
        real3 face = pick3_of_3(r, ix, iy, iz);
        mask away = pick_of_3(r, along[0], along[1], along[2]) > 0.0f;
        real3 middle = to_other + face * (pick_of_3(r, half_i.x, half_i.y, half_i.z) * pick(away, -one, one));
        real3 p3 = pick3_of_3(p, ix, iy, iz) * pick_of_3(p, half_i.x, half_i.y, half_i.z);
        real3 q3 = pick3_of_3(q, ix, iy, iz) * pick_of_3(q, half_i.x, half_i.y, half_i.z);
        // in the reference face's plane: middle of the other face, its half sides, and how their height changes
        real mx = dot3(middle, u), my = dot3(middle, v), mz = dot3(middle, n) - hn;
        real px = dot3(p3, u), py = dot3(p3, v), pz = dot3(p3, n);
        real qx = dot3(q3, u), qy = dot3(q3, v), qz = dot3(q3, n);

        real x[BOX_CANDIDATES], y[BOX_CANDIDATES], z[BOX_CANDIDATES];
        mask valid[BOX_CANDIDATES];
        // sides of aligned boxes coincide: corners count as inside, or two of four points would be lost to rounding
        real tolerance = 1e-5f * (hu + hv);
        // corners of the other face
        for (u32 i = 0; i < 4; ++i) {
            real sp = i & 1 ? one : -one, sq = i & 2 ? one : -one;
            x[i] = mx + (sp * px + sq * qx);
            y[i] = my + (sp * py + sq * qy);
            z[i] = mz + (sp * pz + sq * qz);
            valid[i] = both(magnitude(x[i]) <= hu + tolerance, magnitude(y[i]) <= hv + tolerance);
        }
        // corners of the reference face
        real det = px * qy - py * qx;
        real scale = one / pick(magnitude(det) > 1e-12f, det, one);
        for (u32 i = 0; i < 4; ++i) {
            real cx = i & 1 ? hu : -hu, cy = i & 2 ? hv : -hv;
            real dx = cx - mx, dy = cy - my;
            real alpha = (dx * qy - dy * qx) * scale, beta = (px * dy - py * dx) * scale;
            x[4 + i] = cx;
            y[4 + i] = cy;
            z[4 + i] = mz + (alpha * pz + beta * qz);
            valid[4 + i] = both(magnitude(alpha) <= 1.00001f, magnitude(beta) <= 1.00001f);
        }
        // crossings of sides: two along p and two along q against the four of the reference
        for (u32 side = 0; side < 4; ++side) {
            real s = side & 1 ? one : -one;
            mask along_q = truth(side >= 2);
            real ex = pick(along_q, qx, px), ey = pick(along_q, qy, py), ez = pick(along_q, qz, pz);
            real ox = mx + s * pick(along_q, px, qx), oy = my + s * pick(along_q, py, qy);
            real oz = mz + s * pick(along_q, pz, qz);
            real inv_x = one / pick(magnitude(ex) > 1e-12f, ex, one),
                 inv_y = one / pick(magnitude(ey) > 1e-12f, ey, one);
            for (u32 line = 0; line < 4; ++line) {
                const u32 i = 8 + 4 * side + line;
                real bound = line < 2 ? (line & 1 ? hu : -hu) : (line & 1 ? hv : -hv);
                real t = line < 2 ? (bound - ox) * inv_x : (bound - oy) * inv_y;
                mask slanted = line < 2 ? magnitude(ex) > 1e-12f : magnitude(ey) > 1e-12f;
                x[i] = line < 2 ? bound : ox + t * ex;
                y[i] = line < 2 ? oy + t * ey : bound;
                z[i] = oz + t * ez;
                mask inside = line < 2 ? magnitude(y[i]) < hv : magnitude(x[i]) < hu;
                valid[i] = both(slanted, both(magnitude(t) < 0.99999f, inside));
            }
        }
        for (u32 i = 0; i < BOX_CANDIDATES; ++i) valid[i] = both(valid[i], z[i] <= margin);

        // without a point over the reference face there is nothing to prefer
        mask over = truth(false);
        for (u32 i = 0; i < BOX_CANDIDATES; ++i) over = either(over, valid[i]);
        by_edge = either(by_edge, both(edge_better, no(over)));

        // the deepest; of equals the one farthest along a fixed direction, so that resting faces do not flicker
        whole chosen[4];
        real cx[4], cy[4], cz[4];
        mask have[4];
        real apart_square = zero; // of the first two
        for (u32 round = 0; round < 4; ++round) {
            real best = to_real(-1e30f);
            whole which = whole_from(0u);
            real bx_ = zero, by_ = zero, bz_ = zero;
            mask found = truth(false);
            for (u32 i = 0; i < BOX_CANDIDATES; ++i) {
                real score;
                if (round == 0) score = -z[i] - 5e-4f * (0.8f * x[i] + 0.6f * y[i]);
                else if (round == 1)
                    score = (x[i] - cx[0]) * (x[i] - cx[0]) + (y[i] - cy[0]) * (y[i] - cy[0]);
                else {
                    score = (x[i] - cx[0]) * (cy[1] - cy[0]) - (y[i] - cy[0]) * (cx[1] - cx[0]);
                    if (round == 3) score = -score;
                }
                mask better = both(valid[i], score > best);
                best = pick(better, score, best);
                which = pick_whole(better, whole_from(i), which);
                bx_ = pick(better, x[i], bx_);
                by_ = pick(better, y[i], by_);
                bz_ = pick(better, z[i], bz_);
                found = either(found, better);
            }
            // a second point on top of the first, or a third on the line of two, adds nothing
            if (round == 1) {
                found = both(found, best > 1e-6f * ((px * px + py * py) + (qx * qx + qy * qy)));
                apart_square = best;
            }
            if (round >= 2) found = both(found, best > 1e-2f * apart_square);
            chosen[round] = which;
            cx[round] = bx_;
            cy[round] = by_;
            cz[round] = bz_;
            have[round] = found;
        }
        have[1] = both(have[1], have[0]);
        have[2] = both(have[2], have[1]);
        have[3] = both(have[3], have[1]);
        // no gaps in the list
        mask only_fourth = both(have[3], no(have[2]));
        cx[2] = pick(only_fourth, cx[3], cx[2]);
        cy[2] = pick(only_fourth, cy[3], cy[2]);
        cz[2] = pick(only_fourth, cz[3], cz[2]);
        chosen[2] = pick_whole(only_fourth, chosen[3], chosen[2]);
        have[2] = either(have[2], only_fourth);
        have[3] = both(have[3], no(only_fourth));

        whole base = (k << 5) + (pick_whole(down, whole_from(1u), whole_from(0u)) << 7) + (r << 8) +
                     (pick_whole(away, whole_from(1u), whole_from(0u)) << 10) +
                     (pick_whole(b_refers, whole_from(1u), whole_from(0u)) << 11) + (1 << 12);
        mask face_lane = both(touches, no(by_edge));
        m.normal = pick3(by_edge, m.normal, pick3(b_refers, -n, n));
        real3 origin = pick3(b_refers, centres, make_real3(zero, zero, zero));
        for (u32 i = 0; i < 4; ++i) {
            real3 on_face = origin + ((u * cx[i] + v * cy[i]) + n * hn);
            real3 below = on_face + n * cz[i];
            m.on_a[i] = pick3(b_refers, below, on_face);
            m.on_b[i] = pick3(b_refers, on_face, below);
            m.feature[i] = base + chosen[i];
            m.count = m.count + pick_whole(both(face_lane, have[i]), whole_from(1u), whole_from(0u));
        }
    }

    mask edges = both(touches, by_edge);
    if (any(edges)) {
        // the edge of each box that lies farthest towards the other, and the nearest points of the two
        whole i =
            pick_whole(edge >= 6, whole_from(2u), pick_whole(edge >= 3, whole_from(1u), whole_from(0u)));
        whole j = edge - 3 * i;
        real3 n = edge_axis;
        real3 da = pick3_of_3(i, ax[0], ax[1], ax[2]), db = pick3_of_3(j, bx[0], bx[1], bx[2]);
        real3 pa = make_real3(zero, zero, zero), pb = centres;
        whole corner = whole_from(0u);
        for (u32 k = 0; k < 3; ++k) {
            mask up_a = dot3(n, ax[k]) > 0.0f, up_b = dot3(n, bx[k]) < 0.0f;
            real reach_a =
                pick(i == static_cast<i32>(k), zero, pick(up_a, part(half_a, k), -part(half_a, k)));
            real reach_b =
                pick(j == static_cast<i32>(k), zero, pick(up_b, part(half_b, k), -part(half_b, k)));
            pa = pa + ax[k] * reach_a;
            pb = pb + bx[k] * reach_b;
            corner = corner +
                     pick_whole(both(up_a, i != static_cast<i32>(k)), whole_from(1u << k), whole_from(0u)) +
                     pick_whole(both(up_b, j != static_cast<i32>(k)), whole_from(8u << k), whole_from(0u));
        }
        real3 gap = pb - pa, across = cross3(da, db);
        real scale = inverse_or_zero(dot3(across, across));
        real s = dot3(cross3(gap, db), across) * scale, t = dot3(cross3(gap, da), across) * scale;
        // the nearest points of the lines lie on the edges when the boxes overlap; apart they may lie beyond
        real end_a = pick_of_3(i, half_a.x, half_a.y, half_a.z),
             end_b = pick_of_3(j, half_b.x, half_b.y, half_b.z);
        s = clamped(s, -end_a, end_a);
        t = clamped(t, -end_b, end_b);
        m.on_a[0] = pick3(edges, pa + da * s, m.on_a[0]);
        m.on_b[0] = pick3(edges, pb + db * t, m.on_b[0]);
        m.normal = pick3(edges, n, m.normal);
        m.feature[0] = pick_whole(edges, (1 << 13) + (edge << 6) + corner, m.feature[0]);
        m.count = pick_whole(edges, whole_from(1u), m.count);
    }
    return m;
}
