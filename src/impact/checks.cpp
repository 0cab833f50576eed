// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h. The ranges keep squares and quotients of what may occur far from the limits of double.
#include "impact/checks.h"

#include "text/checks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::impact {
namespace {

constexpr double far = 1e9;
constexpr const char* axes[] = {".x", ".y", ".z"};

void check_each(const DVec3& v, double most, const std::string& where, const char* expected) {
    check_within(v.x, -most, most, where + ".x", expected);
    check_within(v.y, -most, most, where + ".y", expected);
    check_within(v.z, -most, most, where + ".z", expected);
}

} // namespace

void check(const ImpactSettings& s) {
    check_within(s.dimensions, 2, 3, "dimensions", "2 or 3");
    check_each(s.lower, far, "lower", "-1e9 to 1e9 m");
    check_each(s.upper, far, "upper", "-1e9 to 1e9 m");
    const double lower[] = {s.lower.x, s.lower.y, s.lower.z}, upper[] = {s.upper.x, s.upper.y, s.upper.z};
    for (int k = 0; k < s.dimensions; ++k)
        if (!(upper[k] - lower[k] >= 1e-6))
            refuse(upper[k], std::string("upper") + axes[k],
                   "at least 1e-6 m more than the lower end " + std::to_string(lower[k]));
    for (std::size_t k = 0; k < 3; ++k)
        check_one_of(s.borders[k], ImpactBorder::periodic, "borders[" + std::to_string(k) + "]",
                     "wall or periodic");
    check_each(s.gravity, 1e6, "gravity", "-1e6 to 1e6 m/s²");
    if (s.dimensions == 2 && s.gravity.z != 0) refuse(s.gravity.z, "gravity.z", "0 in two dimensions");
    check_within(s.restitution, 0, 1, "restitution", "0 to 1");
    check_within(s.wall_restitution, 0, 1, "wall_restitution", "0 to 1");
    check_within(s.contact_time, 0, 1, "contact_time", "0 to 1 s");
}

ImpactParticle under_way(ImpactParticle p, const ImpactSettings& s) {
    for (double* v : {&p.velocity.x, &p.velocity.y, &p.velocity.z}) *v = *v != 0;
    double* const at[] = {&p.position.x, &p.position.y, &p.position.z};
    const double lower[] = {s.lower.x, s.lower.y, s.lower.z}, upper[] = {s.upper.x, s.upper.y, s.upper.z};
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.dimensions); ++k) {
        const double low = lower[k] + p.radius, high = upper[k] - p.radius,
                     near = 0.01 * (upper[k] - lower[k]);
        const bool at_wall = *at[k] >= low - near && *at[k] <= high + near && low <= high;
        if (s.borders[k] == ImpactBorder::wall && at_wall) *at[k] = std::clamp(*at[k], low, high);
    }
    return p;
}

void check(const ImpactParticle& p, const ImpactSettings& s) {
    check_each(p.position, far, "position", "-1e9 to 1e9 m");
    check_each(p.velocity, far, "velocity", "-1e9 to 1e9 m/s");
    check_within(p.radius, 1e-9, far, "radius", "1e-9 to 1e9 m");
    if (p.mass != INFINITY) check_within(p.mass, 1e-30, 1e30, "mass", "1e-30 to 1e30 kg, or infinity");
    if (s.dimensions == 2 && p.position.z != 0) refuse(p.position.z, "position.z", "0 in two dimensions");
    if (s.dimensions == 2 && p.velocity.z != 0) refuse(p.velocity.z, "velocity.z", "0 in two dimensions");
    const double at[] = {p.position.x, p.position.y, p.position.z};
    const double lower[] = {s.lower.x, s.lower.y, s.lower.z}, upper[] = {s.upper.x, s.upper.y, s.upper.z};
    for (int k = 0; k < s.dimensions; ++k) {
        const std::string where = std::string("position") + axes[k];
        const double size = upper[k] - lower[k];
        if (s.borders[static_cast<std::size_t>(k)] == ImpactBorder::periodic) {
            if (p.radius > 0.24 * size)
                refuse(p.radius, "radius", "at most 0.24 of the period " + std::to_string(size) + " m");
            check_within(at[k], lower[k], upper[k], where, "a place in the box");
        } else {
            // the rounding of a particle that touches the wall is allowed
            const double slack = 1e-9 * size;
            check_within(at[k], lower[k] + p.radius - slack, upper[k] - p.radius + slack, where,
                         "a place whose distance from the walls is the radius at least");
        }
    }
}

} // namespace scree::impact
