// SPDX-License-Identifier: MIT
// impact_table.h — rows of the detector's benchmark, printed and as CSV, and the time of the processor.
#pragma once

#include "scree/place.h"

#include <cstdio>
#include <ctime>
#include <string>

namespace scree::bench {

/// Time of the processor: other programs do not count.
class Clock {
public:
    double seconds() const { return static_cast<double>(std::clock() - from_) / CLOCKS_PER_SEC; }

private:
    std::clock_t from_ = std::clock();
};

class Table {
public:
    explicit Table(std::string& csv) : csv_(csv) {}
    template <class... Values>
    void row(const char* name, const char* format, const Values&... values) {
        std::printf("%-22s ", name);
        std::printf(format, values...);
        std::printf("\n");
        std::fflush(stdout);
        csv_ += name;
        ((csv_ += ',' + text(values)), ...);
        csv_ += '\n';
    }

private:
    static std::string text(double value) {
        char number[32];
        std::snprintf(number, sizeof number, "%.6g", value);
        return number;
    }
    static std::string text(const char* value) { return value; }
    std::string& csv_;
};

inline Place one_thread() { return Place({.device = "cpu", .threads = 1}); }

} // namespace scree::bench
