// SPDX-License-Identifier: MIT
// device_changes.cpp — sends the changes since the last step to the device as packets.

#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"
#include "rigid/device_worlds.h"
#include "rigid/inverse_mass.h"
#include "rigid/records.h"
#include "rigid/shape_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

namespace scree {

namespace {

using A = WorldArray;

constexpr std::size_t most_staged = 65536;    // things in one packet: host memory of this size stays in reach
constexpr std::uint32_t staged_by_one = 2048; // from here on threads share the work

constexpr std::uint32_t everything = STAGED_FLAGS | STAGED_POSE | STAGED_VELOCITY | STAGED_MASS |
                                     STAGED_CONSTANTS | STAGED_FORCE | STAGED_JOINTS | STAGED_SLEEP |
                                     STAGED_TOLD;

void put(float* to, const Vec3& v, float w) { to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = w; }

template <class Packet>
constexpr std::uint32_t words_of = sizeof(Packet) / 4;

/// far beyond what the others reach: by the exponent of how far it does, from 1
std::uint8_t size_class(float reach) {
    return static_cast<std::uint8_t>(std::clamp(std::ilogb(std::max(reach, 1e-30f)) + 128, 1, 255));
}

constexpr auto nothing = [](std::uint32_t) {};

} // namespace

void DeviceWorlds::mark_body(std::uint32_t b, std::uint32_t parts, std::uint32_t events) {
    if (body_parts_.size() <= b) {
        body_parts_.resize(body_slots());
        body_events_.resize(body_slots());
        known_type_.resize(body_slots(), no_type);
    }
    if (!body_parts_[b] && !body_events_[b]) dirty_bodies_.push_back(b);
    body_parts_[b] |= parts;
    body_events_[b] |= events;
}

void DeviceWorlds::mark_shape(std::uint32_t s, std::uint32_t flags) {
    if (shape_flags_.size() <= s) {
        const std::size_t n = shape_slots();
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

void DeviceWorlds::mark_joint(std::uint32_t j, std::uint32_t parts) {
    if (joint_parts_.size() <= j) joint_parts_.resize(joint_slots());
    // a joint that is new is sent whole, whatever else happened to it
    constexpr std::uint32_t listed = 0x80000000u;
    if (!(joint_parts_[j] & listed)) {
        dirty_joints_.push_back(j);
        joint_parts_[j] = parts | listed;
    } else if (!(parts & STAGED_LINKS)) {
        joint_parts_[j] = parts | listed;
    }
}

void DeviceWorlds::mark_shapes_of(std::uint32_t b, std::uint32_t flags) {
    const std::uint32_t base = b / stride_.bodies * stride_.shapes;
    for (std::uint32_t s = body(b).first_shape; s != none; s = shape(base + s).next)
        mark_shape(base + s, flags);
}

void DeviceWorlds::mark_joints_of(std::uint32_t b, bool wakes) {
    const std::uint32_t world = b / stride_.bodies, own = b % stride_.bodies;
    for (std::uint32_t j = body(b).first_joint; j != none;) {
        const JointRecord& record = joint(world * stride_.joints + j);
        const int side = record.body[0] == own ? 0 : 1;
        mark_joint(world * stride_.joints + j, STAGED_LINKS);
        if (wakes) wake(world * stride_.bodies + record.body[1 - side]);
        j = record.next[side];
    }
}

// changes by the world -------------------------------------------------------------------------------------------------

void DeviceWorlds::body_added(std::uint32_t b) {
    fields_stale_ = instances_stale_ = true;
    mark_body(b, everything);
    tells_bodies_ = tells_bodies_ || body(b).sleep_events;
    known_type_[b] = static_cast<std::uint8_t>(body(b).type);
    kinematic_ += body(b).type == BodyType::kinematic;
    others_change_ = others_change_ || body(b).asleep;
    sleepers_wait_ = sleepers_wait_ || body(b).asleep;
}

void DeviceWorlds::body_removed(std::uint32_t b) {
    fetch_events(); // it has its name now
    others_change_ = instances_stale_ = true;
    if (poses_stale_) gone_.emplace(b, body(b).generation); // the first since the step keeps its name
    mark_body(b, STAGED_FLAGS | STAGED_SLEEP | STAGED_JOINTS);
    kinematic_ -= known_type_[b] == static_cast<std::uint8_t>(BodyType::kinematic);
    known_type_[b] = no_type;
    body_events_[b] = 0;
}

void DeviceWorlds::body_moved(std::uint32_t b) {
    if (b >= known_type_.size() || known_type_[b] == no_type) return; // on its way in
    send_earlier();
    // contacts that a new type has ended wake nobody
    if (resets_wait_ && somebody_may_sleep_) flush();
    others_change_ = true;
    puts_wait_ = puts_wait_ || body(b).type == BodyType::fixed || body(b).frozen;
    mark_body(b, STAGED_POSE | STAGED_MASS, BODY_MOVED);
    mark_shapes_of(b, 0); // their offsets are from the centre of mass, as the anchors of joints
    mark_joints_of(b, true);
}

void DeviceWorlds::body_changed(std::uint32_t b, bool weighed) {
    if (weighed) cloth_shapes_changed(b / stride_.bodies); // from the centre of mass
    instances_stale_ = instances_stale_ || weighed;
    if (b >= known_type_.size() || known_type_[b] == no_type) return;
    // without a query or a new pose since the last step, the world's array is old and was not written
    const bool current = !poses_stale_ || body(b).origin_at == world_of_body(b).steps;
    mark_body(b, STAGED_FLAGS | STAGED_CONSTANTS | (weighed && current ? STAGED_MASS : 0u));
}

void DeviceWorlds::type_changed(std::uint32_t b) {
    others_change_ = true;
    resets_wait_ = true;
    kinematic_ += body(b).type == BodyType::kinematic;
    kinematic_ -= known_type_[b] == static_cast<std::uint8_t>(BodyType::kinematic);
    known_type_[b] = static_cast<std::uint8_t>(body(b).type);
    mark_body(b, STAGED_FLAGS | STAGED_CONSTANTS | STAGED_MASS | STAGED_SLEEP | STAGED_VELOCITY, BODY_RESET);
    mark_joints_of(b, true);
}

void DeviceWorlds::velocity_set(std::uint32_t b) { mark_body(b, STAGED_VELOCITY); }

void DeviceWorlds::force_added(std::uint32_t b) { mark_body(b, STAGED_FORCE); }

void DeviceWorlds::count_shape(std::uint32_t s, bool present) {
    if (size_class_[s]) {
        --sizes_[size_class_[s]];
        --types_[shape_type_[s]];
        --tree_shapes_;
        size_class_[s] = 0;
    }
    if (!present) return;
    const Array<float>& size = members_[s / stride_.shapes].world->shapes.size.all();
    size_class_[s] = size_class(size[4 * std::size_t{s % stride_.shapes} + 3]);
    shape_type_[s] = static_cast<std::uint8_t>(shape(s).type);
    ++sizes_[size_class_[s]];
    ++types_[shape_type_[s]];
    ++tree_shapes_;
}

void DeviceWorlds::shape_added(std::uint32_t s, bool came) {
    cloth_shapes_changed(s / stride_.shapes);
    fields_stale_ = true;
    mark_shape(s, came ? SHAPE_PLACE | SHAPE_CAME : SHAPE_PLACE);
    count_shape(s, true);
    note_extras(s / stride_.shapes, shape(s).definition.material);
    note_listener(shape(s).definition);
    for (const Material& material : shape(s).mesh.options().materials)
        note_extras(s / stride_.shapes, material);
}

void DeviceWorlds::shape_moved(std::uint32_t s) { mark_shape(s, SHAPE_MOVED | SHAPE_CAME); }

void DeviceWorlds::shape_removed(std::uint32_t s) {
    cloth_shapes_changed(s / stride_.shapes);
    fetch_events();
    if (tells_touches_) gone_shapes_.emplace(s, shape_named(s));
    fields_stale_ = true;
    others_change_ = true;
    mark_shape(s, SHAPE_GONE);
    shape_flags_[s] = SHAPE_GONE;
    count_shape(s, false);
}

void DeviceWorlds::shape_changed(std::uint32_t s) {
    cloth_shapes_changed(s / stride_.shapes);
    send_earlier();
    others_change_ = true;
    check_wanted_ = true;
    note_extras(s / stride_.shapes, shape(s).definition.material);
    mark_shape(s, SHAPE_MIX | SHAPE_CAME);
    wake(s / stride_.shapes * stride_.bodies + shape(s).body);
}

void DeviceWorlds::mesh_changed(std::uint32_t s) {
    cloth_shapes_changed(s / stride_.shapes);
    send_earlier();
    fields_stale_ = true;
    mark_shape(s, SHAPE_PLACE); // the world wakes those near its new triangles
    count_shape(s, true);
}

void DeviceWorlds::joint_added(std::uint32_t j) {
    others_change_ = true;
    const std::uint32_t world = j / stride_.joints;
    JointRecord& record = members_[world].world->joints.record[j % stride_.joints];
    record.colour = COLOUR_NONE;
    mark_joint(j, STAGED_IMPULSE);
    note_limits(record);
    for (const std::uint32_t b : record.body) mark_body(world * stride_.bodies + b, STAGED_JOINTS);
    check_wanted_ = true;
}

void DeviceWorlds::joint_removed(std::uint32_t j) {
    others_change_ = true;
    const std::uint32_t world = j / stride_.joints;
    const JointRecord& record = joint(j);
    mark_joint(j, STAGED_IMPULSE);
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t b = world * stride_.bodies + record.body[side];
        mark_body(b, STAGED_JOINTS);
        // whose links change
        if (record.previous[side] != none)
            mark_joint(world * stride_.joints + record.previous[side], STAGED_LINKS);
        // they may collide again
        mark_shapes_of(b, SHAPE_MOVED | SHAPE_CAME);
    }
}

void DeviceWorlds::note_limits(const JointRecord& record) {
    if (has_limits(record)) any_limits_ = true;
    if (record.rows & ROWS_BREAKS) any_breaks_ = true;
}

void DeviceWorlds::joint_changed(std::uint32_t j, bool anew) {
    JointRecord& record = members_[j / stride_.joints].world->joints.record[j % stride_.joints];
    if (anew) record.colour = COLOUR_NONE;
    mark_joint(j, anew ? STAGED_IMPULSE : STAGED_LINKS);
    note_limits(record);
}

void DeviceWorlds::joint_collides(std::uint32_t j) {
    others_change_ = true;
    mark_joint(j, STAGED_LINKS);
    if (!joint(j).collide) check_wanted_ = true;
    else
        for (const std::uint32_t b : joint(j).body)
            mark_shapes_of(j / stride_.joints * stride_.bodies + b, SHAPE_MOVED | SHAPE_CAME);
}

void DeviceWorlds::settings_changed() {
    if (!settings().warm_starting) last_h_ = 0;
}

void DeviceWorlds::wake(std::uint32_t b) {
    send_earlier();
    if (!stale_ && !others_change_ && !body(b).asleep) return;
    wakes_.push_back(b);
    others_change_ = true;
}

void DeviceWorlds::put_to_sleep(std::uint32_t b) {
    if (!wakes_.empty() || !pending_contacts_.empty()) flush();
    others_change_ = true;
    mark_body(b, 0, BODY_SLEEP);
    somebody_may_sleep_ = sleepers_wait_ = true;
}

void DeviceWorlds::send_earlier() {
    if (sleepers_wait_ || !pending_contacts_.empty()) flush();
}

// packets ---------------------------------------------------------------------------------------------------------------

/// write(thing, packet) for each of the list, which is empty then; the device has room for a part of it. Several threads write
/// much; note(thing) is called by this one, at least for those of which `write` says so.
template <class Packet, class Write, class Note>
void DeviceWorlds::stage_in_parts(std::vector<std::uint32_t>& list, KernelId kernel, const Write& write,
                                  const Note& note) {
    constexpr std::uint32_t words = words_of<Packet>;
    std::array<bool, most_staged / staged_by_one> noted;
    for (std::size_t first = 0; first < list.size(); first += most_staged) {
        const auto count = static_cast<std::uint32_t>(std::min(most_staged, list.size() - first));
        staged_.resize(std::size_t{words} * count);
        const auto some = [&](std::uint32_t begin, std::uint32_t end, int chunk) {
            bool any = false;
            for (std::uint32_t k = begin; k < end; ++k)
                any |= write(list[first + k], *new (staged_.data() + std::size_t{words} * k) Packet{});
            noted[static_cast<std::size_t>(chunk)] = any;
        };
        if (count > staged_by_one) crew().each(count, staged_by_one, some);
        else some(0, count, 0);
        for (std::uint32_t k = 0; k < count; ++k)
            if (noted[k / staged_by_one]) note(list[first + k]);
        put(staged_, kernel, count);
    }
    list.clear();
}

void DeviceWorlds::put(const std::vector<std::uint32_t>& words, KernelId kernel, std::size_t items) {
    device_->upload(array(A::staged), words.data(), 4 * words.size());
    run(kernel, static_cast<std::uint32_t>(items));
}

void DeviceWorlds::stage_worlds() {
    if (!worlds_changed_) return;
    device_->upload(array(A::worlds), world_words_.data(), 4 * world_words_.size());
    // a reset is over with this; the words go over again when something else changes them
    worlds_changed_ = false;
    for (std::size_t k = WORLD_RESET; k < world_words_.size(); k += WORLD_WORDS)
        if (std::exchange(world_words_[k], 0u)) worlds_changed_ = true;
}

void DeviceWorlds::stage_bodies() {
    const auto is_pushed = [](const BodyRecord& record) {
        return record.force != Vec3{} || record.torque != Vec3{};
    };
    const auto is_held = [](const BodyRecord& record) {
        return record.alive && (lock_bits(record) & 7) != 0;
    };
    stage_in_parts<rigid::StagedBody>(
        dirty_bodies_, KernelId::world_put_bodies,
        [&](std::uint32_t b, rigid::StagedBody& to) {
            const BodyRecord& record = body(b);
            const std::uint32_t world = b / stride_.bodies;
            const std::size_t own = b % stride_.bodies;
            std::uint32_t flags = body_events_[b];
            if (record.alive) {
                flags |= BODY_ALIVE;
                if (record.type == BodyType::kinematic) flags |= BODY_KINEMATIC;
                if (record.type == BodyType::dynamic) flags |= BODY_DYNAMIC;
                if (record.asleep) flags |= BODY_ASLEEP;
                if (record.frozen) flags |= BODY_FROZEN;
                if (record.can_sleep) flags |= BODY_CAN_SLEEP;
                if (record.sleep_events) flags |= BODY_TELLS;
                if (record.told_asleep) flags |= BODY_TOLD_ASLEEP;
                if (record.told_outside) flags |= BODY_TOLD_OUT;
            }
            to.body = b, to.parts = body_parts_[b], to.flags = flags;
            to.first_joint = record.alive && record.first_joint != none
                                 ? world * stride_.joints + record.first_joint
                                 : none;
            to.island = record.island == none ? b : world * stride_.bodies + record.island;
            to.sleep_time = record.alive ? members_[world].world->bodies.sleep_time[own] : 0.0f;
            if (record.alive) {
                const Bodies& bodies = members_[world].world->bodies;
                std::copy_n(&bodies.position[4 * own], 4, to.position);
                std::copy_n(&bodies.rotation[4 * own], 4, to.rotation);
                std::copy_n(&bodies.motion[16 * own], 8, to.motion);
                std::copy_n(&bodies.carry[4 * CARRY_QUADS * own], 4 * CARRY_QUADS, to.carry);
                std::copy_n(&bodies.inverse_mass[8 * own], 8, to.inverse_mass);
                body_constants(record, to.constants);
                scree::put(to.force, record.force, 0);
                scree::put(to.force + 4, record.torque, 0);
            }
            body_parts_[b] = body_events_[b] = 0;
            return is_pushed(record) || is_held(record) || (record.alive && record.bullet);
        },
        [&](std::uint32_t b) {
            if (is_pushed(body(b))) pushed_.push_back(b);
            note_extras(b / stride_.bodies, is_held(body(b)));
            bullets_ = bullets_ || body(b).bullet;
        });
}

std::uint32_t DeviceWorlds::hull_place(const ShapeRecord& shape) const {
    return shape.alive && words_key(shape) ? hull_places_.at(words_key(shape)) : 0;
}

/// sends the hulls that the device does not have yet
void DeviceWorlds::find_hull_places() {
    // places of hulls that are gone are not given to others: now and then all are put anew
    const bool anew = hull_words_ > 2 * kept_hull_words_ + 65536;
    if (anew) {
        hull_places_.clear(), kept_hulls_.clear(), kept_meshes_.clear();
        hull_words_ = 0;
        ++hull_moves_;
        for (std::uint32_t s = 0; s < shape_slots(); ++s)
            if (shape(s).alive && words_key(shape(s))) mark_shape(s, 0);
    }
    for (const std::uint32_t s : dirty_shapes_) {
        const ShapeRecord& record = shape(s);
        const void* geometry = words_key(record);
        if (!record.alive || !geometry || hull_places_.contains(geometry)) continue;
        const std::vector<std::uint32_t> words =
            record.hull ? hull_words(record.hull.geometry()) : record.mesh.geometry().words;
        reserve(A::hulls, hull_words_ + words.size() + 3);
        device_->upload(array(A::hulls), words.data(), 4 * words.size(), 4 * std::size_t{hull_words_});
        hull_places_.emplace(geometry, hull_words_);
        hull_words_ += (static_cast<std::uint32_t>(words.size()) + 3) / 4 * 4; // quads stay aligned
        // kept: another one at the same address would be taken for it
        if (record.hull) kept_hulls_.push_back(record.hull);
        else kept_meshes_.push_back(record.mesh);
    }
    if (anew) kept_hull_words_ = hull_words_;
}

void DeviceWorlds::sort_out_big() {
    if (many_) return; // each looks through its own
    // eight times what nine of ten reach, or more
    std::uint32_t below = 0, most = 1;
    while (most < 255 && 10 * (below + sizes_[most]) < 9 * tree_shapes_) below += sizes_[most++];
    const std::uint32_t limit = most + big_classes;
    const auto judge = [&](std::uint32_t s) {
        const bool big = size_class_[s] && (size_class_[s] >= limit ||
                                            shape_type_[s] == static_cast<std::uint8_t>(ShapeType::plane));
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

/// for a grid: nine of ten between a half and twice the usual size, and no more larger ones than the grid leaves out
bool DeviceWorlds::sizes_alike() const {
    const std::uint32_t usual = usual_class();
    std::uint32_t larger = 0;
    for (std::uint32_t k = usual + 1; k < std::min(big_class_, 256u); ++k) larger += sizes_[k];
    return larger <= GRID_WIDE_MOST &&
           10 * std::uint64_t{sizes_[usual] + sizes_[usual - 1]} >= 9 * std::uint64_t{tree_leaves_};
}

void DeviceWorlds::stage_shapes() {
    if (dirty_shapes_.empty()) return;
    sort_out_big();
    params_.big_shapes = static_cast<std::uint32_t>(big_.size());
    tree_leaves_ = tree_shapes_ - params_.big_shapes;
    tree_built_ = false;
    stage_in_parts<rigid::StagedShape>(
        dirty_shapes_, KernelId::world_put_shapes,
        [&](std::uint32_t s, rigid::StagedShape& to) {
            const ShapeRecord& record = shape(s);
            const std::uint32_t world = s / stride_.shapes;
            const std::size_t own = s % stride_.shapes;
            const Material& material = record.definition.material;
            const Filter& filter = record.definition.filter;
            const bool present =
                record.alive && size_class_[s]; // the slot may be given to one that comes later
            to.shape = s;
            if (present) std::copy_n(&members_[world].world->shapes.size[4 * own], 4, to.size);
            to.info[SHAPE_BODY] = present ? world * stride_.bodies + record.body : none;
            to.info[SHAPE_TYPE] = static_cast<std::uint32_t>(record.type);
            to.info[SHAPE_CATEGORY] = filter.category;
            to.info[SHAPE_MASK] = filter.mask;
            to.info[SHAPE_GROUP] = static_cast<std::uint32_t>(filter.group);
            to.info[SHAPE_HULL] = hull_place(record);
            to.info[SHAPE_FLAGS] = shape_flags_[s] | (is_big_[s] ? SHAPE_BIG : 0u);
            to.info[SHAPE_RULES] = shape_traits(record.definition);
            scree::put(to.local + 4 * LOCAL_OFFSET, record.offset, record.radius);
            const Quat& turn = record.definition.rotation;
            scree::put(to.local + 4 * LOCAL_TURN, {turn.x, turn.y, turn.z}, turn.s);
            scree::put(to.local + 4 * LOCAL_MATERIAL,
                       {material.friction, material.restitution, material.rolling_resistance},
                       present ? record.thickness : 0.0f);
            scree::put(to.local + 4 * LOCAL_SURFACE, material.surface_velocity, 0);
            scree::put(to.local + 4 * LOCAL_ONE_WAY, record.one_way, 0);
            shape_flags_[s] = shape_dirty_[s] = 0;
            return false;
        },
        nothing);
}

void DeviceWorlds::stage_joints() {
    if (dirty_joints_.empty()) return;
    std::vector<std::uint32_t> carried(pending_joints_.empty() ? 0 : joint_slots(), none);
    for (std::uint32_t k = 0; k < pending_joints_.size(); ++k) carried[pending_joints_[k]] = k;
    std::vector<std::uint32_t> limited;
    for (const std::uint32_t j : dirty_joints_)
        if (has_limits(joint(j))) limited.push_back(j);
    stage_in_parts<rigid::StagedJoint>(
        dirty_joints_, KernelId::world_put_joints,
        [&](std::uint32_t j, rigid::StagedJoint& to) {
            JointRecord record = joint(j);
            const std::uint32_t world = j / stride_.joints;
            for (std::uint32_t& b : record.body) b = b == none ? none : world * stride_.bodies + b;
            for (std::uint32_t& next : record.next)
                next = next == none ? none : world * stride_.joints + next;
            to.joint = j, to.parts = joint_parts_[j];
            to.info[JOINT_FIRST] = record.body[0], to.info[JOINT_SECOND] = record.body[1];
            to.info[JOINT_NEXT] = record.next[0], to.info[JOINT_NEXT + 1] = record.next[1];
            to.info[JOINT_COLLIDES] = record.collide;
            to.info[JOINT_COLOUR] = record.alive ? record.colour : none;
            if (record.alive) joint_quads(record, world_side(joint(j)), to.record);
            if (record.alive && !carried.empty() && carried[j] != none)
                std::copy_n(&pending_impulses_[8 * std::size_t{carried[j]}], 8,
                            to.record + 4 * JOINT_RECORD_IMPULSE);
            joint_parts_[j] = 0;
            return false;
        },
        nothing);
    pending_joints_.clear(), pending_impulses_.clear();
    stage_in_parts<rigid::StagedLimits>(
        limited, KernelId::world_put_joint_limits,
        [&](std::uint32_t j, rigid::StagedLimits& to) {
            to.joint = j;
            joint_limit_quads(joint(j), to.limits);
            return false;
        },
        nothing);
}

/// bodies that woke, fell asleep or froze: colours their constraints again, and lists awake bodies
void DeviceWorlds::pass_on_changes(bool events) {
    rigid::WorldParams p = params_;
    p.which = events;
    p.contacts = contacts_;
    run(KernelId::world_contact_changed, std::min(contacts_, 262'144u), p);
    run(KernelId::world_joint_changed, params_.joints, p);
    run(KernelId::world_settle_shapes, params_.shapes, p);
    run(KernelId::world_settle, params_.bodies, p);
    device_->fill(array(A::counts), 0, 1, COUNT_CHANGED);
    device_->fill(array(A::counts), 0, 1, COUNT_WAKE);
}

/// Wakes touched islands, then islands that fell asleep on these, and so on.
void DeviceWorlds::wake_marked() {
    if (!somebody_may_sleep_) return;
    run(KernelId::world_wake, params_.bodies);
    for (Counts now = read_counts(); now[COUNT_WAKE]; now = read_counts()) {
        device_->fill(array(A::counts), 0, 1, COUNT_WAKE);
        run(KernelId::world_wake_neighbours, contacts_);
        run(KernelId::world_wake_joined, params_.joints);
        run(KernelId::world_wake, params_.bodies);
    }
}

void DeviceWorlds::flush() {
    // the world bodies, which are never added
    for (std::uint32_t n = 0; newcomers_ && n < members_.size(); ++n)
        if (const std::uint32_t b = many_ ? n * stride_.bodies : 0;
            members_[n].world && (known_type_.size() <= b || known_type_[b] == no_type))
            body_added(b);
    newcomers_ = sleepers_wait_ = resets_wait_ = false;
    if (dirty_bodies_.empty() && dirty_shapes_.empty() && dirty_joints_.empty() && wakes_.empty() &&
        pending_contacts_.empty())
        return;
    fetch_events(); // pairs that end from here on are for the next step
    // allocate first, so that nothing has changed if memory is short
    grow_bodies();
    grow_shapes();
    grow_joints();
    grow_contacts(contacts_ + static_cast<std::uint32_t>(pending_contacts_.size()));
    find_hull_places();
    const auto part = [](const std::vector<std::uint32_t>& list) {
        return std::min(list.size(), most_staged);
    };
    reserve(A::staged, std::max({words_of<rigid::StagedBody> * part(dirty_bodies_),
                                 words_of<rigid::StagedShape> * part(dirty_shapes_),
                                 words_of<rigid::StagedJoint> * part(dirty_joints_), wakes_.size(),
                                 any_limits_ ? words_of<rigid::StagedLimits> * part(dirty_joints_) : 0}));
    params_.distance = settings().speculative_distance;
    params_.contacts = contacts_;
    params_.body_stride = stride_.bodies, params_.shape_stride = stride_.shapes,
    params_.joint_stride = stride_.joints;
    stage_worlds();
    if (!wakes_.empty()) {
        put(wakes_, KernelId::world_wake_listed, wakes_.size());
        wakes_.clear();
    }
    const bool shapes = !dirty_shapes_.empty(), bodies = !dirty_bodies_.empty();
    stage_bodies();
    stage_shapes();
    stage_joints();
    run(KernelId::world_place_shapes, params_.shapes);
    if (shapes || bodies) {
        rigid::WorldParams p = params_;
        p.which = 0;
        run(KernelId::world_contact_events, contacts_, p);
    }
    wake_marked();
    run(KernelId::world_put_to_sleep, params_.bodies);
    pass_on_changes(true);
    add_pending();
    stale_ = stale_ || others_change_;
    others_change_ = false;
    contacts_stale_ = true;
    ++changes_;
}

/// contacts of restored worlds, behind all others
void DeviceWorlds::add_pending() {
    if (pending_contacts_.empty()) return;
    const std::size_t first = contacts_;
    device_->upload(array(A::contact), pending_contacts_.data(), sizeof(Contact) * pending_contacts_.size(),
                    sizeof(Contact) * first);
    device_->upload(array(A::ends), pending_ends_.data(), 4 * pending_ends_.size(), 16 * first);
    device_->upload(array(A::state), pending_state_.data(), 4 * pending_state_.size(), 4 * first);
    rigid::WorldParams p = params_;
    p.first = contacts_;
    run(KernelId::world_table_fill, static_cast<std::uint32_t>(pending_contacts_.size()), p);
    contacts_ += static_cast<std::uint32_t>(pending_contacts_.size());
    params_.contacts = contacts_;
    added_ += static_cast<std::uint32_t>(pending_contacts_.size());
    pending_contacts_.clear(), pending_ends_.clear(), pending_state_.clear();
}

} // namespace scree
