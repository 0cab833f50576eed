// SPDX-License-Identifier: MIT
// settings.h — the fields of GranularSettings by name, for scene files, the command line and print-outs.
#pragma once

#include "scene/fields.h"
#include "scree/granular.h"

#include <span>
#include <string_view>
#include <variant>

namespace scree {

/// One field: where it lives, what it may be. The comment of the field in granular.h says what it means.
struct Setting {
    using Member = std::variant<float GranularSettings::*, int GranularSettings::*, bool GranularSettings::*,
                                Vec3 GranularSettings::*, GranularMode GranularSettings::*,
                                ContactModel GranularSettings::*, Decomposition GranularSettings::*>;
    std::string_view name;
    Member member;
    Range range = any_number; ///< of numbers
};

/// In the order of GranularSettings.
std::span<const Setting> settings_table();
/// The words of a setting that is a choice; empty for others.
std::span<const std::string_view> choices(const Setting& setting);

/// Reads the value of one setting; throws Error when it is not acceptable.
void read_setting(GranularSettings& settings, const Setting& setting, const Field& field);
/// Null when there is none of that name.
const Setting* find_setting(std::string_view name);

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
