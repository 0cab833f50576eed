// SPDX-License-Identifier: MIT
// bounds_tree_test.cpp — the tree finds exactly what testing every pair finds, whatever was done to it.
#include "collision/bounds_tree.h"
#include "collision/brute.h"
#include "collision/float_dice.h"
#include "device/cpu/thread_pool.h"
#include "scree/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace scree::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A tree, and beside it what it should hold.
class Twin {
public:
    void insert(std::uint32_t proxy, BoundsTree::Layer layer, Vec3 centre, Vec3 half) {
        if (proxy >= layers_.size()) {
            layers_.resize(proxy + 1, -1);
            bounds_.resize(bounds_stride * (proxy + 1));
        }
        write(proxy, centre, half);
        layers_[proxy] = static_cast<int>(layer);
        tree.insert(proxy, layer, bounds(proxy));
    }
    void insert(std::uint32_t proxy, Vec3 centre, float half) {
        insert(proxy, BoundsTree::moving, centre, {half, half, half});
    }
    void insert(std::uint32_t proxy, BoundsTree::Layer layer, const std::vector<float>& eight) {
        insert(proxy, layer, {}, {});
        std::copy(eight.begin(), eight.end(), bounds(proxy));
        tree.set(proxy, bounds(proxy));
    }
    void set(std::uint32_t proxy, Vec3 centre, Vec3 half) {
        write(proxy, centre, half);
        tree.set(proxy, bounds(proxy));
    }
    void move(std::uint32_t proxy, Vec3 by) {
        float* b = bounds(proxy);
        for (std::size_t side : {std::size_t{0}, std::size_t{4}}) {
            b[side] += by.x;
            b[side + 1] += by.y;
            b[side + 2] += by.z;
        }
        tree.set(proxy, b);
    }
    void remove(std::uint32_t proxy) {
        layers_[proxy] = -1;
        tree.remove(proxy);
    }
    bool holds(std::uint32_t proxy) const { return proxy < layers_.size() && layers_[proxy] >= 0; }
    std::uint32_t end() const { return static_cast<std::uint32_t>(layers_.size()); }
    float* bounds(std::uint32_t proxy) { return bounds_.data() + bounds_stride * proxy; }

    std::vector<std::uint32_t> found(const float* around, unsigned mask = BoundsTree::all_layers) const {
        std::vector<std::uint32_t> out;
        tree.query(around, mask, out);
        std::sort(out.begin(), out.end());
        return out;
    }
    std::vector<std::uint32_t> expected(const float* around, unsigned mask = BoundsTree::all_layers) {
        std::vector<std::uint32_t> out;
        for (std::uint32_t i = 0; i < end(); ++i)
            if (holds(i) && (mask >> layers_[i] & 1) != 0 && overlap(bounds(i), around)) out.push_back(i);
        return out;
    }
    void expect_alike(unsigned mask = BoundsTree::all_layers) {
        for (std::uint32_t i = 0; i < end(); ++i)
            ASSERT_EQ(found(bounds(i), mask), expected(bounds(i), mask))
                << "around proxy " << i << " of " << end();
    }

    BoundsTree tree;

private:
    void write(std::uint32_t proxy, Vec3 c, Vec3 h) {
        float* b = bounds(proxy);
        const float sides[8] = {c.x - h.x, c.y - h.y, c.z - h.z, 0, c.x + h.x, c.y + h.y, c.z + h.z, 0};
        std::copy(sides, sides + 8, b);
    }
    std::vector<int> layers_; // -1: not there
    std::vector<float> bounds_;
};

/// As a pile of n boxes of side one.
void fill_with_boxes(Twin& twin, std::uint32_t n, unsigned seed) {
    FloatDice dice(seed);
    const float reach = 0.5f * std::cbrt(static_cast<float>(n));
    for (std::uint32_t i = 0; i < n; ++i) twin.insert(i, dice.point(reach), dice.between(0.3f, 0.7f));
    twin.tree.update();
}

