// SPDX-License-Identifier: MIT
// character.cpp — moves a character: along its wish, up or down, then with the ground, each by casts that slide.

#include "scree/character.h"

#include "rigid/quads.h"
#include "scree/error.h"
#include "text/checks.h"
#include "world/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace scree {

namespace {

constexpr float no_way = 1e-6f; // m, shorter ones are not gone

/// The rotation that takes y to this unit vector.
Quat upright(Vec3 up) {
    if (up.y < -0.999999f) return {1, 0, 0, 0};
    const Vec3 axis = cross(Vec3{0, 1, 0}, up);
    return normalized(Quat{axis.x, axis.y, axis.z, 1 + up.y});
}

void check(const CharacterDef& def) {
    check_finite(def.position, "position");
    check_finite(def.up, "up");
    if (!(length(def.up) > 1e-6f)) throw Error("invalid value 0 0 0: expected a direction", "up");
    check_positive(def.radius, "radius");
    check_positive(def.height, "height");
    check_not_negative(def.step_height, "step_height");
    check_not_negative(def.max_slope, "max_slope");
    check_positive(def.mass, "mass");
    check_not_negative(def.push_force, "push_force");
    check_positive(def.skin, "skin");
    if (def.height < 2 * def.radius)
        throw Error("invalid value " + std::to_string(def.height) + ": expected at least twice the radius, " +
                        std::to_string(2 * def.radius),
                    "height");
    if (def.skin >= def.radius)
        throw Error("invalid value " + std::to_string(def.skin) + ": expected less than the radius, " +
                        std::to_string(def.radius),
                    "skin");
}

/// The way that is left when none of these planes may be entered: along one of them, along the line of two, or none.
Vec3 clipped(Vec3 way, const Vec3* planes, int count) {
    const auto enters = [&](Vec3 v, int but, int nor) {
        for (int k = 0; k < count; ++k)
            if (k != but && k != nor && dot(v, planes[k]) < -no_way) return true;
        return false;
    };
    for (int i = 0; i < count; ++i) {
        if (dot(way, planes[i]) >= 0) continue;
        const Vec3 along = way - planes[i] * dot(way, planes[i]);
        if (!enters(along, i, i)) return along;
        for (int j = 0; j < count; ++j) {
            if (j == i || dot(along, planes[j]) >= 0) continue;
            const Vec3 line = normalized(cross(planes[i], planes[j]));
            const Vec3 crease = line * dot(way, line);
            return enters(crease, i, j) ? Vec3{} : crease;
        }
    }
    return way;
}

/// One move of one character.
class Mover {
public:
    Mover(World& world, const CharacterDef& def, float height, BodyId own, float dt)
        : world_(world), def_(def), turn_(upright(def.up)), dt_(dt), height_(height) {
        filter_.filter = def.filter;
        filter_.one_way = true;
        if (own != BodyId{} && world.alive(own)) filter_.ignore = own;
    }

    /// of the capsule, when the feet are here
    DVec3 centre_of(DVec3 feet) const { return feet + wide(def_.up) * (0.5 * double{height_}); }
    DVec3 feet_of(DVec3 centre) const { return centre - wide(def_.up) * (0.5 * double{height_}); }
    Quat turn() const { return turn_; }
    Capsule capsule(float more = 0) const {
        return {std::max(0.5f * height_ - def_.radius, 1e-4f), def_.radius + more};
    }

    bool free(DVec3 centre) const { return world_.overlap({capsule(), centre, turn_}, filter_).empty(); }
    DVec3 pushed_out(DVec3 centre) const;
    DVec3 slide(DVec3 centre, Vec3 way, bool walks, BodyId through = {});
    DVec3 walk(DVec3 centre, Vec3 way, bool on_ground);
    /// The ground within this distance below, and how far the capsule may sink towards it.
    struct Found {
        QueryHit hit;
        Ground ground = Ground::none;
        float sink = 0;
    };
    Found ground_below(DVec3 centre, float distance) const;
    bool is_firm(Vec3 normal) const { return dot(normal, def_.up) >= kernels::cosine(def_.max_slope); }
    void weigh_on(const QueryHit& ground, float gravity);
    bool hit_above() const { return hit_above_; }

private:
    std::optional<QueryHit> cast(DVec3 centre, Vec3 way, BodyId through = {}) const;
    void push(const QueryHit& hit, Vec3 velocity, DVec3 feet);

