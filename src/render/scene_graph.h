// SPDX-License-Identifier: MIT
// scene_graph.h — two linked trees: appearance (description) and poses (position).
//
// Inner nodes of the description tree are techniques, its leaves are geometry; a leaf is drawn with all techniques on its
// path to the root. The position tree holds transforms relative to the parent. A leaf refers to one position node, and many
// leaves may refer to the same one. A leaf can also stand for many things at once: records, drawn as instances, whose poses
// come from a world's state arrays (instances.h).
#pragma once

#include "render/linear.h"
#include "render/mesh.h"
#include "render/technique.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::render {

struct PositionId {
    std::uint32_t value = 0; ///< 0 is the root
    friend bool operator==(PositionId, PositionId) = default;
};
struct DescriptionId {
    std::uint32_t value = 0; ///< 0 is the root
    friend bool operator==(DescriptionId, DescriptionId) = default;
};

class PositionTree {
public:
    PositionTree() : nodes_(1) {}
    PositionId add(PositionId parent, const Transform& local = {});
    /// With everything below it. The root cannot be removed.
    void remove(PositionId node);
    void set(PositionId node, const Transform& local);
    bool alive(PositionId node) const;
    const Transform& local(PositionId node) const;
    /// Product along the path from the root.
    Transform world(PositionId node) const;
    std::uint32_t capacity() const { return static_cast<std::uint32_t>(nodes_.size()); }
    /// Changes whenever anything in the tree does.
    std::uint64_t revision() const { return revision_; }

private:
    struct Node {
        Transform local;
        std::uint32_t parent = 0;
        bool alive = true;
    };
    const Node& node(PositionId id) const;
    std::vector<Node> nodes_; ///< a parent comes before its children
    std::uint64_t revision_ = 0;
};

/// Meshes of one thing from fine to coarse. `error` is how far a level's surface is from the true one, for a size of 1.
struct LodMesh {
    struct Level {
        MeshId mesh;
        float error = 0;
    };
    std::vector<Level> levels;
};

class LevelView;

/// A drawn leaf: one object at a position node, or the records given.
struct GeometryNode {
    LodMesh mesh;
    PositionId position{};
    Vec3 size{1, 1, 1};
    float stretch = 0, bevel = 0;
    Transform offset{};                 ///< from the position node; scale is not used
    bool instanced = false;             ///< the records below in place of one thing at `position`
    std::vector<std::uint32_t> records; ///< numbers from InstanceStore
    bool visible = true;
    bool drawn = true; ///< false: only its shadow is seen
    bool casts_shadow = true;
    bool unbounded = false;     ///< a ground plane: never culled, not counted in bounds
    LevelView* level = nullptr; ///< that says which of the mesh's triangles are seen; the record is one
    std::uint32_t level_part = 0;
};

class DescriptionTree {
public:
    DescriptionTree();
    DescriptionId add_technique(DescriptionId parent, std::unique_ptr<Technique> technique);
    DescriptionId add_geometry(DescriptionId parent, GeometryNode geometry);
    void replace_technique(DescriptionId node, std::unique_ptr<Technique> technique);
    /// A TextureTechnique, to show another texture or another part of it: cheap enough for every frame, since the lists that
    /// the tree became stay. Throws Error when the node is none.
    TextureTechnique& edit_texture(DescriptionId node);
    /// With everything below it. The root cannot be removed.
    void remove(DescriptionId node);
    bool alive(DescriptionId node) const;
    bool is_geometry(DescriptionId node) const;
    /// A technique node hides all leaves below it.
    void set_visible(DescriptionId node, bool visible);
    const GeometryNode& geometry(DescriptionId leaf) const;
    /// For changing it: counts as a change of the tree.
    GeometryNode& edit(DescriptionId leaf);
    /// The techniques from the root to the leaf.
    std::vector<const Technique*> path(DescriptionId leaf) const;
    /// All techniques on the path applied.
    DrawState state(DescriptionId leaf) const;
    /// Visible leaves in the order of a walk down the tree, children in the order they were added.
    std::vector<DescriptionId> leaves() const;
    std::uint64_t revision() const { return revision_; }
    /// Changes when textures do and nothing else in the tree.
    std::uint64_t texture_revision() const { return texture_revision_; }

private:
    struct Node {
        std::uint32_t parent = 0;
        std::vector<std::uint32_t> children;
        std::unique_ptr<Technique> technique; ///< none for a leaf and for the root
        std::unique_ptr<GeometryNode> geometry;
        bool alive = true, visible = true;
    };
    const Node& node(DescriptionId id) const;
    void apply_path(std::uint32_t node, DrawState& state) const;
    std::vector<Node> nodes_;
    std::uint64_t revision_ = 0, texture_revision_ = 0;
};

} // namespace scree::render
