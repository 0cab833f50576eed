// SPDX-License-Identifier: MIT
// words.cpp — see words.h.
#include "text/words.h"

#include <cstdio>

namespace scree {

std::string hash_text(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

std::string count_of(std::uint64_t count, std::string_view one, std::string_view many) {
    return count_text(count) + " " + std::string(count == 1 ? one : many);
}

} // namespace scree
