// SPDX-License-Identifier: MIT
// rigid_tables_test.cpp — `scree bench seed4`, `kernels` and `plot`: what they count is right, whatever time it takes.
#ifdef SCREE_PROGRAM

#include "scree/place.h"
#include "system/csv_rows.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace scree::testing {
namespace {

double number(const CsvRow& row, const std::string& name) {
    return row.count(name) == 1 ? std::atof(row.at(name).c_str()) : -1;
}

/// one row of each kernel by its name
std::map<std::string, CsvRow> kernels_of(const std::string& scene, const std::string& solver,
                                         const std::string& broad_phase = "tree", int settle = 60) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "kernels", "--scene", scene, "--device", "cpu:kernels", "--solver", solver,
                     "--broad-phase", broad_phase, "--settle", std::to_string(settle), "--steps", "4",
                     "--csv", folder.file("k.csv"), "--markdown", folder.file("k.md")});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("of a copy")) << result;
    EXPECT_NE(file_bytes(folder.file("k.md")).find("| kernel | launches |"), std::string::npos);
    std::map<std::string, CsvRow> kernels;
    for (const CsvRow& row : rows_of(folder.file("k.csv"))) kernels[row.at("kernel")] = row;
    return kernels;
}

bool gpu_is_here() {
    const std::vector<DeviceReport> all = list_devices();
    return std::any_of(all.begin(), all.end(),
                       [](const DeviceReport& r) { return r.available && r.name.starts_with("cuda"); });
}

} // namespace

TEST(SeedExperiments, EveryDeviceAndBroadPhaseHasItsRowBesideTheFiguresOfThen) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "seed4", "--experiments", "B1,B2,B3", "--device", "cpu,cpu:kernels",
                     "--threads", "1,2", "--most", "64", "--settle", "70", "--steps", "3", "--csv",
                     folder.file("s.csv"), "--markdown", folder.file("s.md")});
    // 1 would be that devices or broad phases came to different states
    EXPECT_EQ(result.code, 0) << result;
    std::map<std::string, int> count;
    for (const CsvRow& row : rows_of(folder.file("s.csv"))) {
        ++count[row.at("experiment")];
        EXPECT_EQ(row.at("solver"), "sor");
        EXPECT_EQ(number(row, "steps"), 3);
        EXPECT_GT(number(row, "collision_ms"), 0);
        EXPECT_GT(number(row, "solver_ms"), 0);
        EXPECT_GE(number(row, "total_ms"), number(row, "collision_ms"));
        const bool cpu = row.at("device") == "cpu";
        if (row.at("experiment") == "B1") {
            EXPECT_EQ(number(row, "actors"), 50);
            EXPECT_GT(number(row, "contacts"), 0);
            EXPECT_EQ(number(row, "rows"), 3 * number(row, "contacts")); // spheres touch in points
            EXPECT_EQ(number(row, "seed_rows"), 156);
            EXPECT_EQ(number(row, "seed_total_ms"), cpu ? 0.58 : 4.25);
        } else if (row.at("experiment") == "B2") {
            EXPECT_EQ(number(row, "joints"), 3 * 4 * 4 * 3); // 3 n^2 (n - 1)
            EXPECT_EQ(number(row, "rows"), 6 * number(row, "joints"));
            EXPECT_EQ(number(row, "rows"), number(row, "seed_rows"));
            EXPECT_LT(number(row, "joint_mm"), 10);
            EXPECT_EQ(number(row, "seed_solver_ms"), cpu ? 1.11 : 3.81);
        } else {
            EXPECT_EQ(number(row, "shapes") - 3 * number(row, "actors"), 13); // the container and the funnel
            EXPECT_EQ(number(row, "seed_collision_ms"), !cpu                               ? 2.77
                                                        : row.at("broad_phase") == "brute" ? 2.93
                                                                                           : 1.36);
        }
    }
    EXPECT_EQ(count["B1"], 3); // two numbers of threads and the kernels
    EXPECT_EQ(count["B2"], 3);
    EXPECT_EQ(count["B3"], 7); // three broad phases for each number of threads
    for (const char* crossover : {"B1, total: cpu:kernels is ", "B2, solver: cpu:kernels is ",
                                  "B3, collision: cpu:kernels is ", "2008: from 500 actors on"})
        EXPECT_TRUE(result.said(crossover)) << crossover << "\n" << result;
    EXPECT_NE(file_bytes(folder.file("s.md")).find("## B3: "), std::string::npos);
}

