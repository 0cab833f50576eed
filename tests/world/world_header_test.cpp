// SPDX-License-Identifier: MIT
// world_header_test.cpp — scree/world.h alone is enough to make a world and to catch what it throws.
// compiled alone
#include <scree/world.h>

#include <gtest/gtest.h>

namespace {

TEST(WorldHeader, BringsTheErrorThatAWorldThrows) {
    try {
        scree::World world({.substeps = -1});
        FAIL();
    } catch (const scree::Error& error) {
        EXPECT_EQ(error.where(), "substeps");
    }
}

} // namespace
