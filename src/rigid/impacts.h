// SPDX-License-Identifier: MIT
// impacts.h — the step of Solver::impact: bodies fly to the next impact, which an impulse answers (docs/internals/impact.md).
//
// A step is cut into flights of at most 1/60 s. When one begins, contacts at rest are answered together; then bodies fly, each from
// the time of its own last impulse. Pairs wait in a queue for the time before which they cannot meet; only the first is measured.
// Where there are cells, pairs are found cell by cell (impact_cells.cpp).
#pragma once

#include "collision/cell_maps.h"
#include "collision/cell_walk.h"
#include "collision/pair_queue.h"
#include "collision/time_of_impact.h"
#include "rigid/contact_rows.h"
#include "rigid/cpu_simulation.h"
#include "rigid/free_rotation.h"
#include "rigid/step_arena.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// Bodies that were in each other when a flight of a step began: the first such flight.
struct ImpactOverlap {
    std::uint32_t a = 0, b = 0; ///< the deepest pair
    double depth = 0;           ///< m
    std::size_t pairs = 0;
};

class Impacts {
public:
    explicit Impacts(CpuSimulation::Parts& parts) : p_(parts) {}
    void step(float dt);
    std::uint64_t memory() const;                             ///< bytes, about
    const ImpactOverlap& overlap() const { return overlap_; } ///< of the last step

    // impact_cells.cpp
    /// `walls`: a fixed body whose shapes fill all that is solid in the cells.
    void set_cells(std::uint32_t walls, const CollisionCells& cells, const CellOptions& options);
    void clear_cells() { cells_.reset(); }
    void set_filters(const ImpactFilters& filters) { filters_ = filters; }
    CellCounters cell_counters() const { return cell_count_; }
    std::string report() const;
    DetectorView view() const;

private:
    /// A body from the time `since` on. Its spin is that of then; where `turn` changes it, it turns as a body does that nothing twists.
    struct Flyer {
        DVec3 centre{}, velocity{}, pull{}, spin{};
        DQuat rotation{};
        double since = 0;
        DVec3 inverse_mass{};
        TurningMass mass{};
        FreeRotation turn{};
        double turned_from = 0; ///< the time at which `turn` began
        bool moves = false;     ///< awake: dynamic or kinematic
        bool landed = false;    ///< rests on something for this flight: contacts bear what pulls it
        bool halted = false;    ///< had too many impacts
        std::uint32_t impacts = 0, measured = 0;
        std::uint32_t crushed = 0;          ///< impacts for which no answer was found
        DVec3 kept_velocity{}, kept_spin{}; ///< of a halted one
    };
    struct Motion {
        DVec3 centre{}, velocity{}, spin{};
        DQuat rotation{};
    };
    /// A pair of the broad phase, by its slot.
    struct Near {
        bool wanted = false;
        bool measured = false; ///< `gap` is that of the time `when`
        Gap gap{};
        double when = 0;
    };
    struct Touch {
        DVec3 normal{};
        int count = 0;
        DVec3 point[4]{};
        double separation[4]{};
    };

    /// What set_cells was told, and what is made of it.
    struct Cells {
        std::uint32_t walls = 0, generation = 0;
        DVec3 centre{};
        DQuat rotation{};
        std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes; ///< of the walls: index, generation
        CollisionCells given, used;
        std::unique_ptr<CellWalk> walk; ///< in `used`
        CellOptions options;
        double margin = 0;                  ///< m, with which fixed shapes were placed
        std::vector<std::uint32_t> proxies; ///< shapes in the maps
        std::vector<std::uint8_t> fixed;    ///< of these
        std::vector<std::uint32_t> filters; ///< shapes of the walls, one for each filter
        std::vector<std::uint32_t> found;   ///< of the shape that is looked at
    };
    static constexpr double near_share = 4;   ///< of the tolerance: farther points do not touch
    static constexpr double margin_share = 5; ///< what stays farther apart has no effect

