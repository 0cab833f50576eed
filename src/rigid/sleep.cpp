// SPDX-License-Identifier: MIT
// sleep.cpp — puts islands at rest to sleep: steps skip their bodies, contacts and joints until they wake.

#include "rigid/inverse_mass.h"
#include "rigid/parts.h"
#include "rigid/quads.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace scree {

namespace {

constexpr std::uint32_t rest_grain = 1024;

} // namespace

void CpuSimulation::Parts::join_awake(std::uint32_t b) {
    BodyRecord& body = world.bodies.record.edit(b);
    if (body.awake_at != none) return;
    body.awake_at = awake_count;
    if (awake.size() < padded(awake_count + 1)) awake.resize(padded(awake_count + 1) + 16, none);
    awake[awake_count++] = b;
}

void CpuSimulation::Parts::leave_awake(std::uint32_t b) {
    BodyRecord& body = world.bodies.record.edit(b);
    if (body.awake_at == none) return;
    const std::uint32_t last = awake[--awake_count];
    awake[body.awake_at] = last;
    world.bodies.record.edit(last).awake_at = body.awake_at;
    awake[awake_count] = none;
    body.awake_at = none;
}

void CpuSimulation::Parts::sleep_body(std::uint32_t b) {
    BodyRecord& body = world.bodies.record.edit(b);
    if (body.asleep) return;
    // colours are given back while the body still counts as movable
    each_contact(b, [&](std::uint32_t c) {
        const Contact& contact = contacts[c];
        const std::uint32_t other = contact.body_a == b ? contact.body_b : contact.body_a;
        const BodyRecord& record = world.bodies.record[other];
        if (record.type == BodyType::fixed || record.asleep || record.frozen) {
            deactivate(c);
        } else {
            // goes on against a body that counts as fixed now
            release_colour(c);
            if (points[c]) began.push_back(c);
        }
    });
    each_joint(b, [&](std::uint32_t j, std::uint32_t other) {
        release_joint(j);
        if (movable(other)) new_joints.push_back(j);
    });
    body.asleep = true;
    colours[b] = 0;
    leave_awake(b);
    island_next[b] = b;
    clear_velocity(world.bodies, b);
    settle_bounds(b);
    // until it wakes nothing moves it; woken within a step it does not start with the forces of its last one
    std::fill_n(&force[8 * std::size_t{b}], 8, 0.0f);
    float* mass = &world.bodies.inverse_mass[8 * std::size_t{b}];
    std::fill(mass, mass + 8, 0.0f);
}

void CpuSimulation::Parts::wake_body(std::uint32_t first) {
    if (!world.bodies.record[first].asleep) return;
    woken.clear();
    const auto wake_ring = [&](std::uint32_t b) {
        while (world.bodies.record[b].asleep) {
            BodyRecord& body = world.bodies.record.edit(b);
            body.asleep = false;
            world.bodies.sleep_time[b] = 0;
            body.island = none;
            colours[b] = 0;
            join_awake(b);
            refresh_inverse_mass(world, b);
            woken.push_back(b);
            b = std::exchange(island_next[b], b);
        }
    };
    wake_ring(first);
    // an island that fell asleep on a sleeping body is separate from that body's island
    for (std::size_t k = 0; k < woken.size(); ++k) {
        const std::uint32_t b = woken[k];
        each_contact(b, [&](std::uint32_t c) {
            if (points[c]) wake_ring(contacts[c].body_a == b ? contacts[c].body_b : contacts[c].body_a);
        });
        each_joint(b, [&](std::uint32_t, std::uint32_t other) { wake_ring(other); });
    }
    for (const std::uint32_t b : woken) {
        each_contact(b, [&](std::uint32_t c) {
            // constraints that stayed active treated the body as fixed
            release_colour(c);
            if (active_at[c] != none && points[c]) began.push_back(c);
            activate(c);
        });
        each_joint(b, [&](std::uint32_t j, std::uint32_t) {
            release_joint(j);
            new_joints.push_back(j);
        });
    }
}

