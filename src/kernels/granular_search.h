// SPDX-License-Identifier: MIT
// granular_search.h — the force on one particle: neighbours, planes, obstacles.   compiles as: host, cuda, opencl
//
// Order is fixed, and with it every sum: neighbours by their number, then ground, walls, obstacles. How the neighbours were
// found (this step's cells, a list kept from an earlier step, every pair) does not show in the result. The lane-wide
// version of the neighbour part is src/device/cpu/granular_forces.inl.

/// the particle that asks
struct GranularAsker_t {
    real3 x, v, w; // centre, its velocity, the body's angular velocity
    real r;
    u32 number, body;
};
typedef struct GranularAsker_t GranularAsker;

struct GranularSum_t {
    real3 force, torque;
};
typedef struct GranularSum_t GranularSum;

/// a stretch of the sorted arrays
struct GranularRun_t {
    u32 begin, end;
};
typedef struct GranularRun_t GranularRun;

/// the asker's own cell, as the search uses it
KERNEL_FN GranularCell granular_search_cell(real3 x, GranularParams p) {
    GranularCell c;
    if (p.reference == 0) {
        c = granular_wrapped_cell(x, p);
    } else {
        c = granular_reference_cell(x, p);
        i32 mx = (i32)p.grid_x - 2, my = (i32)p.grid_y - 2, mz = (i32)p.grid_z - 2;
        c.x = c.x < 1 ? 1 : (c.x > mx ? mx : c.x);
        c.y = c.y < 1 ? 1 : (c.y > my ? my : c.y);
        c.z = c.z < 1 ? 1 : (c.z > mz ? mz : c.z);
    }
    return c;
}

/// how many runs the search of a cell consists of
KERNEL_FN u32 granular_run_count(GranularCell c, GranularParams p) {
    if (p.brute != 0) return 1;
    if (p.reference != 0) return 27;
    return (c.z == 0 || c.z == (i32)p.grid_z - 1) ? 18 : 9;
}

/// Run k of the search. Three cells along z are one run, two where they cross the end of the table, three in reference
/// mode, which sees only the first four particles of a cell.
KERNEL_FN GranularRun granular_run(GranularCell c, u32 k, u32 runs, GranularView w, GranularParams p) {
    GranularRun run;
    if (p.brute != 0) {
        run.begin = 0;
        run.end = p.particles;
        return run;
    }
    u32 parts = runs == 9 ? 1 : (runs == 18 ? 2 : 3);
    u32 row = runs == 9 ? k : (runs == 18 ? k / 2 : k / 3);
    u32 part = k - row * parts;
    i32 x = c.x + (i32)(row / 3) - 1;
    i32 y = c.y + (i32)(row - (row / 3) * 3) - 1;
    x = x < 0 ? x + (i32)p.grid_x : (x >= (i32)p.grid_x ? x - (i32)p.grid_x : x);
    y = y < 0 ? y + (i32)p.grid_y : (y >= (i32)p.grid_y ? y - (i32)p.grid_y : y);
    u32 base = ((u32)x * p.grid_y + (u32)y) * p.grid_z;
    u32 first, last;
    if (parts == 1) {
        first = (u32)c.z - 1;
        last = (u32)c.z + 1;
    } else if (parts == 2) {
        u32 top = p.grid_z - 1;
        if (c.z == 0) {
            first = part == 0 ? top : 0;
            last = part == 0 ? top : 1;
        } else {
            first = part == 0 ? top - 1 : 0;
            last = part == 0 ? top : 0;
        }
    } else {
        first = (u32)c.z + part - 1;
        last = first;
    }
    run.begin = w.cell_start[base + first];
    run.end = w.cell_start[base + last + 1];
    if (p.reference != 0 && run.end > run.begin + 4) run.end = run.begin + 4;
    return run;
}

/// the world direction out of the body at a particle
KERNEL_FN real3 granular_outward(u32 number, u32 body, GranularView w) {
    u32 first = (u32)as_whole(load4(w.body_omega, body).w);
    u32 shape = (u32)as_whole(load4(w.body_spin, body).w);
    real4 q = load4(w.body_rotation, body);
    real4 out = load4(w.shape_outward, w.shape_first[shape] + (number - first));
    return mat3_times(quat_matrix(make_quat(q.x, q.y, q.z, q.w)), make_real3(out.x, out.y, out.z));
}

/// the slot in which particle `number` keeps its spring with `partner`, or memory_slots
KERNEL_FN u32 granular_memory_slot(u32 number, u32 partner, GranularView w, GranularParams p) {
    u32 slot = 0;
    for (; slot < p.memory_slots; ++slot) {
        real4 m = load4(w.memory, number * p.memory_slots + slot);
        if ((u32)as_whole(m.w) == partner) break;
    }
    return slot;
}

