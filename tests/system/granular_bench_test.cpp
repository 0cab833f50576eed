// SPDX-License-Identifier: MIT
// granular_bench_test.cpp — `scree bench granular`, `worlds`, `scenes` and `render`: their rows are complete and true,
// whatever time they take.
#ifdef SCREE_PROGRAM

#include "system/csv_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace scree::testing {
namespace {

/// A case of `bench granular` at its smallest.
std::vector<CsvRow> granular_rows(const std::string& scene, const std::string& bodies = "27") {
    return bench_rows({"granular", "--scene", scene, "--bodies", bodies, "--steps", "5", "--repeat", "1",
                       "--threads", "1", "--device", "cpu", "--peers", "none"});
}

} // namespace

TEST(GranularBench, VariantsOfOneSceneComeToTheSameState) {
    const std::vector<CsvRow> rows = granular_rows("crossover,decomposition");
    ASSERT_EQ(rows.size(), 4u);
    for (const std::size_t row : {0u, 2u})
        for (const char* column :
             {"particles", "max_overlap_mm", "coordination", "kinetic_j", "mean_height_m"})
            EXPECT_EQ(rows[row].at(column), rows[row + 1].at(column)) << column;
}

TEST(GranularBench, EverySceneWritesItsRows) {
    struct Case {
        std::string scene, contract;
        std::size_t rows;
    };
    for (const Case& each :
         {Case{"grains", "granular-grains-1", 1}, Case{"perf", "granular-perf-1", 4},
          Case{"scaling", "granular-scaling-1", 2}, Case{"realtime", "granular-realtime-1", 2},
          Case{"models", "granular-models-1", 15}}) {
        const std::vector<CsvRow> rows = granular_rows(each.scene);
        EXPECT_EQ(rows.size(), each.rows) << each.scene;
        for (const CsvRow& row : rows) {
            EXPECT_EQ(row.at("contract"), each.contract);
            EXPECT_EQ(row.at("engine"), "scree");
            EXPECT_GT(std::stoul(row.at("particles")), 0u) << each.scene;
        }
    }
}

TEST(GranularBench, RefusesWhatItDoesNotKnow) {
    expect_bench_refuses({"granular", "--scene", "sand"},
                         "--scene: invalid value \"sand\": expected grains, perf");
    expect_bench_refuses({"granular", "--bodies", "1e99"}, "--bodies");
}

TEST(WorldsBench, SaysHowFarItIsAndOnHowManyThreads) {
    const std::vector<std::string> small{"worlds",  "--worlds", "4",        "--bodies", "2",
                                         "--steps", "8",        "--device", "cpu"};
    const std::vector<CsvRow> rows = bench_rows(small);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("threads"), std::to_string(std::max(1u, std::thread::hardware_concurrency())));
    EXPECT_EQ(rows[0].at("equal"), "1"); // to lone worlds
    std::vector<std::string> arguments{"bench"};
    arguments.insert(arguments.end(), small.begin(), small.end());
    const ProgramResult result = run_program(arguments);
    EXPECT_TRUE(result.complained("run 1 of 1: 4 worlds, cpu")) << result;
    expect_bench_refuses({"worlds", "--worlds", "0"}, "--worlds: invalid value \"0\"");
    expect_bench_refuses({"worlds", "--device", "abacus"}, "abacus");
}

TEST(QueriesBench, BatchesAndDevicesAnswerAlike) {
    const std::vector<CsvRow> rows = bench_rows({"queries", "--bodies", "30", "--queries", "100", "--steps",
                                                 "5", "--device", "cpu,cpu:kernels", "--threads", "2"});
    ASSERT_EQ(rows.size(), 8u);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(rows[k].at("equal"), "1");
        EXPECT_EQ(rows[k].at("hits"), rows[k + 4].at("hits"));
        EXPECT_NE(rows[k].at("hits"), "0");
    }
    expect_bench_refuses({"queries", "--queries", "0"}, "--queries: invalid value \"0\"");
}

