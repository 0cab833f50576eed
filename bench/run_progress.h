// SPDX-License-Identifier: MIT
// run_progress.h — prints the number of the current run and the remaining time; runs at several places.
#pragma once

#include "bench_options.h"
#include "entry.h"
#include "interrupt.h"
#include "progress.h"

#include <string>
#include <vector>

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

/// Measures at each place in turn and writes the CSV of `given`. measure(place, progress) returns a result with all_equal();
/// report(place, result) prints it and returns its rows. Returns the exit code of the program.
template <class Measure, class Report>
int measure_at(const std::vector<Place>& places, const Arguments& given, std::string columns,
               const std::string& what, const Measure& measure, const Report& report) {
    const auto csv = open_output(given, "--csv");
    bool all_equal = true;
    RunProgress progress(static_cast<int>(places.size()));
    const bool complete = progress.completes([&] {
        for (const Place& place : places) {
            progress.begin(what + ", " + place.device());
            const auto result = measure(place, progress);
            progress.clear();
            all_equal = all_equal && result.all_equal();
            columns += report(place, result);
        }
    });
    finish_csv(csv, columns);
    return !complete ? exit_interrupted : all_equal ? exit_ok : exit_failed;
}

} // namespace scree::bench
