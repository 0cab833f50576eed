// SPDX-License-Identifier: MIT
// run.cpp — a running scene of impacts in stages. A step is one unit of time, through all impacts within it. Bodies are drawn as discs and
// prisms that lie in the plane z = 0; the room of circles as lines.
#include "scene/run.h"
#include "bytes/fields.h"
#include "bytes/seal.h"
#include "scene/staged/kind.h"
#include "scree/error.h"
#include "text/number_text.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t drawn_corners = 63; // a hull has at most 128

/// A prism about the plane z = 0; of very many corners, as many as a hull may have.
Hull prism(const std::vector<Vec2>& vertices, float half_depth) {
    std::vector<Vec3> points;
    const std::size_t count = std::min(vertices.size(), drawn_corners);
    for (std::size_t k = 0; k < count; ++k) {
        const Vec2 v = vertices[k * vertices.size() / count];
        points.push_back({v.x, v.y, half_depth});
        points.push_back({v.x, v.y, -half_depth});
    }
    return Hull::from_points(points);
}

float reach(const StagedPolygon& p) {
    float most = 0;
    for (const Vec2 v : p.vertices) most = std::max(most, std::hypot(v.x, v.y));
    return most;
}

class StagedRun final : public SceneRun {
public:
    StagedRun(const Kind& kind, const Scene& scene, const Place& place)
        : SceneRun(kind, scene, place), world_(build_staged(scene, place)), begin_(world_.measure()) {}

    void step(std::uint64_t count) override {
        for (; count > 0; --count, ++steps_) {
            const double end = world_.time() + 1;
            // times are sums of floats
            double left = 1;
            for (int k = 0; left > 1e-6 && k < content().max_impacts; ++k) {
                unsettled_ += world_.step(std::min(left, 1.0)).settled ? 0 : 1;
                left = end - world_.time();
            }
            if (left > 1e-6) left_ += left;
        }
    }
    std::uint64_t steps_done() const override { return steps_; }
    double time() const override { return world_.time() * double{content().time_step}; }
    std::uint64_t hash() const override { return world_.hash(); }

    std::vector<Measured> measure() const override {
        const StagedMeasure m = world_.measure();
        return {{"kinetic_energy", m.kinetic_energy},
                {"momentum", std::hypot(m.momentum_x, m.momentum_y)},
                {"angular_momentum", m.angular_momentum},
                {"overlapping_pairs", static_cast<double>(m.overlapping_pairs)},
                {"impacts", static_cast<double>(world_.impacts())},
                {"unsettled", static_cast<double>(unsettled_)},
                {"time_left", left_}};
    }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> all;
        if (begin_.overlapping_pairs > 0)
            all.push_back(count_of(begin_.overlapping_pairs, "pair overlaps", "pairs overlap") +
                          " at the start, bodies " + std::to_string(begin_.deepest[0]) + " and " +
                          std::to_string(begin_.deepest[1]) + " by " + number_text(begin_.max_overlap) +
                          (world_.of_polygons() ? "" : ": ignored until they part"));
        if (left_ > 0)
            all.push_back("steps ended after max_impacts impacts: the world is " + std::to_string(left_) +
                          " units behind");
        if (unsettled_ > 0)
            all.push_back(count_of(unsettled_, "impact", "impacts") + " did not settle in max_passes passes");
        return all;
    }
    std::string contents() const override {
        return world_.of_polygons() ? count_of(world_.body_count(), "polygon", "polygons")
                                    : count_of(world_.body_count(), "circle", "circles");
    }
    std::vector<std::string_view> stage_names() const override {
        return {"boxes", "candidates", "bisection", "minimum", "impulses", "advance"};
    }
    void time_stages(bool on) override {
        timing_ = on;
        world_.time_stages(on);
    }
    std::vector<double> stage_seconds() const override {
        const StagedTimes all = world_.stage_seconds();
        return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(StagedStage::drawing)};
    }

    std::uint32_t body_count() const override { return world_.body_count(); }
    Vec3 gravity() const override { return {}; }
    Grip grip(std::uint32_t body, Vec3 local) const override {
        const Moving at = moving()[body];
        const Vec3 arm = rotate(turned(at.angle), local);
        const Vec3 velocity{at.velocity.x - at.spin * arm.y, at.velocity.y + at.spin * arm.x, 0};
        return {Vec3{at.position.x, at.position.y, 0} + arm, velocity * (1 / content().time_step),
                at.inverse_mass > 0 ? 1 / at.inverse_mass : 0};
    }
    /// The impulse of the force in a unit of time, which turns polygons, too.
    void pull(std::uint32_t body, Vec3 point, Vec3 force) override {
        const Moving at = moving()[body];
        if (!(at.inverse_mass > 0)) return;
        const float span = content().time_step * content().time_step; // N to kg m/unit²
        const Vec2 arm{point.x - at.position.x, point.y - at.position.y};
        world_.set_velocity(body,
                            {at.velocity.x + force.x * span * at.inverse_mass,
                             at.velocity.y + force.y * span * at.inverse_mass},
                            at.spin + (arm.x * force.y - arm.y * force.x) * span * at.inverse_inertia);
    }
    void shoot(const Shoot&) override {
        throw Error("a world of impacts in stages has nothing to shoot with", "shoot");
    }

    void observe(Details& details, const Wishes& wishes) const override {
        details.counters = {{"awake", static_cast<double>(world_.body_count())}};
        if (wishes.measures) details.measures = measure();
        details.memory = world_.memory();
    }

