// SPDX-License-Identifier: MIT
// linear.cpp — see linear.h.
#include "render/linear.h"

namespace scree::render {

Mat4 inverse(const Mat4& a) {
    // cofactors of 2x2 blocks (Laplace)
    const auto& m = a.m;
    const float s0 = m[0] * m[5] - m[4] * m[1], s1 = m[0] * m[9] - m[8] * m[1],
                s2 = m[0] * m[13] - m[12] * m[1];
    const float s3 = m[4] * m[9] - m[8] * m[5], s4 = m[4] * m[13] - m[12] * m[5],
                s5 = m[8] * m[13] - m[12] * m[9];
    const float c5 = m[10] * m[15] - m[14] * m[11], c4 = m[6] * m[15] - m[14] * m[7],
                c3 = m[6] * m[11] - m[10] * m[7], c2 = m[2] * m[15] - m[14] * m[3],
                c1 = m[2] * m[11] - m[10] * m[3], c0 = m[2] * m[7] - m[6] * m[3];
    const float determinant = s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0;
    const float f = determinant != 0 ? 1 / determinant : 0;
    Mat4 r;
    r.at(0, 0) = (m[5] * c5 - m[9] * c4 + m[13] * c3) * f;
    r.at(0, 1) = (-m[4] * c5 + m[8] * c4 - m[12] * c3) * f;
    r.at(0, 2) = (m[7] * s5 - m[11] * s4 + m[15] * s3) * f;
    r.at(0, 3) = (-m[6] * s5 + m[10] * s4 - m[14] * s3) * f;
    r.at(1, 0) = (-m[1] * c5 + m[9] * c2 - m[13] * c1) * f;
    r.at(1, 1) = (m[0] * c5 - m[8] * c2 + m[12] * c1) * f;
    r.at(1, 2) = (-m[3] * s5 + m[11] * s2 - m[15] * s1) * f;
    r.at(1, 3) = (m[2] * s5 - m[10] * s2 + m[14] * s1) * f;
    r.at(2, 0) = (m[1] * c4 - m[5] * c2 + m[13] * c0) * f;
    r.at(2, 1) = (-m[0] * c4 + m[4] * c2 - m[12] * c0) * f;
    r.at(2, 2) = (m[3] * s4 - m[7] * s2 + m[15] * s0) * f;
    r.at(2, 3) = (-m[2] * s4 + m[6] * s2 - m[14] * s0) * f;
    r.at(3, 0) = (-m[1] * c3 + m[5] * c1 - m[9] * c0) * f;
    r.at(3, 1) = (m[0] * c3 - m[4] * c1 + m[8] * c0) * f;
    r.at(3, 2) = (-m[3] * s3 + m[7] * s1 - m[11] * s0) * f;
    r.at(3, 3) = (m[2] * s3 - m[6] * s1 + m[10] * s0) * f;
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
