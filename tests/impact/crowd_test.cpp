// SPDX-License-Identifier: MIT
// crowd_test.cpp — particles of an ImpactWorld in one place, or in a small part of its box: memory and work stay bounded.
#include "bytes/seal.h"
#include "impact/overlap.h"
#include "scree/error.h"
#include "scree/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace scree {
namespace {

using impact::Overlap;

template <int D>
Overlap look_at(const std::vector<std::array<double, D>>& at, const std::vector<double>& radius,
                double side) {
    std::array<double, D> low{}, size, period{};
    size.fill(side);
    impact::Cells<D> cells;
    cells.reset(radius, 0, low, size, {});
    for (std::uint32_t k = 0; k < at.size(); ++k) cells.insert(k, at[k], radius[k]);
    return impact::deepest_overlap(cells, std::span<const std::array<double, D>>(at), radius, period, 1e-9,
                                   [](std::uint32_t k) { return k; });
}

template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

/// `count` by `count` (by `count`) of diameter 1, so far from each other, in a small part of a box.
ImpactWorld block(int dimensions, int count, double side, double apart = 1, double speed = 0) {
    ImpactSettings settings;
    settings.dimensions = dimensions;
    settings.upper = {side, side, dimensions == 3 ? side : 0};
    ImpactWorld world(settings, PlaceOptions{.threads = 1});
    const double low = std::floor(side / 2) - count / 2;
    for (int z = 0; z < (dimensions == 3 ? count : 1); ++z)
        for (int y = 0; y < count; ++y)
            for (int x = 0; x < count; ++x)
                world.add({{low + apart * x, low + apart * y, dimensions == 3 ? low + apart * z : 0},
                           {speed * ((x * 7 + y * 3 + z) % 5 - 2), speed * ((x + y * 5 + z) % 3 - 1), 0}});
    return world;
}

TEST(ImpactCrowd, AMillionInOnePlaceAreRefusedAfterALookAtOne) {
    constexpr std::uint32_t count = 1'000'000;
    const Overlap seen = look_at<3>(std::vector<std::array<double, 3>>(count, {5, 5, 5}),
                                    std::vector<double>(count, 0.5), 1000);
    EXPECT_TRUE(seen.crowded);
    EXPECT_EQ(seen.looked, count - 1u);
    EXPECT_EQ(seen.depth, 1);

    ImpactSettings settings;
    settings.upper = {1000, 1000, 1000};
    ImpactWorld world(settings, PlaceOptions{.threads = 1});
    for (std::uint32_t k = 0; k < count; ++k) world.add({{5, 5, 5}});
    EXPECT_EQ(error_of([&] { world.prepare(); }),
              "particle 0: it overlaps particle 1 by 1.000000 m: expected particles that touch at most");
    EXPECT_EQ(error_of([&] { world.separate(); }),
              "particle 0: no room was found for all: it still overlaps particle 1 by 1.000000 m: expected "
              "particles that can be moved apart");
    EXPECT_EQ(world.particle_count(), count);
}

TEST(ImpactCrowd, AMillionThatTouchInASmallPartOfTheBoxHaveShortLists) {
    ImpactWorld world = block(3, 100, 1e6);
    ASSERT_EQ(world.particle_count(), 1'000'000u);
    const ImpactSeparation done = world.separate();
    EXPECT_EQ(done.moved, 0u);
    EXPECT_EQ(done.passes, 0u);
    world.prepare();
    EXPECT_LT(world.memory(), 800u * world.particle_count());
}

TEST(ImpactCrowd, ALookAtParticlesThatDoNotOverlapIsShort) {
    // many that touch, and large ones beside them
    std::vector<std::array<double, 2>> at;
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x) at.push_back({1e5 + x, 1e5 + y});
    const Overlap touching = look_at<2>(at, std::vector<double>(at.size(), 0.5), 1e6);
    EXPECT_EQ(touching.depth, 0);
    EXPECT_LT(touching.looked, 20 * at.size());

    std::vector<double> radius(at.size(), 0.5);
    for (int k = 0; k < 20; ++k) {
        at.push_back({1e5 - 600 + 0.1 * k, 1e5 + 1100.0 * k});
        radius.push_back(500);
    }
    EXPECT_LT(look_at<2>(at, radius, 1e6).looked, 60 * at.size());
}

TEST(ImpactCrowd, TheDeepestOfManyIsNamedWhateverTheOrderInMemory) {
    ImpactSettings settings;
    settings.dimensions = 2;
    settings.upper = {100, 100, 0};
    ImpactWorld world(settings);
    for (int k = 0; k < 8; ++k) world.add({{90.0 - 10 * k, 50, 0}});
    world.add({{20.75, 50, 0}});                // over 7, by a quarter
    world.add({{60, 50.5, 0}});                 // over 3, by a half
    world.add({{70, 53.25, 0}, {}, 2.75});      // over 2, by nothing
    world.add({{30, 51.5, 0}, {}, 1.75, 1e30}); // over 6, by three quarters
    EXPECT_EQ(error_of([&] { world.prepare(); }),
              "particle 6: it overlaps particle 11 by 0.750000 m: expected particles that touch at most");
}

TEST(ImpactCrowd, ARestoredCrowdContinuesBitByBit) {
    ImpactWorld world = block(3, 20, 1e5, 1.05, 0.1);
    world.prepare();
    EXPECT_LT(world.memory(), 4000u * world.particle_count());
    world.step(0.5);
    EXPECT_GT(world.measure().impacts, 1000u);
    std::vector<std::byte> saved = world.save();
    ImpactWorld other;
    other.restore(saved);
    EXPECT_EQ(other.hash(), world.hash());
    for (int k = 0; k < 3; ++k) {
        const ImpactReport a = world.step(2), b = other.step(2);
        EXPECT_EQ(a.events, b.events); // searches too: of the same ranges
        EXPECT_EQ(other.hash(), world.hash());
    }
    EXPECT_LT(world.measure().max_overlap, 1e-9);
    saved[12] = std::byte{200}; // ranges that no world has
    EXPECT_NE(error_of([&] { other.restore(saved); }).find("halvings of the range: invalid value 200"),
              std::string::npos);
}

TEST(ImpactCrowd, ASnapshotOfManyInOnePlaceIsRefused) {
    const auto content_of = [](int count, std::uint32_t& word) {
        ImpactWorld world = block(2, count, 1e5);
        world.prepare();
        const std::vector<std::byte> saved = world.save();
        const auto content = bytes::unsealed({"SCREEIMP"}, saved, word);
        return bytes::Bytes(content.begin(), content.end());
    };
    std::uint32_t word = 0;
    const std::size_t each = (content_of(2, word).size() - content_of(1, word).size()) / 3;
    bytes::Bytes content = content_of(300, word);
    for (std::size_t end = 1; end < 300u * 300u; ++end) // the last one in all places
        std::copy(content.end() - static_cast<std::ptrdiff_t>(each), content.end(),
                  content.end() - static_cast<std::ptrdiff_t>((end + 1) * each));
    ImpactWorld world;
    EXPECT_NE(error_of([&] {
                  world.restore(bytes::sealed({"SCREEIMP"}, word, content));
              }).find("more particles are in one place than lists can have"),
              std::string::npos);
    EXPECT_EQ(world.particle_count(), 0u);
}

} // namespace
} // namespace scree
