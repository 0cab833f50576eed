// SPDX-License-Identifier: MIT
// level_arrays.cpp — see level_arrays.h.
#include "level/level_arrays.h"

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace scree::level_arrays {
namespace {

using Word = std::uint32_t;

// items: first words of four bytes, then numbers of eight
struct BrushItem {
    static constexpr std::size_t words = 6;
    Word entity, brush, solid, vertices, faces, zero;
    DVec3 low, high;
    double volume;
};
struct FaceItem {
    static constexpr std::size_t words = 4;
    Word material, face, corners, zero;
    DVec3 normal;
};
struct PatchItem {
    static constexpr std::size_t words = 6;
    Word entity, patch, material, solid, vertices, triangles;
};
struct LightItem {
    static constexpr std::size_t words = 2;
    Word entity, zero;
    DVec3 position;
    double intensity;
    DVec3 colour;
};
struct NodeItem {
    static constexpr std::size_t words = 2;
    std::array<Word, 2> children;
    DVec3 normal;
    double distance;
};
struct PortalItem {
    static constexpr std::size_t words = 4;
    Word from, to, twin, corners;
    DVec3 normal;
    double distance, area;
};
struct CellItem {
    static constexpr std::size_t words = 6;
    Word outside, convex, portals, faces, patches, lights;
    DVec3 low, high;
    double volume;
};

template <class Item>
constexpr std::size_t words_of() {
    if constexpr (std::is_same_v<Item, char> || std::is_same_v<Item, DVec3> ||
                  std::is_same_v<Item, std::array<double, 2>>)
        return 0;
    else if constexpr (std::is_same_v<Item, Word>) return 1;
    else if constexpr (std::is_same_v<Item, std::array<Word, 3>>) return 3;
    else if constexpr (std::is_same_v<Item, LevelCells::Face>) return 2;
    else return Item::words;
}

/// Between little-endian and this machine's order.
template <class Item>
void turn(Item& item) {
    constexpr std::size_t words = 4 * words_of<Item>();
    if constexpr (std::endian::native == std::endian::big && sizeof(Item) > 1) {
        auto* byte = reinterpret_cast<unsigned char*>(&item);
        for (std::size_t at = 0; at < sizeof item;) {
            const std::size_t size = at < words ? 4 : 8;
            std::reverse(byte + at, byte + at + size);
            at += size;
        }
    }
}

enum Array : std::size_t {
    texts,   // of all strings
    lengths, // of each string
    keys,    // of each entity
    brushes,
    faces,
    patches,
    triangles,
    lights,
    nodes,
    portals,
    cells,
    cell_faces,
    points,      // vertices of brushes and patches, corners of portals, the way out
    coordinates, // of textures
    numbers,     // corners of faces; portals, patches and lights of cells
    array_count,
};
constexpr std::array<const char*, array_count> names = {
    "bytes of text", "lengths of texts", "entities", "brushes",     "faces",
    "patches",       "triangles",        "lights",   "nodes",       "portals",
    "cells",         "faces of cells",   "points",   "coordinates", "numbers"};
constexpr std::array<std::size_t, array_count> item_bytes = {1,
                                                             sizeof(Word),
                                                             sizeof(Word),
                                                             sizeof(BrushItem),
                                                             sizeof(FaceItem),
                                                             sizeof(PatchItem),
                                                             3 * sizeof(Word),
                                                             sizeof(LightItem),
                                                             sizeof(NodeItem),
                                                             sizeof(PortalItem),
                                                             sizeof(CellItem),
                                                             2 * sizeof(Word),
                                                             sizeof(DVec3),
                                                             2 * sizeof(double),
                                                             sizeof(Word)};
struct Header {
    static constexpr std::size_t words = 4;
    Word texels, materials, way_out, zero;
    std::array<std::uint64_t, array_count> counts;
};
static_assert(sizeof(BrushItem) == 80 && sizeof(FaceItem) == 40 && sizeof(PatchItem) == 24 &&
              sizeof(LightItem) == 64 && sizeof(NodeItem) == 40 && sizeof(PortalItem) == 56 &&
              sizeof(CellItem) == 80 && sizeof(LevelCells::Face) == 8 && sizeof(DVec3) == 24 &&
              sizeof(Header) == 16 + 8 * array_count);

constexpr std::size_t filled(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// How many items each array will have.
class Counter {
public:
    template <class Item>
    void put(Array array, const Item&) {
        ++counts[array];
    }
    template <class List>
    void put_all(Array array, const List& list) {
        counts[array] += list.size();
    }
    std::array<std::uint64_t, array_count> counts{};
};

class Writer {
public:
    Writer(std::byte* begin, const std::array<std::uint64_t, array_count>& counts) {
        for (std::size_t a = 0; a < array_count; ++a) {
            at_[a] = begin;
            begin += filled(counts[a] * item_bytes[a]);
        }
    }
    template <class Item>
    void put(Array array, Item item) {
        turn(item);
        std::memcpy(at_[array], &item, sizeof item);
        at_[array] += sizeof item;
    }
    template <class List>
    void put_all(Array array, const List& list) {
        for (const auto& item : list) put(array, item);
    }

private:
    std::array<std::byte*, array_count> at_{};
};

Word size_of(std::size_t size) { return static_cast<Word>(size); }

template <class Out>
void put_text(Out& out, const std::string& text) {
    out.put(lengths, size_of(text.size()));
    out.put_all(texts, text);
}

template <class Out>
void put_geometry(Out& out, const Level& level) {
    for (const std::string& material : level.materials) put_text(out, material);
    for (const LevelBrush& brush : level.brushes) {
        out.put(brushes, BrushItem{brush.entity, brush.brush, brush.solid, size_of(brush.vertices.size()),
                                   size_of(brush.faces.size()), 0, brush.low, brush.high, brush.volume});
        out.put_all(points, brush.vertices);
        for (const LevelFace& face : brush.faces) {
            out.put(faces, FaceItem{face.material, face.face, size_of(face.corners.size()), 0, face.normal});
            out.put_all(numbers, face.corners);
            out.put_all(coordinates, face.coordinates);
        }
    }
    for (const LevelPatch& patch : level.patches) {
        out.put(patches, PatchItem{patch.entity, patch.patch, patch.material, patch.solid,
                                   size_of(patch.vertices.size()), size_of(patch.triangles.size())});
        out.put_all(points, patch.vertices);
        out.put_all(coordinates, patch.coordinates);
        out.put_all(triangles, patch.triangles);
    }
    for (const LevelLight& light : level.lights)
        out.put(lights, LightItem{light.entity, 0, light.position, light.intensity, light.colour});
}

template <class Out>
void put_cells(Out& out, const LevelCells& level) {
    for (const LevelCells::Node& node : level.nodes)
        out.put(nodes, NodeItem{node.children, node.normal, node.distance});
    for (const LevelCells::Portal& portal : level.portals) {
        out.put(portals, PortalItem{portal.from, portal.to, portal.twin, size_of(portal.corners.size()),
                                    portal.normal, portal.distance, portal.area});
        out.put_all(points, portal.corners);
    }
    for (const LevelCells::Cell& cell : level.cells) {
        out.put(cells, CellItem{cell.outside, cell.convex, size_of(cell.portals.size()),
                                size_of(cell.faces.size()), size_of(cell.patches.size()),
                                size_of(cell.lights.size()), cell.low, cell.high, cell.volume});
        out.put_all(numbers, cell.portals);
        out.put_all(cell_faces, cell.faces);
        out.put_all(numbers, cell.patches);
        out.put_all(numbers, cell.lights);
    }
}

template <class Out>
void put_level(Out& out, const CompiledLevel& level) {
    put_geometry(out, level.level);
    put_cells(out, level.cells);
    for (const auto& entity : level.entities) {
        out.put(keys, size_of(entity.size()));
        for (const auto& [key, value] : entity) put_text(out, key), put_text(out, value);
    }
    out.put_all(points, level.leak);
}

class Reader {
public:
    Reader(std::span<const std::uint8_t> bytes, const std::string& where) : where_(where) {
        if (bytes.size() < sizeof(Header))
            fail(std::to_string(bytes.size()) + " bytes are left; expected the " +
                 std::to_string(sizeof(Header)) + " that a level begins with");
        std::memcpy(&header, bytes.data(), sizeof header);
        turn(header);
        std::size_t at = sizeof header;
        for (std::size_t a = 0; a < array_count; ++a) {
            const std::uint64_t count = header.counts[a];
            if (count > (bytes.size() - at) / item_bytes[a])
                fail(std::to_string(count) + " " + names[a] + " do not fit in the " +
                     std::to_string(bytes.size() - at) + " bytes that are left");
            at_[a] = bytes.data() + at;
            left_[a] = static_cast<std::size_t>(count);
            const std::size_t end = at + left_[a] * item_bytes[a];
            at = filled(end);
            if (at > bytes.size() || std::any_of(bytes.begin() + static_cast<std::ptrdiff_t>(end),
                                                 bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                                 [](auto byte) { return byte != 0; }))
                fail("what follows the " + std::string(names[a]) + " is not 0");
        }
        if (at != bytes.size()) fail("there are more bytes than a level has");
        check_numbers<BrushItem>(brushes), check_numbers<FaceItem>(faces), check_numbers<LightItem>(lights);
        check_numbers<NodeItem>(nodes), check_numbers<PortalItem>(portals), check_numbers<CellItem>(cells);
        check_numbers<DVec3>(points), check_numbers<std::array<double, 2>>(coordinates);
    }

    std::size_t count(Array array) const { return static_cast<std::size_t>(header.counts[array]); }

    template <class Item>
    Item next(Array array) {
        take(array, 1);
        Item item;
        std::memcpy(&item, at_[array], sizeof item);
        turn(item);
        at_[array] += sizeof item;
        return item;
    }
    template <class List>
    void copy(Array array, std::size_t size, List& list) {
        using Item = typename List::value_type;
        take(array, size);
        list.resize(size);
        if (size == 0) return;
        std::memcpy(list.data(), at_[array], size * sizeof(Item));
        for (Item& item : list) turn(item);
        at_[array] += size * sizeof(Item);
    }
    void text(std::string& text) { copy(texts, next<Word>(lengths), text); }
    bool flag(Word word) const {
        if (word > 1) fail("invalid value " + std::to_string(word) + ": expected 0 or 1");
        return word == 1;
    }
    void zero(Word word) const {
        if (word != 0) fail("invalid value " + std::to_string(word) + ": expected 0");
    }
    void end() const {
        for (std::size_t a = 0; a < array_count; ++a)
            if (left_[a] > 0)
                fail("the last " + std::to_string(left_[a]) + " " + names[a] + " belong to nothing");
    }

    Header header{};

private:
    [[noreturn]] void fail(const std::string& what) const { throw Error(what, where_); }
    void take(Array array, std::size_t size) {
        if (size > left_[array])
            fail(std::to_string(left_[array]) + " " + names[array] + " are left; expected " +
                 std::to_string(size));
        left_[array] -= size;
    }
    /// Those of eight bytes must be finite.
    template <class Item>
    void check_numbers(Array array) const {
        constexpr std::size_t first = 4 * words_of<Item>(), size = (sizeof(Item) - first) / 8;
        bool finite = true;
        for (std::size_t i = 0; i < left_[array]; ++i) {
            Item item;
            std::memcpy(&item, at_[array] + i * sizeof item, sizeof item);
            turn(item);
            std::array<std::uint64_t, size> bits;
            std::memcpy(bits.data(), reinterpret_cast<const std::byte*>(&item) + first, sizeof bits);
            for (const std::uint64_t one : bits) finite = finite && (one >> 52 & 0x7ff) != 0x7ff;
        }
        if (!finite) fail("a number is not finite");
    }

    const std::string& where_;
    std::array<const std::uint8_t*, array_count> at_{};
    std::array<std::size_t, array_count> left_{};
};

void read_geometry(Reader& in, Level& level) {
    level.texels = in.flag(in.header.texels);
    in.zero(in.header.zero);
    for (Word i = 0; i < in.header.materials; ++i) in.text(level.materials.emplace_back());
    level.brushes.resize(in.count(brushes));
    for (LevelBrush& brush : level.brushes) {
        const auto item = in.next<BrushItem>(brushes);
        in.zero(item.zero);
        brush.entity = item.entity, brush.brush = item.brush, brush.solid = in.flag(item.solid);
        brush.low = item.low, brush.high = item.high, brush.volume = item.volume;
        in.copy(points, item.vertices, brush.vertices);
        for (Word f = 0; f < item.faces; ++f) {
            const auto side = in.next<FaceItem>(faces);
            in.zero(side.zero);
            if (f == 0) brush.faces.reserve(std::min<std::size_t>(item.faces, in.count(faces)));
            LevelFace& face = brush.faces.emplace_back();
            face.material = side.material, face.face = side.face, face.normal = side.normal;
            in.copy(numbers, side.corners, face.corners);
            in.copy(coordinates, side.corners, face.coordinates);
        }
    }
    level.patches.resize(in.count(patches));
    for (LevelPatch& patch : level.patches) {
        const auto item = in.next<PatchItem>(patches);
        patch.entity = item.entity, patch.patch = item.patch, patch.material = item.material;
        patch.solid = in.flag(item.solid);
        in.copy(points, item.vertices, patch.vertices);
        in.copy(coordinates, item.vertices, patch.coordinates);
        in.copy(triangles, item.triangles, patch.triangles);
    }
    level.lights.resize(in.count(lights));
    for (LevelLight& light : level.lights) {
        const auto item = in.next<LightItem>(lights);
        in.zero(item.zero);
        light.entity = item.entity, light.position = item.position;
        light.intensity = item.intensity, light.colour = item.colour;
    }
}

void read_cells(Reader& in, LevelCells& level) {
    level.nodes.resize(in.count(nodes));
    for (LevelCells::Node& node : level.nodes) {
        const auto item = in.next<NodeItem>(nodes);
        node.children = item.children, node.normal = item.normal, node.distance = item.distance;
    }
    level.portals.resize(in.count(portals));
    for (LevelCells::Portal& portal : level.portals) {
        const auto item = in.next<PortalItem>(portals);
        portal.from = item.from, portal.to = item.to, portal.twin = item.twin;
        portal.normal = item.normal, portal.distance = item.distance, portal.area = item.area;
        in.copy(points, item.corners, portal.corners);
    }
    level.cells.resize(in.count(cells));
    for (LevelCells::Cell& cell : level.cells) {
        const auto item = in.next<CellItem>(cells);
        cell.low = item.low, cell.high = item.high, cell.volume = item.volume;
        cell.outside = in.flag(item.outside), cell.convex = in.flag(item.convex);
        in.copy(numbers, item.portals, cell.portals);
        in.copy(cell_faces, item.faces, cell.faces);
        in.copy(numbers, item.patches, cell.patches);
        in.copy(numbers, item.lights, cell.lights);
    }
}

} // namespace

std::vector<std::byte> encode(const CompiledLevel& level, std::size_t before) {
    Counter counter;
    put_level(counter, level);
    Header header{level.level.texels, size_of(level.level.materials.size()), size_of(level.leak.size()), 0,
                  counter.counts};
    std::size_t size = before + sizeof header;
    for (std::size_t a = 0; a < array_count; ++a) size += filled(counter.counts[a] * item_bytes[a]);
    std::vector<std::byte> bytes(size);
    Writer writer(bytes.data() + before + sizeof header, counter.counts);
    put_level(writer, level);
    turn(header);
    std::memcpy(bytes.data() + before, &header, sizeof header);
    return bytes;
}

CompiledLevel decode(std::span<const std::uint8_t> bytes, const std::string& where) {
    Reader in(bytes, where);
    CompiledLevel level;
    read_geometry(in, level.level);
    read_cells(in, level.cells);
    level.entities.resize(in.count(keys));
    for (auto& entity : level.entities) {
        const auto size = in.next<Word>(keys);
        for (Word k = 0; k < size; ++k) {
            auto& [key, value] = entity.emplace_back();
            in.text(key), in.text(value);
        }
    }
    in.copy(points, in.header.way_out, level.leak);
    in.end();
    return level;
}

} // namespace scree::level_arrays
