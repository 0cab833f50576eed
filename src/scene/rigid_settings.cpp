// SPDX-License-Identifier: MIT
// rigid_settings.cpp — one table row for each field of WorldSettings that a scene may set; see rigid_settings.h.
#include "scene/rigid_settings.h"

#include "scene/settings.h"

#include <algorithm>
#include <iterator>

namespace scree {
namespace {

using S = WorldSettings;
using Bits = std::array<int, 3>;

// as the world's own check, which a test compares
constexpr Range substeps{1, 1000}, iterations{1, 100'000}, omega{0, 2, true, true}, share{0, 1}, bits{1, 16};

const RigidSetting table[] = {
    {"time_step", &RigidScene::time_step, positive},
    {"gravity", &S::gravity},
    {"solver", &S::solver},
    {"broad_phase", &S::broad_phase},
    {"substeps", &S::substeps, substeps},
    {"contact_hertz", &S::contact_hertz, not_negative},
    {"contact_damping", &S::contact_damping, not_negative},
    {"push_speed", &S::push_speed, not_negative},
    {"joint_hertz", &S::joint_hertz, positive},
    {"joint_damping", &S::joint_damping, not_negative},
    {"slop", &S::slop, not_negative},
    {"speculative_distance", &S::speculative_distance, not_negative},
    {"restitution_threshold", &S::restitution_threshold, not_negative},
    {"recycling", &S::recycling},
    {"warm_starting", &S::warm_starting},
    {"sleeping", &S::sleeping},
    {"sleep_speed", &S::sleep_speed, not_negative},
    {"sleep_delay", &S::sleep_delay, not_negative},
    {"sor_iterations", &S::sor_iterations, iterations},
    {"sor_omega", &S::sor_omega, omega},
    {"sor_cfm", &S::sor_cfm, not_negative},
    {"sor_erp", &S::sor_erp, share},
    {"grid_cell", &S::grid_cell, not_negative},
    {"grid_origin", &S::grid_origin},
    {"grid_bits", &S::grid_bits, bits},
};

constexpr std::string_view solvers[] = {"soft_step", "sor"};
constexpr std::string_view broad_phases[] = {"tree", "grid", "brute"};

int whole(const Field& field, const Range& range) {
    return static_cast<int>(
        field.integer(static_cast<std::int64_t>(range.least), static_cast<std::int64_t>(range.most)));
}

const RigidSetting* find_rigid_setting(std::string_view name) {
    auto found = std::find_if(std::begin(table), std::end(table),
                              [&](const RigidSetting& s) { return s.name == name; });
    return found == std::end(table) ? nullptr : found;
}

} // namespace

std::span<const RigidSetting> rigid_settings_table() { return table; }

std::span<const std::string_view> choices(const RigidSetting& setting) {
    if (std::holds_alternative<Solver S::*>(setting.member)) return solvers;
    if (std::holds_alternative<BroadPhase S::*>(setting.member)) return broad_phases;
    return {};
}

void read_setting(RigidScene& scene, const RigidSetting& setting, const Field& field) {
    S& settings = scene.settings;
    std::visit(Overloaded{
                   [&](float S::* member) { settings.*member = field.number(setting.range); },
                   [&](int S::* member) { settings.*member = whole(field, setting.range); },
                   [&](bool S::* member) { settings.*member = field.flag(); },
                   [&](Vec3 S::* member) { settings.*member = field.vector(); },
                   [&](Solver S::* member) { settings.*member = static_cast<Solver>(field.choice(solvers)); },
                   [&](BroadPhase S::* member) {
                       settings.*member = static_cast<BroadPhase>(field.choice(broad_phases));
                   },
                   [&](Bits S::* member) {
                       if (field.value().kind != json::Kind::array || field.size() != 3)
                           field.refuse("a list of 3 whole numbers");
                       for (std::size_t i = 0; i < 3; ++i)
                           (settings.*member)[i] = whole(field[i], setting.range);
                   },
                   [&](float RigidScene::* member) { scene.*member = field.number(setting.range); },
               },
               setting.member);
}

void apply_rigid_setting(RigidScene& scene, const std::string& key, const std::string& value,
                         const std::string& where) {
    const RigidSetting* setting = find_rigid_setting(key);
    if (!setting)
        throw Error("the setting " + json::quoted(key) + " is not known" +
                        format::suggestion(key, setting_names(SceneKind::rigid)),
                    where);
    json::Value given = from_command_line(value);
    read_setting(scene, *setting, Field(given, where, ""));
}

std::string rigid_setting_value(const RigidScene& scene, const std::string& name) {
    const RigidSetting* setting = find_rigid_setting(name);
    if (!setting)
        throw Error("this setting is not known" + format::suggestion(name, setting_names(SceneKind::rigid)),
                    name);
    const S& settings = scene.settings;
    auto word = [&](auto value) { return json::quoted(choices(*setting)[static_cast<std::size_t>(value)]); };
    return std::visit(Overloaded{
                          [&](float S::* member) { return decimal(settings.*member); },
                          [&](int S::* member) { return std::to_string(settings.*member); },
                          [&](bool S::* member) { return std::string(settings.*member ? "true" : "false"); },
                          [&](Vec3 S::* member) { return decimal(settings.*member); },
                          [&](Solver S::* member) { return word(settings.*member); },
                          [&](BroadPhase S::* member) { return word(settings.*member); },
                          [&](Bits S::* member) {
                              const Bits& b = settings.*member;
                              return "[" + std::to_string(b[0]) + ", " + std::to_string(b[1]) + ", " +
                                     std::to_string(b[2]) + "]";
                          },
                          [&](float RigidScene::* member) { return decimal(scene.*member); },
                      },
                      setting->member);
}

} // namespace scree
