// SPDX-License-Identifier: MIT
// gas_test.cpp — ImpactWorld against kinetic theory: what it conserves, equation of state, speeds, cooling.
#include "scree/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace scree {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Particles of diameter 1 and mass 1 on a lattice in a periodic box, all with the same speed: nothing like a gas at rest.
ImpactWorld lattice_gas(int dimensions, int side, double packing, double restitution = 1) {
    const double volume = dimensions == 2 ? pi / 4 : pi / 6;
    const double cell = std::pow(volume / packing, 1.0 / dimensions);
    ImpactSettings s;
    s.dimensions = dimensions;
    s.borders.fill(ImpactBorder::periodic);
    s.restitution = restitution;
    s.upper = {side * cell, side * cell, dimensions == 3 ? side * cell : 0};
    ImpactWorld world(s);
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    DVec3 mean{};
    std::vector<ImpactParticle> all;
    for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; ++y)
            for (int z = 0; z < (dimensions == 3 ? side : 1); ++z) {
                DVec3 v{normal(random), normal(random), dimensions == 3 ? normal(random) : 0};
                v = normalized(v) * std::sqrt(static_cast<double>(dimensions)); // temperature 1
                all.push_back({{(x + 0.5) * cell, (y + 0.5) * cell, dimensions == 3 ? (z + 0.5) * cell : 0},
                               v,
                               0.5,
                               1});
                mean += v;
            }
    for (ImpactParticle& p : all) {
        p.velocity -= mean / static_cast<double>(all.size());
        world.add(p);
    }
    return world;
}

TEST(ImpactGas, EnergyAndMomentumOverAHundredThousandImpacts) {
    ImpactWorld world = lattice_gas(3, 8, 0.45);
    const ImpactMeasure before = world.measure();
    while (world.measure().impacts < 100'000) world.step(1);
    const ImpactMeasure after = world.measure();
    EXPECT_NEAR(after.kinetic_energy / before.kinetic_energy, 1, 1e-12);
    EXPECT_LT(length(after.momentum - before.momentum), 1e-10);
    EXPECT_LT(after.max_overlap, 1e-12);
    EXPECT_LT(world.memory(), 400 * world.particle_count());
}

/// Of all particles about the origin, in the plane.
double angular_momentum(const ImpactWorld& world) {
    double sum = 0;
    for (std::uint32_t k = 0; k < world.particle_count(); ++k) {
        const ImpactParticle p = world.particle(k);
        sum += p.mass * (p.position.x * p.velocity.y - p.position.y * p.velocity.x);
    }
    return sum;
}

TEST(ImpactGas, AMillionImpactsKeepEnergyMomentumAndAngularMomentum) {
    ImpactSettings s;
    s.dimensions = 2;
    s.lower = {-10, -10, 0};
    s.upper = {10, 10, 0};
    s.list_impacts = true;
    ImpactWorld world(s);
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 400; ++k)
        world.add({{-9.5 + k % 20, -9.5 + k / 20, 0},
                   {normal(random), normal(random), 0},
                   k % 3 ? 0.45 : 0.3,
                   k % 3 ? 1 : 0.4});
    const ImpactMeasure before = world.measure();
    const double turning = angular_momentum(world);
    // what walls gave; impulses in the list are on the wall
    DVec3 given{};
    double twist = 0, sum = 0;
    while (world.measure().impacts < 1'000'000) {
        world.step(10);
        for (const Impact& hit : world.impacts()) {
            if (hit.b < Impact::wall) continue;
            const DVec3 impulse = hit.normal * -hit.impulse;
            given += impulse;
            twist += hit.point.x * impulse.y - hit.point.y * impulse.x;
            sum += hit.impulse;
        }
    }
    const ImpactMeasure after = world.measure();
    EXPECT_NEAR(after.kinetic_energy / before.kinetic_energy, 1, 1e-10);
    EXPECT_LT(length(after.momentum - before.momentum - given), 1e-10 * sum);
    EXPECT_LT(std::abs(angular_momentum(world) - turning - twist), 1e-10 * sum * 10);
    EXPECT_LT(after.max_overlap, 1e-12);
}

