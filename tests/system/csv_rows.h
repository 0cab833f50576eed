// SPDX-License-Identifier: MIT
// csv_rows.h — the rows of a CSV file that the program wrote, by the names in its first line; and those of benchmarks.
#pragma once

#include "support/temporary_folder.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace scree::testing {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<CsvRow> rows_of(const std::string& file) {
    std::istringstream lines(file_bytes(file));
    std::string line, name, value;
    std::getline(lines, line);
    std::vector<std::string> names;
    for (std::istringstream words(line); std::getline(words, name, ',');) names.push_back(name);
    std::vector<CsvRow> rows;
    while (std::getline(lines, line)) {
        rows.emplace_back();
        std::istringstream words(line);
        for (const std::string& each : names)
            if (std::getline(words, value, ',')) rows.back()[each] = value;
    }
    return rows;
}

/// The rows of a benchmark that must succeed; each names its commit and its day.
inline std::vector<CsvRow> bench_rows(std::vector<std::string> arguments) {
    const TemporaryFolder folder;
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--csv", folder.file("rows.csv")});
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 0) << result;
    const std::vector<CsvRow> rows = rows_of(folder.file("rows.csv"));
    for (CsvRow row : rows) {
        EXPECT_FALSE(row["commit"].empty()) << result;
        EXPECT_TRUE(std::regex_match(row["date"], std::regex("20\\d\\d-\\d\\d-\\d\\d"))) << row["date"];
    }
    return rows;
}

/// Bad input of a benchmark: exit code 2 and a complaint that holds `part`.
inline void expect_bench_refuses(std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.begin(), "bench");
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained(part)) << part << "\n" << result;
}

} // namespace scree::testing
