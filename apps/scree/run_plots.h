// SPDX-License-Identifier: MIT
// run_plots.h — what `scree run --plot` draws of a run.
#pragma once

#include "plot.h"
#include "scene_run.h"

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
    Series kinetic_{"kinetic", {}}, potential_{"potential", {}}, total_{"sum", {}},
        overlap_{"largest overlap", {}}, contacts_{"contacts", {}};
    std::vector<Series> stages_;
    std::vector<double> before_; // of the stages, at the last point
    std::uint64_t steps_before_ = 0;
};

} // namespace scree
