// SPDX-License-Identifier: MIT
// progress.h — progress of a long command: a bar on a terminal, lines elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace scree {

class Progress {
public:
    /// `lines`: whether to say something when standard error is not a terminal.
    Progress(std::string what, std::uint64_t total, bool lines = true);
    ~Progress();
    Progress(Progress&&) = delete; // nor copied

    /// Whether it is time for show(); cheap, so that what is to be shown is measured only then.
    bool due(std::uint64_t done) const;
    /// `detail` goes behind the bar. `cost_seconds` is what finding it out took: dear details are shown less
    /// often.
    void show(std::uint64_t done, const std::string& detail, double cost_seconds = 0);
    /// Clears the bar, so that other lines can be printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    std::string what_;
    std::uint64_t total_, next_line_ = 0;
    bool terminal_, lines_, drawn_ = false;
    Clock::time_point started_, next_draw_;
};

} // namespace scree
