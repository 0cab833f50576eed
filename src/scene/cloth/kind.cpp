// SPDX-License-Identifier: MIT
// kind.cpp — scenes of cloth: their keys, settings and measures, and how they are read.
#include "scene/cloth/kind.h"

#include "cloth/checks.h"
#include "cloth/grid.h"
#include "scene/look.h"
#include "scene/run.h"
#include "scree/error.h"

#include <limits>
#include <new>
#include <string>

namespace scree {
namespace {

const MeasureInfo measure_table[] = {
    {"kinetic_energy", "kinetic energy", "J", true, true},
    {"max_stretch", "largest stretch", "m/m", true, true},
    {"mean_stretch", "mean stretch", "m/m", true, true},
    {"centre_jitter", "movement of the middle in a step", "m", true},
    {"mean_jitter", "mean movement in a step", "m", true, true},
    {"max_jitter", "largest movement in a step", "m", true},
    {"max_speed", "largest speed", "m/s", true},
    {"top", "top", "m", true},
    {"bottom", "bottom", "m", true, true},
    {"max_overlap", "deepest vertex in a collider", "m", true},
    {"frozen", "vertices that became non-finite", "", true, true},
};

constexpr format::Key sheet_keys[] = {{"position"}, {"rotation"}, {"pins"}, {"paint"}};
constexpr format::Key collider_keys[] = {{"sphere"}, {"box"}};
constexpr format::Key sphere_keys[] = {{"radius", true}, {"position", true}, {"velocity"}, {"paint"}};
constexpr format::Key box_keys[] = {{"half_size", true}, {"position", true}, {"velocity"}, {"paint"}};
const format::Object sheet_format{"cloth_sheet", sheet_keys},
    collider_format{"cloth_collider", collider_keys}, sphere_format{"cloth_sphere", sphere_keys},
    box_format{"cloth_box", box_keys};

ClothSheetDef read_sheet(const Field& entry, Paint& paint, const ClothFacts& facts) {
    const Fields fields(entry, sheet_format);
    ClothSheetDef sheet;
    sheet.position = fields.vector("position", sheet.position);
    if (const auto rotation = fields.find("rotation")) sheet.rotation = rotation->rotation();
    if (const auto pins = fields.find("pins")) {
        sheet.pins.emplace();
        for (std::size_t k = 0; k < pins->list(0, facts.vertices); ++k)
            sheet.pins->push_back(static_cast<std::uint32_t>((*pins)[k].integer(0, facts.vertices - 1)));
    }
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    return sheet;
}

ClothCollider read_collider(const Field& entry, Paint& paint) {
    const Fields kinds(entry, collider_format);
    const Field one = kinds.only_one();
    const bool box = kinds.key_of(one) == "box";
    const Fields fields(one, box ? box_format : sphere_format);
    ClothCollider collider;
    collider.kind = box ? ClothCollider::Kind::box : ClothCollider::Kind::sphere;
    if (box) {
        collider.size = fields.at("half_size").vector(positive);
    } else {
        const float radius = fields.at("radius").number(positive);
        collider.size = {radius, radius, radius};
    }
    collider.position = fields.at("position").vector();
    collider.velocity = fields.vector("velocity", {});
    if (const auto given = fields.find("paint")) paint = read_paint(*given);
    return collider;
}

class ClothKind final : public Kind {
public:
    ClothKind()
        : Kind({.name = "cloth",
                .prefix = "cloth_",
                .content = {{"sheets"}, {"colliders"}},
                .settings = cloth_settings(),
                .measures = measure_table,
                .objects = {&sheet_format, &collider_format, &sphere_format, &box_format}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        ClothScene& content = scene.content.emplace<ClothScene>();
        if (const auto world = document.find("world"))
            read_settings(settings(), scene.content, Fields(*world, this->world()));
        apply_changes(*this, scene, options);
        check_world(document, [&] { check(content.settings); }); // such as 3 self_neighbours
        const ClothFacts facts = facts_of(content.settings);
        document.each("sheets", [&](const Field& entry) {
            content.sheets.push_back(read_sheet(entry, content.paints.emplace_back(), facts));
        });
        document.each("colliders", [&](const Field& entry) {
            content.colliders.push_back(read_collider(entry, content.collider_paints.emplace_back()));
        });
        if (facts.vertices * content.sheets.size() > options.max_particles)
            document.field().fail(
                "the sheets have " + std::to_string(facts.vertices * content.sheets.size()) +
                " vertices; at most " + std::to_string(options.max_particles) + " are allowed");
    }

    double time_step(const Scene& scene) const override {
        return double{cloth_scene(scene).settings.time_step};
    }
    SceneSize size(const Scene& scene) const override {
        const ClothScene& content = cloth_scene(scene);
        return {facts_of(content.settings).vertices * content.sheets.size(), "vertex", "vertices"};
    }
    std::string mode(const Scene& scene) const override {
        return cloth_scene(scene).settings.model == ClothModel::mass_spring ? "mass_spring"
                                                                            : "position_based";
    }
    std::size_t gpu_from() const override { return ClothWorld::gpu_from; }
    bool runs_on(std::string_view device) const override { return device != "cpu:kernels"; }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return start_cloth(*this, scene, place);
    }
};

} // namespace

const Kind& cloth_kind() {
    static const ClothKind kind;
    return kind;
}

ClothScene& cloth_scene(Scene& scene) { return content_of<ClothScene>(scene, "cloth"); }
const ClothScene& cloth_scene(const Scene& scene) { return content_of<ClothScene>(scene, "cloth"); }

ClothWorld build_cloth(const Scene& heading, const Place& place) {
    const ClothScene& scene = cloth_scene(heading);
    try {
        ClothWorld world(scene.settings, place.expecting(kind_of(heading).size(heading).items));
        for (const ClothSheetDef& sheet : scene.sheets) world.add_sheet(sheet);
        for (const ClothCollider& collider : scene.colliders) world.add_collider(collider);
        return world;
    } catch (const Error& error) {
        throw Error(error.what(), heading.file);
    } catch (const std::bad_alloc&) {
        throw Error("there is not enough memory for the sheets", heading.file);
    }
}

} // namespace scree
