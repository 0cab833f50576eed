// SPDX-License-Identifier: MIT
// vertex_mesh_test.cpp — a vertex of a cloth and meshes: against all triangles in double precision, with the side from the
// winding number; valleys, ridges, height fields; ways through the surface.
#include "fabric/vertex_support.h"
#include "geometry/triangle_distance.h"
#include "support/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>

namespace scree::test {
namespace {

using scree::testing::box_mesh;
using scree::testing::cup_mesh;
using scree::testing::l_shape;
using scree::testing::soup;
using scree::testing::sphere_mesh;
using scree::testing::torus_mesh;

using Corners = std::array<DVec3, 3>;

/// A mesh with its triangles in double precision, in the frame of the shape; fronts out whatever the scale.
struct Surface {
    NamedShape shape;
    ConvexGeometry geometry;
    std::vector<Corners> triangles;

    Surface(const std::string& name, const TriangleMesh& mesh, Vec3 scale = {1, 1, 1}, bool two_sided = false)
        : shape(name, Mesh::from_triangles(mesh, {.two_sided = two_sided})) {
        place(scale);
        for (const auto& t : mesh.triangles)
            add({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
    }
    explicit Surface(const HeightField& field, Vec3 scale = {1, 1, 1})
        : shape("field", Mesh::from_heights(field)) {
        place(scale);
        const Mesh mesh = Mesh::from_heights(field);
        for (std::size_t k = 0; k < mesh.indices().size(); k += 3)
            add({mesh.vertices()[mesh.indices()[k]], mesh.vertices()[mesh.indices()[k + 1]],
                 mesh.vertices()[mesh.indices()[k + 2]]});
    }

    double nearest(DVec3 p) const {
        double best = 1e30;
        for (const Corners& t : triangles)
            if (!(t[0] == t[1])) best = std::min(best, distance_to_triangle(p, t[0], t[1], t[2]));
        return best;
    }
    /// Solid angles over 4 pi: 1 inside of a closed surface.
    double winding(DVec3 p) const {
        double sum = 0;
        for (const Corners& t : triangles) {
            const DVec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
            const double la = length(a), lb = length(b), lc = length(c);
            sum += 2 * std::atan2(dot(a, cross(b, c)),
                                  la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
        }
        return sum / (4 * std::numbers::pi);
    }
    /// Along the way from a to b: triangles that it passes, by the share of the way; positive: from the front. None where rounding
    /// could decide.
    struct Pass {
        double share;
        bool from_front;
        std::size_t triangle;
    };
    std::optional<std::vector<Pass>> passes(DVec3 a, DVec3 b, double unsure = 1e-5) const {
        std::vector<Pass> all;
        for (std::size_t k = 0; k < triangles.size(); ++k) {
            const Corners& t = triangles[k];
            if (t[0] == t[1]) continue; // of a hole
            const DVec3 n = normalized(cross(t[1] - t[0], t[2] - t[0]));
            const double from = dot(n, a - t[0]), to = dot(n, b - t[0]);
            const bool apart = (from > unsure && to > unsure) || (from < -unsure && to < -unsure);
            if (apart) continue;
            if (std::abs(from) <= unsure || std::abs(to) <= unsure) {
                const double least = std::min(distance_to_triangle(a, t[0], t[1], t[2]),
                                              distance_to_triangle(b, t[0], t[1], t[2]));
                if (least < 10 * unsure || std::abs(from - to) < unsure) return {};
                continue;
            }
            const double share = from / (from - to);
            const DVec3 at = a + share * (b - a);
            double within = 1e30;
            for (std::size_t e = 0; e < 3; ++e) {
                const DVec3 edge = t[(e + 1) % 3] - t[e];
                within = std::min(within, dot(cross(n, edge), at - t[e]) / length(edge));
            }
            if (std::abs(within) < unsure * (1 + length(b - a) / std::abs(from - to))) return {};
            if (within > 0) all.push_back({share, from > 0, k});
        }
        std::sort(all.begin(), all.end(), [](const Pass& x, const Pass& y) { return x.share < y.share; });
        return all;
    }

private:
    void place(Vec3 scale) {
        geometry = shape.placed();
        geometry.size = scale;
    }
    void add(std::array<Vec3, 3> t) {
        const Vec3 s = geometry.size;
        Corners c;
        for (std::size_t k = 0; k < 3; ++k)
            c[k] = {double{t[k].x * s.x}, double{t[k].y * s.y}, double{t[k].z * s.z}};
        if (s.x * s.y * s.z < 0) std::swap(c[1], c[2]);
        triangles.push_back(c);
    }
};

std::vector<Surface> closed_surfaces() {
    std::vector<Surface> all;
    all.emplace_back("box", box_mesh({-0.5f, -0.3f, -0.7f}, {0.5f, 0.3f, 0.7f}));
    all.emplace_back("scaled box", box_mesh({-0.5f, -0.3f, -0.7f}, {0.5f, 0.3f, 0.7f}), Vec3{0.5f, 2, 1.25f});
    all.emplace_back("mirrored box", box_mesh({-0.5f, -0.3f, -0.7f}, {0.5f, 0.3f, 0.7f}), Vec3{1, -1.5f, 1});
    all.emplace_back("torus", torus_mesh(0.7, 0.3, 24, 12));
    all.emplace_back("mirrored torus", torus_mesh(0.7, 0.3, 24, 12), Vec3{-1, -1, -0.5f});
    all.emplace_back("l", l_shape(), Vec3{0.5f, 0.5f, 0.5f});
    all.emplace_back("cup", cup_mesh(12));
    all.emplace_back("sphere", sphere_mesh(0.8f, 3));
    all.emplace_back("soup", soup(sphere_mesh(0.8f, 2)));
    return all;
}

/// Most of them near the surface.
Vec3 some_point(FloatDice& dice, const Surface& s) {
    if (dice.below(4) == 0) return dice.point(1.2f);
    const Corners& t = s.triangles[dice.below(static_cast<std::uint32_t>(s.triangles.size()))];
    double u = double{dice.between(0, 1)}, v = double{dice.between(0, 1)};
    if (u + v > 1) u = 1 - u, v = 1 - v;
    if (dice.below(4) == 0) v = 0; // at an edge
    return narrow(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0])) + dice.point(dice.below(2) ? 0.1f : 0.005f);
}

TEST(VertexMesh, ClosedSurfacesHaveTheDistanceOfAllTrianglesAndTheSideOfTheWindingNumber) {
    double worst = 0;
    for (const Surface& s : closed_surfaces()) {
        SCOPED_TRACE(s.shape.name);
        FloatDice dice(31);
        int inside = 0;
        for (int i = 0; i < 4000; ++i) {
            const Vec3 p = some_point(dice, s);
            const float margin = dice.between(0.01f, 0.2f);
            const double nearest = s.nearest(wide(p));
            const VertexHits hits = hits_of(s.geometry, p, p, margin);
            if (std::abs(nearest - double{margin}) < 1e-6) continue;
            ASSERT_EQ(hits.count > 0, nearest < double{margin}) << nearest << ' ' << margin;
            if (!hits.count) continue;
            const VertexContact& c = hits.hit[0];
            worst = std::max(worst, std::abs(std::abs(double{c.distance}) - nearest));
            ASSERT_NEAR(std::abs(c.distance), nearest, 1e-6);
            ASSERT_NEAR(length(wide(p) - wide(c.point)), nearest, 1e-6);
            ASSERT_NEAR(length(wide(c.normal)), 1, 1e-6);
            if (nearest > 1e-4) {
                ASSERT_LT(length(wide(c.point) + double{c.distance} * wide(c.normal) - wide(p)), 2e-6)
                    << nearest;
            }
            if (nearest < 1e-5) continue;
            ASSERT_EQ(c.distance < 0, s.winding(wide(p)) > 0.5)
                << p.x << ' ' << p.y << ' ' << p.z << ' ' << nearest;
            inside += c.distance < 0;
            // the triangle that it names is that near
            const Corners& t = s.triangles[c.part];
            ASSERT_NEAR(distance_to_triangle(wide(p), t[0], t[1], t[2]), nearest, 1e-6);
        }
        EXPECT_GT(inside, 500);
    }
    RecordProperty("worst_nm", static_cast<int>(worst * 1e9));
}

TEST(VertexMesh, NormalsAreGradientsAndDistancesChangeNoFasterThanPoints) {
    for (const Surface& s : closed_surfaces()) {
        SCOPED_TRACE(s.shape.name);
        FloatDice dice(37);
        const float h = 1e-3f;
        const auto at = [&](Vec3 p) { return hits_of(s.geometry, p, p, 0.5f).hit[0]; };
        int checked = 0;
        for (int i = 0; i < 2500; ++i) {
            const Vec3 p = some_point(dice, s);
            if (s.nearest(wide(p)) > 0.3) continue;
            const VertexContact c = at(p);
            const Vec3 axis[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
            double slope[3];
            bool smooth = true;
            for (int k = 0; k < 3; ++k) {
                const VertexContact ahead = at(p + axis[k]), back = at(p - axis[k]);
                const double change = double{ahead.distance} - back.distance;
                ASSERT_LE(std::abs(change), 2 * double{h} + 2e-6);
                slope[k] = change / (2 * double{h});
                smooth = smooth && dot(wide(ahead.normal), wide(c.normal)) > 0.9995 &&
                         dot(wide(back.normal), wide(c.normal)) > 0.9995;
            }
            if (!smooth) continue;
            ++checked;
            ASSERT_LT(length(DVec3{slope[0], slope[1], slope[2]} - wide(c.normal)), 0.01);
        }
        EXPECT_GT(checked, 300);
    }
}

TEST(VertexMesh, WhatPassedTheSurfaceFromItsFrontIsHeldBack) {
    for (const Surface& s : closed_surfaces()) {
        SCOPED_TRACE(s.shape.name);
        FloatDice dice(41);
        int held = 0, unsure = 0, wrong = 0;
        for (int i = 0; i < 4000; ++i) {
            const Vec3 before = dice.point(1.2f), p = i & 1 ? some_point(dice, s) : dice.point(1.2f);
            const auto passes = s.passes(wide(before), wide(p));
            if (!passes) {
                ++unsure;
                continue;
            }
            const auto first =
                std::find_if(passes->begin(), passes->end(), [](const auto& x) { return x.from_front; });
            const VertexHits hits = hits_of(s.geometry, p, before, 0.02f);
            if (first == passes->end()) {
                const double nearest = s.nearest(wide(p));
                if (std::abs(nearest - 0.02) > 1e-6 && (hits.count > 0) != (nearest < 0.02)) ++wrong;
                continue;
            }
            ++held;
            ASSERT_GT(hits.count, 0);
            const VertexContact& c = hits.hit[0];
            ASSERT_LT(c.distance, 0);
            // it came from the front of what holds it
            ASSERT_GE(dot(wide(c.normal), wide(before) - wide(c.point)), -1e-6);
        }
        EXPECT_GT(held, 300);
        // at saddles a way that only grazes the surface may count as one through it
        EXPECT_LE(wrong, 12);
        EXPECT_LT(unsure, 400);
    }
}

TEST(VertexMesh, TwoSidedTrianglesPushToTheSideOfBefore) {
    const Surface s("sheet", torus_mesh(0.7, 0.3, 24, 12), {1, 1, 1}, true);
    FloatDice dice(43);
    int held = 0, free = 0;
    for (int i = 0; i < 8000; ++i) {
        const Vec3 p = some_point(dice, s), before = p + dice.point(i & 1 ? 0.3f : 0.02f);
        const auto passes = s.passes(wide(before), wide(p));
        if (!passes) continue;
        const VertexHits hits = hits_of(s.geometry, p, before, 0.05f);
        const double nearest = s.nearest(wide(p));
        if (passes->empty()) {
            if (std::abs(nearest - 0.05) < 1e-6) continue;
            ASSERT_EQ(hits.count > 0, nearest < 0.05);
            if (!hits.count) continue;
            ++free;
            ASSERT_NEAR(hits.hit[0].distance, nearest, 1e-6);
        } else {
            ++held;
            ASSERT_GT(hits.count, 0);
            ASSERT_LT(hits.hit[0].distance, 0);
            ASSERT_GE(dot(wide(hits.hit[0].normal), wide(before) - wide(hits.hit[0].point)), -1e-6);
        }
    }
    EXPECT_GT(held, 500);
    EXPECT_GT(free, 500);
}

/// Two triangles share each edge: what passes exactly there is not lost between them.
TEST(VertexMesh, NothingPassesBetweenTriangles) {
    for (const Surface& s : closed_surfaces()) {
        SCOPED_TRACE(s.shape.name);
        FloatDice dice(47);
        for (int i = 0; i < 3000; ++i) {
            const Corners& t = s.triangles[dice.below(static_cast<std::uint32_t>(s.triangles.size()))];
            const std::uint32_t e = dice.below(3);
            const double along = i % 3 ? double{dice.between(0, 1)} : 0; // or at a corner
            const Vec3 target = narrow(t[e] + along * (t[(e + 1) % 3] - t[e]));
            // from outside to inside
            const Vec3 before = target + dice.point(0.05f), p = target + (target - before);
            if (!(s.winding(wide(before)) < 0.1 && s.nearest(wide(before)) > 1e-3)) continue;
            if (!(s.winding(wide(p)) > 0.9 && s.nearest(wide(p)) > 1e-3)) continue;
            const VertexHits hits = hits_of(s.geometry, p, before, 1e-4f);
            ASSERT_GT(hits.count, 0);
            ASSERT_LT(hits.hit[0].distance, 0);
        }
    }
}

TriangleMesh grid(int cells, float size, const std::function<float(float, float)>& height) {
    TriangleMesh mesh;
    for (int r = 0; r <= cells; ++r)
        for (int c = 0; c <= cells; ++c) {
            const float x = size * (static_cast<float>(c) / static_cast<float>(cells) - 0.5f),
                        z = size * (static_cast<float>(r) / static_cast<float>(cells) - 0.5f);
            mesh.vertices.push_back({x, height(x, z), z});
        }
    const auto at = [&](int c, int r) { return static_cast<std::uint32_t>(r * (cells + 1) + c); };
    for (int r = 0; r < cells; ++r)
        for (int c = 0; c < cells; ++c)
            scree::testing::quad(mesh, at(c, r), at(c, r + 1), at(c + 1, r + 1), at(c + 1, r));
    return mesh;
}

TEST(VertexMesh, AFloorOfManyTrianglesIsOneContact) {
    for (const bool two_sided : {false, true}) {
        const Surface s("floor", grid(20, 2, [](float, float) { return 0.0f; }), {1, 1, 1}, two_sided);
        FloatDice dice(53);
        for (int i = 0; i < 5000; ++i) {
            Vec3 p{dice.between(-0.9f, 0.9f), dice.between(-0.04f, 0.1f), dice.between(-0.9f, 0.9f)};
            if (i % 3 == 0) p.x = s.shape.geometry.size.x * 0.1f * std::round(p.x * 10); // above edges
            if (i % 5 == 0) p.z = 0.1f * std::round(p.z * 10);
            const Vec3 before{p.x + dice.between(-0.1f, 0.1f), std::abs(p.y) + 0.01f, p.z};
            const VertexHits hits = hits_of(s.geometry, p, before, 0.2f);
            ASSERT_EQ(hits.count, 1);
            ASSERT_NEAR(hits.hit[0].distance, p.y, 1e-6f);
            ASSERT_NEAR(hits.hit[0].normal.y, 1, 1e-6f);
        }
    }
}

TEST(VertexMesh, AValleyPushesBothWays) {
    const float slope = 0.8f, lean = std::sqrt(1 + slope * slope);
    for (const bool two_sided : {false, true}) {
        const Surface s("valley", grid(16, 2, [&](float x, float) { return slope * std::abs(x); }), {1, 1, 1},
                        two_sided);
        FloatDice dice(59);
        for (int i = 0; i < 3000; ++i) {
            const float x = dice.between(0.002f, 0.04f), z = dice.between(-0.9f, 0.9f);
            const Vec3 p{x, slope * x + dice.between(0.001f, 0.05f), z};
            const VertexHits hits = hits_of(s.geometry, p, p, 0.2f);
            ASSERT_EQ(hits.count, 2);
            EXPECT_NEAR(hits.hit[0].normal.x, -slope / lean, 1e-5f);
            EXPECT_NEAR(hits.hit[1].normal.x, slope / lean, 1e-5f);
            EXPECT_NEAR(hits.hit[0].distance, (p.y - slope * x) / lean, 1e-6f);
            EXPECT_NEAR(hits.hit[1].distance, (p.y + slope * x) / lean, 1e-6f);
            // from above to below both slopes
            const VertexHits through = hits_of(s.geometry, {x, -0.01f, z}, {x, 0.2f, z}, 0.2f);
            ASSERT_GE(through.count, 1);
            ASSERT_LT(through.hit[0].distance, 0);
            for (int k = 0; k < through.count; ++k) ASSERT_GT(through.hit[k].normal.y, 0.7f);
        }
        // a ridge from outside is one contact
        const Surface ridge("ridge", grid(16, 2, [&](float x, float) { return -slope * std::abs(x); }),
                            {1, 1, 1}, two_sided);
        int twice = 0;
        for (int i = 0; i < 3000; ++i) {
            const Vec3 p{dice.between(-0.2f, 0.2f), dice.between(0.01f, 0.15f), dice.between(-0.9f, 0.9f)};
            twice += hits_of(ridge.geometry, p, p, 0.3f).count != 1;
        }
        EXPECT_LE(twice, 30);
    }
}

TEST(VertexMesh, HeightFieldsPushUp) {
    HeightField field{.columns = 33, .rows = 25, .spacing = 0.1f, .heights = {}};
    FloatDice dice(61);
    for (std::uint32_t i = 0; i < field.columns * field.rows; ++i)
        field.heights.push_back(dice.between(-0.08f, 0.08f));
    field.heights[5 * 33 + 7] = NAN; // a hole
    for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{2, 0.5f, 1}}) {
        const Surface s(field, scale);
        int below = 0, fast = 0;
        for (int i = 0; i < 1600; ++i) {
            const Vec3 p = some_point(dice, s);
            const auto up = s.passes({p.x, double{p.y} + 10, p.z}, wide(p));
            if (!up || s.nearest(wide(p)) < 1e-5) continue;
            const bool is_below = !up->empty();
            const Vec3 before{p.x, p.y + (is_below ? 3.0f : 0.0f), p.z};
            const VertexHits hits = hits_of(s.geometry, p, before, 0.03f);
            if (!is_below) continue;
            ASSERT_GT(hits.count, 0);
            ASSERT_LT(hits.hit[0].distance, 0);
            ASSERT_GT(hits.hit[0].normal.y, 0);
            ++below;
            // as deep as it is, where that is near, or by the triangle that it passed
            const double nearest = s.nearest(wide(p));
            if (nearest > 0.03) {
                ++fast;
                ASSERT_EQ(hits.hit[0].part, up->front().triangle);
            }
        }
        EXPECT_GT(below, 320);
        EXPECT_GT(fast, 20);
        // in the hole there is nothing
        const Vec3 hole{(7 - 16) * 0.1f * scale.x, 0, (5 - 12) * 0.1f * scale.z};
        EXPECT_EQ(hits_of(s.geometry, hole, {hole.x, 1, hole.z}, 0.02f).count, 0);
    }
}

TEST(VertexMesh, BehindABorderOfOneSideIsNothing) {
    const Surface s("floor", grid(4, 2, [](float, float) { return 0.0f; }));
    FloatDice dice(73);
    for (int i = 0; i < 2000; ++i) {
        // beside, above corners of triangles too, and beyond the floor's corner
        const Vec3 p{1 + dice.between(0.001f, 0.2f), -dice.between(0.001f, 0.2f),
                     i % 3 ? dice.between(-1.2f, 1.2f) : 0.5f};
        ASSERT_EQ(hits_of(s.geometry, p, p, 1).count, 0);
    }
    const VertexHits above = hits_of(s.geometry, {1.03f, 0.04f, 0.1f}, {1.03f, 0.04f, 0.1f}, 0.2f);
    ASSERT_EQ(above.count, 1);
    EXPECT_NEAR(above.hit[0].distance, 0.05f, 1e-6f);
    EXPECT_NEAR(above.hit[0].normal.x, 0.6f, 1e-5f);
    // from behind to the front nothing holds it
    EXPECT_GT(hits_of(s.geometry, {0.1f, 0.05f, 0}, {0.1f, -0.5f, 0}, 0.2f).hit[0].distance, 0);
    // around the border of two sides it is free
    const Surface both("sheet", grid(4, 2, [](float, float) { return 0.0f; }), {1, 1, 1}, true);
    const VertexHits under = hits_of(both.geometry, {0.9f, -0.05f, 0}, {1.4f, 0.02f, 0}, 0.2f);
    ASSERT_EQ(under.count, 1);
    EXPECT_NEAR(under.hit[0].distance, 0.05f, 1e-6f);
    EXPECT_NEAR(under.hit[0].normal.y, -1, 1e-6f);
}

TEST(VertexMesh, AThinClosedPlateHoldsWhatFallsOnIt) {
    const Surface s("plate", box_mesh({-0.5f, -0.0005f, -0.5f}, {0.5f, 0.0005f, 0.5f}));
    FloatDice dice(67);
    for (int i = 0; i < 3000; ++i) {
        const Vec3 before{dice.between(-0.4f, 0.4f), dice.between(0.001f, 0.3f), dice.between(-0.4f, 0.4f)};
        const Vec3 p{before.x + dice.between(-0.05f, 0.05f), dice.between(i & 1 ? -0.2f : -0.0004f, 0.0004f),
                     before.z};
        const VertexHits hits = hits_of(s.geometry, p, before, 0.01f);
        ASSERT_GT(hits.count, 0);
        ASSERT_NEAR(hits.hit[0].normal.y, 1, 1e-6f);
        ASSERT_NEAR(hits.hit[0].distance, p.y - 0.0005f, 1e-6f);
    }
}

TEST(VertexMesh, FiniteInputGivesFiniteUnitNormals) {
    TriangleMesh thin = box_mesh({-0.5f, -0.3f, -0.7f}, {0.5f, 0.3f, 0.7f});
    const auto first = static_cast<std::uint32_t>(thin.vertices.size());
    thin.vertices.insert(
        thin.vertices.end(),
        {{0, 0.5f, 0}, {1, 0.5f, 0}, {0.5f, 0.50002f, 0}, {0, 0.6f, 0}, {1, 0.6f, 0}, {2, 0.6f, 0}});
    thin.triangles.push_back({first, first + 1, first + 2});
    thin.triangles.push_back({first + 3, first + 4, first + 5});
    const float numbers[] = {0.0f,   -0.0f,   0.5f,   -0.5f, 0.3f, -0.7f, 0.6f,    0.7f,
                             1e-20f, -1e-24f, 1e-45f, 1e-7f, 1e5f, 1e12f, FLT_MAX, -FLT_MAX};
    FloatDice dice(71);
    const auto number = [&] { return numbers[dice.below(static_cast<std::uint32_t>(std::size(numbers)))]; };
    const Vec3 scales[] = {{1, 1, 1}, {1, 1e-5f, 1}, {1e-6f, 1e-6f, 1e-6f}, {-1, 1, 1}, {1e8f, 1e8f, 1e8f}};
    for (const bool two_sided : {false, true})
        for (const Vec3& scale : scales) {
            const Surface s("thin", thin, scale, two_sided);
            for (int i = 0; i < 8000; ++i) {
                const Vec3 p{number(), number(), number()}, before{number(), number(), number()};
                const VertexHits hits =
                    hits_of(s.geometry, p, i & 1 ? before : p, dice.below(2) ? 0.01f : 1e6f);
                for (int k = 0; k < hits.count; ++k) {
                    const VertexContact& c = hits.hit[k];
                    ASSERT_TRUE(std::isfinite(c.distance) && std::isfinite(c.point.x) &&
                                std::isfinite(c.point.y) && std::isfinite(c.point.z));
                    ASSERT_NEAR(length(wide(c.normal)), 1, 1e-5);
                }
            }
        }
}

} // namespace
} // namespace scree::test
