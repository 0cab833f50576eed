// SPDX-License-Identifier: MIT
// granular_forces.inl — the force stage in lanes.   included by lanes.inl inside its namespace
//
// Three phases for a block of particles that follow each other in the sorted order:
//   1. find     for each particle, lanes over the candidates of its cells: what is near goes into a list
//   2. push     lanes over the list, whichever particles the entries belong to: one force for each entry
//   3. sum      for each particle, the forces of its entries in their order; then planes and obstacles
// The sums run in the order of granular_search.h, so the bits are those of one lane.

/// entries of the list, one array for each word; grows by doubling
struct NearList {
    // own words of the asker, then the force and torque of the entry, then its tangential spring
    enum Word { x, y, z, vx, vy, vz, wx, wy, wz, r, fx, fy, fz, tx, ty, tz, sx, sy, sz, words, own_words = r + 1 };
    f32* data[words] = {};
    u32* other = nullptr; // place of the candidate in the sorted order
    u32* asker = nullptr; // of the particle
    u32* touching = nullptr;
    u32 capacity = 0;
    u32 count = 0;

    NearList() = default;
    NearList(const NearList&) = delete;
    NearList& operator=(const NearList&) = delete;
    ~NearList()
    {
        for (f32* a : data) std::free(a);
        std::free(other);
        std::free(asker);
        std::free(touching);
    }

    static void* grown(void* a, u32 entries)
    {
        void* b = std::realloc(a, (static_cast<std::size_t>(entries) + 2 * SCREE_LANES) * 4);
        if (b == nullptr) std::abort(); // a block's list: kilobytes; nothing could go on without it
        return b;
    }
    void grow(u32 entries)
    {
        capacity = entries > 2 * capacity ? entries : 2 * capacity;
        for (f32*& a : data) a = static_cast<f32*>(grown(a, capacity));
        other = static_cast<u32*>(grown(other, capacity));
        asker = static_cast<u32*>(grown(asker, capacity));
        touching = static_cast<u32*>(grown(touching, capacity));
    }
};

// The search itself. A run holds three or four candidates, so eight lanes at a time are as many as pay. Not inlined: the
// loop wants all registers for itself.

struct Searcher {
    const f32 *px, *py, *pz, *bodies; // the sorted particles
    f32 x, y, z, limit;               // where to look, and how far (squared)
    u32 self, filter;                 // the body to leave out (filter) or the place
};

#if SCREE_LANES >= 8 && defined(__AVX2__)

