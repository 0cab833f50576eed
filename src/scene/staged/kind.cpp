// SPDX-License-Identifier: MIT
// kind.cpp — scenes of impacts in stages: their keys, settings and measures, and how they are read.
#include "scene/staged/kind.h"

#include "impact2d/checks.h"
#include "impact2d/scenes.h"
#include "scene/generated.h"
#include "scene/look.h"
#include "scene/run.h"
#include "scree/error.h"
#include "text/checks.h"

#include <cmath>
#include <limits>
#include <new>
#include <string>

namespace scree {
namespace {

using C = StagedScene;
using S = StagedImpactSettings;

// as the world's own check, src/impact2d/checks.cpp
constexpr Range step{1e-6, 1000}, impacts{1, 1e6}, tolerance{1e-6, 0.1}, share{0, 1}, passes{1, 1e6},
    limit{1e-3, 1e6};
constexpr std::int64_t most_bodies = 16'384; // all pairs are kept
constexpr std::string_view responses[] = {"together", "summed"};
constexpr std::string_view overlaps[] = {"axes", "vertices", "one_way"};
constexpr std::string_view bisections[] = {"passes", "one_pass", "printed"};

template <auto Member>
constexpr Setting row(std::string_view name, Range range, std::string_view help,
                      std::span<const std::string_view> choices = {}) {
    return setting<&C::settings, Member>(name, range, "", help, choices);
}

const Setting settings_table[] = {
    setting<&C::time_step>("time_step", step, "s", "What a unit of time takes; a step of a scene is a unit."),
    setting<&C::max_impacts>("max_impacts", impacts, "", "Impacts after which a step ends early."),
    row<&S::tolerance>("tolerance", tolerance, "Of times of impact in units, and of contacts."),
    row<&S::restitution>("restitution", share, "1 is elastic."),
    row<&S::response>("response", any_number,
                      "All contacts of an instant together, or each alone and the sum (as printed).",
                      responses),
    row<&S::max_passes>("max_passes", passes, "Passes of impacts answered together."),
    row<&S::limit>("limit", limit, "Circles: the room is the square from -limit to limit."),
    row<&S::centre_walls>("centre_walls", any_number, "Circles, as printed: centres meet the walls."),
    row<&S::normal_at_start>("normal_at_start", any_number,
                             "Circles, as printed: normals of the start of the step."),
    row<&S::overlap>("overlap", any_number, "Polygons: separating axes, or vertices inside (as printed).",
                     overlaps),
    row<&S::bisection>("bisection", any_number,
                       "Polygons: a halving a pass, all in one pass, or with the printed errors.",
                       bisections),
    row<&S::plain_contacts>("plain_contacts", any_number,
                            "Polygons, as printed: contacts within the tolerance, at any speed."),
};

// with the unit of time of the world, which is no second
const MeasureInfo measure_table[] = {
    {"kinetic_energy", "kinetic energy", "kg m²/unit²", true, true},
    {"momentum", "momentum", "kg m/unit", true},
    {"angular_momentum", "angular momentum about the origin", "kg m²/unit", true},
    {"overlapping_pairs", "overlapping pairs", "", true},
    {"impacts", "impacts", "", true, true},
    {"unsettled", "impacts that max_passes did not settle", "", true},
    {"time_left", "units that steps left over", "units", true},
};

constexpr format::Key circle_keys[] = {{"position", true}, {"radius", true}, {"velocity"},
                                       {"mass"},           {"fixed"},        {"paint"}};
constexpr format::Key polygon_keys[] = {
    {"position", true},   {"vertices"}, {"regular"}, {"box"},   {"angle"}, {"velocity"},
    {"angular_velocity"}, {"mass"},     {"inertia"}, {"fixed"}, {"paint"}};
constexpr format::Key regular_keys[] = {{"corners", true}, {"radius", true}};
constexpr format::Key room_keys[] = {{"circles"}, {"polygons"}, {"seed"}, {"paint"}};
const format::Object circle_format{"staged_circle", circle_keys},
    polygon_format{"staged_polygon", polygon_keys}, regular_format{"staged_regular", regular_keys},
    room_format{"staged_room", room_keys};

Vec2 vector2(const Field& field, const Range& each = any_number) {
    field.list(2, 2);
    return {field[0].number(each), field[1].number(each)};
}

/// What the world has against a body is said with the line of the file.
template <class Check>
void checked(const Field& entry, Check check) {
    try {
        check();
    } catch (const Error& error) {
        entry.fail(error.what());
    }
}

float read_mass(const Fields& fields) {
    const auto given = fields.find("mass");
    if (const auto fixed = fields.find("fixed"); fixed && fixed->flag()) {
        if (given) given->fail("what is fixed has none");
        return std::numeric_limits<float>::infinity();
    }
    return given ? given->number(positive) : 1;
}

void read_circle(const Field& entry, StagedScene& content) {
    const Fields fields(entry, circle_format);
    StagedCircle c;
    c.position = vector2(fields.at("position"));
    c.radius = fields.at("radius").number(positive);
    if (const auto velocity = fields.find("velocity")) c.velocity = vector2(*velocity);
    c.mass = read_mass(fields);
    Paint& paint = content.paints.emplace_back();
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    content.circles.push_back(c);
}

/// By one of three keys, around the centre of mass.
std::vector<Vec2> read_vertices(const Fields& fields) {
    const Field one = fields.only_one(
        {"position", "angle", "velocity", "angular_velocity", "mass", "inertia", "fixed", "paint"});
    const std::string_view key = fields.key_of(one);
    if (key == "box") {
        const Vec2 half = vector2(one, positive);
        return {{-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}};
    }
    if (key == "regular") {
        const Fields regular(one, regular_format);
        return regular_polygon(static_cast<int>(regular.at("corners").integer(3, 1024)),
                               regular.at("radius").number(positive));
    }
    const std::size_t count = one.list(3, 1024);
    std::vector<Vec2> vertices;
    vertices.reserve(count);
    for (std::size_t k = 0; k < count; ++k) vertices.push_back(vector2(one[k]));
    checked(one, [&] { vertices = centred_polygon(vertices); });
    return vertices;
}

void read_polygon(const Field& entry, StagedScene& content) {
    const Fields fields(entry, polygon_format);
    StagedPolygon p;
    p.position = vector2(fields.at("position"));
    p.vertices = read_vertices(fields);
    p.angle = fields.number("angle", 0);
    if (const auto velocity = fields.find("velocity")) p.velocity = vector2(*velocity);
    p.angular_velocity = fields.number("angular_velocity", 0);
    p.mass = read_mass(fields);
    if (const auto given = fields.find("inertia")) {
        if (std::isinf(p.mass)) given->fail("what is fixed has none");
        p.inertia = given->number(positive);
    }
    Paint& paint = content.paints.emplace_back();
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    content.polygons.push_back(p);
}

/// A seeded room of circles or polygons in motion (impact2d/scenes.h).
void read_room(const Field& entry, StagedScene& content, const SceneOptions& options) {
    const Fields fields(entry, room_format);
    const Field one = fields.only_one({"seed", "paint"});
    const std::uint64_t count =
        body_count(one, static_cast<std::uint64_t>(one.integer(1, most_bodies)), options);
    if (count > most_bodies)
        one.fail(std::to_string(count) + " bodies are too many; expected at most " +
                 std::to_string(most_bodies) + ", all of whose pairs are kept");
    const std::uint64_t seed = seed_of(fields, options);
    const auto number = static_cast<std::uint32_t>(count);
    const auto start = static_cast<std::uint32_t>(seed ^ seed >> 32);
    if (fields.key_of(one) == "circles") {
        const impact2d::CircleScene room = impact2d::circle_scene(number, start);
        content.circles = room.circles;
        content.settings.limit = room.limit;
    } else {
        content.polygons = impact2d::polygon_scene(number, start);
    }
    std::vector<Paint> paints{{}};
    if (const auto given = fields.find("paint")) paints = read_paints(*given);
    for (std::size_t k = 0; k < count; ++k) content.paints.push_back(paints[k % paints.size()]);
    const Paint wall{.colour = Vec3{0.36f, 0.37f, 0.4f}, .roughness = 0.9f};
    content.paints.resize(content.circles.size() + content.polygons.size(), wall);
}

class StagedKind final : public Kind {
public:
    StagedKind()
        : Kind({.name = "staged_impact",
                .prefix = "staged_",
                .content = {{"circles"}, {"polygons"}, {"room"}},
                .settings = settings_table,
                .measures = measure_table,
                .objects = {&circle_format, &polygon_format, &regular_format, &room_format}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        StagedScene& content = scene.content.emplace<StagedScene>();
        const auto room = document.find("room");
        if (const auto world = document.find("world")) {
            const Fields given(*world, this->world());
            if (room && given.has("limit")) given.at("limit").fail("the limit is that of the room");
            read_settings(settings(), scene.content, given);
        }
        finish_bodies(document.field(), scene, options, room ? 1 : 0, "room");
        if (room) {
            for (const char* key : {"circles", "polygons"})
                if (const auto other = document.find(key)) other->fail("expected either a room or bodies");
            read_room(*room, content, options);
        }
        apply_changes(*this, scene, options);
        check_world(document, [&] { check(content); });
        document.each("circles", [&](const Field& entry) {
            read_circle(entry, content);
            checked(entry, [&] { impact2d::check(content.circles.back(), content.settings, "circle"); });
        });
        document.each("polygons", [&](const Field& entry) {
            if (!content.circles.empty()) entry.fail("expected either circles or polygons");
            read_polygon(entry, content);
            checked(entry, [&] { impact2d::check(content.polygons.back(), "polygon"); });
        });
    }

    double time_step(const Scene& scene) const override { return double{staged_scene(scene).time_step}; }
    SceneSize size(const Scene& scene) const override {
        const StagedScene& content = staged_scene(scene);
        return {content.circles.size() + content.polygons.size(), "body", "bodies"};
    }
    std::string mode(const Scene& scene) const override {
        return staged_scene(scene).polygons.empty() ? "circles" : "polygons";
    }
    std::size_t gpu_from() const override { return StagedImpactWorld::gpu_from; }
    bool runs_on(std::string_view) const override { return true; }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return start_staged(*this, scene, place);
    }
};

} // namespace

const Kind& staged_kind() {
    static const StagedKind kind;
    return kind;
}

void check(const StagedScene& scene) {
    check_within(scene.time_step, 1e-6f, 1000, "time_step", "0.000001 to 1000 s");
    check_within(scene.max_impacts, 1, 1e6, "max_impacts", "1 to 1000000");
    impact2d::check(scene.settings);
}

StagedScene& staged_scene(Scene& scene) { return content_of<StagedScene>(scene, "staged_impact"); }
const StagedScene& staged_scene(const Scene& scene) {
    return content_of<StagedScene>(scene, "staged_impact");
}

StagedImpactWorld build_staged(const Scene& heading, const Place& place) {
    const StagedScene& scene = staged_scene(heading);
    try {
        if (!scene.polygons.empty()) return StagedImpactWorld(scene.polygons, scene.settings, place);
        return StagedImpactWorld(scene.circles, scene.settings, place);
    } catch (const Error& error) {
        throw Error(error.what(), heading.file);
    } catch (const std::bad_alloc&) {
        throw Error("there is not enough memory for the pairs of the bodies", heading.file);
    }
}

} // namespace scree
