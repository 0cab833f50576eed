// SPDX-License-Identifier: MIT
// cloth_collision.h — the other stages of a cloth's step: collisions and touch, then normals; its survey and its extent.   compiles as: host, lanes, cuda, opencl, glsl
//
// A vertex is a sphere. It is pushed out of boxes, spheres, the ground and its neighbours, in this order, and then follows the finger.

/// Coulomb's friction for a vertex that was pushed to x along n by `depth`: takes up to friction times depth from its sliding in this
/// substep (Macklin et al. 2014, "Unified Particle Physics", 6.1)
KERNEL_FN real3 cloth_rubbed(real3 x, real3 before, real3 carried, real3 n, real depth, ClothParams p) {
    real3 moved = (x - before) - carried;
    real3 slide = moved - n * dot3(moved, n);
    real size = length3(slide);
    mask still = no(size > 0.0f);
    real kept = least(depth * p.friction, size) / pick(still, to_real(1.0f), size);
    return x - slide * kept;
}

KERNEL_FN real3 cloth_out_of_box(real3 x, real3 before, real4 low, real4 high, real4 carried, ClothParams p) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 nearest =
        make_real3(clamped(x.x, low.x, high.x), clamped(x.y, low.y, high.y), clamped(x.z, low.z, high.z));
    real3 away = x - nearest;
    real square = dot3(away, away);
    mask outside = square > 0.0f;
    real distance = root(square);
    real3 n = away * (one / pick(outside, distance, one));
    real depth = p.radius - distance;
    mask hit = both(outside, square < p.radius * p.radius);
    if (p.push_from_inside != 0u) {
        // a centre inside leaves through the nearest face; the seed leaves it there
        real3 to_low = x - cloth_point(low), to_high = cloth_point(high) - x;
        real3 face =
            make_real3(least(to_low.x, to_high.x), least(to_low.y, to_high.y), least(to_low.z, to_high.z));
        mask by_x = both(no(face.x > face.y), no(face.x > face.z));
        mask by_y = both(no(by_x), no(face.y > face.z));
        mask by_z = both(no(by_x), no(by_y));
        real3 out_of = make_real3(pick(by_x, pick(to_low.x < to_high.x, -one, one), zero),
                                  pick(by_y, pick(to_low.y < to_high.y, -one, one), zero),
                                  pick(by_z, pick(to_low.z < to_high.z, -one, one), zero));
        n = pick3(outside, n, out_of);
        depth = pick(outside, depth, p.radius + pick(by_x, face.x, pick(by_y, face.y, face.z)));
        hit = either(hit, no(outside));
    }
    real3 pushed = cloth_rubbed(x + n * depth, before, cloth_point(carried), n, depth, p);
    return pick3(hit, pushed, x);
}

/// out of the sphere of radius `reach` around `centre`, by a share of the depth
KERNEL_FN real3 cloth_out_of_sphere(real3 x, real3 centre, real reach, f32 share) {
    real3 away = x - centre;
    real square = dot3(away, away);
    mask hit = both(square < reach * reach, square > 0.0f);
    real distance = root(pick(hit, square, to_real(1.0f)));
    return pick3(hit, x + away * (((reach - distance) * share) / distance), x);
}

KERNEL_FN real3 cloth_off_ball(real3 x, real3 before, real4 ball, real4 carried, ClothParams p) {
    real3 pushed = cloth_out_of_sphere(x, cloth_point(ball), ball.w + p.radius, 1.0f);
    real3 push = pushed - x;
    real depth = length3(push);
    mask hit = depth > 0.0f;
    real3 n = push * (to_real(1.0f) / pick(hit, depth, to_real(1.0f)));
    return pick3(hit, cloth_rubbed(pushed, before, cloth_point(carried), n, depth, p), pushed);
}

KERNEL_FN real3 cloth_off_ground(real3 x, real3 before, ClothParams p) {
    real depth = (p.ground_height + p.radius) - x.y;
    real zero = to_real(0.0f);
    real3 up = make_real3(zero, to_real(1.0f), zero);
    real3 raised = make_real3(x.x, to_real(p.ground_height + p.radius), x.z);
    return pick3(depth > 0.0f, cloth_rubbed(raised, before, make_real3(zero, zero, zero), up, depth, p), x);
}

/// each of two neighbours that overlap takes half of the way
KERNEL_FN real3 cloth_off_neighbour(ClothView w, ClothParams p, real3 x, whole own, real neighbour) {
    whole other = as_whole(neighbour);
    real3 moved =
        cloth_out_of_sphere(x, cloth_point(gather4(w.position, other)), to_real(2.0f * p.radius), 0.5f);
    return pick3(other != own, moved, x);
}

