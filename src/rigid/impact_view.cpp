// SPDX-License-Identifier: MIT
// impact_view.cpp — what the detector of Solver::impact did in its last flight, for those who draw it.

#include "rigid/impacts.h"
#include "rigid/parts.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

DetectorView::Box told(const DBox& box) { return {box.low, box.high}; }

/// Of a box that may have no end, as far as the other goes.
DVec3 middle_within(const DBox& box, const DBox& other) {
    const DVec3 low = max(box.low, min(other.low, box.high)), high = min(box.high, max(other.high, box.low));
    const auto part = [&](double own_low, double own_high, double low_in, double high_in) {
        return std::isfinite(own_low + own_high) ? 0.5 * (own_low + own_high) : 0.5 * (low_in + high_in);
    };
    return {part(box.low.x, box.high.x, low.x, high.x), part(box.low.y, box.high.y, low.y, high.y),
            part(box.low.z, box.high.z, low.z, high.z)};
}

} // namespace

DetectorView Impacts::view() const {
    DetectorView out;
    out.counters = cell_count_;
    const bool cells = boxes_.has_cells();
    if (cells && cells_) out.cells = cells_->used.cells;
    const Shapes& shapes = p_.world.shapes;
    const auto known = [&](std::uint32_t s) {
        return s < shapes.record.size() && shapes.record[s].alive && boxes_.holds(s) &&
               shapes.record[s].body < set_out_.size();
    };
    const auto id = [&](std::uint32_t s) { return ShapeId{s, shapes.record[s].generation}; };
    for (std::uint32_t s = 0; s < shapes.record.size(); ++s) {
        if (!known(s) || !set_out_[shapes.record[s].body].moves) continue;
        const Flyer& start = set_out_[shapes.record[s].body];
        const Shaft shaft = way_shaft(carried(s, start, start.since), std::max(end_ - start.since, 0.0),
                                      margin_share * tolerance_);
        const std::uint32_t body = shapes.record[s].body;
        DetectorView::Way& way = out.ways.emplace_back();
        way.shape = id(s), way.body = {body, p_.world.bodies.record[body].generation};
        way.box = told(boxes_.box(s)), way.first = told(shaft.first), way.last = told(shaft.last);
        if (!cells) continue;
        way.everywhere = boxes_.is_everywhere(s);
        way.cells = boxes_.cells_of(s);
    }
    for (std::uint32_t slot = 0; slot < near_.size() && slot < boxes_.pairs().size(); ++slot) {
        const CellMaps::Pair& pair = boxes_.pairs()[slot];
        const Near& near = near_[slot];
        if (!pair.alive || !near.wanted || !known(pair.of.first) || !known(pair.of.second)) continue;
        const DBox &a = boxes_.box(pair.of.first), &b = boxes_.box(pair.of.second);
        DetectorView::Pair& told_pair = out.pairs.emplace_back();
        told_pair.first = id(pair.of.first), told_pair.second = id(pair.of.second);
        told_pair.measured = near.measured;
        if (near.measured) {
            told_pair.distance = near.gap.distance;
            told_pair.from = near.gap.on_a, told_pair.to = near.gap.on_b;
        } else {
            told_pair.from = middle_within(a, b), told_pair.to = middle_within(b, a);
        }
    }
    std::sort(out.pairs.begin(), out.pairs.end(),
              [](const DetectorView::Pair& l, const DetectorView::Pair& r) {
                  return l.first.index != r.first.index ? l.first.index < r.first.index
                                                        : l.second.index < r.second.index;
              });
    return out;
}

} // namespace scree
