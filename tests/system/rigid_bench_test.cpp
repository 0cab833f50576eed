// SPDX-License-Identifier: MIT
// rigid_bench_test.cpp — `scree bench rigid`: its scenes keep their bits, and its ruler measures states that are known.
#ifdef SCREE_PROGRAM

#include "system/csv_rows.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace scree::testing {
namespace {

/// position, rotation (scalar first), velocity, angular velocity
using Pose = std::array<double, 13>;

std::string dumped(const std::string& scene) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "rigid", "--scene", scene, "--dump-scenes", folder.file("")});
    EXPECT_EQ(result.code, 0) << result;
    return file_bytes(folder.file(scene + ".json"));
}

/// the numbers of the lists that follow, whatever is written between them
std::vector<double> numbers_in(const std::string& text) {
    std::vector<double> numbers;
    for (std::size_t at = 0; (at = text.find_first_of("[,", at)) != std::string::npos;) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str() + ++at, &end);
        if (end != text.c_str() + at) numbers.push_back(number);
    }
    return numbers;
}

std::vector<Pose> start_of(const std::string& scene) {
    std::vector<Pose> poses;
    std::istringstream lines(dumped(scene));
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("{\"shape\"", 0) != 0) continue;
        const std::vector<double> numbers = numbers_in(line.substr(line.find("\"position\"")));
        Pose pose{};
        EXPECT_GE(numbers.size(), pose.size()) << line;
        std::copy_n(numbers.begin(), std::min(numbers.size(), pose.size()), pose.begin());
        poses.push_back(pose);
    }
    return poses;
}

std::string result_text(const std::string& scene, const std::vector<Pose>& poses) {
    std::string text = "scree-rigid-result 1\nscene " + scene +
                       "\nengine other\nversion 1\nthreads 3\nsteps 600\nms 4 2 8\nbodies " +
                       std::to_string(poses.size()) + "\n";
    for (const Pose& pose : poses) {
        text += "pose";
        char word[40];
        for (double number : pose) {
            std::snprintf(word, sizeof word, " %.9g", number);
            text += word;
        }
        text += '\n';
    }
    return text;
}

/// The first row; empty when there is none.
CsvRow first_row(const std::string& file) {
    const std::vector<CsvRow> rows = rows_of(file);
    return rows.empty() ? CsvRow() : rows.front();
}

CsvRow row_of(const std::string& scene, const std::vector<Pose>& poses) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("other.result")) << result_text(scene, poses);
    const ProgramResult result = run_program(
        {"bench", "rigid", "--quality", folder.file("other.result"), "--csv", folder.file("rows.csv")});
    EXPECT_EQ(result.code, 0) << result;
    return first_row(folder.file("rows.csv"));
}

double measured(const std::string& column, const std::string& scene, const std::vector<Pose>& poses) {
    const auto row = row_of(scene, poses);
    return row.count(column) == 1 ? std::atof(row.at(column).c_str()) : -1;
}

/// the poses of a container's scene: five fixed boxes, then these
std::vector<Pose> in_container(const std::string& scene, const std::vector<Pose>& moving) {
    std::vector<Pose> poses = start_of(scene);
    EXPECT_EQ(poses.size(), 5 + moving.size());
    std::copy(moving.begin(), moving.end(), poses.begin() + 5);
    return poses;
}

Pose at(double x, double y, double z) { return {x, y, z, 1, 0, 0, 0}; }

void expect_refused_result(const std::string& text, const std::string& complaint) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("bad.result")) << text;
    const ProgramResult result = run_program({"bench", "rigid", "--quality", folder.file("bad.result")});
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("bad.result")) << result;
    EXPECT_TRUE(result.complained(complaint)) << result;
}

/// The row of a scene after some steps of Scree on one thread.
CsvRow run_row(const std::string& scene, const std::string& steps) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "rigid", "--scene", scene, "--engines", "scree", "--steps", steps, "--repeat",
                     "1", "--threads", "1", "--no-sleep", "--csv", folder.file("rows.csv")});
    EXPECT_EQ(result.code, 0) << result;
    return first_row(folder.file("rows.csv"));
}

