// SPDX-License-Identifier: MIT
// checks.h — checks of numbers that a caller gave: each throws Error, whose where() names the field and what() the value.
#pragma once

#include "scree/math.h"

#include <string_view>

namespace scree {

[[noreturn]] void refuse(double value, std::string_view where, std::string_view expected);

void check_finite(float value, std::string_view where);
void check_finite(const Vec3& value, std::string_view where);
/// As floats too.
void check_finite(const DVec3& value, std::string_view where);
void check_not_negative(float value, std::string_view where);
void check_positive(float value, std::string_view where);
void check_positive(const Vec3& value, std::string_view where);
void check_within(double value, double low, double high, std::string_view where, std::string_view expected);
/// Normalizes a quaternion whose length is within 0.001 of 1; refuses others.
Quat unit_rotation(const Quat& rotation, std::string_view where);

template <class Choice>
void check_one_of(Choice value, Choice last, std::string_view where, std::string_view expected) {
    check_within(static_cast<int>(value), 0, static_cast<int>(last), where, expected);
}

} // namespace scree
