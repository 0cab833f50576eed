// SPDX-License-Identifier: MIT
// targets.cpp — see targets.h.
#include "targets.h"

#include "device/device.h"
#include "scree/version.h"
#include "stopwatch.h"

#include <algorithm>

namespace scree::bench {

namespace {

bool is_cpu(const std::string& device) { return device == "cpu"; }

} // namespace

std::string Target::text() const {
    return threads > 0 ? name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads")
                       : name;
}

std::vector<Target> targets(const BenchOptions& options) {
    std::vector<Target> list;
    for (const std::string& name : options.devices) {
        if (!is_cpu(name)) {
            list.push_back({name, name, 0});
            continue;
        }
        for (int threads : options.threads)
            list.push_back({{{.device = name, .threads = threads}}, name, threads});
    }
    return list;
}

int target_count(const BenchOptions& options) {
    int count = 0;
    for (const std::string& device : options.devices)
        count += is_cpu(device) ? static_cast<int>(options.threads.size()) : 1;
    return count;
}

Target scalar_target() { return {{{.threads = 1, .lanes = 1}}, "cpu scalar", 1}; }

Place preparing_place(const BenchOptions& options) { return options.devices.front(); }

std::vector<double> time_steps(GranularWorld& world, int steps, int block, RunProgress& progress) {
    std::vector<double> times;
    const int blocks = std::max(steps / block, 1);
    world.device().finish();
    for (int i = 0; i < blocks; ++i) {
        const Stopwatch clock;
        world.step(block);
        world.device().finish();
        times.push_back(clock.ms() / block);
        progress.part((i + 1.0) / blocks);
    }
    return times;
}

Row scree_row(const std::string& contract, const std::string& scene, const Target& target,
              const GranularWorld& world) {
    Row row;
    row.contract = contract;
    row.engine = "scree";
    row.version = SCREE_VERSION;
    row.device = target.name;
    row.threads = target.threads;
    row.scene = scene;
    row.bodies = world.body_count();
    row.particles = world.particle_count();
    return row;
}

Quality world_quality(const GranularWorld& world) {
    const GranularMeasure measure = world.measure();
    const std::span<const GranularBodyState> bodies = world.bodies();
    double height = 0;
    for (const GranularBodyState& body : bodies) height += body.position.y;
    const double count = std::max<double>(static_cast<double>(bodies.size()), 1);
    return {measure.max_overlap * 1e3, measure.mean_overlap * 1e3,
            static_cast<double>(measure.contacts) / count, measure.kinetic_energy, height / count};
}

} // namespace scree::bench
