// SPDX-License-Identifier: MIT
// run.cpp — a running scene of impacts. Its bodies are the particles; the box is drawn as lines.
#include "scene/run.h"
#include "scene/impact/kind.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace scree {
namespace {

class ImpactRun final : public SceneRun {
public:
    ImpactRun(const Kind& kind, const Scene& scene, const Place& place)
        : SceneRun(kind, scene, place), world_(build_impact(scene, place)) {}

    void step(std::uint64_t count) override {
        const auto begin = std::chrono::steady_clock::now();
        const double from = double{content().average_from};
        for (; count > 0; --count) {
            const bool before = world_.time() < from;
            left_ += world_.step(double{content().time_step}).left;
            if (before && world_.time() >= from) world_.begin_averages();
        }
        if (timing_)
            seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    std::uint64_t steps_done() const override { return world_.steps_done(); }
    double time() const override { return world_.time(); }
    std::uint64_t hash() const override { return world_.hash(); }

    std::vector<Measured> measure() const override {
        const ImpactMeasure m = world_.measure();
        return {{"kinetic_energy", m.kinetic_energy},
                {"total_energy", m.kinetic_energy + m.potential_energy},
                {"momentum", length(m.momentum)},
                {"temperature", m.temperature},
                {"pressure", m.pressure},
                {"wall_pressure", m.wall_pressure},
                {"compressibility", m.compressibility},
                {"flatness", m.flatness},
                {"max_speed", m.max_speed},
                {"max_overlap", m.max_overlap},
                {"packing", m.packing},
                {"centre_x", m.centre.x},
                {"centre_y", m.centre.y},
                {"deviation_x", m.deviation.x},
                {"impacts", static_cast<double>(m.impacts)},
                {"wall_impacts", static_cast<double>(m.wall_impacts)},
                {"time_left", left_}};
    }
    std::vector<std::string> warnings() const override {
        if (!(left_ > 0)) return {};
        return {"steps ended after max_events events: the world is " + std::to_string(left_) + " s behind"};
    }
    std::string contents() const override {
        return count_of(world_.particle_count(), "particle", "particles") + " in " +
               (content().dimensions == 2 ? "two" : "three") + " dimensions";
    }
    std::vector<std::string_view> stage_names() const override { return {"events"}; }
    void time_stages(bool on) override {
        timing_ = on;
        seconds_ = 0;
    }
    std::vector<double> stage_seconds() const override { return {seconds_}; }

    std::uint32_t body_count() const override { return world_.particle_count(); }
    Vec3 gravity() const override { return content().gravity; }
    Grip grip(std::uint32_t body, Vec3 local) const override {
        const ImpactParticle p = world_.particle(body);
        return {narrow(p.position + wide(local)), narrow(p.velocity),
                p.mass == INFINITY ? 0 : static_cast<float>(p.mass)};
    }
    void pull(std::uint32_t body, Vec3, Vec3 force) override {
        const ImpactParticle p = world_.particle(body);
        if (p.mass == INFINITY) return;
        DVec3 velocity = p.velocity + wide(force) * (double{content().time_step} / p.mass);
        if (content().dimensions == 2) velocity.z = 0;
        world_.set_velocity(body, velocity);
    }
    void shoot(const Shoot&) override {
        throw Error("a world of impacts has nothing to shoot with", "shoot");
    }

    void observe(Details& details, const Wishes& wishes) const override {
        details.counters = {{"awake", static_cast<double>(world_.particle_count())}};
        if (wishes.measures) details.measures = measure();
        details.memory = world_.memory();
    }

private:
    const ImpactScene& content() const { return *std::any_cast<ImpactScene>(&scene_.content); }

    Appearance look() const override {
        Appearance look;
        std::map<double, std::uint32_t> shapes; // by radius
        const std::uint32_t count = world_.particle_count();
        for (std::uint32_t k = 0; k < count; ++k) {
            const ImpactParticle p = world_.particle(k);
            const auto [known, added] =
                shapes.try_emplace(p.radius, static_cast<std::uint32_t>(look.shapes.size()));
            if (added)
                look.shapes.push_back(
                    appearance_of("particle", {{Sphere{static_cast<float>(p.radius)}, {}}}));
            const bool fixed = p.mass == INFINITY;
            look.bodies.push_back({known->second, fixed ? BodyType::kinematic : BodyType::dynamic,
                                   fixed ? 0 : static_cast<float>(p.mass)});
            if (k < content().paints.size()) look.bodies.back().paint = content().paints[k];
        }
        look.body_count = count;
        AppearanceLines& box = look.lines.emplace_back();
        box.name = "box";
        box.vertex_count = 8;
        // corners whose numbers differ in one bit
        for (std::uint32_t a = 0; a < 8; ++a)
            for (const std::uint32_t axis : {1u, 2u, 4u})
                if (!(a & axis) && (content().dimensions == 3 || (a < 4 && axis < 4)))
                    box.ends.insert(box.ends.end(), {a, a | axis});
        return look;
    }
    void show_poses(Frame& frame, bool velocities) const override {
        const std::uint32_t count = world_.particle_count();
        frame.step = steps_done();
        frame.time = time();
        frame.resize(count);
        frame.velocity.assign(velocities ? count : 0, {});
        frame.angular_velocity.assign(frame.velocity.size(), {});
        for (std::uint32_t k = 0; k < count; ++k) {
            const ImpactParticle p = world_.particle(k);
            frame.set_pose(k, {narrow(p.position), {}});
            frame.flags[k] = 0;
            if (velocities) frame.velocity[k] = narrow(p.velocity);
        }
        const Vec3 low = content().lower, high = content().upper;
        frame.vertices.clear();
        for (int k = 0; k < 8; ++k)
            frame.vertices.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                                      content().dimensions == 2 ? 0
                                      : k & 4                   ? high.z
                                                                : low.z});
    }
    bool shows(const Setting& setting) const override {
        return setting.name == "lower" || setting.name == "upper" || setting.name == "dimensions";
    }
    std::vector<std::byte> save_world() const override { return world_.save(); }
    void restore_world(std::span<const std::byte> saved, const Place& place) override {
        ImpactWorld restored({}, place);
        restored.restore(saved);
        world_ = std::move(restored);
        left_ = 0;
    }
    void settings_changed() override {
        check(content());
        world_.change_settings(content().settings());
    }

    ImpactWorld world_;
    double left_ = 0; ///< s that steps left over
    bool timing_ = false;
    double seconds_ = 0;
};

} // namespace

std::unique_ptr<SceneRun> start_impact(const Kind& kind, const Scene& scene, const Place& place) {
    return std::make_unique<ImpactRun>(kind, scene, place);
}

} // namespace scree
