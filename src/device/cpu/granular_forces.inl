// SPDX-License-Identifier: MIT
// granular_forces.inl — neighbours and forces in lanes.   included by lanes.inl inside its namespace
//
// find     for each particle, lanes over the candidates of its cells: what is near, lowest number first
// push     lanes over particles that follow each other in the sorted order, in step through their neighbours
// The neighbours are this block's own, or come from lists kept over several steps (near_start, near_place). The sums run in
// the order of granular_search.h, so the bits are those of one lane.

/// places of near particles; grows by doubling
struct NearList {
    u32* place = nullptr;
    u32 capacity = 0;

    NearList() = default;
    NearList(const NearList&) = delete;
    NearList& operator=(const NearList&) = delete;
    ~NearList() { std::free(place); }

    [[gnu::noinline]] void grow(u32 entries) {
        capacity = entries > 2 * capacity ? entries : 2 * capacity;
        // lanes store beyond the last entry
        void* grown = std::realloc(place, (static_cast<std::size_t>(capacity) + 2 * SCREE_LANES) * 4);
        if (grown == nullptr) std::abort(); // a block's list: kilobytes; nothing could go on without it
        place = static_cast<u32*>(grown);
    }
};

// The search itself. A run holds three or four candidates, so eight lanes at a time are as many as pay. Not inlined: the
// loop wants all registers for itself.

#if SCREE_LANES >= 8 && defined(__AVX2__)

/// the set lanes of v, moved together
KERNEL_FN void store_set_lanes(u32* out, __m256i v, u32 bits) {
#if defined(__AVX512VL__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_maskz_compress_epi32(static_cast<__mmask8>(bits), v));
#else
    struct Table {
        u32 lane[256][8] = {};
        constexpr Table() {
            for (u32 b = 0; b < 256; ++b)
                for (u32 l = 0, n = 0; l < 8; ++l)
                    if ((b >> l & 1) != 0) lane[b][n++] = l;
        }
    };
    static constexpr Table table;
    const __m256i order = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table.lane[bits]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(v, order));
#endif
}

[[gnu::noinline]] u32* find_in_runs(u32* out, const one::GranularRun* run, const one::GranularRun* last,
                                    const f32* positions, u32 s, f32 reach) {
    const f32* own = positions + 4 * static_cast<std::size_t>(s);
    const __m256 x = _mm256_set1_ps(own[0]), y = _mm256_set1_ps(own[1]), z = _mm256_set1_ps(own[2]),
                 limit = _mm256_set1_ps(reach);
    const __m256i lanes =
        _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7); // the order in which unpacking leaves them
    for (; run != last; ++run) {
        const u32 end = run->end;
        for (u32 at = run->begin; at < end; at += 8) {
            const f32* from = positions + 4 * static_cast<std::size_t>(at);
            const __m256 a = _mm256_loadu_ps(from), b = _mm256_loadu_ps(from + 8),
                         c = _mm256_loadu_ps(from + 16), d = _mm256_loadu_ps(from + 24);
            const __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
            const __m256 dx = _mm256_sub_ps(_mm256_shuffle_ps(ab, cd, 0x44), x),
                         dy = _mm256_sub_ps(_mm256_shuffle_ps(ab, cd, 0xee), y);
            const __m256 dz =
                _mm256_sub_ps(_mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44), z);
            const __m256 square = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)),
                                                _mm256_mul_ps(dz, dz));
            const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<i32>(end - at)), lanes);
            const __m256 near =
                _mm256_and_ps(_mm256_castsi256_ps(there), _mm256_cmp_ps(square, limit, _CMP_LT_OQ));
            const auto bits = static_cast<u32>(_mm256_movemask_ps(near));
            store_set_lanes(out, _mm256_add_epi32(_mm256_set1_epi32(static_cast<i32>(at)), lanes), bits);
            out += __builtin_popcount(bits);
        }
    }
    return out;
}

#else

[[gnu::noinline]] u32* find_in_runs(u32* out, const one::GranularRun* run, const one::GranularRun* last,
                                    const f32* positions, u32 s, f32 reach) {
    const one::real4 own = one::load4(positions, s);
    for (; run != last; ++run) {
        for (u32 at = run->begin; at < run->end; at += SCREE_LANES) {
            const real4 x = load4(positions, at);
            const real3 r = {x.x - own.x, x.y - own.y, x.z - own.z};
            u32 bits = mask_bits(both(dot3(r, r) < reach, lane_numbers() < static_cast<i32>(run->end - at)));
            for (; bits != 0; bits &= bits - 1) *out++ = at + static_cast<u32>(__builtin_ctz(bits));
        }
    }
    return out;
}

