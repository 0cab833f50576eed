// SPDX-License-Identifier: MIT
// sweep.cpp — stops fast bodies where they first touch, by kernels/rigid_sweep.h in one lane.

#include "rigid/parts.h"
#include "rigid/shape_facts.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#define SCREE_LANES 1
namespace scree::sweep_kernels {
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
#include "kernels/rigid_bounds.h"
#include "kernels/atomics.h"
#include "kernels/rigid_sweep.h"
// clang-format on
} // namespace scree::sweep_kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
#undef BLOCK

namespace scree {
namespace {

namespace k = sweep_kernels;

constexpr std::uint32_t grain = 16, contact_grain = 256;
constexpr std::uint32_t ends_ahead = 32; // contacts: so early their ends, which lie anywhere, are fetched

// of awake bodies
enum : std::uint8_t { body_swept = 1, body_pushed = 2 };

k::BodyView view_of(const rigid::BodyView& of) {
    return {of.position, of.rotation,  of.motion,    of.inverse_mass, of.constants, of.force,
            of.carry,    of.kick,      of.free,      of.rest,         of.change,    of.swept,
            of.awake,    of.gravity_x, of.gravity_y, of.gravity_z};
}

} // namespace

/// What joints hold to a stopped body stops too: depth first, as long as that is earlier than known (world_sweep_lag).
void CpuSimulation::Parts::spread_stops() {
    struct Visit {
        std::uint32_t body, joint;
        k::u64 word;
    };
    Visit visits[SWEEP_LAG_DEPTH];
    const auto visit_of = [&](std::uint32_t b) {
        return Visit{b, world.bodies.record[b].first_joint, k::lag_word(k::stop_time(stops[b]))};
    };
    for (const std::uint32_t stopped : swept) {
        if (stops[stopped] == STOP_NONE) continue;
        std::size_t depth = 1;
        visits[0] = visit_of(stopped);
        while (depth > 0) {
            Visit& now = visits[depth - 1];
            if (now.joint == none || now.word == STOP_NONE) {
                --depth;
                continue;
            }
            const JointRecord& joint = world.joints.record[now.joint];
            const int side = side_of(joint, now.body);
            const std::uint32_t other = joint.body[1 - side];
            now.joint = joint.next[side];
            // of slow ones the motion is not kept, unless there are bullets
            if (!(sweep_flags[other] & body_swept) || now.word >= stops[other]) continue;
            stops[other] = now.word;
            if (depth < SWEEP_LAG_DEPTH) visits[depth++] = visit_of(other);
        }
    }
}

/// What the user's functions say of a pair: what they said in this step, or what they say now.
template <class Touch>
bool CpuSimulation::Parts::may_stop(const Stop& stop, const Touch& touch) {
    const auto [a, b] = std::minmax(stop.shape, stop.other);
    const std::uint32_t first = pairs.find(a, b);
    // without a contact nothing came near at the step's beginning, or the filter has refused the pair
    if (first == none && world.callbacks.filter && !ask([&, first_shape = a, second_shape = b] {
            return world.callbacks.filter(world, first_shape, second_shape);
        }))
        return false;
    if (!world.callbacks.pre_solve) return true;
    bool any_refused = false;
    const std::uint32_t slot_count = first == none ? 0u : slots_of(a, b);
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
        const std::uint32_t c = slot ? pairs.find(a, b, slot) : first;
        if (active_at[c] != none && points[c]) return true; // it was asked, and has accepted
        any_refused = any_refused || std::binary_search(refused.begin(), refused.end(), c);
    }
    const SweptTouch swept_touch = touch(stop);
    return !any_refused && ask([&] { return world.callbacks.pre_solve(world, {.stop = &swept_touch}); });
}

/// By the thread that steps, in the order of the shapes; a pair is asked once, about its first stop.
template <class Touch>
void CpuSimulation::Parts::decide_stops(const Touch& touch) {
    world.callbacks.moved = world.callbacks.unseen = true;
    all_stops.clear();
    for (std::vector<Stop>& some : chunk_stops) {
        all_stops.insert(all_stops.end(), some.begin(), some.end());
        some.clear();
    }
    const auto pair_of = [](const Stop& s) { return std::minmax({s.shape, s.other}); };
    std::sort(all_stops.begin(), all_stops.end(), [&](const Stop& l, const Stop& r) {
        return std::tuple(pair_of(l), l.time, l.body) < std::tuple(pair_of(r), r.time, r.body);
    });
    bool stops_here = false;
    for (std::size_t k = 0; k < all_stops.size(); ++k) {
        const Stop& stop = all_stops[k];
        if (k == 0 || pair_of(all_stops[k - 1]) != pair_of(stop)) stops_here = may_stop(stop, touch);
        if (stops_here)
            stops[stop.body] =
                std::min<unsigned long long>(stops[stop.body], k::stop_word(stop.time, stop.other_body));
    }
}