/// the brush: vertices near the finger on the screen follow it, weight 200 exp(-150 d^2)
KERNEL_FN real3 cloth_touched(real3 x, ClothParams p) {
    real hx = ((p.row_xx * x.x + p.row_xy * x.y) + p.row_xz * x.z) + p.row_xw;
    real hy = ((p.row_yx * x.x + p.row_yy * x.y) + p.row_yz * x.z) + p.row_yw;
    real hw = ((p.row_wx * x.x + p.row_wy * x.y) + p.row_wz * x.z) + p.row_ww;
    mask seen = hw > 0.0f;
    real scale = to_real(1.0f) / pick(seen, hw, to_real(1.0f));
    real dx = hx * scale - p.finger_x;
    real dy = hy * scale - p.finger_y;
    real weight = exponential((dx * dx + dy * dy) * -150.0f) * 200.0f;
    real slide = root(to_real(p.slide_x * p.slide_x + p.slide_y * p.slide_y));
    real amount = (weight * slide) * hw;
    real3 along = make_real3(to_real(p.back_xx * p.slide_x + p.back_yx * p.slide_y),
                             to_real(p.back_xy * p.slide_x + p.back_yy * p.slide_y),
                             to_real(p.back_xz * p.slide_x + p.back_yz * p.slide_y));
    return pick3(seen, x + along * amount, x);
}

/// whether no lane comes near a group of colliders whose bounds are at `item`
KERNEL_FN bool cloth_misses(real3 x, u32 item, ClothView w) {
    real4 low = shared4(w.collider, item), high = shared4(w.collider, item + 1u);
    mask across = both(both(x.x > low.x, x.x < high.x), both(x.z > low.z, x.z < high.z));
    return !any(both(across, both(x.y > low.y, x.y < high.y)));
}

/// how many of `count` colliders from number k on, where a group begins, no lane comes near
KERNEL_FN u32 cloth_passed(real3 x, u32 k, u32 count, u32 bounds, ClothView w) {
    if (count <= CLOTH_GROUP || k % CLOTH_GROUP != 0u) return 0u;
    u32 groups = (count + CLOTH_GROUP - 1u) / CLOTH_GROUP;
    u32 larger = (groups + CLOTH_GROUP - 1u) / CLOTH_GROUP;
    u32 group = k / CLOTH_GROUP;
    if (group % (CLOTH_GROUP * CLOTH_GROUP) == 0u) {
        u32 largest = group / (CLOTH_GROUP * CLOTH_GROUP);
        if (cloth_misses(x, bounds + 2u * (groups + larger + largest), w))
            return CLOTH_GROUP * CLOTH_GROUP * CLOTH_GROUP;
    }
    if (group % CLOTH_GROUP == 0u && cloth_misses(x, bounds + 2u * (groups + group / CLOTH_GROUP), w))
        return CLOTH_GROUP * CLOTH_GROUP;
    if (cloth_misses(x, bounds + 2u * group, w)) return CLOTH_GROUP;
    return 0u;
}

KERNEL_FN void cloth_collide(u32 i, ClothView w, ClothParams p) {
    whole own = lane_index(i);
    real4 here = load4(w.position, i);
    real3 before = cloth_point(load4(w.last, i));
    real3 x = cloth_point(here);
    for (u32 k = 0u; k < p.boxes;) {
        u32 passed = cloth_passed(x, k, p.boxes, p.box_bounds, w);
        k += passed;
        if (passed != 0u) continue;
        u32 item = k * CLOTH_BOX_ITEMS;
        x = cloth_out_of_box(x, before, shared4(w.collider, item), shared4(w.collider, item + 1u),
                             shared4(w.collider, item + 2u), p);
        ++k;
    }
    for (u32 k = 0u; k < p.spheres;) {
        u32 passed = cloth_passed(x, k, p.spheres, p.sphere_bounds, w);
        k += passed;
        if (passed != 0u) continue;
        u32 item = p.boxes * CLOTH_BOX_ITEMS + k * CLOTH_SPHERE_ITEMS;
        x = cloth_off_ball(x, before, shared4(w.collider, item), shared4(w.collider, item + 1u), p);
        ++k;
    }
    if (p.ground != 0u) x = cloth_off_ground(x, before, p);
    if (p.self_neighbours != 0u) {
        real4 a = load4(w.axis, i);
        x = cloth_off_neighbour(w, p, x, own, a.x);
        x = cloth_off_neighbour(w, p, x, own, a.y);
        x = cloth_off_neighbour(w, p, x, own, a.z);
        x = cloth_off_neighbour(w, p, x, own, a.w);
    }
    if (p.self_neighbours > 4u) {
        real4 d = load4(w.diagonal, i);
        x = cloth_off_neighbour(w, p, x, own, d.x);
        x = cloth_off_neighbour(w, p, x, own, d.y);
        x = cloth_off_neighbour(w, p, x, own, d.z);
        x = cloth_off_neighbour(w, p, x, own, d.w);
    }
    if (p.touched != 0u) x = cloth_touched(x, p);
    store4(w.next, i, cloth_settled(here, x, p));
}

