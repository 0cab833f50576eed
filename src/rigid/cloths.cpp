// SPDX-License-Identifier: MIT
// cloths.cpp — see cloths.h.

#include "rigid/cloths.h"

#include "rigid/kernels.h"
#include "rigid/quads.h"

#include <algorithm>
#include <utility>

namespace scree {

std::vector<std::uint32_t> held_of(const RigidStorage& world, const ClothRecord& cloth) {
    std::vector<std::uint32_t> held;
    for (const PinRecord& pin : cloth.pins)
        if (world.bodies.record[pin.body].type != BodyType::dynamic) held.push_back(pin.vertex);
    std::sort(held.begin(), held.end());
    return held;
}

const FabricPlan& plan_of(const RigidStorage& world, ClothRecord& cloth) {
    // not those of inverse mass 0, among which are frozen ones: a restored cloth has the plan that it had
    std::vector<std::uint32_t> held = held_of(world, cloth);
    if (!cloth.plan || cloth.planned_for != held) {
        cloth.plan = std::make_shared<const FabricPlan>(plan_fabric(*cloth.definition, held));
        cloth.planned_for = std::move(held);
    }
    return *cloth.plan;
}

namespace {

Vec3 vertex(const ClothRecord& cloth, std::size_t v) {
    return {cloth.position[4 * v], cloth.position[4 * v + 1], cloth.position[4 * v + 2]};
}
constexpr float hand_speed = 10; // m/s

/// As fabric_class.
std::uint32_t bit_of(std::size_t number) { return 1u << std::min<std::size_t>(number, 31); }

bool near(const std::vector<Vec3>& a, const std::vector<Vec3>& b, float gap) {
    return a[0].x <= b[1].x + gap && b[0].x <= a[1].x + gap && a[0].y <= b[1].y + gap &&
           b[0].y <= a[1].y + gap && a[0].z <= b[1].z + gap && b[0].z <= a[1].z + gap;
}

} // namespace

const std::vector<Vec3>& boxes_of(ClothRecord& cloth) {
    if (!cloth.boxes.empty()) return cloth.boxes;
    const std::size_t n = cloth.mass.size();
    cloth.boxes.assign(2 + 2 * ((n + FABRIC_PATCH - 1) / FABRIC_PATCH), vertex(cloth, 0));
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3 x = vertex(cloth, v);
        const std::size_t own = 2 + 2 * (v / FABRIC_PATCH);
        if (v % FABRIC_PATCH == 0) cloth.boxes[own] = cloth.boxes[own + 1] = x;
        for (const std::size_t box : {std::size_t{0}, own}) {
            Vec3 &low = cloth.boxes[box], &high = cloth.boxes[box + 1];
            low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
    }
    return cloth.boxes;
}

void wake_cloth(Cloths& cloths, ClothRecord& cloth) {
    cloth.sleep_time = 0;
    if (!cloth.asleep) return;
    cloth.asleep = false;
    cloth.touched.clear();
    cloths.changed = true;
}

/// Of all cloths that sleep, or of those on the device.
void ClothSteps::put_beds(RigidStorage& world, bool of_sleepers) {
    std::vector<Fabrics::Bed> beds;
    std::size_t number = 0;
    for (ClothRecord& cloth : world.cloths.record) {
        if (!cloth.alive || cloth.asleep != of_sleepers) continue;
        const ClothDef& def = *cloth.definition;
        const std::uint32_t bit = bit_of(number++);
        if (!of_sleepers && !(tired_ & bit)) continue;
        beds.push_back(
            {def.filter, def.self_collision, def.material.thickness, boxes_of(cloth), cloth.touched, bit});
    }
    fabrics_->put_beds(beds);
    beds_stale_ = !of_sleepers;
}

bool ClothSteps::wake_disturbed(RigidStorage& world, const FabricBodies& bodies, float dt) {
    const auto sleeps = [](const ClothRecord& cloth) { return cloth.alive && cloth.asleep; };
    auto& records = world.cloths.record;
    if (std::none_of(records.begin(), records.end(), sleeps)) return false;
    if (beds_stale_) put_beds(world, true);
    const std::uint32_t bits = fabrics_->disturbed(bodies, world.settings.gravity, dt, false);
    if (!bits) return false;
    fetch(world);
    std::size_t number = 0;
    for (ClothRecord& cloth : records)
        if (sleeps(cloth) && (bits & bit_of(number++))) wake_cloth(world.cloths, cloth);
    return true;
}

std::uint32_t ClothSteps::restless(RigidStorage& world, const FabricBodies& bodies, float dt) {
    tired_ = 0;
    if (!active_) return 0;
    const WorldSettings& settings = world.settings;
    const std::vector<float> speeds = settings.sleeping ? fabrics_->paces() : std::vector<float>{};
    std::uint32_t awake = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
        ClothRecord& cloth = world.cloths.record[order_[k]];
        cloth.boxes.clear();
        cloth.sleep_time = settings.sleeping
                               ? rigid::time_at_rest(cloth.sleep_time, speeds[k], cloth.definition->can_sleep,
                                                     settings.sleep_speed, dt)
                               : 0;
        if (!settings.sleeping || cloth.sleep_time < settings.sleep_delay) awake |= bit_of(k);
    }
    std::uint32_t all = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) all |= bit_of(k);
    if (awake == all || world.steps % STEPS_BETWEEN) return awake;
    fetch(world);
    // a cloth that touches one that is awake does not sleep
    const auto touch = [&](std::size_t a, std::size_t b) {
        ClothRecord &first = world.cloths.record[order_[a]], &second = world.cloths.record[order_[b]];
        return first.definition->self_collision && second.definition->self_collision &&
               near(boxes_of(first), boxes_of(second),
                    2 * (first.definition->material.thickness + second.definition->material.thickness));
    };
    const auto pass_on = [&] {
        for (bool more = true; std::exchange(more, false);)
            for (std::size_t a = 0; a < order_.size(); ++a)
                for (std::size_t b = 0; b < order_.size(); ++b)
                    if ((awake & bit_of(a)) && !(awake & bit_of(b)) && touch(a, b)) {
                        awake |= bit_of(b);
                        more = true;
                    }
    };
    pass_on();
    if (awake == all) return awake;
    tired_ = all & ~awake;
    put_beds(world, false);
    awake |= fabrics_->disturbed(bodies, settings.gravity, dt, true);
    pass_on();
    tired_ = all & ~awake;
    return awake;
}

