// SPDX-License-Identifier: MIT
// device_changes.cpp — what the world changed since the last step, as packets for the device.

#include "collision/hull.h"
#include "rigid/device_simulation.h"
#include "rigid/records.h"
#include "rigid/shape_facts.h"
#include "world/mass_update.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace scree {

namespace {

using A = WorldArray;

constexpr std::uint32_t everything = STAGED_FLAGS | STAGED_POSE | STAGED_VELOCITY | STAGED_MASS |
                                     STAGED_CONSTANTS | STAGED_FORCE | STAGED_JOINTS | STAGED_SLEEP;
std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

void put(std::uint32_t* to, const Vec3& v, float w) {
    to[0] = bits(v.x), to[1] = bits(v.y), to[2] = bits(v.z), to[3] = bits(w);
}

/// far beyond what the others reach: by the exponent of how far it does, from 1
std::uint8_t size_class(float reach) {
    return static_cast<std::uint8_t>(std::clamp(std::ilogb(std::max(reach, 1e-30f)) + 128, 1, 255));
}

} // namespace

void DeviceSimulation::mark_body(std::uint32_t b, std::uint32_t parts, std::uint32_t events) {
    if (body_parts_.size() < world_.bodies.record.size()) {
        body_parts_.resize(world_.bodies.record.size());
        body_events_.resize(world_.bodies.record.size());
        known_type_.resize(world_.bodies.record.size(), no_type);
    }
    if (!body_parts_[b] && !body_events_[b]) dirty_bodies_.push_back(b);
    body_parts_[b] |= parts;
    body_events_[b] |= events;
}

void DeviceSimulation::mark_shape(std::uint32_t s, std::uint32_t flags) {
    if (shape_flags_.size() < world_.shapes.record.size()) {
        const std::size_t n = world_.shapes.record.size();
        shape_flags_.resize(n);
        shape_dirty_.resize(n);
        size_class_.resize(n);
        shape_type_.resize(n);
        is_big_.resize(n);
    }
    if (!shape_dirty_[s]) dirty_shapes_.push_back(s);
    shape_dirty_[s] = 1;
    shape_flags_[s] |= flags;
}

void DeviceSimulation::mark_joint(std::uint32_t j, std::uint32_t parts) {
    if (joint_parts_.size() < world_.joints.record.size()) joint_parts_.resize(world_.joints.record.size());
    // a joint that is new is sent whole, whatever else happened to it
    constexpr std::uint32_t listed = 0x80000000u;
    if (!(joint_parts_[j] & listed)) {
        dirty_joints_.push_back(j);
        joint_parts_[j] = parts | listed;
    } else if (!(parts & STAGED_LINKS)) {
        joint_parts_[j] = parts | listed;
    }
}

void DeviceSimulation::mark_shapes_of(std::uint32_t b, std::uint32_t flags) {
    for (std::uint32_t s = world_.bodies.record[b].first_shape; s != none; s = world_.shapes.record[s].next)
        mark_shape(s, flags);
}

void DeviceSimulation::mark_joints_of(std::uint32_t b, bool wakes) {
    for (std::uint32_t j = world_.bodies.record[b].first_joint; j != none;) {
        const JointRecord& joint = world_.joints.record[j];
        const int side = joint.body[0] == b ? 0 : 1;
        mark_joint(j, STAGED_LINKS);
        if (wakes) wake(joint.body[1 - side]);
        j = joint.next[side];
    }
}

// what the world tells -------------------------------------------------------------------------------------------------

void DeviceSimulation::body_added(std::uint32_t b) {
    mark_body(b, everything);
    known_type_[b] = static_cast<std::uint8_t>(world_.bodies.record[b].type);
    kinematic_ += world_.bodies.record[b].type == BodyType::kinematic;
}

