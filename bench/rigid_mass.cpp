// SPDX-License-Identifier: MIT
// rigid_mass.cpp — see rigid_mass.h.
#include "rigid_mass.h"

#include "scree/error.h"

#include <numbers>

namespace scree::bench {

namespace {

using std::numbers::pi;

// each about the part's own centre of mass and axes

RigidMass mass_of(const Box& box, double density) {
    const double x = box.x, y = box.y, z = box.z, mass = 8 * x * y * z * density;
    return {mass, {mass / 3 * (y * y + z * z), mass / 3 * (x * x + z * z), mass / 3 * (x * x + y * y)}};
}

RigidMass mass_of(const Sphere& sphere, double density) {
    const double r = sphere.radius, mass = 4.0 / 3 * pi * r * r * r * density, i = 0.4 * mass * r * r;
    return {mass, {i, i, i}};
}

RigidMass mass_of(const Capsule& capsule, double density) {
    const double r = capsule.radius, h = capsule.half_height;
    const double cylinder = 2 * pi * r * r * h * density, ball = 4.0 / 3 * pi * r * r * r * density;
    const double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
    const double across = cylinder * (0.25 * r * r + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
    return {cylinder + ball, {across, along, across}};
}

RigidMass mass_of(const Cylinder& cylinder, double density) {
    const double r = cylinder.radius, h = cylinder.half_height, mass = 2 * pi * r * r * h * density;
    const double across = mass * (0.25 * r * r + h * h / 3);
    return {mass, {across, 0.5 * mass * r * r, across}};
}

RigidMass mass_of(const Cone& cone, double density) {
    const double r = cone.radius, h = cone.half_height, mass = 2.0 / 3 * pi * r * r * h * density;
    const double across = 0.15 * mass * (r * r + h * h);
    return {mass, {across, 0.3 * mass * r * r, across}};
}

RigidMass mass_of(const Solid& solid, double density) {
    const DVec3 m = density * solid.second_moment;
    return {density * solid.volume, {m.y + m.z, m.x + m.z, m.x + m.y}};
}

RigidMass mass_of(const Geometry& geometry, double density, const Solids& solids) {
    if (const auto* box = std::get_if<Box>(&geometry)) return mass_of(*box, density);
    if (const auto* sphere = std::get_if<Sphere>(&geometry)) return mass_of(*sphere, density);
    if (const auto* capsule = std::get_if<Capsule>(&geometry)) return mass_of(*capsule, density);
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return mass_of(*cylinder, density);
    if (const auto* cone = std::get_if<Cone>(&geometry)) return mass_of(*cone, density);
    return mass_of(solids[std::get<Hull>(geometry)], density);
}

/// in the part's frame
DVec3 centre_of_mass(const Geometry& geometry) {
    if (const auto* cone = std::get_if<Cone>(&geometry)) return {0, -0.5 * cone->half_height, 0};
    return {};
}

} // namespace

Solids::Solids(const BenchScene& scene) {
    for (const RigidShape& shape : scene.rigid.shapes)
        for (const RigidShape::Part& part : shape.parts)
            if (const auto* hull = std::get_if<Hull>(&part.geometry))
                solids_.try_emplace(&hull->geometry(), solid_of(hull->vertices()));
}

RigidMass mass_of(const BenchScene& scene, const RigidBodyDef& body, const Solids& solids) {
    RigidMass sum;
    for (const RigidShape::Part& part : scene.parts(body)) {
        const ShapeDef& shape = part.definition;
        const RigidMass own = mass_of(part.geometry, body.density.value_or(shape.density), solids);
        const DQuat back = conjugate(wide(shape.rotation));
        const DVec3 at = wide(shape.position) + rotate(wide(shape.rotation), centre_of_mass(part.geometry));
        // the diagonal of the turned tensor; what is beside it cancels between the parts
        const DVec3 columns[] = {rotate(back, {1, 0, 0}), rotate(back, {0, 1, 0}), rotate(back, {0, 0, 1})};
        const auto about = [&](const DVec3& axis) {
            return own.inertia.x * axis.x * axis.x + own.inertia.y * axis.y * axis.y +
                   own.inertia.z * axis.z * axis.z;
        };
        const double square = dot(at, at);
        sum.mass += own.mass;
        sum.inertia = sum.inertia + DVec3{about(columns[0]) + own.mass * (square - at.x * at.x),
                                          about(columns[1]) + own.mass * (square - at.y * at.y),
                                          about(columns[2]) + own.mass * (square - at.z * at.z)};
    }
    return sum;
}

} // namespace scree::bench
