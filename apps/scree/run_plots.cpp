// SPDX-License-Identifier: MIT
// run_plots.cpp — see run_plots.h.
#include "run_plots.h"

#include <algorithm>

namespace scree {

void RunPlots::add(const SceneRun& run) {
    const std::vector<Measured> all = run.measure();
    const double time = run.time();
    if (measures_.empty())
        for (const MeasureInfo& measure : run.kind().measures())
            if (measure.column)
                measures_.push_back(
                    {std::string(measure.words), std::string(measure.unit), {std::string(measure.name), {}}});
    for (Curve& curve : measures_) curve.series.points.push_back({time, value_of(all, curve.series.name)});
    const std::vector<double> seconds = run.stage_seconds();
    if (stages_.empty())
        for (const std::string_view name : run.stage_names()) stages_.push_back({std::string(name), {}});
    const auto steps = static_cast<double>(run.steps_done() - steps_before_);
    if (steps > 0)
        for (std::size_t k = 0; k < stages_.size(); ++k)
            stages_[k].points.push_back(
                {time, 1000 * (seconds[k] - (before_.empty() ? 0 : before_[k])) / steps});
    before_ = seconds;
    steps_before_ = run.steps_done();
}

namespace {

Series sum_of(const std::vector<Series>& all) {
    Series sum = all.front();
    sum.name = "sum";
    for (std::size_t k = 1; k < all.size(); ++k)
        for (std::size_t i = 0; i < sum.points.size(); ++i) sum.points[i].second += all[k].points[i].second;
    return sum;
}

} // namespace

std::string RunPlots::page() const {
    const auto plot = [](std::string title, std::string y, std::vector<Series> series) {
        return Plot{std::move(title),  "time, s", std::move(y), std::move(series), {},
                    PlotScale::linear, false};
    };
    // measures of one unit share a plot: energies, speeds, lengths
    std::vector<Plot> plots;
    std::vector<std::string> units;
    for (const Curve& curve : measures_) {
        const std::string unit = curve.unit.empty() ? curve.words : curve.unit;
        const auto known = std::find(units.begin(), units.end(), unit);
        if (known != units.end()) {
            plots[static_cast<std::size_t>(known - units.begin())].series.push_back(curve.series);
            continue;
        }
        units.push_back(unit);
        plots.push_back(plot(curve.words, curve.unit.empty() ? "count" : curve.unit, {curve.series}));
    }
    for (Plot& each : plots) // what is kept or lost together
        if (each.y_label == "J" && each.series.size() > 1) each.series.push_back(sum_of(each.series));
    plots.push_back(plot("Stages of a step", "ms a step", stages_));
    return svg_page(title_, plots);
}

} // namespace scree
