// SPDX-License-Identifier: MIT
// query_check.h — asks worlds of every shape random questions and judges the answers by brute force.
#pragma once

#include "scree/place.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree::bench {

/// Of one kind of question.
struct QueryCheck {
    std::string kind;
    std::uint64_t asked = 0, agreed = 0;
    std::uint64_t unclear = 0; ///< not judged: a miss or a hit by less than floats can tell
    std::uint64_t hits = 0;
    std::uint64_t inside = 0; ///< of them, at the very beginning of a ray or cast
    std::string first;        ///< difference
    bool equal() const { return agreed + unclear == asked; }
};

/// So many of each kind, in batches, rays also from the memory of the device, in worlds of spheres, capsules, boxes, cylinders, cones, hulls, planes, meshes, height
/// fields and compounds, which change every few hundred questions. `progress` is told the share that is done.
std::vector<QueryCheck> check_queries(const Place& place, std::uint32_t seed, std::uint32_t count,
                                      const std::function<void(double)>& progress = {});

} // namespace scree::bench
