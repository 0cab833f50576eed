// SPDX-License-Identifier: MIT
// patch.h — Bézier patches to triangles.
#pragma once

#include "scree/level.h"

namespace scree {

/// Vertices, coordinates and triangles, at most `error` units from the surface, unless that takes more than 64 steps across two
/// control points. Triangles without area are left out.
LevelPatch tessellate(const MapPatch& patch, double error);

} // namespace scree
