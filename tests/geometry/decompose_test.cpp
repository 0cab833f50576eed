// SPDX-License-Identifier: MIT
// decompose_test.cpp — convex parts of meshes: how many, how near, what stays hollow, and the same with any threads.
#include "geometry/hull.h"
#include "geometry/piece.h"
#include "geometry/remesh.h"
#include "scree/decompose.h"
#include "scree/error.h"
#include "scree/world.h"
#include "support/meshes.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace scree {
namespace {

using namespace testing;

bool holds(const Hull& hull, DVec3 p, double slack = 0) {
    const HullGeometry& g = hull.geometry();
    for (std::uint32_t f = 0; f < g.face_count(); ++f)
        if (dot(DVec3{g.planes[4 * f], g.planes[4 * f + 1], g.planes[4 * f + 2]}, p) >
            double{g.planes[4 * f + 3]} + slack)
            return false;
    return true;
}

bool hold(const std::vector<Hull>& parts, DVec3 p, double slack = 0) {
    for (const Hull& part : parts)
        if (holds(part, p, slack)) return true;
    return false;
}

TriangleMesh chair() {
    TriangleMesh mesh = box_mesh({-0.25f, 0.45f, -0.25f}, {0.25f, 0.5f, 0.25f});
    append(mesh, box_mesh({-0.25f, 0.5f, -0.25f}, {0.25f, 1, -0.2f}));
    for (const float x : {-0.25f, 0.2f})
        for (const float z : {-0.25f, 0.2f}) append(mesh, box_mesh({x, 0, z}, {x + 0.05f, 0.45f, z + 0.05f}));
    return mesh;
}

/// Every vertex of the mesh is in a part, no part has more than its share, volumes are near.
void expect_sound(const TriangleMesh& mesh, const std::vector<Hull>& parts, const DecomposeOptions& options,
                  double volume_error) {
    const MeshReport report = inspect(mesh);
    const DVec3 side = report.high - report.low;
    const double size = std::max({side.x, side.y, side.z});
    const DecomposeReport found = compare(mesh, parts);
    EXPECT_LE(parts.size(), static_cast<std::size_t>(options.max_parts));
    EXPECT_NEAR(found.parts_volume, found.mesh_volume, volume_error * found.mesh_volume);
    EXPECT_LE(found.outside, 1.1 * double{options.concavity} * size);
    EXPECT_LE(found.uncovered, 0.02 * size);
    for (const Hull& part : parts) {
        EXPECT_LE(part.vertices().size(), static_cast<std::size_t>(options.max_vertices_per_part));
        for (const Vec3& v : part.vertices()) EXPECT_TRUE(holds(part, wide(v), 1e-5 * size));
    }
}

TEST(Decompose, ConvexMeshesAreOnePart) {
    const std::vector<Hull> box = decompose(box_mesh({1, 2, 3}, {2, 4, 6}));
    ASSERT_EQ(box.size(), 1u);
    EXPECT_EQ(box[0].vertices().size(), 8u);
    EXPECT_NEAR(box[0].geometry().volume, 6, 1e-6);
    const TriangleMesh ball = sphere_mesh(1, 4);
    const std::vector<Hull> parts = decompose(ball);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].vertices().size(), 64u);
    EXPECT_NEAR(parts[0].geometry().volume, inspect(ball).volume, 1e-3);
}

TEST(Decompose, AnLOfTwoBoxesIsTwoBoxes) {
    const std::vector<Hull> parts = decompose(l_shape());
    ASSERT_EQ(parts.size(), 2u);
    double volume = 0;
    for (const Hull& part : parts) {
        EXPECT_EQ(part.vertices().size(), 8u);
        volume += part.geometry().volume;
    }
    EXPECT_NEAR(volume, 3, 1e-5);
    EXPECT_FALSE(hold(parts, {1.01, 1.01, 0.5}));
    EXPECT_TRUE(hold(parts, {0.99, 1.5, 0.5}));
}

TEST(Decompose, BoxesThatOnlyTouchAreTakenApart) {
    const TriangleMesh mesh = chair();
    const std::vector<Hull> parts = decompose(mesh);
    EXPECT_EQ(parts.size(), 6u);
    expect_sound(mesh, parts, {}, 1e-5);
}

