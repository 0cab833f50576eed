// SPDX-License-Identifier: MIT
// device_cloths.cpp — cloths of a world on a device.

#include "rigid/device_worlds.h"

namespace scree {

namespace {
using A = WorldArray;
}

FabricBodies DeviceWorlds::cloth_bodies() const {
    return {array(A::position),     array(A::rotation), array(A::motion),
            array(A::inverse_mass), array(A::free),     params_.bodies};
}

/// As CpuSimulation::Parts::begin_cloths.
void DeviceWorlds::begin_cloths(float dt) {
    if (many_) return;
    RigidStorage& world = *members_[0].world;
    cloths_.begin_step(world, cloth_bodies(), dt);
    if (!cloths_.any()) return;
    reserve(A::cloth_touch, params_.bodies);
    device_->copy(array(A::cloth_touch), cloths_.touched(), 4 * std::size_t{params_.bodies});
    if (!somebody_may_sleep_) return;
    run(KernelId::world_wake_touched, params_.bodies);
    if (!read_counts()[COUNT_WAKE]) return;
    wake_marked();
    pass_on_changes(false);
    cloths_.begin_step(world, cloth_bodies(), dt);
    device_->copy(array(A::cloth_touch), cloths_.touched(), 4 * std::size_t{params_.bodies});
}

void DeviceWorlds::stir_touched() {
    if (!many_ && cloths_.any()) run(KernelId::world_stir_touched, params_.bodies);
}

void DeviceWorlds::fetch_cloths() {
    if (!many_) cloths_.fetch(*members_[0].world);
}

} // namespace scree
