// SPDX-License-Identifier: MIT
// device_worlds.h — rigid worlds that run on a device: one, or many stepped together.
//
// Bodies, contacts, colours and islands live on the device and are copied to the host only for queries. Changes between steps
// are collected here and sent as packets before the next step or query (device_changes.cpp). A step reads back three counts:
// shapes that left their fat bounds, new pairs, and constraints of each colour (device_step.cpp).
//
// The device sees many worlds as one: world n has the bodies from n times a stride on, likewise shapes and joints, and pairs only
// within itself, so other worlds do not change its bits. Indices here are those of all worlds together; strides grow when a
// world outgrows them.
#pragma once

#include "device/device.h"
#include "rigid/cloths.h"
#include "rigid/crew.h"
#include "rigid/events.h"
#include "rigid/image.h"
#include "rigid/kernels.h"
#include "rigid/schedule.h"
#include "rigid/simulation.h"
#include "rigid/storage.h"

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace scree {

/// The device's arrays, in the order of WORLD_BUFFERS.
enum class WorldArray : unsigned {
#define SCREE_WORLD_ARRAY(name) name,
    WORLD_BUFFERS(SCREE_WORLD_ARRAY, SCREE_WORLD_ARRAY)
#undef SCREE_WORLD_ARRAY
        count
};

class DeviceWorlds final : public SimulationGroup, public std::enable_shared_from_this<DeviceWorlds> {
public:
    /// `count` worlds are to join; together they may have the memory that the place allows one.
    DeviceWorlds(const Place& place, std::uint32_t count);
    ~DeviceWorlds() override;
    DeviceWorlds(const DeviceWorlds&) = delete;
    DeviceWorlds& operator=(const DeviceWorlds&) = delete;

    std::unique_ptr<Simulation> member(RigidStorage& world, std::uint32_t number) override;
    void step(float dt) override;

    // for the member of that number; indices are the world's own --------------------------------------------------------
    void join(std::uint32_t number, RigidStorage& world);
    void leave(std::uint32_t number, const RigidStorage& world);
    struct Strides {
        std::uint32_t bodies, shapes, joints;
    };
    const Strides& strides() const { return stride_; }
    /// Whether the world fits its room. If not, makes room and adds the whole world again.
    bool has_room(std::uint32_t number);
    std::span<const Contact> contacts(std::uint32_t number);
    std::uint64_t inside_sensors(std::uint32_t number);
    /// The image of the world (rigid/image.h); the world must be fetched.
    /// `whole`: also contacts that a snapshot leaves out, as there is no manifold or a filter ends them in the next step
    SimulationImage image(std::uint32_t number, bool whole = false);
    /// Replaces the world of that number by this one, continuing from `image`.
    void enter(std::uint32_t number, RigidStorage& world, const SimulationImage& image);

    // changes; see Simulation -------------------------------------------------------------------------------------------
    void body_added(std::uint32_t body);
    void body_removed(std::uint32_t body);
    void body_moved(std::uint32_t body);
    void body_changed(std::uint32_t body, bool weighed);
    void type_changed(std::uint32_t body);
    void velocity_set(std::uint32_t body);
    void force_added(std::uint32_t body);
    void shape_added(std::uint32_t shape, bool came = true); ///< came: it was not there before
    void shape_moved(std::uint32_t shape);                   ///< added with all others, by has_room
    void shape_removed(std::uint32_t shape);
    void shape_changed(std::uint32_t shape);
    void mesh_changed(std::uint32_t shape);
    void joint_added(std::uint32_t joint);
    void wanted_changed() { check_wanted_ = true; } ///< which pairs collide, by a joint that has_room added
    void joint_removed(std::uint32_t joint);
    void joint_changed(std::uint32_t joint, bool anew);
    void joint_collides(std::uint32_t joint);
    void settings_changed();
    void fields_changed() { fields_stale_ = true; }
    void region_changed() { watched_ = regions_stale_ = true; }
    void fetch_cloths(std::uint32_t number);
    ClothContacts cloth_contacts(std::uint32_t number) const;
    Fabrics* fabrics(std::uint32_t number) const;
    void cloths_replaced(std::uint32_t number);
    void flush();               ///< sends the changes
    void find_restored_pairs(); ///< before the first change of a restored world
    void wake(std::uint32_t body);
    void put_to_sleep(std::uint32_t body);

    void fetch();
    void fetch_body(std::uint32_t body);
    void read_body(std::uint32_t body);
    std::span<const float> read_poses(PoseArray which);
    void write_poses(SharedPoses& to); ///< of one world alone
    void fetch_events();
    std::span<const std::uint32_t> broken(std::uint32_t number) const;
    JointImpulse impulse(std::uint32_t joint); ///< waits for the last step
    const StepCounters& counters();
    std::array<double, world_stage_names.size()> stage_seconds() const;
    void time_stages(bool on) { device_->time_stages(on); }
    WorldMemory memory() const;
    Device& device() { return *device_; }
    Crew& crew() { return crew_; } ///< threads of the host
    /// counts of kernels/pipeline_params.h, as the last step read them when it had listed its constraints
    std::span<const std::uint32_t> step_counts() const { return counts_; }
    /// Device pointers to positions, rotations and motion, after sending changes.
    DeviceState device_state() override;
    std::uint32_t body_stride() const override { return stride_.bodies; }
    // of one world alone; see Simulation
    DeviceRequests request_memory(std::uint32_t room);
    std::uint32_t request_room() const { return request_room_; }
    std::uint32_t request_count() const;
    std::vector<BodyRequest> requests() const;
    void clear_requests();
    void keep(std::unique_ptr<SimulationCopy>& to) override;
    void go_back(const SimulationCopy& from) override;
    void cast_rays(std::uint32_t number, const QueryImage& image, const RayBatch& batch);
    void begin_read();
    /// Positions and rotations of the world at the last begin_read.
    PoseRead end_read(std::uint32_t number);

private:
    using Counts = std::array<std::uint32_t, COUNT_WORDS>;

    // members ------------------------------------------------------------------------------------------------------
    struct Member {
        RigidStorage* world = nullptr;
        bool extras = false; ///< its contacts bounce, roll or carry along, or bodies have locks
        std::uint32_t phase = 0;
        std::vector<TouchPair> lost;        ///< told pairs that ended before the world came here
        std::unique_ptr<ClothSteps> cloths; ///< null until there is a cloth
    };
    const WorldSettings& settings() const;
    RigidStorage& world_of_body(std::uint32_t b) const { return *members_[b / stride_.bodies].world; }
    const BodyRecord& body(std::uint32_t b) const;
    const ShapeRecord& shape(std::uint32_t s) const;
    const JointRecord& joint(std::uint32_t j) const;
    std::uint32_t body_slots() const;
    std::uint32_t shape_slots() const;
    std::uint32_t joint_slots() const;
    void forget_all();
    void regroup(const Strides& wanted);
    struct ShapeBounds {
        std::vector<std::uint32_t> info;
        std::vector<float> bounds, fat;
    };
    ShapeBounds download_bounds(); ///< with flags, of every shape
    void add_all(std::uint32_t number, const SimulationImage& image);
    void remove_all(std::uint32_t number);
    void set_phase(std::uint32_t number);
    void note_extras(std::uint32_t number, bool extras);
    void note_extras(std::uint32_t number, const Material& material);

    // device_arrays.cpp --------------------------------------------------------------------------------------------
    Buffer& array(WorldArray which) { return arrays_[static_cast<unsigned>(which)]; }
    const Buffer& array(WorldArray which) const { return arrays_[static_cast<unsigned>(which)]; }
    /// grows to `words`, keeping the content; new words are `fresh`
    void reserve(WorldArray which, std::size_t words, std::uint32_t fresh = 0);
    void reserve(Buffer& buffer, std::size_t words); ///< keeps nothing
    Buffer allocate(std::size_t bytes);
    void release_all();
    void reserve_first();
    void grow_bodies();
    void grow_shapes();
    void grow_joints();
    void grow_contacts(std::uint32_t wanted);
    void fill_table();
    void add_pending();
    void run(KernelId kernel, std::uint32_t items, rigid::WorldParams params) const;
    void run(KernelId kernel, std::uint32_t items) { run(kernel, items, params_); }
    Counts read_counts() const;

    // device_changes.cpp
    /// Sends what must be there before a change that may wake bodies or end contacts: within one flush bodies wake before
    /// they are put to sleep, and the contacts of restored worlds come last.
    void send_earlier();
    void mark_body(std::uint32_t body, std::uint32_t parts, std::uint32_t events = 0);
    void mark_shape(std::uint32_t shape, std::uint32_t flags);
    void mark_joint(std::uint32_t joint, std::uint32_t parts);
    void note_limits(const JointRecord& record);
    void mark_shapes_of(std::uint32_t body, std::uint32_t flags);
    void mark_joints_of(std::uint32_t body, bool wakes); ///< wakes: what the body is joined to
    void stage_worlds();
    void stage_bodies();
    void stage_shapes();
    void stage_joints();
    void find_hull_places();
    template <class Packet, class Write, class Note>
    void stage_in_parts(std::vector<std::uint32_t>& list, KernelId kernel, const Write& write,
                        const Note& note);
    void put(const std::vector<std::uint32_t>& words, KernelId kernel, std::size_t items);
    std::uint32_t hull_place(const ShapeRecord& shape) const;
    void count_shape(std::uint32_t shape, bool present);
    void sort_out_big();
    /// up to this one are nine of ten shapes, by the exponent of how far they reach
    std::uint32_t usual_class() const { return big_class_ - big_classes; }
    bool sizes_alike() const;
    void pass_on_changes(bool events);
    void wake_marked();

    // device_step.cpp
    void prepare_params(float dt);
    void end_unwanted();
    void wake_beside_moved();
    void find_pairs();
    void build_tree();
    void build_grid();
    /// how shapes that moved find others: each in its own world, all shapes against few, down the tree by one item or a warp of
    /// them, in the cells of the grid
    enum class Search { own, few, tree, tree_wide, grid };
    Search choose_search(std::uint32_t moved) const;
    void seek(Search search, std::uint32_t moved);
    void find_few(std::uint32_t moved);
    void order_contacts();
    void make_manifolds();
    void colour();
    void colour_rounds(std::uint32_t which, std::uint32_t items, std::uint32_t rounds);
    bool list_buckets(); ///< false: some constraint has no colour yet
    void split_overflow();
    void stop_fast_bodies();
    void rest_and_sleep();
    void find_broken();
    std::uint32_t list_size(std::uint32_t last) const;
    struct BucketPlace {
        std::uint32_t first, count, block, extra_first;
    };
    BucketPlace bucket(std::uint32_t colour, std::uint32_t kind) const;
    rigid::WorldParams of_bucket(std::uint32_t colour, std::uint32_t kind) const;

    // device_solve.cpp
    void solve(float dt);
    bool solve_at_once(const rigid::Schedule& schedule);
    void run_stage(std::uint32_t stage, std::uint32_t round);
    void run_colour(rigid::StageOperation operation, std::uint32_t colour);
    std::uint32_t overflow_entries() const;

    // device_read.cpp
    void read_contacts();

    // device_cloths.cpp
    FabricBodies cloth_bodies(std::uint32_t number) const;
    /// act(number, its cloths) for each world of which some are awake
    template <class Do>
    void each_with_cloth(const Do& act) {
        for (std::uint32_t n = 0; n < members_.size(); ++n)
            if (members_[n].cloths && members_[n].cloths->any()) act(n, *members_[n].cloths);
    }
    void copy_touched();
    void cloth_shapes_changed(std::uint32_t number);
    void begin_cloths(float dt);
    void stir_touched(float dt);
    void unite_touched();
    void sleep_cloths();

    // device_fields.cpp
    void stage_fields();
    void apply_fields(); ///< to the forces of the next step

    // device_events.cpp
    bool somebody_listens() const;
    void note_listener(const ShapeDef& shape);
    void reserve_events();
    void drop_events();
    void begin_events();
    void tell_events();
    struct ShapeName {
        ShapeId shape;
        BodyId body;
    };
    ShapeName shape_named(std::uint32_t shape) const;
    TouchPair pair_named(std::uint32_t a, std::uint32_t b, std::uint32_t kind) const;
    std::vector<std::uint32_t> download_lost() const;
    void forget_lost(std::uint32_t number); ///< of a world that is replaced
    std::vector<TouchPair> read_lost(std::uint32_t number, std::span<const std::uint32_t> words) const;

    // device_queries.cpp
    void send_image(std::uint32_t number, const QueryImage& image);

    // device_copies.cpp
    auto kept_fields();
    struct Copy;

    std::shared_ptr<Device> device_;
    bool cloth_ = false; ///< some world has cloth that is awake in this step
    Crew crew_;
    std::uint64_t most_memory_; ///< 0: no limit
    std::vector<Member> members_;
    Strides stride_;
    bool many_;
    std::uint32_t steps_ = 0;                           ///< together
    std::array<std::uint32_t, STEPS_BETWEEN> phases_{}; ///< worlds of each phase
    std::vector<std::uint32_t> world_words_;            ///< as A::worlds, except for the word of sleep
    bool worlds_changed_ = true, newcomers_ = true;     ///< some world's body 0 may not be there

    std::array<Buffer, static_cast<unsigned>(WorldArray::count)> arrays_{};
    std::array<Buffer, 4> spare_{}; ///< for sorting: keys and values of the tree, of buckets and the overflow
    rigid::WorldParams params_{};
    KeptSchedule schedule_;
    Counts counts_{}; ///< as last read
    std::uint32_t contacts_ = 0, contact_room_ = 0, table_size_ = 0;
    float last_h_ = 0;
    bool stops_ = false;           ///< the device knows how many iterations of the SOR the last step had
    std::uint32_t iterations_ = 0; ///< or else this

    bool extras_ = false;
    bool bullets_ = false; ///< there are some, or were

    // changes to send
    bool any_limits_ = false; ///< a joint has bounded rows or breaks
    bool any_breaks_ = false;
    std::vector<std::uint32_t> broken_;       ///< joints, in the last step; numbered within their worlds
    std::vector<std::uint32_t> broken_begin_; ///< for each world, where its own begin; empty: there are none
    std::vector<std::uint32_t> dirty_bodies_, dirty_shapes_, dirty_joints_, wakes_;
    std::vector<std::uint32_t> body_parts_, body_events_, shape_flags_, joint_parts_;
    std::vector<std::uint8_t> shape_dirty_;
    bool check_wanted_ = false, sleepers_wait_ = false, restored_ = false;
    bool resets_wait_ = false; ///< changes of types not sent yet
    bool puts_wait_ = false;   ///< something fixed was put elsewhere since the last step
    /// generations of bodies that were destroyed since a step whose results were not fetched yet
    std::unordered_map<std::uint32_t, std::uint32_t> gone_;
    std::vector<Contact> pending_contacts_; ///< of restored worlds, with the words that go with them
    std::vector<std::uint32_t> pending_ends_, pending_state_;
    std::vector<std::uint32_t> pending_joints_;
    std::vector<float> pending_impulses_;
    std::vector<std::uint32_t> pushed_; ///< bodies whose forces were sent for the next step
    std::vector<std::uint32_t> staged_;
    static constexpr std::uint8_t no_type = 255;
    /// as the device knows a body: its type, or no_type
    std::vector<std::uint8_t> known_type_;

    // shapes -----------------------------------------------------------------------------------------------------
    std::map<const void*, std::uint32_t> hull_places_; ///< of hulls and meshes; looked up only
    std::vector<Hull> kept_hulls_;
    std::vector<Mesh> kept_meshes_;
    std::uint32_t hull_words_ = 0, kept_hull_words_ = 0; ///< the latter at the last compaction
    std::array<std::uint32_t, 256> sizes_{};             ///< shapes by the exponent of how far they reach
    std::array<std::uint32_t, 8> types_{};
    std::vector<std::uint8_t> size_class_; ///< of a shape as counted; 0: not counted
    std::vector<std::uint8_t> shape_type_;
    std::vector<std::uint32_t> big_;
    std::vector<std::uint8_t> is_big_;
    static constexpr std::uint32_t big_classes = 4;
    std::uint32_t big_class_ = 256, tree_shapes_ = 0, tree_leaves_ = 0;
    bool big_changed_ = false;
    bool tree_built_ = false; ///< of the shapes there are
    std::uint64_t moved_since_build_ = 0;
    std::uint32_t added_ = 0;         ///< contacts since they were last put in order
    std::uint32_t kinematic_ = 0;     ///< bodies
    bool somebody_may_sleep_ = false; ///< or was put to sleep by the host
    std::uint32_t rounds_ = 4, joint_rounds_ = 4, last_fresh_ = 0;
    std::array<std::uint32_t, WORK_LISTS> last_work_{};

    // fields
    bool fields_stale_ =
        false; ///< or bodies and shapes have changed, which the device must know where there are fields
    std::uint32_t fields_ = 0; ///< of all worlds, as the device knows them

    // events: whether a shape or body asked for some since the worlds were made, or is a sensor or one-way
    bool tells_touches_ = false, tells_hits_ = false, tells_bodies_ = false, watched_ = false;
    bool sensors_ = false, one_way_ = false;
    bool regions_stale_ = true;
    bool events_stale_ = false; ///< those of the last step were not read
    /// shapes that were destroyed since the last events; the first of a slot keeps its name
    std::unordered_map<std::uint32_t, ShapeName> gone_shapes_;

    // results on the host
    bool stale_ = false;       ///< the world's arrays are older than the device's
    bool poses_stale_ = false; ///< by a step, not only in who sleeps
    /// unsent changes may wake other bodies, which only the device can tell
    bool others_change_ = false;
    bool contacts_stale_ = true, counters_stale_ = true;
    std::uint64_t changes_ = 1; ///< steps and changes that the device has seen
    std::array<std::uint64_t, 2>
        poses_read_{};                  ///< changes_ when read_poses last brought positions, rotations
    std::uint32_t single_reads_ = 0;    ///< of read_body since the last step
    std::vector<Contact> contact_copy_; ///< by world, with its own indices
    std::vector<std::uint32_t> state_copy_, contact_begin_;
    StepCounters counters_{};
    std::uint32_t allocations_ = 0;
    Buffer requests_{}, request_count_{}; ///< of the user's kernels
    std::uint32_t request_room_ = 0;
    std::array<Buffer, 3> query_{}; ///< shapes, nodes and proxies of a QueryImage
    struct QueryImageKey {
        std::uint32_t world = none;
        std::uint64_t version = 0, hulls = 0;
        friend bool operator==(const QueryImageKey&, const QueryImageKey&) = default;
    } query_key_;                   ///< of which one
    std::uint64_t hull_moves_ = 0;  ///< how often words of hulls got other places
    std::uint32_t read_bodies_ = 0; ///< when begin_read was called

    // device_poses.cpp
    void send_instances(const SharedPoses& to);
    Buffer instances_{};                   ///< the table of kernels/instance_params.h
    std::uint64_t instances_revision_ = 0; ///< of the colours in it
    bool instances_stale_ = true;          ///< bodies came, went or have other centres of mass
};

} // namespace scree
