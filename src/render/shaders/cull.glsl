// SPDX-License-Identifier: MIT
// cull.glsl — which records are seen, at which level of detail, and the draws of them (gpu_culling.h).
//
// A job is a view of an item; a group decides 128 of its records. A key is a record's level, its distance in bins, and whether it stands at an
// odd place: the order of the CPU (culling.h), and within a key as they are listed, so that pictures do not depend on which group
// was first. COUNT: how many of each group have a key; SUM: of the groups before it; SCAN: of the keys before it, and the commands of the
// draws; PLACE: the record numbers. BOUNDS: of each item.

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

#if defined(SCAN) || defined(SUM)
layout(local_size_x = 256) in;
#else
layout(local_size_x = 128) in;
#endif

const uint UNSEEN = 0xffffffffu;
const uint CLUSTER = 16u;

uint group_number() { return gl_WorkGroupID.y * 32768u + gl_WorkGroupID.x; }

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

// key and record
uvec2 decide(uint job, uint group) {
    uint place = (group - jobs[job].first_group) * 128u + gl_LocalInvocationIndex;
    if (place >= jobs[job].count) return uvec2(UNSEEN, 0u);
    Seen seen = look(listed[jobs[job].first_listed + place]);
    return uvec2(key_of(job, seen, place), seen.record);
}
#endif

#ifdef COUNT
shared uint numbers[1024];

void main() {
    uint group = group_number();
    if (group >= head.y) return;
    uint job = job_of(group), local = gl_LocalInvocationIndex, keys = jobs[job].keys;
    for (uint key = local; key < keys; key += 128u) numbers[key] = 0u;
    barrier();
    uvec2 found = decide(job, group);
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
    uvec2 found = decide(job, group);
    keys_of[local] = found.x;
    barrier();
    if (found.x == UNSEEN) return;
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
shared uint sums[1024];
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
    for (uint key = local; key < keys; key += 256u) sums[key] = totals[first + key];
    barrier();
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
    uint all = 0u;
    for (uint level = 0u; level < jobs[job].levels; ++level) all += level_totals[level];
    if (local == 0u) results[jobs[job].result] = all;
    if (local >= jobs[job].commands) return;
    uint count = level_totals[min(local, jobs[job].levels - 1u)];
    if (jobs[job].casters != 0u) {
        uint chosen = all > 20000u ? jobs[job].level_for.z : all > 2000u ? jobs[job].level_for.y : jobs[job].level_for.x;
        count = chosen == local ? all : 0u;
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
