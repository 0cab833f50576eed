// SPDX-License-Identifier: MIT
// format.h — the keys of the objects in granular scenes; see scene/format.h.
#pragma once

#include "scene/format.h"

namespace scree::format {

extern const Object shape, cube, cuboid, grain, ball, capsule, desk, particle, mesh, body, generator, stream,
    tower, lattice, obstacle, plane, box, sphere, close_pairs;

} // namespace scree::format
