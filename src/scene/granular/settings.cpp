// SPDX-License-Identifier: MIT
// settings.cpp — one row for each field of GranularSettings.
#include "scene/granular/kind.h"

namespace scree {
namespace {

using S = GranularSettings;
using C = GranularScene;

// as the world's own check in src/granular, which a test compares
constexpr Range cells{4, 1024}, substeps{0, 10'000}, memory{1, 12}, skin{-1, 2};

constexpr std::string_view modes[] = {"reference", "improved", "brute"};
constexpr std::string_view contacts[] = {"linear", "split", "history", "hertz"};
constexpr std::string_view decompositions[] = {"mixed", "per_body"};

template <auto Member>
constexpr Setting row(std::string_view name, Range range, std::string_view unit, std::string_view help,
                      std::span<const std::string_view> choices = {}) {
    return setting<&C::settings, Member>(name, range, unit, help, choices);
}

const Setting table[] = {
    row<&S::mode>("mode", any_number, "",
                  "Reference: Fossum's method, flaws included. Improved: without them. Brute: improved, "
                  "without a grid.",
                  modes),
    row<&S::contact>("contact", any_number, "",
                     "Law of the contact forces; reference mode always uses linear.", contacts),
    row<&S::decomposition>("decomposition", any_number, "",
                           "Work items: a particle each where that helps (mixed), or a body each.",
                           decompositions),
    row<&S::time_step>("time_step", positive, "s", "Length of a step."),
    row<&S::substeps>("substeps", substeps, "", "Substeps of a step; 0 chooses enough for stability."),
    row<&S::gravity>("gravity", any_number, "m/s²", "Acceleration of every body."),
    row<&S::stiffness>("stiffness", positive, "N/m", "Spring of a contact."),
    row<&S::damping>("damping", not_negative, "N s/m",
                     "Dashpot along the normal; in all directions with the linear law."),
    row<&S::tangent_damping>("tangent_damping", not_negative, "N s/m", "Dashpot across the normal."),
    row<&S::tangent_stiffness>("tangent_stiffness", not_negative, "N/m",
                               "Tangential spring of the history model; 0: 2/3 of the stiffness."),
    row<&S::friction>("friction", not_negative, "", "Coulomb's coefficient."),
    row<&S::particle_radius>("particle_radius", positive, "m",
                             "Radius of particles that give none; of all in reference mode."),
    row<&S::terminal_velocity>("terminal_velocity", positive, "m/s",
                               "Limit of each component of a velocity."),
    row<&S::contact_epsilon>("contact_epsilon", not_negative, "m", "Overlaps below this are no contact."),
    row<&S::walls>("walls", any_number, "", "Planes at x, z = ±world_size."),
    row<&S::ground>("ground", any_number, "", "Plane at y = 0."),
    row<&S::world_size>("world_size", positive, "m",
                        "Distance of the walls; \"fit\" puts them around all bodies."),
    row<&S::grid_cells>("grid_cells", cells, "", "Cells along each side of the reference grid."),
    row<&S::grid_min>("grid_min", any_number, "m", "Lowest corner of the reference grid."),
    row<&S::sleeping>("sleeping", any_number, "", "Bodies at rest sleep (improved mode)."),
    row<&S::sleep_speed>("sleep_speed", positive, "m/s", "Slower than this counts as rest."),
    row<&S::sleep_delay>("sleep_delay", positive, "s", "Time at rest before a body sleeps."),
    row<&S::wake_speed>("wake_speed", positive, "m/s", "A touch faster than this wakes."),
    row<&S::contact_memory>("contact_memory", memory, "",
                            "Tangential springs kept for each particle (history)."),
    row<&S::neighbour_skin>(
        "neighbour_skin", skin, "radii",
        "Reach of kept neighbour lists beyond touching; 0: none are kept; negative: by device."),
    row<&S::unlock>("unlock", any_number, "", "Push deep contacts out along the shapes' outward directions."),
};

} // namespace

std::span<const Setting> granular_settings() { return table; }

} // namespace scree
