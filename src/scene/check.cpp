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
double moved(const Scene& scene, std::span<const GranularBodyState> bodies) {
    double most = 0;
    for (std::size_t i = 0; i < std::min(bodies.size(), scene.bodies.size()); ++i)
        most = std::max(most, squared_distance(bodies[i].position, scene.bodies[i].position));
    return std::sqrt(most);
}

/// The same in a rigid world, of bodies that are not fixed.
double moved(const Scene& scene, const World& world) {
    double most = 0;
    std::vector<BodyId> bodies = world.bodies();
    for (std::size_t i = 0; i < std::min(bodies.size(), scene.rigid->bodies.size()); ++i)
        if (world.type(bodies[i]) != BodyType::fixed)
            most = std::max(most, squared_distance(world.state(bodies[i]).position,
                                                   scene.rigid->bodies[i].body.position));
    return std::sqrt(most);
}

/// Pairs of centres nearer than `distance`, both higher than `above`; sorted along x, so that each sees few
/// others.
double close_pairs(std::span<const GranularBodyState> bodies, double distance, double above) {
    std::vector<Vec3> centres;
    for (const GranularBodyState& body : bodies)
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

double count(std::uint64_t n) { return static_cast<double>(n); }

Measured measured(const GranularMeasure& m) {
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

Measured measured(const WorldMeasure& m) {
    return {{"kinetic_energy", m.kinetic_energy},
            {"potential_energy", m.potential_energy},
            {"max_overlap", m.max_overlap},
            {"mean_overlap", m.mean_overlap},
            {"p99_overlap", m.p99_overlap},
            {"max_speed", m.max_speed},
            {"mean_speed", m.mean_speed},
            {"mean_height", m.mean_height},
            {"top", m.top},
            {"bottom", m.bottom},
            {"joint_error", m.joint_error},
            {"contacts", count(m.contacts)},
            {"points", count(m.points)},
            {"asleep", count(m.asleep)},
            {"frozen", count(m.frozen)}};
}

std::string hexadecimal(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

/// Compares what `value_of` says of each quantity with what was promised.
template <class ValueOf>
std::vector<Failure> compare(const Scene& scene, std::uint64_t hash, const ValueOf& value_of) {
    std::vector<Failure> failures;
    for (const Expectation& expected : scene.expect) {
        double value = value_of(expected);
        if (value >= expected.least && value <= expected.most) continue; // NaN fails
        Range range{expected.least, expected.most};
        std::string words =
            expected.least == expected.most ? " " + shown(expected.least) : " a value" + range.words();
        failures.push_back({expected.quantity, scene.name + ": " + expected.quantity + " is " + shown(value) +
                                                   ";" + words + " was expected"});
    }
    if (scene.expected_hash && *scene.expected_hash != hash)
        failures.push_back({"hash", scene.name + ": hash is " + hexadecimal(hash) + "; " +
                                        hexadecimal(*scene.expected_hash) + " was expected"});
    return failures;
}

double found_in(const Measured& all, const Expectation& expected, const Scene& scene) {
    if (auto found = all.find(expected.quantity); found != all.end()) return found->second;
    throw Error("this quantity is not known" +
                    format::suggestion(expected.quantity, expectation_names(scene.kind())),
                scene.name + ": " + expected.quantity);
}

} // namespace

std::vector<Failure> check_expectations(const Scene& scene, const GranularWorld& world) {
    if (scene.rigid) throw Error("this is a rigid scene; a granular one was expected", scene.file);
    if (scene.expect.empty() && !scene.expected_hash) return {};
    Measured all = measured(world.measure());
    return compare(scene, world.hash(), [&](const Expectation& expected) {
        if (expected.quantity == "close_pairs")
            return close_pairs(world.bodies(), expected.distance, expected.above);
        if (expected.quantity == "moved") return moved(scene, world.bodies());
        if (expected.quantity == "interlocked") return count(world.interlocked().size());
        return found_in(all, expected, scene);
    });
}

std::vector<Failure> check_expectations(const Scene& scene, const World& world) {
    if (!scene.rigid) throw Error("this is a granular scene; a rigid one was expected", scene.file);
    if (scene.expect.empty() && !scene.expected_hash) return {};
    Measured all = measured(world.measure());
    return compare(scene, world.hash(), [&](const Expectation& expected) {
        return expected.quantity == "moved" ? moved(scene, world) : found_in(all, expected, scene);
    });
}

} // namespace scree
