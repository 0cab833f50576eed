// SPDX-License-Identifier: MIT
// hull_fields.h — hulls in snapshots and recordings: written as they are, checked when read.
#pragma once

#include "bytes/fields.h"
#include "scree/shape.h"

#include <memory>

namespace scree::bytes {

constexpr std::size_t least_hull_bytes = 300; ///< a tetrahedron takes more

void write_hull(FieldWriter& out, const HullGeometry& hull);
/// Throws Error unless it is a convex polyhedron that fits together.
std::shared_ptr<const HullGeometry> read_hull(FieldReader& in);

} // namespace scree::bytes
