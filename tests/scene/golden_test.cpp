// SPDX-License-Identifier: MIT
// golden_test.cpp — every build, whatever its compiler, options, SIMD lanes and threads, gives the hashes that
// docs/internals/determinism.md states.
// compiled alone

#include "scene/run.h"
#include "scree/error.h"
#include "scree/place.h"
#include "scree/scene.h"
#include "support/param_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace scree {
namespace {

struct Golden {
    std::string scene, mode;
    std::uint64_t bodies = 0, steps = 0, hash = 0;
};
std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << golden.scene << " after " << golden.steps << " steps";
}

/// In units of the most that counts as small. A particle is about a third of the work of a body.
double work(const Golden& golden) {
    return static_cast<double>(golden.bodies * golden.steps) / (golden.mode == "rigid" ? 100'000 : 330'000);
}
bool is_small(const Golden& golden) { return work(golden) <= 1; }

/// Threads that wait for each other on fewer cores take long: short runs have more of them. Large scenes are run to their end with
/// the widest lanes that are here, which make them fast; the first steps show what fewer lanes and more threads do.
struct Way {
    int lanes, threads_if_tiny, threads_if_small, threads_if_large; // 0: not at all
    int threads(const Golden& golden) const {
        return work(golden) <= 0.2 ? threads_if_tiny : is_small(golden) ? threads_if_small : threads_if_large;
    }
};
constexpr Way ways[] = {{1, 1, 1, 0}, {4, 3, 1, 0}, {8, 2, 2, 1}, {16, 1, 1, 1}};
std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.lanes << " lanes"; }

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
        const auto number = [&](std::size_t cell) {
            std::string digits = cells[cell];
            std::erase(digits, ',');
            return std::strtoull(digits.c_str(), nullptr, 10);
        };
        goldens.push_back(
            {cells[1], cells[2], number(3), number(4), std::strtoull(cells[5].c_str(), nullptr, 16)});
    }
    return goldens;
}

/// Sanitized and unoptimised libraries are slow: of the large scenes they take the rows of the first steps.
bool is_for_this_build([[maybe_unused]] const Golden& golden) {
#ifdef SCREE_SLOW_LIBRARY
    return is_small(golden);
#else
    return true;
#endif
}

std::vector<Golden> hashes_for_this_build() {
    std::vector<Golden> goldens = stated_hashes();
    std::erase_if(goldens, [](const Golden& golden) { return !is_for_this_build(golden); });
    return goldens;
}

/// A place, or nothing where this machine does not have so many lanes.
std::optional<Place> place_of(int threads, int lanes) {
    try {
        return Place(PlaceOptions{.threads = threads, .lanes = lanes});
    } catch (const Error& error) {
        if (error.where() != "lanes") throw;
        return std::nullopt;
    }
}

/// Large scenes run with the widest lanes that are here. With slow libraries every scene runs with two numbers of lanes of four, one of
/// them wide, in turn.
bool runs([[maybe_unused]] std::size_t number, const Golden& golden, const Way& way) {
    static const int widest = place_of(1, 16) ? 16 : 8;
    if (!is_small(golden) && way.lanes == 8 && widest == 16) return false;
#ifdef SCREE_SLOW_LIBRARY
    if (work(golden) > 0.5) return way.lanes == 8;
    const bool even = number % 2 == 0;
    if (way.lanes != (even ? 1 : 4) && way.lanes != (even ? widest : 8)) return false;
#endif
    return way.threads(golden) > 0;
}

std::vector<std::tuple<Golden, Way>> runs_of_this_build() {
    std::vector<std::tuple<Golden, Way>> all;
    std::size_t number = 0;
    for (const Golden& golden : hashes_for_this_build()) {
        for (const Way& way : ways)
            if (runs(number, golden, way)) all.emplace_back(golden, way);
        ++number;
    }
    return all;
}

class StateHashes : public testing::TestWithParam<std::tuple<Golden, Way>> {};

TEST_P(StateHashes, AreThoseOfTheTable) {
    const auto& [golden, way] = GetParam();
    const std::optional<Place> place = place_of(way.threads(golden), way.lanes);
    if (!place) GTEST_SKIP() << "this machine has no " << way;
    const auto run = start_scene(find_scene(golden.scene, test::few_bodies(golden.scene)), *place);
    run->step(golden.steps);
    EXPECT_EQ(run->hash(), golden.hash);
}

std::string name_of(const testing::TestParamInfo<std::tuple<Golden, Way>>& test) {
    const auto& [golden, way] = test.param;
    std::string name = golden.scene + "_" + std::to_string(golden.steps) + "_steps_" +
                       std::to_string(way.lanes) + "_lanes_" + std::to_string(way.threads(golden)) +
                       "_threads";
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, StateHashes, testing::ValuesIn(runs_of_this_build()), name_of);

TEST(StateHashTable, HasEverySceneForEveryBuild) {
    std::set<std::string> stated, tested;
    for (const Golden& golden : stated_hashes()) stated.insert(golden.scene);
    for (const Golden& golden : hashes_for_this_build()) tested.insert(golden.scene);
    const std::vector<std::string> scenes = test::builtin_names();
    EXPECT_EQ(stated, std::set(scenes.begin(), scenes.end()));
    EXPECT_EQ(tested, stated);
}

} // namespace
} // namespace scree
