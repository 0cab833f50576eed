// SPDX-License-Identifier: MIT
// state_bytes.cpp — see state_bytes.h. A sealed state, then the world.
#include "scene/rigid/state_bytes.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "scree/error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace scree {
namespace {

constexpr bytes::Seal seal{"screesta", 1, "the state of a scene"};
constexpr std::size_t head = 8; // bytes of the length

void shapes(auto& io, auto& inside) {
    io.items(inside, 8, "shapes inside", [&](auto& shape) { io(shape.index, shape.generation); });
}

void player(auto& io, auto& def, auto& state, auto& body) {
    io(def.position, def.up, def.radius, def.height, def.step_height, def.max_slope, def.mass, def.push_force,
       def.skin);
    io(def.filter.category, def.filter.mask, def.filter.group, def.solid, def.user_data);
    io(state.position, state.velocity, state.height, state.rise_speed, state.ground, state.ground_normal);
    io(state.ground_velocity, state.ground_body.index, state.ground_body.generation, state.drift,
       state.jumps);
    io(body.index, body.generation);
}

void level(auto& io, auto& state) {
    io.items(state.movers, 32, "movers", [&](auto& mover) {
        io(mover.from, mover.to, mover.done, mover.wait, mover.running);
        shapes(io, mover.inside);
    });
    io.items(state.triggers, 20, "triggers", [&](auto& trigger) {
        shapes(io, trigger.inside);
        io(trigger.ready, trigger.count, trigger.spent);
    });
    io.items(state.delayed, 16, "delayed targets",
             [&](auto& each) { io(each.at, each.target.trigger, each.target.number); });
}

/// Only where something rested.
void resting(auto& io, auto& state) {
    io(state.rest_step);
    io.items(state.resting, 32, "resting bodies",
             [&](auto& one) { io(one.body.index, one.body.generation, one.velocity, one.angular_velocity); });
}

/// Numbers of stops and targets that the scene does not have would lead out of its lists.
void check(const bytes::FieldReader& io, const SceneState& state, const RigidScene& scene) {
    const std::size_t movers = scene.movers.size(), triggers = scene.triggers.size();
    if (state.level.movers.size() != movers || state.level.triggers.size() != triggers)
        io.fail("the state has " + std::to_string(state.level.movers.size()) + " movers and " +
                std::to_string(state.level.triggers.size()) + " triggers; expected " +
                std::to_string(movers) + " and " + std::to_string(triggers));
    for (std::size_t m = 0; m < movers; ++m) {
        const std::size_t stops = scene.movers[m].stops.size();
        const std::uint32_t stop = std::max(state.level.movers[m].from, state.level.movers[m].to);
        if (stop >= stops)
            io.fail("mover " + std::to_string(m) + " is at its stop " + std::to_string(stop) +
                    "; expected less than " + std::to_string(stops));
    }
    for (const LevelState::Delayed& each : state.level.delayed)
        if (each.target.number >= (each.target.trigger ? triggers : movers))
            io.fail("a delayed target is not among those of the scene");
}

} // namespace

std::vector<std::byte> with_state(const std::vector<std::byte>& world, const SceneState& state) {
    bytes::Bytes content;
    bytes::FieldWriter io(content);
    level(io, state.level);
    io(state.wish, state.player.has_value());
    if (state.player) {
        const BodyId body = state.player->body();
        player(io, state.player->definition(), state.player->state(), body);
    }
    io(state.crouches);
    if (!state.level.resting.empty() || state.level.rest_step > 0) resting(io, state.level);
    const std::vector<std::byte> sealed = bytes::sealed(seal, 0, content);
    bytes::Bytes length;
    bytes::ByteSink(length).u64(sealed.size());
    std::vector<std::byte> all(head + sealed.size() + world.size());
    std::memcpy(all.data(), length.data(), head);
    std::memcpy(all.data() + head, sealed.data(), sealed.size());
    if (!world.empty()) std::memcpy(all.data() + head + sealed.size(), world.data(), world.size());
    return all;
}

std::span<const std::byte> without_state(std::span<const std::byte> saved, const RigidScene& scene,
                                         SceneState& state) {
    const std::string where = "saved scene";
    bytes::ByteSource in({reinterpret_cast<const std::uint8_t*>(saved.data()), saved.size()}, where);
    const std::uint64_t length = in.u64();
    if (length > in.left()) throw Error("the state of the scene is cut off", where);
    std::uint32_t word = 0;
    bytes::FieldReader io(bytes::unsealed(seal, saved.subspan(head, length), word, where), where);
    bool walks = false;
    level(io, state.level);
    check(io, state, scene);
    io(state.wish, walks);
    state.player.reset();
    if (walks) {
        CharacterDef def;
        CharacterState now;
        BodyId body;
        player(io, def, now, body);
        state.player.emplace(def, now, body);
    }
    state.crouches = false; // states of before players could
    if (io.left() > 0) io(state.crouches);
    state.level.resting.clear(), state.level.rest_step = 0;
    if (io.left() >= 8) resting(io, state.level); // both of its words
    if (io.left() > 0) io.fail("there are more bytes than the state of a scene has");
    return saved.subspan(head + length);
}

} // namespace scree
