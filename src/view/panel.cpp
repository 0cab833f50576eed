// SPDX-License-Identifier: MIT
// panel.cpp — see panel.h.
#include "view/panel.h"

#include "scene/rigid_settings.h"
#include "scene/settings.h"

#include <algorithm>
#include <cmath>
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

template <class S, class M>
constexpr bool is = std::is_same_v<S, M>;

/// For both tables: what kind of member it is decides how it is shown.
struct Filler {
    Parameter& p;
    const Range& range;
    std::span<const std::string_view> words;

    void number(float now, float start) const {
        p.kind = Parameter::Kind::number;
        p.number[0] = double{now};
        slide_around(p, range, double{now}, double{start});
    }
    void whole(int now, int start) const {
        p.kind = Parameter::Kind::whole;
        p.number[0] = now;
        slide_around(p, range, now, start);
    }
    void flag(bool now) const {
        p.kind = Parameter::Kind::flag;
        p.number[0] = now;
    }
    void vector(Vec3 now, Vec3 start) const {
        p.kind = Parameter::Kind::vector;
        p.number[0] = double{now.x}, p.number[1] = double{now.y}, p.number[2] = double{now.z};
        const double size = std::max(length(wide(now)), length(wide(start)));
        slide_around(p, range, size, size / 2);
        p.most = std::max(p.most, 1.0);
        p.least = -p.most;
    }
    void choice(std::size_t now) const {
        p.kind = Parameter::Kind::choice;
        p.number[0] = static_cast<double>(now);
        p.choices.assign(words.begin(), words.end());
    }
    void whole3(const std::array<int, 3>& now) const {
        p.kind = Parameter::Kind::whole3;
        for (std::size_t k = 0; k < 3; ++k) p.number[k] = now[k];
        p.least = range.least;
        p.most = range.most;
    }
};

template <class Settings, class Member>
void fill(const Filler& filler, const Settings& now, const Settings& start, Member Settings::*member) {
    if constexpr (is<Member, float>) filler.number(now.*member, start.*member);
    else if constexpr (is<Member, int>) filler.whole(now.*member, start.*member);
    else if constexpr (is<Member, bool>) filler.flag(now.*member);
    else if constexpr (is<Member, Vec3>) filler.vector(now.*member, start.*member);
    else if constexpr (is<Member, std::array<int, 3>>) filler.whole3(now.*member);
    else filler.choice(static_cast<std::size_t>(now.*member));
}

} // namespace

std::vector<Parameter> parameters(const Scene& now, const Scene& start) {
    std::vector<Parameter> all;
    const auto add = [&](std::string_view name) -> Parameter& {
        Parameter& p = all.emplace_back();
        p.name = name;
        p.value = setting_value(now, p.name);
        return p;
    };
    if (now.rigid && start.rigid) {
        for (const RigidSetting& setting : rigid_settings_table()) {
            const Filler filler{add(setting.name), setting.range, choices(setting)};
            std::visit(
                Overloaded{
                    [&](float RigidScene::*member) { fill(filler, *now.rigid, *start.rigid, member); },
                    [&](auto member) { fill(filler, now.rigid->settings, start.rigid->settings, member); },
                },
                setting.member);
        }
        return all;
    }
    for (const Setting& setting : settings_table()) {
        const Filler filler{add(setting.name), setting.range, choices(setting)};
        std::visit([&](auto member) { fill(filler, now.settings, start.settings, member); }, setting.member);
    }
    return all;
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
    case Kind::vector:
        return decimal(Vec3{into(any_number, x), into(any_number, y), into(any_number, z)});
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
    case Kind::vector:
        return text(number[0], number[1] * (1 + 0.1 * direction), number[2]);
    case Kind::whole3:
        return text(number[0] + direction, number[1] + direction, number[2] + direction);
    default:
        return text(number[0] + direction);
    }
}

} // namespace scree::view
