// SPDX-License-Identifier: MIT
// simulation.h — the step of a rigid world, on any device: pairs, contacts, colours, solver, islands, sleep.
//
// The world (world/) owns bodies, shapes and joints, and reports every change here. All data that only a step needs is
// behind this class.
#pragma once

#include "scree/world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scree {

struct Contact;
class Crew;
class Fabrics;
struct QueryImage;
struct RayBatch;
struct RigidStorage;
struct SharedPoses;
struct SorReport;

/// The state of a simulation besides the world's storage, in memory.
struct SimulationCopy {
    virtual ~SimulationCopy() = default;
};

/// Of a joint in the last substep, as in kernels/rigid_joint.h.
struct JointImpulse {
    float linear[4], angular[4];
    float h = 0; ///< s; 0: there was no step
};

enum class PoseArray : std::uint8_t { position, rotation };

class Simulation {
public:
    virtual ~Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // changes: called after the storage has changed, for removals before ------------------------------------------
    virtual void body_added(std::uint32_t body) = 0;
    virtual void body_removed(std::uint32_t body) = 0; ///< after its shapes and joints
    /// pose set by the user: computes new bounds and manifolds
    virtual void body_moved(std::uint32_t body) = 0;
    /// Fields of the record; where mass or locks are among them the inverse mass was computed anew.
    virtual void body_changed(std::uint32_t body, bool weighed) = 0;
    /// Ends its contacts and searches pairs again; adds a moving body to the awake ones, removes a fixed one.
    virtual void type_changed(std::uint32_t body) = 0;
    virtual void velocity_set(std::uint32_t) {} ///< linear or angular velocity set by the user
    virtual void force_added(std::uint32_t) {}  ///< force or torque for the next step changed
    virtual void shape_added(std::uint32_t shape) = 0;
    virtual void
    shape_removed(std::uint32_t shape) = 0; ///< ends its contacts and wakes the bodies it touched
    /// Before a change of filters, shapes or joints: a restored world finds its pairs as it was saved.
    virtual void before_change() {}
    virtual void shape_changed(std::uint32_t shape) = 0; ///< material or filter
    /// Triangles of a mesh that bodies reported by body_moved may touch: all others find it as it was.
    virtual void mesh_changed(std::uint32_t shape) = 0;
    virtual void joint_added(std::uint32_t joint) = 0;
    virtual void joint_removed(std::uint32_t joint) = 0;
    virtual void region_changed() {} ///< of the bodies that tell when they leave it
    /// Rows, limits, anchors or frames. `anew`: other rows are held or bounded, and it begins without impulses.
    virtual void joint_changed(std::uint32_t joint, bool anew) = 0;
    virtual void joint_collides(std::uint32_t joint) = 0; ///< JointRecord::collide changed
    virtual void fields_changed() {}                      ///< one was added, changed or removed
    virtual void settings_change() {} ///< before: changes so far are under the old settings
    virtual void settings_changed() = 0;
    /// with its sleeping island and the islands that touch it; no effect on bodies that are awake or never sleep
    virtual void wake(std::uint32_t body) = 0;
    virtual void put_to_sleep(std::uint32_t body) = 0;

    virtual void step(float dt) = 0;

