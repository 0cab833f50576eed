// SPDX-License-Identifier: MIT
// csv_rows.h — the rows of a CSV file that the program wrote, by the names in its first line.
#pragma once

#include "support/temporary_folder.h"

#include <map>
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

} // namespace scree::testing
