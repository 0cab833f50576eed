// SPDX-License-Identifier: MIT
// memory_test.cpp — a scene that this machine has no memory for is refused before anything is allocated.

#include "device/host_memory.h"
#include "scree/error.h"
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(SceneMemory, MoreBodiesThanTheMachineHoldsAreRefused) {
    constexpr std::uint64_t bodies = 99'000'000; // about 32 GiB
    if (host_memory() >= std::uint64_t{32} << 30) GTEST_SKIP() << "this machine could hold them";
    SceneOptions options;
    options.bodies = bodies;
    try {
        find_scene("grains", options);
        FAIL() << "not refused";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("99000000 bodies need about 32 GiB"), std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace scree
