// SPDX-License-Identifier: MIT
// format.cpp — the keys of granular scenes; see scene/format.h. Those of "world" and "expect" come from the tables of kind.cpp.
#include "scene/granular/format.h"

namespace scree::format {
namespace {

constexpr bool required = true;

constexpr Key shape_keys[] = {{"name", required}, {"paint"},   {"cube"}, {"cuboid"}, {"grain"},
                              {"ball"},           {"capsule"}, {"desk"}, {"mesh"},   {"particles"}};
constexpr Key cube_keys[] = {{"radius"}, {"spheres"}};
constexpr Key cuboid_keys[] = {{"radius"}, {"spheres", required}};
constexpr Key radius_key[] = {{"radius"}};
constexpr Key ball_keys[] = {{"radius"}, {"ball_radius", required}};
constexpr Key capsule_keys[] = {{"radius"}, {"spheres", required}, {"bend_degrees"}};
constexpr Key particle_keys[] = {{"offset", required}, {"radius"}};
constexpr Key mesh_keys[] = {{"file", required}, {"radius"}};
constexpr Key body_keys[] = {{"shape", required},
                             {"position", required},
                             {"rotation"},
                             {"velocity"},
                             {"angular_velocity"},
                             {"mass"},
                             {"paint"}};
constexpr Key generator_keys[] = {{"stream"}, {"tower"}, {"lattice"}};
constexpr Key stream_keys[] = {{"shape", required}, {"count", required}, {"mass"},  {"velocity"},
                               {"origin"},          {"offset"},          {"pitch"}, {"paint"}};
constexpr Key tower_keys[] = {
    {"shape", required},     {"count", required}, {"mass"},   {"velocity"}, {"origin"},
    {"footprint", required}, {"pitch"},           {"jitter"}, {"seed"},     {"paint"}};
constexpr Key lattice_keys[] = {
    {"shape", required},   {"counts"}, {"count"},  {"layers"}, {"mass"}, {"velocity"}, {"origin"},
    {"spacing", required}, {"jitter"}, {"tumble"}, {"seed"},   {"paint"}};
constexpr Key obstacle_keys[] = {{"plane"}, {"box"}, {"sphere"}};
constexpr Key plane_keys[] = {{"point", required}, {"normal", required}, {"paint"}};
constexpr Key box_keys[] = {{"half_size", required},
                            {"position", required},
                            {"rotation"},
                            {"velocity"},
                            {"angular_velocity"},
                            {"mass"},
                            {"paint"}};
constexpr Key sphere_keys[] = {{"radius", required},
                               {"position", required},
                               {"rotation"},
                               {"velocity"},
                               {"angular_velocity"},
                               {"mass"},
                               {"paint"}};
constexpr Key close_pairs_keys[] = {{"distance", required}, {"above"}, {"min"}, {"max"}};

} // namespace

const Object shape{"shape", shape_keys}, cube{"cube", cube_keys}, cuboid{"cuboid", cuboid_keys},
    grain{"grain", radius_key}, ball{"ball", ball_keys}, capsule{"capsule", capsule_keys},
    desk{"desk", radius_key}, particle{"particle", particle_keys}, mesh{"mesh", mesh_keys},
    body{"body", body_keys}, generator{"generator", generator_keys}, stream{"stream", stream_keys},
    tower{"tower", tower_keys}, lattice{"lattice", lattice_keys}, obstacle{"obstacle", obstacle_keys},
    plane{"plane", plane_keys}, box{"box", box_keys}, sphere{"sphere", sphere_keys},
    close_pairs{"close_pairs", close_pairs_keys};

} // namespace scree::format
