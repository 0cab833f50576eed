// SPDX-License-Identifier: MIT
// impact_cells.cpp — cells and shafts of Solver::impact: which shapes may be a pair at all.
//
// A shape is in the cells that it touches when a flight begins and in those that its way may enter through portals. That holds as
// long as walls stop it; what they do not stop is compared with everything. Whatever these filters leave out stays farther apart
// than contacts at rest reach, so no result depends on them.

#include "collision/oriented_way.h"
#include "rigid/impacts.h"
#include "rigid/parts.h"
#include "rigid/quads.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace scree {

namespace {

constexpr double deep_share = 0.25; // of the tolerance: rounding of walls is less

} // namespace

void Impacts::set_cells(std::uint32_t walls, const CollisionCells& cells, const CellOptions& options) {
    auto made = std::make_unique<Cells>();
    const Bodies& bodies = p_.world.bodies;
    made->walls = walls;
    made->generation = bodies.record[walls].generation;
    made->centre = exact_centre_of(bodies, walls);
    made->rotation = exact_rotation_of(bodies, walls);
    for (std::uint32_t s = bodies.record[walls].first_shape; s != none; s = p_.world.shapes.record[s].next)
        if (!p_.world.shapes.record[s].definition.sensor)
            made->shapes.emplace_back(s, p_.world.shapes.record[s].generation);
    made->given = cells;
    made->options = options;
    cells_ = std::move(made);
}

/// Whether cells can be used in this flight: the walls are those that they were made for.
bool Impacts::walls_are_there() {
    if (!cells_ || !filters_.cells || p_.world.callbacks.filter) return false;
    const Bodies& bodies = p_.world.bodies;
    if (cells_->walls >= bodies.record.size()) return false;
    const BodyRecord& body = bodies.record[cells_->walls];
    if (!body.alive || body.generation != cells_->generation || body.type != BodyType::fixed ||
        !(exact_centre_of(bodies, cells_->walls) == cells_->centre) ||
        !(exact_rotation_of(bodies, cells_->walls) == cells_->rotation))
        return false;
    std::size_t at = 0;
    cells_->filters.clear();
    for (std::uint32_t s = body.first_shape; s != none; s = p_.world.shapes.record[s].next) {
        const ShapeRecord& shape = p_.world.shapes.record[s];
        if (shape.definition.sensor) continue;
        if (at == cells_->shapes.size() || cells_->shapes[at] != std::pair{s, shape.generation}) return false;
        ++at;
        const auto same = [&](std::uint32_t other) {
            return p_.world.shapes.record[other].definition.filter == shape.definition.filter;
        };
        if (std::none_of(cells_->filters.begin(), cells_->filters.end(), same)) cells_->filters.push_back(s);
    }
    return at == cells_->shapes.size();
}

/// Cells of what is fixed, and the maps of these. Small cells are merged.
void Impacts::place_fixed() {
    Cells& c = *cells_;
    c.margin = margin_share * tolerance_;
    c.walk = std::make_unique<CellWalk>(c.given);
    std::vector<std::vector<std::uint32_t>> cells_of(c.proxies.size()), fixed_in(c.given.cells.size());
    for (std::size_t k = 0; k < c.proxies.size(); ++k) {
        if (!c.fixed[k]) continue;
        c.walk->place(moving(c.proxies[k], 0), c.margin, cells_of[k]);
        for (const std::uint32_t cell : cells_of[k]) fixed_in[cell].push_back(static_cast<std::uint32_t>(k));
    }
    const std::vector<std::uint32_t> number = merge_small(c.given, fixed_in, c.options.merge_up_to);
    c.used = merged(c.given, number);
    c.walk = std::make_unique<CellWalk>(c.used);
    std::vector<CellMaps::Entry> entries;
    for (std::size_t k = 0; k < c.proxies.size(); ++k) {
        for (std::uint32_t& cell : cells_of[k]) cell = number[cell];
        std::sort(cells_of[k].begin(), cells_of[k].end());
        cells_of[k].erase(std::unique(cells_of[k].begin(), cells_of[k].end()), cells_of[k].end());
        entries.push_back({.proxy = c.proxies[k],
                           .box = box_of(c.proxies[k], 0),
                           .cells = cells_of[k],
                           .fixed = c.fixed[k] != 0,
                           .moves = false});
    }
    boxes_.rebuild(static_cast<std::uint32_t>(c.used.cells.size()), entries);
}

