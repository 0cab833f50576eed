// SPDX-License-Identifier: MIT
// level_fields.h — compiled levels field by field, as versions 1 and 2 of .scl have them.
#pragma once

#include "scree/level_cells.h"

#include <cstddef>
#include <cstdint>

namespace scree::level_fields {

/// A list of pairs or triples.
template <std::size_t size, class Io, class List>
void arrays(Io& io, List& list, const char* what) {
    io.items(list, 4 * size, what, [&](auto& one) {
        for (std::size_t k = 0; k < size; ++k) io(one[k]);
    });
}

template <class Io, class SomeLevel>
void geometry(Io& io, SomeLevel& level) {
    io.list(level.materials, "materials");
    io(level.texels);
    io.items(level.brushes, 80, "brushes", [&](auto& brush) {
        io(brush.entity, brush.brush, brush.low, brush.high, brush.volume, brush.solid);
        io.items(brush.vertices, 24, "vertices", [&](auto& at) { io(at); });
        io.items(brush.faces, 40, "faces", [&](auto& face) {
            io(face.material, face.face, face.normal);
            io.list(face.corners, "corners");
            arrays<2>(io, face.coordinates, "texture coordinates");
        });
    });
    io.items(level.patches, 28, "patches", [&](auto& patch) {
        io(patch.entity, patch.patch, patch.material, patch.solid);
        io.items(patch.vertices, 24, "vertices", [&](auto& at) { io(at); });
        arrays<2>(io, patch.coordinates, "texture coordinates");
        arrays<3>(io, patch.triangles, "triangles");
    });
    io.items(level.lights, 60, "lights",
             [&](auto& light) { io(light.entity, light.position, light.intensity, light.colour); });
}

template <class Io, class Cells>
void cells(Io& io, Cells& cells) {
    io.items(cells.nodes, 40, "nodes",
             [&](auto& node) { io(node.normal, node.distance, node.children[0], node.children[1]); });
    io.items(cells.portals, 56, "portals", [&](auto& portal) {
        io(portal.from, portal.to, portal.twin, portal.normal, portal.distance, portal.area);
        io.items(portal.corners, 24, "corners", [&](auto& at) { io(at); });
    });
    io.items(cells.cells, 80, "cells", [&](auto& cell) {
        io(cell.low, cell.high, cell.volume, cell.outside, cell.convex);
        io.list(cell.portals, "portals of a cell");
        io.items(cell.faces, 8, "faces of a cell", [&](auto& face) { io(face.brush, face.face); });
        io.list(cell.patches, "patches of a cell");
        io.list(cell.lights, "lights of a cell");
    });
}

/// To a bytes::FieldWriter or from a bytes::FieldReader.
template <class Io, class Compiled>
void fields(Io& io, Compiled& all, std::uint32_t version) {
    geometry(io, all.level);
    cells(io, all.cells);
    io.items(all.entities, 4, "entities",
             [&](auto& keys) { io.items(keys, 8, "keys", [&](auto& key) { io(key.first, key.second); }); });
    if (version >= 2) io.items(all.leak, 24, "points of a leak", [&](auto& at) { io(at); });
}

} // namespace scree::level_fields
