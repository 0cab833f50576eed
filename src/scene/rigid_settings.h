// SPDX-License-Identifier: MIT
// rigid_settings.h — the fields of WorldSettings by name, for scene files, the command line and print-outs. Device,
// threads and lanes belong to the machine, not to a scene.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace scree {

/// One field: where it lives, what it may be. The comment of the field in world.h says what it means.
struct RigidSetting {
    using Member = std::variant<float WorldSettings::*, int WorldSettings::*, bool WorldSettings::*,
                                Vec3 WorldSettings::*, Solver WorldSettings::*, BroadPhase WorldSettings::*,
                                std::array<int, 3> WorldSettings::*, float RigidScene::*>;
    std::string_view name;
    Member member;
    Range range = any_number; ///< of numbers
};

/// The time step, then in the order of WorldSettings.
std::span<const RigidSetting> rigid_settings_table();
/// The words of a setting that is a choice; empty for others.
std::span<const std::string_view> choices(const RigidSetting& setting);

/// Reads the value of one setting; throws Error when it is not acceptable.
void read_setting(RigidScene& scene, const RigidSetting& setting, const Field& field);
/// As apply_setting and setting_value of scree/scene.h.
void apply_rigid_setting(RigidScene& scene, const std::string& key, const std::string& value,
                         const std::string& where);
std::string rigid_setting_value(const RigidScene& scene, const std::string& name);

} // namespace scree
