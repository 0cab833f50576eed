// SPDX-License-Identifier: MIT
// granular_scalar_stages.h — the stages of a granular step with loops of their own.   compiles as: host, cuda, opencl

/// reset grid: where the cells of chunk i begin in the sorted keys. A search for the first, then a walk along.
KERNEL_FN void granular_cells(u32 i, GranularView w, GranularParams p) {
    u32 cell = i * GRANULAR_CELLS_PER_ITEM;
    u32 last = cell + GRANULAR_CELLS_PER_ITEM;
    if (last > p.cells + 1) last = p.cells + 1;
    u32 low = 0, high = p.particles;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (w.cell_key[middle] < cell) low = middle + 1;
        else high = middle;
    }
    // most chunks of a wide grid are empty
    if (low == p.particles || w.cell_key[low] >= last) {
        for (; cell < last; ++cell) w.cell_start[cell] = low;
        return;
    }
    for (; cell < last; ++cell) {
        while (low < p.particles && w.cell_key[low] < cell) ++low;
        w.cell_start[cell] = low;
    }
}

KERNEL_FN GranularAsker granular_sorted_asker(u32 s, GranularView w, GranularParams p) {
    real4 x = load4(w.sorted_position, s);
    real4 v = load4(w.sorted_velocity, s);
    GranularAsker a;
    a.x = make_real3(x.x, x.y, x.z);
    a.v = make_real3(v.x, v.y, v.z);
    a.r = x.w;
    a.number = w.order[s];
    a.body = (u32)as_whole(v.w) & ~GRANULAR_ASLEEP;
    a.w = make_real3(0.0f, 0.0f, 0.0f);
    if (p.model != GRANULAR_LINEAR) {
        real4 turn = load4(w.body_omega, a.body);
        a.w = make_real3(turn.x, turn.y, turn.z);
    }
    return a;
}

KERNEL_FN void granular_store_force(u32 number, GranularSum sum, GranularView w) {
    store4(w.force, number, make_real4(sum.force.x, sum.force.y, sum.force.z, sum.torque.x));
    store2(w.torque, number, sum.torque.y, sum.torque.z);
}

KERNEL_FN void granular_force_of(GranularAsker a, u32 asleep, u32 history, GranularView w, GranularParams p) {
    GranularSum sum;
    sum.force = make_real3(0.0f, 0.0f, 0.0f);
    sum.torque = make_real3(0.0f, 0.0f, 0.0f);
    if (asleep != 0) granular_sleeper(a, w, p);
    else sum = granular_particle_force(a, history, w, p);
    granular_store_force(a.number, sum, w);
}

/// force: on the particle at place i of the sorted order
KERNEL_FN void granular_forces(u32 i, GranularView w, GranularParams p) {
    u32 asleep = (u32)as_whole(load4(w.sorted_velocity, i).w) & GRANULAR_ASLEEP;
    granular_force_of(granular_sorted_asker(i, w, p), asleep, 0, w, p);
}

/// the same with tangential springs
KERNEL_FN void granular_forces_history(u32 i, GranularView w, GranularParams p) {
    u32 asleep = (u32)as_whole(load4(w.sorted_velocity, i).w) & GRANULAR_ASLEEP;
    granular_force_of(granular_sorted_asker(i, w, p), asleep, 1, w, p);
}

/// kept lists: how many neighbours the particle at place i has, skin included
KERNEL_FN void granular_near_count(u32 i, GranularView w, GranularParams p) {
    GranularAsker a = granular_sorted_asker(i, w, p);
    GranularCell c = granular_search_cell(a.x, p);
    u32 runs = granular_run_count(c, p), count = 0;
    for (u32 k = 0; k < runs; ++k) {
        GranularRun run = granular_run(c, k, runs, w, p);
        for (u32 s = run.begin; s < run.end; ++s) count += granular_near(a, s, w, p) != 0 && s != i ? 1 : 0;
    }
    w.near_start[i] = count;
}

/// kept lists: those neighbours, from near_start on, lowest number first
KERNEL_FN void granular_near_fill(u32 i, GranularView w, GranularParams p) {
    GranularAsker a = granular_sorted_asker(i, w, p);
    GranularCell c = granular_search_cell(a.x, p);
    u32 runs = granular_run_count(c, p), first = w.near_start[i], next = first;
    for (u32 k = 0; k < runs; ++k) {
        GranularRun run = granular_run(c, k, runs, w, p);
        for (u32 s = run.begin; s < run.end; ++s) {
            if (granular_near(a, s, w, p) == 0 || s == i) continue;
            u32 number = w.order[s], at = next++;
            for (; at > first && w.order[w.near_place[at - 1]] > number; --at)
                w.near_place[at] = w.near_place[at - 1];
            w.near_place[at] = s;
        }
    }
}

