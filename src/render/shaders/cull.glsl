// SPDX-License-Identifier: MIT
// cull.glsl — which records are seen, at which level of detail, and the draws of them (gpu_culling.h).
//
// A job is a view of an item; a group decides 128 of its records. A key is a record's level, its distance in bins, and whether it stands at an
// odd place: the order of the CPU (culling.h), and within a key as they are listed, so that pictures do not depend on which group
// was first. COUNT: how many of each group have a key; SUM: of the groups before it; SCAN: of the keys before it, and the commands of the
// draws; PLACE: the record numbers. BOUNDS: of each item.
//
// A job may leave out what is hidden, in two turns: FIRST has the records that were not hidden in the last frame. From their depths DEPTHS
// makes cells with the farthest of 2, 8 and 32 pixels squared, and SECOND has the records that were hidden and are not behind those cells. It
// also notes who is hidden now. Nothing that is seen is missed, whatever moved.
#if defined(DEPTHS) || defined(DEPTHS_OF_SAMPLES)
#include "frame.glsl"
#endif

uniform sampler2D pose_positions, records;

struct Job {
    vec4 planes[6];
    vec4 eye;
    float beyond[8];
    uint first_listed, count, first_group, groups;
    uint levels, plane_count, first_out, stride;
    uint first_command, commands, casters, result;
    uvec4 level_for;     // casters: the command for few, many and very many of them
    uint bins;
    float nearest, bin_scale;
    uint keys, first_key, first_count, unused0, unused1;
    uvec4 triangles[8];  // first index, indices; first index of a cluster, its indices
    uvec4 lines[8];      // first index, indices
    vec4 rows[4];        // of the matrix to clip space
    vec4 screen;         // size in pixels; how far a mesh may reach beyond its record, m
    uint turn, first_hidden, first_cell, unused2;
};
layout(std430, binding = 0) readonly buffer Jobs {
    uvec4 head;  // jobs
    Job jobs[];
};
layout(std430, binding = 1) readonly buffer Listed { uint listed[]; };
layout(std430, binding = 2) readonly buffer Sizes { vec2 sizes[]; };  // by record: reach, extent
layout(std430, binding = 3) buffer Counts { uint counts[]; };         // by job, key and group
layout(std430, binding = 4) writeonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Commands { uint commands[]; };
layout(std430, binding = 6) buffer Results { uint results[]; };
layout(std430, binding = 7) buffer Totals { uint totals[]; };  // by key
layout(std430, binding = 8) buffer Shown { uint shown[]; };    // by view and record: whether it was not hidden
layout(std430, binding = 9) buffer Cells { float cells[]; };   // the farthest depth of each

#if defined(SCAN) || defined(SUM) || defined(DEPTHS) || defined(DEPTHS_OF_SAMPLES)
layout(local_size_x = 256) in;
#else
layout(local_size_x = 128) in;
#endif

const uint UNSEEN = 0xffffffffu;
const uint CLUSTER = 16u;
const uint FIRST = 1u, SECOND = 2u;  // turns

uint group_number() { return gl_WorkGroupID.y * 32768u + gl_WorkGroupID.x; }

// where cells of 2, 8 or 32 pixels begin, behind those of the levels before; columns
uvec2 cells_of(uint first, uvec2 size, int level) {
    uvec2 two = (size + 1u) / 2u, eight = (size + 7u) / 8u;
    if (level == 0) return uvec2(first, two.x);
    first += two.x * two.y;
    if (level == 1) return uvec2(first, eight.x);
    return uvec2(first + eight.x * eight.y, (size.x + 31u) / 32u);
}

// the last job that begins at or before this group
uint job_of(uint group) {
    uint low = 0u, high = head.x;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (jobs[middle].first_group <= group) low = middle;
        else high = middle;
    }
    return low;
}

struct Seen {
    uint record;
    vec3 place;
    float reach, extent;
};

Seen look(uint record) {
    vec4 two = texelFetch(records, ivec2(record % 2048u / 2u, record / 2048u), 0);
    int pose = int((record & 1u) == 0u ? two.x : two.z);
    vec4 at = texelFetch(pose_positions, ivec2(pose % 1024, pose / 1024), 0);
    vec2 size = sizes[record];
    precise float scale = 1.0 + at.w;  // of the renderer's own poses; others have 0
    return Seen(record, at.xyz, size.x * scale, size.y * scale);
}

