// SPDX-License-Identifier: MIT
// map_fuzzer.cpp — any bytes as a .map file: an Error, or a map whose brushes are closed polyhedra or left out; then as shapes,
// as a tree, as cells in a file, and with the gaps closed that rounding left.
#include "scree/error.h"
#include "scree/level_file.h"
#include "scree/level_weld.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

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

/// Whether each of the first most_nodes nodes of its tree is made soon enough.
bool small(const scree::Level& level) {
    std::size_t faces = 0;
    for (const scree::LevelBrush& brush : level.brushes) faces += brush.faces.size();
    return faces <= 600;
}
constexpr std::uint32_t most_nodes = 1000;

/// Leaves fill the space, and a portal joins two of the empty ones.
void check_tree(const scree::LevelTree& tree) {
    const scree::DVec3 size = tree.high - tree.low;
    double volume = 0;
    for (const scree::LevelTree::Leaf& leaf : tree.leaves) volume += leaf.volume;
    const double all = size.x * size.y * size.z;
    check(std::fabs(volume - all) <= 1e-9 * all);
    for (const scree::LevelTree::Portal& portal : tree.portals) {
        check(portal.corners.size() >= 3 && portal.leaves[0] != portal.leaves[1]);
        for (const std::uint32_t leaf : portal.leaves) check(!tree.leaves[leaf].solid);
    }
}

/// Cells have the volume of the leaves that they were merged from, and portals come in pairs.
void check_cells(const scree::LevelCells& cells, const scree::LevelTree& tree) {
    double volume = 0, empty = 0, all = 0;
    for (const scree::LevelCells::Cell& cell : cells.cells) {
        volume += cell.volume;
        for (const std::uint32_t portal : cell.portals) check(portal < cells.portals.size());
    }
    for (const scree::LevelTree::Leaf& leaf : tree.leaves) {
        all += leaf.volume;
        if (!leaf.solid) empty += leaf.volume;
    }
    check(std::fabs(volume - empty) <= 1e-9 * all);
    for (std::uint32_t p = 0; p < cells.portals.size(); ++p) {
        const scree::LevelCells::Portal& portal = cells.portals[p];
        check(portal.twin < cells.portals.size() && cells.portals[portal.twin].twin == p);
        check(portal.from < cells.cells.size() && portal.to < cells.cells.size() && portal.from != portal.to);
    }
}

/// The whole way to a file and back, in a way that a byte of the map's text picks.
void check_compiled(scree::Map map, std::uint8_t choice) {
    scree::LevelCellOptions options;
    options.merge = static_cast<scree::CellMerge>(choice % 3);
    options.tree.choice = static_cast<scree::PlaneChoice>(choice / 3 % 4);
    options.tree.max_nodes = most_nodes;
    if (choice % 5 == 0) options.tree.stop_cost = 20;
    if (choice % 7 == 0) options.tree.stop_depth = 4;
    scree::CompileReport report;
    scree::RoundingGaps gaps;
    const scree::CompiledLevel level = scree::compile_closed(map, {}, options, &gaps, &report);
    check(report.tree.nodes.size() <= most_nodes);
    check_tree(report.tree);
    check_cells(level.cells, report.tree);
    check(report.leak.has_value() == !level.leak.empty());
    check(!gaps.leak || (!report.leak && !gaps.welds.empty()));
    for (const scree::MapWeld& one : gaps.welds) check(one.distance <= 0.125);
    const std::vector<std::byte> bytes = scree::encode_level(level);
    check(scree::encode_level(scree::decode_level(bytes, "fuzz.scl")) == bytes);
}

/// A map whose faces were moved has brushes that are closed or left out, as any other.
void check_welded(scree::Map map) {
    for (const scree::MapWeld& one : scree::weld_rounding(map)) check(one.distance <= 0.125);
    for (const scree::LevelBrush& brush : scree::build_level(map).brushes) check_closed(brush);
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
        if (small(level)) {
            check_welded(map);
            check_compiled(map, data[size / 2]); // throws Error without solid brushes
        }
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
