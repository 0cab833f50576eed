// SPDX-License-Identifier: MIT
// rigid_mass.h — masses and polyhedra of a scene's bodies, in double precision and alike for every engine.
#pragma once

#include "bench_scene.h"
#include "rigid_solid.h"

#include <map>

namespace scree::bench {

/// The polyhedra of a scene's hulls.
class Solids {
public:
    explicit Solids(const BenchScene& scene);
    const Solid& operator[](const Hull& hull) const { return solids_.at(&hull.geometry()); }

private:
    std::map<const HullGeometry*, Solid> solids_;
};

struct RigidMass {
    double mass = 0;
    DVec3 inertia; ///< about the body's axes
};

/// From the densities; for fixed bodies too.
RigidMass mass_of(const BenchScene& scene, const RigidBodyDef& body, const Solids& solids);

} // namespace scree::bench
