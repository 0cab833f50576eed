// SPDX-License-Identifier: MIT
// steady_state.h — what a test asks of the heap: an operator new of its own, for the whole program of tests.
#pragma once

#include <cstdint>

namespace scree::test {

/// Calls of the global operator new so far, on all threads.
std::uint64_t heap_calls();

/// Bytes that the global operator new has given and that were not taken back, on all threads; always 0 where the C library does not
/// tell how large a block is.
std::uint64_t heap_bytes();
/// The most of these since `forget_most_heap_bytes`.
std::uint64_t most_heap_bytes();
void forget_most_heap_bytes();

} // namespace scree::test
