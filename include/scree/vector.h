// SPDX-License-Identifier: MIT
// vector.h — the plain vector types of the API. Arithmetic on them belongs to the kernels.
#pragma once

#include <cstdint>

namespace scree {

struct Vec3 {
    float x = 0, y = 0, z = 0;
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A unit quaternion, scalar first; the default is no rotation.
struct Quat {
    float s = 1, x = 0, y = 0, z = 0;
    friend bool operator==(const Quat&, const Quat&) = default;
};

/// Where a frame lies in another.
struct Pose {
    Vec3 position{};
    Quat rotation{};
    friend bool operator==(const Pose&, const Pose&) = default;
};

} // namespace scree