KERNEL_FN void granular_listed_force_of(u32 i, u32 history, GranularView w, GranularParams p) {
    GranularAsker a = granular_sorted_asker(i, w, p);
    GranularSum sum;
    sum.force = make_real3(0.0f, 0.0f, 0.0f);
    sum.torque = make_real3(0.0f, 0.0f, 0.0f);
    u32 asleep = (u32)as_whole(load4(w.sorted_velocity, i).w) & GRANULAR_ASLEEP;
    if (asleep != 0) granular_sleeper(a, w, p);
    else sum = granular_listed_force(a, w.near_start[i], w.near_start[i + 1], history, w, p);
    granular_store_force(a.number, sum, w);
}

/// force: from kept lists
KERNEL_FN void granular_forces_listed(u32 i, GranularView w, GranularParams p) {
    granular_listed_force_of(i, 0, w, p);
}
KERNEL_FN void granular_forces_listed_history(u32 i, GranularView w, GranularParams p) {
    granular_listed_force_of(i, 1, w, p);
}

/// the fastest that any particle of share i of the bodies can have moved in the last step, m/s
KERNEL_FN void granular_speed(u32 i, GranularView w, GranularParams p) {
    u32 share = (p.bodies + GRANULAR_SURVEY_ITEMS - 1) / GRANULAR_SURVEY_ITEMS;
    u32 last = (i + 1) * share < p.bodies ? (i + 1) * share : p.bodies;
    real most = 0.0f;
    for (u32 b = i * share; b < last; ++b) {
        real4 m = load4(w.body_momentum, b);
        real4 o = load4(w.body_omega, b);
        real inverse_mass = load4(w.body_position, b).w;
        real speed = length3(make_real3(m.x, m.y, m.z)) * inverse_mass +
                     length3(make_real3(o.x, o.y, o.z)) * p.rest_radius;
        most = greatest(most, speed);
    }
    w.survey_words[i * GRANULAR_SURVEY_WORDS + 7] = most;
}

/// particle k of body i, from the body itself
KERNEL_FN GranularAsker granular_asker_of(u32 i, u32 k, GranularView w) {
    real4 x = load4(w.body_position, i);
    real4 q = load4(w.body_rotation, i);
    real4 m = load4(w.body_momentum, i);
    real4 omega = load4(w.body_omega, i);
    u32 shape = (u32)as_whole(load4(w.body_spin, i).w);
    real4 offset = load4(w.shape_offset, w.shape_first[shape] + k);
    GranularParticle at = granular_particle(
        make_real3(x.x, x.y, x.z), make_quat(q.x, q.y, q.z, q.w), make_real3(m.x, m.y, m.z) * x.w,
        make_real3(omega.x, omega.y, omega.z), make_real3(offset.x, offset.y, offset.z));
    GranularAsker a;
    a.x = at.position;
    a.v = at.velocity;
    a.w = make_real3(omega.x, omega.y, omega.z);
    a.r = offset.w;
    a.number = (u32)as_whole(omega.w) + k;
    a.body = i;
    return a;
}

/// force and momenta of body i in one item: the first decomposition of Fossum 2011
KERNEL_FN void granular_body_forces(u32 i, GranularView w, GranularParams p) {
    u32 shape = (u32)as_whole(load4(w.body_spin, i).w);
    u32 count = (u32)as_whole(load4(w.shape_inertia, shape).w);
    u32 asleep = granular_asleep(load4(w.body_momentum, i).w, p) ? 1u : 0u;
    for (u32 k = 0; k < count; ++k) {
        if (p.model == GRANULAR_HISTORY) granular_force_of(granular_asker_of(i, k, w), asleep, 1, w, p);
        else granular_force_of(granular_asker_of(i, k, w), asleep, 0, w, p);
    }
}

/// measure: for the particle at place i: largest overlap, sum of overlaps, contacts, contacts within its own body
KERNEL_FN void granular_measure(u32 i, GranularView w, GranularParams p) {
    GranularAsker a = granular_sorted_asker(i, w, p);
    real most = 0.0f, total = 0.0f, contacts = 0.0f, own = 0.0f;
    GranularCell c = granular_search_cell(a.x, p);
    u32 runs = granular_run_count(c, p);
    for (u32 k = 0; k < runs; ++k) {
        GranularRun run = granular_run(c, k, runs, w, p);
        for (u32 s = run.begin; s < run.end; ++s) {
            real4 other = load4(w.sorted_position, s);
            real distance = length3(make_real3(other.x - a.x.x, other.y - a.x.y, other.z - a.x.z));
            real reach = a.r + other.w;
            if (!granular_touching(distance, reach, p) || w.order[s] == a.number) continue;
            u32 body = (u32)as_whole(load4(w.sorted_velocity, s).w) & ~GRANULAR_ASLEEP;
            if (body == a.body) {
                if (p.same_body_filter == 0) own += 1.0f;
            } else {
                contacts += 1.0f;
                total += reach - distance;
                most = greatest(most, reach - distance);
            }
        }
    }
    for (u32 k = 0; k < 5; ++k) most = greatest(most, granular_plane(k, a.x, a.r, p).w);
    for (u32 k = 0; k < p.obstacles; ++k)
        most = greatest(most, granular_surface(granular_load_obstacle(k, w), a.x, a.r).overlap);
    store4(w.force, a.number, make_real4(most, total, contacts, own));
}