std::uint32_t visited_nodes(const BoundsTree& tree, BoundsTree::Layer layer, const float* around) {
    std::uint32_t visits = 0;
    for (const PackedTree& t : tree.trees(layer)) {
        std::vector<std::pair<int, std::uint32_t>> waiting;
        if (t.height > 0) waiting.emplace_back(t.height - 1, 0u);
        while (!waiting.empty()) {
            const auto [level, i] = waiting.back();
            waiting.pop_back();
            ++visits;
            const BoundsNode& node = t.nodes[t.first[static_cast<std::size_t>(level)] + i];
            for (std::uint32_t child = 0; child < 8 && level > 0; ++child) {
                const float bounds[8] = {node.low[0][child],  node.low[1][child],  node.low[2][child],  0,
                                         node.high[0][child], node.high[1][child], node.high[2][child], 0};
                if (overlap(bounds, around)) waiting.emplace_back(level - 1, 8 * i + child);
            }
        }
    }
    return visits;
}

double mean_visits(Twin& twin) {
    double visits = 0;
    for (std::uint32_t i = 0; i < twin.end(); ++i)
        visits += visited_nodes(twin.tree, BoundsTree::moving, twin.bounds(i));
    return visits / twin.end();
}

TEST(BoundsTree, FindsWhatEveryPairFindsInRandomScenesOfAnySize) {
    for (const std::uint32_t n : {1u, 2u, 7u, 8u, 9u, 63u, 64u, 65u, 511u, 513u, 2500u}) {
        Twin twin;
        fill_with_boxes(twin, n, n);
        twin.expect_alike();
    }
}

TEST(BoundsTree, SeveralThreadsBuildTheSameTreeAsOne) {
    ThreadPool pool(4);
    for (const std::uint32_t n : {3000u, 9000u, 40000u}) {
        BoundsTree one, many;
        FloatDice dice(n);
        std::vector<float> bounds(8 * std::size_t{n});
        for (std::uint32_t i = 0; i < n; ++i) {
            float* b = &bounds[8 * std::size_t{i}];
            const Vec3 at = dice.point(i % 7 == 0 ? 2.0f : 40.0f);
            const float half = i % 100 == 0 ? 30.0f : dice.between(0.3f, 0.7f);
            const float sides[8] = {at.x - half, at.y - half, at.z - half, 0,
                                    at.x + half, at.y + half, at.z + half, 0};
            std::copy(sides, sides + 8, b);
            one.insert(i, BoundsTree::moving, b);
            many.insert(i, BoundsTree::moving, b);
        }
        for (int round = 0; round < 4; ++round) {
            one.update();
            many.update(&pool);
            const PackedTree &a = one.trees(BoundsTree::moving)[0], &b = many.trees(BoundsTree::moving)[0];
            ASSERT_EQ(a.proxy, b.proxy);
            ASSERT_EQ(a.surface, b.surface);
            ASSERT_EQ(a.nodes.size(), b.nodes.size());
            ASSERT_EQ(std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(BoundsNode)), 0);
            // refitted at first, then built again
            for (std::uint32_t i = 0; i < n; i += round == 0 ? 5 : 1) {
                float* of = &bounds[8 * std::size_t{i}];
                const float most = round == 0 ? 1.0f : 100.0f;
                of[0] -= dice.between(0.0f, most), of[6] += dice.between(0.0f, most);
                one.set(i, of);
                many.set(i, of);
            }
        }
        EXPECT_GT(one.builds(), 1u);
        EXPECT_EQ(one.builds(), many.builds());
    }
}

TEST(BoundsTree, WithoutProxiesFindsNothing) {
    BoundsTree tree;
    tree.update();
    const float everywhere[8] = {-infinity, -infinity, -infinity, 0, infinity, infinity, infinity, 0};
    std::vector<std::uint32_t> out;
    tree.query(everywhere, BoundsTree::all_layers, out);
    EXPECT_TRUE(out.empty());
}

TEST(BoundsTree, ThePairsAreThoseOfBruteForce) {
    Twin twin;
    fill_with_boxes(twin, 700, 3);
    std::vector<std::uint32_t> all;
    std::vector<float> bounds;
    std::vector<ProxyPair> pairs, brute;
    for (std::uint32_t i = 0; i < twin.end(); ++i) {
        all.push_back(i);
        bounds.insert(bounds.end(), twin.bounds(i), twin.bounds(i) + 8);
        for (const std::uint32_t other : twin.found(twin.bounds(i)))
            if (i < other) pairs.push_back({i, other});
    }
    brute_pairs(bounds, all, brute);
    EXPECT_GT(brute.size(), 1000u);
    EXPECT_EQ(pairs, brute);
}

