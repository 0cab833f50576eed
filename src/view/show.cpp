// SPDX-License-Identifier: MIT
// show.cpp — LiveScene: what it shows of its world. Nothing here changes the world.
#include "scene/recorded.h"
#include "view/granular_contacts.h"
#include "view/live_scene.h"

#include <algorithm>

namespace scree::view {
namespace {

Measures words_of(const WorldMeasure& m) {
    return {m.kinetic_energy, m.potential_energy, m.max_overlap, m.mean_overlap, m.max_speed, m.top,
            m.joint_error,    m.contacts,         m.asleep,      m.frozen};
}

Measures words_of(const GranularMeasure& m) {
    return {m.kinetic_energy, m.potential_energy, m.max_overlap, m.mean_overlap, m.max_speed, m.top, 0,
            m.contacts,       m.asleep,           m.frozen};
}

/// With the bodies' numbers in place of their indices.
std::vector<ContactInfo> numbered(std::vector<ContactInfo> contacts, const std::vector<BodyId>& ids) {
    const auto number = [&](BodyId& body) {
        const auto at = std::lower_bound(ids.begin(), ids.end(), body,
                                         [](BodyId a, BodyId b) { return a.index < b.index; });
        body.index = static_cast<std::uint32_t>(at - ids.begin());
    };
    for (ContactInfo& contact : contacts) {
        number(contact.first_body);
        number(contact.second_body);
    }
    return contacts;
}

template <class Seconds>
void last_step(const Seconds& all, const std::vector<double>& before, std::vector<double>& out) {
    out.clear();
    if (before.size() != all.size()) return;
    for (std::size_t k = 0; k < all.size(); ++k) out.push_back(std::max(0.0, all[k] - before[k]));
}

} // namespace

void LiveScene::show(Frame& frame, const Wishes& wishes) const {
    frame.step = steps_done();
    frame.time = time();
    frame.looks = looks_;
    frame.contacts.clear();
    frame.tree.clear();
    frame.stage_seconds.clear();
    frame.obstacles.clear();
    frame.counters = {};
    frame.measures.reset();
    frame.hash.reset();
    frame.hold.reset();
    frame.bodies.resize(body_count());
    if (rigid_) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const BodyState body = rigid_->state(ids_[i]);
            frame.bodies[i] = {{body.position, body.rotation}, body.centre, body.velocity,
                               body.angular_velocity,          body.asleep, body.frozen};
        }
        if (wishes.contacts) frame.contacts = numbered(rigid_->contacts(), ids_);
        if (wishes.tree) frame.tree = rigid_->tree();
        if (wishes.measures) frame.measures = words_of(rigid_->measure());
        if (timing_) last_step(rigid_->stage_seconds(), seconds_before_, frame.stage_seconds);
        frame.counters = rigid_->counters();
        frame.memory = rigid_->memory().total();
    } else {
        const auto bodies = granular_->bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const GranularBodyState& body = bodies[i];
            frame.bodies[i] = {{body.position, body.rotation}, body.position, body.velocity(),
                               body.angular_velocity,          body.asleep,   body.frozen};
            frame.counters.awake += !body.asleep && !body.frozen;
        }
        for (const Obstacle& obstacle : granular_->obstacles())
            frame.obstacles.push_back({obstacle.position, obstacle.rotation});
        if (wishes.contacts) frame.contacts = granular_contacts(*granular_);
        if (wishes.measures) {
            frame.measures = words_of(granular_->measure());
            frame.counters.contacts = static_cast<std::uint32_t>(frame.measures->contacts / 2);
        }
        if (timing_) last_step(granular_->stage_seconds(), seconds_before_, frame.stage_seconds);
        frame.memory = granular_->memory();
    }
    if (wishes.hash) frame.hash = hash();
    if (grab_) frame.hold = Hold{grab_->body, narrow(held_point()), target_, force_};
}

void LiveScene::take(scree::Frame& frame) const {
    rigid_ ? take_frame(scene_, *rigid_, frame) : take_frame(scene_, *granular_, frame);
}

} // namespace scree::view
