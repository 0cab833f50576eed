// SPDX-License-Identifier: MIT
// device_members.cpp — the worlds that a device steps together: their numbers, strides and replacement.

#include "rigid/device_simulation.h"
#include "rigid/device_worlds.h"
#include "rigid/records.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {

namespace {

const BodyRecord no_body{};
const ShapeRecord no_shape{};
const JointRecord no_joint{};

/// a slot of a world that it does not use is like one that is free
template <class Record>
const Record& record_at(const std::vector<Record>& records, std::uint32_t at, const Record& nothing) {
    return at < records.size() ? records[at] : nothing;
}

std::uint32_t grown(std::uint32_t stride, std::size_t wanted) {
    return wanted <= stride ? stride : std::bit_ceil(static_cast<std::uint32_t>(wanted));
}

} // namespace

std::unique_ptr<Simulation> DeviceWorlds::member(RigidStorage& world, std::uint32_t number) {
    return std::make_unique<DeviceSimulation>(shared_from_this(), world, number);
}

const WorldSettings& DeviceWorlds::settings() const {
    return std::find_if(members_.begin(), members_.end(), [](const Member& m) { return m.world; })
        ->world->settings;
}

const BodyRecord& DeviceWorlds::body(std::uint32_t b) const {
    const RigidStorage* world = members_[b / stride_.bodies].world;
    return world ? record_at(world->bodies.record.all(), b % stride_.bodies, no_body) : no_body;
}
const ShapeRecord& DeviceWorlds::shape(std::uint32_t s) const {
    const RigidStorage* world = members_[s / stride_.shapes].world;
    return world ? record_at(world->shapes.record.all(), s % stride_.shapes, no_shape) : no_shape;
}
const JointRecord& DeviceWorlds::joint(std::uint32_t j) const {
    const RigidStorage* world = members_[j / stride_.joints].world;
    return world ? record_at(world->joints.record, j % stride_.joints, no_joint) : no_joint;
}

namespace {
std::uint32_t all_slots(std::size_t members, std::uint32_t stride) {
    if (members * std::uint64_t{stride} >= none)
        throw Error(std::to_string(members) + " worlds with room for " + std::to_string(stride) +
                        " each are more than can be numbered",
                    "worlds");
    return static_cast<std::uint32_t>(members * stride);
}
} // namespace

std::uint32_t DeviceWorlds::body_slots() const {
    return many_ ? all_slots(members_.size(), stride_.bodies)
                 : static_cast<std::uint32_t>(members_[0].world->bodies.record.size());
}
std::uint32_t DeviceWorlds::shape_slots() const {
    return many_ ? all_slots(members_.size(), stride_.shapes)
                 : static_cast<std::uint32_t>(members_[0].world->shapes.record.size());
}
std::uint32_t DeviceWorlds::joint_slots() const {
    return many_ ? all_slots(members_.size(), stride_.joints)
                 : static_cast<std::uint32_t>(members_[0].world->joints.record.size());
}

void DeviceWorlds::join(std::uint32_t number, RigidStorage& world) {
    if (!members_[number].world) members_[number].world = &world;
    newcomers_ = true;
}

void DeviceWorlds::leave(std::uint32_t number, const RigidStorage& world) {
    if (members_[number].world != &world) return;
    if (many_) remove_all(number);
    members_[number].world = nullptr;
    members_[number].cloths.reset();
    fields_stale_ = true;
}

bool DeviceWorlds::has_room(std::uint32_t number) {
    if (!many_) return true;
    const RigidStorage& world = *members_[number].world;
    const Strides wanted{grown(stride_.bodies, world.bodies.record.size()),
                         grown(stride_.shapes, world.shapes.record.size()),
                         grown(stride_.joints, world.joints.record.size())};
    if (wanted.bodies == stride_.bodies && wanted.shapes == stride_.shapes && wanted.joints == stride_.joints)
        return true;
    regroup(wanted);
    return false;
}

/// Of an empty device; unsent changes are lost.
void DeviceWorlds::forget_all() {
    release_all();
    contacts_ = contact_room_ = table_size_ = 0;
    counts_ = {};
    params_ = {};
    dirty_bodies_.clear(), dirty_shapes_.clear(), dirty_joints_.clear(), wakes_.clear(), pushed_.clear();
    body_parts_.clear(), body_events_.clear(), shape_flags_.clear(), joint_parts_.clear();
    pending_contacts_.clear(), pending_ends_.clear(), pending_state_.clear();
    pending_joints_.clear(), pending_impulses_.clear();
    shape_dirty_.clear(), known_type_.clear();
    hull_places_.clear(), kept_hulls_.clear(), kept_meshes_.clear();
    hull_words_ = kept_hull_words_ = 0;
    size_class_.clear(), shape_type_.clear(), is_big_.clear(), big_.clear();
    sizes_ = {}, types_ = {};
    tree_shapes_ = kinematic_ = added_ = 0;
    worlds_changed_ = contacts_stale_ = fields_stale_ = true;
    sleepers_wait_ = resets_wait_ = puts_wait_ = tree_built_ = events_stale_ = false;
    regions_stale_ = true;
    gone_shapes_.clear();
    reserve_first();
}

