// SPDX-License-Identifier: MIT
// rigid_looks.cpp — what both worlds are asked: arrays, memory of devices, and after a step all that equal worlds answer alike.
#include "fuzz/api/rigid.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace scree::fuzz {

namespace {

template <class R, class... Params>
using Asks = R (World::*)(Params...) const;

} // namespace

std::vector<float> RigidRun::living(int side, std::span<const float> quads) {
    std::vector<float> kept;
    for (const BodyId id : world(side).bodies())
        if (4 * std::size_t{id.index} + 4 <= quads.size())
            kept.insert(kept.end(), &quads[4 * id.index], &quads[4 * id.index] + 4);
    return kept;
}

void RigidRun::positions(bool rotations) {
    both(signature_, called(rotations ? "rotations()" : "positions()"), [&](int side) {
        return living(side, rotations ? world(side).rotations() : world(side).positions());
    });
}

void RigidRun::device_state() {
    // what lies on a GPU cannot be read from here
    const bool readable = place(0).device().starts_with("cpu") && place(1).device().starts_with("cpu");
    both(signature_, called("device_state()"), [&](int side) {
        const DeviceState state = world(side).device_state();
        return readable ? living(side, {state.positions, 4 * std::size_t{state.bodies}})
                        : std::vector<float>{};
    });
}
void RigidRun::device_requests() {
    // kernels of the user's write them; from here only what is host memory
    if (!place(0).device().starts_with("cpu") || !place(1).device().starts_with("cpu")) return;
    const std::uint32_t room = in.wrong() ? in.one_of({0u, 1u << 25}) : 1 + in.below(6);
    std::vector<std::pair<BodyRequest, Ref<BodyId>>> list(in.below(8));
    for (auto& [request, ref] : list) {
        request.action = in.wrong() ? static_cast<RequestAction>(in.below(5))
                                    : in.one_of({RequestAction::make, RequestAction::destroy});
        request.key = in.below(4);
        const std::vector<BodyId>& all = now().bodies.alive;
        if (!all.empty()) ref.id = all[in.below(static_cast<std::uint32_t>(all.size()))];
        if (in.wrong()) ref.foreign = 1;
        for (float& number : request.position) number = in.number(-3, 3);
        for (float& number : request.velocity) number = in.number(-3, 3);
        if (in.wrong()) request.rotation[in.below(4)] = std::numeric_limits<float>::quiet_NaN();
    }
    both(signature_, called("device_requests()"), [&](int side) {
        const DeviceRequests memory = world(side).device_requests(room);
        // where there is room for all, threads write in any order
        const std::size_t turn = list.size() <= room && side ? 3 : 0;
        for (std::size_t k = 0; k < std::min<std::size_t>(list.size(), room); ++k) {
            const auto& [request, ref] = list[(k + turn) % list.size()];
            const BodyId id = at(side, ref);
            memory.list[k] = request;
            memory.list[k].body = id.index;
            memory.list[k].generation = id.generation;
        }
        *memory.count = static_cast<std::uint32_t>(list.size());
        return memory.room;
    });
}
void RigidRun::device_states() {
    if (!is_many()) return;
    both(signature_, "worlds.device_states()", [&](int side) { worlds(side).device_states(); });
}

void RigidRun::begin_read() {
    both(signature_, called("begin_read()"), [&](int side) { world(side).begin_read(); });
    // worlds that are stepped together read together
    for (Member& member : members_) member.read.reset();
    now().read = world(0).bodies();
}
void RigidRun::end_read() {
    const auto& read = now().read;
    if (!read && is_many()) return;
    both(signature_, called("end_read()"), [&](int side) {
        const PoseRead poses = world(side).end_read();
        std::vector<float> kept;
        if (!read) return kept;
        for (const BodyId id : *read)
            for (const std::span<const float> quads : {poses.positions, poses.rotations})
                if (4 * std::size_t{id.index} + 4 <= quads.size())
                    kept.insert(kept.end(), &quads[4 * id.index], &quads[4 * id.index] + 4);
        return kept;
    });
}

void RigidRun::unlike() {
    both("World::counters()", called("counters()"), [&](int side) { world(side).counters(); });
    both("World::tree()", called("tree()"), [&](int side) { world(side).tree(); });
    both("World::memory()", called("memory()"), [&](int side) { world(side).memory(); });
    both("World::traffic()", called("traffic()"), [&](int side) { world(side).traffic(); });
    both("World::stage_seconds()", called("stage_seconds()"), [&](int side) { world(side).stage_seconds(); });
}

/// Everything that two equal worlds answer alike.
void RigidRun::look() {
    const auto ask = [&](const char* signature, auto function) {
        return call<std::invoke_result_t<decltype(function), World&>>(signature, function);
    };
    try {
        // refused when shapes together have no valid mass
        if (!ask("World::hash()", &World::hash)) return;
    } catch (const Difference&) {
        for (const BodyId id : now().bodies.alive) // say which body
            call<BodyState>("World::state(BodyId)", Asks<BodyState, BodyId>(&World::state), Ref<BodyId>{id});
        throw;
    }
    ask("World::contacts()", Asks<std::vector<ContactInfo>>(&World::contacts));
    ask("World::events()", &World::events);
    ask("World::quarantined()", &World::quarantined);
    ask("World::broken_joints()", &World::broken_joints);
    if (counted_) ask("World::counters()", &World::counters);
    ask("World::bodies()", &World::bodies);
    const auto measure = ask("World::measure()", Asks<WorldMeasure>(&World::measure));
    signature_ = "World::positions()";
    positions(false);
    if (!now().bodies.alive.empty()) {
        const BodyId some =
            now().bodies.alive[static_cast<std::size_t>(steps_left_ + 60) % now().bodies.alive.size()];
        const auto state = call<BodyState>("World::state(BodyId)", Asks<BodyState, BodyId>(&World::state),
                                           Ref<BodyId>{some});
        if (state && !(is_finite(state->position) && is_finite(state->velocity)))
            throw Difference("a body is not finite: " + text_of(*state));
    }
    touched_ = touched_ || measure->contacts > 0;
    slept_ = slept_ || measure->asleep > 0;
    awoke_ = awoke_ || measure->asleep < now().asleep;
    now().asleep = measure->asleep;
}

void RigidRun::look_at_all() {
    since_look_ = 0;
    const Silence silence(*this);
    const std::uint32_t before = current_;
    for (current_ = 0; current_ < members_.size(); ++current_) look();
    current_ = before;
}

} // namespace scree::fuzz
