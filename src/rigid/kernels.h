// SPDX-License-Identifier: MIT
// kernels.h — the rigid world's kernels as the host calls them: their views in one lane, and a table for each number of lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#define SCREE_LANES 1
namespace scree::rigid {
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
#include "kernels/convex_support.h"
#include "kernels/mesh_words.h"
#include "kernels/rigid_bounds.h"
#include "kernels/rigid_field.h"
#include "kernels/atomics.h"
#include "kernels/rigid_filter.h"
#include "kernels/rigid_rules.h"
#include "kernels/rigid_events.h"
#include "kernels/rigid_groups.h"
#include "kernels/rigid_schedule.h"
#include "kernels/pipeline_packets.h"
// clang-format on
} // namespace scree::rigid
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
#undef BLOCK

namespace scree {

/// Every function handles items begin … end-1; both are multiples of the number of lanes. Views are passed as void because
/// each number of lanes has its own, of the same layout.
struct RigidTable {
    using Range = void (*)(std::uint32_t begin, std::uint32_t end, const void* view);
    using StepRange = void (*)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    /// the same with room for so many points
    using ContactRange = void (*)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                                  const void* step);

    int lanes;
    StepRange body_begin;
    void (*body_velocity)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step,
                          bool first);
    StepRange body_position, body_finish;
    ContactRange contact_prepare, contact_warm_start, contact_solve, contact_relax, contact_restitution,
        contact_store;
    StepRange joint_prepare, joint_warm_start, joint_solve, joint_relax, joint_store;
    /// bits of pairs begin … end-1 that have hardly moved
    void (*pairs_unmoved)(std::uint32_t begin, std::uint32_t end, const void* view, std::uint64_t* bits);
    Range narrow_boxes, narrow_rounds, narrow_ball_box, narrow_box_ball;
    Range sor_body_begin, sor_body_finish;
    ContactRange sor_contact_assemble, sor_contact_init, sor_contact_sweep, sor_contact_store;
    StepRange sor_joint_assemble, sor_joint_init, sor_joint_sweep, sor_joint_store;
};

const RigidTable& rigid_table_1();
const RigidTable& rigid_table_4();
const RigidTable& rigid_table_8();
const RigidTable& rigid_table_16();
/// For a number of lanes that is there (device/cpu/cpu_device.h).
const RigidTable& rigid_table(int lanes);

} // namespace scree
