// SPDX-License-Identifier: MIT
// radix_sort.cpp — see radix_sort.h.
//
// Each worker owns a contiguous block. It counts its digits; a prefix sum over (digit, worker) gives every worker its
// own places for every digit; it moves its block in order. The result does not depend on the number of workers.

#include "device/cpu/radix_sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace scree {

namespace {

constexpr int digit_bits = 11;
constexpr std::uint32_t least_block = 16384; // below this a worker costs more than it saves

int block_count(const TaskSystem& tasks, std::uint32_t count) {
    return static_cast<int>(
        std::clamp<std::uint32_t>(count / least_block, 1, static_cast<std::uint32_t>(tasks.workers())));
}

std::uint32_t block_begin(std::uint32_t count, int blocks, int b) {
    return static_cast<std::uint32_t>(std::uint64_t{count} * static_cast<std::uint64_t>(b) /
                                      static_cast<std::uint64_t>(blocks));
}

template <class Key>
void sort(TaskSystem& tasks, Key* keys, std::uint32_t* values, Key* spare_keys, std::uint32_t* spare_values,
          std::uint32_t count, int bits, std::vector<std::uint32_t>& histogram) {
    const int passes = std::max(1, (bits + digit_bits - 1) / digit_bits);
    const int width = (bits + passes - 1) / passes;
    const std::uint32_t digits = 1u << width;
    const int blocks = block_count(tasks, count);
    histogram.resize(static_cast<std::size_t>(blocks) * digits);
    Key *from = keys, *to = spare_keys;
    std::uint32_t *from_values = values, *to_values = spare_values;
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = pass * width;
        const Key mask = digits - 1;
        tasks.run(blocks, [&](int b) {
            std::uint32_t* own = histogram.data() + static_cast<std::size_t>(b) * digits;
            std::fill_n(own, digits, 0u);
            for (std::uint32_t i = block_begin(count, blocks, b), end = block_begin(count, blocks, b + 1);
                 i < end; ++i)
                ++own[(from[i] >> shift) & mask];
        });
        std::uint32_t total = 0;
        for (std::uint32_t d = 0; d < digits; ++d) {
            for (int b = 0; b < blocks; ++b) {
                std::uint32_t& entry = histogram[static_cast<std::size_t>(b) * digits + d];
                const std::uint32_t here = entry;
                entry = total;
                total += here;
            }
        }
        tasks.run(blocks, [&](int b) {
            std::uint32_t* place = histogram.data() + static_cast<std::size_t>(b) * digits;
            for (std::uint32_t i = block_begin(count, blocks, b), end = block_begin(count, blocks, b + 1);
                 i < end; ++i) {
                const Key key = from[i];
                const std::uint32_t at = place[(key >> shift) & mask]++;
                to[at] = key;
                to_values[at] = from_values[i];
            }
        });
        std::swap(from, to);
        std::swap(from_values, to_values);
    }
    if (from != keys) {
        tasks.run(blocks, [&](int b) {
            const std::uint32_t begin = block_begin(count, blocks, b),
                                n = block_begin(count, blocks, b + 1) - begin;
            std::memcpy(keys + begin, from + begin, n * sizeof(Key));
            std::memcpy(values + begin, from_values + begin, n * sizeof(std::uint32_t));
        });
    }
}

} // namespace

void radix_sort(TaskSystem& tasks, std::uint32_t* keys, std::uint32_t* values, std::uint32_t* spare_keys,
                std::uint32_t* spare_values, std::uint32_t count, int bits,
                std::vector<std::uint32_t>& histogram) {
    sort(tasks, keys, values, spare_keys, spare_values, count, bits, histogram);
}

void radix_sort(TaskSystem& tasks, std::uint64_t* keys, std::uint32_t* values, std::uint64_t* spare_keys,
                std::uint32_t* spare_values, std::uint32_t count, int bits,
                std::vector<std::uint32_t>& histogram) {
    sort(tasks, keys, values, spare_keys, spare_values, count, bits, histogram);
}

void exclusive_sum(TaskSystem& tasks, const std::uint32_t* in, std::uint32_t* out, std::uint32_t count) {
    const int blocks = block_count(tasks, count);
    std::vector<std::uint32_t> totals(static_cast<std::size_t>(blocks));
    tasks.run(blocks, [&](int b) {
        std::uint32_t total = 0;
        for (std::uint32_t i = block_begin(count, blocks, b), end = block_begin(count, blocks, b + 1);
             i < end; ++i)
            total += in[i];
        totals[static_cast<std::size_t>(b)] = total;
    });
    std::uint32_t before = 0;
    for (std::uint32_t& total : totals) before += std::exchange(total, before);
    tasks.run(blocks, [&](int b) {
        std::uint32_t total = totals[static_cast<std::size_t>(b)];
        for (std::uint32_t i = block_begin(count, blocks, b), end = block_begin(count, blocks, b + 1);
             i < end; ++i) {
            const std::uint32_t here = in[i];
            out[i] = total;
            total += here;
        }
    });
}

} // namespace scree
