// SPDX-License-Identifier: MIT
// touch.cpp — see touch.h.
#include "cloth/touch.h"

#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {
namespace {

using Matrix = std::array<double, 16>;

/// By elimination with pivots; none for a singular matrix.
std::optional<Matrix> inverse(const std::array<float, 16>& given) {
    Matrix a, b{};
    std::copy(given.begin(), given.end(), a.begin());
    for (std::size_t k = 0; k < 4; ++k) b[5 * k] = 1;
    for (std::size_t column = 0; column < 4; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < 4; ++row)
            if (std::abs(a[4 * row + column]) > std::abs(a[4 * pivot + column])) pivot = row;
        if (!(std::abs(a[4 * pivot + column]) > 1e-12)) return std::nullopt;
        for (std::size_t k = 0; k < 4; ++k) {
            std::swap(a[4 * pivot + k], a[4 * column + k]);
            std::swap(b[4 * pivot + k], b[4 * column + k]);
        }
        for (std::size_t row = 0; row < 4; ++row) {
            const double factor = row == column ? 1 - 1 / a[5 * column] : a[4 * row + column] / a[5 * column];
            for (std::size_t k = 0; k < 4; ++k) {
                a[4 * row + k] -= factor * a[4 * column + k];
                b[4 * row + k] -= factor * b[4 * column + k];
            }
        }
    }
    return b;
}

} // namespace

void check(const ClothTouch& touch) {
    check_finite(touch.x, "touch.x");
    check_finite(touch.y, "touch.y");
    check_finite(touch.slide_x, "touch.slide_x");
    check_finite(touch.slide_y, "touch.slide_y");
    for (const float number : touch.view_projection) check_finite(number, "touch.view_projection");
    if (!inverse(touch.view_projection)) throw Error("the matrix has no inverse", "touch.view_projection");
}

void set_touch(kernels::ClothParams& p, const ClothTouch& touch) {
    const auto& m = touch.view_projection;
    const Matrix back = inverse(m).value();
    p.touched = 1;
    p.finger_x = touch.x, p.finger_y = touch.y, p.slide_x = touch.slide_x, p.slide_y = touch.slide_y;
    p.row_xx = m[0], p.row_xy = m[1], p.row_xz = m[2], p.row_xw = m[3];
    p.row_yx = m[4], p.row_yy = m[5], p.row_yz = m[6], p.row_yw = m[7];
    p.row_wx = m[12], p.row_wy = m[13], p.row_wz = m[14], p.row_ww = m[15];
    const auto number = [&](std::size_t k) { return static_cast<float>(back[k]); };
    p.back_xx = number(0), p.back_xy = number(4), p.back_xz = number(8);
    p.back_yx = number(1), p.back_yy = number(5), p.back_yz = number(9);
}

} // namespace scree
