// SPDX-License-Identifier: MIT
// kind.cpp — granular scenes: their keys, settings and measures, and how they are read.
#include "scene/granular/kind.h"

#include "granular/checks.h"
#include "scene/generated.h"
#include "scene/granular/format.h"
#include "scene/granular/generators.h"
#include "scene/granular/parts.h"
#include "scene/look.h"
#include "scene/run.h"
#include "scree/error.h"

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
    {"mean_overlap", "mean overlap", "m"},
    {"bottom", "bottom", "m"},
    {"own_contacts", "contacts within bodies", "", true},
    {"largest_cell", "particles in the fullest cell", "", true},
    {"dropped", "particles without room in the grid"},
    {"unregistered", "particles outside the grid"},
    {"frozen", "frozen"},
    {.name = "interlocked", .words = "interlocked pairs", .on_request = true},
    {.name = "moved", .words = "farthest move", .unit = "m", .on_request = true},
    {.name = "spread", .words = "largest |x| or |z|", .unit = "m", .on_request = true},
    {.name = "close_pairs", .words = "close pairs", .on_request = true, .object = &format::close_pairs},
};

/// Returns whether the walls are to fit the bodies, which are not known yet.
bool read_world(const Fields& document, const Kind& kind, Scene& scene, const SceneOptions& options) {
    const auto says_fit = [](const Field& field) {
        return field.value().kind == json::Kind::string && field.value().text == "fit";
    };
    bool fit = false;
    if (const auto world = document.find("world")) {
        const Fields fields(*world, kind.world());
        for (const Setting& setting : granular_settings()) {
            const auto field = fields.find(setting.name);
            if (!field) continue;
            if (setting.name == "world_size" && says_fit(*field)) fit = true;
            else setting.set(scene.content, read_value(setting, setting.get(scene.content), *field));
        }
    }
    for (const SettingChange& change : options.settings) {
        if (change.key == "world_size") {
            fit = change.value == "fit";
            if (fit) continue;
        }
        kind.apply(scene, change.key, change.value, change.where);
    }
    return fit;
}

void read_shapes(const Fields& document, Scene& scene, const SceneOptions& options) {
    GranularScene& content = granular_scene(scene);
    document.each("shapes", [&](const Field& entry) {
        add_named(entry, content.shapes, read_shape(entry, content.settings, options, scene.files),
                  format::shape);
        const auto paint = Fields(entry, format::shape).find("paint");
        content.paints.push_back(paint ? read_paint(*paint) : Paint{});
    });
}

class GranularKind final : public Kind {
public:
    GranularKind()
        : Kind({.name = "granular",
                .prefix = "",
                .content = {{"shapes"}, {"bodies"}, {"obstacles"}},
                .settings = granular_settings(),
                .measures = measure_table,
                .objects = {&format::shape, &format::cube, &format::cuboid, &format::grain, &format::ball,
                            &format::capsule, &format::desk, &format::particle, &format::mesh, &format::body,
                            &format::generator, &format::stream, &format::tower, &format::lattice,
                            &format::obstacle, &format::plane, &format::box, &format::sphere,
                            &format::close_pairs}}) {}

    void read(const Fields& document, Scene& scene, const SceneOptions& options) const override {
        GranularScene& content = scene.content.emplace<GranularScene>();
        const bool fit = read_world(document, *this, scene, options);
        read_shapes(document, scene, options);
        BodyList list(scene, content, options);
        document.each("bodies", [&](const Field& entry) { list.read(entry); });
        list.finish(document.find("bodies").value_or(document.field()));
        document.each("obstacles", [&](const Field& entry) {
            content.obstacles.push_back(read_obstacle(entry, content.obstacle_paints.emplace_back()));
        });
        if (fit) {
            if (!(content.fitted_size > 0))
                document.field().fail(
                    "world.world_size: invalid value \"fit\": expected a number, since there are no bodies");
            content.settings.world_size = content.fitted_size;
        }
        check_world(document, [&] { check(content.settings); }); // such as substeps in reference mode
    }

    void apply(Scene& scene, const std::string& key, const std::string& value,
               const std::string& where) const override {
        const json::Value given = from_command_line(value);
        if (key != "world_size" || given.kind != json::Kind::string || given.text != "fit")
            return Kind::apply(scene, key, value, where);
        GranularScene& content = granular_scene(scene);
        if (!(content.fitted_size > 0))
            throw Error("invalid value \"fit\": expected a number, since there are no bodies", where);
        content.settings.world_size = content.fitted_size;
    }

    double time_step(const Scene& scene) const override {
        return double{granular_scene(scene).settings.time_step};
    }
    SceneSize size(const Scene& scene) const override {
        return {particle_count(granular_scene(scene)), "particle", "particles"};
    }
    std::string mode(const Scene& scene) const override {
        const std::string quoted = setting_value(scene, "mode");
        return quoted.substr(1, quoted.size() - 2);
    }

    std::size_t gpu_from() const override { return GranularWorld::gpu_from; }
    bool runs_on(std::string_view device) const override {
        return device != "cpu:kernels" && device != "gles";
    }
    std::unique_ptr<SceneRun> start(const Scene& scene, const Place& place) const override {
        return start_granular(*this, scene, place);
    }
};

} // namespace

const Kind& granular_kind() {
    static const GranularKind kind;
    return kind;
}

GranularScene& granular_scene(Scene& scene) { return content_of<GranularScene>(scene, "granular"); }
const GranularScene& granular_scene(const Scene& scene) {
    return content_of<GranularScene>(scene, "granular");
}

std::size_t particle_count(const GranularScene& scene) {
    std::size_t count = 0;
    for (const GranularBodyDef& body : scene.bodies) count += scene.shapes[body.shape].particles.size();
    return count;
}

} // namespace scree
