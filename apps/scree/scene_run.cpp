// SPDX-License-Identifier: MIT
// scene_run.cpp — granular or rigid: what can be said of a scene without knowing which; see scene_run.h.

#include "scene_run.h"

#include "scene_arguments.h"
#include "text.h"

#include <utility>

namespace scree {

std::unique_ptr<SceneRun> start_scene(const Scene& scene, std::shared_ptr<Device> device,
                                      const DeviceOptions& options) {
    return scene.rigid ? start_rigid(scene, std::move(device), options)
                       : start_granular(scene, std::move(device));
}

std::vector<GranularShape> recorded_shapes(const Scene& scene) {
    if (!scene.rigid) return scene.shapes;
    std::vector<GranularShape> shapes;
    for (const RigidShape& shape : scene.rigid->shapes) {
        GranularShape summary;
        summary.name = shape.name;
        summary.half_size = {(shape.high.x - shape.low.x) / 2, (shape.high.y - shape.low.y) / 2,
                             (shape.high.z - shape.low.z) / 2};
        shapes.push_back(std::move(summary));
    }
    return shapes;
}

const char* mode_name(const Scene& scene) {
    if (scene.rigid) return "rigid";
    const GranularMode mode = scene.settings.mode;
    return mode == GranularMode::reference  ? "reference"
           : mode == GranularMode::improved ? "improved"
                                            : "brute";
}

std::string size_words(const Scene& scene) {
    return scene.rigid ? count_of(scene.rigid->bodies.size(), "body", "bodies")
                       : count_of(particle_count(scene), "particle", "particles");
}

double time_step(const Scene& scene) {
    return static_cast<double>(scene.rigid ? scene.rigid->time_step : scene.settings.time_step);
}

} // namespace scree