TEST(QueriesBench, RacesAndChecksWriteTheirRows) {
    const std::vector<CsvRow> race =
        bench_rows({"queries", "--peers", "--queries", "200", "--threads", "1,2"});
    ASSERT_GE(race.size(), 4u); // more where other engines are there
    std::set<std::pair<std::string, std::string>> own;
    for (const CsvRow& row : race) {
        EXPECT_EQ(row.at("asked"), "200");
        EXPECT_EQ(row.at("device"), "cpu");
        EXPECT_GT(std::stod(row.at("per_s")), 0);
        EXPECT_NE(row.at("hits"), "0");
        // what Bullet tells of boxes is less exact
        if (!row.at("engine").starts_with("bullet")) {
            EXPECT_LE(std::stoi(row.at("differ")), 2);
        }
        if (row.at("engine") == "scree") own.emplace(row.at("scene"), row.at("threads"));
    }
    EXPECT_EQ(own.size(), 4u);

    const std::vector<CsvRow> checks =
        bench_rows({"queries", "--check", "20", "--device", "cpu,cpu:kernels", "--threads", "1"});
    ASSERT_EQ(checks.size(), 14u);
    for (const CsvRow& row : checks) {
        EXPECT_EQ(row.at("engine"), "brute force");
        EXPECT_EQ(row.at("asked"), "20");
        EXPECT_EQ(row.at("differ"), "0") << row.at("kind") << " on " << row.at("device");
    }
    EXPECT_EQ(checks[7].at("device"), "cpu:kernels");

    expect_bench_refuses({"queries", "--peers", "--device", "cpu:kernels"},
                         "--device: means nothing to --peers");
    expect_bench_refuses({"queries", "--peers", "--bodies", "9"}, "--bodies: means nothing to --peers");
    expect_bench_refuses({"queries", "--check", "9", "--queries", "9"},
                         "--queries: means nothing to --check");
    expect_bench_refuses({"queries", "--check", "9", "--peers"}, "--check: means nothing to --peers");
    expect_bench_refuses({"queries", "--check", "0"}, "--check: invalid value \"0\"");
}

TEST(RollbackBench, TheWorldTakesTheSameWayAgain) {
    const std::vector<CsvRow> rows = bench_rows(
        {"rollback", "--bodies", "30", "--repeat", "3", "--device", "cpu,cpu:kernels", "--threads", "1"});
    ASSERT_EQ(rows.size(), 2u);
    for (const CsvRow& row : rows) EXPECT_EQ(row.at("equal"), "1");
    expect_bench_refuses({"rollback", "--states", "0"}, "--states: invalid value \"0\"");
}

TEST(ImpactBench, CountsImpactsAndMeltsTheLattice) {
    const std::vector<CsvRow> rows =
        bench_rows({"impact", "--particles", "200", "--milliseconds", "5", "--threads", "2"});
    ASSERT_EQ(rows.size(), 4u);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.at("threads"), "2");
        EXPECT_GT(std::stod(row.at("impacts_per_second")), 0);
        EXPECT_GT(std::stod(row.at("impacts_per_processor_second")), 0);
        EXPECT_GT(std::stod(row.at("events_per_impact")), 1);
        EXPECT_GT(std::stod(row.at("compressibility")), 2);
    }
    expect_bench_refuses({"impact", "--particles", "3"}, "--particles: invalid value 3");
}

TEST(ImpactBench, ElasticImpactsKeepEnergyMomentumAndAngularMomentum) {
    // after 7,700 impacts of cubes an edge turns on another with hundreds of small impacts
    const std::vector<CsvRow> rows = bench_rows({"impact", "--drift", "8000"});
    ASSERT_EQ(rows.size(), 10u);
    for (const CsvRow& row : rows) {
        SCOPED_TRACE(row.at("world"));
        const bool of_world = row.at("world").rfind("world ", 0) == 0; // measured in floats
        EXPECT_GE(std::stoul(row.at("impacts")), 8000u);
        EXPECT_LT(std::stod(row.at("worst")), row.at("precision") == "single" ? 3e-4
                                              : of_world                      ? 1e-9
                                                                              : 1e-12);
        if (!row.at("momentum").empty()) {
            EXPECT_LT(std::stod(row.at("momentum")), of_world ? 1e-6 : 1e-12);
        }
        EXPECT_EQ(row.at("angular_momentum").empty(), !of_world);
        if (of_world) {
            EXPECT_LT(std::stod(row.at("angular_momentum")), 1e-6);
        }
    }
}

