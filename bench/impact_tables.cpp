// SPDX-License-Identifier: MIT
// impact_tables.cpp — see impact_tables.h.
#include "impact_tables.h"

#include "impact_judge.h"

#include <cstdio>
#include <string>

namespace scree::bench {

int print_impact_times(const Arguments& given) {
    const auto count = whole_option<std::uint32_t>(given, "--times", 1, 10'000'000, 1000);
    const auto csv = open_output(given, "--csv");
    std::string text = "first,second,pairs,met,late,early,starved,closest,distances\n";
    std::printf("%-9s %-9s %9s %9s %6s %6s %7s %8s %9s\n", "", "", "pairs", "met", "late", "early", "starved",
                "closest", "distances");
    bool kept = true;
    for (const TimeCheck& row : check_impact_times(1, count, 200)) {
        std::printf("%-9s %-9s %9llu %9llu %6llu %6llu %7llu %8.3f %9.1f\n", row.first.c_str(),
                    row.second.c_str(), static_cast<unsigned long long>(row.pairs),
                    static_cast<unsigned long long>(row.met), static_cast<unsigned long long>(row.late),
                    static_cast<unsigned long long>(row.early), static_cast<unsigned long long>(row.starved),
                    row.closest, row.distances);
        text += row.first + ',' + row.second;
        for (const std::uint64_t value : {row.pairs, row.met, row.late, row.early, row.starved})
            text += ',' + std::to_string(value);
        text += ',' + std::to_string(row.closest) + ',' + std::to_string(row.distances) + '\n';
        kept = kept && row.late == 0 && row.early == 0;
    }
    finish_csv(csv, text);
    return kept ? 0 : 1;
}

int print_impact_oracle(const Arguments& given) {
    const auto count = whole_option<std::uint32_t>(given, "--oracle", 1, 1'000'000, 100);
    const auto csv = open_output(given, "--csv");
    std::string text =
        "first,second,restitution,friction,impacts,median_difference,p95_difference,median_bounce,"
        "energy_gain,bounce_error,momentum_error\n";
    std::printf("%-9s %-9s %4s %4s %8s %9s %9s %8s %10s %10s\n", "", "", "e", "mu", "impacts", "median",
                "95 %", "bounce", "energy", "e error");
    bool kept = true;
    for (const OracleRow& row : compare_with_impacts(1, count)) {
        std::printf("%-9s %-9s %4.1f %4.1f %8llu %9.4f %9.4f %8.3f %10.1e %10.1e\n", row.first.c_str(),
                    row.second.c_str(), row.restitution, row.friction,
                    static_cast<unsigned long long>(row.impacts), row.median_difference, row.p95_difference,
                    row.median_bounce, row.energy_gain, row.bounce_error);
        std::fflush(stdout);
        text += row.first + ',' + row.second;
        for (const double value :
             {row.restitution, row.friction, static_cast<double>(row.impacts), row.median_difference,
              row.p95_difference, row.median_bounce, row.energy_gain, row.bounce_error, row.momentum_error}) {
            char number[32];
            std::snprintf(number, sizeof number, ",%g", value);
            text += number;
        }
        text += '\n';
        kept = kept && row.energy_gain < 1e-4 && row.momentum_error < 1e-4;
    }
    finish_csv(csv, text);
    return kept ? 0 : 1;
}

} // namespace scree::bench
