// SPDX-License-Identifier: MIT
// check.cpp — holds a world to what its scene promised.
#include "scene/fields.h"
#include "scree/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace scree {
namespace {

double squared_distance(Vec3 a, Vec3 b) {
    double x = static_cast<double>(a.x) - static_cast<double>(b.x),
           y = static_cast<double>(a.y) - static_cast<double>(b.y),
           z = static_cast<double>(a.z) - static_cast<double>(b.z);
    return x * x + y * y + z * z;
}

/// The farthest that a body has come from its start.
double moved(const Scene& scene, std::span<const BodyState> bodies) {
    double most = 0;
    for (std::size_t i = 0; i < std::min(bodies.size(), scene.bodies.size()); ++i)
        most = std::max(most, squared_distance(bodies[i].position, scene.bodies[i].position));
    return std::sqrt(most);
}

/// Pairs of centres nearer than `distance`, both higher than `above`; sorted along x, so that each sees few
/// others.
double close_pairs(std::span<const BodyState> bodies, double distance, double above) {
    std::vector<Vec3> centres;
    for (const BodyState& body : bodies)
        if (static_cast<double>(body.position.y) > above) centres.push_back(body.position);
    std::sort(centres.begin(), centres.end(), [](Vec3 a, Vec3 b) { return a.x < b.x; });
    double pairs = 0;
    for (std::size_t i = 0; i < centres.size(); ++i)
        for (std::size_t j = i + 1; j < centres.size(); ++j) {
            if (static_cast<double>(centres[j].x) - static_cast<double>(centres[i].x) >= distance) break;
            if (squared_distance(centres[i], centres[j]) < distance * distance) ++pairs;
        }
    return pairs;
}

using Measured = std::map<std::string, double>;

Measured measured(const GranularMeasure& m) {
    auto count = [](std::uint64_t n) { return static_cast<double>(n); };
    return {{"kinetic_energy", m.kinetic_energy},
            {"potential_energy", m.potential_energy},
            {"max_overlap", m.max_overlap},
            {"mean_overlap", m.mean_overlap},
            {"max_speed", m.max_speed},
            {"top", m.top},
            {"bottom", m.bottom},
            {"contacts", count(m.contacts)},
            {"own_contacts", count(m.own_contacts)},
            {"largest_cell", count(m.largest_cell)},
            {"dropped", count(m.dropped)},
            {"unregistered", count(m.unregistered)},
            {"asleep", count(m.asleep)},
            {"frozen", count(m.frozen)}};
}

std::string hexadecimal(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

} // namespace

std::vector<Failure> check_expectations(const Scene& scene, const GranularWorld& world) {
    std::vector<Failure> failures;
    if (scene.expect.empty() && !scene.expected_hash) return failures;
    Measured all = measured(world.measure());
    for (const Expectation& expected : scene.expect) {
        double value = 0;
        if (expected.quantity == "close_pairs")
            value = close_pairs(world.bodies(), expected.distance, expected.above);
        else if (expected.quantity == "moved") value = moved(scene, world.bodies());
        else if (expected.quantity == "interlocked") value = static_cast<double>(world.interlocked().size());
        else if (auto found = all.find(expected.quantity); found != all.end()) value = found->second;
        else
            throw Error("this quantity is not known" +
                            format::suggestion(expected.quantity, expectation_names()),
                        scene.name + ": " + expected.quantity);
        if (value >= expected.least && value <= expected.most) continue; // NaN fails
        Range range{expected.least, expected.most};
        std::string words =
            expected.least == expected.most ? " " + shown(expected.least) : " a value" + range.words();
        failures.push_back({expected.quantity, scene.name + ": " + expected.quantity + " is " + shown(value) +
                                                   ";" + words + " was expected"});
    }
    if (scene.expected_hash && *scene.expected_hash != world.hash())
        failures.push_back({"hash", scene.name + ": hash is " + hexadecimal(world.hash()) + "; " +
                                        hexadecimal(*scene.expected_hash) + " was expected"});
    return failures;
}

} // namespace scree
