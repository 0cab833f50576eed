// SPDX-License-Identifier: MIT
// broad_phase_test.cpp — the seed's grid: its cells, its labels, and the pairs of brute force, each once.
#include "collision/brute.h"
#include "collision/float_dice.h"
#include "collision/seed_grid.h"
#include "device/cpu/thread_pool.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace scree::test {
namespace {

/// Objects for the grid; default: each is its own body.
struct Objects {
    std::vector<float> spheres;
    std::vector<std::uint32_t> body;
    std::vector<std::uint8_t> unbounded;

    void add(Vec3 at, float radius, Extent extent = Extent::bounded) {
        body.push_back(static_cast<std::uint32_t>(body.size()));
        spheres.insert(spheres.end(), {at.x, at.y, at.z, radius});
        unbounded.push_back(static_cast<std::uint8_t>(extent));
    }
    SeedGridInput input() const {
        SeedGridInput in;
        in.spheres = spheres;
        in.body = body;
        in.unbounded = unbounded;
        return in;
    }
};

Objects random_objects(std::uint32_t n, float reach, float least, float greatest, unsigned seed) {
    FloatDice dice(seed);
    Objects objects;
    for (std::uint32_t i = 0; i < n; ++i) {
        const Vec3 at = dice.point(reach);
        objects.add(at, dice.between(least, greatest));
    }
    return objects;
}

std::vector<ProxyPair> grid_pairs(const SeedGridInput& input, int workers = 1) {
    ThreadPool pool(workers);
    SeedGrid grid;
    std::vector<ProxyPair> pairs;
    grid.pairs(pool, input, pairs);
    return pairs;
}

std::vector<ProxyPair> tested_pairs(const SeedGridInput& input) {
    ThreadPool pool(1);
    SeedGrid grid;
    std::vector<ProxyPair> pairs;
    grid.candidates(pool, input, pairs);
    return pairs;
}

/// Never two of one body, never two unbounded ones, and a plane with every bounded one.
std::vector<ProxyPair> every_pair(const SeedGridInput& input) {
    std::vector<ProxyPair> pairs;
    const auto n = static_cast<std::uint32_t>(input.body.size());
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = i + 1; j < n; ++j) {
            const auto a = input.unbounded[i], b = input.unbounded[j];
            if (input.body[i] == input.body[j] || (a != 0 && b != 0)) continue;
            const float* spheres = input.spheres.data();
            if (a == 2 || b == 2 ||
                spheres_overlap(spheres + 4 * std::size_t{i}, spheres + 4 * std::size_t{j}))
                pairs.push_back({i, j});
        }
    return pairs;
}

/// Sorted but not made unique: a pair found twice is a difference.
void expect_pairs_of_brute_force(const SeedGridInput& input) {
    std::vector<ProxyPair> pairs = grid_pairs(input);
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, every_pair(input));
}

/// Cells of edge 1 from the origin; a cell is named by its indices.
SeedGridFrame unit_cells() {
    SeedGridFrame frame;
    frame.cell = 1;
    frame.bits = {8, 8, 8};
    return frame;
}

SeedCells cells(Vec3 at, float radius) {
    const float sphere[4] = {at.x, at.y, at.z, radius};
    return seed_cells(unit_cells(), sphere);
}

bool share_a_cell(const SeedCells& a, const SeedCells& b) {
    for (int i = 0; i < a.count; ++i)
        for (int k = 0; k < b.count; ++k)
            if (a.id[static_cast<std::size_t>(i)] == b.id[static_cast<std::size_t>(k)]) return true;
    return false;
}

/// Two objects of cells of edge 1: whether the grid tests them.
std::size_t times_tested(Vec3 a, Vec3 b, float radius) {
    Objects objects;
    objects.add(a, radius);
    objects.add(b, radius);
    SeedGridInput input = objects.input();
    input.cell = 1;
    return tested_pairs(input).size();
}

constexpr float widest = 0.2356f; // the largest radius that cells of edge 1 allow

// entries ----------------------------------------------------------------------------------------------------------

TEST(SeedGridEntries, TheHomeCellHoldsTheCentre) {
    const SeedCells own = cells({2.5f, 3.5f, 5.5f}, 0.1f);
    EXPECT_EQ(own.count, 1);
    EXPECT_EQ(own.id[0], unit_cells().id({2, 3, 5}));
    EXPECT_EQ(own.label[0], 1 + 0 + 2 + 4);
}

