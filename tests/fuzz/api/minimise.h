// SPDX-License-Identifier: MIT
// minimise.h — makes an input that fails smaller: records removed, then bytes set to zero.
#pragma once

#include "fuzz/api/input.h"

#include <chrono>

namespace scree::fuzz {

/// The smallest input found that still fails, within so many seconds.
template <class Fails>
Bytes minimised(Bytes input, const Fails& fails, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    const auto in_time = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
    };
    const auto take = [&](const Bytes& smaller) {
        if (!fails(smaller)) return false;
        input = smaller;
        return true;
    };
    // records: halves first, then ever shorter runs, until none can go
    for (bool shrank = true; shrank && in_time();) {
        shrank = false;
        for (std::size_t run = std::max<std::size_t>(records_of(input) / 2, 1); run >= 1 && in_time();
             run /= 2)
            for (std::size_t end = records_of(input); end > 0 && in_time();) {
                const std::size_t begin = end > run ? end - run : 0;
                Bytes smaller = input;
                const auto at = [&](std::size_t record) {
                    return smaller.begin() +
                           static_cast<std::ptrdiff_t>(std::min((1 + record) * record_bytes, smaller.size()));
                };
                smaller.erase(at(begin), at(end));
                shrank = take(smaller) || shrank;
                end = begin;
            }
    }
    // bytes: zero means the usual
    for (std::size_t k = 0; k < input.size() && in_time(); ++k) {
        if (k % record_bytes == 0 && k > 0) continue; // which call it is
        if (input[k] == 0) continue;
        Bytes simpler = input;
        simpler[k] = 0;
        take(simpler);
    }
    while (!input.empty() && input.back() == 0) {
        Bytes shorter(input.begin(), input.end() - 1);
        if (!take(shorter)) break;
    }
    return input;
}

} // namespace scree::fuzz
