// SPDX-License-Identifier: MIT
// principal_axes.h — the centre of mass and the principal axes of a set of particles.
#pragma once

#include "scree/granular.h"

#include <vector>

namespace scree {

/// The share of a particle in its body's mass.
enum class ParticleSolid {
    sphere, ///< the sphere itself: weighs as r^3, spins with 2/5 r^2
    cell    ///< the cube of side 2r around it, a cell of the lattice: weighs as r^3, spins with 2/3 r^2
};

/// Moves the particles (offsets and outward directions) to their centre of mass and principal axes and
/// returns the principal moments for 1 kg. Overlap of particles counts twice.
///
/// The axes are named after the old axes they are nearest to and point the same way, so a set that is already
/// aligned stays as it is; the frame is right-handed.
Vec3 move_to_principal_axes(std::vector<ShapeParticle>& particles, ParticleSolid solid);

} // namespace scree