/// the set lanes of v, moved together
KERNEL_FN void store_set_lanes(u32* out, __m256i v, u32 bits)
{
#if defined(__AVX512VL__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_maskz_compress_epi32(static_cast<__mmask8>(bits), v));
#else
    struct Table {
        u32 lane[256][8] = {};
        constexpr Table()
        {
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

[[gnu::noinline]] u32* find_in_runs(u32* out, const one::GranularRun* run, const one::GranularRun* last, const Searcher& a)
{
    const __m256 x = _mm256_set1_ps(a.x), y = _mm256_set1_ps(a.y), z = _mm256_set1_ps(a.z), limit = _mm256_set1_ps(a.limit);
    const __m256i self = _mm256_set1_epi32(static_cast<i32>(a.self)), body_bits = _mm256_set1_epi32(0x7fffffff);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const f32 *px = a.px, *py = a.py, *pz = a.pz, *bodies = a.bodies;
    const bool filter = a.filter != 0;
    for (; run != last; ++run) {
        const u32 end = run->end;
        for (u32 at = run->begin; at < end; at += 8) {
            const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(px + at), x), dy = _mm256_sub_ps(_mm256_loadu_ps(py + at), y);
            const __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(pz + at), z);
            const __m256 square = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
            const __m256i place = _mm256_add_epi32(_mm256_set1_epi32(static_cast<i32>(at)), lanes);
            const __m256i who = filter ? _mm256_and_si256(_mm256_castps_si256(_mm256_loadu_ps(bodies + at)), body_bits) : place;
            const __m256 other = _mm256_castsi256_ps(_mm256_cmpeq_epi32(who, self));
            const auto near = static_cast<u32>(_mm256_movemask_ps(_mm256_andnot_ps(other, _mm256_cmp_ps(square, limit, _CMP_LT_OQ))));
            const u32 left = end - at;
            const u32 bits = left < 8 ? near & ((1u << left) - 1) : near;
            store_set_lanes(out, place, bits);
            out += __builtin_popcount(bits);
        }
    }
    return out;
}

#else

[[gnu::noinline]] u32* find_in_runs(u32* out, const one::GranularRun* run, const one::GranularRun* last, const Searcher& a)
{
    for (; run != last; ++run) {
        for (u32 at = run->begin; at < run->end; at += SCREE_LANES) {
            const real dx = load(a.px + at) - a.x, dy = load(a.py + at) - a.y, dz = load(a.pz + at) - a.z;
            const real square = (dx * dx + dy * dy) + dz * dz;
            const whole who = a.filter != 0 ? as_whole(load(a.bodies + at)) & 0x7fffffff : lane_index(at);
            u32 bits = mask_bits((square < a.limit) & (who != static_cast<i32>(a.self)));
            const u32 left = run->end - at;
            if (left < SCREE_LANES) bits &= (1u << left) - 1;
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

    KERNEL_MEMBER void find(u32 s, u32 at_key, const one::GranularView& w, const one::GranularParams& p)
    {
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

    [[gnu::noinline]] void slow(one::GranularCell cell, const one::GranularView& w, const one::GranularParams& p)
    {
        count = one::granular_run_count(cell, p);
        for (u32 k = 0; k < count; ++k) {
            runs[k] = one::granular_run(cell, k, count, w, p);
            candidates += runs[k].end - runs[k].begin;
        }
    }
};

/// phase 1: what is near particle s, appended to the list
KERNEL_FN void find_near(u32 s, const RunFinder& finder, u32 body, NearList& list, const one::GranularView& w, const one::GranularParams& p)
{
    const std::size_t stride = p.particle_stride;
    const f32 *px = w.sorted_position, *py = px + stride, *pz = py + stride;
    const f32* v = w.sorted_velocity;
    const u32 first = list.count;
    if (first + finder.candidates > list.capacity) list.grow(first + finder.candidates);
    const Searcher searcher{px, py, pz, v + 3 * stride, px[s], py[s], pz[s], p.search_square, p.same_body_filter != 0 ? body : s, p.same_body_filter};
    list.count = static_cast<u32>(find_in_runs(list.other + first, finder.runs, finder.runs + finder.count, searcher) - list.other);
    // the asker's own words beside each of its entries
    const f32* o = w.body_omega + 4 * static_cast<std::size_t>(body);
    const f32 own[NearList::own_words] = {px[s], py[s], pz[s], v[s], v[stride + s], v[2 * stride + s], o[0], o[1], o[2], px[3 * stride + s]};
    for (u32 at = first; at < list.count; at += SCREE_LANES) {
        for (u32 k = 0; k < NearList::own_words; ++k) store(list.data[k] + at, to_real(own[k]));
        store_whole(list.asker, at, whole_from(s));
    }
}

/// the tangential springs that the entries begin with
KERNEL_FN void recall_springs(NearList& list, const one::GranularView& w, const one::GranularParams& p)
{
    for (u32 e = 0; e < list.count; ++e) {
        const one::real3 spring = one::granular_remembered(w.order[list.asker[e]], w.order[list.other[e]], w, p);
        list.data[NearList::sx][e] = spring.x;
        list.data[NearList::sy][e] = spring.y;
        list.data[NearList::sz][e] = spring.z;
    }
}

/// A deep contact may take its normal from the shapes (granular_unlocked_normal); rare, so lane by lane.
KERNEL_FN real3 unlocked_normals(real3 n, real overlap, real reach, u32 deep, const u32* asker, const u32* other,
                                 const one::GranularView& w, const one::GranularParams& p)
{
    const f32* bodies = w.sorted_velocity + 3 * static_cast<std::size_t>(p.particle_stride);
    for (; deep != 0; deep &= deep - 1) {
        const int l = __builtin_ctz(deep);
        const u32 i = asker[l], j = other[l];
        const u32 body_i = static_cast<u32>(one::as_whole(bodies[i])) & ~GRANULAR_ASLEEP;
        const u32 body_j = static_cast<u32>(one::as_whole(bodies[j])) & ~GRANULAR_ASLEEP;
        const one::real3 turned = one::granular_unlocked_normal({n.x[l], n.y[l], n.z[l]}, overlap[l], reach[l],
                                                                one::granular_outward(w.order[i], body_i, w),
                                                                one::granular_outward(w.order[j], body_j, w));
        n.x[l] = turned.x;
        n.y[l] = turned.y;
        n.z[l] = turned.z;
    }
    return n;
}

/// phase 2: the force of each entry
template <u32 history>
[[gnu::noinline]] void push_entries(NearList& list, const one::GranularView& w, const one::GranularParams& p)
{
    GranularParams q; // the same words under the lanes' own type
    static_assert(sizeof q == sizeof p);
    __builtin_memcpy(&q, &p, sizeof q);
    for (u32 e = 0; e < list.count; e += SCREE_LANES) {
        const u32 left = list.count - e;
        const u32 valid = left < SCREE_LANES ? (1u << left) - 1 : static_cast<u32>((1ull << SCREE_LANES) - 1);
        whole other = load_whole(list.other, e);
        if (left < SCREE_LANES) other = pick_whole(lane_numbers() < static_cast<i32>(left), other, whole{});
        const real4 xj = gather_sorted(w.sorted_position, p.particle_stride, other);
        const real3 r = {xj.x - load(list.data[NearList::x] + e), xj.y - load(list.data[NearList::y] + e),
                         xj.z - load(list.data[NearList::z] + e)};
        const real ri = load(list.data[NearList::r] + e);
        const real rj = xj.w;
        const real distance = root(dot3(r, r));
        const real reach = ri + rj;
        const mask touching = granular_touching(distance, reach, q);
        store_whole(list.touching, e, touching);
        const u32 bits = mask_bits(touching) & valid;
        if (bits == 0) continue;
        const real overlap = reach - distance;
        real tie = to_real(1.0f);
        if (const u32 level = mask_bits(no(distance > 0.0f)) & bits; level != 0)
            for (u32 b = level; b != 0; b &= b - 1) {
                const int l = __builtin_ctz(b);
                tie[l] = w.order[list.asker[e + static_cast<u32>(l)]] < w.order[other[l]] ? 1.0f : -1.0f;
            }
        real3 n = granular_normal(r, distance, tie);
        const real3 vi = {load(list.data[NearList::vx] + e), load(list.data[NearList::vy] + e), load(list.data[NearList::vz] + e)};
        const real4 vj4 = gather_sorted(w.sorted_velocity, p.particle_stride, other);
        const real3 vj = {vj4.x, vj4.y, vj4.z};
        if (p.sleeping != 0) {
            const real3 apart = vi - vj;
            const mask nudged = both(as_whole(vj4.w) < 0, dot3(apart, apart) > p.wake_speed * p.wake_speed);
            for (u32 b = mask_bits(nudged) & bits; b != 0; b &= b - 1)
                raise_flag(w.body_wake, static_cast<u32>(as_whole(vj4.w)[__builtin_ctz(b)]) & ~GRANULAR_ASLEEP);
        }
        if (p.unlock != 0)
            if (const u32 deep = mask_bits(overlap > reach * 0.125f) & bits; deep != 0)
                n = unlocked_normals(n, overlap, reach, deep, list.asker + e, list.other + e, w, p);
        GranularTouch t;
        if (p.model == GRANULAR_LINEAR) {
            t.force = granular_linear_force(n, overlap, vi, vj, q);
            t.torque = {real{}, real{}, real{}};
        } else {
            const real4 turn = gather4(w.body_omega, as_whole(vj4.w) & 0x7fffffff);
            const real3 wj = {turn.x, turn.y, turn.z};
            const real3 wi = {load(list.data[NearList::wx] + e), load(list.data[NearList::wy] + e), load(list.data[NearList::wz] + e)};
            real3 spring = {real{}, real{}, real{}};
            if (history != 0)
                spring = {load(list.data[NearList::sx] + e), load(list.data[NearList::sy] + e), load(list.data[NearList::sz] + e)};
            t = granular_split_force(n, overlap, granular_slip(n, vi, wi, ri, vj, wj, rj), ri, spring, q);
            if (history != 0) {
                store(list.data[NearList::sx] + e, t.spring.x);
                store(list.data[NearList::sy] + e, t.spring.y);
                store(list.data[NearList::sz] + e, t.spring.z);
            }
        }
        store(list.data[NearList::fx] + e, t.force.x);
        store(list.data[NearList::fy] + e, t.force.y);
        store(list.data[NearList::fz] + e, t.force.z);
        store(list.data[NearList::tx] + e, t.torque.x);
        store(list.data[NearList::ty] + e, t.torque.y);
        store(list.data[NearList::tz] + e, t.torque.z);
    }
}

/// planes and obstacles; few particles touch any, so this stays out of the loop's way
[[gnu::noinline]] one::GranularSum add_surfaces(u32 s, one::GranularSum sum, one::GranularMemory* memory, u32 history,
                                                const one::GranularView& w, const one::GranularParams& p)
{
    return one::granular_surfaces(one::granular_sorted_asker(s, w, p), sum, memory, history, w, p);
}

/// phase 3: entries first … last-1 belong to particle s
template <u32 history>
KERNEL_FN void sum_entries(u32 s, u32 first, u32 last, const NearList& list, const one::GranularView& w, const one::GranularParams& p)
{
    one::GranularSum sum{{0, 0, 0}, {0, 0, 0}};
    one::GranularMemory memory;
    memory.used = 0;
    const f32 *fx = list.data[NearList::fx], *fy = list.data[NearList::fy], *fz = list.data[NearList::fz];
    const f32 *tx = list.data[NearList::tx], *ty = list.data[NearList::ty], *tz = list.data[NearList::tz];
    for (u32 e = first; e < last; ++e) {
        if (list.touching[e] == 0) continue;
        sum.force = sum.force + one::real3{fx[e], fy[e], fz[e]};
        sum.torque = sum.torque + one::real3{tx[e], ty[e], tz[e]};
        if (history != 0)
            one::granular_remember(&memory, {list.data[NearList::sx][e], list.data[NearList::sy][e], list.data[NearList::sz][e]},
                                   w.order[list.other[e]], w, p);
    }
    const std::size_t stride = p.particle_stride;
    const f32* x = w.sorted_position + s;
    const f32 radius = x[3 * stride];
    const f32 near_wall = p.world_size * 0.9999f - radius; // a margin: the exact test rounds its own way
    const bool at_plane = (p.ground != 0 && x[stride] - radius < 0) ||
                          (p.walls != 0 && (one::magnitude(x[0]) > near_wall || one::magnitude(x[2 * stride]) > near_wall));
    const u32 number = w.order[s];
    if (at_plane || p.obstacles != 0) sum = add_surfaces(s, sum, &memory, history, w, p);
    if (history != 0) one::granular_write_memory(&memory, number, w, p);
    one::granular_store_force(number, sum, w);
}

/// A sleeping particle: no force, but a driven obstacle may wake it.
template <u32 history>
[[gnu::noinline]] void leave_asleep(u32 s, const one::GranularView& w, const one::GranularParams& p)
{
    one::granular_force_of(one::granular_sorted_asker(s, w, p), 1, history, w, p);
}

template <u32 history>
void granular_forces_of_range(u32 begin, u32 end, const one::GranularView& w, const one::GranularParams& p)
{
    static thread_local NearList list;
    constexpr u32 block = 128;
    u32 first_entry[block + 1];
    const f32* bodies = w.sorted_velocity + 3 * static_cast<std::size_t>(p.particle_stride);
    RunFinder finder;
    for (u32 s0 = begin; s0 < end; s0 += block) {
        const u32 n = end - s0 < block ? end - s0 : block;
        list.count = 0;
        for (u32 k = 0; k < n; ++k) {
            const u32 s = s0 + k;
            first_entry[k] = list.count;
            const u32 bits = static_cast<u32>(one::as_whole(bodies[s]));
            if ((bits & GRANULAR_ASLEEP) != 0) continue;
            // particles of one cell share their runs; outside the reference grid there is no common cell
            const u32 key = w.cell_key[s];
            if (key != finder.key || key == p.cells) finder.find(s, key, w, p);
            find_near(s, finder, bits, list, w, p);
        }
        first_entry[n] = list.count;
        if (history != 0) recall_springs(list, w, p);
        push_entries<history>(list, w, p);
        for (u32 k = 0; k < n; ++k) {
            const u32 s = s0 + k;
            if ((static_cast<u32>(one::as_whole(bodies[s])) & GRANULAR_ASLEEP) != 0)
                leave_asleep<history>(s, w, p);
            else
                sum_entries<history>(s, first_entry[k], first_entry[k + 1], list, w, p);
        }
    }
}
