// SPDX-License-Identifier: MIT
// device_read.cpp — copies results of a world from the device to the host, on request.

#include "rigid/device_worlds.h"
#include "rigid/image.h"
#include "rigid/records.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace scree {

using A = WorldArray;

namespace {

/// The device's words for each body, to the arrays of the worlds: all at once where there is one.
template <class Get>
void pull(Device& device, const Buffer& from, std::size_t words, std::size_t stride,
          std::span<RigidStorage* const> worlds, const Get& get) {
    if (worlds.size() == 1) {
        auto& to = get(*worlds[0]);
        device.download(to.data(), from, 4 * to.size());
        return;
    }
    std::vector<float> all(words * stride * worlds.size());
    device.download(all.data(), from, 4 * all.size());
    for (std::size_t n = 0; n < worlds.size(); ++n)
        if (worlds[n])
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(n * words * stride),
                        std::min(get(*worlds[n]).size(), words * stride), get(*worlds[n]).begin());
}

/// What the device says of a body besides its arrays.
void take_flags(BodyRecord& record, std::uint32_t flags, std::uint32_t island) {
    record.asleep = (flags & BODY_ASLEEP) != 0;
    record.frozen = (flags & BODY_FROZEN) != 0;
    record.told_asleep = (flags & BODY_TOLD_ASLEEP) != 0;
    record.told_outside = (flags & BODY_TOLD_OUT) != 0;
    record.island = record.asleep ? island : none;
}

} // namespace

void DeviceWorlds::fetch_body(std::uint32_t b) {
    // awake bodies stay awake until the next step unless put to sleep; the world's arrays have the rest
    const bool settles = b < body_events_.size() && (body_events_[b] & BODY_SLEEP);
    if (stale_ || settles || (others_change_ && body(b).asleep)) fetch();
}

void DeviceWorlds::read_body(std::uint32_t b) {
    // so many single reads cost about as much as to fetch all: estimated at 50 us a read and 50 ns a body
    if (!stale_ || many_ || single_reads_ >= params_.bodies / 1024) return fetch_body(b);
    flush();
    ++single_reads_;
    Bodies& bodies = members_[0].world->bodies;
    const auto one = [&](WorldArray which, std::size_t words, auto& to) {
        device_->download(to.data() + words * b, array(which), 4 * words, 4 * words * b);
    };
    one(A::position, 4, bodies.position);
    one(A::rotation, 4, bodies.rotation);
    one(A::motion, 16, bodies.motion);
    one(A::carry, 4 * CARRY_QUADS, bodies.carry);
    one(A::inverse_mass, 8, bodies.inverse_mass);
    one(A::sleep_time, 1, bodies.sleep_time);
    std::uint32_t flags = 0, island = 0;
    device_->download(&flags, array(A::body_flags), 4, 4 * std::size_t{b});
    device_->download(&island, array(A::island), 4, 4 * std::size_t{b});
    take_flags(bodies.record.edit(b), flags, island);
}

std::span<const float> DeviceWorlds::read_poses(PoseArray which) {
    flush();
    if (!stale_) return {};
    if (many_) {
        fetch();
        return {};
    }
    const auto kind = static_cast<unsigned>(which);
    const unsigned lane = 2 + kind; // behind those of begin_read
    const std::size_t floats = members_[0].world->bodies.position.size();
    if (std::exchange(poses_read_[kind], changes_) != changes_)
        device_->begin_read(lane, array(which == PoseArray::position ? A::position : A::rotation),
                            4 * floats);
    return {static_cast<const float*>(device_->end_read(lane)), floats};
}

