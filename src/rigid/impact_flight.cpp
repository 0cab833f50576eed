// SPDX-License-Identifier: MIT
// impact_flight.cpp — bodies and shapes of Solver::impact: from the world's arrays to flight and back, boxes, distances.

#include "geometry/mass.h"
#include "rigid/impacts.h"
#include "rigid/inverse_mass.h"
#include "rigid/parts.h"
#include "rigid/quads.h"
#include "rigid/softness.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

DVec3 vector_at(const Array<float>& quads, std::size_t at) { return read_vector(quads, at); }

DVec3 limited(const DVec3& v, double most) {
    const double size = length(v);
    return size > most ? v * (most / size) : v;
}

void write_split(Array<float>& high, std::size_t at, Array<float>& low, std::size_t low_at, const DVec3& v) {
    write_vector(high, at, high_part(v));
    write_vector(low, low_at, low_part(v));
}

} // namespace

void Impacts::load_body(std::uint32_t b, double time) {
    const Bodies& bodies = p_.world.bodies;
    const BodyRecord& body = bodies.record[b];
    Flyer flyer;
    flyer.centre = exact_centre_of(bodies, b);
    flyer.rotation = normalized(exact_rotation_of(bodies, b));
    flyer.since = time;
    flyer.moves = body.awake_at != none;
    if (flyer.moves) {
        flyer.velocity = exact_velocity_of(bodies, b);
        flyer.spin = exact_spin_of(bodies, b);
    }
    if (p_.movable(b)) {
        const double inverse = 1 / double{body.mass.mass};
        flyer.inverse_mass = {body.locks.x ? 0 : inverse, body.locks.y ? 0 : inverse,
                              body.locks.z ? 0 : inverse};
        flyer.mass = turning_mass(body.mass);
    }
    flyers_[b] = flyer;
}

bool Impacts::turns_freely(std::uint32_t b) const {
    const Locks& locks = p_.world.bodies.record[b].locks;
    return p_.movable(b) && !flyers_[b].halted && !locks.turn_x && !locks.turn_y && !locks.turn_z;
}

/// Another spin from the body's present time on.
void Impacts::set_spin(std::uint32_t b, const DVec3& spin) {
    Flyer& flyer = flyers_[b];
    flyer.spin = spin;
    flyer.turned_from = flyer.since;
    flyer.turn =
        turns_freely(b) ? FreeRotation(flyer.mass, flyer.rotation, spin, end_ - flyer.since) : FreeRotation();
}

/// The spin of the middle of a flight that begins, along the body's axes as they are now.
DVec3 Impacts::middle_spin(std::uint32_t b) const {
    const Flyer& flyer = flyers_[b];
    if (!flyer.turn.changes()) return flyer.spin;
    const DQuat middle = flyer.turn.rotation_at(0.5 * end_);
    return rotate(flyer.rotation * conjugate(middle), flyer.turn.spin_in(middle));
}

/// The spin with which a flight begins that has that one in its middle: against the spin time goes back.
DVec3 Impacts::spin_for_middle(std::uint32_t b, const DVec3& middle) const {
    const Flyer& flyer = flyers_[b];
    if (!turns_freely(b)) return middle;
    const FreeRotation back(flyer.mass, flyer.rotation, -middle, 0.5 * end_);
    if (!back.changes()) return middle;
    const DQuat begin = back.rotation_at(0.5 * end_);
    return -rotate(flyer.rotation * conjugate(begin), back.spin_in(begin));
}

/// Forces, damping and limits of a flight that begins.
void Impacts::load_kick(std::uint32_t b, float dt) {
    const BodyRecord& body = p_.world.bodies.record[b];
    Flyer& flyer = flyers_[b];
    if (body.type != BodyType::dynamic) return;
    const std::size_t at = KICK_QUADS * std::size_t{b};
    const double damping = p_.kick[4 * (at + KICK_LINEAR) + 3],
                 turn_damping = p_.kick[4 * (at + KICK_ANGULAR) + 3];
    flyer.pull = vector_at(p_.kick, at + KICK_LINEAR);
    flyer.velocity = limited(flyer.velocity * damping, body.max_speed);
    DVec3 change = vector_at(p_.kick, at + KICK_ANGULAR);
    if (turns_freely(b)) { // without the kernel's gyroscopic torque
        const DVec3 torque = vector_at(p_.force, 2 * std::size_t{b} + 1);
        change = rotate(flyer.rotation, times(flyer.mass.inverse, rotate(conjugate(flyer.rotation), torque)));
    }
    set_spin(b, limited((flyer.spin + change * double{dt}) * turn_damping, body.max_angular_speed));
}

void Impacts::load_bodies(float dt) {
    const Bodies& bodies = p_.world.bodies;
    flyers_.assign(bodies.record.size(), {});
    for (std::uint32_t b = 0; b < bodies.record.size(); ++b)
        if (bodies.record[b].alive) load_body(b, 0);
    p_.step = soft_constants(p_.world.settings, dt, dt, 0, false, false);
    const rigid::BodyView view = p_.body_view();
    p_.table.body_begin(0, p_.padded(p_.awake_count), &view, &p_.step);
    for (std::uint32_t k = 0; k < p_.awake_count; ++k) load_kick(p_.awake[k], dt);
}

