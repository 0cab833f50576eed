// SPDX-License-Identifier: MIT
// impact_tables.cpp — see impact_tables.h.
#include "impact_tables.h"

#include "impact_judge.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace scree::bench {

int print_impact_times(const Arguments& given) {
    const auto count = whole_option<std::uint32_t>(given, "--times", 1, 10'000'000, 1000);
    const auto csv = open_output(given, "--csv");
    std::string text = "first,second,pairs,met,late,early,starved,closest,farthest,distances\n";
    std::printf("%-9s %-9s %9s %9s %6s %6s %7s %8s %8s %9s\n", "", "", "pairs", "met", "late", "early",
                "starved", "closest", "farthest", "distances");
    bool kept = true;
    for (const TimeCheck& row : check_impact_times(1, count, 200)) {
        std::printf("%-9s %-9s %9llu %9llu %6llu %6llu %7llu %8.4f %8.4f %9.1f\n", row.first.c_str(),
                    row.second.c_str(), static_cast<unsigned long long>(row.pairs),
                    static_cast<unsigned long long>(row.met), static_cast<unsigned long long>(row.late),
                    static_cast<unsigned long long>(row.early), static_cast<unsigned long long>(row.starved),
                    row.closest, row.farthest, row.distances);
        text += row.first + ',' + row.second;
        for (const std::uint64_t value : {row.pairs, row.met, row.late, row.early, row.starved})
            text += ',' + std::to_string(value);
        text += ',' + std::to_string(row.closest) + ',' + std::to_string(row.farthest) + ',' +
                std::to_string(row.distances) + '\n';
        kept = kept && row.late == 0 && row.early == 0;
    }
    finish_csv(csv, text);
    return kept ? 0 : 1;
}

int print_exact_times(const Arguments& given) {
    const auto count = whole_option<std::uint32_t>(given, "--exact", 1, 10'000'000, 1000);
    const auto csv = open_output(given, "--csv");
    std::string text = "first,second,tolerance,pairs,met,late,grazed,gave_up,gap,ahead,most_ahead,intervals,"
                       "exact_us,below_us\n";
    std::printf("%-5s %-6s %9s %9s %9s %5s %6s %7s %8s %8s %8s %9s %8s %8s\n", "", "", "tolerance", "pairs",
                "met", "late", "grazed", "gave up", "gap m", "ahead s", "most s", "intervals", "exact us",
                "below us");
    bool kept = true;
    for (const double tolerance : {1e-4, 1e-8})
        for (const ExactCheck& row : check_exact_times(1, count, tolerance)) {
            const auto whole = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
            std::printf("%-5s %-6s %9.0e %9llu %9llu %5llu %6llu %7llu %8.1e %8.1e %8.1e %9.0f %8.1f %8.1f\n",
                        row.first.c_str(), row.second.c_str(), tolerance, whole(row.pairs), whole(row.met),
                        whole(row.late), whole(row.grazed), whole(row.gave_up), row.gap, row.ahead,
                        row.most_ahead, row.intervals, row.exact_us, row.below_us);
            char line[240];
            std::snprintf(line, sizeof line, "%s,%s,%g,%llu,%llu,%llu,%llu,%llu,%g,%g,%g,%g,%g,%g\n",
                          row.first.c_str(), row.second.c_str(), tolerance, whole(row.pairs), whole(row.met),
                          whole(row.late), whole(row.grazed), whole(row.gave_up), row.gap, row.ahead,
                          row.most_ahead, row.intervals, row.exact_us, row.below_us);
            text += line;
            kept = kept && row.late == 0;
        }
    finish_csv(csv, text);
    return kept ? 0 : 1;
}

