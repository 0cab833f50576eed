// SPDX-License-Identifier: MIT
// rigid_lanes.inl — the rigid world's kernels for SCREE_TABLE_LANES lanes, and the table of them.
//
// The rules of lanes.inl hold here too: nothing with external linkage but the table's function.

#include "rigid/kernels.h"

#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace scree {
namespace {
namespace lanes {

#define SCREE_LANES SCREE_TABLE_LANES
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// clang-format on

using Index = std::uint32_t;

template <class View>
[[gnu::always_inline]] inline View view_of(const void* from) {
    View view;
    std::memcpy(&view, from, sizeof view);
    return view;
}

#define SCREE_BODY_RANGE(name)                                                                               \
    void name##_range(Index begin, Index end, const void* view, const void* step) {                          \
        const auto w = view_of<BodyView>(view);                                                              \
        const auto p = view_of<RigidStep>(step);                                                             \
        for (Index i = begin; i < end; i += SCREE_LANES) name(i, w, p);                                      \
    }
SCREE_BODY_RANGE(body_begin)
SCREE_BODY_RANGE(body_position)
SCREE_BODY_RANGE(body_finish)

void body_velocity_range(Index begin, Index end, const void* view, const void* step, bool first) {
    const auto w = view_of<BodyView>(view);
    const auto p = view_of<RigidStep>(step);
    for (Index i = begin; i < end; i += SCREE_LANES) body_velocity(i, first, w, p);
}

// records lie far apart: those of the next block are fetched while this one is computed
[[gnu::always_inline]] inline void fetch_records(const f32* records, const u32* slots, Index begin, Index end,
                                                 u32 first_quad, u32 quads) {
    for (Index i = begin; i < end; ++i) {
        if (slots[i] == 0xffffffffu) return;
        const f32* record = records + 4 * (static_cast<std::size_t>(slots[i]) * RECORD_QUADS + first_quad);
        for (u32 q = 0; q < quads; q += 4) __builtin_prefetch(record + 4 * q, 1);
    }
}
[[gnu::always_inline]] inline Index sooner(Index a, Index b) { return a < b ? a : b; }

// the number of points is a constant in each loop, so that loops over them unroll
#define SCREE_CONTACT_RANGE(name, ...)                                                                       \
    template <u32 points, u32 extras>                                                                        \
    void name##_points(Index begin, Index end, const void* view, const void* step) {                         \
        const auto w = view_of<RigidView>(view);                                                             \
        auto p = view_of<RigidStep>(step);                                                                   \
        p.extras = extras;                                                                                   \
        for (Index i = begin; i < end; i += SCREE_LANES) {                                                   \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }                                                                                                        \
    void name##_range(Index begin, Index end, int points, const void* view, const void* step) {              \
        if (view_of<RigidStep>(step).extras) {                                                               \
            if (points == 1) name##_points<1, 1>(begin, end, view, step);                                    \
            else if (points == 2) name##_points<2, 1>(begin, end, view, step);                               \
            else name##_points<4, 1>(begin, end, view, step);                                                \
        } else {                                                                                             \
            if (points == 1) name##_points<1, 0>(begin, end, view, step);                                    \
            else if (points == 2) name##_points<2, 0>(begin, end, view, step);                               \
            else name##_points<4, 0>(begin, end, view, step);                                                \
        }                                                                                                    \
    }
SCREE_CONTACT_RANGE(contact_prepare, {
    const Index next = i + SCREE_LANES, last = sooner(next + SCREE_LANES, end);
    fetch_records(w.contact, w.slots, next, last, 0, 1);
    fetch_records(w.contact, w.slots, next, last, RECORD_POINT, points > 2 ? 8 : 4);
    contact_prepare(i, points, w, p);
})
SCREE_CONTACT_RANGE(contact_warm_start, contact_warm_start(i, points, w, p))
SCREE_CONTACT_RANGE(contact_solve, contact_sweep(i, points, 1, w, p))
SCREE_CONTACT_RANGE(contact_relax, contact_sweep(i, points, 0, w, p))
SCREE_CONTACT_RANGE(contact_restitution, contact_restitution(i, points, w, p))
SCREE_CONTACT_RANGE(contact_store, {
    const Index next = i + SCREE_LANES, last = sooner(next + SCREE_LANES, end);
    fetch_records(w.contact, w.slots, next, last, 0, 1);
    fetch_records(w.contact, w.slots, next, last, RECORD_POINT, points > 2 ? 8 : 4);
    contact_store(i, points, w, p);
})

#define SCREE_JOINT_RANGE(name, call)                                                                        \
    void name##_range(Index begin, Index end, const void* view, const void* step) {                          \
        const auto w = view_of<JointView>(view);                                                             \
        [[maybe_unused]] const auto p = view_of<RigidStep>(step);                                            \
        for (Index i = begin; i < end; i += SCREE_LANES) call;                                               \
    }
SCREE_JOINT_RANGE(joint_prepare, joint_prepare(i, w, p))
SCREE_JOINT_RANGE(joint_warm_start, joint_warm_start(i, w, p))
SCREE_JOINT_RANGE(joint_solve, joint_sweep(i, 1, w, p))
SCREE_JOINT_RANGE(joint_relax, joint_sweep(i, 0, w, p))
SCREE_JOINT_RANGE(joint_store, joint_store(i, w))

