// SPDX-License-Identifier: MIT
// vertex_convex_test.cpp — a vertex of a cloth and convex shapes: distances against support functions in long double, ways
// through thin shapes, points where normals are not unique.
//
// The signed distance of a point p from a convex set with the support function h is the greatest n.p - h(n) of all unit
// vectors n. So a normal proves a lower bound, and a point of the set an upper one.
// compiled alone
#include "fabric/vertex_support.h"
#include "support/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <iterator>

#define SCREE_LANES 1
namespace scree::vertex_test_kernels {
// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/rotation.h"
#include "kernels/convex_all.h"
#include "kernels/fabric_words.h"
#include "kernels/fabric_convex.h"
#include "kernels/fabric_mesh.h"
#include "kernels/fabric_shape.h"
// clang-format on
} // namespace scree::vertex_test_kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE

namespace scree::test {
namespace {

using Long = long double;

/// How far the shape reaches along n.
Long support(const ConvexGeometry& g, DVec3 n) {
    const Long across = std::sqrt(Long{n.x} * n.x + Long{n.z} * n.z),
               size = std::sqrt(across * across + Long{n.y} * n.y);
    const Long half = g.size.y, radius = g.radius;
    if (g.type == ShapeType::sphere) return radius * size;
    if (g.type == ShapeType::capsule) return half * std::abs(n.y) + radius * size;
    if (g.type == ShapeType::cylinder) return half * std::abs(n.y) + radius * across;
    if (g.type == ShapeType::cone) return std::max(half * n.y, -half * n.y + radius * across);
    if (g.type == ShapeType::box)
        return Long{g.size.x} * std::abs(n.x) + half * std::abs(n.y) + Long{g.size.z} * std::abs(n.z);
    if (g.type == ShapeType::plane) return n.y > 0.999999 ? 0 : 1e30L;
    Long most = -1e30L;
    const auto number = [&](std::size_t at) {
        float x;
        std::memcpy(&x, &g.hull[at], 4);
        return Long{x};
    };
    for (std::size_t v = 0; v < g.hull[0]; ++v)
        most = std::max(most, n.x * number(4 + 4 * v) + n.y * number(5 + 4 * v) + n.z * number(6 + 4 * v));
    return most;
}
Long height(const ConvexGeometry& g, Vec3 p, DVec3 n) {
    return (Long{n.x} * p.x + Long{n.y} * p.y) + Long{n.z} * p.z - support(g, n);
}

/// With the normals of all faces, where it has some.
std::vector<DVec3> directions(const ConvexGeometry& g, int count) {
    std::vector<DVec3> all;
    for (int i = 0; i < count; ++i) all.push_back(direction(i, count));
    for (int a = -1; a <= 1; a += 2) {
        const double x = a;
        all.insert(all.end(), {{x, 0, 0}, {0, x, 0}, {0, 0, x}});
    }
    for (std::size_t f = 0; g.type == ShapeType::hull && f < g.hull[1]; ++f) {
        float n[3];
        std::memcpy(n, &g.hull[4 + 4 * (g.hull[0] + f)], 12);
        all.push_back(normalized(DVec3{n[0], n[1], n[2]}));
    }
    return all;
}

constexpr float everywhere = 1e6f;

VertexContact at(const ConvexGeometry& g, Vec3 p) {
    const VertexHits hits = hits_of(g, p, p, everywhere);
    EXPECT_EQ(hits.count, 1);
    return hits.hit[0];
}

/// Random points, most of them near the surface.
Vec3 some_point(FloatDice& dice, const ConvexGeometry& g) {
    const Vec3 p = dice.point(1.2f);
    if (dice.below(3) == 0) return p;
    const VertexContact c = at(g, p);
    return c.point + dice.between(-0.02f, 0.02f) * c.normal;
}

class EveryConvexShape : public ::testing::TestWithParam<int> {
protected:
    const NamedShape shape = convex_shapes()[static_cast<std::size_t>(GetParam())];
    const ConvexGeometry geometry = shape.placed();
};

TEST_P(EveryConvexShape, DistancesAreThoseOfTheSupportFunction) {
    FloatDice dice(7);
    const std::vector<DVec3> sweep = directions(geometry, 600);
    Long worst = 0;
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 p = some_point(dice, geometry);
        const VertexContact c = at(geometry, p);
        const DVec3 n = wide(c.normal);
        ASSERT_NEAR(length(n), 1, 1e-6);
        // what the normal proves
        const Long proven = height(geometry, p, normalized(n));
        worst = std::max(worst, std::abs(proven - c.distance));
        ASSERT_NEAR(static_cast<double>(proven), c.distance, 2e-6)
            << shape.name << " at " << p.x << ' ' << p.y << ' ' << p.z;
        // its point is that far away, and on the surface
        ASSERT_NEAR(length(wide(p) - wide(c.point)), std::abs(c.distance), 1e-6);
        ASSERT_NEAR(dot(wide(p) - wide(c.point), n), c.distance, 1e-6);
        Long out = -1e30L;
        for (const DVec3& d : sweep) out = std::max(out, height(geometry, c.point, d));
        ASSERT_LT(out, 1e-6L) << shape.name << ": its point is outside";
        if (!(c.distance < 0)) continue;
        ++inside;
        for (const DVec3& d : sweep)
            ASSERT_LE(height(geometry, p, d), c.distance + 1e-6L) << shape.name << ": a shorter way";
    }
    EXPECT_GT(inside, 100);
    RecordProperty("worst_nm", static_cast<int>(worst * 1e9L));
}

TEST_P(EveryConvexShape, DistancesChangeNoFasterThanPoints) {
    FloatDice dice(11);
    for (int i = 0; i < 5000; ++i) {
        const Vec3 a = some_point(dice, geometry), b = a + dice.point(i & 1 ? 0.5f : 1e-3f);
        const double change = std::abs(double{at(geometry, a).distance} - double{at(geometry, b).distance});
        ASSERT_LE(change, length(wide(a) - wide(b)) + 1e-6) << shape.name;
    }
}

TEST_P(EveryConvexShape, NormalsAreGradients) {
    FloatDice dice(13);
    int checked = 0;
    const float h = 2e-3f;
    for (int i = 0; i < 4000; ++i) {
        const Vec3 p = dice.point(1.1f);
        const VertexContact c = at(geometry, p);
        if (std::abs(c.distance) < 0.05f && i % 4) continue;
        const Vec3 axis[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
        double slope[3];
        bool smooth = true;
        for (int k = 0; k < 3; ++k) {
            const VertexContact ahead = at(geometry, p + axis[k]), back = at(geometry, p - axis[k]);
            slope[k] = (double{ahead.distance} - back.distance) / (2 * double{h});
            // another way out is shorter there, or a round part is near
            smooth = smooth && dot(wide(ahead.normal), wide(c.normal)) > 0.9995 &&
                     dot(wide(back.normal), wide(c.normal)) > 0.9995;
        }
        if (!smooth) continue;
        ++checked;
        const double error = length(DVec3{slope[0], slope[1], slope[2]} - wide(c.normal));
        ASSERT_LT(error, 0.02) << shape.name << " at " << p.x << ' ' << p.y << ' ' << p.z;
    }
    EXPECT_GT(checked, 500);
}

TEST_P(EveryConvexShape, FiniteInputGivesFiniteUnitNormals) {
    const float numbers[] = {0.0f,  -0.0f,  0.5f,    -0.5f,  0.3f,    -0.8f,   0.4f,   0.6f,
                             -0.6f, 0.001f, -0.001f, 1e-20f, -1e-20f, 1e-24f,  1e-40f, -1e-45f,
                             1e-8f, 1e5f,   1e12f,   -1e30f, FLT_MAX, -FLT_MAX};
    const float margins[] = {0.0f, 0.01f, 1e6f, FLT_MAX};
    const std::size_t count = std::size(numbers);
    FloatDice dice(17);
    const auto number = [&] { return numbers[dice.below(count)]; };
    for (int i = 0; i < 60000; ++i) {
        Vec3 p{number(), number(), number()}, before{number(), number(), number()};
        if (i < static_cast<int>(count * count * count)) {
            const auto k = static_cast<std::size_t>(i);
            p = {numbers[k % count], numbers[k / count % count], numbers[k / count / count]};
        }
        const VertexHits hits = hits_of(geometry, p, before, margins[dice.below(4)]);
        for (int k = 0; k < hits.count; ++k) {
            const VertexContact& c = hits.hit[k];
            ASSERT_TRUE(std::isfinite(c.distance) && std::isfinite(c.point.x) && std::isfinite(c.point.y) &&
                        std::isfinite(c.point.z));
            ASSERT_NEAR(length(wide(c.normal)), 1, 1e-5)
                << shape.name << " at " << p.x << ' ' << p.y << ' ' << p.z;
        }
    }
}

/// What never touches the shape on its way has the contact of where it is; what ends inside is pushed back to the side where it
/// came from, and so is what went through.
TEST_P(EveryConvexShape, WaysThroughItEndOnTheSideTheyCameFrom) {
    FloatDice dice(19);
    const auto distance = [&](DVec3 p) { return at(geometry, narrow(p)).distance; };
    int through = 0, missed = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 from = dice.point(1.1f);
        const VertexContact aim = at(geometry, dice.point(0.7f));
        // on through a point of the surface, or close by it
        const DVec3 target = wide(aim.point) + wide(dice.point(0.1f));
        const Vec3 to = narrow(target + (target - wide(from)) * double{dice.between(0, 1)});
        if (!(distance(wide(from)) > 1e-4f)) continue;
        float nearest = 1, first = 2;
        for (int k = 0; k <= 400; ++k) {
            const double t = k / 400.0;
            const float d = distance(wide(from) + t * (wide(to) - wide(from)));
            nearest = std::min(nearest, d);
            if (d < 0 && first > 1) first = static_cast<float>(t);
        }
        VertexContact entry;
        const bool entered = vertex_entry(geometry, from, to, entry);
        if (nearest < -1e-5f) {
            ++through;
            ASSERT_TRUE(entered) << shape.name;
        }
        const double way = length(wide(to) - wide(from));
        if (entered) {
            // on the surface, on the way, and the first such place
            ASSERT_NEAR(distance(wide(entry.point)), 0, 2e-6);
            const double t = dot(wide(entry.point) - wide(from), wide(to) - wide(from)) / (way * way);
            ASSERT_LE(t, first + 1e-4);
            ASSERT_LT(length(wide(from) + t * (wide(to) - wide(from)) - wide(entry.point)), 5e-6);
            ASSERT_LT(dot(wide(entry.normal), wide(to) - wide(from)), 0);
            ASSERT_NEAR(entry.distance, dot(wide(entry.normal), wide(to) - wide(entry.point)), 1e-6);
        }
        const VertexHits hits = hits_of(geometry, to, from, 0.02f);
        if (double{nearest} > 1e-4 + way / 800) { // looks are that far apart
            ++missed;
            ASSERT_FALSE(entered);
            ASSERT_EQ(hits.count, distance(wide(to)) <= 0.02f);
            if (hits.count) {
                ASSERT_EQ(hits.hit[0].distance, distance(wide(to)));
            }
        } else if (nearest < -1e-4f && distance(wide(to)) < 0) {
            ASSERT_EQ(hits.count, 1);
            ASSERT_LT(hits.hit[0].distance, 0);
            // the normal's plane parts the beginning from the end, or is much like that of the place where it came in
            ASSERT_TRUE(dot(wide(hits.hit[0].normal), wide(from) - wide(hits.hit[0].point)) >= -1e-6 ||
                        dot(wide(hits.hit[0].normal), wide(entry.normal)) > 0.49)
                << shape.name;
        }
    }
    EXPECT_GT(through, 150) << shape.name;
    if (shape.name != "plane") {
        EXPECT_GT(missed, 150) << shape.name;
    }
}

/// The library's hits, and those of the same kernels as the tests are compiled.
void expect_equal_bits(const ConvexGeometry& g, Vec3 p, Vec3 before) {
    namespace k = vertex_test_kernels;
    const k::ConvexShape same{static_cast<k::u32>(g.type), {g.size.x, g.size.y, g.size.z}, g.radius, g.hull};
    const VertexHits a = hits_of(g, p, before, 0.1f);
    k::FabricHit b[2];
    const k::u32 count = k::fabric_shape_hit(same, {p.x, p.y, p.z}, {before.x, before.y, before.z}, 0.1f, b);
    ASSERT_EQ(static_cast<k::u32>(a.count), count);
    for (k::u32 i = 0; i < count; ++i) ASSERT_EQ(std::memcmp(&a.hit[i], &b[i], sizeof b[i]), 0);
}

TEST_P(EveryConvexShape, BitsAreThoseOfUnoptimisedCode) {
    FloatDice dice(23);
    for (int i = 0; i < 5000; ++i) {
        const Vec3 p = some_point(dice, geometry);
        ASSERT_NO_FATAL_FAILURE(expect_equal_bits(geometry, p, p + dice.point(i & 1 ? 0.5f : 0.01f)));
    }
}

TEST(VertexMesh, BitsAreThoseOfUnoptimisedCode) {
    for (const bool two_sided : {false, true}) {
        const NamedShape torus("torus", Mesh::from_triangles(scree::testing::torus_mesh(0.7, 0.3, 24, 12),
                                                             {.two_sided = two_sided}));
        FloatDice dice(23);
        for (int i = 0; i < 5000; ++i) {
            const Vec3 p = dice.point(1);
            ASSERT_NO_FATAL_FAILURE(
                expect_equal_bits(torus.placed(), p, p + dice.point(i & 1 ? 0.5f : 0.01f)));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(VertexContact, EveryConvexShape,
                         ::testing::Range(0, static_cast<int>(convex_shapes().size())),
                         [](const auto& which) {
                             std::string name = convex_shapes()[static_cast<std::size_t>(which.param)].name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

// known answers --------------------------------------------------------------------------------------------------------

void expect_hit(const ConvexGeometry& g, Vec3 p, Vec3 before, Vec3 normal, float distance) {
    const VertexHits hits = hits_of(g, p, before, 1);
    ASSERT_EQ(hits.count, 1);
    const VertexContact& c = hits.hit[0];
    EXPECT_LT(length(wide(c.normal) - wide(normal)), 1e-6)
        << c.normal.x << ' ' << c.normal.y << ' ' << c.normal.z;
    EXPECT_NEAR(c.distance, distance, 1e-6f);
}

TEST(VertexContact, WhereNoWayOutIsShorterItIsTheWayBack) {
    const ConvexGeometry sphere{ShapeType::sphere, {}, 0.5f, nullptr},
        capsule{ShapeType::capsule, {0, 1, 0}, 0.5f, nullptr},
        cylinder{ShapeType::cylinder, {0, 2, 0}, 0.5f, nullptr},
        box{ShapeType::box, {1, 0.25f, 1}, 0, nullptr}, cone{ShapeType::cone, {0, 2, 0}, 0.5f, nullptr};
    expect_hit(sphere, {0, 0, 0}, {0, 0, -2}, {0, 0, -1}, -0.5f);
    expect_hit(sphere, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, -0.5f);
    expect_hit(capsule, {0, 0.5f, 0}, {3, 0, 0}, {1, 0, 0}, -0.5f);
    expect_hit(capsule, {0, 0.5f, 0}, {0, 0.5f, 0}, {1, 0, 0}, -0.5f);
    expect_hit(cylinder, {0, 0.5f, 0}, {0, 0, -3}, {0, 0, -1}, -0.5f);
    expect_hit(box, {0, 0, 0}, {0, -1, 0}, {0, -1, 0}, -0.25f);
    expect_hit(box, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}, -0.25f);
    const float slant = std::sqrt(16.25f);
    expect_hit(cone, {0, 1.8f, 0}, {0, 1.8f, 2}, {0, 0.5f / slant, 4 / slant}, -0.2f * 0.5f / slant);
}

TEST(VertexContact, PointsOnTheSurfaceHaveTheNormalOfTheirFace) {
    const ConvexGeometry box{ShapeType::box, {1, 0.5f, 1}, 0, nullptr};
    expect_hit(box, {0.25f, 0.5f, 0}, {0.25f, 0.5f, 0}, {0, 1, 0}, 0);
    const NamedShape hull("hull", box_hull({1, 0.5f, 1}));
    expect_hit(hull.placed(), {0.25f, 0.5f, 0}, {0.25f, 0.5f, 0}, {0, 1, 0}, 0);
    const ConvexGeometry disc{ShapeType::cylinder, {0, 0.5f, 0}, 1, nullptr};
    expect_hit(disc, {0.25f, -0.5f, 0}, {0.25f, -0.5f, 0}, {0, -1, 0}, 0);
    // on an edge: of one of its faces
    const VertexContact edge = at(hull.placed(), {1, 0.5f, 0.3f});
    EXPECT_EQ(std::abs(edge.normal.x) + std::abs(edge.normal.y), 1);
    EXPECT_EQ(edge.distance, 0);
}

TEST(VertexContact, AVertexThatWentThroughAPlateIsHeldByTheFaceItMet) {
    for (const NamedShape& plate : {convex_shapes()[3], convex_shapes()[5], convex_shapes()[12]}) {
        SCOPED_TRACE(plate.name);
        expect_hit(plate.placed(), {0.1f, -0.3f, 0.1f}, {0.1f, 0.2f, 0.1f}, {0, 1, 0}, -0.301f);
        expect_hit(plate.placed(), {0.1f, 0.3f, 0.1f}, {0.1f, -0.2f, 0.1f}, {0, -1, 0}, -0.301f);
        // inside, nearer to the other face
        expect_hit(plate.placed(), {0.1f, -0.0005f, 0.1f}, {0.1f, 0.2f, 0.1f}, {0, 1, 0}, -0.0015f);
        // from hardly inside
        expect_hit(plate.placed(), {0.1f, -0.1f, 0.1f}, {0.1f, 0.0009f, 0.1f}, {0, 1, 0}, -0.101f);
        // around it
        expect_hit(plate.placed(), {0, -0.3f, 0}, {0, -0.2f, 1.5f}, {0, -1, 0}, 0.299f);
    }
}

TEST(VertexContact, NothingBeyondTheMargin) {
    for (const NamedShape& shape : convex_shapes()) {
        const ConvexGeometry g = shape.placed();
        FloatDice dice(29);
        for (int i = 0; i < 500; ++i) {
            const Vec3 p = dice.point(1.5f);
            const float distance = at(g, p).distance;
            EXPECT_EQ(hits_of(g, p, p, 0.05f).count, distance <= 0.05f) << shape.name;
        }
    }
}

} // namespace
} // namespace scree::test