void DeviceSimulation::body_removed(std::uint32_t b) {
    mark_body(b, STAGED_FLAGS | STAGED_SLEEP | STAGED_JOINTS);
    kinematic_ -= known_type_[b] == static_cast<std::uint8_t>(BodyType::kinematic);
    known_type_[b] = no_type;
    body_events_[b] = 0;
}

void DeviceSimulation::body_moved(std::uint32_t b) {
    if (b >= known_type_.size() || known_type_[b] == no_type) return; // on its way in
    mark_body(b, STAGED_POSE | STAGED_MASS, BODY_MOVED);
    mark_shapes_of(b, 0); // their offsets are from the centre of mass, as the anchors of joints
    mark_joints_of(b, true);
}

void DeviceSimulation::body_changed(std::uint32_t b) {
    if (b >= known_type_.size() || known_type_[b] == no_type) return;
    const BodyRecord& body = world_.bodies.record[b];
    // where nobody looked or placed the body since the last step the world's array is old, and was not written either
    const bool current = !stale_ || body.origin_at == world_.steps;
    mark_body(b, STAGED_FLAGS | STAGED_CONSTANTS | (current ? STAGED_MASS : 0u));
}

void DeviceSimulation::type_changed(std::uint32_t b) {
    const BodyRecord& body = world_.bodies.record[b];
    kinematic_ += body.type == BodyType::kinematic;
    kinematic_ -= known_type_[b] == static_cast<std::uint8_t>(BodyType::kinematic);
    known_type_[b] = static_cast<std::uint8_t>(body.type);
    mark_body(b, STAGED_FLAGS | STAGED_CONSTANTS | STAGED_MASS | STAGED_SLEEP | STAGED_VELOCITY, BODY_RESET);
    mark_joints_of(b, true);
}

void DeviceSimulation::velocity_set(std::uint32_t b) { mark_body(b, STAGED_VELOCITY); }

void DeviceSimulation::force_added(std::uint32_t b) { mark_body(b, STAGED_FORCE); }

void DeviceSimulation::count_shape(std::uint32_t s, bool present) {
    const ShapeRecord& shape = world_.shapes.record[s];
    if (size_class_[s]) {
        --sizes_[size_class_[s]];
        --types_[shape_type_[s]];
        --tree_shapes_;
        size_class_[s] = 0;
    }
    if (!present) return;
    size_class_[s] = size_class(world_.shapes.size[4 * std::size_t{s} + 3]);
    shape_type_[s] = static_cast<std::uint8_t>(shape.type);
    ++sizes_[size_class_[s]];
    ++types_[shape_type_[s]];
    ++tree_shapes_;
}

void DeviceSimulation::shape_added(std::uint32_t s) {
    mark_shape(s, SHAPE_PLACE);
    count_shape(s, true);
    const Material& material = world_.shapes.record[s].definition.material;
    extras_ = extras_ || material.restitution > 0 || material.rolling_resistance > 0 ||
              material.surface_velocity != Vec3{};
}

void DeviceSimulation::shape_removed(std::uint32_t s) {
    mark_shape(s, SHAPE_GONE);
    shape_flags_[s] = SHAPE_GONE;
    count_shape(s, false);
}

void DeviceSimulation::shape_changed(std::uint32_t s) {
    const Material& material = world_.shapes.record[s].definition.material;
    extras_ = extras_ || material.restitution > 0 || material.rolling_resistance > 0 ||
              material.surface_velocity != Vec3{};
    mark_shape(s, SHAPE_MIX);
    wake(world_.shapes.record[s].body);
}

void DeviceSimulation::joint_added(std::uint32_t j) {
    JointRecord& joint = world_.joints.record[j];
    joint.colour = COLOUR_NONE;
    mark_joint(j, STAGED_IMPULSE);
    for (const std::uint32_t b : joint.body) mark_body(b, STAGED_JOINTS);
    check_wanted_ = true;
}

