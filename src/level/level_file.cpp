// SPDX-License-Identifier: MIT
// level_file.cpp — compiled levels as bytes.
#include "scree/level_file.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "level/level_arrays.h"
#include "level/level_fields.h"
#include "level/level_limits.h"
#include "scree/error.h"
#include "text/mapped_file.h"
#include "text/partial_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace scree {
namespace {

constexpr bytes::Seal seal{"screelev", 3, "a compiled level of scree", true};
constexpr std::size_t most_bytes = std::size_t{1} << 31;

/// That of the header, if it is one of those that are read: versions 1 and 2 are lists of fields, 1 without the way out of a
/// level that leaks.
bytes::Seal seal_of(std::span<const std::byte> saved) {
    bytes::Seal found = seal;
    const std::size_t at = seal.name.size();
    if (saved.size() > at)
        for (const std::uint32_t old : {1u, 2u})
            if (std::to_integer<std::uint32_t>(saved[at]) == old) found.version = old, found.wide = false;
    return found;
}

CompiledLevel level_of_fields(std::span<const std::uint8_t> content, std::uint32_t version,
                              const std::string& file) {
    bytes::FieldReader in(content, file);
    CompiledLevel out;
    level_fields::fields(in, out, version);
    if (in.left() > 0) in.fail("there are more bytes than a level has");
    return out;
}

/// What the rest of the library takes for granted.
class Checker {
public:
    Checker(const CompiledLevel& all, const std::string& file) : all_(all), file_(file) {}

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
                if (cells.portals[p].from != c) fail("a cell has a portal that leads out of another one");
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
    [[noreturn]] void fail(const std::string& what) const { throw Error(what, file_); }
    void below(std::size_t index, std::size_t count, const char* what) const {
        if (index >= count)
            fail("the " + std::string(what) + " " + std::to_string(index) + " is named, but there are " +
                 std::to_string(count));
    }
    void within(const DVec3& at) const {
        const double farthest = std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
        if (!(farthest <= most_level_coordinate))
            fail("a coordinate is farther than " +
                 std::to_string(static_cast<std::int64_t>(most_level_coordinate)) + " units from 0");
    }
    void check_brush(const LevelBrush& brush) const {
        for (const DVec3& vertex : brush.vertices) within(vertex);
        within(brush.low), within(brush.high);
        below(brush.entity, all_.entities.size(), "entity");
        if (brush.vertices.size() < 4 || brush.faces.size() < 4) fail("a brush has no volume");
        for (const LevelFace& face : brush.faces) {
            below(face.material, all_.level.materials.size(), "material");
            if (face.corners.size() < 3 || face.coordinates.size() != face.corners.size())
                fail("a face has " + std::to_string(face.corners.size()) + " corners and " +
                     std::to_string(face.coordinates.size()) + " texture coordinates");
            for (const std::uint32_t corner : face.corners) below(corner, brush.vertices.size(), "vertex");
        }
    }
    void check_patch(const LevelPatch& patch) const {
        for (const DVec3& vertex : patch.vertices) within(vertex);
        below(patch.entity, all_.entities.size(), "entity");
        below(patch.material, all_.level.materials.size(), "material");
        if (patch.vertices.empty() || patch.coordinates.size() != patch.vertices.size())
            fail("a patch has " + std::to_string(patch.vertices.size()) + " vertices and " +
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
                    if (child <= i) fail("a node of the tree comes before its parent");
                    if (depth[child] > 0) fail("a node of the tree has two parents");
                    depth[child] = depth[i] + 1;
                    if (depth[child] > most_tree_depth)
                        fail("the tree is deeper than " + std::to_string(most_tree_depth) + " nodes");
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
            fail("a portal and its twin do not lead to each other");
        if (portal.corners.size() < 3) fail("a portal has fewer than three corners");
        for (const DVec3& corner : portal.corners) within(corner);
    }

    const CompiledLevel& all_;
    const std::string& file_;
};

} // namespace

std::vector<std::byte> encode_level(const CompiledLevel& level) {
    std::vector<std::byte> all = level_arrays::encode(level, bytes::seal_bytes);
    bytes::seal_in_place(seal, 0, all);
    return all;
}

CompiledLevel decode_level(std::span<const std::byte> saved, const std::string& file) {
    std::uint32_t unused = 0;
    const bytes::Seal header = seal_of(saved);
    const std::span<const std::uint8_t> content = bytes::unsealed(header, saved, unused, file);
    CompiledLevel out = header.version < 3 ? level_of_fields(content, header.version, file)
                                           : level_arrays::decode(content, file);
    Checker(out, file).check();
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
    const MappedFile mapped(file, most_bytes);
    return decode_level(mapped.bytes(), file);
}

} // namespace scree
