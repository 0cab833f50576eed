// SPDX-License-Identifier: MIT
// level_file.h — compiled levels in files: .scl, binary, and the XML files .bsp (the partition) and .grf (cells and portals).
//
//     write_level("hall.scl", compile_level(read_map("hall.map")));
//     const CompiledLevel hall = read_level("hall.scl");
#pragma once

#include "scree/level_cells.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// The same level gives the same bytes everywhere. Warnings and the map's name are not kept. Files of versions 1, which hold no way
/// out of a level that leaks, and 2 are read too.
std::vector<std::byte> encode_level(const CompiledLevel& level);
/// `file` is the name used in errors and in Level::file. Throws Error for bytes that are not a level, another version, a wrong
/// checksum, and numbers or indices that make no level.
CompiledLevel decode_level(std::span<const std::byte> bytes, const std::string& file);

/// Throws Error with the system's reason.
void write_level(const std::string& file, const CompiledLevel& level);
/// From a file that is mapped into memory, where the system can: it must not be cut meanwhile. write_level replaces it as a whole.
CompiledLevel read_level(const std::string& file);

/// The tree of planes, enough to find the cell of a point.
std::string bsp_text(const LevelCells& cells);
/// LevelCells with nodes, and cells that hold nothing. Throws Error with file:line for what is not the format.
LevelCells parse_bsp(std::string_view text, const std::string& file);

/// Cells with what is drawn in them, without the brushes around it: what a .grf file holds.
struct LevelGraph {
    struct Vertex {
        DVec3 at{};
        double u = 0, v = 0;
    };
    struct Face {
        std::uint32_t id = 0, texture = 0;
        DVec3 normal{};
        double distance = 0;
        std::vector<Vertex> corners;
    };
    /// A brush, with those of its faces that are seen in the cell.
    struct Volume {
        std::uint32_t id = 0;
        std::vector<Face> faces;
    };
    struct Patch {
        std::uint32_t id = 0, texture = 0;
        std::vector<Vertex> vertices;
        std::vector<std::array<std::uint32_t, 3>> triangles;
    };
    struct Light {
        std::uint32_t id = 0;
        DVec3 at{}, colour{};
        double intensity = 0;
    };
    /// An entity with a model of its own.
    struct Model {
        std::uint32_t entity = 0;
        DVec3 at{};
        std::string name, file;
    };
    struct Cell {
        DVec3 low{}, high{};
        double volume = 0;
        bool outside = false, convex = false;
        std::vector<Volume> volumes;
        std::vector<Patch> patches;
        std::vector<Light> lights;
        std::vector<Model> models;
        std::vector<std::uint32_t> portals;
    };
    std::vector<std::string> textures;
    bool texels = true; ///< see Level::texels
    std::vector<Cell> cells;
    std::vector<LevelCells::Portal> portals;
};

LevelGraph graph_of(const CompiledLevel& level);
std::string grf_text(const LevelGraph& graph);
/// Throws Error with file:line for what is not the format.
LevelGraph parse_grf(std::string_view text, const std::string& file);

} // namespace scree
