// SPDX-License-Identifier: MIT
// refused.h — what a call is refused with.
#pragma once

#include "scree/error.h"

#include <string>

namespace scree::test {

struct Refusal {
    std::string where = "nowhere: it was accepted", what;
};

/// Runs it and gives the Error it threw.
template <class Call>
Refusal refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return {error.where(), error.what()};
    }
    return {};
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace scree::test
