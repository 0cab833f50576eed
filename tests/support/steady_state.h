// SPDX-License-Identifier: MIT
// steady_state.h — what a test asks of the heap: an operator new of its own, for the whole program of tests.
#pragma once

#include <cstdint>

namespace scree::test {

/// Calls of the global operator new so far, on all threads.
std::uint64_t heap_calls();

} // namespace scree::test
