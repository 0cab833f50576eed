// SPDX-License-Identifier: MIT
// host_memory.cpp — see host_memory.h.

#include "device/host_memory.h"

#include <limits>

#if __has_include(<unistd.h>) && !defined(__EMSCRIPTEN__)
#include <unistd.h>
#endif

namespace scree {

std::uint64_t host_memory() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE) && !defined(__EMSCRIPTEN__)
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
#endif
    return std::numeric_limits<std::uint64_t>::max();
}

} // namespace scree
