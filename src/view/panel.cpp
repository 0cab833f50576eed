// SPDX-License-Identifier: MIT
// panel.cpp — see panel.h.
#include "view/panel.h"

#include "scene/setting.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace scree::view {
namespace {

/// The nearest float inside the range; a limit that is not allowed itself is kept off by one float.
float into(const Range& range, double number) {
    if (std::isnan(number)) number = 0;
    number = std::clamp(number, range.least, range.most);
    float narrow = static_cast<float>(std::clamp(number, -double{std::numeric_limits<float>::max()},
                                                 double{std::numeric_limits<float>::max()}));
    constexpr float inf = std::numeric_limits<float>::infinity();
    while (!range.holds(double{narrow}) && double{narrow} <= range.least)
        narrow = std::nextafter(narrow, inf);
    while (!range.holds(double{narrow}) && double{narrow} >= range.most)
        narrow = std::nextafter(narrow, -inf);
    return narrow;
}

Range range_of(const Parameter& parameter) {
    return {parameter.least, parameter.most, !parameter.least_allowed, false};
}

/// Limits that a hand can slide between: those of the setting where it has some, else around the values seen.
void slide_around(Parameter& p, const Range& range, double now, double start) {
    const double size =
        std::max({std::abs(now), std::abs(start), p.kind == Parameter::Kind::whole ? 10.0 : 1e-3});
    p.least = std::isfinite(range.least) ? range.least : -4 * size;
    p.most = std::isfinite(range.most) ? range.most : 4 * size;
    if (range.below) p.most = double{into(range, range.most)};
    if (p.kind == Parameter::Kind::whole) p.most = std::min(p.most, std::max(8 * size, 32.0));
    p.least_allowed = !range.above;
    p.logarithmic = range.above && p.most > 100 * size / 4;
}

/// The type of the value decides the widget.
void fill(Parameter& p, const Setting& setting, const SettingValue& now, const SettingValue& start) {
    if (setting.is_choice()) {
        p.kind = Parameter::Kind::choice;
        p.number[0] = std::get<int>(now);
        p.choices.assign(setting.choices.begin(), setting.choices.end());
        return;
    }
    std::visit(Overloaded{
                   [&](float value) {
                       p.kind = Parameter::Kind::number;
                       p.number[0] = double{value};
                       slide_around(p, setting.range, double{value}, double{std::get<float>(start)});
                   },
                   [&](int value) {
                       p.kind = Parameter::Kind::whole;
                       p.number[0] = value;
                       slide_around(p, setting.range, value, std::get<int>(start));
                   },
                   [&](bool value) {
                       p.kind = Parameter::Kind::flag;
                       p.number[0] = value;
                   },
                   [&](Vec3 value) {
                       p.kind = Parameter::Kind::vector;
                       p.number[0] = double{value.x}, p.number[1] = double{value.y},
                       p.number[2] = double{value.z};
                       const double size = std::max(length(wide(value)), length(wide(std::get<Vec3>(start))));
                       slide_around(p, setting.range, size, size / 2);
                       p.bounded = std::isfinite(setting.range.least) && std::isfinite(setting.range.most);
                       if (p.bounded) return;
                       p.most = std::max(p.most, 1.0);
                       p.least = -p.most;
                   },
                   [&](const std::array<int, 3>& value) {
                       p.kind = Parameter::Kind::whole3;
                       for (std::size_t k = 0; k < 3; ++k) p.number[k] = value[k];
                       p.least = setting.range.least;
                       p.most = setting.range.most;
                   },
               },
               now);
}

/// contact_hertz: Contact hertz; sor_erp: SOR ERP.
std::string readable(std::string_view name) {
    std::string label;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t end = std::min(name.find('_', from), name.size());
        std::string word(name.substr(from, end - from));
        const bool short_form = word == "sor" || word == "cfm" || word == "erp";
        for (char& c : word)
            if (short_form || (from == 0 && &c == word.data())) c = static_cast<char>(c - 'a' + 'A');
        label += (from > 0 ? " " : "") + word;
        from = end + 1;
    }
    return label;
}

} // namespace

std::vector<Parameter> parameters(std::span<const SettingState> settings) {
    std::vector<Parameter> all;
    for (const SettingState& state : settings) {
        Parameter& p = all.emplace_back();
        p.name = state.setting->name;
        p.label = readable(p.name);
        p.unit = state.setting->unit;
        p.help = state.setting->help;
        p.value = value_text(*state.setting, state.now);
        p.start = value_text(*state.setting, state.start);
        fill(p, *state.setting, state.now, state.start);
    }
    return all;
}

void Parameter::take(const std::string& given) {
    value = given;
    if (kind == Kind::flag) number[0] = given == "true";
    if (kind == Kind::choice)
        for (std::size_t k = 0; k < choices.size(); ++k)
            if (given == "\"" + choices[k] + "\"") number[0] = static_cast<double>(k);
    if (kind == Kind::flag || kind == Kind::choice) return;
    std::size_t found = 0;
    for (const char* at = given.c_str(); *at != 0 && found < 3;) {
        char* end = nullptr;
        const double read = std::strtod(at, &end);
        if (end != at) number[found++] = read;
        at = end != at ? end : at + 1;
    }
}

std::string Parameter::text(double x, double y, double z) const {
    const auto whole_text = [&](double v) {
        if (std::isnan(v)) v = least;
        return std::to_string(
            static_cast<long long>(std::clamp(std::round(v), std::ceil(least), std::floor(most))));
    };
    switch (kind) {
    case Kind::number:
        return decimal(into(range_of(*this), x));
    case Kind::whole:
        return whole_text(x);
    case Kind::flag:
        return x != 0 ? "true" : "false";
    case Kind::choice:
        return "\"" +
               choices[static_cast<std::size_t>(
                   std::isnan(x) ? 0.0 : std::clamp(x, 0.0, static_cast<double>(choices.size() - 1)))] +
               "\"";
    case Kind::vector: {
        const Range range = bounded ? range_of(*this) : any_number;
        return decimal(Vec3{into(range, x), into(range, y), into(range, z)});
    }
    default:
        return "[" + whole_text(x) + ", " + whole_text(y) + ", " + whole_text(z) + "]";
    }
}

std::string Parameter::nudged(int direction) const {
    switch (kind) {
    case Kind::number: {
        const double step = std::max(std::abs(number[0]) * 0.1, (most - least) * 0.001);
        return text(number[0] + direction * step);
    }
    case Kind::flag:
        return text(number[0] == 0);
    case Kind::vector: { // longer or shorter
        const double scale = 1 + 0.1 * direction;
        return text(number[0] * scale, number[1] * scale, number[2] * scale);
    }
    case Kind::whole3:
        return text(number[0] + direction, number[1] + direction, number[2] + direction);
    default:
        return text(number[0] + direction);
    }
}

} // namespace scree::view
