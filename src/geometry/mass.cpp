// SPDX-License-Identifier: MIT
// mass.cpp — see mass.h.
#include "geometry/mass.h"

#include "geometry/shape_parts.h"
#include "text/number_text.h"

#include <algorithm>

namespace scree {
namespace {

/// Of a point mass at that distance.
Symmetric steiner(double mass, DVec3 d) {
    return {mass * (d.y * d.y + d.z * d.z),
            mass * (d.x * d.x + d.z * d.z),
            mass * (d.x * d.x + d.y * d.y),
            -mass * d.x * d.y,
            -mass * d.x * d.z,
            -mass * d.y * d.z};
}

/// All pivots of the elimination are positive.
bool positive_definite(const Symmetric& a) {
    const double d0 = a[0];
    if (!(d0 > 0)) return false;
    const double d1 = a[1] - a[3] * a[3] / d0;
    if (!(d1 > 0)) return false;
    const double yz = a[5] - a[3] * a[4] / d0;
    return a[2] - a[4] * a[4] / d0 - yz * yz / d1 > 0;
}

std::string triple(Vec3 v) { return number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z); }

} // namespace

MassProperties placed(const MassProperties& shape, Vec3 position, Quat rotation) {
    // made unit again, as the squares of its rounding errors would scale the inertia
    const DQuat q = normalized(wide(rotation));
    const double s = q.s, x = q.x, y = q.y, z = q.z;
    const DVec3 row[3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)},
                          {2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)},
                          {2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)}};
    const Symmetric i = inertia_of(shape);
    DVec3 turned[3]; // rows of the rotation times the inertia
    for (int k = 0; k < 3; ++k) {
        const DVec3 r = row[k];
        turned[k] = {r.x * i[0] + r.y * i[3] + r.z * i[4], r.x * i[3] + r.y * i[1] + r.z * i[5],
                     r.x * i[4] + r.y * i[5] + r.z * i[2]};
    }
    const DVec3 c = wide(shape.centre);
    return mass_properties(shape.mass, wide(position) + DVec3{dot(row[0], c), dot(row[1], c), dot(row[2], c)},
                           {dot(turned[0], row[0]), dot(turned[1], row[1]), dot(turned[2], row[2]),
                            dot(turned[0], row[1]), dot(turned[0], row[2]), dot(turned[1], row[2])});
}

MassProperties sum(std::span<const MassProperties> parts) {
    double mass = 0;
    DVec3 moment;
    for (const MassProperties& p : parts) {
        mass += p.mass;
        moment = moment + p.mass * wide(p.centre);
    }
    if (!(mass > 0)) return {};
    const DVec3 centre = (1 / mass) * moment;
    Symmetric total{};
    for (const MassProperties& p : parts) {
        const Symmetric own = inertia_of(p), moved = steiner(p.mass, wide(p.centre) - centre);
        for (std::size_t k = 0; k < 6; ++k) total[k] += own[k] + moved[k];
    }
    return mass_properties(mass, centre, total);
}

Symmetric inertia_of(const MassProperties& m) {
    return {m.inertia.x, m.inertia.y, m.inertia.z, m.products.x, m.products.y, m.products.z};
}

Symmetric inverse_inertia_of(const MassProperties& mass) {
    const auto [xx, yy, zz, xy, xz, yz] = inertia_of(mass);
    const Symmetric adjugate = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                                xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    const double determinant = xx * adjugate[0] + xy * adjugate[3] + xz * adjugate[4];
    Symmetric inverse{};
    for (std::size_t k = 0; determinant > 0 && k < 6; ++k) inverse[k] = adjugate[k] / determinant;
    return inverse;
}

void invert_inertia(const MassProperties& mass, float out[6]) {
    const Symmetric inverse = inverse_inertia_of(mass);
    std::transform(inverse.begin(), inverse.end(), out, [](double e) { return static_cast<float>(e); });
}

std::string mass_fault(const MassProperties& mass) {
    if (!std::isfinite(mass.mass) || !(mass.mass > 0))
        return "the mass must be positive and finite, not " + number_text(mass.mass);
    if (!is_finite(mass.centre)) return "the centre of mass is not finite: " + triple(mass.centre);
    // written only where something is wrong: worlds are made of a million bodies
    const auto inertia = [&] { return triple(mass.inertia) + ", products " + triple(mass.products); };
    if (!is_finite(mass.inertia) || !is_finite(mass.products))
        return "the inertia is not finite: " + inertia();
    Symmetric i = inertia_of(mass);
    const double trace = i[0] + i[1] + i[2];
    if (!(trace > 0)) return "the inertia is not positive definite: " + inertia();
    for (double& e : i) e /= trace;
    if (!positive_definite(i)) return "the inertia is not positive definite: " + inertia();

    // no moment exceeds the sum of the two others: the integrals of x x^T, trace / 2 - I, are not negative
    const double half = 0.5 + 1e-5; // a flat body stands on the border, and floats round
    if (!positive_definite({half - i[0], half - i[1], half - i[2], -i[3], -i[4], -i[5]}))
        return "no body has this inertia, a principal moment exceeds the sum of the two others: " + inertia();

    float inverse[6];
    invert_inertia(mass, inverse);
    bool usable = inverse[0] > 0 && inverse[1] > 0 && inverse[2] > 0 && std::isfinite(1 / mass.mass);
    for (float e : inverse) usable = usable && std::isfinite(e);
    if (!usable)
        return "mass " + number_text(mass.mass) + " and inertia " + inertia() +
               " are too small or too uneven to invert";
    return {};
}

} // namespace scree
