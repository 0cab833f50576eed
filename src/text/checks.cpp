// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h.
#include "text/checks.h"

#include "scree/error.h"
#include "text/number_text.h"

#include <cmath>
#include <string>

namespace scree {
namespace {

template <class Check>
void each_axis(const Vec3& v, std::string_view where, Check check) {
    check(v.x, std::string(where) + ".x");
    check(v.y, std::string(where) + ".y");
    check(v.z, std::string(where) + ".z");
}

} // namespace

void refuse(double value, std::string_view where, std::string_view expected) {
    throw Error("invalid value " + number_text(value) + ": expected " + std::string(expected),
                std::string(where));
}

void check_finite(float value, std::string_view where) {
    if (!std::isfinite(value)) refuse(value, where, "a finite number");
}
void check_finite(const Vec3& v, std::string_view where) {
    if (is_finite(v)) return;
    each_axis(v, where, [](float value, std::string_view axis) { check_finite(value, axis); });
}
void check_finite(const DVec3& v, std::string_view where) { check_finite(narrow(v), where); }
void check_not_negative(float value, std::string_view where) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(value, where, "a number of at least 0");
}
void check_positive(float value, std::string_view where) {
    if (!(value > 0) || !std::isfinite(value)) refuse(value, where, "a number greater than 0");
}
void check_positive(const Vec3& v, std::string_view where) {
    if (is_finite(v) && v.x > 0 && v.y > 0 && v.z > 0) return;
    each_axis(v, where, [](float value, std::string_view axis) { check_positive(value, axis); });
}
void check_within(double value, double low, double high, std::string_view where, std::string_view expected) {
    if (!(value >= low && value <= high)) refuse(value, where, expected);
}

Quat unit_rotation(const Quat& q, std::string_view where) {
    const double length =
        std::sqrt(double{q.s} * q.s + double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z);
    if (!(std::abs(length - 1) < 1e-3)) refuse(length, where, "length 1");
    return std::abs(length - 1) < 1e-7 ? q : narrow(normalized(wide(q)));
}

} // namespace scree
