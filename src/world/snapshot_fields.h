// SPDX-License-Identifier: MIT
// snapshot_fields.h — the fields of settings, bodies, shapes and joints in a snapshot, in order.
//
// Each list serves both directions: `io` appends the fields to a snapshot or reads them from one.
#pragma once

#include "bytes/fields.h"
#include "rigid/storage.h"
#include "world/joint_types.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace scree {

using SnapshotWriter = bytes::FieldWriter;
using SnapshotReader = bytes::FieldReader;

template <class Io, class Settings>
void settings_fields(Io& io, Settings& s) {
    io(s.gravity, s.solver, s.broad_phase, s.substeps, s.contact_hertz, s.contact_damping, s.push_speed,
       s.joint_hertz, s.joint_damping, s.slop, s.speculative_distance, s.restitution_threshold);
    io.flags(s.recycling, s.warm_starting, s.sleeping, s.continuous, s.sor_vary, s.sor_on_chip);
    io(s.sleep_speed, s.sleep_delay, s.sor_iterations, s.sor_omega, s.sor_cfm, s.sor_erp, s.grid_cell,
       s.grid_origin, s.grid_bits[0], s.grid_bits[1], s.grid_bits[2], s.hit_speed, s.sor_schedule,
       s.sor_groups, s.sor_tolerance, s.integrator, s.impact_tolerance);
}

template <class Io, class Records>
auto& record_to_io(Records& records, std::size_t i) {
    if constexpr (Io::reads) return records.edit(i);
    else return records[i];
}

/// Offsets, lists and the index among awake bodies are computed from the rest.
template <class Io, class Storage>
void body_fields(Io& io, Storage& bodies, std::size_t b) {
    auto& r = record_to_io<Io>(bodies.record, b);
    io.flags(r.asleep, r.frozen, r.can_sleep, r.mass_given, r.locks.x, r.locks.y, r.locks.z, r.locks.turn_x,
             r.locks.turn_y, r.locks.turn_z, r.bullet, r.sleep_events, r.told_asleep, r.told_outside);
    io(r.type, r.linear_damping, r.angular_damping, r.gravity_scale, r.max_speed, r.max_angular_speed,
       r.mass.mass, r.mass.centre, r.mass.inertia, r.mass.products, r.radius, r.unswept, bodies.sleep_time[b],
       r.island, r.origin, r.origin_at, r.force, r.torque, r.user_data);
    io.floats(&bodies.position[4 * b], 3);
    io.floats(&bodies.rotation[4 * b], 4);
    io.floats(&bodies.motion[16 * b], 16);
    io.floats(&bodies.inverse_mass[8 * b], 8);
    io.floats(&bodies.carry[4 * CARRY_QUADS * b], 4 * CARRY_QUADS);
}

template <class Io, class Record>
void shape_fields(Io& io, Record& r) {
    auto& d = r.definition;
    auto& m = d.material;
    io(r.body, r.type, r.size, r.radius, d.position, d.rotation, d.density, d.user_data);
    io(m.friction, m.restitution, m.rolling_resistance, m.surface_velocity, m.friction_rule,
       m.restitution_rule, d.filter.category, d.filter.mask, d.filter.group, d.one_way);
    io.flags(d.sensor, d.contact_events, d.hit_events);
}

/// After the kind, which the field has already. What a Custom field does is not saved.
template <class Io, class Definition>
void field_fields(Io& io, Definition& field) {
    if (auto* f = std::get_if<Wind>(&field.force)) io(f->velocity, f->density, f->drag);
    if (auto* f = std::get_if<Water>(&field.force))
        io(f->surface, f->normal, f->velocity, f->density, f->drag, f->damping);
    if (auto* f = std::get_if<Attractor>(&field.force))
        io(f->centre, f->strength, f->radius, f->falloff, f->core);
    bool bounded = field.region.has_value();
    io.flags(bounded);
    if constexpr (!std::is_const_v<Definition>)
        if (bounded) field.region.emplace();
    if (bounded) io(field.region->low, field.region->high);
}

