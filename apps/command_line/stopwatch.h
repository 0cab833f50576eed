// SPDX-License-Identifier: MIT
// stopwatch.h — the time since it was made.
#pragma once

#include <chrono>

namespace scree {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double ms() const { return 1e3 * seconds(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

} // namespace scree
