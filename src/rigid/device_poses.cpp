// SPDX-License-Identifier: MIT
// device_poses.cpp — poses and colours of bodies, written by the device into a renderer's memory.

#include "rigid/device_worlds.h"
#include "scree/error.h"

#include <bit>
#include <string>

namespace scree {

using A = WorldArray;

void Simulation::write_poses(SharedPoses&) { throw Error("the world is in the host's memory", "poses"); }

/// Which bodies are drawn, in which colours, and where their origins are.
void DeviceWorlds::send_instances(const SharedPoses& to) {
    if (!instances_stale_ && instances_revision_ == to.revision) return;
    const auto& records = members_[0].world->bodies.record;
    const std::size_t bodies = members_[0].world->bodies.count;
    if (bodies != to.awake.size())
        throw Error("the renderer draws " + std::to_string(to.awake.size()) + " bodies; expected " +
                        std::to_string(bodies),
                    "poses");
    std::vector<std::uint32_t> table;
    table.reserve(INSTANCE_WORDS * to.awake.size());
    for (std::uint32_t b = 1; b < records.size(); ++b) {
        if (!records[b].alive) continue;
        const std::size_t number = table.size() / INSTANCE_WORDS;
        const Vec3& centre = records[b].mass.centre;
        table.insert(table.end(),
                     {b, to.awake[number], to.asleep[number], 0, std::bit_cast<std::uint32_t>(centre.x),
                      std::bit_cast<std::uint32_t>(centre.y), std::bit_cast<std::uint32_t>(centre.z), 0});
    }
    instances_stale_ = true; // until it is there
    reserve(instances_, table.size());
    device_->upload(instances_, table.data(), 4 * table.size());
    instances_revision_ = to.revision;
    instances_stale_ = false;
}

void DeviceWorlds::write_poses(SharedPoses& to) {
    if (many_) throw Error("worlds that are stepped together have no renderer", "poses");
    flush();
    send_instances(to);
    const auto bodies = static_cast<std::uint32_t>(to.awake.size());
    kernels::InstanceParams params{};
    params.bodies = bodies;
    params.room = to.room;
    params.carry_quads = CARRY_QUADS;
    params.carry_position = CARRY_POSITION;
    params.asleep = BODY_ASLEEP;
    const Buffer drawn = device_->begin_shared(*to.memory);
    const Buffer buffers[] = {array(A::position),
                              array(A::rotation),
                              array(A::carry),
                              array(A::body_flags),
                              instances_,
                              drawn,
                              drawn};
    try {
        device_->launch(KernelId::instance_fill, bodies, buffers, &params, sizeof params);
    } catch (...) {
        device_->end_shared(*to.memory);
        throw;
    }
    device_->end_shared(*to.memory);
}

} // namespace scree
