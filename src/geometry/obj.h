// SPDX-License-Identifier: MIT
// obj.h — triangles from a Wavefront .obj file.
#pragma once

#include "scree/triangle_mesh.h"

#include <string>
#include <string_view>

namespace scree {

/// Reads v and f statements, and the names that o, g and usemtl give; polygons are cut into fans. Texture
/// coordinates, normals, points and lines are passed over. Throws Error with file:line as its place.
TriangleMesh read_obj(const std::string& file);
/// The same from text; `file` is the name used in errors.
TriangleMesh parse_obj(std::string_view text, const std::string& file);

} // namespace scree