    World& world_;
    const CharacterDef& def_;
    Quat turn_;
    QueryFilter filter_;
    float dt_, height_;
    bool hit_above_ = false; ///< by the last slide
};

/// The first shape in the way; those that it only leaves or goes along are none.
std::optional<QueryHit> Mover::cast(DVec3 centre, Vec3 way, BodyId through) const {
    QueryFilter filter = filter_;
    if (through != BodyId{})
        filter.accept = [&](ShapeId shape, std::size_t) { return world_.body(shape) != through; };
    const ShapeCast cast{capsule(), centre, turn_, way};
    const auto in_the_way = [&](const QueryHit& hit) { return dot(way, hit.normal) < 0; };
    auto first = world_.cast_shape(cast, filter);
    if (!first || in_the_way(*first)) return first;
    for (const QueryHit& hit : world_.cast_shape_all(cast, filter))
        if (in_the_way(hit)) return hit;
    return std::nullopt;
}

/// Out of what it overlaps, the deepest first.
DVec3 Mover::pushed_out(DVec3 centre) const {
    for (int round = 0; round < 6; ++round) {
        const QueryHit* deepest = nullptr;
        const auto hits = world_.overlap({capsule(0.5f * def_.skin), centre, turn_}, filter_);
        for (const QueryHit& hit : hits)
            if (!deepest || hit.distance < deepest->distance) deepest = &hit;
        if (!deepest) break;
        centre += wide(deepest->normal) * (double{-deepest->distance} + 1e-5);
    }
    return centre;
}

/// A body in the way is pushed as much as the character's mass and force can.
void Mover::push(const QueryHit& hit, Vec3 velocity, DVec3 feet) {
    if (def_.push_force == 0 || world_.type(hit.body) != BodyType::dynamic) return;
    const BodyState body = world_.state(hit.body);
    const Vec3 arm = narrow(hit.point - wide(body.centre));
    const Vec3 closing = velocity - (body.velocity + cross(body.angular_velocity, arm));
    const float speed = -dot(closing, hit.normal);
    if (speed <= 0) return;
    const float impulse = std::min(def_.push_force * dt_, def_.mass * speed);
    // hands push at the height of the body's centre, where they reach it
    const float lower = dot(arm, def_.up),
                top = height_ - static_cast<float>(dot(hit.point - feet, wide(def_.up)));
    const DVec3 point = lower < 0 ? hit.point - wide(def_.up) * double{std::max(lower, -top)} : hit.point;
    world_.apply_impulse(hit.body, hit.normal * -impulse, point);
}

void Mover::weigh_on(const QueryHit& ground, float gravity) {
    if (world_.type(ground.body) == BodyType::dynamic)
        world_.apply_impulse(ground.body, def_.up * (def_.mass * gravity * dt_), ground.point);
}

/// Along the way, and along what is in it. While it walks, a slope that is too steep is a wall.
DVec3 Mover::slide(DVec3 centre, Vec3 way, bool walks, BodyId through) {
    std::array<Vec3, 6> planes;
    int count = 0;
    hit_above_ = false;
    const Vec3 wish = way, velocity = way / dt_;
    while (count < static_cast<int>(planes.size())) {
        const float distance = length(way);
        if (!(distance > no_way)) break;
        // as far as to what must stay a skin away
        const Vec3 direction = way / distance;
        const float reach = distance + 2 * def_.skin;
        const auto hit = cast(centre, direction * reach, through);
        const float facing = hit ? std::max(-dot(direction, hit->normal), 0.5f) : 1.0f;
        const float gone =
            hit ? std::clamp(hit->fraction * reach - def_.skin / facing, 0.0f, distance) : distance;
        if (gone == distance) {
            centre += wide(way);
            break;
        }
        centre += wide(direction) * double{gone};
        push(*hit, velocity, feet_of(centre));
        Vec3 normal = hit->normal;
        const float slope = dot(normal, def_.up);
        hit_above_ = hit_above_ || slope < -0.5f;
        if (walks && slope > 0 && !is_firm(normal)) normal = normalized(normal - def_.up * slope);
        planes[static_cast<std::size_t>(count++)] = normal;
        way = clipped(direction * (distance - gone), planes.data(), count);
        if (dot(way, wish) <= 0) break;
    }
    return centre;
}

/// Along the ground, and up a step where that leads farther.
DVec3 Mover::walk(DVec3 centre, Vec3 way, bool on_ground) {
    const float distance = length(way);
    if (!(distance > no_way)) return centre;
    const Vec3 direction = way / distance;
    const auto progress = [&](DVec3 to) { return dot(to - centre, wide(direction)); };
    const DVec3 plain = slide(centre, way, true);
    if (!on_ground || def_.step_height == 0 || progress(plain) > 0.99 * double{distance}) return plain;
    const auto ceiling = cast(centre, def_.up * def_.step_height);
    const float lift =
        ceiling ? std::max(ceiling->fraction * def_.step_height - def_.skin, 0.0f) : def_.step_height;
    if (lift < def_.skin) return plain;
    const DVec3 above = slide(centre + wide(def_.up) * double{lift}, way, true);
    if (progress(above) < progress(plain) + 1e-4) return plain;
    const Found below = ground_below(above, lift + def_.skin);
    if (below.ground != Ground::firm) return plain;
    return above - wide(def_.up) * double{below.sink};
}

Mover::Found Mover::ground_below(DVec3 centre, float distance) const {
    Found found;
    const auto hit = cast(centre, def_.up * -distance);
    if (!hit) return found;
    found.hit = *hit;
    found.sink = hit->fraction * distance - def_.skin;
    found.ground = is_firm(hit->normal) ? Ground::firm : Ground::steep;
    if (found.ground == Ground::firm) return found;
    // the round end rests on an edge, whose upper face may be firm
    const Vec3 across = normalized(hit->normal - def_.up * dot(hit->normal, def_.up));
    const RayCast ray{hit->point + wide(def_.up * 0.1f - across * 0.01f), def_.up * -0.2f, false};
    const auto face = world_.cast_ray(ray, filter_);
    if (face && is_firm(face->normal) && face->fraction > 0.25f) {
        found.ground = Ground::firm;
        found.hit.normal = face->normal;
    }
    return found;
}

/// How a body moves a point that rests on it: its velocity there, and the way along its arc.
struct Ride {
    Vec3 velocity, way;
};
Ride ride_on(const World& world, BodyId body, DVec3 point, float dt) {
    using namespace kernels;
    const BodyState state = world.state(body);
    const Vec3 arm = narrow(point - wide(state.centre)), spin = state.angular_velocity;
    const kernels::quat turn = quat_turned(make_quat(1.0f, 0.0f, 0.0f, 0.0f), lane(spin), dt);
    const Vec3 arc = vec3(mat3_times(quat_matrix(turn), lane(arm))) - arm;
    return {state.velocity + cross(spin, arm), state.velocity * dt + arc};
}

} // namespace

