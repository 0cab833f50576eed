// SPDX-License-Identifier: MIT
// device_read.cpp — what the host learns of a world on a device, and when: never unless somebody asks.

#include "rigid/device_simulation.h"
#include "rigid/image.h"
#include "rigid/records.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace scree {

using A = WorldArray;

void DeviceSimulation::fetch() {
    flush();
    if (!stale_) return;
    stale_ = false;
    const std::size_t n = params_.bodies;
    if (n == 0) return;
    Bodies& bodies = world_.bodies;
    device_->download(bodies.position.data(), array(A::position), 16 * n);
    device_->download(bodies.rotation.data(), array(A::rotation), 16 * n);
    device_->download(bodies.motion.data(), array(A::motion), 64 * n);
    device_->download(bodies.inverse_mass.data(), array(A::inverse_mass), 32 * n);
    std::vector<std::uint32_t> flags(n), island(n), frozen;
    std::vector<float> sleep_time(n);
    device_->download(flags.data(), array(A::body_flags), 4 * n);
    device_->download(island.data(), array(A::island), 4 * n);
    device_->download(sleep_time.data(), array(A::sleep_time), 4 * n);
    const Counts counts = read_counts();
    frozen.resize(counts[COUNT_FROZEN]);
    device_->download(frozen.data(), array(A::moved), 4 * frozen.size());
    for (std::size_t b = 0; b < n; ++b) {
        BodyRecord& record = bodies.record[b];
        record.asleep = (flags[b] & BODY_ASLEEP) != 0;
        record.frozen = (flags[b] & BODY_FROZEN) != 0;
        record.sleep_time = sleep_time[b];
        record.island = record.asleep ? island[b] : none;
    }
    std::sort(frozen.begin(), frozen.end());
    world_.quarantined.clear();
    for (const std::uint32_t b : frozen) world_.quarantined.push_back({b, bodies.record[b].generation});
}

std::span<const Contact> DeviceSimulation::contacts() const {
    const_cast<DeviceSimulation*>(this)->flush();
    if (contacts_stale_) {
        contact_copy_.resize(contacts_);
        device_->download(contact_copy_.data(), array(A::contact), sizeof(Contact) * contact_copy_.size());
        contacts_stale_ = false;
    }
    return contact_copy_;
}

const StepCounters& DeviceSimulation::counters() const {
    if (!counters_stale_) return counters_;
    const Counts now = read_counts();
    counters_.awake = now[COUNT_AWAKE];
    counters_.pairs = now[COUNT_PAIRS];
    counters_.contacts = now[COUNT_TOUCHING];
    counters_.recycled = now[COUNT_RECYCLED];
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

std::array<double, world_stage_names.size()> DeviceSimulation::stage_seconds() const {
    const std::array<double, 16> all = device_->stage_seconds();
    std::array<double, world_stage_names.size()> stages{};
    std::copy_n(all.begin(), stages.size(), stages.begin());
    return stages;
}
void DeviceSimulation::time_stages(bool on) { device_->time_stages(on); }
int DeviceSimulation::threads() const { return 1; }
int DeviceSimulation::lanes() const { return 32; }

void DeviceSimulation::study(bool on) {
    if (on) throw Error("the convergence of the SOR solver is studied on \"cpu\" only", "device");
}

// snapshots -----------------------------------------------------------------------------------------------------------

void DeviceSimulation::save(std::vector<std::byte>& out) const {
    SimulationImage image;
    image.last_h = last_h_;
    image.extras = extras_;
    const std::span<const Contact> all = contacts();
    std::vector<std::uint32_t> state(all.size());
    device_->download(state.data(), array(A::state), 4 * state.size());
    for (std::size_t c = 0; c < all.size(); ++c)
        if (all[c].shape_a != none && (state[c] >> STATE_MADE & 255u))
            image.contacts.push_back({all[c], state[c] >> STATE_COLOUR & 255u});
    // who sleeps with the same root forms a ring in order of the numbers
    const auto& records = world_.bodies.record;
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
    const std::size_t joints = world_.joints.record.size();
    std::vector<std::uint32_t> info(JOINT_INFO * joints);
    std::vector<float> record(4 * JOINT_RECORD * joints);
    device_->download(info.data(), array(A::joint_info), 4 * info.size());
    device_->download(record.data(), array(A::joint), 4 * record.size());
    image.joints.resize(joints);
    for (std::size_t j = 0; j < joints; ++j) {
        image.joints[j].colour = std::min(info[JOINT_INFO * j + JOINT_COLOUR], COLOUR_NONE);
        std::memcpy(image.joints[j].impulse, &record[4 * (JOINT_RECORD * j + JOINT_RECORD_IMPULSE)], 32);
    }
    encode_image(image, out);
}

void DeviceSimulation::restore(std::span<const std::byte> in) {
    const SimulationImage image = decode_image(in, world_);
    const auto bodies = static_cast<std::uint32_t>(world_.bodies.record.size());
    last_h_ = image.last_h;
    for (std::uint32_t b = 0; b < bodies; ++b) {
        BodyRecord& record = world_.bodies.record[b];
        if (!record.alive) continue;
        // the smallest of a ring is its root
        record.island = none;
        if (record.asleep) {
            std::uint32_t root = b;
            for (std::uint32_t k = image.island_next[b]; k != b; k = image.island_next[k])
                root = std::min(root, k);
            record.island = root;
        }
        body_added(b);
    }
    for (std::uint32_t s = 0; s < world_.shapes.record.size(); ++s)
        if (world_.shapes.record[s].alive) shape_added(s);
    extras_ = image.extras;
    for (std::uint32_t j = 0; j < world_.joints.record.size(); ++j) {
        if (!world_.joints.record[j].alive) continue;
        joint_added(j);
        world_.joints.record[j].colour = static_cast<std::uint8_t>(image.joints[j].colour);
    }
    check_wanted_ = false;
    flush();

    // contacts in their order, and the impulses of joints
    const auto count = static_cast<std::uint32_t>(image.contacts.size());
    grow_contacts(count);
    contacts_ = count;
    std::vector<Contact> records;
    std::vector<std::uint32_t> ends, state;
    for (const SimulationImage::Saved& saved : image.contacts) {
        const Contact& c = saved.contact;
        const std::uint32_t points = c.count > 2 ? 4 : c.count;
        const auto type = [&](std::uint32_t s) { return world_.shapes.record[s].type; };
        records.push_back(c);
        ends.insert(ends.end(), {c.shape_a, c.shape_b, c.body_a, c.body_b});
        state.push_back(points | (points ? saved.colour : COLOUR_NONE) << STATE_COLOUR | 1u << STATE_MADE |
                        static_cast<std::uint32_t>(kind_of(type(c.shape_a), type(c.shape_b))) << STATE_KIND);
    }
    device_->upload(array(A::contact), records.data(), sizeof(Contact) * records.size());
    device_->upload(array(A::ends), ends.data(), 4 * ends.size());
    device_->upload(array(A::state), state.data(), 4 * state.size());
    fill_table();
    for (std::size_t j = 0; j < image.joints.size(); ++j)
        if (world_.joints.record[j].alive)
            device_->upload(array(A::joint), image.joints[j].impulse, 32,
                            16 * (JOINT_RECORD * j + JOINT_RECORD_IMPULSE));
}

} // namespace scree
