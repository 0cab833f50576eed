// SPDX-License-Identifier: MIT
// fields.cpp — see fields.h.
#include "scene/fields.h"

#include "scene/rotation.h"
#include "scree/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

namespace scree {

std::string shown(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

std::string Range::words() const {
    bool low = std::isfinite(least), high = std::isfinite(most);
    if (low && above)
        return " greater than " + shown(least) +
               (high ? (below ? " and less than " : " and at most ") + shown(most) : "");
    if (low && high) return " from " + shown(least) + " to " + shown(most);
    if (low) return " of at least " + shown(least);
    return high ? " of at most " + shown(most) : "";
}

std::string Field::where() const {
    std::string place = value_->line > 0 ? *file_ + ":" + std::to_string(value_->line) : *file_;
    return path_.empty() ? place : place + ": " + path_;
}

void Field::refuse(const std::string& expected) const {
    throw Error("invalid value " + value_->shown() + ": expected " + expected, where());
}

void Field::fail(const std::string& message) const { throw Error(message, where()); }

double Field::number64(const Range& range) const {
    if (value_->kind != json::Kind::number || !range.holds(value_->number))
        refuse("a number" + range.words());
    return value_->number;
}

float Field::number(const Range& range) const {
    double wide = number64(range);
    if (std::fabs(wide) > static_cast<double>(std::numeric_limits<float>::max()))
        refuse("a number that fits into single precision");
    float narrow = static_cast<float>(wide);
    if (!range.holds(static_cast<double>(narrow)))
        refuse("a number" + range.words() + " in single precision");
    return narrow;
}

std::int64_t Field::integer(std::int64_t least, std::int64_t most) const {
    double number = value_->number;
    bool whole = value_->kind == json::Kind::number && number == std::floor(number);
    if (!whole || number < static_cast<double>(least) || number > static_cast<double>(most))
        refuse("an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return static_cast<std::int64_t>(number);
}

bool Field::flag() const {
    if (value_->kind != json::Kind::boolean) refuse("true or false");
    return value_->boolean;
}

std::string Field::text() const {
    if (value_->kind != json::Kind::string || value_->text.empty()) refuse("a string that is not empty");
    return value_->text;
}

std::size_t Field::list(std::size_t least, std::size_t most) const {
    bool any = most == std::numeric_limits<std::size_t>::max();
    std::string expected = "a list";
    if (least == most) expected += " of " + std::to_string(least);
    else if (least > 0 || !any)
        expected +=
            " of at least " + std::to_string(least) + (any ? "" : " and at most " + std::to_string(most));
    if (value_->kind != json::Kind::array || size() < least || size() > most) refuse(expected);
    return size();
}

Field Field::operator[](std::size_t index) const {
    return Field(value_->items[index], *file_, json::path_of(path_, index));
}

Vec3 Field::vector(const Range& each) const {
    if (value_->kind != json::Kind::array || size() != 3) refuse("a list of 3 numbers");
    return {(*this)[0].number(each), (*this)[1].number(each), (*this)[2].number(each)};
}

Quat Field::rotation() const {
    if (value_->kind == json::Kind::object) {
        Fields turn(*this, format::axis_rotation);
        Field axis = turn.at("axis");
        axis.vector();
        double x = axis[0].number64(), y = axis[1].number64(), z = axis[2].number64();
        if (std::optional<Quat> rotation = rotation_by_degrees({x, y, z}, turn.at("degrees").number64()))
            return *rotation;
        axis.refuse("an axis longer than 0");
    }
    if (value_->kind != json::Kind::array || size() != 4)
        refuse("a unit quaternion [s, x, y, z] or an object with \"axis\" and \"degrees\"");
    double q[4], square = 0; // s x y z
    for (std::size_t i = 0; i < 4; ++i) {
        q[i] = (*this)[i].number64();
        square += q[i] * q[i];
    }
    double length = std::sqrt(square);
    if (!(std::fabs(length - 1) <= 1e-3))
        fail("invalid quaternion of length " + shown(length) + ": expected a length of 1 within 0.001");
    return narrow(normalized(DQuat{.x = q[1], .y = q[2], .z = q[3], .s = q[0]}));
}

std::size_t Field::choice(std::span<const std::string_view> names) const {
    std::vector<std::string> known(names.begin(), names.end());
    if (value_->kind == json::Kind::string)
        for (std::size_t i = 0; i < known.size(); ++i)
            if (value_->text == known[i]) return i;
    std::string expected;
    for (std::size_t i = 0; i < known.size(); ++i)
        expected += (i == 0 ? "" : i + 1 < known.size() ? ", " : " or ") + json::quoted(known[i]);
    if (value_->kind == json::Kind::string) expected += format::suggestion(value_->text, known);
    refuse(expected);
}

Fields::Fields(const Field& field, const format::Object& format) : field_(field), format_(&format) {
    const json::Value& value = field.value();
    if (value.kind != json::Kind::object) field.refuse("an object");
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
        if (format.knows(value.keys[i])) continue;
        std::vector<std::string> known;
        for (const format::Key& key : format.keys) known.emplace_back(key.name);
        std::string advice = format::suggestion(value.keys[i], known);
        if (advice.empty()) {
            advice = "; expected one of";
            for (std::size_t k = 0; k < known.size(); ++k) advice += (k == 0 ? " " : ", ") + known[k];
        }
        Field stranger(value.items[i], field.file(), json::path_of(field.path(), value.keys[i]));
        stranger.fail("this key is not known" + advice);
    }
    for (const format::Key& key : format.keys)
        if (key.required && !value.find(key.name))
            field.fail("the key " + json::quoted(key.name) + " is missing");
}

std::optional<Field> Fields::find(std::string_view key) const {
    assert(format_->knows(key));
    const json::Value* found = field_.value().find(key);
    if (!found) return std::nullopt;
    return Field(*found, field_.file(), json::path_of(field_.path(), key));
}

Field Fields::at(std::string_view key) const {
    std::optional<Field> found = find(key);
    if (!found) field_.fail("the key " + json::quoted(key) + " is missing");
    return *found;
}

float Fields::number(std::string_view key, float otherwise, const Range& range) const {
    std::optional<Field> found = find(key);
    return found ? found->number(range) : otherwise;
}

std::int64_t Fields::integer(std::string_view key, std::int64_t otherwise, std::int64_t least,
                             std::int64_t most) const {
    std::optional<Field> found = find(key);
    return found ? found->integer(least, most) : otherwise;
}

Vec3 Fields::vector(std::string_view key, Vec3 otherwise, const Range& each) const {
    std::optional<Field> found = find(key);
    return found ? found->vector(each) : otherwise;
}

Field Fields::only_one(std::initializer_list<std::string_view> apart) const {
    std::optional<Field> one;
    std::string names;
    for (const format::Key& key : format_->keys) {
        if (std::find(apart.begin(), apart.end(), key.name) != apart.end()) continue;
        names += (names.empty() ? "" : ", ") + std::string(key.name);
        std::optional<Field> found = find(key.name);
        if (!found) continue;
        if (one) found->fail("expected only one of " + names);
        one = found;
    }
    if (!one) field_.fail("expected one of " + names);
    return *one;
}

std::string_view Fields::key_of(const Field& member) const {
    for (std::size_t i = 0; i < field_.value().keys.size(); ++i)
        if (&field_.value().items[i] == &member.value()) return field_.value().keys[i];
    return {};
}

} // namespace scree
