// SPDX-License-Identifier: MIT
// seed4_tables.cpp — what `scree bench seed4` says about its rows.
#include "row.h"
#include "seed4.h"
#include "text.h"

#include <algorithm>
#include <cmath>

namespace scree::bench {

namespace {

constexpr double real_time = 30; // frames a second: the dissertation's line

const SeedFigure* figure_of(const SeedExperiment& experiment, std::uint32_t size) {
    for (const SeedFigure& figure : experiment.figures)
        if (figure.size == size) return &figure;
    return nullptr;
}

const SeedExperiment* experiment_of(const std::string& name) {
    for (const SeedExperiment& experiment : seed_experiments())
        if (experiment.name == name) return &experiment;
    return nullptr;
}

/// the same size on the CPU
const SeedRow* cpu_row(const std::vector<SeedRow>& rows, std::uint32_t size, int threads,
                       const std::string& broad_phase) {
    for (const SeedRow& row : rows)
        if (row.on_cpu() && row.size == size && row.threads == threads && row.broad_phase == broad_phase)
            return &row;
    return nullptr;
}

/// the fastest way of the CPU at the same size
const SeedRow* fastest_cpu_row(const std::vector<SeedRow>& rows, std::uint32_t size, SeedMeasure measure) {
    const SeedRow* best = nullptr;
    for (const SeedRow& row : rows)
        if (row.on_cpu() && row.size == size && (!best || row.measured(measure) < best->measured(measure)))
            best = &row;
    return best;
}

/// numbers of threads that the CPU was measured with
std::vector<int> threads_of(const std::vector<SeedRow>& rows) {
    std::vector<int> list;
    for (const SeedRow& row : rows)
        if (row.on_cpu() && std::find(list.begin(), list.end(), row.threads) == list.end())
            list.push_back(row.threads);
    return list;
}

/// as the dissertation prints it; - where it says nothing
std::string said(double value) {
    if (value <= 0) return "-";
    std::string text = number_text(value, 5);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    return text;
}

/// collision, solver and total of the dissertation's counterpart
struct SeedTimes {
    double collision = 0, solver = 0, total = 0;
};
SeedTimes counterpart(const SeedFigure& figure, const SeedRow& row) {
    if (!row.on_cpu()) return {figure.gpu_collision, figure.gpu_solver, figure.gpu_total};
    if (row.broad_phase == "brute") return {figure.brute_collision, 0, 0};
    return {figure.cpu_collision, figure.cpu_solver, figure.cpu_total};
}

std::string_view measure_name(SeedMeasure measure) {
    return measure == SeedMeasure::total ? "total" : measure == SeedMeasure::solver ? "solver" : "collision";
}

} // namespace

std::string SeedRow::who() const {
    if (!on_cpu()) return device;
    return "cpu " + std::to_string(threads) + "T" + (experiment == "B3" ? ", " + broad_phase : "");
}

TextTable seed_table(const SeedExperiment& experiment, const std::vector<SeedRow>& rows) {
    const std::vector<int> threads = threads_of(rows);
    TextTable table{{"size", "actors", "rows", "contacts", "device", "collision ms", "solver ms", "total ms",
                     "fps", "30 fps", "overlap mm", "p99 mm"}};
    for (const int count : threads)
        table[0].push_back("x cpu " + std::to_string(count) + "T, " +
                           std::string(measure_name(experiment.measure)));
    for (const char* name : {"2008 rows", "2008 collision", "2008 solver", "2008 total", "2008 fps"})
        table[0].emplace_back(name);
    for (const SeedRow& row : rows) {
        std::vector<std::string> line{std::to_string(row.size),
                                      count_text(row.actors),
                                      count_text(row.rows),
                                      count_text(row.contacts),
                                      row.who(),
                                      number_text(row.collision_ms),
                                      number_text(row.solver_ms),
                                      number_text(row.total_ms),
                                      number_text(row.fps(), 4),
                                      row.fps() >= real_time ? "above" : "below",
                                      number_text(row.overlap_mm, 3),
                                      number_text(row.p99_overlap_mm, 3)};
        for (const int count : threads) {
            const SeedRow* cpu = cpu_row(rows, row.size, count, "tree");
            const double own = row.measured(experiment.measure);
            line.push_back(cpu && own > 0 ? number_text(cpu->measured(experiment.measure) / own, 3) : "-");
        }
        if (const SeedFigure* figure = figure_of(experiment, row.size)) {
            const SeedTimes then = counterpart(*figure, row);
            for (const std::string& text :
                 {figure->rows ? count_text(figure->rows) : std::string("-"), said(then.collision),
                  said(then.solver), said(then.total),
                  then.total > 0 ? number_text(1e3 / then.total) : std::string("-")})
                line.push_back(text);
        }
        table.push_back(line);
    }
    return table;
}

std::vector<std::string> crossovers(const SeedExperiment& experiment, const std::vector<SeedRow>& rows) {
    std::vector<std::string> said, devices;
    for (const SeedRow& row : rows)
        if (!row.on_cpu() && std::find(devices.begin(), devices.end(), row.device) == devices.end())
            devices.push_back(row.device);
    for (const std::string& device : devices)
        for (const int threads : threads_of(rows)) {
            // from the largest size down, as long as the device is ahead
            std::vector<const SeedRow*> own;
            for (const SeedRow& row : rows)
                if (row.device == device) own.push_back(&row);
            std::sort(own.begin(), own.end(), [](auto* a, auto* b) { return a->actors > b->actors; });
            std::uint64_t from = 0, largest = own.empty() ? 0 : own.front()->actors;
            for (const SeedRow* row : own) {
                const SeedRow* cpu = cpu_row(rows, row->size, threads, "tree");
                if (!cpu || cpu->measured(experiment.measure) <= row->measured(experiment.measure)) break;
                from = row->actors;
            }
            const std::string whom = std::string(experiment.name) + ", " +
                                     std::string(measure_name(experiment.measure)) + ": " + device +
                                     (from ? " is ahead of " : " is not ahead of ") +
                                     count_of(static_cast<std::uint64_t>(threads), "thread", "threads");
            said.push_back(from ? whom + " from " + count_text(from) + " actors on"
                                : whom + " up to " + count_text(largest) + " actors");
        }
    if (said.empty()) return said;
    constexpr std::string_view then[] = {"B1", "500", "B2", "512", "B3", "200"};
    for (std::size_t i = 0; i < 6; i += 2)
        if (then[i] == experiment.name)
            said.push_back("2008: from " + std::string(then[i + 1]) + " actors on, of one core");
    return said;
}

std::vector<std::string> seed_targets(const std::vector<SeedRow>& rows) {
    struct Target {
        const char* requirement;
        const char* experiment;
        std::uint32_t size;
        bool gpu;         // or one thread of the CPU
        const char* over; // a broad phase of one thread: the limit is the least speed-up; else the most ms
        double limit;
    };
    constexpr Target targets[] = {
        {"R4.61", "B1", 4000, true, "tree", 2.13}, {"R4.61", "B1", 16000, true, "tree", 1.56},
        {"R4.62", "B1", 4000, true, "", 34.33},    {"R4.62", "B1", 16000, true, "", 213.35},
        {"R4.62", "B1", 2000, false, "", 35.45},   {"R4.63", "B2", 10, true, "", 12.98},
        {"R4.63", "B2", 18, true, "", 101.72},     {"R4.64", "B3", 1600, true, "", 18.15},
        {"R4.64", "B3", 1600, true, "grid", 7.34}, {"R4.64", "B3", 1600, true, "brute", 30}};
    std::vector<std::string> said;
    for (const Target& target : targets)
        for (const SeedRow& row : rows) {
            if (row.experiment != target.experiment || row.size != target.size) continue;
            const bool wanted = target.gpu ? row.device.starts_with("cuda")
                                           : row.on_cpu() && row.threads == 1 && row.broad_phase == "tree";
            const SeedExperiment* experiment = experiment_of(row.experiment);
            if (!wanted || !experiment) continue;
            const double own = row.measured(experiment->measure);
            const std::string what = std::string(target.requirement) + ", " + row.experiment + " " +
                                     std::to_string(row.size) + ", " + row.who() + ": ";
            if (*target.over == 0) {
                said.push_back(what + number_text(own) + " ms, at most " + number_text(target.limit) +
                               (own <= target.limit ? ": met" : ": missed"));
            } else if (const SeedRow* cpu = cpu_row(rows, row.size, 1, target.over)) {
                const double ratio = cpu->measured(experiment->measure) / own;
                const SeedRow* best = fastest_cpu_row(rows, row.size, experiment->measure);
                said.push_back(what + number_text(ratio, 3) + " times as fast as " + cpu->who() +
                               ", at least " + number_text(target.limit, 3) +
                               (ratio >= target.limit ? ": met" : ": missed") + "; " +
                               number_text(best->measured(experiment->measure) / own, 3) +
                               " times as fast as the CPU's fastest way, " + best->who());
            }
        }
    return said;
}

std::vector<std::string> different_bits(const std::vector<SeedRow>& rows) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            // the first of the size is what all are compared with
            if (rows[k].experiment != rows[i].experiment || rows[k].size != rows[i].size) continue;
            if (rows[k].hash != rows[i].hash)
                said.push_back(rows[i].experiment + " " + std::to_string(rows[i].size) + ": " +
                               rows[i].who() + " came to another state than " + rows[k].who());
            break;
        }
    return said;
}

