// SPDX-License-Identifier: MIT
// motions.cpp — kinematic bodies of rigid scenes that follow keys. + - * / and square roots in double precision only: the same bits on
// every machine.
#include "scene/fields.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Key = BodyMotion::Key;

BodyMotion::Key read_key(const Field& entry) {
    const Fields fields(entry, format::motion_key);
    Key key;
    key.at = fields.at("at").number64(not_negative);
    key.move = fields.vector("move", {});
    if (const auto turn = fields.find("turn")) key.turn = turn->number64();
    return key;
}

/// Where a key takes the body: the way, then the angle.
double part_of(const Key& key, int part) {
    const double parts[] = {double{key.move.x}, double{key.move.y}, double{key.move.z}, key.turn};
    return parts[part];
}

/// Slope at a key between two others, after Fritsch and Butland (1984): 0 where the value turns back or stays, so that no value lies
/// beyond its two keys.
double slope(double time_before, double before, double time_after, double after) {
    const double d0 = before / time_before, d1 = after / time_after;
    if (!(d0 * d1 > 0)) return 0;
    const double w0 = time_before + 2 * time_after, w1 = 2 * time_before + time_after;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// One part of a motion at time t: cubic between keys. It begins and ends at rest unless it repeats.
double part_at(const BodyMotion& motion, int part, double t) {
    const std::vector<Key>& keys = motion.keys;
    const std::size_t last = keys.size() - 1;
    if (motion.repeat && t > keys[last].at) {
        const double period = keys[last].at - keys[0].at;
        t = keys[0].at + std::fmod(t - keys[0].at, period); // exact
    }
    if (t <= keys[0].at) return part_of(keys[0], part);
    if (t >= keys[last].at) return part_of(keys[last], part);
    std::size_t k = 0;
    while (keys[k + 1].at < t) ++k;
    const auto span = [&](std::size_t i) { return keys[i + 1].at - keys[i].at; };
    const auto rise = [&](std::size_t i) { return part_of(keys[i + 1], part) - part_of(keys[i], part); };
    const auto slope_at = [&](std::size_t i) { // i: key; the first follows the last but one when it repeats
        if ((i == 0 || i == last) && !motion.repeat) return 0.0;
        const std::size_t before = i == 0 ? last - 1 : i - 1, after = i == last ? 0 : i;
        return slope(span(before), rise(before), span(after), rise(after));
    };
    const double h = span(k), s = (t - keys[k].at) / h, r = 1 - s;
    return part_of(keys[k], part) * (1 + 2 * s) * r * r + part_of(keys[k + 1], part) * (3 - 2 * s) * s * s +
           h * (slope_at(k) * s * r * r - slope_at(k + 1) * s * s * r);
}

/// A pose as the motion moves it, and the motions that carry that one: turned about the body's first position, then moved.
DPose moved_by(const RigidScene& scene, const BodyMotion& motion, double t, DPose pose) {
    const DVec3 centre = scene.bodies[motion.body].body.position;
    const DVec3 move{part_at(motion, 0, t), part_at(motion, 1, t), part_at(motion, 2, t)};
    const DQuat turn = wide(*rotation_by_degrees(wide(motion.axis), part_at(motion, 3, t)));
    pose = {(centre + move) + rotate(turn, pose.position - centre), turn * pose.rotation};
    return motion.on ? moved_by(scene, scene.motions[*motion.on], t, pose) : pose;
}

} // namespace

BodyMotion read_motion(const Field& entry, const RigidBodyList& bodies, const RigidScene& before) {
    const Fields fields(entry, format::motion);
    BodyMotion motion;
    const Field body = fields.at("body");
    motion.body = bodies.body(body);
    const auto of = [&](std::uint32_t number) {
        return std::find_if(before.motions.begin(), before.motions.end(),
                            [&](const BodyMotion& other) { return other.body == number; });
    };
    if (before.bodies[motion.body].body.type != BodyType::kinematic)
        body.fail("only a body of \"type\": \"kinematic\" follows a motion");
    if (of(motion.body) != before.motions.end()) body.fail("the body has a motion already");
    if (const auto on = fields.find("on")) {
        const auto carrier = of(bodies.body(*on));
        if (carrier == before.motions.end()) on->refuse("a body of a motion before this one");
        motion.on = static_cast<std::uint32_t>(carrier - before.motions.begin());
    }
    motion.axis = fields.vector("axis", motion.axis);
    if (!rotation_by_degrees(wide(motion.axis), 0)) fields.at("axis").refuse("a vector that is not zero");
    if (const auto flag = fields.find("repeat")) motion.repeat = flag->flag();
    const Field keys = fields.at("keys");
    keys.list(2);
    for (std::size_t k = 0; k < keys.list(); ++k) {
        motion.keys.push_back(read_key(keys[k]));
        if (k > 0 && !(motion.keys[k].at > motion.keys[k - 1].at))
            keys[k].fail("expected a later \"at\" than that of the key before");
    }
    const Key &first = motion.keys.front(), &last = motion.keys.back();
    if (motion.repeat && (first.move != last.move || std::fmod(last.turn - first.turn, 360) != 0))
        keys[motion.keys.size() - 1].fail(
            "a motion that repeats ends as it begins: expected the \"move\" of the first key, and its "
            "\"turn\" or whole turns more");
    return motion;
}

void follow_motions(const RigidScene& scene, World& world) {
    if (scene.motions.empty()) return;
    const std::vector<BodyId> bodies = world.bodies();
    const double t = static_cast<double>(world.steps_done() + 1) * double{scene.time_step};
    for (const BodyMotion& motion : scene.motions) {
        const BodyDef& def = scene.bodies[motion.body].body;
        const DPose pose = moved_by(scene, motion, t, {def.position, wide(def.rotation)});
        world.set_target(bodies[motion.body], pose.position, narrow(normalized(pose.rotation)),
                         scene.time_step);
    }
}

} // namespace scree
