// SPDX-License-Identifier: MIT
// error.h — the one exception type: what is wrong, and where.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace scree {

/// Thrown for an invalid definition, file or option, before anything changes.
/// `what()` is the whole message; `where()` is only the place: a file and line, a field, an option.
class Error : public std::runtime_error {
public:
    Error(const std::string& what, std::string where)
        : std::runtime_error(where.empty() ? what : where + ": " + what), where_(std::move(where)) {}
    explicit Error(const std::string& what) : std::runtime_error(what) {}

    const std::string& where() const noexcept { return where_; }

private:
    std::string where_;
};

} // namespace scree
