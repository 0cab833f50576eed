// SPDX-License-Identifier: MIT
// kind.cpp — scenes of impacts: their keys, settings and measures, and how they are read.
#include "scene/impact/kind.h"

#include "impact/checks.h"
#include "scene/look.h"
#include "scene/rotation.h"
#include "scene/run.h"
#include "scree/error.h"
#include "text/checks.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace scree {
namespace {

using C = ImpactScene;

// as the world's own check, src/impact/checks.cpp
constexpr Range step{1e-6, 1000}, dimensions{2, 3}, gravity{-1e6, 1e6}, share{0, 1}, contact_time{0, 1},
    events{0, 1e9}, instant{0, 1e6};
constexpr std::string_view borders[] = {"wall", "periodic"};

const Setting settings_table[] = {
    setting<&C::time_step>("time_step", step, "s", "Length of a step. Impacts do not depend on it."),
    setting<&C::dimensions>("dimensions", dimensions, "", "2: discs in the plane z = 0; 3: spheres."),
    setting<&C::lower>("lower", any_number, "m", "Corner of the box with the smallest coordinates."),
    setting<&C::upper>("upper", any_number, "m", "Corner of the box with the largest coordinates."),
    setting<&C::borders>("borders", any_number, "", "Walls, or what leaves on one side enters on the other.",
                         borders),
    setting<&C::gravity>("gravity", gravity, "m/s²", "Acceleration of every particle."),
    setting<&C::restitution>("restitution", share, "", "Of particles: 1 is elastic."),
    setting<&C::wall_restitution>("wall_restitution", share, "", "Of walls: 1 is elastic."),
    setting<&C::contact_time>(
        "contact_time", contact_time, "s",
        "Impacts sooner than this after another are elastic, so that their number stays finite."),
    setting<&C::max_events>("max_events", events, "", "Events after which a step ends early; 0: no limit."),
    setting<&C::average_from>("average_from", instant, "s", "When the averages of the pressures begin."),
    setting<&C::separate>("separate", any_number, "", "Move particles apart that overlap at the start."),
};

const MeasureInfo measure_table[] = {
    {"kinetic_energy", "kinetic energy", "J", true, true},
    {"total_energy", "kinetic and potential energy", "J", true},
    {"momentum", "momentum", "kg m/s", true},
    {"temperature", "temperature k T", "J", true, true, false, nullptr, MeasurePlot::own},
    {"pressure", "pressure from the virial", "Pa", true},
    {"wall_pressure", "pressure on the walls", "Pa", true},
    {"compressibility", "compressibility factor", "Pa/Pa", true, true},
    {"flatness", "flatness of the velocities", "m/m", true, true},
    {"max_speed", "largest speed", "m/s", true},
    {"max_overlap", "largest overlap", "m", true},
    {"packing", "packing", "m/m", true},
    {"centre_x", "mean place along x", "m", true},
    {"centre_y", "mean height", "m", true},
    {"deviation_x", "standard deviation of places along x", "m", true},
    {"impacts", "impacts", "", true, true},
    {"wall_impacts", "impacts with walls", "", true, true},
    {"time_left", "time that steps left over", "s", true},
};

constexpr format::Key particle_keys[] = {{"position", true}, {"radius", true}, {"velocity"},
                                         {"mass"},           {"fixed"},        {"paint"}};
constexpr format::Key gas_keys[] = {{"counts", true}, {"radius", true}, {"mass"},  {"temperature"},
                                    {"speed"},        {"seed"},         {"lower"}, {"upper"},
                                    {"triangular"},   {"fixed"},        {"paint"}};
const format::Object particle_format{"impact_particle", particle_keys}, gas_format{"impact_gas", gas_keys};

/// In double: touching particles must not overlap by the rounding of a float.
DVec3 vector64(const Field& field) {
    field.list(3, 3);
    return {field[0].number64(), field[1].number64(), field[2].number64()};
}

void read_particle(const Field& entry, ImpactScene& content) {
    const Fields fields(entry, particle_format);
    ImpactParticle p;
    p.position = vector64(fields.at("position"));
    p.radius = fields.at("radius").number64(positive);
    if (const auto velocity = fields.find("velocity")) p.velocity = vector64(*velocity);
    if (const auto mass = fields.find("mass")) p.mass = mass->number64(positive);
    if (const auto fixed = fields.find("fixed"); fixed && fixed->flag()) {
        if (const auto given = fields.find("mass")) given->fail("what is fixed has none");
        p.mass = std::numeric_limits<double>::infinity();
    }
    Paint& paint = content.paints.emplace_back();
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    content.particles.push_back(p);
}

/// Particles on a lattice with random velocities, whose mean is zero.
void read_gas(const Field& entry, ImpactScene& content, const SceneOptions& options) {
    const Fields fields(entry, gas_format);
    const Field counts = fields.at("counts");
    counts.list(3, 3);
    std::array<std::int64_t, 3> count{};
    for (std::size_t k = 0; k < 3; ++k) count[k] = counts[k].integer(1, 100'000);
    if (content.dimensions == 2 && count[2] != 1) counts[2].refuse("1 in two dimensions");
    const double all =
        static_cast<double>(count[0]) * static_cast<double>(count[1]) * static_cast<double>(count[2]);
    if (static_cast<double>(content.particles.size()) + all > static_cast<double>(options.max_bodies))
        counts.fail("there are more particles than the " + std::to_string(options.max_bodies) + " allowed");
    ImpactParticle p;
    p.radius = fields.at("radius").number64(positive);
    if (const auto mass = fields.find("mass")) p.mass = mass->number64(positive);
    double temperature = 1, speed = 0;
    if (const auto given = fields.find("temperature")) temperature = given->number64(not_negative);
    if (const auto given = fields.find("speed")) {
        if (fields.has("temperature")) given->fail("expected either temperature or speed");
        speed = given->number64(positive);
    }
    const DVec3 lower = fields.has("lower") ? vector64(fields.at("lower")) : DVec3(content.lower);
    const DVec3 upper = fields.has("upper") ? vector64(fields.at("upper")) : DVec3(content.upper);
    const auto fixed = fields.find("fixed");
    if (fixed && fixed->flag()) {
        for (const char* key : {"mass", "temperature", "speed"})
            if (const auto given = fields.find(key)) given->fail("what is fixed has none");
        p.mass = std::numeric_limits<double>::infinity();
        temperature = 0;
    }
    bool triangular = false;
    if (const auto given = fields.find("triangular")) triangular = given->flag();
    Paint paint;
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    const std::int64_t seed = fields.integer("seed", 1, 0, 1'000'000'000);
    Random random(options.seed.value_or(static_cast<std::uint64_t>(seed)), content.particles.size());
    // the sum of twelve: close to normal, and of additions only, so that its bits are the same everywhere
    const auto normal = [&] {
        double sum = -6;
        for (int k = 0; k < 12; ++k) sum += random.uniform(0, 1);
        return sum;
    };
    const std::size_t first = content.particles.size();
    const double scale = std::sqrt(temperature / p.mass); // 0 of what is fixed
    const DVec3 size = upper - lower;
    DVec3 mean{};
    for (std::int64_t x = 0; x < count[0]; ++x)
        for (std::int64_t y = 0; y < count[1]; ++y)
            for (std::int64_t z = 0; z < count[2]; ++z) {
                const auto at = [&](double low, double side, std::int64_t k, std::int64_t n,
                                    double shift = 0.5) {
                    return low + side * ((static_cast<double>(k) + shift) / static_cast<double>(n));
                };
                const double shift = !triangular ? 0.5 : y % 2 ? 0.75 : 0.25; // of a row
                p.position = {at(lower.x, size.x, x, count[0], shift), at(lower.y, size.y, y, count[1]),
                              content.dimensions == 3 ? at(lower.z, size.z, z, count[2]) : 0};
                p.velocity.x = normal();
                p.velocity.y = normal();
                p.velocity.z = content.dimensions == 3 ? normal() : 0;
                p.velocity = speed > 0 ? normalized(p.velocity) * speed : p.velocity * scale;
                if (p.mass == INFINITY) p.velocity = {};
                mean += p.velocity;
                content.particles.push_back(p);
                content.paints.push_back(paint);
            }
    mean /= all;
    if (all > 1)
        for (std::size_t k = first; k < content.particles.size(); ++k) content.particles[k].velocity -= mean;
}

class ImpactKind final : public Kind {
public:
    ImpactKind()
        : Kind({.name = "impact",
                .prefix = "impact_",
                .content = {{"particles"}, {"gases"}},
                .settings = settings_table,
                .measures = measure_table,
                .objects = {&particle_format, &gas_format}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        ImpactScene& content = scene.content.emplace<ImpactScene>();
        if (options.bodies)
            document.field().fail(
                "the number of particles cannot be changed: expected a scene with one generator");
        if (const auto world = document.find("world"))
            read_settings(settings(), scene.content, Fields(*world, this->world()));
        apply_changes(*this, scene, options);
        check_world(document, [&] { check(content); }); // such as a box without volume
        const ImpactSettings settings = content.settings();
        const auto checked = [&](const Field& entry, const auto& read) {
            const std::size_t first = content.particles.size();
            read(entry);
            try {
                for (std::size_t k = first; k < content.particles.size(); ++k)
                    impact::check(content.particles[k], settings);
            } catch (const Error& error) {
                entry.fail(error.what());
            }
        };
        document.each("particles", [&](const Field& entry) {
            checked(entry, [&](const Field& field) { read_particle(field, content); });
        });
        document.each("gases", [&](const Field& entry) {
            checked(entry, [&](const Field& field) { read_gas(field, content, options); });
        });
    }

    double time_step(const Scene& scene) const override { return double{impact_scene(scene).time_step}; }
    SceneSize size(const Scene& scene) const override {
        return {impact_scene(scene).particles.size(), "particle", "particles"};
    }
    std::string mode(const Scene& scene) const override {
        return impact_scene(scene).dimensions == 2 ? "discs" : "spheres";
    }
    std::size_t gpu_from() const override { return ~std::size_t{0}; }
    bool runs_on(std::string_view device) const override { return device == "cpu"; }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return start_impact(*this, scene, place);
    }
};

} // namespace

const Kind& impact_kind() {
    static const ImpactKind kind;
    return kind;
}

ImpactSettings ImpactScene::settings() const {
    ImpactSettings s;
    s.dimensions = dimensions;
    s.lower = lower;
    s.upper = upper;
    s.borders.fill(borders);
    s.gravity = gravity;
    s.restitution = double{restitution};
    s.wall_restitution = double{wall_restitution};
    s.contact_time = double{contact_time};
    s.max_events = static_cast<std::uint64_t>(max_events);
    return s;
}

void check(const ImpactScene& scene) {
    check_within(scene.time_step, 1e-6f, 1000, "time_step", "0.000001 to 1000 s");
    check_within(scene.max_events, 0, 1e9, "max_events", "0 (no limit) to 1000000000");
    check_within(scene.average_from, 0, 1e6f, "average_from", "0 to 1000000 s");
    impact::check(scene.settings());
}

ImpactScene& impact_scene(Scene& scene) { return content_of<ImpactScene>(scene, "impact"); }
const ImpactScene& impact_scene(const Scene& scene) { return content_of<ImpactScene>(scene, "impact"); }

ImpactWorld build_impact(const Scene& heading, const Place& place) {
    const ImpactScene& scene = impact_scene(heading);
    try {
        ImpactWorld world(scene.settings(), place);
        for (const ImpactParticle& particle : scene.particles) world.add(particle);
        if (scene.separate) world.separate();
        world.prepare();
        return world;
    } catch (const Error& error) {
        throw Error(error.what(), heading.file);
    }
}

} // namespace scree