TEST(Decompose, TheHoleOfATorusStaysOpen) {
    const TriangleMesh torus = torus_mesh(1, 0.3);
    const std::vector<Hull> parts = decompose(torus);
    EXPECT_GE(parts.size(), 5u);
    EXPECT_LE(parts.size(), 16u);
    expect_sound(torus, parts, {}, 0.08);
    for (double x = -0.55; x <= 0.55; x += 0.05)
        for (double z = -0.55; z <= 0.55; z += 0.05)
            for (double y = -0.3; y <= 0.3; y += 0.1) {
                const bool in_hole = x * x + z * z < 0.55 * 0.55;
                EXPECT_FALSE(in_hole && hold(parts, {x, y, z})) << x << " " << y << " " << z;
            }
    // all around the ring is solid
    for (double angle = 0; angle < 6.28; angle += 0.1)
        EXPECT_TRUE(hold(parts, {std::cos(angle), 0, std::sin(angle)}, 1e-6)) << angle;
}

TEST(Decompose, ABallDroppedIntoACupStaysInIt) {
    const TriangleMesh cup = cup_mesh();
    const std::vector<Hull> parts = decompose(cup);
    expect_sound(cup, parts, {}, 0.12);
    World world({});
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    const BodyId body = world.create_body({.position = {0, 0.01f, 0}});
    EXPECT_EQ(attach_parts(world, body, parts, {.density = 500}).size(), parts.size());
    const BodyId ball = world.create_body({.position = {0.05f, 1.5f, 0}});
    world.attach(ball, Sphere{0.2f}, {.density = 500});
    for (int i = 0; i < 240; ++i) world.step(1.0f / 60);
    const DVec3 at = world.position(ball), there = world.position(body);
    EXPECT_LT(std::hypot(at.x - there.x, at.z - there.z), 0.42 - 0.15);
    EXPECT_GT(at.y, 0.2);
    EXPECT_LT(at.y, 0.45); // on the floor of the cup
}

TEST(Decompose, FewerPartsOnRequestAndFinerOnes) {
    const TriangleMesh torus = torus_mesh(1, 0.3, 24, 12);
    EXPECT_EQ(decompose(torus, {.max_parts = 3}).size(), 3u);
    EXPECT_EQ(decompose(torus, {.max_parts = 1}).size(), 1u);
    const std::size_t coarse = decompose(torus, {.concavity = 0.1f}).size();
    EXPECT_LT(coarse, decompose(torus, {.concavity = 0.02f}).size());
    for (const Hull& part : decompose(torus, {.max_vertices_per_part = 12}))
        EXPECT_LE(part.vertices().size(), 12u);
}

TEST(Decompose, ResultDoesNotDependOnThreads) {
    for (const TriangleMesh& mesh : {torus_mesh(1, 0.3, 20, 8), cup_mesh(12)}) {
        const std::vector<Hull> one = decompose(mesh, {.threads = 1});
        for (const int threads : {2, 5}) {
            const std::vector<Hull> many = decompose(mesh, {.threads = threads});
            ASSERT_EQ(many.size(), one.size());
            for (std::size_t i = 0; i < one.size(); ++i)
                EXPECT_TRUE(std::equal(one[i].vertices().begin(), one[i].vertices().end(),
                                       many[i].vertices().begin(), many[i].vertices().end()));
        }
    }
}

