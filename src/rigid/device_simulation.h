// SPDX-License-Identifier: MIT
// device_simulation.h — the simulation of one world that a device steps, alone or among many (device_worlds.h).
#pragma once

#include "rigid/simulation.h"
#include "rigid/storage.h"

#include <memory>

namespace scree {

class DeviceWorlds;

class DeviceSimulation final : public Simulation {
public:
    DeviceSimulation(std::shared_ptr<DeviceWorlds> worlds, RigidStorage& world, std::uint32_t number);
    ~DeviceSimulation() override;

    void body_added(std::uint32_t body) override;
    void body_removed(std::uint32_t body) override;
    void body_moved(std::uint32_t body) override;
    void body_changed(std::uint32_t body, bool weighed) override;
    void type_changed(std::uint32_t body) override;
    void velocity_set(std::uint32_t body) override;
    void force_added(std::uint32_t body) override;
    void shape_added(std::uint32_t shape) override;
    void shape_removed(std::uint32_t shape) override;
    void before_change() override;
    void shape_changed(std::uint32_t shape) override;
    void mesh_changed(std::uint32_t shape) override;
    void joint_added(std::uint32_t joint) override;
    void joint_removed(std::uint32_t joint) override;
    void region_changed() override;
    void joint_changed(std::uint32_t joint, bool anew) override;
    void joint_collides(std::uint32_t joint) override;
    std::span<const std::uint32_t> broken() const override;
    JointImpulse impulse(std::uint32_t joint) const override;
    void fields_changed() override;
    void settings_change() override;
    void settings_changed() override;
    void wake(std::uint32_t body) override;
    void put_to_sleep(std::uint32_t body) override;

    void step(float dt) override; ///< all of its worlds
    void fetch() override;
    void fetch_body(std::uint32_t body) override;
    void read_body(std::uint32_t body) override;
    std::span<const float> read_poses(PoseArray which) override;
    void write_poses(SharedPoses& to) override;
    void fetch_events() override;
    void fetch_cloths() override;
    ClothContacts cloth_contacts() const override;
    Fabrics* fabrics() const override;
    void cloths_replaced() override;
    bool remote() const override { return true; }
    DeviceState device_state() override;
    DeviceRequests request_memory(std::uint32_t room) override;
    std::uint32_t request_room() const override;
    std::uint32_t request_count() const override;
    std::vector<BodyRequest> requests() const override;
    void clear_requests() override;
    void cast_rays(const QueryImage& image, const RayBatch& batch) override;
    void begin_read() override;
    PoseRead end_read() override;

    std::span<const Contact> contacts() const override;
    std::uint64_t inside_sensors() const override;
    const StepCounters& counters() const override;
    std::array<double, world_stage_names.size()> stage_seconds() const override;
    void time_stages(bool on) override;
    Crew& crew() override;
    WorldTraffic traffic() const override;
    WorldMemory memory() const override;
    void study(bool on) override;

    DeviceWorlds& worlds() { return *worlds_; } ///< for measuring

    void save(std::vector<std::byte>& out) const override;
    void restore(std::span<const std::byte> in) override;
    void keep(std::unique_ptr<SimulationCopy>& to) override;
    void go_back(const SimulationCopy& from) override;

private:
    DeviceWorlds& changes(); ///< for a change that may wake others
    std::uint32_t body(std::uint32_t own) const;
    std::uint32_t shape(std::uint32_t own) const;
    std::uint32_t joint(std::uint32_t own) const;

    std::shared_ptr<DeviceWorlds> worlds_;
    RigidStorage& world_;
    std::uint32_t number_;
};

} // namespace scree