    // impacts.cpp: the flight
    void fly(float dt, double began);
    void run_queue();
    void queue_what_is_close();
    void sort_for_filter(std::span<std::uint32_t> slots) const;
    void look_at_pair(std::uint32_t slot, double time);
    bool answer(std::uint32_t slot, double time);
    void push_to(std::uint32_t body, const PushedBody& pushed);
    void push_apart(std::uint32_t slot, double time, const Touch& touch, bool bounces, bool tired);
    static double approach_at(Touch& touch, const Gap& gap, const PushedBody& a, const PushedBody& b);
    void find_pressed(std::uint32_t slot, double time);
    bool answer_together(std::uint32_t slot, double time, double parting_time);
    double allowed_way(double distance) const;
    void wake(std::uint32_t body, double time);
    void halt(std::uint32_t body, double time);
    bool halt_crushed(std::uint32_t slot, double time);
    void land(std::uint32_t a, std::uint32_t b, const DVec3& normal);
    void changed(std::uint32_t body, double time);
    void find_overlaps();
    void take_changes(double time);
    void estimate(std::uint32_t slot, double time);
    void requeue(std::uint32_t slot, double time);
    void tell(std::uint32_t slot, double time, const ContactRow& row, const ImpactAnswer& answer);
    // impact_flight.cpp: bodies and shapes
    void load_bodies(float dt);
    void load_body(std::uint32_t body, double time);
    void load_kick(std::uint32_t body, float dt);
    void store_bodies();
    bool turns_freely(std::uint32_t body) const;
    void set_spin(std::uint32_t body, const DVec3& spin);
    void place_boxes();
    static Motion motion_at(const Flyer& flyer, double time);
    void move_to(Flyer& flyer, double time) const;
    MovingConvex moving(std::uint32_t shape, double time) const;
    MovingConvex carried(std::uint32_t shape, const Flyer& flyer, double time) const;
    DBox box_of(std::uint32_t shape, double time) const;
    PushedBody pushed(std::uint32_t body) const;
    DVec3 middle_spin(std::uint32_t body) const;
    DVec3 spin_for_middle(std::uint32_t body, const DVec3& middle) const;
    void measure(std::uint32_t slot, double time);
    Touch touch_of(std::uint32_t slot, double time, double reach) const;
    Contact materials(std::uint32_t slot) const;
    static ContactRow row_of(const Touch& touch, int point, const Contact& mixed); ///< of bodies 0 and 1
    // impact_cells.cpp: cells and shafts
    bool walls_are_there();
    void place_in_cells();
    void place_fixed();
    void find_cells(std::uint32_t shape, double time, std::vector<std::uint32_t>& out);
    bool may_leave_cells(std::uint32_t shape, const std::vector<std::uint32_t>& cells);
    void set_way(std::uint32_t shape, double time);
    bool may_meet(const ProxyPair& pair, double time);
    // impact_rest.cpp: contacts at rest
    void settle();
    ArenaVector<std::uint32_t> near_slots();
    std::uint32_t rest_place(std::uint32_t body);
    void add_resting(std::uint32_t slot);

    CpuSimulation::Parts& p_;
    StepArena arena_;            ///< of what lives within a step
    std::vector<Flyer> flyers_;  ///< of a body
    std::vector<Flyer> set_out_; ///< likewise, when its boxes were made
    CellMaps boxes_;
    std::unique_ptr<Cells> cells_;
    ImpactFilters filters_{};
    CellCounters cell_count_{};
    std::vector<std::uint32_t> now_in_; ///< cells of the shape that is looked at
    std::vector<std::uint32_t> proxies_, spare_proxies_;
    std::vector<std::uint8_t> moves_, spare_moves_;
    std::vector<DBox> ways_;
    std::vector<Near> near_; ///< of a slot
    PairQueue queue_;
    std::vector<std::uint32_t> to_measure_;
    std::vector<PushedBody> resting_;
    std::vector<std::uint32_t> resting_at_; ///< of a body: its place there, or none
    std::vector<ContactRow> rows_;
    std::vector<std::uint32_t> pressed_, pressed_bodies_; ///< pairs and bodies that are answered together
    std::vector<std::uint32_t> by_name_;                  ///< pairs of the shape that is looked at
    ImpactOverlap overlap_;
    double tolerance_ = 1e-4; ///< m
    double slow_ = 1;         ///< m/s, slower impacts do not bounce
    bool short_ = false; ///< the flight: it may end before what approaches faster than that has come together
    double end_ = 0;     ///< of the flight
    double began_ = 0;   ///< s from the step's beginning
};

} // namespace scree
