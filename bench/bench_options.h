// SPDX-License-Identifier: MIT
// bench_options.h — options that several benchmarks read alike. Each throws Error whose where() is the option.
#pragma once

#include "options.h"
#include "output_file.h"
#include "scree/world.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bench {

// options that mean the same everywhere
inline constexpr std::string_view threads_option =
                                      "--threads LIST      CPU threads; default: 1 and all cores",
                                  csv_option = "--csv FILE          write every result",
                                  markdown_option = "--markdown FILE     write the tables";

/// Every occurrence of the option, each a list with commas.
std::vector<std::string> option_list(const Arguments& given, const std::string& option);
/// The values of a list that are among `known`, each once and in the order of `known` for "all".
std::vector<std::string> choose_from(const Arguments& given, const std::string& option,
                                     const std::vector<std::string>& known);
/// A list of counts; 12000, 12e3 and 12k are the same.
std::vector<std::uint64_t> count_list(const Arguments& given, const std::string& option, std::uint64_t most);
/// --threads; default: 1 and all cores.
std::vector<int> thread_list(const Arguments& given);
/// One for each device, of the CPU one for each number of threads.
std::vector<Place> places_of(const std::vector<std::string>& devices, const std::vector<int>& threads);
/// An integer.
template <class T>
T whole_option(const Arguments& given, const char* option, std::uint64_t least, std::uint64_t most,
               T otherwise) {
    const auto value = given.whole(option, least, most);
    return value ? static_cast<T>(*value) : otherwise;
}

/// A file that can be written later, or nothing.
std::string output_name(const Arguments& given, const std::string& option);
/// The file opened, before anything runs; nothing without the option.
std::unique_ptr<OutputFile> open_output(const Arguments& given, const std::string& option);
/// Ends the file, if there is one, with `text` and the columns commit (of the build) and date (of today), and says so.
void finish_csv(const std::unique_ptr<OutputFile>& csv, const std::string& text);
std::string with_commit(const std::string& csv);
/// A folder that is there, or nothing.
std::string folder_name(const Arguments& given, const std::string& option);

Solver solver_option(const Arguments& given, Solver otherwise);
/// As BroadPhase numbers them.
inline constexpr std::string_view broad_phase_names[] = {"tree", "grid", "brute"};
/// Nothing when --broad-phase is left out.
std::optional<BroadPhase> broad_phase_option(const Arguments& given);

/// Why there is no GPU; nothing when there is one.
std::optional<std::string> missing_gpu();

} // namespace scree::bench
