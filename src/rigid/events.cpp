// SPDX-License-Identifier: MIT
// events.cpp — the events of a step: see events.h, and their collection on the CPU.
//
// A contact is marked with what was told of it (kernels/pipeline_params.h). At the end of a step the difference between that
// and what the contact is now is told. Contacts that end between steps leave their names in `lost`.

#include "rigid/events.h"

#include "rigid/parts.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace scree {

namespace {

std::uint64_t key_of(ShapeId first, ShapeId second) {
    return static_cast<std::uint64_t>(first.index) << 32 | second.index;
}
/// By the numbers of the shapes; of the two that a slot may have held, the older first.
auto order_of(const TouchPair& pair) {
    return std::tuple(key_of(pair.first, pair.second), pair.first.generation, pair.second.generation);
}
bool before(const TouchPair& a, const TouchPair& b) { return order_of(a) < order_of(b); }

ContactEvent contact_event(const TouchPair& pair) {
    return {pair.first, pair.second, pair.first_body, pair.second_body};
}
SensorEvent sensor_event(const TouchPair& pair) {
    if (pair.kind == KIND_SENSOR) return {pair.first, pair.second, pair.first_body, pair.second_body};
    return {pair.second, pair.first, pair.second_body, pair.first_body};
}

void tell(const std::vector<TouchPair>& pairs, std::vector<ContactEvent>& contacts,
          std::vector<SensorEvent>& sensors) {
    for (const TouchPair& pair : pairs) {
        if (rigid::is_sensing(pair.kind)) sensors.push_back(sensor_event(pair));
        else contacts.push_back(contact_event(pair));
    }
    // the sensor may be the second shape
    std::sort(sensors.begin(), sensors.end(), [](const SensorEvent& a, const SensorEvent& b) {
        return std::tuple(key_of(a.sensor, a.visitor), a.sensor.generation, a.visitor.generation) <
               std::tuple(key_of(b.sensor, b.visitor), b.sensor.generation, b.visitor.generation);
    });
}

} // namespace

TouchPair touch_pair(const RigidStorage& world, std::uint32_t a, std::uint32_t b, std::uint32_t kind) {
    const auto shape = [&](std::uint32_t s) { return ShapeId{s, world.shapes.record[s].generation}; };
    const auto body = [&](std::uint32_t s) {
        const std::uint32_t owner = world.shapes.record[s].body;
        return BodyId{owner, world.bodies.record[owner].generation};
    };
    return {shape(a), shape(b), body(a), body(b), kind};
}

void sort_pairs(std::vector<TouchPair>& pairs) { std::sort(pairs.begin(), pairs.end(), before); }

void clear_events(Events& events) {
    events.contact_begins.clear(), events.contact_ends.clear(), events.hits.clear();
    events.sensor_begins.clear(), events.sensor_ends.clear();
    events.fell_asleep.clear(), events.woke.clear(), events.left_region.clear();
}

void tell_touches(std::vector<TouchPair>& began, std::vector<TouchPair>& ended, Events& to) {
    sort_pairs(began);
    sort_pairs(ended);
    std::size_t begins = 0, ends = 0, b = 0, e = 0;
    while (b < began.size() || e < ended.size()) {
        const bool first = e == ended.size() || (b < began.size() && before(began[b], ended[e]));
        const bool second = b == began.size() || (e < ended.size() && before(ended[e], began[b]));
        if (first) began[begins++] = began[b++];
        else if (second) ended[ends++] = ended[e++];
        else ++b, ++e;
    }
    began.resize(begins), ended.resize(ends);
    tell(began, to.contact_begins, to.sensor_begins);
    tell(ended, to.contact_ends, to.sensor_ends);
    began.clear(), ended.clear();
}

void sort_hits(std::vector<HitEvent>& hits) {
    std::sort(hits.begin(), hits.end(), [](const HitEvent& a, const HitEvent& b) {
        const auto order = [](const HitEvent& h) {
            return std::tuple(key_of(h.first, h.second), h.point.x, h.point.y, h.point.z, h.speed);
        };
        return order(a) < order(b);
    });
}

// on the CPU -------------------------------------------------------------------------------------------------------------

rigid::TouchView CpuSimulation::Parts::touch_view() const {
    return {world.bodies.position.data(), world.bodies.rotation.data(), world.bodies.motion.data(),
            world.bodies.inverse_mass.data(), reinterpret_cast<const float*>(contacts.data())};
}

void CpuSimulation::Parts::lose(std::uint32_t c) {
    if (!(marks[c] & MARK_TOLD)) return;
    lost.push_back(touch_pair(world, ends[c].shape_a, ends[c].shape_b, pair_kind[c]));
    marks[c] = 0;
}

