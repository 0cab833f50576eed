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
    reserve(A::cloth_touch, std::size_t{params_.bodies} + CLOTH_BITS + 1);
    device_->copy(array(A::cloth_touch), cloths_.touched(), 4 * std::size_t{params_.bodies});
    if (!somebody_may_sleep_) return;
    run(KernelId::world_wake_touched, params_.bodies);
    if (!read_counts()[COUNT_WAKE]) return;
    wake_marked();
    pass_on_changes(false);
    cloths_.begin_step(world, cloth_bodies(), dt);
    device_->copy(array(A::cloth_touch), cloths_.touched(), 4 * std::size_t{params_.bodies});
}

void DeviceWorlds::stir_touched(float dt) {
    if (many_ || !cloths_.any()) return;
    rigid::WorldParams p = params_;
    p.which = cloths_.restless(*members_[0].world, cloth_bodies(), dt);
    if (p.which) run(KernelId::world_stir_touched, params_.bodies, p);
}

void DeviceWorlds::unite_touched() {
    if (many_ || !cloths_.any()) return;
    device_->fill(array(A::cloth_touch), NOTHING, CLOTH_BITS, params_.bodies);
    run(KernelId::world_cloth_first, params_.bodies);
    run(KernelId::world_unite_touched, params_.bodies);
}

void DeviceWorlds::sleep_cloths() {
    if (many_ || !cloths_.may_sleep()) return;
    const std::size_t place = std::size_t{params_.bodies} + CLOTH_BITS;
    device_->fill(array(A::cloth_touch), 0, 1, place);
    run(KernelId::world_cloth_awake, params_.bodies);
    std::uint32_t still_awake = 0;
    device_->download(&still_awake, array(A::cloth_touch), 4, 4 * place);
    cloths_.fall_asleep(*members_[0].world, still_awake);
}

void DeviceWorlds::fetch_cloths() {
    if (!many_) cloths_.fetch(*members_[0].world);
}

} // namespace scree
