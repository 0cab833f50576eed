// SPDX-License-Identifier: MIT
// rigid_stages.cpp — see rigid_stages.h.
#include "rigid_stages.h"

#include "row.h"

#include <algorithm>
#include <numeric>

namespace scree::bench {

SlowStep slowest_step(std::span<const double> step_ms) {
    constexpr std::size_t reach = 5;
    SlowStep slowest;
    for (std::size_t i = 1; i < step_ms.size(); ++i) {
        const std::size_t begin = std::max<std::size_t>(1, i > reach ? i - reach : 0);
        const std::size_t end = std::min(step_ms.size(), i + reach + 1);
        if (end - begin < 2) continue;
        const double sum = std::accumulate(step_ms.begin() + static_cast<std::ptrdiff_t>(begin),
                                           step_ms.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        const double ratio = step_ms[i] * static_cast<double>(end - begin - 1) / (sum - step_ms[i]);
        if (ratio > slowest.ratio) slowest = {i, ratio};
    }
    return slowest;
}

std::string stages_text(const std::string& scene, std::span<const StageColumn> columns) {
    TextTable lines{{scene + ", ms a step"}};
    for (const StageColumn& column : columns) lines[0].push_back(column.title);
    const auto half_of = [](const StageColumn& column, bool settled) {
        const std::size_t middle = column.step_ms.size() / 2;
        const std::span<const double> all = column.step_ms;
        return settled ? all.subspan(middle) : all.first(middle);
    };
    for (const bool settled : {false, true}) {
        const std::string half = settled ? "settled " : "falling ";
        const auto add = [&](const std::string& title, const auto& value) {
            lines.push_back({half + title});
            for (const StageColumn& column : columns) lines.back().push_back(value(column));
        };
        const StageSeconds& first = settled ? columns[0].settled : columns[0].falling;
        for (std::size_t stage = 0; stage < first.size(); ++stage)
            add(first[stage].first, [&](const StageColumn& column) {
                const StageSeconds& of = settled ? column.settled : column.falling;
                if (stage >= of.size()) return std::string("-");
                return number_text(
                    1e3 * of[stage].second / static_cast<double>(half_of(column, settled).size()), 3);
            });
        const auto summary = [&](const StageColumn& column) {
            const auto half_ms = half_of(column, settled);
            return summarise({half_ms.begin(), half_ms.end()});
        };
        add("step", [&](const StageColumn& column) { return number_text(summary(column).mean_ms); });
        add("p99", [&](const StageColumn& column) { return number_text(summary(column).p99_ms); });
    }
    lines.push_back({"slowest step over its neighbours"});
    for (const StageColumn& column : columns) {
        const SlowStep slow = slowest_step(column.step_ms);
        lines.back().push_back(number_text(slow.ratio, 3) + " at " + std::to_string(slow.step));
    }
    return table_text(lines);
}

} // namespace scree::bench