TEST(BoundsTree, BoxesThatTouchAreFound) {
    Twin twin;
    twin.insert(0, {0, 0, 0}, 0.5f);
    twin.insert(1, {1, 1, 1}, 0.5f);
    twin.insert(2, {-1, 0, std::nextafter(1.0f, 2.0f)}, 0.5f);
    twin.tree.update();
    EXPECT_EQ(twin.found(twin.bounds(0)), (std::vector<std::uint32_t>{0, 1}));
}

TEST(BoundsTree, ThousandsOfEqualBoxesAreAllFoundOnce) {
    Twin twin;
    for (std::uint32_t i = 0; i < 3000; ++i) twin.insert(i, {1, 2, 3}, 0.5f);
    twin.tree.update();
    EXPECT_EQ(twin.found(twin.bounds(17)).size(), 3000u);
    EXPECT_EQ(twin.found(twin.bounds(17)), twin.expected(twin.bounds(17)));
}

TEST(BoundsTree, PointsInOnePlaceBesideOthersAreFound) {
    Twin twin;
    FloatDice dice(5);
    for (std::uint32_t i = 0; i < 1500; ++i) twin.insert(i, i % 3 == 0 ? dice.point(4) : Vec3{1, 1, 1}, 0.0f);
    twin.tree.update();
    for (const std::uint32_t i : {0u, 1u, 300u})
        EXPECT_EQ(twin.found(twin.bounds(i)), twin.expected(twin.bounds(i)));
}

TEST(BoundsTree, HugeBoxesAmongSmallOnesAreFoundAndDoNotWidenTheWay) {
    Twin twin;
    fill_with_boxes(twin, 2000, 6);
    const double before = mean_visits(twin);
    for (std::uint32_t i = 0; i < 5; ++i)
        twin.insert(2000 + i, {0, -1000, 0}, 1000.0f + static_cast<float>(i));
    for (std::uint32_t i = 0; i < 1000; ++i) twin.insert(2005 + i, {30, 0, 0}, 0.1f); // forces a build
    twin.tree.update();
    for (std::uint32_t i = 0; i < 2005; ++i)
        ASSERT_EQ(twin.found(twin.bounds(i)), twin.expected(twin.bounds(i)));
    double after = 0;
    for (std::uint32_t i = 0; i < 2000; ++i)
        after += visited_nodes(twin.tree, BoundsTree::moving, twin.bounds(i)) / 2000.0;
    EXPECT_LT(after, before + 6);
}

TEST(BoundsTree, ABodyFarAwayDoesNotSpoilTheBuild) {
    Twin near, far;
    fill_with_boxes(near, 2000, 7);
    FloatDice dice(7);
    far.insert(2000, {1e9f, -3e8f, 2e10f}, 0.5f);
    for (std::uint32_t i = 0; i < 2000; ++i) far.insert(i, dice.point(6.3f), dice.between(0.3f, 0.7f));
    far.tree.update();
    EXPECT_LT(mean_visits(far), 1.2 * mean_visits(near));
    far.expect_alike();
}

TEST(BoundsTree, FollowsBoxesThatMoveForManyUpdates) {
    Twin twin;
    fill_with_boxes(twin, 600, 8);
    FloatDice dice(8);
    for (int round = 0; round < 100; ++round) {
        for (std::uint32_t i = 0; i < twin.end(); ++i)
            if (dice.below(3) == 0) twin.move(i, dice.point(0.6f));
        twin.tree.update();
        twin.expect_alike();
    }
    EXPECT_GT(twin.tree.builds(), 1u);
}