double figure(const CsvRow& row, const std::string& column) {
    return row.count(column) == 1 ? std::atof(row.at(column).c_str()) : -1;
}

std::uint64_t fnv(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

} // namespace

TEST(RigidBench, ScenesOfAContractKeepTheirBits) {
    const std::pair<const char*, std::uint64_t> scenes[] = {
        {"pyramid-40", 0x865efe86a7d4066eu},      {"boxes-4096", 0x91d1826feb7a407cu},
        {"spheres-8192", 0x6ace60c5d90319b5u},    {"capsules-4096", 0xc73e3de89f04e54au},
        {"hulls-2048", 0x2d4f7d38c6d30300u},      {"ragdolls-200", 0x70dc49e56ed70778u},
        {"stack-heavy-100", 0x5caa1263fc91eec1u}, {"seed-spheres-500", 0x8dd1ea8feb648cd4u},
        {"molecule-4", 0xb441d0f20291685bu},      {"funnel-100", 0x73ecb40e2e0c6e33u},
        {"card-house", 0xd31e0c3bf0688ea4u},      {"arch", 0xb4eb16d9688e6800u},
        {"ramp-stays", 0xc37574b706fa3f77u},      {"ramp-slides", 0x3bb8a8ed494df523u},
        {"rolling-balls", 0xbf5a8151e65bacfbu},   {"spinning-top", 0x77d207ed27e7df2fu}};
    for (const auto& [scene, hash] : scenes) EXPECT_EQ(fnv(dumped(scene)), hash) << scene;
}

TEST(RigidBench, ScenesAreFilesThatTheProgramRuns) {
    const TemporaryFolder folder;
    for (const std::string scene :
         {"stack-heavy-100", "hulls-8", "mixed-14", "ragdolls-2", "funnel-3", "spinning-top"}) {
        run_program({"bench", "rigid", "--scene", scene, "--dump-scenes", folder.file("")});
        const ProgramResult result =
            run_program({"run", folder.file(scene + ".json"), "--steps", "2", "--device", "cpu"});
        EXPECT_EQ(result.code, 0) << result;
    }
}

TEST(RigidBench, BuiltInScenesStartWithNothingDeepInAnother) {
    for (const std::string scene :
         {"card-house", "arch", "ramp-stays", "ramp-slides", "rolling-balls", "spinning-top"})
        EXPECT_LT(measured("max_overlap_mm", scene, start_of(scene)), 0.01) << scene;
}

TEST(RigidBench, BodiesOfBuiltInScenesAreWhereTheirCentresOfMassAre) {
    // that of a cone 0.2 m high lies 0.05 m from its middle towards its base; it stands on its tip, 5 degrees aslant
    EXPECT_NEAR(measured("mean_height_m", "spinning-top", start_of("spinning-top")),
                0.1 + 0.05 * std::cos(M_PI / 36), 1e-5);
}

TEST(RigidBench, ScenesThatFallStartWithNothingTouching) {
    for (const std::string scene : {"spheres-8192", "capsules-4096", "hulls-512", "ragdolls-200",
                                    "seed-spheres-1000", "molecule-6", "funnel-400", "mixed-512"})
        EXPECT_EQ(measured("contacts", scene, start_of(scene)), 0) << scene;
}

TEST(RigidBench, MeasuresTheOverlapOfBoxesOnFaces) {
    std::vector<Pose> poses = start_of("stack-2");
    poses[2] = at(0, 1.49, 0);
    EXPECT_NEAR(measured("max_overlap_mm", "stack-2", poses), 10, 1e-3);
    EXPECT_NEAR(measured("drift_mm", "stack-2", poses), 10, 1e-3);
}

TEST(RigidBench, MeasuresTheOverlapOfABoxOnItsEdge) {
    std::vector<Pose> poses = start_of("stack-1");
    poses[1] = {0, 0.7, 0, std::cos(M_PI / 8), 0, 0, std::sin(M_PI / 8)};
    EXPECT_NEAR(measured("max_overlap_mm", "stack-1", poses), 1e3 * (std::sqrt(0.5) - 0.7), 1e-3);
}

