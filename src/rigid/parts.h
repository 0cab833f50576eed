// SPDX-License-Identifier: MIT
// parts.h — the data of a CpuSimulation. Each .cpp of this folder implements one part of the step.
#pragma once

#include "collision/bounds_tree.h"
#include "collision/convex.h"
#include "collision/seed_grid.h"
#include "geometry/hull.h"
#include "rigid/cloths.h"
#include "rigid/cpu_simulation.h"
#include "rigid/crew.h"
#include "rigid/events.h"
#include "rigid/growing_array.h"
#include "rigid/kept.h"
#include "rigid/kernels.h"
#include "rigid/pair_table.h"
#include "rigid/partition.h"
#include "rigid/records.h"
#include "rigid/schedule.h"
#include "rigid/sor.h"
#include "rigid/storage.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace scree {

/// Where the invariants are checked in SCREE_VALIDATE builds: when the step begins, after these of its parts, and at its end.
enum class StepPoint : std::uint32_t { begin, pairs, narrow, graph, buckets, islands, end };

/// A contact's places in the lists of its two bodies.
struct ContactLinks {
    std::uint32_t next[2] = {none, none}, previous[2] = {none, none};
};

/// A quad for the kernels.
struct ContactEnds {
    std::uint32_t shape_a, shape_b, body_a, body_b;
};

/// Contacts of one colour with room for the same number of points, or joints of one colour (points 0).
struct Bucket {
    std::uint32_t first = 0; ///< in the lists of slots
    std::uint32_t items = 0; ///< padded to whole blocks
    std::size_t block = 0;   ///< first word in the blocks
};

/// The overflow's items of each kind as groups see them.
struct GroupViews {
    std::array<rigid::SorView, 4> of{};
};

struct CpuSimulation::Parts {
    explicit Parts(RigidStorage& world);
    ~Parts();

    RigidStorage& world;
    const RigidTable& table;
    Crew crew;
    ClothSteps cloths;
    FabricBodies cloth_bodies();
    void begin_cloths(float dt);
    void stir_touched(float dt); ///< bodies touched by a cloth that does not rest do not rest either
    void unite_touched();        ///< bodies that one cloth touches are an island
    void sleep_cloths();

