// SPDX-License-Identifier: MIT
// host_memory.h — the memory of this machine, to refuse worlds that are too large.
#pragma once

#include <cstdint>

namespace scree {

/// Bytes of physical memory; the largest std::uint64_t if unknown.
std::uint64_t host_memory();

} // namespace scree
