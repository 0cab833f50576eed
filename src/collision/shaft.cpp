// SPDX-License-Identifier: MIT
// shaft.cpp — see shaft.h.

#include "collision/shaft.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

constexpr double rounding = 1e-13; // relative, of the planes

/// A face of a box, along an axis to one side, as a coordinate that grows outwards.
double reach(const DBox& box, std::size_t axis, bool high) {
    return high ? along(box.high, axis) : -along(box.low, axis);
}

struct Range {
    double low, high;
    bool apart(const Range& other, double slack) const {
        return low > other.high + slack || other.low > high + slack;
    }
};
Range range_of(const DBox& box, const DVec3& n) {
    const DVec3 middle = (box.low + box.high) * 0.5, half = (box.high - box.low) * 0.5;
    const double at = dot(n, middle),
                 far = std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
    return {at - far, at + far};
}

bool parts(const Shaft& shaft, const std::array<DVec3, 3>& triangle, const DVec3& n) {
    const Range first = range_of(shaft.first, n), last = range_of(shaft.last, n);
    const Range own{std::min(first.low, last.low), std::max(first.high, last.high)};
    const double a = dot(n, triangle[0]), b = dot(n, triangle[1]), c = dot(n, triangle[2]);
    const Range other{std::min({a, b, c}), std::max({a, b, c})};
    return own.apart(other, 1e-12 * (std::abs(own.low) + std::abs(own.high)));
}

} // namespace

Shaft shaft_of(const DBox& first, const DBox& last) {
    return shaft_of(first, last, {min(first.low, last.low), max(first.high, last.high)});
}

Shaft shaft_of(const DBox& first, const DBox& last, const DBox& around) {
    Shaft shaft{.first = first, .last = last, .around = around};
    const DVec3 size = around.high - around.low;
    if (!std::isfinite(size.x + size.y + size.z)) return shaft;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = i + 1; k < 3; ++k)
            for (const bool high_i : {false, true})
                for (const bool high_k : {false, true}) {
                    const double ahead_i = reach(first, i, high_i) - reach(last, i, high_i),
                                 ahead_k = reach(first, k, high_k) - reach(last, k, high_k);
                    if (!(ahead_i * ahead_k < 0)) continue; // both faces are of one box, or of both
                    Shaft::Plane plane;
                    plane.axis[0] = i, plane.axis[1] = k;
                    plane.n[0] = std::abs(ahead_k) * (high_i ? 1 : -1);
                    plane.n[1] = std::abs(ahead_i) * (high_k ? 1 : -1);
                    const auto at = [&](const DBox& box) {
                        const double x = std::abs(ahead_k) * reach(box, i, high_i),
                                     y = std::abs(ahead_i) * reach(box, k, high_k);
                        return x + y + rounding * (std::abs(x) + std::abs(y));
                    };
                    plane.distance = std::max(at(first), at(last));
                    shaft.planes[shaft.count++] = plane;
                }
    return shaft;
}

bool meets(const Shaft& shaft, const DBox& box) {
    if (!shaft.around.overlaps(box)) return false;
    for (std::size_t p = 0; p < shaft.count; ++p) {
        const Shaft::Plane& plane = shaft.planes[p];
        double least = 0;
        for (const int side : {0, 1})
            least += plane.n[side] * along(plane.n[side] > 0 ? box.low : box.high, plane.axis[side]);
        if (least > plane.distance) return false;
    }
    return true;
}

bool meets(const Shaft& shaft, const std::array<DVec3, 3>& t) {
    if (!shaft.around.overlaps({min(min(t[0], t[1]), t[2]), max(max(t[0], t[1]), t[2])})) return false;
    for (std::size_t p = 0; p < shaft.count; ++p) {
        const Shaft::Plane& plane = shaft.planes[p];
        const auto outside = [&](const DVec3& at) {
            return plane.n[0] * along(at, plane.axis[0]) + plane.n[1] * along(at, plane.axis[1]) >
                   plane.distance;
        };
        if (outside(t[0]) && outside(t[1]) && outside(t[2])) return false;
    }
    const DVec3 edges[3] = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
    if (parts(shaft, t, cross(edges[0], edges[1]))) return false;
    for (const DVec3& e : edges) // against the boxes' edges
        if (parts(shaft, t, {0, -e.z, e.y}) || parts(shaft, t, {e.z, 0, -e.x}) ||
            parts(shaft, t, {-e.y, e.x, 0}))
            return false;
    return true;
}

} // namespace scree
