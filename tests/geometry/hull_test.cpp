// SPDX-License-Identifier: MIT
// hull_test.cpp — the hull builder: closed, convex and complete on regular, random and nasty clouds; errors that say which.
#include "geometry/hull.h"
#include "support/double_vector.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace scree {
namespace {

using test::contains;
using test::operator*;
using Cloud = std::vector<Vec3>;

Cloud cube(double half) {
    Cloud out;
    for (int i = 0; i < 8; ++i)
        out.push_back(narrow(DVec3{i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half}));
    return out;
}

Cloud moved(Cloud points, DVec3 by, DQuat rotation = {}, DVec3 scale = {1, 1, 1}) {
    const test::DMatrix r = test::matrix(normalized(rotation));
    for (Vec3& p : points) p = narrow(by + r * DVec3{scale.x * p.x, scale.y * p.y, scale.z * p.z});
    return points;
}

const DQuat askew{.x = 0.3, .y = -0.5, .z = 0.4, .s = 0.7};

Cloud cube_surface(int n, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> along(-0.5, 0.5);
    Cloud out = cube(0.5);
    for (int i = 0; i < n; ++i) {
        double p[3] = {along(random), along(random), along(random)};
        p[i % 3] = i % 2 ? 0.5 : -0.5;
        if (i % 7 == 0) p[(i + 1) % 3] = 0.5; // on an edge
        out.push_back(narrow(DVec3{p[0], p[1], p[2]}));
    }
    std::shuffle(out.begin(), out.end(), random);
    return out;
}

Cloud ball(int n, std::uint32_t seed, bool surface) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> along(-1, 1);
    Cloud out;
    while (static_cast<int>(out.size()) < n) {
        const DVec3 p{along(random), along(random), along(random)};
        const double l = length(p);
        if (l > 1 || l < 0.01) continue;
        out.push_back(narrow((surface ? 1 / l : 1) * p));
    }
    return out;
}

Cloud prism(int sides, double radius, double half_height) {
    Cloud out;
    for (int i = 0; i < sides; ++i) {
        const double a = 2 * M_PI * i / sides;
        for (double y : {-half_height, half_height})
            out.push_back(narrow(DVec3{radius * std::cos(a), y, radius * std::sin(a)}));
    }
    return out;
}

Cloud jittered(Cloud points, double by, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> along(-by, by);
    for (Vec3& p : points) p = narrow(wide(p) + DVec3{along(random), along(random), along(random)});
    return points;
}

/// Everything that a hull of these points must be.
void expect_sound(const Hull& hull, const Cloud& points) {
    ASSERT_TRUE(hull);
    const HullGeometry& g = hull.geometry();
    const double tolerance = hull_tolerance(points);
    const std::uint32_t V = g.vertex_count(), F = g.face_count(), E = g.edge_count();
    EXPECT_LE(V, 128u);
    EXPECT_LE(F, 128u);
    EXPECT_EQ(int(V) - int(E) + int(F), 2);

    // vertices are points, each once
    for (std::uint32_t v = 0; v < V; ++v) {
        EXPECT_NE(std::find(points.begin(), points.end(), g.vertices[v]), points.end());
        EXPECT_EQ(std::count(g.vertices.begin(), g.vertices.end(), g.vertices[v]), 1);
        EXPECT_GE(g.radius, length(wide(g.vertices[v])));
    }

    // each face is flat and runs counter-clockwise; each directed edge belongs to one face
    std::set<std::vector<std::uint32_t>> directed;
    std::vector<int> faces_at(V);
    for (std::uint32_t f = 0; f < F; ++f) {
        const DVec3 n{g.planes[4 * f], g.planes[4 * f + 1], g.planes[4 * f + 2]};
        const double d = g.planes[4 * f + 3];
        EXPECT_NEAR(length(n), 1, 1e-6);
        const auto loop = g.face(f);
        ASSERT_GE(loop.size(), 3u);
        DVec3 area;
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t a = loop[k], b = loop[(k + 1) % loop.size()];
            EXPECT_TRUE(directed.insert({a, b, f}).second);
            ++faces_at[a];
            EXPECT_NEAR(dot(n, wide(g.vertices[a])), d, 3 * tolerance) << "face " << f;
            area += cross(wide(g.vertices[a]) - wide(g.vertices[loop[0]]),
                          wide(g.vertices[b]) - wide(g.vertices[loop[0]]));
        }
        EXPECT_GT(dot(area, n), 0);
        for (const Vec3& p : points) ASSERT_LE(dot(n, wide(p)), d + 4 * tolerance) << "face " << f;
    }
    for (int n : faces_at) EXPECT_GE(n, 3);

    // edges name their faces
    ASSERT_EQ(directed.size(), 2 * E);
    for (std::uint32_t e = 0; e < E; ++e) {
        const std::uint32_t* w = &g.edges[4 * e];
        EXPECT_LT(w[0], w[1]);
        EXPECT_TRUE(directed.count({w[0], w[1], w[2]}));
        EXPECT_TRUE(directed.count({w[1], w[0], w[3]}));
        EXPECT_NE(w[2], w[3]);
    }
    EXPECT_GT(g.volume, 0);
}

