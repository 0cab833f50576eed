// SPDX-License-Identifier: MIT
// rigid_mesh.h — manifolds of pairs with a mesh: one pair at a time, up to MESH_SLOTS normals.   compiles as: host, cuda

/// Puts the clusters into the contacts of the pair's slots: one goes where the normal was like its own, so that impulses stay
/// with their points.
KERNEL_FN void mesh_slots(PRIVATE const MeshClusters* all, PRIVATE const u32* order, mat3 turn,
                          bool mesh_first, PRIVATE const u32* contacts, const PairView w,
                          PRIVATE u32* cluster_of) {
    bool taken[MESH_SLOTS] = {false, false, false, false};
    for (u32 slot = 0; slot < MESH_SLOTS; ++slot) {
        cluster_of[slot] = NOTHING;
        const u32 record = RECORD_QUADS * contacts[slot];
        if (!(as_whole(load4(w.contact, record + RECORD_STATE).x) & RECORD_COUNT)) continue;
        real3 before = mat3_transposed_times(turn, xyz(load4(w.contact, record + RECORD_NORMAL)));
        before = mesh_first ? before : -before;
        real most = MESH_ALIKE;
        for (u32 k = 0; k < all->count; ++k) {
            real along = dot3(before, all->cluster[order[k]].normal);
            if (taken[k] || !(along > most)) continue;
            most = along;
            cluster_of[slot] = k;
        }
        if (cluster_of[slot] != NOTHING) taken[cluster_of[slot]] = true;
    }
    u32 slot = 0;
    for (u32 k = 0; k < all->count; ++k) {
        if (taken[k]) continue;
        while (cluster_of[slot] != NOTHING) ++slot;
        cluster_of[slot] = k;
    }
}

/// A shape beside a mesh: where it is and its bounds, as mesh_contacts wants them.
struct MeshGuest_t {
    mat3 axes;     // of the mesh
    mat3 rotation; // from the shape's frame to the mesh's
    real3 centre, low, high;
};
typedef struct MeshGuest_t MeshGuest;

/// `between`: from the mesh to the shape, in the world's frame
KERNEL_FN MeshGuest mesh_guest(const ConvexShape shape, quat turn_mesh, quat turn_shape, real3 between,
                               real margin) {
    MeshGuest g;
    g.axes = quat_matrix(turn_mesh);
    g.rotation = quat_matrix(quat_product(quat_reversed(turn_mesh), turn_shape));
    g.centre = mat3_transposed_times(g.axes, between);
    ShapeFacts facts;
    facts.type = shape.type;
    facts.size = shape.size;
    facts.radius = shape.radius;
    facts.hull = shape.hull;
    real2 x = shape_reach(facts, g.rotation.x), y = shape_reach(facts, g.rotation.y),
          z = shape_reach(facts, g.rotation.z);
    real3 loss =
        make_real3(magnitude(g.centre.x), magnitude(g.centre.y), magnitude(g.centre.z)) * (4.0f * ROUNDING);
    g.low = make_real3(x.x - margin - loss.x, y.x - margin - loss.y, z.x - margin - loss.z);
    g.high = make_real3(x.y + margin + loss.x, y.y + margin + loss.y, z.y + margin + loss.z);
    return g;
}

