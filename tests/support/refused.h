// SPDX-License-Identifier: MIT
// refused.h — the Error that a call throws.
#pragma once

#include "scree/error.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace scree::test {

struct Refusal {
    std::string where = "no error", what = "no error";
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

/// Where the Error that `call` throws says it is; "no error" when it throws none.
template <class Call>
std::string error_place(const Call& call) {
    return refusal(call).where;
}
/// The whole message of the Error that `call` throws; "no error" when it throws none.
template <class Call>
std::string error_message(const Call& call) {
    return refusal(call).what;
}

/// How to make a definition unacceptable, and the field that is named then.
template <class Definition>
struct Bad {
    std::string where;
    std::function<void(Definition&)> spoil;
};
template <class Definition, class T>
void add_bad(std::vector<Bad<Definition>>& list, const char* where, T Definition::* member,
             std::initializer_list<T> values) {
    for (const T& value : values) list.push_back({where, [=](Definition& d) { d.*member = value; }});
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace scree::test
