// SPDX-License-Identifier: MIT
// bench_options.h — what `scree bench granular` was asked to do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {
class Arguments;
}

namespace scree::bench {

struct BenchOptions {
    std::vector<std::string> cases;    ///< in the order given
    std::vector<std::uint64_t> bodies; ///< empty: the case's own
    std::vector<int> threads;          ///< of the CPU, and MPI ranks of the peers
    std::vector<std::string> devices;
    bool lammps = true, liggghts = true, bullet = true;
    int repeat = 3;
    int steps = 0; ///< timed steps; 0: the case's own
    std::string csv, svg;
};

struct BenchCase;

/// Throws Error whose where() is the option. Empty `cases` in the result: the help was asked for and printed.
BenchOptions parse_options(std::span<const std::string> arguments, std::span<const BenchCase> cases);

/// Every occurrence of the option, each a list with commas.
std::vector<std::string> option_list(const Arguments& given, const std::string& option);
/// A file that can be written later, or nothing.
std::string output_name(const Arguments& given, const std::string& option);
[[noreturn]] void refuse_option(const std::string& option, const std::string& value,
                                const std::string& expected);

} // namespace scree::bench
