// SPDX-License-Identifier: MIT
// text.cpp — see text.h.

#include "text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace scree {

void add_text(std::string& text, const char* format, ...) {
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    text += piece;
}

std::string short_number(double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", number);
    return text;
}

std::string exact_number(double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1000) return count_of(bytes, "byte", "bytes");
    constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
    double size = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; size >= 999.5 && unit < 3; ++unit) size /= 1000;
    char text[40];
    std::snprintf(text, sizeof text, "%.3g %s", size, units[unit]);
    return text;
}

std::size_t width_of(std::string_view text) {
    // bytes that continue a character take no room
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
    const std::size_t used = width_of(text);
    return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string printable(std::string_view text, std::size_t longest) {
    std::string result;
    for (const char c : text.substr(0, longest))
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return text.size() > longest ? result + "…" : result;
}

void print_line(const char* label, const std::string& text) {
    std::printf("%-10s %s\n", label, printable(text, 10'000).c_str());
}

} // namespace scree
