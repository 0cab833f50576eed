// SPDX-License-Identifier: MIT
// device_step.cpp — a step on a device: which kernel runs over which bodies, pairs and constraints, in which order.

#include "rigid/device_worlds.h"
#include "rigid/records.h"
#include "rigid/softness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace scree {

namespace {

using A = WorldArray;

constexpr std::uint64_t most_tests = 40'000'000; // of bounds: for fewer nothing is built
constexpr std::uint32_t most_wide = 32'768;      // queries: more of them keep a GPU busy with one item each
constexpr std::uint32_t most_by_tree = 32'768;   // queries: for more of them the grid, where sizes are alike
constexpr std::uint32_t buckets_per_shape = 2;   // of the grid, at least
constexpr std::uint32_t least_buckets = 64;      // more than the cells that a query looks at in a row

} // namespace

void DeviceWorlds::prepare_params(float dt) {
    const WorldSettings& s = settings();
    params_.gravity_x = s.gravity.x, params_.gravity_y = s.gravity.y, params_.gravity_z = s.gravity.z;
    params_.distance = s.speculative_distance;
    params_.dt = dt;
    params_.recycling = s.recycling;
    const RecycleLimits limits = recycle_limits();
    params_.recycle_distance = limits.distance_squared;
    params_.recycle_cosine = limits.cosine;
    params_.recycle_turn = limits.turn;
    params_.sleep_speed = s.sleep_speed;
    params_.sleep_delay = s.sleep_delay;
    params_.hit_speed = s.hit_speed;
    params_.one_way = one_way_;
    params_.contacts = contacts_;
    params_.step = {};
    params_.step.extras = extras_;
    params_.gathered = without_colours(s);
    params_.which = s.solver == Solver::sor; // how large the blocks are
    params_.steps = steps_;
}

/// lists whose length only the device knows are walked by as many items as last time, and some more
std::uint32_t DeviceWorlds::list_size(std::uint32_t last) const {
    return std::min(std::max(contacts_, 1u), last + last / 4 + 1024);
}

/// contacts that a filter or a joint has ended since the last step
void DeviceWorlds::end_unwanted() {
    if (!std::exchange(check_wanted_, false)) return;
    rigid::WorldParams p = params_;
    p.which = 1;
    run(KernelId::world_contact_events, contacts_, p);
}

void DeviceWorlds::step(float dt) {
    somebody_may_sleep_ = somebody_may_sleep_ || settings().sleeping;
    drop_events();
    flush();
    grow_bodies();
    grow_shapes();
    grow_joints();
    grow_contacts(contacts_);
    allocations_ = 0;
    prepare_params(dt);
    device_->fill(array(A::counts), 0, COUNT_WORDS - COUNT_CLEARED, COUNT_CLEARED);
    begin_events();
    end_unwanted();
    restored_ = false;
    gone_.clear();
    stops_ = false, iterations_ = 0;
    broken_.clear(), broken_begin_.clear();
    device_->mark(static_cast<int>(WorldStage::bounds));
    begin_cloths(dt);
    if (dt > 0) apply_fields();
    run(KernelId::world_bounds, params_.shapes);
    device_->mark(static_cast<int>(WorldStage::pairs));
    wake_beside_moved();
    find_pairs();
    device_->mark(static_cast<int>(WorldStage::narrow));
    make_manifolds();
    device_->mark(static_cast<int>(WorldStage::graph));
    colour();
    stale_ = poses_stale_ = contacts_stale_ = counters_stale_ = true;
    ++changes_;
    single_reads_ = 0;
    if (dt > 0) {
        if (tells_hits_) run(KernelId::world_approach, contacts_);
        solve(dt);
        if (tells_hits_) run(KernelId::world_hits, contacts_);
        device_->mark(static_cast<int>(WorldStage::sweep));
        stop_fast_bodies();
        device_->mark(static_cast<int>(WorldStage::sleep));
        stir_touched(dt);
        rest_and_sleep();
        sleep_cloths();
        if (any_breaks_) find_broken();
        if (!pushed_.empty() || fields_) device_->fill(array(A::force), 0, 8 * std::size_t{params_.bodies});
        for (const std::uint32_t b : pushed_) {
            BodyRecord& record = world_of_body(b).bodies.record.edit(b % stride_.bodies);
            record.force = record.torque = {};
        }
        pushed_.clear();
    }
    tell_events();
    ++steps_;
    device_->mark(-1);
}