void CpuSimulation::Parts::stop_fast_bodies() {
    if (!any_swept) return;
    any_swept = 0;
    swept.clear();
    sweep_flags.assign(world.bodies.record.size(), 0);
    stops.resize(world.bodies.record.size(), STOP_NONE);
    const auto pushed = [&](std::uint32_t b) {
        const BodyRecord& body = world.bodies.record[b];
        return body.type == BodyType::dynamic && !body.frozen;
    };
    constexpr std::uint32_t search_grain = 2048;
    const std::uint32_t chunks = Crew::chunks(awake_count, search_grain);
    if (some_bodies.size() < chunks) some_bodies.resize(chunks);
    crew.each(awake_count, search_grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        std::vector<std::uint32_t>& out = some_bodies[static_cast<std::size_t>(chunk)];
        out.clear();
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint32_t b = awake[k];
            std::uint8_t flags = pushed(b) ? body_pushed : 0;
            if (free[8 * std::size_t{b} + 3] == SWEPT && movable(b)) {
                flags |= body_swept;
                out.push_back(b);
            }
            sweep_flags[b] = flags;
        }
    });
    for (std::uint32_t c = 0; c < chunks; ++c)
        swept.insert(swept.end(), some_bodies[c].begin(), some_bodies[c].end());

    const auto count = static_cast<std::uint32_t>(swept.size());
    const k::SweepView view{view_of(body_view()), world.shapes.pose.data(), world.shapes.bounds.data(),
                            step.dt};
    const auto moves = [&](std::uint32_t b) {
        return world.bodies.record[b].awake_at != none && free[8 * std::size_t{b} + 3] != 0;
    };
    const auto side = [&](std::uint32_t b, std::uint32_t s) {
        const ShapeRecord& shape = world.shapes.record[s];
        const rigid::real3 way = one_way_of(s);
        return k::SweepSide{b,
                            s,
                            moves(b),
                            {static_cast<k::u32>(shape.type),
                             {shape.size.x, shape.size.y, shape.size.z},
                             shape.radius,
                             hulls[s] ? hulls[s]->data() : nullptr},
                            world.shapes.size[4 * std::size_t{s} + 3],
                            {way.x, way.y, way.z}};
    };
    const auto facts = [&](std::uint32_t s) {
        const ShapeRecord& shape = world.shapes.record[s];
        k::ShapeFacts of{};
        of.type = static_cast<k::u32>(shape.type);
        of.thickness = shape.thickness;
        of.offset = {shape.offset.x, shape.offset.y, shape.offset.z};
        return of;
    };
    const auto cover = [&](std::uint32_t b, std::uint32_t s) { return k::sweep_cover(view, facts(s), b, s); };
    const auto each_shape = [&](std::uint32_t b, const auto& visit) {
        for (std::uint32_t s = world.bodies.record[b].first_shape; s != none; s = world.shapes.record[s].next)
            if (!(traits[s] & SHAPE_SENSOR)) visit(s);
    };

    // those that an impulse sent where no pairs were sought
    std::uint32_t beyond_count = 0;
    crew.each(count, search_grain, [&](std::uint32_t begin, std::uint32_t end, int) {
        bool any = false;
        for (std::uint32_t at = begin; at < end; ++at)
            each_shape(swept[at], [&](std::uint32_t s) { any |= cover(swept[at], s) < 1; });
        if (any) __atomic_fetch_add(&beyond_count, 1u, __ATOMIC_RELAXED);
    });
    const bool any_beyond = beyond_count != 0;
    if (any_beyond) tree.update(crew.size() > 1 ? &crew.tasks() : nullptr);
    if (near.size() < Crew::chunks(count, grain)) near.resize(Crew::chunks(count, grain));
    // the user's functions are called by this thread alone
    const bool decides = world.callbacks.filter || world.callbacks.pre_solve;
    const std::uint32_t most_chunks = std::max(
        Crew::chunks(count, grain), Crew::chunks(static_cast<std::uint32_t>(active.size()), contact_grain));
    if (decides && chunk_stops.size() < most_chunks) chunk_stops.resize(most_chunks);
    const auto touch_of = [&](const Stop& stop) {
        const k::SweepSide mine = side(stop.body, stop.shape);
        k::SweptShape moving = k::side_swept(view, mine),
                      other = k::side_swept(view, side(stop.other_body, stop.other));
        other.from = k::position_between(k::load4(view.body.position, stop.body),
                                         k::load4(view.body.position, stop.other_body)) +
                     (moving.shift - other.shift);
        k::ConvexPair at;
        k::mat3 turn;
        k::swept_pair(&other, &moving, stop.time, &at, &turn);
        const k::real3 core = k::shape_core(mine.geometry, mine.radius).centre;
        const k::real3 middle = at.position + k::mat3_times(at.rotation, core),
                       way = k::mat3_transposed_times(turn, moving.shift - other.shift);
        return SweptTouch{stop.shape, stop.other, {middle.x, middle.y, middle.z}, {way.x, way.y, way.z}};
    };

    for (std::uint32_t pass = 0; pass < (any_bullets ? 2u : 1u); ++pass) {
        const auto meet = [&](std::uint32_t b, std::uint32_t own, std::uint32_t other, std::uint32_t shape,
                              int chunk) {
            const float time = k::sweep_pair(view, side(b, own), side(other, shape));
            if (!(time < 1)) return;
            if (pass == 1 && (time > cover(b, own) || (moves(other) && time > cover(other, shape)))) return;
            if (decides) chunk_stops[static_cast<std::size_t>(chunk)].push_back({b, own, other, shape, time});
            else k::atomic_least64(&stops[b], k::stop_word(time, other));
        };
        // by contact, not by body: most are between bodies that are pushed, and two flags tell
        crew.each(static_cast<std::uint32_t>(active.size()), contact_grain,
                  [&](std::uint32_t begin, std::uint32_t end, int chunk) {
                      const std::uint32_t* list = active.data();
                      const ContactEnds* ends_of = ends.data();
                      const std::uint8_t* flags_of = sweep_flags.data();
                      for (std::uint32_t at = begin; at < end; ++at) {
                          __builtin_prefetch(&ends_of[list[std::min(at + ends_ahead, end - 1)]]);
                          const std::uint32_t c = list[at];
                          const ContactEnds& pair = ends_of[c];
                          const std::uint8_t flags_a = flags_of[pair.body_a], flags_b = flags_of[pair.body_b];
                          if (!((flags_a | flags_b) & body_swept) ||
                              (pass == 0 && (flags_a & flags_b & body_pushed)))
                              continue;
                          const std::uint32_t body[2] = {pair.body_a, pair.body_b},
                                              shape[2] = {pair.shape_a, pair.shape_b};
                          const std::uint8_t flags[2] = {flags_a, flags_b};
                          // of a pair with a mesh one contact is enough
                          if (rigid::is_sensing(pair_kind[c]) || rigid::slot_of_kind(pair_kind[c]) ||
                              (marks[c] & MARK_PASSING))
                              continue;
                          for (const int which : {0, 1})
                              if ((flags[which] & body_swept) &&
                                  k::sweeps_against(pass, world.bodies.record[body[which]].bullet,
                                                    pushed(body[1 - which])))
                                  meet(body[which], shape[which], body[1 - which], shape[1 - which], chunk);
                      }
                  });
        if (pass == 0 && any_beyond)
            crew.each(count, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
                std::vector<std::uint32_t>& beyond = near[static_cast<std::size_t>(chunk)];
                for (std::uint32_t at = begin; at < end; ++at)
                    each_shape(swept[at], [&](std::uint32_t s) {
                        const std::uint32_t b = swept[at];
                        if (!(cover(b, s) < 1)) return;
                        alignas(16) float bounds[8];
                        k::sweep_bounds(view, facts(s), b, s, bounds);
                        beyond.clear();
                        tree.query(bounds, BoundsTree::all_layers, beyond);
                        for (const std::uint32_t shape : beyond) {
                            const std::uint32_t other = world.shapes.record[shape].body;
                            if (!pushed(other) && !(traits[shape] & SHAPE_SENSOR) &&
                                wanted_pair(world, s, shape))
                                meet(b, s, other, shape, chunk);
                        }
                    });
            });
        if (decides) decide_stops(touch_of);
        if (pass == 0 && world.joints.count > 0) spread_stops();
        crew.each(count, grain, [&](std::uint32_t begin, std::uint32_t end, int) {
            for (std::uint32_t at = begin; at < end; ++at) {
                const k::u64 stop = std::exchange(stops[swept[at]], STOP_NONE);
                if (stop == STOP_NONE) continue;
                const auto other = static_cast<std::uint32_t>(stop & 0xffffffffu);
                k::body_stop(view, swept[at], stop,
                             other != none && moves(other) && !world.bodies.record[other].bullet);
            }
        });
    }
}

} // namespace scree