TEST(Decompose, InvertedMeshesAreTurnedAndOpenOnesMadeSolid) {
    TriangleMesh inverted = l_shape();
    for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
    EXPECT_EQ(decompose(inverted).size(), 2u);

    // corners not shared and a bit apart, one triangle turned
    TriangleMesh flawed = soup(l_shape());
    for (std::size_t i = 0; i < flawed.vertices.size(); ++i)
        flawed.vertices[i] += Vec3{0.003f * static_cast<float>(i % 3), 0.002f * static_cast<float>(i % 5), 0};
    std::swap(flawed.triangles[4][0], flawed.triangles[4][1]);
    const std::vector<Hull> parts = decompose(flawed, {.resolution = 32});
    EXPECT_LE(parts.size(), 4u);
    EXPECT_TRUE(hold(parts, {0.5, 1.5, 0.5}));
    EXPECT_TRUE(hold(parts, {1.5, 0.5, 0.5}));
    EXPECT_FALSE(hold(parts, {1.2, 1.2, 0.5}));

    // a box without its lid is a box to put things into
    TriangleMesh crate = box_mesh({}, {1, 1, 1});
    std::erase_if(crate.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return crate.vertices[v].y == 1; });
    });
    ASSERT_EQ(crate.triangles.size(), 10u);
    const std::vector<Hull> walls = decompose(crate, {.resolution = 32});
    EXPECT_FALSE(hold(walls, {0.5, 0.5, 0.5}));
    EXPECT_FALSE(hold(walls, {0.2, 0.2, 0.8}));
    for (const DVec3& p : {DVec3{0.5, 0, 0.5}, DVec3{0, 0.5, 0.5}, DVec3{0.5, 0.5, 1}})
        EXPECT_TRUE(hold(walls, p));

    // a sheet has no inside: it becomes a plate
    TriangleMesh sheet;
    sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    quad(sheet, 0, 3, 2, 1);
    const std::vector<Hull> plate = decompose(sheet);
    ASSERT_EQ(plate.size(), 1u);
    EXPECT_LT(plate[0].geometry().volume, 0.02);
    EXPECT_TRUE(hold(plate, {0.5, 0, 0.5}));
}

TEST(Decompose, RemeshedSolidsKeepTheirVolume) {
    for (const TriangleMesh& mesh : {torus_mesh(1, 0.3), l_shape(), cup_mesh()}) {
        const TriangleMesh again = remeshed(mesh, 64);
        const MeshReport before = inspect(mesh), after = inspect(again);
        EXPECT_TRUE(after.closed);
        EXPECT_EQ(after.flipped_edges, 0u);
        EXPECT_NEAR(after.volume, before.volume, 0.1 * before.volume);
    }
}

Solid solid_of(const TriangleMesh& mesh) {
    Solid out;
    for (const Vec3& v : mesh.vertices) out.points.push_back(wide(v));
    out.triangles = mesh.triangles;
    out.size = 2;
    out.closing = 1e-6;
    return out;
}

Piece whole(const Solid& solid) {
    Piece out;
    out.points = solid.points;
    for (const auto& t : solid.triangles) out.triangles.push_back({t, false});
    weigh(out);
    return out;
}

TEST(Decompose, CutsKeepTheVolumeAndTheWinding) {
    const Solid solid = solid_of(torus_mesh(1, 0.3));
    EXPECT_EQ(solid.winding({1, 0, 0}), 1);
    EXPECT_EQ(solid.winding({0, 0, 0}), 0);
    EXPECT_EQ(solid.winding({-0.7, 0.1, 0.7}), 1);
    const Piece ring = whole(solid);
    const auto halves = cut(solid, ring, {{1, 0, 0}, 0});
    ASSERT_TRUE(halves);
    EXPECT_NEAR(halves->first.volume, ring.volume / 2, 1e-6);
    EXPECT_NEAR(halves->second.volume, ring.volume / 2, 1e-6);
    const auto quarters = cut(solid, halves->second, {normalized(DVec3{0.3, 0.1, 1}), 0.2});
    ASSERT_TRUE(quarters);
    EXPECT_NEAR(quarters->first.volume + quarters->second.volume, ring.volume / 2, 1e-6);
    EXPECT_FALSE(cut(solid, ring, {{1, 0, 0}, 5}));
}

TEST(Decompose, HullsOfCutPiecesHaveTheCornersOfTheCell) {
    const Solid box = solid_of(box_mesh({-1, -1, -1}, {1, 1, 1}));
    Piece block = whole(box);
    for (const DVec3& axis : {DVec3{1, 0, 0}, DVec3{0, 1, 0}, DVec3{0, 0, 1}}) {
        auto both = cut(box, block, {axis, 0.5});
        ASSERT_TRUE(both);
        block = std::move(both->first);
    }
    EXPECT_NEAR(block.volume, 1.5 * 1.5 * 1.5, 1e-9);
    EXPECT_NEAR(block.hull.volume, block.volume, 1e-5);
    EXPECT_EQ(block.corners.size(), 1u);
}

