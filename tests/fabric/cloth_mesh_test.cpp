// SPDX-License-Identifier: MIT
// cloth_mesh_test.cpp — cloth of the triangles of a mesh: pieces hang together where the mesh doubles its vertices.
// compiled alone
#include "scree/scree.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace scree {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

TriangleMesh mesh_of(std::vector<Vec3> vertices, Triangles triangles) {
    TriangleMesh mesh;
    mesh.vertices = std::move(vertices), mesh.triangles = std::move(triangles);
    return mesh;
}

/// Two sheets of a metre, one beside the other; the second one begins `gap` after the end of the first.
TriangleMesh two_pieces(float gap) {
    TriangleMesh mesh;
    for (const float from : {-1.0f, gap}) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const ClothDef piece = make_cloth(1, 1, 6, 6);
        for (const Vec3& v : piece.vertices) mesh.vertices.push_back({v.x, v.y, v.z + 0.5f + from});
        for (const auto& [a, b, c] : piece.triangles)
            mesh.triangles.push_back({a + first, b + first, c + first});
    }
    return mesh;
}

/// How far the lowest vertex is below the pins after two seconds, hung by the far end of the first piece.
float hangs(ClothDef cloth) {
    World world;
    cloth.material.drag = 0;
    for (std::uint32_t column = 0; column < 6; ++column) cloth.pins.push_back({.vertex = column});
    const ClothId id = world.create_cloth(cloth);
    for (int k = 0; k < 120; ++k) world.step(1 / 60.0f);
    return -world.measure(id).low.y;
}

TEST(ClothOfMesh, PiecesHangTogetherAtTheirSeam) {
    const ClothDef exact = make_cloth(two_pieces(0));
    EXPECT_EQ(exact.vertices.size(), 66u);
    EXPECT_NEAR(hangs(exact), 2, 0.1f) << "the lower piece fell off";
    // a millimetre apart
    EXPECT_GT(hangs(make_cloth(two_pieces(0.001f))), 10) << "they were not to be joined";
    const ClothDef sewn = make_cloth(two_pieces(0.001f), 0.002f);
    EXPECT_EQ(sewn.vertices.size(), 66u);
    EXPECT_NEAR(hangs(sewn), 2, 0.1f);
}

/// A ball of meridians and parallels as modelling programs write it: a seam where the texture ends, and a vertex at the pole for
/// each triangle there.
TriangleMesh ball(std::uint32_t columns, std::uint32_t rows) {
    TriangleMesh mesh;
    const auto round = static_cast<float>(2 * std::numbers::pi / columns),
               down = static_cast<float>(std::numbers::pi / rows);
    for (std::uint32_t j = 0; j <= rows; ++j)
        for (std::uint32_t i = 0; i <= columns; ++i) {
            const bool pole = j == 0 || j == rows;
            const float height = std::cos(down * static_cast<float>(j)),
                        radius = pole ? 0 : std::sin(down * static_cast<float>(j)),
                        angle = round * static_cast<float>(i % columns);
            mesh.vertices.push_back({radius * std::cos(angle), height, -radius * std::sin(angle)});
        }
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t a = i + (columns + 1) * j, b = a + 1, c = a + columns + 1, d = c + 1;
            mesh.triangles.push_back({a, c, d}); // without area at the lower pole
            mesh.triangles.push_back({a, d, b}); // and at the upper one
        }
    return mesh;
}

TEST(ClothOfMesh, ABallWithASeamAndDoubledPolesIsClosed) {
    const TriangleMesh file = ball(12, 6);
    EXPECT_GT(inspect(file).open_edges, 0u);
    const ClothDef cloth = make_cloth(file);
    const MeshReport whole = inspect(mesh_of(cloth.vertices, cloth.triangles));
    EXPECT_TRUE(whole.closed && whole.manifold && whole.oriented);
    EXPECT_EQ(whole.components, 1u);
    EXPECT_EQ(cloth.vertices.size(), 12u * 5 + 2);
    EXPECT_EQ(cloth.triangles.size(), 12u * 10);
    World world;
    EXPECT_NO_THROW(world.create_cloth(cloth));
}

TEST(ClothOfMesh, VerticesBecomeTheFirstOfThemAndKeepTheirOrder) {
    // 1 is at the place of 3, 2 in no triangle, 4 near 0; two triangles collapse, and one is there from both sides
    const TriangleMesh mesh =
        mesh_of({{0, 0, 0}, {1, 0, 0}, {5, 5, 5}, {1, 0, 0}, {0, 0, 0.001f}, {0, 0, 1}, {1, 0, 1}},
                {{0, 5, 1}, {4, 1, 5}, {3, 5, 6}, {0, 4, 6}, {1, 3, 6}});
    const ClothDef cloth = make_cloth(mesh, 0.01f);
    EXPECT_EQ(cloth.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}));
    EXPECT_EQ(cloth.triangles, (Triangles{{0, 2, 1}, {1, 2, 3}}));
    const ClothDef exact = make_cloth(mesh);
    EXPECT_EQ(exact.vertices.size(), 5u);
    EXPECT_EQ(exact.triangles, (Triangles{{0, 3, 1}, {2, 1, 3}, {1, 3, 4}, {0, 2, 4}}));
}

TEST(ClothOfMesh, RefusesDistancesThatJoinNothingOrAll) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {-0.001f, -infinity, infinity, std::numeric_limits<float>::quiet_NaN()})
        EXPECT_EQ(test::error_place([&] { make_cloth(two_pieces(0), bad); }), "weld") << bad;
    const test::Refusal refused = test::refusal([] { make_cloth(two_pieces(0), 3); });
    EXPECT_EQ(refused.where, "weld");
    EXPECT_TRUE(test::contains(refused.what, "none of 100 triangles")) << refused.what;
    EXPECT_TRUE(test::contains(refused.what, "3 m")) << refused.what;
}

} // namespace
} // namespace scree
