// SPDX-License-Identifier: MIT
// linear.cpp — see linear.h.
#include "render/linear.h"

namespace scree::render {

Mat4 inverse(const Mat4& a) {
    // determinants of two columns: of their upper two numbers, and of their lower two
    const auto of_rows = [&](int first, int j, int k) {
        return a.at(first, j) * a.at(first + 1, k) - a.at(first, k) * a.at(first + 1, j);
    };
    const auto upper = [&](int j, int k) { return of_rows(0, j, k); };
    const auto lower = [&](int j, int k) { return of_rows(2, j, k); };
    const float determinant = upper(0, 1) * lower(2, 3) - upper(0, 2) * lower(1, 3) +
                              upper(0, 3) * lower(1, 2) + upper(1, 2) * lower(0, 3) -
                              upper(1, 3) * lower(0, 2) + upper(2, 3) * lower(0, 1);
    const float f = determinant != 0 ? 1 / determinant : 0;
    Mat4 r;
    for (int row = 0; row < 4; ++row) {
        const int j = row < 1 ? 1 : 0, k = row < 2 ? 2 : 1, l = row < 3 ? 3 : 2; // the other columns
        for (int column = 0; column < 4; ++column) {
            const int beside = column ^ 1, other_half = column < 2 ? 2 : 0;
            const float sum = a.at(beside, j) * of_rows(other_half, k, l) -
                              a.at(beside, k) * of_rows(other_half, j, l) +
                              a.at(beside, l) * of_rows(other_half, j, k);
            r.at(row, column) = ((row + column) % 2 ? -sum : sum) * f;
        }
    }
    return r;
}

Mat4 perspective(float fov_y, float aspect, float near_plane, float far_plane) {
    const float f = 1 / std::tan(fov_y / 2);
    Mat4 p;
    p.m.fill(0);
    p.at(0, 0) = f / aspect;
    p.at(1, 1) = f;
    p.at(2, 2) = (far_plane + near_plane) / (near_plane - far_plane);
    p.at(2, 3) = 2 * far_plane * near_plane / (near_plane - far_plane);
    p.at(3, 2) = -1;
    return p;
}

Mat4 orthographic(float left, float right, float bottom, float top, float near_plane, float far_plane) {
    Mat4 p;
    p.at(0, 0) = 2 / (right - left), p.at(0, 3) = -(right + left) / (right - left);
    p.at(1, 1) = 2 / (top - bottom), p.at(1, 3) = -(top + bottom) / (top - bottom);
    p.at(2, 2) = -2 / (far_plane - near_plane),
            p.at(2, 3) = -(far_plane + near_plane) / (far_plane - near_plane);
    return p;
}

Mat4 look_at(Vec3 eye, Vec3 target, Vec3 up) {
    const Vec3 back = normalized(eye - target);
    Vec3 right = cross(up, back);
    // looking along the up direction: any right will do
    if (dot(right, right) < 1e-12f) right = cross(Vec3{0, 0, 1}, back);
    if (dot(right, right) < 1e-12f) right = {1, 0, 0};
    right = normalized(right);
    const Vec3 above = cross(back, right);
    Mat4 v;
    const Vec3 rows[3] = {right, above, back};
    for (int r = 0; r < 3; ++r) {
        v.at(r, 0) = rows[r].x, v.at(r, 1) = rows[r].y, v.at(r, 2) = rows[r].z;
        v.at(r, 3) = -dot(rows[r], eye);
    }
    return v;
}

} // namespace scree::render
