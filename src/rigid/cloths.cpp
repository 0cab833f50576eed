// SPDX-License-Identifier: MIT
// cloths.cpp — see cloths.h.

#include "rigid/cloths.h"

#include "rigid/quads.h"

#include <algorithm>

namespace scree {

const FabricPlan& plan_of(ClothRecord& cloth) {
    std::vector<std::uint32_t> held;
    for (std::uint32_t v = 0; v < cloth.mass.size(); ++v)
        if (cloth.position[4 * std::size_t{v} + 3] == 0) held.push_back(v);
    if (!cloth.plan || cloth.planned_for != held) {
        cloth.plan = std::make_shared<const FabricPlan>(plan_fabric(*cloth.definition, held));
        cloth.planned_for = std::move(held);
    }
    return *cloth.plan;
}

void ClothSteps::put_cloths(RigidStorage& world) {
    std::vector<FabricSource> sources;
    order_.clear();
    for (std::uint32_t c = 0; c < world.cloths.record.size(); ++c) {
        ClothRecord& cloth = world.cloths.record[c];
        if (!cloth.alive) continue;
        const FabricPlan& plan = plan_of(cloth);
        order_.push_back(c);
        sources.push_back({cloth.definition.get(), &plan, cloth.position, cloth.velocity});
    }
    fabrics_->put(sources);
    pins_.clear();
}

void ClothSteps::put_pins(const RigidStorage& world) {
    std::vector<FabricPin> pins;
    std::uint32_t first = 0;
    for (const std::uint32_t c : order_) {
        const ClothRecord& cloth = world.cloths.record[c];
        for (const PinRecord& pin : cloth.pins)
            pins.push_back(
                {first + pin.vertex, pin.body, pin.point - world.bodies.record[pin.body].mass.centre});
        first += static_cast<std::uint32_t>(cloth.mass.size());
    }
    if (pins == pins_) return;
    pins_ = std::move(pins);
    fabrics_->put_pins(pins_);
}

void ClothSteps::begin_step(RigidStorage& world, const FabricBodies& bodies, float dt) {
    active_ = world.cloths.count != 0 && dt > 0;
    if (!active_) return;
    if (!fabrics_) fabrics_ = std::make_unique<Fabrics>(device_, world.place.options().memory);
    if (world.cloths.changed) {
        put_cloths(world);
        world.cloths.changed = false;
    }
    put_pins(world);
    if (const FabricShapes::Change change = shapes_.update(world); change.table)
        fabrics_->put_shapes(shapes_.table(), shapes_.words());
    fabrics_->begin_step(bodies, world.settings.gravity, dt);
    device_newer_ = true;
}

ClothContacts ClothSteps::contacts() const {
    if (!active_) return {};
    const SelfCounters of = fabrics_->self_counters();
    return {of.touching, of.truncated + of.outrun, of.forced, of.intersections, fabrics_->frozen()};
}

void ClothSteps::fetch(RigidStorage& world) {
    if (!device_newer_) return;
    device_newer_ = false;
    std::vector<float> position(4 * std::size_t{fabrics_->vertices()}), velocity(position.size());
    fabrics_->download(position, velocity);
    std::size_t first = 0;
    for (const std::uint32_t c : order_) {
        ClothRecord& cloth = world.cloths.record[c];
        const auto take = [&](const std::vector<float>& from, Array<float>& to) {
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
        };
        take(position, cloth.position);
        take(velocity, cloth.velocity);
        // the number of the cloth is the device's
        for (std::size_t k = 3; k < cloth.velocity.size(); k += 4) cloth.velocity[k] = 0;
        first += cloth.position.size();
    }
}

} // namespace scree
