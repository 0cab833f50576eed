// SPDX-License-Identifier: MIT
// level_rest.cpp — bodies of a level that are far from the player, by the way through its portals, rest until the player comes.
//
// They sleep, and their velocities are kept: what fell goes on falling, whoever wakes it.
#include "scene/rigid/parts.h"
#include "scree/level_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace scree {
namespace {

constexpr std::uint32_t steps_between = 8; // looks at all bodies
constexpr double farther =
    1.1; // of the reach: what comes and goes at its edge does not rest and wake all the time
constexpr double nowhere = std::numeric_limits<double>::infinity();

/// The first level of a scene that is a body of the world.
struct PlacedLevel {
    std::shared_ptr<const CompiledLevel> level;
    double scale = 1; ///< metres in a unit
    DPose pose;

    DVec3 in_level(DVec3 at) const {
        const DVec3 from = rotate(conjugate(pose.rotation), at - pose.position) / scale;
        return {from.x, -from.z, from.y};
    }
};

PlacedLevel level_of(const RigidScene& scene) {
    for (const RigidBodyDef& body : scene.bodies)
        if (const auto& level = scene.shapes[body.shape].level; level && level->compiled)
            if (auto compiled = level->compiled()) {
                return {std::move(compiled),
                        double{level->scale},
                        {body.body.position, wide(body.body.rotation)}};
            }
    return {};
}

/// How far it is from a place to each cell, through portals, up to a reach: from point to point of the portals' boxes, each the
/// nearest to the one before.
class Ways {
public:
    Ways(const LevelCells& cells, DVec3 from, double reach) : cells_(cells), entries_(cells.cells.size()) {
        const std::uint32_t start = cells.cell_at(from);
        inside_ = start != LevelCells::solid && !cells.cells[start].outside;
        if (!inside_) return;
        using Way = std::tuple<double, std::uint32_t, std::uint32_t>; // length, portal, number of its point
        std::priority_queue<Way, std::vector<Way>, std::greater<>> open;
        std::vector<DVec3> points;
        std::vector<bool> passed(cells.portals.size(), false);
        const auto leave = [&](std::uint32_t cell, DVec3 at, double length_so_far) {
            for (const std::uint32_t p : cells.cells[cell].portals) {
                if (passed[p]) continue;
                const DVec3 through = nearest(cells.portals[p], at);
                const double way = length_so_far + length(through - at);
                if (way > reach) continue;
                open.emplace(way, p, static_cast<std::uint32_t>(points.size()));
                points.push_back(through);
            }
        };
        entries_[start].push_back({from, 0});
        leave(start, from, 0);
        while (!open.empty()) {
            const auto [way, p, point] = open.top();
            open.pop();
            if (passed[p]) continue;
            passed[p] = passed[cells.portals[p].twin] = true;
            const std::uint32_t to = cells.portals[p].to;
            const DVec3 at = points[point];
            entries_[to].push_back({at, way});
            leave(to, at, way);
        }
    }
    /// Whether the place that was given is in a room.
    bool inside() const { return inside_; }
    double to(DVec3 at) const {
        const std::uint32_t cell = cells_.cell_at(at);
        if (cell == LevelCells::solid) return 0; // in a wall: it acts, as where there are no cells
        double least = nowhere;
        for (const Entry& entry : entries_[cell]) least = std::min(least, entry.way + length(at - entry.at));
        return least;
    }

private:
    struct Entry {
        DVec3 at;
        double way;
    };
    static DVec3 nearest(const LevelCells::Portal& portal, DVec3 at) {
        DVec3 low = portal.corners[0], high = low;
        for (const DVec3& corner : portal.corners) low = min(low, corner), high = max(high, corner);
        return max(low, min(high, at));
    }
    const LevelCells& cells_;
    std::vector<std::vector<Entry>> entries_; ///< for each cell, where one comes into it
    bool inside_ = false;
};

/// Lets a body go on with the velocity that it had.
void go_on(World& world, const LevelState::Resting& one) {
    const BodyState now = world.state(one.body);
    world.wake(one.body);
    world.set_velocity(one.body, now.velocity + one.velocity, now.angular_velocity + one.angular_velocity);
}

} // namespace

void rest_far(const RigidScene& scene, World& world, SceneState& state) {
    std::vector<LevelState::Resting>& resting = state.level.resting;
    std::erase_if(resting, [&](const LevelState::Resting& one) { return !world.alive(one.body); });
    // what something else woke
    std::erase_if(resting, [&](const LevelState::Resting& one) {
        if (world.state(one.body).asleep) return false;
        go_on(world, one);
        return true;
    });
    const bool acts = scene.level_reach > 0 && state.player.has_value();
    if (acts && state.level.rest_step++ % steps_between != 0) return;
    const PlacedLevel placed = acts ? level_of(scene) : PlacedLevel{};
    if (!placed.level) {
        for (const LevelState::Resting& one : resting) go_on(world, one);
        resting.clear();
        return;
    }
    const double reach = double{scene.level_reach} / placed.scale;
    const DVec3 player = state.player->state().position + DVec3{0, 0.5 * state.player->state().height, 0};
    const Ways ways(placed.level->cells, placed.in_level(player), farther * reach);
    if (!ways.inside()) return; // in a wall or outside: as it was
    const auto way_to = [&](BodyId body) { return ways.to(placed.in_level(wide(world.state(body).centre))); };
    std::vector<LevelState::Resting> woken;
    std::erase_if(resting, [&](const LevelState::Resting& one) {
        if (way_to(one.body) > reach) return false;
        woken.push_back(one);
        return true;
    });
    for (const LevelState::Resting& one : woken) go_on(world, one);
    for (const BodyId body : world.bodies()) {
        if (world.type(body) != BodyType::dynamic || body == state.player->body()) continue;
        const BodyState now = world.state(body);
        if (now.asleep || now.frozen || !(way_to(body) > farther * reach)) continue;
        world.put_to_sleep(body);
        resting.push_back({body, now.velocity, now.angular_velocity});
    }
}

} // namespace scree
