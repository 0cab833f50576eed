// SPDX-License-Identifier: MIT
// format.cpp — the objects that all kinds of scenes share; see format.h. A test gives each key a wrong value to see that it
// is read.
#include "scene/format.h"

#include "text/json.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scree::format {
namespace {

constexpr bool required = true;

constexpr Key axis_rotation_keys[] = {{"axis", required}, {"degrees", required}};
constexpr Key range_keys[] = {{"min"}, {"max"}};
constexpr Key paint_keys[] = {{"colour"},  {"roughness"}, {"metallic"},
                              {"opacity"}, {"texture"},   {"texture_size"}};
constexpr Key paints_keys[] = {{"colour"},  {"colours"}, {"roughness"},   {"metallic"},
                               {"opacity"}, {"texture"}, {"texture_size"}};
constexpr Key camera_keys[] = {{"eye", required}, {"target", required}, {"fov"}};
constexpr Key named_camera_keys[] = {{"name", required}, {"eye", required}, {"target", required}, {"fov"}};
constexpr Key light_keys[] = {{"direction"}, {"position"}, {"colour"}, {"intensity"}, {"range"}};
constexpr Key carried_light_keys[] = {{"position"}, {"colour"}, {"intensity"}, {"range"}};
constexpr Key ground_keys[] = {{"shown"}, {"paint"}};
constexpr Key sky_keys[] = {{"zenith"}, {"horizon"}, {"strength"}, {"fog"}, {"fog_colour"}};

/// Edits between two short names (Levenshtein 1965), with a swap of neighbours as one edit.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

} // namespace

const Object axis_rotation{"axis_rotation", axis_rotation_keys}, range{"range", range_keys},
    paint{"paint", paint_keys}, paints{"paints", paints_keys}, camera{"camera", camera_keys},
    named_camera{"named_camera", named_camera_keys}, light{"light", light_keys},
    carried_light{"carried_light", carried_light_keys}, ground{"ground", ground_keys}, sky{"sky", sky_keys};

std::span<const Object* const> shared_objects() {
    static const Object* const all[] = {&axis_rotation, &range, &paint,         &paints, &camera,
                                        &named_camera,  &light, &carried_light, &ground, &sky};
    return all;
}

bool Object::knows(std::string_view key) const {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& known) { return known.name == key; });
}

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> known) {
    name = name.substr(0, 64); // a longer one is no slip of the keyboard
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& candidate : known) {
        std::size_t distance = edits(name, candidate);
        bool begins = name.size() >= 3 && (candidate.rfind(name, 0) == 0 || name.rfind(candidate, 0) == 0);
        if (distance <= std::max<std::size_t>(1, (std::min(name.size(), candidate.size()) + 1) / 3) || begins)
            found.emplace_back(distance, candidate);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) names.push_back(found[i].second);
    return names;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
    std::vector<std::string> near = near_names(name, known);
    if (near.empty()) return "";
    std::string text = "; did you mean " + json::quoted(near[0]);
    for (std::size_t i = 1; i < near.size(); ++i)
        text += (i + 1 < near.size() ? ", " : " or ") + json::quoted(near[i]);
    return text + "?";
}

} // namespace scree::format
