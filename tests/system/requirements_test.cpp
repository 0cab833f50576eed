// SPDX-License-Identifier: MIT
// requirements_test.cpp — docs/requirements.md keeps its word: every requirement has a row, every test, scene and
// file that a row names is there, and the rows of each state are counted right.
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scree {
namespace {

namespace fs = std::filesystem;

// how many requirements each part of the specification has: R0.1 … R0.50, and so on
constexpr std::array<int, 5> requirement_counts{50, 97, 68, 109, 87};

const fs::path source_folder = SCREE_SOURCE_DIR;

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
    return s;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

// what stands between backticks
std::vector<std::string> names_in(const std::string& cell) {
    std::vector<std::string> names;
    const std::vector<std::string> parts = split(cell, '`');
    for (std::size_t i = 1; i < parts.size(); i += 2) names.push_back(parts[i]);
    return names;
}

bool is_identifier(std::string_view s) {
    return !s.empty() && std::isalpha(static_cast<unsigned char>(s[0])) &&
           std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Suite.Name, both beginning with a capital; anything else between backticks is a file
bool is_test_name(const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot != std::string::npos && is_identifier(name.substr(0, dot)) &&
           is_identifier(name.substr(dot + 1)) && std::isupper(static_cast<unsigned char>(name[0])) &&
           std::isupper(static_cast<unsigned char>(name[dot + 1]));
}

// adds Suite.Name of each TEST, TEST_F, TEST_P and TYPED_TEST of a source file
void find_tests(const std::string& source, std::set<std::string>& tests) {
    for (std::size_t at = source.find("TEST"); at != std::string::npos; at = source.find("TEST", at + 4)) {
        const std::size_t line = source.rfind('\n', at) + 1; // npos + 1 is the beginning of the file
        const std::string_view before = trimmed(std::string_view(source).substr(line, at - line));
        const std::size_t open = source.find('(', at), close = source.find(')', at);
        if (open == std::string::npos || close == std::string::npos || close < open) continue;
        const std::string macro = std::string(before) + source.substr(at, open - at);
        if (macro != "TEST" && macro != "TEST_F" && macro != "TEST_P" && macro != "TYPED_TEST") continue;
        const std::vector<std::string> names = split(source.substr(open + 1, close - open - 1), ',');
        if (names.size() == 2) tests.insert(names[0] + "." + names[1]);
    }
}

std::set<std::string> tests_of_the_project() {
    std::set<std::string> tests;
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "tests"))
        if (entry.path().extension() == ".cpp") find_tests(testing::file_bytes(entry.path()), tests);
    return tests;
}

bool file_exists(const std::string& name) { return fs::is_regular_file(source_folder / name); }

// the cells of each line that begins with a requirement's number
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : split(text, '\n')) {
        if (line.size() < 4 || line.compare(0, 3, "| R") != 0 ||
            !std::isdigit(static_cast<unsigned char>(line[3])))
            continue;
        // the text before the first and behind the last bar are no cells
        std::vector<std::string> cells = split(line, '|');
        if (cells[1].find('.') != std::string::npos)
            rows.push_back(std::move(cells)); // the others are counts
    }
    return rows;
}

// the counts as they should be, a line for each part and one for all
std::string counts_of(const std::string& text) {
    constexpr std::array<std::string_view, 3> states{"done", "partly", "planned"};
    std::array<std::array<int, 3>, requirement_counts.size() + 1> counts{};
    for (const std::vector<std::string>& cells : rows_of(text))
        for (std::size_t state = 0; state < 3; ++state)
            if (cells.size() == 7 && cells[5] == states[state]) {
                ++counts[static_cast<std::size_t>(cells[1][1] - '0')][state];
                ++counts.back()[state];
            }
    std::string lines;
    for (std::size_t part = 0; part < counts.size(); ++part) {
        lines += part < requirement_counts.size() ? "| R" + std::to_string(part) : "| all";
        for (const int count : counts[part]) lines += " | " + std::to_string(count);
        lines += " |\n";
    }
    return lines;
}

// everything that is wrong with the table, one sentence each
std::vector<std::string> problems(const std::string& text, const std::set<std::string>& tests,
                                  const std::function<bool(const std::string&)>& exists) {
    std::vector<std::string> found;
    std::multiset<std::string> ids;
    for (const std::vector<std::string>& cells : rows_of(text)) {
        const std::string& id = cells[1];
        ids.insert(id);
        if (cells.size() != 7) {
            found.push_back(id + ": has " + std::to_string(cells.size() - 2) + " cells, not 5");
            continue;
        }
        const std::string &words = cells[2], &state = cells[5];
        const std::vector<std::string> where = names_in(cells[3]), shown_by = names_in(cells[4]);
        if (words.empty()) found.push_back(id + ": does not say what is required");
        if (state != "done" && state != "partly" && state != "planned")
            found.push_back(id + ": state '" + state + "' is not done, partly or planned");
        if (state != "planned" && shown_by.empty())
            found.push_back(id + ": is " + state + " but nothing shows it");
        if (state == "done" && where.empty()) found.push_back(id + ": is done but does not say where");
        for (const std::string& file : where)
            if (!exists(file)) found.push_back(id + ": file " + file + " does not exist");
        for (const std::string& name : shown_by) {
            if (is_test_name(name) && tests.count(name) == 0)
                found.push_back(id + ": test " + name + " does not exist");
            if (!is_test_name(name) && !exists(name))
                found.push_back(id + ": file " + name + " does not exist");
        }
    }
    for (std::size_t part = 0; part < requirement_counts.size(); ++part)
        for (int n = 1; n <= requirement_counts[part]; ++n) {
            const std::string id = "R" + std::to_string(part) + "." + std::to_string(n);
            const std::size_t rows = ids.count(id);
            if (rows == 0) found.push_back(id + ": has no row");
            if (rows > 1) found.push_back(id + ": has " + std::to_string(rows) + " rows");
            ids.erase(id);
        }
    for (const std::string& id : ids) found.push_back(id + ": is not a requirement");
    return found;
}

