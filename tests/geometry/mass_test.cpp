// SPDX-License-Identifier: MIT
// mass_test.cpp — mass properties against closed forms and against sums over small cells.
// compiled alone
#include "geometry/hull.h"
#include "geometry/mass.h"
#include "geometry/shapes.h"
#include "support/double_vector.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace scree {
namespace {

using test::operator*;

/// What a body weighs, by counting the cells whose middle is inside; independent of every formula.
MassProperties counted(const std::function<bool(DVec3)>& inside, DVec3 half, double density, int n = 120) {
    const DVec3 step{2 * half.x / n, 2 * half.y / n, 2 * half.z / n};
    const double cell = density * step.x * step.y * step.z;
    double mass = 0;
    DVec3 first;
    std::array<double, 6> second{};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const DVec3 p{-half.x + (i + 0.5) * step.x, -half.y + (j + 0.5) * step.y,
                              -half.z + (k + 0.5) * step.z};
                if (!inside(p)) continue;
                mass += cell;
                first += cell * p;
                const double terms[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
                for (std::size_t t = 0; t < 6; ++t) second[t] += cell * terms[t];
            }
    const DVec3 c = (1 / mass) * first;
    const double xx = second[0] - mass * c.x * c.x, yy = second[1] - mass * c.y * c.y,
                 zz = second[2] - mass * c.z * c.z;
    return {float(mass), narrow(c), narrow(DVec3{yy + zz, xx + zz, xx + yy}),
            narrow(DVec3{-(second[3] - mass * c.x * c.y), -(second[4] - mass * c.x * c.z),
                         -(second[5] - mass * c.y * c.z)})};
}

/// Relative to the sizes of mass, of the body and of the inertia.
void expect_equal(const MassProperties& a, const MassProperties& b, double tolerance) {
    const double moment = std::max({b.inertia.x, b.inertia.y, b.inertia.z});
    const double size = std::sqrt(moment / double(b.mass));
    EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
    EXPECT_LT(length(wide(a.centre) - wide(b.centre)), tolerance * size);
    EXPECT_LT(length(wide(a.inertia) - wide(b.inertia)), tolerance * moment);
    EXPECT_LT(length(wide(a.products) - wide(b.products)), tolerance * moment);
}

Hull box_hull(const Box& b, DVec3 at = {}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(narrow(at + DVec3{i & 1 ? b.x : -b.x, i & 2 ? b.y : -b.y, i & 4 ? b.z : -b.z}));
    return Hull::from_points(points);
}

Hull lump(std::uint32_t seed, int n = 40) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> along(-1, 1);
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i)
        points.push_back({along(random), 0.5f * along(random), 0.25f * along(random)});
    return Hull::from_points(points);
}

std::function<bool(DVec3)> inside(const Hull& hull) {
    return [&g = hull.geometry()](DVec3 p) {
        for (std::uint32_t f = 0; f < g.face_count(); ++f) {
            const float* w = &g.planes[4 * f];
            if (w[0] * p.x + w[1] * p.y + w[2] * p.z > w[3]) return false;
        }
        return true;
    };
}

const Quat askew = narrow(normalized(DQuat{.x = 0.3, .y = -0.5, .z = 0.4, .s = 0.7}));

// ---- shapes ---------------------------------------------------------------------------------------------------------

TEST(Mass, OfASphere) {
    const MassProperties m = mass_of(Sphere{2}, 3);
    EXPECT_FLOAT_EQ(m.mass, float(3 * 4.0 / 3 * M_PI * 8));
    EXPECT_FLOAT_EQ(m.inertia.x, 0.4f * m.mass * 4);
    EXPECT_EQ(m.inertia.x, m.inertia.y);
    EXPECT_EQ(m.inertia.x, m.inertia.z);
    EXPECT_EQ(m.centre, Vec3{});
    EXPECT_EQ(m.products, Vec3{});
}

TEST(Mass, OfABox) {
    const MassProperties m = mass_of(Box{0.5f, 1, 1.5f}, 1000);
    EXPECT_FLOAT_EQ(m.mass, 6000);
    EXPECT_FLOAT_EQ(m.inertia.x, 6000.0f / 12 * (4 + 9));
    EXPECT_FLOAT_EQ(m.inertia.y, 6000.0f / 12 * (1 + 9));
    EXPECT_FLOAT_EQ(m.inertia.z, 6000.0f / 12 * (1 + 4));
}

TEST(Mass, OfACylinder) {
    const MassProperties m = mass_of(Cylinder{1.5f, 0.5f}, 2);
    EXPECT_FLOAT_EQ(m.mass, float(2 * M_PI * 0.25 * 3));
    EXPECT_FLOAT_EQ(m.inertia.y, m.mass * 0.25f / 2);
    EXPECT_FLOAT_EQ(m.inertia.x, m.mass * (3 * 0.25f + 9) / 12);
    EXPECT_EQ(m.inertia.x, m.inertia.z);
}

TEST(Mass, OfACapsuleWithoutLengthIsASphere) {
    expect_equal(mass_of(Capsule{0, 0.7f}, 5), mass_of(Sphere{0.7f}, 5), 1e-6);
}

