// SPDX-License-Identifier: MIT
// partial_file.cpp — see partial_file.h.

#include "text/partial_file.h"

#include <cerrno>

namespace scree {

PartialFile open_partial(const std::string& file) {
    constexpr int most_tries = 100;
    PartialFile partial;
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        partial.name = file + ".partial" + (attempt ? std::to_string(attempt) : std::string());
        errno = 0;
        partial.out = std::fopen(partial.name.c_str(), "wbx");
        if (partial.out || errno != EEXIST) break;
    }
    if (!partial.out) partial.name.clear();
    return partial;
}

} // namespace scree
