// SPDX-License-Identifier: MIT
// narrow.cpp — from pairs to manifolds: keeps those of pairs that hardly moved, computes the rest sorted by kind: boxes and round
// shapes in lanes, other convex shapes and meshes one by one.

#include "rigid/convex_contact.h"
#include "rigid/parts.h"
#include "rigid/softness.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scree {

namespace {

constexpr std::uint32_t grain = 512;
constexpr std::uint32_t most_lanes = 16;
// of contacts by their kind up to meshes; the other slots of meshes; sensors
constexpr std::uint32_t part_list = KIND_MESH + 1, sensor_list = part_list + 1, work_lists = sensor_list + 1;
constexpr std::uint8_t list_of_kind[] = {0,         1,         2,         3,           4,          KIND_MESH,
                                         part_list, part_list, part_list, sensor_list, sensor_list};
static_assert(std::size(list_of_kind) == static_cast<std::size_t>(PairKind::count) &&
              list_of_kind[KIND_SENSOR] == sensor_list);

/// Contacts of one kind, with room to be padded to whole blocks.
struct WorkList {
    alignas(64) std::uint32_t slot[grain + most_lanes];
    std::uint32_t count = 0;

    std::uint32_t padded(std::uint32_t lanes) {
        const std::uint32_t end = (count + lanes - 1) / lanes * lanes;
        for (std::uint32_t k = count; k < end; ++k) slot[k] = none;
        return end;
    }
};

/// as overlap of collision/bounds.h, without a branch; the fourth words never separate
bool overlapping(const float* a, const float* b) {
#if defined(__SSE2__)
    const __m128 low_a = _mm_load_ps(a), high_a = _mm_load_ps(a + 4), low_b = _mm_load_ps(b),
                 high_b = _mm_load_ps(b + 4);
    return _mm_movemask_ps(_mm_and_ps(_mm_cmple_ps(low_a, high_b), _mm_cmple_ps(low_b, high_a))) == 15;
#else
    return ((a[0] <= b[4]) & (b[0] <= a[4]) & (a[1] <= b[5]) & (b[1] <= a[5]) & (a[2] <= b[6]) &
            (b[2] <= a[6])) != 0;
#endif
}

/// impulses that act between the surfaces; those of the points go with the points
void drop_friction(Contact& contact) {
    std::fill_n(contact.friction_impulse, 3, 0.0f);
    std::fill_n(contact.rolling_impulse, 3, 0.0f);
    contact.twist_impulse = 0;
}

} // namespace

rigid::PairView CpuSimulation::Parts::pair_view(float dt) {
    const WorldSettings& settings = world.settings;
    rigid::PairView view{};
    view.position = world.bodies.position.data();
    view.rotation = world.bodies.rotation.data();
    view.motion = world.bodies.motion.data();
    view.pose = world.shapes.pose.data();
    view.size = world.shapes.size.data();
    view.bounds = world.shapes.bounds.data();
    view.ends = reinterpret_cast<const float*>(ends.data());
    view.contact = reinterpret_cast<float*>(contacts.data());
    view.distance = settings.speculative_distance;
    view.dt = dt;
    const RecycleLimits limits = recycle_limits();
    view.recycle_distance = limits.distance_squared;
    view.recycle_cosine = limits.cosine;
    view.recycle_turn = limits.turn;
    return view;
}

ConvexGeometry CpuSimulation::Parts::convex_of(std::uint32_t shape) const {
    const ShapeRecord& record = world.shapes.record[shape];
    return {record.type, record.size, record.radius, hulls[shape] ? hulls[shape]->data() : nullptr};
}

/// Whether the shape of an item of the view is inside the sensor.
void CpuSimulation::Parts::look_inside(std::uint32_t item, const rigid::PairView& view, Change& out) {
    const std::uint32_t c = view.slots[item];
    const bool inside = sensor_overlaps(item, convex_of(ends[c].shape_a), convex_of(ends[c].shape_b), &view);
    made[c] = 1;
    if (inside == ((marks[c] & MARK_INSIDE) != 0)) return;
    marks[c] ^= MARK_INSIDE;
    out.sensed.push_back(c);
}

/// Sensors' pairs that steps do not visit, as nothing in them moves.
void CpuSimulation::Parts::look_at_sleepers(float dt) {
    rigid::PairView view = pair_view(dt);
    for (const std::uint32_t c : sensor_looks) {
        if (contacts[c].shape_a == none || !rigid::is_sensing(pair_kind[c]) || made[c] ||
            active_at[c] != none)
            continue;
        const float* bounds = world.shapes.bounds.data();
        if (overlapping(bounds + 8 * std::size_t{ends[c].shape_a},
                        bounds + 8 * std::size_t{ends[c].shape_b})) {
            ++counters.pairs;
            view.slots = &c;
            look_inside(0, view, changes[0]);
        } else if (marks[c] & MARK_INSIDE) {
            marks[c] ^= MARK_INSIDE;
            changes[0].sensed.push_back(c);
        }
    }
    sensor_looks.clear();
}

