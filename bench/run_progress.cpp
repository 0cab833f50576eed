// SPDX-License-Identifier: MIT
// run_progress.cpp — see run_progress.h.
#include "run_progress.h"

#include <algorithm>
#include <cstdio>

namespace scree::bench {

namespace {

constexpr std::uint64_t parts = 1000;

} // namespace

RunProgress::RunProgress(int total)
    : total_(std::max(total, 1)), bar_("bench", static_cast<std::uint64_t>(std::max(total, 1)) * parts) {}

void RunProgress::begin(const std::string& what) {
    ++run_;
    what_ = what;
    part(0);
}

void RunProgress::part(double done) {
    if (interrupted()) throw Interrupted{};
    const auto before = static_cast<std::uint64_t>(std::min(run_, total_) - 1) * parts;
    const auto at =
        before + static_cast<std::uint64_t>(std::clamp(done, 0.0, 1.0) * static_cast<double>(parts));
    if (bar_.due(at))
        bar_.show(at, "run " + std::to_string(run_) + " of " + std::to_string(std::max(run_, total_)) + ": " +
                          what_);
}

void RunProgress::note(const std::string& line) {
    bar_.clear();
    std::fprintf(stderr, "bench: %s\n", line.c_str());
}

} // namespace scree::bench
