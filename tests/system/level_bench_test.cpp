// SPDX-License-Identifier: MIT
// level_bench_test.cpp — `scree bench level` and `scree bench walk`: their rows are complete and true, whatever time they take.
#ifdef SCREE_PROGRAM

#include "level/map_texts.h"
#include "system/csv_rows.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace scree::testing {

TEST(LevelBench, CompilesRoomsOfTheSizesThatAreAskedFor) {
    const std::vector<CsvRow> rows =
        bench_rows({"level", "--brushes", "60,150", "--repeat", "1", "--frames", "10"});
    ASSERT_EQ(rows.size(), 2u);
    for (const CsvRow& row : rows) {
        EXPECT_GT(std::stod(row.at("all processor ms")), 0);
        EXPECT_GT(std::stoi(row.at("cells inside")), 0);
    }
    EXPECT_EQ(rows[0].at("level"), "rooms-60");
    EXPECT_LT(std::stoi(rows[0].at("brushes")), std::stoi(rows[1].at("brushes")));
    EXPECT_LT(std::stoi(rows[0].at("leaves")), std::stoi(rows[1].at("leaves")));
    expect_bench_refuses({"level", "--brushes", "many"}, "--brushes");
}

TEST(LevelBench, ComparesTheWaysToChooseAPlane) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("heap.map")) << world(room_grid(3, 3) + heap(4, 20));
    const std::vector<CsvRow> rows = bench_rows({"level", "--choices", "--brushes", "60", "--map",
                                                 folder.file("heap.map"), "--repeat", "1", "--frames", "10"});
    ASSERT_EQ(rows.size(), 8u);
    const auto number = [&](std::size_t row, const char* column) { return std::stod(rows[row].at(column)); };
    for (std::size_t first : {0u, 4u}) {
        const char* names[] = {"cuts", "balance", "both", "drawing"};
        for (std::size_t k = first; k < first + 4; ++k) {
            EXPECT_EQ(rows[k].at("choice"), names[k - first]);
            EXPECT_EQ(rows[k].at("level"), first == 0 ? "rooms-60" : "heap");
            EXPECT_EQ(rows[k].at("brushes"), rows[first].at("brushes"));
            EXPECT_EQ(number(k, "nodes") + 1, number(k, "solid leaves") + number(k, "empty leaves"));
            EXPECT_LE(number(k, "portals"), number(k, "tree portals"));
            EXPECT_GT(number(k, "triangles"), 0);
            EXPECT_EQ(rows[k].at("picture ms"), "-");
        }
        EXPECT_LT(number(first, "cuts"), number(first + 1, "cuts"));
        EXPECT_LE(number(first + 1, "depth"), number(first, "depth"));
        EXPECT_LE(number(first, "cuts"), number(first + 2, "cuts"));
    }
}

TEST(LevelBench, ComparesVerticesAlongLinesWithJointsAlongArcs) {
    const std::vector<CsvRow> rows = bench_rows({"level", "--characters", "1,3", "--frames", "3"});
    ASSERT_EQ(rows.size(), 6u);
    const auto number = [&](std::size_t row, const char* column) { return std::stod(rows[row].at(column)); };
    for (std::size_t row = 0; row < 6; ++row) {
        EXPECT_EQ(rows[row].at("clip"), "walk");
        EXPECT_EQ(rows[row].at("characters"), row % 2 == 0 ? "1" : "3");
        EXPECT_GT(number(row, "lerp ms"), 0);
        EXPECT_GT(number(row, "slerp ms"), 0);
        EXPECT_LT(number(row, "slerp MB"), number(row, "lerp MB"));
        // with all frames joints are where the clip has them, and limbs that turn are shorter along lines
        if (row < 2) {
            EXPECT_LT(number(row, "slerp most"), 0.01);
        }
        EXPECT_GT(number(row, "lerp most"), 0.1);
        EXPECT_GT(number(row, "lerp most"), number(row, "lerp rms"));
        EXPECT_LT(number(row, "lerp most"), 100);
        if (row >= 2) {
            EXPECT_GT(number(row, "lerp rms"), number(row - 2, "lerp rms"));
        }
    }
    EXPECT_NEAR(number(4, "frames/s"), number(0, "frames/s") / 4, 0.01);
    expect_bench_refuses({"level", "--characters", "1", "--clip", "fly"}, "--clip");
}

