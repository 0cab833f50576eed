// SPDX-License-Identifier: MIT
// device_arrays.cpp — the device's memory of a rigid world: how large each array is, and growing.

#include "rigid/device_worlds.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>

namespace scree {

using A = WorldArray;

namespace {

/// before anything is known of the worlds
constexpr DeviceWorlds::Strides first_strides{16, 16, 4};

} // namespace

DeviceWorlds::DeviceWorlds(const Place& place, std::uint32_t count)
    : device_(place.opened().queue()),
      crew_(place),
      most_memory_(place.options().memory),
      members_(count),
      stride_(count == 1 ? Strides{none, none, none} : first_strides),
      many_(count != 1) {
    world_words_.resize(WORLD_WORDS * std::size_t{count});
    phases_[0] = count;
    reserve_first();
}

void DeviceWorlds::reserve_first() {
    reserve(A::worlds, world_words_.size());
    reserve(A::counts, COUNT_WORDS);
    reserve(A::hulls, 64);
    reserve(A::big, 64);
    reserve(A::staged, 1024);
    reserve(A::slots, 1024, NOTHING);
    reserve(A::block, 1024);
    reserve(A::extra, 64);
    reserve(A::push, 64);
    reserve(A::split_keys, 64);
    reserve(A::split_parts, 64);
    reserve(A::pieces, 4);
    reserve(A::asked, 4);
    reserve(A::fields, 4);
    reserve(A::field_shapes, 4);
}

DeviceWorlds::~DeviceWorlds() {
    release_all();
    device_->release(requests_);
    device_->release(request_count_);
    for (Buffer& buffer : query_) device_->release(buffer);
    device_->release(instances_);
}

void DeviceWorlds::release_all() {
    for (Buffer& buffer : arrays_) device_->release(buffer);
    for (Buffer& buffer : spare_) device_->release(buffer);
}

Buffer DeviceWorlds::allocate(std::size_t bytes) {
    std::uint64_t held = 0;
    for (const Buffer& buffer : arrays_) held += buffer.bytes;
    for (const Buffer& buffer : spare_) held += buffer.bytes;
    for (const Buffer& buffer : query_) held += buffer.bytes;
    held += requests_.bytes + request_count_.bytes + instances_.bytes;
    return device_->allocate_within(most_memory_, held, bytes);
}

void DeviceWorlds::reserve(WorldArray which, std::size_t words, std::uint32_t fresh) {
    Buffer& old = array(which);
    if (old.bytes >= 4 * words) return;
    const std::size_t kept = old.bytes / 4, room = std::max(words, kept + kept / 2);
    Buffer larger = allocate(4 * room);
    if (kept) device_->copy(larger, old, 4 * kept);
    device_->fill(larger, fresh, room - kept, kept);
    device_->release(old);
    old = larger;
    ++allocations_;
}

void DeviceWorlds::reserve(Buffer& buffer, std::size_t words) {
    if (buffer.bytes >= 4 * words) return;
    device_->release(buffer);
    buffer = allocate(4 * (words + words / 2));
    ++allocations_;
}

void DeviceWorlds::grow_bodies() {
    const std::size_t n = body_slots();
    constexpr struct {
        WorldArray which;
        unsigned words;
        std::uint32_t fresh;
    } all[] = {{A::position, 4, 0},     {A::rotation, 4, 0},
               {A::motion, 16, 0},      {A::carry, 4 * CARRY_QUADS, 0},
               {A::inverse_mass, 8, 0}, {A::constants, 4 * BODY_CONSTANTS, 0},
               {A::force, 8, 0},        {A::kick, 4 * KICK_QUADS, 0},
               {A::free, 8, 0},         {A::change, 8, 0},
               {A::rest, 1, 0},         {A::sleep_time, 1, 0},
               {A::body_flags, 1, 0},   {A::first_joint, 1, NOTHING},
               {A::island, 1, 0},       {A::wake, 1, 0},
               {A::colours, 1, 0},      {A::bids, 2, NOTHING},
               {A::parent, 1, 0},       {A::least_rest, 1, NOTHING},
               {A::awake, 1, NOTHING},  {A::moved, 1, 0},
               {A::split, 1, 0}};
    for (const auto& each : all) reserve(each.which, each.words * n, each.fresh);
    params_.bodies = static_cast<std::uint32_t>(n);
}

void DeviceWorlds::grow_shapes() {
    const std::size_t n = shape_slots();
    reserve(A::pose, 8 * n);
    reserve(A::size, 4 * n);
    reserve(A::bounds, 8 * n);
    reserve(A::fat, 8 * n);
    reserve(A::shape_info, SHAPE_INFO * n, NOTHING);
    reserve(A::shape_local, 4 * LOCAL_QUADS * n);
    reserve(A::moved, n);
    reserve(A::tree_keys, n);
    reserve(A::tree_order, n);
    reserve(A::nodes, 16 * n);
    reserve(A::node_up, 2 * n, NOTHING);
    reserve(A::node_seen, n);
    params_.shapes = static_cast<std::uint32_t>(n);
}

void DeviceWorlds::grow_joints() {
    const std::size_t n = joint_slots();
    reserve(A::joint, 4 * JOINT_RECORD * std::max<std::size_t>(n, 1));
    reserve(A::joint_info, JOINT_INFO * std::max<std::size_t>(n, 1), NOTHING);
    if (any_limits_) reserve(A::joint_limits, 4 * JOINT_LIMITS * n);
    reserve(A::fresh, contact_room_ + n);
    params_.joints = static_cast<std::uint32_t>(n);
}

void DeviceWorlds::grow_contacts(std::uint32_t wanted) {
    if (wanted > contact_room_ || contact_room_ == 0) {
        const std::uint32_t room = std::max({wanted, contact_room_ + contact_room_ / 2, 4096u});
        const std::size_t n = room;
        reserve(A::contact, 64 * n);
        reserve(A::ends, 4 * n, NOTHING);
        reserve(A::state, n);
        // swapped with the others when contacts are put in order
        if (array(A::contact_to).bytes) {
            reserve(A::contact_to, 64 * n);
            reserve(A::ends_to, 4 * n, NOTHING);
            reserve(A::state_to, n);
        }
        reserve(A::free_contacts, n);
        reserve(A::found, 2 * n);
        reserve(A::work, WORK_LISTS * n);
        reserve(A::fresh, n + joint_slots());
        reserve(A::bucket_keys, n);
        reserve(A::bucket_values, n);
        // only now, so that a failure leaves the old room unchanged
        params_.room = contact_room_ = room;
    }
    reserve_events();
    // half of it empty, and dead keys take room until it is filled again
    if (table_size_ < 4 * std::size_t{contact_room_} || counts_[COUNT_KEYS] > table_size_ / 2) fill_table();
}

void DeviceWorlds::fill_table() {
    const std::uint32_t size = std::bit_ceil(4 * contact_room_);
    if (size > table_size_) {
        reserve(A::table_keys, 2 * std::size_t{size});
        reserve(A::table_values, size);
        table_size_ = size;
    }
    params_.table_mask = table_size_ - 1;
    device_->fill(array(A::table_keys), 0, 2 * std::size_t{table_size_});
    device_->fill(array(A::counts), 0, 1, COUNT_KEYS);
    counts_[COUNT_KEYS] = 0;
    rigid::WorldParams all = params_;
    all.contacts = contacts_;
    all.first = 0;
    run(KernelId::world_table_fill, contacts_, all);
}

void DeviceWorlds::run(KernelId kernel, std::uint32_t items, rigid::WorldParams params) const {
    if (items == 0) return;
    params.items = items;
    device_->launch(kernel, items, arrays_, &params, sizeof params);
}

DeviceWorlds::Counts DeviceWorlds::read_counts() const {
    Counts counts;
    device_->download(counts.data(), array(A::counts), sizeof counts);
    return counts;
}

WorldMemory DeviceWorlds::memory() const {
    WorldMemory memory;
    for (const Member& member : members_)
        if (member.cloths) memory.cloths += member.cloths->memory();
    const auto bytes = [&](std::initializer_list<WorldArray> all) {
        std::uint64_t sum = 0;
        for (const WorldArray which : all) sum += array(which).bytes;
        return sum;
    };
    memory.contacts =
        bytes({A::contact, A::ends, A::state, A::contact_to, A::ends_to, A::state_to, A::free_contacts,
               A::work, A::fresh, A::event_counts, A::lost, A::touches, A::approach, A::hits});
    memory.broad_phase = bytes({A::found, A::table_keys, A::table_values, A::tree_keys, A::tree_order,
                                A::nodes, A::node_up, A::node_seen, A::moved, A::big, A::grid_facts,
                                A::grid_keys, A::grid_start, A::grid_bounds, A::grid_wide, A::grid_seekers}) +
                         spare_[0].bytes + spare_[1].bytes;
    memory.solver = bytes({A::bucket_keys, A::bucket_values, A::slots, A::block, A::extra, A::split, A::push,
                           A::split_keys, A::split_parts, A::pieces, A::asked}) +
                    spare_[2].bytes + spare_[3].bytes;
    memory.joints = bytes({A::joint, A::joint_info, A::joint_limits});
    memory.shapes = bytes({A::pose, A::size, A::bounds, A::fat, A::shape_info, A::shape_local, A::hulls});
    memory.bodies = bytes({A::stirred,      A::regions,    A::position,    A::rotation, A::motion, A::carry,
                           A::inverse_mass, A::constants,  A::force,       A::kick,     A::free,   A::rest,
                           A::sleep_time,   A::body_flags, A::first_joint, A::island,   A::wake,   A::colours,
                           A::bids,         A::parent,     A::least_rest,  A::awake});
    return memory;
}

} // namespace scree