Character::Character(World& world, const CharacterDef& def) : def_(def) {
    check(def);
    def_.up = normalized(def.up);
    state_.position = def.position;
    state_.height = def.height;
    if (!def.solid) return;
    const Mover mover(world, def_, def_.height, {}, 1);
    body_ = world.create_body({.type = BodyType::kinematic,
                               .position = mover.centre_of(def.position),
                               .rotation = mover.turn(),
                               .user_data = def.user_data});
    world.attach(body_, mover.capsule(), {.filter = def.filter});
}

Character::Character(const CharacterDef& def, const CharacterState& state, BodyId body)
    : def_(def), state_(state), body_(body) {
    check(def);
    def_.up = normalized(def.up);
}

void Character::move(World& world, Vec3 velocity, float dt) {
    check_finite(velocity, "velocity");
    check_positive(dt, "dt");
    Mover mover(world, def_, state_.height, body_, dt);
    const DVec3 begin = mover.centre_of(state_.position);
    DVec3 centre = mover.pushed_out(begin);
    const bool was_firm = state_.ground == Ground::firm;

    if (state_.jumps) {
        velocity += state_.ground_velocity;
        state_.rise_speed += std::max(dot(state_.ground_velocity, def_.up), 0.0f);
    }
    // along
    velocity += state_.drift;
    velocity -= def_.up * dot(velocity, def_.up);
    centre = mover.walk(centre, velocity * dt, was_firm && !state_.jumps);
    // up or down
    const float gravity = dot(world.settings().gravity, def_.up);
    if (state_.jumps || !was_firm) {
        state_.rise_speed += gravity * dt;
        const DVec3 before = centre;
        centre = mover.slide(centre, def_.up * (state_.rise_speed * dt), false);
        if (state_.rise_speed > 0 && mover.hit_above())
            state_.rise_speed = std::max(0.0f, static_cast<float>(dot(centre - before, wide(def_.up))) / dt);
    } else {
        state_.rise_speed = 0;
    }

    // what is below now
    const bool rises = state_.jumps || state_.rise_speed > 0;
    state_.jumps = false;
    state_.ground = Ground::none;
    state_.ground_body = {};
    state_.ground_normal = {};
    if (!rises) {
        const float reach = 2 * def_.skin + (was_firm ? def_.step_height : 0.0f);
        const Mover::Found below = mover.ground_below(centre, reach);
        const bool near = below.sink <= def_.skin;
        if (below.ground == Ground::firm || (below.ground == Ground::steep && near)) {
            state_.ground = below.ground;
            state_.ground_body = below.hit.body;
            state_.ground_normal = below.hit.normal;
        }
        if (below.ground == Ground::firm) {
            centre -= wide(def_.up) * double{below.sink};
            state_.rise_speed = 0;
            state_.drift = {};
            mover.weigh_on(below.hit, gravity);
        }
    }
    // with the ground, which the step will move
    Ride ride{};
    if (state_.ground == Ground::firm) ride = ride_on(world, state_.ground_body, mover.feet_of(centre), dt);
    state_.ground_velocity = ride.velocity;
    centre = mover.slide(centre, ride.way, false, state_.ground_body);
    state_.velocity = narrow(centre - begin) / dt;
    state_.position = mover.feet_of(centre);
    if (body_ != BodyId{} && world.alive(body_)) world.set_target(body_, centre, mover.turn(), dt);
}

