// SPDX-License-Identifier: MIT
// host_memory.h — how much memory this machine has, so that too large a world is refused instead of killed.
#pragma once

#include <cstdint>

namespace scree {

/// Bytes of physical memory; the largest number there is where the system does not say.
std::uint64_t host_memory();

} // namespace scree
