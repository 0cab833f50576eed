// SPDX-License-Identifier: MIT
// movers.cpp — moves the doors, platforms, buttons and trains of a scene before a step, and fires its triggers after it. + - * / and square
// roots in double precision only: the same bits on every machine.
#include "scene/rigid/parts.h"
#include "scene/rotation.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace scree {
namespace {

using Type = LevelMover::Type;
using Cause = LevelTrigger::Type;
constexpr double plat_patience = 1; // s that a platform stays up after the last visitor

double time_of(const RigidScene& scene, const World& world) {
    return static_cast<double>(world.steps_done()) * double{scene.time_step};
}

/// One round of moves or of firing.
class LevelRun {
public:
    LevelRun(const RigidScene& scene, World& world, SceneState& state)
        : scene_(scene),
          world_(world),
          state_(state),
          bodies_(world.bodies()),
          now_(time_of(scene, world)),
          fired_movers_(scene.movers.size()),
          fired_triggers_(scene.triggers.size()) {}

    void move() {
        for (std::size_t m = 0; m < scene_.movers.size(); ++m) advance(m);
        for (std::size_t m = 0; m < scene_.movers.size(); ++m) steer(m);
        for (std::size_t t = 0; t < scene_.triggers.size(); ++t) act_on_visitors(t);
    }

    void sense() {
        const Events& events = world_.events();
        for (const SensorEvent& event : events.sensor_ends)
            if (std::vector<ShapeId>* inside = visitors(event.sensor_body))
                // one of them: it is there once for each brush that it is in
                if (const auto at = std::find(inside->begin(), inside->end(), event.visitor);
                    at != inside->end())
                    inside->erase(at);
        // by group: what meets a second brush of a door has turned the door back already
        std::vector<bool> blocked(scene_.movers.size());
        for (std::size_t m = 0; m < scene_.movers.size(); ++m)
            if (!at(m).inside.empty()) blocked[scene_.movers[m].group] = true;
        for (const SensorEvent& event : events.sensor_begins)
            if (std::vector<ShapeId>* inside = visitors(event.sensor_body); inside && counts(event)) {
                inside->push_back(event.visitor);
                for (std::size_t m = 0; m < scene_.movers.size(); ++m)
                    if (inside == &at(m).inside && !blocked[scene_.movers[m].group]) {
                        blocked[scene_.movers[m].group] = true;
                        turn_back(m);
                    }
            }
        std::vector<LevelState::Delayed> due;
        std::erase_if(state_.level.delayed, [&](const LevelState::Delayed& each) {
            if (each.at > now_) return false;
            due.push_back(each);
            return true;
        });
        for (const LevelState::Delayed& each : due) fire(each.target);
        for (std::size_t t = 0; t < scene_.triggers.size(); ++t) {
            const Cause cause = scene_.triggers[t].type;
            if ((cause == Cause::touch || cause == Cause::multiple) && visited(t)) set_off(t);
        }
    }

private:
    double dt() const { return double{scene_.time_step}; }
    LevelState::Mover& at(std::size_t mover) { return state_.level.movers[mover]; }
    static bool moves(const LevelState::Mover& s) { return s.from != s.to; }

    double way_length(const LevelMover& mover, std::uint32_t from, std::uint32_t to) const {
        const LevelMover::Stop &a = mover.stops[from], &b = mover.stops[to];
        return mover.turns ? std::fabs(b.turn - a.turn) : length(b.move - a.move);
    }

    void go(std::size_t m, std::uint32_t to) {
        LevelState::Mover& s = at(m);
        if (moves(s)) { // back on the way it came
            s.done = way_length(scene_.movers[m], s.from, s.to) - s.done;
            std::swap(s.from, s.to);
            return;
        }
        s.to = to;
        s.done = 0;
    }

