// SPDX-License-Identifier: MIT
// device_copies.cpp — the state of worlds on a device, copied within the device and back: for rollback.

#include "rigid/device_worlds.h"
#include "rigid/kept.h"

#include <algorithm>

namespace scree {

namespace {

using A = WorldArray;

/// Written anew in each step before it is read; only its size matters.
bool is_scratch(std::size_t which) {
    constexpr A scratch[] = {A::grid_facts,   A::grid_keys,   A::grid_start,    A::grid_bounds, A::grid_wide,
                             A::grid_seekers, A::contact_to,  A::ends_to,       A::state_to,    A::found,
                             A::work,         A::bucket_keys, A::bucket_values, A::slots,       A::block,
                             A::extra,        A::push,        A::split_keys,    A::split_parts, A::staged,
                             A::pieces,       A::asked,       A::touches,       A::approach,    A::hits,
                             A::stirred,      A::cloth_touch};
    return std::find(std::begin(scratch), std::end(scratch), static_cast<A>(which)) != std::end(scratch);
}

} // namespace

/// What the host knows of the device. The rest belongs to the last fetch, or is written before it is read.
auto DeviceWorlds::kept_fields() {
    return std::tie(stride_, steps_, phases_, world_words_, worlds_changed_, newcomers_, params_, counts_,
                    contacts_, contact_room_, table_size_, last_h_, extras_, bullets_, any_limits_,
                    any_breaks_, broken_, broken_begin_, dirty_bodies_, dirty_shapes_, dirty_joints_, wakes_,
                    body_parts_, body_events_, shape_flags_, joint_parts_, shape_dirty_, check_wanted_,
                    sleepers_wait_, restored_, resets_wait_, puts_wait_, gone_, pending_contacts_,
                    pending_ends_, pending_state_, pending_joints_, pending_impulses_, pushed_, known_type_,
                    hull_places_, kept_hulls_, kept_meshes_, hull_words_, kept_hull_words_, sizes_, types_,
                    size_class_, shape_type_, big_, is_big_, big_class_, tree_shapes_, tree_leaves_,
                    big_changed_, tree_built_, moved_since_build_, added_, kinematic_, somebody_may_sleep_,
                    rounds_, joint_rounds_, last_fresh_, last_work_, fields_stale_, fields_, tells_touches_,
                    tells_hits_, tells_bodies_, watched_, sensors_, one_way_, regions_stale_, gone_shapes_,
                    stale_, poses_stale_, others_change_);
}

struct DeviceWorlds::Copy final : SimulationCopy {
    explicit Copy(std::shared_ptr<Device> where) : device(std::move(where)) {}
    ~Copy() override {
        for (Buffer& buffer : arrays) device->release(buffer);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    std::shared_ptr<Device> device;
    ValuesOf<decltype(std::declval<DeviceWorlds&>().kept_fields())>::type fields;
    std::vector<std::tuple<bool, std::uint32_t, std::vector<TouchPair>>> members; ///< extras, phase and lost
    std::array<Buffer, static_cast<unsigned>(WorldArray::count)> arrays{};
    std::array<std::size_t, static_cast<unsigned>(WorldArray::count)> bytes{}; ///< of the world's arrays
};

void DeviceWorlds::keep(std::unique_ptr<SimulationCopy>& to) {
    flush();
    fetch_events();
    if (!to) to = std::make_unique<Copy>(device_);
    Copy& copy = static_cast<Copy&>(*to);
    copy_fields(copy.fields, kept_fields());
    copy.members.clear();
    for (const Member& member : members_) copy.members.emplace_back(member.extras, member.phase, member.lost);
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
        copy.bytes[k] = arrays_[k].bytes;
        if (is_scratch(k) || !copy.bytes[k]) continue;
        if (copy.arrays[k].bytes < copy.bytes[k]) {
            device_->release(copy.arrays[k]);
            copy.arrays[k] = device_->allocate(copy.bytes[k]);
        }
        device_->copy(copy.arrays[k], arrays_[k], copy.bytes[k]);
    }
}

void DeviceWorlds::go_back(const SimulationCopy& from) {
    const Copy& copy = static_cast<const Copy&>(from);
    const bool foreign = copy.device != device_; // of the world that this is a clone of
    if (foreign) copy.device->finish();
    // memory first: where it is short, nothing has changed
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
        // beyond what is in use, arrays hold what they were made with: sizes must be as they were
        if (is_scratch(k) ? arrays_[k].bytes >= copy.bytes[k] : arrays_[k].bytes == copy.bytes[k]) continue;
        Buffer old = arrays_[k];
        arrays_[k] = copy.bytes[k] ? device_->allocate(copy.bytes[k]) : Buffer{};
        device_->release(old);
    }
    for (std::size_t k = 0; k < arrays_.size(); ++k)
        if (!is_scratch(k) && copy.bytes[k]) device_->copy(arrays_[k], copy.arrays[k], copy.bytes[k]);
    copy_fields(kept_fields(), copy.fields);
    for (std::size_t n = 0; n < members_.size(); ++n)
        std::tie(members_[n].extras, members_[n].phase, members_[n].lost) = copy.members[n];
    events_stale_ = false;
    contacts_stale_ = counters_stale_ = instances_stale_ = true;
    ++changes_;
    if (foreign) device_->finish(); // the copy may go now
}

} // namespace scree
