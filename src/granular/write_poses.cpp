// SPDX-License-Identifier: MIT
// write_poses.cpp — poses and colours of grains, written by their device into a renderer's memory.

#include "granular/arrays.h"
#include "scree/error.h"

#include <string>

namespace scree {

void GranularArrays::write_poses(const GranularBodies& bodies, const std::vector<Pose>& others,
                                 SharedPoses& to) {
    const std::size_t count = bodies.slots.size(), all = count + others.size();
    if (to.awake.size() != all)
        throw Error("the renderer draws " + std::to_string(to.awake.size()) + " bodies; expected " +
                        std::to_string(all),
                    "poses");
    if (instances_stale_ || instances_revision_ != to.revision) {
        std::vector<std::uint32_t> table(INSTANCE_WORDS * count);
        for (std::uint32_t slot = 0; slot < count; ++slot) {
            const std::size_t body = bodies.slots[slot];
            table[INSTANCE_WORDS * body + INSTANCE_SLOT] = slot;
            table[INSTANCE_WORDS * body + INSTANCE_AWAKE] = to.awake[body];
            table[INSTANCE_WORDS * body + INSTANCE_ASLEEP] = to.asleep[body];
        }
        instances_stale_ = true; // until it is there
        if (instances_.bytes < 4 * table.size()) {
            device_->release(instances_);
            instances_ = allocate(4 * table.size());
        }
        device_->upload(instances_, table.data(), 4 * table.size());
        instances_revision_ = to.revision;
        instances_stale_ = false;
    }
    kernels::InstanceParams params{};
    params.bodies = static_cast<std::uint32_t>(count);
    params.room = to.room;
    params.granular = 1;
    params.sleeping = params_.sleeping;
    params.sleep_delay = params_.sleep_delay;
    const Buffer drawn = device_->begin_shared(*to.memory);
    const Buffer buffers[] = {buffers_[body_position],
                              buffers_[body_rotation],
                              buffers_[body_momentum],
                              buffers_[body_wake],
                              instances_,
                              drawn,
                              drawn};
    std::vector<float> at, turn;
    for (const Pose& pose : others) {
        at.insert(at.end(), {pose.position.x, pose.position.y, pose.position.z, 0});
        turn.insert(turn.end(), {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.s});
    }
    try {
        device_->launch(KernelId::instance_fill, params.bodies, buffers, &params, sizeof params);
        if (!others.empty()) {
            device_->upload(drawn, at.data(), 4 * at.size(), 16 * count);
            device_->upload(drawn, turn.data(), 4 * turn.size(), 16 * (to.room + count));
            device_->upload(drawn, to.awake.data() + count, 4 * others.size(),
                            4 * (8 * std::size_t{to.room} + count));
        }
    } catch (...) {
        device_->end_shared(*to.memory);
        throw;
    }
    device_->end_shared(*to.memory);
}

} // namespace scree
