// SPDX-License-Identifier: MIT
// compile_memory_test.cpp — how much of the heap a level takes while it is compiled.
#include "level/map_texts.h"
#include "scree/level_cells.h"
#include "support/steady_state.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(LevelMemory, CompilingTakesLittleMoreThanWhatIsMade) {
    const Map map = parse_map(testing::world(testing::room_grid(12, 12)), "rooms.map");
    const std::uint64_t before = test::heap_bytes();
    if (before == 0) GTEST_SKIP() << "this C library does not tell the sizes of blocks";
    test::forget_most_heap_bytes();
    CompileReport report;
    const CompiledLevel level = compile_level(map, {}, {}, &report);
    const auto made = static_cast<double>(test::heap_bytes() - before),
               most = static_cast<double>(test::most_heap_bytes() - before);
    // exact corners of everything until the end take more than the level, its tree and its cells
    EXPECT_LT(most, 1.5 * made) << made << " bytes made";
}

} // namespace
} // namespace scree
