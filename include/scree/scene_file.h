// SPDX-License-Identifier: MIT
// scene_file.h — a file that a scene's text refers to, such as a mesh.
#pragma once

#include <string>

namespace scree {

struct SceneFile {
    std::string name; ///< as in the scene's text
    std::string bytes;
    friend bool operator==(const SceneFile&, const SceneFile&) = default;
};

} // namespace scree
