// SPDX-License-Identifier: MIT
// fields.h — reads JSON values with checks: each reader returns a valid value or throws Error with file, line, path, value
// and what was expected.
#pragma once

#include "scene/format.h"
#include "scree/math.h"
#include "text/json.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scree {

/// The valid numbers. `above` excludes `least` itself, `below` excludes `most`.
struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool above = false, below = false;

    bool holds(double number) const {
        return (above ? number > least : number >= least) && (below ? number < most : number <= most);
    }
    std::string words() const; ///< " greater than 0", " from 1 to 10", " of at least 0" or nothing
};
constexpr Range any_number{};
constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
constexpr Range not_negative{0};

/// A value and where it stands.
class Field {
public:
    Field(const json::Value& value, const std::string& file, std::string path)
        : value_(&value), file_(&file), path_(std::move(path)) {}

    const json::Value& value() const { return *value_; }
    const std::string& path() const { return path_; }
    const std::string& file() const { return *file_; }

    std::string where() const; ///< file:line: path
    /// Throws: `invalid value <value>: expected <expected>`.
    [[noreturn]] void refuse(const std::string& expected) const;
    /// Throws with a message of the caller's.
    [[noreturn]] void fail(const std::string& message) const;

    float number(const Range& range = any_number) const; ///< fits into float
    double number64(const Range& range = any_number) const;
    std::int64_t integer(std::int64_t least, std::int64_t most) const;
    bool flag() const;
    std::string text() const;
    Vec3 vector(const Range& each = any_number) const;
    /// [s, x, y, z] of length 1 within 1e-3, or {"axis": [...], "degrees": ...}
    Quat rotation() const;
    /// Index of the string among `names`.
    std::size_t choice(std::span<const std::string_view> names) const;

    std::size_t size() const { return value_->items.size(); } ///< of a list
    /// The elements of a list; refuses other kinds and lists shorter than `least` or longer than `most`.
    std::size_t list(std::size_t least = 0, std::size_t most = std::numeric_limits<std::size_t>::max()) const;
    Field operator[](std::size_t index) const;

private:
    const json::Value* value_;
    const std::string* file_;
    std::string path_;
};

/// An object whose keys have been checked against its format.
class Fields {
public:
    Fields(const Field& field, const format::Object& format);

    const Field& field() const { return field_; }
    bool has(std::string_view key) const { return find(key).has_value(); }
    std::optional<Field> find(std::string_view key) const; ///< the key must belong to the format
    Field at(std::string_view key) const; ///< only for required keys and those that has() found

    float number(std::string_view key, float otherwise, const Range& range = any_number) const;
    std::int64_t integer(std::string_view key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const;
    Vec3 vector(std::string_view key, Vec3 otherwise, const Range& each = any_number) const;
    /// Calls with each element of the list, if it is there.
    template <class Call>
    void each(std::string_view key, Call call) const {
        if (const auto elements = find(key))
            for (std::size_t i = 0; i < elements->list(); ++i) call((*elements)[i]);
    }
    /// The only key of the object apart from those of `apart`; refuses none and several.
    Field only_one(std::initializer_list<std::string_view> apart = {}) const;
    std::string_view key_of(const Field& member) const; ///< of a field that only_one returned

private:
    Field field_;
    const format::Object* format_;
};

/// `%.9g`: enough for a float, short for a round number.
std::string shown(double number);

} // namespace scree
