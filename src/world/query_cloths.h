// SPDX-License-Identifier: MIT
// query_cloths.h — the triangles of a world's cloths as queries see them, in a tree of their bounds.
//
// Brought up to date by the first query that asks for cloth after a change; costs nothing where nobody does.
#pragma once

#include "collision/bounds_tree.h"
#include "geometry/mesh_geometry.h"
#include "rigid/storage.h"

#include <cstdint>
#include <vector>

namespace scree {

class QueryCloths {
public:
    void changed() { stale_ = true; }
    /// Vertices are fetched.
    void update(const Cloths& cloths);

    const BoundsTree& tree() const { return tree_; } ///< proxies are numbers of triangles, cloth by cloth
    std::uint32_t cloth_of(std::uint32_t proxy) const;
    /// Its number is that in the cloth.
    MeshTriangle triangle(const Cloths& cloths, std::uint32_t proxy) const;

private:
    bool stale_ = true;
    std::vector<std::uint32_t> first_; ///< triangle of each slot, and of one more
    BoundsTree tree_;
};

} // namespace scree
