// SPDX-License-Identifier: MIT
// scene_run.cpp — granular or rigid: what can be said of a scene without knowing which; see scene_run.h.

#include "scene_run.h"

#include "text.h"

namespace scree {

std::unique_ptr<SceneRun> start_scene(const Scene& scene, const Place& place) {
    return scene.rigid ? start_rigid(scene, place) : start_granular(scene, place);
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