TEST(ImpactBench, TimesEveryStageOfBothWorlds) {
    const std::vector<CsvRow> rows = bench_rows(
        {"impact", "--stages", "--bodies", "9", "--iterations", "4", "--device", "cpu", "--threads", "1"});
    ASSERT_EQ(rows.size(), 6u + 8u); // of circles and of polygons, with their totals
    for (const CsvRow& row : rows) {
        EXPECT_GT(std::stod(row.at("microseconds")), 0);
        EXPECT_GT(std::stod(row.at("simulated")), 0);
        EXPECT_GT(std::stoi(row.at("impacts")), 0);
        EXPECT_NEAR(std::stod(row.at("energy_drift")), 0, 1e-5);
    }
    expect_bench_refuses({"impact", "--stages", "--device", "tpu"}, "--device: invalid value");
}

TEST(JointsBench, EveryTypeHoldsItsLoadAndItsMotorsForce) {
    const std::vector<CsvRow> rows = bench_rows({"joints", "--seconds", "9", "--device", "cpu,cpu:kernels"});
    ASSERT_EQ(rows.size(), 22u);
    // three times what was measured at most; of what is zero in print, less than its last digit
    constexpr struct {
        const char* joint;
        double error, twist, drift, overshoot; // mm, mrad, mm, mm or mrad
    } most[11] = {{"ball", 1.2, 1.2, 5e-5, 0.8},         {"hinge", 1.2, 1.2, 1.5e-4, 0.8},
                  {"fixed", 1.4, 1.4, 9e-5, 0},          {"slider", 1.4, 1.4, 1.5e-5, 0.005},
                  {"distance", 0.05, 5e-7, 2e-4, 0.005}, {"wheel", 1.4, 5e-7, 1.6e-4, 0.005},
                  {"six_axes", 1.4, 1.4, 1.6e-4, 0.005}, {"pose", 5e-7, 5e-7, 5e-7, 0},
                  {"gear", 1.8, 6.5, 4.5e-5, 0},         {"rack", 1.25, 6.4, 1.2e-4, 0},
                  {"pulley", 0.15, 5e-7, 5e-3, 0}};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto& bound = most[k % 11];
        ASSERT_EQ(rows[k].at("joint"), bound.joint);
        EXPECT_LT(std::stod(rows[k].at("error_mm")), bound.error) << bound.joint;
        EXPECT_LT(std::stod(rows[k].at("error_mrad")), bound.twist) << bound.joint;
        EXPECT_LT(std::stod(rows[k].at("drift_mm")), bound.drift) << bound.joint;
        EXPECT_EQ(rows[k].at("overshoot") == "-", bound.overshoot == 0) << bound.joint;
        if (bound.overshoot > 0) {
            EXPECT_LT(std::stod(rows[k].at("overshoot")), bound.overshoot) << bound.joint;
        }
        if (rows[k].at("motor_error") != "-") {
            EXPECT_LT(std::stod(rows[k].at("motor_error")), 5e-4) << bound.joint;
        }
        // every device measures the same
        EXPECT_EQ(rows[k].at("overshoot"), rows[k % 11].at("overshoot"));
        EXPECT_EQ(rows[k].at("error_mm"), rows[k % 11].at("error_mm"));
    }
    expect_bench_refuses({"joints", "--seconds", "0"}, "--seconds: invalid value \"0\"");
}

TEST(ScenesBench, TimesEachSceneAtEachNumberOfThreads) {
    const std::vector<CsvRow> rows = bench_rows({"scenes", "die", "ramp-slides", "--device", "cpu",
                                                 "--threads", "1,2", "--steps", "5", "--repeat", "1"});
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[1].at("scene"), "die");
    EXPECT_EQ(rows[1].at("threads"), "2");
    EXPECT_EQ(rows[0].at("hash"), rows[1].at("hash"));
    EXPECT_EQ(rows[3].at("kind"), "rigid");
    EXPECT_EQ(rows[3].at("steps"), "5");
    expect_bench_refuses({"scenes"}, "SCENE|FILE … is missing");
    expect_bench_refuses({"scenes", "dye"}, "dye");
    expect_bench_refuses({"scenes", "die", "--repeat", "0"}, "--repeat");
}