TEST(SeedExperiments, TheDissertationsResultsAreLimitsWhereTheyWereMeasured) {
    const ProgramResult result =
        run_program({"bench", "seed4", "--experiments", "B1", "--device", "cpu", "--threads", "1", "--most",
                     "2000", "--settle", "1", "--steps", "1", "--solver", "soft"});
    EXPECT_EQ(result.code, 0) << result;
    // the verdict is that of the figure, whatever this machine took
    const std::string what = "R4.62, B1 2000, cpu 1T: ";
    const std::size_t at = result.out.find(what);
    ASSERT_NE(at, std::string::npos) << result;
    const std::string line = result.out.substr(at, result.out.find('\n', at) - at);
    const double took = std::atof(line.c_str() + what.size());
    EXPECT_GT(took, 0) << line;
    EXPECT_TRUE(line.ends_with(std::string(" ms, at most 35.45: ") + (took <= 35.45 ? "met" : "missed")))
        << line;
    EXPECT_FALSE(result.said("R4.61")) << result; // needs a GPU
}

TEST(SeedExperiments, APileIsTimedAtRestWithItsOverlapBesideTheTimes) {
    const TemporaryFolder folder;
    const ProgramResult result = run_program(
        {"bench", "seed4", "--experiments", "B1", "--device", "cpu", "--threads", "1", "--most", "1000",
         "--settle", "300", "--steps", "1", "--repeat", "1", "--csv", folder.file("s.csv")});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("overlap mm")) << result;
    for (const CsvRow& row : rows_of(folder.file("s.csv"))) {
        // of 2 m; the SOR alone would have left more than its slop of 5 mm
        EXPECT_LT(number(row, "overlap_mm"), 10) << row.at("size");
        EXPECT_LT(number(row, "p99_overlap_mm"), 4) << row.at("size");
        EXPECT_LE(number(row, "p99_overlap_mm"), number(row, "overlap_mm"));
        if (number(row, "size") == 1000) {
            EXPECT_GT(number(row, "overlap_mm"), 0.1);
        }
    }
}

TEST(SeedExperiments, WithoutAGpuTheRestGoesOn) {
    if (gpu_is_here()) GTEST_SKIP() << "there is a GPU";
    const ProgramResult result = run_program({"bench", "seed4", "--device", "cpu,cuda", "--threads", "1",
                                              "--most", "50", "--settle", "1", "--steps", "1"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.complained("cuda is left out: ")) << result;
    EXPECT_TRUE(result.said("cpu 1T")) << result;
    EXPECT_TRUE(result.complained("nothing is sent anywhere")) << result;
}

TEST(SeedExperiments, TransfersSayTheBytesOfWhatChanged) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "seed4", "--experiments", "transfer", "--device", "cpu:kernels", "--most",
                     "1000", "--csv", folder.file("t.csv")});
    EXPECT_EQ(result.code, 0) << result;
    int checked = 0;
    for (const CsvRow& row : rows_of(folder.file("t-transfer.csv"))) {
        const double count = number(row, "count"), bytes = number(row, "bytes");
        EXPECT_GT(number(row, "ms"), 0);
        EXPECT_GT(number(row, "raw_ms"), 0);
        EXPECT_GT(number(row, "seed_ms"), 0);
        if (row.at("list") == "bodies") EXPECT_EQ(bytes, 320 * count);
        else if (row.at("list") == "shapes") EXPECT_EQ(bytes, (144 + 4) * count); // and to wake its body
        else if (row.at("list") == "states") EXPECT_GE(bytes, 128 * count); // pose, motion, inverse mass
        else EXPECT_GE(bytes, 144 * (count / 6 - 1));
        ++checked;
    }
    EXPECT_EQ(checked, 7);
}

