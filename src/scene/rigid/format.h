// SPDX-License-Identifier: MIT
// format.h — the keys of the objects in rigid scenes; see scene/format.h. Capsule, cylinder and cone have those of `round`.
#pragma once

#include "scene/format.h"

namespace scree::format {

extern const Object material, filter, rigid_shape, part, rigid_sphere, rigid_box, round, rigid_plane, hull,
    rigid_mesh, convex_parts, level, drawn, height_field, rigid_body, each, rigid_generator, pyramid, stack,
    wall, rigid_lattice, container, funnel, arch, card_house, chain, molecule, ragdolls, joint, joint_limit,
    joint_motor, joint_spring, joint_axis, joint_axes, joint_pose, character, figure, clip_blend, motion,
    motion_key, force, force_field, wind, water, attractor, region, explosion, action, script_line,
    body_paint, cloth, cloth_grid, cloth_balloon, cloth_tube, cloth_rope, cloth_material, cloth_pin;

} // namespace scree::format
