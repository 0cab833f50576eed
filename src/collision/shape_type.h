// SPDX-License-Identifier: MIT
// shape_type.h — the kinds of shapes, numbered as kernels/convex_support.h numbers them.
#pragma once

#include <cstdint>

namespace scree {

enum class ShapeType : std::uint32_t { sphere, capsule, box, cylinder, cone, plane, hull, mesh };

} // namespace scree
