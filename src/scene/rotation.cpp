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
bool to_unit(double& x, double& y, double& z) {
    double largest = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    if (!(largest > 0)) return false;
    x /= largest, y /= largest, z /= largest;
    double length = std::sqrt(x * x + y * y + z * z);
    x /= length, y /= length, z /= length;
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

Triple turned(Quat q, Triple v) {
    double s = static_cast<double>(q.s), x = static_cast<double>(q.x), y = static_cast<double>(q.y),
           z = static_cast<double>(q.z);
    // v + 2 s (q x v) + 2 q x (q x v)
    Triple t{2 * (y * v.z - z * v.y), 2 * (z * v.x - x * v.z), 2 * (x * v.y - y * v.x)};
    return {v.x + s * t.x + (y * t.z - z * t.y), v.y + s * t.y + (z * t.x - x * t.z),
            v.z + s * t.z + (x * t.y - y * t.x)};
}

Quat normalised(double s, double x, double y, double z) {
    double length = std::sqrt(s * s + x * x + y * y + z * z);
    return {static_cast<float>(s / length), static_cast<float>(x / length), static_cast<float>(y / length),
            static_cast<float>(z / length)};
}

std::optional<Quat> rotation_about(double x, double y, double z, double degrees) {
    if (!to_unit(x, y, z)) return std::nullopt;
    SineCosine half = of_degrees(degrees / 2);
    return normalised(half.cosine, x * half.sine, y * half.sine, z * half.sine);
}

std::optional<Quat> rotation_from_y(double x, double y, double z) {
    if (!to_unit(x, y, z)) return std::nullopt;
    // the half-way quaternion (1 + y.n, y x n); straight down, any axis across will do
    if (y < -1 + 1e-12) return Quat{0, 1, 0, 0};
    return normalised(1 + y, z, 0, -x);
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
        double q[4], square = 0;
        for (double& part : q) {
            part = uniform(-1, 1);
            square += part * part;
        }
        if (square <= 1 && square >= 1e-4) return normalised(q[0], q[1], q[2], q[3]);
    }
}

} // namespace scree