void expect_cube(const Cloud& points) {
    const Hull hull = Hull::from_points(points);
    expect_sound(hull, points);
    EXPECT_EQ(hull.geometry().vertex_count(), 8u);
    EXPECT_EQ(hull.geometry().face_count(), 6u);
    EXPECT_EQ(hull.geometry().edge_count(), 12u);
    for (const auto& face : hull.faces()) EXPECT_EQ(face.size(), 4u);
}

std::string error_of(const Cloud& points) {
    return test::error_message([&] { Hull::from_points(points); });
}

// ---- regular bodies -------------------------------------------------------------------------------------------------

TEST(Hull, OfACubeHasSixQuads) {
    expect_cube(cube(0.5));
    const Hull hull = Hull::from_points(cube(0.5));
    EXPECT_DOUBLE_EQ(hull.geometry().volume, 1);
    EXPECT_EQ(hull.geometry().centroid, (Vec3{0, 0, 0}));
    EXPECT_NEAR(hull.geometry().radius, std::sqrt(0.75), 1e-7);
}

TEST(Hull, OfATetrahedronHasFourTriangles) {
    const Cloud points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Hull hull = Hull::from_points(points);
    expect_sound(hull, points);
    EXPECT_EQ(hull.geometry().face_count(), 4u);
    EXPECT_NEAR(hull.geometry().volume, 1.0 / 6, 1e-15);
}

TEST(Hull, KeepsItsShapeWhereverTheCubeIsTurned) {
    std::mt19937 random(7);
    std::normal_distribution<double> any;
    for (int i = 0; i < 200; ++i) {
        const double s = any(random), x = any(random), y = any(random), z = any(random);
        const DQuat q{.x = x, .y = y, .z = z, .s = s};
        expect_cube(moved(cube(0.5), {}, q, {1 + std::fabs(any(random)), 1, 0.3}));
        if (HasFailure()) FAIL() << "turn " << i;
    }
}

TEST(Hull, OfAPrismHasTwoCapsAndItsSides) {
    for (int sides : {3, 5, 12, 33, 64}) {
        for (const DQuat& q : {DQuat{}, askew}) {
            const Cloud points = moved(prism(sides, 0.4, 1.1), {0.1, 0.2, -0.3}, q);
            const Hull hull = Hull::from_points(points);
            expect_sound(hull, points);
            EXPECT_EQ(hull.geometry().vertex_count(), 2u * std::uint32_t(sides));
            EXPECT_EQ(hull.geometry().face_count(), 2u + std::uint32_t(sides));
        }
    }
}

TEST(Hull, OfAConeKeepsItsTip) {
    Cloud points;
    for (int i = 0; i < 100; ++i)
        points.push_back(narrow(DVec3{std::cos(i * M_PI / 50), -1, std::sin(i * M_PI / 50)}));
    points.push_back({0, 1, 0});
    const Hull hull = Hull::from_points(points);
    expect_sound(hull, points);
    EXPECT_EQ(hull.geometry().vertex_count(), 101u);
    EXPECT_EQ(hull.geometry().face_count(), 101u);
}