TEST(SeedGridEntries, IdsPackTheIndicesAtTheShiftsOfTheirBits) {
    SeedGridFrame frame;
    frame.bits = {3, 4, 5};
    EXPECT_EQ(frame.id({5, 9, 17}), 5u | 9u << 3 | 17u << 7);
    frame.bits = {10, 11, 11};
    EXPECT_EQ(frame.id({1023, 2047, 2047}), 0xffffffffu);
}

TEST(SeedGridEntries, ASphereNearACornerHasSevenPhantomsWithAllLabels) {
    const SeedCells own = cells({3.02f, 3.02f, 2.98f}, 0.1f);
    EXPECT_EQ(own.count, 8);
    EXPECT_EQ(seed_mask(own.control), 0xffu);
    EXPECT_EQ(seed_home_label(own.control), 1u + 1 + 2 + 0);
    std::vector<std::uint32_t> ids(own.id.begin(), own.id.end());
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(SeedGridEntries, RadiiCountEnlargedByTheRootOfTwo) {
    EXPECT_EQ(cells({3.141f, 3.5f, 3.5f}, 0.1f).count, 2);
    EXPECT_EQ(cells({3.142f, 3.5f, 3.5f}, 0.1f).count, 1);
}

TEST(SeedGridEntries, CellsAcrossAnEdgeAreReachedByDistanceNotBySide) {
    // both sides lie within reach of 0.1414, their common edge at 0.17 does not
    const SeedCells own = cells({3.12f, 3.12f, 3.5f}, 0.1f);
    EXPECT_EQ(own.count, 3);
}

TEST(SeedGridEntries, ControlBitsAreElevenAndHoldLabelAndMask) {
    const std::uint16_t control = seed_control(7, 0xa5);
    EXPECT_EQ(control >> 11, 0);
    EXPECT_EQ(seed_home_label(control), 7u);
    EXPECT_EQ(seed_mask(control), 0xa5u);
}

TEST(SeedGridEntries, NegativeIndicesWrapWithTheirLabels) {
    const SeedCells own = cells({-0.5f, -1.5f, -2.5f}, 0.1f);
    EXPECT_EQ(own.id[0], unit_cells().id({255, 254, 253}));
    EXPECT_EQ(own.label[0], 1 + 1 + 0 + 4);
}

TEST(SeedGridEntries, CoordinatesFarBeyondTheBitsStillHaveACell) {
    for (const float at : {1e9f, -1e9f, 1e20f, -3e38f}) {
        const SeedCells own = cells({at, at, at}, 0.1f);
        EXPECT_GE(own.count, 1);
        for (int k = 0; k < own.count; ++k) EXPECT_LT(own.id[static_cast<std::size_t>(k)], 1u << 24);
    }
}

TEST(SeedGridEntries, NeverMoreThanEightAndNeverTheSameTwice) {
    FloatDice dice(1);
    for (const std::array<int, 3> bits : {std::array{8, 8, 8}, std::array{1, 1, 1}, std::array{0, 1, 4}}) {
        SeedGridFrame frame = unit_cells();
        frame.bits = bits;
        for (int i = 0; i < 2000; ++i) {
            const Vec3 at = dice.point(20);
            const float sphere[4] = {at.x, at.y, at.z, dice.between(0, widest)};
            const SeedCells own = seed_cells(frame, sphere);
            std::vector<std::uint32_t> ids(own.id.begin(), own.id.begin() + own.count);
            std::sort(ids.begin(), ids.end());
            ASSERT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
        }
    }
}

// the worked cases of the seed's section on tests, in three dimensions: labels 1 ... 4 are those of z = 0 --------------

TEST(SeedGridWorkedCases, ObjectsOfOneHomeAreTestedThere) {
    EXPECT_EQ(times_tested({0.4f, 0.4f, 0.5f}, {0.6f, 0.6f, 0.5f}, 0.2f), 1u);
}

TEST(SeedGridWorkedCases, ASharedCellThatIsOnesHomeIsTestedAndOneThatIsNeitherIsNot) {
    // the first reaches into the home of the second
    EXPECT_EQ(times_tested({0.9f, 0.5f, 0.5f}, {1.5f, 0.5f, 0.5f}, 0.2f), 1u);
    // homes (0 0 0) and (1 1 0); both reach into (1 0 0), none into the other's home
    const Vec3 a{0.76f, 0.5f, 0.5f}, b{1.5f, 1.24f, 0.5f};
    ASSERT_TRUE(share_a_cell(cells(a, 0.2f), cells(b, 0.2f)));
    EXPECT_EQ(times_tested(a, b, 0.2f), 0u);
}

TEST(SeedGridWorkedCases, APairThatMeetsInBothHomesIsTestedInThatOfTheLowerLabelAlone) {
    // homes labelled 1 and 3, each touches both
    const SeedCells one = cells({0.5f, 0.9f, 0.5f}, 0.2f), three = cells({0.5f, 1.1f, 0.5f}, 0.2f);
    ASSERT_EQ(seed_home_label(one.control), 1u);
    ASSERT_EQ(seed_home_label(three.control), 3u);
    EXPECT_TRUE(seed_tests(one.control, three.control));  // in the cell labelled 1
    EXPECT_FALSE(seed_tests(three.control, one.control)); // in the cell labelled 3
    EXPECT_EQ(times_tested({0.5f, 0.9f, 0.5f}, {0.5f, 1.1f, 0.5f}, 0.2f), 1u);
}

TEST(SeedGridWorkedCases, ALabelSharedByTwoCellsSkipsAPairThatIsSurelyApart) {
    // both have cells of the labels 3 and 4 but share only that of label 4, the home of the right one:
    // cells (0 1 0) = 3, (1 1 0) = 4, (2 1 0) = 3
    const Vec3 left{0.8f, 1.5f, 0.5f}, right{1.75f, 1.5f, 0.5f};
    const SeedCells three = cells(left, widest), four = cells(right, widest);
    ASSERT_EQ(seed_home_label(three.control), 3u);
    ASSERT_EQ(seed_home_label(four.control), 4u);
    ASSERT_EQ(seed_mask(three.control), seed_label_bit(3) | seed_label_bit(4));
    ASSERT_EQ(seed_mask(four.control), seed_label_bit(3) | seed_label_bit(4));
    EXPECT_FALSE(seed_tests(four.control, three.control));
    EXPECT_EQ(times_tested(left, right, widest), 0u);
}

TEST(SeedGridWorkedCases, TheSameWithTheLowerLabelAsTheSharedHomeIsTestedInVain) {
    // cells (1 1 0) = 4, (2 1 0) = 3, (3 1 0) = 4: the shared cell is the one of label 3
    const Vec3 left{1.8f, 1.5f, 0.5f}, right{2.75f, 1.5f, 0.5f};
    ASSERT_EQ(seed_home_label(cells(left, widest).control), 4u);
    ASSERT_EQ(seed_mask(cells(right, widest).control), seed_label_bit(3) | seed_label_bit(4));
    EXPECT_EQ(times_tested(left, right, widest), 1u);
}

TEST(SeedGridWorkedCases, PhantomsAreNeverTestedAgainstPhantoms) {
    // homes (0 0 0) and (1 1 0), both reach into (1 0 0), where the enlarged spheres touch and the real ones do not
    const Vec3 a{0.95f, 0.7f, 0.5f}, b{1.3f, 1.05f, 0.5f};
    const float radius = 0.2f, apart = 0.35f * std::sqrt(2.0f);
    ASSERT_LT(apart, 2 * std::sqrt(2.0f) * radius);
    ASSERT_TRUE(share_a_cell(cells(a, radius), cells(b, radius)));
    EXPECT_EQ(times_tested(a, b, radius), 0u);
    Objects objects;
    objects.add(a, radius);
    objects.add(b, radius);
    EXPECT_TRUE(every_pair(objects.input()).empty());
}

// pairs ------------------------------------------------------------------------------------------------------------

TEST(SeedGrid, FindsThePairsOfBruteForceOnRandomScenes) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Objects objects = random_objects(400, 3, 0.02f, 0.5f, seed);
        ASSERT_GT(every_pair(objects.input()).size(), 200u);
        expect_pairs_of_brute_force(objects.input());
    }
}

