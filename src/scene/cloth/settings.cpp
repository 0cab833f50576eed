// SPDX-License-Identifier: MIT
// settings.cpp — one row for each field of ClothSettings.
#include "scene/cloth/kind.h"

namespace scree {
namespace {

using S = ClothSettings;
using C = ClothScene;

// as the world's own check, src/cloth/checks.cpp
constexpr Range step{1e-5, 1}, substeps{0, 10'000}, gravity{-10, 10}, mass{0.1, 50}, drag{0, 0.99},
    stiffness{0, 1000}, damping{-20, 0}, factor{0, 10}, size{1, 50}, edges{0, 2046}, iterations{1, 1000},
    neighbours{0, 8}, share{0, 0.5}, friction{0, 10};

constexpr std::string_view models[] = {"mass_spring", "position_based"};

template <auto Member>
constexpr Setting row(std::string_view name, Range range, std::string_view unit, std::string_view help,
                      std::span<const std::string_view> choices = {}) {
    return setting<&C::settings, Member>(name, range, unit, help, choices);
}

const Setting table[] = {
    row<&S::model>("model", any_number, "", "Springs with forces, or constraints that move positions.",
                   models),
    row<&S::time_step>("time_step", step, "s", "Length of a step."),
    row<&S::substeps>("substeps", substeps, "", "Substeps of a step; 0: enough for stable springs."),
    row<&S::gravity>("gravity", gravity, "m/s²", "Acceleration of every vertex."),
    row<&S::mass>("mass", mass, "kg", "Of each sheet."),
    row<&S::drag>("drag", drag, "kg/s", "Of air, by speed."),
    row<&S::stiffness>("stiffness", stiffness, "N/m",
                       "Of springs; the position based model corrects 0.0005 of it of an error."),
    row<&S::damping>("damping", damping, "N s/m", "Along springs, 0 to -20; mass-spring model."),
    row<&S::group_stiffness>("group_stiffness", factor, "",
                             "Factors of the stiffness along the grid, across it, and to the second line."),
    row<&S::group_damping>("group_damping", factor, "", "The same of the damping."),
    row<&S::width>("width", size, "m", "Of a sheet, along x. A change resets the sheets."),
    row<&S::length>("length", size, "m", "Of a sheet, along z. A change resets the sheets."),
    row<&S::edges_x>("edges_x", edges, "", "Lines across x besides the borders. A change resets the sheets."),
    row<&S::edges_z>("edges_z", edges, "", "Lines across z besides the borders. A change resets the sheets."),
    row<&S::iterations>("iterations", iterations, "", "Sweeps over the constraints; position based model."),
    row<&S::self_neighbours>("self_neighbours", neighbours, "",
                             "Neighbours that a vertex keeps its distance from: 0, 4 or 8."),
    row<&S::radius_share>("radius_share", share, "",
                          "Radius of a vertex over the smaller spacing; at most 0.35 m."),
    row<&S::friction>("friction", friction, "", "Coulomb's coefficient against colliders and ground."),
    row<&S::ground>("ground", any_number, "", "Plane at y = 0."),
    row<&S::physical_mass>(
        "physical_mass", any_number, "",
        "A vertex has its share of mass and drag; otherwise 7.071 times the mass, all drag."),
    row<&S::bounded_damping>("bounded_damping", any_number, "",
                             "Damping never reverses a relative velocity."),
    row<&S::weighted_projection>(
        "weighted_projection", any_number, "",
        "Constraints move vertices by inverse masses; otherwise by twice the error."),
    row<&S::predicted_neighbours>(
        "predicted_neighbours", any_number, "",
        "Constraints compare predictions; otherwise with the last step's neighbours."),
    row<&S::push_from_inside>("push_from_inside", any_number, "",
                              "Vertices inside a box leave it by the nearest face."),
};

} // namespace

std::span<const Setting> cloth_settings() { return table; }

} // namespace scree
