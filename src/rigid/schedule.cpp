// SPDX-License-Identifier: MIT
// schedule.cpp — see schedule.h.
//
//     soft step   prepare | for each substep: velocities, [warm start], solve, [cloths], positions, relax | bounce | store
//     SOR         begin | assemble rows | forces | diagonal and right-hand side | iterations: joints, contacts | store
//
// Constraints go colour by colour, what overflows last. The rows' order of the SOR is Gauss-Seidel over colours, joints before
// contacts: no update is lost, and every number of threads and lanes gives the same bits. Where WorldSettings asks for groups or
// Jacobi everything overflows, so that no colour is in use.

#include "rigid/schedule.h"

#include "rigid/records.h"

namespace scree {

namespace {

using namespace rigid; // STAGE_…

class Writer {
public:
    explicit Writer(const ScheduleFacts& facts) : facts_(facts) {}

    void add(StageOperation operation, std::uint32_t colour = 0) {
        list_.stages[list_.count++] = STAGE_WORD(operation, colour) | flags_;
    }
    void each_colour(StageOperation operation, std::uint32_t colours) {
        for (std::uint32_t k = 0; k < colour_count; ++k)
            if (colours >> k & 1) add(operation, k);
    }
    void overflow_and_apply(StageOperation operation) {
        if (!facts_.overflow) return;
        add(operation, overflow);
        add(STAGE_APPLY);
    }
    /// colour by colour
    void constraints(StageOperation operation, std::uint32_t colours) {
        each_colour(operation, colours);
        overflow_and_apply(operation);
    }
    void begin_loop() {
        list_.loop = list_.count;
        list_.rounds = facts_.rounds;
    }
    void end_loop() { list_.loop_end = list_.count; }
    void only_first(bool on) { flags_ = on ? STAGE_FIRST : 0; }

    void soft_step() {
        const std::uint32_t colours = facts_.joint_colours | facts_.contact_colours;
        add(STAGE_PREPARE);
        begin_loop();
        add(STAGE_VELOCITY);
        only_first(true);
        if (facts_.warm) constraints(STAGE_WARM, colours);
        only_first(false);
        constraints(STAGE_SOLVE, colours);
        if (facts_.cloth) add(STAGE_CLOTH);
        add(STAGE_POSITION);
        constraints(STAGE_RELAX, colours);
        end_loop();
        if (facts_.extras) constraints(STAGE_BOUNCE, facts_.contact_colours);
        add(STAGE_STORE);
    }
    void sor() {
        add(STAGE_SOR_BEGIN);
        add(STAGE_SOR_ASSEMBLE);
        add(STAGE_SOR_FORCES);
        add(STAGE_SOR_INIT);
        begin_loop();
        each_colour(STAGE_SOR_JOINTS, facts_.joint_colours);
        each_colour(STAGE_SOR_CONTACTS, facts_.contact_colours);
        overflow_and_apply(facts_.groups ? STAGE_SOR_GROUPS : STAGE_SOR_BOTH);
        if (facts_.stops) add(STAGE_SOR_ASKED), add(STAGE_SOR_CHECK);
        if (facts_.study) add(STAGE_SOR_STUDY);
        end_loop();
        add(STAGE_SOR_STORE);
    }
    const Schedule& list() const { return list_; }

private:
    const ScheduleFacts& facts_;
    Schedule list_{};
    std::uint32_t flags_ = 0;
};

} // namespace

ScheduleFacts schedule_facts(const WorldSettings& settings, const RigidStep& step) {
    const bool sor = settings.solver == Solver::sor;
    return {.solver = settings.solver,
            .rounds = static_cast<std::uint32_t>(sor ? settings.sor_iterations : settings.substeps),
            .joint_colours = 0,
            .contact_colours = 0,
            .warm = step.warm_scale > 0,
            .extras = step.extras != 0,
            .groups = sor && settings.sor_schedule == SorSchedule::groups,
            .stops = sor && settings.sor_tolerance > 0};
}

const Schedule& KeptSchedule::of(const ScheduleFacts& facts) {
    if (schedule_.count && facts == facts_) return schedule_;
    Writer writer(facts);
    if (facts.solver == Solver::sor) writer.sor();
    else writer.soft_step();
    facts_ = facts;
    return schedule_ = writer.list();
}

} // namespace scree
