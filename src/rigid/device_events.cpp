// SPDX-License-Identifier: MIT
// device_events.cpp — events of worlds on a device: launches that list them, and the lists' way to the host.
//
// Lists are read when somebody asks, or before a change after which shapes have other names. Nothing is launched, and nothing
// allocated, while no shape or body asks for events.

#include "rigid/device_worlds.h"
#include "rigid/events.h"
#include "rigid/records.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace scree {

using A = WorldArray;

bool DeviceWorlds::somebody_listens() const {
    return tells_touches_ || tells_hits_ || tells_bodies_ || watched_;
}

void DeviceWorlds::note_listener(const ShapeDef& shape) {
    const std::uint32_t traits = shape_traits(shape);
    sensors_ = sensors_ || (traits & SHAPE_SENSOR);
    one_way_ = one_way_ || (traits & SHAPE_ONE_WAY);
    tells_hits_ = tells_hits_ || (traits & SHAPE_TELLS_HITS);
    tells_touches_ = tells_touches_ || (traits & (SHAPE_TELLS_CONTACTS | SHAPE_SENSOR));
}

void DeviceWorlds::reserve_events() {
    if (!somebody_listens()) return;
    const std::size_t room = contact_room_;
    reserve(A::event_counts, EVENT_COUNTS);
    reserve(A::regions, REGION_WORDS * members_.size());
    if (tells_touches_) {
        reserve(A::lost, LOST_WORDS * room);
        reserve(A::touches, TOUCH_WORDS * room);
    }
    if (tells_hits_) {
        reserve(A::approach, 2 * room);
        reserve(A::hits, 4 * HIT_QUADS * room);
    }
    // asleep or awake, and out of the region
    if (tells_bodies_ || watched_) reserve(A::stirred, 4 * std::size_t{params_.bodies});
}

/// Those of the last step that nobody has read; nothing has changed since, so that they are all there is.
void DeviceWorlds::drop_events() {
    if (!std::exchange(events_stale_, false)) return;
    device_->fill(array(A::event_counts), 0, 1, EVENT_LOST);
    gone_shapes_.clear();
    for (Member& member : members_) member.lost.clear();
}

void DeviceWorlds::begin_events() {
    if (!somebody_listens()) return;
    device_->fill(array(A::event_counts), 0, EVENT_COUNTS - EVENT_TOUCHES, EVENT_TOUCHES);
    if (!std::exchange(regions_stale_, false)) return;
    constexpr float end = std::numeric_limits<float>::infinity();
    std::vector<float> regions;
    for (const Member& member : members_) {
        Region region{{-end, -end, -end}, {end, end, end}};
        if (member.world && member.world->region) region = *member.world->region;
        regions.insert(regions.end(), {region.low.x, region.low.y, region.low.z, 0, region.high.x,
                                       region.high.y, region.high.z, 0});
    }
    device_->upload(array(A::regions), regions.data(), 4 * regions.size());
}

void DeviceWorlds::tell_events() {
    if (!somebody_listens()) return;
    if (tells_touches_) run(KernelId::world_tell, contacts_);
    if (tells_bodies_ || watched_) run(KernelId::world_tell_bodies, params_.bodies);
    events_stale_ = true;
}

DeviceWorlds::ShapeName DeviceWorlds::shape_named(std::uint32_t s) const {
    const ShapeRecord& record = shape(s);
    const std::uint32_t owner = s / stride_.shapes * stride_.bodies + record.body;
    return {{s % stride_.shapes, record.generation}, {record.body, body(owner).generation}};
}

/// By the names they have now.
TouchPair DeviceWorlds::pair_named(std::uint32_t a, std::uint32_t b, std::uint32_t kind) const {
    return touch_pair(*members_[a / stride_.shapes].world, a % stride_.shapes, b % stride_.shapes, kind);
}

/// Pairs that were told and have ended since, of every world, by the names they had when they were told.
std::vector<TouchPair> DeviceWorlds::read_lost(std::uint32_t number,
                                               std::span<const std::uint32_t> words) const {
    std::vector<TouchPair> pairs = members_[number].lost;
    for (std::size_t k = 0; k + LOST_WORDS <= words.size(); k += LOST_WORDS) {
        const std::uint32_t a = words[k], b = words[k + 1];
        if (a / stride_.shapes != number) continue;
        // the record of a shape that is gone may be of another by now
        const auto name = [&](std::uint32_t s) {
            const auto gone = gone_shapes_.find(s);
            return gone != gone_shapes_.end() ? gone->second : shape_named(s);
        };
        const auto [first, first_body] = name(a);
        const auto [second, second_body] = name(b);
        pairs.push_back({first, second, first_body, second_body, words[k + 2]});
    }
    return pairs;
}