    /// Along its way, or through its time at a stop.
    void advance(std::size_t m) {
        const LevelMover& mover = scene_.movers[m];
        LevelState::Mover& s = at(m);
        if (mover.type == Type::rotating) {
            if (s.wait >= 0) s.done = std::fmod(s.done + mover.speed * dt(), 360); // exact
            return;
        }
        if (!moves(s)) {
            if (s.wait < 0) return;
            if (mover.type == Type::plat && s.from == 1 && someone_on(m))
                s.wait = std::max(s.wait, plat_patience);
            if (s.wait > 0) s.wait = std::max(0.0, s.wait - dt());
            const LevelMover::Stop& stop = mover.stops[s.from];
            if (s.wait > 0 || !stop.next) return;
            go(m, *stop.next);
        }
        if (mover.type == Type::train && !s.inside.empty()) return; // somebody is in the way
        s.done += mover.speed * dt();
        if (s.done < way_length(mover, s.from, s.to)) return;
        s.from = s.to;
        s.done = 0;
        arrive(m);
    }

    void arrive(std::size_t m) {
        const LevelMover& mover = scene_.movers[m];
        LevelState::Mover& s = at(m);
        s.wait = mover.stops[s.from].wait;
        if (mover.type == Type::train) return;
        if (s.from == 0 || mover.toggles) s.wait = -1;
        if (s.from == 1 && mover.delay)
            for (const LevelTarget& target : mover.targets)
                state_.level.delayed.push_back({now_ + *mover.delay, target});
    }

    /// Gives the body the velocity that takes it to where it is after the step; nothing while it rests.
    void steer(std::size_t m) {
        const LevelMover& mover = scene_.movers[m];
        LevelState::Mover& s = at(m);
        const LevelMover::Stop &a = mover.stops[s.from], &b = mover.stops[s.to];
        const double whole = way_length(mover, s.from, s.to), share = whole > 0 ? s.done / whole : 0;
        const BodyDef& def = scene_.bodies[mover.body].body;
        const double turn = mover.type == Type::rotating ? s.done : a.turn + share * (b.turn - a.turn);
        const DVec3 position = def.position + a.move + share * (b.move - a.move);
        const Quat rotation =
            narrow(normalized(wide(*rotation_by_degrees(wide(mover.axis), turn)) * wide(def.rotation)));
        const bool running =
            moves(s) || (mover.type == Type::rotating && s.wait >= 0) || !is_there(m, position, rotation);
        if (!running && !s.running) return;
        s.running = running;
        world_.set_target(bodies_[mover.body], position, rotation, scene_.time_step);
    }
    /// A mover that has just come to its stop still goes the last bit.
    bool is_there(std::size_t m, DVec3 position, Quat rotation) const {
        if (!state_.level.movers[m].running) return true;
        const BodyId body = bodies_[scene_.movers[m].body];
        const Quat off = conjugate(world_.state(body).rotation) * rotation;
        return length(world_.position(body) - position) < 1e-5 &&
               off.x * off.x + off.y * off.y + off.z * off.z < 1e-10f;
    }

    bool someone_on(std::size_t m) const {
        for (std::size_t t = 0; t < scene_.triggers.size(); ++t)
            if (scene_.triggers[t].type == Cause::touch &&
                scene_.triggers[t].targets ==
                    std::vector<LevelTarget>{{false, static_cast<std::uint32_t>(m)}} &&
                visited(t))
                return true;
        return false;
    }

    /// Something came in the way of a door or a platform.
    void turn_back(std::size_t m) {
        const LevelMover& mover = scene_.movers[m];
        if (mover.type != Type::door && mover.type != Type::plat) return;
        if (!moves(at(m))) return;
        for (std::size_t other = 0; other < scene_.movers.size(); ++other)
            if (scene_.movers[other].group == mover.group && moves(at(other))) go(other, 1);
    }

    // triggers ---------------------------------------------------------------------------------------------------------

    void fire(const LevelTarget& target) {
        if (target.trigger) set_off(target.number);
        else fire_group(target.number, false);
    }

