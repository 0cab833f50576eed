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

} // namespace scree
