// SPDX-License-Identifier: MIT
// oriented_way.cpp — see oriented_way.h.

#include "collision/oriented_way.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace scree {

namespace {

constexpr double rounding = 1e-12; // relative, of what is compared

/// In the shape's frame.
struct OwnBox {
    DVec3 middle{}, half{};
    double round = 0;
};
OwnBox own_box(const ConvexGeometry& shape) {
    const double r = double{shape.radius}, h = double{shape.size.y};
    switch (shape.type) {
    case ShapeType::sphere:
        return {{}, {}, r};
    case ShapeType::capsule:
        return {{}, {0, h, 0}, r};
    case ShapeType::box:
        return {{}, wide(shape.size), 0};
    case ShapeType::hull: {
        DVec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
        for (std::size_t k = 0; k < shape.hull[0]; ++k) {
            const std::uint32_t* quad = shape.hull + 4 + 4 * k; // as geometry/hull.h lays them out
            const DVec3 p{std::bit_cast<float>(quad[0]), std::bit_cast<float>(quad[1]),
                          std::bit_cast<float>(quad[2])};
            low = min(low, p), high = max(high, p);
        }
        return {(low + high) * 0.5, (high - low) * 0.5, 0};
    }
    default:
        return {{}, {r, h, r}, 0};
    }
}

OrientedBox placed(const MovingConvex& a, const DQuat& rotation) {
    const OwnBox own = own_box(a.shape);
    const DQuat turn = rotation * a.own;
    OrientedBox out;
    out.middle = rotate(rotation, a.arm) + rotate(turn, own.middle);
    out.axis = {rotate(turn, DVec3{1, 0, 0}), rotate(turn, DVec3{0, 1, 0}), rotate(turn, DVec3{0, 0, 1})};
    out.half = own.half, out.round = own.round;
    return out;
}

/// A shape within a time, about the middle of it.
struct Turning {
    Turning(const MovingConvex& a, double half_time)
        : box(placed(a, a.spin == DVec3{} ? a.rotation : turn_in(a.spin, half_time) * a.rotation)),
          spin(a.spin) {
        // how far second derivatives can take a point of the core
        const double far = length(box.middle) + length(box.half);
        const double square = half_time * half_time;
        bow = 0.5 * dot(spin, spin) * far * square;
        // at a spin that changes it is turned otherwise, by no more than that angle at the end of the time
        bow += 2 * a.spin_change * far * square;
    }
    /// The farthest point of the box along n at a time from the middle, but for `bow`.
    double ahead(const DVec3& n, double time) const {
        const DVec3 turned = n + cross(n, spin) * time; // n·(p + τ ω×p) = p·(n + τ n×ω)
        return dot(turned, box.middle) + core_reach(box, turned) + box.round * length(n);
    }
    static double core_reach(const OrientedBox& box, const DVec3& n) {
        return box.half.x * std::abs(dot(n, box.axis[0])) + box.half.y * std::abs(dot(n, box.axis[1])) +
               box.half.z * std::abs(dot(n, box.axis[2]));
    }

    OrientedBox box;
    DVec3 spin;
    double bow = 0;
};

} // namespace

OrientedBox oriented_box(const MovingConvex& a) { return placed(a, a.rotation); }

double reach_along(const OrientedBox& box, const DVec3& n) {
    return dot(n, box.middle) + Turning::core_reach(box, n) + box.round * length(n);
}

bool oriented_ways_meet(const MovingConvex& a, const MovingConvex& b, double time, double margin) {
    if (a.shape.type == ShapeType::plane || b.shape.type == ShapeType::plane) return true;
    const double half = 0.5 * time;
    const Turning own(a, half), other(b, half);
    const DVec3 pull = a.acceleration - b.acceleration, way = a.velocity - b.velocity + pull * half,
                apart = centre_at(a, half) - centre_at(b, half);
    const double slack =
        margin + own.bow + other.bow + 0.5 * half * half * length(pull) + rounding * length(apart);
    /// n need not be of length 1
    const auto parts = [&](const DVec3& n, double size) {
        // A ahead of B along n, or behind it
        for (const double side : {1.0, -1.0}) {
            const DVec3 to = n * side;
            bool parted = true;
            for (const double when : {-half, half})
                parted = parted && dot(to, apart + way * when) + own.ahead(to, when) +
                                           other.ahead(-to, when) + slack * size <
                                       0;
            if (parted) return true;
        }
        return false;
    };
    for (std::size_t k = 0; k < 3; ++k)
        if (parts(own.box.axis[k], 1) || parts(other.box.axis[k], 1)) return false;
    for (const DVec3& e : own.box.axis)
        for (const DVec3& g : other.box.axis) {
            const DVec3 n = cross(e, g);
            const double size = length(n);
            if (size > 1e-6 && parts(n, size)) return false;
        }
    return true;
}

bool meets_oriented(const Shaft& shaft, const OrientedBox& box) {
    const auto behind = [&](const DVec3& n, const DBox& of) { // the least of n·x over a box along the axes
        return (n.x > 0 ? of.low.x : of.high.x) * n.x + (n.y > 0 ? of.low.y : of.high.y) * n.y +
               (n.z > 0 ? of.low.z : of.high.z) * n.z;
    };
    const auto parts = [&](const DVec3& n) {
        for (const double side : {1.0, -1.0}) {
            const DVec3 to = n * side;
            // the shaft begins along n where the first of its ends does
            const double begin = std::min(behind(to, shaft.first), behind(to, shaft.last)),
                         end = reach_along(box, to);
            if (end + rounding * (std::abs(begin) + std::abs(end)) < begin) return true;
        }
        return false;
    };
    const DVec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k < 3; ++k)
        if (parts(world[k]) || parts(box.axis[k])) return false;
    for (const DVec3& e : world)
        for (const DVec3& g : box.axis)
            if (parts(cross(e, g))) return false;
    for (std::size_t k = 0; k < shaft.count; ++k) {
        const Shaft::Plane& plane = shaft.planes[k];
        double n[3]{};
        n[plane.axis[0]] = plane.n[0], n[plane.axis[1]] = plane.n[1];
        if (parts({n[0], n[1], n[2]})) return false;
    }
    return true;
}

} // namespace scree
