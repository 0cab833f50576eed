// SPDX-License-Identifier: MIT
// flow.h — numbers that change within an interval of time, with bounds: interval arithmetic whose width shrinks with the square of
// the interval's.
//
// A Flow is  at + slope τ  give or take `rest`, for |τ| <= half, where τ is the time from the interval's middle and `half` is half of
// its length. Sums and products of Flows hold the sums and products of whatever numbers they hold; rounding is in `rest`.
#pragma once

#include "scree/math.h"

#include <cmath>

namespace scree {

struct Flow {
    double at = 0, slope = 0, rest = 0;
    /// The farthest from 0 that the part that changes can be; `half` as in FlowMath.
    double least(double half) const { return at - std::abs(slope) * half - rest; }
    double most(double half) const { return at + std::abs(slope) * half + rest; }
};
struct Flow3 {
    Flow x, y, z;
};

/// Arithmetic within one interval.
class FlowMath {
public:
    explicit FlowMath(double half) : half_(half) {}
    double half() const { return half_; }

    Flow rounded(double at, double slope, double rest) const {
        constexpr double unit = 0x1p-51; // two roundings
        return {at, slope, rest + unit * (std::abs(at) + std::abs(slope) * half_ + rest)};
    }
    Flow add(const Flow& a, const Flow& b) const {
        return rounded(a.at + b.at, a.slope + b.slope, a.rest + b.rest);
    }
    Flow subtract(const Flow& a, const Flow& b) const {
        return rounded(a.at - b.at, a.slope - b.slope, a.rest + b.rest);
    }
    Flow multiply(const Flow& a, const Flow& b) const {
        const double moves_a = std::abs(a.slope) * half_, moves_b = std::abs(b.slope) * half_,
                     first = a.at * b.slope, second = a.slope * b.at;
        // products round more than what is left of them
        const double lost = 0x1p-52 * half_ * (std::abs(first) + std::abs(second));
        return rounded(a.at * b.at, first + second,
                       moves_a * moves_b + (std::abs(a.at) + moves_a) * b.rest +
                           (std::abs(b.at) + moves_b) * a.rest + a.rest * b.rest + lost);
    }

    Flow3 add(const Flow3& a, const Flow3& b) const { return {add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)}; }
    Flow3 subtract(const Flow3& a, const Flow3& b) const {
        return {subtract(a.x, b.x), subtract(a.y, b.y), subtract(a.z, b.z)};
    }
    Flow dot(const Flow3& a, const Flow3& b) const {
        return add(add(multiply(a.x, b.x), multiply(a.y, b.y)), multiply(a.z, b.z));
    }
    Flow3 cross(const Flow3& a, const Flow3& b) const {
        const auto minor = [&](const Flow& p, const Flow& q, const Flow& r, const Flow& s) {
            return subtract(multiply(p, q), multiply(r, s));
        };
        return {minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
    }
    /// Along a direction that stays.
    Flow along(const DVec3& n, const Flow3& a) const {
        return dot({{n.x, 0, 0}, {n.y, 0, 0}, {n.z, 0, 0}}, a);
    }

private:
    double half_;
};

} // namespace scree