#ifdef SCREE_HAS_RENDER
TEST(RenderBench, DrawsAllAndAThirdInEveryMode) {
    const std::vector<CsvRow> rows = bench_rows({"render", "--instances", "64", "--frames", "2"});
    ASSERT_EQ(rows.size(), 6u);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(rows[k].at("visible"), "64");
        EXPECT_EQ(rows[k + 3].at("view"), "third");
        EXPECT_LT(std::stoi(rows[k + 3].at("visible")), 64);
        EXPECT_EQ(rows[k].at("mode"), rows[k + 3].at("mode"));
    }
    expect_bench_refuses({"render", "--instances", "0"}, "--instances");
}

TEST(RenderBench, SimulatesAndDrawsBodiesAndGrains) {
    for (const bool grains : {false, true}) {
        std::vector<std::string> arguments{"render", "--device", "cpu", "--size",
                                           "64x36",  "--frames", "2",   "--scene"};
        if (grains) arguments.insert(arguments.end(), {"grains", "--bodies", "100"});
        else arguments.push_back("wide-64");
        const std::vector<CsvRow> rows = bench_rows(arguments);
        ASSERT_EQ(rows.size(), grains ? 2u : 1u); // rigid bodies on the CPU are not shared
        if (grains && rows.size() == 2) {
            EXPECT_EQ(rows[1].at("poses"), "shared");
            EXPECT_GE(std::stoull(rows[1].at("shared_bytes")), 36u * 100);
            EXPECT_EQ(rows[1].at("triangles"), rows[0].at("triangles"));
        }
        EXPECT_EQ(rows[0].at("poses"), "copied");
        EXPECT_EQ(rows[0].at("frames"), "2");
        EXPECT_GT(std::stod(rows[0].at("physics_ms")), 0);
        EXPECT_GT(std::stod(rows[0].at("drawing_ms")), 0);
        EXPECT_GT(std::stoull(rows[0].at("triangles")), 100u);
    }
    expect_bench_refuses({"render", "--device", "cpu", "--scene", "wide-64", "--bodies", "9"}, "--bodies");
    expect_bench_refuses({"render", "--device", "cpu", "--scene", "no-such-9"}, "--scene");
}

TEST(RenderBench, TimesStepsAloneAndWithPositionsRead) {
    const std::vector<CsvRow> rows = bench_rows(
        {"render", "--read", "--scene", "wide-64", "--device", "cpu,cpu:kernels", "--frames", "3"});
    ASSERT_EQ(rows.size(), 6u);
    const char* ways[] = {"step", "step and positions()", "positions() beside the step"};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].at("way"), ways[k % 3]);
        EXPECT_EQ(rows[k].at("device"), k < 3 ? "cpu" : "cpu:kernels");
        EXPECT_GE(std::stoi(rows[k].at("bodies")), 64);
        EXPECT_GT(std::stod(rows[k].at("mean_ms")), 0);
    }
    // positions and rotations are 32 bytes a body, and only the steps that are read bring them
    const auto bytes = [&](std::size_t k) { return std::stoull(rows[k].at("downloaded_bytes")); };
    EXPECT_GE(bytes(4), bytes(3) + 16 * 64);
    EXPECT_GE(bytes(5), bytes(3) + 16 * 64);
    // grains have no reading beside the step
    EXPECT_EQ(bench_rows({"render", "--read", "--scene", "grains", "--bodies", "100", "--device", "cpu",
                          "--frames", "2"})
                  .size(),
              2u);
    expect_bench_refuses({"render", "--read"}, "--scene");
}

TEST(RenderBench, PicturesOfAllWaysAreCompared) {
    const std::vector<CsvRow> rows = bench_rows({"render", "--compare", "stack-10,die", "--steps", "3",
                                                 "--device", "cpu:kernels", "--size", "80x45"});
    ASSERT_GE(rows.size(), 12u);
    int shared = 0, gles = 0, gpu = 0;
    for (const CsvRow& row : rows) {
        EXPECT_LE(std::stoi(row.at("largest")), row.at("way") == "gles" ? 255 : 1) << row.at("way");
        shared += row.at("way") == "shared", gles += row.at("way") == "gles", gpu += row.at("way") == "gpu";
    }
    EXPECT_EQ(gpu, 4); // two views of each
    EXPECT_EQ(gles, 4);
    EXPECT_GE(shared, 2);
    expect_bench_refuses({"render", "--compare", "no-such-scene"}, "--compare");
}
#endif

} // namespace scree::testing

#endif
