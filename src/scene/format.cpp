// SPDX-License-Identifier: MIT
// format.cpp — the tables of format.h but those of rigid scenes (rigid_format.cpp). A key listed here is read in scene.cpp, settings.cpp, generators.cpp
// or expect.cpp; a test gives each a wrong value to see that it is.
#include "scene/format.h"

#include "scene/json.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scree::format {
namespace {

constexpr bool required = true;

constexpr Key scene_keys[] = {{"$schema"}, {"scree", required}, {"kind"},  {"title", required},
                              {"notes"},   {"steps", required}, {"world"}, {"shapes"},
                              {"bodies"},  {"obstacles"},       {"expect"}};
constexpr Key world_keys[] = {
    {"mode"},        {"contact"},         {"decomposition"},     {"time_step"},       {"substeps"},
    {"gravity"},     {"stiffness"},       {"damping"},           {"tangent_damping"}, {"tangent_stiffness"},
    {"friction"},    {"particle_radius"}, {"terminal_velocity"}, {"contact_epsilon"}, {"walls"},
    {"ground"},      {"world_size"},      {"grid_cells"},        {"grid_min"},        {"sleeping"},
    {"sleep_speed"}, {"sleep_delay"},     {"wake_speed"},        {"contact_memory"},  {"neighbour_skin"},
    {"unlock"}};
constexpr Key shape_keys[] = {{"name", required}, {"cube"}, {"cuboid"}, {"grain"},    {"ball"},
                              {"capsule"},        {"desk"}, {"mesh"},   {"particles"}};
constexpr Key cube_keys[] = {{"radius"}, {"spheres"}};
constexpr Key cuboid_keys[] = {{"radius"}, {"spheres", required}};
constexpr Key radius_key[] = {{"radius"}};
constexpr Key ball_keys[] = {{"radius"}, {"ball_radius", required}};
constexpr Key capsule_keys[] = {{"radius"}, {"spheres", required}, {"bend_degrees"}};
constexpr Key particle_keys[] = {{"offset", required}, {"radius"}};
constexpr Key mesh_keys[] = {{"file", required}, {"radius"}};
constexpr Key body_keys[] = {{"shape", required}, {"position", required}, {"rotation"},
                             {"velocity"},        {"angular_velocity"},   {"mass"}};
constexpr Key generator_keys[] = {{"stream"}, {"tower"}, {"lattice"}};
constexpr Key stream_keys[] = {{"shape", required}, {"count", required}, {"mass"}, {"velocity"},
                               {"origin"},          {"offset"},          {"pitch"}};
constexpr Key tower_keys[] = {{"shape", required}, {"count", required}, {"mass"},
                              {"velocity"},        {"origin"},          {"footprint", required},
                              {"pitch"},           {"jitter"},          {"seed"}};
constexpr Key lattice_keys[] = {
    {"shape", required},   {"counts"}, {"count"},  {"layers"}, {"mass"}, {"velocity"}, {"origin"},
    {"spacing", required}, {"jitter"}, {"tumble"}, {"seed"}};
constexpr Key obstacle_keys[] = {{"plane"}, {"box"}, {"sphere"}};
constexpr Key plane_keys[] = {{"point", required}, {"normal", required}};
constexpr Key box_keys[] = {{"half_size", required},
                            {"position", required},
                            {"rotation"},
                            {"velocity"},
                            {"angular_velocity"},
                            {"mass"}};
constexpr Key sphere_keys[] = {{"radius", required}, {"position", required}, {"rotation"},
                               {"velocity"},         {"angular_velocity"},   {"mass"}};
constexpr Key axis_rotation_keys[] = {{"axis", required}, {"degrees", required}};
constexpr Key expect_keys[] = {{"kinetic_energy"}, {"potential_energy"}, {"max_overlap"},
                               {"mean_overlap"},   {"max_speed"},        {"top"},
                               {"bottom"},         {"contacts"},         {"own_contacts"},
                               {"largest_cell"},   {"dropped"},          {"unregistered"},
                               {"asleep"},         {"frozen"},           {"interlocked"},
                               {"moved"},          {"close_pairs"},      {"hash"}};
constexpr Key range_keys[] = {{"min"}, {"max"}};
constexpr Key close_pairs_keys[] = {{"distance", required}, {"above"}, {"min"}, {"max"}};

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

const Object scene{"scene", scene_keys}, world{"world", world_keys}, shape{"shape", shape_keys},
    cube{"cube", cube_keys}, cuboid{"cuboid", cuboid_keys}, grain{"grain", radius_key},
    ball{"ball", ball_keys}, capsule{"capsule", capsule_keys}, desk{"desk", radius_key},
    particle{"particle", particle_keys}, mesh{"mesh", mesh_keys}, body{"body", body_keys},
    generator{"generator", generator_keys}, stream{"stream", stream_keys}, tower{"tower", tower_keys},
    lattice{"lattice", lattice_keys}, obstacle{"obstacle", obstacle_keys}, plane{"plane", plane_keys},
    box{"box", box_keys}, sphere{"sphere", sphere_keys}, axis_rotation{"axis_rotation", axis_rotation_keys},
    expect{"expect", expect_keys}, range{"range", range_keys}, close_pairs{"close_pairs", close_pairs_keys};

std::span<const Object* const> objects() {
    static const Object* const all[] = {
        &scene,        &world,           &shape,         &cube,        &cuboid,      &grain,
        &ball,         &capsule,         &desk,          &particle,    &mesh,        &body,
        &generator,    &stream,          &tower,         &lattice,     &obstacle,    &plane,
        &box,          &sphere,          &axis_rotation, &expect,      &range,       &close_pairs,
        &rigid_scene,  &rigid_world,     &material,      &filter,      &rigid_shape, &part,
        &rigid_sphere, &rigid_box,       &round,         &rigid_plane, &hull,        &rigid_body,
        &each,         &rigid_generator, &pyramid,       &stack,       &wall,        &rigid_lattice,
        &container,    &funnel,          &arch,          &card_house,  &chain,       &molecule,
        &joint,        &force,           &rigid_expect};
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
