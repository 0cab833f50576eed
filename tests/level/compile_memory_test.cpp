// SPDX-License-Identifier: MIT
// compile_memory_test.cpp — how much of the heap a level takes while it is compiled, written and read.
#include "level/map_texts.h"
#include "scree/level_file.h"
#include "support/steady_state.h"
#include "support/temporary_folder.h"

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

TEST(LevelMemory, WritingAndReadingTakeTheFileOnceAndNotAtAll) {
    const testing::TemporaryFolder folder;
    const std::string file = folder.file("rooms.scl");
    const CompiledLevel level =
        compile_level(parse_map(testing::world(testing::room_grid(12, 12)), "rooms.map"));
    const auto size = static_cast<double>(encode_level(level).size());
    std::uint64_t before = test::heap_bytes();
    if (before == 0) GTEST_SKIP() << "this C library does not tell the sizes of blocks";
    test::forget_most_heap_bytes();
    write_level(file, level);
    EXPECT_LT(static_cast<double>(test::most_heap_bytes() - before), 1.1 * size);
#if defined(__linux__)
    before = test::heap_bytes();
    test::forget_most_heap_bytes();
    const CompiledLevel read = read_level(file);
    EXPECT_LT(static_cast<double>(test::most_heap_bytes() - test::heap_bytes()), 0.1 * size);
    EXPECT_GT(test::heap_bytes(), before);
#endif
}

} // namespace
} // namespace scree
