// SPDX-License-Identifier: MIT
// event.h — what happened in a step of a World: contacts that began, ended and hit, sensors, bodies that slept or left.
//
//     world.attach(ball, Sphere{0.5f}, {.contact_events = true, .hit_events = true});
//     world.attach(gate, Box{1, 2, 0.1f}, {.sensor = true});
//     world.step(1 / 60.0f);
//     for (const HitEvent& hit : world.events().hits) play_sound(hit.point, hit.impulse);
//     for (const SensorEvent& event : world.events().sensor_begins) open(event.sensor);
//
// Every list has a fixed order and is equal on every device. Shapes and bodies ask for events when they are made; a world in
// which nobody asks has empty lists and pays nothing.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace scree {

struct ContactInfo; // world.h

/// Two shapes that began or ended to be among World::contacts. Of a pair that ended because a shape was destroyed, the ids
/// name what was there.
struct ContactEvent {
    ShapeId first, second; ///< first.index < second.index
    BodyId first_body, second_body;
    friend bool operator==(const ContactEvent&, const ContactEvent&) = default;
};

/// An impact: two shapes met faster than WorldSettings::hit_speed. A pair is told at most in every second step. With
/// Solver::impact every impact is told; of bodies that are pressed (more than 32 impacts in a flight), which are answered
/// together, only the two shapes that met are.
struct HitEvent {
    ShapeId first, second; ///< first.index < second.index
    BodyId first_body, second_body;
    Vec3 point;        ///< on the first shape, where they approached each other fastest
    Vec3 normal;       ///< from the first to the second
    float speed = 0;   ///< m/s, of the approach along the normal, before the step; Solver::impact: at the hit
    float impulse = 0; ///< N s along the normal that made the bodies' speeds at the point what they are now
    /// s after the step began, rounded to a float: to 1 ns in a step of 1/60 s, 30 ns in one of a second, 0.12 ms in one of
    /// an hour. Equal times are in order. Of Solver::impact alone, others do not know.
    float time = 0;
    friend bool operator==(const HitEvent&, const HitEvent&) = default;
};

/// A shape that came into a sensor or left it.
struct SensorEvent {
    ShapeId sensor, visitor;
    BodyId sensor_body, visitor_body;
    friend bool operator==(const SensorEvent&, const SensorEvent&) = default;
};

/// A vertex of a cloth that came apart in two: some of its triangles and lines have the copy now, the cloth's newest vertex.
struct TearEvent {
    ClothId cloth;
    std::uint32_t vertex = 0, copy = 0;
    friend bool operator==(const TearEvent&, const TearEvent&) = default;
};

/// The events of the last step. Contacts and sensors are as they were found at the poses with which the step began; what has
/// changed since the step before is told, whoever changed it.
struct Events {
    std::vector<ContactEvent> contact_begins,
        contact_ends;           ///< by the indices of the first shape, then of the second
    std::vector<HitEvent> hits; ///< likewise; of Solver::impact by time
    std::vector<SensorEvent> sensor_begins,
        sensor_ends;                       ///< by the indices of the sensor, then of the visitor
    std::vector<BodyId> fell_asleep, woke; ///< by index
    std::vector<BodyId> left_region;       ///< by index; see World::set_region
    std::vector<ClothId> cloths_fell_asleep, cloths_woke; ///< by index
    std::vector<TearEvent> torn;                          ///< by index of the cloth, then by copy
    friend bool operator==(const Events&, const Events&) = default;
};

/// Bodies whose centre of mass leaves it are told.
struct Region {
    Vec3 low, high;
    friend bool operator==(const Region&, const Region&) = default;
};

/// Whether two shapes whose bounds overlap may collide, or a sensor see the other: asked beside Filter. The same pair must
/// always get the same answer; which pairs are asked, and how often, depends on their past.
using ContactFilter = std::function<bool(ShapeId first, ShapeId second)>;
/// Whether a touching pair is solved in this step. A pair that is not counts as not touching. It also decides whether a fast shape stops
/// at one that it comes to within the step (docs/manual/events.md).
using PreSolve = std::function<bool(const ContactInfo& contact)>;

} // namespace scree
