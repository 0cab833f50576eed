// SPDX-License-Identifier: MIT
// query_image.h — the shapes of a world for rays on a device, and a batch of these.
#pragma once

#include "device/kernel_table.h"
#include "scree/query.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// As kernels/query_params.h lays it out; QUERY_SHAPE_HULL is the device's.
struct QueryImage {
    std::uint64_t version = 0; ///< of the content; 0: none
    std::vector<std::uint32_t> shapes, proxies;
    std::vector<float> nodes;
    kernels::QueryTree tree[QUERY_TREES]{};
};

/// All pointers are of the device.
struct RayBatch {
    const RayCast* rays;
    std::size_t count;
    QueryHit* closest; ///< the nearest hit of each
    std::uint8_t* any; ///< or whether there is one
    Filter filter;
    std::uint32_t ignored; ///< body, or none
};

} // namespace scree