KERNEL_FN real3 granular_remembered(u32 number, u32 partner, GranularView w, GranularParams p) {
    real3 spring = make_real3(0.0f, 0.0f, 0.0f);
    u32 slot = granular_memory_slot(number, partner, w, p);
    if (slot < p.memory_slots) {
        real4 m = load4(w.memory, number * p.memory_slots + slot);
        spring = make_real3(m.x, m.y, m.z);
    }
    return spring;
}

/// the springs of one particle after the step; written back when all old ones have been read
struct GranularMemory_t {
    real4 slot[GRANULAR_MAX_MEMORY];
    u32 used;
};
typedef struct GranularMemory_t GranularMemory;

KERNEL_FN void granular_remember(PRIVATE GranularMemory* memory, real3 spring, u32 partner, GranularView w,
                                 GranularParams p) {
    if (memory->used < p.memory_slots) {
        memory->slot[memory->used] = make_real4(spring.x, spring.y, spring.z, as_real((i32)partner));
        memory->used += 1;
    } else {
        count_one(w.counters, GRANULAR_COUNTER_MEMORY_OVERFLOW);
    }
}

KERNEL_FN void granular_write_memory(PRIVATE GranularMemory* memory, u32 number, GranularView w,
                                     GranularParams p) {
    for (u32 k = 0; k < p.memory_slots; ++k) {
        real4 m = k < memory->used ? memory->slot[k]
                                   : make_real4(0.0f, 0.0f, 0.0f, as_real((i32)GRANULAR_NO_PARTNER));
        store4(w.memory, number * p.memory_slots + k, m);
    }
}

/// wakes a sleeping body that something fast touches
KERNEL_FN void granular_nudge(u32 body_bits, real3 slip, GranularView w, GranularParams p) {
    if ((body_bits & GRANULAR_ASLEEP) != 0 && dot3(slip, slip) > p.wake_speed * p.wake_speed)
        raise_flag(w.body_wake, body_bits & ~GRANULAR_ASLEEP);
}

KERNEL_FN GranularObstacle granular_load_obstacle(u32 k, GranularView w) {
    GLOBAL const f32* a = w.obstacle + k * GRANULAR_OBSTACLE_WORDS;
    GranularObstacle o;
    o.kind = (u32)as_whole(a[0]);
    o.px = a[1];
    o.py = a[2];
    o.pz = a[3];
    o.qs = a[4];
    o.qx = a[5];
    o.qy = a[6];
    o.qz = a[7];
    o.sx = a[8];
    o.sy = a[9];
    o.sz = a[10];
    o.vx = a[11];
    o.vy = a[12];
    o.vz = a[13];
    o.wx = a[14];
    o.wy = a[15];
    o.wz = a[16];
    o.inverse_mass = a[17];
    o.ix = a[18];
    o.iy = a[19];
    o.iz = a[20];
    return o;
}

/// plane k of ground, low x, high x, low z, high z: the normal, and the overlap in the last place
KERNEL_FN real4 granular_plane(u32 k, real3 x, real r, GranularParams p) {
    if (k == 0) return make_real4(0.0f, 1.0f, 0.0f, p.ground != 0 ? r - x.y : -1.0f);
    real off = -1.0f;
    if (k == 1) return make_real4(1.0f, 0.0f, 0.0f, p.walls != 0 ? (-p.world_size - x.x) + r : off);
    if (k == 2) return make_real4(-1.0f, 0.0f, 0.0f, p.walls != 0 ? (x.x - p.world_size) + r : off);
    if (k == 3) return make_real4(0.0f, 0.0f, 1.0f, p.walls != 0 ? (-p.world_size - x.z) + r : off);
    return make_real4(0.0f, 0.0f, -1.0f, p.walls != 0 ? (x.z - p.world_size) + r : off);
}

