// SPDX-License-Identifier: MIT
// cpu_simulation.h — the step of the rigid world on the CPU, in lanes and on several threads.
#pragma once

#include "rigid/simulation.h"

namespace scree {

class Impacts; // rigid/impacts.h

/// Works in the world's own arrays.
class CpuSimulation final : public Simulation {
public:
    struct Parts; ///< rigid/parts.h
    explicit CpuSimulation(RigidStorage& world);
    ~CpuSimulation() override;

    void body_added(std::uint32_t body) override;
    void body_removed(std::uint32_t body) override;
    void body_moved(std::uint32_t body) override;
    void body_changed(std::uint32_t body, bool weighed) override;
    void type_changed(std::uint32_t body) override;
    void shape_added(std::uint32_t shape) override;
    void shape_removed(std::uint32_t shape) override;
    void shape_changed(std::uint32_t shape) override;
    void mesh_changed(std::uint32_t shape) override;
    void joint_added(std::uint32_t joint) override;
    void joint_removed(std::uint32_t joint) override;
    void joint_changed(std::uint32_t joint, bool anew) override;
    void joint_collides(std::uint32_t joint) override;
    void settings_changed() override;
    void wake(std::uint32_t body) override;
    void put_to_sleep(std::uint32_t body) override;

    void step(float dt) override;
    Impacts& impacts(); ///< of Solver::impact
    void fetch_cloths() override;
    ClothContacts cloth_contacts() const override;
    Fabrics* fabrics() const override;
    void cloths_replaced() override;

    DeviceState device_state() override;
    DeviceRequests request_memory(std::uint32_t room) override;
    std::uint32_t request_room() const override { return static_cast<std::uint32_t>(requests_.size()); }
    std::uint32_t request_count() const override { return request_count_; }
    std::vector<BodyRequest> requests() const override;
    void clear_requests() override { request_count_ = 0; }
    void begin_read() override;
    PoseRead end_read() override;
    std::span<const Contact> contacts() const override;
    std::span<const std::uint8_t> contact_colours() const override;
    std::uint64_t inside_sensors() const override;
    std::optional<std::vector<std::uint32_t>> contacts_of(std::uint32_t body) const override;
    std::span<const std::uint32_t> broken() const override;
    JointImpulse impulse(std::uint32_t joint) const override;
    std::vector<TreeBox> tree() const override;
    const StepCounters& counters() const override;
    std::array<double, world_stage_names.size()> stage_seconds() const override;
    void time_stages(bool on) override;
    Crew& crew() override;
    WorldMemory memory() const override;
    void study(bool on) override;
    const SorReport* sor_report() const override;

    void save(std::vector<std::byte>& out) const override;
    void restore(std::span<const std::byte> in) override;
    void keep(std::unique_ptr<SimulationCopy>& to) override;
    void go_back(const SimulationCopy& from) override;

private:
    std::vector<float> read_positions_, read_rotations_; ///< when begin_read was last called
    std::vector<BodyRequest> requests_;                  ///< memory for the user's
    std::uint32_t request_count_ = 0;
    std::unique_ptr<Parts> parts_;
};

} // namespace scree
