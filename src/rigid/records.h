// SPDX-License-Identifier: MIT
// records.h — the world's bodies, joints and pairs of shapes in the form that steps need, on any device.
#pragma once

#include "rigid/kernels.h"
#include "rigid/storage.h"

#include <cstdint>

namespace scree {

constexpr std::uint32_t colour_count = COLOUR_OVERFLOW;
constexpr std::uint32_t no_colour = COLOUR_NONE; ///< a contact that does not touch or sleeps
constexpr std::uint32_t overflow =
    COLOUR_OVERFLOW; ///< touches, but every colour is taken at one of its bodies

/// How a pair's manifold is made.
enum class PairKind : std::uint32_t {
    boxes = KIND_BOXES,
    rounds = KIND_ROUNDS,
    ball_box = KIND_BALL_BOX,
    box_ball = KIND_BOX_BALL,
    convex = KIND_CONVEX,
    mesh = KIND_MESH,
    ///< then the other slots of a pair with a mesh
    sensor = KIND_SENSOR, ///< the first shape is one
    sensed = KIND_SENSED, ///< the second is
    count
};
PairKind kind_of(const ShapeRecord& a, const ShapeRecord& b);
/// SHAPE_RULES of kernels/pipeline_params.h
std::uint32_t shape_traits(const ShapeDef& shape);

/// Of a shape's part, such as a triangle of a mesh.
inline const Material& material_of(const ShapeRecord& shape, std::uint32_t part) {
    if (shape.type != ShapeType::mesh || shape.mesh.options().materials.empty())
        return shape.definition.material;
    const MeshOptions& options = shape.mesh.options();
    return options.materials[part < options.material_of.size() ? options.material_of[part] : 0];
}

/// Whether two shapes may touch: one of their bodies is pushed by contacts, their filters agree, no joint forbids it.
bool wanted_pair(const RigidStorage& world, std::uint32_t a, std::uint32_t b);

/// The quads of kernels/rigid_body.h.
void body_constants(const BodyRecord& body, float out[4 * BODY_CONSTANTS]);
/// JOINT_RECORD quads of kernels/rigid_joint.h; those of the impulses stay as they are.
void joint_quads(const JointRecord& joint, std::uint32_t world_side, float* quads);
/// Which body is the world itself: 0 none, 1 the second, 2 the first.
inline std::uint32_t world_side(const JointRecord& joint) {
    return joint.body[1] == 0 ? 1 : joint.body[0] == 0 ? 2 : 0;
}
/// Whether kernels read limits of the joint.
inline bool has_limits(const JointRecord& joint) {
    return !joint.bounded.empty() || (joint.rows & ROWS_BREAKS);
}
/// JOINT_LIMITS quads of kernels/rigid_rows.h.
void joint_limit_quads(const JointRecord& joint, float* quads);

} // namespace scree