rigid::real3 CpuSimulation::Parts::one_way_of(std::uint32_t s) const {
    if (!(traits[s] & SHAPE_ONE_WAY)) return {0, 0, 0};
    const Vec3& own = world.shapes.record[s].one_way;
    return rigid::mat3_times(
        rigid::quat_matrix(rigid::quat_of(rigid::load4(world.shapes.pose.data(), 2 * s + 1))),
        {own.x, own.y, own.z});
}

void CpuSimulation::Parts::let_pass(std::uint32_t c) {
    const std::uint32_t shapes[2] = {ends[c].shape_a, ends[c].shape_b};
    if (!((traits[shapes[0]] | traits[shapes[1]]) & SHAPE_ONE_WAY)) return;
    const std::uint32_t pass = rigid::contact_pass(
        c, ends[c].body_a, ends[c].body_b, one_way_of(shapes[0]), one_way_of(shapes[1]), made[c] && points[c],
        (marks[c] & MARK_PASSING) != 0, world.settings.speculative_distance, touch_view());
    marks[c] &= static_cast<std::uint8_t>(~MARK_PASSING);
    if (pass == PASS_THROUGH) marks[c] |= MARK_PASSING;
    if (pass != PASS_SOLID) contacts[c].count = 0;
}

/// The user's function decides which touching pairs are solved, in the order of their shapes.
void CpuSimulation::Parts::ask_pre_solve() {
    asked.clear();
    refused.clear();
    for (const std::uint32_t c : active)
        if (points[c]) asked.push_back(c);
    std::sort(asked.begin(), asked.end(), [&](std::uint32_t l, std::uint32_t r) {
        const ContactEnds &a = ends[l], &b = ends[r];
        if (a.shape_a != b.shape_a) return a.shape_a < b.shape_a;
        return a.shape_b != b.shape_b ? a.shape_b < b.shape_b : contacts[l].slot < contacts[r].slot;
    });
    for (const std::uint32_t c : asked) {
        if (ask([&] { return world.callbacks.pre_solve(world, {.contact = &contacts[c]}); })) continue;
        note_change(c);
        contacts[c].count = 0;
        points[c] = 0;
        drop_friction(contacts[c]);
        // made anew in the next step: of a pair with a mesh by slot 0, which no pose is near
        if (pair_kind[c] < KIND_MESH) {
            forget_manifold(c);
        } else {
            const std::uint32_t first = pairs.find(ends[c].shape_a, ends[c].shape_b, 0);
            note_change(first);
            contacts[first].between[0] = 1e30f;
        }
        marks[c] &= static_cast<std::uint8_t>(~MARKS_OF_MANIFOLD);
        changes[0].ended.push_back(c);
        refused.push_back(c);
    }
    std::sort(refused.begin(), refused.end());
}

