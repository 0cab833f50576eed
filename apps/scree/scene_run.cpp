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

} // namespace scree
