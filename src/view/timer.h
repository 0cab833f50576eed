// SPDX-License-Identifier: MIT
// timer.h — the clock of a loop: its time, its passes, and stamps to measure from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace scree::view {

/// All times in seconds of a monotonic clock that the caller reads.
class Timer {
public:
    /// Passes whose mean length is the fixed step.
    static constexpr std::uint64_t first_passes = 10;

    void start(double now) { *this = {}, begin_ = last_ = now; }
    /// A pass of the loop ends and the next begins.
    void pass(double now) {
        step_ = now - last_;
        last_ = now;
        if (++passes_ == first_passes) fixed_step_ = total() / static_cast<double>(first_passes);
    }
    double total() const { return last_ - begin_; } ///< up to the last pass
    double step() const { return step_; }           ///< of the last pass
    double rate() const { return step_ > 0 ? 1 / step_ : 0; }
    std::uint64_t passes() const { return passes_; }
    /// The mean of the first ten passes, and never another one; none before.
    std::optional<double> fixed_step() const { return fixed_step_; }

    void stamp(const std::string& name, double now) { stamps_[name] = now; }
    /// Since the newest stamp of this name; none without one.
    std::optional<double> since(const std::string& name, double now) const {
        const auto at = stamps_.find(name);
        if (at == stamps_.end()) return std::nullopt;
        return now - at->second;
    }

private:
    double begin_ = 0, last_ = 0, step_ = 0;
    std::uint64_t passes_ = 0;
    std::optional<double> fixed_step_;
    std::map<std::string, double> stamps_;
};

} // namespace scree::view
