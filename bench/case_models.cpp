// SPDX-License-Identifier: MIT
// case_models.cpp — the contact models on three scenes where the model of Fossum 2011 fails.
#include "cases.h"
#include "pile.h"
#include "scree/granular_scene.h"
#include "targets.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace scree::bench {

namespace {

struct Model {
    const char* name;
    bool reference;
    ContactModel contact;
};
constexpr Model models[] = {{"reference", true, ContactModel::linear},
                            {"linear", false, ContactModel::linear},
                            {"split", false, ContactModel::split},
                            {"hertz", false, ContactModel::hertz},
                            {"history", false, ContactModel::history}};

/// the scene of Fossum 2011, and the same with the improved mode's settings
struct Trial {
    const char *name, *reference_scene, *improved_scene;
};
constexpr Trial trials[] = {{"tower", "tower-10", "tower-10-improved"},
                            {"interlock", "interlock", "interlock-improved"},
                            {"wedge", "wedge", "wedge-improved"}};

double distance(const Vec3& a, const Vec3& b) {
    return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

/// how far the body that went farthest has gone
double moved(const Scene& scene, const GranularWorld& world) {
    double most = 0;
    const std::span<const GranularBodyState> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        most = std::max(most, distance(bodies[i].position, granular_scene(scene).bodies[i].position));
    return most;
}

std::string verdict(const Trial& trial, const Scene& scene, const GranularWorld& world) {
    const std::string name = trial.name;
    if (name == "interlock") return world.interlocked().empty() ? "part again" : "stay locked";
    const double way = moved(scene, world);
    if (name == "wedge") return (way < 0.1 ? "stays, " : "slides apart, ") + number_text(way, 3) + " m";
    const double nominal = granular_scene(scene).bodies.back().position.y, top = world.measure().top;
    return (top > 0.9 * nominal ? "stands, top " : "falls, top ") + number_text(top, 4) + " of " +
           number_text(nominal, 4) + " m";
}

} // namespace

int models_runs(const BenchOptions&) { return static_cast<int>(std::size(models) * std::size(trials)); }

void models_case(BenchRun& bench) {
    const Target target = targets(bench.options).front();
    std::vector<std::vector<std::string>> lines{{"model", "tower of 10", "interlock at 20 m/s", "wedge"}};
    for (const Model& model : models) {
        std::vector<std::string> line{model.name};
        for (const Trial& trial : trials) {
            bench.progress.begin(std::string("models: ") + trial.name + ", " + model.name);
            Scene scene = find_scene(model.reference ? trial.reference_scene : trial.improved_scene);
            granular_scene(scene).settings.contact = model.contact;
            GranularWorld world = build_world(scene, target.place);
            const int steps = bench.options.steps > 0 ? bench.options.steps : scene.steps;
            const StepTime time = summarise(time_steps(world, steps, std::min(50, steps), bench.progress));
            line.push_back(verdict(trial, scene, world));
            Row row =
                scree_row("granular-models-1", std::string(trial.name) + " " + model.name, target, world);
            row.mean_ms = time.mean_ms;
            row.p99_ms = time.p99_ms;
            row.steps = static_cast<std::uint64_t>(steps);
            row.quality = world_quality(world);
            bench.rows.push_back(row);
        }
        lines.push_back(line);
    }
    bench.progress.clear();
    std::printf("\nmodels: contact models on the scenes that the seed's own model fails\n%s",
                table_text(lines).c_str());
}

} // namespace scree::bench