// a table in which only the given rows are not plain "planned" ones
std::string table_with(const std::vector<std::string>& rows) {
    std::string text;
    for (std::size_t part = 0; part < requirement_counts.size(); ++part)
        for (int n = 1; n <= requirement_counts[part]; ++n) {
            const std::string id = "| R" + std::to_string(part) + "." + std::to_string(n) + " |";
            const auto given = std::find_if(rows.begin(), rows.end(), [&](const std::string& row) {
                return row.compare(0, id.size(), id) == 0;
            });
            if (given == rows.end()) text += id + " words | – | – | planned |\n";
        }
    for (const std::string& row : rows) text += row + "\n";
    return text;
}

std::vector<std::string> problems_of_rows(const std::vector<std::string>& rows) {
    return problems(table_with(rows), {"Suite.Name"},
                    [](const std::string& file) { return file == "there.cpp"; });
}

TEST(Requirements, EveryRowIsThereAndTellsTheTruth) {
    const std::string table = testing::file_bytes(source_folder / "docs/requirements.md");
    ASSERT_FALSE(table.empty());
    for (const std::string& problem : problems(table, tests_of_the_project(), file_exists))
        ADD_FAILURE() << problem;
    EXPECT_NE(table.find(counts_of(table)), std::string::npos) << "the counts at the top should be\n"
                                                               << counts_of(table);
}

TEST(Requirements, StatesAreCountedByPart) {
    const std::string counts = counts_of(
        table_with({"| R0.1 | words | `there.cpp` | `Suite.Name` | done |",
                    "| R2.2 | words | – | `Suite.Name` | partly |", "| R2.3 | words | – | – | done |"}));
    EXPECT_EQ(counts, "| R0 | 1 | 0 | 49 |\n| R1 | 0 | 0 | 97 |\n| R2 | 1 | 1 | 66 |\n| R3 | 0 | 0 | 109 |\n"
                      "| R4 | 0 | 0 | 87 |\n| all | 2 | 1 | 408 |\n");
}

TEST(Requirements, GoodRowsPass) {
    EXPECT_EQ(problems_of_rows({"| R0.1 | words | `there.cpp` | `Suite.Name`, `there.cpp` | done |",
                                "| R0.2 | words | – | `Suite.Name` | partly |"}),
              std::vector<std::string>{});
}

TEST(Requirements, MissingDoubledAndUnknownRowsAreFound) {
    std::string table = table_with({});
    table.erase(table.find("| R1.97 |"), table.find("| R2.1 |") - table.find("| R1.97 |"));
    EXPECT_EQ(problems(table, {}, file_exists), std::vector<std::string>{"R1.97: has no row"});
    table = table_with({}) + "| R3.5 | again | – | – | planned |\n| R4.88 | new | – | – | planned |\n";
    EXPECT_EQ(problems(table, {}, file_exists),
              (std::vector<std::string>{"R3.5: has 2 rows", "R4.88: is not a requirement"}));
}

TEST(Requirements, RowsThatNameNothingAreFound) {
    EXPECT_EQ(
        problems_of_rows({"| R0.1 | words | `there.cpp` | – | done |", "| R0.2 | words | – | soon | partly |",
                          "| R0.3 | words | – | `Suite.Name` | done |"}),
        (std::vector<std::string>{"R0.1: is done but nothing shows it",
                                  "R0.2: is partly but nothing shows it",
                                  "R0.3: is done but does not say where"}));
}

TEST(Requirements, NamesOfWhatIsNotThereAreFound) {
    EXPECT_EQ(problems_of_rows({"| R0.1 | words | `gone.cpp` | `Suite.Name` | done |",
                                "| R0.2 | words | `there.cpp` | `Suite.Name`, `Suite.Other` | done |",
                                "| R0.3 | words | `there.cpp` | `scenes/gone.json` | done |"}),
              (std::vector<std::string>{"R0.1: file gone.cpp does not exist",
                                        "R0.2: test Suite.Other does not exist",
                                        "R0.3: file scenes/gone.json does not exist"}));
}

TEST(Requirements, MisshapenRowsAreFound) {
    EXPECT_EQ(problems_of_rows({"| R0.1 | words | – | planned |", "| R0.2 | | – | – | planned |",
                                "| R0.3 | words | – | `Suite.Name` | finished |"}),
              (std::vector<std::string>{"R0.1: has 4 cells, not 5", "R0.2: does not say what is required",
                                        "R0.3: state 'finished' is not done, partly or planned"}));
}

TEST(Requirements, TestsAreFoundInSourceFiles) {
    std::set<std::string> tests;
    find_tests("TEST(A, One) {}\n  TEST_F(B,\n       Two) {}\nTEST_P(C, Three) {}\nTYPED_TEST(D, Four) {}\n"
               "// TEST(E, Five) {}\nMY_TEST(F, Six)\nTEST_SUITE(G, Seven)\n",
               tests);
    EXPECT_EQ(tests, (std::set<std::string>{"A.One", "B.Two", "C.Three", "D.Four"}));
}

} // namespace
} // namespace scree