TEST(Mass, OfACapsuleEqualsItsCells) {
    const auto in = [](DVec3 p) {
        const double y = std::max(0.0, std::fabs(p.y) - 0.75);
        return p.x * p.x + y * y + p.z * p.z < 0.25;
    };
    expect_equal(mass_of(Capsule{0.75f, 0.5f}, 10), counted(in, {0.5, 1.25, 0.5}, 10), 2e-3);
}

TEST(Mass, OfAConeEqualsItsCells) {
    const auto in = [](DVec3 p) {
        const double r = 0.5 * (1 - p.y) / 2; // nothing at the tip, y = 1
        return p.x * p.x + p.z * p.z < r * r;
    };
    const MassProperties m = mass_of(Cone{1, 0.5f}, 10);
    expect_equal(m, counted(in, {0.5, 1, 0.5}, 10), 2e-3);
    EXPECT_FLOAT_EQ(m.centre.y, -0.5f);
}

TEST(Mass, OfAHullEqualsItsCells) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        const Hull hull = lump(seed);
        expect_equal(mass_of(hull, 700), counted(inside(hull), {1, 0.5, 0.25}, 700), 5e-3);
    }
}

TEST(Mass, OfABoxAsAHullEqualsTheBox) {
    for (const Box& b :
         {Box{0.5f, 0.5f, 0.5f}, Box{1, 0.01f, 3}, Box{0.001f, 0.002f, 0.003f}, Box{300, 500, 100}})
        expect_equal(mass_of(box_hull(b), 1000), mass_of(b, 1000), 1e-6);
}

TEST(Mass, OfAHullFarFromItsOriginKeepsItsInertia) {
    const MassProperties m = mass_of(box_hull(Box{1, 2, 3}, {1024, -2048, 512}), 10);
    MassProperties expected = mass_of(Box{1, 2, 3}, 10);
    expected.centre = {1024, -2048, 512};
    expect_equal(m, expected, 1e-6);
}

TEST(Mass, OfAManySidedPrismComesCloseToTheCylinder) {
    std::vector<Vec3> points;
    for (int i = 0; i < 64; ++i)
        for (double y : {-1.0, 1.0})
            points.push_back(narrow(DVec3{0.5 * std::cos(i * M_PI / 32), y, 0.5 * std::sin(i * M_PI / 32)}));
    expect_equal(mass_of(Hull::from_points(points), 10), mass_of(Cylinder{1, 0.5f}, 10), 4e-3);
}

TEST(Mass, GrowsWithDensity) {
    EXPECT_EQ(mass_of(Cone{}, 0).mass, 0);
    EXPECT_FLOAT_EQ(mass_of(lump(1), 8).inertia.x, 8 * mass_of(lump(1), 1).inertia.x);
}

TEST(Mass, OfAPlaneOrAnEmptyHullIsAnError) {
    EXPECT_THROW(mass_of(Plane{}, 1), Error);
    EXPECT_THROW(mass_of(Hull{}, 1), Error);
}

// ---- placing and adding ---------------------------------------------------------------------------------------------

TEST(Mass, PlacedEqualsTheHullOfPlacedPoints) {
    const Hull hull = lump(2);
    const test::DMatrix r = test::matrix(wide(askew));
    std::vector<Vec3> points;
    for (const Vec3& v : hull.vertices()) points.push_back(narrow(DVec3{3, -1, 2} + r * wide(v)));
    expect_equal(placed(mass_of(hull, 10), {3, -1, 2}, askew), mass_of(Hull::from_points(points), 10), 3e-6);
}

TEST(Mass, PlacedAtTheOriginIsUnchanged) {
    const MassProperties m = mass_of(lump(3), 10), p = placed(m, {}, {});
    EXPECT_EQ(m.mass, p.mass);
    EXPECT_EQ(m.centre, p.centre);
    EXPECT_EQ(m.inertia, p.inertia);
    EXPECT_EQ(m.products, p.products);
}

TEST(Mass, OfTwoBoxesSideBySideEqualsTheBigBox) {
    const MassProperties half = mass_of(Box{0.5f, 1, 1.5f}, 100);
    const MassProperties parts[] = {placed(half, {-0.5f, 0, 0}, {}), placed(half, {0.5f, 0, 0}, {})};
    expect_equal(sum(parts), mass_of(Box{1, 1, 1.5f}, 100), 1e-6);

    // the same, the whole turned and moved
    const test::DMatrix r = test::matrix(wide(askew));
    MassProperties turned[2];
    for (int i = 0; i < 2; ++i)
        turned[i] = placed(half, narrow(DVec3{5, 6, 7} + r * DVec3{i ? 0.5 : -0.5, 0, 0}), askew);
    expect_equal(sum(turned), placed(mass_of(Box{1, 1, 1.5f}, 100), {5, 6, 7}, askew), 1e-6);
}

