// SPDX-License-Identifier: MIT
// kept.h — copies of the fields that a simulation carries from step to step. A simulation lists them once, as a tuple of
// references; a copy is a tuple of values.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

namespace scree {

template <class References>
struct ValuesOf;
template <class... Fields>
struct ValuesOf<std::tuple<Fields&...>> {
    using type = std::tuple<Fields...>;
};

/// Assigns each field. An array that must grow gets the room of the other, so that repeated copies seldom allocate.
template <class To, class From>
void copy_fields(To&& to, const From& from) {
    const auto copy = [](auto& a, const auto& b) {
        if constexpr (requires { a.reserve(b.capacity()); })
            if (a.capacity() < b.size()) a.reserve(b.capacity());
        a = b;
    };
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        (copy(std::get<n>(to), std::get<n>(from)), ...);
    }(std::make_index_sequence<std::tuple_size_v<From>>{});
}

} // namespace scree
