// SPDX-License-Identifier: MIT
// run.cpp — a running granular scene.
#include "device/device.h"
#include "scene/granular/contacts.h"
#include "scene/granular/kind.h"
#include "scene/world_run.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {
namespace {

double count(std::uint64_t n) { return static_cast<double>(n); }

std::vector<Measured> measured(const GranularMeasure& m) {
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

template <class Bodies>
std::vector<Vec3> positions_of(const Bodies& bodies) {
    std::vector<Vec3> positions;
    positions.reserve(bodies.size());
    for (const auto& body : bodies) positions.push_back(body.position);
    return positions;
}

/// Pairs of centres nearer than `distance`, both higher than `above`; sorted along x, so that each sees few others.
double close_pairs(std::span<const GranularBodyState> bodies, double distance, double above) {
    std::vector<DVec3> centres;
    for (const GranularBodyState& body : bodies)
        if (double{body.position.y} > above) centres.push_back(wide(body.position));
    std::sort(centres.begin(), centres.end(), [](DVec3 a, DVec3 b) { return a.x < b.x; });
    double pairs = 0;
    for (std::size_t i = 0; i < centres.size(); ++i)
        for (std::size_t j = i + 1; j < centres.size(); ++j) {
            if (centres[j].x - centres[i].x >= distance) break;
            const DVec3 between = centres[j] - centres[i];
            if (dot(between, between) < distance * distance) ++pairs;
        }
    return pairs;
}

/// Those that are measured on request.
double requested(const GranularScene& scene, const GranularWorld& world, const Expectation& expected) {
    if (expected.quantity == "close_pairs")
        return close_pairs(world.bodies(), expected.distance, expected.above);
    if (expected.quantity == "moved")
        return largest_distance(positions_of(world.bodies()), positions_of(scene.bodies));
    if (expected.quantity == "spread") return widest(positions_of(world.bodies()));
    if (expected.quantity == "interlocked") return count(world.interlocked().size());
    return value_of(measured(world.measure()), expected.quantity);
}

GranularBodyDef as_definition(const GranularBodyState& body) {
    GranularBodyDef def;
    def.shape = body.shape;
    def.position = body.position;
    def.rotation = body.rotation;
    def.velocity = body.velocity();
    def.angular_velocity = body.angular_velocity;
    def.mass = body.mass;
    return def;
}

class GranularRun final : public WorldRun<GranularWorld> {
public:
    GranularRun(const Kind& kind, const Scene& scene, const Place& place)
        : WorldRun(kind, scene, place, build_world(scene, place)) {
        shapes_ = static_cast<std::uint32_t>(content().shapes.size());
    }

    void step(std::uint64_t steps) override {
        // the world counts in int, a run could be longer
        for (std::uint64_t left = steps; left > 0; left -= std::min<std::uint64_t>(left, 1'000'000))
            world_.step(static_cast<int>(std::min<std::uint64_t>(left, 1'000'000)));
        world_.device().finish();
    }

    std::vector<Measured> measure() const override { return measured(world_.measure()); }
    double quantity(const Expectation& expected) const override {
        return requested(content(), world_, expected);
    }
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
    std::string contents() const override {
        return count_of(world_.body_count(), "body", "bodies") + " of " +
               count_of(shapes_, "shape", "shapes") + ", " +
               count_of(world_.particle_count(), "particle", "particles");
    }

    std::vector<std::string_view> stage_names() const override {
        return {granular_stage_names.begin(), granular_stage_names.end()};
    }

    Grip grip(std::uint32_t body, Vec3 local) const override {
        const GranularBodyState& state = world_.bodies()[body];
        return grip_of({state.position, state.rotation}, state.position, state.velocity(),
                       state.angular_velocity, state.mass, local);
    }
    /// The granular world has no external forces: applies the impulse of a step to the velocity at once.
    void pull(std::uint32_t body, Vec3, Vec3 force) override {
        const GranularBodyState state = world_.bodies()[body];
        GranularBodyDef def = as_definition(state);
        const double share = double{world_.settings().time_step} / state.mass;
        def.velocity = narrow(wide(def.velocity) + share * wide(force));
        world_.set_body(body, def);
    }
    void shoot(const Shoot& shot) override {
        GranularBodyDef body;
        body.position = shot.position;
        body.velocity = shot.velocity;
        body.mass = shot.mass;
        // reference mode knows one radius: a ball is one of the scene's own bodies there
        if (world_.settings().mode != GranularMode::reference) {
            const std::string name = "shot " + decimal(shot.radius);
            while (body.shape < shapes_ && world_.shape(body.shape).name != name) ++body.shape;
            if (body.shape == shapes_) {
                GranularShape grain = shapes::grain(shot.radius);
                grain.name = name;
                world_.add_shape(std::move(grain));
                ++shapes_;
            }
        } else if (shapes_ == 0) {
            throw Error("the scene has no shapes to shoot with", "shoot");
        }
        world_.create_body(body);
        look_changed();
    }

    void observe(Details& details, const Wishes& wishes) const override {
        if (wishes.contacts) {
            details.contacts = granular_contacts(world_);
            details.contact_seconds = double{world_.settings().time_step};
        }
        double awake = 0;
        for (const GranularBodyState& body : world_.bodies()) awake += !body.asleep && !body.frozen;
        details.counters = {{"awake", awake}};
        if (wishes.measures) {
            details.measures = measure();
            details.counters.push_back({"contacts", value_of(details.measures, "contacts") / 2});
        }
        details.memory = world_.memory();
    }

private:
    const GranularScene& content() const { return *std::any_cast<GranularScene>(&scene_.content); }

    Appearance look() const override {
        Appearance look = appearance_of(world_);
        for (std::size_t k = 0; k < std::min(look.shapes.size(), content().paints.size()); ++k)
            for (AppearancePart& part : look.shapes[k].parts) part.paint = content().paints[k];
        for (const PaintedBodies& some : content().painted)
            for (std::size_t i = 0; i < some.count && some.first + i < look.body_count; ++i)
                look.bodies[some.first + i].paint = some.paints[i % some.paints.size()];
        // obstacles come behind the bodies
        const auto& paints = content().obstacle_paints;
        for (std::size_t i = 0; i < std::min(paints.size(), look.bodies.size() - look.body_count); ++i)
            look.bodies[look.body_count + i].paint = paints[i];
        return look;
    }
    bool shows(const Setting& setting) const override {
        return setting.name == "ground" || setting.name == "walls" || setting.name == "world_size";
    }
    void restore_world(std::span<const std::byte> saved, const Place& place) override {
        if (place == place_) {
            world_.restore(saved);
        } else {
            GranularWorld moved(world_.settings(), place);
            moved.restore(saved);
            replace_world(std::move(moved));
        }
        shapes_ = world_.shape_count();
    }
    void settings_changed() override { world_.change_settings(content().settings); }

    std::uint32_t shapes_ = 0;
};

} // namespace

std::unique_ptr<SceneRun> start_granular(const Kind& kind, const Scene& scene, const Place& place) {
    return std::make_unique<GranularRun>(kind, scene, place);
}

std::vector<Failure> check_expectations(const Scene& scene, const GranularWorld& world) {
    const GranularScene& content = granular_scene(scene);
    return compare(
        scene, [&] { return world.hash(); }, [&] { return measured(world.measure()); },
        [&](const Expectation& expected) { return requested(content, world, expected); });
}

} // namespace scree