void DeviceSimulation::joint_removed(std::uint32_t j) {
    const JointRecord& joint = world_.joints.record[j];
    mark_joint(j, STAGED_IMPULSE);
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t b = joint.body[side];
        mark_body(b, STAGED_JOINTS);
        // whose links change
        if (joint.previous[side] != none) mark_joint(joint.previous[side], STAGED_LINKS);
        // they may collide again
        mark_shapes_of(b, SHAPE_MOVED);
    }
}

void DeviceSimulation::settings_changed() {
    if (!world_.settings.warm_starting) last_h_ = 0;
}

void DeviceSimulation::wake(std::uint32_t b) {
    wakes_.push_back(b);
    // it may not have gone to sleep yet
    if (b < body_events_.size()) body_events_[b] &= ~BODY_SLEEP;
}

void DeviceSimulation::put_to_sleep(std::uint32_t b) {
    if (!wakes_.empty()) flush();
    mark_body(b, 0, BODY_SLEEP);
    somebody_may_sleep_ = true;
}

// packets ---------------------------------------------------------------------------------------------------------------

void DeviceSimulation::put(KernelId kernel, std::uint32_t items) {
    reserve(A::staged, staged_.size());
    device_->upload(array(A::staged), staged_.data(), 4 * staged_.size());
    run(kernel, items);
    staged_.clear();
}

void DeviceSimulation::stage_bodies() {
    if (dirty_bodies_.empty()) return;
    staged_.resize(STAGED_BODY * dirty_bodies_.size());
    const Bodies& bodies = world_.bodies;
    std::uint32_t* to = staged_.data();
    for (const std::uint32_t b : dirty_bodies_) {
        const BodyRecord& record = bodies.record[b];
        const auto copy = [&](std::uint32_t at, const Array<float>& from, std::size_t first,
                              std::size_t count) { std::memcpy(to + at, &from[first], 4 * count); };
        std::uint32_t flags = body_events_[b];
        if (record.alive) {
            flags |= BODY_ALIVE;
            if (record.type == BodyType::kinematic) flags |= BODY_KINEMATIC;
            if (record.type == BodyType::dynamic) flags |= BODY_DYNAMIC;
            if (record.asleep) flags |= BODY_ASLEEP;
            if (record.frozen) flags |= BODY_FROZEN;
            if (record.can_sleep) flags |= BODY_CAN_SLEEP;
        }
        to[0] = b, to[1] = body_parts_[b], to[2] = flags;
        to[3] = record.alive ? record.first_joint : none;
        to[4] = record.island == none ? b : record.island;
        to[5] = bits(record.sleep_time);
        to[6] = to[7] = 0;
        copy(8, bodies.position, 4 * std::size_t{b}, 4);
        copy(12, bodies.rotation, 4 * std::size_t{b}, 4);
        copy(16, bodies.motion, 16 * std::size_t{b}, 8);
        copy(24, bodies.inverse_mass, 8 * std::size_t{b}, 8);
        float constants[4 * BODY_CONSTANTS];
        body_constants(record, constants);
        std::memcpy(to + 32, constants, sizeof constants);
        scree::put(to + 52, record.force, 0);
        scree::put(to + 56, record.torque, 0);
        to[60] = to[61] = to[62] = to[63] = 0;
        extras_ = extras_ || (record.alive && (lock_bits(record) & 7) != 0);
        if (record.force != Vec3{} || record.torque != Vec3{}) pushed_.push_back(b);
        body_parts_[b] = body_events_[b] = 0;
        to += STAGED_BODY;
    }
    put(KernelId::world_put_bodies, static_cast<std::uint32_t>(dirty_bodies_.size()));
    dirty_bodies_.clear();
}