TEST(Hull, OfARegularDodecahedronHasTwelvePentagons) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    Cloud points = cube(1);
    for (double a : {-1 / g, 1 / g})
        for (double b : {-g, g}) {
            points.push_back(narrow(DVec3{0, a, b}));
            points.push_back(narrow(DVec3{a, b, 0}));
            points.push_back(narrow(DVec3{b, 0, a}));
        }
    const Hull hull = Hull::from_points(moved(points, {}, askew));
    EXPECT_EQ(hull.geometry().vertex_count(), 20u);
    EXPECT_EQ(hull.geometry().face_count(), 12u);
    for (const auto& face : hull.faces()) EXPECT_EQ(face.size(), 5u);
}

// ---- sizes and places -----------------------------------------------------------------------------------------------

TEST(Hull, HoldsFromAMillimetreToAKilometre) {
    for (double size : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
        expect_cube(moved(cube(size / 2), {}, askew));
        const Cloud points = moved(ball(60, 3, false), {}, {}, {size, size, size});
        expect_sound(Hull::from_points(points), points);
    }
}

TEST(Hull, HoldsFarFromTheOrigin) {
    for (double far : {10.0, 1e3, 1e4}) {
        expect_cube(moved(cube(0.5), {far, -far, 0.5 * far}, askew));
        const Cloud points = moved(ball(60, 3, false), {far, -far, 0.5 * far});
        const Hull hull = Hull::from_points(points);
        expect_sound(hull, points);
        const DVec3 c = wide(hull.geometry().centroid) - DVec3{far, -far, 0.5 * far};
        EXPECT_LT(length(c), 0.5);
    }
}

TEST(Hull, HoldsForPlatesAndNeedles) {
    for (double thin : {1e-1, 1e-2, 1e-3, 1e-4}) {
        expect_cube(moved(cube(0.5), {}, askew, {1, 1, thin}));
        expect_cube(moved(cube(0.5), {}, askew, {1, thin, thin}));
        const Cloud points = moved(ball(60, 5, false), {}, askew, {1, thin, 1});
        expect_sound(Hull::from_points(points), points);
    }
}

// ---- clouds ---------------------------------------------------------------------------------------------------------

TEST(Hull, OfRandomPointsIsSound) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Cloud points = ball(4 + int(seed % 90), seed, false);
        expect_sound(Hull::from_points(points), points);
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(Hull, OfPointsOnASphereKeepsThemAll) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Cloud points = ball(66, seed, true); // 2 * 66 - 4 triangles
        const Hull hull = Hull::from_points(points);
        expect_sound(hull, points);
        EXPECT_EQ(hull.geometry().vertex_count(), 66u);
        EXPECT_EQ(hull.geometry().face_count(), 128u);
    }
}

TEST(Hull, OfFewSmallIntegersIsSound) {
    // lattices are full of points in one plane, on one line and twice
    std::mt19937 random(11);
    int solid = 0;
    for (int i = 0; i < 1000; ++i) {
        Cloud points;
        std::uniform_int_distribution<int> along(0, 1 + i % 4);
        for (int k = 0; k < 5 + i % 40; ++k)
            points.push_back({float(along(random)), float(along(random)), float(along(random))});
        if (i % 2) points = moved(points, {0.1, 0.3, 0.7}, askew);
        const std::string error = error_of(points);
        if (error != "no error") {
            EXPECT_TRUE(contains(error, "lie") || contains(error, "one point")) << error;
            continue;
        }
        ++solid;
        expect_sound(Hull::from_points(points), points);
        if (HasFailure()) FAIL() << "cloud " << i;
    }
    EXPECT_GT(solid, 800);
}

