// SPDX-License-Identifier: MIT
// shape_facts.h — a shape in the form that the kernels of bounds need (kernels/rigid_bounds.h).
#pragma once

#include "rigid/kernels.h"
#include "rigid/storage.h"

#include <cstdint>

namespace scree {

inline rigid::ShapeFacts shape_facts(const ShapeRecord& shape, const std::uint32_t* hull) {
    const Quat& turn = shape.definition.rotation;
    return {static_cast<std::uint32_t>(shape.type),
            {shape.size.x, shape.size.y, shape.size.z},
            shape.radius,
            shape.thickness,
            {shape.offset.x, shape.offset.y, shape.offset.z},
            rigid::make_quat(turn.s, turn.x, turn.y, turn.z),
            hull};
}

/// What tells the words of a shape apart; null: it has none.
inline const void* words_key(const ShapeRecord& shape) {
    if (shape.hull) return &shape.hull.geometry();
    return shape.mesh ? &shape.mesh.geometry() : nullptr;
}

} // namespace scree
