// SPDX-License-Identifier: MIT
// levels_test.cpp — coarser copies of a cloth: lengths, weights and masses, and what they are for.
// compiled alone
#include "fabric/levels.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

/// Where the vertices of all levels rest, as the plan means it.
std::vector<std::vector<DVec3>> rests_of(const ClothDef& cloth, const FabricPlan& plan,
                                         const std::vector<std::uint32_t>& held) {
    std::vector<std::vector<DVec3>> all(1);
    for (const Vec3& v : cloth.vertices) all[0].push_back(wide(v));
    for (const FabricLevel& level : plan.levels) {
        std::vector<DVec3> means;
        for (std::size_t c = 0; c < level.vertex.size(); ++c) {
            DVec3 mean{};
            for (std::uint32_t k = level.first_share[c]; k < level.first_share[c + 1]; ++k)
                mean = mean + all.back()[level.shares[k].vertex] * double{level.shares[k].weight};
            const bool is_held = std::find(held.begin(), held.end(), level.vertex[c]) != held.end();
            means.push_back(is_held ? wide(cloth.vertices[level.vertex[c]]) : mean);
        }
        all.push_back(std::move(means));
    }
    all.erase(all.begin());
    return all;
}

TEST(ClothLevels, AGridIsHalvedAgainAndAgainWithExactLengths) {
    const ClothDef cloth = make_cloth(2, 2, 33, 33);
    const FabricPlan plan = plan_fabric(cloth, {});
    ASSERT_EQ(plan.levels.size(), 3u);
    std::size_t side = 33;
    const auto rests = rests_of(cloth, plan, {});
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
        const FabricLevel& level = plan.levels[l];
        side = (side + 1) / 2;
        EXPECT_EQ(level.vertex.size(), side * side);
        // to eight neighbours
        EXPECT_EQ(level.links.size(), 2 * side * (side - 1) + 2 * (side - 1) * (side - 1));
        for (const FabricEdge& link : level.links)
            EXPECT_NEAR(double{link.rest}, length(rests[l][link.vertex[0]] - rests[l][link.vertex[1]]), 1e-6);
    }
}

TEST(ClothLevels, WeightsAddUpToOneAndMassesToTheCloths) {
    ClothDef cloth = make_cloth(2, 1.3f, 37, 26);
    std::mt19937 random(7);
    for (Vec3& v : cloth.vertices) {
        v.x += 0.015f * (static_cast<float>(random() % 1000) / 1000 - 0.5f);
        v.z += 0.015f * (static_cast<float>(random() % 1000) / 1000 - 0.5f);
    }
    const FabricPlan plan = plan_fabric(cloth, {0, 36});
    ASSERT_GE(plan.levels.size(), 1u);
    double whole = 0;
    for (const float m : plan.mass) whole += double{m};
    const auto rests = rests_of(cloth, plan, {0, 36});
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
        const FabricLevel& level = plan.levels[l];
        double sum = 0;
        for (const float m : level.mass) sum += double{m};
        EXPECT_NEAR(sum, whole, 1e-5 * whole);
        for (const FabricBlend& blend : level.blend) {
            const auto& w = blend.weight;
            EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-5);
        }
        // held vertices stay, and no two links of a colour share a vertex
        EXPECT_EQ(level.vertex.front(), 0u);
        EXPECT_TRUE(std::find(level.vertex.begin(), level.vertex.end(), 36u) != level.vertex.end());
        std::vector<std::vector<bool>> taken(level.link_colours, std::vector<bool>(level.vertex.size()));
        for (std::size_t k = 0; k < level.links.size(); ++k)
            for (const std::uint32_t v : level.links[k].vertex) {
                EXPECT_FALSE(taken[level.link_colour[k]][v]);
                taken[level.link_colour[k]][v] = true;
            }
        // never shorter than the straight way, and hardly longer
        for (const FabricEdge& link : level.links) {
            const double straight = length(rests[l][link.vertex[0]] - rests[l][link.vertex[1]]);
            EXPECT_GT(double{link.rest}, straight - 1e-5);
            EXPECT_LT(double{link.rest}, 1.15 * straight);
        }
    }
}

