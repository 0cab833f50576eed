// SPDX-License-Identifier: MIT
// ridge_contact_test.cpp — triangles and lines of cloth on edges and corners of meshes, where no vertex is near.
// compiled alone
#include "fabric/part_support.h"
#include "fabric/places.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree {
namespace {

using namespace scree::testing;

/// A pyramid of 1 m x 1 m with its tip at (0, 0.6, 0).
Mesh spike(const MeshOptions& options = {}) {
    const Vec3 vertices[] = {
        {-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {0.5f, 0, 0.5f}, {-0.5f, 0, 0.5f}, {0, 0.6f, 0}};
    const std::uint32_t indices[] = {1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4};
    return Mesh::from_triangles(vertices, indices, options);
}

/// Hills of which one is as sharp as a cell is wide.
Mesh sharp_hill() {
    HeightField field{.columns = 9, .rows = 9, .spacing = 0.4f};
    field.heights.assign(81, 0.0f);
    field.heights[9 * 4 + 4] = 0.6f;
    return Mesh::from_heights(field);
}

/// A box of 1 m on the ground, as triangles.
Mesh box_of_triangles() {
    std::vector<Vec3> vertices;
    for (int k = 0; k < 8; ++k)
        vertices.push_back({k & 1 ? 0.5f : -0.5f, k & 2 ? 1.0f : 0.0f, k & 4 ? 0.5f : -0.5f});
    const std::uint32_t indices[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return Mesh::from_triangles(vertices, indices);
}

BodyId stand(World& world, const Mesh& mesh, const ShapeDef& shape = {}) {
    const BodyId body = world.create_body({.type = BodyType::fixed});
    world.attach(body, mesh, shape);
    return body;
}

/// A sheet of 2 m with 0.25 m between vertices, none of them above the origin.
ClothDef coarse_sheet() {
    ClothDef sheet = make_cloth(2, 2, 9, 9);
    sheet.surface_collision = true;
    sheet.position = {0.11f, 0.8f, 0.07f};
    sheet.material.thickness = 0.01f;
    return sheet;
}

/// How high the lowest point of the cloth is above the mesh below it; its border does not count.
double height_over(const World& world, ClothId id, int fine) {
    return least_over(
        world, id,
        [&](const DVec3& q) {
            const auto hit = world.cast_ray({.origin = {q.x, 5, q.z}, .translation = {0, -10, 0}});
            return hit && hit->point.y > 0.05 ? q.y - hit->point.y : 1.0;
        },
        fine);
}

TEST(RidgeContact, ASheetHangsOnTheTipOfASpike) {
    for (const Mesh& mesh :
         {spike(), spike({.two_sided = true}), spike().scaled({0.5f, 1, 2}), sharp_hill()}) {
        World world;
        stand(world, mesh);
        const ClothId id = world.create_cloth(coarse_sheet());
        double deepest = 1;
        for (int k = 0; k < 60; ++k) {
            world.step(cloth_step);
            if (k % 3 == 0) deepest = std::min(deepest, height_over(world, id, 8));
        }
        EXPECT_GT(deepest, -0.02);
        EXPECT_GT(world.measure(id).high.y, 0.5);
    }
}

TEST(RidgeContact, ARopeLiesOverTheEdgeOfABoxOfTriangles) {
    World world;
    stand(world, box_of_triangles());
    // vertices 0.3 m apart, none of them near the edge at x = 0.5
    ClothDef rope = make_rope({-0.25f, 1.03f, 0.1f}, {1.55f, 1.03f, 0.1f}, 6, 0.02f);
    rope.surface_collision = true;
    rope.pins = {{.vertex = 0}};
    const ClothId id = world.create_cloth(rope);
    double deepest = 1;
    for (int k = 0; k < 180; ++k) {
        world.step(cloth_step);
        deepest = std::min(deepest, least_over(world, id, [](const DVec3& q) {
                               return std::max({q.x - 0.5, q.y - 1, -0.5 - q.x});
                           }));
    }
    EXPECT_GT(deepest, -0.02);
    EXPECT_LT(world.measure(id).low.y, 0.2f); // it hangs down beside the box
}

TEST(RidgeContact, ASheetHangsOverTheBorderOfAnUprightPlate) {
    World world;
    const Vec3 vertices[] = {{-2, 0, 0}, {2, 0, 0}, {2, 0.6f, 0}, {-2, 0.6f, 0}};
    const std::uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    stand(world, Mesh::from_triangles(vertices, indices, {.two_sided = true}));
    const ClothId id = world.create_cloth(coarse_sheet());
    for (int k = 0; k < 240; ++k) {
        world.step(cloth_step);
        // where an edge of the sheet crosses the plate it is near the border of that
        const ClothDef cloth = world.definition(id);
        const auto v = world.vertices(id);
        for (const auto& corners : cloth.triangles)
            for (std::size_t j = 0; j < 3; ++j) {
                const DVec3 a = wide(v[corners[j]]), b = wide(v[corners[(j + 1) % 3]]);
                if ((a.z < 0) == (b.z < 0)) continue;
                const double y = a.y + (b.y - a.y) * (a.z / (a.z - b.z));
                if (y < 0) continue; // below the plate
                ASSERT_GT(y, 0.45) << "step " << k;
            }
    }
    EXPECT_LT(world.measure(id).low.y, 0.0f); // both sides hang down
    EXPECT_GT(world.measure(id).high.y, 0.6f);
}

TEST(RidgeContact, OnAFlatFloorOfTrianglesVerticesAloneTouch) {
    const auto vertices_after = [](bool surface) {
        World world;
        HeightField field{.columns = 31, .rows = 31, .spacing = 0.13f};
        field.heights.assign(961, 0.0f);
        stand(world, Mesh::from_heights(field));
        ClothDef sheet = coarse_sheet();
        sheet.position.y = 0.1f;
        sheet.velocity = {0.5f, 0, 0.3f};
        sheet.surface_collision = surface;
        const ClothId id = world.create_cloth(sheet);
        steps(world, 60);
        const auto v = world.vertices(id);
        return std::vector<Vec3>(v.begin(), v.end());
    };
    EXPECT_EQ(vertices_after(true), vertices_after(false));
}

TEST(RidgeContact, TheBorderOfASurfaceWithOneSideIsFeltFromTheFront) {
    for (const float way : {-1.0f, 1.0f}) {
        World world({.gravity = {0, 0, 0}, .sleeping = false});
        const Vec3 vertices[] = {{-0.4f, 0, -0.4f}, {0.4f, 0, -0.4f}, {0.4f, 0, 0.4f}, {-0.4f, 0, 0.4f}};
        const std::uint32_t indices[] = {0, 2, 1, 0, 3, 2}; // facing up
        stand(world, Mesh::from_triangles(vertices, indices));
        // its ends are beside the plate
        ClothDef rope = make_rope({-0.6f, -0.2f * way, 0.1f}, {0.6f, -0.2f * way, 0.1f}, 1);
        rope.surface_collision = true;
        rope.material.drag = 0, rope.material.damping = 0;
        rope.velocity = {0, 2 * way, 0};
        const ClothId id = world.create_cloth(rope);
        steps(world, 30);
        if (way < 0) {
            EXPECT_GT(world.measure(id).high.y, 0.0f);
        } else {
            EXPECT_NEAR(world.measure(id).low.y, 0.8, 1e-3);
        }
    }
}

TEST(RidgeContact, GivesTheSameBitsOnEveryPlace) {
    expect_same_bits_on_every_place(
        [](const Place& place) {
            World world({}, place);
            stand(world, sharp_hill());
            ClothDef sheet = coarse_sheet();
            world.create_cloth(sheet);
            return world;
        },
        60);
}

} // namespace
} // namespace scree