    // pairs and contacts ---------------------------------------------------------------------------------------
    BoundsTree tree;
    SeedGrid grid;
    // input and output of the grid and brute force
    std::vector<std::uint32_t> proxies, bodies_of;
    std::vector<float> spheres;
    std::vector<std::uint8_t> extents;
    std::vector<ProxyPair> candidates;
    PairTable pairs;
    GrowingArray<Contact> contacts;
    GrowingArray<ContactLinks> links;
    // of a contact, apart from its record because loops over all of them need no more
    GrowingArray<ContactEnds> ends;
    GrowingArray<std::uint8_t> pair_kind; ///< a PairKind
    GrowingArray<std::uint8_t> made;      ///< the record holds a manifold, perhaps an empty one
    GrowingArray<std::uint8_t> points;    ///< 0, or room for 1, 2 or 4
    GrowingArray<std::uint8_t> colour;
    /// of two hulls: the face that parted them last (make_convex_contact); left alone by snapshots, as no result depends on it
    std::vector<std::uint16_t> parting;
    GrowingArray<std::uint8_t> marks; ///< MARK_… of kernels/pipeline_params.h
    /// when the record, but for the impulses of one that touches, was last written, as keep and go_back count (snapshot.cpp)
    GrowingArray<std::uint32_t> changed_in;
    std::uint32_t epoch = 1;
    std::uint64_t history = new_version(); ///< whose epochs these are
    // versions (kept.h) of arrays that a resting world leaves alone
    std::uint64_t links_version = new_version();     ///< which contacts there are, and which are active
    std::uint64_t shapes_version = new_version();    ///< hulls, traits
    std::uint64_t constants_version = new_version(); ///< of bodies
    std::uint64_t tree_version = new_version();
    GrowingArray<std::uint32_t> free_contacts;
    std::vector<std::uint32_t> first_contact; ///< of a body
    GrowingArray<std::uint32_t> active;       ///< contacts with an awake body
    GrowingArray<std::uint32_t> active_at;    ///< place in active, or none
    GrowingArray<std::uint32_t> spare_active;
    bool any_meshes = false; ///< a shape is a mesh, or one was
    /// of a shape that is a hull or a mesh: its words for the kernels, shared by shapes of the same
    std::vector<HullWords::Words> hulls;
    HullWords hull_words_of;
    std::vector<std::uint32_t> moved; ///< shapes whose pairs are to be found
    /// Of these: `looks` where nothing came near anything, as bounds grow and shrink; `came` by a call; `put` by a new pose. A
    /// pair that is new may be new to one device alone, so who wakes does not follow from that.
    enum Moved : std::uint8_t { looks = 1, came = 3, put = 7 };
    std::vector<std::uint8_t> is_moved;
    std::vector<std::vector<ProxyPair>> found; ///< new pairs of each chunk
    std::vector<ProxyPair> new_pairs;
    std::vector<std::uint32_t> new_contacts;   ///< of the new pairs
    std::vector<std::uint32_t> ended_contacts; ///< to be removed
    Partition partition;
    std::vector<std::uint8_t> new_flags; ///< of the new pairs
    struct ChunkFlags {
        std::uint32_t active = 0; ///< new ones
        std::uint8_t any = 0;     ///< of the flags
        bool extras = false;
    };
    std::vector<ChunkFlags> chunk_flags;
    std::vector<std::uint32_t> active_before; ///< of each chunk of contacts: active ones in those before it
    std::vector<std::vector<std::uint32_t>> near; ///< of a query, for each chunk
    std::vector<std::vector<std::uint32_t>> left; ///< shapes that left their fat bounds, of each chunk
    struct Change {
        std::vector<std::uint32_t> began, ended, gone; ///< contacts: touch, touch no more, bounds apart
        std::vector<std::uint32_t> wakes;              ///< those that began at a sleeping body
        std::vector<std::uint32_t> sensed;             ///< sensors' pairs that overlap, or no longer do
        std::uint32_t recycled = 0, overlapping = 0, crowded = 0;
    };
    std::vector<Change> changes; ///< of each chunk
    struct Ranked {
        std::uint64_t priority;
        std::uint32_t contact;
        std::uint32_t body_a, body_b; ///< none where it cannot move
    };
    std::vector<Ranked> ranked, unranked; ///< contacts to be coloured, in the order of a hash of their key
    std::vector<std::uint32_t> began;     ///< contacts to be coloured

    // events -----------------------------------------------------------------------------------------------------
    std::vector<std::uint32_t> traits; ///< of a shape: SHAPE_RULES
    /// whether a shape or body asked for such events, or is one-way, since the world was made
    bool tells_touches = false, tells_hits = false, tells_bodies = false, any_one_way = false;
    std::vector<TouchPair> lost; ///< told pairs whose contacts ended since
    std::vector<TouchPair> touch_began, touch_ended;
    std::vector<rigid::Approach> approach; ///< of an active contact, before the solver
    /// sensors' pairs without an awake body to look at once, as one of them was put there
    std::vector<std::uint32_t> sensor_looks;
    std::vector<std::uint32_t> asked;   ///< contacts that the user's function decides about
    std::vector<std::uint32_t> refused; ///< of these, sorted by number

    // bodies -----------------------------------------------------------------------------------------------------
    std::vector<std::vector<std::uint32_t>> some_bodies; ///< of each chunk
    std::vector<std::uint32_t> awake;                    ///< dynamic and kinematic bodies, padded with none
    std::uint32_t awake_count = 0;
    std::vector<std::uint32_t> colours;              ///< of a body: which are taken
    std::vector<std::uint32_t> island_next;          ///< of a sleeping body: a ring through its island
    Array<float> constants, force, kick, free, rest; ///< kernels/rigid_body.h

    // joints -----------------------------------------------------------------------------------------------------
    Array<float> joint_records; ///< kernels/rigid_joint.h
    Array<float> joint_limits;  ///< kernels/rigid_rows.h; empty while no joint has bounded rows or breaks
    bool any_breaks = false;    ///< a joint has a largest force or torque
    std::vector<std::uint32_t> broken; ///< joints, in the last step
    bool any_limits = false;
    /// bodies with contacts that a filter or a joint may have ended: looked at in the next step, so that only what holds then
    /// counts, as on a device
    std::vector<std::uint32_t> unsure;
    std::vector<std::uint32_t> new_joints; ///< to be coloured

