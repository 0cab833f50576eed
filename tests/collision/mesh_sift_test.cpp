// SPDX-License-Identifier: MIT
// What mesh_sift.h leaves out makes no contacts: with and without it, those of random shapes on meshes are the same. So are those of
// hulls, with edges taken four at a time or one by one, and whatever face is said to have parted them.
// compiled alone
#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"
#include "scree/mesh.h"
#include "scree/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <random>
#include <vector>

#define SCREE_LANES 1
namespace scree::sifted {
// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/rotation.h"
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
// clang-format on
#if defined(KERNEL_QUADS)
constexpr bool sifts = true;
#else
constexpr bool sifts = false;
#endif
} // namespace scree::sifted
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
namespace scree::plain {
// clang-format off: the order matters
#include "kernels/dialect.h"
#undef KERNEL_QUADS
#include "kernels/functions.h"
#include "kernels/rotation.h"
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
// clang-format on
} // namespace scree::plain
#undef SCREE_LANES

namespace scree {
namespace {

/// a floor of hills and steep walls with flat parts, of triangles 10 cm to 1 m wide
Mesh ground(std::mt19937& random, float cell, float rough) {
    std::uniform_real_distribution<float> height(-rough, rough);
    constexpr std::uint32_t points = 13;
    std::vector<float> heights(points * points);
    for (float& h : heights) h = random() % 3 == 0 ? 0 : height(random);
    return Mesh::from_heights({.columns = points, .rows = points, .spacing = cell, .heights = heights});
}

/// a double cone: closed, with long thin triangles
Mesh spindle() {
    std::vector<Vec3> vertices{{0, -1, 0}, {0, 1, 0}};
    std::vector<std::uint32_t> indices;
    constexpr std::uint32_t sides = 40;
    for (std::uint32_t i = 0; i < sides; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / sides;
        vertices.push_back({0.4f * std::cos(angle), 0, 0.4f * std::sin(angle)});
        const std::uint32_t here = 2 + i, next = 2 + (i + 1) % sides;
        for (const std::uint32_t k : {here, next, 0u, next, here, 1u}) indices.push_back(k);
    }
    return Mesh::from_triangles(vertices, indices);
}

struct Trial {
    std::uint32_t type;
    Vec3 size;
    float radius;
    const std::uint32_t* hull;
    float reach; // of the shape about its origin
};

#define CONTACTS_OF(kernels)                                                                                 \
    [&](kernels::MeshClusters* all) {                                                                        \
        const kernels::ConvexShape shape{t.type, {t.size.x, t.size.y, t.size.z}, t.radius, t.hull},          \
            ground{CONVEX_MESH, {scale.x, scale.y, scale.z}, 0, words.data()};                               \
        const float r = t.reach + margin;                                                                    \
        kernels::mesh_contacts(shape,                                                                        \
                               kernels::quat_matrix(kernels::make_quat(turn[3], turn[0], turn[1], turn[2])), \
                               ground, {at.x, at.y, at.z}, {-r, -r, -r}, {r, r, r}, margin, 0.001f, all);    \
    }

/// how many clusters there were
std::uint32_t expect_same(const std::vector<std::uint32_t>& words, const Vec3& scale, const Trial& t,
                          const Vec3& at, const float (&turn)[4], float margin) {
    static sifted::MeshClusters with;
    static plain::MeshClusters without;
    CONTACTS_OF(sifted)(&with);
    CONTACTS_OF(plain)(&without);
    EXPECT_EQ(with.count, without.count);
    EXPECT_EQ(with.crowded, without.crowded);
    if (with.count != without.count) return 0;
    for (std::uint32_t c = 0; c < with.count; ++c) {
        const sifted::MeshCluster& a = with.cluster[c];
        const plain::MeshCluster& b = without.cluster[c];
        EXPECT_EQ(std::memcmp(&a.normal, &b.normal, sizeof a.normal), 0);
        EXPECT_EQ(a.number, b.number);
        EXPECT_EQ(a.points.count, b.points.count);
        const auto count = static_cast<std::size_t>(std::min(a.points.count, b.points.count));
        EXPECT_EQ(std::memcmp(a.points.point, b.points.point, count * sizeof a.points.point[0]), 0);
        EXPECT_EQ(std::memcmp(a.points.separation, b.points.separation, count * sizeof(float)), 0);
        EXPECT_EQ(std::memcmp(a.points.feature, b.points.feature, count * sizeof(std::uint32_t)), 0);
    }
    return with.count;
}

TEST(MeshSift, LeavesOutNothingThatTouches) {
    if (!sifted::sifts) GTEST_SKIP() << "these kernels do not take four triangles at a time";
    std::mt19937 random(7);
    const auto number = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    std::vector<std::vector<std::uint32_t>> meshes;
    for (const float cell : {0.1f, 0.3f, 1.0f})
        for (const float rough : {0.02f, 0.4f}) meshes.push_back(*mesh_words(ground(random, cell, rough)));
    meshes.push_back(*mesh_words(spindle()));
    std::vector<std::vector<std::uint32_t>> hulls;
    for (int i = 0; i < 12; ++i) {
        std::vector<Vec3> corners;
        for (int k = 0; k < 6 + 3 * i; ++k)
            corners.push_back({number(-0.3f, 0.3f), number(-0.6f, 0.6f), number(-0.3f, 0.3f)});
        hulls.push_back(hull_words(Hull::from_points(corners).geometry()));
    }
    std::uint32_t touching = 0;
    for (int i = 0; i < 6000 && !testing::Test::HasFailure(); ++i) {
        const auto type = static_cast<std::uint32_t>(i % 6 == 5 ? CONVEX_HULL : i % 6);
        Trial t{type,
                {number(0.05f, 0.5f), number(0.05f, 0.5f), number(0.05f, 0.5f)},
                number(0.05f, 0.4f),
                nullptr,
                0};
        if (type == CONVEX_HULL) t.hull = hulls[random() % hulls.size()].data();
        t.reach = type == CONVEX_HULL ? 0.75f : t.size.x + t.size.y + t.size.z + t.radius;
        const std::size_t which = random() % meshes.size();
        const Vec3 scale =
            random() % 4 ? Vec3{1, 1, 1} : Vec3{number(0.5f, 2), number(0.5f, 2), number(0.5f, 2)};
        const float wide = which + 1 < meshes.size() ? 0.6f : 0.4f;
        const Vec3 at{number(-wide, wide), number(-0.3f, 1), number(-wide, wide)};
        float turn[4], square = 0;
        for (float& q : turn) q = number(-1, 1), square += q * q;
        if (i % 3 == 0) turn[0] = turn[1] = turn[2] = 0, turn[3] = 1, square = 1; // flat on what is flat
        for (float& q : turn) q /= std::sqrt(square);
        touching += expect_same(meshes[which], scale, t, at, turn, number(0, 0.05f)) > 0;
    }
    EXPECT_GT(touching, 1500u);
}

TEST(ConvexManifold, OfHullsIsTheSameWithAnyPartingFace) {
    std::mt19937 random(11);
    const auto number = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    std::vector<std::vector<std::uint32_t>> hulls;
    for (int i = 0; i < 12; ++i) {
        std::vector<Vec3> corners;
        for (int k = 0; k < 5 + 3 * i; ++k) corners.push_back({number(-1, 1), number(-1, 1), number(-1, 1)});
        hulls.push_back(hull_words(Hull::from_points(corners).geometry()));
    }
    int touching = 0, crossing = 0, parted = 0;
    for (int i = 0; i < 4000; ++i) {
        const auto &a = hulls[random() % hulls.size()], &b = hulls[random() % hulls.size()];
        const bool boxed = i % 5 == 0;
        const float size = number(0.2f, 1), margin = number(0, 0.1f);
        const Vec3 at{number(-2, 2), number(-2, 2), number(-2, 2)};
        float turn[4], square = 0;
        for (float& q : turn) q = number(-1, 1), square += q * q;
        for (float& q : turn) q /= std::sqrt(square);

        plain::Manifold one_by_one;
        plain::convex_manifold({boxed ? CONVEX_BOX : CONVEX_HULL, {size, 1, 1}, 0, a.data()},
                               {CONVEX_HULL, {}, 0, b.data()}, {at.x, at.y, at.z},
                               plain::make_quat(turn[3], turn[0], turn[1], turn[2]), margin, nullptr,
                               &one_by_one);
        touching += one_by_one.count > 0;
        crossing += one_by_one.count > 0 && (one_by_one.feature[0] & 0x80000000u);
        // none known, then the one that was found, then that of a place farther off, then any
        std::uint32_t parting = 0;
        const auto made = [&](float away) {
            sifted::Manifold m;
            sifted::convex_manifold({boxed ? CONVEX_BOX : CONVEX_HULL, {size, 1, 1}, 0, a.data()},
                                    {CONVEX_HULL, {}, 0, b.data()}, {away * at.x, away * at.y, away * at.z},
                                    sifted::make_quat(turn[3], turn[0], turn[1], turn[2]), margin, &parting,
                                    &m);
            return m;
        };
        for (int k = 0; k < 4; ++k) {
            if (k == 2) made(1.05f);
            if (k == 3) parting = static_cast<std::uint32_t>(random() % 300);
            const std::uint32_t known = parting;
            const sifted::Manifold m = made(1);
            parted += k == 1 && known && parting == known;
            ASSERT_EQ(m.count, one_by_one.count);
            ASSERT_EQ(std::memcmp(&m.normal, &one_by_one.normal, sizeof m.normal), 0);
            for (int c = 0; c < m.count; ++c) {
                EXPECT_EQ(std::memcmp(&m.point[c], &one_by_one.point[c], sizeof m.point[c]), 0);
                EXPECT_EQ(m.separation[c], one_by_one.separation[c]);
                EXPECT_EQ(m.feature[c], one_by_one.feature[c]);
            }
        }
    }
    EXPECT_GT(touching, 1000);
    EXPECT_GT(crossing, 100);
    EXPECT_GT(parted, 1000);
}

} // namespace
} // namespace scree
