// SPDX-License-Identifier: MIT
// impact_judge.h — judges times of impact by fine sampling, and the answers of other solvers by those of Solver::impact.
#pragma once

#include "scree/world.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::bench {

/// Random pairs of two kinds of shapes, which fly and turn.
struct TimeCheck {
    std::string first, second;
    std::uint64_t pairs = 0, met = 0;
    std::uint64_t late = 0;    ///< closer than half the tolerance at the time or in a sample before it
    std::uint64_t early = 0;   ///< farther apart than the tolerance at the time, by more than GJK's error
    std::uint64_t starved = 0; ///< took more distances than the bound on work
    double closest = 1;        ///< distance of all samples, over the tolerance
    double farthest = 0;       ///< distance at the time of impact, over the tolerance
    double distances = 0;      ///< measured, for each pair
};
/// `count` pairs of every two of sphere, capsule, box, cylinder, cone and hull, and of each with a plane. Each is looked at `samples`
/// times at equal intervals, 30 times that crowd before the time of impact, and at that time; where none is found, up to the end.
std::vector<TimeCheck> check_impact_times(std::uint32_t seed, std::uint32_t count, std::uint32_t samples);

/// Random pairs of shapes with flat faces: times from below beside exact ones.
struct ExactCheck {
    std::string first, second;
    std::uint64_t pairs = 0, met = 0; ///< by the exact estimator
    std::uint64_t late = 0;           ///< the time from below is later, or there is none
    std::uint64_t grazed = 0;  ///< there is one from below alone: within the tolerance, without a touch
    std::uint64_t gave_up = 0; ///< the exact estimator, after 100,000 intervals
    double gap = 0;            ///< m: the largest distance by GJK at the exact time
    double ahead = 0, most_ahead = 0;  ///< s: median and largest of how much earlier the time from below is
    double intervals = 0;              ///< a pair
    double exact_us = 0, below_us = 0; ///< of the processor, a pair
};
std::vector<ExactCheck> check_exact_times(std::uint32_t seed, std::uint32_t count, double tolerance);

/// How far a solver is from Solver::impact, over the same impacts.
struct OracleSide {
    /// of the change of the first body's velocity: how far the two differ, over that change
    double median_difference = 0, p95_difference = 0;
    double median_bounce = 0; ///< parting over approach along the normal
};
/// Single impacts of two shapes in empty space, by the soft step, the SOR and Solver::impact.
struct OracleRow {
    std::string first, second;
    double restitution = 0, friction = 0;
    std::uint64_t impacts = 0; ///< compared: Solver::impact had one impact, and the others did not miss it
    OracleSide soft{}, sor{};
    double energy_gain = 0;                    ///< of Solver::impact: the largest growth of energy, relative
    std::uint64_t overlapping = 0, missed = 0; ///< when they began; each other, for a second
    std::uint64_t repeated =
        0; ///< Solver::impact had another impact within two steps: others answer both as one
    std::uint64_t unanswered = 0; ///< by another solver
    /// of Solver::impact without friction, faster than 1 cm/s: the largest error of parting over approach where the impulses act
    double bounce_error = 0;
    /// by how much the point of the hit event parts slower than that, and faster: where another point pushes them apart
    double told_slower = 0, told_faster = 0;
    double momentum_error = 0; ///< of Solver::impact: the largest change of momentum, relative
};
/// `count` random poses of every two kinds, with restitution 0, 0.5 and 1 and friction 0 and 0.5.
std::vector<OracleRow> compare_with_impacts(std::uint32_t seed, std::uint32_t count);

/// A second of free flight of a shape that turns, under gravity, in steps of 1/60 s.
struct FlightRow {
    std::string shape;
    std::uint64_t flights = 0;
    double soft_way = 0, sor_way = 0;   ///< m: the largest distance from where Solver::impact has it
    double soft_turn = 0, sor_turn = 0; ///< rad: the largest angle
};
std::vector<FlightRow> compare_flights(std::uint32_t seed, std::uint32_t count);

/// The deepest overlap of two shapes of bodies of which one is dynamic, in double precision; negative: all are apart.
double deepest(const World& world);

} // namespace scree::bench
