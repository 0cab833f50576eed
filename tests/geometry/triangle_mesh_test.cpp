// SPDX-License-Identifier: MIT
// triangle_mesh_test.cpp — repair and inspection of triangle meshes against shapes with known answers.
#include "scree/error.h"
#include "scree/triangle_mesh.h"
#include "support/meshes.h"

#include <gtest/gtest.h>

#include <limits>

namespace scree {
namespace {

using namespace testing;

constexpr double pi = std::numbers::pi;

TEST(MeshInspection, BoxHasTheMassOfABox) {
    const MeshReport box = inspect(box_mesh({10, 20, 30}, {11, 22, 33}));
    EXPECT_TRUE(box.closed && box.manifold && box.oriented);
    EXPECT_EQ(box.components, 1u);
    EXPECT_NEAR(box.volume, 6, 1e-12);
    EXPECT_NEAR(box.area, 22, 1e-12);
    EXPECT_NEAR(length(box.centre - DVec3{10.5, 21, 31.5}), 0, 1e-12);
    const double expected[] = {6.0 / 12 * (4 + 9), 6.0 / 12 * (1 + 9), 6.0 / 12 * (1 + 4), 0, 0, 0};
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(box.inertia[k], expected[k], 1e-11) << k;
}

TEST(MeshInspection, ProductsOfInertiaHaveTheSignOfAMatrix) {
    // two boxes on the diagonal x = y: the integral of x y is positive, the matrix entry negative
    TriangleMesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    append(mesh, box_mesh({2, 2, 0}, {3, 3, 1}));
    const MeshReport two = inspect(mesh);
    EXPECT_EQ(two.components, 2u);
    EXPECT_NEAR(two.volume, 2, 1e-12);
    EXPECT_NEAR(two.inertia[3], -2, 1e-12);
}

TEST(MeshInspection, SphereAndTorusApproachTheirFormulas) {
    const MeshReport ball = inspect(sphere_mesh(2, 5));
    const double volume = 4.0 / 3 * pi * 8;
    EXPECT_NEAR(ball.volume, volume, 0.005 * volume);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(ball.inertia[k], 0.4 * 4 * volume, 0.01 * 1.6 * volume);

    const double R = 1, r = 0.25, ring = 2 * pi * pi * R * r * r;
    const MeshReport torus = inspect(torus_mesh(R, r, 256, 128));
    EXPECT_TRUE(torus.closed && torus.manifold && torus.oriented);
    EXPECT_NEAR(torus.volume, ring, 1e-3 * ring);
    EXPECT_NEAR(torus.inertia[1], ring * (R * R + 0.75 * r * r), 2e-3 * ring);
    EXPECT_NEAR(torus.inertia[0], ring * (0.5 * R * R + 0.625 * r * r), 2e-3 * ring);
}

TEST(MeshInspection, OpenFlippedCrowdedAndInvertedAreTold) {
    const TriangleMesh box = box_mesh({}, {1, 1, 1});
    TriangleMesh open = box;
    open.triangles.pop_back();
    MeshReport report = inspect(open);
    EXPECT_EQ(report.open_edges, 3u);
    EXPECT_FALSE(report.closed || report.manifold);
    EXPECT_TRUE(report.oriented);

    TriangleMesh flipped = box;
    std::swap(flipped.triangles[0][0], flipped.triangles[0][1]);
    report = inspect(flipped);
    EXPECT_EQ(report.flipped_edges, 3u);
    EXPECT_TRUE(report.closed && report.manifold);
    EXPECT_FALSE(report.oriented);

    TriangleMesh inverted = box;
    for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
    report = inspect(inverted);
    EXPECT_TRUE(report.closed && report.oriented);
    EXPECT_NEAR(report.volume, -1, 1e-12);

    // two boxes that share an edge
    TriangleMesh touching = box;
    append(touching, box_mesh({1, 1, 0}, {2, 2, 1}));
    repair(touching);
    report = inspect(touching);
    EXPECT_EQ(report.crowded_edges, 1u);
    EXPECT_TRUE(report.closed);
    EXPECT_FALSE(report.manifold);

    // two boxes that share a vertex: all edges are in order
    touching = box;
    append(touching, box_mesh({1, 1, 1}, {2, 2, 2}));
    repair(touching);
    report = inspect(touching);
    EXPECT_EQ(report.crowded_edges + report.open_edges + report.flipped_edges, 0u);
    EXPECT_FALSE(report.manifold);
}

TEST(MeshRepairs, SoupBecomesTheBoxAgain) {
    TriangleMesh mesh = soup(box_mesh({}, {1, 1, 1}));
    EXPECT_EQ(inspect(mesh).open_edges, 36u);
    mesh.vertices.push_back({5, 5, 5});
    mesh.triangles.push_back({0, 0, 1});
    mesh.triangles.push_back(mesh.triangles[3]);
    const MeshRepair done = repair(mesh);
    EXPECT_EQ(done.merged_vertices, 28u);
    EXPECT_EQ(done.unused_vertices, 1u);
    EXPECT_EQ(done.degenerate_triangles, 1u);
    EXPECT_EQ(done.repeated_triangles, 1u);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_TRUE(inspect(mesh).manifold);
}

TEST(MeshRepairs, VerticesWithinTheDistanceAreMergedAndNamesFollow) {
    TriangleMesh mesh = soup(box_mesh({}, {1, 1, 1}));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        mesh.vertices[i].x += 1e-4f * static_cast<float>(i % 3);
    mesh.triangles.insert(mesh.triangles.begin(), {0, 0, 0});
    mesh.materials = {"a", "b"};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) mesh.triangle_materials.push_back(t % 2);
    repair(mesh, 1e-3f);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    ASSERT_EQ(mesh.triangle_materials.size(), 12u);
    EXPECT_EQ(mesh.triangle_materials[0], 1u);
}

TEST(MeshRepairs, BadMeshesAreRefused) {
    TriangleMesh mesh = box_mesh({}, {1, 1, 1});
    EXPECT_THROW(repair(mesh, -1), Error);
    EXPECT_THROW(repair(mesh, std::numeric_limits<float>::quiet_NaN()), Error);
    mesh.triangles[3][1] = 8;
    EXPECT_THROW(inspect(mesh), Error);
    mesh = box_mesh({}, {1, 1, 1});
    mesh.vertices[2].y = std::numeric_limits<float>::infinity();
    EXPECT_THROW(repair(mesh), Error);
    mesh = box_mesh({}, {1, 1, 1});
    mesh.triangle_parts = {0};
    EXPECT_THROW(inspect(mesh), Error);
    EXPECT_EQ(inspect({}).components, 0u);
}

} // namespace
} // namespace scree