void CpuSimulation::Parts::quarantine(std::uint32_t b) {
    BodyRecord& body = world.bodies.record.edit(b);
    // impulses that may not be finite either are not for the others to start with
    each_contact(b, [&](std::uint32_t c) {
        release_colour(c);
        note_change(c);
        Contact& contact = contacts[c];
        contact.twist_impulse = 0;
        std::fill_n(contact.friction_impulse, 3, 0.0f);
        std::fill_n(contact.rolling_impulse, 3, 0.0f);
        for (Contact::Point& point : contact.point) point.normal_impulse = 0;
    });
    each_joint(b, [&](std::uint32_t j, std::uint32_t other) {
        release_joint(j);
        std::fill_n(&joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 8, 0.0f);
        if (movable(other)) new_joints.push_back(j);
    });
    body.frozen = true;
    colours[b] = 0;
    leave_awake(b);
    clear_velocity(world.bodies, b);
    settle_bounds(b);
    refresh_inverse_mass(world, b);
    write_constants(b);
    world.quarantined.push_back({b, body.generation});
    each_contact(b, [&](std::uint32_t c) {
        if (!wanted_pair(world, ends[c].shape_a, ends[c].shape_b)) remove_contact(c);
        else if (!should_be_active(contacts[c])) deactivate(c);
        else if (points[c]) began.push_back(c);
    });
}

void CpuSimulation::Parts::rest_and_sleep(float dt) {
    // bodies that are no longer finite
    const std::uint32_t chunks = Crew::chunks(awake_count, rest_grain);
    rest_counts.assign(chunks, {});
    crew.each(awake_count, rest_grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        RestCount mine;
        for (std::uint32_t k = begin; k < end; ++k) {
            mine.lost = mine.lost || rest[awake[k]] < 0;
            const BodyType type = world.bodies.record[awake[k]].type;
            mine.dynamic += type == BodyType::dynamic;
            mine.kinematic = mine.kinematic || type == BodyType::kinematic;
        }
        rest_counts[static_cast<std::size_t>(chunk)] = mine;
    });
    RestCount all;
    for (const RestCount& of : rest_counts) {
        all.dynamic += of.dynamic;
        all.lost = all.lost || of.lost;
        all.kinematic = all.kinematic || of.kinematic;
    }
    counters.awake = all.dynamic;
    if (all.lost) {
        for (std::uint32_t k = 0; k < awake_count;) {
            const std::uint32_t b = awake[k];
            if (!(rest[b] < 0)) {
                ++k;
                continue;
            }
            counters.awake -= world.bodies.record[b].type == BodyType::dynamic;
            quarantine(b);
        }
        // the list's order tells of the past
        std::sort(world.quarantined.begin(), world.quarantined.end(),
                  [](const BodyId& a, const BodyId& b) { return a.index < b.index; });
    }
    if (!world.settings.sleeping) return;
    // before their times are counted: what wakes has been at rest for this step
    if (all.kinematic) hold_awake();
    if (!count_rest(dt) || world.steps % STEPS_BETWEEN) return;
    find_islands();
    fall_asleep();
}

/// Bodies in contact with or joined to a moving kinematic body do not sleep.
void CpuSimulation::Parts::hold_awake() {
    for (std::uint32_t k = 0; k < awake_count; ++k) {
        const std::uint32_t b = awake[k];
        if (world.bodies.record[b].type != BodyType::kinematic || !(rest[b] > 0)) continue;
        each_contact(b, [&](std::uint32_t c) {
            if (points[c]) wake_body(ends[c].body_a == b ? ends[c].body_b : ends[c].body_a);
        });
        each_joint(b, [&](std::uint32_t, std::uint32_t other) { wake_body(other); });
    }
}

