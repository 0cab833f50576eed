// SPDX-License-Identifier: MIT
// rigid_rows.cpp — see rigid_rows.h.
#include "rigid_rows.h"

#include "row.h"

#include <functional>

namespace scree::bench {

namespace {

/// the name without its size
std::string family(const std::string& scene) {
    return scene.substr(0, scene.find_last_not_of("-0123456789") + 1);
}

std::string engine_text(const RigidRow& row) { return row.engine + " " + std::to_string(row.threads) + "T"; }

} // namespace

std::string rigid_table(const std::vector<RigidRow>& rows) {
    std::vector<std::vector<std::string>> lines{{"scene", "engine", "falling ms", "spread", "settled ms",
                                                 "spread", "p99 ms", "worst ms", "height m", "overlap mm",
                                                 "p99", "mean", "speed m/s", "kinetic J", "drift mm",
                                                 "joint mm", "sleep steps", "escaped"}};
    for (const RigidRow& row : rows) {
        const RigidQuality& q = row.quality;
        lines.push_back(
            {row.scene, engine_text(row), number_text(row.falling_ms), number_text(row.falling_spread, 3),
             number_text(row.settled_ms), number_text(row.settled_spread, 3), number_text(row.p99_ms),
             number_text(row.worst_ms), number_text(q.mean_height_m), number_text(q.max_overlap_mm, 3),
             number_text(q.p99_overlap_mm, 3), number_text(q.mean_overlap_mm, 3),
             number_text(q.mean_speed, 2), number_text(q.kinetic_j, 2), number_text(q.drift_mm, 3),
             number_text(q.joint_mm, 3), number_text(row.sleep_steps, 1), std::to_string(q.escaped)});
    }
    return table_text(lines);
}

std::string rigid_csv(const std::vector<RigidRow>& rows) {
    std::string text = "contract,engine,version,threads,scene,bodies,joints,steps,repeats,falling_ms,"
                       "falling_spread,settled_ms,settled_spread,p99_ms,mean_height_m,max_overlap_mm,"
                       "p99_overlap_mm,mean_overlap_mm,contacts,mean_speed,kinetic_j,drift_mm,joint_mm,"
                       "sleep_steps,escaped,first_ms,memory_mib,device_mib,falling_p99_ms,worst_ms,"
                       "mean_joint_mm,restless\n";
    for (const RigidRow& row : rows) {
        const RigidQuality& q = row.quality;
        text += row.contract + ',' + row.engine + ',' + row.version + ',' + std::to_string(row.threads) +
                ',' + row.scene;
        for (std::uint64_t whole : {row.bodies, row.joints, static_cast<std::uint64_t>(row.steps),
                                    static_cast<std::uint64_t>(row.repeats)})
            text += ',' + std::to_string(whole);
        for (double value :
             {row.falling_ms, row.falling_spread, row.settled_ms, row.settled_spread, row.p99_ms,
              q.mean_height_m, q.max_overlap_mm, q.p99_overlap_mm, q.mean_overlap_mm})
            text += ',' + number_text(value, 6);
        text += ',' + std::to_string(q.contacts);
        for (double value : {q.mean_speed, q.kinetic_j, q.drift_mm, q.joint_mm})
            text += ',' + number_text(value, 6);
        text += ',' + number_text(row.sleep_steps, 1) + ',' + std::to_string(q.escaped) + ',' +
                number_text(row.first_ms, 6) + ',' + number_text(row.memory.mib, 6) + ',' +
                number_text(row.memory.device_mib, 6) + ',' + number_text(row.falling_p99_ms, 6) + ',' +
                number_text(row.worst_ms, 6) + ',' + number_text(q.mean_joint_mm, 6) + ',' +
                std::to_string(q.restless) + '\n';
    }
    return text;
}

Plot time_against_bodies(const std::vector<RigidRow>& rows) {
    Plot plot{
        "A step of a settled scene", "moving bodies", "ms a step", {}, {{1000.0 / 60, "real time at 60 Hz"}}};
    for (const RigidRow& row : rows)
        plot.add(family(row.scene) + ", " + engine_text(row), static_cast<double>(row.bodies),
                 row.settled_ms);
    return plot;
}

Plot time_against_threads(const std::vector<RigidRow>& rows) {
    Plot plot{"A step of a settled scene", "threads", "ms a step", {}, {}};
    for (const RigidRow& row : rows) plot.add(row.scene + ", " + row.engine, row.threads, row.settled_ms);
    return plot;
}

Plot time_against_overlap(const std::vector<RigidRow>& rows) {
    Plot plot{"Time and quality: down and to the left is better",
              "overlap of the 99th percentile, mm",
              "ms a step",
              {},
              {}};
    for (const RigidRow& row : rows)
        plot.add(row.scene + ", " + engine_text(row), row.quality.p99_overlap_mm, row.settled_ms);
    return plot;
}

} // namespace scree::bench
