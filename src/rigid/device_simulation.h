// SPDX-License-Identifier: MIT
// device_simulation.h — the step of the rigid world on a device: the kernels of kernels/world_*.h in their order.
//
// Bodies, contacts, colours and islands live on the device; the host learns of them when somebody asks. What the world
// changes between steps is collected here and goes over as packets, only what changed, before the next step or look
// (device_changes.cpp). A step asks the device three numbers on its way: how many shapes left their bounds, how many pairs
// that gave, and how many constraints each colour has (device_step.cpp).
#pragma once

#include "device/device.h"
#include "rigid/kernels.h"
#include "rigid/simulation.h"
#include "world/state.h"
#include "world/storage.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace scree {

/// The device's arrays, in the order of WORLD_BUFFERS.
enum class WorldArray : unsigned {
#define SCREE_WORLD_ARRAY(name) name,
    WORLD_BUFFERS(SCREE_WORLD_ARRAY, SCREE_WORLD_ARRAY)
#undef SCREE_WORLD_ARRAY
        count
};

class DeviceSimulation final : public Simulation {
public:
    DeviceSimulation(World::State& world, std::shared_ptr<Device> device);
    ~DeviceSimulation() override;

    void body_added(std::uint32_t body) override;
    void body_removed(std::uint32_t body) override;
    void body_moved(std::uint32_t body) override;
    void body_changed(std::uint32_t body) override;
    void type_changed(std::uint32_t body) override;
    void velocity_set(std::uint32_t body) override;
    void force_added(std::uint32_t body) override;
    void shape_added(std::uint32_t shape) override;
    void shape_removed(std::uint32_t shape) override;
    void shape_changed(std::uint32_t shape) override;
    void joint_added(std::uint32_t joint) override;
    void joint_removed(std::uint32_t joint) override;
    void settings_changed() override;
    void wake(std::uint32_t body) override;
    void put_to_sleep(std::uint32_t body) override;

    void step(float dt) override;
    void fetch() override;
    bool remote() const override { return true; }

    std::span<const Contact> contacts() const override;
    const StepCounters& counters() const override;
    std::array<double, world_stage_names.size()> stage_seconds() const override;
    void time_stages(bool on) override;
    int threads() const override;
    int lanes() const override;
    WorldMemory memory() const override;
    void study(bool on) override;
    const SorReport* sor_report() const override { return nullptr; }

    // for measuring
    Device& device() { return *device_; }
    /// counts of kernels/world_params.h, as the last step read them when it had listed its constraints
    std::span<const std::uint32_t> step_counts() const { return counts_; }

    void save(std::vector<std::byte>& out) const override;
    void restore(std::span<const std::byte> in) override;

private:
    using Counts = std::array<std::uint32_t, COUNT_WORDS>;

    // device_arrays.cpp --------------------------------------------------------------------------------------------
    Buffer& array(WorldArray which) { return arrays_[static_cast<unsigned>(which)]; }
    const Buffer& array(WorldArray which) const { return arrays_[static_cast<unsigned>(which)]; }
    /// room for `words`, keeping what is there; new words are `fresh`
    void reserve(WorldArray which, std::size_t words, std::uint32_t fresh = 0);
    void reserve(Buffer& buffer, std::size_t words); ///< keeps nothing
    void grow_bodies();
    void grow_shapes();
    void grow_joints();
    void grow_contacts(std::uint32_t wanted);
    void fill_table();
    void run(KernelId kernel, std::uint32_t items, rigid::WorldParams params) const;
    void run(KernelId kernel, std::uint32_t items) { run(kernel, items, params_); }
    Counts read_counts() const;

    // device_changes.cpp
    void flush();
    void mark_body(std::uint32_t body, std::uint32_t parts, std::uint32_t events = 0);
    void mark_shape(std::uint32_t shape, std::uint32_t flags);
    void mark_joint(std::uint32_t joint, std::uint32_t parts);
    void mark_shapes_of(std::uint32_t body, std::uint32_t flags);
    void mark_joints_of(std::uint32_t body, bool wakes); ///< wakes: what the body is joined to
    void stage_bodies();
    void stage_shapes();
    void stage_joints();
    void put(KernelId kernel, std::uint32_t items);
    std::uint32_t hull_place(const ShapeRecord& shape);
    void count_shape(std::uint32_t shape, bool present);
    void sort_out_big();
    void pass_on_changes(bool events);
    void wake_marked();