TEST(Hull, OfGridsOnTheFacesOfACubeIsTheCube) {
    for (int n : {3, 6, 17}) {
        Cloud points;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k) {
                    const bool rim = i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1;
                    if (rim) points.push_back(narrow(DVec3{i / (n - 1.0), j / (n - 1.0), k / (n - 1.0)}));
                }
        expect_cube(points);
        expect_cube(moved(points, {3, 4, 5}, askew));
        std::reverse(points.begin(), points.end());
        expect_cube(moved(points, {}, askew));
    }
}

TEST(Hull, OfThousandsOfPointsOnACubeIsTheCube) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const Cloud points = cube_surface(5000, seed);
        expect_cube(points);
        expect_cube(moved(points, {}, askew));
        expect_cube(moved(points, {30, -20, 10}, askew, {1, 5, 0.2}));
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(Hull, MergesDuplicates) {
    Cloud points = cube(0.5);
    for (int i = 0; i < 5; ++i) points.insert(points.end(), points.begin(), points.begin() + 8);
    expect_cube(points);
    expect_cube(jittered(points, 2e-8, 1));
}

TEST(Hull, OfNearlyFlatFacesIsSound) {
    // from well below the tolerance to well above it
    for (double by = 1e-9; by < 1e-2; by *= 2)
        for (std::uint32_t seed = 0; seed < 10; ++seed) {
            const Cloud corners = moved(jittered(cube(0.5), by, seed), {}, askew);
            expect_sound(Hull::from_points(corners), corners);
            const Cloud caps = jittered(prism(24, 0.5, 0.5), by, seed);
            expect_sound(Hull::from_points(caps), caps);
            const Cloud surface = jittered(cube_surface(80, seed), by, seed);
            const std::string error = error_of(surface);
            if (error == "no error") expect_sound(Hull::from_points(surface), surface);
            else EXPECT_TRUE(contains(error, "at most")) << error;
            if (HasFailure()) FAIL() << "jitter " << by << ", seed " << seed;
        }
}

TEST(Hull, HasNoVertexThatTheOthersCover) {
    // bumps about as high as the tolerance: which of two neighbours stands out changes as the hull grows
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Cloud points = jittered(cube_surface(40, seed), 1e-6, seed);
        const Hull hull = Hull::from_points(points);
        expect_sound(hull, points);
        for (const Vec3& v : hull.vertices()) {
            Cloud others(hull.vertices().begin(), hull.vertices().end());
            others.erase(std::find(others.begin(), others.end(), v));
            const Hull rest = Hull::from_points(others);
            const HullGeometry& g = rest.geometry();
            double above = 0;
            for (std::uint32_t f = 0; f < g.face_count(); ++f) {
                const float* w = &g.planes[4 * f];
                above = std::max(above, dot(DVec3{w[0], w[1], w[2]}, wide(v)) - double(w[3]));
            }
            EXPECT_GT(above, 0.5 * hull_tolerance(points)) << "seed " << seed;
        }
    }
}

TEST(Hull, IsTheSameEveryTime) {
    const Cloud points = moved(ball(90, 4, false), {1, 2, 3}, askew);
    EXPECT_EQ(hull_words(Hull::from_points(points).geometry()),
              hull_words(Hull::from_points(points).geometry()));
}

TEST(Hull, SharesItsGeometryBetweenCopies) {
    const Hull hull = Hull::from_points(cube(1));
    const Hull copy = hull;
    EXPECT_EQ(&hull.geometry(), &copy.geometry());
    EXPECT_EQ(copy.vertices().size(), 8u);
    EXPECT_FALSE(Hull{});
    EXPECT_TRUE(Hull{}.vertices().empty());
    EXPECT_TRUE(Hull{}.faces().empty());
}

// ---- words for kernels ----------------------------------------------------------------------------------------------