void DeviceWorlds::fetch() {
    if (!stale_ && !others_change_) return;
    flush();
    if (!stale_) return;
    stale_ = false;
    const bool stepped = std::exchange(poses_stale_, false);
    const std::size_t n = params_.bodies;
    if (n == 0) return;
    std::vector<RigidStorage*> worlds;
    worlds.reserve(members_.size());
    for (const Member& member : members_) worlds.push_back(member.world);
    const auto all = [&](WorldArray which, std::size_t words, Array<float> Bodies::* to) {
        pull(*device_, array(which), words, stride_.bodies, worlds,
             [&](RigidStorage& world) -> Array<float>& { return world.bodies.*to; });
    };
    all(A::position, 4, &Bodies::position);
    all(A::rotation, 4, &Bodies::rotation);
    all(A::motion, 16, &Bodies::motion);
    all(A::carry, 4 * CARRY_QUADS, &Bodies::carry);
    all(A::inverse_mass, 8, &Bodies::inverse_mass);
    std::vector<std::uint32_t> flags(n), island(n), frozen;
    std::vector<float> sleep_time(n);
    device_->download(flags.data(), array(A::body_flags), 4 * n);
    device_->download(island.data(), array(A::island), 4 * n);
    device_->download(sleep_time.data(), array(A::sleep_time), 4 * n);
    const Counts counts = read_counts();
    frozen.resize(counts[COUNT_FROZEN]);
    device_->download(frozen.data(), array(A::moved), 4 * frozen.size());
    for (std::uint32_t number = 0; number < worlds.size(); ++number) {
        if (!worlds[number]) continue;
        const std::uint32_t base = number * stride_.bodies;
        std::vector<BodyRecord>& records = worlds[number]->bodies.record.edit();
        for (std::uint32_t own = 0; own < std::min<std::size_t>(records.size(), stride_.bodies); ++own) {
            const std::uint32_t b = base + own;
            worlds[number]->bodies.sleep_time[own] = sleep_time[b];
            take_flags(records[own], flags[b], island[b] - base);
        }
        if (stepped) worlds[number]->quarantined.clear();
    }
    if (!stepped) return; // those of a snapshot
    std::sort(frozen.begin(), frozen.end());
    for (const std::uint32_t b : frozen)
        if (RigidStorage* world = worlds[b / stride_.bodies]) {
            const auto gone = gone_.find(b);
            world->quarantined.push_back(
                {b % stride_.bodies, gone != gone_.end() ? gone->second : body(b).generation});
        }
    gone_.clear();
}

DeviceState DeviceWorlds::device_state() {
    flush();
    return {static_cast<const float*>(array(A::position).raw),
            static_cast<const float*>(array(A::rotation).raw),
            static_cast<const float*>(array(A::motion).raw), device_->queue(), params_.bodies};
}

DeviceRequests DeviceWorlds::request_memory(std::uint32_t room) {
    reserve(requests_, sizeof(BodyRequest) / 4 * std::size_t{room});
    reserve(request_count_, 1);
    request_room_ = room;
    clear_requests();
    return {static_cast<BodyRequest*>(requests_.raw), static_cast<std::uint32_t*>(request_count_.raw), room,
            device_->queue()};
}

std::uint32_t DeviceWorlds::request_count() const {
    std::uint32_t count = 0;
    if (request_room_) device_->download(&count, request_count_, sizeof count);
    return count;
}

std::vector<BodyRequest> DeviceWorlds::requests() const {
    std::vector<BodyRequest> list(std::min(request_count(), request_room_));
    if (!list.empty()) device_->download(list.data(), requests_, sizeof(BodyRequest) * list.size());
    return list;
}

void DeviceWorlds::clear_requests() {
    if (request_room_) device_->fill(request_count_, 0, 1);
}

void DeviceWorlds::begin_read() {
    flush();
    read_bodies_ = params_.bodies;
    device_->begin_read(0, array(A::position), 16 * std::size_t{read_bodies_});
    device_->begin_read(1, array(A::rotation), 16 * std::size_t{read_bodies_});
}