TEST(ImpactGas, WallsAndVirialAgreeOnThePressure) {
    // centres stay a radius away from the walls, so their virial is that of a smaller box
    ImpactSettings s;
    s.upper = {10, 10, 10};
    ImpactWorld world(s);
    std::mt19937_64 random(6);
    std::normal_distribution<double> normal;
    constexpr double radius = 0.4;
    for (int k = 0; k < 1000; ++k)
        world.add({{0.5 + k % 10, 0.5 + k / 10 % 10, 0.5 + k / 100},
                   {normal(random), normal(random), normal(random)},
                   radius,
                   1});
    world.step(5);
    world.begin_averages();
    world.step(100);
    const ImpactMeasure m = world.measure();
    EXPECT_NEAR(m.wall_pressure * (1 - 2 * radius / 10) / m.pressure, 1, 0.01);
}

TEST(ImpactGas, ThePressureIsThatOfTheEquationsOfState) {
    // Carnahan & Starling 1969; Henderson 1975
    for (const double packing : {0.1, 0.3}) {
        ImpactWorld world = lattice_gas(3, 10, packing);
        world.step(5);
        world.begin_averages();
        world.step(15);
        const ImpactMeasure m = world.measure();
        const double density = packing / (pi / 6), e = packing;
        const double factor = (1 + e + e * e - e * e * e) / std::pow(1 - e, 3);
        EXPECT_NEAR(m.pressure / (density * m.temperature), factor, 0.02 * factor) << packing;
        EXPECT_NEAR(m.packing, packing, 1e-12);
    }
    ImpactWorld world = lattice_gas(2, 30, 0.5);
    world.step(5);
    world.begin_averages();
    world.step(20);
    const ImpactMeasure m = world.measure();
    EXPECT_NEAR(m.pressure / (0.5 / (pi / 4) * m.temperature), (1 + 0.5 * 0.5 / 8) / 0.25, 0.08);
}

TEST(ImpactGas, TheWallsFeelThePressureOfAnIdealGas) {
    ImpactSettings s;
    s.upper = {10, 10, 10};
    ImpactWorld world(s);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 1000; ++k)
        world.add({{0.5 + k % 10, 0.5 + k / 10 % 10, 0.5 + k / 100},
                   {normal(random), normal(random), normal(random)},
                   0.01,
                   2});
    world.step(40);
    const ImpactMeasure m = world.measure();
    EXPECT_GT(m.wall_impacts, 9'000u);
    EXPECT_NEAR(m.wall_pressure, m.temperature, 0.03 * m.temperature); // n = 1
    EXPECT_NEAR(m.pressure, m.temperature, 0.01 * m.temperature);
}

/// The largest distance of the distribution of the samples from the normal one with this deviation.
double kolmogorov_smirnov(std::vector<double> samples, double deviation) {
    std::sort(samples.begin(), samples.end());
    const auto count = static_cast<double>(samples.size());
    double most = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const double expected = 0.5 * std::erfc(-samples[k] / (deviation * std::sqrt(2.0)));
        most = std::max({most, std::abs(expected - static_cast<double>(k) / count),
                         std::abs(expected - static_cast<double>(k + 1) / count)});
    }
    return most * std::sqrt(count);
}

TEST(ImpactGas, EqualSpeedsBecomeMaxwellAndBoltzmanns) {
    ImpactWorld world = lattice_gas(3, 10, 0.2);
    const auto components = [&] {
        std::vector<double> all;
        for (const DVec3& v : world.velocities()) all.insert(all.end(), {v.x, v.y, v.z});
        return all;
    };
    EXPECT_GT(kolmogorov_smirnov(components(), 1), 2.5);
    world.step(10);
    EXPECT_GT(world.measure().impacts, 10'000u);
    EXPECT_LT(kolmogorov_smirnov(components(), std::sqrt(world.measure().temperature)), 1.63); // 1 %
}

TEST(ImpactGas, AGranularGasCoolsByHaffsLaw) {
    constexpr double packing = 0.1, restitution = 0.9;
    ImpactWorld world = lattice_gas(3, 10, packing);
    world.step(5); // to Maxwell's speeds
    ImpactSettings s = world.settings();
    s.restitution = restitution;
    world.change_settings(s);
    const double begin = world.measure().temperature;
    // Enskog's frequency of impacts of a particle, and (1 - e^2) T of energy lost in each
    const double density = packing / (pi / 6), contact = (1 - packing / 2) / std::pow(1 - packing, 3);
    const double frequency = 4 * density * contact * std::sqrt(pi * begin);
    const double rate = (1 - restitution * restitution) * frequency / 6;
    for (int k = 1; k <= 4; ++k) {
        world.step(2 / rate);
        const double expected = begin / std::pow(1 + 2 * k, 2);
        EXPECT_NEAR(world.measure().temperature / expected, 1, 0.08) << k;
    }
}

} // namespace
} // namespace scree
