// SPDX-License-Identifier: MIT
// pair_table_test.cpp — the table finds what was put in and not taken out, and threads share it by regions.
#include "rigid/pair_table.h"

#include "device/cpu/thread_pool.h"
#include "rigid/storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Key random_key(std::mt19937& random, std::uint32_t shapes) {
    const std::uint32_t a = random() % shapes;
    return {a, a + 1 + random() % 30, random() % 8 == 0 ? random() % 4 : 0};
}

void expect_alike(const PairTable& table, const std::map<Key, std::uint32_t>& model) {
    ASSERT_EQ(table.size(), model.size());
    for (const auto& [key, contact] : model)
        ASSERT_EQ(table.find(std::get<0>(key), std::get<1>(key), std::get<2>(key)), contact);
}

TEST(PairTable, HoldsWhatAMapHolds) {
    PairTable table;
    std::map<Key, std::uint32_t> model;
    std::mt19937 random(1);
    for (std::uint32_t k = 0; k < 40000; ++k) {
        const Key key = random_key(random, 500);
        const auto [a, b, slot] = key;
        if (const auto at = model.find(key); at == model.end()) {
            ASSERT_EQ(table.find(a, b, slot), none);
            table.insert(a, b, slot, k);
            model[key] = k;
        } else if (k % 3) {
            table.erase(a, b, slot);
            model.erase(at);
        }
    }
    EXPECT_GT(model.size(), 1000u);
    expect_alike(table, model);
}

TEST(PairTable, ThreadsInsertAndEraseInRegionsOfTheirOwn) {
    ThreadPool pool(4);
    PairTable table;
    std::map<Key, std::uint32_t> model;
    std::mt19937 random(2);
    for (std::uint32_t round = 0; round < 6; ++round) {
        std::array<std::vector<std::pair<Key, std::uint32_t>>, PairTable::regions> added, removed;
        std::array<std::uint32_t, PairTable::regions> more{};
        std::map<Key, std::uint32_t> next;
        for (const auto& [key, contact] : model) {
            const auto [a, b, slot] = key;
            if (random() % 4) next[key] = contact;
            else removed[PairTable::region_of(a, b, slot)].push_back({key, contact});
        }
        for (std::uint32_t k = 0; k < 5000; ++k) {
            const Key key = random_key(random, 2000);
            const auto [a, b, slot] = key;
            if (model.count(key) || !next.emplace(key, k).second) continue;
            const std::uint32_t region = PairTable::region_of(a, b, slot);
            added[region].push_back({key, k});
            ++more[region];
        }
        table.reserve(pool, more);
        pool.run(static_cast<int>(PairTable::regions), [&](int region) {
            const auto r = static_cast<std::size_t>(region);
            for (const auto& [key, contact] : added[r])
                table.insert_reserved(std::get<0>(key), std::get<1>(key), std::get<2>(key), contact);
            for (const auto& [key, contact] : removed[r])
                table.erase(std::get<0>(key), std::get<1>(key), std::get<2>(key));
        });
        model = next;
        expect_alike(table, model);
        for (const auto& region : removed)
            for (const auto& [key, contact] : region)
                ASSERT_EQ(table.find(std::get<0>(key), std::get<1>(key), std::get<2>(key)), none);
    }
}

} // namespace
} // namespace scree::test