bool Character::jump(float speed) {
    check_positive(speed, "speed");
    if (state_.ground != Ground::firm) return false;
    state_.rise_speed = speed;
    state_.jumps = true;
    return true;
}

void Character::launch(Vec3 velocity) {
    check_finite(velocity, "velocity");
    state_.rise_speed = dot(velocity, def_.up);
    state_.drift = velocity - def_.up * state_.rise_speed;
    state_.ground = Ground::none;
    state_.ground_velocity = {};
    state_.jumps = state_.rise_speed > 0;
}

bool Character::set_height(World& world, float height) {
    CharacterDef tried = def_;
    tried.height = height;
    check(tried);
    const Mover mover(world, def_, height, body_, 1);
    if (height > state_.height && !mover.free(mover.centre_of(state_.position))) return false;
    if (height == state_.height) return true;
    state_.height = height;
    if (body_ == BodyId{} || !world.alive(body_)) return true;
    for (const ShapeId shape : world.shapes(body_)) world.destroy(shape);
    world.set_pose(body_, mover.centre_of(state_.position), mover.turn());
    world.attach(body_, mover.capsule(), {.filter = def_.filter});
    return true;
}

void Character::set_position(World& world, DVec3 feet) {
    check_finite(feet, "position");
    const float height = state_.height;
    state_ = {};
    state_.position = feet;
    state_.height = height;
    const Mover mover(world, def_, height, body_, 1);
    if (body_ == BodyId{} || !world.alive(body_)) return;
    world.set_pose(body_, mover.centre_of(feet), mover.turn());
    world.set_velocity(body_, {});
}

} // namespace scree
