// SPDX-License-Identifier: MIT
// checks.h — checks of settings, shapes, bodies and obstacles.
#pragma once

#include "scree/granular.h"

namespace scree {

// each throws Error; its where() names the field
void check(const GranularSettings& settings);
void check(const GranularShape& shape, const GranularSettings& settings);
void check(const GranularBodyDef& body, std::size_t shapes);
void check(const Obstacle& obstacle);

/// Zero where particles do not move the obstacle. Those of one that was checked are finite.
struct InverseMass {
    float mass = 0;
    Vec3 moments{};
};
InverseMass inverse_mass(const Obstacle& obstacle);

} // namespace scree
