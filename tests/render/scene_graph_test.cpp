// SPDX-License-Identifier: MIT
// scene_graph_test.cpp — the two trees: techniques on the path, transforms along the path, and what links them.
#include "render/scene_graph.h"

#include "render/recording_backend.h"
#include "render/renderer.h"
#include "scree/error.h"

#include <gtest/gtest.h>

namespace scree::render {
namespace {

std::unique_ptr<Technique> plain(float roughness) {
    Material material;
    material.roughness = roughness;
    return std::make_unique<MaterialTechnique>(material);
}

GeometryNode leaf() {
    GeometryNode node;
    node.mesh.levels.push_back({MeshId{1}, 0});
    return node;
}

TEST(SceneGraph, TechniquesOnThePathToTheRootAct) {
    // T1 above T2 with object 1, and above T3 with T4 with object 2
    DescriptionTree tree;
    const auto t1 = tree.add_technique({}, plain(0.1f));
    const auto t2 = tree.add_technique(t1, std::make_unique<TransparencyTechnique>(0.5f));
    const auto object1 = tree.add_geometry(t2, leaf());
    const auto t3 = tree.add_technique(t1, std::make_unique<TextureTechnique>(TextureId{7}));
    const auto t4 = tree.add_technique(t3, std::make_unique<LightTechnique>(3));
    const auto object2 = tree.add_geometry(t4, leaf());

    EXPECT_EQ(tree.path(object1).size(), 2u);
    EXPECT_EQ(tree.path(object2).size(), 3u);
    EXPECT_TRUE(tree.state(object1).transparent);
    EXPECT_EQ(tree.state(object1).lights, 0u);
    EXPECT_FALSE(tree.state(object2).transparent);
    EXPECT_EQ(tree.state(object2).albedo.value, 7u);
    EXPECT_EQ(tree.state(object2).lights, LightMask{1} << 3);
    EXPECT_EQ(tree.state(object2).material.roughness, 0.1f);
}

TEST(SceneGraph, TheTechniqueNearerToTheLeafDecides) {
    DescriptionTree tree;
    const auto outer = tree.add_technique({}, plain(0.1f));
    const auto inner = tree.add_technique(outer, plain(0.9f));
    EXPECT_EQ(tree.state(tree.add_geometry(inner, leaf())).material.roughness, 0.9f);
    EXPECT_EQ(tree.state(tree.add_geometry(outer, leaf())).material.roughness, 0.1f);
}

TEST(SceneGraph, MovingAParentMovesWhatIsBelow) {
    PositionTree tree;
    const auto parent = tree.add({}, {{1, 0, 0}, rotation_about({0, 1, 0}, 1.5707963f), 2});
    const auto child = tree.add(parent, {{0, 0, 3}, {}, 1});
    const Vec3 before = tree.world(child).position;
    EXPECT_NEAR(before.x, 7, 1e-5f); // z turned into x, doubled, moved
    EXPECT_NEAR(before.z, 0, 1e-5f);
    tree.set(parent, {{1, 5, 0}, rotation_about({0, 1, 0}, 1.5707963f), 2});
    EXPECT_NEAR(tree.world(child).position.y, 5, 1e-5f);
    tree.set(parent, {{1, 5, 0}, {}, 2}); // turned
    EXPECT_NEAR(tree.world(child).position.z, 6, 1e-5f);
    tree.set(parent, {{1, 5, 0}, {}, 3}); // scaled
    EXPECT_NEAR(tree.world(child).position.z, 9, 1e-5f);
    EXPECT_EQ(tree.world(child).scale, 3);
}

TEST(SceneGraph, OnePositionServesSeveralLeaves) {
    RecordingBackend backend;
    Renderer renderer(backend);
    const auto position = renderer.positions().add({}, {{3, 0, 0}, {}, 1});
    for (int i = 0; i < 2; ++i) {
        GeometryNode node;
        node.mesh = i ? renderer.box_mesh() : renderer.sphere_mesh();
        node.position = position;
        renderer.description().add_geometry({}, node);
    }
    EXPECT_NEAR(renderer.measure_bounds().centre().x, 3, 1e-5f);
    renderer.positions().set(position, {{-4, 0, 0}, {}, 1});
    EXPECT_NEAR(renderer.measure_bounds().centre().x, -4, 1e-5f);
}

TEST(SceneGraph, RemovingTakesWhatIsBelow) {
    DescriptionTree looks;
    const auto t = looks.add_technique({}, plain(0.5f));
    const auto object = looks.add_geometry(t, leaf());
    looks.remove(t);
    EXPECT_FALSE(looks.alive(object));
    EXPECT_TRUE(looks.leaves().empty());
    PositionTree places;
    const auto parent = places.add({});
    const auto child = places.add(parent);
    places.remove(parent);
    EXPECT_FALSE(places.alive(child));
}

TEST(SceneGraph, HiddenNodesHideTheirLeaves) {
    DescriptionTree tree;
    const auto t = tree.add_technique({}, plain(0.5f));
    tree.add_geometry(t, leaf());
    const auto other = tree.add_geometry({}, leaf());
    tree.set_visible(t, false);
    ASSERT_EQ(tree.leaves().size(), 1u);
    EXPECT_EQ(tree.leaves()[0], other);
    tree.edit(other).visible = false;
    EXPECT_TRUE(tree.leaves().empty());
}

TEST(SceneGraph, WhatDoesNotExistIsAnError) {
    DescriptionTree looks;
    PositionTree places;
    EXPECT_THROW(looks.remove({}), Error);
    EXPECT_THROW(looks.path({9}), Error);
    EXPECT_THROW(looks.add_geometry({}, GeometryNode{}), Error);
    EXPECT_THROW(looks.add_technique(looks.add_geometry({}, leaf()), plain(1)), Error);
    EXPECT_THROW(places.world(PositionId{5}), Error);
    EXPECT_THROW(places.remove({}), Error);
}

} // namespace
} // namespace scree::render
