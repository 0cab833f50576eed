// SPDX-License-Identifier: MIT
// map_fuzzer.cpp — any bytes as a .map file: an Error, or a map whose brushes are closed polyhedra or left out; then as shapes
// and as a tree.
#include "scree/error.h"
#include "scree/level_tree.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

void check_closed(const scree::LevelBrush& brush) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const scree::LevelFace& face : brush.faces) {
        check(face.corners.size() >= 3 && face.corners.size() == face.coordinates.size());
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            check(face.corners[k] < brush.vertices.size());
            ++edges[{face.corners[k], face.corners[(k + 1) % face.corners.size()]}];
        }
    }
    for (const auto& [edge, count] : edges) check(count == 1 && edges.count({edge.second, edge.first}) == 1);
    check(brush.vertices.size() + brush.faces.size() == edges.size() / 2 + 2);
    for (const scree::DVec3& vertex : brush.vertices)
        check(std::fabs(vertex.x) <= 33554432 && std::fabs(vertex.y) <= 33554432 &&
              std::fabs(vertex.z) <= 33554432);
}

/// Leaves fill the space, and a portal joins two of the empty ones.
void check_tree(const scree::Map& map, const scree::Level& level) {
    for (const scree::LevelBrush& brush : level.brushes)
        if (brush.faces.size() > 40) return;
    const scree::LevelTree tree = scree::build_tree(map, level); // throws Error without solid brushes
    const scree::DVec3 size = tree.high - tree.low;
    double volume = 0;
    for (const scree::LevelTree::Leaf& leaf : tree.leaves) volume += leaf.volume;
    const double all = size.x * size.y * size.z;
    check(std::fabs(volume - all) <= 1e-9 * all);
    for (const scree::LevelTree::Portal& portal : tree.portals) {
        check(portal.corners.size() >= 3 && portal.leaves[0] != portal.leaves[1]);
        for (const std::uint32_t leaf : portal.leaves) check(!tree.leaves[leaf].solid);
    }
    find_leak(map, tree);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scree;
    try {
        const Map map = parse_map({reinterpret_cast<const char*>(data), size}, "fuzz.map");
        std::size_t brushes = 0, patches = 0;
        for (const MapEntity& entity : map.entities)
            if (!entity.omitted) brushes += entity.brushes.size(), patches += entity.patches.size();
        const Level level = build_level(map);
        check(level.brushes.size() + level.dropped_brushes == brushes);
        check(level.patches.size() + level.dropped_patches == patches);
        for (const LevelBrush& brush : level.brushes) check_closed(brush);
        for (const LevelPatch& patch : level.patches)
            for (const auto& triangle : patch.triangles)
                for (std::uint32_t corner : triangle) check(corner < patch.vertices.size());
        if (level.brushes.size() + level.patches.size() <= 20) level_shapes(level);
        if (level.brushes.size() <= 6) check_tree(map, level);
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
