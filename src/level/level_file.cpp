// SPDX-License-Identifier: MIT
// level_file.cpp — compiled levels as bytes.
#include "scree/level_file.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "level/level_limits.h"
#include "scree/error.h"
#include "text/file_text.h"
#include "text/partial_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace scree {
namespace {

constexpr bytes::Seal seal{"screelev", 2, "a compiled level of scree"};
constexpr bytes::Seal without_leak{seal.name, 1, seal.what}; // what was written before; the level may leak
constexpr std::size_t most_bytes = std::size_t{1} << 31;

/// A list of pairs or triples.
template <class Io, class List, std::size_t size>
void arrays(Io& io, List& list, const std::size_t (&)[size], const char* what) {
    io.items(list, 4 * size, what, [&](auto& one) {
        for (std::size_t k = 0; k < size; ++k) io(one[k]);
    });
}
constexpr std::size_t two[2] = {}, three[3] = {};

template <class Io, class SomeLevel>
void level_fields(Io& io, SomeLevel& level) {
    io.list(level.materials, "materials");
    io(level.texels);
    io.items(level.brushes, 80, "brushes", [&](auto& brush) {
        io(brush.entity, brush.brush, brush.low, brush.high, brush.volume, brush.solid);
        io.items(brush.vertices, 24, "vertices", [&](auto& at) { io(at); });
        io.items(brush.faces, 40, "faces", [&](auto& face) {
            io(face.material, face.face, face.normal);
            io.list(face.corners, "corners");
            arrays(io, face.coordinates, two, "texture coordinates");
        });
    });
    io.items(level.patches, 28, "patches", [&](auto& patch) {
        io(patch.entity, patch.patch, patch.material, patch.solid);
        io.items(patch.vertices, 24, "vertices", [&](auto& at) { io(at); });
        arrays(io, patch.coordinates, two, "texture coordinates");
        arrays(io, patch.triangles, three, "triangles");
    });
    io.items(level.lights, 60, "lights",
             [&](auto& light) { io(light.entity, light.position, light.intensity, light.colour); });
}

template <class Io, class Cells>
void cell_fields(Io& io, Cells& cells) {
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

template <class Io, class Compiled>
void fields(Io& io, Compiled& all, std::uint32_t version = seal.version) {
    level_fields(io, all.level);
    cell_fields(io, all.cells);
    io.items(all.entities, 4, "entities",
             [&](auto& keys) { io.items(keys, 8, "keys", [&](auto& key) { io(key.first, key.second); }); });
    if (version >= 2) io.items(all.leak, 24, "points of a leak", [&](auto& at) { io(at); });
}

/// The version that a header names, of those that are read.
const bytes::Seal& seal_of(std::span<const std::byte> saved) {
    const std::size_t at = seal.name.size();
    return saved.size() > at && std::to_integer<std::uint32_t>(saved[at]) == without_leak.version
               ? without_leak
               : seal;
}

/// What the rest of the library takes for granted.
class Checker {
public:
    Checker(const CompiledLevel& all, const bytes::FieldReader& in) : all_(all), in_(in) {}

    void check() const {
        for (const LevelBrush& brush : all_.level.brushes) check_brush(brush);
        for (const LevelPatch& patch : all_.level.patches) check_patch(patch);
        for (const LevelLight& light : all_.level.lights) below(light.entity, all_.entities.size(), "entity");
        const LevelCells& cells = all_.cells;
        for (const DVec3& at : all_.leak) within(at);
        check_tree();
        for (std::size_t p = 0; p < cells.portals.size(); ++p) check_portal(p);
        for (std::size_t c = 0; c < cells.cells.size(); ++c) {
            const LevelCells::Cell& cell = cells.cells[c];
            within(cell.low), within(cell.high);
            for (const std::uint32_t p : cell.portals) {
                below(p, cells.portals.size(), "portal");
                if (cells.portals[p].from != c) in_.fail("a cell has a portal that leads out of another one");
            }
            for (const LevelCells::Face& face : cell.faces) {
                below(face.brush, all_.level.brushes.size(), "brush");
                below(face.face, all_.level.brushes[face.brush].faces.size(), "face");
            }
            for (const std::uint32_t p : cell.patches) below(p, all_.level.patches.size(), "patch");
            for (const std::uint32_t l : cell.lights) below(l, all_.level.lights.size(), "light");
        }
    }

private:
    void below(std::size_t index, std::size_t count, const char* what) const {
        if (index >= count)
            in_.fail("the " + std::string(what) + " " + std::to_string(index) + " is named, but there are " +
                     std::to_string(count));
    }
    void within(const DVec3& at) const {
        const double farthest = std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
        if (!(farthest <= most_level_coordinate))
            in_.fail("a coordinate is farther than " +
                     std::to_string(static_cast<std::int64_t>(most_level_coordinate)) + " units from 0");
    }
    void check_brush(const LevelBrush& brush) const {
        for (const DVec3& vertex : brush.vertices) within(vertex);
        within(brush.low), within(brush.high);
        below(brush.entity, all_.entities.size(), "entity");
        if (brush.vertices.size() < 4 || brush.faces.size() < 4) in_.fail("a brush has no volume");
        for (const LevelFace& face : brush.faces) {
            below(face.material, all_.level.materials.size(), "material");
            if (face.corners.size() < 3 || face.coordinates.size() != face.corners.size())
                in_.fail("a face has " + std::to_string(face.corners.size()) + " corners and " +
                         std::to_string(face.coordinates.size()) + " texture coordinates");
            for (const std::uint32_t corner : face.corners) below(corner, brush.vertices.size(), "vertex");
        }
    }
    void check_patch(const LevelPatch& patch) const {
        for (const DVec3& vertex : patch.vertices) within(vertex);
        below(patch.entity, all_.entities.size(), "entity");
        below(patch.material, all_.level.materials.size(), "material");
        if (patch.vertices.empty() || patch.coordinates.size() != patch.vertices.size())
            in_.fail("a patch has " + std::to_string(patch.vertices.size()) + " vertices and " +
                     std::to_string(patch.coordinates.size()) + " texture coordinates");
        for (const auto& triangle : patch.triangles)
            for (const std::uint32_t corner : triangle) below(corner, patch.vertices.size(), "vertex");
    }
    /// Children come after their one parent, so that every way down ends, and there are no more ways than leaves.
    void check_tree() const {
        const LevelCells& cells = all_.cells;
        std::vector<std::uint32_t> depth(cells.nodes.size(), 0); // 0: no parent so far
        for (std::size_t i = 0; i < cells.nodes.size(); ++i)
            for (const std::uint32_t child : cells.nodes[i].children) {
                if (!(child & LevelCells::leaf_bit)) {
                    below(child, cells.nodes.size(), "node");
                    if (child <= i) in_.fail("a node of the tree comes before its parent");
                    if (depth[child] > 0) in_.fail("a node of the tree has two parents");
                    depth[child] = depth[i] + 1;
                    if (depth[child] > most_tree_depth)
                        in_.fail("the tree is deeper than " + std::to_string(most_tree_depth) + " nodes");
                } else if ((child & ~LevelCells::leaf_bit) != LevelCells::solid) {
                    below(child & ~LevelCells::leaf_bit, cells.cells.size(), "cell");
                }
            }
    }
    void check_portal(std::size_t p) const {
        const LevelCells& cells = all_.cells;
        const LevelCells::Portal& portal = cells.portals[p];
        below(portal.from, cells.cells.size(), "cell");
        below(portal.to, cells.cells.size(), "cell");
        below(portal.twin, cells.portals.size(), "portal");
        const LevelCells::Portal& twin = cells.portals[portal.twin];
        if (twin.twin != p || twin.from != portal.to || twin.to != portal.from)
            in_.fail("a portal and its twin do not lead to each other");
        if (portal.corners.size() < 3) in_.fail("a portal has fewer than three corners");
        for (const DVec3& corner : portal.corners) within(corner);
    }

    const CompiledLevel& all_;
    const bytes::FieldReader& in_;
};

} // namespace

std::vector<std::byte> encode_level(const CompiledLevel& level) {
    bytes::Bytes content;
    bytes::FieldWriter out(content);
    fields(out, level);
    return bytes::sealed(seal, 0, content);
}

CompiledLevel decode_level(std::span<const std::byte> saved, const std::string& file) {
    std::uint32_t unused = 0;
    const bytes::Seal& header = seal_of(saved);
    bytes::FieldReader in(bytes::unsealed(header, saved, unused, file), file);
    CompiledLevel out;
    fields(in, out, header.version);
    if (in.left() > 0) in.fail("there are more bytes than a level has");
    Checker(out, in).check();
    out.level.file = file;
    return out;
}

void write_level(const std::string& file, const CompiledLevel& level) {
    const std::vector<std::byte> bytes = encode_level(level);
    const auto fail = [&] { throw Error(std::string("cannot be written: ") + std::strerror(errno), file); };
    const PartialFile partial = open_partial(file);
    if (!partial.out) fail();
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), partial.out) == bytes.size();
    if (std::fclose(partial.out) != 0 || !written || std::rename(partial.name.c_str(), file.c_str()) != 0) {
        const int reason = errno;
        std::remove(partial.name.c_str());
        errno = reason;
        fail();
    }
}

CompiledLevel read_level(const std::string& file) {
    const std::string text = file_text(file, most_bytes);
    return decode_level({reinterpret_cast<const std::byte*>(text.data()), text.size()}, file);
}

} // namespace scree
