// SPDX-License-Identifier: MIT
// convex_sweep_test.cpp — manifolds of boxes and hulls in random poses against GJK and EPA, against every separating axis
// in double precision, and against the overlap in 20,000 directions.
#include "collision/convex.h"
#include "geometry/hull.h"
#include "support/solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace scree::test {
namespace {

Solid solid_of(Hull hull) {
    Solid s;
    const HullGeometry& g = hull.geometry();
    s.words = hull_words(g);
    s.geometry = {ShapeType::hull, {}, 0, s.words.data()};
    for (Vec3 v : g.vertices) s.vertices.push_back(wide(v));
    for (std::uint32_t f = 0; f < g.face_count(); ++f)
        s.normals.push_back({g.planes[4 * f], g.planes[4 * f + 1], g.planes[4 * f + 2]});
    for (std::uint32_t e = 0; e < g.edge_count(); ++e)
        s.edges.push_back(s.vertices[g.edges[4 * e + 1]] - s.vertices[g.edges[4 * e]]);
    return s;
}

struct Random {
    std::mt19937 bits;
    float in(float low, float high) {
        return low + (high - low) * (static_cast<float>(bits() >> 8) * (1.0f / 16777216.0f));
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v{in(-1, 1), in(-1, 1), in(-1, 1)};
            const float square = v.x * v.x + v.y * v.y + v.z * v.z;
            if (square > 0.01f && square < 1) {
                const float scale = 1 / std::sqrt(square);
                return {v.x * scale, v.y * scale, v.z * scale};
            }
        }
    }
    Quat rotation() {
        for (;;) {
            const float s = in(-1, 1), x = in(-1, 1), y = in(-1, 1), z = in(-1, 1);
            const float square = s * s + x * x + y * y + z * z;
            if (square > 0.01f && square < 1) {
                const float scale = 1 / std::sqrt(square);
                return {.x = x * scale, .y = y * scale, .z = z * scale, .s = s * scale};
            }
        }
    }
    /// within a few degrees of axis-parallel: faces nearly parallel are where axes compete
    Quat small_rotation() {
        const Vec3 d = direction();
        const float angle = in(0, 0.1f) * in(0, 1);
        return {.x = d.x * std::sin(angle / 2),
                .y = d.y * std::sin(angle / 2),
                .z = d.z * std::sin(angle / 2),
                .s = std::cos(angle / 2)};
    }
    Hull hull(int points, float size) {
        std::vector<Vec3> p;
        for (int i = 0; i < points; ++i) {
            const Vec3 d = direction();
            const float r = size * in(0.7f, 1);
            p.push_back({d.x * r, d.y * r, d.z * r});
        }
        return Hull::from_points(p);
    }
};

/// many parallel edges, and faces of many corners
Solid prism(int sides) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const float angle = static_cast<float>(i) * 2 * std::numbers::pi_v<float> / static_cast<float>(sides);
        for (float y : {-0.4f, 0.4f}) points.push_back({0.5f * std::cos(angle), y, 0.5f * std::sin(angle)});
    }
    return solid_of(Hull::from_points(points));
}

std::vector<Solid> solids() {
    Random random{std::mt19937(7)};
    std::vector<Solid> all;
    all.push_back(solid_box({0.5f, 0.5f, 0.5f}));
    all.push_back(solid_box({0.3f, 0.7f, 0.4f}));
    all.push_back(solid_box({0.9f, 0.2f, 0.8f}));
    for (int points : {4, 8, 12, 30}) all.push_back(solid_of(random.hull(points, 0.6f)));
    all.push_back(prism(12));
    for (Solid& s : all)
        if (!s.words.empty()) s.geometry.hull = s.words.data();
    return all;
}

constexpr float margin = 0.02f;
/// what the preference for faces may cost, in metres, for shapes of about one metre
constexpr double slack = 6e-4;

float deepest(const ContactManifold& m) {
    float least = 1e30f;
    for (int i = 0; i < m.count; ++i) least = std::min(least, m.separation[i]);
    return least;
}

