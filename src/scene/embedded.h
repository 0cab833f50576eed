// SPDX-License-Identifier: MIT
// embedded.h — the files of scenes/ as text in the program; the definitions are written by
// cmake/EmbedScenes.cmake.
#pragma once

namespace scree {

struct EmbeddedScene {
    const char* name; ///< the file's name without ".json"
    const char* text;
};
extern const EmbeddedScene embedded_scenes[]; ///< in order of name
extern const int embedded_scene_count;

} // namespace scree
