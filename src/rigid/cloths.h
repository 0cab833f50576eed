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
const FabricPlan& plan_of(ClothRecord& cloth);

class ClothSteps {
public:
    /// Cloths run on this queue, which is the rigid world's if that is on a device.
    explicit ClothSteps(std::shared_ptr<Device> device) : device_(std::move(device)) {}

    void shapes_changed() { shapes_.changed(); }
    /// Brings the cloths' changes to the device, finds their contacts, and lists bodies that are touched. Masses are up to date.
    void begin_step(RigidStorage& world, const FabricBodies& bodies, float dt);
    /// Whether there is any in this step.
    bool any() const { return active_; }
    Buffer touched() const { return fabrics_->touched(); }
    void substep(const FabricBodies& bodies, float h) { fabrics_->substep(bodies, h); }
    /// Copies vertices to the storage if a step has moved them.
    void fetch(RigidStorage& world);
    ClothContacts contacts() const;
    /// The storage is that of another time.
    void replaced() { device_newer_ = false; }
    Fabrics* fabrics() const { return fabrics_.get(); } ///< null until there is a cloth
    std::uint64_t memory() const { return fabrics_ ? fabrics_->bytes() : 0; }

private:
    void put_cloths(RigidStorage& world);
    void put_pins(const RigidStorage& world);

    std::shared_ptr<Device> device_;
    std::unique_ptr<Fabrics> fabrics_; ///< null until there is a cloth
    FabricShapes shapes_;
    std::vector<FabricPin> pins_;
    std::vector<std::uint32_t> order_; ///< slots of the cloths that are on the device
    bool active_ = false, device_newer_ = false;
};

} // namespace scree
