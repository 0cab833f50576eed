// SPDX-License-Identifier: MIT
// impact_drift.cpp — scree-bench impact --drift: what many elastic impacts make of a world's energy.
#include "impact_tables.h"

#include "impact2d/scenes.h"
#include "scree/impact.h"
#include "scree/staged_impact.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace scree::bench {

namespace {

constexpr std::uint32_t bodies = 16;

struct Drift {
    std::uint64_t impacts = 0;
    double now = 0, worst = 0; ///< of the energy, relative
    void look(double energy, double begin) {
        now = energy / begin - 1;
        worst = std::max(worst, std::abs(now));
    }
};

/// Particles of two sizes and masses between walls: double precision.
Drift of_particles(int dimensions, std::uint64_t wanted) {
    ImpactSettings settings;
    settings.dimensions = dimensions;
    settings.upper = {8, 8, dimensions == 3 ? 8.0 : 0.0};
    ImpactWorld world(settings, PlaceOptions{.threads = 1});
    std::mt19937_64 random(1);
    const auto speed = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const double vx = speed(), vy = speed(), vz = speed();
        world.add({{1 + 2.0 * (k % 4), 1 + 2.0 * (k / 4), dimensions == 3 ? 4.0 : 0.0},
                   {vx, vy, dimensions == 3 ? vz : 0},
                   k % 2 ? 0.9 : 0.5,
                   k % 2 ? 2.0 : 1.0});
    }
    const double begin = world.measure().kinetic_energy;
    Drift drift;
    while (drift.impacts < wanted) {
        world.step(100);
        const ImpactMeasure m = world.measure();
        drift.impacts = m.impacts;
        drift.look(m.kinetic_energy, begin);
    }
    return drift;
}

/// A world in stages: single precision.
Drift of_stages(StagedImpactWorld world, std::uint64_t wanted) {
    const double begin = world.measure().kinetic_energy;
    Drift drift;
    while (world.impacts() < wanted) {
        for (int k = 0; k < 1000 && world.impacts() < wanted; ++k) world.step();
        drift.look(world.measure().kinetic_energy, begin);
    }
    drift.impacts = world.impacts();
    return drift;
}

} // namespace

int print_impact_drift(const Arguments& given) {
    const auto wanted = whole_option<std::uint64_t>(given, "--drift", 1, 1'000'000'000, 1'000'000);
    const auto csv = open_output(given, "--csv");
    std::string text = "world,precision,impacts,drift,worst\n";
    std::printf("%-10s %-9s %10s %12s %12s\n", "", "precision", "impacts", "energy", "worst");
    const auto row = [&](const char* world, const char* precision, const Drift& drift) {
        std::printf("%-10s %-9s %10llu %12.2e %12.2e\n", world, precision,
                    static_cast<unsigned long long>(drift.impacts), drift.now, drift.worst);
        std::fflush(stdout);
        char line[120];
        std::snprintf(line, sizeof line, "%s,%s,%llu,%.3e,%.3e\n", world, precision,
                      static_cast<unsigned long long>(drift.impacts), drift.now, drift.worst);
        text += line;
    };
    const PlaceOptions one{.threads = 1};
    row("discs", "double", of_particles(2, wanted));
    row("spheres", "double", of_particles(3, wanted));
    const impact2d::CircleScene scene = impact2d::circle_scene(bodies);
    row("circles", "single",
        of_stages(StagedImpactWorld(scene.circles, {.limit = scene.limit}, one), wanted));
    row("polygons", "single", of_stages(StagedImpactWorld(impact2d::polygon_scene(bodies), {}, one), wanted));
    finish_csv(csv, text);
    return 0;
}

} // namespace scree::bench
