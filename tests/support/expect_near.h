// SPDX-License-Identifier: MIT
// expect_near.h — vectors that are nearly equal.
#pragma once

#include "scree/math.h"

#include <gtest/gtest.h>

namespace scree::test {

inline void expect_near(DVec3 a, DVec3 b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}
inline void expect_near(Vec3 a, Vec3 b, float tolerance) { expect_near(wide(a), wide(b), double{tolerance}); }

} // namespace scree::test
