// SPDX-License-Identifier: MIT
// Where sweep_parted says that two shapes stay apart, they do at every moment of the way.
// compiled alone
#include "geometry/hull.h"
#include "scree/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#define SCREE_LANES 1
namespace scree::sweep_parted_kernels {
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
#include "kernels/rigid_bounds.h"
#include "kernels/atomics.h"
#include "kernels/rigid_sweep.h"
// clang-format on
} // namespace scree::sweep_parted_kernels
#undef SCREE_LANES

namespace scree {
namespace {

namespace k = sweep_parted_kernels;

struct Dice {
    std::mt19937 random{11};

    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); }
    k::real3 vector(float size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
    /// by no more than an angle
    k::quat turn(float angle) {
        const k::real3 axis = k::unit3(vector(1), {0, 1, 0});
        const float half = 0.5f * number(0, angle);
        const float s = std::sin(half);
        return k::make_quat(std::cos(half), axis.x * s, axis.y * s, axis.z * s);
    }
};

struct Shape {
    k::ConvexShape shape;
    float radius;
};

Shape shape_of(Dice& dice, const std::vector<std::uint32_t>& hull, bool solid) {
    const std::uint32_t types[] = {CONVEX_BOX, CONVEX_HULL, CONVEX_SPHERE, CONVEX_CAPSULE, CONVEX_CYLINDER};
    const std::uint32_t type = types[dice.random() % (solid ? 2 : 5)];
    Shape s{{type,
             {dice.number(0.1f, 1), dice.number(0.1f, 1), dice.number(0.1f, 1)},
             dice.number(0.1f, 0.5f),
             type == CONVEX_HULL ? hull.data() : nullptr},
            0};
    const k::real3 size = s.shape.size;
    s.radius = type == CONVEX_HULL     ? 1.8f
               : type == CONVEX_BOX    ? k::length3(size)
               : type == CONVEX_SPHERE ? s.shape.radius
                                       : size.y + s.shape.radius;
    return s;
}

float gap_at(const k::SweptShape& a, const k::SweptShape& b, float time) {
    k::ConvexPair p;
    k::mat3 turn;
    k::swept_pair(&a, &b, time, &p, &turn);
    k::ConvexGap gap;
    k::convex_gjk(&p, a.shrink, b.shrink, k::unit3(p.position, {0, 1, 0}), 3e38f, &gap);
    if (gap.state == GAP_OVERLAP) return 0;
    return gap.separation - (k::convex_round(a.shape) + k::convex_round(b.shape));
}

TEST(SweepParted, WhatAFacePartsStaysApartAllTheWay) {
    Dice dice;
    std::vector<Vec3> corners;
    for (int i = 0; i < 20; ++i)
        corners.push_back({dice.number(-1, 1), dice.number(-1, 1), dice.number(-1, 1)});
    const std::vector<std::uint32_t> hull = hull_words(Hull::from_points(corners).geometry());
    int parted = 0, close = 0;
    for (int i = 0; i < 12000 && !testing::Test::HasFailure(); ++i) {
        const Shape first = shape_of(dice, hull, false), second = shape_of(dice, hull, true);
        k::SweptShape a{}, b{};
        const k::quat none = k::make_quat(1, 0, 0, 0);
        a.shape = first.shape, b.shape = second.shape;
        a.turn = b.turn = none;
        a.turned = dice.turn(0.2f), b.turned = dice.turn(i % 2 ? 0.15f : 0.8f);
        a.spin = k::sweep_spin(none, a.turned), b.spin = k::sweep_spin(none, b.turned);
        a.arm = dice.vector(1), b.arm = dice.vector(8);
        a.own = dice.turn(3), b.own = dice.turn(3);
        // near the second shape, going with it and a little on its own
        const k::real3 from = b.arm + dice.vector(1) * (first.radius + second.radius);
        a.from = {0, 0, 0};
        b.from = a.arm - from;
        b.shift = dice.vector(0.3f);
        const k::real3 ridden = k::mat3_times(k::quat_matrix(b.turned), from) - from;
        a.shift = (b.shift + ridden) + dice.vector(0.1f);
        a.reach = k::turning_reach(&a, first.radius), b.reach = k::turning_reach(&b, second.radius);
        if (!k::sweep_parted(&a, first.radius, &b, 0.001f)) continue;
        ++parted;
        float nearest = 1e30f;
        for (int step = 0; step <= 32; ++step)
            nearest = std::fmin(nearest, gap_at(a, b, static_cast<float>(step) / 32));
        EXPECT_GT(nearest, 0.0009f) << "trial " << i;
        close += nearest < 0.15f;
    }
    EXPECT_GT(parted, 2000);
    EXPECT_GT(close, 100);
}

} // namespace
} // namespace scree
