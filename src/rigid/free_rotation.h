// SPDX-License-Identifier: MIT
// free_rotation.h — how a rigid body turns that nothing twists, in double precision.
//
// Its angular momentum stays, so only its attitude has to be found: along the body's axes q' = q w / 2 and l' = l x w, where
// w = I^-1 l. The right sides are products of the unknowns, so the coefficients of their power series follow from each other
// (Parker and Sochacki 1996), and times are cut into pieces so short that ten terms are exact to rounding. Made of sums, products
// and quotients alone, so that it has the same bits on every machine.
#pragma once

#include "scree/math.h"
#include "scree/world.h"

#include <array>

namespace scree {

/// A symmetric matrix: xx yy zz xy xz yz.
using SymmetricMatrix = std::array<double, 6>;

/// A body's inertia along its own axes, and how uneven it is: its spin w changes by no more than unevenness |w|² a second.
struct TurningMass {
    SymmetricMatrix inertia{}, inverse{};
    double unevenness = 0;
};
TurningMass turning_mass(const MassProperties& mass);

class FreeRotation {
public:
    FreeRotation() = default;
    /// From that attitude and spin (world) on, for a time of `longest` s at most.
    FreeRotation(const TurningMass& mass, const DQuat& rotation, const DVec3& spin, double longest);

    /// Whether the spin changes at all, and so slowly that it can be followed; otherwise it counts as constant.
    bool changes() const { return changes_; }
    DQuat rotation_at(double time) const;
    /// The spin (world) in an attitude that it has on the way.
    DVec3 spin_in(const DQuat& rotation) const;
    /// Begins with the piece of that time, for what comes later. No answer depends on it.
    void advance(double time);
    double most_spin() const { return most_spin_; }     ///< rad/s: never faster
    double most_change() const { return most_change_; } ///< rad/s²: the spin changes no faster

private:
    static constexpr std::size_t terms = 10;
    void expand(const DQuat& rotation);
    void go_on(); ///< to the next piece
    DQuat in_piece(double time) const;

    TurningMass mass_{};
    DVec3 momentum_{}; ///< world
    std::array<DQuat, terms + 1> series_{};
    double begin_ = 0, piece_ = 0; ///< of the series; how long it holds
    double most_spin_ = 0, most_change_ = 0;
    bool changes_ = false;
};

} // namespace scree