    // device_step.cpp
    void prepare_params(float dt);
    void find_pairs();
    void build_tree();
    void order_contacts();
    void make_manifolds();
    void colour();
    void colour_rounds(std::uint32_t which, std::uint32_t items, std::uint32_t rounds);
    bool list_buckets(); ///< false: some constraint has no colour yet
    void split_overflow();
    void soft_step(float dt);
    void sor_step(float dt);
    std::uint32_t overflow_entries() const;
    void rest_and_sleep(float dt);
    std::uint32_t list_size(std::uint32_t last) const;
    /// what is launched over joints, and contacts with room for 1, 2 and 4 points
    struct ConstraintKernels {
        KernelId joint, contact[3];
    };
    void run_bucket(const ConstraintKernels& kernels, std::uint32_t colour, std::uint32_t kind);
    void run_colour(const ConstraintKernels& kernels, std::uint32_t colour);
    void run_everywhere(const ConstraintKernels& kernels);
    void run_overflow(const ConstraintKernels& kernels, bool changes);
    struct BucketPlace {
        std::uint32_t first, count, block, extra_first;
    };
    BucketPlace bucket(std::uint32_t colour, std::uint32_t kind) const;
    rigid::WorldParams of_bucket(std::uint32_t colour, std::uint32_t kind) const;

    World::State& world_;
    std::shared_ptr<Device> device_;
    std::array<Buffer, static_cast<unsigned>(WorldArray::count)> arrays_{};
    std::array<Buffer, 4> spare_{}; ///< for sorting: keys and values of the tree, of buckets and the overflow
    rigid::WorldParams params_{};
    Counts counts_{}; ///< as last read
    std::uint32_t contacts_ = 0, contact_room_ = 0, table_size_ = 0;
    float last_h_ = 0;

    bool extras_ = false;

    // what is to go over
    std::vector<std::uint32_t> dirty_bodies_, dirty_shapes_, dirty_joints_, wakes_;
    std::vector<std::uint32_t> body_parts_, body_events_, shape_flags_, joint_parts_;
    std::vector<std::uint8_t> shape_dirty_;
    bool check_wanted_ = false;
    std::vector<std::uint32_t> pushed_; ///< bodies whose forces were sent for the next step
    std::vector<std::uint32_t> staged_;
    static constexpr std::uint8_t no_type = 255;
    /// as the device knows a body: its type, or no_type
    std::vector<std::uint8_t> known_type_;

    // shapes -----------------------------------------------------------------------------------------------------
    std::map<const HullGeometry*, std::uint32_t> hull_places_; ///< looked up only
    std::vector<Hull> kept_hulls_;
    std::uint32_t hull_words_ = 0;
    std::array<std::uint32_t, 256> sizes_{}; ///< shapes by the exponent of how far they reach
    std::array<std::uint32_t, 7> types_{};
    std::vector<std::uint8_t> size_class_; ///< of a shape as counted; 0: not counted
    std::vector<std::uint8_t> shape_type_;
    std::vector<std::uint32_t> big_;
    std::vector<std::uint8_t> is_big_;
    std::uint32_t big_class_ = 256, tree_shapes_ = 0, tree_leaves_ = 0;
    bool big_changed_ = false;
    bool tree_built_ = false; ///< of the shapes there are
    std::uint64_t moved_since_build_ = 0;
    std::uint32_t added_ = 0;     ///< contacts since they were last put in order
    std::uint32_t kinematic_ = 0;   ///< bodies
    bool somebody_may_sleep_ = false; ///< or was put to sleep by the host
    std::uint32_t rounds_ = 4, joint_rounds_ = 4, last_fresh_ = 0;
    std::array<std::uint32_t, 5> last_work_{};

    // what was read
    bool stale_ = false; ///< the world's arrays are older than the device's
    mutable bool contacts_stale_ = true, counters_stale_ = true;
    mutable std::vector<Contact> contact_copy_;
    mutable StepCounters counters_{};
    std::uint32_t allocations_ = 0;
};

} // namespace scree