// pairs --------------------------------------------------------------------------------------------------------------

void DeviceWorlds::build_tree() {
    params_.leaves = tree_leaves_;
    if (tree_leaves_ == 0) return;
    const std::uint32_t n = params_.shapes;
    // its order is good for a while: then new bounds are enough
    if (tree_built_ && moved_since_build_ < 2 * std::uint64_t{tree_leaves_}) {
        run(KernelId::world_tree_fit, tree_leaves_);
        return;
    }
    tree_built_ = true;
    moved_since_build_ = 0;
    device_->fill(array(A::counts), NOTHING, 3, COUNT_LOW);
    device_->fill(array(A::counts), 0, 3, COUNT_HIGH);
    run(KernelId::world_tree_extent, std::min(n, 4096u));
    run(KernelId::world_tree_keys, n);
    reserve(spare_[0], n);
    reserve(spare_[1], n);
    device_->sort(array(A::tree_keys), array(A::tree_order), spare_[0], spare_[1], n, 32);
    run(KernelId::world_tree_links, tree_leaves_ - 1);
    run(KernelId::world_tree_fit, tree_leaves_);
}

/// counting sort of the fat bounds by bucket
void DeviceWorlds::build_grid() {
    const std::uint32_t n = params_.shapes;
    const std::uint32_t buckets = std::bit_ceil(std::max(buckets_per_shape * tree_leaves_, least_buckets));
    reserve(A::grid_facts, GRID_FACTS);
    reserve(A::grid_keys, 2 * std::size_t{n});
    reserve(A::grid_start, std::size_t{buckets} + 1);
    reserve(A::grid_bounds, 8 * std::size_t{n});
    reserve(A::grid_wide, GRID_WIDE_MOST);
    reserve(A::grid_seekers, n);
    params_.grid_mask = buckets - 1;
    // twice what nine of ten reach (sort_out_big)
    params_.grid_base = std::ldexp(1.0f, std::min(static_cast<int>(usual_class()) - 126, 100));
    device_->fill(array(A::grid_facts), 0, GRID_FACTS);
    device_->fill(array(A::grid_start), 0, std::size_t{buckets} + 1);
    run(KernelId::world_grid_extent, std::min(n, 16384u));
    run(KernelId::world_grid_size, 1);
    run(KernelId::world_grid_keys, n);
    device_->exclusive_scan(array(A::grid_start), array(A::grid_start), buckets + 1);
    run(KernelId::world_grid_place, n);
}

DeviceWorlds::Search DeviceWorlds::choose_search(std::uint32_t moved) const {
    if (many_) return Search::own;
    switch (settings().broad_phase) {
    case BroadPhase::grid:
        return Search::grid;
    case BroadPhase::brute:
        return Search::few;
    case BroadPhase::tree:
        break;
    }
    if (std::uint64_t{moved} * params_.shapes <= most_tests) return Search::few;
    if (moved > most_by_tree && sizes_alike()) return Search::grid;
    return moved <= most_wide ? Search::tree_wide : Search::tree;
}

void DeviceWorlds::seek(Search search, std::uint32_t moved) {
    switch (search) {
    case Search::own:
        return run(KernelId::world_find_own, moved);
    case Search::few:
        return find_few(moved);
    case Search::tree:
        return run(KernelId::world_find, moved);
    case Search::tree_wide:
        return run(KernelId::world_find_wide, FIND_LANES * moved);
    case Search::grid:
        run(KernelId::world_find_grid, GRID_LANES * moved);
        return run(KernelId::world_find_out, params_.shapes);
    }
}

