// SPDX-License-Identifier: MIT
// walking_figure.h — a person with a skeleton who walks and stands; a model without a file.
#pragma once

#include "scree/skinned_model.h"

namespace scree {

/// Stands on the origin, along y, and looks along z. Clips: "walk", which goes forward by a step a foot and whose feet do not slide, and
/// "stand". Throws Error for a height that is not from 0.01 to 100 m.
SkinnedModel walking_figure(float height = 1.8f);

} // namespace scree
