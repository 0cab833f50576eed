// SPDX-License-Identifier: MIT
// memory_test.cpp — a scene that this machine has no memory for is refused before anything is allocated.

#include "device/host_memory.h"
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "support/refused.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(SceneMemory, MoreBodiesThanTheMachineHoldsAreRefused) {
    constexpr std::uint64_t bodies = 99'000'000; // about 32 GiB
    if (host_memory() >= std::uint64_t{32} << 30) GTEST_SKIP() << "this machine could hold them";
    SceneOptions options;
    options.bodies = bodies;
    const std::string message = test::error_message([&] { find_scene("grains", options); });
    EXPECT_TRUE(test::contains(message, "99000000 bodies need about 32 GiB")) << message;
}

} // namespace
} // namespace scree