void Impacts::place_in_cells() {
    Cells& c = *cells_;
    const Shapes& shapes = p_.world.shapes;
    std::vector<std::uint8_t>& fixed = spare_moves_;
    spare_proxies_.clear(), fixed.clear();
    bool same = boxes_.has_cells() && c.walk && c.margin == margin_share * tolerance_;
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        const ShapeRecord& shape = shapes.record[s];
        if (!shape.alive || shape.definition.sensor) continue;
        spare_proxies_.push_back(s);
        fixed.push_back(p_.world.bodies.record[shape.body].type == BodyType::fixed);
        if (same && fixed.back()) same = boxes_.holds(s) && boxes_.box(s) == box_of(s, 0);
    }
    if (!same || spare_proxies_ != c.proxies || fixed != c.fixed) {
        c.proxies = spare_proxies_;
        c.fixed = fixed;
        place_fixed();
    }
    const std::uint64_t before = boxes_.entered();
    for (std::size_t k = 0; k < c.proxies.size(); ++k) {
        const std::uint32_t s = c.proxies[k];
        if (c.fixed[k]) continue;
        CellMaps::Entry entry{.proxy = s,
                              .box = box_of(s, 0),
                              .cells = {},
                              .fixed = false,
                              .moves = flyers_[shapes.record[s].body].moves};
        if (!entry.moves && !boxes_.moves(s) && entry.box == boxes_.box(s) && boxes_.is_in_cells(s))
            continue; // sleeps where it slept
        find_cells(s, 0, now_in_);
        entry.everywhere = may_leave_cells(s, now_in_);
        if (!entry.everywhere) entry.cells = now_in_;
        boxes_.set_way(entry);
    }
    cell_count_.cells = static_cast<std::uint32_t>(c.used.cells.size());
    cell_count_.entered += boxes_.entered() - before;
    cell_count_.memberships = std::max(cell_count_.memberships, boxes_.memberships());
    cell_count_.everywhere = std::max(cell_count_.everywhere, boxes_.everywhere());
    proxies_.clear(), moves_.clear(); // a flight without cells begins anew
}

void Impacts::find_cells(std::uint32_t s, double time, std::vector<std::uint32_t>& out) {
    const MovingConvex shape = moving(s, time);
    out.clear();
    cells_->walk->place(shape, cells_->margin, out);
    if (flyers_[p_.world.shapes.record[s].body].moves)
        cells_->walk->flood(way_shaft(shape, end_ - time, cells_->margin), out);
}

/// Whether walls do not keep a shape in its cells: kinematic, filtered, or in a wall already.
bool Impacts::may_leave_cells(std::uint32_t s, const std::vector<std::uint32_t>& cells) {
    if (cells.empty()) return true;
    const std::uint32_t b = p_.world.shapes.record[s].body;
    if (p_.world.bodies.record[b].type != BodyType::dynamic || p_.world.bodies.record[b].frozen) return true;
    for (const std::uint32_t wall : cells_->filters)
        if (!wanted_pair(p_.world, s, wall)) return true;
    const MovingConvex shape = moving(s, 0);
    std::vector<std::uint32_t>& touched = cells_->found;
    touched.clear();
    if (!cells_->walk->place(shape, -deep_share * tolerance_, touched)) return false;
    if (touched.empty()) return true;
    // it is beside an edge of a wall, or in the wall
    const DBox box = way_box(shape, 0);
    const DPose pose = pose_at(shape, 0);
    for (const std::uint32_t cell : touched)
        for (const std::uint32_t wall : boxes_.fixed_in(cell)) {
            if (!box.overlaps(boxes_.box(wall))) continue;
            const MovingConvex other = moving(wall, 0);
            if (gap_between(shape.shape, pose, other.shape, pose_at(other, 0)).distance <
                -deep_share * tolerance_)
                return true;
        }
    return false;
}