std::vector<std::uint32_t> DeviceWorlds::download_lost() const {
    if (!array(A::event_counts).bytes || !array(A::lost).bytes) return {};
    std::uint32_t count = 0;
    device_->download(&count, array(A::event_counts), 4, 4 * EVENT_LOST);
    std::vector<std::uint32_t> words(LOST_WORDS * std::size_t{count});
    if (count) device_->download(words.data(), array(A::lost), 4 * words.size());
    return words;
}

void DeviceWorlds::forget_lost(std::uint32_t number) {
    const std::vector<std::uint32_t> all = download_lost();
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < all.size(); k += LOST_WORDS)
        if (all[k] / stride_.shapes != number) kept.insert(kept.end(), &all[k], &all[k] + LOST_WORDS);
    if (kept.size() == all.size()) return;
    if (!kept.empty()) device_->upload(array(A::lost), kept.data(), 4 * kept.size());
    device_->fill(array(A::event_counts), static_cast<std::uint32_t>(kept.size() / LOST_WORDS), 1,
                  EVENT_LOST);
}

void DeviceWorlds::fetch_events() {
    if (!std::exchange(events_stale_, false)) return;
    std::array<std::uint32_t, EVENT_COUNTS> counts;
    device_->download(counts.data(), array(A::event_counts), sizeof counts);
    const auto list = [&](WorldArray which, std::size_t words) {
        std::vector<std::uint32_t> all(words);
        if (words) device_->download(all.data(), array(which), 4 * words);
        return all;
    };
    const auto lost = list(A::lost, LOST_WORDS * std::size_t{counts[EVENT_LOST]});
    const auto touches = list(A::touches, TOUCH_WORDS * std::size_t{counts[EVENT_TOUCHES]});
    const auto hits = list(A::hits, 4 * HIT_QUADS * std::size_t{counts[EVENT_HITS]});
    const auto stirred = list(A::stirred, 2 * std::size_t{counts[EVENT_STIRRED]});
    if (counts[EVENT_LOST]) device_->fill(array(A::event_counts), 0, 1, EVENT_LOST);

    std::vector<std::vector<TouchPair>> began(members_.size()), ended(members_.size());
    for (std::uint32_t n = 0; n < members_.size(); ++n)
        if (members_[n].world) {
            clear_events(members_[n].world->events);
            ended[n] = read_lost(n, lost);
        }
    for (std::size_t k = 0; k < touches.size(); k += TOUCH_WORDS)
        (touches[k + TOUCH_BEGAN] ? began : ended)[touches[k] / stride_.shapes].push_back(
            pair_named(touches[k], touches[k + 1], touches[k + 2]));
    for (std::size_t k = 0; k < hits.size(); k += 4 * HIT_QUADS) {
        const auto number = [&](std::size_t word) { return std::bit_cast<float>(hits[k + word]); };
        const TouchPair pair = pair_named(hits[k], hits[k + 1], 0);
        members_[hits[k] / stride_.shapes].world->events.hits.push_back({pair.first,
                                                                         pair.second,
                                                                         pair.first_body,
                                                                         pair.second_body,
                                                                         {number(8), number(9), number(10)},
                                                                         {number(4), number(5), number(6)},
                                                                         number(2),
                                                                         number(3)});
    }
    for (std::size_t k = 0; k < stirred.size(); k += 2) {
        const std::uint32_t b = stirred[k], what = stirred[k + 1];
        Events& events = world_of_body(b).events;
        (what == STIRRED_SLEPT  ? events.fell_asleep
         : what == STIRRED_WOKE ? events.woke
                                : events.left_region)
            .push_back({b % stride_.bodies, body(b).generation});
    }
    const auto by_index = [](const BodyId& a, const BodyId& b) { return a.index < b.index; };
    for (std::uint32_t n = 0; n < members_.size(); ++n) {
        if (!members_[n].world) continue;
        Events& events = members_[n].world->events;
        tell_touches(began[n], ended[n], events);
        sort_hits(events.hits);
        for (auto* bodies : {&events.fell_asleep, &events.woke, &events.left_region})
            std::sort(bodies->begin(), bodies->end(), by_index);
        members_[n].lost.clear();
    }
    gone_shapes_.clear();
}

} // namespace scree