#endif

/// The runs of the cells around a key. Keys come in order, so the nine rows stay the same for a whole row of cells.
struct RunFinder {
    u32 key = GRANULAR_NO_PARTNER;
    u32 row_begin = 1, row_end = 0; // keys of the row of cells that `rows` belongs to
    u32 rows[9] = {};
    one::GranularRun runs[27] = {};
    u32 count = 0, candidates = 0;

    KERNEL_MEMBER void find(u32 s, u32 at_key, const one::GranularView& w, const one::GranularParams& p) {
        key = at_key;
        candidates = 0;
        if (p.reference != 0 || p.brute != 0) {
            slow(one::granular_search_cell(one::granular_sorted_asker(s, w, p).x, p), w, p);
            return;
        }
        if (key < row_begin || key >= row_end) {
            const u32 row = key / p.grid_z;
            row_begin = row * p.grid_z;
            row_end = row_begin + p.grid_z;
            const u32 x = row / p.grid_y, y = row - x * p.grid_y;
            const u32 xs[3] = {x == 0 ? p.grid_x - 1 : x - 1, x, x + 1 == p.grid_x ? 0 : x + 1};
            const u32 ys[3] = {y == 0 ? p.grid_y - 1 : y - 1, y, y + 1 == p.grid_y ? 0 : y + 1};
            for (u32 k = 0; k < 9; ++k) rows[k] = (xs[k / 3] * p.grid_y + ys[k % 3]) * p.grid_z;
        }
        const u32 z = key - row_begin;
        if (z == 0 || z == p.grid_z - 1) {
            const u32 row = key / p.grid_z, x = row / p.grid_y;
            slow({static_cast<i32>(x), static_cast<i32>(row - x * p.grid_y), static_cast<i32>(z)}, w, p);
            return;
        }
        count = 9;
        for (u32 k = 0; k < 9; ++k) {
            runs[k] = {w.cell_start[rows[k] + z - 1], w.cell_start[rows[k] + z + 2]};
            candidates += runs[k].end - runs[k].begin;
        }
    }

    [[gnu::noinline]] void slow(one::GranularCell cell, const one::GranularView& w,
                                const one::GranularParams& p) {
        count = one::granular_run_count(cell, p);
        for (u32 k = 0; k < count; ++k) {
            runs[k] = one::granular_run(cell, k, count, w, p);
            candidates += runs[k].end - runs[k].begin;
        }
    }
};

KERNEL_FN u32 body_at(u32 place, const one::GranularView& w) {
    return static_cast<u32>(one::as_whole(w.sorted_velocity[4 * static_cast<std::size_t>(place) + 3])) &
           ~GRANULAR_ASLEEP;
}

/// what is near the particle at place s, behind the first `used` entries of the list; returns how many are used then
KERNEL_FN u32 find_near(u32 s, RunFinder& finder, NearList& list, u32 used, const one::GranularView& w,
                        const one::GranularParams& p) {
    const u32 body = body_at(s, w);
    // particles of one cell share their runs; outside the reference grid there is no common cell
    const u32 key = w.cell_key[s];
    if (key != finder.key || key == p.cells) finder.find(s, key, w, p);
    if (used + finder.candidates > list.capacity) list.grow(used + finder.candidates);
    u32* first = list.place + used;
    const u32* found =
        find_in_runs(first, finder.runs, finder.runs + finder.count, w.sorted_position, s, p.search_square);
    // without itself and its own body, lowest number first; about seven of them
    u32* last = first;
    for (const u32* a = first; a < found; ++a) {
        const u32 place = *a, number = w.order[place];
        if (place == s || (p.same_body_filter != 0 && body_at(place, w) == body)) continue;
        u32* at = last++;
        for (; at > first && w.order[at[-1]] > number; --at) *at = at[-1];
        *at = place;
    }
    return static_cast<u32>(last - list.place);
}

/// A deep contact may take its normal from the shapes (granular_unlocked_normal); rare, so lane by lane.
[[gnu::noinline]] void unlock_normals(real3& n, real overlap, real reach, u32 deep, u32 s, const i32* other,
                                      const one::GranularView& w) {
    for (; deep != 0; deep &= deep - 1) {
        const int l = __builtin_ctz(deep);
        const u32 i = s + static_cast<u32>(l), j = static_cast<u32>(other[l]);
        const one::real3 turned =
            one::granular_unlocked_normal({n.x[l], n.y[l], n.z[l]}, overlap[l], reach[l],
                                          one::granular_outward(w.order[i], body_at(i, w), w),
                                          one::granular_outward(w.order[j], body_at(j, w), w));
        n.x[l] = turned.x;
        n.y[l] = turned.y;
        n.z[l] = turned.z;
    }
}

