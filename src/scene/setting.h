// SPDX-License-Identifier: MIT
// setting.h — the settings of a kind as a table, by name: for scene files, the command line, the viewer's panel and reports.
#pragma once

#include "scene/fields.h"

#include <any>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace scree {

/// The value of a setting; for a choice, its index among the choices.
using SettingValue = std::variant<float, int, bool, Vec3, std::array<int, 3>>;

struct Setting {
    std::string_view name;
    Range range; ///< of numbers
    std::string_view unit, help;
    std::span<const std::string_view> choices; ///< empty unless the setting is a choice
    SettingValue (*get)(const std::any& content);
    void (*set)(std::any& content, const SettingValue& value);

    bool is_choice() const { return !choices.empty(); }
};

namespace detail {
template <class T>
struct ClassOf;
template <class Class, class Member>
struct ClassOf<Member Class::*> {
    using type = Class;
};
/// The stored type of a choice.
template <class T>
using Stored = std::conditional_t<std::is_enum_v<T>, int, T>;
} // namespace detail

/// A row for a member of the content, given by its path: setting<&Content::settings, &Settings::gravity>(…).
template <auto First, auto... Rest>
constexpr Setting setting(std::string_view name, Range range, std::string_view unit, std::string_view help,
                          std::span<const std::string_view> choices = {}) {
    using Content = typename detail::ClassOf<decltype(First)>::type;
    Setting row{name, range, unit, help, choices, nullptr, nullptr};
    row.get = [](const std::any& content) -> SettingValue {
        const auto& value = ((std::any_cast<Content>(&content)->*First).*....*Rest);
        return static_cast<detail::Stored<std::decay_t<decltype(value)>>>(value);
    };
    row.set = [](std::any& content, const SettingValue& given) {
        auto& value = ((std::any_cast<Content>(&content)->*First).*....*Rest);
        using Value = std::decay_t<decltype(value)>;
        value = static_cast<Value>(std::get<detail::Stored<Value>>(given));
    };
    return row;
}

/// Null for an unknown name.
const Setting* find_setting(std::span<const Setting> table, std::string_view name);
/// Throws Error with similar names for an unknown name.
const Setting& known_setting(std::span<const Setting> table, const std::string& name,
                             const std::string& where);
/// Reads a value of the setting's type, which is that of `now`. Throws Error if it is invalid.
SettingValue read_value(const Setting& setting, const SettingValue& now, const Field& field);
/// As in a scene file: `200`, `"sor"`, `[0, -9.81, 0]`.
std::string value_text(const Setting& setting, const SettingValue& value);
/// Sets the settings given in the object.
void read_settings(std::span<const Setting> table, std::any& content, const Fields& fields);

/// Text of the command line as a JSON value without a line: `200`, `true`, `[0,-9.81,0]` and `"improved"` as in
/// a file; besides, `0,-9.81,0` is a list and any other text a string.
json::Value from_command_line(const std::string& text);
/// The shortest decimal that reads back as the same float.
std::string decimal(float number);
std::string decimal(Vec3 vector); ///< `[0, -9.81, 0]`

/// For std::visit: one lambda for each alternative.
template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace scree