/// Updates the time at rest of awake bodies; returns whether one could sleep.
bool CpuSimulation::Parts::count_rest(float dt) {
    rest_counts.assign(Crew::chunks(awake_count, rest_grain), {});
    crew.each(awake_count, rest_grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
        bool may_sleep = false;
        for (std::uint32_t k = begin; k < end; ++k) {
            const BodyRecord& body = world.bodies.record[awake[k]];
            float& time = world.bodies.sleep_time[awake[k]];
            time = rigid::time_at_rest(time, rest[awake[k]], body.can_sleep, world.settings.sleep_speed, dt);
            may_sleep = may_sleep || (body.type == BodyType::dynamic && time >= world.settings.sleep_delay);
        }
        rest_counts[static_cast<std::size_t>(chunk)].may_sleep = may_sleep;
    });
    return std::any_of(rest_counts.begin(), rest_counts.end(),
                       [](const RestCount& of) { return of.may_sleep; });
}

void CpuSimulation::Parts::find_islands() {
    const std::size_t n = world.bodies.record.size();
    if (parent.size() < n) parent.resize(n), least_rest.resize(n);
    crew.each(awake_count, 1024, [&](std::uint32_t begin, std::uint32_t end, int) {
        for (std::uint32_t k = begin; k < end; ++k) {
            parent[awake[k]] = awake[k];
            least_rest[awake[k]] = std::numeric_limits<float>::max();
        }
    });
    crew.each(static_cast<std::uint32_t>(active.size()), 1024,
              [&](std::uint32_t begin, std::uint32_t end, int) {
                  for (std::uint32_t k = begin; k < end; ++k) {
                      const Contact& contact = contacts[active[k]];
                      if (points[active[k]] && movable(contact.body_a) && movable(contact.body_b))
                          rigid::unite(parent.data(), contact.body_a, contact.body_b);
                  }
              });
    for (const JointRecord& joint : world.joints.record)
        if (joint.alive && movable(joint.body[0]) && movable(joint.body[1]))
            rigid::unite(parent.data(), joint.body[0], joint.body[1]);
    validate(StepPoint::islands);
    unite_touched(); // what lies on one cloth is one island too
}

/// Islands of which every body was at rest for long enough.
void CpuSimulation::Parts::fall_asleep() {
    // a body that touches a moving kinematic one or is joined to it does not sleep; it is not passed on by others like it
    const auto stays = [&](std::uint32_t other) {
        if (world.bodies.record[other].type == BodyType::dynamic) world.bodies.sleep_time[other] = 0;
    };
    for (std::uint32_t k = 0; k < awake_count; ++k) {
        const std::uint32_t b = awake[k];
        const BodyRecord& body = world.bodies.record[b];
        if (body.type != BodyType::kinematic || world.bodies.sleep_time[b] > 0) continue;
        each_contact(b, [&](std::uint32_t c) {
            const Contact& contact = contacts[c];
            if (points[c]) stays(contact.body_a == b ? contact.body_b : contact.body_a);
        });
        each_joint(b, [&](std::uint32_t, std::uint32_t other) { stays(other); });
    }
    counters.islands = 0;
    for (std::uint32_t k = 0; k < awake_count; ++k) {
        const std::uint32_t b = awake[k];
        const BodyRecord& body = world.bodies.record[b];
        if (body.type != BodyType::dynamic) continue;
        const std::uint32_t r = rigid::root_of(parent.data(), b);
        counters.islands += r == b;
        least_rest[r] = std::min(least_rest[r], world.bodies.sleep_time[b]);
    }
    // the members of an island form a ring in order of their numbers
    members.clear();
    for (std::uint32_t k = 0; k < awake_count; ++k) {
        const std::uint32_t b = awake[k];
        if (world.bodies.record[b].type != BodyType::dynamic) continue;
        const std::uint32_t r = rigid::root_of(parent.data(), b);
        if (least_rest[r] >= world.settings.sleep_delay) members.emplace_back(r, b);
    }
    std::sort(members.begin(), members.end());
    for (const auto& [root, b] : members) sleep_body(b);
    for (std::size_t k = 0; k < members.size();) {
        std::size_t end = k;
        while (end < members.size() && members[end].first == members[k].first) ++end;
        for (std::size_t m = k; m < end; ++m) {
            island_next[members[m].second] = members[m + 1 < end ? m + 1 : k].second;
            world.bodies.record.edit(members[m].second).island = members[k].first;
        }
        k = end;
    }
}

} // namespace scree
