// SPDX-License-Identifier: MIT
// rotation.h — orientations and random numbers for building scenes. Double precision with + - * / and square
// root only, so that a scene has the same bits on every machine.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <optional>

namespace scree {

/// nullopt for a zero axis.
std::optional<Quat> rotation_by_degrees(DVec3 axis, double degrees);
/// The shortest rotation from the y axis to the direction; nullopt for a zero direction.
std::optional<Quat> rotation_from_y(DVec3 direction);

struct SineCosine {
    double sine, cosine;
};
/// Quarter turns are exact.
SineCosine of_degrees(double degrees);

/// PCG32 (O'Neill 2014): small, and equal on all platforms, unlike std's distributions.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t sequence);

    std::uint32_t bits();
    double uniform(double low, double high); ///< low <= result < high
    Quat rotation();                         ///< uniform over all orientations

private:
    std::uint64_t state_, increment_;
};

} // namespace scree