PoseRead DeviceWorlds::end_read(std::uint32_t number) {
    const auto* positions = static_cast<const float*>(device_->end_read(0));
    const auto* rotations = static_cast<const float*>(device_->end_read(1));
    const std::size_t first = many_ ? std::size_t{number} * stride_.bodies : 0;
    const std::size_t count = many_ ? stride_.bodies : read_bodies_;
    if (!positions || first + count > read_bodies_) return {};
    return {{positions + 4 * first, 4 * count}, {rotations + 4 * first, 4 * count}};
}

/// sorted by world, in no particular order within it
void DeviceWorlds::read_contacts() {
    flush();
    if (!contacts_stale_) return;
    std::vector<Contact> all(contacts_);
    std::vector<std::uint32_t> state(contacts_);
    device_->download(all.data(), array(A::contact), sizeof(Contact) * all.size());
    device_->download(state.data(), array(A::state), 4 * state.size());
    contact_begin_.assign(members_.size() + 1, 0);
    contacts_stale_ = false;
    if (!many_) {
        contact_begin_[1] = contacts_;
        contact_copy_.swap(all), state_copy_.swap(state);
        return;
    }
    const auto world_of = [&](const Contact& c) { return c.shape_a / stride_.shapes; };
    for (const Contact& c : all)
        if (c.shape_a != none) ++contact_begin_[world_of(c) + 1];
    for (std::size_t n = 0; n < members_.size(); ++n) contact_begin_[n + 1] += contact_begin_[n];
    contact_copy_.resize(contact_begin_.back());
    state_copy_.resize(contact_begin_.back());
    std::vector<std::uint32_t> next(contact_begin_.begin(), contact_begin_.end() - 1);
    for (std::size_t k = 0; k < all.size(); ++k) {
        Contact c = all[k];
        if (c.shape_a == none) continue;
        const std::uint32_t at = next[world_of(c)]++;
        c.shape_a %= stride_.shapes, c.shape_b %= stride_.shapes;
        c.body_a %= stride_.bodies, c.body_b %= stride_.bodies;
        contact_copy_[at] = c;
        state_copy_[at] = state[k];
    }
}

std::span<const Contact> DeviceWorlds::contacts(std::uint32_t number) {
    read_contacts();
    return std::span<const Contact>(contact_copy_)
        .subspan(contact_begin_[number], contact_begin_[number + 1] - contact_begin_[number]);
}

std::uint64_t DeviceWorlds::inside_sensors(std::uint32_t number) {
    if (!sensors_) return 0;
    const std::span<const Contact> all = contacts(number);
    std::uint64_t inside = 0;
    for (std::size_t c = 0; c < all.size(); ++c)
        inside += all[c].shape_a != none &&
                  (state_copy_[contact_begin_[number] + c] >> STATE_MARKS & MARK_INSIDE) != 0;
    return inside;
}

std::span<const std::uint32_t> DeviceWorlds::broken(std::uint32_t number) const {
    if (broken_begin_.empty()) return {};
    return std::span(broken_).subspan(broken_begin_[number],
                                      broken_begin_[number + 1] - broken_begin_[number]);
}

JointImpulse DeviceWorlds::impulse(std::uint32_t j) {
    flush(); // it may be new
    JointImpulse impulse{.linear = {}, .angular = {}, .h = last_h_};
    float quads[8];
    device_->download(quads, array(A::joint), sizeof quads,
                      16 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE));
    std::copy_n(quads, 4, impulse.linear);
    std::copy_n(quads + 4, 4, impulse.angular);
    return impulse;
}

