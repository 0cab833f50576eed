// SPDX-License-Identifier: MIT
// settings.cpp — one row for each field of WorldSettings, and the time step.
#include "scene/rigid/kind.h"

namespace scree {
namespace {

using S = WorldSettings;

// as the world's own check, which a test compares
constexpr Range substeps{1, 1000}, iterations{1, 100'000}, omega{0, 2, true, true}, share{0, 1}, bits{1, 16},
    groups{1, 65536}, tolerance{1e-9, 1};

constexpr std::string_view solvers[] = {"soft_step", "sor", "impact"};
constexpr std::string_view sor_schedules[] = {"colours", "groups", "jacobi"};
constexpr std::string_view integrators[] = {"euler", "runge_kutta"};
constexpr std::string_view broad_phases[] = {"tree", "grid", "brute"};

template <auto Member>
constexpr Setting row(std::string_view name, Range range, std::string_view unit, std::string_view help,
                      std::span<const std::string_view> choices = {}) {
    return setting<&RigidScene::settings, Member>(name, range, unit, help, choices);
}

const Setting table[] = {
    setting<&RigidScene::time_step>("time_step", positive, "s", "Length of a step."),
    setting<&RigidScene::level_reach>(
        "level_reach", not_negative, "m",
        "Bodies farther than this from the player, through portals of the level, rest; 0: none do."),
    row<&S::gravity>("gravity", any_number, "m/s²", "Acceleration of every body."),
    row<&S::solver>(
        "solver", any_number, "",
        "Soft step: substeps with soft contacts. SOR: one LCP a step. Impact: from event to event.", solvers),
    row<&S::broad_phase>("broad_phase", any_number, "", "How pairs are found; the result is the same.",
                         broad_phases),
    row<&S::substeps>("substeps", substeps, "", "Substeps of a step (soft step)."),
    row<&S::contact_hertz>("contact_hertz", not_negative, "Hz",
                           "Stiffness of contacts; 0: 1/6 of the substep rate. At most 1/4 of it counts."),
    row<&S::contact_damping>("contact_damping", not_negative, "", "Damping ratio of contacts."),
    row<&S::push_speed>("push_speed", not_negative, "m/s", "Overlaps are resolved no faster than this."),
    row<&S::joint_hertz>("joint_hertz", not_negative, "Hz",
                         "Stiffness of joints; 0: 1/4 of the substep rate, the most that counts."),
    row<&S::joint_damping>("joint_damping", not_negative, "", "Damping ratio of joints."),
    row<&S::slop>("slop", not_negative, "m", "Overlap that the SOR solver leaves alone."),
    row<&S::speculative_distance>("speculative_distance", not_negative, "m",
                                  "Contacts are made at this distance."),
    row<&S::restitution_threshold>("restitution_threshold", not_negative, "m/s",
                                   "Slower impacts do not bounce."),
    row<&S::hit_speed>("hit_speed", not_negative, "m/s", "Slower impacts are no hit events."),
    row<&S::impact_tolerance>("impact_tolerance", tolerance, "m", "Shapes this close touch (impact solver)."),
    row<&S::recycling>("recycling", any_number, "", "Pairs that barely moved keep their manifold."),
    row<&S::continuous>("continuous", any_number, "",
                        "Fast bodies do not pass through fixed and kinematic ones."),
    row<&S::warm_starting>("warm_starting", any_number, "",
                           "The solver starts from the last step's impulses."),
    row<&S::sleeping>("sleeping", any_number, "", "Islands at rest sleep."),
    row<&S::sleep_speed>("sleep_speed", not_negative, "m/s", "Slower than this counts as rest."),
    row<&S::sleep_delay>("sleep_delay", not_negative, "s", "Time at rest before an island sleeps."),
    row<&S::sor_iterations>("sor_iterations", iterations, "", "Sweeps of the SOR solver."),
    row<&S::sor_omega>("sor_omega", omega, "", "Over-relaxation of the SOR solver."),
    row<&S::sor_cfm>("sor_cfm", not_negative, "", "Added to the diagonal, divided by the step (SOR)."),
    row<&S::sor_erp>("sor_erp", share, "", "Share of a position error that a step removes (SOR)."),
    row<&S::sor_schedule>("sor_schedule", any_number, "",
                          "Order of the SOR's rows: Gauss–Seidel by colours, Jacobi between groups, Jacobi.",
                          sor_schedules),
    row<&S::sor_groups>("sor_groups", groups, "",
                        "Groups of the SOR, at most; each has three constraints or more."),
    row<&S::sor_vary>("sor_vary", any_number, "",
                      "Groups of the SOR vary direction and start of their visits."),
    row<&S::sor_tolerance>("sor_tolerance", not_negative, "m/s",
                           "The SOR stops when no row changes by more; 0: after all sweeps."),
    row<&S::sor_on_chip>("sor_on_chip", any_number, "",
                         "On a GPU the SOR iterates in the shared memory of one block, where bodies fit."),
    row<&S::integrator>("integrator", any_number, "", "How bodies in free flight move.", integrators),
    row<&S::grid_cell>("grid_cell", not_negative, "m",
                       "Cell of the grid broad phase; 0: by the largest shape."),
    row<&S::grid_origin>("grid_origin", any_number, "m", "Lowest corner of the grid broad phase."),
    row<&S::grid_bits>(
        "grid_bits", bits, "",
        "Bits of a cell's number along x, y and z in the grid broad phase; at most 32 in all."),
};

} // namespace

std::span<const Setting> rigid_settings() { return table; }

} // namespace scree