#if defined(COUNT) || defined(PLACE)
// or UNSEEN; the same arithmetic as in culling.cpp
uint key_of(uint job, Seen seen, uint place) {
    for (uint i = 0u; i < jobs[job].plane_count; ++i) {
        vec4 p = jobs[job].planes[i];
        precise float height = p.x * seen.place.x + p.y * seen.place.y + p.z * seen.place.z + p.w;
        if (height < -seen.reach) return UNSEEN;
    }
    if (jobs[job].casters != 0u) return 0u;
    vec3 eye = jobs[job].eye.xyz;
    precise float x = seen.place.x - eye.x, y = seen.place.y - eye.y, z = seen.place.z - eye.z;
    precise float away = sqrt(x * x + y * y + z * z), gap = away - seen.reach, nearest = gap > 0.0 ? gap : 0.0;
    precise float square = nearest * nearest, step = (away - jobs[job].nearest) * jobs[job].bin_scale;
    uint level = 0u;
    for (uint l = 1u; l < jobs[job].levels; ++l) {
        precise float limit = jobs[job].beyond[l] * seen.extent * seen.extent;
        if (square > limit) ++level;
    }
    float top = float(jobs[job].bins - 1u);
    step = step > 0.0 ? step : 0.0;
    uint bin = uint(step < top ? step : top);
    return (level * jobs[job].bins + bin) * 2u + (place & 1u);
}

// whether all pixels that it may cover show something nearer
bool hidden(uint job, Seen seen) {
    vec4 screen = jobs[job].screen;
    vec4 x = jobs[job].rows[0], y = jobs[job].rows[1], z = jobs[job].rows[2], w = jobs[job].rows[3];
    vec4 at = vec4(seen.place, 1.0);
    vec2 centre = vec2(dot(x, at), dot(y, at)), scale = vec2(length(x.xyz), length(y.xyz));
    float away = dot(w, at), pixel = 2.0 * max(away, 0.0) / min(scale.x * screen.x, scale.y * screen.y);
    // points are never smaller than a pixel
    float reach = max(1.02 * seen.reach + screen.z + 0.25 * pixel, 0.75 * pixel);
    float nearest = away - length(w.xyz) * reach, farthest = away + length(w.xyz) * reach;
    if (!(nearest > 0.0)) return false;
    float depth = (dot(z, at) - length(z.xyz) * reach) / nearest * 0.5 + 0.5 - 4e-7;
    vec2 low = centre - scale * reach, high = centre + scale * reach;
    low /= mix(vec2(nearest), vec2(farthest), greaterThan(low, vec2(0.0)));
    high /= mix(vec2(farthest), vec2(nearest), greaterThan(high, vec2(0.0)));
    vec2 last = screen.xy - 1.0;
    ivec2 from = ivec2(clamp(floor((low * 0.5 + 0.5) * screen.xy), vec2(0.0), last));
    ivec2 to = ivec2(clamp(floor((high * 0.5 + 0.5) * screen.xy), vec2(0.0), last));
    int span = max(to.x - from.x, to.y - from.y);
    if (span >= 512) return false;
    int level = span < 8 ? 0 : span < 32 ? 1 : 2, side = 1 << (2 * level + 1);
    uvec2 row = cells_of(jobs[job].first_cell, uvec2(screen.xy), level);
    from /= side;
    to /= side;
    for (int j = from.y; j <= to.y; ++j)
        for (int i = from.x; i <= to.x; ++i)
            if (!(cells[row.x + uint(j) * row.y + uint(i)] < depth)) return false;
    return true;
}

// key and record. What is in the view and not this job's to draw has the last key, which is counted only.
uvec2 decide(uint job, uint group, out bool now) {
    now = false;
    uint place = (group - jobs[job].first_group) * 128u + gl_LocalInvocationIndex;
    if (place >= jobs[job].count) return uvec2(UNSEEN, 0u);
    Seen seen = look(listed[jobs[job].first_listed + place]);
    uint key = key_of(job, seen, place), turn = jobs[job].turn;
    if (key != UNSEEN && turn != 0u) {
        bool before = shown[jobs[job].first_hidden + seen.record] != 0u;
        now = turn == FIRST || !hidden(job, seen);
        if (turn == FIRST ? !before : before || !now) key = jobs[job].keys - 1u;
    }
    return uvec2(key, seen.record);
}
#endif

#ifdef COUNT
shared uint numbers[1025];