Impacts::Motion Impacts::motion_at(const Flyer& flyer, double time) {
    Motion now{flyer.centre, flyer.velocity, flyer.spin, flyer.rotation};
    const double gone = time - flyer.since;
    if (!flyer.moves || !(gone > 0)) return now;
    now.centre += (flyer.velocity + flyer.pull * (0.5 * gone)) * gone;
    now.velocity += flyer.pull * gone;
    if (flyer.turn.changes()) {
        now.rotation = flyer.turn.rotation_at(time - flyer.turned_from);
        now.spin = flyer.turn.spin_in(now.rotation);
    } else if (!(flyer.spin == DVec3{})) {
        now.rotation = normalized(turn_in(flyer.spin, gone) * flyer.rotation);
    }
    return now;
}

void Impacts::move_to(Flyer& flyer, double time) const {
    const Motion now = motion_at(flyer, time);
    flyer.since = time;
    flyer.centre = now.centre, flyer.velocity = now.velocity;
    flyer.spin = now.spin, flyer.rotation = now.rotation;
}

/// The end of a flight: as body_finish of kernels/rigid_body.h. A body with a number that is not finite stays where it was.
void Impacts::store_bodies() {
    Bodies& bodies = p_.world.bodies;
    for (std::uint32_t k = 0; k < p_.awake_count; ++k) {
        const std::uint32_t b = p_.awake[k];
        Flyer& flyer = flyers_[b];
        if (flyer.halted) {
            flyer.velocity = flyer.kept_velocity, flyer.spin = flyer.kept_spin, flyer.pull = {};
            flyer.since = end_;
        }
        move_to(flyer, end_);
        const BodyRecord& body = bodies.record[b];
        if (body.type == BodyType::dynamic) {
            flyer.velocity = limited(flyer.velocity, body.max_speed);
            flyer.spin = limited(flyer.spin, body.max_angular_speed);
        }
        const DQuat& q = flyer.rotation;
        const bool fine = is_finite(narrow(flyer.centre)) && is_finite(narrow(flyer.velocity)) &&
                          is_finite(narrow(flyer.spin)) && std::isfinite(q.x + q.y + q.z + q.s);
        p_.rest[b] = -1;
        if (!fine) continue;
        write_centre(bodies, b, flyer.centre);
        const Quat high = narrow(q);
        write_rotation(bodies.rotation, b, high);
        write_rotation(bodies.carry, CARRY_QUADS * std::size_t{b} + CARRY_ROTATION,
                       {static_cast<float>(q.x - high.x), static_cast<float>(q.y - high.y),
                        static_cast<float>(q.z - high.z), static_cast<float>(q.s - high.s)});
        write_split(bodies.motion, 4 * std::size_t{b}, bodies.carry,
                    CARRY_QUADS * std::size_t{b} + CARRY_VELOCITY, flyer.velocity);
        write_split(bodies.motion, 4 * std::size_t{b} + 1, bodies.carry,
                    CARRY_QUADS * std::size_t{b} + CARRY_SPIN, flyer.spin);
        refresh_inverse_mass(p_.world, b);
        p_.rest[b] = static_cast<float>(length(flyer.velocity) + double{body.radius} * length(flyer.spin));
    }
}

MovingConvex Impacts::moving(std::uint32_t s, double time) const {
    return carried(s, flyers_[p_.world.shapes.record[s].body], time);
}

MovingConvex Impacts::carried(std::uint32_t s, const Flyer& flyer, double time) const {
    const ShapeRecord& shape = p_.world.shapes.record[s];
    const Motion now = motion_at(flyer, time);
    MovingConvex out{.shape = p_.convex_of(s),
                     .centre = now.centre,
                     .velocity = now.velocity,
                     .acceleration = flyer.pull,
                     .spin = now.spin,
                     .rotation = now.rotation,
                     .arm = wide(shape.offset),
                     .own = normalized(wide(shape.definition.rotation))};
    if (flyer.turn.changes())
        out.most_spin = flyer.turn.most_spin(), out.spin_change = flyer.turn.most_change();
    return out;
}

PushedBody Impacts::pushed(std::uint32_t b) const {
    const Flyer& flyer = flyers_[b];
    PushedBody out{flyer.centre, flyer.velocity, flyer.spin, flyer.inverse_mass, {}};
    const BodyRecord& body = p_.world.bodies.record[b];
    if (!p_.movable(b) || flyer.halted) return out;
    // R M R^T: columns of the world's axes in the body's
    const DQuat back = conjugate(flyer.rotation);
    const DVec3 axis[3] = {rotate(back, DVec3{1, 0, 0}), rotate(back, DVec3{0, 1, 0}),
                           rotate(back, DVec3{0, 0, 1})};
    const auto entry = [&](int i, int k) { return dot(axis[i], times(flyer.mass.inverse, axis[k])); };
    const bool free[3] = {!body.locks.turn_x, !body.locks.turn_y, !body.locks.turn_z};
    const auto kept = [&](int i, int k) { return free[i] && free[k] ? entry(i, k) : 0.0; };
    out.inverse_inertia = {kept(0, 0), kept(1, 1), kept(2, 2), kept(0, 1), kept(0, 2), kept(1, 2)};
    return out;
}