TEST(SeedGrid, FindsSpheresThatOnlyJustOverlap) {
    // equal radii, the case without slack; distances around touching
    FloatDice dice(2);
    Objects objects;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 a = dice.point(200), d = dice.point(1);
        const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        const float gap = 2 * (1 + 1e-6f * static_cast<float>(i % 5 - 2));
        objects.add(a, 1);
        objects.add({a.x + d.x / length * gap, a.y + d.y / length * gap, a.z + d.z / length * gap}, 1);
    }
    expect_pairs_of_brute_force(objects.input());
}

TEST(SeedGrid, WrappedIndicesLoseNoPairAndRepeatNone) {
    for (const std::array<int, 3> bits : {std::array{0, 0, 0}, std::array{1, 1, 1}, std::array{1, 0, 2},
                                          std::array{2, 2, 2}, std::array{2, 1, 3}, std::array{32, 0, 0}}) {
        for (unsigned seed = 0; seed < 5; ++seed) {
            const Objects objects = random_objects(300, 5, 0.1f, 0.4f, seed);
            SeedGridInput input = objects.input();
            input.bits = bits;
            expect_pairs_of_brute_force(input);
        }
    }
}

TEST(SeedGrid, NegativeCoordinatesAndAnyOriginGiveTheSamePairs) {
    const Objects objects = random_objects(500, 5, 0.1f, 0.4f, 3);
    for (const Vec3 origin : {Vec3{0, 0, 0}, Vec3{-100, -100, -100}, Vec3{1000.3f, -7.7f, 0.001f}}) {
        SeedGridInput input = objects.input();
        input.origin = origin;
        expect_pairs_of_brute_force(input);
    }
}

