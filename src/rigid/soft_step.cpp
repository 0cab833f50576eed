// SPDX-License-Identifier: MIT
// soft_step.cpp — the soft-step solver: which kernel runs over which bodies and constraints, in which order.
//
//     prepare | for each substep: velocities, [warm start], solve, positions, relax | restitution | finish
//
// Every stage is split among the threads; inside it no two of them touch the same body.

#include "rigid/parts.h"
#include "rigid/softness.h"

#include <algorithm>
#include <array>

namespace scree {

namespace {

enum class Op : std::uint8_t {
    prepare,
    velocity_first,
    velocity,
    warm_start,
    solve,
    position,
    relax,
    restitution,
    apply,
    finish
};

struct Stage {
    Op op;
    int shares;
    std::uint32_t colour = 0;
};

// beside one pass of solving the same constraints
constexpr float prepare_work = 3, store_work = 1;

} // namespace

rigid::BodyView CpuSimulation::Parts::body_view() {
    rigid::BodyView view{};
    view.position = world.bodies.position.data();
    view.rotation = world.bodies.rotation.data();
    view.motion = world.bodies.motion.data();
    view.inverse_mass = world.bodies.inverse_mass.data();
    view.constants = constants.data();
    view.force = force.data();
    view.kick = kick.data();
    view.free = free.data();
    view.rest = rest.data();
    view.awake = awake.data();
    view.gravity_x = world.settings.gravity.x;
    view.gravity_y = world.settings.gravity.y;
    view.gravity_z = world.settings.gravity.z;
    return view;
}

rigid::RigidView CpuSimulation::Parts::contact_view(std::uint32_t k, int kind) {
    const Bucket& bucket = buckets[k][static_cast<std::size_t>(kind)];
    rigid::RigidView view{};
    view.position = world.bodies.position.data();
    view.rotation = world.bodies.rotation.data();
    view.motion = world.bodies.motion.data();
    view.inverse_mass = world.bodies.inverse_mass.data();
    view.contact = reinterpret_cast<float*>(contacts.data());
    view.slots = slots.data() + bucket.first;
    view.block = blocks.data() + bucket.block;
    if (any_extras)
        view.extra =
            extras.data() + std::size_t{extra_first[4 * k + static_cast<std::uint32_t>(kind)]} * EXTRA_FIELDS;
    if (k == overflow) {
        view.split = split.data();
        view.push = push.data() + std::size_t{bucket.first - buckets[overflow][0].first} * 16;
    }
    return view;
}

rigid::JointView CpuSimulation::Parts::joint_view(std::uint32_t k) {
    const Bucket& bucket = buckets[k][0];
    rigid::JointView view{};
    view.position = world.bodies.position.data();
    view.rotation = world.bodies.rotation.data();
    view.motion = world.bodies.motion.data();
    view.inverse_mass = world.bodies.inverse_mass.data();
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

void CpuSimulation::Parts::begin_step(float dt, float h) {
    step = soft_constants(world.settings, dt, h, last_h, any_extras);
    last_h = h;
}

void CpuSimulation::Parts::soft_step(float dt) {
    const int substeps = world.settings.substeps;
    {
        StageTimer timer(*this, WorldStage::prepare);
        begin_step(dt, dt / static_cast<float>(substeps));
        order_active();
        fill_buckets();
        split_overflow();
    }
    validate(StepPoint::buckets);

    const auto lanes = static_cast<std::uint32_t>(table.lanes);
    const std::uint32_t awake_items = padded(awake_count);
    std::array<Crew::Split, colour_count + 1> splits;
    float all_work = 0;
    for (std::uint32_t k = 0; k <= colour_count; ++k) {
        const float work = sweep_work(k, 0, 3);
        splits[k] = crew.split(work);
        all_work += work;
    }
    const Crew::Split body_split = crew.split(body_work());

    std::vector<Stage>& plan = *[] {
        static thread_local std::vector<Stage> kept;
        kept.clear();
        return &kept;
    }();
    float saves = 0;
    const auto add = [&](Op op, const Crew::Split& how, std::uint32_t k = 0) {
        plan.push_back({op, how.shares, k});
        saves += how.saves;
    };
    const auto each_colour = [&](Op op) {
        for (std::uint32_t k = 0; k < colour_count; ++k)
            if (used_colours >> k & 1) add(op, splits[k], k);
        if (counters.overflow) {
            add(op, splits[overflow], overflow);
            add(Op::apply, apply_split());
        }
    };
    add(Op::prepare, crew.split(prepare_work * all_work + body_work()));
    for (int s = 0; s < substeps; ++s) {
        add(s ? Op::velocity : Op::velocity_first, body_split);
        if (s == 0 && step.warm_scale > 0) each_colour(Op::warm_start);
        each_colour(Op::solve);
        add(Op::position, body_split);
        each_colour(Op::relax);
    }
    if (any_extras) each_colour(Op::restitution);
    add(Op::finish, crew.split(store_work * all_work + body_work()));

    const rigid::BodyView bodies = body_view();
    const auto constraints = [&](Op op, std::uint32_t k, int worker, int workers) {
        if (const std::uint32_t items = buckets[k][0].items; items && op != Op::restitution) {
            const rigid::JointView view = joint_view(k);
            const Share s = share(items, lanes, workers - 1 - worker, workers);
            if (s.begin < s.end)
                (op == Op::prepare      ? table.joint_prepare
                 : op == Op::warm_start ? table.joint_warm_start
                 : op == Op::solve      ? table.joint_solve
                 : op == Op::relax      ? table.joint_relax
                                        : table.joint_store)(s.begin, s.end, &view, &step);
        }
        for (int kind = 3; kind >= 1; --kind) {
            const std::uint32_t items = buckets[k][static_cast<std::size_t>(kind)].items;
            if (!items) continue;
            // small lists go to different workers
            const Share s = share(items, lanes, kind == 2 ? workers - 1 - worker : worker, workers);
            if (s.begin >= s.end) continue;
            const rigid::RigidView view = contact_view(k, kind);
            (op == Op::prepare      ? table.contact_prepare
             : op == Op::warm_start ? table.contact_warm_start
             : op == Op::solve      ? table.contact_solve
             : op == Op::relax      ? table.contact_relax
             : op == Op::restitution
                 ? table.contact_restitution
                 : table.contact_store)(s.begin, s.end, kind == 3 ? 4 : kind, &view, &step);
        }
    };
    const auto everywhere = [&](Op op, int worker, int workers) {
        for (std::uint32_t k = 0; k < colour_count; ++k)
            if (used_colours >> k & 1) constraints(op, k, worker, workers);
        if (counters.overflow) constraints(op, overflow, worker, workers);
    };
    const auto run = [&](std::uint32_t number, int worker, int workers) {
        const Stage stage = plan[number];
        const Share s = share(awake_items, lanes, worker, workers);
        switch (stage.op) {
        case Op::prepare:
            everywhere(Op::prepare, worker, workers);
            table.body_begin(s.begin, s.end, &bodies, &step);
            break;
        case Op::velocity_first:
        case Op::velocity:
            table.body_velocity(s.begin, s.end, &bodies, &step, stage.op == Op::velocity_first);
            break;
        case Op::position:
            table.body_position(s.begin, s.end, &bodies, &step);
            break;
        case Op::finish:
            everywhere(Op::finish, worker, workers);
            table.body_finish(s.begin, s.end, &bodies, &step);
            break;
        case Op::apply: {
            const Share p = share(static_cast<std::uint32_t>(split_bodies.size()), 1, worker, workers);
            for (std::uint32_t k = p.begin; k < p.end; ++k)
                add_pieces(k, bodies.motion + 16 * std::size_t{split_bodies[k]});
            break;
        }
        default:
            constraints(stage.op, stage.colour, worker, workers);
        }
    };
    StageTimer timer(*this, WorldStage::solve);
    crew.program(
        static_cast<std::uint32_t>(plan.size()), run, [&](std::uint32_t stage) { return plan[stage].shares; },
        saves);
}

} // namespace scree