void ClothSteps::fall_asleep(RigidStorage& world, std::uint32_t awake) {
    const std::uint32_t bits = tired_ & ~awake;
    tired_ = 0;
    if (!bits) return;
    std::vector<std::uint32_t> touched(world.bodies.record.size());
    device_->download(touched.data(), fabrics_->touched(), 4 * touched.size());
    for (std::size_t k = 0; k < order_.size(); ++k) {
        if (!(bits & bit_of(k))) continue;
        ClothRecord& cloth = world.cloths.record[order_[k]];
        cloth.asleep = true;
        std::fill(cloth.velocity.begin(), cloth.velocity.end(), 0.0f);
        for (std::uint32_t b = 1; b < touched.size(); ++b)
            if (touched[b] & bit_of(k)) cloth.touched.push_back(b);
    }
    world.cloths.changed = true;
}

void ClothSteps::put_cloths(RigidStorage& world) {
    std::vector<FabricSource> sources;
    order_.clear();
    for (std::uint32_t c = 0; c < world.cloths.record.size(); ++c) {
        ClothRecord& cloth = world.cloths.record[c];
        if (!cloth.alive || cloth.asleep) continue;
        const FabricPlan& plan = plan_of(world, cloth);
        order_.push_back(c);
        sources.push_back(
            {cloth.definition.get(), &plan, cloth.position, cloth.velocity, cloth.planned_for.size()});
    }
    fabrics_->put(sources);
    pins_.clear();
}

void ClothSteps::put_pins(RigidStorage& world, float dt) {
    std::vector<FabricPin> pins;
    std::uint32_t first = 0;
    for (const std::uint32_t c : order_) {
        const ClothRecord& cloth = world.cloths.record[c];
        if (!cloth.pulls.empty()) fetch(world);
        for (const FabricPull& pull : cloth.pulls) {
            // a pin to the world that does not hold the vertex against its neighbours
            const auto pinned = [&](const PinRecord& pin) { return pin.vertex == pull.vertex; };
            if (std::any_of(cloth.pins.begin(), cloth.pins.end(), pinned)) continue;
            const Vec3 from = vertex(cloth, pull.vertex), way = pull.target - from;
            const float far = length(way), most = hand_speed * dt;
            pins.push_back({first + pull.vertex, 0, from + way * (far > most ? most / far : 1)});
        }
        for (const PinRecord& pin : cloth.pins)
            pins.push_back(
                {first + pin.vertex, pin.body, pin.point - world.bodies.record[pin.body].mass.centre});
        first += static_cast<std::uint32_t>(cloth.mass.size());
    }
    if (pins == pins_) return;
    pins_ = std::move(pins);
    fabrics_->put_pins(pins_);
}

void ClothSteps::put_changes(RigidStorage& world, const FabricBodies& bodies, float dt) {
    if (const FabricShapes::Change change = shapes_.update(world); change.table)
        fabrics_->put_shapes(shapes_.table(), shapes_.words());
    do
        if (std::exchange(world.cloths.changed, false)) {
            fetch(world);
            put_cloths(world);
            beds_stale_ = true;
        }
    while (wake_disturbed(world, bodies, dt));
}

void ClothSteps::begin_step(RigidStorage& world, const FabricBodies& bodies, float dt) {
    active_ = false;
    if (world.cloths.count == 0 || !(dt > 0)) return;
    if (!fabrics_) fabrics_ = std::make_unique<Fabrics>(device_, world.place.options().memory);
    try {
        put_changes(world, bodies, dt);
        if (order_.empty()) return;
        put_pins(world, dt);
        fabrics_->begin_step(bodies, world.settings.gravity, dt);
    } catch (...) {
        // memory was short: the device has some of it, and the next step puts all anew
        shapes_.changed();
        world.cloths.changed = beds_stale_ = true;
        throw;
    }
    active_ = device_newer_ = true;
}

void ClothSteps::substep(const FabricBodies& bodies, float h) {
    fabrics_->substep(bodies, h);
    device_newer_ = true; // functions of the user may have fetched the beginning of the step
}

ClothContacts ClothSteps::contacts() const {
    if (!active_) return {};
    const SelfCounters of = fabrics_->self_counters();
    return {of.touching, of.truncated + of.outrun, of.forced, of.intersections, fabrics_->frozen()};
}

void ClothSteps::fetch(RigidStorage& world) {
    if (!device_newer_) return;
    device_newer_ = false;
    std::uint32_t first = 0;
    for (const std::uint32_t c : order_) {
        ClothRecord& cloth = world.cloths.record[c];
        fabrics_->download(first, cloth.position, cloth.velocity);
        // the number of the cloth is the device's
        for (std::size_t k = 3; k < cloth.velocity.size(); k += 4) cloth.velocity[k] = 0;
        first += static_cast<std::uint32_t>(cloth.position.size() / 4);
    }
}

} // namespace scree