void pairs_unmoved_range(Index begin, Index end, const void* view, std::uint64_t* bits) {
    const auto w = view_of<PairView>(view);
    for (Index i = begin; i < end; i += SCREE_LANES) {
        const Index next = i + SCREE_LANES;
        fetch_records(w.contact, w.slots, next, sooner(next + SCREE_LANES, end), 0, 8);
        const std::uint64_t found = pair_unmoved(i, w);
        const Index at = i - begin;
        if (at % 64 == 0) bits[at / 64] = 0;
        bits[at / 64] |= found << (at % 64);
    }
}

#define SCREE_PAIR_RANGE(name, call)                                                                         \
    void name##_range(Index begin, Index end, const void* view) {                                            \
        const auto w = view_of<PairView>(view);                                                              \
        for (Index i = begin; i < end; i += SCREE_LANES) call;                                               \
    }
SCREE_PAIR_RANGE(narrow_boxes, narrow_boxes(i, w))
SCREE_PAIR_RANGE(narrow_rounds, narrow_rounds(i, w))
SCREE_PAIR_RANGE(narrow_ball_box, narrow_ball_box(i, 1, w))
SCREE_PAIR_RANGE(narrow_box_ball, narrow_ball_box(i, 0, w))

#define SCREE_SOR_BODY_RANGE(name)                                                                           \
    void name##_range(Index begin, Index end, const void* view) {                                            \
        const auto w = view_of<BodyView>(view);                                                              \
        for (Index i = begin; i < end; i += SCREE_LANES) name(i, w);                                         \
    }
SCREE_SOR_BODY_RANGE(sor_body_begin)
SCREE_SOR_BODY_RANGE(sor_body_finish)

#define SCREE_SOR_CONTACT_RANGE(name, call)                                                                  \
    template <u32 points>                                                                                    \
    void name##_points(Index begin, Index end, const void* view, const void* step) {                         \
        const auto w = view_of<SorView>(view);                                                               \
        [[maybe_unused]] const auto p = view_of<SorStep>(step);                                              \
        for (Index i = begin; i < end; i += SCREE_LANES) call;                                               \
    }                                                                                                        \
    void name##_range(Index begin, Index end, int points, const void* view, const void* step) {              \
        if (points == 1) name##_points<1>(begin, end, view, step);                                           \
        else if (points == 2) name##_points<2>(begin, end, view, step);                                      \
        else name##_points<4>(begin, end, view, step);                                                       \
    }
SCREE_SOR_CONTACT_RANGE(sor_contact_assemble, sor_contact_assemble(i, points, w, p))
SCREE_SOR_CONTACT_RANGE(sor_contact_init, sor_init(i, points, w, p))
SCREE_SOR_CONTACT_RANGE(sor_contact_sweep, sor_sweep(i, points, w))
SCREE_SOR_CONTACT_RANGE(sor_contact_store, sor_contact_store(i, points, w))

#define SCREE_SOR_JOINT_RANGE(name, call)                                                                    \
    void name##_range(Index begin, Index end, const void* view, const void* step) {                          \
        const auto w = view_of<SorView>(view);                                                               \
        [[maybe_unused]] const auto p = view_of<SorStep>(step);                                              \
        for (Index i = begin; i < end; i += SCREE_LANES) call;                                               \
    }
SCREE_SOR_JOINT_RANGE(sor_joint_assemble, sor_joint_assemble(i, w, p))
SCREE_SOR_JOINT_RANGE(sor_joint_init, sor_joint_init(i, w, p))
SCREE_SOR_JOINT_RANGE(sor_joint_sweep, sor_joint_sweep(i, w))
SCREE_SOR_JOINT_RANGE(sor_joint_store, sor_joint_store(i, w))

constexpr RigidTable table{
    SCREE_TABLE_LANES,      body_begin_range,          body_velocity_range,      body_position_range,
    body_finish_range,      contact_prepare_range,     contact_warm_start_range, contact_solve_range,
    contact_relax_range,    contact_restitution_range, contact_store_range,      joint_prepare_range,
    joint_warm_start_range, joint_solve_range,         joint_relax_range,        joint_store_range,
    pairs_unmoved_range,    narrow_boxes_range,        narrow_rounds_range,      narrow_ball_box_range,
    narrow_box_ball_range,  sor_body_begin_range,      sor_body_finish_range,    sor_contact_assemble_range,
    sor_contact_init_range, sor_contact_sweep_range,   sor_contact_store_range,  sor_joint_assemble_range,
    sor_joint_init_range,   sor_joint_sweep_range,     sor_joint_store_range};

} // namespace lanes
} // namespace

#define SCREE_JOIN2(a, b) a##b
#define SCREE_JOIN(a, b) SCREE_JOIN2(a, b)
const RigidTable& SCREE_JOIN(rigid_table_, SCREE_TABLE_LANES)() { return lanes::table; }

} // namespace scree