    // reading ------------------------------------------------------------------------------------------------------
    /// Copies the results of the last step to the world's arrays: position, rotation, motion and inverse_mass of the bodies;
    /// asleep, frozen, sleep_time and island of their records; quarantined. Keeps values that the world has written and
    /// reported since the step. The world must fetch before it changes one of these relative to its old value; without a
    /// fetch, body_changed covers only the other fields. Does nothing where steps work on the world's arrays themselves.
    virtual void fetch() {}
    /// The same for one body; cheap if it was fetched since the last step.
    virtual void fetch_body(std::uint32_t) {}
    /// The same for one body that is only read: brings its values alone where that costs less than to fetch all.
    virtual void read_body(std::uint32_t body) { fetch_body(body); }
    /// Positions or rotations of all bodies as after fetch(), without the rest; empty: the world's own array has them. Valid
    /// until the next change or step.
    virtual std::span<const float> read_poses(PoseArray) { return {}; }
    /// Writes origins, rotations and colours of all bodies in order of index into a renderer's memory, without a way through the
    /// host. Throws Error where that is impossible.
    virtual void write_poses(SharedPoses& to);
    /// Whether the results live on a device, so that `asleep` of a record may be out of date.
    virtual bool remote() const { return false; }
    /// Copies the vertices of all cloths to the storage.
    virtual void fetch_cloths() = 0;
    virtual ClothContacts cloth_contacts() const = 0;
    virtual Fabrics* fabrics() const = 0; ///< null until there is a cloth
    virtual void cloths_replaced() = 0;   ///< the storage has cloths that no step has seen
    virtual DeviceState device_state() = 0;
    /// Memory for requests of the user's kernels (scree/request.h), empty; one at a time.
    virtual DeviceRequests request_memory(std::uint32_t room) = 0;
    virtual std::uint32_t request_room() const = 0;        ///< 0: there is no such memory
    virtual std::uint32_t request_count() const = 0;       ///< as kernels counted
    virtual std::vector<BodyRequest> requests() const = 0; ///< those for which there was room
    virtual void clear_requests() = 0;
    virtual void begin_read() = 0;
    virtual PoseRead end_read() = 0;
    /// Rays from the device's memory (rigid/query_image.h); the world is fetched, and the image shows it. Only where the results
    /// are remote.
    virtual void cast_rays(const QueryImage&, const RayBatch&) {}
    /// All pairs with overlapping fat bounds, unordered; a removed one has shape_a == none.
    virtual std::span<const Contact> contacts() const = 0;
    /// The colour of each of contacts(), or empty where the host does not have them.
    virtual std::span<const std::uint8_t> contact_colours() const { return {}; }
    /// Places in contacts() of those of a body, or nullopt where nobody knows them.
    virtual std::optional<std::vector<std::uint32_t>> contacts_of(std::uint32_t) const {
        return std::nullopt;
    }
    virtual std::uint64_t inside_sensors() const = 0; ///< pairs of a sensor and a shape in it
    /// Brings the events of the last step to the world.
    virtual void fetch_events() {}
    /// Joints that exceeded their largest force or torque in the last step, sorted.
    virtual std::span<const std::uint32_t> broken() const = 0;
    virtual JointImpulse impulse(std::uint32_t joint) const = 0;
    virtual std::vector<TreeBox> tree() const { return {}; } ///< empty where the host does not have it
    virtual const StepCounters& counters() const = 0;
    virtual std::array<double, world_stage_names.size()> stage_seconds() const = 0;
    virtual void time_stages(bool on) = 0;
    virtual Crew& crew() = 0; ///< the host's threads, which also prepare large batches of new bodies
    virtual WorldTraffic traffic() const { return {}; }
    virtual WorldMemory memory() const = 0; ///< of contacts, broad phase and solver; the rest is 0
    /// Makes SOR steps measure their convergence (rigid/sor.h), which about doubles their cost.
    virtual void study(bool on) = 0;
    virtual const SorReport* sor_report() const { return nullptr; } ///< null unless study(true)

    // snapshots: state of the steps besides bodies, shapes and joints (rigid/image.h) -------------------------------
    /// Appends little-endian words to `out`; equal states give equal bytes.
    virtual void save(std::vector<std::byte>& out) const = 0;
    /// Called on a new simulation, after bodies, shapes and joints were restored. Throws Error for bytes that do not fit them.
    virtual void restore(std::span<const std::byte> in) = 0;

    // copies: like snapshots, but in memory, with the broad phase, and unchecked (world/copy.h) ----------------------
    /// Copies the state into `to`, which is empty or from this place.
    virtual void keep(std::unique_ptr<SimulationCopy>& to) = 0;
    /// Continues from a copy; the storage must do so too. Allocates only what has grown or shrunk since.
    virtual void go_back(const SimulationCopy& from) = 0;

protected:
    Simulation() = default;
};

/// Makes the simulation of a world whose storage is still empty.
using SimulationMaker = std::function<std::unique_ptr<Simulation>(RigidStorage&)>;

/// Worlds that one device steps together.
class SimulationGroup {
public:
    virtual ~SimulationGroup() = default;
    /// The simulation of world `number`. If there is one already, the new one replaces it in its `restore`.
    virtual std::unique_ptr<Simulation> member(RigidStorage& world, std::uint32_t number) = 0;
    virtual void step(float dt) = 0;
    virtual DeviceState device_state() = 0;        ///< of all worlds
    virtual std::uint32_t body_stride() const = 0; ///< from the first body of a world to that of the next
    virtual void keep(std::unique_ptr<SimulationCopy>& to) = 0; ///< all worlds; see Simulation
    virtual void go_back(const SimulationCopy& from) = 0;
};

/// Null on devices that step each world by itself. Throws Error like make_simulation.
std::shared_ptr<SimulationGroup> make_group(const Place& place, std::uint32_t worlds);

/// Runs at the world's place, which is decided. Throws Error for devices that cannot run rigid worlds.
std::unique_ptr<Simulation> make_simulation(RigidStorage& world);

} // namespace scree
