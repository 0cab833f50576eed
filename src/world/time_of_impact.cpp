// SPDX-License-Identifier: MIT
// time_of_impact.cpp — the detector of Solver::impact, for users: checks, and collision/time_of_impact.h.
#include "scree/time_of_impact.h"

#include "collision/cell_walk.h"
#include "collision/exact_impact.h"
#include "collision/time_of_impact.h"
#include "geometry/hull.h"
#include "world/checks.h"
#include "world/query_scene.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace scree {

namespace {

DQuat checked_rotation(const DQuat& q, std::string_view where) {
    const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.s * q.s);
    if (!(std::abs(length - 1) < 1e-3)) refuse(length, where, "length 1");
    return normalized(q);
}

void check_span(double value, std::string_view where) {
    if (!(value > 0) || !std::isfinite(value)) refuse(value, where, "a number greater than 0");
}
void check_margin(double value) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(value, "margin", "a number that is not negative");
}

/// A geometry as the detector reads it, with the words of its hull.
class ReadShape {
public:
    explicit ReadShape(const Geometry& geometry) {
        check(geometry);
        if (std::holds_alternative<Mesh>(geometry))
            throw Error("a mesh is not convex; expected a convex geometry, such as the parts of decompose",
                        "geometry");
        if (const Hull* hull = std::get_if<Hull>(&geometry))
            words_ = std::make_shared<const std::vector<std::uint32_t>>(hull_words(hull->geometry()));
        convex_ = convex_of(geometry, words_);
    }
    const ConvexGeometry& convex() const { return convex_; }
    bool is_plane() const { return convex_.type == ShapeType::plane; }

private:
    HullWords::Words words_;
    ConvexGeometry convex_;
};

void check_flight(const MovingShape& shape) {
    check_finite(shape.position, "position");
    check_finite(shape.velocity, "velocity");
    check_finite(shape.acceleration, "acceleration");
    check_finite(shape.angular_velocity, "angular_velocity");
    check_finite(shape.offset, "offset");
}

MovingConvex flight_of(const MovingShape& shape, const ConvexGeometry& convex) {
    check_flight(shape);
    if (convex.type == ShapeType::plane &&
        !(shape.velocity == DVec3{} && shape.acceleration == DVec3{} && shape.angular_velocity == DVec3{}))
        throw Error("a plane moves; expected one that stands still", "velocity");
    return {convex,
            shape.position,
            shape.velocity,
            shape.acceleration,
            shape.angular_velocity,
            checked_rotation(shape.rotation, "rotation"),
            shape.offset,
            checked_rotation(shape.own_rotation, "own_rotation")};
}

/// For cells, which planes have none of.
MovingConvex bounded_flight_of(const MovingShape& shape, const ReadShape& read) {
    if (read.is_plane())
        throw Error("a plane is in all cells; expected a geometry that ends somewhere", "geometry");
    return flight_of(shape, read.convex());
}

void check_pair(const ReadShape& a, const ReadShape& b) {
    if (a.is_plane() && b.is_plane())
        throw Error("both are planes; expected at most one, since planes are everywhere", "geometry");
}

NearestPoints told(const Gap& gap) { return {gap.distance, gap.normal, gap.on_a, gap.on_b}; }

FirstTouch conservative_touch(const MovingConvex& a, const MovingConvex& b, const TouchSearch& search) {
    const FirstImpact hit = first_impact(a, b, search.tolerance, search.duration, search.max_distances);
    FirstTouch out;
    out.found = hit.found && !(hit.gap.distance > search.tolerance);
    out.gave_up = hit.found && !out.found;
    out.time = hit.time;
    out.distances = hit.measured;
    if (out.found) out.nearest = told(hit.gap);
    return out;
}

FirstTouch exact_touch(const MovingConvex& a, const MovingConvex& b, const TouchSearch& search) {
    for (const MovingConvex* each : {&a, &b})
        if (!has_flat_faces(each->shape.type))
            throw Error("the exact estimator has no curved shapes; expected boxes, hulls or a plane",
                        "geometry");
    const ExactImpact hit =
        exact_impact(a, b, search.duration, 1e-12 * search.duration, search.max_distances);
    FirstTouch out;
    out.found = hit.found, out.gave_up = hit.gave_up;
    out.time = hit.time;
    out.distances = hit.intervals;
    if (out.found)
        out.nearest = {hit.separation, hit.normal, hit.point - hit.normal * (0.5 * hit.separation),
                       hit.point + hit.normal * (0.5 * hit.separation)};
    return out;
}

} // namespace

DPose pose_after(const MovingShape& shape, double seconds) {
    if (!std::isfinite(seconds)) refuse(seconds, "seconds", "a finite number");
    return pose_at(flight_of(shape, {}), seconds);
}

NearestPoints nearest_points(const Geometry& a, const DPose& at_a, const Geometry& b, const DPose& at_b) {
    const ReadShape first(a), second(b);
    check_pair(first, second);
    const auto checked = [](const DPose& pose) {
        check_finite(pose.position, "position");
        return DPose{pose.position, checked_rotation(pose.rotation, "rotation")};
    };
    return told(gap_between(first.convex(), checked(at_a), second.convex(), checked(at_b)));
}

FirstTouch time_of_impact(const MovingShape& a, const MovingShape& b, const TouchSearch& search) {
    const ReadShape first(a.geometry), second(b.geometry);
    check_pair(first, second);
    check_span(search.duration, "duration");
    check_span(search.tolerance, "tolerance");
    check_within(search.max_distances, 1, 1e9, "max_distances", "an integer of at least 1");
    check_one_of(search.estimator, TouchEstimator::exact, "estimator", "conservative or exact");
    const MovingConvex own = flight_of(a, first.convex()), other = flight_of(b, second.convex());
    return search.estimator == TouchEstimator::exact ? exact_touch(own, other, search)
                                                     : conservative_touch(own, other, search);
}

struct CellFinder::State {
    explicit State(CollisionCells given) : cells(std::move(given)), walk(cells) {}
    CollisionCells cells;
    CellWalk walk; // of these
};

CellFinder::CellFinder(CollisionCells cells) {
    check_cells(cells, "CollisionCells");
    state_ = std::make_unique<State>(std::move(cells));
}
CellFinder::~CellFinder() = default;
CellFinder::CellFinder(CellFinder&&) noexcept = default;
CellFinder& CellFinder::operator=(CellFinder&&) noexcept = default;

const CollisionCells& CellFinder::cells() const { return state_->cells; }

FoundCells CellFinder::touched(const MovingShape& shape, double margin) const {
    const ReadShape read(shape.geometry);
    check_margin(margin);
    FoundCells out;
    out.wall = state_->walk.place(bounded_flight_of(shape, read), margin, out.cells);
    return out;
}

FoundCells CellFinder::entered(const MovingShape& shape, double seconds, double margin) {
    const ReadShape read(shape.geometry);
    check_margin(margin);
    check_span(seconds, "seconds");
    const MovingConvex flight = bounded_flight_of(shape, read);
    FoundCells out;
    out.wall = state_->walk.place(flight, margin, out.cells);
    state_->walk.flood(way_shaft(flight, seconds, margin), out.cells);
    return out;
}

} // namespace scree
