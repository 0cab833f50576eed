// SPDX-License-Identifier: MIT
// simulation.h — the step of the rigid world on the CPU: pairs, contacts, colours, solver, islands and sleep.
//
// The world (world/) owns bodies, shapes and joints and says here what changed; everything that only a step needs
// lives behind this class.
#pragma once

#include "scree/world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree {

struct Contact;
struct SorReport;

class Simulation {
public:
    struct Parts; ///< rigid/parts.h
    Simulation(World::State& world,
               TaskSystem* tasks); ///< throws Error for devices, threads or lanes that do not exist
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // what the world tells: storage is already changed (added, moved) or not yet (removed) -------------------------
    void body_added(std::uint32_t body);
    void body_removed(std::uint32_t body); ///< its shapes and joints have been removed before
    void body_moved(std::uint32_t body);   ///< pose set from outside: new bounds; the manifolds are made anew
    void body_changed(std::uint32_t body); ///< mass, locks or the like
    /// Its contacts end and are sought anew; what moves joins the awake bodies, a fixed one leaves them.
    void type_changed(std::uint32_t body);
    void shape_added(std::uint32_t shape);
    void shape_removed(std::uint32_t shape); ///< its contacts end, what it touched wakes
    void shape_changed(std::uint32_t shape); ///< material or filter
    void joint_added(std::uint32_t joint);
    void joint_removed(std::uint32_t joint);
    void settings_changed();
    void wake(std::uint32_t body); ///< with the island it fell asleep with and what sleeps on it
    void put_to_sleep(std::uint32_t body);

    void step(float dt);

    // reading ------------------------------------------------------------------------------------------------------
    /// All pairs with overlapping fat bounds, in no particular order; a removed one has shape_a == none.
    std::span<const Contact> contacts() const;
    const StepCounters& counters() const;
    std::array<double, world_stage_names.size()> stage_seconds() const;
    void time_stages(bool on);
    int threads() const;
    int lanes() const;
    WorldMemory memory() const; ///< of contacts, broad phase and solver; the rest is 0
    /// Whether steps of the projected SOR measure how well they converge (rigid/sor.h); it costs about as much as they do.
    void study(bool on);
    const SorReport* sor_report() const; ///< null when it is not studied

    // snapshots: what the next step needs besides bodies, shapes and joints -----------------------------------------
    /// appended to `out`, little-endian words; the same bytes for the same state
    void save(std::vector<std::byte>& out) const;
    /// After bodies, shapes and joints have been restored and nothing has been added here. Throws Error for what does not fit.
    void restore(std::span<const std::byte> in);

private:
    std::unique_ptr<Parts> parts_;
};

} // namespace scree