/// poses from deep inside each other to just out of reach
Pose random_pose(Random& random, const Solid& a, const Solid& b) {
    Pose pose{{}, random.bits() % 4 == 0 ? random.small_rotation() : random.rotation()};
    const Vec3 d = random.direction();
    const double reach = overlap_along(a, Placed(b, pose), wide(d));
    const float choice = random.in(0, 1);
    // a third deep, a third shallow or touching, a third anywhere
    const float out = choice < 0.3f   ? random.in(0, 1)
                      : choice < 0.7f ? 1 - random.in(0, 0.2f) * random.in(0, 1)
                                      : random.in(0.5f, 1.05f);
    const float length = static_cast<float>(reach) * out;
    pose.position = {d.x * length, d.y * length, d.z * length};
    return pose;
}

/// Calls `check(i, a, b, pose, manifold)` for so many random pairs.
template <class Check>
void for_random_pairs(const std::vector<Solid>& all, unsigned seed, int count, const Check& check) {
    Random random{std::mt19937(seed)};
    for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
        const Solid& a = all[random.bits() % all.size()];
        const Solid& b = all[random.bits() % all.size()];
        const Pose pose = random_pose(random, a, b);
        ContactManifold m;
        collide(a.geometry, b.geometry, pose.position, pose.rotation, margin, m);
        check(i, a, b, pose, m);
    }
}

TEST(ConvexSweep, ManifoldsAgreeWithGjkAndEpaInAHundredThousandPoses) {
    std::vector<Solid> all = solids();
    all.push_back(prism(64)); // as many vertices as there may be
    all.back().geometry.hull = all.back().words.data();
    int touching = 0, apart = 0, missed = 0, wrong = 0;
    for_random_pairs(
        all, 1, 100000,
        [&](int i, const Solid& a, const Solid& b, const Pose& pose, const ContactManifold& m) {
            const double depth = -convex_separation(a.geometry, b.geometry, pose.position, pose.rotation);
            if (m.count > 0) ++touching;
            else ++apart;
            if (depth > slack && m.count == 0) {
                if (++missed < 5)
                    ADD_FAILURE() << "pose " << i << ": overlap " << depth << " without a contact";
            }
            if (m.count > 0 && depth > 0 && std::abs(-deepest(m) - depth) > 0.01 * depth + slack) {
                if (++wrong < 5)
                    ADD_FAILURE() << "pose " << i << ": depth " << -deepest(m) << ", EPA says " << depth
                                  << " types " << int(a.geometry.type) << " " << int(b.geometry.type);
            }
        });
    EXPECT_EQ(missed, 0);
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(touching, 50000);
    EXPECT_GT(apart, 1000);
}

TEST(ConvexSweep, DepthIsTheLeastOverlapOverAllAxes) {
    const std::vector<Solid> all = solids();
    int compared = 0;
    for_random_pairs(
        all, 2, 3000, [&](int i, const Solid& a, const Solid& b, const Pose& pose, const ContactManifold& m) {
            const double depth = overlap_by_all_axes(a, Placed(b, pose));
            if (depth < slack) return;
            ++compared;
            ASSERT_GT(m.count, 0) << "pose " << i << ": overlap " << depth;
            ASSERT_NEAR(-deepest(m), depth, 0.01 * depth + slack) << "pose " << i;
            // the normal parts them by that much
            ASSERT_NEAR(overlap_along(a, Placed(b, pose), wide(m.normal)), depth, 0.01 * depth + slack)
                << "pose " << i;
        });
    EXPECT_GT(compared, 1000);
}

TEST(ConvexSweep, NoneOfTwentyThousandDirectionsShowsLessOverlap) {
    const std::vector<Solid> all = solids();
    int overlapping = 0;
    for_random_pairs(all, 3, 160,
                     [&](int i, const Solid& a, const Solid& b, const Pose& pose, const ContactManifold& m) {
                         const double least = overlap_by_sweep(a, Placed(b, pose), 20000);
                         // directions are 0.025 apart: between them the overlap of shapes this large changes by 0.03
                         if (least > 0.03) {
                             ++overlapping;
                             ASSERT_GT(m.count, 0) << "pose " << i << ": overlap " << least;
                         }
                         if (m.count > 0) {
                             ASSERT_LE(-deepest(m), least + 0.01 * std::abs(least) + slack) << "pose " << i;
                         }
                         if (m.count > 0 && deepest(m) < -slack) {
                             ASSERT_LE(least, -deepest(m) * 1.01 + 0.03) << "pose " << i;
                         }
                     });
    EXPECT_GT(overlapping, 40);
}

} // namespace
} // namespace scree::test
