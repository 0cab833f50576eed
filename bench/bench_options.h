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

[[noreturn]] void refuse_option(const std::string& option, const std::string& value,
                                const std::string& expected);

/// Every occurrence of the option, each a list with commas.
std::vector<std::string> option_list(const Arguments& given, const std::string& option);
/// The values of a list that are among `known`, each once and in the order of `known` for "all".
std::vector<std::string> choose_from(const Arguments& given, const std::string& option,
                                     const std::vector<std::string>& known);
/// A list of counts; 12000, 12e3 and 12k are the same.
std::vector<std::uint64_t> count_list(const Arguments& given, const std::string& option, std::uint64_t most);
/// --threads; default: 1 and all cores.
std::vector<int> thread_list(const Arguments& given);
/// An integer as int.
int int_option(const Arguments& given, const std::string& option, int least, int most, int otherwise);

/// A file that can be written later, or nothing.
std::string output_name(const Arguments& given, const std::string& option);
/// The file opened, before anything runs; nothing when it has no name.
std::unique_ptr<OutputFile> open_output(const std::string& option, const std::string& file);
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
