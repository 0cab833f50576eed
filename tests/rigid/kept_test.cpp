// SPDX-License-Identifier: MIT
// kept_test.cpp — copies of what a simulation keeps leave out what has not changed.
#include "rigid/kept.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

struct Counted {
    int value = 0;
    static inline int copies = 0;
    Counted() = default;
    Counted(const Counted& other) : value(other.value) { ++copies; }
    Counted& operator=(const Counted& other) {
        value = other.value;
        ++copies;
        return *this;
    }
};

TEST(Kept, RecordsAreCopiedOnlyWhenTheyHaveChanged) {
    VersionedRecords<Counted> world, place;
    world.edit().resize(3);
    place = world;
    Counted::copies = 0;
    place = world;
    EXPECT_EQ(Counted::copies, 0);
    world.edit(1).value = 5;
    place = world;
    EXPECT_EQ(Counted::copies, 3);
    EXPECT_EQ(place[1].value, 5);
    world = place; // going back to the same
    EXPECT_EQ(Counted::copies, 3);
}

TEST(Kept, AVersionIsNeverGivenTwice) {
    // two ways on from one state
    VersionedRecords<int> world, place;
    world.edit().resize(1);
    const VersionedRecords<int> before = world;
    world.edit(0) = 1;
    place = world;
    world = before;
    world.edit(0) = 2;
    place = world;
    EXPECT_EQ(place[0], 2);
    place = before;
    EXPECT_EQ(place[0], 0);
}

} // namespace
} // namespace scree::test
