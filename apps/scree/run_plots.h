// SPDX-License-Identifier: MIT
// run_plots.h — the plots of `scree run --plot`.
#pragma once

#include "plot.h"
#include "scene/kind.h"
#include "scene/run.h"

#include <string>
#include <utility>
#include <vector>

namespace scree {

class RunPlots {
public:
    /// `measures`: by name, drawn alone; none: all columns of the CSV, and the times of stages. Throws Error for a name that the kind
    /// does not have as a column.
    RunPlots(std::string title, const Kind& kind, const std::vector<std::string>& measures);
    /// The run as it is now; its stages have to be timed.
    void add(const SceneRun& run);
    std::string page() const; ///< SVG

private:
    std::string title_;
    struct Curve {
        std::string words, unit;
        MeasurePlot plot;
        Series series;
    };
    std::vector<Curve> measures_;
    bool draws_stages_ = false;
    std::vector<Series> stages_;
    std::vector<double> before_; // of the stages, at the last point
    std::uint64_t steps_before_ = 0;
};

} // namespace scree
