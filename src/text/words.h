// SPDX-License-Identifier: MIT
// words.h — hashes and counts in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

/// 16 hexadecimal digits, as in the scenes' expectations.
std::string hash_text(std::uint64_t hash);
/// 1234567 as 1,234,567.
std::string count_text(std::uint64_t count);
/// "1 body", "2 bodies".
std::string count_of(std::uint64_t count, std::string_view one, std::string_view many);

} // namespace scree
