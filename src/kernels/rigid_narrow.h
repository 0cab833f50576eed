// SPDX-License-Identifier: MIT
// rigid_narrow.h — the narrow phase in lanes: a block of pairs of the same kind.   compiles as: host, lanes, cuda

KERNEL_FN void narrow_boxes(u32 item, const PairView w) {
    PairEnds e = pair_ends(item, w);
    real3 at_a = xyz(gather_quad(w.pose, e.shape_a, 2, 0)), at_b = xyz(gather_quad(w.pose, e.shape_b, 2, 0));
    mat3 ra = quat_matrix(quat_of(gather_quad(w.pose, e.shape_a, 2, 1)));
    mat3 rb = quat_matrix(quat_of(gather_quad(w.pose, e.shape_b, 2, 1)));
    real3 half_a = xyz(gather_quad(w.size, e.shape_a, 1, 0)),
          half_b = xyz(gather_quad(w.size, e.shape_b, 1, 0));
    real3 between = pair_between(w, e), centres = between + (at_b - at_a);
    pair_store(w, e, box_manifold(ra, rb, half_a, half_b, centres, pair_margin(w, e)), between, at_a);
}

KERNEL_FN void narrow_rounds(u32 item, const PairView w) {
    PairEnds e = pair_ends(item, w);
    real4 pose_a = gather_quad(w.pose, e.shape_a, 2, 0), pose_b = gather_quad(w.pose, e.shape_b, 2, 0);
    mat3 ra = quat_matrix(quat_of(gather_quad(w.pose, e.shape_a, 2, 1)));
    mat3 rb = quat_matrix(quat_of(gather_quad(w.pose, e.shape_b, 2, 1)));
    real half_a = gather_quad(w.size, e.shape_a, 1, 0).y, half_b = gather_quad(w.size, e.shape_b, 1, 0).y;
    real3 axis_a = make_real3(ra.x.y, ra.y.y, ra.z.y) * half_a,
          axis_b = make_real3(rb.x.y, rb.y.y, rb.z.y) * half_b;
    real3 between = pair_between(w, e), centres = between + (xyz(pose_b) - xyz(pose_a));
    pair_store(w, e, round_manifold(axis_a, axis_b, pose_a.w, pose_b.w, centres, pair_margin(w, e)), between,
               xyz(pose_a));
}

/// `ball_first`: whether shape a is the sphere
KERNEL_FN void narrow_ball_box(u32 item, u32 ball_first, const PairView w) {
    PairEnds e = pair_ends(item, w);
    real4 pose_a = gather_quad(w.pose, e.shape_a, 2, 0), pose_b = gather_quad(w.pose, e.shape_b, 2, 0);
    real3 between = pair_between(w, e), centres = between + (xyz(pose_b) - xyz(pose_a));
    real margin = pair_margin(w, e);
    if (ball_first) {
        mat3 turn = quat_matrix(quat_of(gather_quad(w.pose, e.shape_b, 2, 1)));
        PairManifold m =
            ball_box_manifold(turn, xyz(gather_quad(w.size, e.shape_b, 1, 0)), -centres, pose_a.w, margin);
        pair_store(w, e, swapped_manifold(m, centres), between, xyz(pose_a));
    } else {
        mat3 turn = quat_matrix(quat_of(gather_quad(w.pose, e.shape_a, 2, 1)));
        pair_store(
            w, e,
            ball_box_manifold(turn, xyz(gather_quad(w.size, e.shape_a, 1, 0)), centres, pose_b.w, margin),
            between, xyz(pose_a));
    }
}
