// SPDX-License-Identifier: MIT
// run_plots.cpp — see run_plots.h.
#include "run_plots.h"

#include "options.h"

#include <algorithm>

namespace scree {

RunPlots::RunPlots(std::string title, const Kind& kind, const std::vector<std::string>& measures)
    : title_(std::move(title)), draws_stages_(measures.empty()) {
    std::string known;
    for (const MeasureInfo& measure : kind.measures())
        if (measure.column) known += (known.empty() ? "" : ", ") + std::string(measure.name);
    for (const std::string& name : measures)
        if (std::none_of(kind.measures().begin(), kind.measures().end(),
                         [&](const MeasureInfo& m) { return m.column && m.name == name; }))
            refuse_option("--measure", name, "one of " + known);
    for (const MeasureInfo& measure : kind.measures())
        if (measure.column &&
            (draws_stages_ || std::find(measures.begin(), measures.end(), measure.name) != measures.end()))
            measures_.push_back({std::string(measure.words),
                                 std::string(measure.unit),
                                 measure.plot,
                                 {std::string(measure.name), {}}});
}

void RunPlots::add(const SceneRun& run) {
    const std::vector<Measured> all = run.measure();
    const double time = run.time();
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

void add_to(Series& sum, const Series& part) {
    if (sum.points.empty()) sum.points = part.points;
    else
        for (std::size_t i = 0; i < sum.points.size(); ++i) sum.points[i].second += part.points[i].second;
}

} // namespace

std::string RunPlots::page() const {
    const auto plot = [](std::string title, std::string y, std::vector<Series> series) {
        return Plot{std::move(title),  "time, s", std::move(y), std::move(series), {},
                    PlotScale::linear, false};
    };
    // measures of one unit share a plot: speeds, lengths; energies with their sum
    struct Shared {
        std::string unit;
        std::size_t plot;
        int parts = 0;
        Series sum{"sum", {}};
    };
    std::vector<Plot> plots;
    std::vector<Shared> units;
    for (const Curve& curve : measures_) {
        const auto begin = [&] {
            plots.push_back(plot(curve.words, curve.unit.empty() ? "count" : curve.unit, {curve.series}));
        };
        if (curve.plot == MeasurePlot::own) {
            begin();
            continue;
        }
        const std::string unit = curve.unit.empty() ? curve.words : curve.unit;
        auto known =
            std::find_if(units.begin(), units.end(), [&](const Shared& each) { return each.unit == unit; });
        if (known == units.end()) {
            known = units.insert(units.end(), {unit, plots.size()});
            begin();
        } else {
            plots[known->plot].series.push_back(curve.series);
        }
        if (curve.plot == MeasurePlot::part) ++known->parts, add_to(known->sum, curve.series);
    }
    for (const Shared& each : units)
        if (each.parts > 1) plots[each.plot].series.push_back(each.sum);
    if (draws_stages_) plots.push_back(plot("Stages of a step", "ms a step", stages_));
    return svg_page(title_, plots);
}

} // namespace scree
