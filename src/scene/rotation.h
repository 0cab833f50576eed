// SPDX-License-Identifier: MIT
// rotation.h — orientations and random numbers for building scenes. Double precision with + - * / and square
// root only, so that a scene starts from the same bits wherever it is loaded.
#pragma once

#include "scree/vector.h"

#include <cstdint>
#include <optional>

namespace scree {

/// The unit quaternion nearest to (s, x, y, z), which must not be zero.
Quat normalised(double s, double x, double y, double z);
/// Nothing when the axis has no length.
std::optional<Quat> rotation_about(double x, double y, double z, double degrees);
/// The shortest rotation that takes the y axis to (x, y, z); nothing when that has no length.
std::optional<Quat> rotation_from_y(double x, double y, double z);

struct SineCosine {
    double sine, cosine;
};
/// Quarter turns are exact.
SineCosine of_degrees(double degrees);

struct Triple {
    double x, y, z;
};
/// The vector turned by the rotation.
Triple turned(Quat rotation, Triple vector);

/// PCG32 (O'Neill 2014): small, and the same everywhere, which std's distributions are not.
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
