// SPDX-License-Identifier: MIT
// checksum.h — the 64-bit checksum of recordings: fast, portable, sure to notice any change within a word.
//
// Eight bytes at a time, little-endian. Each round is a bijection of the running value and of the word, so
// that two inputs of equal length which differ in one word only never collide. Not meant against forgery.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scree::bytes {

inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    constexpr std::uint64_t word_factor = 0x9e3779b97f4a7c15u, round_factor = 0xd6e8feb86659fd93u;
    std::uint64_t sum = bytes.size() * round_factor;
    const auto mix = [&](std::uint64_t word) {
        sum = std::rotl(sum ^ (word * word_factor), 29) * round_factor;
    };

    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{bytes[at + i]} << (8 * i);
        mix(word);
    }
    // the rest as one word padded with zeros; the length is in the start value
    std::uint64_t tail = 0;
    for (std::size_t i = 0; at + i < bytes.size(); ++i) tail |= std::uint64_t{bytes[at + i]} << (8 * i);
    mix(tail);

    sum = (sum ^ (sum >> 32)) * word_factor;
    return sum ^ (sum >> 29);
}

} // namespace scree::bytes
