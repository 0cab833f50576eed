// SPDX-License-Identifier: MIT
// kind.cpp — rigid scenes: their keys, settings and measures, and how they are read.
#include "scene/rigid/kind.h"

#include "scene/generated.h"
#include "scene/look.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scene/run.h"
#include "scree/error.h"
#include "world/checks.h"

#include <utility>

namespace scree {
namespace {

const MeasureInfo measure_table[] = {
    {"kinetic_energy", "kinetic energy", "J", true, true, false, nullptr, MeasurePlot::part},
    {"potential_energy", "potential energy", "J", true, false, false, nullptr, MeasurePlot::part},
    {"max_overlap", "largest overlap", "m", true, true},
    {"contacts", "contacts", "", true},
    {"top", "top", "m", true, true},
    {"max_speed", "largest speed", "m/s", true},
    {"asleep", "asleep", "", true, true},
    {"mean_overlap", "mean overlap", "m", true},
    {"p99_overlap", "99th percentile of overlaps", "m", true},
    {"mean_speed", "mean speed", "m/s", true},
    {"mean_height", "mean height", "m", true},
    {"joint_error", "largest joint error", "m", true},
    {"joint_angle", "largest joint angle error", "rad"},
    {"bottom", "bottom", "m"},
    {"points", "contact points"},
    {"frozen", "frozen"},
    {"inside", "inside sensors"},
    {.name = "cloth_stretch", .words = "largest stretch of a cloth's edge", .on_request = true},
    {.name = "cloth_mean_stretch", .words = "mean stretch of cloth", .on_request = true},
    {.name = "cloth_speed", .words = "largest speed of cloth", .unit = "m/s", .on_request = true},
    {.name = "cloth_bottom", .words = "lowest vertex of cloth", .unit = "m", .on_request = true},
    {.name = "cloth_asleep", .words = "sleeping cloths", .on_request = true},
    {.name = "cloth_vertices", .words = "vertices of all cloths", .on_request = true},
    {.name = "cloth_intersections", .words = "edges of cloth through triangles of cloth", .on_request = true},
    {.name = "cloth_top", .words = "highest vertex of cloth", .unit = "m", .on_request = true},
    {.name = "moved", .words = "farthest move", .unit = "m", .on_request = true},
    {.name = "below", .words = "bodies with nothing fixed below them", .on_request = true},
    {.name = "spread", .words = "largest |x| or |z|", .unit = "m", .on_request = true},
};

TimedForce read_force(const Field& entry, const RigidBodyList& bodies) {
    Fields fields(entry, format::force);
    TimedForce force;
    force.body = bodies.body(fields.at("body"));
    if (!fields.has("force") && !fields.has("torque")) entry.fail("expected \"force\" or \"torque\"");
    force.force = fields.vector("force", {});
    force.torque = fields.vector("torque", {});
    if (auto from = fields.find("from")) force.from = from->number64(not_negative);
    if (auto until = fields.find("until")) {
        force.until = until->number64(not_negative);
        if (!(force.until > force.from)) until->refuse("a time after \"from\" (" + shown(force.from) + ")");
    }
    return force;
}

class RigidKind final : public Kind {
public:
    RigidKind()
        : Kind({.name = "rigid",
                .prefix = "rigid_",
                .content = {{"materials"},
                            {"shapes"},
                            {"levels"},
                            {"bodies"},
                            {"paints"},
                            {"joints"},
                            {"cloths"},
                            {"motions"},
                            {"characters"},
                            {"forces"},
                            {"fields"},
                            {"explosions"},
                            {"actions"},
                            {"script"}},
                .settings = rigid_settings(),
                .measures = measure_table,
                .objects = {&format::material,
                            &format::filter,
                            &format::rigid_shape,
                            &format::part,
                            &format::rigid_sphere,
                            &format::rigid_box,
                            &format::round,
                            &format::rigid_plane,
                            &format::hull,
                            &format::rigid_mesh,
                            &format::height_field,
                            &format::convex_parts,
                            &format::level,
                            &format::drawn,
                            &format::rigid_body,
                            &format::each,
                            &format::rigid_generator,
                            &format::pyramid,
                            &format::stack,
                            &format::wall,
                            &format::rigid_lattice,
                            &format::container,
                            &format::funnel,
                            &format::arch,
                            &format::card_house,
                            &format::chain,
                            &format::molecule,
                            &format::ragdolls,
                            &format::joint,
                            &format::joint_limit,
                            &format::joint_motor,
                            &format::joint_spring,
                            &format::joint_axis,
                            &format::joint_axes,
                            &format::joint_pose,
                            &format::character,
                            &format::figure,
                            &format::clip_blend,
                            &format::motion,
                            &format::motion_key,
                            &format::force,
                            &format::force_field,
                            &format::wind,
                            &format::water,
                            &format::attractor,
                            &format::region,
                            &format::explosion,
                            &format::action,
                            &format::script_line,
                            &format::body_paint,
                            &format::cloth,
                            &format::cloth_grid,
                            &format::cloth_balloon,
                            &format::cloth_tube,
                            &format::cloth_rope,
                            &format::cloth_material,
                            &format::cloth_pin}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        RigidScene& content = scene.content.emplace<RigidScene>();
        if (const auto world = document.find("world"))
            read_settings(rigid_settings(), scene.content, Fields(*world, this->world()));
        apply_changes(*this, scene, options);
        check_world(document, [&] { check(content.settings); }); // such as the sum of grid_bits
        MaterialList materials;
        document.each("materials", [&](const Field& entry) { materials.read(entry); });
        const ShapeSources sources{materials, options, scene.files};
        document.each("shapes", [&](const Field& entry) {
            add_named(entry, content.shapes, read_rigid_shape(entry, sources), format::rigid_shape);
        });

        RigidBodyList bodies(scene, content, options, materials);
        ModelList models;
        document.each("levels", [&](const Field& entry) {
            read_placed_level(entry, bodies, content, sources, models);
        });
        document.each("bodies", [&](const Field& entry) { bodies.read(entry); });
        document.each("characters", [&](const Field& entry) {
            content.characters.push_back(read_character(entry, bodies, content, sources, models));
        });
        bodies.finish(document.find("bodies").value_or(document.field()));
        document.each("paints", [&](const Field& entry) {
            const Fields fields(entry, format::body_paint);
            content.bodies[bodies.body(fields.at("body"))].paint = read_paint(fields.at("paint"));
        });
        document.each("joints",
                      [&](const Field& entry) { content.joints.push_back(read_joint(entry, bodies)); });
        document.each("cloths", [&](const Field& entry) {
            content.cloths.push_back(read_cloth(entry, bodies, sources));
        });
        document.each("motions", [&](const Field& entry) {
            content.motions.push_back(read_motion(entry, bodies, content));
        });
        document.each("forces",
                      [&](const Field& entry) { content.forces.push_back(read_force(entry, bodies)); });
        document.each("fields",
                      [&](const Field& entry) { content.fields.push_back(read_force_field(entry)); });
        document.each("explosions",
                      [&](const Field& entry) { content.explosions.push_back(read_explosion(entry)); });
        document.each("actions", [&](const Field& entry) {
            content.actions.push_back(read_action(entry, bodies, content.actions));
        });
        document.each("script", [&](const Field& entry) {
            content.script.push_back(read_script_line(entry, content.actions));
        });
    }

    double time_step(const Scene& scene) const override { return double{rigid_scene(scene).time_step}; }
    SceneSize size(const Scene& scene) const override {
        const RigidScene& content = rigid_scene(scene);
        std::size_t vertices = 0;
        for (const RigidClothDef& cloth : content.cloths) vertices += cloth.cloth.vertices.size();
        if (vertices > content.bodies.size()) return {vertices, "vertex", "vertices"};
        return {content.bodies.size(), "body", "bodies"};
    }
    std::string mode(const Scene&) const override { return "rigid"; }

    std::size_t gpu_from() const override { return World::gpu_from; }
    bool runs_on(std::string_view device) const override {
        return !device.starts_with("opencl") && device != "gles";
    }
    bool scene_runs_on(const Scene& scene, std::string_view device) const override {
        return runs_on(device) && (rigid_scene(scene).settings.solver != Solver::impact || device == "cpu");
    }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return start_rigid(*this, scene, place);
    }
};

} // namespace

const Kind& rigid_kind() {
    static const RigidKind kind;
    return kind;
}

RigidScene& rigid_scene(Scene& scene) { return content_of<RigidScene>(scene, "rigid"); }
const RigidScene& rigid_scene(const Scene& scene) { return content_of<RigidScene>(scene, "rigid"); }

} // namespace scree