const StepCounters& DeviceWorlds::counters() {
    if (!counters_stale_) return counters_;
    const Counts now = read_counts();
    counters_.awake = now[COUNT_AWAKE];
    counters_.pairs = now[COUNT_PAIRS];
    counters_.contacts = now[COUNT_TOUCHING];
    counters_.recycled = now[COUNT_RECYCLED];
    counters_.iterations = stops_ ? now[COUNT_ITERATIONS] : iterations_;
    counters_.crowded = now[COUNT_CROWDED];
    counters_.colours = counters_.overflow = 0;
    for (std::uint32_t k = 0; k <= COLOUR_OVERFLOW; ++k) {
        std::uint32_t items = 0;
        for (std::uint32_t kind = 0; kind < 4; ++kind)
            items += now[COUNT_BUCKETS + BUCKET_WORDS * (4 * k + kind) + BUCKET_COUNT];
        if (k == COLOUR_OVERFLOW) counters_.overflow = items;
        else counters_.colours += items != 0;
    }
    if (now[COUNT_TIRED]) counters_.islands = now[COUNT_ISLANDS];
    counters_.allocations = allocations_;
    counters_stale_ = false;
    return counters_;
}

std::array<double, world_stage_names.size()> DeviceWorlds::stage_seconds() const {
    const std::array<double, 16> all = device_->stage_seconds();
    std::array<double, world_stage_names.size()> stages{};
    std::copy_n(all.begin(), stages.size(), stages.begin());
    return stages;
}

// snapshots -----------------------------------------------------------------------------------------------------------

SimulationImage DeviceWorlds::image(std::uint32_t number, bool whole) {
    SimulationImage image;
    image.last_h = last_h_;
    image.extras = members_[number].extras;
    const std::span<const Contact> all = contacts(number);
    fetch_events();
    if (tells_touches_) image.lost = read_lost(number, download_lost());
    for (std::size_t c = 0; c < all.size(); ++c) {
        const std::uint32_t state = state_copy_[contact_begin_[number] + c];
        const bool made = (state >> STATE_MADE & 255u) != 0;
        const auto marks = static_cast<std::uint8_t>(state >> STATE_MARKS & 15u);
        const RigidStorage& world = *members_[number].world;
        const std::uint32_t a = all[c].shape_a, b = all[c].shape_b;
        if (a == none) continue;
        if (whole || (made && wanted_pair(world, a, b)))
            image.contacts.push_back({all[c], state >> STATE_COLOUR & 255u, made, marks});
        else if (marks & MARK_TOLD) image.lost.push_back(touch_pair(world, a, b, state >> STATE_KIND & 15u));
    }
    // sleeping bodies with the same root form a ring, in order of index
    const auto& records = members_[number].world->bodies.record;
    image.island_next.resize(records.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members;
    for (std::uint32_t b = 0; b < records.size(); ++b) {
        image.island_next[b] = b;
        if (records[b].alive && records[b].asleep) members.emplace_back(records[b].island, b);
    }
    std::sort(members.begin(), members.end());
    for (std::size_t k = 0; k < members.size();) {
        std::size_t end = k;
        while (end < members.size() && members[end].first == members[k].first) ++end;
        for (std::size_t m = k; m < end; ++m)
            image.island_next[members[m].second] = members[m + 1 < end ? m + 1 : k].second;
        k = end;
    }
    // those that came since the room ended are not known there yet
    const std::size_t joints =
        std::min<std::size_t>(members_[number].world->joints.record.size(), many_ ? stride_.joints : none);
    const std::size_t first = many_ ? std::size_t{number} * stride_.joints : 0;
    std::vector<std::uint32_t> info(JOINT_INFO * joints);
    std::vector<float> record(4 * JOINT_RECORD * joints);
    device_->download(info.data(), array(A::joint_info), 4 * info.size(), 4 * JOINT_INFO * first);
    device_->download(record.data(), array(A::joint), 4 * record.size(), 16 * JOINT_RECORD * first);
    image.joints.resize(joints);
    for (std::size_t j = 0; j < joints; ++j) {
        image.joints[j].colour = std::min(info[JOINT_INFO * j + JOINT_COLOUR], COLOUR_NONE);
        if (members_[number].world->joints.record[j].alive)
            std::memcpy(image.joints[j].impulse, &record[4 * (JOINT_RECORD * j + JOINT_RECORD_IMPULSE)], 32);
    }
    return image;
}

} // namespace scree
