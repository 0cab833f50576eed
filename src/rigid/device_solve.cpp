// SPDX-License-Identifier: MIT
// device_solve.cpp — runs a solver's schedule on a device: a launch for each stage, or one for all of them.

#include "rigid/device_worlds.h"
#include "rigid/records.h"
#include "rigid/softness.h"

#include <algorithm>
#include <iterator>

namespace scree {

namespace {

using A = WorldArray;

constexpr KernelId no_kernel = KernelId::count;

/// Launches over joints, and over contacts with room for 1, 2 and 4 points.
struct ConstraintKernels {
    rigid::StageOperation operation;
    KernelId joint, contact[3];
};

#define SCREE_OF_POINTS(name)                                                                                \
    {KernelId::world_##name##_1, KernelId::world_##name##_2, KernelId::world_##name##_4}
constexpr ConstraintKernels constraint_kernels[] = {
    {rigid::STAGE_PREPARE, KernelId::world_joint_prepare, SCREE_OF_POINTS(contact_prepare)},
    {rigid::STAGE_WARM, KernelId::world_joint_warm, SCREE_OF_POINTS(contact_warm)},
    {rigid::STAGE_SOLVE, KernelId::world_joint_solve, SCREE_OF_POINTS(contact_solve)},
    {rigid::STAGE_RELAX, KernelId::world_joint_relax, SCREE_OF_POINTS(contact_relax)},
    {rigid::STAGE_BOUNCE, no_kernel, SCREE_OF_POINTS(contact_bounce)},
    {rigid::STAGE_STORE, KernelId::world_joint_store, SCREE_OF_POINTS(contact_store)},
    {rigid::STAGE_SOR_ASSEMBLE, KernelId::world_sor_joint_assemble, SCREE_OF_POINTS(sor_assemble)},
    {rigid::STAGE_SOR_INIT, KernelId::world_sor_joint_init, SCREE_OF_POINTS(sor_init)},
    {rigid::STAGE_SOR_JOINTS, KernelId::world_sor_joint_sweep, {no_kernel, no_kernel, no_kernel}},
    {rigid::STAGE_SOR_CONTACTS, no_kernel, SCREE_OF_POINTS(sor_sweep)},
    {rigid::STAGE_SOR_BOTH, KernelId::world_sor_joint_sweep, SCREE_OF_POINTS(sor_sweep)},
    {rigid::STAGE_SOR_STORE, KernelId::world_sor_joint_store, SCREE_OF_POINTS(sor_store)},
};
#undef SCREE_OF_POINTS

} // namespace

std::uint32_t DeviceWorlds::overflow_entries() const {
    std::uint32_t entries = 0;
    for (std::uint32_t kind = 0; kind < 4; ++kind) entries += 2 * bucket(overflow, kind).count;
    return entries;
}

void DeviceWorlds::run_colour(rigid::StageOperation operation, std::uint32_t k) {
    const auto* kernels = std::find_if(std::begin(constraint_kernels), std::end(constraint_kernels),
                                       [&](const auto& row) { return row.operation == operation; });
    if (kernels == std::end(constraint_kernels)) return;
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        const KernelId kernel = kind ? kernels->contact[kind - 1] : kernels->joint;
        if (kernel == no_kernel) continue;
        const rigid::WorldParams p = of_bucket(k, kind);
        run(kernel, p.count, p);
    }
}

void DeviceWorlds::run_stage(std::uint32_t stage, std::uint32_t round) {
    const rigid::StageOperation operation = rigid::stage_operation(stage);
    const auto everywhere = [&] {
        for (std::uint32_t k = 0; k <= overflow; ++k) run_colour(operation, k);
    };
    const auto bodies = [&](KernelId kernel, std::uint32_t which = 0) {
        rigid::WorldParams p = params_;
        p.which = which;
        run(kernel, params_.bodies, p);
    };
    switch (operation) {
    case rigid::STAGE_PREPARE:
        everywhere();
        return bodies(KernelId::world_body_begin);
    case rigid::STAGE_VELOCITY:
        return bodies(KernelId::world_body_velocity, round == 0);
    case rigid::STAGE_POSITION:
        return bodies(KernelId::world_body_position);
    case rigid::STAGE_STORE:
        everywhere();
        return bodies(KernelId::world_body_finish);
    case rigid::STAGE_SOR_BEGIN:
        bodies(KernelId::world_sor_begin);
        return bodies(KernelId::world_body_begin);
    case rigid::STAGE_SOR_FORCES:
        return bodies(KernelId::world_body_velocity, 1);
    case rigid::STAGE_SOR_ASSEMBLE:
    case rigid::STAGE_SOR_INIT:
        return everywhere();
    case rigid::STAGE_SOR_STORE:
        everywhere();
        bodies(KernelId::world_sor_finish);
        bodies(KernelId::world_body_position);
        return bodies(KernelId::world_body_finish);
    case rigid::STAGE_SOR_GROUPS: {
        rigid::WorldParams p = params_;
        p.which = round;
        return run(KernelId::world_sor_groups, rigid::group_count(overflow_entries() / 2, p.sor.groups), p);
    }
    case rigid::STAGE_SOR_ASKED:
        return run(KernelId::world_sor_asked, std::min(counts_[COUNT_ITEMS], 4096u));
    case rigid::STAGE_SOR_CHECK:
        return run(KernelId::world_sor_check, 1);
    case rigid::STAGE_CLOTH:
        return each_with_cloth(
            [&](std::uint32_t n, ClothSteps& cloths) { cloths.substep(cloth_bodies(n), params_.step.h); });
    case rigid::STAGE_APPLY: {
        rigid::WorldParams p = params_;
        p.count = overflow_entries();
        p.which = settings().solver == Solver::sor; // its changes, or velocities
        return run(KernelId::world_split_apply, PIECE_LANES * p.count, p);
    }
    default:
        return run_colour(operation, rigid::stage_colour(stage));
    }
}

/// In one launch, where the device has that.
bool DeviceWorlds::solve_at_once(const rigid::Schedule& schedule) {
    rigid::WorldSolve all{params_, schedule};
    all.params.count = overflow_entries();
    all.params.push_first = bucket(overflow, 0).first;
    all.params.items = params_.bodies;
    for (std::uint32_t k = 0; k < colour_count; ++k)
        for (std::uint32_t kind = 0; kind < 4; ++kind)
            all.params.items = std::max(all.params.items, bucket(k, kind).count);
    OneLaunch which = OneLaunch::soft_step;
    if (settings().solver == Solver::sor)
        which = settings().sor_on_chip ? OneLaunch::sor_on_chip : OneLaunch::sor_step;
    return device_->solve_world(which, arrays_, &all, sizeof all);
}

void DeviceWorlds::solve(float dt) {
    device_->mark(static_cast<int>(WorldStage::prepare));
    const WorldSettings& s = settings();
    const bool sor = s.solver == Solver::sor;
    const float h = sor ? dt : dt / static_cast<float>(s.substeps);
    params_.step = soft_constants(s, dt, h, last_h_, extras_, bullets_);
    last_h_ = h;
    if (sor) params_.sor = sor_constants(s, dt);
    if (sor && s.sor_tolerance > 0) reserve(A::asked, counts_[COUNT_ITEMS]);
    reserve(A::block, counts_[COUNT_BLOCK_WORDS]);
    if (!sor && extras_) reserve(A::extra, EXTRA_FIELDS * std::size_t{counts_[COUNT_ITEMS]});
    split_overflow();

    ScheduleFacts facts = schedule_facts(s, params_.step);
    for (std::uint32_t k = 0; k < colour_count; ++k) {
        if (bucket(k, 0).count) facts.joint_colours |= 1u << k;
        if (bucket(k, 1).count || bucket(k, 2).count || bucket(k, 3).count) facts.contact_colours |= 1u << k;
    }
    facts.overflow = overflow_entries() != 0;
    facts.cloth = cloth_;
    const rigid::Schedule& schedule = schedule_.of(facts);
    device_->mark(static_cast<int>(WorldStage::solve));
    stops_ = facts.stops;
    iterations_ = sor ? facts.rounds : 0;
    if (!facts.cloth && solve_at_once(schedule)) return;
    for (rigid::StagePlace place{}; place.at < schedule.count; place = rigid::next_stage(&schedule, place)) {
        const std::uint32_t stage = schedule.stages[place.at];
        run_stage(stage, place.round);
        if (rigid::stage_operation(stage) == rigid::STAGE_SOR_CHECK && read_counts()[COUNT_CONVERGED])
            place = rigid::loop_left(&schedule);
    }
}

} // namespace scree