private:
    struct Moving {
        Vec2 position{}, velocity{};
        float angle = 0, spin = 0, inverse_mass = 0, inverse_inertia = 0;
    };
    const StagedScene& content() const { return *std::any_cast<StagedScene>(&scene_.content); }
    static Quat turned(float angle) { return {0, 0, std::sin(angle / 2), std::cos(angle / 2)}; }

    std::vector<Moving> moving() const {
        std::vector<Moving> all;
        for (const StagedCircle& c : world_.circles())
            all.push_back({c.position, c.velocity, 0, 0, 1 / c.mass, 0});
        for (const StagedPolygon& p : world_.polygons())
            all.push_back({p.position, p.velocity, p.angle, p.angular_velocity, 1 / p.mass,
                           std::isinf(p.mass) ? 0 : 1 / p.inertia});
        return all;
    }

    Appearance look() const override {
        Appearance look;
        const std::vector<StagedCircle> circles = world_.circles();
        const std::vector<StagedPolygon> polygons = world_.polygons();
        float least = INFINITY; // as thick as the smallest body is wide
        for (const StagedCircle& c : circles) least = std::min(least, c.radius);
        for (const StagedPolygon& p : polygons) least = std::min(least, reach(p));
        const auto add = [&](std::uint32_t shape, float mass) {
            const std::size_t k = look.bodies.size();
            const bool fixed = std::isinf(mass);
            look.bodies.push_back({shape, fixed ? BodyType::fixed : BodyType::dynamic, fixed ? 0 : mass});
            if (k < content().paints.size()) look.bodies.back().paint = content().paints[k];
        };
        std::map<float, std::uint32_t> discs; // by radius
        for (const StagedCircle& c : circles) {
            const auto [known, added] =
                discs.try_emplace(c.radius, static_cast<std::uint32_t>(look.shapes.size()));
            constexpr float half = 0.70710678f; // the axis along z
            if (added)
                look.shapes.push_back(
                    appearance_of("disc", {{Cylinder{least / 2, c.radius}, {{}, {half, 0, 0, half}}}}));
            add(known->second, c.mass);
        }
        for (const StagedPolygon& p : polygons) { // walls stand out
            const float depth = std::isinf(p.mass) ? 0.8f * least : least / 2;
            look.shapes.push_back(appearance_of("polygon", {{prism(p.vertices, depth), {}}}));
            add(static_cast<std::uint32_t>(look.shapes.size() - 1), p.mass);
        }
        look.body_count = world_.body_count();
        if (!world_.of_polygons()) {
            AppearanceLines& room = look.lines.emplace_back();
            room.name = "room";
            room.vertex_count = 4;
            room.ends = {0, 1, 1, 2, 2, 3, 3, 0};
        }
        return look;
    }
    void show_poses(Frame& frame, bool velocities) const override {
        const std::vector<Moving> all = moving();
        const float rate = 1 / content().time_step;
        frame.step = steps_;
        frame.time = time();
        frame.resize(all.size());
        frame.velocity.assign(velocities ? all.size() : 0, {});
        frame.angular_velocity.assign(frame.velocity.size(), {});
        for (std::size_t k = 0; k < all.size(); ++k) {
            frame.set_pose(k, {{all[k].position.x, all[k].position.y, 0}, turned(all[k].angle)});
            frame.flags[k] = 0;
            if (!velocities) continue;
            frame.velocity[k] = Vec3{all[k].velocity.x, all[k].velocity.y, 0} * rate;
            frame.angular_velocity[k] = {0, 0, all[k].spin * rate};
        }
        frame.vertices.clear();
        const float limit = world_.settings().limit;
        if (!world_.of_polygons())
            frame.vertices = {{-limit, -limit, 0}, {limit, -limit, 0}, {limit, limit, 0}, {-limit, limit, 0}};
    }
    bool shows(const Setting& setting) const override { return setting.name == "limit"; }

    static constexpr bytes::Seal seal{"SCREESTR", 1};
    std::vector<std::byte> save_world() const override {
        bytes::Bytes bytes;
        bytes::FieldWriter out(bytes);
        out(steps_, unsettled_, left_);
        for (const std::byte each : world_.save()) bytes.push_back(static_cast<std::uint8_t>(each));
        return bytes::sealed(seal, 0, bytes);
    }
    void restore_world(std::span<const std::byte> saved, const Place& place) override {
        std::uint32_t unused = 0;
        bytes::FieldReader in(bytes::unsealed(seal, saved, unused), "snapshot");
        std::uint64_t steps = 0, unsettled = 0;
        double left = 0;
        in(steps, unsettled, left);
        const std::span<const std::uint8_t> world = in.take(in.left());
        if (place == place_) {
            world_.restore(std::as_bytes(world));
        } else {
            StagedImpactWorld moved = build_staged(scene_, place);
            moved.restore(std::as_bytes(world));
            world_ = std::move(moved);
        }
        world_.time_stages(timing_);
        steps_ = steps;
        unsettled_ = unsettled;
        left_ = left;
    }
    void settings_changed() override {
        check(content());
        world_.change_settings(content().settings);
    }

    StagedImpactWorld world_;
    StagedMeasure begin_; ///< as the scene has it
    std::uint64_t steps_ = 0, unsettled_ = 0;
    double left_ = 0; ///< units that steps left over
    bool timing_ = false;
};

} // namespace

std::unique_ptr<SceneRun> start_staged(const Kind& kind, const Scene& scene, const Place& place) {
    return std::make_unique<StagedRun>(kind, scene, place);
}

} // namespace scree