TEST(SeedExperiments, WrongOptionsAreRefused) {
    expect_bench_refuses({"seed4", "--experiments", "B4"},
                         "--experiments: invalid value \"B4\": expected B1, B2");
    expect_bench_refuses({"seed4", "--device", "opencl"}, "--device");
    expect_bench_refuses({"seed4", "--solver", "jacobi"}, "--solver");
    expect_bench_refuses({"seed4", "--threads", "0"}, "--threads");
}

TEST(KernelTable, CountsTheLaunchesAndBytesOfASoftStep) {
    auto kernels = kernels_of("wide-200", "soft");
    // 205 bodies: 200 boxes, floor and walls; and the world itself has a slot
    const double bodies = number(kernels["world_body_begin"], "items");
    EXPECT_GE(bodies, 205);
    EXPECT_EQ(number(kernels["world_body_begin"], "launches"), 1);
    EXPECT_EQ(number(kernels["world_body_velocity"], "launches"), 8); // a substep each
    EXPECT_EQ(number(kernels["world_body_velocity"], "items"), 8 * bodies);
    EXPECT_EQ(number(kernels["world_body_velocity"], "bytes_in"), 8 * bodies * 100);
    EXPECT_EQ(number(kernels["world_body_velocity"], "bytes_out"), 8 * bodies * 64);
    const CsvRow& solve = kernels["world_contact_solve_4"];
    ASSERT_GT(number(solve, "items"), 0);
    EXPECT_EQ(number(solve, "items"), 8 * number(kernels["world_contact_prepare_4"], "items"));
    // 57 words of its block and 4 quads of its bodies in, 4 impulses and 4 quads out
    EXPECT_NEAR(number(solve, "bytes_in") / number(solve, "items"), 57 * 4 + 64, 0.01);
    EXPECT_NEAR(number(solve, "bytes_out") / number(solve, "items"), 16 + 64, 0.01);
    EXPECT_EQ(kernels.count("world_sor_begin"), 0u);
    // every kernel that moves much is in the model
    for (const char* name :
         {"world_bounds", "world_survey", "world_colours", "world_bucket_keys", "sort", "fill"}) {
        EXPECT_GT(number(kernels[name], "us"), 0) << name;
        EXPECT_GT(number(kernels[name], "bytes_in") + number(kernels[name], "bytes_out"), 0) << name;
    }
}

TEST(KernelTable, CountsTheLaunchesOfTheSor) {
    auto kernels = kernels_of("molecule-4", "sor");
    // 144 fixed joints in every one of 10 iterations
    EXPECT_EQ(number(kernels["world_sor_joint_sweep"], "items"), 1440);
    EXPECT_EQ(number(kernels["world_sor_joint_assemble"], "items"), 144);
    EXPECT_NEAR(number(kernels["world_sor_joint_assemble"], "bytes_out"), 144 * 4 * (19 + 6 * 18), 0.5);
    EXPECT_EQ(kernels.count("world_body_begin"), 1u);
    EXPECT_EQ(kernels.count("world_contact_solve_1"), 0u);
}

TEST(KernelTable, OneBodyThatTouchesHundredsIsColouredInAFewRounds) {
    auto kernels = kernels_of("truck-gravel-1000", "soft");
    // those without a colour are many, and each asks for one again in every step
    ASSERT_GT(number(kernels["world_split_apply"], "items"), 32 * 100.0);
    EXPECT_LT(number(kernels["world_take"], "launches"), 40);
}

TEST(KernelTable, TakesASceneWhoseNameBeginsAsAFamily) {
    // boxes-N are piles of the benchmark, boxes-pile is a scene
    EXPECT_GT(number(kernels_of("boxes-pile", "soft", "tree", 2)["world_body_begin"], "items"), 512);
}