/// Of a shape's way from a time to the end of the flight. Boxes overlap where shapes come as near as contacts at rest reach: a body
/// that leans on another and does not move belongs to it too.
DBox Impacts::box_of(std::uint32_t s, double time) const {
    const double around = 0.5 * margin_share * tolerance_;
    const DBox way = way_box(moving(s, time), end_ - time);
    return {way.low - DVec3{around, around, around}, way.high + DVec3{around, around, around}};
}

void Impacts::place_boxes() {
    set_out_ = flyers_;
    if (walls_are_there()) {
        place_in_cells();
        boxes_.clear_changes();
        return;
    }
    const Shapes& shapes = p_.world.shapes;
    spare_proxies_.clear(), spare_moves_.clear(), ways_.clear();
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        const ShapeRecord& shape = shapes.record[s];
        if (!shape.alive || shape.definition.sensor) continue;
        spare_proxies_.push_back(s);
        spare_moves_.push_back(flyers_[shape.body].moves);
        ways_.push_back(box_of(s, 0));
    }
    if (spare_proxies_ != proxies_ || spare_moves_ != moves_ || boxes_.has_cells()) {
        proxies_.swap(spare_proxies_);
        moves_.swap(spare_moves_);
        boxes_.rebuild(proxies_, moves_, ways_);
    } else {
        for (std::size_t k = 0; k < proxies_.size(); ++k)
            if (!(ways_[k] == boxes_.box(proxies_[k]))) boxes_.set(proxies_[k], ways_[k]);
    }
    boxes_.clear_changes();
}

void Impacts::measure(std::uint32_t slot, double time) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const MovingConvex a = moving(pair.first, time), b = moving(pair.second, time);
    near_[slot].gap = gap_between(a.shape, pose_at(a, 0), b.shape, pose_at(b, 0));
    near_[slot].when = time;
    near_[slot].measured = true;
}

/// Where the two touch: points as far apart as the nearest and `reach`. The pair's gap is that of this time.
Impacts::Touch Impacts::touch_of(std::uint32_t slot, double time, double reach) const {
    constexpr double same_normal = 1 - 1e-6;
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const MovingConvex a = moving(pair.first, time), b = moving(pair.second, time);
    const Gap& gap = near_[slot].gap;
    Touch touch;
    touch.normal = gap.normal;
    const auto add = [&](const DVec3& point, double separation) {
        touch.point[touch.count] = point;
        touch.separation[touch.count++] = separation;
    };
    const auto is_ball = [](const MovingConvex& m) { return m.shape.type == ShapeType::sphere; };
    if (!is_ball(a) && !is_ball(b)) {
        const DPose at_a = pose_at(a, 0), at_b = pose_at(b, 0);
        const bool swapped = a.shape.type == ShapeType::plane;
        const DPose &first = swapped ? at_b : at_a, &second = swapped ? at_a : at_b;
        ContactManifold manifold;
        collide(swapped ? b.shape : a.shape, swapped ? a.shape : b.shape,
                narrow(apply_inverse(first, second.position)),
                narrow(normalized(conjugate(first.rotation) * second.rotation)),
                static_cast<float>(std::max(gap.distance, 0.0) + 2 * reach), manifold);
        const DVec3 normal = rotate(first.rotation, wide(manifold.normal)) * (swapped ? -1.0 : 1.0);
        for (int k = 0; k < manifold.count && dot(normal, gap.normal) > same_normal; ++k) {
            const double separation = double{manifold.separation[k]};
            if (separation > gap.distance + reach) continue;
            const DVec3 on_first = apply(first, wide(manifold.point[k]));
            add(on_first + rotate(first.rotation, wide(manifold.normal)) * (0.5 * separation), separation);
        }
    }
    if (touch.count == 0) add((gap.on_a + gap.on_b) * 0.5, gap.distance);
    return touch;
}

Contact Impacts::materials(std::uint32_t slot) const {
    Contact contact;
    contact.shape_a = boxes_.pairs()[slot].of.first;
    contact.shape_b = boxes_.pairs()[slot].of.second;
    p_.mix_materials(contact);
    return contact;
}

ContactRow Impacts::row_of(const Touch& touch, int point, const Contact& mixed) {
    ContactRow row;
    row.b = 1;
    row.normal = touch.normal;
    row.point = touch.point[point];
    row.friction = double{mixed.friction};
    row.belt = {mixed.surface_velocity[0], mixed.surface_velocity[1], mixed.surface_velocity[2]};
    return row;
}

std::uint64_t Impacts::memory() const {
    return (flyers_.capacity() + set_out_.capacity()) * sizeof(Flyer) + near_.capacity() * sizeof(Near) +
           rows_.capacity() * sizeof(ContactRow) + boxes_.bytes() + arena_.bytes() +
           proxies_.capacity() * (sizeof(DBox) * 2 + 200);
}

} // namespace scree
