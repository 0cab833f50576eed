// SPDX-License-Identifier: MIT
// target.h — what the fuzzers of the API share: libFuzzer's three functions for one kind of world.
#pragma once

#include "fuzz/api/driver.h"

#include <cstdlib>
#include <iostream>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace scree::fuzz {

/// Ends the program when the two worlds differ. With SCREE_PRINT_CALLS in the environment prints each call before it is made,
/// for inputs that crash.
inline int test_one(Kind kind, std::span<const std::uint8_t> input) {
    static const Places places{Place({.threads = 1}), Place({.device = "cpu:kernels", .threads = 1})};
    static Tally& tally = *new Tally; // still there when the program ends
    static const bool prints = std::getenv("SCREE_PRINT_CALLS") != nullptr;
    [[maybe_unused]] static const int at_end =
        kind == Kind::rigid ? std::atexit([] { std::cerr << tally.report(Kind::rigid); })
                            : std::atexit([] { std::cerr << tally.report(Kind::granular); });
    const std::optional<std::string> difference =
        play(kind, input, places, tally, prints ? &std::cerr : nullptr);
    if (!difference) return 0;
    Tally none;
    if (!prints) play(kind, input, places, none, &std::cerr);
    std::cerr << "\n" << *difference << "\nscree_api_fuzz FILE makes the input smaller\n";
    std::abort();
}

/// Mostly changes of whole calls; sometimes libFuzzer's own.
inline std::size_t change(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    Random random(seed * 2 + 1);
    if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
    // short inputs hardly do anything: they grow at once, and now and then something new comes in
    Bytes input =
        size < 4 * record_bytes || random() % 32 == 0 ? random_input(random) : Bytes(data, data + size);
    mutate(input, {}, random);
    input.resize(std::min(input.size(), most));
    std::copy(input.begin(), input.end(), data);
    return input.size();
}

inline std::size_t cross(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, std::uint8_t* out,
                         std::size_t most, unsigned seed) {
    Random random(seed * 2 + 1);
    Bytes input(a.begin(), a.end());
    mutate(input, b, random);
    input.resize(std::min(input.size(), most));
    std::copy(input.begin(), input.end(), out);
    return input.size();
}

} // namespace scree::fuzz

#define SCREE_API_FUZZER(kind)                                                                               \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {                      \
        return scree::fuzz::test_one(kind, {data, size});                                                    \
    }                                                                                                        \
    extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,   \
                                                   unsigned seed) {                                          \
        return scree::fuzz::change(data, size, most, seed);                                                  \
    }                                                                                                        \
    extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t size_a,              \
                                                     const std::uint8_t* b, std::size_t size_b,              \
                                                     std::uint8_t* out, std::size_t most, unsigned seed) {   \
        return scree::fuzz::cross({a, size_a}, {b, size_b}, out, most, seed);                                \
    }
