// SPDX-License-Identifier: MIT
// blanks.h — what stands between the tokens of map and MD5 files: blanks, line ends and comments from // to the end of the line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scree {

inline bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

/// Moves `at` to the next token or the end of the text; counts lines and keeps where the last one begins.
inline void skip_blanks(std::string_view text, std::size_t& at, std::uint32_t& line,
                        std::size_t& line_start) {
    while (at < text.size()) {
        if (text[at] == '\n') {
            ++line;
            line_start = ++at;
        } else if (is_blank(text[at])) {
            ++at;
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else {
            return;
        }
    }
}

} // namespace scree