TEST(ClothLevels, LinksOfATubeGoAroundIt) {
    // 1 m around, 1 m long
    ClothDef tube;
    constexpr std::uint32_t around = 40, along = 41;
    constexpr double radius = 0.5 / std::numbers::pi;
    for (std::uint32_t j = 0; j < along; ++j)
        for (std::uint32_t i = 0; i < around; ++i) {
            const double angle = 2 * std::numbers::pi * i / around;
            tube.vertices.push_back({static_cast<float>(radius * std::cos(angle)), 0.025f * j,
                                     static_cast<float>(radius * std::sin(angle))});
            if (j == 0) continue;
            const std::uint32_t a = (j - 1) * around + i, b = (j - 1) * around + (i + 1) % around;
            tube.triangles.push_back({a, b, b + around});
            tube.triangles.push_back({a, b + around, a + around});
        }
    const FabricPlan plan = plan_fabric(tube, {});
    ASSERT_GE(plan.levels.size(), 1u);
    for (const FabricLevel& level : plan.levels)
        for (const FabricEdge& link : level.links) {
            const std::uint32_t a = level.vertex[link.vertex[0]], b = level.vertex[link.vertex[1]];
            const double turn = std::abs(static_cast<int>(a % around) - static_cast<int>(b % around));
            const double x = std::min(turn, around - turn) / around;
            const double y = 0.025 * (static_cast<double>(a / around) - static_cast<double>(b / around));
            // edges are chords
            if (a / around > 12 && b / around > 12 && a / around < along - 12 && b / around < along - 12) {
                EXPECT_GT(double{link.rest}, 0.97 * std::hypot(x, y));
                EXPECT_LT(double{link.rest}, 1.15 * std::hypot(x, y));
            }
        }
}

TEST(ClothLevels, FineClothOverASphereHardlyStretches) {
    World world({.substeps = 4});
    world.attach(world.create_body({.type = BodyType::fixed}), Sphere{0.5f});
    ClothDef cloth = make_cloth(2, 2, 64, 64);
    cloth.position = {0, 0.55f, 0};
    const ClothId id = world.create_cloth(cloth);
    for (int k = 0; k < 120; ++k) world.step(dt);
    EXPECT_LT(world.measure(id).mean_stretch, 0.01); // 5 % by edges alone
    for (const Vec3& v : world.vertices(id)) EXPECT_GT(length(v), 0.5f);
}

TEST(ClothLevels, MovesKeepTheMomentum) {
    World world({.gravity = {0, 0, 0}, .substeps = 4});
    ClothDef cloth = make_cloth(1, 1, 25, 25);
    cloth.material.damping = cloth.material.drag = 0;
    const ClothId id = world.create_cloth(cloth);
    // it turns, and one half is pulled away
    std::vector<Vec3> positions(world.vertices(id).begin(), world.vertices(id).end()), velocities;
    for (const Vec3& v : positions) velocities.push_back({v.z + (v.x > 0.2f ? 4.0f : 0.0f), 1, -v.x});
    world.set_vertices(id, positions, velocities);
    const auto totals = [&] {
        const FabricPlan plan = plan_fabric(cloth, {});
        DVec3 linear{}, angular{};
        const auto at = world.vertices(id), moving = world.vertex_velocities(id);
        for (std::size_t v = 0; v < at.size(); ++v) {
            const DVec3 p = wide(moving[v]) * double{plan.mass[v]};
            linear = linear + p;
            angular = angular + cross(wide(at[v]), p);
        }
        return std::pair{linear, angular};
    };
    const auto before = totals();
    for (int k = 0; k < 30; ++k) world.step(dt);
    const auto after = totals();
    EXPECT_LT(length(after.first - before.first), 1e-4 * length(before.first));
    EXPECT_LT(length(after.second - before.second), 0.05 * length(before.second));
}

} // namespace
} // namespace scree