void DeviceWorlds::find_few(std::uint32_t moved) {
    // as many items as there is use for, and no more than can be counted
    constexpr std::uint64_t at_least = 64, most_items = std::uint64_t{1} << 30;
    const std::uint64_t tests = std::uint64_t{moved} * params_.shapes;
    rigid::WorldParams p = params_;
    p.block = static_cast<std::uint32_t>(std::max(at_least, tests / most_items + 1));
    run(KernelId::world_find_few, params_.shapes * ((moved + p.block - 1) / p.block), p);
}

/// Sleepers that something fixed was put beside, of pairs that are known. Those of new pairs wake as these are added.
void DeviceWorlds::wake_beside_moved() {
    if (!std::exchange(puts_wait_, false) || !somebody_may_sleep_) return;
    run(KernelId::world_wake_beside, contacts_);
    wake_marked();
    pass_on_changes(false);
}

void DeviceWorlds::find_pairs() {
    counts_ = read_counts();
    const std::uint32_t moved = counts_[COUNT_MOVED];
    if (moved == 0) return;
    params_.count = moved;
    moved_since_build_ += moved;
    const Search search = choose_search(moved);
    if (search == Search::tree || search == Search::tree_wide) build_tree();
    if (search == Search::grid) build_grid();
    for (;;) {
        seek(search, moved);
        counts_ = read_counts();
        if (counts_[COUNT_FOUND] <= params_.room) break;
        // nothing was added yet: with room for all they are found again
        grow_contacts(counts_[COUNT_FOUND]);
        device_->fill(array(A::counts), 0, 1, COUNT_FOUND);
    }
    if (const std::uint32_t found = counts_[COUNT_FOUND]; found) {
        const std::uint32_t free = counts_[COUNT_FREE];
        const std::uint32_t behind = found > free ? found - free : 0;
        grow_contacts(contacts_ + behind);
        params_.free_contacts = free;
        params_.contacts = contacts_;
        run(KernelId::world_add, found);
        contacts_ += behind;
        params_.contacts = contacts_;
        counts_[COUNT_FREE] = free > found ? free - found : 0;
        added_ += found;
        wake_marked();
        pass_on_changes(false);
    }
    run(KernelId::world_moved_done, moved);
    order_contacts();
}

void DeviceWorlds::order_contacts() {
    const std::uint32_t free = counts_[COUNT_FREE];
    if (added_ < contacts_ / 4 + 256 && free < contacts_ / 4 + 256) return;
    added_ = 0;
    reserve(A::contact_to, 64 * std::size_t{contact_room_});
    reserve(A::ends_to, 4 * std::size_t{contact_room_}, NOTHING);
    reserve(A::state_to, contact_room_);
    reserve(spare_[2], contact_room_);
    reserve(spare_[3], contact_room_);
    run(KernelId::world_order_keys, contacts_);
    device_->sort(array(A::bucket_keys), array(A::bucket_values), spare_[2], spare_[3], contacts_, 32);
    const std::uint32_t alive = contacts_ - free;
    run(KernelId::world_order_move, alive);
    std::swap(array(A::contact), array(A::contact_to));
    std::swap(array(A::ends), array(A::ends_to));
    std::swap(array(A::state), array(A::state_to));
    // behind them nothing
    device_->fill(array(A::ends), NOTHING, 4 * std::size_t{contact_room_ - alive}, 4 * std::size_t{alive});
    contacts_ = params_.contacts = alive;
    device_->fill(array(A::counts), 0, 1, COUNT_FREE);
    counts_[COUNT_FREE] = 0;
    fill_table();
}

void DeviceWorlds::make_manifolds() {
    run(KernelId::world_survey, contacts_);
    const auto shapes = [&](ShapeType type) { return types_[static_cast<std::size_t>(type)]; };
    const std::uint32_t boxes = shapes(ShapeType::box), spheres = shapes(ShapeType::sphere),
                        rounds = spheres + shapes(ShapeType::capsule);
    const std::uint32_t others = tree_shapes_ - boxes - spheres;
    if (boxes) run(KernelId::world_narrow_boxes, list_size(last_work_[KIND_BOXES]));
    if (rounds) run(KernelId::world_narrow_rounds, list_size(last_work_[KIND_ROUNDS]));
    if (boxes && spheres) {
        run(KernelId::world_narrow_ball_box, list_size(last_work_[KIND_BALL_BOX]));
        run(KernelId::world_narrow_box_ball, list_size(last_work_[KIND_BOX_BALL]));
    }
    if (others) run(KernelId::world_narrow_convex, list_size(last_work_[KIND_CONVEX]));
    if (sensors_) run(KernelId::world_narrow_sensors, list_size(last_work_[WORK_SENSORS]));
    if (shapes(ShapeType::mesh)) run(KernelId::world_narrow_mesh, list_size(last_work_[KIND_MESH]));
    wake_marked();
    pass_on_changes(false);
}