/// A shape's box and cells from a time on.
void Impacts::set_way(std::uint32_t s, double time) {
    const DBox box = box_of(s, time);
    if (!boxes_.has_cells()) {
        boxes_.set(s, box);
        return;
    }
    now_in_.clear();
    if (!boxes_.is_everywhere(s)) find_cells(s, time, now_in_);
    const std::uint64_t before = boxes_.entered();
    boxes_.set(s, box, now_in_);
    cell_count_.entered += boxes_.entered() - before;
}

/// Whether the ways of the two meet in what is left of the flight.
bool Impacts::may_meet(const ProxyPair& pair, double time) {
    ++cell_count_.candidates;
    const bool meet = !filters_.shafts || ways_meet(moving(pair.first, time), moving(pair.second, time),
                                                    end_ - time, margin_share * tolerance_);
    cell_count_.shafts += meet;
    if (!meet) return false;
    const bool close =
        !filters_.oriented || oriented_ways_meet(moving(pair.first, time), moving(pair.second, time),
                                                 end_ - time, margin_share * tolerance_);
    cell_count_.oriented += close;
    return close;
}

std::string Impacts::report() const {
    const ImpactCounters& count = p_.counters.impact;
    char line[400];
    std::string text;
    const auto say = [&](const auto&... values) {
        std::snprintf(line, sizeof line, values...);
        text += line;
    };
    const auto whole = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    say("pairs %llu, in common cells %llu, boxes overlap %llu, ways looked at %llu, ways meet %llu, "
        "oriented boxes meet %llu, queued "
        "%llu, "
        "distances %llu, impacts %llu, resting %llu\n",
        whole(count.pairs), whole(cell_count_.in_cells), whole(count.candidates),
        whole(cell_count_.candidates), whole(cell_count_.shafts), whole(cell_count_.oriented),
        whole(count.queued), whole(count.measured), whole(count.impacts), whole(count.resting));
    say("cells %u, memberships %llu, entered %llu, shapes compared with all %llu\n", cell_count_.cells,
        whole(cell_count_.memberships), whole(cell_count_.entered), whole(cell_count_.everywhere));
    const bool cells = boxes_.has_cells();
    for (std::uint32_t s = 0; s < p_.world.shapes.record.size(); ++s) {
        const ShapeRecord& shape = p_.world.shapes.record[s];
        if (!shape.alive || !boxes_.holds(s) || shape.body >= flyers_.size()) continue;
        const DBox& box = boxes_.box(s);
        say("shape %u of body %u, %s: box %.4f %.4f %.4f to %.4f %.4f %.4f", s, shape.body,
            flyers_[shape.body].moves                                    ? "moves"
            : p_.world.bodies.record[shape.body].type == BodyType::fixed ? "fixed"
                                                                         : "stands",
            box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z);
        if (cells && boxes_.is_everywhere(s)) text += ", compared with all";
        else if (cells) {
            text += ", cells";
            for (const std::uint32_t c : boxes_.cells_of(s)) text += ' ' + std::to_string(c);
        }
        text += '\n';
    }
    for (std::uint32_t slot = 0; slot < near_.size(); ++slot) {
        const CellMaps::Pair& pair = boxes_.pairs()[slot];
        if (!pair.alive || !near_[slot].wanted) continue;
        say("pair %u %u: ", pair.of.first, pair.of.second);
        if (near_[slot].measured)
            say("%.6f m apart %.6f s into the flight\n", near_[slot].gap.distance, near_[slot].when);
        else text += "boxes overlap\n";
    }
    return text;
}

} // namespace scree