TEST(BoundsTree, InsertionsRemovalsAndMovesInAnyOrderLeaveTheRightProxies) {
    Twin twin;
    FloatDice dice(9);
    for (int round = 0; round < 300; ++round) {
        // seasons of growth and of decay
        const std::uint32_t growth = round / 50 % 2 == 0 ? 60 : 5, decay = round / 50 % 2 == 0 ? 5 : 60;
        for (std::uint32_t k = 0; k < growth; ++k) {
            const std::uint32_t proxy = dice.below(2000);
            if (twin.holds(proxy)) continue;
            const auto layer = dice.below(2) == 0 ? BoundsTree::fixed : BoundsTree::moving;
            twin.insert(proxy, layer, dice.point(6),
                        {dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)});
        }
        for (std::uint32_t k = 0; k < decay + 10; ++k) {
            const std::uint32_t proxy = dice.below(2000);
            if (twin.holds(proxy)) twin.move(proxy, dice.point(1));
        }
        for (std::uint32_t k = 0; k < decay; ++k) {
            const std::uint32_t proxy = dice.below(2000);
            if (twin.holds(proxy)) twin.remove(proxy);
        }
        twin.tree.update();
        for (std::uint32_t i = 0; i < twin.end(); i += 29) {
            ASSERT_EQ(twin.found(twin.bounds(i)), twin.expected(twin.bounds(i))) << "round " << round;
            ASSERT_EQ(twin.tree.holds(i), twin.holds(i));
        }
    }
}

TEST(BoundsTree, EverythingCanBeRemovedAndInsertedAgain) {
    Twin twin;
    fill_with_boxes(twin, 500, 10);
    for (std::uint32_t i = 0; i < 500; ++i) twin.remove(i);
    twin.tree.update();
    const float everywhere[8] = {-infinity, -infinity, -infinity, 0, infinity, infinity, infinity, 0};
    EXPECT_TRUE(twin.found(everywhere).empty());
    EXPECT_EQ(twin.tree.size(BoundsTree::moving), 0u);
    fill_with_boxes(twin, 500, 11);
    EXPECT_EQ(twin.tree.size(BoundsTree::moving), 500u);
    twin.expect_alike();
}

TEST(BoundsTree, AProxyRemovedBeforeTheUpdateIsNeverFound) {
    Twin twin;
    fill_with_boxes(twin, 20, 12);
    twin.insert(20, {0, 0, 0}, 100);
    twin.remove(20);
    twin.insert(21, {0, 0, 0}, 100);
    twin.tree.update();
    twin.expect_alike();
}

TEST(BoundsTree, LayersAreAskedApart) {
    Twin twin;
    FloatDice dice(13);
    for (std::uint32_t i = 0; i < 400; ++i)
        twin.insert(i, i % 3 == 0 ? BoundsTree::fixed : BoundsTree::moving, dice.point(3),
                    {0.4f, 0.4f, 0.4f});
    twin.tree.update();
    twin.expect_alike(BoundsTree::fixed_mask);
    twin.expect_alike(BoundsTree::moving_mask);
    EXPECT_TRUE(twin.found(twin.bounds(0), 0).empty());
    EXPECT_EQ(twin.tree.size(BoundsTree::fixed), 134u);
    EXPECT_EQ(twin.tree.layer(3), BoundsTree::fixed);
    EXPECT_EQ(twin.tree.layer(4), BoundsTree::moving);
}

TEST(BoundsTree, BoundsWithoutEndAreFoundAndHideNothing) {
    Twin twin;
    const float huge = std::numeric_limits<float>::max();
    twin.insert(0, BoundsTree::fixed, {-infinity, -infinity, -infinity, 0, infinity, 0, infinity, 0});
    twin.insert(1, BoundsTree::fixed, {-infinity, -infinity, -infinity, 0, infinity, infinity, infinity, 0});
    twin.insert(2, BoundsTree::fixed, {-huge, -huge, -huge, 0, huge, huge, huge, 0});
    twin.insert(3, BoundsTree::fixed, {2, -infinity, -infinity, 0, infinity, infinity, infinity, 0});
    FloatDice dice(14);
    for (std::uint32_t i = 4; i < 600; ++i)
        twin.insert(i, BoundsTree::fixed, dice.point(5), {0.3f, 0.3f, 0.3f});
    twin.tree.update();
    twin.expect_alike();
    for (std::uint32_t i = 5; i < 600; i += 2) twin.remove(i);
    twin.tree.update();
    twin.expect_alike(); // asking without end meets no empty place
}

