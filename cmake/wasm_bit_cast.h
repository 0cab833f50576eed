// SPDX-License-Identifier: MIT
// wasm_bit_cast.h — std::bit_cast for the standard library of Emscripten 3.1.6, which has all of <bit> but this.
//
// Included before every file of the wasm build; a newer library's own wins.
#pragma once

#ifdef __cplusplus
#include <bit>
#include <type_traits>

#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
    requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>)
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
} // namespace std
#endif
#endif