/// planes and obstacles; few particles touch any, so this stays out of the loop's way
[[gnu::noinline]] one::GranularSum add_surfaces(u32 s, one::GranularSum sum, one::GranularMemory* memory,
                                                u32 history, const one::GranularView& w,
                                                const one::GranularParams& p) {
    return one::granular_surfaces(one::granular_sorted_asker(s, w, p), sum, memory, history, w, p);
}

/// The forces on the particles at places s … s + lanes - 1, of which `count` are there. Lane l's neighbours are
/// near[first[l]] … near[first[l + 1] - 1].
template <u32 history>
[[gnu::noinline]] void push_group(u32 s, u32 count, const u32* first, const u32* near,
                                  const one::GranularView& w, const one::GranularParams& p) {
    GranularParams q; // the same words under the lanes' own type
    static_assert(sizeof q == sizeof p);
    __builtin_memcpy(&q, &p, sizeof q);
    const real4 x = load4(w.sorted_position, s);
    const real4 v = load4(w.sorted_velocity, s);
    const real3 vi = {v.x, v.y, v.z};
    const mask there = lane_numbers() < static_cast<i32>(count);
    const mask awake = both(there, as_whole(v.w) >= 0);
    const bool spinning = p.model != GRANULAR_LINEAR;
    real3 wi = {real{}, real{}, real{}};
    if (spinning) {
        const real4 turn = gather4(w.body_omega, pick_whole(there, as_whole(v.w) & 0x7fffffff, whole{}));
        wi = {turn.x, turn.y, turn.z};
    }
    const whole length = pick_whole(awake, load_whole(first, 1) - load_whole(first, 0), whole{});
    alignas(64) i32 lengths[SCREE_LANES], other[SCREE_LANES];
    __builtin_memcpy(lengths, &length, sizeof lengths);
    real3 force = {real{}, real{}, real{}}, torque = force;
    one::GranularMemory memory[history != 0 ? SCREE_LANES : 1];
    for (one::GranularMemory& m : memory) m.used = 0;

    const i32 most = largest_lane(length);
    for (i32 k = 0; k < most; ++k) {
        const mask active = k < length;
        for (u32 l = 0; l < SCREE_LANES; ++l)
            other[l] =
                k < lengths[l] ? static_cast<i32>(near[first[l] + static_cast<u32>(k)]) : static_cast<i32>(s);
        const real4 xj = gather4_at(w.sorted_position, other);
        const real3 r = {xj.x - x.x, xj.y - x.y, xj.z - x.z};
        const real distance = root(dot3(r, r));
        const real reach = x.w + xj.w;
        const mask touching = both(active, granular_touching(distance, reach, q));
        const u32 bits = mask_bits(touching);
        if (bits == 0) continue;
        const real overlap = reach - distance;
        real tie = to_real(1.0f);
        for (u32 b = mask_bits(no(distance > 0.0f)) & bits; b != 0; b &= b - 1) {
            const int l = __builtin_ctz(b);
            tie[l] = w.order[s + static_cast<u32>(l)] < w.order[other[l]] ? 1.0f : -1.0f;
        }
        real3 n = granular_normal(r, distance, tie);
        const real4 vj4 = gather4_at(w.sorted_velocity, other);
        const real3 vj = {vj4.x, vj4.y, vj4.z};
        if (p.sleeping != 0) {
            const real3 apart = vi - vj;
            const mask nudged = both(as_whole(vj4.w) < 0, dot3(apart, apart) > p.wake_speed * p.wake_speed);
            for (u32 b = mask_bits(nudged) & bits; b != 0; b &= b - 1)
                raise_flag(w.body_wake,
                           static_cast<u32>(as_whole(vj4.w)[__builtin_ctz(b)]) & ~GRANULAR_ASLEEP);
        }
        if (p.unlock != 0)
            if (const u32 deep = mask_bits(overlap > reach * 0.125f) & bits; deep != 0)
                unlock_normals(n, overlap, reach, deep, s, other, w);
        if (!spinning) {
            force = pick3(touching, force + granular_linear_force(n, overlap, vi, vj, q), force);
            continue;
        }
        const real4 turn = gather4(w.body_omega, as_whole(vj4.w) & 0x7fffffff);
        real3 spring = {real{}, real{}, real{}};
        if (history != 0)
            for (u32 b = bits; b != 0; b &= b - 1) {
                const int l = __builtin_ctz(b);
                const one::real3 kept =
                    one::granular_remembered(w.order[s + static_cast<u32>(l)], w.order[other[l]], w, p);
                spring.x[l] = kept.x;
                spring.y[l] = kept.y;
                spring.z[l] = kept.z;
            }
        const GranularTouch t = granular_split_force(
            n, overlap, granular_slip(n, vi, wi, x.w, vj, {turn.x, turn.y, turn.z}, xj.w), x.w, spring, q);
        force = pick3(touching, force + t.force, force);
        torque = pick3(touching, torque + t.torque, torque);
        if (history != 0)
            for (u32 b = bits; b != 0; b &= b - 1) {
                const int l = __builtin_ctz(b);
                one::granular_remember(&memory[l], {t.spring.x[l], t.spring.y[l], t.spring.z[l]},
                                       w.order[other[l]], w, p);
            }
    }

    // ground and walls are tested with a margin, because the exact tests round their own way
    const real near_wall = p.world_size * 0.9999f - x.w;
    mask at_plane = both(truth(p.ground != 0), x.y - x.w < 0.0f);
    at_plane = either(
        at_plane, both(truth(p.walls != 0), either(magnitude(x.x) > near_wall, magnitude(x.z) > near_wall)));
    const u32 surfaces = p.obstacles != 0 ? mask_bits(awake) : mask_bits(both(awake, at_plane));
    const u32 sleepers = mask_bits(both(there, no(awake)));
    for (u32 l = 0; l < count; ++l) {
        one::GranularSum sum{{force.x[l], force.y[l], force.z[l]}, {torque.x[l], torque.y[l], torque.z[l]}};
        one::GranularMemory* own = &memory[history != 0 ? l : 0];
        if ((surfaces >> l & 1) != 0) sum = add_surfaces(s + l, sum, own, history, w, p);
        if ((sleepers >> l & 1) != 0) one::granular_sleeper(one::granular_sorted_asker(s + l, w, p), w, p);
        else if (history != 0) one::granular_write_memory(own, w.order[s + l], w, p);
        one::granular_store_force(w.order[s + l], sum, w);
    }
}