/// the part of a normal between two neighbours of the ring
KERNEL_FN real3 cloth_corner(ClothView w, real3 x, whole own, real first, real then) {
    whole a = as_whole(first), b = as_whole(then);
    real3 to_a = x - cloth_point(gather4(w.position, a)), to_b = x - cloth_point(gather4(w.position, b));
    return cross3(to_a, to_b) * (cloth_exists(a, own) * cloth_exists(b, own));
}

/// the normalised sum over the ring of eight neighbours, +y where it has no length; the vertex' radius for who draws it
KERNEL_FN void cloth_normals(u32 i, ClothView w, ClothParams p) {
    whole own = lane_index(i);
    real3 x = cloth_point(load4(w.position, i));
    real4 a = load4(w.axis, i);
    real4 d = load4(w.diagonal, i);
    real3 n = cloth_corner(w, x, own, a.x, d.x);
    n = n + cloth_corner(w, x, own, d.x, a.y);
    n = n + cloth_corner(w, x, own, a.y, d.y);
    n = n + cloth_corner(w, x, own, d.y, a.z);
    n = n + cloth_corner(w, x, own, a.z, d.z);
    n = n + cloth_corner(w, x, own, d.z, a.w);
    n = n + cloth_corner(w, x, own, a.w, d.w);
    n = n + cloth_corner(w, x, own, d.w, a.x);
    real size = length3(n);
    mask upright = both(size > 0.0f, is_finite(size));
    real divisor = pick(upright, size, to_real(1.0f));
    store4(w.normal, i,
           make_real4(pick(upright, n.x / divisor, to_real(0.0f)),
                      pick(upright, n.y / divisor, to_real(1.0f)),
                      pick(upright, n.z / divisor, to_real(0.0f)), to_real(p.radius)));
}

/// first level of the survey: the speed of vertex i twice, its height, whether it stopped
KERNEL_FN void cloth_survey_start(u32 i, ClothView w, ClothParams p) {
    real4 here = load4(w.position, i);
    real speed = length3(cloth_point(here) - cloth_point(load4(w.last, i))) * p.inverse_step;
    store4(w.survey_out, i,
           make_real4(speed, speed, here.y, pick(here.w < 0.0f, to_real(1.0f), to_real(0.0f))));
}

/// next level: the largest and the sum of the speeds, the lowest height and the number of stopped vertices among sixteen entries
KERNEL_FN void cloth_survey(u32 i, ClothView w, ClothParams p) {
    whole first = lane_index(i) * 16;
    whole count = whole_from(p.survey_items);
    real4 sum = gather4(w.survey_in, pick_whole(first < count, first, whole_from(0u)));
    for (u32 k = 1u; k < CLOTH_SURVEY_ITEMS; ++k) {
        whole at = first + whole_from(k);
        mask here = at < count;
        real4 a = gather4(w.survey_in, pick_whole(here, at, whole_from(0u)));
        sum = make_real4(pick(here, greatest(sum.x, a.x), sum.x), pick(here, sum.y + a.y, sum.y),
                         pick(here, least(sum.z, a.z), sum.z), pick(here, sum.w + a.w, sum.w));
    }
    store4(w.survey_out, i, sum);
}

/// first level of the extent: where vertex i is
KERNEL_FN void cloth_extent_start(u32 i, ClothView w, ClothParams p) {
    real4 here = load4(w.position, i);
    store4(w.survey_out, i,
           make_real4(here.x * p.extent_sign, here.y * p.extent_sign, here.z * p.extent_sign, to_real(0.0f)));
}

/// next level: the largest of each coordinate among sixteen entries
KERNEL_FN void cloth_extent(u32 i, ClothView w, ClothParams p) {
    whole first = lane_index(i) * 16;
    whole count = whole_from(p.survey_items);
    real4 most = gather4(w.survey_in, pick_whole(first < count, first, whole_from(0u)));
    for (u32 k = 1u; k < CLOTH_SURVEY_ITEMS; ++k) {
        whole at = first + whole_from(k);
        mask here = at < count;
        real4 a = gather4(w.survey_in, pick_whole(here, at, whole_from(0u)));
        most =
            make_real4(pick(here, greatest(most.x, a.x), most.x), pick(here, greatest(most.y, a.y), most.y),
                       pick(here, greatest(most.z, a.z), most.z), most.w);
    }
    store4(w.survey_out, i, most);
}
