// SPDX-License-Identifier: MIT
// checks.h — checks of all arguments of a World, before anything changes.
#pragma once

#include "scree/world.h"

#include <string_view>

namespace scree {

// each throws Error; its where() names the field and what() the value
void check(const WorldSettings& settings);
void check(const BodyDef& body);
void check(const MassProperties& mass);
void check(const Geometry& geometry);
void check(const Material& material);
void check(const ShapeDef& shape);
/// Everything except the bodies.
void check(const JointDef& joint);
void check(BodyType type);
/// 0 is allowed.
void check_step(float dt);

void check_finite(float value, std::string_view where);
void check_finite(const Vec3& value, std::string_view where);
/// As a float too.
void check_finite(const DVec3& value, std::string_view where);
void check_not_negative(float value, std::string_view where);
void check_positive(float value, std::string_view where);
/// Normalizes a quaternion whose length is within 0.001 of 1; refuses others.
Quat unit_rotation(const Quat& rotation, std::string_view where);

} // namespace scree