void CpuSimulation::Parts::narrow_chunk(std::uint32_t begin, std::uint32_t end, Change& out, float dt) {
    out.began.clear();
    out.ended.clear();
    out.gone.clear();
    out.sensed.clear();
    out.wakes.clear();
    out.recycled = 0;
    out.overlapping = out.crowded = 0;
    WorkList lists[work_lists];
    const float* bounds = world.shapes.bounds.data();
    const float* fat = world.shapes.fat.data();
    std::uint32_t apart[grain], apart_count = 0;
    for (std::uint32_t k = begin; k < end; ++k) {
        // half of the answers are a surprise to the processor, so both lists are written and one advances
        const std::uint32_t c = active[k];
        const ContactEnds pair = ends[c];
        const bool overlaps =
            overlapping(bounds + 8 * std::size_t{pair.shape_a}, bounds + 8 * std::size_t{pair.shape_b});
        WorkList& list = lists[list_of_kind[pair_kind[c]]];
        list.slot[list.count] = c;
        list.count += overlaps;
        apart[apart_count] = c;
        apart_count += !overlaps;
    }
    // of a pair with a mesh, the contact of slot 0 makes the manifolds of all
    WorkList& others = lists[part_list];
    out.overlapping = end - begin - apart_count - others.count;
    others.count = 0;
    if (any_extras)
        for (const WorkList& list : lists)
            for (std::uint32_t k = 0; k < list.count; ++k) {
                // belts carry their direction along
                const std::uint32_t c = list.slot[k];
                const std::uint32_t count = pair_kind[c] == KIND_MESH ? MESH_SLOTS : 1;
                for (std::uint32_t slot = 0; slot < count; ++slot) {
                    const std::uint32_t of_slot =
                        slot ? pairs.find(ends[c].shape_a, ends[c].shape_b, slot) : c;
                    Contact& contact = contacts[of_slot];
                    const float* v = contact.surface_velocity;
                    if (v[0] == 0 && v[1] == 0 && v[2] == 0) continue;
                    mix_materials(contact);
                    note_change(of_slot);
                }
            }
    for (std::uint32_t k = 0; k < apart_count; ++k) {
        // nothing of a pair outlives its bounds' overlap
        const std::uint32_t c = apart[k];
        if (made[c]) forget_manifold(c);
        if (marks[c] & MARK_INSIDE) marks[c] ^= MARK_INSIDE, out.sensed.push_back(c);
        if (points[c]) {
            note_change(c);
            contacts[c].count = 0;
            points[c] = 0;
            drop_friction(contacts[c]);
            out.ended.push_back(c);
        }
        const ContactEnds pair = ends[c];
        if (!overlapping(fat + 8 * std::size_t{pair.shape_a}, fat + 8 * std::size_t{pair.shape_b}))
            out.gone.push_back(c);
    }

    const WorldSettings& settings = world.settings;
    rigid::PairView view = pair_view(dt);
    const auto lanes = static_cast<std::uint32_t>(table.lanes);
    // by PairKind
    const RigidTable::Range narrow[] = {table.narrow_boxes, table.narrow_rounds, table.narrow_ball_box,
                                        table.narrow_box_ball};
    for (std::uint32_t which = 0; which < work_lists; ++which) {
        WorkList& list = lists[which];
        if (!list.count) continue;
        view.slots = list.slot;
        if (which == sensor_list) {
            for (std::uint32_t k = 0; k < list.count; ++k) look_inside(k, view, out);
            continue;
        }
        if (settings.recycling) {
            std::uint64_t unmoved[grain / 64 + 1];
            table.pairs_unmoved(0, list.padded(lanes), &view, unmoved);
            std::uint32_t kept = 0;
            for (std::uint32_t k = 0; k < list.count; ++k)
                if (!(unmoved[k / 64] >> (k % 64) & 1)) list.slot[kept++] = list.slot[k];
            out.recycled += list.count - kept;
            list.count = kept;
            if (!kept) continue;
        }
        const std::uint32_t items = list.padded(lanes);
        if (which < static_cast<std::uint32_t>(PairKind::convex)) {
            narrow[which](0, items, &view);
        } else if (which == static_cast<std::uint32_t>(PairKind::convex)) {
            for (std::uint32_t k = 0; k < list.count; ++k) {
                const ContactEnds& pair = ends[list.slot[k]];
                make_convex_contact(k, convex_of(pair.shape_a), convex_of(pair.shape_b),
                                    parting[list.slot[k]], &view);
            }
        } else {
            for (std::uint32_t k = 0; k < list.count; ++k) {
                const ContactEnds& pair = ends[list.slot[k]];
                std::uint32_t of_pair[MESH_SLOTS] = {list.slot[k]};
                for (std::uint32_t slot = 1; slot < MESH_SLOTS; ++slot)
                    of_pair[slot] = pairs.find(pair.shape_a, pair.shape_b, slot);
                std::uint32_t part_before[MESH_SLOTS];
                for (std::uint32_t slot = 0; slot < MESH_SLOTS; ++slot)
                    part_before[slot] = contacts[of_pair[slot]].sub_shape;
                out.crowded +=
                    make_mesh_contacts(k, convex_of(pair.shape_a), convex_of(pair.shape_b), of_pair, &view);
                for (std::uint32_t slot = 0; slot < MESH_SLOTS; ++slot) {
                    // materials are those of the triangle; without points nothing is rubbed
                    const std::uint32_t c = of_pair[slot];
                    if (contacts[c].count || contacts[c].sub_shape != part_before[slot])
                        mix_materials(contacts[c]);
                    note_manifold(c, out);
                }
            }
            continue;
        }
        for (std::uint32_t k = 0; k < list.count; ++k) note_manifold(list.slot[k], out);
    }
}

void CpuSimulation::Parts::note_manifold(std::uint32_t c, Change& out) {
    note_change(c);
    if (any_one_way) let_pass(c);
    const auto now = static_cast<std::uint8_t>(rigid::room_for_points(contacts[c].count));
    const std::uint8_t before = points[c];
    made[c] = 1;
    points[c] = now;
    if (now && !before) {
        out.began.push_back(c);
        if (world.bodies.record[ends[c].body_a].asleep || world.bodies.record[ends[c].body_b].asleep)
            out.wakes.push_back(c);
    }
    if (!now) drop_friction(contacts[c]);
    if (!now && before) out.ended.push_back(c);
}

void CpuSimulation::Parts::make_manifolds(float dt) {
    const auto count = static_cast<std::uint32_t>(active.size());
    const std::uint32_t parts = Crew::chunks(count, grain);
    if (changes.size() < std::max(parts, 1u)) changes.resize(std::max(parts, 1u));
    if (parting.size() < contacts.size()) parting.resize(contacts.size());
    crew.each(count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        narrow_chunk(begin, end, changes[static_cast<std::size_t>(chunk)], dt);
    });
    counters.recycled = counters.pairs = counters.crowded = 0;
    for (std::uint32_t p = 0; p < parts; ++p) {
        counters.recycled += changes[p].recycled;
        counters.pairs += changes[p].overlapping;
        counters.crowded += changes[p].crowded;
    }
    for (std::uint32_t p = parts; p < changes.size(); ++p)
        changes[p].began.clear(), changes[p].ended.clear(), changes[p].gone.clear(),
            changes[p].sensed.clear(), changes[p].wakes.clear();
    if (!sensor_looks.empty()) look_at_sleepers(dt);
    if (world.callbacks.pre_solve) ask_pre_solve();
}

} // namespace scree
