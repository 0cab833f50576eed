// SPDX-License-Identifier: MIT
// mass.h — mass, centre and inertia of shapes (shapes.h) as a body has them, and their sum.
//
// Inertia is a matrix: products holds its entries xy, xz, yz, which are the negated integrals of x y, x z, y z.
// Everything is computed in double and rounded once.
#pragma once

#include "scree/world.h"

#include <array>
#include <span>
#include <string>

namespace scree {

/// As seen from the body in whose frame the shape has that position and rotation, which is taken as unit.
MassProperties placed(const MassProperties& shape, Vec3 position, Quat rotation);

/// Of parts that are all in the body's frame; parts of mass 0 count for nothing, and nothing gives mass 0.
MassProperties sum(std::span<const MassProperties> parts);

/// Symmetric matrices are xx yy zz xy xz yz.
std::array<double, 6> inertia_of(const MassProperties& mass);
inline DVec3 times(const std::array<double, 6>& m, const DVec3& v) {
    return {m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
            m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

/// The inverse of the inertia. Of a matrix without an inverse: zeros.
std::array<double, 6> inverse_inertia_of(const MassProperties& mass);
void invert_inertia(const MassProperties& mass, float out[6]);

/// Why a dynamic body cannot have this mass, with the value; empty if it can.
std::string mass_fault(const MassProperties& mass);

} // namespace scree
