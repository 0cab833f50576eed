// SPDX-License-Identifier: MIT
// math_test.cpp — the vectors, rotations and poses of the API.
#include "scree/math.h"
#include "scree/world.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

constexpr float quarter = 1.57079633f;

void expect_near(Vec3 a, Vec3 b) { EXPECT_LT(length(a - b), 1e-6f) << a.x << ' ' << a.y << ' ' << a.z; }

TEST(Math, VectorsHaveTheUsualOperators) {
    constexpr Vec3 a{1, 2, 3}, b{.x = 4, .z = -1};
    static_assert(a + b == Vec3{5, 2, 2} && a - b == Vec3{-3, 2, 4} && -a == Vec3{-1, -2, -3});
    static_assert(2 * a == a * 2 && a / 2 == Vec3{0.5f, 1, 1.5f});
    static_assert(dot(a, b) == 1 && cross({1, 0, 0}, {0, 1, 0}) == Vec3{0, 0, 1});
    static_assert(min(a, b) == Vec3{1, 0, -1} && max(a, b) == Vec3{4, 2, 3});
    static_assert(narrow(0.5 * wide(a)) == Vec3{0.5f, 1, 1.5f});
    Vec3 c = a;
    c += b, c -= {1, 1, 1}, c *= 4, c /= 2;
    EXPECT_EQ(c, (Vec3{8, 2, 2}));
    EXPECT_EQ(length(Vec3{2, 3, 6}), 7);
    EXPECT_EQ(normalized({0, -4, 0}), (Vec3{0, -1, 0}));
    EXPECT_EQ(normalized({}), Vec3{});
    EXPECT_TRUE(is_finite(a));
    EXPECT_FALSE(is_finite(Vec3{0, NAN, 0}));
}

TEST(Math, RotationsTurnCounterClockwiseAndMultiplyFromTheRight) {
    const Quat x = rotation_about({3, 0, 0}, quarter), y = rotation_about({0, 1, 0}, quarter);
    expect_near(rotate(x, {0, 1, 0}), {0, 0, 1});
    expect_near(rotate(y, {0, 0, 1}), {1, 0, 0});
    expect_near(rotate(y * x, {0, 1, 0}), {1, 0, 0});
    expect_near(rotate(conjugate(y), rotate(y, {1, 2, 3})), {1, 2, 3});
    EXPECT_EQ(rotation_about({}, quarter), Quat{});
    EXPECT_EQ(normalized(Quat{0, 0, 3, 4}), (Quat{0, 0, 0.6f, 0.8f}));
    EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
}

TEST(Math, PosesCombineAndInvert) {
    const Pose a{{1, 2, 3}, rotation_about({0, 0, 1}, quarter)},
        b{{-1, 0, 4}, rotation_about({1, 1, 0}, 0.3f)};
    expect_near(apply(a, {1, 0, 0}), {1, 3, 3});
    expect_near(apply(a * b, {5, 6, 7}), apply(a, apply(b, {5, 6, 7})));
    expect_near(apply(inverse(b), {5, 6, 7}), apply_inverse(b, {5, 6, 7}));
    expect_near(apply(inverse(a) * a, {5, 6, 7}), {5, 6, 7});
}

TEST(Math, AQuaternionHasTheOrderOfTheWorldsArrays) {
    World world;
    const BodyId body = world.create_body({.rotation = {0.1f, 0.5f, 0.1f, 0.854400375f}});
    const auto [x, y, z, s] = world.state(body).rotation;
    const float* array = &world.rotations()[4 * body.index];
    EXPECT_EQ(x, array[0]);
    EXPECT_EQ(y, array[1]);
    EXPECT_EQ(z, array[2]);
    EXPECT_EQ(s, array[3]);
    EXPECT_NEAR(y, 0.5f, 1e-6f);
}

} // namespace
} // namespace scree::test
