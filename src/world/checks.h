// SPDX-License-Identifier: MIT
// checks.h — checks of all arguments of a World, before anything changes.
#pragma once

#include "geometry/material.h"
#include "scree/world.h"
#include "text/checks.h"

namespace scree {

// each throws Error; its where() names the field and what() the value
void check(const WorldSettings& settings);
void check(const BodyDef& body);
void check(const MassProperties& mass);
void check(const Geometry& geometry);
void check(const Region& region);
void check(const ShapeDef& shape);
/// Everything except the bodies.
void check(const JointDef& joint);
void check(BodyType type);
/// 0 is allowed; with Solver::impact at most an hour, whose flights can be counted.
void check_step(float dt, Solver solver);

} // namespace scree
