// SPDX-License-Identifier: MIT
// space.h — matrices in double precision, for the viewer.
#pragma once

#include "geometry/shapes.h"
#include "scree/math.h"

#include <array>
#include <cstddef>

namespace scree::view {

constexpr double pi = 3.14159265358979323846;

/// Column by column, as OpenGL reads it.
using Matrix = std::array<double, 16>;
inline Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return c;
}

} // namespace scree::view
