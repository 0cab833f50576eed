// SPDX-License-Identifier: MIT
// tree.cpp — divides the space of a level until each region is inside of one brush or outside of all.
//
// Regions, parts of brushes and portals are cut by planes of the map alone and know their corners by these planes, so that
// every side is decided exactly, however deep the tree is, and numbers never grow (exact_plane.h).
#include "level/brush_planes.h"
#include "level/exact_tree.h"
#include "level/level_limits.h"
#include "level/material_name.h"
#include "scree/error.h"
#include "scree/level_tree.h"
#include "text/checks.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

namespace scree {
namespace {

constexpr std::int64_t detail_contents = 0x8000000; // of Quake III
constexpr std::uint32_t none = 0xffffffffu;

struct Box {
    DVec3 low{}, high{};
};

Box bounds_of(const ExactPolyhedron& solid) {
    constexpr double far = std::numeric_limits<double>::infinity();
    Box box{{far, far, far}, {-far, -far, -far}};
    for (const ExactPolyhedron::Face& face : solid.faces)
        for (std::uint32_t corner : face.corners) {
            const DVec3 at = position_of(solid.corners[corner]);
            box = {min(box.low, at), max(box.high, at)};
        }
    return box;
}

/// A brush or what cuts have left of it.
struct Part {
    ExactPolyhedron solid;
    Box bounds; ///< units
    std::uint32_t brush = 0;
};

/// Like ExactPolyhedron::sides, at once where the box tells.
std::pair<int, int> sides_of(const Part& part, const ExactPlane& plane) {
    const DVec3 middle = (part.bounds.low + part.bounds.high) / 2,
                half = (part.bounds.high - part.bounds.low) / 2;
    const auto& p = plane.rounded;
    const double at = p[0] * middle.x + p[1] * middle.y + p[2] * middle.z + p[3];
    const double reach = std::fabs(p[0]) * half.x + std::fabs(p[1]) * half.y + std::fabs(p[2]) * half.z;
    // far more than all roundings on the way
    const double doubt = 1e-12 * (std::fabs(p[0] * middle.x) + std::fabs(p[1] * middle.y) +
                                  std::fabs(p[2] * middle.z) + std::fabs(p[3]) + reach);
    if (at - reach > doubt) return {1, 1};
    if (at + reach < -doubt) return {-1, -1};
    return part.solid.sides(plane);
}

bool divides(std::pair<int, int> sides) { return sides.first < 0 && sides.second > 0; }

class TreeBuilder {
public:
    TreeBuilder(const Map& map, const Level& level, const LevelTreeOptions& options)
        : map_(map), level_(level), options_(options) {}

    ExactTree build() {
        out_.planes = std::make_unique<PlaneTable>();
        Work all;
        collect(all);
        std::vector<Work> stack;
        stack.push_back(std::move(all));
        const DVec3 size = tree_.high - tree_.low;
        const double all_volume = size.x * size.y * size.z;
        while (!stack.empty()) {
            Work work = std::move(stack.back());
            stack.pop_back();
            divide(std::move(work), stack);
            tell("tree", done_ / all_volume);
        }
        for (std::size_t i = 0; i < openings_.size(); ++i) {
            push_down(i);
            tell("portals", static_cast<double>(i + 1) / static_cast<double>(openings_.size()));
        }
        openings_ = {};
        add_portals();
        return std::move(out_);
    }

private:
    struct Work {
        ExactPolyhedron region;
        std::vector<Part> parts;
        std::vector<std::uint32_t> lights; ///< kept by PlaneChoice::drawing and stop_cost only
        std::uint32_t node = none;         ///< whose child it is
        std::uint32_t side = 0, depth = 0;
    };
    void tell(const char* stage, double share) const {
        if (options_.progress) options_.progress(stage, std::min(share, 1.0));
    }

    bool structural(const LevelBrush& brush) const {
        const MapEntity& entity = map_.entities[brush.entity];
        if (!brush.solid || (entity.classname() != "worldspawn" && entity.classname() != "func_group"))
            return false;
        const MapBrush& source = entity.brushes[brush.brush];
        bool clip = true;
        for (const MapFace& face : source.faces) {
            if (face.contents & detail_contents) return false;
            clip = clip && marks_clip(map_.materials[face.material]);
        }
        return !clip;
    }

