// SPDX-License-Identifier: MIT
// files.h — the files that a scene names.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

#include <string>
#include <vector>

namespace scree {

/// The file that the field names: one of `files`, of SceneOptions::files, or of the scene's folder. Adds it to `files`, which
/// recordings keep. Throws Error for files that cannot be read, are too large, or are not in the folder of the scene or below.
const SceneFile& find_file(const Field& field, const SceneOptions& options, std::vector<SceneFile>& files);
/// The same for a name that the file of the field gives.
const SceneFile& find_file(const Field& field, const std::string& name, const SceneOptions& options,
                           std::vector<SceneFile>& files);
/// The same for a file that need not be there: null for that, and for what is outside the folder.
const SceneFile* seek_file(const Field& field, const std::string& name, const SceneOptions& options,
                           std::vector<SceneFile>& files);
/// The folder of a name, with its slash.
inline std::string folder_of(const std::string& name) { return name.substr(0, name.find_last_of('/') + 1); }

} // namespace scree