#ifdef SCREE_HAS_RENDER
TEST(LevelBench, DrawsTheMeshesOfTheThesisInEachMode) {
    const std::vector<CsvRow> rows =
        bench_rows({"level", "--looks", "1,2", "--lights", "1,16", "--frames", "2"});
    ASSERT_EQ(rows.size(), 12u);
    const auto number = [&](std::size_t row, const char* column) { return std::stoul(rows[row].at(column)); };
    for (std::size_t first = 0; first < 12; first += 3) {
        const unsigned long times = first < 6 ? 1 : 2;
        const char* modes[] = {"tree", "precached", "pooled"};
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(rows[first + k].at("mode"), modes[k]);
            EXPECT_EQ(number(first + k, "meshes"), 307 * times);
            EXPECT_EQ(number(first + k, "visible"), 307 * times); // nothing is out of the picture
            EXPECT_EQ(number(first + k, "triangles"), 2677 * times);
            EXPECT_EQ(number(first + k, "lights"), first / 3 % 2 == 0 ? 1u : 16u);
        }
        EXPECT_LT(number(first + 1, "state changes"), number(first, "state changes"));
        EXPECT_LT(number(first + 2, "state changes"), number(first + 1, "state changes"));
        EXPECT_LE(number(first + 2, "draws"), number(first, "draws"));
    }
    expect_bench_refuses({"level", "--looks", "1", "--lights", "65"}, "--lights");
}
#endif

TEST(WalkBench, ABotWalksAndBodiesThrownStayInAClosedLevel) {
    const TemporaryFolder folder;
    const std::string start = "{ \"classname\" \"info_player_start\" \"origin\" \"64 64 32\" }\n"
                              "{ \"classname\" \"info_player_start\" \"origin\" \"208 64 32\" }\n";
    std::ofstream(folder.file("rooms.map")) << world(room_grid(2, 1)) + start;
    const auto walk = [&](const std::string& name, const std::string& starts) {
        return run_program({"bench", "walk", "--map", folder.file(name), "--seconds", "3", "--bodies", "6",
                            "--starts", starts});
    };
    const ProgramResult closed = walk("rooms.map", "2");
    EXPECT_EQ(closed.code, 0) << closed;
    // level, start, metres, longest stay, where, lost, hash; then level, bodies, outside, in walls
    std::istringstream lines(closed.out);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        if (std::string word; words >> word && word == "rooms") {
            rows.emplace_back();
            while (words >> word) rows.back().push_back(word);
        }
    }
    ASSERT_EQ(rows.size(), 3u) << closed;
    EXPECT_EQ(rows[0][0], "0");
    EXPECT_EQ(rows[1][0], "1");
    EXPECT_GT(std::stod(rows[0][1]), 2) << closed; // it did walk
    EXPECT_EQ(rows[2][0], "6");
    EXPECT_EQ(rows[2][1], "0");
    EXPECT_EQ(rows[2][2], "0");
    EXPECT_EQ(walk("rooms.map", "2").out, closed.out); // the same walk again
    // without its last wall
    const std::string rooms = room_grid(2, 1);
    std::ofstream(folder.file("open.map")) << world(rooms.substr(0, rooms.rfind("{"))) + start;
    const ProgramResult open = walk("open.map", "1");
    EXPECT_EQ(open.code, 1) << open;
    expect_bench_refuses({"walk", "--map", folder.file("none.map")}, "none.map");
}

} // namespace scree::testing

#endif
