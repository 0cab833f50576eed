// SPDX-License-Identifier: MIT
// golden_test.cpp — every build, whatever its compiler and options, gives the hashes that docs/internals/determinism.md states.

#include "scene/run.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace scree {
namespace {

struct Golden {
    std::string scene;
    int steps = 0;
    std::uint64_t hash = 0;
};

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream text(row);
    for (std::string cell; std::getline(text, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return cells; // the first is what stands before the first bar: nothing
}

/// rows of the form | scene | mode | particles or bodies | steps | `hash` |
std::vector<Golden> stated_hashes() {
    std::vector<Golden> goldens;
    std::ifstream page(std::string(SCREE_SOURCE_DIR) + "/docs/internals/determinism.md");
    for (std::string line; std::getline(page, line);) {
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() < 6 || cells[5].size() != 16) continue;
        goldens.push_back(
            {cells[1], std::atoi(cells[4].c_str()), std::strtoull(cells[5].c_str(), nullptr, 16)});
    }
    return goldens;
}

std::uint64_t hash_after(const std::string& name, int steps) {
    const auto run = start_scene(find_scene(name), Place());
    run->step(static_cast<std::uint64_t>(steps));
    return run->hash();
}

TEST(Golden, EveryBuildGivesTheHashesOfTheTable) {
    const std::vector<Golden> goldens = stated_hashes();
    ASSERT_GE(goldens.size(), 9u);
    for (const Golden& golden : goldens)
        EXPECT_EQ(hash_after(golden.scene, golden.steps), golden.hash) << golden.scene;
}

} // namespace
} // namespace scree
