// SPDX-License-Identifier: MIT
// collider_words.h — the colliders of a cloth as its kernels read them: near ones together, with bounds that pass over many at once.
#pragma once

#include "kernels/host_params.h"
#include "scree/cloth.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// The colliders of one kind in the order in which they act: as they were added, or near ones together where bounds are worth
/// while, more than CLOTH_GROUP of them.
std::vector<std::uint32_t> collider_order(std::span<const ClothCollider> all, ClothCollider::Kind kind);

/// Layout: see cloth_params.h. Sets the parameters that say where things are.
std::vector<float> collider_words(std::span<const ClothCollider> all, float substep,
                                  kernels::ClothParams& params);

} // namespace scree
