// SPDX-License-Identifier: MIT
// setting.cpp — see setting.h.
#include "scene/setting.h"

#include "scree/error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

namespace scree {
namespace {

std::optional<json::Value> as_json(const std::string& text) {
    try {
        return json::parse(text, "");
    } catch (const Error&) {
        return std::nullopt;
    }
}

json::Value from_text(const std::string& text) {
    if (std::optional<json::Value> value = as_json(text)) return *value;
    std::optional<json::Value> list = as_json("[" + text + "]");
    if (list && list->items.size() > 1) return *list;
    json::Value word;
    word.kind = json::Kind::string;
    word.text = text;
    return word;
}

/// Line 0 keeps the line number out of messages.
void forget_lines(json::Value& value) {
    value.line = 0;
    for (json::Value& item : value.items) forget_lines(item);
}

int whole(const Field& field, const Range& range) {
    return static_cast<int>(
        field.integer(static_cast<std::int64_t>(range.least), static_cast<std::int64_t>(range.most)));
}

} // namespace

json::Value from_command_line(const std::string& text) {
    json::Value value = from_text(text);
    forget_lines(value);
    return value;
}

std::string decimal(float number) {
    char text[32];
    for (int digits = 6; digits <= 9; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
        if (std::strtof(text, nullptr) == number) break;
    }
    return text;
}

std::string decimal(Vec3 v) { return "[" + decimal(v.x) + ", " + decimal(v.y) + ", " + decimal(v.z) + "]"; }

const Setting* find_setting(std::span<const Setting> table, std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Setting& s) { return s.name == name; });
    return found == table.end() ? nullptr : &*found;
}

const Setting& known_setting(std::span<const Setting> table, const std::string& name,
                             const std::string& where) {
    if (const Setting* found = find_setting(table, name)) return *found;
    std::vector<std::string> names;
    for (const Setting& setting : table) names.emplace_back(setting.name);
    throw Error("the setting " + json::quoted(name) + " is not known" + format::suggestion(name, names),
                where);
}

SettingValue read_value(const Setting& setting, const SettingValue& now, const Field& field) {
    if (setting.is_choice()) return static_cast<int>(field.choice(setting.choices));
    return std::visit(Overloaded{
                          [&](float) -> SettingValue { return field.number(setting.range); },
                          [&](int) -> SettingValue { return whole(field, setting.range); },
                          [&](bool) -> SettingValue { return field.flag(); },
                          [&](Vec3) -> SettingValue { return field.vector(); },
                          [&](const std::array<int, 3>&) -> SettingValue {
                              if (field.value().kind != json::Kind::array || field.size() != 3)
                                  field.refuse("a list of 3 integers");
                              return std::array<int, 3>{whole(field[0], setting.range),
                                                        whole(field[1], setting.range),
                                                        whole(field[2], setting.range)};
                          },
                      },
                      now);
}

std::string value_text(const Setting& setting, const SettingValue& value) {
    if (setting.is_choice())
        return json::quoted(setting.choices[static_cast<std::size_t>(std::get<int>(value))]);
    return std::visit(Overloaded{
                          [](float number) { return decimal(number); },
                          [](int number) { return std::to_string(number); },
                          [](bool flag) { return std::string(flag ? "true" : "false"); },
                          [](Vec3 vector) { return decimal(vector); },
                          [](const std::array<int, 3>& v) {
                              return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " +
                                     std::to_string(v[2]) + "]";
                          },
                      },
                      value);
}

void read_settings(std::span<const Setting> table, std::any& content, const Fields& fields) {
    for (const Setting& setting : table)
        if (const auto field = fields.find(setting.name))
            setting.set(content, read_value(setting, setting.get(content), *field));
}

} // namespace scree
