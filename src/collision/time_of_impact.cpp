// SPDX-License-Identifier: MIT
// time_of_impact.cpp — see time_of_impact.h.

#include "collision/time_of_impact.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double half_height(const ConvexGeometry& shape) { return double{shape.size.y}; }

bool has_corners(ShapeType type) {
    return type == ShapeType::sphere || type == ShapeType::capsule || type == ShapeType::box ||
           type == ShapeType::hull;
}
bool is_round(ShapeType type) {
    return type == ShapeType::capsule || type == ShapeType::cylinder || type == ShapeType::cone;
}

/// Visits the corners of the shape's core, in the shape's frame.
template <class Visit>
void each_corner(const ConvexGeometry& shape, const Visit& visit) {
    if (shape.type == ShapeType::sphere) {
        visit(DVec3{});
    } else if (shape.type == ShapeType::capsule) {
        visit(DVec3{0, half_height(shape), 0});
        visit(DVec3{0, -half_height(shape), 0});
    } else if (shape.type == ShapeType::box) {
        const DVec3 h = shape.size;
        for (int k = 0; k < 8; ++k) visit(DVec3{k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
    } else if (shape.type == ShapeType::hull) {
        for (std::uint32_t k = 0; k < shape.hull[0]; ++k) {
            const std::uint32_t* quad = shape.hull + 4 + 4 * std::size_t{k};
            visit(DVec3{std::bit_cast<float>(quad[0]), std::bit_cast<float>(quad[1]),
                        std::bit_cast<float>(quad[2])});
        }
    }
}

/// No point of the core is farther from the shape's origin.
double core_radius(const ConvexGeometry& shape) {
    if (shape.type == ShapeType::cylinder || shape.type == ShapeType::cone)
        return std::sqrt(half_height(shape) * half_height(shape) + double{shape.radius} * shape.radius);
    double most = 0;
    each_corner(shape, [&](const DVec3& p) { most = std::max(most, dot(p, p)); });
    return std::sqrt(most);
}

/// The fastest that turning brings a point of A's core along n.
struct Turning {
    double speed = 0;  ///< m/s, at any time if the spin is constant
    double growth = 0; ///< m/s², by which it grows at most otherwise
};
Turning turning_of(const MovingConvex& a, const DVec3& n) {
    if (a.spin == DVec3{} || a.shape.type == ShapeType::plane) return {};
    const double reach = turning_reach(a), rate = length(cross(a.spin, n));
    if (!is_round(a.shape.type)) return {rate * reach, a.spin_change * reach};
    // turning about its own axis does not move it; the axis may lie beside the centre
    const DVec3 own_axis = rotate(a.own, DVec3{0, 1, 0}), axis = rotate(a.rotation, own_axis);
    const double beside = length(cross(a.arm, own_axis));
    return {std::min(rate * reach, length(cross(a.spin, axis)) * reach + rate * beside),
            a.spin_change * (reach + beside)};
}

/// How far turning can have brought A's core along n in a time.
class TurnWay {
public:
    TurnWay(const MovingConvex& a, const DVec3& n, const Turning& turning) : a_(a), n_(n), turning_(turning) {
        corners_ = turns() && has_corners(a.shape.type);
        if (!corners_) return;
        turn_ = a.rotation * a.own;
        arm_ = rotate(a.rotation, a.arm);
        along_ = cross(n, a.spin); // n·(ω×p) = p·(n×ω)
        square_ = std::max(dot(a.spin, a.spin), a.most_spin * a.most_spin) + a.spin_change;
        front_ = -never;
        each_corner(a.shape, [&](const DVec3& p) { front_ = std::max(front_, dot(n_, place(p))); });
    }
    double in(double time) const {
        if (!corners_) return (turning_.speed + 0.5 * turning_.growth * time) * time;
        double most = -never;
        each_corner(a_.shape, [&](const DVec3& corner) {
            const DVec3 p = place(corner);
            const double lateral = std::sqrt(dot(p, p));
            most = std::max(most,
                            (dot(n_, p) - front_) + time * (dot(p, along_) + 0.5 * square_ * lateral * time));
        });
        return most;
    }
    bool turns() const { return turning_.speed > 0 || turning_.growth > 0; }

private:
    DVec3 place(const DVec3& corner) const { return arm_ + rotate(turn_, corner); }

    const MovingConvex& a_;
    DVec3 n_, arm_{}, along_{};
    DQuat turn_{};
    Turning turning_;
    double square_ = 0; ///< no point's second derivative is greater, for each m from the centre
    double front_ = 0;
    bool corners_ = false;
};

/// The first time at which speed t + pull t²/2 is `way`.
double time_of_way(double speed, double pull, double way) {
    if (pull > 0) {
        const double root = std::sqrt(speed * speed + 2 * pull * way);
        return speed > 0 ? 2 * way / (speed + root) : (root - speed) / pull;
    }
    if (!(speed > 0)) return never;
    const double square = speed * speed + 2 * pull * way;
    return square < 0 ? never : 2 * way / (speed + std::sqrt(square));
}

double simple_bound(const MovingConvex& a, const MovingConvex& b, const DVec3& n, double way,
                    const Turning& turn_a, const Turning& turn_b) {
    return time_of_way(dot(a.velocity - b.velocity, n) + turn_a.speed + turn_b.speed,
                       dot(a.acceleration - b.acceleration, n) + turn_a.growth + turn_b.growth, way);
}

} // namespace

DQuat turn_in(const DVec3& spin, double time) {
    DVec3 half = spin * (0.5 * time);
    int doublings = 0;
    for (double square = dot(half, half); square > 0.0625; square *= 0.25) ++doublings;
    half *= std::ldexp(1.0, -doublings);
    // sin x / x and cos x of at most a quarter
    const double x = dot(half, half);
    double sine = 1, cosine = 1, term = 1;
    for (int k = 1; k <= 7; ++k) {
        term *= -x / ((2 * k - 1) * (2 * k));
        cosine += term;
        sine += term / (2 * k + 1);
    }
    DQuat q{half.x * sine, half.y * sine, half.z * sine, cosine};
    for (; doublings > 0; --doublings) q = q * q;
    return normalized(q);
}

DVec3 centre_at(const MovingConvex& a, double time) {
    return a.centre + (a.velocity + a.acceleration * (0.5 * time)) * time;
}

DPose pose_at(const MovingConvex& a, double time) {
    const DQuat turn = a.spin == DVec3{} ? a.rotation : normalized(turn_in(a.spin, time) * a.rotation);
    return {centre_at(a, time) + rotate(turn, a.arm), normalized(turn * a.own)};
}

Gap gap_between(const ConvexGeometry& a, const DPose& at_a, const ConvexGeometry& b, const DPose& at_b) {
    if (a.type == ShapeType::plane) {
        const Gap other = gap_between(b, at_b, a, at_a);
        return {other.distance, -other.normal, other.on_b, other.on_a};
    }
    const ConvexNearest near = convex_nearest(a, b, apply_inverse(at_a, at_b.position),
                                              normalized(conjugate(at_a.rotation) * at_b.rotation));
    return {near.separation, rotate(at_a.rotation, near.normal), apply(at_a, near.on_a),
            apply(at_a, near.on_b)};
}

double turning_reach(const MovingConvex& a) {
    return a.shape.type == ShapeType::plane ? 0 : length(a.arm) + core_radius(a.shape);
}

namespace {

/// The shape about its origin, in the world's axes.
DBox extent(const MovingConvex& a) {
    const DQuat turn = normalized(a.rotation * a.own);
    const DVec3 axis = rotate(turn, DVec3{0, 1, 0});
    const double r = double{a.shape.radius}, h = half_height(a.shape);
    DBox box{{never, never, never}, {-never, -never, -never}};
    const auto add = [&](const DVec3& p, const DVec3& around) {
        box.low = min(box.low, p - around);
        box.high = max(box.high, p + around);
    };
    const auto rim = [&](double along) { return r * std::sqrt(std::max(0.0, 1 - along * along)); };
    const DVec3 disc{rim(axis.x), rim(axis.y), rim(axis.z)};
    switch (a.shape.type) {
    case ShapeType::plane:
        box = {{-never, -never, -never}, {never, never, never}};
        if (axis.x == 1) box.high.x = 0;
        if (axis.y == 1) box.high.y = 0;
        if (axis.z == 1) box.high.z = 0;
        break;
    case ShapeType::cylinder:
        add(axis * h, disc);
        add(axis * -h, disc);
        break;
    case ShapeType::cone:
        add(axis * h, {});
        add(axis * -h, disc);
        break;
    default: {
        const double round = a.shape.type == ShapeType::sphere || a.shape.type == ShapeType::capsule ? r : 0;
        each_corner(a.shape, [&](const DVec3& p) { add(rotate(turn, p), {round, round, round}); });
    }
    }
    return box;
}

double round_part(const ConvexGeometry& shape) {
    return shape.type == ShapeType::sphere || shape.type == ShapeType::capsule ? double{shape.radius} : 0;
}

/// Holds the shape about its body's centre of mass for a time, wherever that goes.
DBox turning_box(const MovingConvex& a, double time) {
    const DVec3 arm = rotate(a.rotation, a.arm);
    DBox box = extent(a);
    box.low += arm, box.high += arm;
    if (a.shape.type != ShapeType::plane && !(a.spin == DVec3{})) {
        // no farther than it can turn, and never beyond the farthest point
        const double reach = turning_reach(a),
                     turned = (length(a.spin) + 0.5 * a.spin_change * time) * time * reach,
                     most = reach + round_part(a.shape);
        const DVec3 around{turned, turned, turned}, all{most, most, most};
        box.low = max(box.low - around, -all);
        box.high = min(box.high + around, all);
    }
    return box;
}

/// Between two centres, with the parabola's way beside the chord: -a T²/8 at most.
Shaft shaft_between(const DBox& box, const DVec3& from, const DVec3& to, const DVec3& pull, double time,
                    double margin) {
    const DVec3 bow = pull * (-0.125 * time * time), around{margin, margin, margin};
    const DVec3 low = box.low + min(bow, DVec3{}) - around, high = box.high + max(bow, DVec3{}) + around;
    return shaft_of({from + low, from + high}, {to + low, to + high});
}

} // namespace

Shaft way_shaft(const MovingConvex& a, double time, double margin) {
    return shaft_between(turning_box(a, time), a.centre, centre_at(a, time), a.acceleration, time, margin);
}

bool ways_meet(const MovingConvex& a, const MovingConvex& b, double time, double margin) {
    if (a.shape.type == ShapeType::plane || b.shape.type == ShapeType::plane) return true;
    return meets(shaft_between(turning_box(a, time), a.centre - b.centre,
                               centre_at(a, time) - centre_at(b, time), a.acceleration - b.acceleration, time,
                               margin),
                 turning_box(b, time));
}

Reach extent_along(const MovingConvex& a, const DVec3& n) {
    if (a.shape.type == ShapeType::plane) return {-never, never};
    const DVec3 own = rotate(conjugate(a.rotation * a.own), n); // in the shape's frame
    const double at = dot(n, a.centre + rotate(a.rotation, a.arm)), h = half_height(a.shape);
    Reach out{never, -never};
    const auto add = [&](double middle, double around) {
        out.low = std::min(out.low, at + middle - around);
        out.high = std::max(out.high, at + middle + around);
    };
    const double rim = double{a.shape.radius} * std::sqrt(own.x * own.x + own.z * own.z);
    if (a.shape.type == ShapeType::cylinder || a.shape.type == ShapeType::cone) {
        add(own.y * h, a.shape.type == ShapeType::cone ? 0 : rim);
        add(-own.y * h, rim);
    } else {
        const double round = round_part(a.shape) * length(n);
        each_corner(a.shape, [&](const DVec3& p) { add(dot(own, p), round); });
    }
    return out;
}

DBox way_box(const MovingConvex& a, double time) {
    const DBox box = turning_box(a, time);
    // the centre's way: its ends, and where the parabola turns round
    DBox way{a.centre, a.centre};
    const auto visit = [&](const DVec3& p) { way.low = min(way.low, p), way.high = max(way.high, p); };
    visit(centre_at(a, time));
    const double v[3] = {a.velocity.x, a.velocity.y, a.velocity.z},
                 pull[3] = {a.acceleration.x, a.acceleration.y, a.acceleration.z};
    for (int axis = 0; axis < 3; ++axis)
        if (const double turn = -v[axis] / pull[axis]; pull[axis] != 0 && turn > 0 && turn < time)
            visit(centre_at(a, turn));
    return {way.low + box.low, way.high + box.high};
}

double far_bound(const MovingConvex& a, const MovingConvex& b, double tolerance) {
    if (a.shape.type == ShapeType::plane) return far_bound(b, a, tolerance);
    const double reach = turning_reach(a) + round_part(a.shape);
    DVec3 n;
    double apart;
    if (b.shape.type == ShapeType::plane) {
        n = -rotate(b.rotation * b.own, DVec3{0, 1, 0});
        apart = dot(pose_at(b, 0).position - a.centre, n) - reach;
    } else {
        const DVec3 between = b.centre - a.centre;
        n = normalized(between);
        apart = length(between) - reach - (turning_reach(b) + round_part(b.shape));
    }
    if (!(apart > tolerance)) return 0;
    return time_of_way(dot(a.velocity - b.velocity, n), dot(a.acceleration - b.acceleration, n),
                       apart - 0.5 * tolerance);
}

double simple_approach_bound(const MovingConvex& a, const MovingConvex& b, const DVec3& n, double way) {
    return simple_bound(a, b, n, way, turning_of(a, n), turning_of(b, -n));
}

double approach_bound(const MovingConvex& a, const MovingConvex& b, const DVec3& n, double way,
                      double horizon) {
    const double speed = dot(a.velocity - b.velocity, n), pull = dot(a.acceleration - b.acceleration, n);
    const Turning fast_a = turning_of(a, n), fast_b = turning_of(b, -n);
    double low = simple_bound(a, b, n, way, fast_a, fast_b);
    if (!(low < horizon)) return horizon;
    const TurnWay turn_a(a, n, fast_a), turn_b(b, -n, fast_b);
    if (!turn_a.turns() && !turn_b.turns()) return low;
    // the way is a convex function of time, once a pull that parts them is left out: it is reached once
    const double closing = std::max(pull, 0.0);
    const auto reached = [&](double t) {
        return turn_a.in(t) + turn_b.in(t) + (speed + 0.5 * closing * t) * t >= way;
    };
    double high = horizon;
    if (!reached(high)) return horizon;
    // mostly the answer is near the lower end
    for (int k = 0; k < 40 && high - low > 0.01 * low; ++k) {
        const double middle = high > 4 * low && low > 0 ? std::sqrt(low * high) : 0.5 * (low + high);
        if (reached(middle)) high = middle;
        else low = middle;
    }
    return low;
}

FirstImpact first_impact(const MovingConvex& a, const MovingConvex& b, double tolerance, double horizon,
                         int most_measured) {
    FirstImpact out;
    MovingConvex now_a = a, now_b = b;
    for (;;) {
        for (auto [now, from] : {std::pair{&now_a, &a}, std::pair{&now_b, &b}}) {
            now->centre = centre_at(*from, out.time);
            now->velocity = from->velocity + from->acceleration * out.time;
            now->rotation = normalized(turn_in(from->spin, out.time) * from->rotation);
        }
        out.gap = gap_between(a.shape, pose_at(now_a, 0), b.shape, pose_at(now_b, 0));
        ++out.measured;
        out.found = !(out.gap.distance > tolerance) || out.measured >= most_measured;
        if (out.found) return out;
        const double way = out.gap.distance - 0.5 * tolerance;
        const double next = out.time + approach_bound(now_a, now_b, out.gap.normal, way, horizon - out.time);
        if (!(next < horizon)) {
            out.time = horizon;
            return out;
        }
        out.time = next;
    }
}

} // namespace scree