std::uint32_t DeviceSimulation::hull_place(const ShapeRecord& shape) {
    if (!shape.hull) return 0;
    const HullGeometry* geometry = &shape.hull.geometry();
    const auto known = hull_places_.find(geometry);
    if (known != hull_places_.end()) return known->second;
    // kept: another hull at the same address would be taken for it
    kept_hulls_.push_back(shape.hull);
    const std::vector<std::uint32_t> words = hull_words(*geometry);
    const std::uint32_t place = hull_words_;
    hull_words_ += (static_cast<std::uint32_t>(words.size()) + 3) / 4 * 4; // quads stay aligned
    reserve(A::hulls, hull_words_);
    device_->upload(array(A::hulls), words.data(), 4 * words.size(), 4 * std::size_t{place});
    hull_places_.emplace(geometry, place);
    return place;
}

void DeviceSimulation::sort_out_big() {
    // eight times what nine of ten reach, or more
    std::uint32_t below = 0, most = 1;
    while (most < 255 && 10 * (below + sizes_[most]) < 9 * tree_shapes_) below += sizes_[most++];
    const std::uint32_t limit = most + 4;
    const auto judge = [&](std::uint32_t s) {
        const bool big =
            size_class_[s] && (size_class_[s] >= limit || world_.shapes.record[s].type == ShapeType::plane);
        if (big == static_cast<bool>(is_big_[s])) return;
        is_big_[s] = big;
        big_changed_ = true;
        if (!shape_dirty_[s]) mark_shape(s, 0);
    };
    if (limit != big_class_) {
        big_class_ = limit;
        for (std::uint32_t s = 0; s < is_big_.size(); ++s) judge(s);
    } else {
        for (std::size_t k = 0; k < dirty_shapes_.size(); ++k) judge(dirty_shapes_[k]);
    }
    if (!big_changed_) return;
    big_.clear();
    for (std::uint32_t s = 0; s < is_big_.size(); ++s)
        if (is_big_[s]) big_.push_back(s);
    reserve(A::big, big_.size());
    device_->upload(array(A::big), big_.data(), 4 * big_.size());
    big_changed_ = false;
}

void DeviceSimulation::stage_shapes() {
    if (dirty_shapes_.empty()) return;
    sort_out_big();
    params_.big_shapes = static_cast<std::uint32_t>(big_.size());
    tree_leaves_ = tree_shapes_ - params_.big_shapes;
    tree_built_ = false;
    staged_.resize(STAGED_SHAPE * dirty_shapes_.size());
    std::uint32_t* to = staged_.data();
    for (const std::uint32_t s : dirty_shapes_) {
        const ShapeRecord& shape = world_.shapes.record[s];
        const Material& material = shape.definition.material;
        const Filter& filter = shape.definition.filter;
        to[0] = s, to[1] = to[2] = to[3] = 0;
        std::memcpy(to + 4, &world_.shapes.size[4 * std::size_t{s}], 16);
        to[8 + SHAPE_BODY] = shape.alive ? shape.body : none;
        to[8 + SHAPE_TYPE] = static_cast<std::uint32_t>(shape.type);
        to[8 + SHAPE_CATEGORY] = filter.category;
        to[8 + SHAPE_MASK] = filter.mask;
        to[8 + SHAPE_GROUP] = static_cast<std::uint32_t>(filter.group);
        to[8 + SHAPE_HULL] = shape.alive ? hull_place(shape) : 0;
        to[8 + SHAPE_FLAGS] = shape_flags_[s] | (is_big_[s] ? SHAPE_BIG : 0u);
        to[8 + SHAPE_RULES] = static_cast<std::uint32_t>(material.friction_rule) |
                              static_cast<std::uint32_t>(material.restitution_rule) << 8;
        scree::put(to + 16, shape.offset, shape.radius);
        const Quat& turn = shape.definition.rotation;
        scree::put(to + 20, {turn.x, turn.y, turn.z}, turn.s);
        scree::put(to + 24, {material.friction, material.restitution, material.rolling_resistance},
                   shape.alive ? thickness(shape) : 0.0f);
        scree::put(to + 28, material.surface_velocity, 0);
        shape_flags_[s] = shape_dirty_[s] = 0;
        to += STAGED_SHAPE;
    }
    put(KernelId::world_put_shapes, static_cast<std::uint32_t>(dirty_shapes_.size()));
    dirty_shapes_.clear();
}