    // the solver ---------------------------------------------------------------------------------------------------
    std::array<std::array<Bucket, 4>, colour_count + 1>
        buckets{}; ///< of a colour: joints, and contacts of 1, 2, 4 points
    using BucketCounts = std::array<std::array<std::uint32_t, 4>, colour_count + 2>;
    std::vector<BucketCounts> chunk_counts;
    std::vector<std::uint32_t> order_keys, order_spare_keys, order_spare, order_histogram;
    std::uint32_t activated = 0;    ///< contacts since they were last ordered
    std::uint32_t used_colours = 0; ///< a bit each
    std::uint32_t colours_used = 0; ///< the highest of them and one
    GrowingArray<std::uint32_t> slots;
    GrowingArray<float> blocks, extras;
    std::vector<std::uint32_t> extra_first; ///< of a bucket: its first item among all contacts
    Array<float> split, push;               ///< overflow
    std::vector<std::uint32_t> split_bodies, split_first;
    std::vector<std::uint32_t> split_parts; ///< of a body that is split: as pieces_add wants them
    struct Push {
        std::uint32_t body, item, side;
    };
    std::vector<Push> pushes; ///< of the overflow
    rigid::RigidStep step{};
    rigid::SorStep sor{};
    KeptSchedule schedule;
    float last_h = 0;
    bool any_extras = false;
    bool restoring = false; ///< pairs are found that were there before

    // sweeps -------------------------------------------------------------------------------------------------------
    bool any_bullets = false;    ///< or there were some
    std::uint32_t any_swept = 0; ///< a body of this step was fast
    std::vector<std::uint32_t> swept;
    std::vector<unsigned long long> stops; ///< of a body (kernels/rigid_sweep.h); none between steps
    std::vector<std::uint8_t> sweep_flags; ///< of a body
    void spread_stops();
    /// Where functions of the user decide: a stop that they are asked about.
    struct Stop {
        std::uint32_t body, shape, other_body, other;
        float time;
    };
    std::vector<std::vector<Stop>> chunk_stops; ///< of each chunk
    std::vector<Stop> all_stops;
    template <class Touch>
    void decide_stops(const Touch& touch);
    template <class Touch>
    bool may_stop(const Stop& stop, const Touch& touch);

    // sleep --------------------------------------------------------------------------------------------------------
    std::vector<std::uint32_t> parent; ///< union-find
    std::vector<float> least_rest;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members; ///< island and body, of what falls asleep
    std::vector<std::uint32_t> woken;

    std::unique_ptr<Impacts> impacts; ///< of Solver::impact; null until its first step

    StepCounters counters{};
    bool timing = false;
    std::array<double, world_stage_names.size()> seconds{};

    // the projected SOR: rows in the buckets' order (kernels/rigid_sor.h) ----------------------------------------
    std::array<std::array<std::size_t, 4>, colour_count + 1>
        sor_first{}; ///< of a bucket: its first word in sor_rows
    Array<float> sor_rows;
    Array<float> sor_change; ///< V' of a body: two quads; zero outside a step
    std::unique_ptr<SorReport> sor_report;
    GroupViews group_views; ///< groups alone
    rigid::SorGroups groups{};
    std::vector<std::uint32_t> pieces; ///< of each item of the overflow for body a, then for body b
    Array<float> row_asked;            ///< of an item (SorView::asked)
    bool sor_converged = false;

