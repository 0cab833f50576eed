// SPDX-License-Identifier: MIT
// live_scene.cpp — see live_scene.h; what it shows is in show.cpp.
#include "view/live_scene.h"

#include "device/device.h"
#include "scene/settings.h"
#include "scree/error.h"
#include "view/looks.h"

#include <algorithm>
#include <utility>

namespace scree::view {
namespace {

GranularBodyDef as_definition(const GranularBodyState& body) {
    GranularBodyDef def;
    def.shape = body.shape;
    def.position = body.position;
    def.rotation = body.rotation;
    def.velocity = body.velocity();
    def.angular_velocity = body.angular_velocity;
    def.mass = body.mass;
    return def;
}

} // namespace

Vec3 hold_force(const HoldSettings& settings, double mass, double gravity, DVec3 point, DVec3 velocity,
                DVec3 target) {
    const double weight = mass * (gravity > 0 ? gravity : 9.81), most = settings.weights * weight;
    DVec3 force = mass * (settings.rate * settings.rate * (target - point) - 2 * settings.rate * velocity);
    const double size = length(force);
    if (!(size <= most)) force = is_finite(force) ? (most / size) * force : DVec3{};
    return narrow(force);
}

LiveScene::LiveScene(Scene scene, const Place& place) : scene_(std::move(scene)) { build(place); }

void LiveScene::build(const Place& place) {
    if (scene_.rigid) {
        rigid_.emplace(build_rigid_world(scene_, place));
        ids_ = rigid_->bodies();
    } else {
        granular_.emplace(build_world(scene_, place));
    }
    looks_ = make_looks(scene_, rigid_ ? &*rigid_ : nullptr, granular_ ? &*granular_ : nullptr);
}

const Place& LiveScene::place() const { return rigid_ ? rigid_->place() : granular_->place(); }

std::uint64_t LiveScene::steps_done() const {
    return rigid_ ? rigid_->steps_done() : granular_->steps_done();
}
double LiveScene::time() const { return rigid_ ? rigid_->time() : granular_->time(); }
double LiveScene::time_step() const {
    return double{rigid_ ? scene_.rigid->time_step : granular_->settings().time_step};
}
std::uint64_t LiveScene::hash() const { return rigid_ ? rigid_->hash() : granular_->hash(); }
std::uint32_t LiveScene::body_count() const {
    return rigid_ ? rigid_->body_count() : granular_->body_count();
}

double LiveScene::gravity() const {
    return length(wide(rigid_ ? rigid_->settings().gravity : granular_->settings().gravity));
}

// commands -----------------------------------------------------------------------------------------------------------

void LiveScene::apply(const Command& command) {
    std::visit(Overloaded{
                   [&](const Grab& grab) {
                       if (grab.body >= body_count())
                           throw Error(std::to_string(grab.body) + " is not a body of this scene", "grab");
                       if (!is_finite(wide(grab.point))) throw Error("the point is not finite", "grab");
                       grab_ = grab;
                       target_ = narrow(held_point());
                   },
                   [&](const DragTo& drag) {
                       if (!is_finite(wide(drag.target))) throw Error("the target is not finite", "drag");
                       target_ = drag.target;
                   },
                   [&](const Release&) {
                       grab_.reset();
                       force_ = {};
                   },
                   [&](const Shoot& shot) { shoot(shot); },
                   [&](const ChangeSetting& setting) { change(setting); },
               },
               command);
}

void LiveScene::shoot(const Shoot& shot) {
    if (!(shot.radius > 0) || !(shot.mass > 0)) throw Error("radius and mass above 0 were expected", "shoot");
    if (rigid_) {
        BodyDef body;
        body.position = shot.position;
        body.velocity = shot.velocity;
        const double volume = 4.0 / 3.0 * pi * shot.radius * shot.radius * shot.radius;
        ShapeDef shape;
        shape.density = static_cast<float>(shot.mass / volume);
        const BodyId id = rigid_->create_body(body);
        try {
            rigid_->attach(id, Sphere{shot.radius}, shape);
        } catch (const Error&) {
            rigid_->destroy(id);
            throw;
        }
        ids_.push_back(id);
    } else {
        // reference mode knows one radius: a ball is one of the scene's own bodies there
        const GranularSettings& settings = granular_->settings();
        GranularBodyDef body;
        body.position = shot.position;
        body.velocity = shot.velocity;
        body.mass = shot.mass;
        if (settings.mode != GranularMode::reference) {
            const std::string name = "shot " + decimal(shot.radius);
            std::uint32_t shape = 0;
            const auto known = looks_->shapes.size();
            while (shape < known && granular_->shape(shape).name != name) ++shape;
            if (shape == known) {
                GranularShape grain = shapes::grain(shot.radius);
                grain.name = name;
                shape = granular_->add_shape(std::move(grain));
            }
            body.shape = shape;
        } else if (looks_->shapes.empty()) {
            throw Error("the scene has no shapes to shoot with", "shoot");
        }
        granular_->create_body(body);
    }
    renew_looks();
}

void LiveScene::change(const ChangeSetting& change) {
    Scene changed;
    changed.settings = scene_.settings;
    changed.fitted_size = scene_.fitted_size;
    changed.rigid.reset();
    if (rigid_) {
        changed.rigid.emplace();
        changed.rigid->settings = rigid_->settings();
        changed.rigid->time_step = scene_.rigid->time_step;
    }
    apply_setting(changed, change.name, change.value, change.name);
    if (rigid_) {
        rigid_->change_settings(changed.rigid->settings);
        scene_.rigid->settings = changed.rigid->settings;
        scene_.rigid->time_step = changed.rigid->time_step;
    } else {
        granular_->change_settings(changed.settings);
        scene_.settings = changed.settings;
    }
    renew_looks();
}

DVec3 LiveScene::held_point() const {
    if (rigid_) {
        const BodyState body = rigid_->state(ids_[grab_->body]);
        return scree::apply(wide(Pose{body.position, body.rotation}), wide(grab_->point));
    }
    const GranularBodyState& body = granular_->bodies()[grab_->body];
    return scree::apply(wide(Pose{body.position, body.rotation}), wide(grab_->point));
}

/// The held body is pulled during the next step.
void LiveScene::pull() {
    const DVec3 point = held_point();
    const auto velocity_at = [&](Vec3 centre, Vec3 velocity, Vec3 spin) {
        return wide(velocity) + cross(wide(spin), point - wide(centre));
    };
    if (rigid_) {
        const BodyId id = ids_[grab_->body];
        if (rigid_->type(id) != BodyType::dynamic) return;
        const BodyState body = rigid_->state(id);
        force_ = hold_force(hold_, rigid_->mass(id).mass, gravity(), point,
                            velocity_at(body.centre, body.velocity, body.angular_velocity), wide(target_));
        rigid_->apply_force(id, force_, narrow(point));
        return;
    }
    // particle bodies know no outer forces: what the force does in a step is done to the velocity at once
    const GranularBodyState body = granular_->bodies()[grab_->body];
    force_ = hold_force(hold_, body.mass, gravity(), point,
                        velocity_at(body.position, body.velocity(), body.angular_velocity), wide(target_));
    GranularBodyDef def = as_definition(body);
    const double share = time_step() / body.mass;
    def.velocity = narrow(wide(def.velocity) + share * wide(force_));
    granular_->set_body(grab_->body, def);
}

void LiveScene::step() {
    if (grab_) pull();
    if (timing_) {
        const auto seconds = [&](const auto& all) { seconds_before_.assign(all.begin(), all.end()); };
        rigid_ ? seconds(rigid_->stage_seconds()) : seconds(granular_->stage_seconds());
    }
    if (rigid_) {
        step_scene(scene_, *rigid_);
    } else {
        granular_->step();
        granular_->device().finish();
    }
}

// states to come back to ---------------------------------------------------------------------------------------------

LiveScene::State LiveScene::save() const {
    State state;
    state.step = steps_done();
    state.grab = grab_;
    state.target = target_;
    if (rigid_) {
        state.rigid = rigid_->save();
        state.rigid_settings = rigid_->settings();
        state.time_step = scene_.rigid->time_step;
        state.bytes = state.rigid.size();
    } else {
        state.granular = granular_->snapshot();
        state.granular_settings = scene_.settings;
        state.bytes = state.granular.bytes();
    }
    return state;
}

void LiveScene::restore(const State& state) {
    if (rigid_) {
        rigid_ = World::restore(state.rigid, rigid_->place());
        scene_.rigid->settings = state.rigid_settings;
        scene_.rigid->time_step = state.time_step;
        ids_ = rigid_->bodies();
    } else {
        granular_->restore(state.granular);
        scene_.settings = state.granular_settings;
    }
    grab_ = state.grab;
    target_ = state.target;
    force_ = {};
    time_stages(timing_);
    renew_looks();
}

void LiveScene::move_to(const Place& place) {
    const Place there = place_for(scene_, place);
    if (rigid_) {
        rigid_ = World::restore(rigid_->save(), there);
    } else {
        GranularWorld moved(granular_->settings(), there);
        moved.restore(granular_->snapshot());
        granular_ = std::move(moved);
    }
    time_stages(timing_);
}

void LiveScene::time_stages(bool on) {
    timing_ = on;
    seconds_before_.clear();
    rigid_ ? rigid_->time_stages(on) : granular_->time_stages(on);
}

void LiveScene::renew_looks() {
    const auto fresh = make_looks(scene_, rigid_ ? &*rigid_ : nullptr, granular_ ? &*granular_ : nullptr);
    const Looks& old = *looks_;
    const bool same = old.shapes.size() == fresh->shapes.size() && old.ground == fresh->ground &&
                      old.walls == fresh->walls &&
                      std::equal(old.bodies.begin(), old.bodies.end(), fresh->bodies.begin(),
                                 fresh->bodies.end(), [](const BodyLook& a, const BodyLook& b) {
                                     return a.shape == b.shape && a.type == b.type;
                                 });
    if (same) fresh->drawn = old.drawn;
    looks_ = fresh;
}

} // namespace scree::view
