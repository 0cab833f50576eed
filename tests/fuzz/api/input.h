// SPDX-License-Identifier: MIT
// input.h — the bytes that a sequence of calls is made from: a header and records of equal length, one for each call.
//
// Records make inputs easy to change: a call is added, left out or moved without touching the others. Every string of bytes is
// an input; a record that is too short reads as zeros.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace scree::fuzz {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t record_bytes = 16;
constexpr std::size_t most_records = 64;
constexpr std::size_t most_bytes = record_bytes * (1 + most_records);

/// Reads one record. The last bytes say which number, if any, is replaced by a wrong one.
class Reader {
public:
    Reader() = default;
    Reader(std::span<const std::uint8_t> input, std::size_t record) {
        const std::size_t first = std::min(record * record_bytes, input.size());
        const auto bytes = input.subspan(first, std::min(record_bytes, input.size() - first));
        std::copy(bytes.begin(), bytes.end(), bytes_.begin());
        for (const std::uint8_t byte : bytes_) more_ = more_ * 31 + byte;
    }

    /// After the end the bytes go on as a function of those before.
    std::uint8_t byte() {
        if (at_ < record_bytes - 2) return bytes_[at_++];
        more_ = more_ * 1664525 + 1013904223;
        return static_cast<std::uint8_t>(more_ >> 24);
    }
    std::uint32_t below(std::uint32_t count) { return byte() % count; }
    bool chance(int of_256) { return byte() < of_256; }
    template <class T, std::size_t n>
    T one_of(const T (&choices)[n]) {
        return choices[below(n)];
    }
    /// From `low` to nearly `high`, in 256 steps.
    float number(float low, float high) {
        return checked(low + (high - low) * static_cast<float>(byte()) / 256);
    }
    template <std::size_t n>
    float number_of(const float (&choices)[n]) {
        return checked(one_of(choices));
    }
    /// Whether this record is to hold a wrong argument.
    bool wrong() const { return bytes_[record_bytes - 1] >= 0xe8; }
    std::uint8_t which_wrong() const { return bytes_[record_bytes - 2]; }

private:
    /// In a wrong record, one of the first four numbers is one that a caller should not pass.
    float checked(float value) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr float unusual[] = {std::numeric_limits<float>::quiet_NaN(),
                                     infinity,
                                     -infinity,
                                     -1,
                                     0,
                                     -0.0f,
                                     1e6f,
                                     -1e6f,
                                     1e-6f,
                                     1e-42f,
                                     1e4f,
                                     -1e3f,
                                     1000,
                                     -1e-3f};
        if (!wrong() || numbers_++ != (bytes_[record_bytes - 1] & 3)) return value;
        return unusual[which_wrong() % std::size(unusual)];
    }

    std::array<std::uint8_t, record_bytes> bytes_{};
    std::size_t at_ = 0;
    std::uint32_t more_ = 1;
    int numbers_ = 0;
};

inline std::size_t records_of(std::span<const std::uint8_t> input) {
    const std::size_t all = (input.size() + record_bytes - 1) / record_bytes;
    return std::min(all ? all - 1 : 0, most_records);
}

using Random = std::minstd_rand;

inline std::uint8_t random_byte(Random& random) { return static_cast<std::uint8_t>(random() >> 8); }

Bytes random_input(Random& random);
/// One to four changes: a record added, doubled, removed or moved, bytes changed, records of the other input taken over.
void mutate(Bytes& input, std::span<const std::uint8_t> other, Random& random);

} // namespace scree::fuzz
