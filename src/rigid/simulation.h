// SPDX-License-Identifier: MIT
// simulation.h — the step of the rigid world, wherever it is computed: pairs, contacts, colours, solver, islands, sleep.
//
// The world (world/) owns bodies, shapes and joints and says here what changed; everything that only a step needs
// lives behind this class.
#pragma once

#include "scree/world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace scree {

struct Contact;
class Crew;
struct SorReport;

class Simulation {
public:
    virtual ~Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // what the world tells: storage is already changed (added, moved) or not yet (removed) -------------------------
    virtual void body_added(std::uint32_t body) = 0;
    virtual void body_removed(std::uint32_t body) = 0; ///< its shapes and joints have been removed before
    /// pose set from outside: new bounds; the manifolds are made anew
    virtual void body_moved(std::uint32_t body) = 0;
    virtual void body_changed(std::uint32_t body) = 0; ///< mass, locks or the like
    /// Its contacts end and are sought anew; what moves joins the awake bodies, a fixed one leaves them.
    virtual void type_changed(std::uint32_t body) = 0;
    virtual void velocity_set(std::uint32_t body) = 0; ///< velocity or spin, from outside
    virtual void force_added(std::uint32_t body) = 0;  ///< force or torque for the next step changed
    virtual void shape_added(std::uint32_t shape) = 0;
    virtual void shape_removed(std::uint32_t shape) = 0; ///< its contacts end, what it touched wakes
    virtual void shape_changed(std::uint32_t shape) = 0; ///< material or filter
    virtual void joint_added(std::uint32_t joint) = 0;
    virtual void joint_removed(std::uint32_t joint) = 0;
    virtual void settings_changed() = 0;
    /// with the island it fell asleep with and what sleeps on it; nothing happens to what is awake or never sleeps
    virtual void wake(std::uint32_t body) = 0;
    virtual void put_to_sleep(std::uint32_t body) = 0;

    virtual void step(float dt) = 0;

    // reading ------------------------------------------------------------------------------------------------------
    /// Brings the world's arrays up to date with what the step computed: position, rotation, motion and inverse_mass of
    /// the bodies; asleep, frozen, sleep_time and island of their records; quarantined. What the world wrote since the
    /// step and told stays. The world fetches before it changes any of this relative to what it is; where it did not,
    /// body_changed is about the rest of the record. Does nothing where the arrays always are up to date.
    virtual void fetch() = 0;
    /// The same for one body alone, which is less where it was fetched since the last step.
    virtual void fetch_body(std::uint32_t body) = 0;
    /// Whether those arrays live elsewhere between steps, so that `asleep` of a record may be out of date.
    virtual bool remote() const = 0;
    virtual DeviceState device_state() = 0;
    virtual void begin_read() = 0;
    virtual PoseRead end_read() = 0;
    /// All pairs with overlapping fat bounds, in no particular order; a removed one has shape_a == none.
    virtual std::span<const Contact> contacts() const = 0;
    /// Of each of contacts(), or nothing where the host does not know.
    virtual std::span<const std::uint8_t> contact_colours() const { return {}; }
    virtual std::vector<TreeBox> tree() const { return {}; } ///< where the host knows it
    virtual const StepCounters& counters() const = 0;
    virtual std::array<double, world_stage_names.size()> stage_seconds() const = 0;
    virtual void time_stages(bool on) = 0;
    virtual Crew&
    crew() = 0; ///< the host's threads, for much at once; those of a step where it runs on the host
    virtual WorldTraffic traffic() const { return {}; }
    virtual WorldMemory memory() const = 0; ///< of contacts, broad phase and solver; the rest is 0
    /// Whether steps of the projected SOR measure how well they converge (rigid/sor.h); it costs about as much as they do.
    virtual void study(bool on) = 0;
    virtual const SorReport* sor_report() const = 0; ///< null when it is not studied

    // snapshots: what the next step needs besides bodies, shapes and joints (rigid/image.h) -------------------------
    /// appended to `out`, little-endian words; the same bytes for the same state
    virtual void save(std::vector<std::byte>& out) const = 0;
    /// After bodies, shapes and joints have been restored and nothing has been added here. Throws Error for what does not fit.
    virtual void restore(std::span<const std::byte> in) = 0;

protected:
    Simulation() = default;
};

/// Makes the simulation of a world whose storage is still empty.
using SimulationMaker = std::function<std::unique_ptr<Simulation>(World::State&)>;

/// Worlds that one device steps together.
class SimulationGroup {
public:
    virtual ~SimulationGroup() = default;
    /// Of the world that has, or is to have, this number. Where the number is taken the new world's `restore` takes it.
    virtual std::unique_ptr<Simulation> member(World::State& world, std::uint32_t number) = 0;
    virtual void step(float dt) = 0;
    virtual DeviceState device_state() = 0;        ///< of all
    virtual std::uint32_t body_stride() const = 0; ///< between the bodies of one and of the next
};

/// For the devices that step many worlds as one; null where each is stepped by itself. Throws Error as make_simulation.
std::shared_ptr<SimulationGroup> make_group(const Place& place, std::uint32_t worlds);

/// At the world's place, which is decided; throws Error for devices that rigid worlds do not run on.
std::unique_ptr<Simulation> make_simulation(World::State& world);

} // namespace scree
