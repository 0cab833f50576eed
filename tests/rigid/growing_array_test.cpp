// SPDX-License-Identifier: MIT
// growing_array_test.cpp — an array keeps its values however large it grows; parts of a partition keep their order.
#include "rigid/growing_array.h"

#include "rigid/partition.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace scree::test {
namespace {

TEST(GrowingArray, KeepsItsValuesFromAFewBytesToManyPages) {
    GrowingArray<std::uint32_t> array;
    for (std::uint32_t k = 0; k < 40'000'000; ++k) array.push_back(k * 7);
    ASSERT_EQ(array.size(), 40'000'000u);
    EXPECT_GE(array.capacity(), array.size());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0u);
    for (std::uint32_t k = 0; k < array.size(); ++k)
        if (array[k] != k * 7) FAIL() << k;
}

TEST(GrowingArray, IsCopiedAndMovedAsAVectorIs) {
    for (const std::size_t n : {0u, 3u, 20'000'000u}) {
        GrowingArray<std::uint32_t> array;
        array.resize(n, 5);
        GrowingArray<std::uint32_t> copy = array;
        array.resize(n + 2, 6);
        EXPECT_EQ(copy.size(), n);
        copy = array;
        EXPECT_EQ(copy.size(), n + 2);
        EXPECT_EQ(copy.back(), 6u);
        EXPECT_EQ(std::accumulate(copy.begin(), copy.end(), std::uint64_t{0}), 5 * n + 12);
        GrowingArray<std::uint32_t> moved = std::move(array);
        EXPECT_EQ(moved.size(), n + 2);
        std::swap(moved, copy);
        copy.clear();
        EXPECT_TRUE(copy.empty());
        EXPECT_EQ(moved.back(), 6u);
    }
}

TEST(GrowingArray, TakesAValueOfItsOwn) {
    GrowingArray<std::uint64_t> array;
    array.push_back(42);
    for (int k = 0; k < 200'000; ++k) array.push_back(array[0]);
    for (const std::uint64_t value : array) ASSERT_EQ(value, 42u);
}

TEST(Partition, PartsHoldTheirItemsInOrder) {
    Crew crew(Place(PlaceOptions{.threads = 3}));
    Partition partition;
    constexpr std::uint32_t parts = 37;
    for (const std::uint32_t items : {0u, 1u, 2048u, 20'001u}) {
        const auto part_of = [](std::uint32_t item) {
            return item % 5 == 0 ? Partition::nowhere : static_cast<std::uint8_t>(item * 2654435761u % parts);
        };
        partition.sort(crew, items, parts, part_of);
        std::uint32_t seen = 0;
        for (std::uint32_t part = 0; part < parts; ++part) {
            EXPECT_EQ(partition.first(part), seen);
            std::int64_t before = -1;
            for (const std::uint32_t item : partition.of(part)) {
                ASSERT_EQ(part_of(item), part);
                ASSERT_LT(before, std::int64_t{item});
                before = item;
                ++seen;
            }
        }
        EXPECT_EQ(seen, items - (items + 4) / 5);
        EXPECT_EQ(partition.first(parts), seen);
    }
}

} // namespace
} // namespace scree::test
