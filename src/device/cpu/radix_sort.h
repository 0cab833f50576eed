// SPDX-License-Identifier: MIT
// radix_sort.h — stable sort of keys with values, and prefix sums, on a task system.
#pragma once

#include "scree/place.h"

#include <cstdint>
#include <vector>

namespace scree {

/// Least significant digit first; the result is in keys and values. `histogram` is scratch kept by the caller.
void radix_sort(TaskSystem& tasks, std::uint32_t* keys, std::uint32_t* values, std::uint32_t* spare_keys,
                std::uint32_t* spare_values, std::uint32_t count, int bits,
                std::vector<std::uint32_t>& histogram);
void radix_sort(TaskSystem& tasks, std::uint64_t* keys, std::uint32_t* values, std::uint64_t* spare_keys,
                std::uint32_t* spare_values, std::uint32_t count, int bits,
                std::vector<std::uint32_t>& histogram);

/// out may be in
void exclusive_sum(TaskSystem& tasks, const std::uint32_t* in, std::uint32_t* out, std::uint32_t count);

} // namespace scree
