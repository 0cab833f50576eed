// SPDX-License-Identifier: MIT
// solve.cpp — runs a solver's schedule on the threads of the CPU: every stage is split among them.

#include "rigid/parts.h"
#include "rigid/softness.h"

#include <array>
#include <vector>

namespace scree {

rigid::BodyView CpuSimulation::Parts::body_view() {
    auto view = view_of_bodies<rigid::BodyView>();
    view.constants = constants.data();
    view.force = force.data();
    view.carry = world.bodies.carry.data();
    view.kick = kick.data();
    view.free = free.data();
    view.rest = rest.data();
    view.change = sor_change.data();
    view.swept = &any_swept;
    view.awake = awake.data();
    view.gravity_x = world.settings.gravity.x;
    view.gravity_y = world.settings.gravity.y;
    view.gravity_z = world.settings.gravity.z;
    return view;
}

rigid::RigidView CpuSimulation::Parts::contact_view(std::uint32_t k, std::uint32_t kind) {
    const Bucket& bucket = buckets[k][kind];
    auto view = view_of_bodies<rigid::RigidView>();
    view.contact = reinterpret_cast<float*>(contacts.data());
    view.slots = slots.data() + bucket.first;
    view.block = blocks.data() + bucket.block;
    if (any_extras) view.extra = extras.data() + std::size_t{extra_first[4 * k + kind]} * EXTRA_FIELDS;
    if (k == overflow) {
        view.split = split.data();
        view.push = push.data() + std::size_t{bucket.first - buckets[overflow][0].first} * 16;
    }
    return view;
}

rigid::JointView CpuSimulation::Parts::joint_view(std::uint32_t k) {
    const Bucket& bucket = buckets[k][0];
    auto view = view_of_bodies<rigid::JointView>();
    view.joint = joint_records.data();
    view.limits = joint_limits.data();
    view.slots = slots.data() + bucket.first;
    view.block = blocks.data() + bucket.block;
    if (k == overflow) {
        view.split = split.data();
        view.push = push.data();
    }
    return view;
}

void CpuSimulation::Parts::begin_step(float dt) {
    const bool is_sor = world.settings.solver == Solver::sor;
    const float h = is_sor ? dt : dt / static_cast<float>(world.settings.substeps);
    step = soft_constants(world.settings, dt, h, last_h, any_extras, any_bullets);
    last_h = h;
    if (!is_sor) order_active();
    fill_buckets();
    split_overflow();
    if (is_sor) {
        sor = sor_constants(world.settings, dt);
        place_rows();
        if (sor_report) *sor_report = {};
    }
    sor_converged = false;
    counters.iterations =
        is_sor && !(sor.tolerance > 0) ? static_cast<std::uint32_t>(world.settings.sor_iterations) : 0;
}

/// How many threads do a stage; `all` is the work of one pass over every constraint.
Crew::Split CpuSimulation::Parts::split_of(std::uint32_t stage, float all) const {
    // beside one pass of solving the same constraints
    constexpr float prepare_work = 3, init_work = 1, store_work = 1;
    const std::uint32_t k = rigid::stage_colour(stage);
    switch (rigid::stage_operation(stage)) {
    case rigid::STAGE_PREPARE:
        return crew.split(prepare_work * all + body_work());
    case rigid::STAGE_STORE:
        return crew.split(store_work * all + body_work());
    case rigid::STAGE_VELOCITY:
    case rigid::STAGE_POSITION:
    case rigid::STAGE_SOR_BEGIN:
    case rigid::STAGE_SOR_FORCES:
        return crew.split(body_work());
    case rigid::STAGE_SOR_ASSEMBLE:
        return crew.split(prepare_work * all);
    case rigid::STAGE_SOR_INIT:
        return crew.split(init_work * all);
    case rigid::STAGE_SOR_STORE:
        return crew.split(store_work * all + 2 * body_work());
    case rigid::STAGE_SOR_JOINTS:
        return crew.split(sweep_work(k, 0, 0));
    case rigid::STAGE_SOR_CONTACTS:
        return crew.split(sweep_work(k, 1, 3));
    case rigid::STAGE_SOR_GROUPS: {
        Crew::Split how = crew.split(2 * all);
        how.shares = std::min(how.shares, static_cast<int>(groups.groups));
        return how;
    }
    case rigid::STAGE_SOR_ASKED:
    case rigid::STAGE_SOR_CHECK:
    case rigid::STAGE_SOR_STUDY:
    case rigid::STAGE_CLOTH:
        return {};
    case rigid::STAGE_APPLY:
        return apply_split();
    default:
        return crew.split(sweep_work(k, 0, 3));
    }
}

/// A worker's part of a colour's joints and contacts; either function may be null.
void CpuSimulation::Parts::run_colour(std::uint32_t k, JointRange joint, ContactRange contact, int worker,
                                      int workers) {
    const bool is_sor = world.settings.solver == Solver::sor;
    const std::uint32_t lanes = solver_lanes();
    if (const std::uint32_t items = buckets[k][0].items; items && joint) {
        const Share s = share(items, lanes, workers - 1 - worker, workers);
        if (s.begin < s.end && is_sor) {
            const rigid::SorView view = sor_view(k, 0);
            joint(s.begin, s.end, &view, &sor);
        } else if (s.begin < s.end) {
            const rigid::JointView view = joint_view(k);
            joint(s.begin, s.end, &view, &step);
        }
    }
    for (std::uint32_t kind = 3; contact && kind >= 1; --kind) {
        const std::uint32_t items = buckets[k][kind].items;
        if (!items) continue;
        // small lists go to different workers
        const Share s = share(items, lanes, kind == 2 ? workers - 1 - worker : worker, workers);
        if (s.begin >= s.end) continue;
        const int room = static_cast<int>(rigid::points_of_kind(kind));
        if (is_sor) {
            const rigid::SorView view = sor_view(k, kind);
            contact(s.begin, s.end, room, &view, &sor);
        } else {
            const rigid::RigidView view = contact_view(k, kind);
            contact(s.begin, s.end, room, &view, &step);
        }
    }
}

void CpuSimulation::Parts::run_everywhere(JointRange joint, ContactRange contact, int worker, int workers) {
    for (std::uint32_t k = 0; k < colour_count; ++k)
        if (used_colours >> k & 1) run_colour(k, joint, contact, worker, workers);
    if (counters.overflow) run_colour(overflow, joint, contact, worker, workers);
}

/// A worker's part of a stage.
void CpuSimulation::Parts::run_stage(std::uint32_t stage, std::uint32_t round, const rigid::BodyView& bodies,
                                     int worker, int workers) {
    const RigidTable& rows = solver_table();
    const auto one = [&](JointRange joint, ContactRange contact) {
        run_colour(rigid::stage_colour(stage), joint, contact, worker, workers);
    };
    const auto everywhere = [&](JointRange joint, ContactRange contact) {
        run_everywhere(joint, contact, worker, workers);
    };
    const Share s = share(padded(awake_count), static_cast<std::uint32_t>(table.lanes), worker, workers);
    switch (rigid::stage_operation(stage)) {
    case rigid::STAGE_PREPARE:
        everywhere(table.joint_prepare, table.contact_prepare);
        return table.body_begin(s.begin, s.end, &bodies, &step);
    case rigid::STAGE_VELOCITY:
        return table.body_velocity(s.begin, s.end, &bodies, &step, round == 0);
    case rigid::STAGE_WARM:
        return one(table.joint_warm_start, table.contact_warm_start);
    case rigid::STAGE_SOLVE:
        return one(table.joint_solve, table.contact_solve);
    case rigid::STAGE_RELAX:
        return one(table.joint_relax, table.contact_relax);
    case rigid::STAGE_BOUNCE:
        return one(nullptr, table.contact_restitution);
    case rigid::STAGE_POSITION:
        return table.body_position(s.begin, s.end, &bodies, &step);
    case rigid::STAGE_STORE:
        everywhere(table.joint_store, table.contact_store);
        return table.body_finish(s.begin, s.end, &bodies, &step);
    case rigid::STAGE_SOR_BEGIN:
        table.sor_body_begin(s.begin, s.end, &bodies);
        return table.body_begin(s.begin, s.end, &bodies, &step);
    case rigid::STAGE_SOR_ASSEMBLE:
        return everywhere(rows.sor_joint_assemble, rows.sor_contact_assemble);
    case rigid::STAGE_SOR_FORCES:
        return table.body_velocity(s.begin, s.end, &bodies, &step, true);
    case rigid::STAGE_SOR_INIT:
        return everywhere(rows.sor_joint_init, rows.sor_contact_init);
    case rigid::STAGE_SOR_JOINTS:
        return one(rows.sor_joint_sweep, nullptr);
    case rigid::STAGE_SOR_CONTACTS:
        return one(nullptr, rows.sor_contact_sweep);
    case rigid::STAGE_SOR_BOTH:
        return one(rows.sor_joint_sweep, rows.sor_contact_sweep);
    case rigid::STAGE_SOR_STUDY:
        return study_rows(sor.omega);
    case rigid::STAGE_SOR_GROUPS:
        return sweep_groups(round, worker, workers);
    case rigid::STAGE_SOR_ASKED:
        return; // by the check
    case rigid::STAGE_SOR_CHECK:
        return check_rows();
    case rigid::STAGE_SOR_STORE:
        everywhere(rows.sor_joint_store, rows.sor_contact_store);
        table.sor_body_finish(s.begin, s.end, &bodies);
        table.body_position(s.begin, s.end, &bodies, &step);
        return table.body_finish(s.begin, s.end, &bodies, &step);
    case rigid::STAGE_CLOTH: // between programs of stages
        return;
    case rigid::STAGE_APPLY:
        break;
    }
    // velocities, or the changes of the SOR
    const bool is_sor = world.settings.solver == Solver::sor;
    const Share some = share(static_cast<std::uint32_t>(split_bodies.size()), 1, worker, workers);
    for (std::uint32_t k = some.begin; k < some.end; ++k) {
        const std::size_t b = split_bodies[k];
        add_pieces(k, is_sor ? sor_change.data() + 8 * b : world.bodies.motion.data() + 16 * b);
    }
}

void CpuSimulation::Parts::solve(float dt) {
    {
        StageTimer timer(*this, WorldStage::prepare);
        begin_step(dt);
    }
    validate(StepPoint::buckets);

    ScheduleFacts facts = schedule_facts(world.settings, step);
    float all_work = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k) {
        const auto& of = buckets[k];
        if (k < colour_count && of[0].items) facts.joint_colours |= 1u << k;
        if (k < colour_count && (of[1].items || of[2].items || of[3].items)) facts.contact_colours |= 1u << k;
        all_work += sweep_work(k, 0, 3);
    }
    facts.overflow = counters.overflow != 0;
    facts.study = sor_report != nullptr;
    facts.cloth = cloths.any();

