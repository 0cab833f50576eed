// SPDX-License-Identifier: MIT
// pacer.h — decides when steps are due: real time times a rate. Drops steps that are too late, so that a slow world runs
// slowly instead of falling behind.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::view {

constexpr double as_fast_as_possible = std::numeric_limits<double>::infinity();

class Pacer {
public:
    /// `now` in seconds of a monotonic clock.
    void start(double now) { last_ = now, debt_ = 0; }
    /// Steps of `time_step` that are due at `now`, at `rate` world seconds a second.
    int due(double now, double rate, double time_step) {
        constexpr double most = 0.25; // s of simulated time to catch up at most
        constexpr int at_once = 64;
        const double passed = std::max(0.0, now - last_);
        last_ = now;
        if (rate == as_fast_as_possible) return at_once;
        debt_ = std::min(debt_ + passed * rate, std::max(most * rate, time_step));
        const int steps = static_cast<int>(std::min(std::floor(debt_ / time_step), double{at_once}));
        debt_ -= steps * time_step;
        return steps;
    }
    /// Seconds until the next step is due.
    double until_next(double rate, double time_step) const {
        return rate > 0 ? std::max(0.0, (time_step - debt_) / rate) : 1;
    }
    /// Makes steps due again that were due but not taken.
    void give_back(int steps, double time_step) { debt_ += steps * time_step; }

private:
    double last_ = 0, debt_ = 0;
};

} // namespace scree::view