    void collect(Work& all) {
        std::vector<std::uint32_t> chosen;
        for (std::uint32_t b = 0; b < level_.brushes.size(); ++b) {
            const LevelBrush& brush = level_.brushes[b];
            if (!structural(brush)) continue;
            tree_.low = chosen.empty() ? brush.low : min(tree_.low, brush.low);
            tree_.high = chosen.empty() ? brush.high : max(tree_.high, brush.high);
            chosen.push_back(b);
        }
        if (chosen.empty()) throw Error("has no solid brushes of the world to make a tree of", map_.file);
        tree_.structural = static_cast<std::uint32_t>(chosen.size());
        const double margin = options_.margin;
        tree_.low = {std::floor(tree_.low.x - margin), std::floor(tree_.low.y - margin),
                     std::floor(tree_.low.z - margin)};
        tree_.high = {std::ceil(tree_.high.x + margin), std::ceil(tree_.high.y + margin),
                      std::ceil(tree_.high.z + margin)};
        const auto across = [&](int axis, bool positive, double at) {
            out_.border.push_back(
                plane_across(axis, positive, static_cast<std::int64_t>((positive ? at : -at) * level_grid)));
        };
        out_.border.reserve(6); // regions point at them
        across(0, false, tree_.low.x), across(0, true, tree_.high.x);
        across(1, false, tree_.low.y), across(1, true, tree_.high.y);
        across(2, false, tree_.low.z), across(2, true, tree_.high.z);
        const std::span<const ExactPlane, 6> border(out_.border.data(), 6);
        numbers_.emplace(*out_.planes, border);
        all.region = ExactPolyhedron::box(border);
        for (const std::uint32_t b : chosen) {
            const LevelBrush& brush = level_.brushes[b];
            all.parts.push_back({exact_brush(map_, brush, out_), {brush.low, brush.high}, b});
        }
        out_.brushes = std::move(chosen);
        if (options_.choice == PlaneChoice::drawing || options_.stop_cost > 0)
            for (std::uint32_t i = 0; i < level_.lights.size(); ++i) all.lights.push_back(i);
    }

    void divide(Work work, std::vector<Work>& stack) {
        tree_.depth = std::max(tree_.depth, work.depth);
        std::uint32_t filled = none;
        const ExactPlane* plane = choose(work, filled);
        if (!plane || stops(work)) {
            add_leaf(work, filled);
            return;
        }
        if (tree_.nodes.size() == options_.max_nodes)
            throw Error("its brushes make a tree of more than " + count_text(options_.max_nodes) +
                            " nodes, the most that are allowed",
                        map_.file);
        if (work.depth == most_tree_depth)
            throw Error("its brushes make a tree of more than " + count_text(most_tree_depth) +
                            " nodes on the way to a leaf, the most that are allowed",
                        map_.file);
        const TwoSided& both = out_.planes->of(plane);
        const auto number = static_cast<std::uint32_t>(tree_.nodes.size());
        link(work, number);
        LevelTree::Node& node = tree_.nodes.emplace_back();
        const ExactPlane& front = both.sides[0];
        node.normal = normal_of(front);
        const double size =
            std::sqrt(front.rounded[0] * front.rounded[0] + front.rounded[1] * front.rounded[1] +
                      front.rounded[2] * front.rounded[2]);
        node.distance = 0 - front.rounded[3] / size;
        out_.node_planes.push_back(&both);

        // behind is inside of sides[0], in front inside of sides[1]
        Work halves[2];
        for (std::uint32_t side = 0; side < 2; ++side) {
            Work& half = halves[side];
            half.node = number;
            half.side = side;
            half.depth = work.depth + 1;
            half.region = side == 0 ? work.region : std::move(work.region);
            half.region.cut(both.sides[1 - side]);
            half.region.compact();
        }
        // the last face of the region behind is the one that the cut has made; it looks to the front
        openings_.add(halves[1].region.polygon(halves[1].region.faces.back()), *numbers_);
        for (const std::uint32_t light : work.lights)
            halves[in_front(front, level_.lights[light].position) ? 0 : 1].lights.push_back(light);
        for (Part& part : work.parts) {
            const auto [low, high] = sides_of(part, front);
            if (low >= 0) {
                halves[0].parts.push_back(std::move(part));
            } else if (high <= 0) {
                halves[1].parts.push_back(std::move(part));
            } else {
                ++tree_.cut_brushes;
                Part other = part;
                other.solid.cut(both.sides[1]);
                part.solid.cut(both.sides[0]);
                for (Part* one : {&other, &part}) {
                    one->solid.compact();
                    one->bounds = bounds_of(one->solid);
                }
                halves[0].parts.push_back(std::move(other));
                halves[1].parts.push_back(std::move(part));
            }
        }
        stack.push_back(std::move(halves[1]));
        stack.push_back(std::move(halves[0]));
    }

    bool stops(const Work& work) const {
        if (options_.stop_depth > 0 && work.depth >= options_.stop_depth) return true;
        if (work.parts.size() <= options_.stop_brushes) return true;
        if (options_.stop_cost > 0 && drawing_cost(work) <= options_.stop_cost) return true;
        if (!(options_.stop_size > 0)) return false;
        const Box box = bounds_of(work.region);
        const DVec3 size = box.high - box.low;
        return std::max({size.x, size.y, size.z}) <= options_.stop_size;
    }

