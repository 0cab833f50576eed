// SPDX-License-Identifier: MIT
// checks.h — settings, shapes, bodies and obstacles are checked as they arrive.
#pragma once

#include "scree/granular.h"

namespace scree {

// each throws Error; its where() names the field
void check(const GranularSettings& settings);
void check(const GranularShape& shape, const GranularSettings& settings);
void check(const GranularBodyDef& body, std::size_t shapes);
void check(const Obstacle& obstacle);

} // namespace scree
