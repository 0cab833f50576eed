// SPDX-License-Identifier: MIT
// mesh_fields.h — meshes in snapshots and recordings: what they were made from; the rest is computed again.
//
// A mesh stands where it is used first; later uses name its number.
#pragma once

#include "bytes/fields.h"
#include "scree/mesh.h"

#include <cstdint>
#include <map>
#include <vector>

namespace scree::bytes {

/// The meshes of a snapshot or recording, in the order of their first use. Scales are the caller's.
class MeshTable {
public:
    void write(FieldWriter& out, const Mesh& mesh);
    /// Throws Error for what Mesh::from_triangles refuses.
    Mesh read(FieldReader& in);

private:
    std::map<const MeshGeometry*, std::uint32_t> numbers_; // looked up only
    std::vector<Mesh> meshes_;
};

} // namespace scree::bytes
