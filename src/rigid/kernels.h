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
#include "kernels/rigid_bounds.h"
#include "kernels/atomics.h"
#include "kernels/rigid_rules.h"
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
    int lanes;
    void (*body_begin)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*body_velocity)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step,
                          bool first);
    void (*body_position)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*body_finish)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*contact_prepare)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                            const void* step);
    void (*contact_warm_start)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                               const void* step);
    void (*contact_solve)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                          const void* step);
    void (*contact_relax)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                          const void* step);
    void (*contact_restitution)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                                const void* step);
    void (*contact_store)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                          const void* step);
    void (*joint_prepare)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*joint_warm_start)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*joint_solve)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*joint_relax)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*joint_store)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    /// bits of pairs begin … end-1 that have hardly moved
    void (*pairs_unmoved)(std::uint32_t begin, std::uint32_t end, const void* view, std::uint64_t* bits);
    void (*narrow_boxes)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*narrow_rounds)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*narrow_ball_box)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*narrow_box_ball)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*sor_body_begin)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*sor_body_finish)(std::uint32_t begin, std::uint32_t end, const void* view);
    void (*sor_contact_assemble)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                                 const void* step);
    void (*sor_contact_init)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                             const void* step);
    void (*sor_contact_sweep)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                              const void* step);
    void (*sor_contact_store)(std::uint32_t begin, std::uint32_t end, int points, const void* view,
                              const void* step);
    void (*sor_joint_assemble)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*sor_joint_init)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*sor_joint_sweep)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
    void (*sor_joint_store)(std::uint32_t begin, std::uint32_t end, const void* view, const void* step);
};

const RigidTable& rigid_table_1();
const RigidTable& rigid_table_4();
const RigidTable& rigid_table_8();
const RigidTable& rigid_table_16();
/// For a number of lanes that is there (device/cpu/cpu_device.h).
const RigidTable& rigid_table(int lanes);

} // namespace scree
