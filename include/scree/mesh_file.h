// SPDX-License-Identifier: MIT
// mesh_file.h — triangle meshes from OBJ, STL, PLY and glTF files.
#pragma once

#include "scree/triangle_mesh.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace scree {

enum class MeshFormat {
    by_name, ///< by the end of the file's name: .obj, .stl, .ply, .gltf, .glb
    obj,
    stl, ///< ASCII or binary
    ply, ///< ASCII, or binary of either byte order
    gltf ///< glTF 2.0: .gltf with buffers embedded or beside it, .glb
};

struct MeshFileOptions {
    MeshFormat format = MeshFormat::by_name;
    /// Applied to all vertices, for files in other units: 0.001 for millimetres.
    float scale = 1;
    /// A file with more bytes, triangles or vertices is refused, however little of it had to be read to know.
    std::size_t max_bytes = std::size_t{1} << 30;
    std::size_t max_triangles = 20'000'000;
    std::size_t max_vertices = 20'000'000;
    /// Whether a .gltf file may name buffers in files. They must be in its folder or below.
    bool external_files = true;
};

/// Reads positions, triangles (polygons are cut into fans) and names. Throws Error with the file and the line or byte as its
/// place: a file that is broken, cut short or holds no triangles, coordinates that are not finite, indices out of range.
TriangleMesh read_mesh(const std::string& file, const MeshFileOptions& options = {});

/// The same from memory. `file` is the name used in errors and by MeshFormat::by_name; buffers are looked for in its folder.
TriangleMesh parse_mesh(std::string_view bytes, const std::string& file, const MeshFileOptions& options = {});

/// As a Wavefront .obj file: one object for each part.
std::string obj_text(const TriangleMesh& mesh);

} // namespace scree