TEST(RigidBench, MeasuresTheOverlapOfBoxesEdgeOnEdge) {
    // one edge along z pointing up, one along x pointing down, crossing 5 mm deep
    std::vector<Pose> poses = start_of("stack-2");
    const double c = std::cos(M_PI / 8), s = std::sin(M_PI / 8);
    poses[1] = {0, 5, 0, c, 0, 0, s};
    poses[2] = {0, 5 + std::sqrt(2.0) - 0.005, 0, c, s, 0, 0};
    EXPECT_NEAR(measured("max_overlap_mm", "stack-2", poses), 5, 1e-3);
    EXPECT_EQ(measured("contacts", "stack-2", poses), 1);
}

TEST(RigidBench, MeasuresTheOverlapOfSpheres) {
    EXPECT_NEAR(
        measured("max_overlap_mm", "spheres-2", in_container("spheres-2", {at(0, 1, 0), at(0.98, 1, 0)})), 20,
        1e-3);
    EXPECT_NEAR(
        measured("max_overlap_mm", "spheres-2", in_container("spheres-2", {at(0, 0.47, 0), at(0, 3, 0)})), 30,
        1e-3);
}

TEST(RigidBench, MeasuresTheOverlapOfCrossedCapsules) {
    const double r = std::sqrt(0.5);
    // one along y, one along x, beside each other
    const auto poses = in_container("capsules-2", {at(0, 1, 0), {0.1, 1.1, 0.55, r, 0, 0, r}});
    EXPECT_NEAR(measured("max_overlap_mm", "capsules-2", poses), 50, 1e-3);
}

TEST(RigidBench, MeasuresTheOverlapOfACapsuleWithTheFloor) {
    // its lower end reaches 0.6 below its centre: at 0.2 the segment itself is in the floor
    EXPECT_NEAR(measured("max_overlap_mm", "capsules-1", in_container("capsules-1", {at(0, 0.58, 0)})), 20,
                1e-3);
    EXPECT_NEAR(measured("max_overlap_mm", "capsules-1", in_container("capsules-1", {at(0, 0.2, 0)})), 400,
                1e-3);
}

TEST(RigidBench, MeasuresTheOverlapOfAHullWithTheFloor) {
    // the lowest corner of the first hull, from its own line in the dump
    const std::string text = dumped("hulls-1");
    const std::size_t points = text.find("\"points\"");
    ASSERT_NE(points, std::string::npos);
    const std::vector<double> numbers = numbers_in(text.substr(points, text.find('}', points) - points));
    double lowest = 0;
    for (std::size_t i = 1; i < numbers.size(); i += 3) lowest = std::min(lowest, numbers[i]);
    ASSERT_LT(lowest, -0.3);
    EXPECT_NEAR(measured("max_overlap_mm", "hulls-1", in_container("hulls-1", {at(0, -lowest - 0.015, 0)})),
                15, 1e-2);
    EXPECT_EQ(measured("contacts", "hulls-1", in_container("hulls-1", {at(0, -lowest + 0.001, 0)})), 0);
}

TEST(RigidBench, MeasuresTheKineticEnergyOfASphere) {
    Pose pose = at(0, 2, 0);
    pose[7] = 2;  // m/s
    pose[11] = 3; // rad/s
    const double mass = 4.0 / 3 * M_PI * 0.125 * 1000;
    const auto poses = in_container("spheres-1", {pose});
    EXPECT_NEAR(measured("kinetic_j", "spheres-1", poses), 0.5 * mass * 4 + 0.5 * 0.4 * mass * 0.25 * 9,
                0.01);
    EXPECT_NEAR(measured("mean_speed", "spheres-1", poses), 2, 1e-5);
    EXPECT_NEAR(measured("mean_height_m", "spheres-1", poses), 2, 1e-5);
}