TEST(Decompose, AFaceInThePlaneOfACutBelongsToWhatIsBehindIt) {
    const Solid solid = solid_of(l_shape());
    const auto halves = cut(solid, whole(solid), {{0, 1, 0}, 1});
    ASSERT_TRUE(halves);
    EXPECT_NEAR(halves->first.hull.volume, 2, 1e-5);
    EXPECT_NEAR(halves->second.hull.volume, 1, 1e-5);
    const auto turned = cut(solid, whole(solid), {{0, -1, 0}, -1});
    ASSERT_TRUE(turned);
    EXPECT_NEAR(turned->first.hull.volume, 1, 1e-5);
    EXPECT_NEAR(turned->second.hull.volume, 2, 1e-5);
}

TEST(Decompose, ConcavityIsTheDistanceBetweenHullAndSurface) {
    EXPECT_LT(concavity(whole(solid_of(box_mesh({}, {1, 1, 1}))), 1), 1e-3);
    // a thin ring: nothing is deep, the middle of the hull is far from the surface
    EXPECT_NEAR(concavity(whole(solid_of(torus_mesh(1, 0.1))), 10), 0.9, 0.1);
    // an L: its inner edge is half its depth below the hull
    EXPECT_NEAR(concavity(whole(solid_of(l_shape())), 10), 0.5, 0.01);
}

TEST(Decompose, WorkIsBounded) {
    // without any, the hull of the whole is left; with some, a part of the cuts; the same with any threads
    const TriangleMesh torus = torus_mesh(1, 0.3, 24, 12);
    EXPECT_EQ(decompose(torus, {.max_work = 0}).size(), 1u);
    const std::size_t all = decompose(torus).size();
    const std::size_t some = decompose(torus, {.max_work = 200'000, .threads = 1}).size();
    EXPECT_GT(some, 1u);
    EXPECT_LT(some, all);
    EXPECT_EQ(decompose(torus, {.max_work = 200'000, .threads = 3}).size(), some);
}

TEST(Decompose, AFileOfManyBodiesIsGatheredIntoParts) {
    TriangleMesh crowd;
    for (int x = 0; x < 20; ++x)
        for (int y = 0; y < 10; ++y)
            for (int z = 0; z < 5; ++z) {
                const Vec3 at{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                append(crowd, box_mesh(at, at + Vec3{0.4f, 0.4f, 0.4f}));
            }
    const std::vector<Hull> parts = decompose(crowd, {.max_parts = 4});
    EXPECT_LE(parts.size(), 4u);
    // every box is in one of them
    EXPECT_LT(compare(crowd, parts).uncovered, 0.3);
    for (const Vec3& v : crowd.vertices) EXPECT_TRUE(hold(parts, wide(v), 0.3));
}

TEST(Decompose, BadInputIsRefused) {
    const TriangleMesh box = box_mesh({}, {1, 1, 1});
    const auto refused = [](const TriangleMesh& mesh, const DecomposeOptions& options = {}) {
        return test::error_message([&] { decompose(mesh, options); });
    };
    EXPECT_TRUE(test::contains(refused({}), "no triangles"));
    TriangleMesh bad = box;
    bad.vertices[3].x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(test::contains(refused(bad), "vertex 3 is not finite"));
    bad = box;
    bad.triangles[2][1] = 99;
    EXPECT_TRUE(test::contains(refused(bad), "names vertex 99"));
    bad = box;
    for (Vec3& v : bad.vertices) v = {};
    EXPECT_TRUE(test::contains(refused(bad), "without area"));
    EXPECT_TRUE(test::contains(refused(box, {.concavity = 0}), "concavity"));
    EXPECT_TRUE(test::contains(refused(box, {.max_parts = 0}), "max_parts"));
    EXPECT_TRUE(test::contains(refused(box, {.max_vertices_per_part = 129}), "max_vertices_per_part"));
    EXPECT_TRUE(test::contains(refused(box, {.planes_per_axis = 0}), "planes_per_axis"));
    EXPECT_TRUE(test::contains(refused(box, {.resolution = 4}), "resolution"));
    EXPECT_TRUE(test::contains(refused(box, {.threads = -1}), "threads"));
    World world({});
    const BodyId body = world.create_body();
    const std::vector<Hull> parts{decompose(box)[0], Hull{}};
    EXPECT_THROW(attach_parts(world, body, parts), Error);
    EXPECT_TRUE(world.shapes(body).empty());
}

} // namespace
} // namespace scree
