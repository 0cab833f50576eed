// SPDX-License-Identifier: MIT
// principal_axes.cpp — mass properties in double, by Jacobi's method (1846).
#include "principal_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace scree {
namespace {

using Column = std::array<double, 3>;
using Matrix = std::array<Column, 3>; // [row][column]

constexpr Matrix identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// positions come as floats: what is smaller than this part of the whole is their rounding, and following it
// would turn a symmetric body by an arbitrary angle
constexpr double rounding = 1e-6;

double weight(const ShapeParticle& p) { return double(p.radius) * double(p.radius) * double(p.radius); }

Column centre_of_mass(const std::vector<ShapeParticle>& particles) {
    double total = 0, reach = 0;
    Column sum{};
    for (const ShapeParticle& p : particles) {
        const double m = weight(p);
        total += m;
        sum[0] += m * double(p.offset.x);
        sum[1] += m * double(p.offset.y);
        sum[2] += m * double(p.offset.z);
        reach = std::max({reach, std::fabs(double(p.offset.x)), std::fabs(double(p.offset.y)),
                          std::fabs(double(p.offset.z))});
    }
    for (double& s : sum) {
        s /= total;
        // a set that is centred already keeps its bits
        if (std::fabs(s) < 1e-9 * reach) s = 0;
    }
    return sum;
}

// about the centre c, divided by the mass
Matrix inertia_tensor(const std::vector<ShapeParticle>& particles, const Column& c, ParticleSolid solid) {
    const double own = solid == ParticleSolid::sphere ? 2.0 / 5.0 : 2.0 / 3.0;
    double total = 0;
    Matrix t{};
    for (const ShapeParticle& p : particles) {
        const double m = weight(p);
        const double x = double(p.offset.x) - c[0];
        const double y = double(p.offset.y) - c[1];
        const double z = double(p.offset.z) - c[2];
        const double spin = own * double(p.radius) * double(p.radius);
        total += m;
        t[0][0] += m * (y * y + z * z + spin);
        t[1][1] += m * (x * x + z * z + spin);
        t[2][2] += m * (x * x + y * y + spin);
        t[0][1] -= m * x * y;
        t[0][2] -= m * x * z;
        t[1][2] -= m * y * z;
    }
    for (Column& row : t)
        for (double& e : row) e /= total;
    t[1][0] = t[0][1];
    t[2][0] = t[0][2];
    t[2][1] = t[1][2];
    return t;
}

// one Jacobi rotation that makes t[p][q] zero; v collects the rotations as columns
void rotate(Matrix& t, Matrix& v, std::size_t p, std::size_t q) {
    if (t[p][q] == 0) return;
    const double theta = (t[q][q] - t[p][p]) / (2 * t[p][q]);
    // the smaller of the two roots: at most 45 degrees, so axes do not change places needlessly
    const double root = std::fabs(theta) + std::sqrt(theta * theta + 1);
    const double tangent = theta < 0 ? -1 / root : 1 / root;
    const double c = 1 / std::sqrt(tangent * tangent + 1);
    const double s = tangent * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = t[k][p], b = t[k][q];
        t[k][p] = c * a - s * b;
        t[k][q] = s * a + c * b;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = t[p][k], b = t[q][k];
        t[p][k] = c * a - s * b;
        t[q][k] = s * a + c * b;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = v[k][p], b = v[k][q];
        v[k][p] = c * a - s * b;
        v[k][q] = s * a + c * b;
    }
}

// leaves the moments on t's diagonal, returns the axes as columns
Matrix diagonalise(Matrix& t) {
    Matrix v = identity;
    const double trace = t[0][0] + t[1][1] + t[2][2];
    const auto off = [&t] { return std::max({std::fabs(t[0][1]), std::fabs(t[0][2]), std::fabs(t[1][2])}); };
    if (off() < rounding * trace) return v;
    // converges quadratically: ten sweeps are twice what a 3x3 matrix has ever needed
    for (int sweep = 0; sweep < 10 && off() > 1e-16 * trace; ++sweep) {
        rotate(t, v, 0, 1);
        rotate(t, v, 0, 2);
        rotate(t, v, 1, 2);
    }
    return v;
}

// orders and orients the axes: nearest to the old ones, same sense, right-handed
void name_axes(Matrix& axes, Column& moments) {
    constexpr std::array<std::array<std::size_t, 3>, 6> orders{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    const auto nearness = [&axes](const std::array<std::size_t, 3>& o) {
        return std::fabs(axes[0][o[0]]) + std::fabs(axes[1][o[1]]) + std::fabs(axes[2][o[2]]);
    };
    std::array<std::size_t, 3> best = orders[0];
    for (const auto& o : orders)
        if (nearness(o) > nearness(best) + 1e-9) best = o;

    const Matrix a = axes;
    const Column m = moments;
    for (std::size_t j = 0; j < 3; ++j) {
        const double sign = a[j][best[j]] < 0 ? -1 : 1;
        moments[j] = m[best[j]];
        for (std::size_t i = 0; i < 3; ++i) axes[i][j] = sign * a[i][best[j]];
    }
    const double det = axes[0][0] * (axes[1][1] * axes[2][2] - axes[1][2] * axes[2][1]) -
                       axes[0][1] * (axes[1][0] * axes[2][2] - axes[1][2] * axes[2][0]) +
                       axes[0][2] * (axes[1][0] * axes[2][1] - axes[1][1] * axes[2][0]);
    if (det < 0) {
        // the axis that turned furthest is the one whose sense matters least
        std::size_t far = 0;
        for (std::size_t j = 1; j < 3; ++j)
            if (axes[j][j] < axes[far][far] - 1e-9) far = j;
        for (std::size_t i = 0; i < 3; ++i) axes[i][far] = -axes[i][far];
    }
}

// components of v along the axes
Vec3 turn(const Matrix& axes, const Column& v) {
    return {float(axes[0][0] * v[0] + axes[1][0] * v[1] + axes[2][0] * v[2]),
            float(axes[0][1] * v[0] + axes[1][1] * v[1] + axes[2][1] * v[2]),
            float(axes[0][2] * v[0] + axes[1][2] * v[1] + axes[2][2] * v[2])};
}

} // namespace

Vec3 move_to_principal_axes(std::vector<ShapeParticle>& particles, ParticleSolid solid) {
    const Column c = centre_of_mass(particles);
    Matrix t = inertia_tensor(particles, c, solid);
    Matrix axes = diagonalise(t);
    Column moments{t[0][0], t[1][1], t[2][2]};
    name_axes(axes, moments);

    for (ShapeParticle& p : particles) {
        p.offset =
            turn(axes, {double(p.offset.x) - c[0], double(p.offset.y) - c[1], double(p.offset.z) - c[2]});
        p.outward = turn(axes, {double(p.outward.x), double(p.outward.y), double(p.outward.z)});
    }
    return {float(moments[0]), float(moments[1]), float(moments[2])};
}

} // namespace scree
