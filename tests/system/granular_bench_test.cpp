// SPDX-License-Identifier: MIT
// granular_bench_test.cpp — `scree bench granular` and `worlds`: their rows are complete and true, whatever time they take.
#ifdef SCREE_PROGRAM

#include "system/csv_rows.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace scree::testing {
TEST(GranularBench, VariantsOfOneSceneComeToTheSameState) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "granular", "--scene", "crossover,decomposition", "--bodies", "27", "--steps",
                     "5", "--repeat", "1", "--threads", "1", "--device", "cpu", "--peers", "none", "--csv",
                     folder.file("rows.csv")});
    EXPECT_EQ(result.code, 0) << result;
    const std::vector<CsvRow> rows = rows_of(folder.file("rows.csv"));
    ASSERT_EQ(rows.size(), 4u) << result;
    for (const std::size_t row : {0u, 2u})
        for (const char* column :
             {"particles", "max_overlap_mm", "coordination", "kinetic_j", "mean_height_m"})
            EXPECT_EQ(rows[row].at(column), rows[row + 1].at(column)) << column;
}

TEST(GranularBench, RefusesWhatItDoesNotKnow) {
    const ProgramResult scene = run_program({"bench", "granular", "--scene", "sand"});
    EXPECT_EQ(scene.code, 2) << scene;
    EXPECT_TRUE(scene.complained("--scene: invalid value \"sand\": expected grains, perf")) << scene;
    const ProgramResult bodies = run_program({"bench", "granular", "--bodies", "1e99"});
    EXPECT_EQ(bodies.code, 2) << bodies;
    EXPECT_TRUE(bodies.complained("--bodies")) << bodies;
}

TEST(WorldsBench, SaysHowFarItIsAndOnHowManyThreads) {
    const TemporaryFolder folder;
    const ProgramResult result = run_program({"bench", "worlds", "--worlds", "4", "--bodies", "2", "--steps",
                                              "8", "--device", "cpu", "--csv", folder.file("rows.csv")});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("run 1 of 1: 4 worlds, cpu")) << result;
    const std::vector<CsvRow> rows = rows_of(folder.file("rows.csv"));
    ASSERT_EQ(rows.size(), 1u) << result;
    EXPECT_EQ(rows[0].at("threads"), std::to_string(std::max(1u, std::thread::hardware_concurrency())));
    EXPECT_EQ(rows[0].at("equal"), "1"); // to lone worlds
}

} // namespace scree::testing

#endif
