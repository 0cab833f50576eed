// SPDX-License-Identifier: MIT
// springs.cpp — a third kind of scene, in one file and with one line of registration: a net of points on springs.
//
// It shows what a kind needs; tests/system/springs_test.cpp runs, views, renders, records, replays, verifies and
// benchmarks it with the programs as they are.
#include "bytes/fields.h"
#include "bytes/seal.h"
#include "scene/run.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

struct SpringsScene {
    float time_step = 0.01f;
    Vec3 gravity{0, -9.81f, 0};
    float stiffness = 200, damping = 0.4f;
    int columns = 8, rows = 6;
    float pitch = 0.2f;
};
using C = SpringsScene;

const Setting settings_table[] = {
    setting<&C::time_step>("time_step", positive, "s", "Length of a step."),
    setting<&C::gravity>("gravity", any_number, "m/s²", "Acceleration of every point."),
    setting<&C::stiffness>("stiffness", positive, "N/m", "Of every spring."),
    setting<&C::damping>("damping", not_negative, "N s/m", "Of every spring."),
};
const MeasureInfo measure_table[] = {
    {"kinetic_energy", "kinetic energy", "J", true, true},
    {"bottom", "bottom", "m", true, true},
    {"longest", "longest spring", "m", true},
};
constexpr format::Key net_keys[] = {{"columns", true}, {"rows", true}, {"pitch"}};
const format::Object net_format{"springs_net", net_keys};

struct Point {
    Vec3 position, velocity;
};

class SpringsRun final : public SceneRun {
public:
    SpringsRun(const Kind& kind, const Scene& scene, const Place& place) : SceneRun(kind, scene, place) {
        for (int r = 0; r < content().rows; ++r)
            for (int c = 0; c < content().columns; ++c)
                points_.push_back(
                    {{content().pitch * static_cast<float>(c), 0, content().pitch * static_cast<float>(r)},
                     {}});
        const auto at = [&](int c, int r) { return static_cast<std::uint32_t>(r * content().columns + c); };
        for (int r = 0; r < content().rows; ++r)
            for (int c = 0; c < content().columns; ++c) {
                if (c + 1 < content().columns) springs_.push_back({at(c, r), at(c + 1, r)});
                if (r + 1 < content().rows) springs_.push_back({at(c, r), at(c, r + 1)});
                if (c + 1 < content().columns && r + 1 < content().rows)
                    for (const std::uint32_t corner :
                         {at(c, r), at(c, r + 1), at(c + 1, r), at(c + 1, r), at(c, r + 1), at(c + 1, r + 1)})
                        triangles_.push_back(corner);
            }
        forces_.resize(points_.size());
    }

    void step(std::uint64_t count) override {
        for (; count > 0; --count, ++steps_) {
            const float dt = content().time_step;
            for (const auto& [a, b] : springs_) {
                const Vec3 between = points_[b].position - points_[a].position;
                const float size = length(between);
                if (!(size > 0)) continue;
                const Vec3 along = between / size;
                const float closing = dot(points_[b].velocity - points_[a].velocity, along);
                const Vec3 force =
                    along * (content().stiffness * (size - content().pitch) + content().damping * closing);
                forces_[a] += force;
                forces_[b] -= force;
            }
            for (std::size_t i = 0; i < points_.size(); ++i) {
                if (!held(i)) points_[i].velocity += (forces_[i] / mass + content().gravity) * dt;
                points_[i].position += points_[i].velocity * dt;
                forces_[i] = {};
            }
        }
    }
    std::uint64_t steps_done() const override { return steps_; }
    double time() const override { return static_cast<double>(steps_) * double{content().time_step}; }
    std::uint64_t hash() const override {
        std::uint64_t sum = 14695981039346656037u;
        for (const Point& p : points_)
            for (const float f :
                 {p.position.x, p.position.y, p.position.z, p.velocity.x, p.velocity.y, p.velocity.z})
                sum = (sum ^ bytes::bits_as<std::uint32_t>(f)) * 1099511628211u;
        return sum;
    }

    std::vector<Measured> measure() const override {
        double energy = 0, bottom = 0, longest = 0;
        for (const Point& p : points_) {
            energy += 0.5 * double{mass} * dot(wide(p.velocity), wide(p.velocity));
            bottom = std::min(bottom, double{p.position.y});
        }
        for (const auto& [a, b] : springs_)
            longest = std::max(longest, length(wide(points_[b].position) - wide(points_[a].position)));
        return {{"kinetic_energy", energy}, {"bottom", bottom}, {"longest", longest}};
    }
    std::string contents() const override {
        return count_of(points_.size(), "point", "points") + " on " +
               count_of(springs_.size(), "spring", "springs");
    }
    std::vector<std::string_view> stage_names() const override { return {"all"}; }
    void time_stages(bool) override {}
    std::vector<double> stage_seconds() const override { return {0}; }

