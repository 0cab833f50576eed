// SPDX-License-Identifier: MIT
// state_hash.h — 64 bits over a stream of words, the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace scree {

/// FNV-1a over 32-bit words with a final mix (splitmix64).
class StateHash {
public:
    void add(std::uint32_t word) { value_ = (value_ ^ word) * 0x100000001b3ull; }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }

    std::uint64_t value() const {
        std::uint64_t h = value_;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
        return h ^ (h >> 31);
    }

private:
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

} // namespace scree
