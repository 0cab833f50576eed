// SPDX-License-Identifier: MIT
// convex_test.cpp — contact manifolds of every pair of convex shapes: known answers, symmetry, properties in random poses.
// compiled alone
#include "collision/convex.h"
#include "geometry/hull.h"
#include "support/double_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace scree::test {
namespace {

constexpr float margin = 0.02f;
constexpr float half_turn = 3.14159265f;

const std::vector<std::uint32_t>& cube_words() {
    static const std::vector<std::uint32_t> words = [] {
        std::vector<Vec3> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f});
        return hull_words(Hull::from_points(corners).geometry());
    }();
    return words;
}

ConvexGeometry sphere(float radius) { return {ShapeType::sphere, {}, radius, nullptr}; }
ConvexGeometry capsule(float half, float radius) {
    return {ShapeType::capsule, {0, half, 0}, radius, nullptr};
}
ConvexGeometry box(float x, float y, float z) { return {ShapeType::box, {x, y, z}, 0, nullptr}; }
ConvexGeometry cylinder(float half, float radius) {
    return {ShapeType::cylinder, {0, half, 0}, radius, nullptr};
}
ConvexGeometry cone(float half, float radius) { return {ShapeType::cone, {0, half, 0}, radius, nullptr}; }
ConvexGeometry plane() { return {ShapeType::plane, {}, 0, nullptr}; }
/// a hull that is the box of half sides 0.5
ConvexGeometry cube() { return {ShapeType::hull, {}, 0, cube_words().data()}; }

Quat about_x(float angle) { return {.x = std::sin(angle / 2), .s = std::cos(angle / 2)}; }
Quat about_y(float angle) { return {.y = std::sin(angle / 2), .s = std::cos(angle / 2)}; }
Quat about_z(float angle) { return {.z = std::sin(angle / 2), .s = std::cos(angle / 2)}; }
constexpr Quat upright{};
const Quat on_its_side = about_z(half_turn / 2); // y becomes -x, x becomes y

ContactManifold contacts(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation,
                         float reach = margin) {
    ContactManifold m;
    collide(a, b, position, rotation, reach, m);
    return m;
}

/// the same pair with B's frame as the first
ContactManifold contacts_swapped(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position,
                                 Quat rotation) {
    const DMatrix r = transposed(matrix(wide(rotation)));
    return contacts(b, a, narrow(-(r * wide(position))), conjugate(rotation));
}

float deepest(const ContactManifold& m) {
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i < m.count; ++i) least = std::min(least, m.separation[i]);
    return least;
}

std::set<std::uint32_t> features(const ContactManifold& m) { return {m.feature, m.feature + m.count}; }

// known answers --------------------------------------------------------------------------------------------------------

struct Known {
    const char* what;
    ConvexGeometry a, b;
    Vec3 position;
    Quat rotation;
    Vec3 normal;
    float separation;
    int count;
};

