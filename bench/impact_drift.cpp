// SPDX-License-Identifier: MIT
// impact_drift.cpp — scree-bench impact --drift: what many elastic impacts make of a world's energy, momentum and angular momentum.
#include "impact_tables.h"

#include "impact2d/scenes.h"
#include "scree/impact.h"
#include "scree/scree.h"
#include "scree/staged_impact.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace scree::bench {

namespace {

constexpr std::uint32_t bodies = 16;

struct Drift {
    std::uint64_t impacts = 0;
    double now = 0, worst = 0; ///< of the energy, relative
    double momentum = -1,
           turning = -1; ///< the worst over what there was at the start; negative: walls change it
    void look(double energy, double begin) {
        now = energy / begin - 1;
        worst = std::max(worst, std::abs(now));
    }
};
void grow(double& worst, const DVec3& now, const DVec3& begin) {
    worst = std::max(worst, length(now - begin) / length(begin));
}

/// Particles of two sizes and masses between walls, or in a box that repeats: double precision.
Drift of_particles(int dimensions, bool walls, std::uint64_t wanted) {
    ImpactSettings settings;
    settings.dimensions = dimensions;
    settings.upper = {8, 8, dimensions == 3 ? 8.0 : 0.0};
    if (!walls)
        for (int k = 0; k < dimensions; ++k)
            settings.borders[static_cast<std::size_t>(k)] = ImpactBorder::periodic;
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
    const ImpactMeasure begin = world.measure();
    Drift drift;
    while (drift.impacts < wanted) {
        world.step(100);
        const ImpactMeasure m = world.measure();
        drift.impacts = m.impacts;
        drift.look(m.kinetic_energy, begin.kinetic_energy);
        if (!walls) grow(drift.momentum, m.momentum, begin.momentum);
    }
    return drift;
}

enum class Flown { spheres, cubes, boxes, hulls };

/// Bodies of Solver::impact in a hollow box that floats and turns itself, so that there are walls and nothing outside them.
Drift of_bodies(Flown shape, std::uint64_t wanted) {
    WorldSettings settings;
    settings.solver = Solver::impact;
    settings.gravity = {};
    settings.sleeping = false;
    settings.restitution_threshold = 0;
    World world(settings, PlaceOptions{.threads = 1});
    ShapeDef surface;
    surface.material.restitution = 1;
    surface.material.friction = 0;
    surface.density = 1;
    const BodyId room = world.create_body({});
    for (int k = 0; k < 6; ++k) {
        const float side = k % 2 ? 2.05f : -2.05f;
        const Vec3 half[] = {{0.25f, 2.5f, 2.5f}, {2.5f, 0.25f, 2.5f}, {2.5f, 2.5f, 0.25f}};
        const Vec3 at[] = {{side, 0, 0}, {0, side, 0}, {0, 0, side}};
        surface.position = at[k / 2];
        world.attach(room, Box{half[k / 2].x, half[k / 2].y, half[k / 2].z}, surface);
    }
    surface.position = {};
    surface.density = 20;
    std::mt19937_64 random(1);
    const auto any = [&] { return static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-23 - 1); };
    const auto vector = [&] {
        const float x = any(), y = any(), z = any();
        return Vec3{x, y, z};
    };
    for (std::uint32_t k = 0; k < bodies; ++k) {
        BodyDef body;
        body.position = {-1.4f + 0.93f * static_cast<float>(k % 4), -1.4f + 0.93f * static_cast<float>(k / 4),
                         0.3f * any()};
        body.velocity = 3 * vector();
        if (shape != Flown::spheres) body.angular_velocity = 2 * vector();
        const BodyId id = world.create_body(body);
        if (shape == Flown::spheres) world.attach(id, Sphere{k % 2 ? 0.3f : 0.2f}, surface);
        else if (shape == Flown::cubes) world.attach(id, Box{0.2f, 0.2f, 0.2f}, surface);
        else if (shape == Flown::boxes) world.attach(id, Box{k % 2 ? 0.2f : 0.3f, 0.2f, 0.2f}, surface);
        else {
            std::vector<Vec3> corners;
            for (int n = 0; n < 10; ++n) corners.push_back(0.35f * normalized(vector()));
            world.attach(id, Hull::from_points(corners), surface);
        }
    }
    const WorldMeasure begin = world.measure();
    Drift drift;
    while (drift.impacts < wanted) {
        for (int k = 0; k < 60 && drift.impacts < wanted; ++k) {
            world.step(1 / 60.0f);
            drift.impacts += world.counters().impact.impacts;
        }
        const WorldMeasure m = world.measure();
        drift.look(m.kinetic_energy, begin.kinetic_energy);
        grow(drift.momentum, wide(m.momentum), wide(begin.momentum));
        grow(drift.turning, wide(m.angular_momentum), wide(begin.angular_momentum));
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
    std::string text = "world,precision,impacts,drift,worst,momentum,angular_momentum\n";
    std::printf("%-14s %-9s %10s %10s %10s %10s %10s\n", "", "precision", "impacts", "energy", "worst",
                "momentum", "angular");
    const auto share = [](double value, const char* none) {
        char number[32];
        std::snprintf(number, sizeof number, "%.2e", value);
        return value < 0 ? std::string(none) : std::string(number);
    };
    const auto row = [&](const char* world, const char* precision, const Drift& drift) {
        const auto impacts = static_cast<unsigned long long>(drift.impacts);
        std::printf("%-14s %-9s %10llu %10.2e %10.2e %10s %10s\n", world, precision, impacts, drift.now,
                    drift.worst, share(drift.momentum, "-").c_str(), share(drift.turning, "-").c_str());
        std::fflush(stdout);
        char line[160];
        std::snprintf(line, sizeof line, "%s,%s,%llu,%.3e,%.3e,%s,%s\n", world, precision, impacts, drift.now,
                      drift.worst, share(drift.momentum, "").c_str(), share(drift.turning, "").c_str());
        text += line;
    };
    const PlaceOptions one{.threads = 1};
    row("discs", "double", of_particles(2, true, wanted));
    row("spheres", "double", of_particles(3, true, wanted));
    row("free discs", "double", of_particles(2, false, wanted));
    row("free spheres", "double", of_particles(3, false, wanted));
    const impact2d::CircleScene scene = impact2d::circle_scene(bodies);
    row("circles", "single",
        of_stages(StagedImpactWorld(scene.circles, {.limit = scene.limit}, one), wanted));
    row("polygons", "single", of_stages(StagedImpactWorld(impact2d::polygon_scene(bodies), {}, one), wanted));
    row("world spheres", "double", of_bodies(Flown::spheres, wanted));
    row("world cubes", "double", of_bodies(Flown::cubes, wanted));
    row("world boxes", "double", of_bodies(Flown::boxes, wanted));
    row("world hulls", "double", of_bodies(Flown::hulls, wanted));
    finish_csv(csv, text);
    return 0;
}

} // namespace scree::bench
