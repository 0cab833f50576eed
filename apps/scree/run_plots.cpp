// SPDX-License-Identifier: MIT
// run_plots.cpp — see run_plots.h.
#include "run_plots.h"

namespace scree {

void RunPlots::add(const SceneRun& run) {
    const SceneRun::Quantities m = run.measure();
    const double time = run.time();
    kinetic_.points.push_back({time, m.kinetic_energy});
    potential_.points.push_back({time, m.potential_energy});
    total_.points.push_back({time, m.kinetic_energy + m.potential_energy});
    overlap_.points.push_back({time, 1000 * m.max_overlap});
    contacts_.points.push_back({time, static_cast<double>(m.contacts)});
    const std::vector<double> seconds = run.stage_seconds();
    if (stages_.empty())
        for (const std::string& name : run.stage_names()) stages_.push_back({name, {}});
    const auto steps = static_cast<double>(run.steps_done() - steps_before_);
    if (steps > 0)
        for (std::size_t k = 0; k < stages_.size(); ++k)
            stages_[k].points.push_back(
                {time, 1000 * (seconds[k] - (before_.empty() ? 0 : before_[k])) / steps});
    before_ = seconds;
    steps_before_ = run.steps_done();
}

std::string RunPlots::page() const {
    const auto plot = [](std::string title, std::string y, std::vector<Series> series) {
        return Plot{std::move(title),  "time, s", std::move(y), std::move(series), {},
                    PlotScale::linear, false};
    };
    const Plot plots[] = {plot("Energy", "J", {kinetic_, potential_, total_}),
                          plot("Penetration", "mm", {overlap_}), plot("Contacts", "count", {contacts_}),
                          plot("Stages of a step", "ms a step", stages_)};
    return svg_page(title_, plots);
}

} // namespace scree
