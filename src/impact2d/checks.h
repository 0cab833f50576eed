// SPDX-License-Identifier: MIT
// checks.h — refuses settings and bodies of a StagedImpactWorld that are out of range.
#pragma once

#include "scree/staged_impact.h"

#include <span>
#include <string>

namespace scree::impact2d {

void check(const StagedImpactSettings& settings);
/// `where` names the body.
void check(const StagedCircle& circle, const StagedImpactSettings& settings, const std::string& where);
void check(const StagedPolygon& polygon, const std::string& where);
/// A body that a world has already: how fast it is, and how far it went and turned, needs no check. Whether it moves is kept, and
/// where a circle is in its room.
StagedCircle under_way(StagedCircle circle);
StagedPolygon under_way(StagedPolygon polygon);
/// Each by its number.
void check_all(std::span<const StagedCircle> circles, const StagedImpactSettings& settings);
void check_all(std::span<const StagedPolygon> polygons);

} // namespace scree::impact2d
