// SPDX-License-Identifier: MIT
// ids.h — what names the bodies, shapes, joints and fields of a World: an index and a generation.
#pragma once

#include <cstdint>

namespace scree {

struct BodyId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const BodyId&, const BodyId&) = default;
};
struct ShapeId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const ShapeId&, const ShapeId&) = default;
};
struct JointId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const JointId&, const JointId&) = default;
};
struct FieldId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const FieldId&, const FieldId&) = default;
};
struct ClothId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const ClothId&, const ClothId&) = default;
};

} // namespace scree
