// SPDX-License-Identifier: MIT
// shape_facts.h — a shape in the form that the kernels of bounds need (kernels/rigid_bounds.h).
#pragma once

#include "collision/hull.h"
#include "rigid/kernels.h"
#include "rigid/storage.h"

#include <algorithm>
#include <cstdint>

namespace scree {

/// How thick the shape is at its thinnest, roughly.
inline float thickness(const ShapeRecord& shape) {
    switch (shape.type) {
    case ShapeType::box:
        return std::min({shape.size.x, shape.size.y, shape.size.z});
    case ShapeType::cylinder:
    case ShapeType::cone:
        return std::min(shape.radius, shape.size.y);
    case ShapeType::hull:
        return shape.hull.geometry().radius;
    default:
        return shape.radius;
    }
}

inline rigid::ShapeFacts shape_facts(const ShapeRecord& shape, const std::uint32_t* hull) {
    const Quat& turn = shape.definition.rotation;
    return {static_cast<std::uint32_t>(shape.type),
            {shape.size.x, shape.size.y, shape.size.z},
            shape.radius,
            thickness(shape),
            {shape.offset.x, shape.offset.y, shape.offset.z},
            rigid::make_quat(turn.s, turn.x, turn.y, turn.z),
            hull};
}

} // namespace scree