std::vector<Known> known_contacts() {
    const float r2 = std::sqrt(0.5f);
    // one contact a line
    // clang-format off
    return {
        {"spheres", sphere(0.5f), sphere(0.3f), {0.7f, 0, 0}, upright, {1, 0, 0}, -0.1f, 1},
        {"spheres apart", sphere(0.5f), sphere(0.3f), {0, 0, 0.81f}, upright, {0, 0, 1}, 0.01f, 1},
        {"sphere beside a capsule", sphere(0.5f), capsule(1, 0.25f), {0.7f, 0.4f, 0}, upright, {1, 0, 0}, -0.05f, 1},
        {"sphere above a capsule", sphere(0.5f), capsule(1, 0.25f), {0, -1.7f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"sphere on a box", sphere(0.5f), box(1, 1, 1), {0.3f, -1.45f, 0.2f}, upright, {0, -1, 0}, -0.05f, 1},
        {"sphere at a box's edge", sphere(0.5f), box(1, 1, 1), {-1.3f, -1.3f, 0}, upright, {-r2, -r2, 0}, 0.3f / r2 - 0.5f, 1},
        {"sphere inside a box", sphere(0.5f), box(1, 1, 1), {0.2f, -0.6f, 0}, upright, {0, -1, 0}, -0.9f, 1},
        {"sphere on a cylinder's end", sphere(0.5f), cylinder(1, 0.6f), {0.3f, -1.45f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"sphere at a cylinder's side", sphere(0.5f), cylinder(1, 0.6f), {0, 0.3f, 1.05f}, upright, {0, 0, 1}, -0.05f, 1},
        {"sphere below a cone", sphere(0.5f), cone(0.5f, 0.5f), {0, 0.95f, 0}, upright, {0, 1, 0}, -0.05f, 1},
        {"sphere above a cone", sphere(0.5f), cone(0.5f, 0.5f), {0, -0.95f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"sphere on a plane", sphere(0.5f), plane(), {0, -0.45f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"sphere on a hull", sphere(0.5f), cube(), {0.1f, -0.95f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"parallel capsules", capsule(1, 0.3f), capsule(0.5f, 0.25f), {0.5f, 0.2f, 0}, upright, {1, 0, 0}, -0.05f, 2},
        {"crossed capsules", capsule(1, 0.3f), capsule(0.5f, 0.25f), {0, 0.2f, 0.5f}, on_its_side, {0, 0, 1}, -0.05f, 1},
        {"capsules end to end", capsule(1, 0.3f), capsule(0.5f, 0.25f), {0, 2, 0}, upright, {0, 1, 0}, -0.05f, 1},
        {"capsule lying on a box", capsule(0.4f, 0.3f), box(1, 1, 1), {-1.25f, 0, 0}, upright, {-1, 0, 0}, -0.05f, 2},
        {"capsule over a box's end", capsule(1, 0.3f), box(1, 1, 1), {-1.25f, 0.8f, 0}, upright, {-1, 0, 0}, -0.05f, 2},
        {"capsule standing on a box", capsule(0.4f, 0.3f), box(1, 1, 1), {0, -1.65f, 0}, upright, {0, -1, 0}, -0.05f, 1},
        {"capsule beside a cylinder", capsule(0.4f, 0.3f), cylinder(1, 0.5f), {0.75f, 0, 0}, upright, {1, 0, 0}, -0.05f, 2},
        {"capsule lying on a cylinder", capsule(0.3f, 0.3f), cylinder(1, 0.5f), {1.25f, 0, 0}, on_its_side, {1, 0, 0}, -0.05f, 2},
        {"capsule under a cone", capsule(0.4f, 0.3f), cone(0.5f, 0.5f), {0, 1.15f, 0}, upright, {0, 1, 0}, -0.05f, 1},
        {"capsule on a plane", capsule(0.4f, 0.3f), plane(), {-0.25f, 0, 0}, about_z(-half_turn / 2), {-1, 0, 0}, -0.05f, 2},
        {"capsule lying on a hull", capsule(0.4f, 0.3f), cube(), {-0.75f, 0, 0}, upright, {-1, 0, 0}, -0.05f, 2},
        {"boxes", box(0.5f, 0.5f, 0.5f), box(0.4f, 0.4f, 0.4f), {0.1f, 0.85f, 0}, upright, {0, 1, 0}, -0.05f, 4},
        {"boxes, one turned", box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {0, 0.99f, 0}, about_y(0.7f), {0, 1, 0}, -0.01f, 4},
        {"boxes apart", box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {0, 0, -1.01f}, upright, {0, 0, -1}, 0.01f, 4},
        {"crossed box edges", box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {1 - 0.05f * r2, 1 - 0.05f * r2, 0}, narrow(turn({0, 0, 1}, -half_turn / 4) * turn({1, 0, 0}, -half_turn / 4)), {r2, r2, 0}, -0.05f, 1},
        {"cylinder on a box", box(1, 1, 1), cylinder(0.5f, 0.4f), {0.2f, 1.45f, 0}, upright, {0, 1, 0}, -0.05f, 4},
        {"cylinder lying on a box", box(1, 1, 1), cylinder(0.5f, 0.4f), {0.2f, 1.35f, 0}, on_its_side, {0, 1, 0}, -0.05f, 2},
        {"cone on a box", box(1, 1, 1), cone(0.5f, 0.4f), {0.2f, 1.45f, 0}, upright, {0, 1, 0}, -0.05f, 4},
        {"cone's tip on a box", box(1, 1, 1), cone(0.5f, 0.4f), {0.2f, 1.45f, 0}, about_x(half_turn), {0, 1, 0}, -0.05f, 1},
        {"box on a plane", box(1, 1, 1), plane(), {0, -0.95f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"box on a hull", box(0.4f, 0.4f, 0.4f), cube(), {0, -0.85f, 0.1f}, upright, {0, -1, 0}, -0.05f, 4},
        {"cylinders stacked", cylinder(0.5f, 0.5f), cylinder(0.5f, 0.4f), {0.1f, 0.95f, 0}, upright, {0, 1, 0}, -0.05f, 4},
        {"cylinders side by side", cylinder(0.5f, 0.5f), cylinder(0.5f, 0.4f), {0, 0.1f, 0.85f}, upright, {0, 0, 1}, -0.05f, 2},
        {"cylinders crossed", cylinder(1, 0.5f), cylinder(1, 0.4f), {0, 0.1f, 0.85f}, on_its_side, {0, 0, 1}, -0.05f, 1},
        {"cone on a cylinder", cylinder(0.5f, 0.5f), cone(0.5f, 0.4f), {0, 0.95f, 0}, upright, {0, 1, 0}, -0.05f, 4},
        {"cylinder on a plane", cylinder(0.5f, 0.5f), plane(), {0, -0.45f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"cylinder lying on a plane", cylinder(0.5f, 0.4f), plane(), {-0.35f, 0, 0}, about_z(-half_turn / 2), {-1, 0, 0}, -0.05f, 2},
        {"cylinder on a hull", cylinder(0.5f, 0.4f), cube(), {0, -0.95f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"cones base to base", cone(0.5f, 0.5f), cone(0.5f, 0.4f), {0, -0.95f, 0}, about_x(half_turn), {0, -1, 0}, -0.05f, 4},
        {"cones tip to tip", cone(0.5f, 0.5f), cone(0.5f, 0.5f), {0, 1.01f, 0}, about_x(half_turn), {0, 1, 0}, 0.01f, 1},
        {"cone on a plane", cone(0.5f, 0.5f), plane(), {0, -0.45f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"cone's tip on a plane", cone(0.5f, 0.5f), plane(), {0, 0.45f, 0}, about_x(half_turn), {0, 1, 0}, -0.05f, 1},
        {"cone on a hull", cone(0.5f, 0.4f), cube(), {0, -0.95f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"hull on a plane", cube(), plane(), {0, -0.45f, 0}, upright, {0, -1, 0}, -0.05f, 4},
        {"hulls", cube(), cube(), {0.2f, 0.95f, 0}, upright, {0, 1, 0}, -0.05f, 4},
    };
    // clang-format on
}

TEST(Convex, KnownContactsHaveTheirNormalDepthAndCount) {
    for (const Known& k : known_contacts()) {
        const ContactManifold m = contacts(k.a, k.b, k.position, k.rotation);
        EXPECT_EQ(m.count, k.count) << k.what;
        EXPECT_NEAR(deepest(m), k.separation, 2e-4f) << k.what;
        EXPECT_NEAR(m.normal.x, k.normal.x, 2e-3f) << k.what;
        EXPECT_NEAR(m.normal.y, k.normal.y, 2e-3f) << k.what;
        EXPECT_NEAR(m.normal.z, k.normal.z, 2e-3f) << k.what;
    }
}

TEST(Convex, KnownContactsAreMirroredWhenTheShapesAreSwapped) {
    for (const Known& k : known_contacts()) {
        const ContactManifold m = contacts_swapped(k.a, k.b, k.position, k.rotation);
        const DVec3 normal = -(matrix(wide(k.rotation)) * wide(m.normal));
        EXPECT_EQ(m.count, k.count) << k.what;
        EXPECT_NEAR(deepest(m), k.separation, 2e-4f) << k.what;
        EXPECT_NEAR(normal.x, k.normal.x, 2e-3) << k.what;
        EXPECT_NEAR(normal.y, k.normal.y, 2e-3) << k.what;
        EXPECT_NEAR(normal.z, k.normal.z, 2e-3) << k.what;
    }
}

TEST(Convex, PlanesDoNotTouchEachOther) {
    EXPECT_EQ(contacts(plane(), plane(), {0, -1, 0}, upright).count, 0);
}

TEST(Convex, NothingTouchesBeyondTheMargin) {
    EXPECT_EQ(contacts(sphere(0.5f), sphere(0.5f), {1.03f, 0, 0}, upright).count, 0);
    EXPECT_EQ(contacts(box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {0, 1.03f, 0}, upright).count, 0);
    EXPECT_EQ(contacts(box(0.5f, 0.5f, 0.5f), cylinder(0.5f, 0.5f), {0, 1.03f, 0}, upright).count, 0);
    EXPECT_EQ(contacts(cube(), cube(), {1.03f, 0, 0}, upright).count, 0);
    EXPECT_EQ(contacts(cone(0.5f, 0.5f), plane(), {0, -0.53f, 0}, upright).count, 0);
}

TEST(Convex, CornersApartAlongTheirDiagonalKeepTheirDistance) {
    // faces separate by 0.01 (0.015), corners by sqrt(3) times as much
    const ContactManifold m =
        contacts(box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {1.01f, 1.01f, 1.01f}, upright);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.separation[0], 0.01f * std::sqrt(3.0f), 1e-4f);
    EXPECT_EQ(contacts(box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {1.015f, 1.015f, 1.015f}, upright).count,
              0);
}

TEST(Convex, OnePointOfAManifoldIsBeyondTheMarginAndLeftOut) {
    // a box tilted on a plane: two corners down, two up
    const ContactManifold m = contacts(box(0.5f, 0.5f, 0.5f), plane(), {0, -0.5f, 0}, about_x(0.2f));
    EXPECT_EQ(m.count, 2);
}

TEST(Convex, PositionsThatAreNotNumbersGiveNoContacts) {
    const float bad = std::numeric_limits<float>::quiet_NaN();
    const ConvexGeometry shapes[] = {sphere(1),  capsule(1, 1), box(1, 1, 1), cylinder(1, 1),
                                     cone(1, 1), plane(),       cube()};
    for (const ConvexGeometry& a : shapes)
        for (const ConvexGeometry& b : shapes) EXPECT_EQ(contacts(a, b, {bad, 0, 0}, upright).count, 0);
}

TEST(Convex, ALongBodyOnABoxTouchesAtBothEndsOfTheOverlap) {
    const ContactManifold m = contacts(box(1, 0.5f, 1), capsule(3, 0.25f), {0, 0.75f, 0}, on_its_side);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(std::abs(m.point[0].x - m.point[1].x), 2, 0.02);
    EXPECT_NEAR(m.point[0].y, 0.5, 1e-4);
}

TEST(Convex, FourPointsOfAFaceSpanTheCommonArea) {
    const ContactManifold m = contacts(box(2, 0.5f, 2), box(0.5f, 0.5f, 0.5f), {0.3f, 1, 0.1f}, upright);
    ASSERT_EQ(m.count, 4);
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(std::abs(m.point[i].x - 0.3f), 0.5f, 1e-4f);
        EXPECT_NEAR(std::abs(m.point[i].z - 0.1f), 0.5f, 1e-4f);
        EXPECT_NEAR(m.point[i].y, 0.5f, 1e-5f);
    }
}

// steady at rest -------------------------------------------------------------------------------------------------------

TEST(Convex, FeaturesOfABodyAtRestStayWhenItTrembles) {
    const struct {
        const char* what;
        ConvexGeometry a, b;
        Vec3 position;
        Quat rotation;
    } resting[] = {
        {"equal boxes", box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {0, 0.999f, 0}, upright},
        {"box turned on a box", box(0.5f, 0.5f, 0.5f), box(0.5f, 0.5f, 0.5f), {0, 0.999f, 0}, about_y(0.4f)},
        {"hulls", cube(), cube(), {0, 0.999f, 0}, upright},
        {"hull turned on a hull", cube(), cube(), {0.1f, 0.999f, 0}, about_y(0.4f)},
        {"hull on a box", box(1, 1, 1), cube(), {0.1f, 1.499f, 0}, about_y(0.4f)},
        {"cylinder on a box", box(1, 1, 1), cylinder(0.5f, 0.5f), {0.1f, 1.499f, 0}, about_y(0.4f)},
        {"cylinder lying on a box", box(1, 1, 1), cylinder(0.5f, 0.5f), {0.1f, 1.499f, 0}, on_its_side},
        {"cylinder on a cylinder", cylinder(0.5f, 0.5f), cylinder(0.5f, 0.4f), {0, 0.999f, 0}, about_y(0.1f)},
        {"cone on a box", box(1, 1, 1), cone(0.5f, 0.5f), {0.1f, 1.499f, 0}, about_y(0.4f)},
        {"capsule on a box", box(1, 1, 1), capsule(0.5f, 0.5f), {0.1f, 1.499f, 0}, on_its_side},
        {"cylinder on a plane", plane(), cylinder(0.5f, 0.5f), {0.1f, 0.499f, 0}, about_y(0.4f)},
        {"box on a plane", plane(), box(0.5f, 0.5f, 0.5f), {0.1f, 0.499f, 0}, about_y(0.4f)},
    };
    std::mt19937 bits(3);
    const auto tremble = [&bits] { return (static_cast<float>(bits() >> 8) / 16777216.0f - 0.5f) * 4e-5f; };
    for (const auto& r : resting) {
        const ContactManifold before = contacts(r.a, r.b, r.position, r.rotation);
        EXPECT_GE(before.count, 2) << r.what;
        for (int i = 0; i < 200; ++i) {
            const Vec3 p{r.position.x + tremble(), r.position.y + tremble(), r.position.z + tremble()};
            const float s = r.rotation.s + tremble(), x = r.rotation.x + tremble(),
                        y = r.rotation.y + tremble(), z = r.rotation.z + tremble();
            const Quat q = narrow(normalized(DQuat{.x = x, .y = y, .z = z, .s = s}));
            const ContactManifold m = contacts(r.a, r.b, p, q);
            ASSERT_EQ(features(m), features(before)) << r.what << " at try " << i;
        }
    }
}

// every pair in random poses -------------------------------------------------------------------------------------------

/// the farthest point of a shape, apart from the kernels' formulas
DVec3 support(const ConvexGeometry& g, DVec3 d) {
    const double across = std::hypot(d.x, d.z);
    const DVec3 rim = across > 0 ? DVec3{d.x / across, 0, d.z / across} : DVec3{1, 0, 0};
    const double y = g.size.y, r = g.radius, up = d.y < 0 ? -1 : 1;
    switch (g.type) {
    case ShapeType::sphere:
        return (r / length(d)) * d;
    case ShapeType::capsule:
        return (r / length(d)) * d + DVec3{0, up * y, 0};
    case ShapeType::box:
        return {std::copysign(g.size.x, d.x), std::copysign(g.size.y, d.y), std::copysign(g.size.z, d.z)};
    case ShapeType::cylinder:
        return r * rim + DVec3{0, up * y, 0};
    case ShapeType::cone:
        return d.y * y > -d.y * y + r * across ? DVec3{0, y, 0} : r * rim + DVec3{0, -y, 0};
    default: {
        const DVec3 corner{std::copysign(0.5, d.x), std::copysign(0.5, d.y), std::copysign(0.5, d.z)};
        return corner;
    }
    }
}

double overlap_along(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation,
                     DVec3 n) {
    const DMatrix r = matrix(wide(rotation));
    const DVec3 on_b = r * support(b, -(transposed(r) * n)) + wide(position);
    return dot(n, support(a, n) - on_b);
}

/// the least overlap found by a sweep and a search around its best direction
double least_overlap(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation) {
    const int directions = 300;
    std::vector<std::pair<double, DVec3>> tried;
    for (int i = 0; i < directions; ++i) {
        const double y = 1 - (2 * i + 1.0) / directions, r = std::sqrt(1 - y * y),
                     angle = i * 2.399963229728653;
        const DVec3 n{r * std::cos(angle), y, r * std::sin(angle)};
        tried.push_back({overlap_along(a, b, position, rotation, n), n});
    }
    std::sort(tried.begin(), tried.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    double least = tried[0].first;
    for (int k = 0; k < 8; ++k) {
        auto [value, n] = tried[static_cast<std::size_t>(k)];
        for (double step = 0.1; step > 1e-4;) {
            bool better = false;
            const DVec3 u = std::abs(n.y) < 0.9 ? cross(n, DVec3{0, 1, 0}) : cross(n, DVec3{1, 0, 0});
            const DVec3 v = cross(n, u);
            for (int i = 0; i < 8 && !better; ++i) {
                const double angle = i * 3.14159265358979 / 4;
                DVec3 m = n + (step * std::cos(angle)) * u + (step * std::sin(angle)) * v;
                m = (1 / length(m)) * m;
                const double next = overlap_along(a, b, position, rotation, m);
                if (next < value - 1e-3 * step) {
                    value = next;
                    n = m;
                    better = true;
                }
            }
            if (!better) step /= 2;
        }
        least = std::min(least, value);
    }
    return least;
}

class ConvexPairs : public testing::TestWithParam<std::pair<int, int>> {
protected:
    static ConvexGeometry shape(int type) {
        const ConvexGeometry shapes[] = {sphere(0.5f),
                                         capsule(0.4f, 0.3f),
                                         box(0.4f, 0.6f, 0.5f),
                                         cylinder(0.5f, 0.4f),
                                         cone(0.6f, 0.5f),
                                         plane(),
                                         cube()};
        return shapes[type];
    }
    std::mt19937 bits_{11};
    float in(float low, float high) {
        return low + (high - low) * (static_cast<float>(bits_() >> 8) / 16777216.0f);
    }
    Quat rotation() {
        for (;;) {
            const double s = in(-1, 1), x = in(-1, 1), y = in(-1, 1), z = in(-1, 1);
            const DQuat q{.x = x, .y = y, .z = z, .s = s};
            if (norm2(q) > 0.01 && norm2(q) < 1) return narrow(normalized(q));
        }
    }
    DVec3 direction() {
        for (;;) {
            const DVec3 d{in(-1, 1), in(-1, 1), in(-1, 1)};
            if (length(d) > 0.1 && length(d) < 1) return (1 / length(d)) * d;
        }
    }
};

TEST_P(ConvexPairs, DepthIsTheLeastOverlapAndTheSameWhenSwapped) {
    const ConvexGeometry a = shape(GetParam().first), b = shape(GetParam().second);
    int overlapping = 0;
    for (int i = 0; i < 200; ++i) {
        const Quat q = rotation();
        const DVec3 d = direction();
        const double reach = overlap_along(a, b, {}, q, d);
        const Vec3 p = narrow((reach * (i % 2 ? in(0, 1) : in(0.85f, 1.0f))) * d);
        const ContactManifold m = contacts(a, b, p, q);
        const double least = least_overlap(a, b, p, q);
        if (least > 1e-3) {
            ++overlapping;
            ASSERT_GT(m.count, 0) << "pose " << i << ": overlap " << least;
        }
        // the search may miss the least, the contact's own normal shows that much
        if (m.count > 0) {
            ASSERT_LE(-deepest(m), least + 0.01 * std::abs(least) + 1e-3) << "pose " << i;
        }
        if (m.count == 0) continue;
        ASSERT_NEAR(overlap_along(a, b, p, q, wide(m.normal)), -deepest(m),
                    0.01 * std::abs(deepest(m)) + 1e-3)
            << "pose " << i;
        const ContactManifold swapped = contacts_swapped(a, b, p, q);
        ASSERT_GT(swapped.count, 0) << "pose " << i;
        ASSERT_NEAR(deepest(swapped), deepest(m), 0.015 * std::abs(deepest(m)) + 2e-3) << "pose " << i;
    }
    EXPECT_GT(overlapping, 50);
}

TEST_P(ConvexPairs, PointsLieOnASurfaceWithinTheMarginAndHaveTheirOwnNames) {
    const ConvexGeometry a = shape(GetParam().first), b = shape(GetParam().second);
    for (int i = 0; i < 2000; ++i) {
        const Quat q = i % 3 ? rotation()
                             : narrow(normalized(DQuat{.x = in(0, 0.01f), .y = in(0, 1), .z = in(0, 0.01f)}));
        const DVec3 d = i % 3 ? direction() : DVec3{0, 1, 0};
        const double reach = overlap_along(a, b, {}, q, d);
        const Vec3 p = narrow((reach * in(0.9f, 1.01f)) * d);
        const ContactManifold m = contacts(a, b, p, q);
        ASSERT_LE(m.count, 4);
        if (m.count == 0) continue;
        ASSERT_NEAR(length(wide(m.normal)), 1, 1e-5);
        ASSERT_EQ(features(m).size(), static_cast<std::size_t>(m.count)) << "pose " << i;
        for (int k = 0; k < m.count; ++k) {
            ASSERT_LE(m.separation[k], margin);
            // no farther out than A and B reach
            const DVec3 on_a = wide(m.point[k]), on_b = on_a + double(m.separation[k]) * wide(m.normal);
            const DVec3 local_b = transposed(matrix(wide(q))) * (on_b - wide(p));
            for (int n = 0; n < 50; ++n) {
                const DVec3 e = direction();
                ASSERT_LE(dot(e, on_a), dot(e, support(a, e)) + 0.02) << "pose " << i << " point " << k;
                ASSERT_LE(dot(e, local_b), dot(e, support(b, e)) + 0.02) << "pose " << i << " point " << k;
            }
        }
    }
}

TEST_P(ConvexPairs, ConcentricShapesPartAlongAnAxisThatIsNearlyLeast) {
    const ConvexGeometry a = shape(GetParam().first), b = shape(GetParam().second);
    for (Quat q : {upright, on_its_side, about_x(0.3f), about_y(half_turn / 4)}) {
        const ContactManifold m = contacts(a, b, {}, q);
        ASSERT_GT(m.count, 0);
        const double least = least_overlap(a, b, {}, q);
        EXPECT_NEAR(-deepest(m), least, 0.1 * least);
    }
}

TEST_P(ConvexPairs, AMillimetreAndAKilometreAreTreatedAlike) {
    ConvexGeometry a = shape(GetParam().first), b = shape(GetParam().second);
    if (a.type == ShapeType::hull || b.type == ShapeType::hull) return; // their size is in the words
    const auto scaled = [](ConvexGeometry g, float by) {
        g.size = {g.size.x * by, g.size.y * by, g.size.z * by};
        g.radius *= by;
        return g;
    };
    for (int i = 0; i < 200; ++i) {
        const Quat q = rotation();
        const DVec3 d = direction();
        const DVec3 p = (overlap_along(a, b, {}, q, d) * in(0.9f, 1.01f)) * d;
        const ContactManifold m = contacts(a, b, narrow(p), q, margin);
        for (float by : {1.0f / 1024, 1024.0f}) {
            const ContactManifold s =
                contacts(scaled(a, by), scaled(b, by), narrow(double(by) * p), q, margin * by);
            ASSERT_EQ(s.count > 0, m.count > 0) << "pose " << i << " scaled by " << by;
            if (m.count > 0) {
                ASSERT_NEAR(deepest(s) / by, deepest(m), 0.01 * std::abs(deepest(m)) + 1e-3) << "pose " << i;
            }
        }
    }
}

std::vector<std::pair<int, int>> pairs_of_solids() {
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < 7; ++a)
        for (int b = a; b < 7; ++b)
            if (a != 5 && b != 5) pairs.push_back({a, b});
    return pairs;
}

std::string pair_name(const testing::TestParamInfo<std::pair<int, int>>& info) {
    const char* names[] = {"Sphere", "Capsule", "Box", "Cylinder", "Cone", "Plane", "Hull"};
    return std::string(names[info.param.first]) + names[info.param.second];
}

INSTANTIATE_TEST_SUITE_P(Every, ConvexPairs, testing::ValuesIn(pairs_of_solids()), pair_name);

} // namespace
} // namespace scree::test
