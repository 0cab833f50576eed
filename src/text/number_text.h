// SPDX-License-Identifier: MIT
// number_text.h — numbers as messages show them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace scree {

inline std::string number_text(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", v);
    std::string out = text;
    std::replace(out.begin(), out.end(), ',', '.'); // some locales write 0,5
    return out;
}

} // namespace scree