TEST(RigidBench, MeasuresHowFarAJointIsOpen) {
    std::vector<Pose> poses = start_of("molecule-2");
    EXPECT_LT(measured("joint_mm", "molecule-2", poses), 1e-3);
    poses[7][0] += 0.003;
    EXPECT_NEAR(measured("joint_mm", "molecule-2", poses), 3, 1e-3);
}

TEST(RigidBench, CountsBodiesThatEscaped) {
    std::vector<Pose> poses = in_container("spheres-3", {at(0, 1, 0), at(50, 1, 0), at(0, -3, 0)});
    EXPECT_EQ(measured("escaped", "spheres-3", poses), 2);
    poses[5][1] = NAN;
    EXPECT_EQ(measured("escaped", "spheres-3", poses), 3);
}

TEST(RigidBench, CopiesTheTimesOfAnotherProgram) {
    auto row = row_of("stack-1", start_of("stack-1"));
    EXPECT_EQ(row["engine"], "other");
    EXPECT_EQ(row["threads"], "3");
    EXPECT_EQ(row["contract"], "rigid-1");
    EXPECT_EQ(std::atof(row["falling_ms"].c_str()), 4);
    EXPECT_EQ(std::atof(row["settled_ms"].c_str()), 2);
    EXPECT_EQ(std::atof(row["p99_ms"].c_str()), 8);
}

TEST(RigidBench, RefusesResultsThatAreNone) {
    const std::string good = result_text("stack-1", start_of("stack-1"));
    expect_refused_result("", "scree-rigid-result");
    expect_refused_result("scree-rigid-result 2\n", "version 1");
    expect_refused_result(good.substr(0, good.rfind("pose")), ":10: the file ends");
    expect_refused_result(result_text("stack-2", start_of("stack-1")),
                          "invalid value \"2\": expected an integer");
    expect_refused_result(result_text("stick-1", start_of("stack-1")), "stick-1");
    std::string word = good;
    word.replace(word.rfind("pose ") + 5, 1, "x");
    expect_refused_result(word, "x");
}

TEST(RigidBench, RunsEveryEngineThatIsThereOnTheSameScene) {
    const TemporaryFolder folder;
    const ProgramResult result =
        run_program({"bench", "rigid", "--scene", "stack-3", "--steps", "20", "--repeat", "2", "--threads",
                     "1", "--csv", folder.file("rows.csv"), "--svg", folder.file("plot.svg")});
    EXPECT_EQ(result.code, 0) << result;
    auto row = first_row(folder.file("rows.csv"));
    EXPECT_EQ(row["engine"], "scree");
    EXPECT_EQ(row["bodies"], "3");
    EXPECT_EQ(row["steps"], "20");
    EXPECT_EQ(row["repeats"], "2");
    EXPECT_EQ(row["escaped"], "0");
    EXPECT_NEAR(std::atof(row["mean_height_m"].c_str()), 1.5, 0.02);
    for (const char* plot : {"plot-bodies.svg", "plot-threads.svg", "plot-quality.svg"})
        EXPECT_EQ(file_bytes(folder.file(plot)).rfind("<svg", 0), 0u) << plot;
}

TEST(RigidBench, CountsTheStepsUntilEverythingSleeps) {
    const TemporaryFolder folder;
    const auto sleep_steps = [&](const std::string& steps) {
        run_program({"bench", "rigid", "--scene", "stack-3", "--engines", "scree", "--steps", steps,
                     "--repeat", "1", "--threads", "1", "--csv", folder.file("rows.csv")});
        return first_row(folder.file("rows.csv"))["sleep_steps"];
    };
    EXPECT_GE(std::atoi(sleep_steps("200").c_str()), 30); // at rest for half a second
    EXPECT_EQ(sleep_steps("20"), "-");
}