    std::uint64_t drawing_cost(const Work& work) const {
        std::uint64_t cost = std::uint64_t{options_.light_faces} * work.lights.size();
        for (const Part& part : work.parts) cost += part.solid.faces.size();
        return cost;
    }

    static bool in_front(const ExactPlane& plane, DVec3 at) {
        return plane.rounded[0] * at.x + plane.rounded[1] * at.y + plane.rounded[2] * at.z +
                   plane.rounded[3] >
               0;
    }

    /// The plane to divide by; none if the region is empty or inside of the brush `filled`.
    const ExactPlane* choose(const Work& work, std::uint32_t& filled) {
        // each plane once, in the order of the parts
        std::vector<const ExactPlane*> candidates;
        seen_.resize(out_.planes->size(), 0);
        ++region_;
        for (const Part& part : work.parts) {
            // a face whose plane bounds the region divides nothing; a part without others fills the region
            bool free_face = false;
            for (const ExactPolyhedron::Face& face : part.solid.faces) {
                if (face.plane->number == none) continue; // the border
                std::uint64_t& seen = seen_[face.plane->number / 2];
                if (seen / 2 != region_) {
                    const ExactPlane* plane = &out_.planes->of(face.plane).sides[0];
                    seen = 2 * region_ + (divides(work.region.sides(*plane)) ? 1 : 0);
                    if (seen % 2 == 1) candidates.push_back(plane);
                }
                free_face = free_face || seen % 2 == 1;
            }
            if (!free_face) {
                filled = part.brush;
                return nullptr;
            }
        }
        std::size_t step = 1;
        if (options_.candidates > 0) step = std::max<std::size_t>(1, candidates.size() / options_.candidates);
        const ExactPlane* best = nullptr;
        std::pair<std::int64_t, std::int64_t> least{};
        for (std::size_t i = 0; i < candidates.size(); i += step) {
            const auto cost = cost_of(*candidates[i], work);
            if (best && !(cost < least)) continue;
            best = candidates[i];
            least = cost;
        }
        return best;
    }

    std::pair<std::int64_t, std::int64_t> cost_of(const ExactPlane& plane, const Work& work) const {
        const bool drawing = options_.choice == PlaneChoice::drawing;
        std::int64_t cuts = 0, front = 0, back = 0;
        for (const Part& part : work.parts) {
            const auto sides = sides_of(part, plane);
            const std::int64_t weight = drawing ? static_cast<std::int64_t>(part.solid.faces.size()) : 1;
            (divides(sides) ? cuts : sides.first >= 0 ? front : back) += weight;
        }
        if (drawing)
            for (const std::uint32_t light : work.lights)
                (in_front(plane, level_.lights[light].position) ? front : back) += options_.light_faces;
        const std::int64_t uneven = std::abs(front - back);
        if (options_.choice == PlaneChoice::cuts) return {cuts, uneven};
        if (options_.choice == PlaneChoice::balance) return {uneven, cuts};
        return {4 * cuts + uneven, cuts};
    }

    void link(const Work& work, std::uint32_t child) {
        if (work.node != none) tree_.nodes[work.node].children[work.side] = child;
    }

    void add_leaf(const Work& work, std::uint32_t filled) {
        link(work, LevelTree::leaf_bit | static_cast<std::uint32_t>(tree_.leaves.size()));
        LevelTree::Leaf& leaf = tree_.leaves.emplace_back();
        const Box box = bounds_of(work.region);
        leaf.low = box.low;
        leaf.high = box.high;
        leaf.volume = work.region.volume();
        done_ += leaf.volume;
        leaf.solid = filled != none;
        ExactTree::Region& region = out_.regions.emplace_back();
        if (!leaf.solid) {
            region.planes.reserve(work.region.faces.size());
            for (const ExactPolyhedron::Face& face : work.region.faces)
                region.planes.push_back(numbers_->of(face.plane));
            region.corners.reserve(work.region.corners.size());
            for (const ExactCorner& corner : work.region.corners)
                region.corners.push_back(numbers_->of(corner));
        }
        leaf.brush = leaf.solid ? filled : 0;
        if (!leaf.solid) leaf.inside = static_cast<std::uint32_t>(work.parts.size());
        if (!leaf.solid)
            for (const ExactPolyhedron::Face& face : work.region.faces)
                leaf.border =
                    leaf.border || std::any_of(out_.border.begin(), out_.border.end(),
                                               [&](const ExactPlane& plane) { return face.plane == &plane; });
    }

    // portals ------------------------------------------------------------------------------------------------------

    struct Descent {
        ExactPolygon polygon;
        std::array<std::uint32_t, 2> at; ///< node or leaf in front of it, behind it
    };