/// forces, neighbours searched anew
template <u32 history>
void forces_of_range(u32 begin, u32 end, const one::GranularView& w, const one::GranularParams& p) {
    static thread_local NearList list;
    constexpr u32 block = 64;
    u32 first[block + 1 + SCREE_LANES] = {};
    RunFinder finder;
    for (u32 s = begin; s < end; s += block) {
        const u32 n = end - s < block ? end - s : block;
        u32 used = 0;
        for (u32 k = 0; k < n; ++k) {
            first[k] = used;
            if (one::as_whole(w.sorted_velocity[4 * static_cast<std::size_t>(s + k) + 3]) >= 0)
                used = find_near(s + k, finder, list, used, w, p);
        }
        first[n] = used;
        if (list.place == nullptr) list.grow(SCREE_LANES);
        for (u32 k = 0; k < n; k += SCREE_LANES)
            push_group<history>(s + k, n - k < SCREE_LANES ? n - k : SCREE_LANES, first + k, list.place, w,
                                p);
    }
}

/// forces from kept lists
template <u32 history>
void listed_forces_of_range(u32 begin, u32 end, const one::GranularView& w, const one::GranularParams& p) {
    for (u32 s = begin; s < end; s += SCREE_LANES)
        push_group<history>(s, end - s < SCREE_LANES ? end - s : SCREE_LANES, w.near_start + s, w.near_place,
                            w, p);
}

void near_count_of_range(u32 begin, u32 end, const one::GranularView& w, const one::GranularParams& p) {
    static thread_local NearList list;
    RunFinder finder;
    for (u32 s = begin; s < end; ++s) w.near_start[s] = find_near(s, finder, list, 0, w, p);
}

void near_fill_of_range(u32 begin, u32 end, const one::GranularView& w, const one::GranularParams& p) {
    static thread_local NearList list;
    RunFinder finder;
    for (u32 s = begin; s < end; ++s) {
        const u32 n = find_near(s, finder, list, 0, w, p);
        if (n != 0) __builtin_memcpy(w.near_place + w.near_start[s], list.place, std::size_t{n} * 4);
    }
}
