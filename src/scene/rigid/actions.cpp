// SPDX-License-Identifier: MIT
// actions.cpp — actions of rigid scenes, and the script that carries them out.
#include "scene/fields.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scree/error.h"

#include <algorithm>

namespace scree {

SceneAction read_action(const Field& entry, const RigidBodyList& bodies,
                        const std::vector<SceneAction>& before) {
    const Fields fields(entry, format::action);
    SceneAction action;
    const auto is_taken = [&](const auto& same) { return std::any_of(before.begin(), before.end(), same); };
    const Field name = fields.at("name");
    action.name = name.text();
    if (action.name.empty() || action.name.find_first_of(" \t\r\n") != std::string::npos)
        name.refuse("a name without spaces");
    if (is_taken([&](const SceneAction& other) { return other.name == action.name; }))
        name.fail("there are two actions \"" + action.name + "\"");
    if (const auto key = fields.find("key")) {
        const std::string text = key->text();
        const bool known =
            text.size() == 1 && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= '0' && text[0] <= '9'));
        if (!known) key->refuse("a letter from A to Z or a digit");
        action.key = text[0];
        if (is_taken([&](const SceneAction& other) { return other.key == action.key; }))
            key->fail("two actions have the key \"" + text + "\"");
    }
    if (const auto body = fields.find("body")) action.body = bodies.body(*body);
    action.impulse = fields.vector("impulse", {});
    action.angular_impulse = fields.vector("angular_impulse", {});
    const bool pushes = fields.has("impulse") || fields.has("angular_impulse");
    if (action.body && !pushes) entry.fail("expected \"impulse\" or \"angular_impulse\" for the body");
    if (pushes && !action.body) entry.fail("expected \"body\", which the impulse acts on");
    if (const auto explosion = fields.find("explosion")) {
        const TimedExplosion timed = read_explosion(*explosion);
        if (timed.at != 0) explosion->fail("an action has no time of its own: expected no \"at\"");
        action.explosion = timed.explosion;
    }
    if (!pushes && !action.explosion) entry.fail("expected an impulse or \"explosion\"");
    return action;
}

TimedAction read_script_line(const Field& entry, const std::vector<SceneAction>& actions) {
    const Fields fields(entry, format::script_line);
    const Field name = fields.at("action");
    const std::string wanted = name.text();
    const auto found = std::find_if(actions.begin(), actions.end(),
                                    [&](const SceneAction& action) { return action.name == wanted; });
    if (found == actions.end()) name.refuse("the name of an action");
    return {static_cast<std::uint32_t>(found - actions.begin()), fields.at("at").number64(not_negative)};
}

void carry_out(const SceneAction& action, World& world) {
    if (action.body) {
        const BodyId body = world.bodies()[*action.body];
        world.apply_impulse(body, action.impulse);
        world.apply_angular_impulse(body, action.angular_impulse);
    }
    if (action.explosion) world.explode(*action.explosion);
}

void act(const RigidScene& scene, World& world, const std::string& action) {
    for (const SceneAction& each : scene.actions)
        if (each.name == action) return carry_out(each, world);
    throw Error("the scene has no action \"" + action + "\"", "act");
}

} // namespace scree
