// SPDX-License-Identifier: MIT
// state_bytes.h — what a running scene keeps besides its world, as bytes behind those of the world.
#pragma once

#include "scree/rigid_scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scree {

std::vector<std::byte> with_state(const std::vector<std::byte>& world, const SceneState& state);
/// The bytes of the world. `state` is replaced. Throws Error for bytes that are damaged or those of
/// another scene; `state` is undefined then.
std::span<const std::byte> without_state(std::span<const std::byte> saved, const RigidScene& scene,
                                         SceneState& state);

} // namespace scree