namespace {

/// Means over rows: of one pair of shapes, or of one restitution and friction.
struct Mean {
    std::string name;
    std::uint64_t impacts = 0;
    double count = 0, soft[3]{}, sor[3]{};
    void add(const OracleRow& row) {
        impacts += row.impacts;
        if (row.impacts == 0) return;
        count += 1;
        const auto sum = [](double(&to)[3], const OracleSide& side) {
            to[0] += side.median_difference, to[1] += side.p95_difference, to[2] += side.median_bounce;
        };
        sum(soft, row.soft), sum(sor, row.sor);
    }
    void print() const {
        std::printf("| %s | %llu ", name.c_str(), static_cast<unsigned long long>(impacts));
        for (const auto* side : {&soft, &sor})
            std::printf("| %.4f | %.4f | %.3f ", (*side)[0] / count, (*side)[1] / count, (*side)[2] / count);
        std::printf("|\n");
    }
};

void print_means(const std::vector<OracleRow>& rows, const char* title,
                 std::string (*name)(const OracleRow&)) {
    std::vector<Mean> means;
    for (const OracleRow& row : rows) {
        const std::string own = name(row);
        auto at = std::find_if(means.begin(), means.end(), [&](const Mean& m) { return m.name == own; });
        if (at == means.end()) at = means.insert(at, Mean{own});
        at->add(row);
    }
    std::printf("\n| %s | impacts | soft step: median | 95 %% | bounce | SOR: median | 95 %% | bounce |\n"
                "|---|---:|---:|---:|---:|---:|---:|---:|\n",
                title);
    for (const Mean& mean : means) mean.print();
}

} // namespace

int print_impact_oracle(const Arguments& given) {
    const auto count = whole_option<std::uint32_t>(given, "--oracle", 1, 1'000'000, 100);
    const auto csv = open_output(given, "--csv");
    std::string text =
        "first,second,restitution,friction,impacts,soft_median,soft_p95,soft_bounce,sor_median,"
        "sor_p95,sor_bounce,energy_gain,bounce_error,told_slower,told_faster,momentum_error,overlapping,"
        "missed,repeated,unanswered\n";
    const std::vector<OracleRow> rows = compare_with_impacts(1, count);
    double energy = -1, bounce = 0, momentum = 0, slower = 0, faster = 0;
    std::uint64_t left_out[4]{};
    for (const OracleRow& row : rows) {
        text += row.first + ',' + row.second;
        for (const double value :
             {row.restitution, row.friction, static_cast<double>(row.impacts), row.soft.median_difference,
              row.soft.p95_difference, row.soft.median_bounce, row.sor.median_difference,
              row.sor.p95_difference, row.sor.median_bounce, row.energy_gain, row.bounce_error,
              row.told_slower, row.told_faster, row.momentum_error, static_cast<double>(row.overlapping),
              static_cast<double>(row.missed), static_cast<double>(row.repeated),
              static_cast<double>(row.unanswered)}) {
            char number[32];
            std::snprintf(number, sizeof number, ",%g", value);
            text += number;
        }
        text += '\n';
        energy = std::max(energy, row.energy_gain), bounce = std::max(bounce, row.bounce_error);
        momentum = std::max(momentum, row.momentum_error);
        slower = std::max(slower, row.told_slower), faster = std::max(faster, row.told_faster);
        const std::uint64_t left[] = {row.overlapping, row.missed, row.repeated, row.unanswered};
        for (std::size_t k = 0; k < 4; ++k) left_out[k] += left[k];
    }
    print_means(rows, "shapes", [](const OracleRow& row) { return row.first + ", " + row.second; });
    print_means(rows, "restitution, friction", [](const OracleRow& row) {
        char name[32];
        std::snprintf(name, sizeof name, "%.1f, %.1f", row.restitution, row.friction);
        return std::string(name);
    });
    std::printf(
        "\nSolver::impact itself, at worst: energy grows by %.1e, restitution is wrong by %.1e, momentum by "
        "%.1e; the point of the hit event parts slower by %.1e and faster by %.1e\n"
        "left out: %llu overlap at the start, %llu miss each other, %llu have another impact within two "
        "steps, %llu are missed by another solver\n\n| free flight, 1 s | flights | soft step: m | rad | "
        "SOR: m | rad "
        "|\n|---|---:|---:|---:|---:|---:|\n",
        energy, bounce, momentum, slower, faster, static_cast<unsigned long long>(left_out[0]),
        static_cast<unsigned long long>(left_out[1]), static_cast<unsigned long long>(left_out[2]),
        static_cast<unsigned long long>(left_out[3]));
    for (const FlightRow& row : compare_flights(1, std::min(count, 200u)))
        std::printf("| %s | %llu | %.1e | %.1e | %.1e | %.1e |\n", row.shape.c_str(),
                    static_cast<unsigned long long>(row.flights), row.soft_way, row.soft_turn, row.sor_way,
                    row.sor_turn);
    finish_csv(csv, text);
    return energy < 1e-4 && momentum < 1e-4 ? 0 : 1;
}

} // namespace scree::bench