TEST(BoundsTree, BoundsThatAreNoNumbersAreFoundByNobody) {
    Twin twin;
    fill_with_boxes(twin, 100, 15);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    twin.insert(100, BoundsTree::moving, {nan, nan, nan, 0, nan, nan, nan, 0});
    twin.insert(101, BoundsTree::moving, {-9, nan, -9, 0, 9, 9, 9, 0});
    twin.tree.update();
    twin.expect_alike();
    twin.set(100, {0, 0, 0}, {1, 1, 1});
    twin.tree.update();
    twin.expect_alike();
}

/// Updates a tree of 2,000 proxies after each of so many changes.
template <class Change>
void expect_no_build(unsigned seed, std::uint32_t changes, const Change& change) {
    Twin twin;
    fill_with_boxes(twin, 2000, seed);
    const std::uint32_t builds = twin.tree.builds();
    for (std::uint32_t i = 0; i < changes; ++i) {
        change(twin, i);
        twin.tree.update();
    }
    EXPECT_EQ(twin.tree.builds(), builds);
    twin.expect_alike();
}

TEST(BoundsTree, SmallChangesAreRefittedWithoutABuild) {
    FloatDice dice(16);
    expect_no_build(16, 20, [&](Twin& twin, std::uint32_t) {
        for (int k = 0; k < 20; ++k) twin.move(dice.below(2000), dice.point(0.05f));
    });
}

TEST(BoundsTree, IsBuiltAgainWhenProxiesHaveMixed) {
    Twin twin;
    fill_with_boxes(twin, 2000, 17);
    const double fresh = mean_visits(twin);
    const std::uint32_t builds = twin.tree.builds();
    FloatDice dice(18);
    for (std::uint32_t i = 0; i < 2000; ++i) twin.set(i, dice.point(6.3f), {0.5f, 0.5f, 0.5f});
    twin.tree.update();
    EXPECT_EQ(twin.tree.builds(), builds + 1);
    EXPECT_LT(mean_visits(twin), 1.2 * fresh);
}

TEST(BoundsTree, AFewInsertionsDoNotBuildTheOldTree) {
    expect_no_build(19, 50, [](Twin& twin, std::uint32_t i) {
        twin.insert(2000 + i, {0, static_cast<float>(i), 0}, 0.5f);
    });
}

TEST(BoundsTree, MemoryStaysWhileProxiesMove) {
    Twin twin;
    fill_with_boxes(twin, 1000, 20);
    const std::size_t before = twin.tree.memory();
    const std::uint32_t builds = twin.tree.builds();
    FloatDice dice(20);
    for (int round = 0; round < 50; ++round) {
        for (std::uint32_t i = 0; i < 1000; ++i) twin.move(i, dice.point(0.5f));
        twin.tree.update();
    }
    EXPECT_GT(twin.tree.builds(), builds);
    EXPECT_EQ(twin.tree.memory(), before);
}

TEST(BoundsTree, ProxiesMayBeSetBySeveralThreads) {
    Twin twin;
    fill_with_boxes(twin, 3000, 21);
    for (std::uint32_t i = 0; i < twin.end(); ++i) {
        twin.bounds(i)[0] -= 0.25f;
        twin.bounds(i)[4] += 0.25f;
    }
    ThreadPool pool(4);
    pool.run(4, [&](int task) {
        for (auto i = static_cast<std::uint32_t>(task); i < twin.end(); i += 4)
            twin.tree.set(i, twin.bounds(i));
    });
    twin.tree.update();
    twin.expect_alike();
}

TEST(BoundsTree, ClearForgetsEverything) {
    Twin twin;
    fill_with_boxes(twin, 100, 22);
    twin.tree.clear();
    twin.tree.update();
    EXPECT_TRUE(twin.found(twin.bounds(0)).empty());
    EXPECT_FALSE(twin.tree.holds(0));
    fill_with_boxes(twin, 100, 22);
    twin.expect_alike();
}

TEST(BoundsTree, AQueryAppends) {
    Twin twin;
    fill_with_boxes(twin, 1000, 23);
    const float everywhere[8] = {-infinity, -infinity, -infinity, 0, infinity, infinity, infinity, 0};
    std::vector<std::uint32_t> out{4711};
    twin.tree.query(everywhere, BoundsTree::all_layers, out);
    EXPECT_EQ(out.front(), 4711u);
    EXPECT_EQ(out.size(), 1001u);
}

} // namespace
} // namespace scree::test
