// SPDX-License-Identifier: MIT
// query_scene.cpp — see query_scene.h.

#include "world/query_scene.h"

#include "geometry/shapes.h"
#include "rigid/crew.h"
#include "rigid/quads.h"
#include "world/slots.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace scree {

namespace {

constexpr std::size_t node_floats = sizeof(BoundsNode) / sizeof(float);
static_assert(node_floats == 48 && PackedTree::most_levels == QUERY_LEVELS);

BoundsTree::Layer layer_of(const RigidStorage& world, std::uint32_t s) {
    const BodyType type = world.bodies.record[world.shapes.record[s].body].type;
    return type == BodyType::fixed ? BoundsTree::fixed : BoundsTree::moving;
}

} // namespace

void round_outward(const Bounds& bounds, float* out) {
    const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z};
    const double high[3] = {bounds.high.x, bounds.high.y, bounds.high.z};
    constexpr double share = 1.0 / (1 << 22);
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = static_cast<float>(low[axis] - share * std::fabs(low[axis]));
        out[4 + axis] = static_cast<float>(high[axis] + share * std::fabs(high[axis]));
    }
}

ConvexGeometry convex_of(const Geometry& geometry, const HullWords::Words& words) {
    ShapeRecord record;
    put_geometry(record, geometry);
    return {record.type, record.size, record.radius, words ? words->data() : nullptr};
}

void QueryScene::shape_changed(std::uint32_t shape) {
    if (!used_) return;
    changed_.push_back(shape);
    if (shape < placed_.size()) placed_[shape].generation = 0;
}

void QueryScene::body_changed(const RigidStorage& world, std::uint32_t body) {
    if (!used_) return;
    for (std::uint32_t s = world.bodies.record[body].first_shape; s != none; s = world.shapes.record[s].next)
        changed_.push_back(s);
}

/// Pose and bounds of a shape, where they changed.
void QueryScene::place(const RigidStorage& world, std::uint32_t s) {
    const ShapeRecord& shape = world.shapes.record[s];
    Placed& placed = placed_[s];
    const DPose pose = exact_pose_of(world, shape);
    if (pose == placed.pose) return;
    placed.pose = pose;
    round_outward(bounds_of(placed.geometry, pose), placed.bounds);
    if (tree_.holds(s)) tree_.set(s, placed.bounds);
    else tree_.insert(s, layer_of(world, s), placed.bounds);
}

/// A shape that was added, removed or moved by the user.
void QueryScene::replace(const RigidStorage& world, std::uint32_t s) {
    const ShapeRecord& record = world.shapes.record[s];
    Placed& placed = placed_[s];
    const bool known = record.alive && tree_.holds(s) && placed.generation == record.generation;
    if (!known || tree_.layer(s) != layer_of(world, s)) {
        if (tree_.holds(s)) tree_.remove(s);
        placed = {};
        if (!record.alive) return;
        placed.generation = record.generation;
        placed.geometry = geometry_of(record);
        placed.words = record.mesh ? mesh_words(record.mesh) : words_.of(record.hull);
        placed.convex = convex_of(placed.geometry, placed.words);
        placed.reach = world.shapes.size[4 * std::size_t{s} + 3];
        placed.pose.position.x = std::nan("");
    }
    place(world, s);
}

void QueryScene::update(const RigidStorage& world, Crew& crew) {
    if (used_ && !all_moved_ && changed_.empty()) return;
    const auto slots = static_cast<std::uint32_t>(world.shapes.record.size());
    placed_.resize(slots);
    if (!used_) {
        used_ = true;
        for (std::uint32_t s = 0; s < slots; ++s)
            if (world.shapes.record[s].alive) changed_.push_back(s);
    }
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const std::uint32_t s : changed_) replace(world, s);
    changed_.clear();
    if (all_moved_)
        crew.each(slots, 1024, [&](std::uint32_t begin, std::uint32_t end, int) {
            for (std::uint32_t s = begin; s < end; ++s)
                if (tree_.holds(s) && tree_.layer(s) == BoundsTree::moving) place(world, s);
        });
    all_moved_ = false;
    tree_.update();
    version_ = 0;
}

const QueryImage& QueryScene::image(const RigidStorage& world) {
    if (version_ != 0) return image_;
    static std::atomic<std::uint64_t> versions{0};
    image_.version = version_ = ++versions;
    image_.nodes.clear(), image_.proxies.clear();
    std::size_t part = 0;
    for (const BoundsTree::Layer layer : {BoundsTree::fixed, BoundsTree::moving})
        for (const PackedTree& tree : tree_.trees(layer)) {
            kernels::QueryTree& to = image_.tree[part++];
            to.height = static_cast<std::uint32_t>(tree.height);
            to.slots = static_cast<std::uint32_t>(image_.proxies.size());
            for (std::size_t level = 0; level < QUERY_LEVELS; ++level)
                to.first[level] =
                    static_cast<std::uint32_t>(image_.nodes.size() / node_floats) + tree.first[level];
            const float* nodes = tree.nodes.empty() ? nullptr : tree.nodes[0].low[0];
            image_.nodes.insert(image_.nodes.end(), nodes, nodes + node_floats * tree.nodes.size());
            image_.proxies.insert(image_.proxies.end(), tree.proxy.begin(), tree.proxy.end());
        }
    image_.shapes.assign(QUERY_SHAPE * placed_.size(), 0);
    for (std::uint32_t s = 0; s < placed_.size(); ++s) {
        if (!tree_.holds(s) || world.shapes.record[s].definition.sensor) continue;
        const ShapeRecord& record = world.shapes.record[s];
        const Placed& placed = placed_[s];
        std::uint32_t* to = &image_.shapes[QUERY_SHAPE * std::size_t{s}];
        const DVec3& at = placed.pose.position;
        const DQuat& turn = placed.pose.rotation;
        const double pose[] = {at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.s};
        static_assert(sizeof pose == 4 * QUERY_SHAPE_SIZE);
        const float size[] = {placed.convex.size.x, placed.convex.size.y, placed.convex.size.z,
                              placed.convex.radius};
        std::memcpy(to, pose, sizeof pose);
        std::memcpy(to + QUERY_SHAPE_SIZE, size, sizeof size);
        const Filter& filter = record.definition.filter;
        to[QUERY_SHAPE_TYPE] = static_cast<std::uint32_t>(placed.convex.type);
        to[QUERY_SHAPE_GENERATION] = record.generation;
        to[QUERY_SHAPE_BODY] = record.body;
        to[QUERY_SHAPE_BODY + 1] = world.bodies.record[record.body].generation;
        to[QUERY_SHAPE_CATEGORY] = filter.category;
        to[QUERY_SHAPE_MASK] = filter.mask;
        to[QUERY_SHAPE_GROUP] = static_cast<std::uint32_t>(filter.group);
        to[QUERY_SHAPE_SEEN] = 1;
    }
    return image_;
}

} // namespace scree