    // bounds.cpp ---------------------------------------------------------------------------------------------------
    void update_bounds(float dt);
    /// Whether it needs new fat bounds. `ahead`: ShapePlace::ahead of kernels/rigid_bounds.h
    bool place_bounds(std::uint32_t shape, float dt, float* ahead = nullptr);
    void fatten(std::uint32_t shape, float dt, float ahead = -1);
    bool tighten(std::uint32_t shape, float dt, float ahead); ///< its fat bounds, where they are too large
    void settle_bounds(std::uint32_t body);                   ///< of a body that stops where it is
    // fields.cpp
    void add_fields(std::uint32_t body, float dt); ///< to the forces of the step
    // pairs.cpp
    void find_pairs();
    void wake_beside_moved();
    void find_by_tree();
    void find_among_all();
    template <class Find>
    void find_in_chunks(std::uint32_t items, std::uint32_t grain, const Find& find);
    bool is_new(const ProxyPair& pair) const;
    void add_contacts(); ///< for the pairs found in chunks
    std::uint32_t add_contact(std::uint32_t a, std::uint32_t b, std::uint32_t slot);
    void add_slots(std::uint32_t count);
    void fill_contact(std::uint32_t contact, std::uint32_t a, std::uint32_t b,
                      std::uint32_t slot);                          ///< touches nothing else
    std::uint32_t slots_of(std::uint32_t a, std::uint32_t b) const; ///< contacts that the pair has
    void link_contact(std::uint32_t contact);
    void link_side(std::uint32_t contact, int side);
    void unlink_side(std::uint32_t contact, int side);
    template <class Fill>
    void link_together(const Fill& fill); ///< the new contacts; fill(k) writes the record of one
    static bool has_extras(const Contact& contact);
    bool comes_to_sleeper(const Contact& contact) const;
    std::uint32_t sleeper_of(const Contact& contact) const;
    void remove_contact(std::uint32_t contact); ///< wakes no body
    void remove_contacts();                     ///< all of ended_contacts
    void drop_inactive();                       ///< from the active ones: those that have no place among them
    template <class Contacts>
    void sort_ends(const Contacts& contacts);    ///< partition: by bodies, and by regions of the pair table
    void forget_manifold(std::uint32_t contact); ///< the next narrow phase makes a new one
    void mix_materials(Contact& contact) const;
    void activate(std::uint32_t contact);
    void deactivate(std::uint32_t contact);
    bool should_be_active(const Contact& contact) const;
    template <class F>
    void each_contact(std::uint32_t body, F&& visit); ///< visit may remove the contact
    template <class F>
    void each_joint(std::uint32_t body, F&& visit); ///< visit(joint, its other body)
    void end_unwanted();
    /// makes the next step search the shape's pairs
    void look_again(std::uint32_t shape, Moved how) {
        if (!is_moved[shape]) moved.push_back(shape);
        is_moved[shape] = static_cast<std::uint8_t>(is_moved[shape] | how);
    }
    /// of a contact's record, but for what the solver writes; threads have contacts of their own
    void note_change(std::uint32_t contact) { changed_in[contact] = epoch; }
    // narrow.cpp
    void make_manifolds(float dt);
    void narrow_chunk(std::uint32_t begin, std::uint32_t end, Change& out, float dt);
    void note_manifold(std::uint32_t contact, Change& out); ///< that was made
    rigid::PairView pair_view(float dt);
    ConvexGeometry convex_of(std::uint32_t shape) const;
    void look_inside(std::uint32_t item, const rigid::PairView& view, Change& out); ///< of a sensor
    void look_at_sleepers(float dt);
    rigid::real3 one_way_of(std::uint32_t shape) const; ///< in the world's axes; zero where it is not one-way
    void let_pass(std::uint32_t contact);               ///< of a one-way shape
    void ask_pre_solve();
    /// the answer of a user's function, true once one has thrown
    template <class Question>
    bool ask(const Question& question);
    void ask_filter();
    // events.cpp
    rigid::TouchView touch_view() const;
    void lose(std::uint32_t contact); ///< which ends
    void find_approaches();
    void tell_hits();
    void tell_events();
    void tell_bodies();
    // graph.cpp
    void update_graph();
    void rank_began();
    void release_colour(std::uint32_t contact);
    std::uint32_t take_colour(std::uint32_t body_a, std::uint32_t body_b);
    void colour_joint(std::uint32_t joint);
    void release_joint(std::uint32_t joint);
    bool movable(std::uint32_t body) const; ///< dynamic, awake, not frozen
    void order_active();
    void fill_buckets();
    void split_overflow();
    void add_pieces(std::uint32_t split_body, float* to) const;
    // estimated time of one thread in microseconds; decides only the number of threads
    float sweep_work(std::uint32_t colour, std::size_t first_kind, std::size_t last_kind) const;
    float body_work() const;
    Crew::Split apply_split() const;
    // solve.cpp
    void solve(float dt);
    void begin_step(float dt);
    Crew::Split split_of(std::uint32_t stage, float all) const;
    using JointRange = RigidTable::StepRange;
    using ContactRange = RigidTable::ContactRange;
    void run_stage(std::uint32_t stage, std::uint32_t round, const rigid::BodyView& bodies, int worker,
                   int workers);
    void run_everywhere(JointRange joint, ContactRange contact, int worker, int workers);
    void run_colour(std::uint32_t colour, JointRange joint, ContactRange contact, int worker, int workers);
    /// A view with the arrays of the bodies that all of the solver's views have.
    template <class View>
    View view_of_bodies() {
        View view{};
        view.position = world.bodies.position.data();
        view.rotation = world.bodies.rotation.data();
        view.motion = world.bodies.motion.data();
        view.inverse_mass = world.bodies.inverse_mass.data();
        return view;
    }
    rigid::BodyView body_view();
    rigid::RigidView contact_view(std::uint32_t colour, std::uint32_t kind);
    rigid::JointView joint_view(std::uint32_t colour);
    // sor.cpp
    void place_rows();
    rigid::SorView sor_view(std::uint32_t colour, std::uint32_t kind);
    void study_rows(float omega);
    bool in_groups() const {
        return world.settings.solver == Solver::sor && world.settings.sor_schedule == SorSchedule::groups;
    }
    void share_groups(); ///< the overflow among groups
    void sweep_groups(std::uint32_t round, int worker, int workers);
    void check_rows();
    // sweep.cpp
    void stop_fast_bodies();
    // sleep.cpp
    void rest_and_sleep(float dt);
    bool count_rest(float dt);
    void hold_awake(); ///< what moving kinematic bodies touch or are joined to
    struct RestCount {
        bool lost = false, kinematic = false, may_sleep = false;
        std::uint32_t dynamic = 0;
    };
    std::vector<RestCount> rest_counts; ///< of each chunk
    void find_islands();
    void fall_asleep();
    void wake_body(std::uint32_t body);
    void sleep_body(std::uint32_t body);
    void join_awake(std::uint32_t body);
    void leave_awake(std::uint32_t body);
    void quarantine(std::uint32_t body);
    // validate.cpp: ends the program where an invariant is broken
#if defined(SCREE_VALIDATE)
    void validate(StepPoint point) const;
#else
    void validate(StepPoint) const {}
#endif

