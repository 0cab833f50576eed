// SPDX-License-Identifier: MIT
// records.h — the world's bodies, joints and pairs of shapes as a step wants them, wherever it is computed.
#pragma once

#include "rigid/kernels.h"
#include "world/state.h"
#include "world/storage.h"

#include <cstdint>

namespace scree {

constexpr std::uint32_t colour_count = 32;
constexpr std::uint32_t no_colour = 0xff; ///< a contact that does not touch or sleeps
constexpr std::uint32_t overflow = 32;    ///< touches, but every colour is taken at one of its bodies

/// How a pair's manifold is made.
enum class PairKind : std::uint32_t { boxes, rounds, ball_box, box_ball, convex, count };
PairKind kind_of(ShapeType a, ShapeType b);

/// Whether two shapes may touch: one of their bodies is pushed by contacts, their filters agree, no joint forbids it.
bool wanted_pair(const World::State& world, std::uint32_t a, std::uint32_t b);

/// The quads of kernels/rigid_body.h.
void body_constants(const BodyRecord& body, float out[4 * BODY_CONSTANTS]);
/// JOINT_RECORD quads of kernels/rigid_joint.h; those of the impulses stay as they are.
void joint_quads(const JointRecord& joint, float* quads);
/// JOINT_LIMITS quads of kernels/rigid_rows.h.
void joint_limit_quads(const JointRecord& joint, float* quads);

} // namespace scree
