// SPDX-License-Identifier: MIT
// device_cloths.cpp — cloths of worlds on a device.
//
// The cloths of each world are stepped by launches of their own, and know the bodies of their world alone: its part of the arrays.

#include "rigid/device_worlds.h"

namespace scree {

namespace {

using A = WorldArray;

/// From `first` words on; rigid worlds run where buffers are pointers.
Buffer part(const Buffer& all, std::size_t first) {
    return {static_cast<std::uint32_t*>(all.raw) + first, all.bytes - 4 * first};
}

} // namespace

FabricBodies DeviceWorlds::cloth_bodies(std::uint32_t number) const {
    const std::size_t first = std::size_t{number} * stride_.bodies;
    return {part(array(A::position), 4 * first),
            part(array(A::rotation), 4 * first),
            part(array(A::motion), 16 * first),
            part(array(A::inverse_mass), 8 * first),
            part(array(A::free), 8 * first),
            static_cast<std::uint32_t>(members_[number].world->bodies.record.size())};
}

void DeviceWorlds::cloth_shapes_changed(std::uint32_t number) {
    if (ClothSteps* cloths = members_[number].cloths.get()) cloths->shapes_changed();
}

/// As CpuSimulation::Parts::begin_cloths.
void DeviceWorlds::begin_cloths(float dt) {
    cloth_ = false;
    for (std::uint32_t n = 0; n < members_.size(); ++n) {
        Member& member = members_[n];
        if (!member.world || (!member.cloths && member.world->cloths.count == 0)) continue;
        if (!member.cloths) member.cloths = std::make_unique<ClothSteps>(device_);
        member.cloths->begin_step(*member.world, cloth_bodies(n), dt);
        cloth_ = cloth_ || member.cloths->any();
    }
    if (!cloth_) return;
    copy_touched();
    if (!somebody_may_sleep_) return;
    run(KernelId::world_wake_touched, params_.bodies);
    if (!read_counts()[COUNT_WAKE]) return;
    wake_marked();
    pass_on_changes(false);
    each_with_cloth([&](std::uint32_t n, ClothSteps& cloths) {
        cloths.begin_step(*members_[n].world, cloth_bodies(n), dt);
    });
    copy_touched();
}

void DeviceWorlds::copy_touched() {
    reserve(A::cloth_touch, std::size_t{params_.bodies} + CLOTH_WORDS * members_.size());
    const Buffer& all = array(A::cloth_touch);
    if (many_) device_->fill(all, 0, params_.bodies);
    each_with_cloth([&](std::uint32_t n, ClothSteps& cloths) {
        device_->copy(part(all, std::size_t{n} * stride_.bodies), cloths.touched(),
                      4 * members_[n].world->bodies.record.size());
    });
}

void DeviceWorlds::stir_touched(float dt) {
    if (!cloth_) return;
    bool any = false;
    device_->fill(array(A::cloth_touch), 0, CLOTH_WORDS * members_.size(), params_.bodies);
    each_with_cloth([&](std::uint32_t n, ClothSteps& cloths) {
        const std::uint32_t bits = cloths.restless(*members_[n].world, cloth_bodies(n), dt);
        if (!bits) return;
        any = true;
        device_->fill(array(A::cloth_touch), bits, 1,
                      std::size_t{params_.bodies} + CLOTH_WORDS * n + CLOTH_RESTLESS);
    });
    if (any) run(KernelId::world_stir_touched, params_.bodies);
}

void DeviceWorlds::unite_touched() {
    if (!cloth_) return;
    device_->fill(array(A::cloth_touch), NOTHING, CLOTH_WORDS * members_.size(), params_.bodies);
    run(KernelId::world_cloth_first, params_.bodies);
    run(KernelId::world_unite_touched, params_.bodies);
}

void DeviceWorlds::sleep_cloths() {
    if (!cloth_) return;
    bool any = false;
    each_with_cloth([&](std::uint32_t, const ClothSteps& cloths) { any = any || cloths.may_sleep(); });
    if (!any) return;
    std::vector<std::uint32_t> words(CLOTH_WORDS * members_.size());
    device_->fill(array(A::cloth_touch), 0, words.size(), params_.bodies);
    run(KernelId::world_cloth_awake, params_.bodies);
    device_->download(words.data(), array(A::cloth_touch), 4 * words.size(), 4 * std::size_t{params_.bodies});
    each_with_cloth([&](std::uint32_t n, ClothSteps& cloths) {
        if (cloths.may_sleep()) cloths.fall_asleep(*members_[n].world, words[CLOTH_WORDS * n + CLOTH_AWAKE]);
    });
}

void DeviceWorlds::fetch_cloths(std::uint32_t number) {
    if (ClothSteps* cloths = members_[number].cloths.get()) cloths->fetch(*members_[number].world);
}
ClothContacts DeviceWorlds::cloth_contacts(std::uint32_t number) const {
    const ClothSteps* cloths = members_[number].cloths.get();
    return cloths ? cloths->contacts() : ClothContacts{};
}
Fabrics* DeviceWorlds::fabrics(std::uint32_t number) const {
    const ClothSteps* cloths = members_[number].cloths.get();
    return cloths ? cloths->fabrics() : nullptr;
}
void DeviceWorlds::cloths_replaced(std::uint32_t number) {
    if (ClothSteps* cloths = members_[number].cloths.get()) cloths->replaced();
}

} // namespace scree
