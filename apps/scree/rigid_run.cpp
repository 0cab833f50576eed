// SPDX-License-Identifier: MIT
// rigid_run.cpp — a rigid scene under way; see scene_run.h.

#include "scene_run.h"
#include "scree/error.h"
#include "scree/world.h"
#include "text.h"

namespace scree {

namespace {

class RigidRun final : public SceneRun {
public:
    RigidRun(const Scene& scene, const Place& place)
        : scene_(scene), world_(build_rigid_world(scene_, place)) {
        for (const RigidBodyDef& body : scene_.rigid->bodies) shapes_.push_back(body.shape);
    }

    void step(std::uint64_t count) override {
        for (; count > 0; --count) step_scene(scene_, world_);
    }
    std::uint64_t steps_done() const override { return world_.steps_done(); }
    double time() const override { return world_.time(); }
    std::uint64_t hash() const override { return world_.hash(); }

    Quantities measure() const override {
        const WorldMeasure m = world_.measure();
        return {m.kinetic_energy, m.potential_energy, m.max_overlap, m.top, m.asleep, m.contacts};
    }
    std::vector<Failure> failures(const Scene& scene) const override {
        return check_expectations(scene, world_);
    }
    std::vector<RecordedPose> poses() const override {
        std::vector<RecordedPose> poses;
        for (const BodyId id : world_.bodies()) {
            const BodyState body = world_.state(id);
            poses.push_back({body.centre, body.rotation});
        }
        return poses;
    }
    void record(RecordingWriter& recording) const override { record_frame(recording, world_, shapes_); }
    std::string csv_heading() const override {
        return "step,time,kinetic_energy,potential_energy,max_overlap,contacts,top,max_speed,asleep,mean_"
               "overlap,"
               "p99_overlap,mean_speed,mean_height,joint_error\n";
    }
    std::string csv_row() const override {
        const WorldMeasure m = world_.measure();
        std::string row = std::to_string(world_.steps_done());
        for (const double value : {world_.time(), m.kinetic_energy, m.potential_energy, m.max_overlap})
            row += "," + exact_number(value);
        row += "," + std::to_string(m.contacts) + "," + exact_number(m.top) + "," +
               exact_number(m.max_speed) + "," + std::to_string(m.asleep);
        for (const double value : {m.mean_overlap, m.p99_overlap, m.mean_speed, m.mean_height, m.joint_error})
            row += "," + exact_number(value);
        return row + "\n";
    }

    const World* rigid() const override { return &world_; }
    void time_stages(bool on) override { world_.time_stages(on); }
    std::vector<std::string> stage_names() const override {
        return {world_stage_names.begin(), world_stage_names.end()};
    }
    std::vector<double> stage_seconds() const override {
        const auto all = world_.stage_seconds();
        return {all.begin(), all.end()};
    }

    const DeviceReport& device() const override { return world_.place().report(); }
    std::string contents() const override {
        std::string text = count_of(world_.body_count(), "body", "bodies") + " of " +
                           count_of(scene_.rigid->shapes.size(), "shape", "shapes");
        if (world_.joint_count() > 0) text += ", " + count_of(world_.joint_count(), "joint", "joints");
        return text;
    }
    double items() const override { return world_.body_count(); }
    const char* item_steps() const override { return "body-steps"; }
    std::vector<std::string> warnings() const override {
        const WorldMeasure m = world_.measure();
        if (m.frozen == 0) return {};
        return {count_of(m.frozen, "body", "bodies") + " became non-finite and stopped where they were"};
    }
    bool save_and_restore() override {
        world_ = World::restore(world_.save(), world_.place());
        return true;
    }

private:
    Scene scene_; // a copy: its forces act from step to step
    World world_;
    std::vector<std::uint32_t> shapes_; // of the bodies
};

} // namespace

std::unique_ptr<SceneRun> start_rigid(const Scene& scene, const Place& place) {
    const std::string& name = place.device();
    if (name.starts_with("opencl"))
        throw Error("\"" + printable(name) +
                        "\" is not allowed for a rigid scene; \"cpu\" or \"cuda\" was expected",
                    "--device");
    return std::make_unique<RigidRun>(scene, place);
}

} // namespace scree