    /// Of a node, through all that lies below it on both sides.
    void push_down(std::size_t node) {
        std::vector<Descent> stack{{openings_.polygon(node, *numbers_), tree_.nodes[node].children}};
        while (!stack.empty()) {
            Descent one = std::move(stack.back());
            stack.pop_back();
            const std::size_t side = one.at[0] & LevelTree::leaf_bit ? 1 : 0;
            const std::uint32_t at = one.at[side];
            if (at & LevelTree::leaf_bit) {
                if (side == 1) add_portal(one);
                continue;
            }
            for (std::size_t child = 0; child < 2; ++child) {
                Descent part{clipped(one.polygon, out_.node_planes[at]->sides[1 - child]), one.at};
                if (part.polygon.corners.size() < 3) continue;
                part.at[side] = tree_.nodes[at].children[child];
                stack.push_back(std::move(part));
            }
        }
    }

    void add_portal(const Descent& found) {
        const std::array<std::uint32_t, 2> leaves{found.at[0] & ~LevelTree::leaf_bit,
                                                  found.at[1] & ~LevelTree::leaf_bit};
        if (tree_.leaves[leaves[0]].solid || tree_.leaves[leaves[1]].solid) return;
        leaves_.push_back(leaves);
        out_.portals.add(found.polygon, *numbers_);
    }

    /// What was found, once it is known how much that is.
    void add_portals() {
        std::vector<std::uint32_t> counts(tree_.leaves.size(), 0);
        for (const auto& leaves : leaves_)
            for (const std::uint32_t leaf : leaves) ++counts[leaf];
        for (std::size_t i = 0; i < counts.size(); ++i) tree_.leaves[i].portals.reserve(counts[i]);
        tree_.portals.reserve(leaves_.size());
        for (std::uint32_t i = 0; i < leaves_.size(); ++i) {
            const ExactPolygon polygon = out_.portals.polygon(i, *numbers_);
            LevelTree::Portal& portal = tree_.portals.emplace_back();
            portal.leaves = leaves_[i];
            portal.normal = normal_of(*polygon.plane);
            portal.corners.reserve(polygon.corners.size());
            for (const ExactCorner& corner : polygon.corners) portal.corners.push_back(position_of(corner));
            DVec3 twice{};
            for (std::size_t k = 2; k < portal.corners.size(); ++k)
                twice +=
                    cross(portal.corners[k - 1] - portal.corners[0], portal.corners[k] - portal.corners[0]);
            portal.area = length(twice) / 2;
            for (const DVec3& corner : portal.corners)
                portal.centre += corner / static_cast<double>(portal.corners.size());
            for (const std::uint32_t leaf : portal.leaves) tree_.leaves[leaf].portals.push_back(i);
        }
        leaves_ = {};
    }

    const Map& map_;
    const Level& level_;
    LevelTreeOptions options_;
    ExactTree out_;
    LevelTree& tree_ = out_.tree;
    std::optional<PlaneNumbers> numbers_;
    PolygonList openings_; ///< for each node, what its plane cuts out of its region
    std::deque<std::array<std::uint32_t, 2>> leaves_; ///< for each portal
    std::vector<std::uint64_t>
        seen_; ///< for each plane: twice the region that looked at it last, plus whether it divides that
    std::uint64_t region_ = 0;
    double done_ = 0; ///< volume of the leaves so far
};

} // namespace

std::uint32_t LevelTree::leaf_at(DVec3 at) const {
    std::uint32_t child = nodes.empty() ? leaf_bit : 0;
    while (!(child & leaf_bit)) {
        const Node& node = nodes[child];
        child = node.children[dot(node.normal, at) > node.distance ? 0 : 1];
    }
    return child & ~leaf_bit;
}

ExactPolyhedron exact_brush(const Map& map, const LevelBrush& brush, const ExactTree& within) {
    ExactPolyhedron solid = ExactPolyhedron::box(std::span<const ExactPlane, 6>(within.border.data(), 6));
    for (const LevelFace& face : brush.faces)
        solid.cut(*within.planes->find(*brush_plane(map, brush.entity, brush.brush, face.face)));
    solid.compact();
    return solid;
}

ExactTree build_exact_tree(const Map& map, const Level& level, const LevelTreeOptions& options) {
    check_one_of(options.choice, PlaneChoice::drawing, "LevelTreeOptions::choice", "a choice");
    check_within(options.margin, 1, 65536, "LevelTreeOptions::margin", "a number from 1 to 65,536");
    check_within(options.max_nodes, 1, 1u << 30, "LevelTreeOptions::max_nodes",
                 "a number from 1 to 1,073,741,824");
    return TreeBuilder(map, level, options).build();
}

LevelTree build_tree(const Map& map, const Level& level, const LevelTreeOptions& options) {
    return build_exact_tree(map, level, options).tree;
}

} // namespace scree
