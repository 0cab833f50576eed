// SPDX-License-Identifier: MIT
// schedule.h — which stages a solver's step has, in which order (kernels/rigid_schedule.h).
#pragma once

#include "rigid/kernels.h"
#include "scree/world.h"

#include <cstdint>

namespace scree {

/// All that a schedule depends on.
struct ScheduleFacts {
    Solver solver = Solver::soft_step;
    std::uint32_t rounds = 0;                             ///< substeps, or iterations of the SOR
    std::uint32_t joint_colours = 0, contact_colours = 0; ///< a bit for each that has some
    bool overflow = false;                                ///< some constraint has no colour
    bool warm = false;                                    ///< impulses of the last step are applied again
    bool extras = false;                                  ///< some contact bounces, rolls or carries along
    bool study = false;
    bool cloth = false;  ///< of the soft step: cloths move with the bodies
    bool groups = false; ///< of the SOR; what they hold is in the overflow
    bool stops = false;  ///< the SOR stops when it has converged
    friend bool operator==(const ScheduleFacts&, const ScheduleFacts&) = default;
};

/// Without colours, overflow and study.
ScheduleFacts schedule_facts(const WorldSettings& settings, const rigid::RigidStep& step);

/// The list of the last facts, made anew when they change.
class KeptSchedule {
public:
    const rigid::Schedule& of(const ScheduleFacts& facts);

private:
    ScheduleFacts facts_;
    rigid::Schedule schedule_{};
};

/// visit(place in the list, round) for each stage of a step, in order.
template <class Visit>
void each_stage(const rigid::Schedule& schedule, const Visit& visit) {
    for (rigid::StagePlace place{}; place.at < schedule.count; place = rigid::next_stage(&schedule, place))
        visit(place.at, place.round);
}

} // namespace scree