void DeviceSimulation::stage_joints() {
    if (dirty_joints_.empty()) return;
    staged_.resize(STAGED_JOINT * dirty_joints_.size());
    std::uint32_t* to = staged_.data();
    for (const std::uint32_t j : dirty_joints_) {
        const JointRecord& joint = world_.joints.record[j];
        to[0] = j, to[1] = joint_parts_[j];
        to[2 + JOINT_FIRST] = joint.body[0], to[2 + JOINT_SECOND] = joint.body[1];
        to[2 + JOINT_NEXT] = joint.next[0], to[3 + JOINT_NEXT] = joint.next[1];
        to[2 + JOINT_COLLIDES] = joint.collide;
        to[2 + JOINT_COLOUR] = joint.alive ? joint.colour : none;
        float quads[4 * JOINT_RECORD] = {};
        if (joint.alive) joint_quads(joint, quads);
        std::memcpy(to + 8, quads, sizeof quads);
        joint_parts_[j] = 0;
        to += STAGED_JOINT;
    }
    put(KernelId::world_put_joints, static_cast<std::uint32_t>(dirty_joints_.size()));
    dirty_joints_.clear();
}

/// bodies that woke, fell asleep or froze: their constraints are coloured anew, and who is awake is listed
void DeviceSimulation::pass_on_changes(bool events) {
    rigid::WorldParams p = params_;
    p.which = events;
    run(KernelId::world_contact_changed, contacts_, p);
    run(KernelId::world_joint_changed, params_.joints, p);
    run(KernelId::world_settle_shapes, params_.shapes, p);
    run(KernelId::world_settle, params_.bodies, p);
    device_->fill(array(A::counts), 0, 1, COUNT_CHANGED);
    device_->fill(array(A::counts), 0, 1, COUNT_WAKE);
}

/// Wakes the islands that somebody touched, and what fell asleep on a body that slept already, and so on.
void DeviceSimulation::wake_marked() {
    if (!somebody_may_sleep_) return;
    run(KernelId::world_wake, params_.bodies);
    for (Counts now = read_counts(); now[COUNT_WAKE]; now = read_counts()) {
        device_->fill(array(A::counts), 0, 1, COUNT_WAKE);
        run(KernelId::world_wake_neighbours, contacts_);
        run(KernelId::world_wake_joined, params_.joints);
        run(KernelId::world_wake, params_.bodies);
    }
}

void DeviceSimulation::flush() {
    // the world itself, which nobody adds
    if (known_type_.empty() || known_type_[0] == no_type) body_added(0);
    if (dirty_bodies_.empty() && dirty_shapes_.empty() && dirty_joints_.empty() && wakes_.empty()) return;
    grow_bodies();
    grow_shapes();
    grow_joints();
    grow_contacts(contacts_);
    params_.distance = world_.settings.speculative_distance;
    params_.contacts = contacts_;
    if (!wakes_.empty()) {
        staged_.swap(wakes_);
        put(KernelId::world_wake_listed, static_cast<std::uint32_t>(staged_.size()));
        wakes_.clear();
    }
    const bool shapes = !dirty_shapes_.empty(), bodies = !dirty_bodies_.empty();
    stage_bodies();
    stage_shapes();
    stage_joints();
    run(KernelId::world_place_shapes, params_.shapes);
    if (shapes || bodies || check_wanted_) {
        rigid::WorldParams p = params_;
        p.which = check_wanted_;
        run(KernelId::world_contact_events, contacts_, p);
        check_wanted_ = false;
    }
    wake_marked();
    run(KernelId::world_put_to_sleep, params_.bodies);
    pass_on_changes(true);
    stale_ = contacts_stale_ = true;
}

} // namespace scree