    /// `touched`: by what stands on a platform, which goes up for it and not down.
    void fire_group(std::uint32_t mover, bool touched) {
        const std::uint32_t group = scene_.movers[mover].group;
        for (std::size_t m = 0; m < scene_.movers.size(); ++m) {
            if (scene_.movers[m].group != group || fired_movers_[m]) continue;
            if (touched && scene_.movers[m].type == Type::plat && at(m).from != 0) continue;
            fired_movers_[m] = true;
            fire_mover(m);
        }
    }

    void fire_mover(std::size_t m) {
        const LevelMover& mover = scene_.movers[m];
        LevelState::Mover& s = at(m);
        const LevelMover::Stop& stop = mover.stops[s.from];
        switch (mover.type) {
        case Type::rotating:
            s.wait = s.wait < 0 ? 0 : -1;
            break;
        case Type::train:
            if (!moves(s) && s.wait < 0 && stop.next) go(m, *stop.next);
            break;
        case Type::button:
            if (!moves(s) && s.from == 0) go(m, 1);
            break;
        case Type::plat:
            if (moves(s)) break;
            if (s.from == 0) go(m, 1);
            else if (s.wait < 0) go(m, 0);
            break;
        case Type::door:
            if (!moves(s)) {
                if (s.from == 0) go(m, 1);
                else if (mover.toggles) go(m, 0);
                else s.wait = stop.wait;
            } else if (s.to == 0 || mover.toggles) {
                go(m, s.from);
            }
        }
    }

    /// Fires its targets, and those of triggers among them before the next: chains are too long to call for each.
    void set_off(std::size_t first) {
        begin(first);
        while (!chain_.empty()) {
            Link& last = chain_.back();
            const LevelTrigger& trigger = scene_.triggers[last.trigger];
            if (last.next == trigger.targets.size()) {
                chain_.pop_back();
                continue;
            }
            const LevelTarget& target = trigger.targets[last.next++];
            if (trigger.delay > 0) state_.level.delayed.push_back({now_ + trigger.delay, target});
            else if (target.trigger) begin(target.number);
            else fire_group(target.number, trigger.type == Cause::touch);
        }
    }

    /// Each trigger at most once a step, so that a ring of triggers ends.
    void begin(std::size_t t) {
        const LevelTrigger& trigger = scene_.triggers[t];
        LevelState::Trigger& s = state_.level.triggers[t];
        if (fired_triggers_[t] || s.spent || now_ < s.ready) return;
        fired_triggers_[t] = true;
        if (trigger.type == Cause::counter && ++s.count < trigger.count) return;
        s.spent = trigger.wait < 0 || trigger.type == Cause::counter;
        s.ready = now_ + std::max(trigger.wait, 0.0);
        chain_.push_back({t, 0});
    }

    bool is_player(BodyId body) const { return state_.player && state_.player->body() == body; }
    bool visited(std::size_t t) const {
        const std::vector<ShapeId>& inside = state_.level.triggers[t].inside;
        return std::any_of(inside.begin(), inside.end(), [&](ShapeId shape) {
            return world_.alive(shape) && (!scene_.triggers[t].only_player || is_player(world_.body(shape)));
        });
    }

    void act_on_visitors(std::size_t t) {
        const LevelTrigger& trigger = scene_.triggers[t];
        if (trigger.type != Cause::push && trigger.type != Cause::teleport) return;
        if (state_.level.triggers[t].spent) return;
        std::vector<BodyId> seen;
        for (const ShapeId shape : state_.level.triggers[t].inside) {
            if (!world_.alive(shape)) continue;
            const BodyId body = world_.body(shape);
            if (std::find(seen.begin(), seen.end(), body) != seen.end()) continue;
            seen.push_back(body);
            if (trigger.only_player && !is_player(body)) continue;
            if (trigger.type == Cause::push) push(trigger, body);
            else teleport(trigger, body);
            state_.level.triggers[t].spent = trigger.wait < 0;
        }
    }
    void push(const LevelTrigger& trigger, BodyId body) {
        if (is_player(body)) state_.player->launch(trigger.velocity);
        else if (world_.type(body) == BodyType::dynamic)
            world_.set_velocity(body, trigger.velocity, world_.state(body).angular_velocity);
    }
    void teleport(const LevelTrigger& trigger, BodyId body) {
        if (is_player(body)) {
            state_.player->set_position(world_, trigger.destination);
        } else if (world_.type(body) == BodyType::dynamic) {
            // as high as a player's middle, so that what is smaller does not stand in the floor
            const DVec3 middle = trigger.destination + DVec3{0, 0.9, 0};
            world_.set_pose(body, middle, world_.state(body).rotation);
            world_.set_velocity(body, trigger.velocity);
        }
    }