TEST(SeedGrid, AnyCellSizeGivesTheSamePairs) {
    const Objects objects = random_objects(500, 5, 0.1f, 0.4f, 4);
    for (const float cell : {0.0f, 0.01f, 1.0f, 1.7f, 3.0f, 1000.0f}) {
        SeedGridInput input = objects.input();
        input.cell = cell;
        expect_pairs_of_brute_force(input);
    }
}

TEST(SeedGrid, TheCellIsNoSmallerThanOneAndAHalfTimesTheLargestEnlargedSphere) {
    Objects objects;
    objects.add({0, 0, 0}, 0.5f);
    objects.add({5, 0, 0}, 2);
    objects.add({9, 0, 0}, 100, Extent::unbounded); // does not count
    ThreadPool pool(1);
    SeedGrid grid;
    std::vector<ProxyPair> pairs;
    SeedGridInput input = objects.input();
    input.cell = 1;
    grid.pairs(pool, input, pairs);
    EXPECT_NEAR(grid.frame().cell, 1.5 * 2 * std::sqrt(2.0) * 2, 1e-5);
    input.cell = 20;
    grid.pairs(pool, input, pairs);
    EXPECT_EQ(grid.frame().cell, 20);
}

TEST(SeedGrid, ACellMayHoldAnyNumberOfObjects) {
    Objects objects;
    for (int i = 0; i < 700; ++i) objects.add({0.5f, 0.5f, 0.5f}, 0.1f);
    EXPECT_EQ(grid_pairs(objects.input()).size(), 700u * 699 / 2);
    expect_pairs_of_brute_force(objects.input());
}

TEST(SeedGrid, ObjectsOfOneBodyAreNeverAPair) {
    Objects objects = random_objects(300, 2, 0.2f, 0.4f, 5);
    for (std::size_t i = 0; i < objects.body.size(); ++i) objects.body[i] /= 3;
    for (const ProxyPair pair : grid_pairs(objects.input()))
        EXPECT_NE(objects.body[pair.first], objects.body[pair.second]);
    expect_pairs_of_brute_force(objects.input());
}

