// SPDX-License-Identifier: MIT
// contact_rows.h — points at which bodies touch, answered together by impulses: of an impact, or of all contacts at rest.
//
// A row asks that the speed at which a point of B leaves A along the normal is at least `target`, by an impulse that only pushes;
// friction holds the point or slides with friction times that impulse (Coulomb). Projected Gauss-Seidel in double precision.
#pragma once

#include "rigid/step_arena.h"
#include "scree/math.h"

#include <array>
#include <cstdint>
#include <span>

namespace scree {

/// A body as impulses see it; zero inverse masses do not move.
struct PushedBody {
    DVec3 centre{}, velocity{}, spin{};
    DVec3 inverse_mass{};                    ///< along x, y and z: locks
    std::array<double, 6> inverse_inertia{}; ///< world: xx yy zz xy xz yz

    DVec3 speed_at(const DVec3& point) const { return velocity + cross(spin, point - centre); }
    void push(const DVec3& impulse, const DVec3& point);
    /// How an impulse along `n` at `point` changes the speed there, along `n`.
    double response(const DVec3& n, const DVec3& point) const;
};

struct ContactRow {
    std::uint32_t a = 0, b = 0; ///< bodies
    DVec3 normal{};             ///< unit, from A to B
    DVec3 point{};
    double target = 0;   ///< m/s
    double friction = 0; ///< coefficient
    DVec3 belt{};        ///< velocity of B's surface against A's, beyond that of the bodies

    double impulse = 0; ///< N s on B along the normal
    DVec3 friction_impulse{};
    // filled by solve_rows
    double normal_response = 0, tangent_response = 0;
};

/// The velocity at which the row's point on B moves against A.
inline DVec3 relative_speed(std::span<const PushedBody> bodies, const ContactRow& row) {
    return (bodies[row.b].speed_at(row.point) - bodies[row.a].speed_at(row.point)) + row.belt;
}

struct RowsReport {
    int sweeps = 0;
    double change = 0; ///< m/s, the largest of the last sweep
};
/// Changes the bodies' velocities and the rows' impulses, which the velocities have in them already. Ends when a sweep changes no row
/// by more than `tolerance` (m/s), or after `most` sweeps. Odd sweeps go backwards. `many`: with a step of conjugate gradients after
/// every two, for rows that hang together; these need `memory`.
RowsReport solve_rows(std::span<PushedBody> bodies, std::span<ContactRow> rows, bool friction, int most,
                      double tolerance, bool many = false, StepArena* memory = nullptr);

/// The rows of one impact of two bodies: bodies[0] and bodies[1].
struct ImpactAnswer {
    double impulse = 0;  ///< N s along the normal, of all points
    double approach = 0; ///< m/s, the fastest of the points
};
/// Restitution at every approaching point, and at least the speed `target` that a row has already; friction where a row has
/// some. Kinetic energy never grows, but by targets above 0.
ImpactAnswer answer_impact(std::span<PushedBody, 2> bodies, std::span<ContactRow> rows, double restitution);

} // namespace scree