    std::uint32_t body_count() const override { return static_cast<std::uint32_t>(points_.size()); }
    Vec3 gravity() const override { return content().gravity; }
    Grip grip(std::uint32_t body, Vec3) const override {
        return {points_[body].position, points_[body].velocity, held(body) ? 0 : mass};
    }
    void pull(std::uint32_t body, Vec3, Vec3 force) override { forces_[body] += force; }
    void shoot(const Shoot&) override { throw Error("a net of springs has nothing to shoot with", "shoot"); }
    void observe(Details& details, const Wishes& wishes) const override {
        details.counters = {{"awake", static_cast<double>(points_.size())}};
        if (wishes.measures) details.measures = measure();
        details.memory = points_.size() * sizeof(Point);
    }

private:
    static constexpr float mass = 0.05f; // kg
    const SpringsScene& content() const { return *std::any_cast<SpringsScene>(&scene_.content); }
    /// By the two corners of the first row.
    bool held(std::size_t i) const { return i == 0 || i + 1 == static_cast<std::size_t>(content().columns); }

    Appearance look() const override {
        Appearance look;
        look.shapes.push_back(appearance_of("point", {{Sphere{0.02f}, {}}}));
        for (std::size_t i = 0; i < points_.size(); ++i) look.bodies.push_back({0, BodyType::dynamic, mass});
        look.body_count = body_count();
        const auto count = static_cast<std::uint32_t>(points_.size());
        look.meshes.push_back({"net", 0, count, triangles_, {.colour = Vec3{0.2f, 0.4f, 0.8f}}});
        AppearanceLines& lines = look.lines.emplace_back();
        lines.vertex_count = count;
        for (const auto& [a, b] : springs_) lines.ends.insert(lines.ends.end(), {a, b});
        return look;
    }
    void show_poses(Frame& frame, bool velocities) const override {
        frame.step = steps_;
        frame.time = time();
        frame.resize(points_.size());
        frame.vertices.clear();
        frame.velocity.assign(velocities ? points_.size() : 0, {});
        frame.angular_velocity.assign(frame.velocity.size(), {});
        for (std::size_t i = 0; i < points_.size(); ++i) {
            frame.set_pose(i, {points_[i].position, {}});
            frame.flags[i] = 0;
            frame.vertices.push_back(points_[i].position);
            if (velocities) frame.velocity[i] = points_[i].velocity;
        }
    }

    static constexpr bytes::Seal seal{"SPRINGS.", 1};
    std::vector<std::byte> save_world() const override {
        bytes::Bytes content_bytes;
        bytes::FieldWriter out(content_bytes);
        out(steps_);
        out.items(points_, 24, "points", [&](const Point& p) { out(p.position, p.velocity); });
        return bytes::sealed(seal, 0, content_bytes);
    }
    void restore_world(std::span<const std::byte> saved, const Place&) override {
        std::uint32_t unused = 0;
        bytes::FieldReader in(bytes::unsealed(seal, saved, unused), "snapshot");
        std::vector<Point> points;
        std::uint64_t steps = 0;
        in(steps);
        in.items(points, 24, "points", [&](Point& p) { in(p.position, p.velocity); });
        if (points.size() != points_.size()) in.fail("the net has another number of points");
        points_ = std::move(points);
        steps_ = steps;
        std::fill(forces_.begin(), forces_.end(), Vec3{});
    }
    void settings_changed() override {}

    std::vector<Point> points_;
    std::vector<Vec3> forces_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> springs_;
    std::vector<std::uint32_t> triangles_;
    std::uint64_t steps_ = 0;
};

class SpringsKind final : public Kind {
public:
    SpringsKind()
        : Kind({.name = "springs",
                .prefix = "springs_",
                .content = {{"net", true}},
                .settings = settings_table,
                .measures = measure_table,
                .objects = {&net_format}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        SpringsScene& content = scene.content.emplace<SpringsScene>();
        if (const auto world = document.find("world"))
            read_settings(settings_table, scene.content, Fields(*world, this->world()));
        apply_changes(*this, scene, options);
        const Fields net(document.at("net"), net_format);
        content.columns = static_cast<int>(net.at("columns").integer(2, 1000));
        content.rows = static_cast<int>(net.at("rows").integer(2, 1000));
        content.pitch = net.number("pitch", content.pitch, positive);
    }
    double time_step(const Scene& scene) const override { return double{of(scene).time_step}; }
    SceneSize size(const Scene& scene) const override {
        return {static_cast<std::size_t>(of(scene).columns) * static_cast<std::size_t>(of(scene).rows),
                "point", "points"};
    }
    std::string mode(const Scene&) const override { return "springs"; }
    std::size_t gpu_from() const override { return ~std::size_t{0}; }
    bool runs_on(std::string_view device) const override { return device == "cpu"; }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return std::make_unique<SpringsRun>(*this, scene, place);
    }

private:
    static const SpringsScene& of(const Scene& scene) { return content_of<SpringsScene>(scene, "springs"); }
};

const SpringsKind kind;
const KindRegistration registration(kind);

} // namespace
} // namespace scree
