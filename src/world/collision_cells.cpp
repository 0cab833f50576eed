// SPDX-License-Identifier: MIT
// collision_cells.cpp — cells and filters of Solver::impact, for users.
#include "scree/collision_cells.h"

#include "rigid/cpu_simulation.h"
#include "rigid/impacts.h"
#include "scree/error.h"
#include "world/ids.h"
#include "world/state.h"

namespace scree {

namespace {

Impacts& impacts_of(const World& world) {
    World::State& state = WorldInside::of(world);
    auto* simulation = dynamic_cast<CpuSimulation*>(state.simulation.get());
    if (state.settings.solver != Solver::impact || !simulation)
        throw Error("cells and filters are those of Solver::impact: expected a world with that solver",
                    "solver");
    return simulation->impacts();
}

} // namespace

void set_cells(World& world, BodyId walls, const CollisionCells& cells, const CellOptions& options) {
    World::State& state = WorldInside::of(world);
    check_no_query(state);
    check_not_called(state);
    Impacts& impacts = impacts_of(world);
    if (world.type(walls) != BodyType::fixed) throw Error("the walls move: expected a fixed body", "walls");
    check_cells(cells, "CollisionCells");
    impacts.set_cells(walls.index, cells, options);
}

void clear_cells(World& world) {
    check_not_called(WorldInside::of(world));
    impacts_of(world).clear_cells();
}

void set_impact_filters(World& world, const ImpactFilters& filters) {
    check_not_called(WorldInside::of(world));
    impacts_of(world).set_filters(filters);
}

CellCounters cell_counters(const World& world) { return impacts_of(world).cell_counters(); }
DetectorView detector_view(const World& world) { return impacts_of(world).view(); }
std::string detector_report(const World& world) { return impacts_of(world).report(); }

} // namespace scree
