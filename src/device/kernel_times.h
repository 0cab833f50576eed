// SPDX-License-Identifier: MIT
// kernel_times.h — totals by kernel: how often each ran, over how many items, for how long.
#pragma once

#include "device/kernel_table.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scree {

/// Timed work of a device: the kernels by number, then sorts, scans, copies and others.
enum class Work : unsigned {
    sort = static_cast<unsigned>(KernelId::count), ///< items: keys times passes of eight bits
    sort64,
    scan,
    fill, ///< items: words; copy alike
    copy,
    soft_step, ///< in one launch; sor_step alike
    sor_step,
    sor_on_chip,
    fabric_sweep, ///< in one launch; items: stages
    count
};
constexpr Work work_of(KernelId kernel) { return static_cast<Work>(kernel); }
constexpr std::string_view work_name(Work work) {
    constexpr std::string_view others[] = {"sort",      "sort64",   "scan",        "fill",        "copy",
                                           "soft_step", "sor_step", "sor_on_chip", "fabric_sweep"};
    const auto index = static_cast<unsigned>(work), kernels = static_cast<unsigned>(KernelId::count);
    return index < kernels ? kernel_names[index] : others[index - kernels];
}

struct KernelTime {
    Work work{};
    std::uint64_t launches = 0, items = 0;
    double seconds = 0;
};

class KernelTotals {
public:
    void clear() { totals_ = {}; }
    void add(Work work, std::uint64_t items, double seconds) {
        KernelTime& total = totals_[static_cast<unsigned>(work)];
        ++total.launches;
        total.items += items;
        total.seconds += seconds;
    }
    /// all that ran, sorted by number
    std::vector<KernelTime> list() const {
        std::vector<KernelTime> ran;
        for (unsigned k = 0; k < totals_.size(); ++k)
            if (totals_[k].launches) {
                ran.push_back(totals_[k]);
                ran.back().work = static_cast<Work>(k);
            }
        return ran;
    }

private:
    std::array<KernelTime, static_cast<unsigned>(Work::count)> totals_{};
};

constexpr std::uint64_t sort_items(std::uint32_t count, int bits) {
    return std::uint64_t{count} * static_cast<std::uint64_t>((bits + 7) / 8);
}

} // namespace scree