void main() {
    uint group = group_number();
    if (group >= head.y) return;
    uint job = job_of(group), local = gl_LocalInvocationIndex, keys = jobs[job].keys;
    for (uint key = local; key < keys; key += 128u) numbers[key] = 0u;
    barrier();
    bool now;
    uvec2 found = decide(job, group, now);
    if (found.x != UNSEEN) atomicAdd(numbers[found.x], 1u);
    barrier();
    uint at = jobs[job].first_count + group - jobs[job].first_group;
    for (uint key = local; key < keys; key += 128u) counts[at + key * jobs[job].groups] = numbers[key];
}
#endif

#ifdef PLACE
shared uint keys_of[128];

void main() {
    uint group = group_number();
    if (group >= head.y) return;
    uint job = job_of(group), local = gl_LocalInvocationIndex;
    bool now;
    uvec2 found = decide(job, group, now);
    keys_of[local] = found.x;
    barrier();
    uint place = (group - jobs[job].first_group) * 128u + local, turn = jobs[job].turn;
    if (turn == SECOND && place < jobs[job].count)
        shown[jobs[job].first_hidden + listed[jobs[job].first_listed + place]] = now ? 1u : 0u;
    if (found.x == UNSEEN || (turn != 0u && found.x == jobs[job].keys - 1u)) return;
    uint rank = totals[jobs[job].first_key + found.x] +
                counts[jobs[job].first_count + found.x * jobs[job].groups + group - jobs[job].first_group];
    for (uint other = 0u; other < local; ++other) rank += keys_of[other] == found.x ? 1u : 0u;
    uint level = jobs[job].casters != 0u ? 0u : found.x / (2u * jobs[job].bins);
    ids[jobs[job].first_out + level * jobs[job].stride + rank] = found.y;
}
#endif

#ifdef SUM
shared uint sums[256];

void main() {
    uint number = group_number(), local = gl_LocalInvocationIndex;
    uint low = 0u, high = head.x;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (jobs[middle].first_key <= number) low = middle;
        else high = middle;
    }
    uint key = number - jobs[low].first_key, groups = jobs[low].groups;
    if (key >= jobs[low].keys) return;
    uint first = jobs[low].first_count + key * groups, before = 0u;
    for (uint block = 0u; block < groups; block += 256u) {
        bool inside = block + local < groups;
        uint own = inside ? counts[first + block + local] : 0u, sum = own;
        sums[local] = sum;
        barrier();
        for (uint step = 1u; step < 256u; step *= 2u) {
            uint more = local >= step ? sums[local - step] : 0u;
            barrier();
            sum += more;
            sums[local] = sum;
            barrier();
        }
        if (inside) counts[first + block + local] = before + sum - own;
        before += sums[255];
        barrier();
    }
    if (local == 0u) totals[number] = before;
}
#endif

#ifdef SCAN
shared uint sums[1025];
shared uint level_totals[8];

void put(uint at, uint indices, uint instances, uint first, uint first_instance) {
    commands[at] = indices;
    commands[at + 1u] = instances;
    commands[at + 2u] = first;
    commands[at + 3u] = 0u;
    commands[at + 4u] = first_instance;
}

// clusters and what is left of them, or all one by one; and the edges
void put_commands(uint slot, uvec4 triangles, uvec4 lines, uint count) {
    uint at = slot * 15u;
    if (triangles.w > 0u) {
        uint whole = count / CLUSTER, rest = count % CLUSTER;
        put(at, triangles.w, whole, triangles.z, 0u);
        put(at + 5u, rest * (triangles.w / CLUSTER), rest > 0u ? 1u : 0u, triangles.z, whole);
    } else {
        put(at, triangles.y, count, triangles.x, 0u);
        put(at + 5u, 0u, 0u, 0u, 0u);
    }
    put(at + 10u, lines.y, count, lines.x, 0u);
}