TEST(RigidBench, WritesResultsThatMeasureTheSame) {
    const TemporaryFolder folder;
    run_program({"bench", "rigid", "--scene", "spheres-20", "--engines", "scree", "--steps", "60", "--repeat",
                 "1", "--threads", "1", "--csv", folder.file("run.csv"), "--dump-results", folder.file("")});
    run_program({"bench", "rigid", "--quality", folder.file("spheres-20.scree.1.result"), "--csv",
                 folder.file("read.csv")});
    auto run = first_row(folder.file("run.csv")), read = first_row(folder.file("read.csv"));
    EXPECT_FALSE(run.empty());
    for (const char* column :
         {"engine", "scene", "mean_height_m", "max_overlap_mm", "kinetic_j", "mean_speed"})
        EXPECT_EQ(run[column], read[column]) << column;
}

TEST(RigidBench, JointsOfTheGridHoldIt) {
    const CsvRow row = run_row("box3d-joint-grid-6", "60");
    EXPECT_EQ(figure(row, "bodies"), 30);
    EXPECT_EQ(figure(row, "joints"), 30 + 25); // to the body above, and to that in the column before
    EXPECT_LT(figure(row, "joint_mm"), 20);
    EXPECT_LT(figure(row, "mean_joint_mm"), figure(row, "joint_mm"));
    EXPECT_GT(figure(row, "mean_height_m"), -3.5);
    // neighbours are filtered, whatever the ruler sees
    EXPECT_EQ(figure(row, "contacts"), 0);
}

TEST(RigidBench, PyramidsOfBox3DStand) {
    for (const std::string scene : {"box3d-large-pyramid-10", "box3d-many-pyramids-2"}) {
        const CsvRow row = run_row(scene, "60");
        EXPECT_EQ(figure(row, "bodies"), scene == "box3d-many-pyramids-2" ? 220 : 55) << scene;
        EXPECT_LT(figure(row, "drift_mm"), 50) << scene;
        EXPECT_EQ(figure(row, "escaped"), 0) << scene;
    }
}

TEST(RigidBench, RainReplacesItsFigures) {
    // a column of 2 cells with 3 figures each falls in steps 0, 16, 64 …; from the third on one is replaced
    const CsvRow early = run_row("box3d-rain-2", "10"), late = run_row("box3d-rain-2", "70");
    EXPECT_EQ(figure(early, "joints"), figure(late, "joints"));
    EXPECT_GT(figure(early, "mean_height_m"), 20);
    EXPECT_LT(figure(late, "mean_height_m"), 20); // those that fell first are down
    EXPECT_EQ(figure(late, "escaped"), 0);
    EXPECT_LT(figure(late, "joint_mm"), 100);
}

TEST(RigidBench, TheWasherKeepsItsCubes) {
    const CsvRow row = run_row("box3d-washer-4", "240");
    EXPECT_EQ(figure(row, "bodies"), 64);
    EXPECT_EQ(figure(row, "escaped"), 0);
    EXPECT_GT(figure(row, "mean_height_m"), 4); // the drum's lowest inside is at 5 m
    EXPECT_GT(figure(row, "mean_speed"), 0.5);  // it takes them along
}

TEST(RigidBench, TreesFallOntoTheirMesh) {
    const CsvRow row = run_row("box3d-trees-200", "120");
    EXPECT_EQ(figure(row, "bodies"), 50);
    EXPECT_EQ(figure(row, "escaped"), 0);
    EXPECT_GT(figure(row, "mean_speed"), 0.1);
    EXPECT_EQ(row.at("kinetic_j"), "-");
}

TEST(RigidBench, ThePusherMovesRocks) {
    const CsvRow row = run_row("box3d-junkyard-1", "240");
    EXPECT_EQ(figure(row, "bodies"), 441);
    EXPECT_EQ(figure(row, "escaped"), 0);
    EXPECT_LT(figure(row, "mean_height_m"), 5);
    EXPECT_GT(figure(row, "restless"), 0);
}

TEST(RigidBench, TheConvexPileComesDown) {
    const CsvRow row = run_row("box3d-convex-pile-2", "120");
    EXPECT_EQ(figure(row, "bodies"), 128);
    EXPECT_EQ(figure(row, "escaped"), 0);
    EXPECT_LT(figure(row, "max_overlap_mm"), 100);
}

