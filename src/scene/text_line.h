// SPDX-License-Identifier: MIT
// text_line.h — reads a line of a script or of a log of commands word by word; errors give file and line.
#pragma once

#include "scree/error.h"
#include "scree/math.h"

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace scree {

struct TextLine {
    std::istringstream in;
    std::string place; ///< FILE:NUMBER

    [[noreturn]] void refuse(const std::string& what) const { throw Error(what, place); }
    std::string word(const char* what) {
        std::string text;
        if (!(in >> text)) refuse("expected " + std::string(what));
        return text;
    }
    float number() {
        const std::string text = word("a number");
        char* end = nullptr;
        const float value = std::strtof(text.c_str(), &end);
        if (end == text.c_str() || *end != 0 || !std::isfinite(value))
            refuse("invalid value \"" + text + "\": expected a number");
        return value;
    }
    double number(double least, double most) {
        const std::string text = word("a number");
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end != 0 || !(value >= least && value <= most))
            refuse("invalid value \"" + text + "\": expected a number from " +
                   std::to_string(static_cast<long long>(least)) + " to " +
                   std::to_string(static_cast<long long>(most)));
        return value;
    }
    std::uint64_t whole() {
        const std::string text = word("an integer");
        char* end = nullptr;
        errno = 0;
        const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
        if (end == text.c_str() || *end != 0 || text[0] == '-' || errno == ERANGE)
            refuse("invalid value \"" + text + "\": expected an integer");
        return value;
    }
    Vec3 vector() {
        const float x = number(), y = number(), z = number();
        return {x, y, z};
    }
    bool more() {
        in >> std::ws;
        return in.peek() != std::istringstream::traits_type::eof();
    }
    /// The rest of the line; may be empty.
    std::string rest() {
        std::string text;
        std::getline(in >> std::ws, text);
        return text;
    }
    std::string some_rest() {
        if (!more()) refuse("expected more");
        return rest();
    }
};

} // namespace scree
