// SPDX-License-Identifier: MIT
// fabric_shapes_test.cpp — the table of shapes that cloths read.
#include "rigid/fabric_shapes.h"

#include "fabric/vertex_support.h"
#include "kernels/fabric_words.h"
#include "support/meshes.h"
#include "world/slots.h"

#include <gtest/gtest.h>

#include <bit>

namespace scree::test {
namespace {

/// Shapes without a world around them.
struct Storage {
    RigidStorage world{WorldSettings{}, Place{PlaceOptions{}}};
    FabricShapes shapes;

    std::uint32_t add(const Geometry& geometry, const ShapeDef& shape = {}, std::uint32_t body = 1) {
        const auto s = static_cast<std::uint32_t>(world.shapes.record.size());
        ShapeRecord& record = world.shapes.record.edit().emplace_back();
        record.alive = true;
        record.body = body;
        record.definition = shape;
        record.offset = shape.position + Vec3{0, 0.25f, 0};
        put_geometry(record, geometry);
        write_shape_quads(world.shapes, s);
        shapes.changed();
        return s;
    }
    std::uint32_t word(std::uint32_t row, std::uint32_t at) const {
        return shapes.table()[FABRIC_SHAPE_WORDS * row + at];
    }
    float number(std::uint32_t row, std::uint32_t at) const { return std::bit_cast<float>(word(row, at)); }
    /// row as a shape of the kernels
    ConvexGeometry shape(std::uint32_t row) const {
        return {static_cast<ShapeType>(word(row, 0)),
                {number(row, 8), number(row, 9), number(row, 10)},
                number(row, 11),
                shapes.words().data() + word(row, 3)};
    }
};

TEST(FabricShapes, ARowHoldsTheShapeItsPlaceFilterAndMaterial) {
    Storage s;
    ShapeDef def{.position = {1, 2, 3},
                 .rotation = {.x = 0.6f, .s = 0.8f},
                 .filter = {.category = 6, .mask = 12, .group = -4}};
    def.material.friction = 0.7f;
    def.material.restitution = 0.2f;
    def.material.friction_rule = Combine::least;
    def.material.restitution_rule = Combine::average;
    def.material.surface_velocity = {0, 0, 2};
    def.one_way = {0, 3, 0};
    s.add(Capsule{.half_height = 0.4f, .radius = 0.3f}, def, 9);
    const FabricShapes::Change change = s.shapes.update(s.world);
    EXPECT_TRUE(change.table);
    ASSERT_EQ(s.shapes.count(), 1u);
    ASSERT_EQ(s.shapes.table().size(), FABRIC_SHAPE_WORDS);
    EXPECT_EQ(s.word(0, 0), static_cast<std::uint32_t>(ShapeType::capsule));
    EXPECT_EQ(s.word(0, 1), 9u);
    EXPECT_EQ(s.word(0, 2), FABRIC_ONE_WAY);
    EXPECT_EQ(s.word(0, 4), 6u);
    EXPECT_EQ(s.word(0, 5), 12u);
    EXPECT_EQ(static_cast<std::int32_t>(s.word(0, 6)), -4);
    EXPECT_EQ(s.word(0, 7), 0u);
    const float numbers[] = {0, 0.4f, 0, 0.3f, 1, 2.25f, 3, 0.7f, 0.6f, 0, 0, 0.8f, 0.7f, 0.2f};
    for (std::uint32_t k = 0; k < 14; ++k) EXPECT_NEAR(s.number(0, 8 + k), numbers[k], 1e-6f) << k;
    EXPECT_EQ(s.word(0, 22),
              static_cast<std::uint32_t>(Combine::least) | static_cast<std::uint32_t>(Combine::average) << 8);
    EXPECT_GT(s.number(0, 23), 0);
    EXPECT_EQ(s.number(0, 26), 2);
    EXPECT_EQ(s.number(0, 29), 1);
}

TEST(FabricShapes, ShapesAreInOrderWithoutSensorsAndThoseThatAreGone) {
    Storage s;
    for (int i = 0; i < 6; ++i) s.add(Sphere{.radius = 0.1f * static_cast<float>(i + 1)}, {.sensor = i == 2});
    s.world.shapes.record.edit(4).alive = false;
    s.shapes.update(s.world);
    const std::vector<std::uint32_t> numbers(s.shapes.numbers().begin(), s.shapes.numbers().end());
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1, 3, 5}));
    for (std::uint32_t row = 0; row < 4; ++row) {
        EXPECT_EQ(s.word(row, 7), numbers[row]);
        EXPECT_FLOAT_EQ(s.number(row, 11), 0.1f * static_cast<float>(numbers[row] + 1));
    }
}