    // sensors ----------------------------------------------------------------------------------------------------------

    std::optional<std::uint32_t> number_of(BodyId body) const {
        const auto found = std::lower_bound(bodies_.begin(), bodies_.end(), body,
                                            [](BodyId a, BodyId b) { return a.index < b.index; });
        if (found == bodies_.end() || *found != body) return std::nullopt;
        return static_cast<std::uint32_t>(found - bodies_.begin());
    }
    /// The list of those inside, for a sensor of a trigger or a mover.
    std::vector<ShapeId>* visitors(BodyId sensor) {
        const auto number = number_of(sensor);
        if (!number) return nullptr;
        for (std::size_t t = 0; t < scene_.triggers.size(); ++t)
            if (scene_.triggers[t].body == number) return &state_.level.triggers[t].inside;
        for (std::size_t m = 0; m < scene_.movers.size(); ++m)
            if (scene_.movers[m].body == *number) return &state_.level.movers[m].inside;
        return nullptr;
    }
    /// Movers and what stands still are no visitors.
    bool counts(const SensorEvent& event) const {
        if (!world_.alive(event.visitor) || world_.type(event.visitor_body) == BodyType::fixed) return false;
        const auto number = number_of(event.visitor_body);
        return std::none_of(scene_.movers.begin(), scene_.movers.end(),
                            [&](const LevelMover& mover) { return mover.body == number; });
    }

    const RigidScene& scene_;
    World& world_;
    SceneState& state_;
    std::vector<BodyId> bodies_;
    double now_;
    std::vector<bool> fired_movers_, fired_triggers_; ///< in this round
    struct Link {
        std::size_t trigger = 0, next = 0; ///< of its targets
    };
    std::vector<Link> chain_; ///< triggers that are going off, each set off by the one before it
};

} // namespace

SceneState begin_scene(const RigidScene& scene) {
    SceneState state;
    for (const LevelMover& mover : scene.movers) {
        LevelState::Mover& s = state.level.movers.emplace_back();
        s.from = s.to = mover.first;
        s.wait = mover.runs ? 0 : -1;
    }
    state.level.triggers.resize(scene.triggers.size());
    return state;
}

void add_player(const RigidScene& scene, World& world, SceneState& state, std::size_t start) {
    if (start >= scene.starts.size())
        throw Error("there is no start " + std::to_string(start) + ": the level has " +
                        std::to_string(scene.starts.size()) + " places for players (info_player_start)",
                    "add_player");
    if (state.player) {
        state.player->set_position(world, scene.starts[start].feet);
        return;
    }
    CharacterDef def;
    def.position = scene.starts[start].feet;
    def.step_height = 0.57f; // Quake's 18 units
    def.height = 1.75f;      // 56 units
    def.radius = 0.4f;
    state.player.emplace(world, def);
}

void move_level(const RigidScene& scene, World& world, SceneState& state) {
    if (scene.movers.empty() && scene.triggers.empty()) return;
    LevelRun(scene, world, state).move();
}

void sense_level(const RigidScene& scene, World& world, SceneState& state) {
    if (scene.movers.empty() && scene.triggers.empty()) return;
    LevelRun(scene, world, state).sense();
}

} // namespace scree
