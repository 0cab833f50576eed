// SPDX-License-Identifier: MIT
// material.h — how surfaces rub and bounce.
#pragma once

#include "scree/math.h"

namespace scree {

/// How the coefficients of two materials are combined. If the two rules differ, the later one in this list applies.
enum class Combine { geometric_mean, average, least, product, greatest };

struct Material {
    float friction = 0.6f;
    float restitution = 0;
    /// m: the torque against rolling is this times the normal force
    float rolling_resistance = 0;
    /// m/s, in the shape's frame: for conveyor belts
    Vec3 surface_velocity{};
    Combine friction_rule = Combine::geometric_mean;
    Combine restitution_rule = Combine::greatest;
    friend bool operator==(const Material&, const Material&) = default;
};

} // namespace scree