TEST(FabricShapes, AHullOrMeshIsThereOnceAndGivesItsContacts) {
    Storage s;
    const Hull hull = random_hull(5, 20), other = random_hull(6, 20);
    const Mesh mesh = Mesh::from_triangles(scree::testing::torus_mesh(0.7, 0.3, 12, 8), {.two_sided = true});
    s.add(hull), s.add(mesh), s.add(other), s.add(hull), s.add(mesh.scaled({2, 1, 1})), s.add(Box{});
    const FabricShapes::Change change = s.shapes.update(s.world);
    EXPECT_EQ(change.words_from, 0u);
    EXPECT_EQ(s.word(0, 3), s.word(3, 3));
    EXPECT_EQ(s.word(1, 3), s.word(4, 3));
    EXPECT_NE(s.word(0, 3), s.word(2, 3));
    EXPECT_EQ(s.word(1, 2), FABRIC_TWO_SIDED);
    for (std::uint32_t row = 0; row < 6; ++row) EXPECT_EQ(s.word(row, 3) % 4, 0u);
    const auto size = hull_words(hull.geometry()).size() + hull_words(other.geometry()).size() +
                      mesh.geometry().words.size();
    EXPECT_LE(s.shapes.words().size(), size + 9);
    const NamedShape expected[] = {
        {"", hull}, {"", mesh}, {"", other}, {"", hull}, {"", mesh.scaled({2, 1, 1})}};
    FloatDice dice(3);
    for (std::uint32_t row = 0; row < 5; ++row)
        for (int i = 0; i < 200; ++i) {
            const Vec3 p = dice.point(1);
            const VertexHits a = hits_of(s.shape(row), p, p, 0.3f),
                             b = hits_of(expected[row].placed(), p, p, 0.3f);
            ASSERT_EQ(a.count, b.count);
            if (a.count) {
                ASSERT_EQ(a.hit[0].distance, b.hit[0].distance);
            }
        }
}

TEST(FabricShapes, OnlyChangesAreWritten) {
    Storage s;
    s.add(random_hull(5, 20));
    s.shapes.update(s.world);
    const std::size_t words = s.shapes.words().size();
    FabricShapes::Change change = s.shapes.update(s.world);
    EXPECT_FALSE(change.table);
    EXPECT_EQ(change.words_from, words);
    // the same words, another row
    s.world.shapes.record.edit(0).definition.material.friction = 0.1f;
    s.shapes.changed();
    change = s.shapes.update(s.world);
    EXPECT_TRUE(change.table);
    EXPECT_EQ(change.words_from, words);
    EXPECT_FLOAT_EQ(s.number(0, 20), 0.1f);
    s.add(random_hull(6, 20));
    change = s.shapes.update(s.world);
    EXPECT_EQ(change.words_from, words);
    EXPECT_GT(s.shapes.words().size(), words);
}

TEST(FabricShapes, WordsOfGoneMeshesMakeRoom) {
    Storage s;
    s.add(random_hull(5, 20));
    std::size_t most = 0;
    bool anew = false;
    for (unsigned i = 0; i < 12; ++i) {
        const std::uint32_t shape = s.add(Mesh::from_triangles(scree::testing::torus_mesh(0.7, 0.3, 40, 20)));
        const FabricShapes::Change change = s.shapes.update(s.world);
        anew = anew || (i && change.words_from == 0);
        most = std::max(most, s.shapes.words().size());
        EXPECT_EQ(s.shape(s.shapes.count() - 1).hull[1], 1600u);
        s.world.shapes.record.edit(shape) = {};
        s.shapes.changed();
    }
    EXPECT_TRUE(anew);
    EXPECT_LT(most, 300000u);
}

} // namespace
} // namespace scree::test