/// `contacts`: of the pair's slots. Whether normals were left out.
KERNEL_FN bool narrow_mesh(u32 item, const ConvexShape a, const ConvexShape b, PRIVATE const u32* contacts,
                           const PairView w) {
    PairEnds e = pair_ends(item, w);
    const bool mesh_first = a.type == CONVEX_MESH;
    const u32 shape_a = static_cast<u32>(e.shape_a.at[0]), shape_b = static_cast<u32>(e.shape_b.at[0]),
              body_a = static_cast<u32>(e.body_a.at[0]), body_b = static_cast<u32>(e.body_b.at[0]);
    const u32 mesh = mesh_first ? shape_a : shape_b, other = mesh_first ? shape_b : shape_a;
    real3 at_mesh = xyz(load4(w.pose, 2 * mesh)), at_other = xyz(load4(w.pose, 2 * other));
    real margin = pair_margin(w, e);
    real3 between = pair_between(w, e);
    real3 to_other = mesh_first ? between : -between; // from the mesh's body to the other
    const ConvexShape shape = mesh_first ? b : a;
    MeshGuest guest =
        mesh_guest(shape, quat_of(load4(w.pose, 2 * mesh + 1)), quat_of(load4(w.pose, 2 * other + 1)),
                   to_other + (at_other - at_mesh), margin);
    mat3 axes = guest.axes;
    real near_points = 0.05f * w.distance;
    MeshClusters all;
    u32 order[MESH_CLUSTERS];
    mesh_contacts(shape, guest.rotation, mesh_first ? a : b, guest.centre, guest.low, guest.high, margin,
                  near_points, &all);
    clusters_join(&all, order, near_points);
    u32 cluster_of[MESH_SLOTS];
    mesh_slots(&all, order, axes, mesh_first, contacts, w, cluster_of);

    mat3 frame_mesh = quat_matrix(quat_of(load4(w.rotation, mesh_first ? body_a : body_b))),
         frame_other = quat_matrix(quat_of(load4(w.rotation, mesh_first ? body_b : body_a)));
    for (u32 slot = 0; slot < MESH_SLOTS; ++slot) {
        MadePoints made;
        made.count = 0;
        // a shape that slides keeps its corners, and leaves the mesh's triangles behind
        made.side = mesh_first ? 1u : 0u;
        made.normal = make_real3(0.0f, 1.0f, 0.0f);
        u32 part = 0;
        if (cluster_of[slot] != NOTHING) {
            PRIVATE MeshCluster* cluster = &all.cluster[order[cluster_of[slot]]];
            Manifold m;
            cluster_choose(cluster, near_points, &m);
            part = cluster->number;
            real3 n = mat3_times(axes, m.normal);
            made.normal = mesh_first ? n : -n;
            made.count = static_cast<u32>(m.count);
            for (u32 k = 0; k < made.count; ++k) {
                real3 on_mesh = at_other + mat3_times(axes, m.point[k]); // from the other body
                real3 on_other = on_mesh + n * m.separation[k];
                real3 of_mesh = mat3_transposed_times(frame_mesh, to_other + on_mesh);
                real3 of_other = mat3_transposed_times(frame_other, on_other);
                real feature = as_real(static_cast<i32>(m.feature[k]));
                made.point[2 * k] = with_w(mesh_first ? of_mesh : of_other, 0.0f);
                made.point[2 * k + 1] = with_w(mesh_first ? of_other : of_mesh, feature);
            }
        }
        made_store(contacts[slot], w, body_a, body_b, between, part, &made);
    }
    return all.crowded;
}

/// Of a sensor and another shape.
KERNEL_FN bool sensor_overlaps(u32 item, const ConvexShape a, const ConvexShape b, const PairView w) {
    const bool mesh_a = a.type == CONVEX_MESH, mesh_b = b.type == CONVEX_MESH;
    if (mesh_a && mesh_b) return false; // a mesh sees no meshes
    PairEnds e = pair_ends(item, w);
    const u32 shape_a = static_cast<u32>(e.shape_a.at[0]), shape_b = static_cast<u32>(e.shape_b.at[0]);
    quat turn_a = quat_of(load4(w.pose, 2 * shape_a + 1)), turn_b = quat_of(load4(w.pose, 2 * shape_b + 1));
    real3 between = pair_between(w, e) + (xyz(load4(w.pose, 2 * shape_b)) - xyz(load4(w.pose, 2 * shape_a)));
    if (mesh_a || mesh_b) {
        quat turn_mesh = mesh_a ? turn_a : turn_b, turn_shape = mesh_a ? turn_b : turn_a;
        const ConvexShape mesh = mesh_a ? a : b, shape = mesh_a ? b : a;
        real3 to_shape = mesh_a ? between : -between;
        if (shape.type == CONVEX_PLANE) {
            mat3 axes = quat_matrix(turn_mesh), plane = quat_matrix(turn_shape);
            real3 up = make_real3(plane.x.y, plane.y.y, plane.z.y);
            return mesh_reaches_below(mesh, mat3_transposed_times(axes, to_shape),
                                      mat3_transposed_times(axes, up));
        }
        MeshGuest guest = mesh_guest(shape, turn_mesh, turn_shape, to_shape, 0.0f);
        return mesh_overlaps(shape, guest.rotation, mesh, guest.centre, guest.low, guest.high);
    }
    const bool swapped = a.type == CONVEX_PLANE;
    quat from = swapped ? turn_b : turn_a, to = swapped ? turn_a : turn_b;
    return convex_overlap(swapped ? b : a, swapped ? a : b,
                          mat3_transposed_times(quat_matrix(from), swapped ? -between : between),
                          quat_product(quat_reversed(from), to));
}
