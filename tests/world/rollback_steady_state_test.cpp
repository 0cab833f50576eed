// SPDX-License-Identifier: MIT
// rollback_steady_state_test.cpp — saving into a full ring asks the heap for nothing.
#include "scree/rollback.h"
#include "support/rigid_support.h"
#include "support/steady_state.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace scree::test {
namespace {

TEST(Rollback, AFullRingOfASteadyWorldAsksTheHeapForNothing) {
    World world(without_sleep());
    add_container(world, 2, 8);
    add_pile(world, Kind::mixed, 60);
    for (int k = 0; k < 400; ++k) world.step(frame);
    Rollback ring(world, 4);
    for (int k = 0; k < 8; ++k) ring.save(), world.step(frame);
    const std::uint64_t before = heap_calls();
    for (int k = 0; k < 20; ++k) {
        ring.save();
        world.step(frame);
    }
    ring.restore(3);
    EXPECT_EQ(heap_calls() - before, 0u);
}

} // namespace
} // namespace scree::test
