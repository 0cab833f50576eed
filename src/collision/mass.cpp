// SPDX-License-Identifier: MIT
// mass.cpp — mass properties in closed form; of hulls, by tetrahedra.
#include "collision/mass.h"

#include "collision/hull.h"
#include "text/number_text.h"

#include "scree/error.h"

#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

namespace scree {
namespace {

constexpr double pi = 3.14159265358979323846;

/// xx yy zz xy xz yz
using Symmetric = std::array<double, 6>;

Symmetric inertia_of(const MassProperties& m) {
    return {m.inertia.x, m.inertia.y, m.inertia.z, m.products.x, m.products.y, m.products.z};
}

MassProperties properties(double mass, DVec3 centre, const Symmetric& i) {
    return {static_cast<float>(mass), narrow(centre), narrow(DVec3{i[0], i[1], i[2]}),
            narrow(DVec3{i[3], i[4], i[5]})};
}

/// A body of revolution about y.
MassProperties round_body(double mass, double height, double across, double along) {
    return properties(mass, {0, height, 0}, {across, along, across, 0, 0, 0});
}

MassProperties mass_of(const Sphere& s, double density) {
    const double r = s.radius, m = density * 4 / 3 * pi * r * r * r, i = 0.4 * m * r * r;
    return round_body(m, 0, i, i);
}

MassProperties mass_of(const Capsule& c, double density) {
    const double r = c.radius, h = c.half_height;
    const double tube = density * pi * r * r * 2 * h, ball = density * 4 / 3 * pi * r * r * r;
    // a hemisphere's centre lies 3/8 r beyond its rim
    const double across = tube * (3 * r * r + 4 * h * h) / 12 + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    return round_body(tube + ball, 0, across, tube * r * r / 2 + ball * 0.4 * r * r);
}

MassProperties mass_of(const Box& b, double density) {
    const double x = b.x, y = b.y, z = b.z, m = density * 8 * x * y * z;
    return properties(m, {},
                      {m / 3 * (y * y + z * z), m / 3 * (x * x + z * z), m / 3 * (x * x + y * y), 0, 0, 0});
}

MassProperties mass_of(const Cylinder& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h;
    return round_body(m, 0, m * (3 * r * r + 4 * h * h) / 12, m * r * r / 2);
}

MassProperties mass_of(const Cone& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h / 3;
    return round_body(m, -h / 2, 0.15 * m * (r * r + h * h), 0.3 * m * r * r);
}

MassProperties mass_of(const Plane&, double) {
    throw Error("a plane has no mass; it belongs on fixed bodies", "mass_of");
}

MassProperties mass_of(const Hull& hull, double density) {
    if (!hull) throw Error("the hull is empty; Hull::from_points makes one", "mass_of");
    const HullGeometry& g = hull.geometry();
    Symmetric i = g.inertia;
    for (double& e : i) e *= density;
    return properties(density * g.volume, wide(g.centroid), i);
}

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

MassProperties mass_of(const Geometry& geometry, float density) {
    return std::visit([density](const auto& shape) { return mass_of(shape, static_cast<double>(density)); },
                      geometry);
}

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
    return properties(shape.mass, wide(position) + DVec3{dot(row[0], c), dot(row[1], c), dot(row[2], c)},
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
    return properties(mass, centre, total);
}

void invert_inertia(const MassProperties& mass, float out[6]) {
    const auto [xx, yy, zz, xy, xz, yz] = inertia_of(mass);
    const Symmetric adjugate = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                                xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    const double determinant = xx * adjugate[0] + xy * adjugate[3] + xz * adjugate[4];
    for (std::size_t k = 0; k < 6; ++k)
        out[k] = determinant > 0 ? static_cast<float>(adjugate[k] / determinant) : 0.0f;
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
    bool usable = inverse[0] > 0 && std::isfinite(1 / mass.mass);
    for (float e : inverse) usable = usable && std::isfinite(e);
    if (!usable)
        return "mass " + number_text(mass.mass) + " and inertia " + inertia() +
               " are too small or too uneven to invert";
    return {};
}

void weigh_hull(HullGeometry& hull) {
    // the tetrahedra between a point inside and the faces
    DVec3 inside;
    for (const Vec3& v : hull.vertices) inside = inside + wide(v);
    inside = (1.0 / hull.vertex_count()) * inside;

    double volume = 0;
    DVec3 moment;                                          // of x, from inside
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0; // of x x^T, from inside
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const auto loop = hull.face(f);
        const DVec3 a = wide(hull.vertices[loop[0]]) - inside;
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            const DVec3 b = wide(hull.vertices[loop[k]]) - inside,
                        c = wide(hull.vertices[loop[k + 1]]) - inside;
            const double v = dot(a, cross(b, c)) / 6;
            const DVec3 s = a + b + c;
            volume += v;
            moment = moment + (v / 4) * s;
            const double w = v / 20;
            xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
            yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
            zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
            xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
            xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
            yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
        }
    }
    const DVec3 o = (1 / volume) * moment;
    xx -= volume * o.x * o.x;
    yy -= volume * o.y * o.y;
    zz -= volume * o.z * o.z;
    xy -= volume * o.x * o.y;
    xz -= volume * o.x * o.z;
    yz -= volume * o.y * o.z;
    const DVec3 centroid = inside + o;
    hull.volume = volume;
    hull.centroid = narrow(centroid);
    hull.inertia = {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
}

} // namespace scree