// colours --------------------------------------------------------------------------------------------------------------

void DeviceWorlds::colour_rounds(std::uint32_t which, std::uint32_t items, std::uint32_t rounds) {
    rigid::WorldParams p = params_;
    p.which = which;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        p.first = round;
        run(KernelId::world_bid, items, p);
        run(KernelId::world_take, items, p);
    }
}

void DeviceWorlds::colour() {
    device_->fill(array(A::colours), 0, params_.bodies);
    run(KernelId::world_colours, contacts_);
    run(KernelId::world_joint_colours, params_.joints);
    // joints first; a few rounds more than last time, and the rest when it turns out that they were not enough
    if (params_.joints) {
        for (;;) {
            colour_rounds(1, params_.joints, joint_rounds_);
            const Counts now = read_counts();
            if (now[COUNT_COLOURED_JOINTS] == now[COUNT_FRESH_JOINTS]) break;
        }
        device_->fill(array(A::counts), 0, 1, COUNT_ROUNDS);
    }
    std::uint32_t rounds = rounds_;
    do {
        colour_rounds(0, list_size(last_fresh_), rounds);
        rounds = 8;
    } while (!list_buckets());
    last_fresh_ = counts_[COUNT_FRESH];
    rounds_ = std::max(2u, counts_[COUNT_ROUNDS] + 2);
    for (std::size_t list = 0; list < WORK_LISTS; ++list) last_work_[list] = counts_[COUNT_WORK + list];
    extras_ = extras_ || counts_[COUNT_EXTRAS];
}

bool DeviceWorlds::list_buckets() {
    device_->fill(array(A::counts), 0, BUCKETS * BUCKET_WORDS, COUNT_BUCKETS);
    if (contacts_) {
        run(KernelId::world_bucket_keys, contacts_);
        reserve(spare_[2], contact_room_);
        reserve(spare_[3], contact_room_);
        device_->sort(array(A::bucket_keys), array(A::bucket_values), spare_[2], spare_[3], contacts_, 8);
        run(KernelId::world_bucket_runs, contacts_);
    }
    run(KernelId::world_joint_counts, params_.joints);
    run(KernelId::world_bucket_table, BUCKETS - 1);
    // at most a block of each bucket is not full
    const std::size_t items = contacts_ + params_.joints + BUCKETS * std::size_t{32};
    reserve(A::slots, items);
    device_->fill(array(A::slots), NOTHING, items);
    run(KernelId::world_bucket_place, contacts_);
    run(KernelId::world_joint_place, params_.joints);
    counts_ = read_counts();
    return counts_[COUNT_COLOURED] == counts_[COUNT_FRESH];
}

DeviceWorlds::BucketPlace DeviceWorlds::bucket(std::uint32_t colour, std::uint32_t kind) const {
    const std::uint32_t key = 4 * colour + kind;
    const std::uint32_t* of = &counts_[COUNT_BUCKETS + BUCKET_WORDS * key];
    return {of[BUCKET_FIRST], of[BUCKET_COUNT], of[BUCKET_BLOCK], of[BUCKET_EXTRA]};
}

rigid::WorldParams DeviceWorlds::of_bucket(std::uint32_t colour, std::uint32_t kind) const {
    rigid::WorldParams p = params_;
    const BucketPlace place = bucket(colour, kind);
    p.first = place.first;
    p.count = place.count;
    p.block = place.block;
    p.extra_first = place.extra_first;
    p.overflow = colour == overflow;
    p.push_first = place.first - bucket(overflow, 0).first;
    return p;
}