TEST(SeedGrid, PlanesPairWithEveryBoundedObjectAndNotAmongThemselves) {
    Objects objects;
    objects.add({0, 0, 0}, 0, Extent::plane);
    objects.add({100, 0, 0}, 0.5f);
    objects.add({0, 3, 0}, std::numeric_limits<float>::infinity(), Extent::plane);
    objects.add({-500, 0, 0}, 0.5f);
    std::vector<ProxyPair> pairs = grid_pairs(objects.input());
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, (std::vector<ProxyPair>{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
}

TEST(SeedGrid, UnboundedSpheresAreTestedOutsideTheGrid) {
    Objects objects = random_objects(200, 10, 0.1f, 0.4f, 6);
    objects.add({0, -30, 0}, 25, Extent::unbounded);
    objects.add({0, 30, 0}, 35, Extent::unbounded);
    objects.add({0, 0, 0}, 0, Extent::plane);
    expect_pairs_of_brute_force(objects.input());
}

TEST(SeedGrid, OneArrayIsFilledWithBoundedObjectsFromTheFrontAndOthersFromTheBack) {
    Objects objects;
    const float far = std::numeric_limits<float>::infinity();
    objects.add({0, 0, 0}, far, Extent::plane);
    for (int k = 0; k < 3; ++k) objects.add({static_cast<float>(4 * k), 0, 0}, 0.5f);
    objects.add({0, -30, 0}, 25, Extent::unbounded);
    objects.add({20, 0, 0}, 0.5f);
    ThreadPool pool(1);
    SeedGrid grid;
    std::vector<ProxyPair> pairs;
    grid.pairs(pool, objects.input(), pairs);
    EXPECT_TRUE(std::ranges::equal(grid.objects(), std::vector<std::uint32_t>{1, 2, 3, 5, 4, 0}));
    // what is not bounded has no cells, nor does its radius widen them
    EXPECT_LE(grid.entries(), 4u * 8);
    EXPECT_LT(grid.frame().cell, 3);
}

TEST(SeedGrid, WithoutObjectsFindsNothing) { EXPECT_TRUE(grid_pairs(Objects{}.input()).empty()); }

TEST(SeedGrid, PointsInOnePlaceArePairs) {
    Objects objects;
    for (int i = 0; i < 4; ++i) objects.add({7, 7, 7}, 0);
    EXPECT_EQ(grid_pairs(objects.input()).size(), 6u);
}

TEST(SeedGrid, ScenesFarFromTheOriginAreNoDifferent) {
    Objects objects = random_objects(400, 4, 0.1f, 0.5f, 7);
    for (std::size_t i = 0; i < objects.spheres.size(); i += 4) objects.spheres[i] += 10000;
    objects.add({1e30f, 0, 0}, 0.1f);
    objects.add({1e30f, 0, 0}, 0.1f);
    expect_pairs_of_brute_force(objects.input());
}

TEST(SeedGrid, GivesTheSameListOnAnyNumberOfWorkers) {
    const Objects objects = random_objects(40000, 17, 0.1f, 0.4f, 8);
    const std::vector<ProxyPair> alone = grid_pairs(objects.input(), 1);
    EXPECT_GT(alone.size(), 10000u);
    EXPECT_EQ(grid_pairs(objects.input(), 4), alone);
    EXPECT_EQ(grid_pairs(objects.input(), 1), alone);
}

TEST(SeedGrid, TestsFarFewerThanAllPairs) {
    const Objects objects = random_objects(2000, 10, 0.1f, 0.3f, 9);
    EXPECT_LT(tested_pairs(objects.input()).size(), 2000u * 1999 / 2 / 50);
}

TEST(SeedGrid, RefusesWhatItCannotPlace) {
    const auto message = [](const SeedGridInput& input) { return error_message([&] { grid_pairs(input); }); };
    Objects objects;
    objects.add({0, 0, 0}, 1);
    SeedGridInput input = objects.input();
    input.bits = {11, 11, 11};
    EXPECT_EQ(message(input), "grid_bits: 33 bits for the three axes; 32 fit");
    input.bits = {-1, 11, 11};
    EXPECT_EQ(message(input), "grid_bits: -1 bits for an axis; 0 to 32 fit");
    input = objects.input();
    input.cell = std::numeric_limits<float>::infinity();
    EXPECT_EQ(message(input), "grid_cell: invalid value inf: expected a finite number");
    objects.add({0, std::numeric_limits<float>::infinity(), 0}, 1);
    EXPECT_EQ(message(objects.input()), "grid: the sphere of object 1 is not finite: inf");
    objects.spheres[5] = 0;
    objects.spheres[7] = -2;
    EXPECT_EQ(message(objects.input()), "grid: the sphere of object 1 has a negative radius: -2.000000");
}

// brute force --------------------------------------------------------------------------------------------------------

TEST(BruteForce, PairsOnlyTheListedProxiesAndCountsTouching) {
    const std::vector<float> bounds{0, 0, 0, 9, 1, 1, 1, 9, 1, 0, 0, 9, 2, 1, 1, 9,
                                    0, 0, 0, 9, 5, 5, 5, 9, 3, 3, 3, 9, 4, 4, 4, 9};
    std::vector<ProxyPair> pairs;
    brute_pairs(bounds, std::vector<std::uint32_t>{3, 0, 1}, pairs);
    EXPECT_EQ(pairs, (std::vector<ProxyPair>{{0, 1}}));
    pairs.clear();
    brute_pairs(bounds, std::vector<std::uint32_t>{3, 2}, pairs);
    EXPECT_EQ(pairs, (std::vector<ProxyPair>{{2, 3}}));
}

} // namespace
} // namespace scree::test