/// planes and obstacles, added to the forces of the neighbours
KERNEL_FN GranularSum granular_surfaces(GranularAsker a, GranularSum sum, PRIVATE GranularMemory* memory,
                                        u32 history, GranularView w, GranularParams p) {
    real3 none = make_real3(0.0f, 0.0f, 0.0f);
    if (p.model == GRANULAR_LINEAR) {
        sum.force = sum.force + granular_reference_planes(a.x, a.v, a.r, p);
    } else {
        for (u32 k = 0; k < 5; ++k) {
            real4 plane = granular_plane(k, a.x, a.r, p);
            if (plane.w > 0.0f) {
                real3 n = make_real3(plane.x, plane.y, plane.z);
                real3 spring = none;
                if (history != 0) spring = granular_remembered(a.number, GRANULAR_PLANE_PARTNER + k, w, p);
                GranularTouch t = granular_split_force(
                    n, plane.w, granular_slip(n, a.v, a.w, a.r, none, none, 0.0f), a.r, spring, p);
                sum.force = sum.force + t.force;
                sum.torque = sum.torque + t.torque;
                if (history != 0) granular_remember(memory, t.spring, GRANULAR_PLANE_PARTNER + k, w, p);
            }
        }
    }
    for (u32 k = 0; k < p.obstacles; ++k) {
        GranularObstacle o = granular_load_obstacle(k, w);
        GranularSurface s = granular_surface(o, a.x, a.r);
        if (s.overlap > 0.0f) {
            // a free obstacle is pushed back by the same force, found again from the same state: no spring to remember
            u32 remembers = history != 0 && o.inverse_mass == 0.0f;
            real3 spring = none;
            if (remembers) spring = granular_remembered(a.number, GRANULAR_OBSTACLE_PARTNER + k, w, p);
            GranularTouch t = granular_surface_force(s, a.v, a.w, a.r, spring, p);
            sum.force = sum.force + t.force;
            sum.torque = sum.torque + t.torque;
            if (remembers) granular_remember(memory, t.spring, GRANULAR_OBSTACLE_PARTNER + k, w, p);
        }
    }
    return sum;
}

/// a sleeping particle feels nothing, but a driven obstacle that reaches it wakes its body
KERNEL_FN void granular_sleeper(GranularAsker a, GranularView w, GranularParams p) {
    if (p.obstacle_moving == 0) return;
    for (u32 k = 0; k < p.obstacles; ++k) {
        GranularSurface s = granular_surface(granular_load_obstacle(k, w), a.x, a.r);
        if (s.overlap > 0.0f) granular_nudge(a.body | GRANULAR_ASLEEP, s.velocity, w, p);
    }
}

/// The contact with sorted particle s, added to the sum where there is one.
KERNEL_FN GranularSum granular_pair(GranularAsker a, u32 s, GranularSum sum, PRIVATE GranularMemory* memory,
                                    u32 history, GranularView w, GranularParams p) {
    real4 other = load4(w.sorted_position, s);
    real3 r = make_real3(other.x - a.x.x, other.y - a.x.y, other.z - a.x.z);
    real square = dot3(r, r);
    if (!(square < p.touch_square)) return sum;
    real4 motion = load4(w.sorted_velocity, s);
    u32 bits = (u32)as_whole(motion.w);
    u32 body = bits & ~GRANULAR_ASLEEP;
    if (p.same_body_filter != 0 && body == a.body) return sum;
    real distance = root(square);
    real reach = a.r + other.w;
    if (!granular_touching(distance, reach, p)) return sum;
    u32 number = w.order[s];
    if (number == a.number) return sum;
    real overlap = reach - distance;
    real3 n = granular_normal(r, distance, a.number < number ? 1.0f : -1.0f);
    real3 v = make_real3(motion.x, motion.y, motion.z);
    if (p.sleeping != 0) granular_nudge(bits, a.v - v, w, p);
    if (p.unlock != 0 && overlap > reach * 0.125f)
        n = granular_unlocked_normal(n, overlap, reach, granular_outward(a.number, a.body, w),
                                     granular_outward(number, body, w));
    if (p.model == GRANULAR_LINEAR) {
        sum.force = sum.force + granular_linear_force(n, overlap, a.v, v, p);
    } else {
        real4 turn = load4(w.body_omega, body);
        real3 slip = granular_slip(n, a.v, a.w, a.r, v, make_real3(turn.x, turn.y, turn.z), other.w);
        real3 spring = make_real3(0.0f, 0.0f, 0.0f);
        if (history != 0) spring = granular_remembered(a.number, number, w, p);
        GranularTouch t = granular_split_force(n, overlap, slip, a.r, spring, p);
        sum.force = sum.force + t.force;
        sum.torque = sum.torque + t.torque;
        if (history != 0) granular_remember(memory, t.spring, number, w, p);
    }
    return sum;
}

/// Near enough to look at closer, and not of the same body?
KERNEL_FN u32 granular_near(GranularAsker a, u32 s, GranularView w, GranularParams p) {
    real4 other = load4(w.sorted_position, s);
    real3 r = make_real3(other.x - a.x.x, other.y - a.x.y, other.z - a.x.z);
    if (!(dot3(r, r) < p.search_square)) return 0;
    if (p.same_body_filter == 0) return 1;
    return ((u32)as_whole(load4(w.sorted_velocity, s).w) & ~GRANULAR_ASLEEP) != a.body ? 1 : 0;
}