TEST(RigidBench, SpheresArriveInTheLargeWorld) {
    // one in every fifth step, 1 m above the floor
    const CsvRow row = run_row("box3d-large-world-10", "102");
    EXPECT_EQ(figure(row, "escaped"), 0);
    EXPECT_GT(figure(row, "mean_height_m"), 0.7);
    EXPECT_LT(figure(row, "mean_height_m"), 1.5);
    EXPECT_GT(figure(row, "worst_ms"), 0);
}

TEST(RigidBench, LimitsOfRagdollsHold) {
    const CsvRow row = run_row("ragdolls-limits-4", "120");
    EXPECT_EQ(figure(row, "bodies"), 44);
    EXPECT_LT(figure(row, "joint_mm"), 20);
    // it is a scene file too, and other engines leave special scenes out
    EXPECT_NE(dumped("ragdolls-limits-1").find("\"swing\""), std::string::npos);
    const ProgramResult refused = run_program(
        {"bench", "rigid", "--scene", "box3d-washer-2", "--dump-scenes", TemporaryFolder().file("")});
    EXPECT_EQ(refused.code, 2) << refused;
}

/// Two balls over a floor, one over nothing.
void write_balls(const std::string& file, float third) {
    std::ofstream(file) << R"({"scree": 1, "kind": "rigid", "title": "balls", "steps": 12,
        "shapes": [{"name": "floor", "box": {"half_size": [5, 0.1, 5]}}, {"name": "ball", "sphere": {"radius": 0.2}}],
        "bodies": [{"shape": "floor", "type": "fixed", "position": [0, 0, 0]},
                   {"shape": "ball", "position": [0, 1, 0]}, {"shape": "ball", "position": [1, 1, 0]},
                   {"shape": "ball", "position": [)"
                        << third << R"(, 1, 0], "velocity": [1, 0, 0]}],
        "expect": {"below": 0}})";
}

TEST(ScenesBench, WatchesAQuantityInEveryStep) {
    const TemporaryFolder folder;
    const std::string file = folder.file("balls.json");
    const auto watch = [&](const char* quantity, const char* device) {
        return run_program(
            {"bench", "scenes", file, "--threads", "1", "--device", device, "--watch", quantity});
    };
    for (const char* device : {"cpu", "cpu:kernels"}) {
        write_balls(file, 2);
        const ProgramResult above = watch("below,top", device);
        EXPECT_EQ(above.code, 0) << above;
        EXPECT_TRUE(above.said("below: 0 to 0")) << above;
        EXPECT_TRUE(above.said("top: ")) << above;
        // it leaves the floor in the seventh step
        write_balls(file, 4.9f - 0.005f);
        const ProgramResult beside = watch("below", device);
        EXPECT_EQ(beside.code, 1) << beside;
        EXPECT_TRUE(beside.said("below: 0 to 1; NOT as the scene expects in 6 of 12 steps, first in step 7"))
            << beside;
    }
    expect_bench_refuses({"scenes", file, "--watch", "abovee"}, "--watch");
}

TEST(ScenesBench, CountsCubesBelowAMeshAtAnotherSize) {
    const ProgramResult result = run_program({"bench", "scenes", "rain-hills", "--bodies", "800", "--steps",
                                              "60", "--threads", "2", "--device", "cpu", "--watch", "below"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("below: 0 to 0")) << result;
}

TEST(RigidBench, RefusesWhatItDoesNotKnow) {
    const std::pair<std::vector<std::string>, const char*> bad[] = {
        {{"--scene", "stack"}, "--scene"},       {{"--scene", "stack-0"}, "from 1 to 1,000"},
        {{"--scene", "boxes-x"}, "boxes-x"},     {{"--engines", "newton"}, "newton"},
        {{"--threads", "0"}, "--threads"},       {{"--dump-scenes", "/nowhere/at/all"}, "--dump-scenes"},
        {{"--quality", "/nowhere"}, "/nowhere"}, {{"--steps", "1"}, "--steps"}};
    for (auto [arguments, complaint] : bad) {
        arguments.insert(arguments.begin(), "rigid");
        expect_bench_refuses(arguments, complaint);
    }
}

} // namespace scree::testing

#endif