void main() {
    uint job = group_number(), local = gl_LocalInvocationIndex;
    if (job >= head.x) return;
    uint keys = jobs[job].keys, first = jobs[job].first_key, each = keys / jobs[job].levels;
    uint hidden = 0u;
    for (uint key = local; key < keys; key += 256u) sums[key] = totals[first + key];
    barrier();
    if (jobs[job].turn != 0u) {
        hidden = sums[keys - 1u];
        each = (keys - 1u) / jobs[job].levels;
    }
    if (local < jobs[job].levels) {
        uint sum = 0u;
        for (uint key = local * each; key < (local + 1u) * each; ++key) {
            uint own = sums[key];
            sums[key] = sum;
            sum += own;
        }
        level_totals[local] = sum;
    }
    barrier();
    for (uint key = local; key < keys; key += 256u) totals[first + key] = sums[key];
    barrier();
    uint all = hidden;
    for (uint level = 0u; level < jobs[job].levels; ++level) all += level_totals[level];
    if (local == 0u && jobs[job].result != UNSEEN) results[jobs[job].result] = all;
    if (local >= jobs[job].commands) return;
    uint count = level_totals[min(local, jobs[job].levels - 1u)];
    if (jobs[job].casters != 0u) {
        uint chosen = all > 20000u ? jobs[job].level_for.z : all > 2000u ? jobs[job].level_for.y : jobs[job].level_for.x;
        count = chosen == local ? all - hidden : 0u;
    }
    put_commands(jobs[job].first_command + local, jobs[job].triangles[local], jobs[job].lines[local], count);
}
#endif

#ifdef BOUNDS
shared uint lowest[3], highest[3];

// floats as words in the same order
uint ordered(float value) {
    uint word = floatBitsToUint(value);
    return (word & 0x80000000u) != 0u ? ~word : word | 0x80000000u;
}

void main() {
    uint group = group_number(), local = gl_LocalInvocationIndex;
    if (group >= head.y) return;
    uint job = job_of(group), place = (group - jobs[job].first_group) * 128u + local;
    if (local < 3u) {
        lowest[local] = 0xffffffffu;
        highest[local] = 0u;
    }
    barrier();
    if (place < jobs[job].count) {
        Seen seen = look(listed[jobs[job].first_listed + place]);
        precise vec3 low = seen.place - seen.reach, high = seen.place + seen.reach;
        for (int i = 0; i < 3; ++i) {
            // what is no number bounds nothing
            if (low[i] < 1e30) atomicMin(lowest[i], ordered(low[i]));
            if (high[i] > -1e30) atomicMax(highest[i], ordered(high[i]));
        }
    }
    barrier();
    if (local < 3u) {
        atomicMin(results[jobs[job].result + local], lowest[local]);
        atomicMax(results[jobs[job].result + 4u + local], highest[local]);
    }
}
#endif

#if defined(DEPTHS) || defined(DEPTHS_OF_SAMPLES)
#ifdef DEPTHS
uniform sampler2D hiding_depths;
float farthest(ivec2 pixel) { return texelFetch(hiding_depths, pixel, 0).r; }
#else
uniform sampler2DMS hiding_depths;
float farthest(ivec2 pixel) {
    float most = 0.0;
    for (int i = 0; i < textureSamples(hiding_depths); ++i) most = max(most, texelFetch(hiding_depths, pixel, i).r);
    return most;
}
#endif
shared float twos[256], eights[16];

// a group has 32 x 32 pixels of the window
void main() {
    ivec4 window = ivec4(draw.window);  // x, y, width, height
    uvec2 size = uvec2(window.zw);
    uint first = uint(draw.extra.x), columns = (size.x + 31u) / 32u, local = gl_LocalInvocationIndex;
    uvec2 tile = uvec2(group_number() % columns, group_number() / columns), own = uvec2(local % 16u, local / 16u);
    if (tile.y * 32u >= size.y) return;
    uvec2 two = tile * 16u + own;
    float most = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 pixel = ivec2(two) * 2 + ivec2(i & 1, i >> 1);
        if (pixel.x < window.z && pixel.y < window.w) most = max(most, farthest(window.xy + pixel));
    }
    uvec2 row = cells_of(first, size, 0);
    if (two.x * 2u < size.x && two.y * 2u < size.y) cells[row.x + two.y * row.y + two.x] = most;
    twos[local] = most;
    barrier();
    if (local < 16u) {
        uvec2 within = uvec2(local % 4u, local / 4u), eight = tile * 4u + within;
        most = 0.0;
        for (uint i = 0u; i < 16u; ++i) most = max(most, twos[(within.y * 4u + i / 4u) * 16u + within.x * 4u + i % 4u]);
        row = cells_of(first, size, 1);
        if (eight.x * 8u < size.x && eight.y * 8u < size.y) cells[row.x + eight.y * row.y + eight.x] = most;
        eights[local] = most;
    }
    barrier();
    if (local == 0u) {
        most = 0.0;
        for (uint i = 0u; i < 16u; ++i) most = max(most, eights[i]);
        row = cells_of(first, size, 2);
        cells[row.x + tile.y * row.y + tile.x] = most;
    }
}
#endif
