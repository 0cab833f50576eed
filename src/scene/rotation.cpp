// SPDX-License-Identifier: MIT
// rotation.cpp — see rotation.h.
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Taylor series: exact to the last bit or two for |x| <= pi/4.
SineCosine near_zero(double x) {
    double square = x * x, sine = 0, cosine = 0;
    for (int n = 20; n > 0; n -= 2) {
        cosine = square / ((n - 1) * n) * (1 - cosine);
        sine = square / (n * (n + 1)) * (1 - sine);
    }
    return {x * (1 - sine), 1 - cosine};
}

/// Divides by the largest component first: neither overflow nor underflow. False for zero.
bool to_unit(DVec3& v) {
    double largest = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
    if (!(largest > 0)) return false;
    v /= largest;
    v /= length(v);
    return true;
}

} // namespace

// reduced in degrees, where quarter turns are exact.
SineCosine of_degrees(double degrees) {
    double rest = std::fmod(degrees, 360.0); // exact
    double quarters = std::floor(rest / 90 + 0.5);
    SineCosine part = near_zero((rest - 90 * quarters) * (3.14159265358979323846 / 180));
    switch ((static_cast<int>(quarters) + 8) % 4) {
    case 1:
        return {part.cosine, -part.sine};
    case 2:
        return {-part.sine, -part.cosine};
    case 3:
        return {-part.cosine, part.sine};
    default:
        return part;
    }
}

std::optional<Quat> rotation_by_degrees(DVec3 axis, double degrees) {
    if (!to_unit(axis)) return std::nullopt;
    SineCosine half = of_degrees(degrees / 2);
    DVec3 v = half.sine * axis;
    return narrow(normalized(DQuat{.x = v.x, .y = v.y, .z = v.z, .s = half.cosine}));
}

std::optional<Quat> rotation_from_y(DVec3 n) {
    if (!to_unit(n)) return std::nullopt;
    // the half-way quaternion (1 + y.n, y x n); straight down, any axis across will do
    if (n.y < -1 + 1e-12) return Quat{.x = 1, .s = 0};
    return narrow(normalized(DQuat{.x = n.z, .y = 0, .z = -n.x, .s = 1 + n.y}));
}

Random::Random(std::uint64_t seed, std::uint64_t sequence) : state_(0), increment_(sequence << 1 | 1) {
    bits();
    state_ += seed;
    bits();
}

std::uint32_t Random::bits() {
    std::uint64_t old = state_;
    state_ = old * 6364136223846793005u + increment_;
    auto mixed = static_cast<std::uint32_t>((old >> 18 ^ old) >> 27);
    auto turn = static_cast<std::uint32_t>(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

double Random::uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits()) / 4294967296.0);
}

Quat Random::rotation() {
    // a point in the 4-ball, not too near its centre, projected onto the 3-sphere
    for (;;) {
        double q[4], square = 0; // s x y z
        for (double& part : q) {
            part = uniform(-1, 1);
            square += part * part;
        }
        if (square <= 1 && square >= 1e-4)
            return narrow(normalized(DQuat{.x = q[1], .y = q[2], .z = q[3], .s = q[0]}));
    }
}

} // namespace scree
