// SPDX-License-Identifier: MIT
// obj.h — triangles from a Wavefront .obj file.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles; ///< three indices each
};

/// Reads v and f statements; polygons are cut into fans. Texture coordinates, normals, groups, materials,
/// points and lines are passed over. Throws Error with file:line as its place.
TriangleMesh read_obj(const std::string& file);
/// The same from text; `file` is the name used in errors.
TriangleMesh parse_obj(std::string_view text, const std::string& file);

} // namespace scree
