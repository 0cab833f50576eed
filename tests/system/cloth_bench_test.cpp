// SPDX-License-Identifier: MIT
// cloth_bench_test.cpp — `scree bench cloth`: its rows are complete, whatever time they take.
#ifdef SCREE_PROGRAM

#include "system/csv_rows.h"

namespace scree::testing {

TEST(ClothBench, WritesARowForEachDensityModelAndStiffness) {
    const std::vector<CsvRow> rows = bench_rows(
        {"cloth", "--rows", "2", "--steps", "2", "--settle", "5", "--device", "cpu", "--threads", "1"});
    ASSERT_EQ(rows.size(), 2u * 2 + 2 * 2 * 2);
    EXPECT_EQ(rows[0].at("vertices"), "100");
    EXPECT_EQ(rows[1].at("vertices"), "400");
    EXPECT_EQ(rows[0].at("thesis_cpu_ms"), "0.66");
    for (std::size_t k = 0; k < 4; ++k) EXPECT_GT(std::stod(rows[k].at("ms")), 0);
    for (std::size_t k = 4; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].at("experiment"), "S");
        EXPECT_EQ(rows[k].at("frozen"), "0");
        EXPECT_GE(std::stod(rows[k].at("largest_um")), std::stod(rows[k].at("mean_um")));
    }
    EXPECT_EQ(rows[4].at("thesis_um"), "35.28");
}

TEST(ClothBench, MeasuresHungAndDrapedClothAndItsCostBySize) {
    const std::vector<CsvRow> rows = bench_rows(
        {"cloth", "--experiment", "hang,sphere,size", "--vertices", "9", "--steps", "5", "--substeps", "2"});
    ASSERT_EQ(rows.size(), 4u); // size: without and with self-collision
    EXPECT_EQ(rows[0].at("experiment"), "hang");
    EXPECT_EQ(rows[1].at("experiment"), "sphere");
    EXPECT_EQ(rows[3].at("self_collision"), "1");
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.at("vertices"), "81");
        EXPECT_GT(std::stod(row.at("min_ms")), 0);
        EXPECT_GE(std::stod(row.at("mean_ms")), std::stod(row.at("min_ms")));
        EXPECT_GE(std::stod(row.at("max_stretch")), std::stod(row.at("mean_stretch")));
        EXPECT_GT(std::stod(row.at("rms_speed")), 0); // it falls
    }
    EXPECT_GT(std::stod(rows[0].at("stretch_ms")), 0);
    EXPECT_LT(std::stod(rows[1].at("deepest_mm")), 0);
}

} // namespace scree::testing

#endif
