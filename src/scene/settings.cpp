// SPDX-License-Identifier: MIT
// settings.cpp — one table row for each field of GranularSettings; see settings.h.
#include "scene/settings.h"

#include "scene/rigid_settings.h"
#include "scree/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace scree {
namespace {

using S = GranularSettings;

// as the world's own check in src/granular, which a test compares
constexpr Range cells{4, 1024}, substeps{0, 10'000}, memory{1, 12}, skin{-1, 2};

const Setting table[] = {
    {"mode", &S::mode},
    {"contact", &S::contact},
    {"decomposition", &S::decomposition},
    {"time_step", &S::time_step, positive},
    {"substeps", &S::substeps, substeps},
    {"gravity", &S::gravity},
    {"stiffness", &S::stiffness, positive},
    {"damping", &S::damping, not_negative},
    {"tangent_damping", &S::tangent_damping, not_negative},
    {"tangent_stiffness", &S::tangent_stiffness, not_negative},
    {"friction", &S::friction, not_negative},
    {"particle_radius", &S::particle_radius, positive},
    {"terminal_velocity", &S::terminal_velocity, positive},
    {"contact_epsilon", &S::contact_epsilon, not_negative},
    {"walls", &S::walls},
    {"ground", &S::ground},
    {"world_size", &S::world_size, positive},
    {"grid_cells", &S::grid_cells, cells},
    {"grid_min", &S::grid_min},
    {"sleeping", &S::sleeping},
    {"sleep_speed", &S::sleep_speed, positive},
    {"sleep_delay", &S::sleep_delay, positive},
    {"wake_speed", &S::wake_speed, positive},
    {"contact_memory", &S::contact_memory, memory},
    {"neighbour_skin", &S::neighbour_skin, skin},
    {"unlock", &S::unlock},
};

constexpr std::string_view modes[] = {"reference", "improved", "brute"};
constexpr std::string_view contacts[] = {"linear", "split", "history", "hertz"};
constexpr std::string_view decompositions[] = {"mixed", "per_body"};

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

std::span<const Setting> settings_table() { return table; }

std::span<const std::string_view> choices(const Setting& setting) {
    if (std::holds_alternative<GranularMode S::*>(setting.member)) return modes;
    if (std::holds_alternative<ContactModel S::*>(setting.member)) return contacts;
    if (std::holds_alternative<Decomposition S::*>(setting.member)) return decompositions;
    return {};
}

void read_setting(GranularSettings& settings, const Setting& setting, const Field& field) {
    std::visit(Overloaded{
                   [&](float S::* member) { settings.*member = field.number(setting.range); },
                   [&](int S::* member) {
                       settings.*member =
                           static_cast<int>(field.integer(static_cast<std::int64_t>(setting.range.least),
                                                          static_cast<std::int64_t>(setting.range.most)));
                   },
                   [&](bool S::* member) { settings.*member = field.flag(); },
                   [&](Vec3 S::* member) { settings.*member = field.vector(); },
                   [&](GranularMode S::* member) {
                       settings.*member = static_cast<GranularMode>(field.choice(modes));
                   },
                   [&](ContactModel S::* member) {
                       settings.*member = static_cast<ContactModel>(field.choice(contacts));
                   },
                   [&](Decomposition S::* member) {
                       settings.*member = static_cast<Decomposition>(field.choice(decompositions));
                   },
               },
               setting.member);
}

const Setting* find_setting(std::string_view name) {
    auto found =
        std::find_if(std::begin(table), std::end(table), [&](const Setting& s) { return s.name == name; });
    return found == std::end(table) ? nullptr : found;
}

std::vector<std::string> setting_names(SceneKind kind) {
    std::vector<std::string> names;
    if (kind == SceneKind::rigid) {
        for (const RigidSetting& setting : rigid_settings_table()) names.emplace_back(setting.name);
        return names;
    }
    for (const Setting& setting : table) names.emplace_back(setting.name);
    return names;
}

std::string setting_value(const Scene& scene, const std::string& name) {
    return scene.rigid ? rigid_setting_value(*scene.rigid, name) : setting_value(scene.settings, name);
}

std::string setting_value(const GranularSettings& settings, const std::string& name) {
    const Setting* setting = find_setting(name);
    if (!setting) throw Error("this setting is not known" + format::suggestion(name, setting_names()), name);
    auto word = [&](auto value) { return json::quoted(choices(*setting)[static_cast<std::size_t>(value)]); };
    return std::visit(Overloaded{
                          [&](float S::* member) { return decimal(settings.*member); },
                          [&](int S::* member) { return std::to_string(settings.*member); },
                          [&](bool S::* member) { return std::string(settings.*member ? "true" : "false"); },
                          [&](Vec3 S::* member) { return decimal(settings.*member); },
                          [&](GranularMode S::* member) { return word(settings.*member); },
                          [&](ContactModel S::* member) { return word(settings.*member); },
                          [&](Decomposition S::* member) { return word(settings.*member); },
                      },
                      setting->member);
}

void apply_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& where) {
    if (scene.rigid) {
        apply_rigid_setting(*scene.rigid, key, value, where);
        scene.altered = true;
        return;
    }
    const Setting* setting = find_setting(key);
    if (!setting)
        throw Error("the setting " + json::quoted(key) + " is not known" +
                        format::suggestion(key, setting_names()),
                    where);
    json::Value given = from_command_line(value);
    GranularSettings changed = scene.settings; // so that an error changes nothing
    if (key == "world_size" && given.kind == json::Kind::string && given.text == "fit") {
        if (!(scene.fitted_size > 0))
            throw Error("\"fit\" is not allowed without bodies; a number was expected", where);
        changed.world_size = scene.fitted_size;
    } else {
        read_setting(changed, *setting, Field(given, where, ""));
    }
    scene.settings = changed;
    scene.altered = true;
}

void apply_steps(Scene& scene, const std::string& value, const std::string& where) {
    json::Value given = from_command_line(value);
    scene.steps = static_cast<int>(Field(given, where, "").integer(1, 1'000'000'000));
    scene.altered = true;
}

} // namespace scree