    struct Planned {
        std::uint32_t stage, round;
        bool again; ///< in the loop
        int shares;
        float saves; ///< microseconds
    };
    static thread_local std::vector<Planned> plan;
    std::vector<Planned>& stages = plan; // of this thread, for all of them
    stages.clear();
    const rigid::Schedule& list = schedule.of(facts);
    std::array<Crew::Split, SCHEDULE_MOST> splits;
    for (std::uint32_t k = 0; k < list.count; ++k) splits[k] = split_of(list.stages[k], all_work);
    each_stage(list, [&](std::uint32_t at, std::uint32_t round) {
        stages.push_back({list.stages[at], round, at >= list.loop && at < list.loop_end, splits[at].shares,
                          splits[at].saves});
    });

    const rigid::BodyView bodies = body_view();
    StageTimer timer(*this, WorldStage::solve);
    // cloths have launches of their own, which take all threads: stages up to one are a program
    for (std::uint32_t first = 0; first < stages.size();) {
        std::uint32_t end = first;
        float saves = 0;
        while (end < stages.size() && rigid::stage_operation(stages[end].stage) != rigid::STAGE_CLOTH)
            saves += stages[end++].saves;
        crew.program(
            end - first,
            [&](std::uint32_t k, int worker, int workers) {
                const Planned& next = stages[first + k];
                if (next.again && sor_converged) return;
                run_stage(next.stage, next.round, bodies, worker, workers);
            },
            [&](std::uint32_t k) { return stages[first + k].shares; }, saves);
        if (end < stages.size()) cloths.substep(cloth_bodies(), step.h);
        first = end + 1;
    }
}

FabricBodies CpuSimulation::Parts::cloth_bodies() {
    const auto buffer = [](Array<float>& array) { return Buffer{array.data(), 4 * array.size()}; };
    return {buffer(world.bodies.position),
            buffer(world.bodies.rotation),
            buffer(world.bodies.motion),
            buffer(world.bodies.inverse_mass),
            buffer(free),
            static_cast<std::uint32_t>(world.bodies.record.size())};
}

} // namespace scree