TEST(HullWords, FollowTheDocumentedLayout) {
    const Hull hull = Hull::from_points(moved(prism(5, 1, 1), {1, 2, 3}, askew));
    const HullGeometry& h = hull.geometry();
    const std::vector<std::uint32_t> w = hull_words(h);
    const std::uint32_t V = w[0], F = w[1], E = w[2], L = w[3];
    EXPECT_EQ(V, 10u);
    EXPECT_EQ(F, 7u);
    EXPECT_EQ(E, 15u);
    EXPECT_EQ(L, 30u);
    ASSERT_EQ(w.size(), 5 + 4 * V + 5 * F + L + 4 * E);
    const auto real = [&w](std::uint32_t i) {
        float v;
        std::memcpy(&v, &w[i], sizeof v);
        return v;
    };
    for (std::uint32_t v = 0; v < V; ++v) {
        EXPECT_EQ((Vec3{real(4 + 4 * v), real(5 + 4 * v), real(6 + 4 * v)}), h.vertices[v]);
        EXPECT_EQ(real(7 + 4 * v), 0.0f);
    }
    for (std::uint32_t i = 0; i < 4 * F; ++i) EXPECT_EQ(real(4 + 4 * V + i), h.planes[i]);
    for (std::uint32_t i = 0; i <= F; ++i) EXPECT_EQ(w[4 + 4 * V + 4 * F + i], h.face_start[i]);
    for (std::uint32_t i = 0; i < L; ++i) EXPECT_EQ(w[5 + 4 * V + 5 * F + i], h.face_vertices[i]);
    for (std::uint32_t i = 0; i < 4 * E; ++i) EXPECT_EQ(w[5 + 4 * V + 5 * F + L + i], h.edges[i]);
}

// ---- errors ---------------------------------------------------------------------------------------------------------

TEST(HullError, NamesTooFewPoints) {
    EXPECT_TRUE(contains(error_of({}), "at least 4 points, not 0"));
    EXPECT_TRUE(contains(error_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "at least 4 points, not 3"));
}

TEST(HullError, NamesThePointThatIsNotFinite) {
    Cloud points = cube(1);
    points[5].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(contains(error_of(points), "point 5 is not finite: 1 nan 1")) << error_of(points);
    points[5].y = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(contains(error_of(points), "point 5 is not finite: 1 inf 1")) << error_of(points);
}

TEST(HullError, SaysWhenThePointsAreOnePoint) {
    EXPECT_TRUE(contains(error_of(Cloud(9, Vec3{1, 2, 3})), "one point"));
    EXPECT_TRUE(contains(error_of(moved(cube(1e-6), {100, 100, 100})), "one point"));
}

TEST(HullError, SaysWhenThePointsAreOnOneLine) {
    Cloud points;
    for (int i = 0; i < 20; ++i) points.push_back(narrow(DVec3{0.1 * i, 0.2 * i + 1, -0.7 * i}));
    EXPECT_TRUE(contains(error_of(points), "20 points lie on one line")) << error_of(points);
}

TEST(HullError, SaysWhenThePointsAreInOnePlane) {
    for (double size : {1e-3, 1.0, 1e3}) {
        const Cloud points = moved(ball(100, 1, false), {}, askew, {size, 0, size});
        EXPECT_TRUE(contains(error_of(points), "100 points lie in one plane")) << error_of(points);
    }
}

TEST(HullError, SaysWhenAVertexIsBeyondTheRangeOfAFloat) {
    EXPECT_TRUE(contains(error_of(cube(3e38)), "beyond the range of a float")) << error_of(cube(3e38));
    expect_cube(cube(1e30));
    expect_cube(cube(1e-30));
}

TEST(HullError, CountsTheVerticesBeyondTheLimit) {
    EXPECT_TRUE(contains(error_of(ball(129, 1, true)), "has 129 vertices, at most 128"))
        << error_of(ball(129, 1, true));
    EXPECT_TRUE(contains(error_of(ball(4000, 1, true)), "more than 512 vertices"))
        << error_of(ball(4000, 1, true));
}

TEST(HullError, CountsTheFacesBeyondTheLimit) {
    EXPECT_TRUE(contains(error_of(ball(67, 1, true)), "has 130 faces, at most 128"))
        << error_of(ball(67, 1, true));
}

} // namespace
} // namespace scree