/// Everything is taken from the device and put back with larger strides: rare, and as dear as restoring every world.
void DeviceWorlds::regroup(const Strides& wanted) {
    flush();
    fetch();
    std::vector<SimulationImage> images(members_.size());
    for (std::uint32_t n = 0; n < members_.size(); ++n)
        if (members_[n].world) images[n] = image(n, true);
    // a shape keeps its bounds and whether its pairs are to be found: nothing has happened to it
    const ShapeBounds before = download_bounds();
    const std::uint32_t old_stride = stride_.shapes;
    stride_ = wanted;
    const bool puts = puts_wait_;
    forget_all();
    puts_wait_ = puts;
    for (std::uint32_t n = 0; n < members_.size(); ++n)
        if (members_[n].world) add_all(n, images[n]);
    flush();
    ShapeBounds now = download_bounds();
    for (std::size_t s = 0; s < before.fat.size() / 8; ++s) {
        const std::size_t n = s / old_stride, to = n * stride_.shapes + s % old_stride;
        if (before.info[SHAPE_INFO * s + SHAPE_BODY] == none || !members_[n].world) continue;
        std::uint32_t& flags = now.info[SHAPE_INFO * to + SHAPE_FLAGS];
        flags = (flags & ~SHAPE_WAITS) | (before.info[SHAPE_INFO * s + SHAPE_FLAGS] & SHAPE_WAITS);
        std::copy_n(&before.bounds[8 * s], 8, &now.bounds[8 * to]);
        std::copy_n(&before.fat[8 * s], 8, &now.fat[8 * to]);
    }
    using A = WorldArray;
    device_->upload(array(A::shape_info), now.info.data(), 4 * now.info.size());
    device_->upload(array(A::bounds), now.bounds.data(), 4 * now.bounds.size());
    device_->upload(array(A::fat), now.fat.data(), 4 * now.fat.size());
    device_->finish();
}

DeviceWorlds::ShapeBounds DeviceWorlds::download_bounds() {
    using A = WorldArray;
    const std::size_t shapes = params_.shapes;
    ShapeBounds all{std::vector<std::uint32_t>(SHAPE_INFO * shapes), std::vector<float>(8 * shapes),
                    std::vector<float>(8 * shapes)};
    if (shapes == 0) return all;
    device_->download(all.info.data(), array(A::shape_info), 4 * all.info.size());
    device_->download(all.bounds.data(), array(A::bounds), 4 * all.bounds.size());
    device_->download(all.fat.data(), array(A::fat), 4 * all.fat.size());
    return all;
}

void DeviceWorlds::enter(std::uint32_t number, RigidStorage& world, const SimulationImage& image) {
    const bool carries = carries_impulses(image);
    fetch_events();
    if (many_) check_joins(image, last_h_);
    if (members_[number].world != &world) {
        if (many_) forget_lost(number), remove_all(number);
        else forget_all();
        members_[number].world = &world;
        members_[number].cloths.reset();
        world_words_[WORLD_WORDS * std::size_t{number} + WORLD_RESET] = 1;
        worlds_changed_ = true;
    }
    if (carries || !many_) last_h_ = image.last_h;
    members_[number].extras = false;
    if (many_ &&
        (world.bodies.record.size() > stride_.bodies || world.shapes.record.size() > stride_.shapes ||
         world.joints.record.size() > stride_.joints)) {
        // its own is not on the device yet: the others make room, then it comes
        members_[number].world = nullptr;
        flush();
        regroup({grown(stride_.bodies, world.bodies.record.size()),
                 grown(stride_.shapes, world.shapes.record.size()),
                 grown(stride_.joints, world.joints.record.size())});
        members_[number].world = &world;
    }
    add_all(number, image);
    restored_ = fields_stale_ = instances_stale_ = true;
}

/// A restored world on the CPU knows its pairs at once. Here the next step finds them, unless a change comes first, which may
/// wake what is near.
void DeviceWorlds::find_restored_pairs() {
    if (!std::exchange(restored_, false)) return;
    flush();
    prepare_params(0);
    device_->fill(array(WorldArray::counts), 0, COUNT_WORDS - COUNT_CLEARED, COUNT_CLEARED);
    rigid::WorldParams p = params_;
    p.which = BOUNDS_OF_RESTORED;
    run(KernelId::world_bounds, params_.shapes, p);
    find_pairs();
}

