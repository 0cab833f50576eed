// SPDX-License-Identifier: MIT
// fabric_shapes.h — the shapes of a rigid world as the kernels of cloths read them: one table, and the words of hulls and meshes.
#pragma once

#include "rigid/storage.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace scree {

class FabricShapes {
public:
    /// What update() wrote: a copy elsewhere needs the table, and the words from a place on.
    struct Change {
        bool table = false;
        std::uint32_t words_from = 0; ///< words().size(): none
    };

    /// Call it when a shape was added, removed or changed (geometry, material, filter), and when a body has another centre of mass.
    void changed() { stale_ = true; }
    /// Makes the table anew if something changed since the last call. Masses must be up to date.
    Change update(const RigidStorage& world);

    std::uint32_t count() const {
        return static_cast<std::uint32_t>(number_.size());
    } ///< shapes in the table
    /// Its layout is drawn in kernels/fabric_words.h. Shapes in order of their numbers, without sensors.
    std::span<const std::uint32_t> table() const { return table_; }
    /// Each hull and mesh once, as hull_words and MeshGeometry lay them out, at multiples of four words.
    std::span<const std::uint32_t> words() const { return words_; }
    std::span<const std::uint32_t> numbers() const { return number_; } ///< the shape of each row

private:
    std::uint32_t place(const ShapeRecord& shape);
    void write(const RigidStorage& world, std::uint32_t shape);

    bool stale_ = true;
    std::vector<std::uint32_t> table_, words_, number_;
    std::unordered_map<const void*, std::uint32_t> places_; ///< of geometries in the words
    // kept: another geometry at the same address would be taken for one that is gone
    std::vector<Hull> hulls_;
    std::vector<Mesh> meshes_;
    std::size_t kept_words_ = 0; ///< when all were last put anew
};

} // namespace scree
