// SPDX-License-Identifier: MIT
// model_file.h — animated models from MD5 and glTF files.
#pragma once

#include "scree/skinned_model.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace scree {

enum class ModelFormat {
    by_name, ///< by the end of the file's name: .md5mesh, .gltf, .glb
    md5,     ///< version 10 (id Software 2004)
    gltf     ///< glTF 2.0 with its skins and animations
};

struct ModelFileOptions {
    ModelFormat format = ModelFormat::by_name;
    float scale = 1; ///< for files in other units; of positions, not of joints' scales
    /// A file with more bytes, triangles, vertices, joints, or numbers in its clips is refused, before memory is taken for them.
    std::size_t max_bytes = std::size_t{1} << 28;
    std::size_t max_triangles = 2'000'000;
    std::size_t max_vertices = 2'000'000;
    std::size_t max_joints = 4096;
    std::size_t max_keys = 20'000'000;
    /// Whether a .gltf file may name buffers in files. They must be in its folder or below.
    bool external_files = true;
    /// Reads the files that a .gltf file names in place of the disk. Throws Error without a place for names it does not know.
    std::function<std::string(const std::string& name)> open{};
};

/// Throws Error with file, line and column (of binary files: of their JSON text): a file that is broken, cut short or holds no
/// triangles, numbers that are not finite, counts that differ from what follows, indices out of range, joints that are their own
/// ancestors.
SkinnedModel read_model(const std::string& file, const ModelFileOptions& options = {});
/// The same from memory. `file` is the name used in errors and by ModelFormat::by_name; buffers are looked for in its folder.
SkinnedModel parse_model(std::string_view bytes, const std::string& file,
                         const ModelFileOptions& options = {});

/// Reads an .md5anim file as a clip of this model, with the scale that the model was read with. Throws Error as read_model does, and for
/// joints that are not those of the model.
ModelClip read_clip(const std::string& file, const SkinnedModel& model, const ModelFileOptions& options = {});
ModelClip parse_clip(std::string_view bytes, const std::string& file, const SkinnedModel& model,
                     const ModelFileOptions& options = {});

/// As .md5mesh and .md5anim text: clips in frames at this rate. Scales of joints are lost.
std::string md5mesh_text(const SkinnedModel& model);
std::string md5anim_text(const SkinnedModel& model, const ModelClip& clip, float rate = 24);

} // namespace scree
