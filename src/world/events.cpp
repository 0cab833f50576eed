// SPDX-License-Identifier: MIT
// events.cpp — events of a World, the contacts of one body, and functions of the user that decide about contacts.

#include "scree/event.h"

#include "scree/error.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/measure.h"
#include "world/state.h"
#include "world/stepping.h"
#include "world/waking.h"

#include <algorithm>
#include <utility>

namespace scree {

namespace {

void check_callbacks(const World::State& world) {
    check_no_query(world);
    if (world.simulation->remote())
        throw Error("functions that decide about contacts are called on \"cpu\" only, not on \"" +
                        world.place.device() + "\"; shapes can be one_way on every device",
                    "device");
}

} // namespace

void check_not_called(const World::State& world) {
    if (world.callbacks.calling)
        throw Error("a contact filter or pre-solve function may not change its world", "world");
}

void throw_of_callbacks(World::State& world) {
    if (const std::exception_ptr thrown = std::exchange(world.callbacks.thrown, nullptr))
        std::rethrow_exception(thrown);
}

const Events& World::events() const {
    state_->simulation->fetch_events();
    state_->events.cloths_fell_asleep = state_->cloths.fell_asleep;
    state_->events.cloths_woke = state_->cloths.woke;
    state_->events.torn = state_->cloths.torn;
    return state_->events;
}

void World::set_region(const std::optional<Region>& region) {
    if (region) check(*region);
    check_no_query(*state_);
    state_->region = region;
    state_->watched = true;
    state_->simulation->region_changed();
}

std::optional<Region> World::region() const { return state_->region; }

std::vector<ContactInfo> World::contacts(BodyId body) const {
    const std::uint32_t b = checked_index(body, state_->bodies.record.all(), state_->tag, "body");
    update_masses(*state_);
    state_->simulation->fetch();
    return touching_pairs(*state_, b);
}

std::optional<ContactInfo> World::contact(ShapeId first, ShapeId second) const {
    const std::uint32_t s = checked_index(first, state_->shapes.record.all(), state_->tag, "first");
    checked_index(second, state_->shapes.record.all(), state_->tag, "second");
    const ShapeRecord& shape = state_->shapes.record[s];
    for (const ContactInfo& info : contacts(BodyId{shape.body, state_->bodies.record[shape.body].generation}))
        if ((info.first == first && info.second == second) || (info.first == second && info.second == first))
            return info;
    return std::nullopt;
}

void World::set_contact_filter(ContactFilter filter) {
    check_callbacks(*state_);
    if (filter || state_->callbacks.filter) state_->callbacks.changed = true;
    if (filter)
        state_->callbacks.filter = [filter = std::move(filter)](const RigidStorage& world, std::uint32_t a,
                                                                std::uint32_t b) {
            const auto id = [&](std::uint32_t s) { return ShapeId{s, world.shapes.record[s].generation}; };
            return filter(id(a), id(b));
        };
    else state_->callbacks.filter = nullptr;
    wake_all(*state_);
}

void World::set_pre_solve(PreSolve pre_solve) {
    if (pre_solve) refuse_with_impacts(state_->settings, "a pre-solve function");
    check_callbacks(*state_);
    if (pre_solve)
        state_->callbacks.pre_solve = [pre_solve = std::move(pre_solve)](const RigidStorage& world,
                                                                         const PreSolveQuestion& question) {
            return pre_solve(question.contact ? contact_info(world, *question.contact)
                                              : contact_info(world, *question.stop));
        };
    else state_->callbacks.pre_solve = nullptr;
    wake_all(*state_);
}

} // namespace scree