/// Force and torque of the particles of share i on a free obstacle, summed in the order of the particles' numbers.
/// Item i is share i mod ITEMS of obstacle i / ITEMS.
KERNEL_FN void granular_obstacle_push(u32 i, GranularView w, GranularParams p) {
    GranularObstacle o = granular_load_obstacle(i / GRANULAR_OBSTACLE_ITEMS, w);
    real3 none = make_real3(0.0f, 0.0f, 0.0f);
    real3 force = none, torque = none;
    if (o.inverse_mass > 0.0f) {
        for (u32 number = i % GRANULAR_OBSTACLE_ITEMS; number < p.particles;
             number += GRANULAR_OBSTACLE_ITEMS) {
            u32 body = w.particle_body[number];
            if (granular_asleep(load4(w.body_momentum, body).w, p)) continue;
            GranularAsker a = granular_asker_of(body, number - (u32)as_whole(load4(w.body_omega, body).w), w);
            GranularSurface surface = granular_surface(o, a.x, a.r);
            if (!(surface.overlap > 0.0f)) continue;
            GranularTouch t = granular_surface_force(surface, a.v, a.w, a.r, none, p);
            force = force - t.force;
            torque = torque - cross3(surface.arm, t.force);
        }
    }
    GLOBAL f32* out = w.obstacle_partial + i * 6;
    out[0] = force.x;
    out[1] = force.y;
    out[2] = force.z;
    out[3] = torque.x;
    out[4] = torque.y;
    out[5] = torque.z;
}

/// obstacle i moves: driven ones by their velocity, free ones also by gravity and by the particles; not by ground and walls
KERNEL_FN void granular_obstacle_move(u32 i, GranularView w, GranularParams p) {
    GranularObstacle o = granular_load_obstacle(i, w);
    GLOBAL f32* a = w.obstacle + i * GRANULAR_OBSTACLE_WORDS;
    real3 v = make_real3(o.vx, o.vy, o.vz);
    real3 omega = make_real3(o.wx, o.wy, o.wz);
    quat q = make_quat(o.qs, o.qx, o.qy, o.qz);
    if (o.inverse_mass > 0.0f) {
        real3 force = make_real3(0.0f, 0.0f, 0.0f), torque = force;
        for (u32 k = 0; k < GRANULAR_OBSTACLE_ITEMS; ++k) {
            GLOBAL const f32* part = w.obstacle_partial + (i * GRANULAR_OBSTACLE_ITEMS + k) * 6;
            force = force + make_real3(part[0], part[1], part[2]);
            torque = torque + make_real3(part[3], part[4], part[5]);
        }
        v = v + (force * o.inverse_mass + make_real3(p.gravity_x, p.gravity_y, p.gravity_z)) * p.time_step;
        omega = omega +
                rotated_diagonal_times(quat_matrix(q), make_real3(o.ix, o.iy, o.iz), torque) * p.time_step;
    }
    quat turned = quat_kept_unit(quat_turned(q, omega, p.time_step), 1e-5f);
    real3 x = make_real3(o.px, o.py, o.pz) + v * p.time_step;
    // one that is not finite any more stays where it was: NaN has other bits on other devices
    mask turns =
        both(both(is_finite(turned.s), is_finite(turned.x)), both(is_finite(turned.y), is_finite(turned.z)));
    if (!both(both(finite3(x), finite3(v)), both(finite3(omega), turns))) {
        x = make_real3(o.px, o.py, o.pz);
        v = omega = make_real3(0.0f, 0.0f, 0.0f);
        turned = q;
    }
    a[1] = x.x;
    a[2] = x.y;
    a[3] = x.z;
    a[4] = turned.s;
    a[5] = turned.x;
    a[6] = turned.y;
    a[7] = turned.z;
    a[11] = v.x;
    a[12] = v.y;
    a[13] = v.z;
    a[14] = omega.x;
    a[15] = omega.y;
    a[16] = omega.z;
}

/// survey: bounds of the centres and number of the bodies awake, for share i of the bodies
KERNEL_FN void granular_survey(u32 i, GranularView w, GranularParams p) {
    real far = 3.0e38f;
    real3 low = make_real3(far, far, far), high = make_real3(-far, -far, -far);
    u32 awake = 0;
    for (u32 b = i; b < p.bodies; b += GRANULAR_SURVEY_ITEMS) {
        real4 x = load4(w.body_position, b);
        low = make_real3(least(low.x, x.x), least(low.y, x.y), least(low.z, x.z));
        high = make_real3(greatest(high.x, x.x), greatest(high.y, x.y), greatest(high.z, x.z));
        if (!granular_asleep(load4(w.body_momentum, b).w, p)) ++awake;
    }
    GLOBAL f32* out = w.survey_words + i * GRANULAR_SURVEY_WORDS;
    out[0] = low.x;
    out[1] = low.y;
    out[2] = low.z;
    out[3] = high.x;
    out[4] = high.y;
    out[5] = high.z;
    out[6] = to_real((i32)awake);
}