std::string seed_csv(const std::vector<SeedRow>& rows) {
    std::string text =
        "experiment,solver,size,actors,shapes,joints,contacts,rows,device,threads,broad_phase,steps,"
        "collision_ms,solver_ms,total_ms,fps,joint_mm,overlap_mm,p99_overlap_mm,seed_rows,seed_collision_ms,"
        "seed_solver_ms,"
        "seed_total_ms\n";
    for (const SeedRow& row : rows) {
        text += row.experiment + ',' + row.solver + ',' + std::to_string(row.size);
        for (const std::uint64_t whole : {row.actors, row.shapes, row.joints, row.contacts, row.rows})
            text += ',' + std::to_string(whole);
        text += ',' + row.device + ',' + std::to_string(row.threads) + ',' + row.broad_phase + ',' +
                std::to_string(row.steps);
        for (const double value : {row.collision_ms, row.solver_ms, row.total_ms, row.fps(), row.joint_mm,
                                   row.overlap_mm, row.p99_overlap_mm})
            text += ',' + number_text(value, 6);
        const SeedExperiment* experiment = experiment_of(row.experiment);
        const SeedFigure* figure = experiment ? figure_of(*experiment, row.size) : nullptr;
        const SeedTimes then = figure ? counterpart(*figure, row) : SeedTimes{};
        text += ',' + std::to_string(figure ? figure->rows : 0);
        for (const double value : {then.collision, then.solver, then.total})
            text += value > 0 ? ',' + number_text(value, 6) : ",";
        text += '\n';
    }
    return text;
}