    void keep_hull(std::uint32_t shape);
    void write_constants(std::uint32_t body);
    void write_joint(std::uint32_t joint);
    void look_again_at(const JointRecord& joint);
    void find_broken();
    void grow_bodies();

    std::uint32_t padded(std::uint32_t n, std::uint32_t lanes) const {
        return (n + lanes - 1) / lanes * lanes;
    }
    std::uint32_t padded(std::uint32_t n) const { return padded(n, static_cast<std::uint32_t>(table.lanes)); }
    /// Groups visit one constraint at a time.
    const RigidTable& solver_table() const { return in_groups() ? rigid_table_1() : table; }
    std::uint32_t solver_lanes() const { return static_cast<std::uint32_t>(solver_table().lanes); }
};

/// Adds the time from its making to its end to a stage.
class StageTimer {
public:
    StageTimer(CpuSimulation::Parts& parts, WorldStage stage);
    ~StageTimer();
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    double* seconds_;
    std::chrono::steady_clock::time_point start_;
};

template <class F>
void CpuSimulation::Parts::each_contact(std::uint32_t body, F&& visit) {
    for (std::uint32_t c = first_contact[body]; c != none;) {
        const int side = contacts[c].body_a == body ? 0 : 1;
        const std::uint32_t next = links[c].next[side];
        visit(c);
        c = next;
    }
}

template <class Question>
bool CpuSimulation::Parts::ask(const Question& question) {
    ContactCallbacks& callbacks = world.callbacks;
    if (callbacks.thrown) return true;
    bool answer = true;
    callbacks.calling = true;
    try {
        answer = question();
    } catch (...) {
        callbacks.thrown = std::current_exception();
    }
    callbacks.calling = false;
    return answer;
}

template <class F>
void CpuSimulation::Parts::each_joint(std::uint32_t body, F&& visit) {
    for (std::uint32_t j = world.bodies.record[body].first_joint; j != none;) {
        const JointRecord& joint = world.joints.record[j];
        const int side = joint.body[0] == body ? 0 : 1;
        visit(j, joint.body[1 - side]);
        j = joint.next[side];
    }
}

} // namespace scree