/// The overflow in canonical order, and for each of its bodies which items push it.
void DeviceWorlds::split_overflow() {
    const std::uint32_t entries = overflow_entries();
    if (entries == 0) return;
    reserve(A::split_keys, 2 * std::size_t{entries});
    reserve(A::split_parts, entries);
    reserve(spare_[2], 2 * std::size_t{entries});
    reserve(spare_[3], entries);
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        rigid::WorldParams p = of_bucket(overflow, kind);
        p.which = kind;
        run(KernelId::world_overflow_keys, p.count, p);
        device_->sort64(array(A::split_keys), array(A::split_parts), spare_[2], spare_[3], p.count, 64);
        run(KernelId::world_overflow_slots, p.count, p);
    }
    std::uint32_t at = 0;
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        rigid::WorldParams p = of_bucket(overflow, kind);
        p.which = kind;
        p.block = at;
        run(KernelId::world_push_keys, p.count, p);
        at += 2 * p.count;
    }
    device_->sort64(array(A::split_keys), array(A::split_parts), spare_[2], spare_[3], entries, 64);
    device_->fill(array(A::split), std::bit_cast<std::uint32_t>(1.0f), params_.bodies);
    const std::uint32_t items = counts_[COUNT_ITEMS] - bucket(overflow, 0).first;
    reserve(A::push, 16 * std::size_t{items});
    params_.count = entries;
    if (settings().solver != Solver::sor || settings().sor_schedule != SorSchedule::groups)
        return run(KernelId::world_split_count, entries);
    reserve(A::pieces, 2 * std::size_t{items});
    rigid::WorldParams p = params_;
    p.block = items;
    run(KernelId::world_pieces_begin, 2 * items, p);
    run(KernelId::world_group_pieces, entries, p);
}

void DeviceWorlds::stop_fast_bodies() {
    for (std::uint32_t pass = 0; pass < params_.step.continuous; ++pass) {
        rigid::WorldParams p = params_;
        p.which = pass;
        run(KernelId::world_sweep, std::max(contacts_, params_.shapes), p);
        if (pass == 0) run(KernelId::world_sweep_beyond, params_.shapes, p);
        if (pass == 0 && params_.joints > 0) run(KernelId::world_sweep_lag, params_.bodies, p);
        run(KernelId::world_stop, params_.bodies, p);
    }
}

// sleep -----------------------------------------------------------------------------------------------------------------

/// The host must know: a broken joint is destroyed, and its bodies may collide.
void DeviceWorlds::find_broken() {
    run(KernelId::world_joint_breaks, params_.joints);
    const std::uint32_t count = read_counts()[COUNT_BROKEN];
    if (count == 0) return;
    broken_.resize(count);
    device_->download(broken_.data(), array(A::fresh), 4 * std::size_t{count});
    std::sort(broken_.begin(), broken_.end());
    for (std::uint32_t n = 0; n <= members_.size(); ++n)
        broken_begin_.push_back(static_cast<std::uint32_t>(
            std::lower_bound(broken_.begin(), broken_.end(), std::uint64_t{n} * stride_.joints) -
            broken_.begin()));
    for (std::uint32_t& j : broken_) j %= stride_.joints;
}

void DeviceWorlds::rest_and_sleep() {
    run(KernelId::world_quarantine, params_.bodies);
    if (settings().sleeping) {
        if (kinematic_) {
            run(KernelId::world_stir, contacts_);
            run(KernelId::world_stir_joined, params_.joints);
            wake_marked();
            pass_on_changes(false);
        }
        run(KernelId::world_tire, params_.bodies);
        if (phases_[(0u - steps_) % STEPS_BETWEEN]) {
            run(KernelId::world_unite, contacts_);
            run(KernelId::world_unite_joints, params_.joints);
            unite_touched();
            run(KernelId::world_least_rest, params_.bodies);
            run(KernelId::world_fall_asleep, params_.bodies);
        }
    }
    pass_on_changes(false);
}

} // namespace scree
