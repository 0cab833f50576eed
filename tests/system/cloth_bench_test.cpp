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
    // what the thesis does not say stands in each row
    EXPECT_EQ(rows[0].at("width_m") + " " + rows[0].at("time_step_s").substr(0, 6) + " " +
                  rows[0].at("gravity") + " " + rows[0].at("mass_kg") + " " + rows[0].at("drag") + " " +
                  rows[0].at("damping") + " " + rows[0].at("stiffness") + " " + rows[0].at("steps"),
              "10 0.0166 -5 1 0.1 -0.5 200 2");
    EXPECT_EQ(rows[0].at("object").substr(0, 6), "sphere");
    EXPECT_EQ(rows[4].at("object"), "none");
    EXPECT_EQ(rows[4].at("length_m") + " " + rows[4].at("mass_kg") + " " + rows[4].at("steps"), "10 0.2 30");
}

TEST(ClothBench, SpringsOfStiffness600ExplodeInTheFirstRunAndPositionsDoNot) {
    const std::vector<CsvRow> rows = bench_rows({"cloth", "--experiment", "stability", "--stiffness", "600",
                                                 "--settle", "300", "--device", "cpu", "--threads", "1"});
    ASSERT_EQ(rows.size(), 4u);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.at("stiffness"), "600");
        const bool exploded = std::stoi(row.at("frozen")) > 0;
        EXPECT_EQ(exploded, row.at("run") == "1" && row.at("model") == "mass_spring") << row.at("run");
    }
    EXPECT_EQ(rows[0].at("thesis_um"), "nan");
    EXPECT_EQ(rows[3].at("thesis_um"), "236.40");
    expect_bench_refuses({"cloth", "--experiment", "stability", "--stiffness", "60"}, "--stiffness");
    const std::vector<CsvRow> far =
        bench_rows({"cloth", "--experiment", "time", "--rows", "1", "--steps", "1", "--colliders", "1000",
                    "--device", "cpu", "--threads", "1"});
    ASSERT_EQ(far.size(), 2u);
    EXPECT_NE(far[0].at("object").find("1000 colliders"), std::string::npos);
}

TEST(ClothBench, SumsUpTheTimesByVertexAndByThread) {
    const ProgramResult result = run_program({"bench", "cloth", "--experiment", "time", "--rows", "6",
                                              "--steps", "1", "--device", "cpu", "--threads", "1,4"});
    EXPECT_EQ(result.code, 0) << result;
    const std::regex line(
        "cpu x(1|4) +(mass_spring|position_based) +-?[0-9.]+ µs a vertex, R² (0|1)\\.[0-9]{4}(, "
        "[0-9.]+ to [0-9.]+ times cpu x1 from 2500 vertices on)?");
    std::istringstream lines(result.out);
    int fits = 0, speed_ups = 0;
    for (std::string each; std::getline(lines, each);)
        if (std::smatch parts; std::regex_match(each, parts, line)) {
            ++fits;
            EXPECT_EQ(parts[1] == "4", parts[4].matched) << each;
            speed_ups += parts[4].matched;
        }
    EXPECT_EQ(fits, 4) << result;
    EXPECT_EQ(speed_ups, 2) << result;
}

TEST(ClothBench, SaysFromHowManyVerticesOnAGpuIsFasterThanFourThreads) {
    const ProgramResult result = run_program({"bench", "cloth", "--experiment", "time", "--rows", "2",
                                              "--steps", "1", "--device", "cpu,gles", "--threads", "4"});
    if (result.complained("gles")) GTEST_SKIP() << "no device gles";
    EXPECT_EQ(result.code, 0) << result;
    const std::regex line(
        "gles.* R² [0-9.]+, (never faster than cpu x4|faster than cpu x4 from [0-9]+ vertices on.*)");
    EXPECT_TRUE(std::regex_search(result.out, line)) << result;
}

TEST(ClothBench, LogsASustainedRunByTheSecond) {
    const std::vector<CsvRow> rows =
        bench_rows({"cloth", "--experiment", "sustained", "--seconds", "1.1", "--threads", "1"});
    ASSERT_EQ(rows.size(), 2u);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].at("second"), std::to_string(k + 1));
        EXPECT_EQ(rows[k].at("vertices"), "14400");
        EXPECT_GT(std::stoi(rows[k].at("steps")), 0);
        EXPECT_GE(std::stod(rows[k].at("most_ms")), std::stod(rows[k].at("mean_ms")));
        EXPECT_GE(std::stod(rows[k].at("mean_ms")), std::stod(rows[k].at("least_ms")));
    }
    expect_bench_refuses({"cloth", "--experiment", "sustained,time"}, "--experiment");
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
        EXPECT_GT(std::stod(row.at("first_ms")), 0);
        EXPECT_GT(std::stod(row.at("read_ms")), 0);
    }
    EXPECT_GT(std::stod(rows[0].at("stretch_ms")), 0);
    EXPECT_LT(std::stod(rows[1].at("deepest_mm")), 0);
}

TEST(ClothBench, ClothOfASphereMayBeStiffToBending) {
    const auto rest = [](const char* bend) {
        return bench_rows(
                   {"cloth", "--experiment", "sphere", "--vertices", "17", "--steps", "120", "--bend", bend})
            .at(0);
    };
    const CsvRow soft = rest("0"), stiff = rest("0.01");
    EXPECT_EQ(std::stod(stiff.at("bend")), 0.01);
    EXPECT_GT(std::stod(stiff.at("low_m")), std::stod(soft.at("low_m")) + 0.05); // it stands off
    expect_bench_refuses({"cloth", "--experiment", "sphere", "--bend", "-1"}, "--bend");
}

TEST(ClothBench, ListsTheKernelsOfAStepOfLargeCloth) {
    const ProgramResult result =
        run_program({"bench", "cloth", "--experiment", "size", "--vertices", "9", "--steps", "3", "--no-self",
                     "--kernels", "--device", "cpu:kernels"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.out.find("  fabric_stretch "), std::string::npos) << result;
    EXPECT_EQ(result.out.find(" self "), std::string::npos) << result;
    expect_bench_refuses({"cloth", "--experiment", "size", "--vertices", "9", "--kernels", "--device", "cpu"},
                         "--kernels");
}

TEST(ClothBench, TellsWhatATrialReachedThatIsInterrupted) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_on_terminal({"bench", "cloth", "--holds", "fifty", "--detail", "0.15", "--seconds", "10000",
                         "--device", "cpu", "--threads", "1", "--csv", folder.file("rows.csv")},
                        "run 1 of 1", "\x03");
    EXPECT_EQ(result.code, 130) << result;
    EXPECT_TRUE(result.said("  interrupted")) << result;
    const std::vector<CsvRow> rows = rows_of(folder.file("rows.csv"));
    ASSERT_EQ(rows.size(), 1u) << result;
    EXPECT_EQ(rows[0].at("trial"), "fifty");
    EXPECT_GT(std::stoi(rows[0].at("steps")), 0);
    EXPECT_LT(std::stoi(rows[0].at("steps")), 600000);
    EXPECT_EQ(rows[0].at("intersections"), "0");
    EXPECT_EQ(rows[0].count("most_mean_stretch"), 1u);
}

} // namespace scree::testing

#endif