TEST(Mass, OfHalvesOfAHullAddUp) {
    // a wedge and its complement in the unit cube
    const Hull wedge = Hull::from_points(
        std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}});
    const Hull other = Hull::from_points(
        std::vector<Vec3>{{1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 0, 1}, {0, 1, 1}});
    const MassProperties parts[] = {mass_of(wedge, 1), mass_of(other, 1)};
    expect_equal(sum(parts), placed(mass_of(Box{0.5f, 0.5f, 0.5f}, 1), {0.5f, 0.5f, 0.5f}, {}), 1e-6);
}

TEST(Mass, OfNothingIsNothing) {
    EXPECT_EQ(sum({}).mass, 0);
    const MassProperties weightless[] = {mass_of(Sphere{}, 0), mass_of(Box{}, 0)};
    EXPECT_EQ(sum(weightless).mass, 0);
    EXPECT_EQ(sum(weightless).centre, Vec3{});
    const MassProperties parts[] = {placed(mass_of(Sphere{}, 0), {100, 0, 0}, {}), mass_of(Box{}, 1)};
    EXPECT_EQ(sum(parts).centre, Vec3{});
}

// ---- inverse and faults ---------------------------------------------------------------------------------------------

TEST(Mass, InverseTimesInertiaIsOne) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const MassProperties m = placed(mass_of(lump(seed), 1000), {1, 2, 3}, askew);
        float v[6];
        invert_inertia(m, v);
        const test::DMatrix a{DVec3{m.inertia.x, m.products.x, m.products.y},
                              DVec3{m.products.x, m.inertia.y, m.products.z},
                              DVec3{m.products.y, m.products.z, m.inertia.z}};
        const DVec3 column[3] = {{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}};
        for (int k = 0; k < 3; ++k) {
            const DVec3 one = a * column[k];
            EXPECT_NEAR(one.x, k == 0, 1e-5);
            EXPECT_NEAR(one.y, k == 1, 1e-5);
            EXPECT_NEAR(one.z, k == 2, 1e-5);
        }
    }
}

TEST(Mass, InverseOfNoInertiaIsZero) {
    float v[6] = {1, 1, 1, 1, 1, 1};
    invert_inertia({}, v);
    for (float e : v) EXPECT_EQ(e, 0);
}

TEST(MassFault, IsEmptyForEveryShape) {
    const Hull hull = lump(4);
    for (const Geometry& g :
         std::vector<Geometry>{Sphere{0.001f}, Sphere{500}, Capsule{}, Capsule{100, 0.01f}, Box{},
                               Box{10, 0.001f, 10}, Cylinder{0.0001f, 5}, Cone{}, hull})
        EXPECT_EQ(mass_fault(placed(mass_of(g, 1000), {100, 200, 300}, askew)), "");
}

TEST(MassFault, NamesTheMass) {
    const float huge = std::numeric_limits<float>::infinity();
    for (float mass : {0.0f, -2.0f, huge, std::nanf("")}) {
        const std::string fault = mass_fault({mass, {}, {1, 1, 1}, {}});
        EXPECT_NE(fault.find("the mass must be positive"), std::string::npos) << fault;
    }
    EXPECT_NE(mass_fault({-2, {}, {1, 1, 1}, {}}).find("-2"), std::string::npos);
}

TEST(MassFault, NamesWhatIsNotFinite) {
    const float nan = std::nanf("");
    EXPECT_NE(mass_fault({1, {0, nan, 0}, {1, 1, 1}, {}}).find("centre of mass is not finite"),
              std::string::npos);
    EXPECT_NE(mass_fault({1, {}, {1, nan, 1}, {}}).find("inertia is not finite"), std::string::npos);
    EXPECT_NE(mass_fault({1, {}, {1, 1, 1}, {0, 0, nan}}).find("inertia is not finite"), std::string::npos);
}

TEST(MassFault, NamesAnInertiaThatIsNotPositive) {
    for (const MassProperties& m :
         {MassProperties{1, {}, {0, 0, 0}, {}}, MassProperties{1, {}, {1, -1, 1}, {}},
          MassProperties{1, {}, {1, 1, 0}, {}}, MassProperties{1, {}, {1, 1, 1}, {2, 0, 0}}})
        EXPECT_NE(mass_fault(m).find("not positive definite"), std::string::npos) << mass_fault(m);
}

TEST(MassFault, NamesMomentsThatNoBodyHas) {
    EXPECT_NE(mass_fault({1, {}, {1, 1, 2.1f}, {}}).find("exceeds the sum"), std::string::npos);
    EXPECT_EQ(mass_fault({1, {}, {1, 1, 2}, {}}), ""); // flat: just possible
    // the same body turned
    const MassProperties turned = placed({1, {}, {1, 1, 2.1f}, {}}, {}, askew);
    EXPECT_NE(mass_fault(turned).find("exceeds the sum"), std::string::npos);
}

TEST(MassFault, NamesWhatCannotBeInverted) {
    EXPECT_NE(mass_fault({1e-39f, {}, {1e-39f, 1e-39f, 1e-39f}, {}}).find("too small"), std::string::npos);
}

} // namespace
} // namespace scree
