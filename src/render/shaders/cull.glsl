// SPDX-License-Identifier: MIT
// cull.glsl — which records are seen, at which level of detail, and the draws of them (gpu_culling.h).
//
// A job is a view of an item; a group decides a chunk of 128 of its records. COUNT: how many of each group a level has; SCAN: where they go,
// and the commands of the draws; PLACE: their numbers. The order is that of the CPU (culling.h): by level, by the distance of the chunk's
// first in bins, records at even places before those at odd ones, then as they are listed. So pictures do not depend on which group was
// first. BOUNDS: of each item.

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
    uint unused;
    uvec4 triangles[8];  // first index, indices; first index of a cluster, its indices
    uvec4 lines[8];      // first index, indices
};
layout(std430, binding = 0) readonly buffer Jobs {
    uvec4 head;  // jobs
    Job jobs[];
};
layout(std430, binding = 1) readonly buffer Listed { uint listed[]; };
layout(std430, binding = 2) readonly buffer Sizes { vec2 sizes[]; };  // by record: reach, extent
layout(std430, binding = 3) buffer Counts { uint counts[]; };         // WORDS of each group
layout(std430, binding = 4) writeonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Commands { uint commands[]; };
layout(std430, binding = 6) buffer Results { uint results[]; };

#ifdef SCAN
layout(local_size_x = 256) in;
#else
layout(local_size_x = 128) in;
#endif

const uint UNSEEN = 8u;
const uint CLUSTER = 16u;
const uint WORDS = 17u;  // of a group: even and odd ones of each level, its bin

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
shared uint bits[32];  // by level: which of the group's records have it

// the level, or UNSEEN; the same arithmetic as in culling.cpp
uint key_of(uint job, Seen seen) {
    for (uint i = 0u; i < jobs[job].plane_count; ++i) {
        vec4 p = jobs[job].planes[i];
        precise float height = p.x * seen.place.x + p.y * seen.place.y + p.z * seen.place.z + p.w;
        if (height < -seen.reach) return UNSEEN;
    }
    if (jobs[job].casters != 0u) return 0u;
    vec3 eye = jobs[job].eye.xyz;
    precise float x = seen.place.x - eye.x, y = seen.place.y - eye.y, z = seen.place.z - eye.z;
    precise float away = sqrt(x * x + y * y + z * z), gap = away - seen.reach, nearest = gap > 0.0 ? gap : 0.0;
    precise float square = nearest * nearest;
    uint level = 0u;
    for (uint l = 1u; l < jobs[job].levels; ++l) {
        precise float limit = jobs[job].beyond[l] * seen.extent * seen.extent;
        if (square > limit) ++level;
    }
    return level;
}

// also writes bits; returns the level and the record
uvec2 decide(uint job, uint group) {
    uint local = gl_LocalInvocationIndex, place = (group - jobs[job].first_group) * 128u + local;
    if (local < 32u) bits[local] = 0u;
    barrier();
    uvec2 found = uvec2(UNSEEN, 0u);
    if (place < jobs[job].count) {
        Seen seen = look(listed[jobs[job].first_listed + place]);
        found = uvec2(key_of(job, seen), seen.record);
    }
    if (found.x < UNSEEN) atomicOr(bits[found.x * 4u + local / 32u], 1u << (local & 31u));
    barrier();
    return found;
}
#endif

#ifdef COUNT
void main() {
    uint group = group_number();
    if (group >= head.y) return;
    uint job = job_of(group), local = gl_LocalInvocationIndex;
    decide(job, group);
    if (local < 16u) {
        // level, and whether the odd ones
        uint sum = 0u, those = (local & 1u) == 0u ? 0x55555555u : 0xaaaaaaaau;
        for (uint word = 0u; word < 4u; ++word) sum += uint(bitCount(bits[local / 2u * 4u + word] & those));
        counts[group * WORDS + local] = sum;
    }
    if (local == 16u) {
        Seen first = look(listed[jobs[job].first_listed + (group - jobs[job].first_group) * 128u]);
        vec3 eye = jobs[job].eye.xyz;
        precise float x = first.place.x - eye.x, y = first.place.y - eye.y, z = first.place.z - eye.z;
        precise float place = (sqrt(x * x + y * y + z * z) - jobs[job].nearest) * jobs[job].bin_scale;
        float top = float(jobs[job].bins - 1u);
        place = place > 0.0 ? place : 0.0;
        counts[group * WORDS + 16u] = uint(place < top ? place : top);
    }
}
#endif

#ifdef PLACE
void main() {
    uint group = group_number();
    if (group >= head.y) return;
    uint job = job_of(group), local = gl_LocalInvocationIndex;
    uvec2 found = decide(job, group);
    if (found.x >= UNSEEN) return;
    uint those = (local & 1u) == 0u ? 0x55555555u : 0xaaaaaaaau;
    uint rank = counts[group * WORDS + found.x * 2u + (local & 1u)];
    for (uint word = 0u; word < local / 32u; ++word) rank += uint(bitCount(bits[found.x * 4u + word] & those));
    rank += uint(bitCount(bits[found.x * 4u + local / 32u] & those & ((1u << (local & 31u)) - 1u)));
    ids[jobs[job].first_out + found.x * jobs[job].stride + rank] = found.y;
}
#endif

#ifdef SCAN
shared uint sums[256], odd_sums[256], bins_of[256];
shared uint first_in[128];  // by bin: where the next even and odd ones go
shared uint totals[8];

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
    uint first = jobs[job].first_group, groups = jobs[job].groups;
    for (uint level = 0u; level < jobs[job].levels; ++level) {
        // how many there are of each bin
        if (local < 128u) first_in[local] = 0u;
        barrier();
        for (uint group = local; group < groups; group += 256u) {
            uint at = (first + group) * WORDS, bin = counts[at + 16u] * 2u;
            atomicAdd(first_in[bin], counts[at + level * 2u]);
            atomicAdd(first_in[bin + 1u], counts[at + level * 2u + 1u]);
        }
        barrier();
        if (local == 0u) {
            uint sum = 0u;
            for (uint bin = 0u; bin < 128u; ++bin) {
                uint own = first_in[bin];
                first_in[bin] = sum;
                sum += own;
            }
            totals[level] = sum;
        }
        barrier();
        // groups in their order
        for (uint block = 0u; block < groups; block += 256u) {
            uint at = (first + block + local) * WORDS;
            bool inside = block + local < groups;
            uint even = inside ? counts[at + level * 2u] : 0u, odd = inside ? counts[at + level * 2u + 1u] : 0u;
            uint bin = inside ? counts[at + 16u] : 64u;
            sums[local] = even;
            odd_sums[local] = odd;
            bins_of[local] = bin;
            barrier();
            uint before = 0u, odd_before = 0u;
            for (uint other = 0u; other < local; ++other)
                if (bins_of[other] == bin) {
                    before += sums[other];
                    odd_before += odd_sums[other];
                }
            if (inside) {
                counts[at + level * 2u] = first_in[bin * 2u] + before;
                counts[at + level * 2u + 1u] = first_in[bin * 2u + 1u] + odd_before;
            }
            barrier();
            if (inside) {
                atomicAdd(first_in[bin * 2u], even);
                atomicAdd(first_in[bin * 2u + 1u], odd);
            }
            barrier();
        }
    }
    barrier();
    uint all = 0u;
    for (uint level = 0u; level < jobs[job].levels; ++level) all += totals[level];
    if (local == 0u) results[jobs[job].result] = all;
    if (local >= jobs[job].commands) return;
    uint count = totals[min(local, jobs[job].levels - 1u)];
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