void DeviceWorlds::add_all(std::uint32_t number, const SimulationImage& image) {
    RigidStorage& world = *members_[number].world;
    members_[number].lost = image.lost;
    tells_touches_ = tells_touches_ || !image.lost.empty();
    watched_ = watched_ || world.watched;
    regions_stale_ = true;
    const std::uint32_t body_base = number * stride_.bodies, shape_base = number * stride_.shapes,
                        joint_base = number * stride_.joints;
    newcomers_ = true;
    set_phase(number);
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b) {
        BodyRecord& record = world.bodies.record.edit(b);
        if (!record.alive) continue;
        // the smallest of a ring is its root
        record.island = none;
        if (record.asleep) {
            std::uint32_t root = b;
            for (std::uint32_t k = image.island_next[b]; k != b; k = image.island_next[k])
                root = std::min(root, k);
            record.island = root;
            somebody_may_sleep_ = true;
        }
        body_added(body_base + b);
    }
    for (std::uint32_t s = 0; s < world.shapes.record.size(); ++s)
        if (world.shapes.record[s].alive) shape_added(shape_base + s, false);
    note_extras(number, image.extras);
    const bool checks = check_wanted_;
    for (std::uint32_t j = 0; j < world.joints.record.size(); ++j) {
        if (!world.joints.record[j].alive) continue;
        joint_added(joint_base + j);
        if (j >= image.joints.size()) continue;
        world.joints.record[j].colour = static_cast<std::uint8_t>(image.joints[j].colour);
        pending_joints_.push_back(joint_base + j);
        pending_impulses_.insert(pending_impulses_.end(), std::begin(image.joints[j].impulse),
                                 std::end(image.joints[j].impulse));
    }
    check_wanted_ = checks;
    for (const SimulationImage::Saved& saved : image.contacts) {
        Contact c = saved.contact;
        const std::uint32_t points = rigid::room_for_points(c.count);
        pending_state_.push_back(points | (points ? saved.colour : COLOUR_NONE) << STATE_COLOUR |
                                 (saved.made ? 1u : 0u) << STATE_MADE |
                                 (static_cast<std::uint32_t>(kind_of(world.shapes.record[c.shape_a],
                                                                     world.shapes.record[c.shape_b])) +
                                  c.slot)
                                     << STATE_KIND |
                                 static_cast<std::uint32_t>(saved.marks) << STATE_MARKS);
        c.shape_a += shape_base, c.shape_b += shape_base;
        c.body_a += body_base, c.body_b += body_base;
        pending_contacts_.push_back(c);
        pending_ends_.insert(pending_ends_.end(), {c.shape_a, c.shape_b, c.body_a, c.body_b});
    }
}

/// The device's data of the world will be overwritten or cleared; its contacts end with the world's reset.
void DeviceWorlds::remove_all(std::uint32_t number) {
    if (!members_[number].world) return;
    const std::uint32_t body_base = number * stride_.bodies, shape_base = number * stride_.shapes,
                        joint_base = number * stride_.joints;
    for (std::uint32_t b = body_base;
         b < std::min<std::size_t>(body_base + stride_.bodies, known_type_.size()); ++b)
        if (known_type_[b] != no_type) body_removed(b);
    for (std::uint32_t s = shape_base;
         s < std::min<std::size_t>(shape_base + stride_.shapes, size_class_.size()); ++s)
        if (size_class_[s]) shape_removed(s);
    for (std::uint32_t j = joint_base;
         j < std::min<std::size_t>(joint_base + stride_.joints, joint_parts_.size()); ++j)
        mark_joint(j, STAGED_IMPULSE);
    std::erase_if(gone_shapes_, [&](const auto& gone) { return gone.first / stride_.shapes == number; });
    const auto own = [&](std::uint32_t b) { return b / stride_.bodies == number; };
    std::erase_if(wakes_, own);
    std::erase_if(pushed_, own);
    // drop its pending changes
    std::vector<Contact> contacts;
    std::vector<std::uint32_t> ends, state;
    for (std::size_t k = 0; k < pending_contacts_.size(); ++k) {
        if (own(pending_contacts_[k].body_a)) continue;
        contacts.push_back(pending_contacts_[k]);
        ends.insert(ends.end(), pending_ends_.begin() + 4 * static_cast<std::ptrdiff_t>(k),
                    pending_ends_.begin() + 4 * static_cast<std::ptrdiff_t>(k) + 4);
        state.push_back(pending_state_[k]);
    }
    pending_contacts_.swap(contacts), pending_ends_.swap(ends), pending_state_.swap(state);
}

void DeviceWorlds::set_phase(std::uint32_t number) {
    Member& member = members_[number];
    const std::uint32_t phase = (static_cast<std::uint32_t>(member.world->steps) - steps_) % STEPS_BETWEEN;
    if (phase == member.phase) return;
    --phases_[member.phase];
    ++phases_[phase];
    member.phase = phase;
    world_words_[WORLD_WORDS * std::size_t{number} + WORLD_PHASE] = phase;
    worlds_changed_ = true;
}

void DeviceWorlds::note_extras(std::uint32_t number, bool extras) {
    members_[number].extras = members_[number].extras || extras;
    extras_ = extras_ || extras;
}
void DeviceWorlds::note_extras(std::uint32_t number, const Material& material) {
    note_extras(number, material.restitution > 0 || material.rolling_resistance > 0 ||
                            material.surface_velocity != Vec3{});
}

} // namespace scree