TextTable transfer_table(const std::vector<TransferRow>& rows) {
    TextTable table{
        {"list", "count", "device", "bytes", "calls", "ms", "MB/s", "in one call ms", "MB/s", "2008 ms"}};
    const auto rate = [](std::uint64_t bytes, double ms) {
        return ms > 0 ? number_text(1e-3 * static_cast<double>(bytes) / ms) : std::string("-");
    };
    for (const TransferRow& row : rows)
        table.push_back({row.what, count_text(row.count), row.device, count_text(row.bytes),
                         count_text(row.calls), number_text(row.ms), rate(row.bytes, row.ms),
                         number_text(row.raw_ms), rate(row.bytes, row.raw_ms), said(row.seed_ms)});
    return table;
}

std::string transfer_csv(const std::vector<TransferRow>& rows) {
    std::string text = "list,count,device,bytes,calls,ms,raw_ms,seed_ms\n";
    for (const TransferRow& row : rows) {
        text += row.what + ',' + std::to_string(row.count) + ',' + row.device + ',' +
                std::to_string(row.bytes) + ',' + std::to_string(row.calls);
        for (const double value : {row.ms, row.raw_ms, row.seed_ms}) text += ',' + number_text(value, 6);
        text += '\n';
    }
    return text;
}

} // namespace scree::bench