TEST(KernelTable, CountsTheItemsAndBytesOfTheBroadPhaseThatWasAskedFor) {
    // while they fall each leaves its bounds now and then; six that do not: floor, walls, the world
    auto kernels = kernels_of("wide-200", "soft", "grid", 10);
    EXPECT_EQ(kernels.count("world_find_few") + kernels.count("world_tree_fit"), 0u);
    const double shapes = number(kernels["world_bounds"], "items");
    const CsvRow &keys = kernels["world_grid_keys"], &find = kernels["world_find_grid"];
    EXPECT_NEAR(number(keys, "bytes_in") / number(keys, "items"), 3 * 4 + 32, 0.01);
    EXPECT_NEAR(number(keys, "bytes_out") / number(keys, "items"), 3 * 4, 0.01);
    EXPECT_EQ(number(keys, "items"), shapes * number(keys, "launches"));
    EXPECT_GT(number(find, "items"), 0);
    EXPECT_LE(number(find, "items"), 8 * 200);
    EXPECT_GT(number(find, "bytes_in"), 40 * shapes * number(find, "launches"));
    kernels = kernels_of("wide-200", "soft", "brute", 10);
    EXPECT_EQ(kernels.count("world_grid_keys") + kernels.count("world_tree_fit"), 0u);
    EXPECT_GT(number(kernels["world_find_few"], "items"), 0);
    const ProgramResult wrong = run_program({"bench", "kernels", "--broad-phase", "octree"});
    EXPECT_EQ(wrong.code, 2) << wrong;
    EXPECT_TRUE(wrong.complained("tree, grid or brute")) << wrong;
}

TEST(ScalingPlot, DrawsASeriesForTheGpuAndEachNumberOfThreads) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("a.csv"))
        << "engine,threads,scene,bodies,steps,falling_ms,settled_ms,first_ms\n"
           "scree-cuda,1,wide-1000,1000,400,2,1,202\n"
           "scree-cuda,1,wide-100000,100000,400,12,100,210\n"
           "scree-cuda,1,boxes-9,9,400,12,100,210\n";
    std::ofstream(folder.file("b.csv")) << "engine,threads,scene,bodies,steps,falling_ms,settled_ms\n"
                                           "scree,1,wide-1000,1000,200,2,2\n"
                                           "scree,16,wide-1000,1000,200,2,1\n";
    const ProgramResult result = run_program(
        {"bench", "plot", folder.file("a.csv"), folder.file("b.csv"), "--svg", folder.file("p.svg")});
    EXPECT_EQ(result.code, 0) << result;
    const std::string svg = file_bytes(folder.file("p.svg"));
    for (const char* name :
         {"GPU, falling", "GPU, settled", "CPU, 1 thread, settled", "CPU, 16 threads, settled"})
        EXPECT_NE(svg.find(name), std::string::npos) << name;
    // 1 to 100 ms over as many decades of bodies; while falling without the first step: (2*200-202)/199 and (12*200-210)/199
    EXPECT_TRUE(result.line("GPU, settled").ends_with("1.00")) << result;
    EXPECT_NE(result.line("GPU, falling").find("0.995"), std::string::npos) << result;
    EXPECT_NE(result.line("GPU, falling").find("11.01"), std::string::npos) << result;
}

TEST(ScalingPlot, RefusesFilesOfSomethingElse) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("a.csv")) << "engine,threads,scene\n";
    const ProgramResult result = run_program({"bench", "plot", folder.file("a.csv")});
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("no column \"bodies\"")) << result;
    EXPECT_EQ(run_program({"bench", "plot", folder.file("none.csv")}).code, 2);
}

TEST(RigidBench, WithoutTheRunToSleepTheRestIsThere) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "rigid", "--scene", "stack-2", "--engines", "scree", "--threads", "1",
                     "--repeat", "1", "--steps", "4", "--no-sleep", "--csv", folder.file("r.csv")});
    EXPECT_EQ(result.code, 0) << result;
    const std::vector<CsvRow> rows = rows_of(folder.file("r.csv"));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("sleep_steps"), "-");
    EXPECT_GT(number(rows[0], "first_ms"), 0);
    EXPECT_LE(number(rows[0], "first_ms"), 2.001 * number(rows[0], "falling_ms")); // of two steps' sum
    EXPECT_GT(number(rows[0], "memory_mib"), 0);
    EXPECT_EQ(number(rows[0], "device_mib"), 0);
}

} // namespace scree::testing

#endif
