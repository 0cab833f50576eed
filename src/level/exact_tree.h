// SPDX-License-Identifier: MIT
// exact_tree.h — a tree of a level with what its numbers were rounded from: planes, regions, portals.
//
// A corner is the numbers of its three planes, from which it is made again when it is needed: 12 bytes for 96. Levels have
// hundreds of thousands of them.
#pragma once

#include "level/plane_table.h"
#include "level/polyhedron.h"
#include "level/word_lists.h"
#include "scree/level_tree.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace scree {

/// The planes of a level and of its border by numbers.
class PlaneNumbers {
public:
    using Corner = std::array<std::uint32_t, 3>;

    PlaneNumbers(const PlaneTable& table, std::span<const ExactPlane> border)
        : table_(&table), border_(border) {}

    std::uint32_t of(const ExactPlane* plane) const {
        return plane->number != no_number ? plane->number
                                          : border_bit | static_cast<std::uint32_t>(plane - border_.data());
    }
    Corner of(const ExactCorner& corner) const {
        return {of(corner.planes[0]), of(corner.planes[1]), of(corner.planes[2])};
    }
    const ExactPlane* plane(std::uint32_t number) const {
        return number & border_bit ? &border_[number & ~border_bit] : table_->side(number);
    }
    /// With the same bits as the corner that the numbers are of.
    ExactCorner corner(const Corner& numbers) const {
        return *corner_of(*plane(numbers[0]), *plane(numbers[1]), *plane(numbers[2]));
    }

private:
    static constexpr std::uint32_t no_number = 0xffffffffu, border_bit = 0x80000000u;
    const PlaneTable* table_;
    std::span<const ExactPlane> border_;
};

/// Polygons as numbers of planes.
class PolygonList {
public:
    void add(const ExactPolygon& polygon, const PlaneNumbers& numbers) {
        words_.begin();
        words_.put(numbers.of(polygon.plane));
        for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
            words_.put(numbers.of(polygon.edges[k]));
            for (const std::uint32_t plane : numbers.of(polygon.corners[k])) words_.put(plane);
        }
    }
    std::size_t size() const { return words_.count(); }
    const ExactPlane* plane(std::size_t i, const PlaneNumbers& numbers) const {
        return numbers.plane(words_.at(i, 0));
    }
    ExactPolygon polygon(std::size_t i, const PlaneNumbers& numbers) const {
        const std::size_t corners = words_.size(i) / 4;
        ExactPolygon out;
        out.plane = plane(i, numbers);
        out.corners.reserve(corners), out.edges.reserve(corners);
        for (std::size_t k = 1; k < words_.size(i); k += 4) {
            out.edges.push_back(numbers.plane(words_.at(i, k)));
            out.corners.push_back(
                numbers.corner({words_.at(i, k + 1), words_.at(i, k + 2), words_.at(i, k + 3)}));
        }
        return out;
    }

private:
    WordLists words_; ///< the plane; for each corner its edge and its planes
};

struct ExactTree {
    /// A convex region: the planes that bound it and at least its corners.
    struct Region {
        std::vector<std::uint32_t> planes; ///< the region is inside of each
        std::vector<PlaneNumbers::Corner> corners;
    };
    LevelTree tree;
    std::unique_ptr<PlaneTable> planes;
    std::vector<ExactPlane> border;           ///< of the whole; regions name them
    std::vector<const TwoSided*> node_planes; ///< for each node
    std::vector<Region> regions;              ///< for each leaf; none for solid ones
    PolygonList portals;                      ///< for each portal
    std::vector<std::uint32_t> brushes;       ///< those that divide: indices into Level::brushes

    PlaneNumbers numbers() const { return {*planes, border}; }
};

ExactTree build_exact_tree(const Map& map, const Level& level, const LevelTreeOptions& options);
/// A brush of the map as its planes of the table bound it.
ExactPolyhedron exact_brush(const Map& map, const LevelBrush& brush, const ExactTree& within);

} // namespace scree
