// SPDX-License-Identifier: MIT
// run_plots.h — the plots of `scree run --plot`.
#pragma once

#include "plot.h"
#include "scene/run.h"

#include <string>
#include <utility>
#include <vector>

namespace scree {

class RunPlots {
public:
    explicit RunPlots(std::string title) : title_(std::move(title)) {}
    /// The run as it is now; its stages have to be timed.
    void add(const SceneRun& run);
    std::string page() const; ///< SVG

private:
    std::string title_;
    struct Curve {
        std::string words, unit;
        Series series;
    };
    std::vector<Curve> measures_; // the columns of the CSV
    std::vector<Series> stages_;
    std::vector<double> before_; // of the stages, at the last point
    std::uint64_t steps_before_ = 0;
};

} // namespace scree
