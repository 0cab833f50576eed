// SPDX-License-Identifier: MIT
// scene_graph.cpp — see scene_graph.h.
#include "render/scene_graph.h"

#include "scree/error.h"

#include <algorithm>
#include <string>

namespace scree::render {

// positions ----------------------------------------------------------------------------------------------------------

const PositionTree::Node& PositionTree::node(PositionId id) const {
    if (!alive(id))
        throw Error("position node " + std::to_string(id.value) + " does not exist", "position tree");
    return nodes_[id.value];
}

bool PositionTree::alive(PositionId id) const { return id.value < nodes_.size() && nodes_[id.value].alive; }

PositionId PositionTree::add(PositionId parent, const Transform& local) {
    node(parent);
    nodes_.push_back({local, parent.value, true});
    ++revision_;
    return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void PositionTree::remove(PositionId id) {
    node(id);
    if (id.value == 0) throw Error("the root cannot be removed", "position tree");
    nodes_[id.value].alive = false;
    for (std::size_t i = id.value + 1; i < nodes_.size(); ++i)
        if (!nodes_[nodes_[i].parent].alive) nodes_[i].alive = false;
    ++revision_;
}

void PositionTree::set(PositionId id, const Transform& local) {
    node(id);
    nodes_[id.value].local = local;
    ++revision_;
}

const Transform& PositionTree::local(PositionId id) const { return node(id).local; }

Transform PositionTree::world(PositionId id) const {
    Transform result = node(id).local;
    for (std::uint32_t i = id.value; i != 0;) {
        i = nodes_[i].parent;
        result = nodes_[i].local * result;
    }
    return result;
}

// descriptions -------------------------------------------------------------------------------------------------------

DescriptionTree::DescriptionTree() : nodes_(1) {}

const DescriptionTree::Node& DescriptionTree::node(DescriptionId id) const {
    if (!alive(id))
        throw Error("description node " + std::to_string(id.value) + " does not exist", "description tree");
    return nodes_[id.value];
}

bool DescriptionTree::alive(DescriptionId id) const {
    return id.value < nodes_.size() && nodes_[id.value].alive;
}
bool DescriptionTree::is_geometry(DescriptionId id) const { return node(id).geometry != nullptr; }

DescriptionId DescriptionTree::add_technique(DescriptionId parent, std::unique_ptr<Technique> technique) {
    if (node(parent).geometry) throw Error("a leaf has no children", "description tree");
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_.back().parent = parent.value;
    nodes_.back().technique = std::move(technique);
    nodes_[parent.value].children.push_back(index);
    ++revision_;
    return {index};
}

DescriptionId DescriptionTree::add_geometry(DescriptionId parent, GeometryNode geometry) {
    if (geometry.mesh.levels.empty()) throw Error("a leaf needs a mesh", "description tree");
    const DescriptionId id = add_technique(parent, nullptr);
    nodes_[id.value].geometry = std::make_unique<GeometryNode>(std::move(geometry));
    return id;
}

void DescriptionTree::replace_technique(DescriptionId id, std::unique_ptr<Technique> technique) {
    if (node(id).geometry) throw Error("a leaf has no technique of its own", "description tree");
    nodes_[id.value].technique = std::move(technique);
    ++revision_;
}

TextureTechnique& DescriptionTree::edit_texture(DescriptionId id) {
    auto* technique = dynamic_cast<TextureTechnique*>(node(id).technique.get());
    if (!technique)
        throw Error("node " + std::to_string(id.value) + " has no TextureTechnique", "description tree");
    ++texture_revision_;
    return *technique;
}

void DescriptionTree::remove(DescriptionId id) {
    node(id);
    if (id.value == 0) throw Error("the root cannot be removed", "description tree");
    auto& siblings = nodes_[nodes_[id.value].parent].children;
    siblings.erase(std::find(siblings.begin(), siblings.end(), id.value));
    std::vector<std::uint32_t> open{id.value};
    while (!open.empty()) {
        Node& gone = nodes_[open.back()];
        open.pop_back();
        open.insert(open.end(), gone.children.begin(), gone.children.end());
        gone = {};
        gone.alive = false;
    }
    ++revision_;
}

void DescriptionTree::set_visible(DescriptionId id, bool visible) {
    node(id);
    nodes_[id.value].visible = visible;
    ++revision_;
}

const GeometryNode& DescriptionTree::geometry(DescriptionId id) const {
    if (!node(id).geometry)
        throw Error("node " + std::to_string(id.value) + " is not a leaf", "description tree");
    return *nodes_[id.value].geometry;
}

GeometryNode& DescriptionTree::edit(DescriptionId id) {
    geometry(id);
    ++revision_;
    return *nodes_[id.value].geometry;
}

std::vector<const Technique*> DescriptionTree::path(DescriptionId id) const {
    node(id);
    std::vector<const Technique*> techniques;
    for (std::uint32_t i = id.value;; i = nodes_[i].parent) {
        if (nodes_[i].technique) techniques.push_back(nodes_[i].technique.get());
        if (i == 0) break;
    }
    std::reverse(techniques.begin(), techniques.end());
    return techniques;
}

void DescriptionTree::apply_path(std::uint32_t i, DrawState& state) const {
    if (i != 0) apply_path(nodes_[i].parent, state);
    if (nodes_[i].technique) nodes_[i].technique->apply(state);
}

DrawState DescriptionTree::state(DescriptionId id) const {
    node(id);
    DrawState state;
    apply_path(id.value, state);
    if (state.material.alpha < 1) state.transparent = true;
    return state;
}

std::vector<DescriptionId> DescriptionTree::leaves() const {
    std::vector<DescriptionId> found;
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        const Node& here = nodes_[i];
        if (!here.visible) continue;
        if (here.geometry) {
            if (here.geometry->visible) found.push_back({i});
        }
        open.insert(open.end(), here.children.rbegin(), here.children.rend());
    }
    return found;
}

} // namespace scree::render
