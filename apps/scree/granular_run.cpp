// SPDX-License-Identifier: MIT
// granular_run.cpp — a granular scene under way; see scene_run.h.

#include "device/device.h"
#include "scene_run.h"
#include "scree/granular.h"
#include "text.h"

#include <algorithm>

namespace scree {

namespace {

class GranularRun final : public SceneRun {
public:
    GranularRun(const Scene& scene, const Place& place)
        : world_(build_world(scene, place)), shapes_(scene.shapes.size()) {}

    void step(std::uint64_t count) override {
        // the world counts in int, a run could be longer
        for (; count > 0; count -= std::min<std::uint64_t>(count, 1'000'000))
            world_.step(static_cast<int>(std::min<std::uint64_t>(count, 1'000'000)));
        world_.device().finish();
    }
    std::uint64_t steps_done() const override { return world_.steps_done(); }
    double time() const override { return world_.time(); }
    std::uint64_t hash() const override { return world_.hash(); }

    Quantities measure() const override {
        const GranularMeasure m = world_.measure();
        return {m.kinetic_energy, m.potential_energy, m.max_overlap, m.top, m.asleep, m.contacts};
    }
    std::vector<Failure> failures(const Scene& scene) const override {
        return check_expectations(scene, world_);
    }
    std::vector<RecordedPose> poses() const override {
        std::vector<RecordedPose> poses;
        for (const GranularBodyState& body : world_.bodies()) poses.push_back({body.position, body.rotation});
        return poses;
    }
    void record(RecordingWriter& recording) const override { record_frame(recording, world_); }
    std::string csv_heading() const override {
        return "step,time,kinetic_energy,potential_energy,max_overlap,contacts,top,max_speed,asleep\n";
    }
    std::string csv_row() const override {
        const GranularMeasure m = world_.measure();
        std::string row = std::to_string(world_.steps_done());
        for (const double value : {world_.time(), m.kinetic_energy, m.potential_energy, m.max_overlap})
            row += "," + exact_number(value);
        return row + "," + std::to_string(m.contacts) + "," + exact_number(m.top) + "," +
               exact_number(m.max_speed) + "," + std::to_string(m.asleep) + "\n";
    }

    const GranularWorld* granular() const override { return &world_; }
    void time_stages(bool on) override { world_.time_stages(on); }
    std::vector<std::string> stage_names() const override {
        return {granular_stage_names.begin(), granular_stage_names.end()};
    }
    std::vector<double> stage_seconds() const override {
        const auto all = world_.stage_seconds();
        return {all.begin(), all.end()};
    }

    const DeviceReport& device() const override { return world_.place().report(); }
    std::string contents() const override {
        return count_of(world_.body_count(), "body", "bodies") + " of " +
               count_of(shapes_, "shape", "shapes") + ", " +
               count_of(world_.particle_count(), "particle", "particles");
    }
    double items() const override { return world_.particle_count(); }
    const char* item_steps() const override { return "particle-steps"; }
    std::vector<std::string> warnings() const override {
        const GranularMeasure m = world_.measure();
        std::vector<std::string> all;
        if (m.frozen > 0)
            all.push_back(count_of(m.frozen, "body", "bodies") +
                          " became non-finite and stopped where they were");
        if (m.dropped > 0 || m.unregistered > 0)
            all.push_back(count_of(m.dropped, "particle", "particles") + " found no room in the grid, " +
                          count_text(m.unregistered) + " lie outside it (reference mode)");
        if (m.memory_overflows > 0)
            all.push_back(count_of(m.memory_overflows, "contact", "contacts") +
                          " found no room for a friction spring in the last step; raise contact_memory");
        return all;
    }

private:
    GranularWorld world_;
    std::size_t shapes_;
};

} // namespace

std::unique_ptr<SceneRun> start_granular(const Scene& scene, const Place& place) {
    return std::make_unique<GranularRun>(scene, place);
}

} // namespace scree