template <class Io, class Storage>
void region_fields(Io& io, Storage& world) {
    bool bounded = world.region.has_value();
    io.flags(bounded, world.watched);
    if constexpr (Io::reads)
        if (bounded) world.region.emplace();
    if (bounded) io(world.region->low, world.region->high);
}

/// Unlimited values are infinite, which readers refuse: they are stored as the largest float.
template <class Io, class Value>
void joint_number(Io& io, Value& value) {
    constexpr float most = std::numeric_limits<float>::max();
    float stored = std::clamp(float{value}, -most, most);
    io(stored);
    if constexpr (Io::reads) value = stored == most ? unlimited : stored == -most ? -unlimited : stored;
}

template <class Io, class Axis>
void axis_fields(Io& io, Axis& axis) {
    constexpr bool reads = Io::reads;
    bool limited = axis.limit.has_value();
    io.flags(limited);
    if constexpr (reads) axis = limited ? JointAxis{.limit = JointLimit{}} : JointAxis{};
    if (limited) joint_number(io, axis.limit->low), joint_number(io, axis.limit->high);
    auto kind = static_cast<std::uint32_t>(axis.drive.index());
    io(kind);
    if constexpr (reads) {
        if (kind == 1) axis.drive = JointMotor{};
        else if (kind == 2) axis.drive = JointSpring{};
        else if (kind == 3) axis.drive = JointFriction{};
        else if (kind != 0) io.fail("a drive of a kind that is not known");
    }
    if (auto* motor = std::get_if<JointMotor>(&axis.drive)) {
        io(motor->speed);
        joint_number(io, motor->max_force);
    } else if (auto* spring = std::get_if<JointSpring>(&axis.drive)) {
        io(spring->hertz, spring->damping_ratio, spring->target);
        joint_number(io, spring->max_force);
    } else if (auto* friction = std::get_if<JointFriction>(&axis.drive)) {
        joint_number(io, friction->max_force);
    }
}

/// What JointRecord::definition holds.
template <class Io, class Definition>
void definition_fields(Io& io, Definition& d) {
    JointAxis motion{d.limit, d.drive};
    axis_fields(io, motion);
    if constexpr (Io::reads) d.limit = motion.limit, d.drive = motion.drive;
    bool swings = d.swing.has_value(), has_length = d.length.has_value();
    io.flags(swings, has_length);
    if constexpr (Io::reads) {
        if (swings) d.swing.emplace();
        if (has_length) d.length.emplace();
    }
    if (swings) joint_number(io, *d.swing);
    if (has_length) io(*d.length);
    io(d.ratio, d.ground[0], d.ground[1]);
    axis_fields(io, d.suspension);
    axis_fields(io, d.steer);
    for (auto& axis : d.axes) axis_fields(io, axis);
    io(d.pose.position, d.pose.rotation, d.pose.hertz, d.pose.damping_ratio);
    joint_number(io, d.pose.max_force), joint_number(io, d.pose.max_torque);
    joint_number(io, d.break_force), joint_number(io, d.break_torque);
}

template <class Io, class Record>
void joint_fields(Io& io, Record& r) {
    bool defined = r.definition != nullptr;
    io.flags(r.collide, r.reversed, defined);
    io(r.type, r.body[0], r.body[1], r.place[0], r.place[1], r.frame[0], r.frame[1], r.user_data);
    io(r.rows);
    if constexpr (!std::is_const_v<Record>) r.bounded.resize(bounded_rows(r.rows));
    for (auto& row : r.bounded)
        io(row.low, row.high, row.hertz, row.damping, row.target, row.speed, row.max_force);
    io(r.break_force, r.break_torque);
    if (!defined) return;
    if constexpr (std::is_const_v<Record>) {
        definition_fields(io, *r.definition);
    } else {
        JointDef definition;
        definition_fields(io, definition);
        r.definition = std::make_shared<const JointDef>(definition);
    }
}

} // namespace scree
