// SPDX-License-Identifier: MIT
// run_progress.h — prints the number of the current run and the remaining time.
#pragma once

#include "interrupt.h"
#include "progress.h"

#include <string>

namespace scree::bench {

/// Thrown by RunProgress after ctrl-C.
struct Interrupted {};

class RunProgress {
public:
    /// `total` runs are to come; more or fewer than announced is no harm.
    explicit RunProgress(int total);

    /// Does the work; false when ctrl-C ended it, and then says so.
    template <class Work>
    bool completes(Work work) {
        try {
            work();
            bar_.clear();
            return true;
        } catch (const Interrupted&) {
            note("interrupted");
            return false;
        }
    }
    /// The next run begins; the one before is done. Throws Interrupted, as part() does.
    void begin(const std::string& what);
    /// Within a run, 0 … 1.
    void part(double done);
    /// Takes the bar off the terminal, so that a table can be printed.
    void clear() { bar_.clear(); }
    /// A line that stays, e.g. why a peer is missing.
    void note(const std::string& line);

private:
    int total_, run_ = 0;
    InterruptGuard guard_;
    std::string what_;
    Progress bar_;
};

} // namespace scree::bench