void CpuSimulation::Parts::find_approaches() {
    if (approach.size() < contacts.size()) {
        ++counters.allocations;
        approach.resize(contacts.capacity());
    }
    crew.each(
        static_cast<std::uint32_t>(active.size()), 1024, [&](std::uint32_t begin, std::uint32_t end, int) {
            for (std::uint32_t k = begin; k < end; ++k) {
                const std::uint32_t c = active[k];
                approach[c] = {0, 0};
                if (points[c] && colour[c] <= overflow &&
                    ((traits[ends[c].shape_a] | traits[ends[c].shape_b]) & SHAPE_TELLS_HITS))
                    approach[c] = rigid::contact_approach(c, ends[c].body_a, ends[c].body_b, touch_view());
            }
        });
}

void CpuSimulation::Parts::tell_hits() {
    for (const std::uint32_t c : active) {
        const bool told = (marks[c] & MARK_HIT) != 0;
        marks[c] &= static_cast<std::uint8_t>(~MARK_HIT);
        if (!(approach[c].speed > world.settings.hit_speed)) continue;
        const rigid::Hit hit =
            rigid::contact_hit(c, ends[c].body_a, ends[c].body_b, approach[c], touch_view());
        if (!hit.hits) continue;
        marks[c] |= MARK_HIT;
        if (told) continue;
        const TouchPair pair = touch_pair(world, ends[c].shape_a, ends[c].shape_b, pair_kind[c]);
        world.events.hits.push_back({pair.first,
                                     pair.second,
                                     pair.first_body,
                                     pair.second_body,
                                     {hit.point.x, hit.point.y, hit.point.z},
                                     {hit.normal.x, hit.normal.y, hit.normal.z},
                                     approach[c].speed,
                                     hit.impulse});
    }
    sort_hits(world.events.hits);
}

void CpuSimulation::Parts::tell_events() {
    if (tells_touches || !lost.empty()) {
        const auto look = [&](std::uint32_t c) {
            if (contacts[c].shape_a == none) return;
            const ContactEnds& pair = ends[c];
            std::uint32_t kind = pair_kind[c];
            bool touches = points[c] != 0;
            if (rigid::is_sensing(kind)) {
                touches = (marks[c] & MARK_INSIDE) != 0;
            } else {
                if (kind >= KIND_MESH) {
                    // slot 0 is told of for the pair
                    c = pairs.find(pair.shape_a, pair.shape_b, 0);
                    kind = KIND_MESH;
                    for (std::uint32_t slot = 0; slot < MESH_SLOTS; ++slot)
                        touches = touches || points[pairs.find(pair.shape_a, pair.shape_b, slot)];
                }
                touches = touches && ((traits[pair.shape_a] | traits[pair.shape_b]) & SHAPE_TELLS_CONTACTS);
            }
            if (touches == ((marks[c] & MARK_TOLD) != 0)) return;
            marks[c] ^= MARK_TOLD;
            (touches ? touch_began : touch_ended)
                .push_back(touch_pair(world, ends[c].shape_a, ends[c].shape_b, kind));
        };
        for (const Change& change : changes) {
            for (const std::uint32_t c : change.began) look(c);
            for (const std::uint32_t c : change.ended) look(c);
            for (const std::uint32_t c : change.sensed) look(c);
        }
        touch_ended.insert(touch_ended.end(), lost.begin(), lost.end());
        lost.clear();
        tell_touches(touch_began, touch_ended, world.events);
    }
    if (tells_bodies || world.watched) tell_bodies();
}

void CpuSimulation::Parts::tell_bodies() {
    constexpr float end = std::numeric_limits<float>::infinity();
    float region[REGION_WORDS] = {-end, -end, -end, 0, end, end, end, 0};
    if (world.region) {
        const auto& [low, high] = *world.region;
        region[0] = low.x, region[1] = low.y, region[2] = low.z;
        region[4] = high.x, region[5] = high.y, region[6] = high.z;
    }
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b) {
        const BodyRecord& body = world.bodies.record[b];
        if (!body.alive) continue;
        const BodyId id{b, body.generation};
        if (body.sleep_events && body.asleep != body.told_asleep) {
            world.bodies.record.edit(b).told_asleep = body.asleep;
            (body.asleep ? world.events.fell_asleep : world.events.woke).push_back(id);
        }
        const bool outside = body.type != BodyType::fixed &&
                             rigid::beyond_region(rigid::load4(world.bodies.position.data(), b), region);
        if (outside && !body.told_outside) world.events.left_region.push_back(id);
        if (outside != body.told_outside) world.bodies.record.edit(b).told_outside = outside;
    }
}

} // namespace scree
