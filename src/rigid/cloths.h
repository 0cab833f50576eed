// SPDX-License-Identifier: MIT
// cloths.h — the cloths of a rigid world in its step: what they know of bodies and shapes, on any device.
#pragma once

#include "fabric/fabrics.h"
#include "rigid/fabric_shapes.h"
#include "rigid/storage.h"

#include <memory>
#include <optional>
#include <vector>

namespace scree {

/// Makes it when it is missing, or other vertices are held now.
const FabricPlan& plan_of(const RigidStorage& world, ClothRecord& cloth);
/// Vertices that are pinned to something that does not yield, in order.
std::vector<std::uint32_t> held_of(const RigidStorage& world, const ClothRecord& cloth);

/// Of all of it, then of each 64 vertices: low and high.
const std::vector<Vec3>& boxes_of(ClothRecord& cloth);
/// Vertices are in the storage.
void wake_cloth(Cloths& cloths, ClothRecord& cloth);

class ClothSteps {
public:
    /// Cloths run on this queue, which is the rigid world's if that is on a device.
    explicit ClothSteps(std::shared_ptr<Device> device) : device_(std::move(device)) {}

    void shapes_changed() { shapes_.changed(); }
    /// Brings the cloths' changes to the device, wakes those that something comes near to, finds contacts, and lists bodies that are
    /// touched. Masses are up to date.
    void begin_step(RigidStorage& world, const FabricBodies& bodies, float dt);
    /// Whether any is awake in this step.
    bool any() const { return active_; }
    /// Of each body, which cloths touch it, as bits.
    Buffer touched() const { return fabrics_->touched(); }
    /// After the last substep, before bodies fall asleep: bits of the cloths whose bodies must not.
    std::uint32_t restless(RigidStorage& world, const FabricBodies& bodies, float dt);
    /// When bodies have fallen asleep: cloths of which none of the bodies that they touch is awake do too. `awake`: bits of the others.
    void fall_asleep(RigidStorage& world, std::uint32_t awake);
    bool may_sleep() const { return active_ && tired_ != 0; } ///< some cloth, if its bodies do
    void substep(const FabricBodies& bodies, float h);
    /// Copies vertices to the storage if a step has moved them.
    void fetch(RigidStorage& world);
    ClothContacts contacts() const;
    /// The storage is that of another time: its cloths and its shapes.
    void replaced() {
        device_newer_ = false;
        shapes_.changed();
    }
    Fabrics* fabrics() const { return fabrics_.get(); } ///< null until there is a cloth
    std::uint64_t memory() const { return fabrics_ ? fabrics_->bytes() : 0; }

private:
    void put_changes(RigidStorage& world, const FabricBodies& bodies, float dt);
    void put_cloths(RigidStorage& world);
    void put_beds(RigidStorage& world, bool of_sleepers);
    bool wake_disturbed(RigidStorage& world, const FabricBodies& bodies, float dt);
    void put_pins(RigidStorage& world, float dt);

    std::shared_ptr<Device> device_;
    std::unique_ptr<Fabrics> fabrics_; ///< null until there is a cloth
    FabricShapes shapes_;
    std::vector<FabricPin> pins_;
    std::vector<std::uint32_t> order_; ///< slots of the cloths that are on the device
    bool active_ = false, device_newer_ = false, beds_stale_ = true;
    std::uint32_t tired_ = 0; ///< cloths that sleep if their bodies do, as bits
};

} // namespace scree