/// The near candidates of a particle, lowest number first.
struct GranularNear_t {
    u32 place[GRANULAR_NEAR]; // in the sorted order
    u32 number[GRANULAR_NEAR];
    u32 count; // more than fit: only the count is right
};
typedef struct GranularNear_t GranularNear;

KERNEL_FN void granular_find_near(PRIVATE GranularNear* near, GranularAsker a, GranularView w,
                                  GranularParams p) {
    near->count = 0;
    GranularCell c = granular_search_cell(a.x, p);
    u32 runs = granular_run_count(c, p);
    for (u32 k = 0; k < runs; ++k) {
        GranularRun run = granular_run(c, k, runs, w, p);
        for (u32 s = run.begin; s < run.end; ++s) {
            if (granular_near(a, s, w, p) == 0) continue;
            if (near->count < GRANULAR_NEAR) near->place[near->count] = s;
            near->count += 1;
        }
    }
    // sort by number, by insertion: there are about seven
    u32 count = near->count < GRANULAR_NEAR ? near->count : GRANULAR_NEAR;
    for (u32 k = 0; k < count; ++k) {
        u32 place = near->place[k];
        u32 number = w.order[place];
        u32 at = k;
        for (; at > 0 && near->number[at - 1] > number; --at) {
            near->number[at] = near->number[at - 1];
            near->place[at] = near->place[at - 1];
        }
        near->number[at] = number;
        near->place[at] = place;
    }
}

/// More neighbours than a list holds: a search for each, the next number up every time. Slow, and only ever for heaps of
/// particles inside each other.
KERNEL_FN u32 granular_next_near(u32 after, GranularAsker a, GranularView w, GranularParams p) {
    u32 best = GRANULAR_NO_PARTNER, best_number = GRANULAR_NO_PARTNER;
    GranularCell c = granular_search_cell(a.x, p);
    u32 runs = granular_run_count(c, p);
    for (u32 k = 0; k < runs; ++k) {
        GranularRun run = granular_run(c, k, runs, w, p);
        for (u32 s = run.begin; s < run.end; ++s) {
            u32 number = w.order[s];
            if (number + 1 <= after || number >= best_number || granular_near(a, s, w, p) == 0) continue;
            best = s;
            best_number = number;
        }
    }
    return best;
}

/// Everything that pushes one particle. `history` is a constant where this is called, so that its branches fold.
/// Candidates are collected first and pushed then: on a GPU, threads that find nothing do not wait for those that do.
KERNEL_FN GranularSum granular_particle_force(GranularAsker a, u32 history, GranularView w,
                                              GranularParams p) {
    GranularSum sum;
    sum.force = make_real3(0.0f, 0.0f, 0.0f);
    sum.torque = make_real3(0.0f, 0.0f, 0.0f);
    GranularMemory memory;
    memory.used = 0;
    GranularNear near;
    granular_find_near(&near, a, w, p);
    if (near.count <= GRANULAR_NEAR) {
        for (u32 j = 0; j < near.count; ++j)
            sum = granular_pair(a, near.place[j], sum, &memory, history, w, p);
    } else {
        u32 after = 0; // one more than the last number
        for (u32 s = granular_next_near(after, a, w, p); s != GRANULAR_NO_PARTNER;
             s = granular_next_near(after, a, w, p)) {
            after = w.order[s] + 1;
            sum = granular_pair(a, s, sum, &memory, history, w, p);
        }
    }
    sum = granular_surfaces(a, sum, &memory, history, w, p);
    if (history != 0) granular_write_memory(&memory, a.number, w, p);
    return sum;
}

/// The same from a kept list: entries first … last-1, lowest number first.
KERNEL_FN GranularSum granular_listed_force(GranularAsker a, u32 first, u32 last, u32 history, GranularView w,
                                            GranularParams p) {
    GranularSum sum;
    sum.force = make_real3(0.0f, 0.0f, 0.0f);
    sum.torque = make_real3(0.0f, 0.0f, 0.0f);
    GranularMemory memory;
    memory.used = 0;
    for (u32 e = first; e < last; ++e) sum = granular_pair(a, w.near_place[e], sum, &memory, history, w, p);
    sum = granular_surfaces(a, sum, &memory, history, w, p);
    if (history != 0) granular_write_memory(&memory, a.number, w, p);
    return sum;
}
