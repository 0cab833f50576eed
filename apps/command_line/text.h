// SPDX-License-Identifier: MIT
// text.h — numbers and words as the program prints them.
#pragma once

#include "text/words.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

/// Three or four digits that matter.
std::string short_number(double number);
/// All digits that matter: reads back as the same double.
std::string exact_number(double number);
/// printf to the end of `text`, at most 511 characters.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void add_text(std::string& text, const char* format, ...);
std::string bytes_text(std::uint64_t bytes);
/// Padded with spaces on the right to `width` characters (UTF-8 aware).
std::string padded(std::string_view text, std::size_t width);
std::size_t width_of(std::string_view text);
/// Foreign text made safe for one line of a terminal.
std::string printable(std::string_view text, std::size_t longest = 200);
/// A line of a summary; `text` may be foreign.
void print_line(const char* label, const std::string& text);

} // namespace scree
